//! Owns attacks by live maps: by a sitter who sends the largest ones without end, and by a pet parent who asks without end;
//! beside them another sitter shows a walk, and its client looks.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use walkies_core::values::bounds::{LIVE_MAP_CHARS, LIVE_MAP_LINES, LIVE_MAP_POINTS};
use walkies_core::values::zone::TimeZone;
use walkies_core::{Id, Instant as Moment};

use crate::Force;
use crate::attacks::at_once;
use crate::phone::{Http, new_id};
use crate::target::Target;

/// Number of calls to live maps that one account has at once.
const BURST: usize = 60;

/// Pause of the honest between two updates, which is shorter than any phone's.
const PAUSE: Duration = Duration::from_millis(500);

/// A live map of a visit of today.
struct Walk {
    path: String,
    client_id: String,
    map_id: Id,
}

impl Walk {
    /// A visit of this parent's dog.
    fn new(sitter: &mut Http, parent: &mut Http, dog: &Value) -> Self {
        let sitters = parent.data("GET", "/client/sitters", None);
        let client = &sitters[0]["client_id"];
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let ms = since.expect("after 1970").as_millis();
        let now = Moment(i64::try_from(ms).expect("not so late"));
        let form = json!({
            "client_id": client, "dog_ids": [dog], "date": now.civil(&TimeZone::UTC).0,
            "duration_minutes": 30, "service_type": "walk", "start_time": "12:00",
        });
        let made = sitter.data("POST", "/scheduled-services", Some(&form));
        let text = |it: &Value| it.as_str().expect("an id").to_owned();
        Self {
            path: format!("/scheduled-services/{}/live-map", text(&made["id"])),
            client_id: text(client),
            map_id: new_id(),
        }
    }

    fn update(&self, map_id: Id, lines: &[String]) -> Value {
        let lines: Vec<Value> = lines.iter().map(|it| json!({ "points": it })).collect();
        json!({ "map_id": map_id, "client_id": self.client_id, "lines": lines, "here": null, "age_seconds": 0 })
    }
}

/// As many lines, points and characters as an update may have.
fn largest() -> Vec<String> {
    let points = LIVE_MAP_POINTS / LIVE_MAP_LINES;
    let chars = LIVE_MAP_CHARS / LIVE_MAP_LINES;
    // Each number is a few characters long: there and back again.
    let line: String = (0..points)
        .map(|n| if n % 2 == 0 { "_c~N_c~N" } else { "~b~N~b~N" })
        .collect();
    assert!(line.len() <= chars, "{} of {chars}", line.len());
    vec![line; LIVE_MAP_LINES]
}

/// Does this while an honest sitter shows a walk; fails where an update of that is refused, or its client does not see it.
fn beside_honest(target: &Target, attack: impl Fn() + Sync) -> Result<(), String> {
    let mut sitter = target.another("lena");
    let (mut parent, dog) = target.parent_of(&mut sitter, "lou");
    let walk = Walk::new(&mut sitter, &mut parent, &dog);
    let update = walk.update(walk.map_id, &[]);
    let mut look = || {
        let put = sitter.call("PUT", &walk.path, Some(&update));
        if !matches!(&put, Some((200, text)) if text.contains("\"is_shown\":true")) {
            return Err(format!("an honest update was answered {put:?}"));
        }
        match parent.call("GET", "/client/live-maps", None) {
            Some((200, text)) if text.contains("service_id") => Ok(()),
            other => Err(format!("an honest parent was answered {other:?}")),
        }
    };
    thread::scope(|scope| {
        let attacking = scope.spawn(&attack);
        let mut seen = look();
        while seen.is_ok() && !attacking.is_finished() {
            thread::park_timeout(PAUSE);
            seen = look();
        }
        attacking.join().expect("the attack ends");
        seen
    })
}

/// The number of calls that a rate limit lets through in the time of an attack, with some that were under way.
fn most_done(begun: Instant) -> usize {
    BURST + usize::try_from(begun.elapsed().as_secs() / 2).unwrap_or_default() + 16
}

pub fn shown_without_end(target: &Target, force: Force) -> Result<(), String> {
    let mut sitter = target.http();
    let (mut parent, dog) = target.parent_of(&mut sitter, "eve");
    let walk = Walk::new(&mut sitter, &mut parent, &dog);
    let lines = largest();
    let (n_done, others) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let begun = Instant::now();
    beside_honest(target, || {
        at_once(force, 8, |n| {
            // Half of them switch a new one on each time.
            let map_id = if n % 2 == 0 { walk.map_id } else { new_id() };
            let body = walk.update(map_id, &lines).to_string();
            let request = target.request("PUT", &walk.path, "application/json", body.as_bytes());
            match target.send(&request) {
                200 => {
                    n_done.fetch_add(1, Ordering::Relaxed);
                }
                429 => {}
                other => others.lock().expect("nobody panics with it").push(other),
            }
        });
    })?;
    judge(&n_done, &others, begun)
}

pub fn asked_for_without_end(target: &Target, force: Force) -> Result<(), String> {
    let mut sitter = target.http();
    let (mut parent, dog) = target.parent_of(&mut sitter, "eve");
    let walk = Walk::new(&mut sitter, &mut parent, &dog);
    sitter.data(
        "PUT",
        &walk.path,
        Some(&walk.update(walk.map_id, &largest())),
    );
    let request = Target::request_by(
        &parent.token,
        "GET",
        "/client/live-maps",
        "application/json",
        b"",
    );
    let (n_done, others) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let begun = Instant::now();
    beside_honest(target, || {
        at_once(force, 8, |_| match target.send(&request) {
            200 => {
                n_done.fetch_add(1, Ordering::Relaxed);
            }
            429 => {}
            other => others.lock().expect("nobody panics with it").push(other),
        });
    })?;
    judge(&n_done, &others, begun)
}

fn judge(n_done: &AtomicUsize, others: &Mutex<Vec<u16>>, begun: Instant) -> Result<(), String> {
    let (n_done, most) = (n_done.load(Ordering::Relaxed), most_done(begun));
    let others = others.lock().expect("nobody panics with it");
    if n_done == 0 || most < n_done {
        return Err(format!("{n_done} calls were done, of {most} that may be"));
    }
    match others.first() {
        None => Ok(()),
        Some(first) => Err(format!(
            "{} calls were answered otherwise, the first {first}",
            others.len()
        )),
    }
}
