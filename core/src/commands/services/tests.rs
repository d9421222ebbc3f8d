//! Several services at once: what can be done is done, what cannot stays and is told, and all of it comes back by one undo.

use std::collections::BTreeSet;

use super::*;
use crate::commands::decision::Need;
use crate::commands::{UpdateService, decide};
use crate::rows::blocked_time::BlockedTime;
use crate::rows::business::FieldChange;
use crate::rows::client::Client;
use crate::rows::pet::Pet;
use crate::rows::service::{LiveEvent, PriceBreakdown, PriceOverride, Progress, ProgressStep};
use crate::rows::sitter::Sitter;
use crate::rows::subscription::Subscription;
use crate::screens::services::{copy_sources, moves_by, preview, recipients, times, undo};
use crate::values::patch::Patch;
use crate::values::walk_event::WalkEventKind;
use crate::values::zone::TimeZone;
use crate::{Cents, Command, Instant, Now};

/// 9:00 UTC on 2026-11-20, a Friday.
const NOW: Instant = Instant(1_795_165_200_000);

fn now() -> Now {
    Now {
        at: NOW,
        zone: TimeZone::UTC,
    }
}

fn date(text: &str) -> Date {
    text.parse().unwrap()
}

fn at(text: &str) -> Time {
    text.parse().unwrap()
}

/// A client with a dog.
fn business() -> Business {
    let mut business = Business::default();
    let mut client = Client::new(Id::of(1), NOW);
    client.name = "Dana".to_owned();
    client.address = "1 Elm St".to_owned();
    business.put(1, Row::Client(client));
    let mut pet = Pet::new(Id::of(11), Id::of(1));
    pet.name = "Rex".to_owned();
    business.put(1, Row::Pet(pet));
    business
}

fn visit(id: u128, day: &str, start: &str) -> Service {
    Service {
        client_id: Id::of(1),
        client_name: "Dana".to_owned(),
        dog_ids: vec![Id::of(11)],
        dogs: vec!["Rex".to_owned()],
        date: date(day),
        start_time: at(start),
        ..Service::new(Id::of(id), NOW)
    }
}

fn with(visits: &[Service]) -> Business {
    let mut business = business();
    for visit in visits {
        business.put(1, Row::Service(visit.clone()));
    }
    business
}

fn run(business: &Business, command: impl Into<Command>) -> Result<Decision, Refusal> {
    decide(&command.into(), business, &Context::at(now()))
}

/// Moves services to a start that is so many minutes later.
fn moved_by(business: &Business, ids: &[u128], minutes: i64) -> MoveServices {
    let ids: Vec<Id> = ids.iter().map(|it| Id::of(*it)).collect();
    MoveServices {
        moves: moves_by(business, &ids, minutes),
        brings_back: false,
    }
}

fn left(decision: &Decision) -> Vec<(u128, LeftAloneWhy)> {
    let left = decision.adjustments.iter().flat_map(|it| match it {
        Adjustment::LeftAlone { services, .. } => services.clone(),
        _ => Vec::new(),
    });
    left.map(|it| {
        let n = (0..10_000).find(|n| Id::of(*n) == it.id).unwrap();
        (n, it.why)
    })
    .collect()
}

fn times_of(decision: &Decision) -> Vec<(Id, String)> {
    let services = written(&decision.changes);
    services
        .map(|it| (it.id, format!("{} {}", it.date, it.start_time)))
        .collect()
}

#[test]
fn visits_that_follow_each_other_move_together() {
    let business = with(&[
        visit(100, "2026-11-24", "09:00"),
        visit(101, "2026-11-24", "09:30"),
        visit(102, "2026-11-24", "23:45"),
    ]);
    let done = run(&business, moved_by(&business, &[100, 101, 102], 30)).unwrap();
    let expected = [
        (Id::of(100), "2026-11-24 09:30".to_owned()),
        (Id::of(101), "2026-11-24 10:00".to_owned()),
        (Id::of(102), "2026-11-25 00:15".to_owned()),
    ];
    assert_eq!(times_of(&done), expected);
    assert_eq!(done.adjustments, []);
}

#[test]
fn a_visit_that_cannot_move_keeps_the_next_one_from_its_place() {
    let business = with(&[
        visit(100, "2026-11-24", "09:00"),
        visit(101, "2026-11-24", "09:30"),
        visit(102, "2026-11-24", "10:00"),
    ]);
    // The last one is in the way of the second, which is then in the way of the first.
    let done = run(&business, moved_by(&business, &[100, 101], 30)).unwrap();
    assert_eq!(done.changes, []);
    let mut stay = left(&done);
    stay.sort();
    assert_eq!(
        stay,
        [(100, LeftAloneWhy::Taken), (101, LeftAloneWhy::Taken)]
    );
}

#[test]
fn what_cannot_be_changed_any_more_is_left_alone_and_told() {
    let progress = Progress::new(ProgressStep::Started, NOW);
    let day = "2026-11-24";
    let visits = [
        visit(100, day, "09:00"),
        Service {
            status: ServiceStatus::Completed,
            ..visit(101, day, "10:00")
        },
        Service {
            status: ServiceStatus::Cancelled,
            ..visit(102, day, "11:00")
        },
        Service {
            progress: Some(progress),
            ..visit(103, day, "12:00")
        },
        Service {
            invoice_id: Some(Id::of(9)),
            ..visit(104, day, "13:00")
        },
        Service {
            paid: true,
            ..visit(105, day, "14:00")
        },
        Service {
            end_date: Some(date(day)),
            ..visit(106, day, "15:00")
        },
    ];
    let business = with(&visits);
    let mut asked = moved_by(&business, &[100, 101, 102, 103, 104, 105, 106], 24 * 60);
    asked.moves.push(ServiceMove {
        id: Id::of(107),
        ..asked.moves[0].clone()
    });
    let done = run(&business, asked.clone()).unwrap();
    assert_eq!(
        times_of(&done),
        [(Id::of(100), "2026-11-25 09:00".to_owned())]
    );
    let expected = [
        (101, LeftAloneWhy::Completed),
        (102, LeftAloneWhy::Cancelled),
        (103, LeftAloneWhy::UnderWay),
        (104, LeftAloneWhy::Invoiced),
        (105, LeftAloneWhy::Paid),
        (106, LeftAloneWhy::Stay),
        (107, LeftAloneWhy::Gone),
    ];
    assert_eq!(left(&done), expected);
    let off = MarkServices {
        marked: (100..=107).map(Id::of).collect(),
        status: ServiceStatus::Cancelled,
        was: None,
        ..MarkServices::default()
    };
    let off = run(&business, off).unwrap();
    // A stay can be called off like any other, and one that is cancelled is as it is to be.
    let ids: Vec<Id> = written(&off.changes).map(|it| it.id).collect();
    assert_eq!(ids, [Id::of(100), Id::of(106)]);
    assert_eq!(left(&off).len(), 5);
    let shown = preview(&business, &asked.into(), true, &now());
    assert_eq!(shown.preview.effect, "1 visit will move.");
    assert_eq!(shown.count, 1);
    assert_eq!(
        shown.left,
        "7 of 8 visits stay as they are: Rex, Nov 24, 10:00 AM (completed), Rex, Nov 24, 11:00 AM (cancelled), Rex, Nov 24, \
         12:00 PM (under way), Rex, Nov 24, 1:00 PM (on an invoice), Rex, Nov 24, 2:00 PM (paid) and 2 more."
    );
    assert_eq!(shown.told, "Dana is not in the portal and is not told.");
}

#[test]
fn a_visit_that_its_client_sees_something_of_is_under_way() {
    let seen = LiveEvent {
        id: Id::of(9),
        kind: WalkEventKind::Water,
        at: NOW,
        note: String::new(),
        photo: None,
    };
    let business = with(&[
        Service {
            live: vec![seen],
            ..visit(100, "2026-11-24", "09:00")
        },
        visit(101, "2026-11-24", "12:00"),
    ]);
    let done = run(&business, moved_by(&business, &[100, 101], 24 * 60)).unwrap();
    assert_eq!(
        times_of(&done),
        [(Id::of(101), "2026-11-25 12:00".to_owned())]
    );
    assert_eq!(left(&done), [(100, LeftAloneWhy::UnderWay)]);
}

#[test]
fn a_visit_that_somebody_moved_since_is_left_where_it_is() {
    let mut business = with(&[visit(100, "2026-11-24", "09:00")]);
    let asked = moved_by(&business, &[100], 30);
    business.put(2, Row::Service(visit(100, "2026-11-26", "15:00")));
    let done = run(&business, asked.clone()).unwrap();
    assert_eq!(left(&done), [(100, LeftAloneWhy::Changed)]);
    // One that is there already is as it is to be.
    business.put(2, Row::Service(visit(100, "2026-11-24", "09:30")));
    assert_eq!(run(&business, asked).unwrap(), Decision::default());
}

#[test]
fn a_taken_time_is_booked_all_the_same_only_where_the_person_says_so() {
    let business = with(&[
        visit(100, "2026-11-24", "09:00"),
        visit(101, "2026-11-25", "09:00"),
    ]);
    let mut asked = moved_by(&business, &[100], 24 * 60);
    let shown = preview(&business, &asked.clone().into(), true, &now());
    assert_eq!((shown.count, shown.preview.taken), (0, 1));
    assert_eq!(shown.preview.dates[0].obstacles.len(), 1);
    assert!(!shown.preview.dates[0].free.is_empty());
    asked.moves[0].overlap_ok = true;
    let done = run(&business, asked).unwrap();
    assert!(written(&done.changes).all(|it| it.overlap_ok && it.date == date("2026-11-25")));
}

#[test]
fn of_two_cancelled_visits_at_one_time_one_comes_back_unless_that_was_agreed() {
    let reopened = |overlap_ok| {
        let off = |id, start| Service {
            status: ServiceStatus::Cancelled,
            cancelled_at: Some(now().at),
            ..visit(id, "2026-11-24", start)
        };
        let second = Service {
            overlap_ok,
            ..off(101, "09:15")
        };
        // The one that was agreed to comes first by its id.
        let business = with(&[second, off(102, "09:00")]);
        let back = MarkServices {
            marked: vec![Id::of(101), Id::of(102)],
            status: ServiceStatus::Scheduled,
            ..MarkServices::default()
        };
        let done = run(&business, back).unwrap();
        written(&done.changes).count()
    };
    assert_eq!((reopened(false), reopened(true)), (1, 2));
}

#[test]
fn one_undo_takes_each_act_back() {
    let before = with(&[
        visit(100, "2026-11-24", "09:00"),
        visit(101, "2026-11-24", "09:30"),
    ]);
    let mark = |status| MarkServices {
        marked: vec![Id::of(100), Id::of(101)],
        status,
        was: None,
        reason: "Flu".to_owned(),
        tells_reason: true,
    };
    let copies = CopyServices {
        copies: vec![ServiceCopy {
            id: Id::of(200),
            original: Id::of(100),
            date: date("2026-12-01"),
            start_time: at("09:00"),
            overlap_ok: false,
        }],
    };
    let acts: [Command; 4] = [
        moved_by(&before, &[100, 101], 30).into(),
        mark(ServiceStatus::Cancelled).into(),
        mark(ServiceStatus::Completed).into(),
        copies.into(),
    ];
    for act in acts {
        let undo = undo(&before, &act, &now()).unwrap();
        let mut business = before.clone();
        let done = run(&business, act.clone()).unwrap();
        assert!(!done.changes.is_empty(), "{act:?}");
        business.apply(2, &done.changes);
        // A repeat changes nothing, but of copies, whose ids are taken.
        match run(&business, act.clone()) {
            Ok(again) => assert_eq!(again.changes, [], "{act:?}"),
            Err(refusal) => assert_eq!(refusal, Refusal::Taken, "{act:?}"),
        }
        let undone = run(&business, undo).unwrap();
        assert_eq!(undone.adjustments, [], "{act:?}");
        business.apply(3, &undone.changes);
        let services = |business: &Business| -> Vec<Service> {
            let all = business
                .services
                .between(date("2026-11-01"), date("2026-12-31"));
            all.cloned().collect()
        };
        assert_eq!(services(&business), services(&before), "{act:?}");
    }
}

#[test]
fn a_visit_of_a_day_that_is_over_moves_to_one_to_come_and_back_but_not_to_another_past_one() {
    let mut business = with(&[visit(100, "2026-11-19", "09:00")]);
    let earlier = run(&business, moved_by(&business, &[100], -24 * 60)).unwrap();
    assert_eq!(left(&earlier), [(100, LeftAloneWhy::Past)]);
    let later_that_day = run(&business, moved_by(&business, &[100], 30)).unwrap();
    assert_eq!(times_of(&later_that_day)[0].1, "2026-11-19 09:30");
    let act = Command::from(moved_by(&business, &[100], 24 * 60));
    let undo = undo(&business, &act, &now()).unwrap();
    let done = run(&business, act).unwrap();
    assert_eq!(times_of(&done)[0].1, "2026-11-20 09:00");
    business.apply(2, &done.changes);
    let undone = run(&business, undo).unwrap();
    assert_eq!(times_of(&undone)[0].1, "2026-11-19 09:00");
}

#[test]
fn the_undo_of_a_cancellation_leaves_what_was_completed_since() {
    let mut business = with(&[
        Service {
            status: ServiceStatus::Completed,
            completed_at: Some(NOW),
            ..visit(100, "2026-11-24", "09:00")
        },
        Service {
            status: ServiceStatus::Cancelled,
            cancelled_at: Some(NOW),
            ..visit(101, "2026-11-24", "10:00")
        },
        Service {
            status: ServiceStatus::Cancelled,
            cancelled_at: Some(NOW),
            ..visit(102, "2026-11-24", "11:00")
        },
    ]);
    // Its time has been given to another since.
    business.put(2, Row::Service(visit(103, "2026-11-24", "11:00")));
    let undo = MarkServices {
        marked: (100..103).map(Id::of).collect(),
        status: ServiceStatus::Scheduled,
        was: Some(ServiceStatus::Cancelled),
        ..MarkServices::default()
    };
    let done = run(&business, undo).unwrap();
    let back: Vec<Id> = written(&done.changes).map(|it| it.id).collect();
    assert_eq!(back, [Id::of(101)]);
    let expected = [(100, LeftAloneWhy::Changed), (102, LeftAloneWhy::Taken)];
    assert_eq!(left(&done), expected);
}

#[test]
fn a_copy_is_a_single_service_at_todays_rates_without_the_words_of_that_day() {
    let agreed = PriceOverride {
        amount: Cents(100),
        reason: "Friend".to_owned(),
        tells_reason: false,
    };
    let original = Service {
        status: ServiceStatus::Completed,
        notes: "Back door".to_owned(),
        internal_notes: "Pulls".to_owned(),
        completion_notes: "Saw a fox".to_owned(),
        paid: true,
        price: Cents(100),
        price_override: Some(agreed),
        series_id: Some(Id::of(5)),
        series_slot: Some(Id::of(6)),
        series_date: Some(date("2026-11-17")),
        overlap_ok: true,
        ..visit(100, "2026-11-17", "09:00")
    };
    let mut business = with(&[original]);
    let mut client = business.client(Id::of(1)).unwrap().clone();
    client.walk_rate_30min = Cents(2600);
    business.put(2, Row::Client(client));
    let copy = CopyServices {
        copies: vec![ServiceCopy {
            id: Id::of(200),
            original: Id::of(100),
            date: date("2026-11-24"),
            start_time: at("09:00"),
            overlap_ok: false,
        }],
    };
    let done = run(&business, copy.clone()).unwrap();
    let made: Vec<&Service> = written(&done.changes).collect();
    let [made] = made.as_slice() else {
        panic!("{made:?}")
    };
    assert_eq!(made.price, Cents(2600));
    assert_eq!(
        (made.notes.as_str(), made.internal_notes.as_str()),
        ("Back door", "Pulls")
    );
    assert_eq!(made.completion_notes, "");
    assert_eq!(made.status, ServiceStatus::Scheduled);
    assert!(made.occurrence().is_none() && made.price_override.is_none());
    assert!(!made.paid && !made.overlap_ok);
    let shown = preview(&business, &copy.into(), true, &now());
    assert_eq!(
        shown.preview.effect,
        "1 visit will be booked. 1 visit has an agreed price, which is not copied: the copy has your rates."
    );
    assert_eq!(shown.preview.total, Cents(2600));
}

#[test]
fn cancelled_visits_and_stays_are_not_copied_and_the_preview_says_so() {
    let business = with(&[
        visit(100, "2026-11-16", "09:00"),
        Service {
            status: ServiceStatus::Cancelled,
            ..visit(101, "2026-11-17", "09:00")
        },
        Service {
            end_date: Some(date("2026-11-20")),
            ..visit(102, "2026-11-18", "09:00")
        },
    ]);
    let sources = copy_sources(&business, date("2026-11-15"), date("2026-11-21"));
    let ids: Vec<Id> = sources.services.iter().map(|it| it.id).collect();
    assert_eq!(ids, [Id::of(100)]);
    assert_eq!(
        sources.left,
        "1 stay is not copied. 1 cancelled visit is not copied."
    );
}

#[test]
fn a_copy_keeps_the_window_of_its_visit_and_one_that_is_not_made_is_named_by_its_own_day() {
    let original = Service {
        window_from: Some(at("09:00")),
        window_to: Some(at("11:00")),
        ..visit(100, "2026-11-17", "09:30")
    };
    let mut business = with(&[original, visit(101, "2026-12-02", "09:30")]);
    let copy = |n, day: &str, start: &str| ServiceCopy {
        id: Id::of(n),
        original: Id::of(100),
        date: date(day),
        start_time: at(start),
        overlap_ok: false,
    };
    let copies = CopyServices {
        copies: vec![
            copy(200, "2026-12-01", "10:00"),
            copy(201, "2026-12-02", "09:30"),
            copy(202, "2026-12-03", "15:00"),
        ],
    };
    let done = run(&business, copies).unwrap();
    let windows: Vec<_> = written(&done.changes).map(|it| it.window()).collect();
    assert_eq!(windows, [Some((at("09:00"), at("11:00"))), None]);
    business.apply(2, &done.changes);
    let Some(Adjustment::LeftAlone { services, of }) = done.adjustments.first() else {
        panic!("{:?}", done.adjustments);
    };
    let dogs = &business.service(Id::of(100)).unwrap().dogs;
    assert_eq!(
        crate::sync::attention::left_alone(&business, services, *of),
        format!(
            "1 of 3 visits was not copied: {}, Dec 2, 9:30 AM (the time is taken).",
            crate::values::format::names(dogs)
        )
    );
}

#[test]
fn copies_beyond_the_plan_wait_and_say_why() {
    let mut business = with(&[visit(100, "2026-11-17", "09:00")]);
    let sitter = Sitter::new(Id::of(1), String::new(), String::new(), String::new(), NOW);
    business.put(
        1,
        Row::Sitter(Sitter {
            subscription: Some(Subscription::free()),
            ..sitter
        }),
    );
    let copies = (0..40).map(|n| ServiceCopy {
        id: Id::of(1000 + n),
        original: Id::of(100),
        date: date("2026-12-01").plus_days(n as i64 % 28),
        start_time: at(if n < 28 { "09:00" } else { "12:00" }),
        overlap_ok: false,
    });
    let copies = CopyServices {
        copies: copies.collect(),
    };
    let done = run(&business, copies.clone()).unwrap();
    let most = done.changes.len();
    assert!(0 < most && most < 40, "{most}");
    assert!(left(&done).iter().all(|it| it.1 == LeftAloneWhy::Full));
    let shown = preview(&business, &copies.into(), true, &now());
    assert_eq!(shown.preview.taken as usize, 40 - most);
    let problems = shown.preview.dates.iter().filter(|it| it.problem.is_some());
    assert_eq!(problems.count(), 40 - most);
}

#[test]
fn a_copy_that_was_changed_since_is_not_removed_by_the_undo() {
    let mut business = with(&[
        visit(200, "2026-12-01", "09:00"),
        visit(201, "2026-12-02", "09:00"),
    ]);
    business.field_changes = vec![crate::rows::business::FieldChange {
        key: key(Id::of(201)),
        field: "notes".to_owned(),
        value: "Bring a towel".into(),
        by: None,
        at: NOW,
        added: Vec::new(),
    }];
    let undo = UndoCopy {
        copied: vec![Id::of(200), Id::of(201), Id::of(202)],
    };
    let done = run(&business, undo).unwrap();
    assert_eq!(done.changes, [removal(TableName::Service, Id::of(200))]);
    assert_eq!(left(&done), [(201, LeftAloneWhy::Changed)]);
}

#[test]
fn nothing_is_copied_under_an_id_that_is_taken() {
    let business = with(&[visit(100, "2026-11-24", "09:00")]);
    let copy = |id| ServiceCopy {
        id: Id::of(id),
        original: Id::of(100),
        date: date("2026-12-01"),
        start_time: at("09:00"),
        overlap_ok: false,
    };
    for copies in [vec![copy(100)], vec![copy(200), copy(200)]] {
        assert_eq!(
            run(&business, CopyServices { copies }).unwrap_err(),
            Refusal::Taken
        );
    }
}

#[test]
fn a_command_takes_as_many_services_as_a_year_has_days_and_no_more() {
    let marks = |n: u128| MarkServices {
        marked: (0..n).map(Id::of).collect(),
        status: ServiceStatus::Completed,
        was: None,
        ..MarkServices::default()
    };
    let most = bounds::SERVICES_AT_ONCE as u128;
    run(&business(), marks(most)).unwrap();
    let refused = run(&business(), marks(most + 1)).unwrap_err();
    assert_eq!(refused.to_string(), "Marked cannot exceed 366");
}

/// A server knows no rows but those that a command needs.
#[test]
fn a_server_that_loads_what_is_needed_decides_as_a_phone_does() {
    let mut business = with(&[
        visit(100, "2026-11-24", "09:00"),
        visit(101, "2026-11-25", "09:00"),
        visit(102, "2026-12-01", "09:00"),
        Service {
            status: ServiceStatus::Cancelled,
            cancelled_at: Some(NOW),
            ..visit(103, "2026-11-25", "09:00")
        },
    ]);
    let block = BlockedTime::new(Id::of(50), date("2026-11-26"));
    business.put(1, Row::BlockedTime(block));
    let copy = |id, day: &str| ServiceCopy {
        id: Id::of(id),
        original: Id::of(100),
        date: date(day),
        start_time: at("09:00"),
        overlap_ok: false,
    };
    let commands: [Command; 3] = [
        moved_by(&business, &[100, 102], 24 * 60).into(),
        MarkServices {
            marked: vec![Id::of(103)],
            status: ServiceStatus::Scheduled,
            was: Some(ServiceStatus::Cancelled),
            ..MarkServices::default()
        }
        .into(),
        CopyServices {
            copies: vec![
                copy(200, "2026-11-26"),
                copy(201, "2026-12-01"),
                copy(202, "2026-12-09"),
            ],
        }
        .into(),
    ];
    for command in commands {
        let known = loaded(&command, &business);
        let ctx = Context::at(now());
        assert_eq!(
            decide(&command, &known, &ctx),
            decide(&command, &business, &ctx),
            "{command:?}"
        );
    }
}

/// The rows of a business that a command needs.
fn loaded(command: &Command, all: &Business) -> Business {
    let ctx = Context::at(now());
    let (mut known, mut needs) = (Business::default(), BTreeSet::new());
    loop {
        let mut fresh = command.needs(&known, &ctx);
        fresh.retain(|it| needs.insert(it.clone()));
        if fresh.is_empty() {
            return known;
        }
        for need in fresh {
            let mut put = |row: Row| known.put(1, row);
            match need {
                Need::Rows(table, ids) => {
                    for id in ids {
                        if let Some(it) = all.get(RowKey { table, id }) {
                            put(it.row);
                        }
                    }
                }
                Need::PetsOfAny(clients) => {
                    let pets = all.pets.values().map(|it| it.row.clone());
                    pets.filter(|it| clients.contains(&it.client_id))
                        .for_each(|it| put(Row::Pet(it)));
                }
                Need::ServicesBetween(first, last) => {
                    let services = all.services.between(first, last).cloned();
                    services.for_each(|it| put(Row::Service(it)));
                }
                Need::Table(TableName::BlockedTime) => {
                    let blocks = all.blocked_times.values().map(|it| it.row.clone());
                    blocks.for_each(|it| put(Row::BlockedTime(it)));
                }
                Need::Table(TableName::Pattern | TableName::Sitter) => {}
                other => panic!("{other:?}"),
            }
        }
    }
}

#[test]
fn each_client_is_written_to_once_and_those_without_a_login_by_the_sitter() {
    let mut business = with(&[
        visit(100, "2026-11-24", "09:00"),
        visit(101, "2026-11-25", "09:00"),
        Service {
            client_id: Id::of(2),
            ..visit(102, "2026-11-25", "10:00")
        },
    ]);
    let mut other = Client::new(Id::of(2), NOW);
    other.name = "Amir".to_owned();
    other.client_user_id = Some(Id::of(92));
    business.put(1, Row::Client(other));
    let ids: Vec<Id> = [102, 100, 101].map(Id::of).to_vec();
    let found = recipients(&business, &ids);
    let found: Vec<(&str, bool)> = found
        .iter()
        .map(|it| (it.name.as_str(), it.has_messages))
        .collect();
    assert_eq!(found, [("Amir", true), ("Dana", false)]);
    assert_eq!(times(&business, &ids)[0].id, Id::of(100));
    let off = MarkServices {
        marked: ids,
        status: ServiceStatus::Cancelled,
        was: None,
        ..MarkServices::default()
    };
    business.reach.notified.push(Id::of(2));
    assert_eq!(
        preview(&business, &off.into(), false, &now()).told,
        "Amir is notified once this is sent. Dana is not in the portal and is not told."
    );
}

#[test]
fn a_visit_that_moves_out_of_its_agreed_window_has_none_and_one_within_it_keeps_it() {
    let agreed = Service {
        window_from: Some(at("09:00")),
        window_to: Some(at("10:00")),
        ..visit(100, "2026-11-24", "09:00")
    };
    let business = with(&[agreed]);
    let window = |minutes: i64| {
        let done = run(&business, moved_by(&business, &[100], minutes)).unwrap();
        written(&done.changes).next().unwrap().window()
    };
    assert_eq!(window(60), Some((at("09:00"), at("10:00"))));
    assert_eq!(window(75), None);
}

#[test]
fn the_undo_of_a_move_gives_an_agreed_window_back_unless_another_was_agreed_since() {
    let agreed = Service {
        window_from: Some(at("09:00")),
        window_to: Some(at("10:00")),
        ..visit(100, "2026-11-24", "09:00")
    };
    let mut business = with(std::slice::from_ref(&agreed));
    let there: Command = moved_by(&business, &[100], 24 * 60 + 120).into();
    let back = undo(&business, &there, &now()).unwrap();
    let before = business.service(Id::of(100)).cloned();
    business.apply(2, &run(&business, there).unwrap().changes);
    assert_eq!(business.service(Id::of(100)).unwrap().window(), None);
    let mut undone = business.clone();
    undone.apply(3, &run(&undone, back.clone()).unwrap().changes);
    assert_eq!(undone.service(Id::of(100)).cloned(), before);
    let since = Service {
        window_from: Some(at("08:00")),
        window_to: Some(at("12:00")),
        ..business.service(Id::of(100)).unwrap().clone()
    };
    business.put(3, Row::Service(since));
    let done = run(&business, back).unwrap();
    let window = written(&done.changes).next().unwrap().window();
    assert_eq!(window, Some((at("08:00"), at("12:00"))));
}

#[test]
fn the_undo_of_a_change_gives_the_former_price_back_unless_somebody_has_changed_it_since() {
    let former = PriceBreakdown::agreed(Cents(1_234), 1);
    let before = Service {
        price: former.total,
        pricing_breakdown: former.clone(),
        ..visit(100, "2026-11-24", "09:00")
    };
    let mut business = with(std::slice::from_ref(&before));
    let lasts = |minutes: u32, former_price| UpdateService {
        id: before.id,
        changes: Patch::of("duration_minutes", minutes),
        overlap_ok: false,
        former_price,
    };
    let longer = run(&business, lasts(60, None)).unwrap();
    business.apply(2, &longer.changes);
    assert_ne!(business.service(before.id).unwrap().price, former.total);
    let back = lasts(before.duration_minutes, Some(former));
    let done = run(&business, back.clone()).unwrap();
    assert_eq!(written(&done.changes).collect::<Vec<_>>(), [&before]);
    business.field_changes.push(FieldChange {
        key: key(before.id),
        field: "dog_ids".to_owned(),
        value: serde_json::json!([]),
        by: None,
        at: NOW,
        added: Vec::new(),
    });
    let done = run(&business, back).unwrap();
    assert_ne!(written(&done.changes).next().unwrap().price, before.price);
    let wrong = lasts(30, Some(PriceBreakdown::agreed(Cents(-1), 1)));
    assert_eq!(run(&business, wrong).unwrap_err().code(), "invalid");
}

#[test]
fn a_copy_takes_the_pets_that_are_with_us_on_its_day_and_none_is_made_without_any() {
    let both = Service {
        dog_ids: vec![Id::of(11), Id::of(12)],
        ..visit(100, "2026-11-24", "09:00")
    };
    let mut business = with(&[both, visit(101, "2026-11-24", "12:00")]);
    let gone = Pet {
        gone_on: Some(date("2026-12-02")),
        ..business.pet(Id::of(11)).unwrap().clone()
    };
    business.put(2, Row::Pet(gone));
    business.put(2, Row::Pet(Pet::new(Id::of(12), Id::of(1))));
    let copy = |id, original, day: &str, start: &str| ServiceCopy {
        id: Id::of(id),
        original: Id::of(original),
        date: date(day),
        start_time: at(start),
        overlap_ok: false,
    };
    let copies = vec![
        copy(200, 100, "2026-12-01", "09:00"),
        copy(201, 100, "2026-12-02", "09:00"),
        copy(202, 101, "2026-12-02", "12:00"),
    ];
    let done = run(&business, CopyServices { copies }).unwrap();
    let pets: Vec<&[Id]> = written(&done.changes)
        .map(|it| it.dog_ids.as_slice())
        .collect();
    assert_eq!(pets, [&[Id::of(11), Id::of(12)][..], &[Id::of(12)][..]]);
    assert_eq!(left(&done), [(101, LeftAloneWhy::NoPets)]);
}

#[test]
fn a_server_knows_what_is_in_the_way_on_a_day_that_is_over() {
    let business = with(&[
        visit(100, "2026-11-21", "09:00"),
        visit(101, "2026-11-22", "09:00"),
        visit(102, "2026-11-16", "09:00"),
        Service {
            status: ServiceStatus::Cancelled,
            cancelled_at: Some(NOW),
            ..visit(103, "2026-11-16", "09:15")
        },
    ]);
    let back = |id, was: &str, start: &str| ServiceMove {
        id: Id::of(id),
        date: date("2026-11-16"),
        start_time: at(start),
        was_date: date(was),
        was_start_time: at("09:00"),
        overlap_ok: false,
        window: None,
    };
    let moves = vec![
        back(100, "2026-11-21", "09:00"),
        back(101, "2026-11-22", "12:00"),
    ];
    let commands: [(Command, usize, u128); 2] = [
        (
            MoveServices {
                moves,
                brings_back: true,
            }
            .into(),
            1,
            100,
        ),
        (
            MarkServices {
                marked: vec![Id::of(103)],
                status: ServiceStatus::Scheduled,
                was: Some(ServiceStatus::Cancelled),
                ..MarkServices::default()
            }
            .into(),
            0,
            103,
        ),
    ];
    let ctx = Context::at(now());
    for (command, n_done, in_the_way) in commands {
        let known = crate::commands::series::loaded(&command, &business, &ctx);
        let done = decide(&command, &known, &ctx).unwrap();
        assert_eq!(done, decide(&command, &business, &ctx).unwrap());
        assert_eq!(done.changes.len(), n_done, "{command:?}");
        assert_eq!(left(&done), [(in_the_way, LeftAloneWhy::Taken)]);
    }
}

/// With a second client, who has a cat.
fn with_another_client(visits: &[Service]) -> Business {
    let mut business = with(visits);
    business.put(1, Row::Client(Client::new(Id::of(2), NOW)));
    let mut pet = Pet::new(Id::of(12), Id::of(2));
    pet.name = "Misse".to_owned();
    business.put(1, Row::Pet(pet));
    business
}

fn given_to_another_client(business: &Business, id: u128) -> Result<Decision, Refusal> {
    let changes = serde_json::json!({ "client_id": Id::of(2), "dog_ids": [Id::of(12)] });
    let command = UpdateService {
        id: Id::of(id),
        changes: serde_json::from_value(changes).unwrap(),
        overlap_ok: false,
        former_price: None,
    };
    run(business, Command::UpdateService(command))
}

#[test]
fn a_visit_on_an_invoice_paid_or_of_a_series_stays_with_its_client() {
    let free = visit(20, "2026-11-23", "10:00");
    let invoiced = Service {
        invoice_id: Some(Id::of(50)),
        ..visit(21, "2026-11-24", "10:00")
    };
    let paid = Service {
        paid: true,
        ..visit(22, "2026-11-25", "10:00")
    };
    let of_series = Service {
        series_id: Some(Id::of(60)),
        ..visit(23, "2026-11-26", "10:00")
    };
    let business = with_another_client(&[free, invoiced, paid, of_series]);
    let decision = given_to_another_client(&business, 20).unwrap();
    let after = written(&decision.changes).next().unwrap();
    assert_eq!(after.client_id, Id::of(2));
    for (id, why) in [
        (21, "on an invoice"),
        (22, "paid"),
        (23, "a series or a trip"),
    ] {
        let Err(Refusal::Invalid { fields }) = given_to_another_client(&business, id) else {
            panic!("{id} was given away");
        };
        assert_eq!(fields[0].field, "client_id");
        assert!(fields[0].text.contains(why), "{fields:?}");
    }
}

#[test]
fn an_invoice_is_not_restored_for_a_visit_that_was_given_to_another_client() {
    let business = with_another_client(&[visit(20, "2026-11-23", "10:00")]);
    let share = crate::commands::ShareInvoice {
        id: Id::of(50),
        client_id: Some(Id::of(1)),
        services: vec![Id::of(20)],
        ..crate::commands::ShareInvoice::default()
    };
    let mut business = after(business, share);
    business = after(business, crate::commands::DeleteInvoice { id: Id::of(50) });
    let decision = given_to_another_client(&business, 20).unwrap();
    business.apply(2, &decision.changes);
    let restored = run(
        &business,
        crate::commands::RestoreInvoice { id: Id::of(50) },
    );
    assert_eq!(restored, Err(Refusal::AlreadyInvoiced));
}

fn after(mut business: Business, command: impl Into<Command>) -> Business {
    let decision = run(&business, command).unwrap();
    business.apply(2, &decision.changes);
    business
}
