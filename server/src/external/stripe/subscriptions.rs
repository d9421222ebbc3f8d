//! Owns what is asked of Stripe about plans: customers, prices, subscriptions, the page to begin one on and the portal.

use std::collections::BTreeMap;

use serde::Deserialize;
use walkies_core::Cents;

use super::client::{List, Stripe, StripeError};

/// A customer of the operator's: one that pays for plans.
#[derive(Clone, Debug, Deserialize)]
pub struct Customer {
    /// Stripe's id of the customer, `cus_…`.
    pub id: String,
    /// The metadata that it was created with.
    #[serde(default)]
    pub metadata: BTreeMap<String, String>,
}

/// The price of a plan, as far as it matters here.
#[derive(Clone, Debug, Deserialize)]
pub struct Price {
    /// Stripe's id of the price, `price_…`.
    pub id: String,
    /// The currency's code in lower case.
    #[serde(default)]
    pub currency: String,
    /// The amount in cents.
    #[serde(default)]
    pub unit_amount: Option<i64>,
    /// How often it is paid.
    #[serde(default)]
    pub recurring: Option<Recurring>,
}

/// How often a price is paid.
#[derive(Clone, Debug, Deserialize)]
pub struct Recurring {
    /// The unit of time, such as `month` or `year`.
    #[serde(default)]
    pub interval: String,
    /// The number of such units in a period.
    #[serde(default)]
    pub interval_count: i64,
}

/// A subscription, as far as it matters here.
#[derive(Clone, Debug, Deserialize)]
pub struct StripeSubscription {
    /// Stripe's id of the subscription, `sub_…`.
    pub id: String,
    /// `trialing`, `active`, `past_due`, `unpaid`, `paused`, `canceled`, `incomplete`, `incomplete_expired`.
    #[serde(default)]
    pub status: String,
    /// The time of its creation, in seconds since 1970.
    #[serde(default)]
    pub created: i64,
    /// True if it ends with the period that is paid.
    #[serde(default)]
    pub cancel_at_period_end: bool,
    /// When it ends, where somebody has said so.
    #[serde(default)]
    pub cancel_at: Option<i64>,
    /// Why it has ended.
    #[serde(default)]
    pub cancellation_details: Option<CancellationDetails>,
    /// Until when it is tried.
    #[serde(default)]
    pub trial_end: Option<i64>,
    /// Its items, each with the price that is paid; one is for the plan.
    pub items: List<SubscriptionItem>,
    /// The metadata that it was created with.
    #[serde(default)]
    pub metadata: BTreeMap<String, String>,
}

/// Why a subscription has ended.
#[derive(Clone, Debug, Deserialize)]
pub struct CancellationDetails {
    /// `cancellation_requested`, `payment_failed`, `payment_disputed`.
    #[serde(default)]
    pub reason: Option<String>,
}

/// A part of a subscription.
#[derive(Clone, Debug, Deserialize)]
pub struct SubscriptionItem {
    /// Stripe's id of the item, `si_…`.
    pub id: String,
    /// The price of the item.
    pub price: Price,
    /// Until when it is paid: seconds since 1970.
    #[serde(default)]
    pub current_period_end: i64,
}

impl StripeSubscription {
    /// Returns true if somebody has canceled it. Of late the portal does so by a time and not with the period
    /// (docs.stripe.com/billing/subscriptions/billing-mode/compare).
    pub const fn is_ending(&self) -> bool {
        self.cancel_at_period_end || self.cancel_at.is_some()
    }

    /// Returns the field that takes a cancellation back, of the two that may have been set: Stripe takes one of both.
    const fn goes_on(&self) -> Option<(&'static str, &'static str)> {
        if self.cancel_at_period_end {
            Some(("cancel_at_period_end", "false"))
        } else if self.cancel_at.is_some() {
            Some(("cancel_at", ""))
        } else {
            None
        }
    }
}

/// The invoice that a change would make.
#[derive(Clone, Debug, Deserialize)]
pub struct InvoicePreview {
    /// In cents; negative where more is given back than is charged.
    #[serde(default)]
    pub total: i64,
    /// In cents, after what stands to the customer's credit.
    #[serde(default)]
    pub amount_due: i64,
}

impl InvoicePreview {
    /// Returns the amount that is charged at once; a credit where it is negative.
    pub fn immediate_charge(&self) -> Cents {
        Cents(if self.total < 0 {
            self.total
        } else {
            self.amount_due
        })
    }
}

/// A page of Stripe's.
#[derive(Clone, Debug, Deserialize)]
pub struct Page {
    /// The address of the page.
    #[serde(default)]
    pub url: Option<String>,
}

/// A subscription that is to begin on a page of Stripe's.
#[derive(Clone, Copy, Debug)]
pub struct NewSubscription<'a> {
    /// Stripe's id of the customer who pays.
    pub customer: &'a str,
    /// Stripe's id of the price.
    pub price: &'a str,
    /// The length of the trial in days; 0 for none.
    pub trial_days: u32,
    /// Metadata that comes back with the subscription.
    pub metadata: &'a [(&'a str, &'a str)],
    /// Address to which the payer is sent after paying.
    pub success_url: &'a str,
    /// Address to which a payer is sent who turns back.
    pub cancel_url: &'a str,
    /// Until when it can be paid: seconds since 1970.
    pub expires_at: i64,
}

/// Another price for a subscription.
#[derive(Clone, Copy, Debug)]
pub struct PriceChange<'a> {
    /// The subscription as it is.
    pub subscription: &'a StripeSubscription,
    /// Stripe's id of the subscription's item.
    pub item: &'a str,
    /// The new price.
    pub price: &'a str,
    /// The time from which the rest of the old price is credited, in seconds since 1970.
    pub proration_date: i64,
    /// The new plan's name.
    pub plan: &'a str,
}

/// More subscriptions than these nobody has begun.
const MOST: &str = "100";

impl Stripe {
    /// Makes a customer.
    pub async fn create_customer(
        &self,
        key: &str,
        (email, name): (&str, &str),
        metadata: (&str, &str),
        idempotency_key: &str,
    ) -> Result<Customer, StripeError> {
        let word = format!("metadata[{}]", metadata.0);
        let form = [("email", email), ("name", name), (&word, metadata.1)];
        self.post(key, "customers", &form, idempotency_key).await
    }

    /// The customers of an e-mail, the newest first.
    pub async fn customers_of(&self, key: &str, email: &str) -> Result<Vec<Customer>, StripeError> {
        let query = [("email", email), ("limit", MOST)];
        let found: List<Customer> = self.get(key, "customers", &query).await?;
        Ok(found.data)
    }

    /// Forgets a customer, and ends all that it has subscribed to; the same for one that is gone.
    pub async fn delete_customer(&self, key: &str, customer: &str) -> Result<(), StripeError> {
        let gone: Result<Customer, _> = self
            .delete(key, &format!("customers/{customer}"), &[])
            .await;
        match gone {
            Ok(_) | Err(StripeError::Missing) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Reads a price by its id.
    pub async fn price(&self, key: &str, id: &str) -> Result<Price, StripeError> {
        self.get(key, &format!("prices/{id}"), &[]).await
    }

    /// All that a customer has ever subscribed to.
    pub async fn subscriptions_of(
        &self,
        key: &str,
        customer: &str,
    ) -> Result<Vec<StripeSubscription>, StripeError> {
        let query = [("customer", customer), ("status", "all"), ("limit", MOST)];
        let found: List<StripeSubscription> = self.get(key, "subscriptions", &query).await?;
        Ok(found.data)
    }

    /// The page on which a subscription begins; one for all calls with the same `idempotency_key`.
    pub async fn begin_subscription(
        &self,
        key: &str,
        new: &NewSubscription<'_>,
        idempotency_key: &str,
    ) -> Result<Page, StripeError> {
        let days = new.trial_days.to_string();
        let expires_at = new.expires_at.to_string();
        let mut form = vec![
            ("mode", "subscription"),
            ("customer", new.customer),
            ("line_items[0][price]", new.price),
            ("line_items[0][quantity]", "1"),
            ("success_url", new.success_url),
            ("cancel_url", new.cancel_url),
            ("expires_at", &expires_at),
        ];
        if 0 < new.trial_days {
            form.push(("subscription_data[trial_period_days]", &days));
        }
        let words = new.metadata.iter().map(|(name, value)| {
            let name = format!("subscription_data[metadata][{name}]");
            (name, *value)
        });
        let words: Vec<(String, &str)> = words.collect();
        form.extend(words.iter().map(|(name, value)| (name.as_str(), *value)));
        self.post(key, "checkout/sessions", &form, idempotency_key)
            .await
    }

    /// The page on which a customer looks after cards and bills; with a change, the one on which that is paid.
    pub async fn portal(
        &self,
        key: &str,
        (customer, return_url): (&str, &str),
        change: Option<&PriceChange<'_>>,
        idempotency_key: &str,
    ) -> Result<Page, StripeError> {
        const FLOW: &str = "flow_data[subscription_update_confirm]";
        let mut form = vec![("customer", customer), ("return_url", return_url)];
        let word = |name: &str| format!("{FLOW}{name}");
        let names = [
            "[subscription]",
            "[items][0][id]",
            "[items][0][price]",
            "[items][0][quantity]",
        ]
        .map(word);
        if let Some(change) = change {
            form.push(("flow_data[type]", "subscription_update_confirm"));
            form.push(("flow_data[after_completion][type]", "redirect"));
            form.push((
                "flow_data[after_completion][redirect][return_url]",
                return_url,
            ));
            let values = [
                change.subscription.id.as_str(),
                change.item,
                change.price,
                "1",
            ];
            form.extend(names.iter().map(String::as_str).zip(values));
        }
        self.post(key, "billing_portal/sessions", &form, idempotency_key)
            .await
    }

    /// Previews the invoice that a change to another price would make at once.
    pub async fn preview_price(
        &self,
        key: &str,
        change: &PriceChange<'_>,
        idempotency_key: &str,
    ) -> Result<InvoicePreview, StripeError> {
        let date = change.proration_date.to_string();
        let form = [
            ("subscription", change.subscription.id.as_str()),
            ("subscription_details[items][0][id]", change.item),
            ("subscription_details[items][0][price]", change.price),
            ("subscription_details[proration_behavior]", "always_invoice"),
            ("subscription_details[proration_date]", &date),
        ];
        self.post(key, "invoices/create_preview", &form, idempotency_key)
            .await
    }

    /// Charges another price from now on, and what it comes to at once; where the card is declined, nothing changes.
    pub async fn change_price(
        &self,
        key: &str,
        change: &PriceChange<'_>,
        idempotency_key: &str,
    ) -> Result<StripeSubscription, StripeError> {
        let date = change.proration_date.to_string();
        let mut form = vec![
            ("items[0][id]", change.item),
            ("items[0][price]", change.price),
            ("proration_behavior", "always_invoice"),
            ("proration_date", &date),
            ("payment_behavior", "error_if_incomplete"),
            ("metadata[walkies_plan]", change.plan),
        ];
        form.extend(change.subscription.goes_on());
        let path = format!("subscriptions/{}", change.subscription.id);
        self.post(key, &path, &form, idempotency_key).await
    }

    /// Has a subscription end with what is paid, or go on after all.
    pub async fn set_cancels(
        &self,
        key: &str,
        subscription: &StripeSubscription,
        cancels: bool,
        idempotency_key: &str,
    ) -> Result<StripeSubscription, StripeError> {
        let form = match cancels {
            true => ("cancel_at_period_end", "true"),
            false => {
                let goes_on = subscription.goes_on();
                goes_on.unwrap_or(("cancel_at_period_end", "false"))
            }
        };
        let path = format!("subscriptions/{}", subscription.id);
        self.post(key, &path, &[form], idempotency_key).await
    }

    /// Ends a subscription at once; what is left of one that is paid is given back as a credit.
    pub async fn end_subscription(
        &self,
        key: &str,
        id: &str,
        is_paid: bool,
    ) -> Result<(), StripeError> {
        let is_paid = if is_paid { "true" } else { "false" };
        let query = [("prorate", is_paid), ("invoice_now", is_paid)];
        let ended: Result<StripeSubscription, _> = self
            .delete(key, &format!("subscriptions/{id}"), &query)
            .await;
        match ended {
            Ok(_) | Err(StripeError::Missing) => Ok(()),
            Err(error) => Err(error),
        }
    }
}
