//! Owns how often something may be tried, by address, by account, by device. It counts in this process alone: several
//! processes on one database let through that many times as much, which still is too little to guess a password.
//!
//! It counts by the time that the process has run and not by the calendar, which may be set back.
//!
//! What it keeps of a key is a hash of fixed size and one moment, for as long as tries are not earned back, and of no
//! more than `MAX_KEYS` keys: nobody fills the memory by calling from everywhere or with long names.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use sha2::{Digest as _, Sha256};

use crate::base::env::Uptime;

/// A number of tries at once, and how long until one more is earned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// So many at once.
    pub burst: u32,
    /// Then one in so many milliseconds.
    pub every_ms: u32,
}

impl Rate {
    /// So many times as much.
    pub const fn times(self, factor: u32) -> Self {
        let every_ms = self.every_ms / factor;
        Self {
            burst: self.burst.saturating_mul(factor),
            every_ms: if every_ms == 0 { 1 } else { every_ms },
        }
    }
}

/// Counts tries by key (GCRA: per key one moment, the one at which all tries so far are earned back).
#[derive(Debug, Default)]
pub struct Limiter {
    table: Mutex<KeyTable>,
}

/// SHA-256 of a key, cut to 128 bits: nobody finds two keys that share one.
type Hash = [u8; 16];

#[derive(Debug, Default)]
struct KeyTable {
    earned_back_at_ms: HashMap<Hash, i64>,
    /// With so many keys the ones that are earned back are looked for next.
    evict_at: usize,
}

/// INVARIANT: No more keys than this are kept. They take 4 MB.
pub const MAX_KEYS: usize = 100_000;
/// Fewer are not worth looking through.
const FEW_KEYS: usize = 1_000;

impl Limiter {
    /// Counts a try: `Err` says in how many seconds the next one is let through.
    pub fn count(&self, key: impl AsRef<str>, rate: Rate, now: Uptime) -> Result<(), u64> {
        self.count_many(key, 1, rate, now)
    }

    /// Counts so many tries at once, all of them or none.
    pub fn count_many(
        &self,
        key: impl AsRef<str>,
        n: u32,
        rate: Rate,
        now: Uptime,
    ) -> Result<(), u64> {
        let key = hash(key.as_ref());
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        let at = table.earned_back_after(key, n, rate, now)?;
        table.earned_back_at_ms.insert(key, at);
        table.evict(now.0);
        Ok(())
    }

    /// Counts nothing: `Err` says in how many seconds the next try is let through.
    pub fn check(&self, key: impl AsRef<str>, rate: Rate, now: Uptime) -> Result<(), u64> {
        let table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        let at = table.earned_back_after(hash(key.as_ref()), 1, rate, now);
        at.map(|_| ())
    }

    /// Forgets the tries of a key: the right password came.
    pub fn reset(&self, key: impl AsRef<str>) {
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        table.earned_back_at_ms.remove(&hash(key.as_ref()));
    }

    /// How many keys are kept.
    pub fn len(&self) -> usize {
        let table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        table.earned_back_at_ms.len()
    }

    /// Returns true if no key is kept.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl KeyTable {
    /// Moment at which so many more tries would be earned back; `Err` with the seconds until they are let through.
    fn earned_back_after(&self, key: Hash, n: u32, rate: Rate, now: Uptime) -> Result<i64, u64> {
        let every = i64::from(rate.every_ms);
        let credit = every * i64::from(rate.burst);
        let known = self.earned_back_at_ms.get(&key).copied();
        let at = known.unwrap_or_default().max(now.0) + every * i64::from(n);
        if now.0 + credit < at {
            return Err(u64::try_from((at - credit - now.0 + 999) / 1000).unwrap_or(1));
        }
        Ok(at)
    }

    /// Removes what is earned back, each time that there are twice as many keys as the last time left.
    fn evict(&mut self, now: i64) {
        if self.earned_back_at_ms.len() < self.evict_at.max(FEW_KEYS) {
            return;
        }
        self.earned_back_at_ms.retain(|_, at| now < *at);
        if MAX_KEYS <= self.earned_back_at_ms.len() {
            self.evict_half();
        }
        self.earned_back_at_ms.shrink_to(FEW_KEYS);
        self.evict_at = (2 * self.earned_back_at_ms.len()).min(MAX_KEYS);
    }

    /// Drops the half of the keys that would expire first: a caller who fills the memory with keys tried once loses
    /// those, and keys with many tries, such as an account under attack, stay.
    fn evict_half(&mut self) {
        let mut moments: Vec<i64> = self.earned_back_at_ms.values().copied().collect();
        let half = moments.len() / 2;
        let (_, &mut median, _) = moments.select_nth_unstable(half);
        let mut surplus = half;
        self.earned_back_at_ms.retain(|_, at| {
            let goes = *at <= median && 0 < surplus;
            surplus -= usize::from(goes);
            !goes
        });
    }
}

fn hash(key: &str) -> Hash {
    let digest = Sha256::digest(key.as_bytes());
    std::array::from_fn(|at| digest[at])
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: Rate = Rate {
        burst: 3,
        every_ms: 10_000,
    };

    fn tries(limiter: &Limiter, key: &str, at: i64) -> Result<(), u64> {
        limiter.count(key, RATE, Uptime(at))
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
        limiter.reset("a");
        assert_eq!(tries(&limiter, "a", 0), Ok(()));
    }

    /// Counts this many keys that are tried once each.
    fn flood(limiter: &Limiter, keys: usize, at: i64) {
        for key in 0..keys {
            assert_eq!(tries(limiter, &format!("flood {at} {key}"), at), Ok(()));
        }
    }

    #[test]
    fn no_more_keys_than_this_are_kept() {
        let limiter = Limiter::default();
        for _ in 0..3 {
            assert_eq!(tries(&limiter, "guessed at", 0), Ok(()));
        }
        flood(&limiter, 3 * MAX_KEYS, 0);
        assert!(limiter.len() <= MAX_KEYS, "{}", limiter.len());
        assert!(tries(&limiter, "guessed at", 0).is_err());
    }

    #[test]
    fn a_key_goes_when_its_tries_are_earned_back() {
        let limiter = Limiter::default();
        flood(&limiter, FEW_KEYS, 0);
        flood(&limiter, FEW_KEYS, 10_000);
        assert!(limiter.len() <= FEW_KEYS, "{}", limiter.len());
    }

    #[test]
    fn a_long_key_takes_no_more_room_than_a_short_one() {
        let limiter = Limiter::default();
        let long = "x".repeat(1_000_000);
        for _ in 0..3 {
            assert_eq!(tries(&limiter, &long, 0), Ok(()));
        }
        assert!(tries(&limiter, &long, 0).is_err());
        assert_eq!(size_of::<Hash>(), 16);
    }
}
