//! Connections and transactions of the two databases. No statement is run but by `batch.rs`.
//!
//! Statements whose text differs between the databases: the words that begin a transaction (below) and the tokens of
//! the migrations (`migrate.rs`). Everything else is one text.

mod batch;
mod column;
pub mod fault;
mod group_commit;
mod migrate;
mod transfer;

use std::num::NonZeroUsize;
use std::path::Path;
use std::str::FromStr;
use std::time::{Duration, Instant};

use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions as _, Connection as _, Database, PgPool, Postgres, Sqlite, SqlitePool};

use fault::{Moment, inject_fault};

use crate::base::error::AppError;
use crate::base::metrics;

pub use batch::ROWS_AT_ONCE;
pub(super) use batch::{BatchQuery, Texts};
pub(super) use column::unreadable;
pub use column::{Arg, Column, DbRow};
pub use group_commit::WriterQueue;
pub use transfer::{MovedTable, ensure_moved, move_rows};

/// The database of this server.
#[derive(Clone, Debug)]
pub enum Db {
    /// A file; one connection writes and several read beside it.
    Sqlite {
        /// One connection: SQLite has one writer, and waiting in the pool is fairer than waiting in SQLite.
        writer: SqlitePool,
        /// Callers that wait for the writer.
        queue: WriterQueue,
        /// Sees the last commit while a write is under way (WAL).
        readers: SqlitePool,
    },
    /// A server, which other processes of Walkies may use too.
    Postgres(PgPool),
}

/// A transaction on either database.
///
/// INVARIANT: A connection whose transaction came to no end is rolled back or closed. What broke off half way, on a full
/// disk or because its caller hung up, must not be found open by whoever has the connection next.
#[derive(Debug)]
pub enum Tx {
    /// A transaction on SQLite.
    Sqlite(TxConnection<Sqlite>),
    /// A transaction on Postgres.
    Postgres(TxConnection<Postgres>),
}

/// A connection with a transaction open on it.
#[derive(Debug)]
pub struct TxConnection<D: Abandon> {
    /// `None` once it was handed on.
    connection: Option<PoolConnection<D>>,
    is_finished: bool,
    /// The turn of a transaction that writes on SQLite.
    turn: Option<group_commit::WriterTurn>,
    /// Statements that are still to be run, on SQLite.
    batch: batch::Batch,
}

impl<D: Abandon> TxConnection<D> {
    fn new(connection: PoolConnection<D>) -> Self {
        Self {
            connection: Some(connection),
            is_finished: false,
            turn: None,
            batch: batch::Batch::default(),
        }
    }

    /// The connection itself. What waits to be written has not gone over it.
    pub fn connection(&mut self) -> &mut D::Connection {
        self.connection
            .as_mut()
            .expect("it is handed on only at its end")
    }
}

impl<D: Abandon> Drop for TxConnection<D> {
    fn drop(&mut self) {
        if !self.is_finished {
            D::abandon(self);
        }
    }
}

/// Cleanup of a connection whose transaction was neither committed nor rolled back.
pub trait Abandon: Database {
    /// Leaves it so that the next one finds no transaction on it.
    fn abandon(open: &mut TxConnection<Self>);
}

impl Abandon for Postgres {
    fn abandon(open: &mut TxConnection<Self>) {
        if let Some(connection) = &mut open.connection {
            connection.close_on_drop();
        }
    }
}

impl Abandon for Sqlite {
    fn abandon(open: &mut TxConnection<Self>) {
        let Some(mut connection) = open.connection.take() else {
            return;
        };
        let Some(turn) = open.turn.take() else {
            if !open.discard_pending() {
                connection.close_on_drop();
            }
            return;
        };
        let mut left = TxConnection::new(connection);
        left.batch = std::mem::take(&mut open.batch);
        turn.abandon(left);
    }
}

impl Db {
    /// Opens the database: `postgres://…`, or the path of a SQLite file, which is made if it is missing.
    pub async fn open(url: &str, connections: u32) -> sqlx::Result<Self> {
        if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            let options = PgConnectOptions::from_str(url)?
                .application_name("walkies")
                .statement_cache_capacity(MAX_CACHED_ON_POSTGRES);
            return Self::open_postgres(options, connections).await;
        }
        Self::open_sqlite(
            Path::new(url.strip_prefix("sqlite://").unwrap_or(url)),
            connections,
        )
        .await
    }

    /// Opens a Postgres database.
    pub async fn open_postgres(options: PgConnectOptions, connections: u32) -> sqlx::Result<Self> {
        // A pool only says that it waited in vain; a connection says why.
        options.connect().await?.close().await?;
        let pool = PgPoolOptions::new()
            .max_connections(connections)
            .acquire_timeout(WAIT_TIMEOUT);
        Ok(Self::Postgres(pool.connect_with(options).await?))
    }

    /// Opens a SQLite file.
    pub async fn open_sqlite(file: &Path, connections: u32) -> sqlx::Result<Self> {
        let options = SqliteConnectOptions::new()
            .filename(file)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // What was acknowledged to a phone has left its outbox: it must survive a power cut.
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            // What is deleted is overwritten, and not only forgotten.
            .pragma("secure_delete", "true")
            .statement_cache_capacity(MAX_CACHED_ON_SQLITE)
            .busy_timeout(WAIT_TIMEOUT);
        let writer = SqlitePoolOptions::new()
            .max_connections(1)
            // A file does not hang up.
            .test_before_acquire(false)
            .acquire_timeout(WAIT_TIMEOUT);
        // Nobody else writes, so that what it keeps of the file stays true: 32 MiB instead of 2.
        let writing = options
            .clone()
            .pragma("cache_size", "-32768")
            // The same few pages are written again and again: the log takes 32 MiB of them before they go to the file.
            .pragma("wal_autocheckpoint", "8192")
            // What savepoints keep to take back stays in memory, and within what a command may write.
            .pragma("temp_store", "memory");
        let writer = writer.connect_with(writing).await?;
        // More of them than cores wait for each other all the same, and each keeps its own stale pages of the file.
        let cores = std::thread::available_parallelism().map_or(2, NonZeroUsize::get);
        let cores = u32::try_from(cores).unwrap_or(connections).max(2);
        let readers = SqlitePoolOptions::new()
            .max_connections(connections.min(cores))
            .test_before_acquire(false)
            .acquire_timeout(WAIT_TIMEOUT);
        let readers = readers
            .connect_with(options.pragma("query_only", "true"))
            .await?;
        Ok(Self::Sqlite {
            writer,
            queue: WriterQueue::default(),
            readers,
        })
    }

    /// Begins a transaction that only reads; it sees one state of the database throughout.
    pub async fn read(&self) -> sqlx::Result<Tx> {
        match self {
            Self::Sqlite { readers, .. } => Tx::begin_sqlite(readers, "BEGIN").await,
            Self::Postgres(pool) => {
                Tx::begin_postgres(pool, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await
            }
        }
    }

    /// Returns true if all writes wait for each other, of whichever business they are.
    pub const fn has_one_writer(&self) -> bool {
        matches!(self, Self::Sqlite { .. })
    }

    /// A connection for statements that only read, without a transaction: each of them sees one state by itself, and
    /// nothing has to be committed.
    pub async fn read_autocommit(&self) -> sqlx::Result<Tx> {
        match self {
            Self::Sqlite { readers, .. } => {
                let mut open = TxConnection::new(readers.acquire().await?);
                open.is_finished = true;
                Ok(Tx::Sqlite(open))
            }
            Self::Postgres(pool) => {
                let mut open = TxConnection::new(pool.acquire().await?);
                open.is_finished = true;
                Ok(Tx::Postgres(open))
            }
        }
    }

    /// Begins a transaction that may write. On SQLite writers take turns, and those who wait share a commit.
    pub async fn write(&self) -> sqlx::Result<Tx> {
        let since = Instant::now();
        let tx = match self {
            Self::Sqlite { writer, queue, .. } => queue.begin(writer).await.map(Tx::Sqlite),
            Self::Postgres(pool) => Tx::begin_postgres(pool, "BEGIN").await,
        };
        metrics::write_wait(since);
        tx
    }

    /// Brings what was written from SQLite's log into its file and empties the log, which else keeps the last state of
    /// what was deleted. Where somebody reads just then a part of it stays until the next time.
    pub async fn checkpoint(&self) -> sqlx::Result<()> {
        let Self::Sqlite { writer, .. } = self else {
            return Ok(());
        };
        // A connection of its own: nobody else is to wait long because this one waits for readers.
        let options = SqliteConnectOptions::clone(&writer.connect_options());
        let options = options.busy_timeout(Duration::from_millis(100));
        let mut connection = options.connect().await?;
        sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)")
            .execute(&mut connection)
            .await?;
        connection.close().await
    }

    /// Closes all connections; waits for those in use.
    pub async fn close(&self) {
        match self {
            Self::Sqlite {
                writer, readers, ..
            } => {
                readers.close().await;
                writer.close().await;
            }
            Self::Postgres(pool) => pool.close().await,
        }
    }
}

/// Compiled statements that each connection keeps, of some 300 of our own and the short texts of commands. On SQLite a
/// statement takes some kilobytes, and to compile one takes as long as to run it; a process of PostgreSQL keeps more for each.
const MAX_CACHED_ON_SQLITE: usize = 384;
const MAX_CACHED_ON_POSTGRES: usize = 96;

/// How long a transaction waits for a connection or a lock before it gives up and its caller is told to come again.
const WAIT_TIMEOUT: Duration = Duration::from_secs(10);

impl Tx {
    /// `begin` goes with the first statement; without one it need not go.
    async fn begin_sqlite(pool: &SqlitePool, begin: &'static str) -> sqlx::Result<Self> {
        let mut open = TxConnection::new(pool.acquire().await?);
        open.begin_with(begin);
        Ok(Self::Sqlite(open))
    }

    async fn begin_postgres(pool: &PgPool, begin: &'static str) -> sqlx::Result<Self> {
        let mut open = TxConnection::new(pool.acquire().await?);
        sqlx::query(begin).execute(open.connection()).await?;
        Ok(Self::Postgres(open))
    }

    /// Makes what was written durable. For a transaction that read: ends it.
    pub async fn commit(mut self) -> sqlx::Result<()> {
        if let Self::Sqlite(open) = &mut self {
            if open.turn.is_some() || open.has_pending() {
                open.flush().await?;
            }
            inject_fault(Moment::Commit).await?;
        }
        match self {
            Self::Sqlite(mut open) => match open.turn.take() {
                Some(turn) => {
                    turn.commit(open).await?;
                    inject_fault(Moment::Committed).await
                }
                None => open.finish("COMMIT").await,
            },
            Self::Postgres(open) => open.finish("COMMIT").await,
        }
    }

    /// Takes back what was written.
    pub async fn rollback(self) -> sqlx::Result<()> {
        match self {
            Self::Sqlite(mut open) => match open.turn.take() {
                Some(turn) => turn.rollback(open).await,
                None => open.finish("ROLLBACK").await,
            },
            Self::Postgres(open) => open.finish("ROLLBACK").await,
        }
    }
}

/// Turns down a call that has begun to write. Without this the transaction is lost, and with it what others have
/// written in the same one.
pub async fn roll_back<T>(tx: Tx, why: AppError) -> Result<T, AppError> {
    tx.rollback().await?;
    Err(why)
}

impl TxConnection<Sqlite> {
    async fn finish(mut self, end: &'static str) -> sqlx::Result<()> {
        self.is_finished = self.discard_pending();
        if !self.is_finished {
            inject_fault(Moment::Statement).await?;
            sqlx::query(end).execute(self.connection()).await?;
            self.is_finished = true;
        }
        Ok(())
    }
}

impl TxConnection<Postgres> {
    async fn finish(mut self, end: &'static str) -> sqlx::Result<()> {
        sqlx::query(end).execute(self.connection()).await?;
        self.is_finished = true;
        Ok(())
    }
}
