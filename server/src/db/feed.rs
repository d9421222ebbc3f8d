//! Owns where a business's feed of changes stands, and what a phone has not seen of it.

use sqlx::AssertSqlSafe;
use walkies_core::{Id, Row, TableName, Versioned};

use super::column::{Column, Source};
use super::later::Question;
use super::row::{read_row, select_for_feed, sql_table};
use super::{Mutation, Tx};
use crate::{bind_all, on_tx};

/// Where a business's feed stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeedState {
    /// The last revision.
    pub rev: u64,
    /// Of what the sitter may see.
    pub epoch: u64,
    /// Up to which revision tombstones are gone.
    pub tombstone_floor: u64,
    /// What its phones are told that this database is, where that is not what all are told.
    pub backend_id: Option<Id>,
    /// What the last revision is called.
    pub rev_id: Option<Id>,
}

/// Where the feed stands, if the business exists.
pub async fn feed_state(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<Option<FeedState>> {
    tx.one(SELECT_FEED_STATE, vec![sitter_id.arg()], read_feed_state)
        .await
}

fn read_feed_state(source: &dyn Source) -> sqlx::Result<FeedState> {
    Ok(FeedState {
        rev: Column::get(source, "rev")?,
        epoch: Column::get(source, "epoch")?,
        tombstone_floor: Column::get(source, "tombstone_floor")?,
        backend_id: Column::read(source, "backend_id")?,
        rev_id: Column::read(source, "rev_id")?,
    })
}

const SELECT_FEED_STATE: &str = "SELECT rev, epoch, tombstone_floor, backend_id, \
    (SELECT id FROM revision WHERE sitter_id = $1 ORDER BY revision.rev DESC LIMIT 1) AS rev_id \
    FROM sitter WHERE sitter.id = $1";

/// What a revision is called. `None` where it has no name: it is older than names are, it made the business, or there
/// are many newer names.
pub async fn revision_id(tx: &mut Tx, sitter_id: Id, rev: u64) -> sqlx::Result<Option<Id>> {
    let read = |source: &dyn Source| Column::get(source, "id");
    tx.one(SELECT_REVISION, vec![sitter_id.arg(), rev.arg()], read)
        .await
}

const SELECT_REVISION: &str =
    "SELECT id FROM revision WHERE sitter_id = $1 AND rev <= $2 ORDER BY rev DESC LIMIT 1";

/// A row that is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tombstone {
    /// Its table's name in the feed.
    pub table_name: String,
    /// Which row.
    pub id: Id,
    /// The revision that removed it.
    pub rev: u64,
}

/// What a phone has not seen.
#[derive(Debug, Default)]
pub struct News {
    /// The rows that were written.
    pub rows: Vec<Versioned<Row>>,
    /// What was deleted.
    pub tombstones: Vec<Tombstone>,
    /// What became of the phone's own commands, in the order of their revisions.
    pub mutations: Vec<Mutation>,
}

/// The revision at which a page of the feed after `cursor` ends, so that it has about `size` rows and splits no
/// revision; `None` when everything fits.
pub async fn page_end(
    tx: &mut Tx,
    sitter_id: Id,
    cursor: u64,
    device_id: Id,
    size: u32,
) -> sqlx::Result<Option<u64>> {
    // Each table gives at most one page's worth by its index; the smallest of all together are the page. How many that
    // is stands in the text: SQLite compiles a statement anew each time when its limit is an argument.
    let tables = TableName::ALL
        .iter()
        .map(|it| sql_table(*it))
        .chain(["tombstone"]);
    let mut parts: Vec<String> = tables
        .map(|it| {
            format!("SELECT rev FROM (SELECT rev FROM {it} WHERE sitter_id = $1 AND rev > $2 ORDER BY rev LIMIT {size}) AS {it}_page")
        })
        .collect();
    parts.push(format!(
        "SELECT rev FROM (SELECT rev FROM mutation WHERE sitter_id = $1 AND device_id = $3 AND rev > $2 \
         ORDER BY rev LIMIT {size}) AS mutation_page"
    ));
    let sql = format!(
        "SELECT rev FROM ({}) AS page ORDER BY rev LIMIT 1 OFFSET {}",
        parts.join(" UNION ALL "),
        size.saturating_sub(1)
    );
    let args = [sitter_id.arg(), cursor.arg(), device_id.arg()];
    on_tx!(tx, connection => {
        let row = bind_all!(sqlx::query(AssertSqlSafe(sql)), args).fetch_optional(connection).await?;
        row.map(|row| Column::get(&row, "rev")).transpose()
    })
}

/// What happened after `after` and up to `until`. Who has seen nothing has nothing that could be deleted.
pub async fn news_between(
    tx: &mut Tx,
    sitter_id: Id,
    device_id: Id,
    after: u64,
    until: u64,
) -> sqlx::Result<News> {
    let span = || vec![sitter_id.arg(), after.arg(), until.arg()];
    let mut questions: Vec<Question<Of>> = TableName::ALL
        .iter()
        .map(|table| Question {
            of: Of::Rows(*table),
            sql: select_for_feed(*table, "AND rev > $2 AND rev <= $3"),
            args: span(),
        })
        .collect();
    if 0 < after {
        questions.push(Question {
            of: Of::Tombstones,
            sql: SELECT_TOMBSTONES.to_owned(),
            args: span(),
        });
    }
    let mut args = span();
    args.push(device_id.arg());
    questions.push(Question {
        of: Of::Mutations,
        sql: SELECT_MUTATIONS.to_owned(),
        args,
    });
    let found = tx.all(questions, |of, source| {
        Ok(match of {
            Of::Rows(table) => New::Row(read_row(*table, source)?),
            Of::Tombstones => New::Tombstone(read_tombstone(source)?),
            Of::Mutations => New::Mutation(Mutation::read(source)?),
        })
    });
    let mut news = News::default();
    for new in found.await?.into_iter().flat_map(|(_, all)| all) {
        match new {
            New::Row(it) => news.rows.push(it),
            New::Tombstone(it) => news.tombstones.push(it),
            New::Mutation(it) => news.mutations.push(it),
        }
    }
    Ok(news)
}

/// What is asked for news.
enum Of {
    Rows(TableName),
    Tombstones,
    Mutations,
}

enum New {
    Row(Versioned<Row>),
    Tombstone(Tombstone),
    Mutation(Mutation),
}

fn read_tombstone(source: &dyn Source) -> sqlx::Result<Tombstone> {
    Ok(Tombstone {
        table_name: Column::get(source, "table_name")?,
        id: Column::get(source, "id")?,
        rev: Column::get(source, "rev")?,
    })
}

const SELECT_TOMBSTONES: &str =
    "SELECT table_name, id, rev FROM tombstone WHERE sitter_id = $1 AND rev > $2 AND rev <= $3";
const SELECT_MUTATIONS: &str = "SELECT * FROM mutation \
    WHERE sitter_id = $1 AND device_id = $4 AND rev > $2 AND rev <= $3 ORDER BY rev";
