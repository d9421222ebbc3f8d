//! Owns the synced tables: how the core's rows stand in columns, one reader and one writer for all of them,
//! and the two things asked of all tables at once: what a command needs, and what changed since a revision.

use std::mem;
use std::sync::LazyLock;

use serde_json::Value;
use sqlx::AssertSqlSafe;
use walkies_core::commands::decision::Need;
use walkies_core::rows::availability_config::AvailabilityConfig;
use walkies_core::rows::blocked_time::BlockedTime;
use walkies_core::rows::business::FieldChange;
use walkies_core::rows::client::Client;
use walkies_core::rows::conversation::Conversation;
use walkies_core::rows::expense::Expense;
use walkies_core::rows::invoice::Invoice;
use walkies_core::rows::message::{Message, Side};
use walkies_core::rows::offering::Offering;
use walkies_core::rows::pattern::Pattern;
use walkies_core::rows::pet::Pet;
use walkies_core::rows::report::{Report, ReportContent};
use walkies_core::rows::series::Series;
use walkies_core::rows::service::Service;
use walkies_core::rows::sitter::Sitter;
use walkies_core::rows::walk_request::WalkRequest;
use walkies_core::rules::client_view::{Shown, shown};
use walkies_core::{Business, Id, Instant, Row, RowKey, TableName, Versioned};

use super::photo::{
    SEEN_BY_CLIENT, add_photos_of_invoice, add_photos_of_service, set_photos_of_report,
};
use super::video::add_videos_of_invoice;
use crate::db::engine::{Arg, BatchQuery, Column, DbRow, Texts, Tx};

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
    fn read(row: &dyn DbRow) -> sqlx::Result<Self>;
    /// As a row of any table.
    fn into_row(self) -> Row;
    /// Back from it.
    fn from_row(row: Row) -> Option<Self>;
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
            fn read(row: &dyn DbRow) -> sqlx::Result<Self> {
                Ok(Self {
                    id: Column::get(row, "id")?,
                    $($field: Column::get(row, column!($field $($column)?))?,)*
                })
            }
            fn into_row(self) -> Row {
                Row::$Type(self)
            }
            fn from_row(row: Row) -> Option<Self> {
                match row {
                    Row::$Type(row) => Some(row),
                    _ => None,
                }
            }
        })*

        /// Writes a row at a revision, new or not; how many bytes its texts have.
        pub async fn write_row(tx: &mut Tx, sitter_id: Id, rev: u64, row: &Row) -> sqlx::Result<usize> {
            let bytes = match row { $(Row::$Type(row) => upsert(tx, sitter_id, rev, row).await?),* };
            match row {
                Row::Report(report) => set_photos_of_report(tx, sitter_id, report).await?,
                Row::Service(service) => add_photos_of_service(tx, sitter_id, service).await?,
                Row::Invoice(invoice) => {
                    add_photos_of_invoice(tx, sitter_id, invoice).await?;
                    add_videos_of_invoice(tx, sitter_id, invoice).await?;
                }
                _ => {}
            }
            Ok(bytes)
        }

        /// The statement that gives the rows of a table for which `condition` holds; see `select`.
        pub(super) fn select_from(table: TableName, condition: &str) -> String {
            match table { $(TableName::$Type => [$Type::select_sql(), condition].concat()),* }
        }

        /// A row of a table whose name is a value.
        pub(super) fn read_row(table: TableName, row: &dyn DbRow) -> sqlx::Result<Versioned<Row>> {
            match table { $(TableName::$Type => {
                let Versioned { rev, row } = read_stored::<$Type>(row)?;
                Ok(Versioned { rev, row: row.into_row() })
            })* }
        }

        /// A table's columns in the database.
        pub(super) const fn sql_columns(table: TableName) -> &'static [&'static str] {
            match table { $(TableName::$Type => $Type::COLUMNS),* }
        }

        /// A table's name in the database.
        pub(super) const fn sql_table(table: TableName) -> &'static str {
            match table { $(TableName::$Type => $table),* }
        }
    };
}

synced! {
    Sitter in "profile": name, business_name, email, phone, photo, time_zone, units, hour_cycle, tells_progress, keeps_report_mail_off, mails_changes, invoicing,
        service_area_address,
        service_area_lat, service_area_lng, service_area_radius_miles, subscription, created_at "created_at_ms";
    Client in "client": name, address, phone, email, access_notes, internal_notes, emergency_contact, vet, house_instructions,
        parent_changes, pricing_walk "pricing_walk_cents", pricing_dropin "pricing_dropin_cents", walk_rate_30min "walk_rate_30min_cents",
        walk_rate_45min "walk_rate_45min_cents", walk_rate_60min "walk_rate_60min_cents", multiple_dog_method,
        additional_dog_percentage, additional_dog_walk_rate "additional_dog_walk_rate_cents",
        additional_dog_dropin_rate "additional_dog_dropin_rate_cents", client_user_id, relationship_type,
        unread_count, lat, lng, inactive_since, billing_address, other_texts, parent_left_at "parent_left_at_ms",
        parents, sends_live, books_at_once, how_to_get_in, created_at "created_at_ms";
    Pet in "pet": client_id, name, pet_type, weight, birthday, sex, breed, microchipped, spayed_neutered,
        house_trained, friendly_with_children, friendly_with_dogs, friendly_with_cats, adoption_date, about, photo,
        display_order, gone_on, other_texts;
    Offering in "offering": name, description, icon, base_price "base_price_cents", pricing_type,
        duration_minutes, stay_unit, further_day_after, tax_name, category, is_active, display_order, created_at "created_at_ms";
    Pattern in "availability_pattern": pattern_name, day_of_week, start_time, end_time, service_types,
        max_concurrent_services, buffer_minutes, min_advance_hours, max_advance_days, is_active, priority, notes;
    BlockedTime in "blocked_time": block_date, start_time, end_time, block_type, reason, blocked_services,
        allows_emergency, is_recurring, recurrence_pattern, recurrence_end_date, to_pass_on;
    AvailabilityConfig in "availability_config": default_slot_duration_minutes, slot_interval_minutes,
        default_buffer_minutes, show_slots_days_ahead, enable_smart_suggestions, prefer_block_scheduling,
        series_weeks_ahead;
    Series in "series": client_id, client_name, end "series_end", phases, pauses, left_out, waiting, made_until, due_on, trip,
        created_at "created_at_ms";
    Service in "service": client_id, client_name, dog_ids, dogs, service_type, date, end_date, start_time,
        duration_minutes, notes, internal_notes, completion_notes, status, price "price_cents", pricing_breakdown,
        paid, invoice_id, credited_invoice_id, lost "lost_cents", offering_id, offering_name, price_override, overlap_ok, progress, delay, window_from, window_to, departure_time, stay_terms, completed_at "completed_at_ms", cancelled_at "cancelled_at_ms",
        series_id, series_slot, series_date, series_off, corrections, live,
        cancel_reason, tells_cancel_reason, mailed, created_at "created_at_ms";
    WalkRequest in "walk_request": client_id, status, requested_date, requested_start_time,
        requested_duration_minutes, service_type, dog_ids, message, sitter_response,
        estimated_price "estimated_price_cents", scheduled_service_id, created_at "created_at_ms",
        answered_at "answered_at_ms", subject, offering_id, requested_end_date, requested_departure_time,
        asked_by, group_id, is_wish, booked_at_once;
    Report in "report": walk_id, client_id, kind, dogs, service_ids, started_at "started_at_ms", share_id,
        shared_at "shared_at_ms", passed_on_at "passed_on_at_ms", mailed, opened_at "opened_at_ms", content;
    Conversation in "conversation": client_name, sitter_count, client_count, sitter_read, client_read,
        sitter_read_at "sitter_read_at_ms", client_read_at "client_read_at_ms", archived_by_sitter, archived_by_client,
        last_message_content, last_message_type, last_message_sender_type,
        last_message_created_at "last_message_created_at_ms", created_at "created_at_ms";
    Message in "message": client_id, number, sender_number, sender_type, client_user_id, message_type, content, photo,
        created_at "created_at_ms";
    Invoice in "invoice": client_id, number, prefix, share_id, paid, issued_on, due_date, client_data, services_data,
        invoice_data, total "total_cents", payments, refunds, credits, write_off, reminded_at "reminded_at_ms", shared_at "shared_at_ms",
        passed_on_at "passed_on_at_ms", deleted_at "deleted_at_ms", currency, mailed, opened_at "opened_at_ms";
    Expense in "expense": date, category, miles "miles_tenths", amount "amount_cents", note, created_at "created_at_ms";
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
    tx.defer(T::upsert_sql(), args).await?;
    Ok(bytes)
}

fn upsert_sql<T: Synced>() -> String {
    let columns = T::COLUMNS.join(", ");
    let placeholders: Vec<String> = (0..T::COLUMNS.len())
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
        placeholders.join(", "),
        updates.join(", "),
    )
}

/// The rows of a table that `condition` holds for: what follows `WHERE sitter_id = $1`, with its order, and with
/// arguments from `$2`.
pub async fn select<T: Synced>(
    tx: &mut Tx,
    sitter_id: Id,
    condition: &'static str,
    args: &[Arg],
) -> sqlx::Result<Vec<Versioned<T>>> {
    let sql = [T::select_sql(), condition].concat();
    let args = std::iter::once(sitter_id.arg()).chain(args.iter().cloned());
    tx.fetch_all(AssertSqlSafe(sql), args, read_stored).await
}

/// Gives each of these rows, one at a time.
pub async fn select_each<T: Synced>(
    tx: &mut Tx,
    sitter_id: Id,
    condition: &'static str,
    args: &[Arg],
    mut take: impl FnMut(Versioned<T>) -> sqlx::Result<()> + Send,
) -> sqlx::Result<()> {
    let sql = [T::select_sql(), condition].concat();
    let args: Vec<Arg> = std::iter::once(sitter_id.arg())
        .chain(args.iter().cloned())
        .collect();
    let each = |row: &dyn DbRow| take(read_stored(row)?);
    tx.fetch_each(AssertSqlSafe(sql), args, each).await
}

fn select_sql<T: Synced>() -> String {
    let columns = T::COLUMNS.join(", ");
    format!(
        "SELECT rev, {columns} FROM {} WHERE sitter_id = $1 ",
        T::SQL_TABLE
    )
}

pub(super) fn read_stored<T: Synced>(row: &dyn DbRow) -> sqlx::Result<Versioned<T>> {
    Ok(Versioned {
        rev: Column::get(row, "rev")?,
        row: T::read(row)?,
    })
}

/// The rows of a table whose name is a value.
pub async fn rows_of(
    tx: &mut Tx,
    table: TableName,
    sitter_id: Id,
) -> sqlx::Result<Vec<Versioned<Row>>> {
    let sql = AssertSqlSafe(select_from(table, ""));
    tx.fetch_all(sql, [sitter_id.arg()], |row| read_row(table, row))
        .await
}

/// Gives the ids and the names of all clients, one at a time.
pub async fn each_client_name(
    tx: &mut Tx,
    sitter_id: Id,
    mut take: impl FnMut(Id, String) -> sqlx::Result<()> + Send,
) -> sqlx::Result<()> {
    let sql = "SELECT id, name FROM client WHERE sitter_id = $1";
    let each = |row: &dyn DbRow| take(Column::get(row, "id")?, Column::get(row, "name")?);
    tx.fetch_each(sql, [sitter_id.arg()], each).await
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

/// Returns true if the row exists.
pub async fn row_exists(tx: &mut Tx, sitter_id: Id, key: RowKey) -> sqlx::Result<bool> {
    let from = sql_table(key.table);
    let sql = format!("SELECT 1 FROM {from} WHERE sitter_id = $1 AND id = $2");
    let args = [sitter_id.arg(), key.id.arg()];
    let found = tx.fetch_optional(AssertSqlSafe(sql), args, |_| Ok(()));
    Ok(found.await?.is_some())
}

/// How many rows a table of a business has.
pub async fn count_rows(tx: &mut Tx, sitter_id: Id, table: TableName) -> sqlx::Result<usize> {
    let from = sql_table(table);
    let sql = format!("SELECT count(*) AS n FROM {from} WHERE sitter_id = $1");
    let count = |row: &dyn DbRow| -> sqlx::Result<u64> { Column::get(row, "n") };
    let n = tx.fetch_one(AssertSqlSafe(sql), [sitter_id.arg()], count);
    Ok(usize::try_from(n.await?).unwrap_or(usize::MAX))
}

/// Notes that a row which the client saw is to be seen no longer.
pub async fn insert_departure(
    tx: &mut Tx,
    sitter_id: Id,
    rev: u64,
    client_id: Id,
    key: RowKey,
    now: Instant,
) -> sqlx::Result<()> {
    let table = key.table.name().to_owned().arg();
    let args = vec![
        sitter_id.arg(),
        client_id.arg(),
        table,
        key.id.arg(),
        rev.arg(),
        now.arg(),
    ];
    tx.defer(INSERT_DEPARTURE, args).await
}

const INSERT_DEPARTURE: &str = "INSERT INTO departure (sitter_id, client_id, table_name, id, rev, left_at_ms) \
    VALUES ($1, $2, $3, $4, $5, $6) \
    ON CONFLICT (sitter_id, client_id, table_name, id) DO UPDATE SET rev = excluded.rev, left_at_ms = excluded.left_at_ms";

/// As `insert_departure`, for a row that is about to be removed, whosever it is.
async fn insert_departure_of(
    tx: &mut Tx,
    sitter_id: Id,
    rev: u64,
    key: RowKey,
    now: Instant,
) -> sqlx::Result<()> {
    let client = match shown(key.table) {
        Shown::Own => "id",
        Shown::OfClient => "client_id",
        Shown::All | Shown::Nothing => return Ok(()),
    };
    let (name, table) = (key.table.name(), sql_table(key.table));
    let sql = format!(
        "INSERT INTO departure (sitter_id, client_id, table_name, id, rev, left_at_ms) \
         SELECT sitter_id, {client}, '{name}', id, $3, $4 FROM {table} WHERE sitter_id = $1 AND id = $2 \
         ON CONFLICT (sitter_id, client_id, table_name, id) \
         DO UPDATE SET rev = excluded.rev, left_at_ms = excluded.left_at_ms"
    );
    let args = vec![sitter_id.arg(), key.id.arg(), rev.arg(), now.arg()];
    tx.defer(AssertSqlSafe(sql), args).await
}

/// Removes a row with its history, and leaves a tombstone for the feed.
pub async fn delete_row(
    tx: &mut Tx,
    sitter_id: Id,
    rev: u64,
    key: RowKey,
    now: Instant,
) -> sqlx::Result<()> {
    insert_departure_of(tx, sitter_id, rev, key, now).await?;
    let sql = format!(
        "DELETE FROM {} WHERE sitter_id = $1 AND id = $2",
        sql_table(key.table)
    );
    tx.defer(AssertSqlSafe(sql), vec![sitter_id.arg(), key.id.arg()])
        .await?;
    let mut args = vec![
        sitter_id.arg(),
        key.table.name().to_owned().arg(),
        key.id.arg(),
    ];
    tx.defer(DELETE_HISTORY, args.clone()).await?;
    args.extend([rev.arg(), now.arg()]);
    tx.defer(INSERT_TOMBSTONE, args).await
}

const DELETE_HISTORY: &str =
    "DELETE FROM history WHERE sitter_id = $1 AND table_name = $2 AND row_id = $3";

const INSERT_TOMBSTONE: &str = "INSERT INTO tombstone (sitter_id, table_name, id, rev, deleted_at_ms) \
    VALUES ($1, $2, $3, $4, $5) \
    ON CONFLICT (sitter_id, table_name, id) DO UPDATE SET rev = excluded.rev, deleted_at_ms = excluded.deleted_at_ms";

/// The state that a phone had seen when its person acted; for `Need::FieldChanges`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The last revision that it knew.
    pub base_rev: u64,
    /// The phone's database, whose own changes are left out; none of any phone where it is `None`.
    pub device_id: Option<Id>,
}

/// Loads what a command needs into `business`.
pub async fn load(
    tx: &mut Tx,
    sitter_id: Id,
    needs: &[Need],
    seen: Option<Seen>,
    business: &mut Business,
) -> sqlx::Result<()> {
    load_slimmed(tx, sitter_id, needs, seen, business, |row| row).await
}

/// The same, where of each row only that is kept which `slim` leaves: of thousands the long texts would fill the memory.
pub async fn load_slimmed(
    tx: &mut Tx,
    sitter_id: Id,
    needs: &[Need],
    seen: Option<Seen>,
    business: &mut Business,
    slim: impl Fn(Row) -> Row + Sync,
) -> sqlx::Result<()> {
    let slimmed = |Versioned { rev, row }| {
        let row = slim(row);
        NeedRow::Row(Box::new(Versioned { rev, row }))
    };
    let queries = needs
        .iter()
        .filter_map(|need| query_for(need, sitter_id, seen))
        .collect();
    let answers = tx
        .fetch_batch(Texts::Many, queries, |need, row| match need {
            Need::FieldChanges(_) => read_field_change(row).map(NeedRow::Change),
            Need::Photo(_) | Need::PhotoSeenBy(..) | Need::Video(_) | Need::WasThereSince(..) => {
                Ok(NeedRow::Found)
            }
            Need::InUse(_) => Column::get(row, "id").map(NeedRow::InUse),
            Need::Count(_) | Need::RequestCountOf(_) | Need::ServiceCountIn(..) => {
                Column::get(row, "n").map(NeedRow::Count)
            }
            _ => read_row(table_of(need), row).map(&slimmed),
        })
        .await?;
    for (need, rows) in answers {
        if let (Need::Photo(photo) | Need::PhotoSeenBy(photo, _), []) = (need, rows.as_slice()) {
            business.missing_photos.insert(*photo);
        }
        if let (Need::Video(video), []) = (need, rows.as_slice()) {
            business.missing_videos.insert(*video);
        }
        if let (Need::WasThereSince(key, _), []) = (need, rows.as_slice()) {
            business.never_there.insert(*key);
        }
        let mut newest: Vec<FieldChange> = Vec::new();
        // The list of what a series leaves out, as the history has come to it so far.
        let mut left_out: Vec<Value> = Vec::new();
        for row in rows {
            match (row, need) {
                (NeedRow::Row(stored), _) => business.put(stored.rev, stored.row),
                (NeedRow::InUse(id), _) => {
                    business.in_use.insert(id);
                }
                (NeedRow::Count(n), _) => {
                    let n = usize::try_from(n).unwrap_or(usize::MAX);
                    business.counts.push((table_of(need), n));
                }
                (NeedRow::Change(noted), Need::FieldChanges(key)) => {
                    let value: Value = serde_json::from_str(&noted.json).unwrap_or_default();
                    let mut added = Vec::new();
                    if noted.field == LEFT_OUT
                        && let Some(now) = value.as_array()
                    {
                        let fresh = now.iter().filter(|it| !left_out.contains(it));
                        added.extend(fresh.cloned());
                        left_out.clone_from(now);
                    }
                    if noted.is_own {
                        continue;
                    }
                    let mut change = FieldChange {
                        key: *key,
                        field: noted.field,
                        value,
                        by: noted.side,
                        at: noted.at,
                        added,
                    };
                    match newest.iter_mut().find(|it| it.field == change.field) {
                        Some(older) => {
                            change.added.extend(mem::take(&mut older.added));
                            *older = change;
                        }
                        None => newest.push(change),
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
enum NeedRow {
    Row(Box<Versioned<Row>>),
    Change(NotedChange),
    Found,
    InUse(Id),
    Count(u64),
}

/// Returns the table whose rows answer a need.
const fn table_of(need: &Need) -> TableName {
    match need {
        Need::Row(key) | Need::FieldChanges(key) | Need::WasThereSince(key, _) => key.table,
        Need::Rows(table, _) | Need::Table(table) | Need::Count(table) => *table,
        Need::PetsOf(_) | Need::PetsOfAny(_) => TableName::Pet,
        Need::InUse(_) => TableName::Client,
        Need::ReportsOf(_) => TableName::Report,
        Need::ExpensesOn(_) => TableName::Expense,
        Need::PendingRequestsOf(..)
        | Need::RequestCountOf(_)
        | Need::EarliestRequestOf(_)
        | Need::LatestRequests
        | Need::LatestRequestsOf(_)
        | Need::RequestWithOffering(_) => TableName::WalkRequest,
        Need::ServicesBetween(..)
        | Need::StaysBetween(..)
        | Need::ServicesOfClientFrom(..)
        | Need::VisitsOfSeries(..)
        | Need::ServiceWithOffering(_)
        | Need::ServiceCountIn(..)
        | Need::Photo(_)
        | Need::PhotoSeenBy(..)
        | Need::Video(_) => TableName::Service,
    }
}

/// The query that answers a need; none where nothing can.
fn query_for(need: &Need, sitter_id: Id, seen: Option<Seen>) -> Option<BatchQuery<&Need>> {
    let (condition, rest) = match need {
        Need::Rows(_, ids) => return Some(select_any(need, sitter_id, "id", ids)),
        Need::PetsOfAny(ids) => return Some(select_any(need, sitter_id, "client_id", ids)),
        Need::InUse(ids) => {
            let sql = [SELECT_IN_USE, &any_of(ids)].concat();
            let args = args_of(sitter_id, ids);
            let key = need;
            return Some(BatchQuery { key, sql, args });
        }
        Need::Row(key) => ("AND id = $2", vec![key.id.arg()]),
        Need::Table(_) => ("", Vec::new()),
        Need::PetsOf(client_id) => ("AND client_id = $2", vec![client_id.arg()]),
        Need::PendingRequestsOf(client_id, day) => (
            "AND client_id = $2 AND status = 'pending' AND requested_date >= $3",
            vec![client_id.arg(), day.arg()],
        ),
        Need::EarliestRequestOf(client_id) => (
            "AND client_id = $2 ORDER BY requested_date, id LIMIT 1",
            vec![client_id.arg()],
        ),
        Need::LatestRequests => (
            "AND (client_id, status, requested_date) IN (SELECT client_id, status, max(requested_date) \
             FROM walk_request WHERE sitter_id = $1 GROUP BY client_id, status)",
            Vec::new(),
        ),
        Need::LatestRequestsOf(client_id) => (
            "AND client_id = $2 AND (status, requested_date) IN (SELECT status, max(requested_date) \
             FROM walk_request WHERE sitter_id = $1 AND client_id = $2 GROUP BY status)",
            vec![client_id.arg()],
        ),
        Need::ReportsOf(walk_id) => ("AND walk_id = $2", vec![walk_id.arg()]),
        Need::ExpensesOn(date) => ("AND date = $2", vec![date.arg()]),
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
        Need::VisitsOfSeries(series_id, day) => (
            "AND series_id = $2 AND series_date >= $3",
            vec![series_id.arg(), day.arg()],
        ),
        Need::ServiceWithOffering(offering_id) | Need::RequestWithOffering(offering_id) => {
            ("AND offering_id = $2 LIMIT 1", vec![offering_id.arg()])
        }
        // The newest value of each field that another device, or a REST call, changed after the revision.
        Need::FieldChanges(key) => {
            let Seen {
                base_rev,
                device_id,
            } = seen?;
            let device = device_id.map_or_else(String::new, |it| it.to_string());
            let table = key.table.name().to_owned();
            let args = vec![
                sitter_id.arg(),
                table.arg(),
                key.id.arg(),
                base_rev.arg(),
                device.arg(),
            ];
            return Some(BatchQuery {
                key: need,
                sql: SELECT_FIELD_CHANGES.to_owned(),
                args,
            });
        }
        Need::Count(table) => {
            return Some(BatchQuery {
                key: need,
                sql: format!(
                    "SELECT count(*) AS n FROM {} WHERE sitter_id = $1",
                    sql_table(*table)
                ),
                args: vec![sitter_id.arg()],
            });
        }
        Need::RequestCountOf(client_id) => {
            return Some(BatchQuery {
                key: need,
                sql: COUNT_REQUESTS_OF.to_owned(),
                args: vec![sitter_id.arg(), client_id.arg()],
            });
        }
        Need::ServiceCountIn(first, last) => {
            return Some(BatchQuery {
                key: need,
                sql: COUNT_SERVICES_IN.to_owned(),
                args: vec![sitter_id.arg(), first.arg(), last.arg()],
            });
        }
        Need::WasThereSince(key, since) => {
            let table = key.table.name().to_owned();
            return Some(BatchQuery {
                key: need,
                sql: SELECT_TOMBSTONE.to_owned(),
                args: vec![sitter_id.arg(), table.arg(), key.id.arg(), since.arg()],
            });
        }
        Need::Photo(photo) => {
            return Some(BatchQuery {
                key: need,
                sql: SELECT_PHOTO_ID.to_owned(),
                args: vec![sitter_id.arg(), photo.arg()],
            });
        }
        Need::Video(video) => {
            return Some(BatchQuery {
                key: need,
                sql: SELECT_VIDEO_ID.to_owned(),
                args: vec![sitter_id.arg(), video.arg()],
            });
        }
        Need::PhotoSeenBy(photo, client_id) => {
            return Some(BatchQuery {
                key: need,
                sql: [SELECT_PHOTO_ID, SEEN_BY_CLIENT].concat(),
                args: vec![sitter_id.arg(), photo.arg(), client_id.arg()],
            });
        }
    };
    let mut args = vec![sitter_id.arg()];
    args.extend(rest);
    Some(BatchQuery {
        key: need,
        sql: select_from(table_of(need), condition),
        args,
    })
}

/// The rows of a need's table of which one column has any of these ids.
fn select_any<'a>(need: &'a Need, sitter_id: Id, column: &str, ids: &[Id]) -> BatchQuery<&'a Need> {
    let condition = format!("AND {column}{}", any_of(ids));
    BatchQuery {
        key: need,
        sql: select_from(table_of(need), &condition),
        args: args_of(sitter_id, ids),
    }
}

/// ` IN ($2, $3)`: the arguments after the first one. PostgreSQL knows no empty list: ` IN (NULL)` names nothing.
fn any_of(ids: &[Id]) -> String {
    if ids.is_empty() {
        return " IN (NULL)".to_owned();
    }
    let places: Vec<String> = (2..).take(ids.len()).map(|it| format!("${it}")).collect();
    format!(" IN ({})", places.join(", "))
}

fn args_of(sitter_id: Id, ids: &[Id]) -> Vec<Arg> {
    let ids = ids.iter().map(|it| it.arg());
    std::iter::once(sitter_id.arg()).chain(ids).collect()
}

/// SQL for the clients that are in use: a row refers to them, or they or their pets were changed since they were added.
const SELECT_IN_USE: &str = "SELECT id FROM client WHERE sitter_id = $1 AND (\
    EXISTS (SELECT 1 FROM service it WHERE it.sitter_id = $1 AND it.client_id = client.id) \
    OR EXISTS (SELECT 1 FROM series it WHERE it.sitter_id = $1 AND it.client_id = client.id) \
    OR EXISTS (SELECT 1 FROM walk_request it WHERE it.sitter_id = $1 AND it.client_id = client.id) \
    OR EXISTS (SELECT 1 FROM report it WHERE it.sitter_id = $1 AND it.client_id = client.id) \
    OR EXISTS (SELECT 1 FROM invoice it WHERE it.sitter_id = $1 AND it.client_id = client.id) \
    OR EXISTS (SELECT 1 FROM conversation it WHERE it.sitter_id = $1 AND it.id = client.id) \
    OR EXISTS (SELECT 1 FROM history it WHERE it.sitter_id = $1 AND it.table_name = 'client' AND it.row_id = client.id) \
    OR EXISTS (SELECT 1 FROM pet JOIN history it ON it.sitter_id = $1 AND it.table_name = 'pet' AND it.row_id = pet.id \
        WHERE pet.sitter_id = $1 AND pet.client_id = client.id)) AND id";

const SELECT_PHOTO_ID: &str = "SELECT id FROM photo WHERE sitter_id = $1 AND id = $2";

const SELECT_VIDEO_ID: &str =
    "SELECT id FROM video WHERE sitter_id = $1 AND id = $2 AND media_type IS NOT NULL";

const COUNT_REQUESTS_OF: &str =
    "SELECT count(*) AS n FROM walk_request WHERE sitter_id = $1 AND client_id = $2";

const COUNT_SERVICES_IN: &str = "SELECT count(*) AS n FROM service \
    WHERE sitter_id = $1 AND date >= $2 AND date <= $3 AND status <> 'cancelled'";

const SELECT_TOMBSTONE: &str = "SELECT id FROM tombstone WHERE sitter_id = $1 AND table_name = $2 AND id = $3 AND deleted_at_ms >= $4";

/// A line of the history.
struct NotedChange {
    field: String,
    json: String,
    side: Option<Side>,
    at: Instant,
    is_own: bool,
}

fn read_field_change(row: &dyn DbRow) -> sqlx::Result<NotedChange> {
    Ok(NotedChange {
        field: Column::get(row, "field")?,
        json: Column::get(row, "value_json")?,
        side: Column::get(row, "side")?,
        at: Column::get(row, "changed_at_ms")?,
        is_own: Column::get(row, "is_own")?,
    })
}

/// The list of a series of which it matters who has added what, so that the sender's own lines are read, too.
const LEFT_OUT: &str = "left_out";

const SELECT_FIELD_CHANGES: &str = "SELECT field, value_json, side, changed_at_ms, \
    coalesce(device_id, '-') = $5 AS is_own FROM history \
    WHERE sitter_id = $1 AND table_name = $2 AND row_id = $3 AND rev > $4 \
    AND (coalesce(device_id, '-') <> $5 OR field = 'left_out') ORDER BY rev, field";

/// Notes what an update set fields to; how many bytes the values' texts have.
pub async fn insert_history(
    tx: &mut Tx,
    sitter_id: Id,
    rev: u64,
    changes: &[FieldChange],
    device_id: Option<Id>,
    side: Side,
    now: Instant,
) -> sqlx::Result<usize> {
    let mut bytes = 0;
    // So few that the text, of which there is one for each number of rows, stays short.
    for changes in changes.chunks(50) {
        let rows: Vec<String> = (0..changes.len())
            .map(|n| {
                format!(
                    "($1, $2, $3, $4, $5, ${}, ${}, ${}, ${})",
                    4 * n + 6,
                    4 * n + 7,
                    4 * n + 8,
                    4 * n + 9
                )
            })
            .collect();
        let sql = format!(
            "INSERT INTO history (sitter_id, rev, device_id, changed_at_ms, side, table_name, row_id, field, value_json) \
             VALUES {}",
            rows.join(", ")
        );
        let mut args = vec![
            sitter_id.arg(),
            rev.arg(),
            device_id.arg(),
            now.arg(),
            side.arg(),
        ];
        for change in changes {
            args.push(change.key.table.name().to_owned().arg());
            args.push(change.key.id.arg());
            args.push(change.field.arg());
            let value = change.value.to_string();
            bytes += value.len();
            args.push(value.arg());
        }
        tx.defer(AssertSqlSafe(sql), args).await?;
    }
    Ok(bytes)
}

/// The next revision of a business, and what every command has to know beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextRevision {
    /// Number of the revision.
    pub rev: u64,
    /// How far the phone's queue has come; 0 for a phone that is new here, and for none.
    pub last_seq: u64,
    /// The business's IANA time zone.
    pub time_zone: String,
    /// The same as `FeedState::backend_id`.
    pub backend_id: Option<Id>,
    /// The same as `FeedState::rev_id`.
    pub rev_id: Option<Id>,
    /// True if a command of that key may have been decided before. Always true on Postgres, where a statement sees
    /// nothing of what was committed while it waited for the row: there it is to be asked again.
    pub may_be_known: bool,
    /// True while an archive is being written into the business: nothing else is done there meanwhile.
    pub is_importing: bool,
}

/// Takes a business's row lock and its next revision: every write transaction begins with it, and so has the
/// business to itself. `None` when there is no such business.
///
/// What every command has to know comes with it: commands wait for each other, so that each question that one of
/// them asks keeps all the others waiting.
pub async fn claim_next_revision(
    tx: &mut Tx,
    sitter_id: Id,
    device_id: Option<Id>,
    key: Option<&str>,
) -> sqlx::Result<Option<NextRevision>> {
    let mut next = fetch_next_revision(tx, CLAIM_NEXT_REVISION, sitter_id, device_id, key).await?;
    if let (Some(next), Tx::Postgres(_)) = (&mut next, tx) {
        next.may_be_known = true;
    }
    Ok(next)
}

async fn fetch_next_revision(
    tx: &mut Tx,
    sql: &'static str,
    sitter_id: Id,
    device_id: Option<Id>,
    key: Option<&str>,
) -> sqlx::Result<Option<NextRevision>> {
    let key = key.map(str::to_owned);
    let args = vec![sitter_id.arg(), device_id.arg(), key.arg()];
    tx.fetch_optional(sql, args, read_next_revision).await
}

fn read_next_revision(row: &dyn DbRow) -> sqlx::Result<NextRevision> {
    Ok(NextRevision {
        rev: Column::get(row, "rev")?,
        last_seq: Column::read(row, "last_seq")?.unwrap_or_default(),
        time_zone: Column::read(row, "time_zone")?.unwrap_or_default(),
        backend_id: Column::read(row, "backend_id")?,
        rev_id: Column::read(row, "rev_id")?,
        may_be_known: <u64 as Column>::read(row, "known_rev")?.is_some(),
        is_importing: <u64 as Column>::read(row, "importing_since_ms")?.is_some(),
    })
}

macro_rules! next_revision_columns {
    () => {
        "backend_id, importing_since_ms, (SELECT revision.id FROM revision WHERE revision.sitter_id = $1 ORDER BY revision.rev DESC LIMIT 1) AS rev_id, \
         (SELECT last_seq FROM device WHERE device.sitter_id = $1 AND device.id = $2) AS last_seq, \
         (SELECT time_zone FROM profile WHERE profile.sitter_id = $1 AND profile.id = $1) AS time_zone, \
         (SELECT mutation.rev FROM mutation WHERE mutation.sitter_id = $1 AND mutation.id = $3) AS known_rev"
    };
}

const CLAIM_NEXT_REVISION: &str = concat!(
    "UPDATE sitter SET rev = rev + 1 WHERE id = $1 RETURNING rev, ",
    next_revision_columns!()
);

/// The revision that would be claimed now, without claiming it.
pub async fn next_revision(
    tx: &mut Tx,
    sitter_id: Id,
    device_id: Option<Id>,
    key: Option<&str>,
) -> sqlx::Result<Option<NextRevision>> {
    fetch_next_revision(tx, SELECT_NEXT_REVISION, sitter_id, device_id, key).await
}

const SELECT_NEXT_REVISION: &str = concat!(
    "SELECT rev + 1 AS rev, ",
    next_revision_columns!(),
    " FROM sitter WHERE id = $1"
);

/// Takes the business's row lock and this revision. Where it is not the business's next one, the database refuses this statement, and
/// so all that follows in its transaction before `rollback`.
pub async fn claim_revision(tx: &mut Tx, sitter_id: Id, rev: u64) -> sqlx::Result<()> {
    let args = vec![sitter_id.arg(), rev.arg()];
    tx.defer(CLAIM_REVISION, args).await
}

/// A revision is never null.
const CLAIM_REVISION: &str =
    "UPDATE sitter SET rev = CASE WHEN rev + 1 = $2 THEN rev + 1 END WHERE id = $1";

/// The newest ids of revisions that a business keeps.
const MAX_REVISION_IDS: u32 = 1_000;

/// Gives revisions from the claimed one on this id, where the last one does not have it already. The oldest of too many
/// ids is forgotten.
pub async fn set_revision_id(
    tx: &mut Tx,
    sitter_id: Id,
    next: &NextRevision,
    id: Id,
) -> sqlx::Result<()> {
    if next.rev_id == Some(id) {
        return Ok(());
    }
    let args = vec![sitter_id.arg(), next.rev.arg(), id.arg()];
    tx.defer(INSERT_REVISION, args).await?;
    let args = vec![sitter_id.arg(), MAX_REVISION_IDS.arg()];
    tx.defer(DELETE_OLD_REVISIONS, args).await
}

const INSERT_REVISION: &str = "INSERT INTO revision (sitter_id, rev, id) VALUES ($1, $2, $3)";
const DELETE_OLD_REVISIONS: &str = "DELETE FROM revision WHERE sitter_id = $1 AND rev <= \
    (SELECT rev FROM revision WHERE sitter_id = $1 ORDER BY rev DESC LIMIT 1 OFFSET $2)";

/// The business's history is not the one that a phone knows: its phones are told of another database, unless they have
/// been told since the caller learnt of `known`.
pub async fn replace_backend_id(
    tx: &mut Tx,
    sitter_id: Id,
    known: Option<Id>,
    fresh: Id,
) -> sqlx::Result<()> {
    let known = known.map_or_else(String::new, |it| it.to_string());
    let args = [sitter_id.arg(), fresh.arg(), known.arg()];
    tx.defer(REPLACE_BACKEND_ID, args).await
}

const REPLACE_BACKEND_ID: &str =
    "UPDATE sitter SET backend_id = $2 WHERE id = $1 AND coalesce(backend_id, '') = $3";

/// Makes a business at revision 1, in which its first rows are to be written.
pub async fn insert_sitter(tx: &mut Tx, sitter_id: Id, now: Instant) -> sqlx::Result<()> {
    let args = [sitter_id.arg(), now.arg()];
    tx.defer(INSERT_SITTER, args).await
}

const INSERT_SITTER: &str =
    "INSERT INTO sitter (id, rev, epoch, tombstone_floor, created_at_ms) VALUES ($1, 1, 1, 0, $2)";

/// Deletes a business with all that belongs to it.
pub async fn delete_sitter(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<()> {
    let args = [sitter_id.arg()];
    tx.defer(DELETE_SITTER, args).await
}

const DELETE_SITTER: &str = "DELETE FROM sitter WHERE id = $1";

/// Keeps a business from being deleted or written until the end of the transaction, before anything else of it is locked;
/// whether it is there; one whose account is deleted is not. On SQLite there is one writer.
pub async fn lock_sitter(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<bool> {
    let sql = match tx {
        Tx::Sqlite(_) => SELECT_SITTER_ON_SQLITE,
        Tx::Postgres(_) => LOCK_SITTER,
    };
    let found = tx
        .fetch_optional(sql, [sitter_id.arg()], |_| Ok(()))
        .await?;
    if found.is_none() {
        return Ok(false);
    }
    // Asked once the lock is held, or Postgres would answer with what was there before.
    let closed = tx
        .fetch_optional(SELECT_CLOSED, [sitter_id.arg()], |_| Ok(()))
        .await?;
    Ok(closed.is_none())
}

const SELECT_SITTER_ON_SQLITE: &str = "SELECT id FROM sitter WHERE id = $1";
const LOCK_SITTER: &str = "SELECT id FROM sitter WHERE id = $1 FOR UPDATE";
const SELECT_CLOSED: &str = "SELECT 1 FROM clearing WHERE sitter_id = $1 AND state = 'deleting'";

/// Makes phones start over that have not seen the deletions of before `before`, which may be forgotten from then on.
pub async fn raise_tombstone_floors(tx: &mut Tx, before: Instant) -> sqlx::Result<()> {
    tx.defer(RAISE_FLOORS, [before.arg()]).await
}

/// Forgets some deletions of before `before`, whose floors were raised; `false` when there are no more. A business that
/// was cleared has left very many at once.
pub async fn collect_tombstones(tx: &mut Tx, before: Instant) -> sqlx::Result<bool> {
    let mut n = 0;
    for sql in [DELETE_OLD_DEPARTURES, DELETE_OLD_TOMBSTONES] {
        n += tx.execute(sql, [before.arg()]).await?;
    }
    Ok(0 < n)
}

const RAISE_FLOORS: &str = "UPDATE sitter SET tombstone_floor = (SELECT max(gone.rev) FROM \
    (SELECT sitter_id, rev FROM tombstone WHERE deleted_at_ms < $1 \
     UNION ALL SELECT sitter_id, rev FROM departure WHERE left_at_ms < $1) AS gone WHERE gone.sitter_id = sitter.id) \
    WHERE id IN (SELECT sitter_id FROM tombstone WHERE deleted_at_ms < $1 \
     UNION SELECT sitter_id FROM departure WHERE left_at_ms < $1)";
const DELETE_OLD_DEPARTURES: &str = "DELETE FROM departure WHERE (sitter_id, client_id, table_name, id) IN \
    (SELECT sitter_id, client_id, table_name, id FROM departure WHERE left_at_ms < $1 LIMIT 500)";
const DELETE_OLD_TOMBSTONES: &str = "DELETE FROM tombstone WHERE (sitter_id, table_name, id) IN \
    (SELECT sitter_id, table_name, id FROM tombstone WHERE deleted_at_ms < $1 LIMIT 500)";

/// Removes what was kept long enough: history, outcomes, and phones that have sent nothing since.
pub async fn collect_records(tx: &mut Tx, before: Instant) -> sqlx::Result<()> {
    let args = [before.arg()];
    tx.defer(DELETE_OLD_HISTORY, args.clone()).await?;
    tx.defer(DELETE_OLD_MUTATIONS, args.clone()).await?;
    tx.defer(DELETE_OLD_DEVICES, args).await
}

const DELETE_OLD_HISTORY: &str = "DELETE FROM history WHERE changed_at_ms < $1";
const DELETE_OLD_MUTATIONS: &str = "DELETE FROM mutation WHERE created_at_ms < $1";
const DELETE_OLD_DEVICES: &str = "DELETE FROM device WHERE used_at_ms < $1";
