//! A server that is killed while a video comes: what it has acknowledged is there, and the video goes on from it.

use serde_json::json;
use walkies_core::rules::video::VIDEO_PIECE_BYTES;

use crate::phone::{Http, new_id};
use crate::server::{Server, sign_up};

/// An MP4 of a track of pictures, most of it text, so that it can be told what of it is where.
fn film(pictures: usize) -> Vec<u8> {
    fn boxed(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
        let length = u32::try_from(8 + content.len()).expect("a short one");
        [&length.to_be_bytes()[..], kind, content].concat()
    }
    let handler = [&[0; 8], &b"vide"[..], &[0; 13]].concat();
    let media = boxed(b"mdia", &boxed(b"hdlr", &handler));
    let words = (0..).flat_map(|it: u32| format!("{it} ").into_bytes());
    [
        boxed(b"ftyp", b"isom\0\0\0\0"),
        boxed(b"mdat", &words.take(pictures).collect::<Vec<u8>>()),
        boxed(b"moov", &boxed(b"trak", &media)),
    ]
    .concat()
}

#[test]
fn a_video_goes_on_where_a_killed_server_has_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = Server::start(folder.path());
    let mut http = Http::new(&server.address, "");
    sign_up(&mut http, folder.path(), "anna");
    let film = film(4_000_000);
    let id = new_id();
    let begin = json!({ "id": id, "size_bytes": film.len(), "media_type": "video/mp4" });
    let mut acknowledged = 0;
    for number in 0.. {
        let state = http.data("POST", "/videos", Some(&begin));
        if state["complete"] == true {
            break;
        }
        let offset = usize::try_from(state["offset"].as_u64().expect("a number")).expect("small");
        assert!(acknowledged <= offset, "what was acknowledged is there");
        let end = film.len().min(offset + VIDEO_PIECE_BYTES as usize);
        let path = format!("/videos/{id}?offset={offset}");
        http.send_bytes("PATCH", &path, &film[offset..end])
            .expect("it is sent");
        // Every other one is killed with a piece under way, at whatever moment that is.
        if number % 2 == 0 {
            let (status, text) = http.answer().expect("an answer");
            assert_eq!(status, 200, "{text}");
            acknowledged = end;
        } else {
            server.kill();
            server = Server::start(folder.path());
            http = Http::new(&server.address, &http.token);
        }
    }
    let (status, shown) = http
        .call("GET", &format!("/videos/{id}/file"), None)
        .expect("an answer");
    assert_eq!(status, 200);
    assert!(shown == String::from_utf8_lossy(&film), "byte by byte");
}
