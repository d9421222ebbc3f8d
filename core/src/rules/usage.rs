//! Owns how far a plan's limits are used up (SPEC 4 and 9, Limits), and whether something may be added. What exists is
//! never taken away, and stays as it is to work with.

use serde::{Deserialize, Serialize};

use crate::rows::row::TableName;
use crate::rows::service::ServiceStatus;
use crate::values::format;
use crate::values::json::read_by_field;
use crate::values::plan::{self, Plan, UNLIMITED};
use crate::{Business, Date};

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

/// Rating of a usage against its limit.
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
    /// The limit is reached or exceeded: nothing more can be added.
    AtLimit,
}

impl UsageLimit {
    /// Rates the usage against its limit.
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

/// Kind of thing that a plan limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Limited {
    /// The client records, inactive ones among them.
    Clients,
    /// The dogs of all of them, those that are no longer with them among them.
    Dogs,
    /// The services of a month, by their dates; cancelled ones do not count.
    Services,
}

impl Limited {
    /// Title above the text that there is no room (SPEC 2, Billing).
    pub const fn title(self) -> &'static str {
        match self {
            Self::Clients => "Client Limit Reached",
            Self::Dogs => "Dog Limit Reached",
            Self::Services => "Service Limit Reached",
        }
    }

    /// So much of it: `1 client`, `30 services a month`.
    fn counted(self, n: i64) -> String {
        let (noun, every) = match self {
            Self::Clients => ("client", ""),
            Self::Dogs => ("dog", ""),
            Self::Services => ("service", " a month"),
        };
        let noun = format::plural(usize::try_from(n).unwrap_or_default(), noun);
        format!("{n} {noun}{every}")
    }

    /// Words the limit itself: `Your plan has room for 5 clients.`
    pub fn room(self, limit: i64) -> String {
        format!("Your plan has room for {}.", self.counted(limit))
    }

    /// Words the room that is left: `Your plan has room for 3 more clients.`; where none is, the same as `no_room`.
    fn room_for_more(self, usage: UsageLimit) -> String {
        match usage.limit - usage.current {
            1.. => {
                let counted = self.counted(usage.limit - usage.current);
                format!(
                    "Your plan has room for {}.",
                    counted.replacen(' ', " more ", 1)
                )
            }
            _ => self.no_room(usage, None),
        }
    }

    /// The word that there is no room for more; of services, in the month of `day` where one is named.
    pub fn no_room(self, usage: UsageLimit, day: Option<Date>) -> String {
        let title = self.title();
        let room = self.room(usage.limit);
        match day {
            Some(day) => format!("{title}. {room} {} is full.", format::month_heading(day)),
            None => format!("{title}. {room}"),
        }
    }

    const fn limit(self, plan: &Plan) -> i64 {
        match self {
            Self::Clients => plan.clients,
            Self::Dogs => plan.dogs,
            Self::Services => plan.services_a_month,
        }
    }
}

/// How far each limit is used up (SPEC 7, Billing).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UsageLimits {
    /// The client records.
    pub clients: UsageLimit,
    /// The dogs of all of them.
    pub dogs: UsageLimit,
    /// The services of the month.
    pub services: UsageLimit,
}

/// The first and the last day of a day's month.
pub fn month_of(day: Date) -> (Date, Date) {
    let first = |months| day.in_month(months, 1).unwrap_or(day);
    (first(0), first(1).plus_days(-1))
}

/// The plan whose limits hold for a business; without a subscription there are none.
pub fn plan_in_force(business: &Business) -> &'static Plan {
    let subscription = business.sitter().and_then(|it| it.subscription.as_ref());
    subscription.map_or_else(|| plan::plan(plan::SELF_HOSTED), |it| it.plan_in_force())
}

/// Returns true if the plan of a business limits this at all.
pub(crate) fn is_limited(business: &Business, what: Limited) -> bool {
    what.limit(plan_in_force(business)) != UNLIMITED
}

/// How much of something the plan of a business has room for; `UNLIMITED` where it does not limit it.
pub(crate) fn limit_of(business: &Business, what: Limited) -> i64 {
    what.limit(plan_in_force(business))
}

/// How far a limit is used up; of services in the month of `day`.
pub fn usage(business: &Business, what: Limited, day: Date) -> UsageLimit {
    let current = match what {
        Limited::Clients => business.count(TableName::Client, business.clients.len()),
        Limited::Dogs => business.count(TableName::Pet, business.pets.len()),
        Limited::Services => {
            let (first, last) = month_of(day);
            let of_month = business.services.figures_between(first, last);
            let known = of_month.filter(|it| it.status != ServiceStatus::Cancelled);
            business.count(TableName::Service, known.count())
        }
    };
    UsageLimit {
        current: i64::try_from(current).unwrap_or(i64::MAX),
        limit: what.limit(plan_in_force(business)),
    }
}

/// How far each limit is used up, on this day.
pub fn usage_limits(business: &Business, today: Date) -> UsageLimits {
    let of = |what| usage(business, what, today);
    UsageLimits {
        clients: of(Limited::Clients),
        dogs: of(Limited::Dogs),
        services: of(Limited::Services),
    }
}

/// Returns a warning if there is no room for so many more; for services, in the month of `day`.
pub fn no_room_for(business: &Business, what: Limited, day: Date, adding: usize) -> Option<String> {
    let room = check_limit(business, what, day, adding);
    room.err().map(|it| what.room_for_more(it))
}

/// Checks that there is room for so many more; for services, in the month of `day`. The error is the usage now.
pub(crate) fn check_limit(
    business: &Business,
    what: Limited,
    day: Date,
    adding: usize,
) -> Result<(), UsageLimit> {
    if adding == 0 || !is_limited(business, what) {
        return Ok(());
    }
    let usage = usage(business, what, day);
    let adding = i64::try_from(adding).unwrap_or(i64::MAX);
    match usage.current.saturating_add(adding) <= usage.limit {
        true => Ok(()),
        false => Err(usage),
    }
}
