//! Owns the sitter who does nothing wrong: she looks, changes and syncs, and notes how long that takes her.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use walkies_core::Command;
use walkies_core::commands::UpdateClient;
use walkies_core::values::patch::Patch;

use crate::phone::{Http, Queue};
use crate::server::sign_up;
use crate::target::Target;

/// Between two of her calls.
const PAUSE: Duration = Duration::from_millis(10);

/// What came of her calls.
#[derive(Debug, Default)]
pub struct Honest {
    pub times_ms: Vec<f64>,
    pub refused: Vec<String>,
}

impl Honest {
    /// Has her work while something else is done.
    pub fn beside<T>(target: &Target, done: impl FnOnce() -> T) -> (T, Self) {
        let mut http = Http::new(&target.address, "");
        sign_up(&mut http, target.folder.path(), "sam");
        let stop = AtomicBool::new(false);
        thread::scope(|scope| {
            let works = scope.spawn(|| work(http, &stop));
            let done = done();
            stop.store(true, Ordering::Relaxed);
            (done, works.join().expect("she goes on"))
        })
    }

    pub fn p99_ms(&self) -> f64 {
        let mut times = self.times_ms.clone();
        times.sort_by(f64::total_cmp);
        let place = times.len().saturating_sub(1) * 99 / 100;
        times.get(place).copied().unwrap_or_default()
    }

    /// Calls, and once more on a new connection where the old one was closed meanwhile, as browsers do.
    fn call(&mut self, http: &mut Http, method: &str, path: &str, body: Option<&Value>) -> String {
        let begun = Instant::now();
        let answer = http
            .call(method, path, body)
            .or_else(|| http.call(method, path, body));
        self.times_ms.push(begun.elapsed().as_secs_f64() * 1e3);
        match answer {
            Some((200..300, text)) => text,
            Some((status, text)) => {
                self.refused
                    .push(format!("{method} {path}: {status} {text}"));
                String::new()
            }
            None => {
                self.refused.push(format!("{method} {path}: no answer"));
                String::new()
            }
        }
    }
}

fn work(mut http: Http, stop: &AtomicBool) -> Honest {
    let mut honest = Honest::default();
    let mut queue = Queue::new();
    let (client, _) = queue.save_client("Anna", "Rex");
    let mut n = 0;
    while !stop.load(Ordering::Relaxed) || n == 0 {
        n += 1;
        let body = queue.body(&queue.waiting);
        let text = honest.call(&mut http, "POST", "/sync/push", Some(&body));
        if !text.is_empty() {
            queue.take(&text);
        }
        let form = json!({ "access_notes": format!("code {n}") });
        honest.call(&mut http, "PUT", &format!("/clients/{client}"), Some(&form));
        let pull = format!("/sync/pull?cursor=0&schema=1&device_id={}", queue.device_id);
        for path in ["/clients", "/scheduled-services", "/sitters/profile", &pull] {
            honest.call(&mut http, "GET", path, None);
            thread::park_timeout(PAUSE);
        }
        queue.save(&Command::UpdateClient(UpdateClient {
            id: client,
            changes: Patch::of("phone", format!("040 {n}")),
            dogs: Vec::new(),
            removed_dogs: Vec::new(),
        }));
    }
    honest
}
