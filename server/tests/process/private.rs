//! File permissions: all that the binary makes is for its own user alone, whatever the user's own umask says.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command as Process;

use serde_json::json;

use crate::phone::Http;
use crate::server::{Server, sign_up};

#[test]
fn everything_that_the_server_makes_is_its_own_users_alone() {
    let parent = tempfile::tempdir().expect("a folder");
    let data = parent.path().join("data");
    let mut shell = Process::new("sh");
    // A careless umask, under which files would be everybody's.
    shell
        .args([
            "-c",
            "umask 0; exec \"$0\" \"$@\"",
            env!("CARGO_BIN_EXE_walkies"),
            "serve",
            "--data",
        ])
        .arg(&data)
        .args(Server::FLAGS);
    let server = Server::spawn(&mut shell);
    let mut http = Http::new(&server.address, "");
    sign_up(&mut http, &data, "anna");
    http.data(
        "POST",
        "/auth/forgot-password",
        Some(&json!({ "email": "anna@example.com" })),
    );
    let mail = data.join("mail");
    // The mail is sent beside the calls.
    while !mail.is_dir() || files(&mail).len() < 2 {
        http.data("GET", "/sitters/profile", None);
    }
    drop(server);
    let backup = data.join("backup.sqlite3");
    let backed_up = Process::new("sh")
        .args([
            "-c",
            "umask 0; exec \"$0\" \"$@\"",
            env!("CARGO_BIN_EXE_walkies"),
            "backup",
        ])
        .arg(&backup)
        .arg("--data")
        .arg(&data)
        .status();
    assert!(backed_up.expect("it starts").success());
    let made = files(&data);
    assert!(
        made.contains(&backup) && made.contains(&data.join("walkies.sqlite3")),
        "{made:?}"
    );
    for path in made {
        let about = fs::metadata(&path).expect("it is there");
        let expected = if about.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(
            about.permissions().mode() & 0o777,
            expected,
            "{}",
            path.display()
        );
    }
}

/// A folder with all that is in it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = vec![folder.to_owned()];
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("a file").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found
}
