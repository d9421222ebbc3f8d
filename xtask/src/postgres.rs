//! A throwaway PostgreSQL for tests: made in a folder of its own, reachable by a Unix socket alone, gone afterwards.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::process::{command, output, run_with};
use crate::statements;

/// The folder with `initdb` and `postgres`: of the newest version among Debian's, none of which is on the path.
pub fn programs() -> Option<PathBuf> {
    let mut found: Vec<(u32, PathBuf)> = fs::read_dir("/usr/lib/postgresql")
        .ok()?
        .filter_map(|entry| {
            let folder = entry.ok()?.path();
            let version = folder.file_name()?.to_str()?.parse().ok()?;
            let programs = folder.join("bin");
            programs
                .join("initdb")
                .is_file()
                .then_some((version, programs))
        })
        .collect();
    found.sort();
    found.pop().map(|(_, programs)| programs)
}

/// Runs a command that finds the throwaway server in `WALKIES_TEST_POSTGRES`.
pub fn with(program: &str, args: &[&str]) -> Result<()> {
    with_env(|env| run_with(program, args, env))
}

/// Does what needs the throwaway server, with the environment in which programs find it, and what makes a database there.
pub fn with_env(work: impl FnOnce(&[(&str, &str)]) -> Result<()>) -> Result<()> {
    with_cluster(&Cluster::start(&[])?, work)
}

/// Like [`with_env`], and returns every statement that ran on the server.
pub fn with_statements(
    work: impl FnOnce(&[(&str, &str)]) -> Result<()>,
) -> Result<BTreeSet<String>> {
    let cluster = Cluster::start(&["-c", "log_statement=all"])?;
    with_cluster(&cluster, work)?;
    statements::of_log(&cluster.folder.join("log"))
}

fn with_cluster(cluster: &Cluster, work: impl FnOnce(&[(&str, &str)]) -> Result<()>) -> Result<()> {
    let createdb = programs().map(|it| it.join("createdb").display().to_string());
    work(&[
        ("WALKIES_TEST_CREATEDB", &createdb.unwrap_or_default()),
        ("WALKIES_TEST_POSTGRES", &cluster.url()),
        ("REQUIRE_POSTGRES", "1"),
    ])
}

/// A running server, stopped and deleted when this value goes.
struct Cluster {
    folder: PathBuf,
    server: Child,
}

impl Cluster {
    /// Starts a server with these flags beside those of every test.
    fn start(flags: &[&str]) -> Result<Self> {
        let programs = programs()
            .context("PostgreSQL is missing: `cargo xtask setup` installs it, or says how.")?;
        // Not below the repository: the server's user may not be allowed to see that, and the name of a
        // Unix socket may have no more than 107 characters.
        let folder = std::env::temp_dir().join(format!("walkies-postgres-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        let user = server_user()?;
        if let Some((uid, gid)) = user {
            chown(&folder, Some(uid), Some(gid))?;
        }
        let as_user = |mut command: Command| {
            if let Some((uid, gid)) = user {
                command.uid(uid).gid(gid);
            }
            command.current_dir(&folder);
            command
        };
        let data = folder.join("data").to_string_lossy().into_owned();
        let program = |name: &str| programs.join(name).to_string_lossy().into_owned();

        let made = as_user(command(
            &program("initdb"),
            &[
                "-D",
                &data,
                "-U",
                "postgres",
                "-A",
                "trust",
                "--no-sync",
                "--locale=C.UTF-8",
            ],
        ))
        .output()?;
        ensure!(
            made.status.success(),
            "initdb failed: {}",
            String::from_utf8_lossy(&made.stderr)
        );

        let log = fs::File::create(folder.join("log"))?;
        let socket = folder.to_string_lossy().into_owned();
        // -F: no fsync; nothing of this outlives the tests.
        let server = as_user(command(
            &program("postgres"),
            &[
                "-D",
                &data,
                "-F",
                "-k",
                &socket,
                "-c",
                "listen_addresses=",
                "-c",
                "max_connections=300",
            ],
        ))
        .args(flags)
        .stdin(Stdio::null())
        .stdout(log.try_clone()?)
        .stderr(log)
        .spawn()?;
        let mut cluster = Self { folder, server };
        cluster.wait_until_ready(&program("pg_isready"))?;
        println!("PostgreSQL runs in {}", cluster.folder.display());
        Ok(cluster)
    }

    fn url(&self) -> String {
        format!(
            "postgres://postgres@localhost/postgres?host={}",
            self.folder.display()
        )
    }

    fn wait_until_ready(&mut self, pg_isready: &str) -> Result<()> {
        let start = Instant::now();
        let socket = self.folder.to_string_lossy().into_owned();
        while output(pg_isready, &["-q", "-h", &socket]).is_none() {
            let ended = self.server.try_wait()?.is_some();
            if ended || Duration::from_secs(60) < start.elapsed() {
                let log = fs::read_to_string(Path::new(&socket).join("log")).unwrap_or_default();
                bail!("PostgreSQL did not start:\n{log}");
            }
            thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // SIGINT is PostgreSQL's fast shutdown; killed outright it would leave its shared memory behind.
        let id = self.server.id().to_string();
        if output("kill", &["-INT", &id]).is_none() || self.server.wait().is_err() {
            eprintln!("PostgreSQL (process {id}) could not be stopped.");
        }
        if let Err(error) = fs::remove_dir_all(&self.folder) {
            eprintln!("{} could not be removed: {error}", self.folder.display());
        }
    }
}

/// Whom the server runs as: PostgreSQL refuses to run as root, so then Debian's `postgres`.
fn server_user() -> Result<Option<(u32, u32)>> {
    if output("id", &["-u"]).as_deref() != Some("0") {
        return Ok(None);
    }
    let number = |flag: &str| -> Result<u32> {
        output("id", &[flag, "postgres"])
            .and_then(|it| it.parse().ok())
            .context("There is no user `postgres`; Debian's package postgresql-common makes it.")
    };
    Ok(Some((number("-u")?, number("-g")?)))
}
