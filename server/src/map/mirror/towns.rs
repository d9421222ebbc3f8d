//! Owns the list of the world's towns, by which a region is found without asking anybody where a town is.

use std::io::Read as _;
use std::sync::OnceLock;

use flate2::read::GzDecoder;

/// `server/towns/README.md` says where they are from and what the columns are.
const TOWNS: &[u8] = include_bytes!("../../../towns/towns.tsv.gz");

/// A town of more than 15,000 people.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Town {
    /// Its names, parted by `|`, the usual one first.
    pub names: &'static str,
    /// The country's two letters.
    pub country: &'static str,
    /// The letters of the state in the United States; empty elsewhere.
    pub state: &'static str,
    /// Latitude in degrees.
    pub lat: f64,
    /// Longitude in degrees.
    pub lng: f64,
    /// Thousands of people, at least 1.
    pub thousands: u32,
}

impl Town {
    /// The usual name.
    pub fn name(&self) -> &'static str {
        self.names.split('|').next().unwrap_or_default()
    }

    /// The name with the state or the country.
    pub fn in_full(&self) -> String {
        let part = if self.state.is_empty() {
            self.country
        } else {
            self.state
        };
        format!("{}, {part}", self.name())
    }
}

/// All towns, the largest first.
pub fn all() -> Vec<Town> {
    static TEXT: OnceLock<String> = OnceLock::new();
    let text = TEXT.get_or_init(|| {
        let mut text = String::new();
        // A list that the build has damaged knows no town, which is what is said then.
        let _ = GzDecoder::new(TOWNS).read_to_string(&mut text);
        text
    });
    text.lines().filter_map(town).collect()
}

fn town(line: &'static str) -> Option<Town> {
    let mut columns = line.split('\t');
    Some(Town {
        names: columns.next()?,
        country: columns.next()?,
        state: columns.next()?,
        lat: columns.next()?.parse().ok()?,
        lng: columns.next()?.parse().ok()?,
        thousands: columns.next()?.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_town_on_earth() {
        let towns = all();
        assert_eq!(towns.len(), 34_006);
        for town in &towns {
            assert!((-90.0..=90.0).contains(&town.lat), "{town:?}");
            assert!((-180.0..=180.0).contains(&town.lng), "{town:?}");
            assert!(
                !town.name().is_empty() && town.country.len() == 2,
                "{town:?}"
            );
        }
        assert!(towns.is_sorted_by_key(|it| std::cmp::Reverse(it.thousands)));
    }
}
