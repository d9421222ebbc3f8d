//! Binds walks for the phone: a small state and a batch of inputs in, the state after it and bytes for the log out.

use serde::Serialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

use super::{answer, moment, to_js};
use crate::format::Clock;
use crate::report::{self, ClientAlong, ReportChoices};
use crate::route::{self, DogSize, GeneratedRoute, Guide, RouteRequest};
use crate::sitter::{HourCycle, Units};
use crate::sync::wire::{Zone, zone_of};
use crate::walk::{
    self, DogAlong, DoorHome, Doors, Entry, LinePoint, Place, Walk, WalkEvent, WalkHere, WalkInput,
    WalkTrace,
};
use crate::{Id, encoded_line, gpx};

/// A walk that a log tells.
#[derive(Serialize, Tsify)]
pub struct WalkReplay {
    /// The state to go on with.
    pub walk: Walk,
    /// What to draw.
    pub trace: WalkTrace,
}

/// A walk from a GPX file.
#[derive(Serialize, Tsify)]
pub struct GpxWalk {
    /// The track's name; empty where it has none.
    pub name: String,
    /// The log, as one chunk.
    pub log: Vec<u8>,
    /// Points that were of no use.
    pub n_left_out: usize,
}

/// Why a GPX file is no walk.
#[derive(Serialize, Tsify)]
pub struct GpxRefusal {
    /// For the person.
    pub text: String,
}

/// Takes inputs; `walk` is absent before the start.
#[wasm_bindgen(js_name = walkAdvance, unchecked_return_type = "WalkAdvance")]
pub fn walk_advance(
    walk: Option<Ts<Walk>>,
    #[wasm_bindgen(unchecked_param_type = "WalkInput[]")] inputs: JsValue,
    now_ms: f64,
) -> Result<JsValue, JsError> {
    let walk = walk.map(|it| it.to_rust()).transpose()?.unwrap_or_default();
    let inputs: Vec<WalkInput> = super::from_js(&inputs)?;
    to_js(&walk::advance(walk, inputs, moment(now_ms).0))
}

/// The walk that a stored log tells; `lengths` are those of the chunks that `bytes` joins.
#[wasm_bindgen(js_name = walkReplay, unchecked_return_type = "WalkReplay")]
pub fn walk_replay(bytes: &[u8], lengths: &[u32]) -> Result<JsValue, JsError> {
    let (walk, trace) = walk::replay(&entries(bytes, lengths));
    to_js(&WalkReplay { walk, trace })
}

/// What a new chunk of a log begins with.
#[wasm_bindgen(js_name = walkLogHeader)]
pub fn walk_log_header() -> Vec<u8> {
    walk::log_header()
}

/// The words of a walk.
#[wasm_bindgen(js_name = walkTexts, unchecked_return_type = "WalkTexts")]
pub fn walk_texts() -> Result<JsValue, JsError> {
    to_js(&walk::texts())
}

/// Reads a GPX file.
#[wasm_bindgen(js_name = gpxImport, unchecked_return_type = "Answer<GpxWalk, GpxRefusal>")]
pub fn gpx_import(text: &str) -> Result<JsValue, JsError> {
    let walk = gpx::import(text, || Id(uuid::Uuid::now_v7())).map(|imported| {
        let mut log = walk::log_header();
        imported
            .entries
            .iter()
            .for_each(|it| walk::encode(it, &mut log));
        GpxWalk {
            name: imported.name,
            log,
            n_left_out: imported.n_left_out,
        }
    });
    answer(walk.map_err(|it| GpxRefusal {
        text: it.to_string(),
    }))
}

/// Writes a walk as GPX; the log as for `walkReplay`.
#[wasm_bindgen(js_name = gpxExport)]
pub fn gpx_export(bytes: &[u8], lengths: &[u32], name: &str) -> String {
    gpx::export(&entries(bytes, lengths), name)
}

/// A GPX file of several walks.
#[wasm_bindgen]
#[derive(Default)]
pub struct GpxFile(gpx::Export);

/// Walk by walk, so that no more than one log is in memory.
#[wasm_bindgen]
impl GpxFile {
    /// Without a walk.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a walk; the log as for `walkReplay`.
    pub fn add(&mut self, bytes: &[u8], lengths: &[u32], name: &str) {
        self.0.add(&entries(bytes, lengths), name);
    }

    /// The file's text.
    pub fn text(&self) -> String {
        self.0.finish()
    }
}

/// What the screen shows in large.
#[wasm_bindgen(js_name = walkFigures, unchecked_return_type = "WalkFigures")]
pub fn walk_figures(walk: Ts<Walk>, now_ms: f64, units: Ts<Units>) -> Result<JsValue, JsError> {
    let (walk, units) = (walk.to_rust()?, units.to_rust()?);
    to_js(&walk::figures(&walk, moment(now_ms).0, units))
}

/// What is kept of a finished walk; times of day are the business's.
#[wasm_bindgen(js_name = walkSummary, unchecked_return_type = "WalkSummary")]
pub fn walk_summary(
    walk: Ts<Walk>,
    trace: Ts<WalkTrace>,
    now_ms: f64,
    units: Ts<Units>,
    zone: Option<Ts<Zone>>,
    cycle: Ts<HourCycle>,
    #[wasm_bindgen(unchecked_param_type = "DogAlong[]")] dogs: JsValue,
) -> Result<JsValue, JsError> {
    let (walk, trace, units) = (walk.to_rust()?, trace.to_rust()?, units.to_rust()?);
    let zone = zone.map(|it| it.to_rust()).transpose()?;
    let zone = zone_of(zone.as_ref());
    to_js(&walk::summarize(
        &walk,
        &trace,
        moment(now_ms).0,
        units,
        Clock {
            zone: &zone,
            cycle: cycle.to_rust()?,
        },
        &super::from_js::<Vec<DogAlong>>(&dogs)?,
    ))
}

/// The doors that the walker has come to, after these positions.
#[wasm_bindgen(js_name = walkDoors, unchecked_return_type = "Doors")]
pub fn walk_doors(
    doors: Ts<Doors>,
    #[wasm_bindgen(unchecked_param_type = "readonly Place[]")] way: JsValue,
    #[wasm_bindgen(unchecked_param_type = "readonly DoorHome[]")] homes: JsValue,
) -> Result<JsValue, JsError> {
    let (way, homes): (Vec<Place>, Vec<DoorHome>) =
        (super::from_js(&way)?, super::from_js(&homes)?);
    let doors = way
        .into_iter()
        .fold(doors.to_rust()?, |doors, here| doors.step(here, &homes));
    to_js(&doors)
}

/// Where the walker is heading, in degrees, by the last two points of the line.
#[wasm_bindgen(js_name = walkHeading)]
pub fn walk_heading(
    walk: Ts<Walk>,
    from: Ts<LinePoint>,
    to: Ts<LinePoint>,
) -> Result<Option<u16>, JsError> {
    let (walk, from, to) = (walk.to_rust()?, from.to_rust()?, to.to_rust()?);
    Ok(walk::heading(&walk, &from, &to))
}

/// The points of an encoded line; empty for what is none.
#[wasm_bindgen(js_name = lineOf, unchecked_return_type = "Place[]")]
pub fn line_of(geometry: &str) -> Result<JsValue, JsError> {
    to_js(&encoded_line::decode(geometry).unwrap_or_default())
}

/// A line as text.
#[wasm_bindgen(js_name = encodedLine)]
pub fn encoded_line_of(
    #[wasm_bindgen(unchecked_param_type = "Place[]")] line: JsValue,
) -> Result<String, JsError> {
    Ok(encoded_line::encode(super::from_js::<Vec<Place>>(&line)?))
}

/// What the form of a route offers.
#[wasm_bindgen(js_name = routeNumbers, unchecked_return_type = "RouteNumbers")]
pub fn route_numbers() -> Result<JsValue, JsError> {
    to_js(&route::numbers())
}

/// The words of a route.
#[wasm_bindgen(js_name = routeTexts, unchecked_return_type = "RouteTexts")]
pub fn route_texts() -> Result<JsValue, JsError> {
    to_js(&route::texts())
}

/// Whole minutes of what was typed.
#[wasm_bindgen(js_name = routeMinutes)]
pub fn route_minutes(typed: Option<f64>) -> u32 {
    route::minutes(typed)
}

/// The part of the address behind a directions service's own.
#[wasm_bindgen(js_name = directionsQuery)]
pub fn directions_query(request: Ts<RouteRequest>, option: u32) -> Result<String, JsError> {
    Ok(route::query(&request.to_rust()?, option))
}

/// The route of a directions service's answer.
#[wasm_bindgen(js_name = directionsRoute, unchecked_return_type = "Answer<Provided, string>")]
pub fn directions_route(text: &str, request: Ts<RouteRequest>) -> Result<JsValue, JsError> {
    answer(route::route(text, &request.to_rust()?).map_err(|it| it.to_string()))
}

/// How large a dog of so many pounds is.
#[wasm_bindgen(js_name = dogSize, unchecked_return_type = "DogSize")]
pub fn dog_size(pounds: f64) -> Result<JsValue, JsError> {
    to_js(&DogSize::of(pounds))
}

/// A planned route, and where on it the walker is.
#[wasm_bindgen]
pub struct RouteGuide(Guide);

/// Position by position.
#[wasm_bindgen]
impl RouteGuide {
    /// At the route's start; throws for one without a line.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "GeneratedRoute")] route: JsValue,
    ) -> Result<Self, JsError> {
        let route: GeneratedRoute = super::from_js(&route)?;
        let guide = Guide::of(&route).ok_or_else(|| JsError::new("a route without a line"))?;
        Ok(Self(guide))
    }

    /// Goes along what was walked before.
    pub fn replay(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "LinePoint[]")] track: JsValue,
    ) -> Result<(), JsError> {
        let track: Vec<LinePoint> = super::from_js(&track)?;
        self.0.replay(&track);
        Ok(())
    }

    /// Takes a filtered position; what to say, in order.
    #[wasm_bindgen(unchecked_return_type = "Cue[]")]
    pub fn take(&mut self, here: Ts<WalkHere>) -> Result<JsValue, JsError> {
        let here = here.to_rust()?;
        let notice = self.0.take(here.place, here.accuracy_m, here.at);
        let due = self.0.due();
        to_js(&notice.into_iter().chain(due).collect::<Vec<_>>())
    }

    /// What to show.
    #[wasm_bindgen(unchecked_return_type = "Guidance")]
    pub fn guidance(&self, units: Ts<Units>) -> Result<JsValue, JsError> {
        to_js(&self.0.guidance(units.to_rust()?))
    }
}

/// An ended walk as it is shared, with what the sitter chose and nothing more.
#[wasm_bindgen(js_name = sharedWalk, unchecked_return_type = "SharedWalk")]
pub fn shared_walk(
    walk: Ts<Walk>,
    trace: Ts<WalkTrace>,
    choices: Ts<ReportChoices>,
) -> Result<JsValue, JsError> {
    to_js(&report::of_walk(
        &walk.to_rust()?,
        &trace.to_rust()?,
        &choices.to_rust()?,
    ))
}

/// Who sees an event.
#[wasm_bindgen(js_name = reportAudience, unchecked_return_type = "Audience")]
pub fn report_audience(
    event: Ts<WalkEvent>,
    #[wasm_bindgen(unchecked_param_type = "readonly ClientAlong[]")] along: JsValue,
) -> Result<JsValue, JsError> {
    let (event, along) = (
        event.to_rust()?,
        super::from_js::<Vec<ClientAlong>>(&along)?,
    );
    let WalkEvent {
        kind,
        note,
        dog_ids,
        ..
    } = event;
    to_js(&report::audience(kind, &note, &dog_ids, &along))
}

fn entries(bytes: &[u8], lengths: &[u32]) -> Vec<Entry> {
    let mut rest = bytes;
    let chunks = lengths.iter().map_while(|length| {
        let (chunk, after) = rest.split_at_checked(usize::try_from(*length).ok()?)?;
        rest = after;
        Some(walk::decode(chunk))
    });
    chunks.flatten().collect()
}
