//! Owns what an hour of work brings, in all and client by client, with the ways between visits.

use serde::Serialize;

use super::period::Period;
use super::records::{Counted, Customer, Records};
use crate::rules::mileage::{WAY_KM_PER_HOUR, way_m};
use crate::values::sort::SmallSort as _;
use crate::{Cents, Id};

/// Most clients that are listed from each end: of those whose hours bring the most, and of those whose bring the least.
const LISTED: usize = 100;

/// Clients that are shown first from each end of the list.
const SHOWN: usize = 4;

/// The least visits of a client who is ranked: one short visit says nothing about an hour.
const RANKED_VISITS: u32 = 3;

/// A client's revenue per hour of visits and travel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PerHour {
    /// Id of the client, who may be deleted by now.
    pub client_id: Id,
    /// Name of the client as it is now, or as it was when the client was deleted.
    pub name: String,
    /// False once the client is deleted.
    pub is_kept: bool,
    /// Revenue of the client's completed visits in the span.
    pub revenue: Cents,
    /// Number of the client's visits.
    pub visits: u32,
    /// Minutes of the client's visits; time that several visits share is divided among them.
    pub visit_minutes: u32,
    /// Half of each way to and from a neighboring visit of the day.
    pub way_minutes: u32,
    /// Revenue per hour of `visit_minutes` and `way_minutes` together.
    pub per_hour: Cents,
    /// True if the client's home is known; without it the ways to it are left out.
    pub has_home: bool,
}

/// Revenue per hour of work, in all and by client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ClientHours {
    /// Revenue per hour of all visits and the ways between them; none without visits. Time that visits share counts
    /// once.
    pub per_hour: Option<Cents>,
    /// Revenue per hour in the span before.
    pub per_hour_before: Option<Cents>,
    /// Client by client, who brings the most per hour first, and behind them those whose homes are not known, since their
    /// ways are not in it. Of each of both kinds the first and the last 100 at most.
    pub clients: Vec<PerHour>,
    /// Number of clients in the middle of the list that are left out.
    pub clients_left_out: u32,
    /// Clients of the list to be shown first: those who bring the most, 4 at most, or 8 where there are no more.
    pub most: Vec<PerHour>,
    /// Clients who bring the least, the least last, 4 at most; none where `most` has all.
    pub least: Vec<PerHour>,
    /// The least visits of a client in `most` and `least`.
    pub ranked_visits: u32,
    /// Clients with fewer visits, who are in neither.
    pub clients_not_ranked: u32,
    /// Ways that are left out, since a home is not known.
    pub ways_left_out: u32,
    /// Assumed speed on the ways, in kilometers per hour; a way is 1.3 times the straight line.
    pub way_km_per_hour: u32,
}

/// Returns the time for half of the way between two homes, in seconds; none where one is not known.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a saturating cast is right for a way around the world"
)]
fn half_way_seconds(from: &Customer, to: &Customer) -> Option<i64> {
    let seconds = way_m(from.home?, to.home?) * 3.6 / f64::from(WAY_KM_PER_HOUR);
    Some((seconds / 2.0).round() as i64)
}

/// Visits, and half of the ways beside each of them.
#[derive(Clone, Copy, Default)]
struct Worked {
    revenue: Cents,
    visits: u32,
    visit_seconds: i64,
    way_seconds: i64,
}

impl Worked {
    fn per_hour(self) -> Option<Cents> {
        let seconds = self.visit_seconds + self.way_seconds;
        (0 < seconds).then(|| self.revenue.share(3600, seconds))
    }
}

/// Minutes of visits, from the first on, by how many visits are in each.
struct AtOnce {
    begin: i64,
    visits: Vec<i64>,
}

impl AtOnce {
    /// Counts how many visits are in each minute; the visits must overlap one after the other.
    fn of(together: &[&Counted]) -> Self {
        let begin = together.first().map(|it| it.begin()).unwrap_or_default();
        let end = together.iter().map(|it| it.end()).max().unwrap_or(begin);
        let n_minutes = usize::try_from(end - begin).unwrap_or_default();
        let mut at_once = Self {
            begin,
            visits: vec![0; n_minutes],
        };
        for visit in together {
            let minutes = at_once.minutes(visit);
            for n_visits in at_once.visits.get_mut(minutes).into_iter().flatten() {
                *n_visits += 1;
            }
        }
        at_once
    }

    fn minutes(&self, visit: &Counted) -> std::ops::Range<usize> {
        let place = |minute: i64| usize::try_from(minute - self.begin).unwrap_or_default();
        place(visit.begin())..place(visit.end())
    }

    /// The part of its time that is a visit's own, in seconds.
    fn own_seconds(&self, visit: &Counted) -> i64 {
        let minutes = self.visits.get(self.minutes(visit)).unwrap_or_default();
        // In sixtieths, so that little is lost.
        let shares = minutes.iter().map(|n_visits| 3600 / n_visits);
        (shares.sum::<i64>() + 30) / 60
    }
}

/// The work of a span: in all, by client, and how many ways are left out.
struct Work {
    all: Worked,
    by_client: Vec<Worked>,
    ways_left_out: u32,
}

impl Work {
    fn of(records: &Records, period: Period) -> Self {
        let visits = records.services.iter();
        let visits = visits.filter(|it| it.is_done() && !it.is_stay && period.has(it.date));
        let visits: Vec<&Counted> = visits.collect();
        let mut work = Self {
            all: Worked::default(),
            by_client: vec![Worked::default(); records.clients.len()],
            ways_left_out: 0,
        };
        let mut last: Option<&Counted> = None;
        let mut rest = visits.as_slice();
        while let [first, ..] = rest {
            let mut end = first.end();
            let overlaps = |it: &&&Counted| {
                let is_within = it.begin() < end || std::ptr::eq(**it, *first);
                end = end.max(if is_within { it.end() } else { end });
                is_within
            };
            let n_together = rest.iter().take_while(overlaps).count();
            let (together, others) = rest.split_at(n_together.max(1));
            rest = others;
            if let Some(before) = last.filter(|it| it.date == first.date) {
                work.go(records, before, first);
            }
            work.visit(first.begin(), end, together);
            last = together.last().copied();
        }
        work
    }

    /// Visits that overlap one after the other; between them nobody goes anywhere.
    fn visit(&mut self, begin: i64, end: i64, together: &[&Counted]) {
        self.all.visit_seconds += (end - begin) * 60;
        // Most are alone, and have all of their time.
        let shared = (1 < together.len()).then(|| AtOnce::of(together));
        for visit in together {
            self.all.revenue = self.all.revenue + visit.price;
            if let Some(it) = self.by_client.get_mut(visit.client) {
                it.revenue = it.revenue + visit.price;
                it.visits += 1;
                it.visit_seconds += match &shared {
                    Some(at_once) => at_once.own_seconds(visit),
                    None => (end - begin) * 60,
                };
            }
        }
    }

    /// The way from one visit of a day to the next; of the same client there is none.
    fn go(&mut self, records: &Records, from: &Counted, to: &Counted) {
        if from.client == to.client {
            return;
        }
        let ends = records.clients.get(from.client);
        let ends = ends.zip(records.clients.get(to.client));
        let Some(half) = ends.and_then(|(from, to)| half_way_seconds(from, to)) else {
            self.ways_left_out += 1;
            return;
        };
        self.all.way_seconds += 2 * half;
        for client in [from.client, to.client] {
            if let Some(it) = self.by_client.get_mut(client) {
                it.way_seconds += half;
            }
        }
    }
}

pub(super) fn client_hours(records: &Records) -> ClientHours {
    let work = Work::of(records, records.period);
    let worked = records.clients.iter().zip(&work.by_client);
    let mut clients: Vec<PerHour> = worked
        .filter_map(|(client, worked)| {
            let minutes = |seconds: i64| u32::try_from((seconds + 30) / 60).unwrap_or(u32::MAX);
            Some(PerHour {
                client_id: client.id,
                name: client.name.clone(),
                is_kept: client.is_kept,
                revenue: worked.revenue,
                visits: worked.visits,
                visit_minutes: minutes(worked.visit_seconds),
                way_minutes: minutes(worked.way_seconds),
                per_hour: worked.per_hour()?,
                has_home: client.home.is_some(),
            })
        })
        .collect();
    clients.small_sort_by(|a, b| {
        let by_hour = (b.has_home, b.per_hour, b.revenue).cmp(&(a.has_home, a.per_hour, a.revenue));
        by_hour.then_with(|| (&a.name, a.client_id).cmp(&(&b.name, b.client_id)))
    });
    let n_all = clients.len();
    let n_homes = clients.iter().filter(|it| it.has_home).count();
    let (with_home, without) = clients.split_at(n_homes);
    // Where no home is known all are alike.
    let ranked = if with_home.is_empty() {
        without
    } else {
        with_home
    };
    let ranked: Vec<PerHour> = ranked
        .iter()
        .filter(|it| RANKED_VISITS <= it.visits)
        .cloned()
        .collect();
    let rare = clients.iter().filter(|it| it.visits < RANKED_VISITS);
    let clients_not_ranked = u32::try_from(rare.count()).unwrap_or(u32::MAX);
    let (most, least) = if ranked.len() <= 2 * SHOWN {
        (ranked, Vec::new())
    } else {
        let (most, rest) = ranked.split_at(SHOWN);
        let (_, least) = rest.split_at(rest.len() - SHOWN);
        (most.to_vec(), least.to_vec())
    };
    let clients = [ends(with_home), ends(without)].concat();
    ClientHours {
        per_hour: work.all.per_hour(),
        per_hour_before: Work::of(records, records.period.before()).all.per_hour(),
        clients_left_out: u32::try_from(n_all - clients.len()).unwrap_or(u32::MAX),
        clients,
        most,
        least,
        ranked_visits: RANKED_VISITS,
        clients_not_ranked,
        ways_left_out: work.ways_left_out,
        way_km_per_hour: WAY_KM_PER_HOUR,
    }
}

/// The first and the last of a long list.
fn ends(list: &[PerHour]) -> Vec<PerHour> {
    let between = LISTED..list.len().saturating_sub(LISTED).max(LISTED);
    let listed = list.iter().enumerate();
    let listed = listed.filter(|(place, _)| !between.contains(place));
    listed.map(|(_, it)| it.clone()).collect()
}
