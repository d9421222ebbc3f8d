//! Owns the order in which one area is measured, and its folder: tiles, requests, our routes and the engines' answers.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use serde::de::DeserializeOwned;

use crate::engines;

/// Measures an extract in a folder of its name below `to`.
pub fn measure(extract: &Path, to: &Path, n_starts: u32) -> Result<()> {
    let folder = to.join(name(extract)?);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let text = |path: &Path| path.to_string_lossy().into_owned();
    println!("{}: import", extract.display());
    again(&["import", &text(extract), &text(&folder)])?;
    println!("{}: native", extract.display());
    again(&["native", &text(&folder), &n_starts.to_string()])?;
    if engines::are_installed() {
        engines::ask(extract, &folder)?;
    }
    Ok(())
}

/// The folders of all areas that were measured.
pub fn folders(of: &Path) -> Result<Vec<PathBuf>> {
    let mut folders: Vec<PathBuf> = fs::read_dir(of)
        .with_context(|| format!("nothing was measured in {}", of.display()))?
        .map(|it| it.map(|it| it.path()))
        .collect::<Result<_, _>>()?;
    folders.retain(|it| it.join("native.json").exists());
    folders.sort();
    ensure!(!folders.is_empty(), "no area was measured");
    Ok(folders)
}

/// Reads a JSON file of an area's folder.
pub fn read<T: DeserializeOwned>(folder: &Path, file: &str) -> Result<T> {
    let path = folder.join(file);
    let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
    Ok(serde_json::from_slice(&bytes)?)
}

/// The same of a file with a value on each line; none if it is not there.
pub fn read_lines<T: DeserializeOwned>(folder: &Path, file: &str) -> Result<Vec<T>> {
    let path = folder.join(file);
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(path)?;
    text.lines()
        .map(|line| Ok(serde_json::from_str(line)?))
        .collect()
}

/// The extract's name without what all extracts' names end with.
pub fn name(extract: &Path) -> Result<String> {
    let file = extract.file_name().context("an extract is a file")?;
    let file = file.to_string_lossy();
    Ok(file
        .trim_end_matches(".pbf")
        .trim_end_matches(".osm")
        .to_owned())
}

/// This program in another process.
fn again(args: &[&str]) -> Result<()> {
    let status = Command::new(std::env::current_exe()?).args(args).status()?;
    ensure!(status.success(), "`routes {}` failed", args.join(" "));
    Ok(())
}
