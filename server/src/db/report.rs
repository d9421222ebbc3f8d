//! Owns how shared reports are found by those who are no sitters: by their address, or by the client they are for.

use walkies_core::Id;
use walkies_core::rows::report::Report;

use super::Tx;
use super::column::{Column, Source};
use super::row::Synced as _;
use crate::{bind_all, on_tx};

/// A report with the business it is of.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedReport {
    /// Whose business.
    pub sitter_id: Id,
    /// The report.
    pub report: Report,
}

fn read_shared(source: &dyn Source) -> sqlx::Result<SharedReport> {
    Ok(SharedReport {
        sitter_id: Column::get(source, "sitter_id")?,
        report: Report::read(source)?,
    })
}

/// The report of an address, if there is one.
pub async fn find_shared_report(tx: &mut Tx, share_id: &str) -> sqlx::Result<Option<SharedReport>> {
    let args = [share_id.to_owned().arg()];
    on_tx!(tx, connection => {
        let row = bind_all!(sqlx::query(SELECT_SHARED), args).fetch_optional(connection).await?;
        row.map(|row| read_shared(&row)).transpose()
    })
}

const SELECT_SHARED: &str = "SELECT * FROM report WHERE share_id = $1";

/// The reports of all clients that a client user is linked to, the newest walk first.
pub async fn reports_for_user(tx: &mut Tx, user_id: Id) -> sqlx::Result<Vec<SharedReport>> {
    let args = [user_id.arg()];
    on_tx!(tx, connection => {
        let rows = bind_all!(sqlx::query(SELECT_FOR_USER), args).fetch_all(connection).await?;
        rows.iter().map(|row| read_shared(row)).collect()
    })
}

const SELECT_FOR_USER: &str = "SELECT report.* FROM client_user_link JOIN report \
    ON report.sitter_id = client_user_link.sitter_id AND report.client_id = client_user_link.client_id \
    WHERE client_user_link.user_id = $1 ORDER BY report.started_at_ms DESC, report.id LIMIT 500";
