//! Owns the ids of a series' visits.

use uuid::Builder;

use crate::{Date, Id};

/// The id of the visit of a series at a slot on a day by its rule, the same wherever and whenever it is made: the server's
/// job and two phones make one row and never two (RFC 9562, 5.8).
///
/// Stored on phones: what it gives for the same arguments never changes.
pub fn occurrence_id(series: Id, slot: Id, date: Date) -> Id {
    let day = u64::try_from(date.days_since_epoch()).unwrap_or_default();
    let (series_high, series_low) = series.0.as_u64_pair();
    let (slot_high, slot_low) = slot.0.as_u64_pair();
    let mut high = 0x9e37_79b9_7f4a_7c15_u64;
    let mut low = 0xd1b5_4a32_d192_ed03_u64;
    for part in [series_high, series_low, slot_high, slot_low, day] {
        high = mixed(high ^ part);
        low = mixed(low.wrapping_add(part).rotate_left(29) ^ high);
    }
    let bytes = (u128::from(high) << 64 | u128::from(low)).to_be_bytes();
    Id(Builder::from_custom_bytes(bytes).into_uuid())
}

/// The finalizer of SplitMix64: each bit of what goes in changes half of those that come out.
const fn mixed(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_ids_of_visits_never_change() {
        let date = "2026-12-01".parse().unwrap();
        let id = occurrence_id(Id::of(1), Id::of(2), date);
        assert_eq!(id.to_string(), "ae5ae843-0fdf-8ff9-b413-72fd9b61821c");
    }

    #[test]
    fn each_series_slot_and_day_has_an_id_of_its_own() {
        let first: Date = "2026-01-01".parse().unwrap();
        let mut ids = BTreeSet::new();
        for series in 0..20 {
            for slot in 0..6 {
                for day in 0..366 {
                    ids.insert(occurrence_id(
                        Id::of(series),
                        Id::of(slot),
                        first.plus_days(day),
                    ));
                }
            }
        }
        assert_eq!(ids.len(), 20 * 6 * 366);
    }
}
