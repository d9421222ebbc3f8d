//! Owns what open apps are told at once: that something changed, never what, and that somebody is typing. An event that is
//! lost costs a poll's time and nothing else, so sending one never fails and never waits.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use sqlx::postgres::PgListener;
use tokio::sync::mpsc;
use walkies_core::rows::conversation::Conversation;
use walkies_core::rules::client_view::{Shown, client_of, shown};
use walkies_core::{Business, Change, Id, Row};

use crate::base::log::redacted;
use crate::db::{Account, ClientLink, Db};

/// A realtime event that an open app receives over its WebSocket.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The business has a new revision: pull.
    Changed {
        /// The id of the business.
        sitter_id: Id,
        /// The new revision.
        rev: u64,
    },
    /// A message was sent.
    MessageSent {
        /// The id of the business.
        sitter_id: Id,
        /// The conversation that it is part of.
        conversation_id: Id,
        /// The new message.
        message_id: Id,
    },
    /// A conversation's messages were read.
    MessageRead {
        /// The id of the business.
        sitter_id: Id,
        /// The one of which more was read.
        conversation_id: Id,
    },
    /// The other one is typing, or has stopped.
    Typing {
        /// The id of the business.
        sitter_id: Id,
        /// The conversation that the message will be part of.
        conversation_id: Id,
        /// True if the typing has stopped. A client that misses this event ends the indicator after three seconds.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        stopped: bool,
    },
}

/// Open apps that an event is for.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    /// All phones of a business's sitter.
    Sitter(Id),
    /// All phones of one user.
    User(Id),
    /// The apps of the pet parent who is this client of the business.
    Client {
        /// The id of the business.
        sitter_id: Id,
        /// The pet parent's record in that business.
        client_id: Id,
    },
    /// The apps of all pet parents who are clients of the business.
    ClientsOf(Id),
}

impl Audience {
    /// Those that a pet parent belongs to by a link.
    fn of_link(link: &ClientLink) -> [Self; 2] {
        let ClientLink {
            sitter_id,
            client_id,
            ..
        } = *link;
        let client = Self::Client {
            sitter_id,
            client_id,
        };
        [client, Self::ClientsOf(sitter_id)]
    }
}

/// An event on its way, or the end of sessions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Notice {
    /// Sends an event to the open apps of an audience.
    Tell {
        /// The apps that get the event.
        to: Audience,
        /// The event, as it goes over their WebSocket.
        event: Event,
    },
    /// Sessions of this user ended: open connections check whether their own is still valid.
    SessionsEnded {
        /// The account that they were of.
        user_id: Id,
    },
    /// A pet parent was linked or unlinked: apps get no events of shared data until the links are looked up again.
    LinksChanged {
        /// The account of the pet parent.
        user_id: Id,
    },
}

impl Notice {
    const fn is_typing(&self) -> bool {
        matches!(
            self,
            Self::Tell {
                event: Event::Typing { .. },
                ..
            }
        )
    }
}

/// Whom a decision concerns, beside the sitter: found before it is written, told after.
#[derive(Debug, Default)]
pub struct Echo {
    /// The clients of whose rows it changes some, or all of them.
    clients: BTreeSet<Id>,
    is_for_all: bool,
    /// Conversations in which something was said, with the message.
    said: Vec<(Id, Id)>,
    /// Conversations of which more was read.
    read: Vec<Id>,
    /// Pet parents who are clients no more.
    let_go: Vec<Id>,
}

/// The most clients that are told one by one: a change that concerns more is told to all clients of the business.
const MAX_CLIENTS_TOLD: usize = 20;

impl Echo {
    /// Works out which clients these changes of these rows concern, and which messages were sent or read.
    pub fn of(before: &Business, changes: &[Change]) -> Self {
        let mut echo = Self::default();
        for change in changes {
            let known = before.get(change.key()).map(|it| it.row);
            let rows = known.iter().chain(match change {
                Change::Put(row) => Some(row),
                Change::Delete(_) => None,
            });
            match shown(change.key().table) {
                Shown::All => echo.is_for_all = true,
                Shown::Own | Shown::OfClient => echo.clients.extend(rows.filter_map(client_of)),
                Shown::Nothing => {}
            }
            echo.hear(known.as_ref(), change);
        }
        echo.is_for_all |= MAX_CLIENTS_TOLD < echo.clients.len();
        echo
    }

    fn hear(&mut self, before: Option<&Row>, change: &Change) {
        match (before, change) {
            (None, Change::Put(Row::Message(it))) => self.said.push((it.client_id, it.id)),
            (Some(Row::Conversation(before)), Change::Put(Row::Conversation(after))) => {
                let read = |it: &Conversation| (it.sitter_read, it.client_read);
                if read(before) != read(after) {
                    self.read.push(after.id);
                }
            }
            (Some(Row::Client(before)), change) => {
                let after = match change {
                    Change::Put(Row::Client(after)) => Some(after),
                    _ => None,
                };
                let is_gone = |it: &Id| !after.is_some_and(|after| after.has_login(*it));
                self.let_go.extend(before.logins().filter(is_gone));
            }
            _ => {}
        }
    }
}

/// A notice with the process that it comes from, as it crosses between processes.
#[derive(Debug, Serialize, Deserialize)]
struct Envelope {
    from: Id,
    notice: Notice,
}

/// The notices of all processes on one database.
#[derive(Debug)]
pub struct Realtime {
    subscribers: Subscribers,
    other_processes: Option<mpsc::Sender<Notice>>,
}

/// Notices on their way to other processes. Where there are more, the phones there poll.
const OUTBOUND_CAPACITY: usize = 1024;
const CHANNEL: &str = "walkies";

impl Realtime {
    /// For a server process: on Postgres, notices cross to the other processes and back.
    ///
    /// `process` tells the notices of this process from those of others. Must be called within the runtime.
    pub fn start(db: &Db, process: Id) -> Self {
        let subscribers = Subscribers::default();
        let other_processes = match db {
            Db::Sqlite { .. } => None,
            Db::Postgres(pool) => {
                let (sender, receiver) = mpsc::channel(OUTBOUND_CAPACITY);
                tokio::spawn(publish(pool.clone(), process, receiver));
                tokio::spawn(listen(pool.clone(), process, subscribers.clone()));
                Some(sender)
            }
        };
        Self {
            subscribers,
            other_processes,
        }
    }

    /// Passes a notice on, here and to the other processes.
    pub fn send(&self, notice: Notice) {
        if let Some(other_processes) = &self.other_processes {
            // A full channel means that the database is slow; the phones poll.
            let _ = other_processes.try_send(notice.clone());
        }
        self.subscribers.deliver(&notice);
    }

    fn tell(&self, to: Audience, event: Event) {
        self.send(Notice::Tell { to, event });
    }

    /// A business has a new revision, which concerns everybody.
    pub fn changed(&self, sitter_id: Id, rev: u64) {
        for to in [Audience::Sitter(sitter_id), Audience::ClientsOf(sitter_id)] {
            self.tell(to, Event::Changed { sitter_id, rev });
        }
    }

    /// A business has a new revision, which concerns these.
    pub fn decided(&self, sitter_id: Id, rev: u64, echo: &Echo) {
        // Before anything else is told that is theirs no more.
        for user_id in &echo.let_go {
            self.links_changed(*user_id);
        }
        let client = |client_id| Audience::Client {
            sitter_id,
            client_id,
        };
        self.tell(
            Audience::Sitter(sitter_id),
            Event::Changed { sitter_id, rev },
        );
        if echo.is_for_all {
            self.tell(
                Audience::ClientsOf(sitter_id),
                Event::Changed { sitter_id, rev },
            );
        } else {
            for client_id in &echo.clients {
                self.tell(client(*client_id), Event::Changed { sitter_id, rev });
            }
        }
        let said = echo.said.iter().map(|(conversation_id, message_id)| {
            let event = Event::MessageSent {
                sitter_id,
                conversation_id: *conversation_id,
                message_id: *message_id,
            };
            (*conversation_id, event)
        });
        let read = echo.read.iter().map(|conversation_id| {
            let event = Event::MessageRead {
                sitter_id,
                conversation_id: *conversation_id,
            };
            (*conversation_id, event)
        });
        for (client_id, event) in said.chain(read) {
            self.tell(Audience::Sitter(sitter_id), event.clone());
            self.tell(client(client_id), event);
        }
    }

    /// A pet parent was linked with a business or let go.
    pub fn links_changed(&self, user_id: Id) {
        self.send(Notice::LinksChanged { user_id });
    }

    /// Somebody is typing or has `stopped`: passes it on to the other side of a conversation that the app is part of.
    pub fn typing(
        &self,
        from: &Subscription,
        sitter_id: Option<Id>,
        conversation_id: Id,
        stopped: bool,
    ) {
        let Some((to, sitter_id)) = from.other_side(sitter_id, conversation_id) else {
            return;
        };
        let event = Event::Typing {
            sitter_id,
            conversation_id,
            stopped,
        };
        self.tell(to, event);
    }

    /// Subscribes one more open app of a user, in place of the one that has been open longest where there are too many. A
    /// pet parent's hears of no business before its links are looked up.
    pub fn subscribe(&self, account: &Account) -> Subscription {
        let user = Audience::User(account.id);
        let business = account.sitter_id.map(Audience::Sitter);
        let audiences = std::iter::once(user).chain(business).collect();
        self.subscribers.add(audiences, account.sitter_id)
    }
}

/// So many tabs and phones of one user are told at once. The others poll.
const MAX_SUBSCRIPTIONS: usize = 16;
/// So many notices wait for a slow phone. One that finds no room is not missed: of those before it the phone pulls
/// later than it was made.
const QUEUE_CAPACITY: usize = 8;
/// So many of the places are for what a phone pulls of: that somebody types is left out rather than take one of them.
const KEPT_FREE: usize = 4;

/// The open apps, by those whom a notice may be for: it comes to them alone.
#[derive(Clone, Debug, Default)]
struct Subscribers(Arc<Mutex<SubscriberTable>>);

#[derive(Debug, Default)]
struct SubscriberTable {
    last: u64,
    /// The one that was opened first in front.
    by_audience: HashMap<Audience, VecDeque<Seat>>,
    /// To which audiences pet parents' apps belong by links.
    links: HashMap<u64, Vec<Audience>>,
}

/// An open app's place in an audience.
#[derive(Clone, Debug)]
struct Seat {
    number: u64,
    sender: mpsc::Sender<Notice>,
    links_are_old: Arc<AtomicBool>,
}

/// An open app's place among those of its user.
#[derive(Debug)]
pub struct Subscription {
    subscribers: Subscribers,
    /// Its user, and its business where it has one.
    audiences: Vec<Audience>,
    /// The business of a sitter's.
    sitter_id: Option<Id>,
    number: u64,
    links_are_old: Arc<AtomicBool>,
    /// Notices for this app; the channel ends when another app has taken its place.
    pub notices: mpsc::Receiver<Notice>,
}

impl Subscribers {
    fn lock(&self) -> MutexGuard<'_, SubscriberTable> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, audiences: Vec<Audience>, sitter_id: Option<Id>) -> Subscription {
        let mut table = self.lock();
        table.last += 1;
        let of_user = audiences.first().and_then(|it| table.by_audience.get(it));
        // Whoever opens the app now looks at it; the oldest is a forgotten tab.
        let oldest = of_user.filter(|it| MAX_SUBSCRIPTIONS <= it.len());
        if let Some(oldest) = oldest.and_then(VecDeque::front) {
            let oldest = oldest.number;
            table.remove(&audiences, oldest);
        }
        let (sender, notices) = mpsc::channel(QUEUE_CAPACITY);
        let (number, links_are_old) = (table.last, Arc::new(AtomicBool::new(sitter_id.is_none())));
        let seat = Seat {
            number,
            sender,
            links_are_old: Arc::clone(&links_are_old),
        };
        table.seat(&audiences, &seat);
        Subscription {
            subscribers: self.clone(),
            audiences,
            sitter_id,
            number,
            links_are_old,
            notices,
        }
    }

    fn deliver(&self, notice: &Notice) {
        let mut table = self.lock();
        let audience = match notice {
            Notice::Tell { to, .. } => to.clone(),
            Notice::SessionsEnded { user_id } => Audience::User(*user_id),
            Notice::LinksChanged { user_id } => {
                table.forget_links(&Audience::User(*user_id));
                Audience::User(*user_id)
            }
        };
        // Nobody may be listening.
        for seat in table.by_audience.get(&audience).into_iter().flatten() {
            if !notice.is_typing() || KEPT_FREE < seat.sender.capacity() {
                let _ = seat.sender.try_send(notice.clone());
            }
        }
    }
}

impl SubscriberTable {
    fn seat(&mut self, audiences: &[Audience], seat: &Seat) {
        for audience in audiences {
            let seats = self.by_audience.entry(audience.clone()).or_default();
            seats.push_back(seat.clone());
        }
    }

    fn remove(&mut self, audiences: &[Audience], number: u64) {
        let links = self.links.remove(&number).unwrap_or_default();
        for audience in audiences.iter().chain(&links) {
            if let Some(seats) = self.by_audience.get_mut(audience) {
                seats.retain(|it| it.number != number);
                if seats.is_empty() {
                    self.by_audience.remove(audience);
                }
            }
        }
    }

    // INVARIANT: Who is let go is told nothing more, whatever waits to be looked up.
    fn forget_links(&mut self, user: &Audience) {
        for seat in self.by_audience.get(user).cloned().unwrap_or_default() {
            seat.links_are_old.store(true, Ordering::SeqCst);
            self.remove(&[], seat.number);
        }
    }
}

impl Subscription {
    /// Returns true if the pet parent's links must be looked up again before the app is told anything of them. An app that is
    /// open as a sitter's has none.
    pub fn has_old_links(&self) -> bool {
        self.sitter_id.is_none() && self.links_are_old.load(Ordering::SeqCst)
    }

    /// Its links are looked up from here on.
    pub fn look_up_links(&self) {
        self.links_are_old.store(false, Ordering::SeqCst);
    }

    /// They may be others by now, or could not be looked up.
    pub fn forget_links(&self) {
        self.links_are_old.store(true, Ordering::SeqCst);
    }

    /// Has it told of these businesses, unless they have changed since they were looked up.
    pub fn link(&self, links: &[ClientLink]) {
        let mut table = self.subscribers.lock();
        if self.sitter_id.is_some() || self.has_old_links() {
            return;
        }
        let user = self.audiences.first();
        let seats = user.and_then(|it| table.by_audience.get(it));
        let seat = seats.and_then(|it| it.iter().find(|it| it.number == self.number));
        // Another app may have taken its place.
        let Some(seat) = seat.cloned() else {
            return;
        };
        let audiences: Vec<Audience> = links.iter().flat_map(Audience::of_link).collect();
        table.remove(&[], self.number);
        table.seat(&audiences, &seat);
        table.links.insert(self.number, audiences);
    }

    /// Who is on the other side of a conversation, and of which business that is; nothing where this side is not the app's.
    fn other_side(&self, sitter_id: Option<Id>, conversation_id: Id) -> Option<(Audience, Id)> {
        if let Some(sitter_id) = self.sitter_id {
            let client = Audience::Client {
                sitter_id,
                client_id: conversation_id,
            };
            return Some((client, sitter_id));
        }
        let table = self.subscribers.lock();
        let links = table.links.get(&self.number)?;
        let sitter_id = links.iter().find_map(|it| match it {
            Audience::Client {
                sitter_id: of,
                client_id,
            } if *client_id == conversation_id && sitter_id.is_none_or(|it| it == *of) => Some(*of),
            _ => None,
        })?;
        Some((Audience::Sitter(sitter_id), sitter_id))
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.subscribers.lock().remove(&self.audiences, self.number);
    }
}

// Not inside the write's transaction: a commit that notifies holds a lock of the whole database server.
async fn publish(pool: sqlx::PgPool, process: Id, mut notices: mpsc::Receiver<Notice>) {
    while let Some(notice) = notices.recv().await {
        let Ok(payload) = serde_json::to_string(&Envelope {
            from: process,
            notice,
        }) else {
            continue;
        };
        let sent = sqlx::query("SELECT pg_notify($1, $2)")
            .bind(CHANNEL)
            .bind(payload)
            .execute(&pool)
            .await;
        if let Err(error) = sent {
            tracing::warn!(
                error = redacted(&error),
                "realtime events do not reach the other processes"
            );
        }
    }
}

async fn listen(pool: sqlx::PgPool, process: Id, subscribers: Subscribers) {
    while !pool.is_closed() {
        let heard = async {
            let mut listener = PgListener::connect_with(&pool).await?;
            listener.listen(CHANNEL).await?;
            loop {
                let notification = listener.recv().await?;
                match serde_json::from_str::<Envelope>(notification.payload()) {
                    Ok(envelope) if envelope.from != process => {
                        subscribers.deliver(&envelope.notice)
                    }
                    Ok(_) => {}
                    Err(error) => {
                        tracing::warn!(
                            error = redacted(&error),
                            "a realtime event of another process cannot be read"
                        )
                    }
                }
            }
        };
        let ended: sqlx::Result<()> = heard.await;
        if let Err(error) = ended
            && !pool.is_closed()
        {
            tracing::warn!(
                error = redacted(&error),
                "realtime events of the other processes do not arrive; trying again"
            );
            tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(client: u128) -> ClientLink {
        ClientLink {
            sitter_id: Id::of(1),
            client_id: Id::of(client),
            history: Id::of(9),
        }
    }

    fn changed(to: Audience) -> Notice {
        let (sitter_id, rev) = (Id::of(1), 7);
        let event = Event::Changed { sitter_id, rev };
        Notice::Tell { to, event }
    }

    #[test]
    fn who_is_let_go_is_told_nothing_more_whatever_waits_to_be_looked_up() {
        let (user_id, subscribers) = (Id::of(5), Subscribers::default());
        let mut app = subscribers.add(vec![Audience::User(user_id)], None);
        assert!(app.has_old_links());
        app.look_up_links();
        app.link(&[link(2)]);
        let [own, all] = Audience::of_link(&link(2));
        let [other, _] = Audience::of_link(&link(3));
        let told = |app: &mut Subscription| {
            for to in [&own, &all, &other] {
                subscribers.deliver(&changed(to.clone()));
            }
            std::iter::from_fn(|| app.notices.try_recv().ok()).collect::<Vec<_>>()
        };
        assert_eq!(told(&mut app), [changed(own.clone()), changed(all.clone())]);
        // While they are looked up they change once more: what was found is not what is.
        app.look_up_links();
        let gone = Notice::LinksChanged { user_id };
        subscribers.deliver(&gone);
        app.link(&[link(2)]);
        assert_eq!(told(&mut app), [gone]);
        assert!(app.has_old_links());
        assert_eq!(
            app.other_side(None, Id::of(2)),
            None,
            "nor does anybody hear them"
        );
    }

    #[test]
    fn typing_leaves_a_slow_phone_room_for_what_it_pulls_of() {
        let (sitter, subscribers) = (Audience::Sitter(Id::of(1)), Subscribers::default());
        let mut app = subscribers.add(vec![sitter.clone()], Some(Id::of(1)));
        let typing = Notice::Tell {
            to: sitter.clone(),
            event: Event::Typing {
                sitter_id: Id::of(1),
                conversation_id: Id::of(2),
                stopped: false,
            },
        };
        for _ in 0..QUEUE_CAPACITY {
            subscribers.deliver(&typing);
        }
        for _ in 0..KEPT_FREE {
            subscribers.deliver(&changed(sitter.clone()));
        }
        let told: Vec<_> = std::iter::from_fn(|| app.notices.try_recv().ok()).collect();
        let pulled = told.iter().filter(|it| !it.is_typing()).count();
        assert_eq!((told.len(), pulled), (QUEUE_CAPACITY, KEPT_FREE));
    }

    #[test]
    fn a_side_is_heard_by_the_other_one_of_its_own_conversations() {
        let subscribers = Subscribers::default();
        let sitters = subscribers.add(vec![Audience::Sitter(Id::of(1))], Some(Id::of(1)));
        let parents = subscribers.add(vec![Audience::User(Id::of(5))], None);
        parents.look_up_links();
        parents.link(&[link(2)]);
        let [client, _] = Audience::of_link(&link(2));
        let heard = Some((client, Id::of(1)));
        assert_eq!(
            sitters.other_side(Some(Id::of(8)), Id::of(2)),
            heard,
            "a sitter has one business"
        );
        let heard = Some((Audience::Sitter(Id::of(1)), Id::of(1)));
        assert_eq!(parents.other_side(None, Id::of(2)), heard);
        assert_eq!(parents.other_side(Some(Id::of(1)), Id::of(2)), heard);
        assert_eq!(parents.other_side(Some(Id::of(8)), Id::of(2)), None);
        assert_eq!(parents.other_side(None, Id::of(3)), None);
    }
}
