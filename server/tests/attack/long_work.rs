//! Owns the attacks by work that takes the server long: very many rows in one change, and files until the disk is full.

use std::sync::atomic::{AtomicU16, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use walkies_core::archive::{Entry, Kept, MAX_ENTRIES};
use walkies_core::commands::{CreateClient, ImportClients, PetPatch, UndoImport};
use walkies_core::rows::service::Service;
use walkies_core::rules::video::VIDEO_PIECE_BYTES;
use walkies_core::values::bounds::{IMPORT_CLIENTS, IMPORT_PETS, SERIES_SLOTS};
use walkies_core::values::patch::Patch;
use walkies_core::{Command, Id, Instant as Moment, Row};
use walkies_server::db;

use crate::Force;
use crate::attacks::{archive, at_once, client};
use crate::phone::{Http, Queue, new_id};
use crate::server::PASSWORD;
use crate::target::Target;

/// The most clients of an import, with so many pets together.
fn import(n_pets: usize) -> (Command, Command) {
    let clients: Vec<CreateClient> = (0..IMPORT_CLIENTS)
        .map(|n| CreateClient {
            id: new_id(),
            client: Patch::of("name", format!("Client {n}")),
            dogs: (0..n_pets / IMPORT_CLIENTS)
                .map(|n| PetPatch {
                    id: new_id(),
                    is_new: true,
                    changes: Patch::of("name", format!("Dog {n}")),
                })
                .collect(),
        })
        .collect();
    let undo = UndoImport {
        clients: clients.iter().map(|it| it.id).collect(),
    };
    (
        Command::ImportClients(ImportClients { clients }),
        Command::UndoImport(undo),
    )
}

/// Clients that come from a file and go again, by several accounts: as many as may come, and many more pets than may. Beside
/// them somebody has a real file.
pub fn imports_in_a_loop(target: &Target, force: Force) -> Result<(), String> {
    let accounts: Vec<Http> = (0..force.n(1, 3))
        .map(|n| target.another(&format!("looper{n}")))
        .collect();
    let worst = AtomicU16::new(0);
    at_once(force, accounts.len(), |n| {
        let mut http = Http::new(&target.address, &accounts[n].token);
        for n_pets in [IMPORT_PETS, 6 * IMPORT_PETS] {
            let (import, undo) = import(n_pets);
            let mut queue = Queue::new();
            for command in [import, undo] {
                queue.save(&command);
                let body = queue.body(&queue.waiting);
                let (status, text) = http
                    .call("POST", "/sync/push", Some(&body))
                    .unwrap_or_default();
                if status == 0 || 500 <= status {
                    worst.fetch_max(status.max(1), Ordering::Relaxed);
                }
                if status == 200 {
                    queue.take(&text);
                }
            }
        }
    });
    let worst = worst.into_inner();
    if 0 < worst {
        return Err(format!("an import was answered {worst}"));
    }
    let mut honest = target.another("filer");
    let file = (0..IMPORT_CLIENTS).fold("Name,Email,Pets\n".to_owned(), |it, n| {
        let pets = ["Rex", "Rex;Luna", "Rex;Luna;Mo"][n % 3].replace(';', ",");
        format!("{it}Client {n},c{n}@example.com,\"{pets}\"\n")
    });
    // Whoever has just imported rests first.
    for _ in 0..20 {
        let sent = honest.send_bytes("POST", "/import/clients", file.as_bytes());
        let (status, text) = sent.ok().and_then(|()| honest.answer()).unwrap_or_default();
        match status {
            201 => return Ok(()),
            429 => {}
            status => return Err(format!("a real file was answered {status}: {text}")),
        }
    }
    Err("a real file never had its turn".to_owned())
}

/// Services that are written at once, before the attack.
const AT_ONCE: usize = 1_000;

/// A business of very many rows.
pub fn many_rows(target: &Target, force: Force) {
    for _ in 0..force.n(20_000, 300_000) / AT_ONCE {
        let services = (0..AT_ONCE).map(|_| Service::new(new_id(), Moment(1_790_000_000_000)));
        target.in_database(async |tx| {
            for service in services {
                db::write_row(tx, target.sitter_id, 2, &Row::Service(service)).await?;
            }
            Ok(())
        });
    }
}

/// Deletes the account of that business; nobody is signed in to it from then on.
pub fn large_account(target: &Target, force: Force) -> Result<(), String> {
    let mut http = target.http();
    let form = json!({ "password": PASSWORD });
    let (status, text) = http
        .call("DELETE", "/auth/account", Some(&form))
        .unwrap_or_default();
    if status != 200 {
        return Err(format!("the deletion was answered {status}: {text}"));
    }
    let seen = AtomicU16::new(401);
    at_once(force, 1, |_| {
        let answer = target.http().call("GET", "/clients", None);
        let (status, _) = answer.unwrap_or_default();
        if status != 401 {
            seen.store(status, Ordering::Relaxed);
        }
    });
    match seen.into_inner() {
        401 => Ok(()),
        status => Err(format!("a deleted account was answered {status}")),
    }
}

/// Series of six visits a day for a year, each of which is as many visits as one command may make, moved by a minute and
/// deleted again, from several connections.
pub fn series_without_end(target: &Target, force: Force) -> Result<(), String> {
    let (client_id, dog_id) = client(&mut target.http());
    let slots: Vec<Value> = (0..SERIES_SLOTS)
        .map(|n| {
            json!({
                "id": new_id(), "start_time": format!("{:02}:00", 8 + 2 * n), "duration_minutes": 30,
                "service_type": "walk",
            })
        })
        .collect();
    let moved: Vec<Value> = (0..)
        .zip(&slots)
        .map(|(n, slot): (usize, &Value)| {
            let changes = json!({ "start_time": format!("{:02}:01", 8 + 2 * n) });
            json!({ "id": slot["id"], "changes": changes })
        })
        .collect();
    let form = json!({
        "client_id": client_id, "dog_ids": [dog_id], "begins": "2099-01-01", "end": { "kind": "on", "date": "2100-01-01" },
        "rule": { "kind": "daily", "every": 1 }, "slots": slots, "notes": "n".repeat(500),
    });
    let change = json!({ "from": "2099-01-01", "slots": moved });
    let (asked, made, worst) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicU16::new(0));
    let most = force.n(40, 1_000);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut http = target.http();
                let mut call = |method: &str, path: &str, body: Option<&Value>| {
                    let answer = http
                        .call(method, path, body)
                        .or_else(|| http.call(method, path, body));
                    let (status, text) = answer.unwrap_or_default();
                    if status == 0 || 500 <= status {
                        worst.fetch_max(status.max(1), Ordering::Relaxed);
                    }
                    (status, text)
                };
                while asked.fetch_add(1, Ordering::Relaxed) < most {
                    let (status, text) = call("POST", "/series", Some(&form));
                    if status != 201 {
                        continue;
                    }
                    made.fetch_add(1, Ordering::Relaxed);
                    let series: Value = serde_json::from_str(&text).unwrap_or_default();
                    let id = series["data"]["id"].as_str().unwrap_or_default();
                    call("PUT", &format!("/series/{id}"), Some(&change));
                    call("DELETE", &format!("/series/{id}"), None);
                }
            });
        }
    });
    match (worst.into_inner(), made.into_inner()) {
        (0, 0) => Err("no series was booked".to_owned()),
        (0, _) => Ok(()),
        (status, _) => Err(format!("a series was answered {status}")),
    }
}

/// Archives of empty files without an end, each of which would be work of its own.
pub fn empty_files(target: &Target, force: Force) -> Result<(), String> {
    let manifest = json!({
        "format": 1, "made_at": "2026-11-20T09:00:00Z", "business": "", "revision": 1, "counts": [], "missing": [],
    });
    let mut files = vec![(
        Entry::MANIFEST.to_owned(),
        manifest.to_string().into_bytes(),
    )];
    files.extend((0..force.n(MAX_ENTRIES, 249_000)).map(|n| {
        let id = Id::of(1 + n as u128);
        (Entry::file(Kept::Photos, id, "image/jpeg"), Vec::new())
    }));
    let bytes = archive(&files);
    let mut http = target.http();
    let form = json!({ "archive_bytes": bytes.len(), "password": PASSWORD });
    http.data("POST", "/import", Some(&form));
    let mut offset = 0;
    for piece in bytes.chunks(usize::try_from(VIDEO_PIECE_BYTES).unwrap_or_default()) {
        let path = format!("/import?offset={offset}");
        let request = target.request("PATCH", &path, "application/octet-stream", piece);
        let status = target.send(&request);
        if status != 200 {
            return Err(format!("a piece was answered {status}"));
        }
        offset += piece.len();
    }
    let begun = Instant::now();
    loop {
        let state: Value = http.data("GET", "/import", None);
        let fault = state["fault"].as_str().unwrap_or_default();
        match state["state"].as_str().unwrap_or_default() {
            "checking" if begun.elapsed() < Duration::from_secs(20) => {}
            "failed" if fault.contains("too many files") => return Ok(()),
            _ => return Err(format!("after {:?} it is {state}", begun.elapsed())),
        }
    }
}

/// Archives of several accounts until nothing more is taken; small writes and sign-ins go on.
pub fn full_disk(target: &Target, force: Force) -> Result<(), String> {
    let accounts: Vec<Http> = (0..3)
        .map(|n| target.another(&format!("hoarder{n}")))
        .collect();
    let low = AtomicU16::new(0);
    let piece = vec![7; usize::try_from(VIDEO_PIECE_BYTES).unwrap_or_default()];
    let form = json!({ "archive_bytes": PIECES * piece.len(), "password": PASSWORD }).to_string();
    thread::scope(|scope| {
        for account in &accounts {
            let (low, piece, form, token) = (&low, &piece, &form, &account.token);
            scope.spawn(move || {
                let send = |method: &str, path: &str, kind: &str, body: &[u8]| {
                    target.send(&Target::request_by(token, method, path, kind, body))
                };
                send("POST", "/import", "application/json", form.as_bytes());
                for number in 0..PIECES {
                    let path = format!("/import?offset={}", number * piece.len());
                    let status = send("PATCH", &path, "application/octet-stream", piece);
                    if status != 200 {
                        low.fetch_max(status, Ordering::Relaxed);
                        return;
                    }
                }
            });
        }
    });
    let low = low.into_inner();
    if low != 507 {
        return Err(format!("what there is no room for was answered {low}"));
    }
    let signed_out = json!({ "email": "hoarder0@example.com", "password": PASSWORD });
    let worst = AtomicU16::new(200);
    at_once(force, 1, |_| {
        let mut http = Http::new(&target.address, "");
        let answer = http.call("POST", "/auth/signin", Some(&signed_out));
        let (status, _) = answer.unwrap_or_default();
        if status != 200 {
            worst.store(status, Ordering::Relaxed);
        }
    });
    match worst.into_inner() {
        200 => Ok(()),
        status => Err(format!("a sign-in was answered {status}")),
    }
}

/// Pieces of an archive: two of three archives fill the disk.
const PIECES: usize = 400;
