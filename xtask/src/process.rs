//! Runs other programs from the top of the repository: with its own tools first on the path, and shown before they run.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{self, BufRead as _, BufReader, IsTerminal as _, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

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
    let mut command = command(program, args);
    command.current_dir(folder).envs(env.iter().copied());
    let status = if io::stdout().is_terminal() {
        command.status()
    } else {
        heard(&mut command)
    };
    let status =
        status.with_context(|| format!("`{program}` could not be started; is it installed?"))?;
    if !status.success() {
        bail!("`{shown}` failed ({status}).");
    }
    Ok(())
}

/// Lines that are kept of the output of programs.
const LAST_LINES: usize = 60;

/// Last lines that programs printed, where nobody watches them.
static LAST: Mutex<VecDeque<String>> = Mutex::new(VecDeque::new());

/// Takes the end of what programs printed since it was taken before; nothing where they print on a terminal.
pub fn take_last_lines() -> Vec<String> {
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    last.drain(..).collect()
}

/// Longest wait for the rest of an output that a program left behind may keep open.
const REST: Duration = Duration::from_secs(5);

/// Runs a program, passes on what it prints and keeps the end of it.
fn heard(command: &mut Command) -> io::Result<ExitStatus> {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let (done, is_done) = mpsc::channel();
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let also_done = done.clone();
    thread::spawn(move || {
        if let Some(out) = out {
            pass_on(out, &mut io::stdout());
        }
        done.send(())
    });
    thread::spawn(move || {
        if let Some(err) = err {
            pass_on(err, &mut io::stderr());
        }
        also_done.send(())
    });
    let status = child.wait()?;
    for _ in 0..2 {
        let _ = is_done.recv_timeout(REST);
    }
    Ok(status)
}

/// Line by line, until the program has closed it; whoever does not listen any more keeps nobody from going on.
fn pass_on(from: impl Read, to: &mut impl Write) {
    let mut from = BufReader::new(from);
    let mut line = Vec::new();
    while from.read_until(b'\n', &mut line).is_ok_and(|it| it != 0) {
        let _ = to.write_all(&line);
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        if last.len() == LAST_LINES {
            last.pop_front();
        }
        last.push_back(String::from_utf8_lossy(&line).trim_end().to_owned());
        line.clear();
    }
}

/// Returns the output of a program, trimmed, or `None` when it is not there or fails.
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
