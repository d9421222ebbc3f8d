//! Owns what differs between the towns that a demo business can be in: its place, its people, their words.

/// A client of the demo: name, street, phone, e-mail, latitude, longitude, how to get in, pets.
/// All live within the demo's extract of the map.
pub(super) type Person = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    f64,
    f64,
    &'static str,
    &'static [Animal],
);
/// Name, kind, breed, pounds, sex, what to know.
pub(super) type Animal = (
    &'static str,
    &'static str,
    &'static str,
    f64,
    &'static str,
    &'static str,
);

/// A town with a demo business.
#[derive(Debug)]
pub struct Town {
    /// Time zone of the business.
    pub(super) zone: &'static str,
    /// Name of the map's area.
    pub(super) area: &'static str,
    /// Extract of the map around the business, (c) OpenStreetMap contributors.
    pub(super) extract: &'static [u8],
    /// Name of the sitter.
    pub(super) sitter: &'static str,
    /// Name of the business.
    pub(super) business: &'static str,
    /// Name of the business where payments go to, with a hyphen.
    pub(super) handle: &'static str,
    /// Phone of the business.
    pub(super) phone: &'static str,
    /// Middle of the service area.
    pub(super) district: &'static str,
    /// Latitude of the middle.
    pub(super) lat: f64,
    /// Longitude of the middle.
    pub(super) lng: f64,
    /// The clients; the first one has a login.
    pub(super) people: &'static [Person; 12],
    /// Emergency contact of the first client.
    pub(super) emergency_contact: &'static str,
    /// Vet of the first client's pet.
    pub(super) vet: &'static str,
    /// Page about winter paws that the vet wrote of.
    pub(super) advice: &'static str,
    /// A walk along real ways from the first client's door, as an encoded polyline with six decimals that leaves out what
    /// is near the door, and its whole length in meters.
    pub(super) track: Option<(&'static str, u32)>,
}

impl Town {
    /// Name of the pet parent who has a login.
    pub(super) const fn parent(&self) -> &'static str {
        let [(name, ..), ..] = *self.people;
        name
    }

    /// Name of the first pet of a client; empty where there is no such client.
    pub(super) fn pet(&self, place: usize) -> &'static str {
        self.pets(place).first().copied().unwrap_or_default()
    }

    /// Names of the pets of a client.
    pub(super) fn pets(&self, place: usize) -> Vec<&'static str> {
        let animals = self.people.get(place).map_or(&[][..], |it| it.7);
        animals.iter().map(|it| it.0).collect()
    }
}
