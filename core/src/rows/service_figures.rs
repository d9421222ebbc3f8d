//! Owns what of a service is counted, and how it is found in the text of a row that nobody has read: a year has ten
//! thousand of them, and a whole row is ten times as much.

use crate::rows::service::{Service, ServiceStatus, ServiceType};
use crate::{Cents, Date, Id, Time};

/// What of a service is counted.
#[derive(Clone, Debug, PartialEq)]
pub struct ServiceFigures {
    /// The service's.
    pub id: Id,
    /// Whose it is; may be deleted.
    pub client_id: Id,
    /// The client's name when it was last saved.
    pub client_name: String,
    /// Walk or drop-in.
    pub service_type: ServiceType,
    /// In the sitter's time zone.
    pub date: Date,
    /// Whether it lasts for days from then on.
    pub is_stay: bool,
    /// In the sitter's time zone.
    pub start_time: Time,
    /// How long it takes; of a stay it says nothing.
    pub duration_minutes: u32,
    /// Whether it is to come, or what became of it.
    pub status: ServiceStatus,
    /// What it costs.
    pub price: Cents,
    /// Whether it was paid.
    pub paid: bool,
}

impl From<&Service> for ServiceFigures {
    fn from(it: &Service) -> Self {
        Self {
            id: it.id,
            client_id: it.client_id,
            client_name: it.client_name.clone(),
            service_type: it.service_type,
            date: it.date,
            is_stay: it.end_date.is_some(),
            start_time: it.start_time,
            duration_minutes: it.duration_minutes,
            status: it.status,
            price: it.price,
            paid: it.paid,
        }
    }
}

impl ServiceFigures {
    /// Those of the service `id` in the text of its row, whose days are known. `None` where the text is not as this build
    /// writes one; it then has to be read whole.
    // INVARIANT: a service's text has its fields in the order of `Service`. Each is found behind the one before it; what a
    // person typed cannot look like a field's name, since quotes within a text of JSON are escaped.
    pub(super) fn in_text(text: &str, id: Id, date: Date, is_stay: bool) -> Option<Self> {
        let mut text = Text(text);
        Some(Self {
            id,
            client_id: text.word(r#""client_id":""#)?.parse().ok()?,
            client_name: text.words(r#""client_name":""#)?,
            service_type: match text.word(r#""service_type":""#)? {
                "walk" => ServiceType::Walk,
                "dropin" => ServiceType::Dropin,
                _ => return None,
            },
            date,
            is_stay,
            start_time: text.word(r#""start_time":""#)?.parse().ok()?,
            duration_minutes: text.value(r#""duration_minutes":"#)?.parse().ok()?,
            status: match text.word(r#""status":""#)? {
                "scheduled" => ServiceStatus::Scheduled,
                "completed" => ServiceStatus::Completed,
                "cancelled" => ServiceStatus::Cancelled,
                _ => return None,
            },
            price: serde_json::from_str(text.value(r#""price":"#)?).ok()?,
            paid: match text.value(r#""paid":"#)? {
                "true" => true,
                "false" => false,
                _ => return None,
            },
        })
    }

    /// Whose service it is, by its text.
    pub(super) fn client_in(text: &str) -> Option<Id> {
        Text(text).word(r#""client_id":""#)?.parse().ok()
    }
}

/// The rest of a row's text, from the front.
struct Text<'a>(&'a str);

impl<'a> Text<'a> {
    /// Goes on behind `name`.
    fn find(&mut self, name: &str) -> Option<()> {
        self.0 = self.0.get(self.0.find(name)? + name.len()..)?;
        Some(())
    }

    /// A word in quotes, of which `name` has the first.
    fn word(&mut self, name: &str) -> Option<&'a str> {
        self.find(name)?;
        self.0.get(..self.0.find('"')?)
    }

    /// The same of what a person typed.
    fn words(&mut self, name: &str) -> Option<String> {
        let word = self.word(name)?;
        if !word.contains('\\') {
            return Some(word.to_owned());
        }
        let mut is_escaped = false;
        let end = self.0.bytes().position(|it| {
            let ends = it == b'"' && !is_escaped;
            is_escaped = it == b'\\' && !is_escaped;
            ends
        })?;
        serde_json::from_str(&["\"", self.0.get(..=end)?].concat()).ok()
    }

    /// A number or a truth value.
    fn value(&mut self, name: &str) -> Option<&'a str> {
        self.find(name)?;
        self.0.get(..self.0.find([',', '}'])?)
    }
}
