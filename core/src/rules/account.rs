//! Owns what makes a sign-in and a sign-up form valid (SPEC 5), and the word that clears a business; who may sign in is the
//! server's to say.

use serde::Serialize;

use crate::values::bounds::EMAIL;
use crate::values::checks::is_email;
use crate::values::form_errors::FieldErrors;
use crate::values::json::read_by_field;

/// The shortest password.
pub const MIN_PASSWORD_LENGTH: usize = 8;

/// The longest: beyond it hashing becomes a way to keep the server busy.
pub const MAX_PASSWORD_LENGTH: usize = 128;

/// Word that the owner types to confirm that all work of a business is to be cleared.
pub const CLEAR_WORD: &str = "CLEAR";

/// The sign-in form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SignInForm {
    /// E-mail address; required.
    pub email: String,
    /// Password; required, of any length.
    pub password: String,
}

read_by_field!(SignInForm {} or default { email, password });

/// The sign-up form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SignUpForm {
    /// The person's name; required.
    #[serde(default)]
    pub name: String,
    /// E-mail address; required.
    #[serde(default)]
    pub email: String,
    /// 8 to 128 characters.
    #[serde(default)]
    pub password: String,
    /// IANA name, required.
    #[serde(default)]
    pub time_zone: String,
}

read_by_field!(SignUpForm {} or default { name, email, password, time_zone });

/// Returns the errors of a sign-in form, in the form's order.
pub fn sign_in_errors(form: &SignInForm) -> FieldErrors {
    let mut errors = FieldErrors::default();
    errors.check(form.email.trim().is_empty(), "email", EMAIL_REQUIRED);
    check_email_length(&mut errors, form.email.trim());
    errors.check(form.password.is_empty(), "password", "Password is required");
    errors
}

/// Returns the errors of a sign-up form, in the form's order.
pub fn sign_up_errors(form: &SignUpForm) -> FieldErrors {
    let mut errors = FieldErrors::default();
    errors.check(form.name.trim().is_empty(), "name", "Name is required");
    check_email(&mut errors, form.email.trim());
    check_password(&mut errors, "password", &form.password);
    errors.check(
        form.time_zone.is_empty(),
        "time_zone",
        "Time zone is required",
    );
    errors
}

/// Notes what is wrong with an e-mail address that someone is to be reached at.
pub fn check_email(errors: &mut FieldErrors, email: &str) {
    errors.check(email.is_empty(), "email", EMAIL_REQUIRED);
    check_email_length(errors, email);
    errors.check(!is_email(email), "email", "Invalid email format");
}

fn check_email_length(errors: &mut FieldErrors, email: &str) {
    errors.check(
        EMAIL < email.len(),
        "email",
        format!("Email cannot exceed {EMAIL} characters"),
    );
}

/// Notes what is wrong with the length of a new password.
pub fn check_password(errors: &mut FieldErrors, field: &str, password: &str) {
    let length = password.chars().count();
    errors.check(length == 0, field, "Password is required");
    errors.check(
        length < MIN_PASSWORD_LENGTH,
        field,
        format!("Password must be at least {MIN_PASSWORD_LENGTH} characters"),
    );
    errors.check(
        MAX_PASSWORD_LENGTH < length,
        field,
        format!("Password cannot exceed {MAX_PASSWORD_LENGTH} characters"),
    );
}

const EMAIL_REQUIRED: &str = "Email is required";
