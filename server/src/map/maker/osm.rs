//! Owns reading an extract: its blocks in their order, decompressed on a second thread, and what is wrong with files that are none.

use std::fs::File;
use std::hint::black_box;
use std::io::BufReader;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::sync_channel;
use std::thread;

use osmpbf::{BlobDecode, BlobReader, BlobType, Element, HeaderBlock, PrimitiveBlock};
use thiserror::Error;
use walkies_core::map::Point;
use walkies_core::values::place::Place;

use super::frame::Frame;
use super::record::{Reader, put, put_text};

/// Blocks that wait while one is worked on; each may take some ten megabytes.
const BLOCKS_AHEAD: usize = 2;

/// Features of the format that this reader knows (`required_features` of the header).
const KNOWN_FEATURES: [&str; 3] = ["OsmSchema-V0.6", "DenseNodes", "HistoricalInformation"];

/// Why a file cannot be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The file is not there, or the disk fails.
    #[error("{} cannot be read: {source}.", path.display())]
    Unreadable {
        /// The path of the file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// The file is something else.
    #[error("{} is not an OpenStreetMap extract in the .osm.pbf format.", .0.display())]
    NotAnExtract(PathBuf),
    /// The file ends too early or was changed.
    #[error("{} is damaged or cut off after {good_bytes} of its bytes: download it again.", path.display())]
    Damaged {
        /// The path of the file.
        path: PathBuf,
        /// The number of bytes before the damage.
        good_bytes: u64,
    },
    /// A block is larger than the format allows, or unpacks to more.
    #[error("{} has a block after {good_bytes} of its bytes that is larger than the format allows, or unpacks to more.", path.display())]
    TooLarge {
        /// The path of the file.
        path: PathBuf,
        /// The number of bytes before the block.
        good_bytes: u64,
    },
    /// The file needs a feature that this program does not know.
    #[error("{} needs '{feature}', which this program does not know.", path.display())]
    Unsupported {
        /// The path of the file.
        path: PathBuf,
        /// The feature that the file requires.
        feature: String,
    },
}

/// The parts of the file's header that matter here.
#[derive(Clone, Copy, Debug, Default)]
pub struct Header {
    /// Seconds since 1970 at which the data was taken, where it says so.
    pub data_at: Option<i64>,
    /// The part of the world that it covers, where it says so.
    pub covered: Option<Frame>,
}

impl Header {
    fn of(header: &HeaderBlock) -> Self {
        let corners = header.bbox().and_then(|it| {
            let north_west = Place::from_degrees(it.top.max(it.bottom), it.left)?;
            let south_east = Place::from_degrees(it.bottom.min(it.top), it.right)?;
            Some([north_west, south_east].map(Point::at))
        });
        Self {
            data_at: header.osmosis_replication_timestamp(),
            // One across the 180th meridian is two for a map.
            covered: corners
                .filter(|[from, to]| from.x < to.x && from.y < to.y)
                .map(|[from, to]| Frame { from, to }),
        }
    }
}

/// Hands each block of the file to `block`, with the share of the file that is read: from 0 to 1.
pub fn read<E: From<ReadError>>(
    path: &Path,
    mut block: impl FnMut(&PrimitiveBlock, f64) -> Result<(), E>,
) -> Result<Header, E> {
    let unreadable = |source| ReadError::Unreadable {
        path: path.to_owned(),
        source,
    };
    let file = File::open(path).map_err(unreadable)?;
    let size = file.metadata().map_err(unreadable)?.len();
    let (sender, receiver) = sync_channel(BLOCKS_AHEAD);
    thread::scope(|scope| {
        scope.spawn(move || {
            // Whoever listens may have stopped at an error; then there is nothing left to do.
            send_blocks(path, file, size, &|it| sender.send(it).is_ok());
        });
        let mut header = Header::default();
        for part in receiver {
            match part? {
                Part::Header(it) => header = it,
                Part::Block(it, share) => block(&it, share)?,
            }
        }
        Ok(header)
    })
}

enum Part {
    Header(Header),
    Block(PrimitiveBlock, f64),
}

fn send_blocks(path: &Path, file: File, size: u64, send: &dyn Fn(Result<Part, ReadError>) -> bool) {
    let mut good_bytes = 0;
    let mut any = false;
    let Ok(mut blobs) = BlobReader::new_seekable(BufReader::new(file)) else {
        send(Err(ReadError::NotAnExtract(path.to_owned())));
        return;
    };
    let wrong = |any, good_bytes| match any {
        true => ReadError::Damaged {
            path: path.to_owned(),
            good_bytes,
        },
        false => ReadError::NotAnExtract(path.to_owned()),
    };
    while let Some(blob) = blobs.next() {
        let Ok(blob) = blob else {
            send(Err(wrong(any, good_bytes)));
            return;
        };
        let part = match blob.get_type() {
            BlobType::OsmHeader => blob.to_headerblock().map(|it| {
                let unknown = it
                    .required_features()
                    .iter()
                    .find(|it| !KNOWN_FEATURES.contains(&it.as_str()));
                match unknown {
                    Some(feature) => Err(ReadError::Unsupported {
                        path: path.to_owned(),
                        feature: feature.clone(),
                    }),
                    None => Ok(Some(Part::Header(Header::of(&it)))),
                }
            }),
            BlobType::OsmData => blob.decode().map(|it| match it {
                BlobDecode::OsmData(block) if is_readable(&block) => Ok(Some(Part::Block(
                    block,
                    good_bytes as f64 / size.max(1) as f64,
                ))),
                BlobDecode::OsmData(_) => Err(wrong(any, good_bytes)),
                _ => Ok(None),
            }),
            BlobType::Unknown(_) => Ok(Ok(None)),
        };
        match part {
            Ok(Ok(None)) => {}
            Ok(Ok(Some(part))) => {
                any = true;
                if !send(Ok(part)) {
                    return;
                }
            }
            Ok(Err(error)) => {
                send(Err(error));
                return;
            }
            Err(_) => {
                send(Err(wrong(any, good_bytes)));
                return;
            }
        }
        good_bytes = blob_end(&mut blobs, good_bytes);
    }
    // One to three bytes left over look like the end to the library.
    if !any || good_bytes != size {
        send(Err(wrong(any, good_bytes)));
    }
}

/// Returns true if all that is later read of a block can be read. The library panics at a member of a relation that is
/// neither node, way nor relation, and at numbers whose sum is too large for them (these where the compiler checks
/// them). So everything is asked once in here, where a panic can come from nowhere else; what is asked later has been
/// asked before.
fn is_readable(block: &PrimitiveBlock) -> bool {
    let ask_all = || {
        for element in block.elements() {
            match element {
                Element::Node(it) => {
                    black_box((it.nano_lat(), it.nano_lon(), it.info().milli_timestamp()));
                }
                Element::DenseNode(it) => {
                    let changed_at = it.info().map(|it| it.milli_timestamp());
                    black_box((it.nano_lat(), it.nano_lon(), changed_at));
                }
                Element::Way(it) => {
                    black_box((it.refs().last(), it.info().milli_timestamp()));
                }
                Element::Relation(it) => {
                    black_box(it.members().last());
                }
            }
        }
    };
    catch_unwind(AssertUnwindSafe(ask_all)).is_ok()
}

/// Returns the position in the file after a blob; `before` if it cannot be told.
fn blob_end(blobs: &mut BlobReader<BufReader<File>>, before: u64) -> u64 {
    blobs
        .seek_raw(std::io::SeekFrom::Current(0))
        .unwrap_or(before)
}

/// The tags of a node, a way or a relation.
#[derive(Clone, Debug, Default)]
pub struct Tags<'a>(pub Vec<(&'a str, &'a str)>);

impl<'a> Tags<'a> {
    /// Those that are written in a row.
    pub fn of(tags: impl Iterator<Item = (&'a str, &'a str)>) -> Self {
        Self(tags.collect())
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&'a str> {
        self.0
            .iter()
            .find(|(it, _)| *it == key)
            .map(|(_, value)| *value)
    }

    /// The name that the thing has where it is.
    pub fn name(&self) -> Option<String> {
        self.first("name")
    }

    /// The first of a key's values, which semicolons part.
    pub fn first(&self, key: &str) -> Option<String> {
        let mut values = self.get(key)?.split(';').map(str::trim);
        values.find(|it| !it.is_empty()).map(str::to_owned)
    }

    /// Returns true if a key has this value.
    pub fn is(&self, key: &str, value: &str) -> bool {
        self.get(key) == Some(value)
    }

    /// Returns true if a key has one of these values.
    pub fn is_any(&self, key: &str, values: &[&str]) -> bool {
        self.get(key).is_some_and(|it| values.contains(&it))
    }

    /// Appends those that `keep` wants to a record.
    pub fn put(&self, keep: impl Fn(&str) -> bool, to: &mut Vec<u8>) {
        let kept: Vec<_> = self.0.iter().filter(|(key, _)| keep(key)).collect();
        put(kept.len() as u64, to);
        for (key, value) in kept {
            put_text(key, to);
            put_text(value, to);
        }
    }

    /// Reads them back.
    pub fn read(reader: &mut Reader<'a>) -> std::io::Result<Self> {
        let count: usize = reader.small()?;
        let tags = (0..count).map(|_| Ok((reader.text()?, reader.text()?)));
        Ok(Self(tags.collect::<std::io::Result<_>>()?))
    }
}
