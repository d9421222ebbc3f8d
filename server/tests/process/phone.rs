//! Owns a plain HTTP client that keeps its connection, and the queue of a phone that pushes over it.
//! Nothing in here decides what is right.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};
use walkies_core::commands::{CreateClient, PetPatch};
use walkies_core::sync::wire::{Mutation, Outcome, PushRequest, PushResponse, SCHEMA};
use walkies_core::values::patch::Patch;
use walkies_core::{Command, Id, Instant};

/// One connection to a server.
pub struct Http {
    address: String,
    stream: Option<BufReader<TcpStream>>,
    pub token: String,
}

impl Http {
    pub fn new(address: &str, token: &str) -> Self {
        Self {
            address: address.to_owned(),
            stream: None,
            token: token.to_owned(),
        }
    }

    /// Calls once; `None` where no whole answer came.
    pub fn call(
        &mut self,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> Option<(u16, String)> {
        if self.send(method, path, body).is_err() {
            self.hang_up();
            return None;
        }
        self.answer()
    }

    /// Sends a request whose answer is waited for later, or never.
    pub fn send(&mut self, method: &str, path: &str, body: Option<&Value>) -> std::io::Result<()> {
        let body = body.map(Value::to_string).unwrap_or_default();
        self.send_bytes(method, path, body.as_bytes())
    }

    /// The same of bytes that are no form, where the call takes those.
    pub fn send_bytes(&mut self, method: &str, path: &str, body: &[u8]) -> std::io::Result<()> {
        let stream = match &mut self.stream {
            Some(stream) => stream,
            none => {
                let stream = TcpStream::connect(&self.address)?;
                stream.set_nodelay(true)?;
                stream.set_read_timeout(Some(Duration::from_secs(30)))?;
                none.insert(BufReader::new(stream))
            }
        };
        let head = format!(
            "{method} /api{path} HTTP/1.1\r\nhost: walkies\r\nauthorization: Bearer {}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n",
            self.token,
            body.len()
        );
        stream
            .get_mut()
            .write_all(&[head.as_bytes(), body].concat())
    }

    /// The answer to what was sent; `None` where no whole one came.
    pub fn answer(&mut self) -> Option<(u16, String)> {
        let answer = self.stream.as_mut().and_then(|it| read_answer(it).ok());
        if answer.is_none() {
            self.hang_up();
        }
        answer
    }

    /// Ends the connection, whatever is under way on it.
    pub fn hang_up(&mut self) {
        self.stream = None;
    }

    /// Calls and gives the `data` of a success.
    pub fn data(&mut self, method: &str, path: &str, body: Option<&Value>) -> Value {
        let (status, text) = self.call(method, path, body).expect("the server answers");
        assert!(status < 300, "{method} {path}: {status} {text}");
        serde_json::from_str::<Value>(&text).expect("the answer is JSON")["data"].take()
    }
}

fn read_answer(stream: &mut BufReader<TcpStream>) -> std::io::Result<(u16, String)> {
    let broken = || std::io::Error::from(std::io::ErrorKind::InvalidData);
    let mut line = String::new();
    stream.read_line(&mut line)?;
    let status = line
        .split(' ')
        .nth(1)
        .and_then(|it| it.parse().ok())
        .ok_or_else(broken)?;
    let mut length = 0;
    loop {
        line.clear();
        stream.read_line(&mut line)?;
        let header = line.trim().to_ascii_lowercase();
        if header.is_empty() {
            break;
        }
        if let Some(value) = header.strip_prefix("content-length:") {
            length = value.trim().parse().map_err(|_| broken())?;
        }
    }
    let mut bytes = vec![0; length];
    stream.read_exact(&mut bytes)?;
    // A tile of the map is no text, and nobody here reads it.
    Ok((status, String::from_utf8_lossy(&bytes).into_owned()))
}

/// A new id.
pub fn new_id() -> Id {
    let mut random = [0; 10];
    getrandom::fill(&mut random).expect("there is randomness");
    Id(uuid::Builder::from_unix_timestamp_millis(now_ms().unsigned_abs(), &random).into_uuid())
}

fn now_ms() -> i64 {
    let since = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .expect("it is after 1970");
    i64::try_from(since.as_millis()).expect("it is before the year 292277026")
}

/// The queue of one phone.
pub struct Queue {
    pub device_id: Id,
    seq: u64,
    /// Revision that the person has seen.
    base_rev: u64,
    /// Mutations that the server has not answered yet.
    pub waiting: Vec<Mutation>,
    /// Mutations that it has answered, with the outcome of each.
    pub acknowledged: Vec<(Mutation, Outcome)>,
}

impl Queue {
    pub fn new() -> Self {
        Self {
            device_id: new_id(),
            seq: 0,
            base_rev: 0,
            waiting: Vec::new(),
            acknowledged: Vec::new(),
        }
    }

    pub fn save(&mut self, command: &Command) -> Id {
        self.seq += 1;
        let (name, args) = Mutation::parts(command);
        let made_at = Instant(now_ms());
        let mutation = Mutation {
            id: new_id(),
            seq: self.seq,
            v: SCHEMA,
            made_at,
            base_rev: self.base_rev,
            name,
            args,
        };
        let id = mutation.id;
        self.waiting.push(mutation);
        id
    }

    /// Saves a new client with a dog: their ids.
    pub fn save_client(&mut self, client: &str, dog: &str) -> (Id, Id) {
        let (id, dog_id) = (new_id(), new_id());
        let dogs = vec![PetPatch {
            id: dog_id,
            is_new: true,
            changes: Patch::of("name", dog),
        }];
        let client = Patch::of("name", client);
        self.save(&Command::CreateClient(CreateClient { id, client, dogs }));
        (id, dog_id)
    }

    /// The body that sends these.
    pub fn body(&self, mutations: &[Mutation]) -> Value {
        let request = PushRequest {
            device_id: self.device_id,
            schema: SCHEMA,
            backend_id: None,
            mutations: mutations.to_vec(),
        };
        json!(request)
    }

    /// Takes an answer to a push.
    pub fn take(&mut self, body: &str) {
        for outcome in results(body) {
            let place = self.waiting.iter().position(|it| it.id == outcome.id);
            if let Some(place) = place {
                let mutation = self.waiting.remove(place);
                self.base_rev = self.base_rev.max(outcome.rev);
                self.acknowledged.push((mutation, outcome));
            }
        }
    }
}

/// Parses the outcomes in the answer to a push.
pub fn results(body: &str) -> Vec<Outcome> {
    #[derive(serde::Deserialize)]
    struct Body {
        data: PushResponse,
    }
    serde_json::from_str::<Body>(body)
        .expect("an answer to a push")
        .data
        .results
}
