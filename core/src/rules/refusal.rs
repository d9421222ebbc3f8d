//! Owns why a command is turned down, in a form that a phone can act on and in words for the person.

use serde::{Deserialize, Deserializer, Serialize};
use thiserror::Error;

use crate::rows::blocked_time::BlockType;
use crate::values::form_errors::{FieldError, FieldErrors};
use crate::values::json::Fields;
use crate::values::patch::Overwritten;
use crate::{Date, Id, Instant, Time};

/// What a form says above its fields when any of them is wrong (SPEC 5).
pub const FIX_FORM_ERRORS: &str = "Please fix the form errors";

/// Something that is in the way of a service.
#[derive(Clone, Debug, PartialEq, Serialize)]
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
        /// The last day of a stay.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        end_date: Option<Date>,
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

impl<'de> Deserialize<'de> for Obstacle {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Fields::deserialize(deserializer)?.tagged("kind", |kind, fields| {
            Ok(match kind {
                "service" => Self::Service {
                    id: fields.take("id")?,
                    client_name: fields.take("client_name")?,
                    date: fields.take("date")?,
                    start_time: fields.take("start_time")?,
                    duration_minutes: fields.take("duration_minutes")?,
                    end_date: fields.take_or_default("end_date")?,
                },
                "blocked_time" => Self::BlockedTime {
                    id: fields.take("id")?,
                    block_type: fields.take("block_type")?,
                    reason: fields.take("reason")?,
                    date: fields.take("date")?,
                    start_time: fields.take("start_time")?,
                    end_time: fields.take("end_time")?,
                },
                _ => return Err(Fields::unknown(kind)),
            })
        })
    }
}

/// Why a command is turned down; one variant per thing that the person can do about it.
///
/// Stored on phones. Only add variants and optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize, Error)]
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
    #[error("{}", crate::values::transport::NOT_FOUND)]
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
    #[error("{count} upcoming {} must be cancelled first.", if *count == 1 { "service" } else { "services" })]
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
    /// It was to be deleted by somebody who had not seen what another device had changed.
    #[error("It was changed on another device after you last saw it, so it was not deleted.")]
    ChangedMeanwhile {
        /// What was changed.
        changes: Vec<Overwritten>,
    },
    /// A defect of the server kept it from deciding.
    #[error("Something went wrong on the server, so this was not done. What follows was.")]
    Failed,
    /// The server answers nothing that helps, so the phone has set it aside; it may have been done all the same.
    #[error("The server does not take this change: {text}")]
    NotTaken {
        /// The server's words.
        text: String,
    },
    /// The server turns the photo down; all else of the change was sent without it.
    #[error("The server does not take the photo: {text}")]
    PhotoRefused {
        /// Which.
        photo: Id,
        /// The server's words.
        text: String,
    },
    /// It was done, and the server was restored from a backup that is older.
    #[error(
        "This was done, but the server was restored from an older backup and has it no longer."
    )]
    Forgotten,
}

impl<'de> Deserialize<'de> for Refusal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Fields::deserialize(deserializer)?.tagged("code", |code, fields| {
            Ok(match code {
                "invalid" => Self::Invalid {
                    fields: fields.take("fields")?,
                },
                "gone" => Self::Gone,
                "taken" => Self::Taken,
                "conflict" => Self::Conflict {
                    with: fields.take("with")?,
                    free: fields.take("free")?,
                },
                "has_future_services" => Self::HasFutureServices {
                    count: fields.take("count")?,
                },
                "was_cancelled" => Self::WasCancelled {
                    at: fields.take_or_default("at")?,
                },
                "already_completed" => Self::AlreadyCompleted,
                "photo_missing" => Self::PhotoMissing {
                    photo: fields.take("photo")?,
                },
                "changed_meanwhile" => Self::ChangedMeanwhile {
                    changes: fields.take("changes")?,
                },
                "failed" => Self::Failed,
                "not_taken" => Self::NotTaken {
                    text: fields.take("text")?,
                },
                "photo_refused" => Self::PhotoRefused {
                    photo: fields.take("photo")?,
                    text: fields.take("text")?,
                },
                "forgotten" => Self::Forgotten,
                _ => return Err(Fields::unknown(code)),
            })
        })
    }
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
            Self::ChangedMeanwhile { .. } => "changed_meanwhile",
            Self::Failed => "failed",
            Self::NotTaken { .. } => "not_taken",
            Self::PhotoRefused { .. } => "photo_refused",
            Self::Forgotten => "forgotten",
        }
    }
}

impl From<FieldErrors> for Refusal {
    fn from(errors: FieldErrors) -> Self {
        Self::Invalid { fields: errors.0 }
    }
}
