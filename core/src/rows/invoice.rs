//! Owns the row of a shared invoice (SPEC 3, Shared invoice, version 2.0). What it bills is a snapshot: only payments,
//! credits, a write-off, reminders and its deletion change it afterwards.

use serde::Serialize;

use crate::rows::invoicing::{Issuer, PayTo, Tax};
use crate::rows::offering::StayUnit;
use crate::rows::service::ServiceType;
use crate::rows::shared_mail::SharedMail;
use crate::values::json::{
    Fields, ReadByField, deserialize_by_field, read_by_field, read_by_name, read_in_place,
};
use crate::values::money::Currency;
use crate::{Cents, Date, Id, Instant, Time};

/// The client of an invoice, as its page shows them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct InvoiceClient {
    /// The client's name.
    pub name: String,
    /// The dogs that were served: `Rex and Bella`.
    #[serde(default, rename = "dogName")]
    pub dog_name: String,
    /// The first photo of one of them.
    #[serde(default, rename = "dogPhoto")]
    pub dog_photo: Option<Id>,
    /// Postal address to which it is billed, with line feeds; may be empty.
    #[serde(
        default,
        rename = "billingAddress",
        skip_serializing_if = "String::is_empty"
    )]
    pub billing_address: String,
}

read_in_place!(InvoiceClient from InvoiceClient::default(); { name }
    or default { dog_name as "dogName", dog_photo as "dogPhoto", billing_address as "billingAddress" });

/// A dog that a billed service was for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct InvoicedDog {
    /// The pet's id.
    pub id: Id,
    /// The pet's name.
    pub name: String,
    /// The photo that it had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub photo: Option<Id>,
}

read_in_place!(InvoicedDog from InvoicedDog::default(); { id, name } or default { photo });

/// A service as it was when it was billed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct InvoicedService {
    /// The service's id.
    pub id: Id,
    /// Walk or drop-in.
    #[serde(rename = "type")]
    pub service_type: ServiceType,
    /// Name of the offering; empty for a plain walk or drop-in.
    #[serde(default)]
    pub name: String,
    /// Its day; the first day of a stay.
    pub date: Date,
    /// The last day of a stay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_date: Option<Date>,
    /// Start in the sitter's time zone.
    pub start_time: Time,
    /// End in the sitter's time zone.
    pub end_time: Time,
    /// Length in minutes.
    pub duration: u32,
    /// The nights or days of a stay that were counted; none where its days say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stay: Option<StayCount>,
    /// Price of the service.
    pub price: Cents,
    /// Notes that the client may read: the completion notes, or else the service's notes.
    #[serde(default)]
    pub notes: String,
    /// The dogs that it was for.
    #[serde(default)]
    pub dogs: Vec<InvoicedDog>,
    /// Name of its tax rate; empty for no tax, absent for the invoice's default rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tax_name: Option<String>,
}

/// The nights or days that a stay was billed for. Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct StayCount {
    /// Unit of the count.
    pub unit: StayUnit,
    /// At least 1.
    pub count: u32,
}

read_by_field!(StayCount { unit, count });

impl InvoicedService {
    /// One whose fields are about to be read.
    fn blank() -> Self {
        Self {
            id: Id::default(),
            service_type: ServiceType::Walk,
            name: String::new(),
            date: Date::default(),
            end_date: None,
            start_time: Time::hour(0),
            end_time: Time::hour(0),
            duration: 0,
            stay: None,
            price: Cents::ZERO,
            notes: String::new(),
            dogs: Vec::new(),
            tax_name: None,
        }
    }
}

read_in_place!(InvoicedService from InvoicedService::blank(); {
    id, service_type as "type", date, start_time as "startTime", end_time as "endTime", duration, price
} or default { name, end_date as "endDate", stay, notes, dogs, tax_name as "taxName" });

/// A line that is no service: what is charged beside, or with an amount below 0 a discount.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct InvoiceExtra {
    /// Description of the line, as the client reads it.
    pub label: String,
    /// Below 0 for a discount; never 0.
    pub amount: Cents,
    /// Name of its tax rate; empty for no tax. Absent for the default rate, and for a discount on all lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tax_name: Option<String>,
}

impl ReadByField for InvoiceExtra {
    /// A malformed amount is read as 0, so that the rest can be read and `check_extras` reports an error at its field.
    fn read_by_field(fields: &mut Fields) -> serde_json::Result<Self> {
        Ok(Self {
            label: fields.take("label")?,
            amount: fields.take("amount").unwrap_or_default(),
            tax_name: fields.take_or_default("tax_name")?,
        })
    }
}

deserialize_by_field!(InvoiceExtra);

/// The content of an invoice beside its services.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct InvoiceData {
    /// The first day that it bills.
    pub start_date: Date,
    /// The last day that it bills.
    pub end_date: Date,
    /// Ids of uploaded photos.
    #[serde(default)]
    pub photos: Vec<Id>,
    /// Ids of uploaded videos.
    #[serde(default)]
    pub videos: Vec<Id>,
    /// Note from the sitter to the client; on a credit note, why it was given.
    #[serde(default)]
    pub note: String,
    /// Accounts to which it can be paid.
    #[serde(default)]
    pub pay_to: PayTo,
    /// How tips are counted.
    #[serde(default)]
    pub tip_mode: TipMode,
    /// The tips that its page offers, in percent.
    #[serde(default)]
    pub tips: Vec<u32>,
    /// Text above the tips on the invoice's page; may be empty.
    #[serde(default)]
    pub tip_nudge: String,
    /// Lines that are no services.
    #[serde(default)]
    pub extras: Vec<InvoiceExtra>,
    /// The tax on lines that name no other, if there is one.
    #[serde(default)]
    pub tax: Option<Tax>,
    /// Further rates that its lines name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub more_taxes: Vec<Tax>,
    /// On a credit note, the taxes in its amount.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub taxes: Vec<CreditedTax>,
    /// Identity of the business when it was shared.
    #[serde(default, skip_serializing_if = "Issuer::is_empty")]
    pub issuer: Issuer,
    /// Payment terms in words; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub terms: String,
    /// Digits of the shown number at least, filled up with zeros.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub number_digits: u32,
    /// On a credit note, the number of the invoice that it credits, as its client reads it: `INV-7`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub credited: String,
}

read_in_place!(InvoiceData from InvoiceData::default(); { start_date as "startDate", end_date as "endDate" }
    or default { photos, videos, note, pay_to as "payTo", tip_mode as "tipMode", tips, tip_nudge as "tipNudge",
        extras, tax, credited, more_taxes as "moreTaxes", taxes, issuer, terms,
        number_digits as "numberDigits" });

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
const fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// A tax in the amount of a credit note.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CreditedTax {
    /// `Sales tax 8.25%`.
    pub label: String,
    /// Amount of the tax.
    pub amount: Cents,
}

read_by_field!(CreditedTax { label, amount });

/// How tips are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum TipMode {
    /// As a percentage of the invoice's total.
    #[default]
    Percent,
}

read_by_name!(TipMode { Percent });

/// How something was paid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum PaymentMethod {
    /// Nobody has said.
    #[default]
    Unknown,
    /// Paid in cash.
    Cash,
    /// Paid by bank transfer, Zelle or check.
    Transfer,
    /// Paid by card.
    Card,
    /// Paid by Venmo, PayPal, Cash App and the like.
    App,
    /// Credited by a credit note, whose id the payment has.
    Credit,
}

read_by_name!(PaymentMethod {
    Unknown,
    Cash,
    Transfer,
    Card,
    App,
    Credit
});

/// Use of money beyond what is owed, where somebody has said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Beyond {
    /// It is thanks.
    Tip,
    /// The client leaves it with the sitter.
    Credit,
    /// The client gets it back.
    Back,
}

read_by_name!(Beyond { Tip, Credit, Back });

/// Something that was paid on an invoice.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct InvoicePayment {
    /// Made by whoever writes it down.
    pub id: Id,
    /// Greater than 0.
    pub amount: Cents,
    /// The method of payment.
    #[serde(default)]
    pub method: PaymentMethod,
    /// When, in the sitter's time zone.
    pub paid_on: Date,
    /// The sitter's words; the client does not see them.
    #[serde(default)]
    pub note: String,
    /// Part that is a tip, by the word of whoever paid or of the sitter. Absent where nobody was asked: builds before
    /// this field took what was paid by card beyond an invoice as the tip that its payer had chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tip: Option<Cents>,
    /// Part that the client has left as credit with the sitter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<Cents>,
    /// Id of the invoice whose credit pays it: no money came in by it. Absent for money and for credit notes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Id>,
    /// Number of that invoice, as its client reads it: `INV-7`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub from_number: String,
}

read_by_field!(InvoicePayment { id, amount, paid_on } or default { method, note, tip, kept, from, from_number });

/// Money that went back to the client, or credit that pays a later invoice.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct InvoiceRefund {
    /// Made by whoever writes it down.
    pub id: Id,
    /// Greater than 0.
    pub amount: Cents,
    /// How; never by a credit note, which moves no money.
    #[serde(default)]
    pub method: PaymentMethod,
    /// When, in the sitter's time zone.
    pub refunded_on: Date,
    /// The sitter's words; the client does not see them.
    #[serde(default)]
    pub note: String,
    /// Id of the invoice that this credit pays: no money went back by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Id>,
}

read_by_field!(InvoiceRefund { id, amount, refunded_on } or default { method, note, to });

/// Decision that an amount will never be paid.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WriteOff {
    /// Amount that was owed then; what is paid later makes less of it.
    pub amount: Cents,
    /// When, in the sitter's time zone.
    pub written_off_on: Date,
    /// The sitter's words; the client does not see them.
    #[serde(default)]
    pub note: String,
}

read_by_field!(WriteOff { amount, written_off_on } or default { note });

/// An invoice that was shared, or a credit note. Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Invoice {
    /// Made by whoever shares it.
    pub id: Id,
    /// Id of the client who is billed.
    pub client_id: Id,
    /// Its place among the business's invoices, from 1, made by the server. None while it waits to be sent.
    #[serde(default)]
    pub number: Option<u32>,
    /// Prefix of the number, such as `INV-`; may be empty.
    #[serde(default)]
    pub prefix: String,
    /// The secret of its address, made by the server: 128 random bits as base64url. None while it waits to be sent.
    #[serde(default, rename = "shareId")]
    pub share_id: Option<String>,
    /// True if all of it is paid; a credit note counts as paid.
    pub paid: bool,
    /// The day on which it was shared.
    pub issued_on: Date,
    /// Day by which it is to be paid; none if it is never due.
    #[serde(default)]
    pub due_date: Option<Date>,
    /// The client, as its page shows them.
    #[serde(rename = "clientData")]
    pub client_data: InvoiceClient,
    /// The billed services, by date and start.
    #[serde(rename = "servicesData")]
    pub services_data: Vec<InvoicedService>,
    /// The content beside the services.
    #[serde(rename = "invoiceData")]
    pub invoice_data: InvoiceData,
    /// Total, including tax; on a credit note, the amount that it credits.
    pub total: Cents,
    /// Currency of all its amounts.
    #[serde(default)]
    pub currency: Currency,
    /// Payments, and credits from credit notes, in the order in which they were written down.
    #[serde(default)]
    pub payments: Vec<InvoicePayment>,
    /// Refunds to the client, in the order in which they were written down.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refunds: Vec<InvoiceRefund>,
    /// On a credit note, the id of the invoice that it credits.
    #[serde(default)]
    pub credits: Option<Id>,
    /// Part of it that will never be paid, where the sitter has said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write_off: Option<WriteOff>,
    /// When its client was last reminded of it.
    #[serde(default)]
    pub reminded_at: Option<Instant>,
    /// When it was shared.
    pub shared_at: Instant,
    /// When the sitter passed its link on, to a client who is not in the portal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passed_on_at: Option<Instant>,
    /// Mail by which the server sends it, made by the server; none where it sends none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mailed: Option<SharedMail>,
    /// First opening of its page by somebody else than the sitter, as far as the server knows; clients do not see it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opened_at: Option<Instant>,
    /// When it was deleted. The row stays, so that no number is missing and a slip can be undone; nobody but the sitter
    /// is told of it.
    #[serde(default)]
    pub deleted_at: Option<Instant>,
}

read_in_place!(Invoice from Invoice::default(); {
    id, client_id, paid, issued_on, client_data as "clientData", services_data as "servicesData",
    invoice_data as "invoiceData", total, shared_at
} or default { number, prefix, share_id as "shareId", due_date, payments, refunds, credits, write_off, reminded_at,
    passed_on_at, mailed, opened_at, deleted_at, currency });

impl Invoice {
    /// `INV-12`, `INV-2026-0012`; empty while it has no number.
    pub fn shown_number(&self) -> String {
        let digits = self.invoice_data.number_digits as usize;
        let number = self.number.map(|it| {
            let number = it.to_string();
            let zeros = "0".repeat(digits.saturating_sub(number.len()));
            self.prefix.clone() + &zeros + &number
        });
        number.unwrap_or_default()
    }

    /// The money that came in, with what was paid beyond the invoice.
    pub fn received(&self) -> Cents {
        let money = self.payments.iter().filter(|it| is_money(it));
        money.map(|it| it.amount).sum()
    }

    /// Sum of its credit notes.
    pub fn credited(&self) -> Cents {
        let notes = self.payments.iter().filter(|it| is_note(it));
        notes.map(|it| it.amount).sum()
    }

    /// Credit of other invoices that pays it.
    pub fn credit_used(&self) -> Cents {
        let credits = self.payments.iter().filter(|it| it.from.is_some());
        credits.map(|it| it.amount).sum()
    }

    /// The money that went back.
    pub fn refunded(&self) -> Cents {
        let money = self.refunds.iter().filter(|it| it.to.is_none());
        money.map(|it| it.amount).sum()
    }

    /// Credit of it that pays later invoices.
    pub fn credit_spent(&self) -> Cents {
        let credits = self.refunds.iter().filter(|it| it.to.is_some());
        credits.map(|it| it.amount).sum()
    }

    /// Returns true if credit notes have taken all of it off.
    pub fn is_credited_in_full(&self) -> bool {
        Cents::ZERO < self.total && self.total <= self.credited()
    }

    /// Total less its credit notes.
    pub fn charged(&self) -> Cents {
        (self.total - self.credited()).max(Cents::ZERO)
    }

    /// Part of all that was paid, with money or credit, that is there to pay it: no tip, and not gone again. Below 0 where
    /// more of its credit was used than is left of the payments.
    fn available(&self) -> Cents {
        let came = self.received() + self.credit_used() - self.tip();
        came - self.refunded() - self.credit_spent()
    }

    /// Returns the amount that is not paid, written off or not; zero for a credit note.
    pub fn outstanding(&self) -> Cents {
        if self.credits.is_some() {
            return Cents::ZERO;
        }
        (self.charged() - self.available()).max(Cents::ZERO)
    }

    /// Part of it that will never be paid, as the sitter has said.
    pub fn written_off(&self) -> Cents {
        let said = self.write_off.as_ref().map(|it| it.amount);
        said.unwrap_or_default().min(self.outstanding())
    }

    /// Returns true if all that it charges is written off: nothing of it was ever paid.
    pub fn is_written_off_in_full(&self) -> bool {
        let lost = self.written_off();
        Cents::ZERO < lost && self.charged() <= lost
    }

    /// The part of a service's price that nobody is to pay, where a part of the invoice was paid and nothing of it is owed any
    /// more; zero where all of it is written off. What is written off is lost on all that it charges alike.
    pub(crate) fn lost_of(&self, service: Id) -> Cents {
        let (lost, charged) = (self.written_off(), self.charged());
        let is_part = Cents::ZERO < lost && lost < charged;
        if !is_part || Cents::ZERO < self.balance() {
            return Cents::ZERO;
        }
        let part = |sum: Cents| {
            let part = i128::from(sum.0) * i128::from(lost.0) / i128::from(charged.0);
            Cents(i64::try_from(part).unwrap_or_default())
        };
        let mut before = Cents::ZERO;
        for line in &self.services_data {
            let after = before + line.price;
            if line.id == service {
                return part(after) - part(before);
            }
            before = after;
        }
        Cents::ZERO
    }

    /// Returns the amount that is still owed; zero for a credit note.
    pub fn balance(&self) -> Cents {
        self.outstanding() - self.written_off()
    }

    /// Returns true if it counts as paid: a credit note always does, and what was credited or written off never.
    pub fn is_settled_by_payment(&self) -> bool {
        let is_open = Cents::ZERO < self.outstanding();
        self.credits.is_some() || (!is_open && !self.is_credited_in_full())
    }

    /// Tip that was given beyond it, as somebody has said; a credit note makes no tip.
    pub fn tip(&self) -> Cents {
        let money = || self.payments.iter().filter(|it| is_money(it));
        let said = money().filter_map(|it| it.tip).sum();
        let by_card: Cents = money()
            .filter(|it| it.tip.is_none() && it.method == PaymentMethod::Card)
            .map(|it| it.amount)
            .sum();
        let beyond = self.received() - said - self.total;
        said + beyond.min(by_card).max(Cents::ZERO)
    }

    /// The money that is neither owed nor a tip, nor was paid back: the client's.
    fn surplus(&self) -> Cents {
        (self.available() - self.charged()).max(Cents::ZERO)
    }

    /// Amount that the client has left as credit with the sitter, and that pays no other invoice yet.
    pub fn kept(&self) -> Cents {
        let said: Cents = self.payments.iter().filter_map(|it| it.kept).sum();
        let left = (said - self.credit_spent()).max(Cents::ZERO);
        left.min(self.surplus())
    }

    /// Amount that the client gets back.
    pub fn owed_back(&self) -> Cents {
        self.surplus() - self.kept()
    }

    /// Part of the client's money that may still become a tip: paid beyond the invoice as it was shared.
    pub fn unsaid(&self) -> Cents {
        let beyond = self.received() + self.credit_used() - self.tip() - self.total;
        beyond.min(self.owed_back()).max(Cents::ZERO)
    }

    /// The day on which money last came in.
    pub fn last_paid_on(&self) -> Option<Date> {
        let money = self.payments.iter().filter(|it| is_money(it));
        money.map(|it| it.paid_on).max()
    }

    /// The photos that it shows: its own and those of its dogs.
    pub fn photos(&self) -> impl Iterator<Item = Id> + '_ {
        let dogs = self.services_data.iter().flat_map(|it| &it.dogs);
        let own = self.invoice_data.photos.iter().copied();
        own.chain(self.client_data.dog_photo)
            .chain(dogs.filter_map(|it| it.photo))
    }
}

/// Returns true if money came in by it: neither a credit note nor the use of a credit brings any.
pub(crate) fn is_money(payment: &InvoicePayment) -> bool {
    !is_note(payment) && payment.from.is_none()
}

/// Returns true for a credit note's part of the invoice.
pub(crate) fn is_note(payment: &InvoicePayment) -> bool {
    payment.method == PaymentMethod::Credit
}
