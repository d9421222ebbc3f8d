//! Owns what businesses pay for their plans, where plans are sold: pages of Stripe's, changes, and what Stripe says of a
//! subscription becoming the one in the business's own row. Nothing that is posted here is believed: Stripe is asked what
//! stands, so that reports may come twice, late, in any order or not at all.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use walkies_core::api::{PlanChangePreview, PlanOffer, PlanPrice};
use walkies_core::rows::sitter::Sitter;
use walkies_core::rows::subscription::{Subscription, SubscriptionStatus};
use walkies_core::rules::billing::{BillingFault, PlanChange, price_words};
use walkies_core::values::plan::{self, Plan, plans};
use walkies_core::values::zone::TimeZone;
use walkies_core::{Cents, Id, Instant, Row};

use crate::db::{self, BillingCustomer};
use crate::error::AppError;
use crate::limit::Rate;
use crate::log::{redacted, redacted_chain};
use crate::state::App;
use crate::stripe::client::StripeError;
use crate::stripe::subscriptions::{NewSubscription, Page, Price, PriceChange, StripeSubscription};
use crate::stripe::webhook::Event;
use crate::zone;

/// How plans are sold here: by the account at Stripe of whoever runs the server.
#[derive(Clone)]
pub struct BillingSettings {
    /// What Stripe is called with.
    pub secret_key: String,
    /// What Stripe signs its events with; two while one takes the other's place.
    pub webhook_secrets: Vec<String>,
    /// Stripe's name of the price of each plan that is paid.
    pub prices: Vec<(String, String)>,
}

impl std::fmt::Debug for BillingSettings {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("BillingSettings")
    }
}

impl BillingSettings {
    fn price_of(&self, plan_id: &str) -> Option<&str> {
        let found = self.prices.iter().find(|it| it.0 == plan_id);
        found.map(|it| it.1.as_str())
    }

    fn plan_of(&self, price_id: &str) -> Option<&str> {
        let found = self.prices.iter().find(|it| it.1 == price_id);
        found.map(|it| it.0.as_str())
    }
}

/// What a subscription is made with, and is known again by: the same account may sell other things, and prices change.
const OF_SITTER: &str = "walkies_sitter";
const OF_PLAN: &str = "walkies_plan";

/// Calls to Stripe by one business: a person looks at a few changes before deciding.
const RATE: Rate = Rate {
    burst: 30,
    every_ms: 10 * 1000,
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
/// What a change comes to is kept to the cent for so long after it was shown.
const PREVIEW_AGE_S: i64 = 60 * 60;
/// Stripe needs about an hour to charge for the next period.
const AFTER_PERIOD_MS: i64 = 2 * HOUR_MS;
/// Of two who look at once, the second looks again; more than a few there are not.
const LOOKS: u32 = 4;

/// How often it is looked for what is due.
const EVERY: Duration = Duration::from_secs(60);
/// So many businesses are asked about in a round.
const AT_ONCE: u32 = 50;
/// What Stripe could not be told is told again after so long, and later after twice as long each time, up to a day.
const FIRST_DELAY_MS: i64 = 60 * 1000;

/// What Stripe has last said of the prices.
#[derive(Debug, Default)]
pub struct KnownPrices(Mutex<Option<(Instant, Vec<Price>)>>);

impl KnownPrices {
    fn get(&self, now: Instant, most_age_ms: i64) -> Option<Vec<Price>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, prices) = known.as_ref()?;
        (now.0 - at.0 < most_age_ms).then(|| prices.clone())
    }

    fn set(&self, now: Instant, prices: Vec<Price>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((now, prices));
    }
}

fn settings(app: &App) -> Result<&BillingSettings, AppError> {
    let settings = app.settings.billing.as_ref();
    settings.ok_or_else(|| BillingFault::NotSold.into())
}

/// What a failure of Stripe's means to the person: a declined card is theirs, all else passes or is the operator's.
fn failed(error: StripeError) -> AppError {
    match error {
        StripeError::Card(_) => BillingFault::Declined.into(),
        error => {
            if !error.may_pass() {
                tracing::error!(%error, "Stripe does not do what plans need");
            }
            AppError::Unavailable(error.into())
        }
    }
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
    let known = app.prices.get(app.now(), PRICES_MOST_AGE_MS);
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
    let now = app.now();
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
#[derive(Debug)]
struct Payer {
    sitter: Sitter,
    zone: TimeZone,
    customer: Option<BillingCustomer>,
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
    let counted = app.limiter.count(key, RATE, app.now());
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
    let sitter_id = payer.sitter.id;
    let id = sitter_id.to_string();
    let once = format!("walkies customer {id}");
    let made = app.stripe.create_customer(
        &settings.secret_key,
        (&payer.sitter.email, payer.sitter.shown_name()),
        (OF_SITTER, &id),
        &once,
    );
    let customer_id = made.await.map_err(failed)?.id;
    let mut tx = app.db.write().await?;
    db::insert_billing_customer(&mut tx, sitter_id, &customer_id).await?;
    let known = db::billing_customer(&mut tx, sitter_id).await?;
    tx.commit().await?;
    known.ok_or(AppError::TokenExpired)
}

/// Where somebody comes back to from a page of Stripe's: a place of this server, whatever is asked for.
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

/// The page on which a business begins to pay for a plan. The same one for the same plan within the hour, so that who taps
/// twice begins once.
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
    let mut payer = payer(app, sitter_id).await?;
    let mut customer = made_customer(app, settings, &payer).await?;
    let found = match subscriptions(app, settings, &customer).await? {
        Some(found) => found,
        None => {
            payer.customer = None;
            customer = made_customer(app, settings, &payer).await?;
            Vec::new()
        }
    };
    if live(&found).is_some() {
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
    let new = NewSubscription {
        customer: &customer.customer_id,
        price,
        trial_days,
        metadata: &[(OF_SITTER, &id), (OF_PLAN, plan_id)],
        success_url: &back,
        cancel_url: &back,
    };
    let hour = app.now().0.div_euclid(HOUR_MS);
    // What came to an end is not begun by the page of before.
    let once = short(&format!(
        "walkies plan {} {price} {trial_days} {hour} {} {back}",
        customer.customer_id,
        found.len()
    ));
    let page = app
        .stripe
        .begin_subscription(&settings.secret_key, &new, &once);
    let url = checked(app, page.await.map_err(failed)?)?;
    // Whoever pays and never comes back is found without a report as well.
    let mut tx = app.db.write().await?;
    let due_at = Instant(app.now().0 + HOUR_MS);
    db::set_billing_due(&mut tx, sitter_id, Some(due_at)).await?;
    tx.commit().await?;
    Ok(url)
}

/// Stripe takes 255 characters.
fn short(key: &str) -> String {
    crate::env::sha256(key.as_bytes())
}

/// The page on which a business looks after its card and its bills.
pub async fn portal(app: &App, sitter_id: Id, return_url: &str) -> Result<String, AppError> {
    let settings = settings(app)?;
    count(app, sitter_id)?;
    let customer = payer(app, sitter_id).await?.customer;
    let customer = customer.ok_or(BillingFault::NotSubscribed)?;
    let back = place_here(app, return_url);
    // Its page lasts for minutes, so that each press makes another one.
    let once = app.env.id().to_string();
    let page = app
        .stripe
        .portal(&settings.secret_key, &customer.customer_id, &back, &once);
    let url = checked(app, page.await.map_err(failed)?)?;
    let mut tx = app.db.write().await?;
    let due_at = Instant(app.now().0 + HOUR_MS);
    db::set_billing_due(&mut tx, sitter_id, Some(due_at)).await?;
    tx.commit().await?;
    Ok(url)
}

/// What a change would be.
struct Change {
    payer: Payer,
    current: StripeSubscription,
    /// As it stands at Stripe.
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
    let current = live(&found).ok_or(BillingFault::NotSubscribed)?.clone();
    let subscription = standing(settings, &current).ok_or(BillingFault::NotSubscribed)?;
    if seen.is_some_and(|it| it != subscription.plan_id) {
        look_or_log(app, sitter_id).await;
        return Err(BillingFault::Changed.into());
    }
    let stays = subscription.plan_id == plan_id && !subscription.cancels;
    let is_ending = plan_id == plan::FREE && subscription.cancels;
    if stays || is_ending {
        return Err(BillingFault::SamePlan.into());
    }
    Ok(Change {
        payer,
        current,
        subscription,
        plan: plan::plan(plan_id),
    })
}

/// What a change to another plan comes to.
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
        let to = price_change(&change, price_id, proration_date)?;
        let once = short(&format!(
            "walkies preview {} {price_id} {proration_date}",
            to.subscription
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
    change: &'a Change,
    price: &'a str,
    proration_date: i64,
) -> Result<PriceChange<'a>, AppError> {
    let item = change.current.item().ok_or(BillingFault::NotSubscribed)?;
    Ok(PriceChange {
        subscription: &change.current.id,
        item: &item.id,
        price,
        proration_date,
        plan: change.plan.id,
    })
}

/// Changes the plan, for what was previewed: to the free one with the end of what is paid, to any other one at once.
pub async fn update(
    app: &App,
    sitter_id: Id,
    plan_id: &str,
    proration_date: Option<i64>,
) -> Result<(), AppError> {
    let settings = settings(app)?;
    let now_s = app.now().0.div_euclid(1000);
    let proration_date = proration_date.unwrap_or(now_s);
    if !(now_s - PREVIEW_AGE_S..=now_s + 60).contains(&proration_date) {
        return Err(BillingFault::Changed.into());
    }
    let change = match change_to(app, settings, sitter_id, (None, plan_id)).await {
        // A repeat of what was done, whose answer was lost.
        Err(AppError::Billing(BillingFault::SamePlan)) => return look(app, sitter_id).await,
        change => change?,
    };
    let key = settings.secret_key.as_str();
    let subscription = change.current.id.as_str();
    let price = settings.price_of(plan_id);
    let done = match price.filter(|_| change.subscription.plan_id != plan_id) {
        Some(price) => {
            let to = price_change(&change, price, proration_date)?;
            let from = change.current.item().map_or("", |it| it.price.id.as_str());
            let once = format!("walkies change {subscription} {from} {price} {proration_date}");
            app.stripe.change_price(key, &to, &short(&once)).await
        }
        None => {
            let cancels = plan_id == plan::FREE;
            let once = format!("walkies end {subscription} {cancels} {proration_date}");
            app.stripe
                .set_cancels(key, subscription, cancels, &short(&once))
                .await
        }
    };
    if done.is_err() {
        // It may have been done all the same.
        let mut tx = app.db.write().await?;
        db::set_billing_due(&mut tx, sitter_id, Some(app.now())).await?;
        tx.commit().await?;
    }
    done.map_err(failed)?;
    look_or_log(app, sitter_id).await;
    Ok(())
}

/// All that a customer has subscribed to; nothing where Stripe does not know the customer, who is none any more then.
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
        Ok(found) => Ok(Some(found)),
        // Of another account, or deleted there.
        Err(StripeError::Missing) => {
            let mut tx = app.db.write().await?;
            db::delete_billing_customer(&mut tx, customer.sitter_id).await?;
            tx.commit().await?;
            Ok(None)
        }
        Err(error) => Err(failed(error)),
    }
}

/// Whether something was ever begun.
fn was_subscribed(found: &[StripeSubscription]) -> bool {
    let is_begun = |it: &StripeSubscription| !it.status.starts_with("incomplete");
    found.iter().any(is_begun)
}

/// Whether a plan is had by it.
fn is_good(it: &StripeSubscription) -> bool {
    matches!(it.status.as_str(), "trialing" | "active" | "past_due")
}

/// The newest of those that are paid, or are to be.
fn live(found: &[StripeSubscription]) -> Option<&StripeSubscription> {
    let is_live =
        |it: &&StripeSubscription| is_good(it) || matches!(it.status.as_str(), "unpaid" | "paused");
    let mut live: Vec<_> = found.iter().filter(is_live).collect();
    live.sort_by_key(|it| (is_good(it), it.created, &it.id));
    live.pop()
}

/// What a subscription at Stripe means here; nothing where it is of no plan of ours.
fn standing(settings: &BillingSettings, it: &StripeSubscription) -> Option<Subscription> {
    let item = it.item()?;
    let named = it.metadata.get(OF_PLAN).map(String::as_str);
    // Whatever a person has chosen at Stripe's portal is a price.
    let plan_id = settings.plan_of(&item.price.id).or(named)?.to_owned();
    let status = match it.status.as_str() {
        "trialing" => SubscriptionStatus::Trialing,
        "active" => SubscriptionStatus::Active,
        "past_due" => SubscriptionStatus::PastDue,
        _ => SubscriptionStatus::Inactive,
    };
    let at = |seconds: i64| (0 < seconds).then(|| Instant(seconds.saturating_mul(1000)));
    let is_trial = status == SubscriptionStatus::Trialing;
    Some(Subscription {
        plan_id,
        status,
        trial_ends_at: it.trial_end.and_then(at).filter(|_| is_trial),
        period_ends_at: at(item.current_period_end),
        cancels: it.cancel_at_period_end || it.cancel_at.is_some(),
    })
}

/// What is subscribed to, of all that ever was.
fn standing_of(settings: &BillingSettings, found: &[StripeSubscription]) -> Subscription {
    if let Some(current) = live(found) {
        return standing(settings, current).unwrap_or_else(Subscription::free);
    }
    let mut ended: Vec<_> = found.iter().filter(|it| it.status == "canceled").collect();
    ended.sort_by_key(|it| (it.created, &it.id));
    let Some(last) = ended.pop() else {
        return Subscription::free();
    };
    let why = last.cancellation_details.as_ref();
    let why = why.and_then(|it| it.reason.as_deref());
    let is_unpaid = matches!(why, Some("payment_failed" | "payment_disputed"));
    // Who has ended it is free; who could not pay is asked to.
    let standing = standing(settings, last).filter(|_| is_unpaid);
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
            return end_doubles(app, settings, &found).await;
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
    if app.limiter.count(key, RATE_OF_LOOKS, app.now()).is_ok() {
        look_or_log(app, sitter_id).await;
    }
}

/// The same where what was wanted is done already: what fails is tried again in a minute.
async fn look_or_log(app: &App, sitter_id: Id) {
    if let Err(error) = look(app, sitter_id).await {
        let error = reason(&error);
        tracing::warn!(%sitter_id, error, "what is subscribed to could not be looked at yet");
        let due = async {
            let mut tx = app.db.write().await?;
            db::set_billing_due(&mut tx, sitter_id, Some(app.now())).await?;
            tx.commit().await
        };
        if let Err(error) = due.await {
            tracing::error!(%sitter_id, error = redacted(&error), "nor can that be noted");
        }
    }
}

/// Writes what Stripe has said; `false`, and nothing is written, where somebody has written since it was asked.
async fn write(
    app: &App,
    settings: &BillingSettings,
    customer: &BillingCustomer,
    found: &[StripeSubscription],
) -> Result<bool, AppError> {
    let sitter_id = customer.sitter_id;
    let standing = standing_of(settings, found);
    let said = BillingCustomer {
        subscription_id: live(found).map(|it| it.id.clone()),
        was_subscribed: customer.was_subscribed || was_subscribed(found),
        due_at: due_at(&standing, app.now()),
        ..customer.clone()
    };
    let mut tx = app.db.write().await?;
    if !db::set_billing_customer(&mut tx, &said).await? {
        let is_known = db::billing_customer(&mut tx, sitter_id).await?.is_some();
        tx.rollback().await?;
        // Whose account or customer is gone has nothing to write to.
        return Ok(!is_known);
    }
    let rev = set_subscription(app, &mut tx, sitter_id, Some(standing)).await?;
    tx.commit().await?;
    if let Some(rev) = rev {
        app.realtime.changed(sitter_id, rev);
    }
    Ok(true)
}

/// Puts a business on the free plan that is no customer any more.
async fn be_free(app: &App, sitter_id: Id) -> Result<(), AppError> {
    let mut tx = app.db.write().await?;
    let rev = set_subscription(app, &mut tx, sitter_id, Some(Subscription::free())).await?;
    tx.commit().await?;
    if let Some(rev) = rev {
        app.realtime.changed(sitter_id, rev);
    }
    Ok(())
}

/// Writes a subscription into its business's row, at its next revision; the revision, where it was another one before.
pub async fn set_subscription(
    app: &App,
    tx: &mut db::Tx,
    sitter_id: Id,
    subscription: Option<Subscription>,
) -> sqlx::Result<Option<u64>> {
    let known = db::select_one::<Sitter>(tx, sitter_id, sitter_id).await?;
    if known.is_none_or(|it| it.row.subscription == subscription) {
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
        subscription,
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
    let others = found.iter().filter(|it| {
        is_good(it) && Some(it.id.as_str()) != kept && standing(settings, it).is_some()
    });
    for it in others {
        tracing::warn!(subscription = it.id, "a second subscription is ended");
        let ended = app.stripe.end_subscription(&settings.secret_key, &it.id);
        ended.await.map_err(failed)?;
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
    let Some(known) = known else {
        return Ok(());
    };
    look(app, known.sitter_id).await?;
    let mut tx = app.db.write().await?;
    db::insert_billing_event(&mut tx, &event.id, app.now()).await?;
    tx.commit().await?;
    Ok(())
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
            // Who had subscribed before is asked about.
            db::set_billing_due(&mut tx, sitter_id, Some(app.now())).await?;
            let free = sells.then(Subscription::free);
            let rev = set_subscription(app, &mut tx, sitter_id, free).await?;
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
        // A failure of one keeps no other one waiting.
        let mut tx = app.db.write().await?;
        let later = Some(Instant(now.0 + HOUR_MS));
        db::set_billing_due(&mut tx, customer.sitter_id, later).await?;
        tx.commit().await?;
        if let Err(error) = look(app, customer.sitter_id).await {
            let (sitter_id, error) = (customer.sitter_id, reason(&error));
            tracing::warn!(%sitter_id, error, "what is subscribed to could not be looked at");
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
