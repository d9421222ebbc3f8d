//! Owns how many uploads of one business are under way at once. What they hold of memory counts with all other bodies
//! (`bodies.rs`).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::Bytes;
use futures_util::{Stream, StreamExt as _};
use walkies_core::Id;

use crate::base::error::AppError;
use crate::limits::bodies::OfCall;

/// A few phones of one business at the same time.
const MAX_PER_BUSINESS: usize = 3;

/// Uploads that are under way, by business.
#[derive(Clone, Debug, Default)]
pub struct Uploads(Arc<Mutex<HashMap<Id, usize>>>);

/// One upload, from its first byte until nobody needs what was sent any more.
#[derive(Debug)]
pub struct Upload {
    uploads: Uploads,
    sitter_id: Id,
    _body: OfCall,
}

impl Uploads {
    /// Begins an upload of this body, unless enough of this business are under way.
    pub fn begin(&self, sitter_id: Id, body: OfCall) -> Result<Upload, AppError> {
        let mut active = self.lock();
        let n = active.entry(sitter_id).or_default();
        if MAX_PER_BUSINESS <= *n {
            return Err(AppError::TooManyRequests { retry_after_s: 1 });
        }
        *n += 1;
        Ok(Upload {
            uploads: self.clone(),
            sitter_id,
            _body: body,
        })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Id, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads a field or a body of at most so many bytes; `None` for a longer one.
pub async fn read<E>(
    mut chunks: impl Stream<Item = Result<Bytes, E>> + Unpin,
    most: usize,
    unreadable: impl Fn(E) -> AppError,
) -> Result<Option<Vec<u8>>, AppError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(&unreadable)?;
        if most < bytes.len() + chunk.len() {
            return Ok(None);
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(Some(bytes))
}

impl Drop for Upload {
    fn drop(&mut self) {
        let mut active = self.uploads.lock();
        if let Some(n) = active.get_mut(&self.sitter_id) {
            *n -= 1;
            if *n == 0 {
                active.remove(&self.sitter_id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Id = Id::of(1);
    const OTHER: Id = Id::of(2);

    #[test]
    fn one_business_has_a_few_uploads_at_once_and_others_have_theirs() {
        let uploads = Uploads::default();
        let mut first: Vec<_> = (0..MAX_PER_BUSINESS)
            .map(|_| uploads.begin(ONE, OfCall(None)).expect("an upload"))
            .collect();
        let refused = uploads.begin(ONE, OfCall(None));
        assert!(matches!(refused, Err(AppError::TooManyRequests { .. })));
        assert!(uploads.begin(OTHER, OfCall(None)).is_ok());
        first.pop();
        assert!(uploads.begin(ONE, OfCall(None)).is_ok());
        drop(first);
        assert!(uploads.lock().is_empty());
    }
}
