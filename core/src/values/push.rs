//! Owns the table of what people are told of: one line for each kind, from which server and settings have who is told, by
//! notification and by mail, and in which words; the kinds that a person wants, and the hours in which none comes.

use serde::Serialize;

use crate::Time;
use crate::values::form_errors::FieldErrors;
use crate::values::instant::{Instant, Now};
use crate::values::json::{read_by_field, read_by_name};

/// How much a push service should hurry, and spend of the phone's battery (RFC 8030, 5.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Urgency {
    /// Low: at the next occasion.
    Low,
    /// Soon; the usual urgency.
    Normal,
    /// At once, even if it costs battery.
    High,
}

/// Text and target of a notification, both with placeholders that `rules::push` fills in: `{visit}` for walk, stay or
/// drop-in visit, `{on}` for its time with a blank before it, `{about}` and `{client}` for ids.
#[derive(Clone, Copy, Debug)]
pub struct PushTexts {
    /// Text of one sentence.
    pub says: &'static str,
    /// Path that a tap opens; for clients the part after `/client`.
    pub opens: &'static str,
}

/// Mail about an event to a person whom no device shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventMail {
    /// None: a notification alone, or a mail of its own that goes to everybody.
    Never,
    /// A mail at once.
    AtOnce,
    /// Later, in one mail with what has come by then.
    Gathered,
}

/// Milliseconds for which `EventMail::Gathered` waits for more.
const GATHERED_MS: i64 = 30 * 60_000;

/// One line of the table of notifications.
#[derive(Clone, Copy, Debug)]
pub struct PushFacts {
    /// Name of the kind in the settings.
    pub name: &'static str,
    /// First byte of the topic: kinds with the same byte replace each other if they are about the same row.
    pub noun: u8,
    /// Seconds for which it is worth telling.
    pub ttl_seconds: u32,
    /// Urgency at the push service.
    pub urgency: Urgency,
    /// Milliseconds that a notice waits for more of its topic.
    pub settles_ms: i64,
    /// Notification of the sitter; `None` if sitters do not get this kind.
    pub to_sitter: Option<PushTexts>,
    /// Notification of a client user; `None` if clients do not get this kind.
    pub to_client: Option<PushTexts>,
    /// Text of the notification that replaces one whose reason is gone.
    pub withdrawn: &'static str,
    /// Mail to whoever is notified of it, in the words of the notification.
    pub mail: EventMail,
    /// True if a client without a login is mailed of it, too, where the sitter allows that.
    pub mails_without_login: bool,
}

const fn facts(name: &'static str, noun: u8, ttl_seconds: u32, urgency: Urgency) -> PushFacts {
    PushFacts {
        name,
        noun,
        ttl_seconds,
        urgency,
        settles_ms: 0,
        to_sitter: None,
        to_client: None,
        withdrawn: "This was taken back",
        mail: EventMail::Never,
        mails_without_login: false,
    }
}

const fn texts(says: &'static str, opens: &'static str) -> Option<PushTexts> {
    Some(PushTexts { says, opens })
}

const MINUTE: u32 = 60;
const HOUR: u32 = 60 * MINUTE;
const DAY: u32 = 24 * HOUR;

macro_rules! push_kinds {
    ($($(#[$doc:meta])* $Kind:ident = $facts:expr;)*) => {
        /// Subject of a notification.
        ///
        /// Stored by name. Only add variants; never rename.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
        #[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        #[serde(rename_all = "snake_case")]
        pub enum PushKind {
            $($(#[$doc])* $Kind,)*
        }

        read_by_name!(PushKind { $($Kind),* });

        impl PushKind {
            /// All of them, in the order in which they are offered.
            pub const ALL: &[Self] = &[$(Self::$Kind),*];

            /// Its line in the table.
            pub const fn facts(self) -> PushFacts {
                match self { $(Self::$Kind => $facts),* }
            }
        }
    };
}

push_kinds! {
    /// A client asks for a walk or a visit.
    NewRequest = PushFacts {
        // Several dates that are asked for at once are one notification.
        settles_ms: 2_000,
        to_sitter: texts("Asks for a {visit}{on}", "/requests"),
        withdrawn: "Took back the request for a {visit}{on}",
        mail: EventMail::AtOnce,
        ..facts("New requests", b'r', DAY, Urgency::High)
    };
    /// A client has booked an open time without asking.
    ClientBooked = PushFacts {
        // Several dates that are booked at once are one notification.
        settles_ms: 2_000,
        to_sitter: texts("Booked a {visit}{on}", "/scheduling?service={about}"),
        to_client: texts("Your {visit}{on} is booked", "/visits/{about}"),
        withdrawn: "No longer booked: {visit}{on}",
        mail: EventMail::AtOnce,
        ..facts("Visits booked without asking", b'o', DAY, Urgency::High)
    };
    /// The sitter has approved a request.
    RequestApproved = PushFacts {
        to_client: texts("Your {visit}{on} is booked", "/visits/{about}"),
        withdrawn: "Not booked yet: your request for a {visit}{on} waits for an answer again",
        mail: EventMail::AtOnce,
        mails_without_login: true,
        ..facts("Approved requests", b'r', DAY, Urgency::Normal)
    };
    /// The sitter has declined a request.
    RequestDeclined = PushFacts {
        to_client: texts("Your request for a {visit}{on} was declined", ""),
        mail: EventMail::AtOnce,
        mails_without_login: true,
        ..facts("Declined requests", b'r', DAY, Urgency::Normal)
    };
    /// A message came.
    Message = PushFacts {
        // Several lines in a row are one notification, and none if they are read meanwhile in an open app.
        settles_ms: 2_000,
        to_sitter: texts("Sent you a message", "/messages/{client}"),
        to_client: texts("Sent you a message", "/messages/{client}"),
        withdrawn: "Took back a message",
        mail: EventMail::Gathered,
        ..facts("Messages", b'm', DAY, Urgency::High)
    };
    /// The sitter has booked a service.
    VisitBooked = PushFacts {
        // A booking that is undone or changed at once is not told first.
        settles_ms: 60_000,
        to_client: texts("Your {visit}{on} is booked", "/visits/{about}"),
        mail: EventMail::AtOnce,
        mails_without_login: true,
        ..facts("Visits that your sitter books", b's', DAY, Urgency::Normal)
    };
    /// A service has another price, other pets, other notes or another offering, at the same time.
    DetailsChanged = PushFacts {
        settles_ms: 60_000,
        to_client: texts("Details of your {visit}{on} have changed", "/visits/{about}"),
        mail: EventMail::AtOnce,
        mails_without_login: true,
        ..facts("Changed prices, pets and notes", b's', DAY, Urgency::Normal)
    };
    /// A service has another day or time.
    ServiceChanged = PushFacts {
        to_client: texts("Your {visit} is now{on}", "/visits/{about}"),
        mail: EventMail::AtOnce,
        mails_without_login: true,
        ..facts("Changed times", b's', DAY, Urgency::High)
    };
    /// A service was called off.
    ServiceCancelled = PushFacts {
        to_client: texts("Your {visit}{on} was cancelled", "/visits/{about}"),
        withdrawn: "Your {visit}{on} takes place after all",
        mail: EventMail::AtOnce,
        mails_without_login: true,
        ..facts("Cancelled services", b's', DAY, Urgency::High)
    };
    /// The sitter is on the way.
    OnTheWay = PushFacts {
        to_client: texts("On the way to your {visit}", "/visits/{about}"),
        withdrawn: "Not on the way to your {visit} yet",
        mail: EventMail::AtOnce,
        ..facts("Sitter on the way", b'w', 15 * MINUTE, Urgency::High)
    };
    /// A walk has begun.
    WalkStarted = PushFacts {
        to_client: texts("Your {visit} has started", "/visits/{about}"),
        withdrawn: "Your {visit} has not started yet",
        mail: EventMail::AtOnce,
        ..facts("Started walks", b'w', 15 * MINUTE, Urgency::High)
    };
    /// A service is done, and has no report.
    VisitDone = PushFacts {
        // A report that comes within minutes says it better.
        settles_ms: 5 * 60_000,
        to_client: texts("Your {visit} is done", "/visits/{about}"),
        withdrawn: "Your {visit} is not done yet",
        mail: EventMail::AtOnce,
        ..facts("Visits that are done without a report", b'w', 2 * HOUR, Urgency::Normal)
    };
    /// The report of a walk, a visit or a day of a stay was shared.
    ReportReady = PushFacts {
        to_client: texts("The report of your walk is ready", ""),
        withdrawn: "A report was taken back",
        mail: EventMail::AtOnce,
        ..facts("Reports of walks and visits", b'p', DAY, Urgency::Normal)
    };
    /// A service begins soon.
    UpcomingService = PushFacts {
        to_sitter: texts("Next {visit} at {time}", "/scheduling?service={about}"),
        to_client: texts("Your {visit} begins soon, {clock}", "/visits/{about}"),
        ..facts("Upcoming services", b's', HOUR, Urgency::High)
    };
    /// A visit waits for its start or its completion.
    VisitOverdue = PushFacts {
        to_sitter: texts("Not completed yet: {visit}{on}", "/scheduling?service={about}"),
        withdrawn: "No longer overdue: {visit}{on}",
        ..facts("Overdue visits", b's', 12 * HOUR, Urgency::High)
    };
    /// An invoice was shared.
    Invoice = PushFacts {
        to_client: texts("You have a new invoice", "/invoices"),
        withdrawn: "An invoice was taken back",
        mail: EventMail::AtOnce,
        ..facts("Invoices", b'i', 3 * DAY, Urgency::Low)
    };
    /// A payment of an invoice was noted, by the sitter or by card.
    PaymentRecorded = PushFacts {
        // A payment over several invoices is one notification, and one that is undone at once is none.
        settles_ms: 60_000,
        to_client: texts("Your payment was recorded", "/invoices"),
        withdrawn: "A recorded payment was removed",
        mail: EventMail::AtOnce,
        ..facts("Recorded payments", b'y', 3 * DAY, Urgency::Low)
    };
    /// A credit note was given.
    CreditNote = PushFacts {
        to_client: texts("You have a credit note", "/invoices"),
        mail: EventMail::AtOnce,
        ..facts("Credit notes", b'i', 3 * DAY, Urgency::Low)
    };
    /// An invoice was paid by card.
    CardPayment = PushFacts {
        to_sitter: texts("Paid an invoice by card", "/invoices?tab=history"),
        mail: EventMail::AtOnce,
        ..facts("Payments by card", b'i', 3 * DAY, Urgency::Low)
    };
    /// A payment by card was given back in whole or part, or has not come after all.
    CardPaymentLost = PushFacts {
        to_sitter: texts("A payment by card did not come through", "/invoices?tab=history"),
        mail: EventMail::AtOnce,
        ..facts("Refunds and failed payments by card", b'i', 3 * DAY, Urgency::Low)
    };
    /// A month was billed by itself, or can be billed.
    BillingDay = PushFacts {
        to_sitter: texts("{bills}", "/invoices?bill=all"),
        ..facts("Billing day", b'b', 3 * DAY, Urgency::Low)
    };
    /// A pet parent left the business, or deleted the account.
    ParentLeft = PushFacts {
        to_sitter: texts("Left your portal", "/clients/{client}"),
        mail: EventMail::AtOnce,
        ..facts("Clients who leave your portal", b'c', 3 * DAY, Urgency::Normal)
    };
    /// A pet parent has used an invitation.
    ParentJoined = PushFacts {
        to_sitter: texts("Accepted your invitation", "/clients/{client}"),
        mail: EventMail::AtOnce,
        ..facts("Clients who accept an invitation", b'c', 3 * DAY, Urgency::Normal)
    };
    /// A pet parent has changed details of home or pets.
    DetailsCorrected = PushFacts {
        // Several fields that are changed one after the other are one notification.
        settles_ms: 60_000,
        to_sitter: texts("Changed details of home or pets", "/clients/{client}"),
        mail: EventMail::AtOnce,
        ..facts("Clients who change details", b'k', 3 * DAY, Urgency::Normal)
    };
    /// A pet parent has no access to a business any more.
    AccessEnded = PushFacts {
        to_client: texts("Ended your access. Ask about visits that you have booked.", ""),
        ..facts("Sitters who end your access", b'c', 3 * DAY, Urgency::High)
    };
}

impl PushKind {
    /// Lists the kinds of notifications that sitters get.
    pub fn of_sitters() -> Vec<Self> {
        let all = Self::ALL.iter().copied();
        all.filter(|it| it.facts().to_sitter.is_some()).collect()
    }

    /// Lists the kinds of notifications that client users get.
    pub fn of_clients() -> Vec<Self> {
        let all = Self::ALL.iter().copied();
        all.filter(|it| it.facts().to_client.is_some()).collect()
    }

    /// Returns true if people are mailed of this kind.
    pub fn is_mailed(self) -> bool {
        self.facts().mail != EventMail::Never
    }

    /// Milliseconds that the mail about this kind waits for more at least.
    pub fn mail_settles_ms(self) -> i64 {
        match self.facts().mail {
            EventMail::Gathered => GATHERED_MS,
            EventMail::AtOnce | EventMail::Never => self.facts().settles_ms,
        }
    }
}

/// Hours of every day in which nothing comes, by the wall clock of the person. They may go over midnight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct QuietHours {
    /// The first minute that is quiet.
    pub from: Time,
    /// The first minute that is not.
    pub to: Time,
}

read_by_field!(QuietHours { from, to });

impl QuietHours {
    /// When it is no longer quiet; `None` where it is not quiet now. `now` is in the zone of the person.
    pub fn end(self, now: &Now) -> Option<Instant> {
        let Self { from, to } = self;
        let (today, time) = now.at.civil(&now.zone);
        let day = if from < to {
            (from..to).contains(&time).then_some(today)
        } else if from <= time {
            Some(today.plus_days(1))
        } else {
            (time < to).then_some(today)
        };
        let end = Instant::from_civil(day?, to, &now.zone);
        // An hour that the clock shows twice is quiet once.
        (now.at < end).then_some(end)
    }
}

/// When a person is mailed what a notification says.
///
/// Stored by name. Only add variants; never rename.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum MailChoice {
    /// Mail only while no device of the person has notifications on; the default.
    #[default]
    WithoutDevice,
    /// Mail beside notifications, too.
    Always,
    /// No mail at all.
    Never,
}

read_by_name!(MailChoice {
    WithoutDevice,
    Always,
    Never
});

/// Kinds of notifications that a person wants, and the hours in which none come.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PushPreferences {
    /// The kinds that the person does not want, by notification or mail; all others come.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<PushKind>>))]
    pub off: Vec<PushKind>,
    /// When nothing comes; without them it comes at any hour.
    #[serde(default)]
    pub quiet_hours: Option<QuietHours>,
    /// IANA name of the zone in which the quiet hours are meant; may be empty without them.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub time_zone: String,
    /// When the person is mailed of these kinds.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<MailChoice>))]
    pub mail: MailChoice,
}

read_by_field!(PushPreferences {} or default { off, quiet_hours, time_zone, mail });

impl PushPreferences {
    /// Returns the errors of the preferences; does not check that the zone exists.
    pub fn errors(&self) -> FieldErrors {
        let mut errors = FieldErrors::default();
        if let Some(hours) = self.quiet_hours {
            let is_none = hours.from == hours.to;
            errors.check(
                is_none,
                "quiet_hours",
                "Quiet hours begin and end at the same time",
            );
            let is_missing = self.time_zone.is_empty();
            errors.check(is_missing, "time_zone", "Quiet hours need a time zone");
        }
        errors
    }

    /// The same without what is said twice.
    pub fn tidied(mut self) -> Self {
        self.off.sort();
        self.off.dedup();
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::zone::TimeZone;

    fn new_york() -> TimeZone {
        TimeZone::posix("EST5EDT,M3.2.0,M11.1.0").unwrap()
    }

    #[track_caller]
    fn check(from: u16, to: u16, at: &str, end: Option<&str>) {
        let hours = QuietHours {
            from: Time::hour(from),
            to: Time::hour(to),
        };
        let now = Now {
            at: at.parse().unwrap(),
            zone: new_york(),
        };
        let end = end.map(|it| it.parse::<Instant>().unwrap());
        assert_eq!(hours.end(&now), end, "{from} to {to} at {at}");
    }

    #[test]
    fn quiet_hours_are_by_the_wall_clock_and_may_go_over_midnight() {
        check(22, 7, "2026-11-20T21:59:00-05:00", None);
        check(
            22,
            7,
            "2026-11-20T22:00:00-05:00",
            Some("2026-11-21T07:00:00-05:00"),
        );
        check(
            22,
            7,
            "2026-11-21T06:59:59-05:00",
            Some("2026-11-21T07:00:00-05:00"),
        );
        check(22, 7, "2026-11-21T07:00:00-05:00", None);
        check(12, 14, "2026-11-20T11:59:00-05:00", None);
        check(
            12,
            14,
            "2026-11-20T12:30:00-05:00",
            Some("2026-11-20T14:00:00-05:00"),
        );
        check(12, 14, "2026-11-20T14:00:00-05:00", None);
        // The night on which the clock goes forward is an hour shorter.
        check(
            22,
            7,
            "2027-03-13T23:00:00-05:00",
            Some("2027-03-14T07:00:00-04:00"),
        );
    }

    #[test]
    fn an_hour_that_the_clock_shows_twice_is_quiet_once() {
        // 01:30 EDT, and 01:30 EST an hour later.
        check(
            0,
            1,
            "2026-11-01T00:30:00-04:00",
            Some("2026-11-01T01:00:00-04:00"),
        );
        let hours = QuietHours {
            from: Time::hour(1),
            to: Time::new(1, 30).unwrap(),
        };
        let end = |at: &str| {
            let now = Now {
                at: at.parse().unwrap(),
                zone: new_york(),
            };
            hours.end(&now)
        };
        assert!(end("2026-11-01T01:10:00-04:00").is_some());
        assert_eq!(end("2026-11-01T01:10:00-05:00"), None);
    }

    #[test]
    fn sitters_and_clients_get_their_kinds_in_the_order_of_the_table() {
        let sitters = [
            PushKind::NewRequest,
            PushKind::ClientBooked,
            PushKind::Message,
            PushKind::UpcomingService,
            PushKind::VisitOverdue,
            PushKind::CardPayment,
            PushKind::CardPaymentLost,
            PushKind::BillingDay,
            PushKind::ParentLeft,
            PushKind::ParentJoined,
            PushKind::DetailsCorrected,
        ];
        assert_eq!(PushKind::of_sitters(), sitters);
        let clients = [
            PushKind::ClientBooked,
            PushKind::RequestApproved,
            PushKind::RequestDeclined,
            PushKind::Message,
            PushKind::VisitBooked,
            PushKind::DetailsChanged,
            PushKind::ServiceChanged,
            PushKind::ServiceCancelled,
            PushKind::OnTheWay,
            PushKind::WalkStarted,
            PushKind::VisitDone,
            PushKind::ReportReady,
            PushKind::UpcomingService,
            PushKind::Invoice,
            PushKind::PaymentRecorded,
            PushKind::CreditNote,
            PushKind::AccessEnded,
        ];
        assert_eq!(PushKind::of_clients(), clients);
        for kind in PushKind::ALL {
            assert!(sitters.contains(kind) || clients.contains(kind), "{kind:?}");
        }
    }

    #[test]
    fn mail_stands_in_for_a_device_but_for_what_is_too_late_or_has_a_mail_of_its_own() {
        let unmailed = |kinds: Vec<PushKind>| -> Vec<PushKind> {
            kinds.into_iter().filter(|it| !it.is_mailed()).collect()
        };
        let of_sitters = [
            PushKind::UpcomingService,
            PushKind::VisitOverdue,
            PushKind::BillingDay,
        ];
        assert_eq!(unmailed(PushKind::of_sitters()), of_sitters);
        let of_clients = [PushKind::UpcomingService, PushKind::AccessEnded];
        assert_eq!(unmailed(PushKind::of_clients()), of_clients);
        let stored: PushPreferences = serde_json::from_str(r#"{"off":[]}"#).unwrap();
        assert_eq!(stored.mail, MailChoice::WithoutDevice);
    }

    #[test]
    fn clients_without_a_login_are_mailed_of_visits_alone() {
        let all = PushKind::ALL.iter().copied();
        let told: Vec<PushKind> = all.filter(|it| it.facts().mails_without_login).collect();
        let expected = [
            PushKind::RequestApproved,
            PushKind::RequestDeclined,
            PushKind::VisitBooked,
            PushKind::DetailsChanged,
            PushKind::ServiceChanged,
            PushKind::ServiceCancelled,
        ];
        assert_eq!(told, expected);
        assert!(told.iter().all(|it| it.is_mailed()));
    }

    #[test]
    fn quiet_hours_have_a_length_and_a_zone() {
        let same = QuietHours {
            from: Time::hour(7),
            to: Time::hour(7),
        };
        let wrong = PushPreferences {
            quiet_hours: Some(same),
            ..PushPreferences::default()
        };
        let fields: Vec<String> = wrong.errors().0.into_iter().map(|it| it.field).collect();
        assert_eq!(fields, ["quiet_hours", "time_zone"]);
        assert!(PushPreferences::default().errors().0.is_empty());
    }
}
