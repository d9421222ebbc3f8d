//! Owns what holds for paying an invoice by card at Stripe: which keys a business may give, how much can be charged with
//! the tip in it, and what Stripe takes of it.

use serde::Serialize;
use thiserror::Error;

use crate::Cents;
use crate::rows::invoice::Invoice;
use crate::rules::invoice::tip_amount;
use crate::values::form_errors::FieldErrors;

/// The least that Stripe charges in US dollars, and the most: eight digits (docs.stripe.com/currencies, 'Minimum and
/// maximum charge amounts').
pub const LEAST: Cents = Cents(50);
/// The most that Stripe charges; see `LEAST`.
pub const MOST: Cents = Cents(99_999_999);

/// The signing secrets that count at once: the one in use, and the next one while it is replaced.
pub const WEBHOOK_SECRETS: usize = 2;

/// The most characters of a key or of a secret; Stripe's have some hundred and say that they may get longer.
pub const KEY_CHARS: usize = 255;

/// Returns true for a secret key of Stripe's for real cards, false for one of its test mode, and `None` for any other
/// text: `sk_` may do everything, `rk_` what it was restricted to. A publishable key (`pk_`) is none.
pub fn is_live(secret_key: &str) -> Option<bool> {
    let rest = ["sk_", "rk_"]
        .iter()
        .find_map(|it| secret_key.strip_prefix(it))?;
    let (mode, secret) = rest.split_once('_')?;
    if !is_secret(secret) {
        return None;
    }
    match mode {
        "live" => Some(true),
        "test" => Some(false),
        _ => None,
    }
}

/// Letters and digits, of which nobody guesses any.
fn is_secret(text: &str) -> bool {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || matches!(it, '+' | '/' | '=' | '_');
    (16..=KEY_CHARS).contains(&text.len()) && text.chars().all(is_plain)
}

/// Returns the last four characters of a key, which are all that a business may see of it again.
pub fn last_four(secret_key: &str) -> &str {
    let from = secret_key.len().saturating_sub(4);
    secret_key.get(from..).unwrap_or_default()
}

/// Returns the errors of the keys that a business gives: one secret key, and one or two signing secrets.
pub fn errors(secret_key: &str, webhook_secrets: &[String]) -> FieldErrors {
    let mut errors = FieldErrors::default();
    errors.check(
        is_live(secret_key).is_none(),
        "secret_key",
        "A key begins with sk_live_, rk_live_, sk_test_ or rk_test_",
    );
    let is_signing = |it: &String| it.strip_prefix("whsec_").is_some_and(is_secret);
    let is_wrong = webhook_secrets.is_empty()
        || WEBHOOK_SECRETS < webhook_secrets.len()
        || !webhook_secrets.iter().all(is_signing);
    errors.check(
        is_wrong,
        "webhook_secrets",
        "One or two signing secrets, which begin with whsec_",
    );
    errors
}

/// Estimates Stripe's fee for a card payment in the United States: 2.9% and 30 cents (stripe.com/pricing, November
/// 2026). Other countries, cards and contracts have other prices, so that texts say 'about'.
pub const fn usual_fee(amount: Cents) -> Cents {
    Cents(amount.share(29, 1000).0 + 30)
}

/// Amount of a card payment, in its two parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charge {
    /// All that was still owed.
    pub owed: Cents,
    /// Tip on top of it.
    pub tip: Cents,
}

impl Charge {
    /// Returns the charge for all that is still owed of an invoice, with a tip.
    ///
    /// # Errors
    /// Returns the reason if nothing is owed, or the amount is less or more than a card takes.
    pub fn new(invoice: &Invoice, tip: Cents) -> Result<Self, CardFault> {
        let owed = invoice.balance();
        if owed <= Cents::ZERO {
            let is_paid =
                invoice.paid && invoice.credits.is_none() && !invoice.is_credited_in_full();
            return Err(match is_paid {
                true => CardFault::Paid,
                false => CardFault::NothingOwed,
            });
        }
        let charge = Self { owed, tip };
        match charge.amount() {
            it if it < LEAST => Err(CardFault::TooLittle),
            it if MOST < it => Err(CardFault::TooMuch),
            _ => Ok(charge),
        }
    }

    /// Returns the sum of both, which the card is charged.
    pub fn amount(self) -> Cents {
        self.owed + self.tip
    }
}

/// Payment of an invoice by card as its client is offered it; nothing of it says that the business takes cards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct CardOffer {
    /// Amount that is owed.
    pub amount: Cents,
    /// Tips that the sitter offers on top, as far as a card takes them.
    pub tips: Vec<CardTip>,
}

/// A tip that can be added to a payment by card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct CardTip {
    /// Percentage of the invoice's total.
    pub percent: u32,
    /// Amount of the tip.
    pub amount: Cents,
    /// Amount that the card is charged with it.
    pub to_pay: Cents,
}

impl CardOffer {
    /// Returns the offer for what is owed of an invoice; `None` where a card takes no such amount, or nothing is owed.
    pub fn of(invoice: &Invoice) -> Option<Self> {
        let charge = Charge::new(invoice, Cents::ZERO).ok()?;
        let tips = invoice.invoice_data.tips.iter().filter_map(|percent| {
            let tip = tip_amount(invoice, *percent);
            let charge = Charge::new(invoice, tip).ok()?;
            Some(CardTip {
                percent: *percent,
                amount: tip,
                to_pay: charge.amount(),
            })
        });
        Some(Self {
            amount: charge.amount(),
            tips: tips.filter(|it| Cents::ZERO < it.amount).collect(),
        })
    }
}

/// Returns the note on a card payment, for the sitter alone. `fee` is Stripe's own figure, once known; without it the
/// note has an estimate.
pub fn note(amount: Cents, fee: Option<Cents>, is_live: bool) -> String {
    if !is_live {
        return "Stripe's test mode: no money has moved".to_owned();
    }
    match fee {
        Some(fee) => format!("Stripe's fee: {fee}"),
        None => format!("Stripe's fee: about {}", usual_fee(amount)),
    }
}

/// Returns the note on a card payment of which some was given back.
pub fn refund_note(amount: Cents, refunded: Cents) -> String {
    format!("{refunded} of {amount} given back by card")
}

/// Returns the text about Stripe's fees that a sitter reads before turning card payments on.
pub fn fees() -> String {
    let example = Cents(10_000);
    let fee = usual_fee(example);
    format!(
        "Stripe takes about 2.9% and $0.30 of each payment: {fee} of {example}. Your client pays what the invoice says."
    )
}

/// Text of the invoice's page when its payer has paid at Stripe and the payment is not confirmed yet.
pub const ON_ITS_WAY: &str = "Thank you, the payment is on its way.";
/// Text of the page where the payer's bank has declined the payment after all.
pub const TURNED_DOWN: &str = "Your bank has turned the payment down. Nothing was charged.";

/// How far a payment by card has come, as its payer is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum CardProgress {
    /// Nothing is owed any more.
    Paid,
    /// Stripe has the payment, and the money has not come yet.
    OnItsWay,
    /// Stripe could not be asked, or has not confirmed a payment that its payer comes back from.
    Unconfirmed,
    /// Stripe says that nobody has paid.
    NotPaid,
    /// The payer's bank has declined the payment after all.
    TurnedDown,
    /// No payment by card is under way.
    Nothing,
}

impl CardProgress {
    /// The sentence for the payer; empty where there is nothing to say.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Paid => "Nothing is owed on this invoice. Thank you!",
            Self::OnItsWay => ON_ITS_WAY,
            Self::Unconfirmed => {
                "Stripe has not confirmed a payment yet. Once it has, this invoice is paid."
            }
            Self::NotPaid => "You left Stripe's page without paying. Nothing was charged.",
            Self::TurnedDown => TURNED_DOWN,
            Self::Nothing => "",
        }
    }
}

/// Why nothing can be paid by card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CardFault {
    /// All of it is paid.
    #[error("This invoice is paid. Thank you!")]
    Paid,
    /// Nothing has to be paid: it was credited, or gives back.
    #[error("Nothing is owed on this invoice.")]
    NothingOwed,
    /// Less than `LEAST`.
    #[error("Cards take no less than $0.50.")]
    TooLittle,
    /// More than `MOST`.
    #[error("This is more than one card payment can be.")]
    TooMuch,
    /// The business takes no cards, or no longer.
    #[error("This business takes no cards here.")]
    Off,
    /// Stripe cannot be asked now, or turns the business down.
    #[error(
        "Paying by card does not work right now. Nothing was charged. Please try again later, or pay another way."
    )]
    Unavailable,
    /// Somebody asks without end.
    #[error("You tried this too often. Nothing was charged. Please wait a moment.")]
    TooOften,
}

impl CardFault {
    /// All of them.
    const ALL: [Self; 7] = [
        Self::Paid,
        Self::NothingOwed,
        Self::TooLittle,
        Self::TooMuch,
        Self::Off,
        Self::Unavailable,
        Self::TooOften,
    ];

    /// Its name in the address of the page that says it.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Paid => "paid",
            Self::NothingOwed => "settled",
            Self::TooLittle => "too_little",
            Self::TooMuch => "too_much",
            Self::Off => "off",
            Self::Unavailable => "unavailable",
            Self::TooOften => "too_often",
        }
    }

    /// The one of a name.
    pub fn named(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.code() == code)
    }

    /// Returns what is to be said on the page of this invoice to whom the button has led back with this fault, maybe long
    /// ago; `None` where it is no longer so.
    pub fn as_of_now(self, invoice: &Invoice, takes_cards: bool) -> Option<Self> {
        let now = Charge::new(invoice, Cents::ZERO).err();
        let is_settled = matches!(now, Some(Self::Paid | Self::NothingOwed));
        match self {
            Self::Paid | Self::NothingOwed | Self::TooLittle => {
                now.filter(|_| is_settled || takes_cards)
            }
            Self::Off => (!is_settled && !takes_cards).then_some(self),
            Self::TooMuch | Self::Unavailable | Self::TooOften => {
                (!is_settled && takes_cards).then_some(self)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::invoice::InvoicePayment;

    #[test]
    fn keys_for_servers_are_told_from_all_others() {
        for (key, live) in [
            ("sk_live_51H8aBcDeFgHiJkLmNoPqRsT", Some(true)),
            ("rk_live_51H8aBcDeFgHiJkLmNoPqRsT", Some(true)),
            ("sk_test_51H8aBcDeFgHiJkLmNoPqRsT", Some(false)),
            ("rk_test_51H8aBcDeFgHiJkLmNoPqRsT", Some(false)),
            ("pk_live_51H8aBcDeFgHiJkLmNoPqRsT", None),
            ("sk_other_51H8aBcDeFgHiJkLmNoPqRsT", None),
            ("sk_test_short", None),
            ("sk_test_51H8aBcDeFgHiJkLmNoPqRs\n", None),
            ("sk_test_51H8aBcDeFgHiJkLmNoPqRsé", None),
            ("", None),
        ] {
            assert_eq!(is_live(key), live, "{key}");
        }
        assert_eq!(last_four("sk_live_51H8aBcDeFgHiJkLmNoPqRsT"), "qRsT");
        assert_eq!(last_four("x"), "x");
    }

    #[test]
    fn a_business_gives_a_key_and_one_or_two_signing_secrets() {
        let key = "rk_test_51H8aBcDeFgHiJkLmNoPqRsT";
        let secret = || "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".to_owned();
        assert!(errors(key, &[secret()]).0.is_empty());
        assert!(errors(key, &[secret(), secret()]).0.is_empty());
        for secrets in [
            vec![],
            vec![secret(); 3],
            vec![String::new()],
            vec!["whsec_".to_owned()],
            vec!["sk_test_51H8aBcDeFgHiJkLmNoPqRsT".to_owned()],
        ] {
            assert_eq!(
                errors(key, &secrets).0[0].field,
                "webhook_secrets",
                "{secrets:?}"
            );
        }
        assert_eq!(errors("pk_test_1", &[secret()]).0[0].field, "secret_key");
    }

    #[test]
    fn all_that_is_owed_is_charged_with_the_tip_where_a_card_takes_it() {
        let charge = |total, tip| {
            let invoice = Invoice {
                total: Cents(total),
                ..Invoice::default()
            };
            Charge::new(&invoice, Cents(tip)).map(Charge::amount)
        };
        assert_eq!(charge(10_000, 2_000), Ok(Cents(12_000)));
        assert_eq!(charge(50, 0), Ok(Cents(50)));
        assert_eq!(charge(49, 0), Err(CardFault::TooLittle));
        assert_eq!(charge(30, 20), Ok(Cents(50)));
        assert_eq!(charge(0, 20), Err(CardFault::NothingOwed));
        assert_eq!(charge(99_999_999, 0), Ok(MOST));
        assert_eq!(charge(99_999_999, 1), Err(CardFault::TooMuch));
    }

    #[test]
    fn a_client_is_offered_what_is_owed_with_the_tips_of_the_sitter_on_top() {
        let mut invoice = Invoice {
            total: Cents(75_00),
            ..Invoice::default()
        };
        invoice.invoice_data.tips = vec![10, 0];
        let offer = CardOffer::of(&invoice).unwrap();
        assert_eq!(offer.amount, Cents(75_00));
        let tip = CardTip {
            percent: 10,
            amount: Cents(7_50),
            to_pay: Cents(82_50),
        };
        assert_eq!(offer.tips, [tip]);
        invoice.total = Cents(20);
        assert_eq!(CardOffer::of(&invoice), None);
    }

    #[test]
    fn what_is_paid_already_is_not_charged_again_and_a_credit_note_never() {
        let mut invoice = Invoice {
            total: Cents(10_000),
            ..Invoice::default()
        };
        invoice.payments.push(InvoicePayment {
            amount: Cents(9_000),
            ..InvoicePayment::default()
        });
        let (owed, tip) = (Cents(1_000), Cents(2_000));
        assert_eq!(Charge::new(&invoice, tip), Ok(Charge { owed, tip }));
        invoice.credits = Some(crate::Id::of(1));
        assert_eq!(Charge::new(&invoice, tip), Err(CardFault::NothingOwed));
    }

    #[test]
    fn a_payer_who_was_led_back_reads_only_what_is_still_so() {
        let open = Invoice {
            total: Cents(10_000),
            ..Invoice::default()
        };
        let small = Invoice {
            total: Cents(30),
            ..Invoice::default()
        };
        let paid = Invoice {
            paid: true,
            payments: vec![InvoicePayment {
                amount: open.total,
                ..InvoicePayment::default()
            }],
            ..open.clone()
        };
        let credited = Invoice {
            credits: Some(crate::Id::of(1)),
            ..open.clone()
        };
        let said = |invoice: &Invoice, takes_cards| {
            CardFault::ALL.map(|it| it.as_of_now(invoice, takes_cards).map(CardFault::code))
        };
        // In the order of `ALL`: paid, settled, too_little, too_much, off, unavailable, too_often.
        let (much, off) = (Some("too_much"), Some("off"));
        let (unavailable, often) = (Some("unavailable"), Some("too_often"));
        assert_eq!(
            said(&open, true),
            [None, None, None, much, None, unavailable, often]
        );
        assert_eq!(
            said(&open, false),
            [None, None, None, None, off, None, None]
        );
        let little = Some("too_little");
        assert_eq!(
            said(&small, true),
            [little, little, little, much, None, unavailable, often]
        );
        for (invoice, code) in [(&paid, Some("paid")), (&credited, Some("settled"))] {
            for takes_cards in [false, true] {
                assert_eq!(
                    said(invoice, takes_cards),
                    [code, code, code, None, None, None, None]
                );
            }
        }
    }

    #[test]
    fn the_usual_fee_is_a_share_and_thirty_cents() {
        assert_eq!(usual_fee(Cents(10_000)), Cents(320));
        assert_eq!(usual_fee(Cents(50)), Cents(31));
        assert!(fees().contains("$3.20 of $100.00"));
        assert_eq!(note(Cents(10_000), None, true), "Stripe's fee: about $3.20");
        assert_eq!(
            note(Cents(10_000), Some(Cents(280)), true),
            "Stripe's fee: $2.80"
        );
        assert!(note(Cents(10_000), Some(Cents(280)), false).contains("test mode"));
    }
}
