//! Owns what was answered to calls that came with a key and are no commands: of each account the newest, for some days.

use walkies_core::{Id, Instant};

use crate::db::engine::{Column, DbRow, Tx};

/// So many are kept of an account.
pub const KEPT_ANSWERS: u64 = 100;

/// A call by its key, and what was answered to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptAnswer {
    /// SHA-256 of what was asked.
    pub args_hash: String,
    /// HTTP status and JSON body; none as long as it is worked on.
    pub answer: Option<(u32, String)>,
}

/// Notes that somebody works on a call from now on; `false` where somebody has answered it, has begun after `abandoned`, or where
/// something else was asked with this key.
pub async fn claim_answer(
    tx: &mut Tx,
    (user_id, id): (Id, &str),
    args_hash: &str,
    now: Instant,
    abandoned: Instant,
) -> sqlx::Result<bool> {
    let (id, args_hash) = (id.to_owned(), args_hash.to_owned());
    let args = [
        user_id.arg(),
        id.arg(),
        args_hash.arg(),
        now.arg(),
        abandoned.arg(),
    ];
    if tx.execute(CLAIM, args).await? == 0 {
        return Ok(false);
    }
    let args = vec![user_id.arg(), KEPT_ANSWERS.arg()];
    tx.defer(DELETE_SURPLUS, args).await?;
    Ok(true)
}

const CLAIM: &str = "INSERT INTO kept_answer (user_id, id, args_hash, claimed_at_ms) VALUES ($1, $2, $3, $4) \
    ON CONFLICT (user_id, id) DO UPDATE SET claimed_at_ms = excluded.claimed_at_ms \
    WHERE kept_answer.status IS NULL AND kept_answer.args_hash = excluded.args_hash AND kept_answer.claimed_at_ms <= $5";
const DELETE_SURPLUS: &str = "DELETE FROM kept_answer WHERE user_id = $1 AND id NOT IN \
    (SELECT id FROM kept_answer WHERE user_id = $1 ORDER BY claimed_at_ms DESC, id DESC LIMIT $2)";

/// Finds the stored answer to a call by its idempotency key.
pub async fn find_answer(
    tx: &mut Tx,
    (user_id, id): (Id, &str),
) -> sqlx::Result<Option<KeptAnswer>> {
    let read = |row: &dyn DbRow| {
        let status: Option<u32> = Column::get(row, "status")?;
        let body: Option<String> = Column::read(row, "body")?;
        Ok(KeptAnswer {
            args_hash: Column::get(row, "args_hash")?,
            answer: status.zip(body),
        })
    };
    let args = [user_id.arg(), id.to_owned().arg()];
    tx.fetch_optional(SELECT_ANSWER, args, read).await
}

const SELECT_ANSWER: &str = "SELECT * FROM kept_answer WHERE user_id = $1 AND id = $2";

/// Keeps the answer to a call that was begun then.
pub async fn keep_answer(
    tx: &mut Tx,
    (user_id, id): (Id, &str),
    begun: Instant,
    status: u32,
    body: &str,
) -> sqlx::Result<()> {
    let args = vec![
        user_id.arg(),
        id.to_owned().arg(),
        begun.arg(),
        status.arg(),
        body.to_owned().arg(),
    ];
    tx.defer(KEEP_ANSWER, args).await
}

const KEEP_ANSWER: &str = "UPDATE kept_answer SET status = $4, body = $5 \
    WHERE user_id = $1 AND id = $2 AND claimed_at_ms = $3 AND status IS NULL";

/// Forgets a call that was begun then and not done: a repeat is tried again.
pub async fn release_answer(
    tx: &mut Tx,
    (user_id, id): (Id, &str),
    begun: Instant,
) -> sqlx::Result<()> {
    let args = vec![user_id.arg(), id.to_owned().arg(), begun.arg()];
    tx.defer(RELEASE, args).await
}

const RELEASE: &str = "DELETE FROM kept_answer WHERE user_id = $1 AND id = $2 AND claimed_at_ms = $3 AND status IS NULL";

/// Forgets answers of before then.
pub async fn collect_answers(tx: &mut Tx, before: Instant) -> sqlx::Result<()> {
    tx.defer(DELETE_OLD_ANSWERS, vec![before.arg()]).await
}

const DELETE_OLD_ANSWERS: &str = "DELETE FROM kept_answer WHERE claimed_at_ms < $1";
