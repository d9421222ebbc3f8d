//! What pet parents ask of the businesses that they are clients of.

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use walkies_core::Id;
use walkies_core::rows::sitter::Sitter;

use super::list_of;
use crate::answer::ok_list;
use crate::db;
use crate::error::AppError;
use crate::route::{Access, Route, get};
use crate::session::AnyUser;
use crate::state::AppState;

pub(super) fn routes() -> Vec<Route> {
    vec![
        get(
            "/client/sitters",
            Access::Client,
            "The sitters that the caller is a client of",
            list_sitters,
        )
        .answer_of(|it| list_of(it.of::<SitterOfClient>())),
    ]
}

/// A business as its clients know it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
struct SitterOfClient {
    /// The business; what is asked of it names it.
    sitter_id: Id,
    /// The caller's record there.
    client_id: Id,
    name: String,
    business_name: String,
    phone: String,
}

async fn list_sitters(State(app): State<AppState>, user: AnyUser) -> Result<Response, AppError> {
    let mut tx = app.db.read().await?;
    let mut sitters = Vec::new();
    for link in db::client_links(&mut tx, user.account.id, None).await? {
        let profile = db::select_one::<Sitter>(&mut tx, link.sitter_id, link.sitter_id).await?;
        sitters.extend(profile.map(|it| SitterOfClient {
            sitter_id: link.sitter_id,
            client_id: link.client_id,
            name: it.row.name,
            business_name: it.row.business_name,
            phone: it.row.phone,
        }));
    }
    tx.commit().await?;
    ok_list(sitters).await
}
