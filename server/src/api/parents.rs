//! Calls of pet parents to the businesses that they are clients of.

use std::cmp::Reverse;

use axum::extract::State;
use axum::http::Method;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use walkies_core::api::{AdvanceDays, SitterOfClient};
use walkies_core::commands::decision::Need;
use walkies_core::commands::{AskForChange, AskForService, Repeats, UpdateClient, WithdrawRequest};
use walkies_core::rows::client::Client;
use walkies_core::rows::offering::Offering;
use walkies_core::rows::pattern::Pattern;
use walkies_core::rows::pet::Pet;
use walkies_core::rows::service::ServiceType;
use walkies_core::rows::sitter::Sitter;
use walkies_core::rows::walk_request::{RequestSubject, WalkRequest};
use walkies_core::rules::slots::{
    ClosedDay, OpenDays, OpenFor, Slot, closed_day, days_searched, listed_days,
    max_advance_days_for, open_days, open_slots,
};
use walkies_core::values::field::plain;
use walkies_core::values::patch::Patch;
use walkies_core::{Business, Command, Date, Id, RowKey, TableName};

use super::requests::{MOST_REQUESTS, told};
use super::services::{business, check_duration, now, service};
use super::{list_of, removed, revised, with_fields};
use crate::app::session::{AnyUser, Member};
use crate::app::state::AppState;
use crate::base::error::AppError;
use crate::base::page::Page;
use crate::db::{self, ClientLink, RequestFilter, ServiceFilter, Tx};
use crate::http::extract::{OF_SITTER, OfSitter, QueryParams};
use crate::http::form::Form;
use crate::http::route::{Access, Route, Schemas, get, route};
use crate::write::answer::{Answer, Revised, ServiceAnswer, ok, ok_list, ok_page, seen_by};

pub(super) fn routes() -> Vec<Route> {
    vec![
        get(
            "/client/sitters",
            Access::Client,
            "The sitters that the caller is a client of",
            list_sitters,
        )
        .list_of(|it| it.of::<SitterOfClient>()),
        get(
            "/client/services",
            Access::Client,
            "The caller's services, the newest first",
            list_services,
        )
        .query("sitter_id", "Of one sitter; of all without it")
        .query("date_start", "From this day on")
        .query("date_end", "Until this day")
        .list_of(|it| of_sitter(service(it))),
        get(
            "/client/offerings",
            Access::Client,
            "What a sitter sells",
            list_offerings,
        )
        .fails(&[400])
        .query("sitter_id", OF_SITTER)
        .list_of(revised::<Offering>),
        get(
            "/client/slots",
            Access::Client,
            "The times of a day that a client may ask for, the suggested ones first",
            list_slots,
        )
        .fails(&[400, 422])
        .query("sitter_id", OF_SITTER)
        .required_query("date", "The day")
        .query("service_type", "walk or dropin; walk without it")
        .query(
            "duration_minutes",
            "How long; the sitter's default without it",
        )
        .query("except", EXCEPT)
        .list_of(|it| it.of::<Slot>()),
        get(
            "/client/closed-day",
            Access::Client,
            "Why no time of a day can be asked for, and the nearest one that can; both null where one can",
            explain_closed_day,
        )
        .fails(&[400, 422])
        .query("sitter_id", OF_SITTER)
        .required_query("date", "The day")
        .query("service_type", "walk or dropin; walk without it")
        .query(
            "duration_minutes",
            "How long; the sitter's default without it",
        )
        .query("except", EXCEPT)
        .answer::<ClosedDay>(),
        get(
            "/client/open-days",
            Access::Client,
            "The days that a client may ask for, as many at once as the sitter's settings say, and the last one of all",
            list_open_days,
        )
        .fails(&[400, 422])
        .query("sitter_id", OF_SITTER)
        .query("from", "The first day; today without it, and for earlier ones")
        .query("service_type", "walk or dropin; walk without it")
        .query(
            "duration_minutes",
            "How long a visit is; the sitter's default without it",
        )
        .query("stay", "true for a stay, which has days in place of times")
        .query("except", EXCEPT)
        .answer::<OpenDays>(),
        get(
            "/client/requests",
            Access::Client,
            "What the caller has asked for, the newest first",
            list_requests,
        )
        .query("sitter_id", "Of one sitter; of all without it")
        .list_of(|it| of_sitter(revised::<WalkRequest>(it))),
        command(
            Method::POST,
            "/client/requests",
            "Asks for a walk or a drop-in, or with `repeats` for one that repeats from its day on; `is_wish` asks also for a \
             time that is not offered, and `group_id` is shared by requests that are made at once. Where the sitter lets the \
             client book without asking, an open time is booked at `quoted_price` and the answer is an approved request; what \
             cannot be booked waits",
            |form| {
                Ok(Command::AskForService(AskForService {
                    id: form.id,
                    quoted_price: form.get("quoted_price")?,
                    repeats: form.get("repeats")?,
                    group_id: form.get("group_id")?,
                    is_wish: form.get("is_wish")?,
                    request: form.patch(),
                }))
            },
        )
        .statuses(&[201])
        .body_of(request_form)
        .answer_of(revised::<WalkRequest>),
        command(
            Method::POST,
            "/client/requests/changes",
            "Asks for a date of a series to be left out, for a pause, a cancellation or another time; nothing changes until the \
             sitter grants it",
            |form| {
                let change: Option<RequestSubject> = form.get("change")?;
                let missing = || AppError::of_field("change", "Change is required");
                Ok(Command::AskForChange(AskForChange {
                    id: form.id,
                    change: change.ok_or_else(missing)?,
                    message: form.get("message")?,
                    quoted_price: form.get("quoted_price")?,
                }))
            },
        )
        .statuses(&[201])
        .body_of(|it| {
            let fields = ["id", "change", "message", "quoted_price"].map(plain);
            with_fields(it.subset_of::<AskForChange>(&fields), sitter_of_form())
        })
        .answer_of(revised::<WalkRequest>),
        command(
            Method::DELETE,
            "/client/requests/{id}",
            "Takes back what is not answered",
            |form| Ok(Command::WithdrawRequest(WithdrawRequest { id: form.id })),
        )
        .query("sitter_id", OF_SITTER)
        .answer_of(removed),
        route(
            Method::PUT,
            "/client/details",
            Access::Client,
            "Completes or corrects what a sitter knows of the caller's home and pets",
            update_details,
        )
        .command()
        .body_of(details_form)
        .answer_of(super::clients::client),
    ]
}

/// A pet parent's call that is a command. Query or body names the sitter.
fn command(
    method: Method,
    path: &'static str,
    summary: &'static str,
    build: fn(&mut Form) -> Result<Command, AppError>,
) -> Route {
    let call = async move |State(app): State<AppState>,
                           user: AnyUser,
                           QueryParams(of): QueryParams<OfSitter>,
                           mut form: Form| {
        let member = member(&app, &user, &of, &form).await?;
        let command = build(&mut form)?;
        form.submit(member, command).await
    };
    route(method, path, Access::Client, summary, call).command()
}

async fn member(
    app: &AppState,
    user: &AnyUser,
    of: &OfSitter,
    form: &Form,
) -> Result<Member, AppError> {
    let named: Option<Id> = form.get("sitter_id")?;
    Member::of(app, user, of.sitter_id.or(named)).await
}

fn sitter_of_form() -> Value {
    json!({ "sitter_id": { "type": "string", "format": "uuid", "nullable": true } })
}

fn request_form(schemas: &mut Schemas) -> Value {
    let own = json!({
        "id": { "type": "string", "format": "uuid" },
        "quoted_price": { "type": "number" },
        "repeats": schemas.of::<Repeats>(),
        "group_id": { "type": "string", "format": "uuid", "nullable": true },
        "is_wish": { "type": "boolean" },
    });
    let fields = schemas.subset_of::<WalkRequest>(WalkRequest::EDITABLE);
    with_fields(with_fields(fields, own), sitter_of_form())
}

fn details_form(schemas: &mut Schemas) -> Value {
    let dogs = list_of(with_fields(
        schemas.subset_of::<Pet>(Pet::EDITABLE),
        json!({ "id": { "type": "string", "format": "uuid" } }),
    ));
    let fields = schemas.subset_of::<Client>(Client::EDITABLE_BY_CLIENT);
    with_fields(
        with_fields(fields, json!({ "dogs": dogs })),
        sitter_of_form(),
    )
}

/// A row's schema with the sitter that it is of.
fn of_sitter(schema: Value) -> Value {
    with_fields(
        schema,
        json!({ "sitter_id": { "type": "string", "format": "uuid" } }),
    )
}

async fn list_sitters(
    State(app): State<AppState>,
    user: AnyUser,
    page: Page,
) -> Result<Response, AppError> {
    let mut tx = app.db.read().await?;
    let links = db::client_links(&mut tx, user.account.id, None).await?;
    let total = links.len() as u64;
    let mut sitters = Vec::new();
    for link in page.cut(links) {
        let profile = db::select_one::<Sitter>(&mut tx, link.sitter_id, link.sitter_id).await?;
        let patterns = db::select::<Pattern>(&mut tx, link.sitter_id, "", &[]).await?;
        let days_for = |it| max_advance_days_for(it, patterns.iter().map(|it| &it.row));
        let cards = db::stripe_account(&mut tx, link.sitter_id).await?;
        sitters.extend(profile.map(|it| SitterOfClient {
            sitter_id: link.sitter_id,
            client_id: link.client_id,
            name: it.row.name,
            business_name: it.row.business_name,
            phone: it.row.phone,
            advance_days: AdvanceDays {
                walk: days_for(ServiceType::Walk),
                dropin: days_for(ServiceType::Dropin),
            },
            takes_cards: cards.is_some(),
        }));
    }
    tx.commit().await?;
    ok_page(sitters, total).await
}

/// A row of one of several businesses.
#[derive(Debug, Serialize)]
struct OfBusiness<T> {
    sitter_id: Id,
    #[serde(flatten)]
    row: T,
}

#[derive(Debug, Deserialize)]
struct ServicesQuery {
    sitter_id: Option<Id>,
    date_start: Option<Date>,
    date_end: Option<Date>,
}

/// The most services of one sitter in a list: of some five years of working days.
const MAX_SERVICES: u64 = 2_000;

async fn list_services(
    State(app): State<AppState>,
    user: AnyUser,
    QueryParams(query): QueryParams<ServicesQuery>,
    page: Page,
) -> Result<Response, AppError> {
    let mut tx = app.db.read().await?;
    let mut answers = Vec::new();
    let mut total = 0;
    for link in db::client_links(&mut tx, user.account.id, query.sitter_id).await? {
        let filter = ServiceFilter {
            first: query.date_start,
            last: query.date_end,
            client_id: Some(link.client_id),
            newest_first: true,
            limit: Some(page.end(MAX_SERVICES)),
            ..ServiceFilter::default()
        };
        let services = db::services(&mut tx, link.sitter_id, &filter).await?;
        total += db::count_services(&mut tx, link.sitter_id, &filter, services.len()).await?;
        let cycle = db::hour_cycle(&mut tx, link.sitter_id).await?;
        let seen = services
            .into_iter()
            .filter_map(|it| seen_by(Some(link), it));
        answers.extend(seen.map(|it| OfBusiness {
            sitter_id: link.sitter_id,
            row: ServiceAnswer::of(it, cycle),
        }));
    }
    tx.commit().await?;
    // Each sitter's come in that order.
    answers.sort_by_key(|it| {
        let service = &it.row.service;
        Reverse((service.date, service.start_time, service.id))
    });
    ok_page(page.cut(answers), total).await
}

async fn list_offerings(
    State(app): State<AppState>,
    user: AnyUser,
    QueryParams(of): QueryParams<OfSitter>,
    page: Page,
) -> Result<Response, AppError> {
    let member = Member::of(&app, &user, of.sitter_id).await?;
    let mut tx = app.db.read().await?;
    let offerings = crate::write::answer::offerings(&mut tx, &member).await?;
    tx.commit().await?;
    ok_list(offerings, page).await
}

#[derive(Debug, Deserialize)]
struct SlotsQuery {
    sitter_id: Option<Id>,
    date: Date,
    #[serde(default)]
    service_type: ServiceType,
    #[serde(default)]
    duration_minutes: u32,
    except: Option<Id>,
}

/// Words of the API's document for a parameter of questions about open times.
const EXCEPT: &str = "Id of an own visit that is to be moved, and so is not in the way";

/// Takes the visit that a client wants to move out of its own way; those of others stay.
fn leave_out(business: &mut Business, member: &Member, except: Option<Id>) {
    let client_id = member.link.map(|it| it.client_id);
    if let Some(service) = except.and_then(|it| business.service(it))
        && Some(service.client_id) == client_id
    {
        let (table, id) = (TableName::Service, service.id);
        business.delete(RowKey { table, id });
    }
}

async fn list_slots(
    State(app): State<AppState>,
    user: AnyUser,
    QueryParams(query): QueryParams<SlotsQuery>,
    page: Page,
) -> Result<Response, AppError> {
    if query.duration_minutes != 0 {
        check_duration(query.duration_minutes)?;
    }
    let member = Member::of(&app, &user, query.sitter_id).await?;
    let needs = [
        Need::Table(TableName::Sitter),
        Need::Table(TableName::AvailabilityConfig),
        Need::Table(TableName::Pattern),
        Need::Table(TableName::BlockedTime),
        Need::ServicesBetween(query.date.plus_days(-1), query.date.plus_days(1)),
    ];
    let mut business = business(&app, member.sitter_id, &needs).await?;
    leave_out(&mut business, &member, query.except);
    let now = now(&app, business.sitter());
    let length = query.duration_minutes;
    let slots = open_slots(&business, query.date, query.service_type, length, &now);
    ok_list(slots, page).await
}

/// Tables that say which times are offered, but for the services that take them.
const RULES_OF_TIMES: [TableName; 4] = [
    TableName::Sitter,
    TableName::AvailabilityConfig,
    TableName::Pattern,
    TableName::BlockedTime,
];

/// Loads the rows of these tables.
async fn rules_of_times(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<Business> {
    let mut business = Business::default();
    let needs = RULES_OF_TIMES.map(Need::Table);
    db::load(tx, sitter_id, &needs, None, &mut business).await?;
    Ok(business)
}

async fn explain_closed_day(
    State(app): State<AppState>,
    user: AnyUser,
    QueryParams(query): QueryParams<SlotsQuery>,
) -> Result<Answer, AppError> {
    if query.duration_minutes != 0 {
        check_duration(query.duration_minutes)?;
    }
    let member = Member::of(&app, &user, query.sitter_id).await?;
    let SlotsQuery {
        date,
        service_type,
        duration_minutes,
        except,
        ..
    } = query;
    let mut tx = app.db.read().await?;
    let id = member.sitter_id;
    let mut business = rules_of_times(&mut tx, id).await?;
    let now = now(&app, business.sitter());
    let (first, last) = days_searched(&business, date, service_type, &now);
    let services = [Need::ServicesBetween(first, last)];
    db::load(&mut tx, id, &services, None, &mut business).await?;
    tx.commit().await?;
    leave_out(&mut business, &member, except);
    let closed = closed_day(&business, date, service_type, duration_minutes, &now);
    Ok(ok(closed))
}

#[derive(Debug, Deserialize)]
struct OpenDaysQuery {
    sitter_id: Option<Id>,
    from: Option<Date>,
    #[serde(default)]
    service_type: ServiceType,
    #[serde(default)]
    duration_minutes: u32,
    #[serde(default)]
    stay: bool,
    except: Option<Id>,
}

async fn list_open_days(
    State(app): State<AppState>,
    user: AnyUser,
    QueryParams(query): QueryParams<OpenDaysQuery>,
) -> Result<Answer, AppError> {
    if query.duration_minutes != 0 {
        check_duration(query.duration_minutes)?;
    }
    let member = Member::of(&app, &user, query.sitter_id).await?;
    let kind = query.service_type;
    let open_for = match query.stay {
        true => OpenFor::Stay,
        false => OpenFor::Visit(query.duration_minutes),
    };
    let mut tx = app.db.read().await?;
    let id = member.sitter_id;
    let mut business = rules_of_times(&mut tx, id).await?;
    let now = now(&app, business.sitter());
    let from = query.from.unwrap_or_else(|| now.today());
    let listed = listed_days(&business, from, kind, open_for, &now);
    let needs = [match open_for {
        OpenFor::Visit(_) => {
            Need::ServicesBetween(listed.first.plus_days(-1), listed.until.plus_days(1))
        }
        OpenFor::Stay => Need::StaysBetween(listed.first, listed.until),
    }];
    db::load(&mut tx, id, &needs, None, &mut business).await?;
    tx.commit().await?;
    leave_out(&mut business, &member, query.except);
    Ok(ok(open_days(&business, from, kind, open_for, &now)))
}

async fn list_requests(
    State(app): State<AppState>,
    user: AnyUser,
    QueryParams(of): QueryParams<OfSitter>,
    page: Page,
) -> Result<Response, AppError> {
    let mut tx = app.db.read().await?;
    let mut answers = Vec::new();
    let mut total = 0;
    for link in db::client_links(&mut tx, user.account.id, of.sitter_id).await? {
        let (requests, count) = requests_of(&mut tx, link, page.end(MOST_REQUESTS)).await?;
        total += count;
        answers.extend(requests.into_iter().map(|row| OfBusiness {
            sitter_id: link.sitter_id,
            row,
        }));
    }
    tx.commit().await?;
    // Each sitter's come in that order.
    answers.sort_by_key(|it| Reverse((it.row.row.created_at, it.row.row.id)));
    ok_page(page.cut(answers), total).await
}

/// So many requests of a client, and how many there are.
async fn requests_of(
    tx: &mut Tx,
    link: ClientLink,
    most: u64,
) -> sqlx::Result<(Vec<Revised<WalkRequest>>, u64)> {
    let filter = RequestFilter {
        client_id: Some(link.client_id),
        status: None,
    };
    let (requests, total) = db::requests(tx, link.sitter_id, filter, most, 0).await?;
    let served = db::served_requests(tx, link.sitter_id, Some(link.client_id)).await?;
    let seen = requests
        .into_iter()
        .map(|it| told(it, &served))
        .filter_map(|it| seen_by(Some(link), it));
    Ok((seen.map(Revised::from).collect(), total))
}

async fn update_details(
    State(app): State<AppState>,
    user: AnyUser,
    form: Form,
) -> Result<Response, AppError> {
    let of = OfSitter { sitter_id: None };
    let member = member(&app, &user, &of, &form).await?;
    let link = member.link.ok_or(AppError::NotLinked)?;
    let mut tx = app.db.read_autocommit().await?;
    let pets = crate::write::answer::pets_of(&mut tx, member.sitter_id, link.client_id).await?;
    let known: Vec<Id> = pets.iter().map(|it| it.row.id).collect();
    drop(tx);
    let mut changes = form.patch();
    changes.0.remove("dogs");
    let command = Command::UpdateClient(UpdateClient {
        id: link.client_id,
        changes: Patch(changes.0),
        dogs: form.dogs(&known)?,
        removed_dogs: Vec::new(),
    });
    form.submit(member, command).await
}
