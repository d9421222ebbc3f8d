//! Owns how much of uploads is in memory at once: of all together, and how many of one business. A body holds as much as
//! has come of it, so that one who sends nothing takes nothing.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::multipart::Field;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use walkies_core::Id;

use crate::error::AppError;

/// Phones send photos of less than 1 MB, one after the other.
const MOST_BYTES: usize = 40 * 1024 * 1024;
/// A few phones of one business at the same time.
const MOST_OF_ONE: usize = 3;

/// Uploads that are under way.
#[derive(Clone, Debug)]
pub struct Uploads {
    bytes: Arc<Semaphore>,
    by_sitter: Arc<Mutex<HashMap<Id, usize>>>,
}

impl Default for Uploads {
    fn default() -> Self {
        Self {
            bytes: Arc::new(Semaphore::new(MOST_BYTES)),
            by_sitter: Arc::default(),
        }
    }
}

/// One upload, from its first byte until nobody needs what was sent any more.
#[derive(Debug)]
pub struct Upload {
    uploads: Uploads,
    sitter_id: Id,
    held: Option<OwnedSemaphorePermit>,
}

impl Uploads {
    /// Begins an upload, unless enough of this business are under way.
    pub fn begin(&self, sitter_id: Id) -> Result<Upload, AppError> {
        let mut by_sitter = self
            .by_sitter
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let count = by_sitter.entry(sitter_id).or_default();
        if MOST_OF_ONE <= *count {
            return Err(AppError::TooManyRequests { retry_after_s: 1 });
        }
        *count += 1;
        Ok(Upload {
            uploads: self.clone(),
            sitter_id,
            held: None,
        })
    }
}

impl Upload {
    /// Reads a field of at most so many bytes; `None` for a longer one.
    pub async fn read(
        &mut self,
        mut field: Field<'_>,
        most: usize,
        unreadable: impl Fn(axum::extract::multipart::MultipartError) -> AppError,
    ) -> Result<Option<Vec<u8>>, AppError> {
        let mut bytes = Vec::new();
        while let Some(chunk) = field.chunk().await.map_err(&unreadable)? {
            if most < bytes.len() + chunk.len() {
                return Ok(None);
            }
            self.hold(chunk.len())?;
            bytes.extend_from_slice(&chunk);
        }
        Ok(Some(bytes))
    }

    fn hold(&mut self, bytes: usize) -> Result<(), AppError> {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        let more = Arc::clone(&self.uploads.bytes)
            .try_acquire_many_owned(bytes)
            .map_err(|_| AppError::Unavailable(anyhow::anyhow!("too much is being uploaded")))?;
        match &mut self.held {
            Some(held) => held.merge(more),
            none => *none = Some(more),
        }
        Ok(())
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        let mut by_sitter = self
            .uploads
            .by_sitter
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = by_sitter.get_mut(&self.sitter_id) {
            *count -= 1;
            if *count == 0 {
                by_sitter.remove(&self.sitter_id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_business_has_a_few_uploads_at_once_and_others_have_theirs() {
        let uploads = Uploads::default();
        let mut first: Vec<_> = (0..MOST_OF_ONE)
            .map(|_| uploads.begin(Id::of(1)).expect("an upload"))
            .collect();
        let refused = uploads.begin(Id::of(1));
        assert!(matches!(refused, Err(AppError::TooManyRequests { .. })));
        assert!(uploads.begin(Id::of(2)).is_ok());
        first.pop();
        assert!(uploads.begin(Id::of(1)).is_ok());
        drop(first);
        assert!(uploads.by_sitter.lock().expect("no panic").is_empty());
    }

    #[test]
    fn all_uploads_together_hold_so_much_and_give_it_back() {
        let uploads = Uploads::default();
        let mut one = uploads.begin(Id::of(1)).expect("an upload");
        one.hold(MOST_BYTES / 2).expect("half");
        one.hold(MOST_BYTES / 2).expect("the other half");
        let mut two = uploads.begin(Id::of(2)).expect("an upload");
        assert!(matches!(two.hold(1), Err(AppError::Unavailable(_))));
        drop(one);
        assert!(two.hold(MOST_BYTES).is_ok());
    }
}
