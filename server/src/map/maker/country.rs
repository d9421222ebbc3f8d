//! Owns where which country is and what walkers may do there on roads that do not say.

use country_boundaries::{BOUNDARIES_ODBL_60X30, CountryBoundaries, LatLon};
use thiserror::Error;
use walkies_core::map::{AddressOrder, Point};

/// Default access for walkers on kinds of roads whose tags say nothing of access.
///
/// From the OpenStreetMap wiki, 'OSM tags for routing/Access restrictions', as of 2024; 'yes', 'designated' and
/// 'permissive' count as may. Countries that are not listed there follow its first table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Customs {
    /// On ways for bicycles.
    pub cycleway: bool,
    /// On ways for horses.
    pub bridleway: bool,
}

impl Customs {
    /// The defaults for a place in no country, and for countries that are not listed.
    pub const WORLD: Self = Self {
        cycleway: false,
        bridleway: false,
    };

    /// Returns the customs of a country, by its code of ISO 3166-1.
    pub fn of(country: &str) -> Self {
        let it = |cycleway, bridleway| Self {
            cycleway,
            bridleway,
        };
        match country {
            "AU" | "BE" | "CH" | "GB" | "GR" | "IS" | "NO" | "OM" | "PH" | "PL" | "SE" | "SK"
            | "TH" | "TR" | "US" => it(true, true),
            "BY" | "DK" | "FI" | "HU" | "NL" | "RU" => it(true, false),
            "BR" | "IE" | "RO" => it(false, true),
            _ => Self::WORLD,
        }
    }
}

/// The table of borders that is part of the program cannot be read: the program is damaged.
#[derive(Debug, Error)]
#[error("The table of countries cannot be read.")]
pub struct CountriesError;

/// The borders of the countries: (c) OpenStreetMap contributors, Open Database Licence.
#[derive(Debug)]
pub struct Countries(CountryBoundaries);

impl Countries {
    /// As they come with the program.
    pub fn load() -> Result<Self, CountriesError> {
        CountryBoundaries::from_reader(BOUNDARIES_ODBL_60X30)
            .map(Self)
            .map_err(|_| CountriesError)
    }

    /// Returns the customs of the country at a place.
    pub fn customs(&self, at: Point) -> Customs {
        self.country(at).map_or(Customs::WORLD, Customs::of)
    }

    /// Returns the order in which people write an address at a place.
    pub fn address_order(&self, at: Point) -> AddressOrder {
        self.country(at)
            .map_or_else(AddressOrder::default, AddressOrder::from_country)
    }

    /// The code of the country at a place.
    fn country(&self, at: Point) -> Option<&str> {
        let place = at.place();
        let place = LatLon::new(
            f64::from(place.lat_e7) * 1e-7,
            f64::from(place.lon_e7) * 1e-7,
        );
        // Parts of countries are listed before them, as in 'US-TX' and 'US'.
        let countries = self.0.ids(place.ok()?);
        countries.into_iter().find(|it| it.len() == 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use walkies_core::values::place::Place;

    #[test]
    fn a_place_has_the_customs_of_its_country() {
        let countries = Countries::load().unwrap();
        let customs =
            |lat, lon| countries.customs(Point::at(Place::from_degrees(lat, lon).unwrap()));
        assert_eq!(customs(60.17, 24.94), Customs::of("FI"));
        assert_eq!(customs(49.41, 8.69), Customs::WORLD);
        assert_eq!(customs(33.0, -97.0), Customs::of("US"));
        assert_eq!(customs(46.95, 7.44), Customs::of("CH"));
        assert_eq!(customs(-40.0, -120.0), Customs::WORLD);
    }

    #[test]
    fn addresses_are_written_as_in_their_country() {
        let countries = Countries::load().unwrap();
        let order =
            |lat, lon| countries.address_order(Point::at(Place::from_degrees(lat, lon).unwrap()));
        assert_eq!(order(60.17, 24.94), AddressOrder::default());
        let american = AddressOrder {
            number_first: true,
            postcode_last: true,
        };
        assert_eq!(order(33.0, -97.0), american);
        assert!(!order(48.85, 2.35).postcode_last);
        assert!(order(48.85, 2.35).number_first);
    }
}
