//! Steps of an import that a person asks for: announcing an archive, sending it piece by piece, starting it, stopping it.
//! `import` does the work.

use axum::body::Bytes;
use walkies_core::Id;
use walkies_core::archive::ArchiveFault;
use walkies_core::rules::video::VIDEO_PIECE_BYTES;

use super::read::MAX_ARCHIVE_BYTES;
use super::rows::{STOPPED, is_empty};
use crate::app::session::{AnyUser, SitterUser};
use crate::app::state::App;
use crate::app::{dropped_files, throttle};
use crate::base::error::AppError;
use crate::content::videos::store;
use crate::db::{self, ImportRow, roll_back};

/// An import whose archive may come.
pub struct BegunImport {
    /// The import as it is now.
    pub import: ImportRow,
    /// False if the same archive was announced before.
    pub is_new: bool,
}

/// Announces an archive for an empty business, unless it was announced before.
pub async fn begin_import(
    app: &App,
    user: &AnyUser,
    sitter_id: Id,
    archive_bytes: u64,
    end_sha256: Option<String>,
) -> Result<BegunImport, AppError> {
    throttle::import(app, sitter_id)?;
    if MAX_ARCHIVE_BYTES < archive_bytes {
        let fault = ArchiveFault::TooLarge("it has too many bytes");
        return Err(AppError::TooLarge(fault.to_string()));
    }
    if archive_bytes == 0 {
        return Err(AppError::Malformed(ArchiveFault::NoArchive.to_string()));
    }
    let is_hash = |it: &String| it.len() == 64 && it.bytes().all(|it| it.is_ascii_hexdigit());
    if end_sha256.as_ref().is_some_and(|it| !is_hash(it)) {
        return Err(AppError::of_field("end_sha256", "end_sha256 is not valid"));
    }
    app.disk
        .check_room(&app.db, sitter_id, archive_bytes)
        .await?;
    let mut tx = app.db.write().await?;
    // Takes the business's row: of two that begin at once, one does.
    db::video_usage_for_one_more(&mut tx, sitter_id).await?;
    let known = db::find_import(&mut tx, sitter_id).await?;
    if let Some(import) = known {
        if is_busy(&import) {
            return roll_back(tx, AppError::ImportElsewhere).await;
        }
        // What has come of it, or all of it, is not sent again.
        let is_here = matches!(import.state.as_str(), "receiving" | "ready");
        let is_this = (import.size_bytes, &import.end_hash) == (archive_bytes, &end_sha256);
        if is_here && is_this {
            tx.commit().await?;
            let is_new = false;
            return Ok(BegunImport { import, is_new });
        }
    }
    if !is_empty(&mut tx, sitter_id).await? {
        return roll_back(tx, AppError::BusinessNotEmpty).await;
    }
    if let Err(error) = throttle::begin_import(app, sitter_id) {
        return roll_back(tx, error).await;
    }
    db::drop_import(&mut tx, sitter_id, app.now()).await?;
    db::insert_import(
        &mut tx,
        sitter_id,
        app.env.id(),
        archive_bytes,
        end_sha256,
        app.now(),
    )
    .await?;
    tx.commit().await?;
    tracing::info!(user_id = %user.account.id, %sitter_id, "began an import");
    let import = find_import(app, sitter_id).await?;
    let is_new = true;
    Ok(BegunImport { import, is_new })
}

/// Stores the piece of an archive that begins at `offset`. Where another call was faster, what that one brought stays.
pub async fn receive_piece(
    app: &App,
    known: &ImportRow,
    offset: u64,
    bytes: Bytes,
) -> Result<ImportRow, AppError> {
    let sitter_id = known.sitter_id;
    let received = offset + bytes.len() as u64;
    let piece = store(app, sitter_id, offset / VIDEO_PIECE_BYTES, bytes).await?;
    let mut tx = app.db.write().await?;
    if db::receive_import(&mut tx, known, received, &piece, app.now()).await? {
        tx.commit().await?;
    } else {
        tx.rollback().await?;
    }
    app.import_queued.notify_one();
    find_import(app, sitter_id).await
}

/// Starts to write an archive that was checked.
pub async fn start_import(app: &App, sitter: &SitterUser) -> Result<ImportRow, AppError> {
    let sitter_id = sitter.sitter_id;
    let known = find_import(app, sitter_id).await?;
    app.disk
        .check_room(&app.db, sitter_id, known.size_bytes)
        .await?;
    let mut tx = app.db.write().await?;
    db::video_usage_for_one_more(&mut tx, sitter_id).await?;
    let Some(import) = db::find_import(&mut tx, sitter_id).await? else {
        return roll_back(tx, AppError::NotFound).await;
    };
    if import.state != "ready" || db::is_rewritten(&mut tx, sitter_id).await? {
        return roll_back(tx, AppError::ImportElsewhere).await;
    }
    if !is_empty(&mut tx, sitter_id).await? {
        return roll_back(tx, AppError::BusinessNotEmpty).await;
    }
    if let Err(error) = throttle::write(app, sitter_id, written_bytes(app, import.total)) {
        return roll_back(tx, error).await;
    }
    db::start_import(&mut tx, sitter_id, app.now()).await?;
    tx.commit().await?;
    tracing::info!(user_id = %sitter.user_id, %sitter_id, total = import.total, "started an import");
    app.import_queued.notify_one();
    find_import(app, sitter_id).await
}

/// Stops an import that is written, or drops one that is not.
pub async fn forget_import(app: &App, sitter_id: Id) -> Result<(), AppError> {
    let mut tx = app.db.write().await?;
    db::video_usage_for_one_more(&mut tx, sitter_id).await?;
    match db::find_import(&mut tx, sitter_id).await? {
        None => return roll_back(tx, AppError::NotFound).await,
        Some(import) if import.state == "writing" => {
            let stopped = STOPPED.to_owned();
            db::stop_import(&mut tx, sitter_id, stopped, app.now()).await?;
            app.import_queued.notify_one();
        }
        Some(import) if is_busy(&import) => {
            return roll_back(tx, AppError::ImportElsewhere).await;
        }
        Some(_) => db::drop_import(&mut tx, sitter_id, app.now()).await?,
    }
    tx.commit().await?;
    dropped_files::remove_dropped_videos_or_log(app).await;
    Ok(())
}

/// Returns the import of a business; `NotFound` if it has none.
pub async fn find_import(app: &App, sitter_id: Id) -> Result<ImportRow, AppError> {
    let mut tx = app.db.read_autocommit().await?;
    let found = db::find_import(&mut tx, sitter_id).await?;
    found.ok_or(AppError::NotFound)
}

fn is_busy(import: &ImportRow) -> bool {
    matches!(import.state.as_str(), "checking" | "writing" | "undoing")
}

/// The bytes that so many rows and files of an archive count as, among what a business writes: half a day's at most, so that one
/// can be written, and one more.
fn written_bytes(app: &App, rows: u64) -> usize {
    let half_a_day = app.settings.rate_of_writes.burst as usize / 2 * 1024;
    let rows = usize::try_from(rows).unwrap_or(usize::MAX);
    rows.saturating_mul(ROW_BYTES).min(half_a_day)
}

/// The bytes of a usual row.
const ROW_BYTES: usize = 512;
