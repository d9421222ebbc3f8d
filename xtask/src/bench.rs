//! Measures what the product promises: the server's figures and the phone's, each a line with its target.
//! A figure that does not hold makes the command fail, after all of them were measured.

use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::process::{run, run_with};
use crate::{build, setup};

/// Every figure, or those of `server` or `phone` alone.
pub fn measure(names: &[&str]) -> Result<()> {
    // Everything is built before anything is measured: the server carries the app, and a machine that has just
    // compiled for minutes is slow for a while.
    match names {
        [] => {
            build_phone()?;
            build_server()?;
            let phone = phone();
            phone.and(server())
        }
        ["server"] => {
            build_server()?;
            server()
        }
        ["phone"] => {
            build_phone()?;
            phone()
        }
        _ => bail!("`cargo xtask bench` measures all, `server` or `phone`."),
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

fn server() -> Result<()> {
    wait_for_quiet();
    run("cargo", &SERVER)
}

fn build_phone() -> Result<()> {
    setup::for_tests()?;
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
