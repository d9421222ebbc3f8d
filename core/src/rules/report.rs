//! Owns who may see what of a shared walk, and what makes one valid.

use serde::{Deserialize, Serialize};

use crate::Id;
use crate::rows::report::SharedWalk;
use crate::values::bounds::{REPORT_EVENT_CHARS, REPORT_PHOTOS, REPORT_POINTS};
use crate::values::form_errors::FieldErrors;
use crate::values::walk_event::{EMERGENCY_EVENT, WalkEventKind};

/// A client of a walk, with those of their dogs that are along.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ClientAlong {
    /// The client's id.
    pub client_id: Id,
    /// Their dogs that are along.
    pub dog_ids: Vec<Id>,
}

/// Who sees an event.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Audience {
    /// Those who may: nobody sees what is of others' dogs alone.
    pub may: Vec<Id>,
    /// Those of them in whose reports it is as long as nobody says otherwise.
    pub shown: Vec<Id>,
}

/// Who sees an event of these dogs, or of all where none is named. What nobody's words or pictures are in is for all whose
/// dogs it is of; a photo, or words, may be about one client's dog, and an emergency is the sitter's to tell.
pub fn audience(
    kind: WalkEventKind,
    note: &str,
    dog_ids: &[Id],
    along: &[ClientAlong],
) -> Audience {
    let is_theirs = |it: &&ClientAlong| {
        dog_ids.is_empty() || it.dog_ids.iter().any(|dog| dog_ids.contains(dog))
    };
    let may: Vec<Id> = along
        .iter()
        .filter(is_theirs)
        .map(|it| it.client_id)
        .collect();
    let is_emergency = note == EMERGENCY_EVENT;
    let is_personal =
        matches!(kind, WalkEventKind::Photo | WalkEventKind::Note) || !note.trim().is_empty();
    let shown = if is_emergency || (is_personal && may.len() > 1) {
        Vec::new()
    } else {
        may.clone()
    };
    Audience { may, shown }
}

/// Notes what is wrong with a walk that is to be shared.
pub(crate) fn check_walk(walk: &SharedWalk, errors: &mut FieldErrors) {
    errors.check(
        walk.ended_at < walk.started_at,
        "ended_at",
        "A walk ends after it began",
    );
    errors.check(
        walk.lines_points().is_none_or(|it| it > REPORT_POINTS),
        "lines",
        "The line of this walk cannot be read",
    );
    let event_chars: usize = walk.events.iter().map(|it| it.note.chars().count()).sum();
    errors.check(
        event_chars > REPORT_EVENT_CHARS,
        "events",
        "This is too much for one report; leave some events out",
    );
    errors.check(
        walk.photos().count() > REPORT_PHOTOS,
        "events",
        format!("A report has at most {REPORT_PHOTOS} photos"),
    );
}
