//! Measures what the product promises: the server's figures and the phone's, each a line with its target.
//! A figure that does not hold makes the command fail, after all of them were measured.

use anyhow::{Result, bail};

use crate::process::{run, run_with};
use crate::{build, setup};

/// Every figure, or those of `server` or `phone` alone.
pub fn measure(names: &[&str]) -> Result<()> {
    match names {
        [] => {
            let server = server();
            let phone = phone();
            server.and(phone)
        }
        ["server"] => server(),
        ["phone"] => phone(),
        _ => bail!("`cargo xtask bench` measures all, `server` or `phone`."),
    }
}

fn server() -> Result<()> {
    let args = [
        "bench",
        "--locked",
        "-p",
        "walkies-server",
        "--bench",
        "sync",
    ];
    run("cargo", &args)
}

fn phone() -> Result<()> {
    setup::for_tests()?;
    build::everything()?;
    let binary = std::env::current_dir()?.join("target/release/walkies");
    let binary = binary.to_string_lossy();
    run_with(
        "npm",
        &["run", "--silent", "bench:phone"],
        &[("WALKIES_BIN", &binary)],
    )
}
