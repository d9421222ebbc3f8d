//! The rooms of `core`, of the server and of the PWA: which of them may use which is a table in ARCHITECTURE.md for each, and
//! this holds every import against it. Between rooms arrows point down; between files there is no circle.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::Visit;

/// The headings in ARCHITECTURE.md under which the tables stand.
const HEADING_OF_CORE: &str = "### The rooms of `core`";
const HEADING_OF_SERVER: &str = "### The rooms of the server";
const HEADING_OF_PWA: &str = "### The rooms of the PWA";

/// The files of a crate or of the PWA: their names from its `src` on, such as `walk/log.rs`, and their texts.
type Sources = BTreeMap<String, String>;

/// Rooms of a crate.
#[derive(Default)]
struct Table {
    /// The room of each module that the table names, such as `stripe` or `stripe::client`.
    rooms: BTreeMap<String, String>,
    /// All that each room may use.
    allowed: BTreeMap<String, BTreeSet<String>>,
}

impl Table {
    /// Returns the room of the closest module around a file that the table names.
    fn room(&self, file: &str) -> Option<&str> {
        let module = module(file);
        let around = (1..=module.len()).rev();
        around
            .filter_map(|it| self.rooms.get(&module[..it].join("::")))
            .map(String::as_str)
            .next()
    }
}

#[test]
fn imports_of_core_point_down_and_form_no_circle() {
    check_crate("core/src", HEADING_OF_CORE);
}

#[test]
fn imports_of_the_server_point_down_and_form_no_circle() {
    check_crate("server/src", HEADING_OF_SERVER);
}

#[test]
fn imports_of_the_pwa_point_down_and_form_no_circle() {
    let mut sources = sources("pwa/src", &[".ts", ".tsx"]);
    // Bindings are built, and a test may import what it needs.
    sources.retain(|name, _| !name.starts_with("core/pkg/") && !name.contains(".test."));
    let table = table(&architecture(), HEADING_OF_PWA);
    let mut faults = faults_of_pwa(&sources, &table);
    let is_gone = |room: &str| {
        let folder = format!("{room}/");
        !sources.keys().any(|it| it.starts_with(&folder))
    };
    let gone = table.rooms.keys().filter(|it| is_gone(it));
    faults.extend(gone.map(|it| format!("`{it}` of the table in ARCHITECTURE.md does not exist")));
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

fn check_crate(folder: &str, heading: &str) {
    let sources = sources(folder, &[".rs"]);
    let table = table(&architecture(), heading);
    let mut faults = faults(&sources, &table);
    let modules: BTreeSet<String> = sources.keys().map(|it| module(it).join("::")).collect();
    let gone = table.rooms.keys().filter(|it| !modules.contains(*it));
    let is_folder = |it: &str| {
        sources
            .keys()
            .any(|file| file.starts_with(&format!("{it}/")))
    };
    let gone = gone.filter(|it| !is_folder(it));
    faults.extend(gone.map(|it| format!("`{it}` of the table in ARCHITECTURE.md does not exist")));
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

#[test]
fn planted_arrows_are_found() {
    let table = table(
        "### The rooms of `core`\n\n| room | holds | may use |\n|---|---|---|\n\
         | `low` | | nothing of ours |\n| `high` | | `low` |\n\n| `other` | | `high` |\n",
        HEADING_OF_CORE,
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
        &["`more` is in no room of the table in ARCHITECTURE.md"],
    );
}

#[test]
fn planted_arrows_are_found_in_rooms_of_several_modules() {
    let table = table(
        "### The rooms of the server\n\n| room | modules | hold | may use |\n|---|---|---|---|\n\
         | `low` | `base`, `mail::text` | | nothing of ours |\n| `high` | `mail`, `top` | | `low` |\n",
        HEADING_OF_SERVER,
    );
    let check = |base: &str, text: &str, top: &str, expected: &[&str]| {
        let files = [
            ("lib.rs", "mod base; mod mail; mod top;"),
            ("base.rs", base),
            (
                "mail/mod.rs",
                "mod text; pub use text::*; use crate::base; pub struct Mail;",
            ),
            ("mail/text.rs", text),
            ("top.rs", top),
        ];
        let sources = files.iter().map(|it| (it.0.to_owned(), it.1.to_owned()));
        assert_eq!(faults(&sources.collect(), &table), expected);
    };
    let text = "pub struct Text;";
    check("", text, "use crate::mail::{Mail, Text};", &[]);
    check("use crate::mail::Text;", text, "", &[]);
    check(
        "use crate::mail;\nfn f() -> mail::Mail {}",
        text,
        "",
        &[
            "base.rs imports mail/mod.rs, and `low` may not use `high`",
            "these import each other: base.rs → mail/mod.rs → base.rs",
        ],
    );
    check(
        "",
        "use crate::top::Top; pub struct Text;",
        "pub struct Top;",
        &["mail/text.rs imports top.rs, and `low` may not use `high`"],
    );
    check(
        "use crate::mail::Text;",
        "use crate::base::Base; pub struct Text;",
        "",
        &["these import each other: base.rs → mail/text.rs → base.rs"],
    );
}

#[test]
fn planted_arrows_are_found_in_the_pwa() {
    let table = table(
        "### The rooms of the PWA\n\n| room | holds | may use |\n|---|---|---|\n\
         | `ui` | | nothing of ours |\n| `parts` | | `ui` |\n| `features` | `walk` | `parts` |\n| `app` | | `features` |\n",
        HEADING_OF_PWA,
    );
    let check = |files: &[(&str, &str)], expected: &[&str]| {
        let sources = files.iter().map(|it| (it.0.to_owned(), it.1.to_owned()));
        assert_eq!(faults_of_pwa(&sources.collect(), &table), expected);
    };
    let kit = ("ui/index.ts", r#"export * from "./Button";"#);
    let button = ("ui/Button.tsx", "export function Button() {}");
    let avatar = (
        "parts/Avatar.tsx",
        r#"import { Button } from "../ui"; import "./avatar.css";"#,
    );
    let walk = ("features/walk/index.ts", r#"export * from "./tracker";"#);
    let tracker = ("features/walk/tracker.ts", "");
    let routes = "features/routes/RoutesScreen.tsx";
    let public = r#"import { Avatar } from "../../parts/Avatar"; import { track } from "../walk";"#;
    let app = (
        "app/App.tsx",
        r#"const Screen = loadable(() => import("../features/routes/RoutesScreen"));"#,
    );
    check(
        &[kit, button, avatar, walk, tracker, (routes, public), app],
        &[],
    );
    let up = [
        r#"import { track } from "../features/walk";"#,
        r#"export { track } from "../features/walk/index";"#,
        "const walk = () => import(\n  \"../features/walk/index.ts\",\n);",
    ];
    for text in up {
        let fault = "ui/Button.tsx imports features/walk/index.ts, and `ui` may not use `features`";
        check(&[kit, ("ui/Button.tsx", text), walk, tracker], &[fault]);
    }
    let middle = [
        r#"import { track } from "../walk/tracker";"#,
        r#"export * from "../walk/tracker.ts";"#,
        r#"import type { Track } from "../../features/walk/tracker";"#,
        r#"const tracker = import("../walk/tracker");"#,
        r#"new Worker(new URL("../walk/tracker.ts", import.meta.url));"#,
    ];
    for text in middle {
        let fault = "features/routes/RoutesScreen.tsx imports features/walk/tracker.ts, \
                     and of `features/walk` it may use index.ts alone";
        check(&[walk, tracker, (routes, text)], &[fault]);
    }
    check(
        &[
            walk,
            (
                "features/walk/tracker.ts",
                r#"import { ask } from "../routes";"#,
            ),
            ("features/routes/index.ts", r#"export * from "./ask";"#),
            ("features/routes/ask.ts", ""),
            (routes, public),
            avatar,
            kit,
            button,
        ],
        &["these import each other: features/routes → features/walk → features/routes"],
    );
    check(
        &[kit, ("ui/Button.tsx", r#"import { cx } from ".";"#)],
        &["these import each other: ui/Button.tsx → ui/index.ts → ui/Button.tsx"],
    );
    check(
        &[("more/one.ts", ""), ("two.ts", "")],
        &[
            "`more/one.ts` is in no room of the table in ARCHITECTURE.md",
            "`two.ts` is in no room of the table in ARCHITECTURE.md",
        ],
    );
}

/// The top of the repository.
fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn architecture() -> String {
    fs::read_to_string(top().join("ARCHITECTURE.md")).expect("it is there")
}

/// The files of a folder of the repository whose names end so.
fn sources(folder: &str, endings: &[&str]) -> Sources {
    let mut sources = Sources::new();
    read(&top().join(folder), "", endings, &mut sources);
    sources
}

fn read(folder: &Path, name: &str, endings: &[&str], sources: &mut Sources) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        let file = path.file_name().expect("a name").to_string_lossy();
        let name = format!("{name}{file}");
        if path.is_dir() {
            read(&path, &format!("{name}/"), endings, sources);
        } else if endings.iter().any(|it| name.ends_with(it)) {
            sources.insert(name, fs::read_to_string(&path).expect("a text"));
        }
    }
}

/// The table below the heading, with all that a room may use by way of another. Without a column of modules each room is
/// one of the same name.
fn table(text: &str, heading: &str) -> Table {
    let (_, below) = text.split_once(heading).expect("the table's heading");
    let mut rows = below
        .lines()
        .skip_while(|it| !it.starts_with('|'))
        .take_while(|it| it.starts_with('|'))
        .map(|it| it.split('|').collect::<Vec<&str>>());
    let header = rows.next().expect("the table's header");
    let column = |name: &str| header.iter().position(|it| it.trim() == name);
    let of_rooms = column("room").expect("a column of rooms");
    let of_modules = column("modules").unwrap_or(of_rooms);
    let of_used = column("may use").expect("a column of rooms that may be used");
    let named = |cell: &str| -> Vec<String> {
        cell.split('`')
            .skip(1)
            .step_by(2)
            .map(str::to_owned)
            .collect()
    };
    let mut table = Table::default();
    for cells in rows.skip(1) {
        let used: BTreeSet<String> = named(cells[of_used]).into_iter().collect();
        // A room may only use those above it in the table, so that one pass is enough.
        let mut all = used.clone();
        for it in &used {
            let of_it = table.allowed.get(it);
            all.extend(of_it.expect("rooms are named from the lowest on").clone());
        }
        for room in named(cells[of_rooms]) {
            for module in named(cells[of_modules]) {
                table.rooms.insert(module, room.clone());
            }
            table.allowed.insert(room, all.clone());
        }
    }
    table
}

fn faults(sources: &Sources, table: &Table) -> Vec<String> {
    let code: BTreeMap<&str, syn::File> = sources
        .iter()
        .map(|(name, text)| (name.as_str(), syn::parse_file(text).expect("it is Rust")))
        .collect();
    let tests: BTreeSet<String> = code.iter().flat_map(|it| test_files(it.0, it.1)).collect();
    let is_product = |name: &str| {
        !["lib.rs", "main.rs"].contains(&name)
            && !tests
                .iter()
                .any(|it| name == format!("{it}.rs") || name.starts_with(&format!("{it}/")))
    };
    let mut faults = Vec::new();
    let mut arrows: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (name, file) in code.iter().filter(|it| is_product(it.0)) {
        let Some(room) = table.room(name) else {
            faults.push(format!(
                "`{}` is in no room of the table in ARCHITECTURE.md",
                module(name).join("::")
            ));
            continue;
        };
        let mut paths = Paths::new(module(name));
        paths.visit_file(file);
        paths.add_from_imports();
        let targets = paths.found.iter().filter_map(|it| target(it, &code, 0));
        let mut targets: BTreeSet<String> =
            targets.filter(|it| it != name && is_product(it)).collect();
        for it in &targets {
            // A module in no room of its own is a fault by itself.
            let other = table.room(it).unwrap_or(room);
            if other != room && !table.allowed[room].contains(other) {
                faults.push(format!(
                    "{name} imports {it}, and `{room}` may not use `{other}`"
                ));
            }
        }
        // A module is split among files: those in its folder may use the one that they are part of.
        targets.retain(|it| !module(name).starts_with(&module(it)));
        arrows.insert(name, targets);
    }
    faults.extend(circles(&arrows));
    faults
}

/// As `faults`, for the PWA. Two more are its own: an import of another feature's file that is not its `index.ts`, and a
/// circle of features.
fn faults_of_pwa(sources: &Sources, table: &Table) -> Vec<String> {
    let mut faults = Vec::new();
    let mut arrows: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let mut features: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (name, text) in sources {
        let Some(room) = table.room(name) else {
            faults.push(format!(
                "`{name}` is in no room of the table in ARCHITECTURE.md"
            ));
            continue;
        };
        let targets = named_files(name, text, sources);
        for it in &targets {
            // A file in no room is a fault by itself.
            let other = table.room(it).unwrap_or(room);
            if other != room && !table.allowed[room].contains(other) {
                faults.push(format!(
                    "{name} imports {it}, and `{room}` may not use `{other}`"
                ));
            }
            if let (Some(from), Some(to)) = (feature(name), feature(it))
                && from != to
            {
                if *it != format!("{to}/index.ts") {
                    faults.push(format!(
                        "{name} imports {it}, and of `{to}` it may use index.ts alone"
                    ));
                }
                features.entry(from).or_default().insert(to.to_owned());
            }
        }
        arrows.insert(name, targets);
    }
    faults.extend(circles(&arrows));
    faults.extend(circles(&features));
    faults
}

/// Returns the folder of the feature that a file of the PWA is in, such as `features/walk`; `None` for other rooms.
fn feature(name: &str) -> Option<&str> {
    let (folder, _) = name.strip_prefix("features/")?.split_once('/')?;
    name.get(.."features/".len() + folder.len())
}

/// The other files of the PWA that a file of it names: every string that is a relative path to one. So `import`, `import()`,
/// `export … from` and the URLs of workers are all found.
fn named_files(name: &str, text: &str, sources: &Sources) -> BTreeSet<String> {
    let strings: Vec<&str> = text.split(['"', '\'', '`']).collect();
    let imports = strings.windows(2).filter_map(|it| {
        let [before, string] = it else {
            return None;
        };
        // Elsewhere a dot alone is a dot.
        let is_folder = matches!(*string, "." | "..") && before.trim_end().ends_with("from");
        let is_path = string.starts_with("./") || string.starts_with("../");
        (is_folder || is_path).then_some(*string)
    });
    let targets = imports.filter_map(|it| named_file(name, it, sources));
    targets.filter(|it| it != name).collect()
}

/// Finds the file of a relative path as the bundler does: by its name with or without its ending, or by its folder.
fn named_file(name: &str, import: &str, sources: &Sources) -> Option<String> {
    let mut path: Vec<&str> = name.split('/').collect();
    path.pop();
    for part in import.split('/') {
        match part {
            "." => {}
            ".." => {
                path.pop()?;
            }
            _ => path.push(part),
        }
    }
    let path = path.join("/");
    ["", ".ts", ".tsx", "/index.ts", "/index.tsx"]
        .iter()
        .map(|ending| format!("{path}{ending}"))
        .find(|it| sources.contains_key(it))
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
    /// The names that `use` brings, with their paths.
    imports: BTreeMap<String, Vec<String>>,
    /// Paths that begin with a name, which `use` may have brought.
    named: BTreeSet<Vec<String>>,
}

impl Paths {
    fn new(module: Vec<String>) -> Self {
        Self {
            module,
            found: BTreeSet::new(),
            imports: BTreeMap::new(),
            named: BTreeSet::new(),
        }
    }

    /// Adds what is reached through an import: after `use crate::a` the path `a::b` is `crate::a::b`.
    fn add_from_imports(&mut self) {
        for path in std::mem::take(&mut self.named) {
            let [first, rest @ ..] = path.as_slice() else {
                continue;
            };
            if let Some(imported) = self.imports.get(first) {
                let path = imported.iter().chain(rest).cloned().collect();
                self.found.insert(path);
            }
        }
    }

    /// Adds what one `use` brings under this name.
    fn add_import(&mut self, name: &str, path: &[String]) {
        // The name of `use crate::a::{self}` is that of the module.
        let (name, path) = match path {
            [before @ .., last] if last == "self" && !before.is_empty() => {
                let of_module = before.last().map_or(name, String::as_str);
                (if name == "self" { of_module } else { name }, before)
            }
            _ => (name, path),
        };
        if let Some(full) = self.add(path) {
            self.imports.insert(name.to_owned(), full);
        }
    }

    /// Adds a path, and gives it from the crate's root on; `None` for one of something else.
    fn add(&mut self, path: &[String]) -> Option<Vec<String>> {
        let n_up = path.iter().take_while(|it| *it == "super").count();
        let from = match path.first().map(String::as_str) {
            Some("crate") => Vec::new(),
            Some("super") => self.module[..self.module.len().saturating_sub(n_up)].to_vec(),
            Some("self") => self.module.clone(),
            _ => {
                self.named.insert(path.to_vec());
                return None;
            }
        };
        let rest = path.iter().skip(n_up.max(1)).cloned();
        let full: Vec<String> = from.into_iter().chain(rest).collect();
        self.found.insert(full.clone());
        Some(full)
    }

    fn add_tree(&mut self, before: &[String], tree: &syn::UseTree) {
        let with = |name: String| -> Vec<String> { before.iter().cloned().chain([name]).collect() };
        match tree {
            syn::UseTree::Path(it) => self.add_tree(&with(it.ident.to_string()), &it.tree),
            syn::UseTree::Name(it) => {
                self.add_import(&it.ident.to_string(), &with(it.ident.to_string()));
            }
            syn::UseTree::Rename(it) => {
                self.add_import(&it.rename.to_string(), &with(it.ident.to_string()));
            }
            syn::UseTree::Glob(_) => {
                self.add(before);
            }
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
        let mut paths = Paths::new(path[..length].to_vec());
        let mut globs = BTreeSet::new();
        for it in &code[file.as_str()].items {
            if let syn::Item::Use(it) = it {
                // What `pub use` names without a beginning begins here.
                let here = if length == 0 { "crate" } else { "self" };
                paths.add_tree(&[], &it.tree);
                paths.add_tree(&[here.to_owned()], &it.tree);
                if let syn::UseTree::Path(from) = &it.tree
                    && matches!(&*from.tree, syn::UseTree::Glob(_))
                {
                    let inside = [&path[..length], &[from.ident.to_string()]].concat();
                    globs.extend(file_of(&inside));
                }
            }
        }
        if let Some(file) = globs
            .into_iter()
            .find(|it| defines(&code[it.as_str()], item))
        {
            return Some(file);
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

/// Returns true if a function, type or constant of this name stands in a file.
fn defines(file: &syn::File, name: &str) -> bool {
    file.items.iter().any(|it| {
        let ident = match it {
            syn::Item::Const(it) => &it.ident,
            syn::Item::Enum(it) => &it.ident,
            syn::Item::Fn(it) => &it.sig.ident,
            syn::Item::Static(it) => &it.ident,
            syn::Item::Struct(it) => &it.ident,
            syn::Item::Trait(it) => &it.ident,
            syn::Item::Type(it) => &it.ident,
            _ => return false,
        };
        ident == name
    })
}

/// The shortest circle of each group of files that reach each other.
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
            if reached.insert(next) {
                ways.push_back(way.iter().copied().chain([next.as_str()]).collect());
            }
        }
    }
    None
}
