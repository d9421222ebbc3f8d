//! Owns CSV (RFC 4180) that is opened in a spreadsheet: what somebody typed stays a text there and never becomes a formula.

/// Appends a record of these cells, with the line's end.
pub fn push_record<T: AsRef<str>>(csv: &mut String, cells: impl IntoIterator<Item = T>) {
    let mut separator = "";
    for cell in cells {
        csv.push_str(separator);
        push_cell(csv, cell.as_ref());
        separator = ",";
    }
    csv.push_str("\r\n");
}

fn push_cell(csv: &mut String, cell: &str) {
    let disarmed = if is_formula(cell) { "'" } else { "" };
    let is_bare = cell
        .chars()
        .all(|it| it.is_alphanumeric() || " .-+'@_/:".contains(it));
    if is_bare {
        csv.push_str(disarmed);
        csv.push_str(cell);
    } else {
        // Quoted also for a semicolon: in many countries spreadsheets separate by it.
        csv.push('"');
        csv.push_str(disarmed);
        csv.push_str(&cell.replace('"', "\"\""));
        csv.push('"');
    }
}

/// A cell as somebody typed it, without the mark that makes a text of what would be a formula.
pub fn without_text_mark(cell: &str) -> &str {
    let rest = cell.strip_prefix('\'').filter(|it| is_formula(it));
    rest.unwrap_or(cell)
}

/// Returns true if a spreadsheet would calculate with a cell. A negative number is no formula: a spreadsheet may add it
/// up.
fn is_formula(cell: &str) -> bool {
    let begins = cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']);
    let is_number = cell.strip_prefix('-').is_some_and(|it| {
        let (whole, cents) = it.split_once('.').unwrap_or((it, "0"));
        [whole, cents]
            .iter()
            .all(|it| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit()))
    });
    begins && !is_number
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn record(cells: &[&str]) -> String {
        let mut csv = String::new();
        push_record(&mut csv, cells);
        csv
    }

    /// A reader of RFC 4180.
    fn read(csv: &str) -> Vec<Vec<String>> {
        let (mut records, mut record, mut cell) = (Vec::new(), Vec::new(), String::new());
        let mut chars = csv.chars().peekable();
        let mut is_quoted = false;
        while let Some(it) = chars.next() {
            match it {
                '"' if is_quoted && chars.peek() == Some(&'"') => cell.extend(chars.next()),
                '"' => is_quoted = !is_quoted,
                ',' if !is_quoted => record.push(std::mem::take(&mut cell)),
                '\r' if !is_quoted => {}
                '\n' if !is_quoted => {
                    record.push(std::mem::take(&mut cell));
                    records.push(std::mem::take(&mut record));
                }
                it => cell.push(it),
            }
        }
        records
    }

    #[test]
    fn cells_are_separated_and_quoted_where_that_is_needed() {
        let csv = record(&["Biscuit", "", "a,b", "say \"hi\"", "two\nlines", "1;2"]);
        assert_eq!(
            csv,
            "Biscuit,,\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",\"1;2\"\r\n"
        );
    }

    #[test]
    fn what_would_be_a_formula_is_a_text() {
        for formula in [
            "=1+1",
            "+1 555 0100",
            "-1+1",
            "@SUM(A1)",
            "\t=1",
            "\r=1",
            "\n=1",
            "=cmd|' /C calc'!A0",
            "＝1",
            "-",
            "-1.",
            "-.5",
            "--1",
            "=\"a\"",
        ] {
            let read = read(&record(&[formula]));
            assert_eq!(read, [[format!("'{formula}")]], "{formula:?}");
        }
    }

    #[test]
    fn an_amount_below_zero_is_still_a_number() {
        assert_eq!(record(&["-12.50", "-3", "12.50"]), "-12.50,-3,12.50\r\n");
    }

    proptest! {
        #[test]
        fn every_text_is_read_back_whatever_is_in_it(cells in proptest::collection::vec(any::<String>(), 1..5)) {
            let mut csv = String::new();
            push_record(&mut csv, &cells);
            let read = read(&csv);
            prop_assert_eq!(read.len(), 1);
            for (read, cell) in read[0].iter().zip(&cells) {
                prop_assert_eq!(read.strip_prefix('\'').filter(|_| is_formula(cell)).unwrap_or(read), cell);
                if !cell.starts_with('\'') {
                    prop_assert_eq!(without_text_mark(read), cell);
                }
            }
            prop_assert_eq!(read[0].len(), cells.len());
        }
    }
}
