//! Owns what a command's decision consists of and what it is made with: its context, needs, changes and adjustments.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::rows::left_alone::LeftAlone;
use crate::rows::message::Side;
use crate::rows::overwritten::Overwritten;
use crate::rows::row::{Change, RowKey, TableName};
use crate::rows::series::SeriesDate;
use crate::rules::refusal::Refusal;
use crate::values::instant::MS_PER_DAY;
use crate::values::json::{Fields, read_by_field, read_by_name};
use crate::values::patch::Patch;
use crate::{Business, Cents, Date, Id, Instant, Now, Time};

/// How far a phone's clock may be behind the decider's before it is not believed: three years. A phone whose battery was
/// empty begins decades ago, and nothing waits on a phone for years.
const CLOCK_LAG_DAYS: i64 = 3 * 365;

/// The person who sends a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Actor {
    /// The business's own sitter.
    #[default]
    Sitter,
    /// A pet parent, by the client record that the login is linked to.
    Client(Id),
}

impl Actor {
    /// On which side of a conversation they are.
    pub const fn side(self) -> Side {
        match self {
            Self::Sitter => Side::Sitter,
            Self::Client(_) => Side::Client,
        }
    }
}

/// Circumstances of a decision: the sender, the time, and what the sender had seen.
#[derive(Clone, Debug)]
pub struct Context {
    /// The person who sent the command.
    pub actor: Actor,
    /// The decider's clock, in the sitter's zone.
    pub now: Now,
    /// When the person acted, by the phone's clock; `acted_at` says when that cannot be right.
    ///
    /// Dates that must not be in the past are held against this day: a visit scheduled and done with no network
    /// is still accepted when the phone comes home the day after.
    pub made_at: Instant,
    /// True if the command is saved already and is only re-applied for display: changes that conflict with it since do
    /// not take it off the screen. The server decides whether it holds.
    pub is_shown: bool,
}

impl Context {
    /// The context of a sitter who acts right now.
    pub fn at(now: Now) -> Self {
        Self {
            actor: Actor::Sitter,
            made_at: now.at,
            now,
            is_shown: false,
        }
    }

    /// The client record of a pet parent; what only they may do is nobody else's.
    pub(crate) const fn client_id(&self) -> Result<Id, Refusal> {
        match self.actor {
            Actor::Client(client_id) => Ok(client_id),
            Actor::Sitter => Err(Refusal::NotAllowed),
        }
    }

    /// The moment when the person acted: the phone's clock, or the decider's where the phone's cannot be right, because
    /// it is later than the decider's or more than `CLOCK_LAG_DAYS` before it.
    pub fn acted_at(&self) -> Instant {
        let earliest = self.now.at.0.saturating_sub(CLOCK_LAG_DAYS * MS_PER_DAY);
        if (earliest..=self.now.at.0).contains(&self.made_at.0) {
            self.made_at
        } else {
            self.now.at
        }
    }

    /// The date on which the person acted.
    pub fn today(&self) -> Date {
        self.acted_at().civil(&self.now.zone).0
    }

    /// Returns true for a day that was over when the person acted. No day is for a command that is shown: the business's
    /// zone may be another one than when it was saved, or was not known yet.
    pub(crate) fn is_past(&self, date: Date) -> bool {
        !self.is_shown && date < self.today()
    }
}

/// Effect of a command that its sender did not expect; shown to the person once.
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
        /// Price that the sender saw.
        quoted: Cents,
        /// Price that is charged.
        price: Cents,
    },
    /// The offering has bookings or requests, so it was deactivated and not deleted.
    Deactivated,
    /// Clients of an import stay: something was booked, written or billed for them since.
    Kept {
        /// Ids of the clients that stay.
        clients: Vec<Id>,
    },
    /// The time of some of a series' visits is taken: they wait for a decision.
    DatesTaken {
        /// Id of the series.
        series_id: Id,
        /// The visits that wait.
        dates: Vec<SeriesDate>,
        /// Count of them and of those that took place as asked.
        of: u32,
    },
    /// Visits in a time off stay other than asked, or stand in it unseen; messages about it were not sent.
    TimeOff {
        /// The visits, by their day and time.
        visits: Vec<LeftVisit>,
        /// Ids of the clients whose message was not sent.
        unsent: Vec<Id>,
    },
    /// Some of several services stayed as they are.
    LeftAlone {
        /// The services that stayed.
        services: Vec<LeftAlone>,
        /// Count of all that were asked for.
        of: u32,
    },
    /// Visits of a delay stay as they are: nobody was told of them, and none was moved.
    DelayLeft {
        /// Ids of visits that were changed, or have begun or ended, meanwhile.
        changed: Vec<Id>,
        /// Ids of visits whose new start came before the server knew of it.
        late: Vec<Id>,
    },
    /// The price of some visits stays as it is: they were changed, done or billed since the sender saw them.
    PricesLeft {
        /// Ids of the services whose price stays.
        services: Vec<Id>,
        /// Count of them and of those that have another price now.
        of: u32,
    },
}

/// Why a visit in a time off is not as its sender expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum LeftWhy {
    /// It is completed, under way, invoiced or paid by now, and stays.
    Fixed,
    /// It is outside the time, deleted, cancelled or another client's by now, and stays so.
    Changed,
    /// It was at another time, and the decision was carried out all the same.
    OtherTime,
    /// Its new time is taken, and it stays.
    Taken,
    /// The plan or the new day has no room for it, and it stays.
    NoRoom,
    /// Its sender had not seen it, and it stays.
    Unseen,
}

read_by_name!(LeftWhy {
    Fixed,
    Changed,
    OtherTime,
    Taken,
    NoRoom,
    Unseen
});

/// A visit in a time off that is not as its sender expected.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LeftVisit {
    /// Id of the service.
    pub id: Id,
    /// Id of its client.
    pub client_id: Id,
    /// Its day, as it is now where it is known.
    pub date: Date,
    /// Its start as the person saw it.
    pub start_time: Time,
    /// Why it is not as expected.
    pub why: LeftWhy,
}

read_by_field!(LeftVisit {
    id,
    client_id,
    date,
    start_time,
    why
});

impl<'de> Deserialize<'de> for Adjustment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Fields::deserialize(deserializer)?.tagged("code", |code, fields| {
            Ok(match code {
                "overwritten" => Self::Overwritten(Overwritten {
                    field: fields.take("field")?,
                    theirs: fields.take_or_default("theirs")?,
                    yours: fields.take_or_default("yours")?,
                    kept: fields.take_or_default("kept")?,
                    by: fields.take_or_default("by")?,
                }),
                "price" => Self::Price {
                    quoted: fields.take("quoted")?,
                    price: fields.take("price")?,
                },
                "deactivated" => Self::Deactivated,
                "kept" => Self::Kept {
                    clients: fields.take("clients")?,
                },
                "dates_taken" => Self::DatesTaken {
                    series_id: fields.take("series_id")?,
                    dates: fields.take("dates")?,
                    of: fields.take("of")?,
                },
                "time_off" => Self::TimeOff {
                    visits: fields.take("visits")?,
                    unsent: fields.take("unsent")?,
                },
                "left_alone" => Self::LeftAlone {
                    services: fields.take("services")?,
                    of: fields.take("of")?,
                },
                "delay_left" => Self::DelayLeft {
                    changed: fields.take_or_default("changed")?,
                    late: fields.take_or_default("late")?,
                },
                "prices_left" => Self::PricesLeft {
                    services: fields.take("services")?,
                    of: fields.take("of")?,
                },
                _ => return Err(Fields::unknown(code)),
            })
        })
    }
}

/// Effects of a command that was accepted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decision {
    /// The rows that it writes and removes; none where there was nothing left to do.
    pub changes: Vec<Change>,
    /// Effects that differ from what the sender expected.
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
    /// Those of some rows that exist.
    Rows(TableName, Vec<Id>),
    /// All rows of a small table.
    Table(TableName),
    /// All pets of a client.
    PetsOf(Id),
    /// All pets of some clients.
    PetsOfAny(Vec<Id>),
    /// For which of some clients something is booked, written or billed, or was changed; they go to `Business::in_use`.
    InUse(Vec<Id>),
    /// All services of these days, both included.
    ServicesBetween(Date, Date),
    /// All stays that have a day in common with these days, both included.
    StaysBetween(Date, Date),
    /// All mileage and expense entries of a day.
    ExpensesOn(Date),
    /// The visits of a series whose days by its rule are this one or later.
    VisitsOfSeries(Id, Date),
    /// A client's services from a day on, and stays that have not ended then.
    ServicesOfClientFrom(Id, Date),
    /// The requests of a client that wait for an answer, from a day on.
    PendingRequestsOf(Id, Date),
    /// How many requests of a client are kept; on phones all are known.
    RequestCountOf(Id),
    /// The request of a client that is for the earliest day.
    EarliestRequestOf(Id),
    /// For each client and each status, the requests for the latest day.
    LatestRequests,
    /// For one client and each status, the requests for the latest day.
    LatestRequestsOf(Id),
    /// One service that was booked with an offering, if there is any.
    ServiceWithOffering(Id),
    /// One request that names an offering, if there is any.
    RequestWithOffering(Id),
    /// All reports of a walk.
    ReportsOf(Id),
    /// The fields of a row that other devices changed since the sender saw it.
    FieldChanges(RowKey),
    /// How many rows a table has; on phones all are known.
    Count(TableName),
    /// Checks that a photo has arrived; the id of one that has not goes to `Business::missing_photos`.
    Photo(Id),
    /// Checks the same for a photo that this client may see: nobody names a photo to see it.
    PhotoSeenBy(Id, Id),
    /// Checks that all of a video has arrived; the id of one that has not goes to `Business::missing_videos`.
    Video(Id),
    /// How many services of these days, both included, are not cancelled.
    ServiceCountIn(Date, Date),
    /// Checks that a row existed and was deleted since then; the key of one that was not goes to
    /// `Business::never_there`.
    WasThereSince(RowKey, Instant),
}

/// Behavior of one kind of command; `Command` dispatches to it and knows no kind by name.
///
/// `needs` and `decide` are left out of its trait objects, so that each is in a program only where it is called: a phone
/// has all rows and needs none, and it downloads decisions after the first screen.
pub(crate) trait Intent {
    /// Lists the rows that must be loaded before the command can be decided, given the rows that are loaded already.
    fn needs(&self, business: &Business, ctx: &Context) -> Vec<Need>
    where
        Self: Sized;

    /// Computes the effects of the command, or the reason for which it is refused.
    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal>
    where
        Self: Sized;

    /// Describes the command: its row, its effect, and the answer to a call.
    fn about(&self) -> About;

    /// Returns true if such an actor may send the command; by default only the sitter.
    fn may(&self, actor: Actor) -> bool {
        actor == Actor::Sitter
    }

    /// The words in it with their labels, where not all of its arguments were entered by a person.
    fn words(&self) -> Option<Vec<(&str, &str)>> {
        None
    }
}

/// Description of a command, from which notifications, the lookup of its row and the answer to its call are made.
#[derive(Clone, Debug)]
pub struct About {
    /// Noun for its row where no name is known: `Client`.
    pub noun: &'static str,
    /// Effect of the command on its row.
    pub effect: Effect,
    /// Its row; none where it is about many, or about the only one of a table.
    pub row: Option<RowKey>,
    /// Rows that it makes, its own among them.
    pub made: Vec<RowKey>,
    /// Rows that it builds on, and others may have made.
    pub builds_on: Vec<RowKey>,
    /// Name that the command gives the row that it makes; a row that is known is called by its own name.
    pub called: Option<String>,
    /// Content of the answer to a call that makes the command.
    pub shows: Shows,
}

/// Effect of a command on its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Creates the row.
    Makes,
    /// Changes it by words of a person: it is worth being made anew, if somebody has deleted it.
    Changes,
    /// Says of it that something has happened or not, which means nothing once it is gone.
    Marks,
    /// Removes the row.
    Removes,
}

/// Content of the answer to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shows {
    /// The row that it is about.
    Row(RowKey),
    /// The only row of a table.
    Only(TableName),
    /// All offerings, in their order.
    Offerings,
    /// The reports of a walk.
    ReportsOf(Id),
    /// The ids of the rows of a table that were made or changed.
    Made(TableName),
    /// Only the id.
    Id(Id),
}

impl About {
    /// About no row by its id; says no more than `Id::default()` until `shows` is set.
    pub(crate) const fn of(noun: &'static str, effect: Effect) -> Self {
        Self {
            noun,
            effect,
            row: None,
            made: Vec::new(),
            builds_on: Vec::new(),
            called: None,
            shows: Shows::Id(Id::FIRST),
        }
    }

    /// About a row, on which it builds unless it makes it.
    pub(crate) fn row(noun: &'static str, effect: Effect, table: TableName, id: Id) -> Self {
        let key = RowKey { table, id };
        let (made, builds_on) = match effect {
            Effect::Makes => (vec![key], Vec::new()),
            _ => (Vec::new(), vec![key]),
        };
        let shows = match effect {
            Effect::Removes => Shows::Id(id),
            _ => Shows::Row(key),
        };
        Self {
            row: Some(key),
            made,
            builds_on,
            shows,
            ..Self::of(noun, effect)
        }
    }
}

/// The need for one row.
pub(crate) const fn row(table: TableName, id: Id) -> Need {
    Need::Row(RowKey { table, id })
}

/// The need for what others changed of a row.
pub(crate) const fn changed(table: TableName, id: Id) -> Need {
    Need::FieldChanges(RowKey { table, id })
}

/// The name that a patch gives.
pub(crate) fn name_in(patch: &Patch) -> Option<String> {
    let name = patch.0.get("name").and_then(Value::as_str);
    name.map(str::to_owned)
}

/// Returns an adjustment for each field that others changed since the sender saw the row `key`, and that `patch` sets
/// to another value.
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
                    kept: false,
                    by: None,
                })
            })
        })
        .collect()
}

/// Fields that the app sets by itself in rows that people edit; a change of them does not keep a row from being
/// deleted.
const NOBODYS_WORDS: &[&str] = &[
    "display_order",
    "due_on",
    "live",
    "made_until",
    "other_texts",
    "parent_changes",
    "parent_left_at",
    "to_pass_on",
    "unread_count",
    "waiting",
];

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
            kept: false,
            by: None,
        })
        .collect();
    if changes.is_empty() {
        Ok(())
    } else {
        Err(Refusal::ChangedMeanwhile { changes })
    }
}

/// Returns true if two values mean the same: 70 is 70.0.
fn is_same(one: &Value, other: &Value) -> bool {
    one == other || one.as_f64().is_some_and(|it| other.as_f64() == Some(it))
}

/// The need for a photo that this person may name.
pub(crate) const fn photo_for(actor: Actor, photo: Id) -> Need {
    match actor {
        Actor::Sitter => Need::Photo(photo),
        Actor::Client(client_id) => Need::PhotoSeenBy(photo, client_id),
    }
}

/// The same for the one that a patch names.
pub(crate) fn photo(patch: &Patch, ctx: &Context) -> Option<Need> {
    photo_in(patch).map(|it| photo_for(ctx.actor, it))
}

fn photo_in(patch: &Patch) -> Option<Id> {
    patch.0.get("photo")?.as_str()?.parse().ok()
}

/// The refusal for a patch that names a photo which has not arrived.
pub(crate) fn check_photo(business: &Business, patch: &Patch) -> Result<(), Refusal> {
    match photo_in(patch) {
        Some(photo) if business.missing_photos.contains(&photo) => {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::zone::TimeZone;

    #[test]
    fn a_phones_clock_is_believed_unless_it_is_ahead_or_more_than_three_years_behind() {
        let now = Instant(1_900_000_000_000);
        let acted_at = |made_at: i64| {
            let ctx = Context {
                made_at: Instant(made_at),
                ..Context::at(Now {
                    at: now,
                    zone: TimeZone::UTC,
                })
            };
            ctx.acted_at()
        };
        let furthest = now.0 - 1_095 * MS_PER_DAY;
        for believed in [now.0, now.0 - 1, now.0 - 700 * MS_PER_DAY, furthest] {
            assert_eq!(acted_at(believed), Instant(believed));
        }
        for wrong in [now.0 + 1, furthest - 1, 0, i64::MIN, i64::MAX] {
            assert_eq!(acted_at(wrong), now);
        }
    }
}
