//! Owns sorting. The standard library's sort is fast and large, and comes anew for each type and key; here
//! one copy of it sorts positions, and the phone downloads it once.

use std::cmp::Ordering;

/// A stable sort that is small where it is used.
pub(crate) trait SmallSort<T> {
    /// Sorts by what `compare` says; what is equal keeps its order.
    fn small_sort_by(&mut self, compare: impl Fn(&T, &T) -> Ordering);

    /// Sorts by the key; what has equal keys keeps its order.
    fn small_sort_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K) {
        self.small_sort_by(|a, b| key(a).cmp(&key(b)));
    }
}

impl<T> SmallSort<T> for [T] {
    fn small_sort_by(&mut self, compare: impl Fn(&T, &T) -> Ordering) {
        let mut positions: Vec<usize> = (0..self.len()).collect();
        sort_positions(&mut positions, &|a, b| match (self.get(a), self.get(b)) {
            (Some(a), Some(b)) => compare(a, b),
            _ => Ordering::Equal,
        });
        // Each row of swaps ends where it began; a place that is done names itself.
        for first in 0..positions.len() {
            let mut place = first;
            while let Some(from) = positions.get_mut(place) {
                let from = std::mem::replace(from, place);
                if from == first || from == place {
                    break;
                }
                self.swap(place, from);
                place = from;
            }
        }
    }
}

#[inline(never)]
fn sort_positions(positions: &mut [usize], compare: &dyn Fn(usize, usize) -> Ordering) {
    positions.sort_unstable_by(|a, b| compare(*a, *b).then(a.cmp(b)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Where each swap were looked for anew, this would take hours.
    #[test]
    fn one_that_belongs_at_the_front_costs_no_more_than_any_other() {
        let mut items: Vec<u32> = (1..1_000_000).chain([0]).collect();
        items.small_sort_by_key(|it| *it);
        assert!(items.is_sorted());
    }

    proptest! {
        #[test]
        fn it_sorts_as_the_standard_library_does(items: Vec<(u8, u16)>) {
            let (mut ours, mut theirs) = (items.clone(), items);
            ours.small_sort_by_key(|it| it.0);
            theirs.sort_by_key(|it| it.0);
            prop_assert_eq!(ours, theirs);
        }
    }
}
