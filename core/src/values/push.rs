//! Owns what people are told of by web push: its kinds, which of them somebody wants, and the hours in which nothing comes.

use serde::Serialize;

use crate::Time;
use crate::values::form_errors::FieldErrors;
use crate::values::instant::{Instant, Now};
use crate::values::json::{read_by_field, read_by_name};

/// Subject of a notification.
///
/// Stored by name. Only add variants; never rename.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum PushKind {
    /// A client asks for a walk or a visit.
    NewRequest,
    /// The sitter has approved a request.
    RequestApproved,
    /// The sitter has declined a request.
    RequestDeclined,
    /// A message came.
    Message,
    /// A service has another day or time.
    ServiceChanged,
    /// A service was called off.
    ServiceCancelled,
    /// A walk has begun.
    WalkStarted,
    /// The report of a walk was shared.
    ReportReady,
    /// A service begins soon.
    UpcomingService,
    /// An invoice was shared.
    Invoice,
    /// An invoice was paid by card.
    CardPayment,
    /// A payment by card was given back, or has not come after all.
    CardPaymentLost,
}

read_by_name!(PushKind {
    NewRequest,
    RequestApproved,
    RequestDeclined,
    Message,
    ServiceChanged,
    ServiceCancelled,
    WalkStarted,
    ReportReady,
    UpcomingService,
    Invoice,
    CardPayment,
    CardPaymentLost
});

impl PushKind {
    /// Kinds of notifications that sitters get.
    pub const OF_SITTERS: &[Self] = &[
        Self::NewRequest,
        Self::Message,
        Self::UpcomingService,
        Self::CardPayment,
        Self::CardPaymentLost,
    ];

    /// Kinds of notifications that client users get.
    pub const OF_CLIENTS: &[Self] = &[
        Self::RequestApproved,
        Self::RequestDeclined,
        Self::Message,
        Self::ServiceChanged,
        Self::ServiceCancelled,
        Self::WalkStarted,
        Self::ReportReady,
        Self::UpcomingService,
        Self::Invoice,
    ];
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

/// Kinds of notifications that a person wants, and the hours in which none come.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PushPreferences {
    /// The kinds that the person does not want; all others come.
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
}

read_by_field!(PushPreferences {} or default { off, quiet_hours, time_zone });

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
    fn everybody_can_get_something_and_nothing_is_for_nobody() {
        let all = [PushKind::OF_SITTERS, PushKind::OF_CLIENTS].concat();
        for kind in [PushKind::NewRequest, PushKind::Invoice, PushKind::Message] {
            assert!(all.contains(&kind));
        }
        assert!(!PushKind::OF_CLIENTS.contains(&PushKind::NewRequest));
        assert!(!PushKind::OF_SITTERS.contains(&PushKind::Invoice));
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
