//! Owns the schema: one list of migrations for both databases, with the words of the dialect put in at start-up.

use sqlx::SqlSafeStr as _;
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};

use super::Db;

/// In order; append only. Phones of last month still talk to this server, so columns are added and not renamed.
const MIGRATIONS: &[(i64, &str, &str)] =
    &[(1, "init", include_str!("../../../migrations/0001_init.sql"))];

/// Token, word on SQLite, word on Postgres.
const WORDS: &[(&str, &str, &str)] = &[
    ("{{INT64}}", "INTEGER", "BIGINT"),
    ("{{FLOAT}}", "REAL", "DOUBLE PRECISION"),
    ("{{BOOL}}", "INTEGER", "BOOLEAN"),
    ("{{TRUE}}", "1", "TRUE"),
    ("{{FALSE}}", "0", "FALSE"),
    ("{{STRICT}}", " STRICT", ""),
];

impl Db {
    /// Brings the schema up to date; a second run changes nothing.
    pub async fn migrate(&self) -> Result<(), MigrateError> {
        let migrations = MIGRATIONS.iter().map(|(version, description, text)| {
            let sql = WORDS
                .iter()
                .fold((*text).to_owned(), |sql, (token, sqlite, postgres)| {
                    sql.replace(
                        token,
                        if matches!(self, Self::Sqlite { .. }) {
                            sqlite
                        } else {
                            postgres
                        },
                    )
                });
            let sql = sqlx::AssertSqlSafe(sql).into_sql_str();
            Migration::new(
                *version,
                (*description).into(),
                MigrationType::Simple,
                sql,
                false,
            )
        });
        let migrator = Migrator::with_migrations(migrations.collect());
        match self {
            Self::Sqlite { writer, .. } => migrator.run(writer).await,
            Self::Postgres(pool) => migrator.run(pool).await,
        }
    }
}
