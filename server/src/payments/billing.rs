//! Owns what businesses pay for their plans, where plans are sold: pages of Stripe's, changes, and what Stripe says of a
//! subscription becoming the one in the business's own row. Nothing that is posted here is believed: Stripe is asked what
//! stands, so that reports may come twice, late, in any order or not at all.

use std::time::Duration;

use walkies_core::api::{PlanChangePreview, PlanOffer, PlanPrice};
use walkies_core::rows::sitter::Sitter;
use walkies_core::rows::subscription::{Subscription, SubscriptionStatus};
use walkies_core::rules::billing::{BillingFault, PlanChange, price_words};
use walkies_core::values::plan::{self, Plan, plans};
use walkies_core::values::zone::TimeZone;
use walkies_core::{Cents, Id, Instant, Row};

use crate::app::billing_settings::{BillingSettings, OF_PLAN};
use crate::app::state::App;
use crate::app::zone;
use crate::base::error::AppError;
use crate::base::log::redacted_chain;
use crate::db::{self, BillingCustomer};
use crate::external::stripe::client::StripeError;
use crate::external::stripe::subscriptions::{
    NewSubscription, Page, Price, PriceChange, StripeSubscription,
};
use crate::limits::rate::Rate;
use crate::payments::webhook::Event;

/// The metadata key that a Stripe customer or subscription is created with and recognized by: the same account may sell
/// other things.
const OF_SITTER: &str = "walkies_sitter";

/// Calls to Stripe by one business: a person looks at a few changes before deciding.
const RATE: Rate = Rate {
    burst: 30,
    every_ms: 10 * 1000,
};

/// The same by all businesses together: the account at Stripe has a limit of its own.
const RATE_OF_ALL: Rate = Rate {
    burst: 500,
    every_ms: 200,
};

/// Looks at what Stripe says, by one business.
const RATE_OF_LOOKS: Rate = Rate {
    burst: 10,
    every_ms: 20 * 1000,
};

const HOUR_MS: i64 = 60 * 60 * 1000;
const DAY_MS: i64 = 24 * HOUR_MS;
/// Prices change seldom; so old they are asked for again.
const PRICES_AGE_MS: i64 = HOUR_MS;
/// Older ones are said to nobody, whatever Stripe answers.
const PRICES_MOST_AGE_MS: i64 = DAY_MS;
/// The age in seconds up to which a previewed plan change can be confirmed, and then costs the same to the cent.
const PREVIEW_AGE_S: i64 = 60 * 60;
/// Stripe needs about an hour to charge for the next period.
const AFTER_PERIOD_MS: i64 = 2 * HOUR_MS;
/// Who presses twice within this time is meant once. What Stripe has once answered a key with it goes on answering for a
/// day, its own failures included: with the next key it is asked anew.
const ONCE_MS: i64 = 5 * 60 * 1000;
/// A page can be paid on for at least so long, and no longer than twice that: then it is looked whether it was.
const PAGE_MS: i64 = HOUR_MS;
/// The delay in milliseconds after which Stripe is asked about a changed subscription, whatever became of the change.
const AFTER_CHANGE_MS: i64 = 60 * 1000;
/// Stripe tries a card again for two months at most; an operator may have it leave a subscription as it is after that, which
/// is not for nothing here.
const MOST_PAST_DUE_MS: i64 = 60 * DAY_MS;
/// The most attempts to write what Stripe reports: of two callers who ask Stripe at once, the second asks again. More
/// than a few callers at once are not expected.
const LOOKS: u32 = 4;

/// How often it is looked for what is due.
const EVERY: Duration = Duration::from_secs(60);
/// So many businesses are asked about in a round.
const AT_ONCE: u32 = 50;
/// The first delay in milliseconds before a failed cancellation at Stripe is retried; it doubles with each attempt, up
/// to a day.
const FIRST_DELAY_MS: i64 = 60 * 1000;

fn settings(app: &App) -> Result<&BillingSettings, AppError> {
    let settings = app.settings.billing.as_ref();
    settings.ok_or_else(|| BillingFault::NotSold.into())
}

/// Maps a Stripe error to the one that the person sees: a declined card is theirs to fix, all else passes or is the
/// operator's.
fn failed(error: StripeError) -> AppError {
    match error {
        StripeError::Card(why) if asks_bank(&why) => BillingFault::BankAsks.into(),
        StripeError::Card(_) => BillingFault::Declined.into(),
        error => {
            if !error.may_pass() {
                tracing::error!(%error, "Stripe does not do what plans need");
            }
            AppError::Unavailable(error.into())
        }
    }
}

/// Returns true if the card is good but its bank requires its owner's confirmation (docs.stripe.com/error-codes).
fn asks_bank(why: &str) -> bool {
    why.contains("requires_action") || why.contains("authentication_required")
}

/// Why something was not done, for the log.
fn reason(error: &AppError) -> String {
    match error {
        AppError::Unavailable(why) | AppError::Internal(why) => redacted_chain(why),
        error => error.answer().1["code"].to_string(),
    }
}

/// The plans with their prices, as far as those are known already; nobody waits.
pub fn known_offers(app: &App) -> Vec<PlanOffer> {
    let known = app.prices.get(app.uptime(), PRICES_MOST_AGE_MS);
    offers(app, &known.unwrap_or_default())
}

/// The plans with their prices.
///
/// # Errors
/// Where Stripe does not say them, and has not for a day.
pub async fn current_offers(app: &App) -> Result<Vec<PlanOffer>, AppError> {
    Ok(offers(app, &current_prices(app).await?))
}

async fn current_prices(app: &App) -> Result<Vec<Price>, AppError> {
    let Some(settings) = &app.settings.billing else {
        return Ok(Vec::new());
    };
    let now = app.uptime();
    if let Some(prices) = app.prices.get(now, PRICES_AGE_MS) {
        return Ok(prices);
    }
    let asked = settings
        .prices
        .iter()
        .map(|(_, id)| app.stripe.price(&settings.secret_key, id));
    match futures_util::future::try_join_all(asked).await {
        Ok(prices) => {
            app.prices.set(now, prices.clone());
            Ok(prices)
        }
        Err(error) => {
            let old = app.prices.get(now, PRICES_MOST_AGE_MS);
            old.ok_or_else(|| failed(error))
        }
    }
}

fn offers(app: &App, prices: &[Price]) -> Vec<PlanOffer> {
    let billing = app.settings.billing.as_ref();
    let offer = |plan: &Plan| {
        let id = billing.and_then(|it| it.price_of(plan.id));
        let price = prices.iter().find(|it| Some(it.id.as_str()) == id);
        PlanOffer {
            plan: *plan,
            stripe_price_id: id.map(str::to_owned),
            price: price.and_then(plan_price),
        }
    };
    plans(billing.is_some()).iter().map(offer).collect()
}

/// A price in our currency that is paid again and again.
fn plan_price(price: &Price) -> Option<PlanPrice> {
    let amount = Cents(price.unit_amount?);
    let recurring = price.recurring.as_ref()?;
    if price.currency != "usd" {
        return None;
    }
    let every = match recurring.interval_count {
        1 => recurring.interval.clone(),
        n => format!("{n} {}s", recurring.interval),
    };
    Some(PlanPrice {
        amount,
        words: price_words(amount, &every),
        every,
    })
}

/// A business, and what Stripe calls it.
#[derive(Clone, Debug)]
struct Payer {
    sitter: Sitter,
    zone: TimeZone,
    customer: Option<BillingCustomer>,
}

impl Payer {
    /// Returns true if the business is limited to the free plan because its plan is not paid.
    fn is_inactive(&self) -> bool {
        let subscription = self.sitter.subscription.as_ref();
        subscription.is_some_and(|it| it.status == SubscriptionStatus::Inactive)
    }
}

async fn payer(app: &App, sitter_id: Id) -> Result<Payer, AppError> {
    let mut tx = app.db.read().await?;
    let sitter = db::select_one::<Sitter>(&mut tx, sitter_id, sitter_id).await?;
    let customer = db::billing_customer(&mut tx, sitter_id).await?;
    tx.commit().await?;
    // The account was deleted while this call was on its way.
    let sitter = sitter.ok_or(AppError::TokenExpired)?.row;
    let zone = zone::time_zone(&sitter.time_zone).unwrap_or(TimeZone::UTC);
    Ok(Payer {
        sitter,
        zone,
        customer,
    })
}

fn count(app: &App, sitter_id: Id) -> Result<(), AppError> {
    let key = format!("plans of {sitter_id}");
    let counted = app.limiter.count(key, RATE, app.uptime());
    let counted =
        counted.and_then(|()| app.limiter.count("plans of all", RATE_OF_ALL, app.uptime()));
    counted.map_err(|retry_after_s| AppError::TooManyRequests { retry_after_s })
}

/// The customer that a business is, made for the first time it is needed.
async fn made_customer(
    app: &App,
    settings: &BillingSettings,
    payer: &Payer,
) -> Result<BillingCustomer, AppError> {
    if let Some(known) = &payer.customer {
        return Ok(known.clone());
    }
    // This database may be of before it was made: a backup.
    let sitter = &payer.sitter;
    let found = app.stripe.customers_of(&settings.secret_key, &sitter.email);
    let id = sitter.id.to_string();
    let found = found.await.map_err(failed)?;
    let known = found
        .iter()
        .find(|it| it.metadata.get(OF_SITTER) == Some(&id));
    match known {
        Some(it) => note_customer(app, sitter.id, &it.id).await,
        None => new_customer(app, settings, payer, "").await,
    }
}

/// Notes what Stripe calls a business, where nothing is known yet: what is known then.
async fn note_customer(
    app: &App,
    sitter_id: Id,
    customer_id: &str,
) -> Result<BillingCustomer, AppError> {
    let mut tx = app.db.write().await?;
    if !db::lock_sitter(&mut tx, sitter_id).await? {
        return Err(AppError::TokenExpired);
    }
    db::insert_billing_customer(&mut tx, sitter_id, customer_id).await?;
    let known = db::billing_customer(&mut tx, sitter_id).await?;
    tx.commit().await?;
    known.ok_or(AppError::TokenExpired)
}

/// Makes a customer, in place of the one that Stripe does not know any more. One too many costs nothing.
async fn new_customer(
    app: &App,
    settings: &BillingSettings,
    payer: &Payer,
    former: &str,
) -> Result<BillingCustomer, AppError> {
    let sitter_id = payer.sitter.id;
    let id = sitter_id.to_string();
    let (email, name) = (payer.sitter.email.as_str(), payer.sitter.shown_name());
    let turn = app.now().0.div_euclid(ONCE_MS);
    let once = short(&format!(
        "walkies customer {id} {turn} {former} {email} {name}"
    ));
    let made =
        app.stripe
            .create_customer(&settings.secret_key, (email, name), (OF_SITTER, &id), &once);
    let customer_id = made.await.map_err(failed)?.id;
    note_customer(app, sitter_id, &customer_id).await
}

/// Returns the address to which a page of Stripe's sends the person back: `return_url` if it lies on this server, else
/// the billing screen.
fn place_here<'a>(app: &App, return_url: &'a str) -> std::borrow::Cow<'a, str> {
    let origin = &app.settings.public_url;
    let rest = return_url.strip_prefix(origin.as_str());
    let is_here = rest.is_some_and(|it| {
        it.starts_with('/') && it.chars().all(|it| it.is_ascii_graphic() && it != '\\')
    });
    match is_here {
        true => return_url.into(),
        false => format!("{origin}/billing").into(),
    }
}

/// A person is sent to a page over https, or to the stand-in that this server was told of.
fn checked(app: &App, page: Page) -> Result<String, AppError> {
    let pages = &app.settings.stripe.pages;
    let is_page = |it: &String| {
        it.starts_with("https://")
            || it
                .strip_prefix(pages.as_str())
                .is_some_and(|it| it.starts_with('/'))
    };
    let url = page.url.filter(is_page);
    url.ok_or_else(|| AppError::Unavailable(anyhow::anyhow!("Stripe gave no page")))
}

fn paid_plan<'a>(settings: &'a BillingSettings, plan_id: &str) -> Result<&'a str, AppError> {
    let price = settings.price_of(plan_id);
    price.ok_or_else(|| AppError::of_field("plan_id", "There is no such plan"))
}

/// The page on which a business begins to pay for a plan. The same one for the same plan for some minutes, so that who taps
/// twice begins once. What was not paid goes on to be asked for by nobody: it ends when the new one has begun.
pub async fn begin(
    app: &App,
    sitter_id: Id,
    plan_id: &str,
    price_id: &str,
    return_url: &str,
) -> Result<String, AppError> {
    let settings = settings(app)?;
    let price = paid_plan(settings, plan_id)?;
    if price_id != price {
        return Err(BillingFault::Changed.into());
    }
    count(app, sitter_id)?;
    let payer = payer(app, sitter_id).await?;
    let mut customer = made_customer(app, settings, &payer).await?;
    let found = match subscriptions(app, settings, &customer).await? {
        Some(found) => found,
        None => {
            customer = new_customer(app, settings, &payer, &customer.customer_id).await?;
            Vec::new()
        }
    };
    let is_had = match payer.is_inactive() {
        true => is_paid,
        false => is_good,
    };
    if found.iter().any(is_had) {
        // Begun elsewhere, or its report was lost.
        look_or_log(app, sitter_id).await;
        return Err(BillingFault::Subscribed.into());
    }
    let was_subscribed = was_subscribed(&found) || customer.was_subscribed;
    let trial_days = if was_subscribed {
        0
    } else {
        plan::plan(plan_id).trial_days
    };
    let id = sitter_id.to_string();
    let back = place_here(app, return_url);
    let turn = app.now().0.div_euclid(ONCE_MS);
    let end = Instant((turn + 1) * ONCE_MS + PAGE_MS);
    let page = async |customer: &str| {
        let new = NewSubscription {
            customer,
            price,
            trial_days,
            metadata: &[(OF_SITTER, &id), (OF_PLAN, plan_id)],
            success_url: &back,
            cancel_url: &back,
            expires_at: end.0.div_euclid(1000),
        };
        // What came to an end is not begun by the page of before.
        let once = short(&format!(
            "walkies plan {customer} {price} {trial_days} {turn} {} {back}",
            found.len()
        ));
        let key = &settings.secret_key;
        app.stripe.begin_subscription(key, &new, &once).await
    };
    let begun = match page(&customer.customer_id).await {
        // What a deleted customer had is still listed.
        Err(StripeError::Missing) => {
            forget_customer(app, &customer).await?;
            customer = new_customer(app, settings, &payer, &customer.customer_id).await?;
            page(&customer.customer_id).await
        }
        begun => begun,
    };
    let url = checked(app, begun.map_err(failed)?)?;
    // Whoever pays and never comes back is found without a report as well.
    let mut tx = app.db.write().await?;
    let due_at = Instant(end.0 + ONCE_MS);
    db::set_billing_due(&mut tx, sitter_id, Some(due_at)).await?;
    tx.commit().await?;
    Ok(url)
}

/// Stripe takes 255 characters.
fn short(key: &str) -> String {
    crate::base::env::sha256(key.as_bytes())
}

/// The page on which a business looks after its card and its bills; with a plan, the one on which the change to it is paid.
pub async fn portal(
    app: &App,
    sitter_id: Id,
    plan_id: &str,
    return_url: &str,
) -> Result<String, AppError> {
    let settings = settings(app)?;
    let (payer, change) = match plan_id {
        "" => {
            count(app, sitter_id)?;
            (payer(app, sitter_id).await?, None)
        }
        plan_id => {
            let price = paid_plan(settings, plan_id)?;
            let change = change_to(app, settings, sitter_id, (None, plan_id)).await?;
            (change.payer.clone(), Some((change, price)))
        }
    };
    let customer = payer.customer.ok_or(BillingFault::NotSubscribed)?;
    let to = match &change {
        Some((change, price)) => Some(price_change(settings, change, price, 0)?),
        None => None,
    };
    let back = place_here(app, return_url);
    // Its page lasts for minutes, so that each press makes another one.
    let once = app.env.id().to_string();
    let of = (customer.customer_id.as_str(), &*back);
    let page = app
        .stripe
        .portal(&settings.secret_key, of, to.as_ref(), &once);
    let page = match page.await {
        Err(StripeError::Missing) => {
            forget_customer(app, &customer).await?;
            be_free(app, sitter_id).await?;
            return Err(BillingFault::NotSubscribed.into());
        }
        page => page.map_err(failed)?,
    };
    let url = checked(app, page)?;
    let mut tx = app.db.write().await?;
    let due_at = Instant(app.now().0 + HOUR_MS);
    db::set_billing_due(&mut tx, sitter_id, Some(due_at)).await?;
    tx.commit().await?;
    Ok(url)
}

/// A change of plan that was checked against the subscription at Stripe, before it is made or previewed.
struct Change {
    payer: Payer,
    /// All plans that the customer has ever subscribed to.
    found: Vec<StripeSubscription>,
    current: StripeSubscription,
    /// The subscription as it currently stands at Stripe.
    subscription: Subscription,
    plan: &'static Plan,
}

/// Finds what a change to another plan is made to, as it stands at Stripe.
async fn change_to(
    app: &App,
    settings: &BillingSettings,
    sitter_id: Id,
    (seen, plan_id): (Option<&str>, &str),
) -> Result<Change, AppError> {
    if plan_id != plan::FREE {
        paid_plan(settings, plan_id)?;
    }
    count(app, sitter_id)?;
    let payer = payer(app, sitter_id).await?;
    let customer = payer.customer.as_ref();
    let customer = customer.ok_or(BillingFault::NotSubscribed)?;
    let found = subscriptions(app, settings, customer).await?;
    let found = found.unwrap_or_default();
    let unpaid = || last_unpaid(&found, customer.let_go_id.as_deref());
    let current = live(&found).or_else(unpaid);
    let current = current.ok_or(BillingFault::NotSubscribed)?.clone();
    let mut subscription = standing(settings, &current).ok_or(BillingFault::NotSubscribed)?;
    if payer.is_inactive() && !is_paid(&current) {
        subscription.status = SubscriptionStatus::Inactive;
    }
    if seen.is_some_and(|it| it != subscription.plan_id) {
        look_or_log(app, sitter_id).await;
        return Err(BillingFault::Changed.into());
    }
    if subscription.status == SubscriptionStatus::Inactive {
        // It can be let go, and else is begun anew.
        if plan_id != plan::FREE {
            return Err(BillingFault::NotSubscribed.into());
        }
    } else {
        let stays = subscription.plan_id == plan_id && !subscription.cancels;
        let is_ending = plan_id == plan::FREE && subscription.cancels;
        if stays || is_ending {
            return Err(BillingFault::SamePlan.into());
        }
    }
    Ok(Change {
        payer,
        found,
        current,
        subscription,
        plan: plan::plan(plan_id),
    })
}

/// Previews a change to another plan: the amount that is charged at once, and the text that explains the change.
pub async fn preview(
    app: &App,
    sitter_id: Id,
    current_plan_id: &str,
    new_plan_id: &str,
) -> Result<PlanChangePreview, AppError> {
    let settings = settings(app)?;
    let plans = (Some(current_plan_id), new_plan_id);
    let change = change_to(app, settings, sitter_id, plans).await?;
    let proration_date = app.now().0.div_euclid(1000);
    let mut immediate_charge = Cents::ZERO;
    let price = settings.price_of(new_plan_id);
    if let Some(price_id) = price.filter(|_| change.subscription.plan_id != new_plan_id) {
        let to = price_change(settings, &change, price_id, proration_date)?;
        let once = short(&format!(
            "walkies preview {} {price_id} {proration_date}",
            to.subscription.id
        ));
        let preview = app.stripe.preview_price(&settings.secret_key, &to, &once);
        immediate_charge = preview.await.map_err(failed)?.immediate_charge();
    }
    let prices = current_prices(app).await?;
    let price = prices.iter().find(|it| Some(it.id.as_str()) == price);
    let price = price.and_then(plan_price).map(|it| it.words);
    let words = PlanChange {
        from: &change.subscription,
        to: change.plan,
        price: price.as_deref(),
        immediate_charge,
        zone: &change.payer.zone,
    }
    .words();
    Ok(PlanChangePreview {
        immediate_charge,
        proration_date,
        words,
    })
}

fn price_change<'a>(
    settings: &'a BillingSettings,
    change: &'a Change,
    price: &'a str,
    proration_date: i64,
) -> Result<PriceChange<'a>, AppError> {
    let part = settings.part_of(&change.current);
    let (part, _) = part.ok_or(BillingFault::NotSubscribed)?;
    Ok(PriceChange {
        subscription: &change.current,
        item: &part.id,
        price,
        proration_date,
        plan: change.plan.id,
    })
}

/// A change of plan as the person has confirmed it.
#[derive(Clone, Debug)]
pub struct PlanUpdate {
    /// The plan that the person saw as the own one.
    pub seen: Option<String>,
    /// The plan that it is to be.
    pub plan_id: String,
    /// As of when it was previewed: seconds since 1970.
    pub proration_date: Option<i64>,
}

/// Changes the plan, for what was previewed: to the free one with the end of what is paid, to any other one at once.
pub async fn update(app: &App, sitter_id: Id, wanted: &PlanUpdate) -> Result<(), AppError> {
    let settings = settings(app)?;
    let plan_id = wanted.plan_id.as_str();
    let now_s = app.now().0.div_euclid(1000);
    let proration_date = wanted.proration_date.unwrap_or(now_s);
    if !(now_s - PREVIEW_AGE_S..=now_s + 60).contains(&proration_date) {
        return Err(BillingFault::Changed.into());
    }
    let change = match change_to(app, settings, sitter_id, (None, plan_id)).await {
        // A repeat of what was done, whose answer was lost.
        Err(AppError::Billing(BillingFault::SamePlan)) => return look(app, sitter_id).await,
        change => change?,
    };
    let seen = wanted.seen.as_ref();
    if seen.is_some_and(|it| *it != change.subscription.plan_id) {
        look_or_log(app, sitter_id).await;
        return Err(BillingFault::Changed.into());
    }
    // Whatever becomes of the answer, and of this server, it may have been done.
    look_soon(app, sitter_id).await?;
    if change.subscription.status == SubscriptionStatus::Inactive {
        return let_go(app, settings, sitter_id, &change.current).await;
    }
    let key = settings.secret_key.as_str();
    let current = &change.current;
    let cancels = plan_id == plan::FREE;
    let price = settings.price_of(plan_id);
    let done = match price.filter(|_| change.subscription.plan_id != plan_id) {
        Some(price) => {
            let to = price_change(settings, &change, price, proration_date)?;
            let from = &change.subscription.plan_id;
            let once = format!(
                "walkies change {} {from} {price} {proration_date}",
                current.id
            );
            app.stripe.change_price(key, &to, &short(&once)).await
        }
        None => {
            let once = format!("walkies end {} {cancels} {proration_date}", current.id);
            let once = short(&once);
            let set = app.stripe.set_cancels(key, current, cancels, &once);
            set.await
        }
    };
    let done = done.map_err(failed)?;
    let (id, is_as_said) = (done.id.clone(), done.is_ending() == cancels);
    // What Stripe has answered is what stands; whoever waits for it does not wait for another look.
    let mut found = change.found;
    found.retain(|it| it.id != id);
    found.push(done);
    let is_written = match &change.payer.customer {
        Some(customer) => write(app, settings, customer, &found).await,
        None => Ok(false),
    };
    if !is_written.is_ok_and(|it| it) {
        look_or_log(app, sitter_id).await;
    }
    if !is_as_said {
        tracing::error!(
            subscription = id,
            "a subscription ends otherwise than was said"
        );
        return Err(BillingFault::Changed.into());
    }
    Ok(())
}

/// Has nobody asked any more to pay for what ended unpaid, and stays on the free plan.
async fn let_go(
    app: &App,
    settings: &BillingSettings,
    sitter_id: Id,
    unpaid: &StripeSubscription,
) -> Result<(), AppError> {
    if is_living(unpaid) {
        let key = &settings.secret_key;
        let ended = app.stripe.end_subscription(key, &unpaid.id, false);
        ended.await.map_err(failed)?;
    }
    let mut tx = app.db.write().await?;
    db::let_billing_go(&mut tx, sitter_id, &unpaid.id).await?;
    tx.commit().await?;
    look(app, sitter_id).await
}

/// All plans that a customer has ever subscribed to; nothing where Stripe does not know the customer, who is none any more
/// then.
async fn subscriptions(
    app: &App,
    settings: &BillingSettings,
    customer: &BillingCustomer,
) -> Result<Option<Vec<StripeSubscription>>, AppError> {
    let key = settings.secret_key.as_str();
    let found = app
        .stripe
        .subscriptions_of(key, &customer.customer_id)
        .await;
    match found {
        Ok(mut found) => {
            found.retain(|it| settings.part_of(it).is_some());
            Ok(Some(found))
        }
        Err(StripeError::Missing) => {
            forget_customer(app, customer).await?;
            Ok(None)
        }
        Err(error) => Err(failed(error)),
    }
}

/// Forgets a customer who is of another account, or was deleted there.
async fn forget_customer(app: &App, customer: &BillingCustomer) -> Result<(), AppError> {
    let mut tx = app.db.write().await?;
    db::delete_billing_customer(&mut tx, customer).await?;
    tx.commit().await?;
    Ok(())
}

/// Returns true if any subscription was ever begun; one whose first payment never succeeded does not count.
fn was_subscribed(found: &[StripeSubscription]) -> bool {
    let is_begun = |it: &StripeSubscription| !it.status.starts_with("incomplete");
    found.iter().any(is_begun)
}

/// Returns true if the subscription entitles to a plan: it is active, in its trial or past due.
fn is_good(it: &StripeSubscription) -> bool {
    matches!(it.status.as_str(), "trialing" | "active" | "past_due")
}

/// Returns true if nothing is owed for the subscription: it is active or in its trial.
fn is_paid(it: &StripeSubscription) -> bool {
    matches!(it.status.as_str(), "trialing" | "active")
}

/// Returns true if the subscription entitles to a plan, or is unpaid or paused.
fn is_living(it: &StripeSubscription) -> bool {
    is_good(it) || matches!(it.status.as_str(), "unpaid" | "paused")
}

/// The newest of those that are paid, or else of those that are to be.
fn live(found: &[StripeSubscription]) -> Option<&StripeSubscription> {
    let mut live: Vec<_> = found.iter().filter(|it| is_living(it)).collect();
    live.sort_by_key(|it| (is_good(it), it.created, &it.id));
    live.pop()
}

/// Converts a subscription at Stripe to the one in a business's row; `None` if it is for none of our plans.
fn standing(settings: &BillingSettings, it: &StripeSubscription) -> Option<Subscription> {
    let (part, plan_id) = settings.part_of(it)?;
    let status = match it.status.as_str() {
        "trialing" => SubscriptionStatus::Trialing,
        "active" => SubscriptionStatus::Active,
        "past_due" => SubscriptionStatus::PastDue,
        _ => SubscriptionStatus::Inactive,
    };
    let at = |seconds: i64| (0 < seconds).then(|| Instant(seconds.saturating_mul(1000)));
    let is_trial = status == SubscriptionStatus::Trialing;
    Some(Subscription {
        plan_id: plan_id.to_owned(),
        status,
        trial_ends_at: it.trial_end.and_then(at).filter(|_| is_trial),
        period_ends_at: at(part.current_period_end),
        cancels: it.is_ending(),
    })
}

/// The last of those that have ended, where that is since it was not paid and nobody has let it go.
fn last_unpaid<'a>(
    found: &'a [StripeSubscription],
    let_go_id: Option<&str>,
) -> Option<&'a StripeSubscription> {
    let ended = found.iter().filter(|it| it.status == "canceled");
    let last = ended.max_by_key(|it| (it.created, &it.id))?;
    let why = last.cancellation_details.as_ref()?.reason.as_deref();
    let is_unpaid = matches!(why, Some("payment_failed" | "payment_disputed"));
    Some(last).filter(|it| is_unpaid && let_go_id != Some(it.id.as_str()))
}

/// Returns the subscription that counts, out of all that the customer ever had.
fn standing_of(
    settings: &BillingSettings,
    found: &[StripeSubscription],
    let_go_id: Option<&str>,
) -> Subscription {
    if let Some(current) = live(found) {
        return standing(settings, current).unwrap_or_else(Subscription::free);
    }
    // Who has ended it is free; who could not pay is asked to.
    let unpaid = last_unpaid(found, let_go_id);
    let standing = unpaid.and_then(|it| standing(settings, it));
    standing.map_or_else(Subscription::free, |it| Subscription {
        status: SubscriptionStatus::Inactive,
        trial_ends_at: None,
        period_ends_at: None,
        cancels: false,
        ..it
    })
}

/// When Stripe is asked again without a report: soon after the next period has begun.
fn due_at(standing: &Subscription, now: Instant) -> Option<Instant> {
    let end = standing.period_ends_at?;
    Some(Instant((end.0 + AFTER_PERIOD_MS).max(now.0 + DAY_MS)))
}

/// Asks Stripe what a business has subscribed to and writes it into its row.
pub async fn look(app: &App, sitter_id: Id) -> Result<(), AppError> {
    let Some(settings) = &app.settings.billing else {
        return Ok(());
    };
    for _ in 0..LOOKS {
        let mut tx = app.db.read_autocommit().await?;
        let customer = db::billing_customer(&mut tx, sitter_id).await?;
        drop(tx);
        let Some(customer) = customer else {
            return Ok(());
        };
        let Some(found) = subscriptions(app, settings, &customer).await? else {
            return be_free(app, sitter_id).await;
        };
        if write(app, settings, &customer, &found).await? {
            let ended = end_doubles(app, settings, &found).await;
            if ended.is_err() {
                // Both are charged until then.
                look_soon(app, sitter_id).await?;
            }
            return ended;
        }
    }
    Err(AppError::Unavailable(anyhow::anyhow!(
        "a subscription is looked at by many at once"
    )))
}

/// Asks on behalf of who may be back from a page of Stripe's, before anything was reported; not too often. What Stripe does
/// not say stays as it is.
pub async fn look_for_who_is_back(app: &App, sitter_id: Id) {
    let key = format!("looks of {sitter_id}");
    if app.limiter.count(key, RATE_OF_LOOKS, app.uptime()).is_ok() {
        look_or_log(app, sitter_id).await;
    }
}

/// The same where what was wanted is done already: what fails is tried again in a minute.
async fn look_or_log(app: &App, sitter_id: Id) {
    if let Err(error) = look(app, sitter_id).await {
        let error = reason(&error);
        tracing::warn!(%sitter_id, error, "what is subscribed to could not be looked at yet");
        if let Err(error) = look_soon(app, sitter_id).await {
            let error = reason(&error);
            tracing::error!(%sitter_id, error, "nor can that be noted");
        }
    }
}

/// Has Stripe asked in a minute.
async fn look_soon(app: &App, sitter_id: Id) -> Result<(), AppError> {
    let mut tx = app.db.write().await?;
    let due_at = Instant(app.now().0 + AFTER_CHANGE_MS);
    db::set_billing_due(&mut tx, sitter_id, Some(due_at)).await?;
    tx.commit().await?;
    Ok(())
}

/// Writes what Stripe has said; `false`, and nothing is written, where somebody has written since it was asked.
async fn write(
    app: &App,
    settings: &BillingSettings,
    customer: &BillingCustomer,
    found: &[StripeSubscription],
) -> Result<bool, AppError> {
    let (sitter_id, now) = (customer.sitter_id, app.now());
    let mut standing = standing_of(settings, found, customer.let_go_id.as_deref());
    let is_past_due = standing.status == SubscriptionStatus::PastDue;
    let past_due_at = is_past_due.then(|| customer.past_due_at.unwrap_or(now));
    let past_due_end = past_due_at.map(|it| Instant(it.0 + MOST_PAST_DUE_MS));
    if past_due_end.is_some_and(|it| it <= now) {
        standing.status = SubscriptionStatus::Inactive;
    }
    let next = due_at(&standing, now).into_iter();
    let said = BillingCustomer {
        subscription_id: live(found).map(|it| it.id.clone()),
        was_subscribed: customer.was_subscribed || was_subscribed(found),
        due_at: next.chain(past_due_end.filter(|it| now < *it)).min(),
        past_due_at,
        ..customer.clone()
    };
    let mut tx = app.db.write().await?;
    db::lock_sitter(&mut tx, sitter_id).await?;
    if !db::set_billing_customer(&mut tx, &said, now).await? {
        let is_known = db::billing_customer(&mut tx, sitter_id).await?.is_some();
        tx.rollback().await?;
        // Whose account or customer is gone has nothing to write to.
        return Ok(!is_known);
    }
    let rev = set_subscription(app, &mut tx, sitter_id, |_| Some(standing.clone())).await?;
    tx.commit().await?;
    if let Some(rev) = rev {
        app.realtime.changed(sitter_id, rev);
    }
    Ok(true)
}

/// Puts a business on the free plan that is no customer any more.
async fn be_free(app: &App, sitter_id: Id) -> Result<(), AppError> {
    let mut tx = app.db.write().await?;
    let rev = set_subscription(app, &mut tx, sitter_id, |_| Some(Subscription::free())).await?;
    tx.commit().await?;
    if let Some(rev) = rev {
        app.realtime.changed(sitter_id, rev);
    }
    Ok(())
}

/// Writes what a subscription becomes into its business's row, at its next revision; the revision, where that is another one.
pub async fn set_subscription(
    app: &App,
    tx: &mut db::Tx,
    sitter_id: Id,
    becomes: impl Fn(Option<Subscription>) -> Option<Subscription>,
) -> sqlx::Result<Option<u64>> {
    let known = db::select_one::<Sitter>(tx, sitter_id, sitter_id).await?;
    if known.is_none_or(|it| it.row.subscription == becomes(it.row.subscription.clone())) {
        return Ok(None);
    }
    let Some(next) = db::claim_next_revision(tx, sitter_id, None, None).await? else {
        return Ok(None);
    };
    db::set_revision_id(tx, sitter_id, &next, app.current_revision_id()).await?;
    // Read again, now that nobody else writes it.
    let Some(known) = db::select_one::<Sitter>(tx, sitter_id, sitter_id).await? else {
        return Ok(None);
    };
    let row = Sitter {
        subscription: becomes(known.row.subscription),
        ..known.row
    };
    db::write_row(tx, sitter_id, next.rev, &Row::Sitter(row)).await?;
    Ok(Some(next.rev))
}

/// Ends all but the newest of several subscriptions, as who pays on two pages has: what is left of them is given back.
async fn end_doubles(
    app: &App,
    settings: &BillingSettings,
    found: &[StripeSubscription],
) -> Result<(), AppError> {
    let kept = live(found).map(|it| it.id.as_str());
    let others = found
        .iter()
        .filter(|it| is_living(it) && Some(it.id.as_str()) != kept);
    for it in others {
        tracing::warn!(subscription = it.id, "a second subscription is ended");
        let key = &settings.secret_key;
        let ended = app.stripe.end_subscription(key, &it.id, is_paid(it)).await;
        ended.map_err(failed)?;
    }
    Ok(())
}

/// Does what an event means, once: whatever it says of a customer of ours, Stripe is asked.
pub async fn take_event(app: &App, event: &Event) -> Result<(), AppError> {
    let mut tx = app.db.read_autocommit().await?;
    if db::has_billing_event(&mut tx, &event.id).await? {
        return Ok(());
    }
    let about = &event.data.object;
    let customer = match about["object"].as_str() {
        Some("customer") => about["id"].as_str(),
        _ => about["customer"]
            .as_str()
            .or(about["customer"]["id"].as_str()),
    };
    let known = match customer {
        Some(it) => db::billing_customer_named(&mut tx, it).await?,
        None => None,
    };
    drop(tx);
    let sitter_id = match (known, customer) {
        (Some(known), _) => Some(known.sitter_id),
        (None, Some(customer)) => found_anew(app, about, customer).await?,
        (None, None) => None,
    };
    let Some(sitter_id) = sitter_id else {
        return Ok(());
    };
    look(app, sitter_id).await?;
    let mut tx = app.db.write().await?;
    db::insert_billing_event(&mut tx, &event.id, app.now()).await?;
    tx.commit().await?;
    Ok(())
}

/// The business that a subscription of an unknown customer was made for, whom this database has forgotten: it is of a backup
/// of before.
async fn found_anew(
    app: &App,
    about: &serde_json::Value,
    customer: &str,
) -> Result<Option<Id>, AppError> {
    let said = about["metadata"][OF_SITTER].as_str();
    let Some(sitter_id) = said.and_then(|it| it.parse().ok()) else {
        return Ok(None);
    };
    match note_customer(app, sitter_id, customer).await {
        Ok(known) => Ok((known.customer_id == customer).then_some(sitter_id)),
        // Another server's of the same account.
        Err(AppError::TokenExpired) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Looks after subscriptions, for ever.
pub async fn look_after(app: &App) {
    let mut is_aligned = false;
    loop {
        let done = async {
            if !is_aligned {
                align(app).await?;
                is_aligned = true;
            }
            look_once(app).await
        };
        if let Err(error) = done.await {
            let error = reason(&error);
            tracing::warn!(error, "subscriptions cannot be looked after");
        }
        tokio::time::sleep(EVERY).await;
    }
}

/// Gives every business the free plan where plans are sold from now on, and takes the limits of all away where they are
/// not any more.
pub async fn align(app: &App) -> Result<(), AppError> {
    let sells = app.settings.billing.is_some();
    let mut after = Id::default();
    loop {
        let mut tx = app.db.read_autocommit().await?;
        let found = db::businesses_with_subscription(&mut tx, !sells, after, AT_ONCE).await?;
        drop(tx);
        let Some(last) = found.last() else {
            return Ok(());
        };
        after = *last;
        for sitter_id in found {
            let mut tx = app.db.write().await?;
            db::lock_sitter(&mut tx, sitter_id).await?;
            // Who had subscribed before is asked about, and not limited meanwhile.
            let is_customer = db::billing_customer(&mut tx, sitter_id).await?.is_some();
            db::set_billing_due(&mut tx, sitter_id, Some(app.now())).await?;
            // What somebody has written since they were found stays.
            let rev = set_subscription(app, &mut tx, sitter_id, |known| {
                match (sells, is_customer) {
                    (false, _) => None,
                    (true, true) => known,
                    (true, false) => known.or_else(|| Some(Subscription::free())),
                }
            });
            let rev = rev.await?;
            tx.commit().await?;
            if let Some(rev) = rev {
                app.realtime.changed(sitter_id, rev);
            }
        }
    }
}

/// Asks about those who are due, and has those forgotten who are gone.
pub async fn look_once(app: &App) -> Result<(), AppError> {
    let Some(settings) = &app.settings.billing else {
        return Ok(());
    };
    if let Err(error) = current_prices(app).await {
        tracing::warn!(error = reason(&error), "what plans cost is not known");
    }
    let now = app.now();
    let mut tx = app.db.read_autocommit().await?;
    let due = db::due_billing_customers(&mut tx, now, AT_ONCE).await?;
    let farewells = db::due_billing_farewells(&mut tx, now, AT_ONCE).await?;
    drop(tx);
    for customer in due {
        // A failure of one keeps no other one waiting, and for long only where nothing is known to be wrong.
        let sitter_id = customer.sitter_id;
        if let Err(error) = look(app, sitter_id).await {
            let error = reason(&error);
            tracing::warn!(%sitter_id, error, "what is subscribed to could not be looked at");
            let mut tx = app.db.write().await?;
            let later = Instant(now.0 + HOUR_MS);
            db::postpone_billing_due(&mut tx, sitter_id, now, later).await?;
            tx.commit().await?;
        }
    }
    for farewell in farewells {
        let key = settings.secret_key.as_str();
        let customer = farewell.customer_id.as_str();
        let gone = app.stripe.delete_customer(key, customer).await;
        let mut tx = app.db.write().await?;
        match gone {
            Ok(()) => db::delete_billing_farewell(&mut tx, customer).await?,
            Err(error) => {
                let attempts = farewell.attempts;
                tracing::error!(customer, attempts, %error, "the subscription of a deleted account could not be ended yet");
                let delay = FIRST_DELAY_MS.saturating_mul(1 << attempts.min(20));
                let due_at = Instant(now.0 + delay.min(DAY_MS));
                db::postpone_billing_farewell(&mut tx, customer, due_at).await?;
            }
        }
        tx.commit().await?;
    }
    Ok(())
}
