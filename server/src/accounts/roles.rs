//! The other role of somebody who has one: a sitter who is a pet parent, too, and a pet parent who starts a business. Email,
//! password, second factors and sessions are the person's; each call is made in one of the roles.

use serde::Deserialize;
use walkies_core::FieldErrors;
use walkies_core::api::Role;
use walkies_core::rules::account::SignUpForm;

use super::MAX_SECRET_BYTES;
use super::sign_up::{check_mode, create_business, invitation_gone};
use crate::app::session::AnyUser;
use crate::app::state::App;
use crate::app::throttle;
use crate::app::zone::time_zone;
use crate::base::env::sha256;
use crate::base::error::AppError;
use crate::db::{self, Account, Tx, roll_back};

/// The role that the caller wants beside the present one.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub(crate) struct OtherRole {
    role: Role,
    /// The IANA time zone of a sitter's business; a pet parent needs none.
    #[serde(default)]
    time_zone: String,
    /// The secret of an operator's invitation, where the server takes new sitters by those alone.
    #[serde(default)]
    #[schema(max_length = 64)]
    invitation: Option<String>,
}

/// Gives the caller the role: the account in it, also where the caller has had it before.
pub(crate) async fn add_role(
    app: &App,
    user: &AnyUser,
    form: OtherRole,
) -> Result<Account, AppError> {
    throttle::write(app, user.account.id, 0)?;
    let role = form.role;
    let mut tx = app.db.write().await?;
    if let Err(why) = write_role(&mut tx, app, user, form).await {
        return roll_back(tx, why).await;
    }
    let account = db::account_by_id(&mut tx, user.account.id).await?;
    let Some(account) = account.and_then(|it| it.in_role(role)) else {
        return roll_back(tx, AppError::TokenExpired).await;
    };
    tx.commit().await?;
    tracing::info!(user_id = %account.id, role = role.name(), "has the role");
    Ok(account)
}

async fn write_role(
    tx: &mut Tx,
    app: &App,
    user: &AnyUser,
    form: OtherRole,
) -> Result<(), AppError> {
    // From here on no role of the account comes or goes, and it is as it is by now.
    if !db::has_password(tx, &user.account).await? {
        return Err(AppError::TokenExpired);
    }
    let account = db::account_by_id(tx, user.account.id).await?;
    let account = account.ok_or(AppError::TokenExpired)?;
    if account.roles.contains(&form.role) {
        return Ok(());
    }
    if form.role == Role::Client {
        return Ok(db::add_parent(tx, account.id).await?);
    }
    check_mode(app, form.invitation.is_some())?;
    let mut errors = FieldErrors::default();
    let is_unknown = time_zone(&form.time_zone).is_none();
    errors.check(is_unknown, "time_zone", "Unknown time zone");
    errors.or(())?;
    take_invitation(tx, app, &account, form.invitation).await?;
    let sitter_id = app.env.id();
    let business = SignUpForm {
        name: account.name,
        email: account.email,
        password: String::new(),
        time_zone: form.time_zone,
    };
    create_business(tx, app, sitter_id, &business).await?;
    Ok(db::add_business(tx, account.id, sitter_id).await?)
}

/// Uses up the invitation of an operator that came with the wish.
async fn take_invitation(
    tx: &mut Tx,
    app: &App,
    account: &Account,
    invitation: Option<String>,
) -> Result<(), AppError> {
    let Some(secret) = invitation else {
        return Ok(());
    };
    if MAX_SECRET_BYTES < secret.len() {
        return Err(invitation_gone());
    }
    let (hash, now) = (sha256(secret.as_bytes()), app.now());
    let found = db::find_invitation(tx, &hash, now).await?;
    let is_theirs = found.is_some_and(|it| it.email.is_none_or(|it| it == account.email));
    if !is_theirs || !db::take_invitation(tx, &hash, now).await? {
        return Err(invitation_gone());
    }
    Ok(())
}
