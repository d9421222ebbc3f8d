//! Owns the best order of a day's stops where times are free: the shortest way that every window and every fixed time
//! allows, found by looking at all of them.

use crate::values::bounds::DAY_STOPS;

/// A stop of a day, by minutes of that day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stop {
    /// Earliest start, in minutes of the day.
    pub(crate) earliest: i64,
    /// Latest start, in minutes of the day; the earliest one where the time is fixed.
    pub(crate) latest: i64,
    /// Minutes that it lasts.
    pub(crate) length: i64,
}

impl Stop {
    const fn is_fixed(self) -> bool {
        self.earliest == self.latest
    }
}

/// A way between two stops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Way {
    pub(crate) meters: i64,
    pub(crate) minutes: i64,
}

/// An order with the start of each stop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Order {
    /// Indices of stops with their starts, in the order of the way.
    pub(crate) starts: Vec<(usize, i64)>,
    /// Meters of all ways together.
    pub(crate) meters: i64,
}

/// New starts are at times that people say.
const STEP_MINUTES: i64 = 5;

/// Finds the order with the shortest way; of several, the first one in the order of the stops given. `ways[a][b]` is the way
/// from stop `a` to stop `b`. None where there is no order, or where there are more than `DAY_STOPS` stops.
///
/// A stop begins as early as its window and the way allow. Two fixed stops that follow each other stay as they are, however
/// little time is between them.
pub(crate) fn best(stops: &[Stop], ways: &[Vec<Way>]) -> Option<Order> {
    if DAY_STOPS < stops.len() {
        return None;
    }
    let mut search = Search {
        stops,
        ways,
        order: Order::default(),
        best: None,
    };
    search.go_on();
    search.best
}

struct Search<'a> {
    stops: &'a [Stop],
    ways: &'a [Vec<Way>],
    order: Order,
    best: Option<Order>,
}

impl Search<'_> {
    fn go_on(&mut self) {
        let shortest = self.best.as_ref().map_or(i64::MAX, |it| it.meters);
        if shortest <= self.order.meters {
            return;
        }
        if self.order.starts.len() == self.stops.len() {
            self.best = Some(self.order.clone());
            return;
        }
        for next in 0..self.stops.len() {
            if self.order.starts.iter().any(|it| it.0 == next) {
                continue;
            }
            let Some((start, meters)) = self.start_of(next) else {
                continue;
            };
            let before = self.order.meters;
            self.order.starts.push((next, start));
            self.order.meters += meters;
            self.go_on();
            self.order.starts.pop();
            self.order.meters = before;
        }
    }

    /// Returns the start of a stop behind those that are in the order, and the meters to it; none where it is too late.
    fn start_of(&self, next: usize) -> Option<(i64, i64)> {
        let stop = *self.stops.get(next)?;
        let Some(&(last, began)) = self.order.starts.last() else {
            return Some((stop.earliest, 0));
        };
        let before = *self.stops.get(last)?;
        let way = *self.ways.get(last)?.get(next)?;
        if before.is_fixed() && stop.is_fixed() {
            return (began <= stop.earliest).then_some((stop.earliest, way.meters));
        }
        let arrival = began + before.length + way.minutes;
        let steps = (arrival + STEP_MINUTES - 1).div_euclid(STEP_MINUTES);
        let start = match stop.is_fixed() {
            true if arrival <= stop.earliest => stop.earliest,
            true => return None,
            false => stop.earliest.max(steps * STEP_MINUTES),
        };
        (start <= stop.latest).then_some((start, way.meters))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const fn free(earliest: i64, latest: i64) -> Stop {
        Stop {
            earliest,
            latest,
            length: 30,
        }
    }

    const fn fixed(start: i64) -> Stop {
        free(start, start)
    }

    /// Ways on a line, at 100 m a minute.
    fn on_a_line(places: &[i64]) -> Vec<Vec<Way>> {
        let way = |from: i64, to: i64| {
            let meters = (from - to).abs();
            Way {
                meters,
                minutes: (meters + 99) / 100,
            }
        };
        let ways = places.iter();
        ways.map(|from| places.iter().map(|to| way(*from, *to)).collect())
            .collect()
    }

    fn indices(order: &Order) -> Vec<usize> {
        order.starts.iter().map(|it| it.0).collect()
    }

    #[test]
    fn free_stops_are_put_where_they_are_on_the_way() {
        // Out, back and out again.
        let stops = [fixed(600), free(600, 900), free(600, 900)];
        let order = best(&stops, &on_a_line(&[0, 2000, 1000])).unwrap();
        assert_eq!(indices(&order), [0, 2, 1]);
        assert_eq!(order.starts, [(0, 600), (2, 640), (1, 680)]);
        assert_eq!(order.meters, 2000);
    }

    #[test]
    fn fixed_times_stay_and_windows_hold() {
        let stops = [fixed(600), free(700, 760), fixed(660)];
        let order = best(&stops, &on_a_line(&[0, 100, 5000])).unwrap();
        // On the way back, though it was beside the first one.
        assert_eq!(indices(&order), [0, 2, 1]);
        // Its window ends before anybody can be back.
        let stops = [fixed(600), free(690, 700), fixed(660)];
        assert_eq!(best(&stops, &on_a_line(&[0, 100, 5000])), None);
        // Two that were planned too close are no reason to offer nothing.
        let tight = [fixed(600), fixed(610), free(600, 900)];
        assert!(best(&tight, &on_a_line(&[0, 5000, 5000])).is_some());
    }

    #[test]
    fn more_stops_than_can_be_searched_have_no_best_order() {
        let stops = vec![free(0, 1400); DAY_STOPS + 1];
        let places: Vec<i64> = (0..=10).collect();
        assert_eq!(best(&stops, &on_a_line(&places)), None);
    }

    /// All orders, each judged by itself.
    fn brute_force(stops: &[Stop], ways: &[Vec<Way>]) -> Option<i64> {
        fn orders(left: &[usize]) -> Vec<Vec<usize>> {
            if left.is_empty() {
                return vec![Vec::new()];
            }
            let mut all = Vec::new();
            for (place, first) in left.iter().enumerate() {
                let mut rest = left.to_vec();
                rest.remove(place);
                for mut order in orders(&rest) {
                    order.insert(0, *first);
                    all.push(order);
                }
            }
            all
        }
        let all: Vec<usize> = (0..stops.len()).collect();
        let judged = orders(&all).into_iter().filter_map(|order| {
            let (mut meters, mut at) = (0, None::<(usize, i64)>);
            for next in order {
                let stop = stops[next];
                let start = match at {
                    None => stop.earliest,
                    Some((last, began)) => {
                        let way = ways[last][next];
                        meters += way.meters;
                        let is_pair = stops[last].is_fixed() && stop.is_fixed();
                        let arrival = began + stops[last].length + way.minutes;
                        if is_pair {
                            if stop.earliest < began {
                                return None;
                            }
                            stop.earliest
                        } else if stop.is_fixed() {
                            if stop.earliest < arrival {
                                return None;
                            }
                            stop.earliest
                        } else {
                            stop.earliest.max((arrival + 4) / 5 * 5)
                        }
                    }
                };
                if stop.latest < start {
                    return None;
                }
                at = Some((next, start));
            }
            Some(meters)
        });
        judged.min()
    }

    proptest! {
        #[test]
        fn no_order_has_a_shorter_way(
            day in prop::collection::vec((72_i64..240, 0_i64..60, 1_i64..20, 0_i64..6000), 1..7),
        ) {
            let stops: Vec<Stop> = day.iter().map(|(earliest, window, length, _)| Stop {
                earliest: earliest * 5,
                latest: (earliest + if window % 3 == 0 { 0 } else { *window }) * 5,
                length: length * 5,
            }).collect();
            let places: Vec<i64> = day.iter().map(|it| it.3).collect();
            let ways = on_a_line(&places);
            let found = best(&stops, &ways);
            prop_assert_eq!(found.map(|it| it.meters), brute_force(&stops, &ways));
        }
    }
}
