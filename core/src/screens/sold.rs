//! Owns revenue by what is sold, each offering by its name: stays, taxi and grooming are not 'Drop-ins', as SPEC 3 counts
//! them by kind.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::rows::offering::StayUnit;
use crate::rows::service::{ServiceStatus, ServiceType};
use crate::rules::words;
use crate::values::sort::SmallSort as _;
use crate::{Business, Cents, Date};

/// Revenue of something that is sold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct SoldRevenue {
    /// Name of the offering when it was booked; `Walks` and `Drop-ins` at the client's rates.
    pub name: String,
    /// Number of completed services.
    pub count: u32,
    /// Nights and days of stays: `7 nights`; empty for visits.
    pub units: String,
    /// Revenue of those services.
    pub revenue: Cents,
    /// Revenue of completed services of that name in as many days before.
    pub revenue_before: Cents,
}

#[derive(Default)]
struct Sold {
    count: u32,
    nights: u32,
    days: u32,
    revenue: Cents,
    revenue_before: Cents,
}

/// Lists what was sold in some days, the highest revenue first; a stay counts on its first day.
pub fn sold(business: &Business, (first, last): (Date, Date)) -> Vec<SoldRevenue> {
    let n_days = last.days_since_epoch() - first.days_since_epoch() + 1;
    let mut sums: BTreeMap<String, Sold> = BTreeMap::new();
    for (name, it) in business
        .services
        .named_figures_between(first.plus_days(-n_days), last)
    {
        if it.status != ServiceStatus::Completed {
            continue;
        }
        let name = match (name.as_ref(), it.service_type) {
            ("", ServiceType::Walk) => "Walks",
            ("", ServiceType::Dropin) => "Drop-ins",
            (name, _) => name,
        };
        let sum = match sums.get_mut(name) {
            Some(sum) => sum,
            None => sums.entry(name.to_owned()).or_default(),
        };
        if it.date < first {
            sum.revenue_before = sum.revenue_before + it.price;
        } else {
            sum.count += 1;
            sum.revenue = sum.revenue + it.price;
        }
    }
    // There are few stays, and what they count is in their rows.
    for stay in business.services.stays_beginning(first, last) {
        if stay.status != ServiceStatus::Completed {
            continue;
        }
        if let Some(sum) = sums.get_mut(&stay.offering_name) {
            match stay.stay_terms.map(|it| it.unit) {
                Some(StayUnit::Nights) => sum.nights += stay.n_units(),
                Some(StayUnit::Days) | None => sum.days += stay.n_units(),
            }
        }
    }
    let mut sold: Vec<SoldRevenue> = sums
        .into_iter()
        .map(|(name, it)| SoldRevenue {
            name,
            count: it.count,
            units: units(&it),
            revenue: it.revenue,
            revenue_before: it.revenue_before,
        })
        .collect();
    sold.small_sort_by(|a, b| {
        let by_revenue = (b.revenue, b.revenue_before).cmp(&(a.revenue, a.revenue_before));
        by_revenue.then_with(|| a.name.cmp(&b.name))
    });
    sold
}

fn units(sold: &Sold) -> String {
    let counts = [(StayUnit::Nights, sold.nights), (StayUnit::Days, sold.days)];
    let counts = counts.into_iter().filter(|it| 0 < it.1);
    let texts: Vec<String> = counts.map(|(unit, n)| words::units(unit, n)).collect();
    texts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::service::{Service, StayTerms};
    use crate::{Id, Instant, Row};

    fn done(n: u128, day: &str, name: &str, dollars: i64) -> Service {
        Service {
            date: day.parse().unwrap(),
            offering_name: name.to_owned(),
            service_type: ServiceType::Dropin,
            status: ServiceStatus::Completed,
            price: Cents(dollars * 100),
            ..Service::new(Id::of(n), Instant(0))
        }
    }

    #[test]
    fn each_offering_is_counted_by_its_name_and_stays_by_their_nights() {
        let mut business = Business::default();
        let stay = |n, first: &str, last: &str| Service {
            end_date: last.parse().ok(),
            stay_terms: Some(StayTerms {
                unit: StayUnit::Nights,
                further_day_after: None,
            }),
            ..done(n, first, "Overnight", 150)
        };
        for (rev, service) in [
            stay(1, "2026-11-06", "2026-11-08"),
            stay(2, "2026-11-13", "2026-11-16"),
            done(3, "2026-11-07", "Taxi", 20),
            done(4, "2026-10-07", "Taxi", 30),
            done(5, "2026-11-07", "", 25),
            Service {
                service_type: ServiceType::Walk,
                ..done(6, "2026-11-07", "", 26)
            },
            Service {
                status: ServiceStatus::Cancelled,
                ..done(7, "2026-11-07", "Bath", 60)
            },
        ]
        .into_iter()
        .enumerate()
        {
            business.put(rev as u64, Row::Service(service));
        }
        let november = ("2026-11-01".parse().unwrap(), "2026-11-30".parse().unwrap());
        let found = sold(&business, november);
        let found: Vec<(&str, u32, &str, Cents, Cents)> = found
            .iter()
            .map(|it| {
                (
                    it.name.as_str(),
                    it.count,
                    it.units.as_str(),
                    it.revenue,
                    it.revenue_before,
                )
            })
            .collect();
        assert_eq!(
            found,
            [
                ("Overnight", 2, "5 nights", Cents(30_000), Cents::ZERO),
                ("Walks", 1, "", Cents(26_00), Cents::ZERO),
                ("Drop-ins", 1, "", Cents(25_00), Cents::ZERO),
                ("Taxi", 1, "", Cents(20_00), Cents(30_00)),
            ]
        );
    }
}
