//! The disk fills up and has room again while the server runs: reads go on, writes answer 503, whoever gives up in the
//! middle of a write leaves nothing behind, and all recovers by itself with nothing acknowledged lost.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command as Process;

use serde_json::json;
use walkies_core::Command;
use walkies_core::commands::{CreateClient, PetPatch, UpdateClient};
use walkies_core::values::bounds;
use walkies_core::values::patch::Patch;

use crate::phone::{Http, Queue, new_id, results};
use crate::server::{Server, sign_up};

/// A disk of its own for one server process, gone with it.
const MAKE_DISK: &str = r#"mount -t tmpfs -o size=8m tmpfs "$1" && shift 1 && exec "$@""#;

/// A server whose data folder is a small disk, and that folder as it sees it.
fn on_a_small_disk(folder: &Path) -> (Server, PathBuf) {
    // A mount namespace of its own: as root, or as the root of a user namespace.
    for flags in [&["--mount"][..], &["--user", "--map-root-user", "--mount"]] {
        let can = Process::new("unshare")
            .args(flags)
            .args(["sh", "-c", MAKE_DISK, "sh"])
            .arg(folder)
            .arg("true")
            .output();
        if !can.is_ok_and(|it| it.status.success()) {
            continue;
        }
        let mut process = Process::new("unshare");
        process
            .args(flags)
            .args(["sh", "-c", MAKE_DISK, "sh"])
            .arg(folder);
        process
            .arg(env!("CARGO_BIN_EXE_walkies"))
            .args(["serve", "--data"])
            .arg(folder)
            .args(Server::FLAGS);
        let server = Server::spawn(&mut process);
        let inside = PathBuf::from(format!(
            "/proc/{}/root{}",
            server.child.id(),
            folder.display()
        ));
        return (server, inside);
    }
    panic!("a small disk needs `unshare` and the right to mount (root, or user namespaces)");
}

/// Takes all the room that is left.
fn fill(file: &Path) {
    let mut file = File::create(file).unwrap();
    for size in [64 * 1024, 512] {
        while file.write_all(&vec![0; size]).is_ok() {}
    }
}

fn note(client: walkies_core::Id, text: &str) -> Command {
    // Long enough that the room in a half-filled page does not take many.
    let changes = Patch::of("access_notes", format!("{text} {}", "x".repeat(3000)));
    Command::UpdateClient(UpdateClient {
        id: client,
        changes,
        dogs: Vec::new(),
        removed_dogs: Vec::new(),
    })
}

/// A client with so many dogs that its transaction is still under way when somebody has noticed that it began.
fn kennel() -> Command {
    let dogs = (0..bounds::PETS).map(|number| {
        let mut changes = Patch::of("name", format!("Dog {number}"));
        let about = "x".repeat(bounds::NOTES);
        changes.0.insert("about".to_owned(), about.into());
        PetPatch {
            id: new_id(),
            is_new: true,
            changes,
        }
    });
    Command::CreateClient(CreateClient {
        id: new_id(),
        client: Patch::of("name", "Kennel"),
        dogs: dogs.collect(),
    })
}

#[test]
fn a_full_disk_stops_writes_alone_and_only_until_there_is_room() {
    let folder = tempfile::tempdir().unwrap();
    let (server, inside) = on_a_small_disk(folder.path());
    let mut http = Http::new(&server.address, "");
    sign_up(&mut http, &inside, "sam");
    let mut impatient = Http::new(&server.address, &http.token);
    let mut kennels = Queue::new();
    kennels.save(&kennel());
    let kennels = kennels.body(&kennels.waiting);
    let mut queue = Queue::new();
    let (client, _) = queue.save_client("Anna", "Rex");
    let (status, text) = http
        .call("POST", "/sync/push", Some(&queue.body(&queue.waiting)))
        .unwrap();
    assert_eq!(status, 200, "{text}");
    queue.take(&text);

    for round in 0..3 {
        let filler = inside.join("filler");
        fill(&filler);
        let mut n_written = 0;
        loop {
            queue.save(&note(client, &format!("round {round} change {n_written}")));
            let (status, text) = http
                .call("POST", "/sync/push", Some(&queue.body(&queue.waiting)))
                .unwrap();
            if status == 503 {
                break;
            }
            assert_eq!(status, 200, "{text}");
            queue.take(&text);
            n_written += 1;
            assert!(n_written < 2000, "the disk is never full");
        }
        // It stays so, for any kind of write, and whoever reads does not notice.
        for _ in 0..5 {
            // The first one's answer says that the second one's turn has come, and that one hangs up.
            let push = queue.body(&queue.waiting);
            http.send("POST", "/sync/push", Some(&push)).unwrap();
            impatient
                .send("POST", "/sync/push", Some(&kennels))
                .unwrap();
            assert_eq!(http.answer().unwrap().0, 503);
            impatient.hang_up();
            let (status, text) = http
                .call("POST", "/sync/push", Some(&queue.body(&queue.waiting)))
                .unwrap();
            assert_eq!(status, 503, "{text}");
            let notes = json!({ "access_notes": "y".repeat(bounds::NOTES) });
            let path = format!("/clients/{client}");
            assert_eq!(http.call("PUT", &path, Some(&notes)).unwrap().0, 503);
            assert_eq!(http.call("GET", "/clients", None).unwrap().0, 200);
            let pull = format!("/sync/pull?cursor=0&device_id={}&schema=1", queue.device_id);
            assert_eq!(http.call("GET", &pull, None).unwrap().0, 200);
        }
        fs::remove_file(&filler).unwrap();
        let (status, text) = http
            .call("POST", "/sync/push", Some(&queue.body(&queue.waiting)))
            .unwrap();
        assert_eq!(status, 200, "with room again: {text}");
        queue.take(&text);
        assert!(queue.waiting.is_empty());
    }

    // What was acknowledged before, between and after is answered the same again, and is in the feed.
    for (mutation, outcome) in &queue.acknowledged {
        let body = queue.body(std::slice::from_ref(mutation));
        let (status, text) = http.call("POST", "/sync/push", Some(&body)).unwrap();
        assert_eq!(
            (status, results(&text).as_slice()),
            (200, std::slice::from_ref(outcome))
        );
    }
    let clients = http.data("GET", "/clients", None);
    assert_eq!(clients.as_array().unwrap().len(), 1, "nothing is half done");
    let (last, _) = queue.acknowledged.last().unwrap();
    assert_eq!(
        clients[0]["access_notes"],
        last.args["changes"]["access_notes"]
    );
}
