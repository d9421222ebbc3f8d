//! A property: whatever a sitter pushes, with ids of anybody's, another business stays as it is, byte for byte, and
//! the sender learns nothing of it. Everything is pushed in two worlds that differ in one thing: in the second one
//! the other business never was, so that its ids exist nowhere there. The answers are the same.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use serde_json::{Map, Value, json};
use walkies_core::rows::series::SeriesRule;
use walkies_core::rows::service::ServiceType;
use walkies_core::rows::walk_request::{RequestSubject, WalkRequest};
use walkies_core::{Business, Cents, Command, Date, Id, Instant, Row, RowKey, TableName};
use walkies_server::api::router::router;
use walkies_server::app::state::AppState;
use walkies_server::base::env::{Entropy, Env};
use walkies_server::db;
use walkies_server::media::files::Files;

use crate::rng::Rng;
use crate::support::{Answer, HOUR, NOW, Phone, TestApp, User, postgres_url, settings};

/// Most runs: each has businesses of its own, and as many are made as it takes until everything was seen. What a run
/// draws depends on ids that no seed decides, so their number differs.
const MOST_SEEDS: u64 = 40;
const PUSHES: usize = 320;
/// The name of the other sitter, in all its texts and nowhere else.
const OTHER: &str = "Zanzibar";

/// Randomness of a seed, so that both worlds make the same ids.
struct Drawn(Mutex<Rng>);

impl Entropy for Drawn {
    fn fill(&self, bytes: &mut [u8]) {
        self.0.lock().unwrap().fill(bytes);
    }
}

/// From here on the world's callers meet a server whose ids come from this stream of the seed.
async fn draw_from(app: &mut TestApp, seed: u64, stream: u64) {
    let env = Env {
        clock: Box::new(app.clock.clone()),
        entropy: Box::new(Drawn(Mutex::new(Rng::new(seed, stream)))),
    };
    let files = Files::folder(app.folder()).unwrap();
    let state = AppState::new(app.state.db.clone(), env, settings(), files)
        .await
        .unwrap();
    app.router = router(&state);
}

/// A sitter, and what its business has that is in none of its rows.
struct Sitter {
    user: User,
    client: Id,
    photos: Vec<Id>,
    mutations: Vec<Id>,
    phones: Vec<Phone>,
}

/// Signs up and fills the business with something of everything, in every state, from a revision on and with all
/// visits at one hour.
async fn sitter(app: &TestApp, name: &str, rev: u64, hour: &str, mut rng: Rng) -> Sitter {
    let user = app.sitter(name).await;
    let sitter_id = user.sitter_id.unwrap();
    let mut tx = app.state.db.write().await.unwrap();
    let mut take_turn = async || {
        db::claim_next_revision(&mut tx, sitter_id, None, None)
            .await
            .unwrap()
            .unwrap()
    };
    while take_turn().await.rev < rev {}
    tx.commit().await.unwrap();
    let mut ids = || rng.id(NOW);
    let others = [
        (ids(), ids()),
        (ids(), ids()),
        (ids(), ids()),
        (ids(), ids()),
    ];
    let (client, second, third) = (ids(), ids(), ids());
    let (dog, other_dog, photo, other_photo) = (ids(), ids(), ids(), ids());
    let (offering, unused, pattern, block) = (ids(), ids(), ids(), ids());
    let visits = [ids(), ids(), ids(), ids(), ids()];
    let walks = [ids(), ids(), ids()];
    let messages = [ids(), ids()];
    let invoices = [ids(), ids(), ids()];
    let expenses = [ids(), ids()];
    let series = [ids(), ids(), ids(), ids()];
    let pictures = [(photo, 30), (other_photo, 60)];
    for (id, shade) in pictures {
        let bytes = crate::photos::picture(image::ImageFormat::Jpeg, shade);
        assert_eq!(user.upload(Some(&id.to_string()), &bytes).await.status, 201);
    }
    let new_dog = |id: Id, called: &str, photo: Id| {
        json!({ "id": id, "is_new": true, "changes": {
            "name": format!("{called} of {name}"), "about": format!("Fears the vacuum cleaner of {name}"), "photo": photo,
        } })
    };
    let new_client = |id: Id, called: &str, dogs: Vec<Value>| {
        json!({ "id": id, "dogs": dogs, "client": {
            "name": format!("{called} of {name}"), "address": format!("1 {name} Street"), "phone": "555-010-4477",
            "email": format!("{called}@{name}.example"), "access_notes": format!("{name}: the key is under the mat"),
        } })
    };
    let visit = |date: &str| {
        json!({
            "client_id": client, "dog_ids": [dog, other_dog], "service_type": "walk", "date": date,
            "start_time": hour, "duration_minutes": 30, "notes": format!("{name}: the long round"),
            "internal_notes": format!("{name}: pays late"), "offering_id": offering,
        })
    };
    let shared_walk = |id: Id, photo: Id| {
        json!({ "id": id, "walk": {
            "started_at": Instant(NOW - 2 * HOUR), "ended_at": Instant(NOW - HOUR), "ran_seconds": 3600,
            "events": [{ "type": "photo", "at": Instant(NOW - HOUR), "note": format!("{name} waves"), "photo": photo }],
        }, "reports": [{ "id": id, "client_id": client, "dog_ids": [dog], "note": format!("{name}: a good one") }] })
    };
    // Of a day on which nobody is.
    let repeats = |id: Id| {
        json!({ "id": id, "series": {
            "client_id": client, "dog_ids": [dog], "begins": "2027-06-01", "notes": format!("{name}: every week"),
            "internal_notes": format!("{name}: on account"),
            "rule": { "kind": "weekly", "every": 1, "weekdays": [2] },
            "slots": [{ "id": series[2], "start_time": hour, "duration_minutes": 30, "service_type": "walk", "offering_id": offering }],
        } })
    };
    let commands = [
        (
            "update_profile",
            json!({ "changes": {
                "business_name": format!("{name}'s Paws"), "phone": "555-010-4478", "photo": photo,
                "service_area_address": format!("{name} Town"),
            } }),
        ),
        (
            "create_client",
            new_client(
                client,
                "Sam",
                vec![
                    new_dog(dog, "Rex", photo),
                    new_dog(other_dog, "Mia", other_photo),
                ],
            ),
        ),
        (
            "create_client",
            new_client(second, "Kim", vec![new_dog(ids(), "Bo", photo)]),
        ),
        (
            "create_client",
            new_client(third, "Lou", vec![new_dog(ids(), "Ace", photo)]),
        ),
        (
            "update_client",
            json!({
                "id": client, "changes": { "name": format!("Samuel of {name}"), "address": format!("2 {name} Street") },
                "dogs": [{ "id": dog, "changes": { "name": format!("Rexy of {name}"), "about": format!("Bit {name}") } }],
            }),
        ),
        (
            "create_offering",
            json!({ "id": offering, "offering": { "name": format!("{name} Taxi"), "base_price": 40 } }),
        ),
        (
            "create_offering",
            json!({ "id": unused, "offering": { "name": format!("{name} Bath"), "base_price": 50 } }),
        ),
        (
            "update_offering",
            json!({ "id": offering, "changes": { "name": format!("{name} Cab"), "description": format!("By {name}") } }),
        ),
        (
            "update_offering",
            json!({ "id": unused, "changes": { "name": format!("{name} Spa"), "is_active": false } }),
        ),
        (
            "create_pattern",
            json!({ "id": pattern, "pattern": { "day_of_week": 6, "notes": format!("{name} is late") } }),
        ),
        (
            "update_pattern",
            json!({ "id": pattern, "changes": { "priority": 20, "notes": format!("{name} is early") } }),
        ),
        (
            "create_blocked_time",
            json!({ "id": block, "blocked_time": {
                "block_date": "2026-12-01", "start_time": "12:00", "end_time": "13:00", "reason": format!("{name}'s lunch"),
            } }),
        ),
        (
            "update_availability_config",
            json!({ "changes": { "slot_interval_minutes": 15 } }),
        ),
        (
            "schedule_service",
            json!({ "id": visits[0], "service": visit("2026-11-20") }),
        ),
        (
            "schedule_service",
            json!({ "id": visits[1], "service": visit("2026-11-24") }),
        ),
        (
            "schedule_service",
            json!({ "id": visits[2], "service": visit("2026-11-25") }),
        ),
        (
            "record_service",
            json!({ "id": visits[3], "service": visit("2026-11-18") }),
        ),
        (
            "record_service",
            json!({ "id": visits[4], "service": visit("2026-11-17") }),
        ),
        (
            "mark_progress",
            json!({ "id": visits[0], "step": "started" }),
        ),
        (
            "complete_service",
            json!({ "id": visits[0], "notes": format!("{name}: all well"), "internal_notes": format!("{name}: limps") }),
        ),
        (
            "cancel_service",
            json!({ "id": visits[1], "reason": format!("{name} has the flu") }),
        ),
        ("reopen_service", json!({ "id": visits[1] })),
        ("set_service_paid", json!({ "id": visits[0], "paid": true })),
        ("share_walk", shared_walk(walks[0], photo)),
        ("share_walk", shared_walk(walks[1], other_photo)),
        ("share_walk", shared_walk(walks[2], other_photo)),
        ("unshare_walk", json!({ "id": walks[2] })),
        (
            "send_message",
            json!({ "id": messages[0], "conversation_id": client, "content": format!("{name} is on the way"), "photo": photo }),
        ),
        (
            "send_message",
            json!({ "id": messages[1], "conversation_id": second, "content": format!("{name}: hello") }),
        ),
        (
            "share_invoice",
            json!({ "id": invoices[0], "client_id": client, "services": [visits[3]], "note": format!("Thanks, says {name}") }),
        ),
        (
            "record_invoice_payment",
            json!({ "id": invoices[0], "payment_id": invoices[2], "amount": 5, "note": format!("In {name}'s hand") }),
        ),
        (
            "share_invoice",
            json!({ "id": invoices[1], "client_id": client, "services": [visits[2]] }),
        ),
        (
            "mark_passed_on",
            json!({ "id": invoices[1], "what": "invoice", "passed_on": true }),
        ),
        ("delete_invoice", json!({ "id": invoices[1] })),
        (
            "create_expense",
            json!({ "id": expenses[0], "expense": { "date": "2026-11-18", "miles": 7.5, "note": format!("{name} drove") } }),
        ),
        (
            "update_expense",
            json!({ "id": expenses[0], "changes": { "note": format!("{name} drove far") } }),
        ),
        (
            "create_expense",
            json!({ "id": expenses[1], "expense": { "date": "2026-11-18", "category": "phone", "amount": 30 } }),
        ),
        ("delete_expense", json!({ "id": expenses[1] })),
        ("create_series", repeats(series[0])),
        (
            "change_series",
            json!({ "id": series[0], "from": "2027-06-01", "changes": { "notes": format!("{name}: each week") } }),
        ),
        (
            "pause_series",
            json!({ "id": series[0], "pause_id": series[3], "from": "2027-07-01", "to": "2027-07-09", "reason": format!("{name} is away") }),
        ),
        ("create_series", repeats(series[1])),
        ("delete_series", json!({ "id": series[1] })),
        ("delete_client", json!({ "id": third })),
        ("delete_service", json!({ "id": visits[4] })),
    ];
    let mut phones: Vec<Phone> = Vec::new();
    for device_id in [ids(), ids()] {
        let mut phone = Phone::new(&user);
        phone.device_id = device_id;
        phones.push(phone);
    }
    let mut mutations = Vec::new();
    let mut send = async |phone: &mut Phone, command: &str, args: &Value, outcome: &str| {
        let mut mutation = phone.save(command, args.clone());
        let id = ids();
        mutation["id"] = json!(id);
        let answer = phone.push(&[mutation]).await;
        assert_eq!(
            answer.data()["results"][0]["outcome"],
            outcome,
            "{command} {}",
            answer.body
        );
        mutations.push(id);
    };
    for (command, args) in &commands {
        send(&mut phones[0], command, args, "applied").await;
    }
    for (place, (id, dog)) in others.into_iter().enumerate() {
        let args = new_client(id, "Max", vec![new_dog(dog, "Zoe", photo)]);
        send(&mut phones[0], "create_client", &args, "applied").await;
        if place % 2 == 0 {
            let mut visit = visit("2026-11-26");
            (visit["client_id"], visit["dog_ids"]) = (json!(id), json!([dog]));
            let args = json!({ "id": dog, "service": visit, "overlap_ok": true });
            send(&mut phones[0], "schedule_service", &args, "applied").await;
        }
    }
    // Everything has been changed once.
    for row in Phone::new(&user).pull().await["rows"].as_array().unwrap() {
        let (command, changes) = match row["t"].as_str().unwrap() {
            "client" => (
                "update_client",
                json!({ "name": format!("Sammy of {name}"), "access_notes": name }),
            ),
            "offering" => (
                "update_offering",
                json!({ "name": format!("{name} Special"), "description": name }),
            ),
            "availability_pattern" => (
                "update_pattern",
                json!({ "priority": 30, "notes": format!("{name} again") }),
            ),
            "service" if row["d"]["status"] == "scheduled" => (
                "update_service",
                json!({ "notes": format!("{name} again") }),
            ),
            _ => continue,
        };
        send(
            &mut phones[0],
            command,
            &json!({ "id": row["id"], "changes": changes }),
            "applied",
        )
        .await;
    }
    send(
        &mut phones[0],
        "cancel_service",
        &json!({ "id": visits[4] }),
        "rejected",
    )
    .await;
    let late = json!({ "id": client, "changes": { "address": format!("3 {name} Street") } });
    send(&mut phones[1], "update_client", &late, "adjusted").await;
    let key = ids();
    let form = json!({ "name": format!("Pat of {name}"), "dogs": [format!("Fay of {name}")] });
    let by_rest = user.post_once(&key.to_string(), "/clients", form).await;
    assert_eq!(by_rest.status, 201);
    mutations.push(key);

    // Several, since each is answered once.
    let requests = [19, 20, 21, 22, 23, 24, 25, 26].map(|day| WalkRequest {
        requested_date: format!("2026-11-{day}").parse().unwrap(),
        service_type: ServiceType::Dropin,
        dog_ids: vec![dog],
        message: format!("Please, {name}"),
        estimated_price: Cents(30_00),
        ..WalkRequest::new(ids(), client, Instant(NOW))
    });
    let series = [1, 2, 3, 4, 5].map(|day| WalkRequest {
        requested_date: format!("2027-07-{day:02}").parse().unwrap(),
        dog_ids: vec![dog],
        message: format!("Each week, {name}"),
        subject: Some(RequestSubject::Series {
            rule: SeriesRule::Weekly {
                every: 1,
                weekdays: vec![day],
            },
            last_day: Date::new(2027, 7, 20),
        }),
        ..WalkRequest::new(ids(), client, Instant(NOW))
    });
    let mut tx = app.state.db.write().await.unwrap();
    let turn = db::claim_next_revision(&mut tx, sitter_id, None, None)
        .await
        .unwrap()
        .unwrap();
    for request in requests.into_iter().chain(series) {
        let row = Row::WalkRequest(request);
        db::write_row(&mut tx, sitter_id, turn.rev, &row)
            .await
            .unwrap();
    }
    tx.commit().await.unwrap();
    Sitter {
        user,
        client,
        photos: pictures.map(|(id, _)| id).to_vec(),
        mutations,
        phones,
    }
}

/// A world, and what the sitter in it knows.
struct World {
    app: TestApp,
    sitter: Sitter,
    /// Pulls for the sitter, under the name of any phone.
    feed: Phone,
    /// The business as the feed tells it.
    business: Business,
}

impl World {
    async fn new(mut app: TestApp, seed: u64) -> Self {
        draw_from(&mut app, seed, 1).await;
        let sitter = sitter(&app, "Anna", 1, "10:00", Rng::new(seed, 2)).await;
        let feed = Phone::new(&sitter.user);
        let mut world = Self {
            app,
            sitter,
            feed,
            business: Business::default(),
        };
        let device_id = world.sitter.phones[0].device_id;
        world.pull(device_id).await;
        world
    }

    /// Another sitter, and a pet parent who is one of its clients.
    async fn stranger(&mut self, seed: u64) -> (Sitter, User) {
        draw_from(&mut self.app, seed, 3).await;
        let app = &self.app;
        // Its revisions are those that the sender asks for next, so that it shows wherever the two are not told apart.
        let other = sitter(app, OTHER, self.feed.cursor, "14:00", Rng::new(seed, 4)).await;
        let parent = app.pet_parent(&format!("Parent.of.{OTHER}")).await;
        let mut tx = app.state.db.write().await.unwrap();
        let sitter_id = other.user.sitter_id.unwrap();
        db::link_client_user(&mut tx, sitter_id, other.client, parent.user_id, Id::of(9))
            .await
            .unwrap();
        tx.commit().await.unwrap();
        other.user.post("/realtime/ticket", json!({})).await.data();
        let forgotten = json!({ "email": other.user.email });
        app.anonymous()
            .post("/auth/forgot-password", forgotten)
            .await
            .data();
        (other, parent)
    }

    async fn push(&self, body: &Value) -> Answer {
        self.sitter.user.post("/sync/push", body.clone()).await
    }

    /// Takes in what is new: the page, but for the name of the database.
    async fn pull(&mut self, device_id: Id) -> Value {
        self.feed.device_id = device_id;
        let mut page = self.feed.pull().await;
        assert_eq!(
            (&page["more"], &page["reset"]),
            (&json!(false), &json!(false))
        );
        // A database is free to give the rows of one revision in any order.
        let rows = page["rows"].as_array_mut().unwrap();
        rows.sort_by_key(Value::to_string);
        // A row that was made anew comes after its tombstone.
        let mut by_rev: Vec<&Value> = page["rows"].as_array().unwrap().iter().collect();
        by_rev.sort_by_key(|it| it["rev"].as_u64());
        for row in by_rev {
            let table = TableName::parse(row["t"].as_str().unwrap()).unwrap();
            let id = row["id"].as_str().unwrap().parse().unwrap();
            match row.get("d") {
                Some(fields) => {
                    let rev = row["rev"].as_u64().unwrap();
                    let row = table.read(&fields.to_string()).unwrap();
                    self.business.put(rev, row);
                }
                None => self.business.delete(RowKey { table, id }),
            }
        }
        page.as_object_mut().unwrap().remove("backend_id");
        page
    }

    /// Every row of every table that is not of this world's sitter.
    async fn others(&self) -> Vec<String> {
        let sitter_id = self.sitter.user.sitter_id.unwrap();
        let (tenant, column) = (
            format!("sitter {{\"id\":\"{sitter_id}\""),
            format!("\"sitter_id\":\"{sitter_id}\""),
        );
        let mut lines = self.app.dump(None).await;
        lines.retain(|it| !it.starts_with(&tenant) && !it.contains(&column));
        // A mail that waits is of nobody, as is the mailbox that was written to; one that says anything of another business
        // would stand here.
        let is_of_nobody =
            |it: &String| it.starts_with("mail_job ") || it.starts_with("mail_recipient ");
        lines.retain(|it| !is_of_nobody(it) || it.contains(OTHER));
        lines
    }

    /// The sitter's own rows, but for the account with its salted hash.
    async fn own(&self) -> Vec<String> {
        let mut own = self.app.dump(self.sitter.user.sitter_id).await;
        own.retain(|line| !line.starts_with("user_account "));
        own
    }
}

/// Ids to draw from.
#[derive(Default)]
struct Ids {
    rows: BTreeMap<TableName, Vec<Id>>,
    /// Clients with their pets.
    parties: Vec<(Id, Vec<Id>)>,
    /// Services with their clients.
    services: Vec<(Id, Id)>,
    /// Dates and start times of services.
    times: BTreeMap<Id, (String, String)>,
    photos: Vec<Id>,
    /// All that there is, also of users, files, sessions.
    any: Vec<Id>,
}

impl Ids {
    fn of(business: &Business, photos: &[Id]) -> Self {
        let mut ids = Self {
            photos: photos.to_vec(),
            ..Self::default()
        };
        for stored in business.rows() {
            let key = stored.row.key();
            ids.rows.entry(key.table).or_default().push(key.id);
            ids.any.push(key.id);
        }
        let services = business
            .services
            .values()
            .map(|it| (it.row.id, it.row.client_id));
        ids.services = services.collect();
        let times = business.services.values().map(|it| {
            let (date, time) = (it.row.date.to_string(), it.row.start_time.to_string());
            (it.row.id, (date, time))
        });
        ids.times = times.collect();
        for client in business.clients.keys() {
            let dogs = business.pets_of(*client);
            ids.parties
                .push((*client, dogs.iter().map(|it| it.id).collect()));
        }
        ids
    }

    fn has(&self, table: TableName, id: Id) -> bool {
        self.rows.get(&table).is_some_and(|it| it.contains(&id))
    }
}

/// Every id that is written anywhere in these lines.
fn ids_in(lines: &[String]) -> Vec<Id> {
    let mut found = BTreeSet::new();
    for line in lines {
        let words = line.split(|it: char| !it.is_ascii_hexdigit() && it != '-');
        found.extend(
            words
                .filter(|it| it.len() == 36)
                .filter_map(|it| it.parse::<Id>().ok()),
        );
    }
    found.into_iter().collect()
}

/// Whose ids a command names.
#[derive(Clone, Copy)]
enum Whose {
    Own,
    /// Ids of rows that each of the two has under the same id.
    Both,
    Theirs,
    Nobodys,
}

/// Draws commands at random.
struct Draw<'a> {
    rng: &'a mut Rng,
    own: &'a Ids,
    theirs: &'a Ids,
    /// Owner of all ids that are drawn; without one, each id is drawn anew from anybody's.
    whose: Option<Whose>,
}

impl Draw<'_> {
    fn whose(&mut self) -> Whose {
        let any = [Whose::Own, Whose::Both, Whose::Theirs, Whose::Nobodys];
        self.whose.unwrap_or(any[self.rng.below(4)])
    }

    fn fresh(&mut self) -> Id {
        self.rng.id(NOW)
    }

    /// An id for a row of this table that should exist.
    fn id(&mut self, table: TableName) -> Id {
        let ids = match self.whose() {
            Whose::Own => self.own,
            Whose::Both => {
                let own = self.own.rows.get(&table).into_iter().flatten();
                let both: Vec<Id> = own
                    .copied()
                    .filter(|it| self.theirs.has(table, *it))
                    .collect();
                if let Some(id) = self.rng.pick(&both) {
                    return *id;
                }
                self.theirs
            }
            Whose::Theirs => self.theirs,
            Whose::Nobodys => return self.fresh(),
        };
        // Now and then the id of something of another kind.
        let rows = ids.rows.get(&table).filter(|_| !self.rng.chance(8));
        let id = self.rng.pick(rows.unwrap_or(&ids.any)).copied();
        id.unwrap_or_else(|| self.fresh())
    }

    /// A service with its date and start time, as the sender knows them.
    fn timed_service(&mut self) -> (Id, String, String) {
        let id = self.id(TableName::Service);
        let known = self.own.times.get(&id).or(self.theirs.times.get(&id));
        let (date, time) = known
            .cloned()
            .unwrap_or(("2026-11-20".to_owned(), "10:00".to_owned()));
        (id, date, time)
    }

    /// An id for a row that is to be made.
    fn new_id(&mut self, table: TableName) -> Id {
        match self.whose() {
            Whose::Own if !self.rng.chance(10) => self.fresh(),
            _ => self.id(table),
        }
    }

    fn photo(&mut self) -> Id {
        let photos = match self.whose() {
            Whose::Own | Whose::Both => &self.own.photos,
            Whose::Theirs => &self.theirs.photos,
            Whose::Nobodys => return self.fresh(),
        };
        *self.rng.pick(photos).unwrap()
    }

    /// A client and pets; together those of one client, unless each is anybody's.
    fn party(&mut self) -> (Id, Vec<Id>) {
        let of_both = |(client, _): &&(Id, Vec<Id>)| self.theirs.has(TableName::Client, *client);
        let both: Vec<_> = self.own.parties.iter().filter(of_both).cloned().collect();
        let parties = match self.whose {
            Some(Whose::Own) => &self.own.parties,
            Some(Whose::Both) if !both.is_empty() => &both,
            Some(Whose::Both | Whose::Theirs) => &self.theirs.parties,
            _ => {
                let dogs = (0..self.rng.between(1, 2))
                    .map(|_| self.id(TableName::Pet))
                    .collect();
                return (self.id(TableName::Client), dogs);
            }
        };
        match self.rng.pick(parties).cloned() {
            Some(party) => party,
            None => (self.fresh(), vec![self.fresh()]),
        }
    }

    fn words(&mut self, about: &str) -> String {
        format!("{about} {}", self.rng.below(1000))
    }

    /// Some of these fields, at least one; and now and then some that are not the sender's to set.
    fn some(&mut self, fields: Value) -> Value {
        let Value::Object(mut fields) = fields else {
            panic!("fields have names: {fields}")
        };
        let kept = self.rng.below(fields.len());
        let names: Vec<String> = fields.keys().cloned().collect();
        for (place, name) in names.iter().enumerate() {
            if place != kept && self.rng.chance(50) {
                fields.remove(name);
            }
        }
        self.all(Value::Object(fields))
    }

    /// All of these fields, and now and then some that are not the sender's to set.
    fn all(&mut self, fields: Value) -> Value {
        let Value::Object(mut fields) = fields else {
            panic!("fields have names: {fields}")
        };
        self.smuggle(&mut fields);
        Value::Object(fields)
    }

    fn smuggle(&mut self, fields: &mut Map<String, Value>) {
        if !self.rng.chance(15) {
            return;
        }
        for field in [
            "id",
            "sitter_id",
            "client_id",
            "user_id",
            "client_user_id",
            "device_id",
        ] {
            if self.rng.chance(50) && !fields.contains_key(field) {
                let id = self.rng.pick(&self.theirs.any).copied();
                fields.insert(field.to_owned(), json!(id));
            }
        }
    }

    fn client(&mut self) -> Value {
        json!({
            "name": self.words("Client"), "email": "kim@example.com", "address": self.words("Elm St"), "phone": "555-010-1000",
            "access_notes": self.words("Gate"), "internal_notes": self.words("Pays late"), "walk_rate_30min": self.rng.between(10, 40),
        })
    }

    fn dog(&mut self) -> Value {
        let mut dog = json!({ "name": self.words("Dog"), "about": self.words("Likes sticks") });
        if self.rng.chance(30) {
            dog["photo"] = json!(self.photo());
        }
        dog
    }

    fn new_client(&mut self, field: &str) -> Value {
        let (mut client, mut dogs) = (self.new_id(TableName::Client), Vec::new());
        let mut dog_ids = vec![self.new_id(TableName::Pet)];
        if self.rng.chance(40) {
            // A known client as a whole.
            (client, dog_ids) = self.party();
        }
        for id in dog_ids {
            let dog = self.dog();
            dogs.push(json!({ "id": id, "is_new": true, "changes": self.all(dog) }));
        }
        let fields = self.client();
        json!({ "id": client, field: self.all(fields), "dogs": dogs })
    }

    fn service(&mut self) -> Value {
        let (client, dogs) = self.party();
        let mut service = json!({
            "client_id": client, "dog_ids": dogs, "service_type": (if self.rng.chance(70) { "walk" } else { "dropin" }),
            "date": format!("2026-11-{:02}", self.rng.between(19, 26)),
            "start_time": format!("{:02}:00", self.rng.between(9, 15)), "duration_minutes": 60,
            "notes": self.words("Round"), "internal_notes": self.words("Tip"),
        });
        if self.rng.chance(50) {
            service["offering_id"] = json!(self.id(TableName::Offering));
        }
        if self.rng.chance(20) {
            let reason = self.words("Agreed");
            service["price_override"] =
                json!({ "amount": self.rng.between(1, 90), "reason": reason });
        }
        service
    }

    /// The arguments of a command of that name.
    fn args(&mut self, name: &str) -> Value {
        use TableName as T;
        let mut args = match name {
            "update_profile" => {
                let fields = json!({
                    "business_name": self.words("Paws"), "phone": "555-010-2000", "photo": self.photo(),
                });
                json!({ "changes": self.some(fields) })
            }
            "import_clients" => {
                json!({ "clients": [self.new_client("client")] })
            }
            "undo_import" => {
                let clients = [self.id(T::Client), self.party().0];
                json!({ "clients": clients })
            }
            "create_client" | "restore_client" => self.new_client("client"),
            "update_client" => {
                let fields = self.client();
                let mut args = json!({ "id": self.id(T::Client), "changes": self.some(fields) });
                let party = self.party();
                if self.rng.chance(40) {
                    args["id"] = json!(party.0);
                }
                if self.rng.chance(40) {
                    let id = self.rng.pick(&party.1).copied();
                    let dog = self.dog();
                    args["dogs"] = json!([{
                        "id": id.unwrap_or_else(|| self.id(T::Pet)), "is_new": self.rng.chance(30), "changes": self.all(dog),
                    }]);
                }
                if self.rng.chance(20) {
                    args["removed_dogs"] = json!([self.id(T::Pet)]);
                }
                args
            }
            "settle_text" => {
                let client = json!(self.id(T::Client));
                json!({
                    "id": client, "client_id": client, "field": "house_instructions", "content": self.words("Either"),
                    "settled": [],
                })
            }
            "delete_client" => json!({ "id": self.id(T::Client) }),
            "create_offering" => {
                let fields = json!({ "name": self.words("Offering"), "base_price": self.rng.between(1, 90) });
                json!({ "id": self.new_id(T::Offering), "offering": self.all(fields) })
            }
            "update_offering" => {
                let fields = json!({ "name": self.words("Offering"), "is_active": self.rng.chance(50), "description": self.words("By") });
                json!({ "id": self.id(T::Offering), "changes": self.some(fields) })
            }
            "delete_offering" => json!({ "id": self.id(T::Offering) }),
            "reorder_offerings" => {
                let orders: Vec<Value> = (0..3)
                    .map(|place| json!({ "id": self.id(T::Offering), "display_order": 2 - place, "category": "Grooming" }))
                    .collect();
                json!({ "orders": orders })
            }
            "schedule_service" => {
                let service = self.service();
                json!({
                    "id": self.new_id(T::Service), "service": self.all(service), "overlap_ok": self.rng.chance(20),
                    "quoted_price": self.rng.between(20, 40),
                })
            }
            "update_service" => {
                let service = self.service();
                json!({
                    "id": self.id(T::Service), "changes": self.some(service), "overlap_ok": self.rng.chance(20),
                })
            }
            "complete_service" => json!({
                "id": self.id(T::Service), "notes": self.words("Done"), "internal_notes": self.words("Limps"), "despite_cancel": self.rng.chance(30),
            }),
            "cancel_service" => json!({
                "id": self.id(T::Service), "reason": self.words("Flu"), "tells_reason": self.rng.chance(50),
            }),
            "reopen_service" => json!({ "id": self.id(T::Service) }),
            "record_service" => {
                let service = self.service();
                json!({ "id": self.new_id(T::Service), "service": self.all(service) })
            }
            "delete_service" => json!({ "id": self.id(T::Service) }),
            "move_services" => {
                let (from, to) = (self.rng.between(19, 26), self.rng.between(19, 26));
                let times = json!({
                    "id": self.id(T::Service), "date": format!("2026-11-{to:02}"), "start_time": "16:00",
                    "was_date": format!("2026-11-{from:02}"), "was_start_time": "10:00", "overlap_ok": true,
                });
                json!({ "moves": [times] })
            }
            "mark_services" => {
                let status = *self
                    .rng
                    .pick(&["completed", "cancelled", "scheduled"])
                    .unwrap();
                json!({
                    "marked": [self.id(T::Service), self.id(T::Service)], "status": status, "reason": self.words("Flu"),
                    "tells_reason": self.rng.chance(50),
                })
            }
            "copy_services" => json!({ "copies": [{
                "id": self.new_id(T::Service), "original": self.id(T::Service), "start_time": "16:00",
                "date": format!("2026-12-{:02}", self.rng.between(1, 30)), "overlap_ok": true,
            }] }),
            "undo_copy" => json!({ "copied": [self.id(T::Service)] }),
            "set_service_paid" => json!({ "id": self.id(T::Service), "paid": self.rng.chance(50) }),
            "mark_progress" => {
                let steps = [json!(null), json!("on_the_way"), json!("started")];
                let way = [json!(null), json!(12)];
                json!({ "id": self.id(T::Service), "step": self.rng.pick(&steps), "way_minutes": self.rng.pick(&way) })
            }
            "send_live" => json!({
                "id": self.id(T::Service), "taken_back": [self.fresh()],
                "events": [{
                    "id": self.fresh(), "kind": "note", "at": "2026-11-20T08:10:00Z", "note": self.words("Found a stick"),
                }],
            }),
            "announce_delay" => {
                let (id, date, planned) = self.timed_service();
                json!({
                    "date": date, "moves_plan": self.rng.chance(50),
                    "delayed": [{ "id": id, "planned": planned, "start_time": "23:20" }],
                    "told": [{
                        "client_id": self.id(T::Client), "message_id": self.new_id(T::Message), "content": self.words("Late"),
                    }],
                })
            }
            "move_visits" => {
                let (id, date, planned) = self.timed_service();
                let start_time = *self.rng.pick(&["10:00", "20:00"]).unwrap();
                json!({ "date": date, "moved": [{ "id": id, "planned": planned, "start_time": start_time }] })
            }
            "take_back_delay" => json!({
                "delayed": [{ "id": self.id(T::Service), "planned": "10:00", "start_time": "23:20" }],
                "messages": [self.id(T::Message)],
            }),
            "create_pattern" => {
                let fields =
                    json!({ "day_of_week": self.rng.between(0, 6), "notes": self.words("Hours") });
                json!({ "id": self.new_id(T::Pattern), "pattern": self.all(fields) })
            }
            "update_pattern" => {
                let fields =
                    json!({ "priority": self.rng.between(1, 9), "notes": self.words("Hours") });
                json!({ "id": self.id(T::Pattern), "changes": self.some(fields) })
            }
            "delete_pattern" => json!({ "id": self.id(T::Pattern) }),
            "create_blocked_time" => {
                let fields = json!({
                    "block_date": format!("2026-12-{:02}", self.rng.between(1, 30)), "reason": self.words("Break"),
                });
                json!({ "id": self.new_id(T::BlockedTime), "blocked_time": self.all(fields) })
            }
            "delete_blocked_time" => json!({ "id": self.id(T::BlockedTime) }),
            "take_time_off" => {
                let fields = json!({
                    "block_date": format!("2026-12-{:02}", self.rng.between(1, 30)), "reason": self.words("Away"),
                    "start_time": "00:00", "end_time": "23:59",
                });
                let visit = json!({
                    "id": self.id(T::Service), "client_id": self.id(T::Client), "date": "2026-12-01",
                    "start_time": "12:00", "way": if self.rng.chance(50) { "cancel" } else { "keep" },
                });
                let message = json!({
                    "id": self.new_id(T::Message), "client_id": self.id(T::Client), "content": self.words("Ill"),
                });
                json!({
                    "id": self.new_id(T::BlockedTime), "blocked_time": self.all(fields), "visits": [visit],
                    "messages": [message],
                })
            }
            "undo_time_off" => json!({
                "id": self.id(T::BlockedTime),
                "visits": [{ "id": self.id(T::Service), "date": "2026-12-01", "start_time": "12:00" }],
            }),
            "update_availability_config" => {
                let fields = json!({
                    "slot_interval_minutes": self.rng.between(5, 60), "show_slots_days_ahead": self.rng.between(1, 30),
                });
                json!({ "changes": self.some(fields) })
            }
            // A walk is no row; here it has the id of its one report.
            "share_walk" => {
                let id = self.new_id(T::Report);
                let (client, dogs) = match self.rng.pick(&self.own.parties).cloned() {
                    Some(party) if self.rng.chance(60) => party,
                    _ => self.party(),
                };
                let mut event =
                    json!({ "type": "note", "at": Instant(NOW), "note": self.words("Stick") });
                if self.rng.chance(30) {
                    event["photo"] = json!(self.photo());
                }
                let report = json!({
                    "id": id, "client_id": client, "dog_ids": dogs, "note": self.words("Good dog"),
                });
                let kind = *self.rng.pick(&["walk", "visit", "day"]).unwrap_or(&"walk");
                json!({ "id": id, "kind": kind, "reports": [self.all(report)], "walk": {
                    "started_at": Instant(NOW - HOUR), "ended_at": Instant(NOW), "ran_seconds": 3600, "events": [event],
                } })
            }
            "unshare_walk" => json!({ "id": self.id(T::Report) }),
            "approve_request" => json!({
                "id": self.id(T::WalkRequest), "service_id": self.new_id(T::Service),
                "sitter_response": self.words("Gladly"), "overlap_ok": self.rng.chance(50),
            }),
            "approve_requests" => json!({ "approvals": [{
                "id": self.id(T::WalkRequest), "service_id": self.new_id(T::Service),
                "sitter_response": self.words("Gladly"), "overlap_ok": self.rng.chance(50),
            }] }),
            "decline_request" => json!({
                "id": self.id(T::WalkRequest), "sitter_response": self.words("Full"),
            }),
            "undo_approval" => json!({
                "id": self.id(T::WalkRequest), "service_id": self.id(T::Service),
                "former": self.rng.chance(50).then(|| json!({ "date": "2026-11-25", "start_time": "09:00" })),
                "inactive_since": self.rng.chance(50).then_some("2026-11-01"),
            }),
            "grant_request" => json!({
                "id": self.id(T::WalkRequest), "sitter_response": self.words("Gladly"),
            }),
            "unlink_client" => {
                json!({ "id": self.id(T::Client), "user_id": self.rng.chance(50).then(|| self.fresh()) })
            }
            // What is a pet parent's to do, and nobody's here.
            "ask_for_service" => {
                let (_, dogs) = self.party();
                let fields = json!({ "requested_date": "2026-12-01", "dog_ids": dogs, "message": self.words("Please") });
                json!({ "id": self.new_id(T::WalkRequest), "request": self.all(fields) })
            }
            "ask_for_change" => json!({
                "id": self.new_id(T::WalkRequest), "message": self.words("Please"),
                "change": { "kind": "cancel_service", "service_id": self.id(T::Service) },
            }),
            "start_conversation" => json!({ "client_id": self.id(T::Client) }),
            "send_message" => {
                let id = self.new_id(T::Message);
                let client = match self.rng.pick(&self.own.parties).cloned() {
                    Some(party) if self.rng.chance(60) => party.0,
                    _ => self.party().0,
                };
                let mut args =
                    json!({ "id": id, "conversation_id": client, "content": self.words("Hello") });
                if self.rng.chance(30) {
                    args["photo"] = json!(self.photo());
                }
                args
            }
            "mark_conversation_read" => {
                let mut args = json!({ "id": self.id(T::Conversation) });
                if self.rng.chance(50) {
                    args["message_id"] = json!(self.id(T::Message));
                }
                args
            }
            "set_conversation_archived" => json!({
                "id": self.id(T::Conversation), "archived": self.rng.chance(50),
            }),
            "delete_message" => json!({ "id": self.id(T::Message) }),
            "share_invoice" => {
                let own = self.rng.pick(&self.own.services).copied();
                let (service, client) = match own {
                    Some(own) if self.rng.chance(60) => own,
                    _ => (self.id(T::Service), self.id(T::Client)),
                };
                let mut args = json!({
                    "id": self.new_id(T::Invoice), "client_id": client, "services": [service, self.id(T::Service)],
                    "note": self.words("Thanks"), "service_taxes": [{ "id": self.id(T::Service), "tax_name": "" }],
                });
                if self.rng.chance(20) {
                    args["photos"] = json!([self.photo()]);
                }
                if self.rng.chance(20) {
                    args["credits"] = json!([{ "invoice_id": self.id(T::Invoice), "amount": 1 }]);
                }
                args
            }
            "record_invoice_payment" => {
                let mut args = json!({ "id": self.id(T::Invoice), "payment_id": self.fresh() });
                if self.rng.chance(60) {
                    args["amount"] = json!(self.rng.between(1, 9));
                }
                args
            }
            "record_payments" => {
                let mut part = || {
                    let invoice_id = self.id(T::Invoice);
                    json!({ "invoice_id": invoice_id, "amount": self.rng.between(1, 9) })
                };
                let parts = [part(), part()];
                json!({ "payment_id": self.fresh(), "parts": parts, "note": self.words("Thanks") })
            }
            "set_written_off" => {
                let written_off = self.rng.chance(70);
                json!({ "id": self.id(T::Invoice), "written_off": written_off, "note": self.words("Gone") })
            }
            "remove_invoice_payment" => {
                json!({ "id": self.id(T::Invoice), "payment_id": self.fresh() })
            }
            "settle_overpayment" => {
                json!({ "id": self.id(T::Invoice), "tip": self.rng.between(0, 3) })
            }
            "record_invoice_refund" => {
                json!({ "id": self.id(T::Invoice), "refund_id": self.fresh(), "note": self.words("Back") })
            }
            "remove_invoice_refund" => {
                json!({ "id": self.id(T::Invoice), "refund_id": self.fresh() })
            }
            "delete_invoice" | "restore_invoice" | "remind_of_invoice" => {
                json!({ "id": self.id(T::Invoice) })
            }
            "mark_passed_on" => {
                let passed_on = self.rng.chance(70);
                json!({ "id": self.id(T::Invoice), "what": "invoice", "passed_on": passed_on })
            }
            "credit_invoice" => json!({
                "id": self.new_id(T::Invoice), "invoice_id": self.id(T::Invoice), "amount": self.rng.between(1, 3),
                "note": self.words("A slip"),
            }),
            "create_expense" => {
                let fields = json!({
                    "date": format!("2026-11-{:02}", self.rng.between(1, 26)), "miles": self.rng.between(1, 90),
                    "note": self.words("Drove"),
                });
                json!({ "id": self.new_id(T::Expense), "expense": self.all(fields) })
            }
            "create_series" => {
                let (client, dogs) = self.party();
                // A slot under the id of its series can be named by a later command.
                let id = self.new_id(T::Series);
                let slot = json!({
                    "id": id, "start_time": format!("{:02}:00", self.rng.between(9, 15)), "duration_minutes": 30,
                    "service_type": "walk",
                });
                let mut fields = json!({
                    "client_id": client, "dog_ids": dogs, "begins": "2027-06-01", "slots": [slot],
                    "rule": { "kind": "weekly", "every": 1, "weekdays": [self.rng.between(0, 2), self.rng.between(3, 4), self.rng.between(5, 6)] },
                    "notes": self.words("Weekly"), "internal_notes": self.words("Tip"),
                });
                if self.rng.chance(40) {
                    // A trip, as it is changed below.
                    fields["rule"] = json!({ "kind": "daily", "every": 1 });
                    fields["end"] = json!({ "kind": "on", "date": "2027-06-09" });
                    fields["trip"] = json!({ "total": 80 });
                }
                json!({ "id": id, "series": self.all(fields) })
            }
            "change_series" => {
                let fields =
                    json!({ "notes": self.words("Weekly"), "internal_notes": self.words("Tip") });
                json!({ "id": self.id(T::Series), "from": "2027-06-08", "changes": self.some(fields) })
            }
            "leave_out_date" => json!({ "id": self.id(T::Series), "date": "2027-06-15" }),
            "pause_series" => json!({
                "id": self.id(T::Series), "pause_id": self.fresh(), "from": "2027-08-01", "to": "2027-08-09",
                "reason": self.words("Away"),
            }),
            "resume_series" => json!({ "id": self.id(T::Series), "pause_id": self.fresh() }),
            "end_series" => json!({ "id": self.id(T::Series), "end": { "kind": "never" } }),
            "change_trip" => json!({ "id": self.id(T::Series), "changes": { "total": 90 } }),
            "settle_series_dates" => json!({ "id": self.id(T::Series), "choices": [] }),
            "make_series_date" => {
                let (id, day) = (self.id(T::Series), self.rng.between(1, 28));
                json!({ "id": id, "date": format!("2027-09-{day:02}"), "slot": id })
            }
            "restore_series" => json!({
                "id": self.id(T::Series), "put_back": [],
                "waiting": [{ "date": "2027-06-02", "slot": self.id(T::Series) }],
                "own": [{ "id": self.id(T::Service), "changes": { "notes": "" } }],
            }),
            "delete_series" => json!({ "id": self.id(T::Series) }),
            "extend_series" => json!({}),
            "deactivate_client" => json!({
                "id": self.id(T::Client), "ends": [self.id(T::Series)], "cancels": [self.id(T::Service)],
            }),
            "activate_client" => json!({
                "id": self.id(T::Client), "series": [{ "id": self.id(T::Series), "put_back": [] }],
                "reopens": [self.id(T::Service)],
            }),
            "mark_pet_gone" => json!({ "id": self.id(T::Pet), "on": "2026-11-19" }),
            "restore_pet" => json!({
                "id": self.id(T::Pet), "series": [{ "id": self.id(T::Series), "put_back": [] }],
                "reopens": [self.id(T::Service)],
            }),
            "reprice_services" => json!({
                "prices": [{ "id": self.id(T::Service), "price": self.rng.between(20, 30) }],
            }),
            "restore_prices" => json!({
                "prices": [{
                    "id": self.id(T::Service), "price": self.rng.between(20, 30),
                    "breakdown": { "baseDogPrice": 25, "additionalDogsCount": 0, "additionalDogsCharge": 0, "total": 25, "explanation": "" },
                }],
            }),
            "update_expense" => {
                let fields =
                    json!({ "miles": self.rng.between(1, 90), "note": self.words("Drove") });
                json!({ "id": self.id(T::Expense), "changes": self.some(fields) })
            }
            "delete_expense" => json!({ "id": self.id(T::Expense) }),
            "withdraw_request" => json!({ "id": self.id(T::WalkRequest) }),
            _ => panic!("{name} is new: say here what it is sent with"),
        };
        self.smuggle(args.as_object_mut().unwrap());
        args
    }
}

/// The table of the row that a command of that name changes, which must be there.
fn changes_a_row_of(name: &str) -> Option<TableName> {
    Some(match name {
        "update_client" | "settle_text" | "delete_client" | "unlink_client"
        | "deactivate_client" | "activate_client" => TableName::Client,
        "mark_pet_gone" | "restore_pet" => TableName::Pet,
        "update_offering" | "delete_offering" => TableName::Offering,
        "update_service" | "complete_service" | "cancel_service" | "reopen_service"
        | "delete_service" | "set_service_paid" | "mark_progress" | "send_live" => {
            TableName::Service
        }
        "update_pattern" | "delete_pattern" => TableName::Pattern,
        "delete_blocked_time" | "undo_time_off" => TableName::BlockedTime,
        "update_expense" | "delete_expense" => TableName::Expense,
        "change_series"
        | "leave_out_date"
        | "pause_series"
        | "resume_series"
        | "end_series"
        | "change_trip"
        | "settle_series_dates"
        | "restore_series"
        | "make_series_date"
        | "delete_series" => TableName::Series,
        "unshare_walk" => TableName::Report,
        "approve_request" | "decline_request" | "undo_approval" | "grant_request" => {
            TableName::WalkRequest
        }
        "mark_conversation_read" | "set_conversation_archived" => TableName::Conversation,
        "delete_message" => TableName::Message,
        "record_invoice_payment"
        | "remove_invoice_payment"
        | "settle_overpayment"
        | "set_written_off"
        | "record_invoice_refund"
        | "remove_invoice_refund"
        | "delete_invoice"
        | "restore_invoice"
        | "remind_of_invoice"
        | "mark_passed_on" => TableName::Invoice,
        _ => return None,
    })
}

/// How often what was drawn has shown something; a draw that proves nothing must not go unnoticed.
#[derive(Default)]
struct Tally(BTreeMap<String, u32>);

/// Prefix in a tally for a command that was done although another business has the id that it names.
const DONE_UNDER_THEIRS: &str = "done under an id of theirs:";

impl Tally {
    fn count(&mut self, what: &str, name: &str) {
        *self.0.entry(format!("{what} {name}")).or_default() += 1;
    }

    fn has(&self, what: &str, name: &str) -> bool {
        self.0.contains_key(&format!("{what} {name}"))
    }

    /// Returns what was not seen yet.
    fn missing(&self) -> Vec<String> {
        let mut missing = Vec::new();
        let mut has = |what: &str, name: &str| {
            if !self.has(what, name) {
                missing.push(format!("{what} {name}"));
            }
        };
        for name in Command::NAMES {
            if ["ask_for_service", "ask_for_change", "withdraw_request"].contains(name) {
                has("sent with an id of theirs:", name);
                continue;
            }
            has("done:", name);
            // It names nothing.
            if *name != "extend_series" {
                has("sent with an id of theirs:", name);
            }
            if changes_a_row_of(name).is_some() {
                has("gone:", name);
            }
            // The others name no row, many, or one that none of these commands makes.
            if ![
                "update_profile",
                "update_availability_config",
                "reorder_offerings",
                "approve_request",
                "approve_requests",
                "decline_request",
                "undo_approval",
                "grant_request",
                "unlink_client",
                "start_conversation",
                "import_clients",
                "undo_import",
                "leave_out_date",
                "pause_series",
                "resume_series",
                "end_series",
                "change_trip",
                "settle_series_dates",
                "restore_series",
                "make_series_date",
                "delete_series",
                "extend_series",
                "move_services",
                "mark_services",
                "move_visits",
                "undo_copy",
                "deactivate_client",
                "activate_client",
                "mark_pet_gone",
                "restore_pet",
                "reprice_services",
                "restore_prices",
                "record_payments",
                // Mostly refused: little is left of what invoices that are drawn come to.
                "credit_invoice",
            ]
            .contains(name)
            {
                has(DONE_UNDER_THEIRS, name);
            }
        }
        for name in [
            "conflict",
            "photo_missing",
            "has_future_services",
            "taken",
            "invalid",
        ] {
            has("refused:", name);
        }
        for way in [
            "as before",
            "otherwise",
            "out of place",
            "their mutation",
            "their phone",
        ] {
            has("sent:", way);
        }
        missing
    }
}

/// Sends what is drawn, and holds each answer against what must hold.
async fn story(seed: u64, app: TestApp, elsewhere: TestApp, tally: &mut Tally) {
    let (mut with, mut without) = (
        World::new(app, seed).await,
        World::new(elsewhere, seed).await,
    );
    assert_eq!(with.own().await, without.own().await);
    let (other, parent) = with.stranger(seed).await;
    let mut seen_by_other = Vec::new();
    for device_id in other.phones.iter().map(|it| it.device_id) {
        let mut phone = Phone::new(&other.user);
        phone.device_id = device_id;
        seen_by_other.push(phone.pull().await);
    }
    let untouched = with.others().await;
    let own = with.app.dump(with.sitter.user.sitter_id).await;
    let all = with.app.dump(None).await;
    let mailboxes = all.iter().filter(|it| it.starts_with("mail_recipient "));
    assert_eq!(untouched.len() + own.len() + mailboxes.count(), all.len());
    let mut theirs = Business::default();
    for row in seen_by_other[0]["rows"].as_array().unwrap() {
        let table = TableName::parse(row["t"].as_str().unwrap()).unwrap();
        theirs.put(0, table.read(&row["d"].to_string()).unwrap());
    }
    let mut theirs = Ids::of(&theirs, &other.photos);
    theirs.any = ids_in(&untouched);
    // Neither the sender's own session nor the name of the database, which is not of the seed.
    let backend_id = with.app.state.backend_id;
    theirs
        .any
        .retain(|it| *it != with.sitter.user.user_id && *it != backend_id);
    let secrets: Vec<String> = theirs.any.iter().map(Id::to_string).collect();
    assert!(50 < secrets.len(), "{}", secrets.len());

    let mut names = Command::NAMES.to_vec();
    // Much has to come together until a time is taken.
    names.extend(["schedule_service", "update_service"].repeat(2));
    names.extend(["send_message", "send_message", "record_service"]);
    names.extend(["share_invoice", "share_invoice", "credit_invoice"]);
    names.extend([
        "create_client",
        "start_conversation",
        "mark_conversation_read",
    ]);
    let mut drawn = names.iter().cycle();
    let mut rng = Rng::new(seed, 5);
    let mut their_mutations = other.mutations.clone();
    let mut queues: BTreeMap<Id, u64> = with
        .sitter
        .phones
        .iter()
        .map(|it| (it.device_id, it.seq))
        .collect();
    let mut sent = String::new();
    let mut sent_before: Vec<Value> = Vec::new();
    for number in 0..PUSHES {
        let own = Ids::of(&with.business, &with.sitter.photos);
        // Which phone, and how its queue goes on: by what is known of the sender's own, whoever else has the id.
        let devices: Vec<Id> = queues.keys().copied().collect();
        let device_id = match rng.below(10) {
            0..6 => *rng.pick(&devices).unwrap(),
            6..9 => rng.pick(&other.phones).unwrap().device_id,
            _ => rng.id(NOW),
        };
        let last_seq = queues.get(&device_id).copied().unwrap_or_default();
        let way = rng.below(100);
        let missing = tally.missing();
        let n_commands = if way < 60 { 1 } else { rng.between(2, 4) };
        let mut mutations = Vec::new();
        for place in 0..n_commands.unsigned_abs() {
            // Half of the draws are of commands that have not shown everything yet, so that few pushes show it of each.
            let unseen = missing
                .iter()
                .filter_map(|it| it.rsplit_once(' '))
                .filter_map(|(_, name)| names.iter().find(|it| **it == name));
            let unseen: Vec<&&str> = unseen.collect();
            let name = match rng.pick(&unseen) {
                Some(name) if rng.chance(50) => *name,
                _ => drawn.next().unwrap(),
            };
            // What was not done under such an id yet is tried more often, so that few pushes show it of every command.
            let is_shown = tally.has(DONE_UNDER_THEIRS, name);
            let whose = match rng.below(7) {
                _ if !is_shown && rng.chance(70) => Some(Whose::Both),
                0..2 => Some(Whose::Own),
                2..4 => Some(Whose::Both),
                4 => Some(Whose::Theirs),
                5 => Some(Whose::Nobodys),
                _ => None,
            };
            let mut draw = Draw {
                rng: &mut rng,
                own: &own,
                theirs: &theirs,
                whose,
            };
            let args = draw.args(name);
            let mut id = draw.fresh();
            if rng.chance(15) && !their_mutations.is_empty() {
                id = their_mutations.swap_remove(rng.below(their_mutations.len()));
            }
            let base_rev = *rng.pick(&[with.feed.cursor, 0, 0, 1_000_000]).unwrap();
            let made_at = Instant(NOW + rng.between(-20, 20) * HOUR);
            mutations.push(json!({
                "id": id, "seq": last_seq + 1 + place, "v": 1, "made_at": made_at, "base_rev": base_rev,
                "name": name, "args": args, "sitter_id": other.user.sitter_id,
            }));
        }
        let mut body = json!({
            "device_id": device_id, "schema": 1, "mutations": mutations, "sitter_id": other.user.sitter_id,
        });
        let (mut is_new, mut status) = (true, 200);
        if way < 8
            && let Some(before) = rng.pick(&sent_before)
        {
            (body, is_new) = (before.clone(), false);
            tally.count("sent:", if way < 5 { "as before" } else { "otherwise" });
            if 5 <= way {
                status = 422;
                body["mutations"][0]["args"]["was"] = json!("something else");
            }
        } else if way < 14 {
            // Where the other business's phone of that name would go on.
            let theirs = other.phones.iter().find(|it| it.device_id == device_id);
            let seq = theirs.map_or(0, |it| it.seq + 1);
            body["mutations"][0]["seq"] = json!(if seq == last_seq + 1 { 0 } else { seq });
            tally.count("sent:", "out of place");
            is_new = false;
        }
        let label = format!("seed {seed}, push {number}: {body}");
        sent.push_str(&body.to_string());

        // The same by someone who takes part in no business.
        assert_eq!(
            parent.post("/sync/push", body.clone()).await.failure(),
            (403, "not_linked"),
            "{label}"
        );
        let (answer, expected) = (with.push(&body).await, without.push(&body).await);
        let said = String::from_utf8(answer.bytes.clone()).unwrap();
        assert_eq!(
            (answer.status, &answer.headers, said.as_str()),
            (
                expected.status,
                &expected.headers,
                std::str::from_utf8(&expected.bytes).unwrap()
            ),
            "{label}"
        );
        assert_eq!(answer.status, status, "{label}: {said}");
        assert_eq!(with.others().await, untouched, "{label}");
        let device_id = body["device_id"].as_str().unwrap().parse().unwrap();
        let page = with.pull(device_id).await;
        assert_eq!(page, without.pull(device_id).await, "{label}");
        let told = said + &page.to_string();
        assert!(!told.contains(OTHER), "{label}: {told}");
        for secret in secrets.iter().filter(|it| told.contains(*it)) {
            assert!(sent.contains(secret), "{secret} in {told}: {label}");
        }

        if !is_new {
            continue;
        }
        let results = answer.data()["results"].as_array().unwrap().clone();
        assert_eq!(
            (results.len(), &answer.data()["stopped_at"]),
            (mutations.len(), &Value::Null),
            "{label}"
        );
        queues.insert(device_id, last_seq + results.len() as u64);
        if other.phones.iter().any(|it| it.device_id == device_id) {
            tally.count("sent:", "their phone");
        }
        sent_before.push(body);
        for (place, (mutation, result)) in mutations.iter().zip(&results).enumerate() {
            let name = mutation["name"].as_str().unwrap();
            let is_theirs = |it: &Value| secrets.iter().any(|id| it.to_string().contains(id));
            if is_theirs(&mutation["id"]) {
                tally.count("sent:", "their mutation");
            }
            if is_theirs(&mutation["args"]) {
                tally.count("sent with an id of theirs:", name);
            }
            if result["outcome"] == "rejected" {
                tally.count("refused:", result["refusal"]["code"].as_str().unwrap());
            } else {
                tally.count("done:", name);
                if is_theirs(&mutation["args"]["id"]) {
                    tally.count(DONE_UNDER_THEIRS, name);
                }
            }
            if let Some(table) = changes_a_row_of(name)
                && let Ok(id) = mutation["args"]["id"].as_str().unwrap().parse::<Id>()
                && theirs.has(table, id)
                && !own.has(table, id)
                // Another command of the same push may have made it.
                && !mutations[..place].iter().any(|it| it["args"].to_string().contains(&id.to_string()))
            {
                assert_eq!(result["refusal"], json!({ "code": "gone" }), "{label}");
                tally.count("gone:", name);
            }
        }
    }
    assert_eq!(with.own().await, without.own().await, "seed {seed}");
    for (mut phone, before) in other.phones.into_iter().zip(seen_by_other) {
        assert_eq!(phone.pull().await, before, "seed {seed}");
    }
}

/// Runs seeds until everything was seen.
async fn run(mut app: impl AsyncFnMut() -> TestApp) {
    let mut tally = Tally::default();
    for seed in 1..=MOST_SEEDS {
        story(seed, app().await, app().await, &mut tally).await;
        if tally.missing().is_empty() {
            return;
        }
    }
    panic!("not seen: {:?} in {:?}", tally.missing(), tally.0);
}

#[tokio::test]
async fn whatever_is_pushed_another_business_stays_as_it_is_and_unknown_on_sqlite() {
    run(async || TestApp::sqlite(settings()).await).await;
}

/// A statement has one text on both databases, and so reaches the same rows.
mod in_full_lane {
    use super::*;

    #[tokio::test]
    async fn whatever_is_pushed_another_business_stays_as_it_is_and_unknown_on_postgres() {
        if postgres_url().is_some() {
            run(async || TestApp::postgres(settings()).await.expect("it is there")).await;
        }
    }
}
