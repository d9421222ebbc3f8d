//! Owns what driving comes to: how long a way between two homes is taken to be, what the IRS lets a mile count for, and
//! which miles of a day are proposed.

use serde::Serialize;

use crate::rows::client::Client;
use crate::rows::service::Service;
use crate::rows::sitter::Sitter;
use crate::values::format::METERS_PER_MILE;
use crate::values::miles::Miles;
use crate::values::place::Place;
use crate::values::plane::distance_m;
use crate::{Business, Cents, Date, Id};

/// How much longer a way in a town is than the straight line.
const DETOUR: f64 = 1.3;

/// Speed from door to door, by bicycle or by car with a place to be found for it.
pub(crate) const WAY_KM_PER_HOUR: u32 = 15;

/// Speed on foot with dogs and bags, from door to door.
pub(crate) const WALK_KM_PER_HOUR: u32 = 5;

/// How long the way between two places is taken to be, in meters.
pub(crate) fn way_m(from: Place, to: Place) -> f64 {
    distance_m(from, to) * DETOUR
}

/// Minutes that a way of so many meters is taken to need at this speed, rounded up.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a saturating cast is right for a way around the world"
)]
pub(crate) fn way_minutes(meters: f64, km_per_hour: u32) -> i64 {
    (meters * 0.06 / f64::from(km_per_hour)).ceil() as i64
}

/// The IRS's standard mileage rates for business, in tenths of a cent for a mile, from a day on: Notice 2022-3,
/// Announcement 2022-13, Notices 2023-3, 2024-8, 2025-5 and 2026-10, Announcement 2026-11.
const RATES: [((i16, i8), u16); 7] = [
    ((2022, 1), 585),
    ((2022, 7), 625),
    ((2023, 1), 655),
    ((2024, 1), 670),
    ((2025, 1), 700),
    ((2026, 1), 725),
    ((2026, 7), 760),
];

/// The last year for which there is a rate.
const LAST_YEAR: i16 = 2026;

/// The standard mileage rate on a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MileageRate {
    /// Rate in tenths of a cent per mile.
    pub tenths_of_cents: u16,
    /// True if it is that day's own rate; otherwise it is the nearest known one.
    pub is_known: bool,
}

impl MileageRate {
    /// Returns the rate of a day.
    pub fn on(date: Date) -> Self {
        let (year, month, _) = date.parts();
        let mut begun = RATES.iter().filter(|it| it.0 <= (year, month));
        let rate = begun.next_back();
        Self {
            tenths_of_cents: rate.or(RATES.first()).map_or(0, |it| it.1),
            is_known: rate.is_some() && year <= LAST_YEAR,
        }
    }

    /// Returns the worth of miles at this rate, rounded to a cent, half away from zero.
    pub const fn worth(self, miles: Miles) -> Cents {
        Cents(self.tenths_of_cents as i64).share(miles.0 as i64, 100)
    }

    /// `70¢`, `72.5¢`.
    pub fn text(self) -> String {
        let (cents, tenth) = (self.tenths_of_cents / 10, self.tenths_of_cents % 10);
        match tenth {
            0 => format!("{cents}¢"),
            _ => format!("{cents}.{tenth}¢"),
        }
    }
}

/// The miles of a day as far as they follow from its visits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MileageProposal {
    /// From the first home to the last one.
    pub between: Miles,
    /// The same with the way there from the service area's address and back; none where that, or one of the two homes, is
    /// not known.
    pub with_home: Option<Miles>,
    /// Number of visits in words: `5 visits`.
    pub visits: String,
    /// Ways that are left out, since a home is not known.
    pub ways_left_out: u32,
}

/// The place of a client's home, if it is known.
pub(crate) fn home(client: &Client) -> Option<Place> {
    Place::from_degrees(client.lat?, client.lng?)
}

/// The place from which the sitter sets out, if it is known.
pub(crate) fn base(sitter: &Sitter) -> Option<Place> {
    Place::from_degrees(sitter.service_area_lat?, sitter.service_area_lng?)
}

/// Proposes the miles of a day from its completed visits, in their order; `None` where no way is known.
pub(crate) fn proposal(business: &Business, visits: &[&Service]) -> Option<MileageProposal> {
    let home_of = |client_id: Id| business.client(client_id).and_then(home);
    let (mut meters, mut ways_left_out) = (0.0, 0);
    for (from, to) in visits.iter().zip(visits.iter().skip(1)) {
        // From one visit to the next of the same client there is no way.
        if from.client_id == to.client_id {
            continue;
        }
        match (home_of(from.client_id), home_of(to.client_id)) {
            (Some(from), Some(to)) => meters += way_m(from, to),
            _ => ways_left_out += 1,
        }
    }
    let miles = |meters: f64| Miles::of(meters / METERS_PER_MILE).unwrap_or_default();
    let ends = || {
        let base = base(business.sitter()?)?;
        let (first, last) = (visits.first()?, visits.last()?);
        let there = way_m(base, home_of(first.client_id)?);
        Some(there + way_m(home_of(last.client_id)?, base))
    };
    let between = miles(meters);
    let with_home = ends().map(|it| miles(meters + it));
    let with_home = with_home.filter(|it| between < *it);
    let visits = match visits.len() {
        1 => "1 visit".to_owned(),
        n => format!("{n} visits"),
    };
    (Miles::ZERO < between || with_home.is_some()).then_some(MileageProposal {
        between,
        with_home,
        visits,
        ways_left_out,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(date: &str) -> (String, bool) {
        let rate = MileageRate::on(date.parse().unwrap());
        (rate.text(), rate.is_known)
    }

    #[test]
    fn a_mile_counts_for_the_rate_of_its_day() {
        for (date, text) in [
            ("2022-06-30", "58.5¢"),
            ("2022-07-01", "62.5¢"),
            ("2024-12-31", "67¢"),
            ("2025-01-01", "70¢"),
            ("2026-06-30", "72.5¢"),
            ("2026-07-01", "76¢"),
            ("2026-12-31", "76¢"),
        ] {
            assert_eq!(rate(date), (text.to_owned(), true), "{date}");
        }
    }

    #[test]
    fn a_year_without_a_rate_has_the_nearest_one_and_says_so() {
        assert_eq!(rate("2027-01-01"), ("76¢".to_owned(), false));
        assert_eq!(rate("2021-12-31"), ("58.5¢".to_owned(), false));
    }

    #[test]
    fn the_last_rate_is_of_the_last_year() {
        assert_eq!(RATES.last().unwrap().0.0, LAST_YEAR);
        assert!(RATES.is_sorted_by_key(|it| it.0));
    }

    #[test]
    fn miles_come_to_whole_cents() {
        let rate = MileageRate::on("2026-01-05".parse().unwrap());
        assert_eq!(rate.worth(Miles(124)), Cents(899));
        assert_eq!(rate.worth(Miles(2)), Cents(15));
        assert_eq!(rate.worth(Miles::ZERO), Cents::ZERO);
    }
}
