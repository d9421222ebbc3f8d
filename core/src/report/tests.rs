//! Reports as sentences: who sees what, what stays on the phone, what the page says.

use proptest::prelude::*;

use super::*;
use crate::commands::decision::Context;
use crate::commands::{ShareWalk, UnshareWalk, decide};
use crate::rows::client::Client;
use crate::rows::pet::Pet;
use crate::rows::report::{ClientReport, Report, SharedEvent, SharedLine, SharedWalk};
use crate::rows::service::{LiveEvent, Service, ServiceStatus};
use crate::rows::sitter::Sitter;
use crate::rules::live_map::LiveMapUpdate;
use crate::rules::report::{ClientAlong, audience, tells_of};
use crate::values::bounds::{NOTES, REPORT_POINTS};
use crate::values::encoded_line;
use crate::values::place::Place;
use crate::values::plane::distance_m;
use crate::values::report_kind::ReportKind;
use crate::values::units::Units;
use crate::values::walk_event::WalkEventKind;
use crate::values::zone::TimeZone;
use crate::walk::{LinePoint, Walk, WalkEvent, WalkGap, WalkHere, WalkSegment, WalkTrace};
use crate::{Business, Change, Command, Date, Decision, Id, Instant, Now, Refusal, Row};

/// 2026-11-20T14:31:00Z, a Friday.
const START: i64 = 1_795_185_060_000;
const MINUTE: i64 = 60_000;
const WALK: Id = Id::of(100);
const DANA: Id = Id::of(1);
const KIM: Id = Id::of(2);
const REX: Id = Id::of(11);
const PEPPER: Id = Id::of(12);
const MISO: Id = Id::of(21);

/// Dana has Rex and Pepper, Kim has Miso.
fn business() -> Business {
    let mut business = Business::default();
    for (id, name) in [(DANA, "Dana"), (KIM, "Kim")] {
        let mut client = Client::new(id, Instant(0));
        client.name = name.to_owned();
        business.put(1, Row::Client(client));
    }
    for (id, client_id, name) in [
        (REX, DANA, "Rex"),
        (PEPPER, DANA, "Pepper"),
        (MISO, KIM, "Miso"),
    ] {
        let mut pet = Pet::new(id, client_id);
        pet.name = name.to_owned();
        business.put(1, Row::Pet(pet));
    }
    business
}

fn ctx() -> Context {
    Context::at(Now {
        at: Instant(START + 60 * MINUTE),
        zone: TimeZone::UTC,
    })
}

fn event(kind: WalkEventKind, minute: i64, note: &str) -> SharedEvent {
    SharedEvent {
        over_at: None,
        kind,
        at: Instant(START + minute * MINUTE),
        note: note.to_owned(),
        place: None,
        photo: None,
        client_ids: None,
        dog_ids: Vec::new(),
        dogs: Vec::new(),
    }
}

fn of_dogs(event: SharedEvent, dog_ids: &[Id]) -> SharedEvent {
    SharedEvent {
        dog_ids: dog_ids.to_vec(),
        ..event
    }
}

fn photo(number: u128, minute: i64) -> SharedEvent {
    SharedEvent {
        photo: Some(Id::of(number)),
        ..event(WalkEventKind::Photo, minute, "")
    }
}

fn for_clients(event: SharedEvent, clients: &[Id]) -> SharedEvent {
    SharedEvent {
        client_ids: Some(clients.to_vec()),
        ..event
    }
}

fn walk(events: Vec<SharedEvent>) -> SharedWalk {
    SharedWalk {
        started_at: Instant(START),
        ended_at: Instant(START + 32 * MINUTE),
        ran_seconds: 32 * 60,
        distance_m: 2253,
        events,
        ..SharedWalk::default()
    }
}

fn dana() -> ClientReport {
    ClientReport {
        id: Id::of(201),
        client_id: DANA,
        dog_ids: vec![REX, PEPPER],
        note: "Both were brave".to_owned(),
        service_ids: Vec::new(),
    }
}

fn kim() -> ClientReport {
    ClientReport {
        id: Id::of(202),
        client_id: KIM,
        dog_ids: vec![MISO],
        note: "Miso has a scratch".to_owned(),
        service_ids: Vec::new(),
    }
}

fn share(
    business: &Business,
    walk: SharedWalk,
    reports: &[ClientReport],
) -> Result<Decision, Refusal> {
    let command = Command::ShareWalk(ShareWalk {
        id: WALK,
        walk,
        reports: reports.to_vec(),
        kind: ReportKind::Walk,
    });
    decide(&command, business, &ctx())
}

fn reports(decision: &Decision) -> Vec<&Report> {
    let put = decision.changes.iter().filter_map(|it| match it {
        Change::Put(Row::Report(report)) => Some(report),
        _ => None,
    });
    put.collect()
}

/// Returns all that a client's report says.
fn text(report: &Report) -> String {
    format!("{report:?}")
}

#[test]
fn the_report_of_a_client_has_no_photo_and_no_word_that_is_meant_for_others() {
    let shared = walk(vec![
        for_clients(photo(301, 1), &[DANA]),
        for_clients(photo(302, 2), &[KIM]),
        for_clients(photo(303, 3), &[DANA, KIM]),
        for_clients(event(WalkEventKind::Note, 4, "Rex found a stick"), &[DANA]),
        for_clients(event(WalkEventKind::Note, 5, "Miso limps"), &[KIM]),
        for_clients(event(WalkEventKind::Note, 6, "Call the plumber"), &[]),
    ]);
    let decision = share(&business(), shared, &[dana(), kim()]).unwrap();
    let [of_dana, of_kim] = reports(&decision)[..] else {
        panic!("{decision:?}")
    };
    assert_eq!((of_dana.client_id, of_kim.client_id), (DANA, KIM));
    assert_eq!(of_dana.dogs, ["Rex", "Pepper"]);
    assert_eq!(of_kim.dogs, ["Miso"]);
    let photos = |it: &Report| it.content.walk.photos().collect::<Vec<_>>();
    assert_eq!(photos(of_dana), [Id::of(301), Id::of(303)]);
    assert_eq!(photos(of_kim), [Id::of(302), Id::of(303)]);
    for (report, own, foreign) in [
        (of_dana, ["stick", "brave"], ["Miso", "plumber"]),
        (of_kim, ["limps", "scratch"], ["Rex", "plumber"]),
    ] {
        let text = text(report);
        assert!(own.iter().all(|it| text.contains(it)), "{text}");
        assert!(!foreign.iter().any(|it| text.contains(it)), "{text}");
        // Not even that there is another client.
        let other = if report.client_id == DANA { KIM } else { DANA };
        assert!(!text.contains(&other.to_string()), "{text}");
    }
}

#[test]
fn what_nobody_says_for_whom_it_is_is_for_all_unless_it_may_be_about_one_of_them() {
    let shared = walk(vec![
        event(WalkEventKind::Water, 1, ""),
        event(WalkEventKind::Potty, 2, ""),
        event(WalkEventKind::Potty, 3, "Miso, soft"),
        event(WalkEventKind::Note, 4, "Met a friend"),
        event(WalkEventKind::Note, 5, "Emergency"),
        photo(301, 6),
    ]);
    let kinds = |decision: &Decision| -> Vec<usize> {
        reports(decision)
            .iter()
            .map(|it| it.content.walk.events.len())
            .collect()
    };
    let together = share(&business(), shared.clone(), &[dana(), kim()]).unwrap();
    assert_eq!(kinds(&together), [2, 2]);
    let alone = share(&business(), shared, &[kim()]).unwrap();
    assert_eq!(kinds(&alone), [5]);
    assert!(!text(reports(&alone)[0]).contains("Emergency"));
}

/// Returns the texts of the events on a client's page, each with the dogs it names.
fn told(decision: &Decision, client_id: Id) -> Vec<String> {
    let report = reports(decision)
        .into_iter()
        .find(|it| it.client_id == client_id)
        .unwrap();
    let page = page(report, &sitter(), &TimeZone::UTC);
    let told = page.events.into_iter().map(|it| match it.dogs {
        Some(dogs) => format!("{}: {dogs}", it.text),
        None => it.text,
    });
    told.collect()
}

fn sitter() -> Sitter {
    Sitter::new(
        Id::of(9),
        "Mara Lind".to_owned(),
        "mara@example.com".to_owned(),
        "UTC".to_owned(),
        Instant(0),
    )
}

#[test]
fn a_client_sees_only_events_of_their_own_dogs() {
    let potty = |minute| event(WalkEventKind::Potty, minute, "");
    let shared = walk(vec![
        of_dogs(potty(1), &[REX]),
        of_dogs(potty(2), &[MISO]),
        of_dogs(potty(3), &[REX, PEPPER]),
        of_dogs(potty(4), &[PEPPER, MISO]),
        of_dogs(event(WalkEventKind::Note, 5, "Miso limps"), &[MISO]),
        // Chosen for one whose dog it is not of: it is not shown all the same.
        of_dogs(for_clients(photo(301, 6), &[DANA, KIM]), &[MISO]),
        of_dogs(photo(302, 7), &[REX]),
        event(WalkEventKind::Water, 8, ""),
    ]);
    let decision = share(&business(), shared, &[dana(), kim()]).unwrap();
    assert_eq!(
        told(&decision, DANA),
        [
            "Potty: Rex",
            "Potty",
            "Potty: Pepper",
            "Photo: Rex",
            "Water"
        ]
    );
    assert_eq!(
        told(&decision, KIM),
        ["Potty", "Potty", "Miso limps", "Photo", "Water"]
    );
    let of_kim = text(reports(&decision)[1]);
    assert!(
        !of_kim.contains(&REX.to_string()) && !of_kim.contains("Pepper"),
        "{of_kim}"
    );
}

#[test]
fn what_is_said_of_a_dog_is_for_its_owner_by_itself() {
    let along = [
        ClientAlong {
            client_id: DANA,
            dog_ids: vec![REX, PEPPER],
        },
        ClientAlong {
            client_id: KIM,
            dog_ids: vec![MISO],
        },
    ];
    let of = |kind, note, dogs: &[Id]| audience(kind, note, dogs, &along);
    let limps = of(WalkEventKind::Note, "Miso limps", &[MISO]);
    assert_eq!((limps.may, limps.shown), (vec![KIM], vec![KIM]));
    let picture = of(WalkEventKind::Photo, "", &[REX, MISO]);
    assert_eq!((picture.may, picture.shown), (vec![DANA, KIM], vec![]));
    let emergency = of(WalkEventKind::Note, "Emergency", &[MISO]);
    assert_eq!((emergency.may, emergency.shown), (vec![KIM], vec![]));
}

#[test]
fn a_walk_that_is_shared_again_keeps_its_address_and_drops_what_is_left_out() {
    let mut business = business();
    let first = walk(vec![
        for_clients(photo(301, 1), &[DANA]),
        for_clients(photo(302, 2), &[KIM]),
        for_clients(photo(303, 3), &[DANA, KIM]),
    ]);
    let decision = share(&business, first, &[dana(), kim()]).unwrap();
    assert!(decision.dropped_photos.is_empty());
    business.apply(2, &decision.changes);
    for report in business.reports.values_mut() {
        report.row.share_id = Some(format!("secret of {}", report.row.client_id));
    }
    let again = ClientReport {
        id: Id::of(999),
        note: "Corrected".to_owned(),
        ..dana()
    };
    let decision = share(
        &business,
        walk(vec![for_clients(photo(303, 3), &[DANA])]),
        &[again],
    )
    .unwrap();
    assert_eq!(decision.dropped_photos, [Id::of(301), Id::of(302)]);
    business.apply(3, &decision.changes);
    let left: Vec<&Report> = business.reports_of(WALK).collect();
    let [report] = left[..] else {
        panic!("{left:?}")
    };
    assert_eq!(report.id, Id::of(201));
    assert_eq!(
        report.share_id.as_deref(),
        Some(format!("secret of {DANA}").as_str())
    );
    assert_eq!(report.content.note, "Corrected");
}

#[test]
fn a_report_takes_the_place_of_what_was_sent_of_its_own_visits_before() {
    let mut business = business();
    let sent = |number: u128, client_id, photos: &[u128]| {
        let live = photos.iter().map(|it| LiveEvent {
            id: Id::of(it + 1000),
            kind: WalkEventKind::Photo,
            at: Instant(0),
            note: String::new(),
            photo: Some(Id::of(*it)),
        });
        Service {
            client_id,
            live: live.collect(),
            ..Service::new(Id::of(number), Instant(0))
        }
    };
    for it in [sent(401, DANA, &[301, 305]), sent(402, KIM, &[306])] {
        business.put(1, Row::Service(it));
    }
    let report = ClientReport {
        service_ids: vec![Id::of(401), Id::of(402)],
        ..dana()
    };
    let shown = walk(vec![for_clients(photo(301, 1), &[DANA])]);
    let decision = share(&business, shown, &[report]).unwrap();
    assert_eq!(decision.dropped_photos, [Id::of(305)]);
    business.apply(2, &decision.changes);
    let left = |id| business.service(Id::of(id)).map(|it| it.live.len());
    assert_eq!((left(401), left(402)), (Some(0), Some(1)));
}

#[test]
fn what_is_taken_back_is_gone_with_its_photos() {
    let mut business = business();
    let take_back = Command::UnshareWalk(UnshareWalk { id: WALK });
    assert_eq!(decide(&take_back, &business, &ctx()), Err(Refusal::Gone));
    let shared = walk(vec![
        for_clients(photo(301, 1), &[DANA]),
        for_clients(photo(303, 3), &[DANA, KIM]),
    ]);
    let decision = share(&business, shared, &[dana(), kim()]).unwrap();
    business.apply(2, &decision.changes);
    let decision = decide(&take_back, &business, &ctx()).unwrap();
    assert_eq!(decision.dropped_photos, [Id::of(301), Id::of(303)]);
    business.apply(3, &decision.changes);
    assert!(business.reports.is_empty());
}

#[test]
fn a_report_is_for_known_clients_and_their_own_dogs() {
    let (business, shared) = (business(), || walk(Vec::new()));
    let wrong_dog = ClientReport {
        dog_ids: vec![MISO],
        ..dana()
    };
    let stranger = ClientReport {
        client_id: Id::of(9),
        ..dana()
    };
    for asked in [wrong_dog, stranger] {
        assert_eq!(share(&business, shared(), &[asked]), Err(Refusal::Gone));
    }
    let said = |reports: &[ClientReport]| {
        let refusal = share(&business, shared(), reports).unwrap_err();
        assert_eq!(refusal.code(), "invalid");
        refusal.to_string()
    };
    let nobody = ClientReport {
        dog_ids: Vec::new(),
        ..dana()
    };
    assert_eq!(said(&[]), "At least one dog is required");
    assert_eq!(said(&[nobody]), "At least one dog is required");
    assert_eq!(
        said(&[
            dana(),
            ClientReport {
                id: Id::of(7),
                ..dana()
            }
        ]),
        "Each client has one report of a walk"
    );
}

#[test]
fn what_is_too_much_for_a_report_is_said() {
    let said = |change: fn(&mut SharedWalk), note: &str| {
        let mut shared = walk(Vec::new());
        change(&mut shared);
        let asked = ClientReport {
            note: note.to_owned(),
            ..dana()
        };
        share(&business(), shared, &[asked]).map_err(|it| it.to_string())
    };
    assert!(said(|_| {}, &"é".repeat(NOTES)).is_ok());
    assert_eq!(
        said(|_| {}, &"é".repeat(NOTES + 1)).unwrap_err(),
        "Note cannot exceed 5,000 characters"
    );
    let long_line = |it: &mut SharedWalk| {
        let points = (0..=2_000).map(|n| place(n, 0));
        it.lines = vec![SharedLine {
            points: encoded_line::encode(points),
            after_gap: false,
        }];
    };
    assert_eq!(
        said(long_line, "").unwrap_err(),
        "The line of this walk cannot be read"
    );
    let no_line = |it: &mut SharedWalk| {
        it.lines = vec![SharedLine {
            points: "\u{1F415}".to_owned(),
            after_gap: false,
        }];
    };
    assert_eq!(
        said(no_line, "").unwrap_err(),
        "The line of this walk cannot be read"
    );
    let many = |it: &mut SharedWalk| it.events = vec![event(WalkEventKind::Potty, 1, ""); 201];
    assert_eq!(said(many, "").unwrap_err(), "Events cannot exceed 200");
    let much = |it: &mut SharedWalk| {
        it.events = vec![event(WalkEventKind::Note, 1, &"é".repeat(4_001)); 5];
    };
    assert_eq!(
        said(much, "").unwrap_err(),
        "This is too much for one report; leave some events out"
    );
    let pictures = |it: &mut SharedWalk| it.events = (0..51).map(|n| photo(n, 1)).collect();
    assert_eq!(
        said(pictures, "").unwrap_err(),
        "A report has at most 50 photos"
    );
    let backwards = |it: &mut SharedWalk| it.ended_at = Instant(START - 1);
    assert_eq!(
        said(backwards, "").unwrap_err(),
        "A walk must end after it begins"
    );
}

#[test]
fn a_photo_must_have_arrived() {
    let mut business = business();
    business.missing_photos.insert(Id::of(301));
    let refusal = share(&business, walk(vec![photo(301, 1)]), &[dana()]).unwrap_err();
    assert_eq!(refusal, Refusal::PhotoMissing { photo: Id::of(301) });
}

/// About `east` and `north` meters from the market square of Helsinki.
fn place(east: i32, north: i32) -> Place {
    Place {
        lat_e7: 601_675_000 + north * 90,
        lon_e7: 249_540_000 + east * 180,
    }
}

fn point(second: i64, east: i32, north: i32) -> LinePoint {
    LinePoint {
        place: place(east, north),
        at: START + second * 1000,
    }
}

/// Two lines with a gap between, a photo, a note.
fn tracked() -> (Walk, WalkTrace) {
    let before = vec![point(0, 0, 0), point(60, 80, 1), point(120, 160, 0)];
    let after = vec![point(360, 300, 200), point(420, 300, 280)];
    let gap = WalkGap {
        from: before[2],
        to: after[0],
    };
    let event = |number: u128, kind, second: i64, note: &str| WalkEvent {
        over_at: None,
        id: Id::of(number),
        kind,
        timestamp: START + second * 1000,
        location: Some(place(80, 1)),
        note: note.to_owned(),
        dog_ids: Vec::new(),
    };
    let walk = Walk {
        status: crate::walk::WalkStatus::Ended,
        started_at: START,
        since: START + 420_000,
        ran_ms: 420_000,
        distance_m: 240.4,
        bridged_m: 244.0,
        gap_ms: 240_000,
        n_gaps: 1,
        ..Walk::default()
    };
    let trace = WalkTrace {
        segments: vec![
            WalkSegment {
                gap: None,
                points: before,
            },
            WalkSegment {
                gap: Some(gap),
                points: after,
            },
        ],
        events: vec![
            event(401, WalkEventKind::Photo, 60, ""),
            event(402, WalkEventKind::Note, 90, "Door code 1234"),
            event(403, WalkEventKind::Water, 100, ""),
        ],
    };
    (walk, trace)
}

fn choices(show_map: bool) -> ReportChoices {
    let choice = |number, photo, client_ids: &[Id]| ReportEventChoice {
        id: Id::of(number),
        photo,
        client_ids: client_ids.to_vec(),
    };
    ReportChoices {
        show_map,
        show_homes: false,
        homes: Vec::new(),
        has_unknown_home: false,
        events: vec![
            choice(401, Some(Id::of(501)), &[DANA]),
            choice(402, None, &[]),
            choice(403, None, &[DANA, KIM]),
        ],
    }
}

#[test]
fn without_the_map_a_shared_walk_has_no_position_at_all() {
    let (walk, trace) = tracked();
    let shared = of_walk(&walk, &trace, &choices(false));
    assert!(shared.lines.is_empty());
    assert!(shared.events.iter().all(|it| it.place.is_none()));
    let with_map = of_walk(&walk, &trace, &choices(true));
    assert_eq!(with_map.lines.len(), 2);
    assert!(with_map.events.iter().all(|it| it.place.is_some()));
}

#[test]
fn what_is_chosen_for_nobody_stays_on_the_phone() {
    let (walk, trace) = tracked();
    let shared = of_walk(&walk, &trace, &choices(true));
    let kinds: Vec<WalkEventKind> = shared.events.iter().map(|it| it.kind).collect();
    assert_eq!(kinds, [WalkEventKind::Photo, WalkEventKind::Water]);
    assert_eq!(shared.events[0].photo, Some(Id::of(501)));
    assert!(!format!("{shared:?}").contains("1234"));
    let nothing = of_walk(&walk, &trace, &ReportChoices::default());
    assert!(nothing.events.is_empty());
}

/// Out of a door, 400 m away, back to it, and past it.
fn round_trip() -> WalkTrace {
    let there = (0..=40).map(|n| point(i64::from(n), n * 10, 0));
    let back = (1..=80).map(|n| point(i64::from(n) + 40, 400 - n * 10, 0));
    WalkTrace {
        segments: vec![WalkSegment {
            gap: None,
            points: there.chain(back).collect(),
        }],
        events: Vec::new(),
    }
}

fn shared_line_points(trace: &WalkTrace, choices: &ReportChoices) -> Vec<Vec<Place>> {
    let shared = of_walk(&tracked().0, trace, choices);
    let lines = shared.lines.iter();
    lines
        .map(|it| encoded_line::decode(&it.points).unwrap())
        .collect()
}

#[test]
fn a_report_shows_nothing_within_150_m_of_a_home_unless_that_is_chosen() {
    let trace = round_trip();
    let door = place(0, 0);
    let at_home = ReportChoices {
        homes: vec![door],
        ..choices(true)
    };
    let lines = shared_line_points(&trace, &at_home);
    assert_eq!(lines.len(), 2);
    let nearest = |lines: &[Vec<Place>]| {
        let distances = lines.iter().flatten().map(|it| distance_m(*it, door));
        distances.fold(f64::INFINITY, f64::min)
    };
    assert!(nearest(&lines) >= 150.0 && nearest(&lines) < 165.0);
    let all = ReportChoices {
        show_homes: true,
        ..at_home.clone()
    };
    assert!(nearest(&shared_line_points(&trace, &all)) < 1.0);
    // Two fixes may lie far apart on either side of a home.
    let sparse = WalkTrace {
        segments: vec![WalkSegment {
            gap: None,
            points: vec![point(0, -400, 0), point(50, -200, 0), point(100, 200, 0)],
        }],
        events: Vec::new(),
    };
    let lines = shared_line_points(&sparse, &at_home);
    let lengths: Vec<usize> = lines.iter().map(Vec::len).collect();
    assert_eq!(lengths, [2, 1]);
}

#[test]
fn the_ends_of_a_walk_are_left_out_where_a_home_is_not_known() {
    let unknown = ReportChoices {
        has_unknown_home: true,
        ..choices(true)
    };
    let lines = shared_line_points(&round_trip(), &unknown);
    let ends = [place(0, 0), place(-400, 0)];
    assert!(!lines.is_empty());
    for it in lines.iter().flatten() {
        assert!(ends.iter().all(|end| distance_m(*it, *end) >= 150.0));
    }
}

#[test]
fn events_and_gaps_at_a_home_are_not_on_the_map_either() {
    let (walk, trace) = tracked();
    let at_home = ReportChoices {
        homes: vec![place(160, 0)],
        ..choices(true)
    };
    let shared = of_walk(&walk, &trace, &at_home);
    assert!(shared.events.iter().all(|it| it.place.is_none()));
    assert!(shared.lines.iter().all(|it| !it.after_gap));
    let nowhere = ReportChoices {
        homes: vec![place(0, 0), place(160, 0), place(300, 200), place(300, 280)],
        ..choices(true)
    };
    assert_eq!(of_walk(&walk, &trace, &nowhere).lines, []);
}

#[test]
fn a_walk_of_a_whole_day_is_simplified_until_it_fits() {
    let wandering = (0..20_000).map(|n| {
        let east = i32::try_from(n).unwrap();
        point(n, east, (east * east % 977 * 31) % 60)
    });
    let trace = WalkTrace {
        segments: vec![WalkSegment {
            gap: None,
            points: wandering.collect(),
        }],
        events: Vec::new(),
    };
    let shared = of_walk(&tracked().0, &trace, &choices(true));
    let points = encoded_line::decode(&shared.lines[0].points).unwrap();
    assert!(2 <= points.len() && points.len() <= REPORT_POINTS);
    assert!(share(&business(), shared, &[dana()]).is_ok());
}

/// The update of a live map that was switched on at the walk's second `since`, as it is at its second `now`.
fn update(trace: &WalkTrace, hidden: &[Place], since: i64, now: i64) -> Option<LiveMapUpdate> {
    let walk = Walk {
        here: None,
        ..tracked().0
    };
    let at = |second: i64| START + second * 1000;
    live_map_update(
        &walk,
        trace,
        (DANA, hidden),
        (Id::of(9), at(since)),
        Instant(at(now)),
    )
}

#[test]
fn a_live_map_shows_nothing_that_was_walked_before_it_was_switched_on() {
    let trace = round_trip();
    let shown = update(&trace, &[], 40, 125).unwrap();
    let line = encoded_line::decode(&shown.lines[0].points).unwrap();
    assert_eq!(shown.lines.len(), 1);
    assert!(distance_m(line[0], place(400, 0)) < 1.0);
    assert!(distance_m(shown.here.unwrap(), place(-400, 0)) < 1.0);
    assert_eq!(shown.age_seconds, 5);
    assert!(shown.check().is_ok());
    assert_eq!(update(&trace, &[], 121, 125), None);
    // Where the phone knows the position better than the line does, that counts.
    let standing = WalkHere {
        place: place(-390, 0),
        at: START + 123_000,
        accuracy_m: 5.0,
    };
    let walk = Walk {
        here: Some(standing),
        ..tracked().0
    };
    let now = Instant(START + 125_000);
    let shown = live_map_update(&walk, &trace, (DANA, &[]), (Id::of(9), START), now).unwrap();
    assert_eq!((shown.here, shown.age_seconds), (Some(place(-390, 0)), 2));
}

#[test]
fn a_live_map_shows_nothing_within_150_m_of_another_clients_home() {
    let trace = round_trip();
    let door = place(-400, 0);
    let shown = update(&trace, &[door], 0, 125).unwrap();
    assert_eq!(shown.here, None);
    // The age is that of what is shown.
    assert!(shown.age_seconds > 15, "{}", shown.age_seconds);
    let lines = shown.lines.iter();
    let points = lines.flat_map(|it| encoded_line::decode(&it.points).unwrap());
    for it in points {
        assert!(distance_m(it, door) >= 150.0);
    }
    assert_eq!(update(&trace, &[place(-300, 0)], 110, 125), None);
}

#[test]
fn a_live_map_of_a_whole_day_is_simplified_until_it_fits() {
    let wandering = (0..20_000).map(|n| {
        let east = i32::try_from(n).unwrap();
        point(n, east, (east * east % 977 * 31) % 60)
    });
    let points: Vec<LinePoint> = wandering.collect();
    let in_pieces = |n: usize| WalkTrace {
        segments: points
            .chunks(points.len().div_ceil(n))
            .map(|it| WalkSegment {
                gap: None,
                points: it.to_vec(),
            })
            .collect(),
        events: Vec::new(),
    };
    for n in [1, 500] {
        let shown = update(&in_pieces(n), &[], 0, 20_000).unwrap();
        assert!(shown.check().is_ok(), "{n}");
        assert!(!shown.lines.is_empty());
    }
}

/// Shortest distance from a home to what a map draws of these lines and of the gaps between them, in meters.
fn drawn_from(home: Place, lines: &[SharedLine]) -> f64 {
    let north = |it: Place| ((45.0 + it.lat() / 2.0).to_radians().tan().ln()).to_degrees();
    let mut stretches: Vec<(Place, Place)> = Vec::new();
    let mut before: Option<Place> = None;
    for line in lines {
        let points = encoded_line::decode(&line.points).unwrap();
        let gap = before.filter(|_| line.after_gap);
        stretches.extend(gap.map(|it| (it, points[0])));
        stretches.extend(points.iter().map(|it| (*it, *it)));
        stretches.extend(points.windows(2).map(|it| (it[0], it[1])));
        before = points.last().copied();
    }
    let nearest = stretches.into_iter().map(|(from, to)| {
        let n = 1 + (distance_m(from, to) / 2.0) as i32;
        let at = |k: i32| {
            let part = f64::from(k) / f64::from(n);
            let y = north(from) + (north(to) - north(from)) * part;
            let lat = 2.0 * y.to_radians().exp().atan().to_degrees() - 90.0;
            let lon = from.lon() + (to.lon() - from.lon()) * part;
            distance_m(home, Place::from_degrees(lat, lon).unwrap())
        };
        (0..=n).map(at).fold(f64::MAX, f64::min)
    });
    nearest.fold(f64::MAX, f64::min)
}

/// A walk around a home: the degrees of each step and the distance at its end, in meters; so many points a line.
fn around(steps: &[(i32, i32)], chunk: usize) -> WalkTrace {
    let mut angle = 0.0_f64;
    let points = steps.iter().enumerate().map(|(n, (degrees, away))| {
        angle += f64::from(*degrees).to_radians();
        let (east, north) = (angle.cos(), angle.sin());
        let place = |it: f64| (it * f64::from(*away)).round() as i32;
        point(i64::try_from(n).unwrap(), place(east), place(north))
    });
    let points: Vec<LinePoint> = points.collect();
    let mut segments: Vec<WalkSegment> = Vec::new();
    for it in points.chunks(chunk) {
        let before = segments.last().and_then(|it| it.points.last());
        let gap = before.map(|from| WalkGap {
            from: *from,
            to: it[0],
        });
        segments.push(WalkSegment {
            gap,
            points: it.to_vec(),
        });
    }
    WalkTrace {
        segments,
        events: Vec::new(),
    }
}

/// Checks that neither report nor live map of a walk draws anything within 150 m of these homes, and gives their lines.
fn check_hidden(trace: &WalkTrace, homes: &[Place]) -> [Vec<SharedLine>; 2] {
    let choices = ReportChoices {
        homes: homes.to_vec(),
        ..choices(true)
    };
    let shared = of_walk(&tracked().0, trace, &choices).lines;
    let live = update(trace, homes, 0, 100_000).map_or_else(Vec::new, |it| {
        assert!(it.check().is_ok());
        it.lines
    });
    for lines in [&shared, &live] {
        for it in homes {
            let nearest = drawn_from(*it, lines);
            assert!(nearest >= 150.0, "{nearest} m");
        }
    }
    [shared, live]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn no_line_that_is_shown_comes_within_150_m_of_a_hidden_home(
        steps in prop::collection::vec((-20..60, 145..175), 1..200),
        chunk in 2_usize..200,
        other in (-400..400, -400..400),
    ) {
        check_hidden(&around(&steps, chunk), &[place(0, 0), place(other.0, other.1)]);
    }
}

#[test]
fn a_simplified_line_keeps_away_from_a_home_that_the_walk_goes_around() {
    let round: Vec<(i32, i32)> = (0..120).map(|_| (3, 153)).collect();
    for lines in check_hidden(&around(&round, 200), &[place(0, 0)]) {
        assert_eq!(lines.len(), 1);
    }
    // More rounds than there are points to go around the home with.
    let day: Vec<(i32, i32)> = (0..20_000).map(|n| (1, 152 + n % 3)).collect();
    for lines in check_hidden(&around(&day, 20_000), &[place(0, 0)]) {
        assert!(!lines.is_empty());
    }
}

#[test]
fn the_page_tells_what_was_recorded_from_what_was_not() {
    let (tracked, trace) = tracked();
    let shared = of_walk(&tracked, &trace, &choices(true));
    let decision = share(&business(), shared, &[dana()]).unwrap();
    let mut sitter = Sitter::new(
        Id::of(500),
        "Mara".to_owned(),
        "mara@example.com".to_owned(),
        "UTC".to_owned(),
        Instant(0),
    );
    sitter.units = Units::Metric;
    let page = page(reports(&decision)[0], &sitter, &TimeZone::UTC);
    assert_eq!(page.business_name, "Mara");
    assert_eq!(page.title, "A walk with Rex and Pepper");
    assert_eq!(page.date, "Friday, November 20");
    assert_eq!(
        (page.duration.as_str(), page.times.as_str()),
        ("7 min", "2:31 PM to 2:38 PM")
    );
    assert_eq!(page.distance.as_deref(), Some("240 m"));
    assert_eq!(page.distance_label, "at least");
    assert!(reports(&decision)[0].content.walk.is_at_least);
    assert_eq!(
        page.not_recorded.as_deref(),
        Some("4 min were not recorded, about 244 m more.")
    );
    assert_eq!(page.note, "Both were brave");
    assert_eq!(page.n_photos, 1);
    assert_eq!(page.events[0].text, "Photo");
    assert_eq!(page.events[0].photo, Some(0));
    assert_eq!(reports(&decision)[0].photo(0), Some(Id::of(501)));
    let map = page.map.as_ref().unwrap();
    assert_eq!(map.lines.len(), 2);
    let [gap] = map.gaps[..] else {
        panic!("{map:?}")
    };
    assert!(distance_m(gap.from, place(160, 0)) < 0.2);
    assert!(distance_m(gap.to, place(300, 200)) < 0.2);
    // Nobody's address, e-mail or id.
    let said = serde_json::to_string(&page).unwrap();
    assert!(!said.contains('@') && !said.contains("0000-"), "{said}");
}

#[test]
fn a_report_says_whether_it_is_of_a_walk_a_visit_or_a_day() {
    let sitter = Sitter::new(
        Id::of(500),
        "Mara".to_owned(),
        "mara@example.com".to_owned(),
        "UTC".to_owned(),
        Instant(0),
    );
    for (kind, title) in [
        (ReportKind::Walk, "A walk with Miso"),
        (ReportKind::Visit, "A visit with Miso"),
        (ReportKind::Day, "A day with Miso"),
    ] {
        let shared = walk(vec![event(WalkEventKind::Fed, 3, "half a cup")]);
        let command = Command::ShareWalk(ShareWalk {
            id: WALK,
            walk: SharedWalk {
                distance_m: 0,
                ..shared
            },
            reports: vec![kim()],
            kind,
        });
        let decision = decide(&command, &business(), &ctx()).unwrap();
        let report = reports(&decision)[0];
        assert_eq!(report.kind, kind);
        let page = page(report, &sitter, &TimeZone::UTC);
        assert_eq!((page.title.as_str(), page.kind), (title, kind));
        assert_eq!((page.distance, page.map), (None, None));
        assert_eq!(page.events[0].text, "half a cup");
    }
}

#[test]
fn a_feeding_goes_to_all_whose_pets_it_was_and_words_to_nobody_by_themselves() {
    let along = [
        ClientAlong {
            client_id: DANA,
            dog_ids: vec![REX],
        },
        ClientAlong {
            client_id: KIM,
            dog_ids: vec![MISO],
        },
    ];
    let fed = audience(WalkEventKind::Fed, "", &[], &along);
    assert_eq!(fed.shown, [DANA, KIM]);
    assert_eq!(audience(WalkEventKind::Fed, "", &[MISO], &along).may, [KIM]);
    assert!(
        audience(WalkEventKind::Medication, "Miso's pill", &[], &along)
            .shown
            .is_empty()
    );
}

/// A service of half an hour at Dana's, on the day of the walk.
fn service(number: u128, change: impl FnOnce(&mut Service)) -> Service {
    let mut service = Service {
        client_id: DANA,
        date: day(20),
        status: ServiceStatus::Completed,
        ..Service::new(Id::of(number), Instant(0))
    };
    change(&mut service);
    service
}

/// In the walk's month.
fn day(day: u32) -> Date {
    format!("2026-11-{day}").parse().unwrap()
}

#[test]
fn a_report_names_the_services_of_its_walk_that_are_of_its_client_and_there() {
    let mut business = business();
    let own = service(401, |_| ());
    let others = service(402, |it| it.client_id = KIM);
    for it in [&own, &others] {
        business.put(1, Row::Service(it.clone()));
    }
    let mut asked = dana();
    asked.service_ids = vec![own.id, others.id, Id::of(403)];
    let decision = share(&business, walk(vec![]), &[asked]).unwrap();
    assert_eq!(reports(&decision)[0].service_ids, [own.id]);
}

#[test]
fn a_report_tells_of_the_services_that_it_names_and_of_no_others() {
    let mut business = business();
    let walked = service(401, |it| it.status = ServiceStatus::Scheduled);
    let same_day = service(402, |_| ());
    business.put(1, Row::Service(walked.clone()));
    let mut asked = dana();
    asked.service_ids = vec![walked.id];
    let decision = share(&business, walk(vec![]), &[asked]).unwrap();
    let report = reports(&decision)[0];
    assert!(tells_of(report, &walked, day(20)));
    assert!(!tells_of(report, &same_day, day(20)));
}

#[test]
fn a_report_that_names_no_service_tells_of_what_was_done_on_its_day() {
    let decision = share(&business(), walk(vec![]), &[dana()]).unwrap();
    let report = reports(&decision)[0];
    let tells = |change: fn(&mut Service)| tells_of(report, &service(401, change), day(20));
    assert!(tells(|_| ()));
    assert!(!tells(|it| it.status = ServiceStatus::Scheduled));
    assert!(!tells(|it| it.status = ServiceStatus::Cancelled));
    assert!(!tells(|it| it.date = day(19)));
    // A stay has those of all its days.
    let stay = |it: &mut Service| (it.date, it.end_date) = (day(19), Some(day(22)));
    assert!(tells(stay));
    let cancelled = service(401, |it| {
        stay(it);
        it.status = ServiceStatus::Cancelled;
    });
    assert!(!tells_of(report, &cancelled, day(20)));
}
