//! Owns adding up: services with what they come to, and shares in percent.

use serde::{Serialize, Serializer};

use super::records::Counted;
use crate::Cents;
use crate::rows::service::ServiceType;
use crate::values::money::grouped;

/// Counts and revenue of services, added up with `add`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sum {
    pub services: u32,
    pub walks: u32,
    pub dropins: u32,
    pub revenue: Cents,
    pub paid: Cents,
}

impl Sum {
    pub(super) fn add(&mut self, it: &Counted) {
        self.services += 1;
        match it.service_type {
            ServiceType::Walk => self.walks += 1,
            ServiceType::Dropin => self.dropins += 1,
        }
        self.revenue = self.revenue + it.price;
        if it.paid {
            self.paid = self.paid + it.price;
        }
    }
}

/// A share or a growth in tenths of a percent; in JSON a number of percent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(value_type = f64))]
pub struct Percent(#[cfg_attr(target_arch = "wasm32", tsify(type = "number"))] pub i64);

impl Percent {
    /// `part` of `whole`, rounded half away from zero, but never to nothing or to all where it is neither; of nothing there
    /// is none.
    pub(super) fn of(part: i64, whole: i64) -> Option<Self> {
        (0 < whole).then(|| match Cents(part).share(1000, whole).0 {
            0 => Self(part.signum()),
            1000 if part < whole => Self(999),
            share => Self(share),
        })
    }

    /// By how much more `now` is than `before`; from nothing there is no number.
    pub(super) fn growth(now: i64, before: i64) -> Option<Self> {
        Self::of(now - before, before)
    }

    /// For people: `12%`, and `3.4%` or `99.6%` where whole percents would say too little.
    pub fn text(self) -> String {
        let (sign, tenths) = (if self.0 < 0 { "-" } else { "" }, self.0.unsigned_abs());
        if tenths % 10 != 0 && (tenths < 100 || (990..1000).contains(&tenths)) {
            return format!("{sign}{}.{}%", tenths / 10, tenths % 10);
        }
        format!("{sign}{}%", grouped((tenths + 5) / 10))
    }

    /// A growth for people: `up 12%`, `down 3%`, `as before`.
    pub(super) fn growth_text(self) -> String {
        match self.0 {
            0 => "as before".to_owned(),
            1.. => "up ".to_owned() + &self.text(),
            _ => "down ".to_owned() + &Self(-self.0).text(),
        }
    }
}

impl Serialize for Percent {
    #[expect(clippy::cast_precision_loss, reason = "tenths of a percent are few")]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0 as f64 / 10.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_that_is_neither_nothing_nor_all_is_never_written_as_such() {
        let text = |part, whole| Percent::of(part, whole).map(Percent::text);
        for (part, whole, expected) in [
            (0, 100, "0%"),
            (1, 100_000, "0.1%"),
            (4, 1000, "0.4%"),
            (1, 3, "33%"),
            (5, 100, "5%"),
            (996, 1000, "99.6%"),
            (99_999, 100_000, "99.9%"),
            (100, 100, "100%"),
            (123_456, 100, "123,456%"),
            (-3, 1000, "-0.3%"),
            (-1, 100_000, "-0.1%"),
        ] {
            assert_eq!(
                text(part, whole).as_deref(),
                Some(expected),
                "{part} of {whole}"
            );
        }
        assert_eq!(text(1, 0), None);
    }
}
