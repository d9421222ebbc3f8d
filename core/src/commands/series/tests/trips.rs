//! Trips: the times of the first and the last day, the agreed total to the cent, and that visits follow when days move.

use serde_json::{Value, json};

use super::*;
use crate::Cents;
use crate::rows::offering::{PricingType, StayUnit};
use crate::rows::series::Trip;
use crate::rules::series::planned_of_trip;

const MORNING: Id = Id::of(31);
const NOON: Id = Id::of(32);
const EVENING: Id = Id::of(33);
const STAY: Id = Id::of(34);
const NIGHTS: Id = Id::of(35);

/// Friday evening to Monday morning.
const FIRST: &str = "2026-12-04";
const LAST: &str = "2026-12-07";

fn slots() -> Value {
    let slot = |id: Id, start: &str| json!({ "id": id, "start_time": start, "duration_minutes": 30, "service_type": "dropin" });
    json!([
        slot(MORNING, "08:00"),
        slot(NOON, "12:00"),
        slot(EVENING, "18:00")
    ])
}

fn stay() -> Value {
    json!({ "id": STAY, "start_time": "08:00", "duration_minutes": 30, "service_type": "dropin", "offering_id": NIGHTS })
}

/// The trip from Friday evening to Monday morning, with those fields of it.
fn plan(more: &Value) -> Value {
    let mut trip = json!({ "first_slot": EVENING, "last_slot": MORNING });
    trip.as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    json!({
        "client_id": Id::of(1), "dog_ids": [Id::of(2)], "begins": FIRST, "end": { "kind": "on", "date": LAST },
        "rule": { "kind": "daily", "every": 1 }, "slots": slots(), "trip": trip,
    })
}

fn run() -> Run {
    let mut run = Run::new();
    let nights = Offering {
        name: "Overnight".into(),
        base_price: Cents(75_00),
        pricing_type: PricingType::Daily,
        ..Offering::new(NIGHTS, NOW)
    };
    run.business.put(1, Row::Offering(nights));
    run
}

fn trip(more: &Value) -> Run {
    let mut run = run();
    let create = json!({ "id": SERIES, "series": plan(more) });
    run.decide(&command("create_series", create)).unwrap();
    run
}

fn change_trip(run: &mut Run, mut args: Value) {
    args["id"] = json!(SERIES);
    run.change("change_trip", args);
}

/// The visits of a trip that take place, as `Dec 4 18:00`; its stay with both of its days.
fn told(run: &Run) -> Vec<String> {
    let visits = run.business.services.values().map(|it| &it.row);
    let mut visits: Vec<&Service> = visits
        .filter(|it| it.status != ServiceStatus::Cancelled)
        .collect();
    visits.sort_by_key(|it| (it.date, it.end_date.is_none(), it.start_time));
    let day = |it: Date| crate::values::format::month_day(it);
    let told = visits.into_iter().map(|it| match it.end_date {
        Some(last) => format!("{} to {}", day(it.date), day(last)),
        None => format!("{} {}", day(it.date), it.start_time),
    });
    told.collect()
}

fn sum(run: &Run) -> Cents {
    let visits = run.business.services.values().map(|it| &it.row);
    let visits =
        visits.filter(|it| it.series_id == Some(SERIES) && it.status != ServiceStatus::Cancelled);
    visits.map(|it| it.price).sum()
}

/// The trip and its visits; the day up to which they were made only grows, and a row that comes back is a new one.
fn kept(run: &Run) -> (Option<Trip>, SeriesEnd, Vec<Service>) {
    let (series, mut services) = rows(run);
    for service in &mut services {
        service.created_at = NOW;
    }
    (series.trip, series.end, services)
}

fn complete(run: &mut Run, day: &str, slot: Id) {
    let key = SeriesDate {
        date: date(day),
        slot,
    };
    let id = crate::rules::series::occurrence_id(SERIES, key.slot, key.date);
    let mut service = run.business.service(id).unwrap().clone();
    service.status = ServiceStatus::Completed;
    run.business.put(1, Row::Service(service));
}

fn errors(run: &Run, name: &str, args: Value) -> Vec<(String, String)> {
    let preview = crate::screens::series::preview(&run.business, &command(name, args), &run.now());
    preview
        .errors
        .into_iter()
        .map(|it| (it.field, it.text))
        .collect()
}

#[test]
fn a_trip_has_the_evening_of_its_first_day_and_the_morning_of_its_last() {
    let run = trip(&json!({}));
    assert_eq!(
        told(&run),
        [
            "Dec 4 18:00",
            "Dec 5 08:00",
            "Dec 5 12:00",
            "Dec 5 18:00",
            "Dec 6 08:00",
            "Dec 6 12:00",
            "Dec 6 18:00",
            "Dec 7 08:00"
        ]
    );
    let view = view(&run);
    assert_eq!(
        (view.sentence.as_str(), view.trip.as_str()),
        (
            "3 visits a day from Fri, Dec 4 (evening) to Mon, Dec 7 (morning)",
            "Fri, Dec 4 to Mon, Dec 7"
        )
    );
    let id = crate::rules::series::occurrence_id(SERIES, NOON, date("2026-12-05"));
    let of = crate::screens::series::of_service(&run.business, id, &run.now()).unwrap();
    assert_eq!(
        of.place.as_deref(),
        Some("Visit 3 of 8 of the trip Fri, Dec 4 to Mon, Dec 7")
    );
    assert_eq!(run.series().due_on, None, "all of it is made at once");
}

#[test]
fn the_first_and_the_last_day_keep_their_times_when_the_trip_moves() {
    let mut run = trip(&json!({}));
    change_trip(&mut run, json!({ "ends": "2026-12-08" }));
    let after = told(&run);
    assert_eq!(
        after[7..],
        ["Dec 7 08:00", "Dec 7 12:00", "Dec 7 18:00", "Dec 8 08:00"]
    );
    undo(&mut run);
    assert_eq!(told(&run), told(&trip(&json!({}))));
    change_trip(
        &mut run,
        json!({ "begins": "2026-12-05", "ends": "2026-12-06" }),
    );
    assert_eq!(told(&run), ["Dec 5 18:00", "Dec 6 08:00"]);
    undo(&mut run);
    assert_eq!(told(&run), told(&trip(&json!({}))));
}

#[test]
fn a_stay_and_visits_are_one_trip() {
    let mut run = trip(&json!({ "stay": stay() }));
    assert_eq!(told(&run)[..2], ["Dec 4 to Dec 7", "Dec 4 18:00"]);
    assert_eq!(
        view(&run).sentence,
        "A stay and 3 visits a day from Fri, Dec 4 (evening) to Mon, Dec 7 (morning)"
    );
    let stay_id = run
        .business
        .services
        .values()
        .find(|it| it.row.end_date.is_some())
        .unwrap()
        .row
        .id;
    change_trip(
        &mut run,
        json!({ "begins": "2026-12-05", "ends": "2026-12-09" }),
    );
    assert_eq!(told(&run)[0], "Dec 5 to Dec 9");
    assert_eq!(
        run.business.service(stay_id).unwrap().n_days(),
        5,
        "it is the same booking"
    );
    // The flight home is late when the trip is under way.
    run.day = 18;
    change_trip(&mut run, json!({ "ends": "2026-12-10" }));
    assert_eq!(told(&run)[0], "Dec 5 to Dec 10");
    run.act(Act::Pause(0, 1));
    assert_eq!(
        told(&run)[0],
        "Dec 5 to Dec 10",
        "a pause does not divide it"
    );
    undo(&mut run);
    change_trip(&mut run, json!({ "changes": { "stay": null } }));
    assert_eq!(told(&run)[0], "Dec 5 18:00");
    undo(&mut run);
    assert_eq!(told(&run)[0], "Dec 5 to Dec 10");
}

#[test]
fn the_stay_of_a_trip_counts_nights_where_its_offering_does() {
    let mut run = run();
    let mut nights = run.business.offerings.get(&NIGHTS).unwrap().row.clone();
    nights.stay_unit = Some(StayUnit::Nights);
    run.business.put(2, Row::Offering(nights));
    let mut stay = stay();
    stay["departure_time"] = json!("10:00");
    let series = plan(&json!({ "stay": stay }));
    let create = json!({ "id": SERIES, "series": series });
    run.decide(&command("create_series", create)).unwrap();
    let booked = |run: &Run| {
        let mut services = run.business.services.values().map(|it| &it.row);
        services.find(|it| it.end_date.is_some()).unwrap().clone()
    };
    let before = booked(&run);
    assert_eq!((before.n_units(), before.price), (3, Cents(22_500)));
    assert_eq!(before.departure_time, "10:00".parse().ok());
    change_trip(&mut run, json!({ "ends": "2026-12-09" }));
    let after = booked(&run);
    assert_eq!((after.id, after.n_units()), (before.id, 5));
    assert_eq!(after.price, Cents(37_500));
}

#[test]
fn leaving_out_the_first_day_leaves_the_stay() {
    let mut run = trip(&json!({ "stay": stay() }));
    run.change("leave_out_date", json!({ "id": SERIES, "date": FIRST }));
    assert_eq!(told(&run)[..2], ["Dec 4 to Dec 7", "Dec 5 08:00"]);
    run.change(
        "leave_out_date",
        json!({ "id": SERIES, "date": FIRST, "slot": STAY }),
    );
    assert_eq!(told(&run)[0], "Dec 5 08:00");
    undo(&mut run);
    assert_eq!(told(&run)[0], "Dec 4 to Dec 7");
}

#[test]
fn the_parts_of_the_total_of_a_trip_come_to_the_total_unless_what_is_kept_is_more() {
    let mut run = trip(&json!({ "total": 200, "stay": stay() }));
    assert_eq!(sum(&run), Cents(20_000));
    assert_eq!(view(&run).in_all, "8 visits and a stay, $200.00 in all");
    let id = crate::rules::series::occurrence_id(SERIES, EVENING, date(FIRST));
    let agreed = run
        .business
        .service(id)
        .unwrap()
        .price_override
        .clone()
        .unwrap();
    assert_eq!(
        (agreed.reason.as_str(), agreed.tells_reason),
        ("Part of $200.00 for the trip", true)
    );
    // A done visit keeps its price when the trip gets longer, and the others come to the rest.
    let price = run.business.service(id).unwrap().price;
    complete(&mut run, FIRST, EVENING);
    change_trip(&mut run, json!({ "ends": "2026-12-09" }));
    assert_eq!(
        (sum(&run), run.business.service(id).unwrap().price),
        (Cents(20_000), price)
    );
    // A visit that is left out takes its part with it, and that is told.
    let part = run
        .business
        .service(crate::rules::series::occurrence_id(
            SERIES,
            NOON,
            date("2026-12-08"),
        ))
        .unwrap()
        .price;
    run.change(
        "leave_out_date",
        json!({ "id": SERIES, "date": "2026-12-08", "slot": NOON }),
    );
    assert_eq!(sum(&run), Cents(20_000) - part);
    let told = format!(
        ", {} in all ($200.00 was agreed for the whole trip)",
        sum(&run)
    );
    assert!(view(&run).in_all.ends_with(&told), "{}", view(&run).in_all);
    undo(&mut run);
    assert_eq!(sum(&run), Cents(20_000));
    // Less than what is done already: nothing is taken back, and no visit becomes free.
    let less = json!({ "id": SERIES, "changes": { "total": 0.01 } });
    assert_eq!(errors(&run, "change_trip", less)[0].0, "total");
    // Without a total the rates decide again.
    change_trip(&mut run, json!({ "changes": { "total": null } }));
    assert_eq!(run.series().trip.as_ref().unwrap().shares, []);
    let open = run.open();
    assert!(
        open.iter()
            .all(|it| it.price_override.is_none() && it.price > Cents::ZERO)
    );
}

#[test]
fn a_trip_of_which_nothing_is_left_to_do_comes_to_what_is_kept() {
    let mut run = trip(&json!({ "total": 160 }));
    let late = json!({ "id": Id::of(36), "is_new": true, "changes": {
        "start_time": "21:00", "duration_minutes": 30, "service_type": "dropin",
    } });
    run.change(
        "change_series",
        json!({ "id": SERIES, "from": "2026-12-05", "slots": [late] }),
    );
    let visits = run.open();
    assert_eq!(sum(&run), Cents(16_000));
    for visit in visits.iter().filter(|it| it.start_time != Time::hour(21)) {
        complete(
            &mut run,
            &visit.date.to_string(),
            visit.series_slot.unwrap(),
        );
    }
    let done: Cents = visits
        .iter()
        .filter(|it| it.start_time != Time::hour(21))
        .map(|it| it.price)
        .sum();
    undo(&mut run);
    let trip = run.series().trip.clone().unwrap();
    let parts: Cents = trip.shares.iter().map(|it| it.amount).sum();
    assert_eq!((sum(&run), parts, trip.total), (done, done, Some(done)));
    let raised = json!({ "id": SERIES, "changes": { "total": 400 } });
    assert_eq!(
        errors(&run, "change_trip", raised),
        [(
            "total".to_owned(),
            "Every visit of this trip is done, billed or over, so that its total stays".to_owned()
        )]
    );
}

#[test]
fn a_visit_with_a_price_of_its_own_keeps_it_when_the_trip_moves() {
    let mut run = trip(&json!({ "total": 160 }));
    let id = crate::rules::series::occurrence_id(SERIES, NOON, date("2026-12-05"));
    let own = json!({ "price_override": { "amount": 40, "reason": "Vet" } });
    run.does("update_service", json!({ "id": id, "changes": own }));
    change_trip(&mut run, json!({ "ends": "2026-12-08" }));
    assert_eq!(run.business.service(id).unwrap().price, Cents(40_00));
    assert_eq!(sum(&run), Cents(16_000));
}

#[test]
fn a_trip_that_is_cancelled_comes_back_with_its_undo() {
    let mut run = trip(&json!({ "total": 100, "stay": stay() }));
    let before = kept(&run);
    run.change(
        "end_series",
        json!({ "id": SERIES, "end": { "kind": "on", "date": "2026-11-19" } }),
    );
    assert_eq!(told(&run), [] as [String; 0]);
    assert_eq!(view(&run).sentence, "Trip from Fri, Dec 4, cancelled");
    undo(&mut run);
    assert_eq!(kept(&run), before);
    // One that is under way keeps what is done.
    run.day = 15;
    complete(&mut run, FIRST, EVENING);
    let before = kept(&run);
    run.change(
        "end_series",
        json!({ "id": SERIES, "end": { "kind": "on", "date": run.today().plus_days(-1) } }),
    );
    assert_eq!(told(&run), ["Dec 4 18:00"]);
    undo(&mut run);
    assert_eq!(kept(&run), before);
}

#[test]
fn a_trip_that_is_cancelled_and_takes_place_after_all_comes_to_its_total() {
    let ends =
        |day: &str| json!({ "id": SERIES, "end": { "kind": "on", "date": day }, "choices": [] });
    let mut run = trip(&json!({ "total": 200 }));
    // A row that says something of its own stays, cancelled with its trip.
    let id = crate::rules::series::occurrence_id(SERIES, NOON, date("2026-12-05"));
    let own = json!({ "internal_notes": "Bring the red leash" });
    run.does("update_service", json!({ "id": id, "changes": own }));
    let part = run.business.service(id).unwrap().price;
    run.change("end_series", ends("2026-11-19"));
    assert_eq!(told(&run), [] as [String; 0]);
    let off = run.series().trip.clone().unwrap();
    assert_eq!((off.total, off.shares), (Some(Cents(20_000)), vec![]));
    // Another phone, which does not know that, has it end later.
    run.does("end_series", ends("2026-12-09"));
    assert_eq!(sum(&run), Cents(20_000));
    let back = run.business.service(id).unwrap();
    assert_eq!(&*back.internal_notes, "Bring the red leash");
    assert!(back.price < part, "{} of a longer trip", back.price);
    assert_eq!(
        run.series().share_of(back.occurrence().unwrap().1),
        Some(back.price)
    );
}

#[test]
fn a_trip_that_goes_on_after_it_was_over_costs_as_usual_from_there() {
    let mut run = trip(&json!({ "total": 100 }));
    for visit in run.open() {
        let day = visit.date.to_string();
        complete(&mut run, &day, visit.series_slot.unwrap());
    }
    let usual = {
        let mut run = trip(&json!({}));
        change_trip(&mut run, json!({ "ends": "2026-12-08" }));
        let more = run.open().into_iter();
        let more = more.filter(|it| date(LAST) < it.date || it.start_time != Time::hour(8));
        more.filter(|it| date(LAST) <= it.date)
            .map(|it| it.price)
            .sum::<Cents>()
    };
    change_trip(&mut run, json!({ "ends": "2026-12-08" }));
    let trip = run.series().trip.clone().unwrap();
    assert_eq!(sum(&run), Cents(10_000) + usual);
    assert_eq!(trip.total, Some(sum(&run)));
    undo(&mut run);
    assert_eq!(sum(&run), Cents(10_000));
}

#[test]
fn no_visit_of_a_trip_becomes_free_where_others_use_up_its_total() {
    let mut run = trip(&json!({ "total": 100 }));
    let id = crate::rules::series::occurrence_id(SERIES, NOON, date("2026-12-05"));
    let own = json!({ "price_override": { "amount": 150, "reason": "Vet" } });
    run.does("update_service", json!({ "id": id, "changes": own }));
    let before = kept(&run);
    let prices: BTreeMap<Id, Cents> = run.open().iter().map(|it| (it.id, it.price)).collect();
    change_trip(&mut run, json!({ "ends": "2026-12-08" }));
    for visit in run.open() {
        assert!(Cents::ZERO < visit.price, "{visit:?}");
        if visit.date < date(LAST) {
            assert_eq!(visit.price, prices[&visit.id]);
        }
    }
    undo(&mut run);
    assert_eq!(kept(&run), before);
}

#[test]
fn an_undo_gives_a_visit_with_a_time_of_its_own_its_part_of_what_is_left() {
    let mut run = trip(&json!({ "total": 100 }));
    let id = crate::rules::series::occurrence_id(SERIES, NOON, date("2026-12-05"));
    run.does(
        "update_service",
        json!({ "id": id, "changes": { "start_time": "13:00" } }),
    );
    change_trip(
        &mut run,
        json!({ "ends": "2026-12-08", "changes": { "total": 400 } }),
    );
    // Before the undo others are done at the new price, which is more than the former total.
    for slot in [MORNING, EVENING] {
        complete(&mut run, "2026-12-05", slot);
        complete(&mut run, "2026-12-06", slot);
    }
    undo(&mut run);
    let (trip, _, visits) = kept(&run);
    let shares = trip.unwrap().shares;
    let open = visits
        .iter()
        .filter(|it| it.status == ServiceStatus::Scheduled);
    for visit in open {
        let (_, key) = visit.occurrence().unwrap();
        let share = shares.iter().find(|it| it.key() == key).unwrap();
        assert_eq!(visit.price, share.amount, "{visit:?}");
        assert!(Cents::ZERO < visit.price, "{visit:?}");
    }
    assert_eq!(run.business.service(id).unwrap().start_time, Time::hour(13));
}

#[test]
fn the_undo_of_a_booking_leaves_nothing_where_a_pet_is_back_since() {
    let mut run = run();
    let gone = |gone_on| {
        Row::Pet(Pet {
            name: "Miso".to_owned(),
            gone_on,
            ..Pet::new(Id::of(9), Id::of(1))
        })
    };
    let today = run.today();
    run.business.put(1, gone(Some(today)));
    let mut plan = plan(&json!({ "total": 100, "stay": stay() }));
    plan["dog_ids"] = json!([Id::of(2), Id::of(9)]);
    let create = json!({ "id": SERIES, "series": plan });
    run.decide(&command("create_series", create)).unwrap();
    assert!(run.open().iter().all(|it| it.dog_ids == [Id::of(2)]));
    run.business.put(1, gone(None));
    run.decide(&command("delete_series", json!({ "id": SERIES })))
        .unwrap();
    assert_eq!(run.business.services.values().count(), 0);
}

#[test]
fn an_end_that_nobody_priced_keeps_the_parts_of_a_trip() {
    let prices = |run: &Run| -> BTreeMap<Id, Cents> {
        let visits = run.business.services.values().map(|it| &it.row);
        visits.map(|it| (it.id, it.price)).collect()
    };
    let mut run = trip(&json!({ "total": 400, "stay": stay() }));
    run.day = 15;
    complete(&mut run, FIRST, EVENING);
    let (before, were) = (kept(&run), prices(&run));
    run.change(
        "end_series",
        json!({ "id": SERIES, "end": { "kind": "on", "date": run.today() } }),
    );
    assert_eq!(told(&run), ["Dec 4 to Dec 5", "Dec 4 18:00", "Dec 5 08:00"]);
    let services = run.business.services.values().map(|it| &it.row);
    for service in services {
        let was = were[&service.id];
        let is = match service.end_date {
            Some(_) => was.spread(&[2, 2])[0],
            None => was,
        };
        assert_eq!(service.price, is);
    }
    assert_eq!(run.series().trip.as_ref().unwrap().total, Some(sum(&run)));
    undo(&mut run);
    assert_eq!(kept(&run), before);
    let ends = json!({ "id": Id::of(1), "ends": [SERIES] });
    run.decide(&command("deactivate_client", ends)).unwrap();
    assert_eq!(run.series().trip.as_ref().unwrap().total, Some(sum(&run)));
    assert!(sum(&run) < Cents(40_000));
}

#[test]
fn what_is_wrong_with_a_trip_is_said() {
    let wrong = |changes: Value| {
        let mut series = plan(&json!({}));
        let (trip, changes) = (changes["trip"].clone(), changes);
        series
            .as_object_mut()
            .unwrap()
            .extend(changes.as_object().unwrap().clone());
        series["trip"] = plan(&json!({}))["trip"].clone();
        if let Some(trip) = trip.as_object() {
            series["trip"].as_object_mut().unwrap().extend(trip.clone());
        }
        errors(
            &run(),
            "create_series",
            json!({ "id": SERIES, "series": series }),
        )
    };
    let one = |field: &str, text: &str| vec![(field.to_owned(), text.to_owned())];
    assert_eq!(wrong(json!({})), []);
    assert_eq!(
        wrong(json!({ "rule": { "kind": "daily", "every": 2 } })),
        one("rule", "A trip has visits on each of its days")
    );
    assert_eq!(
        wrong(json!({ "end": { "kind": "never" } })),
        one("end", "Please select the last day")
    );
    let one_day = json!({ "end": { "kind": "on", "date": FIRST } });
    assert_eq!(
        wrong(one_day),
        one(
            "trip.last_slot",
            "The last visit cannot be before the first"
        )
    );
    let long = json!({ "end": { "kind": "on", "date": "2027-12-05" } });
    assert_eq!(wrong(long), one("end", "A trip cannot exceed 366 days"));
    let many = json!({ "end": { "kind": "on", "date": "2027-11-05" } });
    assert_eq!(
        wrong(many),
        one("slots", "A trip can have at most 366 visits")
    );
    let unknown = json!({ "trip": { "first_slot": Id::of(9) } });
    assert_eq!(
        wrong(unknown),
        one(
            "trip.first_slot",
            "Please select the times of the first day"
        )
    );
    let mut plain = stay();
    plain["offering_id"] = json!(GROOMING);
    assert_eq!(
        wrong(json!({ "trip": { "stay": plain } })),
        one(
            "trip.stay",
            "A stay is booked as an offering that is sold by the day"
        )
    );
    let agreed = json!({ "amount": 20, "reason": "Friends" });
    let twice = json!({ "price_override": agreed, "trip": { "total": 100 } });
    assert_eq!(
        wrong(twice),
        one(
            "trip.total",
            "Set a total or a price for each visit, not both"
        )
    );
    let mut begun = trip(&json!({}));
    begun.day = 17;
    let moved = json!({ "id": SERIES, "begins": "2026-12-06" });
    assert_eq!(
        errors(&begun, "change_trip", moved),
        one("begins", "The trip has begun: its first day stays")
    );
    let past = json!({ "id": SERIES, "ends": "2026-12-05" });
    assert_eq!(
        errors(&begun, "change_trip", past),
        one("ends", "The last day cannot be in the past")
    );
    let removed = json!({ "id": SERIES, "from": FIRST, "removed_slots": [MORNING] });
    assert_eq!(
        errors(&trip(&json!({})), "change_series", removed),
        one("trip.last_slot", "Please select the times of the last day")
    );
    let series = booked();
    let refused = decide(
        &command("change_trip", json!({ "id": SERIES, "ends": LAST })),
        &series.business,
        &Context::at(series.now()),
    );
    assert_eq!(refused.unwrap_err(), Refusal::Gone);
}

#[test]
fn an_offering_that_only_the_stay_of_a_trip_names_is_deactivated() {
    let mut run = trip(&json!({ "stay": stay() }));
    let id = run
        .business
        .services
        .values()
        .find(|it| it.row.end_date.is_some())
        .unwrap()
        .row
        .id;
    run.business.services.remove(&id);
    run.does("delete_offering", json!({ "id": NIGHTS }));
    assert!(!run.business.offerings.get(&NIGHTS).unwrap().row.is_active);
}

#[test]
fn a_client_sees_a_trip_without_how_its_total_is_spread() {
    let run = trip(&json!({ "total": 100 }));
    let row = Row::Series(run.series().clone());
    let Some(Row::Series(shown)) = crate::rules::client_view::shown_to(Id::of(1), &row) else {
        panic!("the client sees it");
    };
    let shown = shown.trip.unwrap();
    assert_eq!((shown.total, shown.shares.len()), (Some(Cents(10_000)), 0));
    assert_eq!(crate::rules::client_view::shown_to(Id::of(9), &row), None);
}

#[test]
fn each_time_of_a_trip_has_its_own_rule_in_calendars() {
    let run = trip(&json!({}));
    assert_eq!(
        rrules(run.series()),
        [
            "DTSTART:20261205T080000\nRRULE:FREQ=DAILY;INTERVAL=1;UNTIL=20261207T080000",
            "DTSTART:20261205T120000\nRRULE:FREQ=DAILY;INTERVAL=1;UNTIL=20261206T120000",
            "DTSTART:20261204T180000\nRRULE:FREQ=DAILY;INTERVAL=1;UNTIL=20261206T180000",
        ]
    );
}

/// A time of a trip that has three, or none.
fn a_slot() -> impl Strategy<Value = Option<usize>> {
    prop_oneof![Just(None), (0_usize..3).prop_map(Some)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_trip_has_all_times_but_those_before_its_first_and_after_its_last_visit(
        n_days in 0_i64..12, first in a_slot(), last in a_slot(),
    ) {
        let ids = [MORNING, NOON, EVENING];
        let begins = date(FIRST);
        let ends = begins.plus_days(n_days);
        let slots: Vec<SeriesSlot> = serde_json::from_value(slots()).unwrap();
        let series = Series {
            end: SeriesEnd::On { date: ends },
            phases: vec![SeriesPhase { rule: SeriesRule::Daily { every: 1 }, slots, ..SeriesPhase::new(begins) }],
            trip: Some(Trip { first_slot: first.map(|it| ids[it]), last_slot: last.map(|it| ids[it]), ..Trip::new(Date::default()) }),
            ..Series::new(SERIES, NOW)
        };
        let mut expected = Vec::new();
        for day in 0..=n_days {
            for (place, id) in ids.iter().enumerate() {
                let is_early = day == 0 && first.is_some_and(|it| place < it);
                let is_late = day == n_days && last.is_some_and(|it| it < place);
                if !is_early && !is_late {
                    expected.push((begins.plus_days(day), *id));
                }
            }
        }
        let found: Vec<(Date, Id)> = planned_of_trip(&series).map(|it| (it.date, it.slot.id)).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn moving_the_end_twice_equals_moving_it_once_and_the_sum_is_exact(
        total in 1_i64..90_000, one in 3_i64..20, other in 3_i64..20, done in 0_usize..4, has_stay: bool,
    ) {
        let stay = if has_stay { stay() } else { Value::Null };
        let more = json!({ "total": Cents(total), "stay": stay });
        let ends = |days: i64| json!({ "ends": date(FIRST).plus_days(days) });
        let (mut twice, mut once) = (trip(&more), trip(&more));
        prop_assert_eq!(sum(&twice), Cents(total));
        // Where nothing moves, nothing is spread anew.
        prop_assume!(done == 0 || date(FIRST).plus_days(other) != date(LAST));
        for run in [&mut twice, &mut once] {
            for (day, slot) in [(FIRST, EVENING), ("2026-12-05", MORNING), ("2026-12-05", NOON)].into_iter().take(done) {
                complete(run, day, slot);
            }
        }
        change_trip(&mut twice, ends(one));
        prop_assert_eq!(sum(&twice), Cents(total));
        change_trip(&mut twice, ends(other));
        change_trip(&mut once, ends(other));
        prop_assert_eq!(sum(&once), Cents(total));
        prop_assert_eq!(kept(&twice), kept(&once));
        if let Some(undo) = once.undo.take() {
            once.decide(&undo).unwrap();
            let mut never = trip(&more);
            for (day, slot) in [(FIRST, EVENING), ("2026-12-05", MORNING), ("2026-12-05", NOON)].into_iter().take(done) {
                complete(&mut never, day, slot);
            }
            prop_assert_eq!(kept(&once), kept(&never));
        }
    }

    #[test]
    fn an_amount_is_spread_to_the_cent(amount in 0_i64..1_000_000, weights in proptest::collection::vec(0_i64..10_000, 1..40)) {
        let parts = Cents(amount).spread(&weights);
        prop_assert_eq!(parts.len(), weights.len());
        prop_assert_eq!(parts.iter().copied().sum::<Cents>(), Cents(amount));
        let whole: i64 = weights.iter().sum();
        for (part, weight) in parts.iter().zip(&weights).filter(|_| 0 < whole) {
            // Less than a cent away from its exact share.
            prop_assert!((part.0 * whole - amount * weight).abs() < whole);
        }
    }
}

#[test]
fn no_total_that_a_person_names_makes_a_visit_of_its_trip_free() {
    let mut run = trip(&json!({ "total": 160 }));
    let id = crate::rules::series::occurrence_id(SERIES, NOON, date("2026-12-05"));
    let own = json!({ "price_override": { "amount": 150, "reason": "Vet" } });
    let update = json!({ "id": id, "changes": own });
    run.decide(&command("update_service", update)).unwrap();
    let total = |it: i64| json!({ "id": SERIES, "changes": { "total": it } });
    for it in [140, 150] {
        let found = errors(&run, "change_trip", total(it));
        assert_eq!(found[0].0, "total");
        assert!(found[0].1.contains("come to $150.00"), "{found:?}");
    }
    change_trip(&mut run, total(200));
    assert_eq!(sum(&run), Cents(20_000));
    // A visit that is free by its own price stays so, and the total can be changed.
    let free = json!({ "price_override": { "amount": 0, "reason": "A first meeting" } });
    let update = json!({ "id": id, "changes": free });
    run.decide(&command("update_service", update)).unwrap();
    change_trip(&mut run, total(100));
    assert_eq!(sum(&run), Cents(10_000));
    assert_eq!(run.business.service(id).unwrap().price, Cents::ZERO);
}
