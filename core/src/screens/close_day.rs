//! Owns what 'Close the day' lists: the services of today and of the days before that should be marked by now.

use serde::Serialize;

use crate::rows::service::{Service, ServiceStatus};
use crate::rules::overdue::{is_not_completed, overdue_before};
use crate::screens::calendar::ServiceView;
use crate::values::bounds::SERVICES_AT_ONCE;
use crate::values::format;
use crate::values::sort::SmallSort as _;
use crate::{Business, Id, Now};

/// A service that is still open.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct OpenService {
    /// The service, with what is derived from it.
    #[serde(flatten)]
    pub view: ServiceView,
    /// `Today`, or `Thursday, November 19`.
    pub day: String,
    /// True if it should be done by now, so that its completion is proposed.
    pub is_over: bool,
}

/// The services that can be marked at the end of a day.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct DayClose {
    /// The open services, by date and start; no more than one command marks.
    pub services: Vec<OpenService>,
    /// `2 visits are still to come today.`, and what else is not among them; empty where nothing is.
    pub left: String,
}

/// Lists the services that should be marked by now: overdue ones of earlier days, and visits of today that have begun by the
/// plan. Those that are `under_way` are not among them.
pub fn close_day(business: &Business, under_way: &[Id], now: &Now) -> DayClose {
    let (mut open, to_come) = open_services(business, now);
    let is_under_way = |it: &Service| under_way.contains(&it.id);
    let n_under_way = open.iter().filter(|it| is_under_way(it)).count();
    open.retain(|it| !is_under_way(it));
    open.small_sort_by_key(|it| (it.date, it.start_time, it.id));
    let n_more = open.len().saturating_sub(SERVICES_AT_ONCE);
    // The latest ones are remembered best.
    let services = open.into_iter().skip(n_more).map(|it| OpenService {
        view: ServiceView::at(it, business.hour_cycle(), Some(now)),
        is_over: is_not_completed(it, now),
        day: match it.date == now.today() {
            true => "Today".to_owned(),
            false => format::date_heading(it.date),
        },
    });
    let counted = |n: usize, one: &str, many: &str| match n {
        0 => None,
        1 => Some(["1 ", one].concat()),
        _ => Some(format!("{n} {many}")),
    };
    let left = [
        counted(
            to_come,
            "visit is still to come today.",
            "visits are still to come today.",
        ),
        counted(n_under_way, "visit is under way.", "visits are under way."),
        counted(
            n_more,
            "earlier one follows after these.",
            "earlier ones follow after these.",
        ),
    ];
    DayClose {
        services: services.collect(),
        left: left.into_iter().flatten().collect::<Vec<_>>().join(" "),
    }
}

/// Counts the services that 'Close the day' lists, those under way among them.
pub(crate) fn open_count(business: &Business, now: &Now) -> u32 {
    u32::try_from(open_services(business, now).0.len()).unwrap_or(u32::MAX)
}

/// The services that should be marked by now, and the number of visits that are still to come today.
fn open_services<'a>(business: &'a Business, now: &Now) -> (Vec<&'a Service>, usize) {
    let (today, minute) = (now.today(), now.today().minute(now.time()));
    let mut open = overdue_before(business, now);
    let of_today = business.services_within(today, today).into_iter();
    let of_today = of_today.filter(|it| it.status == ServiceStatus::Scheduled);
    let mut to_come = 0;
    for service in of_today {
        match service.end_date {
            // A stay can be marked on its last day.
            Some(last) if last == today => open.push(service),
            Some(_) => {}
            None if service.interval().start <= minute => open.push(service),
            None => to_come += 1,
        }
    }
    (open, to_come)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::zone::TimeZone;
    use crate::{Instant, Row};

    fn now() -> Now {
        Now {
            at: "2026-11-20T19:00:00Z".parse().unwrap(),
            zone: TimeZone::UTC,
        }
    }

    fn at(id: u128, days_ago: i64, start: &str) -> Service {
        Service {
            date: now().today().plus_days(-days_ago),
            start_time: start.parse().unwrap(),
            ..Service::new(Id::of(id), Instant(0))
        }
    }

    fn close(services: Vec<Service>, under_way: &[Id]) -> (Vec<(Id, String)>, String) {
        let mut business = Business::default();
        for service in services {
            business.put(1, Row::Service(service));
        }
        let close = close_day(&business, under_way, &now());
        let listed = close.services.into_iter();
        (
            listed.map(|it| (it.view.service.id, it.day)).collect(),
            close.left,
        )
    }

    #[test]
    fn the_close_of_a_day_lists_what_should_be_marked_by_now() {
        let done = Service {
            status: ServiceStatus::Completed,
            ..at(1, 0, "08:00")
        };
        let stay = |id, days_ago, last_days_ago: i64| Service {
            end_date: Some(now().today().plus_days(-last_days_ago)),
            ..at(id, days_ago, "09:00")
        };
        let services = vec![
            done,
            at(2, 1, "12:00"),
            at(3, 0, "07:32"),
            at(4, 0, "18:45"),
            at(5, 0, "20:00"),
            stay(6, 2, 0),
            stay(7, 2, -1),
        ];
        let (listed, left) = close(services, &[Id::of(4)]);
        let expected = [
            (6, "Wednesday, November 18"),
            (2, "Thursday, November 19"),
            (3, "Today"),
        ];
        let expected = expected.map(|(id, day)| (Id::of(id), day.to_owned()));
        assert_eq!(listed, expected);
        assert_eq!(
            left,
            "1 visit is still to come today. 1 visit is under way."
        );
    }

    #[test]
    fn no_more_are_listed_than_one_command_marks() {
        let services = (0..SERVICES_AT_ONCE as u128 + 2).map(|id| at(id, 1, "12:00"));
        let (listed, left) = close(services.collect(), &[]);
        assert_eq!(listed.len(), SERVICES_AT_ONCE);
        assert_eq!(left, "2 earlier ones follow after these.");
        assert_eq!(close(Vec::new(), &[]), (Vec::new(), String::new()));
    }
}
