//! Owns which visits to come have another price than the rates of now say, and the act that gives them that.

use serde::Serialize;

use crate::commands::{FormerPrice, RepriceServices, RestorePrices, VisitPrice, repriced};
use crate::rows::service::Service;
use crate::rules::words;
use crate::screens::directory::is_to_come;
use crate::values::bounds::SERIES_VISITS_AT_ONCE;
use crate::values::format;
use crate::values::json::read_by_name;
use crate::values::sort::SmallSort as _;
use crate::{Business, Cents, Command, Date, Id, Now};

/// Visits that are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum PricesOf {
    /// Visits of one client.
    Client,
    /// Visits that were booked with one offering.
    Offering,
}

read_by_name!(PricesOf { Client, Offering });

/// A visit whose price would be another one.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct PriceChange {
    /// Id of the service.
    pub id: Id,
    /// `Dec 1`.
    pub day: String,
    /// `Dana Whitfield, Walk for Luna, 30 min`.
    pub what: String,
    /// Price that it has.
    pub price: Cents,
    /// Price by the rates of now.
    pub new_price: Cents,
}

/// Visits to come at another price than the rates of now say, and what changes that.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Repricing {
    /// The visits by date and start: the first `SERIES_VISITS_AT_ONCE` of them.
    pub changes: Vec<PriceChange>,
    /// Count of visits beyond those.
    pub more: usize,
    /// Sum of the prices that they have.
    pub total: Cents,
    /// Sum of their prices by the rates of now.
    pub new_total: Cents,
    /// The command to save.
    pub command: Command,
    /// The command that undoes it.
    pub undo: Command,
}

/// Lists the visits from a day on whose price is not that of the rates of now.
pub fn repricing(business: &Business, of: PricesOf, id: Id, from: Date, now: &Now) -> Repricing {
    let services = business.services.referring_to(id);
    let mut found: Vec<(&Service, Service)> = services
        .filter(|it| match of {
            PricesOf::Client => it.client_id == id,
            PricesOf::Offering => it.offering_id == Some(id),
        })
        .filter(|it| from <= it.date && is_to_come(it, now))
        .filter_map(|it| Some((it, repriced(it, business)?)))
        .filter(|(was, is)| was.price != is.price)
        .collect();
    found.small_sort_by_key(|(it, _)| (it.date, it.start_time, it.id));
    let more = found.len().saturating_sub(SERIES_VISITS_AT_ONCE);
    found.truncate(SERIES_VISITS_AT_ONCE);
    let sum = |price: fn(&(&Service, Service)) -> Cents| {
        found.iter().fold(Cents::ZERO, |sum, it| sum + price(it))
    };
    let prices = found.iter().map(|(was, _)| VisitPrice {
        id: was.id,
        price: was.price,
    });
    let former = found.iter().map(|(was, is)| FormerPrice {
        id: was.id,
        price: is.price,
        breakdown: was.pricing_breakdown.clone(),
    });
    let changes = found.iter().map(|(was, is)| PriceChange {
        id: was.id,
        day: format::month_day(was.date),
        what: format::set_apart(&was.client_name) + ", " + &words::service_summary(was),
        price: was.price,
        new_price: is.price,
    });
    Repricing {
        more,
        total: sum(|it| it.0.price),
        new_total: sum(|it| it.1.price),
        command: RepriceServices {
            prices: prices.collect(),
        }
        .into(),
        undo: RestorePrices {
            prices: former.collect(),
        }
        .into(),
        changes: changes.collect(),
    }
}
