//! Owns one run: phones, the network between them and the server, what goes wrong on the way, and when the checks look.
//! Everything happens in the order of one queue of events, so that a seed gives the same run every time.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::json;
use walkies_core::client::{Client, Pet};
use walkies_core::sync::wire::{Outcome, OutcomeKind, PullResponse, PushRequest, PushResponse};
use walkies_core::sync::{Batch, OutboxEntry, Pulled, Replica, SaveRequest};
use walkies_core::{Command, Id, Instant, Row, TableName};

use crate::backend::{Answer, BACKUPS, Backend, Call, Database};
use crate::bugs::Bug;
use crate::oracle::{
    Check, I12, Intent, Oracle, Violation, ensure, i13_expired_sign_in_takes_nothing_away,
};
use crate::people::{Days, wish, with_whole_rows};
use crate::phone::{
    Disk, FIRST_RETRY_MS, LONGEST_RETRY_MS, Message, POLL_MS, Phone, Stage, TIMEOUT_MS, Tab,
};
use crate::rng::Rng;

const MINUTE_MS: i64 = 60_000;
/// How long people work and things go wrong.
const BUSY_MS: i64 = 5 * MINUTE_MS;
/// How long a phone may take to send and fetch everything once nothing goes wrong any more.
const QUIET_MS: i64 = 4 * MINUTE_MS;
const READER: Id = Id::of(0x4EAD);

/// What the phone waits for an answer to.
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
        more: bool,
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
    ServerClock,
    NextDay,
    Restart,
    BackUp(usize),
    Restore(usize),
    Collect,
    SomebodyElse,
    Quiet,
}

/// How the run is set up.
struct Setup {
    has_locks: bool,
    page_size: u32,
    zone: &'static str,
    restores: bool,
}

/// What a run came to.
pub struct Run {
    pub result: Check,
    pub log: Vec<String>,
    pub counts: Counts,
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
        } = self;
        write!(
            formatter,
            "{saved} changes ({refused} refused, {adjusted} adjusted), {messages} messages ({lost} lost, {copied} copied), \
             {tabs_killed} tabs killed, {restarts} restarts, {resets} resets, {restores} restores"
        )
    }
}

pub struct World<'a> {
    rng: Rng,
    bug: Option<Bug>,
    setup: Setup,
    backend: Backend<'a>,
    phones: Vec<Phone>,
    oracle: Oracle,
    days: Days,
    queue: BTreeMap<(i64, u64), Event>,
    n_events: u64,
    n_calls: u64,
    now: i64,
    /// What is added to the run's time for the world's clock.
    base_ms: i64,
    server_clock_ms: i64,
    is_quiet: bool,
    no_network_until: Vec<i64>,
    deleted: Vec<Vec<(Client, Vec<Pet>)>>,
    reader_token: String,
    jpeg: &'a [u8],
    log: Option<Vec<String>>,
    /// The server's clock at each revision, and until when a revision is not seen: planted bugs.
    walls: BTreeMap<u64, i64>,
    unseen: BTreeMap<u64, i64>,
    counts: Counts,
}

#[derive(Deserialize)]
struct Data<T> {
    data: T,
}

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

/// Runs a seed.
pub async fn run(
    database: &Database,
    jpeg: &[u8],
    seed: u64,
    bug: Option<Bug>,
    with_log: bool,
) -> Run {
    let mut world = World::new(database, jpeg, seed, bug, with_log).await;
    let result = world.play().await;
    let decided = || {
        world
            .oracle
            .timelines
            .iter()
            .flat_map(|it| it.decided.values())
    };
    world.counts.saved = world.oracle.intents.len();
    world.counts.refused = decided()
        .filter(|it| it.outcome == OutcomeKind::Rejected)
        .count();
    world.counts.adjusted = decided()
        .filter(|it| it.outcome == OutcomeKind::Adjusted)
        .count();
    world.counts.restores = world.oracle.timelines.len() - 1;
    Run {
        result,
        counts: world.counts,
        log: world.log.unwrap_or_default(),
    }
}

impl<'a> World<'a> {
    async fn new(
        database: &'a Database,
        jpeg: &'a [u8],
        seed: u64,
        bug: Option<Bug>,
        with_log: bool,
    ) -> Self {
        let mut rng = Rng::new(seed, 0);
        let setup = Setup {
            has_locks: rng.chance(60),
            page_size: *rng.pick(&[3, 10, 1000]).unwrap(),
            zone: rng
                .pick(&["Europe/Helsinki", "America/New_York", "Pacific/Auckland"])
                .unwrap(),
            restores: rng.chance(20),
        };
        // A morning in autumn 2026, each seed on another day.
        let base_ms = 1_789_000_000_000 + rng.between(0, 100) * 24 * 60 * MINUTE_MS;
        let mut backend =
            Backend::start(database, seed, base_ms, setup.zone, setup.page_size).await;
        let today = Instant(base_ms).civil(&walkies_core::zone::TimeZone::UTC).0;
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
        for _ in 0..rng.between(2, 4) {
            let n_tabs = if rng.chance(30) { 2 } else { 1 };
            phones.push(Phone {
                disk: Disk::new(rng.id(base_ms)),
                tabs: (0..n_tabs).map(|_| Tab::closed()).collect(),
                token: Some(backend.sign_in().await),
                clock_ms: 0,
                lock: None,
                n_saved: 0,
            });
        }
        let n_phones = phones.len();
        let reader_token = backend.sign_in().await;
        Self {
            oracle: Oracle::new(days.contended),
            rng,
            bug,
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
            deleted: vec![Vec::new(); n_phones],
            reader_token,
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
            for _ in 0..self.rng.between(6, 14) {
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
            let (ends, clock, network) = (self.some_time(), self.some_time(), self.some_time());
            if self.rng.chance(30) {
                self.at(ends, Event::SessionEnds { phone });
            }
            if self.rng.chance(40) {
                self.at(clock, Event::PhoneClock { phone });
            }
            if self.rng.chance(50) {
                self.at(network, Event::NoNetwork { phone });
            }
        }
        for _ in 0..self.rng.between(0, 5) {
            let in_ms = self.some_time();
            self.at(in_ms, Event::SomebodyElse);
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
        self.oracle.i4_convergence(&self.phones)?;
        self.oracle.i8_no_lost_field_update()?;
        // From nothing, a reader comes to the same rows.
        let before = self.oracle.now().rows.clone();
        let again = self.read_from(0, None, None).await;
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

    /// Whether nothing is on its way any more and every phone has everything.
    fn is_settled(&self) -> bool {
        let timeline = self.oracle.now();
        let place = (timeline.backend_id, timeline.cursor);
        let is_done = |it: &Phone| {
            let is_idle = |tab: &Tab| matches!(tab.stage, Stage::Idle) && tab.view().is_some();
            it.disk.outbox.is_empty()
                && (it.disk.meta.backend_id, it.disk.meta.cursor) == place
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
                more,
            } => return self.store(phone, tab, life, &batch, more),
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
                let off = self.rng.between(-3 * 24 * 60, 3 * 24 * 60) * MINUTE_MS;
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
                self.backend.restore(backup).await;
                self.oracle.restored(backup);
                self.read_all().await?;
                note!(
                    self,
                    "backup {backup} is restored, at revision {}",
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
            Event::Quiet => {
                note!(self, "quiet");
                self.is_quiet = true;
                self.no_network_until.fill(0);
                for phone in 0..self.phones.len() {
                    if self.phones[phone].token.is_none() {
                        self.sign_in(phone).await;
                    }
                    for tab in 0..self.phones[phone].tabs.len() {
                        self.open(phone, tab);
                    }
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

    // What people do.

    fn open(&mut self, phone: usize, tab: usize) {
        let Phone { disk, tabs, .. } = &mut self.phones[phone];
        if tabs[tab].replica.is_some() {
            return;
        }
        tabs[tab].reload(disk);
        note!(self, "phone {phone} tab {tab} is opened");
        self.wake(phone, tab);
    }

    fn kill(&mut self, phone: usize, tab: usize) {
        if self.phones[phone].tabs[tab].replica.is_none() || self.is_quiet {
            return;
        }
        note!(self, "phone {phone} tab {tab} is killed");
        self.counts.tabs_killed += 1;
        let killed = &mut self.phones[phone].tabs[tab];
        let (life, last_message_ms) = (killed.life + 1, killed.last_message_ms);
        let known = std::mem::take(&mut killed.known);
        *killed = Tab {
            life,
            known,
            last_message_ms,
            ..Tab::closed()
        };
        self.unlock(phone, tab);
        let in_ms = self.rng.between(500, 30_000);
        self.at(in_ms, Event::Open { phone, tab });
    }

    async fn sign_in(&mut self, phone: usize) {
        note!(self, "phone {phone} signs in");
        self.phones[phone].token = Some(self.backend.sign_in().await);
        for tab in 0..self.phones[phone].tabs.len() {
            if self.phones[phone].tabs[tab].replica.is_some() {
                self.wake(phone, tab);
            }
        }
    }

    fn phone_now(&self, phone: usize) -> i64 {
        self.base_ms + self.now + self.phones[phone].clock_ms
    }

    fn act(&mut self, phone: usize) -> Check {
        let open: Vec<usize> = (0..self.phones[phone].tabs.len())
            .filter(|it| self.phones[phone].tabs[*it].replica.is_some())
            .collect();
        let Some(tab) = self.rng.pick(&open).copied() else {
            return Ok(());
        };
        let life = self.phones[phone].tabs[tab].life;
        let at = self.phone_now(phone);
        if self.rng.chance(10) {
            let in_ms = self.rng.between(0, 20);
            self.at(in_ms, Event::Discard { phone, tab, life });
            return Ok(());
        }
        let replica = self.phones[phone].tabs[tab].replica.as_ref().unwrap();
        let Some(wish) = wish(
            &mut self.rng,
            replica.business(),
            &self.days,
            &self.deleted[phone],
            at,
        ) else {
            return Ok(());
        };
        let resolves = if self.rng.chance(20) {
            replica.attention().first().map(|it| it.entry.mutation.id)
        } else {
            None
        };
        // A form that was open for a while.
        let base_rev = if self.rng.chance(20) {
            Some(replica.meta().cursor.saturating_sub(3))
        } else {
            None
        };
        let id = self.rng.id(at);
        let mut sent = wish.command.clone();
        if self.is(Bug::FullRowPut) {
            sent = with_whole_rows(sent, replica.business());
        }
        let sentence = format!("{} by phone {phone}", name(&sent));
        let photos = if self.is(Bug::RowBeforeBlob) {
            Vec::new()
        } else {
            wish.photos.clone()
        };
        let request = SaveRequest {
            id,
            command: sent.clone(),
            sentence,
            made_at: Instant(at),
            base_rev,
            photos,
        };
        let Ok(mut entry) = replica.prepare(request) else {
            return Ok(());
        };
        if let Command::DeleteClient { id } = &wish.command
            && let Some(client) = replica.business().client(*id)
        {
            let pets = replica
                .business()
                .pets_of(*id)
                .into_iter()
                .cloned()
                .collect();
            self.deleted[phone].push((client.clone(), pets));
        }
        if self.is(Bug::CheckThenBook) && entry.mutation.args.get("overlap_ok").is_some() {
            entry.mutation.args["overlap_ok"] = json!(true);
        }
        self.phones[phone].n_saved += 1;
        let intent = Intent {
            phone,
            n: self.phones[phone].n_saved,
            command: wish.command.clone(),
            said: false,
            resolved: false,
        };
        self.oracle.meant(&wish.command);
        self.oracle.intents.insert(id, intent);
        let draft = id;
        self.phones[phone].disk.drafts.insert(draft);
        let mut in_ms = self.rng.between(0, 20);
        if self.is(Bug::SavedBeforeWrite) {
            self.oracle.intents.get_mut(&id).unwrap().said = true;
            in_ms = self.rng.between(50, 3_000);
        }
        note!(
            self,
            "phone {phone} tab {tab} saves {id}: {}",
            serde_json::to_string(&wish.command).unwrap()
        );
        self.at(
            in_ms,
            Event::Append {
                phone,
                tab,
                life,
                entry: Box::new(entry),
                draft,
                resolves,
            },
        );
        Ok(())
    }

    /// The transaction of a save. A tab that was killed in the middle may or may not have written it.
    fn append(
        &mut self,
        phone: usize,
        tab: usize,
        life: u32,
        entry: OutboxEntry,
        draft: Id,
        resolves: Option<Id>,
    ) -> Check {
        let is_alive = self.is_alive(phone, tab, life);
        if !is_alive && (self.is(Bug::SavedBeforeWrite) || self.rng.chance(50)) {
            return Ok(());
        }
        // Two tabs may write in another order than they were asked.
        let id = entry.mutation.id;
        let entry = self.phones[phone].disk.append(entry, draft, resolves);
        let n = self.phones[phone].n_saved + 1;
        self.phones[phone].n_saved = n;
        let intent = self.oracle.intents.get_mut(&id).unwrap();
        intent.n = n;
        if let Some(resolved) = resolves {
            self.resolved(resolved);
        }
        if !is_alive {
            return Ok(());
        }
        self.oracle.intents.get_mut(&id).unwrap().said = true;
        note!(
            self,
            "phone {phone} tab {tab} has saved {id} as number {}",
            entry.mutation.seq
        );
        let device_id = self.phones[phone].disk.meta.device_id;
        let replica = self.replica(phone, tab);
        if !replica.saved(entry.clone(), resolves, device_id) {
            self.reload(phone, tab);
        }
        self.phones[phone].tabs[tab].note_known();
        self.tell(phone, tab, &Message::Saved(entry, resolves, device_id));
        self.wake(phone, tab);
        self.look(phone, tab)
    }

    fn resolved(&mut self, id: Id) {
        let id = *self.oracle.aliases.get(&id).unwrap_or(&id);
        if let Some(intent) = self.oracle.intents.get_mut(&id) {
            intent.resolved = true;
        }
    }

    fn discard(&mut self, phone: usize, tab: usize, life: u32) {
        if !self.is_alive(phone, tab, life) {
            return;
        }
        let Some(entry) = self.replica(phone, tab).attention().first() else {
            return;
        };
        let id = entry.entry.mutation.id;
        note!(
            self,
            "phone {phone} tab {tab} drops {id} from needs attention"
        );
        self.phones[phone].disk.attention.remove(&id);
        self.replica(phone, tab).resolved(id);
        self.resolved(id);
        self.tell(phone, tab, &Message::Resolved(id));
    }

    // Tabs of one phone.

    fn tell(&mut self, phone: usize, tab: usize, message: &Message) {
        for other in 0..self.phones[phone].tabs.len() {
            if other == tab || self.phones[phone].tabs[other].replica.is_none() {
                continue;
            }
            let at = self.now
                + if self.rng.chance(80) {
                    self.rng.between(0, 50)
                } else {
                    self.rng.between(50, 20_000)
                };
            let heard = &mut self.phones[phone].tabs[other];
            let at = at.max(heard.last_message_ms);
            heard.last_message_ms = at;
            let life = heard.life;
            self.at(
                at - self.now,
                Event::Hear {
                    phone,
                    tab: other,
                    life,
                    message: message.clone(),
                },
            );
        }
    }

    fn hear(&mut self, phone: usize, tab: usize, life: u32, message: Message) -> Check {
        if !self.is_alive(phone, tab, life) {
            return Ok(());
        }
        let replica = self.replica(phone, tab);
        match message {
            Message::Saved(entry, resolves, device_id) => {
                if !replica.saved(entry, resolves, device_id) {
                    self.reload(phone, tab);
                }
            }
            Message::Applied(batch) => {
                if !replica.applied(&batch) {
                    self.reload(phone, tab);
                }
            }
            Message::Resolved(id) => replica.resolved(id),
            Message::PhotoUploaded(id) => replica.photo_uploaded(id),
        }
        self.phones[phone].tabs[tab].note_known();
        self.look(phone, tab)
    }

    fn reload(&mut self, phone: usize, tab: usize) {
        note!(self, "phone {phone} tab {tab} loads anew");
        let Phone { disk, tabs, .. } = &mut self.phones[phone];
        tabs[tab].reload(disk);
    }

    fn look(&self, phone: usize, tab: usize) -> Check {
        self.oracle
            .i10_own_work_stays_visible(&self.phones[phone].tabs[tab])
    }

    // The loop that syncs.

    fn wake(&mut self, phone: usize, tab: usize) {
        let it = &mut self.phones[phone].tabs[tab];
        it.timer += 1;
        if !matches!(it.stage, Stage::Idle) {
            it.again = true;
            return;
        }
        it.stage = Stage::Waiting;
        self.lock(phone);
        if !self.setup.has_locks {
            self.start(phone, tab);
        }
    }

    /// Gives the lock to a tab that waits for it.
    fn lock(&mut self, phone: usize) {
        if !self.setup.has_locks || self.phones[phone].lock.is_some() {
            return;
        }
        let waiting = self.phones[phone]
            .tabs
            .iter()
            .position(|it| matches!(it.stage, Stage::Waiting));
        if let Some(tab) = waiting {
            self.phones[phone].lock = Some((tab, self.phones[phone].tabs[tab].life));
            self.start(phone, tab);
        }
    }

    fn unlock(&mut self, phone: usize, tab: usize) {
        if self.phones[phone]
            .lock
            .is_some_and(|(holder, _)| holder == tab)
        {
            self.phones[phone].lock = None;
            self.lock(phone);
        }
    }

    fn start(&mut self, phone: usize, tab: usize) {
        if self.phones[phone].token.is_none() {
            return self.finish(phone, tab, None);
        }
        let photos = self.replica(phone, tab).photos_to_upload().into();
        self.phones[phone].tabs[tab].stage = Stage::Photos(photos);
        self.go_on(phone, tab);
    }

    /// Goes on with the round until an answer has to be waited for.
    fn go_on(&mut self, phone: usize, tab: usize) {
        let Some(token) = self.phones[phone].token.clone() else {
            return self.finish(phone, tab, None);
        };
        loop {
            let Phone { disk, tabs, .. } = &mut self.phones[phone];
            let it = &mut tabs[tab];
            let replica = it.replica.as_mut().expect("the tab is open");
            match &mut it.stage {
                Stage::Photos(left) => {
                    let Some(photo) = left.pop_front() else {
                        it.stage = Stage::Push(Vec::new());
                        continue;
                    };
                    if disk.photos.get(&photo) != Some(&true) {
                        self.photo_uploaded(phone, tab, photo);
                        continue;
                    }
                    let call = upload(&token, photo, self.jpeg);
                    return self.send(phone, tab, Asked::Photo(photo), call);
                }
                Stage::Push(sent) => {
                    let Some(request) = replica.next_push() else {
                        it.stage = Stage::Pull(0);
                        continue;
                    };
                    *sent = request.mutations.iter().map(|it| it.id).collect();
                    let ids = sent.clone();
                    if self.is(Bug::ParallelCalls) && 1 < ids.len() {
                        return self.send_in_parallel(phone, tab, &token, &request);
                    }
                    return self.send(phone, tab, Asked::Push(ids), push(&token, &request));
                }
                Stage::Pull(asked) => {
                    let (number, request) = replica.next_pull();
                    *asked = number;
                    let load = it.load;
                    let call = get(
                        &token,
                        pull_path(
                            request.cursor,
                            request.device_id,
                            request.epoch,
                            request.backend_id,
                        ),
                    );
                    return self.send(phone, tab, Asked::Pull { number, load }, call);
                }
                Stage::Idle | Stage::Waiting | Stage::Apply => return,
            }
        }
    }

    fn photo_uploaded(&mut self, phone: usize, tab: usize, photo: Id) {
        self.replica(phone, tab).photo_uploaded(photo);
        self.tell(phone, tab, &Message::PhotoUploaded(photo));
    }

    /// The round is over; `status` is that of the trouble that ended it, 0 for none from the server.
    fn finish(&mut self, phone: usize, tab: usize, status: Option<u16>) {
        let is_signed_out = self.phones[phone].token.is_none();
        let it = &mut self.phones[phone].tabs[tab];
        it.stage = Stage::Idle;
        it.call = 0;
        let (life, timer) = (it.life, it.timer);
        match status {
            Some(401) if is_signed_out => {}
            Some(_) => {
                let in_ms = it.retry_ms;
                it.retry_ms = (in_ms * 2).min(LONGEST_RETRY_MS);
                self.at(
                    in_ms,
                    Event::Wake {
                        phone,
                        tab,
                        life,
                        timer,
                    },
                );
            }
            None => {
                it.retry_ms = FIRST_RETRY_MS;
                self.at(
                    POLL_MS,
                    Event::Wake {
                        phone,
                        tab,
                        life,
                        timer,
                    },
                );
            }
        }
        self.unlock(phone, tab);
        let it = &mut self.phones[phone].tabs[tab];
        if it.again {
            it.again = false;
            self.wake(phone, tab);
        }
    }

    // The network.

    fn delay(&mut self) -> i64 {
        match self.rng.below(100) {
            _ if self.is_quiet => 20,
            0..=84 => self.rng.between(20, 400),
            85..=95 => self.rng.between(400, 12_000),
            _ => self.rng.between(12_000, 40_000),
        }
    }

    fn is_lost(&mut self) -> bool {
        let is_lost = !self.is_quiet && self.rng.chance(20);
        self.counts.messages += 1;
        self.counts.lost += usize::from(is_lost);
        is_lost
    }

    fn send(&mut self, phone: usize, tab: usize, asked: Asked, call: Call) {
        self.n_calls += 1;
        let it = &mut self.phones[phone].tabs[tab];
        it.call = self.n_calls;
        let sent = Sent {
            phone,
            tab,
            life: it.life,
            number: self.n_calls,
            load: it.load,
            asked,
            call,
            is_copy: false,
        };
        if self.now < self.no_network_until[phone] {
            self.at(
                1,
                Event::Answer {
                    sent: Box::new(sent),
                    answer: None,
                },
            );
            return;
        }
        self.at(TIMEOUT_MS, Event::Timeout(Box::new(sent.clone())));
        self.put_on_the_net(sent);
    }

    fn put_on_the_net(&mut self, sent: Sent) {
        if !self.is_quiet && self.rng.chance(10) {
            self.counts.copied += 1;
            let in_ms = self.delay();
            self.at(
                in_ms,
                Event::Arrive(Box::new(Sent {
                    is_copy: true,
                    ..sent.clone()
                })),
            );
        }
        if !self.is_lost() {
            let in_ms = self.delay();
            self.at(in_ms, Event::Arrive(Box::new(sent)));
        }
    }

    fn send_in_parallel(&mut self, phone: usize, tab: usize, token: &str, request: &PushRequest) {
        let calls = request.mutations.iter().map(|it| PushRequest {
            mutations: vec![it.clone()],
            ..request.clone()
        });
        for (n, one) in calls.collect::<Vec<_>>().into_iter().enumerate() {
            let (ids, call) = (vec![one.mutations[0].id], push(token, &one));
            if n == 0 {
                self.send(phone, tab, Asked::Push(ids), call);
                continue;
            }
            let it = &self.phones[phone].tabs[tab];
            let (life, number, load) = (it.life, it.call, it.load);
            let asked = Asked::Push(ids);
            self.put_on_the_net(Sent {
                phone,
                tab,
                life,
                number,
                load,
                asked,
                call,
                is_copy: true,
            });
        }
    }

    // The server.

    async fn arrive(&mut self, mut sent: Sent) -> Check {
        let Sent { phone, tab, .. } = sent;
        let fate = if self.is_quiet {
            100
        } else {
            self.rng.below(100)
        };
        if fate == 0 {
            note!(
                self,
                "the server is killed before a call of phone {phone} tab {tab}"
            );
            self.restart().await;
            if !sent.is_copy {
                self.at(
                    5,
                    Event::Answer {
                        sent: Box::new(sent),
                        answer: None,
                    },
                );
            }
            return Ok(());
        }
        let is_killed = fate == 1;
        let before = self.oracle.now().cursor;
        let mut request: Option<PushRequest> = None;
        if let Asked::Push(_) = sent.asked {
            let mut push: PushRequest = serde_json::from_slice(&sent.call.body).unwrap();
            if is_killed {
                // Killed between two commands.
                let n = 1 + self.rng.below(push.mutations.len());
                push.mutations.truncate(n);
                sent.call.body = serde_json::to_vec(&push).unwrap();
            }
            self.plant_before_push(&push).await;
            request = Some(push);
        }
        let mut answer = self.backend.call(&sent.call).await;
        note!(
            self,
            "server: {} of phone {phone} tab {tab}: {}",
            asked(&sent.asked),
            short(&answer)
        );
        if let Some(request) = &request {
            let mut results = Vec::new();
            if answer.status == 200 {
                let Data { data } = read::<PushResponse>(&answer.body);
                results = data.results;
            }
            self.written(before, &results).await?;
            self.plant_after_push(before, request, &results, &mut answer)
                .await;
        }
        if is_killed {
            note!(self, "the server is killed after it");
            self.restart().await;
            return Ok(());
        }
        if let Asked::Pull { .. } = sent.asked
            && answer.status == 200
        {
            answer = self.plant_in_feed(answer);
        }
        if sent.is_copy || self.is_lost() {
            return Ok(());
        }
        let in_ms = self.delay();
        self.at(
            in_ms,
            Event::Answer {
                sent: Box::new(sent),
                answer: Some(answer),
            },
        );
        Ok(())
    }

    /// Something may have been written: the plain reader reads, and the checks look.
    async fn written(&mut self, before: u64, results: &[Outcome]) -> Check {
        let n_decided = results
            .iter()
            .filter(|it| it.outcome != OutcomeKind::Retry && before < it.rev)
            .count();
        self.oracle.decided(before, results)?;
        self.read_all().await?;
        self.oracle.i2_revisions(before, n_decided as u64)?;
        for rev in before + 1..=self.oracle.now().cursor {
            self.walls.insert(rev, self.backend.now());
            if self.is(Bug::SeqBeforeCommit) && self.rng.chance(25) {
                self.unseen.insert(rev, self.now + 2_000);
            }
        }
        Ok(())
    }

    async fn read_all(&mut self) -> Check {
        let timeline = self.oracle.now();
        let (cursor, epoch, backend_id) = (timeline.cursor, timeline.epoch, timeline.backend_id);
        for page in self.read_from(cursor, epoch, backend_id).await {
            let changed = self.oracle.read(page)?;
            self.i12_no_row_without_its_photo(&changed).await?;
        }
        self.oracle.i6_no_double_booking()?;
        self.oracle.i8_no_lost_field_update()
    }

    async fn read_from(
        &self,
        cursor: u64,
        epoch: Option<u64>,
        backend_id: Option<Id>,
    ) -> Vec<PullResponse> {
        let (mut cursor, mut epoch, mut backend_id) = (cursor, epoch, backend_id);
        let mut pages = Vec::new();
        loop {
            let path = pull_path(cursor, READER, epoch, backend_id);
            let answer = self.backend.call(&get(&self.reader_token, path)).await;
            assert_eq!(answer.status, 200, "{}", answer.body);
            let Data { data } = read::<PullResponse>(&answer.body);
            (cursor, epoch, backend_id) = (data.next, Some(data.epoch), Some(data.backend_id));
            let more = data.more;
            pages.push(data);
            if !more {
                return pages;
            }
        }
    }

    async fn i12_no_row_without_its_photo(&self, keys: &[String]) -> Check {
        for key in keys {
            let Some(text) = self
                .oracle
                .now()
                .rows
                .get(key)
                .filter(|it| it.contains("\"photo\":\""))
            else {
                continue;
            };
            let row: serde_json::Value = serde_json::from_str(text).unwrap();
            let photo = row["d"]["photo"].as_str().and_then(|it| it.parse().ok());
            if let Some(photo) = photo {
                let is_there = self.backend.has_photo(photo).await && !self.is_fake(photo);
                ensure!(is_there, I12, "{key} names the photo {photo}");
            }
        }
        Ok(())
    }

    /// Whether the row of the photo was put there by a planted bug.
    fn is_fake(&self, photo: Id) -> bool {
        self.is(Bug::RowBeforeBlob)
            && self
                .phones
                .iter()
                .all(|it| !it.disk.photos.contains_key(&photo))
    }

    /// A change by a REST call of another program, under an idempotency key and sent twice.
    async fn somebody_else(&mut self) -> Check {
        let (clients, services): (Vec<Id>, Vec<Id>) = {
            let keys = self.oracle.now().rows.keys();
            let of = |table: &str| -> Vec<Id> {
                keys.clone()
                    .filter_map(|it| it.strip_prefix(table)?.parse().ok())
                    .collect()
            };
            (of("client/"), of("service/"))
        };
        let value = self.rng.between(1000, 9999);
        let (client, service) = (
            self.rng.pick(&clients).copied(),
            self.rng.pick(&services).copied(),
        );
        let which = self.rng.below(5);
        let (method, path, body, command) = match (which, client, service) {
            (0 | 1, Some(id), _) => {
                let changes =
                    walkies_core::patch::Patch::of("address", format!("{value} Oak Road"));
                let body = json!(changes);
                let command = Command::UpdateClient {
                    id,
                    changes,
                    dogs: Vec::new(),
                    removed_dogs: Vec::new(),
                };
                ("PUT", format!("/clients/{id}"), body, command)
            }
            (2, Some(id), _) => (
                "DELETE",
                format!("/clients/{id}"),
                json!(null),
                Command::DeleteClient { id },
            ),
            (3, _, Some(id)) => (
                "DELETE",
                format!("/scheduled-services/{id}"),
                json!(null),
                Command::CancelService { id },
            ),
            (4, _, Some(id)) => {
                let notes = format!("seen {value}");
                let command = Command::CompleteService {
                    id,
                    notes: notes.clone(),
                    despite_cancel: false,
                };
                (
                    "POST",
                    format!("/scheduled-services/{id}/complete"),
                    json!({ "notes": notes }),
                    command,
                )
            }
            _ => return Ok(()),
        };
        let key = self.rng.id(self.base_ms + self.now).to_string();
        let body = if body.is_null() {
            Vec::new()
        } else {
            serde_json::to_vec(&body).unwrap()
        };
        let token = self.reader_token.clone();
        let call = Call {
            method,
            path,
            token,
            headers: vec![("idempotency-key", key)],
            body,
        };
        self.oracle.meant(&command);
        let before = self.oracle.now().cursor;
        let first = self.backend.call(&call).await;
        note!(
            self,
            "somebody else: {method} {}: {}",
            call.path,
            short(&first)
        );
        if first.status < 300 {
            self.oracle.spoke(&command);
        }
        self.read_all().await?;
        // A key makes also a refusal a revision, since its answer is kept.
        self.oracle.i2_revisions(before, 1)?;
        self.walls.insert(before + 1, self.backend.now());
        let again = self.backend.call(&call).await;
        ensure!(
            (again.status, &again.body) == (first.status, &first.body),
            crate::oracle::I2,
            "the same call was answered {} and then {}",
            short(&first),
            short(&again)
        );
        self.read_all().await?;
        self.oracle.i2_revisions(before, 1)
    }

    // The phone, when an answer comes or does not come.

    fn answered(&mut self, sent: Sent, answer: Option<Answer>) -> Check {
        let Sent {
            phone,
            tab,
            life,
            number,
            ..
        } = sent;
        if !self.is_alive(phone, tab, life) {
            return Ok(());
        }
        if self.phones[phone].tabs[tab].call != number {
            // The phone has given up waiting; what comes now must do no harm.
            if let (Asked::Pull { number, load }, Some(answer)) = (&sent.asked, &answer)
                && answer.status == 200
                && self.phones[phone].tabs[tab].load == *load
            {
                let Data { data } = read::<PullResponse>(&answer.body);
                return self.late_pull(phone, tab, *number, data);
            }
            return Ok(());
        }
        self.phones[phone].tabs[tab].call = 0;
        let status = answer.as_ref().map_or(0, |it| it.status);
        if !(200..300).contains(&status) {
            return self.in_trouble(&sent, status);
        }
        let body = answer.map(|it| it.body).unwrap_or_default();
        match sent.asked {
            Asked::Photo(photo) => {
                self.phones[phone].disk.photos.insert(photo, false);
                self.photo_uploaded(phone, tab, photo);
                self.go_on(phone, tab);
            }
            Asked::Push(ids) => {
                if self.is(Bug::DropOnOk) {
                    self.phones[phone]
                        .disk
                        .outbox
                        .retain(|_, it| !ids.contains(&it.mutation.id));
                    self.reload(phone, tab);
                    self.look(phone, tab)?;
                }
                let Data { data } = read::<PushResponse>(&body);
                if self.phones[phone].tabs[tab].load == sent.load
                    && !self.replica(phone, tab).pushed(&data)
                {
                    self.phones[phone].tabs[tab].stage = Stage::Pull(0);
                }
                self.look(phone, tab)?;
                self.go_on(phone, tab);
            }
            Asked::Pull { number, load } => {
                if self.phones[phone].tabs[tab].load != load {
                    self.go_on(phone, tab);
                    return Ok(());
                }
                let Data { mut data } = read::<PullResponse>(&body);
                let more = data.more;
                if self.is(Bug::ApplyEachPage) {
                    data.more = false;
                }
                let fresh = self.rng.id(self.base_ms + self.now);
                match self.replica(phone, tab).pulled(number, data, fresh) {
                    Pulled::Stale => self.finish(phone, tab, None),
                    Pulled::More => self.go_on(phone, tab),
                    Pulled::Complete(batch) => {
                        let is_news = batch.meta != *self.replica(phone, tab).meta()
                            || !batch.outbox_remove.is_empty();
                        if !is_news {
                            self.finish(phone, tab, None);
                            return Ok(());
                        }
                        self.phones[phone].tabs[tab].stage = Stage::Apply;
                        let in_ms = self.rng.between(0, 30);
                        let more = more && self.is(Bug::ApplyEachPage);
                        self.at(
                            in_ms,
                            Event::Store {
                                phone,
                                tab,
                                life,
                                batch,
                                more,
                            },
                        );
                    }
                }
            }
        }
        Ok(())
    }

    fn late_pull(
        &mut self,
        phone: usize,
        tab: usize,
        number: u32,
        mut response: PullResponse,
    ) -> Check {
        let fresh = self.rng.id(self.base_ms + self.now);
        let is_planted = self.is(Bug::StalePullOverwrites);
        let replica = self.replica(phone, tab);
        let mut number = number;
        if is_planted {
            response.from = replica.meta().cursor;
            response.more = false;
            replica.abandon_pull();
            number = replica.next_pull().0;
        }
        match replica.pulled(number, response, fresh) {
            Pulled::Complete(batch) if is_planted => {
                let life = self.phones[phone].tabs[tab].life;
                self.at(
                    1,
                    Event::Store {
                        phone,
                        tab,
                        life,
                        batch,
                        more: false,
                    },
                );
                Ok(())
            }
            Pulled::Stale => Ok(()),
            Pulled::More | Pulled::Complete(_) => Err(Violation {
                invariant: crate::oracle::I5,
                text: "a late answer was taken".to_owned(),
            }),
        }
    }

    fn in_trouble(&mut self, sent: &Sent, status: u16) -> Check {
        let Sent { phone, tab, .. } = *sent;
        note!(
            self,
            "phone {phone} tab {tab} gets no answer that helps ({status})"
        );
        let before = self.phones[phone].disk.clone();
        if let Asked::Pull { load, .. } = sent.asked
            && self.phones[phone].tabs[tab].load == load
        {
            self.replica(phone, tab).abandon_pull();
        }
        if let Asked::Push(ids) = &sent.asked {
            if self.is(Bug::DropOn4xx) && (400..500).contains(&status) {
                self.phones[phone]
                    .disk
                    .outbox
                    .retain(|_, it| !ids.contains(&it.mutation.id));
                self.reload(phone, tab);
            }
            if self.is(Bug::NewIdOnRetry) && status == 0 {
                self.rename(phone, tab, ids);
            }
        }
        if self.is(Bug::WipeOn401) && status == 401 {
            let disk = &mut self.phones[phone].disk;
            disk.outbox.clear();
            disk.attention.clear();
            self.reload(phone, tab);
        }
        if status == 401 {
            // A token that came after this call was sent stands.
            let token = &mut self.phones[phone].token;
            if token.as_ref() == Some(&sent.call.token) {
                *token = None;
            }
            i13_expired_sign_in_takes_nothing_away(&before, &self.phones[phone].disk)?;
        }
        self.finish(phone, tab, Some(status));
        Ok(())
    }

    /// Planted: what is sent again gets another id and another place.
    fn rename(&mut self, phone: usize, tab: usize, ids: &[Id]) {
        let fresh: Vec<Id> = ids
            .iter()
            .map(|_| self.rng.id(self.base_ms + self.now))
            .collect();
        let disk = &mut self.phones[phone].disk;
        for (id, fresh) in ids.iter().zip(fresh) {
            let Some(seq) = disk
                .outbox
                .iter()
                .find(|(_, it)| it.mutation.id == *id)
                .map(|(seq, _)| *seq)
            else {
                continue;
            };
            let mut entry = disk.outbox.remove(&seq).unwrap();
            let intent = *self.oracle.aliases.get(id).unwrap_or(id);
            self.oracle.aliases.insert(fresh, intent);
            disk.seq += 1;
            entry.mutation.id = fresh;
            entry.mutation.seq = disk.seq;
            disk.outbox.insert(disk.seq, entry);
        }
        self.reload(phone, tab);
    }

    /// The transaction that stores a complete pull.
    fn store(&mut self, phone: usize, tab: usize, life: u32, batch: &Batch, more: bool) -> Check {
        let is_alive = self.is_alive(phone, tab, life);
        if !is_alive && self.rng.chance(50) {
            return Ok(());
        }
        self.counts.resets += usize::from(batch.clear);
        let before = self.phones[phone].disk.clone();
        let is_stored = self.phones[phone].disk.apply(batch, self.bug);
        if is_stored {
            note!(
                self,
                "phone {phone} tab {tab} is at {} ({} rows, {} gone, {} decided)",
                batch.meta.cursor,
                batch.put.len(),
                batch.delete.len(),
                batch.outbox_remove.len()
            );
            self.oracle
                .i5_atomic_visibility(&before, &self.phones[phone].disk)?;
        }
        if !is_alive {
            return Ok(());
        }
        if !is_stored || !self.replica(phone, tab).applied(batch) {
            self.reload(phone, tab);
        }
        if is_stored {
            self.tell(phone, tab, &Message::Applied(Box::new(batch.clone())));
        }
        self.look(phone, tab)?;
        if !matches!(self.phones[phone].tabs[tab].stage, Stage::Apply) {
            return Ok(());
        }
        if more {
            self.phones[phone].tabs[tab].stage = Stage::Pull(0);
            self.go_on(phone, tab);
        } else {
            self.finish(phone, tab, None);
        }
        Ok(())
    }

    // Planted bugs between phone and server and in the server's tables.

    async fn plant_before_push(&mut self, request: &PushRequest) {
        let device = request.device_id.to_string();
        let set_seq = "INSERT INTO device (sitter_id, id, last_seq) VALUES ($1, $2, CAST($3 AS INTEGER)) \
            ON CONFLICT (sitter_id, id) DO UPDATE SET last_seq = excluded.last_seq";
        if matches!(
            self.bug,
            Some(Bug::NoIdempotency | Bug::ParallelCalls | Bug::NewIdOnRetry)
        ) && let Some(first) = request.mutations.first()
        {
            self.backend
                .tamper(set_seq, &[&device, &(first.seq - 1).to_string()])
                .await;
        }
        for mutation in &request.mutations {
            if self.is(Bug::UpdateResurrects)
                && let Ok(Command::UpdateClient { id, .. }) = mutation.command()
                && let Some(Some(text)) = self.oracle.now().gone.get(&format!("client/{id}"))
            {
                let row: serde_json::Value = serde_json::from_str(text).unwrap();
                let row: Row = TableName::Client.read(&row["d"].to_string()).unwrap();
                self.backend.write_row(self.oracle.now().cursor, &row).await;
            }
            if self.is(Bug::RowBeforeBlob) {
                for photo in photos_in(&mutation.args) {
                    let insert = "INSERT INTO photo (sitter_id, id, file_id, source_hash, created_at_ms) \
                        VALUES ($1, $2, $2, '', 0) ON CONFLICT DO NOTHING";
                    self.backend.tamper(insert, &[&photo]).await;
                }
            }
        }
    }

    async fn plant_after_push(
        &mut self,
        before: u64,
        request: &PushRequest,
        results: &[Outcome],
        answer: &mut Answer,
    ) {
        let fresh: BTreeSet<Id> = results
            .iter()
            .filter(|it| before < it.rev)
            .map(|it| it.id)
            .collect();
        let forgets =
            self.is(Bug::NoIdempotency) || (self.is(Bug::OutcomeInSecondTx) && self.rng.chance(8));
        if forgets && !fresh.is_empty() {
            for id in &fresh {
                self.backend
                    .tamper(
                        "DELETE FROM mutation WHERE sitter_id = $1 AND id = $2",
                        &[&id.to_string()],
                    )
                    .await;
            }
            let device = request.device_id.to_string();
            let back = "UPDATE device SET last_seq = last_seq - CAST($3 AS INTEGER) WHERE sitter_id = $1 AND id = $2";
            self.backend
                .tamper(back, &[&device, &fresh.len().to_string()])
                .await;
            if self.is(Bug::OutcomeInSecondTx) {
                answer.status = 503;
            }
        }
        if self.is(Bug::HardDelete) {
            self.backend
                .tamper("DELETE FROM tombstone WHERE sitter_id = $1", &[])
                .await;
        }
        if self.is(Bug::RefusalOnlyInResponse) && answer.status == 200 {
            let Data { mut data } = read::<PushResponse>(&answer.body);
            for outcome in data.results.iter_mut().filter(|it| !fresh.contains(&it.id)) {
                forget_refusal(outcome);
            }
            answer.body = json!({ "data": data }).to_string();
        }
    }

    fn plant_in_feed(&mut self, answer: Answer) -> Answer {
        let planted = [
            Bug::WallClockCursor,
            Bug::SeqBeforeCommit,
            Bug::PageSplitsRev,
            Bug::RefusalOnlyInResponse,
        ];
        let Some(bug) = self.bug.filter(|it| planted.contains(it)) else {
            return answer;
        };
        let Data { mut data } = read::<PullResponse>(&answer.body);
        match bug {
            Bug::WallClockCursor => {
                let seen = self
                    .walls
                    .range(..=data.from)
                    .map(|(_, wall)| *wall)
                    .max()
                    .unwrap_or(i64::MIN);
                let walls = &self.walls;
                data.rows.retain(|it| {
                    data.from == 0 || walls.get(&it.rev).is_none_or(|wall| seen < *wall)
                });
            }
            Bug::SeqBeforeCommit => {
                let (unseen, now) = (&self.unseen, self.now);
                let is_seen = |rev: u64| unseen.get(&rev).is_none_or(|until| *until <= now);
                data.rows.retain(|it| is_seen(it.rev));
                data.outcomes.retain(|it| is_seen(it.rev));
            }
            Bug::PageSplitsRev => {
                if data.from != 0 && 4 < data.rows.len() {
                    data.rows.truncate(4);
                    data.next = data.rows[3].rev;
                    data.more = true;
                    data.outcomes.retain(|it| it.rev <= data.next);
                }
            }
            _ => data.outcomes.iter_mut().for_each(forget_refusal),
        }
        let body = format!("{{\"data\":{}}}", serde_json::to_string(&data).unwrap());
        Answer { body, ..answer }
    }
}

fn forget_refusal(outcome: &mut Outcome) {
    if outcome.outcome == OutcomeKind::Rejected {
        outcome.outcome = OutcomeKind::Applied;
        outcome.refusal = None;
    }
}

fn photos_in(args: &serde_json::Value) -> Vec<String> {
    let dogs = args["dogs"].as_array().cloned().unwrap_or_default();
    dogs.iter()
        .filter_map(|it| it["changes"]["photo"].as_str().map(str::to_owned))
        .collect()
}

fn name(command: &Command) -> String {
    walkies_core::sync::wire::Mutation::parts(command).0
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

/// What a reader of the log wants to know of an answer.
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

fn push(token: &str, request: &PushRequest) -> Call {
    Call {
        method: "POST",
        path: "/sync/push".to_owned(),
        token: token.to_owned(),
        headers: vec![("content-type", "application/json".to_owned())],
        body: serde_json::to_vec(request).unwrap(),
    }
}

fn upload(token: &str, photo: Id, jpeg: &[u8]) -> Call {
    const EDGE: &str = "edge-of-a-part";
    let mut body = format!(
        "--{EDGE}\r\ncontent-disposition: form-data; name=\"id\"\r\n\r\n{photo}\r\n--{EDGE}\r\n\
         content-disposition: form-data; name=\"photo\"; filename=\"{photo}.jpg\"\r\n\
         content-type: image/jpeg\r\n\r\n"
    )
    .into_bytes();
    body.extend_from_slice(jpeg);
    body.extend_from_slice(format!("\r\n--{EDGE}--\r\n").as_bytes());
    Call {
        method: "POST",
        path: "/upload".to_owned(),
        token: token.to_owned(),
        headers: vec![(
            "content-type",
            format!("multipart/form-data; boundary={EDGE}"),
        )],
        body,
    }
}

fn pull_path(cursor: u64, device_id: Id, epoch: Option<u64>, backend_id: Option<Id>) -> String {
    let mut path = format!("/sync/pull?cursor={cursor}&device_id={device_id}&schema=1");
    if let Some(epoch) = epoch {
        path.push_str(&format!("&epoch={epoch}"));
    }
    if let Some(backend_id) = backend_id {
        path.push_str(&format!("&backend_id={backend_id}"));
    }
    path
}
