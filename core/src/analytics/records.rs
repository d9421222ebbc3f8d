//! Owns what is looked at: services without their words, in order, with their clients by number. The server fills it from
//! its tables, a phone from its replica.

use super::period::{PRESETS, Period};
use crate::rows::blocked_time::BlockedTime;
use crate::rows::client::Client;
use crate::rows::pattern::Pattern;
use crate::rows::service::{BOTH, ServiceStatus, ServiceType};
use crate::rows::service_figures::ServiceFigures;
use crate::rows::walk_request::RequestStatus;
use crate::rules::request;
use crate::values::bounds::ANALYTICS_SERVICES;
use crate::values::interval::Interval;
use crate::values::place::Place;
use crate::values::sort::SmallSort as _;
use crate::values::units::HourCycle;
use crate::{Business, Cents, Date, FieldErrors, Id, Now, Time};

/// Input of the analytics of one span: counted services, clients, requests and offered hours.
#[derive(Clone, Debug, PartialEq)]
pub struct Records {
    /// The span that the figures are about.
    pub(super) period: Period,
    /// The day on which it is looked at, in the business's zone.
    pub(super) today: Date,
    /// How times of day are shown.
    pub(super) hour_cycle: HourCycle,
    /// Services in order of time.
    pub(super) services: Vec<Counted>,
    /// Clients of those services.
    pub(super) clients: Vec<Customer>,
    /// Requests of the span and of the one before.
    pub(super) requests: Vec<Asked>,
    /// When services are offered; empty where nobody has said.
    pub(super) offered: Vec<OfferedHours>,
    /// Minutes of the span in which nothing can be booked, in order, none of which touch.
    pub(super) blocked: Vec<Interval>,
}

/// A service as it is counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Counted {
    pub date: Date,
    pub start: Time,
    pub minutes: u32,
    /// Its place in `Records::clients`.
    pub client: usize,
    pub service_type: ServiceType,
    pub is_stay: bool,
    pub status: ServiceStatus,
    pub paid: bool,
    pub price: Cents,
}

impl Counted {
    pub(super) fn is_done(&self) -> bool {
        self.status == ServiceStatus::Completed
    }

    /// In minutes of the wall clock since 1970.
    pub(super) fn begin(&self) -> i64 {
        self.date.minute(self.start)
    }

    /// The minute after the last; of a stay it says nothing.
    pub(super) fn end(&self) -> i64 {
        self.begin() + i64::from(self.minutes)
    }
}

/// Somebody who has services.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Customer {
    pub id: Id,
    /// Name of the client as it is now, or as it was when the client was deleted.
    pub name: String,
    /// False once the client is deleted.
    pub is_kept: bool,
    /// Home, where known.
    pub home: Option<Place>,
    /// True if a service was completed before the span of comparison began.
    pub served_earlier: bool,
}

/// Name and home of a client.
#[derive(Clone, Debug, PartialEq)]
pub struct ClientPlace {
    /// Id of the client.
    pub id: Id,
    /// Full name of the client.
    pub name: String,
    /// Home, WGS 84 degrees, where known.
    pub lat: Option<f64>,
    /// Home, WGS 84 degrees, where known.
    pub lng: Option<f64>,
}

impl From<&Client> for ClientPlace {
    fn from(it: &Client) -> Self {
        Self {
            id: it.id,
            name: it.name.clone(),
            lat: it.lat,
            lng: it.lng,
        }
    }
}

/// A request, by when it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The day on which it was made, in the business's zone.
    pub date: Date,
    /// Status of the request today.
    pub status: RequestStatus,
}

/// Hours of one weekday in which services are offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfferedHours {
    /// 0 = Sunday to 6 = Saturday.
    pub day_of_week: u8,
    /// When they begin.
    pub start: Time,
    /// When they end; hours that end before they begin hold nothing.
    pub end: Time,
}

/// Rows of which records are made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sources {
    /// All services of `Period::needed`, each once, in any order.
    pub services: Vec<ServiceFigures>,
    /// The clients that there are.
    pub clients: Vec<ClientPlace>,
    /// Ids and names of clients who were deleted; the name is that of their last service in `Period::needed`.
    pub former: Vec<(Id, String)>,
    /// Clients with a completed service before the span before; of those whom the span before has, or nobody has, it may
    /// leave out any.
    pub served_earlier: Vec<Id>,
    /// The requests of the span and of the one before, or more.
    pub requests: Vec<Asked>,
    /// Weekly hours of the active availability patterns.
    pub offered: Vec<OfferedHours>,
    /// All blocked times.
    pub blocked: Vec<BlockedTime>,
}

impl Sources {
    /// Clients that were served in the span and not in the one before, by id: whether they are new is for older services to
    /// say.
    fn new_clients(&self, period: Period, numbered: &Numbered) -> Vec<Id> {
        let before = period.before();
        // Whether each was served in the span before, and in this one.
        let mut served = vec![[false; 2]; numbered.ids.len()];
        for (it, place) in self.services.iter().zip(&numbered.places) {
            if it.status == ServiceStatus::Completed
                && let Some([earlier, now]) = served.get_mut(*place)
            {
                *earlier |= before.has(it.date);
                *now |= period.has(it.date);
            }
        }
        let clients = numbered.ids.iter().zip(served);
        clients
            .filter(|(_, it)| *it == [false, true])
            .map(|(id, _)| *id)
            .collect()
    }
}

/// The clients of services.
struct Numbered {
    /// Each once, in order.
    ids: Vec<Id>,
    /// For each service the index of its client in `ids`.
    places: Vec<usize>,
}

impl Numbered {
    /// Each is looked for once among the few of whom there are so many services.
    fn of(services: &[ServiceFigures]) -> Self {
        // With the number by which they came.
        let mut known: Vec<(Id, usize)> = Vec::new();
        let mut numbers = Vec::with_capacity(services.len());
        for it in services {
            let number = match known.binary_search_by_key(&it.client_id, |it| it.0) {
                Ok(place) => known.get(place).map_or(0, |it| it.1),
                Err(place) => {
                    known.insert(place, (it.client_id, known.len()));
                    known.len() - 1
                }
            };
            numbers.push(number);
        }
        let mut place_of = vec![0; known.len()];
        for (place, (_, number)) in known.iter().enumerate() {
            if let Some(it) = place_of.get_mut(*number) {
                *it = place;
            }
        }
        let places = numbers.iter().filter_map(|it| place_of.get(*it).copied());
        Self {
            places: places.collect(),
            ids: known.into_iter().map(|it| it.0).collect(),
        }
    }
}

impl OfferedHours {
    /// Takes the weekly hours of the active ones among `patterns`.
    pub fn of<'a>(patterns: impl Iterator<Item = &'a Pattern>) -> Vec<Self> {
        let active = patterns.filter(|it| it.is_active);
        let hours = active.map(|it| Self {
            day_of_week: it.day_of_week,
            start: it.start_time,
            end: it.end_time,
        });
        hours.collect()
    }
}

impl Records {
    /// Returns true if the last day of the span has come.
    pub(super) fn is_over(&self) -> bool {
        self.period.end_date <= self.today
    }

    /// Builds the records of a span from rows in any order.
    pub fn of(mut sources: Sources, period: Period, today: Date, hour_cycle: HourCycle) -> Self {
        sources.services.small_sort_by(Ord::cmp);
        let numbered = Numbered::of(&sources.services);
        Self::of_numbered(sources, numbered, period, today, hour_cycle)
    }

    /// The same where the services are in order and their clients known.
    fn of_numbered(
        sources: Sources,
        numbered: Numbered,
        period: Period,
        today: Date,
        hour_cycle: HourCycle,
    ) -> Self {
        let Sources {
            services,
            clients,
            former,
            mut served_earlier,
            requests,
            offered,
            blocked,
        } = sources;
        served_earlier.small_sort_by(Ord::cmp);
        let Numbered { ids, places } = numbered;
        let mut customers: Vec<Customer> = ids
            .iter()
            .map(|id| Customer {
                id: *id,
                name: String::new(),
                is_kept: false,
                home: None,
                served_earlier: served_earlier.binary_search(id).is_ok(),
            })
            .collect();
        let mut counted = Vec::with_capacity(services.len());
        for (it, client) in services.into_iter().zip(places) {
            counted.push(Counted {
                date: it.date,
                start: it.start_time,
                minutes: it.duration_minutes,
                client,
                service_type: it.service_type,
                is_stay: it.is_stay,
                status: it.status,
                paid: it.paid,
                price: it.price,
            });
        }
        let place_of = |id: &Id| ids.binary_search(id).ok();
        for (id, name) in former {
            if let Some(customer) = place_of(&id).and_then(|it| customers.get_mut(it)) {
                customer.name = name;
            }
        }
        for row in clients {
            if let Some(customer) = place_of(&row.id).and_then(|it| customers.get_mut(it)) {
                customer.name = row.name;
                customer.is_kept = true;
                customer.home = row
                    .lat
                    .zip(row.lng)
                    .and_then(|(lat, lng)| Place::from_degrees(lat, lng));
            }
        }
        Self {
            period,
            today,
            hour_cycle,
            services: counted,
            clients: customers,
            requests,
            offered,
            blocked: blocked_minutes(&blocked, period),
        }
    }

    /// Builds the records of a span from the replica on a phone. Fails with `too_many_services` if `period` needs more
    /// than `bounds::ANALYTICS_SERVICES` services.
    pub fn of_business(
        business: &Business,
        period: Period,
        now: &Now,
    ) -> Result<Self, FieldErrors> {
        let today = now.today();
        // The spans come one after the other, as days and what is counted of a day do: all are in order.
        let spans = period.needed(today).into_iter();
        let services = spans.flat_map(|it| {
            let services = &business.services;
            services.figures_between(it.start_date, it.end_date)
        });
        let services: Vec<ServiceFigures> = services.take(ANALYTICS_SERVICES + 1).collect();
        if ANALYTICS_SERVICES < services.len() {
            return Err(too_many_services());
        }
        let requests = business.requests.values().map(|it| Asked {
            date: it.row.created_at.civil(&now.zone).0,
            status: request::status(business, &it.row),
        });
        let counts = period.with_before();
        let mut sources = Sources {
            services,
            clients: business
                .clients
                .values()
                .map(|it| (&it.row).into())
                .collect(),
            former: Vec::new(),
            served_earlier: Vec::new(),
            requests: requests.filter(|it| counts.has(it.date)).collect(),
            offered: OfferedHours::of(business.patterns.values().map(|it| &it.row)),
            blocked: business
                .blocked_times
                .values()
                .map(|it| it.row.clone())
                .collect(),
        };
        let first = period.before().start_date;
        let numbered = Numbered::of(&sources.services);
        let new = sources.new_clients(period, &numbered);
        sources.served_earlier = business.services.served_before(first, new);
        let last = period.needed(today).into_iter().map(|it| it.end_date).max();
        if let Some(last) = last {
            let ids = numbered.ids.iter().copied();
            let gone = ids.filter(|it| business.client(*it).is_none());
            sources.former = business.services.names_until(last, gone.collect());
        }
        let hour_cycle = business.hour_cycle();
        Ok(Self::of_numbered(
            sources, numbered, period, today, hour_cycle,
        ))
    }
}

/// Finds some of what the longest of the presets counts, its last days first, so that no choice of days has to: all before
/// `end`, or all. Gives the day to go on before; none when everything is found.
pub fn find_ahead(business: &Business, end: Option<Date>, today: Date) -> Option<Date> {
    let longest = PRESETS.into_iter().max().unwrap_or_default();
    let needed = Period::until(today, longest).needed(today);
    let (first, last) = needed.first().zip(needed.last())?;
    let end = end.unwrap_or_else(|| last.end_date.plus_days(1));
    business.services.find_figures(first.start_date, end)
}

/// Why days with more than `bounds::ANALYTICS_SERVICES` are not looked at.
pub fn too_many_services() -> FieldErrors {
    let mut errors = FieldErrors::default();
    let text = "There are too many services in these dates. Choose fewer days.";
    errors.add("startDate", text);
    errors
}

/// Returns the minutes of a span in which blocked times exclude both kinds of services, in order and merged where they
/// touch.
fn blocked_minutes(blocked: &[BlockedTime], period: Period) -> Vec<Interval> {
    let keeps_out = |it: &&BlockedTime| BOTH.iter().all(|kind| it.blocked_services.contains(kind));
    let blocked: Vec<&BlockedTime> = blocked.iter().filter(keeps_out).collect();
    let mut minutes: Vec<Interval> = Vec::new();
    for date in period.days() {
        // Day by day, so that thousands that repeat for years are never there at once.
        let on_day = blocked.iter().filter_map(|it| it.interval_on(date));
        let mut on_day: Vec<Interval> = on_day.collect();
        on_day.small_sort_by_key(|it| it.start);
        for it in on_day {
            match minutes.last_mut() {
                Some(last) if it.start <= last.end => last.end = last.end.max(it.end),
                _ => minutes.push(it),
            }
        }
    }
    minutes
}
