//! The rules of the repository, each a test over all of its files: what a reviewer would otherwise have to see each time.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A file of the repository.
struct File {
    path: String,
    text: String,
}

impl File {
    fn ends_with(&self, endings: &[&str]) -> bool {
        let ending = self.path.rsplit_once('.').map_or("", |(_, ending)| ending);
        endings.contains(&ending)
    }

    fn is_code(&self) -> bool {
        self.ends_with(&["rs", "ts", "tsx", "mjs"])
    }

    /// The part that is a test: all of a test's file, and in Rust the module at the end of others.
    fn tests(&self) -> &str {
        let folder = ["/tests/", "/test/", "/e2e/", "/benches/"];
        let is_test = folder.iter().any(|it| self.path.contains(it))
            || self.path.contains(".test.")
            || self.path.ends_with("/tests.rs");
        if is_test {
            return &self.text;
        }
        match self.text.find("#[cfg(test)]\nmod tests") {
            Some(start) => &self.text[start..],
            None => "",
        }
    }

    /// The part that is no test.
    fn product(&self) -> &str {
        &self.text[..self.text.len() - self.tests().len()]
    }

    /// `path:line` for each line that a rule finds fault with.
    fn lines_with(&self, wrong: impl Fn(&str) -> bool) -> Vec<String> {
        let lines = self.text.lines().enumerate();
        lines
            .filter(|(_, line)| wrong(line))
            .map(|(n, line)| format!("{}:{}: {}", self.path, n + 1, line.trim()))
            .collect()
    }
}

/// Every file that is, or is about to be, committed; pictures and the like are left out.
fn files() -> Vec<File> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let output = Command::new("git")
        // The folder may belong to another user than the tests run as, as in a container.
        .args([
            "-c",
            "safe.directory=*",
            "ls-files",
            "--cached",
            "--others",
            "--exclude-standard",
        ])
        .current_dir(&top)
        .output()
        .expect("git lists the files");
    assert!(output.status.success(), "git does not know this folder");
    let paths = String::from_utf8(output.stdout).expect("names are text");
    let paths: BTreeSet<&str> = paths.lines().collect();
    paths
        .into_iter()
        .filter_map(|path| {
            // One that was deleted but not yet committed as such cannot be read, nor can a picture.
            let text = fs::read_to_string(top.join(path)).ok()?;
            Some(File {
                path: path.to_owned(),
                text,
            })
        })
        .collect()
}

fn none(findings: impl IntoIterator<Item = String>, rule: &str) {
    let findings: Vec<String> = findings.into_iter().collect();
    assert!(findings.is_empty(), "{rule}\n{}", findings.join("\n"));
}

#[test]
fn every_source_file_opens_with_what_it_owns() {
    none(
        files()
            .into_iter()
            .filter(File::is_code)
            .filter(|file| !file.text.starts_with("//! ") && !file.text.starts_with("/**"))
            .map(|file| file.path),
        "Begin with one to three sentences in `//!` or `/** */`: what the file owns and what it must not do.",
    );
}

#[test]
fn no_line_ends_with_blanks_and_every_file_with_a_line_end() {
    none(
        files().iter().flat_map(|file| {
            let mut found = file.lines_with(|line| line.ends_with([' ', '\t', '\r']));
            if !file.text.is_empty() && !file.text.ends_with('\n') {
                found.push(format!("{}: no line end at the end", file.path));
            }
            found
        }),
        "Blanks at the ends of lines:",
    );
}

#[test]
fn nothing_is_left_for_later_or_for_debugging() {
    // In two halves, since this file is looked at too.
    let words = [
        ("TO", "DO"),
        ("FIX", "ME"),
        ("dbg", "!("),
        ("console", ".log("),
        ("debugger", ";"),
    ];
    let words = words.map(|(a, b)| [a, b].concat());
    none(
        files()
            .iter()
            .filter(|file| file.is_code() || file.ends_with(&["md", "sql", "css", "html", "toml"]))
            .flat_map(|file| file.lines_with(|line| words.iter().any(|word| line.contains(word)))),
        "Do it now, or assert in a test how it is at present:",
    );
}

/// Openings that stand for a noun: what a thing is comes first, by its name.
const PRONOUNS: [&str; 5] = ["What", "Of", "Which", "Where", "Whether"];

#[test]
fn doc_comments_begin_with_their_subject_and_say_something() {
    let files = files();
    let code = files.iter().filter(|it| it.is_code());
    let found = code.flat_map(|file| {
        let unclear = doc_comments(file).into_iter().filter(|text| {
            let words: Vec<&str> = text.split_whitespace().collect();
            let begins = words.first().is_some_and(|it| PRONOUNS.contains(it));
            begins || (1..3).contains(&words.len())
        });
        unclear
            .map(|it| format!("{}: {it}", file.path))
            .collect::<Vec<_>>()
    });
    none(
        found,
        "Doc comments begin with a noun or a verb, and have three words or more.",
    );
}

/// The doc comments of a file, each as one line.
fn doc_comments(file: &File) -> Vec<String> {
    if file.ends_with(&["rs"]) {
        let mut comments = Vec::new();
        let mut open: Option<String> = None;
        for line in file.text.lines().map(str::trim) {
            let text = line
                .strip_prefix("///")
                .or_else(|| line.strip_prefix("//!"));
            match (text, &mut open) {
                (Some(text), Some(comment)) => comment.push_str(text),
                (Some(text), None) => open = Some(text.to_owned()),
                (None, _) => comments.extend(open.take()),
            }
        }
        comments.extend(open);
        return comments;
    }
    let begun = file.text.split("/**").skip(1);
    let texts = begun.filter_map(|it| it.split_once("*/"));
    texts
        .map(|(text, _)| {
            text.lines()
                .map(|it| it.trim().trim_start_matches('*'))
                .collect()
        })
        .collect()
}

#[test]
fn every_test_runs() {
    let in_rust = [("#[ign", "ore"), ("should_", "panic")].map(|(a, b)| [a, b].concat());
    let in_typescript =
        [".skip(", ".only(", ".todo(", ".fixme("].map(|it| it.replace('.', "\u{1}."));
    let names = ["it", "test", "describe", "suite"];
    let in_typescript: Vec<String> = names
        .iter()
        .flat_map(|name| {
            in_typescript
                .iter()
                .map(move |it| it.replace('\u{1}', name))
        })
        .collect();
    none(
        files()
            .iter()
            .filter(|file| file.is_code())
            .flat_map(|file| {
                let words = if file.ends_with(&["rs"]) {
                    &in_rust[..]
                } else {
                    &in_typescript[..]
                };
                // What needs the recorded walks says so where they are not; with `CI` set it fails instead.
                file.lines_with(|line| {
                    !line.contains("(left_out !== undefined, left_out)")
                        && words.iter().any(|word| line.contains(word))
                })
            }),
        "Tests that do not run, or keep others from running:",
    );
}

#[test]
fn no_test_sleeps() {
    let words = [
        ("waitFor", "Timeout"),
        ("thread::", "sleep"),
        ("time::", "sleep"),
        ("resolve, ms)", ";"),
    ];
    let words = words.map(|(a, b)| [a, b].concat());
    none(
        files()
            .iter()
            .filter(|file| file.is_code())
            .flat_map(|file| {
                let tests = file.tests();
                words
                    .iter()
                    .filter(|word| tests.contains(*word))
                    .map(|word| format!("{}: {word}", file.path))
            }),
        "Wait for what is expected, or inject the clock:",
    );
}

#[test]
fn no_file_says_where_it_was_written() {
    let places = ["work", "root", "home"].map(|it| format!("/{it}/"));
    none(
        files().iter().flat_map(|file| {
            file.lines_with(|line| places.iter().any(|place| line.contains(place)))
        }),
        "Paths of one machine:",
    );
}

#[test]
fn file_names_say_what_a_file_owns() {
    let empty = [
        "util", "utils", "helper", "helpers", "common", "manager", "misc", "shared",
    ];
    none(
        files().into_iter().map(|file| file.path).filter(|path| {
            Path::new(path).iter().any(|part| {
                let part = part.to_string_lossy().to_lowercase();
                empty.contains(&part.split('.').next().unwrap_or_default())
            })
        }),
        "Names that say nothing:",
    );
}

#[test]
fn a_text_of_core_stands_in_core_alone() {
    let files = files();
    let product_of =
        |folder: &'static str| files.iter().filter(move |it| it.path.starts_with(folder));
    let sentences: BTreeSet<String> = product_of("core/src/")
        .flat_map(|file| rust_literals(file.product()))
        .flat_map(|literal| {
            // Between its placeholders, a text stands as it is in other languages too.
            literal
                .split(['{', '}'])
                .map(str::to_owned)
                .collect::<Vec<_>>()
        })
        .filter(|it| {
            20 <= it.len()
                && it.starts_with(|first: char| first.is_ascii_uppercase())
                && 2 <= it.matches(' ').count()
                // The type of a binding for TypeScript is no sentence.
                && !it.contains(['|', '<'])
        })
        .collect();
    let outside = product_of("server/src/").chain(product_of("pwa/src/"));
    none(
        outside.filter(|file| file.is_code()).flat_map(|file| {
            let text = without_comments(file.product());
            sentences
                .iter()
                .filter(|sentence| text.contains(sentence.as_str()))
                .map(|sentence| format!("{}: {sentence}", file.path))
                .collect::<Vec<_>>()
        }),
        "Texts that `core` owns; take them from there:",
    );
}

#[test]
fn every_invariant_has_a_test_that_repeats_it() {
    let files = files();
    let names: Vec<String> = files
        .iter()
        .flat_map(|file| file.tests().lines().map(words_of).collect::<Vec<_>>())
        .collect();
    // In two halves, since this file is looked at too.
    let marker = ["INVARI", "ANT: "].concat();
    none(
        files
            .iter()
            .filter(|file| file.is_code() || file.ends_with(&["sql"]))
            .flat_map(|file| {
                file.lines_with(|line| {
                    line.split_once(&marker).is_some_and(|(_, invariant)| {
                        let invariant = words_of(invariant.split('.').next().unwrap_or_default());
                        !names.iter().any(|name| name.contains(&invariant))
                    })
                })
            }),
        "Give each a test whose name repeats its first line up to the full stop:",
    );
}

#[test]
fn every_version_is_exact() {
    none(
        files()
            .iter()
            .flat_map(|file| match file.path.rsplit('/').next() {
                Some("Cargo.toml") => file.lines_with(|line| {
                    let version = line
                        .split_once("version = \"")
                        .filter(|(before, _)| before.contains('{'))
                        .or_else(|| {
                            line.split_once(" = \"")
                                .filter(|(_, it)| it.starts_with(['^', '~', '*']))
                        });
                    version.is_some_and(|(_, version)| !version.starts_with('='))
                }),
                Some("package.json") => file.lines_with(|line| {
                    let value = line.split_once("\": \"").map_or("", |(_, value)| value);
                    value.starts_with(['^', '~', '*', '>', '<']) && !line.contains("\"node\"")
                }),
                _ => Vec::new(),
            }),
        "Versions that move by themselves:",
    );
}

#[test]
fn cargo_dependencies_without_a_table_are_exact_too() {
    none(
        files()
            .iter()
            .filter(|it| it.path.ends_with("Cargo.toml"))
            .flat_map(|file| {
                let mut section = String::new();
                let mut found = Vec::new();
                for line in file.text.lines() {
                    if line.starts_with('[') {
                        section = line.to_owned();
                    } else if section.contains("dependencies")
                        && line
                            .split_once(" = \"")
                            .is_some_and(|(_, version)| !version.starts_with('='))
                        && !line.contains('{')
                    {
                        found.push(format!("{}: {line}", file.path));
                    }
                }
                found
            }),
        "Versions that move by themselves:",
    );
}

#[test]
fn the_npm_lock_file_fits_what_is_asked_for() {
    let read = |name: &str| -> serde_json::Value {
        let file = files().into_iter().find(|it| it.path == name).expect(name);
        serde_json::from_str(&file.text).expect("JSON")
    };
    let (asked, locked) = (read("package.json"), read("package-lock.json"));
    for kind in ["dependencies", "devDependencies"] {
        assert_eq!(
            asked[kind], locked["packages"][""][kind],
            "run `npm install`, and commit package-lock.json"
        );
    }
}

#[test]
fn the_map_of_the_repository_names_every_folder_at_its_top() {
    let files = files();
    let map = &files
        .iter()
        .find(|it| it.path == "ARCHITECTURE.md")
        .expect("ARCHITECTURE.md")
        .text;
    let folders: BTreeSet<&str> = files
        .iter()
        .filter_map(|file| file.path.split_once('/').map(|(folder, _)| folder))
        .filter(|folder| !folder.starts_with('.'))
        .collect();
    none(
        folders
            .into_iter()
            .filter(|it| !map.contains(&format!("`{it}/")))
            .map(str::to_owned),
        "Folders that ARCHITECTURE.md does not name:",
    );
}

/// Lower-case words with `_` between them, as in the name of a test.
fn words_of(text: &str) -> String {
    let words: Vec<String> = text
        .split(|it: char| !it.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join("_")
}

/// A source without the lines that are comments; enough for texts that stand in a comment to explain the code.
fn without_comments(source: &str) -> String {
    let is_code = |line: &&str| {
        let line = line.trim_start();
        !line.starts_with("//") && !line.starts_with('*') && !line.starts_with("/*")
    };
    source
        .lines()
        .filter(is_code)
        .collect::<Vec<_>>()
        .join("\n")
}

/// The string literals of a Rust source, as they are written between their quotes.
fn rust_literals(source: &str) -> Vec<String> {
    let source = without_comments(source);
    let mut found = Vec::new();
    let mut rest = source.as_str();
    while let Some(start) = rest.find(['"', '\'']) {
        let (quote, after) = (&rest[start..=start], &rest[start + 1..]);
        if quote == "'" {
            // A character, which may be a quote, or a lifetime.
            let character = after.chars().next().map_or(0, char::len_utf8);
            let escaped = after.starts_with('\\') && after[1..].starts_with(['\'', '"', '\\']);
            let length = if escaped { 2 } else { character };
            rest = after.get(length..).unwrap_or_default();
            rest = rest.strip_prefix('\'').unwrap_or(rest);
            continue;
        }
        let mut escaped = false;
        let end = after.find(|it| {
            let is_end = it == '"' && !escaped;
            escaped = it == '\\' && !escaped;
            is_end
        });
        let Some(end) = end else { break };
        found.push(after[..end].to_owned());
        rest = &after[end + 1..];
    }
    found
}

#[test]
fn the_literals_of_a_source_are_found_as_they_are_written() {
    let source = "fn f<'a>(x: &'a str) { g(\"one\", '\"', '\\'', \"t\\\"wo\"); } // \"three\"\n    // \"four\"\n";
    assert_eq!(rust_literals(source), ["one", "t\\\"wo", "three"]);
}
