//! Owns a month day by day: what was written down, and the miles that are proposed for days with visits and none.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::sums::ExpenseSums;
use crate::rows::client::Client;
use crate::rows::expense::{Expense, ExpenseCategory};
use crate::rows::service::{Service, ServiceStatus};
use crate::rules::expense::{category_name, worth};
use crate::rules::mileage::{MileageProposal, MileageRate, base, home, proposal};
use crate::values::format;
use crate::values::sort::SmallSort as _;
use crate::{Business, Cents, Date, Id};

/// An entry as it is listed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ExpenseEntry {
    /// The entry's row.
    pub expense: Expense,
    /// Name of the category: `Mileage`, `Insurance`.
    pub name: &'static str,
    /// Distance and rate of mileage: `12.4 mi at 72.5¢`; else empty.
    pub detail: String,
    /// Money spent, or the worth of the miles at their rate.
    pub worth: Cents,
}

/// A day with something to show.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ExpenseDay {
    /// The day that the entries are of.
    pub date: Date,
    /// `Friday, November 20`.
    pub heading: String,
    /// Entries of the day, in the order in which they were written down.
    pub entries: Vec<ExpenseEntry>,
    /// Proposed mileage, on a day with visits and without a mileage entry.
    pub proposal: Option<MileageProposal>,
}

/// A month, the newest day first.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ExpenseMonth {
    /// Name of the month: `November 2026`.
    pub heading: String,
    /// The first day of the month before.
    pub before: Date,
    /// The first day of the month after; none where that is yet to come.
    pub after: Option<Date>,
    /// Sums of the entries of the month.
    pub sums: ExpenseSums,
    /// Days with an entry or a proposal.
    pub days: Vec<ExpenseDay>,
    /// Sentence about the mileage rate that stands in for one that is not known; none if all are known.
    pub rate_caution: Option<String>,
    /// Sentence about miles that are not proposed since homes of visited clients are not on the map.
    pub homes_missing: Option<HomesMissing>,
    /// Sentence about the ways from and to the sitter's own place that are not proposed since it is not on the map.
    pub base_missing: Option<&'static str>,
}

/// Visited clients whose homes are not on the map.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct HomesMissing {
    /// `Miles to and from Kim are missing: the home is not on the map.`
    pub text: String,
    /// The client, where it is one alone.
    pub only: Option<Id>,
}

/// Most clients that are named; more of them are counted.
const HOMES_NAMED: usize = 3;

const BASE_MISSING: &str =
    "Miles from your home and back are missing: your service area is not on the map.";

/// Says whose homes are not on the map; none where all of them are.
fn homes_missing(business: &Business, visited: &BTreeSet<Id>) -> Option<HomesMissing> {
    let clients = visited.iter().filter_map(|it| business.client(*it));
    let mut clients: Vec<&Client> = clients.filter(|it| home(it).is_none()).collect();
    clients.small_sort_by_key(|it| (it.name.clone(), it.id));
    let names: Vec<String> = clients.iter().map(|it| it.name.clone()).collect();
    let (whom, is_one) = match clients.len() {
        0 => return None,
        n if HOMES_NAMED < n => (format!("{n} clients"), false),
        n => (format::names(&names), n == 1),
    };
    let homes = if is_one {
        "the home is"
    } else {
        "their homes are"
    };
    Some(HomesMissing {
        text: format!("Miles to and from {whom} are missing: {homes} not on the map."),
        only: clients.first().filter(|_| is_one).map(|it| it.id),
    })
}

/// Returns the sentence for a mileage rate that is not known.
pub(super) fn rate_caution(rate: MileageRate) -> Option<String> {
    let text = || {
        let rate = rate.text();
        format!("The IRS rate of this year is not known here yet, so {rate} a mile is taken.")
    };
    (!rate.is_known).then(text)
}

pub(super) fn entry(expense: &Expense) -> ExpenseEntry {
    let detail = match expense.category {
        ExpenseCategory::Mileage => {
            let (miles, rate) = (
                expense.miles.unwrap_or_default(),
                MileageRate::on(expense.date).text(),
            );
            format!("{miles} mi at {rate}")
        }
        _ => String::new(),
    };
    ExpenseEntry {
        name: category_name(expense.category),
        detail,
        worth: worth(expense),
        expense: expense.clone(),
    }
}

/// The month in which `date` is, as it is seen on `today`.
pub fn month(business: &Business, date: Date, today: Date) -> ExpenseMonth {
    let first = date.in_month(0, 1).unwrap_or(date);
    let begin_of_next = first.in_month(1, 1).unwrap_or(first);
    let last = begin_of_next.plus_days(-1);
    let mut sums = ExpenseSums::default();
    let mut expenses: BTreeMap<Date, Vec<&Expense>> = BTreeMap::new();
    let of_month = |it: &&Expense| (first..=last).contains(&it.date);
    for it in business
        .expenses
        .values()
        .map(|it| &it.row)
        .filter(of_month)
    {
        sums.add(it);
        expenses.entry(it.date).or_default().push(it);
    }
    let mut visits: BTreeMap<Date, Vec<&Service>> = BTreeMap::new();
    for it in business.visits_between(first, last) {
        if it.status == ServiceStatus::Completed {
            visits.entry(it.date).or_default().push(it);
        }
    }
    let visited: BTreeSet<Id> = visits.values().flatten().map(|it| it.client_id).collect();
    let is_based = business.sitter().is_some_and(|it| base(it).is_some());
    let mut days = Vec::new();
    let mut date = last;
    while first <= date {
        let mut expenses = expenses.remove(&date).unwrap_or_default();
        expenses.small_sort_by_key(|it| (it.created_at, it.id));
        let has_miles = expenses
            .iter()
            .any(|it| it.category == ExpenseCategory::Mileage);
        let visits = visits.get(&date).filter(|_| !has_miles);
        let proposal = visits.and_then(|it| proposal(business, it));
        if !expenses.is_empty() || proposal.is_some() {
            days.push(ExpenseDay {
                date,
                heading: format::date_heading(date),
                entries: expenses.into_iter().map(entry).collect(),
                proposal,
            });
        }
        date = date.plus_days(-1);
    }
    ExpenseMonth {
        heading: format::month_heading(first),
        before: first.in_month(-1, 1).unwrap_or(first),
        after: (begin_of_next <= today).then_some(begin_of_next),
        sums,
        days,
        rate_caution: rate_caution(MileageRate::on(first)),
        homes_missing: homes_missing(business, &visited),
        base_missing: (!is_based && !visited.is_empty()).then_some(BASE_MISSING),
    }
}
