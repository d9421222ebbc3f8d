//! Owns blocked times as their list shows them.

use serde::Serialize;

use crate::rows::blocked_time::BlockedTime;
use crate::rules::availability::order_of_block;
use crate::values::format;
use crate::values::sort::SmallSort as _;
use crate::{Business, Date};

/// A blocked time as a list shows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct BlockedTimeView {
    /// The blocked time itself.
    pub block: BlockedTime,
    /// The first day from today on that it falls on; none when it is over.
    pub next_date: Option<Date>,
    /// `Friday, Nov 20, 2026`, `Every Friday until Dec 18, 2026`.
    pub when: String,
    /// `12:00 PM - 1:00 PM`.
    pub hours: String,
}

/// All blocked times: what comes next first, then what is over, the newest first.
pub fn blocked_times(business: &Business, today: Date) -> Vec<BlockedTimeView> {
    let mut blocks: Vec<&BlockedTime> = business.blocked_times.values().map(|it| &it.row).collect();
    blocks.small_sort_by_key(|it| order_of_block(it, today));
    let views = blocks.into_iter().map(|block| BlockedTimeView {
        next_date: block.next_date(today),
        when: block.when(today),
        hours: format::from_to(block.start_time, block.end_time, business.hour_cycle()),
        block: block.clone(),
    });
    views.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Row;
    use crate::rows::availability_config::AvailabilityConfig;
    use crate::rows::blocked_time::Recurrence;
    use crate::rows::pattern::Pattern;
    use crate::rules::availability::new_pattern;
    use crate::values::id::Id;

    fn day(text: &str) -> Date {
        text.parse().unwrap()
    }

    fn recurring(first: &str, how: Recurrence, last: Option<&str>) -> BlockedTime {
        BlockedTime {
            is_recurring: true,
            recurrence_pattern: Some(how),
            recurrence_end_date: last.map(day),
            ..BlockedTime::new(Id::of(1), day(first))
        }
    }

    fn check(block: &BlockedTime, today: &str, next: Option<&str>, when: &str) {
        assert_eq!(block.next_date(day(today)), next.map(day));
        assert_eq!(block.when(day(today)), when);
    }

    #[test]
    fn a_blocked_time_tells_in_words_when_it_is_and_when_it_is_next() {
        let once = BlockedTime::new(Id::of(1), day("2026-11-20"));
        check(
            &once,
            "2026-11-20",
            Some("2026-11-20"),
            "Friday, Nov 20, 2026",
        );
        check(&once, "2026-11-21", None, "Friday, Nov 20, 2026");
        let daily = recurring("2026-11-20", Recurrence::Daily, Some("2026-11-24"));
        check(
            &daily,
            "2026-11-18",
            Some("2026-11-20"),
            "Nov 20, 2026 to Nov 24, 2026",
        );
        check(
            &daily,
            "2026-11-24",
            Some("2026-11-24"),
            "Nov 20, 2026 to Nov 24, 2026",
        );
        check(&daily, "2026-11-25", None, "Nov 20, 2026 to Nov 24, 2026");
        let of_one_day = recurring("2026-11-20", Recurrence::Daily, Some("2026-11-20"));
        check(&of_one_day, "2026-11-21", None, "Friday, Nov 20, 2026");
        let endless = recurring("2026-11-20", Recurrence::Daily, None);
        check(&endless, "2026-11-21", Some("2026-11-21"), "Every day");
        let weekly = recurring("2026-11-20", Recurrence::Weekly, None);
        check(&weekly, "2026-11-21", Some("2026-11-27"), "Every Friday");
        let monthly = recurring("2026-12-31", Recurrence::Monthly, None);
        check(
            &monthly,
            "2027-02-01",
            Some("2027-03-31"),
            "Day 31 of every month",
        );
    }

    #[test]
    fn blocked_times_are_listed_by_what_comes_next_and_what_is_over_comes_last() {
        let mut business = Business::default();
        for (n, date) in [(1, "2026-11-01"), (2, "2026-12-01"), (3, "2026-11-10")] {
            let block = BlockedTime::new(Id::of(n), day(date));
            business.put(1, Row::BlockedTime(block));
        }
        let weekly = BlockedTime {
            id: Id::of(4),
            ..recurring("2026-10-02", Recurrence::Weekly, None)
        };
        business.put(1, Row::BlockedTime(weekly));
        let listed = blocked_times(&business, day("2026-11-20"));
        let ids: Vec<Id> = listed.iter().map(|it| it.block.id).collect();
        assert_eq!(ids, [4, 2, 3, 1].map(Id::of));
        assert!(listed.iter().all(|it| it.hours == "12:00 PM - 1:00 PM"));
    }

    #[test]
    fn a_new_pattern_has_the_defaults_with_the_buffer_of_the_settings() {
        let mut business = Business::default();
        assert_eq!(new_pattern(Id::of(2), &business), Pattern::new(Id::of(2)));
        let config = AvailabilityConfig {
            default_buffer_minutes: 5,
            ..AvailabilityConfig::new(Id::of(1))
        };
        business.put(1, Row::AvailabilityConfig(config));
        assert_eq!(new_pattern(Id::of(2), &business).buffer_minutes, 5);
    }
}
