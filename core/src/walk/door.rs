//! Owns when a walker has come to a client's door: there the way in is shown, once for each time that one comes.

use serde::Deserialize;

use crate::Id;
use crate::values::place::Place;
use crate::values::plane::distance_m;

/// So near a home one stands before it, as far as a phone can tell.
const AT_DOOR_M: f64 = 40.0;
/// Whoever was not further away does not come back: positions jitter, and a walk begins at a door.
const AWAY_M: f64 = 80.0;

/// Home of a client, at whose door the way in is shown.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct DoorHome {
    /// The client who lives there.
    pub client_id: Id,
    /// Latitude, WGS 84.
    pub lat: f64,
    /// Longitude, WGS 84.
    pub lng: f64,
}

/// The doors of a walk at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Doors {
    /// Clients from whose home the walker has been away since the last time there.
    pub away: Vec<Id>,
    /// Clients to whose door the walker has come.
    pub at: Vec<Id>,
}

impl Doors {
    /// Takes a position; whether `at` is another one after it. Who is taken out of `at` meanwhile comes again when the walker
    /// was away again.
    pub fn step(&mut self, here: Place, homes: &[DoorHome]) -> bool {
        let mut is_other = false;
        for home in homes {
            let Some(place) = Place::from_degrees(home.lat, home.lng) else {
                continue;
            };
            let id = home.client_id;
            let off_m = distance_m(here, place);
            if off_m > AWAY_M {
                let n_at = self.at.len();
                self.at.retain(|it| *it != id);
                is_other |= n_at != self.at.len();
                if !self.away.contains(&id) {
                    self.away.push(id);
                }
            } else if off_m <= AT_DOOR_M && self.away.contains(&id) {
                self.away.retain(|it| *it != id);
                self.at.push(id);
                is_other = true;
            }
        }
        is_other
    }
}
