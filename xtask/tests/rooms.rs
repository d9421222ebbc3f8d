//! The rooms of `core`: which of them may use which is a table in ARCHITECTURE.md, and this holds every import against it.
//! Between rooms arrows point down; between files of a room there is no circle.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::Visit;

/// The heading in ARCHITECTURE.md under which the table stands.
const HEADING: &str = "### The rooms of `core`";

/// The files of `core/src`: their names from there, such as `walk/log.rs`, and their texts.
type Sources = BTreeMap<String, String>;

/// Rooms with those that they may use.
type Table = BTreeMap<String, BTreeSet<String>>;

#[test]
fn no_arrow_between_rooms_points_up_and_no_files_import_each_other_in_a_circle() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut sources = Sources::new();
    read(&top.join("core/src"), "", &mut sources);
    let text = fs::read_to_string(top.join("ARCHITECTURE.md")).expect("it is there");
    let faults = faults(&sources, &table(&text));
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

#[test]
fn planted_arrows_are_found() {
    let table = table(
        "### The rooms of `core`\n\n| room | holds | may use |\n|---|---|---|\n\
         | `low` | | nothing of ours |\n| `high` | | `low` |\n\n| `other` | | `high` |\n",
    );
    let check = |files: &[(&str, &str)], expected: &[&str]| {
        let sources = files.iter().map(|it| (it.0.to_owned(), it.1.to_owned()));
        assert_eq!(faults(&sources.collect(), &table), expected);
    };
    let lib = ("lib.rs", "mod high; mod low; pub use high::b::Top;");
    let low = ("low/mod.rs", "mod a; pub use a::Base;");
    let high = ("high/mod.rs", "mod b; mod c;");
    let b = ("high/b.rs", "use crate::low::Base; pub struct Top(Base);");
    check(
        &[
            lib,
            low,
            high,
            b,
            ("low/a.rs", "pub struct Base;"),
            ("high/c.rs", ""),
        ],
        &[],
    );
    let up = [
        "use crate::high::b::Top;",
        "use crate::{Top, low};",
        "fn f(_: crate::Top) {}",
        "make!(crate::high::b::Top);",
        "use super::super::high::b;",
    ];
    for text in up {
        let fault = "low/a.rs imports high/b.rs, and `low` may not use `high`";
        let b = ("high/b.rs", "pub struct Top;");
        check(&[lib, low, high, b, ("low/a.rs", text)], &[fault]);
    }
    check(
        &[
            lib,
            low,
            (
                "low/a.rs",
                "#[cfg(test)]\nmod tests { use crate::high::b::Top; }",
            ),
            high,
            ("high/b.rs", "use super::c::Two;"),
            ("high/c.rs", "use crate::Top;"),
        ],
        &["these import each other: high/b.rs → high/c.rs → high/b.rs"],
    );
    check(
        &[lib, low, high, ("more.rs", "")],
        &["`more` is no room of the table in ARCHITECTURE.md"],
    );
}

fn read(folder: &Path, name: &str, sources: &mut Sources) {
    for entry in fs::read_dir(folder).expect("a folder of core") {
        let path = entry.expect("an entry").path();
        let file = path.file_name().expect("a name").to_string_lossy();
        let name = format!("{name}{file}");
        if path.is_dir() {
            read(&path, &format!("{name}/"), sources);
        } else {
            sources.insert(name, fs::read_to_string(&path).expect("a text"));
        }
    }
}

/// The table below the heading, with all that a room may use by way of another.
fn table(text: &str) -> Table {
    let (_, below) = text.split_once(HEADING).expect("the table's heading");
    let rows = below
        .lines()
        .skip_while(|it| !it.starts_with('|'))
        .take_while(|it| it.starts_with('|'));
    let named = |cell: &str| -> Vec<String> {
        cell.split('`')
            .skip(1)
            .step_by(2)
            .map(str::to_owned)
            .collect()
    };
    let mut table = Table::new();
    for row in rows.skip(2) {
        let cells: Vec<&str> = row.split('|').collect();
        let used: BTreeSet<String> = named(cells[3]).into_iter().collect();
        for room in named(cells[1]) {
            // A room may only use those above it in the table, so that one pass is enough.
            let mut all = used.clone();
            for it in &used {
                let of_it = table.get(it);
                all.extend(of_it.expect("rooms are named from the lowest on").clone());
            }
            table.insert(room, all);
        }
    }
    table
}

fn room(file: &str) -> &str {
    file.split_once('/')
        .map_or(file, |it| it.0)
        .trim_end_matches(".rs")
}

fn faults(sources: &Sources, table: &Table) -> Vec<String> {
    let code: BTreeMap<&str, syn::File> = sources
        .iter()
        .map(|(name, text)| (name.as_str(), syn::parse_file(text).expect("core is Rust")))
        .collect();
    let tests: BTreeSet<String> = code.iter().flat_map(|it| test_files(it.0, it.1)).collect();
    let is_product = |name: &str| {
        name != "lib.rs"
            && !tests
                .iter()
                .any(|it| name == format!("{it}.rs") || name.starts_with(&format!("{it}/")))
    };
    let mut faults = Vec::new();
    let mut arrows: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (name, file) in code.iter().filter(|it| is_product(it.0)) {
        let Some(allowed) = table.get(room(name)) else {
            faults.push(format!(
                "`{}` is no room of the table in ARCHITECTURE.md",
                room(name)
            ));
            continue;
        };
        let mut paths = Paths {
            module: module(name),
            found: BTreeSet::new(),
        };
        paths.visit_file(file);
        let targets = paths.found.iter().filter_map(|it| target(it, &code, 0));
        let targets: BTreeSet<String> = targets.filter(|it| it != name && is_product(it)).collect();
        for it in &targets {
            if room(it) != room(name) && !allowed.contains(room(it)) {
                let (from, to) = (room(name), room(it));
                faults.push(format!(
                    "{name} imports {it}, and `{from}` may not use `{to}`"
                ));
            }
        }
        arrows.insert(name, targets);
    }
    faults.extend(circles(&arrows));
    faults
}

/// Returns the module path of a file: `walk/log.rs` is `walk::log`.
fn module(name: &str) -> Vec<String> {
    let name = name.trim_end_matches(".rs").trim_end_matches("/mod");
    name.split('/').map(str::to_owned).collect()
}

/// The modules that only tests are built with, without their ending.
fn test_files(name: &str, file: &syn::File) -> Vec<String> {
    let folder = if name == "lib.rs" {
        Vec::new()
    } else {
        module(name)
    };
    let of_tests = file.items.iter().filter_map(|it| match it {
        syn::Item::Mod(it) if is_for_tests(&it.attrs) => Some(it.ident.to_string()),
        _ => None,
    });
    of_tests
        .map(|it| {
            folder
                .iter()
                .cloned()
                .chain([it])
                .collect::<Vec<_>>()
                .join("/")
        })
        .collect()
}

/// True if `test` stands in a `cfg` of it.
fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|it| {
        let syn::Meta::List(list) = &it.meta else {
            return false;
        };
        let words = list.tokens.to_string();
        list.path.is_ident("cfg")
            && words
                .split(|it: char| !it.is_alphanumeric())
                .any(|it| it == "test")
    })
}

/// The paths of a file that begin with `crate` or `super`, from the crate's root.
struct Paths {
    module: Vec<String>,
    found: BTreeSet<Vec<String>>,
}

impl Paths {
    fn add(&mut self, path: &[String]) {
        let n_up = path.iter().take_while(|it| *it == "super").count();
        let from = match path.first().map(String::as_str) {
            Some("crate") => Vec::new(),
            Some("super") => self.module[..self.module.len().saturating_sub(n_up)].to_vec(),
            Some("self") => self.module.clone(),
            _ => return,
        };
        let rest = path.iter().skip(n_up.max(1)).cloned();
        self.found.insert(from.into_iter().chain(rest).collect());
    }

    fn add_tree(&mut self, before: &[String], tree: &syn::UseTree) {
        let with = |name: String| -> Vec<String> { before.iter().cloned().chain([name]).collect() };
        match tree {
            syn::UseTree::Path(it) => self.add_tree(&with(it.ident.to_string()), &it.tree),
            syn::UseTree::Name(it) => self.add(&with(it.ident.to_string())),
            syn::UseTree::Rename(it) => self.add(&with(it.ident.to_string())),
            syn::UseTree::Glob(_) => self.add(before),
            syn::UseTree::Group(it) => {
                it.items.iter().for_each(|it| self.add_tree(before, it));
            }
        }
    }

    /// In a macro nothing is known but that `crate::a::b` is a path.
    fn add_tokens(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(it) => self.add_tokens(it.stream()),
                TokenTree::Ident(it) if it == "crate" => {
                    let mut path = vec!["crate".to_owned()];
                    let mut rest = &tokens[at + 1..];
                    while let [
                        TokenTree::Punct(a),
                        TokenTree::Punct(b),
                        TokenTree::Ident(name),
                        ..,
                    ] = rest
                        && a.as_char() == ':'
                        && b.as_char() == ':'
                    {
                        path.push(name.to_string());
                        rest = &rest[3..];
                    }
                    self.add(&path);
                }
                _ => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for Paths {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_for_tests(&item.attrs) {
            syn::visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.add_tree(&[], &item.tree);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> = path
            .segments
            .iter()
            .map(|it| it.ident.to_string())
            .collect();
        self.add(&names);
        syn::visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'ast syn::Macro) {
        self.add_tokens(item.tokens.clone());
        syn::visit::visit_macro(self, item);
    }
}

/// The file in which what a path names is, through what `mod.rs` and `lib.rs` hand on; `None` for the root itself.
fn target(path: &[String], code: &BTreeMap<&str, syn::File>, depth: usize) -> Option<String> {
    let file_of = |module: &[String]| {
        let name = module.join("/");
        [format!("{name}.rs"), format!("{name}/mod.rs")]
            .into_iter()
            .find(|it| code.contains_key(it.as_str()))
    };
    let (length, file) = (1..=path.len())
        .rev()
        .find_map(|it| Some((it, file_of(&path[..it])?)))
        .unwrap_or((0, "lib.rs".to_owned()));
    let item = path.get(length);
    let handed_on = (file.ends_with("mod.rs") || file == "lib.rs") && depth < 8;
    if let Some(item) = item.filter(|_| handed_on) {
        let mut paths = Paths {
            module: path[..length].to_vec(),
            found: BTreeSet::new(),
        };
        for it in &code[file.as_str()].items {
            if let syn::Item::Use(it) = it {
                // What `pub use` names without a beginning begins here.
                let here = if length == 0 { "crate" } else { "self" };
                paths.add_tree(&[], &it.tree);
                paths.add_tree(&[here.to_owned()], &it.tree);
            }
        }
        let next = paths
            .found
            .iter()
            .find(|it| it.last() == Some(item) && *it != path);
        if let Some(file) = next.and_then(|it| target(it, code, depth + 1)) {
            return Some(file);
        }
    }
    (file != "lib.rs").then_some(file)
}

/// The shortest circle of each group of files that reach each other, but for the `mod.rs` through which a room hands on
/// what others use.
fn circles(arrows: &BTreeMap<&str, BTreeSet<String>>) -> Vec<String> {
    let mut known: BTreeSet<&str> = BTreeSet::new();
    let mut found = Vec::new();
    for file in arrows.keys() {
        if let Some(circle) =
            circle(file, arrows).filter(|it| it.iter().all(|it| !known.contains(it)))
        {
            found.push(format!(
                "these import each other: {} → {file}",
                circle.join(" → ")
            ));
            known.extend(circle);
        }
    }
    found
}

/// The shortest way from a file back to itself, without its end.
fn circle<'a>(file: &'a str, arrows: &'a BTreeMap<&str, BTreeSet<String>>) -> Option<Vec<&'a str>> {
    let mut ways = VecDeque::from([vec![file]]);
    let mut reached: BTreeSet<&str> = BTreeSet::new();
    while let Some(way) = ways.pop_front() {
        for next in way
            .last()
            .and_then(|it| arrows.get(it))
            .into_iter()
            .flatten()
        {
            if next == file {
                return Some(way);
            }
            if !next.ends_with("mod.rs") && reached.insert(next) {
                ways.push_back(way.iter().copied().chain([next.as_str()]).collect());
            }
        }
    }
    None
}
