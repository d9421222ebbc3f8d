//! Owns the turns at SQLite's one writing connection, and that writes which wait for each other share a commit.
//!
//! What a durable commit costs is the disk's time, and it costs the same for one write as for fifty. Whoever finishes
//! while others wait leaves the transaction open, each of the others adds to it under a savepoint, and the last one
//! commits for all. Nobody is told that a write is done, nor anything that was read of another's, before that.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use sqlx::{Sqlite, SqlitePool};
use tokio::sync::{Mutex, OwnedMutexGuard, oneshot};

use super::{Open, PATIENCE};

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
    /// Those whose writes are in it: told when it is durable, dropped when it is not to be.
    members: Vec<oneshot::Sender<()>>,
}

/// One turn. Where it does not come to its end the transaction is lost, and with it what others have done in it.
#[derive(Debug)]
pub struct Turn {
    turns: Turns,
    shared: OwnedMutexGuard<Shared>,
    is_over: bool,
}

impl Drop for Turn {
    fn drop(&mut self) {
        if !self.is_over {
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
        let (mut open, words) = match shared.open.take() {
            // The savepoint of the turn before is released here, which saves a trip to the database's thread.
            Some(open) if 1 < shared.members.len() => (open, "RELEASE turn; SAVEPOINT turn"),
            Some(open) => (open, "SAVEPOINT turn"),
            // It is taken at once, so that a transaction never fails while upgrading from reading to writing.
            None => (Open::new(writer.acquire().await?), "BEGIN IMMEDIATE"),
        };
        open.turn = Some(Turn {
            turns: self.clone(),
            shared,
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
            let Some(mut open) = shared.open.take() else {
                return;
            };
            match sqlx::query("COMMIT").execute(&mut *open.connection).await {
                Ok(_) => {
                    open.finished = true;
                    shared.tell();
                }
                Err(error) => {
                    tracing::warn!(%error, writes = shared.members.len(), "a commit failed");
                    shared.members.clear();
                }
            }
        });
    }
}

impl Shared {
    fn tell(&mut self) {
        for member in self.members.drain(..) {
            // One who does not wait any more has hung up.
            let _ = member.send(());
        }
    }
}

impl Open<Sqlite> {
    /// Ends a turn, with its writes or without them; returns when all that the transaction has is durable.
    pub async fn end_turn(mut self, mut turn: Turn, keep: bool) -> sqlx::Result<()> {
        let words: &[&'static str] = match (keep, turn.shared.members.is_empty()) {
            (true, _) => &[],
            (false, true) => &["ROLLBACK"],
            (false, false) => &["ROLLBACK TO turn"],
        };
        let is_over = !keep && turn.shared.members.is_empty();
        let is_last = turn.turns.waiting() == 0 || MOST_TOGETHER <= turn.shared.members.len();
        let commit: &[&'static str] = if is_last && !is_over {
            &["COMMIT"]
        } else {
            &[]
        };
        for words in words.iter().chain(commit) {
            sqlx::query(*words).execute(&mut *self.connection).await?;
        }
        turn.is_over = true;
        if is_last || is_over {
            self.finished = true;
            turn.shared.tell();
            return Ok(());
        }
        let (member, durable) = oneshot::channel();
        turn.shared.members.push(member);
        turn.shared.open = Some(self);
        if turn.shared.members.len() == 1 {
            turn.turns.commit_later();
        }
        drop(turn);
        durable
            .await
            .map_err(|_| sqlx::Error::Io(std::io::Error::other("the shared commit failed")))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

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

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn what_was_told_is_there_and_nothing_else_when_some_break_off() {
        let folder = tempfile::tempdir().unwrap();
        let db = database(folder.path()).await;
        let writers = (0..200).map(|n| {
            let db = db.clone();
            tokio::spawn(async move {
                let mut tx = db.write().await.ok()?;
                insert(&mut tx, n).await.ok()?;
                // One in ten hangs up in the middle, and takes down whoever shares its transaction.
                if n % 10 == 0 {
                    None
                } else {
                    tx.commit().await.ok().map(|()| n)
                }
            })
        });
        let mut told = BTreeSet::new();
        for writer in writers.collect::<Vec<_>>() {
            told.extend(writer.await.unwrap());
        }
        assert_eq!(numbers(&db).await, told);
        let mut tx = db.write().await.unwrap();
        insert(&mut tx, 1000).await.unwrap();
        tx.commit().await.unwrap();
        assert!(numbers(&db).await.contains(&1000));
    }
}
