//! Owns the server's side of a run: the real router on a real SQLite database with a simulated clock, its restarts,
//! its backups, and what an operator or a defect may do to its tables.

use std::path::Path;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{Request, header};
use http_body_util::BodyExt as _;
use sqlx::AssertSqlSafe;
use tokio::sync::Notify;
use tower::ServiceExt as _;
use walkies_core::api::Role;
use walkies_core::rows::sitter::Sitter;
use walkies_core::rows::subscription::Subscription;
use walkies_core::rows::walk_request::WalkRequest;
use walkies_core::rules::sitter::starter_rows;
use walkies_core::sync::wire::{PullRequest, PullResponse};
use walkies_core::{Id, Instant, Row, RowKey};
use walkies_server::api::router::router;
use walkies_server::app::password::{Cost, HashQueue, Passwords};
use walkies_server::app::session::Member;
use walkies_server::app::settings::Settings;
use walkies_server::app::state::AppState;
use walkies_server::archive;
use walkies_server::base::env::{Clock, Entropy, Env, Uptime, sha256};
use walkies_server::db::fault::{Fault, Faults, Moment, with_faults};
use walkies_server::db::{self, Account, ClientLink, Db, DueSeries, SeriesBusiness, Tx};
use walkies_server::jobs::series::extend_business;
use walkies_server::media::files::{FileName, Files};
use walkies_server::payments::billing::set_subscription;

use crate::rng::Rng;

/// Tables that a backup of one business has, beside its own row in `sitter`.
const TABLES: &[&str] = &[
    "profile",
    "client",
    "pet",
    "offering",
    "availability_pattern",
    "blocked_time",
    "availability_config",
    "series",
    "service",
    "walk_request",
    "conversation",
    "message",
    "invoice",
    "invoice_photo",
    "service_photo",
    "expense",
    "client_user_link",
    "tombstone",
    "departure",
    "mutation",
    "mention",
    "revision",
    "device",
    "history",
    "photo",
];

/// Cost of hashing a password here: next to nothing.
const PASSWORD_COST: Cost = Cost {
    memory_kib: 8,
    passes: 1,
};
/// Password of every account.
pub const PASSWORD: &str = "a long password";

/// How many backups there can be at once.
pub const BACKUPS: usize = 2;

#[derive(Clone)]
struct SharedClock(Arc<AtomicI64>);

impl Clock for SharedClock {
    fn now(&self) -> Instant {
        Instant(self.0.load(Ordering::Relaxed))
    }

    fn uptime(&self) -> Uptime {
        Uptime(self.0.load(Ordering::Relaxed))
    }
}

#[derive(Clone)]
struct SharedEntropy(Arc<Mutex<Rng>>);

impl Entropy for SharedEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        self.0.lock().unwrap().fill(bytes);
    }
}

/// A database for many runs, one after the other.
pub struct Database {
    db: Db,
    files: Files,
    password_hash: String,
}

impl Database {
    /// A new one in this folder.
    pub async fn create(folder: &Path) -> Self {
        let db = Db::open(folder.join("walkies.db").to_str().unwrap(), 2)
            .await
            .unwrap();
        db.migrate().await.unwrap();
        let passwords = Passwords::new(PASSWORD_COST).unwrap();
        let database = Self {
            db,
            password_hash: passwords
                .hash(PASSWORD.to_owned(), HashQueue::Stranger(""))
                .await
                .unwrap(),
            files: Files::open(folder.join("files").to_str().unwrap()).unwrap(),
        };
        let mut tx = database.db.write().await.unwrap();
        for backup in 0..BACKUPS {
            for table in TABLES.iter().chain(&["sitter"]) {
                let make = format!(
                    "CREATE TABLE backup_{backup}_{table} AS SELECT * FROM {table} WHERE FALSE"
                );
                run(&mut tx, &make, &[]).await;
            }
        }
        tx.commit().await.unwrap();
        database
    }

    pub async fn close(&self) {
        self.db.close().await;
    }
}

async fn run(tx: &mut Tx, sql: &str, args: &[&str]) {
    tx.flush().await.unwrap();
    let Tx::Sqlite(open) = tx else {
        unreachable!("the simulation runs on SQLite")
    };
    let mut query = sqlx::query(AssertSqlSafe(sql.to_owned()));
    for arg in args {
        query = query.bind((*arg).to_owned());
    }
    // Its compiled form would take the place of one that the server needs more often.
    let query = query.persistent(false);
    query.execute(open.connection()).await.unwrap();
}

/// An answer to a call.
#[derive(Clone, Debug)]
pub struct Answer {
    pub status: u16,
    pub body: String,
}

/// A call to the server.
#[derive(Clone, Debug)]
pub struct Call {
    pub method: &'static str,
    pub path: String,
    pub token: String,
    pub headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
}

/// One business on a database, and the process that serves it.
pub struct Backend<'a> {
    database: &'a Database,
    clock: SharedClock,
    entropy: SharedEntropy,
    settings: Settings,
    state: AppState,
    router: Router,
    pub sitter_id: Id,
    user_id: Id,
    n_tokens: u32,
}

impl<'a> Backend<'a> {
    /// A process with a new business.
    pub async fn start(
        database: &'a Database,
        seed: u64,
        now: i64,
        zone: &str,
        page_size: u32,
    ) -> Self {
        let clock = SharedClock(Arc::new(AtomicI64::new(now)));
        let entropy = SharedEntropy(Arc::new(Mutex::new(Rng::new(seed, 1))));
        let settings = Settings {
            page_size,
            password_cost: PASSWORD_COST,
            ..Settings::default()
        };
        let state = boot(database, &clock, &entropy, &settings).await;
        let (sitter_id, user_id) = make_business(database, &state, zone).await;
        let router = router(&state);
        Self {
            database,
            clock,
            entropy,
            settings,
            state,
            router,
            sitter_id,
            user_id,
            n_tokens: 0,
        }
    }

    pub fn set_clock(&self, now: i64) {
        self.clock.0.store(now, Ordering::Relaxed);
    }

    pub fn now(&self) -> i64 {
        self.clock.now().0
    }

    /// Another process on the same database.
    pub async fn restart(&mut self) {
        self.state = boot(self.database, &self.clock, &self.entropy, &self.settings).await;
        self.router = router(&self.state);
    }

    /// Returns the sitter as a member.
    pub const fn owner(&self) -> Member {
        Member {
            user_id: self.user_id,
            sitter_id: self.sitter_id,
            link: None,
        }
    }

    /// Returns the answer to a pull, without the way over HTTP.
    pub async fn pull(&self, member: &Member, request: &PullRequest) -> PullResponse {
        walkies_server::write::sync::pull(&self.state, member, request)
            .await
            .unwrap()
    }

    /// A pet parent with a login, and with no sitter.
    pub async fn new_parent(&self) -> Id {
        let user_id = self.state.env.id();
        let (hash, now) = (&self.database.password_hash, self.state.now());
        let parent = account(user_id, Role::Client, None, hash, now);
        let mut tx = self.database.db.write().await.unwrap();
        db::insert_account(&mut tx, &parent).await.unwrap();
        tx.commit().await.unwrap();
        user_id
    }

    /// Another business on the same database: its id, and who owns it.
    pub async fn other_business(&self, zone: &str) -> (Id, Id) {
        make_business(self.database, &self.state, zone).await
    }

    /// By which record a pet parent takes part in a business now.
    pub async fn link_of(&self, user_id: Id, sitter_id: Id) -> Option<ClientLink> {
        let mut tx = self.database.db.read_autocommit().await.unwrap();
        let mut links = db::client_links(&mut tx, user_id, Some(sitter_id))
            .await
            .unwrap();
        links.pop()
    }

    /// A call on a database that fails. The answer, if the process lives to give one, and where it failed.
    pub async fn call_with(&self, call: &Call, plan: Plan) -> (Option<Answer>, Option<Met>) {
        let failing = Arc::new(Failing::new(plan));
        let work = with_faults(failing.clone(), self.call(call));
        let answer = tokio::select! {
            biased;
            () = failing.ended.notified() => None,
            answer = work => Some(answer),
        };
        let met = *failing.met.lock().unwrap();
        (answer, met)
    }

    pub async fn call(&self, call: &Call) -> Answer {
        let (status, body) = self.call_for_bytes(call).await;
        Answer {
            status,
            body: String::from_utf8_lossy(&body).into_owned(),
        }
    }

    /// A call whose answer may be a file.
    pub async fn call_for_bytes(&self, call: &Call) -> (u16, Vec<u8>) {
        let mut request = Request::builder()
            .method(call.method)
            .uri(format!("/api{}", call.path))
            .header(header::AUTHORIZATION, format!("Bearer {}", call.token));
        for (name, value) in &call.headers {
            request = request.header(*name, value);
        }
        let request = request.body(Body::from(call.body.clone())).unwrap();
        let response = self.router.clone().oneshot(request).await.unwrap();
        let status = response.status().as_u16();
        let body = response.into_body().collect().await.unwrap().to_bytes();
        (status, body.to_vec())
    }

    /// A new session of the sitter, or of a pet parent.
    pub async fn sign_in(&mut self, parent: Option<Id>) -> String {
        self.n_tokens += 1;
        let user_id = parent.unwrap_or(self.user_id);
        let token = format!("{user_id}-{}", self.n_tokens);
        let mut tx = self.database.db.write().await.unwrap();
        let hash = sha256(token.as_bytes());
        db::insert_session(&mut tx, &hash, user_id, "phone", Instant(self.now()))
            .await
            .unwrap();
        tx.commit().await.unwrap();
        token
    }

    /// Ends a session.
    pub async fn sign_out(&self, token: &str) {
        let mut tx = self.database.db.write().await.unwrap();
        db::delete_session(&mut tx, &sha256(token.as_bytes()))
            .await
            .unwrap();
        tx.commit().await.unwrap();
    }

    /// Forgets all tombstones, as the server does with old ones.
    pub async fn collect_tombstones(&self) {
        let mut tx = self.database.db.write().await.unwrap();
        let all = Instant(i64::MAX);
        db::raise_tombstone_floors(&mut tx, all).await.unwrap();
        while db::collect_tombstones(&mut tx, all).await.unwrap() {}
        tx.commit().await.unwrap();
    }

    pub async fn has_photo(&self, id: Id) -> bool {
        let mut tx = self.database.db.read().await.unwrap();
        let has = db::photo_exists(&mut tx, self.sitter_id, id).await.unwrap();
        tx.commit().await.unwrap();
        has
    }

    /// Puts the business as it is now aside.
    pub async fn back_up(&self, backup: usize) {
        let sitter = self.sitter_id.to_string();
        let mut tx = self.database.db.write().await.unwrap();
        for (table, key) in TABLES
            .iter()
            .map(|it| (*it, "sitter_id"))
            .chain([("sitter", "id")])
        {
            let into = format!("backup_{backup}_{table}");
            run(&mut tx, &format!("DELETE FROM {into}"), &[]).await;
            let copy = format!("INSERT INTO {into} SELECT * FROM {table} WHERE {key} = $1");
            run(&mut tx, &copy, &[&sitter]).await;
        }
        tx.commit().await.unwrap();
    }

    /// Brings back what was put aside, as another database where the operator says so.
    pub async fn restore(&mut self, backup: usize, is_said: bool) {
        let sitter = self.sitter_id.to_string();
        let mut tx = self.database.db.write().await.unwrap();
        for table in TABLES {
            run(
                &mut tx,
                &format!("DELETE FROM {table} WHERE sitter_id = $1"),
                &[&sitter],
            )
            .await;
            run(
                &mut tx,
                &format!("INSERT INTO {table} SELECT * FROM backup_{backup}_{table}"),
                &[],
            )
            .await;
        }
        let counters = format!(
            "UPDATE sitter SET (rev, epoch, tombstone_floor, backend_id) = \
             (SELECT rev, epoch, tombstone_floor, backend_id FROM backup_{backup}_sitter) WHERE id = $1"
        );
        run(&mut tx, &counters, &[&sitter]).await;
        if is_said {
            db::set_backend_id(&mut tx, self.state.env.id())
                .await
                .unwrap();
        }
        tx.commit().await.unwrap();
        self.restart().await;
    }

    /// Whoever takes the money says what is paid for now; with a row that goes at the same revision, which is one of the
    /// planted bugs. Whether that is another plan than before.
    pub async fn set_plan(&self, plan: &Subscription, takes_away: Option<RowKey>) -> bool {
        let sitter_id = self.sitter_id;
        let mut tx = self.database.db.write().await.unwrap();
        let set = set_subscription(&self.state, &mut tx, sitter_id, |_| Some(plan.clone()));
        let rev = set.await.unwrap();
        if let (Some(rev), Some(key)) = (rev, takes_away) {
            db::delete_row(&mut tx, sitter_id, rev, key, self.state.now())
                .await
                .unwrap();
        }
        tx.commit().await.unwrap();
        rev.is_some()
    }

    /// Works on archives that come in and on businesses that are cleared, where asked for on a database that fails; whether
    /// the process lives.
    pub async fn work(&self, plan: Option<Plan>) -> bool {
        let work = archive::import::work(&self.state);
        let Some(plan) = plan else {
            work.await;
            return true;
        };
        let failing = Arc::new(Failing::new(plan));
        let work = with_faults(failing.clone(), work);
        tokio::select! {
            biased;
            () = failing.ended.notified() => false,
            () = work => true,
        }
    }

    /// True if the business is closed to everything but its import or its clearing.
    pub async fn is_closed(&self) -> bool {
        let mut tx = self.database.db.write().await.unwrap();
        let is_closed = db::lock_and_ask_importing(&mut tx, self.sitter_id)
            .await
            .unwrap();
        tx.rollback().await.unwrap();
        is_closed
    }

    /// Takes the last piece of an archive out of the storage: whoever works on it next has to leave it to others.
    pub async fn lose_piece(&self) -> (FileName, Bytes) {
        let mut tx = self.database.db.read_autocommit().await.unwrap();
        let pieces = db::pieces_of_import(&mut tx, self.sitter_id).await.unwrap();
        drop(tx);
        let name = FileName::video_piece(self.sitter_id, *pieces.last().unwrap());
        let files = &self.database.files;
        let bytes = files.get(&name).await.unwrap().unwrap();
        files.delete(&name).await.unwrap();
        (name, bytes)
    }

    /// Puts it back.
    pub async fn find_piece(&self, (name, bytes): (FileName, Bytes)) {
        self.database.files.put(&name, bytes).await.unwrap();
    }

    /// The nightly job of this business, of which there are many on the database.
    pub async fn extend_series(&self, zone: &str) {
        let (owner, time_zone) = (self.owner(), zone.to_owned());
        let zone = walkies_server::app::zone::time_zone(zone).unwrap();
        let today = self.state.now().civil(&zone).0;
        let business = SeriesBusiness {
            user_id: owner.user_id,
            sitter_id: owner.sitter_id,
        };
        let due = DueSeries { time_zone, today };
        let mut tx = self.state.db.read_autocommit().await.unwrap();
        let is_due = db::has_due_series(&mut tx, owner.sitter_id, &due).await;
        drop(tx);
        if is_due.unwrap() {
            // It is tried again the next time.
            let _ = extend_business(&self.state, &business, &due).await;
        }
    }

    /// A pet parent asks for something, at a revision of its own.
    pub async fn ask(&self, request: WalkRequest) {
        let mut tx = self.database.db.write().await.unwrap();
        let next = db::claim_next_revision(&mut tx, self.sitter_id, None, None).await;
        let next = next.unwrap().unwrap();
        let rev_id = self.state.current_revision_id();
        db::set_revision_id(&mut tx, self.sitter_id, &next, rev_id)
            .await
            .unwrap();
        db::write_row(
            &mut tx,
            self.sitter_id,
            next.rev,
            &Row::WalkRequest(request),
        )
        .await
        .unwrap();
        tx.commit().await.unwrap();
    }

    /// Runs a planted bug's SQL on the tables of this business: `$1` is the business.
    pub async fn tamper(&self, sql: &str, args: &[&str]) {
        let sitter = self.sitter_id.to_string();
        let mut all = vec![sitter.as_str()];
        all.extend(args);
        let mut tx = self.database.db.write().await.unwrap();
        run(&mut tx, sql, &all).await;
        tx.commit().await.unwrap();
    }

    /// Writes a row as a planted bug does, without a command.
    pub async fn write_row(&self, rev: u64, row: &Row) {
        let mut tx = self.database.db.write().await.unwrap();
        db::write_row(&mut tx, self.sitter_id, rev, row)
            .await
            .unwrap();
        tx.commit().await.unwrap();
    }
}

/// How the database is to fail during a call.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Number of moments that pass before it fails.
    pub after: usize,
    pub fault: Fault,
    /// True if it fails at each moment from then on, and not once.
    pub always: bool,
}

/// The moment at which the database has failed, and the fault.
pub type Met = (Moment, Fault);

/// A database that fails.
struct Failing {
    fault: Fault,
    always: bool,
    left: AtomicUsize,
    met: Mutex<Option<Met>>,
    ended: Notify,
}

impl Failing {
    fn new(plan: Plan) -> Self {
        Self {
            fault: plan.fault,
            always: plan.always,
            left: AtomicUsize::new(plan.after),
            met: Mutex::new(None),
            ended: Notify::new(),
        }
    }
}

impl Faults for Failing {
    fn fault_at(&self, moment: Moment) -> Option<Fault> {
        let mut met = self.met.lock().unwrap();
        if met.is_some() && !self.always {
            return None;
        }
        let left = self.left.load(Ordering::Relaxed);
        if 0 < left {
            self.left.store(left - 1, Ordering::Relaxed);
            return None;
        }
        let fault = match (self.fault, moment) {
            // What is done is neither any more.
            (Fault::Conflict, Moment::Answer | Moment::Committed)
            | (Fault::Broken, Moment::Committed) => Fault::Lost,
            (fault, _) => fault,
        };
        *met = Some((moment, fault));
        if fault == Fault::Ended {
            self.ended.notify_one();
        }
        Some(fault)
    }
}

async fn boot(
    database: &Database,
    clock: &SharedClock,
    entropy: &SharedEntropy,
    settings: &Settings,
) -> AppState {
    let env = Env {
        clock: Box::new(clock.clone()),
        entropy: Box::new(entropy.clone()),
    };
    AppState::new(
        database.db.clone(),
        env,
        settings.clone(),
        database.files.clone(),
    )
    .await
    .unwrap()
}

/// A new business with what it begins with: its id, and who owns it.
async fn make_business(database: &Database, state: &AppState, zone: &str) -> (Id, Id) {
    let (sitter_id, user_id, now) = (state.env.id(), state.env.id(), state.now());
    // One of four is on a plan with limits.
    let is_free = user_id.to_string().ends_with(['0', '1', '2', '3']);
    let sitter = Sitter {
        subscription: is_free.then(Subscription::free),
        ..Sitter::new(
            sitter_id,
            "Sam".to_owned(),
            email(user_id),
            zone.to_owned(),
            now,
        )
    };
    let mut tx = state.db.write().await.unwrap();
    db::insert_sitter(&mut tx, sitter_id, now).await.unwrap();
    let starters = starter_rows(&sitter, || state.env.id(), now);
    for row in std::iter::once(Row::Sitter(sitter)).chain(starters) {
        db::write_row(&mut tx, sitter_id, 1, &row).await.unwrap();
    }
    let hash = &database.password_hash;
    let owner = account(user_id, Role::Sitter, Some(sitter_id), hash, now);
    db::insert_account(&mut tx, &owner).await.unwrap();
    tx.commit().await.unwrap();
    (sitter_id, user_id)
}

fn account(
    id: Id,
    role: Role,
    sitter_id: Option<Id>,
    password_hash: &str,
    created_at: Instant,
) -> Account {
    Account {
        id,
        email: email(id),
        name: "Sam".to_owned(),
        role,
        roles: vec![role],
        sitter_id,
        password_hash: password_hash.to_owned(),
        created_at,
    }
}

fn email(user_id: Id) -> String {
    format!("{user_id}@example.com")
}
