//! Owns the messages' screen, for both sides: the list of conversations, one of them by days, who can be written to, and
//! what a search finds (SPEC 2, Messages, and 9, Messaging).

use serde::Serialize;

use crate::commands::decision::Actor;
use crate::rows::client::{Client, RelationshipType};
use crate::rows::conversation::Conversation;
use crate::rows::message::{Message, MessageType, Side};
use crate::rows::row::{RowKey, TableName};
use crate::rules::household;
use crate::rules::message::{
    self, PAGE, PHOTO, Relationships, SEARCH_MOST, TextPart, can_be_messaged, is_after_gap,
    read_at, relationship, unreachable, unread_hint,
};
use crate::screens::directory::listed;
use crate::values::format::{self, Clock};
use crate::values::sort::SmallSort as _;
use crate::{Business, Date, Id, Instant, Now};

/// A conversation in the list.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ConversationCard {
    /// Id of the conversation, which is the client's.
    pub id: Id,
    /// Name of the other side.
    pub name: String,
    /// The names of the client's pets; none where a client talks to a sitter.
    pub pets: Vec<String>,
    /// A photo of who is talked to: the first pet that has one, or the sitter.
    pub photo: Option<Id>,
    /// The beginning of the last message, or of the newest that a search has found; empty before the first.
    pub preview: String,
    /// The message that a search has found, where it is in what was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<Id>,
    /// True if the reader wrote the previewed message; false in a household where another one may have.
    pub is_mine: bool,
    /// `5m ago`; empty before the first message.
    pub time: String,
    /// How many of the other side's messages were not read on this one.
    pub unread: u32,
    /// True if this side has archived it.
    pub is_archived: bool,
}

/// How far a message of this side is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum MessageState {
    /// Stored on this phone alone.
    Waiting,
    /// The server has it.
    Sent,
    /// The other side has read it.
    Read,
}

/// A message as it is shown.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct MessageView {
    /// The message's id.
    pub id: Id,
    /// True if it was written on this side.
    pub is_mine: bool,
    /// Name of the pet parent who wrote it, where several of the household have a login; absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub by: Option<String>,
    /// True if its sender has deleted it; its text then says so.
    pub is_deleted: bool,
    /// True if the person who looks may delete it.
    pub may_delete: bool,
    /// Its text in parts, links apart from plain text; empty for an image without words.
    pub parts: Vec<TextPart>,
    /// Id of the image, if it has one.
    pub photo: Option<Id>,
    /// `9:30 AM`.
    pub time: String,
    /// True if the time is shown above it: it is the first of those shown, or nobody had written for a while.
    pub is_after_gap: bool,
    /// How far it is, of this side's.
    pub state: Option<MessageState>,
}

/// The messages of a day.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct MessageDay {
    /// Date of the messages: `2026-11-20`.
    pub date: Date,
    /// `Today`, `Yesterday`, `Friday, November 20`, `Nov 20, 2025`.
    pub heading: String,
    /// Messages in their order.
    pub messages: Vec<MessageView>,
}

/// A conversation that is open.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Thread {
    /// The conversation, as the list shows it.
    pub card: ConversationCard,
    /// True if nobody has written anything yet.
    pub is_new: bool,
    /// Why nothing can be written, where that is so.
    pub closed: Option<String>,
    /// Hint for the sitter that nobody reads messages to this client yet.
    pub note: Option<String>,
    /// The newest messages, the oldest day first.
    pub days: Vec<MessageDay>,
    /// How many older ones this phone has.
    pub more: usize,
    /// The first message that was not read on this side, if it is among these.
    pub first_unread: Option<Id>,
    /// Id of the message to mark as read once it is seen: the other side's newest one; none where all are read.
    pub to_mark_read: Option<Id>,
}

/// Somebody who can be written to.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct MessageContact {
    /// The client's id.
    pub id: Id,
    /// The client's name.
    pub name: String,
    /// The names of the client's pets.
    pub pets: Vec<String>,
    /// A photo of the first pet that has one.
    pub photo: Option<Id>,
    /// True if there is a conversation already.
    pub has_conversation: bool,
    /// How many messages were not read.
    pub unread: u32,
}

/// Clients with one relationship to the sitter who can be written to.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ContactGroup {
    /// Relationship of these clients to the sitter.
    pub relationship_type: RelationshipType,
    /// Relationship in words.
    pub title: String,
    /// Clients sorted by name.
    pub contacts: Vec<MessageContact>,
}

/// A side that looks at the rows of a business at some time.
pub struct Viewer<'a> {
    /// Rows of the business.
    pub business: &'a Business,
    /// Side that looks: the sitter, or a client.
    pub actor: Actor,
    /// Login of the person who looks; none where it makes no difference.
    pub user_id: Option<Id>,
    /// Time and time zone.
    pub now: &'a Now,
}

/// Returns true if nobody else writes on the viewer's side: a phone does not know which of several pet parents has it.
fn is_one_writer(viewer: &Viewer<'_>, client_id: Id) -> bool {
    let client = viewer.business.client(client_id);
    viewer.actor == Actor::Sitter || client.is_none_or(|it| it.logins().count() < 2)
}

/// How many messages were not read, of all conversations.
pub fn unread_count(business: &Business, actor: Actor) -> u32 {
    let conversations = business.conversations.values();
    conversations.map(|it| it.row.unread_by(actor.side())).sum()
}

/// The conversations of the inbox or of the archive, what happened last first. With a search, those of both in which it
/// occurs, each with the newest message that it is in.
pub fn conversations(
    viewer: &Viewer<'_>,
    is_archive: bool,
    search: &str,
    fold: &dyn Fn(&str) -> String,
) -> Vec<ConversationCard> {
    let side = viewer.actor.side();
    let mut all: Vec<&Conversation> = viewer
        .business
        .conversations
        .values()
        .map(|it| &it.row)
        .collect();
    all.small_sort_by_key(|it| std::cmp::Reverse((it.updated_at(), it.id)));
    let search = fold(search.trim());
    if search.is_empty() {
        all.retain(|it| it.is_archived_by(side) == is_archive);
        return all.into_iter().map(|it| card(viewer, it)).collect();
    }
    let found = all
        .into_iter()
        .filter_map(|it| found_card(viewer, it, &search, fold));
    found.take(SEARCH_MOST).collect()
}

/// The conversation with this client, with its `most` newest messages, or as many pages of them as it takes to get to the
/// one at `back_to`; also one that nobody has begun.
pub fn thread(
    viewer: &Viewer<'_>,
    client_id: Id,
    most: usize,
    back_to: Option<Id>,
    is_pending: &dyn Fn(RowKey) -> bool,
) -> Option<Thread> {
    let business = viewer.business;
    let client = business.client(client_id);
    let begun = business.conversation(client_id);
    let fresh;
    let conversation = match (begun, client) {
        (Some(it), _) => it,
        (None, Some(client)) => {
            fresh = Conversation {
                client_name: client.name.clone(),
                ..Conversation::new(client_id, viewer.now.at)
            };
            &fresh
        }
        (None, None) => return None,
    };
    let side = viewer.actor.side();
    let back_to = back_to.map_or(0, |it| how_far_back(business, client_id, it));
    let most = most.max(back_to.next_multiple_of(PAGE as usize));
    let mut messages: Vec<&Message> = business.messages.newest_of(client_id).take(most).collect();
    messages.reverse();
    let theirs = || messages.iter().filter(|it| it.sender_type != side);
    let n_read = conversation.read_by(side).0;
    let first_unread = theirs().find(|it| n_read < it.sender_number);
    let newest = theirs().next_back();
    Some(Thread {
        card: card(viewer, conversation),
        is_new: messages.is_empty(),
        closed: closed(viewer.actor, client).map(str::to_owned),
        note: note(viewer.actor, client).map(str::to_owned),
        more: business.messages.count_of(client_id) - messages.len(),
        first_unread: first_unread.map(|it| it.id),
        to_mark_read: newest
            .filter(|it| n_read < it.sender_number)
            .map(|it| it.id),
        days: days(viewer, conversation, &messages, is_pending),
    })
}

/// Returns the position of a message from the end of its conversation, 1 for the newest; 0 if it is not in it.
fn how_far_back(business: &Business, client_id: Id, id: Id) -> usize {
    let known = business.messages.get(&id);
    // All before it would be read to find that it is not there.
    if known.is_none_or(|it| it.row.client_id != client_id) {
        return 0;
    }
    let newer = business.messages.newest_of(client_id);
    newer.take_while(|it| it.id != id).count() + 1
}

/// Who can be written to, by what connects them with the sitter; reasons that nobody has are left out.
pub fn contacts(
    viewer: &Viewer<'_>,
    search: &str,
    fold: &dyn Fn(&str) -> String,
) -> Vec<ContactGroup> {
    let business = viewer.business;
    let pets = business.pets_by_client();
    let known = Relationships::new(business, viewer.now.today());
    let mut groups = GROUPS.map(|kind| ContactGroup {
        relationship_type: kind,
        title: relationship(kind).to_owned(),
        contacts: Vec::new(),
    });
    for client in listed(business, search, &pets, fold) {
        if !can_be_messaged(client) {
            continue;
        }
        let kind = known.of(client.id);
        let conversation = business.conversation(client.id);
        let dogs = pets.of(client.id).iter();
        let dogs: Vec<_> = dogs.filter(|it| it.gone_on.is_none()).collect();
        if let Some(group) = groups.iter_mut().find(|it| it.relationship_type == kind) {
            group.contacts.push(MessageContact {
                id: client.id,
                name: client.name.clone(),
                pets: dogs.iter().map(|it| it.name.clone()).collect(),
                photo: dogs.iter().find_map(|it| it.photo),
                has_conversation: conversation.is_some(),
                unread: conversation.map_or(0, |it| it.unread_by(Side::Sitter)),
            });
        }
    }
    groups
        .into_iter()
        .filter(|it| !it.contacts.is_empty())
        .collect()
}

/// Order of the groups: pending requests first, since they wait for an answer.
const GROUPS: [RelationshipType; 5] = [
    RelationshipType::PendingRequest,
    RelationshipType::ApprovedRequest,
    RelationshipType::ScheduledService,
    RelationshipType::PastRequest,
    RelationshipType::ExistingClient,
];

/// Why nothing can be written to this client.
fn closed(actor: Actor, client: Option<&Client>) -> Option<&'static str> {
    match (client, actor) {
        (None, _) => Some("This client was deleted"),
        (Some(client), Actor::Sitter) if !can_be_messaged(client) => Some(unreachable(client)),
        _ => None,
    }
}

/// Returns the hint for a sitter who writes to a client without a login: messages are not mailed.
fn note(actor: Actor, client: Option<&Client>) -> Option<&'static str> {
    let client = client.filter(|it| actor == Actor::Sitter && can_be_messaged(it))?;
    unread_hint(client)
}

fn card(viewer: &Viewer<'_>, conversation: &Conversation) -> ConversationCard {
    let (business, side) = (viewer.business, viewer.actor.side());
    let (name, pets, photo) = match viewer.actor {
        Actor::Client(_) => {
            let sitter = business.sitter();
            let name = sitter.map(|it| it.shown_name().to_owned());
            (
                name.unwrap_or_default(),
                Vec::new(),
                sitter.and_then(|it| it.photo),
            )
        }
        Actor::Sitter => {
            let mut pets = business.pets_of(conversation.id);
            pets.retain(|it| it.gone_on.is_none());
            let client = business.client(conversation.id);
            let name = client.map_or(&conversation.client_name, |it| &it.name);
            let names = pets.iter().map(|it| it.name.clone()).collect();
            (name.clone(), names, pets.iter().find_map(|it| it.photo))
        }
    };
    let last_at = conversation.last_message_created_at;
    ConversationCard {
        id: conversation.id,
        name,
        pets,
        photo,
        preview: in_list(
            &conversation.last_message_content,
            conversation.last_message_type,
        ),
        found: None,
        is_mine: last_at.is_some()
            && conversation.last_message_sender_type == side
            && is_one_writer(viewer, conversation.id),
        time: last_at.map_or(String::new(), |it| format::relative_time(it, viewer.now)),
        unread: conversation.unread_by(side),
        is_archived: conversation.is_archived_by(side),
    }
}

fn in_list(content: &str, kind: MessageType) -> String {
    match (content, kind) {
        ("", MessageType::Image) => PHOTO.to_owned(),
        _ => content.to_owned(),
    }
}

/// The card of a conversation in which the search occurs: in who is talked to, or in what was said.
fn found_card(
    viewer: &Viewer<'_>,
    conversation: &Conversation,
    search: &str,
    fold: &dyn Fn(&str) -> String,
) -> Option<ConversationCard> {
    let mut card = card(viewer, conversation);
    let is_found = |text: &String| fold(text).contains(search);
    // A client's card does not name the own pets, which are searched all the same.
    let pets = viewer.business.pets_of(conversation.id).into_iter();
    let pets = pets.filter(|it| it.gone_on.is_none());
    if is_found(&card.name) || pets.map(|it| &it.name).any(is_found) {
        return Some(card);
    }
    let mut messages = viewer.business.messages.newest_of(conversation.id);
    let found =
        messages.find(|it| it.message_type != MessageType::System && is_found(&it.content))?;
    card.preview = message::preview(&found.content);
    card.found = Some(found.id);
    card.is_mine =
        found.sender_type == viewer.actor.side() && is_one_writer(viewer, conversation.id);
    card.time = format::relative_time(found.created_at, viewer.now);
    Some(card)
}

fn days(
    viewer: &Viewer<'_>,
    conversation: &Conversation,
    messages: &[&Message],
    is_pending: &dyn Fn(RowKey) -> bool,
) -> Vec<MessageDay> {
    let Now { zone, .. } = viewer.now;
    let clock = Clock {
        zone,
        cycle: viewer.business.hour_cycle(),
    };
    let mut days: Vec<MessageDay> = Vec::new();
    let mut before: Option<Instant> = None;
    let client = viewer.business.client(conversation.id);
    for it in messages {
        let (date, _) = it.created_at.civil(zone);
        let is_mine = it.sender_type == viewer.actor.side();
        let is_deleted = it.message_type == MessageType::System;
        let is_others = viewer
            .user_id
            .is_some_and(|user_id| household::is_of_other(it, user_id));
        let view = MessageView {
            id: it.id,
            is_mine,
            by: client
                .and_then(|client| client.parent_name(it.client_user_id))
                .map(str::to_owned),
            is_deleted,
            may_delete: is_mine && !is_deleted && !is_others,
            parts: message::parts(&it.content),
            photo: it.photo,
            time: clock.time(it.created_at),
            is_after_gap: before.is_none_or(|before| is_after_gap(before, it.created_at)),
            state: is_mine.then(|| state(it, conversation, is_pending)),
        };
        before = Some(it.created_at);
        match days.last_mut().filter(|day| day.date == date) {
            Some(day) => day.messages.push(view),
            None => days.push(MessageDay {
                date,
                heading: heading(date, viewer.now.today()),
                messages: vec![view],
            }),
        }
    }
    days
}

fn state(
    message: &Message,
    conversation: &Conversation,
    is_pending: &dyn Fn(RowKey) -> bool,
) -> MessageState {
    let key = RowKey {
        table: TableName::Message,
        id: message.id,
    };
    if is_pending(key) {
        MessageState::Waiting
    } else if read_at(message, conversation).is_some() {
        MessageState::Read
    } else {
        MessageState::Sent
    }
}

/// Returns the heading above the messages of a day.
fn heading(date: Date, today: Date) -> String {
    if date == today {
        "Today".to_owned()
    } else if date == today.plus_days(-1) {
        "Yesterday".to_owned()
    } else if date.parts().0 == today.parts().0 {
        format::date_heading(date)
    } else {
        format::date(date)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Context;
    use crate::commands::{SendMessage, decide};
    use crate::rows::client::Parent;
    use crate::rows::pet::Pet;
    use crate::rows::service::Service;
    use crate::rows::sitter::Sitter;
    use crate::rows::walk_request::{RequestStatus, WalkRequest};
    use crate::rules::message::{NOBODY_READS_YET, PARENT_LEFT};
    use crate::values::zone::TimeZone;
    use crate::{Row, Time};

    const DANA: Id = Id::of(1);
    const AMIR: Id = Id::of(2);

    fn at(time: &str) -> Instant {
        time.parse().unwrap()
    }

    fn now() -> Now {
        Now {
            at: at("2026-11-20T15:00:00Z"),
            zone: TimeZone::UTC,
        }
    }

    /// Dana has a dog and a login, Amir an e-mail.
    fn business() -> Business {
        let mut business = Business::default();
        let zone = "UTC".to_owned();
        let sitter = Sitter::new(Id::of(9), "Sam".to_owned(), String::new(), zone, Instant(0));
        business.put(1, Row::Sitter(sitter));
        for (id, name) in [(DANA, "Dana"), (AMIR, "Amir")] {
            let mut client = Client::new(id, Instant(0));
            client.name = name.to_owned();
            client.email = "a@example.com".to_owned();
            business.put(1, Row::Client(client));
        }
        let mut pet = Pet::new(Id::of(11), DANA);
        (pet.name, pet.photo) = ("Biscuit".to_owned(), Some(Id::of(77)));
        business.put(1, Row::Pet(pet));
        business
    }

    /// Says something in Dana's conversation, as the command does it.
    fn say(business: &mut Business, id: u128, side: Side, time: &str, content: &str) {
        let actor = match side {
            Side::Sitter => Actor::Sitter,
            Side::Client => Actor::Client(DANA),
        };
        let send = SendMessage {
            id: Id::of(id),
            conversation_id: DANA,
            content: content.to_owned(),
            photo: content.is_empty().then(|| Id::of(78)),
        };
        let now = Now {
            at: at(time),
            zone: TimeZone::UTC,
        };
        let ctx = Context {
            actor,
            ..Context::at(now)
        };
        let decision = decide(&send.into(), business, &ctx).unwrap();
        business.apply(1, &decision.changes);
    }

    fn with(business: &Business, actor: Actor, ask: impl FnOnce(&Viewer<'_>)) {
        let now = now();
        ask(&Viewer {
            business,
            actor,
            user_id: Some(Id::of(7)),
            now: &now,
        });
    }

    fn talk() -> Business {
        let mut business = business();
        let mut say = |id, side, time, content| say(&mut business, id, side, time, content);
        say(21, Side::Client, "2025-12-31T09:00:00Z", "Hello");
        say(22, Side::Sitter, "2026-11-19T23:59:00Z", "Key?");
        say(23, Side::Client, "2026-11-20T00:01:00Z", "Under the mat");
        say(24, Side::Client, "2026-11-20T14:58:00Z", "");
        business
    }

    #[test]
    fn what_another_parent_of_the_household_wrote_is_not_theirs_to_delete() {
        let mut business = talk();
        let mut own = business.messages.get(&Id::of(21)).unwrap().row.clone();
        own.client_user_id = Some(Id::of(7));
        let others = Message {
            id: Id::of(31),
            client_user_id: Some(Id::of(8)),
            ..own.clone()
        };
        business.put(2, Row::Message(own));
        business.put(2, Row::Message(others));
        let may_delete = |actor, id| {
            let mut may = None;
            with(&business, actor, |viewer| {
                let thread = thread(viewer, DANA, 50, None, &|_| false).unwrap();
                let mut messages = thread.days.iter().flat_map(|it| &it.messages);
                may = messages.find(|it| it.id == id).map(|it| it.may_delete);
            });
            may.unwrap()
        };
        assert!(may_delete(Actor::Client(DANA), Id::of(21)));
        assert!(!may_delete(Actor::Client(DANA), Id::of(31)));
        assert!(!may_delete(Actor::Sitter, Id::of(21)), "it is the client's");
        assert!(may_delete(Actor::Sitter, Id::of(22)));
    }

    #[test]
    fn a_thread_is_by_days_with_the_time_where_nobody_spoke_for_a_while() {
        with(&talk(), Actor::Sitter, |viewer| {
            let thread = thread(viewer, DANA, 50, None, &|_| false).unwrap();
            let days: Vec<_> = thread
                .days
                .iter()
                .map(|day| {
                    let messages = day.messages.iter();
                    let gaps: Vec<_> = messages.map(|it| (it.is_mine, it.is_after_gap)).collect();
                    (day.heading.as_str(), gaps)
                })
                .collect();
            assert_eq!(
                days,
                [
                    ("Dec 31, 2025", vec![(false, true)]),
                    ("Yesterday", vec![(true, true)]),
                    ("Today", vec![(false, false), (false, true)]),
                ]
            );
            assert_eq!(thread.first_unread, Some(Id::of(21)));
            assert_eq!(thread.to_mark_read, Some(Id::of(24)));
            assert_eq!(
                (thread.more, thread.is_new, thread.closed),
                (0, false, None)
            );
        });
    }

    #[test]
    fn a_page_is_of_the_newest_messages() {
        with(&talk(), Actor::Sitter, |viewer| {
            let thread = thread(viewer, DANA, 1, None, &|_| false).unwrap();
            assert_eq!(thread.more, 3);
            assert_eq!(thread.days[0].messages[0].photo, Some(Id::of(78)));
            assert_eq!(thread.first_unread, Some(Id::of(24)));
        });
    }

    #[test]
    fn a_message_of_long_ago_comes_with_all_pages_up_to_it() {
        let mut business = business();
        for id in 100..230 {
            say(
                &mut business,
                id,
                Side::Client,
                "2026-11-20T09:00:00Z",
                "Hi",
            );
        }
        let shown = |back_to: u128, most: usize| {
            let mut shown = (0, 0);
            with(&business, Actor::Sitter, |viewer| {
                let thread = thread(viewer, DANA, most, Some(Id::of(back_to)), &|_| false).unwrap();
                shown = (thread.days[0].messages.len(), thread.more);
            });
            shown
        };
        assert_eq!(shown(229, 50), (50, 80));
        assert_eq!(shown(180, 50), (50, 80));
        assert_eq!(shown(179, 50), (100, 30));
        assert_eq!(shown(100, 50), (130, 0));
        // Who has gone on from there sees no less.
        assert_eq!(shown(229, 100), (100, 30));
        // What is not there is looked for nowhere.
        assert_eq!(shown(7, 50), (50, 80));
    }

    #[test]
    fn that_nobody_reads_it_yet_is_said_to_a_sitter_whose_client_has_no_login() {
        let mut business = talk();
        let note = |business: &Business, actor| {
            let mut note = None;
            with(business, actor, |viewer| {
                note = thread(viewer, DANA, 50, None, &|_| false).unwrap().note;
            });
            note
        };
        let said = Some(NOBODY_READS_YET.to_owned());
        assert_eq!(note(&business, Actor::Sitter), said);
        assert_eq!(note(&business, Actor::Client(DANA)), None);
        let mut client = business.client(DANA).unwrap().clone();
        client.client_user_id = Some(Id::of(9));
        business.put(2, Row::Client(client.clone()));
        assert_eq!(note(&business, Actor::Sitter), None);
        client.client_user_id = None;
        client.parent_left_at = Some(now().at);
        business.put(3, Row::Client(client));
        let left = Some(PARENT_LEFT.to_owned());
        assert_eq!(note(&business, Actor::Sitter), left);
    }

    #[test]
    fn a_message_waits_is_sent_and_is_read() {
        let mut business = talk();
        let state = |business: &Business, pending: bool| {
            let mut state = None;
            with(business, Actor::Sitter, |viewer| {
                let thread = thread(viewer, DANA, 50, None, &|_| pending).unwrap();
                state = thread.days[1].messages[0].state;
            });
            state.unwrap()
        };
        assert_eq!(state(&business, true), MessageState::Waiting);
        assert_eq!(state(&business, false), MessageState::Sent);
        let mut conversation = business.conversation(DANA).unwrap().clone();
        (conversation.client_read, conversation.client_read_at) = (1, Some(now().at));
        business.put(2, Row::Conversation(conversation));
        assert_eq!(state(&business, false), MessageState::Read);
    }

    #[test]
    fn a_conversation_that_nobody_has_begun_can_be_opened_and_a_deleted_client_s_is_closed() {
        let mut business = talk();
        with(&business, Actor::Sitter, |viewer| {
            let thread = thread(viewer, AMIR, 50, None, &|_| false).unwrap();
            assert!(thread.is_new && thread.closed.is_none());
        });
        business.clients.remove(&DANA);
        with(&business, Actor::Sitter, |viewer| {
            let found = thread(viewer, DANA, 50, None, &|_| false).unwrap();
            assert_eq!(found.card.name, "Dana");
            assert_eq!(found.closed.as_deref(), Some("This client was deleted"));
            assert_eq!(thread(viewer, Id::of(8), 50, None, &|_| false), None);
        });
    }

    #[test]
    fn each_side_sees_the_other_in_its_list() {
        let business = talk();
        with(&business, Actor::Sitter, |viewer| {
            let [card] = &conversations(viewer, false, "", &str::to_lowercase)[..] else {
                panic!("one conversation");
            };
            assert_eq!((card.name.as_str(), card.photo), ("Dana", Some(Id::of(77))));
            assert_eq!(
                (card.preview.as_str(), card.time.as_str()),
                ("Photo", "2m ago")
            );
            assert_eq!((card.unread, card.is_mine), (3, false));
        });
        with(&business, Actor::Client(DANA), |viewer| {
            let [card] = &conversations(viewer, false, "", &str::to_lowercase)[..] else {
                panic!("one conversation");
            };
            assert_eq!((card.name.as_str(), &card.pets), ("Sam", &Vec::new()));
            assert_eq!((card.unread, card.is_mine), (1, true));
        });
        let mut household = business.clone();
        let mut client = household.client(DANA).unwrap().clone();
        for n in [7, 8] {
            let user_id = Id::of(n);
            let parent = Parent {
                user_id,
                ..Parent::default()
            };
            client.add_login(parent, None);
        }
        household.put(2, Row::Client(client));
        with(&household, Actor::Client(DANA), |viewer| {
            let [card] = &conversations(viewer, false, "", &str::to_lowercase)[..] else {
                panic!("one conversation");
            };
            assert!(!card.is_mine, "the other parent may have written it");
        });
        assert_eq!(unread_count(&business, Actor::Sitter), 3);
        assert_eq!(unread_count(&business, Actor::Client(DANA)), 1);
    }

    #[test]
    fn what_was_put_away_is_in_the_archive_of_that_side() {
        let mut business = talk();
        let mut conversation = business.conversation(DANA).unwrap().clone();
        conversation.archived_by_sitter = true;
        business.put(2, Row::Conversation(conversation));
        let counts = |actor| {
            let mut counts = [0, 0];
            with(&business, actor, |viewer| {
                counts =
                    [false, true].map(|it| conversations(viewer, it, "", &str::to_lowercase).len());
            });
            counts
        };
        assert_eq!(counts(Actor::Sitter), [0, 1]);
        assert_eq!(counts(Actor::Client(DANA)), [1, 0]);
    }

    #[test]
    fn a_search_finds_names_pets_and_words() {
        let business = talk();
        let found = |search: &str| {
            let mut previews = Vec::new();
            with(&business, Actor::Sitter, |viewer| {
                let cards = conversations(viewer, true, search, &str::to_lowercase);
                previews = cards.into_iter().map(|it| (it.preview, it.found)).collect();
            });
            previews
        };
        assert_eq!(found("dana"), [("Photo".to_owned(), None)]);
        assert_eq!(found("BISC"), [("Photo".to_owned(), None)]);
        let words = ("Under the mat".to_owned(), Some(Id::of(23)));
        assert_eq!(found(" the Mat "), [words]);
        assert_eq!(found("deleted"), []);
        with(&business, Actor::Client(DANA), |viewer| {
            let found = conversations(viewer, true, "bisc", &str::to_lowercase);
            assert_eq!(found.len(), 1, "a pet parent's own pet");
        });
    }

    #[test]
    fn a_search_shows_a_hundred_at_most() {
        let mut business = business();
        for id in 1000..1101 {
            let mut client = Client::new(Id::of(id), Instant(0));
            client.name = "Kim".to_owned();
            business.put(1, Row::Client(client));
            let conversation = Conversation::new(Id::of(id), Instant(0));
            business.put(1, Row::Conversation(conversation));
        }
        with(&business, Actor::Sitter, |viewer| {
            let found = conversations(viewer, true, "kim", &str::to_lowercase);
            assert_eq!(found.len(), 100);
        });
    }

    #[test]
    fn contacts_are_by_what_connects_them() {
        let mut business = business();
        let groups = |business: &Business| {
            let mut found = Vec::new();
            with(business, Actor::Sitter, |viewer| {
                for group in contacts(viewer, "", &str::to_lowercase) {
                    let names: Vec<String> = group.contacts.into_iter().map(|it| it.name).collect();
                    found.push((group.relationship_type, names.join(" ")));
                }
            });
            found
        };
        let existing = RelationshipType::ExistingClient;
        assert_eq!(groups(&business), [(existing, "Amir Dana".to_owned())]);
        let mut service = Service::new(Id::of(31), Instant(0));
        (service.client_id, service.date) = (AMIR, now().today());
        service.start_time = Time::hour(9);
        business.put(1, Row::Service(service));
        let booked = RelationshipType::ScheduledService;
        let expected = [(booked, "Amir".to_owned()), (existing, "Dana".to_owned())];
        assert_eq!(groups(&business), expected);
        let mut request = WalkRequest::new(Id::of(32), AMIR, Instant(0));
        business.put(1, Row::WalkRequest(request.clone()));
        let pending = RelationshipType::PendingRequest;
        assert_eq!(groups(&business)[0], (pending, "Amir".to_owned()));
        (request.status, request.client_id) = (RequestStatus::Declined, DANA);
        business.put(1, Row::WalkRequest(request));
        let past = RelationshipType::PastRequest;
        assert_eq!(groups(&business)[1], (past, "Dana".to_owned()));
        let mut approved = WalkRequest::new(Id::of(33), DANA, Instant(0));
        (approved.status, approved.requested_date) = (RequestStatus::Approved, now().today());
        business.put(1, Row::WalkRequest(approved));
        let approved = RelationshipType::ApprovedRequest;
        assert!(groups(&business).contains(&(approved, "Dana".to_owned())));
        // Who has neither e-mail nor login cannot be written to.
        for id in [DANA, AMIR] {
            let mut client = business.client(id).unwrap().clone();
            client.email.clear();
            business.put(1, Row::Client(client));
        }
        assert_eq!(groups(&business), []);
    }
}
