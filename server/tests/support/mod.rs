//! Owns what tests of the server stand on: the real router on a real database of either kind, with a clock that the
//! test sets, and users as values.

pub mod log;
pub mod push;
pub mod stripe;

use std::collections::BTreeMap;
use std::path::Path;
use std::str::FromStr as _;
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};
use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::body::Body;
use axum::http::request::Builder;
use axum::http::{HeaderMap, Request, StatusCode, header};
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions as _};
use tokio::sync::OnceCell;
use tower::ServiceExt as _;
use walkies_core::rows::client::Client;
use walkies_core::rows::walk_request::WalkRequest;
use walkies_core::sync::wire::SCHEMA;
use walkies_core::{Cents, Id, Instant, Row};
use walkies_server::api::router::router;
use walkies_server::app::billing_settings::BillingSettings;
use walkies_server::app::password::Cost;
use walkies_server::app::settings::{MailRates, Settings};
use walkies_server::app::state::AppState;
use walkies_server::base::env::{Clock, Env, SystemEntropy, Uptime};
use walkies_server::db::{self, Db};
use walkies_server::limits::rate::Rate;
use walkies_server::media::files::Files;

/// 2026-11-20 09:00 UTC, a Friday; in New York it is 4 in the morning.
pub const NOW: i64 = 1_795_165_200_000;
pub const HOUR: i64 = 3_600_000;
pub const DAY: i64 = 24 * HOUR;
pub const PASSWORD: &str = "a walk in the rain";
/// Access notes of every client that the fixtures make.
pub const ACCESS_NOTES: &str = "The key is under the third pot";

/// A clock that stands still until the test moves it.
#[derive(Clone, Debug)]
pub struct TestClock {
    wall: Arc<AtomicI64>,
    uptime: Arc<AtomicI64>,
}

impl Clock for TestClock {
    fn now(&self) -> Instant {
        Instant(self.wall.load(Ordering::SeqCst))
    }

    fn uptime(&self) -> Uptime {
        Uptime(self.uptime.load(Ordering::SeqCst))
    }
}

impl TestClock {
    fn new() -> Self {
        Self {
            wall: Arc::new(AtomicI64::new(NOW)),
            uptime: Arc::default(),
        }
    }

    /// Lets time pass.
    pub fn advance(&self, millis: i64) {
        self.set_wall_by(millis);
        self.uptime.fetch_add(millis, Ordering::SeqCst);
    }

    /// Sets the calendar to another moment, as an operator or a time server does; no time passes.
    pub fn set_wall_by(&self, millis: i64) {
        self.wall.fetch_add(millis, Ordering::SeqCst);
    }
}

/// A server in this process.
pub struct TestApp {
    pub state: AppState,
    pub router: Router,
    pub clock: TestClock,
    /// The schema on Postgres.
    pub schema: Option<String>,
    folder: tempfile::TempDir,
}

const MANY: Rate = Rate {
    burst: 1_000_000,
    every_ms: 1,
};

/// Limits that no test meets by accident.
pub fn settings() -> Settings {
    Settings {
        password_cost: Cost {
            memory_kib: 64,
            passes: 1,
        },
        rate_by_address: Rate {
            burst: 1_000_000,
            every_ms: 1,
        },
        rate_by_account: Rate {
            burst: 1_000_000,
            every_ms: 1,
        },
        mail: MailRates {
            by_sender: MANY,
            by_new_sender: MANY,
            by_recipient: MANY,
            of_new_senders: MANY,
            of_senders: MANY,
            codes_by_recipient: MANY,
            codes: MANY,
        },
        long_write_rest: 0,
        ..Settings::default()
    }
}

/// Plans are sold, by the stand-in's account at Stripe.
pub fn billing_settings() -> BillingSettings {
    let price = |plan: &str, at: usize| (plan.to_owned(), stripe::PRICES[at].0.to_owned());
    BillingSettings {
        secret_key: stripe::KEY.to_owned(),
        webhook_secrets: vec![stripe::SECRET.to_owned()],
        prices: vec![price("solo", 0), price("pro", 1)],
    }
}

/// Runs each story on SQLite and on Postgres: there in full alone, but for those marked `#[always]`, which run every
/// statement that the server has.
#[macro_export]
macro_rules! on_both {
    ($( $(#[$always:ident])? async fn $name:ident($app:ident: TestApp) $body:block)*) => { $(
        mod $name {
            use super::*;

            async fn story($app: TestApp) $body

            #[tokio::test]
            async fn on_sqlite() {
                story(TestApp::sqlite($crate::support::settings()).await).await;
            }

            $crate::on_postgres!($($always)?);
        }
    )* };
}

/// The story of the module that this stands in, on Postgres.
#[macro_export]
macro_rules! on_postgres {
    (always) => {
        #[tokio::test]
        async fn on_postgres() {
            if let Some(app) = TestApp::postgres($crate::support::settings()).await {
                story(app).await;
            }
        }
    };
    () => {
        mod in_full_lane {
            use super::*;

            $crate::on_postgres!(always);
        }
    };
}

/// Returns the address of the tests' PostgreSQL. Without one its tests are left out, loudly, or fail.
pub fn postgres_url() -> Option<String> {
    let url = std::env::var("WALKIES_TEST_POSTGRES")
        .ok()
        .filter(|it| !it.is_empty());
    if url.is_none() {
        let required = std::env::var("REQUIRE_POSTGRES").is_ok_and(|it| it == "1");
        assert!(
            !required,
            "REQUIRE_POSTGRES=1, but WALKIES_TEST_POSTGRES names no server"
        );
        eprintln!("LEFT OUT: not run on Postgres, because WALKIES_TEST_POSTGRES names no server");
    }
    url
}

/// A schema of its own in the tests' Postgres.
pub async fn fresh_schema(url: &str) -> (PgConnectOptions, String) {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let nanos = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap()
        .as_nanos();
    let schema = format!(
        "test_{}_{nanos}_{}",
        std::process::id(),
        COUNT.fetch_add(1, Ordering::SeqCst)
    );
    let options =
        PgConnectOptions::from_str(url).expect("WALKIES_TEST_POSTGRES is a postgres:// URL");
    let mut connection = options
        .connect()
        .await
        .expect("the tests' Postgres answers");
    sqlx::query(AssertSqlSafe(format!("CREATE SCHEMA {schema}")))
        .execute(&mut connection)
        .await
        .unwrap();
    (options.options([("search_path", schema.as_str())]), schema)
}

/// Bytes of a migrated database on SQLite: to migrate one for each test takes longer than most tests.
static MIGRATED: OnceCell<Vec<u8>> = OnceCell::const_new();

/// A migrated database on SQLite.
pub async fn sqlite_db(folder: &Path) -> Db {
    let file = folder.join("test.sqlite3");
    let bytes = MIGRATED.get_or_init(|| async {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("migrated.sqlite3");
        let db = Db::open_sqlite(&file, 1).await.unwrap();
        db.migrate().await.unwrap();
        db.close().await;
        std::fs::read(file).unwrap()
    });
    std::fs::write(&file, bytes.await).unwrap();
    Db::open_sqlite(&file, 4).await.unwrap()
}

impl TestApp {
    pub async fn sqlite(settings: Settings) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let db = sqlite_db(folder.path()).await;
        Self::on(db, None, settings, folder).await
    }

    pub async fn postgres(settings: Settings) -> Option<Self> {
        let (options, schema) = fresh_schema(&postgres_url()?).await;
        let db = Db::open_postgres(options, 8).await.unwrap();
        db.migrate().await.unwrap();
        Some(Self::on(db, Some(schema), settings, tempfile::tempdir().unwrap()).await)
    }

    async fn on(
        db: Db,
        schema: Option<String>,
        settings: Settings,
        folder: tempfile::TempDir,
    ) -> Self {
        log::begin();
        let clock = TestClock::new();
        let env = Env {
            clock: Box::new(clock.clone()),
            entropy: Box::new(SystemEntropy),
        };
        let files = Files::folder(folder.path()).unwrap();
        let state = AppState::new(db, env, settings, files).await.unwrap();
        Self {
            router: router(&state),
            state,
            clock,
            schema,
            folder,
        }
    }

    /// Another process on the same database and files.
    pub async fn second_process(&self) -> Self {
        let url = postgres_url().expect("only Postgres has several processes");
        let schema = self.schema.clone().unwrap();
        let options = PgConnectOptions::from_str(&url)
            .unwrap()
            .options([("search_path", schema.as_str())]);
        let db = Db::open_postgres(options, 4).await.unwrap();
        Self::on(db, Some(schema), settings(), tempfile::tempdir().unwrap()).await
    }

    /// The same database after a start with other settings, with a clock of its own.
    pub async fn with(&self, settings: Settings) -> Self {
        let (db, folder) = (self.state.db.clone(), tempfile::tempdir().unwrap());
        Self::on(db, self.schema.clone(), settings, folder).await
    }

    /// The same on a server that was set up without a place for photos.
    pub async fn without_photo_storage(&self) -> Router {
        let env = Env {
            clock: Box::new(self.clock.clone()),
            entropy: Box::new(SystemEntropy),
        };
        let files = Files::open("none").unwrap();
        let db = self.state.db.clone();
        let state = AppState::new(db, env, settings(), files).await.unwrap();
        router(&state)
    }

    /// The same database after a start with other settings.
    pub async fn restarted_with(&self, settings: Settings) -> Router {
        let env = Env {
            clock: Box::new(self.clock.clone()),
            entropy: Box::new(SystemEntropy),
        };
        let (db, files) = (self.state.db.clone(), self.state.files.clone());
        router(&AppState::new(db, env, settings, files).await.unwrap())
    }

    /// Returns the folder of this server's files.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Stripe, or somebody who pretends to be, posts a report.
    pub async fn hear(&self, path: &str, body: &str, signature: &str) -> Answer {
        let request = Request::post(path)
            .header("stripe-signature", signature)
            .body(Body::from(body.to_owned()))
            .unwrap();
        self.anonymous().send(request).await
    }

    /// Somebody who is not signed in.
    pub fn anonymous(&self) -> User {
        User {
            router: self.router.clone(),
            token: None,
            user_id: Id::of(0),
            sitter_id: None,
            email: String::new(),
        }
    }

    /// A sitter who has just signed up.
    pub async fn sitter(&self, name: &str) -> User {
        self.sign_up(name, "sitter").await
    }

    /// A pet parent with a login and nothing else.
    pub async fn pet_parent(&self, name: &str) -> User {
        self.sign_up(name, "client").await
    }

    /// Has a client ask for a walk on Wednesday, November 25 at 9: the request's id.
    pub async fn request(&self, sitter: &User, (client, dog): &(String, String)) -> String {
        let sitter_id = sitter.sitter_id.unwrap();
        let request = WalkRequest {
            requested_date: "2026-11-25".parse().unwrap(),
            dog_ids: vec![dog.parse().unwrap()],
            message: "Side gate, please".to_owned(),
            estimated_price: Cents(25_00),
            ..WalkRequest::new(
                self.state.env.id(),
                client.parse().unwrap(),
                self.state.now(),
            )
        };
        let id = request.id.to_string();
        let mut tx = self.state.db.write().await.unwrap();
        let next = db::claim_next_revision(&mut tx, sitter_id, None, None).await;
        let rev = next.unwrap().unwrap().rev;
        db::write_row(&mut tx, sitter_id, rev, &Row::WalkRequest(request))
            .await
            .unwrap();
        tx.commit().await.unwrap();
        id
    }

    /// Makes a pet parent the client of this record, or with nobody takes its client away from it.
    pub async fn link(&self, sitter: &User, client: &str, parent: Option<&User>) {
        let (sitter_id, client_id) = (sitter.sitter_id.unwrap(), client.parse().unwrap());
        let mut tx = self.state.db.write().await.unwrap();
        let next = db::claim_next_revision(&mut tx, sitter_id, None, None).await;
        let rev = next.unwrap().unwrap().rev;
        let stored = db::select_one::<Client>(&mut tx, sitter_id, client_id).await;
        let mut row = stored.unwrap().unwrap().row;
        row.client_user_id = parent.map(|it| it.user_id);
        db::write_row(&mut tx, sitter_id, rev, &Row::Client(row))
            .await
            .unwrap();
        if let Some(parent) = parent {
            db::link_client_user(
                &mut tx,
                sitter_id,
                client_id,
                parent.user_id,
                self.state.env.id(),
            )
            .await
            .unwrap();
        }
        tx.commit().await.unwrap();
    }

    async fn sign_up(&self, name: &str, role: &str) -> User {
        let email = format!("{}@example.com", name.to_lowercase());
        let form = json!({
            "name": name, "email": email, "password": PASSWORD, "time_zone": "America/New_York", "role": role,
        });
        let answer = self.sign_up_by_mail(form).await;
        assert_eq!(answer.status, 201, "{}", answer.body);
        self.user_of(&answer)
    }

    /// A sign-up with the code from its mail.
    pub async fn sign_up_by_mail(&self, form: Value) -> Answer {
        let email = form["email"].as_str().unwrap().to_owned();
        let asked = self.anonymous().post("/auth/signup", form).await;
        assert_eq!(asked.status, 202, "{}", asked.body);
        let mail = self.mail_to(&email).await;
        let code = mail.split("Your code is ").nth(1).unwrap();
        let form = json!({ "confirmation": asked.data()["confirmation"], "code": &code[..8] });
        self.anonymous().post("/auth/signup/confirm", form).await
    }

    /// The text of the one mail that waits for somebody; it waits no longer.
    pub async fn mail_to(&self, email: &str) -> String {
        let taken = "DELETE FROM mail_job WHERE recipient = $1 RETURNING body";
        let found: Vec<String> = match &self.state.db {
            Db::Sqlite { writer, .. } => sqlx::query_scalar(taken)
                .bind(email)
                .fetch_all(writer)
                .await
                .unwrap(),
            Db::Postgres(pool) => sqlx::query_scalar(taken)
                .bind(email)
                .fetch_all(pool)
                .await
                .unwrap(),
        };
        let [text] = found.as_slice() else {
            panic!("{} mails wait for {email}", found.len());
        };
        text.clone()
    }

    /// The user of a sign-up's or sign-in's answer.
    pub fn user_of(&self, answer: &Answer) -> User {
        let user = &answer.data()["user"];
        User {
            router: self.router.clone(),
            token: Some(answer.data()["token"].as_str().unwrap().to_owned()),
            user_id: user["id"].as_str().unwrap().parse().unwrap(),
            sitter_id: user["sitter_id"].as_str().map(|it| it.parse().unwrap()),
            email: user["email"].as_str().unwrap().to_owned(),
        }
    }

    /// Every row of every table, as text; of one business, or of all.
    pub async fn dump(&self, sitter_id: Option<Id>) -> Vec<String> {
        self.dump_where(|table, columns| condition(table, columns, sitter_id))
            .await
    }

    /// Every row of a business, and of whoever owns it: sessions, second factors.
    pub async fn dump_with_owner(&self, sitter_id: Id) -> Vec<String> {
        self.dump_where(|table, columns| {
            condition(table, columns, Some(sitter_id)).or_else(|| of_owner(columns, sitter_id))
        })
        .await
    }

    /// Asks for the rows of all tables at once: there are some seventy tables, and thousands of dumps.
    async fn dump_where(
        &self,
        condition: impl Fn(&str, &[String]) -> Option<String>,
    ) -> Vec<String> {
        let wanted = self
            .columns()
            .await
            .into_iter()
            .filter_map(|(table, columns)| {
                let condition = condition(&table, &columns)?;
                let row = match &self.state.db {
                    Db::Sqlite { .. } => {
                        let fields: Vec<String> =
                            columns.iter().map(|it| format!("'{it}', {it}")).collect();
                        format!("json_object({})", fields.join(", "))
                    }
                    Db::Postgres(_) => format!("row_to_json({table})::text"),
                };
                Some(format!(
                    "SELECT '{table} ' || {row} FROM {table} {condition}"
                ))
            });
        let sql = AssertSqlSafe(wanted.collect::<Vec<_>>().join(" UNION ALL "));
        let mut lines: Vec<String> = match &self.state.db {
            Db::Sqlite { writer, .. } => sqlx::query_scalar(sql).fetch_all(writer).await.unwrap(),
            Db::Postgres(pool) => sqlx::query_scalar(sql).fetch_all(pool).await.unwrap(),
        };
        lines.sort();
        lines
    }

    /// Every table with the names of its columns.
    async fn columns(&self) -> BTreeMap<String, Vec<String>> {
        let found: Vec<(String, String)> = match &self.state.db {
            Db::Sqlite { writer, .. } => {
                let sql = "SELECT it.name, of_it.name FROM sqlite_schema AS it, pragma_table_info(it.name) AS of_it \
                    WHERE it.type = 'table' AND it.name NOT LIKE '\\_%' ESCAPE '\\' AND it.name NOT LIKE 'sqlite%'";
                sqlx::query_as(sql).fetch_all(writer).await.unwrap()
            }
            Db::Postgres(pool) => {
                let sql = "SELECT table_name::text, column_name::text FROM information_schema.columns \
                    WHERE table_schema = current_schema() AND table_name NOT LIKE '\\_%'";
                sqlx::query_as(sql).fetch_all(pool).await.unwrap()
            }
        };
        let mut columns: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (table, column) in found {
            columns.entry(table).or_default().push(column);
        }
        columns
    }
}

impl Drop for TestApp {
    fn drop(&mut self) {
        log::check();
    }
}

fn condition(table: &str, columns: &[String], sitter_id: Option<Id>) -> Option<String> {
    let Some(sitter_id) = sitter_id else {
        return Some(String::new());
    };
    if table == "sitter" {
        return Some(format!("WHERE id = '{sitter_id}'"));
    }
    let is_of_one = columns.iter().any(|it| it == "sitter_id");
    is_of_one.then(|| format!("WHERE sitter_id = '{sitter_id}'"))
}

/// The rows of a table without businesses that belong to who owns one.
fn of_owner(columns: &[String], sitter_id: Id) -> Option<String> {
    let has = |column: &str| columns.iter().any(|it| it == column);
    let users = format!("SELECT id FROM user_account WHERE sitter_id = '{sitter_id}'");
    let sessions = format!("SELECT token_hash FROM session WHERE user_id IN ({users})");
    if has("user_id") {
        Some(format!("WHERE user_id IN ({users})"))
    } else {
        has("session_hash").then(|| format!("WHERE session_hash IN ({sessions})"))
    }
}

/// A call of the document: its method, its path in parts, and the statuses that it may answer.
type Documented = (String, Vec<String>, Vec<u16>);

/// Returns a sentence for a status that the document does not name: every status that any test meets is to be in it.
pub fn undocumented(method: &str, path: &str, status: u16) -> Option<String> {
    static CALLS: LazyLock<Vec<Documented>> = LazyLock::new(|| {
        let document = walkies_server::api::router::document();
        let mut calls = Vec::new();
        for (path, methods) in document["paths"].as_object().unwrap() {
            let parts: Vec<String> = path.split('/').map(str::to_owned).collect();
            for (method, operation) in methods.as_object().unwrap() {
                let responses = operation["responses"].as_object().unwrap();
                let statuses = responses.keys().map(|it| it.parse().unwrap()).collect();
                calls.push((method.to_uppercase(), parts.clone(), statuses));
            }
        }
        calls
    });
    let asked: Vec<&str> = path.split('/').collect();
    let fits = |(of, parts, _): &&Documented| {
        let is_same = |(part, asked): (&String, &&str)| part.starts_with('{') || part == asked;
        of == method && parts.len() == asked.len() && parts.iter().zip(&asked).all(is_same)
    };
    // What is named outright comes before what has a place for anything.
    let named = CALLS
        .iter()
        .filter(fits)
        .min_by_key(|it| it.1.concat().matches('{').count());
    let (_, parts, statuses) = named?;
    (!statuses.contains(&status)).then(|| {
        let path = parts.join("/");
        format!("{method} {path} answers {status}, and does not say so")
    })
}

/// Somebody who calls.
#[derive(Clone)]
pub struct User {
    pub router: Router,
    pub token: Option<String>,
    pub user_id: Id,
    pub sitter_id: Option<Id>,
    pub email: String,
}

/// The answer to a call.
#[derive(Clone, Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Value,
    pub bytes: Vec<u8>,
}

impl Answer {
    /// Asserts success and returns the data.
    pub fn data(&self) -> &Value {
        assert!(self.status.is_success(), "{} {}", self.status, self.body);
        assert_eq!(self.body["success"], true, "{}", self.body);
        &self.body["data"]
    }

    /// The id of what it gives.
    pub fn id(&self) -> String {
        self.data()["id"].as_str().unwrap().to_owned()
    }

    /// Status and code of a failure, whose form is checked.
    pub fn failure(&self) -> (u16, &str) {
        assert_eq!(self.body["success"], false, "{}", self.body);
        assert_eq!(self.body["error"], self.body["message"], "{}", self.body);
        assert!(
            self.body["error"].as_str().is_some_and(|it| !it.is_empty()),
            "{}",
            self.body
        );
        (self.status.as_u16(), self.body["code"].as_str().unwrap())
    }
}

impl User {
    pub async fn get(&self, path: &str) -> Answer {
        self.call("GET", path, &[], None).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.call("POST", path, &[], Some(body)).await
    }

    pub async fn put(&self, path: &str, body: Value) -> Answer {
        self.call("PUT", path, &[], Some(body)).await
    }

    pub async fn patch(&self, path: &str, body: Value) -> Answer {
        self.call("PATCH", path, &[], Some(body)).await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        self.call("DELETE", path, &[], None).await
    }

    /// Posts with an `Idempotency-Key`.
    pub async fn post_once(&self, key: &str, path: &str, body: Value) -> Answer {
        self.call("POST", path, &[("idempotency-key", key)], Some(body))
            .await
    }

    pub async fn call(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<Value>,
    ) -> Answer {
        let mut request = Request::builder().method(method).uri(format!("/api{path}"));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let body = match body {
            Some(body) => {
                request = request.header(header::CONTENT_TYPE, "application/json");
                Body::from(body.to_string())
            }
            None => Body::empty(),
        };
        self.send(request.body(body).unwrap()).await
    }

    /// Uploads a photo.
    pub async fn upload(&self, id: Option<&str>, bytes: &[u8]) -> Answer {
        self.upload_once(None, id, bytes).await
    }

    /// Uploads a photo with an `Idempotency-Key`.
    pub async fn upload_once(&self, key: Option<&str>, id: Option<&str>, bytes: &[u8]) -> Answer {
        let request = match key {
            Some(key) => Request::builder().header("idempotency-key", key),
            None => Request::builder(),
        };
        self.send_file(request, "/upload", "photo", id, bytes).await
    }

    /// Uploads an image for a message.
    pub async fn upload_image(&self, bytes: &[u8]) -> Answer {
        self.send_file(Request::builder(), "/messages/upload", "file", None, bytes)
            .await
    }

    async fn send_file(
        &self,
        request: Builder,
        path: &str,
        field: &str,
        id: Option<&str>,
        bytes: &[u8],
    ) -> Answer {
        let mut body = Vec::new();
        if let Some(id) = id {
            body.extend(b"--XX\r\nContent-Disposition: form-data; name=\"id\"\r\n\r\n");
            body.extend(id.as_bytes());
            body.extend(b"\r\n");
        }
        // As a browser names what it has looked at.
        let kind = if bytes.starts_with(b"<") {
            "text/html"
        } else {
            "image/jpeg"
        };
        let part = format!(
            "--XX\r\nContent-Disposition: form-data; name=\"{field}\"; filename=\"a.jpg\"\r\nContent-Type: {kind}\r\n\r\n"
        );
        body.extend(part.as_bytes());
        body.extend(bytes);
        body.extend(b"\r\n--XX--\r\n");
        let request = request
            .method("POST")
            .uri(format!("/api{path}"))
            .header(header::CONTENT_TYPE, "multipart/form-data; boundary=XX");
        self.send(request.body(Body::from(body)).unwrap()).await
    }

    pub async fn send(&self, request: Request<Body>) -> Answer {
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let answer = self.try_send(request).await;
        let status = answer.status.as_u16();
        // What a test has broken on purpose is a defect, which no document names.
        if status != 500 {
            assert_eq!(undocumented(method.as_str(), &path, status), None);
        }
        answer
    }

    /// As `send`, whatever is answered.
    pub async fn try_send(&self, mut request: Request<Body>) -> Answer {
        if let Some(token) = &self.token {
            let bearer = format!("Bearer {token}").parse().unwrap();
            request.headers_mut().insert(header::AUTHORIZATION, bearer);
        }
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes().to_vec();
        let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        log::remember(&body);
        Answer {
            status: parts.status,
            headers: parts.headers,
            body,
            bytes,
        }
    }

    /// Adds a client with one dog: the ids of both.
    pub async fn client(&self, name: &str) -> (String, String) {
        let form = json!({
            "name": name, "dogs": [{ "name": "Rex" }], "walk_rate_30min": 25, "access_notes": ACCESS_NOTES,
        });
        let answer = self.post("/clients", form).await;
        let dog = answer.data()["dogs"][0]["id"].as_str().unwrap().to_owned();
        (answer.id(), dog)
    }

    /// Schedules a walk: its id.
    pub async fn walk(&self, (client, dog): &(String, String), date: &str, start: &str) -> String {
        self.post("/scheduled-services", walk(client, dog, date, start))
            .await
            .id()
    }
}

/// The form of a walk of half an hour.
pub fn walk(client: &str, dog: &str, date: &str, start: &str) -> Value {
    json!({
        "client_id": client, "dog_ids": [dog], "service_type": "walk", "date": date, "start_time": start,
        "duration_minutes": 30,
    })
}

/// A phone: a queue of saved commands, and what it knows.
pub struct Phone {
    pub user: User,
    /// The sitter whose business a pet parent's phone is of.
    pub sitter_id: Option<Id>,
    pub device_id: Id,
    pub seq: u64,
    pub cursor: u64,
    pub epoch: Option<u64>,
    pub backend_id: Option<String>,
    pub seen: u64,
    pub rev_id: Option<String>,
}

impl Phone {
    pub fn new(user: &User) -> Self {
        let device_id = Env::system().id();
        Self {
            user: user.clone(),
            sitter_id: None,
            device_id,
            seq: 0,
            cursor: 0,
            epoch: None,
            backend_id: None,
            seen: 0,
            rev_id: None,
        }
    }

    /// The next saved command.
    pub fn save(&mut self, command: &str, args: Value) -> Value {
        self.seq += 1;
        json!({
            "id": Env::system().id(), "seq": self.seq, "v": SCHEMA, "made_at": Instant(NOW), "base_rev": self.cursor,
            "name": command, "args": args,
        })
    }

    pub async fn push(&self, mutations: &[Value]) -> Answer {
        let body = json!({
            "device_id": self.device_id, "schema": SCHEMA, "backend_id": self.backend_id, "mutations": mutations,
        });
        let of = self.sitter_id.map(|it| format!("?sitter_id={it}"));
        let path = "/sync/push".to_owned() + &of.unwrap_or_default();
        self.user.post(&path, body).await
    }

    /// Saves and pushes one command: its outcome.
    pub async fn send(&mut self, command: &str, args: Value) -> Value {
        let mutation = self.save(command, args);
        let answer = self.push(&[mutation]).await;
        answer.data()["results"][0].clone()
    }

    /// One page of the feed, taken in.
    pub async fn pull(&mut self) -> Value {
        let mut query = format!(
            "cursor={}&device_id={}&schema={SCHEMA}",
            self.cursor, self.device_id
        );
        if let Some(sitter_id) = self.sitter_id {
            query.push_str(&format!("&sitter_id={sitter_id}"));
        }
        if let Some(epoch) = self.epoch {
            query.push_str(&format!("&epoch={epoch}"));
        }
        if let Some(backend_id) = &self.backend_id {
            query.push_str(&format!("&backend_id={backend_id}"));
        }
        if let Some(rev_id) = &self.rev_id {
            query.push_str(&format!("&seen={}&rev_id={rev_id}", self.seen));
        }
        let page = self
            .user
            .get(&format!("/sync/pull?{query}"))
            .await
            .data()
            .clone();
        self.cursor = page["next"].as_u64().unwrap();
        self.epoch = page["epoch"].as_u64();
        self.backend_id = page["backend_id"].as_str().map(str::to_owned);
        self.seen = page["head"].as_u64().unwrap();
        self.rev_id = page["rev_id"].as_str().map(str::to_owned);
        page
    }
}
