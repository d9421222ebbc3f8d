//! The operator imports, replaces and removes a map while the server runs and serves it.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Output, Stdio};
use std::thread;

use serde_json::Value;

use crate::extract::{Street, extract};
use crate::phone::Http;
use crate::server::Server;

const STREETS: [Street<'_>; 2] = [
    ("Hauptstraße", &[(49.4085, 8.6860), (49.4080, 8.6990)]),
    (
        "Theodor-Heuss-Brücke",
        &[(49.4120, 8.6925), (49.4270, 8.6930)],
    ),
];

fn walkies(data: &Path, args: &[&str]) -> Output {
    let mut process = Process::new(env!("CARGO_BIN_EXE_walkies"));
    process.args(args).arg("--data").arg(data);
    process
        .env("WALKIES_LOG", "off")
        .output()
        .expect("it starts")
}

fn said(output: &Output) -> (bool, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("it speaks text");
    (
        output.status.success(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

#[test]
fn a_mirror_that_is_not_there_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = [
        "map",
        "get",
        "Hamburg",
        "--map-mirror",
        "http://127.0.0.1:1",
    ];
    let (ok, _, err) = said(&walkies(folder.path(), &nowhere));
    assert!(!ok && err.contains("could not be reached"), "{err}");
    let (ok, out, _) = said(&walkies(folder.path(), &["map", "update"]));
    assert!(ok && out.contains("No area came from a mirror"), "{out}");
}

fn map(http: &mut Http) -> Value {
    http.data("GET", "/map/areas?lat=49.41&lng=8.69&radius_m=3000", None)
}

#[test]
fn a_map_comes_and_goes_while_the_server_runs() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let mut http = Http::new(&server.address, "");
    let file = folder.path().join("heidelberg.osm.pbf");
    let file_name = file.to_str().unwrap();
    std::fs::write(&file, extract(1_794_601_600, &STREETS[..1])).unwrap();

    let (ok, out, err) = said(&walkies(folder.path(), &["map", "import", file_name]));
    assert!(
        ok && out.contains("Imported heidelberg (1 tile,"),
        "{out}{err}"
    );
    assert!(err.lines().all(|it| it.contains(" of 4, ")), "{err}");
    let first = map(&mut http);
    assert_eq!(first["areas"][0]["name"], "heidelberg");
    let tile = first["tiles"][0]["tile"].as_str().unwrap().to_owned();

    std::fs::write(&file, extract(1_794_701_600, &STREETS)).unwrap();
    let (ok, out, err) = said(&walkies(folder.path(), &["map", "import", file_name]));
    assert!(ok, "{out}{err}");
    let second = map(&mut http);
    assert_eq!(second["areas"].as_array().unwrap().len(), 1);
    assert_eq!(second["tiles"].as_array().unwrap().len(), 2);
    // Nothing has changed in it, so nobody gets it again.
    assert_eq!(second["tiles"][1]["tile"], tile);
    let (status, _) = http
        .call("GET", &format!("/map/tiles/{tile}"), None)
        .expect("an answer");
    assert_eq!(status, 200);

    let (ok, out, _) = said(&walkies(folder.path(), &["map", "list"]));
    let id = second["areas"][0]["id"].as_str().unwrap();
    assert!(
        ok && out.contains(id) && out.contains("2026-11-15"),
        "{out}"
    );

    std::fs::write(&file, "<!doctype html>").unwrap();
    let (ok, out, err) = said(&walkies(folder.path(), &["map", "import", file_name]));
    assert!(!ok && out.is_empty(), "{out}");
    assert!(err.contains("heidelberg.osm.pbf is not an"), "{err}");
    assert_eq!(map(&mut http), second);

    let (ok, out, err) = said(&walkies(folder.path(), &["map", "remove", "heidelberg"]));
    assert!(ok && out.contains("Removed heidelberg"), "{out}{err}");
    assert_eq!(
        map(&mut http),
        serde_json::json!({ "areas": [], "tiles": [], "pictures": null })
    );
}

/// The folders of the map's areas, finished or not.
fn area_folders(data: &Path) -> BTreeSet<PathBuf> {
    let entries = fs::read_dir(data.join("files/map")).into_iter().flatten();
    entries.map(|it| it.unwrap().path()).collect()
}

fn files(folder: &Path) -> usize {
    fs::read_dir(folder).map_or(0, Iterator::count)
}

/// A kilometer of street in each of some hundred tiles, enough to be killed amid them.
fn many_streets() -> Vec<u8> {
    let rows = (0..20).flat_map(|row| (0..20).map(move |column| (row, column)));
    let points: Vec<_> = rows
        .map(|(row, column)| {
            let (lat, lng) = (
                49.0 + f64::from(row) * 0.03,
                8.0 + f64::from(column) * 0.045,
            );
            [(lat, lng), (lat + 0.005, lng + 0.008), (lat, lng + 0.016)]
        })
        .collect();
    let streets: Vec<Street<'_>> = points.iter().map(|it| ("Feldweg", &it[..])).collect();
    extract(1_794_801_600, &streets)
}

#[test]
fn a_killed_import_changes_nothing_and_the_next_one_removes_what_it_left() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let server = Server::start(data);
    let mut http = Http::new(&server.address, "");
    let file = data.join("heidelberg.osm.pbf");
    let args = ["map", "import", file.to_str().unwrap()];
    fs::write(&file, extract(1_794_601_600, &STREETS)).unwrap();
    let (ok, out, err) = said(&walkies(data, &args));
    assert!(ok, "{out}{err}");
    let before = map(&mut http);
    let old = area_folders(data);

    fs::write(&file, many_streets()).unwrap();
    let mut import = Process::new(env!("CARGO_BIN_EXE_walkies"))
        .args(args)
        .arg("--data")
        .arg(data)
        .env("WALKIES_LOG", "off")
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let half = loop {
        let new = area_folders(data).into_iter().find(|it| !old.contains(it));
        if let Some(new) = new.filter(|it| files(it) > 0) {
            break new;
        }
        assert_eq!(
            import.try_wait().unwrap(),
            None,
            "it ended before it was killed"
        );
        thread::yield_now();
    };
    import.kill().unwrap();
    assert_eq!(import.wait().unwrap().signal(), Some(9));
    assert!(files(&half) > 0);
    assert_eq!(map(&mut http), before);
    for tile in before["tiles"].as_array().unwrap() {
        let path = format!("/map/tiles/{}", tile["tile"].as_str().unwrap());
        assert_eq!(http.call("GET", &path, None).map(|it| it.0), Some(200));
    }

    let (ok, out, err) = said(&walkies(data, &args));
    assert!(ok, "{out}{err}");
    assert_eq!(files(&half), 0, "what was killed is gone");
    assert_eq!(
        old.iter().map(|it| files(it)).sum::<usize>(),
        0,
        "what was replaced, too"
    );
    let listed = map(&mut http);
    assert_eq!(listed["areas"].as_array().unwrap().len(), 1);
    let id = listed["areas"][0]["id"].as_str().unwrap();
    assert!(files(&data.join("files/map").join(id)) > 200);
}
