//! The sitter's own profile, and the requests that wait for an answer.

use std::collections::HashMap;

use axum::extract::State;
use axum::http::Method;
use serde::{Deserialize, Serialize};
use serde_json::json;
use walkies_core::commands::UpdateProfile;
use walkies_core::rows::client::Client;
use walkies_core::rows::pet::Pet;
use walkies_core::rows::sitter::Sitter;
use walkies_core::rows::walk_request::{RequestStatus, WalkRequest};
use walkies_core::rules::sitter::{ProfileStatus, profile_status};
use walkies_core::values::field::plain;
use walkies_core::{Command, Id, Versioned};

use super::{QueryParams, command, revised};
use crate::answer::{Answer, Revised, ok};
use crate::db::{self, Column as _};
use crate::error::AppError;
use crate::route::{Access, Route, get};
use crate::session::SitterUser;
use crate::state::AppState;

pub(super) fn routes() -> Vec<Route> {
    vec![
        get(
            "/sitters/profile",
            Access::Sitter,
            "The profile",
            read_profile,
        )
        .answer_of(revised::<Sitter>),
        command(
            Method::PUT,
            "/sitters/profile",
            "Changes the profile or the settings",
            |form| {
                Ok(Command::UpdateProfile(UpdateProfile {
                    changes: form.patch(),
                }))
            },
        )
        .body_of(|it| it.subset_of::<Sitter>(Sitter::EDITABLE))
        .answer_of(revised::<Sitter>),
        command(
            Method::PUT,
            "/sitters/service-area",
            "Changes where the sitter goes",
            |form| {
                for (short, long) in AREA {
                    form.rename(short, long);
                }
                form.body
                    .retain(|field, _| AREA.iter().any(|(_, long)| field == long));
                Ok(Command::UpdateProfile(UpdateProfile {
                    changes: form.patch(),
                }))
            },
        )
        .body_of(|it| it.subset_of::<Sitter>(&AREA.map(|(_, long)| plain(long))))
        .answer_of(revised::<Sitter>),
        get(
            "/sitter/profile/status",
            Access::Sitter,
            "How far the profile is",
            read_profile_status,
        )
        .answer::<ProfileStatus>(),
        get(
            "/sitter/requests",
            Access::Sitter,
            "What pet parents ask for, the newest first",
            list_requests,
        )
        .query("status", "pending, approved, declined or completed")
        .answer_of(|it| {
            let requests = super::list_of(it.of::<RequestAnswer>());
            json!({ "type": "object", "properties": { "requests": requests } })
        }),
    ]
}

/// The fields of the service area, with short names that callers may use.
const AREA: [(&str, &str); 4] = [
    ("address", "service_area_address"),
    ("lat", "service_area_lat"),
    ("lng", "service_area_lng"),
    ("radius_miles", "service_area_radius_miles"),
];

async fn profile(
    app: &AppState,
    sitter: &SitterUser,
) -> Result<Option<Versioned<Sitter>>, AppError> {
    let mut tx = app.db.read_autocommit().await?;
    Ok(db::select_one::<Sitter>(&mut tx, sitter.sitter_id, sitter.sitter_id).await?)
}

async fn read_profile(State(app): State<AppState>, sitter: SitterUser) -> Result<Answer, AppError> {
    let profile = profile(&app, &sitter).await?;
    profile
        .map(|it| ok(Revised::from(it)))
        .ok_or(AppError::NotFound)
}

async fn read_profile_status(
    State(app): State<AppState>,
    sitter: SitterUser,
) -> Result<Answer, AppError> {
    let profile = profile(&app, &sitter).await?;
    Ok(ok(profile_status(profile.as_ref().map(|it| &it.row))))
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
) -> Result<Answer, AppError> {
    let sitter_id = sitter.sitter_id;
    let mut tx = app.db.read().await?;
    let requests = match filter.status {
        Some(status) => {
            let condition = "AND status = $2 ORDER BY created_at_ms DESC, id DESC";
            db::select::<WalkRequest>(&mut tx, sitter_id, condition, &[status.arg()]).await?
        }
        None => {
            let order = "ORDER BY created_at_ms DESC, id DESC";
            db::select::<WalkRequest>(&mut tx, sitter_id, order, &[]).await?
        }
    };
    let clients = db::select::<Client>(&mut tx, sitter_id, CLIENTS_WHO_ASK, &[]).await?;
    let pets = db::select::<Pet>(&mut tx, sitter_id, PETS_OF_WHO_ASK, &[]).await?;
    let accounts = db::client_accounts(&mut tx, sitter_id).await?;
    tx.commit().await?;
    let clients: HashMap<Id, Client> = clients.into_iter().map(|it| (it.row.id, it.row)).collect();
    let pets: HashMap<Id, Pet> = pets.into_iter().map(|it| (it.row.id, it.row)).collect();
    let answers = requests.into_iter().map(|request| {
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
    Ok(ok(json!({ "requests": answers.collect::<Vec<_>>() })))
}

const CLIENTS_WHO_ASK: &str =
    "AND id IN (SELECT client_id FROM walk_request WHERE walk_request.sitter_id = $1)";
const PETS_OF_WHO_ASK: &str =
    "AND client_id IN (SELECT client_id FROM walk_request WHERE walk_request.sitter_id = $1)";
