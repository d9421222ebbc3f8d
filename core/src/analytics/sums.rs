//! Owns adding up: services with what they come to, and shares in percent.

use serde::{Serialize, Serializer};

use super::records::Counted;
use crate::Cents;
use crate::rows::service::ServiceType;

/// What completed services come to.
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
    /// `part` of `whole`, rounded half away from zero; of nothing there is none.
    pub(super) fn of(part: i64, whole: i64) -> Option<Self> {
        (0 < whole).then(|| Self(Cents(part).share(1000, whole).0))
    }

    /// By how much more `now` is than `before`; from nothing there is no number.
    pub(super) fn growth(now: i64, before: i64) -> Option<Self> {
        Self::of(now - before, before)
    }

    /// In whole percent, for a sentence: `12%`.
    pub(super) fn text(self) -> String {
        let half = if self.0 < 0 { -5 } else { 5 };
        ((self.0 + half) / 10).to_string() + "%"
    }
}

impl Serialize for Percent {
    #[expect(clippy::cast_precision_loss, reason = "tenths of a percent are few")]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0 as f64 / 10.0)
    }
}
