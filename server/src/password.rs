//! Owns passwords: which are taken, how they are hashed (argon2id), and that hashing cannot exhaust the machine.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use argon2::{Algorithm, Argon2, Params, Version};
use walkies_core::FieldErrors;

use crate::error::AppError;
use crate::permits::Permits;

/// What one hash costs.
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

/// The hasher of one server.
#[derive(Debug)]
pub struct Passwords {
    permits: Permits,
    params: Params,
    /// What an unknown e-mail's password is held against, so that it takes as long as a known one's.
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
            permits: Permits::new(AT_ONCE, WAITING),
            params,
            dummy,
            spent: Arc::default(),
        })
    }

    /// What was hashed so far, in KiB times passes: who is not to be told from another by the time that an answer
    /// takes must cost the same, and that can be counted.
    pub fn spent(&self) -> u64 {
        self.spent.load(Ordering::Relaxed)
    }

    /// A password's hash, as a PHC string.
    pub async fn hash(&self, password: String) -> Result<String, AppError> {
        let (params, spent) = (self.params.clone(), Arc::clone(&self.spent));
        self.permits
            .run(move || {
                count(&spent, &params);
                hash(&params, &password)
            })
            .await?
            .map_err(|it| AppError::Internal(anyhow::anyhow!("{it}")))
    }

    /// Whether the password is the one that was hashed; takes as long when there is none.
    pub async fn verify(&self, password: String, hashed: Option<String>) -> Result<bool, AppError> {
        let exists = hashed.is_some();
        let hashed = hashed.unwrap_or_else(|| self.dummy.clone());
        let spent = Arc::clone(&self.spent);
        let fits = self
            .permits
            .run(move || {
                let hashed = PasswordHash::new(&hashed).ok();
                hashed.is_some_and(|it| {
                    if let Ok(params) = Params::try_from(&it) {
                        count(&spent, &params);
                    }
                    Argon2::default()
                        .verify_password(password.as_bytes(), &it)
                        .is_ok()
                })
            })
            .await?;
        Ok(fits && exists)
    }

    /// Whether a hash was made with another cost than today's.
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

/// What is tried first by those who guess, of those that are long enough.
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
    use super::*;

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
        let hashed = passwords
            .hash("a walk in the rain".to_owned())
            .await
            .unwrap();
        assert!(
            hashed.starts_with("$argon2id$v=19$m=64,t=1,p=1$"),
            "{hashed}"
        );
        assert!(
            passwords
                .verify("a walk in the rain".to_owned(), Some(hashed.clone()))
                .await
                .unwrap()
        );
        assert!(
            !passwords
                .verify("a walk in the sun".to_owned(), Some(hashed.clone()))
                .await
                .unwrap()
        );
        assert!(
            !passwords
                .verify("nobody's password".to_owned(), None)
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
