//! The server is killed with SIGKILL while twelve phones push, and PostgreSQL below it too: nothing that was acknowledged is
//! lost and nothing happens twice.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore as _, SeedableRng as _};
use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection as _, PgConnection, SqliteConnection};
use walkies_core::commands::{CancelService, CompleteService, ScheduleService, UpdateClient};
use walkies_core::rows::service::{Service, ServiceStatus};
use walkies_core::sync::wire::OutcomeKind;
use walkies_core::values::patch::Patch;
use walkies_core::{Command, Id};

use crate::phone::{Http, Queue, new_id, results};
use crate::postgres::Postgres;
use crate::server::{Server, sign_up};

const PHONES: u64 = 12;
/// One of so many kills is PostgreSQL's own, where that is the database.
const DATABASE_KILLS: usize = 4;
/// Each server is killed after it has acknowledged so many changes, and up to as many again.
const ACKNOWLEDGED: u64 = 15;
/// Percentage of the answers that are thrown away after they came.
const THROWN_AWAY: u64 = 20;

/// A Tuesday far enough ahead, on which everybody wants the same few hours.
const DAY: &str = "2099-09-08";

fn patch(fields: Value) -> Patch {
    serde_json::from_value(fields).unwrap()
}

/// A phone's next change.
fn next(rng: &mut ChaCha8Rng, client: Id, pet: Id, services: &mut Vec<Id>) -> Command {
    let draw = rng.next_u64();
    let service = services.get(draw as usize % services.len().max(1)).copied();
    match (draw >> 32) % 10 {
        0..=4 => {
            let id = new_id();
            services.push(id);
            let minutes = 9 * 60 + 30 * (rng.next_u64() % 14);
            let service = patch(json!({
                "client_id": client, "dog_ids": [pet], "date": DAY, "duration_minutes": 30, "service_type": "walk",
                "start_time": format!("{:02}:{:02}", minutes / 60, minutes % 60),
            }));
            Command::ScheduleService(ScheduleService {
                id,
                service,
                overlap_ok: false,
                quoted_price: None,
                brings_back: false,
            })
        }
        5 | 6 if service.is_some() => Command::CancelService(CancelService::new(service.unwrap())),
        7 if service.is_some() => Command::CompleteService(CompleteService {
            id: service.unwrap(),
            notes: "done".to_owned(),
            internal_notes: String::new(),
            despite_cancel: false,
        }),
        _ => {
            let changes = patch(json!({ "access_notes": format!("code {}", rng.next_u32()) }));
            Command::UpdateClient(UpdateClient {
                id: client,
                changes,
                dogs: Vec::new(),
                removed_dogs: Vec::new(),
            })
        }
    }
}

/// Events of a phone, for the test that kills the servers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Event {
    /// It sends a push.
    Pushes,
    /// It was told of a change that it is done or refused.
    Acknowledged,
}

/// Waits for the next event of a kind.
fn wait_for(event: Event, events: &Receiver<Event>) {
    while events.recv().expect("some phone goes on") != event {}
}

/// Pushes until it is told to stop, and then until everything is answered.
fn push_all(
    number: u64,
    token: &str,
    address: &Mutex<String>,
    stop: &AtomicBool,
    events: &Sender<Event>,
) -> Queue {
    // In the end nobody listens any more.
    let tell = |event| {
        let _ = events.send(event);
    };
    let mut rng = ChaCha8Rng::seed_from_u64(number);
    let mut queue = Queue::new();
    let (client, pet) = queue.save_client(&format!("Client {number}"), "Rex");
    let mut services = Vec::new();
    let mut http = Http::new("", token);
    let mut known = String::new();
    loop {
        let is_over = stop.load(Ordering::Relaxed);
        if is_over && queue.waiting.is_empty() {
            return queue;
        }
        while !is_over && queue.waiting.len() < 4 {
            let command = next(&mut rng, client, pet, &mut services);
            queue.save(&command);
        }
        let current = address.lock().unwrap().clone();
        if current != known {
            http = Http::new(&current, token);
            known = current;
        }
        let body =
            queue.body(&queue.waiting[..queue.waiting.len().min(1 + rng.next_u64() as usize % 4)]);
        tell(Event::Pushes);
        match http.call("POST", "/sync/push", Some(&body)) {
            Some((200, text)) if rng.next_u64() % 100 >= THROWN_AWAY => {
                let before = queue.acknowledged.len();
                queue.take(&text);
                (before..queue.acknowledged.len()).for_each(|_| tell(Event::Acknowledged));
            }
            Some((200 | 503, _)) => {}
            Some((status, text)) => panic!("{status} {text}"),
            // Killed; the next one will listen elsewhere.
            None => thread::yield_now(),
        }
        // What was acknowledged long ago is asked again now and then, and must be answered the same.
        if rng.next_u64().is_multiple_of(16)
            && let Some((mutation, outcome)) = queue
                .acknowledged
                .get(rng.next_u64() as usize % queue.acknowledged.len().max(1))
            && let Some((200, text)) = http.call(
                "POST",
                "/sync/push",
                Some(&queue.body(std::slice::from_ref(mutation))),
            )
        {
            assert_eq!(results(&text), std::slice::from_ref(outcome));
        }
    }
}

#[test]
fn what_was_acknowledged_survives_forty_kills_and_happened_once() {
    survive_kills(40, None);
}

#[test]
fn what_was_acknowledged_survives_two_hundred_kills_in_full_lane() {
    survive_kills(200, None);
}

#[test]
fn what_was_acknowledged_survives_kills_of_server_and_postgres() {
    if let Some(postgres) = Postgres::start() {
        survive_kills(8, Some(postgres));
    }
}

#[test]
fn what_was_acknowledged_survives_forty_kills_of_server_and_postgres_in_full_lane() {
    if let Some(postgres) = Postgres::start() {
        survive_kills(40, Some(postgres));
    }
}

/// Kills so often, on SQLite or on this PostgreSQL.
fn survive_kills(kills: usize, mut postgres: Option<Postgres>) {
    let folder = tempfile::tempdir().unwrap();
    let database = match &postgres {
        Some(postgres) => postgres.url(),
        None => folder.path().join("walkies.sqlite3").display().to_string(),
    };
    let start = || Server::start_on(folder.path(), &database);
    let mut server = start();
    let mut http = Http::new(&server.address, "");
    sign_up(&mut http, folder.path(), "sam");
    let token = http.token.clone();
    let address = Arc::new(Mutex::new(server.address.clone()));
    let stop = Arc::new(AtomicBool::new(false));
    let (sender, events) = mpsc::channel();
    let phones: Vec<_> = (0..PHONES)
        .map(|number| {
            let (token, address, stop) = (token.clone(), Arc::clone(&address), Arc::clone(&stop));
            let sender = sender.clone();
            thread::spawn(move || push_all(number, &token, &address, &stop, &sender))
        })
        .collect();
    drop(sender);
    let mut rng = ChaCha8Rng::seed_from_u64(0xDEAD);
    for n in 1..=kills {
        // What came of the server before.
        while events.try_recv().is_ok() {}
        for _ in 0..ACKNOWLEDGED + rng.next_u64() % ACKNOWLEDGED {
            wait_for(Event::Acknowledged, &events);
        }
        // Some die as a push begins, and the others as one has been answered; others' pushes are under way all the time.
        if rng.next_u64().is_multiple_of(2) {
            wait_for(Event::Pushes, &events);
        }
        match &mut postgres {
            // The same server goes on when its database is back.
            Some(postgres) if n % DATABASE_KILLS == 0 => {
                postgres.kill_and_start();
                continue;
            }
            _ => server.kill(),
        }
        server = start();
        address.lock().unwrap().clone_from(&server.address);
    }
    stop.store(true, Ordering::Relaxed);
    let queues: Vec<Queue> = phones.into_iter().map(|it| it.join().unwrap()).collect();
    let n_acknowledged: usize = queues.iter().map(|it| it.acknowledged.len()).sum();
    println!("{kills} kills, {n_acknowledged} changes acknowledged");

    let mut http = Http::new(&server.address, &token);
    // The feed has each outcome as it was acknowledged.
    let mut n_rows = 0;
    for queue in &queues {
        let (mut cursor, mut more, mut found) = (0, true, BTreeMap::new());
        let mut query = String::new();
        while more {
            let path = format!(
                "/sync/pull?cursor={cursor}&device_id={}&schema=1{query}",
                queue.device_id
            );
            let page = http.data("GET", &path, None);
            cursor = page["next"].as_u64().unwrap();
            more = page["more"].as_bool().unwrap();
            query = format!(
                "&epoch={}&backend_id={}",
                page["epoch"],
                page["backend_id"].as_str().unwrap()
            );
            n_rows += page["rows"].as_array().unwrap().len();
            for outcome in page["outcomes"].as_array().unwrap() {
                found.insert(outcome["id"].as_str().unwrap().to_owned(), outcome.clone());
            }
        }
        assert_eq!(
            found.len(),
            queue.acknowledged.len(),
            "the feed has outcomes that nobody was told"
        );
        for (mutation, outcome) in &queue.acknowledged {
            assert_eq!(
                found.get(&mutation.id.to_string()),
                Some(&json!(outcome)),
                "lost or changed"
            );
        }
    }
    assert!(n_rows > 0);
    let services: Vec<Service> =
        serde_json::from_value(http.data("GET", "/scheduled-services", None)).expect("services");
    check_services(&queues, &services);
    server.kill();
    check_tables(&database, n_acknowledged);
}

/// Each service that was acknowledged is there, and no two are at the same time.
fn check_services(queues: &[Queue], services: &[Service]) {
    let there: BTreeSet<Id> = services.iter().map(|it| it.id).collect();
    for (mutation, outcome) in queues.iter().flat_map(|it| &it.acknowledged) {
        if let Ok(Command::ScheduleService(ScheduleService { id, .. })) = mutation.command() {
            assert_eq!(
                there.contains(&id),
                outcome.outcome != OutcomeKind::Rejected,
                "{id} {outcome:?}"
            );
        }
    }
    let mut spans: Vec<(i64, i64, Id)> = services
        .iter()
        .filter(|it| it.status != ServiceStatus::Cancelled)
        .map(|it| {
            (
                it.date.minute(it.start_time),
                i64::from(it.duration_minutes),
                it.id,
            )
        })
        .collect();
    spans.sort_unstable();
    for pair in spans.windows(2) {
        let [(start, minutes, one), (next, _, other)] = pair else {
            unreachable!()
        };
        assert!(
            start + minutes + 15 <= *next,
            "{one} and {other} are booked at the same time"
        );
    }
}

/// No gaps between revisions, no command twice, and SQLite's file is whole.
fn check_tables(database: &str, n_acknowledged: usize) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let (revs, rev) = runtime.block_on(async {
        if database.starts_with("postgres") {
            let mut db = PgConnection::connect(database).await.unwrap();
            let revs = sqlx::query_scalar(REVS).fetch_all(&mut db).await.unwrap();
            let rev = sqlx::query_scalar(REV).fetch_one(&mut db).await.unwrap();
            return (revs, rev);
        }
        let options = SqliteConnectOptions::new().filename(database);
        let mut db = SqliteConnection::connect_with(&options).await.unwrap();
        let integrity: String = sqlx::query_scalar("PRAGMA integrity_check")
            .fetch_one(&mut db)
            .await
            .unwrap();
        assert_eq!(integrity, "ok");
        let revs = sqlx::query_scalar(REVS).fetch_all(&mut db).await.unwrap();
        let rev = sqlx::query_scalar(REV).fetch_one(&mut db).await.unwrap();
        (revs, rev)
    });
    let revs: Vec<i64> = revs;
    assert_eq!(
        revs.len(),
        n_acknowledged,
        "decided and acknowledged are the same"
    );
    // Revision 1 is the sign-up.
    assert!(
        revs.iter().zip(2..).all(|(rev, expected)| *rev == expected),
        "a revision is missing or was taken twice"
    );
    let rev: i64 = rev;
    assert_eq!(Some(&rev), revs.last());
}

const REVS: &str = "SELECT rev FROM mutation ORDER BY rev";
const REV: &str = "SELECT rev FROM sitter";
