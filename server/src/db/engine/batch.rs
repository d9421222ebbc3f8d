//! Owns how statements go to the database: one at a time where somebody waits for the answer, and many at once where
//! nobody does. Every trip to SQLite's own thread and back costs more than most statements do there, so writes wait for
//! the next question or the end, and several questions are asked at once.

use futures_util::TryStreamExt as _;
#[cfg(test)]
use sqlx::Connection as _;
use sqlx::{AssertSqlSafe, Either, Executor as _, SqlSafeStr, Sqlite};

use super::column::{Arg, DbRow};
use super::fault::{Moment, inject_fault};
use super::{Tx, TxConnection};

/// After so many rows whoever else waits for this worker has a turn: they take a millisecond or two.
pub const ROWS_AT_ONCE: usize = 200;

/// The most arguments at once; SQLite takes 32,766.
const MAX_ARGS: usize = 4_000;

/// The most statements at once: SQLite takes some 20 kB for each while they run.
const MAX_STATEMENTS: usize = 64;

/// A text of more statements, or of more bytes, is compiled anew each time. Those of commands that people send one by
/// one are shorter; what is longer has as many shapes as there are inputs, and a cache of them has no end.
const MAX_CACHED_STATEMENTS: usize = 12;
const MAX_CACHED_BYTES: usize = 8 * 1024;

/// Number of texts that the queries of a call may have, which decides whether each stays compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Texts {
    /// A few texts that every call repeats, however long: each stays compiled.
    Few,
    /// Another text for each input: a text stays compiled if it is short.
    Many,
}

/// Binds every argument to a query, on either database.
macro_rules! bind_all {
    ($query:expr, $args:expr) => {{
        let mut query = $query;
        for arg in $args {
            query = match arg {
                Arg::Text(it) => query.bind(it),
                Arg::Int(it) => query.bind(it),
                Arg::Float(it) => query.bind(it),
                Arg::Bool(it) => query.bind(it),
            };
        }
        query
    }};
}

/// A query that is asked together with others.
#[derive(Debug)]
pub struct BatchQuery<K> {
    /// Tells the reader of the rows which query they answer.
    pub key: K,
    /// The statement's text.
    pub sql: String,
    /// Its arguments, from `$1`.
    pub args: Vec<Arg>,
}

/// Statements that wait, as one text with one list of arguments.
#[derive(Debug, Default)]
pub struct Batch {
    /// Begins a transaction.
    begin: Option<&'static str>,
    sql: String,
    n_statements: usize,
    args: Vec<Arg>,
}

/// A batch on its way to the database.
struct BatchText {
    sql: String,
    args: Vec<Arg>,
    /// True if the compiled statement is cached for the next time.
    is_cached: bool,
}

impl BatchText {
    fn query(self) -> sqlx::query::Query<'static, Sqlite, sqlx::sqlite::SqliteArguments> {
        bind_all!(sqlx::query(AssertSqlSafe(self.sql)), self.args).persistent(self.is_cached)
    }
}

impl Batch {
    /// Takes all that waits, to be run now.
    fn take(&mut self) -> BatchText {
        let Self {
            begin,
            sql,
            n_statements,
            args,
        } = std::mem::take(self);
        let sql = match begin {
            Some(begin) => format!("{begin};\n{sql}"),
            None => sql,
        };
        BatchText {
            is_cached: n_statements <= MAX_CACHED_STATEMENTS && sql.len() <= MAX_CACHED_BYTES,
            sql,
            args,
        }
    }

    const fn is_full(&self) -> bool {
        MAX_ARGS < self.args.len() || MAX_STATEMENTS <= self.n_statements
    }

    /// Adds a statement; its `$1` becomes the argument after those that wait already.
    fn push(&mut self, sql: &str, args: impl IntoIterator<Item = Arg>) {
        let offset = self.args.len();
        self.sql.reserve(sql.len() + 64);
        let mut parts = sql.split('$');
        self.sql.push_str(parts.next().unwrap_or_default());
        for part in parts {
            let digits = part.len()
                - part
                    .trim_start_matches(|it: char| it.is_ascii_digit())
                    .len();
            let (number, rest) = part.split_at(digits);
            // Our statements have no other `$` in them.
            let number: usize = number.parse().unwrap_or_default();
            self.sql.push('$');
            self.sql.push_str(&(number + offset).to_string());
            self.sql.push_str(rest);
        }
        self.sql.push_str(";\n");
        self.n_statements += 1;
        self.args.extend(args);
    }
}

impl Tx {
    /// Runs a statement that gives no rows, before anything else is read or committed. Where it fails, that fails.
    pub async fn defer(
        &mut self,
        sql: impl SqlSafeStr,
        args: impl IntoIterator<Item = Arg>,
    ) -> sqlx::Result<()> {
        match self {
            Self::Sqlite(open) => {
                open.batch.push(sql.into_sql_str().as_str(), args);
                if open.batch.is_full() {
                    open.flush().await?;
                }
                Ok(())
            }
            Self::Postgres(open) => {
                let query = bind_all!(sqlx::query(sql), args);
                query.execute(open.connection()).await.map(drop)
            }
        }
    }

    /// Runs a statement now and gives the number of rows that it changed.
    pub async fn execute(
        &mut self,
        sql: impl SqlSafeStr,
        args: impl IntoIterator<Item = Arg>,
    ) -> sqlx::Result<u64> {
        match self {
            Self::Sqlite(open) => {
                // What waits goes before it, since the count of a text is that of all its statements.
                open.flush().await?;
                let query = bind_all!(sqlx::query(sql), args);
                let done = query.execute(open.connection()).await?;
                Ok(done.rows_affected())
            }
            Self::Postgres(open) => {
                let query = bind_all!(sqlx::query(sql), args);
                let done = query.execute(open.connection()).await?;
                Ok(done.rows_affected())
            }
        }
    }

    /// Runs what waits.
    pub async fn flush(&mut self) -> sqlx::Result<()> {
        match self {
            Self::Sqlite(open) => open.flush().await,
            Self::Postgres(_) => Ok(()),
        }
    }

    /// The first row that a query gives, if any.
    pub async fn fetch_optional<T>(
        &mut self,
        sql: impl SqlSafeStr,
        args: impl IntoIterator<Item = Arg>,
        read: impl FnOnce(&dyn DbRow) -> sqlx::Result<T>,
    ) -> sqlx::Result<Option<T>> {
        match self {
            Self::Sqlite(open) => {
                inject_fault(Moment::Statement).await?;
                let query = open.batch_with(sql, args).query();
                let row = query.fetch_optional(open.connection()).await?;
                inject_fault(Moment::Answer).await?;
                row.map(|it| read(&it)).transpose()
            }
            Self::Postgres(open) => {
                let query = bind_all!(sqlx::query(sql), args);
                let row = query.fetch_optional(open.connection()).await?;
                row.map(|it| read(&it)).transpose()
            }
        }
    }

    /// The row that a query always gives.
    pub async fn fetch_one<T>(
        &mut self,
        sql: impl SqlSafeStr,
        args: impl IntoIterator<Item = Arg>,
        read: impl FnOnce(&dyn DbRow) -> sqlx::Result<T>,
    ) -> sqlx::Result<T> {
        let row = self.fetch_optional(sql, args, read).await?;
        row.ok_or(sqlx::Error::RowNotFound)
    }

    /// All rows that a query gives.
    pub async fn fetch_all<T>(
        &mut self,
        sql: impl SqlSafeStr,
        args: impl IntoIterator<Item = Arg>,
        read: impl Fn(&dyn DbRow) -> sqlx::Result<T>,
    ) -> sqlx::Result<Vec<T>> {
        match self {
            Self::Sqlite(open) => {
                inject_fault(Moment::Statement).await?;
                let query = open.batch_with(sql, args).query();
                let rows = query.fetch_all(open.connection()).await?;
                inject_fault(Moment::Answer).await?;
                read_all(&rows, |it| read(it)).await
            }
            Self::Postgres(open) => {
                let query = bind_all!(sqlx::query(sql), args);
                let rows = query.fetch_all(open.connection()).await?;
                read_all(&rows, |it| read(it)).await
            }
        }
    }

    /// Gives the rows of a query one at a time, so that any number of them takes no more memory than one.
    pub async fn fetch_each(
        &mut self,
        sql: impl SqlSafeStr,
        args: impl IntoIterator<Item = Arg>,
        mut take: impl FnMut(&dyn DbRow) -> sqlx::Result<()> + Send,
    ) -> sqlx::Result<()> {
        let mut n: usize = 0;
        match self {
            Self::Sqlite(open) => {
                inject_fault(Moment::Statement).await?;
                let query = open.batch_with(sql, args).query();
                let mut rows = query.fetch(open.connection());
                while let Some(row) = rows.try_next().await? {
                    take(&row)?;
                    n += 1;
                    if n.is_multiple_of(ROWS_AT_ONCE) {
                        tokio::task::yield_now().await;
                    }
                }
                inject_fault(Moment::Answer).await
            }
            Self::Postgres(open) => {
                let query = bind_all!(sqlx::query(sql), args);
                let mut rows = query.fetch(open.connection());
                while let Some(row) = rows.try_next().await? {
                    take(&row)?;
                    n += 1;
                    if n.is_multiple_of(ROWS_AT_ONCE) {
                        tokio::task::yield_now().await;
                    }
                }
                Ok(())
            }
        }
    }

    /// The rows that answer each of these queries, in their order.
    pub async fn fetch_batch<K: Send + Sync, T: Send>(
        &mut self,
        texts: Texts,
        queries: Vec<BatchQuery<K>>,
        read: impl Fn(&K, &dyn DbRow) -> sqlx::Result<T> + Sync,
    ) -> sqlx::Result<Vec<(K, Vec<T>)>> {
        let mut answers = Vec::with_capacity(queries.len());
        match self {
            Self::Sqlite(open) => {
                // The statements that wait give no rows; these come after them.
                open.flush().await?;
                let mut queries = queries.into_iter().peekable();
                while queries.peek().is_some() {
                    let chunk = queries.by_ref().take(MAX_STATEMENTS);
                    open.fetch_chunk(texts, chunk, &mut answers, &read).await?;
                }
            }
            Self::Postgres(open) => {
                for BatchQuery { key, sql, args } in queries {
                    let query = bind_all!(sqlx::query(AssertSqlSafe(sql)), args);
                    let mut found = query.fetch(open.connection());
                    let mut rows = Vec::new();
                    while let Some(row) = found.try_next().await? {
                        rows.push(read(&key, &row)?);
                        if rows.len().is_multiple_of(ROWS_AT_ONCE) {
                            tokio::task::yield_now().await;
                        }
                    }
                    drop(found);
                    answers.push((key, rows));
                }
            }
        }
        Ok(answers)
    }
}

/// Reads rows and lets others work in between, since there may be thousands.
async fn read_all<R, T>(rows: &[R], read: impl Fn(&R) -> sqlx::Result<T>) -> sqlx::Result<Vec<T>> {
    let mut all = Vec::with_capacity(rows.len());
    for row in rows {
        all.push(read(row)?);
        if all.len().is_multiple_of(ROWS_AT_ONCE) {
            tokio::task::yield_now().await;
        }
    }
    Ok(all)
}

impl TxConnection<Sqlite> {
    /// All that waits and this statement after it, to be run now. The others give no rows.
    fn batch_with(
        &mut self,
        sql: impl SqlSafeStr,
        args: impl IntoIterator<Item = Arg>,
    ) -> BatchText {
        self.batch.push(sql.into_sql_str().as_str(), args);
        self.batch.take()
    }

    /// Asks some queries at once.
    async fn fetch_chunk<K: Send + Sync, T: Send>(
        &mut self,
        texts: Texts,
        queries: impl Iterator<Item = BatchQuery<K>>,
        answers: &mut Vec<(K, Vec<T>)>,
        read: &(impl Fn(&K, &dyn DbRow) -> sqlx::Result<T> + Sync),
    ) -> sqlx::Result<()> {
        let first = answers.len();
        for BatchQuery { key, sql, args } in queries {
            self.batch.push(&sql, args);
            answers.push((key, Vec::new()));
        }
        let mut text = self.batch.take();
        text.is_cached |= texts == Texts::Few;
        let mut results = self.connection().fetch_many(text.query());
        let mut answers = answers.iter_mut().skip(first);
        let mut answer = answers.next();
        while let Some(result) = results.try_next().await? {
            match (result, &mut answer) {
                (Either::Right(row), Some((key, rows))) => {
                    rows.push(read(key, &row)?);
                    if rows.len().is_multiple_of(ROWS_AT_ONCE) {
                        tokio::task::yield_now().await;
                    }
                }
                // A statement has given all its rows.
                _ => answer = answers.next(),
            }
        }
        Ok(())
    }

    /// Runs what waits.
    pub(super) async fn flush(&mut self) -> sqlx::Result<()> {
        inject_fault(Moment::Statement).await?;
        let text = self.batch.take();
        if text.sql.is_empty() {
            return Ok(());
        }
        text.query().execute(self.connection()).await?;
        inject_fault(Moment::Answer).await
    }

    /// Lets `sql` begin the transaction before whatever is run first.
    pub(super) const fn begin_with(&mut self, sql: &'static str) {
        self.batch.begin = Some(sql);
    }

    /// Returns true if statements wait beside the one that begins the transaction.
    pub(super) const fn has_pending(&self) -> bool {
        0 < self.batch.n_statements
    }

    /// Drops all that waits: it is not to be done. Whether the transaction has not even begun.
    pub(super) fn discard_pending(&mut self) -> bool {
        std::mem::take(&mut self.batch).begin.is_some()
    }
}

#[cfg(test)]
impl Tx {
    /// Returns the number of texts that stay compiled on the connection, of SQLite.
    pub fn compiled_texts(&mut self) -> usize {
        match self {
            Self::Sqlite(open) => open.connection().cached_statements_size(),
            Self::Postgres(_) => unreachable!(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Db;
    use super::super::column::Column;
    use super::*;

    fn queries(count: i64) -> Vec<BatchQuery<i64>> {
        let query = |key: i64| BatchQuery {
            key,
            sql: "SELECT $1 AS number WHERE $1 % 2 = 0".to_owned(),
            args: vec![key.arg()],
        };
        (0..count).map(query).collect()
    }

    #[tokio::test]
    async fn no_text_that_grows_with_what_is_asked_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::open_sqlite(&folder.path().join("db"), 2).await.unwrap();
        let mut tx = db.write().await.unwrap();
        let ask = async |tx: &mut Tx, count| {
            let read = |_: &i64, row: &dyn DbRow| <i64 as Column>::get(row, "number");
            let found = tx.fetch_batch(Texts::Many, queries(count), read);
            found.await.unwrap()
        };
        ask(&mut tx, 3).await;
        let before = tx.compiled_texts();
        assert!(0 < before, "what is short is kept");
        for count in [100, 8_000] {
            let found = ask(&mut tx, count).await;
            let expected =
                (0..count).map(|it| (it, (it % 2 == 0).then_some(it).into_iter().collect()));
            assert_eq!(found, expected.collect::<Vec<_>>());
        }
        tx.defer("CREATE TABLE t (a INTEGER)", []).await.unwrap();
        tx.flush().await.unwrap();
        let after_table = tx.compiled_texts();
        for n in 0..8_000_i64 {
            tx.defer("INSERT INTO t VALUES ($1)", vec![n.arg()])
                .await
                .unwrap();
        }
        tx.flush().await.unwrap();
        assert_eq!(tx.compiled_texts(), after_table);
        assert_eq!(before + 1, after_table, "queries were kept");
        let count = tx.fetch_one("SELECT count(*) AS number FROM t", [], |it| {
            it.int("number")
        });
        assert_eq!(count.await.unwrap(), Some(8_000));
    }

    #[test]
    fn each_statement_keeps_its_own_arguments() {
        let mut batch = Batch::default();
        batch.push(
            "INSERT INTO a VALUES ($1, $2), ($1, $10)",
            vec![Arg::Bool(true); 10],
        );
        batch.push("DELETE FROM b", []);
        batch.push(
            "UPDATE c SET d = $2 WHERE id = $1",
            vec![Arg::Bool(false); 2],
        );
        assert_eq!(
            batch.sql,
            "INSERT INTO a VALUES ($1, $2), ($1, $10);\nDELETE FROM b;\nUPDATE c SET d = $12 WHERE id = $11;\n"
        );
        assert_eq!(batch.args.len(), 12);
    }
}
