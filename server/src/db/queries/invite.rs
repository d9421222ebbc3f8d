//! Owns the codes by which pet parents are linked with their client record.

use walkies_core::values::bounds::INVITES;
use walkies_core::{Id, Instant};

use crate::db::engine::{Column, DbRow, Tx};

/// A code's row, without the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Invite {
    /// The id of the business.
    pub sitter_id: Id,
    /// The record that the code is for.
    pub client_id: Id,
    /// The time from which the code is no longer valid.
    pub expires_at: Instant,
    /// When it was used.
    pub used_at: Option<Instant>,
}

/// Codes of a client that nobody has used and that are known, for each that is good: whoever has one is told that it ended.
const KNOWN_PER_GOOD: u32 = 4;

/// Keeps a new code of a client. Of former ones that nobody has used the newest stay good, with it no more than
/// `bounds::INVITES`: one of them may lie in the client's mailbox. Some older ones end, and are known for a while.
pub async fn insert_invite(
    tx: &mut Tx,
    code_hash: &str,
    invite: &Invite,
    now: Instant,
) -> sqlx::Result<()> {
    let most = u32::try_from(INVITES - 1).unwrap_or_default();
    let (sitter_id, client_id) = (invite.sitter_id, invite.client_id);
    let args = [sitter_id.arg(), client_id.arg(), most.arg(), now.arg()];
    tx.defer(END_SURPLUS, args).await?;
    let known = most * KNOWN_PER_GOOD;
    let args = [sitter_id.arg(), client_id.arg(), known.arg()];
    tx.defer(DELETE_SURPLUS, args).await?;
    let args = [
        code_hash.to_owned().arg(),
        invite.sitter_id.arg(),
        invite.client_id.arg(),
        now.arg(),
        invite.expires_at.arg(),
    ];
    tx.defer(INSERT_INVITE, args).await
}

macro_rules! but_newest {
    () => {
        "sitter_id = $1 AND client_id = $2 AND used_at_ms IS NULL AND code_hash NOT IN \
        (SELECT code_hash FROM invite WHERE sitter_id = $1 AND client_id = $2 AND used_at_ms IS NULL \
        ORDER BY created_at_ms DESC, code_hash LIMIT $3)"
    };
}

const END_SURPLUS: &str = concat!(
    "UPDATE invite SET expires_at_ms = $4 WHERE expires_at_ms > $4 AND ",
    but_newest!()
);
const DELETE_SURPLUS: &str = concat!("DELETE FROM invite WHERE ", but_newest!());
const INSERT_INVITE: &str = "INSERT INTO invite (code_hash, sitter_id, client_id, created_at_ms, expires_at_ms) \
    VALUES ($1, $2, $3, $4, $5)";

/// The invite of a code, used and expired ones among them; none once its client is deleted.
pub async fn find_invite(tx: &mut Tx, code_hash: &str) -> sqlx::Result<Option<Invite>> {
    let args = [code_hash.to_owned().arg()];
    tx.fetch_optional(SELECT_INVITE, args, read_invite).await
}

fn read_invite(row: &dyn DbRow) -> sqlx::Result<Invite> {
    Ok(Invite {
        sitter_id: Column::get(row, "sitter_id")?,
        client_id: Column::get(row, "client_id")?,
        expires_at: Column::get(row, "expires_at_ms")?,
        used_at: Column::read(row, "used_at_ms")?,
    })
}

const SELECT_INVITE: &str = "SELECT invite.sitter_id, invite.client_id, invite.expires_at_ms, invite.used_at_ms FROM invite \
    JOIN client ON client.sitter_id = invite.sitter_id AND client.id = invite.client_id WHERE code_hash = $1";

/// Uses a code up: whether it was still to be had. Others of its client stay good: somebody else of the household may have
/// been sent one.
pub async fn take_invite(tx: &mut Tx, code_hash: &str, now: Instant) -> sqlx::Result<bool> {
    let args = [code_hash.to_owned().arg(), now.arg()];
    Ok(tx.execute(TAKE_INVITE, args).await? == 1)
}

const TAKE_INVITE: &str = "UPDATE invite SET used_at_ms = $2 WHERE code_hash = $1 AND used_at_ms IS NULL AND $2 < expires_at_ms";

/// Ends the codes of a client that nobody has used.
pub async fn end_open_invites(
    tx: &mut Tx,
    (sitter_id, client_id): (Id, Id),
    now: Instant,
) -> sqlx::Result<()> {
    let args = [sitter_id.arg(), client_id.arg(), now.arg()];
    tx.defer(END_OPEN, args).await
}

const END_OPEN: &str = "UPDATE invite SET expires_at_ms = $3 \
    WHERE sitter_id = $1 AND client_id = $2 AND used_at_ms IS NULL AND expires_at_ms > $3";

/// Removes codes that were good for the last time before then.
pub async fn collect_invites(tx: &mut Tx, before: Instant) -> sqlx::Result<()> {
    tx.defer(DELETE_OLD, [before.arg()]).await
}

const DELETE_OLD: &str = "DELETE FROM invite WHERE expires_at_ms < $1";
