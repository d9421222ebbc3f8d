//! Calls of signing up, and of the code that is mailed.

use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use walkies_core::api::{CodeMailed, Role, SignUpAnswer, SignUpRules, SignedIn};
use walkies_core::values::bounds;

use crate::accounts::MAX_SECRET_BYTES;
use crate::accounts::sign_in::{Caller, signed_in};
use crate::accounts::sign_up::{
    CODE_MS, SignUp, SignUpStep, ask_for_account, confirm_sign_up, find_invitation,
};
use crate::app::state::{App, AppState};
use crate::app::throttle;
use crate::base::env::sha256;
use crate::base::error::AppError;
use crate::db::Account;
use crate::http::extract::{JsonBody, QueryParams};
use crate::http::route::{Access, Route, get, post};
use crate::payments::billing::known_offers;
use crate::write::answer::{Answer, ok, success};

pub(super) fn routes() -> Vec<Route> {
    vec![
        get(
            "/auth/signup",
            Access::Public,
            "Who may sign up here",
            read_sign_up,
        )
        .query("invitation", "The secret of an invitation's link")
        .answer::<SignUpRules>(),
        post(
            "/auth/signup",
            Access::Public,
            "Mails a code with which to finish a sign-up; with an invitation for this e-mail makes the account at once",
            sign_up,
        )
        .statuses(&[201, 202])
        .fails(&[403, 404, 410])
        .body::<SignUp>()
        .answer::<SignUpAnswer>(),
        post(
            "/auth/signup/confirm",
            Access::Public,
            "Makes the account of a sign-up whose code came; for a sitter with a business that can be used",
            confirm,
        )
        .statuses(&[201])
        .fails(&[403, 404, 410])
        .body::<Confirmation>()
        .answer::<SignedIn>(),
        post(
            "/sitters/register",
            Access::Public,
            "As the sign-up, for a sitter whatever the role says",
            register,
        )
        .statuses(&[201, 202])
        .fails(&[403, 404, 410])
        .body::<SignUp>()
        .answer::<SignUpAnswer>(),
        post(
            "/sitters/verify-email",
            Access::Public,
            "As the sign-up's confirmation: proves the e-mail by the code, and makes the account",
            confirm,
        )
        .statuses(&[201])
        .fails(&[403, 404, 410])
        .body::<Confirmation>()
        .answer::<SignedIn>(),
    ]
}

#[derive(Debug, Deserialize, utoipa::ToSchema)]
struct Confirmation {
    #[serde(default)]
    #[schema(max_length = 64)]
    confirmation: String,
    /// From the mail: eight digits.
    #[serde(default)]
    #[schema(max_length = 64)]
    code: String,
}

#[derive(Debug, Deserialize)]
struct InvitationQuery {
    #[serde(default)]
    invitation: Option<String>,
}

async fn read_sign_up(
    State(app): State<AppState>,
    caller: Caller,
    QueryParams(InvitationQuery { invitation }): QueryParams<InvitationQuery>,
) -> Result<Answer, AppError> {
    let wrong = invitation
        .as_deref()
        .and_then(|it| bounds::text_error("invitation", it));
    if let Some(wrong) = wrong {
        return Err(AppError::Malformed(wrong));
    }
    let invitation = match invitation {
        Some(token) if token.len() <= MAX_SECRET_BYTES => {
            throttle::call(&app, &caller.address)?;
            find_invitation(&app, &sha256(token.as_bytes())).await?
        }
        _ => None,
    };
    Ok(ok(SignUpRules {
        mode: app.settings.sign_up.into(),
        sends_mail: app.settings.sends_mail,
        is_invited: invitation.is_some(),
        email: invitation.and_then(|it| it.email),
        plans: known_offers(&app),
    }))
}

async fn sign_up(
    State(app): State<AppState>,
    caller: Caller,
    JsonBody(form): JsonBody<SignUp>,
) -> Result<Answer, AppError> {
    answer_sign_up(&app, &caller, form).await
}

async fn register(
    State(app): State<AppState>,
    caller: Caller,
    JsonBody(form): JsonBody<SignUp>,
) -> Result<Answer, AppError> {
    let role = Some(Role::Sitter);
    answer_sign_up(&app, &caller, SignUp { role, ..form }).await
}

async fn answer_sign_up(app: &App, caller: &Caller, form: SignUp) -> Result<Answer, AppError> {
    match ask_for_account(app, &caller.address, form).await? {
        SignUpStep::Made(account) => created(app, caller, &account).await,
        SignUpStep::CodeMailed { token } => Ok(Answer {
            status: StatusCode::ACCEPTED,
            body: success(CodeMailed {
                confirmation: token,
                expires_in_seconds: CODE_MS / 1000,
            }),
        }),
    }
}

/// Signs in whoever has an account from now on.
async fn created(app: &App, caller: &Caller, account: &Account) -> Result<Answer, AppError> {
    let signed_in = signed_in(app, caller, account, None).await?;
    Ok(Answer {
        status: StatusCode::CREATED,
        body: success(signed_in),
    })
}

async fn confirm(
    State(app): State<AppState>,
    caller: Caller,
    JsonBody(Confirmation { confirmation, code }): JsonBody<Confirmation>,
) -> Result<Answer, AppError> {
    let account = confirm_sign_up(&app, &caller.address, &confirmation, &code).await?;
    created(&app, &caller, &account).await
}
