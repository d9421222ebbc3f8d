//! Another e-mail for the account of a pet parent: asked for with the password, and made once the code from the mail to the
//! new address comes back. Whether an e-mail has an account is told to nobody but its owner.

use walkies_core::rules::account::check_email;
use walkies_core::{FieldErrors, Instant};

use super::MAX_SECRET_BYTES;
use super::client_links::show_email;
use super::passwords::prove;
use super::sign_in::normalize_email;
use super::sign_up::{CODE_DIGITS, CODE_MS, code_hash, wrong_code};
use crate::app::session::AnyUser;
use crate::app::state::App;
use crate::app::throttle;
use crate::base::env::sha256;
use crate::base::error::AppError;
use crate::db::{self, Account, EmailChange, MailJob, roll_back};
use crate::write::client_mail::with_stop_line;

/// Mails a code to the new address: the token that has to come back with it. One that has an account is told so in place of
/// a code, by the same writes.
pub(crate) async fn ask_for_email(
    app: &App,
    user: &AnyUser,
    address: &str,
    password: String,
    email: &str,
) -> Result<String, AppError> {
    let email = normalize_email(email);
    let mut errors = FieldErrors::default();
    check_email(&mut errors, &email);
    let is_same = email == user.account.email;
    errors.check(
        is_same,
        "email",
        "This is the email of your account already",
    );
    errors.or(())?;
    prove(app, user, "password", password).await?;
    throttle::ask_for_code(app, address, &email)?;
    let (token, code) = (app.env.token(), app.env.digits(CODE_DIGITS));
    let now = app.now();
    let until = Instant(now.0 + CODE_MS);
    let change = EmailChange {
        token_hash: sha256(token.as_bytes()),
        code_hash: code_hash(&token, &code),
        user_id: user.account.id,
        email,
    };
    let mut tx = app.db.write().await?;
    let known = db::account_by_email(&mut tx, &change.email).await?;
    let recipient = db::mail_recipient(&mut tx, &change.email, app.env.share_id(), now).await?;
    let (subject, text) = match known {
        None => (
            format!("{code} is your code for Walkies"),
            format!(
                "Hello,\n\nYour code is {code}. Enter it within 30 minutes to sign in to Walkies with this email from then \
                 on.\n\nIf you didn't ask for it, ignore this email: without the code nothing changes."
            ),
        ),
        Some(_) => (
            "You have an account at Walkies".to_owned(),
            "Hello,\n\nSomebody, hopefully you, tried to use this email for another account. It has an account of its own \
             already, so nothing was changed.\n\nIf it wasn't you, ignore this email."
                .to_owned(),
        ),
    };
    let job = mail(
        app,
        &change.email,
        subject,
        &text,
        recipient.token,
        Some(until),
    );
    db::insert_email_change(&mut tx, &change, until).await?;
    db::insert_mail_job(&mut tx, &job, now).await?;
    if recipient.is_stopped {
        // In the same transaction, as for a sign-up: who stopped mail is nobody's to find out.
        db::delete_mail_job(&mut tx, job.id).await?;
    }
    tx.commit().await?;
    app.mail_queued.notify_one();
    Ok(token)
}

/// Gives the account the e-mail whose code came back, and tells the former address.
pub(crate) async fn confirm_email(
    app: &App,
    user: &AnyUser,
    address: &str,
    token: &str,
    code: &str,
) -> Result<Account, AppError> {
    if MAX_SECRET_BYTES < token.len().max(code.len()) {
        return Err(wrong_code());
    }
    let hash = sha256(token.as_bytes());
    throttle::try_mailed_code(app, address, &hash)?;
    let code: String = code.chars().filter(|it| !it.is_whitespace()).collect();
    let now = app.now();
    let mut tx = app.db.write().await?;
    let waiting = db::email_change(&mut tx, &hash, user.account.id, now).await?;
    let waiting = waiting.filter(|it| it.code_hash == code_hash(token, &code));
    let Some(EmailChange { email, .. }) = waiting else {
        return roll_back(tx, wrong_code()).await;
    };
    // Only who has shown to own the e-mail comes here.
    if db::account_by_email(&mut tx, &email).await?.is_some() {
        let taken = AppError::of_field("code", "This email has an account by now");
        return roll_back(tx, taken).await;
    }
    db::set_email(&mut tx, user.account.id, &email).await?;
    db::requeue_event_mail(&mut tx, user.account.id).await?;
    let changed = show_email(app, &mut tx, user.account.id, &email).await?;
    let former = user.account.email.as_str();
    let recipient = db::mail_recipient(&mut tx, former, app.env.share_id(), now).await?;
    let text = "Hello,\n\nYour account at Walkies has another email from now on, and this one signs in no longer.\n\nIf it \
                wasn't you, tell your sitter at once: whoever changed it knew your password.";
    let subject = "Your email at Walkies was changed".to_owned();
    let job = mail(app, former, subject, text, recipient.token, None);
    db::insert_mail_job(&mut tx, &job, now).await?;
    tx.commit().await?;
    app.mail_queued.notify_one();
    for (sitter_id, rev) in changed {
        app.realtime.changed(sitter_id, rev);
    }
    Ok(Account {
        email,
        ..user.account.clone()
    })
}

fn mail(
    app: &App,
    to: &str,
    subject: String,
    text: &str,
    stop_token: String,
    expires_at: Option<Instant>,
) -> MailJob {
    MailJob {
        events_of: None,
        id: app.env.id(),
        recipient: to.to_owned(),
        subject,
        body: with_stop_line(app, text, &stop_token),
        attempts: 0,
        stop_token: Some(stop_token),
        expires_at,
        invoice_share_id: None,
        brings: None,
        is_bulk: false,
    }
}
