//! Owns what the taxes of an invoice come to: which lines each rate is on, its share of their sum, and the tax in a part of
//! an invoice that is credited.

use serde::Serialize;

use crate::Cents;
use crate::rows::invoice::{CreditedTax, Invoice, InvoiceData};
use crate::rows::invoicing::{Invoicing, Tax};

/// Parts that a whole has in a tax's rate, which counts thousandths of a percent.
const RATE_WHOLE: i64 = 100_000;

/// Words for a line that no tax is on.
pub const NO_TAX: &str = "No tax";

/// The rates that the lines of an invoice can name.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rates<'a> {
    /// The rate of a line that names none.
    pub default: Option<&'a Tax>,
    /// The others; each has a name of its own.
    pub more: &'a [Tax],
}

impl<'a> From<&'a Invoicing> for Rates<'a> {
    fn from(invoicing: &'a Invoicing) -> Self {
        Self {
            default: invoicing.tax.as_ref(),
            more: &invoicing.more_taxes,
        }
    }
}

impl<'a> From<&'a InvoiceData> for Rates<'a> {
    fn from(data: &'a InvoiceData) -> Self {
        Self {
            default: data.tax.as_ref(),
            more: &data.more_taxes,
        }
    }
}

impl<'a> Rates<'a> {
    /// All of them, the default one first.
    fn all(self) -> impl Iterator<Item = &'a Tax> {
        self.default.into_iter().chain(self.more)
    }

    /// Returns true if a line can name this rate: it is one of these, or empty for no tax.
    pub fn has(self, name: &str) -> bool {
        name.is_empty() || self.all().any(|it| it.name == name)
    }

    /// Rate of a line that names this one; that of a line without a name where the rate is none of these.
    pub fn find(self, name: Option<&str>) -> Option<&'a Tax> {
        match name {
            Some("") => None,
            Some(name) => self.all().find(|it| it.name == name).or(self.default),
            None => self.default,
        }
    }

    /// Names the rate of a line, or says that it has none.
    pub fn label(self, name: Option<&str>) -> String {
        self.find(name).map_or_else(|| NO_TAX.to_owned(), label)
    }
}

/// A line that tax may be on.
#[derive(Clone, Copy, Debug)]
pub struct TaxedLine<'a> {
    /// Below 0 for a discount.
    pub amount: Cents,
    /// The name of its rate; empty for no tax, none for the default rate. A discount without one is spread over the rates
    /// of all other lines.
    pub tax_name: Option<&'a str>,
}

impl TaxedLine<'_> {
    /// Returns true for a discount that is spread over the rates of all other lines.
    pub fn is_discount_on_all(&self) -> bool {
        self.amount < Cents::ZERO && self.tax_name.is_none()
    }
}

/// Lines that one rate, or no tax, is on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TaxSum {
    /// `Sales tax 8.25%`; empty for lines without tax.
    pub label: String,
    /// Sum of its lines, as they are priced, less its part of the discounts.
    pub lines: Cents,
    /// The tax, in that sum or beside it.
    pub tax: Cents,
    /// True if prices include the tax already.
    pub included: bool,
}

impl TaxSum {
    /// Names the tax with the amount that it is counted on, the tax itself not included: `VAT 20% on $100.00`.
    pub fn label_with_base(&self) -> String {
        let base = if self.included {
            self.lines - self.tax
        } else {
            self.lines
        };
        [&self.label, " on ", &base.to_string()].concat()
    }
}

/// Names a tax with its rate: `Sales tax 8.25%`.
pub fn label(tax: &Tax) -> String {
    let rate = tax.thousandths();
    let thousandths = (1000 + rate % 1000).to_string();
    let digits = thousandths.get(1..).unwrap_or_default();
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    let whole = (rate / 1000).to_string();
    [&tax.name, " ", &whole, point, digits, "%"].concat()
}

/// Sums up lines by their rates, the default one first and lines without tax last. The tax of a rate is rounded once, for
/// all of its lines; together the sums of lines come to those lines to the cent.
pub fn sums_by_rate<'a>(
    lines: impl IntoIterator<Item = TaxedLine<'a>>,
    rates: Rates<'a>,
) -> Vec<TaxSum> {
    let mut of_lines = RateSums::new(lines, rates);
    let parts = of_lines.spread(of_lines.discounts);
    let is_empty = of_lines.sums.iter().all(Option::is_none);
    let is_discount_alone = of_lines.is_nothing() && of_lines.discounts < Cents::ZERO;
    let usual = of_lines.sums.get_mut(of_lines.usual);
    if let Some(sum) = usual.filter(|_| is_empty || is_discount_alone) {
        sum.get_or_insert(Cents::ZERO);
    }
    let sums = of_lines.sums.into_iter().zip(parts);
    let sums = sums.map(|(sum, part)| Some(sum? + part));
    let sums = of_lines.taxes.into_iter().zip(sums);
    let sums = sums.filter_map(|(tax, lines)| Some(sum_of(tax, lines?)));
    sums.collect()
}

/// Splits each discount on all lines, in their order, into its parts by the rates that `sums_by_rate` counts it at; `None`
/// stands for no tax.
pub fn discounts_by_rate<'a>(
    lines: &[TaxedLine<'a>],
    rates: Rates<'a>,
) -> Vec<Vec<(Option<&'a Tax>, Cents)>> {
    let of_lines = RateSums::new(lines.iter().copied(), rates);
    let mut all = Cents::ZERO;
    let mut before = of_lines.spread(all);
    let discounts = lines.iter().filter(|it| it.is_discount_on_all());
    let discounts = discounts.map(|it| {
        // Each takes what it adds to the parts of those before it, so that all of them come to the same cent.
        all = all + it.amount;
        let after = of_lines.spread(all);
        let parts = after
            .iter()
            .zip(&before)
            .map(|(after, before)| *after - *before);
        let parts = of_lines.taxes.iter().copied().zip(parts);
        let parts = parts.filter(|(_, part)| *part != Cents::ZERO).collect();
        before = after;
        parts
    });
    discounts.collect()
}

/// Lines by their rates, without the discounts on all of them.
struct RateSums<'a> {
    /// The default rate first, and no tax last.
    taxes: Vec<Option<&'a Tax>>,
    /// None for a rate that no line has.
    sums: Vec<Option<Cents>>,
    /// Sum of the discounts on all lines.
    discounts: Cents,
    /// Place of the default rate.
    usual: usize,
}

impl<'a> RateSums<'a> {
    fn new(lines: impl IntoIterator<Item = TaxedLine<'a>>, rates: Rates<'a>) -> Self {
        let taxes: Vec<Option<&Tax>> = rates.all().map(Some).chain([None]).collect();
        let place = |tax: Option<&Tax>| taxes.iter().position(|it| *it == tax).unwrap_or_default();
        let mut sums: Vec<Option<Cents>> = vec![None; taxes.len()];
        let usual = place(rates.default);
        let mut discounts = Cents::ZERO;
        for line in lines {
            if line.is_discount_on_all() {
                discounts = discounts + line.amount;
            } else if let Some(sum) = sums.get_mut(place(rates.find(line.tax_name))) {
                *sum = Some(sum.unwrap_or_default() + line.amount);
            }
        }
        Self {
            taxes,
            sums,
            discounts,
            usual,
        }
    }

    fn is_nothing(&self) -> bool {
        let mut sums = self.sums.iter().flatten();
        sums.all(|it| *it <= Cents::ZERO)
    }

    /// Spreads a discount over the rates by their sums; all of it is at the default rate where there is nothing to take it
    /// off.
    fn spread(&self, discount: Cents) -> Vec<Cents> {
        let weights = self.sums.iter().enumerate();
        let weights = weights.map(|(place, sum)| match self.is_nothing() {
            true => i64::from(place == self.usual),
            false => sum.map_or(0, |it| it.0),
        });
        discount.spread(&weights.collect::<Vec<i64>>())
    }
}

fn sum_of(tax: Option<&Tax>, lines: Cents) -> TaxSum {
    let Some(tax) = tax else {
        let none = TaxSum::default();
        return TaxSum { lines, ..none };
    };
    let rate = tax.thousandths();
    let whole = if tax.included {
        RATE_WHOLE + rate
    } else {
        RATE_WHOLE
    };
    TaxSum {
        label: label(tax),
        lines,
        tax: lines.share(rate, whole),
        included: tax.included,
    }
}

/// Splits the amount of a credit note into the taxes in it, in proportion to what the notes before it have left of the
/// invoice. All of an invoice's notes together have the taxes of the invoice, to the cent.
///
/// `before` has each of those notes with its amount, and its taxes where it is known.
pub fn credited_taxes<'a>(
    invoice: &Invoice,
    sums: &[TaxSum],
    before: impl Iterator<Item = (Cents, Option<&'a Invoice>)>,
    amount: Cents,
) -> Vec<CreditedTax> {
    let taxes: Vec<&TaxSum> = sums.iter().filter(|it| it.tax != Cents::ZERO).collect();
    let all: Cents = taxes.iter().map(|it| it.tax).sum();
    let mut left: Vec<i64> = taxes.iter().map(|it| it.tax.0).collect();
    left.push((invoice.total - all).0);
    for (amount, note) in before {
        let known = note
            .map(|it| &it.invoice_data.taxes)
            .filter(|it| !it.is_empty());
        let mut parts: Vec<Cents> = match known {
            Some(known) => taxes
                .iter()
                .map(|tax| {
                    let same = known.iter().filter(|it| it.label == tax.label);
                    same.map(|it| it.amount).sum::<Cents>()
                })
                .collect(),
            None => amount.spread(&left),
        };
        let in_taxes: Cents = parts.iter().take(taxes.len()).copied().sum();
        parts.truncate(taxes.len());
        parts.push(amount - in_taxes);
        for (left, part) in left.iter_mut().zip(parts) {
            *left = (*left - part.0).max(0);
        }
    }
    let parts = amount.spread(&left).into_iter().zip(&taxes);
    let parts = parts.filter(|(part, _)| *part != Cents::ZERO);
    let parts = parts.map(|(amount, tax)| CreditedTax {
        label: tax.label.clone(),
        amount,
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rate(name: &str, thousandths: u32) -> Tax {
        Tax {
            name: name.to_owned(),
            rate: thousandths / 10,
            rate_thousandths: thousandths % 10,
            ..Tax::default()
        }
    }

    fn line(cents: i64, tax_name: Option<&str>) -> TaxedLine<'_> {
        let amount = Cents(cents);
        TaxedLine { amount, tax_name }
    }

    /// Label, sum of lines, tax of each.
    fn check(lines: &[TaxedLine], rates: Rates, expected: &[(&str, i64, i64)]) {
        let sums = sums_by_rate(lines.iter().copied(), rates);
        let found: Vec<_> = sums
            .iter()
            .map(|it| (it.label.as_str(), it.lines.0, it.tax.0))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn rates_with_three_decimals_are_exact() {
        for (thousandths, tax) in [(8_875, 88_750), (6_625, 66_250), (9_975, 99_750)] {
            let tax_of = rate("T", thousandths);
            let rates = Rates {
                default: Some(&tax_of),
                more: &[],
            };
            let shown = label(&tax_of);
            let expected = [(shown.as_str(), 1_000_000, tax)];
            check(&[line(1_000_000, None)], rates, &expected);
        }
        assert_eq!(label(&rate("GST", 5_000)), "GST 5%");
        assert_eq!(label(&rate("QST", 9_975)), "QST 9.975%");
    }

    #[test]
    fn each_line_has_its_rate_or_none_and_discounts_are_spread() {
        let (usual, more) = (rate("VAT", 20_000), [rate("Reduced", 5_000)]);
        let rates = Rates {
            default: Some(&usual),
            more: &more,
        };
        let lines = [
            line(10_00, None),
            line(20_00, Some("Reduced")),
            line(5_01, Some("")),
        ];
        let expected = [
            ("VAT 20%", 10_00, 2_00),
            ("Reduced 5%", 20_00, 1_00),
            ("", 5_01, 0),
        ];
        check(&lines, rates, &expected);
        // A dollar off everything: 28.56, 57.12 and 14.31 cents of it.
        let with_discount = [lines[0], lines[1], lines[2], line(-100, None)];
        let expected = [
            ("VAT 20%", 9_71, 1_94),
            ("Reduced 5%", 19_43, 97),
            ("", 4_87, 0),
        ];
        check(&with_discount, rates, &expected);
        let of_one = [lines[0], line(-100, Some("VAT"))];
        check(&of_one, rates, &[("VAT 20%", 9_00, 1_80)]);
        check(&[line(-100, None)], rates, &[("VAT 20%", -1_00, -20)]);
        check(&[], rates, &[("VAT 20%", 0, 0)]);
        check(&[lines[2]], rates, &[("", 5_01, 0)]);
        assert_eq!(rates.label(Some("Reduced")), "Reduced 5%");
        assert_eq!(rates.label(Some("")), NO_TAX);
        assert!(rates.has("") && rates.has("VAT") && !rates.has("Gone"));
    }

    proptest! {
        #[test]
        fn sums_by_rate_come_to_the_lines_to_the_cent(
            amounts in prop::collection::vec((-5_000_i64..50_000, 0_usize..4), 0..12),
            thousandths in prop::collection::vec(1_u32..30_000, 3), included: bool,
        ) {
            let names = [None, Some("B"), Some("C"), Some("")];
            let tax = |(name, it): (&&str, &u32)| Tax { included, ..rate(name, *it) };
            let taxes: Vec<Tax> = ["A", "B", "C"].iter().zip(&thousandths).map(tax).collect();
            let (usual, more) = taxes.split_first().unwrap();
            let lines = amounts.iter().map(|(amount, name)| line(*amount, names[*name]));
            let sums = sums_by_rate(lines, Rates { default: Some(usual), more });
            let all: i64 = sums.iter().map(|it| it.lines.0).sum();
            prop_assert_eq!(all, amounts.iter().map(|it| it.0).sum::<i64>());
        }

        #[test]
        fn the_taxes_of_credit_notes_come_to_those_of_the_invoice(
            amounts in prop::collection::vec((1_i64..50_000, 0_usize..4), 1..6),
            cuts in prop::collection::vec(1_i64..100, 0..5), included: bool, are_known: bool,
        ) {
            let names = [None, Some("B"), Some("C"), Some("")];
            let tax = |name: &str, it| Tax { included, ..rate(name, it) };
            let (usual, more) = (tax("A", 8_875), [tax("B", 5_000), tax("C", 9_975)]);
            let lines = amounts.iter().map(|(amount, name)| line(*amount, names[*name]));
            let sums = sums_by_rate(lines, Rates { default: Some(&usual), more: &more });
            let added: Cents = sums.iter().filter(|it| !it.included).map(|it| it.tax).sum();
            let total = sums.iter().map(|it| it.lines).sum::<Cents>() + added;
            let invoice = Invoice { total, ..Invoice::default() };
            let mut notes: Vec<Invoice> = Vec::new();
            let mut left = total;
            let parts = cuts.iter().map(|it| total.percent(*it)).chain([total]);
            for part in parts {
                let amount = part.min(left);
                let before = notes.iter().map(|it| (it.total, are_known.then_some(it)));
                let taxes = credited_taxes(&invoice, &sums, before, amount);
                prop_assert!(taxes.iter().all(|it| Cents::ZERO < it.amount));
                prop_assert!(taxes.iter().map(|it| it.amount).sum::<Cents>() <= amount);
                let invoice_data = InvoiceData { taxes, ..InvoiceData::default() };
                notes.push(Invoice { total: amount, invoice_data, ..Invoice::default() });
                left = left - amount;
            }
            for sum in sums.iter().filter(|it| !it.label.is_empty()) {
                let parts = notes.iter().flat_map(|it| &it.invoice_data.taxes);
                let same = parts.filter(|it| it.label == sum.label);
                prop_assert_eq!(same.map(|it| it.amount).sum::<Cents>(), sum.tax);
            }
        }
    }
}
