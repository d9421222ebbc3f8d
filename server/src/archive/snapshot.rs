//! Owns the state of a business that an archive is of, whole or as a pet parent sees it: all rows are read at one revision and
//! laid aside on the disk, so that nobody waits for whoever takes the archive in slowly.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufWriter, Seek as _, Write as _};

use serde::Serialize;
use walkies_core::archive::{self, AccountingFile, Entry, Kept, Spreadsheets, line};
use walkies_core::rows::invoice::Invoice;
use walkies_core::rows::sitter::Sitter;
use walkies_core::values::zone::TimeZone;
use walkies_core::{Id, Instant, Row, TableName};

use super::{DocumentLine, PhotoLine, VideoLine};
use crate::app::state::App;
use crate::app::zone::time_zone;
use crate::base::error::AppError;
use crate::db::{self, DocumentRow, FeedScope, PhotoRow, Tx, VideoRow};
use crate::media::files::Files;

/// Rows that are read at once.
const PAGE: u32 = 500;

/// A file of the archive that is ready.
#[derive(Debug)]
pub struct Spooled {
    /// Its name there.
    pub name: String,
    /// Its bytes, from the beginning.
    pub file: File,
}

/// A business at one revision, as somebody sees it.
#[derive(Debug)]
pub struct Snapshot {
    /// The one whose view of the business it is: the sitter, or a pet parent.
    pub scope: FeedScope,
    /// The business's owner, with everything that pages show of them.
    pub sitter: Sitter,
    /// Its time zone.
    pub zone: TimeZone,
    /// Revision of the business at which all of it was read.
    pub revision: u64,
    /// When it was read.
    pub made_at: Instant,
    /// How many rows and files there are, by name.
    pub counts: Vec<(String, u64)>,
    /// Finished files of rows and lists, ready to go into the archive.
    pub spooled: Vec<Spooled>,
    /// The photos and videos that its rows show, where not all are theirs.
    pub shown: BTreeSet<Id>,
    /// Photos, each with what names its file.
    pub photos: Vec<(Id, Id)>,
    /// Videos whose files go into the archive.
    pub videos: Vec<VideoRow>,
    /// Documents whose files go into the archive; only the sitter sees any.
    pub documents: Vec<DocumentRow>,
}

/// A file that lines are written to.
struct Spool {
    name: String,
    file: BufWriter<File>,
}

impl Spool {
    fn new(files: &Files, name: String) -> std::io::Result<Self> {
        let file = BufWriter::new(files.temporary()?);
        Ok(Self { name, file })
    }

    fn push(&mut self, text: &str) -> std::io::Result<()> {
        self.file.write_all(text.as_bytes())
    }

    fn push_json(&mut self, value: &impl Serialize) -> std::io::Result<()> {
        self.push(&serde_json::to_string(value)?)?;
        self.push("\n")
    }

    fn finish(self) -> std::io::Result<Spooled> {
        let mut file = self
            .file
            .into_inner()
            .map_err(std::io::IntoInnerError::into_error)?;
        file.rewind()?;
        Ok(Spooled {
            name: self.name,
            file,
        })
    }
}

/// Reads a business as it is now.
pub async fn snapshot(app: &App, sitter_id: Id) -> Result<Snapshot, AppError> {
    let mut tx = app.db.read().await?;
    let snapshot = read(app, &mut tx, sitter_id, FeedScope::Sitter).await?;
    tx.commit().await?;
    Ok(snapshot)
}

/// Reads what each sitter of a pet parent shares with them, as it is now.
pub async fn shared_with(app: &App, user_id: Id) -> Result<Vec<Snapshot>, AppError> {
    let mut tx = app.db.read().await?;
    let mut shared = Vec::new();
    for link in db::client_links(&mut tx, user_id, None).await? {
        let scope = FeedScope::Client(link.client_id);
        shared.push(read(app, &mut tx, link.sitter_id, scope).await?);
    }
    tx.commit().await?;
    Ok(shared)
}

async fn read(
    app: &App,
    tx: &mut Tx,
    sitter_id: Id,
    scope: FeedScope,
) -> Result<Snapshot, AppError> {
    let next = db::next_revision(tx, sitter_id, None, None).await?;
    let next = next.ok_or(AppError::NotFound)?;
    let sitter = db::select_one::<Sitter>(tx, sitter_id, sitter_id).await?;
    let mut snapshot = Snapshot {
        scope,
        sitter: sitter.ok_or(AppError::NotFound)?.row,
        zone: time_zone(&next.time_zone).unwrap_or(TimeZone::UTC),
        revision: next.rev - 1,
        made_at: app.now(),
        counts: Vec::new(),
        spooled: Vec::new(),
        shown: BTreeSet::new(),
        photos: Vec::new(),
        videos: Vec::new(),
        documents: Vec::new(),
    };
    let mut sheets = Spreadsheets::default();
    note_pets(tx, sitter_id, scope, &mut sheets).await?;
    for table in TableName::ALL.iter().filter(|it| scope.tells_of(**it)) {
        spool_table(app, tx, &mut snapshot, &mut sheets, *table).await?;
    }
    spool_photos(app, tx, &mut snapshot).await?;
    spool_videos(app, tx, &mut snapshot).await?;
    if scope == FeedScope::Sitter {
        spool_documents(app, tx, &mut snapshot).await?;
    }
    Ok(snapshot)
}

async fn spool_documents(app: &App, tx: &mut Tx, snapshot: &mut Snapshot) -> Result<(), AppError> {
    snapshot.documents = db::documents(tx, snapshot.sitter.id).await?;
    let mut list = Spool::new(&app.files, Entry::list(Kept::Documents)).map_err(unspooled)?;
    for it in &snapshot.documents {
        let line = DocumentLine {
            id: it.id,
            name: it.name.clone(),
            media_type: it.media_type.clone(),
            created_at: it.created_at,
        };
        list.push_json(&line).map_err(unspooled)?;
    }
    let n = snapshot.documents.len();
    snapshot.keep(Kept::Documents.name(), n, list)
}

impl Snapshot {
    /// Returns true if a photo or a video belongs in the archive: a client's are those that the rows show, and own ones
    /// that none shows yet.
    fn has(&self, id: Id, sent_by: Option<Id>) -> bool {
        match self.scope {
            FeedScope::Sitter => true,
            FeedScope::Client(client_id) => sent_by == Some(client_id) || self.shown.contains(&id),
        }
    }

    fn keep(&mut self, name: &str, n: usize, spool: Spool) -> Result<(), AppError> {
        self.counts.push((name.to_owned(), n as u64));
        self.spooled.push(spool.finish().map_err(unspooled)?);
        Ok(())
    }
}

/// Tells the tables for spreadsheets the names of all pets.
async fn note_pets(
    tx: &mut Tx,
    sitter_id: Id,
    scope: FeedScope,
    sheets: &mut Spreadsheets,
) -> Result<(), AppError> {
    let mut after = None;
    loop {
        let page = db::page_of_rows(tx, TableName::Pet, sitter_id, scope, after, PAGE).await?;
        let Some(last) = page.last() else {
            return Ok(());
        };
        after = Some(last.key().id);
        for row in page.into_iter().filter_map(|it| scope.told(it)) {
            if let Row::Pet(pet) = row {
                sheets.note_pet(&pet);
            }
        }
    }
}

async fn spool_table(
    app: &App,
    tx: &mut Tx,
    snapshot: &mut Snapshot,
    sheets: &mut Spreadsheets,
    table: TableName,
) -> Result<(), AppError> {
    let mut rows = Spool::new(&app.files, Entry::rows(table)).map_err(unspooled)?;
    let mut sheet = match Spreadsheets::begin(table) {
        Some((name, head)) => {
            let mut sheet = Spool::new(&app.files, name.to_owned()).map_err(unspooled)?;
            sheet.push(&head).map_err(unspooled)?;
            Some(sheet)
        }
        None => None,
    };
    // Accounting programs are the sitter's.
    let files = match snapshot.scope {
        FeedScope::Sitter => AccountingFile::of(table),
        FeedScope::Client(_) => &[],
    };
    let mut accounting = Vec::new();
    for file in files {
        let mut spool = Spool::new(&app.files, file.name().to_owned()).map_err(unspooled)?;
        spool.push(&file.begin()).map_err(unspooled)?;
        accounting.push((*file, spool));
    }
    // The ledger is the sitter's alone.
    let has_money = table == TableName::Invoice && snapshot.scope == FeedScope::Sitter;
    let mut money = match has_money {
        true => Some(MoneySheets::new(app).map_err(unspooled)?),
        false => None,
    };
    let (mut after, mut n) = (None, 0);
    loop {
        let (sitter_id, scope) = (snapshot.sitter.id, snapshot.scope);
        let page = db::page_of_rows(tx, table, sitter_id, scope, after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after = Some(last.key().id);
        for row in page.into_iter().filter_map(|it| scope.told(it)) {
            n += 1;
            if scope != FeedScope::Sitter {
                snapshot.shown.extend(archive::files(&row));
            }
            push_row(&row, &mut rows, &mut sheet, sheets).map_err(unspooled)?;
            for (file, spool) in &mut accounting {
                let mut records = String::new();
                file.push(&mut records, &row);
                spool.push(&records).map_err(unspooled)?;
            }
            if let (Row::Invoice(invoice), Some(money)) = (&row, &mut money) {
                money
                    .push(invoice, sheets, &snapshot.zone)
                    .map_err(unspooled)?;
            }
        }
    }
    snapshot.keep(table.name(), n, rows)?;
    let accounting = accounting.into_iter().map(|it| it.1);
    for sheet in sheet.into_iter().chain(accounting) {
        snapshot.spooled.push(sheet.finish().map_err(unspooled)?);
    }
    for sheet in money.into_iter().flat_map(|it| it.0) {
        snapshot.spooled.push(sheet.finish().map_err(unspooled)?);
    }
    Ok(())
}

/// The tables of what invoices say about money.
struct MoneySheets([Spool; 2]);

impl MoneySheets {
    fn new(app: &App) -> std::io::Result<Self> {
        let [ledger, payments] = Spreadsheets::begin_money().map(|(name, head)| {
            let mut sheet = Spool::new(&app.files, name.to_owned())?;
            sheet.push(&head)?;
            Ok::<_, std::io::Error>(sheet)
        });
        Ok(Self([ledger?, payments?]))
    }

    fn push(
        &mut self,
        row: &Invoice,
        sheets: &Spreadsheets,
        zone: &TimeZone,
    ) -> std::io::Result<()> {
        let mut records = [String::new(), String::new()];
        sheets.push_money(&mut records, row, zone);
        for (sheet, record) in self.0.iter_mut().zip(&records) {
            sheet.push(record)?;
        }
        Ok(())
    }
}

fn push_row(
    row: &Row,
    rows: &mut Spool,
    sheet: &mut Option<Spool>,
    sheets: &mut Spreadsheets,
) -> std::io::Result<()> {
    rows.push(&line(row)?)?;
    rows.push("\n")?;
    if let Some(sheet) = sheet {
        let mut record = String::new();
        sheets.push(&mut record, row)?;
        sheet.push(&record)?;
    }
    Ok(())
}

async fn spool_photos(app: &App, tx: &mut Tx, snapshot: &mut Snapshot) -> Result<(), AppError> {
    let mut list = Spool::new(&app.files, Entry::list(Kept::Photos)).map_err(unspooled)?;
    let mut after = None;
    loop {
        let page = db::page_of_photos(tx, snapshot.sitter.id, after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after = Some(last.id);
        for PhotoRow {
            id,
            file_id,
            client_id,
            ..
        } in page
        {
            if !snapshot.has(id, client_id) {
                continue;
            }
            list.push_json(&PhotoLine { id, client_id })
                .map_err(unspooled)?;
            snapshot.photos.push((id, file_id));
        }
    }
    let n = snapshot.photos.len();
    snapshot.keep(Kept::Photos.name(), n, list)
}

async fn spool_videos(app: &App, tx: &mut Tx, snapshot: &mut Snapshot) -> Result<(), AppError> {
    let mut list = Spool::new(&app.files, Entry::list(Kept::Videos)).map_err(unspooled)?;
    for video in db::videos(tx, snapshot.sitter.id).await? {
        // What is still on its way nobody names yet.
        let Some(media_type) = video.media_type.clone() else {
            continue;
        };
        if !snapshot.has(video.id, None) {
            continue;
        }
        let line = VideoLine {
            id: video.id,
            media_type,
        };
        list.push_json(&line).map_err(unspooled)?;
        snapshot.videos.push(video);
    }
    let n = snapshot.videos.len();
    snapshot.keep(Kept::Videos.name(), n, list)
}

fn unspooled(error: std::io::Error) -> AppError {
    AppError::Unavailable(anyhow::Error::from(error).context("the archive's temporary files"))
}
