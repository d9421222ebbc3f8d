//! Owns `Command`: every change to a business as one value. REST handlers build commands and outbox entries are commands.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::rows::report::{ClientReport, SharedWalk};
use crate::values::json::{Fields, read_by_field};
use crate::values::patch::Patch;
use crate::{Cents, Id};

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::row::{Change, Row, RowKey, TableName};

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
