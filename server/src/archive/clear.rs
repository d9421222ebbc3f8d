//! Owns how a business is cleared of all its work, and how that is undone: some rows at a time, so that nobody waits. Meanwhile
//! nothing else is done in it, and who breaks off is gone on with.

use walkies_core::archive::{line, most_rows, read_line};
use walkies_core::{Id, Instant, RowKey, TableName};

use super::import::{BATCH, claim, write_rows};
use super::read::Failure;
use crate::db::{self, ClearingRow, Tx};
use crate::error::AppError;
use crate::log::redacted;
use crate::mention;
use crate::state::App;

/// For so long it can be undone.
pub const UNDO_MS: i64 = 30 * 24 * 60 * 60 * 1000;

/// The tables of the work: all but the profile and the settings.
fn tables() -> impl DoubleEndedIterator<Item = TableName> {
    let all = TableName::ALL.iter().copied();
    all.filter(|it| !matches!(it, TableName::Sitter | TableName::AvailabilityConfig))
}

/// Works on the next business that is to be cleared or restored; `false` where there is none.
pub(super) async fn work_on_next(app: &App) -> Result<bool, Failure> {
    let mut tx = app.db.write().await?;
    let clearing = db::lease_clearing(&mut tx, app.now()).await?;
    tx.commit().await?;
    let Some(ClearingRow {
        sitter_id, state, ..
    }) = clearing
    else {
        return Ok(false);
    };
    if state == "clearing" {
        for table in tables().rev() {
            while clear_some(app, sitter_id, table).await? {}
        }
    } else {
        for table in tables() {
            while restore_some(app, sitter_id, table).await? {}
        }
    }
    let mut tx = app.db.write().await?;
    if state == "clearing" {
        db::set_clearing_state(&mut tx, sitter_id, "cleared").await?;
    } else {
        db::forget_clearing(&mut tx, sitter_id).await?;
    }
    db::set_importing(&mut tx, sitter_id, None).await?;
    tx.commit().await?;
    tracing::info!(%sitter_id, state, "a business was cleared or restored");
    // What was deleted stands nowhere else.
    if let Err(error) = app.db.checkpoint().await {
        tracing::warn!(
            error = redacted(&error),
            "the log of the database is as it was"
        );
    }
    Ok(true)
}

/// `false` where there are no more.
async fn clear_some(app: &App, sitter_id: Id, table: TableName) -> Result<bool, Failure> {
    let mut tx = app.db.write().await?;
    let most = u32::try_from(BATCH).unwrap_or(u32::MAX);
    let rows = db::page_of_rows(&mut tx, table, sitter_id, None, most).await?;
    if rows.is_empty() {
        tx.rollback().await?;
        return Ok(false);
    }
    let rev = claim(app, &mut tx, sitter_id).await?;
    for row in rows {
        let key = row.key();
        let json = line(&row).map_err(|it| Failure::Later(AppError::Internal(it.into())))?;
        db::keep_cleared_row(&mut tx, sitter_id, key, json).await?;
        db::delete_row(&mut tx, sitter_id, rev, key, app.now()).await?;
        db::clear_answers(&mut tx, sitter_id, key.id).await?;
        mention::forget(&mut tx, sitter_id, key.id).await?;
    }
    db::renew_clearing(&mut tx, sitter_id, app.now()).await?;
    tx.commit().await?;
    app.realtime.changed(sitter_id, rev);
    Ok(true)
}

/// Puts back what is not there; `false` where there are no more.
async fn restore_some(app: &App, sitter_id: Id, table: TableName) -> Result<bool, Failure> {
    let mut tx = app.db.write().await?;
    let most = u32::try_from(BATCH).unwrap_or(u32::MAX);
    let kept = db::cleared_rows(&mut tx, sitter_id, table, most).await?;
    if kept.is_empty() {
        tx.rollback().await?;
        return Ok(false);
    }
    let mut rows = Vec::new();
    for (id, json) in &kept {
        let key = RowKey { table, id: *id };
        let is_there = db::row_exists(&mut tx, sitter_id, key).await?;
        match read_line(table, json) {
            Ok(row) if !is_there => rows.push(row),
            Ok(_) => {}
            Err(error) => {
                let error = error.to_string();
                tracing::error!(%sitter_id, table = table.name(), error, "a row cannot be put back");
            }
        }
        db::forget_cleared_row(&mut tx, sitter_id, key).await?;
    }
    let rev = write_rows(app, &mut tx, sitter_id, rows).await?;
    db::renew_clearing(&mut tx, sitter_id, app.now()).await?;
    tx.commit().await?;
    app.realtime.changed(sitter_id, rev);
    Ok(true)
}

/// Whether a business has room for all that it was cleared of.
pub async fn has_room_to_restore(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<bool> {
    for table in tables() {
        let there_are = db::count_rows(tx, sitter_id, table).await?;
        let cleared = db::count_cleared(tx, sitter_id, table).await?;
        if cleared > 0 && most_rows(table) < there_are + cleared {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Forgets what can be undone no more.
pub async fn collect(app: &App) -> anyhow::Result<()> {
    let before = Instant(app.now().0 - UNDO_MS);
    let old = db::old_clearings(&mut app.db.read_autocommit().await?, before).await?;
    for sitter_id in old {
        loop {
            let mut tx = app.db.write().await?;
            let n = db::forget_cleared_rows(&mut tx, sitter_id).await?;
            if n == 0 {
                db::forget_clearing(&mut tx, sitter_id).await?;
                tx.commit().await?;
                break;
            }
            tx.commit().await?;
        }
    }
    Ok(())
}
