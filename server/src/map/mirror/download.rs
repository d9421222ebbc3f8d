//! Owns an extract's way onto the disk: gone on with where it broke off, within bounds of size and time, and compared with
//! the checksum that the mirror gives. The checksum tells a broken download; it does not say that the mirror is honest, so
//! what the file unpacks to has bounds of its own (`maker`).

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use md5::{Digest as _, Md5};
use reqwest::header::{CONTENT_RANGE, ETAG, HeaderMap, HeaderName, HeaderValue, IF_RANGE, RANGE};
use reqwest::{Response, Url};
use tokio::time::{Instant, sleep, timeout_at};

use crate::external::map_mirror::{MapMirror, MirrorError};
use crate::limits::disk::Disk;

/// Bounds of a download.
#[derive(Clone, Copy, Debug)]
pub struct DownloadBounds {
    /// The largest extract, in bytes.
    pub most_bytes: u64,
    /// The longest time of all attempts together.
    pub deadline: Duration,
    /// Interval in which `least_bytes` have to come.
    pub pace: Duration,
    /// Bytes that come in each `pace` from a mirror that can be waited for.
    pub least_bytes: u64,
    /// The most attempts.
    pub attempts: u32,
    /// Delay before the second attempt; it doubles with each further one.
    pub delay: Duration,
}

impl Default for DownloadBounds {
    fn default() -> Self {
        Self {
            // All of Germany; whoever needs more of the world imports it in parts.
            most_bytes: 6_000_000_000,
            deadline: Duration::from_secs(12 * 60 * 60),
            pace: Duration::from_secs(60),
            least_bytes: 256 * 1024,
            attempts: 8,
            delay: Duration::from_secs(1),
        }
    }
}

/// Why an extract was not downloaded. What has come stays for the next time, unless it is said to be wrong.
#[derive(Debug, thiserror::Error)]
pub enum DownloadError {
    /// The mirror does not give it.
    #[error(transparent)]
    Mirror(#[from] MirrorError),
    /// The mirror's checksum has another form.
    #[error("{0} is no MD5 checksum")]
    NoChecksum(String),
    /// It is larger than any that is imported.
    #[error(
        "the extract has {size} bytes, more than the {most} that are downloaded: take a smaller region"
    )]
    TooLarge {
        /// Bytes of the extract as far as they are known.
        size: u64,
        /// The bound in bytes.
        most: u64,
    },
    /// The disk's reserve would be used.
    #[error(
        "the disk has no room for it: the extract and its import need some {needed} bytes beside the reserve that is kept \
         free for everything else"
    )]
    NoRoom {
        /// Bytes for the rest of the download and the import's temporary files.
        needed: u64,
    },
    /// The mirror sends too little.
    #[error(
        "the mirror sent less than {least_bytes} bytes in {seconds} s; what has come is kept for the next time"
    )]
    TooSlow {
        /// Bytes that have to come.
        least_bytes: u64,
        /// In so many seconds.
        seconds: u64,
    },
    /// All attempts together take too long.
    #[error("the download takes longer than {0} h; what has come is kept for the next time")]
    TooLong(u64),
    /// It ended before its end.
    #[error(
        "the download ended after {0} bytes, before its end; what has come is kept for the next time"
    )]
    CutOff(u64),
    /// The bytes are others than the mirror's checksum says.
    #[error(
        "the extract has the checksum {found}, and the mirror says {expected}: it was changed on its way, or the mirror is \
         replacing it. It was deleted and nothing was imported; try again in an hour"
    )]
    WrongChecksum {
        /// MD5 of the bytes that came.
        found: String,
        /// MD5 that the mirror says.
        expected: String,
    },
    /// The disk fails.
    #[error("the download cannot be written")]
    Disk(#[from] std::io::Error),
}

impl DownloadError {
    /// Returns true if the next attempt may go on with what has come.
    const fn may_pass(&self) -> bool {
        match self {
            Self::Mirror(it) => it.may_pass(),
            Self::TooSlow { .. } | Self::CutOff(_) => true,
            _ => false,
        }
    }
}

/// Multiple of an extract's size that its import needs for temporary files and tiles.
const IMPORT_FACTOR: u64 = 10;
/// Bytes between two looks at the disk.
const LOOK_EVERY: u64 = 16 * 1024 * 1024;
/// The digits and a file's name.
const MAX_CHECKSUM_BYTES: usize = 4 * 1024;
/// Longer ones are no ETag that is worth sending back.
const MAX_ETAG_CHARS: usize = 256;

/// An extract at a mirror, and the place for it on the disk.
#[derive(Clone, Copy, Debug)]
pub struct Download<'a> {
    /// The mirror that has it.
    pub mirror: &'a MapMirror,
    /// Address of the extract.
    pub url: &'a Url,
    /// The folder in which it is kept until it is imported; nobody else writes there meanwhile.
    pub folder: &'a Path,
    /// The disk of that folder.
    pub disk: &'a Disk,
    /// Bounds of size and time.
    pub bounds: DownloadBounds,
}

impl Download<'_> {
    /// The checksum that the mirror has beside the extract, as 32 small hexadecimal digits.
    pub async fn checksum(&self) -> Result<String, DownloadError> {
        let mut url = self.url.clone();
        url.set_path(&format!("{}.md5", self.url.path()));
        let text = self.mirror.read(&url, MAX_CHECKSUM_BYTES).await?;
        let text = String::from_utf8_lossy(&text).to_ascii_lowercase();
        let digits = text.split_whitespace().next().unwrap_or_default();
        let is_checksum = digits.len() == 32 && digits.bytes().all(|it| it.is_ascii_hexdigit());
        is_checksum
            .then(|| digits.to_owned())
            .ok_or_else(|| DownloadError::NoChecksum(url.to_string()))
    }

    /// Downloads the extract with this checksum and returns its file; `progress` hears how many bytes there are, and of how
    /// many if that is known.
    pub async fn run(
        &self,
        md5: &str,
        progress: &mut (dyn FnMut(u64, Option<u64>) + Send),
    ) -> Result<PathBuf, DownloadError> {
        let path = self.folder.join(format!("{md5}.osm.pbf"));
        self.remove_others(md5)?;
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(&path)?;
        let deadline = Instant::now() + self.bounds.deadline;
        let mut delay = self.bounds.delay;
        for attempt in 1.. {
            let attempted = timeout_at(deadline, self.attempt(md5, &mut file, progress)).await;
            let attempted = attempted.unwrap_or_else(|_| {
                let hours = self.bounds.deadline.as_secs() / 3600;
                Err(DownloadError::TooLong(hours))
            });
            match attempted {
                Ok(()) => break,
                Err(error) if error.may_pass() && attempt < self.bounds.attempts => {
                    tracing::warn!(%error, attempt, "map download interrupted, resuming");
                    sleep(delay).await;
                    delay *= 2;
                }
                Err(error) => return Err(error),
            }
        }
        let found = digest(&mut file)?;
        // A mirror that replaced the extract meanwhile has a new checksum as well.
        if found != md5 && self.checksum().await? != found {
            self.remove(md5)?;
            return Err(DownloadError::WrongChecksum {
                found,
                expected: md5.to_owned(),
            });
        }
        Ok(path)
    }

    /// Removes what was downloaded.
    pub fn remove(&self, md5: &str) -> Result<(), DownloadError> {
        for path in [
            self.folder.join(format!("{md5}.osm.pbf")),
            self.tag_file(md5),
        ] {
            match fs::remove_file(path) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error.into()),
                _ => {}
            }
        }
        Ok(())
    }

    /// Removes what older downloads of other extracts have left.
    fn remove_others(&self, md5: &str) -> Result<(), DownloadError> {
        for entry in fs::read_dir(self.folder)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let Some(other) = name.strip_suffix(".osm.pbf").filter(|it| *it != md5) else {
                continue;
            };
            self.remove(other)?;
        }
        Ok(())
    }

    fn tag_file(&self, md5: &str) -> PathBuf {
        self.folder.join(format!("{md5}.etag"))
    }

    /// Goes on with a file until its end, or until something comes between.
    async fn attempt(
        &self,
        md5: &str,
        file: &mut File,
        progress: &mut (dyn FnMut(u64, Option<u64>) + Send),
    ) -> Result<(), DownloadError> {
        let mut at = file.metadata()?.len();
        let tag = fs::read_to_string(self.tag_file(md5)).unwrap_or_default();
        let mut answer = self.mirror.open(self.url, range(at, &tag)).await?;
        let total = match answer.status().as_u16() {
            206 => match content_range(answer.headers()) {
                Some((from, total)) if from == at => total,
                // Another part than the one that was asked for is of no use.
                _ => {
                    file.set_len(0)?;
                    return Err(DownloadError::CutOff(0));
                }
            },
            // The mirror has another state of it, or knows no ranges.
            200 => {
                file.set_len(0)?;
                at = 0;
                answer.content_length()
            }
            416 if unsatisfied(answer.headers()) == Some(at) => return Ok(()),
            416 => {
                file.set_len(0)?;
                return Err(DownloadError::CutOff(0));
            }
            status => {
                let url = self.url.to_string();
                return Err(MirrorError::Status { url, status }.into());
            }
        };
        self.check_size(at, total)?;
        fs::write(self.tag_file(md5), strong_tag(answer.headers()))?;
        self.write(file, at, total, &mut answer, progress).await
    }

    fn check_size(&self, at: u64, total: Option<u64>) -> Result<(), DownloadError> {
        let most = self.bounds.most_bytes;
        if let Some(size) = total.filter(|it| most < *it) {
            return Err(DownloadError::TooLarge { size, most });
        }
        let size = total.unwrap_or(at);
        let needed = size.saturating_sub(at) + IMPORT_FACTOR * size;
        if self.disk.has_room(needed) {
            Ok(())
        } else {
            Err(DownloadError::NoRoom { needed })
        }
    }

    async fn write(
        &self,
        file: &mut File,
        mut at: u64,
        total: Option<u64>,
        answer: &mut Response,
        progress: &mut (dyn FnMut(u64, Option<u64>) + Send),
    ) -> Result<(), DownloadError> {
        let bounds = self.bounds;
        let (mut pace_from, mut in_pace) = (Instant::now(), 0);
        let mut unlooked = 0;
        progress(at, total);
        while let Some(part) = self.mirror.next_part(self.url, answer).await? {
            let length = part.len() as u64;
            at += length;
            if bounds.most_bytes < at {
                file.set_len(0)?;
                return Err(DownloadError::TooLarge {
                    size: at,
                    most: bounds.most_bytes,
                });
            }
            // Beside it this process does nothing else.
            file.write_all(&part)?;
            progress(at, total);
            in_pace += length;
            if bounds.pace <= pace_from.elapsed() {
                if in_pace < bounds.least_bytes {
                    return Err(DownloadError::TooSlow {
                        least_bytes: bounds.least_bytes,
                        seconds: bounds.pace.as_secs(),
                    });
                }
                (pace_from, in_pace) = (Instant::now(), 0);
            }
            unlooked += length;
            if LOOK_EVERY <= unlooked {
                unlooked = 0;
                let needed = IMPORT_FACTOR * at;
                if !self.disk.has_room(needed) {
                    return Err(DownloadError::NoRoom { needed });
                }
            }
        }
        match total {
            Some(total) if at != total => Err(DownloadError::CutOff(at)),
            _ => Ok(()),
        }
    }
}

/// Headers that ask for the bytes from `at` on, of the extract that had this ETag.
fn range(at: u64, tag: &str) -> HeaderMap {
    let mut headers = HeaderMap::new();
    if at == 0 {
        return headers;
    }
    let mut add = |name: HeaderName, value: &str| {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(name, value);
        }
    };
    add(RANGE, &format!("bytes={at}-"));
    if !tag.is_empty() {
        add(IF_RANGE, tag);
    }
    headers
}

/// The ETag of an answer if it stands for the same bytes (RFC 9110, 8.8.1); empty otherwise.
fn strong_tag(headers: &HeaderMap) -> &str {
    let tag = headers.get(ETAG).and_then(|it| it.to_str().ok());
    let is_strong = |it: &&str| it.starts_with('"') && it.len() <= MAX_ETAG_CHARS;
    tag.filter(is_strong).unwrap_or_default()
}

/// The first byte of an answer, and the number of all if it says so: `bytes 100-199/200`.
fn content_range(headers: &HeaderMap) -> Option<(u64, Option<u64>)> {
    let text = headers.get(CONTENT_RANGE)?.to_str().ok()?;
    let (bytes, total) = text.strip_prefix("bytes ")?.split_once('/')?;
    let from = bytes.split_once('-')?.0.parse().ok()?;
    Some((from, total.parse().ok()))
}

/// The number of bytes, of an answer that has none at or after the one that was asked for: `bytes */200`.
fn unsatisfied(headers: &HeaderMap) -> Option<u64> {
    let text = headers.get(CONTENT_RANGE)?.to_str().ok()?;
    text.strip_prefix("bytes */")?.parse().ok()
}

fn digest(file: &mut File) -> std::io::Result<String> {
    let mut hash = Md5::new();
    let mut buffer = vec![0; 1024 * 1024];
    file.seek(SeekFrom::Start(0))?;
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            length => hash.update(buffer.get(..length).unwrap_or_default()),
        }
    }
    let digits = hash.finalize().into_iter().map(|it| format!("{it:02x}"));
    Ok(digits.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: HeaderName, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_str(value).expect("a header"))])
    }

    #[test]
    fn ranges_are_read_as_they_are_written() {
        let of = |it| content_range(&headers(CONTENT_RANGE, it));
        assert_eq!(of("bytes 100-199/200"), Some((100, Some(200))));
        assert_eq!(of("bytes 100-199/*"), Some((100, None)));
        for wrong in [
            "",
            "bytes */200",
            "items 1-2/3",
            "bytes -1-2/3",
            "bytes x-2/3",
        ] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
        assert_eq!(
            unsatisfied(&headers(CONTENT_RANGE, "bytes */200")),
            Some(200)
        );
    }

    #[test]
    fn only_a_strong_tag_goes_back() {
        for (tag, expected) in [("\"abc\"", "\"abc\""), ("W/\"abc\"", ""), ("abc", "")] {
            assert_eq!(strong_tag(&headers(ETAG, tag)), expected, "{tag}");
        }
        assert!(range(0, "\"abc\"").is_empty());
        assert_eq!(range(7, "\"abc\"")[RANGE], "bytes=7-");
        assert!(!range(7, "").contains_key(IF_RANGE));
    }
}
