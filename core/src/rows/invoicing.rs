//! Owns how a business bills: what its invoices begin with and say about paying, as the sitter sets it.

use serde::Serialize;

use crate::Date;
use crate::values::json::read_by_field;

/// Accounts to which clients can pay, as each service names them; empty where the sitter has none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PayTo {
    /// The user's name at Venmo, without the `@`.
    #[serde(default)]
    pub venmo: String,
    /// The name at PayPal.Me.
    #[serde(default)]
    pub paypal: String,
    /// The `$Cashtag`, without the `$`.
    #[serde(default)]
    pub cash_app: String,
    /// The e-mail address or phone number that Zelle knows.
    #[serde(default)]
    pub zelle: String,
}

read_by_field!(PayTo {} or default { venmo, paypal, cash_app, zelle });

/// A tax on everything that an invoice bills.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Tax {
    /// Name on the invoice: `Sales tax`.
    pub name: String,
    /// Rate in hundredths of a percent: 825 is 8.25 %.
    pub rate: u32,
    /// True if prices include the tax already; otherwise it comes on top.
    #[serde(default)]
    pub included: bool,
    /// Rest of the rate in thousandths of a percent, from 0 to 9, on top of `rate`: 887 and 5 are 8.875 %.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub rate_thousandths: u32,
}

read_by_field!(Tax { name, rate } or default { included, rate_thousandths });

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
const fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Tax {
    /// In thousandths of a percent: 8875 is 8.875 %.
    pub fn thousandths(&self) -> i64 {
        i64::from(self.rate) * 10 + i64::from(self.rate_thousandths)
    }
}

/// Invoice settings of a business, from which its invoices are made. Stored on phones. Only add optional fields; never
/// rename.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Invoicing {
    /// Before the number: `INV-`; may be empty.
    #[serde(default)]
    pub prefix: String,
    /// Days until an invoice is due; without them it is due at no day.
    #[serde(default)]
    pub due_days: Option<u32>,
    /// The tax, if there is one.
    #[serde(default)]
    pub tax: Option<Tax>,
    /// Accounts to which clients can pay.
    #[serde(default)]
    pub pay_to: PayTo,
    /// The tips that the page offers, in percent; none where it offers no tip.
    #[serde(default)]
    pub tips: Vec<u32>,
    /// Text above the tips; may be empty.
    #[serde(default)]
    pub tip_nudge: String,
    /// Days after the due date on which the client of an unpaid invoice is reminded; empty where the sitter does so.
    #[serde(default)]
    pub reminder_days: Vec<u32>,
    /// The e-mail address that invoices show; none without it. The sign-in's is on none that nobody put it on.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub contact_email: String,
    /// True if the server sends no invoice by mail when it is shared.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keeps_mail_off: bool,
}

read_by_field!(Invoicing {} or default { prefix, due_days, tax, pay_to, tips, tip_nudge, reminder_days, contact_email,
    keeps_mail_off });

impl Invoicing {
    /// Until when an invoice of this day is to be paid, if nobody says so on it.
    pub fn due_date(&self, today: Date) -> Option<Date> {
        self.due_days.map(|it| today.plus_days(it.into()))
    }
}

impl Default for Invoicing {
    fn default() -> Self {
        Self {
            prefix: "INV-".to_owned(),
            due_days: None,
            tax: None,
            pay_to: PayTo::default(),
            tips: Vec::new(),
            tip_nudge: String::new(),
            reminder_days: Vec::new(),
            contact_email: String::new(),
            keeps_mail_off: false,
        }
    }
}
