//! Owns the field-level patch: a change names only the fields that a person touched, so two people who edit
//! different fields of one row both keep their words.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::field::FieldErrors;

/// Some fields of a row with their new values, by their names in JSON.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct Patch(#[cfg_attr(feature = "openapi", schema(value_type = Object))] pub Map<String, Value>);

/// The field of a row that someone else changed after the sender had last seen it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Overwritten {
    /// The field's name in JSON.
    pub field: String,
    /// What the other had set.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "unknown"))]
    pub theirs: Value,
    /// What this change has set; it stands.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "unknown"))]
    pub yours: Value,
}

impl Patch {
    /// The patch that sets one field.
    pub fn of(field: &str, value: impl Into<Value>) -> Self {
        Self(Map::from_iter([(field.to_owned(), value.into())]))
    }

    /// The patch whose fields `row` has; for fixtures and for REST bodies that send a whole row.
    pub fn from_row(row: &impl Serialize) -> Self {
        match serde_json::to_value(row) {
            Ok(Value::Object(fields)) => Self(fields),
            _ => Self::default(),
        }
    }

    /// `row` with the fields of this patch that are in `editable`; others are ignored, so that nobody sets
    /// what only a rule may set.
    ///
    /// Fails with the fields whose values have the wrong form.
    pub fn apply<T: Serialize + DeserializeOwned>(&self, row: &T, editable: &[&str]) -> Result<T, FieldErrors> {
        let Ok(Value::Object(current)) = serde_json::to_value(row) else {
            return Err(FieldErrors::default());
        };
        let mut merged = current.clone();
        let touched = self.0.iter().filter(|(field, _)| editable.contains(&field.as_str()));
        for (field, value) in touched.clone() {
            merged.insert(field.clone(), value.clone());
        }
        if let Ok(row) = serde_json::from_value(Value::Object(merged)) {
            return Ok(row);
        }
        // Something has the wrong form: try the fields one by one to say which.
        let mut errors = FieldErrors::default();
        for (field, value) in touched {
            let mut alone = current.clone();
            alone.insert(field.clone(), value.clone());
            if let Err(error) = serde_json::from_value::<T>(Value::Object(alone)) {
                errors.add(field.as_str(), format!("{} is not valid: {error}", crate::patch::label(field)));
            }
        }
        Err(errors)
    }
}

/// `walk_rate_30min` as `Walk rate 30min`: a field's name as a person reads it.
fn label(field: &str) -> String {
    let words = field.replace('_', " ");
    let mut letters = words.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
