//! Owns the macro that makes the type of a row from one list of its fields.

/// Makes a row's type, its constructor, its reader and its `EDITABLE`. Each field has its value in a new row, after `=>` its
/// kind if people set it, and `required` if a row without it is not read; all others have the default of their type then.
macro_rules! row {
    (
        $(#[$doc:meta])*
        $Row:ident {
            $($(#[$attribute:meta])* $field:ident: $Type:ty = $new:expr $(=> $kind:ident)? $(, $required:ident)?;)*
        }
        $(#[$new_doc:meta])*
        new($($argument:ident: $Argument:ty),*)
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize)]
        #[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        pub struct $Row {
            $($(#[$attribute])* pub $field: $Type,)*
        }

        impl $Row {
            /// The fields that people set.
            pub const EDITABLE: &[$crate::values::field::Field] =
                &[$($($crate::values::field::$kind(stringify!($field)),)?)*];

            $(#[$new_doc])*
            pub fn new($($argument: $Argument),*) -> Self {
                Self { $($field: $new,)* }
            }
        }

        // Smaller than `Self { … }` for a row with many fields.
        impl $crate::values::json::ReadByField for $Row {
            fn read_by_field(fields: &mut $crate::values::json::Fields) -> serde_json::Result<Self> {
                let mut row = Self::new($(<$Argument>::default()),*);
                $($crate::rows::fields::read_field!(fields, row.$field $($required)?);)*
                Ok(row)
            }
        }

        $crate::values::json::deserialize_by_field!($Row);
    };
}

pub(crate) use row;

/// Reads one field into its place.
macro_rules! read_field {
    ($fields:ident, $row:ident.$field:ident required) => {
        $fields.take_into(stringify!($field), &mut $row.$field)?
    };
    ($fields:ident, $row:ident.$field:ident) => {
        $fields.take_or_default_into(stringify!($field), &mut $row.$field)?
    };
}

pub(crate) use read_field;
