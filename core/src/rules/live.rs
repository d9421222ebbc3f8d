//! Owns what a client sees of a visit before its report, and which clients an event may be sent to
//! (docs/decisions/clients.md, photos while a visit is under way).

use serde::Serialize;

use crate::rows::client::LiveSharing;
use crate::rows::service::{LiveEvent, Service, ServiceStatus};
use crate::rules::report::{ClientAlong, audience};
use crate::rules::ways_to_client::is_in_portal;
use crate::values::format;
use crate::values::units::HourCycle;
use crate::values::walk_event::{EMERGENCY_EVENT, WalkEventKind};
use crate::{Business, Id, Now};

/// Returns true if the client of a service sees what is sent of it: there is a login, and the sitter sends this client
/// photos and events.
pub(crate) fn is_shown(business: &Business, service: &Service) -> bool {
    business
        .client(service.client_id)
        .is_some_and(|it| is_in_portal(it) && it.sends_live != LiveSharing::Off)
}

/// A client to whom an event of a visit under way may be sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct LiveRecipient {
    /// Id of the service at which the client sees it.
    pub service_id: Id,
    /// Id of the client.
    pub client_id: Id,
    /// The client's name.
    pub name: String,
    /// True if it is sent without a further act.
    pub is_sent_at_once: bool,
    /// The event as it was sent; `None` where it was not.
    pub sent: Option<LiveEvent>,
}

/// Lists the clients to whom an event of these dogs, or of all where none is named, may be sent. `service_ids` are the
/// services of the walk, `along` its dogs.
pub fn live_recipients(
    business: &Business,
    service_ids: &[Id],
    along: &[Id],
    event: &LiveEvent,
    dog_ids: &[Id],
) -> Vec<LiveRecipient> {
    // It is the sitter's to tell, in their own words.
    if event.note == EMERGENCY_EVENT {
        return Vec::new();
    }
    let services: Vec<&Service> = service_ids
        .iter()
        .filter_map(|it| business.service(*it))
        .collect();
    let clients = clients_along(business, &services, along);
    let may = audience(event.kind, &event.note, dog_ids, &clients).may;
    let mut recipients: Vec<LiveRecipient> = Vec::new();
    for service in services {
        let is_new = recipients
            .iter()
            .all(|it| it.client_id != service.client_id);
        let sent = service.live.iter().find(|it| it.id == event.id);
        // What a client sees can be taken back, also once it is of other dogs.
        let may_be_sent = may.contains(&service.client_id)
            && service.status != ServiceStatus::Cancelled
            && is_shown(business, service);
        let is_for = is_new && (may_be_sent || sent.is_some());
        let Some(client) = business.client(service.client_id).filter(|_| is_for) else {
            continue;
        };
        // Words, and what may be about another client's dog, are sent by a person.
        let is_plain = event.kind != WalkEventKind::Note && event.note.trim().is_empty();
        recipients.push(LiveRecipient {
            service_id: service.id,
            client_id: client.id,
            name: client.name.clone(),
            is_sent_at_once: client.sends_live == LiveSharing::On && is_plain && clients.len() == 1,
            sent: sent.cloned(),
        });
    }
    recipients
}

/// The clients of these services and of the dogs that are along, each with those dogs.
pub(crate) fn clients_along(
    business: &Business,
    services: &[&Service],
    along: &[Id],
) -> Vec<ClientAlong> {
    let mut clients: Vec<ClientAlong> = Vec::new();
    let mut add = |client_id: Id, dogs: &[Id]| match clients
        .iter_mut()
        .find(|it| it.client_id == client_id)
    {
        Some(it) => it.dog_ids.extend_from_slice(dogs),
        None => clients.push(ClientAlong {
            client_id,
            dog_ids: dogs.to_vec(),
        }),
    };
    for service in services {
        add(service.client_id, &service.dog_ids);
    }
    for dog in along.iter().filter_map(|it| business.pet(*it)) {
        add(dog.client_id, &[dog.id]);
    }
    clients
}

/// A photo or an event of a visit, as its client reads it before the report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct LiveMoment {
    /// Id of the event.
    pub id: Id,
    /// `Poop`, or the sitter's words.
    pub text: String,
    /// `12:16 PM`; with its day where that is another one than today.
    pub time: String,
    /// The photo, if it is one.
    pub photo: Option<Id>,
}

/// Lists the events that the client of a service sees before its report, the newest first. `now` is in the zone of the sitter.
pub fn live_moments(service: &Service, now: &Now, cycle: HourCycle) -> Vec<LiveMoment> {
    let moment = |it: &LiveEvent| {
        let (date, time) = it.at.civil(&now.zone);
        LiveMoment {
            id: it.id,
            text: match it.note.as_str() {
                "" => it.kind.name().to_owned(),
                note => note.to_owned(),
            },
            time: if date == now.today() {
                format::time(time, cycle)
            } else {
                format::day_and_time(date, time, cycle)
            },
            photo: it.photo,
        }
    };
    service.live.iter().rev().map(moment).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::client::Client;
    use crate::rows::pet::Pet;
    use crate::values::zone::TimeZone;
    use crate::{Instant, Row};

    const MIKKO: Id = Id::of(2);
    const DANA: Id = Id::of(3);
    const REX: Id = Id::of(20);
    const TAIKA: Id = Id::of(30);

    fn client(id: Id, sends_live: LiveSharing) -> Client {
        Client {
            name: if id == MIKKO { "Mikko" } else { "Dana" }.to_owned(),
            client_user_id: Some(Id::of(7)),
            sends_live,
            ..Client::new(id, Instant(0))
        }
    }

    fn business(clients: &[Client]) -> Business {
        let mut business = Business::default();
        for it in clients {
            let dog = if it.id == MIKKO { REX } else { TAIKA };
            business.put(1, Row::Client(it.clone()));
            business.put(1, Row::Pet(Pet::new(dog, it.id)));
            let service = Service {
                client_id: it.id,
                dog_ids: vec![dog],
                ..Service::new(service_of(it.id), Instant(0))
            };
            business.put(1, Row::Service(service));
        }
        business
    }

    fn service_of(client_id: Id) -> Id {
        Id::of(if client_id == MIKKO { 200 } else { 300 })
    }

    fn event(kind: WalkEventKind, note: &str) -> LiveEvent {
        LiveEvent {
            id: Id::of(1),
            kind,
            at: Instant(0),
            note: note.to_owned(),
            photo: None,
        }
    }

    /// The names of those to whom it may be sent, and whether it is at once.
    fn sent_to(
        business: &Business,
        along: &[Id],
        event: &LiveEvent,
        dog_ids: &[Id],
    ) -> Vec<(String, bool)> {
        let services = [service_of(MIKKO), service_of(DANA)];
        let found = live_recipients(business, &services, along, event, dog_ids);
        found
            .into_iter()
            .map(|it| (it.name, it.is_sent_at_once))
            .collect()
    }

    #[test]
    fn the_sitters_choice_says_whether_a_photo_is_sent_at_once_on_asking_or_never() {
        let photo = event(WalkEventKind::Photo, "");
        for (choice, expected) in [
            (LiveSharing::On, vec![("Mikko".to_owned(), true)]),
            (LiveSharing::Ask, vec![("Mikko".to_owned(), false)]),
            (LiveSharing::Off, vec![]),
        ] {
            let business = business(&[client(MIKKO, choice)]);
            assert_eq!(sent_to(&business, &[REX], &photo, &[]), expected);
        }
        let outside = Client {
            client_user_id: None,
            ..client(MIKKO, LiveSharing::On)
        };
        assert_eq!(sent_to(&business(&[outside]), &[REX], &photo, &[]), []);
    }

    #[test]
    fn words_are_sent_by_a_person_and_an_emergency_is_not() {
        let business = business(&[client(MIKKO, LiveSharing::On)]);
        let sent = |note| sent_to(&business, &[REX], &event(WalkEventKind::Note, note), &[]);
        assert_eq!(sent("Found a stick"), [("Mikko".to_owned(), false)]);
        assert_eq!(sent(EMERGENCY_EVENT), []);
    }

    #[test]
    fn with_several_clients_a_person_chooses_among_those_whose_dogs_it_is_of() {
        let both = [
            client(MIKKO, LiveSharing::On),
            client(DANA, LiveSharing::On),
        ];
        let business = business(&both);
        let photo = event(WalkEventKind::Photo, "");
        let (mikko, dana) = (("Mikko".to_owned(), false), ("Dana".to_owned(), false));
        let along = [REX, TAIKA];
        let sent = |dogs: &[Id]| sent_to(&business, &along, &photo, dogs);
        assert_eq!(sent(&[]), [mikko.clone(), dana.clone()]);
        assert_eq!(sent(&[REX]), [mikko]);
        assert_eq!(sent(&[TAIKA]), [dana]);
    }

    #[test]
    fn a_dog_without_a_service_is_somebodys_too() {
        let mut business = business(&[client(MIKKO, LiveSharing::On)]);
        business.put(1, Row::Pet(Pet::new(TAIKA, DANA)));
        let photo = event(WalkEventKind::Photo, "");
        let sent = |along: &[Id]| sent_to(&business, along, &photo, &[]);
        assert_eq!(sent(&[REX]), [("Mikko".to_owned(), true)]);
        assert_eq!(sent(&[REX, TAIKA]), [("Mikko".to_owned(), false)]);
    }

    #[test]
    fn the_newest_moment_comes_first_and_one_of_another_day_names_it() {
        let at = |text: &str| text.parse::<Instant>().unwrap();
        let service = Service {
            live: vec![
                LiveEvent {
                    at: at("2026-11-19T16:00:00Z"),
                    ..event(WalkEventKind::Note, "Found a stick")
                },
                LiveEvent {
                    at: at("2026-11-20T12:16:00Z"),
                    photo: Some(Id::of(9)),
                    ..event(WalkEventKind::Photo, "")
                },
            ],
            ..Service::new(Id::of(1), Instant(0))
        };
        let now = Now {
            at: at("2026-11-20T12:20:00Z"),
            zone: TimeZone::UTC,
        };
        let moments = live_moments(&service, &now, HourCycle::H12);
        let shown: Vec<_> = moments
            .iter()
            .map(|it| (it.text.as_str(), it.time.as_str(), it.photo))
            .collect();
        assert_eq!(
            shown,
            [
                ("Photo", "12:16 PM", Some(Id::of(9))),
                ("Found a stick", "Thu Nov 19, 4:00 PM", None),
            ]
        );
    }
}
