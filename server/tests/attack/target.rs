//! Owns the server that is attacked, and what its process has taken.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::process::Command as Process;
use std::time::Duration;

use serde_json::{Value, json};
use walkies_core::Id;

use crate::attacks::Attack;
use crate::phone::Http;
use crate::server::{Server, sign_up, sign_up_as};

/// A server with an attacker who has an account.
pub struct Target {
    pub address: String,
    pub token: String,
    pub sitter_id: Id,
    server: Server,
    pub folder: tempfile::TempDir,
}

impl Target {
    /// Starts one for this attack.
    pub fn start(attack: &Attack) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let server = match (attack.files, attack.is_throttled) {
            (None, false) => Server::start(folder.path()),
            (None, true) => Server::spawn(
                Process::new(env!("CARGO_BIN_EXE_walkies"))
                    .args(["serve", "--data"])
                    .arg(folder.path())
                    // All but the tries of an account.
                    .args(&Server::FLAGS[..4]),
            ),
            (Some(files), _) => Server::spawn(
                Process::new("sh")
                    .args(["-c", r#"ulimit -n "$1" && shift 1 && exec "$@""#, "sh"])
                    .arg(files.to_string())
                    .arg(env!("CARGO_BIN_EXE_walkies"))
                    .args(["serve", "--data"])
                    .arg(folder.path())
                    .args(Server::FLAGS),
            ),
        };
        let mut http = Http::new(&server.address, "");
        let signed_in = sign_up(&mut http, folder.path(), "mallory");
        let sitter_id = signed_in["user"]["sitter_id"].as_str();
        Self {
            address: server.address.clone(),
            token: http.token,
            sitter_id: sitter_id.and_then(|it| it.parse().ok()).expect("a sitter"),
            server,
            folder,
        }
    }

    /// Ends the server; the most memory in MB that its process has had at once.
    pub fn end(mut self) -> f64 {
        let peak_mb = self.memory_mb("VmHWM:");
        self.server.kill();
        peak_mb
    }

    /// A connection of another account.
    pub fn another(&self, name: &str) -> Http {
        let mut http = Http::new(&self.address, "");
        sign_up(&mut http, self.folder.path(), name);
        http
    }

    /// A pet parent who is a client of the attacker's: the connection, and the dog.
    pub fn parent(&self) -> (Http, Value) {
        let mut sitter = self.http();
        let form = json!({ "name": "Anna", "dogs": [{ "name": "Rex" }] });
        let client = sitter.data("POST", "/clients", Some(&form));
        let path = format!("/clients/{}/invite", client["id"].as_str().expect("an id"));
        let invite = sitter.data("POST", &path, Some(&json!({})));
        let mut parent = Http::new(&self.address, "");
        sign_up_as(&mut parent, self.folder.path(), "anna", "client");
        let code = json!({ "client_id": client["id"], "code": invite["code"] });
        parent.data("POST", "/client/link", Some(&code));
        (parent, client["dogs"][0]["id"].clone())
    }

    /// The attacker's connection.
    pub fn http(&self) -> Http {
        Http::new(&self.address, &self.token)
    }

    pub fn database(&self) -> std::path::PathBuf {
        self.folder.path().join("walkies.sqlite3")
    }

    /// A bare connection.
    pub fn open(&self) -> std::io::Result<TcpStream> {
        let stream = TcpStream::connect(&self.address)?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        stream.set_write_timeout(Some(Duration::from_secs(60)))?;
        Ok(stream)
    }

    /// The bytes of a request of the attacker's.
    pub fn request(&self, method: &str, path: &str, kind: &str, body: &[u8]) -> Vec<u8> {
        Self::request_by(&self.token, method, path, kind, body)
    }

    /// The bytes of a request of somebody else's.
    pub fn request_by(token: &str, method: &str, path: &str, kind: &str, body: &[u8]) -> Vec<u8> {
        let head = format!(
            "{method} /api{path} HTTP/1.1\r\nhost: walkies\r\nauthorization: Bearer {}\r\ncontent-type: {kind}\r\n\
             content-length: {}\r\n\r\n",
            token,
            body.len()
        );
        [head.as_bytes(), body].concat()
    }

    /// An upload of this file.
    pub fn upload(&self, file: &[u8]) -> Vec<u8> {
        self.upload_by(&self.token, file)
    }

    /// The same by somebody else.
    pub fn upload_by(&self, token: &str, file: &[u8]) -> Vec<u8> {
        let head =
            b"--XX\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"a.png\"\r\n\r\n";
        let body = [&head[..], file, b"\r\n--XX--\r\n"].concat();
        let kind = "multipart/form-data; boundary=XX";
        Self::request_by(token, "POST", "/upload", kind, &body)
    }

    /// Sends, and waits for the answer; its status, or 0 where none came.
    pub fn send(&self, request: &[u8]) -> u16 {
        let answer = || -> std::io::Result<u16> {
            let mut stream = self.open()?;
            // Whoever refuses before all has come stops reading.
            let _ = stream.write_all(request);
            let mut head = [0; 12];
            stream.read_exact(&mut head)?;
            let status = String::from_utf8_lossy(&head[9..]).parse();
            Ok(status.unwrap_or_default())
        };
        answer().unwrap_or_default()
    }

    /// Sends, and hangs up when the server has had a moment to begin with it.
    pub fn send_and_hang_up(&self, request: &[u8]) {
        if let Ok(mut stream) = self.open() {
            let _ = stream.write_all(request);
            let _ = stream.set_read_timeout(Some(Duration::from_millis(30)));
            let _ = stream.read(&mut [0; 1]);
        }
    }

    /// The memory that the process has.
    pub fn resident_mb(&self) -> f64 {
        self.memory_mb("VmRSS:")
    }

    fn memory_mb(&self, name: &str) -> f64 {
        let path = format!("/proc/{}/status", self.server.child.id());
        let status = std::fs::read_to_string(path).expect("the server runs");
        let line = status.lines().find_map(|it| it.strip_prefix(name));
        let kib: f64 = line
            .and_then(|it| it.trim().strip_suffix(" kB")?.parse().ok())
            .expect("Linux says what a process takes");
        kib / 1024.0
    }
}
