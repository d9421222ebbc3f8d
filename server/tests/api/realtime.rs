//! Open apps are told at once that something changed, and nobody else is.

use std::net::SocketAddr;
use std::time::Duration;

use axum::http::StatusCode;
use futures_util::StreamExt as _;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};
use walkies_core::values::bounds;
use walkies_server::app::settings::Settings;
use walkies_server::db;

use crate::on_both;
use crate::support::{PASSWORD, TestApp, User, settings};

pub type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

fn changed(sitter: &User, rev: u64) -> Value {
    json!({ "event": "changed", "sitter_id": sitter.sitter_id, "rev": rev })
}

pub async fn listen(app: &TestApp) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let service = app
        .router
        .clone()
        .into_make_service_with_connect_info::<SocketAddr>();
    tokio::spawn(async move { axum::serve(listener, service).await });
    address
}

pub async fn ticket(user: &User) -> String {
    user.post("/realtime/ticket", json!({})).await.data()["ticket"]
        .as_str()
        .unwrap()
        .to_owned()
}

pub async fn open(
    address: SocketAddr,
    ticket: &str,
    origin: Option<&str>,
) -> Result<Socket, StatusCode> {
    let mut request = format!("ws://{address}/api/realtime?ticket={ticket}")
        .into_client_request()
        .unwrap();
    if let Some(origin) = origin {
        request
            .headers_mut()
            .insert("origin", origin.parse().unwrap());
    }
    match connect_async(request).await {
        Ok((socket, _)) => Ok(socket),
        Err(Error::Http(response)) => Err(response.status()),
        Err(error) => panic!("{error}"),
    }
}

/// The next event, or the code with which the server closes.
pub async fn next(socket: &mut Socket) -> Result<Value, u16> {
    let heard = async {
        loop {
            match socket.next().await {
                Some(Ok(Message::Text(text))) => return Ok(serde_json::from_str(&text).unwrap()),
                Some(Ok(Message::Close(frame))) => return Err(frame.map_or(0, |it| it.code.into())),
                Some(Ok(_)) => {}
                other => panic!("{other:?}"),
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(10), heard)
        .await
        .expect("the server says something")
}

on_both! {
    async fn a_change_is_told_to_all_phones_of_the_business_alone(app: TestApp) {
        let (dana, other) = (app.sitter("Dana").await, app.sitter("Other").await);
        let address = listen(&app).await;
        let mut phone = open(address, &ticket(&dana).await, None).await.unwrap();
        let mut stranger = open(address, &ticket(&other).await, None).await.unwrap();
        dana.client("Sam").await;
        assert_eq!(next(&mut phone).await, Ok(changed(&dana, 2)));
        other.client("Kim").await;
        other.client("Lee").await;
        assert_eq!(next(&mut stranger).await, Ok(changed(&other, 2)));
        dana.post("/clients", json!({})).await;
        dana.client("Ben").await;
        assert_eq!(next(&mut phone).await, Ok(changed(&dana, 3)), "what is refused is no change");
    }

    async fn a_ticket_is_good_once_and_for_half_a_minute(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let address = listen(&app).await;
        let used = ticket(&dana).await;
        open(address, &used, None).await.unwrap();
        assert_eq!(open(address, &used, None).await.unwrap_err(), 401);
        let late = ticket(&dana).await;
        app.clock.advance(30_001);
        assert_eq!(open(address, &late, None).await.unwrap_err(), 401);
        assert_eq!(open(address, "", None).await.unwrap_err(), 401);
        assert_eq!(open(address, dana.token.as_ref().unwrap(), None).await.unwrap_err(), 401, "a token is no ticket");
    }

    async fn a_session_has_a_few_tickets_at_a_time(app: TestApp) {
        let (dana, other) = (app.sitter("Dana").await, app.sitter("Other").await);
        let address = listen(&app).await;
        let others = ticket(&other).await;
        let first = ticket(&dana).await;
        for _ in 0..bounds::TICKETS {
            app.clock.advance(1);
            ticket(&dana).await;
        }
        let last = ticket(&dana).await;
        let kept = app.dump(None).await.iter().filter(|it| it.starts_with("realtime_ticket ")).count();
        assert_eq!(kept, bounds::TICKETS + 1);
        assert_eq!(open(address, &first, None).await.unwrap_err(), 401);
        open(address, &last, None).await.unwrap();
        open(address, &others, None).await.unwrap();
    }

    async fn a_page_of_another_site_may_not_listen(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let address = listen(&app).await;
        let stolen = ticket(&dana).await;
        for origin in ["https://evil.example", "null", "https://evil.example/?http://127.0.0.1"] {
            assert_eq!(open(address, &stolen, Some(origin)).await.unwrap_err(), 403, "{origin}");
        }
        open(address, &stolen, Some(&format!("http://{address}"))).await.unwrap();
    }

    async fn the_app_that_was_opened_last_is_told_and_the_oldest_of_too_many_is_not(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let address = listen(&app).await;
        let mut sockets = Vec::new();
        for _ in 0..17 {
            let mut socket = open(address, &ticket(&dana).await, None).await.unwrap();
            // What it is told first shows that it has its seat.
            dana.client("Sam").await;
            assert_eq!(next(&mut socket).await.unwrap()["event"], "changed");
            sockets.push(socket);
        }
        let ended = loop {
            if let Err(code) = next(&mut sockets[0]).await {
                break code;
            }
        };
        assert_eq!(ended, 4408);
        drop(sockets.split_off(10));
        for _ in 0..5 {
            sockets.push(open(address, &ticket(&dana).await, None).await.unwrap());
        }
        dana.client("Kim").await;
        let last = sockets.last_mut().unwrap();
        assert_eq!(next(last).await.unwrap()["event"], "changed");
    }

    async fn a_frame_that_is_too_large_ends_the_connection_before_it_has_come(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let address = listen(&app).await;
        let mut socket = open(address, &ticket(&dana).await, None).await.unwrap();
        // The head of a masked frame of 15 MB, and nothing of what is in it.
        let stream = match socket.get_mut() {
            MaybeTlsStream::Plain(stream) => stream,
            _ => unreachable!(),
        };
        let mut head = vec![0x82, 0xFF];
        head.extend(15_000_000_u64.to_be_bytes());
        head.extend([0; 4]);
        stream.write_all(&head).await.unwrap();
        loop {
            match socket.next().await {
                Some(Ok(Message::Close(_)) | Err(_)) | None => break,
                Some(Ok(_)) => {}
            }
        }
    }

    #[always]
    async fn a_session_that_ends_takes_its_connection_with_it(app: TestApp) {
        let phone = app.sitter("Dana").await;
        let form = json!({ "email": phone.email, "password": PASSWORD });
        let desktop = app.user_of(&app.anonymous().post("/auth/signin", form).await);
        let address = listen(&app).await;
        let mut ends = open(address, &ticket(&phone).await, None).await.unwrap();
        let mut stays = open(address, &ticket(&desktop).await, None).await.unwrap();
        phone.post("/auth/signout", json!({})).await;
        assert_eq!(next(&mut ends).await, Err(4401));
        desktop.client("Sam").await;
        assert_eq!(next(&mut stays).await, Ok(changed(&desktop, 2)));
    }
}

/// A command of the operator's is another process, which on SQLite has no way to tell this one.
#[tokio::test]
async fn a_session_that_another_process_ends_takes_its_connection_with_it() {
    let often = walkies_server::app::settings::Settings {
        ping_every: Duration::from_millis(20),
        ..crate::support::settings()
    };
    let app = TestApp::sqlite(often).await;
    let dana = app.sitter("Dana").await;
    let mut phone = open(listen(&app).await, &ticket(&dana).await, None)
        .await
        .unwrap();
    let mut tx = app.state.db.write().await.unwrap();
    db::set_password(&mut tx, dana.user_id, "another", None)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    assert_eq!(next(&mut phone).await, Err(4401));
}

/// A pet parent whom another process lets go hears nothing more over this server's sockets.
mod who_is_let_go_by_another_process_is_told_nothing_more {
    use super::*;

    fn often() -> Settings {
        Settings {
            ping_every: Duration::from_millis(50),
            ..settings()
        }
    }

    /// Returns the messages that come until the server has pinged so often, or has hung up.
    async fn heard_in(socket: &mut Socket, pings: u32) -> Vec<String> {
        let (mut heard, mut pinged) = (Vec::new(), 0);
        while pinged < pings
            && let Some(Ok(message)) = socket.next().await
        {
            match message {
                Message::Ping(_) => pinged += 1,
                Message::Text(text) => heard.push(text.to_string()),
                _ => {}
            }
        }
        heard
    }

    async fn story(app: TestApp) {
        let (dana, parent) = (app.sitter("Dana").await, app.pet_parent("Sam").await);
        let sam = dana.client("Sam").await;
        app.link(&dana, &sam.0, Some(&parent)).await;
        let mut phone = open(listen(&app).await, &ticket(&parent).await, None)
            .await
            .unwrap();
        // After its first ping it is told.
        heard_in(&mut phone, 2).await;
        let path = format!("/clients/{}", sam.0);
        dana.put(&path, json!({ "address": "1 Main St" }))
            .await
            .data();
        assert_eq!(next(&mut phone).await.unwrap()["event"], "changed");
        app.link(&dana, &sam.0, None).await;
        // Of these pings some may have been on their way already.
        heard_in(&mut phone, 6).await;
        dana.put(&path, json!({ "address": "2 Main St" }))
            .await
            .data();
        assert_eq!(heard_in(&mut phone, 6).await, [""; 0]);
    }

    #[tokio::test]
    async fn on_sqlite() {
        story(TestApp::sqlite(often()).await).await;
    }

    #[tokio::test]
    async fn on_postgres() {
        if let Some(app) = TestApp::postgres(often()).await {
            story(app).await;
        }
    }
}

#[tokio::test]
async fn processes_on_one_postgres_serve_one_business() {
    let Some(one) = TestApp::postgres(crate::support::settings()).await else {
        return;
    };
    let two = one.second_process().await;
    let dana = one.sitter("Dana").await;
    let mut elsewhere = two.anonymous();
    elsewhere.token = dana.token.clone();
    assert_eq!(elsewhere.get("/auth/user").await.status, 200);

    // A ticket of one process is taken by the other.
    let address = listen(&two).await;
    let mut phone = open(address, &ticket(&dana).await, None).await.unwrap();
    // The other process begins to listen to the database a moment after it starts.
    let mut heard = Err(0);
    for _ in 0..100 {
        dana.client("Sam").await;
        let event = tokio::time::timeout(Duration::from_millis(100), next(&mut phone)).await;
        if let Ok(event) = event {
            heard = event;
            break;
        }
    }
    assert_eq!(heard.unwrap()["event"], "changed");
    assert_eq!(two.state.backend_id, one.state.backend_id);

    let client = dana.client("Kim").await;
    let bookings = (0..20).map(|n| {
        let caller = if n % 2 == 0 {
            dana.clone()
        } else {
            elsewhere.clone()
        };
        let form = crate::support::walk(&client.0, &client.1, "2026-11-23", "10:00");
        tokio::spawn(async move {
            caller
                .post("/scheduled-services", form)
                .await
                .status
                .as_u16()
        })
    });
    let mut made = 0;
    for booking in bookings.collect::<Vec<_>>() {
        made += usize::from(booking.await.unwrap() == 201);
    }
    assert_eq!(made, 1, "also across processes one slot is booked once");
}
