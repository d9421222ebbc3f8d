//! Invoices by what no phone asks for: their numbers, their addresses, those of a client user, and of which to remind.

use walkies_core::rows::invoice::Invoice;
use walkies_core::rows::invoicing::Invoicing;
use walkies_core::rows::versioned::Versioned;
use walkies_core::{Date, Id, Instant};

use super::row::{Synced as _, read_stored};
use crate::base::env::Env;
use crate::base::page::{MAX_LIMIT, Page};
use crate::db::engine::{Column, DbRow, Tx};

/// An invoice and whose it is.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedInvoice {
    /// The id of the business.
    pub sitter_id: Id,
    /// The invoice itself.
    pub invoice: Invoice,
}

fn read_shared(row: &dyn DbRow) -> sqlx::Result<SharedInvoice> {
    Ok(SharedInvoice {
        sitter_id: Column::get(row, "sitter_id")?,
        invoice: Invoice::read(row)?,
    })
}

/// The last number that a business has given; 0 before the first one.
pub async fn last_invoice_number(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<u32> {
    let last = tx
        .fetch_optional(SELECT_LAST_NUMBER, [sitter_id.arg()], |row| {
            Column::get(row, "number")
        })
        .await?;
    Ok(last.unwrap_or_default())
}

const SELECT_LAST_NUMBER: &str = "SELECT number FROM \
    (SELECT number FROM invoice WHERE sitter_id = $1 AND number IS NOT NULL \
    UNION ALL SELECT last_invoice_number AS number FROM sitter WHERE id = $1) AS numbers \
    ORDER BY number DESC LIMIT 1";

/// Notes the last number that a business has given, before its invoices go: no later one has it again.
pub async fn keep_last_invoice_number(tx: &mut Tx, sitter_id: Id, number: u32) -> sqlx::Result<()> {
    tx.defer(KEEP_LAST_NUMBER, vec![sitter_id.arg(), number.arg()])
        .await
}

const KEEP_LAST_NUMBER: &str = "UPDATE sitter SET last_invoice_number = $2 WHERE id = $1";

/// The invoice of an address, if there is one that was not deleted.
pub async fn find_shared_invoice(
    tx: &mut Tx,
    share_id: &str,
) -> sqlx::Result<Option<SharedInvoice>> {
    if !Env::is_share_id(share_id) {
        return Ok(None);
    }
    tx.fetch_optional(SELECT_SHARED, [share_id.to_owned().arg()], read_shared)
        .await
}

// Of a business whose account is deleted the profile goes first.
const SELECT_SHARED: &str = "SELECT * FROM invoice WHERE share_id = $1 AND deleted_at_ms IS NULL \
    AND EXISTS (SELECT 1 FROM profile WHERE profile.sitter_id = invoice.sitter_id)";
/// Finds the business whose invoice has this address, and its revision: nothing about the invoice changes without it.
pub async fn shared_invoice_state(tx: &mut Tx, share_id: &str) -> sqlx::Result<Option<(Id, u64)>> {
    if !Env::is_share_id(share_id) {
        return Ok(None);
    }
    tx.fetch_optional(SELECT_SHARED_STATE, [share_id.to_owned().arg()], |row| {
        Ok((Column::get(row, "id")?, Column::get(row, "rev")?))
    })
    .await
}

const SELECT_SHARED_STATE: &str = "SELECT sitter.id, sitter.rev FROM invoice \
    JOIN sitter ON sitter.id = invoice.sitter_id \
    JOIN profile ON profile.sitter_id = invoice.sitter_id \
    WHERE invoice.share_id = $1 AND invoice.deleted_at_ms IS NULL";

/// Gives a page of what a business has shared and not deleted, the newest first, of one client or of all; how many there are.
pub async fn invoices(
    tx: &mut Tx,
    sitter_id: Id,
    client_id: Option<Id>,
    page: Page,
    mut take: impl FnMut(Versioned<Invoice>) -> sqlx::Result<()> + Send,
) -> sqlx::Result<u64> {
    let mut args = vec![
        sitter_id.arg(),
        page.limit_or(MAX_LIMIT).arg(),
        page.offset().arg(),
    ];
    let (sql, count) = match client_id {
        None => (SELECT_ALL, COUNT_INVOICES),
        Some(_) => (SELECT_OF_CLIENT, COUNT_OF_CLIENT),
    };
    args.extend(client_id.map(|it| it.arg()));
    let each = |row: &dyn DbRow| take(read_stored(row)?);
    tx.fetch_each(sql, args, each).await?;
    let args = std::iter::once(sitter_id).chain(client_id);
    let total = tx.fetch_one(count, args.map(|it| it.arg()), |row| Column::get(row, "n"));
    total.await
}

const SELECT_ALL: &str = "SELECT * FROM invoice WHERE sitter_id = $1 AND deleted_at_ms IS NULL \
    ORDER BY number DESC LIMIT $2 OFFSET $3";
const SELECT_OF_CLIENT: &str = "SELECT * FROM invoice WHERE sitter_id = $1 AND client_id = $4 \
    AND deleted_at_ms IS NULL ORDER BY number DESC LIMIT $2 OFFSET $3";
const COUNT_OF_CLIENT: &str = "SELECT count(*) AS n FROM invoice WHERE sitter_id = $1 AND client_id = $2 \
    AND deleted_at_ms IS NULL";

/// How many invoices and credit notes a business has shared and not deleted.
pub async fn count_invoices(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<u64> {
    let n = tx
        .fetch_optional(COUNT_INVOICES, [sitter_id.arg()], |row| {
            Column::get(row, "n")
        })
        .await?;
    Ok(n.unwrap_or_default())
}

const COUNT_INVOICES: &str =
    "SELECT count(*) AS n FROM invoice WHERE sitter_id = $1 AND deleted_at_ms IS NULL";

/// Gives a page of the invoices of all clients that a client user is linked to, the newest first; how many there are.
pub async fn invoices_for_user(
    tx: &mut Tx,
    user_id: Id,
    page: Page,
    mut take: impl FnMut(Versioned<Invoice>) -> sqlx::Result<()> + Send,
) -> sqlx::Result<u64> {
    let args = [
        user_id.arg(),
        page.limit_or(MAX_LIMIT).arg(),
        page.offset().arg(),
    ];
    let each = |row: &dyn DbRow| take(read_stored(row)?);
    tx.fetch_each(SELECT_FOR_USER, args, each).await?;
    let total = tx.fetch_one(COUNT_FOR_USER, [user_id.arg()], |row| Column::get(row, "n"));
    total.await
}

macro_rules! of_user {
    ($columns:literal, $order:literal) => {
        concat!(
            "SELECT ",
            $columns,
            " FROM client_user_link JOIN invoice \
    ON invoice.sitter_id = client_user_link.sitter_id AND invoice.client_id = client_user_link.client_id \
    JOIN client ON client.sitter_id = client_user_link.sitter_id AND client.id = client_user_link.client_id \
    AND ",
            linked_by_row!("client_user_link"),
            " WHERE client_user_link.user_id = $1 AND invoice.deleted_at_ms IS NULL",
            $order
        )
    };
}

const SELECT_FOR_USER: &str = of_user!(
    "invoice.*",
    " ORDER BY invoice.shared_at_ms DESC, invoice.id LIMIT $2 OFFSET $3"
);
const COUNT_FOR_USER: &str = of_user!("count(*) AS n", "");

/// A business that has its clients reminded of what they owe.
#[derive(Clone, Debug, PartialEq)]
pub struct RemindingBusiness {
    /// The account of its sitter.
    pub user_id: Id,
    /// The id of the business.
    pub sitter_id: Id,
    /// The invoice settings, with the days on which reminders go out.
    pub invoicing: Invoicing,
}

/// The businesses of a zone that have clients reminded, some at a time by their ids.
pub async fn reminding_businesses(
    tx: &mut Tx,
    time_zone: &str,
    after: Id,
    most: u32,
) -> sqlx::Result<Vec<RemindingBusiness>> {
    let args = [time_zone.to_owned().arg(), after.arg(), most.arg()];
    tx.fetch_all(SELECT_REMINDING, args, |row| {
        Ok(RemindingBusiness {
            user_id: Column::get(row, "id")?,
            sitter_id: Column::get(row, "sitter_id")?,
            invoicing: Column::get(row, "invoicing")?,
        })
    })
    .await
}

const SELECT_REMINDING: &str = "SELECT user_account.id, profile.sitter_id, profile.invoicing FROM profile \
    JOIN user_account ON user_account.sitter_id = profile.sitter_id \
    WHERE profile.time_zone = $1 AND profile.sitter_id > $2 AND profile.invoicing LIKE '%\"reminder_days\":[%' \
    AND profile.invoicing NOT LIKE '%\"reminder_days\":[]%' ORDER BY profile.sitter_id LIMIT $3";

/// Lists unpaid invoices that were due on that day and were last reminded of before that moment, or never; at most 20
/// at a time, in the order of their numbers.
pub async fn owed_invoices(
    tx: &mut Tx,
    sitter_id: Id,
    due_date: Date,
    reminded_before: Instant,
    after: u32,
) -> sqlx::Result<Vec<Invoice>> {
    let args = [
        sitter_id.arg(),
        due_date.arg(),
        reminded_before.arg(),
        after.arg(),
    ];
    tx.fetch_all(SELECT_OWED, args, Invoice::read).await
}

const SELECT_OWED: &str = "SELECT * FROM invoice WHERE sitter_id = $1 AND due_date = $2 AND NOT paid \
    AND deleted_at_ms IS NULL AND (reminded_at_ms IS NULL OR reminded_at_ms < $3) AND number > $4 ORDER BY number LIMIT 20";
