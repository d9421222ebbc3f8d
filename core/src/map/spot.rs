//! Owns the single things of the map that matter to a walker with a dog.
//! Stored on phones. Kinds are bytes of the format: only add, never renumber.

use super::coded::coded;
use super::point::Point;

/// One thing at one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// Kind of the thing.
    pub kind: SpotKind,
    /// Its point; the middle of what is an area.
    pub at: Point,
    /// An index of the tile's names.
    pub name: Option<u32>,
}

coded! {
    /// Kind of a thing that matters on a walk with a dog.
    pub enum SpotKind {
        /// Water to drink.
        DrinkingWater = 0,
        /// Bench to sit on.
        Bench = 1,
        /// Bin for waste.
        Bin = 2,
        /// A place where dogs may run; the middle of its area.
        DogPark = 3,
        /// Toilets for the public.
        Toilets = 4,
        /// A single tree, which is drawn without a sign.
        Tree = 5,
        /// A dispenser of bags for dogs.
        DogBags = 6,
        /// A veterinary practice.
        Veterinary = 7,
    }
}
