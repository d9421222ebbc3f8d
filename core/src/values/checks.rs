//! Owns the checks that several forms share: e-mail, phone, price and duration (SPEC 5, Generic).

use crate::Cents;
use crate::values::bounds::DURATION_LIMIT_MINUTES;

/// Error text for a negative price, where SPEC 5 has no sentence of its own for it.
pub const NEGATIVE_PRICE: &str = "Price cannot be negative";

/// Error text for a price above the maximum.
pub const PRICE_TOO_HIGH: &str = "Price cannot exceed $1,000,000.00";

/// Returns true if the text has the form of an e-mail address: something, `@`, and a domain with a dot inside.
pub fn is_email(text: &str) -> bool {
    let Some((name, domain)) = text.split_once('@') else {
        return false;
    };
    let inner_dot = domain.trim_matches('.').contains('.') && domain.trim_matches('.') == domain;
    !name.is_empty() && inner_dot && !domain.contains('@') && !text.contains(char::is_whitespace)
}

/// SPEC 5: at least 10 characters of digits, spaces, dashes and parentheses, with an optional leading plus.
pub fn is_phone(text: &str) -> bool {
    let rest = text.strip_prefix('+').unwrap_or(text);
    rest.len() >= 10
        && rest
            .chars()
            .all(|it| it.is_ascii_digit() || " -()".contains(it))
}

/// SPEC 5: at least 0.
pub fn is_price(price: Cents) -> bool {
    Cents::ZERO <= price
}

/// SPEC 5: above 0, up to 480 minutes.
pub fn is_duration(minutes: u32) -> bool {
    0 < minutes && minutes <= DURATION_LIMIT_MINUTES
}
