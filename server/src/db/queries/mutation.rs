//! Owns what became of commands that came with a key, and how far each phone's queue has come.

use std::sync::LazyLock;

use sqlx::AssertSqlSafe;
use walkies_core::values::bounds::DEVICES;
use walkies_core::{Id, Instant};

use crate::db::engine::{Column, DbRow, Tx};

/// Stored outcome of a command.
#[derive(Clone, Debug, PartialEq)]
pub struct MutationRow {
    /// The command's id from a phone, or a REST call's key.
    pub id: String,
    /// The revision at which the feed carries it.
    pub rev: u64,
    /// The account that gave the command.
    pub user_id: Id,
    /// The phone that pushed it.
    pub device_id: Option<Id>,
    /// Its place in the phone's queue.
    pub seq: Option<u64>,
    /// The command's name.
    pub name: String,
    /// The row that it is about, where it is about one and something is kept here that tells of it.
    pub about_id: Option<Id>,
    /// SHA-256 of what was asked.
    pub args_hash: String,
    /// `applied`, `adjusted` or `rejected`.
    pub outcome: String,
    /// JSON of the core's `Refusal`.
    pub refusal: Option<String>,
    /// JSON list of the core's `Adjustment`s.
    pub adjustments: Option<String>,
    /// HTTP status of the REST call's answer.
    pub answer_status: Option<u32>,
    /// JSON body of the REST call's answer.
    pub answer_body: Option<String>,
    /// When it was decided.
    pub created_at: Instant,
}

impl MutationRow {
    pub(super) fn read(row: &dyn DbRow) -> sqlx::Result<Self> {
        Ok(Self {
            id: Column::get(row, "id")?,
            rev: Column::get(row, "rev")?,
            user_id: Column::get(row, "user_id")?,
            device_id: Column::get(row, "device_id")?,
            seq: Column::get(row, "seq")?,
            name: Column::get(row, "name")?,
            about_id: Column::get(row, "about_id")?,
            args_hash: Column::get(row, "args_hash")?,
            outcome: Column::get(row, "outcome")?,
            refusal: Column::get(row, "refusal")?,
            adjustments: Column::get(row, "adjustments")?,
            answer_status: Column::get(row, "answer_status")?,
            answer_body: Column::get(row, "answer_body")?,
            created_at: Column::get(row, "created_at_ms")?,
        })
    }

    /// How many bytes it takes in the database beside its names and numbers.
    pub fn text_bytes(&self) -> usize {
        let texts = [&self.refusal, &self.adjustments, &self.answer_body];
        texts.into_iter().flatten().map(String::len).sum()
    }
}

/// Stores what became of a command.
pub async fn insert_mutation(
    tx: &mut Tx,
    sitter_id: Id,
    mutation: &MutationRow,
) -> sqlx::Result<()> {
    let args = vec![
        sitter_id.arg(),
        mutation.id.arg(),
        mutation.rev.arg(),
        mutation.user_id.arg(),
        mutation.device_id.arg(),
        mutation.seq.arg(),
        mutation.name.arg(),
        mutation.about_id.arg(),
        mutation.args_hash.arg(),
        mutation.outcome.arg(),
        mutation.refusal.arg(),
        mutation.adjustments.arg(),
        mutation.answer_status.arg(),
        mutation.answer_body.arg(),
        mutation.created_at.arg(),
    ];
    tx.defer(INSERT_MUTATION, args).await
}

const INSERT_MUTATION: &str = "INSERT INTO mutation \
    (sitter_id, id, rev, user_id, device_id, seq, name, about_id, args_hash, outcome, refusal, adjustments, \
    answer_status, answer_body, created_at_ms) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)";

/// Forgets what was answered to commands about a row that is deleted: its words go with it. Who asks again is told that
/// it is gone.
pub async fn clear_answers(tx: &mut Tx, sitter_id: Id, about_id: Id) -> sqlx::Result<()> {
    tx.defer(CLEAR_ANSWERS, vec![sitter_id.arg(), about_id.arg()])
        .await
}

const CLEAR_ANSWERS: &str = "UPDATE mutation SET answer_body = NULL, adjustments = NULL, \
    refusal = CASE WHEN refusal IS NOT NULL THEN '{\"code\":\"gone\"}' END WHERE sitter_id = $1 AND about_id = $2";

/// Finds which of these rows a kept answer or refusal names.
pub async fn rows_in_answers(tx: &mut Tx, sitter_id: Id, rows: &[Id]) -> sqlx::Result<Vec<Id>> {
    let places: Vec<String> = (2..).take(rows.len()).map(|it| format!("${it}")).collect();
    let places = places.join(", ");
    let sql = format!(
        "SELECT about_id AS id FROM mutation WHERE sitter_id = $1 AND about_id IN ({places}) \
         UNION SELECT row_id AS id FROM mention WHERE sitter_id = $1 AND row_id IN ({places})"
    );
    let mut args = vec![sitter_id.arg()];
    args.extend(rows.iter().map(Column::arg));
    tx.fetch_all(AssertSqlSafe(sql), args, |row| Column::get(row, "id"))
        .await
}

/// Forgets what was answered to commands about a conversation, which tells of its last message.
pub async fn clear_conversation_answers(
    tx: &mut Tx,
    sitter_id: Id,
    conversation_id: Id,
) -> sqlx::Result<()> {
    let args = vec![sitter_id.arg(), conversation_id.arg()];
    tx.defer(CLEAR_CONVERSATION_ANSWERS, args).await
}

const CLEAR_CONVERSATION_ANSWERS: &str = "UPDATE mutation SET answer_body = NULL WHERE sitter_id = $1 \
    AND name IN ('start_conversation', 'mark_conversation_read', 'set_conversation_archived') \
    AND (about_id = $2 OR id IN (SELECT mutation_id FROM mention WHERE mention.sitter_id = $1 AND mention.row_id = $2))";

/// Notes that the refusal or the answer of a command tells of a row that it is not about.
pub async fn insert_mention(
    tx: &mut Tx,
    sitter_id: Id,
    row_id: Id,
    mutation_id: &str,
) -> sqlx::Result<()> {
    let args = vec![sitter_id.arg(), row_id.arg(), mutation_id.to_owned().arg()];
    tx.defer(INSERT_MENTION, args).await
}

const INSERT_MENTION: &str =
    "INSERT INTO mention (sitter_id, row_id, mutation_id) VALUES ($1, $2, $3)";

/// Forgets refusals and answers that tell of a row which is deleted. `refusal` and `answer_body` take the place of those
/// that were refused.
pub async fn forget_mentions(
    tx: &mut Tx,
    sitter_id: Id,
    row_id: Id,
    refusal: String,
    answer_body: String,
) -> sqlx::Result<()> {
    let args = vec![
        sitter_id.arg(),
        row_id.arg(),
        refusal.arg(),
        answer_body.arg(),
    ];
    tx.defer(FORGET_MENTIONS, args).await
}

const FORGET_MENTIONS: &str = "UPDATE mutation SET refusal = CASE WHEN refusal IS NOT NULL THEN $3 END, \
    answer_body = CASE WHEN refusal IS NOT NULL AND answer_body IS NOT NULL THEN $4 END \
    WHERE sitter_id = $1 AND id IN (SELECT mutation_id FROM mention WHERE mention.sitter_id = $1 AND row_id = $2) \
    AND coalesce(refusal, '') <> '{\"code\":\"gone\"}'";

/// Finds the outcome of a command; `None` if it was never decided.
pub async fn find_mutation(
    tx: &mut Tx,
    sitter_id: Id,
    id: &str,
) -> sqlx::Result<Option<MutationRow>> {
    let args = vec![sitter_id.arg(), id.to_owned().arg()];
    tx.fetch_optional(SELECT_MUTATION, args, MutationRow::read)
        .await
}

const SELECT_MUTATION: &str = "SELECT * FROM mutation WHERE sitter_id = $1 AND id = $2";

/// Returns those of these commands that were ever decided.
pub async fn known_mutations(
    tx: &mut Tx,
    sitter_id: Id,
    ids: &[String],
) -> sqlx::Result<Vec<String>> {
    let mut known = Vec::new();
    for ids in ids.chunks(IDS_PER_QUERY) {
        let mut args = vec![sitter_id.arg()];
        // One text for any number of ids, so that one statement is kept for all.
        args.extend((0..IDS_PER_QUERY).map(|n| ids.get(n).cloned().arg()));
        let ids = tx.fetch_all(SELECT_KNOWN.as_str(), args, |row| Column::get(row, "id"));
        known.append(&mut ids.await?);
    }
    Ok(known)
}

const IDS_PER_QUERY: usize = 50;

static SELECT_KNOWN: LazyLock<String> = LazyLock::new(|| {
    let placeholders: Vec<String> = (0..IDS_PER_QUERY).map(|n| format!("${}", n + 2)).collect();
    let placeholders = placeholders.join(", ");
    format!("SELECT id FROM mutation WHERE sitter_id = $1 AND id IN ({placeholders})")
});

/// The phone's queue has come to `seq`. A new phone takes the place of the one that was silent for the longest time where
/// there are too many: that one begins anew when it comes back, and nothing is done twice, since what it has sent is
/// known by its ids for as long as outcomes are kept.
pub async fn set_last_seq(
    tx: &mut Tx,
    sitter_id: Id,
    device_id: Id,
    seq: u64,
    now: Instant,
) -> sqlx::Result<()> {
    let mut args = vec![sitter_id.arg(), device_id.arg(), seq.arg(), now.arg()];
    tx.defer(UPSERT_DEVICE, args.clone()).await?;
    if seq == 1 {
        args.truncate(2);
        args.push(u64::try_from(DEVICES - 1).unwrap_or_default().arg());
        tx.defer(DELETE_SURPLUS_DEVICES, args).await?;
    }
    Ok(())
}

const UPSERT_DEVICE: &str = "INSERT INTO device (sitter_id, id, last_seq, used_at_ms) VALUES ($1, $2, $3, $4) \
    ON CONFLICT (sitter_id, id) DO UPDATE SET last_seq = excluded.last_seq, used_at_ms = excluded.used_at_ms \
    WHERE device.last_seq < excluded.last_seq";
const DELETE_SURPLUS_DEVICES: &str = "DELETE FROM device WHERE sitter_id = $1 AND id <> $2 AND id NOT IN \
    (SELECT id FROM device WHERE sitter_id = $1 AND id <> $2 ORDER BY used_at_ms DESC, id DESC LIMIT $3)";
