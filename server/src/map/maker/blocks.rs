//! Owns the bounds of an extract's blocks, checked before anything of it is read: a block that unpacks to more than the
//! format allows, or to more parts than any honest one has, would fill the memory of whoever reads it.

use std::fs::File;
use std::io::{BufReader, Read as _, Seek as _};
use std::path::Path;

use flate2::read::ZlibDecoder;

use super::osm::ReadError;
use super::record::Reader;

/// The most bytes of a block, packed and unpacked ('PBF Format' in the OpenStreetMap wiki).
pub const MAX_BLOCK_BYTES: u64 = 32 * 1024 * 1024;
/// The most bytes of a block's header, by the same page.
const MAX_HEADER_BYTES: u64 = 64 * 1024;
/// The most texts, points, ways and relations of a block. Writers put 8,000 elements into one; a part that takes two bytes
/// in the file takes more than a hundred in memory.
const MAX_PARTS: u64 = 500_000;
/// The most fields of all these together, which are kept in memory also where nobody knows them.
const MAX_FIELDS: u64 = 1_500_000;

/// Refuses a file with a block beyond its bounds. A file that is damaged in other ways passes: reading it says so.
pub fn check(path: &Path) -> Result<(), ReadError> {
    let unreadable = |source| ReadError::Unreadable {
        path: path.to_owned(),
        source,
    };
    let mut file = BufReader::new(File::open(path).map_err(unreadable)?);
    let mut at = 0;
    let mut block = Vec::new();
    while let Some(size) = next_block(&mut file) {
        let too_large = || ReadError::TooLarge {
            path: path.to_owned(),
            good_bytes: at,
        };
        if MAX_BLOCK_BYTES < size {
            return Err(too_large());
        }
        block.clear();
        let read = file.by_ref().take(size).read_to_end(&mut block);
        if read.map_err(unreadable)? as u64 != size {
            break;
        }
        if !is_within_bounds(&block) {
            return Err(too_large());
        }
        at = file.stream_position().map_err(unreadable)?;
    }
    Ok(())
}

/// Reads the header of a block, and returns how many bytes follow; `None` at the end, and where there is no header.
fn next_block(file: &mut BufReader<File>) -> Option<u64> {
    let mut length = [0; 4];
    file.read_exact(&mut length).ok()?;
    let length = u64::from(u32::from_be_bytes(length));
    if MAX_HEADER_BYTES < length {
        return None;
    }
    let mut header = Vec::new();
    file.by_ref().take(length).read_to_end(&mut header).ok()?;
    // Negative where it is beyond 2 GB, which is a large number here.
    let mut sizes = fields(&header).filter_map(|field| match field {
        (3, Field::Number(number)) => Some(number),
        _ => None,
    });
    let size = sizes.next().unwrap_or_default();
    // Two sizes are no honest header: which of them its reader takes would decide where the next block begins.
    Some(if sizes.next().is_none() {
        size
    } else {
        u64::MAX
    })
}

/// Returns true if a block's content is bounded; also if it cannot be read, which its reader says.
fn is_within_bounds(block: &[u8]) -> bool {
    let has_few_fields = fields(block).count() as u64 <= MAX_PARTS;
    has_few_fields
        && fields(block).all(|field| match field {
            // As it is.
            (1, Field::Bytes(raw)) => has_few_parts(raw),
            (3, Field::Bytes(zlib)) => {
                let mut unpacked = Vec::new();
                let most = MAX_BLOCK_BYTES + 1;
                // What comes before damage counts.
                let _ = ZlibDecoder::new(zlib).take(most).read_to_end(&mut unpacked);
                (unpacked.len() as u64) < most && has_few_parts(&unpacked)
            }
            _ => true,
        })
}

fn has_few_parts(block: &[u8]) -> bool {
    let parts = fields(block).map(|field| match field {
        // The texts, and groups of elements.
        (1 | 2, Field::Bytes(bytes)) => 1 + fields(bytes).count() as u64,
        _ => 1,
    });
    parts.sum::<u64>() <= MAX_PARTS && n_fields_of_elements(block) <= MAX_FIELDS
}

/// The fields of a block's elements, and of what is known of their last change.
fn n_fields_of_elements(block: &[u8]) -> u64 {
    let groups = fields(block).filter_map(|field| match field {
        (2, Field::Bytes(group)) => Some(group),
        _ => None,
    });
    let elements = groups.flat_map(fields).filter_map(|field| match field {
        (_, Field::Bytes(element)) => Some(element),
        _ => None,
    });
    let counts = elements.flat_map(fields).map(|field| match field {
        // `info` of an element, `denseinfo` of many nodes.
        (4 | 5, Field::Bytes(info)) => 1 + fields(info).count() as u64,
        _ => 1,
    });
    counts.sum()
}

/// A field of a message in Protocol Buffers.
enum Field<'a> {
    Number(u64),
    Bytes(&'a [u8]),
    Other,
}

/// The fields of a message until its end, or until one that is none.
fn fields(message: &[u8]) -> impl Iterator<Item = (u64, Field<'_>)> {
    let mut rest = Reader(message);
    std::iter::from_fn(move || {
        if rest.0.is_empty() {
            return None;
        }
        let key = rest.number().ok()?;
        let field = match key & 7 {
            0 => Field::Number(rest.number().ok()?),
            1 => rest.take(8).map(|_| Field::Other).ok()?,
            // The begin and the end of a group, which readers pass over. What is in it counts like the rest.
            3 | 4 => Field::Other,
            2 => {
                let length = rest.small().ok()?;
                Field::Bytes(rest.take(length).ok()?)
            }
            5 => rest.take(4).map(|_| Field::Other).ok()?,
            _ => return None,
        };
        Some((key >> 3, field))
    })
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::ZlibEncoder;

    use super::super::record::put;
    use super::*;

    fn bytes(tag: u64, content: &[u8], to: &mut Vec<u8>) {
        put(tag << 3 | 2, to);
        put(content.len() as u64, to);
        to.extend(content);
    }

    /// A file of one block with this content, packed.
    fn packed(content: &[u8]) -> Vec<u8> {
        let mut zlib = ZlibEncoder::new(Vec::new(), Compression::fast());
        zlib.write_all(content).unwrap();
        let mut blob = Vec::new();
        put(2 << 3, &mut blob);
        put(content.len() as u64, &mut blob);
        bytes(3, &zlib.finish().unwrap(), &mut blob);
        with_header(blob.len() as u64, &blob)
    }

    fn with_header(size: u64, blob: &[u8]) -> Vec<u8> {
        let mut header = Vec::new();
        bytes(1, b"OSMData", &mut header);
        put(3 << 3, &mut header);
        put(size, &mut header);
        let mut file = (header.len() as u32).to_be_bytes().to_vec();
        file.extend(header);
        file.extend(blob);
        file
    }

    fn is_refused(file: &[u8]) -> bool {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("extract.osm.pbf");
        std::fs::write(&path, file).unwrap();
        match check(&path) {
            Ok(()) => false,
            Err(ReadError::TooLarge { .. }) => true,
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn a_block_that_unpacks_beyond_its_bound_is_refused() {
        let bomb = packed(&vec![0; 100 * 1024 * 1024]);
        assert!(bomb.len() < 1024 * 1024, "{}", bomb.len());
        assert!(is_refused(&bomb));
        let mut behind = packed(b"");
        behind.extend(bomb);
        assert!(is_refused(&behind));
    }

    #[test]
    fn a_block_of_very_many_empty_parts_is_refused() {
        let with_nodes = |count: usize| {
            let nodes = [1 << 3 | 2, 0].repeat(count);
            let mut block = Vec::new();
            bytes(2, &nodes, &mut block);
            packed(&block)
        };
        assert!(!is_refused(&with_nodes(16_000)));
        assert!(is_refused(&with_nodes(1_000_000)));
    }

    #[test]
    fn parts_behind_a_group_are_counted() {
        let mut group = vec![15 << 3 | 3, 15 << 3 | 4];
        group.extend([1 << 3 | 2, 0].repeat(1_000_000));
        let mut block = vec![15 << 3 | 3, 15 << 3 | 4];
        bytes(2, &group, &mut block);
        assert!(is_refused(&packed(&block)));
    }

    #[test]
    fn an_element_of_very_many_fields_is_refused() {
        let with_fields = |count: usize| {
            let mut group = Vec::new();
            bytes(3, &[13 << 3, 0].repeat(count), &mut group);
            let mut block = Vec::new();
            bytes(2, &group, &mut block);
            packed(&block)
        };
        assert!(!is_refused(&with_fields(1_000_000)));
        assert!(is_refused(&with_fields(2_000_000)));
    }

    #[test]
    fn a_header_with_two_sizes_is_refused() {
        let blob = [0; 9];
        let mut header = Vec::new();
        bytes(1, b"OSMData", &mut header);
        for size in [9, 1] {
            put(3 << 3, &mut header);
            put(size, &mut header);
        }
        let mut file = (header.len() as u32).to_be_bytes().to_vec();
        file.extend(header);
        file.extend(blob);
        assert!(is_refused(&file));
    }

    #[test]
    fn a_block_that_says_to_be_huge_is_refused_before_it_is_read() {
        assert!(is_refused(&with_header(MAX_BLOCK_BYTES + 1, b"")));
        assert!(is_refused(&with_header(u64::MAX, b"")));
    }

    #[test]
    fn other_damage_is_left_to_the_reader() {
        for file in [&b""[..], b"<!doctype html>", &with_header(9, b"short")] {
            assert!(!is_refused(file));
        }
    }
}
