//! Owns what is kept of Stripe: a business's own keys, the pages on which its invoices can be or were paid, and the events
//! that were dealt with.

use walkies_core::{Cents, Id, Instant};

use crate::db::engine::{Arg, Column, DbRow, Tx};

/// A business's own account at Stripe.
#[derive(Clone, PartialEq, Eq)]
pub struct StripeAccount {
    /// The secret key with which Stripe's API is called.
    pub secret_key: String,
    /// The secrets with which Stripe signs its events; two while one replaces the other.
    pub webhook_secrets: Vec<String>,
    /// The account of the person who entered the keys.
    pub user_id: Id,
    /// The problem that Stripe reported with the key, if any.
    pub fault: Option<String>,
}

impl std::fmt::Debug for StripeAccount {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("StripeAccount")
    }
}

/// The keys of a business, if it takes cards.
pub async fn stripe_account(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<Option<StripeAccount>> {
    let read = |row: &dyn DbRow| {
        Ok(StripeAccount {
            secret_key: Column::get(row, "secret_key")?,
            webhook_secrets: Column::get(row, "webhook_secrets")?,
            user_id: Column::get(row, "user_id")?,
            fault: Column::get(row, "fault")?,
        })
    };
    tx.fetch_optional(SELECT_ACCOUNT, [sitter_id.arg()], read)
        .await
}

const SELECT_ACCOUNT: &str = "SELECT * FROM stripe_account WHERE sitter_id = $1";

/// Keeps the keys of a business in place of the former ones.
pub async fn set_stripe_account(
    tx: &mut Tx,
    sitter_id: Id,
    account: &StripeAccount,
    now: Instant,
) -> sqlx::Result<()> {
    let args = [
        sitter_id.arg(),
        account.secret_key.arg(),
        account.webhook_secrets.arg(),
        account.user_id.arg(),
        account.fault.arg(),
        now.arg(),
    ];
    tx.defer(UPSERT_ACCOUNT, args).await
}

const UPSERT_ACCOUNT: &str = "INSERT INTO stripe_account \
    (sitter_id, secret_key, webhook_secrets, user_id, fault, created_at_ms) VALUES ($1, $2, $3, $4, $5, $6) \
    ON CONFLICT (sitter_id) DO UPDATE SET secret_key = excluded.secret_key, webhook_secrets = excluded.webhook_secrets, \
    user_id = excluded.user_id, fault = excluded.fault, created_at_ms = excluded.created_at_ms";

/// Notes what Stripe has against this key, which may have been replaced meanwhile.
pub async fn set_stripe_fault(
    tx: &mut Tx,
    sitter_id: Id,
    secret_key: &str,
    fault: &str,
) -> sqlx::Result<()> {
    let args = [
        sitter_id.arg(),
        secret_key.to_owned().arg(),
        fault.to_owned().arg(),
    ];
    tx.defer(UPDATE_FAULT, args).await
}

const UPDATE_FAULT: &str =
    "UPDATE stripe_account SET fault = $3 WHERE sitter_id = $1 AND secret_key = $2";

/// Forgets the keys of a business. What was begun stays, so that a refund by other keys still finds its payment.
pub async fn delete_stripe_account(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<()> {
    tx.defer(DELETE_ACCOUNT, [sitter_id.arg()]).await
}

const DELETE_ACCOUNT: &str = "DELETE FROM stripe_account WHERE sitter_id = $1";

/// How far a page of Stripe's has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckoutState {
    /// Nobody has paid yet, as far as is known.
    Open,
    /// Somebody has paid, and the money is on its way.
    Complete,
    /// The money has come, and stands on the invoice.
    Paid,
    /// The payer's bank has turned it down after all.
    Failed,
    /// Expired, because another page took its place.
    Replaced,
}

impl CheckoutState {
    const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Complete => "complete",
            Self::Paid => "paid",
            Self::Failed => "failed",
            Self::Replaced => "replaced",
        }
    }

    fn named(name: &str) -> Self {
        match name {
            "complete" => Self::Complete,
            "paid" => Self::Paid,
            "failed" => Self::Failed,
            "replaced" => Self::Replaced,
            _ => Self::Open,
        }
    }
}

/// A page of Stripe's on which an invoice can be or was paid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StripeCheckout {
    /// The id of the business.
    pub sitter_id: Id,
    /// Stripe's name of it.
    pub session_id: String,
    /// The invoice that is paid there.
    pub invoice_id: Id,
    /// The amount to pay, with the tip.
    pub amount: Cents,
    /// Address of the page, if this server has made it.
    pub url: Option<String>,
    /// How far it has come.
    pub state: CheckoutState,
    /// Stripe's name of the payment, once there is one.
    pub payment_intent: Option<String>,
    /// Amount that was refunded.
    pub refunded: Cents,
    /// When it was made.
    pub created_at: Instant,
    /// Nobody pays there from then on.
    pub expires_at: Instant,
    /// When Stripe was last asked about it because its payer came back.
    pub asked_at: Option<Instant>,
}

impl StripeCheckout {
    /// True while its money may still come.
    pub fn is_undecided(&self) -> bool {
        matches!(self.state, CheckoutState::Open | CheckoutState::Complete)
    }
}

fn read_checkout(row: &dyn DbRow) -> sqlx::Result<StripeCheckout> {
    let state: String = Column::get(row, "state")?;
    Ok(StripeCheckout {
        sitter_id: Column::get(row, "sitter_id")?,
        session_id: Column::get(row, "session_id")?,
        invoice_id: Column::get(row, "invoice_id")?,
        amount: Column::get(row, "amount_cents")?,
        url: Column::get(row, "url")?,
        state: CheckoutState::named(&state),
        payment_intent: Column::get(row, "payment_intent")?,
        refunded: Column::get(row, "refunded_cents")?,
        created_at: Column::get(row, "created_at_ms")?,
        expires_at: Column::get(row, "expires_at_ms")?,
        asked_at: Column::get(row, "asked_at_ms")?,
    })
}

/// Notes a page; one that is known stays as it is.
pub async fn insert_stripe_checkout(tx: &mut Tx, checkout: &StripeCheckout) -> sqlx::Result<()> {
    tx.defer(INSERT_CHECKOUT, checkout_args(checkout)).await
}

/// Notes that the money of a page has come.
pub async fn settle_stripe_checkout(tx: &mut Tx, checkout: &StripeCheckout) -> sqlx::Result<()> {
    tx.defer(SETTLE_CHECKOUT, checkout_args(checkout)).await
}

fn checkout_args(checkout: &StripeCheckout) -> [Arg; 10] {
    [
        checkout.sitter_id.arg(),
        checkout.session_id.arg(),
        checkout.invoice_id.arg(),
        checkout.amount.arg(),
        checkout.url.arg(),
        checkout.state.name().to_owned().arg(),
        checkout.payment_intent.arg(),
        checkout.refunded.arg(),
        checkout.created_at.arg(),
        checkout.expires_at.arg(),
    ]
}

const INSERT_CHECKOUT: &str = "INSERT INTO stripe_checkout (sitter_id, session_id, invoice_id, amount_cents, url, state, \
    payment_intent, refunded_cents, created_at_ms, expires_at_ms) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) \
    ON CONFLICT (sitter_id, session_id) DO NOTHING";
const SETTLE_CHECKOUT: &str = "INSERT INTO stripe_checkout (sitter_id, session_id, invoice_id, amount_cents, url, state, \
    payment_intent, refunded_cents, created_at_ms, expires_at_ms) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) \
    ON CONFLICT (sitter_id, session_id) DO UPDATE SET invoice_id = excluded.invoice_id, \
    amount_cents = excluded.amount_cents, state = excluded.state, payment_intent = excluded.payment_intent";

/// Marks an open session as complete: its page is filled in, and the money has still to come.
pub async fn complete_stripe_checkout(
    tx: &mut Tx,
    sitter_id: Id,
    session_id: &str,
) -> sqlx::Result<()> {
    let args = [sitter_id.arg(), session_id.to_owned().arg()];
    tx.defer(COMPLETE_CHECKOUT, args).await
}

const COMPLETE_CHECKOUT: &str = "UPDATE stripe_checkout SET state = 'complete' \
    WHERE sitter_id = $1 AND session_id = $2 AND state = 'open'";

/// Notes that the money of a page does not come.
pub async fn fail_stripe_checkout(
    tx: &mut Tx,
    sitter_id: Id,
    session_id: &str,
) -> sqlx::Result<()> {
    let args = [sitter_id.arg(), session_id.to_owned().arg()];
    tx.defer(FAIL_CHECKOUT, args).await
}

const FAIL_CHECKOUT: &str = "UPDATE stripe_checkout SET state = 'failed' \
    WHERE sitter_id = $1 AND session_id = $2 AND state IN ('open', 'complete')";

/// Marks an open session as replaced by another one.
pub async fn replace_stripe_checkout(
    tx: &mut Tx,
    sitter_id: Id,
    session_id: &str,
) -> sqlx::Result<()> {
    let args = [sitter_id.arg(), session_id.to_owned().arg()];
    tx.defer(REPLACE_CHECKOUT, args).await
}

const REPLACE_CHECKOUT: &str = "UPDATE stripe_checkout SET state = 'replaced' \
    WHERE sitter_id = $1 AND session_id = $2 AND state = 'open'";

/// Notes what was given back so far; less than is known says nothing.
pub async fn refund_stripe_checkout(
    tx: &mut Tx,
    sitter_id: Id,
    session_id: &str,
    refunded: Cents,
) -> sqlx::Result<()> {
    let args = [sitter_id.arg(), session_id.to_owned().arg(), refunded.arg()];
    tx.defer(REFUND_CHECKOUT, args).await
}

const REFUND_CHECKOUT: &str = "UPDATE stripe_checkout SET refunded_cents = $3 \
    WHERE sitter_id = $1 AND session_id = $2 AND refunded_cents < $3";

/// A page by Stripe's name of it.
pub async fn stripe_checkout(
    tx: &mut Tx,
    sitter_id: Id,
    session_id: &str,
) -> sqlx::Result<Option<StripeCheckout>> {
    let args = [sitter_id.arg(), session_id.to_owned().arg()];
    tx.fetch_optional(SELECT_CHECKOUT, args, read_checkout)
        .await
}

const SELECT_CHECKOUT: &str =
    "SELECT * FROM stripe_checkout WHERE sitter_id = $1 AND session_id = $2";

/// The page on which this payment was made.
pub async fn stripe_checkout_of_payment(
    tx: &mut Tx,
    sitter_id: Id,
    payment_intent: &str,
) -> sqlx::Result<Option<StripeCheckout>> {
    let args = [sitter_id.arg(), payment_intent.to_owned().arg()];
    tx.fetch_optional(SELECT_BY_PAYMENT, args, read_checkout)
        .await
}

const SELECT_BY_PAYMENT: &str =
    "SELECT * FROM stripe_checkout WHERE sitter_id = $1 AND payment_intent = $2";

/// The pages of an invoice, the newest first.
pub async fn stripe_checkouts_of(
    tx: &mut Tx,
    sitter_id: Id,
    invoice_id: Id,
) -> sqlx::Result<Vec<StripeCheckout>> {
    let args = [sitter_id.arg(), invoice_id.arg()];
    tx.fetch_all(SELECT_BY_INVOICE, args, read_checkout).await
}

const SELECT_BY_INVOICE: &str = "SELECT * FROM stripe_checkout WHERE sitter_id = $1 AND invoice_id = $2 \
    ORDER BY created_at_ms DESC, session_id LIMIT 100";

/// Takes the question about a page that Stripe is asked where its payer came back before its event; `false` where it was
/// asked after `asked_before`.
pub async fn take_stripe_question(
    tx: &mut Tx,
    sitter_id: Id,
    session_id: &str,
    now: Instant,
    asked_before: Instant,
) -> sqlx::Result<bool> {
    let args = [
        sitter_id.arg(),
        session_id.to_owned().arg(),
        now.arg(),
        asked_before.arg(),
    ];
    Ok(tx.execute(TAKE_QUESTION, args).await? == 1)
}

const TAKE_QUESTION: &str = "UPDATE stripe_checkout SET asked_at_ms = $3 \
    WHERE sitter_id = $1 AND session_id = $2 AND (asked_at_ms IS NULL OR asked_at_ms <= $4)";

/// Returns true if the event was processed before.
pub async fn has_stripe_event(tx: &mut Tx, sitter_id: Id, id: &str) -> sqlx::Result<bool> {
    let args = [sitter_id.arg(), id.to_owned().arg()];
    let found = tx.fetch_optional(SELECT_EVENT, args, |_| Ok(())).await?;
    Ok(found.is_some())
}

const SELECT_EVENT: &str = "SELECT id FROM stripe_event WHERE sitter_id = $1 AND id = $2";

/// Notes that an event was dealt with.
pub async fn insert_stripe_event(
    tx: &mut Tx,
    sitter_id: Id,
    id: &str,
    now: Instant,
) -> sqlx::Result<()> {
    let args = [sitter_id.arg(), id.to_owned().arg(), now.arg()];
    tx.defer(INSERT_EVENT, args).await
}

const INSERT_EVENT: &str = "INSERT INTO stripe_event (sitter_id, id, created_at_ms) VALUES ($1, $2, $3) \
    ON CONFLICT (sitter_id, id) DO NOTHING";

/// Forgets events of before `events_before`, pages of before then that nobody paid on, and those of before
/// `payments_before`.
pub async fn collect_stripe(
    tx: &mut Tx,
    events_before: Instant,
    payments_before: Instant,
) -> sqlx::Result<()> {
    tx.defer(DELETE_OLD_EVENTS, [events_before.arg()]).await?;
    let args = [events_before.arg(), payments_before.arg()];
    tx.defer(DELETE_OLD_CHECKOUTS, args).await
}

const DELETE_OLD_EVENTS: &str = "DELETE FROM stripe_event WHERE created_at_ms < $1";
const DELETE_OLD_CHECKOUTS: &str = "DELETE FROM stripe_checkout WHERE created_at_ms < $2 \
    OR created_at_ms < $1 AND state <> 'paid'";
