//! Owns what a report's page says: all its words, ready to be read, in the business's units and time zone.
//! It is public: whatever is not on the page is not in here.

use serde::Serialize;

use crate::rows::report::{Report, SharedEvent, SharedLine, SharedWalk};
use crate::rows::sitter::Sitter;
use crate::values::encoded_line;
use crate::values::format::{self, Clock};
use crate::values::place::Place;
use crate::values::report_kind::ReportKind;
use crate::values::units::Units;
use crate::values::walk_event::WalkEventKind;
use crate::values::zone::TimeZone;
use crate::{Id, Instant};

/// Shorter than this is no time that a person would miss.
const MISSED_FROM_SECONDS: u32 = 60;

/// A report's page.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReportPage {
    /// Name by which clients know the business.
    pub business_name: String,
    /// True if the business has its own picture.
    pub has_logo: bool,
    /// `A walk with Rex and Pepper`.
    pub title: String,
    /// Occasion that it tells of.
    pub kind: ReportKind,
    /// `Friday, November 20`.
    pub date: String,
    /// `32 min`, pauses left out.
    pub duration: String,
    /// `9:31 AM to 10:03 AM`.
    pub times: String,
    /// `1.4 mi`; absent where no position was recorded.
    pub distance: Option<String>,
    /// `recorded`, or `at least` where a part is missing.
    pub distance_label: &'static str,
    /// About the part that is missing; absent where none is.
    pub not_recorded: Option<String>,
    /// Number of photos; each is addressed by its number from 0.
    pub n_photos: usize,
    /// Events in order of time.
    pub events: Vec<PageEvent>,
    /// Note from the sitter; may be empty.
    pub note: String,
    /// Absent where the map was left out.
    pub map: Option<PageMap>,
}

/// An event of the walk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PageEvent {
    /// Kind of the event.
    #[serde(rename = "type")]
    pub kind: WalkEventKind,
    /// `9:38 AM`.
    pub time: String,
    /// The event's note or name, in words.
    pub text: String,
    /// `Rex and Pepper`, where it is not of all of the client's dogs.
    pub dogs: Option<String>,
    /// The number of its photo.
    pub photo: Option<usize>,
    /// Absent where the map was left out, or the phone did not know.
    pub place: Option<Place>,
}

/// The map of a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PageMap {
    /// Recorded parts of the way.
    pub lines: Vec<Vec<Place>>,
    /// Straight lines between them, over parts that were not recorded.
    pub gaps: Vec<PageGap>,
    /// Units of the map's scale.
    pub units: Units,
}

/// A part of the way that was not recorded, straight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PageGap {
    /// Place at which the recording stopped.
    pub from: Place,
    /// Place at which it went on.
    pub to: Place,
}

/// The page of a report of this business.
pub fn page(report: &Report, sitter: &Sitter, zone: &TimeZone) -> ReportPage {
    let walk = &report.content.walk;
    let clock = Clock {
        zone,
        cycle: sitter.hour_cycle,
    };
    let clock = |at: Instant| clock.time(at);
    let units = sitter.units;
    let photos: Vec<_> = walk.photos().collect();
    let distance = |meters: u32| format::distance(f64::from(meters), units);
    let is_recorded = walk.distance_m > 0 || walk.bridged_m > 0;
    ReportPage {
        business_name: sitter.shown_name().to_owned(),
        has_logo: sitter.photo.is_some(),
        title: format!(
            "A {} with {}",
            report.kind.noun(),
            format::names(&report.dogs)
        ),
        kind: report.kind,
        date: format::date_heading(walk.started_at.civil(zone).0),
        duration: minutes(walk.ran_seconds),
        times: format!("{} to {}", clock(walk.started_at), clock(walk.ended_at)),
        distance: is_recorded.then(|| distance(walk.distance_m)),
        distance_label: if walk.is_at_least || walk.bridged_m > 0 || walk.gap_seconds > 0 {
            "at least"
        } else {
            "recorded"
        },
        not_recorded: (walk.gap_seconds >= MISSED_FROM_SECONDS).then(|| {
            format!(
                "{} were not recorded, about {} more.",
                minutes(walk.gap_seconds),
                distance(walk.bridged_m)
            )
        }),
        n_photos: photos.len(),
        events: events(walk, clock),
        note: report.content.note.clone(),
        map: map(walk, units),
    }
}

/// Sentence under the title of a report's link in a chat: `Friday, November 20, 32 min. By Paws & Co.`
pub fn preview_sentence(page: &ReportPage) -> String {
    let ReportPage {
        date,
        duration,
        business_name,
        ..
    } = page;
    format!("{date}, {duration}. By {business_name}.")
}

impl Report {
    /// The photo of that number on its page.
    pub fn photo(&self, number: usize) -> Option<Id> {
        self.content.walk.photos().nth(number)
    }
}

fn events(walk: &SharedWalk, clock: impl Fn(Instant) -> String) -> Vec<PageEvent> {
    let mut n_photos = 0;
    let events = walk.events.iter().map(|event| PageEvent {
        kind: event.kind,
        time: clock(event.at),
        text: text(event, &clock),
        dogs: (!event.dogs.is_empty()).then(|| format::names(&event.dogs)),
        photo: event.photo.map(|_| {
            n_photos += 1;
            n_photos - 1
        }),
        place: event.place,
    });
    events.collect()
}

/// The event in words; an emergency says when it was called off.
fn text(event: &SharedEvent, clock: impl Fn(Instant) -> String) -> String {
    let said = if event.note.is_empty() {
        event.kind.name()
    } else {
        &event.note
    };
    match event.over_at {
        Some(at) => format!("{said}, called off {}", clock(at)),
        None => said.to_owned(),
    }
}

fn map(walk: &SharedWalk, units: Units) -> Option<PageMap> {
    let lines: Vec<(bool, Vec<Place>)> = walk
        .lines
        .iter()
        .filter_map(|SharedLine { points, after_gap }| {
            Some((*after_gap, encoded_line::decode(points)?))
        })
        .filter(|(_, line)| !line.is_empty())
        .collect();
    let gaps = lines.windows(2).filter_map(|pair| match pair {
        [(_, before), (true, after)] => Some(PageGap {
            from: *before.last()?,
            to: *after.first()?,
        }),
        _ => None,
    });
    let gaps = gaps.collect();
    (!lines.is_empty()).then(|| PageMap {
        lines: lines.into_iter().map(|(_, line)| line).collect(),
        gaps,
        units,
    })
}

fn minutes(seconds: u32) -> String {
    format::duration((seconds + 30) / 60)
}
