//! Owns records as bytes: they are made by the module that has the replica, and read by the one that computes. Nothing
//! stores them, so that both are always of one build.

use super::period::Period;
use super::records::{Asked, Counted, Customer, OfferedHours, Records};
use crate::rows::service::{ServiceStatus, ServiceType};
use crate::rows::walk_request::RequestStatus;
use crate::values::interval::Interval;
use crate::values::place::Place;
use crate::values::units::HourCycle;
use crate::{Cents, Date, Id, Time};

const STATUSES: [ServiceStatus; 3] = [
    ServiceStatus::Scheduled,
    ServiceStatus::Completed,
    ServiceStatus::Cancelled,
];

const REQUEST_STATUSES: [RequestStatus; 4] = [
    RequestStatus::Pending,
    RequestStatus::Approved,
    RequestStatus::Declined,
    RequestStatus::Completed,
];

/// A number for the place of `it` in `all`.
fn place_in<T: PartialEq>(all: &[T], it: &T) -> i64 {
    let place = all.iter().position(|other| other == it);
    place.and_then(|it| i64::try_from(it).ok()).unwrap_or(-1)
}

/// Bytes that grow.
#[derive(Default)]
struct Writer(Vec<u8>);

impl Writer {
    /// Numbers near 0, of which there are most, take a byte (LEB128 of zigzag).
    fn number(&mut self, number: i64) {
        let mut rest = (number.cast_unsigned() << 1) ^ (number >> 63).cast_unsigned();
        while 0x7f < rest {
            self.0.push(0x80 | low_bits(rest));
            rest >>= 7;
        }
        self.0.push(low_bits(rest));
    }

    fn length(&mut self, length: usize) {
        self.number(i64::try_from(length).unwrap_or_default());
    }

    fn text(&mut self, text: &str) {
        self.length(text.len());
        self.0.extend_from_slice(text.as_bytes());
    }
}

/// The lowest seven.
const fn low_bits(number: u64) -> u8 {
    (number & 0x7f) as u8
}

/// Bytes that are read from the front; `None` where they end too early.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn number(&mut self) -> Option<i64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some((number >> 1).cast_signed() ^ -(number & 1).cast_signed());
            }
        }
        None
    }

    fn length(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    fn small<T: TryFrom<i64>>(&mut self) -> Option<T> {
        T::try_from(self.number()?).ok()
    }

    fn text(&mut self) -> Option<String> {
        let length = self.length()?;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        String::from_utf8(text.to_vec()).ok()
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        all.get(self.length()?).copied()
    }

    fn time(&mut self) -> Option<Time> {
        self.number().map(Time::from_minutes)
    }

    fn list<T>(&mut self, read: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let length = self.length()?;
        (0..length).map(|_| read(self)).collect()
    }
}

impl Records {
    /// For another module.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut to = Writer(Vec::with_capacity(12 * self.services.len()));
        to.number(self.period.start_date.days_since_epoch());
        to.number(self.period.end_date.days_since_epoch());
        to.number(self.today.days_since_epoch());
        to.number((self.hour_cycle == HourCycle::H23).into());
        to.length(self.clients.len());
        for it in &self.clients {
            let (high, low) = it.id.0.as_u64_pair();
            to.number(high.cast_signed());
            to.number(low.cast_signed());
            to.text(&it.name);
            to.number(it.is_kept.into());
            to.number(it.served_earlier.into());
            to.number(it.home.is_some().into());
            let home = it.home.unwrap_or_default();
            to.number(home.lat_e7.into());
            to.number(home.lon_e7.into());
        }
        to.length(self.services.len());
        for it in &self.services {
            to.number(it.date.days_since_epoch());
            to.number(it.start.minute_of_day().into());
            to.number(it.minutes.into());
            to.length(it.client);
            to.number((it.service_type == ServiceType::Dropin).into());
            to.number(it.is_stay.into());
            to.number(place_in(&STATUSES, &it.status));
            to.number(it.paid.into());
            to.number(it.price.0);
        }
        to.length(self.requests.len());
        for it in &self.requests {
            to.number(it.date.days_since_epoch());
            to.number(place_in(&REQUEST_STATUSES, &it.status));
        }
        to.length(self.offered.len());
        for it in &self.offered {
            to.number(it.day_of_week.into());
            to.number(it.start.minute_of_day().into());
            to.number(it.end.minute_of_day().into());
        }
        to.length(self.blocked.len());
        let mut last = 0;
        for it in &self.blocked {
            to.number(it.start - last);
            to.number(it.end - it.start);
            last = it.end;
        }
        to.0
    }

    /// Parses the output of `to_bytes`; `None` for anything else.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader(bytes);
        let from = &mut from;
        Some(Self {
            period: Period {
                start_date: Date::of_days(from.number()?),
                end_date: Date::of_days(from.number()?),
            },
            today: Date::of_days(from.number()?),
            hour_cycle: from.one_of(&[HourCycle::H12, HourCycle::H23])?,
            clients: from.list(|it| {
                let (high, low) = (it.number()?, it.number()?);
                let id = uuid::Uuid::from_u64_pair(high.cast_unsigned(), low.cast_unsigned());
                Some(Customer {
                    id: Id(id),
                    name: it.text()?,
                    is_kept: it.number()? == 1,
                    served_earlier: it.number()? == 1,
                    home: {
                        let is_known = it.number()? == 1;
                        let home = Place {
                            lat_e7: it.small()?,
                            lon_e7: it.small()?,
                        };
                        is_known.then_some(home)
                    },
                })
            })?,
            services: from.list(|it| {
                Some(Counted {
                    date: Date::of_days(it.number()?),
                    start: it.time()?,
                    minutes: it.small()?,
                    client: it.length()?,
                    service_type: it.one_of(&[ServiceType::Walk, ServiceType::Dropin])?,
                    is_stay: it.number()? == 1,
                    status: it.one_of(&STATUSES)?,
                    paid: it.number()? == 1,
                    price: Cents(it.number()?),
                })
            })?,
            requests: from.list(|it| {
                Some(Asked {
                    date: Date::of_days(it.number()?),
                    status: it.one_of(&REQUEST_STATUSES)?,
                })
            })?,
            offered: from.list(|it| {
                Some(OfferedHours {
                    day_of_week: it.small()?,
                    start: it.time()?,
                    end: it.time()?,
                })
            })?,
            blocked: {
                let (length, mut last) = (from.length()?, 0);
                let interval = |_| {
                    let start = last + from.number()?;
                    last = start + from.number()?;
                    Some(Interval { start, end: last })
                };
                (0..length).map(interval).collect::<Option<_>>()?
            },
        })
    }
}
