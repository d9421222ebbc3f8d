//! Owns the loop in which a tab sends and fetches, as `pwa/src/data/sync/syncer.ts` does, and the network that it meets.

use super::*;

impl World<'_> {
    pub(super) fn wake(&mut self, phone: usize, tab: usize) {
        let it = &mut self.phones[phone].tabs[tab];
        it.timer += 1;
        if !matches!(it.stage, Stage::Idle) {
            it.again = true;
            return;
        }
        it.stage = Stage::Waiting;
        self.lock(phone);
        if !self.setup.has_locks {
            self.start(phone, tab);
        }
    }

    /// Gives the lock to a tab that waits for it.
    pub(super) fn lock(&mut self, phone: usize) {
        if !self.setup.has_locks || self.phones[phone].lock.is_some() {
            return;
        }
        let waiting = self.phones[phone]
            .tabs
            .iter()
            .position(|it| matches!(it.stage, Stage::Waiting));
        if let Some(tab) = waiting {
            self.phones[phone].lock = Some((tab, self.phones[phone].tabs[tab].life));
            self.start(phone, tab);
        }
    }

    pub(super) fn unlock(&mut self, phone: usize, tab: usize) {
        if self.phones[phone]
            .lock
            .is_some_and(|(holder, _)| holder == tab)
        {
            self.phones[phone].lock = None;
            self.lock(phone);
        }
    }

    pub(super) fn start(&mut self, phone: usize, tab: usize) {
        if self.phones[phone].token.is_none() {
            return self.finish(phone, tab, None);
        }
        let photos = self.replica(phone, tab).photos_to_upload().into();
        self.phones[phone].tabs[tab].stage = Stage::Photos(photos);
        self.go_on(phone, tab);
    }

    /// Goes on with the round until an answer has to be waited for.
    pub(super) fn go_on(&mut self, phone: usize, tab: usize) {
        let Some(token) = self.phones[phone].token.clone() else {
            return self.finish(phone, tab, None);
        };
        let of = self.phones[phone].parent.map(|_| self.backend.sitter_id);
        loop {
            let Phone { disk, tabs, .. } = &mut self.phones[phone];
            let it = &mut tabs[tab];
            let replica = it.replica.as_mut().expect("the tab is open");
            match &mut it.stage {
                Stage::Photos(left) => {
                    let Some(photo) = left.pop_front() else {
                        it.stage = Stage::Push(Vec::new());
                        continue;
                    };
                    if disk.photos.get(&photo) != Some(&true) {
                        self.photo_uploaded(phone, tab, photo);
                        continue;
                    }
                    let call = upload(&token, photo, self.jpeg);
                    return self.send(phone, tab, Asked::Photo(photo), call);
                }
                Stage::Push(sent) => {
                    let Some(request) = replica.next_push() else {
                        it.stage = Stage::Pull(0);
                        continue;
                    };
                    *sent = request.mutations.iter().map(|it| it.id).collect();
                    let ids = sent.clone();
                    let mut request = if self.bug == Some(Bug::ClockOrder) {
                        in_order_of_the_clock(request)
                    } else {
                        request
                    };
                    if it.is_older {
                        request.schema = OLDER_SCHEMA;
                    }
                    if self.is(Bug::ParallelCalls) && 1 < ids.len() {
                        return self.send_in_parallel(phone, tab, &token, &request);
                    }
                    let call = push(&token, &request, of);
                    return self.send(phone, tab, Asked::Push(ids), call);
                }
                Stage::Pull(asked) => {
                    let (number, mut request) = replica.next_pull();
                    *asked = number;
                    let load = it.load;
                    if it.is_older {
                        request.schema = OLDER_SCHEMA;
                    }
                    if self.is(Bug::NumbersAlone) {
                        (request.seen, request.rev_id) = (None, None);
                    }
                    let path = pull_path(&request) + &of_sitter(of, '&');
                    let call = get(&token, path);
                    return self.send(phone, tab, Asked::Pull { number, load }, call);
                }
                Stage::Idle | Stage::Waiting | Stage::Apply => return,
            }
        }
    }

    pub(super) fn photo_uploaded(&mut self, phone: usize, tab: usize, photo: Id) {
        self.replica(phone, tab).photo_uploaded(photo);
        self.tell(phone, tab, &Message::PhotoUploaded(photo));
    }

    /// The round is over; `status` is that of the trouble that ended it, 0 for none from the server.
    pub(super) fn finish(&mut self, phone: usize, tab: usize, status: Option<u16>) {
        let is_signed_out = self.phones[phone].token.is_none();
        let it = &mut self.phones[phone].tabs[tab];
        it.stage = Stage::Idle;
        it.call = 0;
        let (life, timer) = (it.life, it.timer);
        match status {
            Some(401) if is_signed_out => {}
            Some(_) => {
                let in_ms = it.retry_ms;
                it.retry_ms = (in_ms * 2).min(LONGEST_RETRY_MS);
                self.at(
                    in_ms,
                    Event::Wake {
                        phone,
                        tab,
                        life,
                        timer,
                    },
                );
            }
            None => {
                it.retry_ms = FIRST_RETRY_MS;
                self.at(
                    POLL_MS,
                    Event::Wake {
                        phone,
                        tab,
                        life,
                        timer,
                    },
                );
            }
        }
        self.unlock(phone, tab);
        let it = &mut self.phones[phone].tabs[tab];
        if it.again {
            it.again = false;
            self.wake(phone, tab);
        }
    }

    pub(super) fn delay(&mut self) -> i64 {
        match self.rng.below(100) {
            _ if self.is_quiet => 20,
            0..=84 => self.rng.between(20, 400),
            85..=95 => self.rng.between(400, 12_000),
            _ => self.rng.between(12_000, 40_000),
        }
    }

    pub(super) fn is_lost(&mut self) -> bool {
        let is_lost = !self.is_quiet && self.rng.chance(20);
        self.counts.messages += 1;
        self.counts.lost += usize::from(is_lost);
        is_lost
    }

    pub(super) fn send(&mut self, phone: usize, tab: usize, asked: Asked, call: Call) {
        self.n_calls += 1;
        let it = &mut self.phones[phone].tabs[tab];
        it.call = self.n_calls;
        let sent = Sent {
            phone,
            tab,
            life: it.life,
            number: self.n_calls,
            load: it.load,
            asked,
            call,
            is_copy: false,
        };
        if self.now < self.no_network_until[phone] {
            self.at(
                1,
                Event::Answer {
                    sent: Box::new(sent),
                    answer: None,
                },
            );
            return;
        }
        self.at(TIMEOUT_MS, Event::Timeout(Box::new(sent.clone())));
        self.put_on_the_net(sent);
    }

    pub(super) fn put_on_the_net(&mut self, sent: Sent) {
        if !self.is_quiet && self.rng.chance(10) {
            self.counts.copied += 1;
            let in_ms = self.delay();
            self.at(
                in_ms,
                Event::Arrive(Box::new(Sent {
                    is_copy: true,
                    ..sent.clone()
                })),
            );
        }
        if !self.is_lost() {
            let in_ms = self.delay();
            self.at(in_ms, Event::Arrive(Box::new(sent)));
        }
    }

    pub(super) fn send_in_parallel(
        &mut self,
        phone: usize,
        tab: usize,
        token: &str,
        request: &PushRequest,
    ) {
        let of = self.phones[phone].parent.map(|_| self.backend.sitter_id);
        let calls = request.mutations.iter().map(|it| PushRequest {
            mutations: vec![it.clone()],
            ..request.clone()
        });
        for (n, one) in calls.collect::<Vec<_>>().into_iter().enumerate() {
            let (ids, call) = (vec![one.mutations[0].id], push(token, &one, of));
            if n == 0 {
                self.send(phone, tab, Asked::Push(ids), call);
                continue;
            }
            let it = &self.phones[phone].tabs[tab];
            let (life, number, load) = (it.life, it.call, it.load);
            let asked = Asked::Push(ids);
            self.put_on_the_net(Sent {
                phone,
                tab,
                life,
                number,
                load,
                asked,
                call,
                is_copy: true,
            });
        }
    }

    pub(super) fn answered(&mut self, sent: Sent, answer: Option<Answer>) -> Check {
        let Sent {
            phone,
            tab,
            life,
            number,
            ..
        } = sent;
        if !self.is_alive(phone, tab, life) {
            return Ok(());
        }
        if self.phones[phone].tabs[tab].call != number {
            // The phone has given up waiting; what comes now must do no harm.
            if let (Asked::Pull { number, load }, Some(answer)) = (&sent.asked, &answer)
                && answer.status == 200
                && self.phones[phone].tabs[tab].load == *load
            {
                let Data { data } = read::<PullResponse>(&answer.body);
                return self.late_pull(phone, tab, *number, data);
            }
            return Ok(());
        }
        self.phones[phone].tabs[tab].call = 0;
        let status = answer.as_ref().map_or(0, |it| it.status);
        if let Asked::Photo(photo) = sent.asked
            && REFUSES_PHOTOS.contains(&status)
            && !self.is(Bug::PhotoHoldsQueue)
        {
            self.photo_refused(phone, tab, photo);
            return Ok(());
        }
        if status == 403 && self.phones[phone].parent.is_some() {
            return self.hear_let_go(phone, tab);
        }
        if !(200..300).contains(&status) {
            return self.in_trouble(&sent, status);
        }
        let body = answer.map(|it| it.body).unwrap_or_default();
        match sent.asked {
            Asked::Photo(_) if self.is_full(phone) => self.finish(phone, tab, Some(DISK_FULL)),
            Asked::Photo(photo) => {
                self.phones[phone].disk.photos.insert(photo, false);
                self.photo_uploaded(phone, tab, photo);
                self.go_on(phone, tab);
            }
            Asked::Push(ids) => {
                if self.is(Bug::DropOnOk) {
                    self.phones[phone]
                        .disk
                        .outbox
                        .retain(|_, it| !ids.contains(&it.mutation.id));
                    self.reload(phone, tab);
                    self.look(phone, tab)?;
                }
                let Data { data } = read::<PushResponse>(&body);
                if self.phones[phone].tabs[tab].load == sent.load
                    && !self.replica(phone, tab).pushed(&data)
                {
                    if data.stopped == Some(Stop::OutOfOrder) {
                        let fresh = self.rng.id(self.base_ms + self.now);
                        let batch = self.replica(phone, tab).heal(fresh);
                        self.write(phone, tab, Box::new(batch), Then::Finish);
                        return self.look(phone, tab);
                    }
                    if data.stopped == Some(Stop::Failed) {
                        self.finish(phone, tab, Some(DEFECT));
                        return self.look(phone, tab);
                    }
                    self.phones[phone].tabs[tab].stage = Stage::Pull(0);
                }
                self.look(phone, tab)?;
                self.go_on(phone, tab);
            }
            Asked::Pull { number, load } => {
                if self.phones[phone].tabs[tab].load != load {
                    self.go_on(phone, tab);
                    return Ok(());
                }
                let Data { mut data } = read::<PullResponse>(&body);
                let more = data.more;
                let mut number = number;
                if self.is(Bug::OldAnswerTaken) {
                    number = self.replica(phone, tab).next_pull().0;
                }
                if self.is(Bug::ApplyEachPage) {
                    data.more = false;
                }
                let fresh = self.rng.id(self.base_ms + self.now);
                let pulled = if self.is(Bug::RecordNotLookedFor) {
                    self.pull_of_any_record(phone, tab, number, data, fresh)
                } else {
                    self.replica(phone, tab).pulled(number, data, fresh)
                };
                match pulled {
                    Pulled::Stale => self.finish(phone, tab, None),
                    Pulled::More => self.go_on(phone, tab),
                    Pulled::Complete(batch) => {
                        let is_news = batch.meta != *self.replica(phone, tab).meta()
                            || !batch.outbox_remove.is_empty();
                        if !is_news {
                            self.finish(phone, tab, None);
                            return Ok(());
                        }
                        let then = if more && self.is(Bug::ApplyEachPage) {
                            Then::Pull
                        } else {
                            Then::Finish
                        };
                        self.write(phone, tab, batch, then);
                    }
                }
            }
        }
        Ok(())
    }

    pub(super) fn late_pull(
        &mut self,
        phone: usize,
        tab: usize,
        number: u32,
        mut response: PullResponse,
    ) -> Check {
        let fresh = self.rng.id(self.base_ms + self.now);
        let is_planted = self.is(Bug::StalePullOverwrites);
        let replica = self.replica(phone, tab);
        let mut number = number;
        if is_planted {
            response.from = replica.meta().cursor;
            response.more = false;
            replica.abandon_pull();
            number = replica.next_pull().0;
        }
        match replica.pulled(number, response, fresh) {
            Pulled::Complete(batch) if is_planted => {
                let life = self.phones[phone].tabs[tab].life;
                self.at(
                    1,
                    Event::Store {
                        phone,
                        tab,
                        life,
                        batch,
                        then: Then::Finish,
                    },
                );
                Ok(())
            }
            Pulled::Stale => Ok(()),
            Pulled::More | Pulled::Complete(_) => Err(Violation {
                invariant: crate::oracle::I5,
                text: "a late answer was taken".to_owned(),
            }),
        }
    }

    pub(super) fn in_trouble(&mut self, sent: &Sent, status: u16) -> Check {
        let Sent { phone, tab, .. } = *sent;
        note!(
            self,
            "phone {phone} tab {tab} gets no answer that helps ({status})"
        );
        let before = self.phones[phone].disk.clone();
        if let Asked::Pull { load, .. } = sent.asked
            && self.phones[phone].tabs[tab].load == load
        {
            self.replica(phone, tab).abandon_pull();
        }
        if let Asked::Push(ids) = &sent.asked {
            if self.is(Bug::DropOn4xx) && (400..500).contains(&status) {
                self.phones[phone]
                    .disk
                    .outbox
                    .retain(|_, it| !ids.contains(&it.mutation.id));
                self.reload(phone, tab);
            }
            if self.is(Bug::NewIdOnRetry) && status == 0 {
                self.rename(phone, tab, ids);
            }
        }
        if self.is(Bug::WipeOn401) && status == 401 {
            let disk = &mut self.phones[phone].disk;
            disk.outbox.clear();
            disk.attention.clear();
            self.reload(phone, tab);
        }
        if status == 401 {
            // A token that came after this call was sent stands.
            let token = &mut self.phones[phone].token;
            if token.as_ref() == Some(&sent.call.token) {
                *token = None;
            }
            i13_expired_sign_in_takes_nothing_away(&before, &self.phones[phone].disk)?;
        }
        self.finish(phone, tab, Some(status));
        Ok(())
    }

    /// Planted: what is sent again gets another id and another place.
    pub(super) fn rename(&mut self, phone: usize, tab: usize, ids: &[Id]) {
        let fresh: Vec<Id> = ids
            .iter()
            .map(|_| self.rng.id(self.base_ms + self.now))
            .collect();
        let disk = &mut self.phones[phone].disk;
        for (id, fresh) in ids.iter().zip(fresh) {
            let Some(seq) = disk
                .outbox
                .iter()
                .find(|(_, it)| it.mutation.id == *id)
                .map(|(seq, _)| *seq)
            else {
                continue;
            };
            let mut entry = disk.outbox.remove(&seq).unwrap();
            let intent = *self.oracle.aliases.get(id).unwrap_or(id);
            self.oracle.aliases.insert(fresh, intent);
            disk.seq += 1;
            entry.mutation.id = fresh;
            entry.mutation.seq = disk.seq;
            disk.outbox.insert(disk.seq, entry);
        }
        self.reload(phone, tab);
    }

    /// The transaction that stores a complete pull.
    pub(super) fn store(
        &mut self,
        phone: usize,
        tab: usize,
        life: u32,
        batch: &Batch,
        then: Then,
    ) -> Check {
        if life < self.phones[phone].tabs[tab].first_life {
            return Ok(());
        }
        let is_alive = self.is_alive(phone, tab, life);
        if !is_alive && self.rng.chance(50) {
            return Ok(());
        }
        self.counts.resets += usize::from(batch.clear);
        let before = self.phones[phone].disk.clone();
        if self.is_full(phone) {
            note!(
                self,
                "phone {phone} tab {tab} cannot store a pull: its disk is full"
            );
            if self.is(Bug::HalfStored) {
                self.phones[phone].disk.apply_half(batch);
                self.oracle
                    .i5_atomic_visibility(&before, &self.phones[phone].disk)?;
            }
            if is_alive && matches!(self.phones[phone].tabs[tab].stage, Stage::Apply) {
                self.finish(phone, tab, Some(DISK_FULL));
            }
            return Ok(());
        }
        let is_stored = self.phones[phone].disk.apply(batch, self.bug);
        if is_stored {
            if let Some(parent) = self.phones[phone].parent {
                self.parents[parent].p2_nothing_of_others(batch)?;
            }
            note!(
                self,
                "phone {phone} tab {tab} is at {} ({} rows, {} gone, {} decided)",
                batch.meta.cursor,
                batch.put.len(),
                batch.delete.len(),
                batch.outbox_remove.len()
            );
            self.oracle
                .i5_atomic_visibility(&before, &self.phones[phone].disk)?;
            self.note_let_go(phone, batch)?;
        }
        if !is_alive {
            self.leave_uninformed(phone);
            return Ok(());
        }
        if !is_stored || !self.replica(phone, tab).applied(batch) {
            self.reload(phone, tab);
        }
        if is_stored {
            self.tell(phone, tab, &Message::Applied(Box::new(batch.clone())));
        }
        self.look(phone, tab)?;
        if !matches!(self.phones[phone].tabs[tab].stage, Stage::Apply) {
            return Ok(());
        }
        match then {
            Then::Finish => self.finish(phone, tab, None),
            Then::Pull => {
                self.phones[phone].tabs[tab].stage = Stage::Pull(0);
                self.go_on(phone, tab);
            }
            Then::Photos => {
                let photos = self.replica(phone, tab).photos_to_upload().into();
                self.phones[phone].tabs[tab].stage = Stage::Photos(photos);
                self.go_on(phone, tab);
            }
        }
        Ok(())
    }

    /// Goes on without a refused photo with the changes that waited for it.
    fn photo_refused(&mut self, phone: usize, tab: usize, photo: Id) {
        self.counts.photos_refused += 1;
        note!(
            self,
            "phone {phone} tab {tab} hears that {photo} is refused"
        );
        let fresh = self.rng.id(self.base_ms + self.now);
        let text = "This photo is damaged.";
        let Some(batch) = self.replica(phone, tab).photo_refused(photo, text, fresh) else {
            return self.go_on(phone, tab);
        };
        self.write(phone, tab, Box::new(batch), Then::Photos);
    }

    /// Begins the transaction that stores the batch.
    pub(super) fn write(&mut self, phone: usize, tab: usize, batch: Box<Batch>, then: Then) {
        let it = &mut self.phones[phone].tabs[tab];
        it.stage = Stage::Apply;
        let life = it.life;
        let in_ms = self.rng.between(0, 30);
        self.at(
            in_ms,
            Event::Store {
                phone,
                tab,
                life,
                batch,
                then,
            },
        );
    }
}

/// Status that ends a round whose transaction is taken back.
const DISK_FULL: u16 = 502;
/// Status that ends a round in which the server met a defect.
const DEFECT: u16 = 500;
/// Statuses that say that the photo is at fault.
const REFUSES_PHOTOS: [u16; 4] = [400, 413, 415, 422];

/// Some photos are damaged.
fn is_damaged(photo: Id) -> bool {
    photo.to_string().ends_with(['0', '1'])
}

/// Planted: the phone's clock says what comes first.
fn in_order_of_the_clock(request: PushRequest) -> PushRequest {
    let seqs: Vec<u64> = request.mutations.iter().map(|it| it.seq).collect();
    let mut mutations = request.mutations;
    mutations.sort_by_key(|it| it.made_at);
    for (mutation, seq) in mutations.iter_mut().zip(seqs) {
        mutation.seq = seq;
    }
    PushRequest {
        mutations,
        ..request
    }
}

fn push(token: &str, request: &PushRequest, of: Option<Id>) -> Call {
    Call {
        method: "POST",
        path: "/sync/push".to_owned() + &of_sitter(of, '?'),
        token: token.to_owned(),
        headers: vec![("content-type", "application/json".to_owned())],
        body: serde_json::to_vec(request).unwrap(),
    }
}

fn upload(token: &str, photo: Id, jpeg: &[u8]) -> Call {
    const EDGE: &str = "edge-of-a-part";
    let mut body = format!(
        "--{EDGE}\r\ncontent-disposition: form-data; name=\"id\"\r\n\r\n{photo}\r\n--{EDGE}\r\n\
         content-disposition: form-data; name=\"photo\"; filename=\"{photo}.jpg\"\r\n\
         content-type: image/jpeg\r\n\r\n"
    )
    .into_bytes();
    let jpeg = if is_damaged(photo) {
        &jpeg[..jpeg.len() / 2]
    } else {
        jpeg
    };
    body.extend_from_slice(jpeg);
    body.extend_from_slice(format!("\r\n--{EDGE}--\r\n").as_bytes());
    Call {
        method: "POST",
        path: "/upload".to_owned(),
        token: token.to_owned(),
        headers: vec![(
            "content-type",
            format!("multipart/form-data; boundary={EDGE}"),
        )],
        body,
    }
}
