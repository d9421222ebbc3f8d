//! Owns a PostgreSQL of one test's own, which may be killed.

use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command as Process, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// The longest that a start may take, recovery after a kill included.
const PATIENCE: Duration = Duration::from_secs(60);
/// Pause between two looks whether it answers.
const PAUSE: Duration = Duration::from_millis(20);

/// A PostgreSQL with a folder and processes of its own, ended with this value.
pub struct Postgres {
    folder: TempDir,
    programs: PathBuf,
    server: Child,
}

impl Postgres {
    /// Starts one. Where `WALKIES_TEST_CREATEDB` names no program of PostgreSQL the test is left out, loudly, or fails.
    pub fn start() -> Option<Self> {
        let createdb = std::env::var("WALKIES_TEST_CREATEDB").unwrap_or_default();
        let Some(programs) = Path::new(&createdb).parent().filter(|it| it.is_dir()) else {
            let is_required = std::env::var("REQUIRE_POSTGRES").is_ok_and(|it| it == "1");
            assert!(
                !is_required,
                "REQUIRE_POSTGRES=1, but WALKIES_TEST_CREATEDB names no program"
            );
            eprintln!(
                "LEFT OUT: not run on PostgreSQL, because WALKIES_TEST_CREATEDB names no program"
            );
            return None;
        };
        // Not where the target is built: a Unix socket's name may have no more than 107 characters.
        let folder = tempfile::tempdir().unwrap();
        let made = command(programs, "initdb", folder.path())
            .args([
                "-U",
                "postgres",
                "-A",
                "trust",
                "--no-sync",
                "--locale=C.UTF-8",
            ])
            .output()
            .unwrap();
        assert!(
            made.status.success(),
            "{}",
            String::from_utf8_lossy(&made.stderr)
        );
        let server = serve(programs, folder.path());
        let programs = programs.to_owned();
        Some(Self {
            folder,
            programs,
            server,
        })
    }

    /// Returns the address of its database.
    pub fn url(&self) -> String {
        let folder = self.folder.path().display();
        format!("postgres://postgres@localhost/postgres?host={folder}")
    }

    /// Ends its main process with SIGKILL, which takes the others with it, and starts it on what it has left.
    pub fn kill_and_start(&mut self) {
        self.server.kill().unwrap();
        self.server.wait().unwrap();
        self.server = serve(&self.programs, self.folder.path());
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // SIGINT is its fast shutdown: killed outright it would leave shared memory behind.
        let id = self.server.id().to_string();
        let _ = Process::new("kill").args(["-INT", &id]).status();
        let _ = self.server.wait();
    }
}

/// A program of PostgreSQL on the data in this folder, as a user that PostgreSQL takes: not as root.
fn command(programs: &Path, name: &str, folder: &Path) -> Process {
    let mut command = Process::new(programs.join(name));
    command
        .arg("-D")
        .arg(folder.join("data"))
        .current_dir(folder);
    let number = |args: &[&str]| -> Option<u32> {
        let output = Process::new("id").args(args).output().ok()?;
        String::from_utf8(output.stdout).ok()?.trim().parse().ok()
    };
    if number(&["-u"]) == Some(0) {
        let user = number(&["-u", "postgres"]).expect("Debian's package makes this user");
        let group = number(&["-g", "postgres"]).expect("it has a group");
        chown(folder, Some(user), Some(group)).unwrap();
        command.uid(user).gid(group);
    }
    command
}

/// Starts it and waits until it takes connections. What was killed may hold its memory for a moment, and it ends again.
fn serve(programs: &Path, folder: &Path) -> Child {
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        let mut server = command(programs, "postgres", folder)
            .arg("-k")
            .arg(folder)
            .args(["-c", "listen_addresses="])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while server.try_wait().unwrap().is_none() {
            let is_ready = Process::new(programs.join("pg_isready"))
                .args(["-q", "-h"])
                .arg(folder)
                .status();
            if is_ready.is_ok_and(|it| it.success()) {
                return server;
            }
            assert!(begun.elapsed() < PATIENCE, "PostgreSQL does not answer");
            thread::park_timeout(PAUSE);
        }
        thread::park_timeout(PAUSE);
    }
    panic!("PostgreSQL does not start");
}
