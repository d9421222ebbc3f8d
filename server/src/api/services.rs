//! Services: scheduled ones, records of done ones, what they would cost and whether they fit.

use axum::extract::State;
use axum::http::Method;
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};
use walkies_core::commands::decision::Need;
use walkies_core::commands::{
    AnnounceDelay, CancelService, CompleteService, CopyServices, DeleteService, MarkProgress,
    MarkServices, MoveServices, MoveVisits, RecordService, RepriceServices, RestorePrices,
    ScheduleService, SendLive, ServiceCopy, ServiceMove, SetServicePaid, TakeBackDelay,
    UpdateService,
};
use walkies_core::rows::service::{LiveEvent, PriceBreakdown, Service, ServiceStatus, ServiceType};
use walkies_core::rows::sitter::Sitter;
use walkies_core::rules::conflict::{self, ConflictAnswer, ConflictRequest};
use walkies_core::rules::invoice::SERVED;
use walkies_core::rules::pricing::{PricePreview, PriceRequest};
use walkies_core::rules::scheduling::{CONSTRAINTS, Constraints};
use walkies_core::rules::service::{self as rules, DashboardStats, RECORDED};
use walkies_core::values::bounds::{
    DURATION_LIMIT_MINUTES, RECENT_RECORDS, STAY_DAYS, WAY_MINUTES,
};
use walkies_core::values::checks::is_duration;
use walkies_core::{Business, Command, Date, FieldErrors, Id, Now, RowKey, TableName};

use super::{command, list_of, part_of, removed, with_fields};
use crate::app::session::SitterUser;
use crate::app::state::AppState;
use crate::app::zone::now_of;
use crate::base::error::AppError;
use crate::base::page::Page;
use crate::db::{self, ServiceFilter};
use crate::http::extract::{JsonBody, QueryParams};
use crate::http::form::Form;
use crate::http::route::{Access, Route, Schemas, get, post};
use crate::limits::outgoing::Taker;
use crate::write::answer::{Answer, ListWriter, ServiceAnswer, ok};

pub(super) fn routes() -> Vec<Route> {
    vec![
        get(
            "/scheduled-services",
            Access::Sitter,
            "Services by date and start",
            list_scheduled,
        )
        .query("date_start", "The first day; stays that began before it and go on are listed, too")
        .query("date_end", "The last day")
        .query("status", "scheduled, completed or cancelled")
        .query("client_id", "Of one client")
        .list_of(service),
        command(
            Method::POST,
            "/scheduled-services",
            "Schedules a service",
            |form| {
                let (overlap_ok, quoted_price) =
                    (form.get("overlap_ok")?, form.get("quoted_price")?);
                Ok(Command::ScheduleService(ScheduleService {
                    id: form.id,
                    service: form.patch(),
                    overlap_ok,
                    quoted_price,
                    brings_back: false,
                }))
            },
        )
        .statuses(&[201])
        .body_of(schedule_form)
        .answer_of(service),
        get(
            "/scheduled-services/{id}",
            Access::Sitter,
            "A service",
            read_service,
        )
        .answer_of(service),
        command(
            Method::PUT,
            "/scheduled-services/{id}",
            "Changes a scheduled service",
            update_service,
        )
        .body_of(update_form)
        .answer_of(service),
        command(
            Method::DELETE,
            "/scheduled-services/{id}",
            "Cancels a service",
            |form| {
                Ok(Command::CancelService(CancelService {
                    id: form.id,
                    reason: form.get("reason")?,
                    tells_reason: form.get("tells_reason")?,
                }))
            },
        )
        .body_of(|_| {
            let properties = json!({
                "reason": { "type": "string" },
                "tells_reason": { "type": "boolean" },
            });
            json!({ "type": "object", "properties": properties })
        })
        .answer_of(service),
        command(
            Method::POST,
            "/scheduled-services/{id}/complete",
            "Marks a service done",
            |form| {
                Ok(Command::CompleteService(CompleteService {
                    id: form.id,
                    notes: form.get("notes")?,
                    internal_notes: form.get("internal_notes")?,
                    despite_cancel: form.get("despite_cancel")?,
                }))
            },
        )
        .body_of(|_| {
            let properties = json!({
                "notes": { "type": "string" },
                "internal_notes": { "type": "string" },
                "despite_cancel": { "type": "boolean" },
            });
            json!({ "type": "object", "properties": properties })
        })
        .answer_of(service),
        command(
            Method::POST,
            "/scheduled-services/{id}/progress",
            "Lets the client know how far a visit has come, if the sitter's profile says so",
            |form| {
                Ok(Command::MarkProgress(MarkProgress {
                    id: form.id,
                    step: form.get("step")?,
                    way_minutes: form.get("way_minutes")?,
                }))
            },
        )
        .body_of(progress_form)
        .answer_of(service),
        command(
            Method::POST,
            "/scheduled-services/{id}/live",
            "Lets the client see photos and events of a visit before its report, or takes them back",
            |form| {
                Ok(Command::SendLive(SendLive {
                    id: form.id,
                    events: form.get("events")?,
                    taken_back: form.get("taken_back")?,
                }))
            },
        )
        .body_of(live_form)
        .answer_of(service),
        command(
            Method::POST,
            "/scheduled-services/move",
            "Moves several services at once; those that cannot be moved stay, and `adjustments` names them",
            |form| {
                Ok(Command::MoveServices(MoveServices {
                    moves: form.get("moves")?,
                    brings_back: form.get("brings_back")?,
                }))
            },
        )
        .body_of(move_form)
        .answer_of(many),
        command(
            Method::POST,
            "/scheduled-services/mark",
            "Completes or cancels several services at once, or takes that back; those that cannot be marked stay, and \
             `adjustments` names them",
            |form| {
                let status: Option<ServiceStatus> = form.get("status")?;
                Ok(Command::MarkServices(MarkServices {
                    marked: form.get("marked")?,
                    status: status.ok_or_else(|| AppError::Malformed("`status` is missing".to_owned()))?,
                    was: form.get("was")?,
                    reason: form.get("reason")?,
                    tells_reason: form.get("tells_reason")?,
                }))
            },
        )
        .body_of(mark_form)
        .answer_of(many),
        command(
            Method::POST,
            "/scheduled-services/copy",
            "Copies services to other days; those that have no room there are not copied, and `adjustments` names them",
            |form| {
                Ok(Command::CopyServices(CopyServices {
                    copies: form.get("copies")?,
                }))
            },
        )
        .statuses(&[201])
        .body_of(copy_form)
        .answer_of(many),
        command(
            Method::POST,
            "/scheduled-services/delays",
            "Tells clients of today's later starts, once each, and moves the visits if asked to",
            |form| {
                Ok(Command::AnnounceDelay(AnnounceDelay {
                    date: form.get("date")?,
                    delayed: form.get("delayed")?,
                    told: form.get("told")?,
                    moves_plan: form.get("moves_plan")?,
                }))
            },
        )
        .body_of(|it| it.of::<AnnounceDelay>())
        .answer_of(changed_services),
        command(
            Method::POST,
            "/scheduled-services/delays/take-back",
            "Undoes an announced delay: visits go back to their times, and messages about it are deleted",
            |form| {
                Ok(Command::TakeBackDelay(TakeBackDelay {
                    delayed: form.get("delayed")?,
                    messages: form.get("messages")?,
                }))
            },
        )
        .body_of(|it| it.of::<TakeBackDelay>())
        .answer_of(changed_services),
        command(
            Method::POST,
            "/scheduled-services/order",
            "Moves visits of a day to other times of it, all of them or none",
            |form| {
                Ok(Command::MoveVisits(MoveVisits {
                    date: form.get("date")?,
                    moved: form.get("moved")?,
                }))
            },
        )
        .body_of(|it| it.of::<MoveVisits>())
        .answer_of(changed_services),
        post(
            "/scheduled-services/price-preview",
            Access::Sitter,
            "What a service would cost",
            price_preview,
        )
        .fails(&[404])
        .body::<PriceRequest>()
        .answer::<PricePreview>(),
        post(
            "/scheduled-services/check-conflict",
            Access::Sitter,
            "What is in a service's way",
            check_conflict,
        )
        .body::<ConflictRequest>()
        .answer::<ConflictAnswer>(),
        get(
            "/scheduling/constraints",
            Access::Sitter,
            "What the schedule form starts with",
            constraints,
        )
        .answer::<Constraints>(),
        get(
            "/services",
            Access::Sitter,
            "Service records, the newest first",
            list_records,
        )
        .query("client_id", "Of one client")
        .list_of(service),
        command(
            Method::POST,
            "/services/reprice",
            "Gives visits to come the price by the rates of now; one whose price is not the one that was sent, that has an \
             agreed price, or that is done, under way, billed or paid stays as it is",
            |form| {
                Ok(Command::RepriceServices(RepriceServices {
                    prices: form.get("prices")?,
                }))
            },
        )
        .body_of(|it| part_of::<RepriceServices>(it, &["prices"]))
        .answer_of(changed),
        command(
            Method::POST,
            "/services/restore-prices",
            "Gives visits back the price that they had before they were repriced",
            |form| {
                Ok(Command::RestorePrices(RestorePrices {
                    prices: form.get("prices")?,
                }))
            },
        )
        .body_of(|it| part_of::<RestorePrices>(it, &["prices"]))
        .answer_of(changed),
        command(
            Method::POST,
            "/services",
            "Records a service that is already done",
            |form| {
                name_as_service(form);
                Ok(Command::RecordService(RecordService {
                    id: form.id,
                    service: form.patch(),
                    brings_back: false,
                }))
            },
        )
        .statuses(&[201])
        .body_of(|it| it.subset_of::<Service>(Service::RECORD_EDITABLE))
        .answer_of(service),
        get(
            "/services/recent",
            Access::Sitter,
            "The newest service records",
            list_recent,
        )
        .query("limit", "How many; 10 without it, 100 at most")
        .list_of(service),
        get(
            "/services/range",
            Access::Sitter,
            "What a client can be billed for",
            list_range,
        )
        .required_query("clientId", "Of which client")
        .required_query("startDate", "The first day")
        .required_query("endDate", "The last day")
        .list_of(service),
        get(
            "/services/{id}",
            Access::Sitter,
            "A service record",
            read_service,
        )
        .answer_of(service),
        command(
            Method::PUT,
            "/services/{id}",
            "Changes a service that is still to come, in a record's names; a record of what is done is not changed",
            |form| {
                name_as_service(form);
                update_service(form)
            },
        )
        .body_of(record_form)
        .answer_of(service),
        command(
            Method::DELETE,
            "/services/{id}",
            "Deletes a service record",
            |form| Ok(Command::DeleteService(DeleteService { id: form.id })),
        )
        .answer_of(removed),
        command(
            Method::PATCH,
            "/services/{id}/paid",
            "Says whether a service is paid",
            set_paid,
        )
        .body_of(paid_form)
        .answer_of(service),
        command(
            Method::PATCH,
            "/services/{id}/payment",
            "Says whether a service is paid",
            set_paid,
        )
        .body_of(paid_form)
        .answer_of(service),
        get(
            "/dashboard/stats",
            Access::Sitter,
            "What was done and earned",
            dashboard_stats,
        )
        .answer::<DashboardStats>(),
    ]
}

pub(super) fn service(schemas: &mut Schemas) -> Value {
    let kind = schemas.of::<ServiceType>();
    let text = json!({ "type": "string" });
    with_fields(
        schemas.of::<Service>(),
        json!({
            "type": kind,
            "end_time": text,
            "formatted_time": text,
            "summary": text,
            "rev": { "type": "integer" },
        }),
    )
}

/// The ids of the services that were written.
pub(super) fn many(_: &mut Schemas) -> Value {
    let ids = list_of(json!({ "type": "string", "format": "uuid" }));
    json!({ "type": "object", "properties": { "ids": ids, "rev": { "type": "integer" } } })
}

fn move_form(schemas: &mut Schemas) -> Value {
    let moves = list_of(schemas.of::<ServiceMove>());
    let properties = json!({ "moves": moves, "brings_back": { "type": "boolean" } });
    json!({ "type": "object", "properties": properties })
}

fn copy_form(schemas: &mut Schemas) -> Value {
    let copies = list_of(schemas.of::<ServiceCopy>());
    json!({ "type": "object", "properties": { "copies": copies } })
}

fn mark_form(schemas: &mut Schemas) -> Value {
    let ids = list_of(json!({ "type": "string", "format": "uuid" }));
    let status = schemas.of::<ServiceStatus>();
    let properties = json!({ "marked": ids, "status": status, "was": status,
        "reason": { "type": "string" }, "tells_reason": { "type": "boolean" } });
    json!({ "type": "object", "required": ["status"], "properties": properties })
}

fn schedule_form(schemas: &mut Schemas) -> Value {
    let own = json!({
        "id": { "type": "string", "format": "uuid" },
        "overlap_ok": { "type": "boolean" },
        "quoted_price": { "type": "number" },
    });
    with_fields(schemas.subset_of::<Service>(Service::EDITABLE), own)
}

fn update_form(schemas: &mut Schemas) -> Value {
    let own = json!({
        "overlap_ok": { "type": "boolean" },
        "former_price": schemas.of::<PriceBreakdown>(),
    });
    with_fields(schemas.subset_of::<Service>(Service::EDITABLE), own)
}

/// The schema of the ids of the services that were changed.
fn changed(_: &mut Schemas) -> Value {
    let id = json!({ "type": "string", "format": "uuid" });
    json!({
        "type": "object",
        "properties": { "ids": { "type": "array", "items": id }, "rev": { "type": "integer" } },
    })
}

/// The form of a scheduled service with the names that records have for some fields (SPEC 3).
fn record_form(schemas: &mut Schemas) -> Value {
    let own = json!({
        "type": schemas.of::<ServiceType>(),
        "clientId": { "type": "string", "format": "uuid" },
        "dogs": { "type": "array", "items": { "type": "string", "format": "uuid" } },
    });
    with_fields(schedule_form(schemas), own)
}

fn name_as_service(form: &mut Form) {
    form.rename("type", "service_type");
    form.rename("clientId", "client_id");
    form.rename("dogs", "dog_ids");
}

fn progress_form(_: &mut Schemas) -> Value {
    let step =
        json!({ "type": "string", "enum": ["on_the_way", "started", null], "nullable": true });
    let way = json!({ "type": "integer", "minimum": 0, "maximum": WAY_MINUTES, "nullable": true });
    json!({ "type": "object", "properties": { "step": step, "way_minutes": way } })
}

fn live_form(schemas: &mut Schemas) -> Value {
    let events = list_of(schemas.of::<LiveEvent>());
    let ids = list_of(json!({ "type": "string", "format": "uuid" }));
    json!({ "type": "object", "properties": { "events": events, "taken_back": ids } })
}

fn changed_services(_: &mut Schemas) -> Value {
    let ids = json!({ "type": "array", "items": { "type": "string", "format": "uuid" } });
    json!({ "type": "object", "properties": { "ids": ids, "rev": { "type": "integer" } } })
}

fn paid_form(_: &mut Schemas) -> Value {
    json!({ "type": "object", "required": ["paid"], "properties": { "paid": { "type": "boolean" } } })
}

fn update_service(form: &mut Form) -> Result<Command, AppError> {
    Ok(Command::UpdateService(UpdateService {
        id: form.id,
        changes: form.patch(),
        overlap_ok: form.get("overlap_ok")?,
        former_price: form.get("former_price")?,
    }))
}

fn set_paid(form: &mut Form) -> Result<Command, AppError> {
    match form.get("paid")? {
        Some(paid) => Ok(Command::SetServicePaid(SetServicePaid {
            id: form.id,
            paid,
        })),
        None => Err(AppError::Malformed("`paid` is missing".to_owned())),
    }
}

async fn services(
    app: &AppState,
    sitter: &SitterUser,
    filter: ServiceFilter,
    page: Page,
) -> Result<Response, AppError> {
    let filter = ServiceFilter {
        limit: page.limit(),
        offset: page.offset(),
        ..filter
    };
    let sitter_id = sitter.sitter_id;
    let mut tx = app.db.read_autocommit().await?;
    let is_long = filter.limit.is_none()
        && db::has_more_services(&mut tx, sitter_id, &filter, FEW_ROWS).await?;
    // Who waits for leave to read much has no connection meanwhile.
    drop(tx);
    let permit = match is_long {
        true => Some(app.look(sitter_id).await?),
        false => None,
    };
    let mut list = ListWriter::new(app, Taker::Account(sitter.user_id));
    let mut tx = app.db.read_autocommit().await?;
    let cycle = db::hour_cycle(&mut tx, sitter_id).await?;
    db::each_service(&mut tx, sitter_id, &filter, |it| {
        list.push(&ServiceAnswer::of(it, cycle))
    })
    .await?;
    let total = db::count_services(&mut tx, sitter_id, &filter, list.len()).await?;
    drop((tx, permit));
    list.into_page(total)
}

/// Lists of more rows are read one at a time of each business.
const FEW_ROWS: u64 = 2_000;

#[derive(Debug, Deserialize)]
struct ScheduledQuery {
    date_start: Option<Date>,
    date_end: Option<Date>,
    status: Option<ServiceStatus>,
    client_id: Option<Id>,
}

async fn list_scheduled(
    State(app): State<AppState>,
    sitter: SitterUser,
    QueryParams(query): QueryParams<ScheduledQuery>,
    page: Page,
) -> Result<Response, AppError> {
    let filter = ServiceFilter {
        first: query.date_start,
        last: query.date_end,
        client_id: query.client_id,
        statuses: query.status.into_iter().collect(),
        ..ServiceFilter::default()
    };
    services(&app, &sitter, filter, page).await
}

async fn read_service(
    State(app): State<AppState>,
    sitter: SitterUser,
    form: Form,
) -> Result<Answer, AppError> {
    let mut tx = app.db.read_autocommit().await?;
    let service = db::select_one::<Service>(&mut tx, sitter.sitter_id, form.id).await?;
    let service = service.ok_or(AppError::NotFound)?;
    let cycle = db::hour_cycle(&mut tx, sitter.sitter_id).await?;
    Ok(ok(ServiceAnswer::of(service, cycle)))
}

/// Returns the filter for completed services, the newest first.
fn records() -> ServiceFilter {
    ServiceFilter {
        statuses: vec![RECORDED],
        newest_first: true,
        ..ServiceFilter::default()
    }
}

#[derive(Debug, Deserialize)]
struct RecordsQuery {
    client_id: Option<Id>,
}

async fn list_records(
    State(app): State<AppState>,
    sitter: SitterUser,
    QueryParams(query): QueryParams<RecordsQuery>,
    page: Page,
) -> Result<Response, AppError> {
    let filter = ServiceFilter {
        client_id: query.client_id,
        ..records()
    };
    services(&app, &sitter, filter, page).await
}

async fn list_recent(
    State(app): State<AppState>,
    sitter: SitterUser,
    page: Page,
) -> Result<Response, AppError> {
    let (usual, most) = RECENT_RECORDS;
    services(&app, &sitter, records(), page.within(usual, most)).await
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct RangeQuery {
    client_id: Id,
    start_date: Date,
    end_date: Date,
}

/// SPEC 3, Billable service in range: what a client was or will be served; a stay as long as it goes on.
async fn list_range(
    State(app): State<AppState>,
    sitter: SitterUser,
    QueryParams(query): QueryParams<RangeQuery>,
    page: Page,
) -> Result<Response, AppError> {
    let filter = ServiceFilter {
        first: Some(query.start_date),
        last: Some(query.end_date),
        client_id: Some(query.client_id),
        statuses: SERVED.to_vec(),
        ..ServiceFilter::default()
    };
    services(&app, &sitter, filter, page).await
}

async fn dashboard_stats(
    State(app): State<AppState>,
    sitter: SitterUser,
) -> Result<Answer, AppError> {
    let mut tx = app.db.read_autocommit().await?;
    let totals = db::completed_totals(&mut tx, sitter.sitter_id).await?;
    Ok(ok(DashboardStats::of(&totals)))
}

/// The rows that a question needs.
pub(super) async fn business(
    app: &AppState,
    sitter_id: Id,
    needs: &[Need],
) -> Result<Business, AppError> {
    let mut business = Business::default();
    let mut tx = app.db.read().await?;
    db::load(&mut tx, sitter_id, needs, None, &mut business).await?;
    tx.commit().await?;
    Ok(business)
}

/// A question about a service that there cannot be.
pub(super) fn check_duration(minutes: u32) -> Result<(), FieldErrors> {
    let mut errors = FieldErrors::default();
    errors.check(
        !is_duration(minutes),
        "duration_minutes",
        format!("Must be between 1 and {DURATION_LIMIT_MINUTES}"),
    );
    errors.or(())
}

async fn price_preview(
    State(app): State<AppState>,
    sitter: SitterUser,
    JsonBody(request): JsonBody<PriceRequest>,
) -> Result<Answer, AppError> {
    check_duration(request.duration_minutes)?;
    let row = |table, id| Need::Row(RowKey { table, id });
    let mut needs = vec![
        row(TableName::Client, request.client_id),
        Need::PetsOf(request.client_id),
    ];
    needs.extend(request.offering_id.map(|it| row(TableName::Offering, it)));
    let business = business(&app, sitter.sitter_id, &needs).await?;
    Ok(ok(rules::preview(&business, &request)?))
}

async fn check_conflict(
    State(app): State<AppState>,
    sitter: SitterUser,
    JsonBody(request): JsonBody<ConflictRequest>,
) -> Result<Answer, AppError> {
    check_duration(request.duration_minutes)?;
    let mut needs = vec![
        Need::Table(TableName::Sitter),
        Need::Table(TableName::Pattern),
        Need::Table(TableName::BlockedTime),
        Need::ServicesBetween(request.date.plus_days(-1), request.date.plus_days(1)),
    ];
    if let Some(last) = request.end_date {
        let longest = request.date.plus_days(STAY_DAYS.into());
        needs.push(Need::StaysBetween(request.date, last.min(longest)));
    }
    let business = business(&app, sitter.sitter_id, &needs).await?;
    let now = now(&app, business.sitter());
    Ok(ok(conflict::check(&business, &request, &now)))
}

pub(super) fn now(app: &AppState, sitter: Option<&Sitter>) -> Now {
    now_of(app.now(), sitter)
}

async fn constraints(_sitter: SitterUser) -> Answer {
    ok(CONSTRAINTS)
}
