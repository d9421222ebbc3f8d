//! Owns the row of a time in which nothing is booked, and the days on which it falls (SPEC 3 and 9).

use serde::Serialize;

use crate::rows::fields::row;
use crate::rows::service::{BOTH, ServiceType};
use crate::values::date::MINUTES_PER_DAY;
use crate::values::format;
use crate::values::interval::Interval;
use crate::values::json::{read_by_field, read_by_name};
use crate::{Date, Id, Instant, Time};

/// Why a time is blocked (SPEC 9).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum BlockType {
    /// A break between services.
    Break,
    /// A lunch break; the default.
    #[default]
    Lunch,
    /// Office work (the wire name is `admin`).
    Admin,
    /// Personal time of the sitter.
    Personal,
    /// The sitter's vacation.
    Vacation,
    /// Sick time of the sitter.
    Sick,
    /// Blocked because of an emergency.
    Emergency,
    /// Blocked for maintenance work.
    Maintenance,
    /// Any other reason.
    Other,
}

read_by_name!(BlockType {
    Break,
    Lunch,
    Admin,
    Personal,
    Vacation,
    Sick,
    Emergency,
    Maintenance,
    Other
});

/// All of them, as a form offers them.
pub const BLOCK_TYPES: [BlockType; 9] = [
    BlockType::Break,
    BlockType::Lunch,
    BlockType::Admin,
    BlockType::Personal,
    BlockType::Vacation,
    BlockType::Sick,
    BlockType::Emergency,
    BlockType::Maintenance,
    BlockType::Other,
];

/// How a blocked time repeats (decisions, Server-side rules).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Recurrence {
    /// Every day from `block_date` on.
    Daily,
    /// Every week on the same weekday.
    #[default]
    Weekly,
    /// Every month on the same day; a month without that day is skipped.
    Monthly,
}

read_by_name!(Recurrence {
    Daily,
    Weekly,
    Monthly
});

/// A message about the sitter's time off to a client who is not in the portal: the sitter passes it on.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TimeOffNote {
    /// Id of the client.
    pub client_id: Id,
    /// The words, never blank.
    pub content: String,
    /// When it was written.
    pub written_at: Instant,
    /// When the sitter passed it on; none while that is to be done.
    #[serde(default)]
    pub passed_on_at: Option<Instant>,
}

read_by_field!(TimeOffNote { client_id, content, written_at } or default { passed_on_at });

row! {
    /// A time in which nothing is booked (SPEC 3). Stored on phones. Only add optional fields; never rename.
    BlockedTime {
        /// Made by whoever blocks the time.
        id: Id = id, required;
        /// The day, or the first of a recurring block.
        block_date: Date = block_date => date, required;
        /// When it begins on its day.
        start_time: Time = Time::hour(12) => time, required;
        /// When it ends on its day; a block that ends before it begins blocks nothing.
        end_time: Time = Time::hour(13) => time, required;
        /// The kind of reason; `reason` has the details.
        block_type: BlockType = BlockType::Lunch => plain, required;
        /// Optional; may be empty.
        #[serde(default)]
        reason: String = String::new() => plain;
        /// Service types that the time is blocked for.
        blocked_services: Vec<ServiceType> = BOTH.to_vec() => plain, required;
        /// A block that allows emergencies warns and does not refuse.
        allows_emergency: bool = false => plain, required;
        /// True if the block repeats after `block_date`, as `recurrence_pattern` says.
        is_recurring: bool = false => plain, required;
        /// Interval of the recurrence; none where it does not repeat.
        #[serde(default)]
        recurrence_pattern: Option<Recurrence> = None => plain;
        /// The last day on which it may fall, inclusive; none repeats for ever.
        #[serde(default)]
        recurrence_end_date: Option<Date> = None => date;
        /// Messages about it to clients who are not in the portal; one for each at most.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        to_pass_on: Vec<TimeOffNote> = Vec::new();
    }
    /// A blocked time with the defaults of SPEC 9.
    new(id: Id, block_date: Date)
}

impl BlockedTime {
    /// Returns true if the block falls on that day. The last day of its recurrence is included.
    pub fn occurs_on(&self, date: Date) -> bool {
        if !self.is_recurring {
            return date == self.block_date;
        }
        if date < self.block_date || self.recurrence_end_date.is_some_and(|last| last < date) {
            return false;
        }
        match self.recurrence_pattern.unwrap_or_default() {
            Recurrence::Daily => true,
            Recurrence::Weekly => date.day_of_week() == self.block_date.day_of_week(),
            // A month without that day has no date with its number, and so is skipped.
            Recurrence::Monthly => date.parts().2 == self.block_date.parts().2,
        }
    }

    /// The first day from `today` on that it falls on; none when it is over.
    pub fn next_date(&self, today: Date) -> Option<Date> {
        let from = today.max(self.block_date);
        (0..=LONGEST_GAP_DAYS)
            .map(|it| from.plus_days(it))
            .find(|it| self.occurs_on(*it))
    }

    /// The days that it falls on, in words.
    pub(crate) fn when(&self, today: Date) -> String {
        let first = self.block_date;
        if !self.is_recurring {
            return format!("{}, {}", format::weekday(first), format::date(first));
        }
        let pattern = self.recurrence_pattern.unwrap_or_default();
        // Days in a row are one time away, not a repetition.
        if let (Recurrence::Daily, Some(last)) = (pattern, self.recurrence_end_date) {
            return match first < last {
                true => format!("{} to {}", format::date(first), format::date(last)),
                false => format!("{}, {}", format::weekday(first), format::date(first)),
            };
        }
        let mut words = match pattern {
            Recurrence::Daily => "Every day".to_owned(),
            Recurrence::Weekly => format!("Every {}", format::weekday(first)),
            Recurrence::Monthly => format!("Day {} of every month", first.parts().2),
        };
        if today < first {
            words.push_str(" from ");
            words.push_str(&format::date(first));
        }
        if let Some(last) = self.recurrence_end_date {
            words.push_str(" until ");
            words.push_str(&format::date(last));
        }
        words
    }

    /// Returns true if the block leaves nothing of its days free, as the form's whole day does (00:00 to 23:59).
    pub(crate) fn blocks_whole_days(&self) -> bool {
        self.start_time == Time::hour(0) && Time::from_minutes(MINUTES_PER_DAY - 1) <= self.end_time
    }

    /// Returns the blocked interval of that day; `None` if the block does not fall on it or ends before it begins.
    pub(crate) fn interval_on(&self, date: Date) -> Option<Interval> {
        (self.start_time < self.end_time && self.occurs_on(date)).then(|| Interval {
            start: date.minute(self.start_time),
            end: date.minute(self.end_time),
        })
    }
}

/// The longest that a recurring block is away from a day that it falls on: two months in a row without its day do not
/// exist.
const LONGEST_GAP_DAYS: i64 = 62;
