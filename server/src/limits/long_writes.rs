//! Owns the queue of commands that write very many rows: one runs at a time, each business has one in the queue, and after
//! each there is a rest in which everybody else's writes come through.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use walkies_core::{Command, Id};

use crate::base::error::AppError;
use crate::limits::concurrency::{ConcurrencyLimit, ConcurrencyPermit};

/// Rows that a command writes within milliseconds.
const FEW_ROWS: usize = 100;
/// The same for clients that are removed with their pets, which the command does not name.
const FEW_CLIENTS: usize = 10;
/// Rest after a long write, as a multiple of its duration.
pub const REST_FACTOR: u32 = 20;
const MAX_REST: Duration = Duration::from_secs(5);
/// Longest wait for a turn: calls end after 30 seconds.
const PATIENCE: Duration = Duration::from_secs(20);
const RETRY_AFTER_S: u64 = 10;

/// Returns `true` for a command that may write so many rows that others wait for it.
pub fn is_long(command: &Command) -> bool {
    match command {
        Command::ImportClients(it) => {
            let dogs: usize = it.clients.iter().map(|it| it.dogs.len()).sum();
            FEW_ROWS < it.clients.len() + dogs
        }
        Command::UndoImport(it) => FEW_CLIENTS < it.clients.len(),
        Command::MoveServices(it) => FEW_ROWS < it.moves.len(),
        Command::MarkServices(it) => FEW_ROWS < it.marked.len(),
        Command::CopyServices(it) => FEW_ROWS < it.copies.len(),
        Command::UndoCopy(it) => FEW_ROWS < it.copied.len(),
        Command::TakeTimeOff(it) => FEW_ROWS < it.visits.len() + it.messages.len(),
        Command::UndoTimeOff(it) => FEW_ROWS < it.visits.len(),
        Command::RepriceServices(it) => FEW_ROWS < it.prices.len(),
        Command::RestorePrices(it) => FEW_ROWS < it.prices.len(),
        // The visits of a series, which the command does not name.
        Command::DeactivateClient(it) => FEW_ROWS < it.cancels.len() || !it.ends.is_empty(),
        _ => false,
    }
}

/// Queue of long writes.
#[derive(Debug)]
pub struct LongWrites {
    by_business: ConcurrencyLimit,
    turn: Arc<Semaphore>,
    patience: Duration,
    rest_factor: u32,
}

/// Permit for one long write; the rest begins when it is dropped.
#[derive(Debug)]
pub struct LongWriteTurn {
    _own: ConcurrencyPermit,
    permit: Option<OwnedSemaphorePermit>,
    begun: Instant,
    rest_factor: u32,
}

impl LongWrites {
    /// With a rest of so many times as long as a write took.
    pub fn new(rest_factor: u32) -> Self {
        Self {
            by_business: ConcurrencyLimit::new(1, 0),
            turn: Arc::new(Semaphore::new(1)),
            patience: PATIENCE,
            rest_factor,
        }
    }

    /// Waits for a turn, first come first served among businesses.
    pub async fn acquire(&self, quota_key: Id) -> Result<LongWriteTurn, AppError> {
        let own = self.by_business.acquire(quota_key).await?;
        let waiting = Arc::clone(&self.turn).acquire_owned();
        let Ok(permit) = tokio::time::timeout(self.patience, waiting).await else {
            return Err(AppError::TooManyRequests {
                retry_after_s: RETRY_AFTER_S,
            });
        };
        Ok(LongWriteTurn {
            _own: own,
            permit: Some(permit.map_err(|it| AppError::Unavailable(it.into()))?),
            begun: Instant::now(),
            rest_factor: self.rest_factor,
        })
    }
}

impl Drop for LongWriteTurn {
    fn drop(&mut self) {
        let permit = self.permit.take();
        let rest = self.begun.elapsed() * self.rest_factor;
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(async move {
                tokio::time::sleep(rest.min(MAX_REST)).await;
                drop(permit);
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use walkies_core::commands::{
        DeactivateClient, FormerVisit, RepriceServices, UndoTimeOff, VisitPrice,
    };
    use walkies_core::{Cents, Date, Time};

    use super::*;

    const ONE: Id = Id::of(1);
    const OTHER: Id = Id::of(2);

    #[test]
    fn commands_about_many_visits_are_long() {
        let prices = |n: u128| {
            let prices = (0..n).map(|it| VisitPrice {
                id: Id::of(it),
                price: Cents(100),
            });
            let prices = prices.collect();
            Command::from(RepriceServices { prices })
        };
        assert!(!is_long(&prices(100)));
        assert!(is_long(&prices(101)));
        let visits = |n: u128| {
            let visits = (0..n).map(|it| FormerVisit {
                id: Id::of(it),
                date: Date::default(),
                start_time: Time::hour(12),
                overlap_ok: false,
                window: None,
            });
            let (id, visits) = (ONE, visits.collect());
            Command::from(UndoTimeOff { id, visits })
        };
        assert!(!is_long(&visits(100)));
        assert!(is_long(&visits(101)));
        let inactive = |ends: Vec<Id>, n: u128| {
            let (id, cancels) = (ONE, (0..n).map(Id::of).collect());
            Command::from(DeactivateClient { id, ends, cancels })
        };
        assert!(!is_long(&inactive(Vec::new(), 100)));
        assert!(is_long(&inactive(Vec::new(), 101)));
        assert!(is_long(&inactive(vec![OTHER], 0)));
    }

    #[tokio::test]
    async fn one_business_has_one_turn_and_the_next_one_comes_after_it() {
        let turns = LongWrites::new(1);
        let first = turns.acquire(ONE).await.expect("a turn");
        let again = turns.acquire(ONE).await;
        assert!(matches!(again, Err(AppError::TooManyRequests { .. })));
        drop(first);
        assert!(turns.acquire(OTHER).await.is_ok());
        assert!(turns.acquire(ONE).await.is_ok());
    }

    #[tokio::test]
    async fn whoever_waits_for_too_long_is_told_to_come_again() {
        let turns = LongWrites {
            patience: Duration::ZERO,
            ..LongWrites::new(REST_FACTOR)
        };
        let first = turns.acquire(ONE).await.expect("a turn");
        let other = turns.acquire(OTHER).await;
        assert!(matches!(other, Err(AppError::TooManyRequests { .. })));
        drop(first);
    }
}
