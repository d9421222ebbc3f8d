//! Owns what is said and refused about what a business pays for its plan: the words of a price and of a change of plan
//! before it is made.

use thiserror::Error;

use crate::rows::subscription::{Subscription, SubscriptionStatus};
use crate::values::format;
use crate::values::plan::{self, Plan};
use crate::values::zone::TimeZone;
use crate::{Cents, Instant};

/// Why something about the plan is not done; nothing was charged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BillingFault {
    /// This server sells no plans.
    #[error("Everything is free on this server.")]
    NotSold,
    /// A second subscription would be paid twice.
    #[error("You have a subscription already. Change it instead.")]
    Subscribed,
    /// There is none that could be changed.
    #[error("You have no subscription yet. Choose a plan to begin one.")]
    NotSubscribed,
    /// It is the plan already.
    #[error("This is your plan already.")]
    SamePlan,
    /// It is another one than the person saw, or the preview is old.
    #[error("Your plan or its price has changed in the meantime. Please look again.")]
    Changed,
    /// The card was declined.
    #[error("Your card was declined, so your plan stays as it is. Update your card and try again.")]
    Declined,
    /// The bank wants its customer's word, which only a page of the processor's can ask for.
    #[error(
        "Your bank asks you to confirm this payment, so your plan stays as it is until you do."
    )]
    BankAsks,
}

impl BillingFault {
    /// Its name in answers.
    pub const fn code(self) -> &'static str {
        match self {
            Self::NotSold => "not_sold",
            Self::Subscribed => "subscribed",
            Self::NotSubscribed => "not_subscribed",
            Self::SamePlan => "same_plan",
            Self::Changed => "plan_changed",
            Self::Declined => "card_declined",
            Self::BankAsks => "bank_asks",
        }
    }
}

/// Formats a price per period: `$12.00 a month`.
pub fn price_words(amount: Cents, every: &str) -> String {
    format!("{amount} a {every}")
}

/// A change of plan, as Stripe says what it comes to.
#[derive(Clone, Debug)]
pub struct PlanChange<'a> {
    /// The subscription before the change.
    pub from: &'a Subscription,
    /// The new plan.
    pub to: &'a Plan,
    /// Price of the new plan, in words; none for the free one.
    pub price: Option<&'a str>,
    /// Amount that is charged at once; a credit where it is negative.
    pub immediate_charge: Cents,
    /// Time zone of the business, for the dates in `words`.
    pub zone: &'a TimeZone,
}

impl PlanChange<'_> {
    /// Returns the text that the person confirms before the change is made.
    pub fn words(&self) -> String {
        let day = |at: Instant| format::date(at.civil(self.zone).0);
        let from = plan::plan(&self.from.plan_id).display_name;
        let until = self.from.period_ends_at.map(day);
        let on = until.clone().map(|it| format!(" from {it}"));
        let on = on.unwrap_or_default();
        let to = self.to.display_name;
        if self.from.status == SubscriptionStatus::Inactive {
            return format!(
                "Nothing is charged, and {from} is asked for no more. Nothing that you have entered goes away."
            );
        }
        let Some(price) = self.price else {
            let until = until.unwrap_or_else(|| "the end of what is paid".to_owned());
            return format!(
                "Nothing is charged. You keep {from} until {until}, then you are on {to}. Nothing that you have entered \
                 goes away."
            );
        };
        let is_trial = self.from.status == SubscriptionStatus::Trialing;
        if self.immediate_charge > Cents::ZERO {
            let charge = self.immediate_charge;
            format!(
                "You are charged {charge} now for what is left of this period, then {price}{on}."
            )
        } else if self.immediate_charge < Cents::ZERO {
            let credit = Cents(-self.immediate_charge.0);
            format!("You get a credit of {credit} toward what you pay next. {to} is {price}{on}.")
        } else if is_trial {
            format!("Nothing is charged now: your trial goes on. {to} is {price}{on}.")
        } else {
            format!("Nothing is charged now. {to} is {price}{on}.")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_says_what_is_charged_or_given_back_before_it_is_made() {
        let solo = Subscription {
            plan_id: "solo".to_owned(),
            // 2026-12-20.
            period_ends_at: Some(Instant(1_797_757_200_000)),
            ..Subscription::free()
        };
        let words = |from: &Subscription, to: &str, price: Option<&str>, cents| {
            PlanChange {
                from,
                to: plan::plan(to),
                price,
                immediate_charge: Cents(cents),
                zone: &TimeZone::UTC,
            }
            .words()
        };
        assert_eq!(
            words(&solo, "pro", Some("$29.00 a month"), 1450),
            "You are charged $14.50 now for what is left of this period, then $29.00 a month from Dec 20, 2026."
        );
        assert_eq!(
            words(&solo, "pro", Some("$5.00 a month"), -350),
            "You get a credit of $3.50 toward what you pay next. Pro is $5.00 a month from Dec 20, 2026."
        );
        assert_eq!(
            words(&solo, "free", None, 0),
            "Nothing is charged. You keep Solo until Dec 20, 2026, then you are on Free. Nothing that you have entered \
             goes away."
        );
        let unpaid = Subscription {
            status: SubscriptionStatus::Inactive,
            ..solo.clone()
        };
        assert_eq!(
            words(&unpaid, "free", None, 0),
            "Nothing is charged, and Solo is asked for no more. Nothing that you have entered goes away."
        );
        let trial = Subscription {
            status: SubscriptionStatus::Trialing,
            ..solo.clone()
        };
        assert_eq!(
            words(&trial, "pro", Some("$29.00 a month"), 0),
            "Nothing is charged now: your trial goes on. Pro is $29.00 a month from Dec 20, 2026."
        );
        assert_eq!(
            words(&solo, "solo", Some("$12.00 a month"), 0),
            "Nothing is charged now. Solo is $12.00 a month from Dec 20, 2026."
        );
    }
}
