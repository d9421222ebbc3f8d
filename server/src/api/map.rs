//! The map: what there is of it around a place, and its tiles. Anybody may ask; it is OpenStreetMap's, and no secret.
//! The directions service and the geocoder of others are for sitters alone, each with a share.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue, VARY,
};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use walkies_core::addresses::{GeocoderAnswer, GeocoderService, SearchedAddress};
use walkies_core::api::{DirectionsService, MapAnswer, MapArea, TileLink};
use walkies_core::map::{Point, TileId};
use walkies_core::route::query;
use walkies_core::values::bounds;
use walkies_core::values::form_errors::FieldErrors;
use walkies_core::values::place::Place;

use crate::app::session::SitterUser;
use crate::app::state::{App, AppState};
use crate::app::throttle;
use crate::base::error::AppError;
use crate::db;
use crate::http::compressed::{accepts, matches_etag};
use crate::http::extract::{CallerAddress, JsonBody, QueryParams};
use crate::http::route::{Access, Route, Schemas, get, post};
use crate::map::{TileName, decompress};
use crate::media::files::FileName;
use crate::write::answer::{Answer, ok};

pub(super) fn routes() -> Vec<Route> {
    vec![
        get(
            "/map/areas",
            Access::Public,
            "The map's areas, and its tiles around a place",
            list_areas,
        )
        .query(
            "lat",
            "the place's latitude in degrees; without a place no tiles are listed",
        )
        .query("lng", "its longitude in degrees")
        .query("radius_m", "how far the tiles reach from there, in meters")
        .fails(&[422])
        .answer::<MapAnswer>(),
        get(
            "/map/tiles/{tile}",
            Access::Public,
            "A tile by its name, which changes with its bytes",
            show_tile,
        )
        .statuses(&[200, 304])
        .fails(&[400])
        .file("application/octet-stream"),
        get(
            "/map/directions",
            Access::Sitter,
            "Whether there are walking directions outside the areas",
            read_directions,
        )
        .answer::<DirectionsService>(),
        get(
            "/map/directions/route",
            Access::Sitter,
            "A walk through some places, by the directions service of others, in the form of OSRM's and Mapbox's directions, \
             version 5",
            find_directions,
        )
        .required_query(
            "places",
            "two to 25 places as `lng,lat` in degrees, with semicolons between them",
        )
        .fails(&[404, 422])
        .answer_of(directions_form),
        get(
            "/map/geocoder",
            Access::Sitter,
            "The geocoder of others that finds addresses outside the areas",
            read_geocoder,
        )
        .answer::<GeocoderService>(),
        post(
            "/map/geocoder/search",
            Access::Sitter,
            "Addresses for what was typed, by the geocoder of others, which gets these words and nothing else",
            search_geocoder,
        )
        .body::<AddressSearch>()
        .fails(&[404])
        .answer::<GeocoderAnswer>(),
    ]
}

fn area(area: db::MapArea) -> MapArea {
    let degrees = |e7: i32| f64::from(e7) / 1e7;
    MapArea {
        id: area.id,
        name: area.name,
        west: degrees(area.bounds.west_e7),
        south: degrees(area.bounds.south_e7),
        east: degrees(area.bounds.east_e7),
        north: degrees(area.bounds.north_e7),
        data_at: area.data_at,
        imported_at: area.imported_at,
        bytes: area.size_bytes,
    }
}

#[derive(Debug, Deserialize)]
struct AreasQuery {
    lat: Option<f64>,
    lng: Option<f64>,
    radius_m: Option<f64>,
}

impl AreasQuery {
    /// The corners of what is asked for; `None` when no place is.
    fn corners(&self) -> Result<Option<(TileId, TileId)>, FieldErrors> {
        let Self { lat, lng, radius_m } = *self;
        if lat.is_none() && lng.is_none() && radius_m.is_none() {
            return Ok(None);
        }
        let mut errors = FieldErrors::default();
        for (field, number, unit) in [
            ("lat", lat, "degrees"),
            ("lng", lng, "degrees"),
            ("radius_m", radius_m, "meters"),
        ] {
            let (from, to) = bounds::number(field).unwrap_or_default();
            errors.check(
                !number.is_some_and(|it| (from..=to).contains(&it)),
                field,
                format!("`{field}` must be from {from} to {to} {unit}"),
            );
        }
        errors.or(())?;
        let place = Place::from_degrees(lat.unwrap_or_default(), lng.unwrap_or_default());
        let tiles = place
            .map(|it| TileId::around(Point::at(it), radius_m.unwrap_or_default()))
            .unwrap_or_default();
        Ok(tiles.first().copied().zip(tiles.last().copied()))
    }
}

/// Counts a call for the map.
fn count(app: &App, CallerAddress(address): CallerAddress) -> Result<(), AppError> {
    throttle::stranger(app, "map", &address, app.settings.rate_of_map)
}

async fn list_areas(
    State(app): State<AppState>,
    address: CallerAddress,
    QueryParams(query): QueryParams<AreasQuery>,
) -> Result<Answer, AppError> {
    count(&app, address)?;
    let corners = query.corners()?;
    // One transaction: the tiles are those of the areas.
    let mut tx = app.db.read().await?;
    let areas = db::map_areas(&mut tx).await?;
    let tiles = match corners {
        Some((north_west, south_east)) => {
            db::map_tiles_between(&mut tx, north_west, south_east).await?
        }
        None => Vec::new(),
    };
    tx.commit().await?;
    let link = |it: db::MapTile| TileLink {
        tile: TileName {
            id: it.id,
            checksum: it.checksum,
        }
        .to_string(),
        bytes: it.size_bytes,
    };
    Ok(ok(MapAnswer {
        areas: areas.into_iter().map(area).collect(),
        tiles: tiles.into_iter().map(link).collect(),
        pictures: app.settings.map_pictures.as_ref().map(|it| it.url.clone()),
    }))
}

async fn read_directions(State(app): State<AppState>, _: SitterUser) -> Answer {
    ok(DirectionsService {
        is_available: app.directions.is_some(),
        address: None,
    })
}

#[derive(Debug, Deserialize)]
struct DirectionsQuery {
    places: String,
}

/// The schema of a service's answer; where it gave none, `code` is `Failed`.
fn directions_form(_: &mut Schemas) -> Value {
    json!({
        "type": "object",
        "properties": {
            "code": { "type": "string", "enum": ["Ok", "NoRoute", "Failed"] },
            "routes": { "type": "array", "items": { "type": "object" } },
        },
    })
}

async fn find_directions(
    State(app): State<AppState>,
    sitter: SitterUser,
    QueryParams(DirectionsQuery { places }): QueryParams<DirectionsQuery>,
) -> Result<Answer, AppError> {
    let directions = app.directions.as_ref().ok_or(AppError::NotFound)?;
    let query = query(&places)
        .ok_or_else(|| AppError::of_field("places", "`places` must be two to 25 places"))?;
    throttle::ask_for_directions(&app, sitter.sitter_id)?;
    Ok(ok(directions.ask(&query).await))
}

async fn read_geocoder(State(app): State<AppState>, _: SitterUser) -> Answer {
    let name = app.geocoder.as_ref().map(|it| it.kind().name().to_owned());
    ok(GeocoderService { name })
}

/// In the body, since a proxy's log has the query of each call.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
struct AddressSearch {
    /// The words that were typed as an address, at least three letters.
    address: String,
}

async fn search_geocoder(
    State(app): State<AppState>,
    sitter: SitterUser,
    JsonBody(AddressSearch { address }): JsonBody<AddressSearch>,
) -> Result<Answer, AppError> {
    let address = SearchedAddress::parse(&address);
    let address = address.map_err(|it| AppError::of_field("address", &it))?;
    let geocoder = app.geocoder.as_ref().ok_or(AppError::NotFound)?;
    throttle::ask_geocoder(&app, sitter.sitter_id)?;
    Ok(ok(geocoder.ask(&address).await))
}

async fn show_tile(
    State(app): State<AppState>,
    address: CallerAddress,
    headers: HeaderMap,
    Path(name): Path<String>,
) -> Result<Response, AppError> {
    count(&app, address)?;
    let name: TileName = name
        .parse()
        .map_err(|_| AppError::Malformed("This is no name of a tile".to_owned()))?;
    let mut tx = app.db.read_autocommit().await?;
    let area_id = db::map_area_of_tile(&mut tx, name.id, &name.checksum).await?;
    let area_id = area_id.ok_or(AppError::NotFound)?;
    drop(tx);
    // Weak, because the same tag stands for the tile and for its compressed form.
    let tag = HeaderValue::try_from(format!("W/\"{}\"", name.checksum))
        .map_err(|it| AppError::Internal(it.into()))?;
    let mut response = if matches_etag(&headers, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let file = app.files.get(&FileName::map_tile(area_id, name.id)).await;
        let bytes = file.map_err(|it| {
            AppError::Unavailable(anyhow::Error::from(it).context("the files' storage"))
        })?;
        // Between the two looks its area may have been replaced.
        let bytes = bytes.ok_or(AppError::NotFound)?;
        if accepts(&headers, "br") {
            ([(CONTENT_ENCODING, HeaderValue::from_static("br"))], bytes).into_response()
        } else {
            let whole = app.tile_permits.run(move || decompress(&bytes)).await?;
            whole
                .map_err(|it| AppError::Internal(it.into()))?
                .into_response()
        }
    };
    for (header, value) in [
        (
            CONTENT_TYPE,
            HeaderValue::from_static("application/octet-stream"),
        ),
        (
            CACHE_CONTROL,
            HeaderValue::from_static("public, max-age=31536000, immutable"),
        ),
        (VARY, HeaderValue::from_static("Accept-Encoding")),
        (ETAG, tag),
    ] {
        response.headers_mut().insert(header, value);
    }
    Ok(response)
}
