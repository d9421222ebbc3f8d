//! Owns what a sign-in and a sign-up go through besides the account itself: known devices, sign-ups that wait for their
//! code, invitations. Which of them are good is decided here in one statement each, so that of two that race one wins.

use walkies_core::api::Role;
use walkies_core::{Id, Instant};

use crate::db::engine::{Column, DbRow, Tx};

/// The e-mail of the account on which a device is known.
pub async fn email_of_device(tx: &mut Tx, token_hash: &str) -> sqlx::Result<Option<String>> {
    let args = [token_hash.to_owned().arg()];
    tx.fetch_optional(SELECT_DEVICE, args, |row| Column::get(row, "email"))
        .await
}

const SELECT_DEVICE: &str = "SELECT user_account.email FROM known_device \
    JOIN user_account ON user_account.id = known_device.user_id WHERE known_device.token_hash = $1";

/// More devices than this nobody signs in on; the one that was away for the longest time is forgotten first.
const MAX_DEVICES: i64 = 20;

/// Notes that a device has signed in to an account.
pub async fn upsert_device(
    tx: &mut Tx,
    token_hash: &str,
    user_id: Id,
    now: Instant,
) -> sqlx::Result<()> {
    let args = [token_hash.to_owned().arg(), user_id.arg(), now.arg()];
    tx.defer(UPSERT_DEVICE, args).await?;
    let args = [user_id.arg(), MAX_DEVICES.arg()];
    tx.defer(DELETE_OLD_DEVICES, args).await
}

const UPSERT_DEVICE: &str = "INSERT INTO known_device (token_hash, user_id, last_used_at_ms) VALUES ($1, $2, $3) \
    ON CONFLICT (token_hash) DO UPDATE SET last_used_at_ms = excluded.last_used_at_ms";
const DELETE_OLD_DEVICES: &str = "DELETE FROM known_device WHERE user_id = $1 AND token_hash NOT IN (SELECT token_hash \
    FROM known_device WHERE user_id = $1 ORDER BY last_used_at_ms DESC, token_hash LIMIT $2)";

/// A sign-up that waits for its code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingSignUp {
    /// Hash of the token that the person who signs up was given.
    pub token_hash: String,
    /// Hash of that token and the code together.
    pub code_hash: String,
    /// The e-mail address in lower case.
    pub email: String,
    /// The person's name.
    pub name: String,
    /// The kind of account that is to be made.
    pub role: Role,
    /// The IANA time zone of the business.
    pub time_zone: String,
    /// The password's hash as a PHC string.
    pub password_hash: String,
    /// The invitation that it came with.
    pub invitation_hash: Option<String>,
}

fn read_sign_up(row: &dyn DbRow) -> sqlx::Result<WaitingSignUp> {
    Ok(WaitingSignUp {
        token_hash: Column::get(row, "token_hash")?,
        code_hash: Column::get(row, "code_hash")?,
        email: Column::get(row, "email")?,
        name: Column::get(row, "name")?,
        role: Role::named(&String::get(row, "role")?),
        time_zone: Column::get(row, "time_zone")?,
        password_hash: Column::get(row, "password_hash")?,
        invitation_hash: Column::get(row, "invitation_hash")?,
    })
}

/// Notes a sign-up.
pub async fn insert_sign_up(
    tx: &mut Tx,
    form: &WaitingSignUp,
    expires_at: Instant,
) -> sqlx::Result<()> {
    let args = [
        form.token_hash.arg(),
        form.code_hash.arg(),
        form.email.arg(),
        form.name.arg(),
        form.role.name().to_owned().arg(),
        form.time_zone.arg(),
        form.password_hash.arg(),
        form.invitation_hash.arg(),
        expires_at.arg(),
    ];
    tx.defer(INSERT_SIGN_UP, args).await
}

const INSERT_SIGN_UP: &str = "INSERT INTO sign_up \
    (token_hash, code_hash, email, name, role, time_zone, password_hash, invitation_hash, expires_at_ms) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";

/// The code of a sign-up as it is kept, while it is good.
pub async fn sign_up_code(
    tx: &mut Tx,
    token_hash: &str,
    now: Instant,
) -> sqlx::Result<Option<String>> {
    let args = [token_hash.to_owned().arg(), now.arg()];
    tx.fetch_optional(SELECT_SIGN_UP_CODE, args, |row| {
        Column::get(row, "code_hash")
    })
    .await
}

const SELECT_SIGN_UP_CODE: &str =
    "SELECT code_hash FROM sign_up WHERE token_hash = $1 AND expires_at_ms >= $2";

/// Uses up a sign-up.
pub async fn take_sign_up(
    tx: &mut Tx,
    token_hash: &str,
    now: Instant,
) -> sqlx::Result<Option<WaitingSignUp>> {
    let args = [token_hash.to_owned().arg(), now.arg()];
    tx.fetch_optional(TAKE_SIGN_UP, args, read_sign_up).await
}

const TAKE_SIGN_UP: &str =
    "DELETE FROM sign_up WHERE token_hash = $1 AND expires_at_ms >= $2 RETURNING *";

/// Another e-mail of an account, which waits for its code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmailChange {
    /// Hash of the token that the person was given.
    pub token_hash: String,
    /// Hash of that token and the code together.
    pub code_hash: String,
    /// The id of the account.
    pub user_id: Id,
    /// The new e-mail address in lower case.
    pub email: String,
}

/// Notes another e-mail of an account, in place of one that waits already.
pub async fn insert_email_change(
    tx: &mut Tx,
    change: &EmailChange,
    expires_at: Instant,
) -> sqlx::Result<()> {
    tx.defer(DELETE_EMAIL_CHANGES, [change.user_id.arg()])
        .await?;
    let args = [
        change.token_hash.arg(),
        change.code_hash.arg(),
        change.user_id.arg(),
        change.email.arg(),
        expires_at.arg(),
    ];
    tx.defer(INSERT_EMAIL_CHANGE, args).await
}

const DELETE_EMAIL_CHANGES: &str = "DELETE FROM email_change WHERE user_id = $1";
const INSERT_EMAIL_CHANGE: &str = "INSERT INTO email_change \
    (token_hash, code_hash, user_id, email, expires_at_ms) VALUES ($1, $2, $3, $4, $5)";

/// The other e-mail of this account that waits under this token, while its code is good.
pub async fn email_change(
    tx: &mut Tx,
    token_hash: &str,
    user_id: Id,
    now: Instant,
) -> sqlx::Result<Option<EmailChange>> {
    let args = [token_hash.to_owned().arg(), user_id.arg(), now.arg()];
    tx.fetch_optional(SELECT_EMAIL_CHANGE, args, |row| {
        Ok(EmailChange {
            token_hash: Column::get(row, "token_hash")?,
            code_hash: Column::get(row, "code_hash")?,
            user_id: Column::get(row, "user_id")?,
            email: Column::get(row, "email")?,
        })
    })
    .await
}

const SELECT_EMAIL_CHANGE: &str =
    "SELECT * FROM email_change WHERE token_hash = $1 AND user_id = $2 AND expires_at_ms >= $3";

/// Gives an account another e-mail, and ends what waits in the mailbox of the former one.
pub async fn set_email(tx: &mut Tx, user_id: Id, email: &str) -> sqlx::Result<()> {
    let args = [user_id.arg(), email.to_owned().arg()];
    tx.defer(UPDATE_EMAIL, args).await?;
    tx.defer(DELETE_EMAIL_CHANGES, [user_id.arg()]).await?;
    tx.defer(DELETE_RESETS_OF_FORMER_EMAIL, [user_id.arg()])
        .await
}

const UPDATE_EMAIL: &str = "UPDATE user_account SET email = $2 WHERE id = $1";
const DELETE_RESETS_OF_FORMER_EMAIL: &str = "DELETE FROM password_reset WHERE user_id = $1";

/// Somebody may sign up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    /// Whom it is for, in lower case; whoever brings it where it is none.
    pub email: Option<String>,
}

/// Notes an invitation.
pub async fn insert_invitation(
    tx: &mut Tx,
    token_hash: &str,
    invitation: &Invitation,
    expires_at: Instant,
) -> sqlx::Result<()> {
    let args = [
        token_hash.to_owned().arg(),
        invitation.email.arg(),
        expires_at.arg(),
    ];
    tx.defer(INSERT_INVITATION, args).await
}

const INSERT_INVITATION: &str =
    "INSERT INTO invitation (token_hash, email, expires_at_ms) VALUES ($1, $2, $3)";

/// How many invitations are out.
pub async fn count_invitations(tx: &mut Tx, now: Instant) -> sqlx::Result<i64> {
    let args = [now.arg()];
    tx.fetch_one(COUNT_INVITATIONS, args, |row| Column::get(row, "n"))
        .await
}

const COUNT_INVITATIONS: &str = "SELECT count(*) AS n FROM invitation WHERE expires_at_ms >= $1";

/// An invitation, while it is good.
pub async fn find_invitation(
    tx: &mut Tx,
    token_hash: &str,
    now: Instant,
) -> sqlx::Result<Option<Invitation>> {
    let args = [token_hash.to_owned().arg(), now.arg()];
    tx.fetch_optional(SELECT_INVITATION, args, |row| {
        Ok(Invitation {
            email: Column::get(row, "email")?,
        })
    })
    .await
}

const SELECT_INVITATION: &str =
    "SELECT email FROM invitation WHERE token_hash = $1 AND expires_at_ms >= $2";

/// Uses up an invitation; `false` when it is not good any more.
pub async fn take_invitation(tx: &mut Tx, token_hash: &str, now: Instant) -> sqlx::Result<bool> {
    let args = [token_hash.to_owned().arg(), now.arg()];
    Ok(tx.execute(TAKE_INVITATION, args).await? == 1)
}

const TAKE_INVITATION: &str =
    "DELETE FROM invitation WHERE token_hash = $1 AND expires_at_ms >= $2";

/// Removes what has expired, and devices that were away since `idle_since`.
pub async fn collect_identity(tx: &mut Tx, idle_since: Instant, now: Instant) -> sqlx::Result<()> {
    let args = [idle_since.arg()];
    tx.defer(DELETE_IDLE_DEVICES, args).await?;
    for statement in [
        "DELETE FROM sign_up WHERE expires_at_ms < $1",
        "DELETE FROM email_change WHERE expires_at_ms < $1",
        "DELETE FROM invitation WHERE expires_at_ms < $1",
        "DELETE FROM sign_in_challenge WHERE expires_at_ms < $1",
    ] {
        let args = [now.arg()];
        tx.defer(statement, args).await?;
    }
    Ok(())
}

const DELETE_IDLE_DEVICES: &str = "DELETE FROM known_device WHERE last_used_at_ms < $1";
