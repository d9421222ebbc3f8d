//! Owns the composing of push notifications from the table in `values::push`: text, topic and the place in the app that a
//! tap opens. Lock screens are read by anybody: nothing here says an address, a code, or what somebody wrote.

use base64ct::{Base64UrlUnpadded, Encoding as _};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::rows::service::{Service, ServiceType};
use crate::rows::sitter::Sitter;
use crate::rows::walk_request::{RequestSubject, WalkRequest};
use crate::values::format;
use crate::values::push::{EventMail, PushKind};
use crate::values::report_kind::ReportKind;
use crate::values::units::HourCycle;
use crate::{Date, Id, Time};

/// Something that somebody is to be told of, without a word that anybody typed: names are looked up when it is sent, but
/// for that of a business that is gone by then.
///
/// Stored while it waits. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// Kind of the notice.
    pub kind: PushKind,
    /// The business's id.
    pub sitter_id: Id,
    /// The client's id.
    pub client_id: Id,
    /// The request, service, report, conversation or invoice.
    pub about: Id,
    /// The service that it is about, or that is asked for.
    #[serde(default)]
    pub appointment: Option<Appointment>,
    /// True for a reminder of something that the person was told of before, such as an unpaid invoice.
    #[serde(default)]
    pub is_reminder: bool,
    /// True if the thing told of was taken back since: the notification replaces the one that told of it.
    #[serde(default)]
    pub is_withdrawn: bool,
    /// True if a card payment was given back; false for one that has not come at all.
    #[serde(default)]
    pub is_refund: bool,
    /// Kind of the request that it is about; `Series` for several visits that the sitter has booked at once.
    #[serde(default)]
    pub asks: RequestKind,
    /// True for a later start of today, which `appointment` says; `is_withdrawn` with it for one that was taken back.
    #[serde(default)]
    pub is_delay: bool,
    /// Counts of a day of billing; such a notice names no client.
    #[serde(default)]
    pub bills: Option<BillCounts>,
    /// Name of a business that was deleted, and whose rows are gone when this is sent.
    #[serde(default)]
    pub gone_business: Option<String>,
    /// Id shared by visits that were booked at once, without asking.
    #[serde(default)]
    pub group_id: Option<Id>,
    /// True for a cancellation of a visit that is under way: its client has heard of more than the booking.
    #[serde(default)]
    pub is_under_way: bool,
    /// True for a pet parent who left a household of which others stay.
    #[serde(default)]
    pub others_stay: bool,
    /// Details of a visit that have changed.
    #[serde(default)]
    pub changed: ChangedDetails,
    /// Marks of the details as the client knew them before they changed; what has changed is found out when it is told.
    #[serde(default)]
    pub former: Option<DetailMarks>,
    /// Ids of the first other visits to which the same act did the same, by date and start.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Id>,
    /// Marks of the details of those visits as the client knew them; empty where their details are not what is told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub formers: Vec<DetailMarks>,
}

/// The most other visits that a notice names.
pub const OTHERS_NAMED: usize = 50;

/// Words for so many other visits; of as many as a notice names there may be more.
fn other_visits(n: usize) -> String {
    match n {
        1 => "1 other visit".to_owned(),
        n if n < OTHERS_NAMED => format!("{n} other visits"),
        _ => format!("{OTHERS_NAMED} or more other visits"),
    }
}

impl Notice {
    /// A notice of this kind about a row of a client, with nothing more to say.
    pub const fn of(kind: PushKind, sitter_id: Id, client_id: Id, about: Id) -> Self {
        Self {
            kind,
            sitter_id,
            client_id,
            about,
            appointment: None,
            is_reminder: false,
            is_withdrawn: false,
            is_refund: false,
            asks: RequestKind::Visit,
            is_delay: false,
            bills: None,
            gone_business: None,
            group_id: None,
            is_under_way: false,
            others_stay: false,
            changed: ChangedDetails::NONE,
            former: None,
            others: Vec::new(),
            formers: Vec::new(),
        }
    }
}

/// Marks of the details of a visit: short hashes, equal where the details are. They hide nothing from whoever tries values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DetailMarks {
    /// Mark of the service.
    service: u64,
    /// Mark of the price.
    price: u64,
    /// Mark of the pets.
    pets: u64,
    /// Mark of the notes.
    notes: u64,
}

impl From<&Service> for DetailMarks {
    fn from(service: &Service) -> Self {
        let kind = (service.service_type, service.offering_id);
        Self {
            service: mark(&format!("{kind:?}")),
            price: mark(&format!("{:?}", service.price)),
            pets: mark(&format!("{:?}", service.dog_ids)),
            notes: mark(&service.notes),
        }
    }
}

/// The FNV-1a hash of a text: the same in each process that sends what another one has queued.
fn mark(text: &str) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    text.as_bytes().iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// Details of a visit that are changed at the same time as before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedDetails {
    /// True for another service.
    pub service: bool,
    /// True for another price.
    pub price: bool,
    /// True for other pets.
    pub pets: bool,
    /// True for other notes.
    pub notes: bool,
}

impl ChangedDetails {
    const NONE: Self = Self {
        service: false,
        price: false,
        pets: false,
        notes: false,
    };

    /// Compares a visit as its client knew it with what it is, by what the client reads; `None` where nothing has changed.
    pub fn since(former: DetailMarks, service: &Service) -> Option<Self> {
        let now = DetailMarks::from(service);
        let changed = Self {
            service: former.service != now.service,
            price: former.price != now.price,
            pets: former.pets != now.pets,
            notes: former.notes != now.notes,
        };
        (changed != Self::NONE).then_some(changed)
    }

    /// The sentence of a notification: `The price of your {visit}{on} has changed`. Another service is told without a list:
    /// its price and its pets come with it.
    fn sentence(self) -> Option<&'static str> {
        let Self {
            service,
            price,
            pets,
            notes,
        } = self;
        match (service, price, pets, notes) {
            (false, true, false, false) => Some("The price of your {visit}{on} has changed"),
            (false, false, true, false) => Some("The pets of your {visit}{on} have changed"),
            (false, false, false, true) => Some("The notes on your {visit}{on} have changed"),
            (false, true, true, false) => {
                Some("The pets and the price of your {visit}{on} have changed")
            }
            _ => None,
        }
    }
}

/// Counts of a day of billing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BillCounts {
    /// Invoices that were shared.
    pub shared: u32,
    /// Invoices that wait for a look.
    pub waiting: u32,
    /// Clients with something in the way of an invoice.
    pub left: u32,
}

impl BillCounts {
    /// `3 invoices were shared. 1 client needs a look`; empty where there is nothing to tell.
    pub fn words(self) -> String {
        let counted = |n: u32, one: &str, many: &str| match n {
            0 => None,
            1 => Some(["1 ", one].concat()),
            _ => Some(format!("{n} {many}")),
        };
        let parts = [
            counted(self.shared, "invoice was shared", "invoices were shared"),
            counted(
                self.waiting,
                "invoice is ready for a look",
                "invoices are ready for a look",
            ),
            counted(self.left, "client needs a look", "clients need a look"),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        parts.join(". ")
    }
}

/// The sender of a notice that no client is the cause of.
pub const OF_NO_CLIENT: &str = "Walkies";

/// Kind of a request, as far as a notification says it.
///
/// Stored by name. Only add variants; never rename.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestKind {
    /// One visit; the default.
    #[default]
    Visit,
    /// A date of a series is to be left out.
    LeaveOut,
    /// A series is to be paused.
    Pause,
    /// A service is to be cancelled.
    Cancel,
    /// A visit is to move to another time.
    Move,
    /// A visit that repeats.
    Series,
}

impl From<&WalkRequest> for RequestKind {
    fn from(request: &WalkRequest) -> Self {
        match request.subject {
            None => Self::Visit,
            Some(RequestSubject::LeaveOutDate { .. }) => Self::LeaveOut,
            Some(RequestSubject::PauseSeries { .. }) => Self::Pause,
            Some(RequestSubject::CancelService { .. }) => Self::Cancel,
            Some(RequestSubject::MoveService { .. }) => Self::Move,
            Some(RequestSubject::Series { .. }) => Self::Series,
        }
    }
}

/// The sentence about a request that asks for something else than one visit, or about several visits that the sitter has
/// booked; `None` for one visit, and for a notice of something else.
const fn about_request(notice: &Notice) -> Option<&'static str> {
    use PushKind::{NewRequest, RequestApproved, RequestDeclined, VisitBooked};
    use RequestKind::{Cancel, LeaveOut, Move, Pause, Series, Visit};
    let is_stay = match notice.appointment {
        Some(it) => it.is_stay,
        None => false,
    };
    Some(match (notice.kind, notice.asks) {
        (_, Visit) => return None,
        (NewRequest, _) if notice.is_withdrawn => "Took back a request",
        (NewRequest, LeaveOut) => "Asks to leave out the {visit}{on}",
        (NewRequest, Pause) => "Asks for a pause",
        (NewRequest, Cancel) => "Asks to cancel the {visit}{on}",
        (NewRequest, Move) if is_stay => "Asks to move the {visit} to other days",
        (NewRequest, Move) => "Asks to move the {visit} to another time",
        (NewRequest, Series) => "Asks for a {visit} that repeats",
        (RequestApproved, _) if notice.is_withdrawn => "Your request waits for an answer again",
        (RequestApproved, LeaveOut) => "Agreed to leave out your {visit}{on}",
        (RequestApproved, Pause) => "Agreed to pause your visits",
        (RequestApproved, Cancel) => "Agreed to cancel your {visit}{on}",
        (RequestApproved, Move) if is_stay => {
            "Agreed to move your {visit} to the days that you asked for"
        }
        (RequestApproved, Move) => "Agreed to move your {visit} to the time that you asked for",
        (RequestApproved, Series) => "Agreed to the {visit} that repeats",
        (RequestDeclined, LeaveOut) => "Your request to leave out the {visit}{on} was declined",
        (RequestDeclined, Pause) => "Your request for a pause was declined",
        (RequestDeclined, Cancel) => "Your request to cancel the {visit}{on} was declined",
        (RequestDeclined, Move) => "Your request to move a {visit} was declined",
        (RequestDeclined, Series) => "Your request for a {visit} that repeats was declined",
        (VisitBooked, Series) => "Your visits are booked, the first{on}",
        _ => return None,
    })
}

/// A service, as far as a notification says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Appointment {
    /// Walk or drop-in.
    pub service_type: ServiceType,
    /// True if it lasts for days.
    #[serde(default)]
    pub is_stay: bool,
    /// Its first day.
    pub date: Date,
    /// When it begins.
    pub start_time: Time,
    /// Earliest and latest start that were agreed with the client in place of a fixed one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<(Time, Time)>,
}

impl From<&Service> for Appointment {
    fn from(service: &Service) -> Self {
        Self {
            service_type: service.service_type,
            is_stay: service.end_date.is_some(),
            date: service.date,
            start_time: service.start_time,
            window: service.window(),
        }
    }
}

impl From<&WalkRequest> for Appointment {
    fn from(request: &WalkRequest) -> Self {
        Self {
            service_type: request.service_type,
            is_stay: request.requested_end_date.is_some(),
            date: request.requested_date,
            start_time: request.requested_start_time,
            window: None,
        }
    }
}

impl Appointment {
    /// Returns true if the service is at the time that was agreed: on the same day, within a window that is the same or at
    /// the same start.
    pub fn is_at_time_of(self, service: &Service) -> bool {
        let now = Self::from(service);
        let is_in_window = self.window.is_some() && self.window == now.window;
        self.date == now.date && (is_in_window || self.start_time == now.start_time)
    }

    /// As it stands in a sentence: `walk`.
    const fn word(self) -> &'static str {
        match self.service_type {
            _ if self.is_stay => "stay",
            ServiceType::Walk => "walk",
            ServiceType::Dropin => "drop-in visit",
        }
    }

    /// `Friday, November 20 at 9:30 AM`, and with a window `Friday, November 20 between 11:00 AM and 2:00 PM`.
    fn time(self, cycle: HourCycle) -> String {
        [&format::date_heading(self.date), " ", &self.clock(cycle)].concat()
    }

    /// `at 9:30 AM`, and with a window `between 11:00 AM and 2:00 PM`.
    fn clock(self, cycle: HourCycle) -> String {
        let time = |it| format::time(it, cycle);
        match self.window {
            Some((from, to)) => format!("between {} and {}", time(from), time(to)),
            None => ["at ", &time(self.start_time)].concat(),
        }
    }
}

/// The receiver of a notification, by the phone's owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recipient {
    /// The phone of the sitter.
    Sitter,
    /// A client user's.
    Client,
}

/// Content of a notification, and the place in the app that a tap on it opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notification {
    /// Name of the sender.
    pub title: String,
    /// Text of one sentence.
    pub body: String,
    /// The place in the app, which the phone has offline.
    pub path: String,
    /// True if it makes no sound: it only takes the place of one that is no longer true.
    pub is_silent: bool,
}

/// Returns for how many seconds it is worth telling.
pub const fn ttl_seconds(kind: PushKind) -> u32 {
    kind.facts().ttl_seconds
}

/// Returns for how many milliseconds a notice waits for more of its topic: who writes three lines, or asks for three
/// dates, is told of once, and what is read meanwhile in an open app is not told at all. No client can have a sitter told
/// more often.
pub const fn settles_ms(kind: PushKind) -> i64 {
    kind.facts().settles_ms
}

/// Returns the topic, by which a notification replaces an earlier one: 32 characters of base64url, the longest that RFC
/// 8030 (5.4) allows. Notices about the same row of the same business share a topic, so that of two changes the last
/// one is shown; all requests of one client share one, all payments, and all visits that were booked at once.
pub fn topic(notice: &Notice) -> String {
    // Phones make ids, so that two businesses may have the same one. What is random of the business's tells them apart.
    let business = notice.sitter_id.0.as_bytes().iter().skip(9);
    let about = match notice.kind {
        PushKind::NewRequest | PushKind::PaymentRecorded => notice.client_id,
        PushKind::ClientBooked if !notice.is_withdrawn => notice.group_id.unwrap_or(notice.about),
        _ => notice.about,
    };
    // What is told of several visits is replaced by what is told of the same ones alone: nobody else tells of the others.
    let noun = notice.kind.facts().noun;
    let is_change = matches!(
        notice.kind,
        PushKind::ServiceChanged | PushKind::DetailsChanged | PushKind::ServiceCancelled
    );
    let (noun, about) = match is_change && !notice.others.is_empty() {
        true => (noun.to_ascii_uppercase(), all_of(about, &notice.others)),
        false => (noun, *about.0.as_bytes()),
    };
    let mut bytes = vec![noun];
    bytes.extend(about);
    bytes.extend(business);
    Base64UrlUnpadded::encode_string(&bytes)
}

/// Returns bytes that are the same for the same visits, in any order.
fn all_of(first: Id, others: &[Id]) -> [u8; 16] {
    let mut bytes = *first.0.as_bytes();
    for other in others {
        for (byte, with) in bytes.iter_mut().zip(other.0.as_bytes()) {
            *byte ^= with;
        }
    }
    bytes
}

/// Returns the topic of the notice that told of several visits, of which this one takes one back; `None` for another notice.
/// While that one waits nobody has heard of them, and it says what is left of them.
pub fn topic_of_several(notice: &Notice) -> Option<String> {
    let is_one = notice.kind == PushKind::ClientBooked && notice.is_withdrawn;
    let told = Notice {
        is_withdrawn: false,
        ..notice.clone()
    };
    notice.group_id.filter(|_| is_one).map(|_| topic(&told))
}

/// Fate of a notice that waits when a newer one of its topic comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// The newer one takes its place.
    Goes,
    /// It stays, and the newer one is not told: once it is untrue it is dropped, and otherwise it opens what the newer one
    /// would open.
    Stays,
    /// It stays if it tells of a booking or of another time, and says what is so by then: with all that has changed since
    /// its reader last heard of the visit.
    StaysIfTime,
    /// It stays if it tells of a booking: nobody is to hear of the end of what they have never heard of. So does what takes
    /// back what its reader has heard before and is told anew: it says by then which of the two holds.
    StaysIfTakenBack,
    /// It stays, and says all that has changed by then; unless it is of details and on its way to its reader just now.
    StaysUnlessSent,
}

/// Returns what becomes of a notice of the same topic that waits.
pub const fn waiting_at(notice: &Notice) -> Waiting {
    match notice.kind {
        _ if notice.is_withdrawn => Waiting::Stays,
        PushKind::DetailsChanged => Waiting::StaysUnlessSent,
        PushKind::RequestApproved => Waiting::StaysIfTakenBack,
        PushKind::ServiceCancelled if !notice.is_under_way => Waiting::StaysIfTakenBack,
        PushKind::ServiceChanged if !notice.is_delay => Waiting::StaysIfTime,
        _ => Waiting::Goes,
    }
}

/// Returns true if people are mailed of a notice. Mail that gathers words of people says what is there, and not what is
/// there no more.
pub fn is_mailed(notice: &Notice) -> bool {
    let is_gathered = notice.kind.facts().mail == EventMail::Gathered;
    notice.kind.is_mailed() && !(is_gathered && notice.is_withdrawn)
}

/// Returns true if a client without a login is mailed of a notice. A later start is told by the words that the sitter passes
/// on.
pub const fn is_mailed_without_login(notice: &Notice) -> bool {
    notice.kind.facts().mails_without_login && !notice.is_delay
}

/// A visit that is booked, as a mail lists it: `Friday, November 20 at 9:30 AM: walk`. Where a window was agreed, the client
/// reads that in place of the start.
pub fn booked_visit(service: &Service, cycle: HourCycle) -> String {
    let visit = Appointment::from(service);
    let (time, word) = (visit.time(cycle), visit.word());
    match service.end_date {
        Some(last) => format!("{time} to {}: {word}", format::date_heading(last)),
        None => format!("{time}: {word}"),
    }
}

/// The characters of a name on a lock screen; of a longer one the beginning.
const NAME_CHARS: usize = 60;

fn cut(name: &str) -> String {
    if name.chars().nth(NAME_CHARS).is_none() {
        return name.to_owned();
    }
    let mut cut: String = name.chars().take(NAME_CHARS - 1).collect();
    cut.push('…');
    cut
}

/// Facts about a notice that are looked up when it is sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Current {
    /// How many of the client's requests wait.
    pub waiting_requests: usize,
    /// True if one of them asks for something else than one visit.
    pub asks_for_more: bool,
    /// The service that was made of an approved request.
    pub service_id: Option<Id>,
    /// The secret of a report's address.
    pub share_id: Option<String>,
    /// Number of further visits that are booked and were asked for at once with this one.
    pub more_booked: usize,
    /// Number of the notice's other visits of which it is still true.
    pub n_others: usize,
    /// Occasion that the report tells of.
    pub report: ReportKind,
    /// True if a visit that is overdue waits for its start and not for its completion.
    pub is_not_started: bool,
    /// Number of the invoice, as its client reads it; empty for one without a number.
    pub invoice_number: String,
}

/// Composes the notification for its reader, as things are by now; `None` if such a reader gets none of this kind.
pub fn notification(
    notice: &Notice,
    recipient: Recipient,
    sitter: &Sitter,
    client_name: &str,
    current: &Current,
) -> Option<Notification> {
    let facts = notice.kind.facts();
    let (from, texts) = match recipient {
        Recipient::Client => (sitter.shown_name(), facts.to_client?),
        Recipient::Sitter => (client_name, facts.to_sitter?),
    };
    let about_request = about_request(notice);
    let sentence = match (notice.kind, current.waiting_requests, about_request) {
        (PushKind::NewRequest, 2.., _) if current.asks_for_more => "Waits for {count} answers",
        (PushKind::NewRequest, 2.., _) => "Asks for {count} visits",
        (PushKind::ServiceChanged, _, _) if notice.is_delay && notice.is_withdrawn => {
            "Your {visit} takes place{on}, as planned"
        }
        (_, _, Some(sentence)) => sentence,
        (PushKind::ServiceCancelled, _, _) if 0 < current.n_others && notice.is_withdrawn => {
            "Your {visit}{on} and {others} take place after all"
        }
        (PushKind::ServiceCancelled, _, _) if 0 < current.n_others => {
            "Your {visit}{on} and {others} were cancelled"
        }
        (PushKind::ServiceChanged, _, _) if 0 < current.n_others => {
            "Your {visit} is now{on}, and the time of {others} has changed, too"
        }
        (PushKind::ServiceChanged, _, _) if notice.changed.price && !notice.is_delay => {
            "Your {visit} is now{on}, at another price"
        }
        (PushKind::ServiceChanged, _, _)
            if notice.changed != ChangedDetails::NONE && !notice.is_delay =>
        {
            "Your {visit} is now{on}, and its details have changed, too"
        }
        (PushKind::DetailsChanged, _, _) if 0 < current.n_others => {
            "Details of your {visit}{on} and {others} have changed"
        }
        (PushKind::RequestApproved, _, _) if 0 < current.more_booked && !notice.is_withdrawn => {
            "Your {visit}{on} and {more} more are booked"
        }
        (PushKind::ClientBooked, _, _) if 0 < current.more_booked => match recipient {
            Recipient::Sitter => "Booked a {visit}{on} and {more} more",
            Recipient::Client => "Your {visit}{on} and {more} more are booked",
        },
        _ if notice.is_withdrawn => facts.withdrawn,
        (PushKind::DetailsChanged, _, _) => notice.changed.sentence().unwrap_or(texts.says),
        (PushKind::ReportReady, _, _) if current.report == ReportKind::Visit => {
            "The report of your visit is ready"
        }
        (PushKind::ReportReady, _, _) if current.report == ReportKind::Day => {
            "The report of a day of your stay is ready"
        }
        (PushKind::VisitOverdue, _, _) if current.is_not_started => "Not started yet: {visit}{on}",
        (PushKind::Invoice, _, _) if notice.is_reminder && current.invoice_number.is_empty() => {
            "Reminder: you have an unpaid invoice"
        }
        (PushKind::Invoice, _, _) if notice.is_reminder => "Reminder: invoice {number} is unpaid",
        (PushKind::AccessEnded, _, _) if notice.gone_business.is_some() => {
            "Left Walkies. Ask about visits that you have booked."
        }
        (PushKind::ParentLeft, _, _) if notice.others_stay => {
            "One person of this household left your portal"
        }
        (PushKind::CardPaymentLost, _, _) if notice.is_refund => "Money was given back by card",
        (PushKind::ServiceChanged, _, _) if notice.is_delay => {
            "Your {visit} is expected around {time}"
        }
        _ => texts.says,
    };
    // A window is agreed with the client; the sitter has a start on the plan.
    let window = |it: Appointment| it.window.filter(|_| recipient == Recipient::Client);
    let appointment = notice.appointment.map(|it| Appointment {
        window: window(it),
        ..it
    });
    let visit = appointment.map_or("visit", Appointment::word);
    let on = appointment.map(|it| [" on ", &it.time(sitter.hour_cycle)].concat());
    let time = appointment.map(|it| format::time(it.start_time, sitter.hour_cycle));
    let clock = appointment.map(|it| it.clock(sitter.hour_cycle));
    Some(Notification {
        title: cut(from),
        body: sentence
            .replace("{visit}", visit)
            .replace("{time}", &time.unwrap_or_default())
            .replace("{clock}", &clock.unwrap_or_default())
            .replace("{number}", &current.invoice_number)
            .replace("{on}", &on.unwrap_or_default())
            .replace("{count}", &current.waiting_requests.to_string())
            .replace("{more}", &current.more_booked.to_string())
            .replace("{others}", &other_visits(current.n_others))
            .replace("{bills}", &notice.bills.unwrap_or_default().words()),
        path: path(texts.opens, notice, recipient, current),
        is_silent: notice.kind == PushKind::VisitOverdue && notice.is_withdrawn,
    })
}

/// Returns the place that a tap opens. A client user's app may show another sitter, so the address says whose it is.
fn path(opens: &str, notice: &Notice, recipient: Recipient, current: &Current) -> String {
    if let (PushKind::ReportReady, Some(share_id)) = (notice.kind, &current.share_id) {
        return format!("/report/{share_id}");
    }
    let client_id = notice.client_id.to_string();
    let about = match notice.kind {
        // The service that was made of the request.
        PushKind::RequestApproved => current.service_id,
        _ => Some(notice.about),
    };
    let fill = |about: Id| opens.replace("{about}", &about.to_string());
    let place = about.map(fill).unwrap_or_default();
    let place = place.replace("{client}", &client_id);
    match recipient {
        Recipient::Sitter => place,
        Recipient::Client => format!("/client{place}?client_id={client_id}"),
    }
}

/// Returns the message for the push service: a declarative push message, which Safari shows by itself and our service
/// worker everywhere else. `origin` is the server's address, without a slash at its end.
pub fn payload(notification: &Notification, topic: &str, origin: &str) -> String {
    let navigate = [origin, &notification.path].concat();
    let mut shown = json!({
        "title": notification.title,
        "body": notification.body,
        "navigate": navigate,
        // One of the same tag takes the place of the other, also where it comes twice.
        "tag": topic,
        "lang": "en",
    });
    if let Some(shown) = shown.as_object_mut().filter(|_| notification.is_silent) {
        shown.insert("silent".to_owned(), true.into());
    }
    json!({ "web_push": 8030, "notification": shown }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Instant;
    use crate::values::bounds::{NAME, PUSH_PAYLOAD_BYTES};

    fn notice(kind: PushKind) -> Notice {
        Notice {
            appointment: Some(Appointment {
                service_type: ServiceType::Walk,
                is_stay: false,
                date: Date::new(2026, 11, 27).unwrap(),
                start_time: Time::new(9, 30).unwrap(),
                window: None,
            }),
            ..Notice::of(kind, Id::of(7), Id::of(8), Id::of(9))
        }
    }

    fn sitter() -> Sitter {
        let (name, nothing) = ("Mara".to_owned(), String::new());
        Sitter {
            business_name: "Paws & Co".to_owned(),
            ..Sitter::new(Id::of(7), name, nothing.clone(), nothing, Instant(0))
        }
    }

    #[track_caller]
    fn says(kind: PushKind, recipient: Recipient, title: &str, body: &str, path: &str) {
        let said = notification(
            &notice(kind),
            recipient,
            &sitter(),
            "Sam Rivers",
            &Current::default(),
        )
        .unwrap();
        assert_eq!(
            (said.title.as_str(), said.body.as_str(), said.path.as_str()),
            (title, body, path)
        );
    }

    #[test]
    fn one_notice_tells_of_all_that_was_approved_at_once() {
        let said = |more_booked| {
            let current = Current {
                more_booked,
                ..Current::default()
            };
            let notice = notice(PushKind::RequestApproved);
            notification(&notice, Recipient::Client, &sitter(), "", &current).map(|it| it.body)
        };
        let walk = "Your walk on Friday, November 27 at 9:30 AM";
        assert_eq!(said(0).unwrap(), format!("{walk} is booked"));
        assert_eq!(said(2).unwrap(), format!("{walk} and 2 more are booked"));
    }

    #[test]
    fn one_notice_counts_the_other_visits_to_which_the_same_was_done() {
        let said = |kind, is_withdrawn, n_others| {
            let current = Current {
                n_others,
                ..Current::default()
            };
            let notice = Notice {
                is_withdrawn,
                ..notice(kind)
            };
            let said = notification(&notice, Recipient::Client, &sitter(), "", &current);
            said.unwrap().body
        };
        let on = "on Friday, November 27 at 9:30 AM";
        assert_eq!(
            said(PushKind::ServiceCancelled, false, 1),
            format!("Your walk {on} and 1 other visit were cancelled")
        );
        assert_eq!(
            said(PushKind::ServiceCancelled, true, 3),
            format!("Your walk {on} and 3 other visits take place after all")
        );
        assert_eq!(
            said(PushKind::ServiceChanged, false, 2),
            format!("Your walk is now {on}, and the time of 2 other visits has changed, too")
        );
        assert_eq!(
            said(PushKind::DetailsChanged, false, OTHERS_NAMED),
            format!("Details of your walk {on} and 50 or more other visits have changed")
        );
    }

    #[test]
    fn a_client_reads_the_window_that_was_agreed_and_not_the_start_on_the_plan() {
        let service = Service {
            date: Date::new(2026, 11, 27).unwrap(),
            start_time: Time::new(11, 20).unwrap(),
            window_from: Some(Time::hour(11)),
            window_to: Some(Time::hour(14)),
            ..Service::new(Id::of(9), Instant(0))
        };
        let told = Appointment::from(&service);
        let said = |kind, recipient| {
            let notice = Notice {
                appointment: Some(told),
                ..notice(kind)
            };
            let said = notification(&notice, recipient, &sitter(), "Sam", &Current::default());
            said.unwrap().body
        };
        assert!(told.is_at_time_of(&Service {
            start_time: Time::hour(13),
            ..service.clone()
        }));
        assert!(!told.is_at_time_of(&Service {
            start_time: Time::hour(13),
            window_to: Some(Time::hour(15)),
            ..service
        }));
        let between = "Friday, November 27 between 11:00 AM and 2:00 PM";
        assert_eq!(
            said(PushKind::VisitBooked, Recipient::Client),
            format!("Your walk on {between} is booked")
        );
        assert_eq!(
            said(PushKind::VisitOverdue, Recipient::Sitter),
            "Not completed yet: walk on Friday, November 27 at 11:20 AM"
        );
    }

    #[test]
    fn sitters_are_told_what_clients_want() {
        let at = "Friday, November 27 at 9:30 AM";
        let says =
            |kind, body: &str, path: &str| says(kind, Recipient::Sitter, "Sam Rivers", body, path);
        says(
            PushKind::NewRequest,
            &format!("Asks for a walk on {at}"),
            "/requests",
        );
        says(
            PushKind::Message,
            "Sent you a message",
            &format!("/messages/{}", Id::of(8)),
        );
        says(
            PushKind::UpcomingService,
            "Next walk at 9:30 AM",
            &format!("/scheduling?service={}", Id::of(9)),
        );
        let service = format!("/scheduling?service={}", Id::of(9));
        says(
            PushKind::VisitOverdue,
            &format!("Not completed yet: walk on {at}"),
            &service,
        );
        says(
            PushKind::CardPayment,
            "Paid an invoice by card",
            "/invoices?tab=history",
        );
        says(
            PushKind::CardPaymentLost,
            "A payment by card did not come through",
            "/invoices?tab=history",
        );
        says(
            PushKind::ParentLeft,
            "Left your portal",
            &format!("/clients/{}", Id::of(8)),
        );
        let client = format!("/clients/{}", Id::of(8));
        says(PushKind::ParentJoined, "Accepted your invitation", &client);
        says(
            PushKind::DetailsCorrected,
            "Changed details of home or pets",
            &client,
        );
        let refund = Notice {
            is_refund: true,
            is_delay: false,
            bills: None,
            ..notice(PushKind::CardPaymentLost)
        };
        let (sitter, current) = (sitter(), Current::default());
        let overdue = |is_not_started, is_withdrawn| {
            let notice = Notice {
                is_withdrawn,
                ..notice(PushKind::VisitOverdue)
            };
            let current = Current {
                is_not_started,
                ..Current::default()
            };
            let said =
                notification(&notice, Recipient::Sitter, &sitter, "Sam Rivers", &current).unwrap();
            (said.body, said.is_silent)
        };
        assert_eq!(
            overdue(true, false),
            (format!("Not started yet: walk on {at}"), false)
        );
        assert_eq!(
            overdue(false, true),
            (format!("No longer overdue: walk on {at}"), true)
        );
        let said = notification(&refund, Recipient::Sitter, &sitter, "Sam Rivers", &current);
        assert_eq!(said.unwrap().body, "Money was given back by card");
    }

    #[test]
    fn a_day_of_billing_is_told_by_counts_alone() {
        let said = |shared, waiting, left| {
            let bills = BillCounts {
                shared,
                waiting,
                left,
            };
            let notice = Notice {
                bills: Some(bills),
                ..notice(PushKind::BillingDay)
            };
            let current = Current::default();
            let said = notification(
                &notice,
                Recipient::Sitter,
                &sitter(),
                OF_NO_CLIENT,
                &current,
            );
            said.unwrap()
        };
        let all = said(3, 0, 1);
        assert_eq!(all.body, "3 invoices were shared. 1 client needs a look");
        assert_eq!(
            (all.title.as_str(), all.path.as_str()),
            ("Walkies", "/invoices?bill=all")
        );
        assert_eq!(said(0, 1, 0).body, "1 invoice is ready for a look");
        assert_eq!(BillCounts::default().words(), "");
    }

    #[test]
    fn clients_are_told_what_becomes_of_their_walks() {
        let at = "Friday, November 27 at 9:30 AM";
        let query = format!("?client_id={}", Id::of(8));
        let says = |kind, place: &str, body: &str| {
            let path = format!("/client{place}{query}");
            says(kind, Recipient::Client, "Paws & Co", body, &path);
        };
        let visit = format!("/visits/{}", Id::of(9));
        says(
            PushKind::RequestApproved,
            "",
            &format!("Your walk on {at} is booked"),
        );
        says(
            PushKind::RequestDeclined,
            "",
            &format!("Your request for a walk on {at} was declined"),
        );
        let messages = format!("/messages/{}", Id::of(8));
        says(PushKind::Message, &messages, "Sent you a message");
        says(
            PushKind::ServiceChanged,
            &visit,
            &format!("Your walk is now on {at}"),
        );
        says(
            PushKind::ServiceCancelled,
            &visit,
            &format!("Your walk on {at} was cancelled"),
        );
        says(PushKind::WalkStarted, &visit, "Your walk has started");
        says(
            PushKind::VisitBooked,
            &visit,
            &format!("Your walk on {at} is booked"),
        );
        says(
            PushKind::DetailsChanged,
            &visit,
            &format!("Details of your walk on {at} have changed"),
        );
        let changed = |changed: ChangedDetails| {
            let notice = Notice {
                changed,
                ..notice(PushKind::DetailsChanged)
            };
            let current = Current::default();
            let said = notification(&notice, Recipient::Client, &sitter(), "Sam", &current);
            said.map(|it| it.body)
        };
        let none = ChangedDetails::NONE;
        let price = ChangedDetails {
            price: true,
            ..none
        };
        let both = ChangedDetails {
            pets: true,
            ..price
        };
        let all = ChangedDetails {
            service: true,
            ..both
        };
        for (details, said) in [
            (price, format!("The price of your walk on {at} has changed")),
            (
                both,
                format!("The pets and the price of your walk on {at} have changed"),
            ),
            (all, format!("Details of your walk on {at} have changed")),
        ] {
            assert_eq!(changed(details), Some(said));
        }
        says(PushKind::OnTheWay, &visit, "On the way to your walk");
        says(PushKind::VisitDone, &visit, "Your walk is done");
        says(
            PushKind::PaymentRecorded,
            "/invoices",
            "Your payment was recorded",
        );
        says(PushKind::CreditNote, "/invoices", "You have a credit note");
        says(
            PushKind::ReportReady,
            "",
            "The report of your walk is ready",
        );
        let body = "Your walk begins soon, at 9:30 AM";
        says(PushKind::UpcomingService, &visit, body);
        says(PushKind::Invoice, "/invoices", "You have a new invoice");
        for (is_withdrawn, body) in [
            (false, "Your walk is expected around 9:30 AM"),
            (true, &format!("Your walk takes place on {at}, as planned")),
        ] {
            let delay = Notice {
                is_delay: true,
                is_withdrawn,
                ..notice(PushKind::ServiceChanged)
            };
            let (sitter, current) = (sitter(), Current::default());
            let said = notification(&delay, Recipient::Client, &sitter, "Sam Rivers", &current);
            assert_eq!(said.unwrap().body, body);
        }
        let several = Notice {
            asks: RequestKind::Series,
            ..notice(PushKind::VisitBooked)
        };
        let (sitter_row, current) = (sitter(), Current::default());
        let said = notification(&several, Recipient::Client, &sitter_row, "Sam", &current);
        assert_eq!(
            said.unwrap().body,
            format!("Your visits are booked, the first on {at}")
        );
        let reminder = Notice {
            is_reminder: true,
            ..notice(PushKind::Invoice)
        };
        let reminds = |number: &str| {
            let current = Current {
                invoice_number: number.to_owned(),
                ..Current::default()
            };
            notification(&reminder, Recipient::Client, &sitter_row, "Sam", &current)
                .unwrap()
                .body
        };
        assert_eq!(reminds("INV-3"), "Reminder: invoice INV-3 is unpaid");
        assert_eq!(reminds(""), "Reminder: you have an unpaid invoice");
    }

    #[test]
    fn no_kind_has_a_placeholder_that_nobody_fills_in() {
        for kind in PushKind::ALL {
            for is_withdrawn in [false, true] {
                let notice = Notice {
                    is_withdrawn,
                    ..notice(*kind)
                };
                let current = Current::default();
                let told = [Recipient::Sitter, Recipient::Client]
                    .map(|it| notification(&notice, it, &sitter(), "Sam", &current));
                for said in told.into_iter().flatten() {
                    let all = said.body + &said.path;
                    assert!(!all.contains(['{', '}']), "{all}");
                }
            }
        }
    }

    #[test]
    fn nobody_gets_a_kind_that_is_for_the_other_side() {
        let current = Current::default();
        for (kind, recipient) in [
            (PushKind::NewRequest, Recipient::Client),
            (PushKind::Invoice, Recipient::Sitter),
        ] {
            let said = notification(&notice(kind), recipient, &sitter(), "Sam", &current);
            assert_eq!(said, None);
        }
    }

    #[test]
    fn a_report_of_a_visit_is_not_called_one_of_a_walk() {
        for (report, body) in [
            (ReportKind::Walk, "The report of your walk is ready"),
            (ReportKind::Visit, "The report of your visit is ready"),
            (ReportKind::Day, "The report of a day of your stay is ready"),
        ] {
            let current = Current {
                report,
                ..Current::default()
            };
            let ready = notice(PushKind::ReportReady);
            let said = notification(&ready, Recipient::Client, &sitter(), "Sam", &current);
            assert_eq!(said.unwrap().body, body);
        }
    }

    #[test]
    fn a_notification_opens_what_it_speaks_of() {
        let current = Current {
            service_id: Some(Id::of(30)),
            share_id: Some("secret".to_owned()),
            ..Current::default()
        };
        let path = |kind| {
            let client = Recipient::Client;
            let said = notification(&notice(kind), client, &sitter(), "Sam", &current);
            said.unwrap().path
        };
        assert_eq!(path(PushKind::ReportReady), "/report/secret");
        let visit = format!("/client/visits/{}?client_id={}", Id::of(30), Id::of(8));
        assert_eq!(path(PushKind::RequestApproved), visit);
    }

    #[test]
    fn who_has_no_access_any_more_is_told_who_ended_it() {
        let says = |gone_business| {
            let notice = Notice {
                gone_business,
                ..notice(PushKind::AccessEnded)
            };
            let current = Current::default();
            notification(&notice, Recipient::Client, &sitter(), "Sam", &current).unwrap()
        };
        let let_go = says(None);
        assert_eq!(let_go.title, "Paws & Co");
        assert_eq!(
            let_go.body,
            "Ended your access. Ask about visits that you have booked."
        );
        assert_eq!(
            says(Some("Paws & Co".to_owned())).body,
            "Left Walkies. Ask about visits that you have booked."
        );
    }

    #[test]
    fn what_was_taken_back_is_said_in_the_place_of_what_was_told() {
        let body = |kind, recipient| {
            let gone = Notice {
                is_withdrawn: true,
                ..notice(kind)
            };
            assert_eq!(topic(&gone), topic(&notice(kind)));
            let said = notification(&gone, recipient, &sitter(), "Sam", &Current::default());
            said.unwrap().body
        };
        assert_eq!(
            body(PushKind::NewRequest, Recipient::Sitter),
            "Took back the request for a walk on Friday, November 27 at 9:30 AM"
        );
        for recipient in [Recipient::Sitter, Recipient::Client] {
            let said = body(PushKind::Message, recipient);
            assert_eq!(said, "Took back a message");
        }
        assert_eq!(
            body(PushKind::ReportReady, Recipient::Client),
            "A report was taken back"
        );
        assert_eq!(
            body(PushKind::ServiceCancelled, Recipient::Client),
            "Your walk on Friday, November 27 at 9:30 AM takes place after all"
        );
        assert_eq!(
            body(PushKind::RequestApproved, Recipient::Client),
            "Not booked yet: your request for a walk on Friday, November 27 at 9:30 AM waits for an answer again"
        );
    }

    #[test]
    fn what_one_client_asks_for_is_one_notification_that_counts() {
        let one = notice(PushKind::NewRequest);
        let mut other = Notice {
            about: Id::of(10),
            ..one.clone()
        };
        assert_eq!(topic(&one), topic(&other));
        let current = Current {
            waiting_requests: 3,
            ..Current::default()
        };
        let said = notification(&one, Recipient::Sitter, &sitter(), "Sam", &current).unwrap();
        assert_eq!(said.body, "Asks for 3 visits");
        let current = Current {
            asks_for_more: true,
            ..current
        };
        let said = notification(&one, Recipient::Sitter, &sitter(), "Sam", &current).unwrap();
        assert_eq!(said.body, "Waits for 3 answers");
        other.client_id = Id::of(11);
        assert_ne!(topic(&one), topic(&other));
    }

    #[test]
    fn what_is_asked_for_beside_visits_is_called_by_what_it_is() {
        let at = " on Friday, November 27 at 9:30 AM";
        let says = |kind, asks, is_withdrawn| {
            let notice = Notice {
                asks,
                is_withdrawn,
                ..notice(kind)
            };
            let recipient = match kind {
                PushKind::NewRequest => Recipient::Sitter,
                _ => Recipient::Client,
            };
            let current = Current {
                waiting_requests: 1,
                asks_for_more: true,
                ..Current::default()
            };
            let said = notification(&notice, recipient, &sitter(), "Sam", &current).unwrap();
            (said.body, said.path)
        };
        let asks = |asks| says(PushKind::NewRequest, asks, false).0;
        assert_eq!(
            asks(RequestKind::LeaveOut),
            format!("Asks to leave out the walk{at}")
        );
        assert_eq!(
            asks(RequestKind::Cancel),
            format!("Asks to cancel the walk{at}")
        );
        assert_eq!(asks(RequestKind::Pause), "Asks for a pause");
        assert_eq!(asks(RequestKind::Series), "Asks for a walk that repeats");
        let (withdrawn, _) = says(PushKind::NewRequest, RequestKind::Pause, true);
        assert_eq!(withdrawn, "Took back a request");
        let (agreed, path) = says(PushKind::RequestApproved, RequestKind::Cancel, false);
        assert_eq!(agreed, format!("Agreed to cancel your walk{at}"));
        assert_eq!(path, format!("/client?client_id={}", Id::of(8)));
        let (declined, _) = says(PushKind::RequestDeclined, RequestKind::Series, false);
        assert_eq!(
            declined,
            "Your request for a walk that repeats was declined"
        );
    }

    #[test]
    fn the_clock_is_the_business_s_own_and_a_name_is_there_without_a_business_s() {
        let mut sitter = sitter();
        sitter.hour_cycle = HourCycle::H23;
        sitter.business_name.clear();
        let mut notice = notice(PushKind::ServiceChanged);
        notice.appointment.as_mut().unwrap().is_stay = true;
        let said = notification(
            &notice,
            Recipient::Client,
            &sitter,
            "Sam",
            &Current::default(),
        )
        .unwrap();
        assert_eq!(said.title, "Mara");
        assert_eq!(
            said.body,
            "Your stay is now on Friday, November 27 at 09:30"
        );
    }

    #[test]
    fn what_is_told_of_several_visits_has_the_topic_of_the_same_ones_alone() {
        let of = |kind, about: u128, others: &[u128]| {
            topic(&Notice {
                about: Id::of(about),
                others: others.iter().map(|it| Id::of(*it)).collect(),
                ..notice(kind)
            })
        };
        let cancelled = |about, others: &[u128]| of(PushKind::ServiceCancelled, about, others);
        assert_eq!(cancelled(1, &[2, 3]), cancelled(3, &[1, 2]));
        assert_eq!(cancelled(1, &[2]), of(PushKind::ServiceChanged, 2, &[1]));
        assert_ne!(cancelled(1, &[2]), cancelled(1, &[3]));
        assert_ne!(cancelled(1, &[2]), cancelled(1, &[]));
        // A booking names others without being told of them alone.
        assert_eq!(of(PushKind::VisitBooked, 1, &[2]), cancelled(1, &[]));
        assert_eq!(cancelled(1, &[2]).len(), 32);
    }

    #[test]
    fn a_topic_is_of_a_row_and_as_long_as_it_may_be() {
        let of = |kind| topic(&notice(kind));
        assert_eq!(of(PushKind::ServiceChanged), of(PushKind::ServiceCancelled));
        assert_eq!(of(PushKind::WalkStarted), of(PushKind::VisitDone));
        assert_ne!(of(PushKind::ServiceChanged), of(PushKind::ReportReady));
        let mut other = notice(PushKind::ServiceChanged);
        other.sitter_id = Id::of(6);
        assert_ne!(of(PushKind::ServiceChanged), topic(&other));
        other = notice(PushKind::ServiceChanged);
        other.about = Id::of(1);
        assert_ne!(of(PushKind::ServiceChanged), topic(&other));
        for kind in PushKind::ALL {
            let topic = of(*kind);
            assert_eq!(topic.len(), 32);
            let is_base64url = |it: u8| it.is_ascii_alphanumeric() || it == b'-' || it == b'_';
            assert!(topic.bytes().all(is_base64url), "{topic}");
        }
    }

    #[test]
    fn the_longest_names_are_cut_between_characters_and_fit() {
        for letter in ["a", "é", "犬", "🐕", "\u{200d}", "\"", "\\"] {
            let mut sitter = sitter();
            sitter.business_name = letter.repeat(NAME);
            for kind in PushKind::ALL {
                let notice = notice(*kind);
                for recipient in [Recipient::Sitter, Recipient::Client] {
                    let current = Current::default();
                    let name = letter.repeat(NAME);
                    let said = notification(&notice, recipient, &sitter, &name, &current);
                    let Some(said) = said else {
                        continue;
                    };
                    assert_eq!(said.title.chars().count(), NAME_CHARS);
                    assert!(said.title.ends_with('…') && said.title.starts_with(letter));
                    let origin = format!("https://{}", "x".repeat(250));
                    let payload = payload(&said, &topic(&notice), &origin);
                    assert!(payload.len() <= PUSH_PAYLOAD_BYTES, "{}", payload.len());
                }
            }
        }
        assert_eq!(cut(&"é".repeat(NAME_CHARS)), "é".repeat(NAME_CHARS));
    }

    #[test]
    fn what_waits_says_nothing_that_anybody_typed() {
        let request = WalkRequest {
            message: "The code is 4711".to_owned(),
            ..WalkRequest::new(Id::of(1), Id::of(2), Instant(0))
        };
        let mut notice = notice(PushKind::NewRequest);
        notice.appointment = Some(Appointment::from(&request));
        let text = serde_json::to_string(&notice).unwrap();
        assert!(!text.contains("4711"), "{text}");
        assert_eq!(serde_json::from_str::<Notice>(&text).unwrap(), notice);
        let said = notification(
            &notice,
            Recipient::Sitter,
            &sitter(),
            "Sam",
            &Current::default(),
        )
        .unwrap();
        assert!(!said.body.contains("4711"));
    }
}
