//! Series against a plain reader of the calendar: which days a rule falls on, what a series has, and that visits follow
//! every change without one twice, one back from the dead, or one that is done changed.

mod trips;

use std::collections::{BTreeMap, BTreeSet};

use crate::commands::decide;
use crate::commands::decision::{Adjustment, Need};
use crate::commands::series::has_own;
use crate::rows::client::Client;
use crate::rows::offering::Offering;
use crate::rows::pet::Pet;
use crate::rows::row::RowKey;
use crate::rows::series::{
    Series, SeriesDate, SeriesEnd, SeriesPause, SeriesPhase, SeriesRule, SeriesSlot,
};
use crate::rows::service::{LiveEvent, Service, ServiceStatus};
use crate::rows::walk_request::WalkRequest;
use crate::rules::series::{last_date, occurrences, planned_between, rrules};
use crate::values::patch::Patch;
use crate::values::walk_event::WalkEventKind;
use crate::values::zone::TimeZone;
use crate::{
    Business, Cents, Change, Command, Context, Date, Id, Instant, Now, Refusal, Row, TableName,
    Time,
};
use proptest::prelude::*;

/// 9:00 UTC on 2026-11-20, a Friday.
const NOW: Instant = Instant(1_795_165_200_000);

fn date(text: &str) -> Date {
    text.parse().unwrap()
}

/// Returns true if a rule falls on a day, by looking at the calendar day by day.
fn falls_on(rule: &SeriesRule, anchor: Date, day: Date) -> bool {
    if day < anchor {
        return false;
    }
    let days = |from: Date, to: Date| to.days_since_epoch() - from.days_since_epoch();
    let sunday = |mut it: Date| {
        while it.day_of_week() != 0 {
            it = it.plus_days(-1);
        }
        it
    };
    let is_last_day = day.plus_days(1).parts().1 != day.parts().1;
    let day_of_month = u32::try_from(day.parts().2).unwrap();
    match rule {
        SeriesRule::Weekly { every, weekdays } => {
            weekdays.contains(&day.day_of_week().into())
                && days(sunday(anchor), sunday(day)) / 7 % i64::from(*every) == 0
        }
        SeriesRule::Daily { every } => days(anchor, day) % i64::from(*every) == 0,
        SeriesRule::Monthly { day: wanted } => {
            day_of_month == *wanted || (is_last_day && day_of_month < *wanted)
        }
        SeriesRule::MonthlyWeekday { nth: 5, weekday } => {
            u32::from(day.day_of_week()) == *weekday && day.plus_days(7).parts().1 != day.parts().1
        }
        SeriesRule::MonthlyWeekday { nth, weekday } => {
            u32::from(day.day_of_week()) == *weekday && (day_of_month - 1) / 7 + 1 == *nth
        }
    }
}

fn rules() -> impl Strategy<Value = SeriesRule> {
    let weekdays = proptest::collection::btree_set(0_u32..7, 1..7);
    prop_oneof![
        (1_u32..6, weekdays).prop_map(|(every, weekdays)| SeriesRule::Weekly {
            every,
            weekdays: weekdays.into_iter().collect(),
        }),
        (1_u32..40).prop_map(|every| SeriesRule::Daily { every }),
        (1_u32..32).prop_map(|day| SeriesRule::Monthly { day }),
        (1_u32..6, 0_u32..7).prop_map(|(nth, weekday)| SeriesRule::MonthlyWeekday { nth, weekday }),
    ]
}

/// A day of the fifty years from 2000 on.
fn days() -> impl Strategy<Value = Date> {
    (0_i64..50 * 365).prop_map(|it| date("2000-01-01").plus_days(it))
}

proptest! {
    #[test]
    fn a_rule_falls_on_the_days_that_the_calendar_says(rule in rules(), anchor in days(), after in 0_i64..800) {
        let from = anchor.plus_days(after);
        let next = rule.next_date(anchor, from).unwrap();
        let mut day = from;
        while !falls_on(&rule, anchor, day) {
            day = day.plus_days(1);
        }
        prop_assert_eq!(next, day);
    }

    #[test]
    fn fifty_years_of_a_rule_are_those_of_the_calendar(rule in rules()) {
        let (first, last) = (date("2000-01-03"), date("2049-12-31"));
        let mut series = Series::new(Id::of(1), NOW);
        series.phases = vec![SeriesPhase { rule: rule.clone(), slots: vec![SeriesSlot::new(Id::of(2))], ..SeriesPhase::new(first) }];
        let found: Vec<Date> = occurrences(&series, first, last).map(|it| it.date).collect();
        let n_days = last.days_since_epoch() - first.days_since_epoch();
        let days = (0..=n_days).map(|it| first.plus_days(it));
        let expected: Vec<Date> = days.filter(|it| falls_on(&rule, first, *it)).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn a_series_has_what_its_phases_end_and_pauses_leave(
        rules in proptest::collection::vec((rules(), 0_i64..60, 1_usize..4), 1..4),
        end in prop_oneof![
            Just(SeriesEnd::Never),
            (0_i64..300).prop_map(|it| SeriesEnd::On { date: date("2026-11-20").plus_days(it) }),
            (1_u32..60).prop_map(|visits| SeriesEnd::After { visits }),
        ],
        pauses in proptest::collection::vec((0_i64..200, 0_i64..30), 0..4),
        left_out in proptest::collection::btree_set(0_i64..200, 0..20),
    ) {
        let begins = date("2026-11-20");
        let series = series(&rules, end, &pauses, &left_out);
        let last = begins.plus_days(250);
        // Day by day, hour by hour.
        let mut expected = Vec::new();
        let mut n_visits = 0;
        for day in 0..=250 {
            let day = begins.plus_days(day);
            let Some(phase) = series.phases.iter().rev().find(|it| it.from <= day) else { continue };
            if !falls_on(&phase.rule, phase.anchor, day) {
                continue;
            }
            for hour in 0..24 {
                for slot in phase.slots.iter().filter(|it| it.start_time == Time::hour(hour)) {
                    n_visits += 1;
                    let is_within = match end {
                        SeriesEnd::Never => true,
                        SeriesEnd::On { date } => day <= date,
                        SeriesEnd::After { visits } => n_visits <= visits,
                    };
                    let is_paused = series.pauses.iter().any(|it| it.from <= day && day <= it.to);
                    let is_left_out = series.left_out.iter().any(|it| it.date == day && it.slot == slot.id);
                    if is_within && !is_paused && !is_left_out {
                        expected.push((day, slot.id));
                    }
                }
            }
        }
        let found: Vec<(Date, Id)> = occurrences(&series, begins, last).map(|it| (it.date, it.slot.id)).collect();
        prop_assert_eq!(&found, &expected);
        // What is asked in parts is what is asked at once.
        let middle = begins.plus_days(100);
        let mut parts: Vec<(Date, Id)> = occurrences(&series, begins, middle).map(|it| (it.date, it.slot.id)).collect();
        parts.extend(occurrences(&series, middle.plus_days(1), last).map(|it| (it.date, it.slot.id)));
        prop_assert_eq!(parts, found);
        if let Some(end) = last_date(&series) {
            prop_assert_eq!(planned_between(&series, end.plus_days(1), end.plus_days(400)).count(), 0);
        }
        // A rule for each time that has a visit by it.
        let texts = rrules(&series);
        prop_assert!(texts.iter().all(|it| it.starts_with("DTSTART:") && it.contains("\nRRULE:FREQ=")));
    }
}

proptest! {
    // Each has many decisions.
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn visits_follow_every_change_of_a_series(acts in proptest::collection::vec(acts(), 1..25)) {
        let mut run = Run::new();
        run.act(Act::Create);
        for act in acts {
            run.act(act);
            run.check();
        }
    }

    #[test]
    fn visits_follow_phones_that_do_not_know_of_each_other(
        acts in proptest::collection::vec((acts(), any::<bool>(), 0_i64..4), 1..30),
    ) {
        let mut run = Run::new();
        run.act(Act::Create);
        run.stale = Some(run.business.clone());
        for (act, looks, lag) in acts {
            run.lag = lag;
            if looks {
                run.stale = Some(run.business.clone());
            }
            run.act(act);
            run.check();
        }
    }

    #[test]
    fn an_undo_of_decisions_gives_back_what_was_there(
        acts in proptest::collection::vec(acts(), 1..15),
        place in 0_usize..5,
        way in ways(),
    ) {
        let mut run = Run::new();
        run.act(Act::Create);
        // Two at a time: the second one waits everywhere.
        run.act(Act::AddTime(3));
        run.act(Act::AddTime(9));
        for act in acts {
            run.act(act);
        }
        let today = run.today();
        let there = |run: &Run| {
            let (mut series, services) = rows(run);
            // Nobody decides on a day that is over.
            series.waiting.retain(|it| today <= it.date);
            (series, services)
        };
        let before = there(&run);
        run.undo = None;
        run.act(Act::Settle(place, way));
        if let Some(undo) = run.undo.take() {
            run.decide(&undo).unwrap();
            prop_assert_eq!(there(&run), before);
        }
    }

    #[test]
    fn making_visits_twice_or_in_parts_gives_the_same(nights in proptest::collection::vec(0_i64..40, 1..8)) {
        let mut often = Run::new();
        often.act(Act::Create);
        let mut once = Run::new();
        once.act(Act::Create);
        for night in &nights {
            often.day += night;
            often.extend();
            let before = often.business.clone();
            often.extend();
            prop_assert!(often.business == before, "a second command of a night changes something");
        }
        once.day += nights.iter().sum::<i64>();
        once.extend();
        let visits = |run: &Run| -> BTreeSet<(Id, Date)> {
            let from = run.now().today();
            let visits = run.business.services.values().map(|it| &it.row);
            visits.filter(|it| from <= it.date).map(|it| (it.id, it.date)).collect()
        };
        prop_assert_eq!(visits(&often), visits(&once));
    }
}

fn series(
    rules: &[(SeriesRule, i64, usize)],
    end: SeriesEnd,
    pauses: &[(i64, i64)],
    left_out: &BTreeSet<i64>,
) -> Series {
    let begins = date("2026-11-20");
    let mut series = Series {
        end,
        ..Series::new(Id::of(1), NOW)
    };
    let mut from = begins;
    for (place, (rule, length, n_slots)) in (0_u32..).zip(rules) {
        let slots = (0..*n_slots).map(|it| SeriesSlot {
            start_time: Time::hour(u16::try_from(8 + 3 * it).unwrap()),
            ..SeriesSlot::new(Id::of(u128::from(place) * 10 + it as u128))
        });
        series.phases.push(SeriesPhase {
            rule: rule.clone(),
            slots: slots.collect(),
            ..SeriesPhase::new(from)
        });
        from = from.plus_days(length + 1);
    }
    for (number, (from, length)) in (0..).zip(pauses) {
        let from = begins.plus_days(*from);
        series.pauses.push(SeriesPause {
            to: from.plus_days(*length),
            ..SeriesPause::new(Id::of(number), from)
        });
    }
    let planned: Vec<_> = planned_between(&series, begins, begins.plus_days(250))
        .map(|it| it.key())
        .collect();
    let places = left_out
        .iter()
        .filter_map(|it| planned.get(usize::try_from(*it).unwrap()));
    let left_out = places.copied().collect();
    Series { left_out, ..series }
}

/// Acts of people on a series and its visits.
#[derive(Clone, Debug)]
enum Act {
    Create,
    Night(i64),
    LeaveOut(i64),
    Pause(i64, i64),
    Resume,
    End(i64),
    GoOn,
    Later(i64, u16),
    AddTime(i64),
    RemoveTime(i64),
    Days(i64, SeriesRule),
    Delete(usize),
    Cancel(usize),
    Complete(usize),
    MoveOne(usize),
    MoveDay(usize, i64),
    OwnOffering(usize),
    Pay(usize),
    /// Decides on dates that wait.
    Settle(usize, &'static str),
    Sell(i64, Option<Id>),
    TakeBackOwn(i64, u16),
    Undo,
}

/// Decisions on a visit.
fn ways() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        Just("leave_out"),
        Just("book"),
        Just("move"),
        Just("wait"),
        Just("again"),
    ]
}

fn acts() -> impl Strategy<Value = Act> {
    prop_oneof![
        (0_i64..20).prop_map(Act::Night),
        (0_i64..80).prop_map(Act::LeaveOut),
        (0_i64..60, 0_i64..20).prop_map(|(from, length)| Act::Pause(from, length)),
        Just(Act::Resume),
        (0_i64..80).prop_map(Act::End),
        Just(Act::GoOn),
        (0_i64..60, 7_u16..20).prop_map(|(from, hour)| Act::Later(from, hour)),
        (0_i64..60).prop_map(Act::AddTime),
        (0_i64..60).prop_map(Act::RemoveTime),
        (0_i64..60, rules()).prop_map(|(from, rule)| Act::Days(from, rule)),
        (0_usize..100).prop_map(Act::Delete),
        (0_usize..100).prop_map(Act::Cancel),
        (0_usize..100).prop_map(Act::Complete),
        (0_usize..100).prop_map(Act::MoveOne),
        (0_usize..100, 0_i64..300).prop_map(|(place, days)| Act::MoveDay(place, days)),
        (0_usize..100).prop_map(Act::OwnOffering),
        (0_i64..60, proptest::option::of(Just(GROOMING)))
            .prop_map(|(from, it)| Act::Sell(from, it)),
        (0_i64..60, 7_u16..20).prop_map(|(from, hour)| Act::TakeBackOwn(from, hour)),
        (0_usize..100).prop_map(Act::Pay),
        (0_usize..100, ways()).prop_map(|(place, way)| Act::Settle(place, way)),
        Just(Act::Undo),
    ]
}

struct Run {
    business: Business,
    /// The rows of a phone that has not heard of the last changes.
    stale: Option<Business>,
    /// Days since the phone acted.
    lag: i64,
    day: i64,
    next: u128,
    undo: Option<Command>,
    /// Visits that a person has deleted or cancelled.
    dead: BTreeSet<Id>,
    /// Visits that are done or paid, as they were then.
    done: BTreeMap<Id, Service>,
}

const SERIES: Id = Id::of(500);
/// An offering that visits of the series are sold as.
const GROOMING: Id = Id::of(5);
/// An offering that only single visits are sold as.
const TRAINING: Id = Id::of(6);
/// Another client than the one of the series, and its pet.
const OTHER: (Id, Id) = (Id::of(8), Id::of(9));

/// The rows that a server loads for a command, in rounds, as `needs` names them.
pub(crate) fn loaded(command: &Command, full: &Business, ctx: &Context) -> Business {
    let mut business = Business::default();
    let mut needs = BTreeSet::new();
    for _ in 0..8 {
        let mut fresh = command.needs(&business, ctx);
        fresh.retain(|it| needs.insert(it.clone()));
        if fresh.is_empty() {
            return business;
        }
        for need in &fresh {
            let rows = full.rows().filter(|it| is_needed(need, &it.row));
            rows.for_each(|it| business.put(it.rev, it.row));
            if let Need::ServiceCountIn(first, last) = need {
                let counted = full.services.between(*first, *last);
                let counted = counted.filter(|it| it.status != ServiceStatus::Cancelled);
                let of_month = (TableName::Service, counted.count());
                business.counts.push(of_month);
            }
            if let Need::FieldChanges(key) = need {
                let changes = full.field_changes.iter().filter(|it| it.key == *key);
                business.field_changes.extend(changes.cloned());
            }
        }
    }
    panic!("the needs of a command never end: {command:?}");
}

fn is_needed(need: &Need, row: &Row) -> bool {
    let RowKey { table, id } = row.key();
    match (need, row) {
        (Need::Row(key), _) => *key == row.key(),
        (Need::Rows(of, ids), _) => *of == table && ids.contains(&id),
        (Need::Table(of), _) => *of == table,
        (Need::PetsOf(client), Row::Pet(pet)) => pet.client_id == *client,
        (Need::PetsOfAny(clients), Row::Pet(pet)) => clients.contains(&pet.client_id),
        (Need::ServicesBetween(first, last), Row::Service(it)) => {
            (*first..=*last).contains(&it.date)
        }
        (Need::StaysBetween(first, last), Row::Service(it)) => {
            it.date <= *last && it.end_date.is_some_and(|it| *first <= it)
        }
        (Need::VisitsOfSeries(series, first), Row::Service(it)) => {
            it.series_id == Some(*series) && it.series_date.is_some_and(|it| *first <= it)
        }
        (Need::ServicesOfClientFrom(client, first), Row::Service(it)) => {
            it.client_id == *client && *first <= it.end_date.unwrap_or(it.date)
        }
        (Need::ServiceWithOffering(offering), Row::Service(it)) => {
            it.offering_id == Some(*offering)
        }
        (Need::RequestWithOffering(offering), Row::WalkRequest(it)) => {
            it.offering_id == Some(*offering)
        }
        _ => false,
    }
}

impl Run {
    fn new() -> Self {
        let mut business = Business::default();
        let mut client = Client::new(Id::of(1), NOW);
        client.name = "Dana".to_owned();
        let mut pet = Pet::new(Id::of(2), client.id);
        pet.name = "Luna".to_owned();
        business.put(1, Row::Client(client));
        business.put(1, Row::Pet(pet));
        let mut other = Client::new(OTHER.0, NOW);
        other.name = "Noa".to_owned();
        other.walk_rate_30min = crate::Cents(4_100);
        business.put(1, Row::Client(other));
        business.put(1, Row::Pet(Pet::new(OTHER.1, OTHER.0)));
        for (id, price) in [(GROOMING, 6_000), (TRAINING, 8_000)] {
            business.put(
                1,
                Row::Offering(Offering {
                    name: format!("Offering of {price}"),
                    base_price: crate::Cents(price),
                    ..Offering::new(id, NOW)
                }),
            );
        }
        Self {
            business,
            stale: None,
            lag: 0,
            day: 0,
            next: 1_000,
            undo: None,
            dead: BTreeSet::new(),
            done: BTreeMap::new(),
        }
    }

    fn now(&self) -> Now {
        Now {
            at: Instant(NOW.0 + self.day * 24 * 60 * 60 * 1000),
            zone: TimeZone::UTC,
        }
    }

    fn today(&self) -> Date {
        self.now().today()
    }

    fn series(&self) -> &Series {
        &self.business.series.get(&SERIES).unwrap().row
    }

    /// The rows on the screen.
    fn view(&self) -> &Business {
        self.stale.as_ref().unwrap_or(&self.business)
    }

    fn shown(&self) -> Series {
        self.view().series.get(&SERIES).unwrap().row.clone()
    }

    fn fresh(&mut self) -> Id {
        self.next += 1;
        Id::of(self.next)
    }

    /// Visits to come, by date.
    fn open(&self) -> Vec<Service> {
        let today = self.today();
        let visits = self.view().services.since(today);
        visits
            .filter(|it| it.status == ServiceStatus::Scheduled && it.series_id == Some(SERIES))
            .cloned()
            .collect()
    }

    fn decide(&mut self, command: &Command) -> Result<Vec<Change>, Refusal> {
        let mut ctx = Context::at(self.now());
        ctx.made_at = Instant(ctx.now.at.0 - self.lag * 24 * 60 * 60 * 1000);
        let decision = decide(command, &self.business, &ctx);
        let of_needs = decide(command, &loaded(command, &self.business, &ctx), &ctx);
        assert_eq!(
            format!("{decision:?}"),
            format!("{of_needs:?}"),
            "with the rows that {command:?} needs something else is decided"
        );
        let decision = decision?;
        self.business.apply(1, &decision.changes);
        Ok(decision.changes)
    }

    fn extend(&mut self) {
        for _ in 0..50 {
            let command = command("extend_series", serde_json::json!({}));
            if self.decide(&command).unwrap().is_empty() {
                return;
            }
        }
        panic!("the nightly job never ends");
    }

    /// Does what a person has chosen; what others have done since may be in the way.
    fn does(&mut self, name: &str, args: serde_json::Value) -> bool {
        let done = self.decide(&command(name, args));
        assert!(self.stale.is_some() || done.is_ok(), "{name}: {done:?}");
        done.is_ok()
    }

    fn change(&mut self, name: &str, args: serde_json::Value) {
        let command = command(name, args);
        let undo = crate::screens::series::undo(self.view(), &command, &self.now());
        match self.decide(&command) {
            Ok(_) => self.undo = undo.filter(|_| name != "create_series"),
            Err(Refusal::Invalid { .. } | Refusal::Gone) => {}
            Err(other) => panic!("{name}: {other:?}"),
        }
    }

    fn act(&mut self, act: Act) {
        let open = self.open();
        let pick = |place: usize| (!open.is_empty()).then(|| open[place % open.len()].clone());
        let on = |days: i64| self.today().plus_days(days);
        match act {
            Act::Create => {
                let slot = serde_json::json!({
                    "id": Id::of(3), "start_time": "12:00", "duration_minutes": 30, "service_type": "walk",
                });
                let plan = serde_json::json!({
                    "client_id": Id::of(1), "dog_ids": [Id::of(2)], "begins": self.today(), "slots": [slot],
                    "rule": { "kind": "weekly", "every": 1, "weekdays": [1, 2, 3, 4, 5] },
                });
                self.change(
                    "create_series",
                    serde_json::json!({ "id": SERIES, "series": plan }),
                );
            }
            Act::Night(days) => {
                self.day += days;
                self.extend();
                self.undo = None;
            }
            Act::LeaveOut(days) => {
                let args = serde_json::json!({ "id": SERIES, "date": on(days) });
                self.change("leave_out_date", args);
            }
            Act::Pause(from, length) => {
                let (from, to) = (on(from), on(from + length));
                let id = self.fresh();
                let args =
                    serde_json::json!({ "id": SERIES, "pause_id": id, "from": from, "to": to });
                self.change("pause_series", args);
            }
            Act::Resume => {
                let Some(pause) = self.shown().pauses.first().cloned() else {
                    return;
                };
                let args =
                    serde_json::json!({ "id": SERIES, "pause_id": pause.id, "on": self.today() });
                self.change("resume_series", args);
            }
            Act::End(days) => {
                let end = serde_json::json!({ "kind": "on", "date": on(days) });
                self.change(
                    "end_series",
                    serde_json::json!({ "id": SERIES, "end": end }),
                );
            }
            Act::GoOn => {
                let end = serde_json::json!({ "kind": "never" });
                self.change(
                    "end_series",
                    serde_json::json!({ "id": SERIES, "end": end }),
                );
            }
            Act::Later(from, hour) => {
                let slot = serde_json::json!({ "id": Id::of(3), "changes": { "start_time": Time::hour(hour) } });
                let args = serde_json::json!({ "id": SERIES, "from": on(from), "slots": [slot] });
                self.change("change_series", args);
            }
            Act::AddTime(from) => {
                let (from, id) = (on(from), self.fresh());
                let slot = serde_json::json!({ "id": id, "is_new": true, "changes": { "start_time": "21:00" } });
                self.change(
                    "change_series",
                    serde_json::json!({ "id": SERIES, "from": from, "slots": [slot] }),
                );
            }
            Act::RemoveTime(from) => {
                let shown = self.shown();
                let slots = shown.phases.iter().flat_map(|it| &it.slots);
                let Some(slot) = slots.map(|it| it.id).find(|it| *it != Id::of(3)) else {
                    return;
                };
                let args =
                    serde_json::json!({ "id": SERIES, "from": on(from), "removed_slots": [slot] });
                self.change("change_series", args);
            }
            Act::Days(from, rule) => {
                let args = serde_json::json!({ "id": SERIES, "from": on(from), "changes": { "rule": rule } });
                self.change("change_series", args);
            }
            Act::Delete(place) => {
                let Some(visit) = pick(place) else { return };
                let args = serde_json::json!({ "id": visit.id });
                if self.does("delete_service", args) {
                    self.dead.insert(visit.id);
                    self.done.remove(&visit.id);
                    self.undo = None;
                }
            }
            Act::Cancel(place) => {
                let Some(visit) = pick(place) else { return };
                let args = serde_json::json!({ "id": visit.id });
                if self.does("cancel_service", args) {
                    self.dead.insert(visit.id);
                    if self.done.contains_key(&visit.id) {
                        self.note_done(visit.id);
                    }
                }
            }
            Act::Complete(place) => {
                let Some(visit) = pick(place) else { return };
                let args = serde_json::json!({ "id": visit.id });
                if self.does("complete_service", args) {
                    self.note_done(visit.id);
                }
            }
            Act::Pay(place) => {
                let Some(visit) = pick(place) else { return };
                let args = serde_json::json!({ "id": visit.id, "paid": true });
                if self.does("set_service_paid", args) {
                    self.note_done(visit.id);
                }
            }
            Act::MoveOne(place) => {
                let changes = serde_json::json!({ "start_time": "06:15", "notes": "Early today" });
                self.change_one(pick(place), changes);
            }
            Act::MoveDay(place, days) => {
                self.change_one(pick(place), serde_json::json!({ "date": on(days) }));
            }
            Act::OwnOffering(place) => {
                self.change_one(pick(place), serde_json::json!({ "offering_id": TRAINING }));
            }
            Act::Sell(from, offering) => {
                let slot =
                    serde_json::json!({ "id": Id::of(3), "changes": { "offering_id": offering } });
                let args = serde_json::json!({ "id": SERIES, "from": on(from), "slots": [slot] });
                self.change("change_series", args);
            }
            Act::TakeBackOwn(from, hour) => {
                let slot = serde_json::json!({ "id": Id::of(3), "changes": { "start_time": Time::hour(hour) } });
                let args = serde_json::json!({ "id": SERIES, "from": on(from), "slots": [slot], "replaces_own": true });
                self.change("change_series", args);
            }
            Act::Settle(place, way) => {
                let waiting = self.shown().waiting;
                let choices = waiting.iter().skip(place % 5).take(3).map(|it| {
                    serde_json::json!({ "date": it.date, "slot": it.slot, "way": way, "start_time": "05:00" })
                });
                let args =
                    serde_json::json!({ "id": SERIES, "choices": choices.collect::<Vec<_>>() });
                self.change("settle_series_dates", args);
            }
            Act::Undo => {
                let Some(undo) = self.undo.take() else { return };
                match self.decide(&undo) {
                    Ok(_) | Err(Refusal::Invalid { .. }) => {}
                    Err(other) => panic!("undo: {other:?}"),
                }
            }
        }
    }

    /// Changes a visit by itself.
    fn change_one(&mut self, visit: Option<Service>, changes: serde_json::Value) {
        let Some(Service { id, .. }) = visit else {
            return;
        };
        let args = serde_json::json!({ "id": id, "changes": changes, "overlap_ok": true });
        if self.does("update_service", args) && self.done.contains_key(&id) {
            self.note_done(id);
        }
    }

    fn note_done(&mut self, id: Id) {
        let service = self.business.service(id).unwrap().clone();
        self.done.insert(id, service);
    }

    fn check(&self) {
        let series = self.series();
        let visits: Vec<&Service> = self.business.services.values().map(|it| &it.row).collect();
        let mut seen = BTreeSet::new();
        for visit in &visits {
            let key = visit.occurrence().unwrap();
            assert!(seen.insert(key), "a visit is there twice: {visit:?}");
            let is_open = visit.status == ServiceStatus::Scheduled;
            assert!(
                !(is_open && self.dead.contains(&visit.id)),
                "back from the dead: {visit:?}"
            );
        }
        for (id, then) in &self.done {
            assert_eq!(
                self.business.service(*id),
                Some(then),
                "what is done was changed"
            );
        }
        // Each visit that the series has is there, was deleted or cancelled by a person, or waits; and no other one is open.
        let has: BTreeSet<_> = occurrences(series, self.today(), series.made_until)
            .map(|it| it.key())
            .collect();
        for key in &has {
            let waits = series.waiting.contains(key);
            let row = visits
                .iter()
                .find(|it| it.occurrence() == Some((SERIES, *key)));
            assert!(waits || row.is_some(), "a visit is missing: {key:?}");
        }
        for visit in &visits {
            let (_, key) = visit.occurrence().unwrap();
            let is_planned = has.contains(&key) || key.date < self.today();
            let is_kept = visit.status != ServiceStatus::Scheduled || visit.paid;
            assert!(is_planned || is_kept, "a visit too many: {visit:?}");
        }
    }
}

fn command(name: &str, args: serde_json::Value) -> Command {
    serde_json::from_value(serde_json::json!({ "name": name, "args": args })).unwrap()
}

#[test]
fn the_rules_of_a_series_are_written_as_rfc_5545_has_them() {
    let text = |rule: SeriesRule, end: SeriesEnd| {
        let mut series = Series::new(Id::of(1), NOW);
        series.end = end;
        series.phases = vec![SeriesPhase {
            rule,
            slots: vec![SeriesSlot::new(Id::of(2))],
            ..SeriesPhase::new(date("2026-11-20"))
        }];
        rrules(&series).join("\n")
    };
    let weekly = SeriesRule::Weekly {
        every: 2,
        weekdays: vec![1, 4],
    };
    assert_eq!(
        text(weekly, SeriesEnd::Never),
        "DTSTART:20261130T090000\nRRULE:FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=MO,TH"
    );
    let on = SeriesEnd::On {
        date: date("2027-03-03"),
    };
    assert_eq!(
        text(SeriesRule::Monthly { day: 31 }, on),
        "DTSTART:20261130T090000\nRRULE:FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1;UNTIL=20270303T090000"
    );
    assert_eq!(
        text(
            SeriesRule::Daily { every: 3 },
            SeriesEnd::After { visits: 3 }
        ),
        "DTSTART:20261120T090000\nRRULE:FREQ=DAILY;INTERVAL=3;UNTIL=20261126T090000"
    );
    let last_friday = SeriesRule::MonthlyWeekday { nth: 5, weekday: 5 };
    assert_eq!(
        text(last_friday, SeriesEnd::Never),
        "DTSTART:20261127T090000\nRRULE:FREQ=MONTHLY;BYDAY=-1FR"
    );
}

fn booked() -> Run {
    let mut run = Run::new();
    run.act(Act::Create);
    run
}

#[test]
fn no_visit_on_or_before_made_until_is_made_by_the_nightly_job() {
    let mut run = booked();
    let made_until = run.series().made_until;
    let gone: Vec<Id> = run.open().iter().take(5).map(|it| it.id).collect();
    for id in &gone {
        // Not by a person, so that the series knows nothing of it.
        run.business.services.remove(id);
    }
    run.day += 20;
    run.extend();
    assert!(made_until < run.series().made_until);
    for id in gone {
        assert_eq!(run.business.service(id), None);
    }
}

#[test]
fn a_series_that_has_ended_and_goes_on_has_the_weeks_ahead_at_once() {
    let mut run = Run::new();
    let slot = serde_json::json!({
        "id": Id::of(3), "start_time": "12:00", "duration_minutes": 30, "service_type": "walk",
    });
    let plan = serde_json::json!({
        "client_id": Id::of(1), "dog_ids": [Id::of(2)], "begins": run.today(), "slots": [slot],
        "rule": { "kind": "daily", "every": 1 }, "end": { "kind": "after", "visits": 7 },
    });
    let create = serde_json::json!({ "id": SERIES, "series": plan });
    run.decide(&command("create_series", create)).unwrap();
    assert_eq!(run.open().len(), 7);
    run.day += 30;
    run.extend();
    assert_eq!(run.open().len(), 0);
    let goes_on = serde_json::json!({ "id": SERIES, "end": { "kind": "never" } });
    run.decide(&command("end_series", goes_on)).unwrap();
    let made = run.open();
    assert_eq!(made.len(), 12 * 7 + 1);
    run.extend();
    assert_eq!(run.open(), made);
}

#[test]
fn a_counted_series_that_lasts_longer_by_another_rule_is_made_at_once() {
    let mut run = booked_daily(1, SeriesEnd::After { visits: 20 });
    let before = run.open();
    run.act(Act::Days(0, SeriesRule::Daily { every: 7 }));
    assert_eq!(run.open().len(), 20);
    let undo = run.undo.take().unwrap();
    run.act(Act::Days(0, SeriesRule::Daily { every: 1 }));
    assert_eq!(run.open().len(), 20);
    run.act(Act::Days(0, SeriesRule::Daily { every: 7 }));
    run.decide(&undo).unwrap();
    assert_eq!(run.open(), before);
}

/// Books a series of each day with so many times a day.
fn booked_daily(n_slots: u16, end: SeriesEnd) -> Run {
    let mut run = Run::new();
    let slot = |it: u16| {
        serde_json::json!({
            "id": Id::of(3 + u128::from(it) * 100), "start_time": Time::hour(8 + 2 * it), "duration_minutes": 30,
            "service_type": "walk",
        })
    };
    let slots: Vec<_> = (0..n_slots).map(slot).collect();
    let plan = serde_json::json!({
        "client_id": Id::of(1), "dog_ids": [Id::of(2)], "begins": run.today(), "slots": slots,
        "rule": { "kind": "daily", "every": 1 }, "end": end,
    });
    let create = serde_json::json!({ "id": SERIES, "series": plan });
    run.decide(&command("create_series", create)).unwrap();
    run
}

#[test]
fn a_series_that_ended_with_few_visits_goes_on_with_many() {
    let mut run = booked_daily(1, SeriesEnd::After { visits: 360 });
    run.act(Act::End(0));
    run.act(Act::AddTime(0));
    let goes_on = serde_json::json!({ "id": SERIES, "end": { "kind": "never" } });
    run.decide(&command("end_series", goes_on)).unwrap();
    assert_eq!(run.open().len(), 2 * (12 * 7 + 1));
}

#[test]
fn a_night_loads_what_visits_that_come_back_have_of_their_own() {
    let mut run = booked_daily(1, SeriesEnd::After { visits: 360 });
    run.act(Act::OwnOffering(151));
    run.act(Act::MoveDay(152, 290));
    let own: Vec<Service> = run
        .open()
        .into_iter()
        .filter(|it| has_own(run.series(), it, &run.business))
        .collect();
    assert_eq!(own.len(), 2);
    run.act(Act::End(0));
    // What was made up to the former end counts no more.
    run.act(Act::End(3));
    run.act(Act::GoOn);
    assert_eq!(run.open().len(), 12 * 7 + 1);
    run.act(Act::Night(100));
    for was in own {
        assert!(run.business.service(was.id).is_some());
    }
}

#[test]
fn a_long_pause_of_a_full_series_can_end() {
    let mut run = booked_daily(6, SeriesEnd::Never);
    let n = run.open().len();
    run.act(Act::Pause(0, 365));
    assert_eq!(run.open(), []);
    run.act(Act::Night(282));
    let pause = run.series().pauses[0].id;
    let resume = serde_json::json!({ "id": SERIES, "pause_id": pause, "on": run.today() });
    run.decide(&command("resume_series", resume)).unwrap();
    assert_eq!(run.open().len(), n);
}

#[test]
fn a_visit_that_was_changed_by_itself_is_cancelled_where_its_date_is_left_out() {
    let mut run = booked();
    let visit = run.open()[3].clone();
    let later = serde_json::json!({ "id": visit.id, "changes": { "start_time": "15:00" }, "overlap_ok": true });
    run.decide(&command("update_service", later)).unwrap();
    let date = visit.series_date.unwrap();
    let out = serde_json::json!({ "id": SERIES, "date": date, "slot": visit.series_slot });
    run.decide(&command("leave_out_date", out)).unwrap();
    let status = run.business.service(visit.id).map(|it| it.status);
    assert_eq!(status, Some(ServiceStatus::Cancelled));
    assert!(run.open().iter().all(|it| it.id != visit.id));
}

#[test]
fn a_visit_that_was_deleted_is_not_made_again() {
    let mut run = booked();
    let visit = run.open()[3].clone();
    run.decide(&command(
        "delete_service",
        serde_json::json!({ "id": visit.id }),
    ))
    .unwrap();
    run.act(Act::End(0));
    run.act(Act::GoOn);
    run.act(Act::Night(10));
    assert_eq!(run.business.service(visit.id), None);
    assert!(20 < run.open().len());
}

#[test]
fn a_deleted_visit_that_is_brought_back_follows_its_series_again() {
    let mut run = booked();
    let before = run.open();
    for visit in before.iter().take(2) {
        let delete = serde_json::json!({ "id": visit.id });
        run.decide(&command("delete_service", delete)).unwrap();
        let service = Patch::from_row(visit);
        let again = serde_json::json!({ "id": visit.id, "service": service, "brings_back": true });
        run.decide(&command("schedule_service", again)).unwrap();
    }
    assert_eq!(run.open(), before);
    assert_eq!(run.series().left_out, []);
    run.act(Act::Pause(0, 365));
    assert_eq!(run.open(), []);
}

#[test]
fn a_visit_that_takes_place_after_its_date_was_left_out_follows_its_series_again() {
    for corrects in [None, Some(false), Some(true)] {
        let mut run = booked();
        let visits = run.open()[3..5].to_vec();
        for visit in &visits {
            let later = serde_json::json!({ "id": visit.id, "changes": { "start_time": "15:00" }, "overlap_ok": true });
            run.decide(&command("update_service", later)).unwrap();
            let out = serde_json::json!({ "id": SERIES, "date": visit.series_date, "slot": visit.series_slot });
            run.decide(&command("leave_out_date", out)).unwrap();
        }
        assert_eq!(run.series().left_out.len(), 2);
        let ids: Vec<Id> = visits.iter().map(|it| it.id).collect();
        match corrects {
            None => {
                let back = serde_json::json!({ "marked": ids, "status": "scheduled" });
                run.decide(&command("mark_services", back)).unwrap();
            }
            Some(corrects) => {
                for id in ids {
                    let back = serde_json::json!({ "id": id, "corrects": corrects });
                    run.decide(&command("reopen_service", back)).unwrap();
                }
            }
        }
        assert_eq!(run.series().left_out, [], "{corrects:?}");
    }
}

#[test]
fn an_undo_takes_nothing_back_that_somebody_else_has_changed_since() {
    let mut run = booked();
    run.act(Act::Pause(3, 10));
    let undo = run.undo.take().unwrap();
    run.business
        .field_changes
        .push(crate::rows::business::FieldChange {
            key: crate::RowKey {
                table: crate::TableName::Series,
                id: SERIES,
            },
            field: "pauses".to_owned(),
            value: serde_json::json!([]),
            by: None,
            at: NOW,
            added: Vec::new(),
        });
    let refused = run.decide(&undo);
    assert!(
        matches!(refused, Err(Refusal::ChangedMeanwhile { .. })),
        "{refused:?}"
    );
    run.business.field_changes.clear();
    let n = run.open().len();
    run.decide(&undo).unwrap();
    assert_eq!(run.open().len(), n + 9, "nine weekdays are back");
}

#[test]
fn times_that_follow_each_other_move_together() {
    let mut run = booked();
    let later = serde_json::json!({ "id": Id::of(4), "is_new": true, "changes": { "start_time": "12:30" } });
    let add = serde_json::json!({ "id": SERIES, "from": run.today(), "slots": [later] });
    run.change("change_series", add);
    assert_eq!(run.series().waiting, []);
    let slot = |id: u128, start: &str| serde_json::json!({ "id": Id::of(id), "changes": { "start_time": start } });
    let both = [slot(3, "12:30"), slot(4, "13:00")];
    let args = serde_json::json!({ "id": SERIES, "from": run.today(), "slots": both });
    run.change("change_series", args);
    assert_eq!(run.series().waiting, []);
    let starts: BTreeSet<Time> = run.open().iter().map(|it| it.start_time).collect();
    assert_eq!(starts.len(), 2);
    assert!(!starts.contains(&Time::hour(12)));
}

#[test]
fn a_visit_that_was_changed_by_itself_keeps_that_unless_one_says_otherwise() {
    let mut run = booked();
    run.act(Act::MoveOne(0));
    let own = run.open()[0].clone();
    assert_eq!(own.start_time.to_string(), "06:15");
    run.act(Act::Later(0, 15));
    let kept = run.business.service(own.id).unwrap();
    assert_eq!((kept.start_time, &kept.notes), (own.start_time, &own.notes));
    let slot = serde_json::json!({ "id": Id::of(3), "changes": { "start_time": "16:00" } });
    let args = serde_json::json!({ "id": SERIES, "from": run.today(), "slots": [slot], "replaces_own": true });
    run.change("change_series", args);
    assert_eq!(
        run.business.service(own.id).unwrap().start_time,
        Time::hour(16)
    );
    let undo = run.undo.take().unwrap();
    run.decide(&undo).unwrap();
    let back = run.business.service(own.id).unwrap();
    assert_eq!((back.start_time, &back.notes), (own.start_time, &own.notes));
}

#[test]
fn an_undo_gives_visits_the_offerings_that_they_had() {
    let mut run = booked();
    run.act(Act::Sell(0, Some(GROOMING)));
    run.act(Act::OwnOffering(0));
    run.act(Act::MoveDay(2, 290));
    let open = |run: &Run| -> Vec<Service> {
        // Whoever undoes a change has not confirmed an overlap with it.
        let visits = run.open().into_iter();
        let visits = visits.map(|it| Service {
            overlap_ok: false,
            ..it
        });
        visits.collect()
    };
    let before = open(&run);
    run.act(Act::TakeBackOwn(0, 15));
    assert!(run.open().iter().all(|it| it.offering_id == Some(GROOMING)));
    run.act(Act::Undo);
    assert_eq!(open(&run), before);
}

#[test]
fn an_offering_that_only_a_series_names_is_deactivated() {
    let mut run = booked();
    run.act(Act::Sell(0, Some(GROOMING)));
    run.act(Act::Pause(0, 365));
    assert_eq!(run.open(), []);
    for (offering, stays) in [(GROOMING, true), (TRAINING, false)] {
        let delete = command("delete_offering", serde_json::json!({ "id": offering }));
        run.decide(&delete).unwrap();
        let left = run.business.offerings.get(&offering);
        let left = left.map(|it| it.row.is_active);
        assert_eq!(left, stays.then_some(false));
    }
}

#[test]
fn an_offering_that_only_a_request_names_is_deactivated() {
    let mut run = booked();
    let mut request = WalkRequest::new(Id::of(91), Id::of(1), NOW);
    request.offering_id = Some(GROOMING);
    run.business.put(1, Row::WalkRequest(request));
    for (offering, stays) in [(GROOMING, true), (TRAINING, false)] {
        let delete = command("delete_offering", serde_json::json!({ "id": offering }));
        run.decide(&delete).unwrap();
        let left = run.business.offerings.get(&offering);
        let left = left.map(|it| it.row.is_active);
        assert_eq!(left, stays.then_some(false));
    }
}

#[test]
fn a_visit_of_which_something_was_sent_stays_as_it_is() {
    let mut run = booked();
    let mut visit = visit_on(&run, "2026-11-24").unwrap();
    visit.live = vec![LiveEvent {
        id: Id::of(92),
        kind: WalkEventKind::Pee,
        at: NOW,
        note: String::new(),
        photo: None,
    }];
    run.business.put(1, Row::Service(visit.clone()));
    change_time(&mut run, "2026-11-23", "15:00", serde_json::json!({}));
    assert_eq!(visit_on(&run, "2026-11-24").unwrap(), visit);
    assert_eq!(
        visit_on(&run, "2026-11-25").unwrap().start_time,
        Time::hour(15)
    );
}

#[test]
fn a_time_that_is_taken_waits_and_is_decided_on() {
    let mut run = Run::new();
    let taken = Service {
        client_id: Id::of(1),
        date: date("2026-11-24"),
        start_time: Time::hour(12),
        ..Service::new(Id::of(77), NOW)
    };
    run.business.put(1, Row::Service(taken));
    run.act(Act::Create);
    let waiting = run.series().waiting.clone();
    assert_eq!(
        waiting
            .iter()
            .map(|it| it.date.to_string())
            .collect::<Vec<_>>(),
        ["2026-11-24"]
    );
    let shown = crate::screens::series::waiting(&run.business, &run.now());
    assert_eq!(shown[0].dates[0].obstacles.len(), 1);
    let choice =
        serde_json::json!({ "date": waiting[0].date, "slot": waiting[0].slot, "way": "book" });
    run.change(
        "settle_series_dates",
        serde_json::json!({ "id": SERIES, "choices": [choice] }),
    );
    assert_eq!(run.series().waiting, []);
    let visits = run
        .business
        .services_between(waiting[0].date, waiting[0].date);
    assert_eq!(visits.len(), 2);
}

#[test]
fn a_decision_on_a_visit_that_another_phone_has_left_out_waits_and_is_told() {
    let mut run = booked();
    let visit = run.open()[0].clone();
    let (date, slot) = (visit.series_date.unwrap(), visit.series_slot.unwrap());
    run.act(Act::LeaveOut(
        date.days_since_epoch() - run.today().days_since_epoch(),
    ));
    assert_eq!(run.business.service(visit.id), None);
    let choice = serde_json::json!({ "date": date, "slot": slot, "way": "book" });
    let settle = serde_json::json!({ "id": SERIES, "choices": [choice] });
    let settle = command("settle_series_dates", settle);
    let decision = decide(&settle, &run.business, &Context::at(run.now())).unwrap();
    let key = SeriesDate { date, slot };
    let told =
        |it: &Adjustment| matches!(it, Adjustment::DatesTaken { dates, .. } if *dates == [key]);
    assert!(decision.adjustments.iter().any(told));
    run.decide(&settle).unwrap();
    assert_eq!(
        (&run.series().waiting, &run.series().left_out),
        (&vec![key], &vec![])
    );
    run.decide(&settle).unwrap();
    assert!(run.series().waiting.is_empty());
    assert!(run.business.service(visit.id).is_some());
}

#[test]
fn notes_of_another_phone_that_a_change_replaces_are_told() {
    let mut run = booked();
    let noted = |text: &str| {
        let changes = serde_json::json!({ "notes": text });
        let args = serde_json::json!({ "id": SERIES, "from": "2026-11-20", "changes": changes });
        command("change_series", args)
    };
    run.decide(&noted("Theirs")).unwrap();
    let told = |run: &Run, text: &str| {
        let decision = decide(&noted(text), &run.business, &Context::at(run.now())).unwrap();
        let is_told =
            |it: &Adjustment| matches!(it, Adjustment::Overwritten(it) if it.theirs == "Theirs");
        decision.adjustments.iter().any(is_told)
    };
    assert!(!told(&run, "Mine"), "nobody else has changed it since");
    let key = RowKey {
        table: crate::TableName::Series,
        id: SERIES,
    };
    run.business
        .field_changes
        .push(crate::rows::business::FieldChange {
            key,
            field: "phases".to_owned(),
            value: serde_json::json!([]),
            by: None,
            at: NOW,
            added: Vec::new(),
        });
    assert!(told(&run, "Mine"));
    assert!(!told(&run, "Theirs"));
    run.decide(&noted("Mine")).unwrap();
}

#[test]
fn visits_that_wait_and_are_left_out_have_a_bound() {
    let mut run = booked_daily(
        1,
        SeriesEnd::On {
            date: date("2027-12-25"),
        },
    );
    run.act(Act::AddTime(0));
    // At the same time of the day, so that each waits.
    run.act(Act::AddTime(0));
    assert_eq!(run.series().waiting.len(), 366);
    let slot = serde_json::json!({ "id": Id::of(7), "is_new": true, "changes": { "start_time": "21:00" } });
    let add = serde_json::json!({ "id": SERIES, "from": run.today(), "slots": [slot] });
    let add = command("change_series", add);
    let refused = |it: Result<Vec<Change>, Refusal>, field: &str| match it {
        Err(Refusal::Invalid { fields }) => fields.iter().any(|it| it.field == field),
        _ => false,
    };
    assert!(refused(run.decide(&add), "waiting"));
    let mut series = run.series().clone();
    let slot = series.phases[0].slots[0].id;
    let dates = (0..1_198).map(|it| run.today().plus_days(400 + it));
    series.left_out = dates.map(|date| SeriesDate { date, slot }).collect();
    series.waiting.clear();
    run.business.put(1, Row::Series(series));
    let out = |n: i64| {
        let days = (0..n).map(|it| run.today().plus_days(it));
        let choices =
            days.map(|date| serde_json::json!({ "date": date, "slot": slot, "way": "leave_out" }));
        let choices: Vec<_> = choices.collect();
        command(
            "settle_series_dates",
            serde_json::json!({ "id": SERIES, "choices": choices }),
        )
    };
    let (two, three) = (out(2), out(3));
    assert!(refused(run.decide(&three), "left_out"));
    assert!(run.decide(&two).is_ok());
}

#[test]
fn one_command_of_a_night_makes_the_visits_of_so_many_series() {
    let mut run = booked();
    for n in 0..99 {
        let series = Series {
            id: Id::of(600 + n),
            ..run.series().clone()
        };
        run.business.put(1, Row::Series(series));
    }
    run.day += 7;
    let extend = command("extend_series", serde_json::json!({}));
    let written = run.decide(&extend).unwrap();
    let n_series = written
        .iter()
        .filter(|it| matches!(it, Change::Put(Row::Series(_))));
    assert_eq!(n_series.count(), 64);
    run.extend();
    let until: BTreeSet<Date> = run
        .business
        .series
        .values()
        .map(|it| it.row.made_until)
        .collect();
    assert_eq!(until.len(), 1);
}

#[test]
fn a_booking_of_a_day_that_another_zone_makes_past_stays_shown() {
    let run = Run::new();
    let at = Instant(NOW.0 + 3 * 60 * 60 * 1000);
    // Auckland in summer.
    let zone = TimeZone::posix("NZDT-13").unwrap();
    let mut ctx = Context::at(Now { at, zone });
    let day = run.today();
    assert!(day < ctx.today());
    let slot = serde_json::json!({
        "id": Id::of(3), "start_time": "12:00", "duration_minutes": 30, "service_type": "walk",
    });
    let mut visit = slot.clone();
    visit["client_id"] = serde_json::json!(Id::of(1));
    visit["dog_ids"] = serde_json::json!([Id::of(2)]);
    visit["date"] = serde_json::json!(day);
    let series = serde_json::json!({
        "client_id": Id::of(1), "dog_ids": [Id::of(2)], "begins": day, "slots": [slot],
        "rule": { "kind": "daily", "every": 1 }, "end": { "kind": "never" },
    });
    for booking in [
        command(
            "create_series",
            serde_json::json!({ "id": SERIES, "series": series }),
        ),
        command(
            "schedule_service",
            serde_json::json!({ "id": Id::of(900), "service": visit }),
        ),
    ] {
        for is_shown in [true, false] {
            ctx.is_shown = is_shown;
            let decided = decide(&booking, &run.business, &ctx);
            assert_eq!(decided.is_ok(), is_shown, "{booking:?} {decided:?}");
        }
    }
}

#[test]
fn a_preview_has_prices_sums_and_what_is_in_the_way() {
    let mut run = Run::new();
    let plan = serde_json::json!({
        "client_id": Id::of(1), "dog_ids": [Id::of(2)], "begins": "2026-11-23", "end": { "kind": "after", "visits": 6 },
        "slots": [{ "id": Id::of(3), "start_time": "12:00", "duration_minutes": 30, "service_type": "walk" }],
        "rule": { "kind": "weekly", "every": 1, "weekdays": [1, 2] },
    });
    let command = command(
        "create_series",
        serde_json::json!({ "id": SERIES, "series": plan }),
    );
    let preview = crate::screens::series::preview(&run.business, &command, &run.now());
    assert_eq!(
        (
            preview.dates.len(),
            preview.weeks.len(),
            preview.months.len()
        ),
        (6, 3, 2)
    );
    assert_eq!(preview.total.to_string(), "$150.00");
    assert_eq!(
        preview.sentence,
        "Mondays and Tuesdays at 12:00 PM, 6 visits"
    );
    assert_eq!(
        (preview.effect.as_str(), preview.done.as_str()),
        (
            "6 visits from Nov 23 to Dec 8 will be booked.",
            "6 visits from Nov 23 to Dec 8 are booked."
        )
    );
    run.decide(&command).unwrap();
    assert_eq!(run.open().len(), 6);
    assert_eq!(run.series().due_on, None);
    let empty = serde_json::json!({ "id": SERIES, "series": {} });
    let empty = crate::screens::series::preview(
        &run.business,
        &self::command("create_series", empty),
        &run.now(),
    );
    let fields: Vec<String> = empty.errors.into_iter().map(|it| it.field).collect();
    assert_eq!(fields, [] as [String; 0], "the series is there already");
}

/// A run whose visit on 2026-11-24 has something else in its way, at that hour.
fn taken_at(hour: u16) -> Run {
    let mut run = Run::new();
    let taken = Service {
        client_id: Id::of(1),
        date: date("2026-11-24"),
        start_time: Time::hour(hour),
        ..Service::new(Id::of(77), NOW)
    };
    run.business.put(1, Row::Service(taken));
    run.act(Act::Create);
    run
}

fn choice(way: &str, start_time: Option<&str>) -> serde_json::Value {
    serde_json::json!({ "date": "2026-11-24", "slot": Id::of(3), "way": way, "start_time": start_time })
}

fn settle(run: &mut Run, choice: &serde_json::Value) {
    let args = serde_json::json!({ "id": SERIES, "choices": [choice] });
    run.change("settle_series_dates", args);
}

fn change_time(run: &mut Run, from: &str, start: &str, more: serde_json::Value) {
    let slot = serde_json::json!({ "id": Id::of(3), "changes": { "start_time": start } });
    let mut args = serde_json::json!({ "id": SERIES, "from": from, "slots": [slot] });
    let serde_json::Value::Object(more) = more else {
        panic!("no fields: {more}");
    };
    args.as_object_mut().unwrap().extend(more);
    run.change("change_series", args);
}

fn undo(run: &mut Run) {
    let undo = run.undo.take().unwrap();
    run.decide(&undo).unwrap();
}

fn visit_on(run: &Run, day: &str) -> Option<Service> {
    let key = Some((
        SERIES,
        crate::rows::series::SeriesDate {
            date: date(day),
            slot: Id::of(3),
        },
    ));
    let mut visits = run.business.services.values().map(|it| &it.row);
    visits.find(|it| it.occurrence() == key).cloned()
}

fn view(run: &Run) -> crate::screens::series::SeriesView {
    crate::screens::series::view(&run.business, run.series(), &run.now())
}

fn rows(run: &Run) -> (Series, Vec<Service>) {
    let services = run.business.services.values().map(|it| it.row.clone());
    (run.series().clone(), services.collect())
}

#[test]
fn the_undo_of_leaving_a_date_out_brings_back_the_visit_that_stood_elsewhere_meanwhile() {
    let mut run = taken_at(15);
    let visit = visit_on(&run, "2026-11-24").unwrap();
    run.change_one(
        Some(visit),
        serde_json::json!({ "notes": "Use the back door" }),
    );
    change_time(&mut run, "2026-11-23", "15:00", serde_json::json!({}));
    let before = rows(&run);
    assert_eq!(before.0.waiting.len(), 1);
    assert_eq!(
        visit_on(&run, "2026-11-24").unwrap().start_time,
        Time::hour(12)
    );
    settle(&mut run, &choice("leave_out", None));
    assert_eq!(
        visit_on(&run, "2026-11-24").unwrap().status,
        ServiceStatus::Cancelled
    );
    undo(&mut run);
    assert_eq!(rows(&run), before);
}

#[test]
fn the_undo_of_a_decision_on_a_date_lets_it_wait_again() {
    for choice in [
        choice("book", None),
        choice("move", Some("16:00")),
        choice("leave_out", None),
    ] {
        let mut run = taken_at(12);
        let before = rows(&run);
        assert_eq!(before.0.waiting.len(), 1);
        settle(&mut run, &choice);
        assert_eq!(run.series().waiting, [], "{choice}");
        undo(&mut run);
        assert_eq!(rows(&run), before, "{choice}");
    }
}

#[test]
fn the_undo_of_a_change_books_a_visit_over_something_else_again() {
    let later = serde_json::json!({ "from": "2026-11-23", "slots": [{ "id": Id::of(3), "changes": { "start_time": "15:00" } }] });
    for (command, more) in [
        ("change_series", later),
        (
            "pause_series",
            serde_json::json!({ "pause_id": Id::of(90), "from": "2026-11-23", "to": "2026-11-27" }),
        ),
        (
            "end_series",
            serde_json::json!({ "end": { "kind": "on", "date": "2026-11-22" } }),
        ),
    ] {
        let mut run = taken_at(12);
        settle(&mut run, &choice("book", None));
        assert!(visit_on(&run, "2026-11-24").unwrap().overlap_ok);
        let before = rows(&run);
        let mut args = serde_json::json!({ "id": SERIES });
        let serde_json::Value::Object(more) = more else {
            panic!()
        };
        args.as_object_mut().unwrap().extend(more);
        run.change(command, args);
        assert_ne!(rows(&run), before, "{command}");
        undo(&mut run);
        assert_eq!(rows(&run), before, "{command}");
    }
}

#[test]
fn an_undo_leaves_a_visit_out_that_somebody_has_left_out_since() {
    let mut run = taken_at(12);
    settle(&mut run, &choice("book", None));
    change_time(&mut run, "2026-11-23", "15:00", serde_json::json!({}));
    let change = run.undo.take();
    let args = serde_json::json!({ "id": SERIES, "date": "2026-11-24", "slot": Id::of(3) });
    run.change("leave_out_date", args);
    let left_out = run.series().left_out.clone();
    run.undo = change;
    undo(&mut run);
    assert_eq!(run.series().left_out, left_out);
    assert_eq!(run.series().waiting, []);
    assert_eq!(visit_on(&run, "2026-11-24"), None);
}

#[test]
fn the_undo_of_a_decision_leaves_a_visit_that_somebody_has_changed_since() {
    let change = |run: &mut Run, is_noted: bool| {
        let visit = visit_on(run, "2026-11-24").unwrap();
        if is_noted {
            let key = crate::RowKey {
                table: crate::TableName::Service,
                id: visit.id,
            };
            let note = crate::rows::business::FieldChange {
                key,
                field: "start_time".to_owned(),
                value: serde_json::json!("17:00"),
                by: None,
                at: NOW,
                added: Vec::new(),
            };
            run.business.field_changes.push(note);
        } else {
            let args = serde_json::json!({ "id": visit.id, "changes": { "notes": "Ring twice" } });
            run.does("update_service", args);
        }
    };
    for is_noted in [true, false] {
        let mut run = taken_at(12);
        settle(&mut run, &choice("move", Some("16:00")));
        change(&mut run, is_noted);
        let before = rows(&run);
        undo(&mut run);
        assert_eq!(rows(&run), before);
    }
}

#[test]
fn the_undo_of_a_change_takes_back_where_its_decisions_moved_visits() {
    let mut run = taken_at(15);
    let before = rows(&run);
    let moves = serde_json::json!({ "choices": [choice("move", Some("16:30"))] });
    change_time(&mut run, "2026-11-20", "15:00", moves);
    let moved = visit_on(&run, "2026-11-24").unwrap();
    assert_eq!(moved.start_time.to_string(), "16:30");
    undo(&mut run);
    assert_eq!(rows(&run).1, before.1);
    // One that waits at its former time goes back there.
    change_time(&mut run, "2026-11-20", "15:00", serde_json::json!({}));
    let before = rows(&run);
    assert_eq!(before.0.waiting.len(), 1);
    settle(&mut run, &choice("move", Some("16:30")));
    assert_eq!(run.series().waiting, []);
    undo(&mut run);
    assert_eq!(rows(&run), before);
}

#[test]
fn the_undo_of_leaving_a_day_out_leaves_out_what_somebody_has_deleted_meanwhile() {
    let mut run = taken_at(15);
    let args = serde_json::json!({ "id": SERIES, "date": "2026-11-24" });
    let leaves_out = command("leave_out_date", args);
    let restore = crate::screens::series::undo(&run.business, &leaves_out, &run.now()).unwrap();
    let visit = visit_on(&run, "2026-11-24").unwrap();
    let delete = serde_json::json!({ "id": visit.id });
    run.decide(&command("delete_service", delete)).unwrap();
    let deleted = run.series().left_out.clone();
    assert_eq!(deleted.len(), 1);
    run.decide(&leaves_out).unwrap();
    run.business
        .field_changes
        .push(crate::rows::business::FieldChange {
            key: crate::RowKey {
                table: crate::TableName::Series,
                id: SERIES,
            },
            field: "left_out".to_owned(),
            value: serde_json::json!(deleted),
            by: None,
            at: NOW,
            added: vec![serde_json::json!(deleted[0])],
        });
    run.decide(&restore).unwrap();
    assert_eq!(run.series().left_out, deleted);
    assert_eq!(visit_on(&run, "2026-11-24"), None);
    run.business.field_changes.clear();
    run.decide(&restore).unwrap();
    assert!(visit_on(&run, "2026-11-24").is_some());
}

#[test]
fn the_undo_of_a_choice_takes_back_what_had_no_time_on_the_phone_alone() {
    let mut run = taken_at(12);
    let before = rows(&run);
    assert_eq!(before.0.waiting.len(), 1);
    let args = serde_json::json!({ "id": SERIES, "choices": [choice("move", Some("16:00"))] });
    let moves = command("settle_series_dates", args);
    let gone = Service {
        client_id: Id::of(1),
        date: date("2026-11-24"),
        start_time: Time::hour(16),
        ..Service::new(Id::of(78), NOW)
    };
    run.business.put(1, Row::Service(gone));
    let restore = crate::screens::series::undo(&run.business, &moves, &run.now()).unwrap();
    // Somebody else has deleted what the phone still shows at that time.
    run.business.services.remove(&Id::of(78));
    run.decide(&moves).unwrap();
    assert!(visit_on(&run, "2026-11-24").is_some());
    run.decide(&restore).unwrap();
    assert_eq!(rows(&run), before);
}

#[test]
fn a_visit_that_was_cancelled_by_itself_is_not_left_out_with_its_day() {
    let mut run = taken_at(15);
    let args = serde_json::json!({ "id": SERIES, "date": "2026-11-24" });
    let leaves_out = command("leave_out_date", args);
    let visit = visit_on(&run, "2026-11-24").unwrap();
    let id = serde_json::json!({ "id": visit.id });
    run.decide(&command("cancel_service", id.clone())).unwrap();
    let nothing = crate::screens::series::undo(&run.business, &leaves_out, &run.now()).unwrap();
    run.decide(&leaves_out).unwrap();
    assert_eq!(run.series().left_out, []);
    // Deleted meanwhile, it does not come back with the undo of that.
    run.decide(&command("delete_service", id)).unwrap();
    run.decide(&nothing).unwrap();
    assert_eq!(run.series().left_out.len(), 1);
    assert_eq!(visit_on(&run, "2026-11-24"), None);
}

#[test]
fn the_undo_of_a_change_lets_a_visit_stand_that_did_not_wait_before() {
    let mut run = taken_at(12);
    settle(&mut run, &choice("move", Some("16:00")));
    let mut moved = visit_on(&run, "2026-11-24").unwrap();
    moved.notes = "Use the back door".to_owned();
    run.business.put(1, Row::Service(moved));
    let before = rows(&run);
    assert_eq!(before.0.waiting, []);
    let changes = serde_json::json!({ "replaces_own": true, "changes": { "notes": "Ring twice" } });
    change_time(&mut run, "2026-11-23", "12:15", changes);
    let waits = visit_on(&run, "2026-11-24").unwrap();
    assert_eq!(run.series().waiting.len(), 1);
    assert_eq!(
        (waits.start_time, &*waits.notes),
        (Time::hour(16), "Ring twice")
    );
    undo(&mut run);
    assert_eq!(rows(&run), before);
}

#[test]
fn the_undo_of_a_booking_removes_visits_of_an_offering_that_is_not_sold_any_more() {
    let mut run = Run::new();
    let slot = serde_json::json!({
        "id": Id::of(3), "start_time": "12:00", "duration_minutes": 30, "service_type": "walk",
        "offering_id": Id::of(404),
    });
    let series = serde_json::json!({
        "client_id": Id::of(1), "dog_ids": [Id::of(2)], "begins": "2026-11-23",
        "rule": { "kind": "daily", "every": 1 }, "slots": [slot],
    });
    let book = serde_json::json!({ "id": SERIES, "series": series });
    run.decide(&command("create_series", book)).unwrap();
    assert!(visit_on(&run, "2026-11-24").is_some());
    let back = serde_json::json!({ "id": SERIES });
    run.decide(&command("delete_series", back)).unwrap();
    let left: Vec<Service> = run
        .business
        .services
        .values()
        .map(|it| it.row.clone())
        .collect();
    assert_eq!(left, []);
}

#[test]
fn earlier_visits_keep_their_own_when_a_later_change_replaces_it() {
    let mut run = booked();
    run.act(Act::MoveOne(0));
    run.act(Act::MoveOne(15));
    let own = view(&run).own;
    assert_eq!(own.len(), 2);
    let (first, second) = (own[0].date, own[1].date);
    let replaces = serde_json::json!({ "replaces_own": true });
    change_time(&mut run, &second.to_string(), "16:00", replaces);
    let own = view(&run).own;
    assert_eq!(own.iter().map(|it| it.date).collect::<Vec<_>>(), [first]);
    let early = visit_on(&run, &first.to_string()).unwrap();
    assert_eq!(early.start_time.to_string(), "06:15");
    let late = visit_on(&run, &second.to_string()).unwrap();
    assert_eq!(late.start_time, Time::hour(16));
}

#[test]
fn the_words_of_a_later_change_are_those_of_its_day() {
    let mut run = booked();
    let slot = serde_json::json!({ "id": Id::of(3), "changes": { "start_time": "13:00" } });
    let later = command(
        "change_series",
        serde_json::json!({ "id": SERIES, "from": "2026-12-15", "slots": [slot] }),
    );
    let preview = crate::screens::series::preview(&run.business, &later, &run.now());
    let at_one = "Every weekday at 1:00 PM, until you stop it";
    assert_eq!(preview.sentence, at_one);
    run.decide(&later).unwrap();
    let at_noon = "Every weekday at 12:00 PM, until you stop it";
    let now = view(&run);
    assert_eq!(now.sentence, at_noon);
    assert_eq!(now.later, ["From Dec 15: Every weekday at 1:00 PM"]);
    let of = |day: &str| {
        let id = visit_on(&run, day).unwrap().id;
        let of = crate::screens::series::of_service(&run.business, id, &run.now()).unwrap();
        (of.view.sentence, of.view.later.len())
    };
    assert_eq!(of("2026-12-14"), (at_noon.to_owned(), 1));
    assert_eq!(of("2026-12-15"), (at_one.to_owned(), 0));
    run.act(Act::End(7));
    assert_eq!(view(&run).later, [] as [&str; 0], "it ends before that");
}

#[test]
fn a_time_that_ends_on_a_later_day_still_changes_until_then() {
    let mut run = booked();
    let evening = serde_json::json!({ "id": Id::of(4), "is_new": true, "changes": { "start_time": "18:00" } });
    let add = serde_json::json!({ "id": SERIES, "from": run.today(), "slots": [evening] });
    run.change("change_series", add);
    let remove =
        serde_json::json!({ "id": SERIES, "from": "2026-12-15", "removed_slots": [Id::of(4)] });
    run.change("change_series", remove);
    let evening = serde_json::json!({ "id": Id::of(4), "changes": { "start_time": "19:00" } });
    let args = serde_json::json!({ "id": SERIES, "from": run.today(), "slots": [evening] });
    run.decide(&command("change_series", args)).unwrap();
    let phases = &run.series().phases;
    let times = phases.iter().map(|it| {
        let starts = it.slots.iter().map(|it| it.start_time.to_string());
        starts.collect::<Vec<_>>()
    });
    let times: Vec<Vec<String>> = times.collect();
    assert_eq!(times, [vec!["12:00", "19:00"], vec!["12:00"]]);
    // One that the series has nowhere on that day was removed by somebody.
    let gone = serde_json::json!({ "id": Id::of(4), "changes": { "start_time": "20:00" } });
    let args = serde_json::json!({ "id": SERIES, "from": "2026-12-15", "slots": [gone] });
    let refused = run.decide(&command("change_series", args));
    assert!(matches!(refused, Err(Refusal::Gone)), "{refused:?}");
}

#[test]
fn visits_to_come_alone_count_as_waiting() {
    let mut run = taken_at(12);
    assert_eq!(view(&run).waiting, 1);
    run.day += 5;
    assert_eq!(run.series().waiting.len(), 1);
    assert_eq!(view(&run).waiting, 0);
    let count = crate::screens::series::waiting_count(&run.business, &run.now());
    assert_eq!(count, 0);
}

#[test]
fn dates_that_a_series_does_not_have_are_not_left_out() {
    let mut run = booked();
    let choices = ["2026-11-22", "2026-11-25", "2031-11-25"]
        .map(|date| serde_json::json!({ "date": date, "slot": Id::of(3), "way": "leave_out" }));
    let args = serde_json::json!({ "id": SERIES, "choices": choices });
    run.change("settle_series_dates", args);
    let left_out = run.series().left_out.iter().map(|it| it.date.to_string());
    assert_eq!(left_out.collect::<Vec<_>>(), ["2026-11-25"]);
}

#[test]
fn the_next_days_are_those_of_visits_that_take_place() {
    let mut run = taken_at(12);
    // The first is cancelled, that of the 24th waits, and that of the 25th was moved.
    run.act(Act::Cancel(0));
    let visit = visit_on(&run, "2026-11-25").unwrap();
    let args = serde_json::json!({ "id": visit.id, "changes": { "date": "2026-11-28" } });
    run.does("update_service", args);
    assert_eq!(view(&run).next, ["Nov 23", "Nov 26", "Nov 27"]);
    run.act(Act::End(0));
    assert_eq!(view(&run).next, [] as [&str; 0]);
}

#[test]
fn a_visit_that_waits_at_its_former_time_is_not_changed_by_itself() {
    let mut run = taken_at(15);
    change_time(&mut run, "2026-11-20", "15:00", serde_json::json!({}));
    assert_eq!(run.series().waiting.len(), 1);
    assert_eq!(view(&run).own, []);
    let undo = run.undo.take().unwrap();
    let preview = crate::screens::series::preview(&run.business, &undo, &run.now());
    assert!(!preview.effect.contains("by itself"), "{}", preview.effect);
    run.decide(&undo).unwrap();
    assert_eq!(run.series().waiting, []);
}

/// The visits that are planned in the week from that day on.
fn planned(run: &Run, day: &str) -> Vec<String> {
    let (first, now) = (date(day), run.now());
    let planned = crate::screens::series::planned(&run.business, first, first.plus_days(6), &now);
    planned.iter().map(|it| it.date.to_string()).collect()
}

#[test]
fn an_inactive_client_has_no_planned_visits() {
    let mut run = booked();
    let client = run.business.client(Id::of(1)).unwrap().clone();
    let inactive = Client {
        inactive_since: Some(run.today()),
        ..client.clone()
    };
    run.business.put(2, Row::Client(inactive));
    assert_eq!(planned(&run, PLANNED), [] as [&str; 0]);
    run.business.put(3, Row::Client(client));
    assert_eq!(planned(&run, PLANNED).len(), 5);
}

#[test]
fn the_undo_of_a_date_that_is_left_out_makes_no_billed_visit_that_was_deleted_since() {
    let mut run = booked();
    let billed = Service {
        invoice_id: Some(Id::of(90)),
        ..visit_on(&run, "2026-11-24").unwrap()
    };
    run.business.put(1, Row::Service(billed.clone()));
    let before = run.series().clone();
    let args = serde_json::json!({ "id": SERIES, "date": "2026-11-24" });
    let leave_out = command("leave_out_date", args.clone());
    let shown = crate::screens::series::preview(&run.business, &leave_out, &run.now());
    assert_eq!(
        shown.effect,
        "1 visit on Nov 24 is completed, under way or billed and stays as it is."
    );
    run.change("leave_out_date", args);
    assert_eq!(visit_on(&run, "2026-11-24"), Some(billed.clone()));
    assert_eq!(run.series().left_out, before.left_out);
    run.business.delete(Row::Service(billed).key());
    undo(&mut run);
    assert_eq!(visit_on(&run, "2026-11-24"), None);
    assert_eq!(run.series().left_out, before.left_out);
}

/// The Monday after the twelve weeks.
const PLANNED: &str = "2027-02-15";

#[test]
fn a_planned_visit_is_made_as_its_series_says_and_follows_it() {
    let mut run = booked();
    assert_eq!(planned(&run, "2027-02-08"), [] as [&str; 0]);
    assert_eq!(planned(&run, PLANNED).len(), 5);
    let args = serde_json::json!({ "id": SERIES, "date": PLANNED, "slot": Id::of(3) });
    let make = command("make_series_date", args.clone());
    let undo = crate::screens::series::undo(&run.business, &make, &run.now()).unwrap();
    run.decide(&make).unwrap();
    assert!(run.decide(&make).unwrap().is_empty(), "a repeat");
    let id = crate::rules::series::occurrence_id(SERIES, Id::of(3), date(PLANNED));
    assert_eq!(visit_on(&run, PLANNED).unwrap().id, id);
    assert_eq!(planned(&run, PLANNED).len(), 4);
    run.decide(&undo).unwrap();
    assert_eq!(visit_on(&run, PLANNED), None);
    assert_eq!(planned(&run, PLANNED).len(), 5);
    // Made again, it follows a change, stays where a night comes to it, and goes with the end.
    run.decide(&make).unwrap();
    change_time(&mut run, "2026-11-20", "15:00", serde_json::json!({}));
    let made = visit_on(&run, PLANNED).unwrap();
    assert_eq!(made.start_time, Time::hour(15));
    run.day += 21;
    run.extend();
    assert_eq!(visit_on(&run, PLANNED), Some(made));
    run.act(Act::End(7));
    assert_eq!(visit_on(&run, PLANNED), None);
    let refused = run.decide(&command("make_series_date", args));
    assert!(
        matches!(refused, Err(Refusal::Invalid { .. })),
        "{refused:?}"
    );
}

#[test]
fn the_undo_of_a_planned_visit_leaves_one_that_was_changed_or_begun_since() {
    let mut run = booked();
    let args = serde_json::json!({ "id": SERIES, "date": PLANNED, "slot": Id::of(3) });
    let make = command("make_series_date", args);
    let undo = crate::screens::series::undo(&run.business, &make, &run.now()).unwrap();
    run.decide(&make).unwrap();
    let mut visit = visit_on(&run, PLANNED).unwrap();
    visit.start_time = Time::hour(17);
    run.business.put(2, Row::Service(visit.clone()));
    run.decide(&undo).unwrap();
    assert_eq!(visit_on(&run, PLANNED), Some(visit));
}

#[test]
fn a_planned_visit_whose_time_is_taken_is_refused_unless_it_is_meant() {
    let mut run = booked();
    let other = Service {
        client_id: OTHER.0,
        date: date(PLANNED),
        start_time: Time::hour(12),
        duration_minutes: 30,
        ..Service::new(Id::of(901), NOW)
    };
    run.business.put(1, Row::Service(other));
    let mut args = serde_json::json!({ "id": SERIES, "date": PLANNED, "slot": Id::of(3) });
    let refused = run.decide(&command("make_series_date", args.clone()));
    assert!(
        matches!(refused, Err(Refusal::Conflict { .. })),
        "{refused:?}"
    );
    args["overlap_ok"] = serde_json::json!(true);
    run.decide(&command("make_series_date", args)).unwrap();
    assert!(visit_on(&run, PLANNED).unwrap().overlap_ok);
}

#[test]
fn the_weeks_ahead_are_those_of_the_settings_and_fewer_remove_nothing() {
    let mut run = booked();
    let config = crate::rows::availability_config::AvailabilityConfig::new(Id::of(77));
    run.business.put(1, Row::AvailabilityConfig(config));
    let set = |weeks: Option<u32>| {
        let changes = serde_json::json!({ "series_weeks_ahead": weeks });
        command(
            "update_availability_config",
            serde_json::json!({ "changes": changes }),
        )
    };
    run.extend();
    assert_eq!(run.series().made_until, date("2027-02-14"));
    run.decide(&set(Some(26))).unwrap();
    run.extend();
    assert_eq!(run.series().made_until, date("2027-05-23"));
    let n_visits = run.open().len();
    assert_eq!(planned(&run, PLANNED), [] as [&str; 0]);
    run.decide(&set(Some(4))).unwrap();
    run.extend();
    assert_eq!(run.open().len(), n_visits);
    // The job has nothing to do until four weeks before what comes next.
    assert_eq!(run.series().due_on, Some(date("2027-04-26")));
    // Without a number there are twelve weeks again.
    run.decide(&set(None)).unwrap();
    assert_eq!(run.series().due_on, Some(date("2027-03-01")));
    for wrong in [3, 27] {
        let refused = run.decide(&set(Some(wrong)));
        assert!(
            matches!(refused, Err(Refusal::Invalid { .. })),
            "{refused:?}"
        );
    }
}

#[test]
fn a_visit_that_leaves_its_agreed_window_with_its_series_has_none() {
    let mut run = booked();
    let agreed = Service {
        window_from: Some(Time::hour(11)),
        window_to: Some(Time::hour(13)),
        ..visit_on(&run, "2026-11-24").unwrap()
    };
    run.business.put(1, Row::Service(agreed));
    let today = run.today().to_string();
    let window = |run: &Run| visit_on(run, "2026-11-24").unwrap().window();
    change_time(&mut run, &today, "12:30", serde_json::json!({}));
    assert_eq!(window(&run), Some((Time::hour(11), Time::hour(13))));
    change_time(&mut run, &today, "13:30", serde_json::json!({}));
    assert_eq!(window(&run), None);
}

/// Books with a rate, and raises it afterwards.
fn booked_before_new_rates() -> Run {
    let mut run = booked();
    let client = Client {
        walk_rate_30min: Cents(9_900),
        ..run.business.client(Id::of(1)).unwrap().clone()
    };
    run.business.put(1, Row::Client(client));
    run
}

#[test]
fn the_undo_of_a_change_gives_the_agreed_window_back() {
    let mut run = booked();
    let agreed = Service {
        window_from: Some(Time::hour(11)),
        window_to: Some(Time::hour(13)),
        ..visit_on(&run, "2026-11-24").unwrap()
    };
    run.business.put(1, Row::Service(agreed.clone()));
    let today = run.today().to_string();
    change_time(&mut run, &today, "13:30", serde_json::json!({}));
    assert_eq!(visit_on(&run, "2026-11-24").unwrap().window(), None);
    undo(&mut run);
    assert_eq!(visit_on(&run, "2026-11-24"), Some(agreed.clone()));
    // It is something of its own: a pause takes it away and brings it back.
    let pause = serde_json::json!({ "id": SERIES, "pause_id": Id::of(70), "from": "2026-11-23", "to": "2026-11-27" });
    run.change("pause_series", pause);
    undo(&mut run);
    assert_eq!(visit_on(&run, "2026-11-24"), Some(agreed));
}

#[test]
fn the_undo_of_a_change_gives_former_prices_back() {
    let slot = |minutes: u32| serde_json::json!({ "id": Id::of(3), "changes": { "duration_minutes": minutes } });
    for (name, args) in [
        (
            "change_series",
            serde_json::json!({ "id": SERIES, "from": "2026-11-20", "slots": [slot(60)] }),
        ),
        (
            "pause_series",
            serde_json::json!({ "id": SERIES, "pause_id": Id::of(70), "from": "2026-11-23", "to": "2026-11-27" }),
        ),
    ] {
        let mut run = booked_before_new_rates();
        let price = visit_on(&run, "2026-11-24").unwrap().price;
        assert_ne!(price, Cents(9_900));
        run.change(name, args);
        assert_ne!(visit_on(&run, "2026-11-24").map(|it| it.price), Some(price));
        undo(&mut run);
        let after = visit_on(&run, "2026-11-24").unwrap();
        assert_eq!(
            (after.price, after.pricing_breakdown.total),
            (price, price),
            "{name}"
        );
    }
}

#[test]
fn the_undo_of_a_booking_takes_visits_with_it_that_were_moved_where_a_time_was_taken() {
    for is_noted in [false, true] {
        let mut run = taken_at(12);
        settle(&mut run, &choice("move", Some("16:00")));
        let visit = visit_on(&run, "2026-11-24").unwrap();
        if is_noted {
            let key = RowKey {
                table: TableName::Service,
                id: visit.id,
            };
            let note = crate::rows::business::FieldChange {
                key,
                field: "start_time".to_owned(),
                value: serde_json::json!("16:00"),
                by: None,
                at: NOW,
                added: Vec::new(),
            };
            run.business.field_changes.push(note);
        }
        let delete = command("delete_series", serde_json::json!({ "id": SERIES }));
        run.decide(&delete).unwrap();
        let status = run.business.service(visit.id).map(|it| it.status);
        assert_eq!(status, is_noted.then_some(ServiceStatus::Cancelled));
    }
}

#[test]
fn the_undo_of_a_change_leaves_what_has_waited_on_the_server_all_the_while() {
    let mut run = taken_at(12);
    assert_eq!(run.series().waiting.len(), 1);
    // The phone does not know what stands there, and has the visit.
    let mut phone = run.business.clone();
    phone.services.remove(&Id::of(77));
    let book = command(
        "settle_series_dates",
        serde_json::json!({ "id": SERIES, "choices": [choice("again", None)] }),
    );
    let made = crate::commands::decide(&book, &phone, &Context::at(run.now())).unwrap();
    phone.apply(2, &made.changes);
    let slot = serde_json::json!({ "id": Id::of(3), "changes": { "start_time": "12:15" } });
    let waits = serde_json::json!({ "date": "2026-11-24", "slot": Id::of(3), "way": "wait" });
    let change = command(
        "change_series",
        serde_json::json!({
            "id": SERIES, "from": "2026-11-23", "slots": [slot], "choices": [waits],
        }),
    );
    let restore = crate::screens::series::undo(&phone, &change, &run.now()).unwrap();
    let before = run.series().waiting.clone();
    run.decide(&change).unwrap();
    run.decide(&restore).unwrap();
    assert_eq!(run.series().waiting, before);
}

#[test]
fn the_undo_of_an_added_time_takes_visits_with_it_that_were_moved_where_a_time_was_taken() {
    let mut run = taken_at(15);
    let before = rows(&run);
    let slot = serde_json::json!({ "id": Id::of(9), "is_new": true, "changes": { "start_time": "15:00" } });
    let moves = serde_json::json!({
        "date": "2026-11-24", "slot": Id::of(9), "way": "move", "start_time": "17:00",
    });
    let args = serde_json::json!({
        "id": SERIES, "from": "2026-11-20", "slots": [slot], "choices": [moves],
    });
    run.change("change_series", args);
    let services = run.business.services.values().map(|it| &it.row);
    let moved = services.filter(|it| it.start_time == Time::hour(17));
    let days: Vec<Date> = moved.map(|it| it.date).collect();
    assert_eq!(days, [date("2026-11-24")]);
    undo(&mut run);
    assert_eq!(rows(&run).1, before.1);
}

#[test]
fn the_undo_of_a_later_end_takes_visits_with_it_that_were_moved_where_a_time_was_taken() {
    let mut run = taken_at(12);
    let ends = serde_json::json!({ "kind": "on", "date": "2026-11-21" });
    let end = serde_json::json!({ "id": SERIES, "end": ends });
    run.decide(&command("end_series", end)).unwrap();
    let before = rows(&run);
    let goes_on = serde_json::json!({
        "id": SERIES, "end": { "kind": "never" }, "choices": [choice("move", Some("16:00"))],
    });
    run.change("end_series", goes_on);
    let moved = visit_on(&run, "2026-11-24").unwrap();
    assert_eq!(moved.start_time.to_string(), "16:00");
    undo(&mut run);
    assert_eq!(rows(&run).1, before.1);
}

/// The fields that a refused change names.
fn refused(run: &mut Run, name: &str, args: serde_json::Value) -> Vec<String> {
    match run.decide(&command(name, args)) {
        Err(Refusal::Invalid { fields }) => fields.into_iter().map(|it| it.field).collect(),
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn a_business_has_so_many_series_that_run_and_a_series_so_many_pauses_and_times_a_day() {
    let mut run = booked_before_new_rates();
    let mut series = rows(&run).0;
    let pause = |day: i64| {
        let from = run.today().plus_days(day);
        SeriesPause::new(Id::of(7_000 + day.unsigned_abs() as u128), from)
    };
    series.pauses = (0..19).map(|it| pause(200 + it)).collect();
    run.business.put(1, Row::Series(series.clone()));
    let asked = |id: u128, day: &str| serde_json::json!({ "id": SERIES, "pause_id": Id::of(id), "from": day, "to": day });
    assert!(run.does("pause_series", asked(71, "2027-01-04")));
    let more = asked(72, "2027-01-11");
    assert_eq!(refused(&mut run, "pause_series", more), ["pauses"]);

    let slots = |n: u128| -> Vec<serde_json::Value> {
        let slot = |it: u128| {
            serde_json::json!({
                "id": Id::of(800 + it), "start_time": Time::hour(8 + u16::try_from(it).unwrap()),
                "duration_minutes": 30, "service_type": "walk",
            })
        };
        (0..n).map(slot).collect()
    };
    let create = |id: u128, n: u128| {
        serde_json::json!({ "id": Id::of(id), "series": {
        "client_id": series.client_id, "dog_ids": series.phases[0].dog_ids, "begins": "2027-03-01",
        "end": { "kind": "on", "date": "2027-03-02" }, "rule": { "kind": "daily", "every": 1 }, "slots": slots(n),
    } })
    };
    assert!(run.does("create_series", create(900, 6)));
    assert_eq!(
        refused(&mut run, "create_series", create(901, 7)),
        ["series.slots"]
    );
    for n in 2..500 {
        let other = Series {
            id: Id::of(10_000 + n),
            ..series.clone()
        };
        run.business.put(1, Row::Series(other));
    }
    assert_eq!(
        refused(&mut run, "create_series", create(902, 1)),
        ["series"]
    );
}
