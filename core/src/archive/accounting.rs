//! Owns tables of invoices and expenses that QuickBooks Online and Xero import, by the columns that they document. Their
//! importers find columns by names, so the files have no mark before the heading.
//!
//! Invoices: quickbooks.intuit.com, 'Import multiple invoices at once', and central.xero.com, 'Import invoices'. Credit notes
//! have files of their own: 'How to import credit notes' and 'Import credit notes', both with amounts above 0. Expenses:
//! quickbooks.intuit.com, 'Format CSV files to get bank transactions' (three columns), and central.xero.com, 'Import bank
//! transactions'.

use crate::rows::expense::{Expense, ExpenseCategory};
use crate::rows::invoice::{Invoice, InvoiceExtra, InvoicedService};
use crate::rows::invoicing::Tax;
use crate::rows::row::{Row, TableName};
use crate::rules::expense::category_name;
use crate::rules::tax::{self, Rates, TaxedLine};
use crate::rules::words;
use crate::values::csv::push_record;
use crate::values::format::{date as shown_date, names};
use crate::{Cents, Date};

/// A file that an accounting program imports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccountingFile {
    /// Invoices for QuickBooks Online, a line for each of their lines.
    QuickbooksInvoices,
    /// The same for Xero. A tax rate has there the name that it has on the invoice.
    XeroInvoices,
    /// Credit notes for QuickBooks Online: a line without the tax, and one for each tax.
    QuickbooksCreditNotes,
    /// The same for Xero.
    XeroCreditNotes,
    /// Money spent as bank transactions for QuickBooks Online.
    QuickbooksExpenses,
    /// The same for Xero.
    XeroExpenses,
}

/// The account of Xero's default chart in which sales are.
const XERO_SALES: &str = "200";

/// The tax rate that Xero has for lines without tax.
const XERO_NO_TAX: &str = "Tax Exempt";

impl AccountingFile {
    /// The files that are made of a table.
    pub const fn of(table: TableName) -> &'static [Self] {
        match table {
            TableName::Invoice => &[
                Self::QuickbooksInvoices,
                Self::XeroInvoices,
                Self::QuickbooksCreditNotes,
                Self::XeroCreditNotes,
            ],
            TableName::Expense => &[Self::QuickbooksExpenses, Self::XeroExpenses],
            _ => &[],
        }
    }

    /// Its name in the archive.
    pub const fn name(self) -> &'static str {
        match self {
            Self::QuickbooksInvoices => "csv/quickbooks-invoices.csv",
            Self::XeroInvoices => "csv/xero-invoices.csv",
            Self::QuickbooksCreditNotes => "csv/quickbooks-credit-notes.csv",
            Self::XeroCreditNotes => "csv/xero-credit-notes.csv",
            Self::QuickbooksExpenses => "csv/quickbooks-expenses.csv",
            Self::XeroExpenses => "csv/xero-expenses.csv",
        }
    }

    const fn columns(self) -> &'static [&'static str] {
        match self {
            Self::QuickbooksInvoices => &[
                "*InvoiceNo",
                "*Customer",
                "*InvoiceDate",
                "*DueDate",
                "Memo",
                "Item(Product/Service)",
                "ItemDescription",
                "ItemQuantity",
                "ItemRate",
                "*ItemAmount",
                "Taxable",
                "TaxRate",
                "Service Date",
            ],
            Self::XeroInvoices => &[
                "*ContactName",
                "*InvoiceNumber",
                "Reference",
                "*InvoiceDate",
                "*DueDate",
                "*Description",
                "*Quantity",
                "*UnitAmount",
                "*AccountCode",
                "*TaxType",
            ],
            Self::QuickbooksCreditNotes => &[
                "*CreditNoteNo",
                "*Customer",
                "*CreditNoteDate",
                "Memo",
                "Item(Product/Service)",
                "ItemDescription",
                "*ItemAmount",
            ],
            Self::XeroCreditNotes => &[
                "*ContactName",
                "*CreditNoteNumber",
                "Reference",
                "*CreditNoteDate",
                "*Description",
                "*Quantity",
                "*UnitAmount",
                "*AccountCode",
                "*TaxType",
            ],
            Self::QuickbooksExpenses => &["Date", "Description", "Amount"],
            Self::XeroExpenses => &["*Date", "*Amount", "Payee", "Description", "Reference"],
        }
    }

    /// The heading of the file.
    pub fn begin(self) -> String {
        let mut csv = String::new();
        push_record(&mut csv, self.columns());
        csv
    }

    /// Appends what a row is in the file; nothing for a row that is none of its own: an invoice that waits for its number or was
    /// deleted without a credit note, and miles, which are no money spent.
    pub fn push(self, csv: &mut String, row: &Row) {
        match row {
            Row::Invoice(invoice) if is_out(invoice) => {}
            Row::Invoice(note) if note.credits.is_some() => self.push_note(csv, note),
            Row::Invoice(invoice) => self.push_invoice(csv, invoice),
            Row::Expense(expense) if expense.category != ExpenseCategory::Mileage => {
                push_record(csv, self.cells_of_expense(expense));
            }
            _ => {}
        }
    }

    fn push_invoice(self, csv: &mut String, invoice: &Invoice) {
        if let Self::QuickbooksInvoices | Self::XeroInvoices = self {
            for line in lines(invoice) {
                push_record(csv, self.cells_of_line(invoice, &line));
            }
        }
    }

    fn push_note(self, csv: &mut String, note: &Invoice) {
        let data = &note.invoice_data;
        let taxes: Cents = data.taxes.iter().map(|it| it.amount).sum();
        let reason = ["Credit for invoice ", &data.credited, ": ", &data.note].concat();
        let lines = std::iter::once((reason.as_str(), note.total - taxes))
            .chain(data.taxes.iter().map(|it| (it.label.as_str(), it.amount)));
        for (description, amount) in lines.filter(|it| it.1 != Cents::ZERO) {
            let (number, customer) = (note.shown_number(), note.client_data.name.clone());
            let (issued, amount) = (us_date(note.issued_on), plain(amount));
            let (credited, description) = (data.credited.clone(), description.to_owned());
            match self {
                Self::QuickbooksCreditNotes => push_record(
                    csv,
                    [
                        number,
                        customer,
                        issued,
                        credited,
                        "Credit".to_owned(),
                        description,
                        amount,
                    ],
                ),
                Self::XeroCreditNotes => push_record(
                    csv,
                    [
                        customer,
                        number,
                        credited,
                        issued,
                        description,
                        "1".to_owned(),
                        amount,
                        XERO_SALES.to_owned(),
                        XERO_NO_TAX.to_owned(),
                    ],
                ),
                _ => {}
            }
        }
    }

    fn cells_of_line(self, invoice: &Invoice, line: &Line) -> Vec<String> {
        let number = invoice.shown_number();
        let customer = invoice.client_data.name.clone();
        let issued = us_date(invoice.issued_on);
        // Both programs ask for one.
        let due = us_date(invoice.due_date.unwrap_or(invoice.issued_on));
        let tax = Rates::from(&invoice.invoice_data).find(line.tax_name.as_deref());
        let (quantity, rate) = (line.quantity.to_string(), plain(line.rate));
        let description = line.description.clone();
        match self {
            Self::QuickbooksInvoices => {
                let added = tax.filter(|it| !it.included);
                let included = tax.filter(|it| it.included);
                let memo = included.map(|it| ["Prices include ", &tax::label(it)].concat());
                vec![
                    number,
                    customer,
                    issued,
                    due,
                    memo.unwrap_or_default(),
                    line.item.clone(),
                    description,
                    quantity,
                    rate,
                    plain(line.amount),
                    if added.is_some() { "Y" } else { "N" }.to_owned(),
                    added.map(tax_rate).unwrap_or_default(),
                    line.date.map(us_date).unwrap_or_default(),
                ]
            }
            _ => vec![
                customer,
                number,
                String::new(),
                issued,
                due,
                description,
                quantity,
                rate,
                XERO_SALES.to_owned(),
                tax.map_or_else(|| XERO_NO_TAX.to_owned(), tax::label),
            ],
        }
    }

    fn cells_of_expense(self, expense: &Expense) -> Vec<String> {
        let amount = plain(Cents::ZERO - expense.amount.unwrap_or_default());
        let date = us_date(expense.date);
        let category = category_name(expense.category);
        let description = match expense.note.as_str() {
            "" => category.to_owned(),
            note => [category, ": ", note].concat(),
        };
        match self {
            Self::XeroExpenses => vec![date, amount, String::new(), description, String::new()],
            _ => vec![date, description, amount],
        }
    }
}

/// Returns true for an invoice that no program is to know. The credit notes of one that was deleted stand, and so does it.
fn is_out(invoice: &Invoice) -> bool {
    let is_deleted = invoice.deleted_at.is_some() && invoice.credited() <= Cents::ZERO;
    invoice.number.is_none() || is_deleted
}

/// A line of an invoice, without its tax.
struct Line {
    date: Option<Date>,
    item: String,
    description: String,
    quantity: i64,
    rate: Cents,
    amount: Cents,
    /// Name of its tax rate, as `InvoiceExtra::tax_name` has it.
    tax_name: Option<String>,
}

fn lines(invoice: &Invoice) -> Vec<Line> {
    let (services, extras) = (&invoice.services_data, &invoice.invoice_data.extras);
    let rates = Rates::from(&invoice.invoice_data);
    let taxed = services.iter().map(|it| TaxedLine {
        amount: it.price,
        tax_name: it.tax_name.as_deref(),
    });
    let taxed: Vec<TaxedLine> = taxed.chain(extras.iter().map(taxed_extra)).collect();
    let mut discounts = tax::discounts_by_rate(&taxed, rates).into_iter();
    let mut lines: Vec<Line> = services.iter().map(line_of_service).collect();
    for extra in extras {
        if !taxed_extra(extra).is_discount_on_all() {
            lines.push(line_of_extra(extra, extra.amount, extra.tax_name.clone()));
            continue;
        }
        // A line has one rate, and the invoice takes such a discount off all of them.
        for (tax, part) in discounts.next().unwrap_or_default() {
            let tax_name = tax.map_or_else(String::new, |it| it.name.clone());
            let tax_name = (tax != rates.default).then_some(tax_name);
            lines.push(line_of_extra(extra, part, tax_name));
        }
    }
    lines
}

fn taxed_extra(extra: &InvoiceExtra) -> TaxedLine<'_> {
    TaxedLine {
        amount: extra.amount,
        tax_name: extra.tax_name.as_deref(),
    }
}

fn line_of_extra(extra: &InvoiceExtra, amount: Cents, tax_name: Option<String>) -> Line {
    let item = match extra.amount < Cents::ZERO {
        true => "Discount",
        false => "Extra charge",
    };
    Line {
        date: None,
        item: item.to_owned(),
        description: extra.label.clone(),
        quantity: 1,
        rate: amount,
        amount,
        tax_name,
    }
}

fn line_of_service(service: &InvoicedService) -> Line {
    let item = match service.name.as_str() {
        "" => words::service_type(service.service_type).to_owned(),
        name => name.to_owned(),
    };
    let dogs: Vec<String> = service.dogs.iter().map(|it| it.name.clone()).collect();
    let count = service.stay.map(|it| words::units(it.unit, it.count));
    let days = match service.end_date {
        Some(last) => [&shown_date(service.date), " - ", &shown_date(last)].concat(),
        None => shown_date(service.date),
    };
    let parts = [Some(names(&dogs)), Some(days), count];
    let parts: Vec<String> = parts
        .into_iter()
        .flatten()
        .filter(|it| !it.is_empty())
        .collect();
    // Nights are a quantity only where each has the same price.
    let units = service.stay.map_or(1, |it| i64::from(it.count));
    let quantity = match units {
        0 => 1,
        units if service.price.0 % units == 0 => units,
        _ => 1,
    };
    Line {
        date: Some(service.date),
        item,
        description: parts.join(", "),
        quantity,
        rate: Cents(service.price.0 / quantity),
        amount: service.price,
        tax_name: service.tax_name.clone(),
    }
}

/// `12/04/2026`, as both programs read a date in the United States.
fn us_date(date: Date) -> String {
    let (year, month, day) = date.parts();
    format!("{month:02}/{day:02}/{year}")
}

/// An amount without a sign of a currency: `-12.50`.
fn plain(amount: Cents) -> String {
    let sign = if amount < Cents::ZERO { "-" } else { "" };
    let cents = amount.0.unsigned_abs();
    format!("{sign}{}.{:02}", cents / 100, cents % 100)
}

/// The rate of a tax without its name: `8.25%`.
fn tax_rate(tax: &Tax) -> String {
    let nameless = Tax {
        name: String::new(),
        ..tax.clone()
    };
    tax::label(&nameless).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::invoice::{
        CreditedTax, InvoiceClient, InvoiceData, InvoicePayment, InvoicedDog, PaymentMethod,
        StayCount,
    };
    use crate::rows::offering::StayUnit;
    use crate::rows::service::Service;
    use crate::{Business, Id, Instant};

    fn invoice() -> Invoice {
        let service = Service {
            date: "2026-12-04".parse().unwrap(),
            end_date: "2026-12-06".parse().ok(),
            offering_name: "Overnight Stay".to_owned(),
            price: Cents(15_000),
            ..Service::new(Id::of(1), Instant(0))
        };
        let mut stay = crate::rules::invoice::billed(&service, &Business::default(), None);
        stay.stay = Some(StayCount {
            unit: StayUnit::Nights,
            count: 2,
        });
        stay.dogs = vec![InvoicedDog {
            name: "Rex".to_owned(),
            ..InvoicedDog::default()
        }];
        Invoice {
            number: Some(7),
            prefix: "INV-".to_owned(),
            issued_on: "2026-12-07".parse().unwrap(),
            client_data: InvoiceClient {
                name: "Dana".to_owned(),
                ..InvoiceClient::default()
            },
            services_data: vec![stay],
            invoice_data: InvoiceData {
                extras: vec![InvoiceExtra {
                    label: "Friends".to_owned(),
                    amount: Cents(-10_00),
                    ..InvoiceExtra::default()
                }],
                tax: Some(Tax {
                    name: "Sales tax".to_owned(),
                    rate: 825,
                    included: false,
                    rate_thousandths: 0,
                }),
                ..InvoiceData::default()
            },
            ..Invoice::default()
        }
    }

    fn table(file: AccountingFile, row: &Row) -> String {
        let mut csv = file.begin();
        file.push(&mut csv, row);
        csv
    }

    #[test]
    fn quickbooks_reads_each_line_of_an_invoice() {
        let csv = table(AccountingFile::QuickbooksInvoices, &Row::Invoice(invoice()));
        let lines: Vec<&str> = csv.lines().skip(1).collect();
        assert_eq!(
            lines,
            [
                "INV-7,Dana,12/07/2026,12/07/2026,,Overnight Stay,\"Rex, Dec 4, 2026 - Dec 6, 2026, 2 nights\",2,75.00,150.00,Y,\"8.25%\",12/04/2026",
                "INV-7,Dana,12/07/2026,12/07/2026,,Discount,Friends,1,-10.00,-10.00,Y,\"8.25%\",",
            ]
        );
    }

    #[test]
    fn xero_reads_each_line_of_an_invoice() {
        let csv = table(AccountingFile::XeroInvoices, &Row::Invoice(invoice()));
        let line = csv.lines().nth(2).unwrap();
        assert_eq!(
            line,
            "Dana,INV-7,,12/07/2026,12/07/2026,Friends,1,-10.00,200,\"Sales tax 8.25%\""
        );
    }

    /// Item, amount and tax rate of each line for QuickBooks.
    fn amounts(invoice: &Invoice) -> Vec<(String, String, String)> {
        let file = AccountingFile::QuickbooksInvoices;
        let lines = lines(invoice).into_iter().map(|it| {
            let mut cells = file.cells_of_line(invoice, &it).into_iter();
            let mut cell = |place| cells.nth(place).unwrap();
            (cell(5), cell(3), cell(1))
        });
        lines.collect()
    }

    #[test]
    fn a_discount_on_all_lines_is_exported_at_the_rates_that_the_invoice_counts_it_at() {
        let of = |item: &str, amount: &str, rate: &str| {
            (item.to_owned(), amount.to_owned(), rate.to_owned())
        };
        let mut invoice = invoice();
        invoice.invoice_data.more_taxes = vec![Tax {
            name: "Lodging".to_owned(),
            rate: 500,
            ..Tax::default()
        }];
        invoice.services_data[0].tax_name = Some("Lodging".to_owned());
        let stay = of("Overnight Stay", "150.00", "5%");
        assert_eq!(
            amounts(&invoice),
            [stay.clone(), of("Discount", "-10.00", "5%")]
        );
        let extra = |amount: i64, tax_name: Option<&str>| InvoiceExtra {
            label: "Line".to_owned(),
            amount: Cents(amount),
            tax_name: tax_name.map(str::to_owned),
        };
        invoice.invoice_data.extras = vec![
            extra(-10_00, None),
            extra(75_00, None),
            extra(-5_00, Some("Lodging")),
            extra(-1, None),
        ];
        let exported = amounts(&invoice);
        assert_eq!(
            exported,
            [
                stay,
                of("Discount", "-3.41", "8.25%"),
                of("Discount", "-6.59", "5%"),
                of("Extra charge", "75.00", "8.25%"),
                of("Discount", "-5.00", "5%"),
                of("Discount", "-0.01", "5%"),
            ]
        );
    }

    #[test]
    fn a_credit_note_is_in_files_of_its_own_with_each_tax() {
        let mut note = Invoice {
            number: Some(8),
            credits: Some(Id::of(2)),
            total: Cents(54_13),
            ..invoice()
        };
        note.invoice_data.credited = "INV-7".to_owned();
        note.invoice_data.note = "The second night was not needed".to_owned();
        note.invoice_data.taxes = vec![CreditedTax {
            label: "Sales tax 8.25%".to_owned(),
            amount: Cents(4_13),
        }];
        let row = Row::Invoice(note);
        let lines = |file: AccountingFile| -> Vec<String> {
            table(file, &row)
                .lines()
                .skip(1)
                .map(str::to_owned)
                .collect()
        };
        assert_eq!(
            lines(AccountingFile::QuickbooksCreditNotes),
            [
                "INV-8,Dana,12/07/2026,INV-7,Credit,Credit for invoice INV-7: The second night was not needed,50.00",
                "INV-8,Dana,12/07/2026,INV-7,Credit,\"Sales tax 8.25%\",4.13",
            ]
        );
        assert_eq!(
            lines(AccountingFile::XeroCreditNotes),
            [
                "Dana,INV-8,INV-7,12/07/2026,Credit for invoice INV-7: The second night was not needed,1,50.00,200,Tax Exempt",
                "Dana,INV-8,INV-7,12/07/2026,\"Sales tax 8.25%\",1,4.13,200,Tax Exempt",
            ]
        );
        assert_eq!(lines(AccountingFile::QuickbooksInvoices), [""; 0]);
        let invoice = Row::Invoice(invoice());
        let file = AccountingFile::XeroCreditNotes;
        assert_eq!(table(file, &invoice), file.begin());
    }

    #[test]
    fn deleted_invoices_without_a_credit_note_and_miles_are_in_no_file() {
        let mut deleted = Invoice {
            deleted_at: Some(Instant(1)),
            ..invoice()
        };
        for file in AccountingFile::of(TableName::Invoice) {
            assert_eq!(table(*file, &Row::Invoice(deleted.clone())), file.begin());
        }
        deleted.payments.push(InvoicePayment {
            amount: Cents(54_13),
            method: PaymentMethod::Credit,
            ..InvoicePayment::default()
        });
        let file = AccountingFile::XeroInvoices;
        assert_ne!(table(file, &Row::Invoice(deleted)), file.begin());
        let miles = Expense::new(Id::of(1), "2026-12-04".parse().unwrap(), Instant(0));
        let file = AccountingFile::XeroExpenses;
        assert_eq!(table(file, &Row::Expense(miles)), file.begin());
    }

    #[test]
    fn money_spent_is_below_zero_in_bank_transactions() {
        let expense = Expense {
            category: ExpenseCategory::Insurance,
            amount: Some(Cents(12_50)),
            note: "Liability".to_owned(),
            ..Expense::new(Id::of(1), "2026-12-04".parse().unwrap(), Instant(0))
        };
        let row = Row::Expense(expense);
        assert_eq!(
            table(AccountingFile::QuickbooksExpenses, &row)
                .lines()
                .nth(1),
            Some("12/04/2026,Insurance: Liability,-12.50")
        );
        assert_eq!(
            table(AccountingFile::XeroExpenses, &row).lines().nth(1),
            Some("12/04/2026,-12.50,,Insurance: Liability,")
        );
    }
}
