//! Owns what happens at the server: calls arrive, it is killed, somebody else writes, and the plain reader reads along.

use walkies_core::commands::{CancelService, CompleteService, DeleteClient, UpdateClient};
use walkies_core::rows::walk_request::WalkRequest;
use walkies_core::{Date, Now};
use walkies_server::app::session::Member;

use super::*;

impl World<'_> {
    pub(super) async fn arrive(&mut self, mut sent: Sent) -> Check {
        let Sent { phone, tab, .. } = sent;
        let fate = if self.is_quiet {
            100
        } else {
            self.rng.below(100)
        };
        if fate == 0 {
            note!(
                self,
                "the server is killed before a call of phone {phone} tab {tab}"
            );
            self.restart().await;
            if !sent.is_copy {
                self.at(
                    5,
                    Event::Answer {
                        sent: Box::new(sent),
                        answer: None,
                    },
                );
            }
            return Ok(());
        }
        let is_killed = fate == 1;
        let before = self.oracle.now().cursor;
        let mut meets_defect = false;
        let mut request: Option<PushRequest> = None;
        if let Asked::Push(_) = sent.asked {
            let mut push: PushRequest = serde_json::from_slice(&sent.call.body).unwrap();
            if is_killed {
                // Killed between two commands.
                let n = 1 + self.rng.below(push.mutations.len());
                push.mutations.truncate(n);
                sent.call.body = serde_json::to_vec(&push).unwrap();
            }
            if self.is(Bug::TextHoldsQueue) {
                let has_nul = |it: &Mutation| it.args.to_string().contains("\\u0000");
                let n = push.mutations.iter().position(has_nul);
                if n == Some(0) {
                    return self.turned_down(sent);
                }
                push.mutations.truncate(n.unwrap_or(push.mutations.len()));
                sent.call.body = serde_json::to_vec(&push).unwrap();
            }
            if let Some(n) = push.mutations.iter().position(|it| self.is_defect(it.id)) {
                // Only its own call meets the defect, and not one that decides others before it.
                meets_defect = n == 0;
                if 0 < n {
                    push.mutations.truncate(n);
                    sent.call.body = serde_json::to_vec(&push).unwrap();
                }
            }
            self.plant_before_push(&push).await;
            request = Some(push);
        }
        let parent = self.phones[phone].parent;
        let was_linked = parent.is_none_or(|it| self.parents[it].link.is_some());
        self.plant_before_call_of_parent(parent, true).await;
        let pusher = parent.filter(|_| request.is_some());
        self.plant_trust(pusher, true).await;
        let (answer, met) = self.call(&sent.call, meets_defect).await;
        self.plant_before_call_of_parent(parent, false).await;
        self.plant_trust(pusher, false).await;
        if parent.is_some() {
            self.note_links().await;
        }
        let is_answered = answer.as_ref().is_some_and(|it| it.status == 200);
        ensure!(
            was_linked || !is_answered,
            P4,
            "{} of somebody who was let go was answered",
            asked(&sent.asked)
        );
        if let Asked::Pull { .. } = sent.asked {
            self.notice().await?;
        }
        let Some(mut answer) = answer else {
            note!(
                self,
                "the server is killed in {} of phone {phone} tab {tab}: {met:?}",
                asked(&sent.asked)
            );
            self.restart().await;
            if let Some(request) = &request {
                let results = self.decided_since(before, phone, request.device_id).await;
                self.written(before, &results).await?;
            }
            return Ok(());
        };
        note!(
            self,
            "server: {} of phone {phone} tab {tab}: {}{}",
            asked(&sent.asked),
            short(&answer),
            met.map(|it| format!(" {it:?}")).unwrap_or_default()
        );
        if let Some(request) = &request {
            if self.is(Bug::ToldBeforeCommit) && met == Some((Moment::Commit, Fault::Lost)) {
                answer = told_too_early(before, request);
            }
            let results =
                if answer.status == 200 && met.is_none_or(|_| self.is(Bug::ToldBeforeCommit)) {
                    let Data { data } = read::<PushResponse>(&answer.body);
                    data.results
                } else {
                    self.decided_since(before, phone, request.device_id).await
                };
            self.written(before, &results).await?;
            self.plant_after_push(before, request, &results, &mut answer)
                .await;
        }
        if is_killed {
            note!(self, "the server is killed after it");
            self.restart().await;
            return Ok(());
        }
        if let Asked::Pull { .. } = sent.asked
            && answer.status == 200
        {
            answer = self.plant_in_feed(answer);
            if parent.is_some() {
                answer = self.plant_in_feed_of_parent(answer).await;
            }
        }
        if sent.is_copy || self.is_lost() {
            return Ok(());
        }
        let in_ms = self.delay();
        self.at(
            in_ms,
            Event::Answer {
                sent: Box::new(sent),
                answer: Some(answer),
            },
        );
        Ok(())
    }

    /// A phone may have known more than the server, which from then on is another one to all of them.
    async fn notice(&mut self) -> Check {
        if self.setup.says_restores || !self.setup.restores {
            return Ok(());
        }
        let before = self.oracle.now().backend_id;
        self.read_all().await?;
        self.counts.noticed += usize::from(self.oracle.now().backend_id != before);
        Ok(())
    }

    /// Planted: the server's database takes no such text, and the server knows no better answer than that it failed.
    fn turned_down(&mut self, sent: Sent) -> Check {
        if !sent.is_copy {
            let answer = Some(Answer {
                status: 500,
                body: String::new(),
            });
            let sent = Box::new(sent);
            self.at(20, Event::Answer { sent, answer });
        }
        Ok(())
    }

    /// True if the server meets a defect when it decides this.
    fn is_defect(&self, id: Id) -> bool {
        id.to_string().ends_with('0') && !self.oracle.now().decided.contains_key(&id)
    }

    /// A call, on a database that may fail in the middle.
    async fn call(&mut self, call: &Call, meets_defect: bool) -> (Option<Answer>, Option<Met>) {
        if meets_defect {
            let plan = Plan {
                // After it is known who calls.
                after: 2 + self.rng.below(8),
                fault: Fault::Broken,
                always: self.is(Bug::DefectHoldsQueue),
            };
            let (answer, met) = self.backend.call_with(call, plan).await;
            self.counts.defects += usize::from(met.is_some());
            return (answer, met);
        }
        if self.is_quiet || !self.rng.chance(8) {
            return (Some(self.backend.call(call).await), None);
        }
        let faults = [Fault::Lost, Fault::Conflict, Fault::Ended];
        let plan = Plan {
            after: self.rng.below(16),
            fault: *self.rng.pick(&faults).unwrap(),
            always: false,
        };
        let (answer, met) = self.backend.call_with(call, plan).await;
        self.counts.faults += usize::from(met.is_some());
        (answer, met)
    }

    /// Returns the outcomes of a phone's changes after this revision, whether it was told or not.
    async fn decided_since(&self, before: u64, phone: usize, device_id: Id) -> Vec<Outcome> {
        let device_id = self.device_key(phone, device_id);
        let pages = self.read(self.oracle.now().after(before, device_id)).await;
        let outcomes = pages.into_iter().flat_map(|it| it.outcomes);
        let mut outcomes: Vec<Outcome> = outcomes.filter(|it| before < it.rev).collect();
        outcomes.sort_by_key(|it| it.rev);
        outcomes
    }

    /// Something may have been written: the plain reader reads, and the checks look.
    pub(super) async fn written(&mut self, before: u64, results: &[Outcome]) -> Check {
        let n_decided = results
            .iter()
            .filter(|it| it.outcome != OutcomeKind::Retry && before < it.rev)
            .count();
        ensure!(
            !self.is_closed || n_decided == 0,
            crate::oracle::I15,
            "{n_decided} changes were decided while the business is rewritten"
        );
        let made_at = |id: Id| self.oracle.intent_of(id).map(|it| it.1.made_at);
        let days = results
            .iter()
            .filter_map(|it| Some((it.id, self.days_of(made_at(it.id)?))));
        let days: BTreeMap<Id, [Date; 2]> = days.collect();
        self.oracle.decided(before, results, &days)?;
        if 0 < n_decided {
            self.plant_in_series().await;
            let last = results.iter().map(|it| it.rev).max();
            self.plant_in_acts(last.unwrap_or_default()).await;
        }
        let links: Vec<Option<Id>> = self.records().collect();
        self.read_all().await?;
        self.oracle.i2_revisions(before, n_decided as u64)?;
        self.tell_of_changes(before);
        let commands = results.iter().filter(|it| before < it.rev);
        let commands = commands.filter_map(|it| self.oracle.done_at(it.rev));
        let commands: Vec<Command> = commands.map(|it| it.command.clone()).collect();
        for command in &commands {
            if let Command::UnlinkClient(it) = command {
                let was_let_go = links
                    .iter()
                    .zip(self.records())
                    .any(|(was, is)| *was == Some(it.id) && is != *was);
                if was_let_go {
                    self.p4_invitations_have_ended(it.id).await?;
                }
            }
        }
        if commands.iter().any(|it| matches!(it, Command::SendLive(_))) {
            self.p8_photos().await?;
        }
        self.p9_live_maps().await?;
        for rev in before + 1..=self.oracle.now().cursor {
            self.walls.insert(rev, self.backend.now());
            if self.is(Bug::SeqBeforeCommit) && self.rng.chance(25) {
                self.unseen.insert(rev, self.now + 2_000);
            }
        }
        Ok(())
    }

    /// The sitter's day at a moment of a phone, and today by the server's clock.
    fn days_of(&self, at: Instant) -> [Date; 2] {
        let now = Instant(self.backend.now());
        [at, now].map(|it| it.civil(&self.zone).0)
    }

    /// Tells the open apps of a new revision over their sockets, where they hear it.
    pub(super) fn tell_of_changes(&mut self, before: u64) {
        if !self.setup.has_sockets || self.oracle.now().cursor == before {
            return;
        }
        for phone in 0..self.phones.len() {
            for tab in 0..self.phones[phone].tabs.len() {
                let life = self.phones[phone].tabs[tab].life;
                let is_open = self.phones[phone].tabs[tab].replica.is_some()
                    && self.no_network_until[phone] <= self.now;
                if is_open && (self.is_quiet || self.rng.chance(70)) {
                    let in_ms = self.rng.between(5, 60);
                    self.at(in_ms, Event::Changed { phone, tab, life });
                }
            }
        }
    }

    pub(super) async fn read_all(&mut self) -> Check {
        self.read_feed(false).await?;
        self.check_all().await
    }

    /// The nightly job, at any hour and sometimes twice.
    pub(super) async fn nightly(&mut self) -> Check {
        if self.is_closed {
            return Ok(());
        }
        let before = self.oracle.now().cursor;
        for _ in 0..1 + self.rng.below(2) {
            if self.is(Bug::NightMissed) {
                self.backend
                    .tamper("UPDATE series SET due_on = NULL WHERE sitter_id = $1", &[])
                    .await;
            }
            let takes_for_active = self.is(Bug::InactiveByNight);
            if takes_for_active {
                self.plant_in_inactive(true).await;
            }
            self.backend.extend_series(self.setup.zone).await;
            if takes_for_active {
                self.plant_in_inactive(false).await;
            }
        }
        self.plant_in_series().await;
        self.read_feed(true).await?;
        note!(
            self,
            "the nightly job: revisions {before} to {}",
            self.oracle.now().cursor
        );
        for rev in before + 1..=self.oracle.now().cursor {
            self.walls.insert(rev, self.backend.now());
        }
        self.tell_of_changes(before);
        self.check_all().await
    }

    /// Some days later the nightly job makes up for what it has missed.
    pub(super) async fn weeks_later(&mut self) -> Check {
        if self.is_closed || self.setup.series + self.setup.acts == 0 {
            return Ok(());
        }
        self.base_ms += self.rng.between(0, 40) * 24 * 60 * MINUTE_MS;
        self.backend
            .set_clock(self.base_ms + self.now + self.server_clock_ms);
        self.nightly().await?;
        let [_, today] = self.days_of(Instant(0));
        self.oracle.i20_weeks_ahead_are_whole(today)
    }

    async fn check_all(&mut self) -> Check {
        self.note_links().await;
        self.oracle.i18_visits_are_there_once()?;
        self.oracle.i6_no_double_booking()?;
        if !self.is_closed {
            self.oracle.i11_invoices()?;
        }
        self.oracle.i14_limits()?;
        self.oracle.i8_no_lost_field_update()?;
        self.oracle.i17_both_versions()
    }

    async fn read_feed(&mut self, is_job: bool) -> Check {
        self.oracle.begin_reading();
        let timeline = self.oracle.now();
        for page in self.read(timeline.after(timeline.cursor, READER)).await {
            let changed = self.oracle.read(page, is_job)?;
            self.i12_no_row_without_its_photo(&changed).await?;
        }
        let [_, today] = self.days_of(Instant(0));
        let now = Now {
            at: Instant(self.backend.now()),
            zone: self.zone.clone(),
        };
        self.oracle.end_reading(is_job, today, &now)
    }

    /// All pages from there.
    pub(super) async fn read(&self, request: PullRequest) -> Vec<PullResponse> {
        self.read_as(&self.backend.owner(), request).await
    }

    /// The same for somebody else who takes part in a business.
    pub(super) async fn read_as(
        &self,
        member: &Member,
        mut request: PullRequest,
    ) -> Vec<PullResponse> {
        let mut pages = Vec::new();
        loop {
            let data = self.backend.pull(member, &request).await;
            request = PullRequest {
                cursor: data.next,
                epoch: Some(data.epoch),
                backend_id: Some(data.backend_id),
                seen: Some(data.head),
                rev_id: data.rev_id,
                ..request
            };
            let more = data.more;
            pages.push(data);
            if !more {
                return pages;
            }
        }
    }

    pub(super) async fn i12_no_row_without_its_photo(&self, keys: &[String]) -> Check {
        for key in keys {
            let Some(text) = self
                .oracle
                .now()
                .rows
                .get(key)
                .filter(|it| it.contains("\"photo\":\""))
            else {
                continue;
            };
            let row: serde_json::Value = serde_json::from_str(text).unwrap();
            let live = row["d"]["live"].as_array().into_iter().flatten();
            let photos = live.map(|it| &it["photo"]).chain([&row["d"]["photo"]]);
            let photos = photos.filter_map(|it| it.as_str()?.parse().ok());
            for photo in photos {
                let is_there = self.backend.has_photo(photo).await && !self.is_fake(photo);
                ensure!(is_there, I12, "{key} names the photo {photo}");
            }
        }
        Ok(())
    }

    /// True if the row of the photo was put there by a planted bug.
    pub(super) fn is_fake(&self, photo: Id) -> bool {
        self.is(Bug::RowBeforeBlob)
            && self
                .phones
                .iter()
                .all(|it| !it.disk.photos.contains_key(&photo))
    }

    /// A pet parent asks for a walk, on the days on which all want one.
    async fn ask(&mut self, client: Id) -> Check {
        let rows = &self.oracle.now().rows;
        let pets = rows.values().filter_map(|it| {
            let row: serde_json::Value = serde_json::from_str(it).ok()?;
            let is_theirs = row["t"] == "pet" && row["d"]["client_id"] == json!(client);
            is_theirs.then(|| row["d"]["id"].as_str()?.parse().ok())?
        });
        let dog_ids: Vec<Id> = pets.collect();
        let now = self.backend.now();
        let n = match self.rng.chance(40) {
            true => 2 + self.rng.below(2),
            false => 1,
        };
        let group_id = (1 < n).then(|| self.rng.id(now));
        for _ in 0..n {
            let request = WalkRequest {
                group_id,
                ..wished(&mut self.rng, &self.days, client, Vec::clone(&dog_ids), now)
            };
            note!(self, "client {client} asks for {}", request.requested_date);
            let before = self.oracle.now().cursor;
            self.backend.ask(request).await;
            self.read_all().await?;
            self.oracle.i2_revisions(before, 1)?;
            self.walls.insert(before + 1, self.backend.now());
        }
        Ok(())
    }

    /// A change by a REST call of another program, under an idempotency key and sent twice.
    pub(super) async fn somebody_else(&mut self) -> Check {
        if self.is_closed {
            return Ok(());
        }
        let (clients, services): (Vec<Id>, Vec<Id>) = {
            let keys = self.oracle.now().rows.keys();
            let of = |table: &str| -> Vec<Id> {
                keys.clone()
                    .filter_map(|it| it.strip_prefix(table)?.parse().ok())
                    .collect()
            };
            (of("client/"), of("service/"))
        };
        let value = self.rng.between(1000, 9999);
        let (client, service) = (
            self.rng.pick(&clients).copied(),
            self.rng.pick(&services).copied(),
        );
        let which = self.rng.below(8);
        if let (5.., Some(client)) = (which, client) {
            return self.ask(client).await;
        }
        let (method, path, body, command) = match (which, client, service) {
            (0 | 1, Some(id), _) => {
                let changes =
                    walkies_core::values::patch::Patch::of("address", format!("{value} Oak Road"));
                let body = json!(changes);
                let command = Command::UpdateClient(UpdateClient {
                    id,
                    changes,
                    dogs: Vec::new(),
                    removed_dogs: Vec::new(),
                });
                ("PUT", format!("/clients/{id}"), body, command)
            }
            (2, Some(id), _) => (
                "DELETE",
                format!("/clients/{id}"),
                json!(null),
                Command::DeleteClient(DeleteClient { id }),
            ),
            (3, _, Some(id)) => (
                "DELETE",
                format!("/scheduled-services/{id}"),
                json!(null),
                Command::CancelService(CancelService::new(id)),
            ),
            (4, _, Some(id)) => {
                let notes = format!("seen {value}");
                let command = Command::CompleteService(CompleteService {
                    id,
                    notes: notes.clone(),
                    internal_notes: String::new(),
                    despite_cancel: false,
                });
                (
                    "POST",
                    format!("/scheduled-services/{id}/complete"),
                    json!({ "notes": notes }),
                    command,
                )
            }
            _ => return Ok(()),
        };
        self.by_call(method, path, &body, command).await
    }

    /// A command by a REST call under an idempotency key, sent twice.
    pub(super) async fn by_call(
        &mut self,
        method: &'static str,
        path: String,
        body: &serde_json::Value,
        command: Command,
    ) -> Check {
        let key = self.rng.id(self.base_ms + self.now).to_string();
        let body = if body.is_null() {
            Vec::new()
        } else {
            serde_json::to_vec(body).unwrap()
        };
        let token = self.reader_token.clone();
        let call = Call {
            method,
            path,
            token,
            headers: vec![("idempotency-key", key)],
            body,
        };
        self.oracle.meant(&command);
        let before = self.oracle.now().cursor;
        let first = self.backend.call(&call).await;
        note!(
            self,
            "somebody else: {method} {}: {}",
            call.path,
            short(&first)
        );
        if first.status < 300 {
            self.oracle.spoke_by_call(&command);
        }
        self.read_all().await?;
        // A key makes also a refusal a revision, since its answer is kept.
        self.oracle.i2_revisions(before, 1)?;
        self.walls.insert(before + 1, self.backend.now());
        let again = self.backend.call(&call).await;
        ensure!(
            (again.status, &again.body) == (first.status, &first.body),
            crate::oracle::I2,
            "the same call was answered {} and then {}",
            short(&first),
            short(&again)
        );
        self.read_all().await?;
        self.oracle.i2_revisions(before, 1)
    }
}

/// Planted: the answer of a server that does not wait for its commit.
fn told_too_early(before: u64, request: &PushRequest) -> Answer {
    let results: Vec<Outcome> = (before + 1..)
        .zip(&request.mutations)
        .map(|(rev, it)| Outcome::done(it.id, Vec::new(), rev))
        .collect();
    let data = PushResponse {
        results,
        stopped_at: None,
        stopped: None,
    };
    Answer {
        status: 200,
        body: json!({ "data": data }).to_string(),
    }
}
