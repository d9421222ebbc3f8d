//! Owns which businesses have series of which more visits are to be made.

use sqlx::AssertSqlSafe;
use walkies_core::{Date, Id};

use crate::db::engine::{Column, Tx};

/// A business with a series that has visits to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeriesBusiness {
    /// The id of its owner's account.
    pub user_id: Id,
    /// The id of the business.
    pub sitter_id: Id,
}

/// The day whose series are due in the businesses of a zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueSeries {
    /// IANA name of the time zone.
    pub time_zone: String,
    /// The day there.
    pub today: Date,
}

/// The businesses of a zone with a series that has visits to make, after the business `after`; so many at most.
pub async fn businesses_with_due_series(
    tx: &mut Tx,
    due: &DueSeries,
    after: Id,
    most: u32,
) -> sqlx::Result<Vec<SeriesBusiness>> {
    let args = [
        due.today.arg(),
        after.arg(),
        due.time_zone.clone().arg(),
        most.arg(),
    ];
    let sql = format!(
        "SELECT user_account.id, profile.sitter_id FROM profile \
         JOIN user_account ON user_account.sitter_id = profile.sitter_id \
         WHERE profile.time_zone = $3 AND profile.sitter_id > $2 \
         AND EXISTS (SELECT 1 FROM series WHERE series.sitter_id = profile.sitter_id AND {IS_DUE}) \
         ORDER BY profile.sitter_id LIMIT $4"
    );
    tx.fetch_all(AssertSqlSafe(sql), args, |row| {
        Ok(SeriesBusiness {
            user_id: Column::get(row, "id")?,
            sitter_id: Column::get(row, "sitter_id")?,
        })
    })
    .await
}

/// Returns true if a business has a series that has visits to make.
pub async fn has_due_series(tx: &mut Tx, sitter_id: Id, due: &DueSeries) -> sqlx::Result<bool> {
    let sql = format!("SELECT 1 FROM series WHERE sitter_id = $2 AND {IS_DUE} LIMIT 1");
    let args = [due.today.arg(), sitter_id.arg()];
    let found = tx.fetch_optional(AssertSqlSafe(sql), args, |_| Ok(()));
    Ok(found.await?.is_some())
}

/// Visits are to be made, for a client who is there and active.
const IS_DUE: &str = "series.due_on <= $1 AND EXISTS (SELECT 1 FROM client \
    WHERE client.sitter_id = series.sitter_id AND client.id = series.client_id \
    AND client.inactive_since IS NULL)";
