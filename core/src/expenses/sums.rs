//! Owns what some entries come to together.

use serde::Serialize;

use crate::Cents;
use crate::rows::expense::{Expense, ExpenseCategory};
use crate::rules::expense::worth;
use crate::values::miles::Miles;

/// Sums of some entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ExpenseSums {
    /// How many they are.
    pub count: u32,
    /// Miles of the mileage entries.
    pub miles: Miles,
    /// Worth of those miles at the rates of their days.
    pub mileage: Cents,
    /// Money spent, without mileage.
    pub spent: Cents,
    /// Sum of `mileage` and `spent`.
    pub total: Cents,
}

impl ExpenseSums {
    pub(super) fn add(&mut self, expense: &Expense) {
        let worth = worth(expense);
        self.count += 1;
        self.total = self.total + worth;
        if expense.category == ExpenseCategory::Mileage {
            self.miles = self.miles + expense.miles.unwrap_or_default();
            self.mileage = self.mileage + worth;
        } else {
            self.spent = self.spent + worth;
        }
    }
}
