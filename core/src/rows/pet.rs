//! Owns the row of a client's animal (SPEC 3).

use serde::Serialize;

use crate::rows::other_text::OtherText;
use crate::values::field::{Field, date, plain};
use crate::values::json::{read_by_field, read_by_name};
use crate::{Date, Id};

/// Kind of animal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum PetType {
    /// A dog; the default for new pets.
    #[default]
    Dog,
    /// A domestic cat.
    Cat,
    /// Any other animal.
    Other,
}

read_by_name!(PetType { Dog, Cat, Other });

/// A pet's sex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Sex {
    /// Male, neutered or not.
    Male,
    /// Female, spayed or not.
    Female,
    /// Not known; the default.
    #[default]
    Unknown,
}

read_by_name!(Sex {
    Male,
    Female,
    Unknown
});

/// Microchip status of a pet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Microchipped {
    /// The pet has a microchip.
    Yes,
    /// The pet has no microchip.
    No,
    /// Not known; the default.
    #[default]
    Unknown,
}

read_by_name!(Microchipped { Yes, No, Unknown });

/// Spay or neuter status of a pet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Neutered {
    /// Spayed or neutered.
    Yes,
    /// Neither spayed nor neutered.
    No,
    /// Not sure; the default.
    #[default]
    Unsure,
}

read_by_name!(Neutered { Yes, No, Unsure });

/// How a pet is with something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Friendly {
    /// The answer is yes.
    Yes,
    /// The answer is no.
    No,
    /// Not sure; the default.
    #[default]
    Unsure,
    /// It depends on the situation.
    Depends,
}

read_by_name!(Friendly {
    Yes,
    No,
    Unsure,
    Depends
});

/// One animal of a client; `dogs` in the API (SPEC 3). Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Pet {
    /// Made by whoever makes the pet.
    pub id: Id,
    /// Id of the client whose pet it is.
    pub client_id: Id,
    /// Name; never empty.
    pub name: String,
    /// Dog, cat or other.
    pub pet_type: PetType,
    /// Weight in pounds (lbs).
    pub weight: Option<f64>,
    /// Date of birth, where known.
    pub birthday: Option<Date>,
    /// Male, female or unknown.
    pub sex: Sex,
    /// May be empty.
    pub breed: String,
    /// Yes, no or unknown.
    pub microchipped: Microchipped,
    /// Yes, no or unsure.
    pub spayed_neutered: Neutered,
    /// Yes, no, unsure or depends.
    pub house_trained: Friendly,
    /// Yes, no, unsure or depends.
    pub friendly_with_children: Friendly,
    /// Yes, no, unsure or depends.
    pub friendly_with_dogs: Friendly,
    /// Yes, no, unsure or depends.
    pub friendly_with_cats: Friendly,
    /// Date of adoption, where known.
    pub adoption_date: Option<Date>,
    /// Care notes: food, fears, medicine.
    pub about: String,
    /// The uploaded photo's id; `GET /photos/{id}` serves it.
    pub photo: Option<Id>,
    /// Position among the client's pets, 0-based.
    pub display_order: u32,
    /// Undecided versions of its long texts; shown to both sides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub other_texts: Vec<OtherText>,
}

read_by_field!(Pet from Pet::new(Id::default(), Id::default()); { id, client_id, name }
    or default { pet_type, weight, birthday, sex, breed, microchipped, spayed_neutered, house_trained,
    friendly_with_children, friendly_with_dogs, friendly_with_cats, adoption_date, about, photo, display_order, other_texts });

impl Pet {
    /// The fields that a person sets.
    pub const EDITABLE: &[Field] = &[
        plain("name"),
        plain("pet_type"),
        plain("weight"),
        date("birthday"),
        plain("sex"),
        plain("breed"),
        plain("microchipped"),
        plain("spayed_neutered"),
        plain("house_trained"),
        plain("friendly_with_children"),
        plain("friendly_with_dogs"),
        plain("friendly_with_cats"),
        date("adoption_date"),
        plain("about"),
        plain("photo"),
        plain("display_order"),
    ];

    /// A pet of which nothing is known yet.
    pub fn new(id: Id, client_id: Id) -> Self {
        Self {
            id,
            client_id,
            name: String::new(),
            pet_type: PetType::Dog,
            weight: None,
            birthday: None,
            sex: Sex::Unknown,
            breed: String::new(),
            microchipped: Microchipped::Unknown,
            spayed_neutered: Neutered::Unsure,
            house_trained: Friendly::Unsure,
            friendly_with_children: Friendly::Unsure,
            friendly_with_dogs: Friendly::Unsure,
            friendly_with_cats: Friendly::Unsure,
            adoption_date: None,
            about: String::new(),
            photo: None,
            display_order: 0,
            other_texts: Vec::new(),
        }
    }

    /// Care notes with every undecided version, one below the other: a walker must not miss any of them.
    pub(crate) fn about_in_all_versions(&self) -> String {
        let others = self.other_texts.iter().filter(|it| it.field == "about");
        let all = std::iter::once(&self.about).chain(others.map(|it| &it.content));
        let filled: Vec<&str> = all
            .map(|it| it.as_str())
            .filter(|it| !it.is_empty())
            .collect();
        filled.join("\n\n")
    }

    /// Field name and value of each text of which conflicting versions are kept.
    pub(crate) fn long_texts(&self) -> Vec<(&'static str, String)> {
        vec![("about", self.about.clone())]
    }
}
