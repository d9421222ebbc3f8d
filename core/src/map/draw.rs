//! Owns what a tile has only to be drawn: areas, lines that cannot be walked, and names.
//! Streets and paths are drawn from the network. Stored on phones. Kinds are bytes of the format: only add, never renumber.

use super::coded::coded;
use super::point::Point;

/// Areas, lines and names that are drawn beside the network.
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
    /// Kind of the area, by which it is painted.
    pub kind: AreaKind,
    /// Its outline and its holes, without the first point again at the end.
    pub rings: Vec<Vec<Point>>,
}

/// A line that cannot be walked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Kind of the line, by which it is drawn.
    pub kind: LineKind,
    /// Its points, at least two.
    pub points: Vec<Point>,
}

/// A name on the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// Kind of the thing that has the name.
    pub kind: LabelKind,
    /// The middle of the name.
    pub at: Point,
    /// An index of the tile's names.
    pub name: u32,
}

coded! {
    /// Kind of an area.
    pub enum AreaKind {
        /// A house or another building.
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
        /// Graves of a cemetery or a churchyard.
        Cemetery = 9,
        /// Fields, orchards and farmyards.
        Farmland = 10,
        /// A parking lot.
        Parking = 11,
        /// A school, a hospital, works.
        Grounds = 12,
    }
}

coded! {
    /// Kind of a line that cannot be walked.
    pub enum LineKind {
        /// A road without walkers.
        Motorway = 0,
        /// A smaller road on which walkers may not go.
        Road = 1,
        /// Tracks of a railway.
        Rail = 2,
        /// Tracks of a tram.
        Tram = 3,
        /// A river, without its bed.
        River = 4,
        /// A stream or a ditch.
        Stream = 5,
        /// Route of a ferry.
        Ferry = 6,
        /// A way on which walkers may not go.
        Private = 7,
    }
}

coded! {
    /// Kind of the thing that a name belongs to.
    pub enum LabelKind {
        /// A city or a town.
        Town = 0,
        /// A village or a hamlet.
        Village = 1,
        /// A part of a town.
        Suburb = 2,
        /// A park, a garden, a wood.
        Park = 3,
        /// A lake, a river or other water.
        Water = 4,
        /// Peak of a mountain.
        Peak = 5,
        /// A place where dogs may run.
        DogPark = 6,
    }
}
