//! The simulation: many phones, of a sitter and of pet parents, with the project's own `core::sync`, the real router on a
//! real SQLite database, and a network, tabs, clocks and a server that fail, all from a seed. It checks the invariants of
//! the design, and that planted bugs break them.
//!
//! `--seeds N [--from S] [--workers W] [--bug NAME]` runs many, `--seed S` one again with its log (`--bug NAME
//! --unplanted` with the draws of a bug and without the bug), `--bugs` every planted bug until it is caught. With no arguments: the short form, 2,000 seeds and all bugs.

mod act_checks;
mod acts;
mod backend;
mod bugs;
mod names;
mod oracle;
mod parents;
mod people;
mod phone;
mod portal_checks;
mod request_checks;
mod rng;
mod world;

use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use backend::Database;
use bugs::Bug;
use oracle::Violation;
use world::Draw;

/// Seeds of a run whose arguments name no number.
const SHORT_SEEDS: u64 = 2_000;
/// Seeds within which a planted bug must be caught.
const BUG_SEEDS: u64 = 600;
/// Seeds that share one database: each leaves its business in it.
const SEEDS_PER_DATABASE: u64 = 500;

/// The run that the arguments ask for.
#[derive(Clone, Copy, Debug)]
struct Asked {
    seeds: u64,
    from: u64,
    seed: Option<u64>,
    bug: Option<Bug>,
    bugs: bool,
    /// False where a seed that was drawn for a bug runs without it.
    is_planted: bool,
    /// How many run at the same time.
    workers: usize,
    /// Stop a bug's seeds at the first one that is caught.
    until_caught: bool,
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match parse(&args) {
        Ok(None) => ExitCode::SUCCESS,
        Ok(Some(asked)) => {
            let is_good = match asked {
                Asked {
                    seed: Some(seed),
                    bug,
                    ..
                } => replay(seed, bug, asked.is_planted),
                Asked { bugs: true, .. } => all_bugs(asked),
                Asked { bug: Some(bug), .. } => one_bug(asked, bug, asked.seeds),
                _ => {
                    correct(asked)
                        && (args.iter().any(|it| it.starts_with("--seeds")) || all_bugs(asked))
                }
            };
            if is_good {
                ExitCode::SUCCESS
            } else {
                ExitCode::FAILURE
            }
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Parses the arguments; `None` where a test runner only wants a list.
fn parse(args: &[String]) -> Result<Option<Asked>, String> {
    let mut asked = Asked {
        seeds: SHORT_SEEDS,
        from: 1,
        seed: None,
        bug: None,
        bugs: false,
        is_planted: true,
        workers: std::thread::available_parallelism().map_or(2, NonZeroUsize::get),
        until_caught: true,
    };
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let (name, inline) = arg
            .split_once('=')
            .map_or((arg.as_str(), None), |(name, it)| {
                (name, Some(it.to_owned()))
            });
        let mut value = || {
            inline
                .clone()
                .or_else(|| args.next().cloned())
                .ok_or(format!("{name} needs a value"))
        };
        let number = |it: String| {
            it.parse::<u64>()
                .map_err(|_| format!("{name}: `{it}` is no number"))
        };
        match name {
            "--seeds" => {
                asked.seeds = number(value()?)?;
                asked.until_caught = false;
            }
            "--workers" => asked.workers = usize::try_from(number(value()?)?).unwrap_or(1).max(1),
            "--from" => asked.from = number(value()?)?,
            "--seed" => asked.seed = Some(number(value()?)?),
            "--bug" => {
                let name = value()?;
                let names = || {
                    Bug::ALL
                        .iter()
                        .map(|it| it.name())
                        .collect::<Vec<_>>()
                        .join(", ")
                };
                asked.bug = Some(
                    Bug::parse(&name)
                        .ok_or_else(|| format!("no bug `{name}`; there are: {}", names()))?,
                );
            }
            "--bugs" => asked.bugs = true,
            "--unplanted" => asked.is_planted = false,
            // What test runners pass to every test binary.
            "--list" => return Ok(None),
            "--nocapture" | "--quiet" | "-q" | "--exact" => {}
            "--test-threads" | "--color" | "--format" => drop(value()?),
            other if other.starts_with('-') => return Err(format!("unknown argument {other}")),
            // A filter by a test's name.
            filter if "simulation".contains(filter) => {}
            _ => return Ok(None),
        }
    }
    Ok(Some(asked))
}

/// The seeds of the system as it is.
fn correct(asked: Asked) -> bool {
    let begun = Instant::now();
    let is_same = is_deterministic(asked.from);
    let Summary {
        n_run,
        counts,
        drawn,
        failures,
        ..
    } = run_seeds(asked, asked.seeds, None, false);
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "simulation: {n_run} seeds in {seconds:.1} s, {} failed: {counts}",
        failures.len()
    );
    for (seed, violation) in failures.iter().skip(1) {
        println!("seed {seed}: {}: {}", violation.invariant, violation.text);
    }
    if let Some((seed, violation)) = failures.first() {
        println!("\nseed {seed}: {}: {}", violation.invariant, violation.text);
        replay(*seed, None, false);
        println!("\nOnce more: cargo xtask simulate --seed {seed}");
    }
    let names = names::check(&drawn, n_run);
    if let Err(wrong) = &names {
        println!("simulation: {wrong}");
    }
    is_same && failures.is_empty() && names.is_ok()
}

/// The same seed gives the same run, line by line.
fn is_deterministic(seed: u64) -> bool {
    let first = log_of(seed, None, false);
    let again = log_of(seed, None, false);
    let is_same = first.0 == again.0 && 50 < first.0.len();
    println!(
        "simulation: seed {seed} gives the same {} lines twice: {is_same}",
        first.0.len()
    );
    if let Some((one, other)) = first
        .0
        .iter()
        .zip(&again.0)
        .find(|(one, other)| one != other)
    {
        println!("  {one}\n  {other}");
    }
    is_same
}

/// Every planted bug, until it is caught or for all seeds.
fn all_bugs(asked: Asked) -> bool {
    let seeds = if asked.until_caught {
        BUG_SEEDS
    } else {
        asked.seeds
    };
    let caught: Vec<bool> = Bug::ALL
        .iter()
        .map(|bug| one_bug(asked, *bug, seeds))
        .collect();
    let n = caught.iter().filter(|it| **it).count();
    println!(
        "simulation: {n} of {} planted bugs were caught",
        caught.len()
    );
    n == caught.len()
}

/// Every seed that fails with the bug is run once more without it: what fails then too has another cause.
fn one_bug(asked: Asked, bug: Bug, seeds: u64) -> bool {
    let Summary {
        n_run,
        failures,
        unplanted,
        ..
    } = run_seeds(asked, seeds, Some(bug), asked.until_caught);
    for (seed, it) in &unplanted {
        println!(
            "{}: seed {seed} fails without the bug: {}: {}",
            bug.name(),
            it.invariant,
            it.text
        );
    }
    let by = failures.first().map_or_else(String::new, |(seed, it)| {
        format!("seed {seed}: {}: {}", it.invariant, it.text)
    });
    let by: String = by.chars().take(140).collect();
    println!(
        "{:<34} caught by {:>4} of {n_run:>4} seeds  {by}",
        bug.name(),
        failures.len()
    );
    !failures.is_empty() && unplanted.is_empty()
}

/// Runs one seed with its log.
fn replay(seed: u64, bug: Option<Bug>, is_planted: bool) -> bool {
    let (log, result) = log_of(seed, bug, is_planted);
    for line in log {
        println!("{line}");
    }
    match result {
        Ok(()) => {
            println!("seed {seed}: everything holds");
            true
        }
        Err(Violation { invariant, text }) => {
            println!("seed {seed} breaks {invariant}: {text}");
            false
        }
    }
}

fn log_of(seed: u64, bug: Option<Bug>, is_planted: bool) -> (Vec<String>, Result<(), Violation>) {
    let folder = folder();
    let jpeg = jpeg();
    let draw = Draw {
        seed,
        favoured: bug,
        is_planted,
    };
    let run = runtime().block_on(async {
        let database = Database::create(folder.path()).await;
        world::run(&database, &jpeg, draw, true).await
    });
    (run.log, run.result)
}

struct Summary {
    n_run: u64,
    counts: world::Counts,
    drawn: names::Drawn,
    failures: Vec<(u64, Violation)>,
    /// Failures of seeds drawn for a bug, without the bug.
    unplanted: Vec<(u64, Violation)>,
}

/// Runs seeds, each worker on a database of its own.
fn run_seeds(asked: Asked, seeds: u64, bug: Option<Bug>, stop_at_first: bool) -> Summary {
    let Asked { from, workers, .. } = asked;
    let next = Arc::new(AtomicU64::new(from));
    let stop = Arc::new(AtomicBool::new(false));
    let summary = Arc::new(Mutex::new(Summary {
        n_run: 0,
        counts: world::Counts::default(),
        drawn: names::Drawn::new(),
        failures: Vec::new(),
        unplanted: Vec::new(),
    }));
    let workers: Vec<_> = (0..workers)
        .map(|worker| {
            let (next, stop, summary) =
                (Arc::clone(&next), Arc::clone(&stop), Arc::clone(&summary));
            std::thread::spawn(move || {
                stay_on_a_core(worker);
                let jpeg = jpeg();
                runtime().block_on(async {
                    let mut place = folder();
                    let mut database = Database::create(place.path()).await;
                    for n in 1.. {
                        let seed = next.fetch_add(1, Ordering::Relaxed);
                        if from + seeds <= seed || stop.load(Ordering::Relaxed) {
                            break;
                        }
                        if n % SEEDS_PER_DATABASE == 0 {
                            database.close().await;
                            place = folder();
                            database = Database::create(place.path()).await;
                        }
                        let draw = |is_planted| Draw {
                            seed,
                            favoured: bug,
                            is_planted,
                        };
                        let run = world::run(&database, &jpeg, draw(true), false).await;
                        let fails_anyway = match (&run.result, bug) {
                            // On a database of its own: a seed's business has the same ids each time.
                            (Err(_), Some(_)) => {
                                let place = folder();
                                let other = Database::create(place.path()).await;
                                let run = world::run(&other, &jpeg, draw(false), false).await;
                                other.close().await;
                                run.result.err()
                            }
                            _ => None,
                        };
                        let mut summary = summary.lock().unwrap();
                        summary.n_run += 1;
                        summary.counts += run.counts;
                        for (name, n) in run.drawn {
                            *summary.drawn.entry(name).or_default() += n;
                        }
                        if let Some(violation) = fails_anyway {
                            summary.unplanted.push((seed, violation));
                        } else if let Err(violation) = run.result {
                            summary.failures.push((seed, violation));
                            summary.failures.sort_by_key(|it| it.0);
                            stop.store(stop_at_first, Ordering::Relaxed);
                        }
                    }
                });
            })
        })
        .collect();
    for worker in workers {
        worker.join().expect("a worker does not panic");
    }
    Arc::into_inner(summary).unwrap().into_inner().unwrap()
}

/// A worker and the threads of its database do one thing after the other, thousands of times for a seed: on one core
/// they hand over in a fraction of the time that it takes to wake another core.
fn stay_on_a_core(worker: usize) {
    #[cfg(target_os = "linux")]
    {
        use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
        let allowed = sched_getaffinity(None).unwrap();
        let cores: Vec<usize> = (0..CpuSet::MAX_CPU)
            .filter(|it| allowed.is_set(*it))
            .collect();
        let mut core = CpuSet::new();
        core.set(cores[worker % cores.len()]);
        sched_setaffinity(None, &core).unwrap();
    }
    #[cfg(not(target_os = "linux"))]
    let _ = worker;
}

/// Without the part that waits for sockets: there are none.
fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap()
}

/// In memory where there is such a place: what survives a power cut is another test's business.
fn folder() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    let place = if memory.is_dir() {
        memory.to_owned()
    } else {
        std::env::temp_dir()
    };
    tempfile::Builder::new()
        .prefix("walkies-simulation")
        .tempdir_in(place)
        .unwrap()
}

/// A small photo.
fn jpeg() -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let image = image::RgbImage::from_fn(8, 8, |x, y| image::Rgb([30 * x as u8, 30 * y as u8, 90]));
    image
        .write_to(&mut bytes, image::ImageFormat::Jpeg)
        .unwrap();
    bytes.into_inner()
}
