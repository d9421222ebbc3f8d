//! Files made to take memory or time, each taken in by a process of its own whose peak is read.

use std::path::Path;
use std::process::Command;

use flate2::{Compress, Compression, FlushCompress};

use super::*;

/// The most memory in kB that an upload may take: the file, the work on it, the result.
const MAX_KB: u64 = 100_000;
const UPLOAD: &str = "WALKIES_TEST_UPLOAD";

/// So much of nothing, as zlib has it.
fn zeros(megabytes: usize) -> Vec<u8> {
    let million = vec![0; 1_000_000];
    let mut block = Vec::with_capacity(10_000);
    // A full flush ends at a byte and forgets what was before: the same bytes can follow each other.
    Compress::new(Compression::best(), false)
        .compress_vec(&million, &mut block, FlushCompress::Full)
        .expect("a block");
    let mut bytes = vec![0x78, 0xda];
    bytes.extend(block.repeat(megabytes));
    bytes.extend([3, 0]);
    // Adler-32 of nothing but zeros: the second sum counts them.
    let count = u32::try_from(megabytes * million.len() % 65_521).expect("a remainder");
    bytes.extend((count << 16 | 1).to_be_bytes());
    bytes
}

fn chunk(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let length = u32::try_from(content.len()).expect("a chunk");
    let checked = [kind.as_slice(), content].concat();
    let crc = tests::crc32(&checked).to_be_bytes();
    [&length.to_be_bytes(), checked.as_slice(), &crc].concat()
}

/// A PNG of nothing, with a chunk before its picture.
fn png(width: u32, height: u32, kind: [u8; 3], before: &[u8]) -> Vec<u8> {
    let [depth, color, interlaced] = kind;
    let samples = match color {
        2 => 3,
        4 => 2,
        6 => 4,
        _ => 1,
    };
    let row = 1 + (u64::from(width) * samples * u64::from(depth)).div_ceil(8);
    let megabytes = (row * u64::from(height) * 2).div_ceil(1_000_000).min(900);
    let mut header = width.to_be_bytes().to_vec();
    header.extend(height.to_be_bytes());
    header.extend([depth, color, 0, 0, interlaced]);
    [
        b"\x89PNG\r\n\x1a\n".to_vec(),
        chunk(b"IHDR", &header),
        before.to_vec(),
        chunk(b"IDAT", &zeros(usize::try_from(megabytes).expect("a size"))),
        chunk(b"IEND", &[]),
    ]
    .concat()
}

fn small_png(before: &[u8]) -> Vec<u8> {
    png(64, 64, [8, 2, 0], before)
}

fn segment(marker: u8, content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(content.len() + 2).expect("a segment");
    [&[0xff, marker], length.to_be_bytes().as_slice(), content].concat()
}

/// A JPEG of `planes` planes sampled like this, all of whose codes are a zero: what is missing of a scan is read so.
fn jpeg(marker: u8, (width, height): (u16, u16), sampling: &[u8], scans: &[u8]) -> Vec<u8> {
    let count = u8::try_from(sampling.len()).expect("planes");
    let mut frame = vec![8];
    frame.extend(height.to_be_bytes());
    frame.extend(width.to_be_bytes());
    frame.push(count);
    for (id, sampling) in (1..).zip(sampling) {
        frame.extend([id, *sampling, 0]);
    }
    // One code of one bit, for the value 0: no difference, and the end of a block.
    let table = |class: u8| [&[class, 1], [0; 15].as_slice(), &[0]].concat();
    [
        vec![0xff, 0xd8],
        segment(0xdb, &[&[0], [1; 64].as_slice()].concat()),
        segment(0xc4, &table(0x00)),
        segment(0xc4, &table(0x10)),
        segment(marker, &frame),
        scans.to_vec(),
        vec![0xff, 0xd9],
    ]
    .concat()
}

/// A scan of the first planes.
fn scan(planes: u8, from: u8, to: u8) -> Vec<u8> {
    let mut header = vec![planes];
    for id in 1..=planes {
        header.extend([id, 0]);
    }
    header.extend([from, to, 0]);
    let mut bytes = segment(0xda, &header);
    bytes.push(0);
    bytes
}

const FINE: [u8; 3] = [0x11; 3];
const USUAL: [u8; 3] = [0x22, 0x11, 0x11];

/// Name, file, and whether it is a photo or what is said instead.
type Bomb = (&'static str, Vec<u8>, Result<(), PhotoError>);

fn bombs() -> Vec<Bomb> {
    let too_large = Err(PhotoRefusal::TooLarge.into());
    let damaged = Err(PhotoError::Damaged);
    let bomb = zeros(1_500);
    let icc = [b"icc\0\0".as_slice(), &bomb].concat();
    let ztxt = [b"Comment\0\0".as_slice(), &bomb].concat();
    let itxt = [b"Comment\0\x01\0\0\0".as_slice(), &bomb].concat();
    let plain = vec![b'x'; 9_000_000];
    let apps = segment(
        0xe2,
        &[b"ICC_PROFILE\0\x01\xff".as_slice(), &[7; 60_000]].concat(),
    );
    let exif = segment(
        0xe1,
        &[
            b"Exif\0\0MM\0\x2a\0\0\0\x08\xff\xff".as_slice(),
            &[1; 60_000],
        ]
        .concat(),
    );
    let baseline = scan(3, 0, 63);
    let with_segments = |segments: Vec<u8>| {
        let whole = jpeg(0xc0, (4000, 3000), &USUAL, &baseline);
        [&whole[..2], &segments, &whole[2..]].concat()
    };
    let progressive = |width: u16, height: u16, sampling: &[u8], scans: usize| {
        let each = scan(1, 1, 63).repeat(scans);
        let first = scan(u8::try_from(sampling.len()).expect("planes"), 0, 0);
        jpeg(0xc2, (width, height), sampling, &[first, each].concat())
    };
    vec![
        ("a color profile", small_png(&chunk(b"iCCP", &icc)), Ok(())),
        (
            "a compressed text",
            small_png(&chunk(b"zTXt", &ztxt)),
            Ok(()),
        ),
        (
            "an international text",
            small_png(&chunk(b"iTXt", &itxt)),
            Ok(()),
        ),
        ("Exif of a PNG", small_png(&chunk(b"eXIf", &bomb)), Ok(())),
        ("a long Exif", small_png(&chunk(b"eXIf", &plain)), Ok(())),
        ("a long text", small_png(&chunk(b"tEXt", &plain)), Ok(())),
        (
            "a long palette",
            small_png(&chunk(b"PLTE", &plain)),
            damaged,
        ),
        (
            "more data than picture",
            png(64, 64, [8, 6, 0], &[]),
            Ok(()),
        ),
        (
            "many chunks",
            small_png(&chunk(b"tEXt", b"a\0b").repeat(600_000)),
            Ok(()),
        ),
        (
            "many parts of data",
            small_png(&chunk(b"IDAT", &[]).repeat(600_000)),
            Ok(()),
        ),
        ("a large PNG", png(8_000, 600, [8, 6, 0], &[]), Ok(())),
        (
            "a PNG of sixteen bits",
            png(4_000, 3_000, [16, 6, 0], &[]),
            Ok(()),
        ),
        ("the longest PNG", png(12_000, 300, [16, 2, 0], &[]), Ok(())),
        ("the highest PNG", png(300, 12_000, [16, 4, 0], &[]), Ok(())),
        (
            "an interlaced PNG",
            png(4_000, 3_000, [8, 6, 1], &[]),
            Ok(()),
        ),
        (
            "the largest interlaced PNG",
            png(3_860, 3_860, [8, 6, 1], &[]),
            Ok(()),
        ),
        (
            "a large interlaced PNG",
            png(8_000, 6_000, [8, 6, 1], &[]),
            too_large,
        ),
        (
            "one bit a pixel",
            png(12_000, 12_000, [1, 0, 0], &[]),
            too_large,
        ),
        (
            "the largest JPEG",
            jpeg(0xc0, (8160, 6120), &USUAL, &baseline),
            Ok(()),
        ),
        (
            "the largest fine JPEG",
            jpeg(0xc0, (8160, 6120), &FINE, &baseline),
            Ok(()),
        ),
        (
            "a square fine JPEG",
            jpeg(0xc0, (3999, 3999), &FINE, &baseline),
            Ok(()),
        ),
        (
            "four planes",
            jpeg(0xc0, (3999, 3999), &[0x11; 4], &scan(4, 0, 63)),
            Ok(()),
        ),
        (
            "large samples",
            jpeg(0xc0, (7000, 7000), &[0x11, 0x44, 0x44], &baseline),
            damaged,
        ),
        (
            "a JPEG too wide",
            jpeg(0xc0, (65_535, 65_535), &USUAL, &baseline),
            too_large,
        ),
        (
            "a progressive JPEG",
            progressive(4000, 3000, &USUAL, 9),
            Ok(()),
        ),
        (
            "the largest progressive JPEG",
            progressive(3400, 2500, &FINE, 9),
            Ok(()),
        ),
        (
            "a long progressive JPEG",
            jpeg(
                0xc2,
                (4032, 3024),
                &USUAL,
                &[scan(3, 0, 0), vec![0; 9_900_000]].concat(),
            ),
            Ok(()),
        ),
        (
            "a progressive JPEG too large",
            progressive(8160, 6120, &USUAL, 9),
            too_large,
        ),
        (
            "many scans",
            progressive(4000, 3000, &USUAL, 1000),
            too_large,
        ),
        (
            "scans again",
            jpeg(0xc0, (8160, 6120), &USUAL, &baseline.repeat(1000)),
            too_large,
        ),
        ("many profiles", with_segments(apps.repeat(160)), Ok(())),
        ("many Exifs", with_segments(exif.repeat(160)), Ok(())),
        (
            "many comments",
            with_segments(segment(0xfe, &[]).repeat(2_000_000)),
            Ok(()),
        ),
        (
            "many tables",
            with_segments(
                segment(0xc4, &[&[0, 1], [0; 15].as_slice(), &[0]].concat()).repeat(400_000),
            ),
            too_large,
        ),
    ]
}

/// Takes in one upload, in the process that was started for it; does nothing in the run of all tests.
#[test]
fn one_upload_is_taken_in_by_a_process_of_its_own() {
    let Ok(path) = std::env::var(UPLOAD) else {
        return;
    };
    let before = own_memory_kb("VmRSS:");
    let said = sanitize(std::fs::read(path).expect("an upload"));
    let taken = own_memory_kb("VmHWM:") - before;
    println!("\ntaken {taken}\nsaid {:?}", said.map(drop));
}

/// Reads a value of this process's memory from Linux, in kB (proc_pid_status(5)).
fn own_memory_kb(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find_map(|it| it.strip_prefix(name));
    let number = line.and_then(|it| it.split_whitespace().next());
    number.and_then(|it| it.parse().ok()).expect("kilobytes")
}

/// Returns the memory in kB that an upload takes, and the result that it gets.
fn taken_in(path: &Path) -> (u64, String) {
    let name = "media::photo::bombs::one_upload_is_taken_in_by_a_process_of_its_own";
    let output = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", name, "--nocapture"])
        .env(UPLOAD, path)
        .output()
        .expect("a process");
    let text = String::from_utf8_lossy(&output.stdout);
    let line = |start: &str| text.lines().find_map(|it| it.strip_prefix(start));
    let taken = line("taken ").and_then(|it| it.parse().ok());
    let said = line("said ").map(str::to_owned);
    taken.zip(said).unwrap_or_else(|| panic!("{output:?}"))
}

#[test]
#[cfg(target_os = "linux")]
fn no_upload_takes_100_mb_of_memory_whatever_it_claims_to_be() {
    let folder = tempfile::tempdir().expect("a folder");
    let bombs = bombs();
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let halves = bombs.chunks(bombs.len().div_ceil(2)).enumerate();
        let threads = halves.map(|(number, half)| {
            let path = folder.path().join(number.to_string());
            scope.spawn(move || wrong_among(half, &path))
        });
        let threads: Vec<_> = threads.collect();
        let wrong = threads.into_iter().map(|it| it.join().expect("a look"));
        wrong.flatten().collect()
    });
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Those that take too much or are answered otherwise, each taken in from the file at `path`.
fn wrong_among(bombs: &[Bomb], path: &Path) -> Vec<String> {
    let mut wrong = Vec::new();
    for (name, bytes, expected) in bombs {
        assert!(
            bytes.len() as u64 <= MAX_PHOTO_BYTES,
            "{name}: {} bytes",
            bytes.len()
        );
        std::fs::write(path, bytes).expect("a file");
        let (taken, said) = taken_in(path);
        let line = format!(
            "{name}: {} kB sent, {taken} kB taken, {said}",
            bytes.len() / 1000
        );
        println!("{line}");
        if MAX_KB < taken || said != format!("{expected:?}") {
            wrong.push(line);
        }
    }
    wrong
}
