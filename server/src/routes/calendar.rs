//! The schedule in other calendars (RFC 5545): the address that a sitter makes, renews and ends, and what is read there.

use std::collections::HashMap;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use icalendar::{Calendar, Component as _, Event, EventLike as _, Property};
use walkies_core::api::CalendarAddress;
use walkies_core::rows::client::Client;
use walkies_core::rules::calendar_feed::{self, EVENTS, FeedEvent, FeedTime, REFRESH_MINUTES};
use walkies_core::{Date, Id, Instant};

use super::{CallerAddress, business_of_page};
use crate::answer::{Answer, ROWS_AT_ONCE, ok, success};
use crate::db::{self, ServiceFilter};
use crate::env::{Env, sha256};
use crate::error::AppError;
use crate::route::{Access, Route, get, post, route};
use crate::session::SitterUser;
use crate::state::{App, AppState};
use crate::throttle;

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
    let secret = file.strip_suffix(".ics").filter(|it| Env::is_share_id(it));
    let calendar = calendar(&app, secret.ok_or(AppError::CalendarGone)?).await?;
    // Calendars ask every hour, and get all of it only where something has changed.
    let tag = format!("\"{}\"", sha256(calendar.as_bytes()));
    let known = headers.get(header::IF_NONE_MATCH);
    // Whoever compresses on the way calls it a weak one.
    let known = known.and_then(|it| Some(it.to_str().ok()?.trim_start_matches("W/")));
    let common = [
        (header::CACHE_CONTROL, "private, no-cache".to_owned()),
        (header::ETAG, tag.clone()),
    ];
    if known == Some(tag.as_str()) {
        return Ok((StatusCode::NOT_MODIFIED, common).into_response());
    }
    let kind = [(header::CONTENT_TYPE, "text/calendar; charset=utf-8")];
    Ok((common, kind, calendar).into_response())
}

/// The calendar at an address; the same answer for one that has ended as for one that never was.
async fn calendar(app: &App, secret: &str) -> Result<String, AppError> {
    let hash = sha256(secret.as_bytes());
    let sitter_id = db::sitter_of_calendar(&mut app.db.read_autocommit().await?, &hash).await?;
    let sitter_id = sitter_id.ok_or(AppError::CalendarGone)?;
    let _permit = app.look(sitter_id).await?;
    let mut tx = app.db.read().await?;
    let business = business_of_page(&mut tx, sitter_id).await?;
    let (sitter, zone) = business.ok_or(AppError::CalendarGone)?;
    let today = app.now().civil(&zone).0;
    let (first, last) = calendar_feed::window(today);
    let filter = ServiceFilter {
        first: Some(first),
        last: Some(last),
        limit: Some(EVENTS),
        ..ServiceFilter::default()
    };
    let services = db::services(&mut tx, sitter_id, &filter).await?;
    let clients = db::select::<Client>(&mut tx, sitter_id, "", &[]).await?;
    tx.commit().await?;
    let clients: HashMap<Id, Client> = clients.into_iter().map(|it| (it.row.id, it.row)).collect();

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
    for (place, service) in services.iter().enumerate() {
        let client = clients.get(&service.row.client_id);
        if let Some(event) = calendar_feed::event(&service.row, client, &zone, today) {
            calendar.push(as_event(event, service.rev));
        }
        if place % ROWS_AT_ONCE == ROWS_AT_ONCE - 1 {
            tokio::task::yield_now().await;
        }
    }
    Ok(calendar.to_string())
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

/// `20261120T140000Z`.
fn moment(at: Instant) -> String {
    let text = at.to_string();
    let seconds = text.get(..19).unwrap_or_default();
    seconds.replace(['-', ':'], "") + "Z"
}

/// `20261120`.
fn day(date: Date) -> String {
    date.to_string().replace('-', "")
}
