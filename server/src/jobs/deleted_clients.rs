//! Owns what goes with a client that was deleted: its conversation, some time later, so that the deletion can be undone
//! until then.

use walkies_core::rows::client::Client;
use walkies_core::{Id, Instant, RowKey, TableName};

use crate::app::state::App;
use crate::db;
use crate::write::answer_references;

/// So long a client may come back to its conversation.
const UNDO_MS: i64 = 24 * 60 * 60 * 1000;
/// So many messages go at once: others write in between.
const BATCH: u32 = 100;

/// Removes the conversations of clients that were deleted.
pub async fn collect(app: &App) -> sqlx::Result<()> {
    let before = Instant(app.now().0 - UNDO_MS);
    let mut tx = app.db.read_autocommit().await?;
    let left = db::conversations_without_client(&mut tx, before).await?;
    drop(tx);
    for (sitter_id, client_id) in left {
        while remove_some(app, sitter_id, client_id).await? {}
    }
    Ok(())
}

/// Removes some messages, and with the last of them the conversation; `false` where nothing is left, or where it waits.
async fn remove_some(app: &App, sitter_id: Id, client_id: Id) -> sqlx::Result<bool> {
    let mut tx = app.db.write().await?;
    let next = db::claim_next_revision(&mut tx, sitter_id, None, None).await?;
    let Some(next) = next.filter(|it| !it.is_importing) else {
        tx.rollback().await?;
        return Ok(false);
    };
    let client = db::select_one::<Client>(&mut tx, sitter_id, client_id).await?;
    if client.is_some() {
        // It came back since.
        tx.rollback().await?;
        return Ok(false);
    }
    db::set_revision_id(&mut tx, sitter_id, &next, app.current_revision_id()).await?;
    let messages = db::messages_of(&mut tx, sitter_id, client_id, BATCH).await?;
    let has_more = messages.len() == BATCH as usize;
    let mut gone: Vec<RowKey> = messages
        .into_iter()
        .map(|id| RowKey {
            table: TableName::Message,
            id,
        })
        .collect();
    if !has_more {
        gone.push(RowKey {
            table: TableName::Conversation,
            id: client_id,
        });
    }
    for key in gone {
        db::delete_row(&mut tx, sitter_id, next.rev, key, app.now()).await?;
        db::clear_answers(&mut tx, sitter_id, key.id).await?;
        answer_references::forget(&mut tx, sitter_id, key.id).await?;
    }
    tx.commit().await?;
    app.realtime.changed(sitter_id, next.rev);
    Ok(has_more)
}
