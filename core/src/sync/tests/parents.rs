//! Owns the proof of what is particular to the phone of a pet parent: what was asked for stays on the screen, and what is
//! of another record than the database's own never comes into it.

use super::*;
use crate::commands::{AskForService, ScheduleService, SendMessage, StartConversation};
use crate::rows::walk_request::WalkRequest;

const BEN: Id = Id::of(0xB);

/// As `known_client`, on the phone of Anna herself.
fn known_to_herself() -> (Server, Disk, Tab) {
    let mut server = Server::new();
    server.run(&create_client(ANNA, REX, "Anna")).unwrap();
    let mut disk = Disk::new();
    disk.meta.client_id = Some(ANNA);
    let mut tab = Tab::open("A", &disk);
    tab.sync(&mut disk, &mut server);
    check(&tab, "A@1");
    (server, disk, tab)
}

/// The business as it shows itself to Anna's login when that is linked with Ben's record.
fn linked_as_ben() -> Server {
    let mut server = Server::new();
    server
        .run(&create_client(BEN, Id::of(0xB1), "Ben"))
        .unwrap();
    server.backend_id.set(Id::of(0xB3));
    server
}

fn ask(id: Id) -> Command {
    let request = json!({ "requested_date": "2026-10-05", "requested_start_time": "10:00",
        "requested_duration_minutes": 30, "service_type": "walk", "dog_ids": [REX] });
    Command::AskForService(AskForService {
        id,
        request: serde_json::from_value(request).unwrap(),
        quoted_price: None,
        repeats: None,
        group_id: None,
        is_wish: false,
    })
}

fn asked(tab: &Tab) -> Vec<&WalkRequest> {
    let requests = tab.replica.business().requests.values();
    requests.map(|it| &it.row).collect()
}

#[test]
fn what_was_asked_for_stays_on_the_screen_when_something_comes_in_its_way() {
    let (mut server, mut disk, mut tab) = known_to_herself();
    let first = Id::of(0x71);
    tab.save(&mut disk, "e1", ask(first));
    // The sitter schedules the very walk meanwhile, and does not know of the request.
    let walk = json!({ "client_id": ANNA, "dog_ids": [REX], "date": "2026-10-05", "start_time": "10:00",
        "duration_minutes": 30, "service_type": "walk" });
    let walk = Command::ScheduleService(ScheduleService {
        id: Id::of(0x51),
        service: serde_json::from_value(walk).unwrap(),
        overlap_ok: false,
        quoted_price: None,
        brings_back: false,
    });
    server.run(&walk).unwrap();
    let batch = tab.pull(&server);
    tab.apply(&mut disk, &batch);
    check(&tab, "A@2 e1'");
    assert_eq!(asked(&tab).first().map(|it| it.id), Some(first));
    // A new wish for that time is refused at the form all the same.
    let request = SaveRequest {
        id: next_id(),
        command: ask(Id::of(0x72)),
        sentence: "e2".to_owned(),
        made_at: AT,
        base_rev: None,
        photos: Vec::new(),
    };
    let refusal = tab.replica.prepare(request).unwrap_err();
    assert_eq!(refusal.code(), "conflict");
}

#[test]
fn what_a_sitter_wrote_stays_on_the_screen_when_nobody_can_read_it_any_more() {
    let (mut server, mut disk, mut tab) = known_client();
    server.run(&set(ANNA, "email", "anna@example.com")).unwrap();
    tab.sync(&mut disk, &mut server);
    let message = SendMessage {
        id: Id::of(0x81),
        conversation_id: ANNA,
        content: "On my way".to_owned(),
        photo: None,
    };
    tab.save(&mut disk, "e1", Command::SendMessage(message));
    server.run(&set(ANNA, "email", "")).unwrap();
    let batch = tab.pull(&server);
    tab.apply(&mut disk, &batch);
    check(&tab, "A@3 e1'");
    assert_eq!(tab.replica.business().messages.values().count(), 1);
}

#[test]
fn who_was_linked_as_another_record_takes_none_of_its_rows_into_the_database_of_the_former_one() {
    let (server, mut disk, mut tab) = known_to_herself();
    let device = disk.meta.device_id;
    tab.save(&mut disk, "e1", set(ANNA, "phone", "512-555-0100"));
    let mut other = linked_as_ben();
    let batch = tab.pull(&other);
    assert!(batch.put.is_empty(), "{:?}", batch.put);
    tab.apply(&mut disk, &batch);
    check(&tab, "A@0 !e1");
    assert_eq!((disk.rows.len(), disk.outbox.len()), (0, 0));
    assert!(tab.client(BEN).is_none() && tab.client(ANNA).is_none());
    assert_eq!(disk.meta.client_id, Some(ANNA));
    assert_ne!(disk.meta.device_id, device);
    // The words are there, with an honest reason.
    let entry = &tab.replica.attention()[0];
    assert_eq!(
        entry.entry.mutation.args["changes"]["phone"],
        "512-555-0100"
    );
    assert_eq!(
        entry.outcome.refusal.as_ref().unwrap().to_string(),
        "Your access has ended, so this is no longer sent. It may have arrived before that."
    );
    // Asked again, there is nothing to store.
    let again = tab.pull(&other);
    assert_eq!(again.meta, disk.meta);
    assert!(again.put.is_empty() && again.outbox_remove.is_empty());
    // Nothing that is saved now is sent to the other record before the person has said so.
    assert!(tab.replica.next_push().is_none());
    // Linked again as herself, everything is there again.
    other = server;
    other.backend_id.set(Id::of(0xB4));
    tab.sync(&mut disk, &mut other);
    assert!(tab.client(ANNA).is_some());
}

#[test]
fn no_rows_come_into_the_database_of_a_client_whose_own_record_is_not_among_them() {
    let (_, mut disk, mut tab) = known_to_herself();
    let mut other = linked_as_ben();
    other.page = 1;
    other.run(&set(BEN, "phone", "512-555-0101")).unwrap();
    tab.sync(&mut disk, &mut other);
    check(&tab, "A@0");
    // From nothing, too.
    tab.sync(&mut disk, &mut other);
    check(&tab, "A@0");
    assert!(disk.rows.is_empty());
}

#[test]
fn who_is_let_go_is_told_what_was_decided_and_what_nobody_knows() {
    let (mut server, mut disk, mut tab) = known_to_herself();
    tab.save(&mut disk, "e1", set(ANNA, "phone", "512-555-0100"));
    tab.push(&mut server);
    server
        .run(&Command::DeleteClient(DeleteClient { id: ANNA }))
        .unwrap();
    tab.save(&mut disk, "e2", set(ANNA, "vet", "Dr. Paws"));
    tab.push(&mut server);
    tab.save(&mut disk, "e3", set(ANNA, "address", "12 Elm Street"));
    let wordless = StartConversation { client_id: ANNA };
    tab.save(&mut disk, "e4", wordless.into());
    check(&tab, "A@1 e1* e2* e3' e4'");
    let batch = tab.replica.let_go(next_id());
    assert!(batch.confirmed.is_empty());
    tab.apply(&mut disk, &batch);
    check(&tab, "A@0 !e2 !e3");
    let told = tab.replica.attention().iter();
    let codes: Vec<&str> = told
        .map(|it| it.outcome.refusal.as_ref().unwrap().code())
        .collect();
    assert_eq!(codes, ["gone", "access_ended"]);
    assert!(disk.rows.is_empty());
}
