//! Owns which plans there are and what they allow; what they cost is said by whoever takes the money.

use serde::Serialize;

/// The plan that nobody pays for, where plans are sold.
pub const FREE: &str = "free";

/// The plan of a server on which nothing is paid.
pub const SELF_HOSTED: &str = "self_hosted";

/// The limit that is none (SPEC 9, Limits).
pub const UNLIMITED: i64 = -1;

/// A plan as it is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Plan {
    /// Its name in calls.
    pub id: &'static str,
    /// Its name for people.
    pub display_name: &'static str,
    /// How many clients a business may have; -1 is unlimited, as in the next two.
    pub clients: i64,
    /// How many dogs.
    pub dogs: i64,
    /// How many services in a month.
    pub services_a_month: i64,
    /// Days for which it may be tried; 0 where nothing is paid.
    pub trial_days: u32,
}

const fn unlimited(id: &'static str, display_name: &'static str, trial_days: u32) -> Plan {
    Plan {
        id,
        display_name,
        clients: UNLIMITED,
        dogs: UNLIMITED,
        services_a_month: UNLIMITED,
        trial_days,
    }
}

/// The plan of a server on which nothing is paid.
static FOR_NOTHING: [Plan; 1] = [unlimited(SELF_HOSTED, "Self-hosted", 0)];

/// How long a paid plan may be tried.
const TRIAL_DAYS: u32 = 14;

/// The plans of a server on which plans are sold.
const SOLD: &[Plan] = &[
    Plan {
        id: FREE,
        display_name: "Free",
        clients: 5,
        dogs: 10,
        services_a_month: 30,
        trial_days: 0,
    },
    unlimited("solo", "Solo", TRIAL_DAYS),
    unlimited("pro", "Pro", TRIAL_DAYS),
];

/// The plans of a server on which plans are sold, or not.
pub fn plans(are_sold: bool) -> &'static [Plan] {
    if are_sold { SOLD } else { &FOR_NOTHING }
}

/// The plan of that name. One that this build does not know limits nothing here: the server will say.
pub fn plan(id: &str) -> &'static Plan {
    let [unlimited] = &FOR_NOTHING;
    SOLD.iter().find(|it| it.id == id).unwrap_or(unlimited)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_payment_there_is_one_plan_without_limits() {
        let [plan] = plans(false) else {
            panic!("one plan");
        };
        assert_eq!(plan.display_name, "Self-hosted");
        assert_eq!(
            [plan.clients, plan.dogs, plan.services_a_month],
            [UNLIMITED; 3]
        );
        assert_eq!(plan.trial_days, 0);
    }

    #[test]
    fn with_payment_the_smallest_plan_is_free_and_the_others_are_tried_first() {
        let [free, paid @ ..] = plans(true) else {
            panic!("some plans");
        };
        assert_eq!(
            [free.clients, free.dogs, free.services_a_month],
            [5, 10, 30]
        );
        assert!(paid.iter().all(|it| it.trial_days == 14));
    }
}
