//! The steps of `cargo xtask test`: each runs alone by its name too, and a failed one does not hide the others' results.

use std::thread;
use std::time::Instant;

use anyhow::{Result, bail, ensure};

use crate::calls::Calls;
use crate::process::{self, run as run_program, run_with};
use crate::{build, licences, postgres, programs, setup};

/// One step of the tests.
pub struct Check {
    /// What it is called on the command line.
    pub name: &'static str,
    /// What it shows.
    pub about: &'static str,
    run: fn() -> Result<()>,
}

/// Every step, in the order in which they run: what fails fastest first.
pub const ALL: &[Check] = &[
    Check {
        name: "setup",
        about: "what building and testing need is there",
        run: setup::for_tests,
    },
    Check {
        name: "format",
        about: "Rust and TypeScript are formatted",
        run: format,
    },
    Check {
        name: "tidy",
        about: "the rules of the repository hold",
        run: tidy,
    },
    Check {
        name: "licences",
        about: "every licence and source is allowed, and THIRD-PARTY-LICENSES.md is true",
        run: dependencies,
    },
    Check {
        name: "lint",
        about: "clippy, TypeScript and its linter have nothing to say",
        run: lint,
    },
    Check {
        name: "core",
        about: "the rules, natively",
        run: core,
    },
    Check {
        name: "wasm",
        about: "the rules through WebAssembly, byte for byte the same",
        run: wasm,
    },
    Check {
        name: "server",
        about: "the server on SQLite and PostgreSQL",
        run: server,
    },
    Check {
        name: "api",
        about: "the API answers as its document says, whatever it is called with",
        run: api,
    },
    Check {
        name: "simulation",
        about: "many phones against one server, with everything that goes wrong",
        run: simulation,
    },
    Check {
        name: "attacks",
        about: "one account, or none, does not stop the server: the short form",
        run: attack_shortly,
    },
    Check {
        name: "components",
        about: "the app's parts",
        run: components,
    },
    Check {
        name: "browser",
        about: "the app and the server in Chromium",
        run: browser,
    },
];

/// Runs the named steps, or all, and ends with a table and one line that sums it up.
pub fn run(names: &[&str]) -> Result<()> {
    for name in names {
        ensure!(
            ALL.iter().any(|check| check.name == *name),
            "`{name}` is no step of the tests; `cargo xtask help` names them."
        );
    }
    let wanted = ALL
        .iter()
        .filter(|check| names.is_empty() || names.contains(&check.name));
    let mut rows = Vec::new();
    let mut failed: Vec<(&str, Vec<String>)> = Vec::new();
    for check in wanted {
        println!("\n=== {}: {}", check.name, check.about);
        process::take_last_lines();
        let start = Instant::now();
        let outcome = (check.run)();
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

/// What is reported against the versions that are used: the databases of that are asked over the network, and neither
/// registry has a copy that could be part of the tests.
pub fn audit() -> Result<()> {
    setup::for_tests()?;
    run_both(
        run_program("cargo-deny", &["check", "advisories"]),
        run_program("npm", &["audit"]),
    )
}

fn dependencies() -> Result<()> {
    // cargo-deny looks at the crates of every platform, of which a build has fetched its own alone.
    run_program("cargo", &["fetch", "--quiet", "--locked"])?;
    let deny = ["--offline", "check", "bans", "sources"];
    run_both(licences::check(), run_program("cargo-deny", &deny))
}

/// The attacks in full, on the server as it is delivered, with its honest user held against the clock; a name runs that
/// attack alone.
pub fn attack(flags: &[&str]) -> Result<()> {
    let mut args = ATTACK.to_vec();
    args.extend_from_slice(&["--release", "--", "--full"]);
    args.extend_from_slice(flags);
    run_program("cargo", &args)
}

const ATTACK: [&str; 6] = [
    "test",
    "--locked",
    "-p",
    "walkies-server",
    "--test",
    "attack",
];

fn attack_shortly() -> Result<()> {
    programs::run("server", |it| it == "attack", &[])
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

/// The core for the phone is built beside it, since TypeScript needs its declarations: each waits for one core at times
/// that the other can use.
fn lint() -> Result<()> {
    thread::scope(|scope| {
        let wasm = scope.spawn(build::wasm_for_tests);
        let rust = programs::build().and_then(|_| clippy_of_bindings());
        run_both(wasm.join().expect("a build does not panic"), rust)
    })?;
    run_both(
        run_program("npm", &["run", "--silent", "typecheck"]),
        run_program("npm", &["run", "--silent", "lint"]),
    )
}

/// What only the phone has of the core; clippy looks at all else while it is built.
fn clippy_of_bindings() -> Result<()> {
    let mut args = vec!["clippy", "--quiet", "--locked", "-p", "walkies-core"];
    args.extend_from_slice(&["--target", setup::WASM, "--features", build::MODULES]);
    args.extend_from_slice(&["--", "-D", "warnings"]);
    run_program("cargo", &args)
}

fn core() -> Result<()> {
    programs::run("core", |_| true, &[])
}

fn wasm() -> Result<()> {
    build::wasm_for_tests()?;
    run_program("npm", &["run", "--silent", "test:unit", "--", "golden"])
}

fn server() -> Result<()> {
    let has_own_step = |name: &str| ["simulation", "attack"].contains(&name);
    postgres::with_env(|env| programs::run("server", |it| !has_own_step(it), env))
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

fn simulation() -> Result<()> {
    programs::run("server", |it| it == "simulation", &[])
}

fn components() -> Result<()> {
    build::wasm_for_tests()?;
    run_program("npm", &["run", "--silent", "test:unit"])
}

fn browser() -> Result<()> {
    build::wasm_for_tests()?;
    build::app()?;
    programs::build()?;
    let calls = Calls::begin()?;
    let stories = ["run", "--silent", "test:e2e"];
    run_with("npm", &stories, &[(Calls::ENV, calls.path()?)])?;
    calls.are_all()?;
    // What two people do with each other, on the other database too.
    let args = [
        "run",
        "--silent",
        "test:e2e",
        "--",
        "--project=phone",
        "--grep=@postgres",
    ];
    postgres::with("npm", &args)
}

/// Both, so that one person sees what both have to say.
fn run_both(first: Result<()>, second: Result<()>) -> Result<()> {
    first.and(second)
}
