//! Owns a year of mileage and expenses on paper. What it comes to is core's; the headings stand here.

use krilla::tagging::Tag;
use walkies_core::expenses::{ExpenseEntry, ExpenseYear};
use walkies_core::invoice::Paper;
use walkies_core::rows::sitter::Sitter;

use crate::print::{INK, INK_2, Line, MARGIN, PrintError, SMALL, Sheets, bold, heading, height};

/// A year as a PDF, with each of its entries.
///
/// # Errors
/// Where it is too long, or there are no fonts.
pub fn print(
    sitter: &Sitter,
    year: &ExpenseYear,
    entries: &[ExpenseEntry],
) -> Result<Vec<u8>, PrintError> {
    let title = format!("Expenses {}", year.year);
    let mut sheets = Sheets::new(Paper::of(sitter.units), sitter.shown_name(), &title)?;
    sheets.letterhead("", None);
    let standing = match year.sums.count {
        1 => "Mileage and expenses, 1 entry".to_owned(),
        n => format!("Mileage and expenses, {n} entries"),
    };
    sheets.title((&standing, INK_2), "In all", &year.sums.total.to_string());
    if let Some(caution) = &year.rate_caution {
        let caution = sheets.set(caution, SMALL, sheets.width());
        sheets.y += sheets.part(Tag::P, |it| it.put_text(&caution, MARGIN, it.y)) + 10.0;
    }
    section(&mut sheets, "By line of Schedule C");
    let categories = year.categories.iter().map(|it| Line {
        date: it.line.to_owned(),
        what: it.name.to_owned(),
        more: Vec::new(),
        amount: it.total.to_string(),
    });
    sheets.lines(
        ["Line", "Category", "Amount"],
        &categories.collect::<Vec<_>>(),
    )?;
    if !year.rates.is_empty() {
        section(&mut sheets, "Miles by the IRS standard rate");
        let rates = year.rates.iter().map(|it| Line {
            date: it.rate.clone(),
            what: format!("{} miles", it.miles),
            more: Vec::new(),
            amount: it.mileage.to_string(),
        });
        sheets.lines(["Rate", "Miles", "Amount"], &rates.collect::<Vec<_>>())?;
    }
    section(&mut sheets, "By month");
    let months = year.months.iter().filter(|it| it.sums.count > 0);
    let months = months.map(|it| Line {
        date: it.name.to_owned(),
        what: format!("{} miles: {}", it.sums.miles, it.sums.mileage),
        more: vec![format!("Expenses: {}", it.sums.spent)],
        amount: it.sums.total.to_string(),
    });
    sheets.lines(["Month", "Of it", "Amount"], &months.collect::<Vec<_>>())?;
    section(&mut sheets, "Each entry");
    let entries = entries.iter().map(|it| Line {
        date: it.expense.date.to_string(),
        what: it.name.to_owned(),
        more: vec![it.detail.clone(), it.expense.note.clone()],
        amount: it.worth.to_string(),
    });
    sheets.lines(["Date", "What for", "Amount"], &entries.collect::<Vec<_>>())?;
    sheets.finish()
}

/// The heading of a table, on the same page as its first line.
fn section(sheets: &mut Sheets, title: &str) {
    let title = sheets.set(title, bold(12.0, INK), sheets.width());
    sheets.need(height(&title) + 100.0);
    sheets.y += sheets.part(heading(2), |it| it.put_text(&title, MARGIN, it.y)) + 6.0;
}
