//! Owns what the screen 'Running late' shows before anybody is told: the visits that follow with their new times, and what
//! each client reads and how.

use serde::Serialize;

use crate::commands::{AnnounceDelay, DelayedVisit, TakeBackDelay};
use crate::rows::service::Service;
use crate::rules::delay::{NewTime, new_times, usual_text};
use crate::rules::ways_to_client::{is_in_portal, told_of_delay};
use crate::rules::words;
use crate::values::bounds::DELAY_MINUTES;
use crate::values::format;
use crate::values::units::HourCycle;
use crate::{Business, Command, Date, Id, Now, Time};

/// A visit that follows, with its old and its new time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct LateVisit {
    /// Id of the service.
    pub id: Id,
    /// Id of the client.
    pub client_id: Id,
    /// Name of the client.
    pub client_name: String,
    /// `Walk for Luna`.
    pub title: String,
    /// Start on the plan.
    pub planned: Time,
    /// The same as it is read: `12:00 PM`.
    pub planned_text: String,
    /// New start; none where the visit is on time, and where it would begin after midnight.
    pub start_time: Option<Time>,
    /// The new time in words: `12:20 PM`, `On time`, `After midnight: change it by hand`.
    pub new_text: String,
    /// True if its time has come and nobody noted that it began: the person says if it follows.
    pub may_have_begun: bool,
}

/// A client who is told, if the person leaves the visits in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct LateClient {
    /// Id of the client.
    pub client_id: Id,
    /// Name of the client.
    pub client_name: String,
    /// Sentence on how the client hears of it.
    pub way: String,
    /// The words that the client reads, unless the person writes others.
    pub text: String,
    /// True if the words wait on 'To send', since the client is not in the portal.
    pub is_to_send: bool,
}

/// Content of the screen 'Running late'.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct DelayPlan {
    /// Today for the sitter.
    pub date: Date,
    /// Error of the minutes; absent where they are right.
    pub error: Option<String>,
    /// The visits that follow, by start.
    pub visits: Vec<LateVisit>,
    /// The clients of those that are in, each once, by first visit.
    pub clients: Vec<LateClient>,
}

/// Works out who is told what, if the next visit is later by so many minutes. Visits in `under_way` have begun; those in
/// `left_out` are told to nobody. `can_send` is true if what is saved goes to the server at once.
pub fn plan(
    business: &Business,
    minutes: u32,
    (under_way, left_out): (&[Id], &[Id]),
    can_send: bool,
    now: &Now,
) -> DelayPlan {
    let error = (!(1..=DELAY_MINUTES).contains(&minutes))
        .then(|| format!("Between 1 and {DELAY_MINUTES} minutes"));
    let minutes = minutes.clamp(1, DELAY_MINUTES);
    let cycle = business.hour_cycle();
    let times = new_times(business, minutes, under_way, now);
    let visits = times.iter().map(|it| late_visit(it, cycle)).collect();
    let told = times
        .iter()
        .filter(|it| 0 < it.minutes && !left_out.contains(&it.service.id));
    let told: Vec<(&Service, Time)> = told
        .filter_map(|it| Some((it.service, it.start_time?)))
        .collect();
    let mut clients: Vec<LateClient> = Vec::new();
    for (service, first) in &told {
        let client_id = service.client_id;
        if clients.iter().any(|it| it.client_id == client_id) {
            continue;
        }
        let theirs: Vec<(&Service, Time)> = told
            .iter()
            .copied()
            .filter(|it| it.0.client_id == client_id)
            .collect();
        let client = business.client(client_id);
        clients.push(LateClient {
            client_id,
            client_name: client.map_or_else(|| service.client_name.clone(), |it| it.name.clone()),
            way: told_of_delay(business, client, &format::time(*first, cycle), can_send),
            text: usual_text(&theirs, cycle),
            is_to_send: client.is_some_and(|it| !is_in_portal(it)),
        });
    }
    DelayPlan {
        date: now.today(),
        error,
        visits,
        clients,
    }
}

fn late_visit(time: &NewTime<'_>, cycle: HourCycle) -> LateVisit {
    let service = time.service;
    let start_time = time.start_time.filter(|_| 0 < time.minutes);
    let new_text = match start_time {
        Some(it) => format::time(it, cycle),
        None if time.minutes == 0 => "On time".to_owned(),
        None => "After midnight: change it by hand".to_owned(),
    };
    let kind = words::service_kind(service);
    LateVisit {
        id: service.id,
        client_id: service.client_id,
        client_name: service.client_name.clone(),
        title: match service.dogs.as_slice() {
            [] => kind.to_owned(),
            dogs => [kind, " for ", &format::names(dogs)].concat(),
        },
        planned: service.start_time,
        planned_text: format::time(service.start_time, cycle),
        start_time,
        new_text,
        may_have_begun: time.may_have_begun,
    }
}

/// The command that takes an announced delay back, computed before that is saved.
pub fn undo(business: &Business, command: &AnnounceDelay) -> Command {
    let delayed = command.delayed.iter().map(|it| DelayedVisit {
        window: business.service(it.id).and_then(Service::start_window),
        ..*it
    });
    Command::TakeBackDelay(TakeBackDelay {
        delayed: delayed.collect(),
        messages: command.told.iter().map(|it| it.message_id).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::client::Client;
    use crate::values::zone::TimeZone;
    use crate::{Instant, Row};

    fn now() -> Now {
        Now {
            at: "2026-11-20T11:00:00Z".parse().unwrap(),
            zone: TimeZone::UTC,
        }
    }

    fn business() -> Business {
        let mut business = Business::default();
        let dana = Client {
            name: "Dana".to_owned(),
            client_user_id: Some(Id::of(90)),
            ..Client::new(Id::of(1), Instant(0))
        };
        let mikko = Client {
            name: "Mikko".to_owned(),
            phone: "555 0100".to_owned(),
            ..Client::new(Id::of(2), Instant(0))
        };
        business.put(1, Row::Client(dana));
        business.put(1, Row::Client(mikko));
        for (n, client, start) in [(10, 1, 12), (11, 2, 13), (12, 1, 14)] {
            let service = Service {
                client_id: Id::of(client),
                dogs: vec![format!("Pet {n}")],
                date: now().today(),
                start_time: Time::hour(start),
                ..Service::new(Id::of(n), Instant(0))
            };
            business.put(1, Row::Service(service));
        }
        business
    }

    #[test]
    fn each_client_is_told_once_and_by_the_way_that_there_is() {
        let plan = plan(&business(), 20, (&[], &[]), true, &now());
        let said: Vec<_> = plan
            .clients
            .iter()
            .map(|it| (it.text.as_str(), it.way.as_str(), it.is_to_send))
            .collect();
        assert_eq!(
            said,
            [
                (
                    "Pet 10's visit is about 20 minutes later today, around 12:20 PM. \
                     Pet 12's visit is about 20 minutes later today, around 2:20 PM.",
                    "Dana gets a message, and sees it when the portal is opened.",
                    false
                ),
                (
                    "Pet 11's visit is about 20 minutes later today, around 1:20 PM.",
                    "Mikko is not in the portal: the text waits on To send until you send it.",
                    true
                ),
            ]
        );
        let times: Vec<_> = plan.visits.iter().map(|it| it.new_text.as_str()).collect();
        assert_eq!(times, ["12:20 PM", "1:20 PM", "2:20 PM"]);
    }

    #[test]
    fn a_visit_that_is_left_out_is_in_no_text() {
        let left_out = [Id::of(10), Id::of(11)];
        let plan = plan(&business(), 20, (&[], &left_out), true, &now());
        let texts: Vec<_> = plan.clients.iter().map(|it| it.text.as_str()).collect();
        assert_eq!(
            texts,
            ["Pet 12's visit is about 20 minutes later today, around 2:20 PM."]
        );
        assert_eq!(plan.visits.len(), 3);
    }

    #[test]
    fn without_a_network_the_way_says_until_when_it_helps() {
        let mut business = business();
        business.reach.notified = vec![Id::of(1)];
        let way = |can_send| {
            plan(&business, 20, (&[], &[]), can_send, &now()).clients[0]
                .way
                .clone()
        };
        assert_eq!(way(true), "Dana gets a message, and is notified.");
        assert_eq!(
            way(false),
            "Dana gets a message if this can be sent before 12:20 PM, and is notified."
        );
    }

    #[test]
    fn minutes_have_bounds() {
        for (minutes, is_wrong) in [(0, true), (1, false), (240, false), (241, true)] {
            let error = plan(&business(), minutes, (&[], &[]), true, &now()).error;
            assert_eq!(error.is_some(), is_wrong, "{minutes}");
        }
    }
}
