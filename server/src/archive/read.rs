//! Owns how an archive is read that somebody has sent: nothing that it says of itself is believed, no name in it is ever a path,
//! and it takes neither more memory nor more time than the bounds say. It runs on the blocking pool.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead as _, BufReader, Read, Seek, SeekFrom};
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Bytes;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::runtime::Handle;
use walkies_core::archive::{
    ArchiveFault, Entry, FORMAT, Incoming, Kept, MAX_ENTRIES, MAX_LINE_BYTES, MAX_ROW_BYTES,
};
use walkies_core::rules::document::MAX_DOCUMENT_BYTES;
use walkies_core::rules::photo::{MAX_PHOTO_BYTES, MAX_PHOTO_STORAGE_BYTES};
use walkies_core::rules::video::{MAX_VIDEO_BYTES, MAX_VIDEO_STORAGE_BYTES, VIDEO_PIECE_BYTES};
use walkies_core::values::bounds::DOCUMENTS;
use walkies_core::{Id, Row, TableName};
use zip::ZipReadOptions;

use zip::read::{ArchiveOffset, Config, OwnedZipFileEntry};
use zip::unstable::read::ZipIterable;

use super::{DocumentLine, PhotoLine, VideoLine};
use crate::base::error::AppError;
use crate::media::files::{FileName, Files};

/// The largest archive: of a business that keeps as much as it may.
pub const MAX_ARCHIVE_BYTES: u64 = MAX_PHOTO_STORAGE_BYTES
    + MAX_VIDEO_STORAGE_BYTES
    + DOCUMENTS as u64 * MAX_DOCUMENT_BYTES
    + 2 * MAX_ROW_BYTES;
/// The most bytes of a manifest that are read: it names each file of the archive.
const MAX_MANIFEST_BYTES: u64 = 100 * 1024 * 1024;

/// The only fields of a manifest that are read; all others are passed over and not kept.
#[derive(Deserialize)]
struct Head {
    format: u32,
}

/// Why reading ends.
#[derive(Debug)]
pub enum Failure {
    /// The archive is none that is taken.
    Fault(ArchiveFault),
    /// It cannot be read or written now.
    Later(AppError),
    /// It is the turn of others, or somebody has it taken back.
    LeftToOthers,
}

impl Failure {
    /// For the log.
    pub fn into_error(self) -> anyhow::Error {
        match self {
            Self::Later(AppError::Unavailable(error) | AppError::Internal(error)) => error,
            failure => anyhow::anyhow!("{failure:?}"),
        }
    }
}

impl From<ArchiveFault> for Failure {
    fn from(fault: ArchiveFault) -> Self {
        Self::Fault(fault)
    }
}

impl From<AppError> for Failure {
    fn from(error: AppError) -> Self {
        Self::Later(error)
    }
}

impl From<sqlx::Error> for Failure {
    fn from(error: sqlx::Error) -> Self {
        Self::Later(error.into())
    }
}

/// The bytes of an archive, in its pieces.
#[derive(Clone, Debug)]
pub struct ArchiveBytes {
    handle: Handle,
    files: Files,
    sitter_id: Id,
    pieces: Arc<[Id]>,
    size: u64,
    at: u64,
    /// The last one that was read.
    current: Option<(u64, Bytes)>,
    /// That the storage does not answer is no fault of the archive.
    lost: Arc<Mutex<Option<anyhow::Error>>>,
}

impl ArchiveBytes {
    /// Creates a reader of an archive whose pieces are stored under these names, in their order; `size` is the bytes of
    /// all of them.
    pub fn new(handle: Handle, files: Files, sitter_id: Id, pieces: Vec<Id>, size: u64) -> Self {
        Self {
            handle,
            files,
            sitter_id,
            pieces: pieces.into(),
            size,
            at: 0,
            current: None,
            lost: Arc::default(),
        }
    }

    fn piece(&mut self, number: u64) -> io::Result<Bytes> {
        if let Some((known, bytes)) = &self.current
            && *known == number
        {
            return Ok(bytes.clone());
        }
        let index = usize::try_from(number).unwrap_or(usize::MAX);
        let file_id = self.pieces.get(index).ok_or(io::ErrorKind::UnexpectedEof)?;
        let name = FileName::video_piece(self.sitter_id, *file_id);
        let found = self.handle.block_on(self.files.get(&name));
        let found = found
            .map_err(anyhow::Error::from)
            .and_then(|it| it.ok_or_else(|| anyhow::anyhow!("a piece of an archive is not there")));
        let bytes = found.map_err(|error| {
            let text = error.to_string();
            *self.lost.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            io::Error::other(text)
        })?;
        self.current = Some((number, bytes.clone()));
        Ok(bytes)
    }
}

impl Read for ArchiveBytes {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.size <= self.at || buffer.is_empty() {
            return Ok(0);
        }
        let piece = self.piece(self.at / VIDEO_PIECE_BYTES)?;
        let from = usize::try_from(self.at % VIDEO_PIECE_BYTES).unwrap_or(usize::MAX);
        let mut rest = piece.get(from..).unwrap_or_default();
        let n = rest.read(buffer)?;
        self.at += n as u64;
        Ok(n)
    }
}

impl Seek for ArchiveBytes {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.size.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

/// Reads a file of an archive.
pub type ReadFile<'a> = Box<dyn FnOnce() -> Result<Option<Vec<u8>>, Failure> + 'a>;

/// An archive whose table of contents is one of ours.
pub struct Archive {
    zip: ZipIterable<ArchiveBytes>,
    /// A second reader for the contents of the files, beside the one of the table of contents.
    bytes: ArchiveBytes,
    /// The folder of the archive that all its files are in: empty, or the one that somebody has unpacked it into and
    /// packed again.
    folder: String,
    /// Entries that are read by their name: the manifest, rows and lists.
    named: BTreeMap<Entry, OwnedZipFileEntry>,
    /// Files beside rows that are there.
    present: BTreeSet<(Kept, Id)>,
    /// The bytes of all of them, by their kind.
    file_bytes: BTreeMap<Kept, u64>,
    /// Bytes that rows and lists may still have.
    room: u64,
}

/// The lists of photos, videos and documents in an archive, by id.
#[derive(Clone, Debug, Default)]
pub struct FileLists {
    /// The photos, from `files/photos.jsonl`.
    pub photos: BTreeMap<Id, PhotoLine>,
    /// The videos, from `files/videos.jsonl`.
    pub videos: BTreeMap<Id, VideoLine>,
    /// The documents, from `files/documents.jsonl`.
    pub documents: BTreeMap<Id, DocumentLine>,
}

impl FileLists {
    fn has(&self, kept: Kept, id: Id) -> bool {
        match kept {
            Kept::Photos => self.photos.contains_key(&id),
            Kept::Videos => self.videos.contains_key(&id),
            Kept::Documents => self.documents.contains_key(&id),
        }
    }
}

/// The most bytes of a file beside rows.
fn most_bytes(kept: Kept) -> u64 {
    match kept {
        Kept::Photos => MAX_PHOTO_BYTES,
        Kept::Videos => MAX_VIDEO_BYTES,
        Kept::Documents => MAX_DOCUMENT_BYTES,
    }
}

impl Archive {
    /// Reads the table of contents, and holds it against the bounds.
    pub fn open(bytes: ArchiveBytes) -> Result<Self, Failure> {
        let config = Config {
            archive_offset: ArchiveOffset::Known(0),
        };
        let zip = ZipIterable::try_new(bytes.clone(), config);
        let zip = zip.map_err(|_| no_archive(&bytes))?;
        if MAX_ENTRIES < zip.len() {
            return Err(ArchiveFault::TooLarge("it has too many files").into());
        }
        let mut archive = Self {
            zip: zip.enforce_header_consistency(true),
            bytes,
            folder: String::new(),
            file_bytes: BTreeMap::new(),
            named: BTreeMap::new(),
            present: BTreeSet::new(),
            room: MAX_ROW_BYTES,
        };
        archive.find_folder()?;
        archive.read_contents()?;
        archive.read_manifest()?;
        Ok(archive)
    }

    fn find_folder(&mut self) -> Result<(), Failure> {
        for entry in self.zip.files().map_err(|_| no_archive(&self.bytes))? {
            let entry = entry.map_err(|_| no_archive(&self.bytes))?;
            let name = std::str::from_utf8(entry.name_raw()).unwrap_or_default();
            if let Some(folder) = name.strip_suffix(Entry::MANIFEST)
                && folder.matches('/').count() == usize::from(folder.ends_with('/'))
                && (folder.is_empty() || folder.ends_with('/'))
                && !is_of_computer(name)
            {
                self.folder = folder.to_owned();
                return Ok(());
            }
        }
        Err(ArchiveFault::NoArchive.into())
    }

    fn read_contents(&mut self) -> Result<(), Failure> {
        let (mut packed, mut unpacked) = (0_u64, 0_u64);
        let mut counts: BTreeMap<Kept, usize> = BTreeMap::new();
        let files = self.zip.files().map_err(|_| no_archive(&self.bytes))?;
        for entry in files {
            let entry = entry.map_err(|_| no_archive(&self.bytes))?;
            // Where files lie one in the other, little is made to look like much.
            packed = packed.saturating_add(entry.compressed_size());
            unpacked = unpacked.saturating_add(entry.size());
            if self.bytes.size < packed || MAX_ARCHIVE_BYTES < unpacked {
                return Err(ArchiveFault::TooLarge("more comes out of it than is in it").into());
            }
            let name = std::str::from_utf8(entry.name_raw()).ok();
            if name.is_some_and(is_of_computer) {
                continue;
            }
            let name = name.and_then(|it| it.strip_prefix(&self.folder));
            let known = name.and_then(Entry::parse).filter(|_| !entry.encrypted());
            let is_new = match known.ok_or(ArchiveFault::NoArchive)? {
                Entry::ForPeople => true,
                Entry::File(kept, id) => {
                    let n = counts.entry(kept).or_default();
                    *n += 1;
                    if kept.most() < *n {
                        return Err(ArchiveFault::TooLarge("it has too many files").into());
                    }
                    if most_bytes(kept) < entry.size() {
                        let name = name.unwrap_or_default().to_owned();
                        return Err(ArchiveFault::File(name).into());
                    }
                    *self.file_bytes.entry(kept).or_default() += entry.size();
                    self.present.insert((kept, id))
                }
                named => self.named.insert(named, entry.into()).is_none(),
            };
            if !is_new {
                return Err(ArchiveFault::NoArchive.into());
            }
        }
        Ok(())
    }

    fn read_manifest(&mut self) -> Result<(), Failure> {
        let seen = self.bytes.clone();
        let entry = self.named.get(&Entry::Manifest);
        let entry = entry.ok_or(ArchiveFault::NoArchive)?.as_ref();
        let file = entry.with_reader(&mut self.bytes, ZipReadOptions::new());
        let file = file.map_err(|_| no_archive(&seen))?;
        let file = BufReader::new(file.take(MAX_MANIFEST_BYTES));
        let manifest: Head = serde_json::from_reader(file).map_err(|_| no_archive(&seen))?;
        if FORMAT < manifest.format {
            return Err(ArchiveFault::Newer.into());
        }
        Ok(())
    }

    /// Reads all rows, table by table, as they are to be written, each with how many bytes its line has.
    pub fn read_rows(
        &mut self,
        incoming: &mut Incoming,
        each: &mut dyn FnMut(Row, usize) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        for table in TableName::ALL {
            self.read_lines(&Entry::Rows(*table), &mut |line| {
                each(incoming.read(*table, line)?, line.len())
            })?;
        }
        Ok(incoming.finish()?)
    }

    /// Reads what is known of the files beside rows.
    pub fn read_lists(&mut self) -> Result<FileLists, Failure> {
        let mut lists = FileLists::default();
        self.read_lines(&Entry::List(Kept::Photos), &mut |line| {
            let it: PhotoLine = read_line(line)?;
            insert(&mut lists.photos, Kept::Photos, it.id, it)
        })?;
        self.read_lines(&Entry::List(Kept::Videos), &mut |line| {
            let it: VideoLine = read_line(line)?;
            insert(&mut lists.videos, Kept::Videos, it.id, it)
        })?;
        self.read_lines(&Entry::List(Kept::Documents), &mut |line| {
            let it: DocumentLine = read_line(line)?;
            insert(&mut lists.documents, Kept::Documents, it.id, it)
        })?;
        let is_listed = self.present.iter().all(|(kept, id)| lists.has(*kept, *id));
        if !is_listed {
            return Err(ArchiveFault::Rows("a file is in no list").into());
        }
        Ok(lists)
    }

    /// The bytes of its files of a kind.
    pub fn bytes_of(&self, kept: Kept) -> u64 {
        self.file_bytes.get(&kept).copied().unwrap_or_default()
    }

    /// Listed files that are not there.
    pub fn missing(&self, lists: &FileLists) -> Vec<String> {
        let photos = lists.photos.keys().map(|it| (Kept::Photos, *it));
        let videos = lists.videos.keys().map(|it| (Kept::Videos, *it));
        let documents = lists.documents.keys().map(|it| (Kept::Documents, *it));
        let all = photos.chain(videos).chain(documents);
        let missing = all.filter(|it| !self.present.contains(it));
        missing
            .map(|(kept, id)| format!("{}/{id}", kept.name()))
            .collect()
    }

    fn read_lines(
        &mut self,
        entry: &Entry,
        each: &mut dyn FnMut(&str) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let Some(entry) = self.named.get(entry) else {
            return Ok(());
        };
        let seen = self.bytes.clone();
        let failed = || no_archive(&seen);
        let file = entry
            .as_ref()
            .with_reader(&mut self.bytes, ZipReadOptions::new());
        let mut file = BufReader::new(file.map_err(|_| failed())?);
        let most = u64::try_from(MAX_LINE_BYTES).unwrap_or(u64::MAX);
        let mut line = Vec::new();
        loop {
            line.clear();
            let read = file.by_ref().take(most).read_until(b'\n', &mut line);
            let n = read.map_err(|_| failed())?;
            if n == 0 {
                return Ok(());
            }
            let is_room = self.room.checked_sub(n as u64);
            self.room = is_room.ok_or(ArchiveFault::TooLarge("its rows"))?;
            let text = line.strip_suffix(b"\n").ok_or(ArchiveFault::NoArchive)?;
            each(std::str::from_utf8(text).map_err(|_| ArchiveFault::NoArchive)?)?;
        }
    }

    /// Gives the files beside rows, one after the other, in the order in which they lie there, each with what reads it: nothing
    /// where it cannot be unpacked.
    pub fn read_files(
        &mut self,
        each: &mut dyn FnMut(Kept, Id, ReadFile<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let seen = self.bytes.clone();
        let failed = || no_archive(&seen);
        for entry in self.zip.files().map_err(|_| failed())? {
            let entry = entry.map_err(|_| failed())?;
            let name = std::str::from_utf8(entry.name_raw()).ok();
            let name = name.and_then(|it| it.strip_prefix(&self.folder));
            if let Some(Entry::File(kept, id)) = name.and_then(Entry::parse) {
                let bytes = &mut self.bytes;
                let read = || {
                    let file = entry.with_reader(bytes, ZipReadOptions::new());
                    let mut unpacked = Vec::new();
                    let most = most_bytes(kept);
                    let read = file
                        .map_err(io::Error::other)
                        .and_then(|it| it.take(most + 1).read_to_end(&mut unpacked));
                    match (read, failed()) {
                        (Ok(n), _) if n as u64 <= most => Ok(Some(unpacked)),
                        // The storage has lost it, and not the archive.
                        (Err(_), later @ Failure::Later(_)) => Err(later),
                        _ => Ok(None),
                    }
                };
                each(kept, id, Box::new(read))?;
            }
        }
        Ok(())
    }
}

/// Folders, and what a Mac puts beside files: whoever packs an unpacked archive again has them in it.
fn is_of_computer(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or_default();
    file.is_empty() && !name.is_empty() || file.starts_with('.') || name.starts_with("__MACOSX/")
}

fn read_line<T: DeserializeOwned>(line: &str) -> Result<T, Failure> {
    serde_json::from_str(line).map_err(|_| Failure::Fault(ArchiveFault::NoArchive))
}

fn insert<T>(into: &mut BTreeMap<Id, T>, kept: Kept, id: Id, it: T) -> Result<(), Failure> {
    if kept.most() <= into.len() {
        return Err(ArchiveFault::TooLarge("it has too many files").into());
    }
    match into.insert(id, it) {
        None => Ok(()),
        Some(_) => Err(ArchiveFault::Rows("two files have one id").into()),
    }
}

/// Why reading has failed: the storage, or else the archive.
fn no_archive(bytes: &ArchiveBytes) -> Failure {
    let mut lost = bytes.lost.lock().unwrap_or_else(PoisonError::into_inner);
    match lost.take() {
        Some(error) => Failure::Later(AppError::Unavailable(error)),
        None => Failure::Fault(ArchiveFault::NoArchive),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write as _};

    use proptest::prelude::*;
    use walkies_core::archive::line;
    use walkies_core::rows::client::Client;
    use walkies_core::rows::sitter::Sitter;
    use walkies_core::{Instant, TableName};
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    fn sitter() -> Sitter {
        let (name, email) = ("Dana".to_owned(), "dana@example.com".to_owned());
        Sitter::new(Id::of(1), name, email, "UTC".to_owned(), Instant(0))
    }

    fn pack(files: &[(&str, Vec<u8>)]) -> Vec<u8> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in files {
            zip.start_file(*name, SimpleFileOptions::default())
                .expect("a file");
            zip.write_all(bytes).expect("its bytes");
        }
        zip.finish().expect("an archive").into_inner()
    }

    fn manifest(format: u32) -> (&'static str, Vec<u8>) {
        let manifest = format!(
            r#"{{"format":{format},"made_at":"2026-11-20T09:00:00Z","business":"","revision":1,"counts":[],"missing":[],"files":[7]}}"#
        );
        (Entry::MANIFEST, manifest.into_bytes())
    }

    fn rows(table: TableName, rows: &[Row]) -> (String, Vec<u8>) {
        let lines = rows.iter().map(|it| line(it).expect("a line") + "\n");
        (Entry::rows(table), lines.collect::<String>().into_bytes())
    }

    fn small() -> Vec<(String, Vec<u8>)> {
        let photo = Id::of(9);
        let mut client = Client::new(Id::of(2), Instant(0));
        client.name = "Sam".to_owned();
        let (name, bytes) = manifest(1);
        vec![
            (name.to_owned(), bytes),
            rows(TableName::Sitter, &[Row::Sitter(sitter())]),
            rows(TableName::Client, &[Row::Client(client)]),
            (
                Entry::list(Kept::Photos),
                format!("{{\"id\":\"{photo}\"}}\n").into_bytes(),
            ),
            (Entry::file(Kept::Photos, photo, "image/jpeg"), vec![7; 300]),
            ("csv/clients.csv".to_owned(), b"name".to_vec()),
        ]
    }

    fn packed(files: &[(String, Vec<u8>)]) -> Vec<u8> {
        let files: Vec<_> = files
            .iter()
            .map(|it| (it.0.as_str(), it.1.clone()))
            .collect();
        pack(&files)
    }

    /// All that is ever read of an archive: how many rows it has, and how many bytes of files.
    fn read(bytes: Vec<u8>) -> Result<(usize, usize), String> {
        read_within(None, bytes)
    }

    /// The same with room for so many bytes of rows.
    fn read_within(room: Option<u64>, bytes: Vec<u8>) -> Result<(usize, usize), String> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .expect("a runtime");
        let files = Files::open("none").expect("a place");
        let size = bytes.len() as u64;
        let bytes = Bytes::from(bytes);
        let mut pieces = Vec::new();
        for (number, piece) in bytes.chunks(VIDEO_PIECE_BYTES as usize).enumerate() {
            let file_id = Id::of(number as u128);
            let name = FileName::video_piece(Id::of(1), file_id);
            let put = files.put(&name, bytes.slice_ref(piece));
            runtime.block_on(put).expect("kept");
            pieces.push(file_id);
        }
        let handle = runtime.handle().clone();
        let bytes = ArchiveBytes::new(handle, files, Id::of(1), pieces, size);
        let (mut n_rows, mut n_bytes) = (0, 0);
        let outcome = (|| {
            let mut archive = Archive::open(bytes)?;
            archive.room = room.unwrap_or(archive.room);
            archive.read_lists()?;
            archive.read_rows(&mut Incoming::new(sitter()), &mut |_, _| {
                n_rows += 1;
                Ok(())
            })?;
            archive.read_files(&mut |_, _, read| {
                n_bytes += read()?.map_or(0, |it| it.len());
                Ok(())
            })
        })();
        match outcome {
            Ok(()) => Ok((n_rows, n_bytes)),
            Err(Failure::Fault(fault)) => Err(fault.to_string()),
            Err(failure) => panic!("the storage is fine: {failure:?}"),
        }
    }

    #[test]
    fn an_archive_is_read_to_its_last_file() {
        assert_eq!(read(packed(&small())), Ok((2, 300)));
    }

    #[test]
    fn rows_that_are_too_much_together_are_turned_down() {
        let lines: usize = small()
            .iter()
            .filter(|it| it.0.starts_with("rows/"))
            .map(|it| it.1.len())
            .sum();
        // The list of the photo counts, too.
        let all = (lines + small()[3].1.len()) as u64;
        assert_eq!(read_within(Some(all), packed(&small())), Ok((2, 300)));
        let refused = read_within(Some(all - 1), packed(&small()));
        assert!(refused.is_err_and(|it| it.contains("its rows")));
    }

    fn packed_in(folder: &str, files: &[(String, Vec<u8>)]) -> Vec<u8> {
        let files = files.iter();
        let files = files.map(|(name, bytes)| (format!("{folder}{name}"), bytes.clone()));
        packed(&files.collect::<Vec<_>>())
    }

    #[test]
    fn an_archive_that_somebody_has_unpacked_and_packed_again_is_read_too() {
        let mut files = small();
        for name in ["", "rows/", ".DS_Store", "rows/.DS_Store"] {
            files.push((name.to_owned(), Vec::new()));
        }
        let mut packed_again = files;
        for (name, _) in &mut packed_again {
            *name = format!("walkies-2026-11-20/{name}");
        }
        packed_again.push((
            "__MACOSX/walkies-2026-11-20/._walkies.json".to_owned(),
            vec![0; 9],
        ));
        assert_eq!(read(packed(&packed_again)), Ok((2, 300)));
    }

    #[test]
    fn what_is_no_archive_of_ours_is_turned_down() {
        let with = |name: &str, bytes: &[u8]| {
            let mut files = small();
            files.push((name.to_owned(), bytes.to_vec()));
            packed(&files)
        };
        let without = |name: &str| {
            let mut files = small();
            files.retain(|it| it.0 != name);
            packed(&files)
        };
        for (what, bytes) in [
            ("nothing", Vec::new()),
            ("no ZIP", b"PK\x03\x04 hello".to_vec()),
            ("an empty ZIP", pack(&[])),
            ("a path", with("../../etc/passwd", b"x")),
            ("a path of its own", with("/etc/passwd", b"x")),
            ("a path within a folder", with("csv/../../x", b"x")),
            ("a folder of folders", packed_in("a/b/", &small())),
            (
                "another folder beside it",
                packed(&[small(), vec![("x/rows/pet.jsonl".to_owned(), Vec::new())]].concat()),
            ),
            ("another table", with("rows/user_account.jsonl", b"{}\n")),
            ("more documents than a business has", {
                let mut files = small();
                let lines = (0..=DOCUMENTS as u128).map(|it| {
                    let id = Id::of(100 + it);
                    format!("{{\"id\":\"{id}\",\"name\":\"a\",\"media_type\":\"application/pdf\",\"created_at\":\"2026-11-20T09:00:00Z\"}}\n")
                });
                files.push((
                    Entry::list(Kept::Documents),
                    lines.collect::<String>().into_bytes(),
                ));
                packed(&files)
            }),
            (
                "an unlisted photo",
                with(&Entry::file(Kept::Photos, Id::of(8), "image/jpeg"), b"x"),
            ),
            (
                "one photo by two names",
                with(&Entry::file(Kept::Photos, Id::of(9), "image/png"), b"x"),
            ),
            ("a line without an end", with("rows/pet.jsonl", b"{}")),
            ("no text", with("rows/pet.jsonl", b"\xff\xfe\n")),
            ("no manifest", without(Entry::MANIFEST)),
            ("no business", without("rows/sitter.jsonl")),
            ("a newer one", pack(&[manifest(2)])),
        ] {
            assert!(read(bytes).is_err(), "{what}");
        }
    }

    #[test]
    fn more_files_than_a_business_has_are_refused_by_their_number_before_any_is_read() {
        let with = |name: &dyn Fn(usize) -> String, n: usize| {
            let mut files = small();
            files.extend((0..n).map(|it| (name(it), Vec::new())));
            read(packed(&files))
        };
        let too_many = ArchiveFault::TooLarge("it has too many files").to_string();
        let page = |n: usize| format!("csv/{n}.csv");
        assert_eq!(with(&page, MAX_ENTRIES), Err(too_many.clone()));
        let photo = |n: usize| Entry::file(Kept::Photos, Id::of(1_000 + n as u128), "image/jpeg");
        assert_eq!(with(&photo, Kept::Photos.most()), Err(too_many.clone()));
        let document =
            |n: usize| Entry::file(Kept::Documents, Id::of(1_000 + n as u128), "image/jpeg");
        assert_eq!(with(&document, DOCUMENTS + 1), Err(too_many));
    }

    #[test]
    fn what_becomes_large_when_it_is_unpacked_ends_early() {
        let mut files = small();
        // 300 MB of a line that does not end, in 300 kB.
        files.push(("rows/pet.jsonl".to_owned(), vec![b' '; 300 * 1024 * 1024]));
        let bytes = packed(&files);
        assert!(bytes.len() < 1024 * 1024);
        assert!(read(bytes).is_err());
        let mut files = small();
        let photo = files.iter_mut().find(|it| it.0.starts_with("photos/"));
        photo.expect("a photo").1 = vec![0; 11 * 1024 * 1024];
        assert!(read(packed(&files)).is_err());
    }

    #[test]
    fn files_that_lie_one_in_the_other_are_turned_down() {
        let mut bytes = packed(&small());
        // The table of contents says of each file that it has as many bytes as all of them.
        let size = u32::try_from(bytes.len()).expect("small").to_le_bytes();
        let head = b"PK\x01\x02";
        let places: Vec<usize> = (0..bytes.len() - 4)
            .filter(|it| bytes[*it..].starts_with(head))
            .collect();
        for place in places {
            bytes[place + 20..place + 24].copy_from_slice(&size);
        }
        assert!(read(bytes).is_err());
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic_or_take_long(
            changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
            end in proptest::option::of(any::<prop::sample::Index>()),
        ) {
            let mut bytes = packed(&small());
            for (place, byte) in changes {
                let place = place.index(bytes.len());
                bytes[place] = byte;
            }
            if let Some(end) = end {
                bytes.truncate(end.index(bytes.len()));
            }
            if let Ok((rows, bytes)) = read(bytes) {
                prop_assert!(rows <= 2 && bytes <= 300);
            }
        }
    }
}
