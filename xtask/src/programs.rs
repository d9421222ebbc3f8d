//! Owns the one build of all tests, which clippy looks at while it goes, and the programs that it makes. Whatever selects
//! other packages than all gives the crates that they share other features, and builds those once more.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Result, ensure};
use serde_json::Value;

use crate::process::{command, run_in};

/// The server as the tests run it.
pub const SERVER: &str = "target/debug/walkies";

/// A program of tests: the units of a library or binary, or one of the files and folders in `tests`.
pub struct Program {
    /// The folder of its package.
    folder: PathBuf,
    /// That of what it is built of.
    name: String,
    path: String,
}

/// Builds all tests and runs those of the package that the names leave.
pub fn run(package: &str, wants: impl Fn(&str) -> bool, env: &[(&str, &str)]) -> Result<()> {
    let folder = Path::new(package).canonicalize()?;
    let programs = build()?.into_iter();
    let wanted: Vec<Program> = programs
        .filter(|it| it.folder == folder && wants(&it.name))
        .collect();
    ensure!(!wanted.is_empty(), "No such test of {package} was built.");
    // Each, so that one person sees what all have to say.
    let outcomes = wanted
        .iter()
        .map(|it| run_in(&it.folder, &it.path, &["--quiet"], env));
    outcomes.collect::<Vec<_>>().into_iter().collect()
}

/// Builds what is not built, the server among it, and gives every program of tests; clippy's warnings are errors.
pub fn build() -> Result<Vec<Program>> {
    let mut cargo = build_command();
    println!("  $ cargo test --no-run --locked --workspace");
    let output = cargo.stderr(Stdio::inherit()).output()?;
    ensure!(output.status.success(), "The tests were not built.");
    let lines = output.stdout.split(|it| *it == b'\n');
    Ok(lines.filter_map(program).collect())
}

fn build_command() -> Command {
    let mut args = vec!["test", "--no-run", "--quiet", "--locked", "--workspace"];
    args.push("--message-format=json-render-diagnostics");
    let mut cargo = command("cargo", &args);
    // What `cargo clippy` sets for cargo, which would check there where this compiles.
    cargo.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver");
    cargo.env("CARGO_BUILD_WARNINGS", "deny");
    cargo
}

/// The program of which a line of cargo's messages tells, if it does.
fn program(line: &[u8]) -> Option<Program> {
    let message: Value = serde_json::from_slice(line).ok()?;
    let is_test = message["profile"]["test"].as_bool()?;
    let path = message["executable"].as_str()?.to_owned();
    let manifest = Path::new(message["manifest_path"].as_str()?);
    is_test.then_some(Program {
        folder: manifest.parent()?.to_owned(),
        name: message["target"]["name"].as_str()?.to_owned(),
        path,
    })
}
