//! Owns what a person is told where a route is not what was asked for.

use super::request::RouteRequest;

/// How a route differs from what was asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Differs {
    /// The network has no room for a good walk of the time.
    pub(super) has_no_room: bool,
    /// It is a loop that takes longer or less, since none was found that takes the time.
    pub(super) has_other_time: bool,
    /// It was offered before, and there is no other one.
    pub(super) was_shown: bool,
}

/// The sentences about a route that takes so many milliseconds.
pub(super) fn notice(request: &RouteRequest, differs: Differs, time_ms: u32) -> Option<String> {
    let mut sentences = Vec::new();
    let asked = request.budget_ms() / 60_000;
    let minutes = (time_ms + 30_000) / 60_000;
    if differs.has_no_room {
        sentences.push(format!(
            "There is no room for a good walk of {asked} minutes from here. This one takes {minutes}."
        ));
    }
    if differs.has_other_time {
        sentences.push(format!(
            "No loop of {asked} minutes was found from here. This one takes {minutes}."
        ));
    }
    if differs.was_shown {
        sentences.push(
            "You have seen this walk. There is no other one of this length from here.".to_owned(),
        );
    }
    (!sentences.is_empty()).then(|| sentences.join(" "))
}
