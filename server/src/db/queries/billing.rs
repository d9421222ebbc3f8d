//! Owns what is kept of businesses as customers of whoever runs the server, and of Stripe's events about them.

use walkies_core::{Id, Instant};

use crate::db::engine::{Arg, Column, DbRow, Tx};

/// A business as a customer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BillingCustomer {
    /// The id of the business.
    pub sitter_id: Id,
    /// Stripe's name of it.
    pub customer_id: String,
    /// Stripe's name of the subscription that counts.
    pub subscription_id: Option<String>,
    /// True if the customer has ever had a subscription, and so gets no trial again.
    pub was_subscribed: bool,
    /// When Stripe is asked the next time, whatever it reports.
    pub due_at: Option<Instant>,
    /// The number of times that Stripe's data was written, to detect a concurrent update: of two that ask at once, the
    /// second asks again.
    pub n_looks: u64,
    /// Since when the last payment has not gone through.
    pub past_due_at: Option<Instant>,
    /// Stripe's name of what ended unpaid and is asked for no more.
    pub let_go_id: Option<String>,
}

fn read_customer(row: &dyn DbRow) -> sqlx::Result<BillingCustomer> {
    Ok(BillingCustomer {
        sitter_id: Column::get(row, "sitter_id")?,
        customer_id: Column::get(row, "customer_id")?,
        subscription_id: Column::get(row, "subscription_id")?,
        was_subscribed: Column::get(row, "was_subscribed")?,
        due_at: Column::get(row, "due_at_ms")?,
        n_looks: Column::get(row, "n_looks")?,
        past_due_at: Column::get(row, "past_due_at_ms")?,
        let_go_id: Column::get(row, "let_go_id")?,
    })
}

/// A business as a customer, if it is one.
pub async fn billing_customer(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<Option<BillingCustomer>> {
    let args = [sitter_id.arg()];
    tx.fetch_optional(SELECT_BY_SITTER, args, read_customer)
        .await
}

const SELECT_BY_SITTER: &str = "SELECT * FROM billing_customer WHERE sitter_id = $1";

/// The business that Stripe calls so.
pub async fn billing_customer_named(
    tx: &mut Tx,
    customer_id: &str,
) -> sqlx::Result<Option<BillingCustomer>> {
    let args = [customer_id.to_owned().arg()];
    tx.fetch_optional(SELECT_BY_NAME, args, read_customer).await
}

const SELECT_BY_NAME: &str = "SELECT * FROM billing_customer WHERE customer_id = $1";

/// Some of those about whom Stripe is to be asked by now.
pub async fn due_billing_customers(
    tx: &mut Tx,
    now: Instant,
    limit: u32,
) -> sqlx::Result<Vec<BillingCustomer>> {
    let args = [now.arg(), limit.arg()];
    tx.fetch_all(SELECT_DUE, args, read_customer).await
}

const SELECT_DUE: &str =
    "SELECT * FROM billing_customer WHERE due_at_ms <= $1 ORDER BY due_at_ms, sitter_id LIMIT $2";

/// Notes that a business is a customer; one that is known stays as it is.
pub async fn insert_billing_customer(
    tx: &mut Tx,
    sitter_id: Id,
    customer_id: &str,
) -> sqlx::Result<()> {
    let args = [sitter_id.arg(), customer_id.to_owned().arg(), false.arg()];
    tx.defer(INSERT_CUSTOMER, args).await
}

const INSERT_CUSTOMER: &str = "INSERT INTO billing_customer (sitter_id, customer_id, was_subscribed, n_looks) \
    VALUES ($1, $2, $3, 0) ON CONFLICT (sitter_id) DO NOTHING";

/// Says when Stripe is asked the next time.
pub async fn set_billing_due(
    tx: &mut Tx,
    sitter_id: Id,
    due_at: Option<Instant>,
) -> sqlx::Result<()> {
    tx.defer(UPDATE_DUE, [sitter_id.arg(), due_at.arg()]).await
}

const UPDATE_DUE: &str = "UPDATE billing_customer SET due_at_ms = $2 WHERE sitter_id = $1";

/// The same for whoever is still due.
pub async fn postpone_billing_due(
    tx: &mut Tx,
    sitter_id: Id,
    now: Instant,
    due_at: Instant,
) -> sqlx::Result<()> {
    let args = [sitter_id.arg(), due_at.arg(), now.arg()];
    tx.defer(POSTPONE_DUE, args).await
}

const POSTPONE_DUE: &str =
    "UPDATE billing_customer SET due_at_ms = $2 WHERE sitter_id = $1 AND due_at_ms <= $3";

/// Writes what Stripe has said, unless somebody has asked since; whether it was written. When it is asked the next time stays
/// where that is sooner.
pub async fn set_billing_customer(
    tx: &mut Tx,
    it: &BillingCustomer,
    now: Instant,
) -> sqlx::Result<bool> {
    let args: [Arg; 8] = [
        it.sitter_id.arg(),
        it.subscription_id.arg(),
        it.was_subscribed.arg(),
        it.due_at.arg(),
        it.n_looks.arg(),
        it.customer_id.clone().arg(),
        now.arg(),
        it.past_due_at.arg(),
    ];
    Ok(tx.execute(UPDATE_CUSTOMER, args).await? == 1)
}

const UPDATE_CUSTOMER: &str = "UPDATE billing_customer SET subscription_id = $2, was_subscribed = $3, due_at_ms = \
    CASE WHEN due_at_ms > $7 AND due_at_ms < COALESCE(CAST($4 AS BIGINT), due_at_ms + 1) THEN due_at_ms ELSE CAST($4 AS BIGINT) END, \
    n_looks = n_looks + 1, past_due_at_ms = $8 WHERE sitter_id = $1 AND n_looks = $5 AND customer_id = $6";

/// Notes that a subscription that ended unpaid is asked for no more.
pub async fn let_billing_go(tx: &mut Tx, sitter_id: Id, subscription_id: &str) -> sqlx::Result<()> {
    let args = [sitter_id.arg(), subscription_id.to_owned().arg()];
    tx.defer(LET_GO, args).await
}

const LET_GO: &str = "UPDATE billing_customer SET let_go_id = $2 WHERE sitter_id = $1";

/// Forgets a business as a customer, whom Stripe knows no more; one that has come since stays.
pub async fn delete_billing_customer(tx: &mut Tx, it: &BillingCustomer) -> sqlx::Result<()> {
    let args = [it.sitter_id.arg(), it.customer_id.clone().arg()];
    tx.defer(DELETE_CUSTOMER, args).await
}

const DELETE_CUSTOMER: &str =
    "DELETE FROM billing_customer WHERE sitter_id = $1 AND customer_id = $2";

/// Returns true if the event was processed before.
pub async fn has_billing_event(tx: &mut Tx, id: &str) -> sqlx::Result<bool> {
    let args = [id.to_owned().arg()];
    let found = tx.fetch_optional(SELECT_EVENT, args, |_| Ok(())).await?;
    Ok(found.is_some())
}

const SELECT_EVENT: &str = "SELECT id FROM billing_event WHERE id = $1";

/// Notes that an event was dealt with.
pub async fn insert_billing_event(tx: &mut Tx, id: &str, now: Instant) -> sqlx::Result<()> {
    let args = [id.to_owned().arg(), now.arg()];
    tx.defer(INSERT_EVENT, args).await
}

const INSERT_EVENT: &str =
    "INSERT INTO billing_event (id, created_at_ms) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING";

/// Forgets events of before then.
pub async fn collect_billing_events(tx: &mut Tx, before: Instant) -> sqlx::Result<()> {
    tx.defer(DELETE_OLD_EVENTS, [before.arg()]).await
}

const DELETE_OLD_EVENTS: &str = "DELETE FROM billing_event WHERE created_at_ms < $1";

/// Has Stripe forget the customer of a business that is about to be deleted.
pub async fn insert_billing_farewell(tx: &mut Tx, sitter_id: Id, now: Instant) -> sqlx::Result<()> {
    tx.defer(INSERT_FAREWELL, [sitter_id.arg(), now.arg()])
        .await
}

const INSERT_FAREWELL: &str = "INSERT INTO billing_farewell (customer_id, due_at_ms, attempts) \
    SELECT customer_id, CAST($2 AS BIGINT), 0 FROM billing_customer WHERE sitter_id = $1 \
    ON CONFLICT (customer_id) DO NOTHING";

/// A customer whom Stripe is to forget.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BillingFarewell {
    /// Stripe's name of it.
    pub customer_id: String,
    /// How often that was tried.
    pub attempts: u32,
}

/// Some of those whom Stripe is to forget by now.
pub async fn due_billing_farewells(
    tx: &mut Tx,
    now: Instant,
    limit: u32,
) -> sqlx::Result<Vec<BillingFarewell>> {
    let read = |row: &dyn DbRow| {
        Ok(BillingFarewell {
            customer_id: Column::get(row, "customer_id")?,
            attempts: Column::get(row, "attempts")?,
        })
    };
    let args = [now.arg(), limit.arg()];
    tx.fetch_all(SELECT_FAREWELLS, args, read).await
}

const SELECT_FAREWELLS: &str =
    "SELECT * FROM billing_farewell WHERE due_at_ms <= $1 ORDER BY due_at_ms, customer_id LIMIT $2";

/// Notes that it could not be done yet.
pub async fn postpone_billing_farewell(
    tx: &mut Tx,
    customer_id: &str,
    due_at: Instant,
) -> sqlx::Result<()> {
    let args = [customer_id.to_owned().arg(), due_at.arg()];
    tx.defer(POSTPONE_FAREWELL, args).await
}

const POSTPONE_FAREWELL: &str =
    "UPDATE billing_farewell SET due_at_ms = $2, attempts = attempts + 1 WHERE customer_id = $1";

/// Notes that it is done.
pub async fn delete_billing_farewell(tx: &mut Tx, customer_id: &str) -> sqlx::Result<()> {
    tx.defer(DELETE_FAREWELL, [customer_id.to_owned().arg()])
        .await
}

const DELETE_FAREWELL: &str = "DELETE FROM billing_farewell WHERE customer_id = $1";

/// Some businesses, by id, that have a subscription in their row or have none.
pub async fn businesses_with_subscription(
    tx: &mut Tx,
    have_one: bool,
    after: Id,
    limit: u32,
) -> sqlx::Result<Vec<Id>> {
    let sql = if have_one {
        SELECT_WITH_SUBSCRIPTION
    } else {
        SELECT_WITHOUT_SUBSCRIPTION
    };
    let args = [after.arg(), limit.arg()];
    tx.fetch_all(sql, args, |row| Column::get(row, "sitter_id"))
        .await
}

const SELECT_WITH_SUBSCRIPTION: &str = "SELECT sitter_id FROM profile WHERE subscription IS NOT NULL \
    AND sitter_id > $1 ORDER BY sitter_id LIMIT $2";
const SELECT_WITHOUT_SUBSCRIPTION: &str = "SELECT sitter_id FROM profile WHERE subscription IS NULL \
    AND sitter_id > $1 ORDER BY sitter_id LIMIT $2";
