//! Owns permits for work that takes a core and much memory: few at once, not many waiting, and each permit lasts as long
//! as the work does, also where the one who asked for it has hung up.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use rustix::process::nice;
use tokio::sync::{Semaphore, oneshot};

use crate::base::error::AppError;

/// How far work with a permit steps back behind calls, in steps of nice(2): where calls take every core, it has a quarter of
/// one, and a password that is hashed in 50 ms takes 200.
const STEPS_BACK: i32 = 5;

/// Starts work on a thread of its own, which steps back behind everybody else's calls by so many steps of nice(2). Nothing comes
/// where it panics.
pub fn step_back<T: Send + 'static>(
    steps: i32,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<oneshot::Receiver<T>, AppError> {
    let (tell, done) = oneshot::channel();
    thread::Builder::new()
        .name("behind".to_owned())
        .spawn(move || {
            // Where it may not step back, it works all the same. A caller who left is told nothing.
            let _ = nice(steps);
            let _ = tell.send(work());
        })
        .map_err(|it| AppError::Internal(it.into()))?;
    Ok(done)
}

/// Permits for one kind of work.
#[derive(Debug)]
pub struct Permits {
    at_once: Arc<Semaphore>,
    admitted: Arc<Semaphore>,
}

impl Permits {
    /// So many work at once, and so many may wait.
    pub fn new(at_once: usize, waiting: usize) -> Self {
        Self {
            at_once: Arc::new(Semaphore::new(at_once)),
            admitted: Arc::new(Semaphore::new(at_once + waiting)),
        }
    }

    /// Does the work behind calls when there is a permit. Where too many wait already it is refused at once.
    ///
    /// INVARIANT: a permit ends with its work and not with its caller.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, AppError> {
        let admission = Arc::clone(&self.admitted)
            .try_acquire_owned()
            .map_err(|_| AppError::Unavailable(anyhow::anyhow!("too many wait for a permit")))?;
        let permit = Arc::clone(&self.at_once)
            .acquire_owned()
            .await
            .map_err(|it| AppError::Unavailable(it.into()))?;
        let work = move || {
            let done = work();
            drop((permit, admission));
            done
        };
        let done = step_back(STEPS_BACK, work)?;
        done.await.map_err(|it| AppError::Internal(it.into()))
    }
}

/// Permits for work that takes a core for long, fair between those who ask: of all that wait, those go first who have had the
/// least of late, so that whoever has much done waits for themselves.
#[derive(Debug)]
pub struct FairPermits(Arc<FairQueue>);

#[derive(Debug)]
struct FairQueue {
    at_once: usize,
    waiting: usize,
    state: Mutex<FairState>,
}

#[derive(Debug, Default)]
struct FairState {
    n_running: usize,
    last: u64,
    waiting: Vec<PermitWaiter>,
    used: HashMap<String, RecentUse>,
}

/// A caller that waits for a permit.
#[derive(Debug)]
struct PermitWaiter {
    number: u64,
    keys: Vec<String>,
    admit: oneshot::Sender<FairPermit>,
}

/// The time that a key's work has taken of late.
#[derive(Clone, Copy, Debug)]
struct RecentUse {
    ms: f64,
    at: Instant,
}

/// Halves what was used.
const HALF_LIFE_S: f64 = 30.0;
/// Beyond so many keys those are forgotten that have used next to nothing.
const MANY_KEYS: usize = 1_000;
/// So many of one key wait; an app asks for a few things at once.
const WAITING_OF_KEY: usize = 6;

/// A permit of `FairPermits`: whoever drops it lets the next one in.
#[derive(Debug)]
pub struct FairPermit {
    queue: Arc<FairQueue>,
    keys: Vec<String>,
    begun: Instant,
}

impl FairPermits {
    /// So many work at once, and so many may wait.
    pub fn new(at_once: usize, waiting: usize) -> Self {
        Self(Arc::new(FairQueue {
            at_once,
            waiting,
            state: Mutex::default(),
        }))
    }

    /// Waits for a permit in the name of these keys, each of which counts by itself.
    pub async fn acquire(&self, keys: Vec<String>) -> Result<FairPermit, AppError> {
        let admitted = self.0.join(keys)?;
        self.0.admit();
        admitted.await.map_err(|_| busy())
    }

    /// Does the work behind calls when there is a permit, which ends with the work and not with its caller.
    pub async fn run<T: Send + 'static>(
        &self,
        keys: Vec<String>,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, AppError> {
        let permit = self.acquire(keys).await?;
        permit.run(work).await
    }
}

fn busy() -> AppError {
    AppError::Unavailable(anyhow::anyhow!("too many wait for a permit"))
}

impl FairPermit {
    /// Does the work behind calls.
    pub async fn run<T: Send + 'static>(
        self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, AppError> {
        let work = move || {
            let done = work();
            drop(self);
            done
        };
        let done = step_back(STEPS_BACK, work)?;
        done.await.map_err(|it| AppError::Internal(it.into()))
    }
}

impl Drop for FairPermit {
    fn drop(&mut self) {
        let ms = self.begun.elapsed().as_secs_f64() * 1e3;
        let mut state = self.queue.lock();
        state.n_running -= 1;
        state.note(&self.keys, ms);
        drop(state);
        self.queue.admit();
    }
}

impl FairQueue {
    fn lock(&self) -> MutexGuard<'_, FairState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn join(&self, keys: Vec<String>) -> Result<oneshot::Receiver<FairPermit>, AppError> {
        let mut state = self.lock();
        state.waiting.retain(|it| !it.admit.is_closed());
        let of_key = |key: &String| {
            let same = state.waiting.iter().filter(|it| it.keys.contains(key));
            same.count()
        };
        if keys.iter().any(|it| WAITING_OF_KEY <= of_key(it)) {
            return Err(AppError::TooManyRequests { retry_after_s: 1 });
        }
        if self.waiting <= state.waiting.len() {
            // Who has had the most gives way, if that is not the one who comes.
            let place = state.most_used().ok_or_else(busy)?;
            let most = state.waiting.get(place).map(|it| state.score(&it.keys));
            if most.is_none_or(|it| it <= state.score(&keys)) {
                return Err(busy());
            }
            state.waiting.swap_remove(place);
        }
        state.last += 1;
        let (admit, admitted) = oneshot::channel();
        let number = state.last;
        state.waiting.push(PermitWaiter {
            number,
            keys,
            admit,
        });
        Ok(admitted)
    }

    /// Gives permits to those who wait, as long as there are some.
    fn admit(self: &Arc<Self>) {
        loop {
            let mut state = self.lock();
            if self.at_once <= state.n_running {
                return;
            }
            let Some(next) = state.take_next() else {
                return;
            };
            state.n_running += 1;
            drop(state);
            let permit = FairPermit {
                queue: Arc::clone(self),
                keys: next.keys,
                begun: Instant::now(),
            };
            // Who has left meanwhile gives it back at once.
            drop(next.admit.send(permit));
        }
    }
}

impl FairState {
    /// The most that one of these keys has used.
    fn score(&self, keys: &[String]) -> f64 {
        let used = keys.iter().filter_map(|it| self.used.get(it));
        used.map(RecentUse::now).fold(0.0, f64::max)
    }

    fn most_used(&self) -> Option<usize> {
        let scores = self
            .waiting
            .iter()
            .map(|it| (self.score(&it.keys), it.number));
        let most = scores.enumerate().max_by(|(_, a), (_, b)| {
            let by_use = a.0.total_cmp(&b.0);
            by_use.then(a.1.cmp(&b.1))
        });
        most.map(|(place, _)| place)
    }

    fn take_next(&mut self) -> Option<PermitWaiter> {
        self.waiting.retain(|it| !it.admit.is_closed());
        let scores = self
            .waiting
            .iter()
            .map(|it| (self.score(&it.keys), it.number));
        let least = scores.enumerate().min_by(|(_, a), (_, b)| {
            let by_use = a.0.total_cmp(&b.0);
            by_use.then(a.1.cmp(&b.1))
        });
        let (place, _) = least?;
        Some(self.waiting.swap_remove(place))
    }

    fn note(&mut self, keys: &[String], ms: f64) {
        for key in keys {
            let before = self.used.get(key).map_or(0.0, RecentUse::now);
            let used = RecentUse {
                ms: before + ms,
                at: Instant::now(),
            };
            self.used.insert(key.clone(), used);
        }
        if MANY_KEYS < self.used.len() {
            self.used.retain(|_, it| 1.0 < it.now());
        }
    }
}

impl RecentUse {
    /// The part of it that still counts.
    fn now(&self) -> f64 {
        self.ms * 0.5_f64.powf(self.at.elapsed().as_secs_f64() / HALF_LIFE_S)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use futures_util::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn a_permit_ends_with_its_work_and_not_with_its_caller() {
        let permits = Arc::new(Permits::new(1, 0));
        let (begun, has_begun) = tokio::sync::oneshot::channel();
        let (end, may_end) = mpsc::channel::<()>();
        let work = move || {
            let _ = begun.send(());
            let _ = may_end.recv();
        };
        let caller = tokio::spawn({
            let permits = Arc::clone(&permits);
            async move { permits.run(work).await }
        });
        has_begun.await.expect("the work begins");
        caller.abort();
        assert!(caller.await.is_err_and(|it| it.is_cancelled()));
        let refused = permits.run(|| ()).await;
        assert!(matches!(refused, Err(AppError::Unavailable(_))));
        end.send(()).expect("the work goes on");
        let admission = Arc::clone(&permits.admitted).acquire_owned().await;
        drop(admission);
        assert!(permits.run(|| ()).await.is_ok());
    }

    #[tokio::test]
    async fn one_who_panics_gives_the_permit_back() {
        let permits = Permits::new(1, 0);
        assert!(permits.run(|| assert_eq!(1, 2)).await.is_err());
        assert!(permits.run(|| ()).await.is_ok());
    }

    fn keys(key: &str) -> Vec<String> {
        vec![key.to_owned()]
    }

    #[tokio::test]
    async fn who_has_had_the_least_goes_first() {
        let permits = FairPermits::new(1, 10);
        permits.0.lock().note(&keys("much"), 10_000.0);
        let running = permits.acquire(keys("much")).await.expect("a permit");
        let mut much = Box::pin(permits.acquire(keys("much")));
        let mut little = Box::pin(permits.acquire(keys("little")));
        // Both wait, and the one that has had much for longer.
        assert!((&mut much).now_or_never().is_none());
        assert!((&mut little).now_or_never().is_none());
        drop(running);
        assert!((&mut much).now_or_never().is_none());
        let permit = little.await.expect("a permit");
        drop(permit);
        assert!(much.await.is_ok());
    }

    #[tokio::test]
    async fn one_who_leaves_while_waiting_gives_way_to_the_next() {
        let permits = FairPermits::new(1, 10);
        let running = permits.acquire(keys("a")).await.expect("a permit");
        let mut left = Box::pin(permits.acquire(keys("b")));
        assert!((&mut left).now_or_never().is_none());
        let mut next = Box::pin(permits.acquire(keys("c")));
        assert!((&mut next).now_or_never().is_none());
        drop(left);
        drop(running);
        assert!(next.await.is_ok());
        assert_eq!(permits.0.lock().n_running, 0);
    }

    #[tokio::test]
    async fn where_too_many_wait_who_has_had_the_most_gives_way() {
        let permits = FairPermits::new(1, 2);
        permits.0.lock().note(&keys("much"), 10_000.0);
        let _running = permits.acquire(keys("a")).await.expect("a permit");
        let mut much = Box::pin(permits.acquire(keys("much")));
        let mut some = Box::pin(permits.acquire(keys("b")));
        assert!((&mut much).now_or_never().is_none());
        assert!((&mut some).now_or_never().is_none());
        let mut new = Box::pin(permits.acquire(keys("c")));
        assert!((&mut new).now_or_never().is_none());
        assert!(matches!(much.await, Err(AppError::Unavailable(_))));
        let refused = permits.acquire(keys("much")).await;
        assert!(matches!(refused, Err(AppError::Unavailable(_))));
    }

    #[tokio::test]
    async fn few_of_one_key_wait() {
        let permits = FairPermits::new(1, 100);
        let _running = permits.acquire(keys("a")).await.expect("a permit");
        let mut waiting: Vec<_> = (0..WAITING_OF_KEY)
            .map(|_| Box::pin(permits.acquire(keys("a"))))
            .collect();
        for it in &mut waiting {
            assert!(it.now_or_never().is_none());
        }
        let refused = permits.acquire(keys("a")).await;
        assert!(matches!(refused, Err(AppError::TooManyRequests { .. })));
    }
}
