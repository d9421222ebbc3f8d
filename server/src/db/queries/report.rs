//! Owns how shared reports are found by those who are no sitters: by their address, or by the client they are for.

use walkies_core::Id;
use walkies_core::rows::report::Report;

use super::row::Synced as _;
use crate::base::env::Env;
use crate::base::page::Page;
use crate::db::engine::{Column, DbRow, Tx};

/// A report with the business it is of.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedReport {
    /// The id of the business.
    pub sitter_id: Id,
    /// The report itself.
    pub report: Report,
}

fn read_shared(row: &dyn DbRow) -> sqlx::Result<SharedReport> {
    Ok(SharedReport {
        sitter_id: Column::get(row, "sitter_id")?,
        report: Report::read(row)?,
    })
}

/// Returns true if a shared report to this client names this service.
pub async fn has_report(
    tx: &mut Tx,
    sitter_id: Id,
    client_id: Id,
    service_id: Id,
) -> sqlx::Result<bool> {
    // The column is a list of ids as JSON.
    let named = format!("%\"{service_id}\"%");
    let args = [sitter_id.arg(), client_id.arg(), named.arg()];
    let found = tx.fetch_optional(FIND_REPORT_OF, args, |_| Ok(())).await?;
    Ok(found.is_some())
}

const FIND_REPORT_OF: &str = "SELECT 1 AS found FROM report WHERE sitter_id = $1 AND client_id = $2 \
    AND share_id IS NOT NULL AND service_ids LIKE $3 LIMIT 1";

/// The report of an address, if there is one.
pub async fn find_shared_report(tx: &mut Tx, share_id: &str) -> sqlx::Result<Option<SharedReport>> {
    if !Env::is_share_id(share_id) {
        return Ok(None);
    }
    let args = [share_id.to_owned().arg()];
    tx.fetch_optional(SELECT_SHARED, args, read_shared).await
}

// Of a business whose account is deleted the profile goes first.
const SELECT_SHARED: &str = "SELECT * FROM report WHERE share_id = $1 \
    AND EXISTS (SELECT 1 FROM profile WHERE profile.sitter_id = report.sitter_id)";

/// A page of the reports of all clients that a client user is linked to, the newest walk first, and how many there are.
pub async fn reports_for_user(
    tx: &mut Tx,
    user_id: Id,
    page: Page,
) -> sqlx::Result<(Vec<SharedReport>, u64)> {
    let args = [
        user_id.arg(),
        page.limit_or(MOST_REPORTS).arg(),
        page.offset().arg(),
    ];
    let found = tx.fetch_all(SELECT_FOR_USER, args, read_shared).await?;
    let total = tx.fetch_one(COUNT_FOR_USER, [user_id.arg()], |row| Column::get(row, "n"));
    Ok((found, total.await?))
}

/// The most reports at once without a limit.
const MOST_REPORTS: u64 = 500;

macro_rules! of_user {
    ($columns:literal, $order:literal) => {
        concat!(
            "SELECT ",
            $columns,
            " FROM client_user_link JOIN report \
    ON report.sitter_id = client_user_link.sitter_id AND report.client_id = client_user_link.client_id \
    JOIN client ON client.sitter_id = client_user_link.sitter_id AND client.id = client_user_link.client_id \
    AND ",
            linked_by_row!("client_user_link"),
            " WHERE client_user_link.user_id = $1 AND report.share_id IS NOT NULL",
            $order
        )
    };
}

const SELECT_FOR_USER: &str = of_user!(
    "report.*",
    " ORDER BY report.started_at_ms DESC, report.id LIMIT $2 OFFSET $3"
);
const COUNT_FOR_USER: &str = of_user!("count(*) AS n", "");
