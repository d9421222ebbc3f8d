//! Owns what the commands about hours, blocked times and slot settings do.

use serde::Serialize;

use crate::commands::decision::{
    About, Context, Decision, Effect, Intent, Need, Shows, changed, delete_row, overwritten,
    removal, row,
};
use crate::rows::availability_config::AvailabilityConfig;
use crate::rows::blocked_time::BlockedTime;
use crate::rows::row::{Change, RowKey, TableName};
use crate::rows::series::Series;
use crate::rules::availability::{blocked_time_errors, config_errors, new_pattern, valid_pattern};
use crate::rules::series::{days_ahead, due_on};
use crate::values::bounds::{self, check_room};
use crate::values::json::read_by_field;
use crate::values::patch::{Merged, Patch};
use crate::{Business, Date, Id, Refusal};

/// Adds hours of a weekday.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CreatePattern {
    /// The new pattern's id.
    pub id: Id,
    /// Fields of the pattern; missing ones have their defaults.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<Pattern>"))]
    pub pattern: Patch,
}

read_by_field!(CreatePattern { id, pattern });

impl Intent for CreatePattern {
    fn needs(&self, _: &Business, _: &Context) -> Vec<Need> {
        vec![
            row(TableName::Pattern, self.id),
            Need::Table(TableName::AvailabilityConfig),
            Need::Count(TableName::Pattern),
        ]
    }

    fn decide(&self, business: &Business, _: &Context) -> Result<Decision, Refusal> {
        create_pattern(self.id, &self.pattern, business)
    }

    fn about(&self) -> About {
        About::row("Availability", Effect::Makes, TableName::Pattern, self.id)
    }
}

/// Changes hours, their active state among it.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UpdatePattern {
    /// Id of the pattern.
    pub id: Id,
    /// The touched fields.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<Pattern>"))]
    pub changes: Patch,
}

read_by_field!(UpdatePattern { id, changes });

impl Intent for UpdatePattern {
    fn needs(&self, _: &Business, _: &Context) -> Vec<Need> {
        vec![
            row(TableName::Pattern, self.id),
            changed(TableName::Pattern, self.id),
        ]
    }

    fn decide(&self, business: &Business, _: &Context) -> Result<Decision, Refusal> {
        update_pattern(self.id, &self.changes, business)
    }

    fn about(&self) -> About {
        About::row("Availability", Effect::Changes, TableName::Pattern, self.id)
    }
}

/// Deletes hours.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeletePattern {
    /// Id of the pattern.
    pub id: Id,
}

read_by_field!(DeletePattern { id });

impl Intent for DeletePattern {
    fn needs(&self, _: &Business, _: &Context) -> Vec<Need> {
        vec![
            row(TableName::Pattern, self.id),
            changed(TableName::Pattern, self.id),
        ]
    }

    fn decide(&self, business: &Business, _: &Context) -> Result<Decision, Refusal> {
        delete_pattern(self.id, business)
    }

    fn about(&self) -> About {
        About::row("Availability", Effect::Removes, TableName::Pattern, self.id)
    }
}

/// Blocks a time.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CreateBlockedTime {
    /// The new block's id.
    pub id: Id,
    /// Fields of the blocked time; missing ones have their defaults.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<BlockedTime>"))]
    pub blocked_time: Patch,
}

read_by_field!(CreateBlockedTime { id, blocked_time });

impl Intent for CreateBlockedTime {
    fn needs(&self, _: &Business, _: &Context) -> Vec<Need> {
        vec![
            row(TableName::BlockedTime, self.id),
            Need::Count(TableName::BlockedTime),
        ]
    }

    fn decide(&self, business: &Business, _: &Context) -> Result<Decision, Refusal> {
        create_blocked_time(self.id, &self.blocked_time, business)
    }

    fn about(&self) -> About {
        About::row(
            "Availability",
            Effect::Makes,
            TableName::BlockedTime,
            self.id,
        )
    }
}

/// Frees a blocked time.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeleteBlockedTime {
    /// Id of the blocked time.
    pub id: Id,
}

read_by_field!(DeleteBlockedTime { id });

impl Intent for DeleteBlockedTime {
    fn needs(&self, _: &Business, _: &Context) -> Vec<Need> {
        vec![row(TableName::BlockedTime, self.id)]
    }

    fn decide(&self, business: &Business, _: &Context) -> Result<Decision, Refusal> {
        delete_blocked_time(self.id, business)
    }

    fn about(&self) -> About {
        About::row(
            "Availability",
            Effect::Removes,
            TableName::BlockedTime,
            self.id,
        )
    }
}

/// Changes slot settings.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UpdateAvailabilityConfig {
    /// The touched fields.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<AvailabilityConfig>"))]
    pub changes: Patch,
}

read_by_field!(UpdateAvailabilityConfig { changes });

impl Intent for UpdateAvailabilityConfig {
    fn needs(&self, business: &Business, _: &Context) -> Vec<Need> {
        let mut needs = vec![Need::Table(TableName::AvailabilityConfig)];
        if self.changes.names("series_weeks_ahead") {
            needs.push(Need::Table(TableName::Series));
        }
        let config = business.config();
        needs.extend(config.map(|it| changed(TableName::AvailabilityConfig, it.id)));
        needs
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        update_config(&self.changes, business, ctx)
    }

    fn about(&self) -> About {
        About {
            shows: Shows::Only(TableName::AvailabilityConfig),
            ..About::of("Availability", Effect::Changes)
        }
    }
}

/// Adds hours of a weekday.
fn create_pattern(id: Id, patch: &Patch, business: &Business) -> Result<Decision, Refusal> {
    if business.patterns.contains_key(&id) {
        return Err(Refusal::Taken);
    }
    let there_are = business.count(TableName::Pattern, business.patterns.len());
    check_room("patterns", there_are, bounds::PATTERNS)?;
    let pattern = valid_pattern(patch, &new_pattern(id, business))?;
    Ok(Change::from(pattern).into())
}

/// Merges `patch` into a pattern; reports the fields that others had changed in between.
fn update_pattern(id: Id, patch: &Patch, business: &Business) -> Result<Decision, Refusal> {
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

/// Deletes a pattern, unless another device changed it after the sender had last seen it.
fn delete_pattern(id: Id, business: &Business) -> Result<Decision, Refusal> {
    business.patterns.get(&id).ok_or(Refusal::Gone)?;
    delete_row(TableName::Pattern, id, business)
}

/// Blocks a time.
fn create_blocked_time(id: Id, patch: &Patch, business: &Business) -> Result<Decision, Refusal> {
    Ok(Change::from(valid_block(id, patch, business)?).into())
}

/// A new blocked time with these fields, if it is valid and there is room for it.
pub(super) fn valid_block(
    id: Id,
    patch: &Patch,
    business: &Business,
) -> Result<BlockedTime, Refusal> {
    if business.blocked_times.contains_key(&id) {
        return Err(Refusal::Taken);
    }
    let there_are = business.count(TableName::BlockedTime, business.blocked_times.len());
    check_room("blocked_times", there_are, bounds::BLOCKED_TIMES)?;
    let block = new_block(id, patch);
    let errors = blocked_time_errors(&block, patch);
    Ok(block.or_errors(errors)?)
}

/// A new blocked time with these fields, whatever is wrong with them.
pub(crate) fn new_block(id: Id, patch: &Patch) -> Merged<BlockedTime> {
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
    block
}

/// Frees a blocked time.
fn delete_blocked_time(id: Id, business: &Business) -> Result<Decision, Refusal> {
    business.blocked_times.get(&id).ok_or(Refusal::Gone)?;
    Ok(removal(TableName::BlockedTime, id).into())
}

/// Changes slot settings.
fn update_config(patch: &Patch, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
    let current = business.config().ok_or(Refusal::Gone)?;
    let config = patch.merge(current, AvailabilityConfig::EDITABLE);
    let errors = config_errors(&config);
    let config = config.or_errors(errors)?;
    let key = RowKey {
        table: TableName::AvailabilityConfig,
        id: current.id,
    };
    let adjustments = overwritten(business, key, patch);
    let mut changes = Vec::new();
    if config.series_weeks_ahead != current.series_weeks_ahead {
        changes.extend(due_anew(&config, business, ctx));
    }
    if config != *current {
        changes.push(config.into());
    }
    Ok(Decision {
        changes,
        adjustments,
        ..Decision::default()
    })
}

/// The series whose visits are due on another day with these settings. What is made already stays.
fn due_anew(config: &AvailabilityConfig, business: &Business, ctx: &Context) -> Vec<Change> {
    let days = days_ahead(Some(config));
    let today = ctx.now.today();
    let series = business.series.values().map(|it| &it.row);
    let due = series.map(|it| (it, due_on(it, today, days)));
    let changed = due.filter(|(it, due_on)| it.due_on != *due_on);
    changed
        .map(|(it, due_on)| {
            Change::from(Series {
                due_on,
                ..it.clone()
            })
        })
        .collect()
}
