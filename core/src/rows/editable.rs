//! Owns which fields people set in which rows, all together: what a value means is known by its field's name.

use crate::rows::availability_config::AvailabilityConfig;
use crate::rows::blocked_time::BlockedTime;
use crate::rows::client::Client;
use crate::rows::expense::Expense;
use crate::rows::offering::Offering;
use crate::rows::pattern::Pattern;
use crate::rows::pet::Pet;
use crate::rows::series::{SeriesPause, SeriesPhase, SeriesPlan, SeriesSlot, Trip};
use crate::rows::service::{PriceOverride, Service};
use crate::rows::sitter::Sitter;
use crate::values::field::{Field, FieldKind};

const ALL: [&[Field]; 16] = [
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
    Expense::EDITABLE,
    SeriesPlan::EDITABLE,
    SeriesPhase::EDITABLE,
    SeriesSlot::EDITABLE,
    SeriesPause::EDITABLE,
    Trip::EDITABLE,
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
    use crate::rows::subscription::Subscription;
    use crate::values::patch::Patch;
    use crate::{Cents, Date, Id, Instant};
    use serde::Serialize;
    use serde::de::DeserializeOwned;
    use serde_json::{Value, json};

    /// Merges the value into the row and returns the field as the row's type writes it back; `None` if it is malformed.
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
            assert_eq!(found, field.kind, "the kind of {} in `row!`", field.name);
            assert_eq!(
                kind_of(field.name),
                field.kind,
                "{} in several rows",
                field.name
            );
        }
    }

    /// Holds each field against its type, and that no field of the row is forgotten: `others` are set by no person.
    fn check_all<T: Serialize + DeserializeOwned + Clone>(
        row: &T,
        fields: &[Field],
        others: &[&str],
    ) {
        check(row, fields);
        let json = serde_json::to_value(row).unwrap();
        for name in json.as_object().unwrap().keys() {
            let is_editable = fields.iter().any(|it| it.name == name);
            let is_other = others.contains(&name.as_str());
            assert!(
                is_editable != is_other,
                "{name} has a kind in `row!` if people set it, and otherwise its name in `by_others` here; \
                 `RestoreClient` brings back fields with a kind alone"
            );
        }
    }

    #[test]
    fn every_field_is_of_the_kind_that_its_type_says_and_none_is_forgotten() {
        let (id, at, date) = (Id::of(1), Instant(0), Date::default());
        let sitter = Sitter::new(id, String::new(), String::new(), String::new(), at);
        let sitter = Sitter {
            subscription: Some(Subscription::free()),
            ..sitter
        };
        let by_others = ["id", "email", "subscription", "created_at"];
        check_all(&sitter, Sitter::EDITABLE, &by_others);
        let by_others = [
            "id",
            "client_user_id",
            "relationship_type",
            "parent_changes",
            "unread_count",
            "created_at",
        ];
        check_all(&Client::new(id, at), Client::EDITABLE, &by_others);
        check_all(&Pet::new(id, id), Pet::EDITABLE, &["id", "client_id"]);
        let by_others = ["id", "display_order", "created_at"];
        check_all(&Offering::new(id, at), Offering::EDITABLE, &by_others);
        check_all(&Pattern::new(id), Pattern::EDITABLE, &["id"]);
        check_all(&BlockedTime::new(id, date), BlockedTime::EDITABLE, &["id"]);
        let config = AvailabilityConfig::new(id);
        check_all(&config, AvailabilityConfig::EDITABLE, &["id"]);
        let by_others = [
            "id",
            "client_name",
            "dogs",
            "status",
            "pricing_breakdown",
            "invoice_id",
            "offering_name",
            "overlap_ok",
            "progress",
            "delay",
            "stay_terms",
            "completed_at",
            "cancelled_at",
            "series_id",
            "series_slot",
            "series_date",
            "series_off",
            "corrections",
            "live",
            "cancel_reason",
            "tells_cancel_reason",
            "mailed",
            "created_at",
        ];
        let fields = [Service::EDITABLE, Service::RECORD_EDITABLE].concat();
        check_all(&Service::new(id, at), &fields, &by_others);
        let agreed = PriceOverride {
            amount: PriceBreakdown::agreed(Cents::ZERO, 1).total,
            reason: String::new(),
            tells_reason: false,
        };
        check_all(&agreed, PriceOverride::EDITABLE, &[]);
        let expense = Expense::new(id, date, at);
        check_all(&expense, Expense::EDITABLE, &["id", "created_at"]);
        check_all(&SeriesPlan::new(date), SeriesPlan::EDITABLE, &[]);
        let by_others = ["from", "anchor"];
        check_all(&SeriesPhase::new(date), SeriesPhase::EDITABLE, &by_others);
        check_all(&SeriesSlot::new(id), SeriesSlot::EDITABLE, &["id"]);
        check_all(&SeriesPause::new(id, date), SeriesPause::EDITABLE, &["id"]);
        check_all(
            &Trip::new(Date::default()),
            Trip::EDITABLE,
            &["booked_for", "shares"],
        );
    }
}
