//! Owns what is drawn alike, and from which zoom on.

use serde::Serialize;

use crate::map::{AreaKind, LabelKind, LineKind, SpotKind, Surface, Way, WayKind};

/// Lines that are drawn alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum LineClass {
    /// A stream or a ditch.
    Stream,
    /// A river without its bed.
    River,
    /// A ferry's way.
    Ferry,
    /// A way on which walkers may not go.
    Private,
    /// A way in a tunnel.
    Tunnel,
    /// Tracks of a tram.
    Tram,
    /// Tracks of a railway.
    Rail,
    /// The outline of a house.
    House,
    /// A driveway or an aisle of a parking lot.
    Driveway,
    /// An access road.
    Service,
    /// A street of walkers.
    Pedestrian,
    /// A street where people live.
    Residential,
    /// A road of the third class.
    Tertiary,
    /// A road of the second class.
    Secondary,
    /// A road of the first class, or a larger one.
    Primary,
    /// A road without walkers.
    Motorway,
    /// A way across a street.
    Crossing,
    /// A sidewalk that is drawn apart.
    Sidewalk,
    /// A firm way for walkers.
    Footway,
    /// A path on soft ground.
    Path,
    /// A track of fields and woods.
    Track,
    /// A way for bicycles.
    Cycleway,
    /// A way with steps.
    Steps,
}

impl LineClass {
    /// All of them, in the order in which they are drawn.
    pub const ALL: [Self; 23] = [
        Self::Stream,
        Self::River,
        Self::Ferry,
        Self::Private,
        Self::Tunnel,
        Self::Tram,
        Self::Rail,
        Self::House,
        Self::Driveway,
        Self::Service,
        Self::Pedestrian,
        Self::Residential,
        Self::Tertiary,
        Self::Secondary,
        Self::Primary,
        Self::Motorway,
        Self::Crossing,
        Self::Sidewalk,
        Self::Footway,
        Self::Path,
        Self::Track,
        Self::Cycleway,
        Self::Steps,
    ];

    /// Returns the class of a way that can be walked; `None` for the edge of a square, which is drawn as an area.
    pub(super) fn of_way(way: &Way) -> Option<Self> {
        let is_soft = matches!(way.surface, Surface::Soft | Surface::Gravel);
        if way.tunnel {
            return Some(Self::Tunnel);
        }
        Some(match way.kind {
            WayKind::Square => return None,
            WayKind::Footway if is_soft => Self::Path,
            WayKind::Footway => Self::Footway,
            WayKind::Path if way.surface == Surface::Paved => Self::Footway,
            WayKind::Path | WayKind::Bridleway => Self::Path,
            WayKind::Pedestrian | WayKind::LivingStreet => Self::Pedestrian,
            WayKind::Track => Self::Track,
            WayKind::Cycleway => Self::Cycleway,
            WayKind::Steps => Self::Steps,
            WayKind::Crossing => Self::Crossing,
            WayKind::Sidewalk => Self::Sidewalk,
            WayKind::Residential | WayKind::Unclassified => Self::Residential,
            WayKind::Service => Self::Service,
            WayKind::Driveway => Self::Driveway,
            WayKind::Tertiary => Self::Tertiary,
            WayKind::Secondary => Self::Secondary,
            WayKind::Primary | WayKind::Trunk => Self::Primary,
        })
    }

    /// Returns the class of a line that cannot be walked.
    pub(super) fn of_line(kind: LineKind) -> Self {
        match kind {
            LineKind::Motorway => Self::Motorway,
            LineKind::Road => Self::Secondary,
            LineKind::Rail => Self::Rail,
            LineKind::Tram => Self::Tram,
            LineKind::River => Self::River,
            LineKind::Stream => Self::Stream,
            LineKind::Ferry => Self::Ferry,
            LineKind::Private => Self::Private,
        }
    }

    /// From which zoom on it is drawn.
    pub(super) fn first_zoom(self) -> u32 {
        match self {
            Self::River
            | Self::Motorway
            | Self::Primary
            | Self::Secondary
            | Self::Tertiary
            | Self::Rail
            | Self::Ferry => 12,
            Self::Residential | Self::Pedestrian | Self::Stream => 13,
            Self::Track | Self::Path => 14,
            Self::Footway | Self::Cycleway | Self::Service | Self::Tram | Self::Tunnel => 15,
            Self::Driveway | Self::Private | Self::Sidewalk | Self::House | Self::Steps => 16,
            Self::Crossing => 17,
        }
    }

    /// True if the line is dashed: dashes must fall alike on all sheets, so such a line is never cut.
    pub(super) fn is_dashed(self) -> bool {
        matches!(
            self,
            Self::Ferry
                | Self::Tunnel
                | Self::Crossing
                | Self::Path
                | Self::Track
                | Self::Steps
                | Self::Rail
        )
    }

    /// From which zoom on its name is, and how much it matters: less is more. `None` where it has none.
    pub(super) fn name(self) -> Option<(u32, MarkKind)> {
        match self {
            Self::Primary | Self::Secondary => Some((14, MarkKind::Road)),
            Self::Tertiary => Some((15, MarkKind::Road)),
            Self::Residential | Self::Pedestrian => Some((15, MarkKind::Street)),
            Self::Service | Self::Footway | Self::Path | Self::Track | Self::Cycleway => {
                Some((16, MarkKind::Way))
            }
            Self::River => Some((14, MarkKind::Water)),
            Self::Stream => Some((16, MarkKind::Water)),
            _ => None,
        }
    }
}

/// From which zoom on an area is drawn.
pub(super) fn area_first_zoom(kind: AreaKind) -> u32 {
    match kind {
        AreaKind::Building | AreaKind::Square | AreaKind::DogPark => 14,
        AreaKind::Parking | AreaKind::Pitch => 15,
        AreaKind::Grounds => 13,
        _ => 12,
    }
}

/// Names and small signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum MarkKind {
    /// The name of a town.
    Town,
    /// The name of a part of a town.
    Suburb,
    /// The name of a village.
    Village,
    /// The name of a peak.
    Peak,
    /// The name of a larger road.
    Road,
    /// The name of a park.
    Park,
    /// The name of a water.
    Water,
    /// A place where dogs may run, with its name if it has one.
    DogPark,
    /// The name of a street.
    Street,
    /// The name of a path.
    Way,
    /// Water to drink.
    DrinkingWater,
    /// A veterinary, with the name.
    Veterinary,
    /// Sign of public toilets.
    Toilets,
    /// A dispenser of bags.
    DogBags,
    /// Sign of a bench.
    Bench,
    /// Sign of a waste bin.
    Bin,
}

impl MarkKind {
    /// Returns the mark of a label, with the first and the last zoom at which it is shown.
    pub(super) fn of_label(kind: LabelKind) -> (Self, u32, u32) {
        match kind {
            LabelKind::Town => (Self::Town, 12, 15),
            LabelKind::Village => (Self::Village, 12, 16),
            LabelKind::Suburb => (Self::Suburb, 13, 16),
            LabelKind::Park => (Self::Park, 15, 20),
            LabelKind::Water => (Self::Water, 14, 20),
            LabelKind::Peak => (Self::Peak, 14, 20),
            LabelKind::DogPark => (Self::DogPark, 15, 20),
        }
    }

    /// Returns the mark of a spot and the first zoom at which it is shown; `None` for trees, which are no signs.
    pub(super) fn of_spot(kind: SpotKind) -> Option<(Self, u32)> {
        Some(match kind {
            SpotKind::DrinkingWater => (Self::DrinkingWater, 16),
            SpotKind::DogPark => (Self::DogPark, 15),
            SpotKind::Veterinary => (Self::Veterinary, 16),
            SpotKind::Toilets => (Self::Toilets, 17),
            SpotKind::DogBags => (Self::DogBags, 17),
            SpotKind::Bench => (Self::Bench, 18),
            SpotKind::Bin => (Self::Bin, 18),
            SpotKind::Tree => return None,
        })
    }

    /// Height of its letters in px.
    pub(super) fn letters_px(self) -> f64 {
        match self {
            Self::Town => 15.0,
            Self::Suburb | Self::Village => 13.0,
            Self::Road => 12.0,
            _ => 11.5,
        }
    }

    /// Side of its sign in px; 0 for names without one.
    pub(super) fn sign_px(self) -> f64 {
        match self {
            Self::DogPark | Self::DrinkingWater | Self::Veterinary => 18.0,
            Self::Toilets | Self::DogBags => 16.0,
            Self::Bench | Self::Bin => 12.0,
            Self::Peak => 10.0,
            _ => 0.0,
        }
    }
}
