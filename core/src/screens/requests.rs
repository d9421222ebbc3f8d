//! Owns the requests' screen: each request with whose it is and what is in its way now, and how many there are of each
//! kind (SPEC 2, Requests).

use std::collections::BTreeMap;

use serde::Serialize;

use crate::commands::decision::{Context, Intent as _};
use crate::commands::{UndoApproval, asked_series, moved_service, refuse_grant};
use crate::rows::service::{Service, ServiceStatus};
use crate::rows::walk_request::{RequestStatus, RequestSubject, WalkRequest};
use crate::rules::conflict::{self, ConflictRequest};
use crate::rules::message::can_be_messaged;
use crate::rules::pricing;
use crate::rules::request::{
    approved_service, asked_service, books_at_once, is_short_enough, status, without_reason,
};
use crate::rules::series::{Audience, occurrence_id, sentence};
use crate::rules::words;
use crate::screens::schedule::{Contact, Face, FreeStart, ObstacleView, nearest};
use crate::values::format;
use crate::values::instant::MS_PER_HOUR;
use crate::values::json::read_by_name;
use crate::values::sort::SmallSort as _;
use crate::values::units::HourCycle;
use crate::{Business, Cents, Date, Id, Instant, Now, Refusal, Time};

/// Filter of the list of requests: the sitter's tabs, and the news for a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum RequestFilter {
    /// All of them.
    All,
    /// Not answered yet.
    Pending,
    /// Approved, done or not.
    Approved,
    /// Declined by the sitter.
    Declined,
    /// Requests that wait, and for a week those that were declined, those that nobody has answered and those that were
    /// approved for another time. Other approved requests are shown among the visits alone.
    News,
}

read_by_name!(RequestFilter {
    All,
    Pending,
    Approved,
    Declined,
    News
});

/// Counts on the tabs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct RequestCounts {
    /// All of them.
    pub all: usize,
    /// Not answered yet.
    pub pending: usize,
    /// Approved, done or not.
    pub approved: usize,
    /// Declined by the sitter.
    pub declined: usize,
}

/// A request as its card shows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct RequestCard {
    /// The request's id.
    pub id: Id,
    /// Status of the request, with that of its service.
    pub status: RequestStatus,
    /// The client; absent once it is deleted.
    pub client: Option<Contact>,
    /// Name of the pet parent who asked, where several of the household have a login.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub asked_by: Option<String>,
    /// The pets; deleted ones are missing.
    pub pets: Vec<Face>,
    /// Requested day, the first one of a pause; once a service was made of the request, the service's.
    pub date: Date,
    /// Requested start; once a service was made of the request, the service's.
    pub start_time: Time,
    /// `Friday, November 20`; of a pause `Dec 24 to Jan 2`, of a series `From Friday, November 20`.
    pub heading: String,
    /// `9:30 AM - 10:00 AM`; empty for a pause.
    pub time: String,
    /// `Walk, 30 min`; empty for a pause.
    pub what: String,
    /// The time that was asked for, where the service is at another: `Friday, November 20, 9:30 AM - 10:00 AM`.
    pub asked_for: Option<String>,
    /// Price of a visit, or of a stay on other days, that the parent was told; once it is booked, the service's. 0 where
    /// neither is asked for.
    pub price: Cents,
    /// True for a price that nothing is booked at.
    pub is_estimate: bool,
    /// Price of a stay on the days that it has, where it waits for others.
    pub former_price: Option<Cents>,
    /// Price of one that waits by the rates now, where that is another price.
    pub price_now: Option<Cents>,
    /// The parent's words; may be empty.
    pub message: String,
    /// The sitter's words; may be empty.
    pub sitter_response: String,
    /// True if the client booked it without asking.
    pub booked_at_once: bool,
    /// True while the sitter can take such a booking back: some minutes long, and until anything has become of its service.
    pub can_undo: bool,
    /// True for one that waits and that the server books without asking once it has it, where that is possible then.
    pub books_when_sent: bool,
    /// When it was asked.
    pub created_at: Instant,
    /// Id shared by requests for visits that wait and were made at once; they follow each other in the list, by their time.
    pub group_id: Option<Id>,
    /// The service that was made of it, where that is not deleted.
    pub scheduled_service_id: Option<Id>,
    /// Obstacles of a request that waits.
    pub obstacles: Vec<ObstacleView>,
    /// Free starts of the same day next to the wanted one, the suggested ones first; empty when nothing is in the way.
    pub free: Vec<FreeStart>,
    /// It waits, and its day is over.
    pub is_past: bool,
    /// Why one that waits can be declined and no more.
    pub only_decline: Option<String>,
    /// Subject of the request; absent for one visit.
    pub subject: Option<RequestSubject>,
    /// `Leave out this date`, `Pause from Dec 24 to Jan 2`, `Cancel this visit`, `Tuesdays at 12:00 PM, until Mar 3`; empty
    /// for one visit.
    pub title: String,
    /// The series that it is about: `Every weekday at 12:00 PM, until further notice`.
    pub series: Option<String>,
    /// The request within a sentence: `Friday, November 20, 9:30 AM - 10:00 AM`, `pause from Dec 24 to Jan 2`.
    pub called: String,
    /// The answer where it is declined without a reason.
    pub without_reason: String,
    /// Remarks on the client and the pets of one that waits: `Dana is inactive. Approving makes Dana active
    /// again.`
    pub remarks: Vec<String>,
    /// True if its client has a login, and so reads the answer.
    pub is_told: bool,
    /// True if its client can be written to.
    pub can_message: bool,
}

/// The list of requests, with the counts on its tabs.
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

/// The `most` newest requests of a kind.
pub fn requests(business: &Business, filter: RequestFilter, most: usize, now: &Now) -> RequestList {
    // No other list is a client's.
    let audience = match filter {
        RequestFilter::News => Audience::Client,
        _ => Audience::Sitter,
    };
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
        let is_asked_for = match filter {
            RequestFilter::All => true,
            RequestFilter::News => is_news(business, request, now),
            _ => filter == tab,
        };
        if is_asked_for {
            found.push(request);
        }
    }
    sort(&mut found);
    let group_at = |place: usize| found.get(place).and_then(|it| group(it));
    // What was asked for at once is answered at once, so it is not taken apart.
    let within = (most..found.len()).take_while(|it| {
        let before = it.checked_sub(1).and_then(group_at);
        before.is_some() && before == group_at(*it)
    });
    let most = most + within.count();
    RequestList {
        counts,
        more: found.len().saturating_sub(most),
        cards: found
            .into_iter()
            .take(most)
            .map(|it| card(business, it, audience, now))
            .collect(),
    }
}

/// The group of a request that waits.
fn group(request: &WalkRequest) -> Option<Id> {
    let waits = request.status == RequestStatus::Pending;
    request.group_id.filter(|_| waits)
}

/// Sorts requests: those that wait first, then by when they were asked for, the newest first; those that were asked for at
/// once by their time.
fn sort(found: &mut [&WalkRequest]) {
    let mut newest: BTreeMap<Id, Instant> = BTreeMap::new();
    for request in found.iter() {
        if let Some(group) = group(request) {
            let at = newest.entry(group).or_insert(request.created_at);
            *at = request.created_at.max(*at);
        }
    }
    found.small_sort_by_key(|it| {
        let waits = it.status == RequestStatus::Pending;
        let group = group(it);
        let at = group.and_then(|it| newest.get(&it));
        let place = (waits, *at.unwrap_or(&it.created_at), group.unwrap_or(it.id));
        let time = (it.requested_date, it.requested_start_time, it.id);
        (std::cmp::Reverse(place), time)
    });
}

/// For how many days it is news what has become of a request.
const NEWS_DAYS: i64 = 7;

fn is_news(business: &Business, request: &WalkRequest, now: &Now) -> bool {
    let (day, today) = (request.requested_date, now.today());
    // The day, where it was answered before the moment of it was kept.
    let is_answered_of_late = || match request.answered_at {
        Some(at) => now.at.0 - at.0 < NEWS_DAYS * 24 * MS_PER_HOUR,
        None => day >= today,
    };
    match status(business, request) {
        RequestStatus::Pending => day >= today.plus_days(-NEWS_DAYS),
        RequestStatus::Declined => is_answered_of_late(),
        // What is left out or booked by it is among the visits of its series alone.
        RequestStatus::Approved if request.subject.is_some() => is_answered_of_late(),
        RequestStatus::Approved => {
            let made = made_of(business, request);
            let is_to_come = |it: &&Service| it.status == ServiceStatus::Scheduled;
            made.filter(is_to_come)
                .is_some_and(|it| is_elsewhen(request, it))
                && is_answered_of_late()
        }
        RequestStatus::Completed => false,
    }
}

/// The service that was made of a request, where that is not deleted.
fn made_of<'a>(business: &'a Business, request: &WalkRequest) -> Option<&'a Service> {
    request
        .scheduled_service_id
        .and_then(|it| business.service(it))
}

/// The service that a request is to change.
fn changed_by<'a>(business: &'a Business, request: &WalkRequest) -> Option<&'a Service> {
    let id = match request.subject.as_ref()? {
        RequestSubject::CancelService { service_id }
        | RequestSubject::MoveService { service_id, .. } => *service_id,
        RequestSubject::LeaveOutDate {
            series_id,
            date,
            slot: Some(slot),
        } => occurrence_id(*series_id, *slot, *date),
        _ => return None,
    };
    business.service(id)
}

/// The question whether the new time of a visit that is to move, or the new days of a stay, are free; none for another
/// request.
fn moved_by(request: &WalkRequest, service: &Service) -> Option<ConflictRequest> {
    let moved = moved_to(request.subject.as_ref()?, service)?;
    Some(ConflictRequest::of(&moved))
}

/// A service at the time that a wish to move it asks for; none for another wish.
fn moved_to(subject: &RequestSubject, service: &Service) -> Option<Service> {
    let RequestSubject::MoveService {
        date,
        start_time,
        end_date,
        departure_time,
        ..
    } = *subject
    else {
        return None;
    };
    let mut moved = Service {
        date,
        start_time,
        ..service.clone()
    };
    if end_date.is_some() {
        (moved.end_date, moved.departure_time) = (end_date, departure_time);
    }
    Some(moved)
}

/// Returns true while a booking that the client made without asking can be taken back.
fn can_undo(business: &Business, request: &WalkRequest, now: &Now) -> bool {
    let made = request
        .scheduled_service_id
        .filter(|_| request.booked_at_once);
    made.is_some_and(|service_id| {
        let undo = UndoApproval::new(request.id, service_id);
        undo.decide(business, &Context::at(now.clone()))
            .is_ok_and(|it| !it.changes.is_empty())
    })
}

/// The service whose price an approved request has come to: the one that was made of it, the stay that has moved, or the
/// first visit of its series.
fn booked_by<'a>(business: &'a Business, request: &WalkRequest) -> Option<&'a Service> {
    if request.status != RequestStatus::Approved {
        return None;
    }
    match &request.subject {
        None => made_of(business, request),
        Some(RequestSubject::MoveService { service_id, .. }) => business.service(*service_id),
        Some(RequestSubject::Series { .. }) => {
            let visits = business.services.referring_to(request.id);
            visits
                .filter(|it| it.series_id == Some(request.id))
                .min_by_key(|it| (it.date, it.start_time, it.id))
        }
        Some(_) => None,
    }
}

/// Returns true if the service of a request begins at another time than was asked for.
fn is_elsewhen(request: &WalkRequest, service: &Service) -> bool {
    (service.date, service.start_time) != (request.requested_date, request.requested_start_time)
}

/// Words for a request that asks for something else than one visit.
pub(crate) struct SubjectWords {
    /// The wish itself: `Pause from Dec 24 to Jan 2`.
    pub title: String,
    /// The series that it is about.
    pub series: Option<String>,
    /// The days, where they are not the day of a visit: `Dec 24 to Jan 2`.
    days: Option<String>,
    /// The first day.
    first: Date,
    /// True if it is about a visit, which has a time and a length.
    has_visit: bool,
}

/// Words what a request asks for; none for one visit.
pub(crate) fn subject_words(
    business: &Business,
    request: &WalkRequest,
    audience: Audience,
    now: &Now,
) -> Option<SubjectWords> {
    let (cycle, today) = (business.hour_cycle(), now.today());
    let series = |id: &Id, on: Date| {
        let series = &business.series.get(id)?.row;
        Some(sentence(series, on, today, cycle, audience))
    };
    Some(match request.subject.as_ref()? {
        RequestSubject::LeaveOutDate {
            series_id,
            date,
            slot,
        } => SubjectWords {
            title: match slot {
                Some(_) => "Leave out this visit".to_owned(),
                None => "Leave out this day".to_owned(),
            },
            series: series(series_id, *date),
            days: None,
            first: request.requested_date,
            has_visit: slot.is_some(),
        },
        RequestSubject::PauseSeries {
            series_id,
            from,
            to,
        } => {
            let days = match from == to {
                true => format::month_day(*from),
                false => [&format::month_day(*from), " to ", &format::month_day(*to)].concat(),
            };
            let when = if from == to {
                "Pause on "
            } else {
                "Pause from "
            };
            SubjectWords {
                title: [when, &days].concat(),
                series: series(series_id, *from),
                days: Some(days),
                first: *from,
                has_visit: false,
            }
        }
        RequestSubject::CancelService { .. } => SubjectWords {
            title: match request.requested_end_date {
                Some(_) => "Cancel this stay".to_owned(),
                None => "Cancel this visit".to_owned(),
            },
            series: None,
            days: None,
            first: request.requested_date,
            has_visit: true,
        },
        RequestSubject::MoveService { service_id, .. } => {
            let known = business.service(*service_id);
            let asked = || asked_service(request, *service_id, business);
            let service = known.cloned().unwrap_or_else(asked);
            let moved = moved_to(request.subject.as_ref()?, &service)?;
            let day = format::date_heading(moved.date);
            let time = match moved.end_date {
                Some(_) => words::service_time(&moved, cycle),
                None => format::time(moved.start_time, cycle),
            };
            // Once it is answered, that is where it was or is by now.
            let waits = request.status == RequestStatus::Pending;
            let now_at = known.filter(|_| waits).map(|it| {
                let (day, time) = day_and_time(it, audience, cycle);
                ["Now ", &day, ", ", &time].concat()
            });
            SubjectWords {
                title: ["Move to ", &day, ", ", &time].concat(),
                series: None,
                days: now_at,
                first: request.requested_date,
                has_visit: false,
            }
        }
        RequestSubject::Series { .. } => {
            let date = request.requested_date;
            let series = asked_series(request)?;
            SubjectWords {
                title: sentence(&series, date, today, cycle, audience),
                series: None,
                days: Some(["From ", &format::date_heading(date)].concat()),
                first: date,
                has_visit: true,
            }
        }
    })
}

/// Day and time of a service; for its client the agreed window in place of the time.
fn day_and_time(service: &Service, audience: Audience, cycle: HourCycle) -> (String, String) {
    let agreed = words::window(service, cycle);
    let time = match audience {
        Audience::Client if !agreed.is_empty() => agreed,
        _ => words::service_time(service, cycle),
    };
    (format::date_heading(service.date), time)
}

fn card(business: &Business, request: &WalkRequest, audience: Audience, now: &Now) -> RequestCard {
    let asked = asked_service(request, Id::default(), business);
    let words = subject_words(business, request, audience, now);
    let is_visit = words.is_none();
    let made = made_of(business, request);
    // It may have moved since.
    let changed = changed_by(business, request);
    let service = made.or(changed).unwrap_or(&asked);
    let cycle = business.hour_cycle();
    let day_and_time = |it: &Service| day_and_time(it, audience, cycle);
    let (mut heading, mut time) = day_and_time(service);
    let mut what = words::service_kind(service).to_owned() + ", " + &words::length(service);
    let mut date = service.date;
    if let Some(words) = &words {
        heading = words.days.clone().unwrap_or(heading);
        date = changed.map_or(words.first, |it| it.date);
        if !words.has_visit {
            (time, what) = (String::new(), String::new());
        }
    }
    let called = match &words {
        None => [&heading, ", ", &time].concat(),
        Some(it) if it.days.is_some() => it.title.clone(),
        Some(it) if time.is_empty() => [&it.title, ", ", &heading].concat(),
        Some(it) => [&it.title, ", ", &heading, ", ", &time].concat(),
    };
    let waits = request.status == RequestStatus::Pending;
    let is_move = matches!(request.subject, Some(RequestSubject::MoveService { .. }));
    let day = match changed {
        // Nothing moves to a day that is over.
        Some(it) if is_move => it.date.min(request.requested_date),
        Some(it) => it.date,
        None => request.requested_date,
    };
    let is_past = waits && day < now.today();
    let only_decline = waits.then(|| only_decline(business, request, is_past, now));
    let only_decline = only_decline.flatten();
    let wanted = moved_by(request, service).unwrap_or_else(|| ConflictRequest::of(&asked));
    let approved = approved_service(request, Id::default(), business);
    let answer = (waits && (is_visit || is_move) && only_decline.is_none())
        .then(|| conflict::check(business, &wanted, now));
    let (with, free) = answer.map(|it| (it.with, it.free)).unwrap_or_default();
    // A visit moves to the time that was asked for, or not at all.
    let free = if is_visit { free } else { Vec::new() };
    let client = business.client(request.client_id);
    let asks_for_visits = is_visit || asked_series(request).is_some();
    // A stay on other days costs what its nights or days come to.
    let moved_stay = changed.filter(|it| is_move && it.end_date.is_some());
    let price_now = if !waits || only_decline.is_some() {
        None
    } else if let (Some(stay), Some(subject)) = (moved_stay, &request.subject) {
        let moved = moved_service(subject, stay, business);
        moved.ok().map(|it| it.price)
    } else if asks_for_visits {
        pricing::of_service(business, &approved).map(|it| it.total)
    } else {
        None
    };
    // The app of a client does not know an offering that is sold no more.
    let price_now =
        price_now.filter(|it| audience == Audience::Sitter && *it != request.estimated_price);
    let offering = request.offering_id.map(|it| business.offerings.get(&it));
    let is_short = match offering {
        Some(None) => false,
        known => is_short_enough(
            known.flatten().map(|it| &it.row),
            request.requested_duration_minutes,
        ),
    };
    let booked = booked_by(business, request);
    let pets = request.dog_ids.iter().filter_map(|id| business.pet(*id));
    RequestCard {
        id: request.id,
        status: status(business, request),
        client: client.map(Contact::from),
        asked_by: client
            .and_then(|it| it.parent_name(request.asked_by))
            .map(str::to_owned),
        pets: pets.map(Face::from).collect(),
        date,
        start_time: service.start_time,
        heading,
        time,
        what,
        asked_for: (!is_move && is_elsewhen(request, service)).then(|| {
            let (heading, time) = day_and_time(&asked);
            heading + ", " + &time
        }),
        price: booked.map_or(request.estimated_price, |it| it.price),
        is_estimate: booked.is_none(),
        former_price: moved_stay.filter(|_| waits).map(|it| it.price),
        price_now,
        message: request.message.clone(),
        sitter_response: request.sitter_response.clone(),
        booked_at_once: request.booked_at_once,
        can_undo: audience == Audience::Sitter && can_undo(business, request, now),
        books_when_sent: waits
            && is_visit
            && !request.is_wish
            && request.requested_end_date.is_none()
            && is_short
            && client.is_some_and(books_at_once),
        created_at: request.created_at,
        group_id: request.group_id.filter(|_| waits && is_visit),
        scheduled_service_id: made.map(|it| it.id),
        obstacles: with
            .into_iter()
            .map(|it| ObstacleView::of(it, wanted.date, cycle))
            .collect(),
        free: nearest(business, request.client_id, &wanted, free),
        is_past,
        remarks: match waits && only_decline.is_none() {
            true => remarks(business, request, &asked, &approved),
            false => Vec::new(),
        },
        only_decline: only_decline.map(|it| it + ", so it can only be declined."),
        subject: request.subject.clone(),
        title: words
            .as_ref()
            .map(|it| it.title.clone())
            .unwrap_or_default(),
        series: words.and_then(|it| it.series),
        called,
        without_reason: without_reason(request).to_owned(),
        is_told: client.is_some_and(|it| it.client_user_id.is_some()),
        can_message: client.is_some_and(can_be_messaged),
    }
}

/// Returns the reason why a request that waits can never be approved; `None` if it can.
fn only_decline(
    business: &Business,
    request: &WalkRequest,
    is_past: bool,
    now: &Now,
) -> Option<String> {
    let is_here = |pet: &Id| business.pet(*pet).is_some();
    let asks_for_visits = matches!(request.subject, None | Some(RequestSubject::Series { .. }));
    let reason = if is_past {
        "Its day is over"
    } else if business.client(request.client_id).is_none() {
        "The client was deleted"
    } else if let Some(subject) = request.subject.as_ref().filter(|_| !asks_for_visits) {
        match subject {
            RequestSubject::LeaveOutDate { series_id, .. }
            | RequestSubject::PauseSeries { series_id, .. }
                if !business.series.contains_key(series_id) =>
            {
                "The series was deleted"
            }
            RequestSubject::CancelService { service_id }
            | RequestSubject::MoveService { service_id, .. }
                if business.service(*service_id).is_none() =>
            {
                "The visit was deleted"
            }
            _ => return why_not_granted(business, request, now),
        }
    } else if !request.dog_ids.iter().all(is_here) {
        "One of the pets was deleted"
    } else if approved_service(request, Id::default(), business)
        .dog_ids
        .is_empty()
    {
        match request.dog_ids.len() {
            1 => "The pet is no longer with us",
            _ => "The pets are no longer with us",
        }
    } else {
        return None;
    };
    Some(reason.to_owned())
}

/// Words why a change would be refused now, as the refusal does; its advice is for the client alone.
fn why_not_granted(business: &Business, request: &WalkRequest, now: &Now) -> Option<String> {
    Some(match refuse_grant(request, business, now).err()? {
        Refusal::AlreadyCompleted => "The visit is done".to_owned(),
        Refusal::Gone => "The visit is another client's now".to_owned(),
        refusal => {
            let text = refusal.to_string();
            let sentence = text.split_once('.').map(|(first, _)| first.to_owned());
            sentence.unwrap_or(text)
        }
    })
}

/// Words what approving does beside booking what was asked for.
fn remarks(
    business: &Business,
    request: &WalkRequest,
    asked: &Service,
    approved: &Service,
) -> Vec<String> {
    let named = |is_along: bool| -> Vec<String> {
        let ids = asked.dog_ids.iter();
        let ids = ids.filter(|it| approved.dog_ids.contains(it) == is_along);
        let pets = ids.filter_map(|it| business.pet(*it));
        pets.map(|it| it.name.clone()).collect()
    };
    let mut remarks = Vec::new();
    if request.is_wish {
        remarks.push("This was none of the open times when the request arrived.".to_owned());
    }
    let client = business.client(asked.client_id);
    if let Some(client) = client.filter(|it| it.inactive_since.is_some()) {
        let name = format::set_apart(&client.name);
        remarks.push(format!(
            "{name} is inactive. Approving makes {name} active again."
        ));
    }
    let gone = named(false);
    if !gone.is_empty() {
        let is = if gone.len() == 1 { "is" } else { "are" };
        let (gone, along) = (format::names(&gone), format::names(&named(true)));
        remarks.push(format!(
            "{gone} {is} no longer with us. Approving books the visit for {along}."
        ));
    }
    remarks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::client::Client;
    use crate::rows::offering::{Offering, PricingType, StayUnit};
    use crate::rows::pet::Pet;
    use crate::rows::row::{Row, RowKey, TableName};
    use crate::values::zone::TimeZone;

    const CLIENT: Id = Id::of(1);

    fn now() -> Now {
        let at = "2026-11-20T15:00:00Z".parse().unwrap();
        let zone = TimeZone::UTC;
        Now { at, zone }
    }

    /// A request for the day that is so many days away, answered so many days ago.
    fn request(status: RequestStatus, day: i64, answered: Option<i64>) -> WalkRequest {
        let now = now();
        WalkRequest {
            status,
            requested_date: now.today().plus_days(day),
            answered_at: answered.map(|days| Instant(now.at.0 - days * 24 * MS_PER_HOUR)),
            ..WalkRequest::new(Id::of(7), CLIENT, Instant(0))
        }
    }

    fn is_told(request: WalkRequest) -> bool {
        let mut business = Business::default();
        business.put(1, Row::WalkRequest(request));
        shown(&business, RequestFilter::News).is_some()
    }

    #[test]
    fn what_was_declined_is_told_for_a_week_after_the_answer_however_long_ago_it_was_asked() {
        let declined = |day, answered| is_told(request(RequestStatus::Declined, day, answered));
        assert!(declined(20, Some(0)) && declined(-1, Some(6)));
        assert!(!declined(20, Some(7)));
        // Answered before the moment of it was kept.
        assert!(declined(0, None) && !declined(-1, None));
    }

    #[test]
    fn what_nobody_has_answered_is_told_for_a_week_after_its_day() {
        let pending = |day| is_told(request(RequestStatus::Pending, day, None));
        assert!(pending(20) && pending(0) && pending(-7));
        assert!(!pending(-8));
    }

    /// A pending request for a pet of a client who is in the portal.
    fn pending() -> Business {
        let mut request = request(RequestStatus::Pending, 2, None);
        let mut client = Client::new(CLIENT, Instant(0));
        client.client_user_id = Some(Id::of(5));
        let pet = Pet::new(Id::of(2), CLIENT);
        request.dog_ids = vec![pet.id];
        let mut business = Business::default();
        for row in [
            Row::Client(client),
            Row::Pet(pet),
            Row::WalkRequest(request),
        ] {
            business.put(1, row);
        }
        business
    }

    #[test]
    fn requests_that_were_made_at_once_follow_each_other_by_their_time() {
        let mut business = Business::default();
        // By id: when it was asked in seconds, on which day, in which group.
        for (id, at, day, group) in [
            (11, 100, 5, Some(70)),
            (12, 101, 3, Some(70)),
            (13, 101, 1, None),
            (14, 102, 4, Some(70)),
            (15, 103, 2, None),
            (16, 90, 2, None),
        ] {
            let request = WalkRequest {
                id: Id::of(id),
                created_at: Instant(at * 1000),
                group_id: group.map(Id::of),
                ..request(RequestStatus::Pending, day, None)
            };
            business.put(1, Row::WalkRequest(request));
        }
        let listed = |most| {
            let list = requests(&business, RequestFilter::Pending, most, &now());
            let ids = list.cards.iter().map(|it| it.id).collect::<Vec<_>>();
            (ids, list.more)
        };
        let all = [15, 12, 14, 11, 13, 16].map(Id::of);
        assert_eq!(listed(9), (all.to_vec(), 0));
        // A group is not taken apart.
        assert_eq!(listed(2), (all[..4].to_vec(), 2));
        assert_eq!(listed(1), (all[..1].to_vec(), 5));
    }

    #[test]
    fn a_move_says_its_new_time_and_what_is_in_the_way_there() {
        let mut business = pending();
        let mut request = business.requests.values().next().unwrap().row.clone();
        let visit = asked_service(&request, Id::of(8), &business);
        request.subject = Some(RequestSubject::MoveService {
            service_id: visit.id,
            date: visit.date.plus_days(1),
            start_time: Time::hour(14),
            end_date: None,
            departure_time: None,
        });
        let other = Service {
            id: Id::of(9),
            date: visit.date.plus_days(1),
            start_time: Time::hour(14),
            ..visit.clone()
        };
        business.put(2, Row::WalkRequest(request));
        business.put(2, Row::Service(visit));
        let card = shown_pending(&business);
        assert_eq!(card.title, "Move to Monday, November 23, 2:00 PM");
        assert_eq!(card.heading, "Now Sunday, November 22, 9:00 AM - 9:30 AM");
        assert_eq!((card.obstacles.len(), card.asked_for), (0, None));
        business.put(3, Row::Service(other));
        let card = shown_pending(&business);
        assert_eq!((card.obstacles.len(), card.free.len()), (1, 0));
    }

    #[test]
    fn a_stay_that_is_to_move_says_both_its_days_and_both_prices_and_its_own_are_not_in_its_way() {
        let mut business = pending();
        let offering = Offering {
            pricing_type: PricingType::Daily,
            stay_unit: Some(StayUnit::Nights),
            base_price: Cents(60_00),
            ..Offering::new(Id::of(21), Instant(0))
        };
        business.put(1, Row::Offering(offering));
        let mut request = business.requests.values().next().unwrap().row.clone();
        request.offering_id = Some(Id::of(21));
        request.requested_end_date = Some(request.requested_date.plus_days(2));
        let mut stay = asked_service(&request, Id::of(8), &business);
        stay.price = Cents(12_000);
        request.offering_id = None;
        request.estimated_price = Cents(18_000);
        request.subject = Some(RequestSubject::MoveService {
            service_id: stay.id,
            date: stay.date.plus_days(1),
            start_time: Time::hour(10),
            end_date: Some(stay.date.plus_days(4)),
            departure_time: Some(Time::hour(11)),
        });
        let other = Service {
            id: Id::of(9),
            date: stay.date.plus_days(4),
            end_date: Some(stay.date.plus_days(5)),
            ..stay.clone()
        };
        business.put(2, Row::WalkRequest(request.clone()));
        business.put(2, Row::Service(stay.clone()));
        let card = shown_pending(&business);
        assert_eq!(
            card.title,
            "Move to Monday, November 23, 10:00 AM - Nov 26, 2026, 11:00 AM"
        );
        assert_eq!(
            card.heading,
            "Now Sunday, November 22, 9:00 AM - Nov 24, 2026"
        );
        assert_eq!((card.price, card.is_estimate), (Cents(18_000), true));
        assert_eq!(card.former_price, Some(Cents(12_000)));
        assert_eq!((card.price_now, card.obstacles.len()), (None, 0));
        business.put(3, Row::Service(other));
        assert_eq!(shown_pending(&business).obstacles.len(), 1);
        // Once it has moved it is no estimate.
        request.status = RequestStatus::Approved;
        request.answered_at = Some(now().at);
        stay.price = Cents(19_000);
        business.put(4, Row::WalkRequest(request));
        business.put(4, Row::Service(stay));
        let card = shown(&business, RequestFilter::Approved).unwrap();
        assert_eq!((card.price, card.is_estimate), (Cents(19_000), false));
        assert_eq!(card.former_price, None);
    }

    #[test]
    fn a_booking_made_without_asking_can_be_undone_for_as_long_as_an_approval() {
        let mut business = pending();
        let mut request = business.requests.values().next().unwrap().row.clone();
        let visit = asked_service(&request, Id::of(8), &business);
        request.status = RequestStatus::Approved;
        request.scheduled_service_id = Some(visit.id);
        let can_undo = |business: &Business, request: WalkRequest| {
            let mut business = business.clone();
            business.put(2, Row::WalkRequest(request));
            shown(&business, RequestFilter::Approved).unwrap().can_undo
        };
        let mut booked = business.clone();
        booked.put(2, Row::Service(visit.clone()));
        let at = |minutes: i64, booked_at_once| WalkRequest {
            booked_at_once,
            answered_at: Some(Instant(now().at.0 - minutes * 60_000)),
            ..request.clone()
        };
        assert!(can_undo(&booked, at(10, true)));
        assert!(!can_undo(&booked, at(11, true)));
        // The undo of an approval stands where that was given.
        assert!(!can_undo(&booked, at(1, false)));
        business.put(
            2,
            Row::Service(Service {
                status: ServiceStatus::Completed,
                ..visit
            }),
        );
        assert!(!can_undo(&business, at(1, true)));
    }

    #[test]
    fn a_wish_says_that_its_time_is_not_offered() {
        let mut business = pending();
        let mut request = business.requests.values().next().unwrap().row.clone();
        assert_eq!(shown_pending(&business).remarks, Vec::<String>::new());
        request.is_wish = true;
        business.put(2, Row::WalkRequest(request));
        assert_eq!(
            shown_pending(&business).remarks,
            ["This was none of the open times when the request arrived."]
        );
    }

    fn shown(business: &Business, filter: RequestFilter) -> Option<RequestCard> {
        requests(business, filter, 1, &now()).cards.pop()
    }

    fn shown_pending(business: &Business) -> RequestCard {
        shown(business, RequestFilter::Pending).unwrap()
    }

    #[test]
    fn a_stay_that_is_asked_for_says_its_offering_its_nights_and_its_last_day() {
        let mut business = pending();
        let mut request = business.requests.values().next().unwrap().row.clone();
        request.offering_id = Some(Id::of(30));
        request.requested_end_date = Some(request.requested_date.plus_days(2));
        request.requested_departure_time = Some(Time::hour(10));
        request.estimated_price = Cents(15_000);
        business.put(2, Row::WalkRequest(request));
        let offering = Offering {
            name: "Overnight Stay".to_owned(),
            base_price: Cents(80_00),
            pricing_type: PricingType::Daily,
            stay_unit: Some(StayUnit::Nights),
            ..Offering::new(Id::of(30), Instant(0))
        };
        business.put(2, Row::Offering(offering));
        let card = shown_pending(&business);
        assert_eq!(card.what, "Overnight Stay, 2 nights");
        assert_eq!(
            (card.heading.as_str(), card.time.as_str()),
            ("Sunday, November 22", "9:00 AM - Nov 24, 2026, 10:00 AM")
        );
        assert_eq!(card.price_now, Some(Cents(16_000)));
    }

    #[test]
    fn what_can_never_be_approved_can_be_declined_and_says_why() {
        assert_eq!(shown_pending(&pending()).only_decline, None);
        let without = |table, id| {
            let mut business = pending();
            business.delete(RowKey { table, id });
            shown_pending(&business).only_decline.unwrap()
        };
        assert_eq!(
            without(TableName::Client, CLIENT),
            "The client was deleted, so it can only be declined."
        );
        assert_eq!(
            without(TableName::Pet, Id::of(2)),
            "One of the pets was deleted, so it can only be declined."
        );
    }

    #[test]
    fn a_change_that_would_be_refused_can_only_be_declined_and_says_why() {
        let said = |change: fn(&mut Service)| {
            let mut business = pending();
            let mut request = business.requests.values().next().unwrap().row.clone();
            let mut service = asked_service(&request, Id::of(8), &business);
            request.subject = Some(RequestSubject::CancelService {
                service_id: service.id,
            });
            change(&mut service);
            business.put(2, Row::WalkRequest(request));
            business.put(2, Row::Service(service));
            shown_pending(&business).only_decline
        };
        assert_eq!(said(|_| {}), None);
        let why = |change: fn(&mut Service)| said(change).unwrap();
        assert_eq!(
            why(|it| it.paid = true),
            "This visit is billed or paid already, so it can only be declined."
        );
        assert_eq!(
            why(|it| it.status = ServiceStatus::Cancelled),
            "This service was cancelled in the meantime, so it can only be declined."
        );
        assert_eq!(
            why(|it| it.status = ServiceStatus::Completed),
            "The visit is done, so it can only be declined."
        );
        assert_eq!(
            why(|it| {
                it.date = now().today();
                it.end_date = Some(it.date.plus_days(2));
            }),
            "This stay has begun, so it can only be declined."
        );
    }

    #[test]
    fn a_request_that_waits_says_what_it_comes_to_now_where_that_is_another_price() {
        let mut business = pending();
        let asked_at = |business: &mut Business, price| {
            let mut request = business.requests.values().next().unwrap().row.clone();
            request.estimated_price = price;
            business.put(2, Row::WalkRequest(request));
        };
        let mut client = business.client(CLIENT).unwrap().clone();
        client.walk_rate_30min = Cents(60_00);
        business.put(1, Row::Client(client));
        asked_at(&mut business, Cents(25_00));
        assert_eq!(shown_pending(&business).price_now, Some(Cents(60_00)));
        asked_at(&mut business, Cents(60_00));
        assert_eq!(shown_pending(&business).price_now, None);
    }

    #[test]
    fn who_is_no_longer_in_the_portal_is_answered_all_the_same_and_reads_nothing() {
        let mut business = pending();
        assert!(shown_pending(&business).is_told && shown_pending(&business).can_message);
        let mut client = business.client(CLIENT).unwrap().clone();
        client.client_user_id = None;
        business.put(1, Row::Client(client));
        let card = shown_pending(&business);
        assert_eq!(card.only_decline, None);
        assert!(!card.is_told && !card.can_message);
    }

    /// An approved request for 9:00 with its service at that hour.
    fn approved(hour: u16, status: ServiceStatus) -> Business {
        let mut request = request(RequestStatus::Approved, 2, Some(1));
        let mut business = Business::default();
        let mut service = asked_service(&request, Id::of(8), &business);
        (service.start_time, service.status) = (Time::hour(hour), status);
        request.scheduled_service_id = Some(service.id);
        business.put(1, Row::WalkRequest(request));
        business.put(1, Row::Service(service));
        business
    }

    #[test]
    fn what_was_approved_is_among_the_visits_and_news_only_at_another_time() {
        let told = |business: &Business| shown(business, RequestFilter::News).is_some();
        assert!(!told(&approved(9, ServiceStatus::Scheduled)));
        assert!(told(&approved(11, ServiceStatus::Scheduled)));
        assert!(!told(&approved(11, ServiceStatus::Cancelled)));
        assert!(!told(&approved(11, ServiceStatus::Completed)));
    }

    #[test]
    fn what_was_approved_is_completed_once_its_service_is() {
        let status = |of_service| {
            let card = shown(&approved(9, of_service), RequestFilter::Approved).unwrap();
            card.status
        };
        assert_eq!(status(ServiceStatus::Completed), RequestStatus::Completed);
        assert_eq!(status(ServiceStatus::Scheduled), RequestStatus::Approved);
        assert_eq!(status(ServiceStatus::Cancelled), RequestStatus::Approved);
    }

    #[test]
    fn what_was_approved_for_another_time_shows_that_and_the_one_that_was_asked_for() {
        let business = approved(11, ServiceStatus::Scheduled);
        let card = shown(&business, RequestFilter::Approved).unwrap();
        assert_eq!(
            (card.heading.as_str(), card.time.as_str()),
            ("Sunday, November 22", "11:00 AM - 11:30 AM")
        );
        assert_eq!(
            card.asked_for.as_deref(),
            Some("Sunday, November 22, 9:00 AM - 9:30 AM")
        );
        let as_asked = approved(9, ServiceStatus::Scheduled);
        let card = shown(&as_asked, RequestFilter::Approved).unwrap();
        assert_eq!(card.asked_for, None);
    }

    #[test]
    fn what_is_to_be_cancelled_is_called_by_where_it_stands_now() {
        let mut business = pending();
        let mut request = business.requests.values().next().unwrap().row.clone();
        let mut service = asked_service(&request, Id::of(8), &business);
        request.subject = Some(RequestSubject::CancelService {
            service_id: service.id,
        });
        business.put(2, Row::WalkRequest(request));
        service.date = service.date.plus_days(1);
        business.put(2, Row::Service(service));
        let card = shown_pending(&business);
        assert_eq!(
            card.called,
            "Cancel this visit, Monday, November 23, 9:00 AM - 9:30 AM"
        );
        assert_eq!(
            card.asked_for.as_deref(),
            Some("Sunday, November 22, 9:00 AM - 9:30 AM")
        );
        assert_eq!(card.without_reason, "Sorry, this cannot be changed.");
        assert!(card.obstacles.is_empty() && card.price_now.is_none());
    }

    #[test]
    fn a_change_that_was_granted_is_news_for_a_week() {
        let granted = |days| WalkRequest {
            subject: Some(RequestSubject::CancelService {
                service_id: Id::of(8),
            }),
            ..request(RequestStatus::Approved, 2, Some(days))
        };
        assert!(is_told(granted(6)) && !is_told(granted(7)));
    }
}
