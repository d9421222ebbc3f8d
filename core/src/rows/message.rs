//! Owns the row of a message (SPEC 3).

use serde::Serialize;

use crate::values::json::{read_by_field, read_by_name};
use crate::{Id, Instant};

/// On which side of a conversation somebody is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The business's own.
    #[default]
    Sitter,
    /// The pet parent's.
    Client,
}

read_by_name!(Side { Sitter, Client });

impl Side {
    /// The one that is talked to.
    pub const fn other(self) -> Self {
        match self {
            Self::Sitter => Self::Client,
            Self::Client => Self::Sitter,
        }
    }
}

/// Kind of a message's content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum MessageType {
    /// Text without an image.
    #[default]
    Text,
    /// An image, with or without words.
    Image,
    /// Nobody's words: what stands in place of a message that was deleted.
    System,
}

read_by_name!(MessageType {
    Text,
    Image,
    System
});

/// Something that one side has said to the other (SPEC 3). Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Message {
    /// Made by whoever writes it.
    pub id: Id,
    /// The client record whose conversation it is in.
    pub client_id: Id,
    /// Its place in the conversation, from 1: the order in which messages came to the server.
    pub number: u32,
    /// How many messages its sender has then written there, this one among them.
    pub sender_number: u32,
    /// Side that wrote it.
    pub sender_type: Side,
    /// The login of the client user who wrote it; none where the sitter did.
    #[serde(default)]
    pub client_user_id: Option<Id>,
    /// Kind of the content: text, an image, or a placeholder for a deleted message.
    pub message_type: MessageType,
    /// The words; may be empty beside an image.
    #[serde(default)]
    pub content: String,
    /// The uploaded image's id.
    #[serde(default)]
    pub photo: Option<Id>,
    /// When it was written, but never before the message that it follows.
    pub created_at: Instant,
}

read_by_field!(Message from Message::new(Id::default(), Id::default(), Instant(0)); { id, client_id, number, sender_number, sender_type, message_type, created_at }
    or default { client_user_id, content, photo });

impl Message {
    /// A message without a word, from the sitter.
    pub fn new(id: Id, client_id: Id, at: Instant) -> Self {
        Self {
            id,
            client_id,
            number: 1,
            sender_number: 1,
            sender_type: Side::Sitter,
            client_user_id: None,
            message_type: MessageType::Text,
            content: String::new(),
            photo: None,
            created_at: at,
        }
    }
}
