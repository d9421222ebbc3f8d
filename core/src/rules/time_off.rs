//! Owns which visits stand in a time that the sitter blocks, and what a message to their clients says of it.

use crate::rows::blocked_time::{BlockType, BlockedTime, Recurrence};
use crate::rows::service::{Service, ServiceStatus};
use crate::values::format;
use crate::values::interval::Interval;
use crate::values::sort::SmallSort as _;
use crate::values::units::HourCycle;
use crate::{Business, Date, Now, Time};

/// Days over which visits in a blocked time are looked for: a time that repeats may have no end.
const DAYS: i64 = 366;

/// The days of a blocked time whose visits are looked for, from `today` on; `None` where it is over.
pub(crate) fn days_of(block: &BlockedTime, today: Date) -> Option<(Date, Date)> {
    let first = block.next_date(today)?;
    let furthest = first.plus_days(DAYS);
    let last = match (block.is_recurring, block.recurrence_end_date) {
        (false, _) => first,
        (true, last) => last.map_or(furthest, |it| it.min(furthest)),
    };
    Some((first, last))
}

/// Returns true if a service stands in a blocked time: a visit where the two overlap, a stay where one of its days is blocked
/// as a whole (decisions, What is sold is booked).
pub(crate) fn stands_in(block: &BlockedTime, service: &Service) -> bool {
    if !block.blocked_services.contains(&service.service_type) {
        return false;
    }
    if let Some(last) = service.end_date {
        let days = last.days_since_epoch() - service.date.days_since_epoch();
        let mut days = (0..=days).map(|it| service.date.plus_days(it));
        return block.blocks_whole_days() && days.any(|it| block.interval_on(it).is_some());
    }
    let visit = service.interval();
    let near = [service.date, service.date.plus_days(1)];
    let mut blocked = near.iter().filter_map(|it| block.interval_on(*it));
    blocked.any(|it: Interval| it.overlaps(visit))
}

/// Scheduled visits and stays in a blocked time that are not over, by date, start and id.
pub(crate) fn visits_in<'a>(
    business: &'a Business,
    block: &BlockedTime,
    now: &Now,
) -> Vec<&'a Service> {
    let (today, time) = (now.today(), now.time());
    let Some((first, last)) = days_of(block, today) else {
        return Vec::new();
    };
    let mut visits = business.services_within(first, last);
    visits.retain(|it| {
        let is_to_come = match it.end_date {
            Some(last) => today <= last,
            None => today.minute(time) < it.interval().end,
        };
        it.status == ServiceStatus::Scheduled && is_to_come && stands_in(block, it)
    });
    visits.small_sort_by_key(|it| (it.date, it.start_time, it.id));
    visits
}

/// A visit as a message tells its client of it.
pub(crate) struct ToldVisit {
    /// Day and start as the client knows them.
    pub was: (Date, Time),
    /// The last day of a stay.
    pub until: Option<Date>,
    /// Its new day and start; none where it is cancelled.
    pub to: Option<(Date, Time)>,
}

/// More visits than these are counted in a message, and not named.
const NAMED: usize = 10;

/// The message to a client whose visits are cancelled or moved: `I am ill from Nov 30 to Dec 2. Your visits on Mon Nov 30,
/// 12:00 PM and Tue Dec 1, 12:00 PM are cancelled.`
pub(crate) fn message(block: &BlockedTime, visits: &[ToldVisit], cycle: HourCycle) -> String {
    let at = |(date, time)| format::day_and_time(date, time, cycle);
    let (moved, cancelled): (Vec<&ToldVisit>, Vec<&ToldVisit>) =
        visits.iter().partition(|it| it.to.is_some());
    let mut sentences: Vec<String> = reason(block).into_iter().collect();
    if !cancelled.is_empty() {
        sentences.push(cancellation(&cancelled, cycle));
    }
    if NAMED < moved.len() {
        sentences.push(format!(
            "{} of your visits are at other times.",
            moved.len()
        ));
    } else {
        sentences.extend(moved.iter().filter_map(|it| {
            let (was, to) = (at(it.was), at(it.to?));
            Some(format!("Your visit on {was} is on {to} instead."))
        }));
    }
    sentences.join(" ")
}

fn cancellation(visits: &[&ToldVisit], cycle: HourCycle) -> String {
    let n = visits.len();
    let named: Vec<String> = visits
        .iter()
        .map(|it| match it.until {
            None => format::day_and_time(it.was.0, it.was.1, cycle),
            Some(last) => {
                let (first, last) = (format::month_day(it.was.0), format::month_day(last));
                [&first, " to ", &last].concat()
            }
        })
        .collect();
    let first = visits.iter().map(|it| it.was.0).min();
    let last = visits.iter().map(|it| it.until.unwrap_or(it.was.0)).max();
    match (n, first, last) {
        (1, ..) => match visits.iter().any(|it| it.until.is_some()) {
            true => format!("Your stay from {} is cancelled.", format::names(&named)),
            false => format!("Your visit on {} is cancelled.", format::names(&named)),
        },
        (_, Some(first), Some(last)) if NAMED < n => {
            let (first, last) = (format::month_day(first), format::month_day(last));
            let n_stays = visits.iter().filter(|it| it.until.is_some()).count();
            let what = [(n - n_stays, "visit"), (n_stays, "stay")];
            let what = what.into_iter().filter(|it| 0 < it.0);
            let what: Vec<String> = what.map(|(n, noun)| format::counted(n, noun)).collect();
            let what = format::names(&what);
            format!("Your {what} from {first} to {last} are cancelled.")
        }
        _ if visits.iter().any(|it| it.until.is_some()) => {
            let whats = visits.iter().zip(&named).map(|(it, named)| match it.until {
                Some(_) => ["your stay from ", named].concat(),
                None => ["your visit on ", named].concat(),
            });
            let whats: Vec<String> = whats.collect();
            format!("These are cancelled: {}.", format::names(&whats))
        }
        _ => format!("Your visits on {} are cancelled.", format::names(&named)),
    }
}

/// `I am ill from Nov 30 to Dec 2.`; nothing of a time that comes again each week or month.
fn reason(block: &BlockedTime) -> Option<String> {
    let is_daily = block.recurrence_pattern.unwrap_or_default() == Recurrence::Daily;
    if block.is_recurring && !is_daily {
        return None;
    }
    let why = match block.block_type {
        BlockType::Sick => "I am ill",
        BlockType::Vacation => "I am on vacation",
        BlockType::Emergency => "I have an emergency",
        _ => "I am not available",
    };
    Some([why, " ", &days(block), "."].concat())
}

/// `from Nov 30 to Dec 2`, `on Nov 30`, `from Nov 30 on`.
pub(crate) fn days(block: &BlockedTime) -> String {
    let first = format::month_day(block.block_date);
    match (block.is_recurring, block.recurrence_end_date) {
        (true, None) => ["from ", &first, " on"].concat(),
        (true, Some(last)) if block.block_date < last => {
            ["from ", &first, " to ", &format::month_day(last)].concat()
        }
        _ => "on ".to_owned() + &first,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::service::ServiceType;
    use crate::{Id, Instant};

    fn day(text: &str) -> Date {
        text.parse().unwrap()
    }

    fn ill() -> BlockedTime {
        BlockedTime {
            start_time: Time::hour(0),
            end_time: Time::from_minutes(23 * 60 + 59),
            block_type: BlockType::Sick,
            is_recurring: true,
            recurrence_pattern: Some(Recurrence::Daily),
            recurrence_end_date: Some(day("2026-12-02")),
            ..BlockedTime::new(Id::of(1), day("2026-11-30"))
        }
    }

    fn told(date: &str, to: Option<&str>) -> ToldVisit {
        ToldVisit {
            was: (day(date), Time::hour(12)),
            until: None,
            to: to.map(|it| (day(it), Time::hour(15))),
        }
    }

    #[track_caller]
    fn says(block: &BlockedTime, visits: &[ToldVisit], text: &str) {
        assert_eq!(message(block, visits, HourCycle::H12), text);
    }

    #[test]
    fn a_message_names_the_days_and_what_becomes_of_each_visit() {
        says(
            &ill(),
            &[told("2026-11-30", None), told("2026-12-01", None)],
            "I am ill from Nov 30 to Dec 2. Your visits on Mon Nov 30, 12:00 PM and Tue Dec 1, 12:00 PM are cancelled.",
        );
        says(
            &ill(),
            &[
                told("2026-11-30", None),
                told("2026-12-01", Some("2026-12-03")),
            ],
            "I am ill from Nov 30 to Dec 2. Your visit on Mon Nov 30, 12:00 PM is cancelled. \
             Your visit on Tue Dec 1, 12:00 PM is on Thu Dec 3, 3:00 PM instead.",
        );
        let stay = || ToldVisit {
            until: Some(day("2026-12-04")),
            ..told("2026-11-29", None)
        };
        says(
            &BlockedTime {
                block_type: BlockType::Vacation,
                is_recurring: false,
                ..ill()
            },
            &[stay()],
            "I am on vacation on Nov 30. Your stay from Nov 29 to Dec 4 is cancelled.",
        );
        says(
            &ill(),
            &[told("2026-11-30", None), stay()],
            "I am ill from Nov 30 to Dec 2. These are cancelled: your visit on Mon Nov 30, 12:00 PM and your stay from \
             Nov 29 to Dec 4.",
        );
        let weekly = BlockedTime {
            recurrence_pattern: Some(Recurrence::Weekly),
            ..ill()
        };
        let visits = [told("2026-11-30", None)];
        says(
            &weekly,
            &visits,
            "Your visit on Mon Nov 30, 12:00 PM is cancelled.",
        );
    }

    #[test]
    fn a_message_about_many_visits_counts_them() {
        let visits: Vec<ToldVisit> = (0..11)
            .map(|it| ToldVisit {
                was: (day("2026-11-30").plus_days(it), Time::hour(12)),
                until: None,
                to: None,
            })
            .collect();
        says(
            &ill(),
            &visits,
            "I am ill from Nov 30 to Dec 2. Your 11 visits from Nov 30 to Dec 10 are cancelled.",
        );
        let stay = ToldVisit {
            until: Some(day("2026-12-14")),
            ..told("2026-12-09", None)
        };
        let visits: Vec<ToldVisit> = visits.into_iter().chain([stay]).collect();
        says(
            &ill(),
            &visits,
            "I am ill from Nov 30 to Dec 2. Your 11 visits and 1 stay from Nov 30 to Dec 14 are cancelled.",
        );
    }

    #[test]
    fn a_visit_stands_in_a_time_that_it_overlaps_and_a_stay_in_a_whole_day() {
        let visit = |date: &str, hour, minutes| Service {
            date: day(date),
            start_time: Time::hour(hour),
            duration_minutes: minutes,
            ..Service::new(Id::of(2), Instant(0))
        };
        let lunch = BlockedTime::new(Id::of(1), day("2026-11-30"));
        assert!(stands_in(&lunch, &visit("2026-11-30", 12, 30)));
        assert!(!stands_in(&lunch, &visit("2026-11-30", 13, 30)));
        assert!(!stands_in(&lunch, &visit("2026-12-01", 12, 30)));
        assert!(
            stands_in(&ill(), &visit("2026-11-29", 23, 120)),
            "over midnight"
        );
        let stay = Service {
            end_date: Some(day("2026-11-30")),
            ..visit("2026-11-28", 9, 30)
        };
        assert!(stands_in(&ill(), &stay));
        assert!(!stands_in(&lunch, &stay), "a lunch break ends no stay");
        let only_walks = BlockedTime {
            blocked_services: vec![ServiceType::Dropin],
            ..ill()
        };
        assert!(!stands_in(&only_walks, &visit("2026-11-30", 12, 30)));
    }
}
