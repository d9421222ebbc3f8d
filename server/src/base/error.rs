//! Owns how things that go wrong are answered: the one place where a status is chosen and the failure form is made.
//! Internal detail goes to the log, never to the caller.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};
use walkies_core::archive::ArchiveFault;
use walkies_core::rules::billing::BillingFault;
use walkies_core::rules::card_payment::CardFault;
use walkies_core::rules::invite::InviteFault;
use walkies_core::rules::mail::NotMailed;
use walkies_core::rules::photo::PhotoError;
use walkies_core::rules::video::VideoError;
use walkies_core::values::transport::{friendly_error, transport_error};
use walkies_core::{FieldErrors, Refusal};

use crate::base::log::redacted_chain;

/// Reasons why a call fails, grouped by how the caller can react.
#[derive(Debug)]
pub enum AppError {
    /// 401: no sign-in came with the call.
    SignInNeeded,
    /// 401: the session that came with the call is unknown, has expired or was ended.
    TokenExpired,
    /// 401: e-mail and password do not match; the same for an unknown e-mail.
    WrongPassword,
    /// 403: this kind of user may not do this.
    Forbidden,
    /// 403: the caller is not, or no longer, a client of this sitter; it is not revealed whether that sitter exists.
    NotLinked,
    /// 404, 409 or 410: an invitation that is not valid.
    Invite(InviteFault),
    /// 409: a mail that a sitter asked for does not go out.
    NotMailed(NotMailed),
    /// 404: there is no such thing, or the caller may not know of it.
    NotFound,
    /// 404: nobody has shared this report, or not any more.
    ReportGone,
    /// No invoice is shared at this address, or none any more.
    InvoiceGone,
    /// No calendar is at this address, or none any more.
    CalendarGone,
    /// 400: the body or the query cannot be read at all.
    Malformed(String),
    /// 422: fields are wrong.
    Invalid(FieldErrors),
    /// The core refuses the command; the status depends on the refusal.
    Refused(Refusal),
    /// 402, 404 or 409: nothing of the plan is changed.
    Billing(BillingFault),
    /// 409, 429 or 503: an invoice cannot be paid by card.
    Card(CardFault),
    /// 403: nobody may sign up.
    SignUpClosed,
    /// 403: only people with an invitation may sign up.
    InvitationNeeded,
    /// 422: the key was used for something else.
    KeyReused,
    /// 412: the row is not the one that the caller has seen.
    PreconditionFailed,
    /// 408: the body broke off. It says nothing of what was sent.
    BodyBrokeOff,
    /// 413: the body is too large.
    TooLarge(String),
    /// 415: the file is of no kind that is taken.
    Unsupported(String),
    /// 503: the server was set up without a place for photos.
    NoPhotoStorage,
    /// 429: the business has uploaded as many photos as it may on one day.
    TooManyPhotos {
        /// The limit of uploads per day.
        most: u32,
        /// When the next day begins, in seconds.
        retry_after_s: u64,
    },
    /// 409: the business keeps as many photos as it may.
    PhotoStorageFull {
        /// The limit in bytes.
        most_bytes: u64,
    },
    /// 409: what has come of a video ends elsewhere.
    WrongOffset {
        /// Offset in bytes at which the next piece must begin.
        offset: u64,
    },
    /// 409: the business keeps as many videos as it may.
    VideoStorageFull,
    /// 507: the disk has no more room than everybody's small writes need.
    StorageLow,
    /// 409: an invoice shows the video.
    VideoShown,
    /// 409: an archive comes into an empty business alone.
    BusinessNotEmpty,
    /// 409: an import, or a clearing, is not as far as the call would have it, or further.
    ImportElsewhere,
    /// 409: there is new work in a business that was cleared.
    NewWork,
    /// 409: what is cleared would be kept though the person was told otherwise, or the other way round.
    ClearingChanged,
    /// 416: the file does not go so far.
    RangeBeyond {
        /// Length of the file in bytes.
        size: u64,
    },
    /// 426: the app is too old to be understood.
    UpdateRequired,
    /// 429: the caller is over a rate limit.
    TooManyRequests {
        /// When to come again, in seconds.
        retry_after_s: u64,
    },
    /// 503: cannot now, may be able to in a moment; nothing was written.
    Unavailable(anyhow::Error),
    /// 500: a defect of the server.
    Internal(anyhow::Error),
}

/// Said of a file or an import for which the disk has no room.
pub const STORAGE_LOW: &str = "This server is short of space and takes no files and no imports right now. Everything else goes on. Please try again later.";

/// Detail for the log, carried by the response to the one place that logs calls.
#[derive(Clone, Debug)]
pub struct Detail(pub String);

impl AppError {
    /// One field is wrong.
    pub fn of_field(field: &str, text: &str) -> Self {
        let mut errors = FieldErrors::default();
        errors.add(field, text);
        errors.into()
    }

    /// The status, the stable code and the sentence for the person.
    fn describe(&self) -> (StatusCode, &'static str, String) {
        let text = |text: &str| text.to_owned();
        match self {
            Self::SignInNeeded => (
                StatusCode::UNAUTHORIZED,
                "sign_in_needed",
                text("Authentication required"),
            ),
            Self::TokenExpired => (
                StatusCode::UNAUTHORIZED,
                "token_expired",
                text("Invalid or expired token"),
            ),
            Self::WrongPassword => (
                StatusCode::UNAUTHORIZED,
                "wrong_password",
                text("Invalid email or password"),
            ),
            Self::Forbidden => (
                StatusCode::FORBIDDEN,
                "forbidden",
                friendly_error(403).to_owned(),
            ),
            Self::NotLinked => (
                StatusCode::FORBIDDEN,
                "not_linked",
                text("You are not connected with this sitter."),
            ),
            Self::Invite(fault) => {
                let (status, code) = match fault {
                    InviteFault::Unknown => (StatusCode::NOT_FOUND, "invite_unknown"),
                    InviteFault::Used => (StatusCode::GONE, "invite_used"),
                    InviteFault::Expired => (StatusCode::GONE, "invite_expired"),
                    InviteFault::Taken => (StatusCode::CONFLICT, "invite_taken"),
                    InviteFault::Own => (StatusCode::CONFLICT, "invite_own"),
                    InviteFault::HouseholdFull => (StatusCode::CONFLICT, "household_full"),
                    InviteFault::Full => (StatusCode::CONFLICT, "invite_full"),
                };
                (status, code, fault.to_string())
            }
            Self::NotMailed(why) => {
                let code = match why {
                    NotMailed::Stopped { .. } => "mail_stopped",
                    _ => "mail_limit",
                };
                (StatusCode::CONFLICT, code, why.to_string())
            }
            Self::NotFound => (
                StatusCode::NOT_FOUND,
                "not_found",
                friendly_error(404).to_owned(),
            ),
            Self::ReportGone => (
                StatusCode::NOT_FOUND,
                "report_gone",
                text("This report is no longer shared."),
            ),
            Self::InvoiceGone => (
                StatusCode::NOT_FOUND,
                "invoice_gone",
                text("This invoice is no longer shared."),
            ),
            Self::CalendarGone => (
                StatusCode::NOT_FOUND,
                "calendar_gone",
                text("This calendar is no longer shared."),
            ),
            Self::Malformed(why) => (StatusCode::BAD_REQUEST, "malformed", why.clone()),
            Self::Invalid(fields) => {
                let first = fields.first().unwrap_or_default().to_owned();
                (StatusCode::UNPROCESSABLE_ENTITY, "invalid", first)
            }
            Self::Refused(refusal) => (status_of(refusal), refusal.code(), refusal.to_string()),
            Self::Billing(fault) => {
                let status = match fault {
                    BillingFault::Declined | BillingFault::BankAsks => StatusCode::PAYMENT_REQUIRED,
                    BillingFault::NotSold => StatusCode::NOT_FOUND,
                    _ => StatusCode::CONFLICT,
                };
                (status, fault.code(), fault.to_string())
            }
            Self::Card(fault) => {
                let status = match fault {
                    CardFault::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
                    CardFault::TooOften => StatusCode::TOO_MANY_REQUESTS,
                    _ => StatusCode::CONFLICT,
                };
                (status, fault.code(), fault.to_string())
            }
            Self::SignUpClosed => (
                StatusCode::FORBIDDEN,
                "sign_up_closed",
                text("This server takes no new accounts."),
            ),
            Self::InvitationNeeded => (
                StatusCode::FORBIDDEN,
                "invitation_needed",
                text("This server takes new accounts by invitation only."),
            ),
            Self::KeyReused => (
                StatusCode::UNPROCESSABLE_ENTITY,
                "key_reused",
                text("This key was used for another request"),
            ),
            Self::PreconditionFailed => (
                StatusCode::PRECONDITION_FAILED,
                "changed_meanwhile",
                text("This was changed in the meantime"),
            ),
            Self::BodyBrokeOff => (
                StatusCode::REQUEST_TIMEOUT,
                "body_broke_off",
                text("The request did not arrive whole. Please try again."),
            ),
            Self::TooLarge(why) => (StatusCode::PAYLOAD_TOO_LARGE, "too_large", why.clone()),
            Self::Unsupported(why) => (
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "unsupported",
                why.clone(),
            ),
            Self::NoPhotoStorage => (
                StatusCode::SERVICE_UNAVAILABLE,
                "photo_storage_not_configured",
                PhotoError::NotConfigured.to_string(),
            ),
            Self::TooManyPhotos { most, .. } => (
                StatusCode::TOO_MANY_REQUESTS,
                "too_many_photos",
                PhotoError::TooManyToday { most: *most }.to_string(),
            ),
            Self::PhotoStorageFull { most_bytes } => (
                StatusCode::CONFLICT,
                "photo_storage_full",
                PhotoError::StorageFull {
                    most_bytes: *most_bytes,
                }
                .to_string(),
            ),
            Self::WrongOffset { .. } => (
                StatusCode::CONFLICT,
                "wrong_offset",
                text("The file goes on elsewhere"),
            ),
            Self::VideoStorageFull => (
                StatusCode::CONFLICT,
                "video_storage_full",
                VideoError::StorageFull.to_string(),
            ),
            Self::StorageLow => (
                StatusCode::INSUFFICIENT_STORAGE,
                "storage_low",
                text(STORAGE_LOW),
            ),
            Self::VideoShown => (
                StatusCode::CONFLICT,
                "video_shown",
                text("An invoice shows this video"),
            ),
            Self::BusinessNotEmpty => (
                StatusCode::CONFLICT,
                "business_not_empty",
                ArchiveFault::NotEmpty.to_string(),
            ),
            Self::NewWork => (
                StatusCode::CONFLICT,
                "new_work",
                ArchiveFault::NewWork.to_string(),
            ),
            Self::ClearingChanged => (
                StatusCode::CONFLICT,
                "clearing_changed",
                ArchiveFault::ClearingChanged.to_string(),
            ),
            Self::ImportElsewhere => (
                StatusCode::CONFLICT,
                "import_elsewhere",
                text("This is not possible just now. Please look again how far it is."),
            ),
            Self::RangeBeyond { .. } => (
                StatusCode::RANGE_NOT_SATISFIABLE,
                "range_beyond",
                text("The file does not go so far"),
            ),
            Self::UpdateRequired => (
                StatusCode::UPGRADE_REQUIRED,
                "update_required",
                text("Please update the app to go on"),
            ),
            Self::TooManyRequests { .. } => (
                StatusCode::TOO_MANY_REQUESTS,
                "too_many_requests",
                text("Too many tries. Please wait a moment."),
            ),
            Self::Unavailable(_) => (
                StatusCode::SERVICE_UNAVAILABLE,
                "unavailable",
                transport_error(503, ""),
            ),
            Self::Internal(_) => (
                StatusCode::INTERNAL_SERVER_ERROR,
                "internal",
                friendly_error(500).to_owned(),
            ),
        }
    }

    /// The status and the body of the failure form.
    pub fn answer(&self) -> (StatusCode, Value) {
        let (status, code, text) = self.describe();
        let mut body = json!({ "success": false, "code": code, "error": text, "message": text });
        match self {
            Self::Invalid(fields) => body["fields"] = by_name(&fields.0),
            Self::Refused(Refusal::Invalid { fields }) => body["fields"] = by_name(fields),
            Self::Refused(refusal) => body["details"] = json!(refusal),
            Self::WrongOffset { offset } => body["details"] = json!({ "offset": offset }),
            _ => {}
        }
        (status, body)
    }
}

const fn status_of(refusal: &Refusal) -> StatusCode {
    match refusal {
        Refusal::Invalid { .. } => StatusCode::UNPROCESSABLE_ENTITY,
        Refusal::Gone => StatusCode::NOT_FOUND,
        Refusal::NotAllowed | Refusal::LimitReached { .. } => StatusCode::FORBIDDEN,
        _ => StatusCode::CONFLICT,
    }
}

fn by_name(fields: &[walkies_core::values::form_errors::FieldError]) -> Value {
    let fields = fields
        .iter()
        .map(|it| (it.field.clone(), Value::from(it.text.as_str())));
    Value::Object(Map::from_iter(fields))
}

impl IntoResponse for AppError {
    fn into_response(self) -> Response {
        let (status, body) = self.answer();
        let mut response = (status, Json(body)).into_response();
        match self {
            Self::TooManyRequests { retry_after_s } | Self::TooManyPhotos { retry_after_s, .. } => {
                response
                    .headers_mut()
                    .insert(header::RETRY_AFTER, HeaderValue::from(retry_after_s));
            }
            Self::RangeBeyond { size } => {
                let range = HeaderValue::from_str(&format!("bytes */{size}")).ok();
                range.and_then(|it| response.headers_mut().insert(header::CONTENT_RANGE, it));
            }
            Self::Unavailable(error) => {
                response
                    .headers_mut()
                    .insert(header::RETRY_AFTER, HeaderValue::from(1));
                response
                    .extensions_mut()
                    .insert(Detail(redacted_chain(&error)));
            }
            Self::Internal(error) => {
                response
                    .extensions_mut()
                    .insert(Detail(redacted_chain(&error)));
            }
            _ => {}
        }
        response
    }
}

impl From<Refusal> for AppError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<BillingFault> for AppError {
    fn from(fault: BillingFault) -> Self {
        Self::Billing(fault)
    }
}

impl From<CardFault> for AppError {
    fn from(fault: CardFault) -> Self {
        Self::Card(fault)
    }
}

impl From<InviteFault> for AppError {
    fn from(fault: InviteFault) -> Self {
        Self::Invite(fault)
    }
}

impl From<NotMailed> for AppError {
    fn from(why: NotMailed) -> Self {
        Self::NotMailed(why)
    }
}

impl From<FieldErrors> for AppError {
    fn from(fields: FieldErrors) -> Self {
        Self::Invalid(fields)
    }
}

impl From<sqlx::Error> for AppError {
    fn from(error: sqlx::Error) -> Self {
        // A statement that the database refuses for what it says is a defect; all else (a full disk, a lock, a
        // database that restarts) passes.
        let defect = match &error {
            sqlx::Error::Database(database) => {
                !matches!(database.kind(), sqlx::error::ErrorKind::Other)
                    || matches!(database.code().as_deref(), Some("1"))
                    || database.code().is_some_and(|it| {
                        it.len() == 5 && (it.starts_with("42") || it.starts_with("22"))
                    })
            }
            sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed | sqlx::Error::WorkerCrashed => {
                false
            }
            sqlx::Error::Io(_) | sqlx::Error::Tls(_) | sqlx::Error::Protocol(_) => false,
            _ => true,
        };
        if defect {
            Self::Internal(error.into())
        } else {
            Self::Unavailable(error.into())
        }
    }
}
