//! Owns the row of what a business has driven or spent on a day.

use serde::Serialize;

use crate::values::field::{Field, date, money, plain};
use crate::values::json::{read_by_field, read_by_name};
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

/// An expense or a day's mileage of a business. Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Expense {
    /// Made by whoever writes it down.
    pub id: Id,
    /// The day, in the business's zone.
    pub date: Date,
    /// Category, which also says whether `miles` or `amount` is set.
    pub category: ExpenseCategory,
    /// How far; of mileage alone.
    #[serde(default)]
    pub miles: Option<Miles>,
    /// Cost. None for mileage, whose worth follows from its day's rate (`rules::mileage`).
    #[serde(default)]
    pub amount: Option<Cents>,
    /// Optional; may be empty.
    #[serde(default)]
    pub note: String,
    /// When it was written down.
    pub created_at: Instant,
}

read_by_field!(Expense from Expense::new(Id::default(), Date::default(), Instant(0)); { id, date, category, created_at }
    or default { miles, amount, note });

impl Expense {
    /// The fields that a person sets.
    pub const EDITABLE: &[Field] = &[
        date("date"),
        plain("category"),
        plain("miles"),
        money("amount"),
        plain("note"),
    ];

    /// Mileage of that day, without a mile.
    pub const fn new(id: Id, date: Date, at: Instant) -> Self {
        Self {
            id,
            date,
            category: ExpenseCategory::Mileage,
            miles: None,
            amount: None,
            note: String::new(),
            created_at: at,
        }
    }
}
