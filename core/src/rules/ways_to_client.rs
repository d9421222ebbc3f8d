//! Owns how a client hears of something, and every sentence that says so: 'sent' and 'sees' are said only of what reaches
//! this client.

use serde::Serialize;

use crate::rows::client::Client;
use crate::rows::service::Service;
use crate::values::format;
use crate::{Business, Change, Id, Row};

/// How something that was shared gets to a client.
///
/// Whether a login's phones show notifications is known to the server alone, so that no sentence speaks of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum WayToClient {
    /// The client has a login: it stands in the portal.
    Portal,
    /// The sitter passes a link on, by text or mail.
    Link,
    /// Neither phone nor e-mail is known: the link is copied.
    Copy,
}

/// The way to a client.
pub const fn way_to(client: &Client) -> WayToClient {
    if client.client_user_id.is_some() {
        WayToClient::Portal
    } else if client.phone.is_empty() && client.email.is_empty() {
        WayToClient::Copy
    } else {
        WayToClient::Link
    }
}

/// Whether the client of a service sees in the portal what is said of it.
pub fn is_seen(business: &Business, service: &Service) -> bool {
    let client = business.client(service.client_id);
    client.is_some_and(|it| way_to(it) == WayToClient::Portal)
}

/// What becomes of something that is shared with clients.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Sharing {
    /// Before it is shared: who finds it in the portal, and to whom a link is to be sent.
    pub ahead: String,
    /// The same once it is shared.
    pub done: String,
    /// The clients to whom the sitter has to pass a link on.
    pub to_pass_on: Vec<Id>,
}

/// What becomes of something that is shared with these clients; those who were deleted are left out.
pub fn sharing(business: &Business, client_ids: &[Id]) -> Sharing {
    let clients = client_ids.iter().filter_map(|it| business.client(*it));
    let (in_portal, others): (Vec<&Client>, Vec<&Client>) =
        clients.partition(|it| way_to(it) == WayToClient::Portal);
    let found = found_by(&in_portal);
    let sentences = |rest: String| {
        let parts = [found.clone(), rest];
        let parts: Vec<String> = parts.into_iter().filter(|it| !it.is_empty()).collect();
        parts.join(" ")
    };
    Sharing {
        ahead: sentences(not_in_portal(
            &others,
            "you get a link to send",
            "you get a link for each to send",
        )),
        done: sentences(not_in_portal(
            &others,
            "send the link",
            "send each the link",
        )),
        to_pass_on: others.iter().map(|it| it.id).collect(),
    }
}

fn names_of(clients: &[&Client]) -> String {
    let names: Vec<String> = clients.iter().map(|it| it.name.clone()).collect();
    format::names(&names)
}

fn found_by(clients: &[&Client]) -> String {
    match clients {
        [] => String::new(),
        [_] => names_of(clients) + " finds it in the portal.",
        _ => names_of(clients) + " find it in the portal.",
    }
}

fn not_in_portal(clients: &[&Client], one: &str, many: &str) -> String {
    match clients {
        [] => String::new(),
        [_] => format!("{} is not in the portal: {one}.", names_of(clients)),
        _ => format!("{} are not in the portal: {many}.", names_of(clients)),
    }
}

/// Who is told when the sitter changes, calls off or declines something of a client's.
pub fn told_of_change(business: &Business, client_id: Option<Id>) -> String {
    match client_id.and_then(|it| business.client(it)) {
        None => "Nobody is told: the client was deleted.".to_owned(),
        Some(client) if way_to(client) == WayToClient::Portal => found_by(&[client]),
        Some(client) => format!(
            "Nobody is told: {} is not in the portal.",
            names_of(&[client])
        ),
    }
}

/// Who is told that a visit was changed by these changes; nothing where they leave alone what its client relies on.
pub fn told_of_update(business: &Business, before: &Service, changes: &[Change]) -> String {
    let after = changes.iter().find_map(|it| match it {
        Change::Put(Row::Service(row)) => Some(row).filter(|it| it.id == before.id),
        _ => None,
    });
    let Some(after) = after.filter(|it| !is_same_to_client(before, it)) else {
        return String::new();
    };
    let mut said = told_of_change(business, Some(before.client_id));
    if after.client_id != before.client_id {
        said.push(' ');
        said.push_str(&told_of_change(business, Some(after.client_id)));
    }
    said
}

/// Whether its client reads the same of both: for whom, what, when, at what price, and the notes.
fn is_same_to_client(one: &Service, other: &Service) -> bool {
    let what = |it: &Service| (it.client_id, it.service_type, it.offering_id, it.price);
    let when = |it: &Service| (it.date, it.end_date, it.start_time, it.duration_minutes);
    what(one) == what(other)
        && when(one) == when(other)
        && one.dog_ids == other.dog_ids
        && one.notes == other.notes
}

/// Who is told when the sitter takes back what was shared with these clients; those who were deleted are left out.
pub fn told_of_removal(business: &Business, client_ids: &[Id]) -> String {
    let clients = client_ids.iter().filter_map(|it| business.client(*it));
    let (in_portal, others): (Vec<&Client>, Vec<&Client>) =
        clients.partition(|it| way_to(it) == WayToClient::Portal);
    let (found, names) = (names_of(&in_portal), names_of(&others));
    let gone = (!in_portal.is_empty()).then(|| format!("It leaves the portal of {found}."));
    let untold = match (others.as_slice(), in_portal.is_empty()) {
        ([], _) => None,
        ([_], true) => Some(format!("Nobody is told: {names} is not in the portal.")),
        ([_], false) => Some(format!("{names} is not in the portal and is not told.")),
        (_, true) => Some(format!("Nobody is told: {names} are not in the portal.")),
        (_, false) => Some(format!("{names} are not in the portal and are not told.")),
    };
    let parts: Vec<String> = gone.into_iter().chain(untold).collect();
    parts.join(" ")
}

/// What is said of something that is being shared, while it has not reached the server.
pub fn while_waiting(what: &str, online: bool) -> String {
    if online {
        format!("Sharing {what}")
    } else {
        format!("No network: {what} will be shared when it is back")
    }
}

/// What a pet parent is told who has changed home or pets.
pub const fn saved_by_parent(online: bool) -> &'static str {
    if online {
        "Saved, and on its way to your sitter."
    } else {
        "Saved. Your sitter sees what you changed when the network is back."
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cents, Instant, Time};

    fn client(n: u128, name: &str) -> Client {
        Client {
            name: name.to_owned(),
            phone: "555 0100".to_owned(),
            ..Client::new(Id::of(n), Instant(0))
        }
    }

    fn linked(n: u128, name: &str) -> Client {
        Client {
            client_user_id: Some(Id::of(90 + n)),
            ..client(n, name)
        }
    }

    #[track_caller]
    fn check(clients: &[Client], ahead: &str, done: &str, n_links: usize) {
        let mut business = Business::default();
        let ids: Vec<Id> = clients.iter().map(|it| it.id).collect();
        for client in clients {
            business.put(1, Row::Client(client.clone()));
        }
        let sharing = sharing(&business, &ids);
        assert_eq!(
            (sharing.ahead.as_str(), sharing.done.as_str()),
            (ahead, done)
        );
        assert_eq!(sharing.to_pass_on.len(), n_links);
    }

    #[test]
    fn a_client_without_a_login_gets_nothing_before_the_link_is_sent() {
        check(
            &[client(1, "Mikko")],
            "Mikko is not in the portal: you get a link to send.",
            "Mikko is not in the portal: send the link.",
            1,
        );
        let found = "Dana finds it in the portal.";
        check(&[linked(1, "Dana")], found, found, 0);
    }

    #[test]
    fn two_clients_get_two_links_and_those_in_the_portal_none() {
        check(
            &[client(1, "Mikko"), linked(2, "Dana"), client(3, "Kim")],
            "Dana finds it in the portal. Mikko and Kim are not in the portal: you get a link for each to send.",
            "Dana finds it in the portal. Mikko and Kim are not in the portal: send each the link.",
            2,
        );
        check(&[], "", "", 0);
    }

    #[test]
    fn a_client_without_phone_and_email_is_reached_by_a_copied_link() {
        assert_eq!(way_to(&client(1, "Mikko")), WayToClient::Link);
        let nowhere = Client::new(Id::of(1), Instant(0));
        assert_eq!(way_to(&nowhere), WayToClient::Copy);
        assert_eq!(way_to(&linked(1, "Mikko")), WayToClient::Portal);
    }

    #[test]
    fn of_a_change_nobody_is_told_who_is_not_in_the_portal() {
        let mut business = Business::default();
        business.put(1, Row::Client(client(1, "Mikko")));
        business.put(1, Row::Client(linked(2, "Dana")));
        let told = |n| told_of_change(&business, Some(Id::of(n)));
        assert_eq!(told(1), "Nobody is told: Mikko is not in the portal.");
        assert_eq!(told(2), "Dana finds it in the portal.");
        assert_eq!(told(3), "Nobody is told: the client was deleted.");
        assert_eq!(told_of_change(&business, None), told(3));
    }

    #[test]
    fn of_a_changed_visit_is_said_who_is_told_where_its_client_relies_on_it() {
        let mut business = Business::default();
        business.put(1, Row::Client(client(1, "Mikko")));
        business.put(1, Row::Client(linked(2, "Dana")));
        let before = Service {
            client_id: Id::of(1),
            ..Service::new(Id::of(7), Instant(0))
        };
        let told = |after: Service| told_of_update(&business, &before, &[Change::from(after)]);
        let nobody = "Nobody is told: Mikko is not in the portal.";
        for (changed, said) in [
            (before.clone(), ""),
            (
                Service {
                    internal_notes: "Alarm off".to_owned(),
                    ..before.clone()
                },
                "",
            ),
            (
                Service {
                    start_time: Time::hour(9),
                    ..before.clone()
                },
                nobody,
            ),
            (
                Service {
                    price: Cents(60_00),
                    ..before.clone()
                },
                nobody,
            ),
            (
                Service {
                    dog_ids: vec![Id::of(30)],
                    ..before.clone()
                },
                nobody,
            ),
            (
                Service {
                    client_id: Id::of(2),
                    ..before.clone()
                },
                "Nobody is told: Mikko is not in the portal. Dana finds it in the portal.",
            ),
        ] {
            assert_eq!(told(changed), said);
        }
        assert_eq!(told_of_update(&business, &before, &[]), "");
    }

    #[test]
    fn of_what_is_taken_back_is_said_whose_portal_it_leaves() {
        let mut business = Business::default();
        for client in [
            client(1, "Mikko"),
            linked(2, "Dana"),
            client(3, "Kim"),
            linked(4, "Sam"),
        ] {
            business.put(1, Row::Client(client));
        }
        for (ids, said) in [
            (vec![], ""),
            (vec![5], ""),
            (vec![2], "It leaves the portal of Dana."),
            (vec![1], "Nobody is told: Mikko is not in the portal."),
            (
                vec![1, 3],
                "Nobody is told: Mikko and Kim are not in the portal.",
            ),
            (
                vec![1, 2, 4],
                "It leaves the portal of Dana and Sam. Mikko is not in the portal and is not told.",
            ),
            (
                vec![1, 2, 3],
                "It leaves the portal of Dana. Mikko and Kim are not in the portal and are not told.",
            ),
        ] {
            let ids: Vec<Id> = ids.into_iter().map(Id::of).collect();
            assert_eq!(told_of_removal(&business, &ids), said);
        }
    }

    #[test]
    fn nothing_is_said_to_be_shared_without_a_network() {
        assert_eq!(while_waiting("the report", true), "Sharing the report");
        assert_eq!(
            while_waiting("the report", false),
            "No network: the report will be shared when it is back"
        );
        assert!(saved_by_parent(false).contains("when the network is back"));
    }
}
