//! Owns the list of what is wrong with a form: all fields at once, in the order of the form.

use serde::{Deserialize, Serialize};

use crate::values::json::read_by_field;

/// Error of one field of a form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FieldError {
    /// The field's name in JSON; a pet's is `dogs.0.name`.
    pub field: String,
    /// The sentence for the person, the specification's where it has one.
    pub text: String,
}

read_by_field!(FieldError { field, text });

/// All that is wrong with a form, in the form's order; empty when nothing is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct FieldErrors(pub Vec<FieldError>);

impl FieldErrors {
    /// Notes one more, up to `bounds::ERRORS`; the first error of a field is kept, since a form shows one at a time.
    pub fn add(&mut self, field: impl Into<String>, text: impl Into<String>) {
        let field = field.into();
        if self.0.len() < ERRORS && !self.0.iter().any(|it| it.field == field) {
            self.0.push(FieldError {
                field,
                text: text.into(),
            });
        }
    }

    /// Notes `text` for `field` when `wrong`.
    pub fn check(&mut self, wrong: bool, field: &str, text: impl Into<String>) {
        if wrong {
            self.add(field, text);
        }
    }

    /// The first sentence; what a caller shows that has room for one.
    pub fn first(&self) -> Option<&str> {
        self.0.first().map(|it| it.text.as_str())
    }

    /// `Ok(value)` when nothing is wrong.
    pub fn or<T>(self, value: T) -> Result<T, Self> {
        if self.0.is_empty() {
            Ok(value)
        } else {
            Err(self)
        }
    }
}

/// The errors that one answer names; nobody reads more.
pub(crate) const ERRORS: usize = 100;
