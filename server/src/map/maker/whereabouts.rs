//! Owns the part of an address that houses of a row share: street, postcode and town, as tags say them.

use super::osm::Tags;

/// Characters of a name or a town; longer ones are no addresses.
pub const MAX_NAME_CHARS: usize = 100;

/// The part of an address that houses of a row share.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Whereabouts {
    /// The name of the street, or of the place where streets have none; empty where it is not said.
    pub street: String,
    /// The postcode; empty where it is not said.
    pub postcode: String,
    /// The town; empty where it is not said.
    pub town: String,
}

impl Whereabouts {
    /// Reads what the tags of a house or of a row of houses say.
    pub fn new(tags: &Tags) -> Self {
        let text = |key| {
            let text = tags.get(key).unwrap_or_default().trim();
            let fits = text.chars().count() <= MAX_NAME_CHARS;
            if fits { text.to_owned() } else { String::new() }
        };
        let street = text("addr:street");
        Self {
            street: if street.is_empty() {
                text("addr:place")
            } else {
                street
            },
            postcode: text("addr:postcode"),
            town: text("addr:city"),
        }
    }

    /// Fills in what is not said here.
    pub fn or(&self, other: &Self) -> Self {
        let pick = |own: &String, other: &String| match own.is_empty() {
            true => other.clone(),
            false => own.clone(),
        };
        Self {
            street: pick(&self.street, &other.street),
            postcode: pick(&self.postcode, &other.postcode),
            town: pick(&self.town, &other.town),
        }
    }
}
