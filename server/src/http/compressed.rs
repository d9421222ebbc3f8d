//! Owns what never changes while the server runs, compressed once for all who ask for it.

use std::collections::HashMap;
use std::io::Write as _;
use std::sync::{LazyLock, Mutex, PoisonError};

use axum::body::Bytes;
use axum::http::header::{
    ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::base::env::sha256;
use crate::limits::outgoing::Unchanging;

/// Shorter ones are sent as they are.
const MIN_BYTES: usize = 1024;

/// A text that never changes, in the forms that it is sent in.
#[derive(Debug)]
pub struct UnchangingText {
    whole: Bytes,
    gzip: Bytes,
    tag: HeaderValue,
}

impl UnchangingText {
    /// Compresses a text.
    pub fn new(text: String) -> Self {
        let tag = format!("W/\"{:.32}\"", sha256(text.as_bytes()));
        let gzip = gzip(text.as_bytes()).into();
        Self {
            whole: text.into(),
            gzip,
            tag: HeaderValue::try_from(tag).unwrap_or(HeaderValue::from_static("W/\"\"")),
        }
    }

    /// The text as somebody takes it; nothing of it where they have it.
    pub fn answer(&self, headers: &HeaderMap, content_type: &'static str) -> Response {
        let mut response = if matches_etag(headers, &self.tag) {
            StatusCode::NOT_MODIFIED.into_response()
        } else if accepts(headers, "gzip") {
            let gzip = [(CONTENT_ENCODING, HeaderValue::from_static("gzip"))];
            (gzip, self.gzip.clone()).into_response()
        } else {
            self.whole.clone().into_response()
        };
        response.extensions_mut().insert(Unchanging);
        for (name, value) in [
            (CONTENT_TYPE, HeaderValue::from_static(content_type)),
            (VARY, HeaderValue::from_static("Accept-Encoding")),
            (ETAG, self.tag.clone()),
        ] {
            response.headers_mut().insert(name, value);
        }
        response
    }
}

/// A file of the app by its tag, compressed when somebody first asks for it so; `None` where that is not worth it.
pub fn gzipped_file(tag: &HeaderValue, whole: &[u8], content_type: &str) -> Option<Bytes> {
    static FILES: LazyLock<Mutex<HashMap<String, Bytes>>> = LazyLock::new(Mutex::default);
    let is_compressed = ["image/png", "image/jpeg", "image/webp", "font/"];
    let is_small = whole.len() < MIN_BYTES;
    if is_small || is_compressed.iter().any(|it| content_type.starts_with(it)) {
        return None;
    }
    let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    let file = files.entry(tag.to_str().unwrap_or_default().to_owned());
    Some(file.or_insert_with(|| gzip(whole).into()).clone())
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    // Nothing fails that is written to memory.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

/// Tells by its tag that the caller has a file already.
pub fn matches_etag(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    let known = headers
        .get(IF_NONE_MATCH)
        .and_then(|it| it.to_str().ok())
        .unwrap_or_default();
    known
        .split(',')
        .any(|it| it.trim().as_bytes() == tag.as_bytes())
}

/// Tells that the caller takes this encoding.
pub fn accepts(headers: &HeaderMap, encoding: &str) -> bool {
    let accepted = headers
        .get(ACCEPT_ENCODING)
        .and_then(|it| it.to_str().ok())
        .unwrap_or_default();
    accepted.split(',').any(|it| {
        let (name, quality) = it.split_once(';').unwrap_or((it, ""));
        let refused = quality
            .trim()
            .strip_prefix("q=")
            .and_then(|it| it.parse::<f32>().ok())
            .is_some_and(|it| it <= 0.0);
        name.trim() == encoding && !refused
    })
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use flate2::read::GzDecoder;

    use super::*;

    #[test]
    fn a_file_is_compressed_once_and_comes_out_as_it_was() {
        let whole = b"walkies ".repeat(1_000);
        let tag = HeaderValue::from_static("W/\"a test's\"");
        let first = gzipped_file(&tag, &whole, "text/javascript").expect("it is long");
        let again = gzipped_file(&tag, &whole, "text/javascript").expect("it is long");
        assert_eq!(first.as_ptr(), again.as_ptr());
        let mut out = Vec::new();
        GzDecoder::new(&*first).read_to_end(&mut out).expect("gzip");
        assert!(out == whole);
        assert_eq!(
            gzipped_file(&HeaderValue::from_static("a.png"), &whole, "image/png"),
            None
        );
        assert_eq!(
            gzipped_file(&HeaderValue::from_static("a.txt"), b"short", "text/plain"),
            None
        );
    }
}
