//! Owns how much of uploads is in memory at once: of all together, and how many of one business. A body holds as much as
//! has come of it, so that one who sends nothing takes nothing; where there is no room, who holds the most gives way.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::Bytes;
use futures_util::{Stream, StreamExt as _};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use walkies_core::Id;

use crate::error::AppError;

/// Phones send photos of less than 1 MB, one after the other.
const MAX_BYTES: usize = 40 * 1024 * 1024;
/// A few phones of one business at the same time.
const MAX_PER_BUSINESS: usize = 3;

/// Uploads that are under way.
#[derive(Clone, Debug)]
pub struct Uploads {
    bytes: Arc<Semaphore>,
    active: Arc<Mutex<ActiveUploads>>,
}

#[derive(Debug, Default)]
struct ActiveUploads {
    last: u64,
    by_number: HashMap<u64, ActiveUpload>,
}

/// What one upload holds.
#[derive(Debug)]
struct ActiveUpload {
    sitter_id: Id,
    bytes: usize,
    /// Told when it has to give way.
    evicted: Arc<Notify>,
}

impl Default for Uploads {
    fn default() -> Self {
        Self {
            bytes: Arc::new(Semaphore::new(MAX_BYTES)),
            active: Arc::default(),
        }
    }
}

/// One upload, from its first byte until nobody needs what was sent any more.
#[derive(Debug)]
pub struct Upload {
    uploads: Uploads,
    number: u64,
    evicted: Arc<Notify>,
    reserved: Option<OwnedSemaphorePermit>,
}

impl Uploads {
    /// Begins an upload, unless enough of this business are under way.
    pub fn begin(&self, sitter_id: Id) -> Result<Upload, AppError> {
        let mut active = self.lock();
        let all = active.by_number.values();
        if MAX_PER_BUSINESS <= all.filter(|it| it.sitter_id == sitter_id).count() {
            return Err(AppError::TooManyRequests { retry_after_s: 1 });
        }
        active.last += 1;
        let (number, evicted) = (active.last, Arc::new(Notify::new()));
        let upload = ActiveUpload {
            sitter_id,
            bytes: 0,
            evicted: Arc::clone(&evicted),
        };
        active.by_number.insert(number, upload);
        Ok(Upload {
            uploads: self.clone(),
            number,
            evicted,
            reserved: None,
        })
    }

    fn lock(&self) -> MutexGuard<'_, ActiveUploads> {
        self.active.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ActiveUploads {
    /// The upload that holds the most, of the business that holds the most.
    fn largest(&self) -> Option<u64> {
        let mut of_business: HashMap<Id, usize> = HashMap::new();
        for it in self.by_number.values() {
            *of_business.entry(it.sitter_id).or_default() += it.bytes;
        }
        let all = self.by_number.iter();
        let largest = all.max_by_key(|(number, it)| {
            let of_business = of_business.get(&it.sitter_id).copied();
            (of_business.unwrap_or_default(), it.bytes, **number)
        });
        largest.map(|(number, _)| *number)
    }
}

impl Upload {
    /// Reads a field or a body of at most so many bytes; `None` for a longer one.
    pub async fn read<E>(
        &mut self,
        mut chunks: impl Stream<Item = Result<Bytes, E>> + Unpin,
        most: usize,
        unreadable: impl Fn(E) -> AppError,
    ) -> Result<Option<Vec<u8>>, AppError> {
        let mut bytes = Vec::new();
        let evicted = Arc::clone(&self.evicted);
        loop {
            let chunk = tokio::select! {
                chunk = chunks.next() => chunk.transpose().map_err(&unreadable)?,
                () = evicted.notified() => return Err(no_room()),
            };
            let Some(chunk) = chunk else {
                return Ok(Some(bytes));
            };
            if most < bytes.len() + chunk.len() {
                return Ok(None);
            }
            self.reserve(chunk.len()).await?;
            bytes.extend_from_slice(&chunk);
        }
    }

    /// Holds more bytes, in place of those of who holds the most where there is no room. Who holds the most and wants
    /// more gives way itself.
    async fn reserve(&mut self, bytes: usize) -> Result<(), AppError> {
        let wanted = u32::try_from(bytes).unwrap_or(u32::MAX);
        let free = Arc::clone(&self.uploads.bytes);
        let more = match Arc::clone(&free).try_acquire_many_owned(wanted) {
            Ok(more) => more,
            Err(_) => {
                self.make_room()?;
                tokio::select! {
                    more = free.acquire_many_owned(wanted) => more.map_err(|_| no_room())?,
                    () = self.evicted.notified() => return Err(no_room()),
                }
            }
        };
        match &mut self.reserved {
            Some(reserved) => reserved.merge(more),
            none => *none = Some(more),
        }
        if let Some(upload) = self.uploads.lock().by_number.get_mut(&self.number) {
            upload.bytes += bytes;
        }
        Ok(())
    }

    fn make_room(&self) -> Result<(), AppError> {
        let active = self.uploads.lock();
        let largest = active.largest().filter(|it| *it != self.number);
        let largest = largest.and_then(|it| active.by_number.get(&it));
        largest.ok_or_else(no_room)?.evicted.notify_one();
        Ok(())
    }
}

fn no_room() -> AppError {
    AppError::Unavailable(anyhow::anyhow!("too much is being uploaded"))
}

impl Drop for Upload {
    fn drop(&mut self) {
        self.uploads.lock().by_number.remove(&self.number);
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
            .map(|_| uploads.begin(ONE).expect("an upload"))
            .collect();
        let refused = uploads.begin(ONE);
        assert!(matches!(refused, Err(AppError::TooManyRequests { .. })));
        assert!(uploads.begin(OTHER).is_ok());
        first.pop();
        assert!(uploads.begin(ONE).is_ok());
        drop(first);
        assert!(uploads.lock().by_number.is_empty());
    }

    #[tokio::test]
    async fn where_there_is_no_room_who_holds_the_most_gives_way() {
        let uploads = Uploads::default();
        let mut large = uploads.begin(ONE).expect("an upload");
        large.reserve(MAX_BYTES).await.expect("all of it");
        assert!(matches!(
            large.reserve(1).await,
            Err(AppError::Unavailable(_))
        ));
        let mut small = uploads.begin(OTHER).expect("an upload");
        let held = tokio::spawn(async move { small.reserve(1).await });
        // As `read` does.
        large.evicted.notified().await;
        drop(large);
        assert!(held.await.expect("no panic").is_ok());
        assert_eq!(uploads.bytes.available_permits(), MAX_BYTES);
    }

    #[tokio::test]
    async fn of_several_the_business_gives_way_that_holds_the_most_together() {
        let uploads = Uploads::default();
        let mut alone = uploads.begin(ONE).expect("an upload");
        alone.reserve(MAX_BYTES / 10 * 4).await.expect("room");
        let mut two: Vec<_> = (0..2).map(|_| uploads.begin(OTHER).expect("one")).collect();
        for it in &mut two {
            it.reserve(MAX_BYTES / 10 * 3).await.expect("room");
        }
        assert_eq!(uploads.lock().largest(), Some(two[1].number));
    }
}
