//! Lists the migrations for the binary, and sees to it that a release carries the app as it was built last, and the fonts:
//! the files in `pwa/dist` and those of npm packages become part of the binary, and cargo does not look at them by itself.

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    list_migrations()?;
    // A debug build reads the files from the folder when it runs, if the folder was there when it was built; and one that
    // is not there would count as changed at every build.
    fs::create_dir_all("../pwa/dist")?;
    fs::create_dir_all("../node_modules/@fontsource-variable")?;
    if env::var("PROFILE").is_ok_and(|it| it == "release") {
        println!("cargo::rerun-if-changed=../pwa/dist");
        println!("cargo::rerun-if-changed=../package-lock.json");
    }
    Ok(())
}

/// Writes the list that `src/db/engine/migrate.rs` includes: `0003_map.sql` is version 3 with the description `map`.
fn list_migrations() -> io::Result<()> {
    println!("cargo::rerun-if-changed=../migrations");
    let mut names = Vec::new();
    for entry in fs::read_dir("../migrations")? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    let mut list = String::new();
    for name in names {
        let wrong =
            || io::Error::other(format!("migrations/{name} is not named like 0003_map.sql"));
        let stem = name.strip_suffix(".sql").ok_or_else(wrong)?;
        let (version, description) = stem.split_once('_').ok_or_else(wrong)?;
        let version: i64 = version.parse().map_err(|_| wrong())?;
        let description = description.replace('_', " ");
        // No absolute path: several checkouts may share one target directory.
        let text = format!(
            r#"include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../migrations/{name}"))"#
        );
        list += &format!("({version}, {description:?}, {text}),\n");
    }
    let folder = env::var_os("OUT_DIR").unwrap_or_default();
    fs::write(
        Path::new(&folder).join("migrations.rs"),
        format!("&[{list}]"),
    )
}
