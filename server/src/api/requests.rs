//! Walk requests: what pet parents ask for, and the sitter's answers.

use std::collections::{HashMap, HashSet};

use axum::extract::State;
use axum::http::Method;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::json;
use walkies_core::commands::{
    ApproveRequest, ApproveRequests, DeclineRequest, GrantRequest, UndoApproval,
};
use walkies_core::rows::client::Client;
use walkies_core::rows::pet::Pet;
use walkies_core::rows::walk_request::{RequestStatus, WalkRequest};
use walkies_core::rules::request::status_of;
use walkies_core::values::bounds::REQUESTS;
use walkies_core::values::field::{date, plain};
use walkies_core::{Command, Id, Versioned};

use super::services::many;
use super::{command, list_of, revised};
use crate::app::session::SitterUser;
use crate::app::state::AppState;
use crate::base::error::AppError;
use crate::base::page::Page;
use crate::db::{self, RequestFilter};
use crate::http::extract::QueryParams;
use crate::http::form::Form;
use crate::http::route::{Access, Route, get};
use crate::write::answer::ok_page_as;

/// How many requests a list gives at once: as many as are kept of one client.
pub(super) const MOST_REQUESTS: u64 = REQUESTS as u64;

pub(super) fn routes() -> Vec<Route> {
    vec![
        get(
            "/sitter/requests",
            Access::Sitter,
            "What pet parents ask for, the newest first",
            list_requests,
        )
        .query("status", "pending, approved, declined or completed")
        .page_of(|it| {
            let requests = list_of(it.of::<RequestAnswer>());
            json!({ "type": "object", "properties": { "requests": requests } })
        }),
        command(
            Method::POST,
            "/sitter/requests/{id}/approve",
            "Approves a request: a service is scheduled and linked",
            approve,
        )
        .body_of(|_| {
            let id = json!({ "type": "string", "format": "uuid" });
            let properties = json!({
                "create_scheduled_service": { "type": "boolean", "enum": [true] },
                "sitter_response": { "type": "string" },
                "service_id": id,
                "start_time": { "type": "string", "nullable": true },
                "overlap_ok": { "type": "boolean" },
                "price": { "type": "number", "nullable": true },
            });
            json!({ "type": "object", "properties": properties })
        })
        .answer_of(revised::<WalkRequest>),
        command(
            Method::POST,
            "/sitter/requests/approve",
            "Approves several requests, such as those that were made at once: all of them, or none",
            |form| {
                Ok(Command::ApproveRequests(ApproveRequests {
                    approvals: form.get("approvals")?,
                }))
            },
        )
        .body_of(|it| it.subset_of::<ApproveRequests>(&[plain("approvals")]))
        .answer_of(many),
        command(
            Method::POST,
            "/sitter/requests/{id}/grant",
            "Grants what was asked for beside a visit: a date is left out, a series is paused or booked, a service is \
             cancelled or moved; `choices` says what is to become of dates of a new series whose time is taken",
            |form| {
                Ok(Command::GrantRequest(GrantRequest {
                    id: form.id,
                    sitter_response: form.get("sitter_response")?,
                    start_time: form.get("start_time")?,
                    choices: form.get("choices")?,
                    overlap_ok: form.get("overlap_ok")?,
                }))
            },
        )
        .body_of(|it| {
            let fields = ["sitter_response", "start_time", "choices", "overlap_ok"].map(plain);
            it.subset_of::<GrantRequest>(&fields)
        })
        .answer_of(revised::<WalkRequest>),
        command(
            Method::POST,
            "/sitter/requests/{id}/decline",
            "Declines a request",
            |form| {
                Ok(Command::DeclineRequest(DeclineRequest {
                    id: form.id,
                    sitter_response: form.get("sitter_response")?,
                }))
            },
        )
        .body_of(|_| {
            let properties = json!({ "sitter_response": { "type": "string" } });
            json!({ "type": "object", "properties": properties })
        })
        .answer_of(revised::<WalkRequest>),
        command(
            Method::POST,
            "/sitter/requests/{id}/undo-approval",
            "Undoes an approval of a moment ago: the request waits again, and its service is removed, or is at its `former` \
             time again",
            |form| {
                let service_id: Option<Id> = form.get("service_id")?;
                let missing = || AppError::of_field("service_id", "Service is required");
                Ok(Command::UndoApproval(UndoApproval {
                    id: form.id,
                    service_id: service_id.ok_or_else(missing)?,
                    former: form.get("former")?,
                    inactive_since: form.get("inactive_since")?,
                }))
            },
        )
        .body_of(|it| {
            it.subset_of::<UndoApproval>(&[
                plain("service_id"),
                plain("former"),
                date("inactive_since"),
            ])
        })
        .answer_of(revised::<WalkRequest>),
    ]
}

fn approve(form: &mut Form) -> Result<Command, AppError> {
    let makes_service: Option<bool> = form.get("create_scheduled_service")?;
    if makes_service == Some(false) {
        let text = "What is approved is scheduled: `create_scheduled_service` is true";
        return Err(AppError::Malformed(text.to_owned()));
    }
    let service_id: Option<Id> = form.get("service_id")?;
    Ok(Command::ApproveRequest(ApproveRequest {
        id: form.id,
        service_id: service_id.unwrap_or_else(|| form.app.env.id()),
        sitter_response: form.get("sitter_response")?,
        start_time: form.get("start_time")?,
        overlap_ok: form.get("overlap_ok")?,
        price: form.get("price")?,
    }))
}

#[derive(Debug, Deserialize)]
struct RequestsQuery {
    status: Option<RequestStatus>,
}

/// A request with what a card shows of client and pets (SPEC 3, Walk request).
#[derive(Debug, Serialize, utoipa::ToSchema)]
struct RequestAnswer {
    #[serde(flatten)]
    request: WalkRequest,
    client_name: String,
    client_address: String,
    client_user_id: Option<Id>,
    client_user_name: Option<String>,
    client_user_email: Option<String>,
    dogs: Vec<RequestedDog>,
    rev: u64,
}

/// A pet as a request shows it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
struct RequestedDog {
    id: Id,
    name: String,
    breed: String,
    photo: Option<Id>,
}

impl From<&Pet> for RequestedDog {
    fn from(pet: &Pet) -> Self {
        Self {
            id: pet.id,
            name: pet.name.clone(),
            breed: pet.breed.clone(),
            photo: pet.photo,
        }
    }
}

async fn list_requests(
    State(app): State<AppState>,
    sitter: SitterUser,
    QueryParams(filter): QueryParams<RequestsQuery>,
    page: Page,
) -> Result<Response, AppError> {
    let sitter_id = sitter.sitter_id;
    let mut tx = app.db.read().await?;
    let which = RequestFilter {
        client_id: None,
        status: filter.status,
    };
    let most = page.limit_or(MOST_REQUESTS);
    let (requests, total) = db::requests(&mut tx, sitter_id, which, most, page.offset()).await?;
    let served = db::served_requests(&mut tx, sitter_id, None).await?;
    let clients = db::select::<Client>(&mut tx, sitter_id, CLIENTS_WHO_ASK, &[]).await?;
    let pets = db::select::<Pet>(&mut tx, sitter_id, PETS_OF_WHO_ASK, &[]).await?;
    let accounts = db::client_accounts(&mut tx, sitter_id).await?;
    tx.commit().await?;
    let clients: HashMap<Id, Client> = clients.into_iter().map(|it| (it.row.id, it.row)).collect();
    let pets: HashMap<Id, Pet> = pets.into_iter().map(|it| (it.row.id, it.row)).collect();
    let told = requests.into_iter().map(|it| told(it, &served));
    let answers = told.map(|request| {
        let client = clients.get(&request.row.client_id);
        let client_user_id = client.and_then(|it| it.client_user_id);
        let user = client_user_id.and_then(|it| accounts.get(&it));
        let dogs = request.row.dog_ids.iter().filter_map(|it| pets.get(it));
        RequestAnswer {
            client_name: client.map(|it| it.name.clone()).unwrap_or_default(),
            client_address: client.map(|it| it.address.clone()).unwrap_or_default(),
            client_user_id,
            client_user_name: user.map(|it| it.name.clone()),
            client_user_email: user.map(|it| it.email.clone()),
            dogs: dogs.map(RequestedDog::from).collect(),
            rev: request.rev,
            request: request.row,
        }
    });
    ok_page_as("requests", answers.collect(), total).await
}

/// A request as it is told of: with where it stands.
pub(super) fn told(
    mut request: Versioned<WalkRequest>,
    served: &HashSet<Id>,
) -> Versioned<WalkRequest> {
    request.row.status = status_of(&request.row, served.contains(&request.row.id));
    request
}

const CLIENTS_WHO_ASK: &str =
    "AND id IN (SELECT client_id FROM walk_request WHERE walk_request.sitter_id = $1)";
const PETS_OF_WHO_ASK: &str =
    "AND client_id IN (SELECT client_id FROM walk_request WHERE walk_request.sitter_id = $1)";
