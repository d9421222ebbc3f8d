//! Owns what a command's decision consists of and what it is made with: its context, needs, changes and adjustments.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::rows::row::{Change, RowKey, TableName};
use crate::rules::refusal::Refusal;
use crate::values::json::Fields;
use crate::values::patch::{Overwritten, Patch};
use crate::{Business, Cents, Date, Id, Instant, Now};

/// Who decides, when, and what the sender had seen.
#[derive(Clone, Debug)]
pub struct Context {
    /// The decider's clock, in the sitter's zone.
    pub now: Now,
    /// When the person acted, by the phone's clock but never later than `now`.
    ///
    /// Dates that must not be in the past are held against this day: a visit scheduled and done with no network
    /// is still accepted when the phone comes home the day after.
    pub made_at: Instant,
}

impl Context {
    /// The context of a person who acts right now.
    pub fn at(now: Now) -> Self {
        Self {
            made_at: now.at,
            now,
        }
    }

    /// When the person acted.
    pub fn acted_at(&self) -> Instant {
        self.made_at.min(self.now.at)
    }

    /// The date on which the person acted.
    pub fn today(&self) -> Date {
        self.acted_at().civil(&self.now.zone).0
    }
}

/// Something that a command did otherwise than its sender expected; shown to the person once.
///
/// Stored on phones. Only add variants and optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Adjustment {
    /// Someone else had changed a field since the sender last saw it; the sender's value stands.
    Overwritten(Overwritten),
    /// The price is not the one that the sender saw.
    Price {
        /// What the sender saw.
        quoted: Cents,
        /// What was charged.
        price: Cents,
    },
    /// The offering has bookings, so it was deactivated and not deleted.
    Deactivated,
}

impl<'de> Deserialize<'de> for Adjustment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Fields::deserialize(deserializer)?.tagged("code", |code, fields| {
            Ok(match code {
                "overwritten" => Self::Overwritten(Overwritten {
                    field: fields.take("field")?,
                    theirs: fields.take_or_default("theirs")?,
                    yours: fields.take_or_default("yours")?,
                }),
                "price" => Self::Price {
                    quoted: fields.take("quoted")?,
                    price: fields.take("price")?,
                },
                "deactivated" => Self::Deactivated,
                _ => return Err(Fields::unknown(code)),
            })
        })
    }
}

/// What a command does.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decision {
    /// The rows that it writes and removes; none where there was nothing left to do.
    pub changes: Vec<Change>,
    /// What it did otherwise than expected.
    pub adjustments: Vec<Adjustment>,
    /// Photos that nobody is to see any more.
    pub dropped_photos: Vec<Id>,
}

impl From<Vec<Change>> for Decision {
    fn from(changes: Vec<Change>) -> Self {
        Self {
            changes,
            ..Self::default()
        }
    }
}

impl From<Change> for Decision {
    fn from(change: Change) -> Self {
        vec![change].into()
    }
}

/// Rows that must be known before a command can be decided.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// One row, if it exists.
    Row(RowKey),
    /// All rows of a small table.
    Table(TableName),
    /// All pets of a client.
    PetsOf(Id),
    /// All services of these days, both included.
    ServicesBetween(Date, Date),
    /// All stays that have a day in common with these days, both included.
    StaysBetween(Date, Date),
    /// A client's services from a day on, and stays that have not ended then.
    ServicesOfClientFrom(Id, Date),
    /// One service that was booked with an offering, if there is any.
    ServiceWithOffering(Id),
    /// All reports of a walk.
    ReportsOf(Id),
    /// The fields of a row that other devices changed since the sender saw it.
    FieldChanges(RowKey),
    /// How many rows a table has; on phones all are known.
    Count(TableName),
    /// Whether a photo has arrived; one that has not goes to `Business::missing_photos`.
    Photo(Id),
}

/// What `patch` overwrites of what others changed since the sender saw the row `key`.
pub(crate) fn overwritten(business: &Business, key: RowKey, patch: &Patch) -> Vec<Adjustment> {
    let changes = business.field_changes.iter().filter(|it| it.key == key);
    changes
        .filter_map(|theirs| {
            let yours = patch.0.get(&theirs.field)?;
            (!is_same(yours, &theirs.value)).then(|| {
                Adjustment::Overwritten(Overwritten {
                    field: theirs.field.clone(),
                    theirs: theirs.value.clone(),
                    yours: yours.clone(),
                })
            })
        })
        .collect()
}

/// What the app sets by itself in rows that somebody else works on.
const NOBODYS_WORDS: &[&str] = &["display_order", "unread_count"];

/// Refuses to delete rows that another device changed after the sender had last seen them.
pub(crate) fn check_seen(business: &Business, rows: &[RowKey]) -> Result<(), Refusal> {
    let changes = business
        .field_changes
        .iter()
        .filter(|it| rows.contains(&it.key) && !NOBODYS_WORDS.contains(&it.field.as_str()));
    let changes: Vec<Overwritten> = changes
        .map(|it| Overwritten {
            field: it.field.clone(),
            theirs: it.value.clone(),
            yours: Value::Null,
        })
        .collect();
    if changes.is_empty() {
        Ok(())
    } else {
        Err(Refusal::ChangedMeanwhile { changes })
    }
}

/// Whether two values mean the same: 70 is 70.0.
fn is_same(one: &Value, other: &Value) -> bool {
    one == other || one.as_f64().is_some_and(|it| other.as_f64() == Some(it))
}

pub(crate) fn photo(patch: &Patch) -> Option<Need> {
    let id = patch.0.get("photo")?.as_str()?.parse().ok()?;
    Some(Need::Photo(id))
}

/// The refusal for a patch that names a photo which has not arrived.
pub(crate) fn check_photo(business: &Business, patch: &Patch) -> Result<(), Refusal> {
    match photo(patch) {
        Some(Need::Photo(photo)) if business.missing_photos.contains(&photo) => {
            Err(Refusal::PhotoMissing { photo })
        }
        _ => Ok(()),
    }
}

/// Removes a row, unless another device changed it after the sender had last seen it.
pub(crate) fn delete_row(
    table: TableName,
    id: Id,
    business: &Business,
) -> Result<Decision, Refusal> {
    check_seen(business, &[RowKey { table, id }])?;
    Ok(removal(table, id).into())
}

/// A deletion, for the rules' use.
pub(crate) fn removal(table: TableName, id: Id) -> Change {
    Change::Delete(RowKey { table, id })
}
