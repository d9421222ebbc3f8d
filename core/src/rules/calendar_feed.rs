//! Owns what calendars of others show of a business's services: which ones, when, and in which words. Whoever has the
//! feed's address reads it, and calendars are shown to families and on lock screens: no code, no key and no note is here.

use crate::rows::service::{Service, ServiceStatus};
use crate::rules::words::{length, service_kind};
use crate::values::bounds::STAY_DAYS;
use crate::values::format::{names, set_apart};
use crate::values::instant::MS_PER_MINUTE;
use crate::values::zone::TimeZone;
use crate::{Date, Id, Instant};

/// The days before today that are shown.
const DAYS_BACK: i64 = 60;

/// The days after today that are shown.
const DAYS_AHEAD: i64 = 400;

/// The services that are shown: from today on, as many as there are of these, and then the last ones before.
pub const EVENTS: usize = 10_000;

/// The minutes after which a calendar is to look again.
pub const REFRESH_MINUTES: u32 = 60;

/// Range of the services that a feed shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeedWindow {
    /// None that ends before.
    pub ends_from: Date,
    /// None that begins before: stays last for a while.
    pub begins_from: Date,
    /// From here on they are shown before the others where there are too many.
    pub today: Date,
    /// None that begins after.
    pub begins_until: Date,
}

impl FeedWindow {
    /// Around this day.
    pub fn of(today: Date) -> Self {
        let ends_from = today.plus_days(-DAYS_BACK);
        Self {
            ends_from,
            begins_from: ends_from.plus_days(-i64::from(STAY_DAYS)),
            today,
            begins_until: today.plus_days(DAYS_AHEAD),
        }
    }
}

/// The part of a client that a feed shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeedClient {
    /// Name of the client now.
    pub name: String,
    /// May be empty.
    pub address: String,
}

/// When something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeedTime {
    /// A visit, from and to; moments, so that no clock that is changed moves them.
    Visit(Instant, Instant),
    /// A stay: the first day and the one after the last.
    Stay(Date, Date),
}

/// A service in a calendar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedEvent {
    /// The service's id.
    pub id: Id,
    /// When it is.
    pub time: FeedTime,
    /// `Walk for Biscuit and Rex, Dana Whitfield`; what was called off begins with `Cancelled: `, since not every calendar
    /// shows that otherwise.
    pub summary: String,
    /// The client's address; may be empty.
    pub location: String,
    /// True if the service was cancelled.
    pub is_cancelled: bool,
    /// When it last became something else, as far as the service knows.
    pub stamp: Instant,
}

/// Returns the calendar event of a service. `client` is `None` where it was deleted; the event then has the name that
/// the service was saved with.
pub fn event(service: &Service, client: Option<&FeedClient>, zone: &TimeZone) -> FeedEvent {
    let time = match service.end_date {
        Some(last) => FeedTime::Stay(service.date, last.plus_days(1)),
        None => {
            let start = Instant::from_civil(service.date, service.start_time, zone);
            let minutes = i64::from(service.duration_minutes);
            FeedTime::Visit(start, Instant(start.0 + minutes * MS_PER_MINUTE))
        }
    };
    let is_cancelled = service.status == ServiceStatus::Cancelled;
    let called_off = if is_cancelled { "Cancelled: " } else { "" };
    let name = client.map_or(&service.client_name, |it| &it.name);
    let (kind, dogs, name) = (service_kind(service), names(&service.dogs), set_apart(name));
    // The days of a stay do not say how many nights it counts.
    let count = match service.stay_terms {
        Some(_) => [", ", &length(service)].concat(),
        None => String::new(),
    };
    let changes = [service.completed_at, service.cancelled_at];
    let stamp = changes.iter().flatten().max();
    FeedEvent {
        id: service.id,
        time,
        summary: format!("{called_off}{kind} for {dogs}, {name}{count}"),
        location: client.map(|it| it.address.clone()).unwrap_or_default(),
        is_cancelled,
        stamp: stamp.copied().unwrap_or(service.created_at),
    }
}

/// Name of a pet parent's calendar.
pub const PARENT_CALENDAR: &str = "Pet visits";

/// Returns the event of a service as it is in a pet parent's own calendar: `Walk for Rex, Paws & Co`, without a place, which is
/// the own home.
pub fn parent_event(service: &Service, business: &str, zone: &TimeZone) -> FeedEvent {
    let business = FeedClient {
        name: business.to_owned(),
        address: String::new(),
    };
    event(service, Some(&business), zone)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Time;
    use crate::rows::offering::StayUnit;
    use crate::rows::service::StayTerms;

    fn zone() -> TimeZone {
        TimeZone::posix("EST5EDT,M3.2.0,M11.1.0").unwrap()
    }

    fn day(text: &str) -> Date {
        text.parse().unwrap()
    }

    fn walk(date: &str, start: &str) -> Service {
        Service {
            date: day(date),
            start_time: start.parse::<Time>().unwrap(),
            dogs: vec!["Biscuit".to_owned(), "Rex".to_owned()],
            client_name: "Dana".to_owned(),
            notes: "The key is under the mat".to_owned(),
            internal_notes: "Alarm 4711".to_owned(),
            ..Service::new(Id::of(1), Instant(0))
        }
    }

    fn shown(service: &Service) -> FeedEvent {
        event(service, None, &zone())
    }

    fn moments(service: &Service) -> [String; 2] {
        match shown(service).time {
            FeedTime::Visit(start, end) => [start, end].map(|it| it.to_string()),
            FeedTime::Stay(..) => panic!("a stay"),
        }
    }

    #[test]
    fn a_pet_parents_calendar_names_the_business_and_no_place() {
        let event = parent_event(&walk("2026-11-20", "09:00"), "Paws & Co", &zone());
        assert_eq!(event.summary, "Walk for Biscuit and Rex, Paws & Co");
        assert_eq!(event.location, "");
    }

    #[test]
    fn a_visit_is_at_its_moment_whatever_the_clock_does_that_day() {
        // On 2026-03-08 two o'clock becomes three, on 2026-11-01 it is one o'clock twice.
        for (date, start, from, to) in [
            (
                "2026-03-07",
                "09:00",
                "2026-03-07T14:00:00.000Z",
                "2026-03-07T14:30:00.000Z",
            ),
            (
                "2026-03-08",
                "01:45",
                "2026-03-08T06:45:00.000Z",
                "2026-03-08T07:15:00.000Z",
            ),
            (
                "2026-03-08",
                "09:00",
                "2026-03-08T13:00:00.000Z",
                "2026-03-08T13:30:00.000Z",
            ),
            (
                "2026-10-31",
                "23:45",
                "2026-11-01T03:45:00.000Z",
                "2026-11-01T04:15:00.000Z",
            ),
            (
                "2026-11-01",
                "09:00",
                "2026-11-01T14:00:00.000Z",
                "2026-11-01T14:30:00.000Z",
            ),
        ] {
            assert_eq!(moments(&walk(date, start)), [from, to], "{date} {start}");
        }
    }

    #[test]
    fn a_stay_takes_whole_days_and_ends_before_the_next_one() {
        let mut stay = walk("2026-11-20", "09:00");
        stay.end_date = Some(day("2026-11-22"));
        let days = FeedTime::Stay(day("2026-11-20"), day("2026-11-23"));
        assert_eq!(shown(&stay).time, days);
        stay.stay_terms = Some(StayTerms {
            unit: StayUnit::Nights,
            further_day_after: None,
        });
        assert_eq!(
            shown(&stay).summary,
            "Walk for Biscuit and Rex, Dana, 2 nights"
        );
    }

    #[test]
    fn it_says_what_for_whom_and_where_and_no_word_of_a_note() {
        let service = walk("2026-11-20", "09:00");
        let client = FeedClient {
            name: "Dana Whitfield".to_owned(),
            address: "12 Elm St".to_owned(),
        };
        let event = event(&service, Some(&client), &zone());
        assert_eq!(event.summary, "Walk for Biscuit and Rex, Dana Whitfield");
        assert_eq!(event.location, "12 Elm St");
        let said = format!("{event:?}");
        assert!(!said.contains("4711") && !said.contains("mat"), "{said}");
        // Who was deleted is still known by the service.
        assert_eq!(shown(&service).summary, "Walk for Biscuit and Rex, Dana");
    }

    #[test]
    fn what_was_called_off_says_so() {
        let mut service = walk("2026-11-20", "09:00");
        service.status = ServiceStatus::Cancelled;
        service.cancelled_at = Some(Instant(7));
        let event = shown(&service);
        assert!(event.is_cancelled);
        assert_eq!(event.summary, "Cancelled: Walk for Biscuit and Rex, Dana");
        assert_eq!(event.stamp, Instant(7));
    }

    #[test]
    fn what_ended_more_than_sixty_days_ago_is_not_shown_nor_what_begins_in_years() {
        let window = FeedWindow {
            ends_from: day("2026-09-21"),
            begins_from: day("2026-06-23"),
            today: day("2026-11-20"),
            begins_until: day("2027-12-25"),
        };
        assert_eq!(FeedWindow::of(window.today), window);
    }
}
