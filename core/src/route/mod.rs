//! Owns walking routes: loops from a door that take the time that was asked for, and what to say on the way.
//! Everything is found on the tiles of `crate::map`, with integers and basic arithmetic alone, so that the phone and the
//! server find the same to the byte; nothing here asks a network.
#![expect(
    clippy::indexing_slicing,
    reason = "indices are those of a graph that was checked when it was made; searching by `get` would hide mistakes"
)]

mod candidate;
mod directions;
mod facts;
mod familiar;
mod follow;
mod form;
mod found_route;
mod generated;
mod graph;
mod grid;
mod guide;
mod kind;
mod line;
mod loops;
mod mend;
mod notice;
mod provider;
mod request;
mod router;
mod search;
mod shape;
mod simple_loops;
mod snap;
mod sun;
mod there_and_back;
mod warning;
mod weight;
mod words;

#[cfg(any(test, feature = "golden"))]
pub mod golden;
#[cfg(test)]
mod places;
#[cfg(test)]
mod tests;

pub use directions::{Maneuver, ManeuverKind, Modifier, RouteStep};
pub use follow::{FollowNotice, Following, PlannedLine};
pub use form::{City, RouteNumbers, RouteTexts, minutes, numbers, texts};
pub use found_route::FoundRoute;
pub use generated::{Approach, GeneratedRoute};
pub use graph::Graph;
pub use grid::Grid;
pub use guide::{Cue, CueKind, Guidance, Guide};
pub use kind::RouteKind;
pub use provider::{DirectionsResponse, Provided, ProviderError, places, query, route};
pub use request::{
    DEFAULT_MINUTES, DogSize, Hilliness, MAX_MINUTES, MIN_MINUTES, Pace, Preferences, RouteRequest,
};
pub(crate) use router::MAX_WAY_M;
pub use router::{MAX_VIA, RouteError, Router};
pub use shape::{Shape, samples, shape};
pub use snap::MAX_SNAP_M;
pub use warning::{RouteStop, RouteWarning, WarningKind};
