//! Owns how often a phone's mutation met a defect of this server, so that it is refused in the end and those after it go on.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use walkies_core::Id;

/// Mutations that a defect keeps from being decided, with how often it did.
#[derive(Debug, Default)]
pub struct DefectCounts(Mutex<HashMap<(Id, Id), u32>>);

impl DefectCounts {
    /// After so many tries a mutation is refused, so that what follows it goes on.
    const TRIES: u32 = 3;
    /// The most that are counted; beyond it counting begins anew.
    const MAX: usize = 10_000;

    /// Counts a try: whether it was the last one, so that the mutation is to be refused.
    pub(crate) fn was_last_try(&self, sitter_id: Id, mutation: Id) -> bool {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if Self::MAX <= counts.len() {
            counts.clear();
        }
        let count = counts.entry((sitter_id, mutation)).or_default();
        *count += 1;
        let is_last = Self::TRIES <= *count;
        if is_last {
            counts.remove(&(sitter_id, mutation));
        }
        is_last
    }
}
