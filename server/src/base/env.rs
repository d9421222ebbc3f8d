//! Owns what the server takes from outside of itself besides the database: the clock and randomness.
//! Both are injected, so that tests and the simulation decide what time it is and what is drawn.

use std::sync::LazyLock;
use std::time::{SystemTime, UNIX_EPOCH};

use sha2::{Digest as _, Sha256};
use walkies_core::{Id, Instant};

/// Milliseconds that this process has run. They never step back, so limits and ages of caches are counted in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Uptime(pub i64);

/// Source of the time: the calendar, and how long the process has run.
pub trait Clock: Send + Sync {
    /// This moment by the calendar. An operator or a time server may set it back, so no duration is taken from it.
    fn now(&self) -> Instant;

    /// How long the process has run.
    fn uptime(&self) -> Uptime;
}

/// Source of random bytes for ids and secrets.
pub trait Entropy: Send + Sync {
    /// Overwrites all of `bytes` with random ones.
    fn fill(&self, bytes: &mut [u8]);
}

/// The machine's clock.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Instant {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Instant(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }

    fn uptime(&self) -> Uptime {
        static BEGUN: LazyLock<std::time::Instant> = LazyLock::new(std::time::Instant::now);
        Uptime(i64::try_from(BEGUN.elapsed().as_millis()).unwrap_or(i64::MAX))
    }
}

/// The operating system's generator.
#[derive(Clone, Copy, Debug)]
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        // Without random bytes every token could be guessed; a server that has none must stop.
        if let Err(error) = getrandom::fill(bytes) {
            panic!("the operating system gives no random bytes: {error}");
        }
    }
}

/// The clock and randomness of one server.
pub struct Env {
    /// The source of the time.
    pub clock: Box<dyn Clock>,
    /// The source of random bytes.
    pub entropy: Box<dyn Entropy>,
}

impl std::fmt::Debug for Env {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Env")
    }
}

impl Env {
    /// The machine's own.
    pub fn system() -> Self {
        Self {
            clock: Box::new(SystemClock),
            entropy: Box::new(SystemEntropy),
        }
    }

    /// Returns the current time by the calendar, which may be set back.
    pub fn now(&self) -> Instant {
        self.clock.now()
    }

    /// How long the process has run.
    pub fn uptime(&self) -> Uptime {
        self.clock.uptime()
    }

    /// A new UUIDv7.
    pub fn id(&self) -> Id {
        let mut random = [0; 10];
        self.entropy.fill(&mut random);
        let millis = u64::try_from(self.now().0).unwrap_or_default();
        Id(uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid())
    }

    /// A new secret of 128 bits, as text for the address of a page that needs no sign-in.
    pub fn share_id(&self) -> String {
        let mut random = [0; 16];
        self.entropy.fill(&mut random);
        base64::Engine::encode(&base64::engine::general_purpose::URL_SAFE_NO_PAD, random)
    }

    /// Returns true if a text has the form of a share id: 22 characters of base64url. Only then is the database asked
    /// for it: PostgreSQL takes no text with a zero byte.
    pub fn is_share_id(text: &str) -> bool {
        let is_digit = |it: u8| it.is_ascii_alphanumeric() || it == b'-' || it == b'_';
        text.len() == 22 && text.bytes().all(is_digit)
    }

    /// A new secret of 256 bits, as text for a header or a link.
    pub fn token(&self) -> String {
        let mut random = [0; 32];
        self.entropy.fill(&mut random);
        base64::Engine::encode(&base64::engine::general_purpose::URL_SAFE_NO_PAD, random)
    }

    /// A new code of 50 bits, in letters and digits that are not mistaken for others (Crockford's base 32).
    pub fn code(&self) -> String {
        let mut random = [0; 10];
        self.entropy.fill(&mut random);
        let symbol = |it: &u8| CROCKFORD.get(usize::from(it & 31)).copied().map(char::from);
        random.iter().filter_map(symbol).collect()
    }

    /// A new code of so many digits, each as likely as the others.
    pub fn digits(&self, n: usize) -> String {
        let mut code = String::with_capacity(n);
        while code.len() < n {
            let mut random = [0; 16];
            self.entropy.fill(&mut random);
            // 250 and above would make the first digits likelier.
            let fair = random.iter().filter(|it| **it < 250);
            code.extend(fair.map(|it| char::from(b'0' + it % 10)));
        }
        code.truncate(n);
        code
    }
}

const CROCKFORD: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// SHA-256 in hexadecimal: how secrets and requests are kept.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// The id that a text always makes, and that nobody can make another text for.
pub fn id_of_text(text: &str) -> Id {
    let digest = Sha256::digest(text.as_bytes());
    let bytes = digest.first_chunk().copied().unwrap_or_default();
    Id::of(u128::from_be_bytes(bytes))
}
