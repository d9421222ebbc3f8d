//! Owns the row of a customer (SPEC 3).

use serde::Serialize;

use crate::rows::other_text::OtherText;
use crate::values::field::{Field, money, plain};
use crate::values::json::{read_by_field, read_by_name};
use crate::{Cents, Id, Instant};

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

/// Something of home and pets that a pet parent has set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ParentChange {
    /// Name of the changed field, as a person reads it: `Vet`, `Rex: Breed`.
    pub what: String,
    /// When, by the parent's phone.
    pub at: Instant,
}

read_by_field!(ParentChange { what, at });

/// A sitter's customer (SPEC 3). Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Client {
    /// Made by whoever makes the client.
    pub id: Id,
    /// Full name; never empty.
    pub name: String,
    /// Address where the pets are picked up; may be empty.
    pub address: String,
    /// May be empty.
    pub phone: String,
    /// May be empty; without it and without a client user the client cannot be messaged.
    pub email: String,
    /// Key, alarm, gate: how to get in. Never leaves the sitter's own devices.
    pub access_notes: String,
    /// The sitter's notes to themselves. Never leaves the sitter's own devices; may be empty.
    pub internal_notes: String,
    /// Person to call when the client does not answer; may be empty.
    pub emergency_contact: String,
    /// Name and number of the vet; may be empty.
    pub vet: String,
    /// Food, rooms, habits: what is to be known in the house; may be empty.
    pub house_instructions: String,
    /// Base price of a walk of more than 60 minutes.
    pub pricing_walk: Cents,
    /// Price of a drop-in.
    pub pricing_dropin: Cents,
    /// Price of a walk of up to 30 minutes.
    pub walk_rate_30min: Cents,
    /// Price of a walk of up to 45 minutes.
    pub walk_rate_45min: Cents,
    /// Price of a walk of up to 60 minutes.
    pub walk_rate_60min: Cents,
    /// How more dogs than one are charged.
    pub multiple_dog_method: MultipleDogMethod,
    /// Whole percent of the base per extra dog, 0 to 100.
    pub additional_dog_percentage: u32,
    /// Flat charge per extra dog on a walk.
    pub additional_dog_walk_rate: Cents,
    /// Flat charge per extra dog on a drop-in.
    pub additional_dog_dropin_rate: Cents,
    /// The login of the pet parent, once linked.
    pub client_user_id: Option<Id>,
    /// Relationship to the sitter.
    pub relationship_type: RelationshipType,
    /// Recent changes by the pet parent, the newest last; each field once. For the sitter alone.
    pub parent_changes: Vec<ParentChange>,
    /// Messages of this client that the sitter has not read.
    pub unread_count: u32,
    /// Home, WGS 84 degrees, where known.
    pub lat: Option<f64>,
    /// Home, WGS 84 degrees, where known.
    pub lng: Option<f64>,
    /// When the server, or the phone until then, made the row.
    pub created_at: Instant,
    /// Undecided versions of its long texts. A pet parent sees only those of fields in `EDITABLE_BY_CLIENT`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub other_texts: Vec<OtherText>,
}

read_by_field!(Client from Client::new(Id::default(), Instant(0)); { id, name, pricing_walk, pricing_dropin, walk_rate_30min, walk_rate_45min, walk_rate_60min, multiple_dog_method,
    additional_dog_percentage, additional_dog_walk_rate, additional_dog_dropin_rate, created_at }
    or default { address, phone, email, access_notes, internal_notes, emergency_contact, vet, house_instructions, client_user_id, relationship_type, parent_changes, unread_count, lat, lng, other_texts });

impl Client {
    /// The fields that a person sets; the rest is set by rules.
    pub const EDITABLE: &[Field] = &[
        plain("name"),
        plain("address"),
        plain("phone"),
        plain("email"),
        plain("access_notes"),
        plain("internal_notes"),
        plain("emergency_contact"),
        plain("vet"),
        plain("house_instructions"),
        money("pricing_walk"),
        money("pricing_dropin"),
        money("walk_rate_30min"),
        money("walk_rate_45min"),
        money("walk_rate_60min"),
        plain("multiple_dog_method"),
        plain("additional_dog_percentage"),
        money("additional_dog_walk_rate"),
        money("additional_dog_dropin_rate"),
        plain("lat"),
        plain("lng"),
    ];

    /// Those of them that a pet parent sets, too.
    pub const EDITABLE_BY_CLIENT: &[Field] = &[
        plain("address"),
        plain("phone"),
        plain("emergency_contact"),
        plain("vet"),
        plain("house_instructions"),
    ];

    /// A client with the defaults for new ones (SPEC 9, Pricing) and no name yet.
    pub fn new(id: Id, at: Instant) -> Self {
        Self {
            id,
            name: String::new(),
            address: String::new(),
            phone: String::new(),
            email: String::new(),
            access_notes: String::new(),
            internal_notes: String::new(),
            emergency_contact: String::new(),
            vet: String::new(),
            house_instructions: String::new(),
            pricing_walk: Cents(30_00),
            pricing_dropin: Cents(30_00),
            walk_rate_30min: RATE_30MIN,
            walk_rate_45min: RATE_45MIN,
            walk_rate_60min: RATE_60MIN,
            multiple_dog_method: MultipleDogMethod::Percentage,
            additional_dog_percentage: 50,
            additional_dog_walk_rate: Cents::ZERO,
            additional_dog_dropin_rate: Cents::ZERO,
            client_user_id: None,
            relationship_type: RelationshipType::ExistingClient,
            parent_changes: Vec::new(),
            unread_count: 0,
            lat: None,
            lng: None,
            created_at: at,
            other_texts: Vec::new(),
        }
    }

    /// Field name and value of each text of which conflicting versions are kept.
    pub(crate) fn long_texts(&self) -> Vec<(&'static str, String)> {
        vec![
            ("access_notes", self.access_notes.clone()),
            ("house_instructions", self.house_instructions.clone()),
            ("internal_notes", self.internal_notes.clone()),
        ]
    }
}

/// Fallback for an empty or zero 30-minute rate (SPEC 5).
pub(crate) const RATE_30MIN: Cents = Cents(25_00);

/// Fallback for an empty or zero 45-minute rate (SPEC 5).
pub(crate) const RATE_45MIN: Cents = Cents(30_00);

/// Fallback for an empty or zero 60-minute rate (SPEC 5).
pub(crate) const RATE_60MIN: Cents = Cents(35_00);
