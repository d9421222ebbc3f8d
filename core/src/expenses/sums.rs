//! Owns what some entries come to together.

use serde::Serialize;

use crate::Cents;
use crate::rows::expense::{Expense, ExpenseCategory};
use crate::rules::expense::worth;
use crate::values::miles::Miles;

/// What some entries come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ExpenseSums {
    /// How many they are.
    pub count: u32,
    /// What was driven.
    pub miles: Miles,
    /// What that counts for.
    pub mileage: Cents,
    /// What was spent.
    pub spent: Cents,
    /// Both together.
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
