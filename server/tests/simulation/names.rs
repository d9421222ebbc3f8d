//! Owns the list of the commands that no run draws, so that a new command is not forgotten.

use std::collections::BTreeMap;

use walkies_core::Command;

/// Seeds that draw every command at least once.
pub const SEEDS_OF_ALL: u64 = 100;

/// The commands that nobody saves on a phone here, with the reason for each.
const NOT_DRAWN: &[(&str, &str)] = &[
    ("extend_series", "the nightly job decides it on the server"),
    (
        "share_walk",
        "a report needs a recorded walk with its photos and its route, which no phone has here",
    ),
    ("unshare_walk", "as `share_walk`"),
];

/// How often each command was saved on a phone.
pub type Drawn = BTreeMap<&'static str, u64>;

/// Each command is drawn, or named in the list with its reason, and none is both; the sentence on those of which that is
/// not so.
pub fn check(drawn: &Drawn) -> Result<(), String> {
    let reason_of = |name: &str| NOT_DRAWN.iter().find(|it| it.0 == name);
    let mut wrong = Vec::new();
    for name in Command::NAMES {
        match (drawn.get(name), reason_of(name)) {
            (None, None) => wrong.push(format!("no run draws `{name}`, and no reason is given")),
            (Some(n), Some(_)) => wrong.push(format!(
                "`{name}` is said not to be drawn, and was {n} times"
            )),
            _ => {}
        }
    }
    let unknown = NOT_DRAWN
        .iter()
        .filter(|it| !Command::NAMES.contains(&it.0));
    wrong.extend(unknown.map(|it| format!("there is no command `{}`", it.0)));
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(wrong.join("; ")),
    }
}
