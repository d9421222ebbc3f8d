//! Owns what a phone does by itself so that its outbox never stands still: it numbers what waits anew, sets aside what
//! the server does not take, and sends without its photo what the photo would hold. And how it parts with a business that
//! shows itself no longer.

use serde_json::Value;

use super::wire::{Mutation, Outcome, SCHEMA};
use super::{AttentionEntry, Batch, Meta, OutboxEntry, Replica};
use crate::commands::{CreateClient, PetPatch, RestoreClient, UpdateClient, UpdateProfile};
use crate::values::patch::Patch;
use crate::{Command, Id, Refusal};

impl Replica {
    /// Numbers what waits for a new device: the server takes this one's numbers for another's, as where a browser's
    /// profile was copied. What it has decided already it knows by its id.
    pub fn heal(&self, fresh_device_id: Id) -> Batch {
        let mut batch = self.local_batch();
        batch.meta.device_id = fresh_device_id;
        batch
    }

    /// Moves a change that the server does not take, with its words `text`, to Needs attention; what follows goes on,
    /// for a new device, since numbers have no gaps.
    pub fn set_aside(&self, id: Id, text: &str, fresh_device_id: Id) -> Option<Batch> {
        let entry = self.outbox().iter().find(|it| it.mutation.id == id)?;
        let mut batch = self.heal(fresh_device_id);
        batch.outbox_remove.push(entry.mutation.seq);
        let text = text.to_owned();
        batch.attention_put.push(AttentionEntry {
            entry: entry.clone(),
            outcome: Outcome::refused(id, Refusal::NotTaken { text }, 0),
        });
        Some(batch)
    }

    /// Empties the database of a client who takes part in the business no longer, or by another record. What waits and
    /// was not decided goes to Needs attention with the person's words: nobody can say any more what became of it.
    /// Marks that something was read or put away are dropped.
    pub fn let_go(&self, fresh_device_id: Id) -> Batch {
        let known = self.meta();
        let has_seen_nothing = known.backend_id.is_none();
        let meta = Meta {
            client_id: known.client_id,
            seq: known.seq,
            // The same again where there is nothing to empty, so that nobody need store it.
            ..Meta::new(if has_seen_nothing {
                known.device_id
            } else {
                fresh_device_id
            })
        };
        let decided = self.acknowledged();
        let mut batch = self.batch(Vec::new(), &decided, true, meta, true);
        batch.confirmed.clear();
        for entry in self.outbox() {
            let seq = entry.mutation.seq;
            if batch.outbox_remove.contains(&seq) {
                continue;
            }
            batch.outbox_remove.push(seq);
            // What was read, or put away, is nothing that its person would miss.
            if entry.mutation.command().is_ok_and(|it| is_wordless(&it)) {
                continue;
            }
            batch.attention_put.push(AttentionEntry {
                entry: entry.clone(),
                outcome: Outcome::refused(entry.mutation.id, Refusal::AccessEnded, 0),
            });
        }
        batch
    }

    /// Lets the changes that wait for a photo or a video, or name it, go on without it: its person has decided so.
    pub fn leave_out(&self, photo: Id) -> Option<Batch> {
        let named = Value::from(photo.to_string());
        let rests = self.naming(photo).map(|it| {
            let mut rest = it.clone();
            rest.photos.retain(|it| *it != photo);
            drop_photo(&mut rest.mutation.args, &named);
            rest
        });
        let rests: Vec<OutboxEntry> = rests.collect();
        if rests.is_empty() {
            return None;
        }
        let mut batch = self.local_batch();
        batch.renumber = false;
        batch.outbox_put = rests;
        Some(batch)
    }

    /// The changes that name a photo or a video, from the first one that waits for it on: the report of a visit names photos
    /// that were sent before it.
    fn naming(&self, photo: Id) -> impl DoubleEndedIterator<Item = &OutboxEntry> {
        let outbox = self.outbox();
        let first = outbox.iter().position(|it| it.photos.contains(&photo));
        let waiting = first.and_then(|it| outbox.get(it..)).unwrap_or_default();
        let named = Value::from(photo.to_string());
        waiting
            .iter()
            .filter(move |it| it.photos.contains(&photo) || names(&it.mutation.args, &named))
    }

    /// The same where the server turns it down with `text`: it goes to Needs attention, as a change of its own under
    /// `fresh_id`, with the last change that named it. The report of a visit takes the place of what was sent before it.
    pub fn photo_refused(&self, photo: Id, text: &str, fresh_id: Id) -> Option<Batch> {
        let entry = self.naming(photo).next_back()?;
        let (name, args) = photo_alone(entry, photo);
        let mutation = Mutation {
            id: fresh_id,
            seq: 0,
            v: SCHEMA,
            made_at: entry.mutation.made_at,
            base_rev: self.meta().cursor,
            name,
            args,
        };
        let named = Value::from(photo.to_string());
        let mut batch = self.leave_out(photo)?;
        let text = text.to_owned();
        let videos = entry.mutation.args.get("videos").and_then(Value::as_array);
        let (kind, refusal) = if videos.is_some_and(|it| it.contains(&named)) {
            let video = photo;
            ("Video: ", Refusal::VideoRefused { video, text })
        } else {
            ("Photo: ", Refusal::PhotoRefused { photo, text })
        };
        batch.attention_put.push(AttentionEntry {
            entry: OutboxEntry {
                mutation,
                sentence: [kind, &entry.sentence].concat(),
                photos: vec![photo],
                bring_back: None,
            },
            outcome: Outcome::refused(fresh_id, refusal, 0),
        });
        Some(batch)
    }
}

/// Returns true for a command without words of its person, which nobody misses once the access to the business has ended.
pub const fn is_wordless(command: &Command) -> bool {
    use Command::{MarkConversationRead, SetConversationArchived, StartConversation};
    matches!(
        command,
        MarkConversationRead(_) | SetConversationArchived(_) | StartConversation(_)
    )
}

/// The change that sets nothing but the photo; the whole change where a photo has no row of its own.
fn photo_alone(entry: &OutboxEntry, photo: Id) -> (String, Value) {
    let changes = || Patch::of("photo", photo.to_string());
    let command = match entry.mutation.command() {
        Ok(
            Command::CreateClient(CreateClient { id, dogs, .. })
            | Command::RestoreClient(RestoreClient { id, dogs, .. })
            | Command::UpdateClient(UpdateClient { id, dogs, .. }),
        ) => {
            let named = changes();
            let shows = |it: &PetPatch| it.changes.0.get("photo") == named.0.get("photo");
            let dogs = dogs.into_iter().filter(shows).map(|it| PetPatch {
                id: it.id,
                is_new: false,
                changes: changes(),
            });
            Some(Command::UpdateClient(UpdateClient {
                id,
                changes: Patch::default(),
                dogs: dogs.collect(),
                removed_dogs: Vec::new(),
            }))
        }
        Ok(Command::UpdateProfile(_)) => {
            Some(Command::UpdateProfile(UpdateProfile { changes: changes() }))
        }
        _ => None,
    };
    command.map_or_else(
        || (entry.mutation.name.clone(), entry.mutation.args.clone()),
        |it| Mutation::parts(&it),
    )
}

/// Returns true if the arguments name the photo or video.
fn names(args: &Value, photo: &Value) -> bool {
    match args {
        Value::Object(fields) => fields.values().any(|it| names(it, photo)),
        Value::Array(list) => list.iter().any(|it| names(it, photo)),
        it => it == photo,
    }
}

/// Removes the photo or video wherever the arguments name it.
fn drop_photo(args: &mut Value, photo: &Value) {
    match args {
        Value::Object(fields) => {
            if fields.get("photo") == Some(photo) {
                fields.remove("photo");
            }
            fields.values_mut().for_each(|it| drop_photo(it, photo));
        }
        Value::Array(list) => {
            list.retain(|it| it != photo);
            list.iter_mut().for_each(|it| drop_photo(it, photo));
        }
        _ => {}
    }
}
