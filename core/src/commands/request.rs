//! Owns what the commands about walk requests do: a sitter approves or declines them (SPEC 4).

use serde::Serialize;

use crate::commands::decision::{About, Context, Decision, Effect, Intent, Need, row};
use crate::commands::service::ScheduleService;
use crate::rows::row::{Change, RowKey, TableName};
use crate::rows::walk_request::{RequestStatus, WalkRequest};
use crate::rules::request::{SORRY, asked_service};
use crate::values::json::read_by_field;
use crate::values::patch::Patch;
use crate::{Business, Id, Refusal, Time};

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

fn request(business: &Business, id: Id) -> Option<&WalkRequest> {
    business.requests.get(&id).map(|it| &it.row)
}

fn put(request: WalkRequest) -> Change {
    request.into()
}
