//! Owns what the commands about a delay of today do: who is told of which later start, which visits move, and how both are
//! taken back.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::commands::decision::{
    About, Adjustment, Context, Decision, Effect, Intent, Need, Shows,
};
use crate::commands::{DeleteMessage, SendMessage};
use crate::rows::row::{Change, TableName};
use crate::rows::service::{Delay, Service, ServiceStatus, StartWindow};
use crate::rules::delay::{starts_at, usual_text};
use crate::rules::ways_to_client::is_in_portal;
use crate::values::form_errors::FieldErrors;
use crate::values::json::read_by_field;
use crate::{Business, Date, Id, Refusal, Time};

/// A visit with its later start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DelayedVisit {
    /// Id of the service.
    pub id: Id,
    /// Start on the plan that the person saw; a visit at another one was moved meanwhile and is left alone.
    pub planned: Time,
    /// Expected start, later on the same day.
    pub start_time: Time,
    /// The agreed window that it gets back when the delay is taken back; an announcement has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<StartWindow>,
}

read_by_field!(DelayedVisit { id, planned, start_time } or default { window });

/// A client who is told of the later starts of the own visits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DelayNews {
    /// Id of the client.
    pub client_id: Id,
    /// Id of the message, if the client is in the portal.
    pub message_id: Id,
    /// Words in place of the usual ones; empty for those.
    #[serde(default)]
    pub content: String,
}

read_by_field!(DelayNews { client_id, message_id } or default { content });

/// Tells clients of today's later starts, once each, and moves the visits if the sitter says so; a repeat changes nothing.
/// A visit that was moved, has begun or is over meanwhile is left as it is, and so is one whose new start has come before
/// anybody could be told.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AnnounceDelay {
    /// The day on which the person says so.
    pub date: Date,
    /// Visits that are later.
    pub delayed: Vec<DelayedVisit>,
    /// Clients who are told, each once; any other client hears of a visit that is moved as of any move.
    pub told: Vec<DelayNews>,
    /// True to move the visits to the new times on the plan.
    #[serde(default)]
    pub moves_plan: bool,
}

read_by_field!(AnnounceDelay { date, delayed, told } or default { moves_plan });

/// Undoes an announced delay: visits go back to their times on the plan, and messages about it are deleted. A visit that
/// somebody has moved since is left as it is.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TakeBackDelay {
    /// The visits, as they were announced.
    pub delayed: Vec<DelayedVisit>,
    /// Ids of the messages about it.
    #[serde(default)]
    pub messages: Vec<Id>,
}

read_by_field!(TakeBackDelay { delayed } or default { messages });

impl Intent for AnnounceDelay {
    fn needs(&self, _: &Business, _: &Context) -> Vec<Need> {
        let clients: Vec<Id> = self.told.iter().map(|it| it.client_id).collect();
        let messages = self.told.iter().map(|it| it.message_id).collect();
        vec![
            Need::Table(TableName::Sitter),
            // What the moved visits overlap, and they themselves.
            Need::ServicesBetween(self.date, self.date),
            Need::Rows(TableName::Client, clients.clone()),
            Need::Rows(TableName::Conversation, clients),
            Need::Rows(TableName::Message, messages),
        ]
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        let mut errors = FieldErrors::default();
        errors.check(
            self.date != ctx.today(),
            "date",
            "You can tell clients of a delay only on the day itself",
        );
        let is_earlier = |it: &DelayedVisit| it.start_time <= it.planned;
        errors.check(
            self.delayed.iter().any(is_earlier),
            "delayed",
            "The new time must be later than the old one",
        );
        errors.or(())?;

        let mut delays = Delays::sorted(self, business, ctx);
        let mut changes: Vec<Change> = Vec::new();
        let mut told = BTreeSet::new();
        for news in self.told.iter().filter(|it| told.insert(it.client_id)) {
            let visits: Vec<(&Service, Time)> = delays.of(news.client_id);
            let text = match news.content.trim() {
                "" => usual_text(&visits, business.hour_cycle()),
                content => content.to_owned(),
            };
            let client = business.client(news.client_id);
            match client.filter(|_| !visits.is_empty()) {
                Some(client) if is_in_portal(client) => {
                    let message = SendMessage {
                        id: news.message_id,
                        conversation_id: client.id,
                        content: text,
                        photo: None,
                    };
                    changes.extend(message.decide(business, ctx)?.changes);
                }
                Some(client) => delays.pass_on(client.id, text),
                None => {}
            }
        }
        changes.extend(delays.changes(business, self.moves_plan, &told));
        Ok(Decision {
            adjustments: delays.left(),
            ..changes.into()
        })
    }

    fn about(&self) -> About {
        About {
            shows: Shows::Made(TableName::Service),
            ..About::of("Delay", Effect::Marks)
        }
    }

    fn words(&self) -> Option<Vec<(&str, &str)>> {
        let texts = self.told.iter().map(|it| it.content.as_str());
        Some(
            texts
                .filter(|it| !it.is_empty())
                .map(|it| ("Message", it))
                .collect(),
        )
    }
}

/// Visits of an announcement, sorted by whether the news of them is true and in time.
struct Delays<'a> {
    day: Date,
    open: Vec<(&'a Service, Delay)>,
    changed: Vec<Id>,
    late: Vec<Id>,
}

impl<'a> Delays<'a> {
    fn sorted(command: &AnnounceDelay, business: &'a Business, ctx: &Context) -> Self {
        let mut delays = Self {
            day: command.date,
            open: Vec::new(),
            changed: Vec::new(),
            late: Vec::new(),
        };
        let mut seen = BTreeSet::new();
        for visit in command.delayed.iter().filter(|it| seen.insert(it.id)) {
            let known = business.service(visit.id);
            // What was done already is no news.
            if known
                .and_then(Service::current_delay)
                .is_some_and(|it| (it.planned, it.start_time) == (visit.planned, visit.start_time))
            {
                continue;
            }
            let Some(service) = known.filter(|it| is_as_seen(it, visit, command.date)) else {
                delays.changed.push(visit.id);
                continue;
            };
            if starts_at(command.date, visit.start_time, &ctx.now) <= ctx.now.at {
                delays.late.push(visit.id);
                continue;
            }
            let delay = Delay {
                date: command.date,
                planned: visit.planned,
                start_time: visit.start_time,
                at: ctx.acted_at(),
                text: String::new(),
                passed_on_at: None,
                overlap_ok: service.overlap_ok,
            };
            delays.open.push((service, delay));
        }
        delays.leave_edited(command, business);
        delays
    }

    /// Leaves a client's other visits, too, where one of them is left and a person chose the words: they may speak of it.
    fn leave_edited(&mut self, command: &AnnounceDelay, business: &Business) {
        let client_of = |id: &Id| business.service(*id).map(|it| it.client_id);
        let of_left = |left: &[Id]| -> Vec<Id> { left.iter().filter_map(client_of).collect() };
        let (changed, late) = (of_left(&self.changed), of_left(&self.late));
        let edited = command
            .told
            .iter()
            .filter(|it| !it.content.trim().is_empty());
        for news in edited {
            let left = if late.contains(&news.client_id) {
                &mut self.late
            } else if changed.contains(&news.client_id) {
                &mut self.changed
            } else {
                continue;
            };
            let is_theirs = |service: &Service| service.client_id == news.client_id;
            let theirs = self.open.iter().filter(|it| is_theirs(it.0));
            left.extend(theirs.map(|it| it.0.id));
            self.open.retain(|it| !is_theirs(it.0));
        }
    }

    /// A client's visits with their new starts.
    fn of(&self, client_id: Id) -> Vec<(&'a Service, Time)> {
        let theirs = self.open.iter().filter(|it| it.0.client_id == client_id);
        theirs.map(|it| (it.0, it.1.start_time)).collect()
    }

    /// Notes the words that the sitter passes on to a client, at the first of the client's visits.
    fn pass_on(&mut self, client_id: Id, text: String) {
        let mut theirs = self.open.iter_mut();
        if let Some((_, delay)) = theirs.find(|it| it.0.client_id == client_id) {
            delay.text = text;
        }
    }

    fn changes(&self, business: &Business, moves_plan: bool, told: &BTreeSet<Id>) -> Vec<Change> {
        let mut after: Vec<Service> = Vec::new();
        for (service, delay) in &self.open {
            let is_told = told.contains(&service.client_id);
            if is_told || moves_plan {
                let start_time = match moves_plan {
                    true => delay.start_time,
                    false => service.start_time,
                };
                let delay = is_told.then(|| delay.clone());
                let mut later = Service {
                    start_time,
                    delay,
                    ..(*service).clone()
                };
                later.settle_window();
                after.push(later);
            }
        }
        if moves_plan {
            let ids: BTreeSet<Id> = after.iter().map(|it| it.id).collect();
            let day = business.visits_between(self.day, self.day).into_iter();
            let others = day.filter(|it| !ids.contains(&it.id));
            let taken: Vec<_> = others
                .filter(|it| it.status != ServiceStatus::Cancelled)
                .chain(&after)
                .map(|it| (it.id, it.interval()))
                .collect();
            for service in &mut after {
                let own = service.interval();
                // Whoever is late overlaps what the delay runs into: no form can change that. What was confirmed at the
                // former start says nothing of this one.
                service.overlap_ok = taken
                    .iter()
                    .any(|(id, it)| *id != service.id && it.start < own.end && own.start < it.end);
            }
        }
        after.into_iter().map(Change::from).collect()
    }

    fn left(self) -> Vec<Adjustment> {
        let Self { changed, late, .. } = self;
        if changed.is_empty() && late.is_empty() {
            return Vec::new();
        }
        vec![Adjustment::DelayLeft { changed, late }]
    }
}

/// True for a visit that is still to come and stands where the person saw it.
fn is_as_seen(service: &Service, visit: &DelayedVisit, date: Date) -> bool {
    service.status == ServiceStatus::Scheduled
        && !service.has_begun()
        && service.end_date.is_none()
        && (service.date, service.start_time) == (date, visit.planned)
}

impl Intent for TakeBackDelay {
    fn needs(&self, business: &Business, ctx: &Context) -> Vec<Need> {
        let ids = self.delayed.iter().map(|it| it.id).collect();
        let mut needs = vec![
            Need::Rows(TableName::Service, ids),
            Need::Rows(TableName::Message, self.messages.clone()),
        ];
        let deletions = self.deletions(business);
        needs.extend(deletions.flat_map(|it| it.needs(business, ctx)));
        needs
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        let mut decision = Decision::default();
        for deletion in self.deletions(business) {
            // A message whose conversation is gone says nothing to anybody.
            let deleted = deletion.decide(business, ctx).unwrap_or_default();
            decision.changes.extend(deleted.changes);
        }
        let (mut seen, mut changed) = (BTreeSet::new(), Vec::new());
        for visit in self.delayed.iter().filter(|it| seen.insert(it.id)) {
            let service = business.service(visit.id);
            // Nobody was told, or it is taken back already.
            if service.is_some_and(|it| it.delay.is_none() && it.start_time == visit.planned) {
                continue;
            }
            let announced = service.filter(|it| {
                let is_told = it.current_delay().is_some_and(|delay| {
                    (delay.planned, delay.start_time) == (visit.planned, visit.start_time)
                });
                let is_moved = it.delay.is_none() && it.start_time == visit.start_time;
                let is_to_come = it.status == ServiceStatus::Scheduled && !it.has_begun();
                is_told || (is_moved && is_to_come)
            });
            match announced {
                Some(service) => {
                    // What was confirmed holds only for the start that it was confirmed at.
                    let overlap_ok = match service.start_time == visit.planned {
                        true => service.overlap_ok,
                        false => service.delay.as_ref().is_some_and(|it| it.overlap_ok),
                    };
                    let mut before = Service {
                        start_time: visit.planned,
                        delay: None,
                        overlap_ok,
                        ..service.clone()
                    };
                    before.restore_window(visit.window);
                    decision.changes.push(before.into());
                }
                None => changed.push(visit.id),
            }
        }
        if !changed.is_empty() {
            let late = Vec::new();
            decision.adjustments = vec![Adjustment::DelayLeft { changed, late }];
        }
        Ok(decision)
    }

    fn about(&self) -> About {
        About {
            shows: Shows::Made(TableName::Service),
            ..About::of("Delay", Effect::Marks)
        }
    }
}

impl TakeBackDelay {
    /// Deletions of the messages that there are; of a client the first, since an announcement writes each client one.
    fn deletions(&self, business: &Business) -> impl Iterator<Item = DeleteMessage> {
        let mut clients = BTreeSet::new();
        let messages = self
            .messages
            .iter()
            .filter_map(|it| business.messages.get(it));
        let first = messages.filter(move |it| clients.insert(it.row.client_id));
        first.map(|it| DeleteMessage { id: it.row.id })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::client::Client;
    use crate::rows::message::MessageType;
    use crate::rows::service::{Progress, ProgressStep};
    use crate::values::zone::TimeZone;
    use crate::{Instant, Now, Row};

    fn ctx(time: &str) -> Context {
        Context::at(Now {
            at: format!("2026-11-20T{time}:00Z").parse().unwrap(),
            zone: TimeZone::UTC,
        })
    }

    fn at(time: &str) -> Time {
        time.parse().unwrap()
    }

    fn visit(id: u128, client: u128, start: &str) -> Service {
        Service {
            client_id: Id::of(client),
            dogs: vec![format!("Pet {id}")],
            date: ctx("11:00").today(),
            start_time: at(start),
            ..Service::new(Id::of(id), Instant(0))
        }
    }

    /// Dana is in the portal and Mikko is not; another sitter's rows have no place here.
    fn business() -> Business {
        let mut business = Business::default();
        let dana = Client {
            name: "Dana".to_owned(),
            client_user_id: Some(Id::of(90)),
            ..Client::new(Id::of(1), Instant(0))
        };
        let mikko = Client {
            name: "Mikko".to_owned(),
            ..Client::new(Id::of(2), Instant(0))
        };
        business.put(1, Row::Client(dana));
        business.put(1, Row::Client(mikko));
        for service in [
            visit(10, 1, "12:00"),
            visit(11, 2, "13:00"),
            visit(12, 1, "14:00"),
        ] {
            business.put(1, Row::Service(service));
        }
        business
    }

    fn later(id: u128, planned: &str, start_time: &str) -> DelayedVisit {
        DelayedVisit {
            id: Id::of(id),
            planned: at(planned),
            start_time: at(start_time),
            window: None,
        }
    }

    fn news(client: u128) -> DelayNews {
        DelayNews {
            client_id: Id::of(client),
            message_id: Id::of(100 + client),
            content: String::new(),
        }
    }

    fn announcement() -> AnnounceDelay {
        AnnounceDelay {
            date: ctx("11:00").today(),
            delayed: vec![
                later(10, "12:00", "12:20"),
                later(11, "13:00", "13:20"),
                later(12, "14:00", "14:20"),
            ],
            told: vec![news(1), news(2)],
            moves_plan: true,
        }
    }

    fn take_back() -> TakeBackDelay {
        TakeBackDelay {
            delayed: announcement().delayed,
            messages: vec![Id::of(101), Id::of(102)],
        }
    }

    fn starts(business: &Business) -> Vec<String> {
        let day = ctx("11:00").today();
        let visits = business.visits_between(day, day);
        visits.iter().map(|it| it.start_time.to_string()).collect()
    }

    fn left(decision: &Decision) -> (Vec<Id>, Vec<Id>) {
        match decision.adjustments.as_slice() {
            [] => (Vec::new(), Vec::new()),
            [Adjustment::DelayLeft { changed, late }] => (changed.clone(), late.clone()),
            other => panic!("{other:?}"),
        }
    }

    /// Decides with what the server loads, which has to come to the same.
    #[track_caller]
    fn done(command: &crate::Command, business: &mut Business, ctx: &Context) -> Decision {
        let mut loaded = Business::default();
        for _ in 0..3 {
            for need in command.needs(&loaded, ctx) {
                let is_needed = |row: &Row| match &need {
                    Need::Row(key) => *key == row.key(),
                    Need::Rows(table, ids) => {
                        *table == row.key().table && ids.contains(&row.key().id)
                    }
                    Need::Table(table) => *table == row.key().table,
                    Need::ServicesBetween(first, last) => {
                        matches!(row, Row::Service(it) if (*first..=*last).contains(&it.date))
                    }
                    other => panic!("{other:?}"),
                };
                for row in business.rows().filter(|it| is_needed(&it.row)) {
                    loaded.put(row.rev, row.row);
                }
            }
        }
        let decision = crate::commands::decide(command, business, ctx).unwrap();
        assert_eq!(
            crate::commands::decide(command, &loaded, ctx),
            Ok(decision.clone())
        );
        business.apply(2, &decision.changes);
        decision
    }

    #[test]
    fn clients_are_told_once_and_their_visits_move() {
        let mut business = business();
        let decision = done(&announcement().into(), &mut business, &ctx("11:30"));
        assert_eq!(left(&decision), (Vec::new(), Vec::new()));
        assert_eq!(starts(&business), ["12:20", "13:20", "14:20"]);
        let messages: Vec<_> = business.messages.values().map(|it| &it.row).collect();
        let [message] = messages.as_slice() else {
            panic!("{messages:?}")
        };
        assert_eq!(message.client_id, Id::of(1));
        assert_eq!(
            message.content,
            "Pet 10's visit is about 20 minutes later today, around 12:20 PM. \
             Pet 12's visit is about 20 minutes later today, around 2:20 PM."
        );
        let text = |id| {
            let delay = business.service(Id::of(id)).unwrap().current_delay();
            delay.unwrap().text.clone()
        };
        assert_eq!(
            text(11),
            "Pet 11's visit is about 20 minutes later today, around 1:20 PM."
        );
        assert!(text(10).is_empty() && text(12).is_empty());
        let again = done(&announcement().into(), &mut business, &ctx("11:31"));
        assert_eq!(again, Decision::default());
    }

    #[test]
    fn what_changed_or_began_meanwhile_is_left_and_named() {
        let mut business = business();
        business.put(2, Row::Service(visit(11, 2, "15:00")));
        business.put(
            2,
            Row::Service(Service {
                progress: Some(Progress::new(ProgressStep::Started, Instant(0))),
                ..visit(12, 1, "14:00")
            }),
        );
        let decision = done(&announcement().into(), &mut business, &ctx("11:30"));
        assert_eq!(left(&decision), (vec![Id::of(11), Id::of(12)], Vec::new()));
        assert_eq!(starts(&business), ["12:20", "14:00", "15:00"]);
        let messages: Vec<_> = business.messages.values().collect();
        assert_eq!(
            messages[0].row.content,
            "Pet 10's visit is about 20 minutes later today, around 12:20 PM."
        );
    }

    #[test]
    fn news_that_comes_after_the_new_time_is_told_to_nobody() {
        let mut business = business();
        // Said at 11:30, with no network until 1:20 PM.
        let late = Context {
            made_at: ctx("11:30").now.at,
            ..ctx("13:20")
        };
        let decision = done(&announcement().into(), &mut business, &late);
        assert_eq!(left(&decision), (Vec::new(), vec![Id::of(10), Id::of(11)]));
        assert_eq!(starts(&business), ["12:00", "13:00", "14:20"]);
        let messages: Vec<_> = business.messages.values().collect();
        assert_eq!(messages.len(), 1);
        assert!(!messages[0].row.content.contains("Pet 10"));
        // Words of a person may speak of both visits.
        let mut edited = announcement();
        edited.told[0].content = "Both a bit later!".to_owned();
        let mut business = self::business();
        let decision = done(&edited.into(), &mut business, &late);
        assert_eq!(decision.changes, []);
        assert_eq!(left(&decision).1, [Id::of(10), Id::of(11), Id::of(12)]);
    }

    #[test]
    fn without_moving_the_plan_only_those_who_are_told_are_touched() {
        let mut business = business();
        let mut command = announcement();
        command.moves_plan = false;
        command.told.truncate(1);
        command.told[0].content = " Sorry, later! ".to_owned();
        let decision = done(&command.into(), &mut business, &ctx("11:30"));
        assert_eq!(left(&decision), (Vec::new(), Vec::new()));
        assert_eq!(starts(&business), ["12:00", "13:00", "14:00"]);
        assert!(
            business
                .service(Id::of(10))
                .unwrap()
                .current_delay()
                .is_some()
        );
        assert!(business.service(Id::of(11)).unwrap().delay.is_none());
        let messages: Vec<_> = business.messages.values().collect();
        assert_eq!(messages[0].row.content, "Sorry, later!");
    }

    #[test]
    fn a_delay_is_of_today_and_later() {
        let refused = |command: AnnounceDelay| {
            let refusal = command.decide(&business(), &ctx("11:30")).unwrap_err();
            refusal.code()
        };
        let mut tomorrow = announcement();
        tomorrow.date = tomorrow.date.plus_days(1);
        assert_eq!(refused(tomorrow), "invalid");
        let mut earlier = announcement();
        earlier.delayed[0].start_time = at("12:00");
        assert_eq!(refused(earlier), "invalid");
    }

    #[test]
    fn an_overlap_that_a_delay_makes_is_agreed() {
        let mut business = business();
        let mut command = announcement();
        command.delayed = vec![later(10, "12:00", "12:45")];
        command.told.clear();
        done(&command.into(), &mut business, &ctx("11:30"));
        assert!(business.service(Id::of(10)).unwrap().overlap_ok);
        let mut command = announcement();
        command.delayed = vec![later(12, "14:00", "14:20")];
        command.told.clear();
        done(&command.into(), &mut business, &ctx("11:30"));
        assert!(!business.service(Id::of(12)).unwrap().overlap_ok);
    }

    #[test]
    fn undo_puts_visits_back_and_deletes_the_message() {
        let mut business = business();
        done(&announcement().into(), &mut business, &ctx("11:30"));
        // Another phone has moved one meanwhile.
        let moved = Service {
            start_time: at("16:00"),
            ..business.service(Id::of(11)).unwrap().clone()
        };
        business.put(3, Row::Service(moved));
        let decision = done(&take_back().into(), &mut business, &ctx("11:31"));
        assert_eq!(left(&decision), (vec![Id::of(11)], Vec::new()));
        assert_eq!(starts(&business), ["12:00", "14:00", "16:00"]);
        let message = &business.messages.get(&Id::of(101)).unwrap().row;
        assert_eq!(message.message_type, MessageType::System);
        assert!(business.service(Id::of(10)).unwrap().delay.is_none());
        let again = done(&take_back().into(), &mut business, &ctx("11:32"));
        assert_eq!(again.changes, []);
    }

    #[test]
    fn a_client_sends_neither() {
        let client = Context {
            actor: crate::commands::decision::Actor::Client(Id::of(1)),
            ..ctx("11:30")
        };
        for command in [announcement().into(), take_back().into()] {
            assert_eq!(
                crate::commands::decide(&command, &business(), &client),
                Err(Refusal::NotAllowed)
            );
        }
    }

    #[test]
    fn a_visit_that_is_later_than_its_agreed_window_has_none() {
        let mut business = business();
        for (id, client, start, to) in [(10, 1, "12:00", "12:30"), (12, 1, "14:00", "14:10")] {
            let agreed = Service {
                window_from: Some(at("11:00")),
                window_to: Some(at(to)),
                ..visit(id, client, start)
            };
            business.put(1, Row::Service(agreed));
        }
        done(&announcement().into(), &mut business, &ctx("11:30"));
        let window = |id| business.service(Id::of(id)).unwrap().window();
        assert_eq!(window(10), Some((at("11:00"), at("12:30"))));
        assert_eq!(window(12), None);
    }

    #[test]
    fn taking_a_delay_back_gives_agreed_windows_back() {
        let mut business = business();
        for (id, client, start) in [(10, 1, "12:00"), (11, 2, "13:00")] {
            let agreed = Service {
                window_from: Some(at("11:00")),
                window_to: Some(at(start)),
                ..visit(id, client, start)
            };
            business.put(1, Row::Service(agreed));
        }
        let before = business.clone();
        let mut command = announcement();
        // Of Mikko's visit only the plan is moved.
        command.told = vec![news(1)];
        let undo = crate::screens::delay::undo(&business, &command);
        done(&command.into(), &mut business, &ctx("11:30"));
        assert_eq!(business.service(Id::of(10)).unwrap().window(), None);
        done(&undo, &mut business, &ctx("11:31"));
        for id in [10, 11, 12] {
            assert_eq!(business.service(Id::of(id)), before.service(Id::of(id)));
        }
    }

    #[test]
    fn a_confirmed_overlap_is_one_of_its_start_and_comes_back_with_that() {
        let mut business = business();
        for service in [visit(13, 2, "12:15"), visit(14, 2, "12:45")] {
            business.put(1, Row::Service(service));
        }
        let confirmed = Service {
            overlap_ok: true,
            ..visit(12, 1, "14:00")
        };
        business.put(1, Row::Service(confirmed));
        let mut command = announcement();
        command.delayed = vec![later(10, "12:00", "12:40"), later(12, "14:00", "14:20")];
        command.told = vec![news(1)];
        done(&command.into(), &mut business, &ctx("11:30"));
        let overlap_ok = |business: &Business| {
            [10, 12].map(|id| business.service(Id::of(id)).unwrap().overlap_ok)
        };
        assert_eq!(overlap_ok(&business), [true, false]);
        let back = TakeBackDelay {
            delayed: vec![later(10, "12:00", "12:40"), later(12, "14:00", "14:20")],
            messages: Vec::new(),
        };
        done(&back.into(), &mut business, &ctx("11:31"));
        assert_eq!(overlap_ok(&business), [false, true]);
    }
}
