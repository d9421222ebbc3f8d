//! Owns statements that go to the database together: writes whose answer nobody waits for, and several questions at
//! once. Every statement on SQLite is a trip to the database's own thread and back, which costs more than what it does
//! there; so writes wait for the next question or the end.

use futures_util::TryStreamExt as _;
use sqlx::{AssertSqlSafe, Either, Executor as _, Sqlite};

use super::column::{Arg, Source};
use super::{Open, Tx};
use crate::bind_all;

/// So many arguments at once; SQLite takes 32,766.
const MOST_ARGS: usize = 4_000;

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
    /// What begins the turn of one who writes.
    opening: Option<&'static str>,
    sql: String,
    args: Vec<Arg>,
}

impl Later {
    /// Takes all that waits, to be run now.
    fn take(&mut self) -> (String, Vec<Arg>) {
        let Self { opening, sql, args } = std::mem::take(self);
        let text = match opening {
            Some(opening) => format!("{opening};\n{sql}"),
            None => sql,
        };
        (text, args)
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
        self.args.extend(args);
    }
}

impl Tx {
    /// Runs a statement that gives no rows, before anything else is read or committed. Where it fails, that fails.
    pub async fn later(&mut self, sql: &str, args: Vec<Arg>) -> sqlx::Result<()> {
        match self {
            Self::Sqlite(open) => {
                open.later.push(sql, args);
                if MOST_ARGS < open.later.args.len() {
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
                open.later.push(sql, args);
                let (sql, args) = open.later.take();
                let query = bind_all!(sqlx::query(AssertSqlSafe(sql)), args);
                let row = query.fetch_optional(&mut *open.connection).await?;
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
                for Question { of, sql, args } in questions {
                    open.later.push(&sql, args);
                    found.push((of, Vec::new()));
                }
                let (sql, args) = open.later.take();
                if sql.is_empty() {
                    return Ok(found);
                }
                let query = bind_all!(sqlx::query(AssertSqlSafe(sql)), args);
                let mut results = open.connection.fetch_many(query);
                let mut answers = found.iter_mut();
                let mut answer = answers.next();
                while let Some(result) = results.try_next().await? {
                    match (result, &mut answer) {
                        (Either::Right(row), Some((of, rows))) => rows.push(read(of, &row)?),
                        // A statement has given all its rows.
                        _ => answer = answers.next(),
                    }
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
    /// Runs what waits.
    pub async fn flush(&mut self) -> sqlx::Result<()> {
        let (sql, args) = self.later.take();
        if sql.is_empty() {
            return Ok(());
        }
        let query = bind_all!(sqlx::query(AssertSqlSafe(sql)), args);
        query.execute(&mut *self.connection).await.map(drop)
    }

    /// Lets `words` go before whatever is run first.
    pub const fn open_with(&mut self, words: &'static str) {
        self.later.opening = Some(words);
    }

    /// Drops the statements that wait: they are not to be done.
    pub fn forget(&mut self) {
        self.later.sql.clear();
        self.later.args.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
