//! The rules of the repository, each a test over all of its files: what a reviewer would otherwise have to see each time.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
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

/// The paths of every file that is, or is about to be, committed.
fn paths() -> BTreeSet<String> {
    let top = top();
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
    // A file that was deleted but not yet committed as such is still listed.
    let there = paths.lines().filter(|path| top.join(path).exists());
    there.map(str::to_owned).collect()
}

/// The top of the repository.
fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Every file that is, or is about to be, committed; pictures and the like are left out.
fn files() -> Vec<File> {
    let top = top();
    let read = |path: String| {
        let text = fs::read_to_string(top.join(&path)).ok()?;
        Some(File { path, text })
    };
    paths().into_iter().filter_map(read).collect()
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
            // An example in backticks says all there is to say of a text.
            let is_example = text.trim().starts_with('`');
            begins || (!is_example && (1..3).contains(&words.len()))
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
fn crates_come_from_one_registry_and_none_brings_openssl() {
    let lock = files().into_iter().find(|it| it.path == "Cargo.lock");
    let wrong = |line: &str| {
        let is_elsewhere = line.starts_with("source = ") && !line.contains(CRATES);
        let is_tls = ["openssl-sys", "native-tls"]
            .iter()
            .any(|it| line == format!("name = \"{it}\""));
        is_elsewhere || is_tls
    };
    none(
        lock.expect("it is committed").lines_with(wrong),
        "Crates of another registry, or with the system's TLS; deny.toml says why not:",
    );
}

/// Registry of every crate that is not in the repository itself.
const CRATES: &str = "registry+https://github.com/rust-lang/crates.io-index";

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

#[test]
fn architecture_md_stays_short() {
    let text = text_of("ARCHITECTURE.md");
    assert!(
        text.len() <= ARCHITECTURE_BYTES,
        "ARCHITECTURE.md has {} bytes and may have {ARCHITECTURE_BYTES}: move examples to docs/walkthroughs, reasons to docs/decisions",
        text.len()
    );
}

/// Largest size of ARCHITECTURE.md, which people read before their first change.
const ARCHITECTURE_BYTES: usize = 15_000;

#[test]
fn architecture_md_names_every_room_of_server_and_app() {
    let text = text_of("ARCHITECTURE.md");
    let rooms = |folder: &str| -> BTreeSet<String> {
        let paths = paths();
        let below = paths.iter().filter_map(|path| path.strip_prefix(folder));
        let names = below.filter_map(|path| path.split_once('/').map(|it| it.0));
        names.map(str::to_owned).collect()
    };
    let check = |heading: &str, names: BTreeSet<String>| {
        let section = section(&text, heading);
        let missing = names
            .into_iter()
            .filter(|name| !section.contains(&format!("`{name}`")));
        none(
            missing,
            &format!("Rooms that ARCHITECTURE.md does not name under `{heading}`:"),
        );
    };
    check("### The rooms of the server", rooms("server/src/"));
    for folder in ["pwa/src/", "pwa/src/data/", "pwa/src/features/"] {
        check("### The rooms of the PWA", rooms(folder));
    }
    let known = rooms("server/src/");
    let rows = section(&text, "### The rooms of the server");
    let rows = rows.lines().filter(|line| line.starts_with("| `"));
    let named = rows.flat_map(|row| spans(row.split('|').nth(1).unwrap_or_default()));
    // The rooms test knows of modules below these.
    let named = named.map(|name| name.split_once("::").map_or(name, |it| it.0));
    none(
        named
            .filter(|name| !known.contains(*name))
            .map(str::to_owned),
        "Folders that ARCHITECTURE.md names and server/src has not:",
    );
}

#[test]
fn every_relative_link_in_a_document_leads_somewhere() {
    let (paths, files) = (paths(), files());
    none(
        documents(&files).flat_map(|file| {
            let faults = links(&file.text).filter(|link| {
                let (target, anchor) = link.split_once('#').unwrap_or((*link, ""));
                let path = match target {
                    "" => file.path.clone(),
                    target => from_folder_of(&file.path, target),
                };
                let has_anchor = || {
                    let document = files.iter().find(|it| it.path == path);
                    document.is_some_and(|it| anchors(&it.text).contains(anchor))
                };
                !is_there(&paths, &path) || (!anchor.is_empty() && !has_anchor())
            });
            let told = faults.map(|link| format!("{}: {link}", file.path));
            told.collect::<Vec<_>>()
        }),
        "Links to nothing:",
    );
}

#[test]
fn every_document_is_linked_from_another_one() {
    let files = files();
    let linked: BTreeSet<String> = documents(&files)
        .flat_map(|file| {
            let targets = links(&file.text).map(|link| link.split('#').next().unwrap_or_default());
            let others = targets.map(|it| from_folder_of(&file.path, it));
            others.filter(|it| *it != file.path).collect::<Vec<_>>()
        })
        .collect();
    none(
        documents(&files)
            .map(|file| file.path.clone())
            .filter(|path| path.starts_with("docs/") && !linked.contains(path)),
        "Documents that nobody finds:",
    );
}

#[test]
fn every_path_in_a_document_exists() {
    let (paths, files) = (paths(), files());
    let tops: BTreeSet<&str> = paths
        .iter()
        .filter_map(|path| path.split_once('/').map(|(folder, _)| folder))
        .collect();
    // Made by a build, and so in no list.
    let ignored = text_of(".gitignore");
    let is_ignored = |path: &str| {
        ignored
            .lines()
            .any(|it| path.starts_with(it.trim_start_matches('/')))
    };
    let is_path = |span: &str| {
        let is_plain = |it: char| it.is_ascii_alphanumeric() || "._/-".contains(it);
        let endings = ["rs", "ts", "tsx", "mjs", "css", "html", "sql", "md", "py"];
        let has_ending = |it: &str| {
            it.rsplit_once('.')
                .is_some_and(|(_, ending)| endings.contains(&ending))
        };
        span.chars().all(is_plain)
            && span
                .split_once('/')
                .is_some_and(|(first, _)| tops.contains(first) || has_ending(span))
    };
    none(
        documents(&files).flat_map(|file| {
            let text = prose(&file.text);
            let named = text.lines().flat_map(spans).filter(|span| is_path(span));
            let missing = named.filter(|span| {
                // As seen from the folder of the document, or from one above it.
                let is_in = |folder: &str| is_there(&paths, &format!("{folder}{span}"));
                let mut ends = file.path.match_indices('/');
                !is_in("") && !ends.any(|(end, _)| is_in(&file.path[..=end])) && !is_ignored(span)
            });
            let told = missing.map(|span| format!("{}: {span}", file.path));
            told.collect::<Vec<_>>()
        }),
        "Paths of no file:",
    );
}

#[test]
fn docs_tests_md_names_every_step_with_its_lane() {
    let checks = text_of("xtask/src/checks.rs");
    let (_, list) = checks.split_once("pub const ALL").expect("the steps");
    let list = list.split("\n];").next().unwrap_or_default();
    let steps: BTreeSet<(String, String)> = list
        .split("Check {")
        .skip(1)
        .map(|step| {
            let lane = match step.contains("Lane::Full") {
                true => "full",
                false => "fast",
            };
            let name = step.split('"').nth(1).unwrap_or_default();
            (name.to_owned(), lane.to_owned())
        })
        .collect();
    let document = text_of("docs/tests.md");
    let table = section(&document, "## Steps");
    let rows = table.lines().filter(|line| line.starts_with("| `"));
    let told: BTreeSet<(String, String)> = rows
        .map(|row| {
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            (cells[1].trim_matches('`').to_owned(), cells[2].to_owned())
        })
        .collect();
    assert_eq!(
        steps, told,
        "docs/tests.md lists other steps than xtask has"
    );
    for name in ["FAST_SEEDS", "FULL_SEEDS"] {
        let number = checks
            .split_once(&format!("const {name}: &str = \""))
            .and_then(|(_, rest)| rest.split('"').next())
            .expect(name);
        let number = with_thousands(number);
        assert!(table.contains(&number), "docs/tests.md: {name} is {number}");
    }
}

#[test]
fn every_command_in_a_document_is_one_of_xtask() {
    let files = files();
    let (main, checks) = (text_of("xtask/src/main.rs"), text_of("xtask/src/checks.rs"));
    let (_, usage) = main.split_once("const USAGE").expect("the usage");
    let usage = usage.split("\";").next().unwrap_or_default();
    let first_word = |line: &str| line.split([' ', '-']).next().unwrap_or_default().to_owned();
    let mut known: BTreeSet<String> = usage
        .lines()
        .filter_map(|line| line.strip_prefix("  ").map(first_word))
        .collect();
    known.insert("help".to_owned());
    let names = checks.split("name: \"").skip(1);
    known.extend(names.filter_map(|rest| rest.split('"').next().map(str::to_owned)));
    none(
        documents(&files).flat_map(|file| {
            let calls = file.text.split("cargo xtask ").skip(1);
            let names = calls.map(|rest| {
                let end = rest.find(|it: char| !it.is_ascii_lowercase());
                &rest[..end.unwrap_or(rest.len())]
            });
            let unknown = names.filter(|name| !name.is_empty() && !known.contains(*name));
            let told = unknown.map(|name| format!("{}: cargo xtask {name}", file.path));
            told.collect::<Vec<_>>()
        }),
        "Commands that xtask has not:",
    );
}

#[test]
fn docs_operations_md_names_every_setting_and_metric() {
    let document = text_of("docs/operations.md");
    let quoted = |text: &str, before: &str| -> BTreeSet<String> {
        let rest = text.split(before).skip(1);
        rest.filter_map(|it| it.split('"').next().map(str::to_owned))
            .collect()
    };
    let config = text_of("server/src/cli/config.rs");
    let config = config.split("#[cfg(test)]").next().unwrap_or_default();
    let settings = quoted(config, "env = \"");
    let metrics = quoted(&text_of("server/src/base/metrics.rs"), ": &str = \"");
    let metrics = metrics.into_iter().filter(|it| it.contains('_'));
    none(
        settings
            .iter()
            .cloned()
            .chain(metrics)
            .filter(|name| !document.contains(&format!("`{name}`"))),
        "Settings and metrics that docs/operations.md does not name:",
    );
    let named = document
        .split(|it: char| !it.is_ascii_uppercase() && it != '_')
        .filter(|word| word.starts_with("WALKIES_"));
    none(
        named
            .filter(|word| !settings.iter().any(|it| it.starts_with(*word)))
            .map(str::to_owned),
        "Settings that the server has not:",
    );
}

#[test]
fn docs_api_md_names_every_failure_and_the_schema() {
    let document = text_of("docs/api.md");
    let error = text_of("server/src/base/error.rs");
    let after_status = error.split("StatusCode::").skip(1);
    let codes = after_status.filter_map(|rest| {
        let (before, rest) = rest.split_once('"')?;
        let is_pair = |it: char| it.is_ascii_uppercase() || "_, \n".contains(it);
        before
            .chars()
            .all(is_pair)
            .then(|| rest.split('"').next())?
    });
    none(
        codes
            .filter(|code| !document.contains(&format!("`{code}`")))
            .map(str::to_owned),
        "Codes of failures that docs/api.md does not name:",
    );
    let wire = text_of("core/src/sync/wire.rs");
    let schema = wire
        .split_once("pub const SCHEMA: u32 = ")
        .and_then(|(_, rest)| rest.split(';').next())
        .expect("the schema");
    for sample in [
        format!("\"schema\": {schema},"),
        format!("&schema={schema}&"),
        format!("{schema} today"),
    ] {
        assert!(
            document.contains(&sample),
            "docs/api.md lacks {sample}: the schema is {schema}"
        );
    }
}

#[test]
fn docs_simulation_md_names_every_command_and_planted_bug() {
    let document = text_of("docs/simulation.md");
    // The names of a list that a macro makes an enum of.
    let names = |path: &str, list: &str| -> Vec<String> {
        let text = text_of(path);
        let (_, below) = text.split_once(&format!("\n{list}! {{\n")).expect(list);
        let lines = below.lines().take_while(|line| !line.starts_with('}'));
        let lines = lines.filter(|line| !line.trim_start().starts_with("//"));
        lines
            .filter_map(|line| line.split('"').nth(1).map(str::to_owned))
            .collect()
    };
    let commands = names("core/src/commands/command.rs", "commands");
    let bugs = names("server/tests/simulation/bugs.rs", "bugs");
    assert!(!commands.is_empty() && !bugs.is_empty());
    none(
        commands
            .into_iter()
            .chain(bugs)
            .filter(|name| !document.contains(&format!("`{name}`"))),
        "Commands and planted bugs that docs/simulation.md does not name:",
    );
}

/// The text of one file.
fn text_of(path: &str) -> String {
    fs::read_to_string(top().join(path)).expect(path)
}

/// The documents that people write.
fn documents(files: &[File]) -> impl Iterator<Item = &File> {
    files
        .iter()
        .filter(|it| it.ends_with(&["md"]) && it.path != "THIRD-PARTY-LICENSES.md")
}

/// A document without its blocks of code.
fn prose(text: &str) -> String {
    let mut is_code = false;
    let lines = text.lines().filter(|line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The part of a document below a heading, up to the next one.
fn section(text: &str, heading: &str) -> String {
    let (_, below) = text.split_once(&format!("{heading}\n")).expect(heading);
    let lines = below.lines().take_while(|line| !line.starts_with('#'));
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the texts in backticks of a line.
fn spans(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// The targets of links to files of the repository.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let targets = text.split("](").skip(1);
    targets
        .filter_map(|rest| rest.split_once(')').map(|(target, _)| target))
        .filter(|it| !it.contains("://") && !it.starts_with("mailto:") && !it.contains([' ', '\n']))
}

/// The path of a link's target, from the top of the repository.
fn from_folder_of(document: &str, target: &str) -> String {
    let mut parts: Vec<&str> = document.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Tells that there is a file or a folder of that path.
fn is_there(paths: &BTreeSet<String>, path: &str) -> bool {
    let folder = format!("{}/", path.trim_end_matches('/'));
    paths.contains(path) || paths.iter().any(|it| it.starts_with(&folder))
}

/// The anchors of a document's headings, as GitHub makes them.
fn anchors(text: &str) -> BTreeSet<String> {
    let text = prose(text);
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let anchors = headings.map(|line| {
        let heading = line.trim_start_matches('#').trim().to_lowercase();
        let is_kept = |it: &char| it.is_alphanumeric() || " -_".contains(*it);
        heading.chars().filter(is_kept).collect::<String>()
    });
    anchors.map(|it| it.replace(' ', "-")).collect()
}

/// `20,000` for `20000`.
fn with_thousands(number: &str) -> String {
    let mut text = String::new();
    for (at, digit) in number.chars().enumerate() {
        if 0 < at && (number.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[test]
fn links_headings_and_numbers_are_read_as_they_are_written() {
    let text = "# A `b` C!\n[x](../y.md#z) `p/q`\n```\n# no\n```\n[u](https://v)\n";
    assert_eq!(links(text).collect::<Vec<_>>(), ["../y.md#z"]);
    assert_eq!(anchors(text), BTreeSet::from(["a-b-c".to_owned()]));
    assert_eq!(from_folder_of("docs/a/b.md", "../y.md"), "docs/y.md");
    assert_eq!(spans("a `b` c `d`").collect::<Vec<_>>(), ["b", "d"]);
    assert_eq!(with_thousands("20000"), "20,000");
    assert_eq!(with_thousands("100"), "100");
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
