//! Owns what must hold, one function per invariant, and what a plain reader knows of the server: every row at every
//! revision that anybody could have seen.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::Value;
use walkies_core::commands::{RestoreClient, ServiceCopy, UndoApproval};
use walkies_core::rows::invoice::{Invoice, PaymentMethod};
use walkies_core::rows::pattern::Pattern;
use walkies_core::rows::series::{Series, SeriesDate, SeriesEnd, SeriesRule};
use walkies_core::rows::service::{ProgressStep, Service, ServiceStatus, ServiceType};
use walkies_core::rows::subscription::Subscription;
use walkies_core::rows::walk_request::RequestSubject;
use walkies_core::rules::series::planned_between;
use walkies_core::rules::usage::month_of;
use walkies_core::screens::schedule::{ServiceQuery, services as services_of};
use walkies_core::sync::wire::{Outcome, OutcomeKind, PullRequest, PullResponse, SCHEMA};
use walkies_core::sync::{Meta, is_wordless};
use walkies_core::values::plan::UNLIMITED;
use walkies_core::values::zone::TimeZone;
use walkies_core::{Business, Command, Date, Id, Instant, Now, Refusal, Row, RowKey, TableName};

use crate::act_checks::{
    Before, Done, Former, brought_back, cancelled, check_act, fields_of, i22_undone, i23_trips,
    i25_made,
};
use crate::acts::is_fixed;
use crate::backend::BACKUPS;
use crate::bugs::Bug;
use crate::parents::{P1, P3, P4, Seat, seen_by};
use crate::people::{consent, creations, deletions, is_of_series, words};
use crate::phone::{Disk, Phone, Tab};
use crate::portal_checks::{SentLive, p6_signed, p7_given, p8_live};
use crate::request_checks::{i30_approved, i30_refused, i31_booked, note_approved};

/// An invariant that does not hold.
#[derive(Clone, Debug)]
pub struct Violation {
    pub invariant: &'static str,
    pub text: String,
}

pub type Check = Result<(), Violation>;

macro_rules! ensure {
    ($holds:expr, $invariant:expr, $($text:tt)*) => {
        if !$holds {
            return Err($crate::oracle::Violation { invariant: $invariant, text: format!($($text)*) });
        }
    };
}
pub(crate) use ensure;

pub const I1: &str = "I1 no loss";
pub const I2: &str = "I2 exactly once";
pub const I3: &str = "I3 order";
pub const I4: &str = "I4 convergence";
pub const I5: &str = "I5 atomic visibility";
pub const I6: &str = "I6 no double booking";
pub const I7: &str = "I7 deleted stays deleted";
pub const I8: &str = "I8 no lost field update";
pub const I10: &str = "I10 own work stays visible";
pub const I11: &str = "I11 invoices are numbered, kept and paid with their services";
pub const I12: &str = "I12 no row without its photo";
pub const I13: &str = "I13 an expired sign-in takes nothing away";
pub const I14: &str = "I14 a plan's limits hold, and take nothing away";
pub const I15: &str = "I15 a business is cleared, brought back or imported whole, and nothing is done in it meanwhile";
pub const I16: &str = "I16 what is overdue is told on every phone, and nothing else is";
pub const I18: &str = "I18 no visit of a series is there twice";
pub const I19: &str =
    "I19 a visit that a person deleted or cancelled does not come back with its series";
pub const I20: &str = "I20 the weeks ahead of a series are whole";
pub const I21: &str = "I21 no change of a series changes what is done, billed or paid";
pub const I17: &str =
    "I17 a long text that its replacer had not seen is kept until somebody decides";

/// A change that a person made on a phone.
pub struct Intent {
    pub phone: usize,
    /// Its place among the saves of its phone.
    pub n: u64,
    /// The command that the person meant, whatever was sent.
    pub command: Command,
    /// The phone has said that it is safe.
    pub said: bool,
    /// The person has answered its entry of Needs attention.
    pub resolved: bool,
    /// The client record that it was made by, for a pet parent's.
    pub client: Option<Id>,
    /// The login of that pet parent.
    pub user_id: Option<Id>,
    /// Number of the database of its phone that it was saved in.
    pub database: u32,
    /// The phone has told that the person was let go, and that nobody knows what became of it.
    pub let_go: bool,
    /// The revision that the person had seen.
    pub base_rev: u64,
    /// When it was made, by the phone's clock.
    pub made_at: Instant,
    /// The change that it undoes.
    pub undoes: Option<Id>,
    /// The app offers to undo it.
    pub has_undo: bool,
}

/// State of a long text.
#[derive(Clone, Default)]
struct LongText {
    current: String,
    /// The revision that set it; 0 where that is not known.
    rev: u64,
    /// The phone that set it, and which of its databases.
    by: Option<(usize, u32)>,
    /// Versions that were replaced by somebody who had not seen them, and that nobody has decided on.
    unsettled: BTreeSet<String>,
}

/// The author of a change: its revision, the last revision seen, and the database of the phone.
struct Writer {
    rev: u64,
    base_rev: u64,
    by: Option<(usize, u32)>,
}

/// The history that one server, between two restores, has shown to the plain reader.
#[derive(Clone)]
pub struct Timeline {
    pub backend_id: Option<Id>,
    /// All names of the database that its phones were told.
    pub lines: BTreeSet<Id>,
    epoch: Option<u64>,
    pub cursor: u64,
    /// Names of the revisions that anybody could end at.
    names: BTreeMap<u64, Option<Id>>,
    /// Revision, row and text of everything that was ever read, in order.
    pub log: Vec<(u64, String, Option<String>)>,
    pub rows: BTreeMap<String, String>,
    pub services: BTreeMap<Id, Service>,
    invoices: BTreeMap<Id, Invoice>,
    pub patterns: BTreeMap<Id, Pattern>,
    /// Rows that were seen to be deleted, with what they had been.
    pub gone: BTreeMap<String, Option<String>>,
    pub decided: BTreeMap<Id, Outcome>,
    /// The place of the last decided save, by phone.
    last_n: BTreeMap<usize, u64>,
    /// Values that fields must have, by row and field.
    words: BTreeMap<(String, String), Value>,
    /// The long texts that somebody has written, by row and field.
    texts: BTreeMap<(String, String), LongText>,
    /// Set once the rows that it began with were read.
    is_begun: bool,
    /// Rows that have come since the limits were looked at, and months in which more services count than before.
    added: BTreeSet<String>,
    added_months: BTreeSet<Date>,
    /// Services that were cancelled at some time: they may count again.
    cancelled: BTreeSet<Id>,
    /// Services that a person deleted, as true, or cancelled.
    dead: BTreeMap<Id, bool>,
    /// Revisions of commands about series.
    of_series: BTreeSet<u64>,
    /// The commands that were done, by revision.
    done: BTreeMap<u64, Done>,
    /// The rows before each act that can be undone.
    pub befores: BTreeMap<Id, Before>,
    /// The services that approvals have made, as they were then.
    pub approved: BTreeMap<Id, String>,
    /// Undos of approvals that were just refused, with when they were made.
    pub refused_undos: Vec<(UndoApproval, Instant)>,
    /// The last revision before the reading that goes on, and what has changed in it since.
    began_at: u64,
    former: Former,
    /// Clients who are inactive, and pets with the day from which on they are gone.
    pub inactive: BTreeSet<Id>,
    pub gone_pets: BTreeMap<Id, Date>,
    /// The last number of an invoice before the business was cleared.
    billed: u32,
    /// Numbers of invoices that came with an archive, or came back.
    came: BTreeSet<u32>,
}

impl Timeline {
    /// One of which nothing was read yet.
    pub fn new() -> Self {
        Self {
            backend_id: None,
            lines: BTreeSet::new(),
            epoch: None,
            cursor: 0,
            names: BTreeMap::new(),
            log: Vec::new(),
            rows: BTreeMap::new(),
            services: BTreeMap::new(),
            invoices: BTreeMap::new(),
            patterns: BTreeMap::new(),
            gone: BTreeMap::new(),
            decided: BTreeMap::new(),
            last_n: BTreeMap::new(),
            words: BTreeMap::new(),
            texts: BTreeMap::new(),
            is_begun: false,
            added: BTreeSet::new(),
            added_months: BTreeSet::new(),
            cancelled: BTreeSet::new(),
            dead: BTreeMap::new(),
            of_series: BTreeSet::new(),
            done: BTreeMap::new(),
            befores: BTreeMap::new(),
            approved: BTreeMap::new(),
            refused_undos: Vec::new(),
            began_at: 0,
            former: BTreeMap::new(),
            inactive: BTreeSet::new(),
            gone_pets: BTreeMap::new(),
            billed: 0,
            came: BTreeSet::new(),
        }
    }

    /// Returns the business's subscription.
    pub fn subscription(&self) -> Option<Subscription> {
        let text = self.rows.iter().find(|(key, _)| key.starts_with("sitter/"));
        let row: Value = serde_json::from_str(text?.1).unwrap();
        match TableName::Sitter.read(&row["d"].to_string()).unwrap() {
            Row::Sitter(it) => it.subscription,
            _ => None,
        }
    }

    /// The month in which a service counts, if it does.
    fn month(service: &Service) -> Option<Date> {
        let counts = service.status != ServiceStatus::Cancelled;
        counts.then(|| month_of(service.date).0)
    }

    /// Notes what a service is from now on.
    fn put_service(&mut self, service: Service) {
        let month = Self::month(&service);
        let is_cancelled = service.status == ServiceStatus::Cancelled;
        let id = service.id;
        let before = self.services.insert(id, service);
        if is_cancelled {
            self.cancelled.insert(id);
        }
        let is_added = month != before.as_ref().and_then(Self::month);
        if is_added && !self.cancelled.contains(&id) {
            self.added_months.extend(month);
        }
    }

    /// Notes which clients are inactive and which pets are gone.
    fn note_departure(&mut self, key: &str, id: Id, text: &str) {
        if key.starts_with("client/") {
            match text.contains("\"inactive_since\":\"") {
                true => self.inactive.insert(id),
                false => self.inactive.remove(&id),
            };
        } else if key.starts_with("pet/") {
            self.gone_pets.remove(&id);
            let gone_on = text.contains("\"gone_on\":\"").then(|| fields_of(text));
            let gone_on = gone_on.and_then(|it| it["gone_on"].as_str()?.parse().ok());
            self.gone_pets.extend(gone_on.map(|it| (id, it)));
        }
    }

    /// The minutes that are kept free around a visit: those of the first pattern of its day that holds it. Outside all
    /// patterns of the day, as in a business that was cleared and has hours on other days alone, there are none.
    fn buffer(&self, visit: &Service) -> i64 {
        let start = i64::from(visit.start_time.minute_of_day());
        let end = start + i64::from(visit.duration_minutes);
        let holds = |it: &&Pattern| {
            it.is_active
                && it.day_of_week == visit.date.day_of_week()
                && it.service_types.contains(&visit.service_type)
                && i64::from(it.start_time.minute_of_day()) <= start
                && end <= i64::from(it.end_time.minute_of_day())
        };
        let patterns = self.patterns.values().filter(holds);
        let first = patterns.max_by_key(|it| (it.priority, std::cmp::Reverse(it.id)));
        first.map_or(0, |it| i64::from(it.buffer_minutes))
    }

    /// Asks for what comes after a revision.
    pub fn after(&self, cursor: u64, device_id: Id) -> PullRequest {
        PullRequest {
            cursor,
            device_id,
            schema: SCHEMA,
            epoch: self.epoch,
            backend_id: self.backend_id,
            seen: None,
            rev_id: self.names.get(&cursor).copied().flatten(),
        }
    }

    /// Returns the name of its last revision.
    pub fn name(&self) -> Option<Id> {
        self.names.get(&self.cursor).copied().flatten()
    }

    /// True if a phone with this state knows this timeline.
    fn is_known_to(&self, meta: &Meta) -> bool {
        meta.backend_id.is_some_and(|it| self.lines.contains(&it))
            && self.names.get(&meta.cursor) == Some(&meta.rev_id)
    }

    /// The rows at a revision.
    fn at(&self, rev: u64) -> BTreeMap<&str, &str> {
        let mut rows = BTreeMap::new();
        for (_, key, text) in self.log.iter().filter(|(at, ..)| *at <= rev) {
            match text {
                Some(text) => rows.insert(key.as_str(), text.as_str()),
                None => rows.remove(key.as_str()),
            };
        }
        rows
    }
}

/// Everything that the checks know.
pub struct Oracle {
    pub intents: BTreeMap<Id, Intent>,
    /// Other ids that an intent was sent under: one of the planted bugs.
    pub aliases: BTreeMap<Id, Id>,
    pub timelines: Vec<Timeline>,
    backups: [Option<Timeline>; BACKUPS],
    consented: BTreeSet<Id>,
    /// Rows that somebody has asked to delete.
    deletions: BTreeSet<Id>,
    /// Rows that somebody has asked to bring back.
    restorations: BTreeSet<Id>,
    contended: [Date; 2],
    /// Events that were sent before their report, with the visit and its client as the sender saw them.
    pub sent_live: BTreeSet<SentLive>,
    /// Client records from which somebody was let go at some time.
    pub ended: BTreeSet<Id>,
    /// Cache of the view that a client has of a row, by record and text.
    views: RefCell<HashMap<(Id, String), Option<String>>>,
}

impl Oracle {
    pub fn new(contended: [Date; 2]) -> Self {
        Self {
            intents: BTreeMap::new(),
            aliases: BTreeMap::new(),
            timelines: vec![Timeline::new()],
            backups: [const { None }; BACKUPS],
            consented: BTreeSet::new(),
            deletions: BTreeSet::new(),
            restorations: BTreeSet::new(),
            contended,
            sent_live: BTreeSet::new(),
            ended: BTreeSet::new(),
            views: RefCell::default(),
        }
    }

    pub fn now(&self) -> &Timeline {
        self.timelines.last().unwrap()
    }

    /// Somebody means this, on a phone or elsewhere.
    pub fn meant(&mut self, command: &Command) {
        self.consented.extend(consent(command));
        self.deletions.extend(deletions(command));
        if let Command::RestoreClient(RestoreClient { id, dogs, .. }) = command {
            self.restorations.insert(*id);
            self.restorations.extend(dogs.iter().map(|it| it.id));
        }
    }

    pub fn backed_up(&mut self, backup: usize) {
        self.backups[backup] = Some(self.now().clone());
    }

    pub fn restored(&mut self, backup: usize) {
        let backup = self.backups[backup].clone().unwrap();
        let fresh = Timeline::new();
        self.timelines.push(Timeline {
            decided: backup.decided,
            last_n: backup.last_n,
            words: backup.words,
            texts: backup.texts,
            gone: backup.gone,
            cancelled: backup.cancelled,
            dead: backup.dead,
            ..fresh
        });
    }

    pub fn intent_of(&self, id: Id) -> Option<(Id, &Intent)> {
        let id = *self.aliases.get(&id).unwrap_or(&id);
        self.intents.get(&id).map(|it| (id, it))
    }

    /// The plain reader has read a page. Gives the keys of what changed.
    ///
    /// `is_job` says that the nightly job has written what is new.
    pub fn read(&mut self, response: PullResponse, is_job: bool) -> Result<Vec<String>, Violation> {
        let restorations = &self.restorations;
        let timeline = self.timelines.last_mut().unwrap();
        ensure!(
            response.next >= timeline.cursor,
            I5,
            "the server went back from {} to {}",
            timeline.cursor,
            response.next
        );
        let is_first = timeline.cursor == 0;
        let mut changed = Vec::new();
        for row in &response.rows {
            let key = format!("{}/{}", row.t, row.id);
            let text = (!row.del).then(|| serde_json::to_string(row).unwrap());
            let service: Option<Service> = match &row.d {
                Some(d) if row.t == TableName::Service.name() && !row.del => {
                    Some(serde_json::from_str(d.get()).unwrap())
                }
                _ => None,
            };
            // Where another command came in between, what was before is not known; a request that was booked at once has
            // its service's id.
            let of_series = &timeline.of_series;
            let mut since = timeline.began_at + 1..=row.rev;
            let are_of_series = !since.is_empty() && since.all(|it| of_series.contains(&it));
            if row.t == TableName::Service.name() && (is_job || are_of_series) {
                i21_done_stays(timeline, row.id, service.as_ref())?;
            }
            match &text {
                Some(text) => {
                    // What a series took away comes back with it.
                    let is_visit = service.as_ref().is_some_and(|it| it.series_id.is_some());
                    if !is_visit {
                        i7_deleted_stays_deleted(timeline, restorations, &key, row.id, is_first)?;
                    }
                    timeline.gone.remove(&key);
                    if let Some(service) = service {
                        if !restorations.contains(&row.id) {
                            i19_dead_stays_dead(timeline, &service)?;
                        }
                        timeline.put_service(service);
                    }
                    if row.t == TableName::Invoice.name() {
                        let invoice = serde_json::from_str(row.d.as_ref().unwrap().get()).unwrap();
                        let before = timeline.invoices.insert(row.id, invoice);
                        i11_is_kept(before, timeline)?;
                    }
                    if row.t == TableName::Pattern.name() {
                        let pattern = serde_json::from_str(row.d.as_ref().unwrap().get()).unwrap();
                        timeline.patterns.insert(row.id, pattern);
                    }
                    timeline.note_departure(&key, row.id, text);
                    if text.contains("\"client_user_id\":null") {
                        // With the last one of a household goes how to get in.
                        let field = (key.clone(), "how_to_get_in".to_owned());
                        timeline.words.remove(&field);
                    }
                    let before = timeline.rows.insert(key.clone(), text.clone());
                    if before.is_none() {
                        timeline.added.insert(key.clone());
                    }
                    timeline.former.entry(key.clone()).or_insert(before);
                }
                None => {
                    let last = timeline.rows.remove(&key);
                    timeline.former.entry(key.clone()).or_insert(last.clone());
                    timeline.gone.insert(key.clone(), last);
                    timeline.inactive.remove(&row.id);
                    timeline.gone_pets.remove(&row.id);
                    timeline.services.remove(&row.id);
                    timeline.invoices.remove(&row.id);
                    timeline.patterns.remove(&row.id);
                    timeline.words.retain(|(of, _), _| *of != key);
                    timeline.texts.retain(|(of, _), _| *of != key);
                }
            }
            timeline.log.push((row.rev, key.clone(), text));
            changed.push(key);
        }
        timeline.cursor = response.next;
        timeline.epoch = Some(response.epoch);
        timeline.backend_id = Some(response.backend_id);
        timeline.lines.insert(response.backend_id);
        timeline.names.insert(response.head, response.rev_id);
        Ok(changed)
    }

    /// The command that was done at a revision.
    pub fn done_at(&self, rev: u64) -> Option<&Done> {
        self.now().done.get(&rev)
    }

    /// The plain reader begins to read what has come since.
    pub fn begin_reading(&mut self) {
        let timeline = self.timelines.last_mut().unwrap();
        timeline.began_at = timeline.cursor;
        timeline.former.clear();
    }

    /// The plain reader has read all that there is: what has come is as the act says that made it.
    /// `today` is the sitter's by the server's clock.
    pub fn end_reading(&mut self, is_job: bool, today: Date, now: &Now) -> Check {
        let timeline = self.timelines.last_mut().unwrap();
        i30_refused(timeline, now)?;
        if timeline.began_at == 0 {
            return Ok(());
        }
        i23_trips(timeline, &timeline.former, today)?;
        i25_made(timeline, &timeline.former, is_job)?;
        let rev = timeline.cursor;
        // What is between two revisions that were read together is not known.
        let done = (rev == timeline.began_at + 1).then(|| timeline.done.get(&rev));
        let Some(done) = done.flatten().cloned().filter(|_| !is_job) else {
            return Ok(());
        };
        check_act(timeline, &done, &timeline.former)?;
        i30_approved(timeline, &done, &timeline.former)?;
        i31_booked(timeline, &done, &timeline.former, now)?;
        p6_signed(timeline, &done)?;
        p7_given(timeline, &done, &timeline.former)?;
        p8_live(timeline, &done, &timeline.former, &self.sent_live)?;
        note_approved(timeline, &done);
        i22_undone(timeline, &done, rev)?;
        for id in cancelled(timeline, &done, &timeline.former) {
            timeline.dead.insert(id, false);
        }
        if self.intents.get(&done.id).is_some_and(|it| it.has_undo) {
            let former = std::mem::take(&mut timeline.former);
            let before = Before::new(rev, former, &done);
            timeline.befores.insert(done.id, before);
        }
        Ok(())
    }

    /// The server has answered a push, or a call of somebody else; `days` are those on which each change was made and is
    /// decided.
    pub fn decided(
        &mut self,
        before: u64,
        results: &[Outcome],
        days: &BTreeMap<Id, [Date; 2]>,
    ) -> Check {
        for outcome in results.iter().filter(|it| it.outcome != OutcomeKind::Retry) {
            let Some((id, intent)) = self.intent_of(outcome.id) else {
                continue;
            };
            let (phone, n, command) = (intent.phone, intent.n, intent.command.clone());
            let made_at = intent.made_at;
            let done = Done {
                id,
                command: command.clone(),
                outcome: outcome.outcome,
                base_rev: intent.base_rev,
                undoes: intent.undoes,
                days: days.get(&outcome.id).copied().unwrap_or_default(),
                user_id: intent.user_id,
            };
            let writer = Writer {
                rev: outcome.rev,
                base_rev: intent.base_rev,
                by: Some((phone, intent.database)),
            };
            let timeline = self.timelines.last_mut().unwrap();
            if outcome.rev > before {
                i2_exactly_once(timeline, id, outcome)?;
                i3_order(timeline, phone, n)?;
                timeline.decided.insert(id, outcome.clone());
                if outcome.outcome != OutcomeKind::Rejected {
                    if is_of_series(&command) {
                        timeline.of_series.insert(outcome.rev);
                    }
                    timeline.done.insert(outcome.rev, done);
                    self.spoke(&command);
                    self.wrote(&command, &writer);
                } else if let Command::UndoApproval(undo) = command
                    && matches!(
                        outcome.refusal,
                        Some(Refusal::AlreadyAnswered { .. } | Refusal::Gone)
                    )
                {
                    timeline.refused_undos.push((undo, made_at));
                }
            } else if let Some(known) = timeline.decided.get(&id) {
                // What is said of a deleted row is taken out of old answers, and no more than that.
                let (was, is) = (known.refusal.as_ref(), outcome.refusal.as_ref());
                let is_same = (known.outcome, known.rev) == (outcome.outcome, outcome.rev)
                    && (is_same_refusal(was, is) || is_without_words(was, is))
                    && outcome
                        .adjustments
                        .iter()
                        .all(|it| known.adjustments.contains(it));
                ensure!(
                    is_same,
                    I3,
                    "{id} was {:?} and is now {:?}",
                    known.outcome,
                    outcome.outcome
                );
            }
        }
        Ok(())
    }

    /// A command was done: from now on its words stand.
    pub fn spoke(&mut self, command: &Command) {
        let timeline = self.timelines.last_mut().unwrap();
        if let Command::RestoreClient(RestoreClient { id, dogs, .. }) = command {
            let back: BTreeSet<String> = std::iter::once(format!("client/{id}"))
                .chain(dogs.iter().map(|it| format!("pet/{}", it.id)))
                .collect();
            timeline.words.retain(|(key, _), _| !back.contains(key));
            timeline.texts.retain(|(key, _), _| !back.contains(key));
        }
        // What visits have of their own goes where the person says so.
        if let Command::ChangeSeries(it) = command
            && it.replaces_own
        {
            let services = timeline.services.values().filter(|service| {
                service.series_id == Some(it.id)
                    && service.series_date.is_some_and(|date| it.from <= date)
            });
            let replaced: BTreeSet<Id> = services.map(|it| it.id).collect();
            // One that was made by the same push was not read yet, and may be of the series.
            let stays = |key: &str| {
                let id = key.strip_prefix("service/").and_then(|it| it.parse().ok());
                id.is_none_or(|it: Id| {
                    timeline.services.contains_key(&it) && !replaced.contains(&it)
                })
            };
            timeline.words.retain(|(key, _), _| stays(key));
        }
        for (key, field, value) in words(command) {
            timeline.words.insert((key, field), value);
        }
        match command {
            Command::DeleteService(it) => drop(timeline.dead.insert(it.id, true)),
            Command::CancelService(it) => drop(timeline.dead.insert(it.id, false)),
            _ => {}
        }
        for id in brought_back(command) {
            timeline.dead.remove(&id);
        }
    }

    /// A visit of a series is one row.
    pub fn i18_visits_are_there_once(&self) -> Check {
        let visits = self.now().services.values();
        let mut seen = BTreeMap::new();
        for visit in visits {
            let Some(occurrence) = visit.occurrence() else {
                continue;
            };
            let other = seen.insert(occurrence, visit.id);
            ensure!(
                other.is_none(),
                I18,
                "{} and {other:?} are both the visit {occurrence:?}",
                visit.id
            );
        }
        Ok(())
    }

    /// Each visit of the weeks ahead from `today` on, twelve or as many as the settings say, of a series whose client is there
    /// and active, was made, or waits for a decision. The calendar is read day by day.
    pub fn i20_weeks_ahead_are_whole(&self, today: Date) -> Check {
        let timeline = self.now();
        let visits = timeline.services.values().filter_map(Service::occurrence);
        let made: BTreeSet<(Id, SeriesDate)> = visits.collect();
        let mut settings = timeline.rows.iter();
        let settings = settings.find(|it| it.0.starts_with("availability_config/"));
        let weeks = settings.and_then(|it| fields_of(it.1)["series_weeks_ahead"].as_i64());
        let weeks = weeks.unwrap_or(12);
        let rows = timeline
            .rows
            .iter()
            .filter(|it| it.0.starts_with("series/"));
        for (_, text) in rows {
            let row: Value = serde_json::from_str(text).unwrap();
            let series: Series = serde_json::from_value(row["d"].clone()).unwrap();
            let client = format!("client/{}", series.client_id);
            let is_inactive = timeline.inactive.contains(&series.client_id);
            if !timeline.rows.contains_key(&client) || is_inactive {
                continue;
            }
            if let Some((_, stay)) = series.stay()
                && today <= series.begins()
                && matches!(series.end, SeriesEnd::On { date } if series.begins() <= date)
            {
                let is_off = series.left_out.contains(&stay) || series.waiting.contains(&stay);
                ensure!(
                    is_off || made.contains(&(series.id, stay)),
                    I20,
                    "the stay of {} is missing on {today}",
                    series.id
                );
            }
            for visit in visits_of(&series, today.plus_days(7 * weeks)) {
                let is_there =
                    made.contains(&(series.id, visit)) || series.waiting.contains(&visit);
                ensure!(
                    visit.date < today || is_there,
                    I20,
                    "{visit:?} of {} is missing on {today}, made until {}, due on {:?}, for {weeks} weeks",
                    series.id,
                    series.made_until,
                    series.due_on
                );
            }
        }
        Ok(())
    }

    /// Notes a REST call, whose author has seen the latest revision.
    pub fn spoke_by_call(&mut self, command: &Command) {
        self.spoke(command);
        let writer = Writer {
            rev: 0,
            base_rev: u64::MAX,
            by: None,
        };
        self.wrote(command, &writer);
    }

    /// Notes the long texts that a command sets. A text that its author had not seen must stay as another version.
    fn wrote(&mut self, command: &Command, writer: &Writer) {
        let timeline = self.timelines.last_mut().unwrap();
        let settled = match command {
            Command::SettleText(it) => Some(&it.settled),
            _ => None,
        };
        for (key, field, value) in words(command) {
            let is_long = match field.as_str() {
                "about" | "access_notes" | "house_instructions" => true,
                "internal_notes" => key.starts_with("client/"),
                _ => false,
            };
            let Some(text) = value.as_str().filter(|_| is_long) else {
                continue;
            };
            let is_new = !timeline.texts.contains_key(&(key.clone(), field.clone()));
            let known = timeline.texts.entry((key, field)).or_default();
            if settled.is_some() && is_new {
                // Its row was cleared and came back since: who wrote it, and who had seen that, is not known any more.
                text.clone_into(&mut known.current);
                continue;
            }
            let is_seen = match settled {
                Some(settled) => settled.contains(&known.current),
                None => known.rev <= writer.base_rev || known.by == writer.by,
            };
            if let Some(settled) = settled {
                known.unsettled.retain(|it| !settled.contains(it));
            }
            let former = std::mem::replace(&mut known.current, text.to_owned());
            if !is_seen && !former.is_empty() {
                known.unsettled.insert(former.clone());
            }
            known.unsettled.remove(text);
            // Whoever decides for the text that stands there does not write it.
            if former != text {
                (known.rev, known.by) = (writer.rev, writer.by);
            }
        }
    }

    /// Each version on which nobody has decided is in its row.
    pub fn i17_both_versions(&self) -> Check {
        let timeline = self.now();
        for ((key, field), known) in &timeline.texts {
            let Some(text) = timeline
                .rows
                .get(key)
                .filter(|_| !known.unsettled.is_empty())
            else {
                continue;
            };
            let row: Value = serde_json::from_str(text).unwrap();
            let others = row["d"]["other_texts"].as_array().into_iter().flatten();
            let others: BTreeSet<&str> = others
                .filter(|it| it["field"] == field.as_str())
                .filter_map(|it| it["content"].as_str())
                .collect();
            let lost = known
                .unsettled
                .iter()
                .find(|it| !others.contains(it.as_str()));
            ensure!(
                lost.is_none(),
                I17,
                "{field} of {key} was {} when somebody replaced it who had not seen that, and it is gone",
                lost.unwrap()
            );
        }
        Ok(())
    }

    /// One revision is one decision, and none is skipped.
    pub fn i2_revisions(&self, before: u64, n_decided: u64) -> Check {
        let after = self.now().cursor;
        ensure!(
            after - before == n_decided,
            I2,
            "{n_decided} decisions took the feed from {before} to {after}"
        );
        Ok(())
    }

    pub fn i6_no_double_booking(&self) -> Check {
        let timeline = self.now();
        let booked: Vec<&Service> = timeline
            .services
            .values()
            .filter(|it| it.status != ServiceStatus::Cancelled && self.contended.contains(&it.date))
            .filter(|it| !self.consented.contains(&it.id))
            .collect();
        for (n, one) in booked.iter().enumerate() {
            for other in &booked[..n] {
                let span = |it: &Service| {
                    let start = it.date.minute(it.start_time);
                    (start, start + i64::from(it.duration_minutes))
                };
                let ((start, end), (other_start, other_end)) = (span(one), span(other));
                // The later one of both was decided by its own hours, and nobody reads here which one that is.
                let buffer = timeline.buffer(one).min(timeline.buffer(other));
                let is_apart = match (one.end_date, other.end_date) {
                    (None, None) => end + buffer <= other_start || other_end + buffer <= start,
                    (Some(last), Some(other_last)) => last < other.date || other_last < one.date,
                    // Visits are made while an animal stays.
                    _ => true,
                };
                ensure!(
                    is_apart,
                    I6,
                    "{} at {} and {} at {} on {}",
                    one.id,
                    one.start_time,
                    other.id,
                    other.start_time,
                    one.date
                );
            }
        }
        Ok(())
    }

    /// The numbers are those from 1 on, and a service on an invoice is paid when that is, and not otherwise. What is credited in full bills nothing, and
    /// what went back is paid no more.
    pub fn i11_invoices(&self) -> Check {
        let timeline = self.now();
        let numbers: BTreeSet<u32> = timeline
            .invoices
            .values()
            .filter_map(|it| it.number)
            .collect();
        let n = timeline.invoices.len();
        let billed = timeline.billed;
        let own = numbers.difference(&timeline.came);
        ensure!(
            numbers.len() == n && own.zip(billed + 1..).all(|(it, next)| *it == next),
            I11,
            "{n} invoices are numbered {numbers:?} after {billed}"
        );
        for service in timeline.services.values() {
            let Some(invoice_id) = service.invoice_id else {
                continue;
            };
            let invoice = timeline.invoices.get(&invoice_id);
            ensure!(
                invoice.is_some_and(|it| it.deleted_at.is_none() && it.paid == service.paid),
                I11,
                "{} is paid: {}, and its invoice: {invoice:?}",
                service.id,
                service.paid
            );
        }
        for invoice in timeline.invoices.values() {
            let (mut money, mut credited) = (0, 0);
            for payment in &invoice.payments {
                match payment.method {
                    PaymentMethod::Credit => credited += payment.amount.0,
                    _ => money += payment.amount.0 - payment.tip.map_or(0, |it| it.0),
                }
            }
            money -= invoice.refunds.iter().map(|it| it.amount.0).sum::<i64>();
            let (total, charged) = (invoice.total.0, invoice.total.0 - credited);
            let is_credited = 0 < total && charged <= 0;
            ensure!(
                invoice.credits.is_some() || invoice.paid == (charged <= money && !is_credited),
                I11,
                "{} of {total} has {money} paid and {credited} credited",
                invoice.id
            );
            let mut services = timeline.services.values();
            ensure!(
                !is_credited || services.all(|it| it.invoice_id != Some(invoice.id)),
                I11,
                "{} is credited in full, and a service stands on it",
                invoice.id
            );
        }
        Ok(())
    }

    /// Checks that after a client, a dog or a service of a month was added, there are no more of them than the plan has
    /// room for, but for those that came back. Those that were there already may be more.
    pub fn i14_limits(&mut self) -> Check {
        let restorations = &self.restorations;
        let timeline = self.timelines.last_mut().unwrap();
        let added = std::mem::take(&mut timeline.added);
        let months = std::mem::take(&mut timeline.added_months);
        let is_begun = std::mem::replace(&mut timeline.is_begun, true);
        let Some(subscription) = timeline.subscription().filter(|_| is_begun) else {
            return Ok(());
        };
        let plan = subscription.plan_in_force();
        let has_room = |n: usize, most: i64| most == UNLIMITED || n as i64 <= most;
        let is_new = |id: &str| !restorations.contains(&id.parse().unwrap());
        for (table, most) in [("client/", plan.clients), ("pet/", plan.dogs)] {
            let id = |key: &'_ String| key.strip_prefix(table).is_some_and(is_new);
            let n = timeline.rows.keys().filter(|it| id(it)).count();
            ensure!(
                !added.iter().any(id) || has_room(n, most),
                I14,
                "one was added, and now there are {n} of {table}, and there is room for {most}"
            );
        }
        for month in months {
            let counts = |it: &&Service| {
                let is_back = restorations.contains(&it.id) || timeline.cancelled.contains(&it.id);
                !is_back && Timeline::month(it) == Some(month)
            };
            let n = timeline.services.values().filter(counts).count();
            ensure!(
                has_room(n, plan.services_a_month),
                I14,
                "a service was added, and now there are {n} from {month} on, and there is room for {}",
                plan.services_a_month
            );
        }
        Ok(())
    }

    /// Checks that the rows from before a change of plan are there after it.
    pub fn i14_nothing_is_taken_away(&self, before: &BTreeSet<String>) -> Check {
        let rows = &self.now().rows;
        let gone = before.iter().find(|it| !rows.contains_key(*it));
        ensure!(gone.is_none(), I14, "{gone:?} went with a change of plan");
        Ok(())
    }

    /// The business is cleared, as far as these rows are gone by now: nobody's work stays visible.
    pub fn cleared(&mut self, before: &BTreeSet<String>) {
        let rows = &self.timelines.last().unwrap().rows;
        let gone = before.iter().filter(|it| !rows.contains_key(*it));
        self.deletions.extend(gone.filter_map(|it| id_in(it)));
    }

    /// Notes the numbers of all invoices: they stay used, whatever becomes of the invoices.
    pub fn counts_on(&mut self) {
        let timeline = self.timelines.last_mut().unwrap();
        let numbers = timeline.invoices.values().filter_map(|it| it.number);
        timeline.billed = numbers.chain([timeline.billed]).max().unwrap_or_default();
        timeline.came = timeline
            .invoices
            .values()
            .filter_map(|it| it.number)
            .collect();
    }

    /// These rows are to come into the business, or back into it.
    pub fn comes(&mut self, rows: &BTreeMap<String, Value>) {
        self.restorations
            .extend(rows.keys().filter_map(|it| id_in(it)));
        let invoices = rows.iter().filter(|it| it.0.starts_with("invoice/"));
        let numbers = invoices.filter_map(|it| u32::try_from(it.1["number"].as_u64()?).ok());
        let timeline = self.timelines.last_mut().unwrap();
        timeline.came.extend(numbers);
    }

    /// The work that is in the business is this, with nothing left out and nothing beside it.
    pub fn i15_has(&self, expected: &BTreeMap<String, Value>, what: &str) -> Check {
        let found = work_in(&self.now().rows);
        for (key, row) in expected {
            ensure!(
                found.get(key) == Some(row),
                I15,
                "{what}: {key} is {:?} and not {row}",
                found.get(key)
            );
        }
        let more = found.keys().find(|it| !expected.contains_key(*it));
        ensure!(more.is_none(), I15, "{what}: {more:?} is there as well");
        Ok(())
    }

    pub fn i8_no_lost_field_update(&self) -> Check {
        let timeline = self.now();
        let mut parsed: BTreeMap<&str, Value> = BTreeMap::new();
        for ((key, field), expected) in &timeline.words {
            let Some(text) = timeline.rows.get(key) else {
                continue;
            };
            let row = parsed
                .entry(key)
                .or_insert_with(|| serde_json::from_str(text).unwrap());
            let found = &row["d"][field];
            ensure!(
                found == expected,
                I8,
                "{field} of {key} is {found} and was set to {expected}"
            );
        }
        Ok(())
    }

    /// Those of the rows that are shown to this client, as they are; all of them to the sitter.
    fn shown<'a>(
        &self,
        client: Option<Id>,
        rows: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> BTreeMap<&'a str, Cow<'a, str>> {
        let mut views = self.views.borrow_mut();
        let seen = rows.filter_map(|(key, text)| {
            let Some(client) = client else {
                return Some((key, Cow::Borrowed(text)));
            };
            let known = views.entry((client, text.to_owned()));
            let seen = known.or_insert_with_key(|(client, text)| seen_by(*client, text));
            Some((key, Cow::Owned(seen.clone()?)))
        });
        seen.collect()
    }

    /// The confirmed rows on a phone are exactly those of the server at the phone's cursor that are its person's to see.
    pub fn i5_atomic_visibility(&self, before: &Disk, disk: &Disk) -> Check {
        let client = disk.meta.client_id;
        let invariant = client.map_or(I5, |_| P1);
        let cursor = disk.meta.cursor;
        if before.meta.backend_id == disk.meta.backend_id {
            ensure!(
                before.meta.cursor <= cursor,
                I5,
                "the cursor went back from {} to {cursor}",
                before.meta.cursor
            );
        }
        if disk.meta.backend_id.is_none() {
            ensure!(
                disk.base.is_empty(),
                P4,
                "a phone of nobody's has {} rows",
                disk.base.len()
            );
            return Ok(());
        }
        let Some(timeline) = self.known_to(&disk.meta).next() else {
            return Err(Violation {
                invariant,
                text: format!("the phone is at {cursor}, and nobody else has been there"),
            });
        };
        let expected = self.shown(client, timeline.at(cursor).into_iter());
        for (key, text) in &expected {
            let found = disk.base.get(*key);
            ensure!(
                found.is_some_and(|it| it == text),
                invariant,
                "at {cursor} the phone has {found:?} and the server {text}"
            );
        }
        let extra = disk
            .base
            .keys()
            .find(|it| !expected.contains_key(it.as_str()));
        ensure!(
            extra.is_none(),
            invariant,
            "at {cursor} the phone has {}, which the server has not for it",
            extra.unwrap()
        );
        Ok(())
    }

    /// Returns the timelines that a phone knows: several where it knows nothing beyond what a backup had, none where
    /// nobody else has been.
    fn known_to(&self, meta: &Meta) -> impl Iterator<Item = &Timeline> {
        self.timelines.iter().filter(|it| it.is_known_to(meta))
    }

    /// True if a restore took away that the change was ever done, as far as one of these timelines knows.
    fn is_lost<'a>(&self, id: Id, mut here: impl Iterator<Item = &'a Timeline>) -> bool {
        let is_decided = |it: &Timeline| it.decided.contains_key(&id);
        self.timelines.iter().any(is_decided) && here.any(|it| !is_decided(it))
    }

    fn is_refused(&self, id: Id) -> bool {
        self.is_decided_as(OutcomeKind::Rejected, id)
    }

    fn is_decided_as(&self, kind: OutcomeKind, id: Id) -> bool {
        let decided = |it: &Timeline| it.decided.get(&id).is_some_and(|it| it.outcome == kind);
        self.timelines.iter().any(decided)
    }

    /// Checks that changes made on this phone which this tab has shown are still shown, unless they were turned down or
    /// deleted.
    pub fn i10_own_work_stays_visible(&self, tab: &Tab) -> Check {
        let Some(replica) = &tab.replica else {
            return Ok(());
        };
        let (meta, view) = (replica.meta(), replica.business());
        if meta.client_id.is_some_and(|it| view.client(it).is_none()) {
            // Let go, or about to hear of it.
            return Ok(());
        }
        for id in &tab.known {
            let Some((id, intent)) = self.intent_of(*id) else {
                continue;
            };
            for (table, row, builds_on) in creations(&intent.command) {
                let is_deleted = |id: &Id| self.deletions.contains(id);
                // Copies whose time is taken are not made, and that is told; nor are those of what is cancelled, or of pets
                // that are gone by then.
                let is_left_alone = |id| {
                    let Command::CopyServices(command) = &intent.command else {
                        return false;
                    };
                    let copy = command.copies.iter().find(|it| it.id == row);
                    self.is_decided_as(OutcomeKind::Adjusted, id)
                        || copy.is_some_and(|it| has_no_pets(view, it) || is_of_cancelled(view, it))
                };
                // A date that the series does not have any more is nothing to ask for.
                let is_of_no_date = match &intent.command {
                    Command::AskForChange(it) => is_of_no_date(view, &it.change),
                    _ => false,
                };
                let may_be_gone = intent.let_go
                    || is_of_no_date
                    || is_deleted(&row)
                    || self.is_refused(id)
                    || is_left_alone(id)
                    || self.is_lost(id, self.known_to(meta))
                    || builds_on
                        .iter()
                        .any(|(table, id)| is_deleted(id) || !has(view, table, *id));
                ensure!(
                    may_be_gone || has(view, table, row),
                    I10,
                    "phone {} tab does not show {table}/{row} of {id}",
                    intent.phone
                );
            }
        }
        Ok(())
    }

    /// Every change of which the phone had said that it is safe is done, or needs attention, or was dropped there.
    pub fn i1_no_loss(&self, phones: &[Phone]) -> Check {
        for (id, intent) in self.intents.iter().filter(|(_, it)| it.said) {
            let phone = &phones[intent.phone];
            let disk = &phone.disk;
            let invariant = intent.client.map_or(I1, |_| P3);
            let is_alias = |other: &Id| *other == *id || self.aliases.get(other) == Some(id);
            let waits = disk.outbox.values().any(|it| is_alias(&it.mutation.id));
            let needs_attention = disk.attention.keys().chain(&phone.told).any(is_alias);
            let told = needs_attention || intent.resolved;
            ensure!(
                !(waits && told),
                invariant,
                "{id} waits and was told to the person"
            );
            let kinds: Vec<OutcomeKind> = self
                .timelines
                .iter()
                .filter_map(|it| Some(it.decided.get(id)?.outcome))
                .collect();
            if intent.let_go {
                let has_ended = intent.client.is_some_and(|it| self.ended.contains(&it));
                ensure!(
                    told && has_ended,
                    P3,
                    "{id} was told to have gone with an access that never ended"
                );
                continue;
            }
            if told {
                ensure!(
                    !kinds.is_empty(),
                    invariant,
                    "{id} was told to the person, and the server never decided it"
                );
                let is_news = kinds.iter().any(|it| *it != OutcomeKind::Applied);
                ensure!(
                    is_news,
                    I3,
                    "{id} was done as asked and yet told to the person"
                );
            } else if !waits {
                // That something was read is nobody's loss once the access has ended.
                let has_ended = intent.client.is_some_and(|it| self.ended.contains(&it));
                if kinds.is_empty() && has_ended && is_wordless(&intent.command) {
                    continue;
                }
                ensure!(
                    !kinds.is_empty(),
                    invariant,
                    "{id}, save {} of phone {}, is nowhere",
                    intent.n,
                    intent.phone
                );
                let is_lost = self.is_lost(*id, std::iter::once(self.now()));
                ensure!(
                    is_lost || kinds.contains(&OutcomeKind::Applied),
                    invariant,
                    "{id} was {:?} and nobody was told",
                    kinds
                );
                let is_here = intent.database == phone.n_databases
                    && intent.client.is_none_or(|it| !self.ended.contains(&it));
                ensure!(
                    !is_lost || disk.meta.verify || !is_here,
                    invariant,
                    "{id} went with a restore, and its phone has not noticed"
                );
            }
        }
        Ok(())
    }

    /// Every phone tells the same services overdue as a reader of the server's rows with the sitter's clock: a quarter of an
    /// hour after the start of a walk, or of a visit to which the sitter is on the way, and after the end of any other; a
    /// stay from the day after its last one.
    pub fn i16_overdue(
        &self,
        phones: &[Phone],
        seats: &[Seat],
        zone: &TimeZone,
        bug: Option<Bug>,
    ) -> Check {
        const LATE_MINUTES: i64 = 15;
        let services = &self.now().services;
        let is_overdue = |service: &Service, at: Instant| {
            let (today, time) = at.civil(zone);
            let minute_of = |date: Date, minute: i64| date.days_since_epoch() * 1_440 + minute;
            let now = minute_of(today, i64::from(time.minute_of_day()));
            let due = match service.end_date {
                Some(last) => minute_of(last.plus_days(1), 0),
                None => {
                    let expected = service.current_delay().map(|it| it.start_time);
                    let expected =
                        expected.map_or(service.start_time, |it| it.max(service.start_time));
                    let start = minute_of(service.date, i64::from(expected.minute_of_day()));
                    let begun = service
                        .progress
                        .filter(|it| it.step == ProgressStep::Started);
                    let begun = begun.map(|it| it.at.civil(zone));
                    let begun =
                        begun.map(|(date, time)| minute_of(date, i64::from(time.minute_of_day())));
                    let is_noted =
                        service.service_type == ServiceType::Walk || service.progress.is_some();
                    LATE_MINUTES
                        + match begun {
                            // An event that was sent shows that it has begun.
                            None if is_noted && service.live.is_empty() => start,
                            _ => {
                                start.max(begun.unwrap_or(start))
                                    + i64::from(service.duration_minutes)
                            }
                        }
                }
            };
            service.status == ServiceStatus::Scheduled && due <= now
        };
        let dates: BTreeSet<Date> = services.values().map(|it| it.date).collect();
        // A series has many days that are all alike.
        let dates: Vec<Date> = dates.into_iter().take(10).collect();
        // In UTC; each is another hour of the sitter's day.
        let hours = [0, 9, 12, 15, 18, 21];
        let moments = dates.iter().flat_map(|date| {
            hours.map(|hour| Instant((date.days_since_epoch() * 24 + hour) * 3_600_000))
        });
        for at in moments {
            let expected = |client: Option<Id>| -> BTreeSet<Id> {
                let overdue = services.values().filter(|it| is_overdue(it, at));
                let theirs = overdue.filter(|it| client.is_none_or(|id| it.client_id == id));
                theirs.map(|it| it.id).collect()
            };
            for (n, phone) in phones.iter().enumerate() {
                if phone.parent.is_some_and(|it| seats[it].link.is_none()) {
                    continue;
                }
                let client = phone.disk.meta.client_id;
                for replica in phone.tabs.iter().filter_map(|it| it.replica.as_ref()) {
                    let mut now = replica.now(at);
                    if bug == Some(Bug::OverdueElsewhere) {
                        now.zone = TimeZone::UTC;
                    }
                    let query = ServiceQuery {
                        overdue: true,
                        limit: u32::MAX,
                        ..ServiceQuery::default()
                    };
                    let told = services_of(replica.business(), &query, &now).services;
                    let told: BTreeSet<Id> = told.iter().map(|it| it.service.id).collect();
                    ensure!(
                        told == expected(client),
                        I16,
                        "phone {n} tells {told:?} overdue at {at}, and not {:?}",
                        expected(client)
                    );
                }
            }
        }
        Ok(())
    }

    /// After some quiet time with a network nothing waits, and all phones show what the server has.
    pub fn i4_convergence(&self, phones: &[Phone], seats: &[Seat]) -> Check {
        for (n, phone) in phones.iter().enumerate() {
            let disk = &phone.disk;
            let seat = phone.parent.map(|it| &seats[it]);
            let waiting = disk.outbox.values().next();
            ensure!(
                waiting.is_none(),
                I4,
                "phone {n} still waits with {:?}",
                waiting.map(|it| (it.mutation.seq, it.mutation.id))
            );
            if let Some(seat) = seat {
                seat.p4_has_what_it_may(disk)?;
                if seat.link.is_none() {
                    continue;
                }
            }
            let rows = self.now().rows.iter();
            let client = disk.meta.client_id;
            let expected_rows =
                self.shown(client, rows.map(|(key, it)| (key.as_str(), it.as_str())));
            ensure!(
                disk.meta.cursor == self.now().cursor,
                I4,
                "phone {n} is at {}, the server at {}",
                disk.meta.cursor,
                self.now().cursor
            );
            for (key, text) in &expected_rows {
                ensure!(
                    disk.base.get(*key).is_some_and(|it| it == text),
                    I4,
                    "phone {n} has {:?}, the server {text}",
                    disk.base.get(*key)
                );
            }
            ensure!(
                disk.base.len() == expected_rows.len(),
                I4,
                "phone {n} has rows that the server has not"
            );
            let expected = disk.load();
            for (tab, it) in phone.tabs.iter().enumerate() {
                let Some(replica) = &it.replica else { continue };
                ensure!(
                    replica.outbox().is_empty(),
                    I4,
                    "phone {n} tab {tab} shows something that waits"
                );
                ensure!(
                    replica.business() == expected.business(),
                    I4,
                    "phone {n} tab {tab} does not show what is confirmed"
                );
            }
        }
        Ok(())
    }
}

/// The visits that a series has up to a day, by looking at each day.
fn visits_of(series: &Series, last: Date) -> Vec<SeriesDate> {
    let mut visits = Vec::new();
    let mut n = 0;
    let mut day = series.begins();
    while day <= last {
        let phase = series.phases.iter().rev().find(|it| it.from <= day);
        let phase = phase.filter(|it| falls_on(&it.rule, it.anchor, day));
        let mut slots = phase.map(|it| it.slots.clone()).unwrap_or_default();
        slots.sort_by_key(|it| (it.start_time, it.id));
        if let Some(trip) = &series.trip {
            let place = |id: Option<Id>| slots.iter().position(|it| Some(it.id) == id);
            let (first, last) = (place(trip.first_slot), place(trip.last_slot));
            if (series.end == SeriesEnd::On { date: day })
                && let Some(last) = last
            {
                slots.truncate(last + 1);
            }
            if day == series.begins()
                && let Some(first) = first
            {
                slots.drain(..first.min(slots.len()));
            }
        }
        for slot in slots {
            n += 1;
            let visit = SeriesDate {
                date: day,
                slot: slot.id,
            };
            let is_over = match series.end {
                SeriesEnd::Never => false,
                SeriesEnd::On { date } => date < day,
                SeriesEnd::After { visits } => visits < n,
            };
            let is_paused = series
                .pauses
                .iter()
                .any(|it| it.from <= day && day <= it.to);
            if !is_over && !is_paused && !series.left_out.contains(&visit) {
                visits.push(visit);
            }
        }
        day = day.plus_days(1);
    }
    visits
}

fn falls_on(rule: &SeriesRule, anchor: Date, day: Date) -> bool {
    let days = day.days_since_epoch() - anchor.days_since_epoch();
    let weekday = u32::from(day.day_of_week());
    let number = u32::try_from(day.parts().2).unwrap();
    let ends_month = day.plus_days(1).parts().1 != day.parts().1;
    if days < 0 {
        return false;
    }
    match rule {
        SeriesRule::Weekly { every, weekdays } => {
            let weeks = (days + i64::from(anchor.day_of_week())) / 7;
            weekdays.contains(&weekday) && weeks % i64::from(*every) == 0
        }
        SeriesRule::Daily { every } => days % i64::from(*every) == 0,
        SeriesRule::Monthly { day } => number == *day || (ends_month && number < *day),
        SeriesRule::MonthlyWeekday {
            nth: 5,
            weekday: of,
        } => weekday == *of && day.plus_days(7).parts().1 != day.parts().1,
        SeriesRule::MonthlyWeekday { nth, weekday: of } => {
            weekday == *of && (number - 1) / 7 + 1 == *nth
        }
    }
}

/// A service that is done, billed or paid is as it was before a change of its series.
fn i21_done_stays(timeline: &Timeline, id: Id, after: Option<&Service>) -> Check {
    let before = timeline.services.get(&id).filter(|it| is_fixed(it));
    let Some(before) = before else { return Ok(()) };
    ensure!(
        after == Some(before),
        I21,
        "{id} was {before:?} and is {after:?}"
    );
    Ok(())
}

fn i19_dead_stays_dead(timeline: &Timeline, service: &Service) -> Check {
    let is_back = match timeline.dead.get(&service.id) {
        Some(true) => true,
        Some(false) => service.status == ServiceStatus::Scheduled,
        None => false,
    };
    ensure!(
        !is_back || service.series_id.is_none(),
        I19,
        "{} was deleted or cancelled and is back: {service:?}",
        service.id
    );
    Ok(())
}

fn id_in(key: &str) -> Option<Id> {
    key.split_once('/')?.1.parse().ok()
}

/// The rows of a business's work as an archive has them: without who is linked and under which address pages are.
pub fn work_in(rows: &BTreeMap<String, String>) -> BTreeMap<String, Value> {
    let is_work = |it: &(&String, &String)| {
        !it.0.starts_with("sitter/") && !it.0.starts_with("availability_config/")
    };
    let row = |(key, text): (&String, &String)| {
        let mut row: Value = serde_json::from_str(text).unwrap();
        let fields = row["d"].as_object_mut().unwrap();
        for field in [
            "client_user_id",
            "parents",
            "asked_by",
            "share_id",
            "shareId",
            // A pet parent may leave meanwhile, which ends these.
            "parent_left_at",
            "books_at_once",
            "how_to_get_in",
        ] {
            fields.remove(field);
        }
        let changes = fields.get_mut("parent_changes");
        for change in changes.and_then(Value::as_array_mut).into_iter().flatten() {
            change.as_object_mut().unwrap().remove("by");
        }
        (key.clone(), row["d"].take())
    };
    rows.iter().filter(is_work).map(row).collect()
}

/// True if the row that the command was about, or the one in its way, is deleted since.
fn is_without_words(was: Option<&Refusal>, is: Option<&Refusal>) -> bool {
    match (was, is) {
        (Some(_), Some(Refusal::Gone)) => true,
        (Some(Refusal::Conflict { .. }), Some(Refusal::Conflict { with, free, .. })) => {
            with.is_empty() && free.is_empty()
        }
        _ => false,
    }
}

/// Builds that do not know some refusals are told others in their place.
fn is_same_refusal(one: Option<&Refusal>, other: Option<&Refusal>) -> bool {
    let is_for_older = |new: Option<&Refusal>, old: Option<&Refusal>| {
        matches!(
            new,
            Some(
                Refusal::Failed
                    | Refusal::ChangedMeanwhile { .. }
                    | Refusal::AlreadyAnswered { .. }
                    | Refusal::LimitReached { .. }
                    | Refusal::TooSoon { .. }
                    | Refusal::TooFar { .. }
                    | Refusal::OutsideHours { .. }
                    | Refusal::BetweenStarts { .. }
            )
        ) && matches!(old, Some(Refusal::Invalid { fields }) if fields.len() == 1)
    };
    one == other || is_for_older(one, other) || is_for_older(other, one)
}

fn i7_deleted_stays_deleted(
    timeline: &Timeline,
    restorations: &BTreeSet<Id>,
    key: &str,
    id: Id,
    is_first: bool,
) -> Check {
    // The first reading after a restore shows the backup, in which what was deleted later is still there.
    let is_back = timeline.gone.contains_key(key) && !is_first;
    ensure!(
        !is_back || restorations.contains(&id),
        I7,
        "{key} was deleted and is back"
    );
    Ok(())
}

/// Checks that what an invoice bills stays as it was shared.
fn i11_is_kept(before: Option<Invoice>, timeline: &Timeline) -> Check {
    let Some(before) = before else {
        return Ok(());
    };
    let now = &timeline.invoices[&before.id];
    ensure!(
        (now.number, now.total, &now.services_data, &now.share_id)
            == (
                before.number,
                before.total,
                &before.services_data,
                &before.share_id
            ),
        I11,
        "{} was rewritten",
        before.id
    );
    Ok(())
}

fn i2_exactly_once(timeline: &Timeline, id: Id, outcome: &Outcome) -> Check {
    let known = timeline.decided.get(&id).map(|it| it.rev);
    ensure!(
        known.is_none(),
        I2,
        "{id} was decided at {} and again at {}",
        known.unwrap(),
        outcome.rev
    );
    Ok(())
}

fn i3_order(timeline: &mut Timeline, phone: usize, n: u64) -> Check {
    let last = timeline.last_n.insert(phone, n).unwrap_or(0);
    ensure!(
        last < n,
        I3,
        "save {n} of phone {phone} was decided after its save {last}"
    );
    Ok(())
}

/// A tab that has heard everything shows as waiting what waits on the disk, and as needing attention what needs it.
pub fn i4_waiting_is_what_waits(disk: &Disk, tab: &Tab) -> Check {
    let Some(replica) = &tab.replica else {
        return Ok(());
    };
    let (numbered, waited) = &tab.loaded;
    let late = replica
        .outbox()
        .iter()
        .find(|it| it.mutation.seq <= *numbered && !waited.contains(&it.mutation.id));
    ensure!(
        late.is_none(),
        I4,
        "a tab shows as waiting {:?}, which had left the outbox before it was loaded",
        late.map(|it| it.mutation.id)
    );
    if 0 < tab.unheard || tab.is_uninformed {
        return Ok(());
    }
    let shown = replica.outbox().iter().map(|it| it.mutation.id);
    let waits = disk.outbox.values().map(|it| it.mutation.id);
    ensure!(
        shown.clone().eq(waits.clone()),
        I4,
        "a tab shows as waiting {:?}, and on the disk is {:?}",
        shown.collect::<Vec<_>>(),
        waits.collect::<Vec<_>>()
    );
    let attention = replica.attention().iter().map(|it| it.entry.mutation.id);
    let shown: BTreeSet<Id> = attention.collect();
    ensure!(
        shown.iter().eq(disk.attention.keys()),
        I4,
        "a tab shows {shown:?} as needing attention, and on the disk is {:?}",
        disk.attention.keys()
    );
    Ok(())
}

/// An expired sign-in takes nothing of a person's away.
pub fn i13_expired_sign_in_takes_nothing_away(before: &Disk, disk: &Disk) -> Check {
    let is_kept = before.outbox.keys().eq(disk.outbox.keys())
        && before.attention.keys().eq(disk.attention.keys())
        && before.drafts == disk.drafts
        && before.photos.keys().eq(disk.photos.keys());
    ensure!(
        is_kept,
        I13,
        "{} changes waited before, {} after",
        before.outbox.len(),
        disk.outbox.len()
    );
    Ok(())
}

/// Returns true if all pets of a copy's original are gone by its day.
fn has_no_pets(view: &Business, copy: &ServiceCopy) -> bool {
    let stays = |id: &Id| {
        let pet = view.pet(*id);
        pet.is_some_and(|it| it.gone_on.is_none_or(|gone| copy.date < gone))
    };
    let original = view.service(copy.original);
    original.is_some_and(|it| !it.dog_ids.iter().any(stays))
}

fn is_of_no_date(view: &Business, change: &RequestSubject) -> bool {
    let RequestSubject::LeaveOutDate {
        series_id,
        date,
        slot,
    } = change
    else {
        return false;
    };
    view.series.get(series_id).is_some_and(|it| {
        let mut planned = planned_between(&it.row, *date, *date);
        !planned.any(|it| slot.is_none_or(|slot| it.slot.id == slot))
    })
}

fn is_of_cancelled(view: &Business, copy: &ServiceCopy) -> bool {
    let original = view.service(copy.original);
    original.is_some_and(|it| it.status == ServiceStatus::Cancelled)
}

fn has(view: &Business, table: &str, id: Id) -> bool {
    TableName::parse(table).is_some_and(|table| view.get(RowKey { table, id }).is_some())
}
