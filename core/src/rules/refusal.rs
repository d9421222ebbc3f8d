//! Owns why a command is turned down, in a form that a phone can act on and in words for the person.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::rows::blocked_time::BlockType;
use crate::rows::overwritten::Overwritten;
use crate::rows::walk_request::RequestStatus;
use crate::rules::usage::{Limited, UsageLimit};
use crate::values::form_errors::{FieldError, FieldErrors};
use crate::values::format;
use crate::values::json::{read_by_field, read_by_tag};
use crate::values::units::HourCycle;
use crate::{Cents, Date, Id, Instant, Time};

/// Text above the fields of a form when any of them is wrong (SPEC 5).
pub const FIX_FORM_ERRORS: &str = "Please fix the form errors";

/// A start that a client may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OpenTime {
    /// On which day.
    pub date: Date,
    /// When it begins.
    pub start_time: Time,
}

/// Something that is in the way of a service.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Obstacle {
    /// Another service, with the minutes around it that the pattern keeps free.
    Service {
        /// The service's id.
        id: Id,
        /// The name of its client.
        client_name: String,
        /// Its day; the first day of a stay.
        date: Date,
        /// Its start, without the minutes that are kept free before it.
        start_time: Time,
        /// Its length, without the minutes that are kept free around it.
        duration_minutes: u32,
        /// The last day of a stay.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        end_date: Option<Date>,
    },
    /// A blocked time.
    BlockedTime {
        /// The blocked time's id.
        id: Id,
        /// Why it is blocked.
        block_type: BlockType,
        /// The sitter's words; may be empty.
        reason: String,
        /// The day on which it is in the way.
        date: Date,
        /// When it begins on that day.
        start_time: Time,
        /// When it ends on that day.
        end_time: Time,
    },
}

/// The invoice that bills what somebody else was to be billed with.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BilledElsewhere {
    /// The invoice's id.
    pub invoice_id: Id,
    /// `INV-12`; empty while it waits to be sent.
    pub number: String,
    /// How many of the services it bills.
    pub services: u32,
}

read_by_field!(BilledElsewhere { invoice_id } or default { number, services });

/// Why an invoice is not shared as a person saw it.
fn changed(quoted: Cents, total: Cents, elsewhere: Option<&BilledElsewhere>) -> String {
    let Some(it) = elsewhere else {
        return format!(
            "The total is now {total} instead of {quoted}, because the services have changed. Nothing was shared."
        );
    };
    let number = match it.number.as_str() {
        "" => "another invoice",
        number => number,
    };
    let (services, are) = match it.services {
        1 => ("1 service".to_owned(), "is"),
        n => (format!("{n} services"), "are"),
    };
    match total {
        Cents::ZERO => format!("Already on {number}. Nothing was shared."),
        rest => format!(
            "{services} {are} already on {number}, and the rest comes to {rest}. Nothing was shared."
        ),
    }
}

read_by_tag!(Obstacle by "kind" {
    "service" => Service { id, client_name, date, start_time, duration_minutes } or default { end_date },
    "blocked_time" => BlockedTime { id, block_type, reason, date, start_time, end_time },
});

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
        /// Errors of the fields.
        fields: Vec<FieldError>,
    },
    /// The row that the command is about does not exist (any more), or is another sitter's.
    #[error("{}", crate::values::transport::NOT_FOUND)]
    Gone,
    /// The id of something to be made is taken.
    #[error("This was already created.")]
    Taken,
    /// The time is not free (SPEC 8, Scheduling).
    #[error("Time slot conflict detected. Please choose a different time.")]
    Conflict {
        /// Services and blocked times that are in the way.
        with: Vec<Obstacle>,
        /// Starts on the same day that are free for this length.
        free: Vec<Time>,
        /// The nearest time that would do, for who asks for one as a client.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<OpenTime>,
    },
    /// A client asks for a time that is over, or with less notice than the sitter needs.
    #[error("{}", refused_time(&too_soon(*hours), *next, HourCycle::default()))]
    TooSoon {
        /// How many hours ahead this time has to be asked for; 0 where it is over.
        hours: u32,
        /// The nearest time that would do.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<OpenTime>,
    },
    /// A client asks for a time further ahead than the sitter takes requests for.
    #[error("{}", refused_time(&too_far(*last), *next, HourCycle::default()))]
    TooFar {
        /// The last day that can be asked for.
        last: Date,
        /// The last open time until then.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<OpenTime>,
    },
    /// A client asks for a time outside the sitter's hours of that day.
    #[error("{}", refused_time(OUTSIDE_HOURS, *next, HourCycle::default()))]
    OutsideHours {
        /// The nearest time that would do.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<OpenTime>,
    },
    /// A client asks for a time within the hours between two of the starts that are offered.
    #[error("{}", refused_time(&between_starts(*minutes), *next, HourCycle::default()))]
    BetweenStarts {
        /// The minutes between two starts.
        minutes: u32,
        /// The nearest time that would do.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<OpenTime>,
    },
    /// A client or pet with services still to come cannot be deleted.
    #[error("{count} upcoming {} must be cancelled first.", if *count == 1 { "service" } else { "services" })]
    HasFutureServices {
        /// How many services are to come.
        count: u32,
    },
    /// The service was cancelled in the meantime.
    #[error("This service was cancelled in the meantime.")]
    WasCancelled {
        /// When it was cancelled; nothing where the service does not say.
        at: Option<Instant>,
    },
    /// The service was completed in the meantime.
    #[error("This service was already completed.")]
    AlreadyCompleted,
    /// The walk request was answered in the meantime.
    #[error("This request was already {}.", status.word())]
    AlreadyAnswered {
        /// The answer that was given.
        status: RequestStatus,
    },
    /// The services of an invoice have changed since the person saw its total; nothing was shared.
    #[error("{}", changed(*quoted, *total, elsewhere.as_ref()))]
    InvoiceChanged {
        /// Total that the person saw.
        quoted: Cents,
        /// Total by now.
        total: Cents,
        /// The invoice that bills some of it already, perhaps from another phone.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        elsewhere: Option<BilledElsewhere>,
    },
    /// Services of a deleted invoice are on another one or were paid since.
    #[error(
        "Its services have been paid, billed or given to another client since, so it was not brought back."
    )]
    AlreadyInvoiced,
    /// A service is paid with the invoice that it stands on.
    #[error("This service is on an invoice. It is paid when the invoice is.")]
    OnInvoice {
        /// The invoice's id.
        invoice_id: Id,
    },
    /// The plan has no room for more; what is there stays (SPEC 6).
    #[error("{}", what.no_room(*usage, *month))]
    LimitReached {
        /// The kind of thing that is limited.
        what: Limited,
        /// How many there are, and may be.
        usage: UsageLimit,
        /// The first day of the month that is full, where it is another one than this.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        month: Option<Date>,
    },
    /// It is not this person's to do.
    #[error("{}", crate::values::transport::friendly_error(403))]
    NotAllowed,
    /// A photo that the change names has not arrived.
    #[error("The photo has not been uploaded yet.")]
    PhotoMissing {
        /// The photo's id.
        photo: Id,
    },
    /// A video that the change names has not arrived.
    #[error("The video has not been uploaded yet.")]
    VideoMissing {
        /// The video's id.
        video: Id,
    },
    /// It was to be deleted by somebody who had not seen what another device had changed.
    #[error("It was changed on another device after you last saw it, so it was not deleted.")]
    ChangedMeanwhile {
        /// Changes of other devices that the sender had not seen.
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
    /// Its person has no access to the business any more; it may have been done before that ended.
    #[error("Your access has ended, so this is no longer sent. It may have arrived before that.")]
    AccessEnded,
    /// The server turns the photo down; all else of the change was sent without it.
    #[error("The server does not take the photo: {text}")]
    PhotoRefused {
        /// The photo's id.
        photo: Id,
        /// The server's words.
        text: String,
    },
    /// The server turns the video down; all else of the change was sent without it.
    #[error("The server does not take the video: {text}")]
    VideoRefused {
        /// The video's id.
        video: Id,
        /// The server's words.
        text: String,
    },
    /// It was done, and the server was restored from a backup that is older.
    #[error(
        "This was done, but the server was restored from an older backup and has it no longer."
    )]
    Forgotten,
}

read_by_tag!(Refusal by "code" {
    "invalid" => Invalid { fields },
    "gone" => Gone,
    "taken" => Taken,
    "conflict" => Conflict { with, free } or default { next },
    "too_soon" => TooSoon { hours } or default { next },
    "too_far" => TooFar { last } or default { next },
    "outside_hours" => OutsideHours {} or default { next },
    "between_starts" => BetweenStarts { minutes } or default { next },
    "has_future_services" => HasFutureServices { count },
    "was_cancelled" => WasCancelled {} or default { at },
    "already_completed" => AlreadyCompleted,
    "already_answered" => AlreadyAnswered { status },
    "invoice_changed" => InvoiceChanged { quoted, total } or default { elsewhere },
    "already_invoiced" => AlreadyInvoiced,
    "on_invoice" => OnInvoice { invoice_id },
    "limit_reached" => LimitReached { what, usage } or default { month },
    "not_allowed" => NotAllowed,
    "photo_missing" => PhotoMissing { photo },
    "video_missing" => VideoMissing { video },
    "changed_meanwhile" => ChangedMeanwhile { changes },
    "failed" => Failed,
    "not_taken" => NotTaken { text },
    "access_ended" => AccessEnded,
    "photo_refused" => PhotoRefused { photo, text },
    "video_refused" => VideoRefused { video, text },
    "forgotten" => Forgotten,
});

const OUTSIDE_HOURS: &str = "This is outside the hours that can be asked for.";

fn too_soon(hours: u32) -> String {
    match hours {
        0 => "This time has passed.".to_owned(),
        1 => "Too soon: please request visits at least an hour ahead.".to_owned(),
        _ => format!("Too soon: please request visits at least {hours} hours ahead."),
    }
}

fn too_far(last: Date) -> String {
    let last = format::date(last);
    ["Too far ahead: requests are taken up to ", &last, "."].concat()
}

fn between_starts(minutes: u32) -> String {
    format!("Visits start every {minutes} minutes, but not at this time.")
}

/// Why a time cannot be asked for, with the one that would do.
fn refused_time(why: &str, next: Option<OpenTime>, cycle: HourCycle) -> String {
    let Some(OpenTime { date, start_time }) = next else {
        return why.to_owned();
    };
    let (date, time) = (format::date(date), format::time(start_time, cycle));
    [why, " The nearest open time is ", &date, ", ", &time, "."].concat()
}

impl Refusal {
    /// The time that would do in place of the one that was asked for, where one is known.
    pub fn next_open(&self) -> Option<OpenTime> {
        match self {
            Self::Conflict { next, .. }
            | Self::TooSoon { next, .. }
            | Self::TooFar { next, .. }
            | Self::OutsideHours { next }
            | Self::BetweenStarts { next, .. } => *next,
            _ => None,
        }
    }

    /// The refusal in words for a person, with times as the business shows them.
    pub fn words(&self, cycle: HourCycle) -> String {
        match self {
            Self::Conflict { next, .. } => refused_time(&self.to_string(), *next, cycle),
            Self::TooSoon { hours, next } => refused_time(&too_soon(*hours), *next, cycle),
            Self::TooFar { last, next } => refused_time(&too_far(*last), *next, cycle),
            Self::OutsideHours { next } => refused_time(OUTSIDE_HOURS, *next, cycle),
            Self::BetweenStarts { minutes, next } => {
                refused_time(&between_starts(*minutes), *next, cycle)
            }
            other => other.to_string(),
        }
    }
}

impl From<FieldErrors> for Refusal {
    fn from(errors: FieldErrors) -> Self {
        Self::Invalid { fields: errors.0 }
    }
}
