//! Binds `sync::Replica` for the phone: one handle that lives as long as its tab.
//!
//! Rows stay in here; a screen gets what it shows and no more, since carrying ten thousand rows out to JavaScript
//! costs more than everything else that it does.

use js_sys::Uint8Array;
use serde::Serialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

use super::json::{Answer, Json, answer, list_to_js, to_js};
use crate::rows::row::{RowKey, TableName};
use crate::sync::attention;
use crate::sync::wire::{PUSH_LIMIT, PullResponse, PushRequest, PushResponse};
use crate::sync::{AttentionEntry, Batch, Meta, OutboxEntry, Pulled, Replica, SaveRequest};
use crate::values::json::read_in_place;
use crate::{Id, Refusal};

/// A page request of a pull with the number that its answer must come with.
#[derive(Serialize, Tsify)]
pub struct PullPage {
    /// Passed back to `pulled`.
    pub number: u32,
    /// The query of `GET /sync/pull`.
    pub query: String,
}

/// The answer of `GET /sync/pull`, as it comes.
#[derive(Default)]
struct Body {
    data: PullResponse,
}

read_in_place!(Body from Body::default(); { data });

/// Step that is next after a page of the feed.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "lowercase")]
pub enum PullStatus {
    /// Ignore it: it answers a pull that was abandoned.
    Stale,
    /// Ask for the next one.
    More,
    /// Store the batch, if there is one.
    Complete,
}

/// Result of taking a page of the feed.
#[derive(Serialize, Tsify)]
pub struct PulledPage {
    /// The step that is next.
    pub status: PullStatus,
    /// Batch to store; absent when nothing is new.
    pub batch: Option<Batch>,
}

/// Why a change was not saved.
#[derive(Serialize, Tsify)]
pub struct TurnedDown {
    /// Reason for which it was refused, for the form.
    pub refusal: Refusal,
    /// Reason in words for the person.
    pub text: String,
}

/// The replica of the business that is open in this tab.
#[wasm_bindgen]
pub struct Phone {
    pub(super) replica: Replica,
}

/// Maintenance: loading, saving, sending, pulling.
#[wasm_bindgen]
impl Phone {
    /// Loads the replica from what the store holds: its pages of confirmed rows; outbox and attention as JSON arrays.
    #[wasm_bindgen(constructor)]
    pub fn new(
        meta: Ts<Meta>,
        pages: Vec<Uint8Array>,
        outbox: &str,
        attention: &str,
    ) -> Result<Phone, JsError> {
        let outbox: Vec<OutboxEntry> = serde_json::from_str(outbox)?;
        let attention: Vec<AttentionEntry> = serde_json::from_str(attention)?;
        let pages = pages.iter().map(Uint8Array::to_vec);
        Ok(Self {
            replica: Replica::load(meta.to_rust()?, pages, outbox, attention),
        })
    }

    /// Checks a change and gives the entry to store, or why it is turned down.
    pub fn prepare(
        &self,
        request: Ts<SaveRequest>,
    ) -> Result<Json<Answer<OutboxEntry, TurnedDown>>, JsError> {
        let request = request.to_rust()?;
        let command = request.command.clone();
        let prepared = self.replica.prepare(request);
        answer(prepared.map_err(|refusal| TurnedDown {
            text: attention::reason(self.replica.business(), Some(&command), &refusal),
            refusal,
        }))
    }

    /// The store has saved this entry for this device; `false` when the replica must be loaded anew.
    pub fn saved(
        &mut self,
        entry: Ts<OutboxEntry>,
        resolves: Option<String>,
        device_id: &str,
    ) -> Result<bool, JsError> {
        let resolves = resolves.map(|it| it.parse::<Id>()).transpose()?;
        Ok(self
            .replica
            .saved(entry.to_rust()?, resolves, device_id.parse()?))
    }

    /// The store has removed this entry of Needs attention.
    pub fn resolved(&mut self, id: &str) -> Result<(), JsError> {
        self.replica.resolved(id.parse()?);
        Ok(())
    }

    /// The server has this photo.
    #[wasm_bindgen(js_name = photoUploaded)]
    pub fn photo_uploaded(&mut self, id: &str) -> Result<(), JsError> {
        self.replica.photo_uploaded(id.parse()?);
        Ok(())
    }

    /// Photos to send before the outbox can go on.
    #[wasm_bindgen(js_name = photosToUpload)]
    pub fn photos_to_upload(&self) -> Vec<String> {
        self.replica
            .photos_to_upload()
            .iter()
            .map(Id::to_string)
            .collect()
    }

    /// The body of the next push, if there is anything to send; with `one`, of one change alone.
    #[wasm_bindgen(js_name = nextPush)]
    pub fn next_push(&self, one: Option<bool>) -> Result<Option<Json<PushRequest>>, JsError> {
        let limit = if one == Some(true) { 1 } else { PUSH_LIMIT };
        let request: Option<PushRequest> = self.replica.next_push_of(limit);
        request.map(|it| to_js(&it)).transpose()
    }

    /// Builds the batch that numbers the outbox for a new device.
    pub fn heal(&self, fresh_device_id: &str) -> Result<Json<Batch>, JsError> {
        to_js(&self.replica.heal(fresh_device_id.parse()?))
    }

    /// Builds the batch that moves a change that the server does not take to Needs attention.
    #[wasm_bindgen(js_name = setAside)]
    pub fn set_aside(
        &self,
        id: &str,
        text: &str,
        fresh_device_id: &str,
    ) -> Result<Option<Json<Batch>>, JsError> {
        let batch = self
            .replica
            .set_aside(id.parse()?, text, fresh_device_id.parse()?);
        batch.map(|it| to_js(&it)).transpose()
    }

    /// Builds the batch that empties the database of a client whom the server no longer knows as one (403
    /// `not_linked`): what waits goes to Needs attention.
    #[wasm_bindgen(js_name = letGo)]
    pub fn let_go(&self, fresh_device_id: &str) -> Result<Json<Batch>, JsError> {
        to_js(&self.replica.let_go(fresh_device_id.parse()?))
    }

    /// Builds the batch that lets the first change that waits for a photo or a video go on without it.
    #[wasm_bindgen(js_name = leaveOut)]
    pub fn leave_out(&self, photo: &str) -> Result<Option<Json<Batch>>, JsError> {
        let batch = self.replica.leave_out(photo.parse()?);
        batch.map(|it| to_js(&it)).transpose()
    }

    /// Builds the batch that lets that change go on without a photo or video that the server rejects, which goes to
    /// Needs attention under `fresh_id`.
    #[wasm_bindgen(js_name = photoRefused)]
    pub fn photo_refused(
        &self,
        photo: &str,
        text: &str,
        fresh_id: &str,
    ) -> Result<Option<Json<Batch>>, JsError> {
        let batch = self
            .replica
            .photo_refused(photo.parse()?, text, fresh_id.parse()?);
        batch.map(|it| to_js(&it)).transpose()
    }

    /// Takes the answer to a push; `false` when nothing in it was decided.
    pub fn pushed(&mut self, response: Ts<PushResponse>) -> Result<bool, JsError> {
        Ok(self.replica.pushed(&response.to_rust()?))
    }

    /// The next page to ask the feed for.
    #[wasm_bindgen(js_name = nextPull)]
    pub fn next_pull(&mut self) -> Result<Json<PullPage>, JsError> {
        let (number, request) = self.replica.next_pull();
        let mut query = format!(
            "cursor={}&device_id={}&schema={}",
            request.cursor, request.device_id, request.schema
        );
        if let Some(epoch) = request.epoch {
            query.push_str(&format!("&epoch={epoch}"));
        }
        if let Some(backend_id) = request.backend_id {
            query.push_str(&format!("&backend_id={backend_id}"));
        }
        if let Some(seen) = request.seen {
            query.push_str(&format!("&seen={seen}"));
        }
        if let Some(rev_id) = request.rev_id {
            query.push_str(&format!("&rev_id={rev_id}"));
        }
        to_js(&PullPage { number, query })
    }

    /// Forgets the pages of a pull that broke off.
    #[wasm_bindgen(js_name = abandonPull)]
    pub fn abandon_pull(&mut self) {
        self.replica.abandon_pull();
    }

    /// Takes a page of the feed: `body` is the answer of `GET /sync/pull` as it came.
    pub fn pulled(
        &mut self,
        number: u32,
        body: &str,
        fresh_device_id: &str,
    ) -> Result<Json<PulledPage>, JsError> {
        let Body { data } = serde_json::from_str(body)?;
        let page = match self.replica.pulled(number, data, fresh_device_id.parse()?) {
            Pulled::Stale => PulledPage {
                status: PullStatus::Stale,
                batch: None,
            },
            Pulled::More => PulledPage {
                status: PullStatus::More,
                batch: None,
            },
            Pulled::Complete(batch) => {
                let is_news = batch.meta != *self.replica.meta() || !batch.outbox_remove.is_empty();
                PulledPage {
                    status: PullStatus::Complete,
                    batch: is_news.then_some(*batch),
                }
            }
        };
        to_js(&page)
    }

    /// The store has written this batch; `false` when the replica must be loaded anew.
    pub fn applied(&mut self, batch: Ts<Batch>) -> Result<bool, JsError> {
        Ok(self.replica.applied(&batch.to_rust()?))
    }

    /// The revision up to which everything is confirmed.
    pub fn cursor(&self) -> f64 {
        js_number(self.replica.meta().cursor)
    }

    /// Returns the number of changes that wait.
    #[wasm_bindgen(js_name = pendingCount)]
    pub fn pending_count(&self) -> usize {
        self.replica.outbox().len()
    }

    /// Returns the number of changes that need a person.
    #[wasm_bindgen(js_name = attentionCount)]
    pub fn attention_count(&self) -> usize {
        self.replica.attention().len()
    }

    /// Entries that wait to be sent or confirmed, oldest first.
    pub fn outbox(&self) -> Result<Json<[OutboxEntry]>, JsError> {
        list_to_js(self.replica.outbox())
    }

    /// Entries that need a person, oldest first.
    pub fn attention(&self) -> Result<Json<[AttentionEntry]>, JsError> {
        list_to_js(self.replica.attention())
    }

    /// Returns true if a row has changes that are not confirmed.
    #[wasm_bindgen(js_name = isPending)]
    pub fn is_pending(&self, table: Ts<TableName>, id: &str) -> Result<bool, JsError> {
        Ok(self.replica.is_pending(RowKey {
            table: table.to_rust()?,
            id: id.parse()?,
        }))
    }
}

/// A revision as JavaScript's number: 2^53 writes are out of any business's reach.
#[expect(clippy::cast_precision_loss, reason = "revisions stay below 2^53")]
const fn js_number(rev: u64) -> f64 {
    rev as f64
}
