//! Owns the reading of enums that carry a tag beside their fields, and of structs that are read a few times and not for
//! each of thousands of rows. The derived readers are the largest functions that serde makes, and the phone downloads them.

use serde::Deserialize;
use serde::de::{DeserializeOwned, Error as _};
use serde_json::{Deserializer, Map, Value};

/// The fields of an object whose kind is not known yet.
#[derive(Deserialize)]
#[serde(transparent)]
pub(crate) struct Fields(pub Map<String, Value>);

impl Fields {
    /// The field's value, taken out.
    pub(crate) fn take<T: DeserializeOwned>(&mut self, field: &str) -> serde_json::Result<T> {
        // Not `from_str`, whose look at what follows the value would be there once for every type.
        T::deserialize(&mut Deserializer::from_str(&self.text(field)?))
    }

    /// The field's value as JSON, taken out.
    fn text(&mut self, field: &str) -> serde_json::Result<String> {
        let value = self.0.remove(field);
        let missing = || serde_json::Error::custom(["missing field ", field].concat());
        serde_json::to_string(&value.ok_or_else(missing)?)
    }

    /// The field's value; the type's default where it is null or absent, as in what an older build wrote.
    pub(crate) fn take_or_default<T: DeserializeOwned + Default>(
        &mut self,
        field: &str,
    ) -> serde_json::Result<T> {
        match self.0.get(field) {
            None | Some(Value::Null) => Ok(T::default()),
            Some(_) => self.take(field),
        }
    }

    /// Reads a value of its fields.
    pub(crate) fn read<T, E: serde::de::Error>(
        mut self,
        read: impl FnOnce(&mut Self) -> serde_json::Result<T>,
    ) -> Result<T, E> {
        read(&mut self).map_err(E::custom)
    }

    /// Reads what the tag says that it is.
    pub(crate) fn tagged<T, E: serde::de::Error>(
        mut self,
        tag: &str,
        read: impl FnOnce(&str, &mut Self) -> serde_json::Result<T>,
    ) -> Result<T, E> {
        let kind = self.take::<String>(tag);
        kind.and_then(|kind| read(&kind, &mut self))
            .map_err(E::custom)
    }

    /// The error for a kind that this build does not know.
    pub(crate) fn unknown(kind: &str) -> serde_json::Error {
        serde_json::Error::custom(["unknown kind ", kind].concat())
    }
}

/// Reads a struct from an object: the fields that must be there, and those that have a default. What it does not know it
/// ignores.
macro_rules! read_by_field {
    ($type:ident { $($field:ident),* } $(or default { $($default:ident),* })?) => {
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::fields::Fields::deserialize(deserializer)?.read(|fields| {
                    Ok(Self {
                        $($field: fields.take(stringify!($field))?,)*
                        $($($default: fields.take_or_default(stringify!($default))?,)*)?
                    })
                })
            }
        }
    };
}

pub(crate) use read_by_field;
