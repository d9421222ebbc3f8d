//! Owns second factors: authenticator apps, recovery codes, and sign-ins that wait for one of them.
//! What is good once is taken in one statement, so that of two that race one gets it.

use walkies_core::api::FactorKind;
use walkies_core::{Id, Instant};

use crate::db::engine::{Column, DbRow, Tx};

/// A second factor.
#[derive(Clone, Debug, PartialEq)]
pub struct Factor {
    /// The factor's id.
    pub id: Id,
    /// The account that it protects.
    pub user_id: Id,
    /// The kind of factor.
    pub kind: FactorKind,
    /// The name that the person gave it.
    pub name: String,
    /// See the migration.
    pub secret: String,
    /// The time from which it counts; `None` until its first code was entered.
    pub confirmed_at: Option<Instant>,
    /// When it was made.
    pub created_at: Instant,
    /// When a sign-in last used it.
    pub last_used_at: Instant,
}

fn read_factor(row: &dyn DbRow) -> sqlx::Result<Factor> {
    Ok(Factor {
        id: Column::get(row, "id")?,
        user_id: Column::get(row, "user_id")?,
        kind: FactorKind::Totp,
        name: Column::get(row, "name")?,
        secret: Column::get(row, "secret")?,
        confirmed_at: Column::get(row, "confirmed_at_ms")?,
        created_at: Column::get(row, "created_at_ms")?,
        last_used_at: Column::get(row, "last_used_at_ms")?,
    })
}

/// Notes a factor; those of the user that were never confirmed are forgotten.
pub async fn insert_factor(tx: &mut Tx, factor: &Factor) -> sqlx::Result<()> {
    let args = [factor.user_id.arg()];
    tx.defer(DELETE_UNCONFIRMED, args).await?;
    let args = [
        factor.id.arg(),
        factor.user_id.arg(),
        factor.kind.name().to_owned().arg(),
        factor.name.arg(),
        factor.secret.arg(),
        factor.confirmed_at.arg(),
        0_i64.arg(),
        factor.created_at.arg(),
        factor.last_used_at.arg(),
    ];
    tx.defer(INSERT_FACTOR, args).await
}

const DELETE_UNCONFIRMED: &str =
    "DELETE FROM factor WHERE user_id = $1 AND confirmed_at_ms IS NULL";
const INSERT_FACTOR: &str = "INSERT INTO factor \
    (id, user_id, kind, name, secret, confirmed_at_ms, last_step, created_at_ms, last_used_at_ms) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";

/// The factors of a user, also one that is not confirmed yet, oldest first.
pub async fn factors_of(tx: &mut Tx, user_id: Id) -> sqlx::Result<Vec<Factor>> {
    let args = [user_id.arg()];
    tx.fetch_all(SELECT_FACTORS, args, read_factor).await
}

const SELECT_FACTORS: &str = "SELECT * FROM factor WHERE user_id = $1 ORDER BY created_at_ms, id";

/// A code of this half minute came; `false` when one of it or of a later one did before. Confirms the factor.
pub async fn take_step(tx: &mut Tx, id: Id, step: i64, now: Instant) -> sqlx::Result<bool> {
    let args = [id.arg(), step.arg(), now.arg()];
    Ok(tx.execute(TAKE_STEP, args).await? == 1)
}

const TAKE_STEP: &str = "UPDATE factor SET last_step = $2, last_used_at_ms = $3, \
    confirmed_at_ms = COALESCE(confirmed_at_ms, $3) WHERE id = $1 AND last_step < $2";

/// Removes a factor of a user; `false` when there is none.
pub async fn delete_factor(tx: &mut Tx, user_id: Id, id: Id) -> sqlx::Result<bool> {
    let args = [user_id.arg(), id.arg()];
    Ok(tx.execute(DELETE_FACTOR, args).await? == 1)
}

const DELETE_FACTOR: &str = "DELETE FROM factor WHERE user_id = $1 AND id = $2";

/// Removes all factors of a user, with the recovery codes.
pub async fn delete_factors(tx: &mut Tx, user_id: Id) -> sqlx::Result<()> {
    let args = [user_id.arg()];
    tx.defer(DELETE_FACTORS, args).await?;
    set_recovery_codes(tx, user_id, &[]).await
}

const DELETE_FACTORS: &str = "DELETE FROM factor WHERE user_id = $1";

/// Puts a new set of recovery codes in place of the old one, by their hashes.
pub async fn set_recovery_codes(
    tx: &mut Tx,
    user_id: Id,
    code_hashes: &[String],
) -> sqlx::Result<()> {
    let args = [user_id.arg()];
    tx.defer(DELETE_RECOVERY_CODES, args).await?;
    for hash in code_hashes {
        let args = [user_id.arg(), hash.arg()];
        tx.defer(INSERT_RECOVERY_CODE, args).await?;
    }
    Ok(())
}

const DELETE_RECOVERY_CODES: &str = "DELETE FROM recovery_code WHERE user_id = $1";
const INSERT_RECOVERY_CODE: &str = "INSERT INTO recovery_code (user_id, code_hash) VALUES ($1, $2)";

/// How many recovery codes a user has left.
pub async fn count_recovery_codes(tx: &mut Tx, user_id: Id) -> sqlx::Result<u32> {
    let args = [user_id.arg()];
    tx.fetch_one(COUNT_RECOVERY_CODES, args, |row| Column::get(row, "n"))
        .await
}

const COUNT_RECOVERY_CODES: &str = "SELECT count(*) AS n FROM recovery_code WHERE user_id = $1";

/// Uses up a recovery code; `false` when there is no such one.
pub async fn take_recovery_code(tx: &mut Tx, user_id: Id, code_hash: &str) -> sqlx::Result<bool> {
    let args = [user_id.arg(), code_hash.to_owned().arg()];
    Ok(tx.execute(TAKE_RECOVERY_CODE, args).await? == 1)
}

const TAKE_RECOVERY_CODE: &str = "DELETE FROM recovery_code WHERE user_id = $1 AND code_hash = $2";

/// Notes that the user's right password came, for a sign-in that waits for its second step.
pub async fn insert_challenge(
    tx: &mut Tx,
    token_hash: &str,
    user_id: Id,
    expires_at: Instant,
) -> sqlx::Result<()> {
    let args = [token_hash.to_owned().arg(), user_id.arg(), expires_at.arg()];
    tx.defer(INSERT_CHALLENGE, args).await
}

const INSERT_CHALLENGE: &str =
    "INSERT INTO sign_in_challenge (token_hash, user_id, expires_at_ms) VALUES ($1, $2, $3)";

/// Whose sign-in waits, while it is good.
pub async fn find_challenge(
    tx: &mut Tx,
    token_hash: &str,
    now: Instant,
) -> sqlx::Result<Option<Id>> {
    let args = [token_hash.to_owned().arg(), now.arg()];
    tx.fetch_optional(SELECT_CHALLENGE, args, |row| Column::get(row, "user_id"))
        .await
}

const SELECT_CHALLENGE: &str =
    "SELECT user_id FROM sign_in_challenge WHERE token_hash = $1 AND expires_at_ms >= $2";

/// Uses up a sign-in that waits; `false` when it was used before.
pub async fn take_challenge(tx: &mut Tx, token_hash: &str, now: Instant) -> sqlx::Result<bool> {
    let args = [token_hash.to_owned().arg(), now.arg()];
    Ok(tx.execute(TAKE_CHALLENGE, args).await? == 1)
}

const TAKE_CHALLENGE: &str =
    "DELETE FROM sign_in_challenge WHERE token_hash = $1 AND expires_at_ms >= $2";
