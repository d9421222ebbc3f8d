//! Licences: which ones may be used at all, and the page that names those of everything that is shipped.

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::process::output;

const PAGE: &str = "THIRD-PARTY-LICENSES.md";

/// Licenses of packages that may be linked into a program under the MIT license without changing what its users may do.
const ALLOWED: [&str; 16] = [
    "0BSD",
    "Apache-2.0",
    "BlueOak-1.0.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC-BY-4.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    // Of fonts: they may be part of anything, and are sold by themselves by nobody.
    "OFL-1.1",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Weak copyleft by file: unchanged, it asks for nothing but its notice.
const ALLOWED_UNCHANGED: &str = "MPL-2.0";

/// Packages with another licence, each with the reason for which it is used all the same.
const EXCEPTIONS: [(&str, &str, &str); 5] = [
    (
        "react-leaflet",
        "Hippocratic-2.1",
        "chosen by the owner of the product; kept behind `pwa/src/map`, so that it can be swapped",
    ),
    (
        "@react-leaflet/core",
        "Hippocratic-2.1",
        "comes with react-leaflet",
    ),
    (
        "libheif-js",
        "LGPL-3.0",
        "files of its own that are loaded when a HEIC photo is chosen, and can be replaced",
    ),
    (
        "@visx/vendor",
        "MIT and ISC",
        "both are allowed, and said in words",
    ),
    (
        "ical",
        "",
        "Apache-2.0 by the text beside its code; reads calendars in tests alone",
    ),
];

/// A crate or an npm package.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Package {
    name: String,
    version: String,
    licence: String,
    home: String,
}

/// Fails when a licence is not allowed, or when the page does not say what is shipped.
pub fn check() -> Result<()> {
    let (page, forbidden) = survey()?;
    ensure!(
        forbidden.is_empty(),
        "Not allowed (xtask/src/licences.rs has the list and the exceptions):\n{}",
        forbidden.join("\n")
    );
    let found = fs::read_to_string(PAGE).unwrap_or_default();
    ensure!(
        found == page,
        "{PAGE} does not say what is shipped; `cargo xtask licences --write` writes it anew."
    );
    Ok(())
}

/// Writes the page.
pub fn write() -> Result<()> {
    fs::write(PAGE, survey()?.0)?;
    println!("{PAGE} is written.");
    Ok(())
}

/// The page, and what is used without being allowed.
fn survey() -> Result<(String, Vec<String>)> {
    let server = crates("x86_64-unknown-linux-gnu", "walkies-server")?;
    let phone = crates("wasm32-unknown-unknown", "walkies-core")?;
    let npm = npm()?;
    let mut forbidden: Vec<String> = [&server.all, &phone.all, &npm.all]
        .into_iter()
        .flatten()
        .filter(|it| !is_allowed(it))
        .map(|it| format!("  {} {}: {}", it.name, it.version, it.licence))
        .collect();
    forbidden.dedup();

    let mut page = String::from(
        "# What Walkies ships, and its licences\n\n\
         Walkies itself is under the MIT licence, see `LICENSE`.\n\
         This page is written by `cargo xtask licences --write` from the two lock files, and the tests compare it with them.\n",
    );
    let exceptions: Vec<_> = EXCEPTIONS
        .iter()
        .filter(|(name, ..)| npm.all.iter().any(|it| it.name == *name))
        .collect();
    if !exceptions.is_empty() {
        page.push_str("\n## With conditions of their own\n\n");
        for (name, licence, reason) in exceptions {
            page.push_str(&format!("- {name} ({licence}): {reason}.\n"));
        }
    }
    let parts = [
        ("In the server", server.shipped),
        ("In the core on the phone", phone.shipped),
        ("In the app", npm.shipped),
    ];
    for (title, packages) in parts {
        page.push_str(&format!(
            "\n## {title}\n\n| name | version | licence |\n| --- | --- | --- |\n"
        ));
        for it in packages {
            let name = if it.home.is_empty() {
                it.name
            } else {
                format!("[{}]({})", it.name, it.home)
            };
            page.push_str(&format!("| {name} | {} | {} |\n", it.version, it.licence));
        }
    }
    Ok((page, forbidden))
}

/// Packages that a part of the product is built from, and those of them that are in it when it is delivered.
struct Packages {
    all: BTreeSet<Package>,
    shipped: BTreeSet<Package>,
}

fn crates(platform: &str, top: &str) -> Result<Packages> {
    let args = [
        "metadata",
        "--format-version",
        "1",
        "--locked",
        "--filter-platform",
        platform,
    ];
    let text = output("cargo", &args)
        .context("`cargo metadata --locked` failed; does Cargo.lock fit the manifests?")?;
    let metadata: Value = serde_json::from_str(&text)?;
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let packages = list(&metadata["packages"]);
    let nodes = list(&metadata["resolve"]["nodes"]);

    let mut shipped_ids: BTreeSet<String> = BTreeSet::new();
    let mut open: Vec<String> = packages
        .iter()
        .filter(|it| it["name"] == top)
        .map(|it| text_of(&it["id"]))
        .collect();
    ensure!(!open.is_empty(), "there is no crate {top}.");
    while let Some(id) = open.pop() {
        let node = nodes.iter().find(|it| it["id"] == id.as_str());
        for dependency in node.map(|it| list(&it["deps"])).unwrap_or_default() {
            // What builds or tests it (`kind` is then a word) is not delivered with it.
            let delivered = list(&dependency["dep_kinds"])
                .iter()
                .any(|it| it["kind"].is_null());
            let next = text_of(&dependency["pkg"]);
            if delivered && shipped_ids.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    let mut found = Packages {
        all: BTreeSet::new(),
        shipped: BTreeSet::new(),
    };
    // Without a source it is a crate of this repository.
    for package in packages.iter().filter(|it| !it["source"].is_null()) {
        let package_of = || Package {
            name: text_of(&package["name"]),
            version: text_of(&package["version"]),
            licence: text_of(&package["license"]).replace('/', " OR "),
            home: text_of(&package["repository"]),
        };
        if shipped_ids.contains(package["id"].as_str().unwrap_or_default()) && !is_macro(package) {
            found.shipped.insert(package_of());
        }
        found.all.insert(package_of());
    }
    Ok(found)
}

/// A procedural macro runs while the product is built and is not in it.
fn is_macro(package: &Value) -> bool {
    package["targets"]
        .as_array()
        .is_some_and(|targets| targets.iter().any(|it| it["kind"][0] == "proc-macro"))
}

fn npm() -> Result<Packages> {
    let lock: Value = serde_json::from_str(&fs::read_to_string("package-lock.json")?)?;
    let Some(entries) = lock["packages"].as_object() else {
        bail!("package-lock.json has no packages; write it with npm 7 or newer.");
    };
    let mut found = Packages {
        all: BTreeSet::new(),
        shipped: BTreeSet::new(),
    };
    for (place, entry) in entries {
        // The empty place is this repository; a link leads to a place that has an entry itself.
        let Some((_, name)) = place.rsplit_once("node_modules/") else {
            continue;
        };
        if entry["link"] == true {
            continue;
        }
        let package_of = || Package {
            name: name.to_owned(),
            version: text_of(&entry["version"]),
            licence: npm_licence(place, entry),
            home: String::new(),
        };
        if entry["dev"].is_null() && entry["devOptional"].is_null() {
            found.shipped.insert(package_of());
        }
        found.all.insert(package_of());
    }
    Ok(found)
}

/// From the lock file, which names it for most; else from the installed package, which may use older forms.
fn npm_licence(place: &str, entry: &Value) -> String {
    if let Some(licence) = entry["license"].as_str() {
        return licence.to_owned();
    }
    let installed: Value = fs::read_to_string(format!("{place}/package.json"))
        .ok()
        .and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_default();
    [
        &installed["license"],
        &installed["license"]["type"],
        &installed["licenses"][0]["type"],
    ]
    .into_iter()
    .find_map(Value::as_str)
    .unwrap_or("none named")
    .to_owned()
}

fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn is_allowed(package: &Package) -> bool {
    allows(&package.licence)
        || EXCEPTIONS
            .iter()
            .any(|(name, licence, _)| package.name == *name && package.licence.starts_with(licence))
}

/// True if an SPDX expression can be met with allowed licenses: of an OR one, of an AND all.
fn allows(expression: &str) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace().peekable();
    let allowed = one_of(&mut words);
    allowed && words.next().is_none()
}

type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn one_of(words: &mut Words<'_>) -> bool {
    let mut allowed = all_of(words);
    while words.next_if_eq(&"OR").is_some() {
        // Read first: `||` would leave the rest of the expression unread.
        allowed = all_of(words) || allowed;
    }
    allowed
}

fn all_of(words: &mut Words<'_>) -> bool {
    let mut allowed = single(words);
    while words.next_if_eq(&"AND").is_some() {
        allowed = single(words) && allowed;
    }
    allowed
}

fn single(words: &mut Words<'_>) -> bool {
    match words.next() {
        Some("(") => one_of(words) & words.next_if_eq(&")").is_some(),
        Some(name) => {
            // An exception to a licence only ever allows more.
            if words.next_if_eq(&"WITH").is_some() {
                words.next();
            }
            ALLOWED.contains(&name) || name == ALLOWED_UNCHANGED
        }
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::allows;

    #[test]
    fn of_an_or_one_must_be_allowed_and_of_an_and_all() {
        assert!(allows("MIT"));
        assert!(allows("MIT OR GPL-3.0"));
        assert!(allows("GPL-3.0-only OR Apache-2.0 WITH LLVM-exception"));
        assert!(allows("(MIT OR GPL-2.0) AND Unicode-3.0"));
        assert!(!allows("(MIT OR Apache-2.0) AND GPL-2.0"));
        assert!(!allows("MIT AND (GPL-2.0 OR AGPL-3.0)"));
    }

    #[test]
    fn what_is_no_expression_is_not_allowed() {
        assert!(!allows(""));
        assert!(!allows("SEE LICENSE IN LICENSE.md"));
        assert!(!allows("MIT Apache-2.0"));
        assert!(!allows("(MIT"));
    }
}
