//! Owns what is told of a service that a command about several services left as it is.

use serde::Serialize;

use crate::values::json::{read_by_field, read_by_name};
use crate::{Date, Id, Time};

/// Why a command about several services left one of them as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum LeftAloneWhy {
    /// It was deleted, or its client.
    Gone,
    /// It is completed.
    Completed,
    /// It is cancelled.
    Cancelled,
    /// The client was told that it has begun, or that the sitter is on the way.
    UnderWay,
    /// It stands on an invoice.
    Invoiced,
    /// It is paid.
    Paid,
    /// It lasts for days.
    Stay,
    /// Somebody has changed it since.
    Changed,
    /// None of its pets is there any more.
    NoPets,
    /// The time is taken.
    Taken,
    /// The day or the plan has no room for it.
    Full,
    /// The day is over.
    Past,
}

read_by_name!(LeftAloneWhy {
    Gone,
    Completed,
    Cancelled,
    UnderWay,
    Invoiced,
    Paid,
    Stay,
    Changed,
    NoPets,
    Taken,
    Full,
    Past
});

/// A service that a command about several left as it is.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LeftAlone {
    /// Id of the service; of a copy that was not made, of its original.
    pub id: Id,
    /// The reason why it stays.
    pub why: LeftAloneWhy,
    /// Day of a copy that was not made; absent for a service that stays.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub copy_date: Option<Date>,
    /// Start of that copy.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub copy_time: Option<Time>,
}

read_by_field!(LeftAlone { id, why } or default { copy_date, copy_time });

impl LeftAlone {
    /// A service that stays for this reason.
    pub const fn of(id: Id, why: LeftAloneWhy) -> Self {
        Self {
            id,
            why,
            copy_date: None,
            copy_time: None,
        }
    }
}
