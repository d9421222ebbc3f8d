//! Owns what REST calls answer: the success form, and the rows with the fields that are derived for callers.

use std::collections::HashMap;
use std::io::Write as _;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Value, json};
use walkies_core::commands::decision::{About, Effect, Need, Shows};
use walkies_core::rows::availability_config::AvailabilityConfig;
use walkies_core::rows::blocked_time::BlockedTime;
use walkies_core::rows::business::PetsByClient;
use walkies_core::rows::client::Client;
use walkies_core::rows::conversation::Conversation;
use walkies_core::rows::expense::Expense;
use walkies_core::rows::invoice::Invoice;
use walkies_core::rows::message::{Message, Side};
use walkies_core::rows::offering::Offering;
use walkies_core::rows::pattern::Pattern;
use walkies_core::rows::pet::Pet;
use walkies_core::rows::report::Report;
use walkies_core::rows::series::Series;
use walkies_core::rows::service::{Service, ServiceStatus};
use walkies_core::rows::sitter::Sitter;
use walkies_core::rows::walk_request::WalkRequest;
use walkies_core::rules::client::order;
use walkies_core::rules::client_view::shown_to;
use walkies_core::rules::message::Relationships;
use walkies_core::rules::words;
use walkies_core::values::units::HourCycle;
use walkies_core::values::zone::TimeZone;
use walkies_core::{
    Business, Cents, Change, Command, Decision, Id, Instant, Refusal, Row, RowKey, TableName, Time,
    Versioned,
};

use crate::app::session::Member;
use crate::app::state::App;
use crate::app::zone::now_of;
use crate::base::error::AppError;
use crate::base::page::Page;
use crate::db::{self, ClientLink, Column as _, ROWS_AT_ONCE, Tx};
use crate::limits::outgoing::{AnswerWriter, Taker, unkept};
use crate::write::conversations;

/// A REST call's answer, as it is kept for a repeat.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// HTTP status code of the response.
    pub status: StatusCode,
    /// The whole JSON body of the response.
    pub body: Value,
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        let rev = self.body.pointer("/data/rev").and_then(Value::as_u64);
        let mut response = (self.status, Json(self.body)).into_response();
        if let Some(etag) = rev.and_then(|it| HeaderValue::from_str(&format!("\"{it}\"")).ok()) {
            response.headers_mut().insert(header::ETAG, etag);
        }
        response
    }
}

/// The success form.
pub fn success(data: impl Serialize) -> Value {
    json!({ "success": true, "data": data })
}

/// The answer of a call that reads.
pub fn ok(data: impl Serialize) -> Answer {
    Answer {
        status: StatusCode::OK,
        body: success(data),
    }
}

/// The answer of a call that reads a list: the page of these rows that is asked for, and how many there are.
pub async fn ok_list<T: Serialize>(rows: Vec<T>, page: Page) -> Result<Response, AppError> {
    let total = rows.len() as u64;
    list_between("[", page.cut(rows), "]", total).await
}

/// The same, where the rows are the page.
pub async fn ok_page<T: Serialize>(rows: Vec<T>, total: u64) -> Result<Response, AppError> {
    list_between("[", rows, "]", total).await
}

/// The same, where the answer has the list under a name.
pub async fn ok_page_as<T: Serialize>(
    name: &str,
    rows: Vec<T>,
    total: u64,
) -> Result<Response, AppError> {
    list_between(&format!("{{\"{name}\":["), rows, "]}", total).await
}

async fn list_between<T: Serialize>(
    begin: &str,
    rows: Vec<T>,
    end: &str,
    total: u64,
) -> Result<Response, AppError> {
    let mut body = [r#"{"success":true,"data":"#, begin].concat().into_bytes();
    // Each row goes as it is written, so that a long list is not there twice.
    for (place, row) in rows.into_iter().enumerate() {
        if 0 < place {
            body.push(b',');
        }
        serde_json::to_writer(&mut body, &row).map_err(|it| AppError::Internal(it.into()))?;
        if place % ROWS_AT_ONCE == ROWS_AT_ONCE - 1 {
            tokio::task::yield_now().await;
        }
    }
    body.extend(format!("{end},\"total\":{total}}}").bytes());
    let json = HeaderValue::from_static("application/json");
    Ok(([(header::CONTENT_TYPE, json)], body).into_response())
}

/// A list as it is written row by row, of any length: what is beyond a buffer waits on the disk.
#[derive(Debug)]
pub struct ListWriter {
    writer: AnswerWriter,
    n_rows: usize,
}

impl ListWriter {
    /// Begins the list of an answer for somebody.
    pub fn new(app: &App, taker: Taker) -> Self {
        Self {
            writer: app.answer_writer(taker),
            n_rows: 0,
        }
    }

    /// Adds a row.
    pub fn push(&mut self, row: &impl Serialize) -> sqlx::Result<()> {
        if 0 < self.n_rows {
            self.writer.write_all(b",")?;
        }
        self.n_rows += 1;
        serde_json::to_writer(&mut self.writer, row).map_err(std::io::Error::from)?;
        Ok(())
    }

    /// The number of its rows.
    pub const fn len(&self) -> usize {
        self.n_rows
    }

    /// `true` for a list without a row.
    pub const fn is_empty(&self) -> bool {
        self.n_rows == 0
    }

    /// The answer of a call that reads this page of so many rows.
    pub fn into_page(mut self, total: u64) -> Result<Response, AppError> {
        write!(self.writer, "],\"total\":{total}}}").map_err(unkept)?;
        self.writer.into_json_after(r#"{"success":true,"data":["#)
    }
}

/// A row with the revision that wrote it, which is its ETag.
#[derive(Clone, Debug, Serialize)]
pub struct Revised<T> {
    /// The row itself; its fields stand beside `rev` in the JSON.
    #[serde(flatten)]
    pub row: T,
    /// The revision that wrote it.
    pub rev: u64,
}

impl<T> From<Versioned<T>> for Revised<T> {
    fn from(stored: Versioned<T>) -> Self {
        Self {
            row: stored.row,
            rev: stored.rev,
        }
    }
}

/// A client with its pets, which the API calls dogs.
#[derive(Clone, Debug, Serialize)]
pub struct ClientAnswer {
    /// The client itself; its fields stand beside `dogs` and `rev` in the JSON.
    #[serde(flatten)]
    pub client: Client,
    /// Its pets in their order.
    pub dogs: Vec<Pet>,
    /// The revision that wrote the client.
    pub rev: u64,
}

/// A service with what is derived of it.
#[derive(Clone, Debug, Serialize)]
pub struct ServiceAnswer {
    /// The service itself; its fields stand beside the derived ones in the JSON.
    #[serde(flatten)]
    pub service: Service,
    /// The type of the service again, under its former name `type`, which records and invoices once used.
    #[serde(rename = "type")]
    pub kind: walkies_core::rows::service::ServiceType,
    /// When it ends; may be on the next day.
    pub end_time: Time,
    /// When it is as a person reads it, as the business writes times of day.
    pub formatted_time: String,
    /// The service in one line, for lists.
    pub summary: String,
    /// The revision that wrote it.
    pub rev: u64,
}

impl ServiceAnswer {
    /// The service of a business that writes times of day like that.
    pub fn of(stored: Versioned<Service>, cycle: HourCycle) -> Self {
        let service = stored.row;
        let minutes =
            i64::from(service.start_time.minute_of_day()) + i64::from(service.duration_minutes);
        Self {
            kind: service.service_type,
            end_time: Time::from_minutes(minutes),
            formatted_time: words::service_time(&service, cycle),
            summary: words::service_summary(&service),
            rev: stored.rev,
            service,
        }
    }
}

/// An invoice with what is derived of it (SPEC 3, Shared invoice).
#[derive(Clone, Debug, Serialize)]
pub struct InvoiceAnswer {
    /// The invoice itself; its fields stand beside the derived ones in the JSON.
    #[serde(flatten)]
    pub invoice: Invoice,
    /// Version of the invoice record's format; always `2.0`.
    pub version: &'static str,
    /// Path of the invoice's public page, relative to the server's address; `null` if the invoice has none.
    #[serde(rename = "shareUrl")]
    pub share_url: Option<String>,
    /// Amount that is still owed, in cents.
    pub balance: Cents,
    /// The revision that wrote it.
    pub rev: u64,
}

impl From<Versioned<Invoice>> for InvoiceAnswer {
    fn from(Versioned { rev, row }: Versioned<Invoice>) -> Self {
        Self {
            version: "2.0",
            share_url: row.share_id.as_ref().map(|it| format!("/invoice/{it}")),
            balance: row.balance(),
            invoice: row,
            rev,
        }
    }
}

/// Nothing is booked for later.
const FAR_DAYS: i64 = 3_660;

/// Reads what connects clients with the sitter. The last services of each client are kept, however many there are: one that comes
/// is one.
pub async fn relationships(tx: &mut Tx, sitter_id: Id, at: Instant) -> sqlx::Result<Relationships> {
    let mut business = Business::default();
    let needs = [Need::Table(TableName::Sitter), Need::LatestRequests];
    db::load_slimmed(
        tx,
        sitter_id,
        &needs,
        None,
        &mut business,
        |row| match row {
            Row::WalkRequest(it) => Row::WalkRequest(WalkRequest {
                client_id: it.client_id,
                status: it.status,
                requested_date: it.requested_date,
                ..WalkRequest::new(it.id, it.client_id, it.created_at)
            }),
            row => row,
        },
    )
    .await?;
    let utc_today = at.civil(&TimeZone::UTC).0;
    let coming = db::ServiceFilter {
        first: Some(utc_today.plus_days(-1)),
        last: Some(utc_today.plus_days(-1).plus_days(FAR_DAYS)),
        statuses: vec![ServiceStatus::Scheduled],
        ..db::ServiceFilter::default()
    };
    let mut last: HashMap<(Id, bool), Service> = HashMap::new();
    db::each_service(tx, sitter_id, &coming, |stored| {
        let it = stored.row;
        // They come by their dates, so that a later one takes the place of an earlier one; stays go on.
        let key = (it.client_id, it.end_date.is_some());
        let is_over = |known: &Service| known.end_date <= it.end_date;
        if last.get(&key).is_none_or(is_over) {
            let service = Service {
                client_id: it.client_id,
                date: it.date,
                end_date: it.end_date,
                status: it.status,
                ..Service::new(it.id, it.created_at)
            };
            last.insert(key, service);
        }
        Ok(())
    })
    .await?;
    for service in last.into_values() {
        business.put(0, Row::Service(service));
    }
    Ok(Relationships::new(
        &business,
        now_of(at, business.sitter()).today(),
    ))
}

/// All clients of a business in their order, of which some at a time are read: all together may be more than the memory takes.
#[derive(Debug)]
pub struct ClientList {
    ids: Vec<Id>,
    connected: Relationships,
}

/// A client has up to a megabyte, with all its pets.
const CLIENTS_AT_ONCE: usize = 20;

impl ClientList {
    /// Finds which there are.
    pub async fn read(tx: &mut Tx, sitter_id: Id, at: Instant) -> sqlx::Result<Self> {
        let mut names = Vec::new();
        db::each_client_name(tx, sitter_id, |id, name| {
            let client = Client {
                name,
                ..Client::new(id, at)
            };
            // Not by the database: SQLite's `lower` knows the letters of English alone.
            names.push(order(&client, &str::to_lowercase));
            Ok(())
        })
        .await?;
        names.sort();
        Ok(Self {
            ids: names.into_iter().map(|it| it.1).collect(),
            connected: relationships(tx, sitter_id, at).await?,
        })
    }

    /// Writes a page of them, with their pets.
    pub async fn write(
        self,
        tx: &mut Tx,
        sitter_id: Id,
        page: Page,
        list: &mut ListWriter,
    ) -> sqlx::Result<u64> {
        let total = self.ids.len() as u64;
        for ids in page.cut(self.ids).chunks(CLIENTS_AT_ONCE) {
            let needs = [
                Need::Rows(TableName::Client, ids.to_vec()),
                Need::Rows(TableName::Conversation, ids.to_vec()),
                Need::PetsOfAny(ids.to_vec()),
            ];
            let mut business = Business::default();
            db::load(tx, sitter_id, &needs, None, &mut business).await?;
            let pets = business.pets_by_client();
            for id in ids {
                if let Some(stored) = business.clients.get(id) {
                    list.push(&client_answer(stored, &business, &pets, &self.connected))?;
                }
            }
        }
        Ok(total)
    }
}

fn client_answer(
    stored: &Versioned<Client>,
    business: &Business,
    pets: &PetsByClient<'_>,
    connected: &Relationships,
) -> ClientAnswer {
    let client = &stored.row;
    let conversation = business.conversation(client.id);
    ClientAnswer {
        dogs: pets.of(client.id).iter().copied().cloned().collect(),
        client: Client {
            unread_count: conversation.map_or(0, |it| it.unread_by(Side::Sitter)),
            relationship_type: connected.of(client.id),
            ..client.clone()
        },
        rev: stored.rev,
    }
}

/// A client with its pets.
pub async fn client(
    tx: &mut Tx,
    sitter_id: Id,
    id: Id,
    at: Instant,
) -> sqlx::Result<Option<ClientAnswer>> {
    let row = |table| Need::Row(RowKey { table, id });
    let utc_today = at.civil(&TimeZone::UTC).0;
    let needs = [
        row(TableName::Client),
        row(TableName::Conversation),
        Need::PetsOf(id),
        Need::Table(TableName::Sitter),
        Need::LatestRequestsOf(id),
        Need::ServicesOfClientFrom(id, utc_today.plus_days(-1)),
    ];
    let mut business = Business::default();
    db::load(tx, sitter_id, &needs, None, &mut business).await?;
    let connected = Relationships::new(&business, now_of(at, business.sitter()).today());
    let pets = business.pets_by_client();
    let found = business.clients.get(&id);
    Ok(found.map(|it| client_answer(it, &business, &pets, &connected)))
}

/// The pets of a client in their order.
pub async fn pets_of(
    tx: &mut Tx,
    sitter_id: Id,
    client_id: Id,
) -> sqlx::Result<Vec<Versioned<Pet>>> {
    let condition = "AND client_id = $2 ORDER BY display_order, id";
    db::select::<Pet>(tx, sitter_id, condition, &[client_id.arg()]).await
}

/// The offerings that the member sees, in their order.
pub async fn offerings(tx: &mut Tx, member: &Member) -> sqlx::Result<Vec<Revised<Offering>>> {
    let order = "ORDER BY display_order, id";
    let offerings = db::select::<Offering>(tx, member.sitter_id, order, &[]).await?;
    let seen = offerings
        .into_iter()
        .filter_map(|it| seen_by(member.link, it));
    Ok(seen.map(Revised::from).collect())
}

/// Returns the response of the REST call that gave this command, read from the rows as they are after it. A refusal
/// gets its status and the failure form.
pub async fn answer(
    tx: &mut Tx,
    member: &Member,
    command: &Command,
    decided: &Result<Decision, Refusal>,
    rev: u64,
    at: Instant,
) -> sqlx::Result<Answer> {
    let decision = match decided {
        Ok(decision) => decision,
        Err(refusal) => {
            let (status, body) = AppError::Refused(refusal.clone()).answer();
            return Ok(Answer { status, body });
        }
    };
    let sitter_id = member.sitter_id;
    let about = command.about();
    let mut data = match about.shows {
        Shows::Row(RowKey {
            table: TableName::Client,
            id,
        }) => json!(client_for(tx, member, id, at).await?),
        Shows::Row(RowKey {
            table: TableName::Conversation,
            id,
        }) => json!(conversations::one(tx, member, id).await?),
        Shows::Row(RowKey {
            table: TableName::Message,
            id,
        }) => json!(conversations::message(tx, member, id).await?),
        Shows::Row(key) => row(tx, member, key, at).await?,
        Shows::Only(table) => only(tx, member, table, at).await?,
        Shows::Offerings => json!(offerings(tx, member).await?),
        Shows::ReportsOf(id) => reports(tx, sitter_id, id, rev).await?,
        Shows::Made(table) => made(table, decision, rev),
        Shows::Id(id) => removed(&about, decision, id, rev),
    };
    if about.row.is_some_and(|it| it.table == TableName::Invoice) {
        // SPEC 7, Invoices: how many services were paid, or are paid no longer.
        data["updatedServices"] = json!(updated_services(decision));
    }
    let status = match about.effect {
        Effect::Makes => StatusCode::CREATED,
        Effect::Changes | Effect::Marks | Effect::Removes => StatusCode::OK,
    };
    let mut body = success(data);
    if !decision.adjustments.is_empty() {
        body["adjustments"] = json!(decision.adjustments);
    }
    Ok(Answer { status, body })
}

fn updated_services(decision: &Decision) -> usize {
    let is_service = |it: &&Change| matches!(it, Change::Put(Row::Service(_)));
    decision.changes.iter().filter(is_service).count()
}

/// A row as it is seen by this link, or by the sitter; nothing where it is not theirs to see.
pub fn seen_by<T: db::Synced>(
    link: Option<ClientLink>,
    stored: Versioned<T>,
) -> Option<Versioned<T>> {
    let Versioned { rev, row } = stored;
    let row = match link {
        Some(link) => T::from_row(shown_to(link.client_id, &row.into_row())?)?,
        None => row,
    };
    Some(Versioned { rev, row })
}

/// A client as the member sees it.
async fn client_for(
    tx: &mut Tx,
    member: &Member,
    id: Id,
    at: Instant,
) -> sqlx::Result<Option<ClientAnswer>> {
    let answer = client(tx, member.sitter_id, id, at).await?;
    Ok(answer.and_then(|ClientAnswer { client, dogs, rev }| {
        let seen = seen_by(member.link, Versioned { rev, row: client })?;
        let dogs = dogs.into_iter().map(|row| Versioned { rev, row });
        let dogs = dogs.filter_map(|it| seen_by(member.link, it));
        Some(ClientAnswer {
            client: seen.row,
            dogs: dogs.map(|it| it.row).collect(),
            rev,
        })
    }))
}

/// A row as its calls show it.
async fn row(
    tx: &mut Tx,
    member: &Member,
    RowKey { table, id }: RowKey,
    at: Instant,
) -> sqlx::Result<Value> {
    Ok(match table {
        TableName::Client => json!(client_for(tx, member, id, at).await?),
        TableName::Service => {
            let service = find::<Service>(tx, member, id).await?;
            let cycle = db::hour_cycle(tx, member.sitter_id).await?;
            json!(service.map(|it| ServiceAnswer::of(it, cycle)))
        }
        TableName::Series => one::<Series>(tx, member, id).await?,
        TableName::Sitter => one::<Sitter>(tx, member, id).await?,
        TableName::Pet => one::<Pet>(tx, member, id).await?,
        TableName::Offering => one::<Offering>(tx, member, id).await?,
        TableName::Pattern => one::<Pattern>(tx, member, id).await?,
        TableName::BlockedTime => one::<BlockedTime>(tx, member, id).await?,
        TableName::AvailabilityConfig => one::<AvailabilityConfig>(tx, member, id).await?,
        TableName::WalkRequest => one::<WalkRequest>(tx, member, id).await?,
        TableName::Report => one::<Report>(tx, member, id).await?,
        TableName::Conversation => one::<Conversation>(tx, member, id).await?,
        TableName::Message => one::<Message>(tx, member, id).await?,
        TableName::Expense => one::<Expense>(tx, member, id).await?,
        TableName::Invoice => {
            let invoice = find::<Invoice>(tx, member, id).await?;
            json!(invoice.map(InvoiceAnswer::from))
        }
    })
}

async fn one<T: db::Synced + Serialize>(
    tx: &mut Tx,
    member: &Member,
    id: Id,
) -> sqlx::Result<Value> {
    let stored = find::<T>(tx, member, id).await?;
    Ok(json!(stored.map(Revised::from)))
}

async fn find<T: db::Synced>(
    tx: &mut Tx,
    member: &Member,
    id: Id,
) -> sqlx::Result<Option<Versioned<T>>> {
    let stored = db::select_one::<T>(tx, member.sitter_id, id).await?;
    Ok(stored.and_then(|it| seen_by(member.link, it)))
}

/// The only row of a table: its id is the business's.
async fn only(tx: &mut Tx, member: &Member, table: TableName, at: Instant) -> sqlx::Result<Value> {
    let id = member.sitter_id;
    row(tx, member, RowKey { table, id }, at).await
}

async fn reports(tx: &mut Tx, sitter_id: Id, walk_id: Id, rev: u64) -> sqlx::Result<Value> {
    let of_walk = "AND walk_id = $2 ORDER BY id";
    let reports = db::select::<Report>(tx, sitter_id, of_walk, &[walk_id.arg()]).await?;
    let reports: Vec<Report> = reports.into_iter().map(|it| it.row).collect();
    Ok(json!({ "id": walk_id, "reports": reports, "rev": rev }))
}

/// The ids of what was made of a table.
fn made(table: TableName, decision: &Decision, rev: u64) -> Value {
    let made = decision.changes.iter().filter_map(|it| match it {
        Change::Put(row) => Some(row.key()).filter(|it| it.table == table),
        Change::Delete(_) => None,
    });
    let ids: Vec<Id> = made.map(|it| it.id).collect();
    json!({ "ids": ids, "rev": rev })
}

/// Names the removed row by its id; for an offering it also says whether that was only deactivated.
fn removed(about: &About, decision: &Decision, id: Id, rev: u64) -> Value {
    let mut answer = json!({ "id": id, "rev": rev });
    if about.row.is_some_and(|it| it.table == TableName::Offering) {
        answer["deactivated"] = json!(!decision.adjustments.is_empty());
    }
    answer
}
