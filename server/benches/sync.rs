//! Measures sync on this machine, each figure against something measured in the same run: durable commands per second
//! against a bare insert, latencies with 5,000 businesses in the database against 1, what a full day costs in milliseconds,
//! how many invoices are printed in a second, what 10,000 phones take, and how soon a message is there with 2,000 apps open.

#[path = "../tests/process/phone.rs"]
mod phone;
mod polling;
mod sockets;

use std::net::SocketAddr;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant as Clock};

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::post;
use phone::{Http, Queue, new_id};
use serde_json::json;
use sockets::{Figures, Pair, SOCKETS};
use sqlx::SqlitePool;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use tokio::net::TcpListener;
use walkies_core::api::Role;
use walkies_core::commands::UpdateClient;
use walkies_core::invoice::{self, TipChoice};
use walkies_core::rows::client::Client;
use walkies_core::rows::invoice::{Invoice, InvoicedService};
use walkies_core::rows::pet::Pet;
use walkies_core::rows::service::{Service, ServiceStatus, ServiceType};
use walkies_core::rows::sitter::Sitter;
use walkies_core::rules::conflict::{self, ConflictRequest};
use walkies_core::rules::sitter::starter_rows;
use walkies_core::values::patch::Patch;
use walkies_core::values::zone::TimeZone;
use walkies_core::{Business, Cents, Command, Id, Instant, Now, Row, Time};
use walkies_server::api::router::router;
use walkies_server::app::settings::Settings;
use walkies_server::app::state::AppState;
use walkies_server::base::env::{Env, sha256};
use walkies_server::db::{self, Account, Db, Tx};
use walkies_server::limits::listen::{self, Limits};
use walkies_server::media::files::Files;
use walkies_server::print::invoice::Pictures;

const PHONES: usize = 50;
const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_secs(2);
const SITTERS: usize = 5_000;
const SAMPLES: usize = 400;

fn main() -> ExitCode {
    // Test runners ask every target for its tests.
    if std::env::args().any(|it| it == "--list") {
        return ExitCode::SUCCESS;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let folder = tempfile::tempdir().expect("a folder");
    if std::env::args().any(|it| it == "analytics") {
        return judge(&analytics(&runtime, folder.path()));
    }
    let throughput = throughput(&runtime, folder.path());
    let (pull, command) = latency(&runtime, folder.path());
    let (polled_ms, memory_mb) = polling(&runtime, &folder.path().join("polled"));
    let sockets = sockets(&runtime, &folder.path().join("sockets"));
    let mut lines = vec![
        (
            "durable commands per second through sync/push, 50 phones, against a bare insert",
            throughput,
            true,
            0.5,
        ),
        (
            "median of a pull with nothing new, 5,000 sitters against 1",
            pull,
            false,
            1.3,
        ),
        (
            "median of one command, 5,000 sitters against 1",
            command,
            false,
            1.3,
        ),
        (
            "milliseconds of one conflict check on a day of 10,000 services that overlap",
            full_day(),
            false,
            20.0,
        ),
        (
            "PDFs of an invoice of 100 services per second, one at a time",
            prints_per_second(),
            true,
            10.0,
        ),
        (
            "99th percentile of a pull in ms, 10,000 phones that ask every 25 s",
            polled_ms,
            false,
            5.0,
        ),
        (
            "memory of the server beside 10,000 phones in MB",
            memory_mb,
            false,
            250.0,
        ),
        (
            "99th percentile in ms of a client's message until the sitter's app is told, 2,000 apps open",
            sockets.p99_ms,
            false,
            100.0,
        ),
        (
            "share of 2,000 apps that have every message that was taken, once the server was killed under them",
            sockets.kept,
            true,
            1.0,
        ),
    ];
    lines.extend(analytics(&runtime, folder.path()));
    judge(&lines)
}

/// A figure: its name, the measured value, true if that is to be at least its target (else at most), and the target.
type Line = (&'static str, f64, bool, f64);

/// Prints each figure; the exit code is a failure where one does not hold.
fn judge(lines: &[Line]) -> ExitCode {
    let mut holds = true;
    for (what, measured, at_least, target) in lines {
        let is_good = if *at_least {
            target <= measured
        } else {
            measured <= target
        };
        holds &= is_good;
        let (sign, word) = (
            if *at_least { "at least" } else { "at most" },
            if is_good { "holds" } else { "MISSED" },
        );
        println!("bench | {what} | {sign} {target} | {measured:.2} | {word}");
    }
    if holds {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Two years of a busy sitter, of 10,000 services each, for 60 clients.
fn two_years() -> Vec<Row> {
    const SERVICES: i64 = 20_000;
    let today = NOW.civil(&TimeZone::UTC).0;
    let clients: Vec<Client> = (0..60)
        .map(|n| Client {
            name: format!("Client {n}"),
            lat: Some(60.1 + f64::from(n) / 1000.0),
            lng: Some(24.9),
            ..Client::new(new_id(), NOW)
        })
        .collect();
    let services = (0..SERVICES)
        .zip(clients.iter().cycle())
        .map(|(n, client)| {
            Row::Service(Service {
                client_id: client.id,
                client_name: client.name.clone(),
                date: today.plus_days(n * 730 / SERVICES - 729),
                start_time: Time::from_minutes(6 * 60 + n % 28 * 30),
                status: ServiceStatus::Completed,
                price: Cents(25_00),
                notes: "Back gate; he waits in the kitchen".to_owned(),
                ..Service::new(new_id(), NOW)
            })
        });
    let services: Vec<Row> = services.collect();
    clients
        .into_iter()
        .map(Row::Client)
        .chain(services)
        .collect()
}

/// How often somebody looks at a year where 5,000 sitters work eleven hours and each looks twice a day.
const LOOK_EVERY: Duration = Duration::from_secs(4);

/// Looking at a year: on the empty Postgres of `WALKIES_TEST_POSTGRES`, where it is also measured by how much that moves
/// other businesses' calls, or on SQLite.
fn analytics(runtime: &tokio::runtime::Runtime, folder: &Path) -> Vec<Line> {
    const LOOKS: usize = 30;
    let postgres = std::env::var("WALKIES_TEST_POSTGRES").ok();
    let file = folder.join("analytics.sqlite3");
    let url = postgres
        .as_deref()
        .unwrap_or_else(|| file.to_str().expect("a path"));
    let (address, tokens, busy) = runtime.block_on(async {
        let db = Db::open(url, 16).await.expect("a database");
        db.migrate().await.expect("a schema");
        let tokens = fill(&db, SITTERS).await;
        let mut tx = db.write().await.expect("a transaction");
        let busy = business(&mut tx, new_id(), two_years()).await;
        tx.commit().await.expect("a commit");
        if postgres.is_some() {
            let mut tx = db.write().await.expect("a transaction");
            // It does by itself before long.
            tx.execute("ANALYZE", []).await.expect("statistics");
            tx.commit().await.expect("a commit");
        }
        (listen_on(db, folder).await, tokens, busy)
    });
    let today = NOW.civil(&TimeZone::UTC).0;
    let year = format!(
        "/analytics/dashboard?startDate={}&endDate={today}",
        today.plus_days(-364)
    );
    let look = |http: &mut Http| {
        let begun = Clock::now();
        let found = http.data("GET", &year, None);
        assert_eq!(
            found["performance"]["performanceSummary"]["total_services"],
            10_000
        );
        begun.elapsed().as_secs_f64() * 1e3
    };
    let mut looker = Http::new(&address.to_string(), &busy);
    let mut looks: Vec<f64> = (0..LOOKS).map(|_| look(&mut looker)).collect();
    if postgres.is_none() {
        return vec![(
            "median milliseconds of a year's analytics, of 10,000 services and as many before, on SQLite",
            median(&mut looks),
            false,
            50.0,
        )];
    }
    let places = (0..50).map(|it| it * SITTERS / 50);
    let mut others: Vec<Http> = places
        .map(|it| Http::new(&address.to_string(), &tokens[it]))
        .collect();
    // In turns, so that what else the machine does meets both alike.
    let mut times = [const { Vec::new() }; 2];
    for turn in 0..8 {
        let end = Clock::now() + 2 * LOOK_EVERY;
        thread::scope(|scope| {
            if turn % 2 == 1 {
                scope.spawn(|| {
                    while Clock::now() < end {
                        // Nor is it read here, which would be work of this machine, too.
                        let answer = looker.call("GET", &year, None);
                        assert!(answer.is_some_and(|(status, _)| status == 200));
                        thread::park_timeout(LOOK_EVERY);
                    }
                });
            }
            while Clock::now() < end {
                let n_others = others.len();
                let begun = Clock::now();
                others[times[turn % 2].len() % n_others].data("GET", "/clients", None);
                times[turn % 2].push(begun.elapsed().as_secs_f64() * 1e6);
            }
        });
    }
    let [alone, beside] = times.map(|mut it| {
        it.sort_by(f64::total_cmp);
        it[it.len() * 99 / 100]
    });
    println!(
        "  99th percentile of the clients' list: {alone:.0} us alone, {beside:.0} us beside analytics"
    );
    vec![
        (
            "median milliseconds of a year's analytics, of 10,000 services and as many before, on PostgreSQL",
            median(&mut looks),
            false,
            50.0,
        ),
        (
            "99th percentile of the clients' list of 5,000 sitters on PostgreSQL while each of them looks at a year twice a \
                day, one every 4 s, against without",
            beside / alone,
            false,
            1.3,
        ),
    ]
}

/// The median of checking a time that is taken, and looking for free ones, in milliseconds.
fn full_day() -> f64 {
    let day: walkies_core::Date = "2026-11-23".parse().expect("a day");
    let mut business = Business::default();
    for number in 0..10_000 {
        let service = Service {
            date: day,
            start_time: Time::from_minutes(number % (24 * 60)),
            duration_minutes: 60,
            ..Service::new(new_id(), Instant(0))
        };
        business.put(1, Row::Service(service));
    }
    let now = Now {
        at: "2026-11-20T15:00:00Z".parse().expect("a moment"),
        zone: TimeZone::UTC,
    };
    let request = ConflictRequest {
        service_type: ServiceType::Walk,
        date: day,
        start_time: Time::hour(12),
        duration_minutes: 60,
        service_id: None,
        end_date: None,
        departure_time: None,
    };
    let mut took: Vec<Duration> = (0..51)
        .map(|_| {
            let begun = Clock::now();
            assert!(conflict::check(&business, &request, &now).conflict);
            begun.elapsed()
        })
        .collect();
    took.sort_unstable();
    took[took.len() / 2].as_secs_f64() * 1000.0
}

/// How many invoices of a business that walks a dog twice a day are printed in a second.
fn prints_per_second() -> f64 {
    const PRINTS: u32 = 20;
    let service: InvoicedService = serde_json::from_value(json!({
        "id": new_id(), "type": "walk", "name": "Walk in the park", "date": "2026-11-20", "startTime": "09:30",
        "endTime": "10:00", "duration": 30, "price": 25, "notes": "Met a squirrel, and was very brave",
    }))
    .expect("a service");
    let invoice = Invoice {
        services_data: vec![service; 100],
        ..Invoice::default()
    };
    let sitter = Sitter::new(
        new_id(),
        String::new(),
        String::new(),
        String::new(),
        Instant(0),
    );
    let words = invoice::page(
        &invoice,
        &sitter,
        &TimeZone::UTC,
        Instant(0),
        TipChoice::None,
    );
    let print = || walkies_server::print::invoice::print(&words, Pictures::default(), "");
    // The fonts are unpacked once.
    assert!(print().is_ok());
    let begun = Clock::now();
    for _ in 0..PRINTS {
        assert!(print().is_ok());
    }
    f64::from(PRINTS) / begun.elapsed().as_secs_f64()
}

/// The binary on a database of 5,000 businesses with two phones each.
fn polling(runtime: &tokio::runtime::Runtime, folder: &Path) -> (f64, f64) {
    std::fs::create_dir_all(folder).expect("a folder");
    let tokens = runtime.block_on(async {
        let db = Db::open(folder.join("walkies.sqlite3").to_str().expect("a path"), 4)
            .await
            .expect("a database");
        db.migrate().await.expect("a schema");
        let tokens = fill(&db, SITTERS).await;
        db.close().await;
        tokens
    });
    polling::measure(runtime, folder, &tokens)
}

/// The binary on a database of 2,000 businesses, each with a client who has a login.
fn sockets(runtime: &tokio::runtime::Runtime, folder: &Path) -> Figures {
    std::fs::create_dir_all(folder).expect("a folder");
    let pairs = runtime.block_on(async {
        let db = Db::open(folder.join("walkies.sqlite3").to_str().expect("a path"), 4)
            .await
            .expect("a database");
        db.migrate().await.expect("a schema");
        let mut tx = db.write().await.expect("a transaction");
        let mut pairs = Vec::new();
        for _ in 0..SOCKETS {
            pairs.push(pair(&mut tx).await);
        }
        tx.commit().await.expect("a commit");
        db.close().await;
        pairs
    });
    sockets::measure(runtime, folder, &pairs)
}

/// A business with one client, who is linked.
async fn pair(tx: &mut Tx) -> Pair {
    let (client_user, token) = sign_in(tx, Role::Client, None).await;
    let client = Client {
        name: "Anna".to_owned(),
        client_user_id: Some(client_user),
        ..Client::new(new_id(), NOW)
    };
    let client_id = client.id;
    let sitter_id = new_id();
    let sitter = business(tx, sitter_id, vec![Row::Client(client)]).await;
    db::link_client_user(tx, sitter_id, client_id, client_user, new_id())
        .await
        .expect("a link");
    Pair {
        sitter,
        client: token,
        client_id,
    }
}

/// A server of ours with so many businesses; their tokens.
fn serve(
    runtime: &tokio::runtime::Runtime,
    folder: &Path,
    name: &str,
    n_sitters: usize,
) -> (SocketAddr, Vec<String>) {
    runtime.block_on(async {
        let db = Db::open(folder.join(name).to_str().expect("a path"), 16)
            .await
            .expect("a database");
        db.migrate().await.expect("a schema");
        let tokens = fill(&db, n_sitters).await;
        (listen_on(db, folder).await, tokens)
    })
}

/// A server of ours on this database.
async fn listen_on(db: Db, folder: &Path) -> SocketAddr {
    let files = Files::open(folder.join("files").to_str().expect("a path")).expect("files");
    let state = AppState::new(db, Env::system(), Settings::default(), files)
        .await
        .expect("a server");
    let limits = Limits::of(usize::MAX, 16, true);
    let (address, listener) = bind().await;
    let (stop, stopped) = tokio::sync::watch::channel(false);
    tokio::spawn(async move {
        // Nobody stops it.
        let _stop = stop;
        listen::serve(listener, router(&state), limits, stopped).await;
    });
    address
}

async fn bind() -> (SocketAddr, TcpListener) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("an address");
    (listener.local_addr().expect("an address"), listener)
}

const NOW: Instant = Instant(1_790_000_000_000);

/// Businesses, each with three clients; their tokens.
async fn fill(db: &Db, n_sitters: usize) -> Vec<String> {
    let mut tokens = Vec::new();
    while tokens.len() < n_sitters {
        let mut tx = db.write().await.expect("a transaction");
        for _ in 0..100.min(n_sitters - tokens.len()) {
            let mut rows = Vec::new();
            for _ in 0..3 {
                let client = Client {
                    name: "Anna".to_owned(),
                    ..Client::new(new_id(), NOW)
                };
                let pet = Pet {
                    name: "Rex".to_owned(),
                    ..Pet::new(new_id(), client.id)
                };
                rows.extend([Row::Client(client), Row::Pet(pet)]);
            }
            tokens.push(business(&mut tx, new_id(), rows).await);
        }
        tx.commit().await.expect("a commit");
    }
    tokens
}

/// A business as signing up makes it, and these rows; its sitter's token.
async fn business(tx: &mut Tx, sitter_id: Id, rows: Vec<Row>) -> String {
    db::insert_sitter(tx, sitter_id, NOW)
        .await
        .expect("a business");
    let sitter = Sitter::new(
        sitter_id,
        "Sam".to_owned(),
        format!("{sitter_id}@example.com"),
        "Europe/Helsinki".to_owned(),
        NOW,
    );
    let mut all = starter_rows(&sitter, new_id, NOW);
    all.push(Row::Sitter(sitter));
    all.extend(rows);
    for row in all {
        db::write_row(tx, sitter_id, 1, &row).await.expect("a row");
    }
    sign_in(tx, Role::Sitter, Some(sitter_id)).await.1
}

/// Somebody who has just signed in: the login and its token.
async fn sign_in(tx: &mut Tx, role: Role, sitter_id: Option<Id>) -> (Id, String) {
    let user_id = new_id();
    let account = Account {
        id: user_id,
        email: format!("{user_id}@example.com"),
        name: "Sam".to_owned(),
        role,
        sitter_id,
        password_hash: String::new(),
        created_at: NOW,
    };
    db::insert_account(tx, &account).await.expect("an account");
    let token = format!("{user_id} of the bench");
    // Used just now by the machine's clock, so that no call writes down its use.
    let used = Env::system().now();
    db::insert_session(tx, &sha256(token.as_bytes()), user_id, "bench", used)
        .await
        .expect("a session");
    (user_id, token)
}

/// The least that a server can do: take a body, insert it in a durable transaction, answer.
fn serve_bare(runtime: &tokio::runtime::Runtime, folder: &Path) -> SocketAddr {
    runtime.block_on(async {
        let options = SqliteConnectOptions::new()
            .filename(folder.join("bare.sqlite3"))
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full);
        let pool = SqlitePoolOptions::new()
            .max_connections(1)
            .connect_with(options)
            .await
            .expect("a database");
        sqlx::query("CREATE TABLE change (id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT")
            .execute(&pool)
            .await
            .expect("a table");
        async fn insert(State(pool): State<SqlitePool>, body: String) -> StatusCode {
            let done = sqlx::query("INSERT INTO change (body) VALUES ($1)")
                .bind(body)
                .execute(&pool)
                .await;
            if done.is_ok() {
                StatusCode::OK
            } else {
                StatusCode::SERVICE_UNAVAILABLE
            }
        }
        let router = Router::new()
            .route("/api/sync/push", post(insert))
            .with_state(pool);
        let (address, listener) = bind().await;
        tokio::spawn(async move { axum::serve(listener, router).await });
        address
    })
}

fn change(client: Id, n: u64) -> Command {
    let changes = Patch::of("access_notes", format!("code {n}"));
    Command::UpdateClient(UpdateClient {
        id: client,
        changes,
        dogs: Vec::new(),
        removed_dogs: Vec::new(),
    })
}

/// A phone that sends, with its queue.
struct Sender {
    http: Http,
    queue: Queue,
    client: Id,
    n: u64,
}

impl Sender {
    fn new(address: SocketAddr, token: &str) -> Self {
        let mut queue = Queue::new();
        let (client, _) = queue.save_client("Anna", "Rex");
        Self {
            http: Http::new(&address.to_string(), token),
            queue,
            client,
            n: 0,
        }
    }

    /// One command, one push, one commit.
    fn send(&mut self) {
        if 0 < self.n {
            self.queue.save(&change(self.client, self.n));
        }
        self.n += 1;
        let body = self.queue.body(&self.queue.waiting);
        let (status, text) = self
            .http
            .call("POST", "/sync/push", Some(&body))
            .expect("an answer");
        assert_eq!(status, 200, "{text}");
        if text.is_empty() {
            self.queue.waiting.clear();
        } else {
            self.queue.take(&text);
            self.queue.acknowledged.clear();
        }
        assert!(self.queue.waiting.is_empty(), "{text}");
    }
}

/// All phones at once for one round; commands per second.
fn round(senders: &mut [Sender]) -> f64 {
    let (stop, n) = (AtomicBool::new(false), AtomicU64::new(0));
    let begun = Clock::now();
    thread::scope(|scope| {
        for sender in senders {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    sender.send();
                    n.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        thread::park_timeout(ROUND);
        stop.store(true, Ordering::Relaxed);
    });
    n.load(Ordering::Relaxed) as f64 / begun.elapsed().as_secs_f64()
}

/// Ours against the bare one, in rounds that take turns.
fn throughput(runtime: &tokio::runtime::Runtime, folder: &Path) -> f64 {
    let (ours, tokens) = serve(runtime, folder, "throughput.sqlite3", PHONES);
    let bare = serve_bare(runtime, folder);
    let mut ours: Vec<Sender> = tokens.iter().map(|it| Sender::new(ours, it)).collect();
    let mut bare: Vec<Sender> = tokens.iter().map(|it| Sender::new(bare, it)).collect();
    let mut ratios = Vec::new();
    for n in 0..=ROUNDS {
        let (bare, ours) = (round(&mut bare), round(&mut ours));
        println!("  commands per second: bare {bare:.0}, ours {ours:.0}");
        // The first one warms up.
        if 0 < n {
            ratios.push(ours / bare);
        }
    }
    median(&mut ratios)
}

/// Ratios of the medians of a pull with nothing new and of one command.
fn latency(runtime: &tokio::runtime::Runtime, folder: &Path) -> (f64, f64) {
    let (small, small_tokens) = serve(runtime, folder, "small.sqlite3", 1);
    let (large, large_tokens) = serve(runtime, folder, "large.sqlite3", SITTERS);
    let mut small = vec![Sender::new(small, &small_tokens[0])];
    // Businesses from all over the table, so that it is not one that lies at hand.
    let places = (0..50).map(|it| it * SITTERS / 50);
    let mut large: Vec<Sender> = places
        .map(|it| Sender::new(large, &large_tokens[it]))
        .collect();
    let mut times = [const { Vec::new() }; 4];
    for n in 0..SAMPLES {
        for (place, senders) in [(0, &mut small), (2, &mut large)] {
            let n_senders = senders.len();
            let sender = &mut senders[n % n_senders];
            let begun = Clock::now();
            sender.send();
            times[place + 1].push(begun.elapsed().as_secs_f64() * 1e6);
            let path = |cursor: &str, more: &str| {
                format!(
                    "/sync/pull?cursor={cursor}&device_id={}&schema=1{more}",
                    sender.queue.device_id
                )
            };
            let now = sender.http.data("GET", &path("0", ""), None);
            let more = format!(
                "&epoch={}&backend_id={}",
                now["epoch"],
                now["backend_id"].as_str().unwrap_or_default()
            );
            let path = path(&now["next"].to_string(), &more);
            let begun = Clock::now();
            let nothing = sender.http.data("GET", &path, None);
            times[place].push(begun.elapsed().as_secs_f64() * 1e6);
            assert_eq!(nothing["rows"], json!([]));
        }
    }
    let [pull, command, large_pull, large_command] = times.map(|mut it| median(&mut it));
    println!(
        "  pull with nothing new: {pull:.0} us with 1 sitter, {large_pull:.0} us with {SITTERS}"
    );
    println!("  one command: {command:.0} us with 1 sitter, {large_command:.0} us with {SITTERS}");
    (large_pull / pull, large_command / command)
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
