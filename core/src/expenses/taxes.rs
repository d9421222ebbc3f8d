//! Owns a year by the lines of Schedule C (Form 1040), on a cash basis: what came in, what was spent and driven, and the
//! profit; with the sales tax that was collected beside it.

use serde::Serialize;

use super::year::ExpenseYear;
use crate::rows::invoice::Invoice;
use crate::rules::money::{self, MoneyMoved, PAID_ALONE};
use crate::values::csv::push_record;
use crate::values::sort::SmallSort as _;
use crate::{Business, Cents, Date};

/// Money that came in during a year.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct YearIncome {
    /// Payments and refunds of invoices, by their own days.
    pub moved: MoneyMoved,
    /// Services that were paid without an invoice, by their days.
    pub paid_alone: Cents,
}

impl YearIncome {
    /// Adds up the income of a year; `invoices` may be more than those of the year, `paid_alone` is the sum of its services without one.
    pub fn new<'a>(
        year: i16,
        invoices: impl Iterator<Item = &'a Invoice>,
        paid_alone: Cents,
    ) -> Self {
        let moved = days(year).map(|it| money::moved(invoices, it));
        Self {
            moved: moved.unwrap_or_default(),
            paid_alone,
        }
    }

    /// Adds up the income of a year of a business.
    pub fn of_business(year: i16, business: &Business) -> Self {
        let paid_alone = days(year).map(|it| money::paid_alone(business, it));
        let invoices = business.invoices.values().map(|it| &it.row);
        Self::new(year, invoices, paid_alone.unwrap_or_default())
    }
}

/// The first and the last day of a year.
pub fn days(year: i16) -> Option<(Date, Date)> {
    Date::new(year, 1, 1).zip(Date::new(year, 12, 31))
}

/// A line of Schedule C.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TaxLine {
    /// Number and name: `1 Gross receipts or sales`.
    pub line: String,
    /// Categories and what else is in it; may be empty.
    pub detail: String,
    /// Amount of the line.
    pub amount: Cents,
    /// True for a line that adds up others.
    pub is_sum: bool,
}

/// A year by the lines of Schedule C.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TaxYear {
    /// The calendar year.
    pub year: i16,
    /// Lines in the order of the form.
    pub lines: Vec<TaxLine>,
    /// Net profit, or below 0 the loss.
    pub profit: Cents,
    /// Sales tax that clients paid, less what was refunded; it is not in the lines.
    pub tax_collected: Cents,
    /// Sentences about what is counted, and how.
    pub notes: Vec<String>,
    /// True where nothing came in and nothing was spent or driven.
    pub is_empty: bool,
}

const BASIS: &str = "Cash basis: money counts on the day on which it was paid, whenever the work was done. Tips are \
                     in it, and credits that clients left.";

const WITHOUT_TAX: &str = "Sales tax that clients paid is not in the gross receipts.";

const NO_ADVICE: &str = "The lines are those of the IRS's Schedule C. Whether the standard mileage rate is right for \
                         you, your tax adviser can say.";

/// Computes the lines of a year from its income and its expenses.
pub fn tax_year(expenses: &ExpenseYear, income: &YearIncome) -> TaxYear {
    let YearIncome { moved, paid_alone } = *income;
    let gross = moved.received - moved.tax + paid_alone;
    let returns = moved.refunds - moved.refunded_tax;
    let tax_collected = moved.tax - moved.refunded_tax;
    let line = |line: &str, detail: String, amount: Cents, is_sum: bool| TaxLine {
        line: line.to_owned(),
        detail,
        amount,
        is_sum,
    };
    let tips = match moved.tips {
        Cents(0) => String::new(),
        tips => format!("Including tips: {tips}"),
    };
    let mut lines = vec![
        line("1 Gross receipts or sales", tips, gross, false),
        line("2 Returns and allowances", String::new(), returns, false),
        line("7 Gross income", String::new(), gross - returns, true),
    ];
    let mut spent: Vec<TaxLine> = Vec::new();
    for it in &expenses.categories {
        match spent.iter_mut().find(|known| known.line == it.line) {
            Some(known) => {
                known.detail = [&known.detail, ", ", it.name].concat();
                known.amount = known.amount + it.total;
            }
            None => spent.push(line(it.line, it.name.to_owned(), it.total, false)),
        }
    }
    spent.small_sort_by_key(|it| number(&it.line));
    lines.extend(spent);
    let total = expenses.sums.total;
    lines.push(line("28 Total expenses", String::new(), total, true));
    let profit = gross - returns - total;
    lines.push(line("31 Net profit or loss", String::new(), profit, true));
    let mut notes = vec![BASIS.to_owned()];
    if paid_alone != Cents::ZERO {
        notes.push(format!("{PAID_ALONE} They come to {paid_alone}."));
    }
    if tax_collected != Cents::ZERO {
        notes.push(WITHOUT_TAX.to_owned());
    }
    notes.push(NO_ADVICE.to_owned());
    TaxYear {
        year: expenses.year,
        lines,
        profit,
        tax_collected,
        notes,
        is_empty: expenses.sums.count == 0 && *income == YearIncome::default(),
    }
}

/// The number of a line, for their order; Part V is added up in line 27.
fn number(line: &str) -> u32 {
    let digits = line.split(' ').next().unwrap_or_default();
    digits.parse().unwrap_or(27)
}

/// The name of the file of a year's lines.
pub fn tax_file_name(year: i16) -> String {
    format!("schedule-c-{year}.csv")
}

/// A year's lines as a table (RFC 4180), with a heading, and below them the miles and the sales tax. Begins with the mark by
/// which spreadsheets know UTF-8.
pub fn tax_csv(tax: &TaxYear, expenses: &ExpenseYear) -> String {
    let mut table = "\u{feff}".to_owned();
    push_record(&mut table, ["Schedule C line", "Amount", "What it is"]);
    let amount = |it: Cents| {
        let sign = if it < Cents::ZERO { "-" } else { "" };
        let cents = it.0.unsigned_abs();
        format!("{sign}{}.{:02}", cents / 100, cents % 100)
    };
    for it in &tax.lines {
        push_record(
            &mut table,
            [it.line.clone(), amount(it.amount), it.detail.clone()],
        );
    }
    for rate in &expenses.rates {
        let what = format!("{} business miles at {}", rate.miles, rate.rate);
        push_record(
            &mut table,
            ["44a Business miles".to_owned(), String::new(), what],
        );
    }
    push_record(
        &mut table,
        [
            "Sales tax collected".to_owned(),
            amount(tax.tax_collected),
            "Not in line 1".to_owned(),
        ],
    );
    table
}

/// The title of a year on paper: `Income and expenses 2026`.
pub fn paper_title(year: i16) -> String {
    format!("Income and expenses {year}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expenses::year;
    use crate::rows::expense::{Expense, ExpenseCategory};
    use crate::{Id, Instant};

    fn expense(category: ExpenseCategory, cents: i64) -> Expense {
        Expense {
            category,
            amount: Some(Cents(cents)),
            ..Expense::new(Id::of(1), "2026-05-04".parse().unwrap(), Instant(0))
        }
    }

    fn income() -> YearIncome {
        YearIncome {
            moved: MoneyMoved {
                received: Cents(108_000),
                tips: Cents(20_00),
                tax: Cents(80_00),
                refunds: Cents(54_00),
                refunded_tax: Cents(4_00),
            },
            paid_alone: Cents(30_00),
        }
    }

    #[test]
    fn a_year_goes_from_gross_receipts_to_the_profit() {
        let expenses = [
            expense(ExpenseCategory::Other, 5_00),
            expense(ExpenseCategory::Supplies, 40_00),
            expense(ExpenseCategory::Training, 15_00),
            expense(ExpenseCategory::Advertising, 10_000),
        ];
        let tax = tax_year(&year(2026, expenses.iter()), &income());
        let lines: Vec<(&str, Cents)> = tax
            .lines
            .iter()
            .map(|it| (it.line.as_str(), it.amount))
            .collect();
        assert_eq!(
            lines,
            [
                ("1 Gross receipts or sales", Cents(103_000)),
                ("2 Returns and allowances", Cents(50_00)),
                ("7 Gross income", Cents(98_000)),
                ("8 Advertising", Cents(10_000)),
                ("22 Supplies", Cents(40_00)),
                ("Part V Other expenses", Cents(20_00)),
                ("28 Total expenses", Cents(16_000)),
                ("31 Net profit or loss", Cents(82_000)),
            ]
        );
        assert_eq!(
            (tax.profit, tax.tax_collected),
            (Cents(82_000), Cents(76_00))
        );
        assert!(!tax.is_empty);
    }

    #[test]
    fn a_loss_is_written_below_zero() {
        let expenses = [expense(ExpenseCategory::Supplies, 40_05)];
        let of_year = year(2026, expenses.iter());
        let tax = tax_year(&of_year, &YearIncome::default());
        assert!(tax_csv(&tax, &of_year).contains("31 Net profit or loss,-40.05,"));
    }

    #[test]
    fn a_year_without_income_and_expenses_is_empty() {
        assert!(tax_year(&year(2026, [].iter()), &YearIncome::default()).is_empty);
    }
}
