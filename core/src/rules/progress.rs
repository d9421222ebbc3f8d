//! Owns what a pet parent reads of a visit that is under way (docs/decisions/clients.md, live status).

use serde::Serialize;

use crate::rows::service::{Progress, ProgressStep, Service, ServiceStatus};
use crate::rules::mileage::{WALK_KM_PER_HOUR, WAY_KM_PER_HOUR, home, way_m, way_minutes};
use crate::rules::overdue::is_not_completed;
use crate::rules::ways_to_client::{is_in_portal, is_seen};
use crate::values::bounds::WAY_MINUTES;
use crate::values::format;
use crate::values::instant::{MS_PER_HOUR, MS_PER_MINUTE};
use crate::values::place::Place;
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
    /// `On the way, there about 12:05 PM`, `On the way since 11:50 AM` once that has passed, `On the way` where no time was
    /// told, or `Started 12:04 PM`.
    pub text: String,
    /// `23 min` since it started; none in its first minute, and before it started.
    pub elapsed: Option<String>,
}

/// True for a visit that was told to have begun, however long ago it should have ended, until somebody says what became of it.
pub fn is_going_on(service: &Service, now: &Now) -> bool {
    let is_begun = service.status == ServiceStatus::Scheduled && service.has_begun();
    let is_news = |it: Progress| now.at.0 - it.at.0 < NEWS_MS;
    is_begun && service.progress.is_some_and(is_news)
}

/// How far a visit has come; nothing where it is over, or was not told of today. `now` is in the zone of the sitter.
pub fn live_status(service: &Service, now: &Now, cycle: HourCycle) -> Option<LiveStatus> {
    let progress = service
        .progress
        .filter(|_| service.status == ServiceStatus::Scheduled)?;
    // Nobody is on the way to what should be over.
    if !service.has_begun() && is_not_completed(service, now) {
        return None;
    }
    // A phone's clock may be ahead of this one by a little.
    let is_news = now.at.0 - progress.at.0 < NEWS_MS;
    let text = match progress.step {
        ProgressStep::OnTheWay => {
            // A later start that was told since counts.
            let is_told_since = service
                .current_delay()
                .is_some_and(|it| progress.at < it.at);
            let expected_at = progress.expected_at.filter(|_| !is_told_since);
            on_the_way(progress.at, expected_at, now, cycle)
        }
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

/// A way begun at `at` as its client reads it; once the time of arrival has passed, nothing says that it is still to come.
fn on_the_way(at: Instant, expected_at: Option<Instant>, now: &Now, cycle: HourCycle) -> String {
    let time = |it: Instant| format::time(it.civil(&now.zone).1, cycle);
    match expected_at {
        None => "On the way".to_owned(),
        Some(it) if now.at < it => ["On the way, there about ", &time(it)].concat(),
        Some(_) => ["On the way since ", &time(at)].concat(),
    }
}

/// Times of arrival are told in whole steps: they are estimates.
const STEP_MS: i64 = 5 * MS_PER_MINUTE;

/// Moment at which a way of so many minutes that begins at `at` should be over, as it is told: never too early.
pub(crate) fn arrival(at: Instant, way_minutes: u32) -> Instant {
    let there = at.0.saturating_add(i64::from(way_minutes) * MS_PER_MINUTE);
    let steps = there.saturating_add(STEP_MS - 1).div_euclid(STEP_MS);
    Instant(steps * STEP_MS)
}

/// Time after a visit within which its home is taken to be where the sitter sets out.
const JUST_LEFT_MS: i64 = 30 * MS_PER_MINUTE;

/// The way from the visit before to one that the sitter may say to be on the way to. No position of the phone is in it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct WayThere {
    /// Home of the visit before.
    pub from: Place,
    /// Home of the visit.
    pub to: Place,
    /// Minutes on foot, by the straight line; absent where that is longer than `bounds::WAY_MINUTES`.
    pub on_foot: Option<u32>,
    /// Minutes by car or bicycle, by the straight line.
    pub on_wheels: u32,
}

/// Returns the way to a visit; none where no visit of another home was marked done in the last half hour, a home is not
/// known, or the way is longer than `bounds::WAY_MINUTES` on wheels.
pub fn way_there(business: &Business, service: &Service, now: &Now) -> Option<WayThere> {
    if !seen_steps(business, service, now).contains(&ProgressStep::OnTheWay) {
        return None;
    }
    let today = now.today();
    let visits = business.visits_between(today, today).into_iter();
    let left = visits.filter_map(|it| {
        let done_at = it.completed_at?;
        let is_done = it.status == ServiceStatus::Completed;
        (is_done && (0..JUST_LEFT_MS).contains(&(now.at.0 - done_at.0))).then_some((done_at, it))
    });
    let (_, before) = left.max_by_key(|it| it.0)?;
    let home_of = |it: &Service| business.client(it.client_id).and_then(home);
    let (from, to) = (home_of(before)?, home_of(service)?);
    let minutes = |speed| {
        let minutes = u32::try_from(way_minutes(way_m(from, to), speed)).ok();
        minutes.filter(|it| *it <= WAY_MINUTES)
    };
    (before.client_id != service.client_id).then_some(WayThere {
        from,
        to,
        on_foot: minutes(WALK_KM_PER_HOUR),
        on_wheels: minutes(WAY_KM_PER_HOUR)?,
    })
}

/// `Dana sees: On the way, there about 12:05 PM`: what the client reads once the sitter says to be on the way now.
pub fn told_on_the_way(
    business: &Business,
    service: &Service,
    way_minutes: Option<u32>,
    now: &Now,
) -> String {
    let expected_at = way_minutes.map(|it| arrival(now.at, it));
    let text = on_the_way(now.at, expected_at, now, business.hour_cycle());
    format!("{} sees: {text}", format::set_apart(&service.client_name))
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
    use crate::rows::service::Delay;
    use crate::rows::sitter::Sitter;
    use crate::{Id, Row, Time};

    #[track_caller]
    fn check(status: ServiceStatus, step: ProgressStep, at: &str, text: Option<&str>) {
        let now = Now {
            at: "2026-11-20T12:10:00-05:00".parse().unwrap(),
            zone: TimeZone::posix("EST5EDT,M3.2.0,M11.1.0").unwrap(),
        };
        let at: Instant = at.parse().unwrap();
        let service = Service {
            status,
            date: now.today(),
            start_time: Time::hour(12),
            progress: Some(Progress::new(step, at)),
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
                progress: Some(Progress::new(step, at)),
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
    fn a_visit_goes_on_after_its_end_if_it_has_begun_and_nobody_is_on_the_way_to_one_that_is_over()
    {
        let now = Now {
            at: "2026-11-20T15:00:00Z".parse().unwrap(),
            zone: TimeZone::UTC,
        };
        let told = |step, planned: Time| {
            let at = Instant(now.at.0 - 2 * MS_PER_HOUR);
            let service = Service {
                date: now.today(),
                start_time: planned,
                duration_minutes: 30,
                progress: Some(Progress::new(step, at)),
                ..Service::new(Id::of(1), at)
            };
            let live = live_status(&service, &now, HourCycle::H12);
            (live.map(|it| it.text), is_going_on(&service, &now))
        };
        let noon = Time::hour(12);
        let started = "Started 1:00 PM".to_owned();
        assert_eq!(told(ProgressStep::Started, noon), (Some(started), true));
        assert_eq!(told(ProgressStep::OnTheWay, noon), (None, false));
        let late = Time::new(14, 30).unwrap();
        let on_the_way = "On the way".to_owned();
        assert_eq!(
            told(ProgressStep::OnTheWay, late),
            (Some(on_the_way), false)
        );
    }

    #[test]
    fn the_noted_times_of_a_visit_name_another_day() {
        let at = |text: &str| Some(text.parse::<Instant>().unwrap());
        let started = at("2026-11-20T12:04:30Z").map(|at| Progress::new(ProgressStep::Started, at));
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
        let said = |step| Some(Progress::new(step, at));
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
    fn the_time_of_arrival_is_told_until_it_has_passed_and_the_words_stay_true() {
        let at: Instant = "2026-11-20T11:50:10Z".parse().unwrap();
        let mut service = Service {
            date: "2026-11-20".parse().unwrap(),
            start_time: "12:00".parse().unwrap(),
            progress: Some(Progress {
                expected_at: Some(arrival(at, 12)),
                ..Progress::new(ProgressStep::OnTheWay, at)
            }),
            ..Service::new(Id::of(1), at)
        };
        let text = |service: &Service, time: &str| {
            let now = Now {
                at: format!("2026-11-20T{time}Z").parse().unwrap(),
                zone: TimeZone::UTC,
            };
            live_status(service, &now, HourCycle::H12).unwrap().text
        };
        // Two minutes past noon, told in steps and never too early.
        assert_eq!(
            text(&service, "11:50:10"),
            "On the way, there about 12:05 PM"
        );
        assert_eq!(
            text(&service, "12:04:59"),
            "On the way, there about 12:05 PM"
        );
        assert_eq!(text(&service, "12:05:00"), "On the way since 11:50 AM");
        // A later start that is told afterwards takes its place.
        service.delay = Some(Delay {
            date: service.date,
            planned: service.start_time,
            start_time: "12:30".parse().unwrap(),
            at: Instant(at.0 + 60_000),
            text: String::new(),
            passed_on_at: None,
            overlap_ok: false,
        });
        assert_eq!(text(&service, "11:52:00"), "On the way");
    }

    #[test]
    fn the_way_there_is_known_from_a_visit_of_another_home_that_has_just_ended() {
        let at: Instant = "2026-11-20T12:00:00Z".parse().unwrap();
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
        let client = |n, km_north: Option<f64>| Client {
            name: format!("Client {n}"),
            client_user_id: Some(Id::of(100 + n)),
            lat: km_north.map(|it| 40.0 + it / 111.2),
            lng: km_north.map(|_| -74.0),
            ..Client::new(Id::of(n), Instant(0))
        };
        let visit = |n: u128, client: u128, done_at: Option<&str>| Service {
            client_id: Id::of(client),
            client_name: format!("Client {client}"),
            date: now.today(),
            status: done_at.map_or(ServiceStatus::Scheduled, |_| ServiceStatus::Completed),
            completed_at: done_at.map(|it| format!("2026-11-20T{it}Z").parse().unwrap()),
            ..Service::new(Id::of(n), at)
        };
        let way = |visits: &[Service], homes: [Option<f64>; 3]| {
            let mut business = Business::default();
            business.put(1, Row::Sitter(sitter.clone()));
            for (n, km) in (1..).zip(homes) {
                business.put(1, Row::Client(client(n, km)));
            }
            for visit in visits {
                business.put(1, Row::Service(visit.clone()));
            }
            let next = business.service(Id::of(30)).unwrap();
            way_there(&business, next, &now).map(|it| (it.on_foot, it.on_wheels))
        };
        let homes = [Some(0.0), Some(1.0), Some(5.0)];
        let next = visit(30, 2, None);
        let visits = |done_at| [next.clone(), visit(31, 1, Some(done_at))];
        // A kilometer is 1.3 on the way.
        assert_eq!(way(&visits("11:45:00"), homes), Some((Some(16), 6)));
        assert_eq!(way(&visits("11:30:00"), homes), None, "anywhere by now");
        assert_eq!(way(&[next.clone(), visit(31, 1, None)], homes), None);
        assert_eq!(way(&visits("11:45:00"), [None, Some(1.0), None]), None);
        assert_eq!(
            way(&visits("11:45:00"), [Some(40.0), Some(1.0), None]),
            None
        );
        let same = [next.clone(), visit(31, 2, Some("11:45:00"))];
        assert_eq!(way(&same, homes), None, "there already");
        let last = [
            next.clone(),
            visit(31, 1, Some("11:40:00")),
            visit(32, 3, Some("11:50:00")),
        ];
        assert_eq!(
            way(&last, homes),
            Some((Some(63), 21)),
            "from the latest one"
        );
        let business = Business::default();
        assert!(
            told_on_the_way(&business, &next, Some(6), &now)
                .ends_with(" sees: On the way, there about 12:10 PM")
        );
        assert!(told_on_the_way(&business, &next, None, &now).ends_with(" sees: On the way"));
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
