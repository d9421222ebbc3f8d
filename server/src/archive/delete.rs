//! Owns the removal of a deleted account's business, which is closed by then: rows go in batches, so that nobody waits. After
//! a kill the job that clears businesses resumes it.

use walkies_core::Id;

use super::rows::BATCH;
use crate::app::dropped_files;
use crate::app::state::App;
use crate::base::log::redacted;
use crate::db::{self, TABLES_OF_MANY_ROWS, TABLES_OF_PIECES};
use crate::write::ended_access;

/// Batches of rows that may still be removed in this call; the job has no limit.
struct Steps(Option<u32>);

impl Steps {
    /// Takes a step; `false` when none is left.
    fn take(&mut self) -> bool {
        match &mut self.0 {
            None => true,
            Some(0) => false,
            Some(left) => {
                *left -= 1;
                true
            }
        }
    }
}

/// Removes what is left of a business that was closed, or its first rows where it has very many.
pub async fn delete_first_rows(app: &App, sitter_id: Id) -> sqlx::Result<()> {
    delete_rows(app, sitter_id, Steps(Some(app.settings.import_turn))).await
}

/// Removes all that is left of it.
pub(super) async fn delete_all(app: &App, sitter_id: Id) -> sqlx::Result<()> {
    delete_rows(app, sitter_id, Steps(None)).await
}

async fn delete_rows(app: &App, sitter_id: Id, mut steps: Steps) -> sqlx::Result<()> {
    loop {
        let mut tx = app.db.write().await?;
        let told = ended_access::tell_some_of_closing(app, &mut tx, sitter_id).await?;
        if told {
            db::renew_clearing(&mut tx, sitter_id, app.now()).await?;
        }
        tx.commit().await?;
        if !told {
            break;
        }
        app.push_queued.notify_one();
        app.mail_queued.notify_one();
        if !steps.take() {
            return leave_to_job(app, sitter_id).await;
        }
    }
    loop {
        let mut tx = app.db.write().await?;
        let dropped = db::drop_some_photos(&mut tx, sitter_id, BATCH).await?;
        if dropped {
            db::renew_clearing(&mut tx, sitter_id, app.now()).await?;
        }
        tx.commit().await?;
        if !dropped {
            break;
        }
        if !steps.take() {
            return leave_to_job(app, sitter_id).await;
        }
    }
    for table in TABLES_OF_PIECES.iter().chain(TABLES_OF_MANY_ROWS) {
        loop {
            let mut tx = app.db.read_autocommit().await?;
            if !db::has_rows(&mut tx, sitter_id, table.0).await? {
                break;
            }
            drop(tx);
            if !steps.take() {
                return leave_to_job(app, sitter_id).await;
            }
            let mut tx = app.db.write().await?;
            match TABLES_OF_PIECES.contains(table) {
                true => {
                    db::drop_some_pieces(&mut tx, sitter_id, *table, app.now(), BATCH).await?;
                }
                false => db::delete_some_rows(&mut tx, sitter_id, *table, BATCH).await?,
            }
            db::renew_clearing(&mut tx, sitter_id, app.now()).await?;
            tx.commit().await?;
        }
    }
    let mut tx = app.db.write().await?;
    db::lock_and_ask_importing(&mut tx, sitter_id).await?;
    // What came while it was being closed, by calls that had begun before.
    db::drop_photos_of(&mut tx, sitter_id).await?;
    db::drop_documents_of(&mut tx, sitter_id, app.now()).await?;
    db::drop_videos_of(&mut tx, sitter_id, app.now()).await?;
    db::drop_import_pieces(&mut tx, sitter_id, app.now()).await?;
    db::delete_sitter(&mut tx, sitter_id).await?;
    tx.commit().await?;
    tracing::info!(%sitter_id, "removed the rows of a deleted account");
    remove_files(app).await;
    Ok(())
}

/// Ends the lease and wakes the job.
async fn leave_to_job(app: &App, sitter_id: Id) -> sqlx::Result<()> {
    let mut tx = app.db.write().await?;
    db::release_clearing(&mut tx, sitter_id).await?;
    tx.commit().await?;
    app.clearing_queued.notify_one();
    Ok(())
}

/// Removes the files, and empties the log of the database, which has the last state of the rows.
async fn remove_files(app: &App) {
    dropped_files::remove_dropped_photos_or_log(app).await;
    dropped_files::remove_dropped_documents_or_log(app).await;
    dropped_files::remove_dropped_videos_or_log(app).await;
    // Where somebody reads just then, a part of the log stays until the next hour.
    if let Err(error) = app.db.checkpoint().await {
        tracing::warn!(
            error = redacted(&error),
            "the log of the database was not emptied"
        );
    }
}
