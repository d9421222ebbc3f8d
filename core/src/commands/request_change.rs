//! Owns what pet parents ask for beside visits, and the sitter's granting of it: each is a wish until the sitter grants it,
//! and is then decided like the sitter's own command.

use serde::Serialize;

use crate::commands::command::Command;
use crate::commands::decision::{About, Actor, Context, Decision, Effect, Intent, Need, row};
use crate::commands::inactive::active;
use crate::commands::request::{count_of, n_waiting, request, requests_of, room};
use crate::commands::series::is_open;
use crate::commands::service::{other_price, time_patch};
use crate::commands::{
    CancelService, CreateSeries, DateChoice, LeaveOutDate, PauseSeries, UpdateService, decide,
};
use crate::rows::row::{RowKey, TableName};
use crate::rows::series::{Series, SeriesDate, SeriesEnd, SeriesPhase, SeriesPlan, SeriesSlot};
use crate::rows::service::{Service, ServiceStatus, ServiceType};
use crate::rows::walk_request::{RequestStatus, RequestSubject, WalkRequest};
use crate::rules::client_view::has_agreed_price;
use crate::rules::scheduling::IN_THE_PAST;
use crate::rules::series::{Occurrence, occurrences, pause_errors, planned_between};
use crate::rules::service::{given, is_long_over, merged, reprice, schedule_errors};
use crate::rules::slots::last_day;
use crate::values::bounds::{self, check_room};
use crate::values::form_errors::FieldErrors;
use crate::values::json::read_by_field;
use crate::values::patch::Patch;
use crate::{Business, Cents, Change, Date, Id, Now, Refusal, Row, Time};

/// Asks the sitter to leave a date of a series out, to pause a series or to cancel a service, as a pet parent. Nothing
/// changes until the sitter grants it.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AskForChange {
    /// The new request's id.
    pub id: Id,
    /// The change that is asked for; a series is asked for with `AskForService`.
    pub change: RequestSubject,
    /// Message to the sitter; may be empty.
    #[serde(default)]
    pub message: String,
    /// The price of a stay on other days that the person saw; another one is reported and not refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quoted_price: Option<Cents>,
}

read_by_field!(AskForChange { id, change } or default { message, quoted_price });

impl Intent for AskForChange {
    fn needs(&self, business: &Business, ctx: &Context) -> Vec<Need> {
        let Actor::Client(client_id) = ctx.actor else {
            return Vec::new();
        };
        let mut needs = vec![
            row(TableName::WalkRequest, self.id),
            Need::PendingRequestsOf(client_id, ctx.today()),
            Need::RequestCountOf(client_id),
        ];
        if bounds::REQUESTS <= count_of(business, client_id) {
            needs.push(Need::EarliestRequestOf(client_id));
        }
        // A visit that is to be cancelled may be the one that is to be left out.
        let pending = requests_of(business, client_id).filter_map(|it| it.subject.as_ref());
        needs.extend(pending.filter_map(|it| match it {
            RequestSubject::CancelService { service_id } => {
                Some(row(TableName::Service, *service_id))
            }
            _ => None,
        }));
        match &self.change {
            RequestSubject::LeaveOutDate {
                series_id, date, ..
            } => {
                needs.push(row(TableName::Series, *series_id));
                needs.extend(needs_of_date(*series_id, *date, business));
            }
            RequestSubject::PauseSeries { series_id, .. } => {
                needs.push(row(TableName::Series, *series_id));
            }
            RequestSubject::CancelService { service_id } => {
                needs.push(row(TableName::Service, *service_id));
            }
            RequestSubject::MoveService { service_id, .. } => {
                needs.push(row(TableName::Service, *service_id));
                needs.push(Need::Table(TableName::Pattern));
                let stay = business.service(*service_id);
                if let Some(stay) = stay.filter(|it| it.end_date.is_some()) {
                    // What its price on other days depends on.
                    needs.push(row(TableName::Client, stay.client_id));
                    needs.push(Need::PetsOf(stay.client_id));
                    needs.extend(stay.offering_id.map(|it| row(TableName::Offering, it)));
                }
            }
            RequestSubject::Series { .. } => {}
        }
        needs
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        let client_id = ctx.client_id()?;
        if request(business, self.id).is_some() {
            return Err(Refusal::Taken);
        }
        let visit = concerned(&self.change, client_id, business, ctx)?;
        let mut changes = Vec::new();
        if !ctx.is_shown {
            refuse_repeat(&self.change, client_id, business, ctx)?;
            let waiting = n_waiting(business, client_id, ctx.today());
            check_room("requests", waiting, bounds::PENDING_REQUESTS)?;
            changes.extend(room(business, client_id, ctx.now.today())?);
        }
        // Nothing else has a price of its own.
        let quoted = self.quoted_price.filter(|_| Cents::ZERO < visit.price);
        let request = WalkRequest {
            requested_date: visit.date,
            requested_start_time: visit.start_time,
            requested_duration_minutes: visit.duration_minutes,
            service_type: visit.service_type,
            dog_ids: visit.dog_ids,
            message: self.message.trim().to_owned(),
            estimated_price: visit.price,
            requested_end_date: visit.end_date,
            subject: Some(self.change.clone()),
            ..WalkRequest::new(self.id, client_id, ctx.acted_at())
        };
        changes.push(request.into());
        Ok(Decision {
            adjustments: other_price(quoted, visit.price),
            ..changes.into()
        })
    }

    fn about(&self) -> About {
        let named = match &self.change {
            RequestSubject::LeaveOutDate { series_id, .. }
            | RequestSubject::PauseSeries { series_id, .. } => {
                Some((TableName::Series, *series_id))
            }
            RequestSubject::CancelService { service_id }
            | RequestSubject::MoveService { service_id, .. } => {
                Some((TableName::Service, *service_id))
            }
            RequestSubject::Series { .. } => None,
        };
        let named = named.map(|(table, id)| RowKey { table, id });
        About {
            builds_on: named.into_iter().collect(),
            ..About::row("Request", Effect::Makes, TableName::WalkRequest, self.id)
        }
    }

    fn may(&self, actor: Actor) -> bool {
        matches!(actor, Actor::Client(_))
    }

    fn words(&self) -> Option<Vec<(&str, &str)>> {
        Some(match self.message.as_str() {
            "" => Vec::new(),
            message => vec![("Message", message)],
        })
    }
}

/// The visits of a date of a series.
fn needs_of_date(series_id: Id, date: Date, business: &Business) -> Option<Need> {
    let series = &business.series.get(&series_id)?.row;
    let visits = planned_between(series, date, date);
    let ids: Vec<Id> = visits.map(|it| it.id(series.id)).collect();
    (!ids.is_empty()).then_some(Need::Rows(TableName::Service, ids))
}

/// The visit that a change is about, as its request shows it: of a pause the first one, on the pause's last day.
struct Concerned {
    date: Date,
    /// The last day of a stay.
    end_date: Option<Date>,
    start_time: Time,
    duration_minutes: u32,
    service_type: ServiceType,
    dog_ids: Vec<Id>,
    /// Price of a stay on the days that are asked for.
    price: Cents,
}

impl From<&Service> for Concerned {
    fn from(service: &Service) -> Self {
        Self {
            date: service.date,
            end_date: service.end_date,
            price: Cents::ZERO,
            start_time: service.start_time,
            duration_minutes: service.duration_minutes,
            service_type: service.service_type,
            dog_ids: service.dog_ids.clone(),
        }
    }
}

impl From<&Occurrence<'_>> for Concerned {
    fn from(visit: &Occurrence<'_>) -> Self {
        Self {
            date: visit.date,
            end_date: None,
            price: Cents::ZERO,
            start_time: visit.slot.start_time,
            duration_minutes: visit.slot.duration_minutes,
            service_type: visit.slot.service_type,
            dog_ids: visit.phase.dog_ids.clone(),
        }
    }
}

fn wrong(field: &str, text: &str) -> Refusal {
    let mut errors = FieldErrors::default();
    errors.add(field, text);
    errors.into()
}

/// The client's own series.
fn own_series(id: Id, client_id: Id, business: &Business) -> Result<&Series, Refusal> {
    let series = business.series.get(&id).map(|it| &it.row);
    series
        .filter(|it| it.client_id == client_id)
        .ok_or(Refusal::Gone)
}

/// The client's own service.
fn own_service(id: Id, client_id: Id, business: &Business) -> Result<&Service, Refusal> {
    let service = business.service(id);
    service
        .filter(|it| it.client_id == client_id)
        .ok_or(Refusal::Gone)
}

/// Finds the visit that a change is about, or why it cannot be asked for.
fn concerned(
    change: &RequestSubject,
    client_id: Id,
    business: &Business,
    ctx: &Context,
) -> Result<Concerned, Refusal> {
    match change {
        RequestSubject::LeaveOutDate {
            series_id,
            date,
            slot,
        } => {
            let series = own_series(*series_id, client_id, business)?;
            match ctx.is_shown {
                false => left_out(series, (*date, *slot), business, &ctx.now),
                true => named(series, *slot, planned_between(series, *date, *date))
                    .next()
                    .map(|it| of_plan(series, &it))
                    .ok_or_else(no_visit),
            }
        }
        RequestSubject::PauseSeries {
            series_id,
            from,
            to,
        } => {
            let series = own_series(*series_id, client_id, business)?;
            if series.trip.is_some() {
                return Err(wrong("change", NO_PAUSE));
            }
            let mut errors = pause_errors(*from, *to);
            errors.check(
                *from < ctx.today(),
                "from",
                "A pause cannot begin in the past",
            );
            errors.or(())?;
            let first = match ctx.is_shown {
                false => occurrences(series, *from, *to).next(),
                true => planned_between(series, *from, *to).next(),
            };
            let first = first.ok_or_else(|| wrong("to", "There is no visit on these days."))?;
            Ok(Concerned {
                date: *to,
                ..Concerned::from(&first)
            })
        }
        RequestSubject::CancelService { service_id } => {
            let service = own_service(*service_id, client_id, business)?;
            if !ctx.is_shown {
                refuse_settled(service, &ctx.now)?;
            }
            Ok(Concerned::from(service))
        }
        RequestSubject::MoveService {
            service_id, date, ..
        } => {
            let service = own_service(*service_id, client_id, business)?;
            let moved = moved_service(change, service, business);
            if !ctx.is_shown {
                refuse_settled(service, &ctx.now)?;
                refuse_move(service, moved.as_ref(), change, business, &ctx.now)?;
            }
            let price = moved.ok().filter(|_| service.end_date.is_some());
            let price = price.filter(|it| has_known_price(it, service, business));
            // It waits until the earlier of the two days is over.
            Ok(Concerned {
                date: service.date.min(*date),
                price: price.map_or(Cents::ZERO, |it| it.price),
                ..Concerned::from(service)
            })
        }
        RequestSubject::Series { .. } => Err(wrong(
            "change",
            "A series is asked for with its first visit.",
        )),
    }
}

/// Refuses to ask for a new time that is over, beyond the last day for which requests are taken, or the one that the visit
/// has. Whether it is free the sitter sees, and decides; of a stay also how far ahead it may be, as of a new one.
fn refuse_move(
    service: &Service,
    moved: Result<&Service, &Refusal>,
    change: &RequestSubject,
    business: &Business,
    now: &Now,
) -> Result<(), Refusal> {
    let RequestSubject::MoveService {
        date,
        start_time,
        end_date,
        departure_time,
        ..
    } = *change
    else {
        return Ok(());
    };
    let is_stay = service.end_date.is_some();
    if is_stay && service.series_id.is_some() {
        return Err(wrong("change", OF_TRIP));
    }
    match (is_stay, end_date) {
        (true, None) => return Err(wrong("end_date", "Please select the last day")),
        (false, Some(_)) => return Err(wrong("end_date", "A visit has no last day")),
        _ => {}
    }
    if (date, start_time) <= (now.today(), now.time()) {
        return Err(wrong("date", IN_THE_PAST));
    }
    let is_same = (date, start_time) == (service.date, service.start_time);
    if is_stay {
        let days = |it: &Service| (it.end_date, it.departure_time);
        return match moved {
            Err(refusal) => Err(refusal.clone()),
            Ok(_) if is_same && (end_date, departure_time) == days(service) => {
                Err(wrong("date", "The stay is on these days already."))
            }
            Ok(_) => Ok(()),
        };
    }
    if is_same {
        return Err(wrong("start_time", "The visit is at this time already."));
    }
    match last_day(business, service.service_type, now).filter(|it| *it < date) {
        Some(last) => Err(Refusal::TooFar { last, next: None }),
        None => Ok(()),
    }
}

const OF_TRIP: &str = "This stay belongs to a trip. Write a message.";

/// The fields of a service that a wish to move it changes.
fn patch_of_move(subject: &RequestSubject) -> Option<(Id, Patch)> {
    let RequestSubject::MoveService {
        service_id,
        date,
        start_time,
        end_date,
        departure_time,
    } = subject
    else {
        return None;
    };
    let patch = time_patch(*date, *start_time, *end_date, *departure_time);
    Some((*service_id, patch))
}

/// The service at the time, or on the days, that a wish asks for, and at the price that it has then.
///
/// # Errors
/// Returns the errors of these days, by the fields of a service.
pub(crate) fn moved_service(
    subject: &RequestSubject,
    service: &Service,
    business: &Business,
) -> Result<Service, Refusal> {
    let (_, patch) = patch_of_move(subject).ok_or(Refusal::Gone)?;
    let moved = merged(&patch, Some(service), service, business);
    let errors = schedule_errors(&moved, &given(&patch, service));
    let mut moved = moved.or_errors(errors)?;
    if !moved.is_priced_like(service) && !has_agreed_price(service) {
        reprice(&mut moved, business)?;
    }
    Ok(moved)
}

/// Returns true if the price of a moved service can be told here: a pet parent's phone has no offering that is not sold any
/// more.
pub(crate) fn has_known_price(moved: &Service, service: &Service, business: &Business) -> bool {
    let is_here = |id: Id| business.offerings.contains_key(&id);
    moved.is_priced_like(service) || moved.offering_id.is_none_or(is_here)
}

/// The visits that a wish names; without a slot all of the day, to which a stay does not belong.
fn named<'a>(
    series: &'a Series,
    slot: Option<Id>,
    visits: impl Iterator<Item = Occurrence<'a>>,
) -> impl Iterator<Item = Occurrence<'a>> {
    visits.filter(move |it| match slot {
        Some(slot) => it.slot.id == slot,
        None => !series.is_stay(it.slot.id),
    })
}

/// A visit that is not made, as it is planned: the days of a trip may have moved since its stay was named by its first one.
fn of_plan(series: &Series, visit: &Occurrence<'_>) -> Concerned {
    let concerned = Concerned::from(visit);
    match series.is_stay(visit.slot.id) {
        true => Concerned {
            date: series.begins(),
            ..concerned
        },
        false => concerned,
    }
}

fn no_visit() -> Refusal {
    wrong("date", "There is no longer a visit on this date.")
}

/// Finds the first visit of a date that is to be left out, or why what the wish names cannot be. What is cancelled is no
/// obstacle to leaving out the rest of the day.
fn left_out(
    series: &Series,
    (date, slot): (Date, Option<Id>),
    business: &Business,
    now: &Now,
) -> Result<Concerned, Refusal> {
    let mut first = None;
    let mut refusal = no_visit();
    for visit in named(series, slot, occurrences(series, date, date)) {
        let found = match business.service(visit.id(series.id)) {
            Some(service) => match refuse_settled(service, now) {
                Err(why @ Refusal::WasCancelled { .. }) => {
                    refusal = why;
                    continue;
                }
                settled => settled.map(|()| Concerned::from(service))?,
            },
            // It is made later, or waits for the sitter's decision.
            None => of_plan(series, &visit),
        };
        if found.date < now.today() {
            return Err(wrong("date", OVER));
        }
        first = first.or(Some(found));
    }
    first.ok_or(refusal)
}

const OVER: &str = "This visit is over.";

const NO_PAUSE: &str =
    "A trip cannot be paused. Ask to leave out those of its visits that you do not need.";

/// Refuses to ask for, and to grant, a change of a service that is done, under way, over, cancelled or billed.
fn refuse_settled(service: &Service, now: &Now) -> Result<(), Refusal> {
    match service.status {
        ServiceStatus::Completed => return Err(Refusal::AlreadyCompleted),
        ServiceStatus::Cancelled => {
            return Err(Refusal::WasCancelled {
                at: service.cancelled_at,
            });
        }
        ServiceStatus::Scheduled => {}
    }
    if is_long_over(service, now) {
        Err(wrong("date", OVER))
    } else if is_stay_begun(service, now) {
        // A wish waits until its day is over, and that of a stay is its first one.
        Err(wrong("date", "This stay has begun. Write a message."))
    } else if service.is_under_way() {
        Err(wrong("date", "This visit is under way."))
    } else if !is_open(service) {
        Err(wrong("date", "This visit is billed or paid already."))
    } else {
        Ok(())
    }
}

/// Returns true once the start of a stay has come, by the delay that was told where there is one.
fn is_stay_begun(service: &Service, now: &Now) -> bool {
    let delay = service.delay.as_ref().filter(|it| it.date == service.date);
    let start = delay.map_or(service.start_time, |it| it.start_time);
    let has_come = (service.date, start) <= (now.today(), now.time());
    service.end_date.is_some() && (has_come || service.has_begun())
}

/// Refuses to grant a change of what was done, begun, billed, cancelled or removed since it was asked for: the client would be
/// told of what does not happen.
pub(crate) fn refuse_grant(
    request: &WalkRequest,
    business: &Business,
    now: &Now,
) -> Result<(), Refusal> {
    match &request.subject {
        Some(RequestSubject::LeaveOutDate {
            series_id,
            date,
            slot,
        }) => {
            let series = own_series(*series_id, request.client_id, business)?;
            left_out(series, (*date, *slot), business, now).map(drop)
        }
        Some(
            RequestSubject::CancelService { service_id }
            | RequestSubject::MoveService { service_id, .. },
        ) => refuse_settled(own_service(*service_id, request.client_id, business)?, now),
        Some(RequestSubject::PauseSeries { .. } | RequestSubject::Series { .. }) | None => Ok(()),
    }
}

/// Refuses to ask again for what waits for an answer.
fn refuse_repeat(
    change: &RequestSubject,
    client_id: Id,
    business: &Business,
    ctx: &Context,
) -> Result<(), Refusal> {
    let pending = requests_of(business, client_id)
        .filter(|it| it.status == RequestStatus::Pending && ctx.today() <= it.requested_date);
    let mut pending = pending.filter_map(|it| it.subject.as_ref());
    match pending.any(|it| covers(it, change, business)) {
        true => Err(wrong("change", "You have asked for this already.")),
        false => Ok(()),
    }
}

/// Returns true if what waits asks for all of a change, or of two pauses for days that both have.
pub(crate) fn covers(
    pending: &RequestSubject,
    change: &RequestSubject,
    business: &Business,
) -> bool {
    use RequestSubject::{CancelService, LeaveOutDate, MoveService, PauseSeries};
    if pending == change {
        return true;
    }
    let named = match change {
        LeaveOutDate {
            series_id,
            date,
            slot,
        } => Some((*series_id, *date, *slot)),
        CancelService { service_id } => {
            let visit = business.service(*service_id).and_then(Service::occurrence);
            visit.map(|(series, SeriesDate { date, slot })| (series, date, Some(slot)))
        }
        PauseSeries { .. } | MoveService { .. } | RequestSubject::Series { .. } => None,
    };
    match (pending, change, named) {
        // Of two new times for one visit the sitter could only take one.
        (
            MoveService { service_id, .. },
            MoveService {
                service_id: moved, ..
            },
            _,
        ) => service_id == moved,
        (
            LeaveOutDate {
                series_id,
                date,
                slot,
            },
            _,
            Some((series, day, named)),
        ) => (*series_id, *date) == (series, day) && (slot.is_none() || *slot == named),
        (
            PauseSeries {
                series_id,
                from,
                to,
            },
            _,
            Some((series, day, _)),
        ) => *series_id == series && (*from..=*to).contains(&day),
        (CancelService { service_id }, _, Some((series, date, slot))) => {
            let visit = business.service(*service_id).and_then(Service::occurrence);
            let named = slot.map(|slot| (series, SeriesDate { date, slot }));
            visit.is_some() && visit == named
        }
        (
            PauseSeries {
                series_id,
                from,
                to,
            },
            PauseSeries {
                series_id: series,
                from: first,
                to: last,
            },
            None,
        ) => series_id == series && from <= last && first <= to,
        _ => false,
    }
}

/// Grants what a pet parent has asked for beside a visit, like the sitter's own command for it; a repeat changes nothing.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GrantRequest {
    /// Id of the request; a pause or a series that is made has it, too.
    pub id: Id,
    /// The sitter's words; may be empty.
    #[serde(default)]
    pub sitter_response: String,
    /// When the visits of a series begin, where that is another time than was asked for.
    #[serde(default)]
    pub start_time: Option<Time>,
    /// Decisions on dates of a series whose time is taken; their slot has the request's id.
    #[serde(default)]
    pub choices: Vec<DateChoice>,
    /// The sitter saw what the new time of a visit overlaps and wants it all the same.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub overlap_ok: bool,
}

read_by_field!(GrantRequest { id } or default { sitter_response, start_time, choices, overlap_ok });

impl Intent for GrantRequest {
    fn needs(&self, business: &Business, ctx: &Context) -> Vec<Need> {
        let mut needs = vec![row(TableName::WalkRequest, self.id)];
        if let Some(act) = self.act(business) {
            needs.extend(act.needs(business, ctx));
            // A visit may have moved away from a date that is long past.
            if let Command::LeaveOutDate(it) = act {
                needs.extend(needs_of_date(it.id, it.date, business));
            }
        }
        needs
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        let current = request(business, self.id).ok_or(Refusal::Gone)?;
        let act = self.act(business);
        let act = act.ok_or_else(|| wrong("id", "This request asks for a visit. Approve it."))?;
        match current.status {
            RequestStatus::Pending => {}
            // The decisions on dates may differ.
            RequestStatus::Approved if !matches!(act, Command::CreateSeries(_)) => {
                return Ok(Decision::default());
            }
            status => return Err(Refusal::AlreadyAnswered { status }),
        }
        if !ctx.is_shown {
            // A grant that had to wait for the network counts as of when the sitter gave it.
            let now = Now {
                at: ctx.acted_at(),
                ..ctx.now.clone()
            };
            refuse_grant(current, business, &now)?;
        }
        let mut decision = decide(&act, business, ctx)?;
        let moved = decision.changes.iter().find_map(|it| match it {
            Change::Put(Row::Service(it)) => it.end_date.map(|_| it.price),
            _ => None,
        });
        // Both sides have read the price of the other days of a stay.
        let read = Some(current.estimated_price).filter(|it| Cents::ZERO < *it);
        if let (Command::UpdateService(_), Some(price)) = (&act, moved) {
            decision.adjustments.extend(other_price(read, price));
        }
        if matches!(act, Command::CreateSeries(_)) {
            // A client for whom something is booked is no longer inactive.
            let client = business.client(current.client_id).and_then(active);
            decision.changes.extend(client.map(Change::from));
        }
        let answered = WalkRequest {
            status: RequestStatus::Approved,
            sitter_response: self.sitter_response.trim().to_owned(),
            answered_at: Some(ctx.now.at),
            ..current.clone()
        };
        decision.changes.push(answered.into());
        Ok(decision)
    }

    fn about(&self) -> About {
        let mut about = About::row("Request", Effect::Marks, TableName::WalkRequest, self.id);
        about.made.push(RowKey {
            table: TableName::Series,
            id: self.id,
        });
        about
    }

    fn words(&self) -> Option<Vec<(&str, &str)>> {
        Some(match self.sitter_response.as_str() {
            "" => Vec::new(),
            said => vec![("Answer", said)],
        })
    }
}

impl GrantRequest {
    /// The sitter's own command that does what is asked for; none for a visit, and for a request that is gone.
    pub(crate) fn act(&self, business: &Business) -> Option<Command> {
        let request = request(business, self.id)?;
        Some(match request.subject.as_ref()? {
            RequestSubject::LeaveOutDate {
                series_id,
                date,
                slot,
            } => Command::LeaveOutDate(LeaveOutDate {
                id: *series_id,
                date: *date,
                slot: *slot,
            }),
            RequestSubject::PauseSeries {
                series_id,
                from,
                to,
            } => Command::PauseSeries(PauseSeries {
                id: *series_id,
                pause_id: self.id,
                from: *from,
                to: *to,
                reason: String::new(),
            }),
            RequestSubject::CancelService { service_id } => {
                Command::CancelService(CancelService::new(*service_id))
            }
            RequestSubject::MoveService { .. } => {
                let (id, changes) = patch_of_move(request.subject.as_ref()?)?;
                Command::UpdateService(UpdateService {
                    id,
                    changes,
                    overlap_ok: self.overlap_ok,
                    former_price: None,
                })
            }
            RequestSubject::Series { .. } => {
                let start_time = self.start_time.unwrap_or(request.requested_start_time);
                Command::CreateSeries(CreateSeries {
                    id: self.id,
                    series: Patch::from_row(&asked_plan(request, start_time)?),
                    choices: self.choices.clone(),
                })
            }
        })
    }
}

/// The series that is asked for, none of whose visits is made; none for another request.
pub(crate) fn asked_series(request: &WalkRequest) -> Option<Series> {
    let plan = asked_plan(request, request.requested_start_time)?;
    let phase = SeriesPhase {
        rule: plan.rule,
        slots: plan.slots,
        dog_ids: plan.dog_ids,
        ..SeriesPhase::new(plan.begins)
    };
    Some(Series {
        client_id: plan.client_id,
        end: plan.end,
        phases: vec![phase],
        ..Series::new(request.id, request.created_at)
    })
}

/// The fields of the series that is asked for, with nothing in them that the request does not say; none for another
/// request.
fn asked_plan(request: &WalkRequest, start_time: Time) -> Option<SeriesPlan> {
    let Some(RequestSubject::Series { rule, last_day }) = &request.subject else {
        return None;
    };
    Some(SeriesPlan {
        client_id: request.client_id,
        dog_ids: request.dog_ids.clone(),
        rule: rule.clone(),
        slots: vec![SeriesSlot {
            start_time,
            duration_minutes: request.requested_duration_minutes,
            service_type: request.service_type,
            offering_id: request.offering_id,
            ..SeriesSlot::new(request.id)
        }],
        end: last_day.map_or(SeriesEnd::Never, |date| SeriesEnd::On { date }),
        internal_notes: request.message.clone(),
        ..SeriesPlan::new(request.requested_date)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::commands::decision::Adjustment;
    use crate::commands::{FormerTime, UndoApproval};
    use crate::rows::client::Client;
    use crate::rows::offering::{Offering, PricingType, StayUnit};
    use crate::rows::pattern::Pattern;
    use crate::rows::pet::Pet;
    use crate::rows::series::Trip;
    use crate::rows::service::{PriceOverride, Progress, ProgressStep};
    use crate::rules::client_view::shown_to;
    use crate::values::zone::TimeZone;
    use crate::{Instant, Row};
    use serde_json::json;

    const SAM: Id = Id::of(1);
    const REX: Id = Id::of(2);
    const EVE: Id = Id::of(3);
    const SERIES: Id = Id::of(4);
    const SINGLE: Id = Id::of(6);
    const REQUEST: Id = Id::of(7);
    /// 9:00 UTC on 2026-11-20, a Friday, in milliseconds since 1970.
    const NOW: Instant = Instant(1_795_165_200_000);

    fn ctx(actor: Actor) -> Context {
        let now = Now {
            at: NOW,
            zone: TimeZone::UTC,
        };
        Context {
            actor,
            ..Context::at(now)
        }
    }

    fn date(text: &str) -> Date {
        text.parse().unwrap()
    }

    fn apply(business: &mut Business, command: &Command, actor: Actor) -> Result<(), Refusal> {
        let decision = decide(command, business, &ctx(actor))?;
        business.apply(1, &decision.changes);
        Ok(())
    }

    fn command(name: &str, args: serde_json::Value) -> Command {
        serde_json::from_value(json!({ "name": name, "args": args })).unwrap()
    }

    /// Sam has visits each Tuesday at 9:00 from Nov 24 on, and one at noon on Nov 25.
    fn business() -> Business {
        let mut business = Business::default();
        for client in [SAM, EVE] {
            business.put(1, Row::Client(Client::new(client, NOW)));
        }
        business.put(1, Row::Pet(Pet::new(REX, SAM)));
        let series = json!({
            "client_id": SAM, "dog_ids": [REX], "begins": "2026-11-24", "end": { "kind": "never" },
            "rule": { "kind": "weekly", "every": 1, "weekdays": [2] },
            "slots": [{ "id": Id::of(5), "start_time": "09:00", "duration_minutes": 30, "service_type": "walk" }],
        });
        let series = command("create_series", json!({ "id": SERIES, "series": series }));
        apply(&mut business, &series, Actor::Sitter).unwrap();
        let service = Service {
            client_id: SAM,
            dog_ids: vec![REX],
            date: date("2026-11-25"),
            start_time: Time::hour(12),
            ..Service::new(SINGLE, NOW)
        };
        business.put(1, Row::Service(service));
        business
    }

    fn asks(id: u128, change: &RequestSubject) -> Command {
        Command::AskForChange(AskForChange {
            id: Id::of(id),
            change: change.clone(),
            message: " Away ".to_owned(),
            quoted_price: None,
        })
    }

    fn ask(business: &mut Business, change: &RequestSubject) -> Result<(), Refusal> {
        apply(business, &asks(7, change), Actor::Client(SAM))
    }

    fn leave_out(day: &str) -> RequestSubject {
        RequestSubject::LeaveOutDate {
            series_id: SERIES,
            date: date(day),
            slot: Some(Id::of(5)),
        }
    }

    fn pause(from: &str, to: &str) -> RequestSubject {
        RequestSubject::PauseSeries {
            series_id: SERIES,
            from: date(from),
            to: date(to),
        }
    }

    const CANCEL: RequestSubject = RequestSubject::CancelService { service_id: SINGLE };

    fn grant(business: &mut Business) -> Result<(), Refusal> {
        let grant = command("grant_request", json!({ "id": REQUEST }));
        apply(business, &grant, Actor::Sitter)
    }

    fn visits_of(series: Id, business: &Business) -> impl Iterator<Item = &Service> {
        let services = business.services.referring_to(series);
        services.filter(move |it| it.series_id == Some(series))
    }

    fn days(business: &Business) -> Vec<String> {
        let open = visits_of(SERIES, business);
        let open = open.filter(|it| it.status == ServiceStatus::Scheduled);
        let days: BTreeSet<Date> = open.map(|it| it.date).collect();
        days.iter().take(3).map(ToString::to_string).collect()
    }

    #[test]
    fn nothing_changes_until_the_sitter_grants_it() {
        let mut business = business();
        ask(&mut business, &leave_out("2026-12-01")).unwrap();
        assert_eq!(days(&business), ["2026-11-24", "2026-12-01", "2026-12-08"]);
        let asked = request(&business, REQUEST).unwrap();
        assert_eq!(asked.message, "Away");
        assert_eq!(asked.requested_date, date("2026-12-01"));
        grant(&mut business).unwrap();
        assert_eq!(days(&business), ["2026-11-24", "2026-12-08", "2026-12-15"]);
        assert_eq!(
            request(&business, REQUEST).unwrap().status,
            RequestStatus::Approved
        );
        // A second phone grants it, too.
        assert!(grant(&mut business).is_ok());
    }

    #[test]
    fn a_granted_pause_has_the_requests_id_and_a_granted_cancellation_cancels() {
        let mut business = business();
        ask(&mut business, &pause("2026-11-30", "2026-12-10")).unwrap();
        grant(&mut business).unwrap();
        assert_eq!(days(&business), ["2026-11-24", "2026-12-15", "2026-12-22"]);
        let series = &business.series[&SERIES].row;
        assert_eq!(series.pauses.first().map(|it| it.id), Some(REQUEST));
        let mut business = self::business();
        ask(&mut business, &CANCEL).unwrap();
        grant(&mut business).unwrap();
        let service = business.service(SINGLE).unwrap();
        assert_eq!(service.status, ServiceStatus::Cancelled);
    }

    #[track_caller]
    fn refuses(business: &Business, actor: Actor, change: &RequestSubject, text: &str) {
        let refusal = decide(&asks(8, change), business, &ctx(actor)).unwrap_err();
        assert_eq!(refusal.to_string(), text);
    }

    #[test]
    fn a_change_of_somebody_elses_series_or_visit_is_asked_for_in_vain() {
        let gone = "The requested resource was not found.";
        for change in [
            leave_out("2026-12-01"),
            pause("2026-12-01", "2026-12-02"),
            CANCEL,
        ] {
            refuses(&business(), Actor::Client(EVE), &change, gone);
        }
        let not_allowed = crate::values::transport::friendly_error(403);
        refuses(&business(), Actor::Sitter, &CANCEL, not_allowed);
    }

    #[test]
    fn what_waits_for_an_answer_is_not_asked_for_again() {
        let again = "You have asked for this already.";
        let sam = Actor::Client(SAM);
        let mut business = business();
        ask(&mut business, &pause("2026-11-30", "2026-12-10")).unwrap();
        for change in [pause("2026-12-08", "2026-12-20"), leave_out("2026-12-08")] {
            refuses(&business, sam, &change, again);
        }
        let visit = visits_of(SERIES, &business).map(|it| (it.date, it.id));
        let visit = visit.min().unwrap();
        let mut business = self::business();
        ask(&mut business, &leave_out("2026-11-24")).unwrap();
        let cancel = RequestSubject::CancelService {
            service_id: visit.1,
        };
        refuses(&business, sam, &cancel, again);
        let mut business = self::business();
        ask(&mut business, &cancel).unwrap();
        refuses(&business, sam, &leave_out("2026-11-24"), again);
        // Another visit is another wish.
        assert!(decide(&asks(8, &leave_out("2026-12-01")), &business, &ctx(sam)).is_ok());
    }

    #[test]
    fn what_is_gone_done_or_billed_cannot_be_changed_any_more() {
        let sam = Actor::Client(SAM);
        let with = |change: fn(&mut Service)| {
            let mut business = business();
            let mut service = business.service(SINGLE).unwrap().clone();
            change(&mut service);
            business.put(2, Row::Service(service));
            business
        };
        let refused = |change: fn(&mut Service), text| refuses(&with(change), sam, &CANCEL, text);
        refused(
            |it| it.status = ServiceStatus::Completed,
            "This service was already completed.",
        );
        refused(
            |it| it.status = ServiceStatus::Cancelled,
            "This service was cancelled in the meantime.",
        );
        refused(
            |it| it.invoice_id = Some(Id::of(9)),
            "This visit is billed or paid already.",
        );
        refused(
            |it| it.date = "2026-11-19".parse().unwrap(),
            "This visit is over.",
        );
        refused(
            |it| {
                it.date = "2026-11-19".parse().unwrap();
                it.end_date = Some("2026-11-22".parse().unwrap());
            },
            "This stay has begun. Write a message.",
        );
        refused(
            |it| {
                it.progress = Some(Progress::new(ProgressStep::Started, NOW));
            },
            "This visit is under way.",
        );
        refuses(
            &business(),
            sam,
            &leave_out("2026-12-02"),
            "There is no longer a visit on this date.",
        );
        refuses(
            &business(),
            sam,
            &pause("2026-12-02", "2026-12-04"),
            "There is no visit on these days.",
        );
        refuses(
            &business(),
            sam,
            &pause("2026-11-19", "2026-12-04"),
            "A pause cannot begin in the past",
        );
        refuses(
            &business(),
            sam,
            &pause("2026-12-04", "2026-12-01"),
            "The last day cannot be before the first",
        );
    }

    fn move_to(day: &str, hour: u16) -> RequestSubject {
        RequestSubject::MoveService {
            service_id: SINGLE,
            date: date(day),
            start_time: Time::hour(hour),
            end_date: None,
            departure_time: None,
        }
    }

    const NIGHTS: Id = Id::of(33);

    /// Sam's Rex stays from Dec 1 to Dec 3, at $60.00 a night.
    fn with_stay() -> Business {
        let mut business = business();
        let nights = Offering {
            pricing_type: PricingType::Daily,
            stay_unit: Some(StayUnit::Nights),
            base_price: Cents(60_00),
            ..Offering::new(NIGHTS, NOW)
        };
        business.put(1, Row::Offering(nights));
        let stay = json!({ "client_id": SAM, "dog_ids": [REX], "date": "2026-12-01", "end_date": "2026-12-03",
            "start_time": "09:00", "duration_minutes": 30, "offering_id": NIGHTS });
        let id = Id::of(34);
        let schedule = command("schedule_service", json!({ "id": id, "service": stay }));
        apply(&mut business, &schedule, Actor::Sitter).unwrap();
        assert_eq!(business.service(id).unwrap().price, Cents(12_000));
        business
    }

    fn stay_to(first: &str, last: Option<&str>, departure: Option<u16>) -> RequestSubject {
        RequestSubject::MoveService {
            service_id: Id::of(34),
            date: date(first),
            start_time: Time::hour(9),
            end_date: last.map(date),
            departure_time: departure.map(Time::hour),
        }
    }

    #[test]
    fn a_stay_moves_to_other_days_at_their_price_once_the_sitter_grants_it() {
        let mut business = with_stay();
        // Its own days are not in its way.
        let change = stay_to("2026-12-02", Some("2026-12-05"), Some(11));
        let asks = Command::AskForChange(AskForChange {
            id: REQUEST,
            change,
            message: String::new(),
            quoted_price: Some(Cents(17_000)),
        });
        let sam = ctx(Actor::Client(SAM));
        let all = decide(&asks, &business, &sam);
        let few = decide(&asks, &loaded(&asks, &business, &sam), &sam);
        assert_eq!(format!("{all:?}"), format!("{few:?}"));
        let decision = all.unwrap();
        let price = Adjustment::Price {
            quoted: Cents(17_000),
            price: Cents(18_000),
        };
        assert_eq!(decision.adjustments, [price]);
        business.apply(2, &decision.changes);
        let asked = request(&business, REQUEST).unwrap();
        assert_eq!(asked.estimated_price, Cents(18_000));
        assert_eq!(asked.requested_date, date("2026-12-01"));
        assert_eq!(asked.requested_end_date, Some(date("2026-12-03")));
        let stay = |business: &Business| business.service(Id::of(34)).unwrap().clone();
        assert_eq!(stay(&business).price, Cents(12_000));

        let grants = command("grant_request", json!({ "id": REQUEST }));
        let sitter = ctx(Actor::Sitter);
        let all = decide(&grants, &business, &sitter);
        let few = decide(&grants, &loaded(&grants, &business, &sitter), &sitter);
        assert_eq!(format!("{all:?}"), format!("{few:?}"));
        grant(&mut business).unwrap();
        let moved = stay(&business);
        assert_eq!(
            (moved.date, moved.end_date, moved.departure_time),
            (
                date("2026-12-02"),
                Some(date("2026-12-05")),
                Some(Time::hour(11))
            )
        );
        assert_eq!(moved.price, Cents(18_000));
    }

    #[test]
    fn a_granted_move_is_undone_a_moment_later_with_its_days_and_its_price() {
        let mut business = with_stay();
        let before = business.service(Id::of(34)).unwrap().clone();
        ask(
            &mut business,
            &stay_to("2026-12-02", Some("2026-12-05"), Some(11)),
        )
        .unwrap();
        let asked = request(&business, REQUEST).unwrap().clone();
        grant(&mut business).unwrap();
        let undo = Command::UndoApproval(UndoApproval {
            id: REQUEST,
            service_id: before.id,
            former: Some(FormerTime {
                date: before.date,
                start_time: before.start_time,
                end_date: before.end_date,
                departure_time: before.departure_time,
                overlap_ok: before.overlap_ok,
                price: Some(before.pricing_breakdown.clone()),
            }),
            inactive_since: None,
        });
        let sitter = ctx(Actor::Sitter);
        let all = decide(&undo, &business, &sitter);
        let few = decide(&undo, &loaded(&undo, &business, &sitter), &sitter);
        assert_eq!(format!("{all:?}"), format!("{few:?}"));
        let mut late = sitter.clone();
        late.now.at = Instant(NOW.0 + 11 * 60_000);
        late.made_at = late.now.at;
        let refusal = decide(&undo, &business, &late).unwrap_err();
        assert_eq!(refusal.code(), "already_answered");
        // Nor once the stay is elsewhere.
        let mut elsewhere = business.clone();
        let mut stay = elsewhere.service(before.id).unwrap().clone();
        stay.date = date("2026-12-03");
        elsewhere.put(3, Row::Service(stay));
        assert!(decide(&undo, &elsewhere, &sitter).is_err());
        apply(&mut business, &undo, Actor::Sitter).unwrap();
        assert_eq!(business.service(before.id), Some(&before));
        assert_eq!(request(&business, REQUEST), Some(&asked));
        assert!(
            decide(&undo, &business, &sitter)
                .unwrap()
                .changes
                .is_empty()
        );
    }

    #[test]
    fn another_stay_in_the_way_of_new_days_is_the_sitters_to_accept() {
        let mut business = with_stay();
        let mut other = business.service(Id::of(34)).unwrap().clone();
        other.id = Id::of(35);
        (other.date, other.end_date) = (date("2026-12-05"), Some(date("2026-12-06")));
        business.put(2, Row::Service(other));
        ask(
            &mut business,
            &stay_to("2026-12-04", Some("2026-12-05"), None),
        )
        .unwrap();
        assert_eq!(grant(&mut business).unwrap_err().code(), "conflict");
        let anyway = command(
            "grant_request",
            json!({ "id": REQUEST, "overlap_ok": true }),
        );
        apply(&mut business, &anyway, Actor::Sitter).unwrap();
    }

    #[test]
    fn an_agreed_price_stays_with_a_stay_that_moves() {
        let mut business = with_stay();
        let mut stay = business.service(Id::of(34)).unwrap().clone();
        stay.price_override = Some(PriceOverride {
            amount: Cents(10_000),
            reason: "Regular".to_owned(),
            tells_reason: false,
        });
        reprice(&mut stay, &business).unwrap();
        business.put(2, Row::Service(stay.clone()));
        let change = stay_to("2026-12-02", Some("2026-12-05"), None);
        let price = |business: &Business| {
            let stay = business.service(stay.id).unwrap();
            moved_service(&change, stay, business).unwrap().price
        };
        assert_eq!(price(&business), Cents(10_000));
        // As the app of its client has it.
        let mut seen = Business::default();
        for row in business.rows().filter_map(|it| shown_to(SAM, &it.row)) {
            seen.put(2, row);
        }
        assert_eq!(price(&seen), Cents(10_000));
    }

    #[test]
    fn wrong_days_of_a_stay_that_is_to_move_are_named() {
        let (business, sam) = (with_stay(), Actor::Client(SAM));
        let wrong = |change: RequestSubject, text: &str| refuses(&business, sam, &change, text);
        let to = |first, last| stay_to(first, Some(last), None);
        wrong(to("2026-11-19", "2026-11-20"), IN_THE_PAST);
        wrong(
            to("2026-12-04", "2026-12-03"),
            "The last day cannot be before the first",
        );
        wrong(
            to("2026-12-01", "2026-12-03"),
            "The stay is on these days already.",
        );
        wrong(
            stay_to("2026-12-04", None, None),
            "Please select the last day",
        );
        wrong(
            stay_to("2026-12-04", Some("2026-12-04"), Some(8)),
            "The departure is before the arrival; choose a later last day",
        );
        let mut of_visit = move_to("2026-11-26", 14);
        if let RequestSubject::MoveService { end_date, .. } = &mut of_visit {
            *end_date = Some(date("2026-11-27"));
        }
        wrong(of_visit, "A visit has no last day");
    }

    #[test]
    fn a_visit_moves_once_the_sitter_grants_it_also_onto_another_one() {
        let mut business = business();
        ask(&mut business, &move_to("2026-11-26", 14)).unwrap();
        let at = |business: &Business| {
            let service = business.service(SINGLE).unwrap();
            format!("{} {}", service.date, service.start_time)
        };
        assert_eq!(at(&business), "2026-11-25 12:00");
        assert_eq!(
            request(&business, REQUEST).unwrap().requested_date,
            date("2026-11-25")
        );
        let command = command("grant_request", json!({ "id": REQUEST }));
        let sitter = ctx(Actor::Sitter);
        let all = decide(&command, &business, &sitter);
        let few = decide(&command, &loaded(&command, &business, &sitter), &sitter);
        assert_eq!(format!("{all:?}"), format!("{few:?}"));
        // Another visit has come there meanwhile.
        let other = Service {
            client_id: EVE,
            date: date("2026-11-26"),
            start_time: Time::hour(14),
            ..Service::new(Id::of(30), NOW)
        };
        let mut taken = business.clone();
        taken.put(2, Row::Service(other));
        let few = loaded(&command, &taken, &sitter);
        for business in [&taken, &few] {
            assert_eq!(
                decide(&command, business, &sitter).unwrap_err().code(),
                "conflict"
            );
        }
        let anyway = self::command(
            "grant_request",
            json!({ "id": REQUEST, "overlap_ok": true }),
        );
        apply(&mut taken, &anyway, Actor::Sitter).unwrap();
        assert_eq!(at(&taken), "2026-11-26 14:00");
        grant(&mut business).unwrap();
        assert_eq!(at(&business), "2026-11-26 14:00");
        let status = request(&business, REQUEST).unwrap().status;
        assert_eq!(status, RequestStatus::Approved);
    }

    #[test]
    fn a_move_is_refused_to_where_the_visit_is_to_the_past_too_far_and_twice() {
        let sam = Actor::Client(SAM);
        let mut business = business();
        refuses(&business, sam, &move_to("2026-11-20", 8), IN_THE_PAST);
        let same = "The visit is at this time already.";
        refuses(&business, sam, &move_to("2026-11-25", 12), same);
        let gone = "The requested resource was not found.";
        refuses(
            &business,
            Actor::Client(EVE),
            &move_to("2026-11-26", 14),
            gone,
        );
        business.put(1, Row::Pattern(Pattern::new(Id::of(40))));
        let refusal = ask(&mut business.clone(), &move_to("2027-03-01", 9)).unwrap_err();
        assert_eq!(refusal.code(), "too_far");
        ask(&mut business, &move_to("2026-11-26", 14)).unwrap();
        let again = decide(&asks(8, &move_to("2026-11-27", 14)), &business, &ctx(sam));
        assert_eq!(
            again.unwrap_err().to_string(),
            "You have asked for this already."
        );
        // A visit can be called off all the same.
        assert!(decide(&asks(8, &CANCEL), &business, &ctx(sam)).is_ok());
    }

    #[test]
    fn a_stay_is_no_visit_of_a_day_of_its_trip_and_is_asked_for_until_it_begins() {
        const TRIP: Id = Id::of(20);
        const STAY: Id = Id::of(21);
        const NIGHTS: Id = Id::of(23);
        let mut business = business();
        let nights = Offering {
            pricing_type: PricingType::Daily,
            ..Offering::new(NIGHTS, NOW)
        };
        business.put(1, Row::Offering(nights));
        let slot = |id: Id, start: &str| json!({ "id": id, "start_time": start, "duration_minutes": 30, "service_type": "dropin" });
        let mut stay = slot(STAY, "08:00");
        stay["offering_id"] = json!(NIGHTS);
        let series = json!({
            "client_id": SAM, "dog_ids": [REX], "begins": "2026-12-04", "end": { "kind": "on", "date": "2026-12-07" },
            "rule": { "kind": "daily", "every": 1 }, "slots": [slot(Id::of(22), "18:00")], "trip": { "stay": stay },
        });
        let series = command("create_series", json!({ "id": TRIP, "series": series }));
        apply(&mut business, &series, Actor::Sitter).unwrap();
        let wish = |slot| RequestSubject::LeaveOutDate {
            series_id: TRIP,
            date: date("2026-12-05"),
            slot,
        };
        let asked = |slot| {
            let mut business = business.clone();
            ask(&mut business, &wish(slot)).unwrap();
            let asked = request(&business, REQUEST).unwrap();
            format!("{} {}", asked.requested_date, asked.requested_start_time)
        };
        assert_eq!(asked(None), "2026-12-05 18:00");
        assert_eq!(asked(Some(STAY)), "2026-12-04 08:00");
        let mut begun = ctx(Actor::Client(SAM));
        begun.now.at = "2026-12-04T09:00:00Z".parse().unwrap();
        begun.made_at = begun.now.at;
        let refusal = decide(&asks(8, &wish(Some(STAY))), &business, &begun).unwrap_err();
        assert_eq!(refusal.to_string(), "This stay has begun. Write a message.");
        assert!(decide(&asks(8, &wish(None)), &business, &begun).is_ok());
    }

    #[test]
    fn a_pause_of_a_trip_is_not_asked_for_and_a_visit_of_it_is() {
        let mut business = business();
        let trip = Series {
            trip: Some(Trip::new(date("2026-11-20"))),
            ..business.series[&SERIES].row.clone()
        };
        business.put(2, Row::Series(trip));
        let (sam, pause) = (Actor::Client(SAM), pause("2026-12-01", "2026-12-20"));
        refuses(&business, sam, &pause, NO_PAUSE);
        // Nor is that said of a trip of somebody else.
        let gone = "The requested resource was not found.";
        refuses(&business, Actor::Client(EVE), &pause, gone);
        ask(&mut business, &leave_out("2026-12-01")).unwrap();
    }

    /// Sam asks for each Monday and Thursday at 10:00 until Dec 10.
    fn asked_series() -> Business {
        let mut business = business();
        let request = json!({ "requested_date": "2026-11-26", "requested_start_time": "10:00",
            "requested_duration_minutes": 30, "service_type": "walk", "dog_ids": [REX], "message": "Side gate" });
        let ask = command(
            "ask_for_service",
            json!({ "id": REQUEST, "request": request, "quoted_price": 25, "repeats": {
                "rule": { "kind": "weekly", "every": 1, "weekdays": [1, 4] }, "last_day": "2026-12-10",
            } }),
        );
        apply(&mut business, &ask, Actor::Client(SAM)).unwrap();
        business
    }

    #[test]
    fn a_series_that_is_asked_for_is_booked_as_it_is_granted() {
        let mut business = asked_series();
        assert!(!business.series.contains_key(&REQUEST));
        let choices = json!([{ "date": "2026-11-30", "slot": REQUEST, "way": "leave_out" }]);
        let grant = command(
            "grant_request",
            json!({ "id": REQUEST, "start_time": "11:00", "choices": choices }),
        );
        apply(&mut business, &grant, Actor::Sitter).unwrap();
        let mut visits: Vec<String> = visits_of(REQUEST, &business)
            .map(|it| format!("{} {} {}", it.date, it.start_time, it.internal_notes))
            .collect();
        visits.sort();
        assert_eq!(
            visits,
            [
                "2026-11-26 11:00 Side gate",
                "2026-12-03 11:00 Side gate",
                "2026-12-07 11:00 Side gate",
                "2026-12-10 11:00 Side gate",
            ]
        );
        // Other decisions of a second phone are not lost untold.
        let refusal = decide(&grant, &business, &ctx(Actor::Sitter)).unwrap_err();
        assert_eq!(refusal.to_string(), "This request was already approved.");
    }

    #[test]
    fn a_granted_series_makes_its_client_active() {
        let mut business = asked_series();
        let client = Client {
            inactive_since: Some(date("2026-11-19")),
            ..business.client(SAM).unwrap().clone()
        };
        business.put(2, Row::Client(client));
        let command = command("grant_request", json!({ "id": REQUEST }));
        let ctx = ctx(Actor::Sitter);
        let all = decide(&command, &business, &ctx);
        let few = decide(&command, &loaded(&command, &business, &ctx), &ctx);
        assert_eq!(format!("{all:?}"), format!("{few:?}"));
        grant(&mut business).unwrap();
        assert_eq!(business.client(SAM).unwrap().inactive_since, None);
    }

    #[test]
    fn a_request_for_a_series_says_what_is_wrong_with_it() {
        let refused = |repeats: serde_json::Value| {
            let request = json!({ "requested_date": "2026-11-26", "requested_start_time": "10:00",
                "requested_duration_minutes": 30, "service_type": "walk", "dog_ids": [REX] });
            let ask = command(
                "ask_for_service",
                json!({ "id": REQUEST, "request": request, "repeats": repeats }),
            );
            let refusal = decide(&ask, &business(), &ctx(Actor::Client(SAM))).unwrap_err();
            refusal.to_string()
        };
        let weekly = |weekdays: &[u32], last_day: &str| {
            refused(
                json!({ "rule": { "kind": "weekly", "every": 1, "weekdays": weekdays }, "last_day": last_day }),
            )
        };
        assert_eq!(
            weekly(&[], "2026-12-10"),
            "Please select at least one day of the week"
        );
        assert_eq!(
            weekly(&[1], "2026-11-25"),
            "The last day cannot be before the first"
        );
        assert_eq!(
            weekly(&[1], "2026-11-28"),
            "It does not repeat before this day. Please choose a later one"
        );
    }

    #[test]
    fn a_request_for_a_change_is_not_approved_as_a_visit_and_one_for_a_visit_is_not_granted() {
        let mut business = business();
        ask(&mut business, &CANCEL).unwrap();
        let approve = command(
            "approve_request",
            json!({ "id": REQUEST, "service_id": Id::of(9) }),
        );
        assert!(decide(&approve, &business, &ctx(Actor::Sitter)).is_err());
        let visit = WalkRequest {
            requested_date: date("2026-11-26"),
            dog_ids: vec![REX],
            ..WalkRequest::new(REQUEST, SAM, NOW)
        };
        business.put(2, Row::WalkRequest(visit));
        let refusal = grant(&mut business).unwrap_err();
        assert_eq!(
            refusal.to_string(),
            "This request asks for a visit. Approve it."
        );
    }

    #[test]
    fn a_change_that_is_declined_without_a_reason_says_nothing_of_being_available() {
        let mut business = business();
        ask(&mut business, &CANCEL).unwrap();
        let decline = command("decline_request", json!({ "id": REQUEST }));
        apply(&mut business, &decline, Actor::Sitter).unwrap();
        let said = &request(&business, REQUEST).unwrap().sitter_response;
        assert_eq!(said, "Sorry, this cannot be changed.");
    }

    #[test]
    fn what_was_settled_since_it_was_asked_for_is_not_granted() {
        let booked = business();
        let visits = visits_of(SERIES, &booked).map(|it| (it.date, it.id));
        let (_, visit) = visits.min().unwrap();
        let settled = |change: fn(&mut Service), text: &str| {
            for (wish, id) in [(CANCEL, SINGLE), (leave_out("2026-11-24"), visit)] {
                let mut business = business();
                ask(&mut business, &wish).unwrap();
                let mut service = business.service(id).unwrap().clone();
                change(&mut service);
                business.put(2, Row::Service(service));
                let command = command("grant_request", json!({ "id": REQUEST }));
                let sitter = ctx(Actor::Sitter);
                let few = loaded(&command, &business, &sitter);
                for business in [&business, &few] {
                    let refusal = decide(&command, business, &sitter).unwrap_err();
                    assert_eq!(refusal.to_string(), text);
                }
                // What is saved on the phone stays on its screen.
                let shown = Context {
                    is_shown: true,
                    ..sitter
                };
                assert!(decide(&command, &business, &shown).is_ok() || text.contains("completed"));
            }
        };
        settled(
            |it| it.status = ServiceStatus::Completed,
            "This service was already completed.",
        );
        settled(
            |it| it.status = ServiceStatus::Cancelled,
            "This service was cancelled in the meantime.",
        );
        settled(
            |it| it.invoice_id = Some(Id::of(9)),
            "This visit is billed or paid already.",
        );
        settled(|it| it.paid = true, "This visit is billed or paid already.");
        settled(
            |it| {
                it.progress = Some(Progress::new(ProgressStep::OnTheWay, NOW));
            },
            "This visit is under way.",
        );
    }

    #[test]
    fn a_visit_that_is_gone_is_not_granted_and_a_grant_counts_as_of_when_it_was_given() {
        let mut business = business();
        ask(&mut business, &leave_out("2026-11-24")).unwrap();
        let grant = command("grant_request", json!({ "id": REQUEST }));
        let mut late = ctx(Actor::Sitter);
        late.now.at = "2026-11-24T12:00:00Z".parse().unwrap();
        assert!(decide(&grant, &business, &late).is_ok());
        late.made_at = late.now.at;
        let refusal = decide(&grant, &business, &late).unwrap_err();
        assert_eq!(refusal.to_string(), "This visit is over.");
        let leaves = json!({ "id": SERIES, "date": "2026-11-24", "slot": Id::of(5) });
        apply(
            &mut business,
            &command("leave_out_date", leaves),
            Actor::Sitter,
        )
        .unwrap();
        let refusal = self::grant(&mut business).unwrap_err();
        assert_eq!(
            refusal.to_string(),
            "There is no longer a visit on this date."
        );
    }

    /// The rows that a server loads for a command, as `needs` names them.
    fn loaded(command: &Command, full: &Business, ctx: &Context) -> Business {
        let mut business = Business::default();
        for _ in 0..6 {
            let needs = command.needs(&business, ctx);
            for it in full.rows() {
                let key = it.row.key();
                let is_needed = needs.iter().any(|need| match (need, &it.row) {
                    (Need::Row(named), _) => *named == key,
                    (Need::Rows(table, ids), _) => *table == key.table && ids.contains(&key.id),
                    (Need::Table(table), _) => *table == key.table,
                    (Need::PetsOf(client), Row::Pet(pet)) => pet.client_id == *client,
                    (Need::PetsOfAny(clients), Row::Pet(pet)) => clients.contains(&pet.client_id),
                    (Need::PendingRequestsOf(client, from), Row::WalkRequest(it)) => {
                        it.client_id == *client && *from <= it.requested_date
                    }
                    (Need::ServicesBetween(first, last), Row::Service(it)) => {
                        (*first..=*last).contains(&it.date)
                    }
                    (Need::VisitsOfSeries(series, first), Row::Service(it)) => {
                        it.series_id == Some(*series)
                            && it.series_date.is_some_and(|it| *first <= it)
                    }
                    _ => false,
                });
                if is_needed {
                    business.put(it.rev, it.row.clone());
                }
            }
        }
        business
    }

    #[test]
    fn what_is_asked_for_and_granted_is_decided_alike_on_the_rows_that_it_needs() {
        let sam = Actor::Client(SAM);
        let mut cancelling = business();
        let visits = visits_of(SERIES, &cancelling).map(|it| (it.date, it.id));
        let first = visits.min().unwrap().1;
        ask(
            &mut cancelling,
            &RequestSubject::CancelService { service_id: first },
        )
        .unwrap();
        let asked = |change: RequestSubject| {
            let mut business = business();
            ask(&mut business, &change).unwrap();
            business
        };
        let grant = command("grant_request", json!({ "id": REQUEST }));
        for (business, command, actor) in [
            (business(), asks(8, &leave_out("2026-12-01")), sam),
            (business(), asks(8, &pause("2026-12-01", "2026-12-20")), sam),
            (business(), asks(8, &CANCEL), sam),
            (cancelling, asks(8, &leave_out("2026-11-24")), sam),
            (asked(leave_out("2026-12-01")), grant.clone(), Actor::Sitter),
            (
                asked(pause("2026-12-01", "2026-12-20")),
                grant.clone(),
                Actor::Sitter,
            ),
            (asked(CANCEL), grant.clone(), Actor::Sitter),
            (asked_series(), grant, Actor::Sitter),
        ] {
            let ctx = ctx(actor);
            let all = decide(&command, &business, &ctx);
            let few = decide(&command, &loaded(&command, &business, &ctx), &ctx);
            assert_eq!(format!("{all:?}"), format!("{few:?}"), "{command:?}");
        }
    }

    #[test]
    fn a_decision_names_only_the_request_and_what_follows() {
        let mut business = business();
        ask(&mut business, &CANCEL).unwrap();
        let grant = command("grant_request", json!({ "id": REQUEST }));
        let decision = decide(&grant, &business, &ctx(Actor::Sitter)).unwrap();
        let keys: Vec<Id> = decision
            .changes
            .iter()
            .map(|it: &Change| it.key().id)
            .collect();
        assert_eq!(keys, [SINGLE, REQUEST]);
    }
}
