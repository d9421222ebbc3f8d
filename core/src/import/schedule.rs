//! Owns what would come of a file of bookings that repeat, a series from each row: the client and the pets that it names,
//! the days, times, lengths and services, and what is wrong in which cell. Nothing is written here.

use serde::Serialize;

use super::cell::{DateOrder, Dates, PetNames, date};
use super::preview::Problem;
use super::recurrence::{Repeats, minutes, repeats, times};
use super::table::{Table, TableRow};
use crate::rows::offering::PricingType;
use crate::rows::series::{Series, SeriesEnd, SeriesPhase, SeriesPlan, SeriesRule, SeriesSlot};
use crate::rows::service::ServiceType;
use crate::rules::offering::service_type;
use crate::rules::scheduling::CONSTRAINTS;
use crate::rules::series::{Audience, sentence};
use crate::values::bounds::{IMPORT_SERIES, SERIES_SLOTS, SERIES_VISITS_OF_END, text_error};
use crate::values::format;
use crate::values::json::{read_by_field, read_by_name};
use crate::values::units::HourCycle;
use crate::{Business, Date, Id, Instant};

/// Meaning of a column of such a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum ScheduleColumn {
    /// Name of the client.
    Client,
    /// Names of the pets.
    Pets,
    /// Days in words, or an `RRULE`.
    Days,
    /// Starts of the visits of a day.
    Time,
    /// Length of a visit.
    Minutes,
    /// Name of the service.
    Service,
    /// The first day.
    Start,
    /// The last day.
    End,
    /// Notes for the sitter.
    Notes,
    /// It is not read.
    Other,
}

read_by_name!(ScheduleColumn {
    Client,
    Pets,
    Days,
    Time,
    Minutes,
    Service,
    Start,
    End,
    Notes,
    Other
});

/// Names of columns in other programs, without blanks and capitals; the first column that is called so counts.
const NAMES: &[(ScheduleColumn, &[&str])] = &[
    (
        ScheduleColumn::Client,
        &[
            "client",
            "clientname",
            "customer",
            "customername",
            "owner",
            "ownername",
            "petparent",
            "name",
            "fullname",
        ],
    ),
    (
        ScheduleColumn::Pets,
        &[
            "pets", "pet", "petname", "petnames", "dogs", "dog", "dogname", "animals", "animal",
        ],
    ),
    (
        ScheduleColumn::Days,
        &[
            "days",
            "day",
            "weekdays",
            "weekday",
            "daysofweek",
            "dayofweek",
            "recurrence",
            "recurrencerule",
            "rrule",
            "repeat",
            "repeats",
            "frequency",
            "rule",
            "schedule",
        ],
    ),
    (
        ScheduleColumn::Time,
        &[
            "time",
            "times",
            "starttime",
            "visittime",
            "arrival",
            "arrivaltime",
            "timeofday",
            "at",
        ],
    ),
    (
        ScheduleColumn::Minutes,
        &[
            "minutes",
            "mins",
            "min",
            "duration",
            "durationminutes",
            "length",
            "visitlength",
        ],
    ),
    (
        ScheduleColumn::Service,
        &[
            "service",
            "servicename",
            "servicetype",
            "type",
            "visittype",
            "offering",
        ],
    ),
    (
        ScheduleColumn::Start,
        &[
            "start",
            "startdate",
            "starts",
            "begins",
            "begin",
            "from",
            "firstdate",
            "firstday",
            "date",
        ],
    ),
    (
        ScheduleColumn::End,
        &[
            "end", "enddate", "ends", "until", "to", "lastdate", "lastday",
        ],
    ),
    (
        ScheduleColumn::Notes,
        &[
            "notes",
            "note",
            "comments",
            "comment",
            "instructions",
            "internalnotes",
        ],
    ),
];

/// Guesses the columns by their names.
pub fn guess_schedule(header: &[String]) -> Vec<ScheduleColumn> {
    let plain = |name: &String| -> String {
        let letters = name.chars().filter(|it| it.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect()
    };
    let mut found: Vec<ScheduleColumn> = Vec::new();
    for name in header {
        let name = plain(name);
        let known = NAMES.iter().find(|it| it.1.contains(&name.as_str()));
        let column = known.map(|it| it.0).filter(|it| !found.contains(it));
        found.push(column.unwrap_or(ScheduleColumn::Other));
    }
    found
}

/// A client with its pets, to whom a row can belong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct BookableClient {
    /// Id of the client.
    pub id: Id,
    /// Full name of the client.
    pub name: String,
    /// The pets, in their order.
    pub pets: Vec<Bookable>,
}

read_by_field!(BookableClient { id, name, pets });

/// A pet or an offering that a row can name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Bookable {
    /// Id of the pet or offering.
    pub id: Id,
    /// Name of the pet or offering.
    pub name: String,
    /// Kind of visit that it is booked as; of a pet a walk.
    pub service_type: ServiceType,
}

read_by_field!(Bookable {
    id,
    name,
    service_type
});

/// Names that rows of such a file can have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct BookableNames {
    /// All clients of the business.
    pub clients: Vec<BookableClient>,
    /// The active offerings that are not sold by the day.
    pub offerings: Vec<Bookable>,
    /// The way in which times are written.
    pub hour_cycle: HourCycle,
}

read_by_field!(BookableNames {
    clients,
    offerings,
    hour_cycle
});

/// The names of a business that rows can have.
pub fn bookable_names(business: &Business) -> BookableNames {
    let pets = business.pets_by_client();
    let clients = business.clients.values().map(|it| &it.row);
    let offerings = business.offerings.values().map(|it| &it.row);
    let offerings = offerings.filter(|it| it.is_active && it.pricing_type != PricingType::Daily);
    BookableNames {
        clients: clients
            .map(|it| BookableClient {
                id: it.id,
                name: it.name.clone(),
                pets: pets
                    .of(it.id)
                    .iter()
                    .map(|it| Bookable {
                        id: it.id,
                        name: it.name.clone(),
                        service_type: ServiceType::Walk,
                    })
                    .collect(),
            })
            .collect(),
        offerings: offerings
            .map(|it| Bookable {
                id: it.id,
                name: it.name.clone(),
                service_type: service_type(it),
            })
            .collect(),
        hour_cycle: business.hour_cycle(),
    }
}

/// A row of such a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ImportedSeries {
    /// Number of the row.
    pub row: u32,
    /// `Dana Whitfield, Rex: Mondays and Fridays at 12:00 PM, until you stop it. 30 min`; empty where that is not known yet.
    pub sentence: String,
    /// The series, with slots that have no ids yet; none while something is wrong.
    pub plan: Option<SeriesPlan>,
    /// Problems that keep it from being booked, by cell.
    pub problems: Vec<Problem>,
    /// Cells that nothing is made of, with the names of their columns: `Sitter: Mara`.
    pub unread: Vec<String>,
}

/// Series that would come of a file of bookings that repeat.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct SchedulePreview {
    /// The rows in the order of the file.
    pub rows: Vec<ImportedSeries>,
    /// Number of rows that can be booked.
    pub n_ready: u32,
    /// Number of rows that a problem keeps from being booked.
    pub n_wrong: u32,
    /// Why nothing can be booked yet, such as a column that is missing.
    pub problem: Option<String>,
    /// Sentences on readings that could have been others.
    pub notices: Vec<String>,
}

/// Shows what would come of a file.
pub fn preview_schedule(
    table: &Table,
    columns: &[ScheduleColumn],
    known: &BookableNames,
    today: Date,
) -> SchedulePreview {
    let missing: Vec<String> = [
        (ScheduleColumn::Client, "the client"),
        (ScheduleColumn::Days, "the days"),
        (ScheduleColumn::Time, "the time"),
    ]
    .into_iter()
    .filter(|it| !columns.contains(&it.0))
    .map(|it| it.1.to_owned())
    .collect();
    let problem = if IMPORT_SERIES < table.rows.len() {
        Some(format!(
            "This file has more than {IMPORT_SERIES} rows. Split it into smaller files."
        ))
    } else if missing.is_empty() {
        None
    } else {
        Some(["Say which column has ", &format::names(&missing), "."].concat())
    };
    if problem.is_some() {
        return SchedulePreview {
            problem,
            ..SchedulePreview::default()
        };
    }
    let is_date = |place: usize| {
        let column = columns.get(place);
        matches!(column, Some(ScheduleColumn::Start | ScheduleColumn::End))
    };
    let dates = Dates::of(table.cells_of(is_date));
    let rows: Vec<ImportedSeries> = table
        .rows
        .iter()
        .map(|it| Reader::new(table, columns, it, dates.order).read(known, today))
        .collect();
    let count = |is_ready: bool| {
        let rows = rows.iter().filter(|it| it.plan.is_some() == is_ready);
        u32::try_from(rows.count()).unwrap_or(u32::MAX)
    };
    SchedulePreview {
        n_ready: count(true),
        n_wrong: count(false),
        problem: None,
        notices: dates.notice().into_iter().collect(),
        rows,
    }
}

/// Reads one row.
struct Reader<'a> {
    header: &'a [String],
    columns: &'a [ScheduleColumn],
    row: &'a TableRow,
    order: DateOrder,
    problems: Vec<Problem>,
}

impl<'a> Reader<'a> {
    fn new(
        table: &'a Table,
        columns: &'a [ScheduleColumn],
        row: &'a TableRow,
        order: DateOrder,
    ) -> Self {
        Self {
            header: table.header.as_slice(),
            columns,
            row,
            order,
            problems: Vec::new(),
        }
    }

    fn cell(&self, column: ScheduleColumn) -> &'a str {
        let place = self.columns.iter().position(|it| *it == column);
        let cell = place.and_then(|it| self.row.cells.get(it));
        cell.map_or("", |it| it.trim())
    }

    fn wrong(&mut self, column: ScheduleColumn, text: String) {
        let place = self.columns.iter().position(|it| *it == column);
        self.problems.push(Problem {
            row: self.row.number,
            column: place.and_then(|it| u32::try_from(it).ok()),
            text,
        });
    }

    fn read(mut self, known: &BookableNames, today: Date) -> ImportedSeries {
        let client = self.client(known);
        let pets = client.map(|it| self.pets(it)).unwrap_or_default();
        let repeats = self.repeats();
        let slots = self.slots(known);
        let start = self.start(today);
        let rule = repeats.as_ref().map(|it| &it.rule);
        let begins = rule.map_or(today, |it| first_day(it, start, today));
        let end = self.end((start, begins), repeats.as_ref(), slots.len(), today);
        let notes = self.cell(ScheduleColumn::Notes).to_owned();
        if let Some(text) = text_error("internal_notes", &notes) {
            self.wrong(ScheduleColumn::Notes, text);
        }
        let unread = self.unread();
        let plan = SeriesPlan {
            client_id: client.map(|it| it.id).unwrap_or_default(),
            dog_ids: pets.iter().map(|it| it.id).collect(),
            rule: repeats.map(|it| it.rule).unwrap_or_default(),
            slots,
            end,
            internal_notes: notes,
            ..SeriesPlan::new(begins)
        };
        let is_right = self.problems.is_empty();
        ImportedSeries {
            row: self.row.number,
            sentence: match client {
                Some(client) if is_right => said(&client.name, &pets, &plan, known, today),
                _ => String::new(),
            },
            plan: is_right.then_some(plan),
            problems: self.problems,
            unread,
        }
    }

    fn client<'k>(&mut self, known: &'k BookableNames) -> Option<&'k BookableClient> {
        let cell = self.cell(ScheduleColumn::Client);
        if cell.is_empty() {
            self.wrong(ScheduleColumn::Client, "Name the client.".to_owned());
            return None;
        }
        // `Whitfield, Dana` is how some programs sort them.
        let turned = cell.split_once(',').map(|(last, first)| {
            let (last, first) = (last.trim(), first.trim());
            [first, " ", last].concat()
        });
        let is_called = |it: &&BookableClient| {
            is_alike(&it.name, cell)
                || turned
                    .as_deref()
                    .is_some_and(|cell| is_alike(&it.name, cell))
        };
        let mut found = known.clients.iter().filter(is_called);
        match (found.next(), found.next()) {
            (Some(one), None) => Some(one),
            (None, _) => {
                let text = format!(
                    "No client is called {cell}. Correct the name, or add the client first."
                );
                self.wrong(ScheduleColumn::Client, text);
                None
            }
            (Some(_), Some(_)) => {
                let text = format!("Several clients are called {cell}. Book this one by hand.");
                self.wrong(ScheduleColumn::Client, text);
                None
            }
        }
    }

    fn pets<'k>(&mut self, client: &'k BookableClient) -> Vec<&'k Bookable> {
        let cell = self.cell(ScheduleColumn::Pets);
        if cell.is_empty() {
            if let [only] = client.pets.as_slice() {
                return vec![only];
            }
            let text = format!("Name the pets of {}.", client.name);
            self.wrong(ScheduleColumn::Pets, text);
            return Vec::new();
        }
        if let Some(one) = client.pets.iter().find(|it| is_alike(&it.name, cell)) {
            return vec![one];
        }
        let mut pets: Vec<&Bookable> = Vec::new();
        for name in PetNames::AnyList.read(cell) {
            match client.pets.iter().find(|it| is_alike(&it.name, &name)) {
                Some(pet) if pets.iter().any(|it| it.id == pet.id) => {}
                Some(pet) => pets.push(pet),
                None => {
                    let text = format!("{} has no pet called {name}.", client.name);
                    self.wrong(ScheduleColumn::Pets, text);
                }
            }
        }
        pets
    }

    fn repeats(&mut self) -> Option<Repeats> {
        let cell = self.cell(ScheduleColumn::Days);
        let found = repeats(cell);
        if found.is_none() {
            let text = match cell {
                "" => "Say on which days.".to_owned(),
                _ => "These days cannot be read. Write them as Mon, Wed, Fri, weekdays or daily."
                    .to_owned(),
            };
            self.wrong(ScheduleColumn::Days, text);
        }
        found
    }

    fn slots(&mut self, known: &BookableNames) -> Vec<SeriesSlot> {
        let (service_type, offering_id) = self.service(known);
        let cell = self.cell(ScheduleColumn::Time);
        let found = times(cell);
        if found.is_none() {
            let text = match cell {
                "" => "Say at which time.",
                _ => "This time cannot be read. Write it as 12:00 PM or 12:00.",
            };
            self.wrong(ScheduleColumn::Time, text.to_owned());
        }
        let starts = found.unwrap_or_default();
        if SERIES_SLOTS < starts.len() {
            let text = format!("A day can have {SERIES_SLOTS} visits of a series at most.");
            self.wrong(ScheduleColumn::Time, text);
        }
        let of_all = self.minutes();
        let usual = match service_type {
            ServiceType::Walk => CONSTRAINTS.default_walk_duration,
            ServiceType::Dropin => CONSTRAINTS.default_dropin_duration,
        };
        // What the cell of the length says, else the time's own end, else the usual length.
        let lengths: Vec<u32> = starts
            .iter()
            .map(|(_, own)| of_all.or(*own).unwrap_or(usual))
            .collect();
        if of_all.is_none() && lengths.iter().any(|it| !is_length(*it)) {
            self.wrong(ScheduleColumn::Time, length_error());
        }
        let slots = starts.into_iter().zip(lengths);
        let slots = slots.map(|((start_time, _), duration_minutes)| SeriesSlot {
            start_time,
            duration_minutes,
            service_type,
            offering_id,
            ..SeriesSlot::new(Id::default())
        });
        slots.collect()
    }

    /// The length of each visit, in minutes, where a cell says it.
    fn minutes(&mut self) -> Option<u32> {
        let cell = self.cell(ScheduleColumn::Minutes);
        if cell.is_empty() {
            return None;
        }
        let found = minutes(cell);
        match found {
            Some(it) if is_length(it) => {}
            Some(_) => self.wrong(ScheduleColumn::Minutes, length_error()),
            None => {
                let text = "This length cannot be read. Write it as 30 or 30 min.".to_owned();
                self.wrong(ScheduleColumn::Minutes, text);
            }
        }
        // What is wrong is said once, and not of each time.
        found
            .filter(|it| is_length(*it))
            .or(Some(CONSTRAINTS.min_duration_minutes))
    }

    fn service(&mut self, known: &BookableNames) -> (ServiceType, Option<Id>) {
        let cell = self.cell(ScheduleColumn::Service);
        if let Some(offering) = known.offerings.iter().find(|it| is_alike(&it.name, cell)) {
            return (offering.service_type, Some(offering.id));
        }
        let lower = cell.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|it| lower.contains(it));
        if cell.is_empty() || has(&["walk"]) {
            return (ServiceType::Walk, None);
        }
        if has(&["drop", "visit", "check"]) {
            return (ServiceType::Dropin, None);
        }
        let text = format!(
            "No service is called {cell}. Write walk or drop-in, or the name of one of yours."
        );
        self.wrong(ScheduleColumn::Service, text);
        (ServiceType::Walk, None)
    }

    /// The first day of the file, which may be over.
    fn start(&mut self, today: Date) -> Date {
        let cell = self.cell(ScheduleColumn::Start);
        if cell.is_empty() {
            return today;
        }
        let found = date(cell, self.order);
        if found.is_none() {
            self.wrong(ScheduleColumn::Start, UNREAD_DATE.to_owned());
        }
        found.unwrap_or(today)
    }

    fn end(
        &mut self,
        (start, begins): (Date, Date),
        repeats: Option<&Repeats>,
        n_slots: usize,
        today: Date,
    ) -> SeriesEnd {
        let cell = self.cell(ScheduleColumn::End);
        let is_open = ["", "never", "ongoing", "none", "-", "n/a", "open"];
        if is_open.contains(&cell.to_lowercase().as_str()) {
            let end = repeats.and_then(|it| it.end).unwrap_or(SeriesEnd::Never);
            if let SeriesEnd::On { date } = end {
                self.check_end(ScheduleColumn::Days, date, begins, today);
            }
            if let (SeriesEnd::After { visits }, Some(Repeats { rule, .. })) = (end, repeats) {
                let left = visits_left(rule, (start, begins), visits, n_slots);
                if left == 0 {
                    self.wrong(ScheduleColumn::Days, OVER.to_owned());
                }
                return SeriesEnd::After { visits: left };
            }
            return end;
        }
        match date(cell, self.order) {
            Some(date) => {
                self.check_end(ScheduleColumn::End, date, begins, today);
                SeriesEnd::On { date }
            }
            None => {
                self.wrong(ScheduleColumn::End, UNREAD_DATE.to_owned());
                SeriesEnd::Never
            }
        }
    }

    fn check_end(&mut self, column: ScheduleColumn, end: Date, begins: Date, today: Date) {
        if end < today {
            self.wrong(column, OVER.to_owned());
        } else if end < begins {
            self.wrong(column, "It ends before it begins.".to_owned());
        }
    }

    /// The cells that nothing is made of.
    fn unread(&self) -> Vec<String> {
        let cells = self.row.cells.iter().enumerate();
        let unread = cells.filter(|(place, cell)| {
            let column = self.columns.get(*place).copied();
            !cell.trim().is_empty() && column.is_none_or(|it| it == ScheduleColumn::Other)
        });
        unread
            .map(|(place, cell)| match self.header.get(place) {
                Some(name) if !name.is_empty() => [name, ": ", cell.trim()].concat(),
                _ => cell.trim().to_owned(),
            })
            .collect()
    }
}

const OVER: &str = "This series is over. Leave it out.";

/// Returns true for a length in minutes that a visit can have.
const fn is_length(minutes: u32) -> bool {
    CONSTRAINTS.min_duration_minutes <= minutes && minutes <= CONSTRAINTS.max_duration_minutes
}

fn length_error() -> String {
    let (least, most) = (
        CONSTRAINTS.min_duration_minutes,
        CONSTRAINTS.max_duration_minutes,
    );
    format!("A visit takes from {least} to {most} minutes.")
}

/// The first day of a series that began on `start`: today, or the next of its own dates where it leaves some out.
fn first_day(rule: &SeriesRule, start: Date, today: Date) -> Date {
    let has_gaps = match rule {
        SeriesRule::Daily { every } | SeriesRule::Weekly { every, .. } => 1 < *every,
        SeriesRule::Monthly { .. } | SeriesRule::MonthlyWeekday { .. } => false,
    };
    let next = rule.next_date(start, today).filter(|_| has_gaps);
    next.unwrap_or(today).max(start)
}

/// The visits that are still to come of so many, with `n_slots` on each date.
fn visits_left(
    rule: &SeriesRule,
    (start, begins): (Date, Date),
    visits: u32,
    n_slots: usize,
) -> u32 {
    // More are refused, and not counted first.
    if usize::try_from(visits).is_ok_and(|it| SERIES_VISITS_OF_END < it) {
        return visits;
    }
    let on_a_day = u32::try_from(n_slots).unwrap_or(1).max(1);
    let mut left = visits;
    let mut day = start;
    while 0 < left {
        match rule.next_date(start, day) {
            Some(date) if date < begins => {
                left = left.saturating_sub(on_a_day);
                day = date.plus_days(1);
            }
            _ => break,
        }
    }
    left
}

const UNREAD_DATE: &str = "This date cannot be read. Write it as 2027-05-31, or empty the cell.";

/// Returns true if two names differ in capitals and blanks at most.
fn is_alike(one: &str, other: &str) -> bool {
    let words =
        |it: &str| -> Vec<String> { it.split_whitespace().map(str::to_lowercase).collect() };
    words(one) == words(other)
}

fn said(
    client: &str,
    pets: &[&Bookable],
    plan: &SeriesPlan,
    known: &BookableNames,
    today: Date,
) -> String {
    let phase = SeriesPhase {
        rule: plan.rule.clone(),
        slots: plan.slots.clone(),
        dog_ids: plan.dog_ids.clone(),
        ..SeriesPhase::new(plan.begins)
    };
    let series = Series {
        end: plan.end,
        phases: vec![phase],
        ..Series::new(Id::default(), Instant(0))
    };
    let days = sentence(
        &series,
        plan.begins,
        today,
        known.hour_cycle,
        Audience::Sitter,
    );
    let pets: Vec<String> = pets.iter().map(|it| it.name.clone()).collect();
    let mut lengths: Vec<String> = Vec::new();
    for slot in &plan.slots {
        let length = format::duration(slot.duration_minutes);
        if !lengths.contains(&length) {
            lengths.push(length);
        }
    }
    let offering = plan.slots.first().and_then(|it| it.offering_id);
    let offering = known.offerings.iter().find(|it| Some(it.id) == offering);
    let kind = match (offering, plan.slots.first().map(|it| it.service_type)) {
        (Some(offering), _) => offering.name.as_str(),
        (None, Some(ServiceType::Dropin)) => "Drop-in",
        _ => "Walk",
    };
    let begins = if plan.begins == today {
        String::new()
    } else {
        [", beginning ", &format::date(plan.begins)].concat()
    };
    [
        &format::set_apart(client),
        ", ",
        &format::names(&pets),
        ": ",
        &days,
        &begins,
        ". ",
        kind,
        ", ",
        &format::names(&lengths),
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> BookableNames {
        let named = |id, name: &str, service_type| Bookable {
            id: Id::of(id),
            name: name.to_owned(),
            service_type,
        };
        let client = |id, name: &str, pets: &[(u128, &str)]| BookableClient {
            id: Id::of(id),
            name: name.to_owned(),
            pets: pets
                .iter()
                .map(|it| named(it.0, it.1, ServiceType::Walk))
                .collect(),
        };
        BookableNames {
            clients: vec![
                client(1, "Dana Whitfield", &[(11, "Rex"), (12, "Salt & Pepper")]),
                client(2, "Sam Rivers", &[(21, "Luna")]),
                client(3, "Kim Lee", &[(31, "Bo")]),
                client(4, "Kim Lee", &[(41, "Mo")]),
            ],
            offerings: vec![named(5, "Puppy visit", ServiceType::Dropin)],
            hour_cycle: HourCycle::H12,
        }
    }

    fn read(file: &str) -> SchedulePreview {
        let table = Table::read(file.as_bytes()).unwrap();
        let columns = guess_schedule(&table.header);
        let today = "2026-11-20".parse().unwrap();
        preview_schedule(&table, &columns, &known(), today)
    }

    #[test]
    fn a_row_becomes_a_series_that_is_said_in_a_sentence() {
        let found = read(
            "Client,Pets,Days,Time,Minutes,Service,Start,End,Sitter\n\
             Dana Whitfield,Rex,\"Mon, Wed, Fri\",12:00 PM,30 min,Walk,2026-11-30,,Mara\n\
             \"Rivers, Sam\",,weekdays,\"8:00, 18:00\",,puppy visit,1/5/2026,12/31/2026,\n\
             dana whitfield,salt & pepper,FREQ=WEEKLY;BYDAY=MO;COUNT=4,9 - 9:45 AM,,,,,\n",
        );
        assert_eq!((found.n_ready, found.n_wrong), (3, 0), "{found:?}");
        let sentences: Vec<&str> = found.rows.iter().map(|it| it.sentence.as_str()).collect();
        assert_eq!(
            sentences,
            [
                "Dana Whitfield, Rex: Mondays, Wednesdays and Fridays at 12:00 PM, until you stop it, beginning Nov 30, 2026. Walk, 30 min",
                "Sam Rivers, Luna: Every weekday at 8:00 AM and 6:00 PM, until Dec 31. Puppy visit, 30 min",
                "Dana Whitfield, Salt & Pepper: Mondays at 9:00 AM, 4 visits. Walk, 45 min",
            ]
        );
        let plan = found.rows[1].plan.as_ref().unwrap();
        assert_eq!(
            (plan.client_id, plan.dog_ids.as_slice()),
            (Id::of(2), &[Id::of(21)][..])
        );
        assert_eq!(plan.slots[0].offering_id, Some(Id::of(5)));
        // A rule without gaps that began long ago goes on from today.
        assert_eq!(plan.begins.to_string(), "2026-11-20");
        assert_eq!(found.rows[0].unread, ["Sitter: Mara"]);
    }

    #[test]
    fn a_series_that_began_before_goes_on_with_its_own_dates_and_what_is_left_of_them() {
        let found = read(
            "Client,Days,Time,Start\n\
             Sam Rivers,every other Tuesday,12:00 PM,2026-11-03\n\
             Sam Rivers,every other Tuesday,12:00 PM,2026-11-10\n\
             Sam Rivers,every other day,12:00 PM,2026-11-01\n\
             Sam Rivers,every other day,12:00 PM,2026-11-02\n\
             Sam Rivers,FREQ=WEEKLY;BYDAY=MO;COUNT=4,12:00 PM,2026-11-09\n\
             Sam Rivers,FREQ=DAILY;COUNT=30,\"8:00, 18:00\",2026-11-09\n\
             Sam Rivers,FREQ=WEEKLY;BYDAY=MO;COUNT=2,12:00 PM,2026-11-09\n",
        );
        let plans = found.rows.iter().map(|it| it.plan.as_ref());
        let plans: Vec<Option<(String, SeriesEnd)>> = plans
            .map(|it| it.map(|it| (it.begins.to_string(), it.end)))
            .collect();
        let plan = |day: &str, end| Some((day.to_owned(), end));
        let visits = |visits| SeriesEnd::After { visits };
        assert_eq!(
            plans,
            [
                plan("2026-12-01", SeriesEnd::Never),
                plan("2026-11-24", SeriesEnd::Never),
                plan("2026-11-21", SeriesEnd::Never),
                plan("2026-11-20", SeriesEnd::Never),
                plan("2026-11-20", visits(2)),
                plan("2026-11-20", visits(8)),
                None,
            ]
        );
        let sentence = &found.rows[0].sentence;
        assert!(sentence.contains("beginning Dec 1, 2026"), "{sentence}");
        let over = "This series is over. Leave it out.";
        assert_eq!(found.rows[6].problems[0].text, over);
    }

    #[test]
    fn a_count_that_no_series_can_have_is_not_counted() {
        let day = |text: &str| text.parse().unwrap();
        let daily = SeriesRule::Daily { every: 1 };
        let left = visits_left(&daily, (day("0001-01-01"), day("2026-11-20")), u32::MAX, 1);
        assert_eq!(left, u32::MAX);
    }

    #[test]
    fn each_time_of_a_day_has_the_length_that_it_names() {
        let found = read(
            "Client,Days,Time,Minutes\n\
             Sam Rivers,Mon,\"8:00-8:30, 12:00-13:00, 18:00\",\n\
             Sam Rivers,Mon,\"8:00-8:30, 12:00-13:00\",45\n\
             Sam Rivers,Mon,9-5,\n",
        );
        let lengths = |row: usize| -> Vec<u32> {
            let plan = found.rows[row].plan.as_ref().unwrap();
            plan.slots.iter().map(|it| it.duration_minutes).collect()
        };
        assert_eq!(lengths(0), [30, 60, 30]);
        assert_eq!(lengths(1), [45, 45]);
        let sentence = &found.rows[0].sentence;
        assert!(sentence.ends_with("Walk, 30 min and 1 h"), "{sentence}");
        let problem = &found.rows[2].problems[0];
        assert_eq!(problem.column, Some(2));
        assert_eq!(problem.text, "A visit takes from 15 to 480 minutes.");
    }

    #[test]
    fn each_cell_that_is_wrong_is_named_and_the_others_are_kept() {
        let found = read(
            "Client,Pets,Days,Time,Minutes,Service,Start,End\n\
             Nobody,Rex,Mon,9:00,30,Walk,,\n\
             Kim Lee,,Mon,9:00,30,Walk,,\n\
             Dana Whitfield,,Mon,9:00,30,Walk,,\n\
             Dana Whitfield,\"Rex, Max\",sometimes,morning,long,Grooming,soon,later\n\
             Sam Rivers,,Mon,9:00,30,Walk,,2026-11-19\n\
             Sam Rivers,,Mon,9:00,600,Walk,2027-02-01,2027-01-01\n",
        );
        assert_eq!((found.n_ready, found.n_wrong), (0, 6));
        let texts: Vec<Vec<(Option<u32>, &str)>> = found
            .rows
            .iter()
            .map(|it| {
                it.problems
                    .iter()
                    .map(|it| (it.column, it.text.as_str()))
                    .collect()
            })
            .collect();
        assert_eq!(
            texts[0],
            [(
                Some(0),
                "No client is called Nobody. Correct the name, or add the client first."
            )]
        );
        assert_eq!(
            texts[1],
            [(
                Some(0),
                "Several clients are called Kim Lee. Book this one by hand."
            )]
        );
        assert_eq!(texts[2], [(Some(1), "Name the pets of Dana Whitfield.")]);
        let columns: Vec<Option<u32>> = texts[3].iter().map(|it| it.0).collect();
        assert_eq!(columns, [1, 2, 5, 3, 4, 6, 7].map(Some));
        assert_eq!(texts[4], [(Some(7), "This series is over. Leave it out.")]);
        assert_eq!(
            texts[5],
            [
                (Some(4), "A visit takes from 15 to 480 minutes."),
                (Some(7), "It ends before it begins."),
            ]
        );
    }

    #[test]
    fn a_file_without_days_or_with_too_many_rows_says_so() {
        let found = read("Client,Notes\nDana Whitfield,x\n");
        let problem = "Say which column has the days and the time.";
        assert_eq!(found.problem.as_deref(), Some(problem));
        let rows = "Sam Rivers,Mon,9:00\n".repeat(IMPORT_SERIES + 1);
        let found = read(&["Client,Days,Time\n", &rows].concat());
        let problem = "This file has more than 500 rows. Split it into smaller files.";
        assert_eq!(found.problem.as_deref(), Some(problem));
        assert_eq!(found.rows, []);
    }
}
