//! Owns what the commands about clients of a file do: all of them come as one change, and those go again as one that nobody
//! has worked with since.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::commands::client::{CreateClient, create};
use crate::commands::decision::{
    About, Adjustment, Context, Decision, Effect, Intent, Need, Shows, removal,
};
use crate::commands::limit;
use crate::rows::row::{RowKey, TableName};
use crate::rules::client::PetsNeeded;
use crate::rules::usage::Limited;
use crate::values::bounds::{self, IMPORT_JSON_BYTES, IMPORT_PETS, check_room};
use crate::values::json::read_by_field;
use crate::{Business, Id, Refusal};

/// Adds the clients of a file with their pets: all of them, or none. One without pets is a draft: nothing can be booked
/// for it until a pet is named.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ImportClients {
    /// The clients. They have 1,500 pets together at most.
    pub clients: Vec<CreateClient>,
}

read_by_field!(ImportClients { clients });

impl ImportClients {
    fn made(&self) -> impl Iterator<Item = RowKey> {
        let key = |table, id| RowKey { table, id };
        self.clients.iter().flat_map(move |it| {
            let dogs = it.dogs.iter().map(move |dog| key(TableName::Pet, dog.id));
            dogs.chain([key(TableName::Client, it.id)])
        })
    }

    fn n_dogs(&self) -> usize {
        self.clients.iter().map(|it| it.dogs.len()).sum()
    }
}

impl Intent for ImportClients {
    fn needs(&self, business: &Business, ctx: &Context) -> Vec<Need> {
        let (clients, dogs): (Vec<RowKey>, Vec<RowKey>) =
            self.made().partition(|it| it.table == TableName::Client);
        let mut needs = vec![
            Need::Count(TableName::Client),
            Need::Table(TableName::Offering),
        ];
        for (table, keys) in [(TableName::Client, clients), (TableName::Pet, dogs)] {
            let ids: Vec<Id> = keys.into_iter().map(|it| it.id).collect();
            needs.extend(in_parts(&ids).map(|it| Need::Rows(table, it)));
        }
        let dogs = self.clients.iter().flat_map(|it| &it.dogs);
        needs.extend(dogs.filter_map(|it| super::decision::photo(&it.changes, ctx)));
        for what in [Limited::Clients, Limited::Dogs] {
            needs.extend(limit::needs(business, what, ctx.today()));
        }
        needs
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        let made: BTreeSet<RowKey> = self.made().collect();
        if made.len() < self.clients.len() + self.n_dogs() {
            return Err(Refusal::Taken);
        }
        let (today, n_clients) = (ctx.today(), self.clients.len());
        limit::check(business, ctx, Limited::Clients, today, n_clients)?;
        limit::check(business, ctx, Limited::Dogs, today, self.n_dogs())?;
        let there_are = business.count(TableName::Client, business.clients.len());
        let last = (there_are + n_clients).saturating_sub(1);
        check_room("clients", last, bounds::CLIENTS)?;
        check_room("dogs", self.n_dogs().saturating_sub(1), IMPORT_PETS)?;
        let bytes = serde_json::to_string(self).map_or(0, |it| it.len());
        check_room("bytes", bytes, IMPORT_JSON_BYTES)?;
        let mut changes = Vec::new();
        for (client, place) in self.clients.iter().zip(0_usize..) {
            let made = create(
                client.id,
                &client.client,
                &client.dogs,
                PetsNeeded::None,
                business,
                ctx,
            );
            changes.extend(made.map_err(|it| of_client(place, it))?.changes);
        }
        Ok(changes.into())
    }

    fn about(&self) -> About {
        About {
            made: self.made().collect(),
            shows: Shows::Made(TableName::Client),
            ..About::of("Imported clients", Effect::Makes)
        }
    }
}

/// Why one client of some is turned down.
fn of_client(place: usize, refusal: Refusal) -> Refusal {
    match refusal {
        Refusal::Invalid { mut fields } => {
            for field in &mut fields {
                field.field = format!("clients.{place}.{}", field.field);
            }
            Refusal::Invalid { fields }
        }
        other => other,
    }
}

/// Takes off those clients of an import for which nothing has been booked, written or billed since, with their pets: as many
/// pets as an import brings. The others stay, and are told; those that are gone already are no matter.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UndoImport {
    /// The ids of the clients that came.
    pub clients: Vec<Id>,
}

read_by_field!(UndoImport { clients });

impl Intent for UndoImport {
    fn needs(&self, _: &Business, _: &Context) -> Vec<Need> {
        let parts = in_parts(&self.clients);
        parts
            .flat_map(|it| {
                [
                    Need::Rows(TableName::Client, it.clone()),
                    Need::PetsOfAny(it.clone()),
                    Need::InUse(it),
                ]
            })
            .collect()
    }

    fn decide(&self, business: &Business, _: &Context) -> Result<Decision, Refusal> {
        let used = in_use(business);
        let pets = business.pets_by_client();
        let (mut changes, mut kept, mut n_pets) = (Vec::new(), Vec::new(), 0);
        let clients: BTreeSet<Id> = self.clients.iter().copied().collect();
        for client in clients.into_iter().filter_map(|it| business.client(it)) {
            let pets = pets.of(client.id);
            let is_used = used.contains(&client.id) || client.client_user_id.is_some();
            // More pets than came with all of them have come since.
            if is_used || IMPORT_PETS < n_pets + pets.len() {
                kept.push(client.id);
                continue;
            }
            n_pets += pets.len();
            changes.extend(pets.iter().map(|it| removal(TableName::Pet, it.id)));
            changes.push(removal(TableName::Client, client.id));
        }
        let kept = (!kept.is_empty()).then_some(Adjustment::Kept { clients: kept });
        Ok(Decision {
            changes,
            adjustments: kept.into_iter().collect(),
            ..Decision::default()
        })
    }

    fn about(&self) -> About {
        let client = |id: &Id| RowKey {
            table: TableName::Client,
            id: *id,
        };
        About {
            builds_on: self.clients.iter().map(client).collect(),
            ..About::of("Imported clients", Effect::Removes)
        }
    }
}

/// The clients for whom something is booked, written or billed. A server has asked for those that matter, and what of them
/// was changed; a phone has all rows.
fn in_use(business: &Business) -> BTreeSet<Id> {
    let mut used = business.in_use.clone();
    used.extend(business.services.client_ids());
    used.extend(business.requests.values().map(|it| it.row.client_id));
    used.extend(business.reports.values().map(|it| it.row.client_id));
    used.extend(business.invoices.values().map(|it| it.row.client_id));
    used.extend(business.conversations.keys());
    used
}

/// So many ids are asked for at once.
const IDS_AT_ONCE: usize = 100;

fn in_parts(ids: &[Id]) -> impl Iterator<Item = Vec<Id>> {
    ids.chunks(IDS_AT_ONCE).map(<[Id]>::to_vec)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::{PetPatch, UpdateClient, decide};
    use crate::rows::client::Client;
    use crate::rows::pet::Pet;
    use crate::values::bounds::PETS;
    use crate::values::patch::Patch;
    use crate::values::zone::TimeZone;
    use crate::{Change, Command, Instant, Now, Row};

    const NOW: Instant = Instant(1_795_165_200_000);

    fn run(business: &Business, command: impl Into<Command>) -> Result<Decision, Refusal> {
        let now = Now {
            at: NOW,
            zone: TimeZone::UTC,
        };
        decide(&command.into(), business, &Context::at(now))
    }

    fn clients(n: u128, n_dogs: u128) -> Vec<CreateClient> {
        let dog = |id: u128| crate::commands::PetPatch {
            id: Id::of(id),
            is_new: true,
            changes: Patch::of("name", "Rex"),
        };
        let client = |at: u128| CreateClient {
            id: Id::of(1 + at),
            client: Patch::of("name", "Kim"),
            dogs: (0..n_dogs).map(|it| dog(100_000 + at * 100 + it)).collect(),
        };
        (0..n).map(client).collect()
    }

    #[test]
    fn an_import_brings_three_pets_for_each_of_the_most_clients_and_no_more() {
        let mut clients = clients(bounds::IMPORT_CLIENTS as u128, 3);
        let import = |clients: &[CreateClient]| {
            let clients = clients.to_vec();
            run(&Business::default(), ImportClients { clients })
        };
        let made = import(&clients).unwrap().changes;
        assert_eq!(made.len(), bounds::IMPORT_CLIENTS + IMPORT_PETS);
        let mut one_more = clients[0].dogs[0].clone();
        one_more.id = Id::of(99_999);
        clients[0].dogs.push(one_more);
        let refused = import(&clients).unwrap_err();
        assert_eq!(refused.to_string(), "Dogs cannot exceed 1,500");
    }

    #[test]
    fn a_client_of_an_import_whose_pets_are_to_be_named_is_corrected_without_naming_them() {
        let mut business = Business::default();
        let imported = ImportClients {
            clients: clients(1, 0),
        };
        for change in run(&business, imported).unwrap().changes {
            if let Change::Put(row) = change {
                business.put(1, row);
            }
        }
        let id = Id::of(1);
        assert!(business.pets_of(id).is_empty());
        let update = |field: &str, dogs: Vec<PetPatch>| UpdateClient {
            id,
            changes: Patch::of(field, "Kim Lee"),
            dogs,
            removed_dogs: Vec::new(),
        };
        assert!(run(&business, update("name", Vec::new())).is_ok());
        // A pet that is begun has a name.
        let breed = |changes| PetPatch {
            id: Id::of(50),
            is_new: true,
            changes,
        };
        let begun = vec![breed(Patch::of("breed", "Lab"))];
        let refused = run(&business, update("name", begun)).unwrap_err();
        assert_eq!(refused.to_string(), "At least one dog is required");
        let named = vec![breed(Patch::of("name", "Rex"))];
        assert_eq!(
            run(&business, update("address", named))
                .unwrap()
                .changes
                .len(),
            2
        );
        // Whoever adds a client by the form names a pet.
        let added = clients(2, 0).pop().unwrap();
        assert!(run(&Business::default(), added).is_err());
    }

    #[test]
    fn an_undone_import_takes_off_no_more_pets_than_one_brings() {
        let mut business = Business::default();
        let n_clients = 1 + IMPORT_PETS / PETS;
        let ids: Vec<Id> = (1..).take(n_clients).map(Id::of).collect();
        for (place, client_id) in (0..).zip(&ids) {
            business.put(1, Row::Client(Client::new(*client_id, NOW)));
            for dog in 0..PETS as u128 {
                let id = Id::of(100_000 + 100 * place + dog);
                business.put(1, Row::Pet(Pet::new(id, *client_id)));
            }
        }
        let undo = UndoImport {
            clients: ids.clone(),
        };
        let undone = run(&business, undo).unwrap();
        assert_eq!(undone.changes.len(), n_clients - 1 + IMPORT_PETS);
        let kept = vec![*ids.last().unwrap()];
        assert_eq!(undone.adjustments, [Adjustment::Kept { clients: kept }]);
    }
}
