//! Owns sorting. The standard library's sort is fast and large, and comes anew for each type and key; here
//! one merge sort orders positions, and the phone downloads it once.

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
        let swaps = swaps(self.len(), &|a, b| match (self.get(a), self.get(b)) {
            (Some(a), Some(b)) => compare(a, b),
            _ => Ordering::Equal,
        });
        for (a, b) in swaps {
            self.swap(a, b);
        }
    }
}

/// Returns the swaps that bring so many items into order, to be done one after the other.
#[inline(never)]
fn swaps(len: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<(usize, usize)> {
    let mut positions = sorted_positions(len, compare);
    let mut swaps = Vec::new();
    // Each row of swaps ends where it began; a place that is done names itself.
    for first in 0..len {
        let mut place = first;
        while let Some(from) = positions.get_mut(place) {
            let from = std::mem::replace(from, place);
            if from == first || from == place {
                break;
            }
            swaps.push((place, from));
            place = from;
        }
    }
    swaps
}

/// The positions in the order of what stands there: runs that are sorted are merged to longer ones.
fn sorted_positions(len: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut sorted: Vec<usize> = (0..len).collect();
    let mut run = 1;
    while run < len {
        let mut merged = Vec::with_capacity(len);
        for pair in sorted.chunks(2 * run) {
            let (mut first, mut second) = pair.split_at(run.min(pair.len()));
            // What comes in order already, as most lists do, is compared once for each run.
            if let ([.., a], [b, ..]) = (first, second)
                && compare(*a, *b) != Ordering::Greater
            {
                merged.extend_from_slice(pair);
                continue;
            }
            while let ([a, others @ ..], [b, rest @ ..]) = (first, second) {
                if compare(*a, *b) == Ordering::Greater {
                    merged.push(*b);
                    second = rest;
                } else {
                    merged.push(*a);
                    first = others;
                }
            }
            merged.extend_from_slice(first);
            merged.extend_from_slice(second);
        }
        sorted = merged;
        run *= 2;
    }
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Would take hours if the place of each swap were searched anew.
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
