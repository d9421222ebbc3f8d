//! Owns walk requests: what pet parents ask for and what became of it (SPEC 3 and 4).

use serde::Serialize;

use crate::rows::series::SeriesRule;
use crate::rows::service::{DEFAULT_MINUTES, Service, ServiceType};
use crate::values::field::{Field, date, plain, time};
use crate::values::json::{read_by_field, read_by_name, read_by_tag};
use crate::{Cents, Date, Id, Instant, Time};

/// Status of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum RequestStatus {
    /// Not answered yet; the default.
    #[default]
    Pending,
    /// Approved; a service was made of it.
    Approved,
    /// Declined by the sitter.
    Declined,
    /// The service is done.
    Completed,
}

read_by_name!(RequestStatus {
    Pending,
    Approved,
    Declined,
    Completed
});

impl RequestStatus {
    /// As it stands in a sentence: `approved`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Approved => "approved",
            Self::Declined => "declined",
            Self::Completed => "completed",
        }
    }
}

/// Subject of a request that asks for something else than one visit.
///
/// Stored on phones. Only add variants and optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RequestSubject {
    /// A date of a series is to be left out.
    LeaveOutDate {
        /// Id of the series.
        series_id: Id,
        /// The day by its rule.
        date: Date,
        /// One time of that day; without it all of them.
        #[serde(default)]
        slot: Option<Id>,
    },
    /// A series is to be paused.
    PauseSeries {
        /// Id of the series.
        series_id: Id,
        /// The first day without visits.
        from: Date,
        /// The last day without visits.
        to: Date,
    },
    /// A service is to be cancelled.
    CancelService {
        /// Id of the service.
        service_id: Id,
    },
    /// A visit is to move to another time, or a stay to other days.
    MoveService {
        /// Id of the service.
        service_id: Id,
        /// The new day; of a stay the first one.
        date: Date,
        /// The new start; of a stay the arrival.
        start_time: Time,
        /// The new last day of a stay; absent for a visit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        end_date: Option<Date>,
        /// The new departure of a stay, where that is said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        departure_time: Option<Time>,
    },
    /// The visit that is asked for is to repeat, from its day on.
    Series {
        /// The rule by which it repeats.
        rule: SeriesRule,
        /// The last day that may have a visit; until further notice without it.
        #[serde(default)]
        last_day: Option<Date>,
    },
}

impl RequestSubject {
    /// Returns true if this asks for the time that a service has.
    pub fn has_moved(&self, service: &Service) -> bool {
        match *self {
            Self::MoveService {
                service_id,
                date,
                start_time,
                end_date,
                departure_time,
            } => {
                (service_id, date, start_time) == (service.id, service.date, service.start_time)
                    && (end_date, departure_time) == (service.end_date, service.departure_time)
            }
            _ => false,
        }
    }
}

read_by_tag!(RequestSubject by "kind" {
    "leave_out_date" => LeaveOutDate { series_id, date } or default { slot },
    "pause_series" => PauseSeries { series_id, from, to },
    "cancel_service" => CancelService { service_id },
    "move_service" => MoveService { service_id, date, start_time } or default { end_date, departure_time },
    "series" => Series { rule } or default { last_day },
});

/// A pet parent's wish (SPEC 3). Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WalkRequest {
    /// Made by whoever asks.
    pub id: Id,
    /// The client record of the one who asks.
    pub client_id: Id,
    /// Status by the sitter's answer. `rules::request::status` derives `Completed` from the service.
    pub status: RequestStatus,
    /// Requested day in the sitter's time zone: the first one of a series that is asked for, the last one of a pause.
    pub requested_date: Date,
    /// Requested start in the sitter's time zone.
    pub requested_start_time: Time,
    /// The length that is asked for.
    pub requested_duration_minutes: u32,
    /// Walk or drop-in.
    pub service_type: ServiceType,
    /// The pets' ids.
    pub dog_ids: Vec<Id>,
    /// Message from the pet parent; may be empty.
    #[serde(default)]
    pub message: String,
    /// The sitter's words with the answer; may be empty.
    #[serde(default)]
    pub sitter_response: String,
    /// Estimated price of a visit, or of a stay on other days, by the rates at the time of the request; 0 for all else that is
    /// asked for.
    pub estimated_price: Cents,
    /// The service made of it.
    #[serde(default)]
    pub scheduled_service_id: Option<Id>,
    /// When it was asked.
    pub created_at: Instant,
    /// When the answer was decided, and the client could know of it.
    #[serde(default)]
    pub answered_at: Option<Instant>,
    /// Subject of the request; absent for one visit.
    #[serde(default)]
    pub subject: Option<RequestSubject>,
    /// The offering that is asked for; none for a plain walk or drop-in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offering_id: Option<Id>,
    /// Last day of a stay in the sitter's time zone; of one that is to change, the last day that it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requested_end_date: Option<Date>,
    /// When a stay ends on its last day, where that was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requested_departure_time: Option<Time>,
    /// Login of the pet parent who asked, made by the server; absent for requests that older servers took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked_by: Option<Id>,
    /// Id shared by requests that were made at once; none for one by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group_id: Option<Id>,
    /// True if its time was not offered, and the pet parent asked all the same.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_wish: bool,
    /// True if the client booked it without asking; it is approved then.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub booked_at_once: bool,
}

read_by_field!(WalkRequest { id, client_id, status, requested_date, requested_start_time,
    requested_duration_minutes, service_type, dog_ids, estimated_price, created_at }
    or default { message, sitter_response, scheduled_service_id, answered_at, subject, offering_id, requested_end_date,
    requested_departure_time, asked_by, group_id, is_wish, booked_at_once });

impl WalkRequest {
    /// The fields that a pet parent sets.
    pub const EDITABLE: &[Field] = &[
        date("requested_date"),
        time("requested_start_time"),
        plain("requested_duration_minutes"),
        plain("service_type"),
        plain("dog_ids"),
        plain("message"),
        plain("offering_id"),
        date("requested_end_date"),
        time("requested_departure_time"),
    ];

    /// A request that waits, for nothing in particular yet.
    pub fn new(id: Id, client_id: Id, at: Instant) -> Self {
        Self {
            id,
            client_id,
            status: RequestStatus::Pending,
            requested_date: Date::default(),
            requested_start_time: Time::hour(9),
            requested_duration_minutes: DEFAULT_MINUTES,
            service_type: ServiceType::Walk,
            dog_ids: Vec::new(),
            message: String::new(),
            sitter_response: String::new(),
            estimated_price: Cents::ZERO,
            scheduled_service_id: None,
            created_at: at,
            answered_at: None,
            subject: None,
            offering_id: None,
            requested_end_date: None,
            requested_departure_time: None,
            asked_by: None,
            group_id: None,
            is_wish: false,
            booked_at_once: false,
        }
    }
}
