//! Binds walks for the phone: a recording that lives here, routes and the guide along them, GPX and reports.

use js_sys::Int32Array;
use serde::Serialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

use super::convert::{fresh_id, list_of, moment};
use super::json::{Answer, Json, answer, list_to_js, to_js};
use crate::report::{self, ReportChoices};
use crate::route::{
    self, Cue, DogSize, GeneratedRoute, Guidance, Guide, Provided, RouteNumbers, RouteRequest,
    RouteTexts,
};
use crate::rows::report::SharedWalk;
use crate::rules::live_map::LiveMapUpdate;
use crate::rules::report::{
    Audience, ClientAlong, EarlierReport, ProposedReport, audience, proposed, shows_map,
};
use crate::sync::wire::{Zone, zone_of};
use crate::values::encoded_line;
use crate::values::format::Clock;
use crate::values::place::Place;
use crate::values::report_kind::ReportKind;
use crate::values::units::{HourCycle, Units};
use crate::walk::{
    self, DogAlong, DoorHome, EmergencyPlace, Entry, Recording, WalkChange, WalkEvent, WalkFigures,
    WalkHere, WalkInput, WalkSegment, WalkState, WalkSummary, WalkTexts,
};
use crate::{Id, gpx};

/// A walk from a GPX file.
#[derive(Serialize, Tsify)]
pub struct GpxWalk {
    /// The track's name; empty where it has none.
    pub name: String,
    /// The log, as one chunk.
    pub log: Vec<u8>,
    /// For the person, where points were left out or timed between others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notice: Option<String>,
}

/// Why a GPX file is no walk.
#[derive(Serialize, Tsify)]
pub struct GpxRefusal {
    /// For the person.
    pub text: String,
}

/// Why a directions service's answer is no route.
#[derive(Serialize, Tsify)]
pub struct DirectionsRefusal {
    /// For the person.
    pub text: String,
}

/// A walk that is tracked, or that its log tells.
#[wasm_bindgen]
#[derive(Default)]
pub struct WalkRecording(Recording);

/// Positions and taps go in, what is to be stored and then shown comes out.
#[wasm_bindgen]
impl WalkRecording {
    /// Before the start.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self(Recording::replay(&[]))
    }

    /// The walk that a stored log tells; `lengths` are those of the chunks that `bytes` joins.
    pub fn of(bytes: &[u8], lengths: &[u32]) -> Self {
        Self(Recording::replay(&entries(bytes, lengths)))
    }

    /// Takes inputs; gives what to append to the log, empty when nothing was taken.
    pub fn take(&mut self, inputs: Vec<Ts<WalkInput>>, now_ms: f64) -> Result<Vec<u8>, JsError> {
        Ok(self.0.take(list_of(&inputs)?, moment(now_ms).0))
    }

    /// Returns the state of the walk, for its screens.
    pub fn state(&self) -> Result<Json<WalkState>, JsError> {
        to_js(&self.0.state())
    }

    /// Returns the lines of the walk, unless they have not changed since the last call: latitudes and longitudes in
    /// ten-millionths of a degree, one after another.
    #[wasm_bindgen(js_name = changedLines)]
    pub fn changed_lines(&mut self) -> Option<Vec<Int32Array>> {
        let line = |segment: &WalkSegment| {
            let points = segment.points.iter();
            let numbers: Vec<i32> = points
                .flat_map(|it| [it.place.lat_e7, it.place.lon_e7])
                .collect();
            Int32Array::from(numbers.as_slice())
        };
        let segments = self.0.changed_segments()?;
        Some(segments.iter().map(line).collect())
    }

    /// Returns the events and doors of the walk that have changed since the last call.
    pub fn changes(&mut self) -> Result<Json<WalkChange>, JsError> {
        to_js(&self.0.changes())
    }

    /// Says where those live whose dogs are along.
    #[wasm_bindgen(js_name = setHomes)]
    pub fn set_homes(&mut self, homes: Vec<Ts<DoorHome>>) -> Result<(), JsError> {
        self.0.set_homes(list_of(&homes)?);
        Ok(())
    }

    /// Hides a client's door until the walker comes to it again.
    #[wasm_bindgen(js_name = leaveDoor)]
    pub fn leave_door(&mut self, client_id: Ts<Id>) -> Result<(), JsError> {
        self.0.leave_door(client_id.to_rust()?);
        Ok(())
    }

    /// Figures that the Active Walk screen shows in large.
    pub fn figures(&self, now_ms: f64, units: Ts<Units>) -> Result<Json<WalkFigures>, JsError> {
        let now = moment(now_ms).0;
        to_js(&walk::figures(self.0.walk(), now, units.to_rust()?))
    }

    /// Builds the record of the walk for when it is over; times of day are the business's.
    pub fn summary(
        &self,
        now_ms: f64,
        units: Ts<Units>,
        zone: Option<Ts<Zone>>,
        cycle: Ts<HourCycle>,
        dogs: Vec<Ts<DogAlong>>,
    ) -> Result<Json<WalkSummary>, JsError> {
        let zone = zone.map(|it| it.to_rust()).transpose()?;
        let zone = zone_of(zone.as_ref());
        let clock = Clock {
            zone: &zone,
            cycle: cycle.to_rust()?,
        };
        let (walk, trace) = (self.0.walk(), self.0.trace());
        let dogs = list_of(&dogs)?;
        let now = moment(now_ms).0;
        let units = units.to_rust()?;
        to_js(&walk::summarize(walk, trace, now, units, clock, &dogs))
    }

    /// Builds the text for a service's notes with these events and no others, as in its summary.
    pub fn notes(
        &self,
        now_ms: f64,
        units: Ts<Units>,
        zone: Option<Ts<Zone>>,
        cycle: Ts<HourCycle>,
        dogs: Vec<Ts<DogAlong>>,
        events: Vec<String>,
    ) -> Result<String, JsError> {
        let zone = zone.map(|it| it.to_rust()).transpose()?;
        let zone = zone_of(zone.as_ref());
        let clock = Clock {
            zone: &zone,
            cycle: cycle.to_rust()?,
        };
        let dogs = list_of(&dogs)?;
        let ids = events.iter().map(|it| it.parse());
        let ids = ids.collect::<Result<Vec<Id>, _>>()?;
        let events = self
            .0
            .trace()
            .events
            .iter()
            .filter(|it| ids.contains(&it.id));
        let now = moment(now_ms).0;
        Ok(walk::notes(
            self.0.walk(),
            events,
            now,
            units.to_rust()?,
            clock,
            &dogs,
        ))
    }

    /// Builds the walk as it is shared when it is over, with what the sitter chose and nothing more.
    pub fn shared(&self, choices: Ts<ReportChoices>) -> Result<Json<SharedWalk>, JsError> {
        let choices = choices.to_rust()?;
        to_js(&report::of_walk(self.0.walk(), self.0.trace(), &choices))
    }

    /// Builds what a client is to see on the live map now, which was switched on at `since_ms`; nothing while no position
    /// may be sent.
    #[wasm_bindgen(js_name = liveMapUpdate)]
    pub fn live_map_update(
        &self,
        client_id: &str,
        hidden: Vec<Ts<Place>>,
        map_id: &str,
        since_ms: f64,
        now_ms: f64,
    ) -> Result<Option<Json<LiveMapUpdate>>, JsError> {
        let hidden = list_of(&hidden)?;
        let client = (client_id.parse()?, hidden.as_slice());
        let map = (map_id.parse()?, moment(since_ms).0);
        let (walk, trace) = (self.0.walk(), self.0.trace());
        report::live_map_update(walk, trace, client, map, moment(now_ms))
            .map(|it| to_js(&it))
            .transpose()
    }
}

/// Returns the bytes that every new chunk of a log begins with.
#[wasm_bindgen(js_name = walkLogHeader)]
pub fn walk_log_header() -> Vec<u8> {
    walk::log_header()
}

/// Returns the texts of a walk.
#[wasm_bindgen(js_name = walkTexts)]
pub fn walk_texts() -> Result<Json<WalkTexts>, JsError> {
    to_js(&walk::texts())
}

/// Returns the place to which help has to come, in words with the business's times of day and units; nothing without a
/// position.
#[wasm_bindgen(js_name = emergencyPlace)]
pub fn emergency_place(
    known: Vec<Ts<WalkHere>>,
    now_ms: f64,
    zone: Option<Ts<Zone>>,
    cycle: Ts<HourCycle>,
    units: Ts<Units>,
) -> Result<Option<Json<EmergencyPlace>>, JsError> {
    let zone = zone.map(|it| it.to_rust()).transpose()?;
    let zone = zone_of(zone.as_ref());
    let clock = Clock {
        zone: &zone,
        cycle: cycle.to_rust()?,
    };
    walk::emergency_place(&list_of(&known)?, moment(now_ms).0, clock, units.to_rust()?)
        .map(|it| to_js(&it))
        .transpose()
}

/// Reads a GPX file.
#[wasm_bindgen(js_name = gpxImport)]
pub fn gpx_import(text: &str) -> Result<Json<Answer<GpxWalk, GpxRefusal>>, JsError> {
    let walk = gpx::import(text, fresh_id).map(|imported| {
        let notice = imported.notice();
        let mut log = walk::log_header();
        imported
            .entries
            .iter()
            .for_each(|it| walk::encode(it, &mut log));
        GpxWalk {
            name: imported.name,
            log,
            notice,
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

/// The points of an encoded line; empty for what is none.
#[wasm_bindgen(js_name = lineOf)]
pub fn line_of(geometry: &str) -> Result<Json<[Place]>, JsError> {
    list_to_js(&encoded_line::decode(geometry).unwrap_or_default())
}

/// A line as text; `line` is as `WalkRecording.changedLines` gives it.
#[wasm_bindgen(js_name = encodedLine)]
pub fn encoded_line_of(line: &[i32]) -> String {
    let (points, _) = line.as_chunks();
    let places = points
        .iter()
        .map(|&[lat_e7, lon_e7]| Place { lat_e7, lon_e7 });
    encoded_line::encode(places)
}

/// Returns the choices and limits of the route form.
#[wasm_bindgen(js_name = routeNumbers)]
pub fn route_numbers() -> Result<Json<RouteNumbers>, JsError> {
    to_js(&route::numbers())
}

/// Returns the texts of a route.
#[wasm_bindgen(js_name = routeTexts)]
pub fn route_texts() -> Result<Json<RouteTexts>, JsError> {
    to_js(&route::texts())
}

/// Whole minutes of what was typed.
#[wasm_bindgen(js_name = routeMinutes)]
pub fn route_minutes(typed: Option<f64>) -> u32 {
    route::minutes(typed)
}

/// The places that a directions service is asked to connect.
#[wasm_bindgen(js_name = directionsPlaces)]
pub fn directions_places(request: Ts<RouteRequest>, option: u32) -> Result<String, JsError> {
    Ok(route::places(&request.to_rust()?, option))
}

/// The route of a directions service's answer.
#[wasm_bindgen(js_name = directionsRoute)]
pub fn directions_route(
    text: &str,
    request: Ts<RouteRequest>,
) -> Result<Json<Answer<Provided, DirectionsRefusal>>, JsError> {
    answer(
        route::route(text, &request.to_rust()?).map_err(|it| DirectionsRefusal {
            text: it.to_string(),
        }),
    )
}

/// How large a dog of so many pounds is.
#[wasm_bindgen(js_name = dogSize)]
pub fn dog_size(pounds: f64) -> Result<Json<DogSize>, JsError> {
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
    pub fn new(route: Ts<GeneratedRoute>) -> Result<Self, JsError> {
        let guide =
            Guide::of(&route.to_rust()?).ok_or_else(|| JsError::new("a route without a line"))?;
        Ok(Self(guide))
    }

    /// Goes along what was walked since, in milliseconds since 1970.
    pub fn replay(&mut self, recording: &WalkRecording, since_ms: f64) {
        let since = moment(since_ms).0;
        let segments = recording.0.trace().segments.iter();
        let points = segments.flat_map(|it| &it.points);
        self.0.replay(points.filter(|it| it.at >= since));
    }

    /// Takes a filtered position; what to say, in order.
    pub fn take(&mut self, here: Ts<WalkHere>) -> Result<Json<[Cue]>, JsError> {
        let here = here.to_rust()?;
        let notice = self.0.take(here.place, here.accuracy_m, here.at);
        let due = self.0.due();
        list_to_js(&notice.into_iter().chain(due).collect::<Vec<_>>())
    }

    /// Returns the guidance to show for the last position.
    pub fn guidance(&self, units: Ts<Units>) -> Result<Json<Guidance>, JsError> {
        to_js(&self.0.guidance(units.to_rust()?))
    }
}

/// Returns true if the map of such an occasion is shared with so many clients by default.
#[wasm_bindgen(js_name = reportShowsMap)]
pub fn report_shows_map(kind: Ts<ReportKind>, n_clients: usize) -> Result<bool, JsError> {
    Ok(shows_map(kind.to_rust()?, n_clients))
}

/// Proposes the choices of the last walk with the same clients; `earlier` has the newest walk first.
#[wasm_bindgen(js_name = proposedReport)]
pub fn proposed_report(
    client_ids: Vec<String>,
    earlier: Vec<Ts<EarlierReport>>,
) -> Result<Json<ProposedReport>, JsError> {
    let ids = client_ids.iter().map(|it| it.parse::<Id>());
    let ids: Vec<Id> = ids.collect::<Result<_, _>>()?;
    to_js(&proposed(&ids, &list_of(&earlier)?))
}

/// Returns the audience of an event.
#[wasm_bindgen(js_name = reportAudience)]
pub fn report_audience(
    event: Ts<WalkEvent>,
    along: Vec<Ts<ClientAlong>>,
) -> Result<Json<Audience>, JsError> {
    let (event, along) = (event.to_rust()?, list_of(&along)?);
    let WalkEvent {
        kind,
        note,
        dog_ids,
        ..
    } = event;
    to_js(&audience(kind, &note, &dog_ids, &along))
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
