//! Owns how invoices are paid by card: a page of Stripe's for what is owed, and what Stripe says of it becoming payments
//! on the invoice. Every event may come twice, late, and in any order; each is dealt with so that a repeat changes nothing.

use walkies_core::commands::{
    RecordInvoicePayment, RecordInvoiceRefund, RemoveInvoicePayment, RemoveInvoiceRefund,
};
use walkies_core::invoice::TipChoice;
use walkies_core::rows::invoice::{Invoice, PaymentMethod};
use walkies_core::rules::card_payment::{self, CardFault, CardProgress};
use walkies_core::rules::push::Notice;
use walkies_core::values::push::PushKind;
use walkies_core::{Cents, Change, Command, Id, Instant, Refusal, Row};

use super::webhook::Event;
use crate::app::session::Member;
use crate::app::state::App;
use crate::base::env::id_of_text;
use crate::base::error::AppError;
use crate::db::{
    self, CheckoutState, PushAudience, SharedInvoice, StripeAccount, StripeCheckout, Tx,
};
use crate::external::stripe::checkout::{Charge, NewSession, Session};
use crate::external::stripe::client::StripeError;
use crate::limits::rate::Rate;
use crate::write::execute::{CommandRequest, CommandSource, Executed, execute};
use crate::write::notify::{self, notices::about_invoice};

/// The events that mean something here; Stripe is asked to send no others.
pub const EVENTS: [&str; 4] = [COMPLETED, LATE_SUCCESS, LATE_FAILURE, REFUNDED];
const COMPLETED: &str = "checkout.session.completed";
const LATE_SUCCESS: &str = "checkout.session.async_payment_succeeded";
const LATE_FAILURE: &str = "checkout.session.async_payment_failed";
const REFUNDED: &str = "charge.refunded";

/// Metadata keys that a session is created with and recognized by: the same account may sell other things.
const OF_SITTER: &str = "walkies_sitter";
const OF_INVOICE: &str = "walkies_invoice";
/// The tip that the payer chose, in cents.
const OF_TIP: &str = "walkies_tip";

const HOUR_MS: i64 = 60 * 60 * 1000;

/// The longest that a bank takes to say whether the money comes: 14 business days
/// (docs.stripe.com/payments/sepa-debit).
const BANK_TAKES_MS: i64 = 21 * 24 * HOUR_MS;

/// Pages of Stripe's for one invoice: a person changes the tip a few times.
const RATE: Rate = Rate {
    burst: 20,
    every_ms: 60 * 1000,
};

/// So many pages are asked about when somebody comes back from paying.
const ASKED_AT_ONCE: usize = 3;
/// Milliseconds between two questions about one session: its payer may come by before paying, and again after it.
const ASK_AGAIN_MS: i64 = 60 * 1000;
/// The same where the client asks, who is signed in.
const ASK_CLIENT_AGAIN_MS: i64 = 3 * 1000;

/// Place to which a payer comes back from Stripe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReturnTo {
    /// The invoice's own page, which anybody can read who has its address.
    Page,
    /// The pet parents' app, which leads those who are not signed in there to the invoice's page.
    Portal,
}

impl ReturnTo {
    /// The path to which a payer comes back.
    fn path(self, invoice: &Invoice, share_id: &str, has_paid: bool) -> String {
        match (self, has_paid) {
            (Self::Page, false) => format!("/invoice/{share_id}"),
            (Self::Page, true) => format!("/invoice/{share_id}?paid=1"),
            (Self::Portal, _) => {
                let paid = if has_paid { "&paid=1" } else { "" };
                let client_id = invoice.client_id;
                format!("/client/invoices?client_id={client_id}&card={share_id}{paid}")
            }
        }
    }

    const fn other(self) -> Self {
        match self {
            Self::Page => Self::Portal,
            Self::Portal => Self::Page,
        }
    }
}

/// The address of the page on which all that is owed is paid, with a tip. The same one for the same amount within an hour,
/// so that who taps twice pays once; a page for another amount is ended first. It leads back to where it was begun first.
///
/// INVARIANT: An invoice has one page on which somebody can pay.
pub async fn begin(
    app: &App,
    share_id: &str,
    tip: TipChoice,
    to: ReturnTo,
) -> Result<Result<String, CardFault>, AppError> {
    let mut tx = app.db.read_autocommit().await?;
    let shared = db::find_shared_invoice(&mut tx, share_id).await?;
    let invoice_id = shared.ok_or(AppError::NotFound)?.invoice.id;
    drop(tx);
    // What one tap has made the next one finds.
    let Ok(_turn) = app.checkouts.acquire(invoice_id).await else {
        return Ok(Err(CardFault::TooOften));
    };
    let mut tx = app.db.read().await?;
    let shared = db::find_shared_invoice(&mut tx, share_id).await?;
    let SharedInvoice { sitter_id, invoice } = shared.ok_or(AppError::NotFound)?;
    let account = db::stripe_account(&mut tx, sitter_id).await?;
    let begun = db::stripe_checkouts_of(&mut tx, sitter_id, invoice.id).await?;
    tx.commit().await?;
    let Some(account) = account else {
        return Ok(Err(CardFault::Off));
    };
    let charge = card_payment::Charge::new(&invoice, tip.of(&invoice));
    let charge = match charge {
        Ok(charge) => charge,
        Err(fault) => return Ok(Err(fault)),
    };
    let now = app.now();
    let hour = now.0.div_euclid(HOUR_MS);
    let is_same = |it: &&StripeCheckout| {
        it.state == CheckoutState::Open
            && it.amount == charge.amount()
            && it.created_at.0.div_euclid(HOUR_MS) == hour
    };
    let known = begun.iter().find(is_same);
    if let Some(url) = known.and_then(|it| it.url.clone()) {
        return Ok(Ok(url));
    }
    let counted = format!("pages of Stripe's for {}", invoice.id);
    if app.limiter.count(counted, RATE, app.uptime()).is_err() {
        return Ok(Err(CardFault::TooOften));
    }
    // On one that has closed somebody may have paid without a word of it so far.
    let is_payable = |it: &&StripeCheckout| may_come(it, now);
    for former in begun.iter().filter(is_payable) {
        match replace(app, &account, former).await? {
            Ok(true) => {}
            // Somebody has just paid there.
            Ok(false) => return Ok(Ok(to.path(&invoice, share_id, true))),
            Err(error) => {
                note_fault(app, sitter_id, &account, &error).await?;
                return Ok(Err(CardFault::Unavailable));
            }
        }
    }
    // What came to an end is not given again, and neither is what has just been ended.
    let ended = begun
        .iter()
        .filter(|it| it.state != CheckoutState::Open || is_payable(it));
    let (owed, on_top, ended) = (charge.owed.0, charge.tip.0, ended.count());
    let once = format!("walkies {} {owed} {on_top} {hour} {ended}", invoice.id);
    // Of the hour and not of this moment, or the second tap would ask for something else.
    let expires_at = Instant((hour + 2) * HOUR_MS);
    let number = format!("Invoice {}", invoice.shown_number());
    let mut lines = vec![(number.as_str(), charge.owed)];
    if Cents::ZERO < charge.tip {
        lines.push(("Tip", charge.tip));
    }
    let (sitter_text, invoice_text) = (sitter_id.to_string(), invoice.id.to_string());
    let tip_text = charge.tip.0.to_string();
    let origin = app.settings.public_url.as_str();
    let addresses = |to: ReturnTo| {
        [true, false].map(|has_paid| [origin, &to.path(&invoice, share_id, has_paid)].concat())
    };
    let [success_url, cancel_url] = addresses(to);
    let new = NewSession {
        lines: &lines,
        description: &format!("{number}, {}", invoice.client_data.name),
        reference: &invoice_text,
        metadata: &[
            (OF_SITTER, &sitter_text),
            (OF_INVOICE, &invoice_text),
            (OF_TIP, &tip_text),
        ],
        success_url: &success_url,
        cancel_url: &cancel_url,
        expires_at: expires_at.0 / 1000,
    };
    let key = account.secret_key.as_str();
    let mut made = app.stripe.create_session(key, &new, &once).await;
    if matches!(made, Err(StripeError::KeyReused)) {
        // It was begun at the other place, and Stripe's answer was lost.
        let [success_url, cancel_url] = addresses(to.other());
        let new = NewSession {
            success_url: &success_url,
            cancel_url: &cancel_url,
            ..new
        };
        made = app.stripe.create_session(key, &new, &once).await;
    }
    let Session { id, url, .. } = match made {
        Ok(session) => session,
        Err(error) => {
            note_fault(app, sitter_id, &account, &error).await?;
            return Ok(Err(CardFault::Unavailable));
        }
    };
    let Some(url) = url.filter(|it| is_page(app, it)) else {
        tracing::error!(%sitter_id, "Stripe gave a session without a page");
        return Ok(Err(CardFault::Unavailable));
    };
    let checkout = StripeCheckout {
        url: Some(url.clone()),
        expires_at,
        ..checkout_of(sitter_id, &id, invoice.id, charge.amount(), now)
    };
    let mut tx = app.db.write().await?;
    db::insert_stripe_checkout(&mut tx, &checkout).await?;
    tx.commit().await?;
    Ok(Ok(url))
}

/// Returns true while money of a session may still come.
fn may_come(checkout: &StripeCheckout, now: Instant) -> bool {
    checkout.is_undecided() && now.0 < checkout.expires_at.0 + BANK_TAKES_MS
}

/// Returns true if somebody has paid the invoice and the money has still to come, as far as Stripe has said.
pub async fn is_on_its_way(
    tx: &mut Tx,
    sitter_id: Id,
    invoice_id: Id,
    now: Instant,
) -> sqlx::Result<bool> {
    let begun = db::stripe_checkouts_of(tx, sitter_id, invoice_id).await?;
    let mut complete = begun
        .iter()
        .filter(|it| it.state == CheckoutState::Complete);
    Ok(complete.any(|it| may_come(it, now)))
}

/// Expires an open checkout session; `false` if it is already paid.
async fn replace(
    app: &App,
    account: &StripeAccount,
    former: &StripeCheckout,
) -> Result<Result<bool, StripeError>, AppError> {
    let (sitter_id, session_id) = (former.sitter_id, former.session_id.as_str());
    let key = account.secret_key.as_str();
    match app.stripe.expire_session(key, session_id).await {
        // Of an account whose keys were here before: whoever pays there pays that one.
        Ok(_) | Err(StripeError::Missing) => {}
        // Only an open one can be ended (docs.stripe.com/api/checkout/sessions/expire).
        Err(StripeError::Invalid(_)) => match app.stripe.session(key, session_id).await {
            Ok(session) if session.is_complete() => {
                let mut tx = app.db.write().await?;
                db::complete_stripe_checkout(&mut tx, sitter_id, session_id).await?;
                tx.commit().await?;
                return Ok(Ok(false));
            }
            Ok(_) => {}
            Err(error) => return Ok(Err(error)),
        },
        Err(error) => return Ok(Err(error)),
    }
    let mut tx = app.db.write().await?;
    db::replace_stripe_checkout(&mut tx, sitter_id, session_id).await?;
    tx.commit().await?;
    Ok(Ok(true))
}

/// A payer is sent to a page over https, or to the stand-in that this server was told of.
fn is_page(app: &App, url: &str) -> bool {
    let pages = &app.settings.stripe.pages;
    url.starts_with("https://")
        || url
            .strip_prefix(pages.as_str())
            .is_some_and(|it| it.starts_with('/'))
}

fn checkout_of(
    sitter_id: Id,
    session_id: &str,
    invoice_id: Id,
    amount: Cents,
    now: Instant,
) -> StripeCheckout {
    StripeCheckout {
        sitter_id,
        session_id: session_id.to_owned(),
        invoice_id,
        amount,
        url: None,
        state: CheckoutState::Open,
        payment_intent: None,
        refunded: Cents::ZERO,
        created_at: now,
        expires_at: now,
        asked_at: None,
    }
}

/// Logs a failure, and keeps for the sitter's settings one that will not pass by itself.
async fn note_fault(
    app: &App,
    sitter_id: Id,
    account: &StripeAccount,
    error: &StripeError,
) -> Result<(), AppError> {
    tracing::warn!(%sitter_id, %error, "a payment by card could not be begun");
    if error.may_pass() {
        return Ok(());
    }
    let mut tx = app.db.write().await?;
    db::set_stripe_fault(&mut tx, sitter_id, &account.secret_key, &error.to_string()).await?;
    tx.commit().await?;
    Ok(())
}

/// How far the payment has come of who is just back from Stripe: where its event has not come yet, Stripe is asked, at
/// most once a minute.
pub async fn after_return(
    app: &App,
    sitter_id: Id,
    invoice_id: Id,
) -> Result<Option<CheckoutState>, AppError> {
    let found = look_up(app, sitter_id, invoice_id, ASK_AGAIN_MS).await?;
    Ok(found.map(|it| it.state))
}

/// Finds out what is known of a payment of an invoice by card, for its client; `has_paid` is true for whom Stripe has led
/// back from a payment. Stripe is asked at most each few seconds.
pub async fn progress(
    app: &App,
    sitter_id: Id,
    invoice_id: Id,
    has_paid: bool,
) -> Result<CardProgress, AppError> {
    let found = look_up(app, sitter_id, invoice_id, ASK_CLIENT_AGAIN_MS).await?;
    let mut tx = app.db.read_autocommit().await?;
    let invoice = db::select_one::<Invoice>(&mut tx, sitter_id, invoice_id).await?;
    drop(tx);
    let is_owed = invoice.is_some_and(|it| Cents::ZERO < it.row.balance());
    let state = found.as_ref().map(|it| it.state);
    Ok(match state {
        _ if !is_owed => CardProgress::Paid,
        Some(CheckoutState::Complete) => CardProgress::OnItsWay,
        Some(CheckoutState::Failed) => CardProgress::TurnedDown,
        // What was paid was given back or credited since: the invoice says so.
        Some(CheckoutState::Paid) => CardProgress::Nothing,
        Some(CheckoutState::Open | CheckoutState::Replaced) => {
            let is_sure = found.is_some_and(|it| it.is_sure);
            match is_sure && !has_paid {
                true => CardProgress::NotPaid,
                false => CardProgress::Unconfirmed,
            }
        }
        None => CardProgress::Nothing,
    })
}

/// Returns true if somebody has paid on a page, whether or not the money has come.
const fn has_paid(state: CheckoutState) -> bool {
    matches!(state, CheckoutState::Paid | CheckoutState::Complete)
}

/// State of the payment of an invoice by card.
struct Found {
    /// State of the newest page, or of one on which somebody has paid.
    state: CheckoutState,
    /// True if Stripe was asked just now about each page on which somebody may have paid.
    is_sure: bool,
}

/// Looks up how far the payment of an invoice has come; Stripe is asked about a page again after so many milliseconds.
async fn look_up(
    app: &App,
    sitter_id: Id,
    invoice_id: Id,
    ask_again_ms: i64,
) -> Result<Option<Found>, AppError> {
    let mut tx = app.db.read().await?;
    let begun = db::stripe_checkouts_of(&mut tx, sitter_id, invoice_id).await?;
    let account = db::stripe_account(&mut tx, sitter_id).await?;
    tx.commit().await?;
    let Some(newest) = begun.first() else {
        return Ok(None);
    };
    let now = app.now();
    let asked_before = Instant(now.0 - ask_again_ms);
    let open = begun
        .iter()
        .filter(|it| it.is_undecided() && it.asked_at.is_none_or(|it| it <= asked_before));
    // On an older page somebody may have paid.
    let is_coming = begun
        .iter()
        .any(|it| it.state == CheckoutState::Complete && may_come(it, now));
    let mut state = match newest.state {
        CheckoutState::Open | CheckoutState::Replaced if is_coming => CheckoutState::Complete,
        state => state,
    };
    let mut n_told = 0;
    for checkout in open.take(ASKED_AT_ONCE) {
        let Some(account) = &account else { break };
        let mut tx = app.db.write().await?;
        let session_id = checkout.session_id.as_str();
        let is_first =
            db::take_stripe_question(&mut tx, sitter_id, session_id, now, asked_before).await?;
        tx.commit().await?;
        // Its event tells the same, and comes in any case.
        if is_first && let Ok(found) = grant(app, sitter_id, account, session_id).await {
            n_told += 1;
            let is_newest = session_id == newest.session_id;
            match found {
                Some(CheckoutState::Paid) => state = CheckoutState::Paid,
                Some(CheckoutState::Complete) if state != CheckoutState::Paid => {
                    state = CheckoutState::Complete;
                }
                Some(found) if is_newest && !has_paid(state) => state = found,
                _ => {}
            }
        }
    }
    let n_undecided = begun.iter().filter(|it| it.is_undecided()).count();
    let is_sure = n_told == n_undecided;
    Ok(Some(Found { state, is_sure }))
}

/// Does what an event means, once.
pub async fn take_event(
    app: &App,
    sitter_id: Id,
    account: &StripeAccount,
    event: &Event,
) -> Result<(), AppError> {
    let mut tx = app.db.read_autocommit().await?;
    if db::has_stripe_event(&mut tx, sitter_id, &event.id).await? {
        return Ok(());
    }
    drop(tx);
    let about = &event.data.object;
    let session_id = about["id"].as_str().unwrap_or_default();
    match event.kind.as_str() {
        COMPLETED | LATE_SUCCESS => {
            grant(app, sitter_id, account, session_id).await?;
        }
        LATE_FAILURE => fail(app, sitter_id, session_id).await?,
        REFUNDED => {
            if let Ok(charge) = serde_json::from_value(about.clone()) {
                refund(app, sitter_id, account, &charge).await?;
            }
        }
        _ => return Ok(()),
    }
    let mut tx = app.db.write().await?;
    db::insert_stripe_event(&mut tx, sitter_id, &event.id, app.now()).await?;
    tx.commit().await?;
    Ok(())
}

/// Writes the payment of a session onto its invoice, if Stripe itself says that it was paid and that it is of this business;
/// `None` where it is none of ours.
async fn grant(
    app: &App,
    sitter_id: Id,
    account: &StripeAccount,
    session_id: &str,
) -> Result<Option<CheckoutState>, AppError> {
    let mut tx = app.db.read_autocommit().await?;
    let known = db::stripe_checkout(&mut tx, sitter_id, session_id).await?;
    drop(tx);
    if known.is_some_and(|it| it.state == CheckoutState::Paid) {
        return Ok(Some(CheckoutState::Paid));
    }
    let session = match app.stripe.session(&account.secret_key, session_id).await {
        Ok(session) => session,
        // Of an account whose keys were here before.
        Err(StripeError::Missing) => return Ok(None),
        Err(error) => return Err(AppError::Unavailable(error.into())),
    };
    let Some(invoice_id) = invoice_of(&session, sitter_id) else {
        return Ok(None);
    };
    let Some(paid) = session.paid() else {
        if !session.is_complete() {
            return Ok(Some(CheckoutState::Open));
        }
        let mut tx = app.db.write().await?;
        db::complete_stripe_checkout(&mut tx, sitter_id, session_id).await?;
        tx.commit().await?;
        return Ok(Some(CheckoutState::Complete));
    };
    let is_live = card_payment::is_live(&account.secret_key) == Some(true);
    let payment = RecordInvoicePayment {
        id: invoice_id,
        payment_id: payment_id(session_id, Cents::ZERO),
        amount: Some(paid),
        method: PaymentMethod::Card,
        note: card_payment::note(paid, session.fee(), is_live),
        tip: tip_of(&session, paid),
        ..RecordInvoicePayment::default()
    };
    let payment_id = payment.payment_id;
    let command = Command::RecordInvoicePayment(payment);
    let changes = write(app, sitter_id, account, command).await?;
    let changes = changes.map_err(|refusal| {
        let code = refusal.code();
        tracing::error!(%sitter_id, %invoice_id, code, "money that came by card cannot be written down");
        AppError::Unavailable(anyhow::anyhow!("a payment is refused: {code}"))
    })?;
    // The core may have put it onto another invoice, where this one was deleted.
    let paid_on = changes.iter().find_map(|change| match change {
        Change::Put(Row::Invoice(it)) if it.payments.iter().any(|it| it.id == payment_id) => {
            Some(it)
        }
        _ => None,
    });
    let invoice_id = paid_on.map_or(invoice_id, |it| it.id);
    let settled = StripeCheckout {
        state: CheckoutState::Paid,
        payment_intent: session.payment_id().map(str::to_owned),
        ..checkout_of(sitter_id, session_id, invoice_id, paid, app.now())
    };
    let mut tx = app.db.write().await?;
    db::settle_stripe_checkout(&mut tx, &settled).await?;
    if let Some(invoice) = paid_on {
        let notice = about_invoice(PushKind::CardPayment, sitter_id, invoice);
        tell(app, &mut tx, &notice).await?;
    }
    tx.commit().await?;
    app.push_queued.notify_one();
    Ok(Some(CheckoutState::Paid))
}

/// Queues a notification for the sitter's phones.
async fn tell(app: &App, tx: &mut Tx, notice: &Notice) -> sqlx::Result<()> {
    let audience = PushAudience::Sitter(notice.sitter_id);
    notify::notify(app, tx, audience, notice, app.now()).await
}

/// Notes that a payer's bank has turned a payment down after all.
async fn fail(app: &App, sitter_id: Id, session_id: &str) -> Result<(), AppError> {
    let mut tx = app.db.write().await?;
    let known = db::stripe_checkout(&mut tx, sitter_id, session_id).await?;
    if let Some(checkout) = known.filter(StripeCheckout::is_undecided) {
        db::fail_stripe_checkout(&mut tx, sitter_id, session_id).await?;
        let invoice = db::select_one::<Invoice>(&mut tx, sitter_id, checkout.invoice_id).await?;
        if let Some(invoice) = invoice {
            let notice = about_invoice(PushKind::CardPaymentLost, sitter_id, &invoice.row);
            tell(app, &mut tx, &notice).await?;
        }
    }
    tx.commit().await?;
    app.push_queued.notify_one();
    Ok(())
}

/// The invoice that a session was made for, by this business.
fn invoice_of(session: &Session, sitter_id: Id) -> Option<Id> {
    let of_sitter: Id = session.word(OF_SITTER)?.parse().ok()?;
    let invoice_id = session.word(OF_INVOICE)?.parse().ok()?;
    (of_sitter == sitter_id).then_some(invoice_id)
}

/// The tip that the payer chose on the invoice's page.
fn tip_of(session: &Session, paid: Cents) -> Option<Cents> {
    let tip = session.word(OF_TIP)?.parse().ok().map(Cents)?;
    Some(tip.max(Cents::ZERO).min(paid))
}

/// Returns the id of a payment on its invoice, for what was refunded so far: the same each time, so that a repeated
/// event adds no second one.
fn payment_id(session_id: &str, refunded: Cents) -> Id {
    id_of_text(&format!("stripe {session_id} {}", refunded.0))
}

/// Lowers a payment to what is left of it, or takes it off the invoice.
async fn refund(
    app: &App,
    sitter_id: Id,
    account: &StripeAccount,
    charge: &Charge,
) -> Result<(), AppError> {
    let Some(payment_intent) = charge.payment_intent.as_deref() else {
        return Ok(());
    };
    let Some(checkout) = checkout_of_payment(app, sitter_id, account, payment_intent).await? else {
        return Ok(());
    };
    let refunded = Cents(charge.amount_refunded).min(checkout.amount);
    if refunded <= checkout.refunded {
        return Ok(());
    }
    let session_id = checkout.session_id.as_str();
    let before = payment_id(session_id, checkout.refunded);
    let after = payment_id(session_id, refunded);
    let mut tx = app.db.read_autocommit().await?;
    let invoice = db::select_one::<Invoice>(&mut tx, sitter_id, checkout.invoice_id).await?;
    drop(tx);
    // What the sitter has taken off already is not lowered.
    let mut payments = invoice.iter().flat_map(|it| &it.row.payments);
    let lowered = payments.find(|it| it.id == before).cloned();
    let left = checkout.amount - refunded;
    let mut commands = Vec::new();
    if let Some(lowered) = lowered {
        let given_back = refunded - checkout.refunded;
        commands.extend(
            invoice
                .iter()
                .flat_map(|it| known_refund(&it.row, given_back)),
        );
        // The tip goes back first, and the day on which it was paid stays.
        let tip = lowered.tip.or_else(|| Some(invoice.as_ref()?.row.tip()));
        let tip = tip.map(|it| (it - given_back).max(Cents::ZERO).min(left));
        if Cents::ZERO < left {
            commands.push(Command::RecordInvoicePayment(RecordInvoicePayment {
                id: checkout.invoice_id,
                payment_id: after,
                amount: Some(left),
                method: PaymentMethod::Card,
                paid_on: Some(lowered.paid_on),
                note: card_payment::refund_note(checkout.amount, refunded),
                tip,
                kept: lowered
                    .kept
                    .map(|it| it.min(left - tip.unwrap_or_default())),
                beyond: None,
            }));
        }
        commands.push(Command::RemoveInvoicePayment(RemoveInvoicePayment {
            id: checkout.invoice_id,
            payment_id: before,
        }));
    }
    for command in commands {
        if let Err(refusal) = write(app, sitter_id, account, command).await? {
            // An invoice that was deleted shows its payments to nobody.
            tracing::warn!(%sitter_id, code = refusal.code(), "what was given back by card cannot be written down");
        }
    }
    let mut tx = app.db.write().await?;
    db::refund_stripe_checkout(&mut tx, sitter_id, session_id, refunded).await?;
    if let Some(invoice) = invoice {
        let notice = Notice {
            is_refund: true,
            ..about_invoice(PushKind::CardPaymentLost, sitter_id, &invoice.row)
        };
        tell(app, &mut tx, &notice).await?;
    }
    tx.commit().await?;
    app.push_queued.notify_one();
    Ok(())
}

/// Commands that take off an invoice what the sitter has written down of money that Stripe gives back: it goes back once.
fn known_refund(invoice: &Invoice, given_back: Cents) -> Vec<Command> {
    let (id, mut left) = (invoice.id, given_back);
    let mut commands = Vec::new();
    for known in &invoice.refunds {
        let part = known.amount.min(left);
        if known.method != PaymentMethod::Card || part <= Cents::ZERO {
            continue;
        }
        left = left - part;
        commands.push(Command::RemoveInvoiceRefund(RemoveInvoiceRefund {
            id,
            refund_id: known.id,
        }));
        if part < known.amount {
            commands.push(Command::RecordInvoiceRefund(RecordInvoiceRefund {
                id,
                refund_id: id_of_text(&format!("{} without {}", known.id, part.0)),
                amount: Some(known.amount - part),
                method: known.method,
                refunded_on: Some(known.refunded_on),
                note: known.note.clone(),
            }));
        }
    }
    commands
}

/// The page on which a payment was made, with its payment written down: a refund may come first.
async fn checkout_of_payment(
    app: &App,
    sitter_id: Id,
    account: &StripeAccount,
    payment_intent: &str,
) -> Result<Option<StripeCheckout>, AppError> {
    let mut tx = app.db.read_autocommit().await?;
    let known = db::stripe_checkout_of_payment(&mut tx, sitter_id, payment_intent).await?;
    drop(tx);
    if known.is_some() {
        return Ok(known);
    }
    let found = app
        .stripe
        .session_of_payment(&account.secret_key, payment_intent)
        .await
        .map_err(|it| AppError::Unavailable(it.into()))?;
    let Some(session) = found else {
        return Ok(None);
    };
    grant(app, sitter_id, account, &session.id).await?;
    let mut tx = app.db.read_autocommit().await?;
    Ok(db::stripe_checkout_of_payment(&mut tx, sitter_id, payment_intent).await?)
}

/// Writes as the sitter does, by the one path of every write; what it has changed.
async fn write(
    app: &App,
    sitter_id: Id,
    account: &StripeAccount,
    command: Command,
) -> Result<Result<Vec<Change>, Refusal>, AppError> {
    let request = CommandRequest {
        member: Member {
            user_id: account.user_id,
            sitter_id,
            link: None,
        },
        command: Ok(command),
        key: None,
        source: CommandSource::Rest { if_match: None },
    };
    Ok(match execute(app, &request).await? {
        Executed::Decided { decided, .. } => decided.map(|it| it.changes),
        // Only what has a key is known, and only what comes from a phone has an order.
        Executed::Known(_) | Executed::OutOfOrder | Executed::OtherServer => Ok(Vec::new()),
    })
}
