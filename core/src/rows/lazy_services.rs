//! Owns the services that are known here, by id and by day. A phone holds years of them and shows a week: one that comes
//! from the disk is read when it is first asked for.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use walkies_row_text::RowText;

use crate::rows::lazy_row::{LazyRow, PageLine};
use crate::rows::service::{Service, ServiceStatus};
use crate::rows::service_figures::{BEFORE_CLIENT, ServiceFigures};
use crate::rows::versioned::Versioned;
use crate::values::bounds::STAY_DAYS;
use crate::values::date::FIRST_DAY;
use crate::values::sort::SmallSort as _;
use crate::{Date, Id, Row};

/// Services by day and by id, each read when it is first asked for.
#[derive(Clone, Debug, Default)]
pub struct LazyServices {
    by_date: BTreeMap<Date, Day>,
    /// Services that last for days, by their first day.
    stays: BTreeSet<(Date, Id)>,
    /// The day of each, once one is looked for by its id: a phone that starts shows a day before it looks for any.
    days: OnceLock<BTreeMap<Id, Date>>,
}

/// The services of a day.
#[derive(Clone, Debug, Default)]
struct Day {
    /// Sorted by id.
    services: Vec<LazyService>,
    /// Figures of the services, sorted, computed when they are first asked for.
    figures: OnceLock<Vec<ServiceFigures>>,
}

impl Day {
    fn get(&self, id: Id) -> Option<&LazyService> {
        self.services.get(self.place(id).ok()?)
    }

    /// Finds the index of a service, or the one at which it has to be inserted.
    fn place(&self, id: Id) -> Result<usize, usize> {
        self.services.binary_search_by_key(&id, |it| it.id)
    }

    /// Adds one that is not there.
    fn put(&mut self, service: LazyService) {
        if let Err(place) = self.place(service.id) {
            self.services.insert(place, service);
            self.figures = OnceLock::new();
        }
    }

    fn remove(&mut self, id: Id) {
        if let Ok(place) = self.place(id) {
            self.services.remove(place);
            self.figures = OnceLock::new();
        }
    }

    fn figures(&self) -> &[ServiceFigures] {
        self.figures.get_or_init(|| {
            let services = self.services.iter();
            let mut figures: Vec<_> = services.filter_map(LazyService::figures).collect();
            figures.small_sort_by(Ord::cmp);
            figures
        })
    }
}

/// A service, read or not.
#[derive(Clone, Debug)]
struct LazyService {
    id: Id,
    date: Date,
    is_stay: bool,
    row: LazyRow<Service>,
}

impl LazyService {
    fn read(&self) -> Option<&Versioned<Service>> {
        self.row.read(|row| match row {
            Row::Service(row) => Some(row),
            _ => None,
        })
    }

    /// Returns the figures of the service; a row that was not read stays unread.
    fn figures(&self) -> Option<ServiceFigures> {
        let text = self.row.unread_bytes();
        text.and_then(|it| ServiceFigures::in_text(it, self.date, self.is_stay))
            .or_else(|| Some((&self.read()?.row).into()))
    }

    /// The name of the offering that it was booked with; empty for a plain visit.
    fn offering_name(&self) -> Option<Cow<'_, str>> {
        let text = self.row.unread_bytes();
        text.and_then(ServiceFigures::offering_name_in)
            .or_else(|| Some(Cow::Borrowed(self.read()?.row.offering_name.as_str())))
    }

    /// Whose it is.
    fn client_id(&self) -> Option<Id> {
        let text = self.row.unread_bytes();
        text.and_then(ServiceFigures::client_id_in)
            .or_else(|| Some(self.read()?.row.client_id))
    }

    /// Whose it is, and what that client was called.
    fn client(&self) -> Option<(Id, Cow<'_, str>)> {
        let text = self.row.unread_bytes();
        text.and_then(ServiceFigures::client_in).or_else(|| {
            let row = &self.read()?.row;
            Some((row.client_id, Cow::Borrowed(row.client_name.as_str())))
        })
    }
}

impl LazyServices {
    /// The service, if it is known.
    pub fn get(&self, id: &Id) -> Option<&Versioned<Service>> {
        let date = self.days().get(id)?;
        self.by_date.get(date)?.get(*id)?.read()
    }

    /// The day of each by its id.
    fn days(&self) -> &BTreeMap<Id, Date> {
        let all = || self.all().map(|it| (it.id, it.date));
        self.days.get_or_init(|| all().collect())
    }

    /// By date and id, read or not.
    fn all(&self) -> impl Iterator<Item = &LazyService> {
        self.by_date.values().flat_map(|it| &it.services)
    }

    /// The days from `first` to `last`, both included, that have any.
    fn days_between(&self, first: Date, last: Date) -> impl DoubleEndedIterator<Item = &Day> {
        // A range of a map must not end before it begins.
        let days = (first <= last).then(|| self.by_date.range(first..=last));
        days.into_iter().flatten().map(|(_, it)| it)
    }

    /// From `first` to `last`, both included, by date and id, read or not.
    fn on_days(&self, first: Date, last: Date) -> impl DoubleEndedIterator<Item = &LazyService> {
        self.days_between(first, last).flat_map(|it| &it.services)
    }

    /// All of them, by date and id; reads what was not read.
    pub fn values(&self) -> impl Iterator<Item = &Versioned<Service>> {
        self.all().filter_map(LazyService::read)
    }

    /// At least those that refer to the row `id`, as the client's or the offering's; reads few others.
    pub fn referring_to(&self, id: Id) -> impl Iterator<Item = &Service> {
        let id = id.to_string();
        let candidates = self.all().filter(move |it| it.row.may_say(&id));
        candidates.filter_map(|it| Some(&it.read()?.row))
    }

    /// At least those that are not paid, by date and id; reads few others.
    pub fn unpaid(&self) -> impl Iterator<Item = &Service> {
        let candidates = self.all().filter(|it| it.row.may_say(r#""paid":false"#));
        candidates.filter_map(|it| Some(&it.read()?.row))
    }

    /// Those that are still to be done, from `first` to `last`, both included, by date; reads few others.
    pub fn open_between(&self, first: Date, last: Date) -> impl Iterator<Item = &Service> {
        let candidates = self.on_days(first, last);
        let candidates = candidates.filter(|it| it.row.may_say(r#""status":"scheduled""#));
        let services = candidates.filter_map(|it| Some(&it.read()?.row));
        services.filter(|it| it.status == ServiceStatus::Scheduled)
    }

    /// From `first` to `last`, both included, by date.
    pub fn between(&self, first: Date, last: Date) -> impl Iterator<Item = &Service> {
        self.on_days(first, last)
            .filter_map(|it| Some(&it.read()?.row))
    }

    /// Figures of the services from `first` to `last`, both included, by date and in the order of `ServiceFigures`;
    /// reads none of them.
    pub fn figures_between(&self, first: Date, last: Date) -> impl Iterator<Item = ServiceFigures> {
        let days = self.days_between(first, last);
        days.flat_map(|it| it.figures().iter().copied())
    }

    /// Figures of the services from `first` to `last`, both included, by date, each with the name of the offering that it
    /// was booked with; reads none of them.
    pub fn named_figures_between(
        &self,
        first: Date,
        last: Date,
    ) -> impl Iterator<Item = (Cow<'_, str>, ServiceFigures)> {
        let services = self.on_days(first, last);
        services.filter_map(|it| Some((it.offering_name()?, it.figures()?)))
    }

    /// Stays whose first day is from `first` to `last`, both included, by that day; reads nothing else.
    pub fn stays_beginning(&self, first: Date, last: Date) -> impl Iterator<Item = &Service> {
        let stays = self.on_days(first, last).filter(|it| it.is_stay);
        stays.filter_map(|it| Some(&it.read()?.row))
    }

    /// At least those from `first` to `last`, both included, that are paid and stand on no invoice, by date; reads few
    /// others.
    pub fn paid_alone_between(&self, first: Date, last: Date) -> impl Iterator<Item = &Service> {
        let candidates = self.on_days(first, last).filter(|it| {
            it.row.may_say(r#""paid":true"#) && it.row.may_say(r#""invoice_id":null"#)
        });
        candidates.filter_map(|it| Some(&it.read()?.row))
    }

    /// Finds what is counted of some hundreds from `first` on, the last before `end` first, so that it is there when it is
    /// asked for. Gives the day to go on before; none when all are found.
    pub fn find_figures(&self, first: Date, end: Date) -> Option<Date> {
        const AT_ONCE: usize = 400;
        let mut found = 0;
        let days = (first < end).then(|| self.by_date.range(first..end).rev());
        for (date, day) in days.into_iter().flatten() {
            found += day.figures().len();
            if AT_ONCE <= found {
                return Some(*date);
            }
        }
        None
    }

    /// Whose they are; reads none.
    pub fn client_ids(&self) -> impl Iterator<Item = Id> {
        self.all().filter_map(LazyService::client_id)
    }

    /// Returns those of these clients, sorted by id, who had a service completed before `day`; reads none.
    pub fn served_before(&self, day: Date, clients: Vec<Id>) -> Vec<Id> {
        let (mut unknown, mut served) = (clients, Vec::new());
        for service in self
            .on_days(Date::of_days(FIRST_DAY), day.plus_days(-1))
            .rev()
        {
            if unknown.is_empty() {
                break;
            }
            if service
                .client_id()
                .is_some_and(|it| unknown.binary_search(&it).is_ok())
                && let Some(figures) = service.figures()
                && figures.status == ServiceStatus::Completed
            {
                unknown.retain(|it| *it != figures.client_id);
                served.push(figures.client_id);
            }
        }
        served
    }

    /// Returns the names that these clients, sorted by id, had in their last service up to `day`; reads none.
    pub fn names_until(&self, day: Date, clients: Vec<Id>) -> Vec<(Id, String)> {
        let (mut unknown, mut names) = (clients, Vec::new());
        for service in self.on_days(Date::of_days(FIRST_DAY), day).rev() {
            if unknown.is_empty() {
                break;
            }
            if let Some((client_id, name)) = service.client()
                && let Ok(place) = unknown.binary_search(&client_id)
            {
                unknown.remove(place);
                names.push((client_id, name.into_owned()));
            }
        }
        names
    }

    /// Stays that have a day in common with these days, both included, by their first.
    pub fn stays_between(&self, first: Date, last: Date) -> impl Iterator<Item = &Service> {
        let earliest = first.plus_days(-i64::from(STAY_DAYS));
        let range =
            (first <= last).then(|| self.stays.range((earliest, Id::FIRST)..=(last, Id::LAST)));
        let stays = range
            .into_iter()
            .flatten()
            .filter_map(|(date, id)| Some(&self.by_date.get(date)?.get(*id)?.read()?.row));
        stays.filter(move |it| it.end_date.is_some_and(|end| first <= end))
    }

    /// Services on `first` and later, by date.
    pub fn since(&self, first: Date) -> impl Iterator<Item = &Service> {
        let days = self.by_date.range(first..);
        let services = days.flat_map(|(_, it)| &it.services);
        services.filter_map(|it| Some(&it.read()?.row))
    }

    /// Inserts a service that was read already, or replaces the one with this id.
    pub fn insert(&mut self, id: Id, versioned: Box<Versioned<Service>>) {
        self.remove(&id);
        let (date, is_stay) = (versioned.row.date, versioned.row.end_date.is_some());
        self.put(LazyService {
            id,
            date,
            is_stay,
            row: LazyRow::of(versioned),
        });
    }

    /// Takes the one on the line `from..to` of a page without reading it, which no other line nor page has. `false` where the
    /// line is not as this build expects one, which it then has to be read to know.
    pub fn insert_unread(&mut self, id: Id, page: &Arc<String>, from: usize, to: usize) -> bool {
        let line = PageLine::new(page, from, to);
        let Some((date, is_stay)) = days_in(line.bytes()) else {
            return false;
        };
        // Whether it was there before is not looked for, ten thousand times at a start.
        self.put(LazyService {
            id,
            date,
            is_stay,
            row: LazyRow::unread(line),
        });
        true
    }

    /// Removes the service with this id, if there is one.
    pub fn remove(&mut self, id: &Id) {
        let Some(date) = self.days().get(id).copied() else {
            return;
        };
        if let Some(days) = self.days.get_mut() {
            days.remove(id);
        }
        self.stays.remove(&(date, *id));
        if let Some(day) = self.by_date.get_mut(&date) {
            day.remove(*id);
            if day.services.is_empty() {
                self.by_date.remove(&date);
            }
        }
    }

    fn put(&mut self, service: LazyService) {
        let LazyService {
            id, date, is_stay, ..
        } = service;
        self.by_date.entry(date).or_default().put(service);
        if is_stay {
            self.stays.insert((date, id));
        }
        if let Some(days) = self.days.get_mut() {
            days.insert(id, date);
        }
    }
}

impl PartialEq for LazyServices {
    fn eq(&self, other: &Self) -> bool {
        self.values().eq(other.values())
    }
}

/// The day of a service that is still a text, and whether it is the first of a stay. What a person typed cannot look like
/// the field's name, since quotes within a text of JSON are escaped.
// INVARIANT: the first field named `date` in a service's text is its day.
fn days_in(text: &[u8]) -> Option<(Date, bool)> {
    const STAY: &[u8] = br#"","end_date":""#;
    const VISIT: &[u8] = br#"","end_date":null"#;
    let mut text = RowText::new(text);
    let date = text.word(r#""date":""#, BEFORE_CLIENT)?;
    let rest = text.rest().get(date.len()..)?;
    let is_stay = rest.starts_with(STAY);
    let is_known = is_stay || rest.starts_with(VISIT);
    is_known.then_some((date.parse().ok()?, is_stay))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Business;
    use proptest::prelude::*;
    use serde_json::json;

    const NOON: &str = "2026-11-20T12:00:00Z";

    fn id(number: u8) -> Id {
        Id::of(u128::from(number))
    }

    /// A service of client 100 + `of`, with words that look like fields.
    fn service(number: u8, day: u8, of: u8) -> Service {
        let words = r#"","date":"1999-01-01","notes":""#;
        serde_json::from_value(json!({
            "id": id(number), "client_id": id(100 + of), "client_name": words, "dog_ids": [id(200)], "dogs": [words],
            "service_type": "walk", "date": format!("2026-11-{:02}", day + 1), "start_time": "09:00",
            "duration_minutes": 30, "notes": words, "internal_notes": words, "completion_notes": words,
            "status": "scheduled", "price": 25, "paid": false, "created_at": NOON,
            "pricing_breakdown": {
                "baseDogPrice": 25, "additionalDogsCount": 0, "additionalDogsCharge": 0, "total": 25, "explanation": words,
            },
        }))
        .unwrap()
    }

    fn line(service: &Service) -> String {
        let id = service.id;
        let row = serde_json::to_string(service).unwrap();
        format!(r#"service/{id} {{"t":"service","id":"{id}","rev":7,"d":{row}}}"#)
    }

    fn page(lines: &[String]) -> Business {
        let mut business = Business::default();
        business.load(lines.join("\n"));
        business
    }

    #[test]
    fn the_first_field_named_date_in_a_service_s_text_is_its_day() {
        let service = service(1, 19, 0);
        assert_eq!(
            days_in(line(&service).as_bytes()),
            Some((service.date, false))
        );
    }

    #[test]
    fn the_field_after_date_is_end_date_by_which_stays_are_known_before_they_are_read() {
        let mut service = service(1, 19, 0);
        service.end_date = Some(service.date.plus_days(2));
        assert_eq!(
            days_in(line(&service).as_bytes()),
            Some((service.date, true))
        );
    }

    #[test]
    fn a_stay_is_found_on_each_of_its_days() {
        let stay = Service {
            end_date: Some(service(1, 4, 0).date.plus_days(2)),
            ..service(1, 4, 0)
        };
        let business = page(&[line(&stay), line(&service(2, 5, 0))]);
        let found = |day: i64| {
            let day = stay.date.plus_days(day);
            business.services.stays_between(day, day).count()
        };
        assert_eq!([-1, 0, 1, 2, 3].map(found), [0, 1, 1, 1, 0]);
    }

    #[test]
    fn a_page_gives_its_services_whole_and_passes_over_what_cannot_be_read() {
        let (first, second) = (service(1, 19, 0), service(2, 20, 1));
        let cut = line(&service(3, 19, 0)).replace("duration_minutes", "length");
        let undated = line(&service(4, 19, 0)).replace(r#""date":"2026"#, r#""date":"soon"#);
        let nothing = format!("service/{} ", id(5));
        let business = page(&[
            line(&first),
            cut,
            undated,
            nothing,
            line(&second),
            String::new(),
        ]);
        assert_eq!(
            business.services_between(first.date, second.date),
            [&first, &second]
        );
        assert_eq!(business.services.get(&first.id).unwrap().rev, 7);
        assert_eq!(business.services.values().count(), 2);
        assert_eq!(
            business.services_between(second.date, first.date),
            [] as [&Service; 0]
        );
    }

    #[test]
    fn what_is_counted_is_found_piece_by_piece_from_the_last_day_on() {
        let services: Vec<_> = (0..1000_u32)
            .map(|number| {
                let row = service(1, 1, 1);
                let (id, date) = (
                    Id::of(number.into()),
                    row.date.plus_days((number / 10).into()),
                );
                Service { id, date, ..row }
            })
            .collect();
        let business = page(&services.iter().map(line).collect::<Vec<_>>());
        let (first, end) = (services[100].date, services[950].date);
        let all_found = |from: Date, end: Date| {
            let mut days = business.services.by_date.range(from..end);
            days.all(|(_, it)| it.figures.get().is_some())
        };
        let mut ends = vec![end];
        while let Some(next) = business.services.find_figures(first, ends[ends.len() - 1]) {
            assert!(next < ends[ends.len() - 1]);
            assert!(all_found(next, end));
            ends.push(next);
        }
        assert_eq!(ends.len(), 3, "850 in pieces of 400: {ends:?}");
        assert!(all_found(first, end));
        let days = business.services.by_date.values();
        let found = days.filter_map(|it| it.figures.get());
        assert_eq!(found.map(Vec::len).sum::<usize>(), 850);
        assert!(
            business
                .services
                .all()
                .all(|it| it.row.unread_text().is_some()),
            "no row was read"
        );
    }

    #[test]
    fn who_asks_for_a_client_s_services_gets_all_of_them_and_reads_few_others() {
        let services: Vec<_> = (1..=20).map(|it| service(it, it, it % 4)).collect();
        let business = page(&services.iter().map(line).collect::<Vec<_>>());
        let referring: Vec<_> = business.services.referring_to(id(102)).collect();
        assert_eq!(
            referring,
            services
                .iter()
                .filter(|it| it.client_id == id(102))
                .collect::<Vec<_>>()
        );
        let read = business
            .services
            .all()
            .filter(|it| it.row.unread_text().is_none());
        assert_eq!(read.count(), referring.len());
    }

    #[test]
    fn who_asks_for_what_is_not_paid_gets_all_of_it_and_reads_nothing_else() {
        let services = (1..=20).map(|it| Service {
            paid: it % 4 != 0,
            notes: r#"{"paid":false}"#.to_owned(),
            ..service(it, it, 1)
        });
        let services: Vec<_> = services.collect();
        let business = page(&services.iter().map(line).collect::<Vec<_>>());
        let unpaid: Vec<_> = business.services.unpaid().collect();
        assert_eq!(
            unpaid,
            services.iter().filter(|it| !it.paid).collect::<Vec<_>>()
        );
        let read = business
            .services
            .all()
            .filter(|it| it.row.unread_text().is_none());
        assert_eq!(read.count(), unpaid.len());
    }

    #[test]
    fn a_service_s_text_has_its_fields_in_the_order_of_service() {
        let service = service(1, 19, 0);
        let text = line(&service);
        let found = ServiceFigures::in_text(text.as_bytes(), service.date, false);
        assert_eq!(found, Some(ServiceFigures::from(&service)));
    }

    #[test]
    fn what_is_counted_is_found_in_the_text_and_reads_nothing() {
        let mut services: Vec<_> = (1..=20).map(|it| service(it, it, it % 4)).collect();
        for (place, it) in services.iter_mut().enumerate() {
            it.client_name = [r#"Ann "A" \ }"#, "Bo,", "Ö\n", "\\"][place % 4].to_owned();
            it.end_date = (place % 5 == 0).then(|| it.date.plus_days(2));
            it.price = crate::Cents([0, 2550, 30_00, 1][place % 4]);
            it.paid = place % 2 == 0;
            it.status = [
                ServiceStatus::Scheduled,
                ServiceStatus::Completed,
                ServiceStatus::Cancelled,
            ][place % 3];
        }
        let business = page(&services.iter().map(line).collect::<Vec<_>>());
        let (first, last) = (services[2].date, services[17].date);
        let found: Vec<_> = business.services.figures_between(first, last).collect();
        let expected: Vec<_> = services[2..=17].iter().map(ServiceFigures::from).collect();
        assert_eq!(found, expected);
        let mut names = business
            .services
            .names_until(services[17].date, [100, 101, 103].map(id).to_vec());
        names.sort();
        let last = |n: u8| services[..=17].iter().rfind(|it| it.client_id == id(n));
        let expected = [100, 101, 103].map(|it| (id(it), last(it).unwrap().client_name.clone()));
        assert_eq!(names, expected);
        let all = [100, 101, 102, 103].map(id).to_vec();
        let served = business
            .services
            .served_before(services[4].date, all.clone());
        let served: BTreeSet<Id> = served.into_iter().collect();
        let done = |it: &&Service| it.status == ServiceStatus::Completed;
        let expected = services[..4].iter().filter(done).map(|it| it.client_id);
        assert_eq!(served, expected.collect());
        assert!(
            business
                .services
                .served_before(services[0].date, all)
                .is_empty()
        );
        let is_unread = |it: &LazyService| it.row.unread_text().is_some();
        assert!(business.services.all().all(is_unread));
    }

    #[derive(Clone, Debug)]
    enum Step {
        Put(u8, u8),
        Unread(u8, u8),
        Remove(u8),
        Read(u8),
    }

    fn steps() -> impl Strategy<Value = Step> {
        prop_oneof![
            (1..9_u8, 0..4_u8).prop_map(|(number, day)| Step::Put(number, day)),
            (1..9_u8, 0..4_u8).prop_map(|(number, day)| Step::Unread(number, day)),
            (1..9_u8).prop_map(Step::Remove),
            (1..9_u8).prop_map(Step::Read),
        ]
    }

    proptest! {
        #[test]
        fn what_was_not_read_yet_is_found_like_what_was(steps in prop::collection::vec(steps(), 0..40)) {
            let (mut lazy, mut plain) = (LazyServices::default(), BTreeMap::new());
            for step in steps {
                match step {
                    Step::Put(number, day) => {
                        let row = service(number, day, number % 3);
                        plain.insert(row.id, row.clone());
                        lazy.insert(row.id, Box::new(Versioned { rev: 7, row }));
                    }
                    Step::Unread(number, day) => {
                        let row = service(number, day, number % 3);
                        if plain.contains_key(&row.id) {
                            continue;
                        }
                        let text = line(&row);
                        let from = text.find(' ').unwrap() + 1;
                        prop_assert!(lazy.insert_unread(row.id, &Arc::new(text.clone()), from, text.len()));
                        plain.insert(row.id, row);
                    }
                    Step::Remove(number) => {
                        lazy.remove(&id(number));
                        plain.remove(&id(number));
                    }
                    Step::Read(number) => {
                        let read = lazy.get(&id(number)).map(|it| &it.row);
                        prop_assert_eq!(read, plain.get(&id(number)));
                        // What is counted is kept from here on, until the next step changes it.
                        let ends = (service(1, 0, 0).date, service(1, 9, 0).date);
                        let found: Vec<_> = lazy.figures_between(ends.0, ends.1).collect();
                        let mut expected: Vec<_> = plain.values().map(ServiceFigures::from).collect();
                        expected.sort();
                        prop_assert_eq!(found, expected);
                    }
                }
            }
            let sorted = |mut found: Vec<Service>| {
                found.sort_by_key(|it| (it.date, it.id));
                found
            };
            let days = service(1, 1, 0).date..=service(1, 2, 0).date;
            let between = lazy.between(*days.start(), *days.end()).cloned().collect();
            let expected = plain.values().filter(|it| days.contains(&it.date)).cloned().collect();
            prop_assert_eq!(sorted(between), sorted(expected));
            let since = lazy.since(*days.end()).cloned().collect();
            let expected = plain.values().filter(|it| *days.end() <= it.date).cloned().collect();
            prop_assert_eq!(sorted(since), sorted(expected));
            let referring = lazy.referring_to(id(101)).filter(|it| it.client_id == id(101)).cloned().collect();
            let expected = plain.values().filter(|it| it.client_id == id(101)).cloned().collect();
            prop_assert_eq!(sorted(referring), sorted(expected));
            prop_assert_eq!(sorted(lazy.values().map(|it| it.row.clone()).collect()), sorted(plain.into_values().collect()));
        }
    }
}
