//! Owns when a sitter works: weekly patterns, blocked times and their recurrence, and the slot settings (SPEC 3, 5 and 9).

use std::cmp::Reverse;

use serde::Serialize;

use crate::bounds::{self, check_room};
use crate::business::{Change, RowKey, TableName};
use crate::command::{Decision, delete_row, overwritten, removal};
use crate::conflict::Interval;
use crate::field::FieldErrors;
use crate::fields::{read_by_field, read_by_name};
use crate::limits::{BUFFER_LIMIT_MINUTES, DURATION_LIMIT_MINUTES};
use crate::order::Order as _;
use crate::patch::{Merged, Patch};
use crate::service::ServiceType;
use crate::time::MINUTES_PER_DAY;
use crate::{Business, Date, Id, Refusal, Time, format};

/// An availability pattern: hours of one weekday (SPEC 3). Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Pattern {
    /// Made by whoever makes the pattern.
    pub id: Id,
    /// Optional; may be empty.
    #[serde(default)]
    pub pattern_name: String,
    /// 0 = Sunday to 6 = Saturday.
    pub day_of_week: u8,
    /// From.
    pub start_time: Time,
    /// To; nothing checks that it is after the start, and a pattern that ends before it begins holds nothing.
    pub end_time: Time,
    /// What can be booked.
    pub service_types: Vec<ServiceType>,
    /// How many services may run at once; at least 1.
    pub max_concurrent_services: u32,
    /// Kept free before and after each service.
    pub buffer_minutes: u32,
    /// How long ahead clients must book.
    pub min_advance_hours: u32,
    /// How far ahead clients may book.
    pub max_advance_days: u32,
    /// Inactive patterns count for nothing.
    pub is_active: bool,
    /// The highest counts first; at least 1.
    pub priority: u32,
    /// Optional; may be empty.
    #[serde(default)]
    pub notes: String,
}

read_by_field!(Pattern { id, day_of_week, start_time, end_time, service_types, max_concurrent_services,
    buffer_minutes, min_advance_hours, max_advance_days, is_active, priority }
    or default { pattern_name, notes });

/// Why a time is blocked (SPEC 9).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum BlockType {
    /// Break.
    Break,
    /// Lunch.
    #[default]
    Lunch,
    /// Office work.
    Admin,
    /// Personal.
    Personal,
    /// Vacation.
    Vacation,
    /// Sick.
    Sick,
    /// Emergency.
    Emergency,
    /// Maintenance.
    Maintenance,
    /// Other.
    Other,
}

read_by_name!(BlockType {
    Break,
    Lunch,
    Admin,
    Personal,
    Vacation,
    Sick,
    Emergency,
    Maintenance,
    Other
});

/// How a blocked time repeats (decisions, Server-side rules).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Recurrence {
    /// Every day.
    Daily,
    /// Every week on the same weekday.
    #[default]
    Weekly,
    /// Every month on the same day; a month without that day is skipped.
    Monthly,
}

read_by_name!(Recurrence {
    Daily,
    Weekly,
    Monthly
});

/// A time in which nothing is booked (SPEC 3). Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BlockedTime {
    /// Made by whoever blocks the time.
    pub id: Id,
    /// The day, or the first of a recurring block.
    pub block_date: Date,
    /// From.
    pub start_time: Time,
    /// To; a block that ends before it begins blocks nothing.
    pub end_time: Time,
    /// Why.
    pub block_type: BlockType,
    /// Optional; may be empty.
    #[serde(default)]
    pub reason: String,
    /// What it keeps out.
    pub blocked_services: Vec<ServiceType>,
    /// A block that allows emergencies warns and does not refuse.
    pub allows_emergency: bool,
    /// Whether it repeats.
    pub is_recurring: bool,
    /// How it repeats.
    #[serde(default)]
    pub recurrence_pattern: Option<Recurrence>,
    /// The last day on which it may fall, inclusive; none repeats for ever.
    #[serde(default)]
    pub recurrence_end_date: Option<Date>,
}

read_by_field!(BlockedTime { id, block_date, start_time, end_time, block_type, blocked_services,
    allows_emergency, is_recurring }
    or default { reason, recurrence_pattern, recurrence_end_date });

/// The slot settings (SPEC 3, Availability config). Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AvailabilityConfig {
    /// The sitter's id: there is one per business.
    pub id: Id,
    /// How long an offered slot is.
    pub default_slot_duration_minutes: u32,
    /// Steps between starts of slots; at least 5.
    pub slot_interval_minutes: u32,
    /// What a new pattern starts with.
    pub default_buffer_minutes: u32,
    /// How many days of slots clients see.
    pub show_slots_days_ahead: u32,
    /// Whether free slots next to other services are named first.
    pub enable_smart_suggestions: bool,
    /// Whether services are to lie next to each other.
    pub prefer_block_scheduling: bool,
}

read_by_field!(AvailabilityConfig {
    id,
    default_slot_duration_minutes,
    slot_interval_minutes,
    default_buffer_minutes,
    show_slots_days_ahead,
    enable_smart_suggestions,
    prefer_block_scheduling
});

/// What a pattern and a blocked time are for until someone says otherwise.
const BOTH: [ServiceType; 2] = [ServiceType::Walk, ServiceType::Dropin];

impl Pattern {
    /// The fields that a person sets.
    pub const EDITABLE: &[&str] = &[
        "pattern_name",
        "day_of_week",
        "start_time",
        "end_time",
        "service_types",
        "max_concurrent_services",
        "buffer_minutes",
        "min_advance_hours",
        "max_advance_days",
        "is_active",
        "priority",
        "notes",
    ];

    /// A pattern with the defaults of SPEC 9, on Sunday.
    pub fn new(id: Id) -> Self {
        Self {
            id,
            pattern_name: String::new(),
            day_of_week: 0,
            start_time: Time::hour(9),
            end_time: Time::hour(17),
            service_types: BOTH.to_vec(),
            max_concurrent_services: 1,
            buffer_minutes: 15,
            min_advance_hours: 24,
            max_advance_days: 30,
            is_active: true,
            priority: 1,
            notes: String::new(),
        }
    }
}

impl BlockedTime {
    /// The fields that a person sets.
    pub const EDITABLE: &[&str] = &[
        "block_date",
        "start_time",
        "end_time",
        "block_type",
        "reason",
        "blocked_services",
        "allows_emergency",
        "is_recurring",
        "recurrence_pattern",
        "recurrence_end_date",
    ];

    /// A blocked time with the defaults of SPEC 9.
    pub fn new(id: Id, block_date: Date) -> Self {
        Self {
            id,
            block_date,
            start_time: Time::hour(12),
            end_time: Time::hour(13),
            block_type: BlockType::Lunch,
            reason: String::new(),
            blocked_services: BOTH.to_vec(),
            allows_emergency: false,
            is_recurring: false,
            recurrence_pattern: None,
            recurrence_end_date: None,
        }
    }

    /// Whether it falls on that day, the last day of its recurrence included.
    pub fn occurs_on(&self, date: Date) -> bool {
        if !self.is_recurring {
            return date == self.block_date;
        }
        if date < self.block_date || self.recurrence_end_date.is_some_and(|last| last < date) {
            return false;
        }
        match self.recurrence_pattern.unwrap_or_default() {
            Recurrence::Daily => true,
            Recurrence::Weekly => date.day_of_week() == self.block_date.day_of_week(),
            // A month without that day has no date with its number, and so is skipped.
            Recurrence::Monthly => date.parts().2 == self.block_date.parts().2,
        }
    }

    /// The first day from `today` on that it falls on; none when it is over.
    pub fn next_date(&self, today: Date) -> Option<Date> {
        let from = today.max(self.block_date);
        (0..=LONGEST_GAP_DAYS)
            .map(|it| from.plus_days(it))
            .find(|it| self.occurs_on(*it))
    }

    /// The days that it falls on, in words.
    fn when(&self, today: Date) -> String {
        let first = self.block_date;
        if !self.is_recurring {
            return format!("{}, {}", format::weekday(first), format::date(first));
        }
        let mut words = match self.recurrence_pattern.unwrap_or_default() {
            Recurrence::Daily => "Every day".to_owned(),
            Recurrence::Weekly => format!("Every {}", format::weekday(first)),
            Recurrence::Monthly => format!("Day {} of every month", first.parts().2),
        };
        if today < first {
            words.push_str(" from ");
            words.push_str(&format::date(first));
        }
        if let Some(last) = self.recurrence_end_date {
            words.push_str(" until ");
            words.push_str(&format::date(last));
        }
        words
    }

    /// Whether it leaves nothing of its days free, as the form's whole day does.
    pub(crate) fn holds_whole_days(&self) -> bool {
        self.start_time == Time::hour(0) && Time::from_minutes(MINUTES_PER_DAY - 1) <= self.end_time
    }

    /// What it blocks of that day.
    pub(crate) fn interval_on(&self, date: Date) -> Option<Interval> {
        (self.start_time < self.end_time && self.occurs_on(date)).then(|| Interval {
            start: date.minute(self.start_time),
            end: date.minute(self.end_time),
        })
    }
}

impl AvailabilityConfig {
    /// The fields that a person sets.
    pub const EDITABLE: &[&str] = &[
        "default_slot_duration_minutes",
        "slot_interval_minutes",
        "default_buffer_minutes",
        "show_slots_days_ahead",
        "enable_smart_suggestions",
        "prefer_block_scheduling",
    ];

    /// What a new business starts with.
    pub const fn new(sitter_id: Id) -> Self {
        Self {
            id: sitter_id,
            default_slot_duration_minutes: 30,
            slot_interval_minutes: 30,
            default_buffer_minutes: 15,
            show_slots_days_ahead: 14,
            enable_smart_suggestions: true,
            prefer_block_scheduling: false,
        }
    }
}

/// A new pattern before anyone says otherwise: the defaults of SPEC 9 with the business's own buffer.
pub fn new_pattern(id: Id, business: &Business) -> Pattern {
    let mut pattern = Pattern::new(id);
    if let Some(config) = business.config() {
        pattern.buffer_minutes = config.default_buffer_minutes;
    }
    pattern
}

/// A blocked time as a list shows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct BlockedTimeView {
    /// The row.
    pub block: BlockedTime,
    /// The first day from today on that it falls on; none when it is over.
    pub next_date: Option<Date>,
    /// `Friday, Nov 20, 2026`, `Every Friday until Dec 18, 2026`.
    pub when: String,
    /// `12:00 PM - 1:00 PM`.
    pub hours: String,
}

/// The longest that a recurring block is away from a day that it falls on: two months in a row without its day do not
/// exist.
const LONGEST_GAP_DAYS: i64 = 62;

/// All blocked times: what comes next first, then what is over, the newest first.
pub fn blocked_times(business: &Business, today: Date) -> Vec<BlockedTimeView> {
    let views = business.blocked_times.values().map(|it| {
        let block = it.row.clone();
        BlockedTimeView {
            next_date: block.next_date(today),
            when: block.when(today),
            hours: format::from_to(block.start_time, block.end_time, business.hour_cycle()),
            block,
        }
    });
    let (mut ahead, mut over): (Vec<_>, Vec<_>) = views.partition(|it| it.next_date.is_some());
    ahead.order_by_key(|it| (it.next_date, it.block.start_time, it.block.id));
    over.order_by_key(|it| Reverse((it.block.block_date, it.block.start_time, it.block.id)));
    ahead.append(&mut over);
    ahead
}

/// Adds hours of a weekday.
pub(crate) fn create_pattern(
    id: Id,
    patch: &Patch,
    business: &Business,
) -> Result<Decision, Refusal> {
    if business.patterns.contains_key(&id) {
        return Err(Refusal::Taken);
    }
    let there_are = business.count(TableName::Pattern, business.patterns.len());
    check_room("patterns", there_are, bounds::PATTERNS)?;
    let pattern = valid_pattern(patch, &new_pattern(id, business))?;
    Ok(Change::from(pattern).into())
}

/// Changes hours.
pub(crate) fn update_pattern(
    id: Id,
    patch: &Patch,
    business: &Business,
) -> Result<Decision, Refusal> {
    let current = &business.patterns.get(&id).ok_or(Refusal::Gone)?.row;
    let pattern = valid_pattern(patch, current)?;
    let adjustments = overwritten(
        business,
        RowKey {
            table: TableName::Pattern,
            id,
        },
        patch,
    );
    let changes = if pattern == *current {
        Vec::new()
    } else {
        vec![pattern.into()]
    };
    Ok(Decision {
        changes,
        adjustments,
        ..Decision::default()
    })
}

/// Deletes hours.
pub(crate) fn delete_pattern(id: Id, business: &Business) -> Result<Decision, Refusal> {
    business.patterns.get(&id).ok_or(Refusal::Gone)?;
    delete_row(TableName::Pattern, id, business)
}

/// Blocks a time.
pub(crate) fn create_blocked_time(
    id: Id,
    patch: &Patch,
    business: &Business,
) -> Result<Decision, Refusal> {
    if business.blocked_times.contains_key(&id) {
        return Err(Refusal::Taken);
    }
    let there_are = business.count(TableName::BlockedTime, business.blocked_times.len());
    check_room("blocked_times", there_are, bounds::BLOCKED_TIMES)?;
    let mut block = patch.merge(
        &BlockedTime::new(id, Date::default()),
        BlockedTime::EDITABLE,
    );
    if block.row.is_recurring {
        block.row.recurrence_pattern.get_or_insert_default();
    } else {
        block.row.recurrence_pattern = None;
        block.row.recurrence_end_date = None;
    }
    let errors = blocked_time_errors(&block, patch);
    Ok(Change::from(block.or_errors(errors)?).into())
}

/// Frees a blocked time.
pub(crate) fn delete_blocked_time(id: Id, business: &Business) -> Result<Decision, Refusal> {
    business.blocked_times.get(&id).ok_or(Refusal::Gone)?;
    Ok(removal(TableName::BlockedTime, id).into())
}

/// Changes slot settings.
pub(crate) fn update_config(patch: &Patch, business: &Business) -> Result<Decision, Refusal> {
    let current = business.config().ok_or(Refusal::Gone)?;
    let config = patch.merge(current, AvailabilityConfig::EDITABLE);
    let errors = config_errors(&config);
    let config = config.or_errors(errors)?;
    let key = RowKey {
        table: TableName::AvailabilityConfig,
        id: current.id,
    };
    let adjustments = overwritten(business, key, patch);
    let changes = if config == *current {
        Vec::new()
    } else {
        vec![config.into()]
    };
    Ok(Decision {
        changes,
        adjustments,
        ..Decision::default()
    })
}

/// What is wrong with a pattern form (SPEC 5); that the end is after the start is not checked.
fn pattern_errors(pattern: &Merged<Pattern>) -> FieldErrors {
    let row = &pattern.row;
    let bad = |field: &str| pattern.is_malformed(field);
    let mut errors = FieldErrors::default();
    errors.check(
        6 < row.day_of_week || bad("day_of_week"),
        "day_of_week",
        "Day of week is required",
    );
    errors.check(bad("start_time"), "start_time", "Start time is required");
    errors.check(bad("end_time"), "end_time", "End time is required");
    errors.check(
        row.service_types.is_empty(),
        "service_types",
        "At least one service type is required",
    );
    errors.check(
        row.max_concurrent_services < 1 || bad("max_concurrent_services"),
        "max_concurrent_services",
        "Max concurrent services must be at least 1",
    );
    errors.check(
        bad("buffer_minutes"),
        "buffer_minutes",
        "Buffer minutes must be at least 0",
    );
    errors.check(
        BUFFER_LIMIT_MINUTES < row.buffer_minutes,
        "buffer_minutes",
        format!("Buffer cannot exceed {BUFFER_LIMIT_MINUTES} minutes"),
    );
    errors.check(
        row.priority < 1 || bad("priority"),
        "priority",
        "Priority must be at least 1",
    );
    errors
}

fn valid_pattern(patch: &Patch, current: &Pattern) -> Result<Pattern, FieldErrors> {
    let pattern = patch.merge(current, Pattern::EDITABLE);
    let errors = pattern_errors(&pattern);
    pattern.or_errors(errors)
}

/// What is wrong with the form of a new blocked time (SPEC 5).
fn blocked_time_errors(block: &Merged<BlockedTime>, patch: &Patch) -> FieldErrors {
    let row = &block.row;
    let bad = |field: &str| block.is_malformed(field);
    let mut errors = FieldErrors::default();
    errors.check(
        bad("block_date") || !patch.has("block_date"),
        "block_date",
        "Date is required",
    );
    errors.check(bad("start_time"), "start_time", "Start time is required");
    errors.check(bad("end_time"), "end_time", "End time is required");
    errors.check(
        row.blocked_services.is_empty(),
        "blocked_services",
        "At least one service type is required",
    );
    errors
}

fn config_errors(config: &Merged<AvailabilityConfig>) -> FieldErrors {
    let row = &config.row;
    let mut errors = FieldErrors::default();
    for (field, value, least, most) in [
        (
            "default_slot_duration_minutes",
            row.default_slot_duration_minutes,
            1,
            DURATION_LIMIT_MINUTES,
        ),
        (
            "slot_interval_minutes",
            row.slot_interval_minutes,
            5,
            DURATION_LIMIT_MINUTES,
        ),
        (
            "default_buffer_minutes",
            row.default_buffer_minutes,
            0,
            BUFFER_LIMIT_MINUTES,
        ),
        ("show_slots_days_ahead", row.show_slots_days_ahead, 1, 365),
    ] {
        let wrong = !(least..=most).contains(&value) || config.is_malformed(field);
        errors.check(wrong, field, format!("Must be between {least} and {most}"));
    }
    errors
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Row;

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
            "Every day from Nov 20, 2026 until Nov 24, 2026",
        );
        check(
            &daily,
            "2026-11-24",
            Some("2026-11-24"),
            "Every day until Nov 24, 2026",
        );
        check(&daily, "2026-11-25", None, "Every day until Nov 24, 2026");
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
