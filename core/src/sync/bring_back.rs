//! Owns what brings a row back that somebody else deletes while a change to it waits.

use crate::commands::command::PetPatch;
use crate::rows::service::{Service, ServiceStatus};
use crate::values::patch::Patch;
use crate::{Business, Change, Command, Id, Row, RowKey, TableName};

/// The command that makes the row which `command` changes anew, as it is with `changes`; nothing for what changes none.
pub(super) fn bring_back(
    command: &Command,
    changes: &[Change],
    business: &Business,
) -> Option<Command> {
    let changed = |key: RowKey| {
        let rows = changes.iter().find_map(|it| match it {
            Change::Put(row) if row.key() == key => Some(row.clone()),
            _ => None,
        });
        rows.or_else(|| business.get(key).map(|it| it.row))
    };
    let row = |table, id: &Id| changed(RowKey { table, id: *id });
    Some(match command {
        Command::UpdateClient { id, .. } => {
            let Row::Client(client) = row(TableName::Client, id)? else {
                return None;
            };
            let known = business.pets_of(*id).into_iter().map(|it| it.id);
            let made = changes.iter().filter_map(|it| match it {
                Change::Put(Row::Pet(pet)) => Some(pet.id),
                _ => None,
            });
            let mut pets: Vec<Id> = known.collect();
            pets.extend(made.filter(|it| business.pet(*it).is_none()));
            pets.retain(|id| {
                let key = RowKey {
                    table: TableName::Pet,
                    id: *id,
                };
                !changes
                    .iter()
                    .any(|it| matches!(it, Change::Delete(gone) if *gone == key))
            });
            let dogs = pets.iter().filter_map(|id| match row(TableName::Pet, id)? {
                Row::Pet(pet) => Some(PetPatch {
                    id: *id,
                    is_new: true,
                    changes: Patch::from_row(&pet),
                }),
                _ => None,
            });
            Command::RestoreClient {
                id: *id,
                client: Patch::from_row(&client),
                dogs: dogs.collect(),
            }
        }
        Command::UpdateOffering { id, .. } => match row(TableName::Offering, id)? {
            Row::Offering(offering) => Command::CreateOffering {
                id: *id,
                offering: Patch::from_row(&offering),
            },
            _ => return None,
        },
        Command::UpdatePattern { id, .. } => match row(TableName::Pattern, id)? {
            Row::Pattern(pattern) => Command::CreatePattern {
                id: *id,
                pattern: Patch::from_row(&pattern),
            },
            _ => return None,
        },
        Command::UpdateService { id, .. }
        | Command::CompleteService { id, .. }
        | Command::SetServicePaid { id, .. } => match row(TableName::Service, id)? {
            Row::Service(service) => made_again(&service)?,
            _ => return None,
        },
        _ => return None,
    })
}

/// A cancelled service needs nobody's attention any more.
fn made_again(service: &Service) -> Option<Command> {
    let patch = Patch::from_row(service);
    match service.status {
        ServiceStatus::Scheduled => Some(Command::ScheduleService {
            id: service.id,
            service: patch,
            overlap_ok: false,
            quoted_price: Some(service.price),
        }),
        ServiceStatus::Completed => Some(Command::RecordService {
            id: service.id,
            service: patch,
        }),
        ServiceStatus::Cancelled => None,
    }
}
