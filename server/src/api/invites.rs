//! Calls by which pet parents come to be clients with a login: invited by the sitter, linked by a code, let go again.

use axum::extract::{Path, State};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::json;
use walkies_core::api::{InviteAnswer, InvitePage, Linked};
use walkies_core::commands::UnlinkClient;
use walkies_core::rows::client::Client;
use walkies_core::rules::invite::InviteFault;
use walkies_core::values::field::plain;
use walkies_core::{Command, Id};

use super::photos::show_on_page;
use super::{command, revised};
use crate::accounts::client_links::{hash_of, leave};
use crate::accounts::invites::{inviting, link_by_invite, make_invite};
use crate::app::session::{AnyUser, Member, SitterUser};
use crate::app::state::AppState;
use crate::app::throttle;
use crate::base::error::AppError;
use crate::http::extract::{CallerAddress, JsonBody};
use crate::http::form::Form;
use crate::http::route::{Access, Route, get, post};
use crate::media::files::PhotoSize;
use crate::write::answer::{Answer, ok, success};

pub(super) fn routes() -> Vec<Route> {
    vec![
        post(
            "/clients/{id}/invite",
            Access::Sitter,
            "Makes a code by which a client comes into the portal, once; the newest codes of before stay good",
            create_invite,
        )
        .statuses(&[201])
        .fails(&[404, 409, 422])
        .body::<InviteForm>()
        .answer::<InviteAnswer>(),
        command(
            Method::POST,
            "/clients/{id}/unlink",
            "Ends the access of one pet parent, or of all of a household; what is the business's leaves their phones",
            |form: &mut Form| {
                Ok(Command::UnlinkClient(UnlinkClient {
                    id: form.id,
                    user_id: form.get("user_id")?,
                }))
            },
        )
        .body_of(|it| it.subset_of::<UnlinkClient>(&[plain("user_id")]))
        .answer_of(revised::<Client>),
        get(
            "/invites/{code}",
            Access::Public,
            "Who invites, before one signs in or up",
            read_invite,
        )
        .fails(&[404, 410])
        .answer::<InvitePage>(),
        get(
            "/invites/{code}/logo",
            Access::Public,
            "The picture of the business that invites",
            show_logo,
        )
        .fails(&[404, 410])
        .file("image/jpeg"),
        post(
            "/client/link",
            Access::Client,
            "Links the caller with the client record that a code is for; a repeat changes nothing",
            link,
        )
        .fails(&[404, 409, 410])
        .body::<LinkForm>()
        .answer::<Linked>(),
        post(
            "/client/leave",
            Access::Client,
            "Ends the caller's part in a business; the client's record and what is booked stay with the sitter",
            leave_sitter,
        )
        .body::<LeaveForm>()
        .answer_of(super::auth::empty_data),
    ]
}

/// How the code is to be sent.
#[derive(Debug, Default, Deserialize, utoipa::ToSchema)]
struct InviteForm {
    /// True to have the server mail the code to the client's e-mail address.
    #[serde(default)]
    send_email: bool,
    /// The code of an earlier answer, to get the same one again. Without it, or if it is no longer valid, a new one is
    /// made.
    #[serde(default)]
    #[schema(max_length = 64)]
    code: Option<String>,
}

async fn create_invite(
    State(app): State<AppState>,
    sitter: SitterUser,
    Path(client_id): Path<String>,
    JsonBody(form): JsonBody<InviteForm>,
) -> Result<Response, AppError> {
    let client_id: Id = client_id.parse().map_err(|_| AppError::NotFound)?;
    let made = make_invite(
        &app,
        sitter.sitter_id,
        client_id,
        form.code,
        form.send_email,
    );
    let body = success(made.await?);
    let status = StatusCode::CREATED;
    Ok(Answer { status, body }.into_response())
}

async fn read_invite(
    State(app): State<AppState>,
    CallerAddress(address): CallerAddress,
    Path(code): Path<String>,
) -> Result<Answer, AppError> {
    throttle::call(&app, &address)?;
    let (invite, sitter) = inviting(&app, &code).await?;
    Ok(ok(InvitePage {
        client_id: invite.client_id,
        sitter_name: sitter.name,
        business_name: sitter.business_name,
    }))
}

async fn show_logo(
    State(app): State<AppState>,
    CallerAddress(address): CallerAddress,
    Path(code): Path<String>,
) -> Result<Response, AppError> {
    throttle::call(&app, &address)?;
    let (invite, sitter) = inviting(&app, &code).await?;
    let tx = app.db.read().await?;
    let (of, photo) = (invite.sitter_id, sitter.photo);
    show_on_page(&app, tx, of, photo, PhotoSize::Full, AppError::NotFound).await
}

/// Contents of the invitation that was sent to the pet parent.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
struct LinkForm {
    #[schema(value_type = Id)]
    client_id: String,
    code: String,
}

/// The business that a pet parent leaves.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
struct LeaveForm {
    /// Id of the business, for a pet parent of several; others need not say.
    #[serde(default)]
    sitter_id: Option<Id>,
}

async fn leave_sitter(
    State(app): State<AppState>,
    user: AnyUser,
    JsonBody(form): JsonBody<LeaveForm>,
) -> Result<Answer, AppError> {
    let member = Member::of(&app, &user, form.sitter_id).await?;
    let link = member.link.ok_or(AppError::Forbidden)?;
    leave(&app, member.user_id, link).await?;
    Ok(ok(json!({})))
}

async fn link(
    State(app): State<AppState>,
    user: AnyUser,
    CallerAddress(address): CallerAddress,
    JsonBody(form): JsonBody<LinkForm>,
) -> Result<Answer, AppError> {
    throttle::call(&app, &address)?;
    let (user_id, hash) = (user.account.id, hash_of(&form.code));
    // A link that was cut off on its way is one that nobody knows.
    let client_id: Id = form.client_id.parse().map_err(|_| InviteFault::Unknown)?;
    let link = link_by_invite(&app, user_id, client_id, &hash).await?;
    Ok(ok(Linked {
        sitter_id: link.sitter_id,
        client_id: link.client_id,
    }))
}
