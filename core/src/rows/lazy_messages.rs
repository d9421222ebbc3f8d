//! Owns the messages that are known here, by id and by their place in a conversation. A phone holds years of them and shows
//! a page: one that comes from the disk is read when it is first asked for.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::rows::lazy_row::{LazyRow, PageLine};
use crate::rows::message::Message;
use crate::rows::versioned::Versioned;
use crate::{Id, Row};

/// Messages by id and by conversation, each read when it is first asked for.
#[derive(Clone, Debug, Default)]
pub struct LazyMessages {
    // Boxed as other rows are: to the compiler it is one map, which the phone downloads once.
    by_id: BTreeMap<Id, Box<LazyMessage>>,
    /// Numbers and ids of each client's messages, by number.
    #[expect(
        clippy::box_collection,
        reason = "to the compiler it is one map with those of rows"
    )]
    by_place: BTreeMap<Id, Box<BTreeSet<(i32, Id)>>>,
}

/// A message, read or not.
#[derive(Clone, Debug)]
struct LazyMessage {
    client_id: Id,
    /// Its place; of a type with days, for the same reason.
    number: i32,
    row: LazyRow<Message>,
}

impl LazyMessage {
    fn read(&self) -> Option<&Versioned<Message>> {
        self.row.read(|row| match row {
            Row::Message(row) => Some(row),
            _ => None,
        })
    }
}

impl LazyMessages {
    /// The message, if it is known.
    pub fn get(&self, id: &Id) -> Option<&Versioned<Message>> {
        self.by_id.get(id)?.read()
    }

    /// All of them, by id; reads what was not read.
    pub fn values(&self) -> impl Iterator<Item = &Versioned<Message>> {
        self.by_id.values().filter_map(|it| it.read())
    }

    /// Those of a conversation, the newest first; reads as many as are taken.
    pub fn newest_of(&self, client_id: Id) -> impl Iterator<Item = &Message> {
        let places = self.by_place.get(&client_id).into_iter();
        let ids = places.flat_map(|it| it.iter().rev());
        ids.filter_map(|(_, id)| Some(&self.get(id)?.row))
    }

    /// How many of a conversation there are.
    pub fn count_of(&self, client_id: Id) -> usize {
        self.by_place.get(&client_id).map_or(0, |it| it.len())
    }

    /// Inserts a message that was read already, or replaces the one with this id.
    pub fn insert(&mut self, id: Id, versioned: Box<Versioned<Message>>) {
        let (client_id, number) = (versioned.row.client_id, place(versioned.row.number));
        let row = LazyRow::of(versioned);
        self.put(
            id,
            LazyMessage {
                client_id,
                number,
                row,
            },
        );
    }

    /// Takes the one on the line `from..to` of a page without reading it. `false` where the line is not as this build
    /// expects one, which it then has to be read to know.
    pub fn insert_unread(&mut self, id: Id, page: &Arc<String>, from: usize, to: usize) -> bool {
        let line = PageLine::new(page, from, to);
        let Some((client_id, number)) = place_in(line.text()) else {
            return false;
        };
        let row = LazyRow::unread(line);
        self.put(
            id,
            LazyMessage {
                client_id,
                number,
                row,
            },
        );
        true
    }

    /// Removes the message with this id, if there is one.
    pub fn remove(&mut self, id: &Id) {
        if let Some(it) = self.by_id.remove(id) {
            self.leave_place(&it, *id);
        }
    }

    fn leave_place(&mut self, message: &LazyMessage, id: Id) {
        if let Some(places) = self.by_place.get_mut(&message.client_id) {
            places.remove(&(message.number, id));
        }
    }

    fn put(&mut self, id: Id, message: LazyMessage) {
        let (client_id, number) = (message.client_id, message.number);
        if let Some(before) = self.by_id.insert(id, Box::new(message)) {
            self.leave_place(&before, id);
        }
        let places = self.by_place.entry(client_id).or_default();
        places.insert((number, id));
    }
}

impl PartialEq for LazyMessages {
    fn eq(&self, other: &Self) -> bool {
        self.values().eq(other.values())
    }
}

/// Finds the client and the number of a message in its unread JSON. Text that a person typed cannot look like a field's
/// name, since quotes within a JSON string are escaped.
// INVARIANT: in a message's text the number follows the client's id, which is the first field of that name.
fn place_in(text: &str) -> Option<(Id, i32)> {
    const CLIENT: &str = r#""client_id":""#;
    const NUMBER: &str = r#"","number":"#;
    let from = text.find(CLIENT)? + CLIENT.len();
    let (client_id, rest) = text.get(from..)?.split_once(NUMBER)?;
    let (number, _) = rest.split_once(',')?;
    Some((client_id.parse().ok()?, place(number.parse().ok()?)))
}

fn place(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Business, Instant};

    /// A message with words that look like fields.
    fn message(number: u32, of: u128) -> Message {
        let words = r#"","client_id":"00000000-0000-0000-0000-000000000009","number":7,""#;
        Message {
            number,
            content: words.to_owned(),
            ..Message::new(
                Id::of(of * 1000 + u128::from(number)),
                Id::of(of),
                Instant(0),
            )
        }
    }

    fn line(message: &Message) -> String {
        let id = message.id;
        let row = serde_json::to_string(message).unwrap();
        format!(r#"message/{id} {{"t":"message","id":"{id}","rev":7,"d":{row}}}"#)
    }

    #[test]
    fn in_a_message_s_text_the_number_follows_the_client_s_id_which_is_the_first_field_of_that_name()
     {
        assert_eq!(place_in(&line(&message(3, 5))), Some((Id::of(5), 3)));
    }

    #[test]
    fn messages_of_the_disk_are_those_of_the_feed_the_newest_first() {
        let messages = [message(1, 5), message(10, 5), message(2, 5), message(1, 6)];
        let (mut read, mut unread) = (Business::default(), Business::default());
        for it in &messages {
            read.put(7, Row::Message(it.clone()));
        }
        unread.load(messages.each_ref().map(line).join("\n"));
        assert_eq!(read, unread);
        for business in [&read, &unread] {
            let numbers: Vec<u32> = business
                .messages
                .newest_of(Id::of(5))
                .map(|it| it.number)
                .collect();
            assert_eq!(numbers, [10, 2, 1]);
            assert_eq!(business.messages.count_of(Id::of(6)), 1);
        }
    }

    #[test]
    fn a_message_that_gets_another_number_has_one_place() {
        let mut business = Business::default();
        business.put(0, Row::Message(message(1, 5)));
        let moved = Message {
            number: 4,
            ..message(1, 5)
        };
        business.put(0, Row::Message(moved.clone()));
        assert_eq!(business.messages.count_of(Id::of(5)), 1);
        business.messages.remove(&moved.id);
        assert_eq!(business.messages, LazyMessages::default());
        assert_eq!(business.messages.count_of(Id::of(5)), 0);
    }

    #[test]
    fn a_line_of_another_form_is_read() {
        let odd = line(&message(1, 5)).replace(r#""number":1,"#, r#""number": 1 ,"#);
        let mut business = Business::default();
        business.load(odd);
        assert_eq!(business.messages.count_of(Id::of(5)), 1);
    }
}
