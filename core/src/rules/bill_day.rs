//! Owns billing by itself on a day of the month: which months are due, and the ids of the invoices that it makes.

use crate::rules::series::occurrence_id;
use crate::values::format::{month_day, month_heading};
use crate::{Date, Id};

/// The months that are billed at once after the server has stood still; older ones are left to the sitter.
const MOST_MONTHS: usize = 3;

/// The last month, by its first day, whose day of billing has come.
fn last_due(bill_day: u32, today: Date) -> Option<Date> {
    let has_come = i64::from(bill_day) <= i64::from(today.parts().2);
    today.in_month(if has_come { -1 } else { -2 }, 1)
}

/// The months that are to be billed by now, by their first days, the oldest first. `billed` is the first day of the last
/// month that was.
pub fn months_due(bill_day: u32, billed: Date, today: Date) -> Vec<Date> {
    let mut due = Vec::new();
    let mut month = last_due(bill_day, today);
    while let Some(first) = month.filter(|it| billed < *it && due.len() < MOST_MONTHS) {
        due.push(first);
        month = first.in_month(-1, 1);
    }
    due.reverse();
    due
}

/// The month that counts as billed where billing by itself has just been switched on. Its day is the next one that comes,
/// today among them: nothing goes out for a day that was over.
pub fn billed_at_first(bill_day: u32, today: Date) -> Option<Date> {
    let is_over = i64::from(bill_day) < i64::from(today.parts().2);
    today.in_month(if is_over { -1 } else { -2 }, 1)
}

/// Sentence on the next month that is billed once `bill_day` is saved, where it was `before` until then; empty where that is
/// not known: on the day itself it may be done.
pub fn next_words(before: Option<u32>, bill_day: u32, today: Date) -> String {
    let billed = match before {
        Some(day) => last_due(day, today),
        None => billed_at_first(bill_day, today),
    };
    let (Some(billed), Some(due)) = (billed, last_due(bill_day, today)) else {
        return String::new();
    };
    let is_today = i64::from(bill_day) == i64::from(today.parts().2);
    if before == Some(bill_day) && is_today {
        return String::new();
    }
    if billed < due {
        return [
            "Next: ",
            &month_heading(due),
            ". Its day has come, so that is done soon after you save.",
        ]
        .concat();
    }
    let next = billed.in_month(1, 1);
    let day = i8::try_from(bill_day).unwrap_or(1);
    let on = next.and_then(|it| it.in_month(1, day));
    match next.zip(on) {
        Some((month, on)) => [
            "Next: ",
            &month_heading(month),
            ", on ",
            &month_day(on),
            ".",
        ]
        .concat(),
        None => String::new(),
    }
}

/// Namespace of the ids of invoices, beside those of visits.
const INVOICES: Id = Id::of(0xb111_0000);

/// The id of the invoice that a client gets of a month, by whichever process makes it.
///
/// Stored on phones: what it gives for the same arguments never changes.
pub fn billed_id(month: Date, client_id: Id) -> Id {
    occurrence_id(INVOICES, client_id, month)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Date {
        text.parse().unwrap()
    }

    #[track_caller]
    fn check(billed: &str, today: &str, due: &[&str]) {
        let due: Vec<Date> = due.iter().map(|it| day(it)).collect();
        assert_eq!(months_due(3, day(billed), day(today)), due, "{today}");
    }

    #[test]
    fn a_month_is_due_once_from_its_day_on() {
        check("2026-10-01", "2026-12-02", &[]);
        check("2026-10-01", "2026-12-03", &["2026-11-01"]);
        check("2026-10-01", "2026-12-31", &["2026-11-01"]);
        check("2026-11-01", "2026-12-03", &[]);
        check("2026-11-01", "2027-01-03", &["2026-12-01"]);
    }

    #[test]
    fn after_a_stand_still_the_last_months_are_due() {
        check("2026-10-01", "2027-01-02", &["2026-11-01"]);
        check("2026-10-01", "2027-01-03", &["2026-11-01", "2026-12-01"]);
        check(
            "2025-01-01",
            "2026-12-03",
            &["2026-09-01", "2026-10-01", "2026-11-01"],
        );
    }

    #[test]
    fn switching_it_on_bills_nothing_for_a_day_that_is_over() {
        for (today, due) in [("2026-12-02", 0), ("2026-12-03", 1), ("2026-12-04", 0)] {
            let today = day(today);
            let billed = billed_at_first(3, today).unwrap();
            assert_eq!(months_due(3, billed, today).len(), due, "{today}");
            let next = today.in_month(1, 3).unwrap();
            assert!(!months_due(3, billed, next).is_empty(), "{today}");
        }
    }

    #[test]
    fn the_next_bills_are_said_before_a_day_is_saved() {
        let on_the_10th = |before, to| next_words(before, to, day("2026-12-10"));
        let now = "Next: November 2026. Its day has come, so that is done soon after you save.";
        assert_eq!(on_the_10th(Some(20), 5), now);
        assert_eq!(on_the_10th(Some(20), 10), now);
        assert_eq!(on_the_10th(None, 10), now);
        assert_eq!(on_the_10th(None, 5), "Next: December 2026, on Jan 5.");
        assert_eq!(on_the_10th(None, 20), "Next: November 2026, on Dec 20.");
        assert_eq!(on_the_10th(Some(20), 20), "Next: November 2026, on Dec 20.");
        assert_eq!(on_the_10th(Some(5), 20), "Next: December 2026, on Jan 20.");
        assert_eq!(on_the_10th(Some(5), 5), "Next: December 2026, on Jan 5.");
        assert_eq!(on_the_10th(Some(10), 10), "");
        assert_eq!(on_the_10th(Some(10), 0), "");
    }

    #[test]
    fn the_ids_of_invoices_never_change() {
        let id = billed_id(day("2026-11-01"), Id::of(1));
        assert_ne!(id, billed_id(day("2026-10-01"), Id::of(1)));
        assert_ne!(id, billed_id(day("2026-11-01"), Id::of(2)));
        assert_eq!(id.to_string(), "9e2b8403-f2aa-8f12-899d-f880d90f2cde");
    }
}
