//! Calls of videos: announced, sent piece by piece, and shown in ranges.

use std::ops::RangeInclusive;

use axum::body::{Body, Bytes};
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde::{Deserialize, Serialize};
use serde_json::json;
use walkies_core::Id;
use walkies_core::rules::photo::PickedFile;
use walkies_core::rules::video::{self as rules, VIDEO_PIECE_BYTES, piece_bytes};

use crate::app::session::SitterUser;
use crate::app::state::{App, AppState};
use crate::app::throttle;
use crate::base::env::sha256;
use crate::base::error::AppError;
use crate::content::videos::{begin_video, drop_video, find, receive, refuse};
use crate::db::{self, VideoRow};
use crate::http::extract::{CallerAddress, JsonBody, QueryParams};
use crate::http::route::{Access, Route, get, post, route};
use crate::limits::bodies::OfCall;
use crate::limits::uploads;
use crate::media::files::FileName;
use crate::write::answer::{Answer, ok, success};

pub(super) fn routes() -> Vec<Route> {
    vec![
        post(
            "/videos",
            Access::Sitter,
            "Announces a video, or says how much of it is here",
            begin,
        )
        .body::<NewVideo>()
        .statuses(&[200, 201])
        .fails(&[409, 415, 507])
        .answer::<VideoState>(),
        get(
            "/videos/{id}",
            Access::Sitter,
            "How much of a video is here",
            state,
        )
        .answer::<VideoState>(),
        route(
            Method::PATCH,
            "/videos/{id}",
            Access::Sitter,
            "Takes in the piece of a video that begins at the offset; a repeat changes nothing",
            take_in,
        )
        .required_query("offset", "Where the piece begins: as much as is here")
        .bytes(VIDEO_PIECE_BYTES)
        .fails(&[409, 415, 507])
        .answer::<VideoState>(),
        route(
            Method::DELETE,
            "/videos/{id}",
            Access::Sitter,
            "Deletes a video, or as much of it as is here, that no invoice shows",
            remove,
        )
        .fails(&[409])
        .answer_of(super::auth::empty_data),
        get(
            "/videos/{id}/file",
            Access::Sitter,
            "A video of the business, or ranges of it",
            show,
        )
        .statuses(&[200, 206])
        .fails(&[416])
        .file("video/*"),
        get(
            "/public/invoices/{shareId}/videos/{video}",
            Access::Public,
            "A video of a shared invoice by its number from 0, or ranges of it",
            show_shared,
        )
        .statuses(&[200, 206])
        .fails(&[416])
        .file("video/*"),
    ]
}

/// A video before any of it comes.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
struct NewVideo {
    /// Made by the phone.
    id: Id,
    /// All of it.
    size_bytes: u64,
    /// `video/mp4`, `video/quicktime` or `video/webm`; the bytes have the last word.
    media_type: String,
}

/// State of a video's upload; a complete one is a media item (SPEC 3). Its duration is for the player to find.
#[derive(Debug, Serialize, utoipa::ToSchema)]
struct VideoState {
    id: Id,
    /// The length of the whole video in bytes.
    size_bytes: u64,
    /// The number of bytes that have arrived, at which the next piece begins.
    offset: u64,
    /// Size of each piece in bytes, except the last.
    piece_bytes: u64,
    /// True once all of it has arrived and was checked to be a video.
    complete: bool,
    /// Path at which the video can be fetched once it is complete.
    url: String,
    filename: String,
    /// The kind of media item; always `video`.
    r#type: &'static str,
}

impl From<&VideoRow> for VideoState {
    fn from(video: &VideoRow) -> Self {
        Self {
            id: video.id,
            size_bytes: video.size_bytes,
            offset: video.received_bytes,
            piece_bytes: VIDEO_PIECE_BYTES,
            complete: video.media_type.is_some(),
            url: format!("/api/videos/{}/file", video.id),
            filename: file_name(video),
            r#type: "video",
        }
    }
}

/// By what it is, once that is known.
fn file_name(video: &VideoRow) -> String {
    let kind = match video.media_type.as_deref() {
        Some("video/webm") => ".webm",
        Some("video/quicktime") => ".mov",
        Some(_) => ".mp4",
        None => "",
    };
    format!("{}{kind}", video.id)
}

async fn begin(
    State(app): State<AppState>,
    sitter: SitterUser,
    JsonBody(new): JsonBody<NewVideo>,
) -> Result<Answer, AppError> {
    if !app.files.is_configured() {
        return Err(AppError::NoPhotoStorage);
    }
    let (id, size_bytes) = (new.id, new.size_bytes);
    rules::check(&PickedFile {
        content_type: new.media_type,
        size: size_bytes,
    })
    .map_err(refuse)?;
    let begun = begin_video(&app, sitter.sitter_id, id, size_bytes).await?;
    let status = match begun.is_new {
        true => StatusCode::CREATED,
        false => StatusCode::OK,
    };
    Ok(Answer {
        status,
        body: success(VideoState::from(&begun.video)),
    })
}

async fn known(app: &App, sitter: &SitterUser, id: &str) -> Result<VideoRow, AppError> {
    let id = id.parse().map_err(|_| AppError::NotFound)?;
    find(app, sitter.sitter_id, id)
        .await?
        .ok_or(AppError::NotFound)
}

async fn state(
    State(app): State<AppState>,
    sitter: SitterUser,
    Path(id): Path<String>,
) -> Result<Answer, AppError> {
    Ok(ok(VideoState::from(&known(&app, &sitter, &id).await?)))
}

#[derive(Debug, Deserialize)]
pub(super) struct PieceQuery {
    pub(super) offset: u64,
}

async fn take_in(
    State(app): State<AppState>,
    sitter: SitterUser,
    Path(id): Path<String>,
    QueryParams(PieceQuery { offset }): QueryParams<PieceQuery>,
    request: Request,
) -> Result<Answer, AppError> {
    let video = known(&app, &sitter, &id).await?;
    if offset < video.received_bytes {
        // Its answer was lost on the way.
        return Ok(ok(VideoState::from(&video)));
    }
    if video.received_bytes < offset || video.media_type.is_some() {
        return Err(AppError::WrongOffset {
            offset: video.received_bytes,
        });
    }
    let wanted = piece_bytes(video.size_bytes, offset);
    app.disk
        .check_room(&app.db, sitter.sitter_id, wanted)
        .await?;
    throttle::video(&app, sitter.sitter_id)?;
    let bytes = read_piece(&app, &sitter, request, wanted).await?;
    let noted = receive(&app, sitter.sitter_id, &video, bytes).await?;
    Ok(ok(VideoState::from(&noted)))
}

/// The bytes of a piece, all of them.
pub(super) async fn read_piece(
    app: &App,
    sitter: &SitterUser,
    request: Request,
    wanted: u64,
) -> Result<Bytes, AppError> {
    let wrong_size = || AppError::Malformed(format!("The piece at this offset has {wanted} bytes"));
    let _upload = app.uploads.begin(sitter.sitter_id, OfCall::of(&request))?;
    let most = usize::try_from(wanted).unwrap_or(usize::MAX);
    let body = request.into_body().into_data_stream();
    let read = uploads::read(body, most, |_| AppError::BodyBrokeOff).await?;
    let bytes = read.filter(|it| it.len() == most).ok_or_else(wrong_size)?;
    Ok(bytes.into())
}

async fn remove(
    State(app): State<AppState>,
    sitter: SitterUser,
    Path(id): Path<String>,
) -> Result<Answer, AppError> {
    let video = known(&app, &sitter, &id).await?;
    if !drop_video(&app, sitter.sitter_id, video.id).await? {
        return Err(AppError::VideoShown);
    }
    Ok(ok(json!({})))
}

async fn show(
    State(app): State<AppState>,
    sitter: SitterUser,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, AppError> {
    let video = known(&app, &sitter, &id).await?;
    show_file(app, sitter.sitter_id, &video, &headers).await
}

/// The same answer for an invoice that was deleted as for one that never was.
async fn show_shared(
    State(app): State<AppState>,
    CallerAddress(address): CallerAddress,
    Path((share_id, video)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, AppError> {
    // A player asks for some ranges at each jump.
    throttle::stranger(&app, "video", &address, app.settings.rate_of_reports)?;
    let mut tx = app.db.read_autocommit().await?;
    let shared = db::find_shared_invoice(&mut tx, &share_id).await?;
    let db::SharedInvoice { sitter_id, invoice } = shared.ok_or(AppError::InvoiceGone)?;
    let number: Option<usize> = video.parse().ok();
    let id = number.and_then(|it| invoice.invoice_data.videos.get(it));
    let id = *id.ok_or(AppError::InvoiceGone)?;
    let video = db::find_video(&mut tx, sitter_id, id).await?;
    drop(tx);
    let video = video.ok_or(AppError::InvoiceGone)?;
    show_file(app, sitter_id, &video, &headers).await
}

/// Bytes of a piece that are read at once, so that little is in memory for a slow receiver.
const CHUNK_BYTES: u64 = 64 * 1024;

/// A video's bytes, or the range of them that is asked for, for somebody who may see it.
async fn show_file(
    app: AppState,
    sitter_id: Id,
    video: &VideoRow,
    headers: &HeaderMap,
) -> Result<Response, AppError> {
    let media_type = video.media_type.as_deref().ok_or(AppError::NotFound)?;
    let mut tx = app.db.read_autocommit().await?;
    let file_ids = db::pieces_of_video(&mut tx, sitter_id, video.id).await?;
    drop(tx);
    let size = video.size_bytes;
    let files: Vec<String> = file_ids.iter().map(Id::to_string).collect();
    let etag = format!("\"{:.32}\"", sha256(files.concat().as_bytes()));
    let common = [
        (header::CONTENT_TYPE, media_type.to_owned()),
        (header::ACCEPT_RANGES, "bytes".to_owned()),
        (header::ETAG, etag.clone()),
        (header::CONTENT_DISPOSITION, "inline".to_owned()),
        (header::CONTENT_SECURITY_POLICY, SANDBOX.to_owned()),
    ];
    let (status, range) = match asked_range(headers, &etag, size) {
        AskedRange::All => (StatusCode::OK, 0..=size - 1),
        AskedRange::Some(range) => (StatusCode::PARTIAL_CONTENT, range),
        AskedRange::Beyond => {
            return Err(AppError::RangeBeyond { size });
        }
    };
    let (first, last) = (*range.start(), *range.end());
    let chunks = stream::try_unfold(first, move |at| {
        let (app, file_ids) = (AppState::clone(&app), file_ids.clone());
        async move {
            if last < at {
                return Ok::<_, std::io::Error>(None);
            }
            let (number, begins) = (at / VIDEO_PIECE_BYTES, at % VIDEO_PIECE_BYTES);
            let ends = (begins + CHUNK_BYTES).min(VIDEO_PIECE_BYTES);
            let ends = ends.min(begins + (last - at) + 1);
            let index = usize::try_from(number).unwrap_or(usize::MAX);
            let lost = || std::io::Error::other("a piece of a video is not there");
            let name = file_ids.get(index).ok_or_else(lost)?;
            let name = FileName::video_piece(sitter_id, *name);
            let found = app.files.get_range(&name, begins..ends).await;
            let bytes = found.map_err(std::io::Error::other)?.ok_or_else(lost)?;
            Ok(Some((bytes, at + (ends - begins))))
        }
    });
    let mut response = (status, common, Body::from_stream(chunks)).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(last - first + 1));
    if status == StatusCode::PARTIAL_CONTENT {
        let value = HeaderValue::from_str(&format!("bytes {first}-{last}/{size}"));
        headers.insert(
            header::CONTENT_RANGE,
            value.map_err(|it| AppError::Internal(it.into()))?,
        );
    }
    Ok(response)
}

/// A file that somebody has sent is a video and nothing else, also where it is opened by itself.
const SANDBOX: &str = "default-src 'none'; media-src 'self'; frame-ancestors 'none'; sandbox";

/// The part of a file that a request asks for.
#[derive(Debug, PartialEq, Eq)]
enum AskedRange {
    All,
    Some(RangeInclusive<u64>),
    /// None that it has.
    Beyond,
}

/// Reads `Range` and `If-Range` (RFC 9110, 14.2 and 13.1.5). Several ranges at once, and what is none, count for nothing.
fn asked_range(headers: &HeaderMap, etag: &str, size: u64) -> AskedRange {
    let text = |name: HeaderName| headers.get(name).map(|it| it.to_str().unwrap_or_default());
    if text(header::IF_RANGE).is_some_and(|it| it != etag) {
        return AskedRange::All;
    }
    let asked = text(header::RANGE).and_then(|it| it.trim().strip_prefix("bytes="));
    let Some((first, last)) = asked.and_then(|it| it.split_once('-')) else {
        return AskedRange::All;
    };
    let number = |text: &str| {
        let is_number = !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
        // More than any number can say is beyond the end.
        is_number.then(|| text.parse::<u64>().unwrap_or(u64::MAX))
    };
    let end = size.saturating_sub(1);
    let range = if first.is_empty() {
        number(last).map(|it| (size.saturating_sub(it), end))
    } else if last.is_empty() {
        number(first).map(|it| (it, end))
    } else {
        let range = number(first).zip(number(last));
        range.filter(|(first, last)| first <= last)
    };
    match range {
        None => AskedRange::All,
        Some((first, _)) if size <= first => AskedRange::Beyond,
        Some((first, last)) => AskedRange::Some(first..=last.min(end)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(range: &str, if_range: Option<&str>) -> AskedRange {
        let mut headers = HeaderMap::new();
        headers.insert(header::RANGE, range.parse().expect("a value"));
        if let Some(it) = if_range {
            headers.insert(header::IF_RANGE, it.parse().expect("a value"));
        }
        asked_range(&headers, "\"1\"", 100)
    }

    #[test]
    fn a_range_is_given_as_far_as_the_file_goes() {
        assert_eq!(asked("bytes=0-", None), AskedRange::Some(0..=99));
        assert_eq!(asked("bytes=5-5", None), AskedRange::Some(5..=5));
        assert_eq!(asked("bytes=90-1000", None), AskedRange::Some(90..=99));
        assert_eq!(asked("bytes=-10", None), AskedRange::Some(90..=99));
        assert_eq!(asked("bytes=-1000", None), AskedRange::Some(0..=99));
        let long = "bytes=0-99999999999999999999999";
        assert_eq!(asked(long, None), AskedRange::Some(0..=99));
    }

    #[test]
    fn a_range_beyond_the_end_is_none_of_the_file() {
        for range in ["bytes=100-", "bytes=100-200", "bytes=-0"] {
            assert_eq!(asked(range, None), AskedRange::Beyond, "{range}");
        }
    }

    #[test]
    fn what_is_no_range_or_of_another_file_counts_for_nothing() {
        for range in [
            "",
            "bytes=",
            "bytes=-",
            "bytes=9-5",
            "lines=1-2",
            "bytes=1-2,5-6",
            "bytes=a-b",
        ] {
            assert_eq!(asked(range, None), AskedRange::All, "{range}");
        }
        assert_eq!(asked("bytes=1-2", Some("\"2\"")), AskedRange::All);
        let same = asked("bytes=1-2", Some("\"1\""));
        assert_eq!(same, AskedRange::Some(1..=2));
    }
}
