//! Owns the list 'To send': what was shared with clients who are not in the portal, or written to them about a time off, and
//! has to be passed on.

use serde::Serialize;

use crate::commands::Shared;
use crate::rows::blocked_time::BlockedTime;
use crate::rows::client::Client;
use crate::rows::invoice::Invoice;
use crate::rows::report::Report;
use crate::rows::service::Service;
use crate::rows::shared_mail::SharedMail;
use crate::rules::delay::starts_at;
use crate::rules::invoice::path;
use crate::rules::report::path as report_path;
use crate::rules::time_off::days;
use crate::rules::ways_to_client::{is_in_portal, is_left_to_sitter, is_mailed, told_of_mail};
use crate::values::format;
use crate::values::instant::MS_PER_HOUR;
use crate::values::sort::SmallSort as _;
use crate::{Business, Cents, Id, Instant, Now};

/// Days for which something is listed; anything older is no news to anybody.
const LISTED_DAYS: i64 = 30;

/// Something that the sitter has to pass on: a link, or a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ToSend {
    /// A report, an invoice or a message.
    pub what: Shared,
    /// Id of the report, the invoice, the blocked time or the service.
    pub id: Id,
    /// Id of the client to whom it is to be sent.
    pub client_id: Id,
    /// The client's name.
    pub client_name: String,
    /// `Report of the walk with Rex`, `Invoice INV-12, $75.00`, `Visits from Nov 30 to Dec 2`; the subject of a mail, too.
    pub title: String,
    /// The path of its page; empty for a message, whose words say all.
    pub link: String,
    /// The words of a text or a mail, without the link, which follows them.
    pub words: String,
    /// Number for a text; may be empty.
    pub phone: String,
    /// Address for a mail; may be empty.
    pub email: String,
    /// The sentence about a mail that did not reach the client; empty where there was none.
    pub lost_mail: String,
    /// When it was shared.
    pub shared_at: Instant,
}

/// Links and messages that are to be passed on, the newest first.
pub fn to_send(business: &Business, now: &Now) -> Vec<ToSend> {
    let reports = business.reports.values().map(|it| &it.row);
    let reports = reports.filter_map(|it| of_report(business, it, now));
    let invoices = business.invoices.values().map(|it| &it.row);
    let invoices = invoices.filter_map(|it| of_invoice(business, it, now));
    let blocks = business.blocked_times.values().map(|it| &it.row);
    let notes = blocks.flat_map(|it| of_time_off(business, it, now));
    let today = now.today();
    let delays = business.visits_between(today, today).into_iter();
    let delays = delays.filter_map(|it| of_delay(business, it, now));
    let mut found: Vec<ToSend> = reports.chain(invoices).chain(notes).chain(delays).collect();
    found.small_sort_by_key(|it| std::cmp::Reverse((it.shared_at, it.id)));
    found
}

/// The client to whom a link is to be passed on; none where it was, where the client finds it in the portal, and once it is
/// old.
fn awaiting<'a>(
    business: &'a Business,
    client_id: Id,
    (shared_at, passed_on_at): (Instant, Option<Instant>),
    now: &Now,
) -> Option<&'a Client> {
    let is_news = now.at.0 - shared_at.0 < LISTED_DAYS * 24 * MS_PER_HOUR;
    let client = business.client(client_id)?;
    let is_to_send = passed_on_at.is_none() && is_news && !is_in_portal(client);
    is_to_send.then_some(client)
}

fn of_report(business: &Business, report: &Report, now: &Now) -> Option<ToSend> {
    report.share_id.as_ref()?;
    let link = report_path(report);
    if report.opened_at.is_some() || !is_left_to_sitter(report.mailed.as_ref()) {
        return None;
    }
    let times = (report.shared_at, report.passed_on_at);
    let client = awaiting(business, report.client_id, times, now)?;
    let walk = match report.dogs.as_slice() {
        [] => format!("the {}", report.kind.noun()),
        dogs => format!("the {} with {}", report.kind.noun(), format::names(dogs)),
    };
    Some(ToSend {
        lost_mail: lost_mail(report.mailed.as_ref(), now),
        ..entry(
            (Shared::Report, report.id, report.shared_at),
            client,
            format!("Report of {walk}"),
            format!("the report of {walk}"),
            link,
        )
    })
}

/// Lists an invoice unless it is paid or its page was opened, or the server mails it or has mailed a reminder of it, which has
/// reached the client.
pub(super) fn of_invoice(business: &Business, invoice: &Invoice, now: &Now) -> Option<ToSend> {
    let link = path(invoice)?;
    let times = (invoice.shared_at, invoice.passed_on_at);
    let client = awaiting(business, invoice.client_id, times, now)?;
    let is_credit = invoice.credits.is_some();
    let is_reminded = invoice.reminded_at.is_some() && is_mailed(business, client);
    if is_reminded
        || invoice.opened_at.is_some()
        || !is_left_to_sitter(invoice.mailed.as_ref())
        || (!is_credit && invoice.balance() == Cents::ZERO)
    {
        return None;
    }
    let (number, total) = (invoice.shown_number(), invoice.total);
    let (noun, in_sentence) = if is_credit {
        ("Credit note", "credit note")
    } else {
        ("Invoice", "invoice")
    };
    Some(ToSend {
        lost_mail: lost_mail(invoice.mailed.as_ref(), now),
        ..entry(
            (Shared::Invoice, invoice.id, invoice.shared_at),
            client,
            format!("{noun} {number}, {total}"),
            format!("{in_sentence} {number}, {total}"),
            link,
        )
    })
}

/// `The mail to kim@example.com could not be delivered.`; empty where no mail went out.
fn lost_mail(mailed: Option<&SharedMail>, now: &Now) -> String {
    match told_of_mail(mailed, &now.zone) {
        told if told.is_empty() => told,
        told => told + ".",
    }
}

/// Lists the messages about a time off, which have no link.
fn of_time_off<'a>(
    business: &'a Business,
    block: &'a BlockedTime,
    now: &'a Now,
) -> impl Iterator<Item = ToSend> + 'a {
    block.to_pass_on.iter().filter_map(move |note| {
        let times = (note.written_at, note.passed_on_at);
        let client = awaiting(business, note.client_id, times, now)?;
        let shared = (Shared::TimeOff, block.id, note.written_at);
        let title = "Visits ".to_owned() + &days(block);
        Some(ToSend {
            words: note.content.clone(),
            ..entry(shared, client, title, String::new(), String::new())
        })
    })
}

/// Lists a delay until the visit's new time has come.
fn of_delay(business: &Business, service: &Service, now: &Now) -> Option<ToSend> {
    let delay = service.current_delay().filter(|it| !it.text.is_empty())?;
    let client = awaiting(
        business,
        service.client_id,
        (delay.at, delay.passed_on_at),
        now,
    )?;
    if starts_at(delay.date, delay.start_time, now) <= now.at {
        return None;
    }
    let time = format::time(delay.start_time, business.hour_cycle());
    let title = match service.dogs.as_slice() {
        [] => format!("Visit around {time}"),
        dogs => format!("Visit of {} around {time}", format::names(dogs)),
    };
    let words = [&hello(client), " ", &delay.text].concat();
    Some(ToSend {
        words,
        ..entry(
            (Shared::Delay, service.id, delay.at),
            client,
            title,
            String::new(),
            String::new(),
        )
    })
}

fn hello(client: &Client) -> String {
    let first = client.name.split_whitespace().next();
    first.map_or_else(|| "Hello!".to_owned(), |it| format!("Hello {it}!"))
}

fn entry(
    (what, id, shared_at): (Shared, Id, Instant),
    client: &Client,
    title: String,
    in_sentence: String,
    link: String,
) -> ToSend {
    ToSend {
        what,
        id,
        client_id: client.id,
        client_name: client.name.clone(),
        title,
        link,
        words: format!("{} Here is {in_sentence}:", hello(client)),
        phone: client.phone.clone(),
        email: client.email.clone(),
        lost_mail: String::new(),
        shared_at,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::decision::Context;
    use crate::commands::{MarkPassedOn, decide};
    use crate::rows::service::Delay;
    use crate::rows::shared_mail::SharedMailState;
    use crate::values::report_kind::ReportKind;
    use crate::values::zone::TimeZone;
    use crate::{Row, Time, rows::report::ReportContent};

    const DAY_MS: i64 = 24 * MS_PER_HOUR;

    fn now() -> Now {
        Now {
            at: "2026-11-20T10:00:00Z".parse().unwrap(),
            zone: TimeZone::UTC,
        }
    }

    fn mikko() -> Client {
        Client {
            name: "Mikko Aalto".to_owned(),
            phone: "555 0100".to_owned(),
            ..Client::new(Id::of(1), Instant(0))
        }
    }

    fn report(days_ago: i64) -> Report {
        let at = Instant(now().at.0 - days_ago * DAY_MS);
        Report {
            id: Id::of(10),
            walk_id: Id::of(11),
            client_id: Id::of(1),
            kind: ReportKind::Walk,
            dogs: vec!["Rex".to_owned(), "Miso".to_owned()],
            service_ids: Vec::new(),
            started_at: at,
            share_id: Some("secret".to_owned()),
            shared_at: at,
            passed_on_at: None,
            mailed: None,
            opened_at: None,
            content: ReportContent::default(),
        }
    }

    fn invoice() -> Invoice {
        Invoice {
            id: Id::of(20),
            client_id: Id::of(1),
            number: Some(12),
            prefix: "INV-".to_owned(),
            share_id: Some("other".to_owned()),
            total: Cents(75_00),
            shared_at: now().at,
            ..Invoice::default()
        }
    }

    fn business(client: Client, report: Report, invoice: Invoice) -> Business {
        let mut business = Business::default();
        business.put(1, Row::Client(client));
        business.put(1, Row::Report(report));
        business.put(1, Row::Invoice(invoice));
        business
    }

    #[track_caller]
    fn lists(business: &Business, ids: &[u128]) {
        let found: Vec<Id> = to_send(business, &now()).iter().map(|it| it.id).collect();
        let ids: Vec<Id> = ids.iter().map(|it| Id::of(*it)).collect();
        assert_eq!(found, ids);
    }

    #[test]
    fn what_was_shared_with_a_client_outside_the_portal_waits_to_be_sent() {
        let found = to_send(&business(mikko(), report(1), invoice()), &now());
        let said: Vec<_> = found
            .iter()
            .map(|it| (it.title.as_str(), it.words.as_str(), it.link.as_str()))
            .collect();
        assert_eq!(
            said,
            [
                (
                    "Invoice INV-12, $75.00",
                    "Hello Mikko! Here is invoice INV-12, $75.00:",
                    "/invoice/other"
                ),
                (
                    "Report of the walk with Rex and Miso",
                    "Hello Mikko! Here is the report of the walk with Rex and Miso:",
                    "/report/secret"
                ),
            ]
        );
    }

    #[test]
    fn a_report_that_is_mailed_is_not_listed_and_one_whose_mail_failed_is() {
        let mailed = |state| Report {
            mailed: Some(SharedMail {
                to: "mikko@example.com".to_owned(),
                state,
                at: now().at,
            }),
            ..report(1)
        };
        for (state, ids) in [
            (SharedMailState::Waiting, &[20][..]),
            (SharedMailState::Sent, &[20]),
            (SharedMailState::Failed, &[20, 10]),
            (SharedMailState::Stopped, &[20, 10]),
        ] {
            lists(&business(mikko(), mailed(state), invoice()), ids);
        }
        let failed = business(mikko(), mailed(SharedMailState::Failed), invoice());
        let said: Vec<String> = to_send(&failed, &now())
            .into_iter()
            .map(|it| it.lost_mail)
            .collect();
        assert_eq!(
            said,
            ["", "The mail to mikko@example.com could not be delivered."]
        );
    }

    #[test]
    fn a_link_that_was_opened_is_not_listed() {
        let opened_at = Some(now().at);
        let report = Report {
            opened_at,
            ..report(1)
        };
        lists(&business(mikko(), report.clone(), invoice()), &[20]);
        let invoice = Invoice {
            opened_at,
            ..invoice()
        };
        lists(&business(mikko(), report, invoice), &[]);
    }

    #[test]
    fn a_client_in_the_portal_is_sent_nothing() {
        let linked = Client {
            client_user_id: Some(Id::of(90)),
            ..mikko()
        };
        lists(&business(linked, report(1), invoice()), &[]);
    }

    #[test]
    fn what_was_passed_on_leaves_the_list_and_comes_back_with_undo() {
        let mut business = business(mikko(), report(1), invoice());
        lists(&business, &[20, 10]);
        for (id, what) in [(10, Shared::Report), (20, Shared::Invoice)] {
            let mut mark = MarkPassedOn {
                id: Id::of(id),
                what,
                passed_on: true,
                client_id: None,
            };
            let ctx = Context::at(now());
            let done = decide(&mark.clone().into(), &business, &ctx).unwrap();
            business.apply(2, &done.changes);
            let again = decide(&mark.clone().into(), &business, &ctx).unwrap();
            assert!(again.changes.is_empty());
            mark.passed_on = false;
            let undone = decide(&mark.into(), &business, &ctx).unwrap();
            assert_eq!(undone.changes.len(), 1);
        }
        lists(&business, &[]);
    }

    #[test]
    fn a_delay_waits_until_its_new_time_or_until_it_was_passed_on() {
        let service = Service {
            client_id: Id::of(1),
            dogs: vec!["Rex".to_owned()],
            date: now().today(),
            start_time: Time::hour(12),
            delay: Some(Delay {
                date: now().today(),
                planned: Time::hour(12),
                start_time: Time::new(12, 20).unwrap(),
                at: now().at,
                text: "Later!".to_owned(),
                passed_on_at: None,
                overlap_ok: false,
            }),
            ..Service::new(Id::of(30), now().at)
        };
        let mut business = Business::default();
        business.put(1, Row::Client(mikko()));
        business.put(1, Row::Service(service));
        let found = to_send(&business, &now());
        assert_eq!(
            (
                found[0].title.as_str(),
                found[0].words.as_str(),
                found[0].link.as_str()
            ),
            ("Visit of Rex around 12:20 PM", "Hello Mikko! Later!", "")
        );
        let late = Now {
            at: "2026-11-20T12:20:00Z".parse().unwrap(),
            ..now()
        };
        assert_eq!(to_send(&business, &late), []);
        let mark = MarkPassedOn {
            id: Id::of(30),
            what: Shared::Delay,
            passed_on: true,
            client_id: None,
        };
        let done = decide(&mark.into(), &business, &Context::at(now())).unwrap();
        business.apply(2, &done.changes);
        lists(&business, &[]);
    }

    #[test]
    fn what_is_old_waiting_paid_deleted_or_reminded_of_by_mail_is_not_listed() {
        let unsent = Report {
            share_id: None,
            ..report(1)
        };
        let paid = Invoice {
            total: Cents::ZERO,
            ..invoice()
        };
        lists(&business(mikko(), unsent, paid), &[]);
        let deleted = Invoice {
            deleted_at: Some(now().at),
            ..invoice()
        };
        lists(&business(mikko(), report(30), deleted), &[]);
        let reminded = Invoice {
            reminded_at: Some(now().at),
            ..invoice()
        };
        lists(&business(mikko(), report(29), reminded.clone()), &[20, 10]);
        let with_mail = Client {
            email: "mikko@example.com".to_owned(),
            ..mikko()
        };
        let mut business = business(with_mail, report(29), reminded);
        // The reminder of a server that sends no mail has reached nobody.
        lists(&business, &[20, 10]);
        business.reach.sends_mail = true;
        lists(&business, &[10]);
    }
}
