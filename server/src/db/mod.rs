//! Owns the two databases behind one calling convention: every function in here takes `&mut Tx` first.
//! It decides nothing; rules live in the core, and answers in the routes.
//!
//! Queries whose text differs between the databases: the words that begin a transaction (below) and the tokens of
//! the migrations (`migrate.rs`). Everything else is one text.

mod account;
mod column;
mod factor;
pub mod fault;
mod feed;
mod identity;
mod later;
mod mail;
mod map;
mod migrate;
mod mutation;
mod photo;
mod report;
mod row;
mod together;

use std::num::NonZeroUsize;
use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions as _, Connection as _, Database, PgPool, Postgres, Sqlite, SqlitePool};

pub use account::*;
use fault::{Moment, meet};

pub use column::{Arg, Column};
pub use factor::*;
pub use feed::*;
pub use identity::*;
pub use mail::*;
pub use map::*;
pub use mutation::*;
pub use photo::*;
pub use report::*;
pub use row::*;
pub use together::Turns;

/// The database of this server.
#[derive(Clone, Debug)]
pub enum Db {
    /// A file; one connection writes and several read beside it.
    Sqlite {
        /// One connection: SQLite has one writer, and waiting in the pool is fairer than waiting in SQLite.
        writer: SqlitePool,
        /// Who writes when.
        turns: Turns,
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
    /// On SQLite.
    Sqlite(Open<Sqlite>),
    /// On Postgres.
    Postgres(Open<Postgres>),
}

/// A connection with a transaction open on it.
#[derive(Debug)]
pub struct Open<D: Leave> {
    /// For `on_tx!`.
    pub connection: Held<D>,
    finished: bool,
    /// Of one who writes on SQLite.
    turn: Option<together::Turn>,
    /// What is still to be written, on SQLite.
    later: later::Later,
}

impl<D: Leave> Open<D> {
    fn new(connection: PoolConnection<D>) -> Self {
        Self {
            connection: Held(Some(connection)),
            finished: false,
            turn: None,
            later: later::Later::default(),
        }
    }
}

impl<D: Leave> Drop for Open<D> {
    fn drop(&mut self) {
        if !self.finished {
            D::leave(self);
        }
    }
}

/// A connection of a pool, until it is handed on.
#[derive(Debug)]
pub struct Held<D: Database>(Option<PoolConnection<D>>);

impl<D: Database> Deref for Held<D> {
    type Target = D::Connection;

    fn deref(&self) -> &D::Connection {
        self.0.as_deref().expect("it is handed on only at its end")
    }
}

impl<D: Database> DerefMut for Held<D> {
    fn deref_mut(&mut self) -> &mut D::Connection {
        self.0
            .as_deref_mut()
            .expect("it is handed on only at its end")
    }
}

/// What becomes of a connection whose transaction came to no end.
pub trait Leave: Database {
    /// Leaves it so that the next one finds no transaction on it.
    fn leave(open: &mut Open<Self>);
}

impl Leave for Postgres {
    fn leave(open: &mut Open<Self>) {
        if let Some(connection) = &mut open.connection.0 {
            connection.close_on_drop();
        }
    }
}

impl Leave for Sqlite {
    fn leave(open: &mut Open<Self>) {
        let Some(mut connection) = open.connection.0.take() else {
            return;
        };
        let Some(turn) = open.turn.take() else {
            if !open.forget() {
                connection.close_on_drop();
            }
            return;
        };
        let mut left = Open::new(connection);
        left.later = std::mem::take(&mut open.later);
        turn.abandon(left);
    }
}

/// Runs one query body on whichever database this transaction belongs to, after what waits there.
#[macro_export]
macro_rules! on_tx {
    ($tx:expr, $connection:ident => $body:expr) => {
        match $tx {
            $crate::db::Tx::Sqlite(open) => match open.flush().await {
                Ok(()) => {
                    let $connection = &mut *open.connection;
                    $body
                }
                Err(error) => Err(error),
            },
            $crate::db::Tx::Postgres(open) => {
                let $connection = &mut *open.connection;
                $body
            }
        }
    };
}

impl Db {
    /// Opens the database: `postgres://…`, or the path of a SQLite file, which is made if it is missing.
    pub async fn open(url: &str, connections: u32) -> sqlx::Result<Self> {
        if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            let options = PgConnectOptions::from_str(url)?
                .application_name("walkies")
                .statement_cache_capacity(MOST_TEXTS_KEPT);
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
            .acquire_timeout(PATIENCE);
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
            .statement_cache_capacity(MOST_TEXTS_KEPT)
            .busy_timeout(PATIENCE);
        let writer = SqlitePoolOptions::new()
            .max_connections(1)
            // A file does not hang up.
            .test_before_acquire(false)
            .acquire_timeout(PATIENCE);
        // Nobody else writes, so that what it keeps of the file stays true: 32 MiB instead of 2.
        let kept = options
            .clone()
            .pragma("cache_size", "-32768")
            // The same few pages are written again and again: the log takes 32 MiB of them before they go to the file.
            .pragma("wal_autocheckpoint", "8192")
            // What savepoints keep to take back stays in memory, and within what a command may write.
            .pragma("temp_store", "memory");
        let writer = writer.connect_with(kept).await?;
        // More of them than cores wait for each other all the same, and each keeps its own stale pages of the file.
        let cores = std::thread::available_parallelism().map_or(2, NonZeroUsize::get);
        let cores = u32::try_from(cores).unwrap_or(connections).max(2);
        let readers = SqlitePoolOptions::new()
            .max_connections(connections.min(cores))
            .test_before_acquire(false)
            .acquire_timeout(PATIENCE);
        let readers = readers
            .connect_with(options.pragma("query_only", "true"))
            .await?;
        Ok(Self::Sqlite {
            writer,
            turns: Turns::default(),
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

    /// Whether all writes wait for each other, of whichever business they are.
    pub const fn has_one_writer(&self) -> bool {
        matches!(self, Self::Sqlite { .. })
    }

    /// A connection for statements that read: each of them sees one state by itself, and it needs no end.
    pub async fn glance(&self) -> sqlx::Result<Tx> {
        match self {
            Self::Sqlite { readers, .. } => {
                let mut open = Open::new(readers.acquire().await?);
                open.finished = true;
                Ok(Tx::Sqlite(open))
            }
            Self::Postgres(pool) => {
                let mut open = Open::new(pool.acquire().await?);
                open.finished = true;
                Ok(Tx::Postgres(open))
            }
        }
    }

    /// Begins a transaction that may write. On SQLite writers take turns, and those who wait share a commit.
    pub async fn write(&self) -> sqlx::Result<Tx> {
        match self {
            Self::Sqlite { writer, turns, .. } => Ok(Tx::Sqlite(turns.begin(writer).await?)),
            Self::Postgres(pool) => Tx::begin_postgres(pool, "BEGIN").await,
        }
    }

    /// Brings what was written from SQLite's log into its file and empties the log, which else keeps the last state of
    /// what was deleted. Where somebody reads just then a part of it stays until the next time.
    pub async fn empty_log(&self) -> sqlx::Result<()> {
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

/// Compiled statements that each connection keeps: there are some sixty of our own, and the short ones of commands.
const MOST_TEXTS_KEPT: usize = 96;

/// How long a transaction waits for a connection or a lock before it gives up and its caller is told to come again.
const PATIENCE: Duration = Duration::from_secs(10);

impl Tx {
    /// The words go with the first statement; without one they need not go.
    async fn begin_sqlite(pool: &SqlitePool, words: &'static str) -> sqlx::Result<Self> {
        let mut open = Open::new(pool.acquire().await?);
        open.open_with(words);
        Ok(Self::Sqlite(open))
    }

    async fn begin_postgres(pool: &PgPool, words: &'static str) -> sqlx::Result<Self> {
        let mut open = Open::new(pool.acquire().await?);
        sqlx::query(words).execute(&mut *open.connection).await?;
        Ok(Self::Postgres(open))
    }

    /// Makes what was written durable. For a transaction that read: ends it.
    pub async fn commit(self) -> sqlx::Result<()> {
        self.finish("COMMIT", true).await
    }

    /// Takes back what was written.
    pub async fn rollback(self) -> sqlx::Result<()> {
        self.finish("ROLLBACK", false).await
    }

    async fn finish(mut self, words: &'static str, keep: bool) -> sqlx::Result<()> {
        if let Self::Sqlite(mut open) = self {
            if keep {
                if open.turn.is_some() {
                    open.flush().await?;
                }
                meet(Moment::Commit).await?;
            }
            if let Some(turn) = open.turn.take() {
                turn.end(open, keep).await?;
                return if keep {
                    meet(Moment::Committed).await
                } else {
                    Ok(())
                };
            }
            open.finished = open.forget();
            if open.finished {
                return Ok(());
            }
            self = Self::Sqlite(open);
        }
        on_tx!(&mut self, connection => sqlx::query(words).execute(connection).await.map(drop))?;
        match &mut self {
            Self::Sqlite(open) => open.finished = true,
            Self::Postgres(open) => open.finished = true,
        }
        Ok(())
    }
}
