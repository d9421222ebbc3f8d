//! Owns what must hold of pet parents' phones beside what holds of all, and what is known of each parent.

use std::collections::BTreeSet;

use serde_json::value::RawValue;
use walkies_core::rules::client_view::{Shown, client_of, shown, shown_to};
use walkies_core::sync::Batch;
use walkies_core::sync::wire::WireRow;
use walkies_core::{Id, Row, TableName};
use walkies_server::db::ClientLink;

use crate::oracle::{Check, ensure};
use crate::phone::Disk;

pub const P1: &str = "P1 a parent's phone shows what is the client's to see";
pub const P2: &str = "P2 nothing of others";
pub const P3: &str = "P3 nothing that was saved goes without a word";
pub const P4: &str = "P4 who was let go has nothing and does nothing";
pub const P5: &str = "P5 who was linked anew sees that record alone";
pub const P6: &str = "P6 what one of a household does bears the own login";
pub const P7: &str = "P7 what a pet parent gives on getting in stands, beside the sitter's notes";
pub const P8: &str = "P8 what is sent of a visit comes to its client alone, until it is taken back";
pub const P9: &str =
    "P9 a live map is seen by its client alone, by the rule of core, and not after its end";

/// Words before what the sitter notes on getting in, and before what a pet parent gives; the id of the parent's record is
/// between those and the code.
pub const NOTED_CODE: &str = "Noted code ";
pub const GIVEN_CODE: &str = "Given code ";

/// A pet parent, and by what they take part in the business.
pub struct Seat {
    pub user_id: Id,
    /// A session beside those of the phones.
    pub token: String,
    /// How they are linked now.
    pub link: Option<ClientLink>,
    /// Name of this database as their phones are told it.
    pub backend_id: Option<Id>,
    /// Records that they were linked with before.
    pub former: BTreeSet<Id>,
}

impl Seat {
    /// Once everything was fetched, a phone has the database of the record that its person is linked with; or nothing.
    pub fn p4_has_what_it_may(&self, disk: &Disk) -> Check {
        let Some(link) = self.link else {
            ensure!(
                disk.base.is_empty() && disk.meta.backend_id.is_none(),
                P4,
                "a phone of somebody who was let go has {} rows",
                disk.base.len()
            );
            return Ok(());
        };
        ensure!(
            disk.meta.client_id == Some(link.client_id),
            P5,
            "a phone has the database of {:?}, and its person is {}",
            disk.meta.client_id,
            link.client_id
        );
        Ok(())
    }

    /// Checks that the rows that come onto the phone are of the record of its database, and that nothing is the
    /// sitter's alone.
    pub fn p2_nothing_of_others(&self, batch: &Batch) -> Check {
        let Some(own) = batch.meta.client_id else {
            return Ok(());
        };
        for it in &batch.put {
            let wire: WireRow = serde_json::from_str(&it.text).unwrap();
            let row = row_of(&wire);
            if let Some(other) = client_of(&row).filter(|it| *it != own) {
                let is_of_theirs = self.former.contains(&other)
                    || self.link.is_some_and(|it| it.client_id == other);
                let invariant = if is_of_theirs { P5 } else { P2 };
                ensure!(false, invariant, "{} of {other} came to {own}", it.key);
            }
            let says_too_much = match &row {
                Row::Service(service) => !service.internal_notes.is_empty(),
                Row::Client(client) => {
                    let mut others = client.other_texts.iter();
                    !client.access_notes.is_empty()
                        || !client.internal_notes.is_empty()
                        || others.any(|it| it.field != "house_instructions")
                }
                row => shown(row.key().table) == Shown::Nothing,
            };
            ensure!(!says_too_much, P2, "{} came to {own}: {}", it.key, it.text);
            let given_by_others = it.text.split(GIVEN_CODE).skip(1);
            let given_by_others = given_by_others.filter(|it| !it.starts_with(&own.to_string()));
            ensure!(
                !it.text.contains(NOTED_CODE) && given_by_others.count() == 0,
                P7,
                "how to get in came to {own}: {}",
                it.text
            );
        }
        Ok(())
    }
}

fn row_of(wire: &WireRow) -> Row {
    let table = TableName::parse(&wire.t).unwrap();
    table.read(wire.d.as_ref().unwrap().get()).unwrap()
}

/// A row of the sitter's feed as the client of that record is told it; nothing where it is not theirs to see.
pub fn seen_by(client_id: Id, text: &str) -> Option<String> {
    let wire: WireRow = serde_json::from_str(text).unwrap();
    let row = shown_to(client_id, &row_of(&wire))?;
    let d = RawValue::from_string(row.json().unwrap()).unwrap();
    let seen = WireRow { d: Some(d), ..wire };
    Some(serde_json::to_string(&seen).unwrap())
}
