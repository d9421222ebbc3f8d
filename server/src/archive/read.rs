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
use crate::error::AppError;
use crate::files::{FileName, Files};

/// The largest archive: of a business that keeps as much as it may.
pub const MAX_ARCHIVE_BYTES: u64 = MAX_PHOTO_STORAGE_BYTES
    + MAX_VIDEO_STORAGE_BYTES
    + DOCUMENTS as u64 * MAX_DOCUMENT_BYTES
    + 2 * MAX_ROW_BYTES;
/// What an archive says of itself names each of its files.
const MAX_MANIFEST_BYTES: u64 = 100 * 1024 * 1024;

/// What matters of what an archive says of itself; all else is passed over and not kept.
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
    /// Of an archive whose pieces are stored under these names, in their order.
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

/// An archive whose table of contents is one of ours.
pub struct Archive {
    zip: ZipIterable<ArchiveBytes>,
    /// Where the files' own bytes are read, beside the table of contents.
    bytes: ArchiveBytes,
    /// What is read by its name: the manifest, rows and lists.
    named: BTreeMap<Entry, OwnedZipFileEntry>,
    /// Files beside rows that are there.
    present: BTreeSet<(Kept, Id)>,
    /// Bytes that rows and lists may still have.
    room: u64,
}

/// What is known of the files beside rows.
#[derive(Clone, Debug, Default)]
pub struct FileLists {
    /// Photos.
    pub photos: BTreeMap<Id, PhotoLine>,
    /// Videos.
    pub videos: BTreeMap<Id, VideoLine>,
    /// Documents.
    pub documents: BTreeMap<Id, DocumentLine>,
}

impl FileLists {
    /// How many files are listed.
    pub fn len(&self) -> usize {
        self.photos.len() + self.videos.len() + self.documents.len()
    }

    fn has(&self, kept: Kept, id: Id) -> bool {
        match kept {
            Kept::Photos => self.photos.contains_key(&id),
            Kept::Videos => self.videos.contains_key(&id),
            Kept::Documents => self.documents.contains_key(&id),
        }
    }
}

/// The most bytes of a file beside rows.
pub fn most_bytes(kept: Kept) -> u64 {
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
            named: BTreeMap::new(),
            present: BTreeSet::new(),
            room: MAX_ROW_BYTES,
        };
        archive.read_contents()?;
        archive.read_manifest()?;
        Ok(archive)
    }

    fn read_contents(&mut self) -> Result<(), Failure> {
        let (mut packed, mut unpacked) = (0_u64, 0_u64);
        let failed = no_archive(&self.bytes);
        let files = self.zip.files().map_err(|_| failed)?;
        for entry in files {
            let entry = entry.map_err(|_| no_archive(&self.bytes))?;
            // Where files lie one in the other, little is made to look like much.
            packed = packed.saturating_add(entry.compressed_size());
            unpacked = unpacked.saturating_add(entry.size());
            if self.bytes.size < packed || MAX_ARCHIVE_BYTES < unpacked {
                return Err(ArchiveFault::TooLarge("more comes out of it than is in it").into());
            }
            let name = std::str::from_utf8(entry.name_raw()).ok();
            let known = name.and_then(Entry::parse).filter(|_| !entry.encrypted());
            let is_new = match known.ok_or(ArchiveFault::NoArchive)? {
                Entry::ForPeople => true,
                Entry::File(kept, id) => {
                    if most_bytes(kept) < entry.size() {
                        let name = name.unwrap_or_default().to_owned();
                        return Err(ArchiveFault::File(name).into());
                    }
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
        let failed = no_archive(&self.bytes);
        let entry = self.named.get(&Entry::Manifest);
        let entry = entry.ok_or(ArchiveFault::NoArchive)?.as_ref();
        let file = entry.with_reader(&mut self.bytes, ZipReadOptions::new());
        let Ok(file) = file else { return Err(failed) };
        let file = BufReader::new(file.take(MAX_MANIFEST_BYTES));
        let manifest: Head = serde_json::from_reader(file).map_err(|_| ArchiveFault::NoArchive)?;
        if FORMAT < manifest.format {
            return Err(ArchiveFault::Newer.into());
        }
        Ok(())
    }

    /// Reads all rows, table by table, as they are to be written.
    pub fn read_rows(
        &mut self,
        incoming: &mut Incoming,
        each: &mut dyn FnMut(Row) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        for table in TableName::ALL {
            self.read_lines(&Entry::Rows(*table), &mut |line| {
                each(incoming.read(*table, line)?)
            })?;
        }
        Ok(incoming.finish()?)
    }

    /// Reads what is known of the files beside rows.
    pub fn read_lists(&mut self) -> Result<FileLists, Failure> {
        let mut lists = FileLists::default();
        self.read_lines(&Entry::List(Kept::Photos), &mut |line| {
            let it: PhotoLine = read_line(line)?;
            insert(&mut lists.photos, it.id, it)
        })?;
        self.read_lines(&Entry::List(Kept::Videos), &mut |line| {
            let it: VideoLine = read_line(line)?;
            insert(&mut lists.videos, it.id, it)
        })?;
        self.read_lines(&Entry::List(Kept::Documents), &mut |line| {
            let it: DocumentLine = read_line(line)?;
            insert(&mut lists.documents, it.id, it)
        })?;
        let is_listed = self.present.iter().all(|(kept, id)| lists.has(*kept, *id));
        if !is_listed {
            return Err(ArchiveFault::Rows("a file is in no list").into());
        }
        if DOCUMENTS < lists.documents.len() || MAX_ENTRIES < lists.len() {
            return Err(ArchiveFault::TooLarge("it has too many files").into());
        }
        Ok(lists)
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

    /// Reads the files beside rows, one after the other, in the order in which they lie there.
    pub fn read_files(
        &mut self,
        mut each: impl FnMut(Kept, Id, &mut dyn Read) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let seen = self.bytes.clone();
        let failed = || no_archive(&seen);
        for entry in self.zip.files().map_err(|_| failed())? {
            let entry = entry.map_err(|_| failed())?;
            let name = std::str::from_utf8(entry.name_raw()).ok();
            if let Some(Entry::File(kept, id)) = name.and_then(Entry::parse) {
                let file = entry.with_reader(&mut self.bytes, ZipReadOptions::new());
                let mut file = file.map_err(|_| failed())?;
                each(kept, id, &mut file)?;
            }
        }
        Ok(())
    }
}

fn read_line<T: DeserializeOwned>(line: &str) -> Result<T, Failure> {
    serde_json::from_str(line).map_err(|_| Failure::Fault(ArchiveFault::NoArchive))
}

fn insert<T>(into: &mut BTreeMap<Id, T>, id: Id, it: T) -> Result<(), Failure> {
    if MAX_ENTRIES <= into.len() {
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
            archive.read_lists()?;
            archive.read_rows(&mut Incoming::new(sitter()), &mut |_| {
                n_rows += 1;
                Ok(())
            })?;
            archive.read_files(|kept, _, file| {
                let mut read = Vec::new();
                // What breaks off is left out.
                let _ = file.take(most_bytes(kept) + 1).read_to_end(&mut read);
                n_bytes += read.len();
                Ok(())
            })
        })();
        match outcome {
            Ok(()) => Ok((n_rows, n_bytes)),
            Err(Failure::Fault(fault)) => Err(fault.to_string()),
            Err(Failure::Later(error)) => panic!("the storage is fine: {error:?}"),
        }
    }

    #[test]
    fn an_archive_is_read_to_its_last_file() {
        assert_eq!(read(packed(&small())), Ok((2, 300)));
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
            ("a folder", with("rows/", b"")),
            ("another table", with("rows/user_account.jsonl", b"{}\n")),
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
        #![proptest_config(ProptestConfig::with_cases(512))]

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
