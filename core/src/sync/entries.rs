//! Owns what a replica stores and is asked with: entries of the outbox and of Needs attention, its progress, and batches for
//! the disk.

use serde::Serialize;

use super::wire::{Mutation, Outcome, Zone};
use crate::values::json::{read_by_field, read_in_place};
use crate::values::reach::Reach;
use crate::{Command, Id, Instant};

/// Sync state of this database.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Meta {
    /// Names this database to the server; `seq` counts within it.
    pub device_id: Id,
    /// The client record by which the person takes part in the business, where it is not the person's own.
    #[serde(default)]
    pub client_id: Option<Id>,
    /// The revision up to which everything is confirmed; 0 before the first pull.
    #[serde(default)]
    pub cursor: u64,
    /// The epoch of the last pull.
    #[serde(default)]
    pub epoch: Option<u64>,
    /// The server of the last pull.
    #[serde(default)]
    pub backend_id: Option<Id>,
    /// Id that the server gave the revision at `cursor`.
    #[serde(default)]
    pub rev_id: Option<Id>,
    /// The oldest schema that the server takes; above ours the app must be updated before it can send.
    #[serde(default)]
    pub min_schema: u32,
    /// The business's time zone.
    #[serde(default)]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Zone | null"))]
    pub zone: Option<Zone>,
    /// Highest `seq` given to a change of this device. The store counts; a replica knows what it was when it was
    /// loaded.
    #[serde(default)]
    pub seq: u64,
    /// The server was restored, or may have been: it is still to be asked what it has forgotten of what it had confirmed.
    #[serde(default)]
    pub verify: bool,
    /// How the server reaches the clients, by the last pull.
    #[serde(default)]
    pub reach: Reach,
}

read_by_field!(Meta from Meta::default(); { device_id } or default { client_id, cursor, epoch, backend_id, rev_id, min_schema, zone, seq, verify, reach });

impl Meta {
    /// A database that has seen nothing.
    pub fn new(device_id: Id) -> Self {
        Self {
            device_id,
            client_id: None,
            cursor: 0,
            epoch: None,
            backend_id: None,
            rev_id: None,
            min_schema: 0,
            zone: None,
            seq: 0,
            verify: false,
            reach: Reach::default(),
        }
    }
}

/// A change that a person made and the phone saved.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct OutboxEntry {
    /// The mutation to send. The store gives it its `seq` when it is saved.
    pub mutation: Mutation,
    /// The person's change in words.
    pub sentence: String,
    /// Photos and videos that must have arrived before it is sent.
    #[serde(default)]
    pub photos: Vec<Id>,
    /// Command that creates the changed row anew, with the change, should somebody delete it meanwhile.
    #[serde(default)]
    pub bring_back: Option<Command>,
}

read_by_field!(OutboxEntry { mutation, sentence } or default { photos, bring_back });

/// A change that needs a person: it was refused, or did not do quite what was asked.
///
/// Nothing but a person removes it. Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct AttentionEntry {
    /// The person's change, words and all.
    pub entry: OutboxEntry,
    /// The server's decision on it.
    pub outcome: Outcome,
}

read_by_field!(AttentionEntry { entry, outcome });

/// A change that a person wants to save.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct SaveRequest {
    /// Names the intent.
    pub id: Id,
    /// The change itself.
    pub command: Command,
    /// The change in words.
    pub sentence: String,
    /// When, by the phone's clock.
    pub made_at: Instant,
    /// The revision that the person had seen, where that is older than the replica (a form open for a while).
    #[serde(default)]
    pub base_rev: Option<u64>,
    /// Photos and videos that it names and that were taken on this phone.
    #[serde(default)]
    pub photos: Vec<Id>,
}

read_by_field!(SaveRequest { id, command, sentence, made_at } or default { base_rev, photos });

/// A confirmed row as text, for the store.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct StoredText {
    /// Key of the row: `table/id`.
    pub key: String,
    /// The row of the feed, as it came.
    pub text: String,
}

read_in_place!(StoredText from StoredText::default(); { key, text });

/// Writes that the store makes in one transaction when a pull is complete.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Batch {
    /// The cursor that the store must still have; with another one a second tab was faster, and the batch is void.
    pub expect_cursor: u64,
    /// The device that the store must still be, for the same reason: a restored server may stand at the same cursor.
    pub expect_device_id: Id,
    /// The server that the tab knew: one that knew none cannot tell that this is another, and outcomes of the one before
    /// would count for it.
    #[serde(default)]
    pub expect_backend_id: Option<Id>,
    /// Remove all confirmed rows first.
    pub clear: bool,
    /// Confirmed rows to write.
    pub put: Vec<StoredText>,
    /// Confirmed rows to remove, by key.
    pub delete: Vec<String>,
    /// Outbox entries that are decided, by `seq`; where one is gone, a second tab was faster, and the batch is void.
    pub outbox_remove: Vec<u64>,
    /// Outbox entries that are to be sent otherwise, in their places; where one is gone, the batch is void likewise.
    #[serde(default)]
    pub outbox_put: Vec<OutboxEntry>,
    /// The entries among `outbox_remove` that were done, kept for a while: a restored server may have forgotten them.
    #[serde(default)]
    pub confirmed: Vec<OutboxEntry>,
    /// Entries for the Needs attention list.
    pub attention_put: Vec<AttentionEntry>,
    /// Sync state after the batch.
    pub meta: Meta,
    /// The server does not know this device's sequence: give every outbox entry a new `seq` from 1, in order.
    pub renumber: bool,
}

read_in_place!(Batch from Batch::default(); {
    expect_cursor, expect_device_id, clear, put, delete, outbox_remove, attention_put, meta, renumber
} or default { expect_backend_id, outbox_put, confirmed });

/// Result of taking a page of the feed.
#[derive(Clone, Debug, PartialEq)]
pub enum Pulled {
    /// Not the answer that was expected; nothing changed.
    Stale,
    /// There are more pages: ask again.
    More,
    /// Complete: store this, then call `Replica::applied`.
    Complete(Box<Batch>),
}
