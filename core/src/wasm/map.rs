//! Binds the map for its workers: tiles as bytes in; routes, pictures and words out.

use serde::Serialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

use super::{answer, to_js};
use crate::map::{self, MapCount, MapPlaces, NoMap, Tile};
use crate::route::{RouteError, RouteRequest, Router};
use crate::walk::Place;

/// The tiles of a service area and around homes.
#[wasm_bindgen(js_name = wantedTiles, unchecked_return_type = "Wanted")]
pub fn wanted_tiles(places: Ts<MapPlaces>) -> Result<JsValue, JsError> {
    to_js(&map::wanted(&places.to_rust()?))
}

/// The tiles that a route needs.
#[wasm_bindgen(js_name = tilesForRoute, unchecked_return_type = "Wanted")]
pub fn tiles_for_route(request: Ts<RouteRequest>) -> Result<JsValue, JsError> {
    to_js(&map::wanted_for_route(&request.to_rust()?))
}

/// Whether the server should be asked again which tiles there are; times in milliseconds since 1970.
#[wasm_bindgen(js_name = isMapDue)]
pub fn is_map_due(asked_at: f64, now: f64) -> bool {
    map::is_due(super::moment(asked_at).0, super::moment(now).0)
}

/// How the map on this phone stands.
#[wasm_bindgen(js_name = mapStatus, unchecked_return_type = "MapStatus")]
pub fn map_status(count: Ts<MapCount>) -> Result<JsValue, JsError> {
    to_js(&map::status(&count.to_rust()?))
}

/// Why there is no map for a route, for the person.
#[wasm_bindgen(js_name = noMapText)]
pub fn no_map_text(why: Ts<NoMap>) -> Result<String, JsError> {
    Ok(why.to_rust()?.to_string())
}

/// What is said while routes are looked for.
#[wasm_bindgen(js_name = searchTexts, unchecked_return_type = "SearchTexts")]
pub fn search_texts() -> Result<JsValue, JsError> {
    to_js(&map::search_texts())
}

/// Why there is no route.
#[derive(Serialize, Tsify)]
pub struct RouteRefusal {
    /// What it is.
    pub kind: RouteError,
    /// For the person.
    pub text: String,
}

impl RouteRefusal {
    fn of(kind: RouteError) -> Self {
        Self {
            kind,
            text: kind.to_string(),
        }
    }
}

/// Finds routes on the tiles that were added before the first of them; kept for all requests that these tiles answer, since
/// joining tiles costs more than a search.
#[wasm_bindgen]
#[derive(Default)]
pub struct RouteFinder {
    tiles: Vec<Tile>,
    router: Option<Router>,
}

/// Tiles first, then requests.
#[wasm_bindgen]
impl RouteFinder {
    /// Without a tile.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tile; throws where the bytes are none.
    pub fn add(&mut self, bytes: &[u8]) -> Result<(), JsError> {
        self.router = None;
        self.tiles.push(Tile::decode_network(bytes)?);
        Ok(())
    }

    /// Up to three routes, the best first.
    #[wasm_bindgen(unchecked_return_type = "Answer<GeneratedRoute[], RouteRefusal>")]
    pub fn generate(&mut self, request: Ts<RouteRequest>) -> Result<JsValue, JsError> {
        let request = request.to_rust()?;
        answer(self.router().generate(&request).map_err(RouteRefusal::of))
    }

    /// The way to the start of `request` for someone who left the route, with so many seconds left.
    #[wasm_bindgen(unchecked_return_type = "Answer<GeneratedRoute, RouteRefusal>")]
    pub fn home(
        &mut self,
        from: Ts<Place>,
        seconds: f64,
        request: Ts<RouteRequest>,
    ) -> Result<JsValue, JsError> {
        let (from, request) = (from.to_rust()?, request.to_rust()?);
        let budget_ms = (seconds.max(0.0) * 1e3) as u32;
        let home = request.start_location;
        let way = self.router().home(from, home, budget_ms, &request);
        answer(way.map_err(RouteRefusal::of))
    }

    fn router(&mut self) -> &mut Router {
        self.router
            .get_or_insert_with(|| Router::new(&std::mem::take(&mut self.tiles)))
    }
}
