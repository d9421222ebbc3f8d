//! Owns what a business has subscribed to, where plans are sold (SPEC 3 and 4, Subscription). The server alone writes it.

use serde::{Deserialize, Serialize};

use crate::Instant;
use crate::values::json::read_by_field;
use crate::values::plan::{self, Plan};

/// How a subscription stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum SubscriptionStatus {
    /// Paid, or free.
    #[default]
    Active,
    /// In the trial period.
    Trialing,
    /// The last payment did not go through and is tried again; nothing is limited yet.
    PastDue,
    /// Not paid: the limits are those of the free plan until it is.
    Inactive,
}

/// The subscription of a business to a plan. Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Subscription {
    /// The plan's name in calls.
    pub plan_id: String,
    /// How it stands.
    #[serde(default)]
    pub status: SubscriptionStatus,
    /// End of the trial period.
    #[serde(default)]
    pub trial_ends_at: Option<Instant>,
    /// End of the paid period.
    #[serde(default)]
    pub period_ends_at: Option<Instant>,
    /// True if the free plan takes its place when the trial or the paid period ends.
    #[serde(default)]
    pub cancels: bool,
}

read_by_field!(Subscription { plan_id } or default { status, trial_ends_at, period_ends_at, cancels });

impl Subscription {
    /// Returns the free plan, with which every business begins where plans are sold.
    pub fn free() -> Self {
        Self {
            plan_id: plan::FREE.to_owned(),
            status: SubscriptionStatus::Active,
            trial_ends_at: None,
            period_ends_at: None,
            cancels: false,
        }
    }

    /// The plan whose limits hold now.
    pub fn plan_in_force(&self) -> &'static Plan {
        plan::plan(match self.status {
            SubscriptionStatus::Inactive => plan::FREE,
            _ => &self.plan_id,
        })
    }

    /// Returns true if a larger plan is offered: not to businesses that pay for one (SPEC 6), are asked to pay, or try
    /// the largest.
    pub fn offers_upgrade(&self) -> bool {
        match self.status {
            SubscriptionStatus::Active => self.plan_id == plan::FREE,
            SubscriptionStatus::Trialing => {
                let largest = plan::plans(true).last();
                largest.is_some_and(|it| it.id != self.plan_id)
            }
            SubscriptionStatus::PastDue | SubscriptionStatus::Inactive => false,
        }
    }
}
