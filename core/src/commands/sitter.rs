//! Owns what the commands about the profile and the settings do.

use crate::commands::decision::{Decision, check_photo, overwritten};
use crate::rows::row::{RowKey, TableName};
use crate::rules::sitter::{errors, merge};
use crate::values::patch::Patch;
use crate::{Business, Refusal};

/// Changes the profile or the settings.
pub(crate) fn update(patch: &Patch, business: &Business) -> Result<Decision, Refusal> {
    let current = business.sitter().ok_or(Refusal::Gone)?;
    let sitter = merge(current, patch);
    let errors = errors(&sitter);
    let sitter = sitter.or_errors(errors)?;
    check_photo(business, patch)?;
    let key = RowKey {
        table: TableName::Sitter,
        id: current.id,
    };
    let adjustments = overwritten(business, key, patch);
    let changes = if sitter == *current {
        Vec::new()
    } else {
        vec![sitter.into()]
    };
    Ok(Decision {
        changes,
        adjustments,
        ..Decision::default()
    })
}
