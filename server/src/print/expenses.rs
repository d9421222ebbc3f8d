//! Owns a year of income, mileage and expenses on paper. What it comes to is core's; the headings stand here.

use krilla::tagging::Tag;
use walkies_core::expenses::{ExpenseEntry, ExpenseYear, TaxYear, paper_title};
use walkies_core::invoice::Paper;
use walkies_core::rows::sitter::Sitter;

use crate::print::{
    INK, INK_2, Line, MARGIN, PrintError, Row, SMALL, Sheets, bold, heading, height,
};

/// Width of a line of Schedule C.
const LINE_WIDTH: f32 = 190.0;

/// Width of a day as a number.
const DAY_WIDTH: f32 = 64.0;

/// A year as a PDF, with its lines of Schedule C and each of its entries.
///
/// # Errors
/// Where it is too long, or there are no fonts.
pub fn print(
    sitter: &Sitter,
    year: &ExpenseYear,
    taxes: &TaxYear,
    entries: &[ExpenseEntry],
) -> Result<Vec<u8>, PrintError> {
    let title = paper_title(year.year);
    let mut sheets = Sheets::new(Paper::of(sitter.units), sitter.shown_name(), &title)?;
    sheets.letterhead("", None);
    let standing = match year.sums.count {
        1 => "Mileage and expenses, 1 entry".to_owned(),
        n => format!("Mileage and expenses, {n} entries"),
    };
    let profit = taxes.profit.to_string();
    sheets.title((&standing, INK_2), "Net profit or loss", &profit);
    if let Some(caution) = &year.rate_caution {
        let caution = sheets.set(caution, SMALL, sheets.width());
        sheets.y += sheets.part(Tag::P, |it| it.put_text(&caution, MARGIN, it.y)) + 10.0;
    }
    section(&mut sheets, "Schedule C");
    let lines = taxes.lines.iter().map(|it| Row {
        first: it.line.clone(),
        text: it.detail.clone(),
        amount: it.amount.to_string(),
        is_strong: it.is_sum,
    });
    let mut lines: Vec<Row> = lines.collect();
    lines.push(Row {
        first: "Sales tax collected".to_owned(),
        text: "Not in line 1".to_owned(),
        amount: taxes.tax_collected.to_string(),
        is_strong: false,
    });
    sheets.rows(["Line", "Details", "Amount"], LINE_WIDTH, &lines)?;
    for note in &taxes.notes {
        let note = sheets.set(note, SMALL, sheets.width());
        sheets.need(height(&note));
        sheets.y += sheets.part(Tag::P, |it| it.put_text(&note, MARGIN, it.y)) + 4.0;
    }
    sheets.y += 6.0;
    section(&mut sheets, "Expenses by category");
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
    sheets.lines(["Month", "Details", "Amount"], &months.collect::<Vec<_>>())?;
    section(&mut sheets, "Each entry");
    let entries = entries.iter().map(|it| {
        let texts = [it.name, &it.detail, &it.expense.note];
        let texts: Vec<&str> = texts.into_iter().filter(|it| !it.is_empty()).collect();
        Row {
            first: it.expense.date.to_string(),
            text: texts.join(" · "),
            amount: it.worth.to_string(),
            is_strong: false,
        }
    });
    let entries: Vec<Row> = entries.collect();
    sheets.rows(["Date", "What for", "Amount"], DAY_WIDTH, &entries)?;
    sheets.finish()
}

/// The heading of a table, on the same page as its first line.
fn section(sheets: &mut Sheets, title: &str) {
    let title = sheets.set(title, bold(12.0, INK), sheets.width());
    sheets.need(height(&title) + 100.0);
    sheets.y += sheets.part(heading(2), |it| it.put_text(&title, MARGIN, it.y)) + 6.0;
}
