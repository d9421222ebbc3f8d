//! Owns how much of one account is worked on at once, so that whoever asks for much at a time waits for themselves and
//! not others for them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use walkies_core::Id;

use crate::base::error::AppError;

/// A limit for each account, or for each business, by its id.
#[derive(Debug)]
pub struct ConcurrencyLimit {
    at_once: usize,
    capacity: usize,
    by_id: Arc<Mutex<HashMap<Id, AccountQueue>>>,
}

/// Those of one id that are worked on or wait.
#[derive(Debug)]
struct AccountQueue {
    at_once: Arc<Semaphore>,
    n_permits: usize,
}

/// A permit among those of one id: whoever drops it lets the next one in.
#[derive(Debug)]
pub struct ConcurrencyPermit {
    id: Id,
    by_id: Arc<Mutex<HashMap<Id, AccountQueue>>>,
    slot: Option<OwnedSemaphorePermit>,
}

impl ConcurrencyLimit {
    /// So many of each at once, and so many may wait.
    pub fn new(at_once: usize, waiting: usize) -> Self {
        Self {
            at_once,
            capacity: at_once + waiting,
            by_id: Arc::default(),
        }
    }

    /// Waits for the turn, one after the other. Where too many wait already it is refused at once.
    pub async fn acquire(&self, id: Id) -> Result<ConcurrencyPermit, AppError> {
        let (mut permit, at_once) = self.join(id)?;
        let slot = at_once.acquire_owned().await;
        permit.slot = Some(slot.map_err(|it| AppError::Unavailable(it.into()))?);
        Ok(permit)
    }

    fn join(&self, id: Id) -> Result<(ConcurrencyPermit, Arc<Semaphore>), AppError> {
        let mut by_id = locked(&self.by_id);
        let queue = by_id.entry(id).or_insert_with(|| AccountQueue {
            at_once: Arc::new(Semaphore::new(self.at_once)),
            n_permits: 0,
        });
        if self.capacity <= queue.n_permits {
            return Err(AppError::TooManyRequests { retry_after_s: 1 });
        }
        queue.n_permits += 1;
        let permit = ConcurrencyPermit {
            id,
            by_id: Arc::clone(&self.by_id),
            slot: None,
        };
        Ok((permit, Arc::clone(&queue.at_once)))
    }
}

impl Drop for ConcurrencyPermit {
    fn drop(&mut self) {
        drop(self.slot.take());
        let mut by_id = locked(&self.by_id);
        if let Some(queue) = by_id.get_mut(&self.id) {
            queue.n_permits -= 1;
            if queue.n_permits == 0 {
                by_id.remove(&self.id);
            }
        }
    }
}

fn locked(by_id: &Mutex<HashMap<Id, AccountQueue>>) -> MutexGuard<'_, HashMap<Id, AccountQueue>> {
    by_id.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use futures_util::future::{Either, ready, select};

    use super::*;

    const ONE: Id = Id::of(1);
    const OTHER: Id = Id::of(2);

    #[tokio::test]
    async fn who_asks_for_much_waits_for_themselves_and_others_do_not() {
        let limit = Arc::new(ConcurrencyLimit::new(1, 1));
        let first = limit.acquire(ONE).await.expect("a turn");
        let second = tokio::spawn({
            let limit = Arc::clone(&limit);
            async move { limit.acquire(ONE).await }
        });
        while locked(&limit.by_id)[&ONE].n_permits < 2 {
            tokio::task::yield_now().await;
        }
        let third = limit.acquire(ONE).await;
        assert!(matches!(third, Err(AppError::TooManyRequests { .. })));
        assert!(limit.acquire(OTHER).await.is_ok());
        assert!(!second.is_finished());
        drop(first);
        assert!(second.await.expect("no panic").is_ok());
        assert!(locked(&limit.by_id).is_empty());
    }

    #[tokio::test]
    async fn one_who_leaves_while_waiting_leaves_no_place_behind() {
        let limit = ConcurrencyLimit::new(1, 1);
        let first = limit.acquire(ONE).await.expect("a turn");
        let second = Box::pin(limit.acquire(ONE));
        let Either::Right(((), second)) = select(second, ready(())).await else {
            panic!("there is one turn");
        };
        drop(second);
        assert_eq!(locked(&limit.by_id)[&ONE].n_permits, 1);
        drop(first);
        assert!(locked(&limit.by_id).is_empty());
    }
}
