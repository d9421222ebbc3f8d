//! Owns when a service is behind its plan, and in which way: one rule for cards, counts, lists and notifications. It is
//! never stored: it follows from the row, the time and the sitter's zone.

use serde::Serialize;

use crate::rows::service::{Service, ServiceStatus, ServiceType};
use crate::rules::ways_to_client::is_seen;
use crate::values::json::read_by_name;
use crate::values::sort::SmallSort as _;
use crate::{Business, Now, Time};

/// Minutes after its time from which a start or an end that nobody noted is late.
pub const LATE_MINUTES: i64 = 15;

/// State of an open service that is behind its plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Lateness {
    /// It began late and is going on: nothing has to be done about it.
    StartedLate,
    /// Its start is over, and nobody noted that it began.
    NotStarted,
    /// Its end is over, and it is still open.
    NotCompleted,
}

read_by_name!(Lateness {
    StartedLate,
    NotStarted,
    NotCompleted
});

/// Lateness of a service; `None` for one that is in time, done or called off. `now` is in the zone of the sitter.
///
/// A visit with a later start that its client was told, or that began late, ends later by as much. Only the start of a walk
/// counts as missing, or of a visit to which the sitter is on the way: nobody has to note that a drop-in has begun. A
/// stay is late from the day after its last one.
pub fn lateness(service: &Service, now: &Now) -> Option<Lateness> {
    if service.status != ServiceStatus::Scheduled {
        return None;
    }
    if let Some(last) = service.end_date {
        return (last < now.today()).then_some(Lateness::NotCompleted);
    }
    let minute = now.today().minute(now.time());
    let expected = service.current_delay().map_or(service.start_time, |it| {
        it.start_time.max(service.start_time)
    });
    let expected = service.date.minute(expected);
    let begun = service.progress.filter(|_| service.has_begun());
    let begun = begun.map(|it| {
        let (date, time) = it.at.civil(&now.zone);
        date.minute(time)
    });
    let start = begun.map_or(expected, |it| it.max(expected));
    if start + i64::from(service.duration_minutes) + LATE_MINUTES <= minute {
        return Some(Lateness::NotCompleted);
    }
    match begun {
        Some(begun) => (expected + LATE_MINUTES <= begun).then_some(Lateness::StartedLate),
        None => {
            let is_noted = service.service_type == ServiceType::Walk || service.progress.is_some();
            // Who has sent something of it is there.
            (is_noted && service.live.is_empty() && expected + LATE_MINUTES <= minute)
                .then_some(Lateness::NotStarted)
        }
    }
}

/// True for a service that waits for its start or its completion.
pub fn is_overdue(service: &Service, now: &Now) -> bool {
    matches!(
        lateness(service, now),
        Some(Lateness::NotStarted | Lateness::NotCompleted)
    )
}

/// True for a service that should be done by now.
pub fn is_not_completed(service: &Service, now: &Now) -> bool {
    lateness(service, now) == Some(Lateness::NotCompleted)
}

/// Lateness of which the sitter is notified; a stay never is. A missing start is told only where the server would know of
/// it: a walk that is tracked without a word to the client is known to the phone alone.
pub fn told_lateness(business: &Business, service: &Service, now: &Now) -> Option<Lateness> {
    let is_told = business.sitter().is_some_and(|it| it.tells_progress);
    let is_known = is_told && is_seen(business, service);
    let late = lateness(service, now).filter(|_| service.end_date.is_none())?;
    match late {
        Lateness::StartedLate => None,
        Lateness::NotStarted => is_known.then_some(late),
        Lateness::NotCompleted => Some(late),
    }
}

/// Further back nobody remembers whether they were there; the list has what is older.
const LEFT_OPEN_DAYS: i64 = 92;

/// Overdue services of the last days before today, by date and start, without those that today's list shows.
pub(crate) fn overdue_before<'a>(business: &'a Business, now: &Now) -> Vec<&'a Service> {
    let (first, midnight) = (
        now.today().plus_days(-LEFT_OPEN_DAYS),
        now.today().minute(Time::hour(0)),
    );
    let open = business
        .services
        .open_between(first, now.today().plus_days(-1));
    let mut overdue: Vec<&Service> = open
        .filter(|it| is_overdue(it, now))
        .filter(|it| it.end_date.is_some() || it.interval().end <= midnight)
        .collect();
    overdue.small_sort_by_key(|it| (it.date, it.start_time, it.id));
    overdue
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::client::Client;
    use crate::rows::service::{Delay, LiveEvent, Progress, ProgressStep};
    use crate::rows::sitter::Sitter;
    use crate::values::walk_event::WalkEventKind;
    use crate::values::zone::TimeZone;
    use crate::{Id, Instant, Row};
    use Lateness::{NotCompleted, NotStarted, StartedLate};

    fn at(time: &str) -> Now {
        Now {
            at: format!("2026-11-20T{time}:00Z").parse().unwrap(),
            zone: TimeZone::UTC,
        }
    }

    /// A walk of half an hour at 10:13.
    fn walk() -> Service {
        Service {
            client_id: Id::of(2),
            date: at("00:00").today(),
            start_time: "10:13".parse().unwrap(),
            ..Service::new(Id::of(1), Instant(0))
        }
    }

    fn begun(time: &str) -> Service {
        Service {
            progress: Some(Progress::new(ProgressStep::Started, at(time).at)),
            ..walk()
        }
    }

    #[track_caller]
    fn check(service: &Service, times: &[(&str, Option<Lateness>)]) {
        for (time, expected) in times {
            assert_eq!(lateness(service, &at(time)), *expected, "at {time}");
        }
    }

    #[test]
    fn a_walk_is_late_a_quarter_of_an_hour_after_its_start_and_after_its_end() {
        let walk = walk();
        check(
            &walk,
            &[
                ("10:27", None),
                ("10:28", Some(NotStarted)),
                ("10:57", Some(NotStarted)),
                ("10:58", Some(NotCompleted)),
            ],
        );
        let done = Service {
            status: ServiceStatus::Completed,
            ..walk.clone()
        };
        check(&done, &[("23:00", None)]);
        let off = Service {
            status: ServiceStatus::Cancelled,
            ..walk
        };
        check(&off, &[("23:00", None)]);
    }

    #[test]
    fn a_walk_that_began_late_says_so_and_ends_later() {
        check(
            &begun("10:20"),
            &[("10:50", None), ("11:05", Some(NotCompleted))],
        );
        check(
            &begun("10:40"),
            &[("10:58", Some(StartedLate)), ("11:25", Some(NotCompleted))],
        );
        // Begun early, it ends by the plan.
        check(
            &begun("10:00"),
            &[("10:57", None), ("10:58", Some(NotCompleted))],
        );
    }

    #[test]
    fn a_later_start_that_was_told_counts_in_place_of_the_plan() {
        let mut walk = walk();
        walk.delay = Some(Delay {
            date: walk.date,
            planned: walk.start_time,
            start_time: "10:45".parse().unwrap(),
            at: Instant(0),
            text: String::new(),
            passed_on_at: None,
            overlap_ok: false,
        });
        check(
            &walk,
            &[
                ("10:59", None),
                ("11:00", Some(NotStarted)),
                ("11:30", Some(NotCompleted)),
            ],
        );
    }

    #[test]
    fn a_visit_of_which_something_was_sent_is_not_called_not_started() {
        let mut walk = walk();
        walk.live = vec![LiveEvent {
            id: Id::of(9),
            kind: WalkEventKind::Pee,
            at: at("10:20").at,
            note: String::new(),
            photo: None,
        }];
        check(&walk, &[("10:57", None), ("10:58", Some(NotCompleted))]);
    }

    #[test]
    fn nobody_has_to_note_that_a_drop_in_has_begun() {
        let mut visit = Service {
            service_type: ServiceType::Dropin,
            ..walk()
        };
        check(&visit, &[("10:50", None), ("10:58", Some(NotCompleted))]);
        visit.progress = Some(Progress::new(ProgressStep::OnTheWay, at("10:00").at));
        check(&visit, &[("10:50", Some(NotStarted))]);
    }

    #[test]
    fn a_stay_is_late_the_day_after_its_last_one() {
        let stay = |last: &str| Service {
            end_date: Some(last.parse().unwrap()),
            ..walk()
        };
        check(&stay("2026-11-20"), &[("23:59", None)]);
        check(&stay("2026-11-19"), &[("00:00", Some(NotCompleted))]);
    }

    #[test]
    fn a_missing_start_is_told_only_where_the_server_would_know_of_it() {
        let told = |tells_progress, client_user_id: Option<u128>, service: &Service, time| {
            let sitter = Sitter {
                tells_progress,
                ..Sitter::new(
                    Id::of(9),
                    String::new(),
                    String::new(),
                    String::new(),
                    Instant(0),
                )
            };
            let client = Client {
                client_user_id: client_user_id.map(Id::of),
                ..Client::new(Id::of(2), Instant(0))
            };
            let mut business = Business::default();
            business.put(1, Row::Sitter(sitter));
            business.put(1, Row::Client(client));
            told_lateness(&business, service, &at(time))
        };
        let walk = walk();
        assert_eq!(told(true, Some(7), &walk, "10:28"), Some(NotStarted));
        assert_eq!(told(true, None, &walk, "10:28"), None);
        assert_eq!(told(false, Some(7), &walk, "10:28"), None);
        assert_eq!(told(false, None, &walk, "10:58"), Some(NotCompleted));
        assert_eq!(told(true, Some(7), &begun("10:40"), "10:58"), None);
        let stay = Service {
            end_date: Some("2026-11-19".parse().unwrap()),
            ..walk
        };
        assert_eq!(told(true, Some(7), &stay, "10:28"), None);
    }
}
