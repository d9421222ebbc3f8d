//! Owns `Command`: every change to a business as one value, and the one function that decides it.
//! REST handlers build commands and outbox entries are commands; both sides decide with the same function.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::business::{Change, RowKey, TableName};
use crate::field::FieldErrors;
use crate::fields::{Fields, read_by_field};
use crate::patch::{Overwritten, Patch};
use crate::refusal::Refusal;
use crate::report::{self, ClientReport, SharedWalk};
use crate::{
    Business, Cents, Date, Id, Instant, Now, availability, bounds, client, offering, service,
    sitter,
};

/// Some fields of one pet, new or known, as part of a client's change.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PetPatch {
    /// Which pet.
    pub id: Id,
    /// The pet is to be made; a change to one that someone deleted must not bring it back half empty.
    #[serde(default)]
    pub is_new: bool,
    /// Its touched fields.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<Pet>"))]
    pub changes: Patch,
}

read_by_field!(PetPatch { id, changes } or default { is_new });

/// A place in the order of offerings.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OfferingPlace {
    /// Which offering.
    pub id: Id,
    /// Its place, 0-based.
    pub display_order: u32,
    /// The category that it was moved to; unchanged when absent.
    #[serde(default)]
    pub category: Option<String>,
}

read_by_field!(OfferingPlace { id, display_order } or default { category });

/// A change to a business, as a person means it.
///
/// Stored on phones. Only add variants and optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "name", content = "args", rename_all = "snake_case")]
pub enum Command {
    /// Changes the profile or the settings.
    UpdateProfile {
        /// The touched fields.
        #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<Sitter>"))]
        changes: Patch,
    },
    /// Adds a client with at least one pet.
    CreateClient {
        /// The new client's id.
        id: Id,
        /// Its fields; what is missing has the defaults for new clients.
        #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<Client>"))]
        client: Patch,
        /// Its pets.
        dogs: Vec<PetPatch>,
    },
    /// Changes a client and its pets.
    UpdateClient {
        /// Which.
        id: Id,
        /// The client's touched fields.
        #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<Client>"))]
        changes: Patch,
        /// Touched and new pets.
        #[serde(default)]
        dogs: Vec<PetPatch>,
        /// Pets to remove.
        #[serde(default)]
        removed_dogs: Vec<Id>,
    },
    /// Deletes a client with its pets; services of the past stay.
    DeleteClient {
        /// Which.
        id: Id,
    },
    /// Undoes a deletion: the client and its pets come back under their ids.
    RestoreClient {
        /// Which.
        id: Id,
        /// All its fields.
        #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<Client>"))]
        client: Patch,
        /// Its pets.
        dogs: Vec<PetPatch>,
    },
    /// Adds an offering, at the end of the order.
    CreateOffering {
        /// The new offering's id.
        id: Id,
        /// Its fields.
        #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<Offering>"))]
        offering: Patch,
    },
    /// Changes an offering, its active state among it.
    UpdateOffering {
        /// Which.
        id: Id,
        /// The touched fields.
        #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<Offering>"))]
        changes: Patch,
    },
    /// Deletes an offering, or deactivates it where services were booked with it (SPEC 4).
    DeleteOffering {
        /// Which.
        id: Id,
    },
    /// Puts the offerings in an order; those not named keep theirs after the named ones.
    ReorderOfferings {
        /// The places.
        orders: Vec<OfferingPlace>,
    },
    /// Schedules a service.
    ScheduleService {
        /// The new service's id.
        id: Id,
        /// Its fields.
        #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<Service>"))]
        service: Patch,
        /// The person saw what it overlaps and wants it all the same.
        #[serde(default)]
        overlap_ok: bool,
        /// The price that the person saw; another one is reported and not refused.
        #[serde(default)]
        quoted_price: Option<Cents>,
    },
    /// Changes a scheduled service.
    UpdateService {
        /// Which.
        id: Id,
        /// The touched fields.
        #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<Service>"))]
        changes: Patch,
        /// As for `ScheduleService`.
        #[serde(default)]
        overlap_ok: bool,
    },
    /// Marks a service done; a repeat changes nothing.
    CompleteService {
        /// Which.
        id: Id,
        /// The service notes, optional.
        #[serde(default)]
        notes: String,
        /// The person knows that it was cancelled and did it all the same.
        #[serde(default)]
        despite_cancel: bool,
    },
    /// Calls a service off; a repeat changes nothing.
    CancelService {
        /// Which.
        id: Id,
    },
    /// Undoes a completion or a cancellation of a moment ago; a repeat changes nothing.
    ReopenService {
        /// Which.
        id: Id,
    },
    /// Makes a record of a service that is already done (`POST /services`).
    RecordService {
        /// The new service's id.
        id: Id,
        /// Its fields, among them the price; without one it is computed.
        #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<Service>"))]
        service: Patch,
    },
    /// Removes a service record.
    DeleteService {
        /// Which.
        id: Id,
    },
    /// Says whether a service is paid.
    SetServicePaid {
        /// Which.
        id: Id,
        /// Whether.
        paid: bool,
    },
    /// Adds hours of a weekday.
    CreatePattern {
        /// The new pattern's id.
        id: Id,
        /// Its fields; what is missing has the defaults.
        #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<Pattern>"))]
        pattern: Patch,
    },
    /// Changes hours, their active state among it.
    UpdatePattern {
        /// Which.
        id: Id,
        /// The touched fields.
        #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<Pattern>"))]
        changes: Patch,
    },
    /// Deletes hours.
    DeletePattern {
        /// Which.
        id: Id,
    },
    /// Blocks a time.
    CreateBlockedTime {
        /// The new block's id.
        id: Id,
        /// Its fields; what is missing has the defaults.
        #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<BlockedTime>"))]
        blocked_time: Patch,
    },
    /// Frees a blocked time.
    DeleteBlockedTime {
        /// Which.
        id: Id,
    },
    /// Changes slot settings.
    UpdateAvailabilityConfig {
        /// The touched fields.
        #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<AvailabilityConfig>"))]
        changes: Patch,
    },
    /// Shares a walk's report with the clients whose dogs were along; again, it replaces what was shared.
    ShareWalk {
        /// Which walk.
        id: Id,
        /// What of it.
        walk: SharedWalk,
        /// With whom.
        reports: Vec<ClientReport>,
    },
    /// Takes a walk's reports back.
    UnshareWalk {
        /// Of which walk.
        id: Id,
    },
}

impl Command {
    /// The command of that name with these arguments; fails for one that this build does not know.
    pub fn read(name: &str, args: Map<String, Value>) -> serde_json::Result<Self> {
        let mut args = Fields(args);
        Ok(match name {
            "update_profile" => Self::UpdateProfile {
                changes: args.take("changes")?,
            },
            "create_client" => Self::CreateClient {
                id: args.take("id")?,
                client: args.take("client")?,
                dogs: args.take("dogs")?,
            },
            "update_client" => Self::UpdateClient {
                id: args.take("id")?,
                changes: args.take("changes")?,
                dogs: args.take_or_default("dogs")?,
                removed_dogs: args.take_or_default("removed_dogs")?,
            },
            "delete_client" => Self::DeleteClient {
                id: args.take("id")?,
            },
            "restore_client" => Self::RestoreClient {
                id: args.take("id")?,
                client: args.take("client")?,
                dogs: args.take("dogs")?,
            },
            "create_offering" => Self::CreateOffering {
                id: args.take("id")?,
                offering: args.take("offering")?,
            },
            "update_offering" => Self::UpdateOffering {
                id: args.take("id")?,
                changes: args.take("changes")?,
            },
            "delete_offering" => Self::DeleteOffering {
                id: args.take("id")?,
            },
            "reorder_offerings" => Self::ReorderOfferings {
                orders: args.take("orders")?,
            },
            "schedule_service" => Self::ScheduleService {
                id: args.take("id")?,
                service: args.take("service")?,
                overlap_ok: args.take_or_default("overlap_ok")?,
                quoted_price: args.take_or_default("quoted_price")?,
            },
            "update_service" => Self::UpdateService {
                id: args.take("id")?,
                changes: args.take("changes")?,
                overlap_ok: args.take_or_default("overlap_ok")?,
            },
            "complete_service" => Self::CompleteService {
                id: args.take("id")?,
                notes: args.take_or_default("notes")?,
                despite_cancel: args.take_or_default("despite_cancel")?,
            },
            "cancel_service" => Self::CancelService {
                id: args.take("id")?,
            },
            "reopen_service" => Self::ReopenService {
                id: args.take("id")?,
            },
            "record_service" => Self::RecordService {
                id: args.take("id")?,
                service: args.take("service")?,
            },
            "delete_service" => Self::DeleteService {
                id: args.take("id")?,
            },
            "set_service_paid" => Self::SetServicePaid {
                id: args.take("id")?,
                paid: args.take("paid")?,
            },
            "create_pattern" => Self::CreatePattern {
                id: args.take("id")?,
                pattern: args.take("pattern")?,
            },
            "update_pattern" => Self::UpdatePattern {
                id: args.take("id")?,
                changes: args.take("changes")?,
            },
            "delete_pattern" => Self::DeletePattern {
                id: args.take("id")?,
            },
            "create_blocked_time" => Self::CreateBlockedTime {
                id: args.take("id")?,
                blocked_time: args.take("blocked_time")?,
            },
            "delete_blocked_time" => Self::DeleteBlockedTime {
                id: args.take("id")?,
            },
            "update_availability_config" => Self::UpdateAvailabilityConfig {
                changes: args.take("changes")?,
            },
            "share_walk" => Self::ShareWalk {
                id: args.take("id")?,
                walk: args.take("walk")?,
                reports: args.take("reports")?,
            },
            "unshare_walk" => Self::UnshareWalk {
                id: args.take("id")?,
            },
            _ => return Err(Fields::unknown(name)),
        })
    }
}

impl<'de> Deserialize<'de> for Command {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut whole = Fields::deserialize(deserializer)?;
        let parts = whole
            .take::<String>("name")
            .and_then(|name| Ok((name, whole.take("args")?)));
        let command = parts.and_then(|(name, args)| Self::read(&name, args));
        command.map_err(D::Error::custom)
    }
}

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

/// A field that another device changed after the sender had last seen its row.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldChange {
    /// Which row.
    pub key: RowKey,
    /// The field's name in JSON.
    pub field: String,
    /// What it was set to.
    pub value: Value,
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

impl Command {
    /// What must be known, given what is known: ask again when it was loaded, until nothing new is named.
    pub fn needs(&self, business: &Business, ctx: &Context) -> Vec<Need> {
        let row = |table, id: &Id| Need::Row(RowKey { table, id: *id });
        let changed = |table, id: &Id| Need::FieldChanges(RowKey { table, id: *id });
        match self {
            Self::UpdateProfile { changes } => {
                let mut needs = vec![Need::Table(TableName::Sitter)];
                needs.extend(photo(changes));
                if let Some(sitter) = business.sitter() {
                    needs.push(changed(TableName::Sitter, &sitter.id));
                }
                needs
            }
            Self::CreateClient { id, dogs, .. } | Self::RestoreClient { id, dogs, .. } => {
                let mut needs = vec![
                    row(TableName::Client, id),
                    Need::PetsOf(*id),
                    Need::Count(TableName::Client),
                ];
                needs.extend(dogs.iter().map(|it| row(TableName::Pet, &it.id)));
                needs.extend(dogs.iter().filter_map(|it| photo(&it.changes)));
                needs
            }
            Self::UpdateClient {
                id,
                dogs,
                removed_dogs,
                ..
            } => {
                let mut needs = vec![
                    row(TableName::Client, id),
                    changed(TableName::Client, id),
                    Need::PetsOf(*id),
                ];
                for dog in dogs {
                    needs.push(row(TableName::Pet, &dog.id));
                    needs.push(changed(TableName::Pet, &dog.id));
                    needs.extend(photo(&dog.changes));
                }
                if !removed_dogs.is_empty() {
                    needs.push(Need::ServicesOfClientFrom(*id, ctx.today()));
                }
                needs.extend(removed_dogs.iter().map(|it| changed(TableName::Pet, it)));
                needs
            }
            Self::DeleteClient { id } => {
                let mut needs = vec![
                    row(TableName::Client, id),
                    changed(TableName::Client, id),
                    Need::PetsOf(*id),
                    Need::ServicesOfClientFrom(*id, ctx.today()),
                ];
                let pets = business.pets_of(*id).into_iter();
                needs.extend(pets.map(|it| changed(TableName::Pet, &it.id)));
                needs
            }
            Self::CreateOffering { .. } | Self::ReorderOfferings { .. } => {
                vec![Need::Table(TableName::Offering)]
            }
            Self::UpdateOffering { id, .. } => {
                vec![
                    row(TableName::Offering, id),
                    changed(TableName::Offering, id),
                ]
            }
            Self::DeleteOffering { id } => {
                vec![
                    row(TableName::Offering, id),
                    changed(TableName::Offering, id),
                    Need::ServiceWithOffering(*id),
                ]
            }
            Self::ScheduleService { id, service, .. } | Self::RecordService { id, service } => {
                let mut needs = vec![row(TableName::Service, id)];
                needs.extend(service::needs_of_patch(service));
                needs
            }
            Self::UpdateService { id, changes, .. } => {
                let mut needs = vec![row(TableName::Service, id), changed(TableName::Service, id)];
                needs.extend(service::needs_of_patch(changes));
                if let Some(service) = business.service(*id) {
                    needs.extend(service::needs_of_patch(&service::given(changes, service)));
                }
                needs
            }
            Self::CompleteService { id, .. }
            | Self::CancelService { id }
            | Self::SetServicePaid { id, .. } => vec![row(TableName::Service, id)],
            Self::ReopenService { id } => {
                let mut needs = vec![row(TableName::Service, id)];
                // What was cancelled may find its time taken.
                if let Some(service) = business.service(*id) {
                    needs.extend(service::needs_of_patch(&Patch::from_row(service)));
                }
                needs
            }
            Self::DeleteService { id } => {
                vec![row(TableName::Service, id), changed(TableName::Service, id)]
            }
            Self::CreatePattern { id, .. } => vec![
                row(TableName::Pattern, id),
                Need::Table(TableName::AvailabilityConfig),
                Need::Count(TableName::Pattern),
            ],
            Self::UpdatePattern { id, .. } | Self::DeletePattern { id } => {
                vec![row(TableName::Pattern, id), changed(TableName::Pattern, id)]
            }
            Self::CreateBlockedTime { id, .. } => vec![
                row(TableName::BlockedTime, id),
                Need::Count(TableName::BlockedTime),
            ],
            Self::DeleteBlockedTime { id } => vec![row(TableName::BlockedTime, id)],
            Self::UpdateAvailabilityConfig { .. } => {
                let mut needs = vec![Need::Table(TableName::AvailabilityConfig)];
                if let Some(config) = business.config() {
                    needs.push(changed(TableName::AvailabilityConfig, &config.id));
                }
                needs
            }
            Self::ShareWalk { id, walk, reports } => report::needs(*id, walk, reports),
            Self::UnshareWalk { id } => vec![Need::ReportsOf(*id)],
        }
    }
}

/// Decides a command on the rows of one business: what it does, or why it is turned down.
///
/// Pure: the same command, rows and context give the same answer on phone and server. The rows that
/// `Command::needs` names must be known, else the answer is as if they did not exist.
pub fn decide(command: &Command, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
    check_bounds(command)?;
    match command {
        Command::UpdateProfile { changes } => sitter::update(changes, business),
        Command::CreateClient { id, client, dogs } => {
            client::create(*id, client, dogs, business, ctx)
        }
        Command::UpdateClient {
            id,
            changes,
            dogs,
            removed_dogs,
        } => client::update(*id, changes, dogs, removed_dogs, business, ctx),
        Command::DeleteClient { id } => client::delete(*id, business, ctx),
        Command::RestoreClient { id, client, dogs } => {
            client::create(*id, client, dogs, business, ctx)
        }
        Command::CreateOffering { id, offering } => offering::create(*id, offering, business, ctx),
        Command::UpdateOffering { id, changes } => offering::update(*id, changes, business),
        Command::DeleteOffering { id } => offering::delete(*id, business),
        Command::ReorderOfferings { orders } => offering::reorder(orders, business),
        Command::ScheduleService {
            id,
            service,
            overlap_ok,
            quoted_price,
        } => service::schedule(*id, service, *overlap_ok, *quoted_price, business, ctx),
        Command::UpdateService {
            id,
            changes,
            overlap_ok,
        } => service::update(*id, changes, *overlap_ok, business, ctx),
        Command::CompleteService {
            id,
            notes,
            despite_cancel,
        } => service::complete(*id, notes, *despite_cancel, business, ctx),
        Command::CancelService { id } => service::cancel(*id, business, ctx),
        Command::ReopenService { id } => service::reopen(*id, business, ctx),
        Command::RecordService { id, service } => service::record(*id, service, business, ctx),
        Command::DeleteService { id } => service::delete(*id, business),
        Command::SetServicePaid { id, paid } => service::set_paid(*id, *paid, business),
        Command::CreatePattern { id, pattern } => {
            availability::create_pattern(*id, pattern, business)
        }
        Command::UpdatePattern { id, changes } => {
            availability::update_pattern(*id, changes, business)
        }
        Command::DeletePattern { id } => availability::delete_pattern(*id, business),
        Command::CreateBlockedTime { id, blocked_time } => {
            availability::create_blocked_time(*id, blocked_time, business)
        }
        Command::DeleteBlockedTime { id } => availability::delete_blocked_time(*id, business),
        Command::UpdateAvailabilityConfig { changes } => {
            availability::update_config(changes, business)
        }
        Command::ShareWalk { id, walk, reports } => {
            report::share(*id, walk, reports, business, ctx)
        }
        Command::UnshareWalk { id } => report::unshare(*id, business),
    }
}

/// What of a command is more than there may be.
fn check_bounds(command: &Command) -> Result<(), FieldErrors> {
    let errors = serde_json::to_string(command).and_then(|it| bounds::check(&it));
    errors.unwrap_or_default().or(())
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

fn photo(patch: &Patch) -> Option<Need> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Row;

    #[test]
    fn a_command_is_written_as_its_name_and_its_arguments() {
        let command = Command::SetServicePaid {
            id: Id::of(1),
            paid: true,
        };
        assert_eq!(
            serde_json::to_string(&command).unwrap(),
            r#"{"name":"set_service_paid","args":{"id":"00000000-0000-0000-0000-000000000001","paid":true}}"#
        );
    }

    #[test]
    fn a_row_knows_its_key() {
        let key = RowKey {
            table: TableName::Client,
            id: Id::of(7),
        };
        assert_eq!(Change::Delete(key).key(), key);
        assert!(matches!(
            TableName::parse("client"),
            Some(TableName::Client)
        ));
        let _: fn(Row) -> RowKey = |row| row.key();
    }
}
