//! Binds what the messages' screen asks, for both sides of a conversation.

use tsify::Ts;
use wasm_bindgen::prelude::*;

use super::convert::{fold, moment};
use super::json::{Json, list_to_js, to_js};
use super::phone::Phone;
use crate::Now;
use crate::rules::message::{self, Counter, MessageDraft, MessagingLimits};
use crate::rules::photo::{self, PickedFile};
use crate::screens::messages::{self, ContactGroup, ConversationCard, Thread, Viewer};
use crate::sync::attention::{self, AttentionItem, RefusedPhoto};
use crate::values::zone::TimeZone;

/// Returns the first error of a message, if it has one.
#[wasm_bindgen(js_name = messageError)]
pub fn message_error(draft: Ts<MessageDraft>) -> Result<Option<String>, JsError> {
    let errors = message::errors(&draft.to_rust()?);
    Ok(errors.first().map(str::to_owned))
}

/// How the character counter looks beside this text.
#[wasm_bindgen(js_name = messageCounter)]
pub fn message_counter(content: &str) -> Result<Json<Counter>, JsError> {
    to_js(&message::counter(content))
}

/// Why a file that was picked cannot become an image of a message, if it cannot.
#[wasm_bindgen(js_name = checkPickedImage)]
pub fn check_picked_image(file: Ts<PickedFile>) -> Result<Option<String>, JsError> {
    let error = photo::check_picked_image(&file.to_rust()?).err();
    Ok(error.map(|it| it.to_string()))
}

/// Why an image cannot be sent in a message, if it cannot.
#[wasm_bindgen(js_name = checkMessageImage)]
pub fn check_message_image(file: Ts<PickedFile>) -> Result<Option<String>, JsError> {
    let error = photo::check_message_image(&file.to_rust()?).err();
    Ok(error.map(|it| it.to_string()))
}

/// The numbers of messaging.
#[wasm_bindgen(js_name = messagingLimits)]
pub fn messaging_limits() -> Result<Json<MessagingLimits>, JsError> {
    to_js(&MessagingLimits::default())
}

/// The moment on a device's clock: milliseconds since 1970 and the minutes that it is ahead of UTC from then on, in turns.
fn on_clock(clock: &[f64], now_ms: f64) -> Now {
    let (pairs, _) = clock.as_chunks::<2>();
    let changes = pairs
        .iter()
        .map(|[at, minutes]| (moment(*at).0.div_euclid(1000), (minutes * 60.0) as i32));
    Now {
        at: moment(now_ms),
        zone: TimeZone::of_offsets(changes.collect()),
    }
}

/// Queries of the messages' screen.
#[wasm_bindgen]
impl Phone {
    /// Returns the number of unread messages, for the badge.
    #[wasm_bindgen(js_name = unreadMessages)]
    pub fn unread_messages(&self) -> u32 {
        messages::unread_count(self.replica.business(), self.replica.actor())
    }

    /// The conversations of the inbox or of the archive, on the reader's clock; with a search, those of both in which it
    /// occurs.
    pub fn conversations(
        &self,
        archived: bool,
        search: &str,
        clock: &[f64],
        now_ms: f64,
    ) -> Result<Json<[ConversationCard]>, JsError> {
        let now = on_clock(clock, now_ms);
        let viewer = Viewer {
            business: self.replica.business(),
            actor: self.replica.actor(),
            user_id: None,
            now: &now,
        };
        list_to_js(&messages::conversations(&viewer, archived, search, &fold))
    }

    /// The conversation with a client for the person with this login, with its `most` newest messages, or more, up to the
    /// one at `back_to`, on the reader's clock; also one that nobody has begun.
    pub fn thread(
        &self,
        user_id: &str,
        client_id: &str,
        most: usize,
        back_to: Option<String>,
        clock: &[f64],
        now_ms: f64,
    ) -> Result<Option<Json<Thread>>, JsError> {
        let now = on_clock(clock, now_ms);
        let viewer = Viewer {
            business: self.replica.business(),
            actor: self.replica.actor(),
            user_id: Some(user_id.parse()?),
            now: &now,
        };
        let is_pending = |key| self.replica.is_pending(key);
        // It comes from an address, which may say anything.
        let back_to = back_to.and_then(|it| it.parse().ok());
        let thread = messages::thread(&viewer, client_id.parse()?, most, back_to, &is_pending);
        thread.map(|it| to_js(&it)).transpose()
    }

    /// Lists the conversation's messages that the server has rejected.
    #[wasm_bindgen(js_name = refusedMessages)]
    pub fn refused_messages(&self, client_id: &str) -> Result<Json<[AttentionItem]>, JsError> {
        list_to_js(&attention::refused_messages(
            self.replica.business(),
            self.replica.attention(),
            client_id.parse()?,
        ))
    }

    /// Returns the photos of a visit that the server turned down, oldest first.
    #[wasm_bindgen(js_name = refusedPhotos)]
    pub fn refused_photos(&self, service_id: &str) -> Result<Json<[RefusedPhoto]>, JsError> {
        let entries = self.replica.attention();
        list_to_js(&attention::refused_photos(entries, service_id.parse()?))
    }

    /// Lists the clients that the sitter can write to, by what connects them.
    #[wasm_bindgen(js_name = messageContacts)]
    pub fn message_contacts(
        &self,
        search: &str,
        now_ms: f64,
    ) -> Result<Json<[ContactGroup]>, JsError> {
        let now = self.replica.now(moment(now_ms));
        let viewer = Viewer {
            business: self.replica.business(),
            actor: self.replica.actor(),
            user_id: None,
            now: &now,
        };
        list_to_js(&messages::contacts(&viewer, search, &fold))
    }
}
