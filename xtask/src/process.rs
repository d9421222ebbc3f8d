//! Runs other programs from the top of the repository: with its own tools first on the path, and shown before they run.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};

/// A program with the repository's tools on its path and without what `cargo run` sets for this process alone.
pub fn command(program: &str, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(args).env("PATH", path());
    // Build scripts (ring's among them) watch these; left in, every crate that watches them would be
    // built anew whenever cargo is called directly after `cargo xtask`, and the other way round.
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if [
            "CARGO_PKG_",
            "CARGO_MANIFEST_",
            "CARGO_BIN_",
            "CARGO_CRATE_",
        ]
        .iter()
        .any(|prefix| text.starts_with(prefix))
            || text == "CARGO_PRIMARY_PACKAGE"
            || text == "OUT_DIR"
        {
            command.env_remove(name);
        }
    }
    command
}

/// Shows a command, runs it, and fails when it does.
pub fn run(program: &str, args: &[&str]) -> Result<()> {
    run_with(program, args, &[])
}

/// Like [`run`], with further environment variables.
pub fn run_with(program: &str, args: &[&str], env: &[(&str, &str)]) -> Result<()> {
    run_in(Path::new("."), program, args, env)
}

/// Like [`run_with`], in a folder.
pub fn run_in(folder: &Path, program: &str, args: &[&str], env: &[(&str, &str)]) -> Result<()> {
    let shown = format!("{program} {}", args.join(" "));
    println!("  $ {shown}");
    let status = command(program, args)
        .current_dir(folder)
        .envs(env.iter().copied())
        .status()
        .with_context(|| format!("`{program}` could not be started; is it installed?"))?;
    if !status.success() {
        bail!("`{shown}` failed ({status}).");
    }
    Ok(())
}

/// What a program prints, or `None` when it is not there or fails.
pub fn output(program: &str, args: &[&str]) -> Option<String> {
    let output = command(program, args)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Says what begins, does it, and says how long it took.
pub fn timed(what: &str, work: impl FnOnce() -> Result<()>) -> Result<()> {
    println!("{what} …");
    let start = Instant::now();
    work()?;
    println!("{what}: done in {:.1} s", start.elapsed().as_secs_f32());
    Ok(())
}

fn path() -> OsString {
    let mut folders: Vec<PathBuf> = Vec::new();
    if let Ok(top) = std::env::current_dir() {
        folders.push(top.join("target/tools/bin"));
        folders.push(top.join("node_modules/.bin"));
    }
    let inherited = std::env::var_os("PATH").unwrap_or_default();
    folders.extend(std::env::split_paths(&inherited));
    std::env::join_paths(folders).unwrap_or(inherited)
}
