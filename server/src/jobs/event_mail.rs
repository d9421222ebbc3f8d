//! Owns mail that tells people of events: all that is due between a person and a business goes into one mail, in the words
//! of the moment in which that is sent. Beyond the mails of an hour it waits, and is gathered.

use walkies_core::rows::client::Client;
use walkies_core::rows::invoice::Invoice;
use walkies_core::rows::report::Report;
use walkies_core::rows::service::ServiceStatus;
use walkies_core::rows::shared_mail::SharedMailState;
use walkies_core::rows::sitter::Sitter;
use walkies_core::rows::walk_request::{RequestSubject, WalkRequest};
use walkies_core::rules::mail::{
    VisitsToCome, business_in_mail, event_mail, event_mail_to_sitter, event_mail_without_login,
};
use walkies_core::rules::push::{Notice, Notification, Recipient, booked_visit, notification};
use walkies_core::rules::ways_to_client::{
    is_in_portal, is_invoice_event_mailed, is_report_event_mailed,
};
use walkies_core::values::push::{MailChoice, PushKind, PushPreferences};
use walkies_core::values::zone::TimeZone;
use walkies_core::{Id, Instant, Now};

use crate::app::state::App;
use crate::app::{throttle, zone};
use crate::db::{self, EventRecipient, MailJob, ServiceFilter, Tx};
use crate::jobs::push_delivery;
use crate::write::client_mail::with_stop_line;
use crate::write::shared_mail::reply_to;
use crate::write::visit_mail::{self, MailedVisit, Outcome};

/// So many people are looked at before other mail goes on.
const AT_ONCE: u32 = 50;
/// So many visits to come stand in a mail to a client without a login.
const VISITS_LISTED: usize = 10;

/// The mail about some events, as it is now.
#[derive(Debug)]
pub(super) struct Composed {
    /// The address that it goes to.
    pub to: String,
    /// The address that answers to it go to.
    pub reply_to: Option<String>,
    /// The subject, one line of text.
    pub subject: String,
    /// Plain text, without the line about stopping mail.
    pub text: String,
    /// The notices that it tells of, and those that are no longer true.
    pub told: Vec<Id>,
    /// The visits that it tells a client of.
    pub visits: Vec<MailedVisit>,
}

impl Composed {
    /// The visits, once the mail that tells of them is in this state.
    pub fn visits_in(self, state: SharedMailState) -> Vec<(MailedVisit, Outcome)> {
        let visits = self.visits.into_iter();
        visits.map(|it| (it, Outcome::State(state))).collect()
    }
}

/// The visits of which a mail would have told a client that is not to be sent.
pub(super) async fn dropped_visits(
    app: &App,
    tx: &mut Tx,
    mail_id: Id,
) -> sqlx::Result<Vec<(MailedVisit, Outcome)>> {
    let now = app.now();
    let mut visits = Vec::new();
    for event in db::events_of_mail(tx, mail_id).await? {
        let Some(id) = visit_of(tx, &event.notice).await? else {
            continue;
        };
        let visit = MailedVisit {
            id,
            client_id: event.notice.client_id,
            to: String::new(),
        };
        let outcome = match event.expires_at <= now {
            true => Outcome::Late,
            false => Outcome::Untrue,
        };
        visits.push((visit, outcome));
    }
    Ok(visits)
}

/// Finds the visit that a notice tells a client of: the one that it is about, or that was asked for.
async fn visit_of(tx: &mut Tx, notice: &Notice) -> sqlx::Result<Option<Id>> {
    use PushKind::{
        DetailsChanged, RequestApproved, ServiceCancelled, ServiceChanged, VisitBooked,
    };
    match notice.kind {
        VisitBooked | DetailsChanged | ServiceChanged | ServiceCancelled => Ok(Some(notice.about)),
        RequestApproved => {
            let request = db::select_one::<WalkRequest>(tx, notice.sitter_id, notice.about).await?;
            Ok(request.and_then(|it| match it.row.subject {
                Some(
                    RequestSubject::MoveService { service_id, .. }
                    | RequestSubject::CancelService { service_id },
                ) => Some(service_id),
                _ => it.row.scheduled_service_id,
            }))
        }
        _ => Ok(None),
    }
}

/// Queues a mail for some of those for whom events are due.
pub async fn queue_due(app: &App) -> sqlx::Result<()> {
    let now = app.now();
    let due = db::due_event_mail(&mut app.db.read_autocommit().await?, now, AT_ONCE).await?;
    for who in due {
        queue_one(app, who, now).await?;
    }
    Ok(())
}

async fn queue_one(app: &App, who: EventRecipient, now: Instant) -> sqlx::Result<()> {
    let mail_id = app.env.id();
    let mut tx = app.db.write().await?;
    if !db::claim_event_mail(&mut tx, who, mail_id, now).await? {
        return tx.rollback().await;
    }
    let Some(mail) = compose(app, &mut tx, who, mail_id).await? else {
        forget(&mut tx, mail_id).await?;
        return tx.commit().await;
    };
    let recipient = db::mail_recipient(&mut tx, &mail.to, app.env.share_id(), now).await?;
    if recipient.is_stopped {
        forget(&mut tx, mail_id).await?;
        tx.commit().await?;
        // By itself: a command takes the business's row before those of its events.
        let visits = mail.visits_in(SharedMailState::Stopped);
        let mut tx = app.db.write().await?;
        let rev = visit_mail::note(app, &mut tx, who.sitter_id(), &visits).await?;
        tx.commit().await?;
        if let Some(rev) = rev {
            app.realtime.changed(who.sitter_id(), rev);
        }
        return Ok(());
    }
    let counted = match who {
        EventRecipient::Account { .. } => throttle::mail_events(app, &mail.to),
        EventRecipient::Client { sitter_id, .. } => {
            throttle::mail_events_of(app, sitter_id, &mail.to)
        }
    };
    if let Err(seconds) = counted {
        tx.rollback().await?;
        let wait_ms = i64::try_from(seconds)
            .unwrap_or(i64::MAX)
            .saturating_mul(1000);
        let due_at = Instant(now.0.saturating_add(wait_ms));
        let mut tx = app.db.write().await?;
        db::postpone_event_mail(&mut tx, who, now, due_at).await?;
        return tx.commit().await;
    }
    let job = MailJob {
        id: mail_id,
        recipient: mail.to,
        subject: mail.subject,
        body: with_stop_line(app, &mail.text, &recipient.token),
        attempts: 0,
        stop_token: Some(recipient.token),
        expires_at: None,
        invoice_share_id: None,
        brings: None,
        // Whoever waits for a code goes first.
        is_bulk: true,
        events_of: Some(who),
    };
    db::insert_mail_job(&mut tx, &job, now).await?;
    tx.commit().await
}

/// Forgets the events of a mail that is not to be sent.
pub(super) async fn forget(tx: &mut Tx, mail_id: Id) -> sqlx::Result<()> {
    let events = db::events_of_mail(tx, mail_id).await?;
    let told: Vec<Id> = events.into_iter().map(|it| it.notice_id).collect();
    db::finish_event_mail(tx, mail_id, &told).await
}

/// The reader of a mail about events, as far as its words depend on it.
enum Reader {
    /// The sitter of the business.
    Sitter(PushPreferences),
    /// A pet parent with a login, by its id.
    Parent(Id, PushPreferences),
    /// A client without a login.
    Client(Box<Client>),
}

impl Reader {
    /// Finds who reads a mail, and the address; `None` for somebody who is mailed of nothing by now.
    async fn find(
        tx: &mut Tx,
        sitter: &Sitter,
        who: EventRecipient,
    ) -> sqlx::Result<Option<(Self, String)>> {
        let user_id = match who {
            EventRecipient::Account { user_id, .. } => user_id,
            EventRecipient::Client { client_id, .. } => {
                let client = db::select_one::<Client>(tx, sitter.id, client_id).await?;
                let client = client.map(|it| it.row);
                let client = client.filter(|it| sitter.mails_changes && !is_in_portal(it));
                let client = client.filter(|it| !it.email.is_empty());
                return Ok(client.map(|it| (Self::Client(Box::new(it.clone())), it.email)));
            }
        };
        let preferences = db::push_preferences(tx, user_id).await?;
        let account = db::account_by_id(tx, user_id).await?;
        let account = account.filter(|_| preferences.mail != MailChoice::Never);
        Ok(account.map(|it| {
            let reader = match it.sitter_id == Some(sitter.id) {
                true => Self::Sitter(preferences),
                false => Self::Parent(user_id, preferences),
            };
            (reader, it.email)
        }))
    }

    /// Returns true if the reader wants to know of this kind.
    fn wants(&self, kind: PushKind) -> bool {
        match self {
            Self::Sitter(preferences) | Self::Parent(_, preferences) => {
                !preferences.off.contains(&kind)
            }
            Self::Client(_) => true,
        }
    }

    /// Returns true if what concerns this client is told the reader; who was let go since is told nothing more.
    fn is_of(&self, client: &Client) -> bool {
        match self {
            Self::Sitter(_) => true,
            Self::Parent(user_id, _) => client.has_login(*user_id),
            Self::Client(it) => it.id == client.id,
        }
    }

    /// The visit that a notice tells a client of.
    async fn visit_of(&self, tx: &mut Tx, notice: &Notice) -> sqlx::Result<Option<MailedVisit>> {
        let to = match self {
            Self::Sitter(_) => return Ok(None),
            // The address of an account is its own.
            Self::Parent(..) => String::new(),
            Self::Client(client) => client.email.clone(),
        };
        let visit = visit_of(tx, notice).await?;
        Ok(visit.map(|id| MailedVisit {
            id,
            client_id: notice.client_id,
            to,
        }))
    }

    const fn recipient(&self) -> Recipient {
        match self {
            Self::Sitter(_) => Recipient::Sitter,
            Self::Parent(..) | Self::Client(_) => Recipient::Client,
        }
    }
}

/// Writes the mail with what is still true and wanted of its events; `None` if nothing is.
pub(super) async fn compose(
    app: &App,
    tx: &mut Tx,
    who: EventRecipient,
    mail_id: Id,
) -> sqlx::Result<Option<Composed>> {
    let sitter_id = who.sitter_id();
    let Some(sitter) = db::select_one::<Sitter>(tx, sitter_id, sitter_id).await? else {
        return Ok(None);
    };
    let sitter = sitter.row;
    let Some((reader, to)) = Reader::find(tx, &sitter, who).await? else {
        return Ok(None);
    };
    let zone = zone::time_zone(&sitter.time_zone).unwrap_or(TimeZone::UTC);
    let now = Now {
        at: app.now(),
        zone,
    };
    let bookings = match reader.wants(PushKind::VisitBooked) {
        true => db::bookings_to_mail(tx, who, mail_id, now.at).await?,
        false => Vec::new(),
    };
    let (mut said, mut told, mut visits) = (Vec::new(), Vec::new(), Vec::new());
    for event in db::events_of_mail(tx, mail_id).await? {
        told.push(event.notice_id);
        if event.expires_at <= now.at || !reader.wants(event.notice.kind) {
            continue;
        }
        let found = sentence(tx, &reader, &sitter, (&event.notice, &bookings), &now).await?;
        if let Some((notice, sentence)) = found {
            said.push(sentence);
            visits.extend(reader.visit_of(tx, &notice).await?);
        }
    }
    let business = business_in_mail(sitter.shown_name());
    let origin = &app.settings.public_url;
    let reply_to = match reader {
        Reader::Sitter(_) => None,
        Reader::Parent(..) | Reader::Client(_) => reply_to(&sitter),
    };
    let words = match &reader {
        _ if said.is_empty() => None,
        Reader::Sitter(_) => event_mail_to_sitter(&said, origin),
        Reader::Parent(..) => event_mail(&business, &said, origin),
        Reader::Client(client) => {
            let to_come = visits_to_come(tx, &sitter, client.id, &now).await?;
            event_mail_without_login(&business, &said, &to_come, reply_to.is_some())
        }
    };
    Ok(words.map(|(subject, text)| Composed {
        to,
        reply_to,
        subject,
        text,
        told,
        visits,
    }))
}

/// Lists what a client has booked from today on, as a mail says it.
async fn visits_to_come(
    tx: &mut Tx,
    sitter: &Sitter,
    client_id: Id,
    now: &Now,
) -> sqlx::Result<VisitsToCome> {
    let filter = ServiceFilter {
        first: Some(now.today()),
        client_id: Some(client_id),
        statuses: vec![ServiceStatus::Scheduled],
        limit: Some(VISITS_LISTED as u64 + 1),
        ..ServiceFilter::default()
    };
    let services = db::services(tx, sitter.id, &filter).await?;
    let lines = services.iter().take(VISITS_LISTED);
    Ok(VisitsToCome {
        first: lines
            .map(|it| booked_visit(&it.row, sitter.hour_cycle))
            .collect(),
        has_more: VISITS_LISTED < services.len(),
    })
}

/// Says what is true of an event by now, beside bookings that are told by themselves, with the notice as it is then; `None`
/// if nothing is, or if another mail tells of it.
async fn sentence(
    tx: &mut Tx,
    reader: &Reader,
    sitter: &Sitter,
    (notice, bookings): (&Notice, &[Notice]),
    now: &Now,
) -> sqlx::Result<Option<(Notice, Notification)>> {
    let client = db::select_one::<Client>(tx, sitter.id, notice.client_id).await?;
    let client = client.map(|it| it.row);
    let Some(client) = client.filter(|it| reader.is_of(it)) else {
        return Ok(None);
    };
    let recipient = reader.recipient();
    if recipient == Recipient::Client && !is_left_to_this_mail(tx, sitter, &client, notice).await? {
        return Ok(None);
    }
    let found = push_delivery::as_of_now(tx, notice, bookings, recipient, now).await?;
    Ok(found.and_then(|(notice, current)| {
        let said = notification(&notice, recipient, sitter, &client.name, &current)?;
        Some((notice, said))
    }))
}

/// Returns true unless an invoice or a report is brought by a mail of its own.
async fn is_left_to_this_mail(
    tx: &mut Tx,
    sitter: &Sitter,
    client: &Client,
    notice: &Notice,
) -> sqlx::Result<bool> {
    Ok(match notice.kind {
        _ if notice.is_withdrawn => true,
        PushKind::Invoice => {
            let invoice = db::select_one::<Invoice>(tx, sitter.id, notice.about).await?;
            invoice.is_some_and(|it| {
                is_invoice_event_mailed(sitter, client, &it.row, notice.is_reminder)
            })
        }
        PushKind::ReportReady => {
            let report = db::select_one::<Report>(tx, sitter.id, notice.about).await?;
            report.is_some_and(|it| is_report_event_mailed(sitter, &it.row))
        }
        _ => true,
    })
}
