//! Owns the visits of a pet parent's first screen: the day first, then what comes and what was.

use std::cmp::Reverse;

use serde::Serialize;

use crate::rows::report::Report;
use crate::rows::service::{Service, ServiceStatus};
use crate::rules::live_map::may_be_on_live_map;
use crate::rules::progress::is_going_on;
use crate::rules::report::tells_of;
use crate::screens::calendar::ServiceView;
use crate::screens::directory::is_to_come;
use crate::values::instant::{MS_PER_DAY, MS_PER_HOUR};
use crate::values::sort::SmallSort as _;
use crate::{Business, Id, Now};

/// A client's visits by what the client wants to know first.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ParentHome {
    /// Visits of today that are not done, cancelled ones among them; without any the next visit. The earliest first.
    pub next: Vec<ServiceView>,
    /// Visits that should be over and may be on the live map, the newest first; they are among those of the past, too.
    pub late: Vec<ServiceView>,
    /// Visits that were completed in the last 24 hours, the newest first.
    pub ended: Vec<ServiceView>,
    /// Later visits, cancelled ones among them, the earliest first.
    pub upcoming: Vec<ServiceView>,
    /// Everything else, the newest first, no more than were asked for.
    pub past: Vec<ServiceView>,
    /// Number of all visits of `past`, those beyond its limit among them.
    pub past_count: u32,
    /// Reports of the last week that are of no visit, the newest first.
    pub reports: Vec<Report>,
}

/// Time for which a completed visit has just ended.
const ENDED_MS: i64 = 24 * MS_PER_HOUR;

/// Time for which a report that is of no visit is news.
const REPORT_NEWS_MS: i64 = 7 * MS_PER_DAY;

/// The visits of a client: what is on, what comes, what has just ended, and the `most` newest of what was.
pub fn parent_home(business: &Business, id: Id, most: u32, now: &Now) -> ParentHome {
    let own = business.services.referring_to(id);
    let own = own.filter(|it| it.client_id == id);
    let (mut ahead, mut over): (Vec<_>, Vec<_>) = own.partition(|it| is_ahead(it, now));
    ahead.small_sort_by_key(|it| (it.date, it.start_time, it.id));
    over.small_sort_by_key(|it| Reverse((it.date, it.start_time, it.id)));
    let today = ahead.iter().filter(|it| it.date <= now.today()).count();
    let later = ahead.split_off(today.max(1).min(ahead.len()));
    let (ended, past): (Vec<_>, Vec<_>) = over.into_iter().partition(|it| has_just_ended(it, now));
    let late = past.iter().filter(|it| may_be_on_live_map(it, now));
    let view = |it: &Service| ServiceView::at(it, business.hour_cycle(), Some(now));
    ParentHome {
        next: ahead.into_iter().map(view).collect(),
        late: late.map(|it| view(it)).collect(),
        ended: ended.into_iter().map(view).collect(),
        upcoming: later.into_iter().map(view).collect(),
        past_count: u32::try_from(past.len()).unwrap_or(u32::MAX),
        past: past.into_iter().take(most as usize).map(view).collect(),
        reports: reports_of_no_visit(business, id, now),
    }
}

/// The reports that no visit of the client leads to.
fn reports_of_no_visit(business: &Business, id: Id, now: &Now) -> Vec<Report> {
    let is_of_none = |report: &Report| {
        let day = report.started_at.civil(&now.zone).0;
        let named = report.service_ids.iter();
        let named = named.filter_map(|it| business.service(*it));
        let of_day = business.services_within(day, day);
        let mut own = named.chain(of_day).filter(|it| it.client_id == id);
        !own.any(|it| tells_of(report, it, day))
    };
    let reports = business.reports.values().map(|it| &it.row);
    let mut found: Vec<Report> = reports
        .filter(|it| it.client_id == id && now.at.0 - it.shared_at.0 < REPORT_NEWS_MS)
        .filter(|it| is_of_none(it))
        .cloned()
        .collect();
    found.small_sort_by_key(|it| Reverse((it.started_at, it.id)));
    found
}

/// Returns true for a visit that is to come or takes longer than planned, and for a cancelled one until its day is over:
/// whoever counts on it looks for it there.
fn is_ahead(service: &Service, now: &Now) -> bool {
    let last = service.end_date.unwrap_or(service.date);
    let is_cancelled_ahead = service.status == ServiceStatus::Cancelled && now.today() <= last;
    is_to_come(service, now) || is_going_on(service, now) || is_cancelled_ahead
}

fn has_just_ended(service: &Service, now: &Now) -> bool {
    let is_new = |at: crate::Instant| now.at.0 - at.0 < ENDED_MS;
    service.status == ServiceStatus::Completed
        // Of one of before that moment was kept the day is known.
        && service.completed_at.map_or(service.date == now.today(), is_new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::report::ReportContent;
    use crate::rows::service::{Progress, ProgressStep};
    use crate::values::report_kind::ReportKind;
    use crate::values::zone::TimeZone;
    use crate::{Date, Instant, Row, Time};

    const DANA: Id = Id::of(1);

    fn now() -> Now {
        Now {
            at: "2026-11-20T15:00:00Z".parse().unwrap(),
            zone: TimeZone::UTC,
        }
    }

    /// A visit so many days from now, at this hour.
    fn visit(number: u128, days: i64, hour: u16, status: ServiceStatus) -> Service {
        let today: Date = now().today();
        Service {
            client_id: DANA,
            date: today.plus_days(days),
            start_time: Time::hour(hour),
            status,
            ..Service::new(Id::of(number), Instant(0))
        }
    }

    /// The numbers of the visits in each part, and how many are past.
    fn parts(visits: &[Service]) -> [Vec<u128>; 4] {
        let mut business = Business::default();
        for it in visits {
            business.put(1, Row::Service(it.clone()));
        }
        let home = parent_home(&business, DANA, 10, &now());
        assert_eq!(home.past_count as usize, home.past.len());
        let number = |id: Id| (10..30).find(|it| Id::of(*it) == id).unwrap();
        [home.next, home.ended, home.upcoming, home.past]
            .map(|it| it.iter().map(|it| number(it.service.id)).collect())
    }

    #[test]
    fn the_day_comes_first_then_what_comes_and_what_was() {
        use ServiceStatus::{Completed, Scheduled};
        let hours_ago = |hours: i64| Some(Instant(now().at.0 - hours * MS_PER_HOUR));
        let just = Service {
            completed_at: hours_ago(23),
            ..visit(12, -1, 16, Completed)
        };
        let before = Service {
            completed_at: hours_ago(24),
            ..visit(13, -1, 14, Completed)
        };
        let visits = [
            visit(10, 0, 16, Scheduled),
            visit(11, 0, 18, Scheduled),
            just,
            before,
            visit(14, 1, 9, Scheduled),
            visit(15, -2, 9, Scheduled),
        ];
        assert_eq!(
            parts(&visits),
            [vec![10, 11], vec![12], vec![14], vec![13, 15]]
        );
    }

    #[test]
    fn a_visit_that_should_be_over_is_late_while_it_may_be_on_the_live_map() {
        use ServiceStatus::{Completed, Scheduled};
        let mut business = Business::default();
        let begun = Service {
            progress: Some(Progress {
                step: ProgressStep::Started,
                at: Instant(0),
                expected_at: None,
            }),
            ..visit(13, -9, 9, Scheduled)
        };
        for it in [
            visit(10, -1, 9, Scheduled),
            visit(11, -2, 9, Scheduled),
            visit(12, -1, 7, Completed),
            begun,
        ] {
            business.put(1, Row::Service(it));
        }
        // However few of the past are asked for.
        let late = parent_home(&business, DANA, 0, &now()).late;
        let ids: Vec<Id> = late.iter().map(|it| it.service.id).collect();
        assert_eq!(ids, [Id::of(10), Id::of(13)]);
    }

    #[test]
    fn a_visit_that_takes_longer_than_planned_stays_first() {
        let begun = Service {
            progress: Some(Progress {
                step: ProgressStep::Started,
                at: "2026-11-20T12:02:00Z".parse().unwrap(),
                expected_at: None,
            }),
            ..visit(10, 0, 12, ServiceStatus::Scheduled)
        };
        let visits = [begun, visit(11, 1, 12, ServiceStatus::Scheduled)];
        assert_eq!(parts(&visits), [vec![10], vec![], vec![11], vec![]]);
    }

    #[test]
    fn a_cancelled_visit_stays_where_it_was_until_its_day_is_over() {
        use ServiceStatus::{Cancelled, Scheduled};
        let visits = [
            visit(10, 1, 9, Cancelled),
            visit(11, 2, 9, Scheduled),
            visit(12, 3, 9, Cancelled),
            visit(13, -1, 9, Cancelled),
        ];
        assert_eq!(parts(&visits), [vec![10], vec![], vec![11, 12], vec![13]]);
        let today = [visit(10, 0, 9, Cancelled), visit(11, 0, 17, Scheduled)];
        assert_eq!(parts(&today), [vec![10, 11], vec![], vec![], vec![]]);
    }

    #[test]
    fn a_report_of_no_visit_is_found_for_a_week() {
        let report = |number: u128, hours_ago: i64, services: &[u128]| Report {
            id: Id::of(number),
            walk_id: Id::of(number),
            client_id: DANA,
            kind: ReportKind::Walk,
            dogs: Vec::new(),
            service_ids: services.iter().map(|it| Id::of(*it)).collect(),
            started_at: Instant(now().at.0 - hours_ago * MS_PER_HOUR),
            share_id: None,
            shared_at: Instant(now().at.0 - hours_ago * MS_PER_HOUR),
            passed_on_at: None,
            mailed: None,
            opened_at: None,
            content: ReportContent::default(),
        };
        let mut business = Business::default();
        business.put(1, Row::Service(visit(10, -1, 9, ServiceStatus::Completed)));
        for it in [
            // The visit's own, one of its day, one of a visit that is gone, one of a day without a visit.
            report(50, 30, &[10]),
            report(51, 30, &[]),
            report(52, 30, &[99]),
            report(53, 60, &[]),
            report(54, 8 * 24, &[]),
        ] {
            business.put(1, Row::Report(it));
        }
        let found = parent_home(&business, DANA, 10, &now()).reports;
        let ids: Vec<Id> = found.iter().map(|it| it.id).collect();
        assert_eq!(ids, [Id::of(52), Id::of(53)]);
    }

    #[test]
    fn other_clients_visits_are_none_of_them() {
        let other = Service {
            client_id: Id::of(2),
            ..visit(10, 0, 16, ServiceStatus::Scheduled)
        };
        assert_eq!(parts(&[other]), [const { Vec::new() }; 4]);
    }
}
