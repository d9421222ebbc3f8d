//! Owns permits for work that takes a core and much memory: few at once, not many waiting, and each permit lasts as long
//! as the work does, also where the one who asked for it has hung up.

use std::sync::Arc;

use tokio::sync::Semaphore;

use crate::error::AppError;

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

    /// Does the work on the blocking pool when there is a permit. Where too many wait already it is refused at once.
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
        tokio::task::spawn_blocking(work)
            .await
            .map_err(|it| AppError::Internal(it.into()))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

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
}
