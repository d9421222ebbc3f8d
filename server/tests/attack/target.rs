//! Owns the server that is attacked, and what its process has taken.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command as Process;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use socket2::{Domain, Socket, Type};
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection};
use walkies_core::api::Role;
use walkies_core::rows::client::Client;
use walkies_core::rows::conversation::Conversation;
use walkies_core::{Id, Instant, Row};
use walkies_server::db::{self, Account, Db, Tx};

use crate::attacks::Attack;
use crate::memory_limit::MemoryLimit;
use crate::phone::{Http, new_id};
use crate::server::{Server, sign_up, sign_up_as};
use crate::{Force, MEMORY_MB};

/// A server with an attacker who has an account.
pub struct Target {
    pub address: String,
    pub token: String,
    pub sitter_id: Id,
    /// True if one of its clients attacks it.
    pub is_beset: bool,
    /// How often the directions service was asked.
    pub asked_for_directions: Arc<AtomicUsize>,
    // Goes before the group that it runs in.
    server: Server,
    limit: MemoryLimit,
    pub folder: tempfile::TempDir,
    /// The folder as the server sees it, where its disk is its own.
    inside: PathBuf,
    /// The address of its database.
    database: String,
}

/// Gives the process a disk of its own, gone with it.
const MAKE_DISK: &str = r#"mount -t tmpfs -o size="$2" tmpfs "$1" && shift 2 && exec "$@""#;

/// Returns the command that serves with these flags, on a disk of its own or with few files where the attack says so. A disk
/// needs `unshare` and the right to mount, as root or by user namespaces.
fn serve(attack: &Attack, folder: &Path, flags: &[String]) -> Process {
    let walkies = env!("CARGO_BIN_EXE_walkies");
    let mut process = match (attack.disk_mb, attack.files) {
        (Some(mb), _) => {
            let id = Process::new("id").arg("-u").output();
            let is_root = id.is_ok_and(|it| it.stdout.trim_ascii() == b"0");
            let namespaces: &[&str] = match is_root {
                true => &["--mount"],
                false => &["--user", "--map-root-user", "--mount"],
            };
            let mut process = Process::new("unshare");
            process.args(namespaces).args(["sh", "-c", MAKE_DISK, "sh"]);
            process.arg(folder).arg(format!("{mb}m")).arg(walkies);
            process
        }
        (None, Some(files)) => {
            let mut process = Process::new("sh");
            process.args(["-c", r#"ulimit -n "$1" && shift 1 && exec "$@""#, "sh"]);
            process.arg(files.to_string()).arg(walkies);
            process
        }
        (None, None) => Process::new(walkies),
    };
    process.args(["serve", "--data"]).arg(folder).args(flags);
    process
}

/// Returns the address of a database of its own in this PostgreSQL.
fn fresh_schema(postgres: &str) -> String {
    let schema = format!("attack_{}", new_id().0.simple());
    let statement = AssertSqlSafe(format!("CREATE SCHEMA {schema}"));
    block_on(async {
        let mut connection = PgConnection::connect(postgres).await?;
        connection.execute(statement).await?;
        connection.close().await
    })
    .expect("the tests' PostgreSQL answers");
    format!("{postgres}&options[search_path]={schema}")
}

fn block_on<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(work)
}

/// The clients, each with a login and a conversation, of a business that one of them attacks.
const CLIENTS: usize = 3_000;

/// Returns the form with which a phone subscribes to notifications.
pub fn subscription(key: &Value, endpoint: &str) -> Value {
    json!({
        "endpoint": endpoint, "public_key": key, "keys": {
            // The receiver of the example in RFC 8291.
            "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "auth": "BTBZMqHH6r4Tts7J_aSIgg",
        },
    })
}

/// A push service on this machine that takes everything: its address.
fn push_service() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("it has one");
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            thread::spawn(move || {
                let taken =
                    b"HTTP/1.1 201 Created\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
                let _ = stream.read(&mut [0; 8 * 1024]);
                let _ = stream.write_all(taken);
            });
        }
    });
    format!("http://{address}")
}

/// A directions service on this machine that knows no way: its address.
fn directions_service(asked: &Arc<AtomicUsize>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("it has one");
    let asked = Arc::clone(asked);
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            asked.fetch_add(1, Ordering::Relaxed);
            let _ = stream.read(&mut [0; 8 * 1024]);
            let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 18\r\nconnection: close\r\n\r\n{\"code\":\"NoRoute\"}";
            let _ = stream.write_all(answer);
        }
    });
    format!("http://{address}/{{route}}&key=k")
}

/// A mail server on this machine that takes every message, and keeps it as a server that has none does: its address.
fn mail_server(folder: &Path) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("it has one");
    let folder = folder.join("mail");
    std::fs::create_dir_all(&folder).expect("a folder");
    let folder = Arc::new(folder);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let folder = Arc::clone(&folder);
            // A connection that breaks off has sent nothing whole.
            thread::spawn(move || take_mail(stream, &folder));
        }
    });
    format!("smtp://{address}")
}

fn take_mail(mut stream: TcpStream, folder: &Path) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let mut to = String::new();
    stream.write_all(b"220 mail.example.com ESMTP\r\n")?;
    while let Some(line) = lines.next().transpose()? {
        let answer: &[u8] = match line.split_whitespace().next().unwrap_or_default() {
            "RCPT" => {
                let address = line.split_once('<').and_then(|it| it.1.split_once('>'));
                to = address.map(|it| it.0.to_owned()).unwrap_or_default();
                b"250 OK\r\n"
            }
            "DATA" => {
                stream.write_all(b"354 Go on\r\n")?;
                let mut text = String::new();
                while let Some(line) = lines.next().transpose()?.filter(|it| it != ".") {
                    text.push_str(&line);
                    text.push('\n');
                }
                let subject = text.split("Subject: ").nth(1).unwrap_or_default();
                let kept = format!("To: {to}\nSubject: {subject}");
                std::fs::write(folder.join(format!("{}.txt", new_id().0.simple())), kept)?;
                b"250 Kept\r\n"
            }
            "QUIT" => return stream.write_all(b"221 Bye\r\n"),
            _ => b"250 OK\r\n",
        };
        stream.write_all(answer)?;
    }
    Ok(())
}

/// In place of Stripe what takes calls and answers none: its address.
fn silent_stripe() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("it has one");
    thread::spawn(move || {
        let mut open = Vec::new();
        open.extend(listener.incoming());
    });
    format!("http://{address}")
}

/// Plans are sold, by an account at Stripe that answers nothing.
const BILLING: [&str; 8] = [
    "--billing-key",
    "sk_test_51NobodyHasEverSeenThis",
    "--billing-webhook-secrets",
    "whsec_NobodyHasEverSeenThis",
    "--billing-price-solo",
    "price_solo",
    "--billing-price-pro",
    "price_pro",
];

impl Target {
    /// Starts one for this attack, on SQLite or on this PostgreSQL.
    pub fn start(attack: &Attack, force: Force, postgres: Option<&str>) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let push = push_service();
        let stripe = silent_stripe();
        let asked_for_directions = Arc::default();
        let directions = directions_service(&asked_for_directions);
        let database = match postgres {
            Some(postgres) => fresh_schema(postgres),
            None => folder.path().join("walkies.sqlite3").display().to_string(),
        };
        let mut flags = vec!["--database", &database, "--push-local", &push];
        flags.extend(["--stripe", &stripe, "--directions", &directions]);
        flags.extend(attack.is_behind_proxy.then_some("--behind-proxy"));
        flags.extend(BILLING.iter().filter(|_| attack.sells_plans));
        let mail = attack.sends_mail.then(|| mail_server(folder.path()));
        if let Some(mail) = &mail {
            flags.extend(["--smtp-url", mail, "--mail-from", "walkies@example.com"]);
        }
        // Those of an account's tries come last.
        let tries = if attack.is_throttled { 4 } else { 6 };
        flags.extend(&Server::FLAGS[..tries]);
        let flags: Vec<String> = flags.into_iter().map(str::to_owned).collect();
        let mut process = serve(attack, folder.path(), &flags);
        let limit = MemoryLimit::new(MEMORY_MB);
        // What is on a disk in memory would count as its own.
        let server = match attack.disk_mb {
            Some(_) => Server::spawn(&mut process),
            None => Server::spawn(&mut limit.confined(&process)),
        };
        let inside = match attack.disk_mb {
            Some(_) => {
                let (pid, folder) = (server.child.id(), folder.path().display());
                PathBuf::from(format!("/proc/{pid}/root{folder}"))
            }
            None => folder.path().to_owned(),
        };
        let mut http = Http::new(&server.address, "");
        let signed_in = sign_up(&mut http, &inside, "mallory");
        let sitter_id = signed_in["user"]["sitter_id"].as_str();
        let target = Self {
            address: server.address.clone(),
            token: http.token,
            sitter_id: sitter_id.and_then(|it| it.parse().ok()).expect("a sitter"),
            is_beset: attack.is_by_client,
            asked_for_directions,
            server,
            limit,
            folder,
            inside,
            database,
        };
        if let (Some(mapped_mb), Some(resident_mb)) =
            (target.memory_mb("VmSize:"), target.memory_mb("VmRSS:"))
        {
            let id = target.server.child.id();
            target.limit.limit(id, mapped_mb, resident_mb);
        }
        if attack.is_by_client {
            target.fill(force.n(500, CLIENTS));
            let mut sitter = target.http();
            let key = sitter.data("GET", "/push/public-key", None)["public_key"].clone();
            let form = subscription(&key, &format!("{push}/sitter"));
            sitter.data("POST", "/push/subscriptions", Some(&form));
        }
        target
    }

    /// Gives the business many clients with logins, with whom its sitter talks.
    fn fill(&self, n_clients: usize) {
        let at = Instant(1_790_000_000_000);
        self.in_database(async |tx| {
            let next = db::claim_next_revision(tx, self.sitter_id, None, None).await?;
            let rev = next.expect("a business").rev;
            for n in 0..n_clients {
                let (id, user_id) = (new_id(), new_id());
                let account = Account {
                    id: user_id,
                    email: format!("client{n}@example.com"),
                    name: format!("Client {n}"),
                    role: Role::Client,
                    roles: vec![Role::Client],
                    sitter_id: None,
                    password_hash: String::new(),
                    created_at: at,
                };
                db::insert_account(tx, &account).await?;
                let client = Client {
                    name: account.name,
                    access_notes: "n".repeat(1_000),
                    client_user_id: Some(user_id),
                    ..Client::new(id, at)
                };
                let conversation = Conversation {
                    client_name: client.name.clone(),
                    ..Conversation::new(id, at)
                };
                for row in [Row::Client(client), Row::Conversation(conversation)] {
                    db::write_row(tx, self.sitter_id, rev, &row).await?;
                }
                db::link_client_user(tx, self.sitter_id, id, user_id, new_id()).await?;
            }
            Ok(())
        });
    }

    /// Writes to the database, as another process does.
    pub fn in_database(&self, write: impl AsyncFnOnce(&mut Tx) -> sqlx::Result<()>) {
        let written = async {
            let db = Db::open(&self.database, 2).await?;
            let mut tx = db.write().await?;
            write(&mut tx).await?;
            tx.commit().await?;
            db.close().await;
            Ok::<_, sqlx::Error>(())
        };
        block_on(written).expect("it is written");
    }

    /// Ends the server; the most memory in MB that its process has had at once, unless it has ended by itself.
    pub fn end(mut self) -> Option<f64> {
        let peak_mb = self.memory_mb("VmHWM:");
        // It may have been killed by now.
        let _ = self.server.child.kill();
        peak_mb
    }

    /// A connection of another account.
    pub fn another(&self, name: &str) -> Http {
        let mut http = Http::new(&self.address, "");
        sign_up(&mut http, &self.inside, name);
        http
    }

    /// A pet parent who is a client of the attacker's business: the connection, and the dog.
    pub fn parent(&self, name: &str) -> (Http, Value) {
        self.parent_of(&mut self.http(), name)
    }

    /// A pet parent who is a client of that sitter's: the connection, and the dog.
    pub fn parent_of(&self, sitter: &mut Http, name: &str) -> (Http, Value) {
        let form = json!({ "name": name, "dogs": [{ "name": "Rex" }] });
        let client = sitter.data("POST", "/clients", Some(&form));
        let path = format!("/clients/{}/invite", client["id"].as_str().expect("an id"));
        let invite = sitter.data("POST", &path, Some(&json!({})));
        let mut parent = Http::new(&self.address, "");
        sign_up_as(&mut parent, &self.inside, name, "client");
        let code = json!({ "client_id": client["id"], "code": invite["code"] });
        parent.data("POST", "/client/link", Some(&code));
        (parent, client["dogs"][0]["id"].clone())
    }

    /// The attacker's connection.
    pub fn http(&self) -> Http {
        Http::new(&self.address, &self.token)
    }

    /// A bare connection.
    pub fn open(&self) -> std::io::Result<TcpStream> {
        let stream = TcpStream::connect(&self.address)?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        stream.set_write_timeout(Some(Duration::from_secs(60)))?;
        Ok(stream)
    }

    /// A bare connection from another address of this machine, by its number.
    pub fn open_from(&self, n: usize) -> std::io::Result<TcpStream> {
        let number = u8::try_from(2 + n % 200).unwrap_or(2);
        let from = SocketAddr::from(([127, 0, 0, number], 0));
        let to: SocketAddr = self.address.parse().map_err(std::io::Error::other)?;
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None)?;
        socket.bind(&from.into())?;
        socket.connect(&to.into())?;
        let stream = TcpStream::from(socket);
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        stream.set_write_timeout(Some(Duration::from_secs(5)))?;
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

    /// The bytes of a form of a stranger's, who comes from this address.
    pub fn request_from(address: &str, path: &str, form: &str) -> Vec<u8> {
        let head = format!(
            "POST /api{path} HTTP/1.1\r\nhost: walkies\r\nx-forwarded-for: {address}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n",
            form.len()
        );
        [head.as_bytes(), form.as_bytes()].concat()
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
        self.memory_mb("VmRSS:").expect("the server runs")
    }

    fn memory_mb(&self, name: &str) -> Option<f64> {
        let path = format!("/proc/{}/status", self.server.child.id());
        let status = std::fs::read_to_string(path).ok()?;
        let line = status.lines().find_map(|it| it.strip_prefix(name))?;
        let kib: f64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
        Some(kib / 1024.0)
    }
}
