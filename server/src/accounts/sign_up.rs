//! Signing up: an account is made when the code from the mail comes back, or by an invitation that names the e-mail.
//! Who may is the operator's to say, but for a pet parent whom a sitter has invited: that one may.
//!
//! Whether an e-mail has an account is told to nobody but its owner: the answer is the same, and so is the work behind
//! it (one hash, one transaction with the same writes); the mails differ. The code is typed where the password was, so
//! nobody makes an account of another one's address, and none that another one's password opens.

use serde::Deserialize;
use walkies_core::api::Role;
use walkies_core::rows::sitter::Sitter;
use walkies_core::rows::subscription::Subscription;
use walkies_core::rules::account::{SignUpForm, sign_up_errors};
use walkies_core::rules::invite::InviteFault;
use walkies_core::rules::mail::name_in_mail;
use walkies_core::rules::sitter::starter_rows;
use walkies_core::{FieldErrors, Id, Instant, Row};

use super::MAX_SECRET_BYTES;
use super::client_links::{check_invite, hash_of};
use super::sign_in::normalize_email;
use crate::app::password::HashQueue;
use crate::app::settings::SignUpMode;
use crate::app::state::App;
use crate::app::zone::time_zone;
use crate::app::{password, throttle};
use crate::base::env::sha256;
use crate::base::error::AppError;
use crate::db::{self, Account, Invitation, MailJob, WaitingSignUp, roll_back};
use crate::write::client_mail::with_stop_line;

/// How long the code is good.
pub(crate) const CODE_MS: i64 = 30 * 60 * 1000;
pub(super) const CODE_DIGITS: usize = 8;

/// The sign-up form, with what kind of account it is for.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub(crate) struct SignUp {
    #[serde(default)]
    pub(crate) name: String,
    #[serde(default)]
    #[schema(max_length = 254)]
    pub(crate) email: String,
    #[serde(default)]
    #[schema(min_length = 8, max_length = 128)]
    pub(crate) password: String,
    /// The IANA time zone of the business; client users need none.
    #[serde(default)]
    pub(crate) time_zone: String,
    /// A sitter where it is absent.
    #[serde(default)]
    pub(crate) role: Option<Role>,
    /// The secret of an invitation's link.
    #[serde(default)]
    #[schema(max_length = 64)]
    pub(crate) invitation: Option<String>,
    /// For a client: the code of their sitter's invite; a valid one admits them whatever the mode of sign-up.
    #[serde(default)]
    #[schema(max_length = 64)]
    pub(crate) invite_code: Option<String>,
}

/// Outcome of a sign-up form.
pub(crate) enum SignUpStep {
    /// The account of an e-mail that an invitation has proven.
    Made(Account),
    /// A code was mailed; the token comes back with it.
    CodeMailed { token: String },
}

pub(crate) async fn find_invitation(app: &App, hash: &str) -> sqlx::Result<Option<Invitation>> {
    db::find_invitation(&mut app.db.read_autocommit().await?, hash, app.now()).await
}

/// Makes the account of an e-mail that is proven by its invitation, and mails a code to any other.
pub(crate) async fn ask_for_account(
    app: &App,
    address: &str,
    form: SignUp,
) -> Result<SignUpStep, AppError> {
    let role = form.role.unwrap_or(Role::Sitter);
    let is_of_sitter = role == Role::Client && form.invite_code.is_some();
    if !is_of_sitter {
        check_mode(app, form.invitation.is_some())?;
    }
    let secrets = [&form.invitation, &form.invite_code];
    let is_long = |it: &&Option<String>| it.as_ref().is_some_and(|it| MAX_SECRET_BYTES < it.len());
    if secrets.iter().any(is_long) {
        return Err(invitation_gone());
    }
    let checked = checked(&form, role)?;
    throttle::ask_for_code(app, address, &checked.email)?;
    let mut invitation_hash = form.invitation.map(|it| sha256(it.as_bytes()));
    let mut is_proven = false;
    if let Some(code) = form.invite_code.filter(|_| is_of_sitter) {
        let hash = hash_of(&code);
        check_sitters_invite(app, &mut app.db.read_autocommit().await?, &hash).await?;
        invitation_hash = Some(hash);
    } else if let Some(hash) = &invitation_hash {
        let invitation = find_invitation(app, hash).await?;
        let email = invitation.ok_or_else(invitation_gone)?.email;
        is_proven = email.is_some();
        if email.is_some_and(|it| it != checked.email) {
            return Err(AppError::of_field(
                "email",
                "This invitation is for another email",
            ));
        }
    }
    let password_hash = app
        .passwords
        .hash(form.password, HashQueue::Stranger(address))
        .await?;
    let token = app.env.token();
    let code = app.env.digits(CODE_DIGITS);
    let waiting = WaitingSignUp {
        token_hash: sha256(token.as_bytes()),
        code_hash: code_hash(&token, &code),
        email: checked.email,
        name: checked.name,
        role,
        time_zone: checked.time_zone,
        password_hash,
        invitation_hash,
    };
    if is_proven {
        let mut tx = app.db.write().await?;
        let account = match make_account(&mut tx, app, waiting).await {
            Ok(account) => account,
            Err(why) => return roll_back(tx, why).await,
        };
        tx.commit().await?;
        return Ok(SignUpStep::Made(account));
    }
    let now = app.now();
    let mut tx = app.db.write().await?;
    let known = db::account_by_email(&mut tx, &waiting.email).await?;
    let recipient = db::mail_recipient(&mut tx, &waiting.email, app.env.share_id(), now).await?;
    let until = Instant(now.0 + CODE_MS);
    let job = MailJob {
        // That the e-mail has an account stays true.
        expires_at: known.is_none().then_some(until),
        ..mail(app, &waiting, known.as_ref(), &code, recipient.token)
    };
    db::insert_sign_up(&mut tx, &waiting, until).await?;
    db::insert_mail_job(&mut tx, &job, now).await?;
    if recipient.is_stopped {
        // In the same transaction, as for a forgotten password: who stopped mail is nobody's to find out.
        db::delete_mail_job(&mut tx, job.id).await?;
    }
    tx.commit().await?;
    app.mail_queued.notify_one();
    Ok(SignUpStep::CodeMailed { token })
}

/// Makes the account of a sign-up whose code came back.
pub(crate) async fn confirm_sign_up(
    app: &App,
    address: &str,
    confirmation: &str,
    code: &str,
) -> Result<Account, AppError> {
    if MAX_SECRET_BYTES < confirmation.len().max(code.len()) {
        return Err(wrong_code());
    }
    let hash = sha256(confirmation.as_bytes());
    throttle::try_mailed_code(app, address, &hash)?;
    let code: String = code.chars().filter(|it| !it.is_whitespace()).collect();
    let expected = db::sign_up_code(&mut app.db.read_autocommit().await?, &hash, app.now()).await?;
    if expected != Some(code_hash(confirmation, &code)) {
        return Err(wrong_code());
    }
    let mut tx = app.db.write().await?;
    let Some(form) = db::take_sign_up(&mut tx, &hash, app.now()).await? else {
        return roll_back(tx, wrong_code()).await;
    };
    // The operator may have closed the server since the code was mailed.
    let may = match (form.role, &form.invitation_hash) {
        (Role::Client, Some(hash)) if is_sitters_invite(&mut tx, hash).await? => Ok(()),
        (_, hash) => check_mode(app, hash.is_some()),
    };
    if let Err(why) = may {
        return roll_back(tx, why).await;
    }
    let account = match make_account(&mut tx, app, form).await {
        Ok(account) => account,
        Err(why) => return roll_back(tx, why).await,
    };
    tx.commit().await?;
    Ok(account)
}

/// Checks that somebody may sign up here now.
pub(super) fn check_mode(app: &App, is_invited: bool) -> Result<(), AppError> {
    match app.settings.sign_up {
        SignUpMode::Closed => Err(AppError::SignUpClosed),
        SignUpMode::Invite if !is_invited => Err(AppError::InvitationNeeded),
        _ => Ok(()),
    }
}

/// The form, if nothing is wrong with it.
fn checked(form: &SignUp, role: Role) -> Result<SignUpForm, FieldErrors> {
    let email = normalize_email(&form.email);
    let checked = SignUpForm {
        name: form.name.trim().to_owned(),
        email: email.clone(),
        password: form.password.clone(),
        // Pet parents have no zone of their own: dates are their sitter's.
        time_zone: if role == Role::Client {
            "UTC".to_owned()
        } else {
            form.time_zone.clone()
        },
    };
    let mut errors = sign_up_errors(&checked);
    password::check(&mut errors, "password", &form.password, &email);
    errors.check(
        time_zone(&checked.time_zone).is_none(),
        "time_zone",
        "Unknown time zone",
    );
    errors.or(checked)
}

/// To a new address the code, and no word of whoever typed it: it may be a stranger's. To a known one how to get in.
fn mail(
    app: &App,
    form: &WaitingSignUp,
    known: Option<&Account>,
    code: &str,
    stop_token: String,
) -> MailJob {
    let url = &app.settings.public_url;
    let (subject, text) = match known {
        None => (
            format!("{code} is your code for Walkies"),
            format!(
                "Hello,\n\nYour code is {code}. Enter it within 30 minutes.\n\nIf you didn't sign up, ignore this email: without \
                 the code there is no account."
            ),
        ),
        Some(account) => (
            "You have an account at Walkies".to_owned(),
            format!(
                "Hello {},\n\nsomebody, hopefully you, tried to sign up with this e-mail, which has an account \
                 already.\n\nSign in: {url}/auth/login\nForgot the password: {url}/auth/forgot-password\n\nIf it wasn't \
                 you, ignore this email.",
                name_in_mail(&account.name)
            ),
        ),
    };
    MailJob {
        id: app.env.id(),
        recipient: form.email.clone(),
        subject,
        body: with_stop_line(app, &text, &stop_token),
        attempts: 0,
        stop_token: Some(stop_token),
        expires_at: None,
        invoice_share_id: None,
        brings: None,
        is_bulk: false,
        events_of: None,
    }
}

/// Makes the account of a sign-up whose e-mail is proven, and uses up its invitation.
async fn make_account(
    tx: &mut db::Tx,
    app: &App,
    form: WaitingSignUp,
) -> Result<Account, AppError> {
    match &form.invitation_hash {
        // It is used up by the link that it is for, and not by the account.
        Some(hash) if form.role == Role::Client && is_sitters_invite(tx, hash).await? => {
            check_sitters_invite(app, tx, hash).await?;
        }
        Some(hash) if !db::take_invitation(tx, hash, app.now()).await? => {
            return Err(invitation_gone());
        }
        _ => {}
    }
    let fields = SignUpForm {
        name: form.name,
        email: form.email,
        password: String::new(),
        time_zone: form.time_zone,
    };
    let account = new_account(app, &fields, form.role, form.password_hash);
    if create_account(tx, app, &account, &fields).await? {
        return Ok(account);
    }
    // Only who has shown to own the e-mail comes here.
    Err(AppError::of_field(
        "email",
        "This email has an account by now. Please sign in.",
    ))
}

/// Returns true if the hash is of a code by which a sitter invites a client.
async fn is_sitters_invite(tx: &mut db::Tx, hash: &str) -> sqlx::Result<bool> {
    Ok(db::find_invite(tx, hash).await?.is_some())
}

async fn check_sitters_invite(app: &App, tx: &mut db::Tx, hash: &str) -> Result<(), AppError> {
    let invite = db::find_invite(tx, hash).await?;
    check_invite(&invite.ok_or(InviteFault::Unknown)?, app.now())?;
    Ok(())
}

/// The token is nowhere on the server, so the code cannot be found by trying all of them on the hash.
pub(super) fn code_hash(token: &str, code: &str) -> String {
    sha256(format!("{token} {code}").as_bytes())
}

pub(super) fn wrong_code() -> AppError {
    AppError::of_field("code", "That code is wrong or has expired")
}

pub(super) fn invitation_gone() -> AppError {
    AppError::of_field(
        "invitation",
        "This invitation is no longer valid. Please ask for a new one.",
    )
}

/// An account for this form; a sitter's comes with the id of its business.
pub(crate) fn new_account(
    app: &App,
    form: &SignUpForm,
    role: Role,
    password_hash: String,
) -> Account {
    Account {
        id: app.env.id(),
        email: form.email.clone(),
        name: form.name.clone(),
        role,
        roles: vec![role],
        sitter_id: (role == Role::Sitter).then(|| app.env.id()),
        password_hash,
        created_at: app.now(),
    }
}

/// Writes an account, and for a sitter a business that can be used at once; `false` when the e-mail has an account.
pub(crate) async fn create_account(
    tx: &mut db::Tx,
    app: &App,
    account: &Account,
    form: &SignUpForm,
) -> Result<bool, AppError> {
    if let Some(sitter_id) = account.sitter_id {
        create_business(tx, app, sitter_id, form).await?;
    }
    Ok(db::insert_account(tx, account).await?)
}

/// Writes a business that can be used at once.
pub(super) async fn create_business(
    tx: &mut db::Tx,
    app: &App,
    sitter_id: Id,
    form: &SignUpForm,
) -> Result<(), AppError> {
    let now = app.now();
    db::insert_sitter(tx, sitter_id, now).await?;
    let sitter = Sitter {
        subscription: app.settings.billing.is_some().then(Subscription::free),
        ..Sitter::new(
            sitter_id,
            form.name.clone(),
            form.email.clone(),
            form.time_zone.clone(),
            now,
        )
    };
    let rows = starter_rows(&sitter, || app.env.id(), now);
    for row in std::iter::once(Row::Sitter(sitter)).chain(rows) {
        db::write_row(tx, sitter_id, 1, &row).await?;
    }
    Ok(())
}
