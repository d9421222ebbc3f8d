//! The schedule in other calendars (RFC 5545): the address that a sitter makes, renews and ends, that of a pet parent's own
//! visits, and what is read there.

use std::collections::HashMap;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use icalendar::{Calendar, Component as _, Event, EventLike as _, Property};
use walkies_core::api::CalendarAddress;
use walkies_core::rows::service::Service;
use walkies_core::rows::sitter::Sitter;
use walkies_core::rules::calendar_feed::{
    self, EVENTS, FeedClient, FeedEvent, FeedTime, FeedWindow, REFRESH_MINUTES,
};
use walkies_core::values::zone::TimeZone;
use walkies_core::{Date, Id, Instant, Versioned};

use crate::app::session::{AnyUser, SitterUser};
use crate::app::state::{App, AppState};
use crate::app::throttle;
use crate::app::zone::time_zone;
use crate::base::env::{Env, sha256};
use crate::base::error::AppError;
use crate::db::{self, ClientLink, Tx};
use crate::http::extract::CallerAddress;
use crate::http::route::{Access, Route, get, post, route};
use crate::write::answer::{Answer, ok, success};

pub(super) fn routes() -> Vec<Route> {
    vec![
        get(
            "/calendar/address",
            Access::Sitter,
            "Whether other calendars can read the schedule; the address itself is given once",
            show_address,
        )
        .answer::<CalendarAddress>(),
        post(
            "/calendar/address",
            Access::Sitter,
            "Makes the secret address at which other calendars read the schedule; a former one is good no longer",
            make_address,
        )
        .statuses(&[201])
        .answer::<CalendarAddress>(),
        route(
            Method::DELETE,
            "/calendar/address",
            Access::Sitter,
            "Ends the address",
            end_address,
        )
        .answer::<CalendarAddress>(),
        get(
            "/client/calendar/address",
            Access::Client,
            "Whether other calendars can read the caller's visits; the address itself is given once",
            show_parent_address,
        )
        .answer::<CalendarAddress>(),
        post(
            "/client/calendar/address",
            Access::Client,
            "Makes the secret address at which other calendars read the caller's visits with all sitters; a former one is good \
             no longer",
            make_parent_address,
        )
        .statuses(&[201])
        .answer::<CalendarAddress>(),
        route(
            Method::DELETE,
            "/client/calendar/address",
            Access::Client,
            "Ends the address",
            end_parent_address,
        )
        .answer::<CalendarAddress>(),
        get(
            "/calendar/{file}",
            Access::Public,
            "A schedule, or a pet parent's visits, as a calendar; the file's name is the secret, with `.ics` after it",
            show_feed,
        )
        .statuses(&[200, 304])
        .file("text/calendar"),
    ]
}

async fn show_address(State(app): State<AppState>, sitter: SitterUser) -> Result<Answer, AppError> {
    let mut tx = app.db.read_autocommit().await?;
    let created_at = db::calendar_address(&mut tx, sitter.sitter_id).await?;
    let url = None;
    Ok(ok(CalendarAddress { created_at, url }))
}

async fn make_address(State(app): State<AppState>, sitter: SitterUser) -> Result<Answer, AppError> {
    throttle::write(&app, sitter.sitter_id, 0)?;
    let (secret, now) = (app.env.share_id(), app.now());
    let mut tx = app.db.write().await?;
    db::set_calendar_address(&mut tx, sitter.sitter_id, &sha256(secret.as_bytes()), now).await?;
    tx.commit().await?;
    Ok(made(&app, &secret, now))
}

/// The answer that gives an address, once.
fn made(app: &App, secret: &str, now: Instant) -> Answer {
    let url = format!("{}/api/calendar/{secret}.ics", app.settings.public_url);
    Answer {
        status: StatusCode::CREATED,
        body: success(CalendarAddress {
            created_at: Some(now),
            url: Some(url),
        }),
    }
}

async fn show_parent_address(
    State(app): State<AppState>,
    user: AnyUser,
) -> Result<Answer, AppError> {
    let mut tx = app.db.read_autocommit().await?;
    let created_at = db::parent_calendar(&mut tx, user.account.id).await?;
    let url = None;
    Ok(ok(CalendarAddress { created_at, url }))
}

async fn make_parent_address(
    State(app): State<AppState>,
    user: AnyUser,
) -> Result<Answer, AppError> {
    throttle::write(&app, user.account.id, 0)?;
    let (secret, now) = (app.env.share_id(), app.now());
    let mut tx = app.db.write().await?;
    db::set_parent_calendar(&mut tx, user.account.id, &sha256(secret.as_bytes()), now).await?;
    tx.commit().await?;
    Ok(made(&app, &secret, now))
}

async fn end_parent_address(
    State(app): State<AppState>,
    user: AnyUser,
) -> Result<Answer, AppError> {
    let mut tx = app.db.write().await?;
    db::delete_parent_calendar(&mut tx, user.account.id).await?;
    tx.commit().await?;
    let (created_at, url) = (None, None);
    Ok(ok(CalendarAddress { created_at, url }))
}

/// Content of a calendar: the schedule of a business, or the visits of a pet parent.
#[derive(Clone, Copy, Debug)]
enum Shown {
    Business(Id),
    Parent(Id),
}

async fn end_address(State(app): State<AppState>, sitter: SitterUser) -> Result<Answer, AppError> {
    let mut tx = app.db.write().await?;
    db::delete_calendar_address(&mut tx, sitter.sitter_id).await?;
    tx.commit().await?;
    let (created_at, url) = (None, None);
    Ok(ok(CalendarAddress { created_at, url }))
}

async fn show_feed(
    State(app): State<AppState>,
    CallerAddress(address): CallerAddress,
    Path(file): Path<String>,
    headers: HeaderMap,
) -> Result<Response, AppError> {
    throttle::stranger(&app, "calendar", &address, app.settings.rate_of_calendars)?;
    // The same answer for one that has ended as for one that never was.
    let secret = file.strip_suffix(".ics").filter(|it| Env::is_share_id(it));
    let hash = sha256(secret.ok_or(AppError::CalendarGone)?.as_bytes());
    let mut tx = app.db.read_autocommit().await?;
    let shown = match db::sitter_of_calendar(&mut tx, &hash).await? {
        Some(sitter_id) => Shown::Business(sitter_id),
        None => {
            let parent = db::parent_of_calendar(&mut tx, &hash).await?;
            Shown::Parent(parent.ok_or(AppError::CalendarGone)?)
        }
    };
    let tag = match shown {
        Shown::Business(sitter_id) => tag(&app, &mut tx, sitter_id).await?.0,
        Shown::Parent(user_id) => {
            let links = db::client_links(&mut tx, user_id, None).await?;
            tag_of_parent(&app, &mut tx, &links).await?
        }
    };
    drop(tx);
    let known = headers.get(header::IF_NONE_MATCH);
    // Whoever compresses on the way calls it a weak one.
    let known = known.and_then(|it| Some(it.to_str().ok()?.trim_start_matches("W/")));
    let cache = (header::CACHE_CONTROL, "private, no-cache".to_owned());
    if known == Some(tag.as_str()) {
        return Ok((StatusCode::NOT_MODIFIED, [cache, (header::ETAG, tag)]).into_response());
    }
    let (tag, calendar) = match shown {
        Shown::Business(sitter_id) => calendar(&app, sitter_id).await?,
        Shown::Parent(user_id) => calendar_of_parent(&app, user_id).await?,
    };
    let kind = [(header::CONTENT_TYPE, "text/calendar; charset=utf-8")];
    Ok(([cache, (header::ETAG, tag)], kind, calendar).into_response())
}

/// Names what a calendar says without making it, and the business's time zone: calendars ask every hour, and get all of it only where
/// something has changed.
async fn tag(app: &App, tx: &mut Tx, sitter_id: Id) -> Result<(String, TimeZone), AppError> {
    let next = db::next_revision(tx, sitter_id, None, None).await?;
    let next = next.ok_or(AppError::CalendarGone)?;
    let zone = time_zone(&next.time_zone).unwrap_or(TimeZone::UTC);
    let today = app.now().civil(&zone).0;
    // After a restored backup a revision may come a second time, with another id.
    let rev_id = next.rev_id.unwrap_or(app.backend_id);
    let version = env!("CARGO_PKG_VERSION");
    let tag = format!("\"{}-{rev_id}-{today}-{version}\"", next.rev);
    Ok((tag, zone))
}

/// The same for the visits of a pet parent: what is said of all of the sitters.
async fn tag_of_parent(app: &App, tx: &mut Tx, links: &[ClientLink]) -> Result<String, AppError> {
    let mut tags = String::new();
    for link in links {
        tags += &tag(app, tx, link.sitter_id).await?.0;
        tags += &link.client_id.to_string();
    }
    Ok(format!("\"{}\"", sha256(tags.as_bytes())))
}

/// The calendar of a pet parent with the visits of all sitters, and what names it.
async fn calendar_of_parent(app: &App, user_id: Id) -> Result<(String, String), AppError> {
    let permit = app.look(user_id).await?;
    let mut tx = app.db.read().await?;
    let links = db::client_links(&mut tx, user_id, None).await?;
    let named = tag_of_parent(app, &mut tx, &links).await?;
    let mut found = Vec::new();
    let mut room = EVENTS;
    for link in links {
        let (_, zone) = tag(app, &mut tx, link.sitter_id).await?;
        let sitter = db::select_one::<Sitter>(&mut tx, link.sitter_id, link.sitter_id).await?;
        let sitter = sitter.ok_or(AppError::CalendarGone)?.row;
        let window = FeedWindow::of(app.now().civil(&zone).0);
        let (of, own) = (link.sitter_id, Some(link.client_id));
        let services = db::services_of_calendar(&mut tx, of, own, window, room).await?;
        room -= services.len();
        found.push((sitter, zone, services));
    }
    tx.commit().await?;
    let work = move || {
        // Ends with the work and not with its caller.
        let _permit = permit;
        let mut calendar = empty(calendar_feed::PARENT_CALENDAR, None);
        for (sitter, zone, services) in &found {
            for service in services {
                let event = calendar_feed::parent_event(&service.row, sitter.shown_name(), zone);
                calendar.push(as_event(event, service.rev));
            }
        }
        calendar.to_string()
    };
    let calendar = tokio::task::spawn_blocking(work).await;
    let calendar = calendar.map_err(|it| AppError::Internal(it.into()))?;
    Ok((named, calendar))
}

/// The calendar of a business, and what names it.
async fn calendar(app: &App, sitter_id: Id) -> Result<(String, String), AppError> {
    let permit = app.look(sitter_id).await?;
    let mut tx = app.db.read().await?;
    let (tag, zone) = tag(app, &mut tx, sitter_id).await?;
    let sitter = db::select_one::<Sitter>(&mut tx, sitter_id, sitter_id).await?;
    let sitter = sitter.ok_or(AppError::CalendarGone)?.row;
    let window = FeedWindow::of(app.now().civil(&zone).0);
    let services = db::services_of_calendar(&mut tx, sitter_id, None, window, EVENTS).await?;
    let clients = db::clients_of_calendar(&mut tx, sitter_id, window).await?;
    tx.commit().await?;
    let work = move || {
        // Ends with the work and not with its caller.
        let _permit = permit;
        write(&sitter, &services, &clients, &zone)
    };
    let calendar = tokio::task::spawn_blocking(work).await;
    let calendar = calendar.map_err(|it| AppError::Internal(it.into()))?;
    Ok((tag, calendar))
}

fn write(
    sitter: &Sitter,
    services: &[Versioned<Service>],
    clients: &HashMap<Id, FeedClient>,
    zone: &TimeZone,
) -> String {
    let mut calendar = empty(sitter.shown_name(), Some(&sitter.time_zone));
    for service in services {
        let client = clients.get(&service.row.client_id);
        let event = calendar_feed::event(&service.row, client, zone);
        calendar.push(as_event(event, service.rev));
    }
    calendar.to_string()
}

/// A calendar without events. Moments are in UTC; the zone is only how they are shown first.
fn empty(name: &str, zone: Option<&str>) -> Calendar {
    let mut calendar = Calendar::empty();
    let every = format!("PT{REFRESH_MINUTES}M");
    let refresh = Property::new("REFRESH-INTERVAL", &every)
        .add_parameter("VALUE", "DURATION")
        .done();
    calendar
        .append_property(Property::new("VERSION", "2.0"))
        .append_property(Property::new("PRODID", "-//Walkies//Schedule//EN"))
        .append_property(Property::new("X-WR-CALNAME", name))
        .append_property(refresh)
        .append_property(Property::new("X-PUBLISHED-TTL", &every));
    if let Some(zone) = zone {
        calendar.append_property(Property::new("X-WR-TIMEZONE", zone));
    }
    calendar
}

fn as_event(shown: FeedEvent, rev: u64) -> Event {
    let mut event = Event::new();
    event
        .uid(&format!("{}@walkies", shown.id))
        .add_property("DTSTAMP", moment(shown.stamp))
        // Calendars keep an integer of 32 bits.
        .add_property("SEQUENCE", rev.min(i32::MAX as u64).to_string())
        .summary(&shown.summary);
    match shown.time {
        FeedTime::Visit(start, end) => {
            event
                .add_property("DTSTART", moment(start))
                .add_property("DTEND", moment(end));
        }
        FeedTime::Stay(first, after) => {
            for (name, date) in [("DTSTART", first), ("DTEND", after)] {
                let day = Property::new(name, day(date))
                    .add_parameter("VALUE", "DATE")
                    .done();
                event.append_property(day);
            }
        }
    }
    if !shown.location.is_empty() {
        event.location(&shown.location);
    }
    let is_free = shown.is_cancelled || matches!(shown.time, FeedTime::Stay(..));
    let status = if shown.is_cancelled {
        "CANCELLED"
    } else {
        "CONFIRMED"
    };
    event
        .add_property("STATUS", status)
        .add_property("TRANSP", if is_free { "TRANSPARENT" } else { "OPAQUE" })
        .done()
}

/// Formats a moment as in `20261120T140000Z`.
fn moment(at: Instant) -> String {
    let text = at.to_string();
    let seconds = text.get(..19).unwrap_or_default();
    seconds.replace(['-', ':'], "") + "Z"
}

/// Formats a date as in `20261120`.
fn day(date: Date) -> String {
    date.to_string().replace('-', "")
}
