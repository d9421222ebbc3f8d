//! Time off against what each visit, each client and each later phone makes of it.

use std::collections::BTreeSet;

use super::*;
use crate::commands::decide;
use crate::rows::blocked_time::Recurrence;
use crate::rows::business::FieldChange;
use crate::rows::client::Client;
use crate::rows::pet::Pet;
use crate::rows::service::{Progress, ProgressStep};
use crate::values::zone::TimeZone;
use crate::{Command, Now, Row};
use serde_json::json;

/// 9:00 UTC on 2026-11-20.
const NOW: Instant = Instant(1_795_165_200_000);

fn ctx() -> Context {
    Context::at(Now {
        at: NOW,
        zone: TimeZone::UTC,
    })
}

fn day(text: &str) -> Date {
    text.parse().unwrap()
}

fn visit(n: u128, client: u128, date: &str, hour: u16) -> Service {
    Service {
        client_id: Id::of(client),
        client_name: format!("Client {client}"),
        dog_ids: vec![Id::of(client + 10)],
        date: day(date),
        start_time: Time::hour(hour),
        duration_minutes: 30,
        ..Service::new(Id::of(n), NOW)
    }
}

/// Client 1 is in the portal, client 2 is not; visits 101 and 102 are of the first, 103 of the second.
fn business() -> Business {
    let mut business = Business::default();
    for n in [1, 2] {
        let client = Client {
            name: format!("Client {n}"),
            client_user_id: (n == 1).then_some(Id::of(90)),
            ..Client::new(Id::of(n), NOW)
        };
        business.put(1, Row::Client(client));
        business.put(1, Row::Pet(Pet::new(Id::of(n + 10), Id::of(n))));
    }
    for it in [
        visit(101, 1, "2026-11-30", 12),
        visit(102, 1, "2026-12-01", 12),
        visit(103, 2, "2026-12-01", 15),
        visit(104, 2, "2026-12-04", 15),
    ] {
        business.put(1, Row::Service(it));
    }
    business
}

fn choice(business: &Business, n: u128, way: TimeOffWay) -> TimeOffChoice {
    let service = business.service(Id::of(n)).unwrap();
    TimeOffChoice {
        id: service.id,
        client_id: service.client_id,
        date: service.date,
        start_time: service.start_time,
        way,
        to_date: (way == TimeOffWay::Move).then(|| day("2026-12-03")),
        to_start_time: (way == TimeOffWay::Move).then(|| Time::hour(16)),
    }
}

/// Ill from Nov 30 to Dec 2: the first client's visits are cancelled, the second one's is moved.
fn ill(business: &Business) -> TakeTimeOff {
    let blocked_time = json!({
        "block_date": "2026-11-30", "start_time": "00:00", "end_time": "23:59", "block_type": "sick",
        "is_recurring": true, "recurrence_pattern": "daily", "recurrence_end_date": "2026-12-02",
    });
    let message = |n: u128, content: &str| TimeOffMessage {
        id: Id::of(200 + n),
        client_id: Id::of(n),
        content: content.to_owned(),
    };
    TakeTimeOff {
        id: Id::of(50),
        blocked_time: serde_json::from_value(blocked_time).unwrap(),
        visits: vec![
            choice(business, 101, TimeOffWay::Cancel),
            choice(business, 102, TimeOffWay::Cancel),
            choice(business, 103, TimeOffWay::Move),
        ],
        messages: vec![message(1, "Both are cancelled."), message(2, "It moves.")],
    }
}

fn done(business: &mut Business, command: impl Into<Command>) -> Decision {
    let decision = decide(&command.into(), business, &ctx()).unwrap();
    business.apply(2, &decision.changes);
    decision
}

#[track_caller]
fn leaves(decision: &Decision, left: &[(u128, LeftWhy)], unsent: &[u128]) {
    let told = decision.adjustments.iter().find_map(|it| match it {
        Adjustment::TimeOff { visits, unsent } => Some((visits.clone(), unsent.clone())),
        _ => None,
    });
    let (visits, not_sent) = told.unwrap_or_default();
    let found: BTreeSet<(Id, LeftWhy)> = visits.iter().map(|it| (it.id, it.why)).collect();
    let left: BTreeSet<(Id, LeftWhy)> = left.iter().map(|it| (Id::of(it.0), it.1)).collect();
    assert_eq!(found, left);
    let unsent: Vec<Id> = unsent.iter().map(|it| Id::of(*it)).collect();
    assert_eq!(not_sent, unsent);
}

#[track_caller]
fn stands(business: &Business, n: u128, date: &str, hour: u16, status: ServiceStatus) {
    let service = business.service(Id::of(n)).unwrap();
    assert_eq!(
        (service.date, service.start_time, service.status),
        (day(date), Time::hour(hour), status)
    );
}

#[test]
fn one_command_blocks_the_time_decides_on_the_visits_and_writes_to_their_clients() {
    let mut business = business();
    let command = ill(&business);
    let decision = done(&mut business, command);
    leaves(&decision, &[], &[]);
    stands(&business, 101, "2026-11-30", 12, ServiceStatus::Cancelled);
    stands(&business, 102, "2026-12-01", 12, ServiceStatus::Cancelled);
    stands(&business, 103, "2026-12-03", 16, ServiceStatus::Scheduled);
    let said = business.messages.get(&Id::of(201)).unwrap();
    assert_eq!(said.row.content, "Both are cancelled.");
    // The second client is not in the portal.
    assert!(business.messages.get(&Id::of(202)).is_none());
    let block = &business.blocked_times[&Id::of(50)].row;
    let notes: Vec<(Id, &str)> = block
        .to_pass_on
        .iter()
        .map(|it| (it.client_id, it.content.as_str()))
        .collect();
    assert_eq!(notes, [(Id::of(2), "It moves.")]);
}

#[test]
fn an_undo_brings_back_the_visits_and_frees_the_time() {
    let before = business();
    let mut business = before.clone();
    let command = ill(&business);
    let undo = crate::screens::time_off::undo(&business, &command);
    done(&mut business, command);
    let decision = done(&mut business, undo.clone());
    leaves(&decision, &[], &[]);
    assert!(business.blocked_times.is_empty());
    for n in [101, 102, 103] {
        assert_eq!(business.service(Id::of(n)), before.service(Id::of(n)));
    }
    // What was said stays said.
    assert!(business.messages.get(&Id::of(201)).is_some());
    assert_eq!(decide(&undo, &business, &ctx()), Err(Refusal::Gone));
}

#[test]
fn an_undo_leaves_what_somebody_else_has_changed_since() {
    let mut business = business();
    let command = ill(&business);
    let undo = crate::screens::time_off::undo(&business, &command);
    done(&mut business, command);
    business.put(3, Row::Service(visit(105, 2, "2026-12-01", 12)));
    business.field_changes.push(FieldChange {
        key: RowKey {
            table: TableName::Service,
            id: Id::of(103),
        },
        field: "start_time".to_owned(),
        value: json!("16:00"),
        by: None,
        at: NOW,
        added: Vec::new(),
    });
    let decision = done(&mut business, undo);
    leaves(
        &decision,
        &[(102, LeftWhy::Taken), (103, LeftWhy::Changed)],
        &[],
    );
    stands(&business, 101, "2026-11-30", 12, ServiceStatus::Scheduled);
    stands(&business, 102, "2026-12-01", 12, ServiceStatus::Cancelled);
    stands(&business, 103, "2026-12-03", 16, ServiceStatus::Scheduled);
}

#[test]
fn an_undo_reopens_no_visit_that_the_time_off_has_moved_and_somebody_cancelled() {
    let mut business = business();
    let command = ill(&business);
    let undo = crate::screens::time_off::undo(&business, &command);
    done(&mut business, command);
    let moved = business.service(Id::of(103)).unwrap().clone();
    business.put(
        3,
        Row::Service(Service {
            status: ServiceStatus::Cancelled,
            cancelled_at: Some(NOW),
            ..moved
        }),
    );
    let decision = done(&mut business, undo);
    leaves(&decision, &[(103, LeftWhy::Changed)], &[]);
    stands(&business, 101, "2026-11-30", 12, ServiceStatus::Scheduled);
}

#[test]
fn an_undo_reopens_no_visit_that_was_cancelled_long_ago() {
    let mut business = business();
    let old = Service {
        status: ServiceStatus::Cancelled,
        cancelled_at: Some(Instant(NOW.0 - 3_600_000)),
        ..visit(105, 1, "2026-11-30", 9)
    };
    business.put(1, Row::Service(old.clone()));
    let command = ill(&business);
    done(&mut business, command);
    let undo = UndoTimeOff {
        id: Id::of(50),
        visits: vec![FormerVisit {
            id: old.id,
            date: old.date,
            start_time: old.start_time,
            overlap_ok: true,
            window: None,
        }],
    };
    let decision = done(&mut business, undo);
    leaves(&decision, &[(105, LeftWhy::Changed)], &[]);
}

#[test]
fn completed_begun_invoiced_and_paid_visits_stay_and_their_client_gets_no_untrue_message() {
    let spoils: [fn(&mut Service); 4] = [
        |it| it.status = ServiceStatus::Completed,
        |it| it.paid = true,
        |it| it.invoice_id = Some(Id::of(7)),
        |it| {
            it.progress = Some(Progress::new(ProgressStep::Started, NOW));
        },
    ];
    for spoil in spoils {
        let mut business = business();
        let command = ill(&business);
        let mut service = visit(101, 1, "2026-11-30", 12);
        spoil(&mut service);
        business.put(2, Row::Service(service.clone()));
        let decision = done(&mut business, command);
        leaves(&decision, &[(101, LeftWhy::Fixed)], &[1]);
        assert_eq!(business.service(service.id), Some(&service));
        stands(&business, 102, "2026-12-01", 12, ServiceStatus::Cancelled);
    }
}

#[test]
fn what_changed_on_another_phone_is_decided_on_where_that_still_makes_sense() {
    let mut business = business();
    let command = ill(&business);
    // Moved within the time, moved out of it, and new in it.
    business.put(2, Row::Service(visit(101, 1, "2026-11-30", 17)));
    business.put(2, Row::Service(visit(103, 2, "2026-12-09", 15)));
    business.put(2, Row::Service(visit(105, 2, "2026-12-02", 9)));
    let decision = done(&mut business, command);
    let left = [
        (101, LeftWhy::OtherTime),
        (103, LeftWhy::Changed),
        (105, LeftWhy::Unseen),
    ];
    leaves(&decision, &left, &[1, 2]);
    stands(&business, 101, "2026-11-30", 17, ServiceStatus::Cancelled);
    stands(&business, 103, "2026-12-09", 15, ServiceStatus::Scheduled);
}

#[test]
fn a_visit_whose_new_time_is_taken_stays_where_it_is() {
    let mut business = business();
    let command = ill(&business);
    business.put(2, Row::Service(visit(105, 1, "2026-12-03", 16)));
    let decision = done(&mut business, command);
    leaves(&decision, &[(103, LeftWhy::Taken)], &[2]);
    stands(&business, 103, "2026-12-01", 15, ServiceStatus::Scheduled);
    // The blocked time itself takes a time, too.
    let mut business = self::business();
    let mut command = ill(&business);
    command.visits[2].to_date = Some(day("2026-12-02"));
    leaves(
        &done(&mut business, command),
        &[(103, LeftWhy::Taken)],
        &[2],
    );
}

#[test]
fn a_visit_that_is_off_already_is_what_was_meant() {
    let mut business = business();
    let command = ill(&business);
    let off = Service {
        status: ServiceStatus::Cancelled,
        cancelled_at: Some(NOW),
        series_off: true,
        ..visit(101, 1, "2026-11-30", 12)
    };
    business.put(2, Row::Service(off));
    business.delete(RowKey {
        table: TableName::Service,
        id: Id::of(102),
    });
    let decision = done(&mut business, command);
    leaves(&decision, &[], &[]);
    let off = business.service(Id::of(101)).unwrap();
    assert!(!off.series_off, "it does not come back with its series");
}

#[test]
fn a_stay_is_cancelled_and_not_moved() {
    let mut business = business();
    let stay = Service {
        end_date: Some(day("2026-12-05")),
        ..visit(106, 1, "2026-11-28", 9)
    };
    business.put(1, Row::Service(stay));
    let mut command = ill(&business);
    command.messages.clear();
    command
        .visits
        .push(choice(&business, 106, TimeOffWay::Move));
    let refused = decide(&command.clone().into(), &business, &ctx()).unwrap_err();
    assert!(matches!(refused, Refusal::Invalid { fields } if fields[0].field == "visits.3.way"));
    command.visits[3].way = TimeOffWay::Cancel;
    done(&mut business, command);
    stands(&business, 106, "2026-11-28", 9, ServiceStatus::Cancelled);
}

#[test]
fn a_decision_without_a_new_time_and_two_messages_to_one_client_are_refused() {
    let business = business();
    let mut command = ill(&business);
    command.visits[2].to_date = None;
    command.visits[2].to_start_time = None;
    command.messages[1].client_id = Id::of(1);
    command.messages[1].content = " ".to_owned();
    let refused = decide(&command.into(), &business, &ctx()).unwrap_err();
    let Refusal::Invalid { fields } = refused else {
        panic!("{refused:?}")
    };
    let fields: Vec<&str> = fields.iter().map(|it| it.field.as_str()).collect();
    let expected = [
        "visits.2.to_date",
        "visits.2.to_start_time",
        "messages.1.content",
        "messages.1.client_id",
    ];
    assert_eq!(fields, expected);
}

#[test]
fn the_needs_of_a_time_off_and_of_its_undo_name_all_that_decides_them() {
    let mut full = business();
    full.put(1, Row::Service(visit(105, 1, "2026-12-03", 16)));
    full.put(1, Row::Service(visit(107, 2, "2026-12-02", 9)));
    let command = ill(&full);
    let undo = crate::screens::time_off::undo(&full, &command);
    for command in [Command::from(command), undo] {
        let known = crate::commands::series::loaded(&command, &full, &ctx());
        let by_all = decide(&command, &full, &ctx());
        assert_eq!(decide(&command, &known, &ctx()), by_all);
        full.apply(2, &by_all.unwrap().changes);
    }
}

#[test]
fn the_plan_finds_the_nearest_free_time_of_each_visit_that_moves() {
    let business = business();
    let mut command = ill(&business);
    for choice in &mut command.visits {
        choice.way = TimeOffWay::Move;
        (choice.to_date, choice.to_start_time) = (None, None);
    }
    let now = ctx().now;
    let plan = crate::screens::time_off::plan(&business, &command, &now, true);
    let moves: Vec<(String, Option<String>)> = plan
        .days
        .iter()
        .flat_map(|it| &it.visits)
        .map(|it| (it.time.clone(), it.to.clone()))
        .collect();
    let to = |text: &str| Some(text.to_owned());
    assert_eq!(
        moves,
        [
            ("12:00 PM - 12:30 PM".to_owned(), to("Thu Dec 3, 12:00 PM")),
            // The first one has that time by then.
            ("12:00 PM - 12:30 PM".to_owned(), to("Thu Dec 3, 11:30 AM")),
            ("3:00 PM - 3:30 PM".to_owned(), to("Thu Dec 3, 3:00 PM")),
        ]
    );
    assert_eq!((plan.open, plan.more, plan.unplaced), (3, 0, 0));
    let clients: Vec<(&str, bool)> = plan
        .clients
        .iter()
        .map(|it| (it.told.as_str(), it.is_passed_on))
        .collect();
    assert_eq!(
        clients,
        [
            ("Client 1 sees it when the portal is opened.", false),
            (
                "Client 2 is not in the portal and has no phone number or email: copy the message under To send.",
                true
            ),
        ]
    );
    // What the plan says can be saved as it is.
    let days = plan.days.into_iter().flat_map(|it| it.visits);
    command.visits = days.map(|it| it.choice).collect();
    let decision = decide(&command.into(), &business, &ctx()).unwrap();
    leaves(&decision, &[], &[]);
}

#[test]
fn the_plan_of_a_time_that_is_not_valid_yet_is_empty() {
    let business = business();
    let mut command = ill(&business);
    command.blocked_time = Patch::of("block_date", "");
    let plan = crate::screens::time_off::plan(&business, &command, &ctx().now, true);
    assert_eq!(plan, crate::screens::time_off::TimeOffPlan::default());
    let block = BlockedTime {
        is_recurring: true,
        recurrence_pattern: Some(Recurrence::Weekly),
        ..BlockedTime::new(Id::of(1), day("2026-11-30"))
    };
    let (_, last) = days_of(&block, day("2026-11-20")).unwrap();
    assert_eq!(
        last,
        day("2027-12-01"),
        "a time without an end is looked at for a year"
    );
}

#[test]
fn what_was_not_done_as_asked_is_told_in_a_sentence_for_each_reason() {
    let business = business();
    let left = |n: u128, client: u128, why| LeftVisit {
        id: Id::of(n),
        client_id: Id::of(client),
        date: day("2026-11-30"),
        start_time: Time::hour(12),
        why,
    };
    let visits = [
        left(1, 1, LeftWhy::Taken),
        left(2, 2, LeftWhy::Taken),
        left(3, 9, LeftWhy::Unseen),
    ];
    let texts = crate::sync::attention::time_off_texts(&business, &visits, &[Id::of(1)]);
    assert_eq!(
        texts,
        [
            "Client 1 (Mon Nov 30, 12:00 PM) and Client 2 (Mon Nov 30, 12:00 PM) stay as they are, because their times are taken.",
            "Deleted client (Mon Nov 30, 12:00 PM) is in the blocked time, too, and takes place.",
            "The message to Client 1 was not sent.",
        ]
    );
}

#[test]
fn a_visit_that_leaves_its_agreed_window_for_a_time_off_has_none() {
    let mut business = business();
    let agreed = Service {
        window_from: Some(Time::hour(14)),
        window_to: Some(Time::new(15, 30).unwrap()),
        ..visit(103, 2, "2026-12-01", 15)
    };
    business.put(1, Row::Service(agreed));
    let command = ill(&business);
    done(&mut business, command);
    stands(&business, 103, "2026-12-03", 16, ServiceStatus::Scheduled);
    assert_eq!(business.service(Id::of(103)).unwrap().window(), None);
}

#[test]
fn visits_of_every_day_of_a_year_are_loaded_by_one_question() {
    let first = day("2026-11-20");
    let former = (0..366).map(|n| FormerVisit {
        id: Id::of(1_000 + n),
        date: first.plus_days(n as i64),
        start_time: Time::hour(12),
        overlap_ok: false,
        window: None,
    });
    let undo = UndoTimeOff {
        id: Id::of(50),
        visits: former.collect(),
    };
    let needs = undo.needs(&Business::default(), &ctx());
    let mut loaded = needs
        .iter()
        .filter(|it| matches!(it, Need::ServicesBetween(..)));
    let all = Need::ServicesBetween(first.plus_days(-1), first.plus_days(366));
    assert_eq!(loaded.next(), Some(&all));
    assert_eq!(loaded.next(), None);
}

#[test]
fn the_undo_of_a_time_off_gives_agreed_windows_back() {
    let mut business = business();
    let agreed = Service {
        window_from: Some(Time::hour(11)),
        window_to: Some(Time::hour(13)),
        ..business.service(Id::of(101)).unwrap().clone()
    };
    business.put(1, Row::Service(agreed.clone()));
    let mut command = ill(&business);
    let mine = command.visits.iter_mut().find(|it| it.id == agreed.id);
    let mine = mine.unwrap();
    mine.way = TimeOffWay::Move;
    mine.to_date = Some("2026-12-09".parse().unwrap());
    mine.to_start_time = Some(Time::hour(16));
    let undo = crate::screens::time_off::undo(&business, &command);
    done(&mut business, command);
    let moved = business.service(agreed.id).unwrap();
    assert_eq!((moved.start_time, moved.window()), (Time::hour(16), None));
    done(&mut business, undo);
    assert_eq!(business.service(agreed.id), Some(&agreed));
}
