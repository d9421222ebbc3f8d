//! Owns a point on the earth in the precision in which it is stored.

use serde::Serialize;

use crate::values::json::read_in_place;

/// Ten-millionths of a degree in one degree; a step of 1 is about 1 cm, far below what a phone can know.
const E7: f64 = 1e7;

/// A point on the earth, WGS 84, in ten-millionths of a degree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Place {
    /// Latitude, -900,000,000 to 900,000,000.
    pub lat_e7: i32,
    /// Longitude, -1,800,000,000 to 1,800,000,000.
    pub lon_e7: i32,
}

read_in_place!(Place from Place::default(); { lat_e7, lon_e7 });

impl Place {
    /// The nearest place, or `None` for what is no latitude and longitude.
    pub fn from_degrees(lat: f64, lon: f64) -> Option<Self> {
        let valid = (-90.0..=90.0).contains(&lat) && (-180.0..=180.0).contains(&lon);
        valid.then(|| Self {
            lat_e7: rounded(lat * E7),
            lon_e7: rounded(lon * E7),
        })
    }

    /// Latitude in degrees.
    pub fn lat(self) -> f64 {
        f64::from(self.lat_e7) / E7
    }

    /// Longitude in degrees.
    pub fn lon(self) -> f64 {
        f64::from(self.lon_e7) / E7
    }
}

fn rounded(number: f64) -> i32 {
    number.round() as i32
}
