//! Owns the row of a client's animal (SPEC 3).

use serde::Serialize;

use crate::rows::fields::row;
use crate::rows::other_text::OtherText;
use crate::values::json::read_by_name;
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

row! {
    /// One animal of a client; `dogs` in the API (SPEC 3). Stored on phones. Only add optional fields; never rename.
    Pet {
        /// Made by whoever makes the pet.
        id: Id = id, required;
        /// Id of the client whose pet it is.
        client_id: Id = client_id, required;
        /// Name; never empty.
        name: String = String::new() => plain, required;
        /// Dog, cat or other.
        pet_type: PetType = PetType::Dog => plain;
        /// Weight in pounds (lbs).
        weight: Option<f64> = None => plain;
        /// Date of birth, where known.
        birthday: Option<Date> = None => date;
        /// Male, female or unknown.
        sex: Sex = Sex::Unknown => plain;
        /// May be empty.
        breed: String = String::new() => plain;
        /// Yes, no or unknown.
        microchipped: Microchipped = Microchipped::Unknown => plain;
        /// Yes, no or unsure.
        spayed_neutered: Neutered = Neutered::Unsure => plain;
        /// Yes, no, unsure or depends.
        house_trained: Friendly = Friendly::Unsure => plain;
        /// Yes, no, unsure or depends.
        friendly_with_children: Friendly = Friendly::Unsure => plain;
        /// Yes, no, unsure or depends.
        friendly_with_dogs: Friendly = Friendly::Unsure => plain;
        /// Yes, no, unsure or depends.
        friendly_with_cats: Friendly = Friendly::Unsure => plain;
        /// Date of adoption, where known.
        adoption_date: Option<Date> = None => date;
        /// Care notes: food, fears, medicine.
        about: String = String::new() => plain;
        /// The uploaded photo's id; `GET /photos/{id}` serves it.
        photo: Option<Id> = None => plain;
        /// Position among the client's pets, 0-based.
        display_order: u32 = 0 => plain;
        /// The day from which on the pet is no longer with its people: it has died or moved away.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(target_arch = "wasm32", tsify(optional))]
        gone_on: Option<Date> = None;
        /// Undecided versions of its long texts; shown to both sides.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(target_arch = "wasm32", tsify(optional))]
        other_texts: Vec<OtherText> = Vec::new();
    }
    /// A pet of which nothing is known yet.
    new(id: Id, client_id: Id)
}

impl Pet {
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
