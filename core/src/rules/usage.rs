//! Owns how far a plan's limits are used up (SPEC 4 and 9, Limits).

use serde::{Deserialize, Serialize};

use crate::values::json::read_by_field;
use crate::values::plan::UNLIMITED;

/// From this share of a limit on it is near.
pub const NEAR_PERCENT: i64 = 80;

/// How much of something there is and may be (SPEC 3, Subscription and usage).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UsageLimit {
    /// How many there are.
    pub current: i64,
    /// How many there may be; -1 is unlimited.
    pub limit: i64,
}

read_by_field!(UsageLimit { current, limit });

/// What a usage means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum UsageStatus {
    /// There is no limit.
    Unlimited,
    /// Less than 80 percent.
    Fine,
    /// 80 percent or more.
    NearLimit,
    /// At the limit or above: nothing more can be added.
    AtLimit,
}

impl UsageLimit {
    /// What the usage means.
    pub const fn status(self) -> UsageStatus {
        if self.limit == UNLIMITED {
            UsageStatus::Unlimited
        } else if self.limit <= self.current {
            UsageStatus::AtLimit
        } else if self.limit * NEAR_PERCENT <= self.current * 100 {
            UsageStatus::NearLimit
        } else {
            UsageStatus::Fine
        }
    }
}
