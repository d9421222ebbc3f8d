//! The repository's own commands, `cargo xtask <command>`: it sets up, builds, starts, tests and measures.
//! No rule of the product lives here, and nothing is installed outside the repository but Debian packages for the tests.

mod bench;
mod build;
mod calls;
mod changed;
mod checks;
mod fingerprint;
mod licences;
mod postgres;
mod process;
mod programs;
mod setup;
mod split;
mod statements;

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, bail};
use checks::Lane;

const USAGE: &str = "\
Usage: cargo xtask <command>

  setup               install what building and testing need
  build               build everything into target/release/walkies
  start [FLAGS]       build, then serve the demo business; FLAGS go to `walkies serve`
  test [--full] [STEP]...
                      run the test steps that one trusts before a merge, or those named; in full also what takes long
  test --changed      run the tests that are likely to notice what is not committed yet, in minutes
  openapi             print the OpenAPI document of the server
  simulate [FLAGS]    many phones against one server: --seeds N, --from S, or --seed S
  fuzz                call the API with thousands of inputs, on both databases: the long form of `api` and of the
                      server's hostile tests; and archives with bytes changed
  attack [NAME]       everything at once that one account, or none, may try against the server, for minutes
  bench [PART]        measure the figures of the server, of the phone and of routes against their targets;
                      `bench routes [EXTRACT]...` also on these, `bench routes --record` for the tests
  postgres COMMAND... run a command with a throwaway PostgreSQL
  fmt                 format Rust and TypeScript
  icons               draw the icons in manifest/ from icon.svg
  pets                draw the portraits of the demo's pets in server/demo/, and a film of one
  licences --write    write THIRD-PARTY-LICENSES.md anew
  audit               ask what is reported against the versions that are used; needs the internet

The steps of `test`, each also a command of its own; those in brackets run in full alone:
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\n{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &[&str]) -> Result<()> {
    // Every path below is relative to the top of the repository.
    std::env::set_current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))?;
    match args {
        [] | ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            for check in checks::ALL {
                println!("  {:<18}{}", check.shown_name(), check.about);
            }
            Ok(())
        }
        ["setup"] => setup::for_tests(),
        ["build"] => build::everything(),
        ["start", flags @ ..] => build::start(flags),
        ["test", "--changed"] => changed::run_changed(),
        ["test", "--full", names @ ..] => checks::run(Lane::Full, names),
        ["test", names @ ..] => checks::run(Lane::Fast, names),
        ["openapi"] => build::openapi(),
        ["simulate", flags @ ..] => checks::simulate(flags),
        ["fuzz"] => checks::fuzz(),
        ["attack", flags @ ..] => checks::attack(flags),
        ["bench", names @ ..] => bench::measure(names),
        ["postgres", program, args @ ..] => postgres::with(program, args),
        ["fmt"] => {
            process::run("cargo", &["fmt", "--all"])?;
            setup::npm_packages()?;
            process::run("npm", &["run", "--silent", "format"])
        }
        ["icons"] => {
            setup::for_tests()?;
            process::run("node", &["xtask/icons.mjs"])
        }
        ["pets"] => {
            setup::for_tests()?;
            process::run("node", &["xtask/pets.mjs"])
        }
        ["licences", "--write"] => licences::write(),
        ["audit"] => checks::audit(),
        [name] if checks::ALL.iter().any(|it| it.name == *name) => checks::run(Lane::Fast, &[name]),
        _ => bail!(
            "`{}` is no command; `cargo xtask help` names them.",
            args.join(" ")
        ),
    }
}
