//! Owns what of a service is counted, and how it is found in the text of a row that nobody has read: a year has ten
//! thousand of them, and a whole row is ten times as much.

use std::borrow::Cow;

use walkies_row_text::RowText;

use crate::rows::service::{Service, ServiceStatus, ServiceType};
use crate::{Cents, Date, Id, Time};

/// The countable part of a service. Figures are ordered by time, and at the same time by their other fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ServiceFigures {
    /// Day in the sitter's time zone.
    pub date: Date,
    /// Start in the sitter's time zone.
    pub start_time: Time,
    /// Id of the client, who may be deleted.
    pub client_id: Id,
    /// Walk or drop-in.
    pub service_type: ServiceType,
    /// True for a stay, which lasts for days from `date` on.
    pub is_stay: bool,
    /// How long it takes; of a stay it says nothing.
    pub duration_minutes: u32,
    /// Scheduled, completed or cancelled.
    pub status: ServiceStatus,
    /// Its price without what of it nobody is to pay; nothing where its invoice was credited in full.
    pub price: Cents,
    /// True if nothing of that is owed.
    pub paid: bool,
}

/// How long an id is as text.
const ID: usize = "018c2b1e-0000-7000-8000-000000000000".len();

/// Length of the text before the name of the `client_id` field in each service's text: a lower bound.
pub(super) const BEFORE_CLIENT: usize =
    r#"{"t":"service","id":"","rev":1,"d":{"id":"","#.len() + 2 * ID;

/// Least length of a price breakdown in a service's text.
const BREAKDOWN: usize = r#""pricing_breakdown":{"baseDogPrice":0,"additionalDogsCount":0,"#.len();

/// Text before the id of an invoice that was credited in full.
const CREDITED: &str = r#""credited_invoice_id":""#;

/// Text before the part of the price that nobody is to pay.
const LOST: &str = r#""lost":"#;

/// Revenue of a service: one that was credited in full brings none until it is billed anew.
fn revenue(price: Cents, lost: Cents, is_credited: bool) -> Cents {
    if is_credited {
        Cents::ZERO
    } else {
        price - lost
    }
}

impl From<&Service> for ServiceFigures {
    fn from(it: &Service) -> Self {
        Self {
            date: it.date,
            start_time: it.start_time,
            client_id: it.client_id,
            service_type: it.service_type,
            is_stay: it.end_date.is_some(),
            duration_minutes: it.duration_minutes,
            status: it.status,
            price: revenue(it.price, it.lost, it.credited_invoice_id.is_some()),
            paid: it.paid || Cents::ZERO < it.lost,
        }
    }
}

impl ServiceFigures {
    /// Those in the text of a service's row, whose days are known. `None` where the text is not as this build writes one;
    /// it then has to be read whole.
    // INVARIANT: a service's text has its fields in the order of `Service`. Each is found behind the one before it; what a
    // person typed cannot look like a field's name, since quotes within a text of JSON are escaped.
    pub(super) fn in_text(text: &[u8], date: Date, is_stay: bool) -> Option<Self> {
        let mut text = RowText::new(text);
        let mut figures = Self {
            date,
            client_id: text.word(r#""client_id":""#, BEFORE_CLIENT)?.parse().ok()?,
            service_type: service_type(text.word(r#""service_type":""#, ID)?)?,
            is_stay,
            start_time: text.word(r#""start_time":""#, 0)?.parse().ok()?,
            duration_minutes: text.value(r#""duration_minutes":"#, 0)?.parse().ok()?,
            status: status(text.word(r#""status":""#, 0)?)?,
            price: serde_json::from_str(text.value(r#""price":"#, 0)?).ok()?,
            paid: match text.value(r#""paid":"#, BREAKDOWN)? {
                "true" => true,
                "false" => false,
                _ => return None,
            },
        };
        let is_credited = text.word(CREDITED, 0).is_some();
        let lost = match text.value(LOST, 0) {
            Some(lost) => serde_json::from_str(lost).ok()?,
            None => Cents::ZERO,
        };
        figures.price = revenue(figures.price, lost, is_credited);
        figures.paid |= Cents::ZERO < lost;
        Some(figures)
    }

    /// Those of a service of a client in one line, as databases put many of them together: `2026-11-20 09:30 30 walk
    /// completed 2500`, and behind that whether it is a stay and whether it was paid, as 0 or 1 each. The price is in
    /// cents. `None` where it is no such line.
    pub fn in_line(line: &str, client_id: Id) -> Option<Self> {
        let mut words = line.split(' ');
        let mut word = || words.next();
        Some(Self {
            date: word()?.parse().ok()?,
            start_time: word()?.parse().ok()?,
            client_id,
            duration_minutes: word()?.parse().ok()?,
            service_type: service_type(word()?)?,
            status: status(word()?)?,
            price: Cents(word()?.parse().ok()?),
            is_stay: word()? == "1",
            paid: word()? == "1",
        })
    }

    /// Whose service it is and what that client was called, by its text.
    pub(super) fn client_in(text: &[u8]) -> Option<(Id, Cow<'_, str>)> {
        let mut text = RowText::new(text);
        let id = text.word(r#""client_id":""#, BEFORE_CLIENT)?.parse().ok()?;
        let name = text.word(r#""client_name":""#, ID)?;
        Some((id, unescaped(name)?))
    }

    /// The name of the offering that it was booked with, by its text.
    pub(super) fn offering_name_in(text: &[u8]) -> Option<Cow<'_, str>> {
        unescaped(RowText::new(text).word(r#""offering_name":""#, BEFORE_CLIENT)?)
    }

    /// Whose service it is, by its text.
    pub(super) fn client_id_in(text: &[u8]) -> Option<Id> {
        let id = RowText::new(text).word(r#""client_id":""#, BEFORE_CLIENT)?;
        id.parse().ok()
    }
}

/// A text of JSON without its escapes.
fn unescaped(text: &str) -> Option<Cow<'_, str>> {
    Some(match text.contains('\\') {
        false => Cow::Borrowed(text),
        true => Cow::Owned(serde_json::from_str(&["\"", text, "\""].concat()).ok()?),
    })
}

fn service_type(name: &str) -> Option<ServiceType> {
    match name {
        "walk" => Some(ServiceType::Walk),
        "dropin" => Some(ServiceType::Dropin),
        _ => None,
    }
}

fn status(name: &str) -> Option<ServiceStatus> {
    match name {
        "scheduled" => Some(ServiceStatus::Scheduled),
        "completed" => Some(ServiceStatus::Completed),
        "cancelled" => Some(ServiceStatus::Cancelled),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Instant;
    use crate::rows::row::Row;

    #[test]
    fn what_was_credited_in_full_is_no_revenue_however_its_row_is_read() {
        let service = Service {
            price: Cents(25_00),
            notes: r#"says "credited_invoice_id":"x""#.to_owned(),
            ..Service::new(Id::of(7), Instant(0))
        };
        let credited = Service {
            credited_invoice_id: Some(Id::of(9)),
            ..service.clone()
        };
        let lost = Service {
            lost: Cents(10_50),
            ..service.clone()
        };
        for (row, price) in [
            (service, Cents(25_00)),
            (credited, Cents::ZERO),
            (lost, Cents(14_50)),
        ] {
            let text = Row::Service(row.clone()).json().unwrap();
            let text = format!(r#"{{"t":"service","id":"{}","rev":1,"d":{text}}}"#, row.id);
            let found = ServiceFigures::in_text(text.as_bytes(), row.date, false).unwrap();
            assert_eq!((found, found.price), (ServiceFigures::from(&row), price));
            assert_eq!(found.paid, row.lost != Cents::ZERO);
        }
    }

    #[test]
    fn a_line_says_what_a_service_s_row_does() {
        let client_id = Id::of(7);
        let walk = ServiceFigures {
            date: "2026-11-20".parse().unwrap(),
            start_time: "09:30".parse().unwrap(),
            client_id,
            service_type: ServiceType::Walk,
            is_stay: false,
            duration_minutes: 45,
            status: ServiceStatus::Completed,
            price: Cents(25_50),
            paid: true,
        };
        let stay = ServiceFigures {
            service_type: ServiceType::Dropin,
            is_stay: true,
            status: ServiceStatus::Scheduled,
            paid: false,
            ..walk
        };
        for (line, expected) in [
            ("2026-11-20 09:30 45 walk completed 2550 0 1", Some(walk)),
            ("2026-11-20 09:30 45 dropin scheduled 2550 1 0", Some(stay)),
            ("2026-11-20 09:30 45 walk completed 2550 0", None),
            ("2026-11-20 09:30 45 swim completed 2550 0 1", None),
            ("", None),
        ] {
            assert_eq!(ServiceFigures::in_line(line, client_id), expected, "{line}");
        }
    }
}
