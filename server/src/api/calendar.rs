//! The schedule in other calendars (RFC 5545): the address that a sitter makes, renews and ends, and what is read there.

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

use crate::app::session::SitterUser;
use crate::app::state::{App, AppState};
use crate::app::throttle;
use crate::app::zone::time_zone;
use crate::base::env::{Env, sha256};
use crate::base::error::AppError;
use crate::db::{self, Tx};
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
            "/calendar/{file}",
            Access::Public,
            "The schedule as a calendar; the file's name is the secret, with `.ics` after it",
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
    let url = format!("{}/api/calendar/{secret}.ics", app.settings.public_url);
    Ok(Answer {
        status: StatusCode::CREATED,
        body: success(CalendarAddress {
            created_at: Some(now),
            url: Some(url),
        }),
    })
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
    let sitter_id = db::sitter_of_calendar(&mut tx, &hash).await?;
    let sitter_id = sitter_id.ok_or(AppError::CalendarGone)?;
    let (tag, _) = tag(&app, &mut tx, sitter_id).await?;
    drop(tx);
    let known = headers.get(header::IF_NONE_MATCH);
    // Whoever compresses on the way calls it a weak one.
    let known = known.and_then(|it| Some(it.to_str().ok()?.trim_start_matches("W/")));
    let cache = (header::CACHE_CONTROL, "private, no-cache".to_owned());
    if known == Some(tag.as_str()) {
        return Ok((StatusCode::NOT_MODIFIED, [cache, (header::ETAG, tag)]).into_response());
    }
    let (tag, calendar) = calendar(&app, sitter_id).await?;
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

/// The calendar of a business, and what names it.
async fn calendar(app: &App, sitter_id: Id) -> Result<(String, String), AppError> {
    let permit = app.look(sitter_id).await?;
    let mut tx = app.db.read().await?;
    let (tag, zone) = tag(app, &mut tx, sitter_id).await?;
    let sitter = db::select_one::<Sitter>(&mut tx, sitter_id, sitter_id).await?;
    let sitter = sitter.ok_or(AppError::CalendarGone)?.row;
    let window = FeedWindow::of(app.now().civil(&zone).0);
    let services = db::services_of_calendar(&mut tx, sitter_id, window, EVENTS).await?;
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
    let mut calendar = Calendar::empty();
    let every = format!("PT{REFRESH_MINUTES}M");
    let refresh = Property::new("REFRESH-INTERVAL", &every)
        .add_parameter("VALUE", "DURATION")
        .done();
    calendar
        .append_property(Property::new("VERSION", "2.0"))
        .append_property(Property::new("PRODID", "-//Walkies//Schedule//EN"))
        .append_property(Property::new("X-WR-CALNAME", sitter.shown_name()))
        .append_property(Property::new("X-WR-TIMEZONE", &sitter.time_zone))
        .append_property(refresh)
        .append_property(Property::new("X-PUBLISHED-TTL", &every));
    for service in services {
        let client = clients.get(&service.row.client_id);
        let event = calendar_feed::event(&service.row, client, zone);
        calendar.push(as_event(event, service.rev));
    }
    calendar.to_string()
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
