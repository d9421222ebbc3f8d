//! Messages: both sides say, read, put away and take back, and nobody else hears of it.

use std::time::Duration;

use futures_util::SinkExt as _;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;
use walkies_core::rows::client::Client;
use walkies_core::rows::conversation::Conversation;
use walkies_core::rules::message::SEARCH_MOST;
use walkies_core::rules::photo::MAX_CLIENT_UPLOADS_A_DAY;
use walkies_core::rules::push::settles_ms;
use walkies_core::values::push::PushKind;
use walkies_core::{Id, Row};
use walkies_server::db::{self, Column as _};

use crate::on_both;
use crate::photos::{jpeg, picture, stored};
use crate::realtime::{Socket, listen, next, open, ticket};
use crate::support::push::PushService;
use crate::support::{DAY, HOUR, Phone, TestApp, User, settings};

/// A sitter with two clients, one of whom has a login.
struct Family {
    dana: User,
    parent: User,
    /// The parent's record, and a dog.
    sam: (String, String),
    /// The other client's.
    kim: (String, String),
}

impl Family {
    async fn new(app: &TestApp) -> Self {
        let (dana, parent) = (app.sitter("Dana").await, app.pet_parent("Sam").await);
        let (sam, kim) = (dana.client("Sam").await, dana.client("Kim").await);
        app.link(&dana, &sam.0, Some(&parent)).await;
        let reachable = json!({ "email": "kim@example.com" });
        dana.put(&format!("/clients/{}", kim.0), reachable)
            .await
            .data();
        Self {
            dana,
            parent,
            sam,
            kim,
        }
    }

    async fn say(&self, user: &User, content: &str) -> String {
        let form = json!({ "conversation_id": self.sam.0, "content": content });
        user.post("/messages", form).await.id()
    }

    async fn say_with(&self, user: &User, url: &Value) -> crate::support::Answer {
        let form = json!({
            "conversation_id": self.sam.0, "content": "", "message_type": "image", "attachment_url": url,
        });
        user.post("/messages", form).await
    }

    async fn unread(&self) -> [u64; 2] {
        let mut counts = [0, 0];
        for (count, user) in counts.iter_mut().zip([&self.dana, &self.parent]) {
            let answer = user.get("/messages/unread-count").await;
            *count = answer.data()["unread_count"].as_u64().unwrap();
        }
        counts
    }

    fn path(&self, rest: &str) -> String {
        format!("/conversations/{}{rest}", self.sam.0)
    }
}

fn contents(answer: &crate::support::Answer) -> Vec<&str> {
    let messages = answer.data().as_array().unwrap().iter();
    messages.map(|it| it["content"].as_str().unwrap()).collect()
}

/// Returns the next event that a phone gets, skipping `changed`.
async fn next_but_changes(socket: &mut Socket) -> Value {
    loop {
        let event = next(socket).await.unwrap();
        if event["event"] != "changed" {
            return event;
        }
    }
}

async fn say_typing(socket: &mut Socket, said: Value) {
    let said = Message::Text(said.to_string().into());
    socket.send(said).await.unwrap();
}

async fn type_in(socket: &mut Socket, conversation_id: &str) {
    say_typing(
        socket,
        json!({ "event": "typing", "conversation_id": conversation_id }),
    )
    .await;
}

#[tokio::test]
async fn what_is_typed_said_and_read_at_one_process_is_heard_at_another_of_the_same_postgres() {
    let Some(one) = TestApp::postgres(settings()).await else {
        return;
    };
    let two = one.second_process().await;
    let family = Family::new(&one).await;
    let sam = &family.sam.0;
    let mut of_sam = open(listen(&one).await, &ticket(&family.parent).await, None)
        .await
        .unwrap();
    let mut of_dana = open(listen(&two).await, &ticket(&family.dana).await, None)
        .await
        .unwrap();
    // The other process begins to listen to the database a moment after it starts.
    let soon = Duration::from_millis(50);
    let heard = loop {
        one.clock.advance(1_000);
        type_in(&mut of_sam, sam).await;
        if let Ok(event) = tokio::time::timeout(soon, next_but_changes(&mut of_dana)).await {
            break event;
        }
    };
    assert_eq!(
        (&heard["event"], &heard["conversation_id"]),
        (&json!("typing"), &json!(sam))
    );
    let said = family.say(&family.parent, "Hello").await;
    let heard = loop {
        let event = next_but_changes(&mut of_dana).await;
        if event["event"] != "typing" {
            break event;
        }
    };
    assert_eq!(
        (&heard["event"], &heard["message_id"]),
        (&json!("message_sent"), &json!(said))
    );
    let mut elsewhere = two.anonymous();
    elsewhere.token.clone_from(&family.dana.token);
    elsewhere
        .put(&format!("/messages/{sam}/read"), json!({}))
        .await
        .data();
    let heard = loop {
        let event = next_but_changes(&mut of_sam).await;
        if event["event"] != "message_sent" {
            break event;
        }
    };
    assert_eq!(heard["event"], "message_read");
}

on_both! {
    async fn both_sides_say_something_and_each_sees_who_has_said_and_read_what(app: TestApp) {
        let family = Family::new(&app).await;
        let (dana, parent, sam) = (&family.dana, &family.parent, &family.sam.0);
        dana.put("/sitters/profile", json!({ "business_name": "Paws & Co" })).await.data();
        let begun = dana.post("/conversations", json!({ "client_user_id": parent.user_id })).await;
        assert_eq!((begun.status.as_u16(), begun.id()), (201, sam.clone()));
        assert_eq!(begun.data()["last_message_type"], Value::Null);
        let form = json!({
            "conversation_id": sam, "recipient_id": parent.user_id, "recipient_type": "client", "content": " On my way ",
            "message_type": "text", "attachment_url": null,
        });
        let sent = dana.post("/messages", form).await;
        assert_eq!(sent.status, 201);
        assert_eq!(
            [&sent.data()["content"], &sent.data()["sender_name"], &sent.data()["recipient_id"], &sent.data()["read_at"]],
            [&json!("On my way"), &json!("Paws & Co"), &json!(parent.user_id), &Value::Null]
        );
        family.say(parent, "Great").await;
        family.say(parent, "The key is under the mat").await;
        assert_eq!(family.unread().await, [2, 1]);

        let listed = parent.get("/conversations").await;
        let conversation = &listed.data()[0];
        assert_eq!(
            [&conversation["id"], &conversation["client_user_id"], &conversation["sitter_name"], &conversation["client_name"]],
            [&json!(sam), &json!(parent.user_id), &json!("Paws & Co"), &json!("Sam")]
        );
        assert_eq!(
            [&conversation["unread_count_client"], &conversation["unread_count_sitter"], &conversation["last_message_sender_type"]],
            [&json!(1), &json!(2), &json!("client")]
        );
        let clients = dana.get("/clients").await;
        let of_sam = clients.data().as_array().unwrap().iter().find(|it| it["id"] == json!(sam)).unwrap();
        assert_eq!(of_sam["unread_count"], 2);

        let read = dana.put(&format!("/messages/{sam}/read"), json!({})).await;
        assert_eq!(read.data()["unread_count_sitter"], 0);
        assert_eq!(family.unread().await, [0, 1]);
        let page = parent.get(&family.path("/messages")).await;
        let read: Vec<bool> = page.data().as_array().unwrap().iter().map(|it| it["read_at"].is_string()).collect();
        assert_eq!(read, [false, true, true]);
        assert_eq!(page.data()[1]["sender_id"], json!(parent.user_id));
        assert_eq!(page.data()[1]["recipient_id"], json!(dana.sitter_id));
        parent.put(&format!("/messages/{sam}/read"), json!({ "message_id": sent.id() })).await.data();
        assert_eq!(family.unread().await, [0, 0]);
    }

    async fn a_page_is_of_the_newest_and_older_ones_follow(app: TestApp) {
        let family = Family::new(&app).await;
        for n in 1..=5 {
            family.say(&family.dana, &n.to_string()).await;
        }
        let pages = [("", vec!["1", "2", "3", "4", "5"]), ("?limit=2", vec!["4", "5"]), ("?limit=2&offset=2", vec!["2", "3"]),
            ("?limit=2&offset=4", vec!["1"]), ("?offset=5", vec![]), ("?limit=0", vec![]), ("?limit=100000", vec!["1", "2", "3", "4", "5"])];
        for (query, expected) in pages {
            for user in [&family.dana, &family.parent] {
                let page = user.get(&family.path(&format!("/messages{query}"))).await;
                assert_eq!(contents(&page), expected, "{query}");
            }
        }
        let never = format!("/conversations/{}/messages", family.kim.0);
        assert_eq!(family.dana.get(&never).await.status, 404);
    }

    async fn what_is_said_to_one_client_is_answered_without_a_look_at_the_others(app: TestApp) {
        let family = Family::new(&app).await;
        let to_kim = json!({ "conversation_id": family.kim.0, "content": "Hello" });
        family.dana.post("/messages", to_kim).await.data();
        // A row that nobody can read: whoever looks at it fails.
        let (sitter_id, kim) = (family.dana.sitter_id.unwrap(), family.kim.0.parse::<Id>().unwrap());
        let mut tx = app.state.db.write().await.unwrap();
        let spoil = "UPDATE client SET parent_changes = 'no list' WHERE sitter_id = $1 AND id = $2";
        tx.defer(spoil, [sitter_id.arg(), kim.arg()]).await.unwrap();
        tx.commit().await.unwrap();
        let mut tx = app.state.db.read_autocommit().await.unwrap();
        assert!(db::select_one::<Client>(&mut tx, sitter_id, kim).await.is_err());
        drop(tx);
        for user in [&family.dana, &family.parent] {
            let said = family.say(user, "Hello").await;
            user.put(&format!("/messages/{}/read", family.sam.0), json!({})).await.data();
            user.post(&family.path("/archive"), json!({})).await.data();
            user.get(&family.path("/messages")).await.data();
            user.delete(&format!("/messages/{said}")).await.data();
        }
        family.parent.get("/conversations?include_archived=true").await.data();
        family.parent.get("/conversations/search?q=hello").await.data();
    }

    async fn what_is_wrong_with_a_message_is_said(app: TestApp) {
        let family = Family::new(&app).await;
        let sam = &family.sam.0;
        let wrong = async |user: &User, form: Value| {
            let answer = user.post("/messages", form).await;
            (answer.failure().0, answer.body["fields"].as_object().map(|it| it.keys().next().unwrap().clone()).unwrap_or_default())
        };
        for (form, status, field) in [
            (json!({ "content": "Hello" }), 422, "conversation_id"),
            (json!({ "conversation_id": sam, "content": " " }), 422, "content"),
            (json!({ "conversation_id": sam, "content": "x".repeat(5_001) }), 422, "content"),
            (json!({ "conversation_id": sam, "content": "x", "message_type": "system" }), 422, "message_type"),
            (json!({ "conversation_id": sam, "content": "x", "message_type": "image" }), 422, "attachment_url"),
            (json!({ "conversation_id": sam, "attachment_url": "https://evil.example/a.jpg" }), 422, "attachment_url"),
            (json!({ "conversation_id": sam, "content": "x", "recipient_id": Id::of(1) }), 404, ""),
            (json!({ "conversation_id": Id::of(1), "content": "x" }), 404, ""),
        ] {
            for user in [&family.dana, &family.parent] {
                assert_eq!(wrong(user, form.clone()).await, (status, field.to_owned()), "{form}");
            }
        }
        let own = json!({ "conversation_id": sam, "content": "x", "recipient_type": "sitter" });
        assert_eq!(wrong(&family.dana, own).await.0, 422);
        let silent = family.dana.client("Lou").await;
        let form = json!({ "conversation_id": silent.0, "content": "x" });
        assert_eq!(wrong(&family.dana, form).await, (422, "client_id".to_owned()), "nobody would read it");
        assert_eq!(family.parent.get("/conversations").await.data(), &json!([]));
    }

    async fn each_side_puts_a_conversation_away_for_itself_until_something_is_said(app: TestApp) {
        let family = Family::new(&app).await;
        family.say(&family.dana, "Hello").await;
        let listed = async |query: &str| {
            let mut counts = [0, 0];
            for (count, user) in counts.iter_mut().zip([&family.dana, &family.parent]) {
                *count = user.get(&format!("/conversations{query}")).await.data().as_array().unwrap().len();
            }
            counts
        };
        let archived = family.dana.post(&family.path("/archive"), json!({})).await;
        assert_eq!(archived.data()["archived"], true);
        assert_eq!((listed("").await, listed("?include_archived=true").await), ([0, 1], [1, 1]));
        let mut phone = crate::parents::ParentsPhone::new(&family.parent, &family.dana);
        phone.pull().await;
        let row = &phone.rows[&format!("conversation/{}", family.sam.0)];
        assert_eq!(row["archived_by_sitter"], false, "where the sitter keeps it is the sitter's alone");
        family.dana.post(&family.path("/unarchive"), json!({})).await.data();
        assert_eq!(listed("").await, [1, 1]);
        family.dana.post(&family.path("/archive"), json!({})).await.data();
        family.say(&family.parent, "Hello?").await;
        assert_eq!(listed("").await, [1, 1]);
    }

    #[always]
    async fn what_was_taken_back_is_nowhere(app: TestApp) {
        let family = Family::new(&app).await;
        let secret = "The code is 4821";
        let said = family.parent.post_once("one", "/messages", json!({ "conversation_id": family.sam.0, "content": secret })).await.id();
        family.parent.post_once("two", "/conversations", json!({})).await.data();
        assert_eq!(family.dana.delete(&format!("/messages/{said}")).await.failure(), (403, "not_allowed"));
        family.parent.delete(&format!("/messages/{said}")).await.data();
        let page = family.dana.get(&family.path("/messages")).await;
        assert_eq!((&page.data()[0]["message_type"], contents(&page)), (&json!("system"), vec!["This message was deleted"]));
        assert_eq!(family.unread().await, [1, 0], "it keeps its place");
        let dump = app.dump(None).await.join("\n");
        assert!(!dump.contains("4821"), "{dump}");
    }

    #[always]
    async fn an_image_is_seen_by_both_sides_and_nobody_else(app: TestApp) {
        let family = Family::new(&app).await;
        let lou = app.pet_parent("Lou").await;
        app.link(&family.dana, &family.kim.0, Some(&lou)).await;
        for user in [&family.dana, &family.parent] {
            let shade = if user.sitter_id.is_some() { 30 } else { 60 };
            let uploaded = user.upload_image(&picture(image::ImageFormat::Jpeg, shade)).await;
            let url = &uploaded.data()["url"];
            let sent = family.say_with(user, url).await;
            assert_eq!((&sent.data()["message_type"], &sent.data()["attachment_url"]), (&json!("image"), url));
            let path = url.as_str().unwrap().strip_prefix("/api").unwrap();
            for reader in [&family.dana, &family.parent] {
                assert_eq!(reader.get(path).await.status, 200);
            }
            assert_eq!(lou.get(path).await.failure(), (404, "not_found"));
            // Nor is it seen by who says it oneself.
            let form = json!({ "conversation_id": family.kim.0, "attachment_url": url });
            assert_eq!(lou.post("/messages", form).await.failure(), (409, "photo_missing"));
            family.dana.sitter_id.unwrap();
            user.delete(&format!("/messages/{}", sent.id())).await.data();
            assert_eq!(family.dana.get(path).await.status, 404);
        }
        assert!(stored(&app).is_empty());
    }

    async fn an_image_is_one_and_of_less_than_5_mb(app: TestApp) {
        let family = Family::new(&app).await;
        for user in [&family.dana, &family.parent] {
            let refused = async |bytes: &[u8]| {
                let answer = user.upload_image(bytes).await;
                (answer.status.as_u16(), answer.body["error"].as_str().unwrap().to_owned())
            };
            assert_eq!(refused(b"<html></html>").await, (415, "Only image files are supported".to_owned()));
            let large = (413, "File size must be less than 5MB".to_owned());
            assert_eq!(refused(&vec![0xFF; 5 * 1024 * 1024]).await, large);
            assert_eq!(refused(&vec![0xFF; 5 * 1024 * 1024 + 1]).await, large);
        }
        assert!(stored(&app).is_empty());
    }

    async fn a_client_uploads_so_many_a_day_and_none_of_the_sitters(app: TestApp) {
        let family = Family::new(&app).await;
        let (sitter_id, sam) = (family.dana.sitter_id.unwrap(), family.sam.0.parse().unwrap());
        let mut tx = app.state.db.write().await.unwrap();
        for _ in 0..MAX_CLIENT_UPLOADS_A_DAY {
            db::count_upload(&mut tx, sitter_id, Some(sam), app.state.now().0 / DAY).await.unwrap();
        }
        tx.commit().await.unwrap();
        let refused = family.parent.upload_image(&jpeg()).await;
        assert_eq!(refused.failure(), (429, "too_many_photos"));
        assert!(refused.body["error"].as_str().unwrap().contains("50 photos"), "{}", refused.body);
        assert_eq!(family.dana.upload(None, &jpeg()).await.status, 201);
        app.clock.advance(15 * HOUR);
        assert_eq!(family.parent.upload(None, &jpeg()).await.status, 201);
    }

    async fn a_search_finds_who_is_called_so_and_what_was_said_in_own_conversations(app: TestApp) {
        let family = Family::new(&app).await;
        family.say(&family.dana, "Ärlig is a good dog, 100%").await;
        family.say(&family.dana, "The key is under the mat").await;
        let form = json!({ "conversation_id": family.kim.0, "content": "Whose key is this?" });
        family.dana.post("/messages", form).await.data();
        let found = async |user: &User, text: &str| {
            let answer = user.get(&format!("/conversations/search?q={text}")).await;
            let found = answer.data().as_array().unwrap().iter();
            let found = found.map(|it| format!("{}: {}", it["client_name"].as_str().unwrap(), it["message"]["content"].as_str().unwrap_or_default()));
            found.collect::<Vec<_>>().join("; ")
        };
        let key = "Sam: The key is under the mat";
        let (both, first) = (found(&family.dana, "KEY").await, found(&family.parent, "key%20is").await);
        assert!(both.contains(key) && both.contains("Kim: Whose key is this?"), "{both}");
        assert_eq!(first, key);
        assert_eq!(found(&family.dana, "sAm").await, "Sam: ");
        assert_eq!(found(&family.dana, "%C3%A4rlig").await, "Sam: Ärlig is a good dog, 100%");
        assert_eq!(found(&family.dana, "0%25").await, "Sam: Ärlig is a good dog, 100%");
        for nothing in ["k_y", "%20", "", "nobody"] {
            assert_eq!(found(&family.dana, nothing).await, "", "{nothing}");
        }
        assert_eq!(family.dana.get(&format!("/conversations/search?q={}", "x".repeat(501))).await.failure(), (422, "invalid"));
    }

    async fn a_search_has_pages_and_says_how_many_conversations_it_finds(app: TestApp) {
        let family = Family::new(&app).await;
        let said = family.say(&family.dana, "Kay has the key").await;
        app.clock.advance(HOUR);
        // One more than a page has, and all of them after the first one.
        let n = SEARCH_MOST as u64;
        let sitter_id = family.dana.sitter_id.unwrap();
        let mut tx = app.state.db.write().await.unwrap();
        let rev = db::claim_next_revision(&mut tx, sitter_id, None, None).await.unwrap().unwrap().rev;
        for number in 1..=n {
            let id = Id::of(number.into());
            let client = Client { name: "Kay".to_owned(), ..Client::new(id, app.state.now()) };
            db::write_row(&mut tx, sitter_id, rev, &Row::Client(client)).await.unwrap();
            let begun = Conversation { client_name: "Kay".to_owned(), ..Conversation::new(id, app.state.now()) };
            db::write_row(&mut tx, sitter_id, rev, &Row::Conversation(begun)).await.unwrap();
        }
        tx.commit().await.unwrap();
        let found = async |user: &User, page: &str| {
            let answer = user.get(&format!("/conversations/search?q=kay{page}")).await;
            let ids = answer.data().as_array().unwrap().iter().map(|it| (it["id"].clone(), it["message"]["id"].clone()));
            (ids.collect::<Vec<_>>(), answer.body["total"].as_u64().unwrap())
        };
        let (first, total) = found(&family.dana, "").await;
        assert_eq!((first.len() as u64, total), (n, n + 1));
        assert_eq!(first[0], (json!(Id::of(n.into())), Value::Null), "what happened last comes first");
        let (second, total) = found(&family.dana, &format!("&offset={n}")).await;
        assert_eq!((second.as_slice(), total), ([(json!(family.sam.0), json!(said))].as_slice(), n + 1));
        assert_eq!(found(&family.dana, "&limit=1000").await, ([first, second.clone()].concat(), n + 1));
        assert_eq!(found(&family.dana, "&limit=0").await, (Vec::new(), n + 1));
        assert_eq!(found(&family.dana, "&offset=500").await, (Vec::new(), n + 1));
        assert_eq!(found(&family.parent, "").await, (second, 1), "of their own alone");
        assert_eq!(found(&family.parent, "&offset=1").await, (Vec::new(), 1));
    }

    async fn whom_a_sitter_can_write_to_is_told_with_what_connects_them(app: TestApp) {
        let family = Family::new(&app).await;
        app.request(&family.dana, &family.sam).await;
        family.dana.walk(&family.kim, "2026-11-24", "10:00").await;
        family.say(&family.parent, "Hello").await;
        family.dana.client("Nobody").await;
        let answer = family.dana.get("/clients-available").await;
        let told: Vec<Value> = answer.data().as_array().unwrap().iter().map(|it| {
            json!([it["name"], it["relationship_type"], it["existing_conversation_id"], it["unread_count"]])
        }).collect();
        assert_eq!(told, [
            json!(["Kim", "scheduled_service", null, 0]),
            json!(["Sam", "pending_request", family.sam.0, 1]),
        ]);
        let sam = &answer.data()[1];
        let (user, name, email) = (&sam["client_user_id"], &sam["client_user_name"], &sam["client_user_email"]);
        assert_eq!((user, name, email), (&json!(family.parent.user_id), &json!("Sam"), &json!("sam@example.com")));
        assert_eq!(sam.get("client_user_phone"), Some(&Value::Null), "accounts have none");
        // The list of clients and each of them say the same.
        let clients = family.dana.get("/clients").await;
        let told: Vec<Value> = clients.data().as_array().unwrap().iter().map(|it| json!([it["name"], it["relationship_type"]])).collect();
        assert_eq!(told, [
            json!(["Kim", "scheduled_service"]), json!(["Nobody", "existing_client"]), json!(["Sam", "pending_request"]),
        ]);
        for (client, kind) in [(&family.kim, "scheduled_service"), (&family.sam, "pending_request")] {
            let path = format!("/clients/{}", client.0);
            assert_eq!(family.dana.get(&path).await.data()["relationship_type"], kind);
            let changed = family.dana.put(&path, json!({ "vet": "Dr. Cole" })).await;
            assert_eq!(changed.data()["relationship_type"], kind);
        }
    }

    async fn conversations_and_messages_show_who_is_on_either_side(app: TestApp) {
        let family = Family::new(&app).await;
        let portrait = family.dana.upload(None, &jpeg()).await.id();
        family.dana.put("/sitters/profile", json!({ "photo": portrait })).await.data();
        family.say(&family.dana, "On my way").await;
        app.clock.advance(HOUR);
        let sent = json!({ "conversation_id": family.sam.0, "content": "Great" });
        let sent = family.parent.post("/messages", sent).await;
        let conversations = family.dana.get("/conversations").await;
        let conversation = &conversations.data()[0];
        assert_eq!(
            [&conversation["client_user_name"], &conversation["sitter_photo"], &conversation["updated_at"]],
            [&json!("Sam"), &json!(portrait), &sent.data()["created_at"]]
        );
        let messages = family.parent.get(&family.path("/messages")).await;
        let photos: Vec<&Value> = messages.data().as_array().unwrap().iter().map(|it| &it["sender_photo"]).collect();
        assert_eq!(photos, [&json!(portrait), &Value::Null]);
    }

    async fn conversations_of_several_sitters_are_in_one_order(app: TestApp) {
        let parent = app.pet_parent("Sam").await;
        let mut families = Vec::new();
        for name in ["Dana", "Mara", "Ines"] {
            let sitter = app.sitter(name).await;
            let sam = sitter.client("Sam").await;
            app.link(&sitter, &sam.0, Some(&parent)).await;
            families.push((sitter, sam));
        }
        for place in [1, 2, 0, 1] {
            app.clock.advance(HOUR);
            let (sitter, sam) = &families[place];
            let form = json!({ "conversation_id": sam.0, "content": "Hello" });
            sitter.post("/messages", form).await.data();
        }
        for path in ["/conversations", "/conversations/search?q=hello"] {
            let answer = parent.get(path).await;
            let names: Vec<&str> = answer.data().as_array().unwrap().iter().map(|it| it["sitter_name"].as_str().unwrap()).collect();
            assert_eq!(names, ["Mara", "Dana", "Ines"], "{path}");
        }
    }

    async fn a_parents_apps_hear_what_is_theirs_and_nothing_once_let_go(app: TestApp) {
        let family = Family::new(&app).await;
        let lou = app.pet_parent("Lou").await;
        app.link(&family.dana, &family.kim.0, Some(&lou)).await;
        let address = listen(&app).await;
        let mut of_dana = open(address, &ticket(&family.dana).await, None).await.unwrap();
        let mut of_sam = open(address, &ticket(&family.parent).await, None).await.unwrap();
        let mut of_lou = open(address, &ticket(&lou).await, None).await.unwrap();
        // A socket that answers has looked up its links.
        for socket in [&mut of_sam, &mut of_lou] {
            type_in(socket, &Id::of(1).to_string()).await;
        }
        type_in(&mut of_sam, &family.sam.0).await;
        let typing = json!({ "event": "typing", "sitter_id": family.dana.sitter_id, "conversation_id": family.sam.0 });
        app.clock.advance(1_000);
        while tokio::time::timeout(std::time::Duration::from_millis(50), next(&mut of_dana)).await.is_err() {
            app.clock.advance(1_000);
            type_in(&mut of_sam, &family.sam.0).await;
        }
        let said = family.say(&family.dana, "Hello").await;
        let sent = json!({
            "event": "message_sent", "sitter_id": family.dana.sitter_id, "conversation_id": family.sam.0, "message_id": said,
        });
        assert_eq!(next_but_changes(&mut of_sam).await, sent);
        type_in(&mut of_dana, &family.sam.0).await;
        assert_eq!(next_but_changes(&mut of_sam).await, typing);
        family.parent.put(&format!("/messages/{}/read", family.sam.0), json!({})).await.data();
        let read = json!({ "event": "message_read", "sitter_id": family.dana.sitter_id, "conversation_id": family.sam.0 });
        assert_eq!(next_but_changes(&mut of_sam).await, read);

        family.dana.post(&format!("/clients/{}/unlink", family.sam.0), json!({})).await.data();
        family.dana.put(&format!("/clients/{}", family.sam.0), json!({ "email": "sam@example.com" })).await.data();
        family.say(&family.dana, "Not for you").await;
        let form = json!({ "client_id": family.sam.0, "code": "x" });
        family.parent.post("/client/link", form).await;
        // What is told to all of a user comes after all that was told before.
        app.state.realtime.send(walkies_server::app::realtime::Notice::SessionsEnded { user_id: family.parent.user_id });
        family.parent.post("/auth/signout", json!({})).await;
        assert_eq!(next(&mut of_sam).await, Err(4401), "nothing was told in between");
        // The other client has heard nothing of all that but what concerns everybody.
        let form = json!({ "conversation_id": family.kim.0, "content": "For Kim" });
        let said = family.dana.post("/messages", form).await.id();
        assert_eq!(next_but_changes(&mut of_lou).await["message_id"], json!(said));
    }

    async fn typing_is_passed_on_with_its_end_and_no_more_often_than_it_helps(app: TestApp) {
        let family = Family::new(&app).await;
        let (sitter_id, sam) = (&family.dana.sitter_id, &family.sam.0);
        let address = listen(&app).await;
        let mut of_dana = open(address, &ticket(&family.dana).await, None).await.unwrap();
        let mut of_sam = open(address, &ticket(&family.parent).await, None).await.unwrap();
        let stopped = json!({ "event": "typing", "conversation_id": sam, "stopped": true });
        let told = |stopped: bool| match stopped {
            true => json!({ "event": "typing", "sitter_id": sitter_id, "conversation_id": sam, "stopped": true }),
            false => json!({ "event": "typing", "sitter_id": sitter_id, "conversation_id": sam }),
        };
        // A socket that hears has looked up its links.
        while tokio::time::timeout(std::time::Duration::from_millis(50), next(&mut of_sam)).await.is_err() {
            app.clock.advance(1_000);
            type_in(&mut of_dana, sam).await;
        }
        say_typing(&mut of_dana, stopped.clone()).await;
        while next(&mut of_sam).await != Ok(told(true)) {}
        for _ in 0..2 {
            app.clock.advance(1_000);
            for _ in 0..3 {
                type_in(&mut of_dana, sam).await;
            }
            for _ in 0..3 {
                say_typing(&mut of_dana, stopped.clone()).await;
            }
            for is_over in [false, true] {
                assert_eq!(next(&mut of_sam).await.unwrap(), told(is_over));
            }
        }
        type_in(&mut of_sam, sam).await;
        assert_eq!(next_but_changes(&mut of_dana).await, told(false));
    }

    #[always]
    async fn a_message_is_told_to_the_other_sides_phones_without_a_word_of_it(app: TestApp) {
        let push = PushService::start().await;
        let app = push.beside(&app).await;
        let family = Family::new(&app).await;
        let (phone, parents) = (push.phone(&family.dana, "dana").await, push.phone(&family.parent, "sam").await);
        family.say(&family.dana, "The code is 4821").await;
        app.clock.advance(settles_ms(PushKind::Message));
        let calls = push.deliver(&app).await;
        let [call] = calls.as_slice() else { panic!("{calls:?}") };
        let shown = parents.read(call).to_string();
        assert!(shown.contains("Sent you a message") && !shown.contains("4821"), "{shown}");
        family.say(&family.parent, "Thanks").await;
        family.say(&family.parent, "Bye").await;
        app.clock.advance(settles_ms(PushKind::Message));
        let calls = push.deliver(&app).await;
        let [call] = calls.as_slice() else { panic!("of two in a row the last one is told: {calls:?}") };
        assert!(phone.read(call).to_string().contains("Sam"));
        family.say(&family.parent, "One more thing").await;
        family.dana.put(&format!("/messages/{}/read", family.sam.0), json!({})).await.data();
        app.clock.advance(settles_ms(PushKind::Message));
        assert_eq!(push.deliver(&app).await.len(), 0, "what was read meanwhile is no news");
    }

    async fn a_phone_says_what_it_has_saved_and_is_told_what_came(app: TestApp) {
        let family = Family::new(&app).await;
        let mut phone = Phone::new(&family.dana);
        let id = Id::of(50);
        let send = phone.save("send_message", json!({ "id": id, "conversation_id": family.sam.0, "content": "Hello" }));
        let answer = phone.push(&[send]).await;
        assert_eq!(answer.data()["results"][0]["outcome"], "applied");
        let mut parents = crate::parents::ParentsPhone::new(&family.parent, &family.dana);
        parents.pull().await;
        assert_eq!(parents.rows[&format!("message/{id}")]["content"], "Hello");
        assert_eq!(parents.rows[&format!("conversation/{}", family.sam.0)]["sitter_count"], 1);
    }
}
