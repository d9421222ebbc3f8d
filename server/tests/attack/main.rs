//! One account, or none, does not stop the server: the real binary is attacked in each of these ways, and beside each an
//! honest sitter and a client of hers work on it. No call of theirs may be refused, and the process never takes more than
//! 300 MB: it is ended where it tries to.
//!
//! Without arguments the short form runs, which no slow machine can fail, two attacks at a time, each on a server of its own;
//! `--full` attacks for longer, attacks PostgreSQL too where `WALKIES_TEST_POSTGRES` names one, and holds what the honest wait
//! for against its bound, one attack after the other. A name runs that attack alone.

#[path = "../process/phone.rs"]
mod phone;
#[path = "../process/server.rs"]
#[expect(dead_code, reason = "each server here has flags of its own")]
mod server;

mod attacks;
mod honest;
mod live_maps;
mod long_work;
mod memory;
mod memory_limit;
mod png;
mod target;

use std::process::ExitCode;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use attacks::{ATTACKS, Attack};
use honest::Honest;
use target::Target;

/// Most memory that the process may take at its peak, in MB.
pub const MEMORY_MB: f64 = 300.0;
/// Within this 99 of 100 calls of the honest are answered, in the full form.
const PATIENCE_MS: f64 = 250.0;

/// Number of attacks of the short form that run at the same time: most of them wait more than they work.
const AT_ONCE: usize = 2;

/// How hard is attacked.
#[derive(Clone, Copy, Debug)]
pub struct Force {
    is_full: bool,
}

impl Force {
    /// A number of something.
    fn n(self, short: usize, full: usize) -> usize {
        if self.is_full { full } else { short }
    }

    /// How long that lasts which has no end of its own.
    fn lasts(self) -> Duration {
        Duration::from_secs(if self.is_full { 15 } else { 2 })
    }
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    // Test runners ask every target for its tests.
    if args.iter().any(|it| it == "--list") {
        return ExitCode::SUCCESS;
    }
    let force = Force {
        is_full: args.iter().any(|it| it == "--full"),
    };
    let names: Vec<&String> = args.iter().filter(|it| !it.starts_with('-')).collect();
    let is_asked_for = |attack: &&Attack| {
        names.is_empty() || names.iter().any(|it| attack.name.contains(it.as_str()))
    };
    let all = ATTACKS.iter().chain(memory::ATTACKS);
    let asked_for: Vec<&Attack> = all.filter(is_asked_for).collect();
    if asked_for.is_empty() {
        eprintln!("no attack has such a name");
        return ExitCode::FAILURE;
    }
    let postgres = std::env::var("WALKIES_TEST_POSTGRES").ok();
    let postgres = postgres.filter(|it| force.is_full && !it.is_empty());
    let one_by_one = || {
        asked_for.iter().fold(true, |holds, attack| {
            let postgres = postgres.as_deref().filter(|_| attack.is_on_database);
            let on_sqlite = run(attack, force, None);
            let on_postgres = postgres.is_none_or(|it| run(attack, force, Some(it)));
            holds && on_sqlite && on_postgres
        })
    };
    let holds = match force.is_full {
        true => one_by_one(),
        false => side_by_side(&asked_for, force),
    };
    if holds {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Runs the attacks, `AT_ONCE` at the same time; returns `false` if one of them does not hold.
fn side_by_side(attacks: &[&Attack], force: Force) -> bool {
    let left = Mutex::new(attacks.iter());
    let next = || left.lock().expect("nobody panics with it").next();
    let run_all = || {
        let mut holds = true;
        while let Some(attack) = next() {
            holds &= run(attack, force, None);
        }
        holds
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(run_all)).collect();
        let mut ends = workers
            .into_iter()
            .map(|it| it.join().expect("an attack ends"));
        ends.all(|holds| holds)
    })
}

/// Attacks on SQLite or on this PostgreSQL, and prints what came of it; `false` where something does not hold.
fn run(attack: &Attack, force: Force, postgres: Option<&str>) -> bool {
    let begun = Instant::now();
    let target = Target::start(attack, force, postgres);
    (attack.prepare)(&target, force);
    let (seen, honest) = Honest::beside(&target, || (attack.run)(&target, force));
    let peak_mb = target.end();
    let p99_ms = honest.p99_ms();
    let mut wrong = Vec::new();
    if let Err(what) = seen {
        wrong.push(what);
    }
    if let Some(first) = honest.refused.first() {
        wrong.push(format!(
            "{} honest calls were refused, the first: {first}",
            honest.refused.len()
        ));
    }
    match peak_mb {
        None => wrong.push("it ended by itself".to_owned()),
        Some(peak_mb) if MEMORY_MB < peak_mb => {
            wrong.push(format!("it took more than {MEMORY_MB} MB"));
        }
        Some(_) => {}
    }
    if force.is_full && PATIENCE_MS < p99_ms {
        wrong.push(format!(
            "the honest waited for longer than {PATIENCE_MS} ms"
        ));
    }
    println!(
        "attack | {:<69} | {:<10} | {:>5.1} s | peak {:>4.0} MB | {:>5} honest calls, p99 {p99_ms:>5.0} ms | {}",
        attack.name,
        postgres.map_or("SQLite", |_| "PostgreSQL"),
        begun.elapsed().as_secs_f64(),
        peak_mb.unwrap_or_default(),
        honest.times_ms.len(),
        if wrong.is_empty() { "holds" } else { "FAILED" },
    );
    for what in &wrong {
        println!("    {what}");
    }
    wrong.is_empty()
}
