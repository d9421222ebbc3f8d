//! Owns the real binary as a process.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command as Process, Stdio};

use serde_json::{Value, json};

use crate::phone::Http;

/// A server process.
pub struct Server {
    pub child: Child,
    pub address: String,
    /// Address of its metrics, if it serves them.
    pub metrics: Option<String>,
}

impl Server {
    /// Starts one on this folder and waits until it listens.
    pub fn start(data: &Path) -> Self {
        let mut process = Process::new(env!("CARGO_BIN_EXE_walkies"));
        Self::spawn(
            process
                .args(["serve", "--data"])
                .arg(data)
                .args(Self::FLAGS),
        )
    }

    /// The same on a database elsewhere.
    pub fn start_on(data: &Path, database: &str) -> Self {
        let mut process = Process::new(env!("CARGO_BIN_EXE_walkies"));
        Self::spawn(
            process
                .args(["serve", "--data"])
                .arg(data)
                .args(["--database", database])
                .args(Self::FLAGS),
        )
    }

    /// Flags that every server here is started with.
    pub const FLAGS: [&str; 6] = [
        "--listen",
        "127.0.0.1:0",
        "--tries-by-address",
        "1000000",
        "--tries-by-account",
        "1000000",
    ];

    /// Starts what in the end is a server, and waits until it listens.
    pub fn spawn(process: &mut Process) -> Self {
        let mut child = process
            .env("WALKIES_LOG", "off")
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let out = BufReader::new(child.stdout.take().expect("its output is ours"));
        let mut metrics = None;
        let listens = out.lines().map_while(Result::ok).find_map(|line| {
            if let Some(address) = line.strip_prefix("Metrics on http://") {
                metrics = address.strip_suffix("/metrics").map(str::to_owned);
            }
            line.strip_prefix("Walkies listens on http://")
                .map(str::to_owned)
        });
        let address = listens.expect("the server says where it listens");
        Self {
            child,
            address,
            metrics,
        }
    }

    /// Ends the process with SIGKILL and waits for it.
    pub fn kill(&mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Password of every account here.
pub const PASSWORD: &str = "a long walk in the rain";

/// Signs a new sitter up with the code from the mail and keeps the token; what was answered. `data` is the server's
/// folder, where mail waits. Its days are those of UTC, as what counts days here does.
pub fn sign_up(http: &mut Http, data: &Path, name: &str) -> Value {
    sign_up_as(http, data, name, "sitter")
}

/// As `sign_up`, as a sitter or as a client.
pub fn sign_up_as(http: &mut Http, data: &Path, name: &str, role: &str) -> Value {
    let email = format!("{name}@example.com");
    let form = json!({
        "name": name, "email": email, "password": PASSWORD, "time_zone": "UTC",
        "role": role,
    });
    let asked = http.data("POST", "/auth/signup", Some(&form));
    let code = loop {
        if let Some(code) = mailed_code(&data.join("mail"), &email) {
            break code;
        }
        // The mail is sent beside the calls.
        http.data("GET", "/auth/signup", None);
    };
    let form = json!({ "confirmation": asked["confirmation"], "code": code });
    let signed_in = http.data("POST", "/auth/signup/confirm", Some(&form));
    http.token = signed_in["token"].as_str().expect("a token").to_owned();
    signed_in
}

fn mailed_code(folder: &Path, email: &str) -> Option<String> {
    let head = format!("To: {email}\nSubject: ");
    std::fs::read_dir(folder).ok()?.find_map(|entry| {
        let mail = std::fs::read_to_string(entry.ok()?.path()).ok()?;
        let (code, _) = mail.strip_prefix(&head)?.split_once(" is your code")?;
        Some(code.to_owned())
    })
}
