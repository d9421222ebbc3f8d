//! The sitter's own profile, and the requests that wait for an answer.

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
use walkies_core::{Command, Id};

use super::{Asked, command, revised};
use crate::answer::{Answer, Revised, found};
use crate::db;
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
        .body_of(|it| it.some_of::<Sitter>(Sitter::EDITABLE))
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
        .body_of(|it| it.some_of::<Sitter>(&AREA.map(|(_, long)| plain(long))))
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
) -> Result<Option<walkies_core::Versioned<Sitter>>, AppError> {
    let mut tx = app.db.read().await?;
    let profile = db::select::<Sitter>(&mut tx, sitter.sitter_id, "", &[])
        .await?
        .pop();
    tx.commit().await?;
    Ok(profile)
}

async fn read_profile(State(app): State<AppState>, sitter: SitterUser) -> Result<Answer, AppError> {
    let profile = profile(&app, &sitter).await?;
    profile
        .map(|it| found(Revised::from(it)))
        .ok_or(AppError::NotFound)
}

async fn read_profile_status(
    State(app): State<AppState>,
    sitter: SitterUser,
) -> Result<Answer, AppError> {
    let profile = profile(&app, &sitter).await?;
    Ok(found(profile_status(profile.as_ref().map(|it| &it.row))))
}

#[derive(Debug, Deserialize)]
struct RequestFilter {
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

async fn list_requests(
    State(app): State<AppState>,
    sitter: SitterUser,
    Asked(filter): Asked<RequestFilter>,
) -> Result<Answer, AppError> {
    let sitter_id = sitter.sitter_id;
    let mut tx = app.db.read().await?;
    let mut requests = match filter.status {
        Some(status) => {
            let status = db::Column::arg(&status);
            db::select::<WalkRequest>(&mut tx, sitter_id, "AND status = $2", &[status]).await?
        }
        None => db::select::<WalkRequest>(&mut tx, sitter_id, "", &[]).await?,
    };
    requests.sort_by_key(|it| std::cmp::Reverse((it.row.created_at, it.row.id)));
    let mut answers = Vec::new();
    for request in requests {
        let client = db::select_one::<Client>(&mut tx, sitter_id, request.row.client_id)
            .await?
            .map(|it| it.row);
        let user = match client.as_ref().and_then(|it| it.client_user_id) {
            Some(id) => db::account_by_id(&mut tx, id).await?,
            None => None,
        };
        let mut dogs = Vec::new();
        for id in &request.row.dog_ids {
            if let Some(pet) = db::select_one::<Pet>(&mut tx, sitter_id, *id).await? {
                let Pet {
                    id,
                    name,
                    breed,
                    photo,
                    ..
                } = pet.row;
                dogs.push(RequestedDog {
                    id,
                    name,
                    breed,
                    photo,
                });
            }
        }
        answers.push(RequestAnswer {
            client_name: client
                .as_ref()
                .map(|it| it.name.clone())
                .unwrap_or_default(),
            client_address: client
                .as_ref()
                .map(|it| it.address.clone())
                .unwrap_or_default(),
            client_user_id: client.and_then(|it| it.client_user_id),
            client_user_name: user.as_ref().map(|it| it.name.clone()),
            client_user_email: user.map(|it| it.email),
            dogs,
            rev: request.rev,
            request: request.row,
        });
    }
    tx.commit().await?;
    Ok(found(json!({ "requests": answers })))
}
