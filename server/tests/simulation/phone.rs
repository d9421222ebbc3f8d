//! Owns a phone as its shell makes it, step by step as `store/store.ts`, `business/openBusiness.ts` and
//! `sync/syncer.ts` in `pwa/src/data` do: the disk, on which each function is one transaction, and what a tab has in
//! memory.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use walkies_core::sync::{AttentionEntry, Batch, Meta, OutboxEntry, Replica};
use walkies_core::{Business, Id};

use crate::bugs::Bug;

/// State that survives a killed tab.
#[derive(Clone)]
pub struct Disk {
    pub meta: Meta,
    pub seq: u64,
    pub base: BTreeMap<String, String>,
    pub outbox: BTreeMap<u64, OutboxEntry>,
    pub attention: BTreeMap<Id, AttentionEntry>,
    /// Photos by id; true while one still waits to be uploaded.
    pub photos: BTreeMap<Id, bool>,
    pub drafts: BTreeSet<Id>,
}

impl Disk {
    pub fn new(device_id: Id) -> Self {
        Self {
            meta: Meta::new(device_id),
            seq: 0,
            base: BTreeMap::new(),
            outbox: BTreeMap::new(),
            attention: BTreeMap::new(),
            photos: BTreeMap::new(),
            drafts: BTreeSet::new(),
        }
    }

    pub fn load(&self) -> Replica {
        let pages = self
            .base
            .iter()
            .map(|(key, text)| format!("{key} {text}\n").into_bytes());
        let outbox = self.outbox.values().cloned().collect();
        let meta = Meta {
            seq: self.seq,
            ..self.meta.clone()
        };
        Replica::load(
            meta,
            pages,
            outbox,
            self.attention.values().cloned().collect(),
        )
    }

    /// Saves a change with its photos, ends its draft, and takes away what it answers.
    pub fn append(
        &mut self,
        mut entry: OutboxEntry,
        draft: Id,
        resolves: Option<Id>,
    ) -> OutboxEntry {
        self.seq += 1;
        entry.mutation.seq = self.seq;
        self.outbox.insert(self.seq, entry.clone());
        self.drafts.remove(&draft);
        if let Some(id) = resolves {
            self.attention.remove(&id);
        }
        self.photos
            .extend(entry.photos.iter().map(|it| (*it, true)));
        entry
    }

    /// Planted: a transaction that ends in the middle.
    pub fn apply_half(&mut self, batch: &Batch) {
        self.base
            .extend(batch.put.iter().map(|it| (it.key.clone(), it.text.clone())));
        for key in &batch.delete {
            self.base.remove(key);
        }
    }

    /// Applies a complete pull; `false` when another tab was faster and this one is void.
    pub fn apply(&mut self, batch: &Batch, bug: Option<Bug>) -> bool {
        let is_void = batch.expect_cursor != self.meta.cursor
            || batch.expect_device_id != self.meta.device_id
            || batch.expect_backend_id != self.meta.backend_id
            || batch
                .outbox_remove
                .iter()
                .chain(batch.outbox_put.iter().map(|it| &it.mutation.seq))
                .any(|it| !self.outbox.contains_key(it));
        if is_void && bug != Some(Bug::StalePullOverwrites) {
            return false;
        }
        if batch.clear {
            self.base.clear();
        }
        self.base
            .extend(batch.put.iter().map(|it| (it.key.clone(), it.text.clone())));
        for key in &batch.delete {
            self.base.remove(key);
        }
        for seq in &batch.outbox_remove {
            self.outbox.remove(seq);
        }
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
            for (_, mut entry) in std::mem::take(&mut self.outbox) {
                self.seq += 1;
                entry.mutation.seq = self.seq;
                self.photos
                    .extend(entry.photos.iter().map(|it| (*it, true)));
                self.outbox.insert(self.seq, entry);
            }
        }
        self.meta = batch.meta.clone();
        true
    }
}

/// A message from one tab to the others.
#[derive(Clone)]
pub enum Message {
    Saved(Box<OutboxEntry>, Option<Id>, Id),
    Applied(Box<Batch>),
    Resolved(Id),
    PhotoUploaded(Id),
}

/// Stage of a round of syncing.
#[derive(Clone, Debug)]
pub enum Stage {
    Idle,
    /// For the lock that only one tab has.
    Waiting,
    Photos(VecDeque<Id>),
    Push(Vec<Id>),
    Pull(u32),
    /// The batch is being written.
    Apply,
}

/// Next step after a batch was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    Finish,
    Pull,
    /// One of the photos was refused.
    Photos,
}

/// State of a tab in memory.
pub struct Tab {
    /// Counts the times that it was opened; what was meant for an earlier life arrives nowhere.
    pub life: u32,
    pub replica: Option<Replica>,
    /// Counts the times that the replica was loaded anew.
    pub load: u32,
    pub stage: Stage,
    pub again: bool,
    pub retry_ms: i64,
    /// The timer that counts; older ones were cleared.
    pub timer: u32,
    /// The call whose answer is waited for.
    pub call: u64,
    /// Changes of this phone that this tab has shown.
    pub known: BTreeSet<Id>,
    /// When the last message to this tab arrives, so that they keep their order.
    pub last_message_ms: i64,
    /// Messages of other tabs that are still on their way to it.
    pub unheard: u32,
    /// A tab was killed after it had written and before it told of it.
    pub is_uninformed: bool,
    /// The build of it knows less than the server's.
    pub is_older: bool,
    /// How far the disk had numbered when the tab was loaded, and what waited then.
    pub loaded: (u64, BTreeSet<Id>),
    /// The first of its lives on the database that the phone has now.
    pub first_life: u32,
}

pub const FIRST_RETRY_MS: i64 = 1_000;
pub const LONGEST_RETRY_MS: i64 = 60_000;
pub const POLL_MS: i64 = 30_000;
pub const TIMEOUT_MS: i64 = 20_000;

impl Tab {
    pub fn closed() -> Self {
        Self {
            life: 0,
            replica: None,
            load: 0,
            stage: Stage::Idle,
            again: false,
            retry_ms: FIRST_RETRY_MS,
            timer: 0,
            call: 0,
            known: BTreeSet::new(),
            last_message_ms: 0,
            unheard: 0,
            is_uninformed: false,
            is_older: false,
            loaded: (0, BTreeSet::new()),
            first_life: 0,
        }
    }

    /// Makes the replica anew from the disk.
    pub fn reload(&mut self, disk: &Disk) {
        self.replica = Some(disk.load());
        self.load += 1;
        self.is_uninformed = false;
        let waits = disk.outbox.values().map(|it| it.mutation.id);
        self.loaded = (disk.seq, waits.collect());
        self.note_known();
    }

    /// Remembers what waits, so that a check can ask where it went.
    pub fn note_known(&mut self) {
        if let Some(replica) = &self.replica {
            self.known
                .extend(replica.outbox().iter().map(|it| it.mutation.id));
        }
    }

    pub fn view(&self) -> Option<&Business> {
        self.replica.as_ref().map(Replica::business)
    }
}

/// A phone with one or two tabs on one disk.
pub struct Phone {
    pub disk: Disk,
    pub tabs: Vec<Tab>,
    /// The bearer token while it is believed to be good.
    pub token: Option<String>,
    /// Offset of its clock, in milliseconds.
    pub clock_ms: i64,
    /// The tab that syncs, and its life.
    pub lock: Option<(usize, u32)>,
    /// Numbers its saves.
    pub n_saved: u64,
    /// Number of the pet parent whose phone it is; the sitter's without one.
    pub parent: Option<usize>,
    /// Counts the databases that it has had, of one client record each.
    pub n_databases: u32,
    /// Changes in databases that the phone has given up, of which the person was told.
    pub told: BTreeSet<Id>,
}
