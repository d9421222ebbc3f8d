//! Owns what brings a row back that somebody else deletes while a change to it waits.

use crate::commands::decision::Effect;
use crate::commands::{
    CreateExpense, CreateOffering, CreatePattern, PetPatch, RecordService, RestoreClient,
    ScheduleService,
};
use crate::rows::pet::Pet;
use crate::rows::service::{Service, ServiceStatus};
use crate::values::patch::Patch;
use crate::{Business, Change, Command, Id, Row, RowKey};

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
    let about = command.about();
    let key = about.row.filter(|_| about.effect == Effect::Changes)?;
    match changed(key)? {
        Row::Client(client) => Some(
            RestoreClient {
                id: client.id,
                client: Patch::from_row(&client),
                dogs: pets_after(client.id, changes, business),
            }
            .into(),
        ),
        Row::Offering(offering) => Some(
            CreateOffering {
                id: offering.id,
                offering: Patch::from_row(&offering),
            }
            .into(),
        ),
        Row::Pattern(pattern) => Some(
            CreatePattern {
                id: pattern.id,
                pattern: Patch::from_row(&pattern),
            }
            .into(),
        ),
        Row::Expense(expense) => Some(
            CreateExpense {
                id: expense.id,
                expense: Patch::from_row(&expense),
            }
            .into(),
        ),
        Row::Service(service) => made_again(&service),
        // Nobody deletes the only row of a business; the others are changed by no words.
        Row::Sitter(_)
        | Row::Pet(_)
        | Row::BlockedTime(_)
        | Row::Series(_)
        | Row::AvailabilityConfig(_)
        | Row::WalkRequest(_)
        | Row::Report(_)
        | Row::Conversation(_)
        | Row::Message(_)
        | Row::Invoice(_) => None,
    }
}

/// A client's pets as they are after the changes.
fn pets_after(client_id: Id, changes: &[Change], business: &Business) -> Vec<PetPatch> {
    let mut pets: Vec<&Pet> = business.pets_of(client_id);
    for change in changes {
        match change {
            Change::Put(Row::Pet(pet)) => match pets.iter_mut().find(|it| it.id == pet.id) {
                Some(known) => *known = pet,
                None => pets.push(pet),
            },
            Change::Delete(key) => pets.retain(|it| it.id != key.id),
            Change::Put(_) => {}
        }
    }
    let patches = pets.iter().map(|pet| PetPatch {
        id: pet.id,
        is_new: true,
        changes: Patch::from_row(*pet),
    });
    patches.collect()
}

/// A cancelled service needs nobody's attention any more.
fn made_again(service: &Service) -> Option<Command> {
    let patch = Patch::from_row(service);
    match service.status {
        ServiceStatus::Scheduled => Some(Command::ScheduleService(ScheduleService {
            id: service.id,
            service: patch,
            overlap_ok: false,
            quoted_price: Some(service.price),
            brings_back: true,
        })),
        ServiceStatus::Completed => Some(Command::RecordService(RecordService {
            id: service.id,
            service: patch,
            brings_back: true,
        })),
        ServiceStatus::Cancelled => None,
    }
}
