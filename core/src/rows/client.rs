//! Owns the row of a customer (SPEC 3).

use serde::Serialize;

use crate::rows::fields::row;
use crate::rows::message::Side;
use crate::rows::other_text::OtherText;
use crate::values::field::{Field, plain};
use crate::values::json::{read_by_field, read_by_name};
use crate::{Cents, Date, Id, Instant};

/// How more dogs than one are charged (SPEC 9, Pricing).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum MultipleDogMethod {
    /// A percentage of the base for each extra dog.
    #[default]
    Percentage,
    /// A flat rate for each extra dog.
    Flat,
    /// Extra dogs are free.
    None,
}

read_by_name!(MultipleDogMethod {
    Percentage,
    Flat,
    None
});

/// Relationship of a client to the sitter (SPEC 3, Messageable client).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum RelationshipType {
    /// In the client list, and nothing more.
    #[default]
    ExistingClient,
    /// Has asked for a walk.
    PendingRequest,
    /// Had a request approved.
    ApprovedRequest,
    /// Has made a request that was declined, or whose day is over.
    PastRequest,
    /// Has a service scheduled.
    ScheduledService,
}

read_by_name!(RelationshipType {
    ExistingClient,
    PendingRequest,
    ApprovedRequest,
    PastRequest,
    ScheduledService
});

/// Way in which photos and events of a visit under way get to a client before the report.
///
/// Stored by name on phones and in databases. Only add variants; never rename.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum LiveSharing {
    /// The sitter decides on each; the default.
    #[default]
    Ask,
    /// Nothing is sent.
    Off,
    /// They are sent as they are noted.
    On,
}

read_by_name!(LiveSharing { Ask, Off, On });

impl LiveSharing {
    /// Returns true for the default, which is left out where it is stored.
    pub fn is_ask(&self) -> bool {
        *self == Self::Ask
    }
}

/// Something of home and pets that a pet parent has set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ParentChange {
    /// Name of the changed field, as a person reads it: `Vet`, `Rex: Breed`.
    pub what: String,
    /// When, by the parent's phone.
    pub at: Instant,
    /// Login of the parent who changed it; absent for changes that older servers took.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub by: Option<Id>,
}

read_by_field!(ParentChange { what, at } or default { by });

/// A pet parent with a login for a client's record. Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Parent {
    /// Id of the account.
    pub user_id: Id,
    /// Name of the account when the invitation was redeemed.
    pub name: String,
    /// Email of the account; empty for other pet parents.
    #[serde(default)]
    pub email: String,
    /// When the invitation was redeemed; absent where that was before it was written down.
    #[serde(default)]
    pub linked_at: Option<Instant>,
}

read_by_field!(Parent { user_id, name } or default { email, linked_at });

row! {
    /// A sitter's customer (SPEC 3). Stored on phones. Only add optional fields; never rename.
    Client {
        /// Made by whoever makes the client.
        id: Id = id, required;
        /// Full name; never empty.
        name: String = String::new() => plain, required;
        /// Address where the pets are picked up; may be empty.
        address: String = String::new() => plain;
        /// Postal address on invoices, with line feeds; may be empty.
        billing_address: String = String::new() => plain;
        /// May be empty.
        phone: String = String::new() => plain;
        /// May be empty; without it and without a client user the client cannot be messaged.
        email: String = String::new() => plain;
        /// Key, alarm, gate: how to get in. Never leaves the sitter's own devices.
        access_notes: String = String::new() => plain;
        /// The sitter's notes to themselves. Never leaves the sitter's own devices; may be empty.
        internal_notes: String = String::new() => plain;
        /// Person to call when the client does not answer; may be empty.
        emergency_contact: String = String::new() => plain;
        /// Name and number of the vet; may be empty.
        vet: String = String::new() => plain;
        /// Food, rooms, habits: what is to be known in the house; may be empty.
        house_instructions: String = String::new() => plain;
        /// Base price of a walk of more than 60 minutes.
        pricing_walk: Cents = Cents(30_00) => money, required;
        /// Price of a drop-in.
        pricing_dropin: Cents = Cents(30_00) => money, required;
        /// Price of a walk of up to 30 minutes.
        walk_rate_30min: Cents = RATE_30MIN => money, required;
        /// Price of a walk of up to 45 minutes.
        walk_rate_45min: Cents = RATE_45MIN => money, required;
        /// Price of a walk of up to 60 minutes.
        walk_rate_60min: Cents = RATE_60MIN => money, required;
        /// How more dogs than one are charged.
        multiple_dog_method: MultipleDogMethod = MultipleDogMethod::Percentage => plain, required;
        /// Whole percent of the base per extra dog, 0 to 100.
        additional_dog_percentage: u32 = 50 => plain, required;
        /// Flat charge per extra dog on a walk.
        additional_dog_walk_rate: Cents = Cents::ZERO => money, required;
        /// Flat charge per extra dog on a drop-in.
        additional_dog_dropin_rate: Cents = Cents::ZERO => money, required;
        /// The login of the pet parent, once linked; of several the one that is linked for longest.
        client_user_id: Option<Id> = None;
        /// Relationship to the sitter.
        relationship_type: RelationshipType = RelationshipType::ExistingClient;
        /// Recent changes by the pet parent, the newest last; each field once. For the sitter alone.
        parent_changes: Vec<ParentChange> = Vec::new();
        /// Messages of this client that the sitter has not read.
        unread_count: u32 = 0;
        /// Home, WGS 84 degrees, where known.
        lat: Option<f64> = None => plain;
        /// Home, WGS 84 degrees, where known.
        lng: Option<f64> = None => plain;
        /// The day from which on the client is inactive: in no list to pick from, and in no nightly job. For the sitter
        /// alone.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_arch = "wasm32", tsify(optional))]
        inactive_since: Option<Date> = None;
        /// When the last pet parent left or deleted the account; none once somebody is linked again. For the sitter alone.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_arch = "wasm32", tsify(optional))]
        parent_left_at: Option<Instant> = None;
        /// When the server, or the phone until then, made the row.
        created_at: Instant = at, required;
        /// Undecided versions of its long texts. A pet parent sees only those of fields in `EDITABLE_BY_CLIENT`.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(target_arch = "wasm32", tsify(optional))]
        other_texts: Vec<OtherText> = Vec::new();
        /// Pet parents of the household who have a login, in the order in which they came. Empty for a login from before it
        /// was written down, which `client_user_id` alone names.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(target_arch = "wasm32", tsify(optional))]
        parents: Vec<Parent> = Vec::new();
        /// Way in which photos and events of a visit under way get to the client. For the sitter alone.
        #[serde(skip_serializing_if = "LiveSharing::is_ask")]
        #[cfg_attr(target_arch = "wasm32", tsify(optional))]
        sends_live: LiveSharing = LiveSharing::Ask => plain;
        /// True if the client books open times without asking. For an inactive client it means nothing.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(target_arch = "wasm32", tsify(optional))]
        books_at_once: bool = false => plain;
        /// Key, code, alarm, as a pet parent gave it last; empty where none did. The sitter's own `access_notes` are another
        /// text, which this one never replaces.
        #[serde(skip_serializing_if = "String::is_empty")]
        #[cfg_attr(target_arch = "wasm32", tsify(optional))]
        how_to_get_in: String = String::new();
    }
    /// A client with the defaults for new ones (SPEC 9, Pricing) and no name yet.
    new(id: Id, at: Instant)
}

impl Client {
    /// The fields that a pet parent sets, too.
    pub const EDITABLE_BY_CLIENT: &[Field] = &[
        plain("address"),
        plain("phone"),
        plain("emergency_contact"),
        plain("vet"),
        plain("house_instructions"),
        plain(HOW_TO_GET_IN),
    ];

    /// Ids of the accounts of all its pet parents, the first one first.
    pub fn logins(&self) -> impl Iterator<Item = Id> + '_ {
        let others = self.parents.iter().map(|it| it.user_id);
        let others = others.filter(|it| Some(*it) != self.client_user_id);
        self.client_user_id.into_iter().chain(others)
    }

    /// Returns true if this account is one of its pet parents.
    pub fn has_login(&self, user_id: Id) -> bool {
        self.logins().any(|it| it == user_id)
    }

    /// Links an account. `first` describes the one that is linked already, where the row does not.
    ///
    /// INVARIANT: The first login of a household is the one that its row names alone.
    pub fn add_login(&mut self, parent: Parent, first: Option<Parent>) {
        if self.parents.is_empty() {
            self.parents.extend(first);
        }
        self.client_user_id.get_or_insert(parent.user_id);
        self.parents.push(parent);
        self.parent_left_at = None;
    }

    /// Takes an account off it; returns false if it was none of its own.
    pub fn remove_login(&mut self, user_id: Id) -> bool {
        if !self.has_login(user_id) {
            return false;
        }
        self.parents.retain(|it| it.user_id != user_id);
        if self.client_user_id == Some(user_id) {
            self.client_user_id = self.parents.first().map(|it| it.user_id);
        }
        if self.client_user_id.is_none() {
            // Whoever takes a later invitation is not trusted for that, and reads nothing of this household.
            self.books_at_once = false;
            self.how_to_get_in = String::new();
        }
        true
    }

    /// Name of one of several pet parents of a household; `None` where there is one alone, or the account is none of them.
    pub fn parent_name(&self, user_id: Option<Id>) -> Option<&str> {
        let of_several = self.parents.iter().filter(|_| 1 < self.parents.len());
        let found = of_several.filter(|it| Some(it.user_id) == user_id);
        found.map(|it| it.name.as_str()).next()
    }

    /// Returns the access notes for the sitter at the door, with each version that waits for a decision; those of pet parents
    /// have the client's name in front.
    pub(crate) fn access_in_all_versions(&self) -> String {
        let others = self
            .other_texts
            .iter()
            .filter(|it| it.field == ACCESS_NOTES);
        let others = others.map(|it| match it.by {
            Some(Side::Client) => [&self.name, ": ", &it.content].concat(),
            _ => it.content.clone(),
        });
        let all = std::iter::once(self.access_notes.clone()).chain(others);
        let filled: Vec<String> = all.filter(|it| !it.is_empty()).collect();
        filled.join("\n\n")
    }

    /// Field name and value of each text of which conflicting versions are kept.
    pub(crate) fn long_texts(&self) -> Vec<(&'static str, String)> {
        vec![
            (ACCESS_NOTES, self.access_notes.clone()),
            ("house_instructions", self.house_instructions.clone()),
            ("internal_notes", self.internal_notes.clone()),
        ]
    }
}

/// Field of the sitter's own notes on getting in.
pub(crate) const ACCESS_NOTES: &str = "access_notes";

/// Field of the text that a pet parent gives on getting in.
pub(crate) const HOW_TO_GET_IN: &str = "how_to_get_in";

/// Fallback for an empty or zero 30-minute rate (SPEC 5).
pub(crate) const RATE_30MIN: Cents = Cents(25_00);

/// Fallback for an empty or zero 45-minute rate (SPEC 5).
pub(crate) const RATE_45MIN: Cents = Cents(30_00);

/// Fallback for an empty or zero 60-minute rate (SPEC 5).
pub(crate) const RATE_60MIN: Cents = Cents(35_00);

#[cfg(test)]
mod tests {
    use super::*;

    fn parent(n: u128, name: &str) -> Parent {
        Parent {
            user_id: Id::of(n),
            name: name.to_owned(),
            ..Parent::default()
        }
    }

    fn logins(client: &Client) -> Vec<Id> {
        client.logins().collect()
    }

    #[test]
    fn the_first_login_of_a_household_is_the_one_that_its_row_names_alone() {
        let mut client = Client::new(Id::of(1), Instant(0));
        client.add_login(parent(7, "Dana"), None);
        assert_eq!(
            client.parent_name(Some(Id::of(7))),
            None,
            "one is no several"
        );
        client.add_login(parent(8, "Alex"), None);
        assert_eq!(client.client_user_id, Some(Id::of(7)));
        assert_eq!(logins(&client), [Id::of(7), Id::of(8)]);
        assert_eq!(client.parent_name(Some(Id::of(8))), Some("Alex"));
        client.books_at_once = true;
        assert!(client.remove_login(Id::of(7)));
        assert_eq!(
            (client.client_user_id, client.books_at_once),
            (Some(Id::of(8)), true)
        );
        assert!(!client.remove_login(Id::of(7)));
        assert!(client.remove_login(Id::of(8)));
        assert_eq!((client.client_user_id, client.books_at_once), (None, false));
        assert_eq!(client.parents, Vec::new());
    }

    #[test]
    fn a_login_from_before_is_described_when_the_second_one_comes() {
        let mut client = Client {
            client_user_id: Some(Id::of(7)),
            ..Client::new(Id::of(1), Instant(0))
        };
        assert_eq!(logins(&client), [Id::of(7)]);
        client.add_login(parent(8, "Alex"), Some(parent(7, "Dana")));
        assert_eq!(client.parent_name(Some(Id::of(7))), Some("Dana"));
        assert_eq!(logins(&client), [Id::of(7), Id::of(8)]);
        let mut alone = Client {
            client_user_id: Some(Id::of(7)),
            ..Client::new(Id::of(1), Instant(0))
        };
        assert!(alone.remove_login(Id::of(7)));
        assert_eq!(alone.client_user_id, None);
    }
}
