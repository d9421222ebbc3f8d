//! Owns `Replica`: confirmed rows with the outbox replayed on top, from memory.

use super::bring_back::bring_back;
use super::entries::{AttentionEntry, Batch, Meta, OutboxEntry, Pulled, SaveRequest, StoredText};
use super::wire::{
    Mutation, Outcome, OutcomeKind, PUSH_BYTES, PUSH_LIMIT, PullRequest, PullResponse, PushRequest,
    PushResponse, SCHEMA, WireRow, Zone, zone_of,
};
use crate::commands::decide;
use crate::commands::decision::{Actor, Adjustment};
use crate::rows::row::{Row, RowKey, TableName};
use crate::rows::versioned::{self, Versioned};
use crate::values::sort::SmallSort as _;
use crate::values::zone::TimeZone;
use crate::{Business, Change, Context, Id, Instant, Now, Refusal};

/// Pages of a pull that is under way.
#[derive(Clone, Debug)]
struct Staging {
    rows: Vec<WireRow>,
    outcomes: Vec<Outcome>,
    reset: bool,
    next: u64,
    epoch: u64,
    backend_id: Id,
    /// The server's last revision when the newest of the pages was made, and what that was called.
    head: u64,
    rev_id: Option<Id>,
    zone: Option<Zone>,
    /// The number of the first page's request.
    asked: u32,
    /// True if the pull started from nothing, so that its pages have all rows.
    is_whole: bool,
}

/// The server's decision on a pushed mutation.
#[derive(Clone, Debug)]
struct Acknowledged {
    outcome: Outcome,
    /// True if the pulls had already reached the outcome's revision, so that the feed will not bring it.
    is_passed: bool,
    /// The last request to the feed that was made before.
    asked: u32,
}

/// A business on one phone: what its screens show, what waits, what needs attention.
#[derive(Clone, Debug)]
pub struct Replica {
    /// Confirmed rows with the outbox on top.
    view: Business,
    /// The confirmed rows that the outbox hides, so that it can be taken off again.
    covered: Vec<(RowKey, Option<Versioned<Row>>)>,
    outbox: Vec<OutboxEntry>,
    attention: Vec<AttentionEntry>,
    meta: Meta,
    zone: TimeZone,
    /// Decided by the server, but not yet confirmed by the feed: not sent again, still shown.
    acknowledged: Vec<Acknowledged>,
    /// Places in the device's order that were confirmed since the replica was loaded, ascending.
    confirmed: Vec<u64>,
    /// Photos that the server has.
    uploaded: Vec<Id>,
    staging: Option<Staging>,
    pull_number: u32,
}

impl Replica {
    /// A replica from what the store holds: pages of confirmed rows, each a `StoredText` on a line of its own with a
    /// blank after its key, in any order; the outbox by `seq`.
    ///
    /// Rows that this build cannot read are passed over here and stay in the store for one that can.
    pub fn load(
        meta: Meta,
        pages: impl Iterator<Item = Vec<u8>>,
        outbox: Vec<OutboxEntry>,
        attention: Vec<AttentionEntry>,
    ) -> Self {
        let mut view = Business::default();
        for page in pages {
            // A byte that went wrong on the disk costs its own row and not its page.
            let page = String::from_utf8(page)
                .unwrap_or_else(|it| String::from_utf8_lossy(it.as_bytes()).into_owned());
            view.load(page);
        }
        view.reach.clone_from(&meta.reach);
        let mut replica = Self {
            view,
            covered: Vec::new(),
            outbox,
            attention,
            zone: zone_of(meta.zone.as_ref()),
            meta,
            acknowledged: Vec::new(),
            confirmed: Vec::new(),
            uploaded: Vec::new(),
            staging: None,
            pull_number: 0,
        };
        replica.outbox.small_sort_by_key(|it| it.mutation.seq);
        replica.cover_all();
        replica
    }

    /// Returns the rows that screens show: the confirmed ones with the outbox on top.
    pub const fn business(&self) -> &Business {
        &self.view
    }

    /// Returns the sync state of the database.
    pub const fn meta(&self) -> &Meta {
        &self.meta
    }

    /// Returns the entries that wait to be sent or confirmed, oldest first.
    pub fn outbox(&self) -> &[OutboxEntry] {
        &self.outbox
    }

    /// Returns the entries that need a person, oldest first.
    pub fn attention(&self) -> &[AttentionEntry] {
        &self.attention
    }

    /// The clock `at` in the business's zone.
    pub fn now(&self, at: Instant) -> Now {
        Now {
            at,
            zone: self.zone.clone(),
        }
    }

    /// The person at the phone.
    pub fn actor(&self) -> Actor {
        self.meta.client_id.map_or(Actor::Sitter, Actor::Client)
    }

    /// The person at the phone, who acts at that moment.
    fn context(&self, at: Instant) -> Context {
        Context {
            actor: self.actor(),
            ..Context::at(self.now(at))
        }
    }

    /// Returns true if the row has changes that are not confirmed.
    pub fn is_pending(&self, key: RowKey) -> bool {
        self.covered.iter().any(|it| it.0 == key)
    }

    /// Returns true if the server has decided the mutation, and the feed is still to confirm it.
    pub fn is_acknowledged(&self, id: Id) -> bool {
        self.acknowledged.iter().any(|it| it.outcome.id == id)
    }

    /// Checks a change and gives the entry to store, with `seq` 0: the store numbers it in its transaction.
    ///
    /// Call `saved` when that is complete. A refusal is for the form: nothing was saved.
    pub fn prepare(&self, request: SaveRequest) -> Result<OutboxEntry, Refusal> {
        let context = self.context(request.made_at);
        let decision = decide(&request.command, &self.view, &context)?;
        let (name, args) = Mutation::parts(&request.command);
        Ok(OutboxEntry {
            mutation: Mutation {
                id: request.id,
                seq: 0,
                v: SCHEMA,
                made_at: request.made_at,
                base_rev: request.base_rev.unwrap_or(self.meta.cursor),
                name,
                args,
            },
            sentence: request.sentence,
            photos: request.photos,
            bring_back: bring_back(&request.command, &decision.changes, &self.view),
        })
    }

    /// The store has saved this entry, here or in another tab, as that of `device_id`: show it. `resolves` leaves
    /// Needs attention with it.
    ///
    /// Returns `false` when the store numbers for another device than the replica knows, or something was saved before
    /// it that the replica has not heard of: load anew. Without that a server would wait for it for ever, where the tab
    /// that saved it was killed before it could tell.
    pub fn saved(&mut self, entry: OutboxEntry, resolves: Option<Id>, device_id: Id) -> bool {
        if device_id != self.meta.device_id {
            return false;
        }
        if let Some(id) = resolves {
            self.resolved(id);
        }
        let is_shown = self
            .outbox
            .iter()
            .any(|it| it.mutation.id == entry.mutation.id);
        // INVARIANT: A change that is heard of after it was confirmed does not wait again.
        if is_shown || self.has_left_the_outbox(entry.mutation.seq) {
            return true;
        }
        if self.last_known_seq() + 1 < entry.mutation.seq {
            return false;
        }
        let is_newest = self
            .outbox
            .last()
            .is_none_or(|it| it.mutation.seq < entry.mutation.seq);
        if is_newest {
            self.cover(&entry);
            self.outbox.push(entry);
        } else {
            self.uncover_all();
            self.outbox.push(entry);
            self.outbox.small_sort_by_key(|it| it.mutation.seq);
            self.cover_all();
        }
        true
    }

    /// The last place in the device's order that the replica knows of.
    fn last_known_seq(&self) -> u64 {
        let shown = self.outbox.last().map(|it| it.mutation.seq);
        let confirmed = self.confirmed.last().copied();
        shown.max(confirmed).unwrap_or_default().max(self.meta.seq)
    }

    /// Returns true if an entry with this `seq`, which is not in the outbox, had been there before: other tabs report
    /// late what they saved, and the reports of different tabs come in any order.
    fn has_left_the_outbox(&self, seq: u64) -> bool {
        seq <= self.meta.seq || self.confirmed.binary_search(&seq).is_ok()
    }

    /// The store has removed this entry of Needs attention, by its mutation's id.
    pub fn resolved(&mut self, id: Id) {
        self.attention.retain(|it| it.entry.mutation.id != id);
    }

    /// The server has this photo.
    pub fn photo_uploaded(&mut self, photo: Id) {
        self.uploaded.push(photo);
    }

    /// Builds the next push, if anything can be sent: in order, nothing before its photos, and nothing before the first
    /// pull, or a server that was restored from a backup could not be told from the one that was meant.
    pub fn next_push(&self) -> Option<PushRequest> {
        self.next_push_of(PUSH_LIMIT)
    }

    /// `next_push` with at most so many; one by one tells which of many it is that the server does not take.
    pub fn next_push_of(&self, limit: usize) -> Option<PushRequest> {
        self.meta.backend_id?;
        let mutations: Vec<Mutation> = self
            .outbox
            .iter()
            .filter(|it| !self.is_acknowledged(it.mutation.id))
            .take_while(|it| it.photos.iter().all(|photo| self.uploaded.contains(photo)))
            .take(limit)
            .scan(0, |bytes, it| {
                let before = *bytes;
                *bytes += serde_json::to_string(&it.mutation.args).map_or(0, |it| it.len());
                // One that is large alone goes alone.
                (before == 0 || *bytes <= PUSH_BYTES).then(|| it.mutation.clone())
            })
            .collect();
        (!mutations.is_empty()).then_some(PushRequest {
            device_id: self.meta.device_id,
            schema: SCHEMA,
            backend_id: self.meta.backend_id,
            mutations,
        })
    }

    /// Photos that the outbox waits for, in the order in which they are needed.
    pub fn photos_to_upload(&self) -> Vec<Id> {
        let photos = self.outbox.iter().flat_map(|it| it.photos.iter().copied());
        photos.filter(|it| !self.uploaded.contains(it)).collect()
    }

    /// Takes the answer to a push: whether the feed now has something to confirm.
    ///
    /// Nothing leaves the outbox here. Only the feed confirms, or a change would flicker away between this
    /// answer and the rows that it led to.
    pub fn pushed(&mut self, response: &PushResponse) -> bool {
        let decided = response
            .results
            .iter()
            .filter(|it| it.outcome != OutcomeKind::Retry);
        let before = self.acknowledged.len();
        for outcome in decided {
            let news = Acknowledged {
                outcome: outcome.clone(),
                is_passed: outcome.rev <= self.meta.cursor,
                asked: self.pull_number,
            };
            let mut known = self.acknowledged.iter_mut();
            match known.find(|it| it.outcome.id == outcome.id) {
                Some(known) => *known = news,
                None => self.acknowledged.push(news),
            }
        }
        self.acknowledged.len() > before
    }

    /// Starts a pull, or asks for its next page: the request and its number, which the answer must come with.
    pub fn next_pull(&mut self) -> (u32, PullRequest) {
        self.pull_number += 1;
        // The pages after the first are asked for in the words of the first, or a reset would begin anew with each.
        let staging = self.staging.as_ref();
        let request = PullRequest {
            cursor: staging.map_or(self.meta.cursor, |it| it.next),
            device_id: self.meta.device_id,
            schema: SCHEMA,
            epoch: staging.map(|it| it.epoch).or(self.meta.epoch),
            backend_id: staging.map(|it| it.backend_id).or(self.meta.backend_id),
            seen: staging.map(|it| it.head),
            rev_id: staging.map_or(self.meta.rev_id, |it| it.rev_id),
        };
        (self.pull_number, request)
    }

    /// Forgets the pages of a pull that broke off.
    pub fn abandon_pull(&mut self) {
        self.staging = None;
        self.pull_number += 1;
    }

    /// Takes a page of the feed. `fresh_device_id` is used if the server turns out to be another one.
    pub fn pulled(&mut self, number: u32, response: PullResponse, fresh_device_id: Id) -> Pulled {
        let expected = self.staging.as_ref().map_or(self.meta.cursor, |it| it.next);
        if number != self.pull_number || (response.from != expected && !response.reset) {
            return Pulled::Stale;
        }
        let mut staging = self
            .staging
            .take()
            .filter(|_| !response.reset)
            .unwrap_or(Staging {
                rows: Vec::new(),
                outcomes: Vec::new(),
                reset: response.reset,
                next: response.from,
                epoch: response.epoch,
                backend_id: response.backend_id,
                head: response.head,
                rev_id: response.rev_id,
                zone: None,
                asked: number,
                is_whole: response.from == 0,
            });
        staging.rows.extend(response.rows);
        staging.outcomes.extend(response.outcomes);
        staging.next = response.next;
        (staging.head, staging.rev_id) = (response.head, response.rev_id);
        staging.zone = response.zone.or(staging.zone);
        if response.more {
            self.staging = Some(staging);
            return Pulled::More;
        }
        // INVARIANT: No rows come into the database of a client whose own record is not among them.
        if staging.is_whole && self.is_of_another(&staging.rows) {
            return Pulled::Complete(Box::new(self.let_go(fresh_device_id)));
        }
        // INVARIANT: What was acknowledged and is not in the feed is asked about again. A server that was put back in
        // between does not know it any more. The feed of before the acknowledgement says nothing of it.
        self.acknowledged.retain(|it| {
            it.is_passed
                || staging.asked <= it.asked
                || staging.outcomes.iter().any(|told| told.id == it.outcome.id)
        });
        let is_other_server = self
            .meta
            .backend_id
            .is_some_and(|it| it != response.backend_id);
        // INVARIANT: What leaves the outbox without a word in the feed is verified. The acknowledgement may be of a history
        // that two restored backups have cut off.
        let is_unconfirmed = self.acknowledged.iter().any(|it| {
            it.is_passed && !staging.outcomes.iter().any(|told| told.id == it.outcome.id)
        });
        let meta = Meta {
            client_id: self.meta.client_id,
            device_id: if is_other_server {
                fresh_device_id
            } else {
                self.meta.device_id
            },
            cursor: staging.next,
            epoch: Some(response.epoch),
            backend_id: Some(response.backend_id),
            rev_id: staging.rev_id,
            min_schema: response.min_schema,
            zone: staging.zone.or_else(|| self.meta.zone.clone()),
            seq: self.meta.seq,
            verify: self.meta.verify || is_other_server || is_unconfirmed,
            reach: response.reach.unwrap_or_else(|| self.meta.reach.clone()),
        };
        Pulled::Complete(Box::new(self.batch(
            staging.rows,
            &staging.outcomes,
            staging.reset,
            meta,
            is_other_server,
        )))
    }

    /// Returns true if a whole pull lacks the client record that this database belongs to: the person was unlinked, and
    /// perhaps linked as another client since.
    fn is_of_another(&self, rows: &[WireRow]) -> bool {
        let is_own = |it: &WireRow, id| it.id == id && it.t == TableName::Client.name() && !it.del;
        let own = self.meta.client_id;
        own.is_some_and(|id| !rows.iter().any(|it| is_own(it, id)))
    }

    pub(super) fn batch(
        &self,
        rows: Vec<WireRow>,
        outcomes: &[Outcome],
        clear: bool,
        meta: Meta,
        renumber: bool,
    ) -> Batch {
        // A row may come in several pages; the last one counts.
        let mut newest: Vec<(String, WireRow)> = rows
            .into_iter()
            .map(|row| ([row.t.as_str(), "/", &row.id.to_string()].concat(), row))
            .collect();
        newest.small_sort_by(|a, b| a.0.cmp(&b.0));
        newest.reverse();
        newest.dedup_by(|a, b| a.0 == b.0);
        newest.reverse();
        let mut put = Vec::new();
        let mut delete = Vec::new();
        for (key, row) in newest {
            match serde_json::to_string(&row) {
                Ok(text) if !row.del => put.push(StoredText { key, text }),
                _ => delete.push(key),
            }
        }
        let mut outbox_remove = Vec::new();
        let mut attention_put = Vec::new();
        let mut confirmed = Vec::new();
        for entry in &self.outbox {
            let id = entry.mutation.id;
            // An outcome that the feed has passed already, in a pull by a tab that had not heard of the entry, does
            // not come again. What another server had said counts for nothing.
            let passed = self
                .acknowledged
                .iter()
                .find(|it| it.outcome.id == id && it.is_passed && !renumber)
                .map(|it| &it.outcome);
            let Some(outcome) = outcomes.iter().find(|it| it.id == id).or(passed) else {
                continue;
            };
            match outcome.outcome {
                OutcomeKind::Applied => {}
                OutcomeKind::Adjusted | OutcomeKind::Rejected => {
                    attention_put.push(AttentionEntry {
                        entry: entry.clone(),
                        outcome: outcome.clone(),
                    });
                }
                OutcomeKind::Retry => continue,
            }
            if outcome.outcome != OutcomeKind::Rejected {
                confirmed.push(entry.clone());
            }
            outbox_remove.push(entry.mutation.seq);
        }
        Batch {
            expect_cursor: self.meta.cursor,
            expect_device_id: self.meta.device_id,
            expect_backend_id: self.meta.backend_id,
            clear,
            put,
            delete,
            outbox_remove,
            outbox_put: Vec::new(),
            confirmed,
            attention_put,
            meta,
            renumber,
        }
    }

    /// Returns the outcomes of pushes that the feed has not confirmed.
    pub(super) fn acknowledged(&self) -> Vec<Outcome> {
        let known = self.acknowledged.iter();
        known.map(|it| it.outcome.clone()).collect()
    }

    /// Builds a batch that changes no confirmed row, for what the phone does by itself.
    pub(super) fn local_batch(&self) -> Batch {
        self.batch(Vec::new(), &[], false, self.meta.clone(), true)
    }

    /// The store has written this batch, here or in another tab: show it.
    ///
    /// Returns `false` when the replica is not where the batch begins, the outbox was renumbered, or a photo was refused:
    /// load anew. A photo alone has no place in the device's order by which a late word could be told from a new one;
    /// whether a person has decided on it since is on the disk.
    pub fn applied(&mut self, batch: &Batch) -> bool {
        // INVARIANT: An answer that was asked for before another tab applied one is void. It may be the older one.
        self.abandon_pull();
        let is_here = batch.expect_cursor == self.meta.cursor
            && batch.expect_device_id == self.meta.device_id
            && batch.expect_backend_id == self.meta.backend_id;
        let mut put = batch.attention_put.iter();
        let has_refused_photo = put.any(|it| it.entry.mutation.seq == 0);
        if !is_here || batch.renumber || has_refused_photo {
            return false;
        }
        self.uncover_all();
        if batch.clear {
            self.view = Business::default();
        }
        for StoredText { text, .. } in &batch.put {
            if let Some(versioned) = versioned::read(text) {
                self.view.put(versioned.rev, versioned.row);
            }
        }
        for key in &batch.delete {
            if let Some((table, id)) = key.split_once('/')
                && let (Some(table), Ok(id)) = (TableName::parse(table), id.parse())
            {
                self.view.delete(RowKey { table, id });
            }
        }
        for AttentionEntry { entry, outcome } in &batch.attention_put {
            let waits = self
                .outbox
                .iter()
                .any(|it| it.mutation.seq == entry.mutation.seq);
            // Where it had left the outbox before, a person may have decided already.
            if waits || !self.has_left_the_outbox(entry.mutation.seq) {
                self.resolved(entry.mutation.id);
                self.attention.push(AttentionEntry {
                    entry: entry.clone(),
                    outcome: outcome.clone(),
                });
            }
        }
        let acknowledged = &mut self.acknowledged;
        self.outbox.retain(|it| {
            let stays = !batch.outbox_remove.contains(&it.mutation.seq);
            if !stays {
                acknowledged.retain(|known| known.outcome.id != it.mutation.id);
            }
            stays
        });
        for seq in &batch.outbox_remove {
            if let Err(place) = self.confirmed.binary_search(seq) {
                self.confirmed.insert(place, *seq);
            }
        }
        for entry in &batch.outbox_put {
            let mut known = self.outbox.iter_mut();
            if let Some(known) = known.find(|it| it.mutation.seq == entry.mutation.seq) {
                known.clone_from(entry);
            }
        }
        if batch.meta.zone != self.meta.zone {
            self.zone = zone_of(batch.meta.zone.as_ref());
        }
        self.meta = Meta {
            seq: self.meta.seq,
            ..batch.meta.clone()
        };
        self.view.reach.clone_from(&self.meta.reach);
        // Another tab's feed may have passed it without a word for the same reason.
        self.acknowledged
            .retain(|it| it.is_passed || self.meta.cursor < it.outcome.rev);
        self.cover_all();
        true
    }

    /// Shows a saved change: what it hides is remembered, so that it can be taken off again.
    fn cover(&mut self, entry: &OutboxEntry) {
        let Ok(command) = entry.mutation.command() else {
            return;
        };
        let context = Context {
            is_shown: true,
            ..self.context(entry.mutation.made_at)
        };
        let Ok(decision) = decide(&command, &self.view, &context) else {
            return;
        };
        for change in &decision.changes {
            let key = change.key();
            if !self.is_pending(key) {
                self.covered.push((key, self.view.get(key)));
            }
            match change {
                Change::Put(row) => {
                    let rev = self.view.get(key).map_or(0, |it| it.rev);
                    self.view.put(rev, row.clone());
                }
                Change::Delete(key) => self.view.delete(*key),
            }
        }
    }

    fn cover_all(&mut self) {
        let outbox = std::mem::take(&mut self.outbox);
        for entry in &outbox {
            self.cover(entry);
        }
        self.outbox = outbox;
    }

    fn uncover_all(&mut self) {
        for (key, confirmed) in std::mem::take(&mut self.covered) {
            match confirmed {
                Some(versioned) => self.view.put(versioned.rev, versioned.row),
                None => self.view.delete(key),
            }
        }
    }
}

impl Outcome {
    /// An outcome of a command that was done.
    pub fn done(id: Id, adjustments: Vec<Adjustment>, rev: u64) -> Self {
        let outcome = if adjustments.is_empty() {
            OutcomeKind::Applied
        } else {
            OutcomeKind::Adjusted
        };
        Self {
            id,
            outcome,
            refusal: None,
            adjustments,
            rev,
        }
    }

    /// An outcome of a command that was turned down.
    pub const fn refused(id: Id, refusal: Refusal, rev: u64) -> Self {
        Self {
            id,
            outcome: OutcomeKind::Rejected,
            refusal: Some(refusal),
            adjustments: Vec::new(),
            rev,
        }
    }
}
