//! The schedule in other calendars: what they read at its secret address, and who does not.

use std::collections::BTreeMap;
use std::io::BufReader;

use axum::body::Body;
use axum::http::Request;
use ical::IcalParser;
use serde_json::json;
use walkies_core::rules::calendar_feed::FeedWindow;
use walkies_server::app::settings::Settings;
use walkies_server::db;
use walkies_server::limits::rate::Rate;

use crate::on_both;
use crate::support::{ACCESS_NOTES, Answer, TestApp, User, log, settings, walk};

/// Makes an address; its path below `/api`.
async fn address(sitter: &User) -> String {
    let made = sitter.post("/calendar/address", json!({})).await;
    assert_eq!(made.status, 201, "{}", made.body);
    let url = made.data()["url"].as_str().unwrap();
    let (_, path) = url.split_once("/api").unwrap();
    let secret = path.strip_prefix("/calendar/").unwrap();
    let secret = secret.strip_suffix(".ics").unwrap();
    log::remember(&json!({ "share_id": secret }));
    path.to_owned()
}

fn text(answer: &Answer) -> String {
    assert_eq!(answer.status, 200, "{}", answer.body);
    String::from_utf8(answer.bytes.clone()).unwrap()
}

/// The events, as another parser than the writer's reads them: each a map of names, with their parameters, to values.
fn events(text: &str) -> Vec<BTreeMap<String, String>> {
    let calendar = IcalParser::new(BufReader::new(text.as_bytes()));
    let mut calendars: Vec<_> = calendar.map(Result::unwrap).collect();
    assert_eq!(calendars.len(), 1);
    let events = calendars.remove(0).events.into_iter().map(|event| {
        let property = |it: ical::property::Property| {
            let params = it.params.unwrap_or_default().into_iter();
            let params = params.map(|(name, values)| format!(";{name}={}", values.join(",")));
            let name = it.name + &params.collect::<String>();
            (name, it.value.unwrap_or_default())
        };
        event.properties.into_iter().map(property).collect()
    });
    events.collect()
}

/// A line that would be two, and one that would be cut within a letter.
const NAME: &str =
    "Dana; Whitfield, \\n née Österreicher-Ångström of the very long corridor behind the ferry";

on_both! {
    async fn another_calendar_reads_visits_and_stays_and_what_was_called_off(app: TestApp) {
        let sitter = app.sitter("Mara").await;
        let client = json!({
            "name": NAME, "address": "12 Elm St,\nAnn Arbor", "access_notes": ACCESS_NOTES, "phone": "555-010-4499",
            "house_instructions": ACCESS_NOTES, "vet": ACCESS_NOTES, "dogs": [{ "name": "Rex" }],
        });
        let client = sitter.post("/clients", client).await;
        let pair = (client.id(), client.data()["dogs"][0]["id"].as_str().unwrap().to_owned());
        let visit = walk(&pair.0, &pair.1, "2026-11-25", "10:00");
        let mut noted = visit.clone();
        for notes in ["notes", "internal_notes"] {
            noted[notes] = json!(ACCESS_NOTES);
        }
        sitter.post("/scheduled-services", noted).await.data();
        let called_off = sitter.walk(&pair, "2026-11-26", "10:00").await;
        sitter.delete(&format!("/scheduled-services/{called_off}")).await.data();
        let offering = json!({ "name": "Boarding", "category": "Boarding", "pricing_type": "daily", "base_price": 60 });
        let offering = sitter.post("/sitter-services", offering).await.id();
        let mut stay = visit.clone();
        stay["offering_id"] = json!(offering);
        stay["date"] = json!("2026-12-24");
        stay["end_date"] = json!("2026-12-26");
        sitter.post("/scheduled-services", stay).await.data();
        let other = app.sitter("Other").await;
        let others = other.client("Kim").await;
        other.walk(&others, "2026-11-25", "12:00").await;

        let path = address(&sitter).await;
        let shown = app.anonymous().get(&path).await;
        let calendar = text(&shown);
        assert_eq!(shown.headers["content-type"], "text/calendar; charset=utf-8");
        assert_eq!(shown.headers["cache-control"], "private, no-cache");
        assert_eq!(shown.headers["x-robots-tag"], "noindex");
        assert!(calendar.lines().all(|it| it.len() <= 75), "{calendar}");
        assert_eq!(calendar.matches('\n').count(), calendar.matches("\r\n").count());
        for secret in [ACCESS_NOTES, "555-010", "Kim"] {
            assert!(!calendar.contains(secret), "{calendar}");
        }

        let events = events(&calendar);
        let [visit, called_off, stay] = events.as_slice() else {
            panic!("{calendar}");
        };
        let summary = "Walk for Rex\\, Dana\\; Whitfield\\, \\\\n née Österreicher-Ångström of the very long corridor behind the ferry";
        assert_eq!(visit["SUMMARY"], summary);
        assert_eq!(visit["LOCATION"], "12 Elm St\\,\\nAnn Arbor");
        // Ten o'clock in New York.
        assert_eq!((visit["DTSTART"].as_str(), visit["DTEND"].as_str()), ("20261125T150000Z", "20261125T153000Z"));
        assert_eq!((visit["STATUS"].as_str(), visit["TRANSP"].as_str()), ("CONFIRMED", "OPAQUE"));
        assert_eq!((called_off["STATUS"].as_str(), called_off["TRANSP"].as_str()), ("CANCELLED", "TRANSPARENT"));
        assert!(called_off["SUMMARY"].starts_with("Cancelled: Walk"), "{calendar}");
        assert_eq!((stay["DTSTART;VALUE=DATE"].as_str(), stay["DTEND;VALUE=DATE"].as_str()), ("20261224", "20261227"));
        assert!(stay["SUMMARY"].starts_with("Boarding for Rex"), "{calendar}");
        let ids: std::collections::BTreeSet<&str> = events.iter().map(|it| it["UID"].as_str()).collect();
        assert_eq!(ids.len(), 3);
        log::check();
    }

    async fn a_calendar_that_knows_it_already_gets_nothing_until_something_changes(app: TestApp) {
        let sitter = app.sitter("Mara").await;
        let client = sitter.client("Dana").await;
        let path = address(&sitter).await;
        let ask = async |tag: &str| {
            let request = Request::get(format!("/api{path}")).header("if-none-match", tag);
            app.anonymous().send(request.body(Body::empty()).unwrap()).await
        };
        let first = ask("\"\"").await;
        let tag = first.headers["etag"].to_str().unwrap().to_owned();
        let again = ask(&tag).await;
        assert_eq!((again.status.as_u16(), again.bytes.len()), (304, 0));
        assert_eq!(ask(&format!("W/{tag}")).await.status, 304);
        sitter.walk(&client, "2026-11-25", "10:00").await;
        assert_eq!(events(&text(&ask(&tag).await)).len(), 1);
    }

    async fn of_too_many_services_those_from_today_on_are_shown_first(app: TestApp) {
        let sitter = app.sitter("Mara").await;
        let client = sitter.client("Dana").await;
        for date in ["2026-11-20", "2026-11-21", "2026-11-22", "2026-11-25", "2026-11-26"] {
            sitter.walk(&client, date, "10:00").await;
        }
        let window = FeedWindow::of("2026-11-22".parse().unwrap());
        let shown = async |most: usize| {
            let mut tx = app.state.db.read().await.unwrap();
            let services = db::services_of_calendar(&mut tx, sitter.sitter_id.unwrap(), None, window, most).await.unwrap();
            services.iter().map(|it| it.row.date.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(shown(2).await, ["2026-11-22", "2026-11-25"]);
        assert_eq!(shown(4).await, ["2026-11-21", "2026-11-22", "2026-11-25", "2026-11-26"]);
    }

    #[always]
    async fn a_parents_calendar_has_the_own_visits_of_all_sitters_and_nothing_else(app: TestApp) {
        let (mara, olga, parent) = (app.sitter("Mara").await, app.sitter("Olga").await, app.pet_parent("Sam").await);
        let (sam, kim, other) = (mara.client("Sam").await, mara.client("Kim").await, olga.client("Sam").await);
        app.link(&mara, &sam.0, Some(&parent)).await;
        app.link(&olga, &other.0, Some(&parent)).await;
        mara.walk(&sam, "2026-11-24", "10:00").await;
        mara.walk(&sam, "2026-11-23", "10:00").await;
        mara.walk(&kim, "2026-11-24", "12:00").await;
        olga.walk(&other, "2026-11-25", "09:00").await;

        let path = "/client/calendar/address";
        assert!(parent.get(path).await.data()["created_at"].is_null());
        assert_eq!(mara.get(path).await.status, 403);
        let made = parent.post(path, json!({})).await;
        assert_eq!(made.status, 201, "{}", made.body);
        let url = made.data()["url"].as_str().unwrap().split_once("/api").unwrap().1.to_owned();
        assert!(parent.get(path).await.data()["created_at"].is_string());
        let anonymous = app.anonymous();
        let summaries = async || {
            let shown = events(&text(&anonymous.get(&url).await));
            assert!(shown.iter().all(|it| !it.contains_key("LOCATION")), "{shown:?}");
            let mut found: Vec<_> = shown.iter().map(|it| it["SUMMARY"].clone()).collect();
            found.sort();
            found
        };
        assert_eq!(summaries().await, ["Walk for Rex\\, Mara", "Walk for Rex\\, Mara", "Walk for Rex\\, Olga"]);
        let known = anonymous.get(&url).await.headers["etag"].to_str().unwrap().to_owned();
        let again = anonymous.call("GET", &url, &[("if-none-match", &known)], None).await;
        assert_eq!(again.status, 304);

        // Who is let go reads nothing of that business any more.
        mara.post(&format!("/clients/{}/unlink", sam.0), json!({})).await.data();
        let changed = anonymous.call("GET", &url, &[("if-none-match", &known)], None).await;
        assert_eq!(changed.status, 200);
        assert_eq!(summaries().await, ["Walk for Rex\\, Olga"]);
        parent.delete(path).await.data();
        assert_eq!(anonymous.get(&url).await.failure(), (404, "calendar_gone"));
        assert!(parent.get(path).await.data()["created_at"].is_null());
    }

    #[always]
    async fn an_address_that_has_ended_is_like_one_that_never_was(app: TestApp) {
        let sitter = app.sitter("Mara").await;
        assert!(sitter.get("/calendar/address").await.data()["created_at"].is_null());
        let first = address(&sitter).await;
        let known = sitter.get("/calendar/address").await;
        assert!(known.data()["created_at"].is_string() && known.data()["url"].is_null(), "{}", known.body);
        let second = address(&sitter).await;
        let anonymous = app.anonymous();
        text(&anonymous.get(&second).await);
        let never = anonymous.get("/calendar/AAAAAAAAAAAAAAAAAAAAAA.ics").await;
        assert_eq!(never.failure(), (404, "calendar_gone"));
        let gone = async |path: &str| {
            let answer = anonymous.get(path).await;
            assert_eq!((answer.status, &answer.body), (never.status, &never.body), "{path}");
            assert_eq!(answer.headers["cache-control"], "no-store");
        };
        let without = second.strip_suffix(".ics").unwrap();
        for path in [&first, without, "/calendar/.ics", "/calendar/x.ics"] {
            gone(path).await;
        }
        sitter.delete("/calendar/address").await.data();
        gone(&second).await;
        assert!(sitter.get("/calendar/address").await.data()["created_at"].is_null());
        // Nothing of it is kept from which an address could be made.
        let third = address(&sitter).await;
        let secret = third.strip_prefix("/calendar/").unwrap().strip_suffix(".ics").unwrap();
        assert!(app.dump(None).await.iter().all(|it| !it.contains(secret)));
        log::check();
    }
}

#[tokio::test]
async fn who_asks_for_calendars_too_often_waits() {
    let rate = Rate {
        burst: 2,
        every_ms: 60_000,
    };
    let app = TestApp::sqlite(Settings {
        rate_of_calendars: rate,
        ..settings()
    })
    .await;
    let path = address(&app.sitter("Mara").await).await;
    for _ in 0..2 {
        text(&app.anonymous().get(&path).await);
    }
    assert_eq!(app.anonymous().get(&path).await.status, 429);
}
