//! The map: imported, listed, sent once and kept, replaced and removed whole.

use std::collections::BTreeSet;
use std::fs;
use std::sync::{Arc, Mutex};

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};
use walkies_core::Instant;
use walkies_core::map::{Tile, TileId};
use walkies_server::app::state::AppState;
use walkies_server::base::env::Env;
use walkies_server::cli::demo;
use walkies_server::db::{self, MapArea, MapTile};
use walkies_server::external::service::ExternalService;
use walkies_server::jobs::cleanup;
use walkies_server::limits::rate::Rate;
use walkies_server::map::maker::Options;
use walkies_server::map::{self, TileName};
use walkies_server::media::files::{FileName, Files};

use crate::extract::{Street, extract};
use crate::on_both;
use crate::support::{Answer, DAY, HOUR, NOW, TestApp, settings};

/// 2026-11-13 20:26:40 UTC.
const DATA_AT_S: u64 = 1_794_601_600;

/// Along Heidelberg's pedestrian street, a kilometer, in one tile.
const MAIN_STREET: Street<'_> = (
    "Hauptstraße",
    &[(49.4085, 8.6860), (49.4090, 8.6920), (49.4080, 8.6990)],
);
/// Across the river, into the tile to the north.
const BRIDGE: Street<'_> = (
    "Theodor-Heuss-Brücke",
    &[(49.4088, 8.6925), (49.4145, 8.6927), (49.4270, 8.6930)],
);
/// In the southern tile again.
const LANE: Street<'_> = ("Ziegelgasse", &[(49.4095, 8.6950), (49.4085, 8.6952)]);
const AROUND: &str = "lat=49.4100&lng=8.6950&radius_m=2500";

async fn import_bytes(app: &AppState, name: &str, bytes: &[u8]) -> anyhow::Result<MapArea> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("extract.osm.pbf");
    fs::write(&file, bytes)?;
    let options = Options {
        scratch: Some(folder.path().to_owned()),
        ..Options::default()
    };
    let (area, _) = map::import(app, name, &file, options, |_| {}).await?;
    Ok(area)
}

async fn import(app: &TestApp, name: &str, data_at_s: u64, streets: &[Street<'_>]) -> MapArea {
    let bytes = extract(data_at_s, streets);
    import_bytes(&app.state, name, &bytes).await.unwrap()
}

async fn areas(app: &TestApp, query: &str) -> Value {
    let path = format!("/map/areas?{query}");
    app.anonymous().get(&path).await.data().clone()
}

fn names(map: &Value, list: &str, field: &str) -> Vec<String> {
    let items = map[list].as_array().unwrap().iter();
    items
        .map(|it| it[field].as_str().unwrap().to_owned())
        .collect()
}

async fn tile(app: &TestApp, name: &str, headers: &[(&str, &str)]) -> Answer {
    let path = format!("/map/tiles/{name}");
    app.anonymous().call("GET", &path, headers, None).await
}

/// The names of all files of the map's tiles.
fn stored(app: &TestApp) -> BTreeSet<String> {
    fn walk(folder: &std::path::Path, found: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, found);
            } else {
                found.insert(path.display().to_string());
            }
        }
    }
    let mut found = BTreeSet::new();
    walk(&app.folder().join("map"), &mut found);
    found
}

async fn map_rows(app: &TestApp) -> Vec<String> {
    let rows = app.dump(None).await;
    rows.into_iter()
        .filter(|it| it.starts_with("map_"))
        .collect()
}

fn no_map() -> Value {
    serde_json::json!({ "areas": [], "tiles": [], "pictures": null })
}

on_both! {
    async fn an_imported_area_is_listed_with_the_tiles_around_a_place(app: TestApp) {
        assert_eq!(areas(&app, "").await, no_map());
        let made = import(&app, "Heidelberg", DATA_AT_S, &[MAIN_STREET, BRIDGE]).await;
        let listed = areas(&app, "").await;
        let area = &listed["areas"][0];
        assert_eq!(area["id"], made.id.to_string());
        assert_eq!(area["name"], "Heidelberg");
        assert_eq!(area["data_at"], "2026-11-13T20:26:40.000Z");
        assert_eq!(area["imported_at"], Instant(NOW).to_string());
        for (side, expected) in [("west", 8.6860), ("south", 49.4080), ("east", 8.6990), ("north", 49.4270)] {
            let found = area[side].as_f64().unwrap();
            assert!((found - expected).abs() < 1e-4, "{side}: {found}");
        }
        assert_eq!(listed["tiles"], serde_json::json!([]), "no place was asked for");

        let around = areas(&app, AROUND).await;
        assert_eq!(around["areas"], listed["areas"]);
        let tiles: Vec<TileName> = names(&around, "tiles", "tile").iter().map(|it| it.parse().unwrap()).collect();
        let ids: Vec<TileId> = tiles.iter().map(|it| it.id).collect();
        assert_eq!(ids, [TileId { x: 4293, y: 2798 }, TileId { x: 4293, y: 2799 }]);
        let total: u64 = around["tiles"].as_array().unwrap().iter().map(|it| it["bytes"].as_u64().unwrap()).sum();
        assert_eq!((area["bytes"].as_u64(), made.n_tiles), (Some(total), 2));
        let near = areas(&app, "lat=49.4080&lng=8.6950&radius_m=100").await;
        assert_eq!(names(&near, "tiles", "tile"), [tiles[1].to_string()]);
        let far = areas(&app, "lat=60.17&lng=24.94&radius_m=50000").await;
        assert_eq!(names(&far, "tiles", "tile"), [""; 0]);
    }

    async fn a_tile_is_sent_as_it_is_kept_and_is_never_asked_for_again(app: TestApp) {
        import(&app, "Heidelberg", DATA_AT_S, &[MAIN_STREET, BRIDGE]).await;
        for link in areas(&app, AROUND).await["tiles"].as_array().unwrap() {
            let name = link["tile"].as_str().unwrap();
            let id = name.parse::<TileName>().unwrap().id;
            let small = tile(&app, name, &[("accept-encoding", "gzip, deflate, br")]).await;
            let whole = tile(&app, name, &[]).await;
            let zipped = tile(&app, name, &[("accept-encoding", "gzip, br;q=0")]).await;
            assert_eq!((small.status, whole.status, zipped.status), (200.try_into().unwrap(), 200.try_into().unwrap(), 200.try_into().unwrap()));
            assert_eq!(small.headers["content-encoding"], "br");
            assert!(whole.headers.get("content-encoding").is_none());
            assert_ne!(zipped.headers.get("content-encoding").map(|it| it.to_str().unwrap()), Some("br"));
            assert_eq!(Some(small.bytes.len() as u64), link["bytes"].as_u64());
            assert_eq!(map::decompress(&small.bytes).unwrap(), whole.bytes);
            let decoded = Tile::decode(&whole.bytes).unwrap();
            assert_eq!(decoded.id, id);
            assert!(!decoded.network.edges.is_empty());
            for answer in [&small, &whole, &zipped] {
                assert_eq!(answer.headers["cache-control"], "public, max-age=31536000, immutable");
                assert_eq!(answer.headers["content-type"], "application/octet-stream");
                assert_eq!(answer.headers["x-content-type-options"], "nosniff");
                assert!(answer.headers["vary"].to_str().unwrap().eq_ignore_ascii_case("accept-encoding"));
                assert_eq!(answer.headers["etag"], small.headers["etag"]);
            }
            let tag = small.headers["etag"].to_str().unwrap();
            let known = tile(&app, name, &[("if-none-match", tag)]).await;
            assert_eq!((known.status.as_u16(), known.bytes.len()), (304, 0));
            assert_eq!(known.headers["cache-control"], "public, max-age=31536000, immutable");
            assert_eq!(tile(&app, name, &[("if-none-match", "W/\"other\"")]).await.status, 200);
        }
    }

    async fn a_newer_import_takes_the_place_of_the_older_one_whole(app: TestApp) {
        let first = import(&app, "Heidelberg", DATA_AT_S, &[MAIN_STREET, BRIDGE, LANE]).await;
        let before = names(&areas(&app, AROUND).await, "tiles", "tile");
        let second = import(&app, "Heidelberg", DATA_AT_S + 1, &[MAIN_STREET]).await;
        let listed = areas(&app, AROUND).await;
        assert_ne!(first.id, second.id);
        assert_eq!(names(&listed, "areas", "id"), [second.id.to_string()]);
        let after = names(&listed, "tiles", "tile");
        assert_eq!((before.len(), after.len(), stored(&app).len()), (2, 1, 1));
        for name in before {
            assert_eq!(tile(&app, &name, &[]).await.failure(), (404, "not_found"));
        }
        assert_eq!(tile(&app, &after[0], &[]).await.status, 200);
        assert_eq!(map_rows(&app).await.len(), 2, "an area and its tile");
    }

    #[always]
    async fn a_newer_extract_changes_the_names_of_changed_tiles_alone(app: TestApp) {
        import(&app, "Heidelberg", DATA_AT_S, &[MAIN_STREET, BRIDGE]).await;
        let before = areas(&app, AROUND).await;
        import(&app, "Heidelberg", DATA_AT_S + 86_400, &[MAIN_STREET, BRIDGE, LANE]).await;
        let after = areas(&app, AROUND).await;
        assert_eq!(after["areas"][0]["data_at"], "2026-11-14T20:26:40.000Z");
        let [before, after] = [before, after].map(|it| names(&it, "tiles", "tile"));
        assert_eq!(before[0], after[0], "no phone gets it again");
        assert_ne!(before[1], after[1], "the lane is new");
        assert_eq!(tile(&app, &before[0], &[]).await.status, 200);
    }

    #[always]
    async fn where_areas_overlap_the_tile_with_most_in_it_is_shown(app: TestApp) {
        let small = import(&app, "A corner", DATA_AT_S, &[BRIDGE, LANE]).await;
        let corner = names(&areas(&app, AROUND).await, "tiles", "tile");
        let large = import(&app, "Everything", DATA_AT_S, &[MAIN_STREET, BRIDGE, LANE]).await;
        import(&app, "Another corner", DATA_AT_S, &[BRIDGE, LANE]).await;
        let listed = areas(&app, AROUND).await;
        assert_eq!(names(&listed, "areas", "name"), ["A corner", "Another corner", "Everything"]);
        let tiles = names(&listed, "tiles", "tile");
        assert_eq!((tiles.len(), &tiles[0]), (2, &corner[0]), "each place once, and the same where they are the same");
        assert_ne!(tiles[1], corner[1]);
        assert!(small.size_bytes < large.size_bytes);
        map::remove(&app.state, "Everything").await.unwrap();
        assert_eq!(names(&areas(&app, AROUND).await, "tiles", "tile"), corner);
    }

    async fn a_removed_area_takes_its_files_along(app: TestApp) {
        import(&app, "Heidelberg", DATA_AT_S, &[MAIN_STREET, BRIDGE]).await;
        let other = import(&app, "Bridge", DATA_AT_S, &[BRIDGE]).await;
        let before = (map_rows(&app).await, stored(&app));
        let error = map::remove(&app.state, "Paris").await.unwrap_err();
        assert!(error.to_string().contains("Paris"), "{error}");
        assert_eq!((map_rows(&app).await, stored(&app)), before);
        map::remove(&app.state, "Heidelberg").await.unwrap();
        assert_eq!(names(&areas(&app, AROUND).await, "areas", "name"), ["Bridge"]);
        assert!(stored(&app).iter().all(|it| it.contains(&other.id.to_string())));
        map::remove(&app.state, &other.id.to_string()).await.unwrap();
        assert_eq!((map_rows(&app).await, stored(&app).len()), (Vec::new(), 0));
    }

    async fn a_useless_file_is_named_and_changes_nothing(app: TestApp) {
        import(&app, "Heidelberg", DATA_AT_S, &[MAIN_STREET]).await;
        let before = (map_rows(&app).await, stored(&app));
        let good = extract(DATA_AT_S, &[MAIN_STREET, BRIDGE]);
        for bytes in [&b""[..], b"<!doctype html><title>404</title>", &good[..good.len() - 9], &extract(DATA_AT_S, &[])] {
            let error = import_bytes(&app.state, "Heidelberg", bytes).await.unwrap_err();
            assert!(error.to_string().contains("extract.osm.pbf"), "{error:#}");
            assert_eq!((map_rows(&app).await, stored(&app)), before, "{error:#}");
        }
    }

    async fn a_damaged_file_changes_nothing(app: TestApp) {
        import(&app, "Heidelberg", DATA_AT_S, &[MAIN_STREET]).await;
        let before = (map_rows(&app).await, stored(&app));
        let good = extract(DATA_AT_S, &[MAIN_STREET, BRIDGE, LANE]);
        let mut n_refused = 0;
        for at in (0..good.len()).step_by(good.len() / 60) {
            let mut damaged = good.clone();
            damaged[at] ^= 0xff;
            // Some of a file's bytes may as well be others: a coordinate's, a name's.
            if import_bytes(&app.state, "Damaged", &damaged).await.is_ok() {
                map::remove(&app.state, "Damaged").await.unwrap();
            } else {
                n_refused += 1;
            }
            assert_eq!((map_rows(&app).await, stored(&app)), before, "{at}");
        }
        assert!(n_refused > 10, "{n_refused}");
    }

    async fn whoever_imports_again_removes_what_a_killed_import_has_left(app: TestApp) {
        let (id, at) = (app.state.env.id(), TileId { x: 1, y: 1 });
        let row = MapTile { id: at, checksum: map::checksum(b"half"), size_bytes: 4 };
        let mut tx = app.state.db.write().await.unwrap();
        db::insert_map_area(&mut tx, id, "Heidelberg", Instant(NOW + HOUR)).await.unwrap();
        db::insert_map_tile(&mut tx, id, &row).await.unwrap();
        tx.commit().await.unwrap();
        app.state.files.put(&FileName::map_tile(id, at), "half".into()).await.unwrap();
        let half_written = app.folder().join(format!("map/{id}/1-2.wktl.br#1"));
        fs::write(half_written, "ha").unwrap();
        import(&app, "ExternalService", DATA_AT_S, &[BRIDGE]).await;
        assert!(stored(&app).iter().any(|it| it.contains(&id.to_string())), "it may still be at work");
        import(&app, "Heidelberg", DATA_AT_S, &[MAIN_STREET]).await;
        assert!(!stored(&app).iter().any(|it| it.contains(&id.to_string())));
        assert!(!map_rows(&app).await.iter().any(|it| it.contains(&id.to_string())));
        let mut tx = app.state.db.write().await.unwrap();
        assert!(!db::postpone_map_area(&mut tx, id, Instant(NOW)).await.unwrap(), "one that is alive finds out");
    }

    async fn a_name_that_nobody_could_type_is_no_name(app: TestApp) {
        let good = extract(DATA_AT_S, &[MAIN_STREET]);
        for name in ["", "  ", "two\nlines", &"x".repeat(101)] {
            assert!(import_bytes(&app.state, name, &good).await.is_err(), "{name}");
        }
        assert_eq!(map_rows(&app).await.len(), 0);
    }

    async fn an_import_that_cannot_store_its_tiles_leaves_nothing_behind(app: TestApp) {
        let in_the_way = app.folder().join("map");
        fs::write(&in_the_way, "no folder").unwrap();
        let bytes = extract(DATA_AT_S, &[MAIN_STREET, BRIDGE]);
        let error = import_bytes(&app.state, "Heidelberg", &bytes).await.unwrap_err();
        assert!(format!("{error:#}").contains("storage"), "{error:#}");
        assert_eq!(areas(&app, AROUND).await, no_map());
        fs::remove_file(in_the_way).unwrap();
        cleanup::clean_up_once(&app.state).await.unwrap();
        assert_eq!((map_rows(&app).await, stored(&app).len()), (Vec::new(), 0));
        import_bytes(&app.state, "Heidelberg", &bytes).await.unwrap();
        assert_eq!(names(&areas(&app, AROUND).await, "areas", "name"), ["Heidelberg"]);
    }

    async fn what_a_killed_import_has_left_is_not_shown_and_is_removed_later(app: TestApp) {
        import(&app, "Heidelberg", DATA_AT_S, &[MAIN_STREET]).await;
        let before = (areas(&app, AROUND).await, stored(&app));
        let (id, at) = (app.state.env.id(), TileId { x: 4293, y: 2799 });
        let row = MapTile { id: at, checksum: map::checksum(b"half"), size_bytes: 1_000_000 };
        let mut tx = app.state.db.write().await.unwrap();
        db::insert_map_area(&mut tx, id, "Heidelberg", Instant(NOW + HOUR)).await.unwrap();
        db::insert_map_tile(&mut tx, id, &row).await.unwrap();
        db::insert_map_tile(&mut tx, id, &MapTile { id: TileId { x: 1, y: 1 }, ..row.clone() }).await.unwrap();
        tx.commit().await.unwrap();
        app.state.files.put(&FileName::map_tile(id, at), "half".into()).await.unwrap();

        assert_eq!(areas(&app, AROUND).await, before.0);
        let name = TileName { id: at, checksum: row.checksum };
        assert_eq!(tile(&app, &name.to_string(), &[]).await.failure(), (404, "not_found"));
        assert!(map::remove(&app.state, &id.to_string()).await.is_err());
        cleanup::clean_up_once(&app.state).await.unwrap();
        assert_eq!(stored(&app).len(), 2, "it may still be at work");
        app.clock.advance(HOUR);
        cleanup::clean_up_once(&app.state).await.unwrap();
        assert_eq!((areas(&app, AROUND).await, stored(&app)), before);
        assert!(map_rows(&app).await.iter().all(|it| !it.contains(&id.to_string())));
        let mut tx = app.state.db.write().await.unwrap();
        assert!(!db::postpone_map_area(&mut tx, id, Instant(NOW)).await.unwrap(), "one that wakes up finds out");
    }

    async fn what_is_asked_wrongly_is_refused_by_field(app: TestApp) {
        for (query, fields) in [
            ("lat=49.41", &["lng", "radius_m"][..]),
            ("radius_m=100", &["lat", "lng"]),
            ("lat=91&lng=8&radius_m=100", &["lat"]),
            ("lat=49&lng=-181&radius_m=100", &["lng"]),
            ("lat=NaN&lng=8&radius_m=-1", &["lat", "radius_m"]),
            ("lat=49&lng=8&radius_m=50001", &["radius_m"]),
        ] {
            let answer = app.anonymous().get(&format!("/map/areas?{query}")).await;
            assert_eq!(answer.failure(), (422, "invalid"), "{query}");
            let found: Vec<&String> = answer.body["fields"].as_object().unwrap().keys().collect();
            assert_eq!(found, fields, "{query}");
        }
        assert_eq!(app.anonymous().get("/map/areas?lat=north").await.failure(), (400, "malformed"));
        for place in ["lat=90&lng=180&radius_m=50000", "lat=-90&lng=-180&radius_m=0"] {
            assert_eq!(app.anonymous().get(&format!("/map/areas?{place}")).await.status, 200, "{place}");
        }
        for name in ["4293-2799", "4293-2799-0123456789ABCDEF", "..%2F..%2Fwalkies.sqlite3", "99999-1-0123456789abcdef"] {
            assert_eq!(tile(&app, name, &[]).await.failure(), (400, "malformed"), "{name}");
        }
        assert_eq!(tile(&app, "4293-2799-0123456789abcdef", &[]).await.failure(), (404, "not_found"));
    }

    async fn the_demo_brings_the_map_on_which_its_clients_live(app: TestApp) {
        demo::create(&app.state, &demo::BALTIMORE).await.unwrap();
        demo::import_map(&app.state, &demo::BALTIMORE).await.unwrap();
        let listed = areas(&app, "lat=39.287&lng=-76.585&radius_m=1500").await;
        demo::import_map(&app.state, &demo::BALTIMORE).await.unwrap();
        assert_eq!(areas(&app, "lat=39.287&lng=-76.585&radius_m=1500").await, listed, "it is imported once");
        assert!(!names(&listed, "tiles", "tile").is_empty());
        let area = &listed["areas"][0];
        let is_within = |lat: f64, lng: f64| {
            let side = |name: &str| area[name].as_f64().unwrap();
            (side("south")..side("north")).contains(&lat) && (side("west")..side("east")).contains(&lng)
        };
        let form = serde_json::json!({ "email": "demo@walkies.example", "password": "walkies-demo" });
        let answer = app.anonymous().post("/auth/signin", form).await;
        let sitter = app.user_of(&answer);
        let clients = sitter.get("/clients").await.data().clone();
        assert_eq!(clients.as_array().unwrap().len(), 12);
        for client in clients.as_array().unwrap() {
            assert!(is_within(client["lat"].as_f64().unwrap(), client["lng"].as_f64().unwrap()), "{client}");
        }
        let profile = sitter.get("/sitters/profile").await.data().clone();
        let place = [&profile["service_area_lat"], &profile["service_area_lng"]].map(|it| it.as_f64().unwrap());
        assert!(is_within(place[0], place[1]), "{profile}");
    }
}

#[tokio::test]
async fn a_server_that_keeps_no_files_takes_no_map() {
    let app = TestApp::sqlite(settings()).await;
    let files = Files::open("none").unwrap();
    let state = AppState::new(app.state.db.clone(), Env::system(), settings(), files);
    let state = state.await.unwrap();
    let bytes = extract(DATA_AT_S, &[MAIN_STREET]);
    let error = import_bytes(&state, "Heidelberg", &bytes)
        .await
        .unwrap_err();
    assert!(error.to_string().contains("--files none"), "{error}");
    demo::import_map(&state, &demo::BALTIMORE).await.unwrap();
    assert_eq!(map_rows(&app).await.len(), 0);
}

#[tokio::test]
async fn whoever_collects_maps_is_slowed_down() {
    let mut slow = settings();
    slow.rate_of_map = Rate {
        burst: 3,
        every_ms: 10_000,
    };
    let app = TestApp::sqlite(slow).await;
    areas(&app, "").await;
    assert_eq!(tile(&app, "no-name", &[]).await.failure().0, 400);
    areas(&app, "").await;
    let answer = app.anonymous().get("/map/areas").await;
    assert_eq!(answer.failure(), (429, "too_many_requests"));
    assert_eq!(answer.headers["retry-after"], "10");
    app.clock.advance(10_000);
    areas(&app, "").await;
}

#[tokio::test]
async fn phones_hear_of_what_comes_from_elsewhere_where_there_is_any() {
    let elsewhere = |url: &str| {
        Some(ExternalService {
            url: url.to_owned(),
            origin: "https://example.com".to_owned(),
        })
    };
    let mut with_pictures = settings();
    with_pictures.map_pictures = elsewhere("https://example.com/{z}/{x}/{y}.png");
    let app = TestApp::sqlite(with_pictures).await;
    let answer = areas(&app, "").await;
    assert_eq!(answer["pictures"], "https://example.com/{z}/{x}/{y}.png");
    let without = TestApp::sqlite(settings()).await;
    assert_eq!(areas(&without, "").await, no_map());
}

/// A directions service: the calls that it got, and its next answer.
#[derive(Clone, Default)]
struct StandIn(Arc<Mutex<(Vec<String>, String)>>);

impl StandIn {
    /// One on this machine, with where it is.
    async fn start() -> (Self, ExternalService) {
        let stand_in = Self::default();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let asked = stand_in.clone();
        let router = axum::Router::new().fallback(async move |request: Request<Body>| {
            let mut both = asked.0.lock().unwrap();
            both.0.push(request.uri().to_string());
            both.1.clone()
        });
        tokio::spawn(async move { axum::serve(listener, router).await });
        let service = ExternalService {
            url: format!("{origin}/walking/{{route}}&access_token=KEY"),
            origin,
        };
        (stand_in, service)
    }

    fn answer(&self, text: &str) {
        self.0.lock().unwrap().1 = text.to_owned();
    }

    fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap().0)
    }
}

const ROUTE: &str = "/map/directions/route?places=24.94,60.17;24.95,60.18";

#[tokio::test]
async fn the_directions_service_is_asked_by_the_server_and_its_key_reaches_nobody() {
    let (service, address) = StandIn::start().await;
    let mut with_key = settings();
    with_key.directions = Some(address);
    let app = TestApp::sqlite(with_key).await;
    let (anna, paul) = (app.sitter("Anna").await, app.pet_parent("Paul").await);
    let told = anna.get("/map/directions").await;
    assert_eq!(
        *told.data(),
        json!({ "is_available": true, "address": null })
    );

    service.answer(r#"{"code":"Ok","message":"KEY","routes":[{"distance":900,"geometry":{"coordinates":[[24.94,60.17],[24.95,60.18]]}}]}"#);
    let found = anna.get(ROUTE).await;
    assert_eq!(found.data()["routes"][0]["distance"], 900.0);
    let asked = service.asked();
    let expected = "/walking/24.940000,60.170000;24.950000,60.180000?geometries=geojson&overview=full&steps=true\
                    &annotations=duration,distance&access_token=KEY";
    assert_eq!(asked, [expected]);
    let long = "x".repeat(2_000_000);
    for (said, code) in [
        (r#"{"code":"NoRoute","message":"KEY"}"#, "NoRoute"),
        ("Not authorized: KEY", "Failed"),
        (long.as_str(), "Failed"),
    ] {
        service.answer(said);
        let answer = anna.get(ROUTE).await;
        assert_eq!(*answer.data(), json!({ "code": code, "routes": [] }));
    }
    service.asked();
    let wrong = anna.get("/map/directions/route?places=../x").await;
    assert_eq!(wrong.failure(), (422, "invalid"));
    assert_eq!(paul.get(ROUTE).await.failure(), (403, "forbidden"));
    assert_eq!(app.anonymous().get(ROUTE).await.status, 401);
    assert!(service.asked().is_empty());
    for path in [
        "/map/directions",
        ROUTE,
        "/map/areas",
        "/config",
        "/openapi.json",
    ] {
        for user in [&anna, &paul, &app.anonymous()] {
            let answer = user.get(path).await;
            let text = String::from_utf8_lossy(&answer.bytes);
            assert!(!text.contains("KEY"), "{path}");
        }
    }
    let without = TestApp::sqlite(settings()).await;
    let bea = without.sitter("Bea").await;
    assert_eq!(
        bea.get("/map/directions").await.data()["is_available"],
        false
    );
    assert_eq!(bea.get(ROUTE).await.failure(), (404, "not_found"));
}

#[tokio::test]
async fn one_sitter_uses_up_no_other_ones_share_of_directions() {
    let (service, address) = StandIn::start().await;
    let mut with_key = settings();
    with_key.directions = Some(address);
    let app = TestApp::sqlite(with_key).await;
    let (mallory, anna) = (app.sitter("Mallory").await, app.sitter("Anna").await);
    service.answer(r#"{"code":"NoRoute"}"#);
    let mut statuses = Vec::new();
    for _ in 0..70 {
        statuses.push(mallory.get(ROUTE).await.status.as_u16());
    }
    let (found, refused) = statuses.split_at(60);
    assert!(found.iter().all(|it| *it == 200), "{statuses:?}");
    assert!(refused.iter().all(|it| *it == 429), "{statuses:?}");
    assert_eq!(service.asked().len(), 60);
    assert_eq!(anna.get(ROUTE).await.status, 200);
    app.clock.advance(DAY);
    assert_eq!(mallory.get(ROUTE).await.status, 200);
}
