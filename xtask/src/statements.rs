//! Owns the question whether the fast lane runs every statement of `server/src/db` on PostgreSQL: most stories run there in
//! full alone, and a statement that PostgreSQL refuses must not wait until then.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

/// Folder of every statement that the server has.
const FOLDER: &str = "server/src/db";

/// First words of a statement.
const VERBS: [&str; 5] = ["SELECT ", "INSERT ", "UPDATE ", "DELETE ", "WITH "];

/// End of the names of constants that PostgreSQL has no use for.
const SQLITE_ONLY: &str = "_ON_SQLITE";

/// Fails with the constants of `server/src/db` whose statements are not among those that ran.
pub fn all_ran(ran: &BTreeSet<String>) -> Result<()> {
    let mut missing = Vec::new();
    let mut count = 0;
    let mut folders = vec![PathBuf::from(FOLDER)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            for (name, statement) in constants(&fs::read_to_string(&path)?) {
                count += 1;
                // A part of a statement has the rest after it.
                let has_run = || {
                    ran.range(statement.clone()..)
                        .next()
                        .is_some_and(|it| it.starts_with(&statement))
                };
                if !name.ends_with(SQLITE_ONLY) && !has_run() {
                    missing.push(format!("{}: {name}", path.display()));
                }
            }
        }
    }
    ensure!(200 < count, "{FOLDER} has only {count} statements.");
    missing.sort();
    ensure!(
        missing.is_empty(),
        "No test of the fast lane runs these statements on PostgreSQL; mark a story that does with `#[always]`:\n  {}",
        missing.join("\n  ")
    );
    println!("All {count} statements of {FOLDER} ran on PostgreSQL.");
    Ok(())
}

/// Reads the statements that ran from the log of a PostgreSQL that logs all of them.
pub fn of_log(log: &Path) -> Result<BTreeSet<String>> {
    let bytes = fs::read(log).with_context(|| format!("{} is missing.", log.display()))?;
    let text = String::from_utf8_lossy(&bytes);
    let statements = text.lines().filter_map(|line| {
        let (_, entry) = line.split_once("LOG:  ")?;
        let (kind, statement) = entry.split_once(": ")?;
        let is_statement = kind == "statement" || kind.starts_with("execute ");
        is_statement.then(|| statement.trim().to_owned())
    });
    Ok(statements.collect())
}

/// Returns name and text of each constant that is a statement.
fn constants(source: &str) -> Vec<(String, String)> {
    let product = source
        .split("#[cfg(test)]\nmod tests")
        .next()
        .unwrap_or_default();
    let begun = product.split("const ").skip(1);
    let found = begun.filter_map(|rest| {
        let (name, rest) = rest.split_once(": &str =")?;
        let (literal, _) = rest.trim_start().strip_prefix('"')?.split_once("\";")?;
        // The log has a line for each line of a statement: the first one names it.
        let literal = literal.split("\\n").next().unwrap_or_default();
        let lines = literal.split("\\\n").map(str::trim_start);
        let statement = lines
            .collect::<String>()
            .replace("\\\"", "\"")
            .trim()
            .to_owned();
        let is_statement = VERBS.iter().any(|it| statement.starts_with(it));
        is_statement.then(|| (name.to_owned(), statement))
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_over_two_lines_is_one_text() {
        let source = "const A: &str =\n    \"SELECT a \\\n     FROM b\";\npub const B: &str = \"no statement\";\n\
            pub(super) const C: &str = \"DELETE FROM c\";";
        let expected = [("A", "SELECT a FROM b"), ("C", "DELETE FROM c")];
        assert_eq!(
            constants(source),
            expected.map(|(name, text)| (name.to_owned(), text.to_owned()))
        );
    }
}
