//! Owns the demo business: a sitter in a town with clients, a year of work behind it and two weeks ahead, unpaid work and
//! requests that wait. It is made by the same commands as everybody's work, with a clock that goes back. And the map around
//! it, imported like everybody's.

mod baltimore;
mod bills;
#[cfg(debug_assertions)]
mod helsinki;
mod portraits;
mod spending;
mod talk;
mod town;
mod year;

pub use baltimore::BALTIMORE;
#[cfg(debug_assertions)]
pub use helsinki::HELSINKI;
pub use town::Town;

use std::io::Write as _;

use serde_json::{Value, json};
use tempfile::NamedTempFile;
use walkies_core::api::Role;
use walkies_core::commands::{
    CancelService, CompleteService, CreateBlockedTime, CreateClient, PetPatch, ScheduleService,
    SetServicePaid, ShareWalk, UpdateProfile,
};
use walkies_core::rows::client::Client;
use walkies_core::rows::offering::{Offering, PricingType};
use walkies_core::rows::report::{ClientReport, SharedLine, SharedWalk};
use walkies_core::rows::service::{ServiceStatus, ServiceType};
use walkies_core::rows::subscription::Subscription;
use walkies_core::rows::walk_request::{RequestStatus, WalkRequest};
use walkies_core::rules::account::SignUpForm;
use walkies_core::rules::pricing;
use walkies_core::rules::request::SORRY;
use walkies_core::values::patch::Patch;
use walkies_core::values::report_kind::ReportKind;
use walkies_core::{Command, Date, Id, Instant, Now, Row, Time};

use crate::accounts::sign_up::{create_account, new_account};
use crate::app::password::HashQueue;
use crate::app::session::Member;
use crate::app::state::App;
use crate::app::zone::time_zone;
use crate::content::photos::store_photo;
use crate::db::{self, Account, ServiceFilter};
use crate::map;
use crate::map::maker::Options;
use crate::payments::billing::set_subscription;
use crate::write::execute::{CommandRequest, CommandSource, Executed, IdempotencyKey, execute};

const SITTER: &str = "demo@walkies.example";
const PET_PARENT: &str = "parent@walkies.example";
const PASSWORD: &str = "walkies-demo";

/// Returns the text that the operator reads: the server's address and the sign-ins of the demo's sitter and pet parent.
pub fn sign_ins(url: &str) -> String {
    format!(
        "\nWalkies is at {url}\n  sitter      {SITTER}   {PASSWORD}\n  pet parent  {PET_PARENT}   {PASSWORD}\n"
    )
}

/// Start, minutes and kind of what may be booked on one day; with the starter hours' buffer none is in another's way.
const SLOTS: [(u16, u16, u32, ServiceType); 7] = [
    (7, 30, 30, ServiceType::Walk),
    (9, 0, 30, ServiceType::Walk),
    (10, 0, 45, ServiceType::Walk),
    (11, 15, 60, ServiceType::Walk),
    (13, 0, 30, ServiceType::Walk),
    (14, 30, 30, ServiceType::Dropin),
    (16, 0, 60, ServiceType::Walk),
];

const NOTES: [&str; 5] = [
    "A good round along the shore.",
    "Met a friend in the park and played.",
    "Slow and happy. Water bowl refilled.",
    "Rain, so a shorter loop and a long towel.",
    "All business done, treat given.",
];

/// Draws the same numbers each time, so that every demo looks alike.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % sides
    }
}

/// One who works: sends commands as a phone does, each made at its own time.
struct Worker<'a> {
    app: &'a App,
    town: &'static Town,
    member: Member,
    device_id: Id,
    seq: u64,
    now: Now,
}

impl Worker<'_> {
    async fn send(&mut self, command: Command, made_at: Instant) -> anyhow::Result<()> {
        self.seq += 1;
        let name = format!("{command:?}");
        let request = CommandRequest {
            member: self.member,
            command: Ok(command),
            key: Some(IdempotencyKey {
                id: self.app.env.id().to_string(),
                args_hash: String::new(),
            }),
            source: CommandSource::Push {
                device_id: self.device_id,
                backend_id: None,
                seq: self.seq,
                made_at,
                base_rev: u64::MAX >> 1,
            },
        };
        match execute(self.app, &request).await {
            Ok(Executed::Decided { decided: Ok(_), .. }) => Ok(()),
            other => anyhow::bail!("the demo's {name} came to {other:?}"),
        }
    }

    fn at(&self, date: Date, hour: u16, minute: u16) -> Instant {
        let time = Time::new(hour % 24, minute).unwrap_or(Time::hour(12));
        Instant::from_civil(date, time, &self.now.zone)
    }
}

fn patch(fields: Value) -> Patch {
    Patch::from_row(&fields)
}

/// Imports the map around the demo business, unless it is there or there is no place for it.
pub async fn import_map(app: &App, town: &Town) -> anyhow::Result<()> {
    if !app.files.is_configured() {
        return Ok(());
    }
    let mut tx = app.db.read().await?;
    let areas = db::map_areas(&mut tx).await?;
    tx.commit().await?;
    if areas.iter().any(|it| it.name == town.area) {
        return Ok(());
    }
    let mut file = NamedTempFile::new()?;
    file.write_all(town.extract)?;
    map::import(app, town.area, file.path(), Options::default(), |_| {}).await?;
    Ok(())
}

/// Makes the demo business, unless it is there.
pub async fn create(app: &App, town: &'static Town) -> anyhow::Result<()> {
    let mut tx = app.db.read().await?;
    let known = db::account_by_email(&mut tx, SITTER).await?;
    tx.commit().await?;
    if known.is_some() {
        return Ok(());
    }
    let hash = async || {
        app.passwords
            .hash(PASSWORD.to_owned(), HashQueue::Stranger("the demo"))
            .await
            .map_err(|it| anyhow::anyhow!("{it:?}"))
    };
    let form = |name: &str, email: &str| SignUpForm {
        name: name.to_owned(),
        email: email.to_owned(),
        password: PASSWORD.to_owned(),
        time_zone: town.zone.to_owned(),
    };
    let sitter_form = form(town.sitter, SITTER);
    let sitter = new_account(app, &sitter_form, Role::Sitter, hash().await?);
    let parent = new_account(
        app,
        &form(town.parent(), PET_PARENT),
        Role::Client,
        hash().await?,
    );
    let mut tx = app.db.write().await?;
    create_account(&mut tx, app, &sitter, &sitter_form)
        .await
        .map_err(|it| anyhow::anyhow!("{it:?}"))?;
    db::insert_account(&mut tx, &parent).await?;
    let Some(sitter_id) = sitter.sitter_id else {
        return Ok(());
    };
    // It has more than the free plan has room for.
    let pro = app.settings.billing.as_ref().map(|_| Subscription {
        plan_id: "pro".to_owned(),
        ..Subscription::free()
    });
    set_subscription(app, &mut tx, sitter_id, |_| pro.clone()).await?;
    tx.commit().await?;

    let zone = time_zone(town.zone).unwrap_or(walkies_core::values::zone::TimeZone::UTC);
    let now = Now {
        at: app.now(),
        zone,
    };
    let mut worker = Worker {
        app,
        town,
        member: Member {
            user_id: sitter.id,
            sitter_id,
            link: None,
        },
        device_id: app.env.id(),
        seq: 0,
        now,
    };
    settings(&mut worker).await?;
    let clients = people(&mut worker).await?;
    year::year(&mut worker, &clients).await?;
    work(&mut worker, &clients).await?;
    stay(&mut worker, &clients).await?;
    bills::bill(&mut worker, &clients).await?;
    spending::spending(&mut worker).await?;
    report(&mut worker, &clients).await?;
    parents(app, town, sitter_id, &worker.now, &clients, &parent).await?;
    talk::talk(&mut worker, &clients, &parent).await
}

async fn settings(worker: &mut Worker<'_>) -> anyhow::Result<()> {
    let (now, today, town) = (worker.now.at, worker.now.today(), worker.town);
    let changes = patch(json!({
        "business_name": town.business,
        "phone": town.phone,
        "service_area_address": town.district,
        "service_area_lat": town.lat,
        "service_area_lng": town.lng,
        "service_area_radius_miles": 1.0,
    }));
    worker
        .send(Command::UpdateProfile(UpdateProfile { changes }), now)
        .await?;
    for (date, start, end, kind, reason, recurs) in [
        (
            today.plus_days(-20),
            "12:30",
            "12:45",
            "lunch",
            "Sandwich in the park",
            true,
        ),
        (
            today.plus_days(3),
            "18:00",
            "19:30",
            "personal",
            "Agility training",
            false,
        ),
        (
            today.plus_days(18),
            "00:00",
            "23:59",
            "vacation",
            "Summer cottage",
            false,
        ),
    ] {
        let blocked_time = patch(json!({
            "block_date": date, "start_time": start, "end_time": end, "block_type": kind, "reason": reason,
            "is_recurring": recurs, "recurrence_pattern": recurs.then_some("daily"),
        }));
        let id = worker.app.env.id();
        worker
            .send(
                Command::CreateBlockedTime(CreateBlockedTime { id, blocked_time }),
                now,
            )
            .await?;
    }
    Ok(())
}

/// A client that was made, with its pets.
struct DemoClient {
    id: Id,
    dogs: Vec<Id>,
}

async fn people(worker: &mut Worker<'_>) -> anyhow::Result<Vec<DemoClient>> {
    let begun = worker.at(worker.now.today().plus_days(-380), 9, 0);
    let mut made = Vec::new();
    for (place, (name, address, phone, email, lat, lng, access_notes, animals)) in
        worker.town.people.iter().enumerate()
    {
        let id = worker.app.env.id();
        let mut client = json!({
            "name": name, "address": address, "phone": phone, "email": email, "access_notes": access_notes,
            "lat": lat, "lng": lng,
        });
        if place % 5 == 3 {
            client["multiple_dog_method"] = json!("flat");
            client["additional_dog_walk_rate"] = json!(8);
            client["additional_dog_dropin_rate"] = json!(5);
            client["walk_rate_60min"] = json!(42);
        }
        let mut dogs = Vec::new();
        for (name, pet_type, breed, weight, sex, about) in *animals {
            let photo = photograph(worker, name).await?;
            dogs.push(PetPatch {
                id: worker.app.env.id(),
                is_new: true,
                changes: patch(json!({
                    "name": name, "pet_type": pet_type, "breed": breed, "weight": weight, "sex": sex, "about": about,
                    "house_trained": "yes", "friendly_with_dogs": if place % 4 == 2 { "depends" } else { "yes" },
                    "photo": photo,
                })),
            });
        }
        made.push(DemoClient {
            id,
            dogs: dogs.iter().map(|it| it.id).collect(),
        });
        let command = Command::CreateClient(CreateClient {
            id,
            client: patch(client),
            dogs,
        });
        worker
            .send(
                command,
                Instant(begun.0 + i64::try_from(place).unwrap_or_default() * 86_400_000),
            )
            .await?;
    }
    Ok(made)
}

/// Takes in a pet's portrait as a phone's photo is taken in; none where there is no place for photos.
async fn photograph(worker: &Worker<'_>, name: &str) -> anyhow::Result<Option<Id>> {
    let app = worker.app;
    let Some(portrait) = portraits::portrait(name).filter(|_| app.files.is_configured()) else {
        return Ok(None);
    };
    let id = app.env.id();
    store_photo(app, &worker.member, id, portrait.to_vec(), ())
        .await
        .map_err(|it| anyhow::anyhow!("{it:?}"))?;
    Ok(Some(id))
}

/// Two weeks back and two ahead.
async fn work(worker: &mut Worker<'_>, clients: &[DemoClient]) -> anyhow::Result<()> {
    let mut dice = Dice(7);
    let (now, today) = (worker.now.at, worker.now.today());
    for day in -14..=14 {
        let date = today.plus_days(day);
        let is_weekend = matches!(date.day_of_week(), 0 | 6);
        for (hour, minute, minutes, service_type) in SLOTS {
            // Today always has enough to look at.
            let is_free = if is_weekend {
                dice.below(4) != 0
            } else {
                dice.below(10) < 4
            };
            if is_free && day != 0 {
                continue;
            }
            book(
                worker,
                clients,
                &mut dice,
                date,
                (hour, minute, minutes, service_type),
                day,
            )
            .await?;
        }
        if day == 1 || day == -6 {
            // Somebody leaves for an early flight: this one is marked as a night's work.
            book(
                worker,
                clients,
                &mut dice,
                date,
                (5, 15, 30, ServiceType::Dropin),
                day,
            )
            .await?;
        }
    }
    debug_assert!(worker.now.at == now, "the demo is made at one moment");
    Ok(())
}

async fn book(
    worker: &mut Worker<'_>,
    clients: &[DemoClient],
    dice: &mut Dice,
    date: Date,
    (hour, minute, minutes, service_type): (u16, u16, u32, ServiceType),
    day: i64,
) -> anyhow::Result<()> {
    let place = dice.below(clients.len());
    let Some(client) = clients.get(place) else {
        return Ok(());
    };
    let id = worker.app.env.id();
    let now = worker.now.at;
    let asked = worker.at(date.plus_days(-3), 19, 0).min(now);
    let start = worker.at(date, hour, minute);
    let end = Instant(start.0 + i64::from(minutes) * 60_000);
    let notes = if dice.below(4) == 0 {
        "Please send a photo."
    } else {
        ""
    };
    let service = patch(json!({
        "client_id": client.id, "dog_ids": client.dogs, "service_type": service_type, "date": date,
        "start_time": Time::new(hour, minute), "duration_minutes": minutes, "notes": notes,
    }));
    let command = Command::ScheduleService(ScheduleService {
        id,
        service,
        overlap_ok: false,
        quoted_price: None,
        brings_back: false,
    });
    worker.send(command, asked).await?;
    let fate = dice.below(12);
    let note = NOTES
        .get(dice.below(NOTES.len()))
        .copied()
        .unwrap_or_default();
    if fate == 0 && day != 0 {
        return worker
            .send(
                Command::CancelService(CancelService::new(id)),
                worker.at(date.plus_days(-1), 20, 0).min(now),
            )
            .await;
    }
    if end <= now {
        let command = Command::CompleteService(CompleteService {
            id,
            notes: note.to_owned(),
            internal_notes: String::new(),
            despite_cancel: false,
        });
        worker.send(command, end).await?;
        if day < -5 && fate != 1 && bills::BILLED <= place {
            worker
                .send(
                    Command::SetServicePaid(SetServicePaid { id, paid: true }),
                    now,
                )
                .await?;
        }
    }
    Ok(())
}

/// Somebody is away over the weekend to come: the pets are looked after day and night.
async fn stay(worker: &mut Worker<'_>, clients: &[DemoClient]) -> anyhow::Result<()> {
    let mut tx = worker.app.db.read().await?;
    let offerings = db::select::<Offering>(&mut tx, worker.member.sitter_id, "", &[]).await?;
    tx.commit().await?;
    let mut offerings = offerings.iter().map(|it| &it.row);
    let Some(offering) = offerings.find(|it| it.pricing_type == PricingType::Daily) else {
        return Ok(());
    };
    let Some(client) = clients.last() else {
        return Ok(());
    };
    let first = worker.now.today().plus_days(1);
    let service = patch(json!({
        "client_id": client.id, "dog_ids": client.dogs, "offering_id": offering.id, "date": first,
        "end_date": first.plus_days(2), "start_time": "17:00", "duration_minutes": 30,
        "notes": "Back on the last evening.",
    }));
    let command = Command::ScheduleService(ScheduleService {
        id: worker.app.env.id(),
        service,
        overlap_ok: false,
        quoted_price: None,
        brings_back: false,
    });
    worker.send(command, worker.now.at).await
}

/// Writes the report of the first client's last completed walk, for the pet parent who has a login.
async fn report(worker: &mut Worker<'_>, clients: &[DemoClient]) -> anyhow::Result<()> {
    let Some(client) = clients.first() else {
        return Ok(());
    };
    let filter = ServiceFilter {
        client_id: Some(client.id),
        statuses: vec![ServiceStatus::Completed],
        newest_first: true,
        ..ServiceFilter::default()
    };
    let mut tx = worker.app.db.read().await?;
    let done = db::services(&mut tx, worker.member.sitter_id, &filter).await?;
    tx.commit().await?;
    let mut walks = done.iter().map(|it| &it.row);
    let Some(walked) = walks.find(|it| it.service_type == ServiceType::Walk) else {
        return Ok(());
    };
    let minute = walked.start_time.minute_of_day();
    let started_at = worker.at(walked.date, minute / 60, minute % 60);
    let seconds = walked.duration_minutes * 60;
    let ended_at = Instant(started_at.0 + i64::from(seconds) * 1000);
    let town = worker.town;
    let walk = SharedWalk {
        started_at,
        ended_at,
        ran_seconds: seconds,
        distance_m: match town.track {
            Some((_, meters)) => meters,
            None => walked.duration_minutes * 70,
        },
        lines: town
            .track
            .iter()
            .map(|(points, _)| SharedLine {
                points: (*points).to_owned(),
                after_gap: false,
            })
            .collect(),
        ..SharedWalk::default()
    };
    let report = ClientReport {
        id: worker.app.env.id(),
        client_id: client.id,
        dog_ids: client.dogs.clone(),
        note: format!(
            "{} found the largest stick of the park and carried it home.",
            town.pet(0)
        ),
        service_ids: vec![walked.id],
    };
    let command = Command::ShareWalk(ShareWalk {
        id: worker.app.env.id(),
        walk,
        reports: vec![report],
        kind: ReportKind::Walk,
    });
    worker.send(command, ended_at).await
}

/// Creates the pet parents' side of the demo: one has a login, and some ask for walks.
async fn parents(
    app: &App,
    town: &Town,
    sitter_id: Id,
    now: &Now,
    clients: &[DemoClient],
    parent: &Account,
) -> anyhow::Result<()> {
    let mut tx = app.db.write().await?;
    let Some(db::NextRevision { rev, .. }) =
        db::claim_next_revision(&mut tx, sitter_id, None, None).await?
    else {
        return Ok(());
    };
    let requests = [
        (
            0,
            2,
            8,
            30,
            RequestStatus::Pending,
            "Could you take {pet} before work on that day?",
            "",
        ),
        (
            0,
            3,
            12,
            60,
            RequestStatus::Declined,
            "An hour in the woods for {pet}?",
            "I am away until three that day. Would four suit you?",
        ),
        (
            5,
            4,
            17,
            60,
            RequestStatus::Pending,
            "The boys need to run!",
            "",
        ),
        (
            10,
            5,
            15,
            45,
            RequestStatus::Pending,
            "I am at the dentist. {pet}'s coat hangs by the door.",
            "",
        ),
        (
            3,
            -2,
            12,
            30,
            RequestStatus::Declined,
            "Just a short one for {pet}?",
            SORRY,
        ),
    ];
    for (place, days, hour, minutes, status, message, sitter_response) in requests {
        let Some(client) = clients.get(place) else {
            continue;
        };
        let Some(stored) = db::select_one::<Client>(&mut tx, sitter_id, client.id).await? else {
            continue;
        };
        let price = pricing::price(&stored.row, ServiceType::Walk, minutes, client.dogs.len());
        let asked_at = now.at.0 - 3_600_000 * (2 + i64::try_from(place).unwrap_or_default());
        let request = WalkRequest {
            status,
            requested_date: now.today().plus_days(days),
            requested_start_time: Time::hour(hour),
            requested_duration_minutes: minutes,
            dog_ids: client.dogs.clone(),
            message: message.replace("{pet}", town.pet(place)),
            sitter_response: sitter_response.to_owned(),
            estimated_price: price.total,
            answered_at: (status != RequestStatus::Pending).then_some(now.at),
            ..WalkRequest::new(app.env.id(), client.id, Instant(asked_at))
        };
        db::write_row(&mut tx, sitter_id, rev, &Row::WalkRequest(request)).await?;
    }
    if let Some(first) = clients.first()
        && let Some(client) = db::select_one::<Client>(&mut tx, sitter_id, first.id).await?
    {
        let mut client = client.row;
        client.client_user_id = Some(parent.id);
        client.emergency_contact = town.emergency_contact.to_owned();
        client.vet = town.vet.to_owned();
        db::write_row(&mut tx, sitter_id, rev, &Row::Client(client)).await?;
        db::link_client_user(&mut tx, sitter_id, first.id, parent.id, app.env.id()).await?;
    }
    tx.commit().await?;
    app.realtime.changed(sitter_id, rev);
    Ok(())
}
