//! Owns what the commands about hours, blocked times and slot settings do.

use crate::commands::decision::{Decision, delete_row, overwritten, removal};
use crate::rows::availability_config::AvailabilityConfig;
use crate::rows::blocked_time::BlockedTime;
use crate::rows::row::{Change, RowKey, TableName};
use crate::rules::availability::{blocked_time_errors, config_errors, new_pattern, valid_pattern};
use crate::values::bounds::{self, check_room};
use crate::values::patch::Patch;
use crate::{Business, Date, Id, Refusal};

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
