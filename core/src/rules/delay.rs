//! Owns what a delay does to the visits that follow today: their new times, and the words in which clients read them.

use crate::rows::service::{Service, ServiceStatus};
use crate::rules::mileage::{WAY_KM_PER_HOUR, home, way_m, way_minutes};
use crate::values::date::MINUTES_PER_DAY;
use crate::values::format;
use crate::values::units::HourCycle;
use crate::{Business, Date, Id, Instant, Now, Time};

/// New times are told in steps of so many minutes: they are estimates.
const STEP_MINUTES: i64 = 5;

/// A visit that follows, and how much later it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NewTime<'a> {
    /// The visit as it is planned.
    pub(crate) service: &'a Service,
    /// Minutes by which it is later; 0 where the time between the visits before it is enough.
    pub(crate) minutes: u32,
    /// The new start; none where it would be after midnight.
    pub(crate) start_time: Option<Time>,
    /// True if its time has come and nobody noted that it began.
    pub(crate) may_have_begun: bool,
}

/// Works out by how much the visits that follow today are later, by start, where the next one is later by `minutes`.
///
/// A visit begins as soon as the one before it is done and the way between the homes is gone, but never before its time.
/// The delay never grows: who planned two visits closer than the estimate of the way knows the way. Where a home is not
/// known, the delay of the visit before carries over. Visits in `under_way` have begun.
pub(crate) fn new_times<'a>(
    business: &'a Business,
    minutes: u32,
    under_way: &[Id],
    now: &Now,
) -> Vec<NewTime<'a>> {
    let today = now.today();
    let minute_now = i64::from(now.time().minute_of_day());
    let start = |it: &Service| i64::from(it.start_time.minute_of_day());
    let asked = i64::from(minutes);
    let visits = business.visits_between(today, today).into_iter();
    let follow = visits.filter(|it| {
        let is_open = it.status == ServiceStatus::Scheduled && !it.has_begun();
        let is_to_come = minute_now < start(it)
            // Its time has come: late for it, or in it already. With this delay it would have begun by now in any case.
            || (minute_now < start(it) + i64::from(it.duration_minutes)
                && minute_now < start(it) + asked);
        is_open && is_to_come && !under_way.contains(&it.id)
    });
    let (mut delay, mut before): (i64, Option<(&Service, i64)>) = (asked, None);
    let mut times = Vec::new();
    for service in follow {
        let planned = start(service);
        let earliest = before.and_then(|(it, end)| Some(end + way(business, it, service)?));
        if let Some(earliest) = earliest {
            let late = (earliest - planned).max(0);
            let steps = (late + STEP_MINUTES - 1) / STEP_MINUTES;
            delay = delay.min(steps * STEP_MINUTES);
        }
        let begins = planned + delay;
        times.push(NewTime {
            service,
            minutes: u32::try_from(delay).unwrap_or_default(),
            start_time: (begins < MINUTES_PER_DAY).then(|| Time::from_minutes(begins)),
            may_have_begun: planned <= minute_now,
        });
        before = Some((service, begins + i64::from(service.duration_minutes)));
    }
    times
}

/// Minutes for the way from one visit to the next; none where a home is not known.
fn way(business: &Business, from: &Service, to: &Service) -> Option<i64> {
    if from.client_id == to.client_id {
        return Some(0);
    }
    let home_of = |it: &Service| business.client(it.client_id).and_then(home);
    let meters = way_m(home_of(from)?, home_of(to)?);
    Some(way_minutes(meters, WAY_KM_PER_HOUR))
}

/// The words that a client reads of visits with these new starts: `Luna's visit is about 20 minutes later today, around
/// 12:20 PM.` Nothing of any other client.
pub(crate) fn usual_text(visits: &[(&Service, Time)], cycle: HourCycle) -> String {
    let sentences = visits.iter().map(|(service, start_time)| {
        let minutes = minutes_between(service.start_time, *start_time);
        let (later, time) = (spoken(minutes), format::time(*start_time, cycle));
        let visit = match service.dogs.as_slice() {
            [] => "Your visit".to_owned(),
            dogs => format::names(dogs) + "'s visit",
        };
        format!("{visit} is about {later} later today, around {time}.")
    });
    sentences.collect::<Vec<_>>().join(" ")
}

/// Minutes from one time of a day to a later one; 0 for an earlier one.
fn minutes_between(from: Time, to: Time) -> u32 {
    to.minute_of_day()
        .saturating_sub(from.minute_of_day())
        .into()
}

/// `20 minutes`, `1 hour`, `2 hours 5 minutes`.
fn spoken(minutes: u32) -> String {
    let count = |n: u32, noun: &str| match n {
        0 => None,
        1 => Some(format!("1 {noun}")),
        _ => Some(format!("{n} {noun}s")),
    };
    let parts = [count(minutes / 60, "hour"), count(minutes % 60, "minute")];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Moment of a new start; from it on the news is worth nothing.
pub fn starts_at(date: Date, start_time: Time, now: &Now) -> Instant {
    Instant::from_civil(date, start_time, &now.zone)
}

/// Words for the client beside a visit that is later than planned and stands on the plan at its old time: `Expected around
/// 12:20 PM`. Nothing once it should be over. `now` is in the zone of the sitter.
pub fn expected(service: &Service, now: &Now, cycle: HourCycle) -> Option<String> {
    let delay = service.current_delay()?;
    if delay.start_time == service.start_time || delay.date != now.today() {
        return None;
    }
    // The sitter has told since when to be there.
    let told_since = service.progress.filter(|it| delay.at <= it.at);
    if told_since.is_some_and(|it| it.expected_at.is_some()) {
        return None;
    }
    let end = i64::from(delay.start_time.minute_of_day()) + i64::from(service.duration_minutes);
    (i64::from(now.time().minute_of_day()) < end)
        .then(|| "Expected around ".to_owned() + &format::time(delay.start_time, cycle))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Row;
    use crate::rows::client::Client;
    use crate::rows::service::{Delay, Progress, ProgressStep};
    use crate::values::zone::TimeZone;
    use proptest::prelude::*;

    fn now(time: &str) -> Now {
        Now {
            at: format!("2026-11-20T{time}:00Z").parse().unwrap(),
            zone: TimeZone::UTC,
        }
    }

    /// A client at a place so many kilometers to the north; none for one whose home is not known.
    fn client(n: u128, km_north: Option<f64>) -> Client {
        Client {
            lat: km_north.map(|it| 40.0 + it / 111.0),
            lng: km_north.map(|_| -74.0),
            ..Client::new(Id::of(n), Instant(0))
        }
    }

    fn visit(n: u128, start: &str, minutes: u32) -> Service {
        Service {
            client_id: Id::of(n),
            dogs: vec![format!("Dog {n}")],
            date: now("00:00").today(),
            start_time: start.parse().unwrap(),
            duration_minutes: minutes,
            ..Service::new(Id::of(100 + n), Instant(0))
        }
    }

    fn business(homes: &[Option<f64>], visits: &[Service]) -> Business {
        let mut business = Business::default();
        for (n, home) in (1..).zip(homes) {
            business.put(1, Row::Client(client(n, *home)));
        }
        for visit in visits {
            business.put(1, Row::Service(visit.clone()));
        }
        business
    }

    #[track_caller]
    fn check(business: &Business, minutes: u32, at: &str, expected: &[(u128, &str)]) {
        let times = new_times(business, minutes, &[], &now(at));
        let found: Vec<(Id, String)> = times
            .iter()
            .map(|it| {
                let time = it.start_time.map_or("-".to_owned(), |it| it.to_string());
                (it.service.client_id, time)
            })
            .collect();
        let expected: Vec<(Id, String)> = expected
            .iter()
            .map(|(n, time)| (Id::of(*n), (*time).to_owned()))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_gap_absorbs_the_delay_and_the_way_takes_its_time() {
        // A kilometer is 1.3 on the way: six minutes, rounded up.
        let homes = [Some(0.0), Some(1.0), Some(0.0), Some(0.0)];
        let visits = [
            visit(1, "12:00", 30),
            visit(2, "12:45", 30),
            visit(3, "14:00", 30),
            visit(4, "14:30", 30),
        ];
        let business = business(&homes, &visits);
        // 12:20 to 12:50, and six minutes on the way.
        let late = [(1, "12:20"), (2, "13:00"), (3, "14:00"), (4, "14:30")];
        check(&business, 20, "11:30", &late);
        check(
            &business,
            90,
            "11:30",
            &[(1, "13:30"), (2, "14:10"), (3, "14:50"), (4, "15:20")],
        );
    }

    #[test]
    fn without_a_home_the_same_delay_carries_over() {
        let visits = [visit(1, "12:00", 30), visit(2, "18:00", 30)];
        let unknown = business(&[Some(0.0), None], &visits);
        check(&unknown, 20, "11:30", &[(1, "12:20"), (2, "18:20")]);
    }

    #[test]
    fn visits_closer_than_the_estimate_keep_the_delay() {
        let visits = [visit(1, "12:00", 30), visit(2, "12:30", 30)];
        let far = business(&[Some(0.0), Some(20.0)], &visits);
        check(&far, 20, "11:30", &[(1, "12:20"), (2, "12:50")]);
    }

    #[test]
    fn nothing_that_began_is_over_or_off_changes() {
        let begun = Service {
            progress: Some(Progress::new(ProgressStep::Started, Instant(0))),
            ..visit(1, "12:00", 60)
        };
        let over = visit(2, "10:00", 30);
        let cancelled = Service {
            status: ServiceStatus::Cancelled,
            ..visit(3, "14:00", 30)
        };
        let completed = Service {
            status: ServiceStatus::Completed,
            ..visit(4, "14:30", 30)
        };
        let stay = Service {
            end_date: Some(now("00:00").today().plus_days(1)),
            ..visit(5, "15:00", 30)
        };
        let late = visit(6, "12:05", 30);
        let visits = [begun, over, cancelled, completed, stay, late];
        let business = business(&[None; 6], &visits);
        // The last one should have begun five minutes ago, and nobody said that it did.
        check(&business, 20, "12:10", &[(6, "12:25")]);
        check(&business, 5, "12:10", &[]);
        let times = new_times(&business, 20, &[], &now("12:10"));
        assert!(times.iter().all(|it| it.may_have_begun));
        assert!(new_times(&business, 20, &[Id::of(106)], &now("12:10")).is_empty());
    }

    #[test]
    fn a_start_after_midnight_is_no_new_time() {
        let business = business(&[None], &[visit(1, "23:50", 30)]);
        check(&business, 20, "23:00", &[(1, "-")]);
    }

    #[test]
    fn a_client_reads_of_the_own_visits_alone() {
        let (one, mut two) = (visit(1, "12:00", 30), visit(1, "16:00", 30));
        two.dogs.push("Max".to_owned());
        let at = |time: &str| time.parse().unwrap();
        let text = usual_text(&[(&one, at("12:20")), (&two, at("17:05"))], HourCycle::H12);
        assert_eq!(
            text,
            "Dog 1's visit is about 20 minutes later today, around 12:20 PM. \
             Dog 1 and Max's visit is about 1 hour 5 minutes later today, around 5:05 PM."
        );
    }

    #[test]
    fn a_visit_at_its_old_time_says_when_it_is_expected() {
        let mut service = visit(1, "12:00", 30);
        service.delay = Some(Delay {
            date: service.date,
            planned: service.start_time,
            start_time: Time::new(12, 20).unwrap(),
            at: Instant(0),
            text: String::new(),
            passed_on_at: None,
            overlap_ok: false,
        });
        let said = |service: &Service, at: &str| expected(service, &now(at), HourCycle::H12);
        assert_eq!(
            said(&service, "12:10").as_deref(),
            Some("Expected around 12:20 PM")
        );
        assert_eq!(said(&service, "12:50"), None, "it should be over");
        // On the plan it stands at the new time, or at a third one.
        for start in ["12:20", "13:00"] {
            let moved = Service {
                start_time: start.parse().unwrap(),
                ..service.clone()
            };
            assert_eq!(said(&moved, "12:10"), None);
        }
        service.status = ServiceStatus::Cancelled;
        assert_eq!(said(&service, "12:10"), None);
    }

    proptest! {
        #[test]
        fn a_delay_never_grows_and_never_changes_the_order(
            minutes in 1_u32..240,
            day in prop::collection::vec((360_u16..1200, 1_u32..120, prop::option::of(-5.0..5.0)), 1..12),
        ) {
            let homes: Vec<Option<f64>> = day.iter().map(|it| it.2).collect();
            let visits: Vec<Service> = (1..).zip(&day).map(|(n, (start, length, _))| Service {
                start_time: Time::from_minutes((*start).into()),
                ..visit(n, "00:00", *length)
            }).collect();
            let business = business(&homes, &visits);
            let times = new_times(&business, minutes, &[], &now("05:00"));
            prop_assert_eq!(times.len(), visits.len());
            prop_assert!(times.iter().all(|it| it.minutes <= minutes));
            prop_assert!(times.is_sorted_by_key(|it| std::cmp::Reverse(it.minutes)));
            let begins = |it: &NewTime<'_>| u32::from(it.service.start_time.minute_of_day()) + it.minutes;
            prop_assert!(times.is_sorted_by_key(begins));

        }
    }
}
