//! Owns how a business is cleared of all its work, and how that is undone: some rows at a time, so that nobody waits. Meanwhile
//! nothing else is done in it, and who breaks off is gone on with.

use walkies_core::archive::{line, read_line};
use walkies_core::rows::invoice::Invoice;
use walkies_core::rows::report::Report;
use walkies_core::rows::shared_mail::SharedMail;
use walkies_core::{Id, Instant, Row, RowKey, TableName};

use super::delete::delete_all;
use super::read::Failure;
use super::rows::{BATCH, claim, is_empty, write_rows};
use crate::app::state::App;
use crate::base::error::AppError;
use crate::base::log::{redacted, redacted_chain};
use crate::db::{self, ClearingRow, FeedScope, Tx};
use crate::write::{answer_references, ended_access};

/// For so long it can be undone.
pub const UNDO_MS: i64 = 30 * 24 * 60 * 60 * 1000;

/// The tables of the work: all but the profile and the settings.
fn tables() -> impl DoubleEndedIterator<Item = TableName> {
    let all = TableName::ALL.iter().copied();
    all.filter(|it| !matches!(it, TableName::Sitter | TableName::AvailabilityConfig))
}

/// Message to the owner of a business whose work could not be restored.
const NOT_RESTORED: &str = "Your business could not be brought back. Nothing of it is lost. Please write to the administrator of this server.";

/// Works on the next business that is to be cleared, restored or deleted; `false` where there is none.
pub(super) async fn work_on_next(app: &App) -> Result<bool, Failure> {
    let mut tx = app.db.write().await?;
    let clearing = db::lease_clearing(&mut tx, app.now()).await?;
    tx.commit().await?;
    let Some(clearing) = clearing else {
        return Ok(false);
    };
    match clearing.state.as_str() {
        "deleting" => delete_all(app, clearing.sitter_id).await?,
        "clearing" => clear(app, &clearing).await?,
        _ => restore(app, clearing.sitter_id).await?,
    }
    Ok(true)
}

async fn clear(app: &App, clearing: &ClearingRow) -> Result<(), Failure> {
    let sitter_id = clearing.sitter_id;
    let mut tx = app.db.write().await?;
    if !db::lock_and_ask_importing(&mut tx, sitter_id).await? {
        let last = db::last_invoice_number(&mut tx, sitter_id).await?;
        db::keep_last_invoice_number(&mut tx, sitter_id, last).await?;
        db::set_importing(&mut tx, sitter_id, Some(app.now())).await?;
    }
    tx.commit().await?;
    // Clients first: their pet parents are told while their phones still know what was booked.
    while clear_some(app, clearing, TableName::Client).await? {}
    for table in tables().rev() {
        while clear_some(app, clearing, table).await? {}
    }
    let mut tx = app.db.write().await?;
    db::lock_and_ask_importing(&mut tx, sitter_id).await?;
    db::set_clearing_state(&mut tx, sitter_id, "cleared", clearing.fault.clone()).await?;
    db::set_importing(&mut tx, sitter_id, None).await?;
    tx.commit().await?;
    tracing::info!(%sitter_id, "a business was cleared");
    // What was deleted stands nowhere else.
    if let Err(error) = app.db.checkpoint().await {
        tracing::warn!(
            error = redacted(&error),
            "the log of the database is as it was"
        );
    }
    Ok(())
}

/// Brings back all of it or nothing.
async fn restore(app: &App, sitter_id: Id) -> Result<(), Failure> {
    let fault = match find_unreadable(app, sitter_id).await? {
        None => None,
        Some(RowKey { table, id }) => {
            tracing::error!(%sitter_id, table = table.name(), %id, "a row that was cleared cannot be read");
            Some(NOT_RESTORED.to_owned())
        }
    };
    let mut tx = app.db.write().await?;
    let is_closed = db::lock_and_ask_importing(&mut tx, sitter_id).await?;
    if fault.is_some() || !is_closed && !is_empty(&mut tx, sitter_id).await? {
        db::set_clearing_state(&mut tx, sitter_id, "cleared", fault).await?;
        tx.commit().await?;
        return Ok(());
    }
    db::set_importing(&mut tx, sitter_id, Some(app.now())).await?;
    tx.commit().await?;
    for table in tables() {
        loop {
            match restore_some(app, sitter_id, table).await {
                Ok(true) => {}
                Ok(false) => break,
                Err(Failure::Later(AppError::Internal(error))) => {
                    // The database will never take it: what is there already goes back to the rest.
                    tracing::error!(%sitter_id, error = redacted_chain(&error), "a business cannot be restored");
                    let fault = Some(NOT_RESTORED.to_owned());
                    let mut tx = app.db.write().await?;
                    db::set_clearing_state(&mut tx, sitter_id, "clearing", fault).await?;
                    tx.commit().await?;
                    return Ok(());
                }
                Err(failure) => return Err(failure),
            }
        }
    }
    let mut tx = app.db.write().await?;
    db::lock_and_ask_importing(&mut tx, sitter_id).await?;
    db::forget_clearing(&mut tx, sitter_id).await?;
    db::set_importing(&mut tx, sitter_id, None).await?;
    ended_access::tell_of_restoring(app, &mut tx, sitter_id).await?;
    tx.commit().await?;
    app.mail_queued.notify_one();
    tracing::info!(%sitter_id, "a business was restored");
    Ok(())
}

/// A row that cannot be put back as it was kept.
async fn find_unreadable(app: &App, sitter_id: Id) -> Result<Option<RowKey>, Failure> {
    for table in tables() {
        let mut after = None;
        loop {
            let mut tx = app.db.read_autocommit().await?;
            let kept = db::cleared_rows(&mut tx, sitter_id, table, after, BATCH).await?;
            drop(tx);
            let unreadable = kept.iter().find(|it| read_line(table, &it.1).is_err());
            if let Some((id, _)) = unreadable {
                return Ok(Some(RowKey { table, id: *id }));
            }
            let Some((last, _)) = kept.last() else { break };
            after = Some(*last);
        }
    }
    Ok(None)
}

/// `false` where there are no more.
async fn clear_some(app: &App, clearing: &ClearingRow, table: TableName) -> Result<bool, Failure> {
    let sitter_id = clearing.sitter_id;
    let mut tx = app.db.write().await?;
    let rows = db::page_of_rows(&mut tx, table, sitter_id, FeedScope::Sitter, None, BATCH).await?;
    if rows.is_empty() {
        tx.rollback().await?;
        return Ok(false);
    }
    let rev = claim(app, &mut tx, sitter_id).await?;
    let mut is_told = false;
    for row in rows {
        let key = row.key();
        // After an undo that failed they know it already.
        if let Row::Client(client) = &row
            && clearing.fault.is_none()
        {
            is_told |= ended_access::tell_of_clearing(app, &mut tx, sitter_id, client).await?;
        }
        if clearing.keeps {
            let json = line(&row).map_err(|it| Failure::Later(AppError::Internal(it.into())))?;
            let share_id = match row {
                Row::Report(Report { share_id, .. }) | Row::Invoice(Invoice { share_id, .. }) => {
                    share_id
                }
                _ => None,
            };
            db::keep_cleared_row(&mut tx, sitter_id, key, json, share_id).await?;
        }
        db::delete_row(&mut tx, sitter_id, rev, key, app.now()).await?;
        db::clear_answers(&mut tx, sitter_id, key.id).await?;
        answer_references::forget(&mut tx, sitter_id, key.id).await?;
    }
    db::renew_clearing(&mut tx, sitter_id, app.now()).await?;
    tx.commit().await?;
    app.realtime.changed(sitter_id, rev);
    if is_told {
        app.push_queued.notify_one();
        app.mail_queued.notify_one();
    }
    Ok(true)
}

/// Puts some back; `false` where there are no more.
async fn restore_some(app: &App, sitter_id: Id, table: TableName) -> Result<bool, Failure> {
    let mut tx = app.db.write().await?;
    let kept = db::cleared_rows(&mut tx, sitter_id, table, None, BATCH).await?;
    if kept.is_empty() {
        tx.rollback().await?;
        return Ok(false);
    }
    let mut rows = Vec::new();
    for (id, json) in &kept {
        // All of them were read before the first one is put back.
        let row = read_line(table, json);
        let row = row.map_err(|_| AppError::Internal(anyhow::anyhow!("a row cannot be read")))?;
        rows.push(restored(&mut tx, sitter_id, row).await?);
        db::forget_cleared_row(&mut tx, sitter_id, RowKey { table, id: *id }).await?;
    }
    let rev = write_rows(app, &mut tx, sitter_id, rows).await?;
    db::renew_clearing(&mut tx, sitter_id, app.now()).await?;
    tx.commit().await?;
    app.realtime.changed(sitter_id, rev);
    Ok(true)
}

/// Returns a row as it is restored: a client whose login is gone by now is not linked with it, and an invoice or report
/// whose mail was dropped meanwhile does not wait for it.
async fn restored(tx: &mut Tx, sitter_id: Id, mut row: Row) -> sqlx::Result<Row> {
    if let Row::Client(client) = &mut row {
        for user_id in client.logins().collect::<Vec<_>>() {
            if !db::is_linked(tx, sitter_id, client.id, user_id).await? {
                client.remove_login(user_id);
            }
        }
    }
    let key = row.key();
    if let Row::Invoice(Invoice { mailed, .. }) | Row::Report(Report { mailed, .. }) = &mut row
        && mailed.as_ref().is_some_and(SharedMail::is_waiting)
        && !db::is_shared_mail_queued(tx, sitter_id, key).await?
    {
        *mailed = None;
    }
    Ok(row)
}

/// Forgets what can be undone no more.
pub async fn collect(app: &App) -> anyhow::Result<()> {
    let before = Instant(app.now().0 - UNDO_MS);
    let old = db::old_clearings(&mut app.db.read_autocommit().await?, before).await?;
    for sitter_id in old {
        forget(app, sitter_id).await?;
    }
    Ok(())
}

/// Forgets what a business was cleared of: some rows at a time, so that nobody waits.
async fn forget(app: &App, sitter_id: Id) -> sqlx::Result<()> {
    loop {
        let mut tx = app.db.write().await?;
        let n = db::forget_cleared_rows(&mut tx, sitter_id).await?;
        if n == 0 {
            db::forget_clearing(&mut tx, sitter_id).await?;
        }
        tx.commit().await?;
        if n == 0 {
            return Ok(());
        }
    }
}
