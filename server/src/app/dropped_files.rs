//! Owns removing the files of photos, documents and videos that were dropped: right after it, and later what could not be
//! removed then.

use crate::app::state::App;
use crate::base::log::redacted_chain;
use crate::db;
use crate::media::files::{FileName, PhotoSize};

/// Removes the files of some photos that nobody is to see any more; `false` when there are none.
pub async fn remove_dropped_photos(app: &App) -> anyhow::Result<bool> {
    let dropped = db::dropped_photos(&mut app.db.read_autocommit().await?, app.now()).await?;
    if dropped.is_empty() {
        return Ok(false);
    }
    for (sitter_id, file_id) in &dropped {
        for size in [PhotoSize::Full, PhotoSize::Thumb] {
            let name = FileName::photo(*sitter_id, *file_id, size);
            app.files.delete(&name).await?;
        }
    }
    let mut tx = app.db.write().await?;
    for (sitter_id, file_id) in dropped {
        db::forget_dropped_photo(&mut tx, sitter_id, file_id).await?;
    }
    tx.commit().await?;
    Ok(true)
}

/// Removes the files of some documents that are to go; `false` when there are none.
pub(crate) async fn remove_dropped_documents(app: &App) -> anyhow::Result<bool> {
    let dropped = db::dropped_documents(&mut app.db.read_autocommit().await?, app.now()).await?;
    if dropped.is_empty() {
        return Ok(false);
    }
    for (sitter_id, file_id) in &dropped {
        let name = FileName::document(*sitter_id, *file_id);
        app.files.delete(&name).await?;
    }
    let mut tx = app.db.write().await?;
    for (sitter_id, file_id) in dropped {
        db::forget_dropped_document(&mut tx, sitter_id, file_id).await?;
    }
    tx.commit().await?;
    Ok(true)
}

/// The same right after they were dropped; what cannot be removed now is removed within the hour.
pub async fn remove_dropped_documents_or_log(app: &App) {
    if let Err(error) = remove_dropped_documents(app).await {
        tracing::error!(
            error = redacted_chain(&error),
            "documents that were deleted are still stored"
        );
    }
}

/// Removes the files of some pieces of videos that are to go; `false` when there are none.
pub(crate) async fn remove_dropped_video_pieces(app: &App) -> anyhow::Result<bool> {
    let mut tx = app.db.read_autocommit().await?;
    let dropped = db::dropped_video_pieces(&mut tx, app.now()).await?;
    drop(tx);
    if dropped.is_empty() {
        return Ok(false);
    }
    for (sitter_id, file_id) in &dropped {
        let name = FileName::video_piece(*sitter_id, *file_id);
        app.files.delete(&name).await?;
    }
    let mut tx = app.db.write().await?;
    for (sitter_id, file_id) in dropped {
        db::forget_dropped_video_piece(&mut tx, sitter_id, file_id).await?;
    }
    tx.commit().await?;
    Ok(true)
}

/// Removes all pieces of videos right after they were dropped; what cannot be removed now is removed within the hour.
pub async fn remove_dropped_videos_or_log(app: &App) {
    loop {
        match remove_dropped_video_pieces(app).await {
            Ok(true) => continue,
            Ok(false) => return,
            Err(error) => {
                let error = redacted_chain(&error);
                tracing::error!(error, "videos that were deleted are still stored");
                return;
            }
        }
    }
}

/// Removes photos right after they were dropped; what cannot be removed now is removed within the hour.
pub async fn remove_dropped_photos_or_log(app: &App) {
    if let Err(error) = remove_dropped_photos(app).await {
        tracing::error!(
            error = redacted_chain(&error),
            "photos that were taken back are still stored"
        );
    }
}
