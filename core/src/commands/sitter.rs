//! Owns what the commands about the profile and the settings do.

use serde::Serialize;

use crate::commands::decision::{
    About, Context, Decision, Effect, Intent, Need, Shows, changed, check_photo, overwritten, photo,
};
use crate::rows::row::{RowKey, TableName};
use crate::rules::sitter::{errors, merge};
use crate::values::json::read_by_field;
use crate::values::patch::Patch;
use crate::{Business, Refusal};

/// Changes the profile or the settings.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UpdateProfile {
    /// The touched fields.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<Sitter>"))]
    pub changes: Patch,
}

read_by_field!(UpdateProfile { changes });

impl Intent for UpdateProfile {
    fn needs(&self, business: &Business, ctx: &Context) -> Vec<Need> {
        let mut needs = vec![Need::Table(TableName::Sitter)];
        needs.extend(photo(&self.changes, ctx));
        needs.extend(
            business
                .sitter()
                .map(|it| changed(TableName::Sitter, it.id)),
        );
        needs
    }

    fn decide(&self, business: &Business, _: &Context) -> Result<Decision, Refusal> {
        update(&self.changes, business)
    }

    fn about(&self) -> About {
        About {
            shows: Shows::Only(TableName::Sitter),
            ..About::of("Profile", Effect::Changes)
        }
    }
}

/// Changes the profile or the settings.
fn update(patch: &Patch, business: &Business) -> Result<Decision, Refusal> {
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
