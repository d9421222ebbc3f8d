//! Owns what a pet parent reads of a visit that is under way (docs/decisions/clients.md, live status).

use serde::Serialize;

use crate::rows::service::{ProgressStep, Service, ServiceStatus};
use crate::rules::ways_to_client::{is_in_portal, is_seen};
use crate::values::format;
use crate::values::instant::{MS_PER_HOUR, MS_PER_MINUTE};
use crate::values::units::HourCycle;
use crate::values::zone::TimeZone;
use crate::{Business, Instant, Now};

/// How long it is news: a walk over midnight is still one, and what nobody has completed is over all the same.
const NEWS_MS: i64 = 12 * MS_PER_HOUR;

/// How far a visit has come, in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct LiveStatus {
    /// How far it has come.
    pub step: ProgressStep,
    /// When the sitter noted this step.
    pub at: Instant,
    /// `On the way`, or `Started 12:04 PM`.
    pub text: String,
    /// `23 min` since it started; none in its first minute, and before it started.
    pub elapsed: Option<String>,
}

/// How far a visit has come; nothing where it is over, or was not told of today. `now` is in the zone of the sitter.
pub fn live_status(service: &Service, now: &Now, cycle: HourCycle) -> Option<LiveStatus> {
    let progress = service
        .progress
        .filter(|_| service.status == ServiceStatus::Scheduled)?;
    // A phone's clock may be ahead of this one by a little.
    let is_news = now.at.0 - progress.at.0 < NEWS_MS;
    let text = match progress.step {
        ProgressStep::OnTheWay => "On the way".to_owned(),
        ProgressStep::Started => {
            let time = progress.at.civil(&now.zone).1;
            ["Started ", &format::time(time, cycle)].concat()
        }
    };
    let minutes = u32::try_from((now.at.0 - progress.at.0) / MS_PER_MINUTE).unwrap_or(0);
    let has_elapsed = progress.step == ProgressStep::Started && 0 < minutes;
    is_news.then_some(LiveStatus {
        step: progress.step,
        at: progress.at,
        text,
        elapsed: has_elapsed.then(|| format::duration(minutes)),
    })
}

/// Status of a visit as its client sees it in the portal; none where the client is not there.
pub fn seen_status(
    business: &Business,
    service: &Service,
    now: &Now,
    cycle: HourCycle,
) -> Option<LiveStatus> {
    live_status(service, now, cycle).filter(|_| is_seen(business, service))
}

/// Times that the sitter noted of a visit: `Started 12:04 PM, marked done 12:41 PM`; each with its day where that is none
/// of the visit's. `None` where nothing is noted.
pub fn noted_times(service: &Service, zone: &TimeZone, cycle: HourCycle) -> Option<String> {
    let last = service.end_date.unwrap_or(service.date);
    let told = |at: Instant| {
        let (date, time) = at.civil(zone);
        if (service.date..=last).contains(&date) && service.end_date.is_none() {
            format::time(time, cycle)
        } else {
            format::day_and_time(date, time, cycle)
        }
    };
    let started = service.progress.filter(|_| service.has_begun());
    let started = started.map(|it| told(it.at));
    let is_done = service.status == ServiceStatus::Completed;
    let done = service.completed_at.filter(|_| is_done).map(told);
    match (started, done) {
        (Some(started), Some(done)) => Some(format!("Started {started}, marked done {done}")),
        (Some(started), None) => Some(format!("Started {started}")),
        (None, Some(done)) => Some(format!("Marked done {done}")),
        (None, None) => None,
    }
}

/// Steps that a sitter may note next of a visit: none on other days, and none where clients are not to know.
pub fn next_steps(business: &Business, service: &Service, now: &Now) -> &'static [ProgressStep] {
    let is_told = business.sitter().is_some_and(|it| it.tells_progress);
    let days = service.date..=service.end_date.unwrap_or(service.date);
    let is_due = service.status == ServiceStatus::Scheduled && days.contains(&now.today());
    match service.progress.map(|it| it.step) {
        _ if !is_told || !is_due => &[],
        None => &[ProgressStep::OnTheWay, ProgressStep::Started],
        Some(ProgressStep::OnTheWay) => &[ProgressStep::Started],
        Some(ProgressStep::Started) => &[],
    }
}

/// The same, where the client is in the portal and sees it.
pub fn seen_steps(business: &Business, service: &Service, now: &Now) -> &'static [ProgressStep] {
    if is_seen(business, service) {
        next_steps(business, service, now)
    } else {
        &[]
    }
}

/// A text by which the sitter tells a client who is not in the portal that they are on the way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ProgressText {
    /// The sentence that says why it is the sitter's to send.
    pub told: String,
    /// The client's number.
    pub phone: String,
    /// The words of the text.
    pub words: String,
}

/// Returns the text for a visit that the sitter may be on the way to; none where the client sees it in the portal, or has
/// no number.
pub fn text_instead(business: &Business, service: &Service, now: &Now) -> Option<ProgressText> {
    let client = business.client(service.client_id)?;
    let is_next = next_steps(business, service, now).contains(&ProgressStep::OnTheWay);
    if !is_next || is_in_portal(client) || client.phone.is_empty() {
        return None;
    }
    let hello = match client.name.split_whitespace().next() {
        Some(first) => format!("Hello {first}!"),
        None => "Hello!".to_owned(),
    };
    let to = match service.dogs.as_slice() {
        [] => String::new(),
        dogs => [" to ", &format::names(dogs)].concat(),
    };
    Some(ProgressText {
        told: format!(
            "{} is not in the portal and sees nothing of it.",
            client.name
        ),
        phone: client.phone.clone(),
        words: format!("{hello} I'm on my way{to}."),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::client::Client;
    use crate::rows::service::Progress;
    use crate::rows::sitter::Sitter;
    use crate::{Id, Row};

    #[track_caller]
    fn check(status: ServiceStatus, step: ProgressStep, at: &str, text: Option<&str>) {
        let now = Now {
            at: "2026-11-20T12:10:00-05:00".parse().unwrap(),
            zone: TimeZone::posix("EST5EDT,M3.2.0,M11.1.0").unwrap(),
        };
        let at: Instant = at.parse().unwrap();
        let service = Service {
            status,
            progress: Some(Progress { step, at }),
            ..Service::new(Id::of(1), at)
        };
        let live = live_status(&service, &now, HourCycle::H12);
        assert_eq!(live.as_ref().map(|it| it.text.as_str()), text, "{live:?}");
    }

    #[test]
    fn a_visit_that_started_says_for_how_long_it_has_been_on() {
        let at: Instant = "2026-11-20T12:04:30Z".parse().unwrap();
        let elapsed = |step, seconds: i64| {
            let service = Service {
                progress: Some(Progress { step, at }),
                ..Service::new(Id::of(1), at)
            };
            let now = Now {
                at: Instant(at.0 + seconds * 1000),
                zone: TimeZone::UTC,
            };
            live_status(&service, &now, HourCycle::H12).and_then(|it| it.elapsed)
        };
        let started = |seconds| elapsed(ProgressStep::Started, seconds);
        assert_eq!(started(23 * 60 + 59).as_deref(), Some("23 min"));
        assert_eq!((started(59), started(-60)), (None, None));
        assert_eq!(elapsed(ProgressStep::OnTheWay, 600), None);
    }

    #[test]
    fn the_noted_times_of_a_visit_name_another_day() {
        let at = |text: &str| Some(text.parse::<Instant>().unwrap());
        let started = at("2026-11-20T12:04:30Z").map(|at| Progress {
            step: ProgressStep::Started,
            at,
        });
        let service = Service {
            date: "2026-11-20".parse().unwrap(),
            ..Service::new(Id::of(1), Instant(0))
        };
        let told = |it: &Service| noted_times(it, &TimeZone::UTC, HourCycle::H12);
        assert_eq!(told(&service), None);
        let begun = Service {
            progress: started,
            ..service.clone()
        };
        assert_eq!(told(&begun).as_deref(), Some("Started 12:04 PM"));
        let done = |completed_at, progress| Service {
            status: ServiceStatus::Completed,
            completed_at,
            progress,
            ..service.clone()
        };
        let told_of = |it: Service| told(&it).unwrap();
        assert_eq!(
            told_of(done(at("2026-11-20T12:41:00Z"), started)),
            "Started 12:04 PM, marked done 12:41 PM"
        );
        assert_eq!(
            told_of(done(at("2026-11-21T08:00:00Z"), None)),
            "Marked done Sat Nov 21, 8:00 AM"
        );
    }

    #[test]
    fn what_may_be_said_next_is_of_the_day_and_as_the_profile_says() {
        let at: Instant = "2026-11-20T12:04:30Z".parse().unwrap();
        let now = Now {
            at,
            zone: TimeZone::UTC,
        };
        let mut sitter = Sitter::new(
            Id::of(9),
            String::new(),
            String::new(),
            String::new(),
            Instant(0),
        );
        let mut service = Service {
            date: now.today(),
            ..Service::new(Id::of(1), at)
        };
        let in_portal = Client {
            client_user_id: Some(Id::of(7)),
            ..Client::new(Id::of(2), Instant(0))
        };
        service.client_id = in_portal.id;
        let steps_for = |client: &Client, sitter: &Sitter, service: &Service| {
            let mut business = Business::default();
            business.put(1, Row::Sitter(sitter.clone()));
            business.put(1, Row::Client(client.clone()));
            seen_steps(&business, service, &now).len()
        };
        let steps = |sitter: &Sitter, service: &Service| steps_for(&in_portal, sitter, service);
        assert_eq!(steps(&sitter, &service), 0);
        sitter.tells_progress = true;
        assert_eq!(steps(&sitter, &service), 2);
        // Nobody is there who would see it.
        let outside = Client::new(Id::of(2), Instant(0));
        assert_eq!(steps_for(&outside, &sitter, &service), 0);
        let said = |step| Some(Progress { step, at });
        service.progress = said(ProgressStep::OnTheWay);
        assert_eq!(steps(&sitter, &service), 1);
        service.progress = said(ProgressStep::Started);
        assert_eq!(steps(&sitter, &service), 0);
        service.progress = None;
        service.date = now.today().plus_days(-1);
        assert_eq!(steps(&sitter, &service), 0);
        // A stay of several days.
        service.end_date = Some(now.today());
        assert_eq!(steps(&sitter, &service), 2);
        service.status = ServiceStatus::Completed;
        assert_eq!(steps(&sitter, &service), 0);
    }

    #[test]
    fn a_client_outside_the_portal_is_texted_by_the_sitter() {
        let at: Instant = "2026-11-20T12:04:30Z".parse().unwrap();
        let now = Now {
            at,
            zone: TimeZone::UTC,
        };
        let mut sitter = Sitter::new(
            Id::of(9),
            String::new(),
            String::new(),
            String::new(),
            Instant(0),
        );
        sitter.tells_progress = true;
        let client = Client {
            name: "Mikko Aalto".to_owned(),
            phone: "555 0100".to_owned(),
            ..Client::new(Id::of(2), Instant(0))
        };
        let service = Service {
            client_id: client.id,
            dogs: vec!["Rex".to_owned(), "Miso".to_owned()],
            date: now.today(),
            ..Service::new(Id::of(1), at)
        };
        let text = |sitter: &Sitter, client: &Client, service: &Service| {
            let mut business = Business::default();
            business.put(1, Row::Sitter(sitter.clone()));
            business.put(1, Row::Client(client.clone()));
            text_instead(&business, service, &now)
        };
        let said = text(&sitter, &client, &service).unwrap();
        assert_eq!(said.words, "Hello Mikko! I'm on my way to Rex and Miso.");
        assert_eq!(
            said.told,
            "Mikko Aalto is not in the portal and sees nothing of it."
        );
        let linked = Client {
            client_user_id: Some(Id::of(7)),
            ..client.clone()
        };
        assert_eq!(text(&sitter, &linked, &service), None);
        let unreachable = Client {
            phone: String::new(),
            ..client.clone()
        };
        assert_eq!(text(&sitter, &unreachable, &service), None);
        let done = Service {
            status: ServiceStatus::Completed,
            ..service.clone()
        };
        assert_eq!(text(&sitter, &client, &done), None);
        sitter.tells_progress = false;
        assert_eq!(text(&sitter, &client, &service), None);
    }

    #[test]
    fn a_visit_under_way_says_how_far_it_has_come() {
        use ProgressStep::{OnTheWay, Started};
        use ServiceStatus::{Cancelled, Completed, Scheduled};
        let noon = "2026-11-20T12:04:30-05:00";
        check(Scheduled, OnTheWay, noon, Some("On the way"));
        check(Scheduled, Started, noon, Some("Started 12:04 PM"));
        // By the phone's clock, which is ahead.
        let ahead = "2026-11-20T12:12:00-05:00";
        check(Scheduled, Started, ahead, Some("Started 12:12 PM"));
        check(Completed, Started, noon, None);
        check(Cancelled, OnTheWay, noon, None);
        // Forgotten the evening before.
        check(Scheduled, Started, "2026-11-19T23:59:00-05:00", None);
        check(
            Scheduled,
            Started,
            "2026-11-20T00:30:00-05:00",
            Some("Started 12:30 AM"),
        );
    }
}
