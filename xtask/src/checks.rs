//! The steps of `cargo xtask test`: each runs alone by its name too, and a failed one does not hide the others' results.

use std::thread;
use std::time::Instant;

use anyhow::{Result, bail, ensure};

use crate::calls::Calls;
use crate::process::{self, run as run_program, run_with};
use crate::{build, licences, postgres, programs, setup, statements};

/// How much of the tests runs. The fast lane leaves out what `docs/tests.md` lists with its reason.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// Enough to trust a change before it is merged.
    Fast,
    /// Everything: what takes long too.
    Full,
}

/// Marks of all that the fast lane leaves out: in the names of the server's tests, and of stories in the browser.
const IN_FULL: &str = "in_full_lane";
const LEAVE_OUT_FULL: &str = "--grep-invert=@full|^desktop (?!.*@desktop-only)";

/// Environment variable with which browser stories check fewer sizes of windows and letters (`pwa/e2e/support/fitting.ts`).
const FAST_STORIES: (&str, &str) = ("WALKIES_LANE", "fast");

/// Seeds of the simulation in the fast lane; below, in the full one.
const FAST_SEEDS: &str = "250";
const FULL_SEEDS: &str = "20000";
/// Histories of the books that the full lane runs, natively and through WebAssembly.
const FULL_HISTORIES: &str = "100000";

/// One step of the tests.
pub struct Check {
    /// Its name on the command line.
    pub name: &'static str,
    /// Description of what it shows.
    pub about: &'static str,
    /// The smallest lane that has it.
    lane: Lane,
    run: fn(Lane) -> Result<()>,
}

impl Check {
    /// Its name, in brackets where the fast lane leaves it out.
    pub fn shown_name(&self) -> String {
        match self.lane {
            Lane::Fast => self.name.to_owned(),
            Lane::Full => format!("[{}]", self.name),
        }
    }
}

/// Every step, in the order in which they run: what fails fastest first.
pub const ALL: &[Check] = &[
    Check {
        name: "setup",
        about: "what building and testing need is there",
        lane: Lane::Fast,
        run: |_| setup::for_tests(),
    },
    Check {
        name: "format",
        about: "Rust and TypeScript are formatted",
        lane: Lane::Fast,
        run: |_| format(),
    },
    Check {
        name: "tidy",
        about: "the rules of the repository hold",
        lane: Lane::Fast,
        run: |_| tidy(),
    },
    Check {
        name: "licences",
        about: "every licence and source is allowed, and THIRD-PARTY-LICENSES.md is true",
        lane: Lane::Fast,
        run: dependencies,
    },
    Check {
        name: "lint",
        about: "clippy, TypeScript and its linter have nothing to say",
        lane: Lane::Fast,
        run: |_| lint(),
    },
    Check {
        name: "core",
        about: "the rules, natively",
        lane: Lane::Fast,
        run: core,
    },
    Check {
        name: "wasm",
        about: "the rules through WebAssembly, byte for byte the same",
        lane: Lane::Fast,
        run: wasm,
    },
    Check {
        name: "server",
        about: "the server on SQLite and PostgreSQL",
        lane: Lane::Fast,
        run: server,
    },
    Check {
        name: "api",
        about: "the API answers as its document says, whatever it is called with",
        lane: Lane::Full,
        run: |_| api(),
    },
    Check {
        name: "simulation",
        about: "many phones against one server, with everything that goes wrong",
        lane: Lane::Fast,
        run: simulation,
    },
    Check {
        name: "attacks",
        about: "one account, or none, does not stop the server",
        lane: Lane::Fast,
        run: attacks,
    },
    Check {
        name: "components",
        about: "the app's parts",
        lane: Lane::Fast,
        run: |_| components(),
    },
    Check {
        name: "browser",
        about: "the app and the server in Chromium",
        lane: Lane::Fast,
        run: browser,
    },
    Check {
        name: "release",
        about: "the product as it is delivered is built",
        lane: Lane::Full,
        run: |_| build::everything(),
    },
];

/// Runs the named steps, or all of a lane, and ends with a table and one line that sums it up.
pub fn run(lane: Lane, names: &[&str]) -> Result<()> {
    for name in names {
        ensure!(
            ALL.iter().any(|check| check.name == *name),
            "`{name}` is no step of the tests; `cargo xtask help` names them."
        );
    }
    let is_in_lane = |check: &&Check| lane == Lane::Full || check.lane == Lane::Fast;
    let wanted: Vec<&Check> = if names.is_empty() {
        ALL.iter().filter(is_in_lane).collect()
    } else {
        ALL.iter().filter(|it| names.contains(&it.name)).collect()
    };
    let mut rows = Vec::new();
    let mut failed: Vec<(&str, Vec<String>)> = Vec::new();
    for check in wanted {
        println!("\n=== {}: {}", check.name, check.about);
        process::take_last_lines();
        let start = Instant::now();
        let outcome = (check.run)(lane);
        let word = match &outcome {
            Ok(()) => "ok",
            Err(error) => {
                eprintln!("{error:#}");
                failed.push((check.name, process::take_last_lines()));
                "FAILED"
            }
        };
        rows.push(format!(
            "{:<12}{:>8.1} s  {word}",
            check.name,
            start.elapsed().as_secs_f32()
        ));
        if check.name == "setup" && outcome.is_err() {
            // Nothing else can say anything true without it.
            break;
        }
    }
    // The summary is the end of a long text: what went wrong is read beside it, and not looked for.
    for (name, lines) in &failed {
        println!("\n=== the end of {name}\n{}", lines.join("\n"));
    }
    println!("\n{}", rows.join("\n"));
    println!(
        "{} passed, {} failed",
        rows.len() - failed.len(),
        failed.len()
    );
    if !failed.is_empty() {
        bail!("The tests failed; each step runs again alone by `cargo xtask <step>`.");
    }
    Ok(())
}

/// The simulation with flags of its own, such as `--seeds N --from S` or `--seed S`.
///
/// What runs millions of times is optimized, which takes longer to build than the short form to run without.
pub fn simulate(flags: &[&str]) -> Result<()> {
    let mut args = vec![
        "--config",
        "profile.dev.package.walkies-core.opt-level=3",
        "--config",
        "profile.dev.package.walkies-core.debug-assertions=false",
        "--config",
        "profile.dev.package.walkies-server.opt-level=1",
        "test",
        "--locked",
        "-p",
        "walkies-server",
        "--test",
        "simulation",
        "--",
    ];
    args.extend_from_slice(flags);
    run_program("cargo", &args)
}

/// Checks the advisories against the versions that are used: their databases are asked over the network, and neither
/// registry has a copy that could be part of the tests.
pub fn audit() -> Result<()> {
    setup::for_tests()?;
    run_both(
        run_program("cargo-deny", &["check", "advisories"]),
        run_program("npm", &["audit"]),
    )
}

fn dependencies(lane: Lane) -> Result<()> {
    if lane == Lane::Fast {
        return licences::check();
    }
    setup::cargo_deny()?;
    // cargo-deny looks at the crates of every platform, of which a build has fetched its own alone.
    run_program("cargo", &["fetch", "--quiet", "--locked"])?;
    let deny = ["--offline", "check", "bans", "sources"];
    run_both(licences::check(), run_program("cargo-deny", &deny))
}

/// The attacks in full, on the server as it is delivered and on both databases, with its honest users held against the clock;
/// a name runs that attack alone.
pub fn attack(flags: &[&str]) -> Result<()> {
    let mut args = ATTACK.to_vec();
    args.extend_from_slice(&["--release", "--", "--full"]);
    args.extend_from_slice(flags);
    postgres::with("cargo", &args)
}

const ATTACK: [&str; 6] = [
    "test",
    "--locked",
    "-p",
    "walkies-server",
    "--test",
    "attack",
];

fn attacks(lane: Lane) -> Result<()> {
    match lane {
        Lane::Fast => programs::run("server", |it| it == "attack", &[], &[]),
        Lane::Full => attack(&[]),
    }
}

fn format() -> Result<()> {
    run_both(
        run_program("cargo", &["fmt", "--all", "--check"]),
        run_program("npm", &["run", "--silent", "format:check"]),
    )
}

fn tidy() -> Result<()> {
    // Of all packages, as everything is built: those of this one alone would have other features.
    let args = [
        "test", "--quiet", "--locked", "--bin", "xtask", "--test", "rooms", "--test", "tidy",
    ];
    run_program("cargo", &args)
}

/// Clippy looks at all Rust while it is built. The core for the phone is built beside the rest, since TypeScript needs its
/// declarations: each waits for one core at times that the other can use.
fn lint() -> Result<()> {
    thread::scope(|scope| {
        let wasm = scope.spawn(build::fast_wasm);
        let rust = programs::build().map(drop);
        run_both(wasm.join().expect("a build does not panic"), rust)
    })?;
    thread::scope(|scope| {
        let types = scope.spawn(|| run_program("npm", &["run", "--silent", "typecheck"]));
        let lint = run_program("npm", &["run", "--silent", "lint"]);
        run_both(types.join().expect("a program does not panic"), lint)
    })
}

/// The variable that has more histories of the books run; none in the fast lane.
fn histories(lane: Lane) -> &'static [(&'static str, &'static str)] {
    match lane {
        Lane::Fast => &[],
        Lane::Full => &[("WALKIES_LEDGER_HISTORIES", FULL_HISTORIES)],
    }
}

fn core(lane: Lane) -> Result<()> {
    programs::run("core", |_| true, &[], histories(lane))
}

fn wasm(lane: Lane) -> Result<()> {
    build::fast_wasm()?;
    let args = ["run", "--silent", "test:unit", "--", "golden"];
    run_with("npm", &args, histories(lane))
}

fn server(lane: Lane) -> Result<()> {
    let run = |args: &[&str], env: &[(&str, &str)]| {
        let has_own_step = |name: &str| ["simulation", "attack"].contains(&name);
        programs::run("server", |it| !has_own_step(it), args, env)
    };
    match lane {
        Lane::Fast => {
            let ran = postgres::with_statements(|env| run(&["--skip", IN_FULL], env))?;
            statements::all_ran(&ran)
        }
        Lane::Full => postgres::with_env(|env| run(&[], env)),
    }
}

/// Its short form: some calls of every operation.
fn api() -> Result<()> {
    call_api("10")
}

/// The long form of what calls the API with whatever there is, and of what reads archives that are none and reports that
/// nobody made.
pub fn fuzz() -> Result<()> {
    let readers = [
        "test",
        "--locked",
        "-p",
        "walkies-server",
        "--lib",
        "--",
        "archive::",
        "webhook::",
    ];
    let readers = run_with("cargo", &readers, &[("PROPTEST_CASES", "100000")]);
    let args = [
        "WALKIES_HOSTILE=all",
        "PROPTEST_CASES=20000",
        "cargo",
        "test",
        "--locked",
        "-p",
        "walkies-server",
        "--test",
        "api",
        "--",
        "hostile::",
        "webhooks::",
    ];
    let calls = run_both(postgres::with("env", &args), call_api("100"));
    run_both(readers, calls)
}

/// Calls every operation of the API's document with what schemathesis makes of it; `examples` to each in the phase
/// that tries at random.
fn call_api(examples: &str) -> Result<()> {
    setup::schemathesis()?;
    programs::build()?;
    let args = [
        "xtask/api/conformance.py",
        programs::SERVER,
        setup::PYTHON,
        examples,
    ];
    // What asks takes one core, and what answers hardly any: both databases are asked at once.
    thread::scope(|scope| {
        let sqlite = scope.spawn(|| run_program(setup::PYTHON, &args));
        let postgres = postgres::with(setup::PYTHON, &args);
        run_both(sqlite.join().expect("a call does not panic"), postgres)
    })
}

/// The full lane has more seeds and, since they say something of the simulation and not of the product, the planted bugs.
fn simulation(lane: Lane) -> Result<()> {
    match lane {
        Lane::Fast => programs::run(
            "server",
            |it| it == "simulation",
            &["--seeds", FAST_SEEDS],
            &[],
        ),
        Lane::Full => run_both(simulate(&["--seeds", FULL_SEEDS]), simulate(&["--bugs"])),
    }
}

fn components() -> Result<()> {
    build::fast_wasm()?;
    run_program("npm", &["run", "--silent", "test:unit"])
}

fn browser(lane: Lane) -> Result<()> {
    build::fast_wasm()?;
    build::fast_app()?;
    programs::build()?;
    let stories = ["run", "--silent", "test:e2e"];
    if lane == Lane::Fast {
        let args = [&stories[..], &["--", LEAVE_OUT_FULL]].concat();
        return run_with("npm", &args, &[FAST_STORIES]);
    }
    setup::push_browser()?;
    let calls = Calls::begin()?;
    run_with("npm", &stories, &[(Calls::ENV, calls.path()?)])?;
    calls.are_all()?;
    let args = [&stories[..], &["--", "--project=phone"]].concat();
    postgres::with("npm", &args)
}

/// Both, so that one person sees what both have to say.
fn run_both(first: Result<()>, second: Result<()>) -> Result<()> {
    first.and(second)
}
