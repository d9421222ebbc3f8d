//! Builds the product in its order: the core for the phone, the app around it, the server that carries both.

use std::fs;
use std::os::unix::process::CommandExt;
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use wasm_bindgen_cli_support::Bindgen;

use crate::fingerprint::unless_fresh;
use crate::process::{command, output, run, run_with, timed};
use crate::setup;
use crate::split;

/// A part of the core that the phone downloads by itself: `core/src/wasm` built with a feature of its name.
struct Module<'a> {
    /// Its feature in `core/Cargo.toml`, its folder in `MODULES_IN`, and the end of its files' names.
    name: &'a str,
    /// Differences from the profile `wasm` of `Cargo.toml`. It is one profile all the same, since each other one would
    /// build serde's and wasm-bindgen's macros once more.
    settings: &'static [&'static str],
    /// Passes that wasm-opt runs on it.
    passes: &'static [&'static str],
}

/// Folder that the modules go to.
const MODULES_IN: &str = "pwa/src/core/pkg";

/// The feature of the core that all modules are listed by.
const MODULES: &str = "modules";

/// Routes are searched and maps are drawn with the one, ten thousands of services are added up with the other. Each is
/// fetched when it is first needed: speed before size.
const FAST: [&str; 2] = ["map", "analytics"];

/// This one is downloaded before anything is shown.
const FIRST: &str = "core";

/// The feature with the answers to `core/testdata`, which nobody downloads.
const GOLDEN: &str = "golden";

/// The whole product in `target/release/walkies`: the core for the phone, the app around it, and the server that has both
/// in it.
pub fn everything() -> Result<()> {
    setup::for_build()?;
    wasm()?;
    app()?;
    server("release")
}

/// Builds the product as fast as can be, its server by the profile `start`, then becomes the server with its demo business.
/// The modules are those of the tests: they are larger than delivered ones, which take longer to optimize than all the rest
/// takes to build.
pub fn start(flags: &[&str]) -> Result<()> {
    fast_wasm()?;
    fast_app()?;
    server("start")?;
    let mut args = vec!["serve", "--demo"];
    args.extend_from_slice(flags);
    // Replaces this process, so that Ctrl+C and a service manager's signals reach the server itself.
    let error = command("target/start/walkies", &args).exec();
    Err(error).context("target/start/walkies does not start")
}

/// Target folders of the two builds that run at the same time. Each module is optimized as a whole, on one core.
const TARGETS: [&str; 2] = ["target", "target/second"];

/// The core for the phone, module by module: WebAssembly and its TypeScript declarations.
pub fn wasm() -> Result<()> {
    setup::for_build()?;
    let names = modules()?;
    let left = Mutex::new(names.iter());
    let next = || left.lock().unwrap_or_else(PoisonError::into_inner).next();
    let build_all = |target| {
        while let Some(name) = next() {
            let (settings, passes): (&[&str], &[&str]) = match name.as_str() {
                it if FAST.contains(&it) => (&["opt-level=3"], &[]),
                _ => (&[], &SMALLER),
            };
            package(
                target,
                &Module {
                    name,
                    settings,
                    passes,
                },
            )?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let workers = TARGETS.map(|it| scope.spawn(move || build_all(it)));
        let ends = workers.map(|it| it.join().expect("a build does not panic"));
        ends.into_iter().collect()
    })
}

/// The names of all modules, from the one list that there is.
fn modules() -> Result<Vec<String>> {
    let args = ["metadata", "--no-deps", "--format-version=1", "--locked"];
    let text = output("cargo", &args).context("cargo tells nothing of the packages.")?;
    let metadata: Value = serde_json::from_str(&text)?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let mut lists = packages.filter_map(|it| it["features"].get(MODULES)?.as_array());
    let names = lists.next().into_iter().flatten().filter_map(Value::as_str);
    let names: Vec<String> = names.map(str::to_owned).collect();
    ensure!(!names.is_empty(), "core/Cargo.toml lists no modules.");
    Ok(names)
}

/// Builds the modules for tests and the demo: one program with all features, built as fast as can be and bound once, of
/// which each module is a copy with more doors than it needs. A further one has the answers to `core/testdata`, for the test
/// that compares them with the native ones.
pub fn fast_wasm() -> Result<()> {
    setup::for_build()?;
    let names = modules()?;
    let mut inputs = inputs(true);
    inputs.push("core/tests/ledger/model.rs");
    unless_fresh("WebAssembly, built fast", &inputs, MODULES_IN, || {
        let features = format!("{MODULES},{GOLDEN}");
        let settings = ["opt-level=2", "lto=\"off\"", "codegen-units=16"];
        let built = compile(TARGETS[0], &features, &settings, &CLIPPY)?;
        bind(&built, ALL_AT_ONCE, BOUND_IN)?;
        let program = format!("walkies_{ALL_AT_ONCE}_bg.wasm");
        let first = format!("{MODULES_IN}/{FIRST}");
        let first_program = format!("walkies_{FIRST}_bg.wasm");
        copy_module(FIRST, &first_program)?;
        split::apart(&first, &first_program)?;
        // Names of functions are a fifth of what each browser story would download.
        without_names(&format!("{first}/{first_program}"))?;
        without_names(&format!("{first}/{}", split::REST))?;
        without_names(&format!("{BOUND_IN}/{program}"))?;
        let others = names.iter().map(String::as_str).filter(|it| *it != FIRST);
        others
            .chain([GOLDEN])
            .try_for_each(|it| copy_module(it, &program))
    })
}

/// Variables that `cargo clippy` sets for cargo, which would check where this compiles. A warning is an error.
const CLIPPY: [(&str, &str); 2] = [
    ("RUSTC_WORKSPACE_WRAPPER", "clippy-driver"),
    ("CLIPPY_ARGS", "-Dwarnings"),
];

/// The program of the tests with all features, and where it lies.
const ALL_AT_ONCE: &str = "all";
const BOUND_IN: &str = "target/wasm-for-tests";

/// Copies the program with all features as a module whose WebAssembly is called `program`. Modules that call it the same
/// have the same file in the app, which a phone of the tests downloads once.
fn copy_module(name: &str, program: &str) -> Result<()> {
    let (from, to) = (format!("walkies_{ALL_AT_ONCE}"), format!("walkies_{name}"));
    let folder = format!("{MODULES_IN}/{name}");
    fs::create_dir_all(&folder)?;
    let bound = |ending: &str| format!("{BOUND_IN}/{from}{ending}");
    fs::copy(bound("_bg.wasm"), format!("{folder}/{program}"))?;
    fs::copy(bound(".d.ts"), format!("{folder}/{to}.d.ts"))?;
    let script = fs::read_to_string(bound(".js"))?;
    let own = script.replace(&format!("{from}_bg.wasm"), program);
    Ok(fs::write(format!("{folder}/{to}.js"), own)?)
}

/// Takes the names of functions off a module.
fn without_names(file: &str) -> Result<()> {
    let mut reading = walrus::ModuleConfig::new();
    let module = reading.generate_name_section(false).parse_file(file);
    module?.emit_wasm_file(file)
}

/// The passes of wasm-opt after which what brotli makes of it is smaller; most others make that larger. Functions of like
/// names are alike, and what is alike compresses best side by side.
const SMALLER: [&str; 11] = [
    "--duplicate-function-elimination",
    "--remove-unused-module-elements",
    "--simplify-locals-nostructure",
    "--vacuum",
    "--remove-unused-brs",
    "--optimize-instructions",
    "--merge-blocks",
    "--rse",
    "--reorder-locals",
    "--vacuum",
    "--reorder-functions-by-name",
];

/// Builds a module as it is delivered, in one of `TARGETS`.
fn package(target: &str, module: &Module) -> Result<()> {
    let name = module.name;
    let inputs = inputs(name == FIRST);
    let folder = format!("{MODULES_IN}/{name}");
    unless_fresh(
        &format!("WebAssembly module {name}"),
        &inputs,
        &folder,
        || {
            let built = compile(target, name, module.settings, &[])?;
            bind(&built, name, &folder)?;
            let file = format!("walkies_{name}_bg.wasm");
            let mut files = vec![format!("{folder}/{file}")];
            if name == FIRST {
                split::apart(&folder, &file)?;
                files.push(format!("{folder}/{}", split::REST));
            }
            files.iter().try_for_each(|it| optimize(it, module.passes))
        },
    )
}

/// The files that a module is made of; the first one is split by a list.
fn inputs(is_split: bool) -> Vec<&'static str> {
    let mut inputs = vec![
        "core/row-text",
        "core/src",
        "core/Cargo.toml",
        "Cargo.toml",
        "Cargo.lock",
        "rust-toolchain.toml",
        "xtask/src/build.rs",
    ];
    if is_split {
        inputs.extend(["xtask/src/split.rs", split::LIST]);
    }
    inputs
}

/// Compiles the core with these features, by the profile `wasm` with these settings instead of its own, in this target folder
/// and with these variables; the file.
fn compile(
    target: &str,
    features: &str,
    settings: &[&str],
    env: &[(&str, &str)],
) -> Result<String> {
    let settings = settings.iter().map(|it| format!("profile.wasm.{it}"));
    let settings: Vec<String> = settings.collect();
    let mut args = vec!["rustc", "--quiet", "--locked", "-p", "walkies-core"];
    args.extend([
        // Natively the core is an `rlib` alone: what uses it is compiled while it still is.
        "--lib",
        "--crate-type",
        "cdylib",
        "--target",
        setup::WASM,
        "--profile",
        "wasm",
        "--features",
        features,
    ]);
    args.extend(settings.iter().flat_map(|it| ["--config", it]));
    let env = [&[("CARGO_TARGET_DIR", target)], env].concat();
    run_with("cargo", &args, &env)?;
    Ok(format!("{target}/{}/wasm/walkies_core.wasm", setup::WASM))
}

/// Writes the compiled module with its script and its TypeScript declarations into a folder.
fn bind(compiled: &str, name: &str, folder: &str) -> Result<()> {
    Bindgen::new()
        .input_path(compiled)
        .out_name(&format!("walkies_{name}"))
        .web(true)?
        .omit_default_module_path(false)
        .typescript(true)
        .generate(folder)
}

/// Does these passes of wasm-opt to a module, and takes off what nobody reads.
fn optimize(file: &str, passes: &[&str]) -> Result<()> {
    let mut args = passes.to_vec();
    args.extend_from_slice(&["--strip-debug", "--strip-producers"]);
    // The features are those of Rust's target, which wasm-opt does not know.
    args.extend_from_slice(&["--enable-bulk-memory", "--enable-bulk-memory-opt"]);
    args.extend_from_slice(&["--enable-call-indirect-overlong", "--enable-multivalue"]);
    args.extend_from_slice(&["--enable-mutable-globals", "--enable-sign-ext"]);
    args.extend_from_slice(&["--enable-nontrapping-float-to-int"]);
    args.extend_from_slice(&["--enable-reference-types", file, "-o", file]);
    run("wasm-opt", &args)
}

/// The app in `pwa/dist` around the modules that are there, each file that compresses with its `.br` beside it.
pub fn app() -> Result<()> {
    app_with("App", &[])
}

/// The app as browser tests and the demo have it, compressed fast: the best compression of the modules that are built fast
/// takes longer than they take to compile.
pub fn fast_app() -> Result<()> {
    app_with("App, built fast", &[("WALKIES_BROTLI_QUALITY", "4")])
}

fn app_with(what: &str, env: &[(&str, &str)]) -> Result<()> {
    let inputs = [
        "pwa/index.html",
        "pwa/report.html",
        "pwa/public",
        "pwa/src",
        MODULES_IN,
        "pwa/tsconfig.json",
        "pwa/vite.config.ts",
        "manifest",
        "package.json",
        "package-lock.json",
    ];
    unless_fresh(what, &inputs, "pwa/dist", || {
        run_with("npm", &["run", "--silent", "build"], env)
    })
}

/// The OpenAPI document, on standard output.
pub fn openapi() -> Result<()> {
    let args = ["run", "--quiet", "-p", "walkies-server", "--", "openapi"];
    let status = command("cargo", &args).status()?;
    ensure!(status.success(), "the server made no OpenAPI document.");
    Ok(())
}

/// Builds the server, with the app in it, by a profile of `Cargo.toml`.
fn server(profile: &str) -> Result<()> {
    timed("Server", || {
        let mut args = vec!["build", "--quiet", "--locked", "-p", "walkies-server"];
        args.extend_from_slice(&["--profile", profile]);
        run("cargo", &args)
    })
}
