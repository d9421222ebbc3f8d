//! Owns what makes a message valid, who can be written to and why, and what of a message is shown where (SPEC 3, 5 and 9,
//! Messaging).

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use crate::rows::client::{Client, RelationshipType};
use crate::rows::conversation::Conversation;
use crate::rows::message::{Message, Side};
use crate::rows::service::ServiceStatus;
use crate::rows::walk_request::RequestStatus;
use crate::values::form_errors::FieldErrors;
use crate::values::instant::MS_PER_MINUTE;
use crate::values::json::read_by_field;
use crate::values::sort::SmallSort as _;
use crate::{Business, Date, Id, Instant};

/// Beyond this many characters the counter is shown.
const COUNTER_BEYOND: usize = 500;

/// Beyond this many it is red.
const COUNTER_RED_BEYOND: usize = 1000;

/// The messages of a page (SPEC 9).
pub const PAGE: u32 = 50;

/// The most that a search shows (SPEC 9).
pub const SEARCH_MOST: usize = 100;

/// The numbers of messaging that a screen needs (SPEC 9).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct MessagingLimits {
    /// The messages of a page.
    pub page: u32,
    /// Conversations that a search shows at most.
    pub search_most: usize,
    /// How long after the last key somebody is no longer typing.
    pub typing_idle_ms: u32,
    /// How long somebody is shown as typing of whom nothing more is heard.
    pub typing_most_ms: u32,
}

impl Default for MessagingLimits {
    fn default() -> Self {
        Self {
            page: PAGE,
            search_most: SEARCH_MOST,
            typing_idle_ms: 1_000,
            typing_most_ms: 3_000,
        }
    }
}

/// The time is shown where longer than this nobody said anything (SPEC 9).
const GAP_MINUTES: i64 = 5;

/// Text in place of a message that its sender has deleted.
pub const DELETED: &str = "This message was deleted";

/// Text in place of an image without words.
pub const PHOTO: &str = "Photo";

/// Why somebody cannot be written to who has neither e-mail nor login (SPEC 2, Clients).
pub const NOBODY_READS: &str = "This client has no email and no login yet, so nobody would read it";

/// Hint at the composer for a client who has an e-mail and no login: messages are not mailed.
pub const NOBODY_READS_YET: &str = "Not in the app yet: nobody reads this there";

/// The same hint for a client whose pet parents have left.
pub const PARENT_LEFT: &str = "This client left your portal and won't see this in the app";

/// Reason that nothing can be written to a client without an e-mail whose pet parents have left.
pub const PARENT_LEFT_UNREACHABLE: &str =
    "This client left your portal and has no email here, so nobody would read it";

/// Returns why nobody would read a message to this client, who can't be messaged.
pub const fn unreachable(client: &Client) -> &'static str {
    match client.parent_left_at {
        Some(_) => PARENT_LEFT_UNREACHABLE,
        None => NOBODY_READS,
    }
}

/// Returns the hint at the composer for a client who can be messaged; none where a pet parent is linked.
pub const fn unread_hint(client: &Client) -> Option<&'static str> {
    match (client.client_user_id, client.parent_left_at) {
        (Some(_), _) => None,
        (None, Some(_)) => Some(PARENT_LEFT),
        (None, None) => Some(NOBODY_READS_YET),
    }
}

/// The characters of a message that stand in the list.
const PREVIEW_CHARS: usize = 140;

/// Content of a message composer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MessageDraft {
    /// The text; may be empty beside an image.
    pub content: String,
    /// True if an image is attached.
    pub has_image: bool,
}

read_by_field!(MessageDraft {} or default { content, has_image });

/// How the character counter looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum Counter {
    /// The counter is not shown.
    Hidden,
    /// Shown in the usual color.
    Shown,
    /// Shown in red.
    Red,
}

/// Returns the errors of a message: it must have text or an image.
pub fn errors(draft: &MessageDraft) -> FieldErrors {
    let mut errors = FieldErrors::default();
    let empty = draft.content.trim().is_empty() && !draft.has_image;
    errors.check(empty, "content", "Write a message or choose an image");
    errors
}

/// Said of a message beyond what a client may write in a day.
pub const TOO_MUCH_TODAY: &str =
    "You have written as much as fits into one day. Please send this again later.";

/// The bytes that a message counts beside its text: whoever sends many short ones has many rows stored, too.
const MESSAGE_ROW_BYTES: usize = 200;

/// The bytes that a message takes of what a client may write in a day.
pub fn share_of_day(content: &str) -> u32 {
    u32::try_from(content.len() + MESSAGE_ROW_BYTES).unwrap_or(u32::MAX)
}

/// How the counter looks beside this text; characters and not bytes count.
pub fn counter(content: &str) -> Counter {
    match content.chars().count() {
        0..=COUNTER_BEYOND => Counter::Hidden,
        it if it <= COUNTER_RED_BEYOND => Counter::Shown,
        _ => Counter::Red,
    }
}

/// Returns true if a client can be written to: it has an e-mail or a linked client user (SPEC 2, Clients).
pub const fn can_be_messaged(client: &Client) -> bool {
    !client.email.is_empty() || client.client_user_id.is_some()
}

/// Returns true if the time is shown above a message that follows another one after this long (SPEC 9).
pub const fn is_after_gap(before: Instant, at: Instant) -> bool {
    GAP_MINUTES * MS_PER_MINUTE < at.0 - before.0
}

/// The beginning of a text, on one line.
pub fn preview(content: &str) -> String {
    let words: Vec<&str> = content.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(PREVIEW_CHARS) {
        None => line,
        Some((end, _)) => line.get(..end).unwrap_or_default().to_owned() + "…",
    }
}

/// When the other side has read a message; it is shown for all of those that were read together.
pub fn read_at(message: &Message, conversation: &Conversation) -> Option<Instant> {
    let (n_read, at) = conversation.read_by(message.sender_type.other());
    at.filter(|_| message.sender_number <= n_read)
        .map(|it| it.max(message.created_at))
}

/// A part of a text, a link or plain; all parts in order make the whole text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TextPart {
    /// Text as it was typed.
    pub text: String,
    /// Address of a link; absent for plain text. A link that begins with `www.` gets `https://` in front.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub href: Option<String>,
}

/// A text in its parts. What begins with `http://`, `https://` or `www.` is a link, without the punctuation after it.
pub fn parts(content: &str) -> Vec<TextPart> {
    let mut parts = Vec::new();
    let mut plain = 0;
    let mut at = 0;
    for word in content.split_inclusive(char::is_whitespace) {
        let start = at + (word.len() - word.trim_start_matches(OPENING).len());
        at += word.len();
        let link = content.get(start..at).map(link_in).unwrap_or_default();
        if let Some(href) = href(link) {
            push(&mut parts, content.get(plain..start), None);
            push(&mut parts, Some(link), Some(href));
            plain = start + link.len();
        }
    }
    push(&mut parts, content.get(plain..), None);
    parts
}

fn push(parts: &mut Vec<TextPart>, text: Option<&str>, href: Option<String>) {
    if let Some(text) = text.filter(|it| !it.is_empty()) {
        let text = text.to_owned();
        parts.push(TextPart { text, href });
    }
}

/// Punctuation that may stand before a link.
const OPENING: [char; 4] = ['(', '[', '<', '"'];

/// The word without what closes a sentence or what was opened before it.
fn link_in(word: &str) -> &str {
    let word = word.trim_end();
    // A link may have parentheses of its own.
    let closing: &[char] = match word.contains('(') {
        true => &['.', ',', ';', ':', '!', '?', '"', '\'', '>', ']'],
        false => &['.', ',', ';', ':', '!', '?', '"', '\'', '>', ']', ')'],
    };
    word.trim_end_matches(closing)
}

fn href(link: &str) -> Option<String> {
    let begins = |start: &str| {
        let (head, rest) = link.split_at_checked(start.len())?;
        let is_one = head.eq_ignore_ascii_case(start) && rest.starts_with(is_of_name);
        is_one.then_some(())
    };
    if begins("https://").or_else(|| begins("http://")).is_some() {
        return Some(link.to_owned());
    }
    begins("www.").map(|()| ["https://", link].concat())
}

/// A letter of any language or a digit. The table that knows the letters of Unicode would be downloaded for this alone.
const fn is_of_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || !letter.is_ascii()
}

/// Relationships to the sitter of those clients who are more than a name in the list (SPEC 3, Messageable client).
#[derive(Debug)]
pub struct Relationships {
    /// Sorted by client.
    kinds: Vec<(Id, RelationshipType)>,
}

impl Relationships {
    /// Finds the relationships of all clients. Requests that wait for an answer come before bookings, and these before
    /// past requests.
    pub fn new(business: &Business, today: Date) -> Self {
        let comes = business.services.since(today);
        let stays = business.services.stays_between(today, today);
        let scheduled = comes
            .chain(stays)
            .filter(|it| it.status == ServiceStatus::Scheduled);
        let mut kinds: Vec<(Id, RelationshipType)> = scheduled
            .map(|it| (it.client_id, RelationshipType::ScheduledService))
            .collect();
        kinds.extend(business.requests.values().map(|it| {
            let kind = match it.row.status {
                RequestStatus::Pending => RelationshipType::PendingRequest,
                RequestStatus::Approved if today <= it.row.requested_date => {
                    RelationshipType::ApprovedRequest
                }
                _ => RelationshipType::PastRequest,
            };
            (it.row.client_id, kind)
        }));
        kinds.small_sort_by_key(|(id, kind)| (*id, Reverse(rank(*kind))));
        kinds.dedup_by_key(|(id, _)| *id);
        Self { kinds }
    }

    /// Returns the relationship of this client; `ExistingClient` where nothing else is known.
    pub fn of(&self, client_id: Id) -> RelationshipType {
        let found = self.kinds.binary_search_by_key(&client_id, |it| it.0);
        let kind = found.ok().and_then(|place| self.kinds.get(place));
        kind.map(|it| it.1).unwrap_or_default()
    }
}

/// Rank of a relationship; of two that apply, the higher one is shown.
const fn rank(kind: RelationshipType) -> u8 {
    match kind {
        RelationshipType::ExistingClient => 0,
        RelationshipType::PastRequest => 1,
        RelationshipType::ScheduledService => 2,
        RelationshipType::ApprovedRequest => 3,
        RelationshipType::PendingRequest => 4,
    }
}

/// How somebody is called in a list of those who can be written to.
pub const fn relationship(kind: RelationshipType) -> &'static str {
    match kind {
        RelationshipType::ExistingClient => "Existing clients",
        RelationshipType::PendingRequest => "Pending requests",
        RelationshipType::ApprovedRequest => "Approved requests",
        RelationshipType::PastRequest => "Past requests",
        RelationshipType::ScheduledService => "Scheduled services",
    }
}

/// Who writes, by who they are.
pub const fn sender_id(side: Side, sitter_id: Id, client_id: Id, client_user_id: Option<Id>) -> Id {
    match (side, client_user_id) {
        (Side::Sitter, _) => sitter_id,
        // SPEC 6: the client user's, or the client's where there is no link.
        (Side::Client, Some(user_id)) => user_id,
        (Side::Client, None) => client_id,
    }
}
