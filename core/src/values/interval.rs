//! Owns a stretch of minutes, and whether two overlap.

/// Minutes on the wall clock's number line, the end not included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interval {
    pub start: i64,
    pub end: i64,
}

impl Interval {
    pub(crate) const fn overlaps(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }

    pub(crate) const fn with_buffer(self, minutes: u32) -> Self {
        Self {
            start: self.start - minutes as i64,
            end: self.end + minutes as i64,
        }
    }
}
