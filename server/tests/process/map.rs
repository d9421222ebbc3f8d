//! The operator imports, replaces and removes a map while the server runs and serves it.

use std::path::Path;
use std::process::{Command as Process, Output};

use serde_json::Value;

use crate::extract::{Street, extract};
use crate::phone::Http;
use crate::server::Server;

const STREETS: [Street<'_>; 2] = [
    ("Hauptstraße", &[(49.4085, 8.6860), (49.4080, 8.6990)]),
    (
        "Theodor-Heuss-Brücke",
        &[(49.4088, 8.6925), (49.4270, 8.6930)],
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
        ok && out.contains("Imported heidelberg (1 tiles"),
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
    let (status, _) = http
        .call("GET", &format!("/map/tiles/{tile}"), None)
        .expect("an answer");
    assert_eq!(status, 404);

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
        serde_json::json!({ "areas": [], "tiles": [] })
    );
}
