//! Owns what the demo's sitter has driven and spent in the year: miles of most days, and what every month costs. The miles of
//! the last days wait to be taken as they are proposed.

use serde_json::{Value, json};
use walkies_core::commands::CreateExpense;
use walkies_core::{Command, Date};

use super::{Dice, Worker, patch};

/// The first day of it, in days from today, and the last one.
const FIRST: i64 = -364;
const LAST: i64 = -4;

/// Expenses that recur each month: the day of the month, dollars, category, note.
const EVERY_MONTH: [(i8, f64, &str, &str); 3] = [
    (1, 24.5, "insurance", "Liability insurance"),
    (3, 35.0, "phone", "Phone, the business's share"),
    (12, 9.0, "office", "Bookkeeping software"),
];

/// Expenses on random days: dollars, category, note.
const NOW_AND_THEN: [(f64, &str, &str); 5] = [
    (12.95, "supplies", "Waste bags, a box"),
    (18.4, "supplies", "Training treats"),
    (6.0, "vehicle", "Parking by the park"),
    (42.0, "advertising", "Flyers"),
    (27.8, "supplies", "A long leash"),
];

pub(super) async fn spending(worker: &mut Worker<'_>) -> anyhow::Result<()> {
    let mut dice = Dice(23);
    let today = worker.now.today();
    for day in FIRST..=LAST {
        let date = today.plus_days(day);
        let is_weekend = matches!(date.day_of_week(), 0 | 6);
        if dice.below(10) < if is_weekend { 3 } else { 8 } {
            let tenths = 12 + dice.below(50);
            let note = format!("{} visits", 2 + dice.below(4));
            let miles =
                json!({ "category": "mileage", "miles": tenths as f64 / 10.0, "note": note });
            write_down(worker, date, miles).await?;
        }
        for (of_month, amount, category, note) in EVERY_MONTH {
            if date.parts().2 == of_month {
                let spent = json!({ "category": category, "amount": amount, "note": note });
                write_down(worker, date, spent).await?;
            }
        }
        if let Some((amount, category, note)) = NOW_AND_THEN.get(dice.below(60)) {
            let spent = json!({ "category": category, "amount": amount, "note": note });
            write_down(worker, date, spent).await?;
        }
    }
    Ok(())
}

async fn write_down(worker: &mut Worker<'_>, date: Date, mut expense: Value) -> anyhow::Result<()> {
    expense["date"] = json!(date);
    let command = Command::CreateExpense(CreateExpense {
        id: worker.app.env.id(),
        expense: patch(expense),
    });
    let in_the_evening = worker.at(date, 20, 0);
    worker.send(command, in_the_evening).await
}
