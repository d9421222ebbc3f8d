//! Owns what the commands about mileage and expenses do.

use serde::Serialize;
use serde_json::Value;

use crate::commands::decision::{
    About, Context, Decision, Effect, Intent, Need, changed, delete_row, overwritten, row,
};
use crate::rows::expense::Expense;
use crate::rows::row::{Change, RowKey, TableName};
use crate::rules::expense::valid;
use crate::values::bounds::{self, check_room};
use crate::values::form_errors::FieldErrors;
use crate::values::json::read_by_field;
use crate::values::patch::Patch;
use crate::{Business, Date, Id, Refusal};

/// Writes down what was driven or spent on a day.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CreateExpense {
    /// The new expense's id.
    pub id: Id,
    /// Fields of the entry; without a category it is mileage.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<Expense>"))]
    pub expense: Patch,
}

read_by_field!(CreateExpense { id, expense });

impl Intent for CreateExpense {
    fn needs(&self, _: &Business, _: &Context) -> Vec<Need> {
        let mut needs = vec![
            row(TableName::Expense, self.id),
            Need::Count(TableName::Expense),
        ];
        needs.extend(day_in(&self.expense).map(Need::ExpensesOn));
        needs
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        create(self, business, ctx)
    }

    fn about(&self) -> About {
        About::row("Expense", Effect::Makes, TableName::Expense, self.id)
    }
}

/// Corrects what was written down.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UpdateExpense {
    /// Id of the expense.
    pub id: Id,
    /// The touched fields.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<Expense>"))]
    pub changes: Patch,
}

read_by_field!(UpdateExpense { id, changes });

impl Intent for UpdateExpense {
    fn needs(&self, _: &Business, _: &Context) -> Vec<Need> {
        let mut needs = vec![
            row(TableName::Expense, self.id),
            changed(TableName::Expense, self.id),
        ];
        needs.extend(day_in(&self.changes).map(Need::ExpensesOn));
        needs
    }

    fn decide(&self, business: &Business, _: &Context) -> Result<Decision, Refusal> {
        update(self, business)
    }

    fn about(&self) -> About {
        About::row("Expense", Effect::Changes, TableName::Expense, self.id)
    }
}

/// Deletes what was written down.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeleteExpense {
    /// Id of the expense.
    pub id: Id,
}

read_by_field!(DeleteExpense { id });

impl Intent for DeleteExpense {
    fn needs(&self, _: &Business, _: &Context) -> Vec<Need> {
        vec![
            row(TableName::Expense, self.id),
            changed(TableName::Expense, self.id),
        ]
    }

    fn decide(&self, business: &Business, _: &Context) -> Result<Decision, Refusal> {
        business.expenses.get(&self.id).ok_or(Refusal::Gone)?;
        delete_row(TableName::Expense, self.id, business)
    }

    fn about(&self) -> About {
        About::row("Expense", Effect::Removes, TableName::Expense, self.id)
    }
}

/// The day that a patch names.
fn day_in(patch: &Patch) -> Option<Date> {
    let date = patch.0.get("date").and_then(Value::as_str);
    date.and_then(|it| it.parse().ok())
}

/// Refuses one more on a day that is full.
fn check_day(business: &Business, date: Date) -> Result<(), FieldErrors> {
    let all = business.expenses.values();
    let there_are = all.filter(|it| it.row.date == date).count();
    check_room("expenses_on_a_day", there_are, bounds::EXPENSES_ON_A_DAY)
}

fn create(
    command: &CreateExpense,
    business: &Business,
    ctx: &Context,
) -> Result<Decision, Refusal> {
    if business.expenses.get(&command.id).is_some() {
        return Err(Refusal::Taken);
    }
    let there_are = business.count(TableName::Expense, business.expenses.len());
    check_room("expenses", there_are, bounds::EXPENSES)?;
    let new = Expense::new(command.id, Date::default(), ctx.acted_at());
    let expense = valid(&command.expense, &new, true)?;
    check_day(business, expense.date)?;
    Ok(Change::from(expense).into())
}

fn update(command: &UpdateExpense, business: &Business) -> Result<Decision, Refusal> {
    let current = business.expenses.get(&command.id).ok_or(Refusal::Gone)?;
    let current = &current.row;
    let expense = valid(&command.changes, current, false)?;
    if expense.date != current.date {
        check_day(business, expense.date)?;
    }
    let key = RowKey {
        table: TableName::Expense,
        id: command.id,
    };
    let adjustments = overwritten(business, key, &command.changes);
    let changes = if expense == *current {
        Vec::new()
    } else {
        vec![expense.into()]
    };
    Ok(Decision {
        changes,
        adjustments,
        ..Decision::default()
    })
}
