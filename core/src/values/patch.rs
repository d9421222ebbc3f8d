//! Owns the field-level patch: a change names only the fields that a person touched, so two people who edit
//! different fields of one row both keep their words.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::values::field::Field;
use crate::values::form_errors::FieldErrors;

/// Some fields of a row with their new values, by their names in JSON.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(value_type = Object))]
#[serde(transparent)]
pub struct Patch(pub Map<String, Value>);

impl Patch {
    /// The patch that sets one field.
    pub fn of(field: &str, value: impl Into<Value>) -> Self {
        let mut fields = Map::new();
        fields.insert(field.to_owned(), value.into());
        Self(fields)
    }

    /// The patch whose fields `row` has; for fixtures and for REST bodies that send a whole row.
    pub fn from_row(row: &impl Serialize) -> Self {
        Self(fields_of(row).unwrap_or_default())
    }

    /// `row` with the fields of this patch that are in `editable`; others are ignored, so that nobody sets
    /// what only a rule may set.
    ///
    /// A value of the wrong form leaves its field as it was and is named in `Merged::malformed`, so that a form
    /// can say everything that is wrong at once.
    pub fn merge<T: Serialize + DeserializeOwned + Clone>(
        &self,
        row: &T,
        editable: &[Field],
    ) -> Merged<T> {
        let mut merged = None;
        // Through text and not through `Value`: the phone then carries one reader and one writer per row type.
        let mut read = |fields: &Map<String, Value>| {
            let text = serde_json::to_string(fields).ok();
            merged = text.and_then(|it| serde_json::from_str(&it).ok());
            merged.is_some()
        };
        let malformed = self.merge_fields(&|| fields_of(row), editable, &mut read);
        Merged {
            row: merged.unwrap_or_else(|| row.clone()),
            malformed,
        }
    }

    /// Has `read` read the fields of a row with those of this patch that fit, if any is touched; gives those that do not.
    fn merge_fields(
        &self,
        row: &dyn Fn() -> Option<Map<String, Value>>,
        editable: &[Field],
        read: &mut dyn FnMut(&Map<String, Value>) -> bool,
    ) -> Vec<String> {
        let touched = || {
            self.0
                .iter()
                .filter(|(field, _)| editable.iter().any(|it| it.name == *field))
        };
        let mut malformed = Vec::new();
        if touched().next().is_none() {
            return malformed;
        }
        let Some(mut merged) = row() else {
            return malformed;
        };
        for (field, value) in touched() {
            merged.insert(field.clone(), value.clone());
        }
        if read(&merged) {
            return malformed;
        }
        // Something has the wrong form: try the fields one by one to say which.
        merged = row().unwrap_or_default();
        for (field, value) in touched() {
            let before = merged.insert(field.clone(), value.clone());
            let mut fits = read(&merged);
            if !fits && value.as_str() == Some("") {
                // An emptied date or number input gives an empty text.
                merged.insert(field.clone(), Value::Null);
                fits = read(&merged);
            }
            if !fits {
                malformed.push(field.clone());
                match before {
                    Some(before) => merged.insert(field.clone(), before),
                    None => merged.remove(field),
                };
            }
        }
        read(&merged);
        malformed
    }

    /// Returns true if the patch names the field: it gives it a value, or empties it.
    pub fn names(&self, field: &str) -> bool {
        self.0.contains_key(field)
    }

    /// Returns true if the patch names the field and gives it a value.
    pub fn has(&self, field: &str) -> bool {
        self.0.get(field).is_some_and(|it| !is_blank(it))
    }

    /// Returns true if the patch empties the field: `null` or an empty text.
    pub fn empties(&self, field: &str) -> bool {
        self.0.get(field).is_some_and(is_blank)
    }
}

/// A row after a patch was merged into it, and the fields of the patch whose values had the wrong form.
#[derive(Clone, Debug, PartialEq)]
pub struct Merged<T> {
    /// The row with all values that fit.
    pub row: T,
    /// Fields whose values do not fit, in the patch's order.
    pub malformed: Vec<String>,
}

impl<T> Merged<T> {
    /// Returns true if the value given for the field has the wrong form.
    pub fn is_malformed(&self, field: &str) -> bool {
        self.malformed.iter().any(|it| it == field)
    }

    /// Adds malformed fields that no rule had a sentence for, then gives the row or everything that is wrong.
    pub fn or_errors(self, mut errors: FieldErrors) -> Result<T, FieldErrors> {
        for field in &self.malformed {
            errors.add(field.as_str(), label(field) + " is not valid");
        }
        errors.or(self.row)
    }
}

/// A row's fields as JSON.
fn fields_of(row: &impl Serialize) -> Option<Map<String, Value>> {
    serde_json::to_string(row)
        .ok()
        .and_then(|it| serde_json::from_str(&it).ok())
}

fn is_blank(value: &Value) -> bool {
    value.is_null() || value.as_str() == Some("")
}

/// `walk_rate_30min` as `Walk rate 30min`: a field's name as a person reads it.
pub(crate) fn label(field: &str) -> String {
    let mut words = field.replace('_', " ");
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    words
}
