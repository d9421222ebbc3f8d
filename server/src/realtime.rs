//! Owns what open apps are told at once: that something changed, never what. An event that is lost costs a poll's
//! time and nothing else, so sending one never fails and never waits.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use sqlx::postgres::PgListener;
use tokio::sync::mpsc;
use walkies_core::Id;

use crate::db::{Account, Db};
use crate::log::redacted;

/// What an open app is told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The business has a new revision: pull.
    Changed {
        /// The new revision.
        rev: u64,
    },
    /// A message was sent.
    MessageSent {
        /// The conversation that it is part of.
        conversation_id: Id,
        /// The new message.
        message_id: Id,
    },
    /// A conversation's messages were read.
    MessageRead {
        /// The one that has nothing unread any more.
        conversation_id: Id,
    },
    /// The other one is typing.
    Typing {
        /// The conversation that the message will be part of.
        conversation_id: Id,
    },
}

/// Whom an event is for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    /// All phones of a business.
    Sitter(Id),
    /// All phones of one user.
    User(Id),
}

/// An event on its way, or the end of sessions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Notice {
    /// Tell them.
    Tell {
        /// The phones that are told.
        to: Audience,
        /// What they are told, as it goes over their WebSocket.
        event: Event,
    },
    /// Sessions of this user ended: open connections look whether theirs still stands.
    SessionsEnded {
        /// The account that they were of.
        user_id: Id,
    },
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

    /// A business has a new revision.
    pub fn changed(&self, sitter_id: Id, rev: u64) {
        self.send(Notice::Tell {
            to: Audience::Sitter(sitter_id),
            event: Event::Changed { rev },
        });
    }

    /// Subscribes one more open app of a user, in place of the one that has been open longest where there are too many.
    pub fn subscribe(&self, account: &Account) -> Subscription {
        let audiences = std::iter::once(account.id).chain(account.sitter_id);
        self.subscribers.add(audiences.collect())
    }
}

/// So many tabs and phones of one user are told at once. The others poll.
const MAX_SUBSCRIPTIONS: usize = 16;
/// So many notices wait for a slow phone. One that finds no room is not missed: of those before it the phone pulls
/// later than it was made.
const QUEUE_CAPACITY: usize = 8;

/// The open apps, by their user and by their business: a notice comes to those alone whom it is for.
#[derive(Clone, Debug, Default)]
struct Subscribers(Arc<Mutex<SubscriberTable>>);

#[derive(Debug, Default)]
struct SubscriberTable {
    last: u64,
    /// The one that was opened first in front.
    by_audience: HashMap<Id, VecDeque<(u64, mpsc::Sender<Notice>)>>,
}

/// An open app's place among those of its user.
#[derive(Debug)]
pub struct Subscription {
    subscribers: Subscribers,
    /// Its user, and its business where it has one.
    audiences: Vec<Id>,
    number: u64,
    /// What it is told; ends when another app has taken its place.
    pub notices: mpsc::Receiver<Notice>,
}

impl Subscribers {
    fn lock(&self) -> MutexGuard<'_, SubscriberTable> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, audiences: Vec<Id>) -> Subscription {
        let mut table = self.lock();
        table.last += 1;
        let number = table.last;
        let of_user = audiences.first().and_then(|it| table.by_audience.get(it));
        // Whoever opens the app now looks at it; the oldest is a forgotten tab.
        let oldest = of_user.filter(|it| MAX_SUBSCRIPTIONS <= it.len());
        if let Some((oldest, _)) = oldest.and_then(VecDeque::front) {
            let oldest = *oldest;
            table.remove(&audiences, oldest);
        }
        let (sender, notices) = mpsc::channel(QUEUE_CAPACITY);
        for audience in &audiences {
            let subscribers = table.by_audience.entry(*audience).or_default();
            subscribers.push_back((number, sender.clone()));
        }
        Subscription {
            subscribers: self.clone(),
            audiences,
            number,
            notices,
        }
    }

    fn deliver(&self, notice: &Notice) {
        let (Notice::Tell {
            to: Audience::Sitter(audience) | Audience::User(audience),
            ..
        }
        | Notice::SessionsEnded { user_id: audience }) = notice;
        let table = self.lock();
        // Nobody may be listening.
        for (_, subscriber) in table.by_audience.get(audience).into_iter().flatten() {
            let _ = subscriber.try_send(notice.clone());
        }
    }
}

impl SubscriberTable {
    fn remove(&mut self, audiences: &[Id], number: u64) {
        for audience in audiences {
            if let Some(subscribers) = self.by_audience.get_mut(audience) {
                subscribers.retain(|it| it.0 != number);
                if subscribers.is_empty() {
                    self.by_audience.remove(audience);
                }
            }
        }
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
