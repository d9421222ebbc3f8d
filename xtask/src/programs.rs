//! Owns the one build of all tests, which clippy looks at while it goes, and the programs that it makes. Whatever selects
//! other packages than all gives the crates that they share other features, and builds those once more.

use std::path::{Path, PathBuf};
use std::process::Stdio;

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

/// Builds all tests and runs those programs of the package that the names leave, with these arguments.
pub fn run(
    package: &str,
    wants: impl Fn(&str) -> bool,
    args: &[&str],
    env: &[(&str, &str)],
) -> Result<()> {
    let folder = Path::new(package).canonicalize()?;
    let programs = build()?.into_iter();
    let wanted: Vec<Program> = programs
        .filter(|it| it.folder == folder && wants(&it.name))
        .collect();
    ensure!(!wanted.is_empty(), "No such test of {package} was built.");
    let args = [&["--quiet"], args].concat();
    // Each, so that one person sees what all have to say.
    let outcomes = wanted
        .iter()
        .map(|it| run_in(&it.folder, &it.path, &args, env));
    outcomes.collect::<Vec<_>>().into_iter().collect()
}

/// Builds what is not built, the server among it, and gives every program of tests; clippy's warnings are errors, those
/// of what was built before too.
pub fn build() -> Result<Vec<Program>> {
    let args = [
        "test",
        "--no-run",
        "--quiet",
        "--locked",
        "--workspace",
        "--message-format=json",
    ];
    println!("  $ cargo {}", args.join(" "));
    let output = command("cargo", &args)
        // What `cargo clippy` sets for cargo, which would check there where this compiles.
        .env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver")
        .stderr(Stdio::inherit())
        .output()?;
    let lines = output.stdout.split(|it| *it == b'\n');
    let messages: Vec<Value> = lines
        .filter_map(|it| serde_json::from_slice(it).ok())
        .collect();
    let mut warnings = messages
        .iter()
        .filter_map(|it| it["message"]["rendered"].as_str())
        .peekable();
    let has_warnings = warnings.peek().is_some();
    warnings.for_each(|it| eprint!("{it}"));
    ensure!(
        output.status.success() && !has_warnings,
        "The tests were not built without a warning."
    );
    Ok(messages.iter().filter_map(program).collect())
}

/// The program of tests that cargo says it has made, if it does.
fn program(message: &Value) -> Option<Program> {
    let is_test = message["profile"]["test"].as_bool()?;
    let path = message["executable"].as_str()?.to_owned();
    let manifest = Path::new(message["manifest_path"].as_str()?);
    is_test.then_some(Program {
        folder: manifest.parent()?.to_owned(),
        name: message["target"]["name"].as_str()?.to_owned(),
        path,
    })
}
