//! Owns what the commands about invoices do: sharing, payments, credit notes, reminders, deletion (SPEC 2 and 4).

use std::collections::BTreeSet;

use serde::Serialize;

use crate::commands::decision::{
    About, Context, Decision, Effect, Intent, Need, Shows, changed, check_seen, row,
};
use crate::rows::invoice::{
    Beyond, Invoice, InvoiceClient, InvoiceData, InvoiceExtra, InvoicePayment, InvoiceRefund,
    InvoicedService, PaymentMethod, TipMode, WriteOff, is_money, is_note,
};
use crate::rows::invoicing::Invoicing;
use crate::rows::row::{Change, Row, RowKey, TableName};
use crate::rows::service::Service;
use crate::rules::invoice::{
    InvoiceTotals, NO_SUCH_RATE, NOTHING_CHOSEN, billed, check_discounts, check_extras,
    deletion_refusal, is_billable, may_be_reminded, service_ids, totals, totals_of,
};
use crate::rules::offering;
use crate::rules::refusal::BilledElsewhere;
use crate::rules::tax::{Rates, TaxedLine, credited_taxes};
use crate::values::bounds::{self, MAX_TOTAL, check_room};
use crate::values::checks::PRICE_TOO_HIGH;
use crate::values::form_errors::FieldErrors;
use crate::values::format::names;
use crate::values::json::read_by_field;
use crate::values::sort::SmallSort as _;
use crate::{Business, Cents, Date, Id, Refusal};

/// Decides a command on an invoice that was not deleted by a function that changes the invoice, and says whether it did.
macro_rules! marks_invoice {
    ($command:ident by $change:expr) => {
        impl Intent for $command {
            fn needs(&self, business: &Business, _: &Context) -> Vec<Need> {
                needs_of(self.id, business)
            }

            fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
                let change: fn(&Self, &mut Invoice, &Context) -> Result<bool, Refusal> = $change;
                let mut invoice = known(business, self.id)?.clone();
                match change(self, &mut invoice, ctx)? {
                    true => Ok(settled(invoice, business)),
                    false => Ok(Decision::default()),
                }
            }

            fn about(&self) -> About {
                About::row("Invoice", Effect::Marks, TableName::Invoice, self.id)
            }
        }
    };
}

/// The tax rate of a service that is billed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ServiceTax {
    /// Id of the service.
    pub id: Id,
    /// Name of a rate in the settings of the business; empty for no tax.
    #[serde(default)]
    pub tax_name: String,
}

read_by_field!(ServiceTax { id } or default { tax_name });

/// Shares an invoice of a client's services, of other lines, or of both. What services are and cost is looked up where it
/// is decided; those that cannot be billed (any more) are left out.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ShareInvoice {
    /// The new invoice's id.
    pub id: Id,
    /// Id of the client who is billed.
    #[serde(default)]
    pub client_id: Option<Id>,
    /// Ids of the services that are billed.
    #[serde(default)]
    pub services: Vec<Id>,
    /// The first day that it is about; that of the first service without it.
    #[serde(default)]
    pub start_date: Option<Date>,
    /// The last day that it is about; that of the last service without it.
    #[serde(default)]
    pub end_date: Option<Date>,
    /// Ids of uploaded photos.
    #[serde(default)]
    pub photos: Vec<Id>,
    /// Ids of uploaded videos.
    #[serde(default)]
    pub videos: Vec<Id>,
    /// Note to the client.
    #[serde(default)]
    pub note: String,
    /// Due date; without it, the one that the settings of the business give, if any.
    #[serde(default)]
    pub due_date: Option<Date>,
    /// Lines that are no services.
    #[serde(default)]
    pub extras: Vec<InvoiceExtra>,
    /// The total that the person saw; nothing goes out where it comes to another one.
    #[serde(default)]
    pub total: Option<Cents>,
    /// Credit of the client's earlier invoices that pays a part of it, or all.
    #[serde(default)]
    pub credits: Vec<UsedCredit>,
    /// Tax rates of services that have another one than their offering, or the default one where that has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub service_taxes: Vec<ServiceTax>,
}

read_by_field!(ShareInvoice { id } or default { client_id, services, start_date, end_date, photos, videos, note,
    due_date, extras, total, credits, service_taxes });

/// Credit of an earlier invoice that pays a later one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UsedCredit {
    /// Id of the earlier invoice.
    pub invoice_id: Id,
    /// Greater than 0, and no more than the credit that is left of that invoice; what there is not to pay stays there.
    pub amount: Cents,
}

read_by_field!(UsedCredit { invoice_id, amount });

impl ShareInvoice {
    /// The name of a service's tax rate; none for the default one.
    pub(crate) fn tax_name<'a>(
        &'a self,
        service: &Service,
        business: &'a Business,
    ) -> Option<&'a str> {
        let named = self.service_taxes.iter().find(|it| it.id == service.id);
        named.map_or_else(
            || offering::tax_name(service, business),
            |it| Some(it.tax_name.trim()),
        )
    }

    /// The amounts of an invoice of these services.
    pub(crate) fn totals(
        &self,
        services: &[&Service],
        invoicing: &Invoicing,
        business: &Business,
    ) -> InvoiceTotals {
        let services = services.iter().map(|it| TaxedLine {
            amount: it.price,
            tax_name: self.tax_name(it, business),
        });
        totals(services, &self.extras, invoicing.into())
    }
}

impl Intent for ShareInvoice {
    fn needs(&self, business: &Business, _: &Context) -> Vec<Need> {
        let mut needs = vec![
            row(TableName::Invoice, self.id),
            Need::Table(TableName::Sitter),
            Need::Count(TableName::Invoice),
        ];
        if let Some(client_id) = self.client_id {
            needs.push(row(TableName::Client, client_id));
            needs.push(Need::PetsOf(client_id));
        }
        needs.extend(self.services.iter().map(|it| row(TableName::Service, *it)));
        let services = self.services.iter().filter_map(|it| business.service(*it));
        let (mut billed, mut offerings) = (BTreeSet::new(), BTreeSet::new());
        for service in services {
            billed.extend(service.invoice_id);
            offerings.extend(service.offering_id);
        }
        needs.extend(billed.into_iter().map(|it| row(TableName::Invoice, it)));
        needs.extend(offerings.into_iter().map(|it| row(TableName::Offering, it)));
        needs.extend(self.photos.iter().copied().map(Need::Photo));
        needs.extend(self.videos.iter().copied().map(Need::Video));
        let sources = self.credits.iter().map(|it| it.invoice_id);
        needs.extend(sources.flat_map(|it| needs_of(it, business)));
        needs
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        share(self, business, ctx)
    }

    fn about(&self) -> About {
        let key = |table, id| RowKey { table, id };
        let client = self.client_id.map(|it| key(TableName::Client, it));
        let services = self.services.iter();
        let services = services.map(|it| key(TableName::Service, *it));
        About {
            builds_on: client.into_iter().chain(services).collect(),
            ..About::row("Invoice", Effect::Makes, TableName::Invoice, self.id)
        }
    }
}

/// Writes down that something was paid on an invoice; a repeat changes nothing.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RecordInvoicePayment {
    /// Id of the invoice.
    pub id: Id,
    /// Id of the new payment.
    pub payment_id: Id,
    /// Amount in dollars; without it, all that is owed.
    #[serde(default)]
    pub amount: Option<Cents>,
    /// Way in which the client paid.
    #[serde(default)]
    pub method: PaymentMethod,
    /// When; on the day on which it is written down without it.
    #[serde(default)]
    pub paid_on: Option<Date>,
    /// The sitter's words.
    #[serde(default)]
    pub note: String,
    /// Part that is a tip, where somebody has said; no more than the amount.
    #[serde(default)]
    pub tip: Option<Cents>,
    /// Part that the client leaves as credit; no more than the amount, the tip taken off.
    #[serde(default)]
    pub kept: Option<Cents>,
    /// Use of all that it brings beyond what is owed, where neither of the two says so.
    #[serde(default)]
    pub beyond: Option<Beyond>,
}

read_by_field!(RecordInvoicePayment { id, payment_id } or default { amount, method, paid_on, note, tip, kept, beyond });

impl Intent for RecordInvoicePayment {
    fn needs(&self, business: &Business, _: &Context) -> Vec<Need> {
        let mut needs = needs_of(self.id, business);
        if let Some(invoice) = business.invoice(self.id) {
            let others = other_invoices(invoice, business);
            needs.extend(others.flat_map(|it| needs_of(it, business)));
        }
        needs
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        record_payment(self, business, ctx)
    }

    fn about(&self) -> About {
        About::row("Invoice", Effect::Marks, TableName::Invoice, self.id)
    }
}

/// Takes back that something was paid; a repeat changes nothing.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RemoveInvoicePayment {
    /// Id of the invoice.
    pub id: Id,
    /// Id of the payment; the payment of a credit note is removed with the note.
    pub payment_id: Id,
}

read_by_field!(RemoveInvoicePayment { id, payment_id });

marks_invoice!(RemoveInvoicePayment by |command, invoice, _| {
    let is_meant =
        |it: &InvoicePayment| it.id == command.payment_id && is_money(it);
    invoice.payments.retain(|it| !is_meant(it));
    Ok(true)
});

/// Part of a payment that pays one invoice.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PaymentPart {
    /// Id of the invoice.
    pub invoice_id: Id,
    /// Greater than 0.
    pub amount: Cents,
}

read_by_field!(PaymentPart { invoice_id, amount });

/// Writes down one payment over several invoices of a client, none of them deleted: all of it, or nothing. A repeat changes
/// nothing.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RecordPayments {
    /// Id of the new payment, on each of the invoices.
    pub payment_id: Id,
    /// The invoices, once each, with what pays them.
    pub parts: Vec<PaymentPart>,
    /// Way in which the client paid.
    #[serde(default)]
    pub method: PaymentMethod,
    /// When; on the day on which it is written down without it.
    #[serde(default)]
    pub paid_on: Option<Date>,
    /// The sitter's words.
    #[serde(default)]
    pub note: String,
    /// Use of what a part brings beyond what is owed on its invoice.
    #[serde(default)]
    pub beyond: Option<Beyond>,
}

read_by_field!(RecordPayments { payment_id, parts } or default { method, paid_on, note, beyond });

impl Intent for RecordPayments {
    fn needs(&self, business: &Business, _: &Context) -> Vec<Need> {
        let parts = self.parts.iter();
        parts
            .flat_map(|it| needs_of(it.invoice_id, business))
            .collect()
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        record_payments(self, business, ctx)
    }

    fn about(&self) -> About {
        let table = TableName::Invoice;
        let invoices = self.parts.iter().map(|it| it.invoice_id);
        About {
            builds_on: invoices.map(|id| RowKey { table, id }).collect(),
            shows: Shows::Made(table),
            ..About::of("Invoice", Effect::Marks)
        }
    }

    fn words(&self) -> Option<Vec<(&str, &str)>> {
        Some(vec![("Note", self.note.as_str())])
    }
}

/// Says that what is owed on an invoice will never be paid, or that it is owed again; a repeat changes nothing.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SetWrittenOff {
    /// Id of the invoice.
    pub id: Id,
    /// True to write it off, false to undo that.
    pub written_off: bool,
    /// The sitter's words.
    #[serde(default)]
    pub note: String,
}

read_by_field!(SetWrittenOff { id, written_off } or default { note });

marks_invoice!(SetWrittenOff by |command, invoice, ctx| {
    if !command.written_off {
        return Ok(invoice.write_off.take().is_some());
    }
    let amount = invoice.outstanding();
    if invoice.balance() == Cents::ZERO {
        return Ok(false);
    }
    invoice.write_off = Some(WriteOff {
        amount,
        written_off_on: ctx.today(),
        note: command.note.trim().to_owned(),
    });
    Ok(true)
});

/// Says what becomes of money that is neither owed nor paid back: how much of all that was paid is a tip, and how much the
/// client leaves as credit. The rest is owed back. A repeat changes nothing, and the former amounts undo it.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SettleOverpayment {
    /// Id of the invoice.
    pub id: Id,
    /// No more than was paid beyond the invoice: a credit note makes no tip.
    #[serde(default)]
    pub tip: Cents,
    /// No more than is owed back.
    #[serde(default)]
    pub kept: Cents,
}

read_by_field!(SettleOverpayment { id } or default { tip, kept });

marks_invoice!(SettleOverpayment by settle_overpayment);

/// Writes down that money went back to the client; a repeat changes nothing.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RecordInvoiceRefund {
    /// Id of the invoice.
    pub id: Id,
    /// Id of the refund.
    pub refund_id: Id,
    /// Amount in dollars; without it, all that is owed back.
    #[serde(default)]
    pub amount: Option<Cents>,
    /// Way in which the money went back.
    #[serde(default)]
    pub method: PaymentMethod,
    /// When; on the day on which it is written down without it.
    #[serde(default)]
    pub refunded_on: Option<Date>,
    /// The sitter's words.
    #[serde(default)]
    pub note: String,
}

read_by_field!(RecordInvoiceRefund { id, refund_id } or default { amount, method, refunded_on, note });

marks_invoice!(RecordInvoiceRefund by record_refund);

/// Takes back that money went back; a repeat changes nothing.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RemoveInvoiceRefund {
    /// Id of the invoice.
    pub id: Id,
    /// Id of the refund.
    pub refund_id: Id,
}

read_by_field!(RemoveInvoiceRefund { id, refund_id });

marks_invoice!(RemoveInvoiceRefund by |command, invoice, _| {
    invoice.refunds.retain(|it| it.id != command.refund_id || it.to.is_some());
    Ok(true)
});

/// Deletes an invoice or a credit note: its address shows nothing any more, and its services can be billed again. One that
/// was paid takes a credit note first. A repeat changes nothing.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeleteInvoice {
    /// Id of the invoice or credit note.
    pub id: Id,
}

read_by_field!(DeleteInvoice { id });

impl Intent for DeleteInvoice {
    fn needs(&self, business: &Business, _: &Context) -> Vec<Need> {
        let mut needs = needs_of(self.id, business);
        needs.push(changed(TableName::Invoice, self.id));
        needs
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        delete(self.id, business, ctx)
    }

    fn about(&self) -> About {
        About::row("Invoice", Effect::Marks, TableName::Invoice, self.id)
    }
}

/// Undoes the deletion of an invoice or a credit note; a repeat changes nothing.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RestoreInvoice {
    /// Id of the invoice or credit note.
    pub id: Id,
}

read_by_field!(RestoreInvoice { id });

impl Intent for RestoreInvoice {
    fn needs(&self, business: &Business, _: &Context) -> Vec<Need> {
        needs_of(self.id, business)
    }

    fn decide(&self, business: &Business, _: &Context) -> Result<Decision, Refusal> {
        restore(self.id, business)
    }

    fn about(&self) -> About {
        About::row("Invoice", Effect::Marks, TableName::Invoice, self.id)
    }
}

/// Takes a part of an invoice off, or all of it: a credit note with a number and an address of its own. The services of an
/// invoice that is credited in full can be billed anew.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CreditInvoice {
    /// The credit note's id.
    pub id: Id,
    /// Id of the invoice.
    pub invoice_id: Id,
    /// Amount in dollars, tax included; at most the invoice's total minus other credit notes.
    pub amount: Cents,
    /// Why, to the client.
    #[serde(default)]
    pub note: String,
}

read_by_field!(CreditInvoice { id, invoice_id, amount } or default { note });

impl Intent for CreditInvoice {
    fn needs(&self, business: &Business, _: &Context) -> Vec<Need> {
        let mut needs = needs_of(self.invoice_id, business);
        needs.push(row(TableName::Invoice, self.id));
        needs.push(Need::Table(TableName::Sitter));
        needs.push(Need::Count(TableName::Invoice));
        if let Some(invoice) = business.invoice(self.invoice_id) {
            let notes = credit_notes(invoice);
            needs.extend(notes.map(|it| row(TableName::Invoice, it.id)));
        }
        needs
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        credit(self, business, ctx)
    }

    fn about(&self) -> About {
        let (table, id) = (TableName::Invoice, self.invoice_id);
        About {
            builds_on: vec![RowKey { table, id }],
            ..About::row("Invoice", Effect::Makes, table, self.id)
        }
    }
}

/// Reminds the client of an invoice that is owed; once an hour.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RemindOfInvoice {
    /// Id of the invoice.
    pub id: Id,
}

read_by_field!(RemindOfInvoice { id });

impl Intent for RemindOfInvoice {
    fn needs(&self, _: &Business, _: &Context) -> Vec<Need> {
        vec![row(TableName::Invoice, self.id)]
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        let invoice = known(business, self.id)?;
        // It goes out now, whenever the phone was asked for it.
        let at = ctx.now.at;
        if invoice.balance() == Cents::ZERO {
            return Ok(Decision::default());
        }
        let mut errors = FieldErrors::default();
        let text = "The last reminder of this invoice is less than an hour old";
        errors.check(!ctx.is_shown && !may_be_reminded(invoice, at), "id", text);
        errors.or(())?;
        Ok(Change::from(Invoice {
            reminded_at: Some(at),
            ..invoice.clone()
        })
        .into())
    }

    fn about(&self) -> About {
        About::row("Invoice", Effect::Marks, TableName::Invoice, self.id)
    }
}

/// An invoice, and everything that is paid with it or paid it.
fn needs_of(id: Id, business: &Business) -> Vec<Need> {
    let mut needs = vec![row(TableName::Invoice, id)];
    if let Some(invoice) = business.invoice(id) {
        for source in invoice.payments.iter().filter_map(|it| it.from) {
            needs.push(row(TableName::Invoice, source));
            let source = business.invoice(source).into_iter();
            let services = source.flat_map(service_ids);
            needs.extend(services.map(|it| row(TableName::Service, it)));
        }
        needs.extend(service_ids(invoice).map(|it| row(TableName::Service, it)));
        if let Some(credited) = invoice.credits {
            needs.push(row(TableName::Invoice, credited));
            let credited = business.invoice(credited).into_iter();
            needs.extend(
                credited
                    .flat_map(service_ids)
                    .map(|it| row(TableName::Service, it)),
            );
        }
    }
    needs
}

/// An invoice that was not deleted.
fn known(business: &Business, id: Id) -> Result<&Invoice, Refusal> {
    let invoice = business.invoice(id).filter(|it| it.deleted_at.is_none());
    invoice.ok_or(Refusal::Gone)
}

/// Makes the invoice of what is known of the services, and writes into each that it stands on it.
fn share(command: &ShareInvoice, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
    if business.invoices.get(&command.id).is_some() {
        return Err(Refusal::Taken);
    }
    let today = ctx.today();
    let is_empty = command.services.is_empty() && command.extras.is_empty();
    let (Some(client_id), false) = (command.client_id, is_empty) else {
        return Err(nothing_chosen());
    };
    let client_name = name_to_bill(client_id, command, business).ok_or(Refusal::Gone)?;
    let invoicing = business.sitter().map(|it| it.invoicing.clone());
    let invoicing = invoicing.unwrap_or_default();
    // Whether what waits to be sent can be billed still is for the server to say.
    let services = if ctx.is_shown {
        named(command, business)
    } else {
        billable(command, client_id, business)
    };
    let command = &ShareInvoice {
        extras: command.extras.iter().map(trimmed).collect(),
        ..command.clone()
    };
    let totals = command.totals(&services, &invoicing, business);
    let is_billed = services.is_empty() && !ctx.is_shown;
    if let Some(elsewhere) = elsewhere(command, business).filter(|_| is_billed) {
        return Err(Refusal::InvoiceChanged {
            quoted: command.total.unwrap_or_default(),
            total: Cents::ZERO,
            elsewhere: Some(elsewhere),
        });
    }
    // What waits to be sent stays on the screen as its person saw it.
    let quoted = command.total.filter(|_| !ctx.is_shown);
    if let Some(quoted) = quoted.filter(|it| *it != totals.total) {
        let (total, elsewhere) = (totals.total, elsewhere(command, business));
        return Err(Refusal::InvoiceChanged {
            quoted,
            total,
            elsewhere,
        });
    }
    // A line beside services that cannot be billed any more is no invoice that somebody has asked for.
    if services.is_empty() && !command.services.is_empty() {
        return Err(nothing_chosen());
    }
    let day_of = |it: Option<&&Service>| it.map_or(today, |it| it.date);
    let start_date = command.start_date.unwrap_or(day_of(services.first()));
    let last = day_of(services.last()).max(start_date);
    let end_date = command.end_date.unwrap_or(last);
    let due_date = command.due_date.or_else(|| invoicing.due_date(today));
    let mut errors = FieldErrors::default();
    let rates = Rates::from(&invoicing);
    check_extras(&command.extras, rates, &mut errors);
    let mut named = services
        .iter()
        .filter_map(|it| command.tax_name(it, business));
    let is_unknown = !ctx.is_shown && named.any(|it| !rates.has(it));
    errors.check(is_unknown, "service_taxes", NO_SUCH_RATE);
    let n_errors = errors.0.len();
    check_discounts(totals.services, &command.extras, &mut errors);
    let text = "The discount is more than there is to pay at its tax rate";
    let is_below = totals.taxes.iter().any(|it| it.lines < Cents::ZERO);
    errors.check(is_below && errors.0.len() == n_errors, "extras", text);
    errors.check(MAX_TOTAL < totals.total, "extras", PRICE_TOO_HIGH);
    let text = "The last day cannot be before the first";
    errors.check(end_date < start_date, "end_date", text);
    let text = "The due date cannot be before today";
    errors.check(due_date.is_some_and(|it| it < today), "due_date", text);
    let billed = services.iter().map(|it| {
        let tax_name = command.tax_name(it, business).map(str::to_owned);
        billed(it, business, tax_name)
    });
    let billed: Vec<_> = billed.collect();
    let bytes = serde_json::to_string(&billed).map_or(0, |it| it.len());
    errors.check(bounds::INVOICE_BYTES < bytes, "services", TOO_LONG);
    errors.or(())?;
    let mut photos = command.photos.iter().copied();
    if let Some(photo) = photos.find(|it| business.missing_photos.contains(it)) {
        return Err(Refusal::PhotoMissing { photo });
    }
    let mut videos = command.videos.iter().copied();
    if let Some(video) = videos.find(|it| business.missing_videos.contains(it)) {
        return Err(Refusal::VideoMissing { video });
    }
    let there_are = business.count(TableName::Invoice, business.invoices.len());
    check_room("invoices", there_are, bounds::INVOICES)?;
    let mut dogs: Vec<String> = Vec::new();
    for dog in billed.iter().flat_map(|it| &it.dogs) {
        if !dogs.contains(&dog.name) {
            dogs.push(dog.name.clone());
        }
    }
    let more_taxes = invoicing.more_taxes.iter();
    let more_taxes = more_taxes.filter(|it| names_rate(&billed, &command.extras, &it.name));
    let more_taxes = more_taxes.cloned().collect();
    let invoice = Invoice {
        id: command.id,
        client_id,
        prefix: invoicing.prefix_on(today),
        issued_on: today,
        due_date,
        client_data: InvoiceClient {
            name: client_name,
            dog_name: names(&dogs),
            dog_photo: billed
                .iter()
                .flat_map(|it| &it.dogs)
                .find_map(|it| it.photo),
            billing_address: business
                .client(client_id)
                .map(|it| it.billing_address.clone())
                .unwrap_or_default(),
        },
        services_data: billed,
        invoice_data: InvoiceData {
            start_date,
            end_date,
            photos: command.photos.clone(),
            videos: command.videos.clone(),
            note: command.note.trim().to_owned(),
            extras: command.extras.clone(),
            more_taxes,
            ..data_of(invoicing)
        },
        total: totals.total,
        shared_at: ctx.acted_at(),
        ..Invoice::default()
    };
    let (invoice, sources) = with_credits(invoice, &command.credits, business, ctx)?;
    // What costs nothing owes nothing.
    let paid = invoice.is_settled_by_payment();
    let invoice = Invoice { paid, ..invoice };
    let mut changes: Vec<Change> = Vec::new();
    for service in services.into_iter().filter(|it| is_billable(it)) {
        changes.push(standing_on(&invoice, service).into());
    }
    changes.extend(sources);
    changes.push(invoice.into());
    Ok(changes.into())
}

/// Error text for services that make an invoice longer than `bounds::INVOICE_BYTES`.
const TOO_LONG: &str =
    "The notes of these services are too long for one invoice. Please bill the services on two.";

fn nothing_chosen() -> Refusal {
    let mut errors = FieldErrors::default();
    errors.add("services", NOTHING_CHOSEN);
    errors.into()
}

/// Returns the invoice data that comes from the settings; the rest has its defaults.
fn data_of(invoicing: Invoicing) -> InvoiceData {
    InvoiceData {
        pay_to: invoicing.pay_to,
        tip_mode: TipMode::Percent,
        tips: invoicing.tips,
        tip_nudge: invoicing.tip_nudge,
        tax: invoicing.tax,
        issuer: invoicing.issuer,
        terms: invoicing.terms,
        number_digits: invoicing.number_digits,
        ..InvoiceData::default()
    }
}

fn trimmed(extra: &InvoiceExtra) -> InvoiceExtra {
    let tax_name = extra.tax_name.as_deref();
    InvoiceExtra {
        label: extra.label.trim().to_owned(),
        amount: extra.amount,
        tax_name: tax_name.map(|it| it.trim().to_owned()),
    }
}

/// The client's name; as its services have it where the client is deleted, whose debts stay.
fn name_to_bill(client_id: Id, command: &ShareInvoice, business: &Business) -> Option<String> {
    if let Some(client) = business.client(client_id) {
        return Some(client.name.clone());
    }
    let mut services = command.services.iter();
    services.find_map(|it| {
        let service = business.service(*it)?;
        (service.client_id == client_id).then(|| service.client_name.clone())
    })
}

/// Returns true if some line of the invoice names this tax rate.
fn names_rate(services: &[InvoicedService], extras: &[InvoiceExtra], name: &str) -> bool {
    let services = services.iter().map(|it| &it.tax_name);
    let mut named = services.chain(extras.iter().map(|it| &it.tax_name));
    named.any(|it| it.as_deref() == Some(name))
}

/// The invoice that bills some of what is named already, and how many: that of the first of them.
fn elsewhere(command: &ShareInvoice, business: &Business) -> Option<BilledElsewhere> {
    let named = named(command, business);
    let billed = named.iter().filter_map(|it| it.invoice_id);
    let invoice = billed.clone().find_map(|it| known(business, it).ok())?;
    Some(BilledElsewhere {
        invoice_id: invoice.id,
        number: invoice.shown_number(),
        services: u32::try_from(billed.filter(|it| *it == invoice.id).count()).unwrap_or(u32::MAX),
    })
}

/// The services that are named, once each, by date and start.
fn named<'a>(command: &ShareInvoice, business: &'a Business) -> Vec<&'a Service> {
    let named = command.services.iter();
    let mut services: Vec<&Service> = named.filter_map(|it| business.service(*it)).collect();
    services.small_sort_by_key(|it| (it.date, it.start_time, it.id));
    services.dedup_by_key(|it| it.id);
    services
}

/// Those of them that can be billed to this client.
///
/// INVARIANT: A service stands on one invoice at a time.
pub(crate) fn billable<'a>(
    command: &ShareInvoice,
    client_id: Id,
    business: &'a Business,
) -> Vec<&'a Service> {
    let mut services = named(command, business);
    services.retain(|it| it.client_id == client_id && is_billable(it));
    services
}

/// Error text for credit that was used or paid back since the person saw it.
const CREDIT_GONE: &str = "That credit has been used or paid back in the meantime";

/// A new invoice with the credit that pays it, and the earlier invoices from which the credit comes.
fn with_credits(
    mut invoice: Invoice,
    credits: &[UsedCredit],
    business: &Business,
    ctx: &Context,
) -> Result<(Invoice, Vec<Change>), Refusal> {
    let mut errors = FieldErrors::default();
    let mut sources: Vec<Change> = Vec::new();
    for (place, credit) in credits.iter().enumerate() {
        let field = ["credits.", &place.to_string(), ".amount"].concat();
        let text = "The amount must be more than 0";
        errors.check(credit.amount <= Cents::ZERO, &field, text);
        let is_double = (invoice.payments.iter()).any(|it| it.id == credit.invoice_id);
        let source = known(business, credit.invoice_id).ok();
        let source = source.filter(|it| it.client_id == invoice.client_id && !is_double);
        // What waits to be sent stays on the screen as its person saw it.
        let left = source.map(|it| {
            if ctx.is_shown {
                credit.amount
            } else {
                it.kept()
            }
        });
        let is_gone = left.is_none_or(|it| it < credit.amount);
        errors.check(is_gone, &field, CREDIT_GONE);
        let amount = credit.amount.min(invoice.balance());
        if let Some(source) = source.filter(|_| Cents::ZERO < amount) {
            check_room("refunds", source.refunds.len(), bounds::PAYMENTS)?;
            let mut source = source.clone();
            invoice.payments.push(InvoicePayment {
                id: source.id,
                amount,
                paid_on: invoice.issued_on,
                from: Some(source.id),
                from_number: source.shown_number(),
                ..InvoicePayment::default()
            });
            spend_credit(&mut source, invoice.id, amount, invoice.issued_on);
            sources.extend(settled(source, business).changes);
        }
    }
    errors.or(())?;
    Ok((invoice, sources))
}

/// Takes credit of an invoice for a later one.
fn spend_credit(source: &mut Invoice, to: Id, amount: Cents, day: Date) {
    source.refunds.push(InvoiceRefund {
        id: to,
        amount,
        refunded_on: day,
        to: Some(to),
        ..InvoiceRefund::default()
    });
}

/// The service as it stands on this invoice: paid if that is, no revenue if all of that is written off, and less where a part
/// is.
fn standing_on(invoice: &Invoice, service: &Service) -> Service {
    Service {
        invoice_id: Some(invoice.id),
        credited_invoice_id: invoice.is_written_off_in_full().then_some(invoice.id),
        lost: invoice.lost_of(service.id),
        paid: invoice.paid,
        ..service.clone()
    }
}

/// The invoice as its payments make it, with its services paid or not as it is; nothing where nothing is different.
///
/// INVARIANT: The services on an invoice are paid when it is, and only then.
/// INVARIANT: No service stands on an invoice that is credited in full.
fn settled(invoice: Invoice, business: &Business) -> Decision {
    let is_credited = invoice.is_credited_in_full();
    let paid = invoice.is_settled_by_payment();
    let invoice = Invoice { paid, ..invoice };
    let mut changes: Vec<Change> = Vec::new();
    if invoice.deleted_at.is_none() {
        for service in services_on(&invoice, business) {
            let settled = match is_credited {
                true => Service {
                    invoice_id: None,
                    paid: false,
                    credited_invoice_id: Some(invoice.id),
                    lost: Cents::ZERO,
                    ..service.clone()
                },
                false => standing_on(&invoice, service),
            };
            if settled != *service {
                changes.push(settled.into());
            }
        }
    }
    if business.invoice(invoice.id) != Some(&invoice) {
        changes.push(invoice.into());
    }
    changes.into()
}

/// Refusal where an invoice would bill services again that were billed anew since its credit note.
const BILLED_ANEW: &str =
    "Its services have been paid or billed again since, so the credit note cannot be deleted.";

/// An invoice that loses a credit note. One that was credited in full bills its services again, unless somebody has billed
/// them anew or they were paid by themselves.
fn without_credit(invoice: &Invoice, note: Id, business: &Business) -> Result<Decision, Refusal> {
    let mut left = invoice.clone();
    left.payments.retain(|it| it.id != note);
    let mut decision = settled(left, business);
    let Some(Change::Put(Row::Invoice(after))) = decision.changes.last() else {
        return Ok(decision);
    };
    let bills_again = invoice.is_credited_in_full() && !after.is_credited_in_full();
    if !bills_again || after.deleted_at.is_some() {
        return Ok(decision);
    }
    let after = after.clone();
    for service in service_ids(&after).filter_map(|it| business.service(it)) {
        if service.invoice_id == Some(after.id) {
            continue;
        }
        if service.invoice_id.is_some() || service.paid {
            let mut errors = FieldErrors::default();
            errors.add("services", BILLED_ANEW);
            return Err(errors.into());
        }
        decision.changes.push(standing_on(&after, service).into());
    }
    Ok(decision)
}

/// The services that stand on it.
fn services_on<'a>(
    invoice: &'a Invoice,
    business: &'a Business,
) -> impl Iterator<Item = &'a Service> {
    let services = service_ids(invoice).filter_map(|it| business.service(it));
    services.filter(|it| it.invoice_id == Some(invoice.id))
}

/// The invoice that something is paid on. Money that has come by card is not lost: it brings a deleted invoice back, or
/// goes to the one that bills the same services now.
fn payable<'a>(
    command: &RecordInvoicePayment,
    business: &'a Business,
) -> Result<&'a Invoice, Refusal> {
    let invoice = business.invoice(command.id).ok_or(Refusal::Gone)?;
    if invoice.deleted_at.is_none() {
        return Ok(invoice);
    }
    if command.method != PaymentMethod::Card {
        return Err(Refusal::Gone);
    }
    let others = other_invoices(invoice, business);
    let mut billing = others.filter_map(|it| known(business, it).ok());
    Ok(billing.next().unwrap_or(invoice))
}

/// The invoices that services stand on which this one has billed, too.
fn other_invoices<'a>(
    invoice: &'a Invoice,
    business: &'a Business,
) -> impl Iterator<Item = Id> + 'a {
    let services = service_ids(invoice).filter_map(|it| business.service(it));
    services
        .filter_map(|it| it.invoice_id)
        .filter(|it| *it != invoice.id)
}

fn record_payment(
    command: &RecordInvoicePayment,
    business: &Business,
    ctx: &Context,
) -> Result<Decision, Refusal> {
    let mut invoice = payable(command, business)?.clone();
    let amount = command.amount.unwrap_or_else(|| invoice.balance());
    let mut payments = invoice.payments.iter();
    let known = payments.find(|it| it.id == command.payment_id);
    if let Some((known, amount)) = known.zip(command.amount)
        && known.amount != amount
    {
        return Err(Refusal::Taken);
    }
    // All that was owed was paid already, perhaps on another phone.
    let is_settled = command.amount.is_none() && amount == Cents::ZERO;
    if known.is_some() || is_settled {
        return Ok(Decision::default());
    }
    let mut errors = FieldErrors::default();
    let text = "The amount must be more than 0";
    errors.check(amount <= Cents::ZERO, "amount", text);
    errors.check(MAX_TOTAL < amount, "amount", PRICE_TOO_HIGH);
    let paid_on = command.paid_on.unwrap_or_else(|| ctx.today());
    check_day("paid_on", paid_on, ctx, &mut errors);
    let text = "A credit note takes no payments";
    errors.check(invoice.credits.is_some(), "amount", text);
    let text = "To credit an amount, write a credit note";
    errors.check(command.method == PaymentMethod::Credit, "method", text);
    let beyond = Some((amount - invoice.outstanding()).max(Cents::ZERO));
    let (tip, kept) = match command.beyond {
        _ if command.tip.or(command.kept).is_some() => (command.tip, command.kept),
        Some(Beyond::Tip) => (beyond, None),
        Some(Beyond::Credit) => (None, beyond),
        Some(Beyond::Back) | None => (None, None),
    };
    let text = "A tip must be between $0 and the amount";
    let is_part = |it: Cents| Cents::ZERO <= it && it <= amount;
    errors.check(tip.is_some_and(|it| !is_part(it)), "tip", text);
    let beside = kept.map(|it| it + tip.unwrap_or_default());
    let is_wrong = kept.is_some_and(|it| it < Cents::ZERO) || beside.is_some_and(|it| amount < it);
    let text = "A credit must be between $0 and the amount minus the tip";
    errors.check(is_wrong, "kept", text);
    errors.or(())?;
    check_room("payments", invoice.payments.len(), bounds::PAYMENTS)?;
    // Builds before took all that a card brought beyond as a tip, where nothing is said of it.
    let is_card = command.method == PaymentMethod::Card;
    invoice.payments.push(InvoicePayment {
        id: command.payment_id,
        amount,
        method: command.method,
        paid_on,
        note: command.note.trim().to_owned(),
        tip: tip.or(is_card.then_some(Cents::ZERO)),
        kept,
        ..InvoicePayment::default()
    });
    if invoice.deleted_at.is_some() {
        // With its deletion the credit went back to where it came from.
        invoice.payments.retain(|it| it.from.is_none());
    }
    if invoice.deleted_at.take().is_none() || invoice.is_credited_in_full() {
        return Ok(settled(invoice, business));
    }
    invoice.paid = invoice.is_settled_by_payment();
    let services = service_ids(&invoice).filter_map(|it| business.service(it));
    // What was paid by itself meanwhile stays so.
    let services = services.filter(|it| is_billable(it));
    let back: Vec<Change> = services
        .map(|it| standing_on(&invoice, it).into())
        .collect();
    let mut decision = settled(invoice, business);
    decision.changes.extend(back);
    Ok(decision)
}

/// Age in days of the oldest payment or refund that can be recorded: ten years.
const OLDEST_MONEY_DAYS: i64 = 3_653;

/// Adds the error of a day on which money cannot have moved. The day after today is one: zones differ.
fn check_day(field: &str, day: Date, ctx: &Context, errors: &mut FieldErrors) {
    let today = ctx.today();
    let is_future = !ctx.is_shown && today.plus_days(1) < day;
    errors.check(is_future, field, "This day is still to come");
    let text = "This day is more than ten years ago";
    errors.check(day < today.plus_days(-OLDEST_MONEY_DAYS), field, text);
}

fn record_payments(
    command: &RecordPayments,
    business: &Business,
    ctx: &Context,
) -> Result<Decision, Refusal> {
    let mut changes: Vec<Change> = Vec::new();
    let mut seen: Vec<Id> = Vec::new();
    let mut client_id: Option<Id> = None;
    let mut errors = FieldErrors::default();
    let text = "Please choose at least one invoice";
    errors.check(command.parts.is_empty(), "parts", text);
    for (place, part) in command.parts.iter().enumerate() {
        let field = |name: &str| ["parts.", &place.to_string(), ".", name].concat();
        let text = "Each invoice can be chosen only once";
        errors.check(seen.contains(&part.invoice_id), &field("invoice_id"), text);
        seen.push(part.invoice_id);
        // Money on a deleted invoice would go to the one that bills its services now, which may be another part.
        let invoice = known(business, part.invoice_id)?;
        let client_id = *client_id.get_or_insert(invoice.client_id);
        let text = "A payment can cover the invoices of one client only";
        let is_other = client_id != invoice.client_id;
        errors.check(is_other, &field("invoice_id"), text);
        let payment = RecordInvoicePayment {
            id: part.invoice_id,
            payment_id: command.payment_id,
            amount: Some(part.amount),
            method: command.method,
            paid_on: command.paid_on,
            note: command.note.clone(),
            beyond: command.beyond,
            ..RecordInvoicePayment::default()
        };
        match record_payment(&payment, business, ctx) {
            Ok(decision) => changes.extend(decision.changes),
            Err(Refusal::Invalid { fields }) => {
                for error in fields {
                    let named = match error.field.as_str() {
                        "amount" => field("amount"),
                        other => other.to_owned(),
                    };
                    errors.add(named, error.text);
                }
            }
            Err(refusal) => return Err(refusal),
        }
    }
    errors.or(())?;
    Ok(changes.into())
}

fn delete(id: Id, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
    let invoice = business.invoice(id).ok_or(Refusal::Gone)?;
    if invoice.deleted_at.is_some() {
        return Ok(Decision::default());
    }
    let table = TableName::Invoice;
    check_seen(business, &[RowKey { table, id }])?;
    let mut errors = FieldErrors::default();
    if let Some(text) = deletion_refusal(invoice) {
        errors.add("id", text);
    }
    errors.or(())?;
    let mut changes: Vec<Change> = services_on(invoice, business)
        .map(|it| {
            Change::from(Service {
                invoice_id: None,
                credited_invoice_id: None,
                lost: Cents::ZERO,
                paid: false,
                ..it.clone()
            })
        })
        .collect();
    for source in invoice.payments.iter().filter_map(|it| it.from) {
        if let Some(source) = business.invoice(source) {
            let mut source = source.clone();
            source.refunds.retain(|it| it.to != Some(id));
            changes.extend(settled(source, business).changes);
        }
    }
    if let Some(credited) = invoice.credits.and_then(|it| business.invoice(it)) {
        changes.extend(without_credit(credited, id, business)?.changes);
    }
    changes.push(Change::from(Invoice {
        deleted_at: Some(ctx.acted_at()),
        ..invoice.clone()
    }));
    Ok(changes.into())
}

/// Returns true if its services are paid though it is deleted: builds before `deletion_refusal` asked for a credit note
/// left them so.
fn is_paid_by_money(invoice: &Invoice) -> bool {
    invoice.paid && Cents::ZERO < invoice.received() && invoice.credit_used() == Cents::ZERO
}

fn restore(id: Id, business: &Business) -> Result<Decision, Refusal> {
    let invoice = business.invoice(id).ok_or(Refusal::Gone)?;
    if invoice.deleted_at.is_none() {
        return Ok(Decision::default());
    }
    let is_paid = is_paid_by_money(invoice);
    let is_billing = !invoice.is_credited_in_full();
    let services = service_ids(invoice).filter_map(|it| business.service(it));
    let mut changes: Vec<Change> = Vec::new();
    for service in services.filter(|_| is_billing) {
        // Somebody has billed it anew, it was paid by itself, or it is another client's now.
        let is_others = service.client_id != invoice.client_id;
        if service.invoice_id.is_some() || service.paid != is_paid || is_others {
            return Err(Refusal::AlreadyInvoiced);
        }
        changes.push(standing_on(invoice, service).into());
    }
    for used in &invoice.payments {
        let Some(from) = used.from else { continue };
        let source = known(business, from).ok();
        let Some(source) = source.filter(|it| used.amount <= it.kept()) else {
            let mut errors = FieldErrors::default();
            errors.add("id", CREDIT_GONE);
            return Err(errors.into());
        };
        check_room("refunds", source.refunds.len(), bounds::PAYMENTS)?;
        let mut source = source.clone();
        spend_credit(&mut source, id, used.amount, used.paid_on);
        changes.extend(settled(source, business).changes);
    }
    if let Some(credited) = invoice.credits {
        let credited = known(business, credited)?;
        let back = with_credit(credited, id, invoice.total, invoice.issued_on)?;
        changes.extend(settled(back, business).changes);
    }
    changes.push(Change::from(Invoice {
        deleted_at: None,
        ..invoice.clone()
    }));
    Ok(changes.into())
}

fn credit(
    command: &CreditInvoice,
    business: &Business,
    ctx: &Context,
) -> Result<Decision, Refusal> {
    if business.invoices.get(&command.id).is_some() {
        return Err(Refusal::Taken);
    }
    let invoice = known(business, command.invoice_id)?;
    let note = command.note.trim();
    let mut errors = FieldErrors::default();
    errors.check(note.is_empty(), "note", "Please say why");
    let text = "The amount must be more than 0";
    errors.check(command.amount <= Cents::ZERO, "amount", text);
    errors.or(())?;
    let there_are = business.count(TableName::Invoice, business.invoices.len());
    check_room("invoices", there_are, bounds::INVOICES)?;
    let credited = with_credit(invoice, command.id, command.amount, ctx.today())?;
    let before = credit_notes(invoice).map(|it| (it.amount, business.invoice(it.id)));
    let sums = totals_of(invoice).taxes;
    // The year in a number is that of its own day.
    let invoicing = business.sitter().map(|it| &it.invoicing);
    let with_year = invoicing.filter(|it| it.number_year);
    let with_year = with_year.map(|it| it.prefix_on(ctx.today()));
    let taxes = credited_taxes(invoice, &sums, before, command.amount);
    let mut decision = settled(credited, business);
    decision.changes.push(Change::from(Invoice {
        id: command.id,
        client_id: invoice.client_id,
        prefix: with_year.unwrap_or_else(|| invoice.prefix.clone()),
        paid: true,
        issued_on: ctx.today(),
        client_data: invoice.client_data.clone(),
        invoice_data: InvoiceData {
            start_date: invoice.invoice_data.start_date,
            end_date: invoice.invoice_data.end_date,
            note: note.to_owned(),
            credited: invoice.shown_number(),
            taxes,
            issuer: invoice.invoice_data.issuer.clone(),
            number_digits: invoice.invoice_data.number_digits,
            ..InvoiceData::default()
        },
        total: command.amount,
        credits: Some(invoice.id),
        shared_at: ctx.acted_at(),
        ..Invoice::default()
    }));
    Ok(decision)
}

/// Credits on an invoice; each has the id of its credit note.
fn credit_notes(invoice: &Invoice) -> impl Iterator<Item = &InvoicePayment> {
    let payments = invoice.payments.iter();
    payments.filter(|it| it.method == PaymentMethod::Credit)
}

/// The invoice with a credit note on it; no more is given back than it came to.
fn with_credit(
    invoice: &Invoice,
    id: Id,
    amount: Cents,
    paid_on: Date,
) -> Result<Invoice, FieldErrors> {
    let left = invoice.total - invoice.credited();
    let mut errors = FieldErrors::default();
    let text = "You cannot credit more than the invoice came to";
    let is_note = invoice.credits.is_some();
    errors.check(is_note || left < amount, "amount", text);
    errors.or(())?;
    check_room("payments", invoice.payments.len(), bounds::PAYMENTS)?;
    let mut credited = invoice.clone();
    credited.payments.push(InvoicePayment {
        id,
        amount,
        method: PaymentMethod::Credit,
        paid_on,
        ..InvoicePayment::default()
    });
    Ok(credited)
}

fn settle_overpayment(
    command: &SettleOverpayment,
    invoice: &mut Invoice,
    _: &Context,
) -> Result<bool, Refusal> {
    let (tip, kept) = (command.tip, command.kept);
    let came = invoice.received() + invoice.credit_used();
    let beyond = came - invoice.refunded() - invoice.credit_spent();
    let most_tip = (beyond - invoice.total).max(invoice.tip());
    let mut errors = FieldErrors::default();
    let text = "A tip cannot be more than what was overpaid";
    errors.check(tip < Cents::ZERO || most_tip < tip, "tip", text);
    let most_kept = (beyond - invoice.charged() - tip).max(Cents::ZERO);
    let text = "A credit cannot be more than what is owed back";
    errors.check(kept < Cents::ZERO || most_kept < kept, "kept", text);
    errors.or(())?;
    if (tip, kept) == (invoice.tip(), invoice.kept()) {
        return Ok(false);
    }
    // The newest money is what came beyond; each payment takes what fits into it.
    let (mut tip, mut kept) = (tip, kept + invoice.credit_spent());
    let payments = invoice.payments.iter_mut().rev();
    for it in payments.filter(|it| !is_note(it)) {
        let tipped = match is_money(it) {
            true => tip.min(it.amount),
            false => Cents::ZERO,
        };
        let left = kept.min(it.amount - tipped);
        (tip, kept) = (tip - tipped, kept - left);
        it.tip = Some(tipped);
        it.kept = (left != Cents::ZERO).then_some(left);
    }
    Ok(true)
}

fn record_refund(
    command: &RecordInvoiceRefund,
    invoice: &mut Invoice,
    ctx: &Context,
) -> Result<bool, Refusal> {
    let amount = command.amount.unwrap_or_else(|| invoice.owed_back());
    let is_known = invoice.refunds.iter().any(|it| it.id == command.refund_id);
    // All of it went back already, perhaps by another phone.
    let is_settled = command.amount.is_none() && amount == Cents::ZERO;
    if is_known || is_settled {
        return Ok(false);
    }
    let mut errors = FieldErrors::default();
    let text = "The amount must be more than 0";
    errors.check(amount <= Cents::ZERO, "amount", text);
    let most = invoice.owed_back() + invoice.kept();
    let text = "A refund cannot be more than what was overpaid";
    errors.check(Cents::ZERO < amount && most < amount, "amount", text);
    let text = "A credit note is not a way to pay money back";
    errors.check(command.method == PaymentMethod::Credit, "method", text);
    let refunded_on = command.refunded_on.unwrap_or_else(|| ctx.today());
    check_day("refunded_on", refunded_on, ctx, &mut errors);
    errors.or(())?;
    check_room("refunds", invoice.refunds.len(), bounds::PAYMENTS)?;
    invoice.refunds.push(InvoiceRefund {
        id: command.refund_id,
        amount,
        method: command.method,
        refunded_on,
        note: command.note.trim().to_owned(),
        to: None,
    });
    Ok(true)
}
