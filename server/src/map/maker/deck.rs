//! Owns the places of points of bridges and tunnels: they do not follow the ground, but lead from one end to the other.

use std::io::Result;

use walkies_core::map::Point;

use super::record::{Reader, put, put_points};

/// The share that stands for the whole.
pub(super) const WHOLE: u16 = u16::MAX;

/// Position of a point of a bridge or tunnel between two places on the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deck {
    /// The places at which its bridge or tunnel meets the ground, the nearest first.
    pub ends: [Point; 2],
    /// How far it is from the first, as a share of the way to the second.
    pub share: u16,
}

impl Deck {
    /// Its height, from those of the ground; none where they are not known.
    pub fn height_m(self, mut ground: impl FnMut(Point) -> Option<f64>) -> Option<f64> {
        let [first, second] = self.ends;
        let (first, second) = (ground(first)?, ground(second)?);
        Some(first + (second - first) * f64::from(self.share) / f64::from(WHOLE))
    }

    /// The bytes of one, or of none.
    pub fn put(deck: Option<Self>, to: &mut Vec<u8>) {
        put_points(deck.as_ref().map_or(&[], |it| &it.ends), to);
        if let Some(it) = deck {
            put(it.share.into(), to);
        }
    }

    /// Reads them back.
    pub fn read(reader: &mut Reader) -> Result<Option<Self>> {
        let ends = reader.points()?;
        let Ok(ends) = <[Point; 2]>::try_from(ends) else {
            return Ok(None);
        };
        let share = reader.small()?;
        Ok(Some(Self { ends, share }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::extract::at;
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let deck = Deck {
            ends: [at(0.0, 0.0), at(10.0, 0.0)],
            share: 700,
        };
        let mut bytes = Vec::new();
        Deck::put(Some(deck), &mut bytes);
        Deck::put(None, &mut bytes);
        let mut reader = Reader(&bytes);
        assert_eq!(Deck::read(&mut reader).unwrap(), Some(deck));
        assert_eq!(Deck::read(&mut reader).unwrap(), None);
    }
}
