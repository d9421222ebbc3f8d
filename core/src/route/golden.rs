//! Answers the routes of `core/testdata/route.json`, on two tiles of the demo's map. Only tests are built with it.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{GeneratedRoute, RouteRequest, Router};
use crate::map::Tile;
use crate::values::place::Place;

pub(super) const TILES: [&[u8]; 2] = [
    include_bytes!("../../testdata/helsinki-4663-2370.wktl"),
    include_bytes!("../../testdata/helsinki-4663-2371.wktl"),
];

/// A question to the router.
#[derive(Deserialize)]
struct Input {
    #[serde(default)]
    request: Option<RouteRequest>,
    /// The way home instead, from here and in so many milliseconds.
    #[serde(default)]
    home: Option<(Place, u32)>,
    /// The way from one place to another instead of all that.
    #[serde(default)]
    way: Option<(Place, Place)>,
}

/// The routes: what can be read, and a checksum of every byte of them.
pub fn answer(input: &str) -> Result<Value, Box<dyn std::error::Error>> {
    let Input { request, home, way } = serde_json::from_str(input)?;
    let tiles: Result<Vec<Tile>, _> = TILES.iter().map(|it| Tile::decode_network(it)).collect();
    let mut router = Router::new(&tiles?);
    let answer = match (way, request, home) {
        (Some((from, to)), ..) => router.way(from, to).map(|it| vec![it]),
        (None, Some(request), Some((from, budget_ms))) => router
            .home(from, request.start_location, budget_ms, &request)
            .map(|it| vec![it]),
        (None, Some(request), None) => router.generate(&request),
        (None, None, _) => return Err("nothing is asked".into()),
    };
    Ok(match answer {
        Ok(routes) => routes.iter().map(told).collect::<Result<_, _>>()?,
        Err(error) => json!({ "error": error, "text": error.to_string() }),
    })
}

fn told(route: &GeneratedRoute) -> Result<Value, Box<dyn std::error::Error>> {
    let warnings: Vec<_> = route.warnings.iter().map(|it| &it.text).collect();
    Ok(json!({
        "name": route.name,
        "kind": route.kind,
        "distance": route.distance,
        "duration": route.duration,
        "features": route.features,
        "warnings": warnings,
        "steps": route.steps.len(),
        "rests": route.rest_points,
        "water": route.water_stops,
        "checksum": crc32fast::hash(serde_json::to_string(route)?.as_bytes()),
    }))
}
