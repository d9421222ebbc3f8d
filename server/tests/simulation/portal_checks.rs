//! Owns what must hold of what a household and its sitter tell each other beside requests: who did it, how to get in, and
//! what is sent of a visit before its report.

use std::collections::BTreeSet;

use walkies_core::commands::{SendLive, UpdateClient};
use walkies_core::rows::client::{Client, LiveSharing};
use walkies_core::rows::service::{LiveEvent, Service};
use walkies_core::{Command, Id};

use crate::act_checks::{Done, Former, fields_of, read};
use crate::oracle::{Check, Timeline, ensure};
use crate::parents::{P6, P7, P8};

/// An event that was sent, with the visit and its client as the sender saw them.
pub type SentLive = (Id, Id, Id);

/// Checks that what a pet parent makes bears the own login.
pub fn p6_signed(timeline: &Timeline, done: &Done) -> Check {
    let Some(user_id) = done.user_id else {
        return Ok(());
    };
    let (key, field) = match &done.command {
        Command::AskForService(it) => (format!("walk_request/{}", it.id), "asked_by"),
        Command::AskForChange(it) => (format!("walk_request/{}", it.id), "asked_by"),
        Command::SendMessage(it) => (format!("message/{}", it.id), "client_user_id"),
        _ => return Ok(()),
    };
    let Some(text) = timeline.rows.get(&key) else {
        return Ok(());
    };
    let signed = &fields_of(text)[field];
    ensure!(
        *signed == user_id.to_string(),
        P6,
        "{key} is of {user_id}, and bears {signed}"
    );
    Ok(())
}

/// The rows of a table that were there before a revision and are after it, in both states.
fn changed<'a, T: serde::de::DeserializeOwned>(
    timeline: &'a Timeline,
    former: &'a Former,
    table: &'static str,
) -> impl Iterator<Item = (T, T)> + 'a {
    let rows = former.iter().filter(move |it| it.0.starts_with(table));
    rows.filter_map(|(key, before)| {
        let after = timeline.rows.get(key)?;
        Some((read(before.as_deref()?), read(after)))
    })
}

/// Versions of the sitter's notes on getting in that wait for a decision.
fn versions(client: &Client) -> BTreeSet<&str> {
    let others = client.other_texts.iter();
    let others = others.filter(|it| it.field == "access_notes");
    others.map(|it| it.content.as_str()).collect()
}

/// Checks that what a pet parent gives on getting in is known as given and stands beside the sitter's notes, where nobody but
/// the sitter takes it away.
pub fn p7_given(timeline: &Timeline, done: &Done, former: &Former) -> Check {
    for (before, after) in changed::<Client>(timeline, former, "client/") {
        let sets = |field: &str| match &done.command {
            Command::UpdateClient(UpdateClient { id, changes, .. }) if *id == after.id => {
                changes.0.get(field).and_then(|it| it.as_str())
            }
            _ => None,
        };
        let is_parents = done.user_id.is_some();
        let given = sets("how_to_get_in").filter(|_| is_parents);
        let is_blank = before.access_notes.trim().is_empty();
        ensure!(
            !is_parents || is_blank || after.access_notes == before.access_notes,
            P7,
            "a pet parent replaced the notes {:?} by {:?}",
            before.access_notes,
            after.access_notes
        );
        let Some(given) = given else {
            let is_left = after.client_user_id.is_none();
            ensure!(
                is_left || after.how_to_get_in == before.how_to_get_in,
                P7,
                "{:?} was given on getting in, and is {:?}",
                before.how_to_get_in,
                after.how_to_get_in
            );
            let is_settled =
                matches!(&done.command, Command::SettleText(_)) || sets("access_notes").is_some();
            let (was, is) = (versions(&before), versions(&after));
            ensure!(
                is_settled || was.is_subset(&is),
                P7,
                "{was:?} waited for a decision, and nobody made it: {is:?}"
            );
            continue;
        };
        let is_known = before.how_to_get_in == given;
        let is_shown = after.access_notes == given || versions(&after).contains(given);
        ensure!(
            after.how_to_get_in == given && (is_known || is_shown),
            P7,
            "{given:?} was given on getting in, and is not in {after:?}"
        );
    }
    Ok(())
}

/// Checks that a visit shows its client what was sent of it to that client, and nothing that was taken back.
pub fn p8_live(
    timeline: &Timeline,
    done: &Done,
    former: &Former,
    sent: &BTreeSet<SentLive>,
) -> Check {
    for (before, after) in changed::<Service>(timeline, former, "service/") {
        let command = match &done.command {
            Command::SendLive(it) if it.id == after.id => Some(it),
            _ => None,
        };
        let kept = match before.client_id == after.client_id {
            true => before.live.as_slice(),
            false => &[],
        };
        let is_new = |it: &&LiveEvent| !kept.contains(it);
        for event in after.live.iter().filter(is_new) {
            let is_named = command.is_some_and(|it| it.events.iter().any(|it| it.id == event.id));
            let is_to = sent.contains(&(event.id, after.id, after.client_id));
            ensure!(
                is_named && is_to && is_shown(timeline, after.client_id),
                P8,
                "{event:?} came to {} of {} by {:?}",
                after.id,
                after.client_id,
                done.command
            );
        }
        let is_off = |it: &&LiveEvent| command.is_some_and(|command| is_taken_back(command, it));
        let back = after.live.iter().find(is_off);
        ensure!(
            back.is_none(),
            P8,
            "{back:?} of {} was taken back, and is there",
            after.id
        );
    }
    Ok(())
}

fn is_taken_back(command: &SendLive, event: &LiveEvent) -> bool {
    let is_sent = command.events.iter().any(|it| it.id == event.id);
    command.taken_back.contains(&event.id) && !is_sent
}

/// Returns true if a client has a login, and the sitter sends this client events.
fn is_shown(timeline: &Timeline, client_id: Id) -> bool {
    let client = timeline.rows.get(&format!("client/{client_id}"));
    let client: Option<Client> = client.map(|it| read(it));
    client.is_some_and(|it| it.client_user_id.is_some() && it.sends_live != LiveSharing::Off)
}
