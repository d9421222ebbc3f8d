//! Owns how often something may be tried, by address and by account. It counts in this process alone: several
//! processes on one database let through that many times as much, which still is too little to guess a password.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use walkies_core::Instant;

/// A number of tries at once, and how long until one more is earned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// So many at once.
    pub burst: u32,
    /// Then one in so many milliseconds.
    pub every_ms: u32,
}

/// Counts tries by key (GCRA: per key one moment, the one at which all tries so far are earned back).
#[derive(Debug, Default)]
pub struct Limiter {
    paid_at: Mutex<HashMap<String, i64>>,
}

/// More keys than this are only held while they are being attacked with; the earned-back ones are then dropped.
const TIDY_AT: usize = 10_000;

impl Limiter {
    /// Counts a try: `Err` says in how many seconds the next one is let through.
    pub fn count(&self, key: String, rate: Rate, now: Instant) -> Result<(), u64> {
        let mut paid_at = self.paid_at.lock().unwrap_or_else(PoisonError::into_inner);
        if TIDY_AT < paid_at.len() {
            paid_at.retain(|_, at| now.0 < *at);
        }
        let every = i64::from(rate.every_ms);
        let credit = every * i64::from(rate.burst);
        let at = paid_at.get(&key).copied().unwrap_or_default().max(now.0) + every;
        if now.0 + credit < at {
            return Err(u64::try_from((at - credit - now.0 + 999) / 1000).unwrap_or(1));
        }
        paid_at.insert(key, at);
        Ok(())
    }

    /// Forgets the tries of a key: the right password came.
    pub fn forgive(&self, key: &str) {
        self.paid_at
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: Rate = Rate {
        burst: 3,
        every_ms: 10_000,
    };

    fn tries(limiter: &Limiter, key: &str, at: i64) -> Result<(), u64> {
        limiter.count(key.to_owned(), RATE, Instant(at))
    }

    #[test]
    fn tries_beyond_the_burst_wait_until_one_is_earned_back() {
        let limiter = Limiter::default();
        for _ in 0..3 {
            assert_eq!(tries(&limiter, "a", 1_000_000), Ok(()));
        }
        assert_eq!(tries(&limiter, "a", 1_000_000), Err(10));
        assert_eq!(tries(&limiter, "a", 1_009_500), Err(1));
        assert_eq!(tries(&limiter, "a", 1_010_000), Ok(()));
        assert_eq!(tries(&limiter, "a", 1_010_000), Err(10));
    }

    #[test]
    fn one_key_does_not_use_up_another() {
        let limiter = Limiter::default();
        for _ in 0..3 {
            assert_eq!(tries(&limiter, "a", 0), Ok(()));
        }
        assert_eq!(tries(&limiter, "b", 0), Ok(()));
    }

    #[test]
    fn a_forgiven_key_begins_anew() {
        let limiter = Limiter::default();
        for _ in 0..3 {
            assert_eq!(tries(&limiter, "a", 0), Ok(()));
        }
        limiter.forgive("a");
        assert_eq!(tries(&limiter, "a", 0), Ok(()));
    }
}
