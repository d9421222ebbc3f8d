//! Owns passwords: which are taken, how they are hashed (argon2id), and that hashing cannot exhaust the machine.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use argon2::{Algorithm, Argon2, Params, Version};
use walkies_core::{FieldErrors, Id};

use crate::base::address::widest_network;
use crate::base::env::id_of_text;
use crate::base::error::AppError;
use crate::limits::concurrency::ConcurrencyLimit;
use crate::limits::permits::Permits;

/// Cost of hashing one password, as argon2's parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Memory in KiB.
    pub memory_kib: u32,
    /// Passes over that memory.
    pub passes: u32,
}

/// OWASP's first recommendation: 50 ms on one core of a small server.
pub const COST: Cost = Cost {
    memory_kib: 19 * 1024,
    passes: 2,
};

/// Two at a time: more would only take the cores from everybody else.
const AT_ONCE: usize = 2;
/// The last of them waits two seconds.
const WAITING: usize = 80;
/// No network has more of them than this, so that others' passwords are checked beside those of one that tries many.
const WAITING_OF_NETWORK: usize = 30;
/// Passwords of known devices that are hashed at once, beside those of strangers.
const KNOWN_AT_ONCE: usize = 1;
/// A person waits for one; who has a password checked on many tabs waits for oneself.
const WAITING_OF_ACCOUNT: usize = 10;

/// The queue in which a caller waits for a password to be hashed. Known people and strangers have permits of their own,
/// so that nobody who tries many passwords keeps an owner from signing in.
#[derive(Clone, Copy, Debug)]
pub enum HashQueue<'a> {
    /// The owner of this account: signed in, or on a device that has signed in to it before.
    Known(Id),
    /// Anybody, by the address that the call comes from.
    Stranger(&'a str),
}

/// The hasher of one server.
#[derive(Debug)]
pub struct Passwords {
    strangers: Permits,
    by_network: ConcurrencyLimit,
    known: Permits,
    by_account: ConcurrencyLimit,
    params: Params,
    /// Hash that the password of an unknown e-mail is checked against, so that it takes as long as a known one's.
    dummy: String,
    spent: Arc<AtomicU64>,
}

impl Passwords {
    /// A hasher with this cost.
    pub fn new(cost: Cost) -> anyhow::Result<Self> {
        let params = Params::new(cost.memory_kib, cost.passes, 1, None)
            .map_err(|it| anyhow::anyhow!("{it}"))?;
        let dummy = hash(&params, "nobody's password").map_err(|it| anyhow::anyhow!("{it}"))?;
        Ok(Self {
            strangers: Permits::new(AT_ONCE, WAITING),
            by_network: ConcurrencyLimit::new(AT_ONCE, WAITING_OF_NETWORK),
            known: Permits::new(KNOWN_AT_ONCE, WAITING),
            by_account: ConcurrencyLimit::new(KNOWN_AT_ONCE, WAITING_OF_ACCOUNT),
            params,
            dummy,
            spent: Arc::default(),
        })
    }

    /// Returns the work spent on hashing so far, in KiB times passes: calls that must not be told apart by their
    /// duration must cost the same, and a test can compare that.
    pub fn spent(&self) -> u64 {
        self.spent.load(Ordering::Relaxed)
    }

    /// Does the work when it is the turn of whoever asks for it.
    async fn run<T: Send + 'static>(
        &self,
        queue: HashQueue<'_>,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, AppError> {
        let (limit, id, permits) = match queue {
            HashQueue::Known(account) => (&self.by_account, account, &self.known),
            HashQueue::Stranger(address) => {
                let network = id_of_text(&widest_network(address));
                (&self.by_network, network, &self.strangers)
            }
        };
        let _turn = limit.acquire(id).await?;
        permits.run(work).await
    }

    /// A password's hash, as a PHC string.
    pub async fn hash(&self, password: String, queue: HashQueue<'_>) -> Result<String, AppError> {
        let (params, spent) = (self.params.clone(), Arc::clone(&self.spent));
        let work = move || {
            count(&spent, &params);
            hash(&params, &password)
        };
        let hashed = self.run(queue, work).await?;
        hashed.map_err(|it| AppError::Internal(anyhow::anyhow!("{it}")))
    }

    /// Checks a password against its hash; takes as long if there is no hash, and then returns false.
    pub async fn verify(
        &self,
        password: String,
        hashed: Option<String>,
        queue: HashQueue<'_>,
    ) -> Result<bool, AppError> {
        let exists = hashed.is_some();
        let hashed = hashed.unwrap_or_else(|| self.dummy.clone());
        let spent = Arc::clone(&self.spent);
        let work = move || {
            let hashed = PasswordHash::new(&hashed).ok();
            hashed.is_some_and(|it| {
                if let Ok(params) = Params::try_from(&it) {
                    count(&spent, &params);
                }
                Argon2::default()
                    .verify_password(password.as_bytes(), &it)
                    .is_ok()
            })
        };
        let fits = self.run(queue, work).await?;
        Ok(fits && exists)
    }

    /// Returns true if a hash was made with another cost than today's, or cannot be parsed.
    pub fn is_outdated(&self, hashed: &str) -> bool {
        let params = PasswordHash::new(hashed)
            .ok()
            .and_then(|it| Params::try_from(&it).ok());
        params.is_none_or(|it| {
            it.m_cost() != self.params.m_cost() || it.t_cost() != self.params.t_cost()
        })
    }
}

fn count(spent: &AtomicU64, params: &Params) {
    let cost = u64::from(params.m_cost()) * u64::from(params.t_cost());
    spent.fetch_add(cost, Ordering::Relaxed);
}

fn hash(params: &Params, password: &str) -> Result<String, argon2::password_hash::Error> {
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params.clone());
    Ok(argon2.hash_password(password.as_bytes())?.to_string())
}

/// Common passwords that are long enough to be taken, one a line in lower case: these are guessed first.
const COMMON: &str = include_str!("common_passwords.txt");

/// Checks a new password: the core's rules, and that nobody guesses it first.
pub fn check(errors: &mut FieldErrors, field: &str, password: &str, email: &str) {
    walkies_core::rules::account::check_password(errors, field, password);
    let lower = password.to_lowercase();
    let is_common = COMMON.lines().any(|it| it == lower) || lower == email.to_lowercase();
    errors.check(is_common, field, "This password is too easy to guess");
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use futures_util::future::{Either, ready, select};

    use super::*;

    const CHEAP: Cost = Cost {
        memory_kib: 64,
        passes: 1,
    };

    #[tokio::test]
    async fn strangers_keep_no_known_device_waiting() {
        let passwords = Passwords::new(CHEAP).unwrap();
        let (mut waiting, mut ends) = (Vec::new(), Vec::new());
        for network in 0..(AT_ONCE + WAITING) / AT_ONCE {
            let address = format!("2001:db8:{network:x}:1::/64");
            for _ in 0..AT_ONCE {
                let (end, may_end) = mpsc::channel::<()>();
                ends.push(end);
                let (passwords, address) = (&passwords, address.clone());
                let call = Box::pin(async move {
                    let queue = HashQueue::Stranger(&address);
                    passwords.run(queue, move || may_end.recv().is_ok()).await
                });
                match select(call, ready(())).await {
                    Either::Right(((), call)) => waiting.push(call),
                    Either::Left(_) => panic!("it ends when it is told to"),
                }
            }
        }
        let stranger = HashQueue::Stranger("192.0.2.1");
        let refused = passwords.hash("a walk in the rain".to_owned(), stranger);
        assert!(matches!(refused.await, Err(AppError::Unavailable(_))));
        let known = HashQueue::Known(Id::of(1));
        let hashed = passwords.hash("a walk in the rain".to_owned(), known);
        assert!(hashed.await.is_ok());
    }

    #[tokio::test]
    async fn one_network_takes_few_of_the_places_of_strangers() {
        let passwords = Passwords::new(CHEAP).unwrap();
        let (mut waiting, mut ends) = (Vec::new(), Vec::new());
        let address = |number: usize| format!("2001:db8:1:{number:x}::/64");
        for number in 0..AT_ONCE + WAITING_OF_NETWORK {
            let (end, may_end) = mpsc::channel::<()>();
            ends.push(end);
            let (passwords, address) = (&passwords, address(number));
            let call = Box::pin(async move {
                let queue = HashQueue::Stranger(&address);
                passwords.run(queue, move || may_end.recv().is_ok()).await
            });
            match select(call, ready(())).await {
                Either::Right(((), call)) => waiting.push(call),
                Either::Left(_) => panic!("it ends when it is told to"),
            }
        }
        let address = address(0xffff);
        let refused = passwords.run(HashQueue::Stranger(&address), || ());
        assert!(matches!(
            refused.await,
            Err(AppError::TooManyRequests { .. })
        ));
        ends.clear();
        assert!(
            passwords
                .run(HashQueue::Stranger("192.0.2.1"), || ())
                .await
                .is_ok()
        );
    }

    fn wrong(password: &str) -> Option<String> {
        let mut errors = FieldErrors::default();
        check(&mut errors, "password", password, "dana@example.com");
        errors.first().map(str::to_owned)
    }

    #[test]
    fn short_long_and_common_passwords_are_refused() {
        assert_eq!(
            wrong("seven77").as_deref(),
            Some("Password must be at least 8 characters")
        );
        assert_eq!(
            wrong(&"x".repeat(129)).as_deref(),
            Some("Password cannot exceed 128 characters")
        );
        assert_eq!(
            wrong("Password123").as_deref(),
            Some("This password is too easy to guess")
        );
        assert_eq!(
            wrong("Dana@Example.com").as_deref(),
            Some("This password is too easy to guess")
        );
    }

    #[test]
    fn passwords_may_have_spaces_emoji_and_128_characters() {
        assert_eq!(wrong("a walk in the rain"), None);
        assert_eq!(wrong("🐕🐕🐕🐕🐕🐕🐕🐕"), None);
        assert_eq!(wrong(&"é".repeat(128)), None);
    }

    #[tokio::test]
    async fn only_the_right_password_verifies_and_nobody_has_the_dummy() {
        let passwords = Passwords::new(Cost {
            memory_kib: 64,
            passes: 1,
        })
        .unwrap();
        let queue = HashQueue::Stranger("192.0.2.1");
        let hashed = passwords
            .hash("a walk in the rain".to_owned(), queue)
            .await
            .unwrap();
        assert!(
            hashed.starts_with("$argon2id$v=19$m=64,t=1,p=1$"),
            "{hashed}"
        );
        assert!(
            passwords
                .verify("a walk in the rain".to_owned(), Some(hashed.clone()), queue)
                .await
                .unwrap()
        );
        assert!(
            !passwords
                .verify("a walk in the sun".to_owned(), Some(hashed.clone()), queue)
                .await
                .unwrap()
        );
        assert!(
            !passwords
                .verify("nobody's password".to_owned(), None, queue)
                .await
                .unwrap()
        );
        assert!(!passwords.is_outdated(&hashed));
        assert!(
            Passwords::new(Cost {
                memory_kib: 128,
                passes: 1
            })
            .unwrap()
            .is_outdated(&hashed)
        );
    }
}
