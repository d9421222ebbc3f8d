//! Owns the archive of a business, and of what it shares with a pet parent: which files it has, how rows stand in them, its
//! tables for spreadsheets, and what of it may come in again. It is a ZIP, which whoever writes and reads it makes of this.

mod accounting;
mod incoming;
mod spreadsheet;

pub use accounting::AccountingFile;
pub use incoming::{ArchiveFault, Incoming, most_rows};
pub use spreadsheet::Spreadsheets;

use crate::rows::report::ReportContent;
use crate::rows::row::{Row, TableName};
use crate::values::bounds::DOCUMENTS;
use crate::values::id::Id;

/// Version of the archive format. An archive with a higher one was written by a newer Walkies.
pub const FORMAT: u32 = 1;

/// The most files in an archive: those beside its rows, and a page or a track for each invoice and each report of many years.
pub const MAX_ENTRIES: usize = 150_000;

/// The most bytes of a row's line: an invoice is the longest.
pub const MAX_LINE_BYTES: usize = 2 * 1024 * 1024;

/// The most rows in an archive: thirty years of a hundred services a day.
pub const MAX_ROWS: usize = 1_000_000;

/// The most bytes that all of them have.
pub const MAX_ROW_BYTES: u64 = crate::values::bounds::ARCHIVE_ROW_BYTES;

/// The media types of files beside rows, and how the names of such files end.
const ENDINGS: [(&str, &str); 6] = [
    ("image/jpeg", "jpg"),
    ("image/png", "png"),
    ("application/pdf", "pdf"),
    ("video/mp4", "mp4"),
    ("video/quicktime", "mov"),
    ("video/webm", "webm"),
];

/// Kinds of files that an archive lists beside the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kept {
    /// Photos, as JPEG.
    Photos,
    /// Videos of invoices.
    Videos,
    /// Licences and insurances.
    Documents,
}

impl Kept {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Photos, Self::Videos, Self::Documents];

    /// The most files of its kind that an archive has: photos of 100 KB each, as they are kept, fill their storage, and
    /// so do videos of 1 MB.
    pub const fn most(self) -> usize {
        match self {
            Self::Photos => 100_000,
            Self::Videos => 10_000,
            Self::Documents => DOCUMENTS,
        }
    }

    /// Name of its folder and of its list.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Photos => "photos",
            Self::Videos => "videos",
            Self::Documents => "documents",
        }
    }
}

/// A file of an archive.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Entry {
    /// `walkies.json`: the format of the archive and what is in it.
    Manifest,
    /// The rows of a table, one on each line.
    Rows(TableName),
    /// Descriptions of the files of a kind, one on each line.
    List(Kept),
    /// A file of that kind, by its id.
    File(Kept, Id),
    /// A file for people, of which nothing is imported.
    ForPeople,
}

/// The folders of what is for people.
const FOR_PEOPLE: [&str; 4] = ["csv/", "invoices/", "walks/", "phone/"];

impl Entry {
    /// The name of the file.
    pub const MANIFEST: &str = "walkies.json";

    /// The name of a table's file.
    pub fn rows(table: TableName) -> String {
        ["rows/", table.name(), ".jsonl"].concat()
    }

    /// The name of a list of files.
    pub fn list(kept: Kept) -> String {
        ["files/", kept.name(), ".jsonl"].concat()
    }

    /// The name of one of these files.
    pub fn file(kept: Kept, id: Id, media_type: &str) -> String {
        let ending = ENDINGS.iter().find(|it| it.0 == media_type);
        let ending = ending.map_or("bin", |it| it.1);
        [kept.name(), "/", &id.to_string(), ".", ending].concat()
    }

    /// Recognizes a file by its name; `None` for a name that no archive has. No name is ever a path.
    pub fn parse(name: &str) -> Option<Self> {
        if name == Self::MANIFEST {
            return Some(Self::Manifest);
        }
        let (folder, file) = name.split_once('/')?;
        let stem = file.strip_suffix(".jsonl");
        match folder {
            "rows" => TableName::parse(stem?).map(Self::Rows),
            "files" => {
                let kept = Kept::ALL.into_iter().find(|it| Some(it.name()) == stem);
                kept.map(Self::List)
            }
            _ => {
                if let Some(kept) = Kept::ALL.into_iter().find(|it| it.name() == folder) {
                    let (id, ending) = file.split_once('.')?;
                    let is_known = ending == "bin" || ENDINGS.iter().any(|it| it.1 == ending);
                    let id: Id = id.parse().ok().filter(|_| is_known)?;
                    // Written as we write it, so that one file has one name.
                    return file
                        .starts_with(&id.to_string())
                        .then_some(Self::File(kept, id));
                }
                let is_for_people = FOR_PEOPLE.iter().any(|it| name.starts_with(it));
                (is_for_people && !file.contains(['/', '\\'])).then_some(Self::ForPeople)
            }
        }
    }
}

/// A row as its line has it: with all that is stored of it.
///
/// # Errors
/// None that a row has.
pub fn line(row: &Row) -> serde_json::Result<String> {
    let mut json = row.json()?;
    if let Row::Report(report) = row {
        // The feed does not tell it.
        json.pop();
        json.push_str(r#","content":"#);
        json.push_str(&serde_json::to_string(&report.content)?);
        json.push('}');
    }
    Ok(json)
}

/// The photos and videos that a row shows.
pub fn files(row: &Row) -> Vec<Id> {
    match row {
        Row::Sitter(row) => row.photo.into_iter().collect(),
        Row::Pet(row) => row.photo.into_iter().collect(),
        Row::Message(row) => row.photo.into_iter().collect(),
        Row::Report(row) => row.content.walk.photos().collect(),
        Row::Service(row) => row.live.iter().filter_map(|it| it.photo).collect(),
        Row::Invoice(row) => {
            let videos = row.invoice_data.videos.iter().copied();
            row.photos().chain(videos).collect()
        }
        Row::Client(_)
        | Row::Offering(_)
        | Row::Series(_)
        | Row::Pattern(_)
        | Row::BlockedTime(_)
        | Row::AvailabilityConfig(_)
        | Row::WalkRequest(_)
        | Row::Conversation(_)
        | Row::Expense(_) => Vec::new(),
    }
}

/// Reads a row's line.
///
/// # Errors
/// Where it is none of this table.
pub fn read_line(table: TableName, json: &str) -> serde_json::Result<Row> {
    let mut row = table.read(json)?;
    if let Row::Report(report) = &mut row {
        let mut whole: serde_json::Map<String, serde_json::Value> = serde_json::from_str(json)?;
        if let Some(content) = whole.remove("content") {
            report.content = serde_json::from_value::<ReportContent>(content)?;
        }
    }
    Ok(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_that_is_written_is_read_again() {
        let id = Id::of(7);
        for table in TableName::ALL {
            assert_eq!(
                Entry::parse(&Entry::rows(*table)),
                Some(Entry::Rows(*table))
            );
        }
        for kept in Kept::ALL {
            assert_eq!(Entry::parse(&Entry::list(kept)), Some(Entry::List(kept)));
            for media_type in ["image/jpeg", "video/webm", "application/pdf", "text/html"] {
                let name = Entry::file(kept, id, media_type);
                assert_eq!(Entry::parse(&name), Some(Entry::File(kept, id)), "{name}");
            }
        }
        assert_eq!(Entry::parse("csv/clients.csv"), Some(Entry::ForPeople));
        assert_eq!(Entry::parse(Entry::MANIFEST), Some(Entry::Manifest));
    }

    #[test]
    fn no_other_name_is_one() {
        for name in [
            "",
            "/",
            "walkies.json/",
            "../walkies.json",
            "rows/",
            "rows/client",
            "rows/user_account.jsonl",
            "rows/../../etc/passwd",
            "files/client.jsonl",
            "photos/../../x.jpg",
            "photos/00000000-0000-0000-0000-000000000007.exe",
            "photos/00000000000000000000000000000007.jpg",
            "photos/00000000-0000-0000-0000-00000000000A.jpg",
            "csv/a/b",
            "csv/..\\b",
            "C:\\walkies.json",
            "ROWS/client.jsonl",
        ] {
            assert_eq!(Entry::parse(name), None, "{name}");
        }
    }
}
