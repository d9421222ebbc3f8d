//! Owns what open apps are told at once: that something changed, never what. An event that is lost costs a poll's
//! time and nothing else, so sending one never fails and never waits.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use sqlx::postgres::PgListener;
use tokio::sync::{broadcast, mpsc, oneshot};
use walkies_core::Id;

use crate::db::Db;
use crate::log::told;

/// What an open app is told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The business has a new revision: pull.
    Changed {
        /// Which.
        rev: u64,
    },
    /// A message was sent.
    MessageSent {
        /// In which conversation.
        conversation_id: Id,
        /// Which.
        message_id: Id,
    },
    /// A conversation's messages were read.
    MessageRead {
        /// Which conversation.
        conversation_id: Id,
    },
    /// The other one is typing.
    Typing {
        /// In which conversation.
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
        /// Whom.
        to: Audience,
        /// What.
        event: Event,
    },
    /// Sessions of this user ended: open connections look whether theirs still stands.
    SessionsEnded {
        /// Whose.
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
    here: broadcast::Sender<Notice>,
    elsewhere: Option<mpsc::Sender<Notice>>,
    seats: Seats,
}

/// A slow phone that has missed more than this is told to pull, which is all that it would have been told.
const BACKLOG: usize = 1024;
const CHANNEL: &str = "walkies";

impl Realtime {
    /// For a server process: on Postgres, notices cross to the other processes and back.
    ///
    /// `process` tells the notices of this process from those of others. Must be called within the runtime.
    pub fn start(db: &Db, process: Id) -> Self {
        let (here, _) = broadcast::channel(BACKLOG);
        let elsewhere = match db {
            Db::Sqlite { .. } => None,
            Db::Postgres(pool) => {
                let (sender, receiver) = mpsc::channel(BACKLOG);
                tokio::spawn(send_elsewhere(pool.clone(), process, receiver));
                tokio::spawn(hear_elsewhere(pool.clone(), process, here.clone()));
                Some(sender)
            }
        };
        Self {
            here,
            elsewhere,
            seats: Seats::default(),
        }
    }

    /// Passes a notice on, here and to the other processes.
    pub fn send(&self, notice: Notice) {
        if let Some(elsewhere) = &self.elsewhere {
            // A full channel means that the database is slow; the phones poll.
            let _ = elsewhere.try_send(notice.clone());
        }
        // Nobody may be listening.
        let _ = self.here.send(notice);
    }

    /// A business has a new revision.
    pub fn changed(&self, sitter_id: Id, rev: u64) {
        self.send(Notice::Tell {
            to: Audience::Sitter(sitter_id),
            event: Event::Changed { rev },
        });
    }

    /// A seat for one more open app of a user, in place of the one that has been open longest where there are too many.
    pub fn seat(&self, user_id: Id) -> Seat {
        self.seats.take(user_id)
    }

    /// Everything from now on.
    pub fn subscribe(&self) -> broadcast::Receiver<Notice> {
        self.here.subscribe()
    }
}

/// So many tabs and phones of one user are told at once. The others poll.
const SEATS: usize = 16;

/// By user, each place with its number and the word that it is another's now.
type Taken = HashMap<Id, VecDeque<(u64, oneshot::Sender<()>)>>;

/// The open apps of each user, the one that was opened first in front.
#[derive(Clone, Debug, Default)]
struct Seats(Arc<Mutex<Taken>>);

/// An open app's place among those of its user.
#[derive(Debug)]
pub struct Seat {
    seats: Seats,
    user_id: Id,
    number: u64,
    /// Ends when the seat is another's.
    pub lost: oneshot::Receiver<()>,
}

impl Seats {
    fn lock(&self) -> MutexGuard<'_, Taken> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, user_id: Id) -> Seat {
        let mut seats = self.lock();
        let taken = seats.entry(user_id).or_default();
        let number = taken.back().map_or(0, |(number, _)| number + 1);
        let (held, lost) = oneshot::channel();
        taken.push_back((number, held));
        if SEATS < taken.len() {
            // Whoever opens the app now looks at it; the oldest is a forgotten tab.
            taken.pop_front();
        }
        Seat {
            seats: self.clone(),
            user_id,
            number,
            lost,
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut seats = self.seats.lock();
        if let Some(taken) = seats.get_mut(&self.user_id) {
            taken.retain(|(number, _)| *number != self.number);
            if taken.is_empty() {
                seats.remove(&self.user_id);
            }
        }
    }
}

// Not inside the write's transaction: a commit that notifies holds a lock of the whole database server.
async fn send_elsewhere(pool: sqlx::PgPool, process: Id, mut notices: mpsc::Receiver<Notice>) {
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
                error = told(&error),
                "realtime events do not reach the other processes"
            );
        }
    }
}

async fn hear_elsewhere(pool: sqlx::PgPool, process: Id, here: broadcast::Sender<Notice>) {
    while !pool.is_closed() {
        let heard = async {
            let mut listener = PgListener::connect_with(&pool).await?;
            listener.listen(CHANNEL).await?;
            loop {
                let notification = listener.recv().await?;
                match serde_json::from_str::<Envelope>(notification.payload()) {
                    Ok(envelope) if envelope.from != process => drop(here.send(envelope.notice)),
                    Ok(_) => {}
                    Err(error) => {
                        tracing::warn!(
                            error = told(&error),
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
                error = told(&error),
                "realtime events of the other processes do not arrive; trying again"
            );
            tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        }
    }
}
