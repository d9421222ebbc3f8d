//! Owns `cargo xtask test --changed`: the tests that are likely to notice what is not committed yet, in minutes. What they
//! miss the fast lane finds.

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
    if has("server/") || has("migrations/") {
        test_server(&stems(&paths))?;
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
        build::fast_wasm()?;
        run("npm", &["run", "--silent", "typecheck"])?;
        run("npm", &["run", "--silent", "lint"])?;
        run("npm", &["run", "--silent", "test:unit", "--", "--changed"])?;
    }
    Ok(())
}

/// Runs the units and API tests of the server whose names contain one of these, and those that look at every call; all
/// where nothing is named. On SQLite.
fn test_server(stems: &[String]) -> Result<()> {
    let names = stems.iter().map(String::as_str).chain(EVERY_CALL);
    let filters: Vec<&str> = names.filter(|_| !stems.is_empty()).collect();
    let args = [&filters[..], &["--skip", "on_postgres"]].concat();
    test_rust(&["--workspace", "--lib", "--test", "api"], &args)
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

/// Names of the changed Rust files of the server without their endings and plurals: names of tests contain them. A file
/// `mod.rs` goes by its folder. A migration concerns the tests of the database.
fn stems(paths: &[String]) -> Vec<String> {
    let named = paths.iter().filter_map(|path| {
        if path.starts_with("migrations/") {
            return Some("database");
        }
        let path = path.strip_prefix("server/")?.strip_suffix(".rs")?;
        path.rsplit('/').find(|it| *it != "mod")
    });
    let mut stems: Vec<String> = named
        .filter(|it| !["main", "lib", "src", "support"].contains(it))
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
            "server/src/api/clients.rs",
            "server/src/archive/mod.rs",
            "server/src/lib.rs",
            "migrations/0060.sql",
            "core/src/lib.rs",
        ];
        let paths = paths.map(str::to_owned);
        assert_eq!(stems(&paths), ["archive", "client", "database"]);
    }
}
