//! Owns what the correction of a completed or cancelled service says before it is saved, and its trace in words.

use serde::Serialize;

use crate::commands::{ReopenService, decide};
use crate::rows::service::{Correction, Service, ServiceStatus};
use crate::rules::ways_to_client::told_of_change;
use crate::values::format;
use crate::{Business, Command, Context, Id, Instant, Now};

/// The correction of a service before it is saved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct CorrectionPreview {
    /// The sentences on what it undoes and who is told.
    pub text: String,
    /// Why it cannot be corrected, with the way out.
    pub problem: Option<String>,
}

/// Says what a correction would do; `None` for a service that is scheduled or not there. `can_send` is false where it waits
/// on the phone.
pub fn correction(
    business: &Business,
    id: Id,
    can_send: bool,
    now: &Now,
) -> Option<CorrectionPreview> {
    let service = business.service(id)?;
    let since = match service.status {
        ServiceStatus::Scheduled => return None,
        ServiceStatus::Completed => service.completed_at,
        ServiceStatus::Cancelled => service.cancelled_at,
    };
    let command = Command::ReopenService(ReopenService { id, corrects: true });
    let decided = decide(&command, business, &Context::at(now.clone()));
    let mut sentences = vec![format!(
        "This undoes: {}. It is scheduled again, and you complete or cancel it anew.",
        marked(service.status, since, business, now)
    )];
    if service.status == ServiceStatus::Completed {
        sentences.push("Until then it is not billed. Service notes and reports stay.".to_owned());
    }
    // The server takes back a cancellation that may still be on a screen; of a completion it may have told nothing.
    let is_shown = is_cancellation_shown(service, now);
    let client_id = Some(service.client_id);
    sentences.push(told_of_change(business, client_id, is_shown, can_send));
    Some(CorrectionPreview {
        text: sentences.join(" "),
        problem: decided.err().map(|it| it.words(business.hour_cycle())),
    })
}

/// Returns true for a cancelled visit of which the server says that it takes place after all, once it is scheduled again.
pub(super) fn is_cancellation_shown(service: &Service, now: &Now) -> bool {
    let is_to_come = now.today() <= service.end_date.unwrap_or(service.date);
    let is_shown = |at: Instant| now.at.0 - at.0 < CANCELLATION_SHOWN_MS;
    service.status == ServiceStatus::Cancelled
        && is_to_come
        && service.cancelled_at.is_some_and(is_shown)
}

/// Time for which the server takes a cancellation back by a notification.
const CANCELLATION_SHOWN_MS: i64 =
    crate::rules::push::ttl_seconds(crate::values::push::PushKind::ServiceCancelled) as i64 * 1000;

/// Corrections of a service in words, the latest first: `Completed on Nov 20, 2026 at 2:00 PM, corrected on Nov 21, 2026 at
/// 9:12 AM`.
pub(crate) fn trace(service: &Service, business: &Business, now: &Now) -> Vec<String> {
    let corrections = service.corrections.iter().rev();
    let text = |it: &Correction| {
        let was = marked(it.was, it.since, business, now);
        [&was, ", corrected", &moment(it.at, business, now)].concat()
    };
    corrections.map(text).collect()
}

/// `Completed on Nov 20, 2026 at 2:00 PM`.
fn marked(status: ServiceStatus, since: Option<Instant>, business: &Business, now: &Now) -> String {
    let word = match status {
        ServiceStatus::Cancelled => "Cancelled",
        _ => "Completed",
    };
    let since = since.map(|it| moment(it, business, now));
    [word, &since.unwrap_or_default()].concat()
}

fn moment(at: Instant, business: &Business, now: &Now) -> String {
    let (date, time) = at.civil(&now.zone);
    let time = format::time(time, business.hour_cycle());
    [" on ", &format::date(date), " at ", &time].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Row;
    use crate::rows::client::Client;
    use crate::values::zone::TimeZone;

    fn now() -> Now {
        Now {
            at: "2026-11-21T09:12:00Z".parse().unwrap(),
            zone: TimeZone::UTC,
        }
    }

    fn business(service: Service) -> Business {
        let mut business = Business::default();
        let client = Client {
            name: "Dana Whitfield".to_owned(),
            ..Client::new(Id::of(2), Instant(0))
        };
        business.put(1, Row::Client(client));
        business.put(1, Row::Service(service));
        business
    }

    fn done() -> Service {
        Service {
            client_id: Id::of(2),
            date: "2026-11-20".parse().unwrap(),
            status: ServiceStatus::Completed,
            completed_at: Some("2026-11-20T14:00:00Z".parse().unwrap()),
            ..Service::new(Id::of(1), Instant(0))
        }
    }

    #[test]
    fn a_correction_says_what_it_undoes_and_who_is_told() {
        let preview = correction(&business(done()), Id::of(1), true, &now()).unwrap();
        assert_eq!(
            preview.text,
            "This undoes: Completed on Nov 20, 2026 at 2:00 PM. It is scheduled again, and you complete or cancel it anew. \
             Until then it is not billed. Service notes and reports stay. \
             Nobody is told: Dana Whitfield is not in the portal."
        );
        assert_eq!(preview.problem, None);
        let open = Service {
            status: ServiceStatus::Scheduled,
            ..done()
        };
        assert_eq!(correction(&business(open), Id::of(1), true, &now()), None);
    }

    #[test]
    fn what_is_invoiced_is_refused_with_the_way_out() {
        let invoiced = Service {
            invoice_id: Some(Id::of(3)),
            paid: true,
            ..done()
        };
        let preview = correction(&business(invoiced), Id::of(1), true, &now()).unwrap();
        assert_eq!(
            preview.problem.as_deref(),
            Some(
                "This service is on an invoice. Delete the invoice, or credit it in full, and correct the service after \
                 that."
            )
        );
    }

    #[test]
    fn a_trace_says_what_was_taken_back_and_when() {
        let service = Service {
            status: ServiceStatus::Scheduled,
            corrections: vec![Correction {
                was: ServiceStatus::Completed,
                since: done().completed_at,
                at: now().at,
            }],
            ..done()
        };
        let business = business(service.clone());
        assert_eq!(
            trace(&service, &business, &now()),
            ["Completed on Nov 20, 2026 at 2:00 PM, corrected on Nov 21, 2026 at 9:12 AM"]
        );
    }
}
