//! Owns the row of a report, and what a shared walk consists of: on the wire, in the outbox and in the database.

use serde::{Deserialize, Deserializer, Serialize};

use crate::rows::shared_mail::SharedMail;
use crate::values::encoded_line::count_points;
use crate::values::json::{Fields, read_by_field};
use crate::values::place::Place;
use crate::values::report_kind::ReportKind;
use crate::values::walk_event::WalkEventKind;
use crate::{Id, Instant};

/// An unbroken line of a shared walk.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SharedLine {
    /// Its points as an encoded polyline with six decimals.
    pub points: String,
    /// True if the way between the previous line and this one was walked but not recorded.
    #[serde(default)]
    pub after_gap: bool,
}

read_by_field!(SharedLine { points } or default { after_gap });

/// Something that happened on a shared walk.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SharedEvent {
    /// The kind of event.
    #[serde(rename = "type")]
    pub kind: WalkEventKind,
    /// When it happened, by the phone's clock.
    pub at: Instant,
    /// Note in words; may be empty.
    #[serde(default)]
    pub note: String,
    /// Place in ten-millionths of a degree, if the map is shared.
    #[serde(default)]
    pub place: Option<Place>,
    /// The uploaded photo.
    #[serde(default)]
    pub photo: Option<Id>,
    /// Clients in whose reports it is; without a list, `audience` decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_ids: Option<Vec<Id>>,
    /// Dogs that the event is about; if none is named, all dogs on the walk.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dog_ids: Vec<Id>,
    /// In a client's report, the names of their dogs that it is about, if it is not about all of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dogs: Vec<String>,
    /// When an emergency was called off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over_at: Option<Instant>,
}

/// A walk as it is shared.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SharedWalk {
    /// When it began.
    pub started_at: Instant,
    /// When it ended.
    pub ended_at: Instant,
    /// Pauses left out.
    pub ran_seconds: u32,
    /// Recorded, in meters.
    #[serde(default)]
    pub distance_m: u32,
    /// Straight across what was not recorded, in meters; not in `distance_m`.
    #[serde(default)]
    pub bridged_m: u32,
    /// How long was not recorded.
    #[serde(default)]
    pub gap_seconds: u32,
    /// More was walked than `distance_m` tells, in gaps or where positions were too rare or too vague to measure it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_at_least: bool,
    /// The map's lines in order of time; none where the map is left out.
    #[serde(default)]
    pub lines: Vec<SharedLine>,
    /// Events in order of time.
    #[serde(default)]
    pub events: Vec<SharedEvent>,
}

read_by_field!(SharedWalk { started_at, ended_at, ran_seconds }
    or default { distance_m, bridged_m, gap_seconds, is_at_least, lines, events });

/// A client for whom a walk is shared, with the client's dogs on it.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ClientReport {
    /// The report's id; that of an earlier report of the same walk for the same client stays.
    pub id: Id,
    /// Id of the client for whom the walk is shared.
    pub client_id: Id,
    /// The client's dogs that were along.
    pub dog_ids: Vec<Id>,
    /// Note to this client; may be empty.
    #[serde(default)]
    pub note: String,
    /// The client's services that the walk belongs to; empty if it belongs to none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub service_ids: Vec<Id>,
}

read_by_field!(ClientReport { id, client_id, dog_ids } or default { note, service_ids });

/// The content of one client's report. Stored in databases. Only add optional fields; never rename.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportContent {
    /// Note from the sitter to the client; may be empty.
    pub note: String,
    /// The walk with the client's own events alone.
    pub walk: SharedWalk,
}

/// A walk's report that was shared with a client. Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Report {
    /// Made by whoever shares.
    pub id: Id,
    /// Id of the walk; a walk with dogs of several clients has several reports.
    pub walk_id: Id,
    /// Id of the client for whom the report is.
    pub client_id: Id,
    /// Occasion that it tells of; with another one than a walk, `walk_id` is the id of that log.
    #[serde(default, skip_serializing_if = "ReportKind::is_walk")]
    pub kind: ReportKind,
    /// Names of the client's dogs that were along.
    pub dogs: Vec<String>,
    /// The client's services that the walk belongs to; empty if it belongs to none, or nobody has said so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub service_ids: Vec<Id>,
    /// When the walk began.
    pub started_at: Instant,
    /// The secret of its address, made by the server: 128 random bits as base64url. None while it waits to be sent.
    #[serde(default)]
    pub share_id: Option<String>,
    /// When it was shared first.
    pub shared_at: Instant,
    /// When the sitter passed its link on, to a client who is not in the portal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passed_on_at: Option<Instant>,
    /// Mail by which the server sends it; `None` where the server sends none. For the sitter alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mailed: Option<SharedMail>,
    /// When its page was first opened by somebody else than the sitter. For the sitter alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opened_at: Option<Instant>,
    /// Content of its page. It stays with the server: a phone has its own walks, and needs to know no more than that
    /// they are shared.
    #[serde(skip)]
    #[cfg_attr(feature = "openapi", schema(ignore))]
    pub content: ReportContent,
}

impl<'de> Deserialize<'de> for SharedEvent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Fields::deserialize(deserializer)?.read(|fields| {
            Ok(Self {
                kind: fields.take("type")?,
                at: fields.take("at")?,
                note: fields.take_or_default("note")?,
                place: fields.take_or_default("place")?,
                photo: fields.take_or_default("photo")?,
                client_ids: fields.take_or_default("client_ids")?,
                dog_ids: fields.take_or_default("dog_ids")?,
                dogs: fields.take_or_default("dogs")?,
                over_at: fields.take_or_default("over_at")?,
            })
        })
    }
}

impl<'de> Deserialize<'de> for Report {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Fields::deserialize(deserializer)?.read(|fields| {
            Ok(Self {
                id: fields.take("id")?,
                walk_id: fields.take("walk_id")?,
                client_id: fields.take("client_id")?,
                kind: fields.take_or_default("kind")?,
                dogs: fields.take("dogs")?,
                service_ids: fields.take_or_default("service_ids")?,
                started_at: fields.take("started_at")?,
                share_id: fields.take_or_default("share_id")?,
                shared_at: fields.take("shared_at")?,
                passed_on_at: fields.take_or_default("passed_on_at")?,
                mailed: fields.take_or_default("mailed")?,
                opened_at: fields.take_or_default("opened_at")?,
                content: ReportContent::default(),
            })
        })
    }
}

impl SharedWalk {
    /// The photos that its events name.
    pub fn photos(&self) -> impl Iterator<Item = Id> + '_ {
        self.events.iter().filter_map(|it| it.photo)
    }

    /// How many points its lines have; `None` where one of them is no line.
    pub(crate) fn lines_points(&self) -> Option<usize> {
        self.lines.iter().map(|it| count_points(&it.points)).sum()
    }
}
