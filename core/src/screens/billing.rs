//! Owns what the screens of the subscription show of what the phone knows: the plan, how it stands and how far it is used up,
//! in words.

use serde::Serialize;

use crate::rows::subscription::SubscriptionStatus;
use crate::rules::usage::{Limited, UsageLimit, UsageStatus, usage};
use crate::values::format;
use crate::values::plan::{self, UNLIMITED};
use crate::{Business, Instant, Now};

/// How far one limit is used up.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct UsageView {
    /// The kind of thing that is limited.
    pub what: Limited,
    /// Name of the limit, for people: `Services this month`.
    pub name: &'static str,
    /// `4 of 5`, or `12, unlimited`.
    pub words: String,
    /// Rating of the usage against the limit.
    pub status: UsageStatus,
    /// Used share of the limit, from 0 to 1; 0 where there is no limit.
    pub share: f64,
    /// Title above the text that there is no room.
    pub title: &'static str,
    /// Sentence about the limit itself: `Your plan has room for 5 clients.`
    pub room: String,
    /// Text of the banner on a screen where more of it is added; none while the limit is not near.
    pub banner: Option<String>,
}

/// The subscription as the phone knows it, also without a network.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct BillingView {
    /// True if plans are sold on this server.
    pub sells_plans: bool,
    /// The plan's name in calls.
    pub plan_id: String,
    /// Its name for people.
    pub plan_name: &'static str,
    /// How the subscription stands.
    pub status: SubscriptionStatus,
    /// True if the free plan takes its place at the end of the trial or the paid period.
    pub cancels: bool,
    /// How long it goes on, where that is to be said.
    pub note: Option<String>,
    /// Warning about a payment that failed, or an inactive subscription.
    pub warning: Option<&'static str>,
    /// True if a larger plan is offered (SPEC 6).
    pub offers_upgrade: bool,
    /// Clients, dogs, services of this month.
    pub usage: Vec<UsageView>,
}

const USED: [(Limited, &str); 3] = [
    (Limited::Clients, "Clients"),
    (Limited::Dogs, "Dogs"),
    (Limited::Services, "Services this month"),
];

/// Returns the subscription as the screens show it at this moment.
pub fn billing(business: &Business, now: &Now) -> BillingView {
    let subscription = business.sitter().and_then(|it| it.subscription.as_ref());
    let status = subscription.map(|it| it.status).unwrap_or_default();
    let plan_id = subscription.map_or(plan::SELF_HOSTED, |it| &it.plan_id);
    let day = |at: Instant| format::date(at.civil(&now.zone).0);
    let until = subscription.and_then(|it| it.trial_ends_at.or(it.period_ends_at));
    let cancels = subscription.is_some_and(|it| it.cancels);
    let is_trial = status == SubscriptionStatus::Trialing;
    let note = until.map(|at| {
        let day = day(at);
        let left = at.civil(&now.zone).0.days_since_epoch() - now.today().days_since_epoch();
        let left = match left {
            ..=0 => "today".to_owned(),
            1 => "1 day left".to_owned(),
            left => format!("{left} days left"),
        };
        match (is_trial, cancels) {
            (true, false) => format!("Your trial ends {day}: {left}."),
            (true, true) => format!("Your trial ends {day}: {left}. After it you are on Free."),
            (false, true) => format!("Paid until {day}. After it you are on Free."),
            (false, false) => format!("Renews {day}."),
        }
    });
    let warning = match status {
        SubscriptionStatus::PastDue => {
            Some("Your last payment did not go through. Update your card to keep your plan.")
        }
        SubscriptionStatus::Inactive => Some(
            "Your subscription is inactive. Everything is still here; reactivate it to add more than the Free plan has \
             room for.",
        ),
        SubscriptionStatus::Active | SubscriptionStatus::Trialing => None,
    };
    let used = |(what, name)| view(what, name, usage(business, what, now.today()));
    BillingView {
        sells_plans: subscription.is_some(),
        plan_id: plan_id.to_owned(),
        plan_name: plan::plan(plan_id).display_name,
        status,
        cancels,
        note: note.filter(|_| status != SubscriptionStatus::Inactive),
        warning,
        offers_upgrade: subscription.is_some_and(|it| it.offers_upgrade()),
        usage: USED.map(used).into(),
    }
}

fn view(what: Limited, name: &'static str, usage: UsageLimit) -> UsageView {
    let UsageLimit { current, limit } = usage;
    let status = usage.status();
    let words = match limit {
        UNLIMITED => format!("{current}, unlimited"),
        _ => format!("{current} of {limit}"),
    };
    let (of, every) = match what {
        Limited::Clients => ("clients", ""),
        Limited::Dogs => ("dogs", ""),
        Limited::Services => ("services", " this month"),
    };
    let banner = match status {
        UsageStatus::AtLimit => Some(what.no_room(usage, None)),
        UsageStatus::NearLimit => Some(format!("{current} of {limit} {of} used{every}.")),
        UsageStatus::Fine | UsageStatus::Unlimited => None,
    };
    #[expect(clippy::cast_precision_loss, reason = "both are small")]
    let share = match limit {
        ..=0 => 0.0,
        limit => (current as f64 / limit as f64).min(1.0),
    };
    UsageView {
        what,
        name,
        words,
        status,
        share,
        title: what.title(),
        room: what.room(limit),
        banner,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::client::Client;
    use crate::rows::sitter::Sitter;
    use crate::rows::subscription::Subscription;
    use crate::values::zone::TimeZone;
    use crate::{Id, Row};

    /// 2026-11-20, 9:00 in UTC.
    const NOW: Instant = Instant(1_795_165_200_000);
    const DAY_MS: i64 = 24 * 60 * 60 * 1000;

    fn seen(subscription: Option<Subscription>, n_clients: u128) -> BillingView {
        let mut business = Business::default();
        let sitter = Sitter::new(Id::of(1), String::new(), String::new(), String::new(), NOW);
        let sitter = Sitter {
            subscription,
            ..sitter
        };
        business.put(1, Row::Sitter(sitter));
        for at in 0..n_clients {
            business.put(1, Row::Client(Client::new(Id::of(100 + at), NOW)));
        }
        let now = Now {
            at: NOW,
            zone: TimeZone::UTC,
        };
        billing(&business, &now)
    }

    #[test]
    fn without_a_subscription_everything_is_self_hosted_and_unlimited() {
        let seen = seen(None, 7);
        assert_eq!((seen.sells_plans, seen.plan_name), (false, "Self-hosted"));
        assert_eq!((seen.offers_upgrade, seen.note), (false, None));
        assert_eq!(seen.usage[0].words, "7, unlimited");
        assert!(seen.usage.iter().all(|it| it.banner.is_none()));
    }

    #[test]
    fn a_limit_is_told_of_when_it_is_near_and_when_it_is_reached() {
        let clients = |n| seen(Some(Subscription::free()), n).usage[0].clone();
        assert_eq!(clients(3).banner, None);
        assert_eq!(clients(4).banner.as_deref(), Some("4 of 5 clients used."));
        assert_eq!(clients(4).words, "4 of 5");
        let full = clients(9);
        let words = "Client Limit Reached. Your plan has room for 5 clients.";
        assert_eq!(full.banner.as_deref(), Some(words));
        assert_eq!((full.share, full.status), (1.0, UsageStatus::AtLimit));
    }

    #[test]
    fn each_state_says_how_long_it_goes_on_and_what_is_wrong() {
        let of = |plan: &str, status, days: Option<i64>, cancels| {
            let end = days.map(|it| Instant(NOW.0 + it * DAY_MS));
            let subscription = Subscription {
                plan_id: plan.to_owned(),
                status,
                trial_ends_at: end.filter(|_| status == SubscriptionStatus::Trialing),
                period_ends_at: end,
                cancels,
            };
            let seen = seen(Some(subscription), 0);
            (seen.note, seen.warning.is_some(), seen.offers_upgrade)
        };
        let pro = |status, days, cancels| of("pro", status, days, cancels);
        let note = |text: &str| Some(text.to_owned());
        assert_eq!(
            pro(SubscriptionStatus::Trialing, Some(14), false),
            (
                note("Your trial ends Dec 4, 2026: 14 days left."),
                false,
                false
            )
        );
        assert!(of("solo", SubscriptionStatus::Trialing, Some(14), false).2);
        assert_eq!(
            pro(SubscriptionStatus::Active, Some(1), false),
            (note("Renews Nov 21, 2026."), false, false)
        );
        assert_eq!(
            pro(SubscriptionStatus::Active, Some(1), true).0,
            note("Paid until Nov 21, 2026. After it you are on Free.")
        );
        assert!(pro(SubscriptionStatus::PastDue, Some(30), false).1);
        assert_eq!(
            pro(SubscriptionStatus::Inactive, None, false),
            (None, true, false)
        );
    }
}
