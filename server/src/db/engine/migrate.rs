//! Owns the schema: one list of migrations for both databases, with the words of the dialect put in at start-up.

use sqlx::SqlSafeStr as _;
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};

use super::Db;

/// Version, description and text of each file in `migrations/`, in order; the build script lists them. A file that was
/// released never changes. Phones of last month still talk to this server, so columns are added and not renamed.
const MIGRATIONS: &[(i64, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/migrations.rs"));

/// Token, word on SQLite, word on Postgres.
const TOKENS: &[(&str, &str, &str)] = &[
    ("{{INT64}}", "INTEGER", "BIGINT"),
    ("{{FLOAT}}", "REAL", "DOUBLE PRECISION"),
    ("{{BOOL}}", "INTEGER", "BOOLEAN"),
    ("{{TRUE}}", "1", "TRUE"),
    ("{{FALSE}}", "0", "FALSE"),
    ("{{STRICT}}", " STRICT", ""),
    // Rows in the order of their key, and no second tree beside them; Postgres has no such thing.
    ("{{STRICT_BY_KEY}}", " STRICT, WITHOUT ROWID", ""),
    (
        "{{REPORT_EVENTS}}",
        "json_each(report.content, '$.walk.events')",
        "json_array_elements(report.content::json -> 'walk' -> 'events')",
    ),
];

impl Db {
    /// Brings the schema up to date; a second run changes nothing.
    pub async fn migrate(&self) -> Result<(), MigrateError> {
        self.run_migrations(MIGRATIONS).await
    }

    async fn run_migrations(&self, migrations: &[(i64, &str, &str)]) -> Result<(), MigrateError> {
        let migrations = migrations.iter().map(|(version, description, text)| {
            let sql = TOKENS
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
                (*description).to_owned().into(),
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

#[cfg(test)]
mod tests {
    use sqlx::Row as _;

    use super::*;

    #[tokio::test]
    async fn a_database_of_the_first_schema_keeps_its_history() {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::open_sqlite(&folder.path().join("db"), 2).await.unwrap();
        db.run_migrations(&MIGRATIONS[..1]).await.unwrap();
        let Db::Sqlite { writer, .. } = &db else {
            unreachable!()
        };
        let rows = "INSERT INTO sitter (id, rev, epoch, tombstone_floor, created_at_ms) VALUES ('s', 2, 1, 0, 1); \
            INSERT INTO history VALUES ('s', 'client', 'c', 'phone', 2, '\"555\"', 'd', 3)";
        sqlx::query(rows).execute(writer).await.unwrap();
        db.migrate().await.unwrap();
        let found =
            sqlx::query("SELECT field, value_json, changed_at_ms FROM history WHERE rev = 2");
        let row = found.fetch_one(writer).await.unwrap();
        let (field, value, at): (String, String, i64) = (row.get(0), row.get(1), row.get(2));
        assert_eq!(
            (field.as_str(), value.as_str(), at),
            ("phone", "\"555\"", 3)
        );
    }

    #[tokio::test]
    async fn phones_of_before_were_used_when_they_last_sent_something() {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::open_sqlite(&folder.path().join("db"), 2).await.unwrap();
        db.run_migrations(&MIGRATIONS[..10]).await.unwrap();
        let Db::Sqlite { writer, .. } = &db else {
            unreachable!()
        };
        let rows = "INSERT INTO sitter (id, rev, epoch, tombstone_floor, created_at_ms) VALUES ('s', 2, 1, 0, 1); \
            INSERT INTO device (sitter_id, id, last_seq) VALUES ('s', 'a', 2), ('s', 'b', 1); \
            INSERT INTO mutation (sitter_id, id, rev, user_id, device_id, name, args_hash, outcome, created_at_ms) \
            VALUES ('s', '1', 2, 'u', 'a', '', '', 'applied', 5), ('s', '2', 3, 'u', 'a', '', '', 'applied', 7)";
        sqlx::query(rows).execute(writer).await.unwrap();
        db.migrate().await.unwrap();
        let found = sqlx::query("SELECT used_at_ms FROM device ORDER BY id");
        let found = found.fetch_all(writer).await.unwrap();
        let used: Vec<i64> = found.iter().map(|it| it.get(0)).collect();
        assert_eq!(used, [7, 0]);
    }

    #[tokio::test]
    async fn refusals_of_before_lose_the_words_of_what_may_be_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::open_sqlite(&folder.path().join("db"), 2).await.unwrap();
        db.run_migrations(&MIGRATIONS[..8]).await.unwrap();
        let Db::Sqlite { writer, .. } = &db else {
            unreachable!()
        };
        let rows = r#"INSERT INTO sitter (id, rev, epoch, tombstone_floor, created_at_ms) VALUES ('s', 2, 1, 0, 1);
            INSERT INTO mutation (sitter_id, id, rev, user_id, name, args_hash, outcome, refusal, answer_body, created_at_ms)
            SELECT 's', column1, 2, 'u', column2, '', '', column3, column4, 1 FROM (VALUES
            ('1', 'schedule_service', '{"code":"conflict","with":[{"reason":"word"}],"free":[]}', '{"reason":"word"}'),
            ('2', 'delete_client', '{"code":"changed_meanwhile","changes":[{"theirs":"word"}]}', NULL),
            ('3', 'reorder_offerings', NULL, '{"name":"word"}'),
            ('4', 'update_client', '{"code":"gone"}', '{"code":"gone"}'))"#;
        sqlx::query(rows).execute(writer).await.unwrap();
        db.migrate().await.unwrap();
        let found = sqlx::query("SELECT refusal, answer_body FROM mutation ORDER BY id");
        let rows = found.fetch_all(writer).await.unwrap();
        let left: Vec<(Option<&str>, Option<&str>)> =
            rows.iter().map(|row| (row.get(0), row.get(1))).collect();
        let conflict = r#"{"code":"conflict","with":[],"free":[]}"#;
        let changed = r#"{"code":"changed_meanwhile","changes":[]}"#;
        let gone = Some(r#"{"code":"gone"}"#);
        assert_eq!(
            left,
            [
                (Some(conflict), None),
                (Some(changed), None),
                (None, None),
                (gone, gone)
            ]
        );
        for kept in [conflict, changed] {
            serde_json::from_str::<walkies_core::Refusal>(kept).unwrap();
        }
    }

    #[tokio::test]
    async fn links_of_before_the_list_are_not_to_be_sent_and_phones_hear_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::open_sqlite(&folder.path().join("db"), 2).await.unwrap();
        let before = MIGRATIONS.partition_point(|it| it.0 < 54);
        db.run_migrations(&MIGRATIONS[..before]).await.unwrap();
        let Db::Sqlite { writer, .. } = &db else {
            unreachable!()
        };
        let rows = r#"INSERT INTO sitter (id, rev, epoch, tombstone_floor, created_at_ms) VALUES ('s', 7, 1, 0, 1), ('new', 1, 1, 0, 1);
            INSERT INTO report (sitter_id, id, rev, walk_id, client_id, dogs, started_at_ms, share_id, shared_at_ms, content)
            VALUES ('s', 'r', 5, 'w', 'c', '[]', 1, 'secret', 11, '{}');
            INSERT INTO invoice (sitter_id, id, rev, client_id, prefix, share_id, paid, issued_on, client_data, services_data,
            invoice_data, total_cents, payments, shared_at_ms)
            VALUES ('s', 'i', 6, 'c', 'INV-', 'other', 0, '2026-11-20', '{}', '[]', '{}', 7500, '[]', 12)"#;
        sqlx::query(rows).execute(writer).await.unwrap();
        db.migrate().await.unwrap();
        let found = sqlx::query(
            "SELECT passed_on_at_ms, rev FROM report UNION ALL SELECT passed_on_at_ms, rev FROM invoice",
        );
        let found = found.fetch_all(writer).await.unwrap();
        let found: Vec<(i64, i64)> = found.iter().map(|it| (it.get(0), it.get(1))).collect();
        assert_eq!(found, [(11, 8), (12, 8)]);
        let revs = sqlx::query("SELECT rev FROM sitter ORDER BY id");
        let revs = revs.fetch_all(writer).await.unwrap();
        let revs: Vec<i64> = revs.iter().map(|it| it.get(0)).collect();
        assert_eq!(revs, [1, 8], "a business without links is left alone");
    }
}
