//! Owns what people do: any command that a screen could make of what it shows, drawn by chance.

use serde_json::{Value, json};
use walkies_core::commands::{
    AnnounceDelay, ApproveRequest, ApproveRequests, AskForChange, AskForService, CancelService,
    ChangeSeries, CompleteService, CopyServices, CreateBlockedTime, CreateClient, CreateExpense,
    CreateOffering, CreatePattern, CreateSeries, CreditInvoice, DateChoice, DateWay,
    DeclineRequest, DeleteBlockedTime, DeleteClient, DeleteExpense, DeleteInvoice, DeleteMessage,
    DeleteOffering, DeletePattern, DeleteSeries, DeleteService, EndSeries, ImportClients,
    LeaveOutDate, MarkConversationRead, MarkPassedOn, MarkProgress, MoveServices, OfferingPlace,
    PauseSeries, PaymentPart, PetPatch, RecordInvoicePayment, RecordInvoiceRefund, RecordPayments,
    RecordService, RemindOfInvoice, RemoveInvoicePayment, RemoveInvoiceRefund, ReopenService,
    ReorderOfferings, Repeats, RestoreClient, RestoreInvoice, ResumeSeries, ScheduleService,
    SendMessage, SetConversationArchived, SetServicePaid, SetWrittenOff, SettleOverpayment,
    SettleSeriesDates, SettleText, ShareInvoice, Shared, SlotPatch, StartConversation, TakeTimeOff,
    UndoApproval, UndoCopy, UndoImport, UndoTimeOff, UnlinkClient, UpdateAvailabilityConfig,
    UpdateClient, UpdateExpense, UpdateOffering, UpdatePattern, UpdateProfile, UpdateService,
    UsedCredit, WithdrawRequest,
};
use walkies_core::rows::client::Client;
use walkies_core::rows::offering::PricingType;
use walkies_core::rows::pet::Pet;
use walkies_core::rows::series::{Series, SeriesDate, SeriesEnd};
use walkies_core::rows::service::{ProgressStep, Service, ServiceStatus, ServiceType};
use walkies_core::rows::walk_request::{RequestStatus, RequestSubject, WalkRequest};
use walkies_core::rules::pricing::price;
use walkies_core::rules::series::occurrence_id;
use walkies_core::screens::parent_series;
use walkies_core::screens::series::{PreviewState, preview, undo};
use walkies_core::sync::text_choices::text_choices;
use walkies_core::values::patch::Patch;
use walkies_core::{Business, Cents, Command, Date, Id, Instant, Now, Time};

use crate::acts::{Acts, approve, grant, live, of_acts, window};
use crate::parents::{GIVEN_CODE, NOTED_CODE};
use crate::rng::Rng;

/// The days of a run.
pub struct Days {
    /// Weekdays on which everybody books the same few hours.
    pub contended: [Date; 2],
    /// A weekend, with hours and blocked times that change.
    pub loose: [Date; 2],
}

/// A change that a person wants saved.
pub struct Wish {
    pub command: Command,
    pub photos: Vec<Id>,
    /// The command that undoes it.
    pub undo: Option<Command>,
    /// Further commands that its undo saves, one after the other.
    pub undo_too: Vec<Command>,
    /// The revision that the person had seen, where it is another than that of the screen.
    pub base_rev: Option<u64>,
}

impl From<Command> for Wish {
    fn from(command: Command) -> Self {
        Self {
            command,
            photos: Vec::new(),
            undo: None,
            undo_too: Vec::new(),
            base_rev: None,
        }
    }
}

/// The fields of an object.
pub fn patch(fields: Value) -> Patch {
    match fields {
        Value::Object(fields) => Patch(fields),
        _ => Patch::default(),
    }
}

/// The ids of rows.
pub fn ids<'a>(rows: impl Iterator<Item = &'a Id>) -> Vec<Id> {
    rows.copied().collect()
}

/// Share of changes, in percent, of invoices, of series, and of acts that the app works out.
#[derive(Clone, Copy)]
pub struct Shares {
    pub bills: u32,
    pub series: u32,
    pub acts: u32,
    /// Acts that are half of all acts.
    pub favoured: Option<Acts>,
}

/// A change that a person might make now, seeing `view`; `deleted` are clients that this phone deleted and could
/// bring back.
pub fn wish(
    rng: &mut Rng,
    view: &Business,
    days: &Days,
    deleted: &[(Client, Vec<Pet>)],
    Shares {
        bills,
        series,
        acts,
        favoured,
    }: Shares,
    now: &Now,
) -> Option<Wish> {
    let of_now = now;
    let now = now.at.0;
    let clients = ids(view.clients.keys());
    if clients.is_empty() || rng.chance(7) {
        return Some(create_client(rng, now));
    }
    let client = *rng.pick(&clients)?;
    let value = rng.between(1000, 9999);
    if 0 < series && rng.chance(series) {
        return of_series(rng, view, client, days, value, of_now);
    }
    if 0 < acts && rng.chance(acts) {
        return of_acts(rng, view, client, days, value, favoured, of_now);
    }
    if let Some(wish) = of_versions(rng, view) {
        return Some(wish);
    }
    if rng.chance(8)
        && let Some(pet) = view.pets.values().next()
    {
        return Some(update_about(pet.row.client_id, pet.row.id, value));
    }
    if rng.chance(3) {
        return Some(of_imports(rng, &clients, now));
    }
    let linked = view.clients.values().map(|it| &it.row);
    let linked: Vec<Id> = linked
        .filter(|it| it.client_user_id.is_some())
        .map(|it| it.id)
        .collect();
    if !linked.is_empty() && rng.chance(15) {
        return of_parents(rng, view, &linked, value, of_now);
    }
    if rng.chance(bills) {
        let bills = of_invoices(rng, view, value, now);
        return bills
            .or_else(|| schedule(rng, view, client, days, now))
            .map(Wish::from);
    }
    if rng.chance(6) {
        return of_expenses(rng, view, days, value, now).map(Wish::from);
    }
    Some(match rng.below(100) {
        0..=12 => update_client(client, client_field(rng, value)),
        13..=21 => {
            let pet = view
                .pets
                .get(rng.pick(&ids(view.pets.keys()))?)?
                .row
                .clone();
            let field = if rng.chance(50) { "about" } else { "breed" };
            let mut changes = Patch::of(field, format!("likes {value}"));
            let mut photos = Vec::new();
            if rng.chance(40) {
                let photo = rng.id(now);
                changes.0.insert("photo".to_owned(), json!(photo));
                photos.push(photo);
            }
            let dogs = vec![PetPatch {
                id: pet.id,
                is_new: false,
                changes,
            }];
            let command = Command::UpdateClient(UpdateClient {
                id: pet.client_id,
                changes: Patch::default(),
                dogs,
                removed_dogs: Vec::new(),
            });
            Wish {
                photos,
                ..command.into()
            }
        }
        22..=24 => {
            let changes = patch(json!({ "name": format!("Pup {value}") }));
            let dogs = vec![PetPatch {
                id: rng.id(now),
                is_new: true,
                changes,
            }];
            Command::UpdateClient(UpdateClient {
                id: client,
                changes: Patch::default(),
                dogs,
                removed_dogs: Vec::new(),
            })
            .into()
        }
        25..=26 => {
            let pet = view
                .pets
                .get(rng.pick(&ids(view.pets.keys()))?)?
                .row
                .clone();
            let (changes, removed_dogs) = (Patch::default(), vec![pet.id]);
            Command::UpdateClient(UpdateClient {
                id: pet.client_id,
                changes,
                dogs: Vec::new(),
                removed_dogs,
            })
            .into()
        }
        27..=31 => Command::DeleteClient(DeleteClient { id: client }).into(),
        32..=36 => restore_client(rng.pick(deleted)?).into(),
        37..=39 => {
            let offering = patch(
                json!({ "name": format!("Walk {value}"), "base_price": 25, "icon": "🐕",
                    "pricing_type": if rng.chance(30) { "daily" } else { "fixed" } }),
            );
            Command::CreateOffering(CreateOffering {
                id: rng.id(now),
                offering,
            })
            .into()
        }
        40..=44 => {
            let changes = Patch::of("description", format!("lasts {value}"));
            Command::UpdateOffering(UpdateOffering {
                id: *rng.pick(&ids(view.offerings.keys()))?,
                changes,
            })
            .into()
        }
        45..=47 => Command::DeleteOffering(DeleteOffering {
            id: *rng.pick(&ids(view.offerings.keys()))?,
        })
        .into(),
        48..=51 => reorder(rng, view).into(),
        52..=71 => schedule(rng, view, client, days, now)?.into(),
        72..=75 if !view.requests.is_empty() => answer(rng, view, value, of_now)?,
        72..=93 => service_change(rng, view, days, value, now, client)?,
        94..=97 => availability(rng, view, days, value, now)?.into(),
        98 => {
            let config = json!({ "show_slots_days_ahead": rng.between(1, 60) });
            Command::UpdateAvailabilityConfig(UpdateAvailabilityConfig {
                changes: patch(config),
            })
            .into()
        }
        _ => {
            let changes = json!({ "business_name": format!("Paws {value}"), "tells_progress": rng.chance(70) });
            Command::UpdateProfile(UpdateProfile {
                changes: patch(changes),
            })
            .into()
        }
    })
}

/// Draws an act of a sitter on clients who have a login.
fn of_parents(
    rng: &mut Rng,
    view: &Business,
    linked: &[Id],
    value: i64,
    now: &Now,
) -> Option<Wish> {
    let client = *rng.pick(linked)?;
    Some(match rng.below(17) {
        14.. => live(rng, view, value, now)?,
        10..=13 => of_messages(rng, view, client, value, now.at.0).into(),
        0 => {
            // All of a household, or one of them.
            let logins: Vec<Id> = view.client(client)?.logins().collect();
            let user_id = rng.pick(&logins).copied().filter(|_| rng.chance(50));
            let id = client;
            Command::UnlinkClient(UnlinkClient { id, user_id }).into()
        }
        1 => Command::DeleteClient(DeleteClient { id: client }).into(),
        2 => {
            // From one client to another, or within one.
            let services = view.services.values().map(|it| &it.row);
            let theirs: Vec<Id> = services
                .filter(|it| it.client_id == client && it.status == ServiceStatus::Scheduled)
                .map(|it| it.id)
                .collect();
            let to = *rng.pick(&ids(view.clients.keys()))?;
            let dogs: Vec<Id> = view.pets_of(to).iter().map(|it| it.id).collect();
            let changes = patch(json!({ "client_id": to, "dog_ids": dogs }));
            Command::UpdateService(UpdateService {
                id: *rng.pick(&theirs)?,
                changes,
                overlap_ok: false,
                former_price: None,
            })
            .into()
        }
        3 => {
            let step = *rng.pick(&[
                Some(ProgressStep::OnTheWay),
                Some(ProgressStep::Started),
                None,
            ])?;
            let services: Vec<Id> = view.services.values().map(|it| it.row.id).collect();
            Command::MarkProgress(MarkProgress {
                id: *rng.pick(&services)?,
                step,
                way_minutes: Some(12),
            })
            .into()
        }
        4 => update_client(client, client_field(rng, value)),
        5 => {
            let sends_live = *rng.pick(&["ask", "off", "on"])?;
            let changes = match rng.chance(60) {
                true => Patch::of("books_at_once", rng.chance(80)),
                false => Patch::of("sends_live", sends_live),
            };
            update_client(client, changes)
        }
        _ => answer(rng, view, value, now)?,
    })
}

/// Now and then somebody decides between two versions of a text.
fn of_versions(rng: &mut Rng, view: &Business) -> Option<Wish> {
    let choices = text_choices(view);
    let choice = rng.pick(&choices)?;
    if rng.chance(80) {
        return None;
    }
    let theirs = &rng.pick(&choice.others)?.choose;
    let ways = [Some(&choice.keep), Some(theirs), choice.keep_all.as_ref()];
    let command = (*rng.pick(&ways)?)?;
    Some(command.clone().into())
}

/// Draws an act of either side in the conversation of a client.
fn of_messages(rng: &mut Rng, view: &Business, client: Id, value: i64, now: i64) -> Command {
    let messages = view.messages.values().map(|it| &it.row);
    let theirs: Vec<Id> = messages
        .filter(|it| it.client_id == client)
        .map(|it| it.id)
        .collect();
    match rng.below(6) {
        5 if !theirs.is_empty() => {
            let id = *rng.pick(&theirs).unwrap();
            Command::DeleteMessage(DeleteMessage { id })
        }
        5 => Command::StartConversation(StartConversation { client_id: client }),
        0 => Command::MarkConversationRead(MarkConversationRead {
            id: client,
            message_id: rng.pick(&theirs).copied(),
        }),
        1 => Command::SetConversationArchived(SetConversationArchived {
            id: client,
            archived: rng.chance(50),
        }),
        _ => Command::SendMessage(SendMessage {
            id: rng.id(now),
            conversation_id: client,
            content: format!("hello {value}"),
            photo: None,
        }),
    }
}

/// A change that a pet parent might make now, seeing `view` of the own record.
pub fn wish_of_parent(
    rng: &mut Rng,
    view: &Business,
    own: Id,
    days: &Days,
    now: &Now,
) -> Option<Wish> {
    view.client(own)?;
    let of_now = now;
    let now = now.at.0;
    let value = rng.between(1000, 9999);
    if let Some(wish) = of_versions(rng, view) {
        return Some(wish);
    }
    let dogs: Vec<Id> = view.pets_of(own).iter().map(|it| it.id).collect();
    if rng.chance(8)
        && let Some(dog) = dogs.first()
    {
        return Some(update_about(own, *dog, value));
    }
    if rng.chance(20)
        && let Some(command) = asked_change(rng, view, value, of_now)
    {
        return Some(command.into());
    }
    Some(match rng.below(24) {
        20.. => of_messages(rng, view, own, value, now).into(),
        0..=10 => {
            let mut dog_ids = dogs;
            dog_ids.truncate(1 + rng.below(2));
            let half_hours = 18 + rng.between(0, 10);
            let service_type = match rng.chance(70) {
                true => ServiceType::Walk,
                false => ServiceType::Dropin,
            };
            let quoted_price = match rng.below(10) {
                0 | 1 => Some(Cents(25_00)),
                2..=6 => view
                    .client(own)
                    .map(|it| price(it, service_type, 30, dog_ids.len()).total),
                _ => None,
            };
            let request = json!({
                "requested_date": day(rng, days),
                "requested_start_time": format!("{:02}:{:02}", half_hours / 2, half_hours % 2 * 30),
                "requested_duration_minutes": 30,
                "service_type": service_type,
                "dog_ids": dog_ids,
                "message": format!("please {value}"),
            });
            Command::AskForService(AskForService {
                id: rng.id(now),
                request: patch(request),
                quoted_price,
                repeats: rng.chance(25).then(|| repeats(rng, days)),
                group_id: group(rng, view, now),
                is_wish: rng.chance(10),
            })
            .into()
        }
        11..=13 => {
            let requests = view.requests.values().map(|it| &it.row);
            let waiting: Vec<Id> = requests
                .filter(|it| it.status == RequestStatus::Pending)
                .map(|it| it.id)
                .collect();
            Command::WithdrawRequest(WithdrawRequest {
                id: *rng.pick(&waiting)?,
            })
            .into()
        }
        14..=17 => {
            let fields = [
                "phone",
                "address",
                "vet",
                "house_instructions",
                "how_to_get_in",
            ];
            let field = *rng.pick(&fields)?;
            let said = match field {
                "how_to_get_in" => format!("{GIVEN_CODE}{own} {value}"),
                _ => format!("says {value}"),
            };
            update_client(own, Patch::of(field, said))
        }
        _ => {
            let changes = Patch::of("about", format!("loves {value}"));
            let dog = PetPatch {
                id: *rng.pick(&dogs)?,
                is_new: false,
                changes,
            };
            Command::UpdateClient(UpdateClient {
                id: own,
                changes: Patch::default(),
                dogs: vec![dog],
                removed_dogs: Vec::new(),
            })
            .into()
        }
    })
}

/// The id that a request shares with others that are asked for at once, those that wait among them.
fn group(rng: &mut Rng, view: &Business, now: i64) -> Option<Id> {
    if rng.chance(50) {
        return None;
    }
    let requests = view.requests.values().map(|it| &it.row);
    let waiting = requests.filter(|it| it.status == RequestStatus::Pending);
    let groups: Vec<Id> = waiting.filter_map(|it| it.group_id).collect();
    let known = rng.pick(&groups).copied().filter(|_| rng.chance(70));
    Some(known.unwrap_or_else(|| rng.id(now)))
}

/// The change that the parent's app offers for a visit, or a pause of a series.
fn asked_change(rng: &mut Rng, view: &Business, value: i64, now: &Now) -> Option<Command> {
    let change = if rng.chance(65) {
        let visits: Vec<Id> = view.services.values().map(|it| it.row.id).collect();
        let visit = *rng.pick(&visits)?;
        let seen = parent_series::visit(view, visit, now)?;
        match seen.can_move && rng.chance(35) {
            true => elsewhen(rng, view.service(visit)?, now),
            false => seen.change?,
        }
    } else {
        let series = parent_series::series(view, now);
        let from = now.today().plus_days(rng.between(0, 20));
        RequestSubject::PauseSeries {
            series_id: rng.pick(&series)?.id,
            from,
            to: from.plus_days(rng.between(0, 14)),
        }
    };
    Some(Command::AskForChange(AskForChange {
        id: rng.id(now.at.0),
        change,
        message: format!("please {value}"),
        quoted_price: None,
    }))
}

/// Another time for a visit, or other days for a stay, which may be shorter or longer.
fn elsewhen(rng: &mut Rng, service: &Service, now: &Now) -> RequestSubject {
    let date = now.today().plus_days(rng.between(1, 12));
    let is_stay = service.end_date.is_some();
    let nights = rng.between(0, 3);
    let times = ["08:00", "11:00", "15:30"];
    let start_time: Time = rng.pick(&times).unwrap().parse().unwrap();
    let has_departure = is_stay && 0 < nights && rng.chance(50);
    RequestSubject::MoveService {
        service_id: service.id,
        date,
        start_time,
        end_date: is_stay.then(|| date.plus_days(nights)),
        departure_time: has_departure.then(|| "10:00".parse().unwrap()),
    }
}

fn repeats(rng: &mut Rng, days: &Days) -> Repeats {
    let rule = serde_json::from_value(rule(rng)).unwrap();
    let last_day = days.contended[0].plus_days(rng.between(14, 40));
    Repeats {
        rule,
        last_day: rng.chance(50).then_some(last_day),
    }
}

fn client_field(rng: &mut Rng, value: i64) -> Patch {
    match rng.below(5) {
        0 => Patch::of("phone", format!("512-555-{value}")),
        3 => Patch::of("internal_notes", format!("pays on day {value}")),
        1 => Patch::of("address", format!("{value} Elm Street")),
        2 => Patch::of("email", format!("a{value}@example.com")),
        _ => Patch::of("access_notes", format!("{NOTED_CODE}{value}")),
    }
}

/// Changes the care notes of one pet. Everybody writes about the first one, so that versions of its text meet.
fn update_about(client_id: Id, pet_id: Id, value: i64) -> Wish {
    let dog = PetPatch {
        id: pet_id,
        is_new: false,
        changes: Patch::of("about", format!("needs {value}")),
    };
    Command::UpdateClient(UpdateClient {
        id: client_id,
        changes: Patch::default(),
        dogs: vec![dog],
        removed_dogs: Vec::new(),
    })
    .into()
}

fn update_client(id: Id, changes: Patch) -> Wish {
    Command::UpdateClient(UpdateClient {
        id,
        changes,
        dogs: Vec::new(),
        removed_dogs: Vec::new(),
    })
    .into()
}

/// Some clients of a file; or some go again, whoever they are.
fn of_imports(rng: &mut Rng, clients: &[Id], now: i64) -> Wish {
    let n = 2 + rng.below(3);
    if rng.chance(40) {
        let clients = (0..n).filter_map(|_| rng.pick(clients).copied());
        return Command::UndoImport(UndoImport {
            clients: clients.collect(),
        })
        .into();
    }
    let clients = (0..n).map(|_| CreateClient {
        id: rng.id(now),
        client: Patch::of("name", format!("Client {}", rng.between(1000, 9999))),
        dogs: vec![PetPatch {
            id: rng.id(now),
            is_new: true,
            changes: Patch::of("name", format!("Rex {}", rng.between(10, 99))),
        }],
    });
    Command::ImportClients(ImportClients {
        clients: clients.collect(),
    })
    .into()
}

fn create_client(rng: &mut Rng, now: i64) -> Wish {
    let client = patch(
        json!({ "name": format!("Client {}", rng.between(1000, 9999)), "walk_rate_30min": 25,
            "lat": 40.0 + rng.between(0, 40) as f64 / 1_000.0, "lng": -74.0 }),
    );
    let mut dogs = Vec::new();
    let mut photos = Vec::new();
    for _ in 0..=rng.below(2) {
        let mut changes = patch(json!({ "name": format!("Rex {}", rng.between(10, 99)) }));
        if rng.chance(30) {
            let photo = rng.id(now);
            changes.0.insert("photo".to_owned(), json!(photo));
            photos.push(photo);
        }
        dogs.push(PetPatch {
            id: rng.id(now),
            is_new: true,
            changes,
        });
    }
    let command = Command::CreateClient(CreateClient {
        id: rng.id(now),
        client,
        dogs,
    });
    Wish {
        photos,
        ..command.into()
    }
}

fn restore_client((client, pets): &(Client, Vec<Pet>)) -> Command {
    let dogs = pets
        .iter()
        .map(|it| PetPatch {
            id: it.id,
            is_new: true,
            changes: Patch::from_row(it),
        })
        .collect();
    Command::RestoreClient(RestoreClient {
        id: client.id,
        client: Patch::from_row(client),
        dogs,
    })
}

fn reorder(rng: &mut Rng, view: &Business) -> Command {
    let mut offerings = ids(view.offerings.keys());
    for n in (1..offerings.len()).rev() {
        offerings.swap(n, rng.below(n + 1));
    }
    offerings.truncate(offerings.len().max(2) - 1);
    let orders = (0..)
        .zip(offerings)
        .map(|(display_order, id)| OfferingPlace {
            id,
            display_order,
            category: None,
        });
    Command::ReorderOfferings(ReorderOfferings {
        orders: orders.collect(),
    })
}

fn day(rng: &mut Rng, days: &Days) -> Date {
    let of = if rng.chance(80) {
        days.contended
    } else {
        days.loose
    };
    of[rng.below(2)]
}

/// Few starts, so that people get in each other's way.
pub fn start(rng: &mut Rng) -> String {
    let minutes = 9 * 60 + 15 * rng.between(0, 16);
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}

fn schedule(rng: &mut Rng, view: &Business, client: Id, days: &Days, now: i64) -> Option<Command> {
    let mut dog_ids: Vec<Id> = view.pets_of(client).iter().map(|it| it.id).collect();
    dog_ids.truncate(1 + rng.below(2));
    let offering_id = if rng.chance(30) {
        rng.pick(&ids(view.offerings.keys())).copied()
    } else {
        None
    };
    let date = day(rng, days);
    let is_stay =
        offering_id.is_some_and(|it| view.offerings[&it].row.pricing_type == PricingType::Daily);
    let end_date = is_stay.then(|| date.plus_days(rng.between(0, 3)));
    let price_override = rng
        .chance(10)
        .then(|| json!({ "amount": rng.between(1, 60), "reason": "as agreed" }));
    let start_time = start(rng);
    let (window_from, window_to) = match is_stay {
        true => (None, None),
        false => window(rng, &start_time),
    };
    let service = patch(json!({
        "client_id": client,
        "dog_ids": dog_ids,
        "date": date,
        "end_date": end_date,
        "price_override": price_override,
        "start_time": start_time,
        "window_from": window_from,
        "window_to": window_to,
        "duration_minutes": 30 * rng.between(1, 2),
        "service_type": if rng.chance(70) { "walk" } else { "dropin" },
        "offering_id": offering_id,
    }));
    let quoted_price = rng.chance(20).then_some(Cents(25_00));
    Some(Command::ScheduleService(ScheduleService {
        id: rng.id(now),
        service,
        overlap_ok: rng.chance(6),
        quoted_price,
        brings_back: false,
    }))
}

/// Draws a pet parent's request for a walk.
pub fn wished(rng: &mut Rng, days: &Days, client: Id, dog_ids: Vec<Id>, now: i64) -> WalkRequest {
    WalkRequest {
        requested_date: day(rng, days),
        requested_start_time: start(rng).parse().unwrap(),
        dog_ids,
        estimated_price: Cents(25_00),
        ..WalkRequest::new(rng.id(now), client, Instant(now))
    }
}

/// The answer to a request, more often than not to one that waits.
fn answer(rng: &mut Rng, view: &Business, value: i64, now: &Now) -> Option<Wish> {
    if rng.chance(30)
        && let Some(wish) = approve(rng, view, value, now)
    {
        return Some(wish);
    }
    let requests = view.requests.values().map(|it| &it.row);
    let (waiting, others): (Vec<&WalkRequest>, Vec<&WalkRequest>) =
        requests.partition(|it| it.status == RequestStatus::Pending);
    let some = if rng.chance(80) { &waiting } else { &others };
    let request = *rng.pick(some)?;
    let id = request.id;
    let sitter_response = format!("said {value}");
    let grants = rng.chance(70);
    if grants && request.subject.is_some() {
        return Some(grant(rng, view, request, value, now));
    }
    let command = if grants {
        Command::ApproveRequest(ApproveRequest {
            id,
            service_id: rng.id(now.at.0),
            sitter_response,
            start_time: None,
            overlap_ok: rng.chance(6),
            price: rng.chance(30).then(|| Cents(rng.between(0, 9_000))),
        })
    } else {
        Command::DeclineRequest(DeclineRequest {
            id,
            sitter_response,
        })
    };
    Some(command.into())
}

fn service_change(
    rng: &mut Rng,
    view: &Business,
    days: &Days,
    value: i64,
    now: i64,
    client: Id,
) -> Option<Wish> {
    let open: Vec<Id> = view
        .services
        .values()
        .filter(|it| it.row.status == ServiceStatus::Scheduled)
        .map(|it| it.row.id)
        .collect();
    let any: Vec<Id> = view.services.values().map(|it| it.row.id).collect();
    let some = |rng: &mut Rng| {
        if rng.chance(80) {
            rng.pick(&open).copied()
        } else {
            rng.pick(&any).copied()
        }
    };
    Some(match rng.below(22) {
        0..=5 => {
            let field = if rng.chance(50) {
                "notes"
            } else {
                "internal_notes"
            };
            let changes = Patch::of(field, format!("note {value}"));
            Command::UpdateService(UpdateService {
                id: some(rng)?,
                changes,
                overlap_ok: false,
                former_price: None,
            })
            .into()
        }
        6..=11 => {
            let id = some(rng)?;
            let mut changes = patch(json!({ "date": day(rng, days), "start_time": start(rng) }));
            if view.service(id)?.window().is_some() {
                // The start is agreed anew.
                changes.0.insert("window_from".to_owned(), json!(null));
                changes.0.insert("window_to".to_owned(), json!(null));
            }
            Command::UpdateService(UpdateService {
                id,
                changes,
                overlap_ok: rng.chance(6),
                former_price: None,
            })
            .into()
        }
        12..=14 => {
            let (notes, despite_cancel) = (format!("done {value}"), rng.chance(10));
            Command::CompleteService(CompleteService {
                id: some(rng)?,
                notes,
                internal_notes: String::new(),
                despite_cancel,
            })
            .into()
        }
        15..=16 => Command::CancelService(CancelService::new(some(rng)?)).into(),
        17 => Command::ReopenService(ReopenService {
            id: *rng.pick(&any)?,
            corrects: false,
        })
        .into(),
        18 => Command::DeleteService(DeleteService { id: some(rng)? }).into(),
        19..=20 => Command::SetServicePaid(SetServicePaid {
            id: *rng.pick(&any)?,
            paid: rng.chance(50),
        })
        .into(),
        _ => {
            let dog_ids: Vec<Id> = view.pets_of(client).iter().map(|it| it.id).collect();
            let service = patch(json!({
                "client_id": client, "dog_ids": dog_ids, "date": days.loose[0], "start_time": "10:00",
                "duration_minutes": 30, "service_type": "walk",
            }));
            Command::RecordService(RecordService {
                id: rng.id(now),
                service,
                brings_back: false,
            })
            .into()
        }
    })
}

/// Picks what a sitter does about invoices: most of the time with the newest ones, so that phones get in each other's way,
/// and often with those whose clients have paid too much. Nothing where there is nothing to bill.
fn of_invoices(rng: &mut Rng, view: &Business, value: i64, now: i64) -> Option<Command> {
    let served: Vec<Id> = view.services.values().map(|it| it.row.client_id).collect();
    let client = *rng.pick(&served)?;
    let mut invoices: Vec<Id> = view.invoices.values().map(|it| it.row.id).collect();
    invoices.drain(..invoices.len().saturating_sub(6));
    let services = view.services.values().map(|it| &it.row);
    let theirs: Vec<Id> = services
        .filter(|it| it.client_id == client && it.status != ServiceStatus::Cancelled)
        .map(|it| it.id)
        .collect();
    let is_overpaid = |id: &Id| {
        let invoice = view.invoice(*id);
        invoice.is_some_and(|it| Cents::ZERO < it.owed_back())
    };
    let overpaid: Vec<Id> = view.invoices.values().map(|it| it.row.id).collect();
    let overpaid: Vec<Id> = overpaid.into_iter().filter(is_overpaid).collect();
    let amount = rng.chance(30).then(|| Cents(rng.between(1, 40) * 100));
    let act = match (invoices.is_empty(), overpaid.is_empty()) {
        (true, _) => 0,
        (_, false) if rng.chance(40) => 12 + rng.below(4),
        _ => rng.below(21),
    };
    Some(match act {
        20 => Command::SetWrittenOff(SetWrittenOff {
            id: *rng.pick(&invoices)?,
            written_off: rng.chance(60),
            note: format!("gone {value}"),
        }),
        19 => {
            let client = view.invoice(*rng.pick(&invoices)?)?.client_id;
            invoices.retain(|it| view.invoice(*it).is_some_and(|it| it.client_id == client));
            let parts = invoices.iter().filter_map(|it| {
                let left = view.invoice(*it)?.balance();
                let more = Cents(rng.between(0, 2) * 500);
                Some(PaymentPart {
                    invoice_id: *it,
                    amount: left.max(Cents(100)) + more,
                })
            });
            let parts: Vec<PaymentPart> = parts.collect();
            Command::RecordPayments(RecordPayments {
                payment_id: rng.id(now),
                parts,
                ..RecordPayments::default()
            })
        }
        18 => Command::RemindOfInvoice(RemindOfInvoice {
            id: *rng.pick(&invoices)?,
        }),
        17 => Command::MarkPassedOn(MarkPassedOn {
            id: *rng.pick(&invoices)?,
            what: Shared::Invoice,
            passed_on: rng.chance(70),
            client_id: None,
        }),
        12 => {
            let id = *rng.pick(&overpaid).or_else(|| rng.pick(&invoices))?;
            let invoice = view.invoice(id)?;
            Command::SettleOverpayment(SettleOverpayment {
                id,
                tip: invoice.unsaid(),
                kept: invoice.kept(),
            })
        }
        13 | 14 => Command::RecordInvoiceRefund(RecordInvoiceRefund {
            id: *rng.pick(&overpaid).or_else(|| rng.pick(&invoices))?,
            refund_id: rng.id(now),
            amount: amount.filter(|_| rng.chance(50)),
            ..RecordInvoiceRefund::default()
        }),
        15 => {
            let id = *rng.pick(&invoices)?;
            let refund_id = view.invoice(id)?.refunds.first()?.id;
            Command::RemoveInvoiceRefund(RemoveInvoiceRefund { id, refund_id })
        }
        16 => {
            let invoice_id = *rng.pick(&invoices)?;
            Command::CreditInvoice(CreditInvoice {
                id: rng.id(now),
                invoice_id,
                amount: view.invoice(invoice_id)?.charged(),
                note: format!("mistake {value}"),
            })
        }
        0..=4 => {
            let mut services = theirs;
            services.retain(|_| rng.chance(60));
            services.truncate(4);
            let invoices = view.invoices.values().map(|it| &it.row);
            let kept = invoices.filter(|it| it.client_id == client && Cents::ZERO < it.kept());
            let credits = kept.map(|it| UsedCredit {
                invoice_id: it.id,
                amount: it.kept(),
            });
            let credits = credits.filter(|_| rng.chance(70)).collect();
            Command::ShareInvoice(ShareInvoice {
                id: rng.id(now),
                client_id: Some(client),
                services,
                credits,
                note: format!("thanks {value}"),
                ..ShareInvoice::default()
            })
        }
        5..=7 => {
            let id = *rng.pick(&invoices)?;
            let too_much = view.invoice(id)?.charged() + Cents(5_00);
            Command::RecordInvoicePayment(RecordInvoicePayment {
                id,
                payment_id: rng.id(now),
                amount: if rng.chance(15) {
                    Some(too_much)
                } else {
                    amount
                },
                ..RecordInvoicePayment::default()
            })
        }
        8 => {
            let id = *rng.pick(&invoices)?;
            let payment_id = view.invoice(id)?.payments.first()?.id;
            Command::RemoveInvoicePayment(RemoveInvoicePayment { id, payment_id })
        }
        9 => Command::DeleteInvoice(DeleteInvoice {
            id: *rng.pick(&invoices)?,
        }),
        10 => Command::RestoreInvoice(RestoreInvoice {
            id: *rng.pick(&invoices)?,
        }),
        _ => Command::CreditInvoice(CreditInvoice {
            id: rng.id(now),
            invoice_id: *rng.pick(&invoices)?,
            amount: amount.unwrap_or(Cents(10_00)),
            note: format!("slip {value}"),
        }),
    })
}

/// Draws a change of mileage and expenses.
fn of_expenses(
    rng: &mut Rng,
    view: &Business,
    days: &Days,
    value: i64,
    now: i64,
) -> Option<Command> {
    let expenses: Vec<Id> = view.expenses.values().map(|it| it.row.id).collect();
    Some(match rng.below(6) {
        0..=2 => CreateExpense {
            id: rng.id(now),
            expense: patch(json!({ "date": day(rng, days), "miles": rng.between(1, 40) })),
        }
        .into(),
        3 | 4 => UpdateExpense {
            id: *rng.pick(&expenses)?,
            changes: Patch::of("note", format!("drove {value}")),
        }
        .into(),
        _ => DeleteExpense {
            id: *rng.pick(&expenses)?,
        }
        .into(),
    })
}

/// A rule with few visits a week, on the days that everybody books and on the weekend.
fn rule(rng: &mut Rng) -> Value {
    match rng.below(8) {
        0 => json!({ "kind": "weekly", "every": 1, "weekdays": [2] }),
        1 | 2 => json!({ "kind": "weekly", "every": 1, "weekdays": [2, 4] }),
        3 => json!({ "kind": "weekly", "every": 2, "weekdays": [4, 6] }),
        4 => json!({ "kind": "weekly", "every": 1, "weekdays": [0, 6] }),
        5 => json!({ "kind": "daily", "every": rng.between(2, 9) }),
        6 => json!({ "kind": "monthly", "day": rng.between(27, 31) }),
        _ => json!({ "kind": "monthly_weekday", "nth": rng.between(1, 5), "weekday": 2 }),
    }
}

/// A time of a series, some of them with an offering that is not sold by the day.
pub fn slot(rng: &mut Rng, view: &Business) -> Value {
    let offerings = view.offerings.values().map(|it| &it.row);
    let offerings = offerings.filter(|it| it.pricing_type != PricingType::Daily);
    let offerings: Vec<Id> = offerings.map(|it| it.id).collect();
    let offering_id = rng.pick(&offerings).copied().filter(|_| rng.chance(30));
    json!({
        "start_time": start(rng), "duration_minutes": 30, "service_type": "walk", "offering_id": offering_id,
    })
}

/// Draws a change of a series: of one that is there, more often than not.
fn of_series(
    rng: &mut Rng,
    view: &Business,
    client: Id,
    days: &Days,
    value: i64,
    now: &Now,
) -> Option<Wish> {
    let at = now.at.0;
    let series: Vec<Series> = view.series.values().map(|it| it.row.clone()).collect();
    let known = rng.pick(&series).cloned();
    let near = |rng: &mut Rng| days.contended[0].plus_days(rng.between(-7, 30));
    let Some(known) = known.filter(|_| 3 < series.len() || rng.chance(80)) else {
        let mut dog_ids: Vec<Id> = view.pets_of(client).iter().map(|it| it.id).collect();
        dog_ids.truncate(1);
        let slots = (0..=rng.below(2)).map(|_| {
            let mut slot = slot(rng, view);
            slot["id"] = json!(rng.id(at));
            slot
        });
        let slots: Vec<Value> = slots.collect();
        let end = match rng.below(4) {
            0 => json!({ "kind": "after", "visits": rng.between(1, 30) }),
            1 => json!({ "kind": "on", "date": near(rng) }),
            _ => json!({ "kind": "never" }),
        };
        let plan = patch(json!({
            "client_id": client, "dog_ids": dog_ids, "rule": rule(rng), "slots": slots,
            "begins": days.contended[0].plus_days(rng.between(-7, 3)), "end": end,
        }));
        let command = Command::CreateSeries(CreateSeries {
            id: rng.id(at),
            series: plan,
            choices: Vec::new(),
        });
        return Some(chosen(rng, view, command, now));
    };
    let id = known.id;
    let visits = view.services.values().map(|it| &it.row);
    let visits: Vec<&Service> = visits.filter(|it| it.series_id == Some(id)).collect();
    let slots = known.phases.iter().flat_map(|it| &it.slots);
    let slots: Vec<Id> = slots.map(|it| it.id).collect();
    let from = near(rng);
    let replaces_own = rng.chance(25);
    let change = |changes: Patch, slots: Vec<SlotPatch>, removed_slots: Vec<Id>| {
        Command::ChangeSeries(ChangeSeries {
            id,
            from,
            changes,
            slots,
            removed_slots,
            replaces_own,
            choices: Vec::new(),
        })
    };
    let command = match rng.below(27) {
        0..=2 => Command::LeaveOutDate(LeaveOutDate {
            id,
            date: rng.pick(&visits)?.series_date?,
            slot: rng.pick(&slots).copied().filter(|_| value % 2 == 0),
        }),
        3..=5 => Command::PauseSeries(PauseSeries {
            id,
            pause_id: rng.id(at),
            from,
            to: from.plus_days(rng.between(0, 30)),
            reason: format!("away {value}"),
        }),
        6..=8 => Command::ResumeSeries(ResumeSeries {
            id,
            pause_id: rng.pick(&known.pauses)?.id,
            on: rng.chance(50).then_some(from),
            choices: Vec::new(),
        }),
        9 | 10 => Command::EndSeries(EndSeries {
            id,
            end: SeriesEnd::On { date: from },
            choices: Vec::new(),
        }),
        11 | 12 => Command::EndSeries(EndSeries {
            id,
            end: SeriesEnd::Never,
            choices: Vec::new(),
        }),
        13 | 14 => {
            let slot = SlotPatch {
                id: *rng.pick(&slots)?,
                is_new: false,
                changes: Patch::of("start_time", start(rng)),
            };
            change(Patch::default(), vec![slot], Vec::new())
        }
        15 => {
            let slot = SlotPatch {
                id: rng.id(at),
                is_new: true,
                changes: patch(slot(rng, view)),
            };
            change(Patch::default(), vec![slot], Vec::new())
        }
        16 => change(Patch::default(), Vec::new(), vec![*rng.pick(&slots)?]),
        17 => change(Patch::of("rule", rule(rng)), Vec::new(), Vec::new()),
        18 => {
            let notes = Patch::of("notes", format!("series {value}"));
            change(notes, Vec::new(), Vec::new())
        }
        19 => {
            let choices = known.waiting.iter().map(|it| choice(rng, *it)).collect();
            Command::SettleSeriesDates(SettleSeriesDates { id, choices })
        }
        20..=22 => Command::DeleteService(DeleteService {
            id: rng.pick(&visits)?.id,
        }),
        23 => {
            let agreed =
                json!({ "amount": rng.between(10, 60), "reason": format!("agreed {value}") });
            change(Patch::of("price_override", agreed), Vec::new(), Vec::new())
        }
        24 => {
            let pets: Vec<Id> = view
                .pets_of(known.client_id)
                .iter()
                .map(|it| it.id)
                .collect();
            let dog_ids: Vec<Id> = pets.into_iter().filter(|_| rng.chance(60)).collect();
            change(Patch::of("dog_ids", json!(dog_ids)), Vec::new(), Vec::new())
        }
        // A visit that is changed by itself.
        25 => Command::UpdateService(UpdateService {
            id: rng.pick(&visits)?.id,
            changes: Patch::of("start_time", start(rng)),
            overlap_ok: rng.chance(20),
            former_price: None,
        }),
        _ => Command::CancelService(CancelService::new(rng.pick(&visits)?.id)),
    };
    Some(chosen(rng, view, command, now))
}

/// Draws a decision on a visit whose time is taken.
fn choice(rng: &mut Rng, visit: SeriesDate) -> DateChoice {
    let ways = [
        DateWay::LeaveOut,
        DateWay::Book,
        DateWay::Move,
        DateWay::Wait,
        DateWay::Again,
    ];
    let way = *rng.pick(&ways).unwrap();
    DateChoice {
        date: visit.date,
        slot: visit.slot,
        way,
        start_time: (way == DateWay::Move).then(|| start(rng).parse().unwrap()),
    }
}

/// The command with what its person decides on the dates that the preview calls taken, and what undoes it.
pub fn chosen(rng: &mut Rng, view: &Business, mut command: Command, now: &Now) -> Wish {
    let preview = preview(view, &command, now);
    let taken = preview.dates.iter();
    let taken = taken.filter(|it| it.state == PreviewState::Taken);
    let visits: Vec<SeriesDate> = taken
        .map(|it| SeriesDate {
            date: it.date,
            slot: it.slot,
        })
        .collect();
    if !visits.is_empty() && rng.chance(70) {
        let decided: Vec<DateChoice> = visits.into_iter().map(|it| choice(rng, it)).collect();
        match &mut command {
            Command::CreateSeries(it) => it.choices = decided,
            Command::ChangeSeries(it) => it.choices = decided,
            Command::ResumeSeries(it) => it.choices = decided,
            Command::EndSeries(it) => it.choices = decided,
            Command::ChangeTrip(it) => it.choices = decided,
            Command::GrantRequest(it) => it.choices = decided,
            _ => {}
        }
    }
    let undo = undo(view, &command, now);
    Wish {
        undo,
        ..command.into()
    }
}

/// Returns true for a command about a series as a whole.
pub fn is_of_series(command: &Command) -> bool {
    matches!(
        command,
        Command::CreateSeries(_)
            | Command::ChangeSeries(_)
            | Command::LeaveOutDate(_)
            | Command::PauseSeries(_)
            | Command::ResumeSeries(_)
            | Command::EndSeries(_)
            | Command::ChangeTrip(_)
            | Command::SettleSeriesDates(_)
            | Command::MakeSeriesDate(_)
            | Command::RestoreSeries(_)
            | Command::DeleteSeries(_)
            | Command::ExtendSeries(_)
    )
}

/// The choices in a command about a series.
fn choices(command: &Command) -> Option<(Id, &[DateChoice])> {
    Some(match command {
        Command::CreateSeries(it) => (it.id, &it.choices),
        Command::ChangeSeries(it) => (it.id, &it.choices),
        Command::ResumeSeries(it) => (it.id, &it.choices),
        Command::EndSeries(it) => (it.id, &it.choices),
        Command::ChangeTrip(it) => (it.id, &it.choices),
        Command::SettleSeriesDates(it) => (it.id, &it.choices),
        Command::GrantRequest(it) => (it.id, &it.choices),
        _ => return None,
    })
}

/// Hours and blocked times of the weekend alone, so that what is free on the contended days is known without them.
fn availability(
    rng: &mut Rng,
    view: &Business,
    days: &Days,
    value: i64,
    now: i64,
) -> Option<Command> {
    let weekend: Vec<Id> = view
        .patterns
        .values()
        .filter(|it| matches!(it.row.day_of_week, 0 | 6))
        .map(|it| it.row.id)
        .collect();
    Some(match rng.below(6) {
        0 | 1 => {
            let day_of_week = days.loose[rng.below(2)].day_of_week();
            Command::CreatePattern(CreatePattern {
                id: rng.id(now),
                pattern: patch(json!({ "day_of_week": day_of_week })),
            })
        }
        2 => Command::UpdatePattern(UpdatePattern {
            id: *rng.pick(&weekend)?,
            changes: Patch::of("notes", format!("n{value}")),
        }),
        3 => Command::DeletePattern(DeletePattern {
            id: *rng.pick(&weekend)?,
        }),
        4 => {
            let date = days.loose[rng.below(2)];
            Command::CreateBlockedTime(CreateBlockedTime {
                id: rng.id(now),
                blocked_time: patch(json!({ "block_date": date })),
            })
        }
        _ => Command::DeleteBlockedTime(DeleteBlockedTime {
            id: *rng.pick(&ids(view.blocked_times.keys()))?,
        }),
    })
}

/// The rows that a command names to be deleted.
pub fn deletions(command: &Command) -> Vec<Id> {
    match command {
        Command::DeleteClient(DeleteClient { id })
        | Command::DeleteOffering(DeleteOffering { id })
        | Command::DeleteService(DeleteService { id })
        | Command::DeletePattern(DeletePattern { id })
        | Command::DeleteBlockedTime(DeleteBlockedTime { id })
        | Command::DeleteExpense(DeleteExpense { id })
        | Command::WithdrawRequest(WithdrawRequest { id })
        | Command::DeleteSeries(DeleteSeries { id }) => vec![*id],
        Command::UpdateClient(UpdateClient { removed_dogs, .. }) => removed_dogs.clone(),
        Command::UndoImport(UndoImport { clients }) => clients.clone(),
        Command::UndoTimeOff(UndoTimeOff { id, .. }) => vec![*id],
        Command::UndoCopy(UndoCopy { copied }) => copied.clone(),
        Command::UndoApproval(UndoApproval { service_id, .. }) => vec![*service_id],
        _ => Vec::new(),
    }
}

/// The services for which their person has accepted that they overlap others.
pub fn consent(command: &Command) -> Vec<Id> {
    if let Some((series, choices)) = choices(command) {
        let booked = choices.iter().filter(|it| it.way == DateWay::Book);
        return booked
            .map(|it| occurrence_id(series, it.slot, it.date))
            .collect();
    }
    match command {
        Command::MoveServices(MoveServices { moves, .. }) => {
            let moves = moves.iter().filter(|it| it.overlap_ok);
            return moves.map(|it| it.id).collect();
        }
        Command::CopyServices(CopyServices { copies }) => {
            let copies = copies.iter().filter(|it| it.overlap_ok);
            return copies.map(|it| it.id).collect();
        }
        Command::ApproveRequests(ApproveRequests { approvals }) => {
            let approvals = approvals.iter().filter(|it| it.overlap_ok);
            return approvals.map(|it| it.service_id).collect();
        }
        // Nothing can be refused to a person who is late.
        Command::AnnounceDelay(AnnounceDelay { delayed, .. }) => {
            return delayed.iter().map(|it| it.id).collect();
        }
        _ => {}
    }
    let one = match command {
        Command::ScheduleService(ScheduleService {
            id,
            overlap_ok: true,
            ..
        })
        | Command::UpdateService(UpdateService {
            id,
            overlap_ok: true,
            ..
        })
        | Command::CompleteService(CompleteService {
            id,
            despite_cancel: true,
            ..
        })
        | Command::RecordService(RecordService { id, .. })
        | Command::ApproveRequest(ApproveRequest {
            service_id: id,
            overlap_ok: true,
            ..
        }) => Some(*id),
        _ => None,
    };
    one.into_iter().collect()
}

/// The table and the id of a row, and the rows that it is made with.
type Creation = (&'static str, Id, Vec<(&'static str, Id)>);

/// The rows that a command makes, with those that they build on.
pub fn creations(command: &Command) -> Vec<Creation> {
    match command {
        Command::ImportClients(ImportClients { clients }) => {
            let clients = clients.iter();
            clients.map(|it| ("client", it.id, Vec::new())).collect()
        }
        Command::CopyServices(CopyServices { copies, .. }) => {
            let copies = copies.iter();
            copies
                .map(|it| ("service", it.id, vec![("service", it.original)]))
                .collect()
        }
        command => creation(command).into_iter().collect(),
    }
}

fn creation(command: &Command) -> Option<Creation> {
    let dogs = |row: &Patch| -> Vec<(&'static str, Id)> {
        let dogs = row.0.get("dog_ids").and_then(Value::as_array);
        let dogs = dogs.into_iter().flatten();
        dogs.filter_map(|it| Some(("pet", it.as_str()?.parse().ok()?)))
            .collect()
    };
    let ids = |service: &Patch| -> Vec<(&'static str, Id)> {
        let client = service
            .0
            .get("client_id")
            .and_then(Value::as_str)
            .and_then(|it| it.parse().ok());
        client
            .map(|it| ("client", it))
            .into_iter()
            .chain(dogs(service))
            .collect()
    };
    Some(match command {
        Command::CreateClient(CreateClient { id, .. }) => ("client", *id, Vec::new()),
        Command::CreateOffering(CreateOffering { id, .. }) => ("offering", *id, Vec::new()),
        Command::CreatePattern(CreatePattern { id, .. }) => {
            ("availability_pattern", *id, Vec::new())
        }
        Command::CreateBlockedTime(CreateBlockedTime { id, .. }) => {
            ("blocked_time", *id, Vec::new())
        }
        Command::CreateExpense(CreateExpense { id, .. }) => ("expense", *id, Vec::new()),
        Command::ScheduleService(ScheduleService { id, service, .. })
        | Command::RecordService(RecordService { id, service, .. }) => {
            ("service", *id, ids(service))
        }
        Command::CreateSeries(CreateSeries { id, series, .. }) => ("series", *id, ids(series)),
        Command::TakeTimeOff(TakeTimeOff { id, .. }) => ("blocked_time", *id, Vec::new()),
        Command::AskForChange(AskForChange { id, change, .. }) => {
            let of = match change {
                RequestSubject::LeaveOutDate { series_id, .. }
                | RequestSubject::PauseSeries { series_id, .. } => vec![("series", *series_id)],
                RequestSubject::CancelService { service_id }
                | RequestSubject::MoveService { service_id, .. } => vec![("service", *service_id)],
                RequestSubject::Series { .. } => Vec::new(),
            };
            ("walk_request", *id, of)
        }
        Command::SendMessage(SendMessage {
            id,
            conversation_id,
            ..
        }) => ("message", *id, vec![("client", *conversation_id)]),
        Command::AskForService(AskForService { id, request, .. }) => {
            ("walk_request", *id, dogs(request))
        }
        Command::ShareInvoice(ShareInvoice {
            id,
            client_id,
            services,
            ..
        }) => {
            let client = client_id.map(|it| ("client", it)).into_iter();
            let services = services.iter().map(|it| ("service", *it));
            ("invoice", *id, client.chain(services).collect())
        }
        _ => return None,
    })
}

/// The fields that a command sets and that nothing but another such command changes.
pub fn words(command: &Command) -> Vec<(String, String, Value)> {
    let fields =
        |table: &str, id: Id, patch: &Patch, of: &[&str]| -> Vec<(String, String, Value)> {
            let set = patch
                .0
                .iter()
                .filter(|(field, _)| of.contains(&field.as_str()));
            set.map(|(field, value)| (format!("{table}/{id}"), field.clone(), value.clone()))
                .collect()
        };
    match command {
        Command::UpdateClient(UpdateClient {
            id, changes, dogs, ..
        }) => {
            let mut all = fields(
                "client",
                *id,
                changes,
                &[
                    "phone",
                    "address",
                    "email",
                    "access_notes",
                    "internal_notes",
                    "vet",
                    "house_instructions",
                    "how_to_get_in",
                ],
            );
            for dog in dogs.iter().filter(|it| !it.is_new) {
                all.extend(fields("pet", dog.id, &dog.changes, &["about", "breed"]));
            }
            all
        }
        Command::SettleText(SettleText {
            id,
            client_id,
            field,
            content,
            ..
        }) => {
            let table = if id == client_id { "client" } else { "pet" };
            let patch = Patch::of(field, content.as_str());
            let long = [
                "about",
                "access_notes",
                "house_instructions",
                "internal_notes",
            ];
            fields(table, *id, &patch, &long)
        }
        Command::UpdateOffering(UpdateOffering { id, changes }) => {
            fields("offering", *id, changes, &["description"])
        }
        Command::UpdateExpense(UpdateExpense { id, changes }) => {
            fields("expense", *id, changes, &["note"])
        }
        Command::UpdateService(UpdateService { id, changes, .. }) => {
            fields("service", *id, changes, &["notes", "internal_notes"])
        }
        _ => Vec::new(),
    }
}

/// The command with whole rows in place of what was touched: one of the planted bugs.
pub fn with_whole_rows(command: Command, view: &Business) -> Command {
    fn whole<T: serde::Serialize>(row: Option<&T>, changes: Patch) -> Patch {
        let mut whole = row.map(Patch::from_row).unwrap_or_default();
        whole.0.extend(changes.0);
        whole
    }
    match command {
        Command::UpdateClient(UpdateClient {
            id,
            changes,
            dogs,
            removed_dogs,
        }) => Command::UpdateClient(UpdateClient {
            id,
            changes: whole(view.client(id), changes),
            dogs,
            removed_dogs,
        }),
        Command::UpdateOffering(UpdateOffering { id, changes }) => {
            let row = view.offerings.get(&id).map(|it| &it.row);
            Command::UpdateOffering(UpdateOffering {
                id,
                changes: whole(row, changes),
            })
        }
        Command::UpdateService(UpdateService {
            id,
            changes,
            overlap_ok,
            former_price,
        }) => {
            let row: Option<&Service> = view.service(id);
            Command::UpdateService(UpdateService {
                id,
                changes: whole(row, changes),
                overlap_ok,
                former_price,
            })
        }
        other => other,
    }
}
