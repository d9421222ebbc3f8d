//! Owns moving all rows of a SQLite database to a PostgreSQL with the same schema. A move that breaks off is continued by
//! the next one; it is finished only when every table has the same rows on both sides.

use std::collections::BTreeSet;

use anyhow::{Context as _, bail, ensure};
use futures_util::TryStreamExt as _;
use sha2::{Digest as _, Sha256};
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use sqlx::{AssertSqlSafe, Connection as _, PgPool, Row as _, SqliteConnection};

use super::Db;

/// A table that has the same rows on both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovedTable {
    /// Name of the table.
    pub name: String,
    /// Number of its rows.
    pub n_rows: u64,
    /// Digest of its rows, whatever their order: 32 hexadecimal digits.
    pub digest: String,
}

/// Table of the target that exists while a move is under way.
const MARK: &str = "_walkies_move";

/// Most rows, and most bytes of text, of one statement.
const ROWS: usize = 500;
const BYTES: usize = 4 * 1024 * 1024;

/// Moves all rows, and calls `moved` after each table. The source is only read, as it is at one moment.
///
/// # Errors
/// Refuses a target with rows of its own and another schema, and fails if somebody writes to the source meanwhile, or if the
/// rows of a table differ in the end.
pub async fn move_rows(
    source: &Db,
    target: &Db,
    mut moved: impl FnMut(&MovedTable),
) -> anyhow::Result<Vec<MovedTable>> {
    let (Db::Sqlite { readers, .. }, Db::Postgres(to)) = (source, target) else {
        bail!("a SQLite database can be moved to PostgreSQL, and no other");
    };
    // Not given back: where this breaks off, its transaction ends with it.
    let mut from = readers.acquire().await?.detach();
    let version = data_version(&mut from).await?;
    sqlx::query("BEGIN").execute(&mut from).await?;
    let tables = ordered_tables(&mut from).await?;
    begin(to, &tables).await?;
    let mut done = Vec::new();
    for name in tables {
        let table = Table::read(&mut from, to, name).await?;
        let written = table.copy(&mut from, to).await?;
        let found = table.sum_of_target(to).await?;
        ensure!(
            written == found,
            "the rows of `{}` differ: {} in SQLite, {} in PostgreSQL. Make an empty PostgreSQL database, and move again",
            table.name,
            written.n_rows,
            found.n_rows
        );
        let table = MovedTable {
            name: table.name,
            n_rows: found.n_rows,
            digest: format!("{:032x}", found.digest),
        };
        moved(&table);
        done.push(table);
    }
    sqlx::query("ROLLBACK").execute(&mut from).await?;
    ensure!(
        version == data_version(&mut from).await?,
        "somebody has written to the SQLite database meanwhile. Stop the server, make an empty PostgreSQL database, and \
         move again"
    );
    from.close().await?;
    run(to, &format!("DROP TABLE {MARK}")).await?;
    Ok(done)
}

/// A number that changes when another connection writes.
async fn data_version(from: &mut SqliteConnection) -> sqlx::Result<i64> {
    sqlx::query_scalar("PRAGMA data_version")
        .fetch_one(from)
        .await
}

async fn run(to: &PgPool, sql: &str) -> sqlx::Result<()> {
    sqlx::query(AssertSqlSafe(sql.to_owned()))
        .execute(to)
        .await?;
    Ok(())
}

/// The tables of the source, each after those that it refers to.
async fn ordered_tables(from: &mut SqliteConnection) -> anyhow::Result<Vec<String>> {
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' \
        AND name NOT LIKE '\\_%' ESCAPE '\\' ORDER BY name";
    let mut left: Vec<String> = sqlx::query_scalar(sql).fetch_all(&mut *from).await?;
    let sql = "SELECT it.name, of_it.\"table\" FROM sqlite_schema AS it, pragma_foreign_key_list(it.name) AS of_it \
        WHERE it.type = 'table'";
    let references: Vec<(String, String)> = sqlx::query_as(sql).fetch_all(from).await?;
    let mut ordered: Vec<String> = Vec::new();
    while !left.is_empty() {
        let waits = |name: &String| {
            let mut of_it = references
                .iter()
                .filter(|(it, other)| it == name && other != name);
            of_it.any(|(_, other)| left.contains(other))
        };
        let (later, next): (Vec<String>, Vec<String>) = left.iter().cloned().partition(waits);
        ensure!(!next.is_empty(), "the tables {later:?} refer to each other");
        ordered.extend(next);
        left = later;
    }
    Ok(ordered)
}

/// Refuses a database into which a move has not finished.
///
/// # Errors
/// Says that the move has to be run again, and fails if the database does not answer.
pub async fn ensure_moved(db: &Db) -> anyhow::Result<()> {
    if let Db::Postgres(pool) = db {
        ensure!(
            !is_marked(pool).await?,
            "the move from SQLite into this PostgreSQL database has not finished: run `walkies move` again first"
        );
    }
    Ok(())
}

async fn is_marked(to: &PgPool) -> sqlx::Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM information_schema.tables WHERE table_schema = current_schema() \
        AND table_name = $1)";
    sqlx::query_scalar(sql).bind(MARK).fetch_one(to).await
}

/// Marks the target; it must be empty, or have the mark of a move that broke off.
async fn begin(to: &PgPool, tables: &[String]) -> anyhow::Result<()> {
    if is_marked(to).await? {
        return Ok(());
    }
    for table in tables {
        let sql = format!("SELECT EXISTS (SELECT 1 FROM \"{table}\")");
        let has_rows: bool = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(to).await?;
        ensure!(
            !has_rows,
            "the PostgreSQL database is not empty: `{table}` has rows. Make another one for the move"
        );
    }
    run(to, &format!("CREATE TABLE {MARK} (is_moving BOOLEAN)")).await?;
    Ok(())
}

/// Type of a column, by that of PostgreSQL: SQLite has no boolean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Text,
    Int,
    Float,
    Bool,
}

impl Kind {
    fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "text" | "varchar" => Self::Text,
            "int2" | "int4" | "int8" => Self::Int,
            "float8" => Self::Float,
            "bool" => Self::Bool,
            _ => return None,
        })
    }

    /// As an array of PostgreSQL.
    const fn array(self) -> &'static str {
        match self {
            Self::Text => "text[]",
            Self::Int => "int8[]",
            Self::Float => "float8[]",
            Self::Bool => "bool[]",
        }
    }
}

/// A value of a row.
#[derive(Clone, Debug, PartialEq)]
enum Cell {
    Text(Option<String>),
    Int(Option<i64>),
    Float(Option<f64>),
    Bool(Option<bool>),
}

impl Cell {
    fn from_sqlite(row: &SqliteRow, place: usize, kind: Kind) -> sqlx::Result<Self> {
        Ok(match kind {
            Kind::Text => Self::Text(row.try_get(place)?),
            Kind::Int => Self::Int(row.try_get(place)?),
            Kind::Float => Self::Float(row.try_get(place)?),
            Kind::Bool => Self::Bool(row.try_get::<Option<i64>, _>(place)?.map(|it| it != 0)),
        })
    }

    fn from_postgres(row: &PgRow, place: usize, kind: Kind) -> sqlx::Result<Self> {
        Ok(match kind {
            Kind::Text => Self::Text(row.try_get(place)?),
            Kind::Int => Self::Int(row.try_get(place)?),
            Kind::Float => Self::Float(row.try_get(place)?),
            Kind::Bool => Self::Bool(row.try_get(place)?),
        })
    }

    fn add_to(&self, sum: &mut Sha256) {
        match self {
            Self::Text(Some(text)) => {
                sum.update([1]);
                sum.update(text.len().to_le_bytes());
                sum.update(text.as_bytes());
            }
            Self::Int(Some(number)) => {
                sum.update([2]);
                sum.update(number.to_le_bytes());
            }
            Self::Float(Some(number)) => {
                sum.update([3]);
                sum.update(number.to_bits().to_le_bytes());
            }
            Self::Bool(Some(it)) => sum.update([4, u8::from(*it)]),
            Self::Text(None) | Self::Int(None) | Self::Float(None) | Self::Bool(None) => {
                sum.update([0]);
            }
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Text(Some(text)) => text.len(),
            _ => 8,
        }
    }
}

/// Number and digest of rows, whatever their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sum {
    n_rows: u64,
    digest: u128,
}

impl Sum {
    fn add(&mut self, row: &[Cell]) {
        let mut sum = Sha256::new();
        for cell in row {
            cell.add_to(&mut sum);
        }
        let digest = sum.finalize();
        let half = digest.first_chunk::<16>().copied().unwrap_or_default();
        self.n_rows += 1;
        self.digest = self.digest.wrapping_add(u128::from_le_bytes(half));
    }
}

/// A table with its columns, in the order of their names.
struct Table {
    name: String,
    columns: Vec<(String, Kind)>,
}

impl Table {
    async fn read(from: &mut SqliteConnection, to: &PgPool, name: String) -> anyhow::Result<Self> {
        let sql = "SELECT column_name::text, udt_name::text FROM information_schema.columns \
            WHERE table_schema = current_schema() AND table_name = $1 ORDER BY column_name";
        let found: Vec<(String, String)> = sqlx::query_as(sql).bind(&name).fetch_all(to).await?;
        let sql = "SELECT name FROM pragma_table_info($1)";
        let of_source: Vec<String> = sqlx::query_scalar(sql).bind(&name).fetch_all(from).await?;
        let of_source: BTreeSet<&str> = of_source.iter().map(String::as_str).collect();
        let of_target: BTreeSet<&str> = found.iter().map(|it| it.0.as_str()).collect();
        ensure!(of_source == of_target, "the columns of `{name}` differ");
        let mut columns = Vec::new();
        for (column, kind) in found {
            let kind = Kind::from_name(&kind)
                .with_context(|| format!("`{name}.{column}` has the unknown type {kind}"))?;
            columns.push((column, kind));
        }
        Ok(Self { name, columns })
    }

    /// The columns with what is written around each.
    fn list(&self, written: impl Fn(&str, Kind) -> String) -> String {
        let columns = self.columns.iter().map(|(name, kind)| written(name, *kind));
        columns.collect::<Vec<_>>().join(", ")
    }

    /// Copies what the target lacks, and sums up what the source has.
    async fn copy(&self, from: &mut SqliteConnection, to: &PgPool) -> anyhow::Result<Sum> {
        let name = &self.name;
        let count = format!("SELECT COUNT(*) FROM \"{name}\"");
        let has: i64 = sqlx::query_scalar(AssertSqlSafe(count.clone()))
            .fetch_one(to)
            .await?;
        let all: i64 = sqlx::query_scalar(AssertSqlSafe(count))
            .fetch_one(&mut *from)
            .await?;
        let columns = self.list(|it, _| format!("\"{it}\""));
        let sql = format!("SELECT {columns} FROM \"{name}\"");
        let mut rows = sqlx::query(AssertSqlSafe(sql)).fetch(from);
        let (mut sum, mut waiting, mut bytes) = (Sum::default(), Vec::new(), 0);
        while let Some(row) = rows.try_next().await? {
            let cells = self.columns.iter().enumerate();
            let cells = cells.map(|(place, (_, kind))| Cell::from_sqlite(&row, place, *kind));
            let cells: Vec<Cell> = cells.collect::<sqlx::Result<_>>()?;
            sum.add(&cells);
            if has == all {
                continue;
            }
            bytes += cells.iter().map(Cell::bytes).sum::<usize>();
            waiting.push(cells);
            if ROWS <= waiting.len() || BYTES <= bytes {
                self.insert(to, std::mem::take(&mut waiting)).await?;
                bytes = 0;
            }
        }
        self.insert(to, waiting).await?;
        Ok(sum)
    }

    /// Inserts those rows that are not there yet.
    async fn insert(&self, to: &PgPool, rows: Vec<Vec<Cell>>) -> anyhow::Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let columns = self.list(|it, _| format!("\"{it}\""));
        let arrays = self.columns.iter().zip(1..);
        let arrays = arrays.map(|((_, kind), number)| format!("${number}::{}", kind.array()));
        let arrays = arrays.collect::<Vec<_>>().join(", ");
        let sql = format!(
            "INSERT INTO \"{}\" ({columns}) SELECT * FROM UNNEST({arrays}) ON CONFLICT DO NOTHING",
            self.name
        );
        let mut query = sqlx::query(AssertSqlSafe(sql));
        let mut by_column: Vec<Vec<Cell>> = self.columns.iter().map(|_| Vec::new()).collect();
        for row in rows {
            for (cells, cell) in by_column.iter_mut().zip(row) {
                cells.push(cell);
            }
        }
        for (cells, (_, kind)) in by_column.into_iter().zip(&self.columns) {
            let cells = cells.into_iter();
            query = match kind {
                Kind::Text => query.bind(
                    cells
                        .map(|it| if let Cell::Text(it) = it { it } else { None })
                        .collect::<Vec<Option<String>>>(),
                ),
                Kind::Int => query.bind(
                    cells
                        .map(|it| if let Cell::Int(it) = it { it } else { None })
                        .collect::<Vec<Option<i64>>>(),
                ),
                Kind::Float => query.bind(
                    cells
                        .map(|it| if let Cell::Float(it) = it { it } else { None })
                        .collect::<Vec<Option<f64>>>(),
                ),
                Kind::Bool => query.bind(
                    cells
                        .map(|it| if let Cell::Bool(it) = it { it } else { None })
                        .collect::<Vec<Option<bool>>>(),
                ),
            };
        }
        let written = query.execute(to).await;
        written.with_context(|| format!("`{}` cannot be written", self.name))?;
        Ok(())
    }

    async fn sum_of_target(&self, to: &PgPool) -> anyhow::Result<Sum> {
        let columns = self.list(|it, kind| match kind {
            Kind::Int => format!("\"{it}\"::int8"),
            Kind::Text => format!("\"{it}\"::text"),
            Kind::Float | Kind::Bool => format!("\"{it}\""),
        });
        let sql = format!("SELECT {columns} FROM \"{}\"", self.name);
        let mut rows = sqlx::query(AssertSqlSafe(sql)).fetch(to);
        let mut sum = Sum::default();
        while let Some(row) = rows.try_next().await? {
            let cells = self.columns.iter().enumerate();
            let cells = cells.map(|(place, (_, kind))| Cell::from_postgres(&row, place, *kind));
            sum.add(&cells.collect::<sqlx::Result<Vec<Cell>>>()?);
        }
        Ok(sum)
    }
}
