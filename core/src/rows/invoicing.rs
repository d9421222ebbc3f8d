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
    /// Name on the bank account.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub account_holder: String,
    /// IBAN of the bank account, in capitals without spaces.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub iban: String,
    /// BIC of its bank; only beside an IBAN.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub bic: String,
    /// ABA routing number of a bank in the United States: nine digits.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub routing_number: String,
    /// Number of the account there; never without the routing number.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub account_number: String,
}

read_by_field!(PayTo {} or default { venmo, paypal, cash_app, zelle, account_holder, iban, bic, routing_number,
    account_number });

/// Identity of a business as its invoices say it; what is empty stands on none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Issuer {
    /// Postal address, with line feeds.
    #[serde(default)]
    pub postal_address: String,
    /// Tax or VAT number.
    #[serde(default)]
    pub tax_id: String,
    /// Number in a register of businesses.
    #[serde(default)]
    pub registration_number: String,
}

read_by_field!(Issuer {} or default { postal_address, tax_id, registration_number });

impl Issuer {
    /// Returns true if there is nothing to say.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A tax on the lines of an invoice.
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
    /// The tax on lines that name no other, if there is one.
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
    /// Further tax rates that a line can name; each has a name of its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub more_taxes: Vec<Tax>,
    /// Identity of the business.
    #[serde(default, skip_serializing_if = "Issuer::is_empty")]
    pub issuer: Issuer,
    /// Payment terms in words; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub terms: String,
    /// True if the year of issue stands between prefix and number: `INV-2026-12`.
    #[serde(default, skip_serializing_if = "is_false")]
    pub number_year: bool,
    /// Digits of a number at least, filled up with zeros: 4 makes `INV-0012` of 12.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub number_digits: u32,
    /// True if the server sends no invoice by mail when it is shared.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keeps_mail_off: bool,
    /// Day of the month, 1 to 28, on which the month before is billed by itself; none where the sitter does so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bill_day: Option<u32>,
    /// True if nothing is shared on that day: the sitter is told that there is something to bill.
    #[serde(default, skip_serializing_if = "is_false")]
    pub bill_waits: bool,
}

read_by_field!(Invoicing {} or default { prefix, due_days, tax, pay_to, tips, tip_nudge, reminder_days, contact_email,
    more_taxes, issuer, terms, number_year, number_digits, keeps_mail_off, bill_day, bill_waits });

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
const fn is_false(flag: &bool) -> bool {
    !*flag
}

impl Invoicing {
    /// The prefix of an invoice that is issued on this day. A digit at its end is kept apart from the number, so that two
    /// invoices never read alike: `INV-1` and 12 are `INV-1-12`.
    pub fn prefix_on(&self, issued_on: Date) -> String {
        let ends_in_digit = self.prefix.ends_with(|it: char| it.is_ascii_digit());
        let dash = if ends_in_digit { "-" } else { "" };
        match self.number_year {
            true => [&self.prefix, dash, &issued_on.parts().0.to_string(), "-"].concat(),
            false => [&self.prefix, dash].concat(),
        }
    }

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
            more_taxes: Vec::new(),
            issuer: Issuer::default(),
            terms: String::new(),
            number_year: false,
            number_digits: 0,
            keeps_mail_off: false,
            bill_day: None,
            bill_waits: false,
        }
    }
}
