//! Owns pictures that are small on the wire and large in memory.

use std::io::Write as _;

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};

/// So many zeros, compressed.
pub fn zeros(bytes: usize) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    let block = vec![0; 1 << 20];
    let mut left = bytes;
    while 0 < left {
        let n = left.min(block.len());
        encoder.write_all(&block[..n]).expect("memory");
        left -= n;
    }
    encoder.finish().expect("memory")
}

/// A black picture with these chunks before its pixels.
pub fn picture(width: u32, height: u32, chunks: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let head = [
        &width.to_be_bytes()[..],
        &height.to_be_bytes()[..],
        // Eight bits of red, green and blue.
        &[8, 2, 0, 0, 0],
    ];
    chunk(&mut file, b"IHDR", &head.concat());
    for (name, data) in chunks {
        chunk(&mut file, name, data);
    }
    let lines = height as usize * (1 + 3 * width as usize);
    chunk(&mut file, b"IDAT", &zeros(lines));
    chunk(&mut file, b"IEND", &[]);
    file
}

fn chunk(file: &mut Vec<u8>, name: &[u8; 4], data: &[u8]) {
    let length = u32::try_from(data.len()).expect("a chunk has less than 4 GB");
    file.extend(length.to_be_bytes());
    let mut crc = Crc::new();
    crc.update(name);
    crc.update(data);
    file.extend(name);
    file.extend(data);
    file.extend(crc.sum().to_be_bytes());
}
