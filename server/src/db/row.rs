//! Owns the synced tables: how the core's rows stand in columns, one reader and one writer for all of them,
//! and the two things asked of all tables at once: what a command needs, and what changed since a revision.

use std::sync::LazyLock;

use sqlx::AssertSqlSafe;
use walkies_core::commands::decision::Need;
use walkies_core::rows::availability_config::AvailabilityConfig;
use walkies_core::rows::blocked_time::BlockedTime;
use walkies_core::rows::business::FieldChange;
use walkies_core::rows::client::Client;
use walkies_core::rows::offering::Offering;
use walkies_core::rows::pattern::Pattern;
use walkies_core::rows::pet::Pet;
use walkies_core::rows::report::{Report, ReportContent};
use walkies_core::rows::service::Service;
use walkies_core::rows::sitter::Sitter;
use walkies_core::rows::walk_request::WalkRequest;
use walkies_core::{Business, Id, Instant, Row, RowKey, TableName, Versioned};

use super::Tx;
use super::column::{Arg, Column, Source};
use super::later::Question;
use super::photo::set_photos_of_report;
use crate::answer::ROWS_AT_ONCE;
use crate::{bind_all, on_tx};

/// A row of the core that stands in a table of its own, under `(sitter_id, id)` and with the revision that wrote it.
pub trait Synced: Sized + Send {
    /// Its name in the feed.
    const TABLE: TableName;
    /// Its name in the database; the same, but for the business's own row.
    const SQL_TABLE: &'static str;
    /// Its columns after `sitter_id` and `rev`.
    const COLUMNS: &'static [&'static str];
    /// The statement that writes one, new or not, made once.
    fn upsert_sql() -> &'static str;
    /// The statement that gives those of one business, made once; a condition may follow.
    fn select_sql() -> &'static str;
    /// The columns' values, in their order.
    fn args(&self) -> Vec<Arg>;
    /// The row from its columns.
    fn read(source: &dyn Source) -> sqlx::Result<Self>;
    /// As a row of any table.
    fn into_row(self) -> Row;
}

macro_rules! column {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $column:literal) => {
        $column
    };
}

macro_rules! synced {
    ($($Type:ident in $table:literal: $($field:ident $($column:literal)?),*;)*) => {
        $(impl Synced for $Type {
            const TABLE: TableName = TableName::$Type;
            const SQL_TABLE: &'static str = $table;
            const COLUMNS: &'static [&'static str] = &["id", $(column!($field $($column)?)),*];
            fn upsert_sql() -> &'static str {
                static SQL: LazyLock<String> = LazyLock::new(upsert_sql::<$Type>);
                &SQL
            }
            fn select_sql() -> &'static str {
                static SQL: LazyLock<String> = LazyLock::new(select_sql::<$Type>);
                &SQL
            }
            fn args(&self) -> Vec<Arg> {
                vec![Column::arg(&self.id), $(Column::arg(&self.$field)),*]
            }
            fn read(source: &dyn Source) -> sqlx::Result<Self> {
                Ok(Self {
                    id: Column::get(source, "id")?,
                    $($field: Column::get(source, column!($field $($column)?))?,)*
                })
            }
            fn into_row(self) -> Row {
                Row::$Type(self)
            }
        })*

        /// Writes a row at a revision, new or not; how many bytes its texts have.
        pub async fn write_row(tx: &mut Tx, sitter_id: Id, rev: u64, row: &Row) -> sqlx::Result<usize> {
            let bytes = match row { $(Row::$Type(row) => upsert(tx, sitter_id, rev, row).await?),* };
            if let Row::Report(report) = row {
                set_photos_of_report(tx, sitter_id, report).await?;
            }
            Ok(bytes)
        }

        /// The statement that gives the rows of a table for which `condition` holds; see `select`.
        pub(super) fn select_from(table: TableName, condition: &str) -> String {
            match table { $(TableName::$Type => [$Type::select_sql(), condition].concat()),* }
        }

        /// A row of a table whose name is a value.
        pub(super) fn read_row(table: TableName, source: &dyn Source) -> sqlx::Result<Versioned<Row>> {
            match table { $(TableName::$Type => {
                let Versioned { rev, row } = read_stored::<$Type>(source)?;
                Ok(Versioned { rev, row: row.into_row() })
            })* }
        }

        /// A table's name in the database.
        pub(super) const fn sql_table(table: TableName) -> &'static str {
            match table { $(TableName::$Type => $table),* }
        }
    };
}

synced! {
    Sitter in "profile": name, business_name, email, phone, photo, time_zone, units, hour_cycle, service_area_address,
        service_area_lat, service_area_lng, service_area_radius_miles, created_at "created_at_ms";
    Client in "client": name, address, phone, email, access_notes, pricing_walk "pricing_walk_cents",
        pricing_dropin "pricing_dropin_cents", walk_rate_30min "walk_rate_30min_cents",
        walk_rate_45min "walk_rate_45min_cents", walk_rate_60min "walk_rate_60min_cents", multiple_dog_method,
        additional_dog_percentage, additional_dog_walk_rate "additional_dog_walk_rate_cents",
        additional_dog_dropin_rate "additional_dog_dropin_rate_cents", client_user_id, relationship_type,
        unread_count, lat, lng, created_at "created_at_ms";
    Pet in "pet": client_id, name, pet_type, weight, birthday, sex, breed, microchipped, spayed_neutered,
        house_trained, friendly_with_children, friendly_with_dogs, friendly_with_cats, adoption_date, about, photo,
        display_order;
    Offering in "offering": name, description, icon, base_price "base_price_cents", pricing_type,
        duration_minutes, category, is_active, display_order, created_at "created_at_ms";
    Pattern in "availability_pattern": pattern_name, day_of_week, start_time, end_time, service_types,
        max_concurrent_services, buffer_minutes, min_advance_hours, max_advance_days, is_active, priority, notes;
    BlockedTime in "blocked_time": block_date, start_time, end_time, block_type, reason, blocked_services,
        allows_emergency, is_recurring, recurrence_pattern, recurrence_end_date;
    AvailabilityConfig in "availability_config": default_slot_duration_minutes, slot_interval_minutes,
        default_buffer_minutes, show_slots_days_ahead, enable_smart_suggestions, prefer_block_scheduling;
    Service in "service": client_id, client_name, dog_ids, dogs, service_type, date, end_date, start_time,
        duration_minutes, notes, internal_notes, completion_notes, status, price "price_cents", pricing_breakdown,
        paid, offering_id, offering_name, price_override, overlap_ok, completed_at "completed_at_ms", cancelled_at "cancelled_at_ms", created_at "created_at_ms";
    WalkRequest in "walk_request": client_id, status, requested_date, requested_start_time,
        requested_duration_minutes, service_type, dog_ids, message, sitter_response,
        estimated_price "estimated_price_cents", scheduled_service_id, created_at "created_at_ms";
    Report in "report": walk_id, client_id, dogs, started_at "started_at_ms", share_id, shared_at "shared_at_ms",
        content;
}

/// As `select_from`, without what the feed does not tell: what a report consists of may be long.
pub(super) fn select_for_feed(table: TableName, condition: &str) -> String {
    static NO_CONTENT: LazyLock<String> = LazyLock::new(|| {
        let content = serde_json::to_string(&ReportContent::default()).unwrap_or_default();
        format!("'{content}' AS content")
    });
    let sql = select_from(table, condition);
    match table {
        TableName::Report => sql.replacen("content", &NO_CONTENT, 1),
        _ => sql,
    }
}

async fn upsert<T: Synced>(tx: &mut Tx, sitter_id: Id, rev: u64, row: &T) -> sqlx::Result<usize> {
    let mut args = vec![sitter_id.arg(), rev.arg()];
    args.extend(row.args());
    let bytes = args.iter().map(Arg::text_bytes).sum();
    tx.later(T::upsert_sql(), args).await?;
    Ok(bytes)
}

fn upsert_sql<T: Synced>() -> String {
    let columns = T::COLUMNS.join(", ");
    let places: Vec<String> = (0..T::COLUMNS.len())
        .map(|n| format!("${}", n + 3))
        .collect();
    let updates: Vec<String> = T::COLUMNS
        .iter()
        .skip(1)
        .map(|it| format!("{it} = excluded.{it}"))
        .collect();
    format!(
        "INSERT INTO {} (sitter_id, rev, {columns}) VALUES ($1, $2, {}) \
         ON CONFLICT (sitter_id, id) DO UPDATE SET rev = excluded.rev, {}",
        T::SQL_TABLE,
        places.join(", "),
        updates.join(", "),
    )
}

/// The rows of a table that `condition` holds for; it begins with `AND` and counts its arguments from `$2`.
pub async fn select<T: Synced>(
    tx: &mut Tx,
    sitter_id: Id,
    condition: &'static str,
    args: &[Arg],
) -> sqlx::Result<Vec<Versioned<T>>> {
    let sql = [T::select_sql(), condition].concat();
    let args = std::iter::once(sitter_id.arg()).chain(args.iter().cloned());
    on_tx!(tx, connection => {
        let rows = bind_all!(sqlx::query(AssertSqlSafe(sql)), args).fetch_all(connection).await?;
        let mut found = Vec::with_capacity(rows.len());
        for row in &rows {
            found.push(read_stored(row)?);
            if found.len() % ROWS_AT_ONCE == 0 {
                tokio::task::yield_now().await;
            }
        }
        Ok(found)
    })
}

fn select_sql<T: Synced>() -> String {
    let columns = T::COLUMNS.join(", ");
    format!(
        "SELECT rev, {columns} FROM {} WHERE sitter_id = $1 ",
        T::SQL_TABLE
    )
}

fn read_stored<T: Synced>(source: &dyn Source) -> sqlx::Result<Versioned<T>> {
    Ok(Versioned {
        rev: Column::get(source, "rev")?,
        row: T::read(source)?,
    })
}

/// The rows of a table whose name is a value.
pub async fn rows_of(
    tx: &mut Tx,
    table: TableName,
    sitter_id: Id,
) -> sqlx::Result<Vec<Versioned<Row>>> {
    let all = Question {
        of: table,
        sql: select_from(table, ""),
        args: vec![sitter_id.arg()],
    };
    rows_that_answer(tx, vec![all]).await
}

async fn rows_that_answer(
    tx: &mut Tx,
    questions: Vec<Question<TableName>>,
) -> sqlx::Result<Vec<Versioned<Row>>> {
    let found = tx
        .all(questions, |table, source| read_row(*table, source))
        .await?;
    Ok(found.into_iter().flat_map(|(_, rows)| rows).collect())
}

/// One row, if it exists in this business.
pub async fn select_one<T: Synced>(
    tx: &mut Tx,
    sitter_id: Id,
    id: Id,
) -> sqlx::Result<Option<Versioned<T>>> {
    Ok(select::<T>(tx, sitter_id, "AND id = $2", &[id.arg()])
        .await?
        .pop())
}

/// Removes a row with its history, and leaves a tombstone for the feed.
pub async fn delete_row(
    tx: &mut Tx,
    sitter_id: Id,
    rev: u64,
    key: RowKey,
    now: Instant,
) -> sqlx::Result<()> {
    let sql = format!(
        "DELETE FROM {} WHERE sitter_id = $1 AND id = $2",
        sql_table(key.table)
    );
    tx.later(&sql, vec![sitter_id.arg(), key.id.arg()]).await?;
    let mut args = vec![
        sitter_id.arg(),
        key.table.name().to_owned().arg(),
        key.id.arg(),
    ];
    tx.later(DELETE_HISTORY, args.clone()).await?;
    args.extend([rev.arg(), now.arg()]);
    tx.later(INSERT_TOMBSTONE, args).await
}

const DELETE_HISTORY: &str =
    "DELETE FROM history WHERE sitter_id = $1 AND table_name = $2 AND row_id = $3";

const INSERT_TOMBSTONE: &str = "INSERT INTO tombstone (sitter_id, table_name, id, rev, deleted_at_ms) \
    VALUES ($1, $2, $3, $4, $5) \
    ON CONFLICT (sitter_id, table_name, id) DO UPDATE SET rev = excluded.rev, deleted_at_ms = excluded.deleted_at_ms";

/// The phone whose command it is, and the revision that it had seen; for `Need::FieldChanges`.
pub type Seen = (u64, Option<Id>);

/// Loads what a command needs into `business`.
pub async fn load(
    tx: &mut Tx,
    sitter_id: Id,
    needs: &[Need],
    seen: Option<Seen>,
    business: &mut Business,
) -> sqlx::Result<()> {
    let questions = needs
        .iter()
        .filter_map(|need| question(need, sitter_id, seen))
        .collect();
    let found = tx
        .all(questions, |need, source| match need {
            Need::FieldChanges(_) => read_field_change(source).map(Found::Change),
            Need::Photo(_) => Ok(Found::Photo),
            Need::Count(_) => Column::get(source, "n").map(Found::Count),
            _ => read_row(table_of(need), source).map(|it| Found::Row(Box::new(it))),
        })
        .await?;
    for (need, found) in found {
        if let (Need::Photo(photo), []) = (need, found.as_slice()) {
            business.missing_photos.insert(*photo);
        }
        let mut newest: Vec<FieldChange> = Vec::new();
        for found in found {
            match (found, need) {
                (Found::Row(stored), _) => business.put(stored.rev, stored.row),
                (Found::Count(n), Need::Count(table)) => {
                    let n = usize::try_from(n).unwrap_or(usize::MAX);
                    business.counts.push((*table, n));
                }
                (Found::Change((field, json)), Need::FieldChanges(key)) => {
                    let value = serde_json::from_str(&json).unwrap_or_default();
                    match newest.iter_mut().find(|it| it.field == field) {
                        Some(older) => older.value = value,
                        None => newest.push(FieldChange {
                            key: *key,
                            field,
                            value,
                        }),
                    }
                }
                _ => {}
            }
        }
        business.field_changes.extend(newest);
    }
    Ok(())
}

/// A row that answers a need.
enum Found {
    Row(Box<Versioned<Row>>),
    Change((String, String)),
    Photo,
    Count(u64),
}

/// Of which table rows are that answer a need.
const fn table_of(need: &Need) -> TableName {
    match need {
        Need::Row(key) | Need::FieldChanges(key) => key.table,
        Need::Table(table) | Need::Count(table) => *table,
        Need::PetsOf(_) => TableName::Pet,
        Need::ReportsOf(_) => TableName::Report,
        Need::ServicesBetween(..)
        | Need::StaysBetween(..)
        | Need::ServicesOfClientFrom(..)
        | Need::ServiceWithOffering(_)
        | Need::Photo(_) => TableName::Service,
    }
}

/// The question that a need is; none where nothing can answer it.
fn question(need: &Need, sitter_id: Id, seen: Option<Seen>) -> Option<Question<&Need>> {
    let (condition, rest) = match need {
        Need::Row(key) => ("AND id = $2", vec![key.id.arg()]),
        Need::Table(_) => ("", Vec::new()),
        Need::PetsOf(client_id) => ("AND client_id = $2", vec![client_id.arg()]),
        Need::ReportsOf(walk_id) => ("AND walk_id = $2", vec![walk_id.arg()]),
        Need::ServicesBetween(first, last) => (
            "AND date >= $2 AND date <= $3",
            vec![first.arg(), last.arg()],
        ),
        Need::StaysBetween(first, last) => (
            "AND end_date >= $2 AND date <= $3",
            vec![first.arg(), last.arg()],
        ),
        Need::ServicesOfClientFrom(client_id, day) => (
            "AND client_id = $2 AND (date >= $3 OR end_date >= $3)",
            vec![client_id.arg(), day.arg()],
        ),
        Need::ServiceWithOffering(offering_id) => {
            ("AND offering_id = $2 LIMIT 1", vec![offering_id.arg()])
        }
        // The newest value of each field that another device, or a REST call, changed after the revision.
        Need::FieldChanges(key) => {
            let (base_rev, device_id) = seen?;
            let device = device_id.map_or_else(String::new, |it| it.to_string());
            let table = key.table.name().to_owned();
            let args = vec![
                sitter_id.arg(),
                table.arg(),
                key.id.arg(),
                base_rev.arg(),
                device.arg(),
            ];
            return Some(Question {
                of: need,
                sql: SELECT_FIELD_CHANGES.to_owned(),
                args,
            });
        }
        Need::Count(table) => {
            return Some(Question {
                of: need,
                sql: format!(
                    "SELECT count(*) AS n FROM {} WHERE sitter_id = $1",
                    sql_table(*table)
                ),
                args: vec![sitter_id.arg()],
            });
        }
        Need::Photo(photo) => {
            return Some(Question {
                of: need,
                sql: SELECT_PHOTO_ID.to_owned(),
                args: vec![sitter_id.arg(), photo.arg()],
            });
        }
    };
    let mut args = vec![sitter_id.arg()];
    args.extend(rest);
    Some(Question {
        of: need,
        sql: select_from(table_of(need), condition),
        args,
    })
}

const SELECT_PHOTO_ID: &str = "SELECT id FROM photo WHERE sitter_id = $1 AND id = $2";

fn read_field_change(source: &dyn Source) -> sqlx::Result<(String, String)> {
    Ok((
        Column::get(source, "field")?,
        Column::get(source, "value_json")?,
    ))
}

const SELECT_FIELD_CHANGES: &str = "SELECT field, value_json FROM history \
    WHERE sitter_id = $1 AND table_name = $2 AND row_id = $3 AND rev > $4 AND coalesce(device_id, '-') <> $5 \
    ORDER BY rev";

/// Notes what an update set fields to; how many bytes the values' texts have.
pub async fn insert_history(
    tx: &mut Tx,
    sitter_id: Id,
    rev: u64,
    changes: &[FieldChange],
    device_id: Option<Id>,
    now: Instant,
) -> sqlx::Result<usize> {
    let mut bytes = 0;
    // So few that the text, of which there is one for each number of rows, stays short.
    for changes in changes.chunks(50) {
        let rows: Vec<String> = (0..changes.len())
            .map(|n| {
                format!(
                    "($1, $2, $3, $4, ${}, ${}, ${}, ${})",
                    4 * n + 5,
                    4 * n + 6,
                    4 * n + 7,
                    4 * n + 8
                )
            })
            .collect();
        let sql = format!(
            "INSERT INTO history (sitter_id, rev, device_id, changed_at_ms, table_name, row_id, field, value_json) \
             VALUES {}",
            rows.join(", ")
        );
        let mut args = vec![sitter_id.arg(), rev.arg(), device_id.arg(), now.arg()];
        for change in changes {
            args.push(change.key.table.name().to_owned().arg());
            args.push(change.key.id.arg());
            args.push(change.field.arg());
            let value = change.value.to_string();
            bytes += value.len();
            args.push(value.arg());
        }
        tx.later(&sql, args).await?;
    }
    Ok(bytes)
}

/// What a command's transaction begins with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The next revision of the business.
    pub rev: u64,
    /// How far the phone's queue has come; 0 for a phone that is new here, and for none.
    pub last_seq: u64,
    /// The business's IANA time zone.
    pub time_zone: String,
    /// As in `FeedState`.
    pub backend_id: Option<Id>,
    /// As in `FeedState`.
    pub rev_id: Option<Id>,
    /// Whether a command of that key may have been decided before. Always where the database shows a statement nothing of
    /// what was committed while it waited for the row: there it is to be asked again.
    pub may_be_known: bool,
}

/// Takes a business's row lock and its next revision: every write transaction begins with it, and so has the
/// business to itself. `None` when there is no such business.
///
/// What every command has to know comes with it: commands wait for each other, so that each question that one of
/// them asks keeps all the others waiting.
pub async fn take_turn(
    tx: &mut Tx,
    sitter_id: Id,
    device_id: Option<Id>,
    key: Option<&str>,
) -> sqlx::Result<Option<Turn>> {
    let mut turn = turn_by(tx, TAKE_TURN, sitter_id, device_id, key).await?;
    if let (Some(turn), Tx::Postgres(_)) = (&mut turn, tx) {
        turn.may_be_known = true;
    }
    Ok(turn)
}

async fn turn_by(
    tx: &mut Tx,
    sql: &'static str,
    sitter_id: Id,
    device_id: Option<Id>,
    key: Option<&str>,
) -> sqlx::Result<Option<Turn>> {
    let key = key.map(str::to_owned);
    let args = vec![sitter_id.arg(), device_id.arg(), key.arg()];
    tx.one(sql, args, read_turn).await
}

fn read_turn(source: &dyn Source) -> sqlx::Result<Turn> {
    Ok(Turn {
        rev: Column::get(source, "rev")?,
        last_seq: Column::read(source, "last_seq")?.unwrap_or_default(),
        time_zone: Column::read(source, "time_zone")?.unwrap_or_default(),
        backend_id: Column::read(source, "backend_id")?,
        rev_id: Column::read(source, "rev_id")?,
        may_be_known: <u64 as Column>::read(source, "known_rev")?.is_some(),
    })
}

macro_rules! turn_columns {
    () => {
        "backend_id, (SELECT revision.id FROM revision WHERE revision.sitter_id = $1 ORDER BY revision.rev DESC LIMIT 1) AS rev_id, \
         (SELECT last_seq FROM device WHERE device.sitter_id = $1 AND device.id = $2) AS last_seq, \
         (SELECT time_zone FROM profile WHERE profile.sitter_id = $1 AND profile.id = $1) AS time_zone, \
         (SELECT mutation.rev FROM mutation WHERE mutation.sitter_id = $1 AND mutation.id = $3) AS known_rev"
    };
}

const TAKE_TURN: &str = concat!(
    "UPDATE sitter SET rev = rev + 1 WHERE id = $1 RETURNING rev, ",
    turn_columns!()
);

/// The turn that would be taken now, without taking it.
pub async fn next_turn(
    tx: &mut Tx,
    sitter_id: Id,
    device_id: Option<Id>,
    key: Option<&str>,
) -> sqlx::Result<Option<Turn>> {
    turn_by(tx, NEXT_TURN, sitter_id, device_id, key).await
}

const NEXT_TURN: &str = concat!(
    "SELECT rev + 1 AS rev, ",
    turn_columns!(),
    " FROM sitter WHERE id = $1"
);

/// Takes the turn at this revision. Where it is not the business's next one, the database refuses this statement, and
/// so all that follows in its transaction before `rollback`.
pub async fn take_that_turn(tx: &mut Tx, sitter_id: Id, rev: u64) -> sqlx::Result<()> {
    let args = vec![sitter_id.arg(), rev.arg()];
    tx.later(TAKE_THAT_TURN, args).await
}

/// A revision is never null.
const TAKE_THAT_TURN: &str =
    "UPDATE sitter SET rev = CASE WHEN rev + 1 = $2 THEN rev + 1 END WHERE id = $1";

/// How many names a business has for its revisions.
const NAMES: u32 = 1_000;

/// From the revision whose turn was taken revisions are called `id`, where the last one is not called so already. The
/// oldest of too many names is forgotten.
pub async fn name_revisions(tx: &mut Tx, sitter_id: Id, turn: &Turn, id: Id) -> sqlx::Result<()> {
    if turn.rev_id == Some(id) {
        return Ok(());
    }
    let args = vec![sitter_id.arg(), turn.rev.arg(), id.arg()];
    tx.later(INSERT_REVISION, args).await?;
    let args = vec![sitter_id.arg(), NAMES.arg()];
    tx.later(DELETE_OLD_REVISIONS, args).await
}

const INSERT_REVISION: &str = "INSERT INTO revision (sitter_id, rev, id) VALUES ($1, $2, $3)";
const DELETE_OLD_REVISIONS: &str = "DELETE FROM revision WHERE sitter_id = $1 AND rev <= \
    (SELECT rev FROM revision WHERE sitter_id = $1 ORDER BY rev DESC LIMIT 1 OFFSET $2)";

/// The business's history is not the one that a phone knows: its phones are told of another database, unless they have
/// been told since the caller learnt of `known`.
pub async fn set_line(
    tx: &mut Tx,
    sitter_id: Id,
    known: Option<Id>,
    fresh: Id,
) -> sqlx::Result<()> {
    let known = known.map_or_else(String::new, |it| it.to_string());
    let args = [sitter_id.arg(), fresh.arg(), known.arg()];
    on_tx!(tx, connection => bind_all!(sqlx::query(UPDATE_LINE), args).execute(connection).await.map(drop))
}

const UPDATE_LINE: &str =
    "UPDATE sitter SET backend_id = $2 WHERE id = $1 AND coalesce(backend_id, '') = $3";

/// Makes a business at revision 1, in which its first rows are to be written.
pub async fn insert_sitter(tx: &mut Tx, sitter_id: Id, now: Instant) -> sqlx::Result<()> {
    let args = [sitter_id.arg(), now.arg()];
    on_tx!(tx, connection => bind_all!(sqlx::query(INSERT_SITTER), args).execute(connection).await.map(drop))
}

const INSERT_SITTER: &str =
    "INSERT INTO sitter (id, rev, epoch, tombstone_floor, created_at_ms) VALUES ($1, 1, 1, 0, $2)";

/// Deletes a business with all that belongs to it.
pub async fn delete_sitter(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<()> {
    let args = [sitter_id.arg()];
    on_tx!(tx, connection => bind_all!(sqlx::query(DELETE_SITTER), args).execute(connection).await.map(drop))
}

const DELETE_SITTER: &str = "DELETE FROM sitter WHERE id = $1";

/// Forgets deletions of before `before`; phones that have not seen them start over.
pub async fn collect_tombstones(tx: &mut Tx, before: Instant) -> sqlx::Result<()> {
    let args = [before.arg()];
    on_tx!(tx, connection => bind_all!(sqlx::query(RAISE_FLOORS), args.clone()).execute(&mut *connection).await.map(drop))?;
    on_tx!(tx, connection => bind_all!(sqlx::query(DELETE_OLD_TOMBSTONES), args).execute(connection).await.map(drop))
}

const RAISE_FLOORS: &str = "UPDATE sitter SET tombstone_floor = \
    (SELECT max(tombstone.rev) FROM tombstone WHERE tombstone.sitter_id = sitter.id AND deleted_at_ms < $1) \
    WHERE id IN (SELECT sitter_id FROM tombstone WHERE deleted_at_ms < $1)";
const DELETE_OLD_TOMBSTONES: &str = "DELETE FROM tombstone WHERE deleted_at_ms < $1";

/// Removes what was kept long enough: history, outcomes, and phones that have sent nothing since.
pub async fn collect_records(tx: &mut Tx, before: Instant) -> sqlx::Result<()> {
    let args = [before.arg()];
    on_tx!(tx, connection => bind_all!(sqlx::query(DELETE_OLD_HISTORY), args.clone()).execute(connection).await.map(drop))?;
    on_tx!(tx, connection => bind_all!(sqlx::query(DELETE_OLD_MUTATIONS), args.clone()).execute(&mut *connection).await.map(drop))?;
    on_tx!(tx, connection => bind_all!(sqlx::query(DELETE_OLD_DEVICES), args).execute(connection).await.map(drop))
}

const DELETE_OLD_HISTORY: &str = "DELETE FROM history WHERE changed_at_ms < $1";
const DELETE_OLD_MUTATIONS: &str = "DELETE FROM mutation WHERE created_at_ms < $1";
const DELETE_OLD_DEVICES: &str = "DELETE FROM device WHERE used_at_ms < $1";
