//! Owns statements that go to the database together: writes whose answer nobody waits for, and several questions at
//! once. Every statement on SQLite is a trip to the database's own thread and back, which costs more than what it does
//! there; so writes wait for the next question or the end.

use futures_util::TryStreamExt as _;
use sqlx::{AssertSqlSafe, Either, Executor as _, Sqlite};

use super::column::{Arg, Source};
use super::fault::{Moment, meet};
use super::{Open, Tx};
use crate::answer::ROWS_AT_ONCE;
use crate::bind_all;

/// So many arguments at once; SQLite takes 32,766.
const MOST_ARGS: usize = 4_000;

/// So many statements at once: SQLite takes some 20 kB for each while they run.
const MOST_STATEMENTS: usize = 64;

/// A text of more statements, or of more bytes, is compiled anew each time. Those of commands that people send one by
/// one are shorter; what is longer has as many shapes as there are inputs, and a cache of them has no end.
const MOST_STATEMENTS_KEPT: usize = 12;
const MOST_BYTES_KEPT: usize = 8 * 1024;

/// A statement that gives rows.
#[derive(Debug)]
pub struct Question<Of> {
    /// What its rows are of, for whoever reads them.
    pub of: Of,
    /// Its text.
    pub sql: String,
    /// Its arguments, from `$1`.
    pub args: Vec<Arg>,
}

/// Statements that wait, as one text with one list of arguments.
#[derive(Debug, Default)]
pub struct Later {
    /// What begins a transaction.
    opening: Option<&'static str>,
    sql: String,
    statements: usize,
    args: Vec<Arg>,
}

/// What is run now.
struct Text {
    sql: String,
    args: Vec<Arg>,
    /// Whether its compiled form may be kept for the next time.
    is_kept: bool,
}

impl Later {
    /// Takes all that waits, to be run now.
    fn take(&mut self) -> Text {
        let Self {
            opening,
            sql,
            statements,
            args,
        } = std::mem::take(self);
        let sql = match opening {
            Some(opening) => format!("{opening};\n{sql}"),
            None => sql,
        };
        Text {
            is_kept: statements <= MOST_STATEMENTS_KEPT && sql.len() <= MOST_BYTES_KEPT,
            sql,
            args,
        }
    }

    const fn is_full(&self) -> bool {
        MOST_ARGS < self.args.len() || MOST_STATEMENTS <= self.statements
    }

    /// Adds a statement; its `$1` becomes the argument after those that wait already.
    fn push(&mut self, sql: &str, args: Vec<Arg>) {
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
        self.statements += 1;
        self.args.extend(args);
    }
}

impl Tx {
    /// Runs a statement that gives no rows, before anything else is read or committed. Where it fails, that fails.
    pub async fn later(&mut self, sql: &str, args: Vec<Arg>) -> sqlx::Result<()> {
        match self {
            Self::Sqlite(open) => {
                open.later.push(sql, args);
                if open.later.is_full() {
                    open.flush().await?;
                }
                Ok(())
            }
            Self::Postgres(open) => {
                // Statements are made of constants.
                let query = bind_all!(sqlx::query(AssertSqlSafe(sql.to_owned())), args);
                query.execute(&mut *open.connection).await.map(drop)
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

    /// The row that a statement gives, if any; what waits goes along with it.
    pub async fn one<T>(
        &mut self,
        sql: &'static str,
        args: Vec<Arg>,
        read: impl FnOnce(&dyn Source) -> sqlx::Result<T>,
    ) -> sqlx::Result<Option<T>> {
        match self {
            Self::Sqlite(open) => {
                meet(Moment::Statement).await?;
                open.later.push(sql, args);
                let Text { sql, args, is_kept } = open.later.take();
                let query = bind_all!(sqlx::query(AssertSqlSafe(sql)), args);
                let row = query
                    .persistent(is_kept)
                    .fetch_optional(&mut *open.connection)
                    .await?;
                meet(Moment::Answer).await?;
                row.map(|it| read(&it)).transpose()
            }
            Self::Postgres(open) => {
                let query = bind_all!(sqlx::query(sql), args);
                let row = query.fetch_optional(&mut *open.connection).await?;
                row.map(|it| read(&it)).transpose()
            }
        }
    }

    /// What `read` makes of the rows that answer each of these questions, in their order.
    pub async fn all<Of: Send + Sync, T: Send>(
        &mut self,
        questions: Vec<Question<Of>>,
        read: impl Fn(&Of, &dyn Source) -> sqlx::Result<T> + Sync,
    ) -> sqlx::Result<Vec<(Of, Vec<T>)>> {
        let mut found = Vec::with_capacity(questions.len());
        match self {
            Self::Sqlite(open) => {
                // The statements that wait give no rows; these come after them.
                open.flush().await?;
                let mut questions = questions.into_iter().peekable();
                while questions.peek().is_some() {
                    let together = questions.by_ref().take(MOST_STATEMENTS);
                    open.ask(together, &mut found, &read).await?;
                }
            }
            Self::Postgres(open) => {
                for Question { of, sql, args } in questions {
                    let query = bind_all!(sqlx::query(AssertSqlSafe(sql)), args);
                    let rows = query.fetch_all(&mut *open.connection).await?;
                    let rows = rows.iter().map(|it| read(&of, it));
                    let rows = rows.collect::<sqlx::Result<_>>()?;
                    found.push((of, rows));
                }
            }
        }
        Ok(found)
    }
}

impl Open<Sqlite> {
    /// Asks some questions at once.
    async fn ask<Of: Send + Sync, T: Send>(
        &mut self,
        questions: impl Iterator<Item = Question<Of>>,
        found: &mut Vec<(Of, Vec<T>)>,
        read: &(impl Fn(&Of, &dyn Source) -> sqlx::Result<T> + Sync),
    ) -> sqlx::Result<()> {
        let first = found.len();
        for Question { of, sql, args } in questions {
            self.later.push(&sql, args);
            found.push((of, Vec::new()));
        }
        let Text { sql, args, is_kept } = self.later.take();
        let query = bind_all!(sqlx::query(AssertSqlSafe(sql)), args).persistent(is_kept);
        let mut results = self.connection.fetch_many(query);
        let mut answers = found.iter_mut().skip(first);
        let mut answer = answers.next();
        while let Some(result) = results.try_next().await? {
            match (result, &mut answer) {
                (Either::Right(row), Some((of, rows))) => {
                    rows.push(read(of, &row)?);
                    if rows.len() % ROWS_AT_ONCE == 0 {
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
    pub async fn flush(&mut self) -> sqlx::Result<()> {
        meet(Moment::Statement).await?;
        let Text { sql, args, is_kept } = self.later.take();
        if sql.is_empty() {
            return Ok(());
        }
        let query = bind_all!(sqlx::query(AssertSqlSafe(sql)), args).persistent(is_kept);
        query.execute(&mut *self.connection).await?;
        meet(Moment::Answer).await
    }

    /// Lets `words` go before whatever is run first.
    pub const fn open_with(&mut self, words: &'static str) {
        self.later.opening = Some(words);
    }

    /// Drops all that waits: it is not to be done. Whether that is all there was, since the turn has not begun.
    pub fn forget(&mut self) -> bool {
        std::mem::take(&mut self.later).opening.is_some()
    }
}

#[cfg(test)]
mod tests {
    use sqlx::Connection as _;

    use super::super::Db;
    use super::super::column::Column as _;
    use super::*;

    /// How many compiled texts the connection of a transaction keeps.
    fn kept(tx: &Tx) -> usize {
        match tx {
            Tx::Sqlite(open) => open.connection.cached_statements_size(),
            Tx::Postgres(_) => unreachable!(),
        }
    }

    fn questions(count: i64) -> Vec<Question<i64>> {
        let question = |of: i64| Question {
            of,
            sql: "SELECT $1 AS number WHERE $1 % 2 = 0".to_owned(),
            args: vec![of.arg()],
        };
        (0..count).map(question).collect()
    }

    #[tokio::test]
    async fn no_text_that_grows_with_what_is_asked_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::open_sqlite(&folder.path().join("db"), 2).await.unwrap();
        let mut tx = db.write().await.unwrap();
        let ask = async |tx: &mut Tx, count| {
            let read =
                |_: &i64, source: &dyn Source| <i64 as super::super::Column>::get(source, "number");
            tx.all(questions(count), read).await.unwrap()
        };
        ask(&mut tx, 3).await;
        let before = kept(&tx);
        assert!(0 < before, "what is short is kept");
        for count in [100, 8_000] {
            let found = ask(&mut tx, count).await;
            let expected =
                (0..count).map(|it| (it, (it % 2 == 0).then_some(it).into_iter().collect()));
            assert_eq!(found, expected.collect::<Vec<_>>());
        }
        tx.later("CREATE TABLE t (a INTEGER)", Vec::new())
            .await
            .unwrap();
        tx.flush().await.unwrap();
        let after_table = kept(&tx);
        for n in 0..8_000_i64 {
            tx.later("INSERT INTO t VALUES ($1)", vec![n.arg()])
                .await
                .unwrap();
        }
        tx.flush().await.unwrap();
        assert_eq!(kept(&tx), after_table);
        assert_eq!(before + 1, after_table, "questions were kept");
        let count = tx.one("SELECT count(*) AS number FROM t", Vec::new(), |it| {
            it.int("number")
        });
        assert_eq!(count.await.unwrap(), Some(Some(8_000)));
    }

    #[test]
    fn each_statement_keeps_its_own_arguments() {
        let mut later = Later::default();
        later.push(
            "INSERT INTO a VALUES ($1, $2), ($1, $10)",
            vec![Arg::Bool(true); 10],
        );
        later.push("DELETE FROM b", Vec::new());
        later.push(
            "UPDATE c SET d = $2 WHERE id = $1",
            vec![Arg::Bool(false); 2],
        );
        assert_eq!(
            later.sql,
            "INSERT INTO a VALUES ($1, $2), ($1, $10);\nDELETE FROM b;\nUPDATE c SET d = $12 WHERE id = $11;\n"
        );
        assert_eq!(later.args.len(), 12);
    }
}
