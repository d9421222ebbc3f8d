//! Owns what people do with their phones, and the tabs of one phone among themselves.

use walkies_core::Business;
use walkies_core::commands::{DeleteClient, UpdateClient};

use super::*;
use crate::people::Wish;
use crate::portal_checks::SentLive;

impl World<'_> {
    pub(super) fn open(&mut self, phone: usize, tab: usize) {
        if self.phones[phone].tabs[tab].replica.is_some() {
            return;
        }
        let is_older = self.rng.chance(20);
        let Phone { disk, tabs, .. } = &mut self.phones[phone];
        tabs[tab].is_older = is_older;
        tabs[tab].reload(disk);
        note!(self, "phone {phone} tab {tab} is opened");
        self.wake(phone, tab);
    }

    pub(super) fn kill(&mut self, phone: usize, tab: usize) {
        if self.phones[phone].tabs[tab].replica.is_none() || self.is_quiet {
            return;
        }
        note!(self, "phone {phone} tab {tab} is killed");
        self.counts.tabs_killed += 1;
        let killed = &mut self.phones[phone].tabs[tab];
        let (life, last_message_ms) = (killed.life + 1, killed.last_message_ms);
        let (known, first_life) = (std::mem::take(&mut killed.known), killed.first_life);
        *killed = Tab {
            life,
            known,
            last_message_ms,
            first_life,
            ..Tab::closed()
        };
        self.unlock(phone, tab);
        let in_ms = self.rng.between(500, 30_000);
        self.at(in_ms, Event::Open { phone, tab });
    }

    pub(super) async fn sign_in(&mut self, phone: usize) {
        note!(self, "phone {phone} signs in");
        let parent = self.phones[phone].parent;
        let parent = parent.map(|it| self.parents[it].user_id);
        self.phones[phone].token = Some(self.backend.sign_in(parent).await);
        for tab in 0..self.phones[phone].tabs.len() {
            if self.phones[phone].tabs[tab].replica.is_some() {
                self.wake(phone, tab);
            }
        }
    }

    /// True if the disk of the phone is full, so that the transaction that asks is taken back.
    pub(super) fn is_full(&mut self, phone: usize) -> bool {
        let is_full = self.now < self.no_space_until[phone];
        self.counts.full_disks += usize::from(is_full);
        is_full
    }

    pub(super) fn phone_now(&self, phone: usize) -> i64 {
        self.base_ms + self.now + self.phones[phone].clock_ms
    }

    pub(super) fn act(&mut self, phone: usize) -> Check {
        let open: Vec<usize> = (0..self.phones[phone].tabs.len())
            .filter(|it| self.phones[phone].tabs[*it].replica.is_some())
            .collect();
        let Some(tab) = self.rng.pick(&open).copied() else {
            return Ok(());
        };
        let life = self.phones[phone].tabs[tab].life;
        let at = self.phone_now(phone);
        if self.rng.chance(10) {
            let in_ms = self.rng.between(0, 20);
            self.at(in_ms, Event::Discard { phone, tab, life });
            return Ok(());
        }
        let replica = self.phones[phone].tabs[tab].replica.as_ref().unwrap();
        let client = replica.meta().client_id;
        let now = replica.now(Instant(at));
        let mut undoes = None;
        let wish = match client {
            Some(own) => wish_of_parent(&mut self.rng, replica.business(), own, &self.days, &now),
            None => {
                let shares = Shares {
                    bills: self.setup.bills,
                    series: self.setup.series,
                    acts: self.setup.acts,
                    favoured: self.favoured.and_then(Bug::acts),
                };
                let undo = self.some_undo(phone);
                let replica = self.phones[phone].tabs[tab].replica.as_ref().unwrap();
                undoes = undo.as_ref().filter(|it| is_whole(&it.0)).map(|it| it.2);
                match undo {
                    Some((command, base_rev, _)) => Some(Wish {
                        base_rev: is_undone_as_seen(&command).then_some(base_rev),
                        ..command.into()
                    }),
                    None => wish(
                        &mut self.rng,
                        replica.business(),
                        &self.days,
                        &self.deleted[phone],
                        shares,
                        &now,
                    ),
                }
            }
        };
        let Some(wish) = wish else { return Ok(()) };
        let replica = self.phones[phone].tabs[tab].replica.as_ref().unwrap();
        let wish = match wish.command {
            // A text that no database takes, from a build that did not look for it.
            Command::UpdateClient(UpdateClient { id, .. })
                if self.rng.chance(4) && client.is_none_or(|it| it == id) =>
            {
                Command::UpdateClient(UpdateClient {
                    id,
                    changes: walkies_core::values::patch::Patch::of("address", "12\0 Elm Street"),
                    dogs: Vec::new(),
                    removed_dogs: Vec::new(),
                })
                .into()
            }
            _ => wish,
        };
        let resolves = if self.rng.chance(20) {
            replica.attention().first().map(|it| it.entry.mutation.id)
        } else {
            None
        };
        // A form that was open for a while.
        let base_rev = if self.rng.chance(20) {
            Some(replica.meta().cursor.saturating_sub(3))
        } else {
            None
        };
        let base_rev = wish.base_rev.or(base_rev);
        let id = self.rng.id(at);
        let mut sent = wish.command.clone();
        if self.is(Bug::FullRowPut) {
            sent = with_whole_rows(sent, replica.business());
        }
        let sentence = format!("{} by phone {phone}", name(&sent));
        let photos = if self.is(Bug::RowBeforeBlob) {
            Vec::new()
        } else {
            wish.photos.clone()
        };
        let request = SaveRequest {
            id,
            command: sent.clone(),
            sentence,
            made_at: Instant(at),
            base_rev,
            photos,
        };
        let prepared = replica.prepare(request.clone());
        let mut entry = match prepared {
            Ok(entry) => entry,
            Err(_) if holds_nul(&request.command) => saved_unchecked(request),
            Err(_) => return Ok(()),
        };
        let sent_live = sent_by(&wish.command, replica.business());
        if let Command::DeleteClient(DeleteClient { id }) = &wish.command
            && let Some(client) = replica.business().client(*id)
        {
            let pets = replica
                .business()
                .pets_of(*id)
                .into_iter()
                .cloned()
                .collect();
            self.deleted[phone].push((client.clone(), pets));
        }
        if self.is(Bug::CheckThenBook) && entry.mutation.args.get("overlap_ok").is_some() {
            entry.mutation.args["overlap_ok"] = json!(true);
        }
        let parent = self.phones[phone].parent;
        let user_id = parent.map(|it| self.parents[it].user_id);
        self.phones[phone].n_saved += 1;
        let intent = Intent {
            phone,
            n: self.phones[phone].n_saved,
            command: wish.command.clone(),
            said: false,
            resolved: false,
            client,
            user_id,
            database: self.phones[phone].n_databases,
            let_go: false,
            base_rev: entry.mutation.base_rev,
            made_at: entry.mutation.made_at,
            undoes,
            has_undo: wish.undo.is_some(),
        };
        if wish.undo.is_some() {
            let undos = wish.undo.iter().chain(&wish.undo_too);
            let undos = undos.map(|it| (it.clone(), entry.mutation.base_rev, id));
            self.undos[phone] = undos.collect();
        }
        if let Command::SendLive(command) = &wish.command {
            self.oracle.sent_live.extend(sent_live);
            let photos = command.events.iter().filter_map(|it| it.photo);
            self.live_photos.extend(photos);
        }
        self.oracle.meant(&wish.command);
        self.oracle.intents.insert(id, intent);
        let draft = id;
        self.phones[phone].disk.drafts.insert(draft);
        let mut in_ms = self.rng.between(0, 20);
        if self.is(Bug::SavedBeforeWrite) {
            self.oracle.intents.get_mut(&id).unwrap().said = true;
            in_ms = self.rng.between(50, 3_000);
        }
        note!(
            self,
            "phone {phone} tab {tab} saves {id}: {}",
            serde_json::to_string(&wish.command).unwrap()
        );
        self.at(
            in_ms,
            Event::Append {
                phone,
                tab,
                life,
                entry: Box::new(entry),
                draft,
                resolves,
            },
        );
        Ok(())
    }

    /// Takes the next step of the undo that the app offers, now and then. Further steps come right after it.
    fn some_undo(&mut self, phone: usize) -> Option<(Command, u64, Id)> {
        let next = self.undos[phone].front()?;
        let is_favoured = matches!(
            self.favoured,
            Some(Bug::UndoLeavesOne | Bug::UndoneStaysApproved | Bug::UndoneMoveStays)
        );
        let often = match is_favoured || !is_whole(&next.0) {
            true => 70,
            false => 25,
        };
        if !self.rng.chance(often) {
            return None;
        }
        let undo = self.undos[phone].pop_front();
        if !self.undos[phone].is_empty() {
            let in_ms = self.rng.between(1, 50);
            self.at(in_ms, Event::Act { phone });
        }
        undo
    }

    /// The transaction of a save. A tab that was killed in the middle may or may not have written it.
    pub(super) fn append(
        &mut self,
        phone: usize,
        tab: usize,
        life: u32,
        entry: OutboxEntry,
        draft: Id,
        resolves: Option<Id>,
    ) -> Check {
        if life < self.phones[phone].tabs[tab].first_life {
            return Ok(());
        }
        let is_alive = self.is_alive(phone, tab, life);
        if !is_alive && (self.is(Bug::SavedBeforeWrite) || self.rng.chance(50)) {
            return Ok(());
        }
        // Two tabs may write in another order than they were asked.
        let id = entry.mutation.id;
        if self.is_full(phone) {
            note!(
                self,
                "phone {phone} tab {tab} cannot save {id}: its disk is full"
            );
            if self.is(Bug::SavedOnFullDisk) {
                self.oracle.intents.get_mut(&id).unwrap().said = true;
            }
            return Ok(());
        }
        let entry = self.phones[phone].disk.append(entry, draft, resolves);
        let n = self.phones[phone].n_saved + 1;
        self.phones[phone].n_saved = n;
        let intent = self.oracle.intents.get_mut(&id).unwrap();
        intent.n = n;
        if let Some(resolved) = resolves {
            self.resolved(resolved);
        }
        if !is_alive {
            self.leave_uninformed(phone);
            return Ok(());
        }
        self.oracle.intents.get_mut(&id).unwrap().said = true;
        note!(
            self,
            "phone {phone} tab {tab} has saved {id} as number {}",
            entry.mutation.seq
        );
        let device_id = self.phones[phone].disk.meta.device_id;
        let replica = self.replica(phone, tab);
        if !replica.saved(entry.clone(), resolves, device_id) {
            self.reload(phone, tab);
        }
        self.phones[phone].tabs[tab].note_known();
        self.tell(
            phone,
            tab,
            &Message::Saved(Box::new(entry), resolves, device_id),
        );
        self.wake(phone, tab);
        self.look(phone, tab)
    }

    pub(super) fn resolved(&mut self, id: Id) {
        let id = *self.oracle.aliases.get(&id).unwrap_or(&id);
        if let Some(intent) = self.oracle.intents.get_mut(&id) {
            intent.resolved = true;
        }
    }

    pub(super) fn discard(&mut self, phone: usize, tab: usize, life: u32) {
        if !self.is_alive(phone, tab, life) {
            return;
        }
        let Some(entry) = self.replica(phone, tab).attention().first() else {
            return;
        };
        let id = entry.entry.mutation.id;
        if self.is_full(phone) {
            return;
        }
        note!(
            self,
            "phone {phone} tab {tab} drops {id} from needs attention"
        );
        self.phones[phone].disk.attention.remove(&id);
        self.replica(phone, tab).resolved(id);
        self.resolved(id);
        self.tell(phone, tab, &Message::Resolved(id));
    }

    pub(super) fn tell(&mut self, phone: usize, tab: usize, message: &Message) {
        for other in 0..self.phones[phone].tabs.len() {
            if other == tab || self.phones[phone].tabs[other].replica.is_none() {
                continue;
            }
            let at = self.now
                + if self.rng.chance(self.setup.late_words) {
                    self.rng.between(50, 20_000)
                } else {
                    self.rng.between(0, 50)
                };
            let heard = &mut self.phones[phone].tabs[other];
            let at = at.max(heard.last_message_ms);
            heard.last_message_ms = at;
            heard.unheard += 1;
            let life = heard.life;
            self.at(
                at - self.now,
                Event::Hear {
                    phone,
                    tab: other,
                    life,
                    message: message.clone(),
                },
            );
        }
    }

    pub(super) fn hear(&mut self, phone: usize, tab: usize, life: u32, message: Message) -> Check {
        if !self.is_alive(phone, tab, life) {
            return Ok(());
        }
        self.phones[phone].tabs[tab].unheard -= 1;
        let shows_late_words = self.is(Bug::LateWordWaits);
        let replica = self.replica(phone, tab);
        match message {
            Message::Saved(entry, resolves, device_id) => {
                let id = entry.mutation.id;
                if !replica.saved(OutboxEntry::clone(&entry), resolves, device_id) {
                    self.reload(phone, tab);
                } else if shows_late_words
                    && !replica.outbox().iter().any(|it| it.mutation.id == id)
                {
                    self.show_as_waiting(phone, tab, *entry);
                }
            }
            Message::Applied(batch) => {
                if !replica.applied(&batch) {
                    self.reload(phone, tab);
                }
            }
            Message::Resolved(id) => replica.resolved(id),
            Message::PhotoUploaded(id) => replica.photo_uploaded(id),
        }
        self.phones[phone].tabs[tab].note_known();
        self.look(phone, tab)
    }

    /// A tab has written and was killed before it could tell the others.
    pub(super) fn leave_uninformed(&mut self, phone: usize) {
        for tab in &mut self.phones[phone].tabs {
            tab.is_uninformed = true;
        }
    }

    /// Planted: shows a change that has left the outbox.
    fn show_as_waiting(&mut self, phone: usize, tab: usize, entry: OutboxEntry) {
        let Phone { disk, tabs, .. } = &mut self.phones[phone];
        let mut shown = disk.clone();
        shown.outbox.insert(entry.mutation.seq, entry);
        let loaded = tabs[tab].loaded.clone();
        tabs[tab].reload(&shown);
        tabs[tab].loaded = loaded;
    }

    pub(super) fn reload(&mut self, phone: usize, tab: usize) {
        note!(self, "phone {phone} tab {tab} loads anew");
        let Phone { disk, tabs, .. } = &mut self.phones[phone];
        tabs[tab].reload(disk);
    }

    pub(super) fn look(&self, phone: usize, tab: usize) -> Check {
        let Phone { disk, tabs, .. } = &self.phones[phone];
        i4_waiting_is_what_waits(disk, &tabs[tab])?;
        self.oracle.i10_own_work_stays_visible(&tabs[tab])
    }
}

/// The events that a command sends, with the visit and its client as its person sees them.
fn sent_by(command: &Command, view: &Business) -> Vec<SentLive> {
    let Command::SendLive(command) = command else {
        return Vec::new();
    };
    let service = view.service(command.id);
    let sent = service.into_iter().flat_map(|service| {
        let events = command.events.iter();
        events.map(|it| (it.id, service.id, service.client_id))
    });
    sent.collect()
}

/// Returns true for an undo that is saved with the revision that the person had seen when the change was made.
const fn is_undone_as_seen(undo: &Command) -> bool {
    !matches!(
        undo,
        Command::TakeBackDelay(_) | Command::MoveVisits(_) | Command::UndoApproval(_)
    )
}

/// Returns true for an undo that brings back all that stood before: one of an approval takes back one of several, and leaves
/// a client active.
const fn is_whole(undo: &Command) -> bool {
    !matches!(undo, Command::UndoApproval(_))
}

fn name(command: &Command) -> String {
    Mutation::parts(command).0
}

/// True if a text of the command has a NUL in it, by its JSON.
fn holds_nul(command: &Command) -> bool {
    serde_json::to_string(command).is_ok_and(|it| it.contains("\\u0000"))
}

/// Returns the entry that an older build saves without a check.
fn saved_unchecked(request: SaveRequest) -> OutboxEntry {
    let (name, args) = Mutation::parts(&request.command);
    OutboxEntry {
        mutation: Mutation {
            id: request.id,
            seq: 0,
            v: SCHEMA,
            made_at: request.made_at,
            base_rev: request.base_rev.unwrap_or_default(),
            name,
            args,
        },
        sentence: request.sentence,
        bring_back: None,
        photos: request.photos,
    }
}
