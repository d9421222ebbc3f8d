//! Owns the client list as screens show it: each client with its pets, the order, and what a search finds.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::client::{Client, Pet};
use crate::{Business, Id};

/// A client with its pets, as a card shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ClientCard {
    /// The client.
    pub client: Client,
    /// Its pets, in their order.
    pub dogs: Vec<Pet>,
    /// Whether it can be messaged: it has an e-mail or a linked client user (SPEC 2, Clients).
    pub can_message: bool,
}

impl ClientCard {
    fn of(client: &Client, dogs: Vec<Pet>) -> Self {
        let can_message = !client.email.is_empty() || client.client_user_id.is_some();
        Self { client: client.clone(), dogs, can_message }
    }
}

/// One client with its pets, if it exists.
pub fn client_card(business: &Business, id: Id) -> Option<ClientCard> {
    let client = business.client(id)?;
    Some(ClientCard::of(client, business.pets_of(id).into_iter().cloned().collect()))
}

/// All clients that `search` finds, by name; all of them when it is empty.
///
/// Every word of the search must occur in the client's name, address, phone or e-mail or in a pet's name or breed;
/// letters' case and a phone number's punctuation do not matter.
pub fn clients(business: &Business, search: &str) -> Vec<ClientCard> {
    let words: Vec<String> = search.split_whitespace().map(str::to_lowercase).collect();
    let mut dogs: BTreeMap<Id, Vec<Pet>> = BTreeMap::new();
    for pet in business.pets.values() {
        dogs.entry(pet.row.client_id).or_default().push(pet.row.clone());
    }
    let mut cards: Vec<(String, ClientCard)> = business
        .clients
        .values()
        .filter_map(|stored| {
            let client = &stored.row;
            let mut dogs = dogs.remove(&client.id).unwrap_or_default();
            dogs.sort_by_key(|it| (it.display_order, it.id));
            let text = searched_text(client, &dogs);
            words.iter().all(|word| text.contains(word)).then(|| {
                (client.name.to_lowercase(), ClientCard::of(client, dogs))
            })
        })
        .collect();
    cards.sort_by(|(a, left), (b, right)| a.cmp(b).then(left.client.id.cmp(&right.client.id)));
    cards.into_iter().map(|(_, card)| card).collect()
}

fn searched_text(client: &Client, dogs: &[Pet]) -> String {
    let digits: String = client.phone.chars().filter(char::is_ascii_digit).collect();
    let mut text = [&client.name, &client.address, &client.phone, &digits, &client.email]
        .map(|it| it.to_lowercase())
        .join("\n");
    for dog in dogs {
        text.push('\n');
        text.push_str(&dog.name.to_lowercase());
        text.push('\n');
        text.push_str(&dog.breed.to_lowercase());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Instant, Row};

    fn business() -> Business {
        let mut business = Business::default();
        for (number, name, phone, dog) in
            [(1, "Dana Whitfield", "(555) 010-4477", "Biscuit"), (2, "amir Haddad", "", "Rex")]
        {
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
        let found = clients(&business(), search);
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
}
