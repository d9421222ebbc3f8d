//! Owns what the commands about walk requests do: a pet parent asks and withdraws, a sitter approves and declines (SPEC 4).

use serde::Serialize;

use crate::commands::decision::{
    About, Actor, Context, Decision, Effect, Intent, Need, removal, row,
};
use crate::commands::service::{ScheduleService, needs_of_patch, new_service, other_price};
use crate::rows::row::{Change, RowKey, TableName};
use crate::rows::service::Service;
use crate::rows::walk_request::{RequestStatus, WalkRequest};
use crate::rules::conflict::{self, ConflictRequest};
use crate::rules::request::{SORRY, asked_service};
use crate::rules::slots::open_slots;
use crate::values::bounds::{self, check_room};
use crate::values::json::read_by_field;
use crate::values::patch::Patch;
use crate::{Business, Cents, Id, Now, Refusal, Time};

/// Approves a request: a service is made of it and linked, if nothing is in its way at that moment.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ApproveRequest {
    /// Of the request.
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
}

read_by_field!(ApproveRequest { id, service_id } or default { sitter_response, start_time, overlap_ok });

impl Intent for ApproveRequest {
    fn needs(&self, business: &Business, ctx: &Context) -> Vec<Need> {
        let mut needs = vec![row(TableName::WalkRequest, self.id)];
        if let Some(request) = request(business, self.id) {
            needs.extend(self.schedule(request).needs(business, ctx));
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
        let mut decision = self.schedule(current).decide(business, ctx)?;
        decision.changes.push(put(WalkRequest {
            status: RequestStatus::Approved,
            sitter_response: self.sitter_response.trim().to_owned(),
            scheduled_service_id: Some(self.service_id),
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

impl ApproveRequest {
    /// What makes the service: what was asked for is scheduled like anything else.
    fn schedule(&self, request: &WalkRequest) -> ScheduleService {
        let mut service = asked_service(request, self.service_id);
        service.start_time = self.start_time.unwrap_or(service.start_time);
        ScheduleService {
            id: self.service_id,
            service: Patch::from_row(&service),
            overlap_ok: self.overlap_ok,
            quoted_price: Some(request.estimated_price),
        }
    }
}

/// Declines a request; a repeat changes nothing.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeclineRequest {
    /// Of the request.
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

    fn decide(&self, business: &Business, _: &Context) -> Result<Decision, Refusal> {
        let current = request(business, self.id).ok_or(Refusal::Gone)?;
        let said = match self.sitter_response.trim() {
            "" => SORRY,
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
            ..current.clone()
        })
        .into())
    }

    fn about(&self) -> About {
        About::row("Request", Effect::Marks, TableName::WalkRequest, self.id)
    }
}

/// Asks for a walk or a drop-in, as a pet parent.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AskForService {
    /// The new request's id.
    pub id: Id,
    /// What is asked for.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<WalkRequest>"))]
    pub request: Patch,
    /// The price that the person saw; another one is reported and not refused.
    #[serde(default)]
    pub quoted_price: Option<Cents>,
}

read_by_field!(AskForService { id, request } or default { quoted_price });

impl Intent for AskForService {
    fn needs(&self, _: &Business, ctx: &Context) -> Vec<Need> {
        let Actor::Client(client_id) = ctx.actor else {
            return Vec::new();
        };
        let mut needs = vec![
            row(TableName::WalkRequest, self.id),
            Need::RequestsOf(client_id),
            Need::Table(TableName::AvailabilityConfig),
        ];
        needs.extend(needs_of_patch(&asked(&self.request, client_id)));
        needs
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        let client_id = ctx.client_id()?;
        if request(business, self.id).is_some() {
            return Err(Refusal::Taken);
        }
        let patch = asked(&self.request, client_id);
        let service = new_service(self.id, &patch, business, ctx).map_err(in_words_of_request)?;
        let requests = business.requests.values().map(|it| &it.row);
        let waiting = requests
            .filter(|it| it.client_id == client_id && it.status == RequestStatus::Pending)
            .count();
        if !ctx.is_shown {
            check_room("requests", waiting, bounds::PENDING_REQUESTS)?;
            check_open(business, &service, &ctx.now)?;
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
            ..WalkRequest::new(self.id, client_id, ctx.acted_at())
        };
        Ok(Decision {
            adjustments,
            ..put(request).into()
        })
    }

    fn about(&self) -> About {
        About::row("Request", Effect::Makes, TableName::WalkRequest, self.id)
    }

    fn may(&self, actor: Actor) -> bool {
        matches!(actor, Actor::Client(_))
    }
}

/// Takes back what was asked for and is not answered.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WithdrawRequest {
    /// Of the request.
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

/// A request's fields by the names that a service has for them.
const NAMES: [(&str, &str); 6] = [
    ("requested_date", "date"),
    ("requested_start_time", "start_time"),
    ("requested_duration_minutes", "duration_minutes"),
    ("service_type", "service_type"),
    ("dog_ids", "dog_ids"),
    ("message", "notes"),
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

/// What is wrong with the service, said of the request's fields.
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

/// Refuses a time that the sitter does not offer. What is in its way is not for others to know; a phone that knows no
/// hours lets the server say so.
fn check_open(business: &Business, service: &Service, now: &Now) -> Result<(), Refusal> {
    let (is_open, free) = if business.patterns.is_empty() {
        let answer = conflict::check(business, &ConflictRequest::of(service), now);
        (!answer.conflict, answer.free)
    } else {
        let length = service.duration_minutes;
        let slots = open_slots(business, service.date, service.service_type, length, now);
        let starts: Vec<Time> = slots.iter().map(|it| it.start_time).collect();
        (starts.contains(&service.start_time), starts)
    };
    match is_open {
        true => Ok(()),
        false => Err(Refusal::Conflict {
            with: Vec::new(),
            free,
        }),
    }
}

fn request(business: &Business, id: Id) -> Option<&WalkRequest> {
    business.requests.get(&id).map(|it| &it.row)
}

fn put(request: WalkRequest) -> Change {
    request.into()
}
