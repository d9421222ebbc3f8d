//! Owns the row of a conversation (SPEC 3): how far each side has read and written, and what stands in the list.

use serde::Serialize;

use crate::rows::message::{MessageType, Side};
use crate::values::json::read_by_field;
use crate::{Id, Instant};

/// The conversation of a sitter and a client (SPEC 3). There is one for each client record, under its id. Stored on
/// phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Conversation {
    /// The client's id.
    pub id: Id,
    /// The client's name when the last message was written: it stays when the client is deleted.
    pub client_name: String,
    /// How many messages the sitter has written.
    pub sitter_count: u32,
    /// How many messages the client has written.
    pub client_count: u32,
    /// How many of the client's messages the sitter has read.
    pub sitter_read: u32,
    /// How many of the sitter's messages the client has read.
    pub client_read: u32,
    /// When the sitter read the last of them.
    #[serde(default)]
    pub sitter_read_at: Option<Instant>,
    /// When the client read the last of them.
    #[serde(default)]
    pub client_read_at: Option<Instant>,
    /// True if the sitter has archived the conversation.
    pub archived_by_sitter: bool,
    /// True if the client has archived the conversation.
    pub archived_by_client: bool,
    /// The beginning of the last message.
    #[serde(default)]
    pub last_message_content: String,
    /// Type of the last message.
    pub last_message_type: MessageType,
    /// Side that wrote the last message.
    pub last_message_sender_type: Side,
    /// When it was written; none before the first.
    #[serde(default)]
    pub last_message_created_at: Option<Instant>,
    /// When it was begun.
    pub created_at: Instant,
}

read_by_field!(Conversation from Conversation::new(Id::default(), Instant(0)); { id, created_at } or default { client_name, sitter_count, client_count, sitter_read, client_read,
    sitter_read_at, client_read_at, archived_by_sitter, archived_by_client, last_message_content, last_message_type,
    last_message_sender_type, last_message_created_at });

impl Conversation {
    /// A conversation in which nobody has said anything.
    pub fn new(id: Id, at: Instant) -> Self {
        Self {
            id,
            client_name: String::new(),
            sitter_count: 0,
            client_count: 0,
            sitter_read: 0,
            client_read: 0,
            sitter_read_at: None,
            client_read_at: None,
            archived_by_sitter: false,
            archived_by_client: false,
            last_message_content: String::new(),
            last_message_type: MessageType::Text,
            last_message_sender_type: Side::Sitter,
            last_message_created_at: None,
            created_at: at,
        }
    }

    /// How many messages there are.
    pub const fn message_count(&self) -> u32 {
        self.sitter_count.saturating_add(self.client_count)
    }

    /// How many messages this side has written.
    pub const fn written_by(&self, side: Side) -> u32 {
        match side {
            Side::Sitter => self.sitter_count,
            Side::Client => self.client_count,
        }
    }

    /// How many of the other side's messages this one has read, and when it read the last of them.
    pub const fn read_by(&self, side: Side) -> (u32, Option<Instant>) {
        match side {
            Side::Sitter => (self.sitter_read, self.sitter_read_at),
            Side::Client => (self.client_read, self.client_read_at),
        }
    }

    /// How many messages of the other side this one has not read.
    pub const fn unread_by(&self, side: Side) -> u32 {
        self.written_by(side.other())
            .saturating_sub(self.read_by(side).0)
    }

    /// Returns true if this side has archived the conversation.
    pub const fn is_archived_by(&self, side: Side) -> bool {
        match side {
            Side::Sitter => self.archived_by_sitter,
            Side::Client => self.archived_by_client,
        }
    }

    /// When something last happened in it.
    pub fn updated_at(&self) -> Instant {
        self.last_message_created_at.unwrap_or(self.created_at)
    }
}
