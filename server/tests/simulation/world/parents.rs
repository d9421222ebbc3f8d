//! Owns what happens about pet parents: they are invited, linked, let go and linked anew, and their phones hear of it.

use walkies_core::sync::wire::WireRow;
use walkies_server::app::session::Member;

use super::*;
use crate::parents::NOTED_CODE;

#[derive(Deserialize)]
pub(super) struct Made {
    #[serde(default)]
    pub(super) id: Option<Id>,
    #[serde(default)]
    code: String,
}

impl World<'_> {
    /// Every parent has a record and is linked with it before anybody does anything; one has another sitter, too.
    pub(super) async fn take_parents_in(&mut self) -> Check {
        if self.parents.is_empty() {
            return Ok(());
        }
        let token = self.reader_token.clone();
        let is_household = self.rng.chance(50) || self.favoured.is_some_and(Bug::is_of_households);
        let mut first = None;
        for parent in 0..self.parents.len() {
            let client = match first.filter(|_| is_household) {
                Some(first) => first,
                None => self.make_client(&token, &format!("Parent {parent}")).await,
            };
            first = Some(client);
            self.link(parent, &token, client).await;
            if self.rng.chance(50) {
                self.invite(&token, client).await;
            }
        }
        if self.rng.chance(50) || self.is(Bug::OtherTenantsRows) {
            let (sitter_id, owner) = self.backend.other_business(self.setup.zone).await;
            let token = self.backend.sign_in(Some(owner)).await;
            let client = self.make_client(&token, "Parent elsewhere").await;
            let other = self.make_client(&token, "Somebody elsewhere").await;
            self.link(0, &token, client).await;
            self.elsewhere = Some(Elsewhere {
                sitter_id,
                owner,
                token,
                records: [client, other],
            });
        }
        self.read_all().await?;
        for phone in 0..self.phones.len() {
            if let Some(parent) = self.phones[phone].parent {
                let link = self.parents[parent].link;
                self.phones[phone].disk.meta.client_id = link.map(|it| it.client_id);
            }
        }
        Ok(())
    }

    pub(super) async fn make_client(&mut self, token: &str, name: &str) -> Id {
        let books_at_once = self.rng.chance(40);
        let form = json!({ "name": name, "access_notes": format!("{NOTED_CODE}4711"), "internal_notes": "Pays late", "dogs": ["Max", "Mia"],
            "books_at_once": books_at_once });
        let answer = self.rest(token, "/clients", &form).await;
        read::<Made>(&answer.body).data.id.unwrap()
    }

    /// A plain call with a form.
    pub(super) async fn rest(
        &mut self,
        token: &str,
        path: &str,
        form: &serde_json::Value,
    ) -> Answer {
        let call = Call {
            method: "POST",
            path: path.to_owned(),
            token: token.to_owned(),
            headers: Vec::new(),
            body: serde_json::to_vec(form).unwrap(),
        };
        let answer = self.backend.call(&call).await;
        note!(self, "somebody calls {path}: {}", short(&answer));
        answer
    }

    /// The sitter of that session invites for a record, and the parent takes the code: whether they are linked.
    async fn link(&mut self, parent: usize, sitter: &str, client: Id) -> bool {
        let Some(code) = self.code(sitter, client).await else {
            return false;
        };
        let token = self.parents[parent].token.clone();
        let form = json!({ "client_id": client, "code": code });
        self.rest(&token, "/client/link", &form).await.status == 200
    }

    /// Has the sitter of that session make a code for a record; none where there is no such record.
    async fn code(&mut self, sitter: &str, client: Id) -> Option<String> {
        let invite = format!("/clients/{client}/invite");
        let answer = self.rest(sitter, &invite, &json!({})).await;
        (answer.status == 201).then(|| read::<Made>(&answer.body).data.code)
    }

    /// Invites somebody for a record who does not come for now.
    async fn invite(&mut self, sitter: &str, client: Id) {
        let code = self.code(sitter, client).await;
        self.invites.extend(code.map(|it| (client, it)));
    }

    /// Checks that the open invitations for a record ended with whoever was let go from it.
    pub(super) async fn p4_invitations_have_ended(&mut self, client: Id) -> Check {
        let invites = std::mem::take(&mut self.invites);
        let (ended, others) = invites.into_iter().partition(|it| it.0 == client);
        self.invites = others;
        let ended: Vec<(Id, String)> = ended;
        for (_, code) in ended {
            let answer = self
                .backend
                .call(&get("", format!("/invites/{code}")))
                .await;
            ensure!(
                answer.status != 200,
                P4,
                "an invitation for {client} is open although somebody was let go since"
            );
        }
        Ok(())
    }

    /// The parent's access ends: the sitter lets the whole household go or the parent alone, or the parent leaves. Whether
    /// that was done.
    async fn let_go(&mut self, parent: usize, client: Id) -> Result<bool, Violation> {
        let token = self.reader_token.clone();
        if self.rng.chance(50) {
            self.invite(&token, client).await;
        }
        let path = format!("/clients/{client}/unlink");
        let user_id = self.parents[parent].user_id;
        let leaves = self.rng.chance(20);
        self.plant_in_invites(true).await;
        let answer = match leaves {
            true => {
                let token = self.parents[parent].token.clone();
                let form = json!({ "sitter_id": self.backend.sitter_id });
                self.rest(&token, "/client/leave", &form).await
            }
            false if self.rng.chance(50) => {
                self.rest(&token, &path, &json!({ "user_id": user_id }))
                    .await
            }
            false => self.rest(&token, &path, &json!({})).await,
        };
        self.plant_in_invites(false).await;
        let is_done = answer.status == 200;
        if is_done {
            // Before anybody is linked anew.
            self.read_all().await?;
        }
        if is_done && !leaves {
            self.p4_invitations_have_ended(client).await?;
        }
        Ok(is_done)
    }

    /// Who is linked is let go, by and by or at once to be linked with some record; who is not is linked.
    pub(super) async fn relink(&mut self, parent: usize) -> Check {
        if parent == 0 && self.rng.chance(25) {
            self.relink_elsewhere().await?;
        }
        let before = self.oracle.now().cursor;
        let token = self.reader_token.clone();
        let former = self.parents[parent].link;
        let mut n_changes = 0;
        if let Some(link) = former {
            n_changes += u64::from(self.let_go(parent, link.client_id).await?);
        }
        if former.is_some() && self.rng.chance(50) {
            let in_ms = self.rng.between(1_000, 60_000);
            self.at(in_ms, Event::Relink { parent });
        } else if former.is_some() && n_changes == 0 {
            // Where the server could not let go, both are linked as before, and to link them again changes nothing.
        } else if let Some(client) = self.some_record(parent, former.map(|it| it.client_id)) {
            let is_linked = self.link(parent, &token, client).await;
            n_changes += u64::from(is_linked);
            if let Some(former) = former.filter(|_| self.is(Bug::SameHistoryForAll)) {
                let user_id = self.parents[parent].user_id.to_string();
                let history = former.history.to_string();
                let same = "UPDATE client_user_link SET history = $2 WHERE sitter_id = $1 AND user_id = $3";
                self.backend.tamper(same, &[&history, &user_id]).await;
            }
        }
        self.read_all().await?;
        self.p9_live_maps().await?;
        self.oracle.i2_revisions(before, n_changes)?;
        for rev in before + 1..=self.oracle.now().cursor {
            self.walls.insert(rev, self.backend.now());
        }
        Ok(())
    }

    /// The other sitter lets go and links anew, as another client, which is no matter here.
    async fn relink_elsewhere(&mut self) -> Check {
        let Some(mut there) = self.elsewhere.clone() else {
            return Ok(());
        };
        let path = format!("/clients/{}/unlink", there.records[0]);
        self.rest(&there.token, &path, &json!({})).await;
        there.records.reverse();
        self.link(0, &there.token, there.records[0]).await;
        self.elsewhere = Some(there);
        self.p1_elsewhere().await
    }

    /// A record without a login: the former one now and then, or that of another parent, with whom it makes a household.
    fn some_record(&mut self, parent: usize, former: Option<Id>) -> Option<Id> {
        let others = self.parents.iter().enumerate();
        let others = others.filter(|it| it.0 != parent);
        let other = others.filter_map(|it| it.1.link).next();
        if let Some(other) = other.filter(|_| self.rng.chance(40)) {
            return Some(other.client_id);
        }
        let rows = self.oracle.now().rows.iter();
        let clients = rows.filter(|(key, _)| key.starts_with("client/"));
        let free = clients.filter(|(_, text)| text.contains("\"client_user_id\":null"));
        let free: Vec<Id> = free
            .filter_map(|(key, _)| key.split_once('/')?.1.parse().ok())
            .collect();
        let again = former.filter(|_| self.rng.chance(25));
        again.or_else(|| self.rng.pick(&free).copied())
    }

    /// Looks how everybody is linked now. What they are told that the database is follows from it.
    pub(super) async fn note_links(&mut self) {
        for parent in 0..self.parents.len() {
            let (user_id, sitter_id) = (self.parents[parent].user_id, self.backend.sitter_id);
            let link = self.backend.link_of(user_id, sitter_id).await;
            let timeline = self.oracle.timelines.last_mut().unwrap();
            let backend_id = link.zip(timeline.backend_id).map(|(link, of_business)| {
                let member = Member {
                    user_id,
                    sitter_id,
                    link: Some(link),
                };
                member.backend_id(of_business)
            });
            timeline.lines.extend(backend_id);
            let seat = &mut self.parents[parent];
            seat.backend_id = backend_id;
            let record = |it: Option<walkies_server::db::ClientLink>| it.map(|it| it.client_id);
            let (was, is) = (record(seat.link), record(link));
            seat.link = link;
            if was == is {
                continue;
            }
            if let Some(was) = was {
                seat.former.insert(was);
                self.oracle.ended.insert(was);
            }
            for phone in 0..self.phones.len() {
                if self.phones[phone].parent == Some(parent) {
                    let in_ms = self.rng.between(100, 60_000);
                    self.at(in_ms, Event::Learn { phone });
                }
            }
        }
    }

    /// A phone whose person is linked with another record begins a database for that, once the former one is done with.
    pub(super) fn learn(&mut self, phone: usize) {
        let Some(parent) = self.phones[phone].parent else {
            return;
        };
        let link = self.parents[parent].link;
        let disk = &self.phones[phone].disk;
        let Some(link) = link.filter(|it| disk.meta.client_id != Some(it.client_id)) else {
            return;
        };
        if disk.meta.backend_id.is_some() || !disk.outbox.is_empty() {
            self.at(5_000, Event::Learn { phone });
            return;
        }
        note!(
            self,
            "phone {phone} begins a database of {}",
            link.client_id
        );
        let fresh = self.rng.id(self.base_ms + self.now);
        let phone_of = &mut self.phones[phone];
        let told = std::mem::take(&mut phone_of.disk.attention);
        phone_of.told.extend(told.into_keys());
        phone_of.disk = Disk::new(fresh);
        phone_of.disk.meta.client_id = Some(link.client_id);
        phone_of.n_databases += 1;
        phone_of.lock = None;
        for tab in 0..self.phones[phone].tabs.len() {
            let was = &mut self.phones[phone].tabs[tab];
            let is_open = was.replica.is_some();
            let life = was.life + 1;
            *was = Tab {
                life,
                first_life: life,
                ..Tab::closed()
            };
            if is_open {
                self.open(phone, tab);
            }
        }
    }

    /// A phone is told that its person takes part in the business no longer.
    pub(super) fn hear_let_go(&mut self, phone: usize, tab: usize) -> Check {
        note!(
            self,
            "phone {phone} tab {tab} hears that its person was let go"
        );
        self.replica(phone, tab).abandon_pull();
        if self.is(Bug::LetGoKeepsRows) {
            self.finish(phone, tab, None);
            return Ok(());
        }
        let fresh = self.rng.id(self.base_ms + self.now);
        let mut batch = self.replica(phone, tab).let_go(fresh);
        if self.is(Bug::LetGoDropsWords) {
            batch.attention_put.clear();
        }
        let is_news =
            batch.meta != *self.replica(phone, tab).meta() || !batch.outbox_remove.is_empty();
        if is_news {
            self.write(phone, tab, Box::new(batch), Then::Finish);
        } else {
            self.finish(phone, tab, None);
        }
        self.look(phone, tab)
    }

    /// Marks the changes of which a person is told only because they were let go.
    pub(super) fn note_let_go(&mut self, phone: usize, batch: &Batch) -> Check {
        if self.phones[phone].parent.is_none() || batch.meta.backend_id.is_some() {
            return Ok(());
        }
        self.counts.let_go += 1;
        for it in batch.attention_put.iter().filter(|it| it.outcome.rev == 0) {
            let id = it.entry.mutation.id;
            let id = *self.oracle.aliases.get(&id).unwrap_or(&id);
            if let Some(intent) = self.oracle.intents.get_mut(&id) {
                intent.let_go = true;
            }
        }
        Ok(())
    }

    /// The record that each parent is linked with.
    pub(super) fn records(&self) -> impl Iterator<Item = Option<Id>> + '_ {
        self.parents.iter().map(|it| Some(it.link?.client_id))
    }

    /// Checks that each parent is shown the photos of visits of the own record, and no others of those that were sent.
    pub(super) async fn p8_photos(&self) -> Check {
        if self.is_closed {
            return Ok(());
        }
        for seat in &self.parents {
            let own = seat.link.map(|it| it.client_id);
            let services = self.oracle.now().services.values();
            let theirs = services.filter(|it| Some(it.client_id) == own);
            let theirs = theirs.flat_map(|it| &it.live).filter_map(|it| it.photo);
            let theirs: BTreeSet<Id> = theirs.collect();
            for photo in &self.live_photos {
                let path = format!("/photos/{photo}?sitter_id={}", self.backend.sitter_id);
                let (status, _) = self.backend.call_for_bytes(&get(&seat.token, path)).await;
                // Files that went are not in a backup, nor in every archive.
                let may_be_missing = self.setup.restores || self.setup.is_cleared;
                let (is_shown, is_theirs) = (status == 200, theirs.contains(photo));
                ensure!(
                    is_shown == is_theirs || !is_shown && may_be_missing,
                    P8,
                    "the photo {photo} was answered with {status} to a parent of {own:?}"
                );
            }
        }
        Ok(())
    }

    /// Returns the id that a phone's database has at the server.
    pub(super) fn device_key(&self, phone: usize, device_id: Id) -> Id {
        let sitter_id = self.backend.sitter_id;
        let seat = self.phones[phone].parent.map(|it| &self.parents[it]);
        let Some((seat, link)) = seat.and_then(|it| Some((it, it.link?))) else {
            return device_id;
        };
        let member = Member {
            user_id: seat.user_id,
            sitter_id,
            link: Some(link),
        };
        member.device_key(device_id)
    }

    /// Checks that a parent sees of the other sitter what is theirs there, and no more.
    pub(super) async fn p1_elsewhere(&self) -> Check {
        let Some(there) = &self.elsewhere else {
            return Ok(());
        };
        let (sitter_id, owner) = (there.sitter_id, there.owner);
        let user_id = self.parents[0].user_id;
        let link = self.backend.link_of(user_id, sitter_id).await;
        let is_as_said = link.is_some_and(|it| it.client_id == there.records[0]);
        ensure!(is_as_said, P5, "elsewhere a parent is linked as {link:?}");
        let client_id = there.records[0];
        let members = [(owner, None), (user_id, link)].map(|(user_id, link)| Member {
            user_id,
            sitter_id,
            link,
        });
        let mut feeds = Vec::new();
        for member in members {
            let request = crate::oracle::Timeline::new().after(0, READER);
            let pages = self.read_as(&member, request).await;
            let rows = pages.iter().flat_map(|it| &it.rows).filter(|it| !it.del);
            let texts = rows.map(|it: &WireRow| serde_json::to_string(it).unwrap());
            feeds.push(texts.collect::<BTreeSet<String>>());
        }
        let expected: BTreeSet<String> = feeds[0]
            .iter()
            .filter_map(|it| seen_by(client_id, it))
            .collect();
        ensure!(
            feeds[1] == expected && 2 < expected.len() && expected.len() < feeds[0].len(),
            P1,
            "elsewhere a parent sees {:?} and not {expected:?}",
            feeds[1]
        );
        Ok(())
    }
}
