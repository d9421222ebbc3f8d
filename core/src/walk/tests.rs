//! The walk's behavior as sentences and properties; real tracks are in `tests/tracks.rs`.

use proptest::prelude::*;

use super::*;
use crate::Id;
use crate::values::format::Clock;
use crate::values::place::Place;
use crate::values::plane::distance_m;
use crate::values::report_kind::ReportKind;
use crate::values::units::{HourCycle, Units};
use crate::values::walk_event::WalkEventKind;
use crate::values::zone::TimeZone;

const START: i64 = 1_795_000_000_000;
/// Latitude and longitude of Helsinki, in degrees.
const LAT: f64 = 60.17;
const LON: f64 = 24.94;
const M_PER_LAT: f64 = 111_413.0;
const M_PER_LON: f64 = 55_516.0;

/// A position `east` and `north` meters from home, `second` seconds after the start.
fn position(second: i64, east: f64, north: f64, accuracy: f64) -> WalkInput {
    WalkInput::Position {
        at: (START + second * 1000) as f64,
        lat: LAT + north / M_PER_LAT,
        lon: LON + east / M_PER_LON,
        accuracy,
        altitude: None,
    }
}

/// North at 1.4 m/s, a fix a second, from second `from` to `to`.
fn stroll(from: i64, to: i64) -> Vec<WalkInput> {
    (from..=to)
        .map(|second| position(second, 0.0, second as f64 * 1.4, 5.0))
        .collect()
}

/// A walk and its log.
#[derive(Clone, Debug, Default, PartialEq)]
struct Told {
    recording: Recording,
    log: Vec<u8>,
}

impl Told {
    fn started() -> Self {
        Self {
            log: log_header(),
            ..Self::default()
        }
        .then(0, vec![WalkInput::Start])
    }

    /// Hands in `inputs` when the phone's clock shows `second` after the start.
    fn then(mut self, second: i64, inputs: Vec<WalkInput>) -> Self {
        self.log
            .extend(self.recording.take(inputs, START + second * 1000));
        self
    }

    fn walk(&self) -> &Walk {
        self.recording.walk()
    }

    fn trace(&self) -> &WalkTrace {
        self.recording.trace()
    }

    fn parts(&self) -> (Walk, WalkTrace) {
        (self.walk().clone(), self.trace().clone())
    }

    fn line_m(&self) -> f64 {
        let along = |it: &WalkSegment| {
            it.points
                .windows(2)
                .map(|it| distance_m(it[0].place, it[1].place))
                .sum::<f64>()
        };
        self.trace().segments.iter().map(along).sum()
    }
}

fn noise(seed: u64) -> impl FnMut() -> f64 {
    // xorshift and the sum of twelve: a bell curve without a dependency, the same on every machine.
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move || {
        let mut sum = -6.0;
        for _ in 0..12 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            sum += (state >> 11) as f64 / (1_u64 << 53) as f64;
        }
        sum
    }
}

#[test]
fn a_straight_walk_has_its_length() {
    let told = Told::started().then(600, stroll(0, 600));
    assert!(
        (told.walk().distance_m - 840.0).abs() < 12.0,
        "{}",
        told.walk().distance_m
    );
    assert!((told.line_m() - told.walk().distance_m).abs() < 1.0);
    assert_eq!((told.walk().n_gaps, told.walk().n_fixes), (0, 601));
    assert!(
        told.walk().moving_ms > 580_000 && told.walk().moving_ms <= 600_000,
        "{}",
        told.walk().moving_ms
    );
}

#[test]
fn a_walk_of_a_noisy_phone_is_not_much_longer() {
    for seed in 0..5 {
        let mut noise = noise(seed);
        let mut inputs = stroll(0, 1200);
        for input in &mut inputs {
            if let WalkInput::Position { lat, lon, .. } = input {
                *lat += noise() * 2.0 / M_PER_LAT;
                *lon += noise() * 2.0 / M_PER_LON;
            }
        }
        let told = Told::started().then(1200, inputs);
        let ratio = told.walk().distance_m / 1680.0;
        assert!((0.98..1.03).contains(&ratio), "{ratio}");
    }
}

#[test]
fn a_standing_phone_goes_nowhere_however_it_jitters() {
    // Accuracy is the radius of 95 % (W3C Geolocation), so one axis has a standard deviation of accuracy / 2.45.
    for (seed, accuracy) in [
        (1, 5.0),
        (2, 8.0),
        (3, 12.0),
        (4, 20.0),
        (5, 35.0),
        (6, 50.0),
    ] {
        let mut noise = noise(seed);
        let sigma = accuracy / 2.45;
        let inputs = (0..3600)
            .map(|it| position(it, noise() * sigma, noise() * sigma, accuracy))
            .collect();
        let told = Told::started().then(3600, inputs);
        assert_eq!(told.walk().distance_m, 0.0, "accuracy {accuracy}");
        assert!(told.walk().is_resting());
        assert_eq!(told.walk().moving_ms, 0);
    }
}

#[test]
fn standing_at_a_tree_is_not_moving() {
    let stand = (301..=420)
        .map(|it| position(it, 0.0, 420.0, 5.0))
        .collect();
    let go_on = (421..=600)
        .map(|it| position(it, 0.0, 420.0 + (it - 420) as f64 * 1.4, 5.0))
        .collect();
    let told = Told::started().then(300, stroll(0, 300)).then(420, stand);
    assert!(told.walk().is_resting());
    let told = told.then(600, go_on);
    assert!(!told.walk().is_resting());
    assert!(
        (told.walk().distance_m - 672.0).abs() < 15.0,
        "{}",
        told.walk().distance_m
    );
    assert!(
        (440_000..=490_000).contains(&told.walk().moving_ms),
        "{}",
        told.walk().moving_ms
    );
}

#[test]
fn a_walker_has_a_heading_and_a_standing_one_has_none() {
    let last = |told: &Told| told.recording.state().heading;
    let walking = Told::started().then(60, stroll(0, 60));
    assert_eq!(last(&walking), Some(0));
    let east = (61..=120).map(|it| position(it, (it - 60) as f64 * 1.4, 84.0, 5.0));
    let turned = walking.then(120, east.collect());
    assert!(last(&turned).is_some_and(|it| it.abs_diff(90) < 15));
    let mut noise = noise(7);
    let standing =
        (121..=200).map(|it| position(it, 84.0 + noise() * 4.0, 84.0 + noise() * 4.0, 5.0));
    assert_eq!(last(&turned.then(200, standing.collect())), None);
}

/// A client 200 m north of where the walk begins.
fn home() -> DoorHome {
    DoorHome {
        client_id: Id::of(9),
        lat: LAT + 200.0 / M_PER_LAT,
        lng: LON,
    }
}

#[test]
fn who_comes_to_a_door_is_told_so_until_it_is_put_away() {
    let mut told = Told::started();
    told.recording.set_homes(vec![home()]);
    told.recording.changes();
    let mut on_the_way = told.then(60, stroll(0, 60));
    assert_eq!(on_the_way.recording.changes().doors, None);
    let mut there = on_the_way.then(140, stroll(61, 140));
    assert_eq!(there.recording.changes().doors, Some(vec![Id::of(9)]));
    there.recording.leave_door(Id::of(9));
    let mut put_away = there.then(145, stroll(141, 145));
    assert_eq!(put_away.recording.changes().doors, Some(Vec::new()));
}

#[test]
fn what_was_walked_before_a_kill_says_whether_one_comes_back_to_a_door() {
    let told = Told::started().then(140, stroll(0, 140));
    let mut again = Recording::replay(&decode(&told.log));
    again.set_homes(vec![home()]);
    assert_eq!(again.changes().doors, Some(vec![Id::of(9)]));
}

#[test]
fn a_dog_that_joins_before_its_own_door_has_not_come_there() {
    let mut told = Told::started();
    told.recording.set_homes(Vec::new());
    let mut there = told.then(140, stroll(0, 140));
    there.recording.set_homes(vec![home()]);
    let mut there = there.then(145, stroll(141, 145));
    assert_eq!(there.recording.changes().doors, None);
}

#[test]
fn a_vague_position_changes_nothing() {
    let told = Told::started().then(10, stroll(0, 10));
    assert_eq!(
        told.clone().then(11, vec![position(11, 5.0, 15.0, 50.1)]),
        told
    );
    assert_eq!(
        told.clone()
            .then(11, vec![position(11, 5.0, 15.0, f64::NAN)]),
        told
    );
    assert_eq!(
        told.clone()
            .then(11, vec![position(11, f64::INFINITY, 15.0, 5.0)]),
        told
    );
}

#[test]
fn a_jump_is_not_believed_and_five_are() {
    let told = Told::started().then(60, stroll(0, 60));
    let jumped = told.clone().then(61, vec![position(61, 250.0, 85.0, 5.0)]);
    assert_eq!(jumped.walk().distance_m, told.walk().distance_m);
    assert_eq!(jumped.walk().here, told.walk().here);
    let back = jumped.clone().then(120, stroll(62, 120));
    assert!((back.walk().distance_m - 168.0).abs() < 12.0);
    assert_eq!(back.walk().n_gaps, 0);

    let elsewhere = (61..=65).map(|it| position(it, 250.0, 85.0, 5.0)).collect();
    let moved = told.clone().then(65, elsewhere);
    assert_eq!(moved.walk().n_gaps, 1);
    assert_eq!(moved.walk().distance_m, told.walk().distance_m);
    assert!(
        (moved.walk().bridged_m - 250.0).abs() < 5.0,
        "{}",
        moved.walk().bridged_m
    );
}

#[test]
fn a_gap_is_a_gap() {
    let told = Told::started()
        .then(100, stroll(0, 100))
        .then(700, stroll(400, 700));
    assert!(
        (told.walk().distance_m - 560.0).abs() < 20.0,
        "{}",
        told.walk().distance_m
    );
    assert_eq!((told.walk().n_gaps, told.walk().gap_ms), (1, 300_000));
    assert!((told.walk().bridged_m - 420.0).abs() < 5.0);
    assert_eq!(told.trace().segments.len(), 2);
    let gap = told.trace().segments[1].gap.unwrap();
    assert_eq!((gap.from.at, gap.to.at), (START + 100_000, START + 400_000));
    assert!(
        (told.line_m() - told.walk().distance_m).abs() < 1.0,
        "no line is drawn across the gap"
    );
}

#[test]
fn a_killed_app_leaves_a_gap_even_when_it_is_back_at_once() {
    let told = Told::started()
        .then(100, stroll(0, 100))
        .then(110, vec![WalkInput::Interrupt])
        .then(200, stroll(110, 200));
    assert_eq!((told.walk().n_gaps, told.walk().gap_ms), (1, 10_000));
    let twice = Told::started()
        .then(5, vec![WalkInput::Interrupt])
        .then(100, stroll(10, 100));
    assert_eq!(
        twice.walk().n_gaps,
        0,
        "before the first fix there is nothing to interrupt"
    );
}

#[test]
fn a_pause_counts_neither_time_nor_way_and_is_no_gap() {
    let told = Told::started()
        .then(100, stroll(0, 100))
        .then(100, vec![WalkInput::Pause])
        .then(300, stroll(101, 300))
        .then(300, vec![WalkInput::Resume])
        .then(400, stroll(301, 400));
    assert_eq!(told.walk().ran_until(START + 400_000), 200_000);
    assert!(
        (told.walk().distance_m - 280.0).abs() < 20.0,
        "{}",
        told.walk().distance_m
    );
    assert_eq!((told.walk().n_gaps, told.walk().bridged_m), (0, 0.0));
    assert_eq!(told.trace().segments.len(), 2);
    assert_eq!(told.trace().segments[1].gap, None);
    assert_eq!(
        told.clone().then(400, vec![WalkInput::Resume]),
        told,
        "what runs cannot be resumed"
    );
}

#[test]
fn an_event_knows_its_time_and_place() {
    let event = |id, kind| WalkInput::Event {
        id: Id::of(id),
        kind,
        note: String::new(),
    };
    let told = Told::started()
        .then(1, vec![event(1, WalkEventKind::Water)])
        .then(60, stroll(0, 60))
        .then(61, vec![event(2, WalkEventKind::Potty)])
        .then(300, vec![event(3, WalkEventKind::Break)]);
    let [early, potty, late] = &told.trace().events[..] else {
        panic!("{:?}", told.trace().events)
    };
    assert_eq!(early.location, None);
    assert_eq!(potty.timestamp, START + 61_000);
    assert_eq!(potty.location, told.walk().here.as_ref().map(|it| it.place));
    assert_eq!(
        late.location, None,
        "four minutes later the phone may be anywhere"
    );

    let rewritten = WalkInput::Event {
        id: Id::of(2),
        kind: WalkEventKind::Potty,
        note: "Twice".into(),
    };
    let told = told.then(
        400,
        vec![rewritten, WalkInput::RemoveEvent { id: Id::of(3) }],
    );
    assert_eq!(told.trace().events.len(), 2);
    assert_eq!(
        (
            told.trace().events[1].note.as_str(),
            told.trace().events[1].timestamp
        ),
        ("Twice", START + 61_000)
    );
}

#[test]
fn an_emergency_stops_tracking_and_a_slip_of_the_thumb_leaves_no_event() {
    let told = Told::started()
        .then(60, stroll(0, 60))
        .then(60, vec![WalkInput::Emergency { id: Id::of(9) }]);
    assert_eq!(told.walk().status, WalkStatus::Emergency);
    assert_eq!(
        (
            told.trace().events[0].kind,
            told.trace().events[0].note.as_str()
        ),
        (WalkEventKind::Note, "Emergency")
    );
    let still = told.clone().then(90, stroll(61, 90));
    assert_eq!(still, told);
    let on = still
        .then(100, vec![WalkInput::CancelEmergency])
        .then(200, stroll(101, 200));
    assert_eq!(on.walk().status, WalkStatus::Running);
    assert_eq!(on.walk().ran_until(START + 200_000), 160_000);
    assert_eq!(on.trace().events, []);
    assert!(on.walk().distance_m > told.walk().distance_m + 100.0);
}

#[test]
fn an_emergency_that_is_over_stays_in_the_log_with_when_it_was_called_off() {
    let emergency = Told::started()
        .then(60, stroll(0, 60))
        .then(60, vec![WalkInput::Emergency { id: Id::of(9) }]);
    let over = emergency
        .clone()
        .then(90, vec![WalkInput::EndEmergency])
        .then(200, stroll(91, 200));
    assert_eq!(over.walk().status, WalkStatus::Running);
    let events: Vec<_> = over.trace().events.iter().collect();
    let [event] = events.as_slice() else {
        panic!("{events:?}")
    };
    assert_eq!(event.timestamp, START + 60_000);
    assert_eq!(event.over_at, Some(START + 90_000));
    let zone = TimeZone::UTC;
    let clock = Clock {
        zone: &zone,
        cycle: HourCycle::H12,
    };
    let notes = notes(
        over.walk(),
        &over.trace().events,
        START + 200_000,
        Units::Metric,
        clock,
        &[],
    );
    assert!(notes.contains("Emergency, called off "), "{notes}");
    // After a minute it was no slip.
    let late = emergency.then(121, vec![WalkInput::CancelEmergency]);
    let late: Vec<_> = late.trace().events.iter().map(|it| it.over_at).collect();
    assert_eq!(late, [Some(START + 121_000)]);
}

#[test]
fn a_log_of_an_earlier_version_takes_a_cancelled_emergency_out() {
    let entries = [
        Entry::Started { at: START },
        Entry::Emergency {
            at: START + 60_000,
            id: Id::of(9),
        },
        Entry::EmergencyCancelled {
            at: START + 600_000,
        },
    ];
    let (walk, trace) = replay(&entries);
    assert_eq!(walk.status, WalkStatus::Running);
    assert_eq!(trace.events, []);
}

#[test]
fn an_emergency_in_a_pause_goes_back_to_the_pause() {
    let told = Told::started()
        .then(60, stroll(0, 60))
        .then(60, vec![WalkInput::Pause])
        .then(90, vec![WalkInput::Emergency { id: Id::of(9) }])
        .then(120, vec![WalkInput::CancelEmergency]);
    assert_eq!(told.walk().status, WalkStatus::Paused);
    assert_eq!(told.walk().ran_until(START + 200_000), 60_000);
    // The next one begins while the walk runs.
    let again = told
        .then(130, vec![WalkInput::Resume])
        .then(140, vec![WalkInput::Emergency { id: Id::of(10) }])
        .then(150, vec![WalkInput::CancelEmergency]);
    assert_eq!(again.walk().status, WalkStatus::Running);
}

#[test]
fn an_ended_walk_takes_nothing_but_a_change_of_mind() {
    let told = Told::started()
        .then(60, stroll(0, 60))
        .then(60, vec![WalkInput::End { at: None }]);
    assert_eq!(told.walk().until(START + 900_000), START + 60_000);
    let event = WalkInput::Event {
        id: Id::of(1),
        kind: WalkEventKind::Note,
        note: "late".into(),
    };
    let later = vec![
        event,
        WalkInput::Pause,
        WalkInput::Start,
        WalkInput::End { at: None },
        WalkInput::Emergency { id: Id::of(2) },
    ];
    assert_eq!(told.clone().then(90, later), told);
    assert_eq!(told.clone().then(90, stroll(61, 90)), told);
    let on = told
        .then(90, vec![WalkInput::Resume])
        .then(120, stroll(91, 120));
    assert_eq!(on.walk().status, WalkStatus::Running);
    assert_eq!(on.walk().ran_until(START + 120_000), 90_000);
}

#[test]
fn a_walk_can_be_ended_where_the_phone_died() {
    let told = Told::started().then(60, stroll(0, 60));
    let told = told.then(
        9000,
        vec![WalkInput::End {
            at: Some((START + 60_000) as f64),
        }],
    );
    assert_eq!(
        (told.walk().since, told.walk().ran_ms),
        (START + 60_000, 60_000)
    );
    let future = Told::started().then(60, vec![WalkInput::End { at: Some(f64::MAX) }]);
    assert_eq!(future.walk().since, START + 60_000);
}

#[test]
fn a_position_of_the_future_or_from_before_the_start_is_not_taken() {
    let told = Told::started().then(60, stroll(0, 60));
    assert_eq!(told.clone().then(60, stroll(71, 80)), told);
    let fresh = Told::started();
    assert_eq!(
        fresh.clone().then(1, vec![position(-6, 0.0, 0.0, 5.0)]),
        fresh
    );
}

#[test]
fn nothing_happens_before_the_start() {
    let ready = Told::default();
    let early = vec![
        WalkInput::Pause,
        WalkInput::End { at: None },
        WalkInput::RemoveEvent { id: Id::of(1) },
    ];
    assert_eq!(ready.clone().then(5, early), ready);
    assert_eq!(ready.clone().then(5, stroll(0, 5)), ready);
}

#[test]
fn a_long_way_does_not_bend_the_plane() {
    // 40 km north by bicycle: far beyond where one plane would do.
    let inputs = (0..=4000)
        .map(|it| position(it, 0.0, it as f64 * 10.0, 5.0))
        .collect();
    let told = Told::started().then(4000, inputs);
    assert!(
        (told.walk().distance_m / 40_000.0 - 1.0).abs() < 0.003,
        "{}",
        told.walk().distance_m
    );
}

#[test]
fn the_log_tells_the_walk_again() {
    let event = WalkInput::Event {
        id: Id::of(1),
        kind: WalkEventKind::Note,
        note: "Übermut & Würste".into(),
    };
    let dogs = WalkInput::EventDogs {
        id: Id::of(1),
        dog_ids: vec![Id::of(11), Id::of(12)],
    };
    let told = Told::started()
        .then(100, stroll(0, 100))
        .then(101, vec![event, dogs, WalkInput::Pause])
        .then(200, vec![WalkInput::Resume])
        .then(300, stroll(201, 300))
        .then(
            300,
            vec![
                WalkInput::Emergency { id: Id::of(2) },
                WalkInput::CancelEmergency,
            ],
        )
        .then(
            301,
            vec![position(301, 500.0, 0.0, 5.0), WalkInput::Interrupt],
        )
        .then(400, stroll(310, 400))
        .then(
            401,
            vec![
                WalkInput::RemoveEvent { id: Id::of(2) },
                WalkInput::End { at: None },
            ],
        );
    let entries = decode(&told.log);
    assert_eq!(replay(&entries), told.parts());
    let mut again = log_header();
    entries.iter().for_each(|it| encode(it, &mut again));
    assert_eq!(again, told.log);
}

#[test]
fn an_event_is_of_all_dogs_until_somebody_says_of_which() {
    let potty = WalkInput::Event {
        id: Id::of(1),
        kind: WalkEventKind::Potty,
        note: String::new(),
    };
    let of = |dogs: &[u128]| WalkInput::EventDogs {
        id: Id::of(1),
        dog_ids: dogs.iter().map(|it| Id::of(*it)).collect(),
    };
    let dogs = |told: &Told| told.trace().events[0].dog_ids.clone();
    let told = Told::started().then(10, vec![potty]);
    assert_eq!(dogs(&told), []);
    let told = told.then(12, vec![of(&[11, 12])]);
    assert_eq!(dogs(&told), [Id::of(11), Id::of(12)]);
    // Also when the walk is over: what was tapped on the way is put right at its end.
    let told = told
        .then(20, vec![WalkInput::End { at: None }])
        .then(21, vec![of(&[12])]);
    assert_eq!(dogs(&told), [Id::of(12)]);
    let told = told.then(22, vec![of(&[])]);
    assert_eq!(dogs(&told), []);
    assert_eq!(replay(&decode(&told.log)), told.parts());
}

#[test]
fn who_does_not_know_of_which_dogs_an_event_is_reads_it_all_the_same() {
    let event = Entry::Event {
        at: START,
        id: Id::of(1),
        kind: WalkEventKind::Potty,
        note: "Twice".to_owned(),
    };
    let dogs = Entry::EventDogs {
        at: START + 1,
        id: Id::of(1),
        dog_ids: vec![Id::of(2)],
    };
    let end = Entry::Ended { at: START + 2 };
    let mut log = log_header();
    encode(&event, &mut log);
    let tag_of_dogs = log.len();
    encode(&dogs, &mut log);
    encode(&end, &mut log);
    assert_eq!(decode(&log), [event.clone(), dogs, end.clone()]);
    assert_eq!(log[tag_of_dogs], 0x89);
    // As it is to a reader that does not know the tag.
    log[tag_of_dogs] = 0xF0;
    assert_eq!(decode(&log), [event, end]);
}

#[test]
fn a_fix_takes_at_most_40_bytes_on_disk() {
    let mut bytes = Vec::new();
    let place = Place {
        lat_e7: i32::MIN,
        lon_e7: i32::MAX,
    };
    let fix = Fix {
        at: START,
        place,
        accuracy_dm: u16::MAX,
        altitude_dm: Some(i16::MIN),
    };
    encode(&Entry::Fix(fix), &mut bytes);
    assert_eq!(bytes.len(), 19);
    assert_eq!(decode(&[log_header(), bytes].concat()), [Entry::Fix(fix)]);
}

#[test]
fn a_log_of_today_reads_the_same_forever() {
    let bytes: &[u8] = &[
        1, // version
        0x80, 6, 0, 0, 0x7E, 0x8B, 0xEE, 0xA1, 1, // started
        1, 1, 0x7E, 0x8B, 0xEE, 0xA1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 50, 0, // fix
        0xF0, 2, 0, 7, 7, // of a later version
        2, 2, 0x7E, 0x8B, 0xEE, 0xA1, 1, 0xFF, 0xFF, 0xFF, 0xFF, 1, 0, 0, 0, 50, 0, 0xF6,
        0xFF, // with altitude
        0x88, 6, 0, 3, 0x7E, 0x8B, 0xEE, 0xA1, 1, // ended
    ];
    let at = 0x01A1_EE8B_7E00;
    let fix = |at, lat_e7, altitude_dm| {
        Entry::Fix(Fix {
            at,
            place: Place { lat_e7, lon_e7: 1 },
            accuracy_dm: 50,
            altitude_dm,
        })
    };
    let entries = [
        Entry::Started { at },
        fix(at + 1, 0, None),
        fix(at + 2, -1, Some(-10)),
        Entry::Ended { at: at + 3 },
    ];
    assert_eq!(decode(bytes), entries);
    assert_eq!(decode(&[2, 0x80]), [], "a later version is not guessed at");
    assert_eq!(decode(&[]), []);
}

#[test]
fn figures_are_those_of_the_screen() {
    let mut walk = Told::started().walk().clone();
    let show = |walk: &Walk, seconds: i64, units| {
        let it = figures(walk, START + seconds * 1000, units);
        format!(
            "{} | {} | {} {}",
            it.time, it.distance, it.pace, it.pace_unit
        )
    };
    assert_eq!(
        show(&walk, 0, Units::Imperial),
        "0:00 | 0.00 mi |  per mile"
    );
    walk.distance_m = 0.71 * 1609.0;
    assert_eq!(
        show(&walk, 848, Units::Imperial),
        "14:08 | 0.71 mi | 19:54 per mile"
    );
    assert_eq!(
        show(&walk, 848, Units::Metric),
        "14:08 | 1.14 km | 12:22 per km"
    );
    assert_eq!(
        show(&walk, 4448, Units::Imperial),
        "1:14:08 | 0.71 mi | 1:44:24 per mile".replace("1:44:24", "")
    );
    walk.distance_m = 49.0;
    assert_eq!(show(&walk, 60, Units::Metric), "1:00 | 0.05 km |  per km");
}

#[test]
fn the_notes_say_when_how_far_and_what_happened() {
    let event = |id, kind, note: &str| WalkInput::Event {
        id: Id::of(id),
        kind,
        note: note.into(),
    };
    let told = Told::started()
        .then(600, stroll(0, 600))
        .then(
            600,
            vec![
                event(1, WalkEventKind::Potty, ""),
                event(2, WalkEventKind::Note, " Met a friend "),
            ],
        )
        .then(
            660,
            vec![
                event(3, WalkEventKind::Water, "both drank"),
                WalkInput::Pause,
            ],
        )
        .then(960, vec![WalkInput::Resume, WalkInput::End { at: None }]);
    let zone = TimeZone::posix("<+02>-2").unwrap();
    let summary = summarize(
        told.walk(),
        told.trace(),
        START + 999_000,
        Units::Imperial,
        Clock {
            zone: &zone,
            cycle: HourCycle::H12,
        },
        &[],
    );
    let hour = |minute: i64| {
        let (_, time) = crate::Instant(START + minute * 60_000).civil(&zone);
        let minutes = time.minute_of_day();
        format!(
            "{}:{:02} {}",
            (minutes / 60 + 11) % 12 + 1,
            minutes % 60,
            if minutes < 720 { "AM" } else { "PM" }
        )
    };
    let lines = [
        format!(
            "Walk {} to {}, 11 min and 5 min paused, 0.52 mi.",
            hour(0),
            hour(16)
        ),
        format!("{} Potty", hour(10)),
        format!("{} Met a friend", hour(10)),
        format!("{} Water: both drank", hour(11)),
    ];
    assert_eq!(summary.notes, lines.join("\n"));
    assert_eq!((summary.ended_at, summary.n_events), (START + 960_000, 3));
    assert_eq!(summary.line.len(), 1);
    assert_eq!(summary.line[0].len(), 4, "a straight walk is two points");
}

#[test]
fn a_walk_with_a_gap_says_at_least() {
    let told = Told::started()
        .then(100, stroll(0, 100))
        .then(700, stroll(400, 700));
    let summary = summarize(
        told.walk(),
        told.trace(),
        START + 700_000,
        Units::Metric,
        Clock {
            zone: &TimeZone::UTC,
            cycle: HourCycle::H12,
        },
        &[],
    );
    assert!(
        summary.notes.contains(", at least 0.5"),
        "{}",
        summary.notes
    );
    assert!(figures(told.walk(), START + 700_000, Units::Metric).at_least);
}

/// A stroll at so many meters per second: so many seconds ahead, as many of standing, a bend of 75 degrees, and so on for
/// half an hour; with a position each `every` seconds, off by a slowly changing error of `error_m`. Gives its length, too.
fn stop_and_go(speed: f64, (go, stand): (i64, i64), every: i64, error_m: f64) -> (Told, f64) {
    let mut noise = noise(7);
    let (mut east, mut north, mut heading, mut length_m) = (0.0, 0.0, 0.0_f64, 0.0);
    let mut error = (0.0, 0.0);
    let mut inputs = Vec::new();
    for second in 0..1800 {
        let at = second % (go + stand);
        if at < go {
            east += speed * heading.sin();
            north += speed * heading.cos();
            length_m += speed;
        } else if at == go {
            heading += 75.0_f64.to_radians();
        }
        for it in [&mut error.0, &mut error.1] {
            *it = *it * 0.96 + noise() * error_m * 0.28;
        }
        if second % every == 0 {
            inputs.push(position(second, east + error.0, north + error.1, 5.0));
        }
    }
    (Told::started().then(1800, inputs), length_m)
}

#[test]
fn a_distance_is_within_five_percent_or_at_least_that() {
    let mut n_at_least = 0;
    for (speed, times) in [
        (1.4, (120, 5)),
        (1.2, (90, 20)),
        (0.8, (30, 25)),
        (0.5, (40, 15)),
    ] {
        for every in [1, 5, 10, 30, 45] {
            for error_m in [0.0, 1.5] {
                let (told, length_m) = stop_and_go(speed, times, every, error_m);
                let walk = told.walk();
                let ratio = walk.distance_m / length_m;
                let at_least = figures(walk, START + 1_800_000, Units::Metric).at_least;
                let case = format!("{speed} {times:?} {every} s {error_m} m: {ratio}");
                println!("{case} {at_least} {} {}", walk.n_stops, walk.moving_ms);
                assert!(ratio <= 1.05 && (ratio >= 0.95 || at_least), "{case}");
                assert!(!at_least || every > 25 || speed < 1.0, "{case}");
                n_at_least += u32::from(at_least);
            }
        }
    }
    assert!(n_at_least > 20);
}

#[test]
fn a_walk_without_positions_says_no_distance() {
    let told = Told::started().then(1800, vec![WalkInput::End { at: None }]);
    let summary = summarize(
        told.walk(),
        told.trace(),
        START + 1_800_000,
        Units::Metric,
        Clock {
            zone: &TimeZone::UTC,
            cycle: HourCycle::H12,
        },
        &[],
    );
    assert!(summary.notes.ends_with("30 min."), "{}", summary.notes);
}

#[test]
fn a_simplified_line_keeps_its_ends_and_its_corners() {
    let point = |east: f64, north: f64| LinePoint {
        place: Place::from_degrees(LAT + north / M_PER_LAT, LON + east / M_PER_LON).unwrap(),
        at: 0,
    };
    let line = [
        point(0.0, 0.0),
        point(50.0, 3.0),
        point(100.0, 0.0),
        point(97.0, 50.0),
        point(100.0, 100.0),
    ];
    assert_eq!(
        simplify(&line, LINE_TOLERANCE_M),
        [line[0], line[2], line[4]]
    );
    assert_eq!(simplify(&line[..1], LINE_TOLERANCE_M), line[..1]);
    assert_eq!(simplify(&[], LINE_TOLERANCE_M), []);
    let there_and_back = [point(0.0, 0.0), point(50.0, 0.0), point(0.0, 0.0)];
    assert_eq!(simplify(&there_and_back, LINE_TOLERANCE_M), there_and_back);
}

#[test]
fn the_golden_walks_are_told_as_they_are_written() {
    let cases: Vec<serde_json::Value> =
        serde_json::from_str(include_str!("../../testdata/walk.json")).unwrap();
    for case in cases {
        let answer = golden::answer(&case["input"].to_string()).unwrap();
        assert_eq!(answer, case["output"], "{}", case["name"]);
    }
}

/// Anything that a phone or a thumb can do, in any order, with time going on.
fn inputs() -> impl Strategy<Value = Vec<(i64, WalkInput)>> {
    let place = (-400.0..400.0_f64, -400.0..400.0_f64, 0.0..80.0_f64);
    let input = prop_oneof![
        12 => place.prop_map(|(east, north, accuracy)| position(0, east, north, accuracy)),
        1 => Just(WalkInput::Pause),
        2 => Just(WalkInput::Resume),
        1 => Just(WalkInput::Interrupt),
        1 => (0..9_u128).prop_map(|id| WalkInput::Event { id: Id::of(id), kind: WalkEventKind::Potty, note: id.to_string() }),
        1 => (0..9_u128).prop_map(|id| WalkInput::EventDogs { id: Id::of(id), dog_ids: (0..id % 3).map(Id::of).collect() }),
        1 => (0..9_u128).prop_map(|id| WalkInput::RemoveEvent { id: Id::of(id) }),
        1 => Just(WalkInput::Emergency { id: Id::of(77) }),
        2 => Just(WalkInput::CancelEmergency),
        1 => Just(WalkInput::End { at: None }),
        1 => Just(WalkInput::Kind { kind: ReportKind::Visit }),
        2 => prop::bool::ANY.prop_map(|taken| WalkInput::Positions { taken }),
    ];
    prop::collection::vec((0..100_i64, -3..3_i64, input), 0..120).prop_map(|steps| {
        let mut now = 0;
        let timed = steps.into_iter().map(|(pause, off, mut input)| {
            // Mostly a second or two apart, now and then a gap.
            now += if pause > 94 { pause } else { pause % 3 };
            if let WalkInput::Position { at, .. } = &mut input {
                *at = (START + (now + off) * 1000) as f64;
            }
            (now, input)
        });
        timed.collect()
    })
}

/// Bytes with the tag and mostly with the length of a record, whatever is in it.
fn record() -> impl Strategy<Value = Vec<u8>> {
    let tag = prop_oneof![1..=2_u8, 0x80..=0x8D_u8, any::<u8>()];
    let fields = prop::collection::vec(any::<u8>(), 0..60);
    (tag, fields, prop::bool::weighted(0.1)).prop_map(|(tag, fields, is_cut)| {
        let length = (fields.len() as u16 + u16::from(is_cut)).to_le_bytes();
        let length = if tag < 0x80 { &[][..] } else { &length[..] };
        [&[tag], length, &fields].concat()
    })
}

fn walked(inputs: &[(i64, WalkInput)]) -> Told {
    inputs.iter().fold(Told::started(), |told, (now, input)| {
        told.then(*now, vec![input.clone()])
    })
}

proptest! {
    #[test]
    fn nothing_is_ever_negative_or_goes_back(inputs in inputs()) {
        let mut before = Told::started();
        for (now, input) in inputs {
            let told = before.clone().then(now, vec![input]);
            prop_assert!(told.walk().distance_m >= before.walk().distance_m);
            prop_assert!(told.walk().bridged_m >= before.walk().bridged_m);
            prop_assert!(told.walk().moving_ms >= before.walk().moving_ms);
            prop_assert!(told.walk().gap_ms >= before.walk().gap_ms);
            prop_assert!(told.walk().ran_until(START + now * 1000) >= before.walk().ran_until(START + now * 1000));
            prop_assert!(told.walk().since >= before.walk().since);
            prop_assert!((told.line_m() - told.walk().distance_m).abs() < 0.1 + told.walk().distance_m * 0.01);
            before = told;
        }
    }

    #[test]
    fn a_batch_may_be_cut_anywhere(inputs in prop::collection::vec((0..400_i64, -50.0..50.0_f64, 0.0..60.0_f64), 0..80), at in 0..80_usize) {
        let all: Vec<WalkInput> =
            inputs.into_iter().map(|(second, north, accuracy)| position(second, 0.0, north, accuracy)).collect();
        let (first, rest) = all.split_at(at.min(all.len()));
        let whole = Told::started().then(500, all.clone());
        prop_assert_eq!(Told::started().then(500, first.to_vec()).then(500, rest.to_vec()), whole);
    }

    #[test]
    fn the_stored_log_gives_the_same_state(inputs in inputs()) {
        let told = walked(&inputs);
        prop_assert_eq!(replay(&decode(&told.log)), told.parts());
    }

    #[test]
    fn a_log_cut_off_anywhere_gives_the_walk_until_there(inputs in inputs(), cut in 0.0..1.0_f64) {
        let told = walked(&inputs);
        let entries = decode(&told.log);
        let cut = (told.log.len() as f64 * cut) as usize;
        let mut log = log_header();
        let ends = entries.iter().map(|it| {
            encode(it, &mut log);
            log.len()
        });
        let n_whole = ends.filter(|it| *it <= cut).count();
        prop_assert_eq!(decode(&told.log[..cut]), &entries[..n_whole]);
    }

    #[test]
    fn what_is_read_of_any_bytes_is_written_again_as_it_was_read(
        records in prop::collection::vec(record(), 0..9),
    ) {
        let entries = decode(&[log_header(), records.concat()].concat());
        replay(&entries);
        let mut again = log_header();
        entries.iter().for_each(|it| encode(it, &mut again));
        prop_assert_eq!(decode(&again), entries);
    }

    #[test]
    fn repeated_and_late_fixes_change_nothing(inputs in inputs()) {
        let told = walked(&inputs);
        let now = inputs.last().map_or(0, |it| it.0);
        let fixes: Vec<WalkInput> =
            inputs.into_iter().map(|it| it.1).filter(|it| matches!(it, WalkInput::Position { .. })).collect();
        // Late ones are those up to the last that was taken.
        let last = told.walk().last_fix_at.unwrap_or(START - 60_000) as f64;
        let known = fixes.into_iter().filter(|it| matches!(it, WalkInput::Position { at, .. } if *at <= last)).collect();
        prop_assert_eq!(told.clone().then(now, known), told);
    }

    #[test]
    fn what_is_told_as_changed_is_all_that_changed(inputs in inputs()) {
        let mut told = Told::started();
        let (mut lines, mut events) = (Vec::new(), Vec::new());
        for (second, input) in inputs {
            told = told.then(second, vec![input]);
            if let Some(segments) = told.recording.changed_segments() {
                lines = segments.to_vec();
            }
            if let Some(changed) = told.recording.changes().events {
                events = changed;
            }
            prop_assert_eq!((&lines, &events), (&told.trace().segments, &told.trace().events));
        }
        prop_assert_eq!(told.recording.changed_segments(), None);
        prop_assert_eq!(told.recording.changes(), WalkChange::default());
    }

    #[test]
    fn a_simplified_line_is_never_far_from_the_line(turns in prop::collection::vec((-9.0..9.0_f64, 1.0..20.0_f64), 2..60)) {
        let (mut east, mut north) = (0.0, 0.0);
        let line: Vec<LinePoint> = turns.into_iter().map(|(right, on)| {
            east += right;
            north += on;
            let place = Place::from_degrees(LAT + north / M_PER_LAT, LON + east / M_PER_LON).unwrap();
            LinePoint { place, at: 0 }
        }).collect();
        let short = simplify(&line, LINE_TOLERANCE_M);
        prop_assert!(short.len() <= line.len());
        for point in &line {
            let near = short
                .windows(2)
                .any(|it| super::trace::off_line_m(it[0].place, it[1].place, point.place) <= LINE_TOLERANCE_M);
            prop_assert!(near);
        }
    }
}

fn noted(id: u128, kind: WalkEventKind, note: &str) -> WalkInput {
    WalkInput::Event {
        id: Id::of(id),
        kind,
        note: note.to_owned(),
    }
}

#[test]
fn a_visit_takes_no_position_unless_the_sitter_asks_for_it() {
    let visit = Told::started().then(
        0,
        vec![WalkInput::Kind {
            kind: ReportKind::Visit,
        }],
    );
    let unasked = visit.then(100, stroll(1, 100));
    assert_eq!(unasked.walk().n_fixes, 0);
    assert!(unasked.trace().segments.is_empty());
    let asked = unasked.then(100, vec![WalkInput::Positions { taken: true }]);
    let asked = asked.then(200, stroll(101, 200));
    let walked_m = asked.walk().distance_m;
    assert!(walked_m > 50.0);
    let state = asked.recording.state();
    assert_eq!(
        (state.kind, state.takes_positions),
        (ReportKind::Visit, true)
    );
    // No longer: what happens from now on has no place, and what follows is no gap.
    let no_longer = asked
        .then(201, vec![WalkInput::Positions { taken: false }])
        .then(202, stroll(202, 240))
        .then(240, vec![noted(1, WalkEventKind::Fed, "half a cup")])
        .then(900, vec![WalkInput::End { at: None }]);
    assert_eq!(no_longer.walk().distance_m, walked_m);
    assert_eq!(no_longer.trace().events[0].location, None);
    assert_eq!(no_longer.walk().n_gaps, 0);
    assert!(Told::started().recording.state().takes_positions);
}

#[test]
fn the_notes_of_a_visit_say_that_it_was_one() {
    let told = Told::started()
        .then(
            0,
            vec![WalkInput::Kind {
                kind: ReportKind::Day,
            }],
        )
        .then(60, vec![noted(1, WalkEventKind::Medication, "the pill")])
        .then(1800, vec![WalkInput::End { at: None }]);
    let clock = Clock {
        zone: &TimeZone::UTC,
        cycle: HourCycle::H12,
    };
    let events = &told.trace().events;
    let said = notes(told.walk(), events, START, Units::Metric, clock, &[]);
    assert!(
        said.starts_with("Day ") && said.contains(", 30 min.\n"),
        "{said}"
    );
    assert!(said.ends_with(" Medication: the pill"), "{said}");
    assert_eq!(told.recording.state().last_at, START + 1_800_000);
}

#[test]
fn a_potty_break_is_told_more_exactly_where_and_when_it_was() {
    let told = Told::started()
        .then(10, vec![noted(1, WalkEventKind::Potty, "")])
        .then(20, vec![noted(1, WalkEventKind::Pee, "")]);
    let [event] = told.trace().events.as_slice() else {
        panic!("{:?}", told.trace())
    };
    assert_eq!(
        (event.kind, event.timestamp),
        (WalkEventKind::Pee, START + 10_000)
    );
    assert_eq!(told.recording.state().last_at, START + 10_000);
}

#[test]
fn each_occasion_offers_kinds_that_its_log_and_its_report_know() {
    for kind in [ReportKind::Walk, ReportKind::Visit, ReportKind::Day] {
        assert_eq!(ReportKind::of_code(kind.code()), Some(kind));
        for offered in WalkEventKind::offered(kind) {
            assert_eq!(WalkEventKind::of_code(offered.code()), Some(*offered));
            assert_eq!(WalkEventKind::of_key(offered.key()), Some(*offered));
        }
    }
    assert_eq!(ReportKind::of_code(9), None);
    assert_eq!(WalkEventKind::Potty.name(), "Potty");
    let of_walks = WalkEventKind::offered(ReportKind::Walk);
    let keys: Vec<&str> = of_walks.iter().map(|it| it.key()).collect();
    assert_eq!(keys, ["photo", "potty", "water", "note", "break"]);
}
