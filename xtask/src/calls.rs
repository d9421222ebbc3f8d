//! Owns the question whether the stories in the browser make every call that the API's document describes.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::process::output;
use crate::programs;

/// The calls that stories have made and the server has not refused: what the tests' servers wrote down.
pub struct Calls {
    /// A line for each: its method and its route.
    file: PathBuf,
}

impl Calls {
    /// The name of the variable that tells the tests where to write.
    pub const ENV: &str = "WALKIES_CALLS";

    /// Begins with none.
    pub fn begin() -> Result<Self> {
        let file = Path::new("target/calls").to_owned();
        fs::write(&file, "")?;
        let file = file.canonicalize()?;
        Ok(Self { file })
    }

    /// Returns the path of the file to which the tests write them.
    pub fn path(&self) -> Result<&str> {
        self.file.to_str().context("a path that is no text")
    }

    /// Fails with the calls of the document that are not among them.
    pub fn are_all(&self) -> Result<()> {
        let text = fs::read_to_string(&self.file)?;
        let made: BTreeSet<String> = text.lines().map(unnamed).collect();
        let document = output(programs::SERVER, &["openapi"]).context("There is no document.")?;
        let document: Value = serde_json::from_str(&document)?;
        let missing: Vec<String> = described(&document)
            .filter(|it| !made.contains(&unnamed(it)))
            .collect();
        ensure!(
            missing.is_empty(),
            "No story in the browser makes these calls:\n  {}",
            missing.join("\n  ")
        );
        Ok(())
    }
}

/// Every operation of a document, as `GET /api/clients/{id}`.
fn described(document: &Value) -> impl Iterator<Item = String> {
    let paths = document["paths"].as_object().into_iter().flatten();
    paths.flat_map(|(path, operations)| {
        let methods = operations.as_object().into_iter().flatten();
        methods
            .filter(|(_, operation)| operation.get("responses").is_some())
            .map(move |(method, _)| format!("{} {path}", method.to_uppercase()))
    })
}

/// A call without the names of its path's places, which the router and the document may call differently.
fn unnamed(call: &str) -> String {
    let mut parts = call.split('{');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        let rest = part.split_once('}').map_or("", |(_, rest)| rest);
        text + "{}" + rest
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_may_have_any_name() {
        let call = "PATCH /api/videos/{id}/parts/{part}";
        assert_eq!(unnamed(call), "PATCH /api/videos/{}/parts/{}");
    }

    #[test]
    fn every_method_of_a_path_is_a_call() {
        let document = serde_json::json!({ "paths": { "/api/a": {
            "get": { "responses": {} }, "delete": { "responses": {} }, "parameters": [],
        } } });
        let calls: Vec<String> = described(&document).collect();
        assert_eq!(calls, ["DELETE /api/a", "GET /api/a"]);
    }
}
