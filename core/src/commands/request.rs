//! Owns what the commands about walk requests do: a pet parent asks and withdraws, a sitter approves and declines (SPEC 4).

use serde::Serialize;
use serde_json::Value;

use crate::commands::combined::Combined;
use crate::commands::decision::{
    About, Actor, Context, Decision, Effect, Intent, Need, changed, check_seen, removal, row,
};
use crate::commands::inactive::active;
use crate::commands::service::{
    REOPEN_MINUTES, ScheduleService, UpdateService, needs_of_patch, new_service, other_price,
    time_patch,
};
use crate::commands::services::closed;
use crate::rows::client::Client;
use crate::rows::offering::{Offering, PricingType};
use crate::rows::row::{Change, RowKey, TableName};
use crate::rows::series::SeriesRule;
use crate::rows::service::{PriceBreakdown, PriceOverride, Service, ServiceStatus};
use crate::rows::walk_request::{RequestStatus, RequestSubject, WalkRequest};
use crate::rules::pricing;
use crate::rules::request::{
    ONLY_DOGS, approved_service, books_at_once, fits, is_short_enough, without_reason,
};
use crate::rules::series::rule_error;
use crate::rules::slots::{can_be_wished, days_searched, refuse_closed};
use crate::values::bounds::{self, check_room};
use crate::values::form_errors::FieldErrors;
use crate::values::instant::MS_PER_MINUTE;
use crate::values::json::read_by_field;
use crate::values::patch::Patch;
use crate::{Business, Cents, Date, Id, Refusal, Time};

/// Approves a request: a service is made of it and linked, if nothing is in its way at that moment.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ApproveRequest {
    /// Id of the request.
    pub id: Id,
    /// The new service's id.
    pub service_id: Id,
    /// The sitter's words; may be empty.
    #[serde(default)]
    pub sitter_response: String,
    /// When it starts, where that is another time than was asked for.
    #[serde(default)]
    pub start_time: Option<Time>,
    /// The sitter saw what it overlaps and wants it all the same.
    #[serde(default)]
    pub overlap_ok: bool,
    /// The price that the sitter chose, having seen both what was asked for and what it comes to by the rates now.
    /// Without it the rates count, and another price is reported.
    #[serde(default)]
    pub price: Option<Cents>,
}

read_by_field!(ApproveRequest { id, service_id } or default { sitter_response, start_time, overlap_ok, price });

impl Intent for ApproveRequest {
    fn needs(&self, business: &Business, ctx: &Context) -> Vec<Need> {
        let mut needs = vec![row(TableName::WalkRequest, self.id)];
        if let Some(request) = request(business, self.id) {
            // What is to be scheduled is known once the offering is here.
            let offering = request.offering_id;
            needs.extend(offering.map(|it| row(TableName::Offering, it)));
            needs.extend(self.schedule(request, business).needs(business, ctx));
        }
        needs
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        let current = request(business, self.id).ok_or(Refusal::Gone)?;
        match current.status {
            RequestStatus::Pending => {}
            RequestStatus::Approved if current.scheduled_service_id == Some(self.service_id) => {
                return Ok(Decision::default());
            }
            status => return Err(Refusal::AlreadyAnswered { status }),
        }
        if current.subject.is_some() {
            let mut errors = FieldErrors::default();
            errors.add("id", NO_VISIT);
            return Err(errors.into());
        }
        let mut decision = self.schedule(current, business).decide(business, ctx)?;
        // A client for whom something is booked is no longer inactive.
        let client = business.client(current.client_id).and_then(active);
        decision.changes.extend(client.map(Change::from));
        decision.changes.push(put(WalkRequest {
            status: RequestStatus::Approved,
            sitter_response: self.sitter_response.trim().to_owned(),
            scheduled_service_id: Some(self.service_id),
            answered_at: Some(ctx.now.at),
            ..current.clone()
        }));
        Ok(decision)
    }

    fn about(&self) -> About {
        let mut about = About::row("Request", Effect::Marks, TableName::WalkRequest, self.id);
        about.made.push(RowKey {
            table: TableName::Service,
            id: self.service_id,
        });
        about
    }
}

/// Text for an app of before that takes any request for one of a visit.
const NO_VISIT: &str =
    "This request asks for something else than one visit. Reload the app to answer it.";

/// Why a service costs another price than the rates say, where the sitter chose so on approving.
const AGREED_ON_APPROVAL: &str = "Agreed on approval";

impl ApproveRequest {
    /// Builds the command that schedules the requested service at the time and price of this approval, like any other
    /// service.
    fn schedule(&self, request: &WalkRequest, business: &Business) -> ScheduleService {
        let mut service = approved_service(request, self.service_id, business);
        service.start_time = self.start_time.unwrap_or(service.start_time);
        let usual = pricing::of_service(business, &service).map(|it| it.total);
        let agreed = self.price.filter(|it| usual != Some(*it));
        service.price_override = agreed.map(|amount| PriceOverride {
            amount,
            reason: AGREED_ON_APPROVAL.to_owned(),
            tells_reason: false,
        });
        ScheduleService {
            overlap_ok: self.overlap_ok,
            quoted_price: Some(self.price.unwrap_or(request.estimated_price)),
            ..scheduling(self.service_id, Patch::from_row(&service))
        }
    }
}

/// The command that schedules a service with these fields where nothing is in its way.
const fn scheduling(id: Id, service: Patch) -> ScheduleService {
    ScheduleService {
        id,
        service,
        overlap_ok: false,
        quoted_price: None,
        brings_back: false,
    }
}

/// Declines a request; a repeat changes nothing.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeclineRequest {
    /// Id of the request.
    pub id: Id,
    /// The sitter's words; what is said where there are none is the specification's.
    #[serde(default)]
    pub sitter_response: String,
}

read_by_field!(DeclineRequest { id } or default { sitter_response });

impl Intent for DeclineRequest {
    fn needs(&self, _: &Business, _: &Context) -> Vec<Need> {
        vec![row(TableName::WalkRequest, self.id)]
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        let current = request(business, self.id).ok_or(Refusal::Gone)?;
        let said = match self.sitter_response.trim() {
            "" => without_reason(current),
            said => said,
        };
        match current.status {
            RequestStatus::Pending => {}
            RequestStatus::Declined if current.sitter_response == said => {
                return Ok(Decision::default());
            }
            status => return Err(Refusal::AlreadyAnswered { status }),
        }
        Ok(put(WalkRequest {
            status: RequestStatus::Declined,
            sitter_response: said.to_owned(),
            answered_at: Some(ctx.now.at),
            ..current.clone()
        })
        .into())
    }

    fn about(&self) -> About {
        About::row("Request", Effect::Marks, TableName::WalkRequest, self.id)
    }
}

/// Time of a service before the approval of a request has moved it.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FormerTime {
    /// Day; of a stay the first one.
    pub date: Date,
    /// Start; of a stay the arrival.
    pub start_time: Time,
    /// Last day of a stay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_date: Option<Date>,
    /// Departure of a stay, where that was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub departure_time: Option<Time>,
    /// It was confirmed to overlap something.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub overlap_ok: bool,
    /// Breakdown of the price that it had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<PriceBreakdown>,
}

read_by_field!(FormerTime { date, start_time } or default { end_date, departure_time, overlap_ok, price });

/// Undoes an approval of a moment ago: the request waits again, and the service that was made of it goes, or the one that it
/// has moved is where it was. Refused some minutes later, and once anything has become of that service; a repeat changes
/// nothing.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UndoApproval {
    /// Id of the request.
    pub id: Id,
    /// Id of the service that the approval made or moved.
    pub service_id: Id,
    /// The time that a moved service gets back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub former: Option<FormerTime>,
    /// The day since which the client was inactive before the approval, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub inactive_since: Option<Date>,
}

read_by_field!(UndoApproval { id, service_id } or default { former, inactive_since });

impl UndoApproval {
    /// Undoes an approval that has made this service.
    pub const fn new(id: Id, service_id: Id) -> Self {
        Self {
            id,
            service_id,
            former: None,
            inactive_since: None,
        }
    }

    /// The sitter's own command that moves a service back; none for one that the approval has made.
    fn way_back(&self) -> Option<UpdateService> {
        let former = self.former.as_ref()?;
        let FormerTime {
            date, start_time, ..
        } = *former;
        let changes = time_patch(date, start_time, former.end_date, former.departure_time);
        Some(UpdateService {
            id: self.service_id,
            changes,
            overlap_ok: former.overlap_ok,
            former_price: former.price.clone(),
        })
    }

    /// Returns true if the request has made this service, or has moved it to where it is.
    fn is_of(&self, request: &WalkRequest, service: &Service) -> bool {
        let is_theirs = service.client_id == request.client_id;
        let is_of = match (&request.subject, &self.former) {
            (None, None) => request.scheduled_service_id == Some(self.service_id),
            (Some(subject), Some(former)) => {
                let is_stay = service.end_date.is_some();
                subject.has_moved(service) && former.end_date.is_some() == is_stay
            }
            _ => false,
        };
        is_theirs && is_of
    }
}

impl Intent for UndoApproval {
    fn needs(&self, business: &Business, ctx: &Context) -> Vec<Need> {
        let mut needs = vec![
            row(TableName::WalkRequest, self.id),
            row(TableName::Service, self.service_id),
            changed(TableName::Service, self.service_id),
        ];
        let request = request(business, self.id).filter(|_| self.inactive_since.is_some());
        needs.extend(request.into_iter().flat_map(|it| {
            [
                row(TableName::Client, it.client_id),
                Need::ServicesOfClientFrom(it.client_id, ctx.today()),
            ]
        }));
        needs.extend(
            self.way_back()
                .iter()
                .flat_map(|it| it.needs(business, ctx)),
        );
        needs
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        let current = request(business, self.id).ok_or(Refusal::Gone)?;
        let status = current.status;
        match status {
            RequestStatus::Pending => return Ok(Decision::default()),
            RequestStatus::Approved => {}
            _ => return Err(Refusal::AlreadyAnswered { status }),
        }
        let service = business.service(self.service_id);
        let service = service.ok_or(match current.scheduled_service_id {
            Some(made) if made == self.service_id => Refusal::Gone,
            _ => Refusal::AlreadyAnswered { status },
        })?;
        if !self.is_of(current, service) {
            return Err(Refusal::AlreadyAnswered { status });
        }
        let key = RowKey {
            table: TableName::Service,
            id: self.service_id,
        };
        let is_recent = current
            .answered_at
            .is_some_and(|at| ctx.acted_at().0 - at.0 <= REOPEN_MINUTES * MS_PER_MINUTE);
        if !is_recent || closed(service).is_some() || check_seen(business, &[key]).is_err() {
            return Err(Refusal::AlreadyAnswered { status });
        }
        let waiting = put(WalkRequest {
            status: RequestStatus::Pending,
            sitter_response: String::new(),
            scheduled_service_id: None,
            answered_at: None,
            booked_at_once: false,
            ..current.clone()
        });
        let mut decision = match self.way_back() {
            Some(way_back) => way_back.decide(business, ctx)?,
            None => vec![removal(TableName::Service, self.service_id)].into(),
        };
        decision.changes.push(waiting);
        let inactive = self.inactive_again(service, business, ctx);
        decision.changes.extend(inactive.map(Change::from));
        Ok(decision)
    }

    fn about(&self) -> About {
        About::row("Request", Effect::Marks, TableName::WalkRequest, self.id)
    }
}

impl UndoApproval {
    /// Returns the client of this service as inactive as before the approval; `None` where it was active, or something was
    /// booked for it since, also by another approval that is undone later.
    fn inactive_again(
        &self,
        service: &Service,
        business: &Business,
        ctx: &Context,
    ) -> Option<Client> {
        // A service that was moved stays, and its client with it.
        let inactive_since = self.inactive_since.filter(|_| self.former.is_none())?;
        let client = business.client(service.client_id)?;
        let is_booked = business.services.since(ctx.today()).any(|it| {
            it.client_id == client.id
                && it.id != service.id
                && it.status == ServiceStatus::Scheduled
                && service.created_at <= it.created_at
        });
        (client.inactive_since.is_none() && !is_booked).then(|| Client {
            inactive_since: Some(inactive_since),
            ..client.clone()
        })
    }
}

/// Repetition of a visit that is asked for, from its day on.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Repeats {
    /// The rule by which it repeats.
    pub rule: SeriesRule,
    /// The last day that may have a visit; until further notice without it.
    #[serde(default)]
    pub last_day: Option<Date>,
}

read_by_field!(Repeats { rule } or default { last_day });

/// Asks for a walk or a drop-in, or for one that repeats, as a pet parent.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AskForService {
    /// The new request's id.
    pub id: Id,
    /// Fields of the request.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<WalkRequest>"))]
    pub request: Patch,
    /// The price of a visit that the person saw; another one is reported and not refused.
    #[serde(default)]
    pub quoted_price: Option<Cents>,
    /// How the visit repeats, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeats: Option<Repeats>,
    /// Id shared by requests that are made at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group_id: Option<Id>,
    /// True to ask also for a time that is not offered, within the days for which requests are taken.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_wish: bool,
}

read_by_field!(AskForService { id, request } or default { quoted_price, repeats, group_id, is_wish });

impl Intent for AskForService {
    fn needs(&self, business: &Business, ctx: &Context) -> Vec<Need> {
        let Actor::Client(client_id) = ctx.actor else {
            return Vec::new();
        };
        let mut needs = vec![
            row(TableName::WalkRequest, self.id),
            Need::PendingRequestsOf(client_id, ctx.today()),
            Need::RequestCountOf(client_id),
            Need::Table(TableName::AvailabilityConfig),
        ];
        if bounds::REQUESTS <= count_of(business, client_id) {
            needs.push(Need::EarliestRequestOf(client_id));
        }
        let patch = asked(&self.request, client_id);
        needs.extend(needs_of_patch(&patch));
        if self.repeats.is_some() {
            needs.push(row(TableName::Series, self.id));
        }
        if self.books_at_once(client_id, business) {
            needs.extend(scheduling(self.id, patch.clone()).needs(business, ctx));
        }
        // Whether the time is open tells its own day; which one would do in its place, the days around it.
        if !ctx.is_shown
            && self.repeats.is_none()
            && !is_stay(&patch, business)
            && let Ok(service) = new_service(self.id, &patch, business, ctx)
            && refuse_closed(business, &service, &ctx.now).is_err()
        {
            let (first, last) =
                days_searched(business, service.date, service.service_type, &ctx.now);
            needs.push(Need::ServicesBetween(first, last));
        }
        needs
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        let client_id = ctx.client_id()?;
        if request(business, self.id).is_some() {
            return Err(Refusal::Taken);
        }
        let patch = asked(&self.request, client_id);
        check_offering(&patch, business)?;
        let service = new_service(self.id, &patch, business, ctx).map_err(in_words_of_request)?;
        if let Some(repeats) = &self.repeats {
            check_repeats(repeats, &service, business)?;
        }
        let mut changes = Vec::new();
        let mut is_wish = self.is_wish && self.repeats.is_none() && service.end_date.is_none();
        let mut books = self.books_at_once(client_id, business) && service.end_date.is_none();
        books &= !ctx.is_shown;
        if !ctx.is_shown {
            let mut pets = service.dog_ids.iter().filter_map(|id| business.pet(*id));
            let mut errors = FieldErrors::default();
            errors.check(
                pets.any(|it| !fits(it, service.service_type)),
                "dog_ids",
                ONLY_DOGS,
            );
            errors.or(())?;
            let waiting = n_waiting(business, client_id, ctx.today());
            check_room("requests", waiting, bounds::PENDING_REQUESTS)?;
            // The sitter decides on each day of a series and of a stay.
            if self.repeats.is_none() && service.end_date.is_none() {
                let refusal = refuse_closed(business, &service, &ctx.now).err();
                // What is open now needs no wish. A time that was to be booked and is taken meanwhile waits as one.
                is_wish = (self.is_wish || books) && refusal.is_some();
                is_wish &= can_be_wished(business, &service, &ctx.now);
                books &= refusal.is_none();
                if let Some(refusal) = refusal.filter(|_| !is_wish) {
                    return Err(refusal);
                }
            }
            changes.extend(room(business, client_id, ctx.now.today())?);
        }
        let adjustments = other_price(self.quoted_price, service.price);
        let request = WalkRequest {
            requested_date: service.date,
            requested_start_time: service.start_time,
            requested_duration_minutes: service.duration_minutes,
            service_type: service.service_type,
            dog_ids: service.dog_ids,
            message: service.notes.trim().to_owned(),
            estimated_price: service.price,
            subject: self.repeats.as_ref().map(|it| RequestSubject::Series {
                rule: it.rule.clone(),
                last_day: it.last_day,
            }),
            offering_id: service.offering_id,
            requested_end_date: service.end_date,
            requested_departure_time: service.departure_time,
            group_id: self.group_id,
            is_wish,
            ..WalkRequest::new(self.id, client_id, ctx.acted_at())
        };
        // At another price than the client has seen, or where none was seen, the sitter decides.
        let booked = (books && self.quoted_price.is_some() && adjustments.is_empty())
            .then(|| booked_at_once(&request, business, ctx))
            .flatten();
        match booked {
            Some(booked) => changes.extend(booked),
            None => changes.push(put(request)),
        }
        Ok(Decision {
            adjustments,
            ..changes.into()
        })
    }

    fn about(&self) -> About {
        About::row("Request", Effect::Makes, TableName::WalkRequest, self.id)
    }

    fn may(&self, actor: Actor) -> bool {
        matches!(actor, Actor::Client(_))
    }
}

impl AskForService {
    /// Returns true if it is booked without asking the sitter, where its time is open and the plan has room: the sitter
    /// trusts the client, and it is one visit at a time that is offered, and not a long one.
    pub(crate) fn books_at_once(&self, client_id: Id, business: &Business) -> bool {
        let patch = asked(&self.request, client_id);
        let offering = offering_in(&patch, business).flatten();
        let minutes = patch.0.get("duration_minutes").and_then(Value::as_u64);
        let minutes = minutes.map_or(0, |it| u32::try_from(it).unwrap_or(u32::MAX));
        let is_one = self.repeats.is_none() && is_short_enough(offering, minutes);
        is_one && !self.is_wish && business.client(client_id).is_some_and(books_at_once)
    }
}

/// Approves a request as it is made, as the sitter would: the request and its service, which has the request's id. `None`
/// where that is refused, or a pet that is gone would be left out at another price, and the sitter has to decide.
fn booked_at_once(
    request: &WalkRequest,
    business: &Business,
    ctx: &Context,
) -> Option<Vec<Change>> {
    let request = WalkRequest {
        booked_at_once: true,
        ..request.clone()
    };
    let approval = ApproveRequest {
        id: request.id,
        service_id: request.id,
        sitter_response: String::new(),
        start_time: None,
        overlap_ok: false,
        price: None,
    };
    let mut combined = Combined::new(business);
    combined.change(vec![put(request)]);
    combined.decide(&approval, ctx).ok()?;
    let decision = combined.into_decision();
    decision.adjustments.is_empty().then_some(decision.changes)
}

/// Takes back what was asked for and is not answered.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WithdrawRequest {
    /// Id of the request.
    pub id: Id,
}

read_by_field!(WithdrawRequest { id });

impl Intent for WithdrawRequest {
    fn needs(&self, _: &Business, _: &Context) -> Vec<Need> {
        vec![row(TableName::WalkRequest, self.id)]
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        let client_id = ctx.client_id()?;
        let current = request(business, self.id).filter(|it| it.client_id == client_id);
        match current.ok_or(Refusal::Gone)?.status {
            RequestStatus::Pending => Ok(removal(TableName::WalkRequest, self.id).into()),
            status => Err(Refusal::AlreadyAnswered { status }),
        }
    }

    fn about(&self) -> About {
        About::row("Request", Effect::Removes, TableName::WalkRequest, self.id)
    }

    fn may(&self, actor: Actor) -> bool {
        matches!(actor, Actor::Client(_))
    }
}

/// Returns the errors of how a visit repeats. The series that is made of the request has the request's id.
fn check_repeats(repeats: &Repeats, first: &Service, business: &Business) -> Result<(), Refusal> {
    if business.series.contains_key(&first.id) {
        return Err(Refusal::Taken);
    }
    let Repeats { rule, last_day } = repeats;
    let mut errors = FieldErrors::default();
    errors.check(
        first.end_date.is_some(),
        "requested_end_date",
        "A stay cannot repeat",
    );
    if let Some(text) = rule_error(rule) {
        errors.add("rule", text);
    }
    errors.check(
        last_day.is_some_and(|it| it < first.date),
        "last_day",
        "The last day cannot be before the first",
    );
    if errors.0.is_empty() {
        let last = last_day.unwrap_or(first.date.plus_days(SERIES_WITHIN_DAYS));
        let next = rule.next_date(first.date, first.date);
        errors.check(
            next.is_none_or(|it| last < it),
            "last_day",
            "It does not repeat before this day. Please choose a later one",
        );
    }
    Ok(errors.or(())?)
}

/// Days ahead within which the first visit of a series that is asked for has to be.
const SERIES_WITHIN_DAYS: i64 = 366;

/// A request's fields by the names that a service has for them.
const NAMES: [(&str, &str); 9] = [
    ("requested_date", "date"),
    ("requested_start_time", "start_time"),
    ("requested_duration_minutes", "duration_minutes"),
    ("service_type", "service_type"),
    ("dog_ids", "dog_ids"),
    ("message", "notes"),
    ("offering_id", "offering_id"),
    ("requested_end_date", "end_date"),
    ("requested_departure_time", "departure_time"),
];

/// The service that is asked for, as a schedule form would say it; nothing else of a service is a client's to say.
fn asked(request: &Patch, client_id: Id) -> Patch {
    let mut service = Patch::of("client_id", client_id.to_string());
    for (name, of_service) in NAMES {
        if let Some(value) = request.0.get(name) {
            service.0.insert(of_service.to_owned(), value.clone());
        }
    }
    service
}

/// The offering that a patch of a service names.
fn offering_in<'a>(patch: &Patch, business: &'a Business) -> Option<Option<&'a Offering>> {
    let named = patch.0.get("offering_id").filter(|it| !it.is_null())?;
    let id = named.as_str().and_then(|it| it.parse::<Id>().ok());
    Some(
        id.and_then(|it| business.offerings.get(&it))
            .map(|it| &it.row),
    )
}

/// Returns true if what is asked for lasts for days, so that no open time of a day says whether it is free.
fn is_stay(patch: &Patch, business: &Business) -> bool {
    let offering = offering_in(patch, business).flatten();
    offering.is_some_and(|it| it.pricing_type == PricingType::Daily)
}

/// Refuses an offering that no client may choose any more.
fn check_offering(patch: &Patch, business: &Business) -> Result<(), Refusal> {
    let is_sold = offering_in(patch, business).is_none_or(|it| it.is_some_and(|it| it.is_active));
    let mut errors = FieldErrors::default();
    errors.check(!is_sold, "offering_id", NOT_SOLD);
    Ok(errors.or(())?)
}

/// Error of an offering that was deleted or is not active.
const NOT_SOLD: &str = "This can no longer be booked. Please choose something else";

/// Renames the fields in errors about a service to the fields of the request that it was made from.
fn in_words_of_request(refusal: Refusal) -> Refusal {
    let Refusal::Invalid { mut fields } = refusal else {
        return refusal;
    };
    for error in &mut fields {
        if let Some((name, _)) = NAMES.iter().find(|it| it.1 == error.field) {
            (*name).clone_into(&mut error.field);
        }
    }
    Refusal::Invalid { fields }
}

pub(super) fn requests_of(
    business: &Business,
    client_id: Id,
) -> impl Iterator<Item = &WalkRequest> {
    let requests = business.requests.values().map(|it| &it.row);
    requests.filter(move |it| it.client_id == client_id)
}

/// How many of a client's requests wait for an answer; what was asked for a day that is over waits no more.
pub(super) fn n_waiting(business: &Business, client_id: Id, today: Date) -> usize {
    let waiting = requests_of(business, client_id)
        .filter(|it| it.status == RequestStatus::Pending && it.requested_date >= today);
    waiting.count()
}

/// How many requests of a client are kept.
pub(super) fn count_of(business: &Business, client_id: Id) -> usize {
    let known = requests_of(business, client_id).count();
    business.count(TableName::WalkRequest, known)
}

/// Has a client's oldest request whose day is over make room for one more, where it must. What came of it is in the
/// schedule.
pub(super) fn room(
    business: &Business,
    client_id: Id,
    today: Date,
) -> Result<Option<Change>, Refusal> {
    let count = count_of(business, client_id);
    let over = requests_of(business, client_id).filter(|it| it.requested_date < today);
    let oldest = over.min_by_key(|it| (it.requested_date, it.id));
    if oldest.is_none() {
        check_room("requests", count, bounds::REQUESTS)?;
    }
    let oldest = oldest.filter(|_| bounds::REQUESTS <= count);
    Ok(oldest.map(|it| removal(TableName::WalkRequest, it.id)))
}

pub(super) fn request(business: &Business, id: Id) -> Option<&WalkRequest> {
    business.requests.get(&id).map(|it| &it.row)
}

fn put(request: WalkRequest) -> Change {
    request.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Now;
    use crate::commands::decide;
    use crate::commands::decision::Adjustment;
    use crate::commands::series::tests::loaded;
    use crate::rows::offering::StayUnit;
    use crate::rows::pattern::Pattern;
    use crate::rows::pet::{Pet, PetType};
    use crate::rows::service::ServiceType;
    use crate::rows::sitter::Sitter;
    use crate::rows::subscription::Subscription;
    use crate::rules::request::fitting_pets;
    use crate::values::zone::TimeZone;
    use crate::{Command, Instant, Row};
    use serde_json::json;

    const SAM: Id = Id::of(1);
    const REX: Id = Id::of(2);
    /// 9:00 UTC on 2026-11-20, in milliseconds since 1970.
    const NOW: Instant = Instant(1_795_165_200_000);

    const REQUEST: Id = Id::of(3);
    const SERVICE: Id = Id::of(4);

    /// A business in which Sam's request was approved a moment ago, and `change` has become of the service since.
    fn approved(change: fn(&mut Service)) -> Business {
        let mut business = Business::default();
        business.put(1, Row::Client(Client::new(SAM, NOW)));
        business.put(1, Row::Pet(Pet::new(REX, SAM)));
        let asked = WalkRequest {
            requested_date: "2026-11-24".parse().unwrap(),
            dog_ids: vec![REX],
            ..WalkRequest::new(REQUEST, SAM, NOW)
        };
        business.put(1, Row::WalkRequest(asked));
        let approve = json!({ "id": REQUEST, "service_id": SERVICE, "sitter_response": "Gladly" });
        let done = decide(&read("approve_request", approve), &business, &sitter()).unwrap();
        business.apply(2, &done.changes);
        let mut service = business.service(SERVICE).unwrap().clone();
        change(&mut service);
        business.put(2, Row::Service(service));
        business
    }

    fn read(name: &str, args: serde_json::Value) -> Command {
        serde_json::from_value(json!({ "name": name, "args": args })).unwrap()
    }

    fn sitter() -> Context {
        Context::at(Now {
            at: NOW,
            zone: TimeZone::UTC,
        })
    }

    fn undone(business: &Business) -> Result<Decision, Refusal> {
        undone_after(0, business)
    }

    fn undone_after(minutes: i64, business: &Business) -> Result<Decision, Refusal> {
        let undo = json!({ "id": REQUEST, "service_id": SERVICE });
        let later = Context::at(Now {
            at: Instant(NOW.0 + minutes * MS_PER_MINUTE),
            zone: TimeZone::UTC,
        });
        decide(&read("undo_approval", undo), business, &later)
    }

    #[test]
    fn an_approval_that_is_undone_waits_again_as_if_nobody_had_answered() {
        let mut business = approved(|_| {});
        let decision = undone(&business).unwrap();
        assert_eq!(removed(&decision), [SERVICE]);
        business.apply(3, &decision.changes);
        let waits = request(&business, REQUEST).unwrap();
        assert_eq!(waits.status, RequestStatus::Pending);
        assert_eq!(
            (
                waits.sitter_response.as_str(),
                waits.scheduled_service_id,
                waits.answered_at
            ),
            ("", None, None)
        );
        assert_eq!(business.service(SERVICE), None);
        // A repeat changes nothing.
        assert!(undone(&business).unwrap().changes.is_empty());
    }

    #[test]
    fn a_client_whom_an_approval_made_active_is_inactive_again_unless_more_was_booked_since() {
        let since: Date = "2026-10-01".parse().unwrap();
        let inactive_after = |inactive_since: Option<Date>, other: Option<Service>| {
            let mut business = approved(|_| {});
            other
                .into_iter()
                .for_each(|it| business.put(3, Row::Service(it)));
            let undo = Command::UndoApproval(UndoApproval {
                inactive_since,
                ..UndoApproval::new(REQUEST, SERVICE)
            });
            let decision = decide(&undo, &business, &sitter()).unwrap();
            business.apply(4, &decision.changes);
            business.client(SAM).unwrap().inactive_since
        };
        let booked = |at: i64, status| Service {
            client_id: SAM,
            date: "2026-11-25".parse().unwrap(),
            status,
            ..Service::new(Id::of(77), Instant(NOW.0 + at))
        };
        assert_eq!(inactive_after(Some(since), None), Some(since));
        assert_eq!(inactive_after(None, None), None);
        let later = booked(1, ServiceStatus::Scheduled);
        assert_eq!(inactive_after(Some(since), Some(later)), None);
        // Visits of before were kept when the client was made inactive.
        let earlier = booked(-1, ServiceStatus::Scheduled);
        assert_eq!(inactive_after(Some(since), Some(earlier)), Some(since));
        let cancelled = booked(1, ServiceStatus::Cancelled);
        assert_eq!(inactive_after(Some(since), Some(cancelled)), Some(since));
    }

    #[test]
    fn an_approval_of_long_ago_stays() {
        let business = approved(|_| {});
        assert!(undone_after(REOPEN_MINUTES, &business).is_ok());
        let refusal = undone_after(REOPEN_MINUTES + 1, &business).unwrap_err();
        assert_eq!(refusal.to_string(), "This request was already approved.");
    }

    #[test]
    fn an_approval_stays_once_something_has_become_of_its_service() {
        let changes: [fn(&mut Service); 4] = [
            |it| it.client_id = Id::of(88),
            |it| it.status = ServiceStatus::Completed,
            |it| it.invoice_id = Some(Id::of(9)),
            |it| it.paid = true,
        ];
        for change in changes {
            let refusal = undone(&approved(change)).unwrap_err();
            assert_eq!(refusal.to_string(), "This request was already approved.");
        }
        let mut business = approved(|_| {});
        let declined = WalkRequest {
            status: RequestStatus::Declined,
            ..request(&business, REQUEST).unwrap().clone()
        };
        business.put(3, Row::WalkRequest(declined));
        let refusal = undone(&business).unwrap_err();
        assert_eq!(refusal.to_string(), "This request was already declined.");
    }

    /// Sam asks for a walk where so many requests for these days were answered.
    fn ask(answered: &[(usize, &str)]) -> Result<Decision, Refusal> {
        let mut business = Business::default();
        let client = Client::new(SAM, NOW);
        business.put(1, Row::Client(client));
        business.put(1, Row::Pet(Pet::new(REX, SAM)));
        let days = answered.iter().flat_map(|(n, day)| vec![*day; *n]);
        for (n, day) in days.enumerate() {
            let id = Id::of(1_000 + n as u128);
            business.put(
                1,
                Row::WalkRequest(WalkRequest {
                    status: RequestStatus::Declined,
                    requested_date: day.parse().unwrap(),
                    ..WalkRequest::new(id, SAM, NOW)
                }),
            );
        }
        let request = json!({ "requested_date": "2026-11-24", "requested_start_time": "10:00",
            "requested_duration_minutes": 30, "service_type": "walk", "dog_ids": [REX] });
        let ask = Command::AskForService(AskForService {
            id: Id::of(3),
            request: serde_json::from_value(request).unwrap(),
            quoted_price: None,
            repeats: None,
            group_id: None,
            is_wish: false,
        });
        let now = Now {
            at: NOW,
            zone: TimeZone::UTC,
        };
        let ctx = Context {
            actor: Actor::Client(SAM),
            ..Context::at(now)
        };
        crate::commands::decide(&ask, &business, &ctx)
    }

    fn removed(decision: &Decision) -> Vec<Id> {
        let changes = decision.changes.iter();
        changes
            .filter_map(|it| match it {
                Change::Delete(key) => Some(key.id),
                Change::Put(_) => None,
            })
            .collect()
    }

    #[test]
    fn the_oldest_request_that_is_over_makes_room_for_one_more() {
        let most = bounds::REQUESTS;
        let decision = ask(&[(most - 1, "2026-11-01")]).unwrap();
        assert_eq!(removed(&decision), []);
        let decision = ask(&[(most - 1, "2026-11-02"), (1, "2026-11-01")]).unwrap();
        assert_eq!(removed(&decision), [Id::of(1_000 + most as u128 - 1)]);
        assert_eq!(decision.changes.len(), 2);
    }

    #[test]
    fn where_nothing_is_over_too_many_requests_are_refused() {
        let refusal = ask(&[(bounds::REQUESTS, "2026-11-20")]).unwrap_err();
        assert_eq!(refusal.to_string(), "Requests cannot exceed 2,000");
    }

    #[test]
    fn requests_whose_day_is_over_take_no_room_of_those_that_wait() {
        let today: Date = "2026-11-20".parse().unwrap();
        let mut business = Business::default();
        let mut put = |number, client, day, status| {
            let request = WalkRequest {
                status,
                requested_date: today.plus_days(day),
                ..WalkRequest::new(Id::of(number), Id::of(client), Instant(0))
            };
            business.put(1, Row::WalkRequest(request));
        };
        put(11, 1, -1, RequestStatus::Pending);
        put(12, 1, 0, RequestStatus::Pending);
        put(13, 1, 3, RequestStatus::Pending);
        put(14, 1, 3, RequestStatus::Declined);
        put(15, 2, 3, RequestStatus::Pending);
        assert_eq!(n_waiting(&business, Id::of(1), today), 2);
    }

    /// Approves Sam's request, which was asked at $25 and comes to $60 by now.
    fn approve(price: Option<Cents>) -> (Service, Vec<Adjustment>) {
        let mut business = Business::default();
        let mut client = Client::new(SAM, NOW);
        client.walk_rate_30min = Cents(60_00);
        business.put(1, Row::Client(client));
        business.put(1, Row::Pet(Pet::new(REX, SAM)));
        let request = WalkRequest {
            requested_date: "2026-11-24".parse().unwrap(),
            dog_ids: vec![REX],
            estimated_price: Cents(25_00),
            ..WalkRequest::new(Id::of(3), SAM, NOW)
        };
        business.put(1, Row::WalkRequest(request));
        let command = Command::ApproveRequest(ApproveRequest {
            id: Id::of(3),
            service_id: Id::of(4),
            sitter_response: String::new(),
            start_time: None,
            overlap_ok: false,
            price,
        });
        let now = Now {
            at: NOW,
            zone: TimeZone::UTC,
        };
        let decision = decide(&command, &business, &Context::at(now)).unwrap();
        let service = decision.changes.iter().find_map(|it| match it {
            Change::Put(Row::Service(it)) => Some(it.clone()),
            _ => None,
        });
        (service.unwrap(), decision.adjustments)
    }

    #[test]
    fn a_walk_is_asked_for_with_dogs_alone_and_a_drop_in_with_any_pet() {
        let cat = Pet {
            pet_type: PetType::Cat,
            ..Pet::new(Id::of(8), SAM)
        };
        let mut business = Business::default();
        business.put(1, Row::Client(Client::new(SAM, NOW)));
        business.put(1, Row::Pet(Pet::new(REX, SAM)));
        business.put(1, Row::Pet(cat));
        let ask = |service_type: &str| {
            let request = json!({ "requested_date": "2026-11-24", "requested_start_time": "10:00",
                "requested_duration_minutes": 30, "service_type": service_type, "dog_ids": [REX, Id::of(8)] });
            let ask = read(
                "ask_for_service",
                json!({ "id": REQUEST, "request": request }),
            );
            let ctx = Context {
                actor: Actor::Client(SAM),
                ..sitter()
            };
            decide(&ask, &business, &ctx)
        };
        assert!(ask("dropin").is_ok());
        let refusal = ask("walk").unwrap_err();
        assert_eq!(refusal.to_string(), ONLY_DOGS);
        let fitting = |it| fitting_pets(&business, SAM, it, None);
        assert_eq!(fitting(ServiceType::Walk), [REX]);
        assert_eq!(fitting(ServiceType::Dropin), [REX, Id::of(8)]);
    }

    #[test]
    fn a_time_that_is_not_offered_is_asked_for_as_a_wish_up_to_the_last_day() {
        let mut business = Business::default();
        business.put(1, Row::Client(Client::new(SAM, NOW)));
        business.put(1, Row::Pet(Pet::new(REX, SAM)));
        // Tuesdays from 9 to 17, up to Dec 4.
        business.put(
            1,
            Row::Pattern(Pattern {
                day_of_week: 2,
                max_advance_days: 14,
                ..Pattern::new(Id::of(9))
            }),
        );
        let ask = |date: &str, start: &str, is_wish: bool| {
            let request = json!({ "requested_date": date, "requested_start_time": start,
                "requested_duration_minutes": 30, "service_type": "walk", "dog_ids": [REX] });
            let args = json!({ "id": REQUEST, "request": request, "group_id": Id::of(70), "is_wish": is_wish });
            let ctx = Context {
                actor: Actor::Client(SAM),
                ..sitter()
            };
            let decision = decide(&read("ask_for_service", args), &business, &ctx)?;
            let [Change::Put(Row::WalkRequest(asked))] = &decision.changes[..] else {
                panic!("{:?}", decision.changes);
            };
            assert_eq!(asked.group_id, Some(Id::of(70)));
            Ok::<bool, Refusal>(asked.is_wish)
        };
        assert_eq!(ask("2026-11-24", "10:00", false), Ok(false));
        assert_eq!(ask("2026-11-24", "20:00", true), Ok(true));
        // A time that is offered after all is no wish.
        assert_eq!(ask("2026-11-24", "10:00", true), Ok(false));
        let code = |date, start, is_wish| ask(date, start, is_wish).unwrap_err().code();
        assert_eq!(code("2026-11-24", "20:00", false), "outside_hours");
        assert_eq!(code("2026-12-08", "20:00", true), "too_far");
        assert_eq!(code("2026-11-20", "08:00", true), "too_soon");
    }

    /// Asks for a stay from Tuesday to Thursday at an offering that is sold by the night.
    fn ask_for_stay(is_active: bool, repeats: Option<Repeats>) -> Result<Decision, Refusal> {
        let offering = Offering {
            name: "Overnight Stay".to_owned(),
            base_price: Cents(75_00),
            pricing_type: PricingType::Daily,
            stay_unit: Some(StayUnit::Nights),
            is_active,
            ..Offering::new(Id::of(30), NOW)
        };
        let mut business = Business::default();
        business.put(1, Row::Client(Client::new(SAM, NOW)));
        business.put(1, Row::Pet(Pet::new(REX, SAM)));
        business.put(1, Row::Offering(offering));
        let request = json!({ "requested_date": "2026-11-24", "requested_start_time": "17:00",
            "dog_ids": [REX], "offering_id": Id::of(30), "requested_end_date": "2026-11-26",
            "requested_departure_time": "10:00" });
        let command = AskForService {
            id: Id::of(5),
            request: serde_json::from_value(request).unwrap(),
            quoted_price: None,
            repeats,
            group_id: None,
            is_wish: false,
        };
        let ctx = Context {
            actor: Actor::Client(SAM),
            ..Context::at(Now {
                at: NOW,
                zone: TimeZone::UTC,
            })
        };
        command.decide(&business, &ctx)
    }

    #[test]
    fn a_stay_is_asked_for_with_its_days_at_the_price_of_its_nights() {
        let decision = ask_for_stay(true, None).unwrap();
        let [Change::Put(Row::WalkRequest(request))] = &decision.changes[..] else {
            panic!("{:?}", decision.changes);
        };
        assert_eq!(request.offering_id, Some(Id::of(30)));
        assert_eq!(request.requested_end_date, "2026-11-26".parse().ok());
        assert_eq!(request.requested_departure_time, Some(Time::hour(10)));
        assert_eq!(request.estimated_price, Cents(15_000));
    }

    #[test]
    fn approving_a_stay_needs_its_offering_and_then_the_other_stays_of_its_days() {
        let mut business = Business::default();
        let request = WalkRequest {
            requested_date: "2026-11-24".parse().unwrap(),
            requested_end_date: "2026-11-26".parse().ok(),
            offering_id: Some(Id::of(30)),
            dog_ids: vec![REX],
            ..WalkRequest::new(Id::of(5), SAM, NOW)
        };
        let days = Need::StaysBetween(request.requested_date, "2026-11-26".parse().unwrap());
        business.put(1, Row::WalkRequest(request));
        let command = ApproveRequest {
            id: Id::of(5),
            service_id: Id::of(6),
            sitter_response: String::new(),
            start_time: None,
            overlap_ok: false,
            price: None,
        };
        let ctx = Context::at(Now {
            at: NOW,
            zone: TimeZone::UTC,
        });
        let needs = command.needs(&business, &ctx);
        assert!(
            needs.contains(&row(TableName::Offering, Id::of(30))),
            "{needs:?}"
        );
        let offering = Offering {
            pricing_type: PricingType::Daily,
            ..Offering::new(Id::of(30), NOW)
        };
        business.put(1, Row::Offering(offering));
        let needs = command.needs(&business, &ctx);
        assert!(needs.contains(&days), "{needs:?}");
    }

    #[test]
    fn what_is_not_sold_any_more_cannot_be_asked_for_and_no_stay_repeats() {
        let fields = |refused: Result<Decision, Refusal>| {
            let Err(Refusal::Invalid { fields }) = refused else {
                panic!("{refused:?}");
            };
            fields.into_iter().map(|it| it.field).collect::<Vec<_>>()
        };
        assert_eq!(fields(ask_for_stay(false, None)), ["offering_id"]);
        let weekly = json!({ "rule": { "kind": "weekly", "every": 1, "weekdays": [2] } });
        let weekly = serde_json::from_value(weekly).unwrap();
        assert_eq!(
            fields(ask_for_stay(true, Some(weekly))),
            ["requested_end_date"]
        );
    }

    #[test]
    fn an_approved_service_has_the_price_that_the_sitter_chose_and_nothing_is_left_to_tell() {
        let (service, told) = approve(Some(Cents(25_00)));
        assert_eq!((service.price, told), (Cents(25_00), Vec::new()));
        assert_eq!(service.price_override.unwrap().amount, Cents(25_00));
        let (service, told) = approve(Some(Cents(60_00)));
        assert_eq!((service.price, told), (Cents(60_00), Vec::new()));
        assert_eq!(service.price_override, None);
        // Saved by a phone that showed one price alone.
        let (service, told) = approve(None);
        assert_eq!((service.price, told.len()), (Cents(60_00), 1));
    }

    /// Sam, who books open times without asking, asks for a walk on a Tuesday, on which the sitter walks from 9 to 17, at
    /// the price that was seen. It is decided on the rows alone that a server loads.
    fn book(
        change: impl FnOnce(&mut Business, &mut serde_json::Value),
    ) -> (WalkRequest, Option<Service>) {
        let mut business = Business::default();
        let client = Client {
            books_at_once: true,
            walk_rate_30min: Cents(25_00),
            ..Client::new(SAM, NOW)
        };
        business.put(1, Row::Client(client));
        business.put(1, Row::Pet(Pet::new(REX, SAM)));
        let tuesdays = Pattern {
            day_of_week: 2,
            max_advance_days: 14,
            ..Pattern::new(Id::of(9))
        };
        business.put(1, Row::Pattern(tuesdays));
        let request = json!({ "requested_date": "2026-11-24", "requested_start_time": "10:00",
            "requested_duration_minutes": 30, "service_type": "walk", "dog_ids": [REX] });
        let mut args = json!({ "id": REQUEST, "request": request, "quoted_price": 25 });
        change(&mut business, &mut args);
        let command = read("ask_for_service", args);
        let ctx = Context {
            actor: Actor::Client(SAM),
            ..sitter()
        };
        let known = loaded(&command, &business, &ctx);
        let decision = decide(&command, &known, &ctx).unwrap();
        business.apply(2, &decision.changes);
        let request = request_of(&business);
        let service = request.scheduled_service_id;
        (
            request,
            service.map(|it| business.service(it).unwrap().clone()),
        )
    }

    fn request_of(business: &Business) -> WalkRequest {
        request(business, REQUEST).unwrap().clone()
    }

    fn with_client(business: &mut Business, change: fn(&mut Client)) {
        let mut client = business.client(SAM).unwrap().clone();
        change(&mut client);
        business.put(1, Row::Client(client));
    }

    #[test]
    fn a_client_who_books_without_asking_has_an_open_time_at_once() {
        let (request, service) = book(|_, _| {});
        let service = service.unwrap();
        assert_eq!(
            (request.status, request.booked_at_once),
            (RequestStatus::Approved, true)
        );
        assert_eq!((service.id, service.price), (REQUEST, Cents(25_00)));
        assert_eq!(service.status, ServiceStatus::Scheduled);
        assert!(!service.overlap_ok);
    }

    #[test]
    fn other_requests_of_a_trusted_client_wait_for_the_sitter() {
        let at_ten = |business: &mut Business| {
            let other = Service {
                client_id: Id::of(50),
                date: "2026-11-24".parse().unwrap(),
                start_time: Time::hour(10),
                ..Service::new(Id::of(51), NOW)
            };
            business.put(1, Row::Service(other));
        };
        type Change = fn(&mut Business, &mut serde_json::Value);
        let changes: [(&str, Change, bool); 10] = [
            (
                "eight hours at the price of one",
                |_, args| {
                    args["request"]["requested_start_time"] = json!("09:00");
                    args["request"]["requested_duration_minutes"] = json!(480);
                    args["quoted_price"] = json!(30);
                },
                false,
            ),
            (
                "not trusted",
                |it, _| with_client(it, |it| it.books_at_once = false),
                false,
            ),
            (
                "inactive",
                |it, _| with_client(it, |it| it.inactive_since = Some(Date::default())),
                false,
            ),
            (
                "asked as a wish",
                |_, args| args["is_wish"] = json!(true),
                false,
            ),
            (
                "another price",
                |_, args| args["quoted_price"] = json!(20),
                false,
            ),
            (
                "another price without a pet that is gone",
                |business, args| {
                    let gone = Pet {
                        gone_on: Some(Date::default()),
                        ..Pet::new(Id::of(3), SAM)
                    };
                    business.put(1, Row::Pet(gone));
                    args["request"]["dog_ids"] = json!([REX, Id::of(3)]);
                    args["quoted_price"] = json!(37.5);
                },
                false,
            ),
            (
                "no price was seen",
                |_, args| args["quoted_price"] = json!(null),
                false,
            ),
            (
                "at a fixed price, for any length",
                |business, args| {
                    let offering = Offering {
                        base_price: Cents(25_00),
                        is_active: true,
                        ..Offering::new(Id::of(70), NOW)
                    };
                    business.put(1, Row::Offering(offering));
                    args["request"]["offering_id"] = json!(Id::of(70));
                },
                false,
            ),
            (
                "repeats",
                |_, args| {
                    args["repeats"] =
                        json!({ "rule": { "kind": "weekly", "every": 1, "weekdays": [2] } });
                },
                false,
            ),
            (
                "outside of the hours",
                |_, args| args["request"]["requested_start_time"] = json!("20:00"),
                true,
            ),
        ];
        let waits = |(request, service): (WalkRequest, Option<Service>)| {
            assert_eq!(
                (request.status, request.booked_at_once),
                (RequestStatus::Pending, false)
            );
            assert_eq!(service, None);
            request.is_wish
        };
        for (why, change, is_wish) in changes {
            assert_eq!(waits(book(change)), is_wish, "{why}");
        }
        assert!(waits(book(|business, _| at_ten(business))), "taken");
    }

    #[test]
    fn a_trusted_client_books_no_more_than_the_plan_has_room_for() {
        let of_month = |n: u128| {
            book(|business, _| {
                let sitter = Sitter {
                    subscription: Some(Subscription::free()),
                    ..Sitter::new(Id::of(60), String::new(), String::new(), String::new(), NOW)
                };
                business.put(1, Row::Sitter(sitter));
                for n in 0..n {
                    let other = Service {
                        client_id: Id::of(50),
                        date: "2026-11-30".parse().unwrap(),
                        ..Service::new(Id::of(1_000 + n), NOW)
                    };
                    business.put(1, Row::Service(other));
                }
            })
            .0
            .status
        };
        assert_eq!(of_month(29), RequestStatus::Approved);
        assert_eq!(of_month(30), RequestStatus::Pending);
    }

    #[test]
    fn a_phone_shows_what_will_be_booked_as_waiting() {
        let mut business = Business::default();
        business.put(
            1,
            Row::Client(Client {
                books_at_once: true,
                ..Client::new(SAM, NOW)
            }),
        );
        business.put(1, Row::Pet(Pet::new(REX, SAM)));
        let request = json!({ "requested_date": "2026-11-24", "requested_start_time": "10:00",
            "requested_duration_minutes": 30, "service_type": "walk", "dog_ids": [REX] });
        let ask = read(
            "ask_for_service",
            json!({ "id": REQUEST, "request": request }),
        );
        let ctx = Context {
            actor: Actor::Client(SAM),
            is_shown: true,
            ..sitter()
        };
        let shown = decide(&ask, &business, &ctx).unwrap();
        business.apply(2, &shown.changes);
        let request = request_of(&business);
        assert_eq!(
            (request.status, request.is_wish),
            (RequestStatus::Pending, false)
        );
        assert_eq!(business.service(REQUEST), None);
    }

    #[test]
    fn a_booking_without_asking_that_is_undone_is_a_request_like_others() {
        let mut business = approved(|_| {});
        let booked = WalkRequest {
            booked_at_once: true,
            ..request_of(&business)
        };
        business.put(1, Row::WalkRequest(booked));
        let decision = undone(&business).unwrap();
        business.apply(3, &decision.changes);
        let request = request_of(&business);
        assert_eq!(
            (request.status, request.booked_at_once),
            (RequestStatus::Pending, false)
        );
    }
}
