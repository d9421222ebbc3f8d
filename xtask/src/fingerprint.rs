//! Decides what is up to date by the contents of files, not by their times: a checkout or a branch switch changes times alone.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::Hasher;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::process::timed;

/// Folders below an input that are made by a build or a test run.
const MADE: [&str; 4] = ["node_modules", "dist", "pkg", "test-results"];

/// Does `work` unless its inputs and its outputs are as they were after the last time.
pub fn unless_fresh(
    what: &str,
    inputs: &[&str],
    output: &str,
    work: impl FnOnce() -> Result<()>,
) -> Result<()> {
    let stamp = Path::new("target/stamps").join(what.replace(' ', "-"));
    let inputs = of(inputs)?;
    let wanted = format!("{inputs:016x} {:016x}", of(&[output])?);
    if fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        println!("{what}: up to date");
        return Ok(());
    }
    timed(what, || {
        work()?;
        ensure!(
            Path::new(output).exists(),
            "the build of {what} left no `{output}`."
        );
        fs::create_dir_all("target/stamps")?;
        fs::write(&stamp, format!("{inputs:016x} {:016x}", of(&[output])?))?;
        Ok(())
    })
}

/// One number for the names and contents of files and folders; what is not there counts as such.
pub fn of(paths: &[&str]) -> Result<u64> {
    let mut hasher = DefaultHasher::new();
    for path in paths {
        add(&mut hasher, Path::new(path))?;
    }
    Ok(hasher.finish())
}

fn add(hasher: &mut DefaultHasher, path: &Path) -> Result<()> {
    hasher.write(path.as_os_str().as_encoded_bytes());
    if path.is_dir() {
        let mut entries = fs::read_dir(path)?
            .map(|entry| Ok(entry?.path()))
            .collect::<Result<Vec<_>>>()?;
        entries.sort();
        for entry in entries {
            let made = entry
                .file_name()
                .is_some_and(|name| MADE.iter().any(|it| name == *it));
            if !made {
                add(hasher, &entry)?;
            }
        }
    } else if path.exists() {
        let bytes = fs::read(path).with_context(|| format!("{} is unreadable", path.display()))?;
        hasher.write_usize(bytes.len());
        hasher.write(&bytes);
    } else {
        hasher.write(b"absent");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_count_and_what_a_build_made_does_not() {
        let folder = std::env::temp_dir().join(format!("fingerprint-{}", std::process::id()));
        let text = folder.to_string_lossy().into_owned();
        let print = || of(&[&text]).expect("a readable folder");
        let absent = print();
        fs::create_dir_all(folder.join("dist")).expect("a folder");
        fs::write(folder.join("a.rs"), "one").expect("a file");
        let one = print();
        fs::write(folder.join("dist/a.js"), "made").expect("a file");
        assert_eq!(one, print());
        fs::write(folder.join("a.rs"), "two").expect("a file");
        assert_ne!(one, print());
        assert_ne!(one, absent);
        fs::remove_dir_all(&folder).expect("the folder goes");
    }
}
