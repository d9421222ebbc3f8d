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
use crate::rules::usage::Limited;
use crate::values::bounds::{self, IMPORT_JSON_BYTES, check_room};
use crate::values::json::read_by_field;
use crate::{Business, Id, Refusal};

/// Adds the clients of a file with their pets: all of them, or none.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ImportClients {
    /// The clients.
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
        let mut needs = vec![Need::Count(TableName::Client)];
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
        let bytes = serde_json::to_string(self).map_or(0, |it| it.len());
        check_room("bytes", bytes, IMPORT_JSON_BYTES)?;
        let mut changes = Vec::new();
        for (client, place) in self.clients.iter().zip(0_usize..) {
            let made = create(client.id, &client.client, &client.dogs, business, ctx);
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

/// Takes off those clients of an import for which nothing has been booked, written or billed since, with their pets. The
/// others stay, and are told; those that are gone already are no matter.
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
        let (mut changes, mut kept) = (Vec::new(), Vec::new());
        let clients: BTreeSet<Id> = self.clients.iter().copied().collect();
        for client in clients.into_iter().filter_map(|it| business.client(it)) {
            if used.contains(&client.id) || client.client_user_id.is_some() {
                kept.push(client.id);
                continue;
            }
            let pets = pets.of(client.id).iter();
            changes.extend(pets.map(|it| removal(TableName::Pet, it.id)));
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
