//! Owns one run: phones, the network between them and the server, what goes wrong on the way, and when the checks look.
//! Everything happens in the order of one queue of events, so that a seed gives the same run every time.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::Deserialize;
use serde_json::json;
use walkies_core::rows::client::Client;
use walkies_core::rows::pet::Pet;
use walkies_core::sync::wire::{
    Mutation, Outcome, OutcomeKind, PullRequest, PullResponse, PushRequest, PushResponse, SCHEMA,
    SCHEMA_OF_FAILED, Stop,
};
use walkies_core::sync::{Batch, OutboxEntry, Pulled, Replica, SaveRequest};
use walkies_core::values::zone::TimeZone;
use walkies_core::{Command, Id, Instant, Refusal, Row, TableName};
use walkies_server::db::fault::{Fault, Moment};

use crate::backend::{Answer, BACKUPS, Backend, Call, Database, Met, Plan};
use crate::bugs::Bug;
use crate::names::Drawn;
use crate::oracle::{
    Check, I12, Intent, Oracle, Violation, ensure, i4_waiting_is_what_waits,
    i13_expired_sign_in_takes_nothing_away,
};
use crate::parents::{P1, P4, P5, P8, Seat, seen_by};
use crate::people::{Days, Shares, wish, wish_of_parent, wished, with_whole_rows};
use crate::phone::{
    Disk, FIRST_RETRY_MS, LONGEST_RETRY_MS, Message, POLL_MS, Phone, Stage, TIMEOUT_MS, Tab, Then,
};
use crate::rng::Rng;

/// Adds a line to the log, if there is one. Above the modules that use it.
macro_rules! note {
    ($world:expr, $($text:tt)*) => {
        if $world.log.is_some() {
            let line = format!("{:>9.3} {}", $world.now as f64 / 1000.0, format!($($text)*));
            if let Some(log) = &mut $world.log {
                log.push(line);
            }
        }
    };
}

mod live_maps;
mod own_data;
mod parents;
mod person;
mod plans;
mod plant;
mod round;
mod server;

use live_maps::ShownLiveMap;
use own_data::{OwnStep, Rewriting};

const MINUTE_MS: i64 = 60_000;
/// How long people work and things go wrong.
const BUSY_MS: i64 = 5 * MINUTE_MS;
/// How long a phone may take to send and fetch everything once nothing goes wrong any more: what meets a defect is tried
/// three times, a minute apart, and there may be some such changes one after the other.
const QUIET_MS: i64 = 30 * MINUTE_MS;
/// The last schema that has fewer refusals.
const OLDER_SCHEMA: u32 = SCHEMA_OF_FAILED - 1;
const READER: Id = Id::of(0x4EAD);

/// A call whose answer the phone waits for.
#[derive(Clone)]
enum Asked {
    Photo(Id),
    Push(Vec<Id>),
    Pull { number: u32, load: u32 },
}

/// A call on its way.
#[derive(Clone)]
struct Sent {
    phone: usize,
    tab: usize,
    life: u32,
    number: u64,
    load: u32,
    asked: Asked,
    call: Call,
    /// Made by the network, which throws its answer away.
    is_copy: bool,
}

enum Event {
    Act {
        phone: usize,
    },
    Append {
        phone: usize,
        tab: usize,
        life: u32,
        entry: Box<OutboxEntry>,
        draft: Id,
        resolves: Option<Id>,
    },
    Discard {
        phone: usize,
        tab: usize,
        life: u32,
    },
    Hear {
        phone: usize,
        tab: usize,
        life: u32,
        message: Message,
    },
    Wake {
        phone: usize,
        tab: usize,
        life: u32,
        timer: u32,
    },
    /// A tab hears over its socket that there is something new.
    Changed {
        phone: usize,
        tab: usize,
        life: u32,
    },
    Arrive(Box<Sent>),
    Answer {
        sent: Box<Sent>,
        answer: Option<Answer>,
    },
    Timeout(Box<Sent>),
    Store {
        phone: usize,
        tab: usize,
        life: u32,
        batch: Box<Batch>,
        then: Then,
    },
    Kill {
        phone: usize,
        tab: usize,
    },
    Open {
        phone: usize,
        tab: usize,
    },
    SessionEnds {
        phone: usize,
    },
    SignIn {
        phone: usize,
    },
    PhoneClock {
        phone: usize,
    },
    NoNetwork {
        phone: usize,
    },
    NoSpace {
        phone: usize,
    },
    ServerClock,
    NextDay,
    Restart,
    /// The nightly job of series, whatever the hour; sometimes twice.
    Nightly,
    BackUp(usize),
    Restore(usize),
    Collect,
    SomebodyElse,
    /// A pet parent is let go, or linked with some record.
    Relink {
        parent: usize,
    },
    /// A pet parent's phone asks with which record its person is linked.
    Learn {
        phone: usize,
    },
    /// The sitter shows a walk on the live map, ends that, or moves the visit.
    LiveMap,
    /// The sitter changes the plan.
    ChangePlan,
    /// The sitter does something with the own data as a whole.
    Own(OwnStep),
    Quiet,
}

/// How the run is set up.
struct Setup {
    has_locks: bool,
    has_sockets: bool,
    /// How many of a hundred messages between tabs take long.
    late_words: u32,
    page_size: u32,
    zone: &'static str,
    restores: bool,
    /// True if an operator who puts a backup back says so.
    says_restores: bool,
    /// How many pet parents take part.
    n_parents: usize,
    /// True if the sitter's plan changes; `fills_month` if a month is nearly full before.
    changes_plans: bool,
    fills_month: bool,
    /// True if the business is cleared, to come back or for an archive.
    is_cleared: bool,
    /// The share of changes that are of invoices, in percent.
    bills: u32,
    /// The same of series, and of acts that the app works out.
    series: u32,
    acts: u32,
}

/// The result of a run.
pub struct Run {
    pub result: Check,
    pub log: Vec<String>,
    pub counts: Counts,
    pub drawn: Drawn,
}

/// How much happened, to see that a change of this test has not made it tame.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub saved: usize,
    pub refused: usize,
    pub adjusted: usize,
    pub messages: usize,
    pub lost: usize,
    pub copied: usize,
    pub tabs_killed: usize,
    pub restarts: usize,
    pub resets: usize,
    pub restores: usize,
    pub noticed: usize,
    pub faults: usize,
    pub full_disks: usize,
    pub photos_refused: usize,
    pub defects: usize,
    pub by_parents: usize,
    pub let_go: usize,
    pub plans: usize,
    pub limited: usize,
    pub cleared: usize,
    pub came_back: usize,
    pub imported: usize,
    pub interrupted: usize,
    pub live_maps: usize,
    pub live_maps_seen: usize,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.saved += other.saved;
        self.refused += other.refused;
        self.adjusted += other.adjusted;
        self.messages += other.messages;
        self.lost += other.lost;
        self.copied += other.copied;
        self.tabs_killed += other.tabs_killed;
        self.restarts += other.restarts;
        self.resets += other.resets;
        self.restores += other.restores;
        self.noticed += other.noticed;
        self.faults += other.faults;
        self.full_disks += other.full_disks;
        self.photos_refused += other.photos_refused;
        self.defects += other.defects;
        self.by_parents += other.by_parents;
        self.let_go += other.let_go;
        self.plans += other.plans;
        self.limited += other.limited;
        self.cleared += other.cleared;
        self.came_back += other.came_back;
        self.imported += other.imported;
        self.interrupted += other.interrupted;
        self.live_maps += other.live_maps;
        self.live_maps_seen += other.live_maps_seen;
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            saved,
            refused,
            adjusted,
            messages,
            lost,
            copied,
            tabs_killed,
            restarts,
            resets,
            restores,
            noticed,
            faults,
            full_disks,
            photos_refused,
            defects,
            by_parents,
            let_go,
            plans,
            limited,
            cleared,
            came_back,
            imported,
            interrupted,
            live_maps,
            live_maps_seen,
        } = self;
        write!(
            formatter,
            "{saved} changes ({by_parents} by pet parents; {refused} refused, {adjusted} adjusted), {messages} messages ({lost} lost, {copied} copied), \
             {tabs_killed} tabs killed, {restarts} restarts, {resets} resets, {restores} restores ({noticed} noticed by a pull), {faults} failures of the database, \
             {full_disks} writes on full disks, {photos_refused} photos refused, {defects} defects met, {let_go} phones of pet parents emptied, \
             {plans} changes of plan ({limited} refused by its limits), {cleared} businesses cleared, {came_back} brought back, \
             {imported} imported ({interrupted} of these by several processes), {live_maps} updates of live maps, seen {live_maps_seen} times"
        )
    }
}

pub struct World<'a> {
    rng: Rng,
    /// The bug that is planted.
    bug: Option<Bug>,
    /// The bug whose occasions are drawn more often; the planted one, if any.
    favoured: Option<Bug>,
    setup: Setup,
    zone: TimeZone,
    backend: Backend<'a>,
    phones: Vec<Phone>,
    oracle: Oracle,
    days: Days,
    queue: BTreeMap<(i64, u64), Event>,
    n_events: u64,
    n_calls: u64,
    now: i64,
    /// Time that is added to the run's for the world's clock, in milliseconds.
    base_ms: i64,
    server_clock_ms: i64,
    is_quiet: bool,
    no_network_until: Vec<i64>,
    no_space_until: Vec<i64>,
    deleted: Vec<Vec<(Client, Vec<Pet>)>>,
    /// The undo of the last act that offers one, by phone: its steps, with the act and the revision that its person had seen.
    undos: Vec<VecDeque<(Command, u64, Id)>>,
    reader_token: String,
    parents: Vec<Seat>,
    /// Codes that nobody has used, with the record that each is for.
    invites: Vec<(Id, String)>,
    /// Photos that sitters sent before the report of their visit.
    live_photos: BTreeSet<Id>,
    /// Live maps by service and id.
    live_maps: BTreeMap<(Id, Id), ShownLiveMap>,
    /// The business while it is cleared for something.
    rewriting: Option<Rewriting>,
    /// True if the business takes no commands.
    is_closed: bool,
    /// Another business on the database.
    elsewhere: Option<Elsewhere>,
    jpeg: &'a [u8],
    log: Option<Vec<String>>,
    /// The server's clock at each revision, and until when a revision is not seen: planted bugs.
    walls: BTreeMap<u64, i64>,
    unseen: BTreeMap<u64, i64>,
    counts: Counts,
}

/// A business of another sitter, whom the first pet parent has, too.
#[derive(Clone)]
struct Elsewhere {
    sitter_id: Id,
    owner: Id,
    token: String,
    /// Its client records, of which the parent's is the first.
    records: [Id; 2],
}

#[derive(Deserialize)]
struct Data<T> {
    data: T,
}

/// A planted bug, and the same draws without it.
#[derive(Clone, Copy, Debug)]
pub struct Draw {
    pub seed: u64,
    /// Draws favour the occasions of this bug.
    pub favoured: Option<Bug>,
    /// False for the system as it is.
    pub is_planted: bool,
}

/// Runs a seed.
pub async fn run(database: &Database, jpeg: &[u8], draw: Draw, with_log: bool) -> Run {
    let mut world = World::new(database, jpeg, draw, with_log).await;
    let result = world.play().await;
    let decided = || {
        world
            .oracle
            .timelines
            .iter()
            .flat_map(|it| it.decided.values())
    };
    world.counts.saved = world.oracle.intents.len();
    let intents = world.oracle.intents.values();
    world.counts.by_parents = intents.filter(|it| it.client.is_some()).count();
    world.counts.refused = decided()
        .filter(|it| it.outcome == OutcomeKind::Rejected)
        .count();
    world.counts.adjusted = decided()
        .filter(|it| it.outcome == OutcomeKind::Adjusted)
        .count();
    let is_limit = |it: &&Outcome| matches!(it.refusal, Some(Refusal::LimitReached { .. }));
    world.counts.limited = decided().filter(is_limit).count();
    world.counts.restores = world.oracle.timelines.len() - 1;
    let mut drawn = Drawn::new();
    for intent in world.oracle.intents.values() {
        *drawn.entry(intent.command.name()).or_default() += 1;
    }
    Run {
        result,
        counts: world.counts,
        drawn,
        log: world.log.unwrap_or_default(),
    }
}

impl<'a> World<'a> {
    async fn new(database: &'a Database, jpeg: &'a [u8], draw: Draw, with_log: bool) -> Self {
        let Draw {
            seed,
            favoured: bug,
            is_planted,
        } = draw;
        let mut rng = Rng::new(seed, 0);
        let is_between_tabs = bug.is_some_and(Bug::is_between_tabs);
        let mut setup = Setup {
            has_locks: rng.chance(50),
            has_sockets: rng.chance(50),
            late_words: *rng.pick(&[5, 20, 50]).unwrap(),
            page_size: *rng.pick(&[3, 10, 1000]).unwrap(),
            zone: rng
                .pick(&["Europe/Helsinki", "America/New_York", "Pacific/Auckland"])
                .unwrap(),
            restores: rng.chance(20),
            says_restores: rng.chance(50),
            n_parents: 0,
            changes_plans: rng.chance(25),
            fills_month: rng.chance(40),
            is_cleared: rng.chance(15),
            bills: if rng.chance(25) { 60 } else { 16 },
            series: *rng.pick(&[0, 0, 10, 40]).unwrap(),
            acts: *rng.pick(&[0, 0, 15, 40]).unwrap(),
        };
        if bug.is_some_and(Bug::is_of_series) {
            setup.series = 70;
        }
        if bug.is_some_and(|it| it.acts().is_some()) {
            (setup.acts, setup.series) = (60, 25);
        }
        if bug.is_some_and(Bug::is_of_invoices) {
            setup.bills = 60;
        }
        setup.changes_plans |= bug.is_some_and(Bug::is_of_plans);
        setup.is_cleared |= bug.is_some_and(Bug::is_of_own_data);
        let is_of_parents = bug.is_some_and(Bug::is_of_parents);
        if (rng.chance(40) && !is_between_tabs) || is_of_parents {
            setup.n_parents = 1 + rng.below(2);
        }
        if bug.is_some_and(Bug::is_of_households) {
            setup.n_parents = 2;
        }
        if is_between_tabs {
            setup = Setup {
                has_locks: false,
                late_words: if bug == Some(Bug::LateWordWaits) {
                    50
                } else {
                    5
                },
                restores: true,
                ..setup
            };
        }
        // A morning in autumn 2026, each seed on another day.
        let base_ms = 1_789_000_000_000 + rng.between(0, 100) * 24 * 60 * MINUTE_MS;
        let mut backend =
            Backend::start(database, seed, base_ms, setup.zone, setup.page_size).await;
        let today = Instant(base_ms).civil(&TimeZone::UTC).0;
        let after = |weekday: u8| {
            let days = (7..14).map(|it| today.plus_days(it));
            days.into_iter()
                .find(|it| it.day_of_week() == weekday)
                .unwrap()
        };
        let days = Days {
            contended: [after(2), after(4)],
            loose: [after(6), after(0)],
        };
        let mut phones = Vec::new();
        let mut parents = Vec::new();
        for _ in 0..setup.n_parents {
            let user_id = backend.new_parent().await;
            parents.push(Seat {
                user_id,
                token: backend.sign_in(Some(user_id)).await,
                link: None,
                backend_id: None,
                former: BTreeSet::new(),
            });
        }
        let (least, most) = if parents.is_empty() { (2, 4) } else { (1, 2) };
        let mut owners: Vec<Option<usize>> = (0..rng.between(least, most)).map(|_| None).collect();
        owners.extend((0..parents.len()).map(Some));
        if parents.len() == 1 && rng.chance(50) {
            owners.push(Some(0));
        }
        for parent in owners {
            let n_tabs = if rng.chance(40) || is_between_tabs {
                2
            } else {
                1
            };
            phones.push(Phone {
                disk: Disk::new(rng.id(base_ms)),
                tabs: (0..n_tabs).map(|_| Tab::closed()).collect(),
                token: Some(backend.sign_in(parent.map(|it| parents[it].user_id)).await),
                clock_ms: 0,
                lock: None,
                n_saved: 0,
                parent,
                n_databases: 0,
                told: BTreeSet::new(),
            });
        }
        if bug == Some(Bug::NumbersAlone) {
            setup.restores = true;
            setup.says_restores = false;
        }
        if bug.is_some_and(Bug::is_of_own_data) {
            setup.restores = false;
        }
        // What a backup has is a business, and not how far somebody has come with clearing it.
        setup.is_cleared &= !setup.restores;
        let n_phones = phones.len();
        let reader_token = backend.sign_in(None).await;
        Self {
            oracle: Oracle::new(days.contended),
            zone: walkies_server::app::zone::time_zone(setup.zone).unwrap(),
            rng,
            bug: bug.filter(|_| is_planted),
            favoured: bug,
            setup,
            backend,
            phones,
            days,
            queue: BTreeMap::new(),
            n_events: 0,
            n_calls: 0,
            now: 0,
            base_ms,
            server_clock_ms: 0,
            is_quiet: false,
            no_network_until: vec![0; n_phones],
            no_space_until: vec![0; n_phones],
            deleted: vec![Vec::new(); n_phones],
            undos: vec![VecDeque::new(); n_phones],
            reader_token,
            parents,
            invites: Vec::new(),
            live_photos: BTreeSet::new(),
            live_maps: BTreeMap::new(),
            rewriting: None,
            is_closed: false,
            elsewhere: None,
            jpeg,
            log: with_log.then(Vec::new),
            walls: BTreeMap::new(),
            unseen: BTreeMap::new(),
            counts: Counts::default(),
        }
    }

    fn is(&self, bug: Bug) -> bool {
        self.bug == Some(bug)
    }

    fn at(&mut self, in_ms: i64, event: Event) {
        self.n_events += 1;
        self.queue
            .insert((self.now + in_ms.max(0), self.n_events), event);
    }

    fn some_time(&mut self) -> i64 {
        self.rng.between(1, BUSY_MS)
    }

    fn plan(&mut self) {
        for phone in 0..self.phones.len() {
            for tab in 0..self.phones[phone].tabs.len() {
                let in_ms = self.rng.between(0, 5_000);
                self.at(in_ms, Event::Open { phone, tab });
            }
            // It takes many acts in a row until an invoice is paid too much and money goes back.
            let more = i64::from(self.setup.bills / 3);
            for _ in 0..self.rng.between(6, 14) + more - 5 {
                let in_ms = self.some_time();
                self.at(in_ms, Event::Act { phone });
            }
            for _ in 0..self.rng.between(0, 3) {
                let (in_ms, tab) = (
                    self.some_time(),
                    self.rng.below(self.phones[phone].tabs.len()),
                );
                self.at(in_ms, Event::Kill { phone, tab });
            }
            let (ends, network, space) = (self.some_time(), self.some_time(), self.some_time());
            if self.rng.chance(30) {
                self.at(ends, Event::SessionEnds { phone });
            }
            for _ in 0..self.rng.between(0, 2) {
                let in_ms = self.some_time();
                self.at(in_ms, Event::PhoneClock { phone });
            }
            if self.rng.chance(30) {
                self.at(space, Event::NoSpace { phone });
            }
            if self.rng.chance(50) {
                self.at(network, Event::NoNetwork { phone });
            }
        }
        for _ in 0..self.rng.between(0, 5) {
            let in_ms = self.some_time();
            self.at(in_ms, Event::SomebodyElse);
        }
        for parent in 0..self.parents.len() {
            for _ in 0..self.rng.between(0, 2) {
                let in_ms = self.some_time();
                self.at(in_ms, Event::Relink { parent });
            }
        }
        for (percent, make) in [
            (50, (|| Event::ServerClock) as fn() -> Event),
            (30, || Event::NextDay),
            (50, || Event::Restart),
            (35, || Event::Collect),
            (20, || Event::Collect),
        ] {
            let in_ms = self.some_time();
            if self.rng.chance(percent) {
                self.at(in_ms, make());
            }
        }
        if 0 < self.setup.series + self.setup.acts {
            for _ in 0..self.rng.between(0, 5) {
                let in_ms = self.some_time();
                self.at(in_ms, Event::Nightly);
            }
        }
        if !self.parents.is_empty() {
            let n = match self.favoured.is_some_and(Bug::is_of_live_maps) {
                true => 40,
                false => self.rng.between(0, 8),
            };
            for _ in 0..n {
                let in_ms = self.some_time();
                self.at(in_ms, Event::LiveMap);
            }
        }
        if self.setup.changes_plans {
            for _ in 0..self.rng.between(1, 5) {
                let in_ms = self.some_time();
                self.at(in_ms, Event::ChangePlan);
            }
        }
        if self.setup.is_cleared {
            let in_ms = self.rng.between(BUSY_MS / 10, BUSY_MS * 9 / 10);
            self.at(in_ms, Event::Own(OwnStep::Clear));
        }
        if self.favoured.is_some_and(Bug::is_between_tabs) {
            // A phone that is signed in again has both tabs ask at once, and is behind what was collected meanwhile.
            for n in 0..120 {
                let (collect, ends) = (self.some_time(), self.some_time());
                let phone = n % self.phones.len();
                self.at(collect, Event::Collect);
                self.at(ends, Event::SessionEnds { phone });
            }
        }
        if self.setup.restores {
            // Sometimes the wrong backup first, and then a newer one.
            let n = 1 + self.rng.below(BACKUPS);
            let mut times: Vec<i64> = (0..2 * n).map(|_| self.some_time()).collect();
            times.sort_unstable();
            for backup in 0..n {
                self.at(times[backup], Event::BackUp(backup));
                self.at(times[n + backup] + 1, Event::Restore(backup));
            }
        }
        self.at(BUSY_MS, Event::Quiet);
    }

    async fn play(&mut self) -> Check {
        self.read_all().await?;
        self.take_parents_in().await?;
        self.fill_month().await?;
        self.plan();
        while let Some(((at, _), event)) = self.queue.pop_first() {
            if BUSY_MS + QUIET_MS < at {
                break;
            }
            self.now = at;
            self.backend
                .set_clock(self.base_ms + self.now + self.server_clock_ms);
            self.handle(event).await?;
            if self.is_quiet && self.is_settled() {
                break;
            }
        }
        self.oracle.i1_no_loss(&self.phones)?;
        self.oracle.i4_convergence(&self.phones, &self.parents)?;

        self.oracle
            .i16_overdue(&self.phones, &self.parents, &self.zone, self.bug)?;
        self.p1_elsewhere().await?;
        self.p8_photos().await?;
        self.p9_live_maps().await?;
        self.weeks_later().await?;
        self.oracle.i8_no_lost_field_update()?;
        self.oracle.i17_both_versions()?;
        // From nothing, a reader comes to the same rows.
        let before = self.oracle.now().rows.clone();
        let again = self
            .read(crate::oracle::Timeline::new().after(0, READER))
            .await;
        let mut rows = BTreeMap::new();
        for row in again.iter().flat_map(|it| &it.rows) {
            let key = format!("{}/{}", row.t, row.id);
            if row.del {
                rows.remove(&key)
            } else {
                rows.insert(key, serde_json::to_string(row).unwrap())
            };
        }
        ensure!(
            rows == before,
            crate::oracle::I4,
            "a reader from nothing and one from the first revision differ"
        );
        Ok(())
    }

    async fn restart(&mut self) {
        self.counts.restarts += 1;
        self.backend.restart().await;
    }

    /// True if nothing is on its way any more and every phone has everything.
    fn is_settled(&self) -> bool {
        let timeline = self.oracle.now();
        let is_done = |it: &Phone| {
            let seat = it.parent.map(|it| &self.parents[it]);
            let place = match seat {
                Some(seat) if seat.link.is_none() => (None, 0, None),
                Some(seat) => (seat.backend_id, timeline.cursor, timeline.name()),
                None => (timeline.backend_id, timeline.cursor, timeline.name()),
            };
            let is_idle = |tab: &Tab| matches!(tab.stage, Stage::Idle) && tab.view().is_some();
            it.disk.outbox.is_empty()
                && (
                    it.disk.meta.backend_id,
                    it.disk.meta.cursor,
                    it.disk.meta.rev_id,
                ) == place
                && it.tabs.iter().all(is_idle)
        };
        let is_timer = |it: &Event| matches!(it, Event::Wake { .. } | Event::Timeout(_));
        self.phones.iter().all(is_done) && self.queue.values().all(is_timer)
    }

    async fn handle(&mut self, event: Event) -> Check {
        match event {
            Event::Act { phone } => return self.act(phone),
            Event::Append {
                phone,
                tab,
                life,
                entry,
                draft,
                resolves,
            } => {
                return self.append(phone, tab, life, *entry, draft, resolves);
            }
            Event::Discard { phone, tab, life } => self.discard(phone, tab, life),
            Event::Hear {
                phone,
                tab,
                life,
                message,
            } => return self.hear(phone, tab, life, message),
            Event::Wake {
                phone,
                tab,
                life,
                timer,
            } => {
                if self.is_alive(phone, tab, life) && self.phones[phone].tabs[tab].timer == timer {
                    self.wake(phone, tab);
                }
            }
            Event::Changed { phone, tab, life } => {
                if self.is_alive(phone, tab, life) {
                    self.wake(phone, tab);
                }
            }
            Event::Arrive(sent) => return self.arrive(*sent).await,
            Event::Answer { sent, answer } => return self.answered(*sent, answer),
            Event::Timeout(sent) => {
                let tab = &self.phones[sent.phone].tabs[sent.tab];
                if tab.life == sent.life && tab.call == sent.number {
                    return self.answered(*sent, None);
                }
            }
            Event::Store {
                phone,
                tab,
                life,
                batch,
                then,
            } => return self.store(phone, tab, life, &batch, then),
            Event::Kill { phone, tab } => self.kill(phone, tab),
            Event::Open { phone, tab } => self.open(phone, tab),
            Event::SessionEnds { phone } => {
                if let Some(token) = self.phones[phone].token.clone() {
                    note!(self, "the session of phone {phone} ends");
                    self.backend.sign_out(&token).await;
                    let in_ms = self.rng.between(5_000, 60_000);
                    self.at(in_ms, Event::SignIn { phone });
                }
            }
            Event::SignIn { phone } => self.sign_in(phone).await,
            Event::PhoneClock { phone } => {
                // Minutes, days, or the year 1990 or 2066.
                let most = *self
                    .rng
                    .pick(&[30, 3 * 24 * 60, 40 * 365 * 24 * 60])
                    .unwrap();
                let off = self.rng.between(-most, most) * MINUTE_MS;
                note!(
                    self,
                    "the clock of phone {phone} is off by {} min",
                    off / MINUTE_MS
                );
                self.phones[phone].clock_ms = off;
            }
            Event::NoNetwork { phone } => {
                self.no_network_until[phone] = self.now + self.rng.between(10_000, 120_000);
                note!(
                    self,
                    "phone {phone} has no network until {}",
                    self.no_network_until[phone] / 1000
                );
            }
            Event::NoSpace { phone } => {
                self.no_space_until[phone] = self.now + self.rng.between(5_000, 60_000);
                note!(
                    self,
                    "the disk of phone {phone} is full until {}",
                    self.no_space_until[phone] / 1000
                );
            }
            Event::ServerClock => {
                self.server_clock_ms = self.rng.between(-5_000, 1_000);
                note!(
                    self,
                    "the server's clock is off by {} ms",
                    self.server_clock_ms
                );
            }
            Event::NextDay => {
                note!(self, "a day goes by");
                self.base_ms += 26 * 60 * MINUTE_MS;
            }
            Event::Nightly => return self.nightly().await,
            Event::Restart => {
                note!(self, "the server starts anew");
                self.restart().await;
            }
            Event::BackUp(backup) => {
                note!(
                    self,
                    "backup {backup} at revision {}",
                    self.oracle.now().cursor
                );
                self.backend.back_up(backup).await;
                self.oracle.backed_up(backup);
            }
            Event::Restore(backup) => {
                let is_said = self.setup.says_restores;
                if !is_said {
                    // The process ends, and all that it had still to say.
                    for event in self.queue.values_mut() {
                        if let Event::Answer { answer, .. } = event {
                            *answer = None;
                        }
                    }
                }
                self.backend.restore(backup, is_said).await;
                self.live_maps.clear();
                self.oracle.restored(backup);
                self.read_all().await?;
                note!(
                    self,
                    "backup {backup} is restored, at revision {}, and that is said: {is_said}",
                    self.oracle.now().cursor
                );
            }
            Event::Collect => {
                note!(self, "tombstones are collected");
                if self.is(Bug::CollectWithoutReset) {
                    self.backend
                        .tamper("DELETE FROM tombstone WHERE sitter_id = $1", &[])
                        .await;
                } else {
                    self.backend.collect_tombstones().await;
                }
            }
            Event::SomebodyElse => return self.somebody_else().await,
            Event::Relink { parent } => return self.relink(parent).await,
            Event::Learn { phone } => self.learn(phone),
            Event::LiveMap => return self.live_map().await,
            Event::ChangePlan => return self.change_plan().await,
            Event::Own(step) => {
                // What becomes of the rows of a business that is cleared is its own matter.
                self.live_maps.retain(|_, it| !it.is_over);
                return self.own(step).await;
            }
            Event::Quiet => {
                note!(self, "quiet");
                self.is_quiet = true;
                self.no_network_until.fill(0);
                self.no_space_until.fill(0);
                for phone in 0..self.phones.len() {
                    if self.phones[phone].token.is_none() {
                        self.sign_in(phone).await;
                    }
                    for tab in 0..self.phones[phone].tabs.len() {
                        self.open(phone, tab);
                    }
                    self.learn(phone);
                }
            }
        }
        Ok(())
    }

    fn is_alive(&self, phone: usize, tab: usize, life: u32) -> bool {
        let tab = &self.phones[phone].tabs[tab];
        tab.life == life && tab.replica.is_some()
    }

    fn replica(&mut self, phone: usize, tab: usize) -> &mut Replica {
        self.phones[phone].tabs[tab]
            .replica
            .as_mut()
            .expect("the tab is open")
    }
}

fn read<'a, T: Deserialize<'a>>(body: &'a str) -> Data<T> {
    serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {body}"))
}

fn asked(asked: &Asked) -> String {
    match asked {
        Asked::Photo(id) => format!("photo {id}"),
        Asked::Push(ids) => format!(
            "push of {}",
            ids.iter().map(Id::to_string).collect::<Vec<_>>().join(", ")
        ),
        Asked::Pull { .. } => "pull".to_owned(),
    }
}

/// Summarizes an answer for a reader of the log.
fn short(answer: &Answer) -> String {
    if answer.status == 200
        && let Ok(Data { data }) = serde_json::from_str::<Data<PullResponse>>(&answer.body)
    {
        let PullResponse {
            from,
            next,
            more,
            reset,
            ..
        } = data;
        let rows: Vec<String> = data
            .rows
            .iter()
            .map(|it| {
                format!(
                    "{}{}/{}@{}",
                    if it.del { "-" } else { "" },
                    it.t,
                    it.id,
                    it.rev
                )
            })
            .collect();
        let outcomes: Vec<String> = data
            .outcomes
            .iter()
            .map(|it| format!("{:?} {}@{}", it.outcome, it.id, it.rev))
            .collect();
        return format!(
            "{from} to {next} more={more} reset={reset} [{}] [{}]",
            rows.join(" "),
            outcomes.join(" ")
        );
    }
    if answer.status == 200
        && let Ok(Data { data }) = serde_json::from_str::<Data<PushResponse>>(&answer.body)
    {
        let results: Vec<String> = data
            .results
            .iter()
            .map(|it| {
                format!(
                    "{:?} {}@{} {}",
                    it.outcome,
                    it.id,
                    it.rev,
                    it.refusal.as_ref().map_or("", |it| it.code())
                )
            })
            .collect();
        return format!("[{}] stopped at {:?}", results.join(", "), data.stopped_at);
    }
    format!(
        "{} {}",
        answer.status,
        answer.body.chars().take(200).collect::<String>()
    )
}

fn get(token: &str, path: String) -> Call {
    Call {
        method: "GET",
        path,
        token: token.to_owned(),
        headers: Vec::new(),
        body: Vec::new(),
    }
}

/// Returns the query parameter that names the business of a pet parent's call; empty for the sitter.
fn of_sitter(sitter_id: Option<Id>, first: char) -> String {
    sitter_id.map_or(String::new(), |it| format!("{first}sitter_id={it}"))
}

fn pull_path(request: &PullRequest) -> String {
    let PullRequest {
        cursor,
        device_id,
        schema,
        epoch,
        backend_id,
        seen,
        rev_id,
    } = request;
    let mut path = format!("/sync/pull?cursor={cursor}&device_id={device_id}&schema={schema}");
    if let Some(epoch) = epoch {
        path.push_str(&format!("&epoch={epoch}"));
    }
    if let Some(backend_id) = backend_id {
        path.push_str(&format!("&backend_id={backend_id}"));
    }
    if let Some(seen) = seen {
        path.push_str(&format!("&seen={seen}"));
    }
    if let Some(rev_id) = rev_id {
        path.push_str(&format!("&rev_id={rev_id}"));
    }
    path
}
