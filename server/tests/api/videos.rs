//! Videos: taken in piece by piece through whatever breaks, kept without location, shown in ranges to their own business.

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};
use walkies_core::Id;
use walkies_core::rules::video::{
    MAX_UNFINISHED_VIDEOS, MAX_VIDEO_BYTES, MAX_VIDEO_STORAGE_BYTES, VIDEO_PIECE_BYTES,
};
use walkies_server::base::env::Env;
use walkies_server::db;
use walkies_server::jobs::cleanup;
use walkies_server::media::files::FileName;

use crate::on_both;
use crate::support::{Answer, DAY, PASSWORD, TestApp, User};

const PIECE: usize = VIDEO_PIECE_BYTES as usize;
/// As phones write down where they are.
const PLACE: &[u8] = b"+59.3293+018.0686/";

fn boxed(kind: &[u8; 4], content: &[&[u8]]) -> Vec<u8> {
    let content = content.concat();
    let length = u32::try_from(8 + content.len()).unwrap().to_be_bytes();
    [&length[..], kind, &content].concat()
}

/// An MP4 of a track of this kind and of so many bytes of pictures, which says where it was taken.
fn film_of(handler: &[u8; 4], pictures: usize) -> Vec<u8> {
    let handler = boxed(b"hdlr", &[&[0; 8], handler, &[0; 13]]);
    let track = boxed(b"trak", &[&boxed(b"mdia", &[&handler])]);
    let place = boxed(b"udta", &[&boxed(b"\xa9xyz", &[PLACE])]);
    let pictures: Vec<u8> = (0..pictures).map(|it| (it % 251) as u8).collect();
    [
        boxed(b"ftyp", &[b"isom\0\0\0\0"]),
        boxed(b"mdat", &[&pictures]),
        boxed(b"moov", &[&track, &place]),
    ]
    .concat()
}

/// One of two whole pieces and a part of a third.
pub fn film() -> Vec<u8> {
    film_of(b"vide", 2 * PIECE + 1_000)
}

fn knows_place(bytes: &[u8]) -> bool {
    bytes.windows(PLACE.len()).any(|it| it == PLACE)
}

fn new_video(id: &str, size: usize) -> Value {
    json!({ "id": id, "size_bytes": size, "media_type": "video/mp4" })
}

fn new_id() -> String {
    Env::system().id().to_string()
}

async fn send_piece(user: &User, id: &str, offset: usize, bytes: &[u8]) -> Answer {
    let request = Request::patch(format!("/api/videos/{id}?offset={offset}"));
    let request = request.header("content-type", "application/octet-stream");
    let body = Body::from(bytes.to_vec());
    user.send(request.body(body).unwrap()).await
}

async fn send_from(user: &User, id: &str, film: &[u8], offset: usize) -> Answer {
    let mut answer = None;
    for (number, piece) in film[offset..].chunks(PIECE).enumerate() {
        answer = Some(send_piece(user, id, offset + number * PIECE, piece).await);
    }
    answer.unwrap()
}

/// Uploads a whole video: its id.
pub async fn upload(user: &User, film: &[u8]) -> String {
    let id = new_id();
    user.post("/videos", new_video(&id, film.len()))
        .await
        .data();
    assert_eq!(send_from(user, &id, film, 0).await.data()["complete"], true);
    id
}

/// A small video that says where it was taken.
pub fn small_film() -> Vec<u8> {
    film_of(b"vide", 1_000)
}

/// The bytes of all files of this server's videos.
fn stored(app: &TestApp) -> Vec<Vec<u8>> {
    fn walk(folder: &std::path::Path, found: &mut Vec<Vec<u8>>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.parent().is_some_and(|it| it.ends_with("video")) {
                found.push(std::fs::read(path).unwrap());
            }
        }
    }
    let mut found = Vec::new();
    walk(app.folder(), &mut found);
    found
}

async fn clean_up_after(app: &TestApp, millis: i64) {
    app.clock.advance(millis);
    cleanup::clean_up_once(&app.state).await.unwrap();
}

on_both! {
    async fn a_video_comes_in_pieces_and_is_shown_whole_to_its_business_alone(app: TestApp) {
        let (dana, other, parent) = (app.sitter("Dana").await, app.sitter("Other").await, app.pet_parent("Pat").await);
        let (film, id) = (film(), new_id());
        let begun = dana.post("/videos", new_video(&id, film.len())).await;
        assert_eq!((begun.status.as_u16(), &begun.data()["offset"]), (201, &json!(0)));
        assert_eq!(begun.data()["piece_bytes"], PIECE);
        let file = format!("/videos/{id}/file");
        let first = send_piece(&dana, &id, 0, &film[..PIECE]).await;
        assert_eq!((&first.data()["offset"], &first.data()["complete"]), (&json!(PIECE), &json!(false)));
        assert_eq!(dana.get(&file).await.failure(), (404, "not_found"), "there is nothing to be shown yet");
        let last = send_from(&dana, &id, &film, PIECE).await;
        assert_eq!((&last.data()["offset"], &last.data()["complete"]), (&json!(film.len()), &json!(true)));
        assert_eq!(dana.get(&format!("/videos/{id}")).await.data(), last.data());
        let item = ["url", "filename", "type"].map(|it| last.data()[it].clone());
        assert_eq!(item, [json!(format!("/api{file}")), json!(format!("{id}.mp4")), json!("video")]);

        let shown = dana.get(&file).await;
        assert_eq!((shown.status.as_u16(), shown.bytes.len()), (200, film.len()));
        assert_eq!(shown.bytes[..2 * PIECE], film[..2 * PIECE]);
        for (name, value) in [
            ("content-type", "video/mp4"),
            ("x-content-type-options", "nosniff"),
            ("cache-control", "no-store"),
            ("accept-ranges", "bytes"),
        ] {
            assert_eq!(shown.headers[name], value, "{name}");
        }
        let policy = shown.headers["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("default-src 'none'") && policy.contains("sandbox"), "{policy}");
        for (who, failure) in [
            (&other, (404, "not_found")),
            (&parent, (403, "forbidden")),
            (&app.anonymous(), (401, "sign_in_needed")),
        ] {
            assert_eq!(who.get(&file).await.failure(), failure);
            assert_eq!(who.get(&format!("/videos/{id}")).await.failure(), failure);
            assert_eq!(send_piece(who, &id, 0, &film[..PIECE]).await.failure(), failure);
            assert_eq!(who.delete(&format!("/videos/{id}")).await.failure(), failure);
        }
        assert_eq!(dana.get(&file).await.bytes, shown.bytes);
    }

    async fn a_range_of_a_video_is_given_alone(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let id = upload(&dana, &film()).await;
        let file = format!("/videos/{id}/file");
        let whole = dana.get(&file).await;
        let size = whole.bytes.len();
        let range = async |range: &str, if_range: &str| {
            dana.call("GET", &file, &[("range", range), ("if-range", if_range)], None).await
        };
        let etag = whole.headers["etag"].to_str().unwrap();
        for (asked, first, last) in [
            ("bytes=0-0".to_owned(), 0, 0),
            (format!("bytes={}-{}", PIECE - 70_000, PIECE + 70_000), PIECE - 70_000, PIECE + 70_000),
            (format!("bytes={}-", 2 * PIECE), 2 * PIECE, size - 1),
            ("bytes=-10".to_owned(), size - 10, size - 1),
        ] {
            let part = range(&asked, etag).await;
            assert_eq!(part.status, 206, "{asked}");
            assert_eq!(part.headers["content-range"], format!("bytes {first}-{last}/{size}"));
            assert_eq!(part.headers["content-length"], (last - first + 1).to_string());
            assert!(part.bytes == whole.bytes[first..=last], "{asked}");
        }
        let asked = dana.call("GET", &file, &[("accept-encoding", "gzip")], None).await;
        assert!(!asked.headers.contains_key("content-encoding") && asked.bytes == whole.bytes);
        let beyond = range(&format!("bytes={size}-"), etag).await;
        assert_eq!(beyond.failure(), (416, "range_beyond"));
        assert_eq!(beyond.headers["content-range"], format!("bytes */{size}"));
        let other = range("bytes=0-0", "\"another\"").await;
        assert_eq!((other.status.as_u16(), other.bytes.len()), (200, size));
    }

    async fn where_a_video_was_taken_is_kept_nowhere(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let film = film();
        assert!(knows_place(&film));
        let id = upload(&dana, &film).await;
        let shown = dana.get(&format!("/videos/{id}/file")).await.bytes;
        assert!(shown.len() == film.len() && !knows_place(&shown));
        let files = stored(&app);
        assert_eq!(files.len(), 3);
        assert!(!files.iter().any(|it| knows_place(it)));
        assert_eq!(dana.get(&format!("/videos/{id}/file")).await.bytes, shown);
    }

    async fn an_upload_goes_on_where_it_broke_off(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let (film, id) = (film(), new_id());
        dana.post("/videos", new_video(&id, film.len())).await.data();
        // The answer to the first was lost; and the network breaks in the middle of the second.
        send_piece(&dana, &id, 0, &film[..PIECE]).await.data();
        let repeated = send_piece(&dana, &id, 0, &film[..PIECE]).await;
        assert_eq!(repeated.data()["offset"], PIECE);
        let short = send_piece(&dana, &id, PIECE, &film[PIECE..PIECE + 9]).await;
        assert_eq!(short.failure(), (400, "malformed"));
        let long = send_piece(&dana, &id, PIECE, &film[PIECE..2 * PIECE + 1]).await;
        assert_eq!(long.failure(), (400, "malformed"));
        let ahead = send_piece(&dana, &id, 2 * PIECE, &film[2 * PIECE..]).await;
        assert_eq!(ahead.failure(), (409, "wrong_offset"));
        assert_eq!(ahead.body["details"]["offset"], PIECE);
        let again = dana.post("/videos", new_video(&id, film.len())).await;
        assert_eq!((again.status.as_u16(), &again.data()["offset"]), (200, &json!(PIECE)));
        assert_eq!(send_from(&dana, &id, &film, PIECE).await.data()["complete"], true);
        let late = send_piece(&dana, &id, 2 * PIECE, &film[2 * PIECE..]).await;
        assert_eq!(late.data()["complete"], true, "the answer to the last was lost");
        let beyond = send_piece(&dana, &id, film.len(), b"").await;
        assert_eq!(beyond.failure(), (409, "wrong_offset"));
        let shown = dana.get(&format!("/videos/{id}/file")).await.bytes;
        assert!(shown[..2 * PIECE] == film[..2 * PIECE]);
    }

    #[always]
    async fn of_two_who_send_the_same_piece_one_counts(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let (film, id) = (film(), new_id());
        dana.post("/videos", new_video(&id, film.len())).await.data();
        for (number, piece) in film.chunks(PIECE).enumerate() {
            let send = || send_piece(&dana, &id, number * PIECE, piece);
            let (one, other) = tokio::join!(send(), send());
            assert_eq!(one.data()["offset"], other.data()["offset"]);
        }
        clean_up_after(&app, 0).await;
        let shown = dana.get(&format!("/videos/{id}/file")).await.bytes;
        assert!(shown.len() == film.len() && shown[..2 * PIECE] == film[..2 * PIECE]);
    }

    async fn what_is_no_video_is_refused_and_not_kept(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let begin = async |size: u64, kind: &str| {
            let answer = dana.post("/videos", json!({ "id": new_id(), "size_bytes": size, "media_type": kind })).await;
            (answer.status.as_u16(), answer.body["error"].as_str().unwrap().to_owned())
        };
        assert_eq!(begin(0, "video/mp4").await, (400, "No video selected".to_owned()));
        assert_eq!(begin(MAX_VIDEO_BYTES + 1, "video/mp4").await, (413, "Video size too large (max 100MB)".to_owned()));
        let unsupported = "Unsupported file type (use MP4, MOV, or WebM)";
        assert_eq!(begin(9, "text/html").await, (415, unsupported.to_owned()));
        // Whatever it is said to be.
        let page = [b"<script>alert(1)</script>", &[b' '; PIECE][..]].concat();
        let id = new_id();
        dana.post("/videos", new_video(&id, page.len())).await.data();
        let refused = send_piece(&dana, &id, 0, &page[..PIECE]).await;
        assert_eq!((refused.failure(), &refused.body["error"]), ((415, "unsupported"), &json!(unsupported)));
        assert!(stored(&app).is_empty());
        let sound = film_of(b"soun", PIECE);
        let id = new_id();
        dana.post("/videos", new_video(&id, sound.len())).await.data();
        assert_eq!(send_from(&dana, &id, &sound, 0).await.failure(), (400, "malformed"));
        assert_eq!(dana.get(&format!("/videos/{id}")).await.failure(), (404, "not_found"));
        clean_up_after(&app, DAY).await;
        assert!(stored(&app).is_empty());
    }

    async fn a_video_that_no_invoice_names_is_gone_after_a_day(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let (film, begun) = (film(), new_id());
        let whole = upload(&dana, &small_film()).await;
        dana.post("/videos", new_video(&begun, film.len())).await.data();
        send_piece(&dana, &begun, 0, &film[..PIECE]).await.data();
        let is_there = async |id: &str| dana.get(&format!("/videos/{id}")).await.status == 200;
        clean_up_after(&app, DAY - 1).await;
        assert!(is_there(&whole).await && is_there(&begun).await);
        // What goes on slowly goes on.
        send_piece(&dana, &begun, PIECE, &film[PIECE..2 * PIECE]).await.data();
        clean_up_after(&app, 1).await;
        assert!(!is_there(&whole).await && is_there(&begun).await);
        assert_eq!(stored(&app).len(), 2);
        clean_up_after(&app, DAY).await;
        assert!(!is_there(&begun).await && stored(&app).is_empty());
        let dump = app.dump(None).await;
        assert!(!dump.iter().any(|it| it.starts_with("video") || it.starts_with("dropped_video")));
    }

    async fn a_piece_of_an_upload_that_broke_off_is_removed(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let (sitter_id, file_id) = (dana.sitter_id.unwrap(), Env::system().id());
        // As after a crash between the file and its row.
        let mut tx = app.state.db.write().await.unwrap();
        db::announce_video_piece(&mut tx, sitter_id, file_id, app.state.now()).await.unwrap();
        tx.commit().await.unwrap();
        let name = FileName::video_piece(sitter_id, file_id);
        app.state.files.put(&name, film().into()).await.unwrap();
        clean_up_after(&app, 0).await;
        assert_eq!(stored(&app).len(), 1, "it may still be under way");
        clean_up_after(&app, DAY).await;
        assert!(stored(&app).is_empty());
    }

    async fn a_video_can_be_let_go_at_any_time(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let (film, begun) = (film(), new_id());
        let whole = upload(&dana, &film).await;
        dana.post("/videos", new_video(&begun, film.len())).await.data();
        send_piece(&dana, &begun, 0, &film[..PIECE]).await.data();
        for id in [whole, begun] {
            dana.delete(&format!("/videos/{id}")).await.data();
            assert_eq!(dana.get(&format!("/videos/{id}")).await.failure(), (404, "not_found"));
        }
        assert!(stored(&app).is_empty());
        // And begun anew.
        upload(&dana, &film).await;
        let form = json!({ "password": PASSWORD });
        dana.call("DELETE", "/auth/account", &[], Some(form)).await.data();
        assert!(stored(&app).is_empty(), "the files go with the account");
    }

    async fn a_business_begins_and_keeps_so_many_videos(app: TestApp) {
        let (dana, other) = (app.sitter("Dana").await, app.sitter("Other").await);
        let first = new_id();
        dana.post("/videos", new_video(&first, 1_000)).await.data();
        for _ in 1..MAX_UNFINISHED_VIDEOS {
            dana.post("/videos", new_video(&new_id(), 1_000)).await.data();
        }
        let refused = dana.post("/videos", new_video(&new_id(), 1_000)).await;
        assert_eq!(refused.failure(), (429, "too_many_requests"));
        dana.post("/videos", new_video(&first, 1_000)).await.data();
        assert_eq!(dana.post("/videos", new_video(&first, 1_001)).await.failure(), (422, "key_reused"));
        other.post("/videos", new_video(&first, 7)).await.data();
        dana.delete(&format!("/videos/{first}")).await.data();
        dana.post("/videos", new_video(&first, 1_000)).await.data();
        let mut tx = app.state.db.write().await.unwrap();
        let full = MAX_VIDEO_STORAGE_BYTES - 10;
        db::insert_video(&mut tx, other.sitter_id.unwrap(), Id::of(7), full, app.state.now()).await.unwrap();
        tx.commit().await.unwrap();
        let refused = other.post("/videos", new_video(&new_id(), 1_000)).await;
        assert_eq!(refused.failure(), (409, "video_storage_full"));
    }

    async fn a_server_without_a_place_for_files_takes_no_videos(app: TestApp) {
        let mut dana = app.sitter("Dana").await;
        dana.router = app.without_photo_storage().await;
        let answer = dana.post("/videos", new_video(&new_id(), 1_000)).await;
        assert_eq!(answer.failure(), (503, "photo_storage_not_configured"));
    }

    #[always]
    async fn who_has_the_address_of_an_invoice_sees_its_videos_until_it_is_deleted(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let pair = dana.client("Sam").await;
        let done = dana.walk(&pair, "2026-11-23", "10:00").await;
        dana.post(&format!("/scheduled-services/{done}/complete"), json!({})).await.data();
        let (coming, film) = (new_id(), film());
        let invoice = |videos: Value| json!({
            "client_id": pair.0, "services": [done], "start_date": "2026-11-23", "end_date": "2026-11-23", "videos": videos,
        });
        dana.post("/videos", new_video(&coming, film.len())).await.data();
        send_piece(&dana, &coming, 0, &film[..PIECE]).await.data();
        let early = dana.post("/invoices/share", invoice(json!([coming]))).await;
        assert_eq!(early.failure(), (409, "video_missing"));
        send_from(&dana, &coming, &film, PIECE).await.data();
        let shared = dana.post("/invoices/share", invoice(json!([coming]))).await;
        let share_id = shared.data()["shareId"].as_str().unwrap();
        let stranger = app.anonymous();
        let address = format!("/public/invoices/{share_id}/videos/0");
        let own = dana.get(&format!("/videos/{coming}/file")).await.bytes;
        let seen = stranger.get(&address).await;
        assert!(seen.status == 200 && seen.bytes == own);
        assert_eq!((&seen.headers["cache-control"], &seen.headers["x-robots-tag"]), (&"no-store".parse().unwrap(), &"noindex".parse().unwrap()));
        let part = stranger.call("GET", &address, &[("range", "bytes=5-9")], None).await;
        assert!(part.status == 206 && part.bytes == own[5..=9]);
        for wrong in ["1", "-1", "x", coming.as_str()] {
            let answer = stranger.get(&format!("/public/invoices/{share_id}/videos/{wrong}")).await;
            assert_eq!(answer.failure(), (404, "invoice_gone"));
        }
        assert_eq!(stranger.get("/public/invoices/0f3JpQ7xTzSx5mN8dVb2Kg/videos/0").await.failure(), (404, "invoice_gone"));
        assert_eq!(dana.delete(&format!("/videos/{coming}")).await.failure(), (409, "video_shown"));
        for _ in 0..9 {
            clean_up_after(&app, DAY).await;
        }
        assert_eq!(stranger.get(&address).await.bytes, own, "it is there as long as the invoice");
        let path = format!("/invoices/{}", shared.id());
        dana.delete(&path).await.data();
        assert_eq!(stranger.get(&address).await.failure(), (404, "invoice_gone"));
        dana.post(&format!("{path}/restore"), json!({})).await.data();
        assert_eq!(stranger.get(&address).await.bytes, own);
        dana.delete(&path).await.data();
        for _ in 0..9 {
            clean_up_after(&app, DAY).await;
        }
        assert!(stored(&app).is_empty());
    }
}
