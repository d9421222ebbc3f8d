//! Owns `cargo xtask test --changed`: the tests that are likely to notice what is not committed yet, in two minutes. What
//! they miss the fast lane finds.

use anyhow::{Context, Result, ensure};

use crate::process::{output, run, run_with};
use crate::{build, setup};

/// Tests of the server that look at every call, whatever was changed.
const EVERY_CALL: [&str; 2] = ["document::", "access::"];

/// Runs the tests of the parts that git says are changed.
pub fn run_changed() -> Result<()> {
    let paths = changed_paths()?;
    ensure!(
        !paths.is_empty(),
        "Nothing is changed since the last commit."
    );
    setup::for_build()?;
    let has = |folder: &str| paths.iter().any(|it| it.starts_with(folder));
    if has("core/") {
        test_rust(&["-p", "walkies-core"], &[])?;
    }
    let stems = stems(&paths, &["server/src/", "server/tests/api/"]);
    if !stems.is_empty() || has("migrations/") {
        test_server(&stems)?;
    }
    if has("xtask/") || paths.iter().any(|it| it.ends_with(".md")) {
        test_rust(
            &[
                "--workspace",
                "--bin",
                "xtask",
                "--test",
                "rooms",
                "--test",
                "tidy",
            ],
            &[],
        )?;
    }
    if has("pwa/") {
        build::wasm_for_tests()?;
        run("npm", &["run", "--silent", "typecheck"])?;
        run("npm", &["run", "--silent", "lint"])?;
        run("npm", &["run", "--silent", "test:unit", "--", "--changed"])?;
    }
    Ok(())
}

/// Runs the tests of the server whose names contain one of these, on SQLite; all where none does.
fn test_server(stems: &[String]) -> Result<()> {
    let selection = ["--workspace", "--test", "api"];
    let filters: Vec<&str> = stems.iter().map(String::as_str).chain(EVERY_CALL).collect();
    let args = [&filters[..], &["--skip", "on_postgres"]].concat();
    test_rust(&selection, &args)
}

/// Builds and runs tests as the other steps build them.
fn test_rust(selection: &[&str], args: &[&str]) -> Result<()> {
    let args = [&["test", "--quiet", "--locked"], selection, &["--"], args].concat();
    run_with(
        "cargo",
        &args,
        &[("RUSTC_WORKSPACE_WRAPPER", "clippy-driver")],
    )
}

/// Files that differ from the last commit, or are new.
fn changed_paths() -> Result<Vec<String>> {
    let args = ["status", "--porcelain", "--untracked-files=all"];
    let text = output("git", &args).context("git does not say what is changed.")?;
    let paths = text.lines().filter_map(|it| it.split_whitespace().last());
    Ok(paths.map(str::to_owned).collect())
}

/// Names of the Rust files below these folders, without their endings and plurals: names of tests contain them.
fn stems(paths: &[String], folders: &[&str]) -> Vec<String> {
    let below = paths
        .iter()
        .filter(|path| folders.iter().any(|it| path.starts_with(it)));
    let names = below.filter_map(|it| it.rsplit('/').next()?.strip_suffix(".rs"));
    let mut stems: Vec<String> = names
        .filter(|it| !["mod", "main", "lib"].contains(it))
        .map(|it| it.trim_end_matches('s').to_owned())
        .collect();
    stems.sort();
    stems.dedup();
    stems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_names() {
        let paths = [
            "server/src/routes/clients.rs",
            "server/src/db/mod.rs",
            "core/src/lib.rs",
        ];
        let paths = paths.map(str::to_owned);
        assert_eq!(stems(&paths, &["server/src/"]), ["client"]);
    }
}
