//! Owns the kinds of fields that a person sets: a value is written by its field's kind, which is never guessed.

/// A field that a person sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name in JSON.
    pub name: &'static str,
    /// Kind of its values, by which they are formatted.
    pub kind: FieldKind,
}

/// Kind of a field's values, by which they are formatted for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// Dollars with cents.
    Money,
    /// Calendar date, without a time.
    Date,
    /// A time of day.
    Time,
    /// Shown as it is written.
    Plain,
}

/// A field that holds money.
pub const fn money(name: &'static str) -> Field {
    field(name, FieldKind::Money)
}

/// A field that holds a date.
pub const fn date(name: &'static str) -> Field {
    field(name, FieldKind::Date)
}

/// A field that holds a time of day.
pub const fn time(name: &'static str) -> Field {
    field(name, FieldKind::Time)
}

/// A field that holds a text, a number or a choice.
pub const fn plain(name: &'static str) -> Field {
    field(name, FieldKind::Plain)
}

const fn field(name: &'static str, kind: FieldKind) -> Field {
    Field { name, kind }
}
