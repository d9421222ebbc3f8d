//! Owns whom mail was sent to that somebody else may have caused, by a hash of the address, and who has stopped it.

use walkies_core::Instant;
use walkies_core::rules::mail::mailbox;

use crate::base::env::sha256;
use crate::db::engine::{Column, DbRow, Tx};

/// A recipient of mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailRecipient {
    /// The token by which the link at the end of a mail names it.
    pub token: String,
    /// True if it is sent no such mail.
    pub is_stopped: bool,
}

fn recipient_hash(email: &str) -> String {
    sha256(format!("mail to {}", mailbox(email)).as_bytes())
}

fn is_stopped(row: &dyn DbRow) -> sqlx::Result<bool> {
    Instant::read(row, "stopped_at_ms").map(|it| it.is_some())
}

/// The recipient with this address, known from now on by `fresh_token` if it is new.
pub async fn mail_recipient(
    tx: &mut Tx,
    email: &str,
    fresh_token: String,
    now: Instant,
) -> sqlx::Result<MailRecipient> {
    let args = [recipient_hash(email).arg(), fresh_token.arg(), now.arg()];
    tx.fetch_one(UPSERT_RECIPIENT, args, |row| {
        Ok(MailRecipient {
            token: Column::get(row, "token")?,
            is_stopped: is_stopped(row)?,
        })
    })
    .await
}

const UPSERT_RECIPIENT: &str = "INSERT INTO mail_recipient (recipient_hash, token, mailed_at_ms) VALUES ($1, $2, $3) \
    ON CONFLICT (recipient_hash) DO UPDATE SET mailed_at_ms = excluded.mailed_at_ms \
    RETURNING token, stopped_at_ms";

/// Says if the recipient that a link names has stopped mail; `None` where nobody has this link.
pub async fn has_stopped_mail(tx: &mut Tx, token: &str) -> sqlx::Result<Option<bool>> {
    let args = [token.to_owned().arg()];
    tx.fetch_optional(SELECT_STOPPED, args, is_stopped).await
}

/// True for an address whose owner has stopped mail.
pub async fn is_mail_stopped(tx: &mut Tx, email: &str) -> sqlx::Result<bool> {
    let args = [recipient_hash(email).arg()];
    let found = tx.fetch_optional(SELECT_STOPPED_BY_HASH, args, is_stopped);
    Ok(found.await?.unwrap_or_default())
}

const SELECT_STOPPED_BY_HASH: &str =
    "SELECT stopped_at_ms FROM mail_recipient WHERE recipient_hash = $1";
const SELECT_STOPPED: &str = "SELECT stopped_at_ms FROM mail_recipient WHERE token = $1";

/// Stops mail to the recipient that a link names, or with `None` allows it again; `false` where nobody has this link.
pub async fn set_mail_stopped(
    tx: &mut Tx,
    token: &str,
    stopped_at: Option<Instant>,
) -> sqlx::Result<bool> {
    let args = [token.to_owned().arg(), stopped_at.arg()];
    Ok(tx.execute(UPDATE_STOPPED, args).await? == 1)
}

const UPDATE_STOPPED: &str = "UPDATE mail_recipient SET stopped_at_ms = $2 WHERE token = $1";

/// Forgets a recipient whose account is deleted; that mail is stopped is not forgotten.
pub async fn forget_mail_recipient(tx: &mut Tx, email: &str) -> sqlx::Result<()> {
    let args = [recipient_hash(email).arg()];
    tx.defer(DELETE_RECIPIENT, args).await
}

const DELETE_RECIPIENT: &str =
    "DELETE FROM mail_recipient WHERE recipient_hash = $1 AND stopped_at_ms IS NULL";

/// Forgets recipients to whom nothing was sent since then, but for those who have stopped mail.
pub async fn collect_mail_recipients(tx: &mut Tx, before: Instant) -> sqlx::Result<()> {
    tx.defer(DELETE_OLD, [before.arg()]).await
}

const DELETE_OLD: &str =
    "DELETE FROM mail_recipient WHERE mailed_at_ms < $1 AND stopped_at_ms IS NULL";
