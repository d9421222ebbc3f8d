//! Owns the reading of enums, and of structs that are read a few times and not for each of thousands of rows. The derived
//! readers are the largest functions that serde makes, and the phone downloads them.

use std::fmt::Formatter;

use serde::de::{DeserializeOwned, DeserializeSeed, Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// The fields of an object whose kind is not known yet.
#[derive(Deserialize)]
#[serde(transparent)]
pub(crate) struct Fields(pub Map<String, Value>);

impl Fields {
    /// The field's value, taken out.
    pub(crate) fn take<T: DeserializeOwned>(&mut self, field: &str) -> serde_json::Result<T> {
        // Not `from_str`, whose look at what follows the value would be there once for every type.
        T::deserialize(&mut serde_json::Deserializer::from_str(&self.text(field)?))
            .map_err(|error| in_field(field, &error))
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

    /// As `take`, into its place.
    pub(crate) fn take_into<T: DeserializeOwned>(
        &mut self,
        field: &str,
        place: &mut T,
    ) -> serde_json::Result<()> {
        *place = self.take(field)?;
        Ok(())
    }

    /// As `take_or_default`, into its place.
    pub(crate) fn take_or_default_into<T: DeserializeOwned + Default>(
        &mut self,
        field: &str,
        place: &mut T,
    ) -> serde_json::Result<()> {
        *place = self.take_or_default(field)?;
        Ok(())
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

/// The error of a field's value, with the field in front: whoever reads the whole object does not see which one it was.
fn in_field(field: &str, error: &serde_json::Error) -> serde_json::Error {
    serde_json::Error::custom([field, ": ", &error.to_string()].concat())
}

/// A type that is read from a JSON object field by field; unknown fields are ignored.
pub(crate) trait ReadByField: Sized {
    /// Takes its fields out.
    fn read_by_field(fields: &mut Fields) -> serde_json::Result<Self>;
}

/// Reads a struct from an object: the fields that must be there, and those that have a default. One with many fields is
/// smaller to read into a value that begins as something else.
macro_rules! read_by_field {
    ($type:ident from $begin:expr; { $($field:ident),* } $(or default { $($default:ident),* })?) => {
        impl $crate::values::json::ReadByField for $type {
            fn read_by_field(fields: &mut $crate::values::json::Fields) -> serde_json::Result<Self> {
                let mut it = $begin;
                $(fields.take_into(stringify!($field), &mut it.$field)?;)*
                $($(fields.take_or_default_into(stringify!($default), &mut it.$default)?;)*)?
                Ok(it)
            }
        }

        $crate::values::json::deserialize_by_field!($type);
    };
    ($type:ident { $($field:ident),* } $(or default { $($default:ident),* })?) => {
        impl $crate::values::json::ReadByField for $type {
            fn read_by_field(fields: &mut $crate::values::json::Fields) -> serde_json::Result<Self> {
                Ok(Self {
                    $($field: fields.take(stringify!($field))?,)*
                    $($($default: fields.take_or_default(stringify!($default))?,)*)?
                })
            }
        }

        $crate::values::json::deserialize_by_field!($type);
    };
}

pub(crate) use read_by_field;

macro_rules! deserialize_by_field {
    ($type:ident) => {
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let fields = <$crate::values::json::Fields as serde::Deserialize>::deserialize(
                    deserializer,
                )?;
                fields.read($crate::values::json::ReadByField::read_by_field)
            }
        }
    };
}

pub(crate) use deserialize_by_field;

/// Reads a struct from an object in one pass, as it comes, into a value that begins as something else: as fast as serde's
/// derive and a third as large. For rows of which there are thousands, and for what holds such rows. A field may have
/// another name in JSON; those after `or default` need not be there, nor be anything but null.
macro_rules! read_in_place {
    ($type:ident from $begin:expr; { $($field:ident $(as $name:literal)?),* }
        $(or default { $($default:ident $(as $default_name:literal)?),* })?) => {
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Reader;

                impl<'de> serde::de::Visitor<'de> for Reader {
                    type Value = $type;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        formatter.write_str(stringify!($type))
                    }

                    fn visit_map<A: serde::de::MapAccess<'de>>(self, mut fields: A) -> Result<$type, A::Error> {
                        const REQUIRED: &[&str] = &[$($crate::values::json::field_name!($field $($name)?)),*];
                        const NAMES: &[&str] = &[
                            $($crate::values::json::field_name!($field $($name)?),)*
                            $($($crate::values::json::field_name!($default $($default_name)?),)*)?
                        ];
                        let mut it: $type = $begin;
                        let mut seen = 0_u64;
                        while let Some(place) = fields.next_key_seed($crate::values::json::PlaceIn(NAMES))? {
                            let mut next = 0..;
                            $(if Some(place) == next.next() {
                                $crate::values::json::next_into(&mut fields, &mut it.$field)?;
                                seen |= 1 << place;
                                continue;
                            })*
                            $($(if Some(place) == next.next() {
                                $crate::values::json::next_or_default_into(&mut fields, &mut it.$default)?;
                                continue;
                            })*)?
                            fields.next_value::<serde::de::IgnoredAny>()?;
                        }
                        match $crate::values::json::first_missing(REQUIRED, seen) {
                            Some(name) => Err(serde::de::Error::missing_field(name)),
                            None => Ok(it),
                        }
                    }
                }

                deserializer.deserialize_map(Reader)
            }
        }
    };
}

pub(crate) use read_in_place;

macro_rules! field_name {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $name:literal) => {
        $name
    };
}

pub(crate) use field_name;

/// Reads the next value into its place.
pub(crate) fn next_into<'de, A: MapAccess<'de>, T: Deserialize<'de>>(
    fields: &mut A,
    place: &mut T,
) -> Result<(), A::Error> {
    *place = fields.next_value()?;
    Ok(())
}

/// The same; null leaves what is there.
pub(crate) fn next_or_default_into<'de, A: MapAccess<'de>, T: Deserialize<'de>>(
    fields: &mut A,
    place: &mut T,
) -> Result<(), A::Error> {
    if let Some(value) = fields.next_value()? {
        *place = value;
    }
    Ok(())
}

/// Reads the name of a field as its place among these; as their number where it is none of them.
pub(crate) struct PlaceIn(pub &'static [&'static str]);

impl<'de> DeserializeSeed<'de> for PlaceIn {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for PlaceIn {
    type Value = usize;

    fn expecting(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("a field's name")
    }

    fn visit_str<E>(self, name: &str) -> Result<usize, E> {
        let known = self.0.iter().position(|it| *it == name);
        Ok(known.unwrap_or(self.0.len()))
    }
}

/// The first of the names whose place was not seen.
pub(crate) fn first_missing(required: &[&'static str], seen: u64) -> Option<&'static str> {
    let mut names = required.iter().enumerate();
    let missing = names.find(|(place, _)| seen >> place & 1 == 0);
    missing.map(|(_, name)| *name)
}

/// Reads an enum by the tag that says which variant it is, and gives each variant that as its code. Fields after `or
/// default` need not be there.
macro_rules! read_by_tag {
    ($type:ident by $tag:literal {
        $($code:literal => $variant:ident $({ $($field:ident),* } $(or default { $($default:ident),* })?)?,)*
    }) => {
        impl $type {
            /// The codes of all of them.
            pub const CODES: &[&str] = &[$($code),*];

            /// The stable code, as in JSON.
            pub const fn code(&self) -> &'static str {
                match self {
                    $(Self::$variant { .. } => $code,)*
                }
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let fields = <$crate::values::json::Fields as serde::Deserialize>::deserialize(deserializer)?;
                fields.tagged($tag, |code, fields| {
                    Ok(match code {
                        $($code => Self::$variant {
                            $($($field: fields.take(stringify!($field))?,)*
                            $($($default: fields.take_or_default(stringify!($default))?,)*)?)?
                        },)*
                        _ => return Err($crate::values::json::Fields::unknown(code)),
                    })
                })
            }
        }
    };
}

pub(crate) use read_by_tag;

/// Reads an enum without fields by the names of its variants in snake case, as `Serialize` writes them.
macro_rules! read_by_name {
    ($type:ident { $($variant:ident),* }) => {
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = <String as serde::Deserialize>::deserialize(deserializer)?;
                $(if $crate::values::json::is_name(&name, stringify!($variant)) {
                    return Ok(Self::$variant);
                })*
                // For callers of the API; a phone would carry the names of all variants for it.
                let known: &[&str] = match cfg!(feature = "openapi") {
                    true => &[$(stringify!($variant)),*],
                    false => &[],
                };
                Err(serde::de::Error::custom($crate::values::json::unknown_variant(&name, known)))
            }
        }

        // A variant that the list forgets does not build.
        const _: fn($type) = |it| match it {
            $($type::$variant => (),)*
        };

        // Named after the type, so that each has its own and none is forgotten.
        #[cfg(test)]
        #[test]
        #[expect(non_snake_case, reason = "a macro has no other name for it")]
        fn $type() {
            $crate::values::json::tests::is_read_as_it_is_written(&[$($type::$variant),*]);
        }
    };
}

pub(crate) use read_by_name;

/// The error for a name that is none of the variants', which are in camel case; an empty list is not told.
pub(crate) fn unknown_variant(name: &str, known: &[&str]) -> String {
    let mut text = ["unknown variant `", name, "`"].concat();
    for (place, variant) in known.iter().enumerate() {
        text += if place == 0 {
            ", expected one of `"
        } else {
            ", `"
        };
        for (at, letter) in variant.char_indices() {
            if at > 0 && letter.is_ascii_uppercase() {
                text.push('_');
            }
            text.push(letter.to_ascii_lowercase());
        }
        text.push('`');
    }
    text
}

/// Returns true if `name` is the variant's name, which is in camel case, converted to snake case.
pub(crate) fn is_name(name: &str, variant: &str) -> bool {
    let mut left = name.bytes();
    let is_written = variant.bytes().enumerate().all(|(at, letter)| {
        let begins_word = at > 0 && letter.is_ascii_uppercase();
        (!begins_word || left.next() == Some(b'_'))
            && left.next() == Some(letter.to_ascii_lowercase())
    });
    is_written && left.next().is_none()
}

#[cfg(test)]
pub(crate) mod tests {
    use serde::Serialize;
    use serde::de::DeserializeOwned;
    use std::fmt::Debug;

    use super::unknown_variant;
    use crate::Id;

    #[derive(Debug)]
    struct Sent {
        id: Id,
    }

    read_by_field!(Sent { id });

    #[test]
    fn an_error_names_the_field_of_the_value_that_cannot_be_read() {
        let id = Id::of(7);
        let sent = serde_json::from_str::<Sent>(&format!("{{\"id\":\"{id}\"}}"));
        assert_eq!(sent.unwrap().id, id);
        for (json, text) in [
            ("{\"id\":\"7\"}", "id: not an id"),
            ("{}", "missing field id"),
        ] {
            let error = serde_json::from_str::<Sent>(json).unwrap_err();
            assert!(error.to_string().starts_with(text), "{error}");
        }
    }

    #[test]
    fn an_unknown_variant_is_told_with_those_that_are_known() {
        for (known, text) in [
            (
                &["OnTheWay", "Started"][..],
                "unknown variant `x`, expected one of `on_the_way`, `started`",
            ),
            (&[][..], "unknown variant `x`"),
        ] {
            assert_eq!(unknown_variant("x", known), text);
        }
    }

    pub(crate) fn is_read_as_it_is_written<T>(variants: &[T])
    where
        T: Debug + PartialEq + Serialize + DeserializeOwned,
    {
        for it in variants {
            let json = serde_json::to_string(it).unwrap();
            assert_eq!(serde_json::from_str::<T>(&json).unwrap(), *it);
            let longer = json.replacen('"', "\"x", 1);
            for wrong in [longer.as_str(), "\"\"", "1", "null"] {
                assert!(serde_json::from_str::<T>(wrong).is_err(), "{wrong}");
            }
        }
    }
}
