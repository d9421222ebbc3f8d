//! Passwords of accounts: forgotten ones, new ones, and the proof that somebody signed in is who they are.

use walkies_core::api::PasswordReset;
use walkies_core::rules::account::check_email;
use walkies_core::rules::mail::name_in_mail;
use walkies_core::{FieldErrors, Instant};

use super::sign_in::{Caller, guesser, known_device, normalize_email};
use crate::app::password::{self, HashQueue};
use crate::app::realtime::Notice;
use crate::app::session::AnyUser;
use crate::app::state::App;
use crate::app::throttle;
use crate::base::env::sha256;
use crate::base::error::AppError;
use crate::db::{self, MailJob, roll_back};

/// How long the link of a forgotten password is good.
const RESET_MS: i64 = 30 * 60 * 1000;

/// Mails a link to set a new password. Does the same work whether or not the e-mail has an account.
pub(crate) async fn mail_reset_link(
    app: &App,
    caller: &Caller,
    email: &str,
    device: Option<String>,
) -> Result<(), AppError> {
    let email = normalize_email(email);
    let mut errors = FieldErrors::default();
    check_email(&mut errors, &email);
    errors.or(())?;
    let device = known_device(app, &email, device).await?;
    let device_hash = device.map(|it| sha256(it.as_bytes()));
    throttle::ask_for_new_password(app, guesser(device_hash.as_deref(), caller, &email))?;
    let token = app.env.token();
    let now = app.now();
    let until = Instant(now.0 + RESET_MS);
    let mut tx = app.db.write().await?;
    let account = db::account_by_email(&mut tx, &email).await?;
    let name = account.as_ref().map(|it| name_in_mail(&it.name));
    let name = name.filter(|it| !it.is_empty());
    let job = MailJob {
        id: app.env.id(),
        subject: "Set a new password for Walkies".to_owned(),
        body: format!(
            "Hello {},\n\nsomebody, hopefully you, has asked for a new password. Set one here \
             within 30 minutes:\n\n{}/auth/reset-password?token={token}\n\nIf it wasn't you, ignore this email.\n",
            name.as_deref().unwrap_or(&email),
            app.settings.public_url
        ),
        recipient: email,
        attempts: 0,
        stop_token: None,
        expires_at: Some(until),
        invoice_share_id: None,
        brings: None,
        is_bulk: false,
        events_of: None,
    };
    db::insert_mail_job(&mut tx, &job, now).await?;
    match account {
        Some(account) => {
            db::insert_reset(&mut tx, &sha256(token.as_bytes()), account.id, until).await?;
        }
        // Taken back in the same transaction: what waits for the disk, or finds it full, is not to be told from
        // what finds no account.
        None => db::delete_mail_job(&mut tx, job.id).await?,
    }
    tx.commit().await?;
    app.mail_queued.notify_one();
    Ok(())
}

/// Sets a password by the token of a mailed link; whoever has the link is on a device that is known from then on.
pub(crate) async fn reset_password(
    app: &App,
    address: &str,
    token: &str,
    password: String,
) -> Result<PasswordReset, AppError> {
    check_new_password("password", &password, "")?;
    throttle::call(app, address)?;
    let password_hash = app
        .passwords
        .hash(password, HashQueue::Stranger(address))
        .await?;
    let mut tx = app.db.write().await?;
    let user_id = db::take_reset(&mut tx, &sha256(token.as_bytes()), app.now()).await?;
    let Some(user_id) = user_id else {
        tx.rollback().await?;
        let mut errors = FieldErrors::default();
        errors.add(
            "token",
            "This link is no longer valid. Please ask for a new one.",
        );
        return Err(errors.into());
    };
    db::set_password(&mut tx, user_id, &password_hash, None).await?;
    let device = app.env.token();
    db::upsert_device(&mut tx, &sha256(device.as_bytes()), user_id, app.now()).await?;
    let account = db::account_by_id(&mut tx, user_id).await?;
    let Some(account) = account else {
        return roll_back(tx, AppError::NotFound).await;
    };
    tx.commit().await?;
    app.realtime.send(Notice::SessionsEnded { user_id });
    tracing::info!(%user_id, "set a new password by mail");
    Ok(PasswordReset {
        email: account.email,
        device,
    })
}

/// Changes the password of somebody who is signed in, and ends their other sessions.
pub(crate) async fn change_password(
    app: &App,
    user: &AnyUser,
    current_password: String,
    new_password: String,
) -> Result<(), AppError> {
    check_new_password("new_password", &new_password, &user.account.email)?;
    prove(app, user, "current_password", current_password).await?;
    let password_hash = app
        .passwords
        .hash(new_password, HashQueue::Known(user.account.id))
        .await?;
    let mut tx = app.db.write().await?;
    db::set_password(
        &mut tx,
        user.account.id,
        &password_hash,
        Some(&user.session_hash),
    )
    .await?;
    tx.commit().await?;
    app.realtime.send(Notice::SessionsEnded {
        user_id: user.account.id,
    });
    Ok(())
}

fn check_new_password(field: &str, password: &str, email: &str) -> Result<(), FieldErrors> {
    let mut errors = FieldErrors::default();
    password::check(&mut errors, field, password, email);
    errors.or(())
}

/// That it is the person and not somebody who found an open phone. Not answered 401: the session is good.
pub(crate) async fn prove(
    app: &App,
    user: &AnyUser,
    field: &str,
    password: String,
) -> Result<(), AppError> {
    throttle::try_proof(app, user.account.id, &user.session_hash)?;
    if app
        .passwords
        .verify(
            password,
            Some(user.account.password_hash.clone()),
            HashQueue::Known(user.account.id),
        )
        .await?
    {
        throttle::forgive_proof(app, &user.session_hash);
        return Ok(());
    }
    let mut errors = FieldErrors::default();
    errors.add(field, "This is not your password");
    Err(errors.into())
}
