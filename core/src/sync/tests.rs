//! Owns the proof that `Replica` shows confirmed rows with the outbox on top, whatever comes in whichever order.
//!
//! Notation: `A@7 e1* e2' !e3` is tab A with everything confirmed up to revision 7; it waits with e1, which the
//! server has acknowledged, and with e2, which it has not; e3 needs a person.

mod heal;
mod parents;

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use proptest::prelude::*;
use serde_json::json;
use serde_json::value::RawValue;

use super::wire::{
    Mutation, Outcome, OutcomeKind, PullRequest, PullResponse, PushRequest, PushResponse, Stop,
    WireRow,
};
use super::{AttentionEntry, Batch, Meta, OutboxEntry, Pulled, Replica, SaveRequest};
use crate::commands::{CreateClient, CreateOffering, DeleteClient, PetPatch, UpdateClient, decide};
use crate::rows::client::Client;
use crate::rows::offering::Offering;
use crate::values::patch::Patch;
use crate::values::reach::Reach;
use crate::{Business, Change, Command, Context, Id, Instant, Now, Refusal, RowKey, TableName};

const AT: Instant = Instant(1_790_000_000_000);
const DEVICE: Id = Id::of(0xD1);

/// A server that decides as the real one does, with its whole feed in memory.
#[derive(Clone)]
struct Server {
    business: Business,
    rev: u64,
    feed: BTreeMap<RowKey, WireRow>,
    decided: BTreeMap<Id, (Id, Outcome)>,
    last_seq: BTreeMap<Id, u64>,
    floor: u64,
    /// A pull may find that the phone knows another history.
    backend_id: Cell<Id>,
    rev_ids: BTreeMap<u64, Id>,
    /// Revisions per page.
    page: u64,
}

impl Server {
    fn new() -> Self {
        Self {
            business: Business::default(),
            rev: 0,
            feed: BTreeMap::new(),
            decided: BTreeMap::new(),
            last_seq: BTreeMap::new(),
            floor: 0,
            backend_id: Cell::new(Id::of(0xB1)),
            rev_ids: BTreeMap::new(),
            page: 1000,
        }
    }

    /// Someone else's change.
    fn run(&mut self, command: &Command) -> Result<(), Refusal> {
        self.rev += 1;
        self.rev_ids.insert(self.rev, next_id());
        let context = Context::at(Now {
            at: AT,
            zone: crate::values::zone::TimeZone::UTC,
        });
        let decision = decide(command, &self.business, &context)?;
        self.business.apply(self.rev, &decision.changes);
        for change in &decision.changes {
            let RowKey { table, id } = change.key();
            let d = match change {
                Change::Put(row) => Some(RawValue::from_string(row.json().unwrap()).unwrap()),
                Change::Delete(_) => None,
            };
            let row = WireRow {
                t: table.name().to_owned(),
                id,
                rev: self.rev,
                del: d.is_none(),
                d,
            };
            self.feed.insert(change.key(), row);
        }
        Ok(())
    }

    fn push(&mut self, request: &PushRequest) -> PushResponse {
        let mut results = Vec::new();
        for mutation in &request.mutations {
            if !self.decided.contains_key(&mutation.id) {
                let last_seq = self.last_seq.entry(request.device_id).or_default();
                if request.backend_id == Some(self.backend_id.get()) && *last_seq + 1 < mutation.seq
                {
                    self.backend_id.set(next_id());
                }
                let is_other_server = request
                    .backend_id
                    .is_some_and(|it| it != self.backend_id.get());
                if is_other_server || mutation.seq != *last_seq + 1 {
                    let stopped = if is_other_server {
                        Stop::OtherServer
                    } else {
                        Stop::OutOfOrder
                    };
                    return PushResponse {
                        results,
                        stopped_at: Some(mutation.id),
                        stopped: Some(stopped),
                    };
                }
                let outcome = match self.run(&mutation.command().unwrap()) {
                    Ok(()) => Outcome::done(mutation.id, Vec::new(), self.rev),
                    Err(refusal) => Outcome::refused(mutation.id, refusal, self.rev),
                };
                self.decided
                    .insert(mutation.id, (request.device_id, outcome));
            }
            // A known mutation takes its place in the order too, but never skips one that was not decided.
            let last_seq = self.last_seq.entry(request.device_id).or_default();
            if *last_seq + 1 == mutation.seq {
                *last_seq = mutation.seq;
            }
            results.push(self.decided[&mutation.id].1.clone());
        }
        PushResponse {
            results,
            stopped_at: None,
            stopped: None,
        }
    }

    fn pull(&self, request: &PullRequest) -> PullResponse {
        let rev_id = |rev: u64| self.rev_ids.get(&rev).copied();
        let seen = request.seen.unwrap_or(request.cursor);
        let is_other_history =
            self.rev < seen || request.rev_id.is_some_and(|it| rev_id(seen) != Some(it));
        if is_other_history && request.backend_id == Some(self.backend_id.get()) {
            self.backend_id.set(next_id());
        }
        let is_other_server = request
            .backend_id
            .is_some_and(|it| it != self.backend_id.get());
        let reset = is_other_server || (request.cursor < self.floor && request.cursor > 0);
        let from = if reset { 0 } else { request.cursor };
        // A reset comes whole: the cursor of its second page could not be told from that of a phone far behind.
        let next = if reset {
            self.rev
        } else {
            self.rev.min(from + self.page)
        };
        let is_in = |rev: u64| from < rev && rev <= next;
        let outcomes = self
            .decided
            .values()
            .filter(|(device, it)| *device == request.device_id && is_in(it.rev));
        PullResponse {
            from,
            rows: self
                .feed
                .values()
                .filter(|it| is_in(it.rev))
                .cloned()
                .collect(),
            outcomes: outcomes.map(|(_, it)| it.clone()).collect(),
            next,
            more: next < self.rev,
            reset,
            epoch: 0,
            backend_id: self.backend_id.get(),
            head: self.rev,
            rev_id: rev_id(self.rev),
            min_schema: 1,
            zone: None,
            reach: None,
        }
    }

    /// As after a restore: another database, with what the backup had.
    fn restored_from(&mut self, backup: Self) {
        *self = backup;
        self.backend_id.set(Id::of(0xB2));
    }
}

/// The phone's disk; each function is one transaction, as in the phone's store.
#[derive(Clone)]
struct Disk {
    meta: Meta,
    seq: u64,
    rows: BTreeMap<String, String>,
    outbox: BTreeMap<u64, OutboxEntry>,
    attention: BTreeMap<Id, AttentionEntry>,
}

impl Disk {
    fn new() -> Self {
        let meta = Meta::new(DEVICE);
        Self {
            meta,
            seq: 0,
            rows: BTreeMap::new(),
            outbox: BTreeMap::new(),
            attention: BTreeMap::new(),
        }
    }

    fn load(&self) -> Replica {
        let outbox = self.outbox.values().cloned().collect();
        let meta = Meta {
            seq: self.seq,
            ..self.meta.clone()
        };
        Replica::load(
            meta,
            pages(&self.rows),
            outbox,
            self.attention.values().cloned().collect(),
        )
    }

    fn append(&mut self, mut entry: OutboxEntry) -> OutboxEntry {
        self.seq += 1;
        entry.mutation.seq = self.seq;
        self.outbox.insert(self.seq, entry.clone());
        entry
    }

    fn apply(&mut self, batch: &Batch) -> bool {
        let is_void = batch.expect_cursor != self.meta.cursor
            || batch.expect_device_id != self.meta.device_id
            || batch.expect_backend_id != self.meta.backend_id
            || batch
                .outbox_remove
                .iter()
                .chain(batch.outbox_put.iter().map(|it| &it.mutation.seq))
                .any(|it| !self.outbox.contains_key(it));
        if is_void {
            return false;
        }
        write_rows(&mut self.rows, batch);
        self.outbox
            .retain(|seq, _| !batch.outbox_remove.contains(seq));
        for entry in &batch.outbox_put {
            self.outbox.insert(entry.mutation.seq, entry.clone());
        }
        self.attention.extend(
            batch
                .attention_put
                .iter()
                .map(|it| (it.entry.mutation.id, it.clone())),
        );
        if batch.renumber {
            self.seq = 0;
            for (_, entry) in std::mem::take(&mut self.outbox) {
                self.append(entry);
            }
        }
        self.meta = batch.meta.clone();
        true
    }
}

/// Confirmed rows as the store hands them out.
fn pages(rows: &BTreeMap<String, String>) -> impl Iterator<Item = Vec<u8>> {
    let page = rows.iter().map(|(key, text)| format!("{key} {text}\n"));
    std::iter::once(page.collect::<String>().into_bytes())
}

fn write_rows(rows: &mut BTreeMap<String, String>, batch: &Batch) {
    if batch.clear {
        rows.clear();
    }
    rows.extend(batch.put.iter().map(|it| (it.key.clone(), it.text.clone())));
    rows.retain(|key, _| !batch.delete.contains(key));
}

/// A tab of a phone, doing by hand what the phone's shell does.
struct Tab {
    name: &'static str,
    replica: Replica,
    /// The confirmed rows that the replica must have in memory.
    base: BTreeMap<String, String>,
    /// How often it was loaded anew; what was asked before goes nowhere.
    loads: u32,
}

/// A pull under way: how often the tab was loaded when it asked, the request's number, and the answer.
type UnderWay = Option<(u32, u32, PullResponse)>;

thread_local! { static NEXT_ID: Cell<u128> = const { Cell::new(1) }; }

fn next_id() -> Id {
    NEXT_ID.set(NEXT_ID.get() + 1);
    Id::of(NEXT_ID.get())
}

impl Tab {
    fn open(name: &'static str, disk: &Disk) -> Self {
        Self {
            name,
            replica: disk.load(),
            base: disk.rows.clone(),
            loads: 0,
        }
    }

    fn reload(&mut self, disk: &Disk) {
        let loads = self.loads + 1;
        *self = Self {
            loads,
            ..Self::open(self.name, disk)
        };
    }

    /// Hears that the other tab has stored a batch.
    fn hear(&mut self, disk: &Disk, batch: &Batch) {
        if self.replica.applied(batch) {
            write_rows(&mut self.base, batch);
        } else {
            self.reload(disk);
        }
    }

    /// Returns the view that must be shown: the confirmed rows with the outbox replayed on top, from nothing.
    fn expected_view(&self) -> Business {
        let replica = Replica::load(
            self.replica.meta().clone(),
            pages(&self.base),
            self.replica.outbox().to_vec(),
            Vec::new(),
        );
        replica.business().clone()
    }

    /// Saves; the sentence names the change in the notation.
    fn save(&mut self, disk: &mut Disk, name: &str, command: Command) -> OutboxEntry {
        let sentence = name.to_owned();
        let id = next_id();
        let request = SaveRequest {
            id,
            command,
            sentence,
            made_at: AT,
            base_rev: None,
            photos: Vec::new(),
        };
        let entry = disk.append(self.replica.prepare(request).expect("the phone takes it"));
        self.hear_saved(disk, entry.clone(), disk.meta.device_id);
        entry
    }

    fn push(&mut self, server: &mut Server) -> bool {
        let request = self.replica.next_push().expect("something waits");
        let answer = server.push(&request);
        self.replica.pushed(&answer)
    }

    /// Shows what this tab or another one has saved.
    fn hear_saved(&mut self, disk: &Disk, entry: OutboxEntry, device_id: Id) {
        if !self.replica.saved(entry, None, device_id) {
            self.reload(disk);
        }
    }

    /// Pulls all pages and gives what is to be stored.
    fn pull(&mut self, server: &Server) -> Batch {
        loop {
            let (number, request) = self.replica.next_pull();
            match self
                .replica
                .pulled(number, server.pull(&request), next_id())
            {
                Pulled::Stale => panic!("the answer is the one that was waited for"),
                Pulled::More => {}
                Pulled::Complete(batch) => return *batch,
            }
        }
    }

    /// Stores a batch and shows it; `false` where it was void.
    fn apply(&mut self, disk: &mut Disk, batch: &Batch) -> bool {
        let is_stored = disk.apply(batch);
        if is_stored {
            self.hear(disk, batch);
        } else {
            self.reload(disk);
        }
        is_stored
    }

    fn waits(&self) -> Vec<Id> {
        let outbox = self.replica.outbox();
        outbox.iter().map(|it| it.mutation.id).collect()
    }

    fn needs_attention(&self) -> BTreeSet<Id> {
        let attention = self.replica.attention();
        attention.iter().map(|it| it.entry.mutation.id).collect()
    }

    fn sync(&mut self, disk: &mut Disk, server: &mut Server) {
        if self.replica.next_push().is_some() {
            self.push(server);
        }
        let batch = self.pull(server);
        self.apply(disk, &batch);
    }

    fn client(&self, id: Id) -> Option<&Client> {
        self.replica.business().client(id)
    }
}

impl fmt::Display for Tab {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}@{}", self.name, self.replica.meta().cursor)?;
        for it in self.replica.outbox() {
            let is_acknowledged = self.replica.is_acknowledged(it.mutation.id);
            write!(
                formatter,
                " {}{}",
                it.sentence,
                if is_acknowledged { "*" } else { "'" }
            )?;
        }
        for it in self.replica.attention() {
            write!(formatter, " !{}", it.entry.sentence)?;
        }
        Ok(())
    }
}

#[track_caller]
fn check(tab: &Tab, expected: &str) {
    assert_eq!(tab.to_string(), expected);
}

const ANNA: Id = Id::of(0xA);
const REX: Id = Id::of(0xA1);

fn create_client(id: Id, pet: Id, name: &str) -> Command {
    let dogs = vec![PetPatch {
        id: pet,
        is_new: true,
        changes: Patch::of("name", "Rex"),
    }];
    Command::CreateClient(CreateClient {
        id,
        client: Patch::of("name", name),
        dogs,
    })
}

fn set(id: Id, field: &str, value: &str) -> Command {
    Command::UpdateClient(UpdateClient {
        id,
        changes: Patch::of(field, value),
        dogs: Vec::new(),
        removed_dogs: Vec::new(),
    })
}

/// A server with one client, and a phone that knows it.
fn known_client() -> (Server, Disk, Tab) {
    let mut server = Server::new();
    server.run(&create_client(ANNA, REX, "Anna")).unwrap();
    let mut disk = Disk::new();
    let mut tab = Tab::open("A", &disk);
    tab.sync(&mut disk, &mut server);
    check(&tab, "A@1");
    (server, disk, tab)
}

/// The view, as it must be: what is on the disk with the outbox replayed on top, from nothing.
fn view_from_disk(disk: &Disk) -> Business {
    disk.load().business().clone()
}

#[test]
fn how_the_server_reaches_people_is_kept_until_it_says_otherwise() {
    let load = |meta: Meta| Replica::load(meta, std::iter::empty(), Vec::new(), Vec::new());
    let mut replica = load(Meta::new(DEVICE));
    let mut pull = |reach: Option<Reach>| {
        let (number, _) = replica.next_pull();
        let page = PullResponse {
            backend_id: Id::of(0xB1),
            min_schema: 1,
            reach,
            ..PullResponse::default()
        };
        let Pulled::Complete(batch) = replica.pulled(number, page, next_id()) else {
            panic!("it is one page");
        };
        assert!(replica.applied(&batch));
        let shown = replica.business().reach.clone();
        assert_eq!(load(replica.meta().clone()).business().reach, shown);
        shown
    };
    let known = Reach {
        sends_mail: true,
        notified: vec![Id::of(5)],
        mailed: vec![Id::of(6)],
    };
    // A server of before says nothing.
    assert_eq!(pull(None), Reach::default());
    assert_eq!(pull(Some(known.clone())), known);
    assert_eq!(pull(None), known);
    assert_eq!(pull(Some(Reach::default())), Reach::default());
}

#[test]
fn what_is_saved_is_shown_at_once_and_confirmed_by_the_feed_alone() {
    let (mut server, mut disk, mut tab) = known_client();
    tab.save(&mut disk, "e1", set(ANNA, "phone", "512-555-0100"));
    check(&tab, "A@1 e1'");
    assert_eq!(tab.client(ANNA).unwrap().phone, "512-555-0100");
    assert!(tab.replica.is_pending(RowKey {
        table: TableName::Client,
        id: ANNA
    }));

    assert!(tab.push(&mut server));
    check(&tab, "A@1 e1*");
    assert!(
        tab.replica.next_push().is_none(),
        "what is acknowledged is not sent again"
    );
    assert_eq!(tab.client(ANNA).unwrap().phone, "512-555-0100");

    let batch = tab.pull(&server);
    tab.apply(&mut disk, &batch);
    check(&tab, "A@2");
    assert_eq!(tab.client(ANNA).unwrap().phone, "512-555-0100");
    assert!(!tab.replica.is_pending(RowKey {
        table: TableName::Client,
        id: ANNA
    }));
}

#[test]
fn a_killed_tab_comes_back_with_what_it_had_saved() {
    let (mut server, mut disk, mut tab) = known_client();
    tab.save(&mut disk, "e1", set(ANNA, "phone", "512-555-0100"));
    tab.push(&mut server);
    let mut tab = Tab::open("B", &disk);
    check(&tab, "B@1 e1'");
    assert_eq!(tab.client(ANNA).unwrap().phone, "512-555-0100");
    tab.sync(&mut disk, &mut server);
    check(&tab, "B@2");
    assert_eq!(server.rev, 2, "the repeat did nothing");
}

#[test]
fn a_refused_change_goes_to_needs_attention_and_stays_until_a_person_decides() {
    let (mut server, mut disk, mut tab) = known_client();
    server
        .run(&Command::DeleteClient(DeleteClient { id: ANNA }))
        .unwrap();
    let entry = tab.save(&mut disk, "e1", set(ANNA, "phone", "512-555-0100"));
    tab.sync(&mut disk, &mut server);
    check(&tab, "A@3 !e1");
    assert!(tab.client(ANNA).is_none());
    tab.sync(&mut disk, &mut server);
    check(&tab, "A@3 !e1");
    check(&Tab::open("B", &disk), "B@3 !e1");

    disk.attention.remove(&entry.mutation.id);
    tab.replica.resolved(entry.mutation.id);
    check(&tab, "A@3");
}

#[test]
fn a_change_that_answers_an_entry_of_needs_attention_takes_its_place() {
    let (mut server, mut disk, mut tab) = known_client();
    server
        .run(&Command::DeleteClient(DeleteClient { id: ANNA }))
        .unwrap();
    let refused = tab.save(&mut disk, "e1", set(ANNA, "phone", "512-555-0100"));
    tab.sync(&mut disk, &mut server);
    let request = SaveRequest {
        id: next_id(),
        command: create_client(ANNA, REX, "Anna"),
        sentence: "e2".to_owned(),
        made_at: AT,
        base_rev: None,
        photos: Vec::new(),
    };
    let entry = disk.append(tab.replica.prepare(request).unwrap());
    tab.replica
        .saved(entry, Some(refused.mutation.id), disk.meta.device_id);
    check(&tab, "A@3 e2'");
}

#[test]
fn two_fields_of_one_row_keep_both_words_and_their_order() {
    let (mut server, mut disk, mut tab) = known_client();
    tab.save(&mut disk, "e1", set(ANNA, "phone", "512-555-0100"));
    tab.save(&mut disk, "e2", set(ANNA, "phone", "512-555-0199"));
    server.run(&set(ANNA, "address", "12 Elm Street")).unwrap();
    let batch = tab.pull(&server);
    tab.apply(&mut disk, &batch);
    check(&tab, "A@2 e1' e2'");
    let anna = tab.client(ANNA).unwrap();
    assert_eq!(
        (anna.phone.as_str(), anna.address.as_str()),
        ("512-555-0199", "12 Elm Street")
    );
    tab.sync(&mut disk, &mut server);
    check(&tab, "A@4");
}

#[test]
fn nothing_is_sent_before_its_photos_nor_before_what_was_saved_earlier() {
    let (_, mut disk, mut tab) = known_client();
    let photo = Id::of(0xF0);
    let request = SaveRequest {
        id: next_id(),
        command: set(ANNA, "phone", "512-555-0100"),
        sentence: "e1".to_owned(),
        made_at: AT,
        base_rev: None,
        photos: vec![photo],
    };
    let entry = disk.append(tab.replica.prepare(request).unwrap());
    tab.replica.saved(entry, None, disk.meta.device_id);
    tab.save(&mut disk, "e2", set(ANNA, "phone", "512-555-0199"));
    assert!(tab.replica.next_push().is_none());
    assert_eq!(tab.replica.photos_to_upload(), [photo]);
    tab.replica.photo_uploaded(photo);
    assert!(tab.replica.photos_to_upload().is_empty());
    assert_eq!(tab.replica.next_push().unwrap().mutations.len(), 2);
}

#[test]
fn nothing_is_sent_before_the_server_is_known() {
    // What is sent to a server without a name could not be told from what is sent to its restored copy.
    let mut disk = Disk::new();
    let mut tab = Tab::open("A", &disk);
    tab.save(&mut disk, "e1", create_client(ANNA, REX, "Anna"));
    assert!(tab.replica.next_push().is_none());
    let mut server = Server::new();
    let batch = tab.pull(&server);
    tab.apply(&mut disk, &batch);
    tab.sync(&mut disk, &mut server);
    check(&tab, "A@1");
}

#[test]
fn a_mutation_that_is_to_be_tried_again_stays_unsent() {
    let (_, mut disk, mut tab) = known_client();
    let entry = tab.save(&mut disk, "e1", set(ANNA, "phone", "512-555-0100"));
    let retry = Outcome {
        id: entry.mutation.id,
        outcome: OutcomeKind::Retry,
        refusal: None,
        adjustments: Vec::new(),
        rev: 0,
    };
    let answer = PushResponse {
        results: vec![retry],
        stopped_at: Some(entry.mutation.id),
        stopped: Some(Stop::Busy),
    };
    assert!(!tab.replica.pushed(&answer));
    check(&tab, "A@1 e1'");
    assert!(tab.replica.next_push().is_some());
}

#[test]
fn pages_are_applied_together() {
    let (mut server, mut disk, mut tab) = known_client();
    server.run(&set(ANNA, "phone", "512-555-0100")).unwrap();
    server
        .run(&create_client(Id::of(0xB), Id::of(0xB1), "Ben"))
        .unwrap();
    server.page = 1;
    let (number, request) = tab.replica.next_pull();
    assert_eq!(
        tab.replica.pulled(number, server.pull(&request), next_id()),
        Pulled::More
    );
    check(&tab, "A@1");
    assert_eq!(tab.client(ANNA).unwrap().phone, "");
    let batch = tab.pull(&server);
    assert_eq!(batch.put.len(), 3);
    tab.apply(&mut disk, &batch);
    check(&tab, "A@3");
}

#[test]
fn a_pull_that_broke_off_begins_anew() {
    let (mut server, mut disk, mut tab) = known_client();
    server.run(&set(ANNA, "phone", "512-555-0100")).unwrap();
    server.run(&set(ANNA, "address", "12 Elm Street")).unwrap();
    server.page = 1;
    let (number, request) = tab.replica.next_pull();
    tab.replica.pulled(number, server.pull(&request), next_id());
    tab.replica.abandon_pull();
    let (_, again) = tab.replica.next_pull();
    assert_eq!(again.cursor, 1);
    let batch = tab.pull(&server);
    tab.apply(&mut disk, &batch);
    check(&tab, "A@3");
}

#[test]
fn a_late_or_repeated_answer_changes_nothing() {
    let (mut server, mut disk, mut tab) = known_client();
    let (first, old_request) = tab.replica.next_pull();
    let old_answer = server.pull(&old_request);
    server.run(&set(ANNA, "phone", "512-555-0100")).unwrap();
    let (second, request) = tab.replica.next_pull();
    let answer = server.pull(&request);
    assert_eq!(
        tab.replica.pulled(first, old_answer.clone(), next_id()),
        Pulled::Stale
    );
    let Pulled::Complete(batch) = tab.replica.pulled(second, answer.clone(), next_id()) else {
        panic!("complete")
    };
    tab.apply(&mut disk, &batch);
    assert_eq!(tab.replica.pulled(second, answer, next_id()), Pulled::Stale);
    assert_eq!(
        tab.replica.pulled(first, old_answer, next_id()),
        Pulled::Stale
    );
    check(&tab, "A@2");
    assert_eq!(tab.client(ANNA).unwrap().phone, "512-555-0100");
}

#[test]
fn a_reset_replaces_what_is_confirmed_and_keeps_what_waits() {
    let (mut server, mut disk, mut tab) = known_client();
    let ben = Id::of(0xB);
    server
        .run(&create_client(ben, Id::of(0xB1), "Ben"))
        .unwrap();
    tab.sync(&mut disk, &mut server);
    server
        .run(&Command::DeleteClient(DeleteClient { id: ben }))
        .unwrap();
    // The tombstones are gone, so that only a snapshot can tell.
    server.feed.retain(|_, it| !it.del);
    server.floor = 3;
    tab.save(&mut disk, "e1", set(ANNA, "phone", "512-555-0100"));
    let batch = tab.pull(&server);
    assert!(batch.clear && !batch.renumber);
    tab.apply(&mut disk, &batch);
    check(&tab, "A@3 e1'");
    assert!(tab.client(ben).is_none());
    assert_eq!(tab.client(ANNA).unwrap().phone, "512-555-0100");
    tab.sync(&mut disk, &mut server);
    check(&tab, "A@4");
}

#[test]
fn a_reset_in_the_middle_of_a_pull_starts_it_over() {
    let (mut server, mut disk, mut tab) = known_client();
    for n in 0..4 {
        server
            .run(&create_client(Id::of(0x100 + n), Id::of(0x200 + n), "Ben"))
            .unwrap();
    }
    server.page = 1;
    let (number, request) = tab.replica.next_pull();
    assert_eq!(
        tab.replica.pulled(number, server.pull(&request), next_id()),
        Pulled::More
    );
    server.floor = 5;
    let batch = tab.pull(&server);
    assert!(batch.clear);
    tab.apply(&mut disk, &batch);
    check(&tab, "A@5");
    assert_eq!(tab.replica.business().clients.len(), 5);
    assert_eq!(view_from_disk(&disk), *tab.replica.business());
}

#[test]
fn a_restored_server_gets_everything_that_waits_under_a_fresh_device() {
    let (mut server, mut disk, mut tab) = known_client();
    let backup = server.clone();
    tab.save(&mut disk, "e1", set(ANNA, "phone", "512-555-0100"));
    tab.sync(&mut disk, &mut server);
    tab.save(&mut disk, "e2", set(ANNA, "address", "12 Elm Street"));
    tab.push(&mut server);
    tab.save(&mut disk, "e3", set(ANNA, "email", "anna@example.com"));
    check(&tab, "A@2 e2* e3'");

    server.restored_from(backup);
    let batch = tab.pull(&server);
    assert!(batch.clear && batch.renumber);
    tab.apply(&mut disk, &batch);
    check(&tab, "A@1 e2' e3'");
    assert_ne!(tab.replica.meta().device_id, DEVICE);
    assert_eq!(
        tab.replica
            .outbox()
            .iter()
            .map(|it| it.mutation.seq)
            .collect::<Vec<_>>(),
        [1, 2]
    );
    tab.sync(&mut disk, &mut server);
    check(&tab, "A@3");
    let anna = tab.client(ANNA).unwrap();
    assert_eq!(
        (anna.address.as_str(), anna.email.as_str()),
        ("12 Elm Street", "anna@example.com")
    );
}

#[test]
fn an_acknowledgement_by_another_server_counts_for_nothing() {
    let (mut server, mut disk, mut tab) = known_client();
    let backup = server.clone();
    tab.save(&mut disk, "e1", set(ANNA, "phone", "512-555-0100"));
    tab.push(&mut server);
    let mut restored = backup;
    for n in 0..3 {
        restored
            .run(&create_client(Id::of(0x100 + n), Id::of(0x200 + n), "Ben"))
            .unwrap();
    }
    server.restored_from(restored);
    // The revision of the acknowledgement is behind the restored server's, and still it never decided e1.
    let batch = tab.pull(&server);
    assert!(batch.outbox_remove.is_empty());
    tab.apply(&mut disk, &batch);
    check(&tab, "A@4 e1'");
}

#[test]
fn a_restore_that_nobody_has_told_of_shows_also_where_others_have_overtaken_it() {
    let (mut server, mut disk, mut tab) = known_client();
    let backup = server.clone();
    tab.save(&mut disk, "e1", set(ANNA, "phone", "512-555-0100"));
    tab.sync(&mut disk, &mut server);
    check(&tab, "A@2");
    server = backup;
    for n in 0..3 {
        server
            .run(&create_client(Id::of(0x100 + n), Id::of(0x200 + n), "Ben"))
            .unwrap();
    }
    // It saves nothing, and its revision is behind the server's.
    let batch = tab.pull(&server);
    assert!(batch.clear && batch.renumber && batch.meta.verify);
    tab.apply(&mut disk, &batch);
    check(&tab, "A@4");
    assert_eq!(view_from_disk(&disk), server.business);
}

#[test]
fn what_the_feed_has_passed_without_a_word_is_asked_about_again() {
    let (mut server, mut disk, mut a) = known_client();
    let backup = server.clone();
    let mut b = Tab::open("B", &disk);
    a.save(&mut disk, "e1", set(ANNA, "phone", "512-555-0100"));
    a.push(&mut server);
    check(&a, "A@1 e1*");
    server = backup;
    for n in 0..3 {
        server
            .run(&create_client(Id::of(0x100 + n), Id::of(0x200 + n), "Ben"))
            .unwrap();
    }
    // What B knows is of both histories.
    let batch = b.pull(&server);
    b.apply(&mut disk, &batch);
    a.hear(&disk, &batch);
    check(&a, "A@4 e1'");
    a.sync(&mut disk, &mut server);
    check(&a, "A@5");
    assert_eq!(server.business.client(ANNA).unwrap().phone, "512-555-0100");
}

#[test]
fn what_leaves_the_outbox_without_a_word_in_the_feed_is_verified() {
    let (mut server, mut disk, mut tab) = known_client();
    let older = server.clone();
    for n in 0..3 {
        server
            .run(&create_client(Id::of(0x100 + n), Id::of(0x200 + n), "Ben"))
            .unwrap();
    }
    tab.sync(&mut disk, &mut server);
    check(&tab, "A@4");
    let newer = server.clone();
    // The acknowledgement is of a history that two restored backups have cut off on both sides: the tab's revision is
    // of the newer one and above it.
    server = older;
    tab.save(&mut disk, "e1", set(ANNA, "phone", "512-555-0100"));
    tab.push(&mut server);
    check(&tab, "A@4 e1*");
    server = newer;
    let batch = tab.pull(&server);
    assert!(!batch.renumber && batch.meta.verify);
    tab.apply(&mut disk, &batch);
    check(&tab, "A@4");
    assert!(disk.meta.verify);
}

#[test]
fn what_the_feed_confirms_is_not_verified() {
    let (mut server, mut disk, mut tab) = known_client();
    tab.save(&mut disk, "e1", set(ANNA, "phone", "512-555-0100"));
    tab.sync(&mut disk, &mut server);
    check(&tab, "A@2");
    assert!(!disk.meta.verify);
}

#[test]
fn what_was_acknowledged_and_is_not_in_the_feed_is_asked_about_again() {
    let (mut server, mut disk, mut tab) = known_client();
    let backup = server.clone();
    server
        .run(&create_client(Id::of(0x100), Id::of(0x200), "Ben"))
        .unwrap();
    tab.save(&mut disk, "e1", set(ANNA, "phone", "512-555-0100"));
    let (asked_before, request) = tab.replica.next_pull();
    let answer = server.pull(&request);
    tab.push(&mut server);
    check(&tab, "A@1 e1*");
    let Pulled::Complete(batch) = tab.replica.pulled(asked_before, answer, next_id()) else {
        panic!("the answer is whole");
    };
    check(&tab, "A@1 e1*");
    drop(batch);
    // The server that is put back never comes to the revision of the acknowledgement by itself.
    server = backup;
    let batch = tab.pull(&server);
    tab.apply(&mut disk, &batch);
    check(&tab, "A@1 e1'");
    tab.sync(&mut disk, &mut server);
    check(&tab, "A@2");
}

#[test]
fn pages_of_before_and_after_a_restore_are_not_put_together() {
    let (mut server, mut disk, mut tab) = known_client();
    let mut behind = Tab::open("B", &Disk::new());
    behind.replica = Replica::load(
        Meta::new(DEVICE),
        pages(&BTreeMap::new()),
        Vec::new(),
        Vec::new(),
    );
    server
        .run(&create_client(Id::of(0x100), Id::of(0x200), "Ben"))
        .unwrap();
    let backup = server.clone();
    // Anna is of a later page now, and of an earlier one in the backup.
    tab.save(&mut disk, "e1", set(ANNA, "phone", "512-555-0100"));
    tab.push(&mut server);
    server.page = 1;
    let (number, request) = behind.replica.next_pull();
    let page = server.pull(&request);
    assert_eq!(behind.replica.pulled(number, page, next_id()), Pulled::More);
    server = backup;
    let batch = behind.pull(&server);
    let mut rows = BTreeMap::new();
    write_rows(&mut rows, &batch);
    assert!(batch.clear, "it starts over");
    assert_eq!(rows.len(), server.feed.len());
}

#[test]
fn a_second_tab_follows_what_the_first_one_stores() {
    let (mut server, mut disk, mut a) = known_client();
    let mut b = Tab::open("B", &disk);
    let e1 = a.save(&mut disk, "e1", set(ANNA, "phone", "512-555-0100"));
    b.replica.saved(e1.clone(), None, DEVICE);
    b.replica.saved(e1, None, DEVICE);
    check(&b, "B@1 e1'");
    a.push(&mut server);
    let batch = a.pull(&server);
    a.apply(&mut disk, &batch);
    assert!(b.replica.applied(&batch));
    check(&b, "B@2");
    assert_eq!(a.replica.business(), b.replica.business());
}

#[test]
fn saves_of_two_tabs_are_shown_in_the_order_of_the_store() {
    let (_, mut disk, mut a) = known_client();
    let mut b = Tab::open("B", &disk);
    let e1 = a.save(&mut disk, "e1", set(ANNA, "phone", "512-555-0100"));
    b.save(&mut disk, "e2", set(ANNA, "phone", "512-555-0199"));
    b.hear_saved(&disk, e1, DEVICE);
    check(&b, "B@1 e1' e2'");
    assert_eq!(b.client(ANNA).unwrap().phone, "512-555-0199");
    assert_eq!(*b.replica.business(), view_from_disk(&disk));
}

#[test]
fn the_slower_of_two_pulls_is_void() {
    let (mut server, mut disk, mut a) = known_client();
    let mut b = Tab::open("B", &disk);
    server.run(&set(ANNA, "phone", "512-555-0100")).unwrap();
    let slow = b.pull(&server);
    server.run(&set(ANNA, "phone", "512-555-0199")).unwrap();
    a.sync(&mut disk, &mut server);
    assert!(!disk.apply(&slow));
    assert!(!a.replica.applied(&slow));
    b.apply(&mut disk, &slow);
    check(&b, "B@3");
    assert_eq!(b.client(ANNA).unwrap().phone, "512-555-0199");
}

#[test]
fn an_answer_that_was_asked_for_before_another_tab_applied_one_is_void() {
    let (mut server, mut disk, mut a) = known_client();
    let mut b = Tab::open("B", &disk);
    // Both have to begin anew, so that either answer follows nothing.
    server.floor = 2;
    server.run(&set(ANNA, "phone", "512-555-0100")).unwrap();
    let (number, request) = b.replica.next_pull();
    let older = server.pull(&request);
    server.run(&set(ANNA, "phone", "512-555-0199")).unwrap();
    let batch = a.pull(&server);
    a.apply(&mut disk, &batch);
    b.hear(&disk, &batch);
    check(&b, "B@3");
    assert_eq!(b.replica.pulled(number, older, next_id()), Pulled::Stale);
}

#[test]
fn a_page_that_was_asked_for_before_another_tab_applied_one_is_void() {
    let (mut server, mut disk, mut a) = known_client();
    let mut b = Tab::open("B", &disk);
    server.page = 1;
    server.run(&set(ANNA, "phone", "512-555-0100")).unwrap();
    server.run(&set(ANNA, "phone", "512-555-0199")).unwrap();
    let (first, request) = b.replica.next_pull();
    assert_eq!(
        b.replica.pulled(first, server.pull(&request), next_id()),
        Pulled::More
    );
    let (second, request) = b.replica.next_pull();
    let rest = server.pull(&request);
    server.page = 1000;
    let batch = a.pull(&server);
    a.apply(&mut disk, &batch);
    b.hear(&disk, &batch);
    assert_eq!(b.replica.pulled(second, rest, next_id()), Pulled::Stale);
    check(&b, "B@3");
}

#[test]
fn a_change_that_is_heard_of_after_it_was_confirmed_does_not_wait_again() {
    let (mut server, mut disk, mut a) = known_client();
    let e1 = a.save(&mut disk, "e1", set(ANNA, "phone", "512-555-0100"));
    // B finds e1 on the disk, sends and confirms it, and hears of it last of all.
    let mut b = Tab::open("B", &disk);
    b.sync(&mut disk, &mut server);
    check(&b, "B@2");
    b.hear_saved(&disk, e1.clone(), DEVICE);
    check(&b, "B@2");
    // Nor does one that was confirmed before the replica was loaded.
    b.reload(&disk);
    b.hear_saved(&disk, e1, DEVICE);
    check(&b, "B@2");
}

#[test]
fn a_change_whose_confirmation_is_heard_of_first_does_not_wait_again() {
    let (mut server, mut disk, mut a) = known_client();
    let (mut b, mut c) = (Tab::open("B", &disk), Tab::open("C", &disk));
    let e1 = a.save(&mut disk, "e1", set(ANNA, "phone", "512-555-0100"));
    b.hear_saved(&disk, e1.clone(), DEVICE);
    b.push(&mut server);
    let batch = b.pull(&server);
    b.apply(&mut disk, &batch);
    // What different tabs tell comes in any order.
    c.hear(&disk, &batch);
    c.hear_saved(&disk, e1, DEVICE);
    check(&c, "C@2");
}

#[test]
fn what_a_killed_tab_saved_and_never_told_of_is_sent_before_what_follows() {
    let (mut server, mut disk, mut a) = known_client();
    let mut b = Tab::open("B", &disk);
    a.save(&mut disk, "e1", set(ANNA, "phone", "512-555-0100"));
    drop(a);
    let request = SaveRequest {
        id: next_id(),
        command: set(ANNA, "address", "12 Elm Street"),
        sentence: "e2".to_owned(),
        made_at: AT,
        base_rev: None,
        photos: Vec::new(),
    };
    let e2 = disk.append(b.replica.prepare(request).unwrap());
    b.hear_saved(&disk, e2, DEVICE);
    check(&b, "B@1 e1' e2'");
    b.sync(&mut disk, &mut server);
    check(&b, "B@3");
}

#[test]
fn an_earlier_change_of_another_tab_is_shown_also_when_it_is_heard_of_after_a_later_one() {
    let (_, mut disk, mut a) = known_client();
    let mut b = Tab::open("B", &disk);
    let mut c = Tab::open("C", &disk);
    let e1 = a.save(&mut disk, "e1", set(ANNA, "phone", "512-555-0100"));
    let e2 = b.save(&mut disk, "e2", set(ANNA, "address", "12 Elm Street"));
    c.hear_saved(&disk, e2, DEVICE);
    c.hear_saved(&disk, e1, DEVICE);
    check(&c, "C@1 e1' e2'");
}

#[test]
fn an_entry_that_a_person_has_dropped_does_not_come_back_with_a_late_word_of_another_tab() {
    let (mut server, mut disk, mut a) = known_client();
    server
        .run(&Command::DeleteClient(DeleteClient { id: ANNA }))
        .unwrap();
    let e1 = a.save(&mut disk, "e1", set(ANNA, "phone", "512-555-0100"));
    a.push(&mut server);
    // B pulls past the outcome before it knows of e1, so that A's batch begins and ends at one cursor.
    let mut b = Tab::open("B", &disk);
    b.replica = {
        let mut without = disk.clone();
        without.outbox.clear();
        without.seq = 0;
        without.load()
    };
    let batch = b.pull(&server);
    b.apply(&mut disk, &batch);
    a.hear(&disk, &batch);
    a.push(&mut server);
    let batch = a.pull(&server);
    a.apply(&mut disk, &batch);
    check(&a, "A@3 !e1");
    b.reload(&disk);
    check(&b, "B@3 !e1");
    disk.attention.remove(&e1.mutation.id);
    b.replica.resolved(e1.mutation.id);
    b.hear(&disk, &batch);
    check(&b, "B@3");
}

#[test]
fn a_pull_of_a_tab_that_had_not_heard_of_a_change_does_not_leave_it_waiting_for_ever() {
    let (mut server, mut disk, mut a) = known_client();
    let mut b = Tab::open("B", &disk);
    let e1 = a.save(&mut disk, "e1", set(ANNA, "phone", "512-555-0100"));
    a.push(&mut server);
    // B pulls past e1's outcome before it hears of e1, and A is killed.
    let batch = b.pull(&server);
    b.apply(&mut disk, &batch);
    check(&b, "B@2");
    b.replica.saved(e1, None, DEVICE);
    check(&b, "B@2 e1'");
    b.sync(&mut disk, &mut server);
    check(&b, "B@2");
    assert!(disk.outbox.is_empty());
    assert_eq!(server.rev, 2);
}

#[test]
fn an_entry_that_a_person_has_dropped_does_not_come_back_from_another_tab() {
    let (mut server, mut disk, mut a) = known_client();
    server
        .run(&Command::DeleteClient(DeleteClient { id: ANNA }))
        .unwrap();
    let e1 = a.save(&mut disk, "e1", set(ANNA, "phone", "512-555-0100"));
    let mut b = Tab::open("B", &disk);
    a.sync(&mut disk, &mut server);
    check(&a, "A@3 !e1");
    disk.attention.remove(&e1.mutation.id);
    a.replica.resolved(e1.mutation.id);
    // B has heard nothing of it, sends e1 again and learns its outcome.
    b.push(&mut server);
    let batch = b.pull(&server);
    b.apply(&mut disk, &batch);
    check(&b, "B@3");
    assert!(disk.attention.is_empty());
}

#[test]
fn a_pull_from_before_a_restore_is_void_even_at_the_same_revision() {
    let (mut server, mut disk, mut a) = known_client();
    let backup = server.clone();
    server.run(&set(ANNA, "phone", "512-555-0100")).unwrap();
    let mut b = Tab::open("B", &disk);
    let from_the_lost_server = b.pull(&server);
    server.restored_from(backup);
    let batch = a.pull(&server);
    a.apply(&mut disk, &batch);
    check(&a, "A@1");
    b.apply(&mut disk, &from_the_lost_server);
    check(&b, "B@1");
    assert_eq!(b.client(ANNA).unwrap().phone, "");
}

#[test]
fn what_this_build_cannot_read_stays_on_the_disk_as_it_came() {
    let (_, mut disk, mut tab) = known_client();
    let rows = [
        json!({ "t": "hologram", "id": Id::of(1), "rev": 2, "d": { "depth": 3 } }),
        json!({ "t": "client", "id": Id::of(2), "rev": 2, "d": { "shape": "unknown" } }),
    ];
    let (number, request) = tab.replica.next_pull();
    let answer = json!({
        "from": request.cursor, "rows": rows, "outcomes": [], "next": 2, "more": false,
        "epoch": 0, "backend_id": Id::of(0xB1), "min_schema": 1,
    });
    let answer = serde_json::from_str(&answer.to_string()).unwrap();
    let Pulled::Complete(batch) = tab.replica.pulled(number, answer, next_id()) else {
        panic!("complete")
    };
    tab.apply(&mut disk, &batch);
    check(&tab, "A@2");
    assert_eq!(disk.rows.len(), 4);
    for (row, key) in rows.iter().zip(["hologram", "client"]) {
        let key = format!("{key}/{}", row["id"].as_str().unwrap());
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&disk.rows[&key]).unwrap(),
            *row
        );
    }
    assert_eq!(*tab.replica.business(), view_from_disk(&disk));
}

#[test]
fn a_stored_row_names_its_table_before_its_fields() {
    let (_, mut disk, mut tab) = known_client();
    let (number, request) = tab.replica.next_pull();
    let client = serde_json::to_string(tab.client(ANNA).unwrap()).unwrap();
    // A server may write the fields of its answer in any order.
    let answer = format!(
        r#"{{"from":{},"next":2,"more":false,"epoch":0,"backend_id":"{}","min_schema":1,"outcomes":[],
            "rows":[{{"d":{client},"rev":2,"id":"{ANNA}","t":"client"}}]}}"#,
        request.cursor,
        Id::of(0xB1),
    );
    let Pulled::Complete(batch) =
        tab.replica
            .pulled(number, serde_json::from_str(&answer).unwrap(), next_id())
    else {
        panic!("complete")
    };
    tab.apply(&mut disk, &batch);
    let [table, fields] =
        ["\"t\":", "\"d\":"].map(|it| disk.rows[&format!("client/{ANNA}")].find(it));
    assert!(table.is_some() && table < fields, "{table:?} {fields:?}");
    assert!(view_from_disk(&disk).client(ANNA).is_some());
    assert_eq!(*tab.replica.business(), view_from_disk(&disk));
}

#[test]
fn a_byte_that_went_wrong_on_the_disk_costs_its_own_row_alone() {
    let (_, disk, _) = known_client();
    let broken: Vec<Vec<u8>> = pages(&disk.rows)
        .map(|mut page| {
            let name = page.windows(6).position(|it| it == b"\"Anna\"").unwrap();
            page[name + 2] = 0xFF;
            page
        })
        .collect();
    let replica = Replica::load(
        disk.meta.clone(),
        broken.into_iter(),
        Vec::new(),
        Vec::new(),
    );
    assert!(replica.business().pet(REX).is_some());
}

#[test]
fn a_command_that_this_build_does_not_know_waits_for_one_that_does() {
    let (_, mut disk, mut tab) = known_client();
    let mutation = Mutation {
        id: next_id(),
        seq: 0,
        v: 9,
        made_at: AT,
        base_rev: 1,
        name: "teleport_dog".to_owned(),
        args: json!({ "to": "the park" }),
    };
    let entry = disk.append(OutboxEntry {
        mutation,
        sentence: "e1".to_owned(),
        photos: Vec::new(),
        bring_back: None,
    });
    tab.replica.saved(entry, None, disk.meta.device_id);
    tab.save(&mut disk, "e2", set(ANNA, "phone", "512-555-0100"));
    check(&tab, "A@1 e1' e2'");
    assert_eq!(tab.client(ANNA).unwrap().phone, "512-555-0100");
    assert_eq!(tab.replica.next_push().unwrap().mutations.len(), 2);
}

#[test]
fn rows_hidden_by_the_outbox_come_to_light_when_it_is_refused() {
    let (mut server, mut disk, mut tab) = known_client();
    server.run(&set(ANNA, "name", "Anna Berg")).unwrap();
    tab.save(
        &mut disk,
        "e1",
        Command::DeleteClient(DeleteClient { id: ANNA }),
    );
    assert!(tab.client(ANNA).is_none());
    let batch = tab.pull(&server);
    tab.apply(&mut disk, &batch);
    check(&tab, "A@2 e1'");
    assert!(tab.client(ANNA).is_none());

    let outcome = Outcome::refused(
        disk.outbox[&1].mutation.id,
        Refusal::HasFutureServices { count: 1 },
        3,
    );
    server.rev = 3;
    server.decided.insert(outcome.id, (DEVICE, outcome));
    let batch = tab.pull(&server);
    tab.apply(&mut disk, &batch);
    check(&tab, "A@3 !e1");
    assert_eq!(tab.client(ANNA).unwrap().name, "Anna Berg");
    assert_eq!(tab.replica.business().pets.len(), 1);
}

/// A step of `any_interleaving_leaves_the_view_as_base_with_the_outbox_on_top`.
#[derive(Clone, Debug)]
enum Step {
    Save(usize, Edit),
    Other(Edit),
    Push(usize),
    LosePush(usize),
    Pull(usize),
    Page(usize),
    Ask(usize),
    Answer(usize),
    Drop(usize),
    Hear(usize),
    Kill(usize),
    Collect,
    BackUp,
    Restore,
    /// As the step before, and nobody has said so.
    RestoreUnsaid,
}

#[derive(Clone, Debug)]
enum Edit {
    Create(u8),
    Phone(u8, u16),
    Address(u8, u16),
    Delete(u8),
    Offering(u8),
}

impl Edit {
    fn command(&self) -> Command {
        let client = |n: &u8| Id::of(0x1000 + u128::from(*n));
        match self {
            Self::Create(n) => create_client(client(n), Id::of(0x2000 + u128::from(*n)), "Ben"),
            Self::Phone(n, value) => set(client(n), "phone", &format!("512-555-{value:04}")),
            Self::Address(n, value) => set(client(n), "address", &format!("{value} Elm Street")),
            Self::Delete(n) => Command::DeleteClient(DeleteClient { id: client(n) }),
            Self::Offering(n) => Command::CreateOffering(CreateOffering {
                id: Id::of(0x3000 + u128::from(*n)),
                offering: Patch::from_row(&Offering {
                    name: "Walk".to_owned(),
                    ..Offering::new(ANNA, AT)
                }),
            }),
        }
    }
}

fn edits() -> impl Strategy<Value = Edit> {
    prop_oneof![
        (0..4u8).prop_map(Edit::Create),
        (0..4u8, 0..9999u16).prop_map(|(n, value)| Edit::Phone(n, value)),
        (0..4u8, any::<u16>()).prop_map(|(n, value)| Edit::Address(n, value)),
        (0..4u8).prop_map(Edit::Delete),
        (0..4u8).prop_map(Edit::Offering),
    ]
}

fn steps() -> impl Strategy<Value = Step> {
    let tab = || 0..2usize;
    prop_oneof![
        6 => (tab(), edits()).prop_map(|(tab, edit)| Step::Save(tab, edit)),
        3 => edits().prop_map(Step::Other),
        3 => tab().prop_map(Step::Push),
        1 => tab().prop_map(Step::LosePush),
        3 => tab().prop_map(Step::Pull),
        2 => tab().prop_map(Step::Page),
        2 => tab().prop_map(Step::Ask),
        2 => tab().prop_map(Step::Answer),
        1 => tab().prop_map(Step::Drop),
        4 => tab().prop_map(Step::Hear),
        1 => tab().prop_map(Step::Kill),
        1 => Just(Step::Collect),
        1 => Just(Step::BackUp),
        1 => Just(Step::Restore),
        1 => Just(Step::RestoreUnsaid),
    ]
}

/// A message from one tab to the other.
enum Message {
    Saved(OutboxEntry, Id),
    Applied(Batch),
    Resolved(Id),
}

/// The answer to tab `n`'s last call arrives, if there is one.
fn answer(
    n: usize,
    tabs: &mut [Tab; 2],
    under_way: &mut [UnderWay; 2],
    disk: &mut Disk,
    unheard: &mut [Vec<Message>; 2],
) {
    let Some((loads, number, response)) = under_way[n].take() else {
        return;
    };
    if loads != tabs[n].loads {
        return;
    }
    if let Pulled::Complete(batch) = tabs[n].replica.pulled(number, response, next_id())
        && tabs[n].apply(disk, &batch)
    {
        unheard[1 - n].push(Message::Applied(*batch));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn any_interleaving_leaves_the_view_as_base_with_the_outbox_on_top(steps in prop::collection::vec(steps(), 0..60)) {
        let mut server = Server::new();
        server.page = 2;
        let mut backup = server.clone();
        let mut disk = Disk::new();
        let mut tabs = [Tab::open("A", &disk), Tab::open("B", &disk)];
        let mut unheard: [Vec<Message>; 2] = [Vec::new(), Vec::new()];
        let mut saved = Vec::new();
        let mut was_restored = false;
        let mut under_way: [UnderWay; 2] = [None, None];
        for step in steps {
            let before = (disk.meta.backend_id, disk.meta.cursor);
            match step {
                Step::Save(n, ref edit) => {
                    let id = next_id();
                    let request = SaveRequest {
                        id, command: edit.command(), sentence: String::new(),
                        made_at: AT, base_rev: None, photos: Vec::new(),
                    };
                    if let Ok(entry) = tabs[n].replica.prepare(request) {
                        let entry = disk.append(entry);
                        saved.push(id);
                        let device_id = disk.meta.device_id;
                        tabs[n].hear_saved(&disk, entry.clone(), device_id);
                        unheard[1 - n].push(Message::Saved(entry, device_id));
                    }
                }
                Step::Other(ref edit) => drop(server.run(&edit.command())),
                Step::Push(n) => {
                    if let Some(request) = tabs[n].replica.next_push() {
                        let answer = server.push(&request);
                        tabs[n].replica.pushed(&answer);
                    }
                }
                Step::LosePush(n) => {
                    if let Some(request) = tabs[n].replica.next_push() {
                        server.push(&request);
                    }
                }
                Step::Pull(n) => {
                    let batch = tabs[n].pull(&server);
                    if tabs[n].apply(&mut disk, &batch) {
                        unheard[1 - n].push(Message::Applied(batch));
                    }
                }
                Step::Page(n) | Step::Ask(n) => {
                    let (number, request) = tabs[n].replica.next_pull();
                    under_way[n] = Some((tabs[n].loads, number, server.pull(&request)));
                    if matches!(step, Step::Page(_)) {
                        answer(n, &mut tabs, &mut under_way, &mut disk, &mut unheard);
                    }
                }
                Step::Answer(n) => answer(n, &mut tabs, &mut under_way, &mut disk, &mut unheard),
                Step::Drop(n) => {
                    let first = tabs[n].needs_attention().pop_first();
                    if let Some(id) = first {
                        disk.attention.remove(&id);
                        tabs[n].replica.resolved(id);
                        unheard[1 - n].push(Message::Resolved(id));
                    }
                }
                Step::Hear(n) if unheard[n].is_empty() => {}
                Step::Hear(n) => match unheard[n].remove(0) {
                    Message::Saved(entry, device_id) => tabs[n].hear_saved(&disk, entry, device_id),
                    Message::Applied(batch) => tabs[n].hear(&disk, &batch),
                    Message::Resolved(id) => tabs[n].replica.resolved(id),
                },
                Step::Kill(n) => {
                    tabs[n].reload(&disk);
                    unheard[n].clear();
                    under_way[n] = None;
                }
                Step::Collect => {
                    server.feed.retain(|_, it| !it.del);
                    server.floor = server.rev;
                    backup = server.clone();
                }
                Step::BackUp => backup = server.clone(),
                Step::Restore => {
                    was_restored = true;
                    let backend_id = next_id();
                    server.restored_from(backup.clone());
                    server.backend_id.set(backend_id);
                }
                Step::RestoreUnsaid => {
                    was_restored = true;
                    server = backup.clone();
                    // What the process had still to say went with it.
                    under_way = [None, None];
                }
            }
            for tab in &tabs {
                prop_assert_eq!(tab.replica.business(), &tab.expected_view());
            }
            let place = (disk.meta.backend_id, disk.meta.cursor);
            prop_assert!(before.0 != place.0 || before.1 <= place.1, "back from {before:?} to {place:?}");
        }
        // Who has heard everything knows what waits, and shows nothing that does not.
        for (n, tab) in tabs.iter_mut().enumerate() {
            for message in std::mem::take(&mut unheard[n]) {
                match message {
                    Message::Saved(entry, device_id) => tab.hear_saved(&disk, entry, device_id),
                    Message::Applied(batch) => tab.hear(&disk, &batch),
                    Message::Resolved(id) => tab.replica.resolved(id),
                }
            }
            let waiting: Vec<Id> = disk.outbox.values().map(|it| it.mutation.id).collect();
            prop_assert_eq!(tab.waits(), waiting);
            prop_assert_eq!(tab.needs_attention(), disk.attention.keys().copied().collect());
        }
        // Quiet: everything is heard, sent and confirmed, and all agree.
        for _ in 0..4 {
            for (n, tab) in tabs.iter_mut().enumerate() {
                unheard[n].clear();
                tab.reload(&disk);
                tab.sync(&mut disk, &mut server);
            }
        }
        tabs[0].reload(&disk);
        prop_assert!(disk.outbox.is_empty(), "waits for ever: {}", tabs[0]);
        for id in saved.iter().filter(|_| !was_restored) {
            prop_assert!(server.decided.contains_key(id), "lost");
        }
        for (key, row) in &server.feed {
            let stored = tabs[0].replica.business().get(*key);
            let expected = row.d.as_ref().map(|it| key.table.read(it.get()).unwrap());
            prop_assert_eq!(stored.map(|it| it.row), expected);
        }
        prop_assert_eq!(tabs[0].replica.business(), tabs[1].replica.business());
    }
}
