//! Owns how plans are sold on this server: the operator's account at Stripe, the plans' prices there, and a cache of what
//! Stripe says of those prices. It calls nobody.

use std::sync::{Mutex, PoisonError};

use crate::base::env::Uptime;
use crate::external::stripe::subscriptions::{Price, StripeSubscription, SubscriptionItem};

/// The metadata key of a subscription at Stripe that names its plan: prices change.
pub(crate) const OF_PLAN: &str = "walkies_plan";

/// Settings for the sale of plans, by the Stripe account of whoever runs the server.
#[derive(Clone)]
pub struct BillingSettings {
    /// The secret key of the operator's Stripe account, with which Stripe's API is called.
    pub secret_key: String,
    /// The secrets with which Stripe signs its events; two while one replaces the other.
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
    /// Returns Stripe's name of the price of a plan.
    pub(crate) fn price_of(&self, plan_id: &str) -> Option<&str> {
        let found = self.prices.iter().find(|it| it.0 == plan_id);
        found.map(|it| it.1.as_str())
    }

    /// Returns the plan that has this price at Stripe.
    pub(crate) fn plan_of(&self, price_id: &str) -> Option<&str> {
        let found = self.prices.iter().find(|it| it.1 == price_id);
        found.map(|it| it.0.as_str())
    }

    /// The part of a subscription that a plan is paid with, and the plan. The same account may sell other things to the same
    /// customer: those are none of ours.
    pub(crate) fn part_of<'a>(
        &'a self,
        it: &'a StripeSubscription,
    ) -> Option<(&'a SubscriptionItem, &'a str)> {
        let parts = &it.items.data;
        let of_price = |part: &'a SubscriptionItem| Some((part, self.plan_of(&part.price.id)?));
        // Whatever a person has chosen at Stripe's portal is a price.
        parts.iter().find_map(of_price).or_else(|| {
            let named = it.metadata.get(OF_PLAN)?;
            Some((parts.first()?, named.as_str()))
        })
    }
}

/// Cache of the prices that Stripe last reported, with the uptime at which it did.
#[derive(Debug, Default)]
pub struct KnownPrices(Mutex<Option<(Uptime, Vec<Price>)>>);

impl KnownPrices {
    /// Returns the prices, unless they are older than this.
    pub(crate) fn get(&self, now: Uptime, most_age_ms: i64) -> Option<Vec<Price>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, prices) = known.as_ref()?;
        (now.0 - at.0 < most_age_ms).then(|| prices.clone())
    }

    /// Keeps what Stripe reports now.
    pub(crate) fn set(&self, now: Uptime, prices: Vec<Price>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((now, prices));
    }
}
