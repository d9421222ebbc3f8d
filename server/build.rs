//! Sees to it that a release carries the app as it was built last, and the fonts: the files in `pwa/dist` and those of
//! npm packages become part of the binary, and cargo does not look at them by itself.

use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
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
