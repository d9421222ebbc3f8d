//! Videos that somebody sent in pieces: how much a business may send, where the pieces are stored, and the check of the whole
//! video with the last one.

use axum::body::Bytes;
use walkies_core::Id;
use walkies_core::rules::video::{
    MAX_UNFINISHED_VIDEOS, MAX_VIDEO_STORAGE_BYTES, VIDEO_PIECE_BYTES, VideoError, n_pieces,
};

use crate::app::state::App;
use crate::app::{dropped_files, throttle};
use crate::base::error::AppError;
use crate::content::photos::unavailable;
use crate::db::{self, VideoPiece, VideoRow, roll_back};
use crate::media::files::FileName;
use crate::media::video::{self, Fault, Pieces};

/// Seconds to wait with too many unfinished videos; those of which nothing more comes are removed within a day.
const UNFINISHED_S: u64 = 60 * 60;

/// A video whose pieces may come.
pub(crate) struct BegunVideo {
    pub(crate) video: VideoRow,
    /// False if it was announced before.
    pub(crate) is_new: bool,
}

/// Announces a video of so many bytes, unless it was announced before. Another one under the same id does not take its place.
pub(crate) async fn begin_video(
    app: &App,
    sitter_id: Id,
    id: Id,
    size_bytes: u64,
) -> Result<BegunVideo, AppError> {
    if let Some(video) = find(app, sitter_id, id).await? {
        return if video.size_bytes == size_bytes {
            let is_new = false;
            Ok(BegunVideo { video, is_new })
        } else {
            Err(AppError::KeyReused)
        };
    }
    app.disk.check_room(&app.db, sitter_id, size_bytes).await?;
    throttle::video(app, sitter_id)?;
    let mut tx = app.db.write().await?;
    let (bytes, unfinished) = db::video_usage_for_one_more(&mut tx, sitter_id).await?;
    if MAX_UNFINISHED_VIDEOS <= unfinished {
        let retry_after_s = UNFINISHED_S;
        return roll_back(tx, AppError::TooManyRequests { retry_after_s }).await;
    }
    if MAX_VIDEO_STORAGE_BYTES < bytes.saturating_add(size_bytes) {
        return roll_back(tx, AppError::VideoStorageFull).await;
    }
    db::insert_video(&mut tx, sitter_id, id, size_bytes, app.now()).await?;
    tx.commit().await?;
    let video = find(app, sitter_id, id).await?.ok_or(AppError::NotFound)?;
    let is_new = true;
    Ok(BegunVideo { video, is_new })
}

/// Keeps the next piece of a video, and looks through all of it with the last one.
pub(crate) async fn receive(
    app: &App,
    sitter_id: Id,
    video: &VideoRow,
    bytes: Bytes,
) -> Result<VideoRow, AppError> {
    let offset = video.received_bytes;
    if offset == 0 {
        video::check_beginning(&bytes).map_err(refuse)?;
    }
    let received = VideoRow {
        received_bytes: offset + bytes.len() as u64,
        ..video.clone()
    };
    let number = offset / VIDEO_PIECE_BYTES;
    let piece = store(app, sitter_id, number, bytes).await?;
    if received.received_bytes < video.size_bytes {
        note(app, sitter_id, video, &received, &[piece]).await
    } else {
        finish(app, sitter_id, video, received, piece).await
    }
}

/// Keeps a video that is here as a whole as it keeps those that come in pieces.
pub(crate) async fn store_video(
    app: &App,
    sitter_id: Id,
    id: Id,
    bytes: Bytes,
) -> Result<(), AppError> {
    let size_bytes = bytes.len() as u64;
    let mut tx = app.db.write().await?;
    db::insert_video(&mut tx, sitter_id, id, size_bytes, app.now()).await?;
    tx.commit().await?;
    let mut video = find(app, sitter_id, id).await?.ok_or(AppError::NotFound)?;
    for piece in bytes.chunks(VIDEO_PIECE_BYTES as usize) {
        video = receive(app, sitter_id, &video, bytes.slice_ref(piece)).await?;
    }
    Ok(())
}

/// Keeps a video of an archive, unless it is here already. What has come of it before begins anew.
pub(crate) async fn import_video(
    app: &App,
    sitter_id: Id,
    id: Id,
    bytes: Bytes,
) -> Result<(), AppError> {
    match find(app, sitter_id, id).await? {
        Some(known) if known.media_type.is_some() => return Ok(()),
        Some(_) => {
            drop_video(app, sitter_id, id).await?;
        }
        None => {}
    }
    let mut tx = app.db.write().await?;
    let (stored, _) = db::video_usage_for_one_more(&mut tx, sitter_id).await?;
    tx.commit().await?;
    if bytes.is_empty() {
        return Err(refuse(VideoError::Missing));
    }
    if MAX_VIDEO_STORAGE_BYTES < stored.saturating_add(bytes.len() as u64) {
        return Err(AppError::VideoStorageFull);
    }
    let kept = store_video(app, sitter_id, id, bytes).await;
    if kept.is_err() {
        drop_video(app, sitter_id, id).await?;
    }
    kept
}

/// Stores a piece under a name of its own, which goes in a day where nothing comes of it.
pub(crate) async fn store(
    app: &App,
    sitter_id: Id,
    number: u64,
    bytes: Bytes,
) -> Result<VideoPiece, AppError> {
    let file_id = app.env.id();
    let mut tx = app.db.write().await?;
    db::announce_video_piece(&mut tx, sitter_id, file_id, app.now()).await?;
    tx.commit().await?;
    let name = FileName::video_piece(sitter_id, file_id);
    app.files.put(&name, bytes).await.map_err(unavailable)?;
    Ok(VideoPiece { number, file_id })
}

/// Notes pieces whose files are stored. Where another call was faster, what that one brought stays and is given.
async fn note(
    app: &App,
    sitter_id: Id,
    video: &VideoRow,
    received: &VideoRow,
    pieces: &[VideoPiece],
) -> Result<VideoRow, AppError> {
    let mut tx = app.db.write().await?;
    let now = app.now();
    if db::receive_video(&mut tx, sitter_id, video, received, pieces, now).await? {
        tx.commit().await?;
        return Ok(received.clone());
    }
    tx.rollback().await?;
    find(app, sitter_id, video.id)
        .await?
        .ok_or(AppError::NotFound)
}

/// Looks through all of a video with its last piece, and keeps it as it may be shown. One that is none goes at once.
async fn finish(
    app: &App,
    sitter_id: Id,
    video: &VideoRow,
    received: VideoRow,
    last: VideoPiece,
) -> Result<VideoRow, AppError> {
    let permit = app.video_permits.acquire().await;
    let _permit = permit.map_err(|it| AppError::Unavailable(it.into()))?;
    let mut tx = app.db.read_autocommit().await?;
    let mut file_ids = db::pieces_of_video(&mut tx, sitter_id, video.id).await?;
    drop(tx);
    file_ids.push(last.file_id);
    let mut pieces = Pieces::new(&app.files, sitter_id, file_ids, video.size_bytes);
    let inspected = match video::inspect(&mut pieces).await {
        Ok(inspected) => inspected,
        Err(fault) => {
            if matches!(fault, Fault::Refused(_)) {
                drop_video(app, sitter_id, video.id).await?;
            }
            return Err(fault.into());
        }
    };
    let mut stored = vec![last];
    for number in 0..n_pieces(video.size_bytes) {
        if let Some(bytes) = video::blanked(&mut pieces, number, &inspected.blanks).await? {
            stored.push(store(app, sitter_id, number, bytes).await?);
        }
    }
    let received = VideoRow {
        media_type: Some(inspected.media_type.to_owned()),
        ..received
    };
    let noted = note(app, sitter_id, video, &received, &stored).await;
    // The pieces as they came.
    dropped_files::remove_dropped_videos_or_log(app).await;
    noted
}

/// `false` where there is none, or where an invoice shows it.
pub(crate) async fn drop_video(app: &App, sitter_id: Id, id: Id) -> Result<bool, AppError> {
    let mut tx = app.db.write().await?;
    let is_dropped = db::drop_video(&mut tx, sitter_id, id, app.now()).await?;
    tx.commit().await?;
    dropped_files::remove_dropped_videos_or_log(app).await;
    Ok(is_dropped)
}

pub(crate) async fn find(app: &App, sitter_id: Id, id: Id) -> Result<Option<VideoRow>, AppError> {
    let mut tx = app.db.read_autocommit().await?;
    Ok(db::find_video(&mut tx, sitter_id, id).await?)
}

pub(crate) fn refuse(error: VideoError) -> AppError {
    Fault::Refused(error).into()
}
