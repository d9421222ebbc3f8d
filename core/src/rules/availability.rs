//! Owns what makes hours, blocked times and slot settings valid (SPEC 5).

use crate::rows::availability_config::AvailabilityConfig;
use crate::rows::blocked_time::BlockedTime;
use crate::rows::pattern::Pattern;
use crate::rules::series::{WEEKS_AHEAD, WEEKS_AHEAD_BOUNDS};
use crate::values::bounds::{BUFFER_LIMIT_MINUTES, DURATION_LIMIT_MINUTES};
use crate::values::form_errors::FieldErrors;
use crate::values::patch::{Merged, Patch};
use crate::{Business, Date, Id};

/// A new pattern before anyone says otherwise: the defaults of SPEC 9 with the business's own buffer.
pub fn new_pattern(id: Id, business: &Business) -> Pattern {
    let mut pattern = Pattern::new(id);
    if let Some(config) = business.config() {
        pattern.buffer_minutes = config.default_buffer_minutes;
    }
    pattern
}

/// Sort key of a blocked time in lists: upcoming ones first, by their next day, then those that are over, the newest
/// first.
pub fn order_of_block(block: &BlockedTime, today: Date) -> (bool, i64, i64, Id) {
    let minute = i64::from(block.start_time.minute_of_day());
    match block.next_date(today) {
        Some(next) => (false, next.days_since_epoch(), minute, block.id),
        None => (
            true,
            -block.block_date.days_since_epoch(),
            -minute,
            block.id,
        ),
    }
}

/// Returns the errors of a pattern form (SPEC 5). An end before the start is no error.
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

pub(crate) fn valid_pattern(patch: &Patch, current: &Pattern) -> Result<Pattern, FieldErrors> {
    let pattern = patch.merge(current, Pattern::EDITABLE);
    let errors = pattern_errors(&pattern);
    pattern.or_errors(errors)
}

/// Returns the errors of the form of a new blocked time (SPEC 5).
pub(crate) fn blocked_time_errors(block: &Merged<BlockedTime>, patch: &Patch) -> FieldErrors {
    let row = &block.row;
    let bad = |field: &str| block.is_malformed(field);
    let mut errors = FieldErrors::default();
    let has_date = !bad("block_date") && patch.has("block_date");
    errors.check(!has_date, "block_date", "Date is required");
    errors.check(bad("start_time"), "start_time", "Start time is required");
    errors.check(bad("end_time"), "end_time", "End time is required");
    errors.check(
        has_date
            && row
                .recurrence_end_date
                .is_some_and(|it| it < row.block_date),
        "recurrence_end_date",
        "The last day cannot be before the first",
    );
    errors
}

pub(crate) fn config_errors(config: &Merged<AvailabilityConfig>) -> FieldErrors {
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
        (
            "series_weeks_ahead",
            row.series_weeks_ahead.unwrap_or(WEEKS_AHEAD),
            WEEKS_AHEAD_BOUNDS.0,
            WEEKS_AHEAD_BOUNDS.1,
        ),
    ] {
        let wrong = !(least..=most).contains(&value) || config.is_malformed(field);
        errors.check(wrong, field, format!("Must be between {least} and {most}"));
    }
    errors
}
