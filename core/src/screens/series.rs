//! Owns what screens ask of series: the preview of every change before it is saved, the undo of one, how a series is said,
//! and which visits wait for a decision.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::commands::series::{DateState, Followed, VisitOutcome, decide, has_own, is_open};
use crate::commands::{
    DateChoice, DateWay, DeleteSeries, OwnVisit, RestoreSeries, SettleSeriesDates, moved_service,
    repriced,
};
use crate::rows::series::{Series, SeriesDate, SeriesSlot};
use crate::rows::service::{PriceBreakdown, Service, ServiceStatus};
use crate::rules::conflict::{ConflictRequest, Day};
use crate::rules::refusal::{FIX_FORM_ERRORS, Obstacle};
use crate::rules::series::{
    Audience, is_ahead, is_over, last_date, later_phases, occurrences, pause_words, sentence,
    trip_place, trip_span,
};
use crate::rules::words;
use crate::screens::schedule::{FreeStart, ObstacleView, nearest};
use crate::values::form_errors::FieldError;
use crate::values::format;
use crate::values::patch::Patch;
use crate::values::sort::SmallSort as _;
use crate::{Business, Cents, Command, Context, Date, Id, Now, Refusal, Time};

/// Effect of a change on a visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum PreviewState {
    /// It is made, or takes place again.
    Made,
    /// It follows the change.
    Changed,
    /// It was changed by itself and keeps that.
    KeepsOwn,
    /// It is completed, under way, invoiced or paid, and stays.
    Stays,
    /// It is removed.
    Removed,
    /// Something is in its way: a person is to decide.
    Taken,
}

/// A visit in a preview.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct PreviewDate {
    /// The day by the rule; with `slot` it names the visit in a `DateChoice`.
    pub date: Date,
    /// Id of the series' slot.
    pub slot: Id,
    /// Id of the service.
    pub service_id: Id,
    /// `Tuesday, December 1`.
    pub heading: String,
    /// `12:00 PM - 12:30 PM`.
    pub time: String,
    /// Effect of the change on it.
    pub state: PreviewState,
    /// Price of the visit.
    pub price: Cents,
    /// How that comes about, surcharges among it.
    pub breakdown: PriceBreakdown,
    /// Services and blocked times in its way.
    pub obstacles: Vec<ObstacleView>,
    /// Blocked times that allow emergencies.
    pub warnings: Vec<ObstacleView>,
    /// Free starts of the same day next to the wanted one.
    pub free: Vec<FreeStart>,
    /// True if it lies in none of the day's hours, where the day has any.
    pub outside_hours: bool,
    /// Why it has no room that no other time of the day would give, such as the plan's limit.
    pub problem: Option<String>,
}

/// A week or a month of a preview.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct PreviewSum {
    /// The first day of the week or the month.
    pub first: Date,
    /// `Nov 29 - Dec 5`, `December 2026`.
    pub title: String,
    /// Count of visits that take place.
    pub visits: u32,
    /// Sum of their prices.
    pub price: Cents,
}

/// A change of a series before it is saved.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct SeriesPreview {
    /// All that is wrong with the fields, in the form's order.
    pub errors: Vec<FieldError>,
    /// Why it cannot be saved as it stands.
    pub problem: Option<String>,
    /// `Every weekday at 12:00 PM, until you stop it`.
    pub sentence: String,
    /// Its effect in words: `12 visits from Dec 1 to Feb 19 will be booked. 2 visits from Dec 1 to Dec 2 are taken.`
    pub effect: String,
    /// The same for when it is saved: `12 visits from Dec 1 to Feb 19 are booked.`
    pub done: String,
    /// The visits that it concerns, by date and start.
    pub dates: Vec<PreviewDate>,
    /// Sums of the visits that take place, by week; nothing in one whose visits are all removed.
    pub weeks: Vec<PreviewSum>,
    /// The same by month.
    pub months: Vec<PreviewSum>,
    /// The sum of all of them.
    pub total: Cents,
    /// The whole of a trip: `9 visits and a stay, $180.00 in all`; empty for another series.
    pub in_all: String,
    /// Count of dates that are taken and not decided on.
    pub taken: u32,
}

/// Works out the visits that follow from a command about one series; none for other commands.
fn followed(
    command: &Command,
    business: &Business,
    ctx: &Context,
) -> Option<Result<Followed, Refusal>> {
    Some(match command {
        Command::CreateSeries(it) => decide::create(it, business, ctx),
        Command::ChangeSeries(it) => decide::change(it, business, ctx),
        Command::LeaveOutDate(it) => decide::leave_out(it, business, ctx),
        Command::PauseSeries(it) => decide::pause(it, business, ctx),
        Command::ResumeSeries(it) => decide::resume(it, business, ctx),
        Command::EndSeries(it) => decide::end(it, business, ctx),
        Command::ChangeTrip(it) => decide::change_trip(it, business, ctx),
        Command::SettleSeriesDates(it) => decide::settle_dates(it, business, ctx),
        Command::RestoreSeries(it) => decide::restore(it, business, ctx),
        Command::GrantRequest(it) => return followed(&it.act(business)?, business, ctx),
        _ => return None,
    })
}

/// Shows what a command about a series would do, or the granting of a request, before it is saved; nothing for another
/// command.
pub fn preview(business: &Business, command: &Command, now: &Now) -> SeriesPreview {
    let ctx = Context::at(now.clone());
    let act = match command {
        Command::GrantRequest(it) => it.act(business),
        _ => None,
    };
    match &act {
        Some(Command::CancelService(it)) => return preview_of_cancelling(business, it.id),
        Some(Command::UpdateService(it)) => return preview_of_moving(business, command, it.id),
        _ => {}
    }
    let followed = match followed(command, business, &ctx) {
        Some(Ok(followed)) => followed,
        Some(Err(Refusal::Invalid { fields })) => {
            // What is chosen so far is said while the form is being filled in.
            let sentence = match command {
                Command::CreateSeries(it) => {
                    said(&decide::drafted(it, &ctx), now.today(), business, now)
                }
                _ => String::new(),
            };
            return SeriesPreview {
                errors: fields,
                problem: Some(FIX_FORM_ERRORS.to_owned()),
                sentence,
                ..SeriesPreview::default()
            };
        }
        Some(Err(refusal)) => {
            return SeriesPreview {
                problem: Some(refusal.words(business.hour_cycle())),
                ..SeriesPreview::default()
            };
        }
        None => return SeriesPreview::default(),
    };
    let on = match command {
        Command::ChangeSeries(it) => it.from.max(now.today()),
        _ => now.today(),
    };
    let effect_of = |followed: &Followed, is_done| match &act {
        Some(act @ (Command::LeaveOutDate(_) | Command::PauseSeries(_))) => {
            effect_of_grant(business, act, followed, is_done, now)
        }
        _ => effect(followed, is_done, "removed"),
    };
    SeriesPreview {
        sentence: said(&followed.series, on, business, now),
        effect: effect_of(&followed, false),
        done: effect_of(&followed, true),
        in_all: in_all_after(business, &followed),
        ..of_visits(business, &followed.visits)
    }
}

/// The dates and the sums of a preview.
pub(super) fn of_visits(business: &Business, visits: &[VisitOutcome]) -> SeriesPreview {
    let taking_place = || visits.iter().filter(|it| takes_place(it));
    let waiting = visits.iter().filter(|it| it.state == DateState::Waits);
    SeriesPreview {
        dates: visits.iter().map(|it| date_of(business, it)).collect(),
        weeks: sums(visits.iter(), Date::week_start, |first| {
            let last = first.plus_days(6);
            [&format::month_day(first), " - ", &format::month_day(last)].concat()
        }),
        months: sums(
            taking_place(),
            |it| it.in_month(0, 1).unwrap_or(it),
            format::month_heading,
        ),
        total: taking_place().fold(Cents::ZERO, |sum, it| sum + it.service.price),
        taken: u32::try_from(waiting.count()).unwrap_or(u32::MAX),
        ..SeriesPreview::default()
    }
}

/// Sums up a trip as it is after a change.
fn in_all_after(business: &Business, followed: &Followed) -> String {
    let series = &followed.series;
    let stay = business.services.referring_to(series.id);
    let stay = stay.filter(|it| !followed.services.contains_key(&it.id));
    in_all(series, stay.chain(followed.services.values().flatten()))
}

/// `9 visits and a stay, $180.00 in all`; empty for a series that is no trip. `services` are all that there are.
fn in_all<'a>(series: &Series, services: impl Iterator<Item = &'a Service>) -> String {
    let Some(trip) = &series.trip else {
        return String::new();
    };
    let (mut visits, mut has_stay, mut sum) = (0, false, Cents::ZERO);
    let own = services.filter(|it| it.series_id == Some(series.id));
    for service in own.filter(|it| it.status != ServiceStatus::Cancelled) {
        sum = sum + service.price;
        match service.series_slot.is_some_and(|it| series.is_stay(it)) {
            true => has_stay = true,
            false => visits += 1,
        }
    }
    let visits = match visits {
        1 => "1 visit".to_owned(),
        n => format!("{n} visits"),
    };
    let stay = if has_stay { " and a stay" } else { "" };
    let agreed = trip.total.filter(|it| *it != sum);
    let agreed = agreed.map_or_else(String::new, |it| {
        format!(" ({it} was agreed for the whole trip)")
    });
    format!("{visits}{stay}, {sum} in all{agreed}")
}

const fn takes_place(visit: &VisitOutcome) -> bool {
    !matches!(visit.state, DateState::Removed | DateState::Waits)
}

/// Says what holds of a series on the day `on`.
fn said(series: &Series, on: Date, business: &Business, now: &Now) -> String {
    let cycle = business.hour_cycle();
    sentence(series, on, now.today(), cycle, Audience::Sitter)
}

/// Says what holds of a series now: `Every weekday at 12:00 PM, until you stop it`.
pub(crate) fn sentence_now(business: &Business, series: &Series, now: &Now) -> String {
    said(series, now.today(), business, now)
}

fn date_of(business: &Business, visit: &VisitOutcome) -> PreviewDate {
    let VisitOutcome {
        key,
        state,
        service,
        answer,
        no_room,
    } = visit;
    let cycle = business.hour_cycle();
    let request = ConflictRequest::of(service);
    let views = |obstacles: &[Obstacle]| {
        let obstacles = obstacles.iter().cloned();
        obstacles
            .map(|it| ObstacleView::of(it, service.date, cycle))
            .collect()
    };
    let free = answer.as_ref().map(|it| it.free.clone());
    PreviewDate {
        date: key.date,
        slot: key.slot,
        service_id: service.id,
        heading: format::date_heading(service.date),
        time: words::service_time(service, cycle),
        state: match state {
            DateState::Made => PreviewState::Made,
            DateState::Changed => PreviewState::Changed,
            DateState::KeepsOwn => PreviewState::KeepsOwn,
            DateState::Stays => PreviewState::Stays,
            DateState::Removed => PreviewState::Removed,
            DateState::Waits => PreviewState::Taken,
        },
        price: service.price,
        breakdown: service.pricing_breakdown.clone(),
        obstacles: answer.as_ref().map_or_else(Vec::new, |it| views(&it.with)),
        warnings: answer
            .as_ref()
            .map_or_else(Vec::new, |it| views(&it.warnings)),
        free: nearest(
            business,
            service.client_id,
            &request,
            free.unwrap_or_default(),
        ),
        outside_hours: answer.is_some() && {
            let day = Day::of(business, &request);
            !day.patterns.is_empty() && day.holder(request.starting(service.start_time)).is_none()
        },
        problem: no_room.as_ref().map(|it| it.words(cycle)),
    }
}

/// The sums of those visits, which are by date, that take place, for each week or month that has any visit.
fn sums<'a>(
    visits: impl Iterator<Item = &'a VisitOutcome>,
    first_of: impl Fn(Date) -> Date,
    title: impl Fn(Date) -> String,
) -> Vec<PreviewSum> {
    let mut sums: Vec<PreviewSum> = Vec::new();
    for visit in visits {
        let (count, price) = match takes_place(visit) {
            true => (
                u32::from(visit.service.end_date.is_none()),
                visit.service.price,
            ),
            false => (0, Cents::ZERO),
        };
        let first = first_of(visit.service.date);
        match sums.last_mut().filter(|it| it.first == first) {
            Some(sum) => {
                sum.visits += count;
                sum.price = sum.price + price;
            }
            None => sums.push(PreviewSum {
                first,
                title: title(first),
                visits: count,
                price,
            }),
        }
    }
    sums
}

/// The preview of a granted cancellation of a service that is no visit of a series.
fn preview_of_cancelling(business: &Business, id: Id) -> SeriesPreview {
    let Some(service) = business.service(id) else {
        return SeriesPreview {
            problem: Some(Refusal::Gone.words(business.hour_cycle())),
            ..SeriesPreview::default()
        };
    };
    let day = format::month_day(service.date);
    let said = |verb: &str| ["1 visit on ", &day, verb].concat();
    let (effect, done) = match service.status {
        ServiceStatus::Scheduled => (said(" will be cancelled."), said(" is cancelled.")),
        ServiceStatus::Cancelled => (OFF_ALREADY.to_owned(), OFF_ALREADY.to_owned()),
        ServiceStatus::Completed => {
            return SeriesPreview {
                problem: Some(Refusal::AlreadyCompleted.words(business.hour_cycle())),
                ..SeriesPreview::default()
            };
        }
    };
    SeriesPreview {
        effect,
        done,
        ..SeriesPreview::default()
    }
}

/// Says where a visit that is to move goes.
fn preview_of_moving(business: &Business, command: &Command, id: Id) -> SeriesPreview {
    let request = match command {
        Command::GrantRequest(it) => business.requests.get(&it.id),
        _ => None,
    };
    let subject = request.and_then(|it| it.row.subject.as_ref());
    let service = business.service(id);
    let moved = service
        .zip(subject)
        .map(|(service, subject)| (service, moved_service(subject, service, business)));
    let (service, moved) = match moved {
        Some((service, Ok(moved))) => (service, moved),
        Some((_, Err(refusal))) => {
            return SeriesPreview {
                problem: Some(refusal.words(business.hour_cycle())),
                ..SeriesPreview::default()
            };
        }
        None => {
            return SeriesPreview {
                problem: Some(Refusal::Gone.words(business.hour_cycle())),
                ..SeriesPreview::default()
            };
        }
    };
    let day = format::month_day(service.date);
    let (what, to) = match (service.end_date, moved.end_date) {
        (Some(former), Some(last)) => (
            ["stay from ", &day, " to ", &format::month_day(former)].concat(),
            [
                &format::month_day(moved.date),
                " to ",
                &format::month_day(last),
            ]
            .concat(),
        ),
        _ => {
            let time = format::time(moved.start_time, business.hour_cycle());
            (
                ["visit on ", &day].concat(),
                [&format::month_day(moved.date), ", ", &time].concat(),
            )
        }
    };
    let price = match service.price == moved.price {
        true => String::new(),
        false => format!(
            " It will cost {} instead of {}.",
            moved.price, service.price
        ),
    };
    SeriesPreview {
        effect: format!("The {what} will move to {to}.{price}"),
        done: format!("The {what} is moved to {to}."),
        ..SeriesPreview::default()
    }
}

const OFF_ALREADY: &str = "This is off already: nothing else changes.";

/// Words the effect of a granted request to leave out or to pause.
fn effect_of_grant(
    business: &Business,
    act: &Command,
    followed: &Followed,
    is_done: bool,
    now: &Now,
) -> String {
    let text = effect(followed, is_done, "left out");
    if !text.is_empty() {
        return text;
    }
    let series = business.series.get(&followed.series.id).map(|it| &it.row);
    let (from, to) = match act {
        Command::PauseSeries(it) => (it.from.max(now.today()), it.to),
        Command::LeaveOutDate(it) => (it.date, it.date),
        _ => return text,
    };
    let is_off = series.is_none_or(|it| occurrences(it, from, to).next().is_none());
    match (is_off, is_done) {
        (true, _) => OFF_ALREADY,
        (false, false) => "No visit is booked there yet, and none will be.",
        (false, true) => "No visit was booked there yet, and none will be.",
    }
    .to_owned()
}

/// Words the effect of a change, which is to be saved or, `is_done`, has been; `removed` says what becomes of visits that
/// go.
fn effect(followed: &Followed, is_done: bool, removed: &str) -> String {
    let mut sentences = Vec::new();
    let is_stay = |it: &VisitOutcome| followed.series.is_stay(it.key.slot);
    let of = |state| {
        let visits = followed.visits.iter().filter(|it| !is_stay(it));
        let dates = visits.filter(move |it| it.state == state);
        dates.map(|it| it.service.date)
    };
    let mut say = |state: DateState, one: &str, many: &str| {
        let n = of(state).count();
        let (Some(first), Some(last)) = (of(state).min(), of(state).max()) else {
            return;
        };
        let days = match first == last {
            true => ["on ", &format::month_day(first)].concat(),
            false => {
                let (first, last) = (format::month_day(first), format::month_day(last));
                ["from ", &first, " to ", &last].concat()
            }
        };
        sentences.push(match n {
            1 => format!("1 visit {days} {one}."),
            _ => format!("{n} visits {days} {many}."),
        });
    };
    if is_done {
        say(DateState::Made, "is booked", "are booked");
        say(DateState::Changed, "is changed", "are changed");
        let (one, many) = (["is ", removed].concat(), ["are ", removed].concat());
        say(DateState::Removed, &one, &many);
    } else {
        say(DateState::Made, "will be booked", "will be booked");
        say(DateState::Changed, "will change", "will change");
        let verb = ["will be ", removed].concat();
        say(DateState::Removed, &verb, &verb);
    }
    say(
        DateState::KeepsOwn,
        "was changed by itself and keeps that",
        "were changed by themselves and keep that",
    );
    say(
        DateState::Stays,
        "is completed, under way or billed and stays as it is",
        "are completed, under way or billed and stay as they are",
    );
    say(DateState::Waits, "is taken", "are taken");
    if let Some(stay) = followed.visits.iter().find(|it| is_stay(it)) {
        sentences.push(stay_effect(stay, is_done));
    }
    sentences.join(" ")
}

/// Words the effect of a change on the stay of a trip.
fn stay_effect(stay: &VisitOutcome, is_done: bool) -> String {
    let Service { date, end_date, .. } = &stay.service;
    let (first, last) = (
        format::month_day(*date),
        format::month_day(end_date.unwrap_or(*date)),
    );
    let words = match (stay.state, is_done) {
        (DateState::Made, true) => "is booked",
        (DateState::Made, false) => "will be booked",
        (DateState::Changed, true) => "is changed",
        (DateState::Changed, false) => "will change",
        (DateState::Removed, true) => "is removed",
        (DateState::Removed, false) => "will be removed",
        (DateState::KeepsOwn, _) => "was changed by itself and keeps that",
        (DateState::Stays, _) => "is completed, under way or billed and stays as it is",
        (DateState::Waits, _) => "is taken",
    };
    format!("The stay from {first} to {last} {words}.")
}

/// The command that undoes a command about a series, computed before that is saved; none where there is nothing to undo. It
/// is to be saved with the base revision of the command that it undoes.
pub fn undo(business: &Business, command: &Command, now: &Now) -> Option<Command> {
    if let Command::CreateSeries(it) = command {
        return Some(Command::DeleteSeries(DeleteSeries { id: it.id }));
    }
    if let Command::MakeSeriesDate(it) = command {
        return Some(Command::RestoreSeries(RestoreSeries {
            id: it.id,
            end: None,
            phases: None,
            pauses: None,
            put_back: Vec::new(),
            left_out: Vec::new(),
            own: Vec::new(),
            waiting: Vec::new(),
            stood: Vec::new(),
            unmade: vec![SeriesDate {
                date: it.date,
                slot: it.slot,
            }],
            overlapping: Vec::new(),
            trip: None,
        }));
    }
    let ctx = Context::at(now.clone());
    let after = followed(command, business, &ctx)?.ok()?;
    let before = &business.series.get(&after.series.id)?.row;
    let now = &after.series;
    let without = |one: &[SeriesDate], other: &[SeriesDate]| -> Vec<SeriesDate> {
        let lost = one.iter().filter(|it| !other.contains(it));
        lost.copied().collect()
    };
    // One that would go on to wait here may have its time on the server.
    let is_chosen = |date: &SeriesDate| choices_of(command).iter().any(|it| it.key() == *date);
    let waits_on = |date: &SeriesDate| now.waiting.contains(date) && !is_chosen(date);
    let waiting = before.waiting.iter().filter(|it| !waits_on(it));
    Some(Command::RestoreSeries(RestoreSeries {
        id: before.id,
        end: (before.end != now.end).then_some(before.end),
        phases: (before.phases != now.phases).then(|| before.phases.clone()),
        pauses: (before.pauses != now.pauses).then(|| before.pauses.clone()),
        put_back: without(&now.left_out, &before.left_out),
        left_out: without(&before.left_out, &now.left_out),
        own: own_visits(business, before, &after, choices_of(command)),
        waiting: waiting.copied().collect(),
        stood: without(&now.waiting, &before.waiting),
        unmade: Vec::new(),
        overlapping: overlapping_visits(business, &after),
        trip: before.trip.clone().filter(|_| before.trip != now.trip),
    }))
}

/// The decisions on single visits that a command has.
fn choices_of(command: &Command) -> &[DateChoice] {
    match command {
        Command::ChangeSeries(it) => &it.choices,
        Command::ResumeSeries(it) => &it.choices,
        Command::EndSeries(it) => &it.choices,
        Command::ChangeTrip(it) => &it.choices,
        Command::SettleSeriesDates(it) => &it.choices,
        _ => &[],
    }
}

/// Visits as they are before a change, where the series does not say what they are to be again: those that are not as it says
/// now, those that a person decides on, and those whose price is not that of the rates of now.
fn own_visits(
    business: &Business,
    series: &Series,
    after: &Followed,
    choices: &[DateChoice],
) -> Vec<OwnVisit> {
    // One that waits stands where it was, and what does not concern its time is changed all the same.
    let is_changed = |it: DateState| matches!(it, DateState::Changed | DateState::Waits);
    let touched = after.visits.iter();
    let touched = touched.filter(|it| is_changed(it.state) || it.state == DateState::Removed);
    let is_chosen = |key: SeriesDate| choices.iter().any(|it| it.key() == key);
    let own = touched.filter_map(|it| {
        let before = business.service(it.service.id).filter(|it| is_open(it))?;
        let is_own = has_own(series, before, business) || is_chosen(it.key);
        let mut changes = Patch::default();
        if is_changed(it.state) && is_own {
            changes = Patch::from_row(before);
            let is_editable = |field: &str| Service::EDITABLE.iter().any(|it| it.name == field);
            changes.0.retain(|field, _| is_editable(field));
        }
        let of_now = repriced(before, business);
        let is_former = of_now.is_some_and(|it| it.pricing_breakdown != before.pricing_breakdown);
        let breakdown = is_former.then(|| before.pricing_breakdown.clone());
        // It stands elsewhere until its time is decided on, and comes back there.
        let is_elsewhere = it.state == DateState::Removed && series.waiting.contains(&it.key);
        let is_named = breakdown.is_some() || !changes.0.is_empty() || is_elsewhere;
        is_named.then_some(OwnVisit {
            id: before.id,
            changes,
            breakdown,
        })
    });
    own.collect()
}

/// Visits that a change moves or removes and that the sitter had booked over something else.
fn overlapping_visits(business: &Business, after: &Followed) -> Vec<SeriesDate> {
    let touched = after
        .visits
        .iter()
        .filter(|it| matches!(it.state, DateState::Changed | DateState::Removed));
    let overlapping = touched.filter(|it| {
        let before = business.service(it.service.id);
        before.is_some_and(|it| it.overlap_ok)
    });
    overlapping.map(|it| it.key).collect()
}

/// A series in a list.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct SeriesView {
    /// The series itself.
    pub series: Series,
    /// `Every weekday at 12:00 PM, until you stop it`.
    pub sentence: String,
    /// `From Dec 15: Every weekday at 1:00 PM`, for each later change of it, by date.
    pub later: Vec<String>,
    /// The names of the pets now.
    pub dogs: Vec<String>,
    /// True if it has ended.
    pub is_over: bool,
    /// `Paused from Dec 20 to Jan 3`, for each pause that is not over, by its first day.
    pub pauses: Vec<String>,
    /// The next days that have visits, in words: `Dec 1`; at most three.
    pub next: Vec<String>,
    /// Count of visits to come that wait for a decision.
    pub waiting: u32,
    /// Visits to come that were changed by themselves, by date.
    pub own: Vec<OwnDate>,
    /// The days of a trip: `Fri, Dec 4 to Mon, Dec 7`; empty for another series, and for a trip that was called off.
    pub trip: String,
    /// The whole of a trip: `9 visits, $180.00 in all`; empty for another series.
    pub in_all: String,
}

/// A visit that was changed by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct OwnDate {
    /// Id of the service.
    pub service_id: Id,
    /// The day by the rule, whatever day it was moved to.
    pub date: Date,
    /// `Tuesday, December 1, 1:00 PM - 1:30 PM`.
    pub text: String,
}

/// The next days that a list names.
const NEXT_DAYS: usize = 3;

/// How far the next days are looked for.
const NEXT_WITHIN_DAYS: i64 = 400;

/// A series with what is said of it today.
pub fn view(business: &Business, series: &Series, now: &Now) -> SeriesView {
    view_on(business, series, now.today(), now)
}

/// A series with the sentence and the pets of the day `on`.
fn view_on(business: &Business, series: &Series, on: Date, now: &Now) -> SeriesView {
    let today = now.today();
    let phase = series.phase_on(on);
    let pets = phase.map_or(&[][..], |it| it.dog_ids.as_slice());
    let pets = pets.iter().filter_map(|id| business.pet(*id));
    let pauses = series.pauses.iter().filter(|it| today <= it.to);
    SeriesView {
        sentence: said(series, on, business, now),
        later: later_phases(series, on, today, business.hour_cycle()),
        dogs: pets.map(|it| it.name.clone()).collect(),
        is_over: is_over(series, today),
        pauses: pauses.map(|it| pause_words(it, today)).collect(),
        next: next_days(business, series, today)
            .into_iter()
            .map(format::month_day)
            .collect(),
        waiting: waiting_from(series, today),
        own: own_dates(business, series, today),
        trip: trip_span(series, today),
        in_all: in_all(series, business.services.referring_to(series.id)),
        series: series.clone(),
    }
}

/// The next days that have a visit to be done: those of the visits that are made, then those that the series will have.
pub(crate) fn next_days(business: &Business, series: &Series, today: Date) -> BTreeSet<Date> {
    let made = business.services.referring_to(series.id).filter(|it| {
        let key = it.occurrence().filter(|(id, _)| *id == series.id);
        let takes_place = it.status == ServiceStatus::Scheduled && today <= it.date;
        takes_place && key.is_some_and(|(_, key)| !series.waiting.contains(&key))
    });
    let mut days: BTreeSet<Date> = made.map(|it| it.date).collect();
    let from = today.max(series.made_until.plus_days(1));
    for visit in occurrences(series, from, today.plus_days(NEXT_WITHIN_DAYS)) {
        if NEXT_DAYS <= days.len() {
            break;
        }
        days.insert(visit.date);
    }
    days.into_iter().take(NEXT_DAYS).collect()
}

/// Visits from today on that were changed by themselves.
fn own_dates(business: &Business, series: &Series, today: Date) -> Vec<OwnDate> {
    let services = business.services.referring_to(series.id);
    let visits = services.filter_map(|it| it.occurrence().map(|(id, key)| (id, key, it)));
    let own = visits.filter(|(id, _, it)| *id == series.id && today <= it.date);
    // One that waits is at its former time, and follows once that is decided.
    let mut own: Vec<(Date, &Service)> = own
        .filter(|(_, key, it)| {
            is_open(it) && has_own(series, it, business) && !series.waiting.contains(key)
        })
        .map(|(_, key, it)| (key.date, it))
        .collect();
    own.small_sort_by_key(|(_, it)| (it.date, it.start_time, it.id));
    let cycle = business.hour_cycle();
    let texts = own.into_iter().map(|(date, it)| OwnDate {
        service_id: it.id,
        date,
        text: [
            &format::date_heading(it.date),
            ", ",
            &words::service_time(it, cycle),
        ]
        .concat(),
    });
    texts.collect()
}

/// The series of a client, or of all, that have not ended first, by the client's name.
pub fn list(business: &Business, client_id: Option<Id>, now: &Now) -> Vec<SeriesView> {
    let series = business.series.values().map(|it| &it.row);
    let series = series.filter(|it| client_id.is_none_or(|id| it.client_id == id));
    let mut views: Vec<SeriesView> = series.map(|it| view(business, it, now)).collect();
    views.small_sort_by_key(|it| {
        let name = it.series.client_name.to_lowercase();
        (it.is_over, name, it.series.id)
    });
    views
}

/// The series that a service is a visit of.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct SeriesOfService {
    /// The series with what is said of it on the day of the visit.
    pub view: SeriesView,
    /// The day of the visit by the rule.
    pub date: Date,
    /// Slot of the visit.
    pub slot: Id,
    /// The last day of the series, where it has an end.
    pub last_date: Option<Date>,
    /// `Visit 3 of 9 of the trip Fri, Dec 4 to Mon, Dec 7`; absent for a series that is no trip.
    pub place: Option<String>,
}

/// The series of a service; none for a single one, and where the series was deleted.
pub fn of_service(business: &Business, service_id: Id, now: &Now) -> Option<SeriesOfService> {
    let (id, key) = business.service(service_id)?.occurrence()?;
    let series = &business.series.get(&id)?.row;
    Some(SeriesOfService {
        view: view_on(business, series, key.date, now),
        date: key.date,
        slot: key.slot,
        last_date: last_date(series),
        place: trip_place(series, key, now.today()),
    })
}

/// A visit that a series will have beyond the weeks ahead; it is no row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct PlannedVisit {
    /// Id of the series.
    pub series_id: Id,
    /// The day by its rule.
    pub date: Date,
    /// Id of its slot.
    pub slot: Id,
    /// `Tuesday, March 2`.
    pub heading: String,
    /// `12:00 PM - 12:30 PM`.
    pub time: String,
    /// Name of the client.
    pub client_name: String,
    /// `Biscuit and Rex`.
    pub dogs: String,
    /// Start of the visit.
    pub start_time: Time,
}

/// Days ahead for which planned visits are shown.
const PLANNED_DAYS: i64 = 366;

/// The visits that series will have from `first` to `last`, both included, and that are not made yet, by date and start. A
/// series whose client was deleted or is inactive has none.
pub fn planned(business: &Business, first: Date, last: Date, now: &Now) -> Vec<PlannedVisit> {
    let today = now.today();
    let cycle = business.hour_cycle();
    let last = last.min(today.plus_days(PLANNED_DAYS));
    let mut planned = Vec::new();
    for series in business.series.values().map(|it| &it.row) {
        let from = first.max(series.made_until.plus_days(1)).max(today);
        let client = business.client(series.client_id);
        // No visits of an inactive client are made.
        let client = client.filter(|it| it.inactive_since.is_none() && from <= last);
        let Some(client) = client else {
            continue;
        };
        for visit in occurrences(series, from, last) {
            if business.service(visit.id(series.id)).is_some() {
                continue;
            }
            let pets = visit.phase.dog_ids.iter();
            let pets = pets.filter_map(|it| business.pet(*it));
            let dogs: Vec<String> = pets.map(|it| it.name.clone()).collect();
            let SeriesSlot {
                start_time,
                duration_minutes,
                ..
            } = *visit.slot;
            planned.push(PlannedVisit {
                series_id: series.id,
                date: visit.date,
                slot: visit.slot.id,
                heading: format::date_heading(visit.date),
                time: format::time_range(start_time, duration_minutes, cycle),
                client_name: client.name.clone(),
                dogs: format::names(&dogs),
                start_time,
            });
        }
    }
    planned.small_sort_by_key(|it| (it.date, it.start_time, it.series_id, it.slot));
    planned
}

/// The visits of a series that wait for a decision.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct WaitingDates {
    /// Id of the series.
    pub series_id: Id,
    /// `Dana Whitfield: every weekday at 12:00 PM, until you stop it`.
    pub title: String,
    /// The visits, by date and start, with what is in their way now.
    pub dates: Vec<PreviewDate>,
}

/// All visits of series that wait for a decision.
pub fn waiting(business: &Business, now: &Now) -> Vec<WaitingDates> {
    let today = now.today();
    let series = business.series.values().map(|it| &it.row);
    let waiting = series.filter_map(|series| {
        let dates = series
            .waiting
            .iter()
            .filter(|it| is_ahead(series, **it, today));
        // What it would come to now, if each were tried again.
        let choices = dates.map(|it| DateChoice {
            date: it.date,
            slot: it.slot,
            way: DateWay::Again,
            start_time: None,
        });
        let choices: Vec<DateChoice> = choices.collect();
        if choices.is_empty() {
            return None;
        }
        let id = series.id;
        let command = Command::SettleSeriesDates(SettleSeriesDates { id, choices });
        let client = format::set_apart(&series.client_name);
        Some(WaitingDates {
            series_id: id,
            title: [&client, ": ", &said(series, today, business, now)].concat(),
            dates: preview(business, &command, now).dates,
        })
    });
    waiting.collect()
}

/// Count of visits that wait for a decision.
pub fn waiting_count(business: &Business, now: &Now) -> u32 {
    let today = now.today();
    let series = business.series.values();
    series.fold(0_u32, |sum, it| {
        sum.saturating_add(waiting_from(&it.row, today))
    })
}

/// Counts the visits of a series that wait for a decision from `today` on.
fn waiting_from(series: &Series, today: Date) -> u32 {
    let waiting = series.waiting.iter();
    let waiting = waiting.filter(|it| is_ahead(series, **it, today));
    u32::try_from(waiting.count()).unwrap_or(u32::MAX)
}
