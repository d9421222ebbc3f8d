//! Owns what the commands about the profile and the settings do.

use serde::Serialize;

use crate::commands::decision::{
    About, Context, Decision, Effect, Intent, Need, Shows, changed, check_photo, overwritten, photo,
};
use crate::rows::invoicing::Invoicing;
use crate::rows::offering::Offering;
use crate::rows::row::{RowKey, TableName};
use crate::rows::sitter::Sitter;
use crate::rules::sitter::{errors, merge};
use crate::values::json::read_by_field;
use crate::values::patch::Patch;
use crate::{Business, Change, Refusal};

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
        if self.changes.names("invoicing") {
            needs.push(Need::Table(TableName::Offering));
        }
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
    let mut changes = renamed_rates(current, &sitter, business);
    if sitter != *current {
        changes.push(sitter.into());
    }
    Ok(Decision {
        changes,
        adjustments,
        ..Decision::default()
    })
}

/// Gives offerings the new name of a tax rate that was renamed where it stands: they follow a rate by its name.
fn renamed_rates(before: &Sitter, after: &Sitter, business: &Business) -> Vec<Change> {
    let (was, is) = (&before.invoicing, &after.invoicing);
    if was.more_taxes.len() != is.more_taxes.len() {
        return Vec::new();
    }
    let has = |invoicing: &Invoicing, name: &str| {
        let mut rates = invoicing.tax.iter().chain(&invoicing.more_taxes);
        rates.any(|it| it.name == name)
    };
    let places = was.more_taxes.iter().zip(&is.more_taxes);
    let places = places.chain(was.tax.as_ref().zip(is.tax.as_ref()));
    let renamed: Vec<(&str, &str)> = places
        .map(|(was, is)| (was.name.as_str(), is.name.as_str()))
        .filter(|(old, new)| !has(is, old) && !has(was, new))
        .collect();
    let offerings = business.offerings.values();
    let follow = offerings.filter_map(|it| {
        let name = it.row.tax_name.as_deref()?;
        let (_, new) = renamed.iter().find(|(old, _)| *old == name)?;
        let offering = Offering {
            tax_name: Some((*new).to_owned()),
            ..it.row.clone()
        };
        Some(offering.into())
    });
    follow.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::decide;
    use crate::rows::row::Row;
    use crate::values::zone::TimeZone;
    use crate::{Id, Instant, Now};

    const ME: Id = Id::of(1);

    fn rate(name: &str, percent: u32) -> serde_json::Value {
        serde_json::json!({ "name": name, "rate": percent * 100, "included": false })
    }

    fn save(business: &mut Business, invoicing: &serde_json::Value) {
        let changes = serde_json::json!({ "invoicing": invoicing });
        let command = UpdateProfile {
            changes: serde_json::from_value(changes).unwrap(),
        };
        let ctx = Context::at(Now {
            at: Instant(0),
            zone: TimeZone::UTC,
        });
        let decision = decide(&command.into(), business, &ctx).unwrap();
        business.apply(1, &decision.changes);
    }

    #[test]
    fn an_offering_keeps_its_rate_when_that_is_renamed() {
        let mut business = Business::default();
        business.put(
            1,
            Row::Sitter(Sitter::new(
                ME,
                "Mara".into(),
                "mara@example.com".into(),
                "UTC".into(),
                Instant(0),
            )),
        );
        let mut offering = Offering::new(Id::of(2), Instant(0));
        offering.tax_name = Some("Reduced".to_owned());
        business.put(1, Row::Offering(offering));
        let name = |business: &Business| {
            let offering = business.offerings.get(&Id::of(2));
            offering.and_then(|it| it.row.tax_name.clone()).unwrap()
        };
        let (usual, reduced) = (rate("VAT", 20), rate("Reduced", 5));
        let both = serde_json::json!({ "tax": usual, "more_taxes": [reduced] });
        save(&mut business, &both);
        assert_eq!(name(&business), "Reduced");
        let renamed = serde_json::json!({ "tax": usual, "more_taxes": [rate("Low", 6)] });
        save(&mut business, &renamed);
        assert_eq!(name(&business), "Low");
        // It becomes the default, and the default a further one.
        let turned = serde_json::json!({ "tax": rate("Low", 6), "more_taxes": [usual] });
        save(&mut business, &turned);
        assert_eq!(name(&business), "Low");
        let default = serde_json::json!({ "tax": rate("Lower", 6), "more_taxes": [usual] });
        save(&mut business, &default);
        assert_eq!(name(&business), "Lower");
        let removed = serde_json::json!({ "tax": usual });
        save(&mut business, &removed);
        assert_eq!(name(&business), "Lower", "it comes back with its rate");
    }
}
