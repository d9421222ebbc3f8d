//! Owns what the form of an expense offers, and says while it is filled in.

use serde::Serialize;

use crate::Date;
use crate::rows::expense::ExpenseCategory;
use crate::rules::expense::{category_name, schedule_c_line};
use crate::rules::mileage::MileageRate;
use crate::values::miles::Miles;

/// A category to choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct CategoryChoice {
    /// The category to choose.
    pub category: ExpenseCategory,
    /// Name of the category on the screen.
    pub name: &'static str,
    /// Its line on Schedule C: `15 Insurance`.
    pub line: &'static str,
}

/// Those of what is spent, in their order.
const SPENT: [ExpenseCategory; 10] = [
    ExpenseCategory::Supplies,
    ExpenseCategory::Vehicle,
    ExpenseCategory::Insurance,
    ExpenseCategory::Office,
    ExpenseCategory::Phone,
    ExpenseCategory::Training,
    ExpenseCategory::Advertising,
    ExpenseCategory::Fees,
    ExpenseCategory::Licenses,
    ExpenseCategory::Other,
];

/// Returns the categories of expenses, those of every week first; mileage is none of them.
pub fn categories() -> [CategoryChoice; SPENT.len()] {
    SPENT.map(|category| CategoryChoice {
        category,
        name: category_name(category),
        line: schedule_c_line(category),
    })
}

/// Returns the miles of a day, the rate and their product: `12.4 mi at 72.5¢: $8.99`.
pub fn mileage_text(miles: Miles, date: Date) -> String {
    let rate = MileageRate::on(date);
    format!("{miles} mi at {}: {}", rate.text(), rate.worth(miles))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn miles_are_told_with_what_they_count_for() {
        let text = mileage_text(Miles(124), "2026-01-05".parse().unwrap());
        assert_eq!(text, "12.4 mi at 72.5¢: $8.99");
    }

    #[test]
    fn no_category_is_offered_twice_and_mileage_has_a_form_of_its_own() {
        let offered: std::collections::BTreeSet<_> = SPENT.into_iter().collect();
        assert_eq!(offered.len(), SPENT.len());
        assert!(!offered.contains(&ExpenseCategory::Mileage));
    }
}
