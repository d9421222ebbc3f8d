//! Owns the reports and words about a pet over the months.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use serde::Serialize;

use crate::rows::pet::Pet;
use crate::rows::report::Report;
use crate::rows::service::{Service, ServiceStatus};
use crate::rules::report::tells_of;
use crate::values::format;
use crate::values::sort::SmallSort as _;
use crate::{Business, Date, Id, Now};

/// Reports and words about a pet, the newest first.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct PetStream {
    /// No more than were asked for.
    pub entries: Vec<StreamEntry>,
    /// Number of all of them.
    pub count: u32,
}

/// A report, or the words of a visit without one.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct StreamEntry {
    /// Id of the report or the visit.
    pub id: Id,
    /// `November 2026`.
    pub month: String,
    /// `Friday, November 20`.
    pub day: String,
    /// The report, with photos on its page.
    pub report: Option<Report>,
    /// Words of the sitter about a visit without a report; empty beside a report, whose page has them.
    pub words: String,
    /// The visit, if it is known.
    pub service_id: Option<Id>,
}

/// Returns the reports that name a pet or are of its visits, and the words about its other visits.
pub fn pet_stream(business: &Business, pet_id: Id, most: u32, now: &Now) -> PetStream {
    let Some(pet) = business.pet(pet_id) else {
        return PetStream {
            entries: Vec::new(),
            count: 0,
        };
    };
    let own = business.services.referring_to(pet.client_id);
    let own: Vec<&Service> = own.filter(|it| it.client_id == pet.client_id).collect();
    let mut reported: BTreeSet<Id> = BTreeSet::new();
    let mut entries: Vec<(Date, StreamEntry)> = Vec::new();
    let reports = business.reports.values().map(|it| &it.row);
    for report in reports.filter(|it| it.client_id == pet.client_id) {
        let day = report.started_at.civil(&now.zone).0;
        let told: Vec<&&Service> = own.iter().filter(|it| tells_of(report, it, day)).collect();
        reported.extend(told.iter().map(|it| it.id));
        if is_of(report, &told, pet) {
            let service_id = told.first().map(|it| it.id);
            entries.push((day, entry(report.id, day, Some(report), "", service_id)));
        }
    }
    for service in own {
        let has_words = service.status == ServiceStatus::Completed
            && !service.completion_notes.is_empty()
            && service.dog_ids.contains(&pet_id);
        if has_words && !reported.contains(&service.id) {
            let words = &service.completion_notes;
            let made = entry(service.id, service.date, None, words, Some(service.id));
            entries.push((service.date, made));
        }
    }
    let at = |it: &StreamEntry| it.report.as_ref().map(|it| it.started_at);
    entries.small_sort_by_key(|(day, it)| Reverse((*day, at(it), it.id)));
    PetStream {
        count: u32::try_from(entries.len()).unwrap_or(u32::MAX),
        entries: entries
            .into_iter()
            .take(most as usize)
            .map(|it| it.1)
            .collect(),
    }
}

/// Returns true if a report is about a pet: it names the pet, or is of a visit of it. A pet may have another name by now.
fn is_of(report: &Report, told: &[&&Service], pet: &Pet) -> bool {
    report.dogs.contains(&pet.name) || told.iter().any(|it| it.dog_ids.contains(&pet.id))
}

fn entry(
    id: Id,
    day: Date,
    report: Option<&Report>,
    words: &str,
    service_id: Option<Id>,
) -> StreamEntry {
    StreamEntry {
        id,
        month: format::month_heading(day),
        day: format::date_heading(day),
        report: report.cloned(),
        words: words.to_owned(),
        service_id,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::report::ReportContent;
    use crate::values::report_kind::ReportKind;
    use crate::values::zone::TimeZone;
    use crate::{Instant, Row};

    const DANA: Id = Id::of(1);
    const REX: Id = Id::of(11);
    const MISO: Id = Id::of(12);

    fn business() -> Business {
        let mut business = Business::default();
        for (id, name) in [(REX, "Rex"), (MISO, "Miso")] {
            let pet = Pet {
                name: name.to_owned(),
                ..Pet::new(id, DANA)
            };
            business.put(1, Row::Pet(pet));
        }
        business
    }

    fn visit(number: u128, date: &str, dogs: &[Id], words: &str) -> Row {
        Row::Service(Service {
            client_id: DANA,
            dog_ids: dogs.to_vec(),
            date: date.parse().unwrap(),
            status: ServiceStatus::Completed,
            completion_notes: words.to_owned(),
            ..Service::new(Id::of(number), Instant(0))
        })
    }

    fn report(number: u128, client_id: Id, at: &str, dogs: &[&str], services: &[u128]) -> Row {
        Row::Report(Report {
            id: Id::of(number),
            walk_id: Id::of(number),
            client_id,
            kind: ReportKind::Walk,
            dogs: dogs.iter().map(|it| (*it).to_owned()).collect(),
            service_ids: services.iter().map(|it| Id::of(*it)).collect(),
            started_at: at.parse().unwrap(),
            share_id: None,
            shared_at: at.parse().unwrap(),
            passed_on_at: None,
            mailed: None,
            opened_at: None,
            content: ReportContent::default(),
        })
    }

    fn now() -> Now {
        Now {
            at: "2026-11-20T15:00:00Z".parse().unwrap(),
            zone: TimeZone::UTC,
        }
    }

    #[test]
    fn the_stream_of_a_pet_has_its_reports_and_the_words_of_visits_without_one() {
        let mut business = business();
        for row in [
            visit(20, "2026-11-19", &[REX], "Rex was brave"),
            visit(21, "2026-11-18", &[REX, MISO], "Both slept"),
            visit(22, "2026-11-17", &[MISO], "Miso purred"),
            visit(23, "2026-10-02", &[REX], ""),
            report(30, DANA, "2026-11-19T09:00:00Z", &["Rex"], &[20]),
            report(31, DANA, "2026-10-05T09:00:00Z", &["Rex", "Miso"], &[]),
            // Before it was called Rex.
            report(32, DANA, "2026-10-02T09:00:00Z", &["Max"], &[23]),
            report(33, Id::of(2), "2026-11-19T10:00:00Z", &["Rex"], &[]),
        ] {
            business.put(1, row);
        }
        let stream = |pet, most| {
            let found = pet_stream(&business, pet, most, &now());
            let shown = found.entries.into_iter();
            let shown = shown.map(|it| (it.id, it.month, it.words));
            (found.count, shown.collect::<Vec<_>>())
        };
        let shown = |number: u128, month: &str, words: &str| {
            (Id::of(number), month.to_owned(), words.to_owned())
        };
        let newest = [
            shown(30, "November 2026", ""),
            shown(21, "November 2026", "Both slept"),
        ];
        assert_eq!(stream(REX, 2), (4, newest.to_vec()));
        let all: Vec<Id> = stream(REX, 10).1.into_iter().map(|it| it.0).collect();
        assert_eq!(all, [30, 21, 31, 32].map(Id::of));
        let of_miso: Vec<Id> = stream(MISO, 10).1.into_iter().map(|it| it.0).collect();
        assert_eq!(of_miso, [21, 22, 31].map(Id::of));
        assert_eq!(stream(Id::of(99), 10).0, 0);
    }
}
