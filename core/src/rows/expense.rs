//! Owns the row of what a business has driven or spent on a day.

use serde::Serialize;

use crate::rows::fields::row;
use crate::values::json::read_by_name;
use crate::values::miles::Miles;
use crate::{Cents, Date, Id, Instant};

/// Category of an expense, after the lines of the IRS's Schedule C (Form 1040) to which a sitter's expenses belong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ExpenseCategory {
    /// Miles driven, at the standard rate.
    #[default]
    Mileage,
    /// Parking and tolls, which the standard rate does not cover.
    Vehicle,
    /// Advertising of the business.
    Advertising,
    /// Fees of booking sites and for card payments.
    Fees,
    /// Insurance of the business.
    Insurance,
    /// Office needs and software.
    Office,
    /// Consumables for pets: bags, leashes, food, treats.
    Supplies,
    /// Licenses and permits.
    Licenses,
    /// Phone costs of the business.
    Phone,
    /// Training and courses.
    Training,
    /// Any other expense.
    Other,
}

read_by_name!(ExpenseCategory {
    Mileage,
    Vehicle,
    Advertising,
    Fees,
    Insurance,
    Office,
    Supplies,
    Licenses,
    Phone,
    Training,
    Other
});

row! {
    /// An expense or a day's mileage of a business. Stored on phones. Only add optional fields; never rename.
    Expense {
        /// Made by whoever writes it down.
        id: Id = id, required;
        /// The day, in the business's zone.
        date: Date = date => date, required;
        /// Category, which also says whether `miles` or `amount` is set.
        category: ExpenseCategory = ExpenseCategory::Mileage => plain, required;
        /// How far; of mileage alone.
        #[serde(default)]
        miles: Option<Miles> = None => plain;
        /// Cost. None for mileage, whose worth follows from its day's rate (`rules::mileage`).
        #[serde(default)]
        amount: Option<Cents> = None => money;
        /// Optional; may be empty.
        #[serde(default)]
        note: String = String::new() => plain;
        /// When it was written down.
        created_at: Instant = at, required;
    }
    /// Mileage of that day, without a mile.
    new(id: Id, date: Date, at: Instant)
}
