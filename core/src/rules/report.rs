//! Owns who may see what of a shared walk, what makes one valid, and of which services it tells.

use serde::{Deserialize, Serialize};

use crate::rows::client::Client;
use crate::rows::report::{Report, SharedWalk};
use crate::rows::service::{Service, ServiceStatus};
use crate::rules::mail::name_in_mail;
use crate::values::bounds::{REPORT_EVENT_CHARS, REPORT_PHOTOS, REPORT_POINTS};
use crate::values::form_errors::FieldErrors;
use crate::values::format;
use crate::values::report_kind::ReportKind;
use crate::values::sort::SmallSort as _;
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

/// Choices at the end of an earlier walk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct EarlierReport {
    /// The clients whose dogs were along.
    pub client_ids: Vec<Id>,
    /// True if its report was shared, and not taken back.
    pub is_shared: bool,
    /// True if the map was in the report; `None` where that is not known.
    #[serde(default)]
    pub show_map: Option<bool>,
}

/// Choices that are proposed at the end of a walk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ProposedReport {
    /// True if the report is to be shared.
    pub is_shared: bool,
    /// True if the map is to be in it; `None` where nothing was chosen before.
    pub show_map: Option<bool>,
}

/// Proposes the choices of the last walk with the same clients; `earlier` has the newest walk first. A map that one client
/// was shown is proposed for nobody else.
pub fn proposed(client_ids: &[Id], earlier: &[EarlierReport]) -> ProposedReport {
    let sorted = |ids: &[Id]| {
        let mut ids = ids.to_vec();
        ids.small_sort_by_key(|it| *it);
        ids.dedup();
        ids
    };
    let clients = sorted(client_ids);
    if clients.is_empty() {
        return ProposedReport::default();
    }
    let of_them: Vec<&EarlierReport> = earlier
        .iter()
        .filter(|it| sorted(&it.client_ids) == clients)
        .collect();
    let shared = of_them.iter().find(|it| it.is_shared);
    ProposedReport {
        is_shared: of_them.first().is_some_and(|it| it.is_shared),
        show_map: shared.and_then(|it| it.show_map),
    }
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

/// Returns the path of a report's page; empty while it waits to be sent.
pub fn path(report: &Report) -> String {
    let share_id = report.share_id.as_deref();
    share_id.map_or_else(String::new, |it| ["/report/", it].concat())
}

/// Returns the subject of the mail that brings a report; `business` is named as a mail may name it.
pub fn mail_subject(report: &Report, business: &str) -> String {
    format!("Report of {} from {business}", occasion_in_mail(report))
}

/// Returns the text of the mail that brings a report. It has the address of its page, and nothing of the content: that may
/// be taken back. `origin` is the server's address, without a slash at its end.
pub fn mail_text(report: &Report, client: &Client, business: &str, origin: &str) -> String {
    let name = name_in_mail(&client.name);
    let hello = match name.split_whitespace().next() {
        Some(first) => format!("Hello {first}!"),
        None => "Hello!".to_owned(),
    };
    let (occasion, path) = (occasion_in_mail(report), path(report));
    format!(
        "{hello} Here is the report of {occasion} from {business}.\n\nView the report: {origin}{path}"
    )
}

/// `the walk with Rex and Miso`, `the visit`; nothing of a name that a mail program shows as a link.
fn occasion_in_mail(report: &Report) -> String {
    let noun = report.kind.noun();
    let dogs = report.dogs.iter().map(|it| name_in_mail(it));
    let dogs: Vec<String> = dogs.filter(|it| !it.is_empty()).collect();
    match dogs.as_slice() {
        [] => ["the ", noun].concat(),
        dogs => ["the ", noun, " with ", &format::names(dogs)].concat(),
    }
}

/// Notes what is wrong with a walk that is to be shared.
pub(crate) fn check_walk(walk: &SharedWalk, errors: &mut FieldErrors) {
    errors.check(
        walk.ended_at < walk.started_at,
        "ended_at",
        "A walk must end after it begins",
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
    use crate::Instant;
    use crate::rows::report::ReportContent;

    #[test]
    fn the_last_choice_for_the_same_clients_is_proposed_and_a_map_to_nobody_else() {
        let earlier = |ids: &[u128], is_shared, show_map| EarlierReport {
            client_ids: ids.iter().map(|it| Id::of(*it)).collect(),
            is_shared,
            show_map,
        };
        let walks = [
            earlier(&[1], false, None),
            earlier(&[2, 1], true, Some(false)),
            earlier(&[3], true, Some(true)),
            earlier(&[1], true, Some(true)),
        ];
        let check = |ids: &[u128], is_shared, show_map| {
            let ids: Vec<Id> = ids.iter().map(|it| Id::of(*it)).collect();
            let expected = ProposedReport {
                is_shared,
                show_map,
            };
            assert_eq!(proposed(&ids, &walks), expected, "{ids:?}");
        };
        check(&[1], false, Some(true));
        check(&[1, 2], true, Some(false));
        check(&[3], true, Some(true));
        check(&[2], false, None);
        check(&[1, 3], false, None);
        check(&[], false, None);
    }

    #[test]
    fn a_mail_with_a_report_has_its_address_and_nothing_that_becomes_another_link() {
        let report = Report {
            id: Id::of(1),
            walk_id: Id::of(2),
            client_id: Id::of(3),
            kind: ReportKind::Walk,
            dogs: vec![
                "Rex".to_owned(),
                "www.evil.example".to_owned(),
                "Miso".to_owned(),
            ],
            service_ids: Vec::new(),
            started_at: Instant(0),
            share_id: Some("secret".to_owned()),
            shared_at: Instant(0),
            passed_on_at: None,
            mailed: None,
            opened_at: None,
            content: ReportContent {
                note: "Alarm 4711".to_owned(),
                ..ReportContent::default()
            },
        };
        let client = Client {
            name: "Kim Berg".to_owned(),
            ..Client::new(report.client_id, Instant(0))
        };
        assert_eq!(
            mail_subject(&report, "Mara"),
            "Report of the walk with Rex and Miso from Mara"
        );
        assert_eq!(
            mail_text(&report, &client, "Mara", "https://example.com"),
            "Hello Kim! Here is the report of the walk with Rex and Miso from Mara.\n\n\
             View the report: https://example.com/report/secret"
        );
        for (kind, subject) in [
            (
                ReportKind::Visit,
                "Report of the visit with Rex and Miso from Mara",
            ),
            (
                ReportKind::Day,
                "Report of the day with Rex and Miso from Mara",
            ),
        ] {
            let other = Report {
                kind,
                ..report.clone()
            };
            assert_eq!(mail_subject(&other, "Mara"), subject);
        }
    }

    #[test]
    fn the_map_is_shared_with_one_client_and_not_with_several() {
        let shown = |kind| [0, 1, 2, 3].map(|n| shows_map(kind, n));
        assert_eq!(shown(ReportKind::Walk), [true, true, false, false]);
        assert_eq!(shown(ReportKind::Visit), [false; 4]);
        assert_eq!(shown(ReportKind::Day), [false; 4]);
    }
}
