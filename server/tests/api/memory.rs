//! Tests the bounds of a server's memory: bodies of strangers, answers that are long or not taken in, and work that takes much.

use std::io::Read as _;

use axum::body::{Body, Bytes};
use axum::http::{Request, header};
use flate2::read::GzDecoder;
use futures_util::stream::{self, FuturesUnordered, StreamExt as _};
use serde_json::json;
use tower::ServiceExt as _;
use walkies_core::rows::service::Service;
use walkies_core::sync::wire::{PullRequest, SCHEMA};
use walkies_core::{Id, Instant, Row};
use walkies_server::app::session::Member;
use walkies_server::db;
use walkies_server::write::sync;

use crate::on_both;
use crate::support::{DAY, NOW, TestApp, User, settings, walk};

/// So many services of a client with long notes, of one revision each or all of one.
async fn fill(app: &TestApp, sitter: &User, n: u64, is_one_revision: bool) {
    let (client, dog) = sitter.client("Sam").await;
    let sitter_id = sitter.sitter_id.unwrap();
    let mut tx = app.state.db.write().await.unwrap();
    let mut rev = 0;
    for number in 0..n {
        if rev == 0 || !is_one_revision {
            let next = db::claim_next_revision(&mut tx, sitter_id, None, None).await;
            rev = next.unwrap().unwrap().rev;
        }
        let service = Service {
            client_id: client.parse().unwrap(),
            dog_ids: vec![dog.parse().unwrap()],
            date: "2026-11-25".parse().unwrap(),
            notes: format!("{number} {}", "n".repeat(1_000)),
            ..Service::new(app.state.env.id(), Instant(NOW - DAY))
        };
        db::write_row(&mut tx, sitter_id, rev, &Row::Service(service))
            .await
            .unwrap();
    }
    tx.commit().await.unwrap();
}

/// A request with a body that does not say how long it is.
fn chunked(path: &str, bytes: usize) -> Request<Body> {
    let chunks = stream::iter([Ok::<_, std::io::Error>(Bytes::from(vec![b' '; bytes]))]);
    Request::post(path)
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from_stream(chunks))
        .unwrap()
}

/// The PDF of an invoice of one walk.
async fn paper(sitter: &User) -> String {
    let (client, dog) = sitter.client("Sam").await;
    let done = walk(&client, &dog, "2026-11-19", "10:00");
    let done = sitter.post("/services", done).await.id();
    let form = json!({ "client_id": client, "services": [done] });
    let invoice = sitter.post("/invoices/share", form).await;
    let share_id = invoice.data()["shareId"].as_str().unwrap().to_owned();
    format!("/invoice/{share_id}/pdf")
}

async fn open(app: &TestApp, path: &str) -> (u16, Vec<u8>) {
    let request = Request::get(path).body(Body::empty()).unwrap();
    let answer = app.anonymous().try_send(request).await;
    (answer.status.as_u16(), answer.bytes)
}

on_both! {
    async fn a_body_of_nobody_who_is_signed_in_has_four_kilobytes(app: TestApp) {
        let stranger = app.anonymous();
        let long = json!({ "email": "a".repeat(5_000), "password": "guessed at" });
        let refused = stranger.post("/auth/signin", long.clone()).await;
        assert_eq!(refused.failure(), (413, "too_large"));
        assert_eq!(refused.body["error"], "A body has at most 4 kB");
        let refused = stranger.send(chunked("/api/auth/signin", 5_000)).await;
        assert_eq!(refused.failure(), (413, "too_large"));
        let read = stranger.send(chunked("/api/auth/signin", 4_000)).await;
        assert_eq!(read.failure(), (400, "malformed"));
        // What Stripe reports is longer.
        let report = async |bytes: usize| app.hear("/api/billing/webhook", &"a".repeat(bytes), "").await;
        assert_ne!(report(100_000).await.status, 413);
        assert_eq!(report(300_000).await.status, 413);
        let dana = app.sitter("Dana").await;
        let notes = json!({ "name": "Sam", "dogs": [{ "name": "Rex" }], "access_notes": "n".repeat(5_000) });
        assert_eq!(dana.post("/clients", notes).await.status, 201);
    }

    async fn a_long_list_comes_whole_and_leaves_nothing_behind(app: TestApp) {
        let dana = app.sitter("Dana").await;
        fill(&app, &dana, 2_100, true).await;
        let listed = dana.get("/scheduled-services").await;
        let services = listed.data().as_array().unwrap().clone();
        assert_eq!((services.len(), &listed.body["total"]), (2_100, &json!(2_100)));
        assert!(services.iter().all(|it| it["formatted_time"].is_string()));
        let length: usize = listed.headers["content-length"].to_str().unwrap().parse().unwrap();
        assert_eq!(length, listed.bytes.len());
        let some = dana.get("/scheduled-services?limit=3&offset=2098").await;
        assert_eq!(some.data().as_array().unwrap().as_slice(), &services[2_098..]);
        assert_eq!(some.body["total"], 2_100);
    }

    async fn a_page_of_the_feed_is_the_same_however_it_is_read(app: TestApp) {
        let dana = app.sitter("Dana").await;
        fill(&app, &dana, 300, false).await;
        fill(&app, &dana, 300, true).await;
        let gone = dana.client("Tim").await.0;
        assert_eq!(dana.call("DELETE", &format!("/clients/{gone}"), &[], None).await.status, 200);
        let member = Member { user_id: dana.user_id, sitter_id: dana.sitter_id.unwrap(), link: None };
        let device_id = Id::of(77);
        // From the beginning, from the middle, and as a phone of another database, which gets all of it.
        for (cursor, backend_id) in [(0, None), (100, Some(app.state.backend_id)), (100, Some(Id::of(5)))] {
            let request = PullRequest {
                cursor, device_id, schema: SCHEMA, epoch: Some(1), backend_id, seen: None, rev_id: None,
            };
            let page = sync::pull(&app.state, &member, &request).await.unwrap();
            let revs: Vec<u64> = page.rows.iter().map(|it| it.rev).collect();
            assert!(revs.is_sorted(), "{cursor}");
            let mut ids: Vec<(&str, Id)> = page.rows.iter().map(|it| (it.t.as_str(), it.id)).collect();
            ids.sort();
            ids.dedup();
            assert_eq!(ids.len(), page.rows.len(), "{cursor}");
            assert!(600 - 200 <= ids.len(), "{cursor}: {} rows", ids.len());
            let backend_id = backend_id.map(|it| format!("&backend_id={it}")).unwrap_or_default();
            let path = format!("/sync/pull?cursor={cursor}&device_id={device_id}&schema={SCHEMA}&epoch=1{backend_id}");
            let sent = String::from_utf8(dana.get(&path).await.bytes).unwrap();
            let whole = format!("{{\"success\":true,\"data\":{}}}", serde_json::to_string(&page).unwrap());
            assert!(sent == whole, "{cursor}");
        }
    }

    async fn an_answer_that_nobody_takes_in_holds_its_place(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let ask = || {
            let token = dana.token.clone().unwrap();
            let request = Request::get("/api/clients")
                .header(header::AUTHORIZATION, format!("Bearer {token}"))
                .body(Body::empty())
                .unwrap();
            app.router.clone().oneshot(request)
        };
        let mut held = Vec::new();
        for _ in 0..8 {
            held.push(ask().await.unwrap());
        }
        // As many as wait, and one more, which is refused at once.
        let mut waiting: FuturesUnordered<_> = (0..101).map(|_| ask()).collect();
        let first = waiting.next().await.unwrap().unwrap();
        assert_eq!(first.status(), 429);
        assert!(first.headers().contains_key(header::RETRY_AFTER));
        drop(held);
        while let Some(answer) = waiting.next().await {
            assert_eq!(answer.unwrap().status(), 200);
        }
    }

    async fn one_pdf_of_an_invoice_is_made_once_and_kept_until_something_changes(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let path = paper(&dana).await;
        let (status, pdf) = open(&app, &path).await;
        assert_eq!((status, &pdf[..5]), (200, &b"%PDF-"[..]));
        // Nobody prints now.
        let permit = app.state.print_permits.acquire(vec!["a test".to_owned()]).await.unwrap();
        assert_eq!(open(&app, &path).await, (200, pdf.clone()));
        drop(permit);
        dana.put("/sitters/profile", json!({ "business_name": "Dana's Dogs" })).await;
        let (status, renamed) = open(&app, &path).await;
        assert_eq!(status, 200);
        assert!(renamed != pdf, "it has the former name");
        let (_, tipped) = open(&app, &format!("{path}?amount=3")).await;
        assert!(tipped.starts_with(b"%PDF-"));
    }

    #[always]
    async fn pdfs_of_one_invoice_wait_for_each_other_and_not_others_for_them(app: TestApp) {
        let (dana, mara) = (app.sitter("Dana").await, app.sitter("Mara").await);
        let (path, other) = (paper(&dana).await, paper(&mara).await);
        let share_id = path.split('/').nth(2).unwrap();
        let keys = || vec![format!("invoice {share_id}")];
        let permits = &app.state.print_permits;
        let running = permits.acquire(keys()).await.unwrap();
        let mut waiting: FuturesUnordered<_> = (0..7).map(|_| permits.acquire(keys())).collect();
        let refused = waiting.next().await.unwrap();
        assert!(refused.is_err(), "as many wait as may");
        assert_eq!(open(&app, &path).await.0, 429);
        let (shown, ()) = tokio::join!(open(&app, &other), async { drop((running, waiting)) });
        assert_eq!(shown.0, 200);
    }
}

#[tokio::test]
async fn the_document_is_compressed_once_and_not_sent_to_who_has_it() {
    let app = TestApp::sqlite(settings()).await;
    let stranger = app.anonymous();
    let ask = |headers: &[(&'static str, &str)]| {
        let mut request = Request::get("/api/openapi.json");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(Body::empty()).unwrap()
    };
    let whole = stranger.send(ask(&[])).await;
    let packed = stranger.send(ask(&[("accept-encoding", "gzip")])).await;
    assert_eq!(packed.headers["content-encoding"], "gzip");
    assert!(packed.bytes.len() * 4 < whole.bytes.len());
    let mut unpacked = Vec::new();
    GzDecoder::new(&*packed.bytes)
        .read_to_end(&mut unpacked)
        .unwrap();
    assert!(unpacked == whole.bytes);
    let tag = whole.headers["etag"].to_str().unwrap().to_owned();
    let known = stranger.try_send(ask(&[("if-none-match", &tag)])).await;
    assert_eq!((known.status.as_u16(), known.bytes.len()), (304, 0));
}
