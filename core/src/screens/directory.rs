//! Owns the client list as screens show it: each client with its pets, the order, and what a search finds.

use serde::{Deserialize, Serialize};

use crate::rows::business::PetsByClient;
use crate::rows::client::{Client, ParentChange};
use crate::rows::message::Side;
use crate::rows::pet::Pet;
use crate::rows::service::{Service, ServiceStatus};
use crate::rules::client::order;
use crate::rules::message::can_be_messaged;
use crate::rules::overdue::is_not_completed;
use crate::screens::calendar::ServiceView;
use crate::values::instant::MS_PER_HOUR;
use crate::values::phone_numbers::numbers_in;
use crate::values::sort::SmallSort as _;
use crate::{Business, Id, Now};

/// A client with its pets, as a card shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ClientCard {
    /// The client itself, with its unread messages counted.
    pub client: Client,
    /// Its pets, in their order.
    pub dogs: Vec<Pet>,
    /// Pets that are no longer with it, in their order.
    pub gone_dogs: Vec<Pet>,
    /// True if its pets are still to be named, as those of a contact that was imported: nothing can be booked for it
    /// until then.
    pub needs_pet: bool,
    /// True if it can be messaged: it has an e-mail or a linked client user (SPEC 2, Clients).
    pub can_message: bool,
    /// Numbers to call in an emergency, that of the client not among them: those of the vet, and whom the client names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub emergency_calls: Vec<EmergencyCall>,
    /// Access notes with all versions that wait for a decision; empty where nothing is noted.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub access: String,
}

/// Number to call in an emergency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EmergencyCall {
    /// `Vet, Dr. Cole`, `Vet, after hours`, or `Emergency contact, Lee`.
    pub label: String,
    /// Digits to dial, perhaps with a plus sign in front.
    pub dialed: String,
}

/// The numbers in what is known of the vet and of whom to call; each may have several, such as one for after hours.
fn emergency_calls(client: &Client) -> Vec<EmergencyCall> {
    let of = |text: &str, whose: &'static str| {
        numbers_in(text).into_iter().map(move |it| EmergencyCall {
            label: match it.words.as_str() {
                "" => whose.to_owned(),
                words => [whose, ", ", words].concat(),
            },
            dialed: it.dialed,
        })
    };
    let vet = of(&client.vet, "Vet");
    let contact = of(&client.emergency_contact, "Emergency contact");
    vet.chain(contact).collect()
}

impl ClientCard {
    fn of(business: &Business, client: &Client, pets: &[&Pet]) -> Self {
        let pets = pets.iter().copied().cloned();
        let (gone_dogs, dogs): (Vec<Pet>, Vec<Pet>) = pets.partition(|it| it.gone_on.is_some());
        let conversation = business.conversation(client.id);
        let mut client = client.clone();
        client.unread_count = conversation.map_or(0, |it| it.unread_by(Side::Sitter));
        Self {
            needs_pet: dogs.is_empty() && gone_dogs.is_empty(),
            can_message: can_be_messaged(&client),
            emergency_calls: emergency_calls(&client),
            access: client.access_in_all_versions(),
            client,
            dogs,
            gone_dogs,
        }
    }
}

/// Recent changes by a pet parent to the own record and the pets.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ParentNews {
    /// Id of the client whose record it is.
    pub client_id: Id,
    /// The newest last.
    pub changes: Vec<ParentChange>,
}

/// Time for which changes by a pet parent are news: a phone that was set up today has shown none of them.
const PARENT_NEWS_MS: i64 = 30 * 24 * MS_PER_HOUR;

/// Part of the JSON of each client for whom a pet parent has changed something.
const SET_BY_PARENT: &str = r#""parent_changes":[{"#;

/// Returns the changes by pet parents of the last 30 days, client by client. Each phone keeps its own record of what
/// was read there.
pub fn parent_news(business: &Business, now: &Now) -> Vec<ParentNews> {
    let is_news = |it: &&ParentChange| now.at.0 - it.at.0 < PARENT_NEWS_MS;
    let of_client = |client: &Client| ParentNews {
        client_id: client.id,
        changes: client
            .parent_changes
            .iter()
            .filter(is_news)
            .cloned()
            .collect(),
    };
    let changed = business.clients.saying(SET_BY_PARENT);
    changed
        .map(of_client)
        .filter(|it| !it.changes.is_empty())
        .collect()
}

/// A client's services as the client's page shows them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ClientServices {
    /// Still to come, the next one first.
    pub upcoming: Vec<ServiceView>,
    /// Everything else, the newest first, no more than were asked for.
    pub past: Vec<ServiceView>,
    /// How many there are of the latter.
    pub past_count: u32,
}

/// A client's services: what comes, and the `most` newest of what was.
pub fn client_services(business: &Business, id: Id, most: u32, now: &Now) -> ClientServices {
    let (mut upcoming, mut past): (Vec<_>, Vec<_>) = business
        .services
        .referring_to(id)
        .filter(|it| it.client_id == id)
        .partition(|it| is_to_come(it, now));
    upcoming.small_sort_by_key(|it| (it.date, it.start_time, it.id));
    past.small_sort_by_key(|it| std::cmp::Reverse((it.date, it.start_time, it.id)));
    let view = |it: &Service| ServiceView::at(it, business.hour_cycle(), Some(now));
    ClientServices {
        upcoming: upcoming.into_iter().map(view).collect(),
        past_count: u32::try_from(past.len()).unwrap_or(u32::MAX),
        past: past.into_iter().take(most as usize).map(view).collect(),
    }
}

/// Returns true if a service is still to be done, or is being done.
pub(crate) fn is_to_come(service: &Service, now: &Now) -> bool {
    let last = service.end_date.unwrap_or(service.date);
    let is_open = service.status == ServiceStatus::Scheduled;
    now.today() <= last && is_open && !is_not_completed(service, now)
}

/// Returns true if a client is about to be visited, is being visited, or was just now. At any other time the door code
/// is hidden from people who look over a shoulder.
pub fn is_visit_near(business: &Business, id: Id, now: &Now) -> bool {
    let today = now.today();
    let visits = business.services.between(today.plus_days(-1), today);
    let stays = business.services.stays_between(today, today);
    visits
        .chain(stays)
        .any(|it| it.client_id == id && it.status == ServiceStatus::Scheduled && is_near(it, now))
}

/// Returns true if a service is so near that the sitter needs to know how to get in.
pub(crate) fn is_near(service: &Service, now: &Now) -> bool {
    let (today, minute) = (now.today(), now.today().minute(now.time()));
    match service.end_date {
        Some(last) => service.date <= today && today <= last,
        None => {
            let visit = service.interval();
            visit.start - NEAR_BEFORE_MINUTES <= minute && minute <= visit.end + NEAR_AFTER_MINUTES
        }
    }
}

/// The way there and a look ahead.
const NEAR_BEFORE_MINUTES: i64 = 120;

/// Late, or back for what was forgotten.
const NEAR_AFTER_MINUTES: i64 = 60;

/// One client with its pets, if it exists.
pub fn client_card(business: &Business, id: Id) -> Option<ClientCard> {
    let client = business.client(id)?;
    Some(ClientCard::of(business, client, &business.pets_of(id)))
}

/// The clients that `search` finds with their pets, by name; all of them when it is empty.
pub fn clients(
    business: &Business,
    search: &str,
    fold: &dyn Fn(&str) -> String,
) -> Vec<ClientCard> {
    let pets = business.pets_by_client();
    let found = matching(business, search, &pets, fold);
    cards(business, found, &pets)
}

fn cards(business: &Business, found: Vec<&Client>, pets: &PetsByClient<'_>) -> Vec<ClientCard> {
    let found = found.into_iter();
    found
        .map(|it| ClientCard::of(business, it, pets.of(it.id)))
        .collect()
}

/// The clients of a list, by name: those that `listed` finds, or the inactive ones alone.
pub fn client_list(
    business: &Business,
    search: &str,
    is_inactive: bool,
    fold: &dyn Fn(&str) -> String,
) -> Vec<ClientCard> {
    let pets = business.pets_by_client();
    let found = if is_inactive {
        let mut found = matching(business, search, &pets, fold);
        found.retain(|it| it.inactive_since.is_some());
        found
    } else {
        listed(business, search, &pets, fold)
    };
    cards(business, found, &pets)
}

/// Counts the inactive clients.
pub fn inactive_count(business: &Business) -> usize {
    let clients = business.clients.values();
    let inactive = clients.filter(|it| it.row.inactive_since.is_some());
    inactive.count()
}

/// As `matching`, for lists and for what one picks from: an inactive client is there only where it is searched for.
pub(crate) fn listed<'a>(
    business: &'a Business,
    search: &str,
    pets: &PetsByClient<'_>,
    fold: &dyn Fn(&str) -> String,
) -> Vec<&'a Client> {
    let mut found = matching(business, search, pets, fold);
    if search.trim().is_empty() {
        found.retain(|it| it.inactive_since.is_none());
    }
    found
}

/// All clients that `search` finds, by name; all of them when it is empty.
///
/// Every word of the search must occur in the client's name, address, phone or e-mail or in a pet's name or breed;
/// letters' case and a phone number's punctuation do not matter. `fold` takes the case away: the tables for that are
/// large, and a phone's browser has them.
pub(crate) fn matching<'a>(
    business: &'a Business,
    search: &str,
    pets: &PetsByClient<'_>,
    fold: &dyn Fn(&str) -> String,
) -> Vec<&'a Client> {
    let search = fold(search);
    let words: Vec<&str> = search.split_whitespace().collect();
    let mut found: Vec<((String, Id), &Client)> = Vec::new();
    for client in business.clients.values().map(|it| &it.row) {
        let is_found = words.is_empty() || {
            let text = fold(&searched_text(client, pets.of(client.id)));
            words.iter().all(|word| text.contains(word))
        };
        if is_found {
            found.push((order(client, fold), client));
        }
    }
    found.small_sort_by(|(a, _), (b, _)| a.cmp(b));
    found.into_iter().map(|(_, client)| client).collect()
}

fn searched_text(client: &Client, dogs: &[&Pet]) -> String {
    let digits: String = client.phone.chars().filter(char::is_ascii_digit).collect();
    let mut text = [
        client.name.as_str(),
        &client.address,
        &client.phone,
        &digits,
        &client.email,
    ]
    .join("\n");
    for dog in dogs {
        for part in [&dog.name, &dog.breed] {
            text.push('\n');
            text.push_str(part);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Date, Instant, Row, Time};

    fn business() -> Business {
        let mut business = Business::default();
        for (number, name, phone, dog) in [
            (1, "Dana Whitfield", "(555) 010-4477", "Biscuit"),
            (2, "amir Haddad", "", "Rex"),
        ] {
            let mut client = Client::new(Id::of(number), Instant(0));
            client.name = name.to_owned();
            client.phone = phone.to_owned();
            let mut pet = Pet::new(Id::of(number + 100), client.id);
            pet.name = dog.to_owned();
            business.put(1, Row::Client(client));
            business.put(1, Row::Pet(pet));
        }
        business
    }

    fn check(search: &str, expected: &[&str]) {
        let found = clients(&business(), search, &str::to_lowercase);
        let names: Vec<&str> = found.iter().map(|it| it.client.name.as_str()).collect();
        assert_eq!(names, expected, "search for {search:?}");
    }

    #[test]
    fn clients_come_by_name_whatever_its_case() {
        check("", &["amir Haddad", "Dana Whitfield"]);
    }

    #[test]
    fn a_search_finds_names_pets_and_phone_numbers() {
        check("dana", &["Dana Whitfield"]);
        check("rex", &["amir Haddad"]);
        check("5550104477", &["Dana Whitfield"]);
        check("biscuit white", &[]);
        check("biscuit whit", &["Dana Whitfield"]);
        check("nobody", &[]);
    }

    #[test]
    fn what_a_pet_parent_has_set_is_news_for_thirty_days() {
        let mut business = business();
        let now = Now {
            at: "2026-11-20T15:00:00Z".parse().unwrap(),
            zone: crate::values::zone::TimeZone::UTC,
        };
        let mut set = |client, what: &str, days: i64| {
            let at = Instant(now.at.0 - days * 24 * MS_PER_HOUR);
            let what = what.to_owned();
            let mut client = business.client(Id::of(client)).unwrap().clone();
            client
                .parent_changes
                .push(ParentChange { what, at, by: None });
            business.put(1, Row::Client(client));
        };
        set(1, "Vet", 30);
        set(2, "Phone", 31);
        set(2, "Rex: Breed", 29);
        set(2, "Address", 0);
        let news = parent_news(&business, &now);
        let told: Vec<(Id, Vec<&str>)> = news
            .iter()
            .map(|it| {
                (
                    it.client_id,
                    it.changes.iter().map(|it| it.what.as_str()).collect(),
                )
            })
            .collect();
        assert_eq!(told, [(Id::of(2), vec!["Rex: Breed", "Address"])]);
        // The same on a phone that has just started and has read none of them.
        let line = |it: &Client| {
            let (id, row) = (it.id, serde_json::to_string(it).unwrap());
            format!(r#"client/{id} {{"t":"client","id":"{id}","rev":1,"d":{row}}}"#)
        };
        let lines: Vec<_> = business.clients.values().map(|it| line(&it.row)).collect();
        let mut unread = Business::default();
        unread.load(lines.join("\n"));
        assert_eq!(
            format!("{:?}", parent_news(&unread, &now)),
            format!("{news:?}")
        );
    }

    #[test]
    fn a_door_code_is_near_from_two_hours_before_a_visit_until_an_hour_after_it() {
        let mut business = business();
        let date: Date = "2026-11-20".parse().unwrap();
        let mut visit = Service::new(Id::of(11), Instant(0));
        (visit.client_id, visit.date, visit.start_time) = (Id::of(1), date, Time::hour(12));
        business.put(1, Row::Service(visit.clone()));
        let near = |business: &Business, at: &str, client: u128| {
            let at = format!("2026-11-20T{at}:00Z").parse().unwrap();
            let zone = crate::values::zone::TimeZone::UTC;
            is_visit_near(business, Id::of(client), &Now { at, zone })
        };
        let asked = ["09:59", "10:00", "12:15", "13:30", "13:31"];
        let answers = asked.map(|at| near(&business, at, 1));
        assert_eq!(answers, [false, true, true, true, false]);
        assert!(!near(&business, "12:15", 2));
        // A stay is near on all of its days.
        (visit.date, visit.end_date) = (date.plus_days(-2), Some(date));
        business.put(1, Row::Service(visit.clone()));
        assert!(near(&business, "23:00", 1));
        visit.status = ServiceStatus::Cancelled;
        business.put(1, Row::Service(visit));
        assert!(!near(&business, "23:00", 1));
    }

    #[test]
    fn a_card_has_the_numbers_of_the_vet_and_of_whom_to_call() {
        let client = Client {
            vet: "Oak Vets 555-010-0101, after hours 555-010-0199".to_owned(),
            emergency_contact: "555 010 0102".to_owned(),
            ..Client::new(Id::of(1), Instant(0))
        };
        let mut business = Business::default();
        business.put(1, Row::Client(client));
        let calls = client_card(&business, Id::of(1)).unwrap().emergency_calls;
        let calls: Vec<_> = calls
            .iter()
            .map(|it| (it.label.as_str(), it.dialed.as_str()))
            .collect();
        assert_eq!(
            calls,
            [
                ("Vet, Oak Vets", "5550100101"),
                ("Vet, after hours", "5550100199"),
                ("Emergency contact", "5550100102")
            ]
        );
    }

    #[test]
    fn a_clients_services_are_what_comes_and_what_was() {
        let mut business = business();
        let today: Date = "2026-11-20".parse().unwrap();
        let mut put = |number, days, hour, status| {
            let mut service = Service::new(Id::of(number), Instant(0));
            service.client_id = Id::of(1);
            service.date = today.plus_days(days);
            service.start_time = Time::hour(hour);
            service.status = status;
            business.put(1, Row::Service(service));
        };
        put(11, 2, 8, ServiceStatus::Scheduled);
        put(12, 0, 8, ServiceStatus::Scheduled);
        put(13, 1, 8, ServiceStatus::Cancelled);
        put(14, -1, 8, ServiceStatus::Scheduled);
        put(15, -2, 8, ServiceStatus::Completed);
        let mut other = Service::new(Id::of(16), Instant(0));
        other.client_id = Id::of(2);
        other.date = today;
        business.put(1, Row::Service(other));

        let mut stay = Service::new(Id::of(17), Instant(0));
        (stay.client_id, stay.date) = (Id::of(1), today.plus_days(-3));
        stay.end_date = Some(today);
        business.put(1, Row::Service(stay));

        let now = Now {
            at: "2026-11-20T15:00:00Z".parse().unwrap(),
            zone: crate::values::zone::TimeZone::UTC,
        };
        let services = client_services(&business, Id::of(1), 2, &now);
        let ids = |views: &[ServiceView]| views.iter().map(|it| it.service.id).collect::<Vec<_>>();
        assert_eq!(
            ids(&services.upcoming),
            [Id::of(17), Id::of(11)],
            "a stay is to be done until its last day"
        );
        assert_eq!(ids(&services.past), [Id::of(13), Id::of(12)]);
        assert_eq!(services.past_count, 4);
        let overdue: Vec<bool> = services.past.iter().map(|it| it.overdue).collect();
        assert_eq!(overdue, [false, true]);
    }
}
