//! Owns where a business's feed of changes stands, and what a phone has not seen of it.

use sqlx::AssertSqlSafe;
use walkies_core::rules::client_view::{Shown, shown, shown_to};
use walkies_core::{Id, Row, TableName, Versioned};

use super::MutationRow;
use super::row::{read_row, select_for_feed, sql_table};
use crate::db::engine::{BatchQuery, Column, DbRow, Texts, Tx};

/// State of a business's change feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeedState {
    /// The last revision of the business.
    pub rev: u64,
    /// Epoch of the sitter's view; a phone that knows another one has to start over.
    pub epoch: u64,
    /// Up to which revision tombstones are gone.
    pub tombstone_floor: u64,
    /// The id by which its phones know this database, if it is not the one for all businesses.
    pub backend_id: Option<Id>,
    /// The id of the last revision, where it has one.
    pub rev_id: Option<Id>,
}

/// Reads the state of the feed; `None` if the business does not exist.
pub async fn feed_state(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<Option<FeedState>> {
    tx.fetch_optional(SELECT_FEED_STATE, vec![sitter_id.arg()], read_feed_state)
        .await
}

fn read_feed_state(row: &dyn DbRow) -> sqlx::Result<FeedState> {
    Ok(FeedState {
        rev: Column::get(row, "rev")?,
        epoch: Column::get(row, "epoch")?,
        tombstone_floor: Column::get(row, "tombstone_floor")?,
        backend_id: Column::read(row, "backend_id")?,
        rev_id: Column::read(row, "rev_id")?,
    })
}

const SELECT_FEED_STATE: &str = "SELECT rev, epoch, tombstone_floor, backend_id, \
    (SELECT id FROM revision WHERE sitter_id = $1 ORDER BY revision.rev DESC LIMIT 1) AS rev_id \
    FROM sitter WHERE sitter.id = $1";

/// The id of a revision. `None` where it has none: it is older than ids are, it made the business, or there are many
/// newer ids.
pub async fn revision_id(tx: &mut Tx, sitter_id: Id, rev: u64) -> sqlx::Result<Option<Id>> {
    let read = |row: &dyn DbRow| Column::get(row, "id");
    tx.fetch_optional(SELECT_REVISION, vec![sitter_id.arg(), rev.arg()], read)
        .await
}

const SELECT_REVISION: &str =
    "SELECT id FROM revision WHERE sitter_id = $1 AND rev <= $2 ORDER BY rev DESC LIMIT 1";

/// Whose feed is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeedScope {
    /// The sitter's: everything.
    Sitter,
    /// That of a pet parent, by the client record of the login.
    Client(Id),
}

impl FeedScope {
    /// Returns the SQL that narrows a table to the rows in this scope, with `$4` for the client record; `None` if the
    /// scope has no row of the table.
    pub(super) fn condition(self, table: TableName) -> Option<&'static str> {
        match (self, shown(table)) {
            (Self::Sitter, _) | (Self::Client(_), Shown::All) => Some(""),
            (Self::Client(_), Shown::Own) => Some(" AND id = $4"),
            (Self::Client(_), Shown::OfClient) => Some(" AND client_id = $4"),
            (Self::Client(_), Shown::Nothing) => None,
        }
    }

    /// Returns true if the feed of this scope has rows of the table.
    pub fn tells_of(self, table: TableName) -> bool {
        self.condition(table).is_some()
    }

    /// A row as it is told of.
    pub fn told(self, row: Row) -> Option<Row> {
        match self {
            Self::Sitter => Some(row),
            Self::Client(client_id) => shown_to(client_id, &row),
        }
    }

    /// Returns the tables that list the rows which have gone from this scope, each with a further condition.
    const fn departures(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Sitter => &[("tombstone", "")],
            // What is of the whole business goes for all.
            Self::Client(_) => &[
                ("departure", " AND client_id = $4"),
                ("tombstone", " AND table_name = 'offering'"),
            ],
        }
    }
}

/// A row that is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tombstone {
    /// Its table's name in the feed.
    pub table_name: String,
    /// The id that the row had.
    pub id: Id,
    /// The revision that removed it.
    pub rev: u64,
}

/// Changes since the cursor of a phone.
#[derive(Debug, Default)]
pub struct FeedChanges {
    /// The rows that were written.
    pub rows: Vec<Versioned<Row>>,
    /// Tombstones of deleted rows, and of rows that are no longer shown to this client.
    pub tombstones: Vec<Tombstone>,
    /// Outcomes of the phone's own commands, in the order of their revisions.
    pub mutations: Vec<MutationRow>,
}

/// The revision at which a page of the feed after `cursor` ends, so that it has about `size` rows and splits no
/// revision; `None` when everything fits.
pub async fn feed_page_end(
    tx: &mut Tx,
    sitter_id: Id,
    scope: FeedScope,
    cursor: u64,
    device_id: Id,
    size: u32,
) -> sqlx::Result<Option<u64>> {
    // Each table gives at most one page's worth by its index; the smallest of all together are the page. How many that
    // is stands in the text: SQLite compiles a statement anew each time when its limit is an argument.
    let tables = TableName::ALL
        .iter()
        .filter_map(|it| Some((sql_table(*it), scope.condition(*it)?)));
    let mut parts: Vec<String> = tables
        .chain(scope.departures().iter().copied())
        .map(|(it, condition)| {
            format!(
                "SELECT rev FROM (SELECT rev FROM {it} WHERE sitter_id = $1 AND rev > $2{condition} \
                 ORDER BY rev LIMIT {size}) AS {it}_page"
            )
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
    let mut args = vec![sitter_id.arg(), cursor.arg(), device_id.arg()];
    if let FeedScope::Client(client_id) = scope {
        args.push(client_id.arg());
    }
    tx.fetch_optional(AssertSqlSafe(sql), args, |row| Column::get(row, "rev"))
        .await
}

/// A part of a business's feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeedSpan {
    /// The revision before it.
    pub after: u64,
    /// Its last revision.
    pub until: u64,
    /// Includes the rows that were written; see `each_row_in`.
    pub has_rows: bool,
    /// Includes what was deleted: who has seen nothing has nothing that could be.
    pub has_departures: bool,
}

/// Reads what happened in a part of the feed.
pub async fn feed_changes(
    tx: &mut Tx,
    sitter_id: Id,
    scope: FeedScope,
    device_id: Id,
    span: FeedSpan,
) -> sqlx::Result<FeedChanges> {
    let FeedSpan {
        after,
        until,
        has_rows,
        has_departures,
    } = span;
    let span = || vec![sitter_id.arg(), after.arg(), until.arg()];
    let span_of = |condition: &str| {
        let mut args = span();
        if let FeedScope::Client(client_id) = scope
            && condition.contains("$4")
        {
            args.push(client_id.arg());
        }
        args
    };
    let tables = TableName::ALL
        .iter()
        .filter(|_| has_rows)
        .filter_map(|it| Some((*it, scope.condition(*it)?)));
    let mut queries: Vec<BatchQuery<FeedPart>> = tables
        .map(|(table, condition)| BatchQuery {
            key: FeedPart::Rows(table),
            sql: select_for_feed(table, &[IN_SPAN, condition].concat()),
            args: span_of(condition),
        })
        .collect();
    if has_departures {
        queries.extend(scope.departures().iter().map(|(table, condition)| BatchQuery {
            key: FeedPart::Tombstones,
            sql: format!(
                "SELECT table_name, id, rev FROM {table} WHERE sitter_id = $1 AND rev > $2 AND rev <= $3{condition}"
            ),
            args: span_of(condition),
        }));
    }
    let mut args = span();
    args.push(device_id.arg());
    queries.push(BatchQuery {
        key: FeedPart::Mutations,
        sql: SELECT_MUTATIONS.to_owned(),
        args,
    });
    let found = tx.fetch_batch(Texts::Few, queries, |part, row| {
        Ok(match part {
            FeedPart::Rows(table) => FeedItem::Row(Box::new(read_row(*table, row)?)),
            FeedPart::Tombstones => FeedItem::Tombstone(read_tombstone(row)?),
            FeedPart::Mutations => FeedItem::Mutation(Box::new(MutationRow::read(row)?)),
        })
    });
    let mut changes = FeedChanges::default();
    for item in found.await?.into_iter().flat_map(|(_, items)| items) {
        match item {
            FeedItem::Row(it) => changes.rows.push(*it),
            FeedItem::Tombstone(it) => changes.tombstones.push(it),
            FeedItem::Mutation(it) => changes.mutations.push(*it),
        }
    }
    Ok(changes)
}

const IN_SPAN: &str = "AND rev > $2 AND rev <= $3";

/// Gives each row that was written in a part of the feed, table by table and one at a time.
pub async fn each_row_in(
    tx: &mut Tx,
    sitter_id: Id,
    scope: FeedScope,
    FeedSpan { after, until, .. }: FeedSpan,
    mut take: impl FnMut(Versioned<Row>) -> sqlx::Result<()> + Send,
) -> sqlx::Result<()> {
    for table in TableName::ALL {
        let Some(condition) = scope.condition(*table) else {
            continue;
        };
        let mut args = vec![sitter_id.arg(), after.arg(), until.arg()];
        if let FeedScope::Client(client_id) = scope
            && condition.contains("$4")
        {
            args.push(client_id.arg());
        }
        let sql = select_for_feed(*table, &[IN_SPAN, condition].concat());
        let each = |row: &dyn DbRow| take(read_row(*table, row)?);
        tx.fetch_each(AssertSqlSafe(sql), args, each).await?;
    }
    Ok(())
}

/// A kind of what the feed consists of.
enum FeedPart {
    Rows(TableName),
    Tombstones,
    Mutations,
}

enum FeedItem {
    Row(Box<Versioned<Row>>),
    Tombstone(Tombstone),
    Mutation(Box<MutationRow>),
}

fn read_tombstone(row: &dyn DbRow) -> sqlx::Result<Tombstone> {
    Ok(Tombstone {
        table_name: Column::get(row, "table_name")?,
        id: Column::get(row, "id")?,
        rev: Column::get(row, "rev")?,
    })
}

const SELECT_MUTATIONS: &str = "SELECT * FROM mutation \
    WHERE sitter_id = $1 AND device_id = $4 AND rev > $2 AND rev <= $3 ORDER BY rev";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::Db;

    #[tokio::test]
    async fn the_queries_of_a_pull_stay_compiled() {
        let folder = tempfile::tempdir().unwrap();
        let db = folder.path().join("db").display().to_string();
        let db = Db::open(&db, 2).await.unwrap();
        db.migrate().await.unwrap();
        let mut tx = db.write().await.unwrap();
        // Begins the transaction, so that its text is not counted below.
        feed_state(&mut tx, Id::of(1)).await.unwrap();
        let before = tx.compiled_texts();
        for until in [5, 9] {
            for scope in [FeedScope::Sitter, FeedScope::Client(Id::of(2))] {
                for has_departures in [false, true] {
                    let span = FeedSpan {
                        after: 1,
                        until,
                        has_rows: true,
                        has_departures,
                    };
                    let changes = feed_changes(&mut tx, Id::of(1), scope, Id::of(3), span);
                    assert!(changes.await.unwrap().rows.is_empty());
                }
            }
        }
        // One text for each kind of pull, whatever revisions it asks for.
        assert_eq!(tx.compiled_texts(), before + 4);
    }
}
