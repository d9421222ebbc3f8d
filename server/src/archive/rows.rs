//! Owns writing the rows of a business that is imported, cleared or restored: some at a time, each time at its next revision.

use walkies_core::rows::invoice::Invoice;
use walkies_core::rows::report::Report;
use walkies_core::rows::sitter::Sitter;
use walkies_core::{Id, Row, TableName};

use super::read::Failure;
use crate::app::state::App;
use crate::base::env::Env;
use crate::base::error::AppError;
use crate::db::{self, Tx};

/// Rows that are written at once, or fewer where they are long: some milliseconds in which others wait.
pub(super) const BATCH: u32 = 200;

/// Message for an import that somebody has stopped.
pub const STOPPED: &str = "The import was stopped. Nothing was changed.";

/// Claims the next revision of a business.
pub(super) async fn claim(app: &App, tx: &mut Tx, sitter_id: Id) -> Result<u64, Failure> {
    let next = db::claim_next_revision(tx, sitter_id, None, None).await?;
    let next = next.ok_or(Failure::Later(AppError::NotFound))?;
    db::set_revision_id(tx, sitter_id, &next, app.current_revision_id()).await?;
    Ok(next.rev)
}

/// Writes rows at the next revision. The address of a page is kept if it is free.
pub(super) async fn write_rows(
    app: &App,
    tx: &mut Tx,
    sitter_id: Id,
    rows: Vec<Row>,
) -> Result<u64, Failure> {
    let rev = claim(app, tx, sitter_id).await?;
    for mut row in rows {
        let id = row.key().id;
        if let Row::Sitter(it) = &mut row {
            // It may have changed since the archive was looked through: whoever takes the money says what it is.
            let current = db::select_one::<Sitter>(tx, sitter_id, sitter_id).await?;
            it.subscription = current.and_then(|it| it.row.subscription);
        }
        if let Row::Report(Report { share_id, .. }) | Row::Invoice(Invoice { share_id, .. }) =
            &mut row
        {
            let is_free = match share_id.as_deref().filter(|it| Env::is_share_id(it)) {
                Some(known) => !db::is_address_taken(tx, sitter_id, id, known).await?,
                None => false,
            };
            if !is_free {
                *share_id = Some(app.env.share_id());
            }
        }
        db::write_row(tx, sitter_id, rev, &row).await?;
    }
    Ok(rev)
}

/// Returns true if nobody has done anything in a business yet: the profile and the rows that it began with do not
/// count.
pub async fn is_empty(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<bool> {
    for table in TableName::ALL {
        let is_profile = matches!(table, TableName::Sitter | TableName::AvailabilityConfig);
        if !is_profile && !db::rows_of_work(tx, *table, sitter_id, 1).await?.is_empty() {
            return Ok(false);
        }
    }
    Ok(true)
}
