//! Owns those who do nothing wrong, and note how long what they do takes them: a sitter who looks, changes and syncs, a client
//! of hers, and where a client attacks, the sitter who is attacked and another client of that sitter.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use walkies_core::commands::UpdateClient;
use walkies_core::sync::wire::SCHEMA;
use walkies_core::values::patch::Patch;
use walkies_core::{Command, Id};

use crate::phone::{Http, Queue, new_id};
use crate::target::Target;

/// Pause between two of their calls.
const PAUSE: Duration = Duration::from_millis(10);

/// A client writes a message in one of so many rounds.
const MESSAGE_EVERY: usize = 8;

/// Durations of their calls, and those that were refused.
#[derive(Debug, Default)]
pub struct Honest {
    pub times_ms: Vec<f64>,
    pub refused: Vec<String>,
}

impl Honest {
    /// Has them work while something else is done.
    pub fn beside<T>(target: &Target, done: impl FnOnce() -> T) -> (T, Self) {
        type Work = fn(Http, &AtomicBool) -> Honest;
        let mut sam = target.another("sam");
        let (pat, _) = target.parent_of(&mut sam, "pat");
        let mut people: Vec<(Http, Work)> = vec![(sam, work), (pat, go_on_as_client)];
        if target.is_beset {
            people.push((target.http(), answer_clients));
            people.push((target.parent("ben").0, go_on_as_client));
        }
        let stop = AtomicBool::new(false);
        thread::scope(|scope| {
            let stop = &stop;
            let work = people
                .into_iter()
                .map(|(http, work)| scope.spawn(move || work(http, stop)));
            let work: Vec<_> = work.collect();
            let done = done();
            stop.store(true, Ordering::Relaxed);
            let mut all = Self::default();
            for honest in work.into_iter().map(|it| it.join().expect("they go on")) {
                all.times_ms.extend(honest.times_ms);
                all.refused.extend(honest.refused);
            }
            (done, all)
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

/// The sitter whose client attacks: she writes to another one, corrects, and looks at what waits for her.
fn answer_clients(mut http: Http, stop: &AtomicBool) -> Honest {
    let mut honest = Honest::default();
    let form = json!({ "name": "Carl", "email": "carl@example.com", "dogs": [{ "name": "Bo" }] });
    let client = http.data("POST", "/clients", Some(&form));
    let id = client["id"].as_str().expect("an id").to_owned();
    let mut pull = Pull::new("");
    let mut n = 0;
    while !stop.load(Ordering::Relaxed) || n == 0 {
        n += 1;
        let form = json!({ "conversation_id": id, "content": format!("On my way {n}") });
        honest.call(&mut http, "POST", "/messages", Some(&form));
        let form = json!({ "access_notes": format!("code {n}") });
        honest.call(&mut http, "PUT", &format!("/clients/{id}"), Some(&form));
        let messages = format!("/conversations/{id}/messages");
        for path in [
            &messages,
            "/messages/unread-count",
            "/sitter/requests?status=pending",
        ] {
            honest.call(&mut http, "GET", path, None);
            thread::park_timeout(PAUSE);
        }
        pull.pull(&mut honest, &mut http);
    }
    honest
}

/// A client who writes and looks.
fn go_on_as_client(mut http: Http, stop: &AtomicBool) -> Honest {
    let mut honest = Honest::default();
    let sitters = http.data("GET", "/client/sitters", None);
    let text = |it: &Value| it.as_str().expect("an id").to_owned();
    let (sitter_id, id) = (
        text(&sitters[0]["sitter_id"]),
        text(&sitters[0]["client_id"]),
    );
    let mut pull = Pull::new(&format!("&sitter_id={sitter_id}"));
    let mut n = 0;
    while !stop.load(Ordering::Relaxed) || n == 0 {
        n += 1;
        // Few people write so often that a day has no room for it.
        if n % MESSAGE_EVERY == 1 {
            let form = json!({ "conversation_id": id, "content": format!("Thank you {n}") });
            honest.call(&mut http, "POST", "/messages", Some(&form));
        }
        let form = json!({ "house_instructions": format!("Ring {n} times") });
        honest.call(&mut http, "PUT", "/client/details", Some(&form));
        for path in ["/conversations", "/client/services", "/client/requests"] {
            honest.call(&mut http, "GET", path, None);
            thread::park_timeout(PAUSE);
        }
        pull.pull(&mut honest, &mut http);
    }
    honest
}

/// A phone that is told what it does not know.
struct Pull {
    of: String,
    device_id: Id,
    known: String,
}

impl Pull {
    fn new(of: &str) -> Self {
        Self {
            of: of.to_owned(),
            device_id: new_id(),
            known: "cursor=0".to_owned(),
        }
    }

    fn pull(&mut self, honest: &mut Honest, http: &mut Http) {
        let Self {
            of,
            device_id,
            known,
        } = &self;
        let path = format!("/sync/pull?{known}&schema={SCHEMA}&device_id={device_id}{of}");
        let text = honest.call(http, "GET", &path, None);
        let page: Value = serde_json::from_str(&text).unwrap_or_default();
        let page = &page["data"];
        if let (Some(next), Some(epoch), Some(backend_id)) = (
            page["next"].as_u64(),
            page["epoch"].as_u64(),
            page["backend_id"].as_str(),
        ) {
            self.known = format!("cursor={next}&epoch={epoch}&backend_id={backend_id}");
        }
    }
}
