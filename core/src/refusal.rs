//! Owns why a command is turned down, in a form that a phone can act on and in words for the person.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::availability::BlockType;
use crate::field::{FieldError, FieldErrors};
use crate::{Date, Id, Instant, Time};

/// What a form says above its fields when any of them is wrong (SPEC 5).
pub const FIX_FORM_ERRORS: &str = "Please fix the form errors";

/// Something that is in the way of a service.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Obstacle {
    /// Another service, with the minutes around it that the pattern keeps free.
    Service {
        /// Which.
        id: Id,
        /// Whose.
        client_name: String,
        /// On which day.
        date: Date,
        /// From.
        start_time: Time,
        /// How long.
        duration_minutes: u32,
    },
    /// A blocked time.
    BlockedTime {
        /// Which.
        id: Id,
        /// Why it is blocked.
        block_type: BlockType,
        /// The sitter's words; may be empty.
        reason: String,
        /// The day on which it is in the way.
        date: Date,
        /// From.
        start_time: Time,
        /// To.
        end_time: Time,
    },
}

/// Why a command is turned down; one variant per thing that the person can do about it.
///
/// Stored on phones. Only add variants and optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Error)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Refusal {
    /// Fields are wrong; all of them are named.
    #[error("{}", fields.first().map_or(FIX_FORM_ERRORS, |it| it.text.as_str()))]
    Invalid {
        /// What is wrong with which.
        fields: Vec<FieldError>,
    },
    /// What it is about does not exist (any more), or is another sitter's.
    #[error("The requested resource was not found.")]
    Gone,
    /// The id of something to be made is taken.
    #[error("This was already created.")]
    Taken,
    /// The time is not free (SPEC 8, Scheduling).
    #[error("Time slot conflict detected. Please choose a different time.")]
    Conflict {
        /// What is in the way.
        with: Vec<Obstacle>,
        /// Starts on the same day that are free for this length.
        free: Vec<Time>,
    },
    /// A client or pet with services still to come cannot be deleted.
    #[error("{count} upcoming services must be cancelled first.")]
    HasFutureServices {
        /// How many.
        count: u32,
    },
    /// The service was cancelled in the meantime.
    #[error("This service was cancelled in the meantime.")]
    WasCancelled {
        /// When.
        at: Option<Instant>,
    },
    /// The service was completed in the meantime.
    #[error("This service was already completed.")]
    AlreadyCompleted,
    /// A photo that the change names has not arrived.
    #[error("The photo has not been uploaded yet.")]
    PhotoMissing {
        /// Which.
        photo: Id,
    },
    /// Something before it in the same queue was turned down, and without that it makes no sense.
    #[error("An earlier change that this one builds on was turned down.")]
    DependsOnRefused {
        /// The refused command.
        cause: Id,
    },
}

impl Refusal {
    /// The stable code, as in JSON.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Invalid { .. } => "invalid",
            Self::Gone => "gone",
            Self::Taken => "taken",
            Self::Conflict { .. } => "conflict",
            Self::HasFutureServices { .. } => "has_future_services",
            Self::WasCancelled { .. } => "was_cancelled",
            Self::AlreadyCompleted => "already_completed",
            Self::PhotoMissing { .. } => "photo_missing",
            Self::DependsOnRefused { .. } => "depends_on_refused",
        }
    }
}

impl From<FieldErrors> for Refusal {
    fn from(errors: FieldErrors) -> Self {
        Self::Invalid { fields: errors.0 }
    }
}
