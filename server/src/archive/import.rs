//! Owns how an archive becomes the rows of an empty business: looked through as a whole first, then written some rows at a time,
//! so that nobody waits. Meanwhile nothing else is done in the business. What broke off is gone on with, and what cannot be
//! finished is taken back.

use std::io::Read;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use tokio::runtime::Handle;
use walkies_core::archive::{Incoming, Kept};
use walkies_core::rows::invoice::Invoice;
use walkies_core::rows::report::Report;
use walkies_core::rows::sitter::Sitter;
use walkies_core::rules::photo::MAX_PHOTO_STORAGE_BYTES;
use walkies_core::{Id, Row, TableName};

use super::clear;
use super::read::{Archive, ArchiveBytes, Failure, FileLists, most_bytes};
use crate::db::{self, ImportRow, Tx};
use crate::env::Env;
use crate::error::AppError;
use crate::log::redacted_chain;
use crate::routes::{ImportedPhoto, import_document, import_photo, import_video};
use crate::state::{App, AppState};

/// Rows that are written at once: some milliseconds in which others wait.
pub(super) const BATCH: usize = 200;
/// After so many lines that were only looked at it is noted that somebody still works on it.
const LINES_A_BEAT: usize = 5_000;
/// And after so many it rests as long as they took: half a core is for others.
const LINES_AT_ONCE: usize = 100;
/// What another process has left is looked for so often.
const LOOK_EVERY: Duration = Duration::from_secs(30);

/// Works on what waits for it, for ever: archives, and businesses that are to be cleared or restored.
pub async fn work_for_ever(app: &AppState) {
    loop {
        work(app).await;
        tokio::select! {
            () = app.import_queued.notified() => {}
            () = tokio::time::sleep(LOOK_EVERY) => {}
        }
    }
}

/// Works until nothing waits for it.
pub async fn work(app: &AppState) {
    loop {
        match work_on_next(app).await {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => {
                tracing::warn!(
                    error = redacted_chain(&error),
                    "an import or a clearing waits"
                );
                return;
            }
        }
    }
}

/// `false` where there is none.
async fn work_on_next(app: &AppState) -> anyhow::Result<bool> {
    match clear::work_on_next(app).await {
        Ok(true) => return Ok(true),
        Ok(false) => {}
        Err(failure) => anyhow::bail!("{failure:?}"),
    }
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
        };
        job.work()
    });
    worked.await?.map(|()| true)
}

struct Job {
    app: AppState,
    handle: Handle,
    import: ImportRow,
}

impl Job {
    fn work(&mut self) -> anyhow::Result<()> {
        let worked = match self.import.state.as_str() {
            "checking" => self.check().map(|()| "ready"),
            "writing" => self.write().map(|()| "done"),
            _ => self.undo().map(|()| "failed"),
        };
        let state = match worked {
            Ok(state) => state,
            Err(Failure::Later(AppError::Unavailable(error) | AppError::Internal(error))) => {
                return Err(error);
            }
            Err(Failure::Later(error)) => anyhow::bail!("{error:?}"),
            Err(Failure::Fault(fault)) => {
                self.import.fault = Some(fault.to_string());
                // Of one that was looked through all is as it should be; what is not has changed since.
                if self.import.state == "writing" {
                    "undoing"
                } else {
                    "failed"
                }
            }
        };
        let app = self.app.clone();
        self.handle.clone().block_on(self.end(&app, state))?;
        Ok(())
    }

    async fn end(&self, app: &App, state: &str) -> sqlx::Result<()> {
        let sitter_id = self.import.sitter_id;
        let mut tx = app.db.write().await?;
        if db::set_import_state(&mut tx, &self.import, state, app.now()).await?
            && matches!(state, "done" | "failed")
        {
            db::set_importing(&mut tx, sitter_id, None).await?;
            db::drop_import_pieces(&mut tx, sitter_id, app.now()).await?;
        }
        tx.commit().await?;
        tracing::info!(%sitter_id, state, total = self.import.total, "an import has come further");
        if matches!(state, "done" | "failed") {
            crate::jobs::remove_dropped_videos_or_log(app).await;
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
        archive.read_rows(&mut incoming, &mut |_| {
            lines += 1;
            if lines % LINES_AT_ONCE == 0 {
                std::thread::sleep(begun.elapsed());
                begun = Instant::now();
            }
            match lines % LINES_A_BEAT {
                0 => self.beat(0),
                _ => Ok(()),
            }
        })?;
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
        self.import.left_out = json(&archive.missing(&lists));
        Ok(())
    }

    fn beat(&self, done: u64) -> Result<(), Failure> {
        let app = &self.app;
        self.handle.block_on(async {
            let mut tx = app.db.write().await?;
            db::note_import_progress(&mut tx, self.import.sitter_id, done, app.now()).await?;
            tx.commit().await
        })?;
        Ok(())
    }

    /// Files first: rows that show them come at once, and what no row names goes by itself.
    fn write(&mut self) -> Result<(), Failure> {
        let mut archive = self.open()?;
        let lists = archive.read_lists()?;
        let mut left_out = archive.missing(&lists);
        let mut done = left_out.len() as u64;
        archive.read_files(|kept, id, file| {
            if !self.write_file(&lists, kept, id, file)? {
                left_out.push(format!("{}/{id}", kept.name()));
            }
            done += 1;
            self.beat(done)
        })?;
        self.import.left_out = json(&left_out);
        let mut incoming = self.incoming()?;
        let (mut batch, mut last) = (Vec::with_capacity(BATCH), Vec::new());
        archive.read_rows(&mut incoming, &mut |row| {
            // What is there already is replaced when everything else is there.
            match row {
                Row::Sitter(_) | Row::AvailabilityConfig(_) => last.push(row),
                row => batch.push(row),
            }
            if batch.len() == BATCH {
                done += BATCH as u64;
                self.write_batch(std::mem::take(&mut batch), done)?;
            }
            Ok(())
        })?;
        done += (batch.len() + last.len()) as u64;
        batch.append(&mut last);
        let app = self.app.clone();
        self.handle
            .block_on(write_last(&app, self.import.sitter_id, batch, done))?;
        Ok(())
    }

    fn write_batch(&self, rows: Vec<Row>, done: u64) -> Result<(), Failure> {
        let app = &self.app;
        self.handle.block_on(async {
            let mut tx = app.db.write().await?;
            let sitter_id = self.import.sitter_id;
            let rev = write_rows(app, &mut tx, sitter_id, rows).await?;
            db::note_import_progress(&mut tx, sitter_id, done, app.now()).await?;
            tx.commit().await?;
            app.realtime.changed(self.import.sitter_id, rev);
            Ok(())
        })
    }

    /// `false` where the file is none that is taken.
    fn write_file(
        &self,
        lists: &FileLists,
        kept: Kept,
        id: Id,
        file: &mut dyn Read,
    ) -> Result<bool, Failure> {
        let mut bytes = Vec::new();
        let most = most_bytes(kept);
        let read = file.take(most + 1).read_to_end(&mut bytes);
        if read.is_err() || most < bytes.len() as u64 {
            return Ok(false);
        }
        let (app, sitter_id) = (&self.app, self.import.sitter_id);
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
                    Some(line) => import_document(app, sitter_id, line, bytes).await,
                    None => Ok(()),
                },
            }
        });
        match taken {
            Ok(()) => Ok(true),
            Err(error @ (AppError::Unavailable(_) | AppError::Internal(_))) => Err(error.into()),
            Err(_) => Ok(false),
        }
    }

    /// Takes back what was written of it. Photos and videos that no row names go by themselves.
    fn undo(&mut self) -> Result<(), Failure> {
        let (app, sitter_id) = (self.app.clone(), self.import.sitter_id);
        let fault = self.import.fault.take();
        self.import.fault = fault.or_else(|| Some(BROKEN.to_owned()));
        self.handle.block_on(async {
            for table in TableName::ALL.iter().rev() {
                if matches!(table, TableName::Sitter | TableName::AvailabilityConfig) {
                    continue;
                }
                while delete_some(&app, sitter_id, *table).await? {}
            }
            Ok(())
        })
    }
}

/// What is said of an import that could not be finished for a day.
const BROKEN: &str = "The import could not be finished. Nothing was changed. Please try again.";

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "[]".to_owned())
}

/// `false` where there are no more.
async fn delete_some(app: &App, sitter_id: Id, table: TableName) -> Result<bool, Failure> {
    let mut tx = app.db.write().await?;
    let most = u32::try_from(BATCH).unwrap_or(u32::MAX);
    let keys = db::rows_of_work(&mut tx, table, sitter_id, most).await?;
    if keys.is_empty() {
        tx.rollback().await?;
        return Ok(false);
    }
    let rev = claim(app, &mut tx, sitter_id).await?;
    for key in keys {
        db::delete_row(&mut tx, sitter_id, rev, key, app.now()).await?;
    }
    db::note_import_progress(&mut tx, sitter_id, 0, app.now()).await?;
    tx.commit().await?;
    app.realtime.changed(sitter_id, rev);
    Ok(true)
}

pub(super) async fn claim(app: &App, tx: &mut Tx, sitter_id: Id) -> Result<u64, Failure> {
    let next = db::claim_next_revision(tx, sitter_id, None, None).await?;
    let next = next.ok_or(Failure::Later(AppError::NotFound))?;
    db::set_revision_id(tx, sitter_id, &next, app.current_revision_id()).await?;
    Ok(next.rev)
}

/// Writes rows at the next revision. The address of a page is kept if it is free.
pub(super) async fn write_rows(
    app: &App,
    tx: &mut Tx,
    sitter_id: Id,
    rows: Vec<Row>,
) -> Result<u64, Failure> {
    let rev = claim(app, tx, sitter_id).await?;
    for mut row in rows {
        let id = row.key().id;
        if let Row::Sitter(it) = &mut row {
            // It may have changed since the archive was looked through: whoever takes the money says what it is.
            let current = db::select_one::<Sitter>(tx, sitter_id, sitter_id).await?;
            it.subscription = current.and_then(|it| it.row.subscription);
        }
        if let Row::Report(Report { share_id, .. }) | Row::Invoice(Invoice { share_id, .. }) =
            &mut row
        {
            let is_free = match share_id.as_deref().filter(|it| Env::is_share_id(it)) {
                Some(known) => !db::is_address_taken(tx, sitter_id, id, known).await?,
                None => false,
            };
            if !is_free {
                *share_id = Some(app.env.share_id());
            }
        }
        db::write_row(tx, sitter_id, rev, &row).await?;
    }
    Ok(rev)
}

/// Writes the last rows, and removes what the business began with.
async fn write_last(app: &App, sitter_id: Id, rows: Vec<Row>, done: u64) -> Result<(), Failure> {
    let mut tx = app.db.write().await?;
    let mut starters = Vec::new();
    for table in [TableName::Offering, TableName::Pattern] {
        starters.extend(db::starter_rows(&mut tx, table, sitter_id, u32::MAX).await?);
    }
    let rev = write_rows(app, &mut tx, sitter_id, rows).await?;
    db::note_import_progress(&mut tx, sitter_id, done, app.now()).await?;
    for key in starters {
        db::delete_row(&mut tx, sitter_id, rev, key, app.now()).await?;
    }
    tx.commit().await?;
    app.realtime.changed(sitter_id, rev);
    Ok(())
}

/// Whether nobody has done anything in a business yet: what it began with is nobody's work.
pub async fn is_empty(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<bool> {
    for table in TableName::ALL {
        let is_profile = matches!(table, TableName::Sitter | TableName::AvailabilityConfig);
        if !is_profile && !db::rows_of_work(tx, *table, sitter_id, 1).await?.is_empty() {
            return Ok(false);
        }
    }
    Ok(true)
}
