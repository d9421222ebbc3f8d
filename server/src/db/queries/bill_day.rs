//! Owns the businesses that are billed by themselves on a day of the month, their last month, and the credit that
//! their clients have.

use walkies_core::rows::invoice::Invoice;
use walkies_core::rows::invoicing::Invoicing;
use walkies_core::rows::versioned::Versioned;
use walkies_core::{Cents, Date, Id};

use super::row::read_stored;
use crate::db::engine::{Column, DbRow, Tx};

/// A business that is billed by itself.
#[derive(Clone, Debug, PartialEq)]
pub struct BillingBusiness {
    /// The id of its owner's account.
    pub user_id: Id,
    /// The id of the business.
    pub sitter_id: Id,
    /// The invoice settings, with the day.
    pub invoicing: Invoicing,
    /// The last month that was billed, by its first day; none where it was switched on just now.
    pub billed_month: Option<Date>,
}

/// The businesses of a zone that are billed by themselves, some at a time by their ids.
pub async fn billing_businesses(
    tx: &mut Tx,
    time_zone: &str,
    after: Id,
    most: u32,
) -> sqlx::Result<Vec<BillingBusiness>> {
    let args = [time_zone.to_owned().arg(), after.arg(), most.arg()];
    tx.fetch_all(SELECT_BILLING, args, |row| {
        Ok(BillingBusiness {
            user_id: Column::get(row, "id")?,
            sitter_id: Column::get(row, "sitter_id")?,
            invoicing: Column::get(row, "invoicing")?,
            billed_month: Column::get(row, "billed_month")?,
        })
    })
    .await
}

const SELECT_BILLING: &str = "SELECT user_account.id, profile.sitter_id, profile.invoicing, sitter.billed_month FROM profile \
    JOIN user_account ON user_account.sitter_id = profile.sitter_id JOIN sitter ON sitter.id = profile.sitter_id \
    WHERE profile.time_zone = $1 AND profile.sitter_id > $2 AND profile.invoicing LIKE '%\"bill_day\":%' \
    ORDER BY profile.sitter_id LIMIT $3";

/// Notes that a month was billed; false where that or a later one was noted before, as by another process.
pub async fn mark_billed(tx: &mut Tx, sitter_id: Id, month: Date) -> sqlx::Result<bool> {
    Ok(tx
        .execute(MARK_BILLED, [sitter_id.arg(), month.arg()])
        .await?
        == 1)
}

const MARK_BILLED: &str = "UPDATE sitter SET billed_month = $2 WHERE id = $1 AND (billed_month IS NULL OR billed_month < $2)";

/// Forgets the months of businesses that have switched it off: switched on again, it begins anew.
pub async fn forget_billed_months(tx: &mut Tx) -> sqlx::Result<()> {
    tx.execute(FORGET_BILLED, []).await.map(|_| ())
}

const FORGET_BILLED: &str = "UPDATE sitter SET billed_month = NULL WHERE billed_month IS NOT NULL \
    AND NOT EXISTS (SELECT 1 FROM profile WHERE profile.sitter_id = sitter.id AND profile.invoicing LIKE '%\"bill_day\":%')";

/// The invoices of a business from which credit is left.
pub async fn invoices_with_credit(
    tx: &mut Tx,
    sitter_id: Id,
) -> sqlx::Result<Vec<Versioned<Invoice>>> {
    let mut found = Vec::new();
    let each = |row: &dyn DbRow| {
        let invoice: Versioned<Invoice> = read_stored(row)?;
        if Cents::ZERO < invoice.row.kept() {
            found.push(invoice);
        }
        Ok(())
    };
    tx.fetch_each(SELECT_WITH_CREDIT, [sitter_id.arg()], each)
        .await?;
    Ok(found)
}

const SELECT_WITH_CREDIT: &str = "SELECT * FROM invoice WHERE sitter_id = $1 AND deleted_at_ms IS NULL \
    AND payments LIKE '%\"kept\":%'";
