//! Owns which fields people set in which rows, all together: what a value means is known by its field's name.

use crate::rows::availability_config::AvailabilityConfig;
use crate::rows::blocked_time::BlockedTime;
use crate::rows::client::Client;
use crate::rows::offering::Offering;
use crate::rows::pattern::Pattern;
use crate::rows::pet::Pet;
use crate::rows::service::{PriceOverride, Service};
use crate::rows::sitter::Sitter;
use crate::values::field::{Field, FieldKind};

const ALL: [&[Field]; 10] = [
    Sitter::EDITABLE,
    Client::EDITABLE,
    Pet::EDITABLE,
    Offering::EDITABLE,
    Pattern::EDITABLE,
    BlockedTime::EDITABLE,
    AvailabilityConfig::EDITABLE,
    Service::EDITABLE,
    Service::RECORD_EDITABLE,
    PriceOverride::EDITABLE,
];

/// The kind of the fields of that name, in whichever row; `Plain` for a name that no row has.
pub fn kind_of(name: &str) -> FieldKind {
    let mut fields = ALL.iter().copied().flatten();
    fields
        .find(|it| it.name == name)
        .map_or(FieldKind::Plain, |it| it.kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::service::PriceBreakdown;
    use crate::values::patch::Patch;
    use crate::{Cents, Date, Id, Instant};
    use serde::Serialize;
    use serde::de::DeserializeOwned;
    use serde_json::{Value, json};

    /// What the row's type makes of the value.
    fn merged<T: Serialize + DeserializeOwned + Clone>(
        row: &T,
        field: Field,
        value: Value,
    ) -> Option<Value> {
        let merged = Patch::of(field.name, value).merge(row, &[field]);
        let json = serde_json::to_value(&merged.row).unwrap();
        merged
            .malformed
            .is_empty()
            .then(|| json[field.name].clone())
    }

    fn check<T: Serialize + DeserializeOwned + Clone>(row: &T, fields: &[Field]) {
        for field in fields {
            let takes = |value: Value| merged(row, *field, value.clone()) == Some(value);
            let takes_words = takes(json!("tomorrow"));
            // Money alone has cents and no more.
            let found = if takes(json!(0.33)) && !takes(json!(0.333)) {
                FieldKind::Money
            } else if takes(json!("2026-11-20")) && !takes_words {
                FieldKind::Date
            } else if takes(json!("09:30")) && !takes_words {
                FieldKind::Time
            } else {
                FieldKind::Plain
            };
            assert_eq!(found, field.kind, "{}", field.name);
            assert_eq!(
                kind_of(field.name),
                field.kind,
                "{} in several rows",
                field.name
            );
        }
    }

    #[test]
    fn every_field_is_of_the_kind_that_its_type_says() {
        let (id, at, date) = (Id::of(1), Instant(0), Date::default());
        let sitter = Sitter::new(id, String::new(), String::new(), String::new(), at);
        check(&sitter, Sitter::EDITABLE);
        check(&Client::new(id, at), Client::EDITABLE);
        check(&Pet::new(id, id), Pet::EDITABLE);
        check(&Offering::new(id, at), Offering::EDITABLE);
        check(&Pattern::new(id), Pattern::EDITABLE);
        check(&BlockedTime::new(id, date), BlockedTime::EDITABLE);
        check(&AvailabilityConfig::new(id), AvailabilityConfig::EDITABLE);
        check(&Service::new(id, at), Service::EDITABLE);
        check(&Service::new(id, at), Service::RECORD_EDITABLE);
        let agreed = PriceOverride {
            amount: PriceBreakdown::agreed(Cents::ZERO, 1).total,
            reason: String::new(),
        };
        check(&agreed, PriceOverride::EDITABLE);
    }
}
