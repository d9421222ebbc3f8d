//! Measures what the product promises: the figures of the server, of the phone and of routes, each a line with its target.
//! A figure that does not hold makes the command fail, after all of them were measured.

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::process::{run, run_with};
use crate::{build, postgres, setup};

/// Every figure, or those of `server`, `phone` or `routes` alone.
pub fn measure(names: &[&str]) -> Result<()> {
    // Everything is built before anything is measured: the server carries the app, and a machine that has just
    // compiled for minutes is slow for a while.
    match names {
        [] => {
            build_phone()?;
            build_server()?;
            build_routes()?;
            let phone = phone();
            phone.and(server()).and(routes(&[]))
        }
        ["server"] => {
            build_server()?;
            server()
        }
        ["phone"] => {
            build_phone()?;
            phone()
        }
        ["routes", "--record"] => {
            build_routes()?;
            record()
        }
        ["routes", extracts @ ..] => {
            build_routes()?;
            routes(extracts)
        }
        _ => bail!("`cargo xtask bench` measures all, `server`, `phone` or `routes`."),
    }
}

const SERVER: [&str; 6] = [
    "bench",
    "--locked",
    "-p",
    "walkies-server",
    "--bench",
    "sync",
];

fn build_server() -> Result<()> {
    let mut args = SERVER.to_vec();
    args.push("--no-run");
    run("cargo", &args)
}

/// All of it on SQLite, and how analytics move others' calls on PostgreSQL.
fn server() -> Result<()> {
    wait_for_quiet();
    let sqlite = run("cargo", &SERVER);
    let analytics = [&SERVER[..], &["--", "analytics"]].concat();
    sqlite.and(postgres::with("cargo", &analytics))
}

fn build_phone() -> Result<()> {
    setup::for_bench()?;
    build::everything()
}

fn phone() -> Result<()> {
    wait_for_quiet();
    let binary = std::env::current_dir()?.join("target/release/walkies");
    let binary = binary.to_string_lossy();
    run_with(
        "npm",
        &["run", "--silent", "bench:phone"],
        &[("WALKIES_BIN", &binary)],
    )
}

const ROUTES: [&str; 6] = [
    "bench",
    "--locked",
    "-p",
    "walkies-server",
    "--bench",
    "routes",
];
/// Folder of the routes' measurements, with a folder for each area.
const MEASURED: &str = "target/bench/routes";
/// Page with the tables for people.
const DOCUMENT: &str = "docs/routes.md";
/// The extract that belongs to the repository, and a folder of further ones where it is there.
const EXTRACT: &str = "server/demo/helsinki.osm.pbf";
const EXTRACTS: &str = "../shared/map";
/// Places in each area from which walks are asked for. With a third of them it was up to chance whether figures held: by
/// which places it chose, two of three options shared 28 or 30 % at the median.
const STARTS: &str = "120";
/// Folder of the other engines.
const ENGINES: &str = "target/tools/rivals";

fn build_routes() -> Result<()> {
    setup::for_bench()?;
    build::wasm()?;
    let mut args = ROUTES.to_vec();
    args.push("--no-run");
    run("cargo", &args)
}

/// Routes on the repository's own extract, those of a folder beside it and the given ones, beside Valhalla and OSRM.
fn routes(further: &[&str]) -> Result<()> {
    let mut extracts = vec![EXTRACT.to_owned()];
    if Path::new(EXTRACTS).is_dir() {
        for entry in fs::read_dir(EXTRACTS)? {
            let path = entry?.path().to_string_lossy().into_owned();
            extracts.extend(path.ends_with(".osm.pbf").then_some(path));
        }
    }
    extracts[1..].sort();
    extracts.extend(further.iter().map(|it| (*it).to_owned()));
    if Path::new(MEASURED).exists() {
        fs::remove_dir_all(MEASURED)?;
    }
    // Without them the rest is measured all the same, and their figures do not hold.
    let engines = engines().inspect_err(|error| {
        println!("Valhalla and OSRM are not there, and nothing is compared with them: {error:#}");
    });
    wait_for_quiet();
    let mut measure = vec!["measure", MEASURED, STARTS];
    measure.extend(extracts.iter().map(String::as_str));
    bench_routes(&measure)?;
    let browser = run("npm", &["run", "--silent", "bench:routes"]);
    let report = bench_routes(&["report", MEASURED, DOCUMENT]);
    engines.and(browser).and(report)
}

/// Records what the other engines know of the repository's own extract, for the test of the walkable routes.
fn record() -> Result<()> {
    engines()?;
    bench_routes(&["record", EXTRACT, "server/tests/walkable/helsinki.jsonl"])
}

fn engines() -> Result<()> {
    run("sh", &["xtask/rivals/setup.sh", ENGINES])
}

fn bench_routes(args: &[&str]) -> Result<()> {
    let args: Vec<&str> = [&ROUTES[..], &["--"], args].concat();
    run("cargo", &args)
}

/// Waits until hardly anything runs here, but not for ever: the figures say what they were measured beside.
fn wait_for_quiet() {
    const QUIET: f64 = 0.4;
    const PATIENCE: Duration = Duration::from_secs(240);
    let begun = Instant::now();
    while let Some(load) = load()
        && QUIET < load
        && begun.elapsed() < PATIENCE
    {
        println!("Waits until the machine is quiet: load {load:.2}.");
        sleep(Duration::from_secs(20));
    }
}

/// How many wanted to run in the last minute on average; nothing where the system does not say it like Linux.
fn load() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    text.split(' ').next()?.parse().ok()
}
