//! Reports of walks, visits and days of stays: shared and taken back by the sitter, and shown to whoever has the address.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, Method};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use walkies_core::commands::{ShareWalk, UnshareWalk};
use walkies_core::report::{self, ReportPage};
use walkies_core::rows::report::{ClientReport, Report, SharedWalk};
use walkies_core::rows::sitter::Sitter;
use walkies_core::values::report_kind::ReportKind;
use walkies_core::values::zone::TimeZone;
use walkies_core::{Command, Id, Instant, RowKey, TableName};

use super::photos::{SizeQuery, read_size, show_on_page};
use super::reader::Reader;
use super::{business_of_page, command, list_of, removed};
use crate::app::session::AnyUser;
use crate::app::state::{App, AppState};
use crate::app::throttle;
use crate::base::error::AppError;
use crate::base::page::Page;
use crate::db::{self, SharedReport, Tx};
use crate::http::extract::{CallerAddress, QueryParams};
use crate::http::form::Form;
use crate::http::route::{Access, Route, Schemas, get};
use crate::write::answer::{Answer, ok, ok_page};

pub(super) fn routes() -> Vec<Route> {
    vec![
        command(
            Method::POST,
            "/walks",
            "Shares the report of a walk, a visit or a day of a stay with the clients whose dogs were along",
            share_walk,
        )
        .statuses(&[201])
        .body_of(walk_form)
        .answer_of(|schemas| {
            let reports = list_of(schemas.of::<Report>());
            json!({ "type": "object", "properties": {
                "id": { "type": "string", "format": "uuid" }, "rev": { "type": "integer" }, "reports": reports,
            } })
        }),
        command(
            Method::DELETE,
            "/walks/{id}",
            "Takes the reports of a walk back, with their photos",
            |form| Ok(Command::UnshareWalk(UnshareWalk { id: form.id })),
        )
        .answer_of(removed),
        get(
            "/public/reports/{shareId}",
            Access::Public,
            "What a shared report's page says",
            show_page,
        )
        .query("read", "1 where a person reads it now; it is not noted as opened without it")
        .answer::<ReportPage>(),
        get(
            "/public/reports/{shareId}/photos/{photo}",
            Access::Public,
            "A photo of a shared report by its number from 0, or the business's own as `logo`",
            show_photo,
        )
        .query("size", "full or thumb; full without it")
        .file("image/jpeg"),
        get(
            "/client/reports",
            Access::Client,
            "Reports that were shared with the caller, the newest walk first",
            list_for_client,
        )
        .list_of(|it| it.of::<ClientsReport>()),
    ]
}

fn walk_form(schemas: &mut Schemas) -> Value {
    let (walk, reports) = (
        schemas.of::<SharedWalk>(),
        list_of(schemas.of::<ClientReport>()),
    );
    json!({
        "type": "object",
        "required": ["walk", "reports"],
        "properties": {
            "id": { "type": "string", "format": "uuid" }, "walk": walk, "reports": reports, "kind": schemas.of::<ReportKind>(),
        },
    })
}

/// A report without an id gets one.
fn share_walk(form: &mut Form) -> Result<Command, AppError> {
    let mut reports: Vec<Map<String, Value>> = form.get("reports")?;
    for report in &mut reports {
        report
            .entry("id")
            .or_insert_with(|| json!(form.app.env.id()));
    }
    form.body.insert("reports".to_owned(), json!(reports));
    match form.get("walk")? {
        Some(walk) => Ok(Command::ShareWalk(ShareWalk {
            id: form.id,
            walk,
            reports: form.get("reports")?,
            kind: form.get("kind")?,
        })),
        None => Err(AppError::Malformed("`walk` is missing".to_owned())),
    }
}

/// Counts a call of somebody who needs no sign-in.
fn count(app: &App, CallerAddress(address): CallerAddress) -> Result<(), AppError> {
    throttle::stranger(app, "report", &address, app.settings.rate_of_reports)
}

/// The report of an address; the same answer for one that was taken back as for one that never was.
async fn find(tx: &mut Tx, share_id: &str) -> Result<SharedReport, AppError> {
    db::find_shared_report(tx, share_id)
        .await?
        .ok_or(AppError::ReportGone)
}

/// A business as its reports show it, with its time zone.
async fn business(tx: &mut Tx, sitter_id: Id) -> Result<(Sitter, TimeZone), AppError> {
    let business = business_of_page(tx, sitter_id).await?;
    business.ok_or(AppError::ReportGone)
}

/// The reason for which a report is fetched.
#[derive(Debug, Default, Deserialize)]
struct ReadQuery {
    /// Set by the page that shows it; what is fetched to be kept on a phone was read by nobody yet.
    read: Option<String>,
}

async fn show_page(
    State(app): State<AppState>,
    address: CallerAddress,
    Path(share_id): Path<String>,
    QueryParams(ReadQuery { read }): QueryParams<ReadQuery>,
    method: Method,
    headers: HeaderMap,
) -> Result<Answer, AppError> {
    count(&app, address)?;
    let mut tx = app.db.read().await?;
    let shared = find(&mut tx, &share_id).await?;
    let (sitter, zone) = business(&mut tx, shared.sitter_id).await?;
    tx.commit().await?;
    if read.is_some() && shared.report.opened_at.is_none() {
        let row = RowKey {
            table: TableName::Report,
            id: shared.report.id,
        };
        let reader = Reader::from_request(&method, &headers);
        reader.note_opening(&app, shared.sitter_id, row).await;
    }
    Ok(ok(report::page(&shared.report, &sitter, &zone)))
}

async fn show_photo(
    State(app): State<AppState>,
    address: CallerAddress,
    Path((share_id, photo)): Path<(String, String)>,
    QueryParams(SizeQuery { size }): QueryParams<SizeQuery>,
) -> Result<Response, AppError> {
    count(&app, address)?;
    let size = read_size(size.as_deref())?;
    let mut tx = app.db.read().await?;
    let SharedReport { sitter_id, report } = find(&mut tx, &share_id).await?;
    let id = match photo.parse() {
        Ok(number) => report.photo(number),
        Err(_) if photo == "logo" => business(&mut tx, sitter_id).await?.0.photo,
        Err(_) => None,
    };
    show_on_page(&app, tx, sitter_id, id, size, AppError::ReportGone).await
}

/// A report in its client's list.
#[derive(Debug, Serialize, utoipa::ToSchema)]
struct ClientsReport {
    /// The secret in the report's address.
    share_id: String,
    /// The name that the business is known by.
    business_name: String,
    /// `A walk with Rex and Pepper`.
    title: String,
    /// The client's own dogs.
    dogs: Vec<String>,
    started_at: Instant,
    /// The date as text, such as `Friday, November 20`.
    date: String,
    /// The duration as text, such as `32 min`.
    duration: String,
}

async fn list_for_client(
    State(app): State<AppState>,
    user: AnyUser,
    page: Page,
) -> Result<Response, AppError> {
    let mut tx = app.db.read().await?;
    let mut list = Vec::new();
    let mut known: Option<(Id, Sitter, TimeZone)> = None;
    let (reports, total) = db::reports_for_user(&mut tx, user.account.id, page).await?;
    for SharedReport { sitter_id, report } in reports {
        // Most have one sitter.
        let (_, sitter, zone) = match known.take().filter(|it| it.0 == sitter_id) {
            Some(known) => known,
            None => {
                let (sitter, zone) = business(&mut tx, sitter_id).await?;
                (sitter_id, sitter, zone)
            }
        };
        let page = report::page(&report, &sitter, &zone);
        if let Some(share_id) = report.share_id {
            list.push(ClientsReport {
                share_id,
                business_name: page.business_name,
                title: page.title,
                dogs: report.dogs,
                started_at: report.started_at,
                date: page.date,
                duration: page.duration,
            });
        }
        known = Some((sitter_id, sitter, zone));
    }
    tx.commit().await?;
    ok_page(list, total).await
}
