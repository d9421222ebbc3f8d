//! Owns who of several pet parents of a household did what: the login that rows name, and its name for people.

use crate::rows::client::Client;
use crate::rows::message::{Message, Side};
use crate::rows::row::{Change, Row};
use crate::values::form_errors::FieldErrors;
use crate::{Business, Id, Refusal};

/// Writes onto what a pet parent makes anew that this login made it: messages, requests, and changes of home and pets. The
/// server does it, which alone knows the login for sure. `before` has the rows as they were.
pub fn sign(changes: &mut [Change], before: &Business, user_id: Id) {
    for change in changes {
        match change {
            Change::Put(Row::Message(it))
                if it.sender_type == Side::Client && before.messages.get(&it.id).is_none() =>
            {
                it.client_user_id = Some(user_id);
            }
            Change::Put(Row::WalkRequest(it)) if !before.requests.contains_key(&it.id) => {
                it.asked_by = Some(user_id);
            }
            Change::Put(Row::Client(it)) => {
                let known = before.client(it.id).map(|it| it.parent_changes.as_slice());
                for change in &mut it.parent_changes {
                    if !known.unwrap_or_default().contains(change) {
                        change.by = Some(user_id);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Refuses a change of a message that another login of the household has written. The server asks, which alone knows the
/// login for sure.
///
/// # Errors
/// Says whose the message is to delete.
pub fn check_own(changes: &[Change], before: &Business, user_id: Id) -> Result<(), Refusal> {
    let is_others = |it: &Change| match it {
        Change::Put(Row::Message(it)) => {
            let known = before.messages.get(&it.id);
            known.is_some_and(|it| is_of_other(&it.row, user_id))
        }
        _ => false,
    };
    let mut errors = FieldErrors::default();
    let text = "Only the person who wrote a message can delete it";
    errors.check(changes.iter().any(is_others), "id", text);
    errors.or(()).map_err(Refusal::from)
}

/// Returns true for a message that another login of the household than this one has written.
pub(crate) fn is_of_other(message: &Message, user_id: Id) -> bool {
    message.sender_type == Side::Client && message.client_user_id.is_some_and(|it| it != user_id)
}

/// Returns the login that a message is from, as far as a phone knows: none in a household of several before the server has
/// signed it.
pub(crate) fn only_login(client: &Client) -> Option<Id> {
    let mut logins = client.logins();
    let first = logins.next();
    first.filter(|_| logins.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Instant;
    use crate::rows::client::{Parent, ParentChange};
    use crate::rows::walk_request::WalkRequest;

    #[test]
    fn what_is_new_names_the_login_and_what_was_there_keeps_its_own() {
        let (home, dana, alex) = (Id::of(1), Id::of(7), Id::of(8));
        let change = |what: &str, by| ParentChange {
            what: what.to_owned(),
            at: Instant(0),
            by,
        };
        let mut client = Client::new(home, Instant(0));
        client.parent_changes.push(change("Vet", Some(dana)));
        let mut old = WalkRequest::new(Id::of(2), home, Instant(0));
        old.asked_by = Some(dana);
        let mut before = Business::default();
        before.put(1, Row::Client(client.clone()));
        before.put(1, Row::WalkRequest(old.clone()));

        client.parent_changes.push(change("Phone", None));
        let said = Message {
            sender_type: Side::Client,
            ..Message::new(Id::of(3), home, Instant(0))
        };
        let asked = WalkRequest::new(Id::of(4), home, Instant(0));
        let mut changes = [
            Change::from(client),
            Change::from(old),
            Change::from(said),
            Change::from(asked),
        ];
        sign(&mut changes, &before, alex);
        let [
            Change::Put(Row::Client(client)),
            Change::Put(Row::WalkRequest(old)),
            Change::Put(Row::Message(said)),
            Change::Put(Row::WalkRequest(asked)),
        ] = changes
        else {
            panic!("the same rows");
        };
        let by: Vec<_> = client.parent_changes.iter().map(|it| it.by).collect();
        assert_eq!(by, [Some(dana), Some(alex)]);
        assert_eq!(old.asked_by, Some(dana));
        assert_eq!(
            (said.client_user_id, asked.asked_by),
            (Some(alex), Some(alex))
        );
    }

    #[test]
    fn only_who_wrote_a_message_deletes_it() {
        let (home, dana, alex) = (Id::of(1), Id::of(7), Id::of(8));
        let said = Message {
            sender_type: Side::Client,
            client_user_id: Some(dana),
            ..Message::new(Id::of(3), home, Instant(0))
        };
        let mut before = Business::default();
        before.put(1, Row::Message(said.clone()));
        let changes = [Change::from(said)];
        assert_eq!(check_own(&changes, &before, dana), Ok(()));
        assert!(check_own(&changes, &before, alex).is_err());
        assert_eq!(check_own(&changes, &Business::default(), alex), Ok(()));
    }

    #[test]
    fn a_phone_of_a_household_of_several_leaves_it_to_the_server_who_wrote() {
        let mut client = Client::new(Id::of(1), Instant(0));
        let parent = |n| Parent {
            user_id: Id::of(n),
            ..Parent::default()
        };
        assert_eq!(only_login(&client), None);
        client.add_login(parent(7), None);
        assert_eq!(only_login(&client), Some(Id::of(7)));
        client.add_login(parent(8), None);
        assert_eq!(only_login(&client), None);
    }
}
