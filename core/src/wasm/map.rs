//! Binds the map for its workers: tiles as bytes in; routes, pictures and words out.

use js_sys::Uint8Array;
use serde::Serialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

use super::convert::{list_of, moment};
use super::json::{Answer, Json, answer, list_to_js, to_js};
use crate::addresses::{AddressBook, FoundAddress, nearest_address, tiles_near};
use crate::cartography::{Atlas, LineClass, Mark, Sheet, SheetId};
use crate::map::{AreaKind, Tile, TileId};
use crate::offline_map::{
    self, BlankGround, GroundCount, MapCount, MapPlaces, MapStatus, NoMap, SearchTexts, Wanted,
};
use crate::route::{GeneratedRoute, RouteError, RouteRequest, Router};
use crate::values::place::Place;

/// The tiles of a service area and around homes.
#[wasm_bindgen(js_name = wantedTiles)]
pub fn wanted_tiles(places: Ts<MapPlaces>) -> Result<Json<Wanted>, JsError> {
    to_js(&offline_map::wanted(&places.to_rust()?))
}

/// The tiles that a route needs.
#[wasm_bindgen(js_name = tilesForRoute)]
pub fn tiles_for_route(request: Ts<RouteRequest>) -> Result<Json<Wanted>, JsError> {
    to_js(&offline_map::wanted_for_route(&request.to_rust()?))
}

/// The tiles that a way from one place to another needs.
#[wasm_bindgen(js_name = tilesForWay)]
pub fn tiles_for_way(from: Ts<Place>, to: Ts<Place>) -> Result<Json<Wanted>, JsError> {
    to_js(&offline_map::wanted_for_way(from.to_rust()?, to.to_rust()?))
}

/// The tile in which a place lies.
#[wasm_bindgen(js_name = tileOf)]
pub fn tile_of(place: Ts<Place>) -> Result<Json<TileId>, JsError> {
    to_js(&offline_map::tile_of(place.to_rust()?))
}

/// Returns true if so many bytes of the map may be downloaded without anybody asking for it.
#[wasm_bindgen(js_name = mapComesUnasked)]
pub fn map_comes_unasked(missing_bytes: f64, saves_data: bool) -> bool {
    offline_map::comes_unasked(missing_bytes, saves_data)
}

/// Why the ground is blank at a place.
#[wasm_bindgen(js_name = blankGround)]
pub fn blank_ground(count: Ts<GroundCount>) -> Result<Json<BlankGround>, JsError> {
    to_js(&offline_map::blank_ground(&count.to_rust()?))
}

/// The tiles in which a walk lies that everybody may see.
#[wasm_bindgen(js_name = tilesAlong)]
pub fn tiles_along(places: Vec<Ts<Place>>) -> Result<Json<Wanted>, JsError> {
    to_js(&offline_map::wanted_along(&list_of(&places)?))
}

/// Returns true if the server should be asked again which tiles there are; times in milliseconds since 1970.
#[wasm_bindgen(js_name = isMapDue)]
pub fn is_map_due(asked_at: f64, now: f64) -> bool {
    offline_map::is_due(moment(asked_at).0, moment(now).0)
}

/// How the map on this phone stands.
#[wasm_bindgen(js_name = mapStatus)]
pub fn map_status(count: Ts<MapCount>) -> Result<Json<MapStatus>, JsError> {
    to_js(&offline_map::status(&count.to_rust()?))
}

/// Why there is no map for a route, for the person.
#[wasm_bindgen(js_name = noMapText)]
pub fn no_map_text(why: Ts<NoMap>) -> Result<String, JsError> {
    Ok(why.to_rust()?.to_string())
}

/// Texts of the screen on which routes are searched.
#[wasm_bindgen(js_name = searchTexts)]
pub fn search_texts() -> Result<Json<SearchTexts>, JsError> {
    to_js(&offline_map::search_texts())
}

/// Routes, the best first; with a name, since an `Answer` is of named types.
#[derive(Serialize, Tsify)]
pub struct GeneratedRoutes(Vec<GeneratedRoute>);

/// Why there is no route.
#[derive(Serialize, Tsify)]
pub struct RouteRefusal {
    /// Kind of the reason, as the router names it.
    pub kind: RouteError,
    /// Reason in words for the person.
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
    pub fn generate(
        &mut self,
        request: Ts<RouteRequest>,
    ) -> Result<Json<Answer<GeneratedRoutes, RouteRefusal>>, JsError> {
        let request = request.to_rust()?;
        let routes = self.router().generate(&request);
        answer(routes.map(GeneratedRoutes).map_err(RouteRefusal::of))
    }

    /// The way to the start of `request` for someone who left the route, with so many seconds left.
    pub fn home(
        &mut self,
        from: Ts<Place>,
        seconds: f64,
        request: Ts<RouteRequest>,
    ) -> Result<Json<Answer<GeneratedRoute, RouteRefusal>>, JsError> {
        let (from, request) = (from.to_rust()?, request.to_rust()?);
        let budget_ms = (seconds.max(0.0) * 1e3) as u32;
        let home = request.start_location;
        let way = self.router().home(from, home, budget_ms, &request);
        answer(way.map_err(RouteRefusal::of))
    }

    /// The quickest way on foot from one place to another.
    pub fn way(
        &mut self,
        from: Ts<Place>,
        to: Ts<Place>,
    ) -> Result<Json<Answer<GeneratedRoute, RouteRefusal>>, JsError> {
        let way = self.router().way(from.to_rust()?, to.to_rust()?);
        answer(way.map_err(RouteRefusal::of))
    }

    fn router(&mut self) -> &mut Router {
        self.router
            .get_or_insert_with(|| Router::new(&std::mem::take(&mut self.tiles)))
    }
}

/// The tiles that a sheet is drawn from.
#[derive(Serialize, Tsify)]
pub struct SheetTiles {
    /// Without any of these it stays empty.
    pub own: Vec<TileId>,
    /// From these something may reach in.
    pub around: Vec<TileId>,
}

/// The tiles that a sheet is drawn from.
#[wasm_bindgen(js_name = sheetTiles)]
pub fn sheet_tiles(zoom: u32, x: u32, y: u32) -> Result<Json<SheetTiles>, JsError> {
    let sheet = SheetId { zoom, x, y };
    to_js(&SheetTiles {
        own: sheet.own(),
        around: sheet.around(),
    })
}

/// Kinds and classes by the numbers that a sheet's batches have for them.
#[derive(Serialize, Tsify)]
pub struct MapKinds {
    /// Kinds of areas, by number.
    pub areas: Vec<AreaKind>,
    /// Classes of lines, in the order in which they are drawn.
    pub lines: Vec<LineClass>,
}

/// Returns the kinds and classes by the numbers that a sheet's batches have for them.
#[wasm_bindgen(js_name = mapKinds)]
pub fn map_kinds() -> Result<Json<MapKinds>, JsError> {
    to_js(&MapKinds {
        areas: AreaKind::ALL.to_vec(),
        lines: LineClass::ALL.to_vec(),
    })
}

/// Says what stands on sheets.
#[wasm_bindgen]
#[derive(Default)]
pub struct MapDrawer(Atlas);

/// Tiles first, then sheets.
#[wasm_bindgen]
impl MapDrawer {
    /// Without a tile.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tile and returns the names in it, for `measure`; throws where the bytes are none.
    pub fn add(&mut self, bytes: &[u8]) -> Result<Vec<String>, JsError> {
        let (_, names) = self.0.add(bytes)?;
        Ok(names)
    }

    /// Takes the widths of a tile's names, in px at letters 1 px high.
    pub fn measure(&mut self, x: u32, y: u32, widths: &[f32]) {
        self.0.measure(TileId { x, y }, widths);
    }

    /// Forgets a tile.
    pub fn remove(&mut self, x: u32, y: u32) {
        self.0.remove(TileId { x, y });
    }

    /// Draws a sheet; nothing where none of the tiles under it is here.
    pub fn draw(&mut self, zoom: u32, x: u32, y: u32) -> Option<MapSheet> {
        self.0.draw(SheetId { zoom, x, y }).map(MapSheet)
    }
}

/// Content of a sheet: areas, lines, trees, names and signs.
#[wasm_bindgen]
pub struct MapSheet(Sheet);

/// See `Sheet` of the core.
#[wasm_bindgen]
impl MapSheet {
    /// Four numbers for each batch (what, kind, whether it has holes, how many parts), then how long each part is.
    pub fn batches(&self) -> Vec<u32> {
        self.0.batches.clone()
    }

    /// The points of all parts, x and y in px.
    pub fn points(&self) -> Vec<f32> {
        self.0.points.clone()
    }

    /// Names and signs.
    pub fn marks(&self) -> Result<Json<[Mark]>, JsError> {
        list_to_js(&self.0.marks)
    }
}

/// The tiles that are searched for addresses, of those that are on the phone: the nearest to a place.
#[wasm_bindgen(js_name = addressTiles)]
pub fn address_tiles(
    tiles: Vec<Ts<TileId>>,
    near: Option<Ts<Place>>,
) -> Result<Json<[TileId]>, JsError> {
    list_to_js(&AddressBook::tiles_around(
        list_of(&tiles)?,
        place_of(near)?,
    ))
}

/// The tiles in which the address of a place can lie.
#[wasm_bindgen(js_name = tilesNear)]
pub fn tiles_near_place(place: Ts<Place>) -> Result<Json<[TileId]>, JsError> {
    list_to_js(&tiles_near(place.to_rust()?))
}

/// The address of a place, from the bytes of the tiles near to it; without its number if that is not wanted.
#[wasm_bindgen(js_name = nearestAddress)]
pub fn nearest_address_of(
    tiles: Vec<Uint8Array>,
    place: Ts<Place>,
    with_number: bool,
) -> Result<Option<Json<FoundAddress>>, JsError> {
    // A damaged tile is like one that is not here.
    let tiles = tiles
        .iter()
        .filter_map(|it| Tile::decode(&it.to_vec()).ok());
    let tiles: Vec<Tile> = tiles.collect();
    let found = nearest_address(&tiles, place.to_rust()?, with_number);
    found.as_ref().map(to_js).transpose()
}

fn place_of(place: Option<Ts<Place>>) -> Result<Option<Place>, JsError> {
    Ok(place.map(|it| it.to_rust()).transpose()?)
}

/// Finds addresses on the tiles that were added.
#[wasm_bindgen]
#[derive(Default)]
pub struct AddressFinder(AddressBook);

/// Tiles first, then searches.
#[wasm_bindgen]
impl AddressFinder {
    /// Without a tile.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tile; throws where the bytes are none.
    pub fn add(&mut self, bytes: &[u8]) -> Result<(), JsError> {
        self.0.add(&Tile::decode_addresses(bytes)?);
        Ok(())
    }

    /// Up to six addresses that fit what was typed, the best first.
    pub fn find(
        &mut self,
        typed: &str,
        near: Option<Ts<Place>>,
    ) -> Result<Json<[FoundAddress]>, JsError> {
        list_to_js(&self.0.find(typed, place_of(near)?))
    }
}
