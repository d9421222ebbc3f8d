//! Owns how an archive becomes the rows of an empty business: looked through as a whole first, then written some rows at a time,
//! so that nobody waits. Meanwhile nothing else is done in the business. What broke off is gone on with, and what cannot be
//! finished is taken back.

use std::time::{Duration, Instant};

use axum::body::Bytes;
use tokio::runtime::Handle;
use walkies_core::archive::{ArchiveFault, Incoming, Kept, line, read_line};
use walkies_core::rows::sitter::Sitter;
use walkies_core::rules::photo::MAX_PHOTO_STORAGE_BYTES;
use walkies_core::rules::video::MAX_VIDEO_STORAGE_BYTES;
use walkies_core::{Id, Row, TableName};

use super::clear;
use super::read::{Archive, ArchiveBytes, Failure, FileLists};
use super::rows::{BATCH, claim, is_empty, write_rows};
use crate::app::state::{App, AppState};
use crate::app::zone::time_zone;
use crate::base::error::AppError;
use crate::base::log::redacted_chain;
use crate::content::documents::{ImportedDocument, import_document};
use crate::content::photos::{ImportedPhoto, import_photo};
use crate::content::videos::import_video;
use crate::db::{self, FeedScope, ImportRow, PAGE_BYTES, Tx};

/// After so many lines that were only looked at it is noted that somebody still works on it.
const LINES_A_BEAT: usize = 5_000;
/// And after so many it rests as long as they took: half a core is for others, and a thread of the blocking pool has no other
/// way to yield to them.
const LINES_AT_ONCE: usize = 100;
/// Progress is noted once for so many files that were left out.
const LEFT_OUT_A_BEAT: u64 = 100;
/// So many files that were left out are named.
const LEFT_OUT_NAMED: usize = 100;
/// Poll interval for work that another process has left; this process's own is announced by a notification.
const LOOK_EVERY: Duration = Duration::from_secs(30);

/// Works on what waits for it, for ever: archives, and beside them businesses that are to be cleared or restored, which never
/// wait for an archive.
pub async fn work_for_ever(app: &AppState) {
    let imports = async {
        loop {
            import_all(app).await;
            tokio::select! {
                () = app.import_queued.notified() => {}
                () = tokio::time::sleep(LOOK_EVERY) => {}
            }
        }
    };
    let clearings = async {
        loop {
            clear_all(app).await;
            tokio::select! {
                () = app.clearing_queued.notified() => {}
                () = tokio::time::sleep(LOOK_EVERY) => {}
            }
        }
    };
    tokio::join!(imports, clearings);
}

/// Works until nothing waits for it.
pub async fn work(app: &AppState) {
    clear_all(app).await;
    import_all(app).await;
}

async fn import_all(app: &AppState) {
    loop {
        match work_on_next(app).await {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => {
                tracing::warn!(error = redacted_chain(&error), "an import waits");
                return;
            }
        }
    }
}

async fn clear_all(app: &App) {
    loop {
        match clear::work_on_next(app).await {
            Ok(true) => {}
            Ok(false) => return,
            Err(failure) => {
                tracing::warn!(
                    error = redacted_chain(&failure.into_error()),
                    "a clearing waits"
                );
                return;
            }
        }
    }
}

/// `false` where there is none.
async fn work_on_next(app: &AppState) -> anyhow::Result<bool> {
    let mut tx = app.db.write().await?;
    let import = db::lease_import(&mut tx, app.now()).await?;
    tx.commit().await?;
    let Some(import) = import else {
        return Ok(false);
    };
    let (app, handle) = (app.clone(), Handle::current());
    let worked = tokio::task::spawn_blocking(move || {
        let mut job = Job {
            app,
            handle,
            import,
            is_closed: false,
            steps: 0,
        };
        job.work()
    });
    worked.await?.map(|()| true)
}

struct Job {
    app: AppState,
    handle: Handle,
    import: ImportRow,
    /// Set when the business is locked against everything but this import; before that nothing was written.
    is_closed: bool,
    /// The number of files and batches of rows written since this job took the import up.
    steps: u32,
}

impl Job {
    fn work(&mut self) -> anyhow::Result<()> {
        let worked = match self.import.state.as_str() {
            "checking" => self.check().map(|()| "ready"),
            "writing" => self.write().map(|()| "done"),
            _ => self.undo().map(|()| "failed"),
        };
        let is_writing = self.import.state == "writing";
        let state = match worked {
            Ok(state) => state,
            Err(Failure::LeftToOthers) => return Ok(()),
            Err(Failure::Fault(fault)) => {
                self.import.fault = Some(fault.to_string());
                // Of one that was looked through all is as it should be; what is not has changed since.
                if is_writing { "undoing" } else { "failed" }
            }
            Err(Failure::Later(AppError::Internal(error))) if is_writing => {
                // What the database does not take now it never will.
                tracing::error!(sitter_id = %self.import.sitter_id, error = redacted_chain(&error), "an import cannot be written");
                self.import.fault = Some(BROKEN.to_owned());
                "undoing"
            }
            Err(failure) => return Err(failure.into_error()),
        };
        let app = self.app.clone();
        self.handle.clone().block_on(self.end(&app, state))?;
        Ok(())
    }

    async fn end(&self, app: &App, state: &str) -> sqlx::Result<()> {
        let sitter_id = self.import.sitter_id;
        let mut tx = app.db.write().await?;
        db::lock_and_ask_importing(&mut tx, sitter_id).await?;
        if db::set_import_state(&mut tx, &self.import, state, app.now()).await?
            && matches!(state, "done" | "failed")
        {
            // Who only looked through an archive opens nothing that a clearing has closed.
            if self.is_closed {
                db::set_importing(&mut tx, sitter_id, None).await?;
            }
            db::drop_import_pieces(&mut tx, sitter_id, app.now()).await?;
        }
        tx.commit().await?;
        tracing::info!(%sitter_id, state, total = self.import.total, "an import has come further");
        if matches!(state, "done" | "failed") {
            crate::app::dropped_files::remove_dropped_videos_or_log(app).await;
        }
        Ok(())
    }

    fn open(&self) -> Result<Archive, Failure> {
        let (app, import) = (&self.app, &self.import);
        let pieces = self.handle.block_on(async {
            let mut tx = app.db.read_autocommit().await?;
            db::pieces_of_import(&mut tx, import.sitter_id).await
        })?;
        Archive::open(ArchiveBytes::new(
            self.handle.clone(),
            app.files.clone(),
            import.sitter_id,
            pieces,
            import.size_bytes,
        ))
    }

    fn incoming(&self) -> Result<Incoming, Failure> {
        let (app, sitter_id) = (&self.app, self.import.sitter_id);
        let sitter = self.handle.block_on(async {
            let mut tx = app.db.read_autocommit().await?;
            db::select_one::<Sitter>(&mut tx, sitter_id, sitter_id).await
        })?;
        let sitter = sitter.ok_or(Failure::Later(AppError::NotFound))?;
        Ok(Incoming::new(sitter.row))
    }

    /// Looks through all of it, and writes nothing.
    fn check(&mut self) -> Result<(), Failure> {
        let mut archive = self.open()?;
        let lists = archive.read_lists()?;
        let mut incoming = self.incoming()?;
        let (mut lines, mut begun) = (0, Instant::now());
        archive.read_rows(&mut incoming, &mut |row, _| {
            if let Row::Sitter(it) = row
                && time_zone(&it.time_zone).is_none()
            {
                return Err(ArchiveFault::Rows("its time zone is not known").into());
            }
            lines += 1;
            if lines % LINES_AT_ONCE == 0 {
                std::thread::sleep(begun.elapsed());
                begun = Instant::now();
            }
            match lines % LINES_A_BEAT {
                0 => self.beat(),
                _ => Ok(()),
            }
        })?;
        self.check_room(&archive)?;
        let tables = TableName::ALL.iter();
        let mut counts: Vec<(&str, usize)> =
            tables.map(|it| (it.name(), incoming.count(*it))).collect();
        counts.extend([
            (Kept::Photos.name(), lists.photos.len()),
            (Kept::Videos.name(), lists.videos.len()),
            (Kept::Documents.name(), lists.documents.len()),
        ]);
        self.import.total = counts.iter().map(|it| it.1 as u64).sum();
        self.import.counts = json(&counts);
        self.leave_out_missing(&archive, &lists);
        Ok(())
    }

    /// Checks that the storage has room for the archive's photos and videos beside those that are there; files of
    /// cleared rows take room until they are gone.
    fn check_room(&self, archive: &Archive) -> Result<(), Failure> {
        let (app, sitter_id) = (&self.app, self.import.sitter_id);
        let (photos, videos) = self.handle.block_on(async {
            let mut tx = app.db.read_autocommit().await?;
            let (_, photos) = db::uploads(&mut tx, sitter_id, None, 0).await?;
            let videos = db::video_bytes(&mut tx, sitter_id).await?;
            Ok::<_, AppError>((photos, videos))
        })?;
        for (kept, stored, most) in [
            (Kept::Photos, photos, MAX_PHOTO_STORAGE_BYTES),
            (Kept::Videos, videos, MAX_VIDEO_STORAGE_BYTES),
        ] {
            if most < stored.saturating_add(archive.bytes_of(kept)) {
                return Err(ArchiveFault::NoRoom(kept.name()).into());
            }
        }
        Ok(())
    }

    fn leave_out_missing(&mut self, archive: &Archive, lists: &FileLists) {
        let missing = archive.missing(lists);
        self.import.left_out = json(&missing.iter().take(LEFT_OUT_NAMED).collect::<Vec<_>>());
        self.import.left_out_count = missing.len() as u64;
    }

    fn leave_out(&mut self, kept: Kept, id: Id) {
        let named: Option<Vec<String>> = serde_json::from_str(&self.import.left_out).ok();
        let mut named = named.unwrap_or_default();
        if named.len() < LEFT_OUT_NAMED {
            named.push(format!("{}/{id}", kept.name()));
            self.import.left_out = json(&named);
        }
        self.import.left_out_count += 1;
    }

    fn beat(&mut self) -> Result<(), Failure> {
        let app = self.app.clone();
        self.handle.clone().block_on(async {
            let tx = app.db.write().await?;
            self.note_progress(tx).await
        })
    }

    /// Ends a transaction with how far it is; leaves the rest to others where it is their turn, or where it is to be taken back.
    async fn note_progress(&mut self, mut tx: Tx) -> Result<(), Failure> {
        let now = self.app.now();
        self.steps += 1;
        // Who only looks through an archive begins anew each time.
        let gives_way = self.is_closed
            && self.app.settings.import_turn <= self.steps
            && db::is_import_waiting(&mut tx, now).await?;
        if !db::note_import_progress(&mut tx, &self.import, gives_way, now).await? {
            tx.rollback().await?;
            return Err(Failure::LeftToOthers);
        }
        tx.commit().await?;
        match gives_way {
            true => Err(Failure::LeftToOthers),
            false => Ok(()),
        }
    }

    /// Closes the business to everything else, if nobody has done anything in it since it was asked for.
    fn close(&mut self) -> Result<(), Failure> {
        let (app, import) = (&self.app, &self.import);
        self.handle.block_on(async {
            let mut tx = app.db.write().await?;
            let is_closed = db::lock_and_ask_importing(&mut tx, import.sitter_id).await?;
            if !db::note_import_progress(&mut tx, import, false, app.now()).await? {
                tx.rollback().await?;
                return Err(Failure::LeftToOthers);
            }
            if !is_closed {
                if !is_empty(&mut tx, import.sitter_id).await? {
                    tx.rollback().await?;
                    return Err(ArchiveFault::NotEmpty.into());
                }
                let starters = starters(&mut tx, import.sitter_id).await?;
                db::keep_starters(&mut tx, import.sitter_id, json(&starters)).await?;
                db::set_importing(&mut tx, import.sitter_id, Some(app.now())).await?;
            }
            tx.commit().await?;
            Ok(())
        })?;
        self.is_closed = true;
        Ok(())
    }

    /// Files first: rows that show them come at once, and what no row names goes by itself. What was written in earlier turns is
    /// passed over.
    fn write(&mut self) -> Result<(), Failure> {
        self.close()?;
        let mut archive = self.open()?;
        let lists = archive.read_lists()?;
        if self.import.done == 0 {
            self.leave_out_missing(&archive, &lists);
        }
        let mut place = archive.missing(&lists).len() as u64;
        self.import.done = self.import.done.max(place);
        archive.read_files(&mut |kept, id, read| {
            place += 1;
            if place <= self.import.done {
                return Ok(());
            }
            let is_written = match read()? {
                Some(bytes) if !bytes.is_empty() => self.write_file(&lists, kept, id, bytes)?,
                _ => false,
            };
            self.import.done = place;
            if is_written {
                return self.beat();
            }
            // Nothing was written, so that who goes on may do the same again.
            self.leave_out(kept, id);
            match self.import.left_out_count % LEFT_OUT_A_BEAT {
                0 => self.beat(),
                _ => Ok(()),
            }
        })?;
        let mut incoming = self.incoming()?;
        let (mut batch, mut last) = (Batch::default(), Vec::new());
        archive.read_rows(&mut incoming, &mut |row, bytes| {
            // What is there already is replaced when everything else is there.
            if matches!(row, Row::Sitter(_) | Row::AvailabilityConfig(_)) {
                last.push(row);
                return Ok(());
            }
            place += 1;
            if place <= self.import.done {
                return Ok(());
            }
            batch.rows.push(row);
            batch.bytes += bytes;
            match batch.is_full() {
                true => self.write_batch(std::mem::take(&mut batch).rows),
                false => Ok(()),
            }
        })?;
        batch.rows.append(&mut last);
        self.write_last(batch.rows)
    }

    /// Stops before the reserve of the disk is used; the job retries until there is room.
    fn check_disk(&self, bytes: usize) -> Result<(), Failure> {
        match self.app.disk.has_room(bytes as u64) {
            true => Ok(()),
            false => {
                let why = anyhow::anyhow!("the disk is nearly full");
                Err(Failure::Later(AppError::Unavailable(why)))
            }
        }
    }

    fn write_batch(&mut self, rows: Vec<Row>) -> Result<(), Failure> {
        self.check_disk(PAGE_BYTES)?;
        let app = self.app.clone();
        self.handle.clone().block_on(async {
            let mut tx = app.db.write().await?;
            let sitter_id = self.import.sitter_id;
            self.import.done += rows.len() as u64;
            let rev = write_rows(&app, &mut tx, sitter_id, rows).await?;
            let noted = self.note_progress(tx).await;
            app.realtime.changed(sitter_id, rev);
            noted
        })
    }

    /// Writes the last rows, and removes what the business began with and the archive does not have.
    fn write_last(&mut self, rows: Vec<Row>) -> Result<(), Failure> {
        let app = self.app.clone();
        self.handle.clone().block_on(async {
            let sitter_id = self.import.sitter_id;
            let mut tx = app.db.write().await?;
            self.import.done += rows.len() as u64;
            let rev = write_rows(&app, &mut tx, sitter_id, rows).await?;
            for table in STARTER_TABLES {
                for key in db::starter_rows(&mut tx, table, sitter_id, u32::MAX).await? {
                    db::delete_row(&mut tx, sitter_id, rev, key, app.now()).await?;
                }
            }
            if !db::note_import_progress(&mut tx, &self.import, false, app.now()).await? {
                tx.rollback().await?;
                return Err(Failure::LeftToOthers);
            }
            tx.commit().await?;
            app.realtime.changed(sitter_id, rev);
            Ok(())
        })
    }

    /// `false` where the file is none that is taken.
    fn write_file(
        &self,
        lists: &FileLists,
        kept: Kept,
        id: Id,
        bytes: Vec<u8>,
    ) -> Result<bool, Failure> {
        let (app, sitter_id) = (&self.app, self.import.sitter_id);
        self.check_disk(bytes.len())?;
        let taken = self.handle.block_on(async {
            match kept {
                Kept::Photos => {
                    let client_id = lists.photos.get(&id).and_then(|it| it.client_id);
                    let mut tx = app.db.read_autocommit().await?;
                    let (_, stored) = db::uploads(&mut tx, sitter_id, None, 0).await?;
                    drop(tx);
                    if MAX_PHOTO_STORAGE_BYTES <= stored {
                        return Err(AppError::PhotoStorageFull {
                            most_bytes: MAX_PHOTO_STORAGE_BYTES,
                        });
                    }
                    let photo = ImportedPhoto { id, client_id };
                    import_photo(app, sitter_id, photo, bytes).await
                }
                Kept::Videos => import_video(app, sitter_id, id, Bytes::from(bytes)).await,
                Kept::Documents => match lists.documents.get(&id) {
                    Some(line) => {
                        let document = ImportedDocument {
                            id: line.id,
                            name: line.name.clone(),
                            created_at: line.created_at,
                        };
                        import_document(app, sitter_id, document, bytes).await
                    }
                    None => Ok(()),
                },
            }
        });
        match taken {
            Ok(()) => Ok(true),
            Err(error @ (AppError::Unavailable(_) | AppError::Internal(_))) => Err(error.into()),
            Err(AppError::PhotoStorageFull { .. } | AppError::VideoStorageFull) => {
                Err(ArchiveFault::NoRoom(kept.name()).into())
            }
            Err(_) => Ok(false),
        }
    }

    /// Takes back what was written of it, and brings back what it took the place of. Photos and videos that no row names go by
    /// themselves.
    fn undo(&mut self) -> Result<(), Failure> {
        let (app, sitter_id) = (self.app.clone(), self.import.sitter_id);
        let fault = self.import.fault.take();
        self.import.fault = fault.or_else(|| Some(BROKEN.to_owned()));
        self.handle.block_on(async {
            let mut tx = app.db.write().await?;
            let is_closed = db::lock_and_ask_importing(&mut tx, sitter_id).await?;
            tx.commit().await?;
            if !is_closed {
                return Ok(());
            }
            self.is_closed = true;
            for table in TableName::ALL.iter().rev() {
                if matches!(table, TableName::Sitter | TableName::AvailabilityConfig) {
                    continue;
                }
                while delete_some(&app, &self.import, *table).await? {}
            }
            bring_back_starters(&app, &self.import).await
        })
    }
}

/// The tables in which a business begins with rows.
const STARTER_TABLES: [TableName; 2] = [TableName::Offering, TableName::Pattern];

/// Reads the rows that a new business begins with, before the import replaces them: each row's table, and the row as
/// archives have it.
async fn starters(tx: &mut Tx, sitter_id: Id) -> Result<Vec<(TableName, String)>, Failure> {
    let mut starters = Vec::new();
    for table in STARTER_TABLES {
        for row in db::page_of_rows(tx, table, sitter_id, FeedScope::Sitter, None, BATCH).await? {
            let line = line(&row).map_err(|it| Failure::Later(AppError::Internal(it.into())))?;
            starters.push((table, line));
        }
    }
    Ok(starters)
}

/// Writes what the business began with, where an import has removed it or another row stood in its place. It is nobody's work.
async fn bring_back_starters(app: &App, import: &ImportRow) -> Result<(), Failure> {
    let sitter_id = import.sitter_id;
    let starters = import.starters.as_deref().unwrap_or("[]");
    let starters: Vec<(TableName, String)> = serde_json::from_str(starters).unwrap_or_default();
    let rows = starters
        .iter()
        .filter_map(|(table, line)| read_line(*table, line).ok());
    let mut rows: Vec<Row> = rows.collect();
    let mut tx = app.db.write().await?;
    for table in STARTER_TABLES {
        let known = db::starter_rows(&mut tx, table, sitter_id, u32::MAX).await?;
        rows.retain(|it| !known.contains(&it.key()));
    }
    if rows.is_empty() {
        tx.rollback().await?;
        return Ok(());
    }
    let rev = write_rows(app, &mut tx, sitter_id, rows).await?;
    db::set_starter_rev(&mut tx, sitter_id, rev).await?;
    tx.commit().await?;
    app.realtime.changed(sitter_id, rev);
    Ok(())
}

/// Message for an import that could not be finished.
const BROKEN: &str = "The import could not be finished. Nothing was changed. Please try again.";

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "[]".to_owned())
}

/// Rows that are to be written in one transaction.
#[derive(Default)]
struct Batch {
    rows: Vec<Row>,
    bytes: usize,
}

impl Batch {
    fn is_full(&self) -> bool {
        BATCH as usize <= self.rows.len() || PAGE_BYTES <= self.bytes
    }
}

/// `false` where there are no more.
async fn delete_some(app: &App, import: &ImportRow, table: TableName) -> Result<bool, Failure> {
    let sitter_id = import.sitter_id;
    let mut tx = app.db.write().await?;
    let keys = db::rows_of_work(&mut tx, table, sitter_id, BATCH).await?;
    if keys.is_empty() {
        tx.rollback().await?;
        return Ok(false);
    }
    let rev = claim(app, &mut tx, sitter_id).await?;
    for key in keys {
        db::delete_row(&mut tx, sitter_id, rev, key, app.now()).await?;
    }
    db::note_import_progress(&mut tx, import, false, app.now()).await?;
    tx.commit().await?;
    app.realtime.changed(sitter_id, rev);
    Ok(true)
}
