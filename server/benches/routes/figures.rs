//! Owns the figures that must hold: what they are called, what they must be, and how one is said.

use std::fmt;

/// One figure of one area.
#[derive(Clone, Debug)]
pub struct Figure {
    pub area: String,
    pub what: &'static str,
    pub target: Target,
    /// Not a number where it could not be measured.
    pub measured: f64,
}

/// The bound that a figure must keep.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    AtMost(f64),
    AtLeast(f64),
}

impl Figure {
    pub fn holds(&self) -> bool {
        match self.target {
            Target::AtMost(most) => self.measured <= most,
            Target::AtLeast(least) => least <= self.measured,
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtMost(most) => write!(formatter, "at most {most}"),
            Self::AtLeast(least) => write!(formatter, "at least {least}"),
        }
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            area,
            what,
            target,
            measured,
        } = self;
        let word = match () {
            () if measured.is_nan() => "NOT MEASURED",
            () if self.holds() => "holds",
            () => "MISSED",
        };
        let measured = number(*measured);
        write!(
            formatter,
            "bench | {area}: {what} | {target} | {measured} | {word}"
        )
    }
}

/// With as many digits as say something.
pub fn number(value: f64) -> String {
    match value.abs() {
        _ if value.is_nan() => "-".to_owned(),
        it if it < 10.0 => format!("{value:.2}"),
        it if it < 100.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}
