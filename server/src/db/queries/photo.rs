//! Owns what is known of uploaded photos and of those whose files are to go; the files themselves are elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use walkies_core::rows::invoice::Invoice;
use walkies_core::rows::report::Report;
use walkies_core::rows::service::Service;
use walkies_core::{Id, Instant};

use crate::db::engine::{Column, DbRow, Tx};

/// SQL condition, to follow `service_photo` of the photo `$2`, that its service still names the photo.
macro_rules! still_live {
    () => {
        "JOIN service ON service.sitter_id = service_photo.sitter_id AND service.id = service_photo.service_id \
         WHERE service_photo.sitter_id = $1 AND service_photo.photo_id = $2 AND service.live LIKE '%' || $2 || '%'"
    };
}

/// SQL condition that a row of the business names the photo `$2`: its profile, a pet, a message, a report, a service or an
/// invoice. Also true if one may do so again, since the business was cleared when the photo was there already.
macro_rules! is_named {
    () => {
        concat!(
            "(EXISTS (SELECT 1 FROM profile WHERE profile.sitter_id = $1 AND profile.photo = $2) \
             OR EXISTS (SELECT 1 FROM pet WHERE pet.sitter_id = $1 AND pet.photo = $2) \
             OR EXISTS (SELECT 1 FROM message WHERE message.sitter_id = $1 AND message.photo = $2) \
             OR EXISTS (SELECT 1 FROM report_photo \
             WHERE report_photo.sitter_id = $1 AND report_photo.photo_id = $2) \
             OR EXISTS (SELECT 1 FROM service_photo ",
            still_live!(),
            ") OR EXISTS (SELECT 1 FROM invoice_photo \
             WHERE invoice_photo.sitter_id = $1 AND invoice_photo.photo_id = $2) \
             OR EXISTS (SELECT 1 FROM clearing JOIN photo AS kept ON kept.sitter_id = clearing.sitter_id \
             WHERE clearing.sitter_id = $1 AND kept.id = $2 AND kept.created_at_ms <= clearing.cleared_at_ms))"
        )
    };
}

/// SQL condition, to follow a statement about the photo `$2`, that the client `$3` may see it: their own, one of their
/// pets, one in their conversation, one of a visit of theirs that was sent before its report, or the sitter's portrait.
macro_rules! seen_by_client {
    () => {
        concat!(
            " AND (photo.client_id = $3 \
             OR EXISTS (SELECT 1 FROM pet WHERE pet.sitter_id = $1 AND pet.photo = $2 AND pet.client_id = $3) \
             OR EXISTS (SELECT 1 FROM message \
             WHERE message.sitter_id = $1 AND message.photo = $2 AND message.client_id = $3) \
             OR EXISTS (SELECT 1 FROM service_photo ",
            still_live!(),
            " AND service.client_id = $3) \
             OR EXISTS (SELECT 1 FROM profile WHERE profile.sitter_id = $1 AND profile.photo = $2))"
        )
    };
}

pub(super) const SEEN_BY_CLIENT: &str = seen_by_client!();

/// An uploaded photo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhotoRow {
    /// Made by the phone.
    pub id: Id,
    /// Names its files; random, so that an upload that lost a race overwrites nothing.
    pub file_id: Id,
    /// SHA-256 of what was uploaded.
    pub source_hash: String,
    /// Size of its files together, in bytes.
    pub size_bytes: u64,
    /// The client record of the pet parent who uploaded it; `None` for the sitter's own.
    pub client_id: Option<Id>,
}

/// A photo is looked at so long after its upload: until then somebody may still name it. One that no row has named for
/// as long is removed.
pub const UNNAMED_MS: i64 = 24 * 60 * 60 * 1000;
/// And so often while rows name it.
const NAMED_MS: i64 = 7 * UNNAMED_MS;

pub(super) fn read_photo(row: &dyn DbRow) -> sqlx::Result<PhotoRow> {
    Ok(PhotoRow {
        id: Column::get(row, "id")?,
        file_id: Column::get(row, "file_id")?,
        source_hash: Column::get(row, "source_hash")?,
        size_bytes: Column::get(row, "size_bytes")?,
        client_id: Column::get(row, "client_id")?,
    })
}

/// Notes that files of a photo are about to be stored: if nothing comes of it, they are removed in a day.
pub async fn announce_photo(
    tx: &mut Tx,
    sitter_id: Id,
    file_id: Id,
    now: Instant,
) -> sqlx::Result<()> {
    let due_at = Instant(now.0 + UNNAMED_MS);
    let args = vec![sitter_id.arg(), file_id.arg(), due_at.arg()];
    tx.defer(ANNOUNCE_PHOTO, args).await
}

const ANNOUNCE_PHOTO: &str =
    "INSERT INTO dropped_photo (sitter_id, file_id, due_at_ms) VALUES ($1, $2, $3)";

/// Notes a photo whose files are stored; `false` when the id is taken.
pub async fn insert_photo(
    tx: &mut Tx,
    sitter_id: Id,
    photo: &PhotoRow,
    now: Instant,
) -> sqlx::Result<bool> {
    let args = [
        sitter_id.arg(),
        photo.id.arg(),
        photo.file_id.arg(),
        photo.source_hash.arg(),
        now.arg(),
        photo.size_bytes.arg(),
        Instant(now.0 + UNNAMED_MS).arg(),
        photo.client_id.arg(),
    ];
    let made = tx.execute(INSERT_PHOTO, args).await?;
    if made == 1 {
        forget_dropped_photo(tx, sitter_id, photo.file_id).await?;
    }
    Ok(made == 1)
}

const INSERT_PHOTO: &str = "INSERT INTO photo \
    (sitter_id, id, file_id, source_hash, created_at_ms, size_bytes, unnamed_since_ms, due_at_ms, client_id) \
    VALUES ($1, $2, $3, $4, $5, $6, $5, $7, $8) ON CONFLICT (sitter_id, id) DO NOTHING";

/// How many photos a business, or one of its clients, has uploaded on a day, counted from 1970, and what those take that are
/// kept.
pub async fn uploads(
    tx: &mut Tx,
    sitter_id: Id,
    client_id: Option<Id>,
    day: i64,
) -> sqlx::Result<(u32, u64)> {
    let mut args = vec![sitter_id.arg(), day.arg()];
    args.extend(client_id.map(|it| it.arg()));
    let sql = match client_id {
        Some(_) => SELECT_CLIENT_UPLOADS,
        None => SELECT_UPLOADS,
    };
    tx.fetch_one(sql, args, |row| {
        let uploads: Option<u32> = Column::get(row, "uploads")?;
        let bytes: Option<u64> = Column::get(row, "bytes")?;
        Ok((uploads.unwrap_or_default(), bytes.unwrap_or_default()))
    })
    .await
}

const SELECT_UPLOADS: &str = "SELECT \
    (SELECT uploads FROM upload_count WHERE sitter_id = $1 AND day = $2) AS uploads, \
    (SELECT CAST(sum(size_bytes) AS BIGINT) FROM photo WHERE sitter_id = $1 AND client_id IS NULL) AS bytes";
const SELECT_CLIENT_UPLOADS: &str = "SELECT \
    (SELECT uploads FROM client_upload_count WHERE sitter_id = $1 AND client_id = $3 AND day = $2) AS uploads, \
    (SELECT CAST(sum(size_bytes) AS BIGINT) FROM photo WHERE sitter_id = $1 AND client_id = $3) AS bytes";

/// Counts one more.
pub async fn count_upload(
    tx: &mut Tx,
    sitter_id: Id,
    client_id: Option<Id>,
    day: i64,
) -> sqlx::Result<()> {
    let mut args = vec![sitter_id.arg(), day.arg()];
    args.extend(client_id.map(|it| it.arg()));
    let sql = match client_id {
        Some(_) => COUNT_CLIENT_UPLOAD,
        None => COUNT_UPLOAD,
    };
    tx.defer(sql, args).await
}

const COUNT_UPLOAD: &str = "INSERT INTO upload_count (sitter_id, day, uploads) VALUES ($1, $2, 1) \
    ON CONFLICT (sitter_id, day) DO UPDATE SET uploads = upload_count.uploads + 1";
const COUNT_CLIENT_UPLOAD: &str = "INSERT INTO client_upload_count (sitter_id, client_id, day, uploads) \
    VALUES ($1, $3, $2, 1) \
    ON CONFLICT (sitter_id, client_id, day) DO UPDATE SET uploads = client_upload_count.uploads + 1";

/// Forgets what was counted before a day.
pub async fn collect_upload_counts(tx: &mut Tx, before: i64) -> sqlx::Result<()> {
    tx.defer(DELETE_UPLOAD_COUNTS, vec![before.arg()]).await?;
    tx.defer(DELETE_CLIENT_UPLOAD_COUNTS, vec![before.arg()])
        .await
}

const DELETE_UPLOAD_COUNTS: &str = "DELETE FROM upload_count WHERE day < $1";
const DELETE_CLIENT_UPLOAD_COUNTS: &str = "DELETE FROM client_upload_count WHERE day < $1";

/// A photo of this business.
pub async fn find_photo(tx: &mut Tx, sitter_id: Id, id: Id) -> sqlx::Result<Option<PhotoRow>> {
    let args = [sitter_id.arg(), id.arg()];
    tx.fetch_optional(SELECT_PHOTO, args, read_photo).await
}

macro_rules! select_photo {
    () => {
        "SELECT id, file_id, source_hash, size_bytes, client_id FROM photo WHERE sitter_id = $1 AND id = $2"
    };
}

const SELECT_PHOTO: &str = select_photo!();

/// A photo of this business that one of its clients may see.
pub async fn find_photo_of_client(
    tx: &mut Tx,
    sitter_id: Id,
    client_id: Id,
    id: Id,
) -> sqlx::Result<Option<PhotoRow>> {
    let args = [sitter_id.arg(), id.arg(), client_id.arg()];
    tx.fetch_optional(SELECT_PHOTO_OF_CLIENT, args, read_photo)
        .await
}

const SELECT_PHOTO_OF_CLIENT: &str = concat!(select_photo!(), seen_by_client!());

/// Returns true if the photo was uploaded to this business.
pub async fn photo_exists(tx: &mut Tx, sitter_id: Id, id: Id) -> sqlx::Result<bool> {
    Ok(find_photo(tx, sitter_id, id).await?.is_some())
}

/// Makes a photo disappear, unless something else of the business still shows it; its files are removed later.
pub async fn drop_photo(tx: &mut Tx, sitter_id: Id, id: Id) -> sqlx::Result<()> {
    let args = vec![sitter_id.arg(), id.arg()];
    tx.defer(DROP_FILES, args.clone()).await?;
    tx.defer(DELETE_DROPPED, args).await
}

const DROP_FILES: &str = concat!(
    "INSERT INTO dropped_photo (sitter_id, file_id) SELECT sitter_id, file_id FROM photo \
     WHERE sitter_id = $1 AND id = $2 AND NOT ",
    is_named!()
);
const DELETE_DROPPED: &str = "DELETE FROM photo WHERE sitter_id = $1 AND id = $2 \
    AND EXISTS (SELECT 1 FROM dropped_photo \
    WHERE dropped_photo.sitter_id = photo.sitter_id AND dropped_photo.file_id = photo.file_id)";

/// Notes that the files of all photos of a business are to be removed, which is about to be deleted.
pub async fn drop_photos_of(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<()> {
    let args = [sitter_id.arg()];
    tx.defer(DROP_ALL_FILES, args).await
}

const DROP_ALL_FILES: &str = "INSERT INTO dropped_photo (sitter_id, file_id) \
    SELECT sitter_id, file_id FROM photo WHERE sitter_id = $1";

/// Some photos that are to be looked at, by business.
pub async fn due_photos(tx: &mut Tx, now: Instant) -> sqlx::Result<BTreeMap<Id, Vec<Id>>> {
    due_by_sitter(tx, SELECT_DUE, now).await
}

/// Runs `sql`, which finds what is due to be checked by `now`, and groups the ids by business.
pub(super) async fn due_by_sitter(
    tx: &mut Tx,
    sql: &'static str,
    now: Instant,
) -> sqlx::Result<BTreeMap<Id, Vec<Id>>> {
    let found: Vec<(Id, Id)> = tx
        .fetch_all(sql, [now.arg()], |row| {
            Ok((Column::get(row, "sitter_id")?, Column::get(row, "id")?))
        })
        .await?;
    let mut by_sitter: BTreeMap<Id, Vec<Id>> = BTreeMap::new();
    for (sitter_id, id) in found {
        by_sitter.entry(sitter_id).or_default().push(id);
    }
    Ok(by_sitter)
}

const SELECT_DUE: &str =
    "SELECT sitter_id, id FROM photo WHERE due_at_ms <= $1 ORDER BY due_at_ms LIMIT 100";

/// Looks at photos of a business: those that no row names and has named for a day are dropped. Takes the business's row,
/// so that no command names one meanwhile.
pub async fn sweep_photos(
    tx: &mut Tx,
    sitter_id: Id,
    photos: &[Id],
    now: Instant,
) -> sqlx::Result<()> {
    tx.defer(LOCK_SITTER, vec![sitter_id.arg()]).await?;
    for id in photos {
        let at = |at: i64| vec![sitter_id.arg(), id.arg(), Instant(at).arg()];
        tx.defer(KEEP_NAMED, at(now.0 + NAMED_MS)).await?;
        tx.defer(DROP_UNNAMED_FILES, at(now.0 - UNNAMED_MS)).await?;
        tx.defer(DELETE_UNNAMED, at(now.0 - UNNAMED_MS)).await?;
        let mut args = at(now.0);
        args.push(Instant(now.0 + UNNAMED_MS).arg());
        tx.defer(MARK_UNNAMED, args).await?;
    }
    Ok(())
}

const LOCK_SITTER: &str = "UPDATE sitter SET rev = rev WHERE id = $1";
const KEEP_NAMED: &str = concat!(
    "UPDATE photo SET unnamed_since_ms = NULL, due_at_ms = $3 WHERE sitter_id = $1 AND id = $2 AND ",
    is_named!()
);
// What is named is unnamed since never from here on, and not due.
const DROP_UNNAMED_FILES: &str = "INSERT INTO dropped_photo (sitter_id, file_id) \
    SELECT sitter_id, file_id FROM photo WHERE sitter_id = $1 AND id = $2 AND unnamed_since_ms <= $3";
const DELETE_UNNAMED: &str =
    "DELETE FROM photo WHERE sitter_id = $1 AND id = $2 AND unnamed_since_ms <= $3";
const MARK_UNNAMED: &str = "UPDATE photo SET unnamed_since_ms = coalesce(unnamed_since_ms, $3), due_at_ms = $4 \
    WHERE sitter_id = $1 AND id = $2 AND due_at_ms <= $3";

/// Notes which photos a report shows, in place of those that it has shown before.
pub(super) async fn set_photos_of_report(
    tx: &mut Tx,
    sitter_id: Id,
    report: &Report,
) -> sqlx::Result<()> {
    let of_report = vec![sitter_id.arg(), report.id.arg()];
    tx.defer(DELETE_REPORT_PHOTOS, of_report.clone()).await?;
    let photos: BTreeSet<Id> = report.content.walk.photos().collect();
    for photo in photos {
        let mut args = of_report.clone();
        args.push(photo.arg());
        tx.defer(INSERT_REPORT_PHOTO, args).await?;
    }
    Ok(())
}

const DELETE_REPORT_PHOTOS: &str =
    "DELETE FROM report_photo WHERE sitter_id = $1 AND report_id = $2";
const INSERT_REPORT_PHOTO: &str =
    "INSERT INTO report_photo (sitter_id, report_id, photo_id) VALUES ($1, $2, $3)";

/// Notes which photos the client of a service sees before its report. Those that it showed before stay noted: whether one
/// is still shown stands in the service itself, and most writes of services have nothing to do with photos.
pub(super) async fn add_photos_of_service(
    tx: &mut Tx,
    sitter_id: Id,
    service: &Service,
) -> sqlx::Result<()> {
    for photo in service.live.iter().filter_map(|it| it.photo) {
        let args = vec![sitter_id.arg(), service.id.arg(), photo.arg()];
        tx.defer(INSERT_SERVICE_PHOTO, args).await?;
    }
    Ok(())
}

const INSERT_SERVICE_PHOTO: &str = "INSERT INTO service_photo (sitter_id, service_id, photo_id) \
    VALUES ($1, $2, $3) ON CONFLICT (sitter_id, photo_id, service_id) DO NOTHING";

/// Notes which photos an invoice shows; it never shows others.
pub(super) async fn add_photos_of_invoice(
    tx: &mut Tx,
    sitter_id: Id,
    invoice: &Invoice,
) -> sqlx::Result<()> {
    let photos: BTreeSet<Id> = invoice.photos().collect();
    for photo in photos {
        let args = vec![sitter_id.arg(), invoice.id.arg(), photo.arg()];
        tx.defer(INSERT_INVOICE_PHOTO, args).await?;
    }
    Ok(())
}

const INSERT_INVOICE_PHOTO: &str = "INSERT INTO invoice_photo (sitter_id, invoice_id, photo_id) \
    VALUES ($1, $2, $3) ON CONFLICT (sitter_id, photo_id, invoice_id) DO NOTHING";

/// Some photos whose files are to be removed by now, each by its business and what names its files.
pub async fn dropped_photos(tx: &mut Tx, now: Instant) -> sqlx::Result<Vec<(Id, Id)>> {
    dropped_files(tx, SELECT_DROPPED, now).await
}

/// Runs `sql`, which finds dropped files to remove by `now`; returns the business of each and the id that names its
/// files.
pub(super) async fn dropped_files(
    tx: &mut Tx,
    sql: &'static str,
    now: Instant,
) -> sqlx::Result<Vec<(Id, Id)>> {
    tx.fetch_all(sql, [now.arg()], |row| {
        Ok((Column::get(row, "sitter_id")?, Column::get(row, "file_id")?))
    })
    .await
}

const SELECT_DROPPED: &str =
    "SELECT sitter_id, file_id FROM dropped_photo WHERE due_at_ms <= $1 LIMIT 100";

/// Notes that a photo's files are removed.
pub async fn forget_dropped_photo(tx: &mut Tx, sitter_id: Id, file_id: Id) -> sqlx::Result<()> {
    tx.defer(FORGET_DROPPED, vec![sitter_id.arg(), file_id.arg()])
        .await
}

const FORGET_DROPPED: &str = "DELETE FROM dropped_photo WHERE sitter_id = $1 AND file_id = $2";
