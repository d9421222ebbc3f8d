//! Owns the numbers of bank accounts: the form in which they are kept and read, and their checksums.

use crate::rows::invoicing::PayTo;
use crate::values::form_errors::FieldErrors;
use crate::values::text::trim;

/// Returns true for an International Bank Account Number without spaces, in capitals: its remainder by 97 is 1 (ISO 13616,
/// with the check digits of ISO 7064).
pub fn is_iban(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_shaped = matches!(bytes, [a, b, c, d, ..] if a.is_ascii_uppercase() && b.is_ascii_uppercase()
        && c.is_ascii_digit() && d.is_ascii_digit());
    let is_written = |it: &u8| it.is_ascii_uppercase() || it.is_ascii_digit();
    if !is_shaped || !(15..=34).contains(&bytes.len()) || !bytes.iter().all(is_written) {
        return false;
    }
    let moved = bytes.iter().skip(4).chain(bytes.iter().take(4));
    let rest = moved.fold(0_u32, |rest, byte| match byte {
        b'0'..=b'9' => (rest * 10 + u32::from(byte - b'0')) % 97,
        // A is 10, Z is 35.
        _ => (rest * 100 + u32::from(byte - b'A') + 10) % 97,
    });
    rest == 1
}

/// Returns true for a Business Identifier Code in capitals: institution, country, place, and a branch or none (ISO 9362).
pub fn is_bic(text: &str) -> bool {
    let is_written = |it: u8| it.is_ascii_uppercase() || it.is_ascii_digit();
    let mut country = text.bytes().skip(4).take(2);
    matches!(text.len(), 8 | 11)
        && text.bytes().all(is_written)
        && country.all(|it| it.is_ascii_uppercase())
}

/// Returns true for a routing number of the American Bankers Association: nine digits, whose sum weighted by 3, 7 and 1 is
/// a multiple of 10.
pub fn is_routing_number(text: &str) -> bool {
    let digits: Vec<u32> = text.chars().filter_map(|it| it.to_digit(10)).collect();
    let weighted = digits.iter().zip([3, 7, 1].into_iter().cycle());
    let sum: u32 = weighted.map(|(digit, weight)| digit * weight).sum();
    digits.len() == 9 && text.len() == 9 && sum != 0 && sum.is_multiple_of(10)
}

/// Returns true for the number of an account at a bank of the United States: 4 to 17 digits.
pub fn is_account_number(text: &str) -> bool {
    (4..=17).contains(&text.len()) && text.bytes().all(|it| it.is_ascii_digit())
}

/// The IBAN in groups of four, as people read it: `DE89 3704 0044 0532 0130 00`.
pub fn shown_iban(iban: &str) -> String {
    let mut shown = String::with_capacity(iban.len() * 5 / 4);
    for (place, letter) in iban.chars().enumerate() {
        if place > 0 && place.is_multiple_of(4) {
            shown.push(' ');
        }
        shown.push(letter);
    }
    shown
}

/// Puts what people type between digits and letters away, and writes letters as capitals.
pub(crate) fn tidy(pay_to: &mut PayTo) {
    trim(&mut pay_to.account_holder);
    let numbers = [
        &mut pay_to.iban,
        &mut pay_to.bic,
        &mut pay_to.routing_number,
        &mut pay_to.account_number,
    ];
    for text in numbers {
        text.retain(|it| !it.is_whitespace() && it != '-');
        text.make_ascii_uppercase();
    }
}

/// Adds the errors of the business's own account, each at its field.
pub(crate) fn check(pay_to: &PayTo, errors: &mut FieldErrors) {
    let PayTo {
        iban,
        bic,
        routing_number,
        account_number,
        ..
    } = pay_to;
    let mut wrong = |is_wrong: bool, field: &str, text: &str| {
        errors.check(is_wrong, &("invoicing.pay_to.".to_owned() + field), text);
    };
    let text = "This IBAN has a typo: please check its letters and digits";
    wrong(!iban.is_empty() && !is_iban(iban), "iban", text);
    let text = "A BIC has 8 or 11 letters and digits";
    wrong(!bic.is_empty() && !is_bic(bic), "bic", text);
    let text = "Please give the IBAN, too";
    wrong(!bic.is_empty() && iban.is_empty(), "iban", text);
    let is_wrong = !routing_number.is_empty() && !is_routing_number(routing_number);
    let text = "This routing number has a typo: please check its 9 digits";
    wrong(is_wrong, "routing_number", text);
    let is_wrong = !account_number.is_empty() && !is_account_number(account_number);
    let text = "An account number has 4 to 17 digits";
    wrong(is_wrong, "account_number", text);
    let text = "Please give the routing number, too";
    let is_alone = routing_number.is_empty() && !account_number.is_empty();
    wrong(is_alone, "routing_number", text);
    let text = "Please give the account number, too";
    let is_alone = account_number.is_empty() && !routing_number.is_empty();
    wrong(is_alone, "account_number", text);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(pay_to: PayTo) -> Vec<String> {
        let mut pay_to = pay_to;
        tidy(&mut pay_to);
        let mut errors = FieldErrors::default();
        check(&pay_to, &mut errors);
        errors.0.into_iter().map(|it| it.field).collect()
    }

    #[test]
    fn an_iban_has_its_checksum() {
        for iban in [
            "DE89370400440532013000",
            "GB29NWBK60161331926819",
            "NO9386011117947",
            "MT84MALT011000012345MTLCAST001S",
        ] {
            assert!(is_iban(iban), "{iban}");
        }
        for wrong in [
            "DE89370400440532013001",
            "DE98370400440532013000",
            "de89370400440532013000",
            "DE89 3704 0044 0532 0130 00",
            "8937040044053201",
            "DE89",
            "",
        ] {
            assert!(!is_iban(wrong), "{wrong}");
        }
        assert_eq!(shown_iban("NO9386011117947"), "NO93 8601 1117 947");
    }

    #[test]
    fn a_routing_number_has_its_checksum() {
        for number in ["021000021", "011401533", "091000019"] {
            assert!(is_routing_number(number), "{number}");
        }
        for wrong in [
            "021000022",
            "12100002",
            "0210000210",
            "000000000",
            "02100002x",
            "",
        ] {
            assert!(!is_routing_number(wrong), "{wrong}");
        }
    }

    #[test]
    fn an_account_is_whole_or_not_there_and_typed_as_people_do() {
        assert_eq!(errors(PayTo::default()), [""; 0]);
        let typed = PayTo {
            iban: " de89 3704 0044 0532 0130 00 ".to_owned(),
            bic: "cobadeffxxx".to_owned(),
            routing_number: "0210-00021".to_owned(),
            account_number: "000 123 456 789".to_owned(),
            ..PayTo::default()
        };
        assert_eq!(errors(typed), [""; 0]);
        let alone = PayTo {
            bic: "COBADEFF".to_owned(),
            account_number: "123".to_owned(),
            ..PayTo::default()
        };
        let fields = ["iban", "account_number", "routing_number"];
        let fields = fields.map(|it| "invoicing.pay_to.".to_owned() + it);
        assert_eq!(errors(alone), fields);
        let routing_number = "021000021".to_owned();
        let alone = PayTo {
            routing_number,
            ..PayTo::default()
        };
        assert_eq!(errors(alone), ["invoicing.pay_to.account_number"]);
    }
}
