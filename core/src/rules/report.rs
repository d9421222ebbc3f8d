//! Owns who may see what of a shared walk, what makes one valid, and of which services it tells.

use serde::{Deserialize, Serialize};

use crate::rows::report::{Report, SharedWalk};
use crate::rows::service::{Service, ServiceStatus};
use crate::values::bounds::{REPORT_EVENT_CHARS, REPORT_PHOTOS, REPORT_POINTS};
use crate::values::form_errors::FieldErrors;
use crate::values::report_kind::ReportKind;
use crate::values::walk_event::{EMERGENCY_EVENT, WalkEventKind};
use crate::{Date, Id};

/// How far around a home a report shows nothing of the walk, as long as the sitter does not choose otherwise.
pub const REPORT_HOME_M: f64 = 150.0;

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

/// Returns true if the map is shared where nobody says otherwise: with several clients it would tell each of them where
/// the others live, and a visit takes place at a home.
pub fn shows_map(kind: ReportKind, n_clients: usize) -> bool {
    kind.is_walk() && n_clients < 2
}

/// Returns true if a report of a walk that began on `day` is about a service. A report that names no service is taken
/// for one of all that was done that day: visits that are completed, and stays that were not cancelled.
pub fn tells_of(report: &Report, service: &Service, day: Date) -> bool {
    if !report.service_ids.is_empty() {
        return report.service_ids.contains(&service.id);
    }
    let took_place = match service.end_date {
        Some(_) => service.status != ServiceStatus::Cancelled,
        None => service.status == ServiceStatus::Completed,
    };
    took_place && service.date <= day && day <= service.end_date.unwrap_or(service.date)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_is_shared_with_one_client_and_not_with_several() {
        let shown = |kind| [0, 1, 2, 3].map(|n| shows_map(kind, n));
        assert_eq!(shown(ReportKind::Walk), [true, true, false, false]);
        assert_eq!(shown(ReportKind::Visit), [false; 4]);
        assert_eq!(shown(ReportKind::Day), [false; 4]);
    }
}
