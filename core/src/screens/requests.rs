//! Owns the requests' screen: each request with whose it is and what is in its way now, and how many there are of each
//! kind (SPEC 2, Requests).

use serde::Serialize;

use crate::rows::walk_request::{RequestStatus, WalkRequest};
use crate::rules::conflict::{self, ConflictRequest};
use crate::rules::request::{asked_service, status};
use crate::rules::words;
use crate::screens::limits::TimeOption;
use crate::screens::schedule::{Contact, Face, ObstacleView, nearest};
use crate::values::format;
use crate::values::json::read_by_name;
use crate::values::sort::SmallSort as _;
use crate::{Business, Cents, Date, Id, Instant, Now, Time};

/// The tabs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum RequestFilter {
    /// All of them.
    All,
    /// Not answered.
    Pending,
    /// Approved, done or not.
    Approved,
    /// Declined.
    Declined,
}

read_by_name!(RequestFilter {
    All,
    Pending,
    Approved,
    Declined
});

/// What the tabs count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct RequestCounts {
    /// All of them.
    pub all: usize,
    /// Not answered.
    pub pending: usize,
    /// Approved, done or not.
    pub approved: usize,
    /// Declined.
    pub declined: usize,
}

/// A request as its card shows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct RequestCard {
    /// Of the request.
    pub id: Id,
    /// Where it stands.
    pub status: RequestStatus,
    /// Whose; absent once the client is deleted.
    pub client: Option<Contact>,
    /// For which pets; deleted ones are missing.
    pub pets: Vec<Face>,
    /// For when.
    pub date: Date,
    /// For when.
    pub start_time: Time,
    /// `Friday, November 20`.
    pub heading: String,
    /// `9:30 AM - 10:00 AM`.
    pub time: String,
    /// `Walk, 30 min`.
    pub what: String,
    /// What it would cost as the parent was told.
    pub price: Cents,
    /// The parent's words; may be empty.
    pub message: String,
    /// The sitter's words; may be empty.
    pub sitter_response: String,
    /// When it was asked.
    pub created_at: Instant,
    /// The service that was made of it.
    pub scheduled_service_id: Option<Id>,
    /// What is in the way of one that waits.
    pub obstacles: Vec<ObstacleView>,
    /// Free starts of the same day next to the wanted one, by time; empty when nothing is in the way.
    pub free: Vec<TimeOption>,
    /// It waits, and its day is over.
    pub is_past: bool,
}

/// The screen.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct RequestList {
    /// How many there are of each kind.
    pub counts: RequestCounts,
    /// The newest of those that were asked for, the newest first.
    pub cards: Vec<RequestCard>,
    /// How many of that kind there are beyond them.
    pub more: usize,
}

/// The `most` newest requests of a tab.
pub fn requests(business: &Business, filter: RequestFilter, most: usize, now: &Now) -> RequestList {
    let mut counts = RequestCounts::default();
    let mut found: Vec<&WalkRequest> = Vec::new();
    for request in business.requests.values().map(|it| &it.row) {
        counts.all += 1;
        let (count, tab) = match request.status {
            RequestStatus::Pending => (&mut counts.pending, RequestFilter::Pending),
            // What is done was approved.
            RequestStatus::Approved | RequestStatus::Completed => {
                (&mut counts.approved, RequestFilter::Approved)
            }
            RequestStatus::Declined => (&mut counts.declined, RequestFilter::Declined),
        };
        *count += 1;
        if filter == RequestFilter::All || filter == tab {
            found.push(request);
        }
    }
    found.small_sort_by_key(|it| std::cmp::Reverse((it.created_at, it.id)));
    RequestList {
        counts,
        more: found.len().saturating_sub(most),
        cards: found
            .into_iter()
            .take(most)
            .map(|it| card(business, it, now))
            .collect(),
    }
}

fn card(business: &Business, request: &WalkRequest, now: &Now) -> RequestCard {
    let service = asked_service(request, Id::default());
    let cycle = business.hour_cycle();
    let waits = request.status == RequestStatus::Pending;
    let is_past = waits && request.requested_date < now.today();
    let answer =
        (waits && !is_past).then(|| conflict::check(business, &ConflictRequest::of(&service), now));
    let (with, free) = answer.map(|it| (it.with, it.free)).unwrap_or_default();
    let pets = request.dog_ids.iter().filter_map(|id| business.pet(*id));
    RequestCard {
        id: request.id,
        status: status(business, request),
        client: business.client(request.client_id).map(Contact::from),
        pets: pets.map(Face::from).collect(),
        date: request.requested_date,
        start_time: request.requested_start_time,
        heading: format::date_heading(request.requested_date),
        time: words::service_time(&service, cycle),
        what: [
            words::service_kind(&service),
            ", ",
            &words::length(&service),
        ]
        .concat(),
        price: request.estimated_price,
        message: request.message.clone(),
        sitter_response: request.sitter_response.clone(),
        created_at: request.created_at,
        scheduled_service_id: request.scheduled_service_id,
        obstacles: with
            .into_iter()
            .map(|it| ObstacleView::of(it, request.requested_date, cycle))
            .collect(),
        free: nearest(free, request.requested_start_time, cycle),
        is_past,
    }
}
