//! Owns what driving and spending come to: the days of a month with what is proposed for them, and a year as tax papers
//! ask for it.
//!
//! Each entry counts in whole cents, and every sum is the sum of its entries: whoever adds up the lines of the table comes
//! to the same. Miles on foot are no entry.

mod form;
mod month;
mod sums;
mod taxes;
mod year;

pub use form::{CategoryChoice, categories, mileage_text};
pub use month::{ExpenseDay, ExpenseEntry, ExpenseMonth, month};
pub use sums::ExpenseSums;
pub use taxes::{
    TaxLine, TaxYear, YearIncome, days, paper_title, tax_csv, tax_file_name, tax_year,
};
pub use year::{
    ExpenseCategorySums, ExpenseFormat, ExpenseMonthSums, ExpenseYear, MileageSums, asked, csv,
    entries, file_name, year, years,
};
