//! Owns what a tile says of the network on foot: places where ways meet, and what lies between them.
//! Stored on phones. Kinds are bytes of the format: only add, never renumber.

use super::coded::coded;
use super::point::Point;

/// The walkable network of one tile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Network {
    /// Places where ways meet or end. Those of other tiles are here, too, where an edge leads to them; the place tells
    /// them apart. So no two lie on the same point: the importer moves one aside, or a bridge would join the street
    /// below.
    pub nodes: Vec<Node>,
    /// Pieces of ways between the nodes, each once; all can be walked both ways.
    pub edges: Vec<Edge>,
}

/// A place where ways meet or end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// Position of the node; no two nodes of a tile lie on one point.
    pub at: Point,
    /// Meters above the sea, where the elevation is known.
    pub height_m: Option<i16>,
    /// Kind of street crossing at the node; `Crossing::None` where there is none.
    pub crossing: Crossing,
}

/// A piece of a way between two nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Index of the node where it begins; the edge belongs to the tile in which that node lies.
    pub from: u32,
    /// Index of the node where it ends.
    pub to: u32,
    /// Properties of the way that the edge is a piece of.
    pub way: Way,
    /// Its name, or whose it has by `way.naming`; an index of the tile's names.
    pub name: Option<u32>,
    /// Points between its ends.
    pub via: Vec<Point>,
    /// How much of it lies in parks or woods, in sevenths.
    pub green: u8,
    /// How much of it lies under trees, in sevenths.
    pub shade: u8,
    /// Runs along a river, a lake or the sea.
    pub waterside: bool,
    /// Meters that it goes up and down again beyond the difference between its ends.
    pub hump_m: u16,
}

/// Properties of a way that matter to a walker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Way {
    /// Kind of the way.
    pub kind: WayKind,
    /// Material of the surface.
    pub surface: Surface,
    /// Street lamps along the way.
    pub lit: Lit,
    /// Sidewalk of a street.
    pub sidewalk: Sidewalk,
    /// How it crosses a street, where it does.
    pub crossing: Crossing,
    /// Whose name it has.
    pub naming: Naming,
    /// The busiest street that it runs beside: 0 none, 1 tertiary, 2 secondary, 3 primary and above.
    pub beside_traffic: u8,
    /// Over a bridge.
    pub bridge: bool,
    /// Through a tunnel or a building.
    pub tunnel: bool,
    /// Cars may drive there at 70 km/h and more.
    pub fast: bool,
}

impl Way {
    /// Returns true if one walks among fast cars: nobody said that there is a sidewalk, or it is another way than this one.
    pub fn is_fast_without_sidewalk(&self) -> bool {
        self.fast && self.sidewalk != Sidewalk::Yes
    }

    /// Returns true if the way for walkers is another one, drawn beside this street.
    pub fn has_separate_sidewalk(&self) -> bool {
        self.kind.is_street() && self.sidewalk == Sidewalk::Separate
    }

    /// Returns true if one walks there among the cars of a fast or a main road.
    pub fn is_among_cars(&self) -> bool {
        let is_main = self.kind.traffic() >= WayKind::Secondary.traffic();
        let has_none = matches!(self.sidewalk, Sidewalk::No | Sidewalk::Separate);
        self.is_fast_without_sidewalk() || (is_main && has_none)
    }

    /// Returns true if wheels roll badly there: soft, loose or cobbled, or a path whose surface is not known.
    pub fn is_rough(&self) -> bool {
        match self.surface {
            Surface::Paved => false,
            Surface::Gravel | Surface::Soft | Surface::Cobbles => true,
            Surface::Unknown => matches!(
                self.kind,
                WayKind::Path | WayKind::Track | WayKind::Bridleway
            ),
        }
    }
}

coded! {
    /// Kind of a way that can be walked.
    pub enum WayKind {
        /// A way for walkers that is no path: paved, in towns.
        Footway = 0,
        /// A path (`highway=path` in OpenStreetMap).
        Path = 1,
        /// A street for walkers alone.
        Pedestrian = 2,
        /// A street where walkers have the right of way.
        LivingStreet = 3,
        /// A track of fields and woods.
        Track = 4,
        /// A way for bicycles on which walkers may go.
        Cycleway = 5,
        /// A way for horses on which walkers may go.
        Bridleway = 6,
        /// A flight of steps.
        Steps = 7,
        /// Across a street.
        Crossing = 8,
        /// A sidewalk that is drawn apart from its street.
        Sidewalk = 9,
        /// A street where people live.
        Residential = 10,
        /// A small road.
        Unclassified = 11,
        /// An access road.
        Service = 12,
        /// A driveway or an aisle of a parking lot.
        Driveway = 13,
        /// A road of the third class.
        Tertiary = 14,
        /// A road of the second class.
        Secondary = 15,
        /// A road of the first class.
        Primary = 16,
        /// A trunk road that walkers may use.
        Trunk = 17,
        /// The edge of a square.
        Square = 18,
    }
}

coded! {
    /// Material of a way's surface.
    pub enum Surface {
        /// Surface not known.
        Unknown = 0,
        /// Asphalt, concrete, slabs.
        Paved = 1,
        /// Gravel and what is like it.
        Gravel = 2,
        /// Earth, grass, sand.
        Soft = 3,
        /// Cobblestones, on which wheels roll badly.
        Cobbles = 4,
    }
}

coded! {
    /// Street lamps along a way.
    pub enum Lit {
        /// Not known whether there are lamps.
        Unknown = 0,
        /// Lamps along the way.
        Yes = 1,
        /// No lamps along the way.
        No = 2,
    }
}

coded! {
    /// Sidewalk of a street.
    pub enum Sidewalk {
        /// Not known whether there is a sidewalk.
        Unknown = 0,
        /// Sidewalk beside the lanes.
        Yes = 1,
        /// No sidewalk beside the lanes.
        No = 2,
        /// Sidewalk drawn as a way of its own.
        Separate = 3,
    }
}

coded! {
    /// How a street is crossed.
    pub enum Crossing {
        /// Does not cross a street.
        None = 0,
        /// With a crossing of which no more is known, or an unmarked one.
        Plain = 1,
        /// With stripes or another mark.
        Marked = 2,
        /// Crossing with signals.
        Signals = 3,
    }
}

coded! {
    /// Whose name an edge has.
    pub enum Naming {
        /// Name of its own.
        Own = 0,
        /// The street's beside which it runs.
        Beside = 1,
        /// The park's or the wood's through which it leads.
        Through = 2,
        /// The water's along which it leads.
        Along = 3,
    }
}

impl WayKind {
    /// A street with cars on it that has lanes of its own: where a person crosses it, it counts as crossed.
    pub fn is_street(self) -> bool {
        matches!(
            self,
            Self::Residential
                | Self::Unclassified
                | Self::Tertiary
                | Self::Secondary
                | Self::Primary
                | Self::Trunk
        )
    }

    /// How much traffic it has: 0 little, 1 tertiary, 2 secondary, 3 primary and above.
    pub fn traffic(self) -> u8 {
        match self {
            Self::Tertiary => 1,
            Self::Secondary => 2,
            Self::Primary | Self::Trunk => 3,
            _ => 0,
        }
    }
}
