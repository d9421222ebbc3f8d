//! Owns a year of driving and spending as tax papers ask for it: by month, by line of Schedule C, by rate; and each entry
//! in a table for spreadsheets.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::month::{ExpenseEntry, entry, rate_caution};
use super::sums::ExpenseSums;
use crate::rows::expense::{Expense, ExpenseCategory};
use crate::rules::expense::{category_name, schedule_c_line, worth};
use crate::rules::mileage::MileageRate;
use crate::rules::money::is_paid_alone;
use crate::values::bounds;
use crate::values::csv::push_record;
use crate::values::format;
use crate::values::json::read_by_name;
use crate::values::miles::Miles;
use crate::values::sort::SmallSort as _;
use crate::{Business, Cents, Date, FieldErrors};

/// How a year is taken out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ExpenseFormat {
    /// Sums of the year as JSON.
    #[default]
    Json,
    /// Each entry on a line.
    Csv,
    /// The lines of Schedule C as a table.
    Taxes,
}

read_by_name!(ExpenseFormat { Json, Csv, Taxes });

/// The name of a year's file, by what it ends with.
pub fn file_name(year: i16, ending: &str) -> String {
    format!("expenses-{year}.{ending}")
}

/// The year that is asked for: today's where none is named.
///
/// # Errors
/// For one in which no entry can be.
pub fn asked(year: Option<i16>, today: Date) -> Result<i16, FieldErrors> {
    let year = year.unwrap_or(today.parts().0);
    let mut errors = FieldErrors::default();
    if let Some((first, last)) = bounds::days("date") {
        let (first, last) = (first.parts().0, last.parts().0);
        let is_one = (first..=last).contains(&year);
        errors.check(
            !is_one,
            "year",
            format!("Year must be from {first} to {last}"),
        );
    }
    errors.or(year)
}

/// A month of a year.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ExpenseMonthSums {
    /// Its first day.
    pub first: Date,
    /// Name of the month: `November`.
    pub name: &'static str,
    /// Sums of the entries of the month.
    pub sums: ExpenseSums,
}

/// A category of a year.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ExpenseCategorySums {
    /// The category that the sums are of.
    pub category: ExpenseCategory,
    /// Name of the category on the screen.
    pub name: &'static str,
    /// Its line on Schedule C: `15 Insurance`.
    pub line: &'static str,
    /// How many entries it has.
    pub count: u32,
    /// Sum of the worth of those entries.
    pub total: Cents,
}

/// Miles that count for the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MileageSums {
    /// Rate of a mile: `72.5¢`.
    pub rate: String,
    /// How many they are.
    pub miles: Miles,
    /// Worth of those miles at this rate.
    pub mileage: Cents,
}

/// A year of driving and spending.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ExpenseYear {
    /// The calendar year.
    pub year: i16,
    /// Sums of all entries of the year.
    pub sums: ExpenseSums,
    /// January to December.
    pub months: Vec<ExpenseMonthSums>,
    /// Those with an entry, in the order of their list.
    pub categories: Vec<ExpenseCategorySums>,
    /// The lowest first.
    pub rates: Vec<MileageSums>,
    /// Sentence about the mileage rate that stands in for one that is not known; none if all are known.
    pub rate_caution: Option<String>,
}

fn is_in(year: i16) -> impl Fn(&&Expense) -> bool {
    move |it| it.date.parts().0 == year
}

/// Computes the sums of a year from all entries ever written down.
pub fn year<'a>(year: i16, expenses: impl Iterator<Item = &'a Expense>) -> ExpenseYear {
    let mut sums = ExpenseSums::default();
    let mut months: Vec<ExpenseMonthSums> = (1..=12)
        .filter_map(|month| Date::new(year, month, 1))
        .map(|first| ExpenseMonthSums {
            first,
            name: format::month_name(first.parts().1),
            sums: ExpenseSums::default(),
        })
        .collect();
    let mut categories: BTreeMap<ExpenseCategory, (u32, Cents)> = BTreeMap::new();
    let mut rates: BTreeMap<MileageRate, (Miles, Cents)> = BTreeMap::new();
    for it in expenses.filter(is_in(year)) {
        let month = it.date.parts().1;
        sums.add(it);
        if let Some(of_month) = months.iter_mut().find(|it| it.first.parts().1 == month) {
            of_month.sums.add(it);
        }
        let (count, total) = categories.entry(it.category).or_default();
        *count += 1;
        *total = *total + worth(it);
        if it.category == ExpenseCategory::Mileage {
            let (miles, mileage) = rates.entry(MileageRate::on(it.date)).or_default();
            *miles = *miles + it.miles.unwrap_or_default();
            *mileage = *mileage + worth(it);
        }
    }
    let rate_caution = rates.keys().find_map(|it| rate_caution(*it));
    let rates = rates
        .into_iter()
        .map(|(rate, (miles, mileage))| MileageSums {
            rate: rate.text(),
            miles,
            mileage,
        });
    let categories = categories.into_iter();
    ExpenseYear {
        year,
        sums,
        months,
        categories: categories
            .map(|(category, (count, total))| ExpenseCategorySums {
                category,
                name: category_name(category),
                line: schedule_c_line(category),
                count,
                total,
            })
            .collect(),
        rates: rates.collect(),
        rate_caution,
    }
}

/// The years of which there is something, and this one, the newest first.
pub fn years(business: &Business, today: Date) -> Vec<i16> {
    let dates = business.expenses.values().map(|it| it.row.date);
    let invoices = business.invoices.values().map(|it| &it.row);
    let paid = invoices.flat_map(|it| {
        let payments = it.payments.iter().map(|it| it.paid_on);
        payments.chain(it.refunds.iter().map(|it| it.refunded_on))
    });
    let dates = dates.chain(paid).chain([today]);
    let mut years: BTreeSet<i16> = dates.map(|it| it.parts().0).collect();
    let (first, last) = bounds::days("date").unwrap_or((today, today));
    let possible = first.parts().0..=last.parts().0;
    years.extend(possible.filter(|it| has_paid_alone(business, *it)));
    years.into_iter().rev().collect()
}

/// Returns true if a service of that year was paid without an invoice.
fn has_paid_alone(business: &Business, year: i16) -> bool {
    let days = (Date::new(year, 1, 1), Date::new(year, 12, 31));
    let (Some(first), Some(last)) = days else {
        return false;
    };
    let mut services = business.services.paid_alone_between(first, last);
    services.any(is_paid_alone)
}

/// The entries of a year in order of their days.
pub fn entries<'a>(year: i16, expenses: impl Iterator<Item = &'a Expense>) -> Vec<ExpenseEntry> {
    let mut expenses: Vec<&Expense> = expenses.filter(is_in(year)).collect();
    expenses.small_sort_by_key(|it| (it.date, it.created_at, it.id));
    expenses.into_iter().map(entry).collect()
}

const HEADINGS: [&str; 7] = [
    "Date",
    "Category",
    "Schedule C line",
    "Miles",
    "Rate per mile",
    "Amount",
    "Note",
];

/// A year as a table (RFC 4180), each entry on a line, with a heading. Begins with the mark by which spreadsheets know
/// UTF-8.
pub fn csv<'a>(year: i16, expenses: impl Iterator<Item = &'a Expense>) -> String {
    let mut table = "\u{feff}".to_owned();
    push_record(&mut table, HEADINGS);
    for it in entries(year, expenses) {
        let row = it.expense;
        let is_mileage = row.category == ExpenseCategory::Mileage;
        let of_mileage = |text: String| if is_mileage { text } else { String::new() };
        let Miles(tenths) = row.miles.unwrap_or_default();
        let rate = MileageRate::on(row.date).tenths_of_cents;
        let line = [
            row.date.to_string(),
            it.name.to_owned(),
            schedule_c_line(row.category).to_owned(),
            of_mileage(format!("{}.{}", tenths / 10, tenths % 10)),
            of_mileage(format!("{}.{:03}", rate / 1000, rate % 1000)),
            format!("{}.{:02}", it.worth.0 / 100, it.worth.0 % 100),
            row.note,
        ];
        push_record(&mut table, line);
    }
    table
}
