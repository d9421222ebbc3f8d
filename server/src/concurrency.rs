//! Owns how much of one account is worked on at once, so that whoever asks for much at a time waits for themselves and
//! not others for them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use walkies_core::Id;

use crate::error::AppError;

/// A limit for each account, or for each business, by its id.
#[derive(Debug)]
pub struct ConcurrencyLimit {
    at_once: usize,
    places: usize,
    by_id: Arc<Mutex<HashMap<Id, Line>>>,
}

/// Those of one id that are worked on or wait.
#[derive(Debug)]
struct Line {
    at_once: Arc<Semaphore>,
    n: usize,
}

/// A place among those of one id: whoever drops it lets the next one in.
#[derive(Debug)]
pub struct Place {
    id: Id,
    by_id: Arc<Mutex<HashMap<Id, Line>>>,
    turn: Option<OwnedSemaphorePermit>,
}

impl ConcurrencyLimit {
    /// So many of each at once, and so many may wait.
    pub fn new(at_once: usize, waiting: usize) -> Self {
        Self {
            at_once,
            places: at_once + waiting,
            by_id: Arc::default(),
        }
    }

    /// Waits for the turn, one after the other. Where too many wait already it is refused at once.
    pub async fn enter(&self, id: Id) -> Result<Place, AppError> {
        let (mut place, at_once) = self.queue(id)?;
        let turn = at_once.acquire_owned().await;
        place.turn = Some(turn.map_err(|it| AppError::Unavailable(it.into()))?);
        Ok(place)
    }

    fn queue(&self, id: Id) -> Result<(Place, Arc<Semaphore>), AppError> {
        let mut by_id = locked(&self.by_id);
        let line = by_id.entry(id).or_insert_with(|| Line {
            at_once: Arc::new(Semaphore::new(self.at_once)),
            n: 0,
        });
        if self.places <= line.n {
            return Err(AppError::TooManyRequests { retry_after_s: 1 });
        }
        line.n += 1;
        let place = Place {
            id,
            by_id: Arc::clone(&self.by_id),
            turn: None,
        };
        Ok((place, Arc::clone(&line.at_once)))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        drop(self.turn.take());
        let mut by_id = locked(&self.by_id);
        if let Some(line) = by_id.get_mut(&self.id) {
            line.n -= 1;
            if line.n == 0 {
                by_id.remove(&self.id);
            }
        }
    }
}

fn locked(by_id: &Mutex<HashMap<Id, Line>>) -> MutexGuard<'_, HashMap<Id, Line>> {
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
        let first = limit.enter(ONE).await.expect("a turn");
        let second = tokio::spawn({
            let limit = Arc::clone(&limit);
            async move { limit.enter(ONE).await }
        });
        while locked(&limit.by_id)[&ONE].n < 2 {
            tokio::task::yield_now().await;
        }
        let third = limit.enter(ONE).await;
        assert!(matches!(third, Err(AppError::TooManyRequests { .. })));
        assert!(limit.enter(OTHER).await.is_ok());
        assert!(!second.is_finished());
        drop(first);
        assert!(second.await.expect("no panic").is_ok());
        assert!(locked(&limit.by_id).is_empty());
    }

    #[tokio::test]
    async fn one_who_leaves_while_waiting_leaves_no_place_behind() {
        let limit = ConcurrencyLimit::new(1, 1);
        let first = limit.enter(ONE).await.expect("a turn");
        let second = Box::pin(limit.enter(ONE));
        let Either::Right(((), second)) = select(second, ready(())).await else {
            panic!("there is one turn");
        };
        drop(second);
        assert_eq!(locked(&limit.by_id)[&ONE].n, 1);
        drop(first);
        assert!(locked(&limit.by_id).is_empty());
    }
}
