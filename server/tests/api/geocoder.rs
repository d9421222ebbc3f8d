//! Addresses outside the map, by a geocoder that stands in for one of others: it answers in its form, and fails in every way.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{Request, Response};
use reqwest::Url;
use serde_json::{Value, json};
use walkies_core::addresses::GeocoderKind;
use walkies_server::app::settings::Settings;
use walkies_server::external::geocoder::GeocoderSettings;

use crate::support::{Answer, DAY, TestApp, User, log, settings};

/// Behavior of the stand-in at its next calls.
#[derive(Clone)]
enum Mood {
    /// It answers with this status and text.
    Says(u16, String),
    /// It leads to another address.
    LeadsTo(String),
    /// It takes the call and says nothing.
    Silent,
    /// Its answer has no end.
    Endless,
    /// Its answer ends in the middle.
    BreaksOff,
}

/// A geocoder: the calls that it got, with their user agents, and its mood.
#[derive(Clone)]
struct StandIn(Arc<Mutex<(Vec<String>, Mood)>>);

impl StandIn {
    /// One on this machine, with settings that name it.
    async fn start(kind: GeocoderKind) -> (Self, Settings) {
        let stand_in = Self(Arc::new(Mutex::new((Vec::new(), Mood::Silent))));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let asked = stand_in.clone();
        let router = axum::Router::new().fallback(async move |request: Request<Body>| {
            let mood = {
                let mut both = asked.0.lock().unwrap();
                both.0.push(request.uri().to_string());
                both.1.clone()
            };
            mood.response().await
        });
        tokio::spawn(async move { axum::serve(listener, router).await });
        let mut settings = settings();
        settings.geocoder = Some(GeocoderSettings {
            timeout: Duration::from_millis(500),
            ..GeocoderSettings::new(kind, Url::parse(&origin).unwrap())
        });
        (stand_in, settings)
    }

    fn set(&self, mood: Mood) {
        self.0.lock().unwrap().1 = mood;
    }

    fn answer(&self, text: &Value) {
        self.set(Mood::Says(200, text.to_string()));
    }

    fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap().0)
    }
}

impl Mood {
    async fn response(self) -> Response<Body> {
        let part = Bytes::from_static(&[b' '; 1024]);
        match self {
            Self::Says(status, text) => {
                let answer = Response::builder().status(status);
                answer.body(Body::from(text)).unwrap()
            }
            Self::LeadsTo(url) => {
                let answer = Response::builder().status(302).header("location", url);
                answer.body(Body::empty()).unwrap()
            }
            Self::Silent => std::future::pending().await,
            Self::Endless => {
                let parts = futures_util::stream::repeat(part);
                let parts = futures_util::StreamExt::map(parts, Ok::<_, std::io::Error>);
                Response::new(Body::from_stream(parts))
            }
            Self::BreaksOff => {
                let parts = [Ok(part), Err(std::io::Error::other("gone"))];
                Response::new(Body::from_stream(futures_util::stream::iter(parts)))
            }
        }
    }
}

/// A second after the last search, so that no share is used up.
async fn search(app: &TestApp, user: &User, address: &str) -> Answer {
    app.clock.advance(1_000);
    user.post("/map/geocoder/search", json!({ "address": address }))
        .await
}

fn photon() -> Value {
    json!({ "type": "FeatureCollection", "features": [{
        "type": "Feature", "geometry": { "type": "Point", "coordinates": [-76.6165, 39.3289] },
        "properties": {
            "osm_id": 7, "osm_type": "W", "type": "house", "housenumber": "2905", "street": "North Charles Street",
            "postcode": "21218", "city": "Baltimore", "state": "Maryland", "country": "United States",
            "countrycode": "US",
        },
    }] })
}

fn found() -> Value {
    json!({ "is_answered": true, "addresses": [{
        "kind": "house", "text": "2905 North Charles Street, Baltimore 21218", "note": "Maryland, United States",
        "place": { "lat_e7": 393_289_000, "lon_e7": -766_165_000 },
    }] })
}

const TYPED: &str = "2905 n charles st";

#[tokio::test]
async fn photon_is_asked_by_the_server_with_the_words_alone() {
    let (geocoder, settings) = StandIn::start(GeocoderKind::Photon).await;
    let app = TestApp::sqlite(settings).await;
    let (anna, paul) = (app.sitter("Anna").await, app.pet_parent("Paul").await);
    assert_eq!(
        *anna.get("/map/geocoder").await.data(),
        json!({ "name": "Photon" })
    );
    geocoder.answer(&photon());
    assert_eq!(*search(&app, &anna, TYPED).await.data(), found());
    assert_eq!(geocoder.asked(), ["/api?q=2905+n+charles+st&limit=6"]);

    assert_eq!(
        search(&app, &paul, TYPED).await.failure(),
        (403, "forbidden")
    );
    assert_eq!(search(&app, &app.anonymous(), TYPED).await.status, 401);
    assert_eq!(
        paul.get("/map/geocoder").await.failure(),
        (403, "forbidden")
    );
    for wrong in ["", "ab", "a\u{0}bcd", &"x".repeat(501)] {
        assert_eq!(search(&app, &anna, wrong).await.failure(), (422, "invalid"));
    }
    assert!(geocoder.asked().is_empty());
}

#[tokio::test]
async fn nominatim_is_asked_in_its_own_form() {
    let (geocoder, settings) = StandIn::start(GeocoderKind::Nominatim).await;
    let app = TestApp::sqlite(settings).await;
    let anna = app.sitter("Anna").await;
    assert_eq!(
        *anna.get("/map/geocoder").await.data(),
        json!({ "name": "Nominatim" })
    );
    geocoder.answer(&json!([{
        "place_id": 7, "lat": "39.3289", "lon": "-76.6165", "category": "place", "type": "house", "addresstype": "place",
        "name": "", "display_name": "2905, North Charles Street, Baltimore", "address": {
            "house_number": "2905", "road": "North Charles Street", "city": "Baltimore", "state": "Maryland",
            "postcode": "21218", "country": "United States", "country_code": "us",
        },
    }]));
    assert_eq!(*search(&app, &anna, TYPED).await.data(), found());
    let asked = "/search?q=2905+n+charles+st&limit=6&format=jsonv2&addressdetails=1";
    assert_eq!(geocoder.asked(), [asked]);
}

#[tokio::test]
async fn a_geocoder_that_fails_in_any_way_finds_nothing_and_its_words_reach_nobody() {
    let (geocoder, settings) = StandIn::start(GeocoderKind::Photon).await;
    let (elsewhere, of_elsewhere) = StandIn::start(GeocoderKind::Photon).await;
    let other = of_elsewhere.geocoder.unwrap().url.to_string();
    elsewhere.answer(&photon());
    let app = TestApp::sqlite(settings).await;
    let anna = app.sitter("Anna").await;
    let address = "7 Rue Cachée";
    let says = |status, text: &str| Mood::Says(status, text.to_owned());
    for mood in [
        says(200, "SECRET"),
        says(200, ""),
        says(200, r#"{"message":"SECRET"}"#),
        says(200, &"[".repeat(200_000)),
        says(400, &photon().to_string()),
        says(429, "SECRET"),
        says(503, "SECRET"),
        Mood::LeadsTo("http://169.254.169.254/latest/meta-data".to_owned()),
        Mood::LeadsTo(other),
        Mood::Silent,
        Mood::Endless,
        Mood::BreaksOff,
    ] {
        geocoder.set(mood);
        let answer = search(&app, &anna, address).await;
        assert_eq!(
            *answer.data(),
            json!({ "is_answered": false, "addresses": [] })
        );
        assert_eq!(geocoder.asked().len(), 1);
    }
    assert!(elsewhere.asked().is_empty());
    let lines = log::lines_with("the geocoder does not answer");
    assert!(!lines.is_empty());
    let has_words = |it: &String| it.contains("Cach") || it.contains("SECRET");
    assert!(!lines.iter().any(has_words), "{lines:?}");
    geocoder.answer(&photon());
    assert_eq!(*search(&app, &anna, address).await.data(), found());
}

#[tokio::test]
async fn one_sitter_uses_up_no_other_ones_share_of_the_geocoder() {
    let (geocoder, settings) = StandIn::start(GeocoderKind::Photon).await;
    let app = TestApp::sqlite(settings).await;
    let (mallory, anna) = (app.sitter("Mallory").await, app.sitter("Anna").await);
    geocoder.answer(&photon());
    let mut statuses = Vec::new();
    for _ in 0..45 {
        statuses.push(search(&app, &mallory, TYPED).await.status.as_u16());
    }
    let (found, refused) = statuses.split_at(40);
    assert!(found.iter().all(|it| *it == 200), "{statuses:?}");
    assert!(refused.iter().all(|it| *it == 429), "{statuses:?}");
    assert_eq!(geocoder.asked().len(), 40);
    assert_eq!(search(&app, &anna, TYPED).await.status, 200);
    // All together ask once a second.
    let form = json!({ "address": TYPED });
    let at_once = anna.post("/map/geocoder/search", form).await;
    assert_eq!(at_once.failure().0, 429);
    app.clock.advance(DAY);
    assert_eq!(search(&app, &mallory, TYPED).await.status, 200);
}

#[tokio::test]
async fn without_a_geocoder_none_is_asked() {
    let app = TestApp::sqlite(settings()).await;
    let anna = app.sitter("Anna").await;
    assert_eq!(
        *anna.get("/map/geocoder").await.data(),
        json!({ "name": null })
    );
    assert_eq!(
        search(&app, &anna, TYPED).await.failure(),
        (404, "not_found")
    );
}
