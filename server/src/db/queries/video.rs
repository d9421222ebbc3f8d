//! Owns what is known of videos, of their pieces and of those whose files are to go; the files themselves are elsewhere.

use std::collections::BTreeMap;

use walkies_core::rows::invoice::Invoice;
use walkies_core::{Id, Instant};

use super::photo::{UNNAMED_MS, dropped_files, due_by_sitter};
use crate::db::engine::{Column, DbRow, Tx};

/// A video, or as much as has come of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VideoRow {
    /// Made by the phone.
    pub id: Id,
    /// The length of the whole video in bytes.
    pub size_bytes: u64,
    /// The number of bytes that have arrived, from the video's beginning.
    pub received_bytes: u64,
    /// Its media type, once all of it has arrived and was checked.
    pub media_type: Option<String>,
}

/// A piece whose file is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VideoPiece {
    /// Position of the piece, from 0.
    pub number: u64,
    /// The id that names its file.
    pub file_id: Id,
}

/// One that invoices name is looked at so often.
const NAMED_MS: i64 = 7 * UNNAMED_MS;

pub(super) fn read_video(row: &dyn DbRow) -> sqlx::Result<VideoRow> {
    Ok(VideoRow {
        id: Column::get(row, "id")?,
        size_bytes: Column::get(row, "size_bytes")?,
        received_bytes: Column::get(row, "received_bytes")?,
        media_type: Column::read(row, "media_type")?,
    })
}

/// SQL condition that an invoice of the business which is not deleted names the video `$2`: whoever undoes a deletion
/// finds it there for as long as one that nothing names is kept. Also true if one may do so again, since the business
/// was cleared.
macro_rules! is_named {
    () => {
        "(EXISTS (SELECT 1 FROM clearing WHERE clearing.sitter_id = $1) OR EXISTS (SELECT 1 FROM invoice_video \
         JOIN invoice ON invoice.sitter_id = invoice_video.sitter_id AND invoice.id = invoice_video.invoice_id \
         WHERE invoice_video.sitter_id = $1 AND invoice_video.video_id = $2 AND invoice.deleted_at_ms IS NULL))"
    };
}

/// Returns the bytes of all videos of a business, and how many uploads are unfinished. Locks the business's row, so
/// that nobody begins another one meanwhile.
pub async fn video_usage_for_one_more(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<(u64, u64)> {
    tx.defer(LOCK_SITTER, vec![sitter_id.arg()]).await?;
    tx.fetch_one(SELECT_USAGE, vec![sitter_id.arg()], |row| {
        let bytes: Option<u64> = Column::read(row, "bytes")?;
        Ok((bytes.unwrap_or_default(), Column::get(row, "unfinished")?))
    })
    .await
}

/// How many bytes the videos of a business have.
pub async fn video_bytes(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<u64> {
    tx.fetch_one(SELECT_USAGE, vec![sitter_id.arg()], |row| {
        let bytes: Option<u64> = Column::read(row, "bytes")?;
        Ok(bytes.unwrap_or_default())
    })
    .await
}

const LOCK_SITTER: &str = "UPDATE sitter SET rev = rev WHERE id = $1";
const SELECT_USAGE: &str = "SELECT CAST(sum(size_bytes) AS BIGINT) AS bytes, \
    count(CASE WHEN media_type IS NULL THEN 1 END) AS unfinished FROM video WHERE sitter_id = $1";

/// Notes a video of which nothing has come yet; `false` when the id is taken.
pub async fn insert_video(
    tx: &mut Tx,
    sitter_id: Id,
    id: Id,
    size_bytes: u64,
    now: Instant,
) -> sqlx::Result<bool> {
    let due_at = Instant(now.0 + UNNAMED_MS);
    let args = [
        sitter_id.arg(),
        id.arg(),
        size_bytes.arg(),
        now.arg(),
        due_at.arg(),
    ];
    Ok(tx.execute(INSERT_VIDEO, args).await? == 1)
}

const INSERT_VIDEO: &str = "INSERT INTO video \
    (sitter_id, id, size_bytes, received_bytes, unnamed_since_ms, due_at_ms) \
    VALUES ($1, $2, $3, 0, $4, $5) ON CONFLICT (sitter_id, id) DO NOTHING";

/// A video of this business.
pub async fn find_video(tx: &mut Tx, sitter_id: Id, id: Id) -> sqlx::Result<Option<VideoRow>> {
    let args = [sitter_id.arg(), id.arg()];
    tx.fetch_optional(SELECT_VIDEO, args, read_video).await
}

const SELECT_VIDEO: &str = "SELECT id, size_bytes, received_bytes, media_type FROM video \
    WHERE sitter_id = $1 AND id = $2";

/// Lists the ids that name the files of a video's pieces, in the order of the pieces.
pub async fn pieces_of_video(tx: &mut Tx, sitter_id: Id, id: Id) -> sqlx::Result<Vec<Id>> {
    tx.fetch_all(SELECT_PIECES, [sitter_id.arg(), id.arg()], |row| {
        Column::get(row, "file_id")
    })
    .await
}

const SELECT_PIECES: &str = "SELECT file_id FROM video_piece \
    WHERE sitter_id = $1 AND video_id = $2 ORDER BY number";

/// Notes that the file of a piece is about to be stored: if nothing comes of it, it is removed in a day.
pub async fn announce_video_piece(
    tx: &mut Tx,
    sitter_id: Id,
    file_id: Id,
    now: Instant,
) -> sqlx::Result<()> {
    let due_at = Instant(now.0 + UNNAMED_MS);
    let args = vec![sitter_id.arg(), file_id.arg(), due_at.arg()];
    tx.defer(ANNOUNCE_PIECE, args).await
}

const ANNOUNCE_PIECE: &str =
    "INSERT INTO dropped_video_piece (sitter_id, file_id, due_at_ms) VALUES ($1, $2, $3)";

/// Notes what has come of a video: `pieces`, whose files are stored, those among them that take the place of earlier ones.
/// `false`, and nothing is noted, where more or less than `known` has come of it by now.
pub async fn receive_video(
    tx: &mut Tx,
    sitter_id: Id,
    known: &VideoRow,
    received: &VideoRow,
    pieces: &[VideoPiece],
    now: Instant,
) -> sqlx::Result<bool> {
    let args = [
        sitter_id.arg(),
        known.id.arg(),
        known.received_bytes.arg(),
        received.received_bytes.arg(),
        received.media_type.arg(),
        now.arg(),
        Instant(now.0 + UNNAMED_MS).arg(),
    ];
    if tx.execute(RECEIVE, args).await? == 0 {
        return Ok(false);
    }
    for piece in pieces {
        let of_piece = vec![sitter_id.arg(), known.id.arg(), piece.number.arg()];
        let with = |arg| [of_piece.clone(), vec![arg]].concat();
        tx.defer(DROP_PIECE, with(now.arg())).await?;
        tx.defer(PUT_PIECE, with(piece.file_id.arg())).await?;
        forget_dropped_video_piece(tx, sitter_id, piece.file_id).await?;
    }
    Ok(true)
}

const RECEIVE: &str = "UPDATE video \
    SET received_bytes = $4, media_type = $5, unnamed_since_ms = $6, due_at_ms = $7 \
    WHERE sitter_id = $1 AND id = $2 AND received_bytes = $3 AND media_type IS NULL";
const DROP_PIECE: &str = "INSERT INTO dropped_video_piece (sitter_id, file_id, due_at_ms) \
    SELECT sitter_id, file_id, $4 FROM video_piece WHERE sitter_id = $1 AND video_id = $2 AND number = $3";
const PUT_PIECE: &str = "INSERT INTO video_piece (sitter_id, video_id, number, file_id) VALUES ($1, $2, $3, $4) \
    ON CONFLICT (sitter_id, video_id, number) DO UPDATE SET file_id = excluded.file_id";

/// Makes a video disappear that no invoice names; its files are removed later. `false` when there is none.
pub async fn drop_video(tx: &mut Tx, sitter_id: Id, id: Id, now: Instant) -> sqlx::Result<bool> {
    tx.defer(LOCK_SITTER, vec![sitter_id.arg()]).await?;
    let of_video = vec![sitter_id.arg(), id.arg()];
    let dropped = [of_video.clone(), vec![now.arg()]].concat();
    tx.defer(DROP_FILES, dropped).await?;
    Ok(tx.execute(DELETE_VIDEO, of_video).await? == 1)
}

const DROP_FILES: &str = concat!(
    "INSERT INTO dropped_video_piece (sitter_id, file_id, due_at_ms) SELECT sitter_id, file_id, $3 FROM video_piece \
     WHERE sitter_id = $1 AND video_id = $2 AND NOT ",
    is_named!()
);
const DELETE_VIDEO: &str = concat!(
    "DELETE FROM video WHERE sitter_id = $1 AND id = $2 AND NOT ",
    is_named!()
);

/// Notes that the files of all videos of a business are to be removed, which is about to be deleted.
pub async fn drop_videos_of(tx: &mut Tx, sitter_id: Id, now: Instant) -> sqlx::Result<()> {
    tx.defer(DROP_ALL_FILES, vec![sitter_id.arg(), now.arg()])
        .await
}

const DROP_ALL_FILES: &str = "INSERT INTO dropped_video_piece (sitter_id, file_id, due_at_ms) \
    SELECT sitter_id, file_id, $2 FROM video_piece WHERE sitter_id = $1";

/// Some videos that are to be looked at, by business.
pub async fn due_videos(tx: &mut Tx, now: Instant) -> sqlx::Result<BTreeMap<Id, Vec<Id>>> {
    due_by_sitter(tx, SELECT_DUE, now).await
}

const SELECT_DUE: &str =
    "SELECT sitter_id, id FROM video WHERE due_at_ms <= $1 ORDER BY due_at_ms LIMIT 100";

/// Looks at videos of a business: those that no invoice names, and of which nothing has come for a day, are dropped. Takes
/// the business's row, so that no command names one meanwhile.
pub async fn sweep_videos(
    tx: &mut Tx,
    sitter_id: Id,
    videos: &[Id],
    now: Instant,
) -> sqlx::Result<()> {
    tx.defer(LOCK_SITTER, vec![sitter_id.arg()]).await?;
    for id in videos {
        let at = |at: i64| vec![sitter_id.arg(), id.arg(), Instant(at).arg()];
        tx.defer(KEEP_NAMED, at(now.0 + NAMED_MS)).await?;
        let unnamed = [at(now.0 - UNNAMED_MS), vec![now.arg()]].concat();
        tx.defer(DROP_UNNAMED_FILES, unnamed).await?;
        tx.defer(DELETE_UNNAMED, at(now.0 - UNNAMED_MS)).await?;
        let marked = [at(now.0), vec![Instant(now.0 + UNNAMED_MS).arg()]].concat();
        tx.defer(MARK_UNNAMED, marked).await?;
    }
    Ok(())
}

const KEEP_NAMED: &str = concat!(
    "UPDATE video SET unnamed_since_ms = NULL, due_at_ms = $3 WHERE sitter_id = $1 AND id = $2 AND ",
    is_named!()
);
// What is named is unnamed since never from here on, and not due.
const DROP_UNNAMED_FILES: &str = "INSERT INTO dropped_video_piece (sitter_id, file_id, due_at_ms) \
    SELECT video_piece.sitter_id, video_piece.file_id, $4 FROM video_piece \
    JOIN video ON video.sitter_id = video_piece.sitter_id AND video.id = video_piece.video_id \
    WHERE video.sitter_id = $1 AND video.id = $2 AND video.unnamed_since_ms <= $3";
const DELETE_UNNAMED: &str =
    "DELETE FROM video WHERE sitter_id = $1 AND id = $2 AND unnamed_since_ms <= $3";
const MARK_UNNAMED: &str = "UPDATE video SET unnamed_since_ms = coalesce(unnamed_since_ms, $3), due_at_ms = $4 \
    WHERE sitter_id = $1 AND id = $2 AND due_at_ms <= $3";

/// Notes which videos an invoice shows; it never shows others.
pub(super) async fn add_videos_of_invoice(
    tx: &mut Tx,
    sitter_id: Id,
    invoice: &Invoice,
) -> sqlx::Result<()> {
    for video in &invoice.invoice_data.videos {
        let args = vec![sitter_id.arg(), invoice.id.arg(), video.arg()];
        tx.defer(INSERT_INVOICE_VIDEO, args).await?;
    }
    Ok(())
}

const INSERT_INVOICE_VIDEO: &str = "INSERT INTO invoice_video (sitter_id, invoice_id, video_id) \
    VALUES ($1, $2, $3) ON CONFLICT (sitter_id, video_id, invoice_id) DO NOTHING";

/// Some pieces whose files are to be removed by now, each by its business and what names its file.
pub async fn dropped_video_pieces(tx: &mut Tx, now: Instant) -> sqlx::Result<Vec<(Id, Id)>> {
    dropped_files(tx, SELECT_DROPPED, now).await
}

const SELECT_DROPPED: &str =
    "SELECT sitter_id, file_id FROM dropped_video_piece WHERE due_at_ms <= $1 LIMIT 100";

/// Notes that a piece's file is removed.
pub async fn forget_dropped_video_piece(
    tx: &mut Tx,
    sitter_id: Id,
    file_id: Id,
) -> sqlx::Result<()> {
    tx.defer(FORGET_DROPPED, vec![sitter_id.arg(), file_id.arg()])
        .await
}

const FORGET_DROPPED: &str =
    "DELETE FROM dropped_video_piece WHERE sitter_id = $1 AND file_id = $2";
