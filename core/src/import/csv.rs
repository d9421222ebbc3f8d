//! Owns reading CSV: records of cells, whatever separates them. It is ours and not `csv-core`'s, which passes over empty
//! lines, so that rows would not have the numbers that a spreadsheet shows.

/// Separators of cells that real files use.
const SEPARATORS: [char; 4] = [',', ';', '\t', '|'];

/// Number of records at the beginning by which the separator is recognized.
const LOOKED_AT: usize = 20;

/// The records of a text, each with its number, from 1, as a spreadsheet counts; those without a word are left out.
pub(super) fn records(text: &str) -> impl Iterator<Item = (u32, Vec<String>)> {
    // Spreadsheets that need to be told write it in a line of its own.
    let told = text
        .strip_prefix("sep=")
        .and_then(|rest| Some((rest.chars().next()?, rest)))
        .filter(|(separator, _)| SEPARATORS.contains(separator));
    let separator = told.map_or_else(|| separator(text), |(separator, _)| separator);
    Records::of(text, separator)
        .skip(usize::from(told.is_some()))
        .filter(|(_, cells)| cells.iter().any(|it| !it.is_empty()))
}

/// The one by which most records have as many cells as the first one.
fn separator(text: &str) -> char {
    let fits = |separator: char| {
        let mut records = Records::of(text, separator)
            .take(LOOKED_AT)
            .map(|it| it.1.len());
        let first = records.next().unwrap_or_default();
        (first - first.min(1)) * (1 + records.filter(|it| *it == first).count())
    };
    let best = SEPARATORS.iter().rev().max_by_key(|it| fits(**it));
    best.copied().unwrap_or(',')
}

struct Records<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    separator: char,
    number: u32,
}

impl<'a> Records<'a> {
    fn of(text: &'a str, separator: char) -> Self {
        Self {
            rest: text.chars().peekable(),
            separator,
            number: 0,
        }
    }

    /// Returns true if the quotation mark before `rest` is closed at the end of a cell. A scan goes on only past pairs of
    /// marks, and a scan that begins at such a pair ends at once: all scans together take linear time.
    fn is_closed(&self) -> bool {
        let mut rest = self.rest.clone();
        while let Some(letter) = rest.next() {
            if letter != '"' || rest.next_if_eq(&'"').is_some() {
                continue;
            }
            let is_blank = |it: &char| *it == ' ' && *it != self.separator;
            let mut behind = rest.skip_while(is_blank);
            return behind
                .next()
                .is_none_or(|it| it == self.separator || it == '\r' || it == '\n');
        }
        false
    }

    /// Returns true if the quotation mark before `rest` is closed at the end of a cell of this line, with marks between that
    /// nobody doubled: `"Bo "the beast" Lee"`. A scan ends where the next cell with a mark begins: all scans together take
    /// linear time.
    fn is_closed_in_line(&self) -> bool {
        let mut before = '"';
        let mut rest = self.rest.clone().peekable();
        while let Some(letter) = rest.next() {
            let ends = |it: Option<&char>| {
                it.is_none_or(|it| *it == self.separator || *it == '\r' || *it == '\n')
            };
            match letter {
                '\r' | '\n' => return false,
                '"' if ends(rest.peek()) => return true,
                '"' if before == self.separator => return false,
                _ => before = letter,
            }
        }
        false
    }

    /// The next cell, and whether the record ends with it.
    fn cell(&mut self) -> (String, bool) {
        let (mut cell, mut is_quoted, mut is_lax) = (String::new(), false, false);
        let is_last = loop {
            let Some(letter) = self.rest.next() else {
                break true;
            };
            match letter {
                '"' if is_lax => match self.rest.peek() {
                    Some(it) if *it != self.separator && *it != '\r' && *it != '\n' => {
                        cell.push('"');
                    }
                    _ => (is_quoted, is_lax) = (false, false),
                },
                '"' if is_quoted => {
                    if self.rest.next_if_eq(&'"').is_some() {
                        cell.push('"');
                    } else {
                        is_quoted = false;
                    }
                }
                // A line break within a cell has one form.
                '\r' if is_quoted => {
                    self.rest.next_if_eq(&'\n');
                    cell.push('\n');
                }
                letter if is_quoted => cell.push(letter),
                // One that nothing closes is a letter like others, so that it takes no rows in.
                '"' if cell.trim().is_empty() && self.is_closed() => {
                    cell.clear();
                    is_quoted = true;
                }
                '"' if cell.trim().is_empty() && self.is_closed_in_line() => {
                    cell.clear();
                    (is_quoted, is_lax) = (true, true);
                }
                '\r' => {
                    self.rest.next_if_eq(&'\n');
                    break true;
                }
                '\n' => break true,
                letter if letter == self.separator => break false,
                letter => cell.push(letter),
            }
        };
        (cell.trim().to_owned(), is_last)
    }
}

impl Iterator for Records<'_> {
    type Item = (u32, Vec<String>);

    fn next(&mut self) -> Option<Self::Item> {
        self.rest.peek()?;
        self.number = self.number.saturating_add(1);
        let mut cells = Vec::new();
        loop {
            let (cell, is_last) = self.cell();
            cells.push(cell);
            if is_last {
                return Some((self.number, cells));
            }
        }
    }
}
