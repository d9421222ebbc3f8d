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
    /// Being tried.
    Trialing,
    /// The last payment did not go through and is tried again; nothing is limited yet.
    PastDue,
    /// Not paid: the limits are those of the free plan until it is.
    Inactive,
}

/// What a business has subscribed to. Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Subscription {
    /// The plan's name in calls.
    pub plan_id: String,
    /// How it stands.
    #[serde(default)]
    pub status: SubscriptionStatus,
    /// Until when it is tried.
    #[serde(default)]
    pub trial_ends_at: Option<Instant>,
    /// Until when it is paid.
    #[serde(default)]
    pub period_ends_at: Option<Instant>,
    /// Whether the free plan takes its place then.
    #[serde(default)]
    pub cancels: bool,
}

read_by_field!(Subscription { plan_id } or default { status, trial_ends_at, period_ends_at, cancels });

impl Subscription {
    /// What everybody begins with where plans are sold.
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

    /// Whether a larger plan is offered: not to who pays for one (SPEC 6), is asked to pay, or tries the largest.
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
