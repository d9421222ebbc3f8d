//! Owns the proof that an outbox goes on by itself: under another device's number, past what the server does not take,
//! without a photo that it turns down; and that what somebody deleted can be brought back with the change.

use super::*;
use crate::commands::{CreateClient, DeleteClient, ShareInvoice};
use crate::sync::wire::SCHEMA;

/// Returns the sentences of the outbox, in order.
fn waiting(tab: &Tab) -> Vec<&str> {
    let outbox = tab.replica.outbox().iter();
    outbox.map(|it| it.sentence.as_str()).collect()
}

/// Sends the next push and returns the server's answer.
fn answer(tab: &mut Tab, server: &mut Server) -> PushResponse {
    let request = tab.replica.next_push().expect("something waits");
    let answer = server.push(&request);
    tab.replica.pushed(&answer);
    answer
}

#[test]
fn a_copied_profile_whose_numbers_are_taken_goes_on_as_a_device_of_its_own() {
    let (mut server, mut disk, mut tab) = known_client();
    let mut copied_disk = disk.clone();
    let mut copy = Tab::open("B", &copied_disk);
    tab.save(&mut disk, "e1", set(ANNA, "phone", "512-555-0100"));
    tab.sync(&mut disk, &mut server);

    copy.save(
        &mut copied_disk,
        "e2",
        set(ANNA, "address", "12 Elm Street"),
    );
    copy.save(
        &mut copied_disk,
        "e3",
        set(ANNA, "email", "anna@example.com"),
    );
    let said = answer(&mut copy, &mut server);
    assert_eq!(
        (said.results.len(), said.stopped),
        (0, Some(Stop::OutOfOrder))
    );
    let fresh = next_id();
    let batch = copy.replica.heal(fresh);
    copy.apply(&mut copied_disk, &batch);
    assert_eq!(copied_disk.meta.device_id, fresh);
    assert_eq!(waiting(&copy), ["e2", "e3"]);
    copy.sync(&mut copied_disk, &mut server);
    assert!(waiting(&copy).is_empty());
    tab.sync(&mut disk, &mut server);
    let anna = tab.client(ANNA).unwrap();
    assert_eq!(
        (
            anna.phone.as_str(),
            anna.address.as_str(),
            anna.email.as_str()
        ),
        ("512-555-0100", "12 Elm Street", "anna@example.com")
    );
}

#[test]
fn what_was_decided_before_the_phone_numbered_anew_is_done_once() {
    let (mut server, mut disk, mut tab) = known_client();
    tab.save(&mut disk, "e1", set(ANNA, "phone", "512-555-0100"));
    tab.push(&mut server);
    let batch = tab.replica.heal(next_id());
    tab.apply(&mut disk, &batch);
    tab.sync(&mut disk, &mut server);
    tab.sync(&mut disk, &mut server);
    assert!(waiting(&tab).is_empty());
    assert_eq!(server.rev, 2);
}

#[test]
fn a_change_that_the_server_does_not_take_is_set_aside_and_what_follows_goes_on() {
    let (mut server, mut disk, mut tab) = known_client();
    tab.save(&mut disk, "e1", set(ANNA, "phone", "512-555-0100"));
    let culprit = tab.save(&mut disk, "e2", set(ANNA, "address", "12 Elm Street"));
    tab.save(&mut disk, "e3", set(ANNA, "email", "anna@example.com"));
    assert_eq!(tab.replica.next_push_of(1).unwrap().mutations.len(), 1);
    let batch = tab
        .replica
        .set_aside(culprit.mutation.id, "No idea", next_id());
    let batch = batch.unwrap();
    tab.apply(&mut disk, &batch);
    let set_aside = tab.replica.attention();
    assert_eq!(set_aside.len(), 1);
    assert_eq!(set_aside[0].entry.mutation.args, culprit.mutation.args);
    assert_eq!(
        set_aside[0].outcome.refusal.as_ref().unwrap().to_string(),
        "The server does not take this change: No idea"
    );
    tab.sync(&mut disk, &mut server);
    assert!(waiting(&tab).is_empty());
    assert_eq!(tab.client(ANNA).unwrap().email, "anna@example.com");
    assert!(
        tab.replica
            .set_aside(culprit.mutation.id, "", next_id())
            .is_none()
    );
}

#[test]
fn a_refused_photo_waits_alone_and_its_change_goes_on_without_it() {
    let (mut server, mut disk, mut tab) = known_client();
    let photo = Id::of(0xF0);
    let dogs = vec![PetPatch {
        id: Id::of(0x21),
        is_new: true,
        changes: Patch(serde_json::from_value(json!({ "name": "Misse", "photo": photo })).unwrap()),
    }];
    let request = SaveRequest {
        id: next_id(),
        command: Command::CreateClient(CreateClient {
            id: Id::of(0x20),
            client: Patch::of("name", "Ben"),
            dogs,
        }),
        sentence: "e1".to_owned(),
        made_at: AT,
        base_rev: None,
        photos: vec![photo],
    };
    let entry = disk.append(tab.replica.prepare(request).unwrap());
    tab.hear_saved(&disk, entry.clone(), DEVICE);
    tab.save(&mut disk, "e2", set(ANNA, "phone", "512-555-0100"));
    assert!(tab.replica.next_push().is_none(), "the photo holds both");

    let mut other = Tab::open("B", &disk);
    let batch = tab.replica.photo_refused(photo, "Too large", next_id());
    let batch = batch.unwrap();
    tab.apply(&mut disk, &batch);
    assert!(
        tab.replica
            .photo_refused(photo, "Too large", next_id())
            .is_none()
    );
    assert!(tab.replica.photos_to_upload().is_empty());
    let sent = tab.replica.next_push().unwrap().mutations;
    assert_eq!(sent[0].id, entry.mutation.id);
    assert!(!sent[0].args.to_string().contains("photo"));
    tab.sync(&mut disk, &mut server);
    assert!(waiting(&tab).is_empty());
    assert_eq!(
        tab.replica.business().pet(Id::of(0x21)).unwrap().name,
        "Misse"
    );

    let alone = &tab.replica.attention()[0];
    assert_eq!(alone.entry.sentence, "Photo: e1");
    assert_eq!(alone.entry.photos, [photo]);
    let again = alone.entry.mutation.command().unwrap();
    server.run(&again).unwrap();
    assert_eq!(
        server.business.pet(Id::of(0x21)).unwrap().photo,
        Some(photo)
    );

    // Another tab hears late that it was refused, after a person has decided on it.
    let refused = alone.entry.mutation.id;
    disk.attention.remove(&refused);
    other.replica.resolved(refused);
    other.hear(&disk, &batch);
    assert!(other.replica.attention().is_empty());
}

#[test]
fn a_client_that_was_deleted_meanwhile_comes_back_with_the_change() {
    let (mut server, mut disk, mut tab) = known_client();
    server
        .run(&Command::DeleteClient(DeleteClient { id: ANNA }))
        .unwrap();
    tab.save(&mut disk, "e1", set(ANNA, "phone", "512-555-0100"));
    tab.save(&mut disk, "e2", set(ANNA, "address", "12 Elm Street"));
    tab.sync(&mut disk, &mut server);
    let last = tab.replica.attention().last().unwrap();
    let back = last.entry.bring_back.clone().unwrap();
    server.run(&back).unwrap();
    let anna = server.business.client(ANNA).unwrap();
    assert_eq!(
        (
            anna.name.as_str(),
            anna.phone.as_str(),
            anna.address.as_str()
        ),
        ("Anna", "512-555-0100", "12 Elm Street")
    );
    assert_eq!(server.business.pets_of(ANNA).len(), 1);
}

#[test]
fn what_was_confirmed_is_handed_to_the_store_and_what_was_refused_is_not() {
    let (mut server, mut disk, mut tab) = known_client();
    tab.save(&mut disk, "e1", set(ANNA, "phone", "512-555-0100"));
    tab.save(
        &mut disk,
        "e2",
        Command::DeleteClient(DeleteClient { id: ANNA }),
    );
    server
        .run(&Command::DeleteClient(DeleteClient { id: ANNA }))
        .unwrap();
    server.run(&create_client(ANNA, REX, "Anna")).unwrap();
    tab.push(&mut server);
    let batch = tab.pull(&server);
    let confirmed: Vec<&str> = batch
        .confirmed
        .iter()
        .map(|it| it.sentence.as_str())
        .collect();
    assert_eq!(confirmed, ["e1", "e2"]);
    tab.apply(&mut disk, &batch);
    assert!(!tab.replica.meta().verify);

    let backup = server.clone();
    server.restored_from(backup);
    let batch = tab.pull(&server);
    tab.apply(&mut disk, &batch);
    assert!(
        tab.replica.meta().verify,
        "what was forgotten is to be asked for"
    );
    let batch = tab.pull(&server);
    assert!(batch.meta.verify, "until the store says that it was");
}

/// An invoice with these videos, which wait to be sent.
fn share_with(videos: Vec<Id>) -> OutboxEntry {
    let share = Command::ShareInvoice(ShareInvoice {
        id: Id::of(0x30),
        videos: videos.clone(),
        ..ShareInvoice::default()
    });
    let (name, args) = Mutation::parts(&share);
    OutboxEntry {
        mutation: Mutation {
            id: next_id(),
            seq: 1,
            v: SCHEMA,
            made_at: AT,
            base_rev: 0,
            name,
            args,
        },
        sentence: "Shared an invoice".to_owned(),
        photos: videos,
        bring_back: None,
    }
}

#[test]
fn an_invoice_goes_without_the_video_that_the_server_turns_down() {
    let (_, disk, mut tab) = known_client();
    let (refused, other) = (Id::of(0xF0), Id::of(0xF1));
    tab.hear_saved(&disk, share_with(vec![refused, other]), DEVICE);
    let batch = tab.replica.photo_refused(refused, "Damaged", next_id());
    let batch = batch.unwrap();
    let sent = &batch.outbox_put[0];
    assert_eq!(sent.photos, [other]);
    assert_eq!(sent.mutation.args["videos"], json!([other]));
    let told = &batch.attention_put[0];
    assert_eq!(told.entry.sentence, "Video: Shared an invoice");
    let text = "The server does not take the video: Damaged";
    assert_eq!(told.outcome.refusal.as_ref().unwrap().to_string(), text);
}

#[test]
fn an_invoice_goes_without_the_video_that_its_person_leaves_out() {
    let (_, mut disk, mut tab) = known_client();
    let (left, other) = (Id::of(0xF0), Id::of(0xF1));
    let entry = disk.append(share_with(vec![left, other]));
    tab.hear_saved(&disk, entry, DEVICE);
    let batch = tab.replica.leave_out(left).unwrap();
    tab.apply(&mut disk, &batch);
    assert!(tab.replica.leave_out(left).is_none());
    assert!(tab.replica.attention().is_empty());
    assert_eq!(tab.replica.photos_to_upload(), [other]);
    tab.replica.photo_uploaded(other);
    let sent = tab.replica.next_push().unwrap().mutations;
    assert_eq!(sent[0].args["videos"], json!([other]));
}

#[test]
fn a_refused_photo_of_a_visit_under_way_holds_no_report_that_names_it() {
    let (_, mut disk, mut tab) = known_client();
    let (photo, service) = (Id::of(0xF0), Id::of(0x30));
    let mut save = |tab: &mut Tab, name: &str, args: serde_json::Value, photos: Vec<Id>| {
        let entry = disk.append(OutboxEntry {
            mutation: Mutation {
                id: next_id(),
                seq: 0,
                v: SCHEMA,
                made_at: AT,
                base_rev: 0,
                name: name.to_owned(),
                args,
            },
            sentence: name.to_owned(),
            photos,
            bring_back: None,
        });
        tab.hear_saved(&disk, entry, DEVICE);
    };
    let event = json!({ "id": Id::of(1), "kind": "photo", "at": AT, "photo": photo });
    let live = json!({ "id": service, "events": [event] });
    save(&mut tab, "send_live", live, vec![photo]);
    let walk = json!({
        "started_at": AT, "ended_at": AT, "ran_seconds": 60,
        "events": [{ "type": "photo", "at": AT, "photo": photo }],
    });
    let report = json!({ "id": Id::of(2), "walk": walk, "reports": [] });
    save(&mut tab, "share_walk", report, Vec::new());
    let batch = tab.replica.photo_refused(photo, "Damaged", next_id());
    let batch = batch.unwrap();
    assert_eq!(batch.outbox_put.len(), 2);
    let named = photo.to_string();
    for it in &batch.outbox_put {
        assert!(!it.mutation.args.to_string().contains(&named));
    }
    let told = &batch.attention_put[0];
    assert_eq!(batch.attention_put.len(), 1);
    assert_eq!(told.entry.sentence, "Photo: share_walk");
    assert_eq!(told.entry.photos, [photo]);
    assert!(told.entry.mutation.args.to_string().contains(&named));
}
