//! Owns what the schedule's screens ask beyond the calendar itself: the live answer of the form, a day as a list of
//! visits with what one needs at the door, and the filtered list (SPEC 2, Scheduling). It decides nothing anew:
//! validity, price and conflicts are those of the command that the form will save.

use serde::Serialize;

use crate::commands::{ScheduleService, UpdateService, decide};
use crate::rows::client::Client;
use crate::rows::pet::Pet;
use crate::rows::service::{PriceBreakdown, Service, ServiceStatus, ServiceType};
use crate::rules::conflict::{self, ConflictRequest, Day};
use crate::rules::overdue::{is_not_completed, is_overdue, overdue_before};
use crate::rules::refusal::{FIX_FORM_ERRORS, Obstacle};
use crate::rules::scheduling::STEP_MINUTES;
use crate::rules::service::is_long_over;
use crate::rules::slots::Suggestions;
use crate::rules::ways_to_client::{is_in_portal, told_of_update, told_of_visit_mail};
use crate::rules::{pricing, service, words};
use crate::screens::calendar::{self, CalendarBlock, CalendarStay, ServiceView, UPCOMING_DAYS};
use crate::screens::directory::{self, is_near};
use crate::screens::{close_day, correction};
use crate::values::form_errors::FieldError;
use crate::values::format;
use crate::values::json::read_by_field;
use crate::values::patch::Patch;
use crate::values::report_kind::ReportKind;
use crate::values::sort::SmallSort as _;
use crate::values::units::HourCycle;
use crate::{Business, Cents, Command, Context, Date, Id, Now, Refusal, Time};

/// Content of the schedule form.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ScheduleDraft {
    /// The service that is edited; none for a new one.
    #[serde(default)]
    pub service_id: Option<Id>,
    /// All fields of a new service, the touched ones of a known one.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<Service>"))]
    pub service: Patch,
    /// True if what is saved now waits on the phone, so that nobody is told yet.
    #[serde(default)]
    pub waits: bool,
}

read_by_field!(ScheduleDraft { service } or default { service_id, waits });

/// Something in the way, also in words.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ObstacleView {
    /// The obstacle itself.
    pub obstacle: Obstacle,
    /// `Dana Whitfield, 9:30 AM - 10:00 AM`.
    pub text: String,
}

/// The live answer of the schedule form.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ScheduleCheck {
    /// All that is wrong with the fields, in the form's order.
    pub errors: Vec<FieldError>,
    /// Why it cannot be saved at all as it stands, a conflict not counted: wrong fields, or what happened elsewhere.
    pub problem: Option<String>,
    /// True if the problem is that the plan has no room for more services.
    pub at_limit: bool,
    /// Why its client cannot be changed, where that is so.
    pub client_stays: Option<&'static str>,
    /// Price of the service, once a client is chosen.
    pub price: Option<Cents>,
    /// How that comes about.
    pub breakdown: Option<PriceBreakdown>,
    /// The sentence about a price that is lower than that of a shorter walk; empty where it is not.
    pub price_warning: String,
    /// Count of a stay's nights or days in words: `2 nights, Fri Dec 4 to Sun Dec 6`.
    pub stay_count: Option<String>,
    /// The sentence about that, where anything is in the way of the time.
    pub conflict: Option<String>,
    /// Obstacles of that time, one by one.
    pub obstacles: Vec<ObstacleView>,
    /// Blocked times that allow emergencies.
    pub warnings: Vec<ObstacleView>,
    /// Free starts of the same day next to the wanted one, the suggested ones first and each by time; empty when nothing is
    /// in the way.
    pub free: Vec<FreeStart>,
    /// The sentence about who is told; empty where the change concerns no client, for a new service, and while something is
    /// wrong.
    pub told: String,
}

/// A free start in place of one that is taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct FreeStart {
    /// Start as a field's value: `09:30`.
    pub value: Time,
    /// `9:30 AM`.
    pub label: String,
    /// It lies beside another visit.
    pub suggested: bool,
}

/// More free starts than this are a list and no offer.
const FREE_STARTS_OFFERED: usize = 6;

/// Validity, price and conflicts of what stands in the form, in one answer.
pub fn check(business: &Business, draft: &ScheduleDraft, now: &Now) -> ScheduleCheck {
    let current = draft.service_id.and_then(|id| business.service(id));
    // Overlaps are told apart below, so that a form shows them beside what else is wrong.
    let command = match draft.service_id {
        Some(id) => Command::UpdateService(UpdateService {
            id,
            changes: draft.service.clone(),
            overlap_ok: true,
            former_price: None,
        }),
        None => Command::ScheduleService(ScheduleService {
            id: Id::default(),
            service: draft.service.clone(),
            overlap_ok: true,
            quoted_price: None,
            brings_back: false,
        }),
    };
    let decided = decide(&command, business, &Context::at(now.clone()));
    let at_limit = matches!(decided, Err(Refusal::LimitReached { .. }));
    let told = match (current, &decided) {
        (Some(before), Ok(decision)) => told_of_update(
            business,
            before,
            &decision.changes,
            now.today(),
            !draft.waits,
        ),
        _ => String::new(),
    };
    let (errors, problem) = match decided {
        Ok(_) => (Vec::new(), None),
        Err(Refusal::Invalid { fields }) => (fields, Some(FIX_FORM_ERRORS.to_owned())),
        Err(refusal) => (Vec::new(), Some(refusal.to_string())),
    };
    let fresh = Service::new(Id::default(), now.at);
    let merged = service::merged(&draft.service, current, &fresh, business);
    let breakdown = breakdown(business, &merged.row, current);
    let mut check = ScheduleCheck {
        errors,
        problem,
        at_limit,
        told,
        client_stays: current.and_then(service::tied_to_client),
        price: breakdown.as_ref().map(|it| it.total),
        breakdown,
        price_warning: match current.filter(|it| merged.row.is_priced_like(it)) {
            // It was agreed to when it was booked.
            Some(_) => String::new(),
            None => pricing::price_warning(business, &merged.row),
        },
        stay_count: words::stay_count(&merged.row, business.hour_cycle()),
        ..ScheduleCheck::default()
    };
    let has_time = ["date", "start_time", "duration_minutes"]
        .iter()
        .all(|field| {
            !merged.is_malformed(field) && (current.is_some() || draft.service.has(field))
        });
    // A service that stays where it is was agreed to when it was put there.
    let stays = current.is_some_and(|it| {
        let request = ConflictRequest::of(&merged.row);
        request == ConflictRequest::of(it)
    });
    let is_open = current.is_none_or(|it| it.status == ServiceStatus::Scheduled);
    if has_time && is_open && !stays && 0 < merged.row.duration_minutes {
        let request = ConflictRequest::of(&merged.row);
        let answer = conflict::check(business, &request, now);
        let on = merged.row.date;
        check.obstacles = answer
            .with
            .into_iter()
            .map(|it| ObstacleView::of(it, on, business.hour_cycle()))
            .collect();
        check.warnings = answer
            .warnings
            .into_iter()
            .map(|it| ObstacleView::of(it, on, business.hour_cycle()))
            .collect();
        check.free = nearest(business, merged.row.client_id, &request, answer.free);
        check.conflict = answer.conflict.then(|| {
            Refusal::Conflict {
                with: Vec::new(),
                free: Vec::new(),
                next: None,
            }
            .to_string()
        });
    }
    check
}

/// The price that saving would give: the agreed one as long as what it depends on stays.
fn breakdown(
    business: &Business,
    service: &Service,
    current: Option<&Service>,
) -> Option<PriceBreakdown> {
    if let Some(current) = current.filter(|it| service.is_priced_like(it)) {
        return Some(current.pricing_breakdown.clone());
    }
    pricing::of_service(business, service)
}

/// The free starts that are offered a client in place of the wanted one, the suggested ones first and each by time.
pub(crate) fn nearest(
    business: &Business,
    client_id: Id,
    wanted: &ConflictRequest,
    mut free: Vec<Time>,
) -> Vec<FreeStart> {
    if free.is_empty() {
        return Vec::new();
    }
    let minute = wanted.start_time.minute_of_day();
    free.small_sort_by_key(|it| (it.minute_of_day().abs_diff(minute), *it));
    free.truncate(FREE_STARTS_OFFERED);
    let day = Day::of(business, wanted);
    let suggestions = Suggestions::of(business, Some(client_id));
    let mut starts: Vec<FreeStart> = free
        .into_iter()
        .map(|value| FreeStart {
            value,
            label: format::time(value, business.hour_cycle()),
            suggested: suggestions.have(&day, wanted.starting(value), STEP_MINUTES),
        })
        .collect();
    starts.small_sort_by_key(|it| (!it.suggested, it.value));
    starts
}

impl ObstacleView {
    /// Words an obstacle of something on the day `on`.
    pub fn of(obstacle: Obstacle, on: Date, cycle: HourCycle) -> Self {
        let text = words::obstacle(&obstacle, on, cycle);
        Self { obstacle, text }
    }
}

/// The part of a client that the sitter needs on the way there. A day has many, so there is no more in it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[expect(missing_docs, reason = "as in `Client`")]
pub struct Contact {
    pub id: Id,
    pub name: String,
    pub address: String,
    pub phone: String,
    pub email: String,
    pub access_notes: String,
    pub lat: Option<f64>,
    pub lng: Option<f64>,
    /// True if messages of the app reach the client, who has a login.
    pub in_portal: bool,
}

/// The part of a pet that the sitter needs at the door.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[expect(missing_docs, reason = "as in `Pet`")]
pub struct Face {
    pub id: Id,
    pub name: String,
    pub breed: String,
    pub about: String,
    pub photo: Option<Id>,
}

impl From<&Client> for Contact {
    fn from(client: &Client) -> Self {
        Self {
            id: client.id,
            name: client.name.clone(),
            address: client.address.clone(),
            phone: client.phone.clone(),
            email: client.email.clone(),
            access_notes: client.access_in_all_versions(),
            lat: client.lat,
            lng: client.lng,
            in_portal: is_in_portal(client),
        }
    }
}

impl From<&Pet> for Face {
    fn from(pet: &Pet) -> Self {
        Self {
            id: pet.id,
            name: pet.name.clone(),
            breed: pet.breed.clone(),
            about: pet.about_in_all_versions(),
            photo: pet.photo,
        }
    }
}

/// A service with what one needs at the door.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Visit {
    /// The service, with what is derived from it.
    pub view: ServiceView,
    /// The client; absent once it is deleted.
    pub client: Option<Contact>,
    /// Its pets as they are known now, in the service's order; deleted ones are missing.
    pub pets: Vec<Face>,
    /// `Friday, November 20`.
    pub heading: String,
    /// `8:34 AM`: when it was marked done.
    pub done_at: Option<String>,
    /// It began the evening before the day on which it is shown.
    pub continued: bool,
    /// It can be walked now: a walk of today, or of last night and hardly over, that is still to be done.
    pub can_start: bool,
    /// Occasion of the log that can begin for it now; none where none can.
    pub starts: Option<ReportKind>,
    /// Its last day has come: true for every visit, and for a stay that goes on for no further day.
    pub is_last_day: bool,
    /// It can be marked done at once: what is no such walk or overdue, and not still to come.
    pub can_complete: bool,
    /// One needs to know now how to get in.
    pub is_near: bool,
    /// Corrections of its status in words, the latest first.
    pub corrections: Vec<String>,
    /// Sentence on the last mail that told the client of it; empty where there was none.
    pub mail: String,
}

/// A day as a list.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct DayPlan {
    /// The day itself.
    pub date: Date,
    /// `Friday, November 20`.
    pub heading: String,
    /// Visits that are left, in words: `7 visits today`, `5 of 8 visits to go`, `All 8 visits done`; `1 stay today` where a stay
    /// is all there is.
    pub title: String,
    /// `3 overdue`, of the day's own visits and stays; empty where none is.
    pub overdue: String,
    /// Overdue services of earlier days; only today has them.
    pub left_open: Option<LeftOpen>,
    /// True if it is today.
    pub is_today: bool,
    /// The stays of which it is a day, by their first.
    pub stays: Vec<CalendarStay>,
    /// Number of services that 'Close the day' lists; 0 for another day than today.
    pub n_to_close: u32,
    /// Visits of the day, by start, behind those that are late.
    pub visits: Vec<Visit>,
    /// Number of visits of today that wait for their start or their completion: they are the first of `visits`. The next one
    /// is not among them.
    pub n_late: u32,
    /// The visit that comes next: the first one that should not be done by now; only today has one.
    pub next: Option<Id>,
    /// Blocked times, by start.
    pub blocks: Vec<CalendarBlock>,
}

/// Overdue services from before today.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct LeftOpen {
    /// `37 overdue since Nov 19`.
    pub title: String,
    /// How many there are.
    pub count: u32,
    /// The latest of them, by date and start.
    pub visits: Vec<Visit>,
}

/// So many are done one by one on the day itself; of more the list is the place.
const LEFT_OPEN_SHOWN: usize = 3;

/// The visits of a day, the next one named.
pub fn day_plan(business: &Business, date: Date, now: &Now) -> DayPlan {
    let calendar = calendar::day(business, date, 0, now);
    let mut services = business.services_within(date, date);
    services.retain(|it| it.end_date.is_none());
    let open = || {
        services
            .iter()
            .copied()
            .filter(|it| it.status == ServiceStatus::Scheduled)
    };
    let next = calendar
        .is_today
        .then(|| open().find(|it| !is_not_completed(it, now)))
        .flatten()
        .map(|it| it.id);
    // What began yesterday counts there.
    let n_open = open().filter(|it| it.date == date).count();
    let stays = calendar.stays.iter().map(|it| it.view.service.status);
    let n_stays = stays.filter(|it| *it != ServiceStatus::Cancelled).count();
    let n_overdue = calendar.stays.iter().filter(|it| it.view.overdue).count()
        + open().filter(|it| is_overdue(it, now)).count();
    let is_late = |it: &Service| calendar.is_today && next != Some(it.id) && is_overdue(it, now);
    let (late, others): (Vec<&Service>, Vec<&Service>) =
        services.iter().copied().partition(|it| is_late(it));
    let n_late = u32::try_from(late.len()).unwrap_or(u32::MAX);
    let shown = late.into_iter().chain(others).map(|it| Visit {
        continued: it.date < date,
        ..visit(business, it, now)
    });
    DayPlan {
        date,
        title: title(calendar.count, n_open, n_stays, calendar.is_today),
        overdue: match n_overdue {
            0 => String::new(),
            _ => format!("{n_overdue} overdue"),
        },
        left_open: calendar
            .is_today
            .then(|| left_open(business, now))
            .flatten(),
        heading: calendar.heading,
        is_today: calendar.is_today,
        n_to_close: match calendar.is_today {
            true => close_day::open_count(business, now),
            false => 0,
        },
        next,
        visits: shown.collect(),
        n_late,
        stays: calendar.stays,
        blocks: calendar.blocks,
    }
}

fn left_open(business: &Business, now: &Now) -> Option<LeftOpen> {
    let overdue = overdue_before(business, now);
    let since = format::month_day(overdue.first()?.date);
    let shown = overdue.len().saturating_sub(LEFT_OPEN_SHOWN);
    Some(LeftOpen {
        title: format!("{} overdue since {since}", overdue.len()),
        count: u32::try_from(overdue.len()).unwrap_or(u32::MAX),
        visits: overdue
            .iter()
            .skip(shown)
            .map(|it| visit(business, it, now))
            .collect(),
    })
}

/// Counts the overdue services: of today and of the last days before it, without those that are
/// `under_way`.
pub fn overdue_count(business: &Business, under_way: &[Id], now: &Now) -> u32 {
    let today = business.services_within(now.today(), now.today());
    let today = today.into_iter().filter(|it| is_overdue(it, now));
    let overdue = overdue_before(business, now).into_iter().chain(today);
    let counted = overdue.filter(|it| !under_way.contains(&it.id));
    u32::try_from(counted.count()).unwrap_or(u32::MAX)
}

/// Returns true if a walk can be recorded for it now; shortly after midnight also for one of last night.
fn can_start(service: &Service, now: &Now) -> bool {
    starts(service, now) == Some(ReportKind::Walk)
}

/// Occasion of the log that can begin for a service now: a walk or a visit of today, shortly after midnight also of last
/// night, or a day of a stay.
fn starts(service: &Service, now: &Now) -> Option<ReportKind> {
    let today = now.today();
    if service.status != ServiceStatus::Scheduled || today < service.date {
        return None;
    }
    match service.end_date {
        Some(last) => (today <= last).then_some(ReportKind::Day),
        None if service.date != today && is_long_over(service, now) => None,
        None if service.service_type == ServiceType::Walk => Some(ReportKind::Walk),
        None => Some(ReportKind::Visit),
    }
}

/// The walks that can begin now, by date and start.
pub fn walks_to_start(business: &Business, now: &Now) -> Vec<ServiceView> {
    let visits = business.visits_between(now.today().plus_days(-1), now.today());
    let walks = visits.into_iter().filter(|it| can_start(it, now));
    walks
        .map(|it| ServiceView::at(it, business.hour_cycle(), Some(now)))
        .collect()
}

/// The walk to whose door a person most likely wants a route: the first that can begin and is not over, of a client whose
/// place is known.
pub fn next_walk(business: &Business, now: &Now) -> Option<ServiceView> {
    let visits = business.visits_between(now.today().plus_days(-1), now.today());
    let next = visits.into_iter().find(|it| {
        let client = business.client(it.client_id);
        can_start(it, now)
            && !is_long_over(it, now)
            && client.is_some_and(|it| it.lat.is_some() && it.lng.is_some())
    });
    next.map(|it| ServiceView::at(it, business.hour_cycle(), Some(now)))
}

fn title(count: u32, n_open: usize, n_stays: usize, is_today: bool) -> String {
    let today = if is_today { " today" } else { "" };
    let is_begun = is_today && n_open < count as usize;
    match count {
        // A stay alone fills the day.
        0 if n_stays == 1 => format!("1 stay{today}"),
        0 if 1 < n_stays => format!("{n_stays} stays{today}"),
        0 => format!("No visits{today}"),
        1 if is_begun => "1 visit done".to_owned(),
        1 => format!("1 visit{today}"),
        _ if is_begun && n_open == 0 => format!("All {count} visits done"),
        _ if is_begun => format!("{n_open} of {count} visits to go"),
        _ => format!("{count} visits{today}"),
    }
}

/// A service with what one needs at the door.
pub fn visit(business: &Business, service: &Service, now: &Now) -> Visit {
    let done = service
        .completed_at
        .filter(|_| service.status == ServiceStatus::Completed);
    let is_due = service.status == ServiceStatus::Scheduled && service.date <= now.today();
    let can_start = can_start(service, now);
    Visit {
        view: ServiceView::at(service, business.hour_cycle(), Some(now)),
        client: business.client(service.client_id).map(Contact::from),
        pets: service
            .dog_ids
            .iter()
            .filter_map(|id| business.pet(*id))
            .map(Face::from)
            .collect(),
        heading: format::date_heading(service.date),
        done_at: done.map(|at| format::time(at.civil(&now.zone).1, business.hour_cycle())),
        continued: false,
        can_start,
        starts: starts(service, now),
        is_last_day: service.end_date.is_none_or(|it| it <= now.today()),
        // Most of what is overdue was done and not marked.
        can_complete: is_due && (!can_start || is_not_completed(service, now)),
        is_near: is_near(service, now),
        corrections: correction::trace(service, business, now),
        mail: told_of_visit_mail(business, service, now, business.hour_cycle()),
    }
}

/// Filter and order of the list of services.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ServiceQuery {
    /// First day of the range.
    #[serde(default)]
    pub first: Option<Date>,
    /// Last day of the range, included.
    #[serde(default)]
    pub last: Option<Date>,
    /// Only services of this status; any status if absent.
    #[serde(default)]
    pub status: Option<ServiceStatus>,
    /// Only overdue services.
    #[serde(default)]
    pub overdue: bool,
    /// Only services of this client.
    #[serde(default)]
    pub client_id: Option<Id>,
    /// Also services that began before `first` and go on.
    #[serde(default)]
    pub going_on: bool,
    /// Latest services first.
    #[serde(default)]
    pub latest_first: bool,
    /// The most services to return.
    pub limit: u32,
}

read_by_field!(ServiceQuery { limit } or default { first, last, status, overdue, client_id, going_on, latest_first });

/// A page of the list.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ServiceList {
    /// How many there are in all.
    pub total: u32,
    /// The first of them.
    pub services: Vec<ServiceView>,
}

/// The services that a query asks for.
pub fn services(business: &Business, query: &ServiceQuery, now: &Now) -> ServiceList {
    let first = query.first.unwrap_or_default();
    let last = query
        .last
        .or_else(|| Date::new(9999, 12, 31))
        .unwrap_or_default();
    let mut found = if query.going_on {
        business.services_within(first, last)
    } else {
        business.services_between(first, last)
    };
    found.retain(|it| {
        query.status.is_none_or(|status| it.status == status)
            && (!query.overdue || is_overdue(it, now))
            && query.client_id.is_none_or(|client| it.client_id == client)
    });
    if query.latest_first {
        found.reverse();
    }
    ServiceList {
        total: u32::try_from(found.len()).unwrap_or(u32::MAX),
        services: found
            .into_iter()
            .take(query.limit as usize)
            .map(|it| ServiceView::at(it, business.hour_cycle(), Some(now)))
            .collect(),
    }
}

/// A service in the lists beside the calendar.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ListedService {
    /// The service, with what is derived from it.
    #[serde(flatten)]
    pub view: ServiceView,
    /// `9:30 AM`, when it begins; of a stay that has begun before `All day`.
    pub time: String,
    /// `Day 2 of 3`, `Since yesterday`: where of its days today is, if it has more than today.
    pub going_on: Option<String>,
}

impl ListedService {
    fn of(service: &Service, business: &Business, now: &Now) -> Self {
        let is_all_day = service.end_date.is_some() && service.date < now.today();
        Self {
            view: ServiceView::at(service, business.hour_cycle(), Some(now)),
            time: if is_all_day {
                "All day".to_owned()
            } else {
                format::time(service.start_time, business.hour_cycle())
            },
            going_on: words::going_on(service, now.today()),
        }
    }
}

/// The lists beside the calendar (SPEC 2, sidebar).
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct SideLists {
    /// Overdue services of earlier days; absent where there are none.
    pub left_open: Option<LeftOpen>,
    /// Number of services that 'Close the day' lists.
    pub n_to_close: u32,
    /// Today's, by date and start.
    pub today: Vec<ListedService>,
    /// The first of what is still to be done in the next 7 days, by date and start.
    pub upcoming: Vec<ListedService>,
    /// How much that is in all.
    pub n_upcoming: u32,
}

/// The services of today, and the first `limit` of the next 7 days that are still to be done; what began before today and
/// goes on is in both. `after_today` leaves what today's list has out of the other one, for screens with both in a column.
pub fn side_lists(business: &Business, limit: u32, after_today: bool, now: &Now) -> SideLists {
    let today = now.today();
    let listed = |it: &Service| ListedService::of(it, business, now);
    let mut upcoming = business.services_within(today, today.plus_days(UPCOMING_DAYS - 1));
    upcoming.retain(|it| {
        it.status == ServiceStatus::Scheduled
            && !is_not_completed(it, now)
            && (!after_today || it.date > today)
    });
    SideLists {
        left_open: left_open(business, now),
        n_to_close: close_day::open_count(business, now),
        today: business
            .services_within(today, today)
            .into_iter()
            .map(listed)
            .collect(),
        n_upcoming: u32::try_from(upcoming.len()).unwrap_or(u32::MAX),
        upcoming: upcoming
            .into_iter()
            .take(limit as usize)
            .map(listed)
            .collect(),
    }
}

/// Days, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct DateRange {
    /// The first one.
    pub first: Date,
    /// The last one.
    pub last: Date,
}

read_by_field!(DateRange { first, last });

/// SPEC 7: the screen loads from 7 days back to one month plus 7 days ahead.
pub fn list_range(today: Date) -> DateRange {
    let (_, _, day) = today.parts();
    // A month without that day has its last one instead.
    let month_ahead = (0..4)
        .find_map(|less| today.in_month(1, day - less))
        .unwrap_or(today);
    DateRange {
        first: today.plus_days(-LIST_DAYS),
        last: month_ahead.plus_days(LIST_DAYS),
    }
}

const LIST_DAYS: i64 = 7;

/// A client to pick.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ClientOption {
    /// The client's id.
    pub id: Id,
    /// `Dana Whitfield (Biscuit)`.
    pub label: String,
}

/// Clients among whom one is picked.
#[derive(Clone, Copy, Debug)]
pub enum Among<'a> {
    /// All of them.
    All,
    /// The active ones, and the one that is chosen already.
    Active(Option<Id>),
    /// Clients that a search finds (`directory::matching`).
    Found(&'a str),
}

/// The first clients to pick from, by name, with their pets' names: many know the dog and not its people.
pub fn client_options(
    business: &Business,
    among: Among<'_>,
    most: usize,
    fold: &dyn Fn(&str) -> String,
) -> Vec<ClientOption> {
    let pets = business.pets_by_client();
    let label = |client: &Client| {
        let here = pets.of(client.id).iter();
        let here = here.filter(|it| it.gone_on.is_none());
        let names: Vec<String> = here.map(|it| it.name.clone()).collect();
        let mut label = client.name.clone();
        if !names.is_empty() {
            let name = format::set_apart(&client.name);
            label = format!("{name} ({})", format::names(&names));
        }
        // Of no matter where nothing is booked.
        if matches!(among, Among::Active(_)) && pets.of(client.id).is_empty() {
            label += ", no pet named yet";
        }
        if client.inactive_since.is_some() {
            label += ", inactive";
        }
        label
    };
    let search = match among {
        Among::Found(search) => search,
        _ => "",
    };
    let is_among = |it: &&Client| match among {
        Among::Active(chosen) => it.inactive_since.is_none() || chosen == Some(it.id),
        _ => true,
    };
    directory::matching(business, search, &pets, fold)
        .into_iter()
        .filter(is_among)
        .take(most)
        .map(|client| ClientOption {
            id: client.id,
            label: label(client),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::availability_config::AvailabilityConfig;
    use crate::rules::overdue::Lateness;
    use crate::values::zone::TimeZone;
    use crate::{Instant, Row};
    use serde_json::json;

    /// 2026-11-20, a Friday, at 10:00 in UTC.
    fn now() -> Now {
        Now {
            at: "2026-11-20T10:00:00Z".parse().unwrap(),
            zone: TimeZone::UTC,
        }
    }

    fn today() -> Date {
        Date::new(2026, 11, 20).unwrap()
    }

    fn at(number: u128, start: &str, date: Date) -> Service {
        let mut service = Service::new(Id::of(number), Instant(0));
        service.client_id = Id::of(1);
        service.client_name = "Dana Whitfield".to_owned();
        service.dog_ids = vec![Id::of(2)];
        service.date = date;
        service.start_time = start.parse().unwrap();
        service
    }

    fn business(services: &[Service]) -> Business {
        let mut business = Business::default();
        let mut client = Client::new(Id::of(1), Instant(0));
        client.name = "Dana Whitfield".to_owned();
        let mut pet = Pet::new(Id::of(2), client.id);
        pet.name = "Biscuit".to_owned();
        business.put(1, Row::Client(client));
        business.put(1, Row::Pet(pet));
        for service in services {
            business.put(1, Row::Service(service.clone()));
        }
        business
    }

    fn draft(service_id: Option<u128>, service: serde_json::Value) -> ScheduleDraft {
        ScheduleDraft {
            service_id: service_id.map(Id::of),
            service: serde_json::from_value(service).unwrap(),
            waits: false,
        }
    }

    #[test]
    fn an_empty_form_is_told_all_that_is_missing_and_no_price() {
        let answer = check(
            &business(&[]),
            &draft(None, json!({ "client_id": "", "dog_ids": [], "date": "" })),
            &now(),
        );
        let texts: Vec<&str> = answer.errors.iter().map(|it| it.text.as_str()).collect();
        assert_eq!(
            texts,
            [
                "Please select a client",
                "Please select at least one dog",
                "Please select a date",
                "Please select a start time"
            ]
        );
        assert_eq!(
            answer.problem.as_deref(),
            Some("Please fix the form errors")
        );
        assert_eq!(answer.price, None);
        assert_eq!(answer.obstacles, []);
    }

    #[test]
    fn price_and_conflict_are_told_while_dogs_are_still_missing() {
        let business = business(&[at(10, "11:00", today())]);
        let wanted = json!({
            "client_id": Id::of(1), "dog_ids": [], "service_type": "walk",
            "date": "2026-11-20", "start_time": "11:15", "duration_minutes": 30,
        });
        let answer = check(&business, &draft(None, wanted), &now());
        assert_eq!(answer.price, Some(Cents(25_00)));
        let texts: Vec<&str> = answer.obstacles.iter().map(|it| it.text.as_str()).collect();
        assert_eq!(texts, ["Dana Whitfield, 11:00 AM - 11:30 AM"]);
        assert_eq!(
            answer.conflict.as_deref(),
            Some("Time slot conflict detected. Please choose a different time.")
        );
        let free: Vec<&str> = answer.free.iter().map(|it| it.label.as_str()).collect();
        assert_eq!(
            free,
            [
                "10:15 AM", "10:30 AM", "11:30 AM", "11:45 AM", "12:00 PM", "12:15 PM"
            ]
        );
    }

    #[test]
    fn an_edit_that_leaves_the_time_alone_is_told_no_conflict_and_keeps_its_price() {
        let mut first = at(10, "11:00", today());
        first.price = Cents(99_00);
        first.pricing_breakdown = PriceBreakdown::agreed(Cents(99_00), 1);
        let business = business(&[first, at(11, "11:00", today())]);
        let answer = check(
            &business,
            &draft(Some(10), json!({ "notes": "Bring the ball" })),
            &now(),
        );
        assert_eq!(
            answer,
            ScheduleCheck {
                price: Some(Cents(99_00)),
                breakdown: Some(PriceBreakdown::agreed(Cents(99_00), 1)),
                told: "Nobody is told: Dana Whitfield is not in the portal.".to_owned(),
                ..ScheduleCheck::default()
            }
        );
        let moved = check(
            &business,
            &draft(Some(10), json!({ "start_time": "11:15" })),
            &now(),
        );
        assert_eq!(moved.obstacles.len(), 1);
        assert_eq!(
            moved.told,
            "Nobody is told: Dana Whitfield is not in the portal."
        );
        assert_eq!(moved.price, Some(Cents(99_00)));
    }

    #[test]
    fn a_service_that_was_completed_elsewhere_says_so_in_the_open_form() {
        let mut done = at(10, "11:00", today());
        done.status = ServiceStatus::Completed;
        let answer = check(
            &business(&[done]),
            &draft(Some(10), json!({ "notes": "x" })),
            &now(),
        );
        assert_eq!(
            answer.problem.as_deref(),
            Some("This service was already completed.")
        );
    }

    #[test]
    fn the_next_visit_is_the_first_open_one_that_should_not_be_done_by_now() {
        let next = |services: &[Service]| day_plan(&business(services), today(), &now()).next;
        let (long_over, late, later) = (
            at(10, "07:00", today()),
            at(11, "09:40", today()),
            at(12, "14:00", today()),
        );
        assert_eq!(
            next(&[long_over.clone(), late.clone(), later.clone()]),
            Some(late.id)
        );
        let mut done = late;
        done.status = ServiceStatus::Completed;
        assert_eq!(
            next(&[long_over.clone(), done, later.clone()]),
            Some(later.id)
        );
        assert_eq!(next(std::slice::from_ref(&long_over)), None);
        assert_eq!(
            day_plan(&business(&[later]), today().plus_days(1), &now()).next,
            None
        );
    }

    #[test]
    fn an_open_visit_is_overdue_a_quarter_of_an_hour_after_its_end_and_says_so_everywhere() {
        let mut done = at(13, "07:30", today());
        done.status = ServiceStatus::Completed;
        let mut cancelled = at(14, "07:40", today());
        cancelled.status = ServiceStatus::Cancelled;
        let business = business(&[
            at(10, "07:00", today()),
            at(11, "09:15", today()),
            at(12, "09:50", today()),
            done,
            cancelled,
            at(15, "14:00", today()),
        ]);
        let plan = day_plan(&business, today(), &now());
        let overdue = |views: Vec<&ServiceView>| -> Vec<Id> {
            let overdue = views.into_iter().filter(|it| it.overdue);
            overdue.map(|it| it.service.id).collect()
        };
        let expected = [Id::of(10), Id::of(11)];
        let listed = super::services(
            &business,
            &ServiceQuery {
                overdue: true,
                limit: 9,
                ..ServiceQuery::default()
            },
            &now(),
        );
        let calendar = calendar::day(&business, today(), 0, &now());
        let side = side_lists(&business, 9, false, &now());
        let visits = plan.visits.iter().map(|it| &it.view).collect();
        assert_eq!(overdue(visits), expected);
        assert_eq!(overdue(listed.services.iter().collect()), expected);
        assert_eq!(listed.total, 2);
        let items = calendar.items.iter().map(|it| &it.view).collect();
        assert_eq!(overdue(items), expected);
        assert_eq!(
            overdue(side.today.iter().map(|it| &it.view).collect()),
            expected
        );
        let upcoming: Vec<Id> = side.upcoming.iter().map(|it| it.view.service.id).collect();
        assert_eq!(upcoming, [Id::of(12), Id::of(15)]);
        assert_eq!(plan.overdue, "2 overdue");
        assert_eq!(plan.next, Some(Id::of(12)));
        assert_eq!(plan.n_late, 2);
        assert_eq!(overdue_count(&business, &[], &now()), 2);
        assert_eq!(overdue_count(&business, &[Id::of(11)], &now()), 1);
        let first = plan.visits.first().unwrap();
        assert!(first.can_start && first.can_complete);
    }

    #[test]
    fn what_is_late_today_stands_above_the_rest_of_the_day() {
        let done = Service {
            status: ServiceStatus::Completed,
            ..at(10, "07:00", today())
        };
        let business = business(&[
            done,
            at(11, "08:10", today()),
            Service {
                duration_minutes: 120,
                ..at(12, "09:00", today())
            },
            // Under an hour's delay the next one is not started either, and still the next one.
            Service {
                duration_minutes: 60,
                ..at(13, "09:30", today())
            },
            at(14, "14:00", today()),
        ]);
        let plan = day_plan(&business, today(), &now());
        let shown: Vec<Id> = plan.visits.iter().map(|it| it.view.service.id).collect();
        assert_eq!(plan.next, Some(Id::of(12)));
        assert_eq!(plan.n_late, 2);
        assert_eq!(shown, [11, 13, 10, 12, 14].map(Id::of));
        let late: Vec<_> = plan.visits.iter().map(|it| it.view.lateness).collect();
        let (not_started, not_completed) =
            (Some(Lateness::NotStarted), Some(Lateness::NotCompleted));
        assert_eq!(late, [not_completed, not_started, None, not_started, None]);
        assert_eq!(plan.overdue, "3 overdue");
    }

    #[test]
    fn the_week_after_today_leaves_out_what_today_has() {
        let mut stay = at(20, "09:00", today().plus_days(-1));
        stay.end_date = Some(today().plus_days(1));
        let business = business(&[
            stay,
            at(10, "23:00", today()),
            at(11, "12:00", today().plus_days(1)),
            at(12, "12:00", today().plus_days(2)),
        ]);
        let side = side_lists(&business, 1, true, &now());
        let ids =
            |it: &[ListedService]| -> Vec<Id> { it.iter().map(|it| it.view.service.id).collect() };
        assert_eq!(ids(&side.today), [Id::of(20), Id::of(10)]);
        assert_eq!(
            (ids(&side.upcoming), side.n_upcoming),
            (vec![Id::of(11)], 2)
        );
    }

    #[test]
    fn what_earlier_days_left_open_stands_above_today_and_is_counted_whole() {
        let yesterday = today().plus_days(-1);
        let mut stay = at(60, "09:00", today().plus_days(-4));
        stay.end_date = Some(today().plus_days(-2));
        let mut services: Vec<Service> = (10..46).map(|it| at(it, "12:00", yesterday)).collect();
        // It reaches into today, whose list has it.
        services.push(Service {
            duration_minutes: 60,
            ..at(50, "23:30", yesterday)
        });
        services.push(stay);
        let business = business(&services);
        let plan = day_plan(&business, today(), &now());
        let left = plan.left_open.unwrap();
        assert_eq!(
            (left.title.as_str(), left.count),
            ("37 overdue since Nov 16", 37)
        );
        let shown: Vec<Id> = left.visits.iter().map(|it| it.view.service.id).collect();
        assert_eq!(shown, [Id::of(43), Id::of(44), Id::of(45)]);
        assert!(left.visits.iter().all(|it| it.can_complete));
        assert_eq!(plan.overdue, "1 overdue");
        assert_eq!(overdue_count(&business, &[], &now()), 38);
        let side = side_lists(&business, 9, false, &now());
        assert_eq!(side.left_open.map(|it| it.count), Some(37));
        let before = day_plan(&business, yesterday, &now());
        assert_eq!(before.left_open, None);
        assert_eq!(before.overdue, "37 overdue");
    }

    #[test]
    fn overdue_goes_by_the_sitter_s_clock() {
        let business = business(&[at(10, "07:00", today())]);
        let overdue = |zone: &str| {
            let zone = TimeZone::posix(zone).unwrap();
            overdue_count(&business, &[], &Now { zone, ..now() })
        };
        // 10:00 in UTC: 5:00 in New York, 12:00 in Helsinki.
        assert_eq!([overdue("EST5"), overdue("EET-2")], [0, 1]);
    }

    #[test]
    fn a_visit_over_midnight_stands_in_the_next_day_s_list_and_counts_in_its_own() {
        let visit = |id, start, minutes| Service {
            duration_minutes: minutes,
            ..at(id, start, today().plus_days(-1))
        };
        let services = [
            visit(10, "23:30", 45),
            visit(11, "23:15", 45),
            at(12, "11:00", today()),
        ];
        let shown = |date: Date, now: &Now| {
            let plan = day_plan(&business(&services), date, now);
            let visits = plan
                .visits
                .iter()
                .map(|it| (it.view.service.id, it.continued));
            (plan.title, visits.collect::<Vec<_>>(), plan.next)
        };
        let at_ten_past = Now {
            at: "2026-11-20T00:10:00Z".parse().unwrap(),
            ..now()
        };
        assert_eq!(
            shown(today(), &at_ten_past),
            (
                "1 visit today".to_owned(),
                vec![(Id::of(10), true), (Id::of(12), false)],
                Some(Id::of(10))
            )
        );
        let (title, visits, next) = shown(today().plus_days(-1), &at_ten_past);
        assert_eq!((title.as_str(), next), ("2 visits", None));
        assert_eq!(visits, [(Id::of(11), false), (Id::of(10), false)]);
        assert_eq!(shown(today(), &now()).2, Some(Id::of(12)));
    }

    #[test]
    fn a_visit_begins_as_a_walk_does_and_a_stay_on_each_of_its_days() {
        let visit_of = |change: &dyn Fn(&mut Service)| {
            let mut service = at(10, "10:00", today());
            change(&mut service);
            let business = business(&[service]);
            visit(&business, business.service(Id::of(10)).unwrap(), &now())
        };
        let starts = |change: &dyn Fn(&mut Service)| visit_of(change).starts;
        assert_eq!(starts(&|_| ()), Some(ReportKind::Walk));
        let drop_in = |it: &mut Service| it.service_type = ServiceType::Dropin;
        assert_eq!(starts(&drop_in), Some(ReportKind::Visit));
        assert!(!visit_of(&drop_in).can_start && visit_of(&drop_in).can_complete);
        let stay = |from: i64, to: i64| {
            move |it: &mut Service| {
                drop_in(it);
                it.date = today().plus_days(from);
                it.end_date = Some(today().plus_days(to));
            }
        };
        assert_eq!(starts(&stay(-2, 0)), Some(ReportKind::Day));
        assert_eq!(starts(&stay(0, 2)), Some(ReportKind::Day));
        assert_eq!(starts(&stay(-2, -1)), None);
        assert_eq!(starts(&stay(1, 2)), None);
        assert!(visit_of(&stay(-2, 0)).is_last_day && visit_of(&drop_in).is_last_day);
        assert!(!visit_of(&stay(0, 2)).is_last_day);
        let done = |it: &mut Service| {
            drop_in(it);
            it.status = ServiceStatus::Completed;
        };
        assert_eq!(starts(&done), None);
    }

    #[test]
    fn a_walk_of_last_night_can_begin_until_an_hour_after_its_end() {
        let walk = at(10, "23:30", today().plus_days(-1));
        let business = business(&[walk, at(11, "23:00", today()), at(12, "05:00", today())]);
        let check = |now: &str, to_start: &[u128], (can_start, can_complete): (bool, bool)| {
            let now = Now {
                at: format!("2026-11-20T{now}:00Z").parse().unwrap(),
                zone: TimeZone::UTC,
            };
            let walks = walks_to_start(&business, &now);
            let ids: Vec<Id> = walks.iter().map(|it| it.service.id).collect();
            let expected: Vec<Id> = to_start.iter().map(|it| Id::of(*it)).collect();
            assert_eq!(ids, expected, "{now:?}");
            let last_night = visit(&business, business.service(Id::of(10)).unwrap(), &now);
            assert_eq!(last_night.can_start, can_start);
            assert_eq!(last_night.can_complete, can_complete);
        };
        check("00:10", &[10, 12, 11], (true, false));
        check("00:59", &[10, 12, 11], (true, true));
        check("01:00", &[12, 11], (false, true));
        // A walk of today can begin all day.
        check("22:00", &[12, 11], (false, true));
    }

    #[test]
    fn the_walk_that_a_route_is_for_is_not_over_and_has_a_door() {
        let mut business = business(&[at(10, "07:00", today()), at(11, "14:00", today())]);
        let next = |business: &Business| next_walk(business, &now()).map(|it| it.service.id);
        assert_eq!(next(&business), None);
        let mut client = business.client(Id::of(1)).unwrap().clone();
        (client.lat, client.lng) = (Some(45.5), Some(-122.6));
        business.put(1, Row::Client(client));
        assert_eq!(next(&business), Some(Id::of(11)));
        let mut dropin = at(11, "14:00", today());
        dropin.service_type = ServiceType::Dropin;
        business.put(1, Row::Service(dropin));
        assert_eq!(next(&business), None);
    }

    #[test]
    fn a_day_counts_its_visits_in_words() {
        let title = |n: usize| {
            let starts = ["12:00", "13:00"];
            let services: Vec<Service> = starts
                .iter()
                .take(n)
                .zip(10..)
                .map(|(start, id)| at(id, start, today()))
                .collect();
            day_plan(&business(&services), today(), &now()).title
        };
        assert_eq!(
            [title(0), title(1), title(2)],
            ["No visits today", "1 visit today", "2 visits today"]
        );
        let stay = |id| Service {
            end_date: Some(today().plus_days(1)),
            ..at(id, "09:00", today())
        };
        let title = |stays: &[Service]| day_plan(&business(stays), today(), &now()).title;
        assert_eq!(title(&[stay(10)]), "1 stay today");
        assert_eq!(title(&[stay(10), stay(11)]), "2 stays today");
        assert_eq!(
            title(&[stay(10), at(12, "12:00", today())]),
            "1 visit today"
        );
    }

    #[test]
    fn a_day_that_has_begun_says_what_is_left_of_it() {
        let title = |statuses: &[ServiceStatus]| {
            let services = statuses.iter().zip(10..).map(|(status, id)| Service {
                status: *status,
                ..at(id, "12:00", today())
            });
            day_plan(&business(&services.collect::<Vec<_>>()), today(), &now()).title
        };
        use ServiceStatus::{Cancelled, Completed, Scheduled};
        assert_eq!(
            title(&[Completed, Scheduled, Cancelled, Scheduled]),
            "2 of 3 visits to go"
        );
        assert_eq!(title(&[Completed, Completed]), "All 2 visits done");
        assert_eq!(title(&[Completed, Cancelled]), "1 visit done");
        assert_eq!(title(&[Cancelled]), "No visits today");
    }

    #[test]
    fn the_form_proposes_the_first_free_start_that_is_not_over() {
        let proposed = |services: &[Service], date| {
            conflict::proposed_start(&business(services), date, &now()).to_string()
        };
        let tomorrow = today().plus_days(1);
        assert_eq!(proposed(&[], tomorrow), "09:00");
        assert_eq!(proposed(&[at(10, "09:15", tomorrow)], tomorrow), "09:45");
        assert_eq!(proposed(&[], today().plus_days(-1)), "09:00");
        assert_eq!(proposed(&[], today()), "10:00");
        assert_eq!(proposed(&[at(10, "10:00", today())], today()), "10:30");
    }

    #[test]
    fn where_blocks_are_preferred_the_form_proposes_a_start_beside_another_visit() {
        let tomorrow = today().plus_days(1);
        let proposed = |in_blocks| {
            let mut config = AvailabilityConfig::new(Id::of(9));
            config.prefer_block_scheduling = in_blocks;
            let mut business = business(&[at(10, "12:00", tomorrow)]);
            business.put(1, Row::AvailabilityConfig(config));
            conflict::proposed_start(&business, tomorrow, &now()).to_string()
        };
        assert_eq!(proposed(false), "09:00");
        assert_eq!(proposed(true), "11:30");
    }

    #[test]
    fn free_starts_beside_a_visit_nearby_are_suggested_and_named_first() {
        let mut other = at(10, "11:00", today());
        other.client_id = Id::of(3);
        let suggested = |lat: f64, is_smart, in_blocks| {
            let mut business = business(std::slice::from_ref(&other));
            for (id, lat) in [(1, 45.5), (3, lat)] {
                let mut client = Client::new(Id::of(id), Instant(0));
                (client.lat, client.lng) = (Some(lat), Some(-122.6));
                business.put(1, Row::Client(client));
            }
            let mut config = AvailabilityConfig::new(Id::of(9));
            config.enable_smart_suggestions = is_smart;
            config.prefer_block_scheduling = in_blocks;
            business.put(1, Row::AvailabilityConfig(config));
            let wanted = json!({
                "client_id": Id::of(1), "dog_ids": [], "service_type": "walk",
                "date": "2026-11-20", "start_time": "11:15", "duration_minutes": 30,
            });
            let free = check(&business, &draft(None, wanted), &now()).free;
            let suggested = free.iter().take_while(|it| it.suggested);
            let labels: Vec<String> = suggested.map(|it| it.label.clone()).collect();
            assert_eq!(free.iter().filter(|it| it.suggested).count(), labels.len());
            labels
        };
        let beside = ["10:30 AM", "11:30 AM"];
        assert_eq!(suggested(45.505, true, false), beside);
        assert!(suggested(45.6, true, false).is_empty());
        assert_eq!(suggested(45.6, false, true), beside);
        assert!(suggested(45.505, false, false).is_empty());
    }

    #[test]
    fn the_list_is_filtered_counted_whole_and_cut() {
        let services: Vec<Service> = (0..5)
            .map(|day| at(10 + u128::from(day as u32), "12:00", today().plus_days(day)))
            .collect();
        let business = business(&services);
        let query = ServiceQuery {
            first: Some(today().plus_days(1)),
            limit: 2,
            ..ServiceQuery::default()
        };
        let ids = |list: &ServiceList| {
            list.services
                .iter()
                .map(|it| it.service.id)
                .collect::<Vec<_>>()
        };
        let list = super::services(&business, &query, &now());
        assert_eq!((list.total, ids(&list)), (4, vec![Id::of(11), Id::of(12)]));
        let list = super::services(
            &business,
            &ServiceQuery {
                latest_first: true,
                ..query.clone()
            },
            &now(),
        );
        assert_eq!((list.total, ids(&list)), (4, vec![Id::of(14), Id::of(13)]));
        let done = Some(ServiceStatus::Completed);
        assert_eq!(
            super::services(
                &business,
                &ServiceQuery {
                    status: done,
                    ..query
                },
                &now(),
            )
            .total,
            0
        );
    }

    #[test]
    fn the_list_has_what_goes_on_where_it_is_asked_for() {
        let mut stay = at(10, "09:00", today().plus_days(-2));
        stay.end_date = Some(today().plus_days(1));
        let business = business(&[stay, at(11, "12:00", today())]);
        let total = |going_on| {
            let query = ServiceQuery {
                first: Some(today()),
                going_on,
                limit: 9,
                ..ServiceQuery::default()
            };
            super::services(&business, &query, &now()).total
        };
        assert_eq!([total(false), total(true)], [1, 2]);
    }

    #[test]
    fn the_list_begins_a_week_back_and_ends_a_month_and_a_week_ahead() {
        let check = |today: &str, expected: (&str, &str)| {
            let DateRange { first, last } = list_range(today.parse().unwrap());
            assert_eq!(
                (first.to_string().as_str(), last.to_string().as_str()),
                expected
            );
        };
        check("2026-11-20", ("2026-11-13", "2026-12-27"));
        check("2027-01-31", ("2027-01-24", "2027-03-07"));
    }

    #[test]
    fn clients_are_picked_by_their_name_or_their_pets() {
        let options = client_options(
            &business(&[]),
            Among::Found(""),
            usize::MAX,
            &str::to_lowercase,
        );
        assert_eq!(
            options,
            [ClientOption {
                id: Id::of(1),
                label: "Dana Whitfield (Biscuit)".to_owned()
            }]
        );
    }

    #[test]
    fn a_client_whose_pets_are_to_be_named_is_marked_where_something_is_booked() {
        let client = business(&[]).client(Id::of(1)).unwrap().clone();
        let mut business = Business::default();
        business.put(1, Row::Client(client));
        let labels = |among| -> Vec<String> {
            let options = client_options(&business, among, usize::MAX, &str::to_lowercase);
            options.into_iter().map(|it| it.label).collect()
        };
        let marked = ["Dana Whitfield, no pet named yet"];
        assert_eq!(labels(Among::Active(None)), marked);
        assert_eq!(labels(Among::All), ["Dana Whitfield"]);
    }

    #[test]
    fn an_inactive_client_is_picked_only_where_it_is_found_or_chosen() {
        let mut business = business(&[]);
        let mut client = business.client(Id::of(1)).unwrap().clone();
        client.inactive_since = Some(today());
        business.put(1, Row::Client(client));
        let mut pet = business.pet(Id::of(2)).unwrap().clone();
        pet.gone_on = Some(today());
        business.put(1, Row::Pet(pet));
        let labels = |among| -> Vec<String> {
            let options = client_options(&business, among, usize::MAX, &str::to_lowercase);
            options.into_iter().map(|it| it.label).collect()
        };
        assert_eq!(labels(Among::Active(None)), [""; 0]);
        let marked = ["Dana Whitfield, inactive"];
        assert_eq!(labels(Among::Active(Some(Id::of(1)))), marked);
        assert_eq!(labels(Among::Found("dana")), marked);
        // What is unbilled is billed all the same.
        assert_eq!(labels(Among::All), marked);
    }
}
