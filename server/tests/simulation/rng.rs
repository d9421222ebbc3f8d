//! Owns chance: everything random in a run comes from here, and so from the seed.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore as _, SeedableRng as _};
use walkies_core::Id;

/// A stream of draws.
pub struct Rng(ChaCha8Rng);

impl Rng {
    /// The stream `stream` of a seed; streams do not disturb each other.
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(stream);
        Self(rng)
    }

    /// From 0 to `n - 1`.
    pub fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.0.next_u64() % n.max(1) as u64).unwrap()
    }

    /// From `least` to `most`, both included.
    pub fn between(&mut self, least: i64, most: i64) -> i64 {
        least + i64::try_from(self.0.next_u64() % (most - least + 1).unsigned_abs()).unwrap()
    }

    /// Returns true with this chance, in percent.
    pub fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent as usize
    }

    /// One of them, if there are any.
    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        if of.is_empty() {
            None
        } else {
            of.get(self.below(of.len()))
        }
    }

    /// A UUIDv7 of that moment.
    pub fn id(&mut self, at_ms: i64) -> Id {
        let mut random = [0; 10];
        self.0.fill_bytes(&mut random);
        let millis = u64::try_from(at_ms).unwrap_or_default();
        Id(uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid())
    }

    /// Fills a slice with random bytes.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        self.0.fill_bytes(bytes);
    }
}
