//! Owns the queue for SQLite's one writing connection, and that writes which wait for each other share a commit.
//!
//! What a durable commit costs is the disk's time, and it costs the same for one write as for fifty. Whoever finishes
//! while others wait leaves the transaction open, each of the others adds to it under a savepoint, and the last one
//! commits for all. Nobody is told that a write is done, nor anything that was read of another's, before that: so a
//! commit comes after a while at the latest, and long writes of some hold up nobody else.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use sqlx::{Sqlite, SqlitePool};
use tokio::runtime::Handle;
use tokio::sync::{Mutex, OwnedMutexGuard, oneshot};

use super::{TxConnection, WAIT_TIMEOUT};
use crate::base::log::redacted;

/// The longest anybody waits for others is about so many writes, and so long: a commit costs a disk a few milliseconds.
const MAX_GROUP: usize = 64;
const MAX_GROUP_TIME: Duration = Duration::from_millis(20);

/// Those who wait for the writing connection, first come first served.
#[derive(Clone, Debug, Default)]
pub struct WriterQueue {
    group: Arc<Mutex<CommitGroup>>,
    n_waiting: Arc<AtomicUsize>,
}

/// Writes that are committed together.
#[derive(Debug, Default)]
struct CommitGroup {
    /// The open transaction, between two turns.
    open: Option<TxConnection<Sqlite>>,
    /// The start of its first turn.
    begun: Option<Instant>,
    /// True if the previous turn left a savepoint, which the next one releases.
    has_savepoint: bool,
    /// Callers whose writes are in it: notified when it is durable, dropped when it will not be.
    members: Vec<oneshot::Sender<()>>,
}

/// One turn at the writing connection.
///
/// INVARIANT: A turn that comes to no end takes back its own writes and no others.
#[derive(Debug)]
pub struct WriterTurn {
    queue: WriterQueue,
    group: OwnedMutexGuard<CommitGroup>,
    /// True if this turn began the transaction, so that nobody else's writes were in it.
    is_first: bool,
    is_over: bool,
}

impl Drop for WriterTurn {
    fn drop(&mut self) {
        if !self.is_over {
            // The transaction is lost, and with it what others have done in it.
            self.group.members.clear();
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

impl WriterQueue {
    /// Waits for a turn and begins to write, in a transaction of one's own or in the open one.
    pub async fn begin(&self, writer: &SqlitePool) -> sqlx::Result<TxConnection<Sqlite>> {
        self.n_waiting.fetch_add(1, Ordering::Relaxed);
        let waiting = Waiting(&self.n_waiting);
        let turn = tokio::time::timeout(WAIT_TIMEOUT, Arc::clone(&self.group).lock_owned()).await;
        let mut group = turn.map_err(|_| sqlx::Error::PoolTimedOut)?;
        drop(waiting);
        let found = group.open.take();
        let is_first = found.is_none();
        if is_first {
            group.begun = Some(Instant::now());
        }
        let (mut open, begin) = match found {
            // The savepoint of the turn before is released here, which saves a trip to the database's thread.
            Some(open) if group.has_savepoint => (open, "RELEASE turn; SAVEPOINT turn"),
            Some(open) => (open, "SAVEPOINT turn"),
            // It is taken at once, so that a transaction never fails while upgrading from reading to writing.
            None => (
                TxConnection::new(writer.acquire().await?),
                "BEGIN IMMEDIATE",
            ),
        };
        open.turn = Some(WriterTurn {
            queue: self.clone(),
            group,
            is_first,
            is_over: false,
        });
        open.begin_with(begin);
        Ok(open)
    }

    /// How many wait for their turn now.
    pub fn n_waiting(&self) -> usize {
        self.n_waiting.load(Ordering::Relaxed)
    }

    /// Commits what is open when all that wait now have had their turn.
    fn commit_in_background(&self) {
        let group = Arc::clone(&self.group);
        tokio::spawn(async move {
            let mut group = group.lock_owned().await;
            let Some(open) = group.open.take() else {
                return;
            };
            if let Err(error) = group.commit(open).await {
                tracing::warn!(error = redacted(&error), "a commit failed");
            }
        });
    }
}

impl CommitGroup {
    /// Makes all that is in the transaction durable, and tells those who wait for that.
    async fn commit(&mut self, mut open: TxConnection<Sqlite>) -> sqlx::Result<()> {
        // Dropped untold where the commit fails.
        let members = std::mem::take(&mut self.members);
        open.run("COMMIT").await?;
        open.is_finished = true;
        for member in members {
            // One who does not wait any more has hung up.
            let _ = member.send(());
        }
        Ok(())
    }
}

impl WriterTurn {
    /// Ends the turn with its writes; returns when all that the transaction has is durable.
    pub async fn commit(mut self, open: TxConnection<Sqlite>) -> sqlx::Result<()> {
        self.group.has_savepoint = !self.is_first;
        if !self.is_last() {
            return durable(self.join_group(open)).await;
        }
        // A commit that was begun is finished, whoever hangs up: others' writes are in it.
        let committing = tokio::spawn(self.commit_group(open));
        committing.await.map_err(|_| commit_failed())?
    }

    /// Ends the turn without its writes; returns when those of others, which it may have read, are durable.
    pub async fn rollback(mut self, mut open: TxConnection<Sqlite>) -> sqlx::Result<()> {
        // For the others' sake it is finished, whoever hangs up.
        let ending = tokio::spawn(async move {
            if !self.take_back(&mut open).await? {
                self.finish_alone(open);
            } else if self.is_last() {
                self.commit_group(open).await?;
            } else {
                return Ok(Some(self.join_group(open)));
            }
            Ok(None)
        });
        let ended: sqlx::Result<_> = ending.await.map_err(|_| commit_failed())?;
        match ended? {
            Some(committed) => durable(committed).await,
            None => Ok(()),
        }
    }

    /// Ends the turn of somebody who has left, or whose statement has failed.
    pub fn abandon(mut self, mut open: TxConnection<Sqlite>) {
        // Without a runtime the process ends, and the transaction with it.
        let Ok(runtime) = Handle::try_current() else {
            return;
        };
        runtime.spawn(async move {
            match self.take_back(&mut open).await {
                Ok(true) => self.hand_over(open),
                Ok(false) => self.finish_alone(open),
                Err(error) => {
                    tracing::warn!(
                        error = redacted(&error),
                        writes = self.group.members.len(),
                        "a transaction is lost"
                    );
                }
            }
        });
    }

    async fn commit_group(mut self, open: TxConnection<Sqlite>) -> sqlx::Result<()> {
        self.is_over = true;
        self.group.commit(open).await
    }

    fn is_last(&self) -> bool {
        let begun = self.group.begun;
        self.queue.n_waiting() == 0
            || MAX_GROUP <= self.group.members.len()
            || begun.is_some_and(|it| MAX_GROUP_TIME <= it.elapsed())
    }

    /// Takes back what this turn has written, all of it or what of it was done before its caller left. Whether the
    /// transaction goes on, with the writes of others in it.
    async fn take_back(&mut self, open: &mut TxConnection<Sqlite>) -> sqlx::Result<bool> {
        if open.discard_pending() {
            // Nothing was sent: the savepoint is that of the turn before.
            return Ok(!self.is_first);
        }
        if self.is_first {
            return open.run("ROLLBACK").await.map(|()| false);
        }
        // What was sent has at least released the savepoint of the turn before, whenever its caller left.
        let taken_back = open.run("ROLLBACK TO turn").await;
        self.group.has_savepoint = taken_back.is_ok();
        if let Err(error) = taken_back
            // There was none yet, or no transaction any more: SQLite itself takes all back, as on a full disk.
            && open.run("BEGIN").await.is_ok()
        {
            return Err(error);
        }
        Ok(true)
    }

    /// Leaves the transaction to those who wait; the receiver is told when it is durable.
    fn join_group(mut self, open: TxConnection<Sqlite>) -> oneshot::Receiver<()> {
        let (member, committed) = oneshot::channel();
        self.group.members.push(member);
        if self.group.members.len() == 1 {
            self.queue.commit_in_background();
        }
        self.hand_over(open);
        committed
    }

    fn hand_over(mut self, open: TxConnection<Sqlite>) {
        self.is_over = true;
        self.group.open = Some(open);
    }

    /// Ends a turn whose transaction had nobody else's writes and is no more.
    fn finish_alone(mut self, mut open: TxConnection<Sqlite>) {
        self.is_over = true;
        open.is_finished = true;
    }
}

async fn durable(committed: oneshot::Receiver<()>) -> sqlx::Result<()> {
    committed.await.map_err(|_| commit_failed())
}

fn commit_failed() -> sqlx::Error {
    sqlx::Error::Io(std::io::Error::other("the shared commit failed"))
}

impl TxConnection<Sqlite> {
    async fn run(&mut self, sql: &'static str) -> sqlx::Result<()> {
        sqlx::query(sql).execute(self.connection()).await.map(drop)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::pin::Pin;
    use std::task::{Context, Poll};

    use super::super::{Column as _, Db, Tx};

    async fn database(folder: &std::path::Path) -> Db {
        let db = Db::open_sqlite(&folder.join("db"), 2).await.unwrap();
        let mut tx = db.write().await.unwrap();
        let table = "CREATE TABLE number (n INTEGER PRIMARY KEY) STRICT";
        tx.defer(table, []).await.unwrap();
        tx.commit().await.unwrap();
        db
    }

    async fn insert(tx: &mut Tx, n: i64) -> sqlx::Result<()> {
        tx.execute("INSERT INTO number VALUES ($1)", [n.arg()])
            .await
            .map(drop)
    }

    async fn numbers(db: &Db) -> BTreeSet<i64> {
        let mut tx = db.read().await.unwrap();
        let rows = tx.fetch_all("SELECT n FROM number", [], |row| i64::get(row, "n"));
        let numbers = rows.await.unwrap();
        tx.commit().await.unwrap();
        numbers.into_iter().collect()
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
