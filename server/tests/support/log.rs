//! Owns the watch over the log: what the server writes while the tests of a program run is read line by line, and a line
//! that tells what nobody may read there fails whoever ends next.

use std::collections::HashSet;
use std::io;
use std::sync::{LazyLock, Mutex, Once, PoisonError};

use serde_json::Value;
use tracing_subscriber::EnvFilter;

/// Strings that the fixtures put into passwords, addresses and notes, and that no line of the log may have.
const PLANTED: [&str; 3] = [super::PASSWORD, "@example.com", super::ACCESS_NOTES];

/// Bearer tokens and the like have 43 characters, their hashes 64; no id and no name of a file here is as long.
const TOKEN_LENGTH: usize = 43;

#[derive(Default)]
struct Watch {
    /// Secrets that are too short to be told from ids by their form.
    secrets: HashSet<String>,
    lines: Vec<String>,
    leaks: Vec<String>,
}

static WATCH: LazyLock<Mutex<Watch>> = LazyLock::new(Mutex::default);

fn watch() -> std::sync::MutexGuard<'static, Watch> {
    WATCH.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Begins to read all that is logged in this program, at its most talkative.
pub fn begin() {
    static BEGIN: Once = Once::new();
    BEGIN.call_once(|| {
        tracing_subscriber::fmt()
            .with_env_filter(EnvFilter::new("info,walkies_server=trace"))
            .with_ansi(false)
            .with_writer(|| Reader)
            .init();
    });
}

/// Remembers the secrets of an answer, by the names of their fields.
pub fn remember(answer: &Value) {
    match answer {
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::String(secret) if name == "share_id" => {
                        watch().secrets.insert(secret.clone());
                    }
                    value => remember(value),
                }
            }
        }
        Value::Array(values) => values.iter().for_each(remember),
        _ => {}
    }
}

/// Fails when a line was written that tells a secret, or spreads over several.
pub fn check() {
    let watch = watch();
    if !std::thread::panicking() {
        assert!(
            watch.leaks.is_empty(),
            "the log tells:\n{}",
            watch.leaks.join("")
        );
    }
}

/// The lines so far that have these words.
pub fn lines_with(words: &str) -> Vec<String> {
    let found = |it: &&String| it.contains(words);
    watch().lines.iter().filter(found).cloned().collect()
}

struct Reader;

impl io::Write for Reader {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let line = String::from_utf8_lossy(bytes);
        let mut watch = watch();
        let is_forged = line.trim_end_matches('\n').contains(['\n', '\r', '\u{1b}']);
        let tells = PLANTED.iter().any(|it| line.contains(it))
            || line
                .split(|it: char| !it.is_ascii_alphanumeric() && !matches!(it, '-' | '_'))
                .any(|word| TOKEN_LENGTH <= word.len() || watch.secrets.contains(word));
        if is_forged || tells {
            watch.leaks.push(line.to_string());
        }
        watch.lines.push(line.into_owned());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
