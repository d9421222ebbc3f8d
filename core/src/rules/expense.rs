//! Owns what makes an expense valid, and what its category is called here and by the IRS.

use crate::Cents;
use crate::rows::expense::{Expense, ExpenseCategory};
use crate::rules::mileage::MileageRate;
use crate::values::bounds::MAX_PRICE;
use crate::values::checks::PRICE_TOO_HIGH;
use crate::values::form_errors::FieldErrors;
use crate::values::miles::Miles;
use crate::values::patch::{Merged, Patch};
use crate::values::text::trim;

/// Returns the name of a category in the app.
pub const fn category_name(category: ExpenseCategory) -> &'static str {
    match category {
        ExpenseCategory::Mileage => "Mileage",
        ExpenseCategory::Vehicle => "Parking and tolls",
        ExpenseCategory::Advertising => "Advertising",
        ExpenseCategory::Fees => "Commissions and fees",
        ExpenseCategory::Insurance => "Insurance",
        ExpenseCategory::Office => "Office and software",
        ExpenseCategory::Supplies => "Supplies and food",
        ExpenseCategory::Licenses => "Licenses",
        ExpenseCategory::Phone => "Phone",
        ExpenseCategory::Training => "Training",
        ExpenseCategory::Other => "Other",
    }
}

/// Returns the line of a category on Schedule C of Form 1040 (IRS, 2025), as its number and name: `8 Advertising`.
pub const fn schedule_c_line(category: ExpenseCategory) -> &'static str {
    match category {
        ExpenseCategory::Mileage | ExpenseCategory::Vehicle => "9 Car and truck expenses",
        ExpenseCategory::Advertising => "8 Advertising",
        ExpenseCategory::Fees => "10 Commissions and fees",
        ExpenseCategory::Insurance => "15 Insurance",
        ExpenseCategory::Office => "18 Office expense",
        ExpenseCategory::Supplies => "22 Supplies",
        ExpenseCategory::Licenses => "23 Taxes and licenses",
        ExpenseCategory::Phone => "25 Utilities",
        ExpenseCategory::Training | ExpenseCategory::Other => "Part V Other expenses",
    }
}

/// Returns the deductible amount of an expense: its cost, or its miles at the rate of their day.
pub fn worth(expense: &Expense) -> Cents {
    match expense.category {
        ExpenseCategory::Mileage => {
            MileageRate::on(expense.date).worth(expense.miles.unwrap_or_default())
        }
        _ => expense.amount.unwrap_or_default(),
    }
}

/// Returns the errors of the form of an expense.
fn errors(expense: &Merged<Expense>, has_date: bool) -> FieldErrors {
    let row = &expense.row;
    let bad = |field: &str| expense.is_malformed(field);
    let mut errors = FieldErrors::default();
    errors.check(!has_date || bad("date"), "date", "Date is required");
    if row.category == ExpenseCategory::Mileage {
        let is_none = row.miles.unwrap_or_default() == Miles::ZERO;
        errors.check(is_none, "miles", "The miles must be more than 0");
    } else {
        let amount = row.amount.unwrap_or_default();
        errors.check(
            amount <= Cents::ZERO,
            "amount",
            "The amount must be more than 0",
        );
        errors.check(MAX_PRICE < amount, "amount", PRICE_TOO_HIGH);
    }
    errors
}

/// The expense with the touched fields. Mileage has no amount, and nothing else has miles.
pub(crate) fn valid(
    patch: &Patch,
    current: &Expense,
    is_new: bool,
) -> Result<Expense, FieldErrors> {
    let mut expense = patch.merge(current, Expense::EDITABLE);
    let row = &mut expense.row;
    trim(&mut row.note);
    if row.category == ExpenseCategory::Mileage {
        row.amount = None;
    } else {
        row.miles = None;
    }
    let has_date = patch.has("date") || !(is_new || patch.empties("date"));
    let errors = errors(&expense, has_date);
    expense.or_errors(errors)
}
