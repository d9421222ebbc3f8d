//! Owns what is known of an archive on its way into a business, and which rows of a business an import may take the place of.

use sqlx::AssertSqlSafe;
use walkies_core::{Id, Instant, RowKey, TableName};

use super::row::sql_table;
use super::video::VideoPiece;
use crate::db::engine::{Column, DbRow, Tx};

/// An archive on its way into a business.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportRow {
    /// The id of the business.
    pub sitter_id: Id,
    /// The id of the import, a new one for each archive.
    pub id: Id,
    /// The length of the whole archive in bytes.
    pub size_bytes: u64,
    /// The number of bytes that have arrived, from the archive's beginning.
    pub received_bytes: u64,
    /// The state of the import; see the migration.
    pub state: String,
    /// The reason why it failed, as the person reads it.
    pub fault: Option<String>,
    /// JSON: what is in it.
    pub counts: String,
    /// JSON: the first files that were left out.
    pub left_out: String,
    /// The number of files that were left out.
    pub left_out_count: u64,
    /// How many rows and files it has.
    pub total: u64,
    /// How many of them are written.
    pub done: u64,
    /// JSON: what the business began with before any of it was written.
    pub starters: Option<String>,
    /// SHA-256 of the archive's end, where it was announced with one.
    pub end_hash: Option<String>,
}

fn read_import(row: &dyn DbRow) -> sqlx::Result<ImportRow> {
    Ok(ImportRow {
        sitter_id: Column::get(row, "sitter_id")?,
        id: Column::get(row, "id")?,
        size_bytes: Column::get(row, "size_bytes")?,
        received_bytes: Column::get(row, "received_bytes")?,
        state: Column::get(row, "state")?,
        fault: Column::read(row, "fault")?,
        counts: Column::get(row, "counts")?,
        left_out: Column::get(row, "left_out")?,
        left_out_count: Column::get(row, "left_out_count")?,
        total: Column::get(row, "total")?,
        done: Column::get(row, "done")?,
        starters: Column::read(row, "starters")?,
        end_hash: Column::read(row, "end_hash")?,
    })
}

/// Whoever works on one has so long until another one tries.
const LEASE_MS: i64 = 5 * 60 * 1000;

/// The archive on its way into this business, or the last one.
pub async fn find_import(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<Option<ImportRow>> {
    tx.fetch_optional(SELECT_IMPORT, [sitter_id.arg()], read_import)
        .await
}

const SELECT_IMPORT: &str = "SELECT * FROM import WHERE sitter_id = $1";

/// Notes one of which nothing has come yet. There is none before it.
pub async fn insert_import(
    tx: &mut Tx,
    sitter_id: Id,
    id: Id,
    size_bytes: u64,
    end_hash: Option<String>,
    now: Instant,
) -> sqlx::Result<()> {
    let args = vec![
        sitter_id.arg(),
        id.arg(),
        size_bytes.arg(),
        now.arg(),
        end_hash.arg(),
    ];
    tx.defer(INSERT_IMPORT, args).await
}

const INSERT_IMPORT: &str = "INSERT INTO import \
    (sitter_id, id, size_bytes, received_bytes, state, counts, left_out, total, done, leased_until_ms, changed_at_ms, end_hash) \
    VALUES ($1, $2, $3, 0, 'receiving', '[]', '[]', 0, 0, 0, $4, $5)";

/// Forgets one; its pieces are removed later.
pub async fn drop_import(tx: &mut Tx, sitter_id: Id, now: Instant) -> sqlx::Result<()> {
    drop_import_pieces(tx, sitter_id, now).await?;
    tx.defer(DELETE_IMPORT, vec![sitter_id.arg()]).await
}

const DELETE_IMPORT: &str = "DELETE FROM import WHERE sitter_id = $1";

/// Notes that its pieces are to be removed.
pub async fn drop_import_pieces(tx: &mut Tx, sitter_id: Id, now: Instant) -> sqlx::Result<()> {
    tx.defer(DROP_PIECES, vec![sitter_id.arg(), now.arg()])
        .await?;
    tx.defer(DELETE_PIECES, vec![sitter_id.arg()]).await
}

const DROP_PIECES: &str = "INSERT INTO dropped_video_piece (sitter_id, file_id, due_at_ms) \
    SELECT sitter_id, file_id, $2 FROM import_piece WHERE sitter_id = $1";
const DELETE_PIECES: &str = "DELETE FROM import_piece WHERE sitter_id = $1";

/// Notes the next piece, whose file is stored. `false`, and nothing is noted, where more or less than `known` has come by now.
pub async fn receive_import(
    tx: &mut Tx,
    known: &ImportRow,
    received_bytes: u64,
    VideoPiece { number, file_id }: &VideoPiece,
    now: Instant,
) -> sqlx::Result<bool> {
    let state = if received_bytes == known.size_bytes {
        "checking"
    } else {
        "receiving"
    };
    let args = [
        known.sitter_id.arg(),
        known.id.arg(),
        known.received_bytes.arg(),
        received_bytes.arg(),
        state.to_owned().arg(),
        now.arg(),
    ];
    if tx.execute(RECEIVE, args).await? == 0 {
        return Ok(false);
    }
    let args = vec![known.sitter_id.arg(), number.arg(), file_id.arg()];
    tx.defer(INSERT_PIECE, args).await?;
    super::forget_dropped_video_piece(tx, known.sitter_id, *file_id).await?;
    Ok(true)
}

const RECEIVE: &str = "UPDATE import SET received_bytes = $4, state = $5, changed_at_ms = $6 \
    WHERE sitter_id = $1 AND id = $2 AND received_bytes = $3 AND state = 'receiving'";
const INSERT_PIECE: &str =
    "INSERT INTO import_piece (sitter_id, number, file_id) VALUES ($1, $2, $3)";

/// Lists the ids that name the files of its pieces, in the order of the pieces.
pub async fn pieces_of_import(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<Vec<Id>> {
    tx.fetch_all(SELECT_PIECES, [sitter_id.arg()], |row| {
        Column::get(row, "file_id")
    })
    .await
}

const SELECT_PIECES: &str = "SELECT file_id FROM import_piece WHERE sitter_id = $1 ORDER BY number";

/// Takes up one that somebody has to work on: nobody else does before its lease is over.
pub async fn lease_import(tx: &mut Tx, now: Instant) -> sqlx::Result<Option<ImportRow>> {
    let args = [now.arg(), Instant(now.0 + LEASE_MS).arg()];
    tx.fetch_optional(LEASE_IMPORT, args, read_import).await
}

const LEASE_IMPORT: &str = "UPDATE import SET leased_until_ms = $2 WHERE leased_until_ms <= $1 AND sitter_id = \
    (SELECT sitter_id FROM import WHERE leased_until_ms <= $1 AND state IN ('checking', 'writing', 'undoing') \
    ORDER BY leased_until_ms, sitter_id LIMIT 1) RETURNING *";

/// Returns true if an import waits for a worker.
pub async fn is_import_waiting(tx: &mut Tx, now: Instant) -> sqlx::Result<bool> {
    let found = tx.fetch_optional(SELECT_WAITING, [now.arg()], |_| Ok(()));
    Ok(found.await?.is_some())
}

const SELECT_WAITING: &str = "SELECT 1 FROM import WHERE leased_until_ms <= $1 \
    AND state IN ('checking', 'writing', 'undoing') LIMIT 1";

/// Notes how far one has come that is worked on. Its lease begins anew, or it waits behind the others. `false`, and nothing is noted,
/// where it is not in the state that `import` says any more.
pub async fn note_import_progress(
    tx: &mut Tx,
    import: &ImportRow,
    gives_way: bool,
    now: Instant,
) -> sqlx::Result<bool> {
    let lease_ms = if gives_way { 0 } else { LEASE_MS };
    let args = [
        import.sitter_id.arg(),
        import.id.arg(),
        import.state.clone().arg(),
        import.done.arg(),
        import.left_out.clone().arg(),
        import.left_out_count.arg(),
        Instant(now.0 + lease_ms).arg(),
        now.arg(),
    ];
    Ok(tx.execute(NOTE_PROGRESS, args).await? == 1)
}

const NOTE_PROGRESS: &str = "UPDATE import SET done = $4, left_out = $5, left_out_count = $6, leased_until_ms = $7, \
    changed_at_ms = $8 WHERE sitter_id = $1 AND id = $2 AND state = $3";

/// Notes that one is to be written from now on, of which nothing is yet.
pub async fn start_import(tx: &mut Tx, sitter_id: Id, now: Instant) -> sqlx::Result<()> {
    tx.defer(START, vec![sitter_id.arg(), now.arg()]).await
}

const START: &str = "UPDATE import SET state = 'writing', done = 0, left_out = '[]', left_out_count = 0, \
    started_at_ms = $2, changed_at_ms = $2, leased_until_ms = 0 WHERE sitter_id = $1";

/// Has one taken back that is being written.
pub async fn stop_import(
    tx: &mut Tx,
    sitter_id: Id,
    fault: String,
    now: Instant,
) -> sqlx::Result<()> {
    let args = vec![sitter_id.arg(), fault.arg(), now.arg()];
    tx.defer(STOP, args).await
}

const STOP: &str = "UPDATE import SET state = 'undoing', fault = $2, changed_at_ms = $3, leased_until_ms = 0 \
    WHERE sitter_id = $1 AND state = 'writing'";

/// Notes where one stands, that somebody has worked on; `false` where it is not in the state that `import` says any more.
pub async fn set_import_state(
    tx: &mut Tx,
    import: &ImportRow,
    state: &str,
    now: Instant,
) -> sqlx::Result<bool> {
    let args = [
        import.sitter_id.arg(),
        import.id.arg(),
        import.state.clone().arg(),
        state.to_owned().arg(),
        import.fault.clone().arg(),
        import.counts.clone().arg(),
        import.left_out.clone().arg(),
        import.left_out_count.arg(),
        import.total.arg(),
        now.arg(),
    ];
    Ok(tx.execute(SET_STATE, args).await? == 1)
}

const SET_STATE: &str = "UPDATE import SET state = $4, fault = $5, counts = $6, left_out = $7, left_out_count = $8, \
    total = $9, leased_until_ms = 0, changed_at_ms = $10 WHERE sitter_id = $1 AND id = $2 AND state = $3";

/// Forgets those that nobody has gone on with, and has those taken back that cannot be finished.
pub async fn collect_imports(tx: &mut Tx, before: Instant, now: Instant) -> sqlx::Result<()> {
    let args = vec![before.arg()];
    tx.defer(GIVE_UP_WRITING, args.clone()).await?;
    tx.defer(GIVE_UP_CHECKING, args.clone()).await?;
    tx.defer(DROP_OLD_PIECES, vec![before.arg(), now.arg()])
        .await?;
    tx.defer(DELETE_OLD, args).await
}

// Since it was started and not since it has come further: one that fails again and again comes further each time.
const GIVE_UP_WRITING: &str = "UPDATE import SET state = 'undoing', leased_until_ms = 0 \
    WHERE started_at_ms < $1 AND state = 'writing'";
// Nothing of it was written, and what is in the business is its owner's.
const GIVE_UP_CHECKING: &str =
    "UPDATE import SET state = 'failed' WHERE changed_at_ms < $1 AND state = 'checking'";
const DROP_OLD_PIECES: &str = "INSERT INTO dropped_video_piece (sitter_id, file_id, due_at_ms) \
    SELECT import_piece.sitter_id, import_piece.file_id, $2 FROM import_piece \
    JOIN import ON import.sitter_id = import_piece.sitter_id \
    WHERE import.changed_at_ms < $1 AND import.state IN ('receiving', 'ready', 'done', 'failed')";
const DELETE_OLD: &str = "DELETE FROM import WHERE changed_at_ms < $1 AND state IN ('receiving', 'ready', 'done', 'failed')";

/// Keeps what the business began with, before anything is written in its place.
pub async fn keep_starters(tx: &mut Tx, sitter_id: Id, starters: String) -> sqlx::Result<()> {
    tx.defer(KEEP_STARTERS, vec![sitter_id.arg(), starters.arg()])
        .await
}

const KEEP_STARTERS: &str = "UPDATE import SET starters = $2 WHERE sitter_id = $1";

/// Says up to which revision all rows of a business are what it began with.
pub async fn set_starter_rev(tx: &mut Tx, sitter_id: Id, rev: u64) -> sqlx::Result<()> {
    tx.defer(SET_STARTER_REV, vec![sitter_id.arg(), rev.arg()])
        .await
}

const SET_STARTER_REV: &str = "UPDATE sitter SET starter_rev = $2 WHERE id = $1";

/// Closes a business to everything else, or opens it again.
pub async fn set_importing(tx: &mut Tx, sitter_id: Id, since: Option<Instant>) -> sqlx::Result<()> {
    tx.defer(SET_IMPORTING, vec![sitter_id.arg(), since.arg()])
        .await
}

const SET_IMPORTING: &str = "UPDATE sitter SET importing_since_ms = $2 WHERE id = $1";

/// Takes the business's row, and tells whether the business is closed to everything else.
pub async fn lock_and_ask_importing(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<bool> {
    let found = tx.fetch_optional(LOCK_IMPORTING, [sitter_id.arg()], |row| {
        let since: Option<u64> = Column::read(row, "importing_since_ms")?;
        Ok(since.is_some())
    });
    Ok(found.await?.unwrap_or_default())
}

const LOCK_IMPORTING: &str =
    "UPDATE sitter SET rev = rev WHERE id = $1 RETURNING importing_since_ms";

/// Returns true if all of a business is being rewritten: by an import, a clearing, or the undoing of one.
pub async fn is_rewritten(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<bool> {
    let found = tx.fetch_optional(SELECT_REWRITTEN, [sitter_id.arg()], |_| Ok(()));
    Ok(found.await?.is_some())
}

const SELECT_REWRITTEN: &str = "SELECT 1 FROM import WHERE sitter_id = $1 AND state IN ('writing', 'undoing') \
    UNION ALL SELECT 1 FROM clearing WHERE sitter_id = $1 AND state IN ('clearing', 'restoring', 'deleting')";

/// Some rows of a table that somebody has made or changed; what a business begins with is none, nor its profile.
pub async fn rows_of_work(
    tx: &mut Tx,
    table: TableName,
    sitter_id: Id,
    most: u32,
) -> sqlx::Result<Vec<RowKey>> {
    rows_by_rev(tx, table, sitter_id, ">", most).await
}

/// Some of the rows of a table that a business began with.
pub async fn starter_rows(
    tx: &mut Tx,
    table: TableName,
    sitter_id: Id,
    most: u32,
) -> sqlx::Result<Vec<RowKey>> {
    rows_by_rev(tx, table, sitter_id, "<=", most).await
}

async fn rows_by_rev(
    tx: &mut Tx,
    table: TableName,
    sitter_id: Id,
    than_starters: &str,
    most: u32,
) -> sqlx::Result<Vec<RowKey>> {
    let from = sql_table(table);
    let sql = format!(
        "SELECT id FROM {from} WHERE sitter_id = $1 \
         AND rev {than_starters} (SELECT starter_rev FROM sitter WHERE id = $1) ORDER BY id LIMIT $2"
    );
    let args = [sitter_id.arg(), most.arg()];
    let read = |row: &dyn DbRow| {
        Ok(RowKey {
            table,
            id: Column::get(row, "id")?,
        })
    };
    tx.fetch_all(AssertSqlSafe(sql), args, read).await
}

/// Returns true if a share id belongs to another row than this one of this business, or to a cleared row that may be
/// restored.
pub async fn is_address_taken(
    tx: &mut Tx,
    sitter_id: Id,
    id: Id,
    share_id: &str,
) -> sqlx::Result<bool> {
    let args = [sitter_id.arg(), id.arg(), share_id.to_owned().arg()];
    let found = tx.fetch_optional(SELECT_ADDRESS, args, |_| Ok(()));
    Ok(found.await?.is_some())
}

const SELECT_ADDRESS: &str = "SELECT 1 FROM report WHERE share_id = $3 AND (sitter_id <> $1 OR id <> $2) \
    UNION ALL SELECT 1 FROM invoice WHERE share_id = $3 AND (sitter_id <> $1 OR id <> $2) \
    UNION ALL SELECT 1 FROM cleared_row WHERE share_id = $3 AND (sitter_id <> $1 OR id <> $2)";
