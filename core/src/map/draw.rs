//! Owns what a tile has only to be drawn: areas, lines that cannot be walked, and names.
//! Streets and paths are drawn from the network. Stored on phones. Kinds are bytes of the format: only add, never renumber.

use super::coded::coded;
use super::point::Point;

/// What is drawn beside the network.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawing {
    /// Areas, those that lie under others first; cut at the tile's border.
    pub areas: Vec<Area>,
    /// Lines; cut at the tile's border.
    pub lines: Vec<Line>,
    /// Names of what is no street.
    pub labels: Vec<Label>,
}

/// An area, filled by the even-odd rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Area {
    /// What it is.
    pub kind: AreaKind,
    /// Its outline and its holes, without the first point again at the end.
    pub rings: Vec<Vec<Point>>,
}

/// A line that cannot be walked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What it is.
    pub kind: LineKind,
    /// Its points, at least two.
    pub points: Vec<Point>,
}

/// A name on the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// What it names.
    pub kind: LabelKind,
    /// Where its middle is.
    pub at: Point,
    /// An index of the tile's names.
    pub name: u32,
}

coded! {
    /// What an area is.
    pub enum AreaKind {
        /// A house.
        Building = 0,
        /// A park or a garden.
        Park = 1,
        /// Grass, a meadow, a heath.
        Grass = 2,
        /// A wood or a forest.
        Wood = 3,
        /// A lake, a river's bed, the sea.
        Water = 4,
        /// A sports ground or a playground.
        Pitch = 5,
        /// A place where dogs may run.
        DogPark = 6,
        /// A beach, sand, bare rock.
        Sand = 7,
        /// A square for walkers.
        Square = 8,
        /// A graveyard.
        Cemetery = 9,
        /// Fields.
        Farmland = 10,
        /// Where cars stand.
        Parking = 11,
        /// A school, a hospital, works.
        Grounds = 12,
    }
}

coded! {
    /// What a line is.
    pub enum LineKind {
        /// A road without walkers.
        Motorway = 0,
        /// A smaller road on which walkers may not go.
        Road = 1,
        /// A railway.
        Rail = 2,
        /// A tram.
        Tram = 3,
        /// A river, without its bed.
        River = 4,
        /// A stream or a ditch.
        Stream = 5,
        /// A ferry.
        Ferry = 6,
        /// A way on which walkers may not go.
        Private = 7,
    }
}

coded! {
    /// What a name belongs to.
    pub enum LabelKind {
        /// A city or a town.
        Town = 0,
        /// A village or a hamlet.
        Village = 1,
        /// A part of a town.
        Suburb = 2,
        /// A park, a garden, a wood.
        Park = 3,
        /// Water.
        Water = 4,
        /// A peak.
        Peak = 5,
        /// A place where dogs may run.
        DogPark = 6,
    }
}
