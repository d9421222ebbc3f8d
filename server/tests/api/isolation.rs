//! A property: whoever is linked with whom, and whatever happens in between, a pet parent is told what is of the own records
//! and nothing of anybody else's, by whatever call; and what names anybody else's is refused and changes nothing.

use std::collections::{BTreeMap, BTreeSet};

use image::ImageFormat;
use serde_json::{Value, json};
use walkies_core::Id;
use walkies_server::base::env::Env;

use crate::archive::unpack;
use crate::document::operations;
use crate::on_both;
use crate::parents::ParentsPhone;
use crate::photos::picture;
use crate::rng::Rng;
use crate::support::{ACCESS_NOTES, Phone, TestApp, User, walk};

/// A client record with something of everything.
struct Record {
    /// The client and the dog.
    party: (String, String),
    /// In the texts that are about it, and nowhere else.
    mark: String,
    photo: String,
    request: String,
    message: String,
    /// Words and ids that nobody else may be told.
    own: Vec<String>,
}

impl Record {
    async fn new(app: &TestApp, sitter: &User, mark: String, shade: u8) -> Self {
        let photo = sitter
            .upload(None, &picture(ImageFormat::Jpeg, shade))
            .await
            .id();
        let form = json!({
            "name": format!("{mark} Family"), "email": format!("{mark}@example.com"), "access_notes": ACCESS_NOTES,
            "internal_notes": "Beware of the cat",
            "dogs": [{ "name": format!("{mark}dog"), "photo": photo }], "walk_rate_30min": 25,
        });
        let made = sitter.post("/clients", form).await;
        let party = (
            made.id(),
            made.data()["dogs"][0]["id"].as_str().unwrap().to_owned(),
        );
        let request = app.request(sitter, &party).await;
        let form = json!({ "conversation_id": party.0, "content": format!("Word for {mark}") });
        let message = sitter.post("/messages", form).await.id();
        let own = [&party.0, &party.1, &mark, &photo, &request, &message];
        Self {
            own: own.map(String::clone).into(),
            party,
            mark,
            photo,
            request,
            message,
        }
    }

    /// Returns those of its ids that may stand in the path of a call.
    fn ids(&self) -> [&String; 5] {
        [
            &self.party.0,
            &self.party.1,
            &self.photo,
            &self.request,
            &self.message,
        ]
    }
}

struct World {
    app: TestApp,
    sitters: Vec<(User, Vec<Record>)>,
    parents: Vec<User>,
    /// Who is which record of which sitter.
    links: BTreeMap<(usize, usize), usize>,
    services: Vec<(usize, String)>,
    phones: BTreeMap<(usize, usize), ParentsPhone>,
    rng: Rng,
}

impl World {
    async fn new(app: TestApp) -> Self {
        let (mut sitters, mut parents) = (Vec::new(), Vec::new());
        for at in 0..2 {
            let sitter = app.sitter(&format!("Sitter{at}")).await;
            let mut records = Vec::new();
            for n in 0..3 {
                let shade = 20 * (3 * at + n) + 20;
                records.push(Record::new(&app, &sitter, format!("Qx{at}{n}z"), shade).await);
            }
            sitters.push((sitter, records));
        }
        for n in 0..3 {
            parents.push(app.pet_parent(&format!("Parent{n}")).await);
        }
        Self {
            app,
            sitters,
            parents,
            links: BTreeMap::new(),
            services: Vec::new(),
            phones: BTreeMap::new(),
            rng: Rng::new(13, 1),
        }
    }

    /// Carries out one random action: sitters link, let go, book, move, cancel, write, share and approve, and parents
    /// ask.
    async fn something_happens(&mut self, step: usize) {
        let at = self.rng.below(self.sitters.len());
        let n = self.rng.below(3);
        let to = self.rng.below(3);
        let who = self.rng.below(self.parents.len());
        let service = self.rng.pick(&self.services).cloned();
        let action = self.rng.below(12);
        let Self {
            app,
            sitters,
            links,
            parents,
            ..
        } = self;
        let (sitter, records) = &mut sitters[at];
        let (client, dog) = records[n].party.clone();
        match action {
            0..=2 => {
                let is_free = !links.contains_key(&(at, n))
                    && !links.iter().any(|((of, _), it)| *of == at && *it == who);
                if is_free {
                    app.link(sitter, &client, Some(&parents[who])).await;
                    links.insert((at, n), who);
                }
            }
            3 => {
                if links.remove(&(at, n)).is_some() {
                    app.link(sitter, &client, None).await;
                }
            }
            4 | 5 => {
                let start = format!("{:02}:{:02}", 8 + step / 6, 10 * (step % 6));
                let mut form = walk(&client, &dog, "2026-11-24", &start);
                (form["overlap_ok"], form["internal_notes"]) =
                    (json!(true), json!("Beware of the cat"));
                self.services
                    .push((at, sitter.post("/scheduled-services", form).await.id()));
            }
            6 | 7 => {
                if let Some((of, id)) = service {
                    let (sitter, records) = &sitters[of];
                    let (client, dog) = &records[to].party;
                    let mut form = json!({ "client_id": client, "overlap_ok": true });
                    if action == 6 {
                        form["dog_ids"] = json!([dog]);
                    }
                    sitter.put(&format!("/scheduled-services/{id}"), form).await;
                }
            }
            8 => {
                if let Some((of, id)) = service {
                    sitters[of].0.delete(&format!("/services/{id}")).await;
                }
            }
            9 => {
                let form = json!({ "conversation_id": client, "content": format!("Word for {}", records[n].mark) });
                let said = sitter.post("/messages", form).await.id();
                records[n].own.push(said);
            }
            10 => {
                let both: BTreeSet<usize> = [n, to].into();
                let parties: Vec<_> = both
                    .iter()
                    .map(|it| (&records[*it].party, &*records[*it].mark))
                    .collect();
                let form = crate::reports::walk_form(json!([]), &parties);
                let shared = sitter.post("/walks", form).await;
                for record in records {
                    let mut reports = shared.data()["reports"].as_array().unwrap().iter();
                    let own = reports.find(|it| it["client_id"] == json!(record.party.0));
                    record
                        .own
                        .extend(own.map(|it| it["share_id"].as_str().unwrap().to_owned()));
                }
            }
            _ => {
                if let Some(parent) = links.get(&(at, n)) {
                    let form = json!({
                        "sitter_id": sitter.sitter_id, "requested_date": "2026-11-25", "requested_start_time": "10:00",
                        "requested_duration_minutes": 30, "dog_ids": [dog], "message": records[n].mark,
                    });
                    let asked = parents[*parent].post("/client/requests", form).await;
                    if asked.status == 201 {
                        let id = asked.id();
                        let form = json!({ "overlap_ok": true });
                        sitter
                            .post(&format!("/sitter/requests/{id}/approve"), form)
                            .await
                            .data();
                        records[n].own.push(id);
                    }
                }
            }
        }
    }

    /// The record by which somebody is a client of a sitter.
    fn record(&self, who: usize, of: usize) -> Option<&Record> {
        let link = self
            .links
            .iter()
            .find(|((at, _), it)| *at == of && **it == who);
        link.map(|((_, n), _)| &self.sitters[of].1[*n])
    }

    fn all(&self) -> impl Iterator<Item = (usize, usize, &Record)> {
        let sitters = self.sitters.iter().enumerate();
        sitters.flat_map(|(at, it)| it.1.iter().enumerate().map(move |(n, it)| (at, n, it)))
    }

    /// The records that are not this parent's.
    fn others(&self, who: usize) -> Vec<&Record> {
        let others = self
            .all()
            .filter(|(at, n, _)| self.links.get(&(*at, *n)) != Some(&who));
        others.map(|it| it.2).collect()
    }

    fn check_told(&self, who: usize, by: &str, text: &str) {
        for secret in self.others(who).iter().flat_map(|it| &it.own) {
            assert!(
                !text.contains(secret.as_str()),
                "{by} tells {secret}: {text}"
            );
        }
        for secret in ["Beware of the cat", ACCESS_NOTES] {
            assert!(!text.contains(secret), "{by} tells {secret}: {text}");
        }
    }

    /// A parent's phone has what is theirs of a sitter, all of it and nothing else.
    async fn check_phone(&mut self, who: usize, of: usize) {
        let (parent, sitter) = (self.parents[who].clone(), self.sitters[of].0.clone());
        let Some(record) = self.record(who, of) else {
            let path = format!(
                "/sync/pull?sitter_id={}&cursor=0&device_id={}&schema=3",
                sitter.sitter_id.unwrap(),
                Id::of(77)
            );
            assert_eq!(parent.get(&path).await.failure(), (403, "not_linked"));
            self.phones.remove(&(who, of));
            return;
        };
        let listed = sitter
            .get(&format!("/scheduled-services?client_id={}", record.party.0))
            .await;
        let theirs = listed.data().as_array().unwrap().iter();
        let theirs: BTreeSet<String> = theirs
            .map(|it| format!("service/{}", it["id"].as_str().unwrap()))
            .collect();
        let phone = self
            .phones
            .entry((who, of))
            .or_insert_with(|| ParentsPhone::new(&parent, &sitter));
        phone.pull().await;
        let shown: BTreeSet<String> = phone
            .rows
            .keys()
            .filter(|it| it.starts_with("service/"))
            .cloned()
            .collect();
        let text = phone.text();
        assert_eq!(shown, theirs);
        self.check_told(who, "The feed", &text);
    }

    /// Every call that a parent can read by tells what is theirs alone, and nothing where it names what is another's.
    async fn check_calls(&self, who: usize, of: usize) {
        let (parent, sitter_id) = (&self.parents[who], self.sitters[of].0.sitter_id.unwrap());
        for (method, path, operation) in operations(walkies_server::api::router::document()) {
            let is_theirs =
                operation["x-access"] == "client" || operation["x-access"] == "any_user";
            if method != "GET" || !is_theirs {
                continue;
            }
            let value = |name: &str| match name {
                "sitter_id" => sitter_id.to_string(),
                "q" => "Word".to_owned(),
                "date" => "2026-11-24".to_owned(),
                "cursor" => "0".to_owned(),
                "schema" => "3".to_owned(),
                "device_id" => Id::of(78).to_string(),
                "include_archived" => "true".to_owned(),
                _ => String::new(),
            };
            let names = operation["parameters"]
                .as_array()
                .unwrap()
                .iter()
                .filter(|it| it["in"] == "query");
            let query: Vec<String> = names
                .map(|it| it["name"].as_str().unwrap())
                .map(|name| (name, value(name)))
                .filter(|(_, value)| !value.is_empty())
                .map(|(name, value)| format!("{name}={value}"))
                .collect();
            let ids: Vec<&String> = self.others(who).iter().flat_map(|it| it.ids()).collect();
            let of_own: Vec<&String> = self
                .record(who, of)
                .into_iter()
                .map(|it| &it.party.0)
                .collect();
            let named = if path.contains("{id}") {
                [ids.clone(), of_own].concat()
            } else {
                vec![&path]
            };
            for id in named {
                let path = path.replace("{id}", id) + "?" + &query.join("&");
                let answer = parent.get(&path).await;
                assert_ne!(answer.status, 400, "{path} needs something else");
                assert!(
                    !ids.contains(&id) || !answer.status.is_success(),
                    "{path}: {}",
                    answer.status
                );
                let kind = answer.headers.get("content-type");
                let told = match kind.is_some_and(|it| it == "application/zip") {
                    true => unpack(&answer.bytes).into_values().collect(),
                    false => vec![answer.bytes],
                };
                for it in told {
                    self.check_told(who, &path, &String::from_utf8_lossy(&it));
                }
            }
        }
    }

    /// Checks that a call that names anything of anybody else's is refused and changes nothing.
    async fn check_attempts(&self, who: usize, of: usize) {
        let (parent, sitter_id) = (&self.parents[who], self.sitters[of].0.sitter_id);
        let Some(record) = self.record(who, of) else {
            return;
        };
        let ((own, own_dog), new) = (&record.party, || Env::system().id());
        let asked = |dog: &str| {
            json!({
                "requested_date": "2026-11-26", "requested_start_time": "10:00", "requested_duration_minutes": 30,
                "dog_ids": [dog],
            })
        };
        let here = &self.sitters[of].1;
        // In another business the ids of this one name nothing.
        for other in here.iter().filter(|it| it.party != record.party) {
            let (client, dog) = &other.party;
            let pet = |id: &str, is_new: bool, changes: Value| json!([{ "id": id, "is_new": is_new, "changes": changes }]);
            let commands = [
                (
                    "send_message",
                    json!({ "id": new(), "conversation_id": client, "content": "x" }),
                ),
                (
                    "send_message",
                    json!({ "id": new(), "conversation_id": own, "content": "x", "photo": other.photo }),
                ),
                (
                    "send_message",
                    json!({ "id": other.message, "conversation_id": own, "content": "x" }),
                ),
                ("delete_message", json!({ "id": other.message })),
                ("start_conversation", json!({ "client_id": client })),
                ("mark_conversation_read", json!({ "id": client })),
                (
                    "set_conversation_archived",
                    json!({ "id": client, "archived": true }),
                ),
                (
                    "ask_for_service",
                    json!({ "id": new(), "request": asked(dog) }),
                ),
                (
                    "ask_for_service",
                    json!({ "id": other.request, "request": asked(own_dog) }),
                ),
                ("withdraw_request", json!({ "id": other.request })),
                (
                    "update_client",
                    json!({ "id": client, "changes": { "address": "x" } }),
                ),
                (
                    "update_client",
                    json!({ "id": own, "changes": {}, "dogs": pet(dog, false, json!({ "name": "x" })) }),
                ),
                (
                    "update_client",
                    json!({ "id": own, "changes": {}, "dogs": pet(dog, true, json!({ "name": "x" })) }),
                ),
                (
                    "update_client",
                    json!({ "id": own, "changes": {}, "dogs": pet(own_dog, false, json!({ "photo": other.photo })) }),
                ),
                (
                    "update_client",
                    json!({ "id": own, "changes": {}, "removed_dogs": [dog] }),
                ),
                (
                    "approve_request",
                    json!({ "id": other.request, "service_id": new() }),
                ),
                ("unlink_client", json!({ "id": client })),
                ("delete_client", json!({ "id": client })),
            ];
            let calls = [
                (
                    "POST",
                    "/messages".to_owned(),
                    json!({ "conversation_id": client, "content": "x" }),
                ),
                (
                    "POST",
                    "/messages".to_owned(),
                    json!({ "conversation_id": own, "attachment_url": format!("/api/photos/{}", other.photo) }),
                ),
                (
                    "POST",
                    "/conversations".to_owned(),
                    json!({ "client_id": client }),
                ),
                (
                    "POST",
                    format!("/conversations/{client}/archive"),
                    json!({}),
                ),
                ("PUT", format!("/messages/{client}/read"), json!({})),
                ("DELETE", format!("/messages/{}", other.message), json!({})),
                ("POST", "/client/requests".to_owned(), asked(dog)),
                (
                    "DELETE",
                    format!("/client/requests/{}", other.request),
                    json!({}),
                ),
                (
                    "PUT",
                    "/client/details".to_owned(),
                    json!({ "dogs": [{ "id": dog, "name": "x" }] }),
                ),
                (
                    "PUT",
                    "/client/details".to_owned(),
                    json!({ "dogs": [{ "id": own_dog, "photo": other.photo }] }),
                ),
            ];
            let before = self.rows().await;
            let mut phone = Phone::new(parent);
            phone.sitter_id = sitter_id;
            for (name, args) in commands {
                let outcome = phone.send(name, args.clone()).await;
                assert_eq!(outcome["outcome"], "rejected", "{name} {args}");
                assert!(
                    !outcome.to_string().contains(&other.mark),
                    "{name}: {outcome}"
                );
            }
            for (method, path, mut form) in calls {
                form["sitter_id"] = json!(sitter_id);
                let path = format!("{path}?sitter_id={}", sitter_id.unwrap());
                let answer = parent.call(method, &path, &[], Some(form)).await;
                assert!(
                    answer.status.is_client_error(),
                    "{method} {path}: {}",
                    answer.status
                );
                assert!(
                    !answer.body.to_string().contains(&other.mark),
                    "{path}: {}",
                    answer.body
                );
            }
            assert!(
                self.rows().await == before,
                "something of {} has changed",
                other.mark
            );
        }
    }

    /// All that is anybody's, without what became of whose commands.
    async fn rows(&self) -> Vec<String> {
        let mut rows = self.app.dump(None).await;
        rows.retain(|it| {
            let table = it.split(' ').next().unwrap_or_default();
            !["mutation", "device", "sitter", "revision", "mention"].contains(&table)
        });
        rows
    }
}

on_both! {
    async fn a_pet_parent_is_told_and_changes_what_is_theirs_and_nothing_else(app: TestApp) {
        let mut world = World::new(app).await;
        let (mut linked, mut tried) = (0, 0);
        for step in 0..60 {
            world.something_happens(step).await;
            let (who, of) = (world.rng.below(world.parents.len()), world.rng.below(world.sitters.len()));
            linked += usize::from(world.record(who, of).is_some());
            world.check_phone(who, of).await;
            if step % 4 == 0 {
                world.check_calls(who, of).await;
            }
            if step % 12 == 11 {
                tried += usize::from(world.record(who, of).is_some());
                world.check_attempts(who, of).await;
            }
        }
        assert!(10 < linked && 1 < tried, "hardly anybody was linked: {linked}, {tried}");
    }
}
