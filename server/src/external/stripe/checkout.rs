//! Owns Stripe's Checkout sessions: the pages of Stripe's on which somebody pays. How one is asked for, and what of one
//! matters here.

use std::collections::BTreeMap;

use serde::Deserialize;
use walkies_core::Cents;

use super::client::{List, Stripe, StripeError};

/// A one-time payment that is to be made on a page of Stripe's, by whomever.
#[derive(Clone, Debug)]
pub struct NewSession<'a> {
    /// The items, each with its name as the payer reads it and its price.
    pub lines: &'a [(&'a str, Cents)],
    /// Description of the payment, as the business reads it at Stripe.
    pub description: &'a str,
    /// Our name of what is paid.
    pub reference: &'a str,
    /// Metadata that comes back with the session and with its payment.
    pub metadata: &'a [(&'a str, &'a str)],
    /// Address to which the payer is sent after paying.
    pub success_url: &'a str,
    /// Address to which a payer is sent who turns back.
    pub cancel_url: &'a str,
    /// The time at which the page expires, in seconds since 1970: at least 30 minutes and at most a day from now.
    pub expires_at: i64,
}

/// A session, as far as it matters here.
#[derive(Clone, Debug, Deserialize)]
pub struct Session {
    /// Stripe's id of the session, `cs_…`.
    pub id: String,
    /// `open`, `complete` or `expired`.
    #[serde(default)]
    pub status: Option<String>,
    /// `paid`, `unpaid` or `no_payment_required`; a bank may take days after `complete`.
    #[serde(default)]
    pub payment_status: Option<String>,
    /// The total in cents, with the tip.
    #[serde(default)]
    pub amount_total: Option<i64>,
    /// The currency's code in lower case.
    #[serde(default)]
    pub currency: Option<String>,
    /// Address of the page, while the session is open.
    #[serde(default)]
    pub url: Option<String>,
    /// The metadata that it was created with.
    #[serde(default)]
    pub metadata: Option<BTreeMap<String, String>>,
    /// `pi_…`, once there is one.
    #[serde(default)]
    pub payment_intent: Option<Expandable<PaymentIntent>>,
}

/// An object that Stripe gives by its id, and whole on request.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Expandable<T> {
    /// The id of the object alone.
    Id(String),
    /// The whole object.
    Whole(Box<T>),
}

/// A payment, as far as it matters here.
#[derive(Clone, Debug, Deserialize)]
pub struct PaymentIntent {
    /// Stripe's id of the payment, `pi_…`.
    pub id: String,
    /// The last charge that was tried for it.
    #[serde(default)]
    pub latest_charge: Option<Expandable<Charge>>,
}

/// A charge of a payment.
#[derive(Clone, Debug, Deserialize)]
pub struct Charge {
    /// Its change of the balance, once that is known.
    #[serde(default)]
    pub balance_transaction: Option<Expandable<BalanceTransaction>>,
    /// Stripe's id of the payment that it belongs to.
    #[serde(default)]
    pub payment_intent: Option<String>,
    /// The sum of all refunds so far, in cents.
    #[serde(default)]
    pub amount_refunded: i64,
}

/// A change of the account's balance.
#[derive(Clone, Debug, Deserialize)]
pub struct BalanceTransaction {
    /// Stripe's fee, in cents.
    #[serde(default)]
    pub fee: i64,
}

impl<T> Expandable<T> {
    fn whole(&self) -> Option<&T> {
        match self {
            Self::Id(_) => None,
            Self::Whole(it) => Some(it),
        }
    }
}

impl Session {
    /// Returns the amount that was paid, if all of it was, in our currency.
    pub fn paid(&self) -> Option<Cents> {
        let is_paid = self.payment_status.as_deref() == Some("paid");
        let is_ours = self.currency.as_deref() == Some("usd");
        let amount = self.amount_total.filter(|it| 0 < *it)?;
        (is_paid && is_ours).then_some(Cents(amount))
    }

    /// Returns true if its page was filled in to the end, whether or not the money has come.
    pub fn is_complete(&self) -> bool {
        self.status.as_deref() == Some("complete")
    }

    /// One of the words that it was made with.
    pub fn word(&self, name: &str) -> Option<&str> {
        Some(self.metadata.as_ref()?.get(name)?.as_str())
    }

    /// The id of its payment.
    pub fn payment_id(&self) -> Option<&str> {
        Some(match self.payment_intent.as_ref()? {
            Expandable::Id(id) => id,
            Expandable::Whole(it) => &it.id,
        })
    }

    /// Returns Stripe's fee, if it is known yet.
    pub fn fee(&self) -> Option<Cents> {
        let payment = self.payment_intent.as_ref()?.whole()?;
        let charge = payment.latest_charge.as_ref()?.whole()?;
        let change = charge.balance_transaction.as_ref()?.whole()?;
        Some(Cents(change.fee)).filter(|it| Cents::ZERO < *it)
    }
}

/// Path of the object that a session is fetched with to know the fee.
const FEE: &str = "payment_intent.latest_charge.balance_transaction";

impl Stripe {
    /// Makes a session; one for all calls with the same `idempotency_key`.
    pub async fn create_session(
        &self,
        key: &str,
        new: &NewSession<'_>,
        idempotency_key: &str,
    ) -> Result<Session, StripeError> {
        let mut form: Vec<(String, String)> = [
            ("mode", "payment"),
            ("submit_type", "pay"),
            ("client_reference_id", new.reference),
            ("success_url", new.success_url),
            ("cancel_url", new.cancel_url),
            ("expires_at", &new.expires_at.to_string()),
            ("payment_intent_data[description]", new.description),
            // Amounts stay in the invoice's currency, whatever the payer's card is in.
            ("adaptive_pricing[enabled]", "false"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .to_vec();
        for (at, (name, amount)) in new.lines.iter().enumerate() {
            for (field, value) in [
                ("[quantity]", "1"),
                ("[price_data][currency]", "usd"),
                ("[price_data][unit_amount]", &amount.0.to_string()),
                ("[price_data][product_data][name]", name),
            ] {
                form.push((format!("line_items[{at}]{field}"), value.to_owned()));
            }
        }
        for (name, value) in new.metadata {
            for of in ["metadata", "payment_intent_data[metadata]"] {
                form.push((format!("{of}[{name}]"), (*value).to_owned()));
            }
        }
        let form: Vec<(&str, &str)> = form.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        self.post(key, "checkout/sessions", &form, idempotency_key)
            .await
    }

    /// Expires an open session: nobody can pay on it any more.
    pub async fn expire_session(&self, key: &str, id: &str) -> Result<Session, StripeError> {
        if !is_session_id(id) {
            return Err(StripeError::Missing);
        }
        let path = format!("checkout/sessions/{id}/expire");
        self.post(key, &path, &[], &format!("walkies end {id}"))
            .await
    }

    /// A session as it is now, with its fee where the key may see it.
    pub async fn session(&self, key: &str, id: &str) -> Result<Session, StripeError> {
        if !is_session_id(id) {
            return Err(StripeError::Missing);
        }
        let path = format!("checkout/sessions/{id}");
        match self.get(key, &path, &[("expand[]", FEE)]).await {
            // A restricted key sees sessions and need not see balances.
            Err(StripeError::Permission) => self.get(key, &path, &[]).await,
            found => found,
        }
    }

    /// The session that a payment was made in.
    pub async fn session_of_payment(
        &self,
        key: &str,
        payment_intent: &str,
    ) -> Result<Option<Session>, StripeError> {
        let query = [("payment_intent", payment_intent), ("limit", "1")];
        let found: List<Session> = self.get(key, "checkout/sessions", &query).await?;
        Ok(found.data.into_iter().next())
    }

    /// Checks that Stripe knows the key and lets it see sessions.
    pub async fn check_key(&self, key: &str) -> Result<(), StripeError> {
        let query = [("limit", "1")];
        let _: List<Session> = self.get(key, "checkout/sessions", &query).await?;
        Ok(())
    }
}

/// It becomes part of an address.
fn is_session_id(id: &str) -> bool {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || it == '_';
    id.starts_with("cs_") && id.len() <= 255 && id.chars().all(is_plain)
}
