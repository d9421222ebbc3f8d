//! Owns how snapshots become a ZIP that goes out as it is made: nothing of it is in memory but a piece, and what takes it in
//! slowly makes it slow.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Seek as _, Write};
use std::time::Duration;

use axum::body::Bytes;
use sha2::{Digest as _, Sha256};
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use walkies_core::archive::{Entry, FORMAT, Kept, read_line};
use walkies_core::{Id, TableName};
use zip::write::{SimpleFileOptions, StreamWriter};
use zip::{CompressionMethod, ZipWriter};

use super::pages::page;
use super::read::Failure;
use super::{Manifest, ManifestFile, OwnAccount, OwnManifest, SharedFolder, Snapshot};
use crate::app::state::AppState;
use crate::base::error::AppError;
use crate::base::log::redacted_chain;
use crate::db;
use crate::media::files::{FileName, PhotoSize};

/// Bytes of a chunk of the response.
const CHUNK_BYTES: usize = 64 * 1024;
/// Chunks that are ready before anybody takes them.
const CHUNKS_AHEAD: usize = 4;
/// Whoever takes nothing for so long has gone.
const STALL: Duration = Duration::from_secs(30);

/// Contents of an archive.
#[derive(Debug)]
pub enum Contents {
    /// A whole business, as its sitter sees it.
    Business(Box<Snapshot>),
    /// A pet parent's account, with what each sitter shares with them.
    Account(OwnAccount, Vec<Snapshot>),
}

impl From<Snapshot> for Contents {
    fn from(snapshot: Snapshot) -> Self {
        Self::Business(snapshot.into())
    }
}

/// The bytes of an archive, as they are made, on a thread of the blocking pool from the `contents` on. What `held` is goes when the
/// last of them was taken, or when nobody takes any.
pub fn stream(
    app: AppState,
    contents: impl Future<Output = Result<Contents, AppError>> + Send + 'static,
    held: impl Send + 'static,
) -> mpsc::Receiver<io::Result<Bytes>> {
    let (sender, receiver) = mpsc::channel(CHUNKS_AHEAD);
    let handle = Handle::current();
    tokio::task::spawn_blocking(move || {
        let sink = Sink {
            handle: handle.clone(),
            sender: sender.clone(),
            bytes: Vec::with_capacity(CHUNK_BYTES),
        };
        let archive = Archive {
            app,
            handle: handle.clone(),
            zip: ZipWriter::new_stream(sink),
            folder: String::new(),
            files: Vec::new(),
            missing: Vec::new(),
        };
        let contents = handle
            .block_on(contents)
            .map_err(|it| Failure::Later(it).into_error());
        if let Err(error) = contents.and_then(|it| archive.write(it)) {
            tracing::warn!(error = redacted_chain(&error), "an archive broke off");
            // Without this the half of it would look like all of it.
            let broken = Err(io::Error::other("the archive broke off"));
            let _ = handle.block_on(tokio::time::timeout(STALL, sender.send(broken)));
        }
        drop(held);
    });
    receiver
}

/// Collects the bytes of the ZIP and sends them on in chunks; a receiver that stalls ends it.
struct Sink {
    handle: Handle,
    sender: mpsc::Sender<io::Result<Bytes>>,
    bytes: Vec<u8>,
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        if CHUNK_BYTES <= self.bytes.len() {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.bytes.is_empty() {
            return Ok(());
        }
        let bytes = std::mem::replace(&mut self.bytes, Vec::with_capacity(CHUNK_BYTES));
        let sent = self.sender.send(Ok(bytes.into()));
        let sent = self
            .handle
            .block_on(async { tokio::time::timeout(STALL, sent).await });
        match sent {
            Ok(Ok(())) => Ok(()),
            _ => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }
}

struct Archive {
    app: AppState,
    handle: Handle,
    zip: ZipWriter<StreamWriter<Sink>>,
    /// Prefix of the names of the files that are added next: empty, or a folder with a slash at its end.
    folder: String,
    files: Vec<ManifestFile>,
    missing: Vec<String>,
}

impl Archive {
    fn write(mut self, contents: Contents) -> anyhow::Result<()> {
        let manifest = match contents {
            Contents::Business(mut snapshot) => {
                self.add_snapshot(&mut snapshot)?;
                serde_json::to_vec_pretty(&Manifest {
                    format: FORMAT,
                    made_at: snapshot.made_at,
                    business: snapshot.sitter.shown_name().to_owned(),
                    revision: snapshot.revision,
                    counts: snapshot.counts,
                    missing: std::mem::take(&mut self.missing),
                    files: std::mem::take(&mut self.files),
                })?
            }
            Contents::Account(account, shared) => {
                let mut sitters = Vec::new();
                for (mut snapshot, n) in shared.into_iter().zip(1..) {
                    // Names of businesses make no good names of folders.
                    self.folder = format!("sitter-{n}/");
                    self.add_snapshot(&mut snapshot)?;
                    sitters.push(SharedFolder {
                        folder: std::mem::take(&mut self.folder),
                        business: snapshot.sitter.shown_name().to_owned(),
                        revision: snapshot.revision,
                        made_at: snapshot.made_at,
                        counts: snapshot.counts,
                    });
                }
                serde_json::to_vec_pretty(&OwnManifest {
                    format: FORMAT,
                    account,
                    sitters,
                    missing: std::mem::take(&mut self.missing),
                    files: std::mem::take(&mut self.files),
                })?
            }
        };
        self.add(Entry::MANIFEST, true, &mut |out| out.write_all(&manifest))?;
        self.zip.finish()?.into_inner().flush()?;
        Ok(())
    }

    fn add_snapshot(&mut self, snapshot: &mut Snapshot) -> anyhow::Result<()> {
        for spooled in std::mem::take(&mut snapshot.spooled) {
            let mut file = spooled.file;
            self.add(&spooled.name, true, &mut |out| {
                io::copy(&mut file, out).map(drop)
            })?;
            for table in [TableName::Invoice, TableName::Report] {
                if spooled.name == Entry::rows(table) {
                    self.add_pages(snapshot, table, &mut file)?;
                }
            }
        }
        for (id, file_id) in &snapshot.photos {
            let name = FileName::photo(snapshot.sitter.id, *file_id, PhotoSize::Full);
            self.add_stored(Entry::file(Kept::Photos, *id, "image/jpeg"), &[name])?;
        }
        for video in &snapshot.videos {
            let media_type = video.media_type.as_deref().unwrap_or_default();
            let pieces = self.pieces_of(snapshot.sitter.id, video.id)?;
            self.add_stored(Entry::file(Kept::Videos, video.id, media_type), &pieces)?;
        }
        for document in &snapshot.documents {
            let file = FileName::document(snapshot.sitter.id, document.file_id);
            let name = Entry::file(Kept::Documents, document.id, &document.media_type);
            self.add_stored(name, &[file])?;
        }
        Ok(())
    }

    /// Adds a file, and notes its checksum.
    fn add(
        &mut self,
        name: &str,
        is_compressed: bool,
        write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        let method = match is_compressed {
            true => CompressionMethod::Deflated,
            false => CompressionMethod::Stored,
        };
        let options = SimpleFileOptions::default().compression_method(method);
        let name = self.folder.clone() + name;
        self.zip.start_file(&*name, options)?;
        let mut out = Hashed {
            inner: &mut self.zip,
            hash: Sha256::new(),
            bytes: 0,
        };
        write(&mut out)?;
        let sha256 = out
            .hash
            .finalize()
            .iter()
            .fold(String::new(), |text, it| text + &format!("{it:02x}"));
        self.files.push(ManifestFile {
            name,
            bytes: out.bytes,
            sha256,
        });
        Ok(())
    }

    /// Adds what lies in the storage in these parts. What went meanwhile is noted.
    fn add_stored(&mut self, name: String, parts: &[FileName]) -> anyhow::Result<()> {
        let files = self.app.files.clone();
        let handle = self.handle.clone();
        let get = |part: &FileName| handle.block_on(files.get(part));
        let first = match parts.first() {
            Some(part) => get(part)?,
            None => None,
        };
        let Some(first) = first else {
            self.missing.push(self.folder.clone() + &name);
            return Ok(());
        };
        self.add(&name, false, &mut |out| {
            out.write_all(&first)?;
            for part in parts.iter().skip(1) {
                let gone = || io::Error::other("a piece of a video went meanwhile");
                let bytes = get(part).map_err(io::Error::other)?;
                out.write_all(&bytes.ok_or_else(gone)?)?;
            }
            Ok(())
        })
    }

    fn pieces_of(&self, sitter_id: Id, video: Id) -> anyhow::Result<Vec<FileName>> {
        let pieces = self.handle.block_on(async {
            let mut tx = self.app.db.read_autocommit().await?;
            db::pieces_of_video(&mut tx, sitter_id, video).await
        });
        let names = pieces?.into_iter();
        Ok(names
            .map(|it| FileName::video_piece(sitter_id, it))
            .collect())
    }

    /// Adds the pages of the rows that a file has.
    fn add_pages(
        &mut self,
        snapshot: &Snapshot,
        table: TableName,
        rows: &mut File,
    ) -> anyhow::Result<()> {
        rows.rewind()?;
        for line in BufReader::new(&*rows).lines() {
            let row = read_line(table, &line?)?;
            if let Some((name, text)) = page(snapshot, &row) {
                self.add(&name, true, &mut |out| out.write_all(text.as_bytes()))?;
            }
        }
        Ok(())
    }
}

/// Knows the checksum of what went through it.
struct Hashed<'a, W> {
    inner: &'a mut W,
    hash: Sha256,
    bytes: u64,
}

impl<W: Write> Write for Hashed<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.inner.write(bytes)?;
        self.hash.update(bytes.get(..n).unwrap_or_default());
        self.bytes += n as u64;
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
