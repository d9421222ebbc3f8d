//! Measures walking routes: imports extracts as an operator would, finds loops on their tiles, and asks Valhalla and OSRM
//! the same. `cargo xtask bench routes` runs its commands one after the other and the browser in between.

mod area;
mod engines;
mod figures;
mod floor;
mod import;
mod measure;
mod native;
mod network;
mod report;
mod room;
mod stats;
mod under;
mod wasm;
mod wishes;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};

const USAGE: &str = "Run by `cargo xtask bench routes`.";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args
        .iter()
        .map(String::as_str)
        .filter(|it| *it != "--bench")
        .collect();
    match run(&args) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("routes: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs one command; true if every figure holds.
fn run(args: &[&str]) -> Result<bool> {
    // Cargo starts it in its package; all paths are relative to the top of the repository.
    std::env::set_current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))?;
    match args {
        // Test runners ask every target for its tests.
        ["--list", ..] => {}
        ["measure", to, n_starts, extracts @ ..] => {
            let n_starts = n_starts.parse().context("the number of starts")?;
            for extract in extracts {
                area::measure(Path::new(extract), Path::new(to), n_starts)?;
            }
        }
        // Each in a process of its own, whose memory is theirs alone.
        ["import", extract, to] => import::run(Path::new(extract), Path::new(to))?,
        ["native", folder, n_starts] => native::run(Path::new(folder), n_starts.parse()?)?,
        ["record", extract, to] => engines::record(Path::new(extract), Path::new(to))?,
        ["report", from, document] => {
            let areas: Vec<PathBuf> = area::folders(Path::new(from))?;
            return report::write(&areas, Path::new(document));
        }
        _ => bail!(USAGE),
    }
    Ok(true)
}
