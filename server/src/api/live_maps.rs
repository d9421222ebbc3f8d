//! The live map: a walk under way that a sitter shows to the client of a service, until the sitter stops or it ends.

use axum::extract::{Path, State};
use axum::http::Method;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::json;
use walkies_core::rows::client::Client;
use walkies_core::rows::report::SharedLine;
use walkies_core::rows::row::{RowKey, TableName};
use walkies_core::rows::service::Service;
use walkies_core::rows::sitter::Sitter;
use walkies_core::rules::live_map::{
    LIVE_MAP_NEWS_MS, LiveMap, LiveMapTaken, LiveMapUpdate, may_see_live_map,
};
use walkies_core::values::bounds;
use walkies_core::values::place::Place;
use walkies_core::{Id, Instant};

use crate::app::session::SitterUser;
use crate::app::state::{App, AppState};
use crate::app::throttle;
use crate::app::zone::now_of;
use crate::base::error::AppError;
use crate::base::page::Page;
use crate::db::{self, LiveMapPut, LiveMapRow, Tx, roll_back};
use crate::http::extract::{Caller, JsonBody, OF_SITTER, QueryParams};
use crate::http::route::{Access, Route, get, route};
use crate::write::answer::{Answer, ok, ok_list};

pub(super) fn routes() -> Vec<Route> {
    vec![
        route(
            Method::PUT,
            "/scheduled-services/{id}/live-map",
            Access::Sitter,
            "Shows the client of a service where its walk is, in place of what was sent before; switches the live map on. \
             Without another call for half an hour nobody sees it. Another one of the service is off from then on, for good",
            show,
        )
        .body::<LiveMapUpdate>()
        .answer::<LiveMapTaken>(),
        route(
            Method::DELETE,
            "/scheduled-services/{id}/live-map",
            Access::Sitter,
            "Switches the live map of a service off, for good: later updates of the same `map_id` show nothing, also where the \
             service was deleted and is restored",
            end,
        )
        .required_query("map_id", "Which one, as its updates say")
        .answer_of(super::auth::empty_data),
        get(
            "/client/live-maps",
            Access::Client,
            "Walks under way that the sitter shows the caller, with what came of them last",
            list_for_client,
        )
        .query("sitter_id", OF_SITTER)
        .list_of(|it| it.of::<LiveMap>()),
    ]
}

/// The most live maps that a client sees at once.
const MOST: u64 = 10;

/// Lines and position as they are stored.
#[derive(Debug, Serialize, Deserialize)]
struct Track {
    lines: Vec<SharedLine>,
    here: Option<Place>,
}

async fn show(
    State(app): State<AppState>,
    sitter: SitterUser,
    Path(id): Path<String>,
    JsonBody(update): JsonBody<LiveMapUpdate>,
) -> Result<Answer, AppError> {
    let id: Id = id.parse().map_err(|_| AppError::NotFound)?;
    throttle::live_map(&app, sitter.sitter_id)?;
    update.check()?;
    let LiveMapUpdate {
        map_id,
        client_id,
        lines,
        here,
        age_seconds,
    } = update;
    let now = app.now();
    let map = LiveMapRow {
        service_id: id,
        client_id,
        track: json!(Track { lines, here }).to_string(),
        recorded_at: Instant(now.0 - i64::from(age_seconds) * 1000),
    };
    let mut tx = app.db.write().await?;
    if !db::lock_sitter(&mut tx, sitter.sitter_id).await? {
        return roll_back(tx, AppError::TokenExpired).await;
    }
    let put = match may_be_seen(&app, &mut tx, sitter.sitter_id, &map).await? {
        None => return roll_back(tx, AppError::NotFound).await,
        Some(false) => LiveMapPut::Off,
        Some(true) => db::put_live_map(&mut tx, (sitter.sitter_id, map_id), &map, now).await?,
    };
    let is_shown = put == LiveMapPut::Shown;
    if !is_shown {
        // What was shown of it before is no longer needed either.
        db::end_live_map(&mut tx, sitter.sitter_id, (id, map_id), now).await?;
    }
    tx.commit().await?;
    Ok(ok(LiveMapTaken {
        is_shown,
        is_replaced: put == LiveMapPut::Replaced,
    }))
}

/// Returns whether the client may see the walk of this service now; `None` where the business has no such service.
async fn may_be_seen(
    app: &App,
    tx: &mut Tx,
    sitter_id: Id,
    map: &LiveMapRow,
) -> sqlx::Result<Option<bool>> {
    let service = db::select_one::<Service>(tx, sitter_id, map.service_id).await?;
    let Some(service) = service else {
        return Ok(None);
    };
    let client = db::select_one::<Client>(tx, sitter_id, map.client_id).await?;
    let sitter = db::select_one::<Sitter>(tx, sitter_id, sitter_id).await?;
    let now = now_of(app.now(), sitter.as_ref().map(|it| &it.row));
    Ok(Some(client.is_some_and(|it| {
        may_see_live_map(&service.row, &it.row, &now)
    })))
}

#[derive(Debug, Deserialize)]
struct EndQuery {
    map_id: Id,
}

async fn end(
    State(app): State<AppState>,
    sitter: SitterUser,
    Path(id): Path<String>,
    QueryParams(EndQuery { map_id }): QueryParams<EndQuery>,
) -> Result<Answer, AppError> {
    let id: Id = id.parse().map_err(|_| AppError::NotFound)?;
    throttle::live_map(&app, sitter.sitter_id)?;
    let mut tx = app.db.write().await?;
    if !db::lock_sitter(&mut tx, sitter.sitter_id).await? {
        return roll_back(tx, AppError::TokenExpired).await;
    }
    let service = RowKey {
        table: TableName::Service,
        id,
    };
    if !db::row_exists(&mut tx, sitter.sitter_id, service).await?
        && !db::is_service_deleted(&mut tx, sitter.sitter_id, id).await?
    {
        return roll_back(tx, AppError::NotFound).await;
    }
    db::end_live_map(&mut tx, sitter.sitter_id, (id, map_id), app.now()).await?;
    tx.commit().await?;
    Ok(ok(json!({})))
}

async fn list_for_client(
    State(app): State<AppState>,
    Caller(member): Caller,
    page: Page,
) -> Result<Response, AppError> {
    let link = member.link.ok_or(AppError::NotLinked)?;
    throttle::read_live_maps(&app, member.user_id)?;
    let now = app.now();
    let since = Instant(now.0 - LIVE_MAP_NEWS_MS);
    let mut tx = app.db.read_autocommit().await?;
    let client = (link.sitter_id, link.client_id);
    let mut maps: Vec<LiveMap> = Vec::new();
    for found in db::live_maps_of_client(&mut tx, client, since, MOST).await? {
        // A visit may have been moved, done or given to another client since.
        if may_be_seen(&app, &mut tx, link.sitter_id, &found).await? == Some(true) {
            maps.push(as_seen(found, now)?);
        }
    }
    ok_list(maps, page).await
}

fn as_seen(map: LiveMapRow, now: Instant) -> Result<LiveMap, AppError> {
    let track = serde_json::from_str(&map.track);
    let Track { lines, here } = track.map_err(|it| AppError::Internal(it.into()))?;
    let age = (now.0 - map.recorded_at.0) / 1000;
    Ok(LiveMap {
        service_id: map.service_id,
        lines,
        here,
        age_seconds: u32::try_from(age)
            .unwrap_or(0)
            .min(bounds::LIVE_MAP_AGE_SECONDS),
    })
}
