//! Owns the turns at SQLite's one writing connection, and that writes which wait for each other share a commit.
//!
//! What a durable commit costs is the disk's time, and it costs the same for one write as for fifty. Whoever finishes
//! while others wait leaves the transaction open, each of the others adds to it under a savepoint, and the last one
//! commits for all. Nobody is told that a write is done, nor anything that was read of another's, before that.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use sqlx::{Sqlite, SqlitePool};
use tokio::runtime::Handle;
use tokio::sync::{Mutex, OwnedMutexGuard, oneshot};

use super::{Open, PATIENCE};
use crate::log::told;

/// The longest anybody waits for others is about so many writes.
const MOST_TOGETHER: usize = 64;

/// Turns at the writing connection, first come first served.
#[derive(Clone, Debug, Default)]
pub struct Turns {
    shared: Arc<Mutex<Shared>>,
    waiting: Arc<AtomicUsize>,
}

/// A transaction that is open between two turns.
#[derive(Debug, Default)]
struct Shared {
    open: Option<Open<Sqlite>>,
    /// Whether the turn before had one.
    has_savepoint: bool,
    /// Those whose writes are in it: told when it is durable, dropped when it is not to be.
    members: Vec<oneshot::Sender<()>>,
}

/// One turn.
///
/// INVARIANT: A turn that comes to no end takes back its own writes and no others.
#[derive(Debug)]
pub struct Turn {
    turns: Turns,
    shared: OwnedMutexGuard<Shared>,
    /// Whether it began the transaction, so that nobody else's writes were in it.
    is_first: bool,
    is_over: bool,
}

impl Drop for Turn {
    fn drop(&mut self) {
        if !self.is_over {
            // The transaction is lost, and with it what others have done in it.
            self.shared.members.clear();
        }
    }
}

/// Somebody who waits for a turn.
struct Waiting<'a>(&'a AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Turns {
    /// Waits for a turn and begins to write, in a transaction of one's own or in the open one.
    pub async fn begin(&self, writer: &SqlitePool) -> sqlx::Result<Open<Sqlite>> {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let waiting = Waiting(&self.waiting);
        let turn = tokio::time::timeout(PATIENCE, Arc::clone(&self.shared).lock_owned()).await;
        let mut shared = turn.map_err(|_| sqlx::Error::PoolTimedOut)?;
        drop(waiting);
        let found = shared.open.take();
        let is_first = found.is_none();
        let (mut open, words) = match found {
            // The savepoint of the turn before is released here, which saves a trip to the database's thread.
            Some(open) if shared.has_savepoint => (open, "RELEASE turn; SAVEPOINT turn"),
            Some(open) => (open, "SAVEPOINT turn"),
            // It is taken at once, so that a transaction never fails while upgrading from reading to writing.
            None => (Open::new(writer.acquire().await?), "BEGIN IMMEDIATE"),
        };
        open.turn = Some(Turn {
            turns: self.clone(),
            shared,
            is_first,
            is_over: false,
        });
        open.open_with(words);
        Ok(open)
    }

    /// How many wait for their turn now.
    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Commits what is open when all that wait now have had their turn.
    fn commit_later(&self) {
        let shared = Arc::clone(&self.shared);
        tokio::spawn(async move {
            let mut shared = shared.lock_owned().await;
            let Some(open) = shared.open.take() else {
                return;
            };
            if let Err(error) = shared.commit(open).await {
                tracing::warn!(error = told(&error), "a commit failed");
            }
        });
    }
}

impl Shared {
    /// Makes all that is in the transaction durable, and tells those who wait for that.
    async fn commit(&mut self, mut open: Open<Sqlite>) -> sqlx::Result<()> {
        // Dropped untold where the commit fails.
        let members = std::mem::take(&mut self.members);
        open.run("COMMIT").await?;
        open.finished = true;
        for member in members {
            // One who does not wait any more has hung up.
            let _ = member.send(());
        }
        Ok(())
    }
}

impl Turn {
    /// Ends the turn, with its writes or without them; returns when all that the transaction has is durable.
    pub async fn end(mut self, mut open: Open<Sqlite>, keep: bool) -> sqlx::Result<()> {
        if keep {
            self.shared.has_savepoint = !self.is_first;
        }
        if keep && !self.is_last() {
            return durable(self.leave_open(open)).await;
        }
        // A commit that was begun is finished, whoever hangs up: others' writes are in it.
        let ending = tokio::spawn(async move {
            if !keep && !self.take_back(&mut open).await? {
                self.end_alone(open);
            } else if self.is_last() {
                self.commit(open).await?;
            } else {
                return Ok(Some(self.leave_open(open)));
            }
            Ok(None)
        });
        let ended: sqlx::Result<_> = ending.await.map_err(|_| lost())?;
        match ended? {
            Some(told) => durable(told).await,
            None => Ok(()),
        }
    }

    /// Ends the turn of somebody who has left, or whose statement has failed.
    pub fn abandon(mut self, mut open: Open<Sqlite>) {
        // Without a runtime the process ends, and the transaction with it.
        let Ok(runtime) = Handle::try_current() else {
            return;
        };
        runtime.spawn(async move {
            match self.take_back(&mut open).await {
                Ok(true) => self.pass_on(open),
                Ok(false) => self.end_alone(open),
                Err(error) => {
                    tracing::warn!(
                        error = told(&error),
                        writes = self.shared.members.len(),
                        "a transaction is lost"
                    );
                }
            }
        });
    }

    async fn commit(mut self, open: Open<Sqlite>) -> sqlx::Result<()> {
        self.is_over = true;
        self.shared.commit(open).await
    }

    fn is_last(&self) -> bool {
        self.turns.waiting() == 0 || MOST_TOGETHER <= self.shared.members.len()
    }

    /// Takes back what this turn has written, all of it or what of it was done before its caller left. Whether the
    /// transaction goes on, with the writes of others in it.
    async fn take_back(&mut self, open: &mut Open<Sqlite>) -> sqlx::Result<bool> {
        if open.forget() {
            // Nothing was sent: the savepoint is that of the turn before.
            return Ok(!self.is_first);
        }
        if self.is_first {
            return open.run("ROLLBACK").await.map(|()| false);
        }
        // What was sent has at least released the savepoint of the turn before, whenever its caller left.
        let taken_back = open.run("ROLLBACK TO turn").await;
        self.shared.has_savepoint = taken_back.is_ok();
        if let Err(error) = taken_back
            // There was none yet, or no transaction any more: SQLite itself takes all back, as on a full disk.
            && open.run("BEGIN").await.is_ok()
        {
            return Err(error);
        }
        Ok(true)
    }

    /// Leaves the transaction to those who wait; the receiver is told when it is durable.
    fn leave_open(mut self, open: Open<Sqlite>) -> oneshot::Receiver<()> {
        let (member, told) = oneshot::channel();
        self.shared.members.push(member);
        if self.shared.members.len() == 1 {
            self.turns.commit_later();
        }
        self.pass_on(open);
        told
    }

    fn pass_on(mut self, open: Open<Sqlite>) {
        self.is_over = true;
        self.shared.open = Some(open);
    }

    /// Ends a turn whose transaction had nobody else's writes and is no more.
    fn end_alone(mut self, mut open: Open<Sqlite>) {
        self.is_over = true;
        open.finished = true;
    }
}

async fn durable(told: oneshot::Receiver<()>) -> sqlx::Result<()> {
    told.await.map_err(|_| lost())
}

fn lost() -> sqlx::Error {
    sqlx::Error::Io(std::io::Error::other("the shared commit failed"))
}

impl Open<Sqlite> {
    async fn run(&mut self, words: &'static str) -> sqlx::Result<()> {
        sqlx::query(words)
            .execute(&mut *self.connection)
            .await
            .map(drop)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::pin::Pin;
    use std::task::{Context, Poll};

    use sqlx::Row as _;

    use super::super::{Db, Tx};
    use crate::on_tx;

    async fn database(folder: &std::path::Path) -> Db {
        let db = Db::open_sqlite(&folder.join("db"), 2).await.unwrap();
        let mut tx = db.write().await.unwrap();
        let table = "CREATE TABLE number (n INTEGER PRIMARY KEY) STRICT";
        on_tx!(&mut tx, connection => sqlx::query(table).execute(connection).await.map(drop))
            .unwrap();
        tx.commit().await.unwrap();
        db
    }

    async fn insert(tx: &mut Tx, n: i64) -> sqlx::Result<()> {
        on_tx!(tx, connection => sqlx::query("INSERT INTO number VALUES ($1)").bind(n).execute(connection).await.map(drop))
    }

    async fn numbers(db: &Db) -> BTreeSet<i64> {
        let mut tx = db.read().await.unwrap();
        let Tx::Sqlite(open) = &mut tx else {
            unreachable!()
        };
        let rows = sqlx::query("SELECT n FROM number")
            .fetch_all(&mut *open.connection)
            .await
            .unwrap();
        tx.commit().await.unwrap();
        rows.iter().map(|it| it.get(0)).collect()
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn writes_at_the_same_time_are_all_there() {
        let folder = tempfile::tempdir().unwrap();
        let db = database(folder.path()).await;
        let writers = (0..200).map(|n| {
            let db = db.clone();
            tokio::spawn(async move {
                let mut tx = db.write().await?;
                insert(&mut tx, n).await?;
                tx.commit().await
            })
        });
        for writer in writers.collect::<Vec<_>>() {
            writer.await.unwrap().unwrap();
        }
        assert_eq!(numbers(&db).await, (0..200).collect());
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn one_that_takes_its_writes_back_leaves_those_of_the_others() {
        let folder = tempfile::tempdir().unwrap();
        let db = database(folder.path()).await;
        let writers = (0..200).map(|n| {
            let db = db.clone();
            tokio::spawn(async move {
                let mut tx = db.write().await?;
                insert(&mut tx, n).await?;
                if n % 3 == 0 {
                    tx.rollback().await
                } else {
                    tx.commit().await
                }
            })
        });
        for writer in writers.collect::<Vec<_>>() {
            writer.await.unwrap().unwrap();
        }
        assert_eq!(
            numbers(&db).await,
            (0..200).filter(|n| n % 3 != 0).collect()
        );
    }

    /// A caller who is asked so many times how far it is, and then hangs up.
    struct HangsUp<F> {
        call: Pin<Box<F>>,
        after: usize,
    }

    impl<F: Future> Future for HangsUp<F> {
        type Output = Option<F::Output>;

        fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
            self.after -= 1;
            match self.call.as_mut().poll(context) {
                Poll::Pending if self.after == 0 => Poll::Ready(None),
                told => told.map(Some),
            }
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_turn_that_comes_to_no_end_takes_back_its_own_writes_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let db = database(folder.path()).await;
        for round in 0..10 {
            let writers = (round * 200..round * 200 + 200).map(|n| {
                let db = db.clone();
                let write = async move {
                    let mut tx = db.write().await.unwrap();
                    insert(&mut tx, 2 * n).await.unwrap();
                    insert(&mut tx, 2 * n + 1).await.unwrap();
                    tx.commit().await.unwrap();
                };
                // Every other one, each somewhere else on its way.
                let after = if n % 2 == 0 {
                    usize::MAX
                } else {
                    1 + n as usize % 13
                };
                tokio::spawn(HangsUp {
                    call: Box::pin(write),
                    after,
                })
            });
            for (place, writer) in writers.collect::<Vec<_>>().into_iter().enumerate() {
                let told = writer.await.expect("nobody else's write fails");
                assert!(place % 2 == 1 || told.is_some());
            }
        }
        // Whatever hung up while it was being committed may be there, but whole.
        let there = numbers(&db).await;
        for n in 0..2_000 {
            assert!(
                n % 2 == 1 || there.contains(&(2 * n)),
                "{n} was told and is gone"
            );
            assert_eq!(
                there.contains(&(2 * n)),
                there.contains(&(2 * n + 1)),
                "{n} is there by half"
            );
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn what_was_told_is_there_and_nothing_else_when_some_break_off() {
        let folder = tempfile::tempdir().unwrap();
        let db = database(folder.path()).await;
        let writers = (0..200).map(|n| {
            let db = db.clone();
            tokio::spawn(async move {
                let mut tx = db.write().await.unwrap();
                insert(&mut tx, n).await.unwrap();
                // One in ten breaks off in the middle.
                if n % 10 != 0 {
                    tx.commit().await.unwrap();
                }
            })
        });
        for writer in writers.collect::<Vec<_>>() {
            writer.await.expect("who does not break off succeeds");
        }
        assert_eq!(
            numbers(&db).await,
            (0..200).filter(|n| n % 10 != 0).collect()
        );
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_statement_that_fails_costs_nobody_else_anything() {
        let folder = tempfile::tempdir().unwrap();
        let db = database(folder.path()).await;
        let writers = (0..200).map(|n| {
            let db = db.clone();
            tokio::spawn(async move {
                let mut tx = db.write().await?;
                insert(&mut tx, n).await?;
                if n % 10 == 0 {
                    insert(&mut tx, n).await?;
                }
                tx.commit().await
            })
        });
        for (n, writer) in writers.collect::<Vec<_>>().into_iter().enumerate() {
            assert_eq!(writer.await.unwrap().is_err(), n % 10 == 0, "{n}");
        }
        assert_eq!(
            numbers(&db).await,
            (0..200).filter(|n| n % 10 != 0).collect()
        );
    }
}
