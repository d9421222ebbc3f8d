//! Set-up: puts in place what building and testing need beyond rustup and Node, each step only when it is missing.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::process::{output, run, timed};
use crate::{fingerprint, postgres};

/// Target that the phone runs.
pub const WASM: &str = "wasm32-unknown-unknown";
const CARGO_DENY: &str = "0.20.2";

/// Puts in place what `npm start` needs.
pub fn for_build() -> Result<()> {
    node()?;
    wasm_target()?;
    npm_packages()
}

/// Puts in place what `npm test` needs: in addition a browser and a PostgreSQL. Steps of the full lane alone put in
/// place what only they need.
pub fn for_tests() -> Result<()> {
    for_build()?;
    debian_packages(&[TEST_BROWSER])
}

/// Puts in place the browser that gets notifications in tests.
pub fn push_browser() -> Result<()> {
    debian_packages(&[PUSH_BROWSER])
}

/// Puts in place what `cargo xtask bench` needs.
pub fn for_bench() -> Result<()> {
    for_tests()?;
    debian_packages(&[BENCH_BROWSER])
}

/// The Python that has schemathesis.
pub const PYTHON: &str = "target/tools/api/bin/python";

/// The Python packages of the lock file, by their hashes, in an environment of their own.
pub fn schemathesis() -> Result<()> {
    const LOCK: &str = "xtask/api/requirements.txt";
    let stamp = Path::new("target/tools/api/.installed-lock");
    let wanted = format!("{:016x}", fingerprint::of(&[LOCK])?);
    if fs::read_to_string(stamp).is_ok_and(|found| found == wanted) {
        return Ok(());
    }
    timed("Install schemathesis", || {
        run("python3", &["-m", "venv", "--clear", "target/tools/api"])?;
        let mut args = vec![
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
        ];
        args.extend([
            "--require-hashes",
            "--only-binary",
            ":all:",
            "--requirement",
            LOCK,
        ]);
        run(PYTHON, &args)
            .context("schemathesis could not be installed: pip says why above; the first time it needs the network")?;
        fs::write(stamp, wanted)?;
        Ok(())
    })
}

/// The npm packages of the lock file, none of whose install scripts run.
pub fn npm_packages() -> Result<()> {
    ensure!(
        Path::new("package-lock.json").exists(),
        "package-lock.json is missing: it belongs to the repository, `git checkout package-lock.json` brings it back."
    );
    // Beside what it describes, so that it goes when somebody deletes node_modules.
    let stamp = Path::new("node_modules/.installed-lock");
    let wanted = format!("{:016x}", fingerprint::of(&["package-lock.json"])?);
    if fs::read_to_string(stamp).is_ok_and(|found| found == wanted) {
        return Ok(());
    }
    timed("Install npm packages", || {
        // Not `npm ci`: that takes only lock files with the packages of all systems, and npm leaves those out that its
        // registry does not carry. Without saving, this installs the very versions of the lock file too; that it fits
        // package.json is one of the tidy tests.
        run("npm", &["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"])
            .context("The npm packages could not be installed: npm says why above; the first time it needs the network")?;
        fs::write(stamp, wanted)?;
        Ok(())
    })
}

/// Browser of the tests: Chromium without the windows that nobody looks at, which takes a quarter less of the
/// processor.
const TEST_BROWSER: &str = "chromium-headless-shell";

/// Browser that gets notifications in tests: the one that can be pointed at a push service of this machine.
const PUSH_BROWSER: &str = "firefox-esr";

/// Browser that is measured: the one that people have.
const BENCH_BROWSER: &str = "chromium";

/// Returns the path at which Debian's package of that name puts its browser, unless `CHROMIUM` or `FIREFOX` says where
/// one is; vitest and Playwright are configured likewise.
fn browser(package: &str) -> PathBuf {
    let there = || Path::new("/usr/bin").join(package);
    let variable = if package == PUSH_BROWSER {
        "FIREFOX"
    } else {
        "CHROMIUM"
    };
    env::var_os(variable).map_or_else(there, PathBuf::from)
}

fn node() -> Result<()> {
    let what_to_do =
        "Install Node.js 20.19 or newer with npm (https://nodejs.org), then run this again.";
    let Some(version) = output("node", &["--version"]) else {
        bail!("Node.js is missing. {what_to_do}");
    };
    let mut numbers = version
        .trim_start_matches('v')
        .split('.')
        .map_while(|it| it.parse::<u32>().ok());
    ensure!(
        (Some(20), Some(19)) <= (numbers.next(), numbers.next()),
        "Node.js {version} is too old. {what_to_do}"
    );
    ensure!(
        output("npm", &["--version"]).is_some(),
        "npm is missing. {what_to_do}"
    );
    Ok(())
}

fn wasm_target() -> Result<()> {
    let there = output("rustc", &["--print", "target-libdir", "--target", WASM])
        .is_some_and(|folder| Path::new(&folder).is_dir());
    if there {
        return Ok(());
    }
    timed("Add Rust's WebAssembly target", || {
        run("rustup", &["target", "add", WASM]).with_context(|| {
            format!("Rust cannot build for the browser without its target {WASM}: install Rust with rustup (https://rustup.rs) and see that it reaches the network")
        })
    })
}

/// The tool that knows every licence and source, in the repository's own `target/tools`.
pub fn cargo_deny() -> Result<()> {
    if output("target/tools/bin/cargo-deny", &["--version"])
        .is_some_and(|it| it.split_whitespace().any(|word| word == CARGO_DENY))
    {
        return Ok(());
    }
    timed(&format!("Install cargo-deny {CARGO_DENY}"), || {
        let mut args = vec!["install", "--quiet", "--root", "target/tools", "--force"];
        // It looks at a few files: built without optimizations it is there in half the time.
        args.extend_from_slice(&["--version", CARGO_DENY, "cargo-deny", "--locked", "--debug"]);
        run("cargo", &args).context(
            "cargo-deny could not be built: it needs a C compiler (apt-get install build-essential) and, once, the network",
        )
    })
}

fn debian_packages(browsers: &[&'static str]) -> Result<()> {
    let mut missing = browsers.to_vec();
    missing.retain(|it| !browser(it).is_file());
    if postgres::programs().is_none() {
        missing.push("postgresql");
    }
    // Reads the PDFs that the server makes.
    if on_path("pdftotext").is_none() {
        missing.push("poppler-utils");
    }
    if output("python3", &["-c", "import ensurepip, venv"]).is_none() {
        missing.push("python3-venv");
    }
    if missing.is_empty() {
        return Ok(());
    }
    let wanted = missing.join(" ");
    let by_hand = format!(
        "The tests need {wanted}. Install with: sudo apt-get update && sudo apt-get install --no-install-recommends {wanted}"
    );
    ensure!(on_path("apt-get").is_some(), "{by_hand}");
    let root = output("id", &["-u"]).as_deref() == Some("0");
    ensure!(
        root || output("sudo", &["-n", "true"]).is_some(),
        "{by_hand}"
    );
    timed(&format!("Install {wanted} from Debian"), || {
        let apt = |args: &[&str]| {
            // `env`, because sudo passes no environment on.
            let mut words = vec!["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"];
            words.extend_from_slice(args);
            let (program, args) = if root {
                (words[0], &words[1..])
            } else {
                ("sudo", &words[..])
            };
            run(program, args)
        };
        let mut install = vec!["install", "--yes", "--no-install-recommends"];
        install.extend_from_slice(&missing);
        apt(&["update"])
            .and_then(|()| apt(&install))
            .with_context(|| by_hand.clone())
    })
}

fn on_path(program: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?)
        .map(|folder| folder.join(program))
        .find(|it| it.is_file())
}
