//! Owns what a field of a row holds that a person sets: so that its value is written as what it is, and never guessed.

/// A field that a person sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name in JSON.
    pub name: &'static str,
    /// What its value means.
    pub holds: Holds,
}

/// What a value means to those who read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// Dollars with cents.
    Money,
    /// A date.
    Date,
    /// A time of day.
    Time,
    /// What it is written as.
    Plain,
}

/// A field that holds money.
pub const fn money(name: &'static str) -> Field {
    field(name, Holds::Money)
}

/// A field that holds a date.
pub const fn date(name: &'static str) -> Field {
    field(name, Holds::Date)
}

/// A field that holds a time of day.
pub const fn time(name: &'static str) -> Field {
    field(name, Holds::Time)
}

/// A field that holds a text, a number or a choice.
pub const fn plain(name: &'static str) -> Field {
    field(name, Holds::Plain)
}

const fn field(name: &'static str, holds: Holds) -> Field {
    Field { name, holds }
}
