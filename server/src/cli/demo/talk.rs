//! Owns what the demo's sitter and pet parents have said to each other.

use walkies_core::commands::{MarkConversationRead, SendMessage};
use walkies_core::rows::message::Side;
use walkies_core::{Id, Instant};

use super::{DemoClient, Worker, photograph};
use crate::app::session::Member;
use crate::db::{self, Account};

/// Messages between the sitter and the pet parent who has a login: days ago, hour, minute, sender, text with what differs by
/// town in braces.
const WORDS: [(i64, u16, u16, Side, &str); 12] = [
    (
        5,
        17,
        12,
        Side::Client,
        "Hi {sitter}! {pet} had his vaccination today, he may be a bit sleepy tomorrow.",
    ),
    (
        5,
        17,
        20,
        Side::Sitter,
        "Thanks for telling me. I will take it easy with him, twenty minutes in the park.",
    ),
    (5, 17, 21, Side::Client, "Perfect ❤️"),
    (
        2,
        9,
        5,
        Side::Sitter,
        "Good morning! The elevator is out of order. Is there another way in with the pram?",
    ),
    (
        2,
        9,
        9,
        Side::Client,
        "Oh no. Through the yard, the door on the left. The code is the same.",
    ),
    (2, 9, 31, Side::Sitter, PHOTO),
    (
        2,
        9,
        32,
        Side::Sitter,
        "All done. {pet} met a Samoyed and forgot to pull.",
    ),
    (
        2,
        9,
        40,
        Side::Client,
        "Haha, look at that face! Thank you!",
    ),
    (
        1,
        19,
        2,
        Side::Client,
        "The vet wrote something about winter paws: {advice} Do you have wax with you?",
    ),
    (
        1,
        19,
        15,
        Side::Sitter,
        "I do, and I rinse his paws after every walk from December on.",
    ),
    (
        0,
        7,
        41,
        Side::Client,
        "Could you take {pet} before work the day after tomorrow? I sent you a request.",
    ),
    (0, 7, 42, Side::Client, "And the key is with the neighbor."),
];

/// Stands for a photo of the pet.
const PHOTO: &str = "";

/// Message to another client, who reads mail alone.
const NOTE: &str = "I put the spare key back through the letterbox. {pets} are fed.";

/// Has them talk: the newest words are not read.
pub(super) async fn talk(
    worker: &mut Worker<'_>,
    clients: &[DemoClient],
    parent: &Account,
) -> anyhow::Result<()> {
    let app = worker.app;
    let sitter_id = worker.member.sitter_id;
    let mut tx = app.db.read().await?;
    let links = db::client_links(&mut tx, parent.id, Some(sitter_id)).await?;
    tx.commit().await?;
    let (Some(link), [_, other, ..]) = (links.first().copied(), clients) else {
        return Ok(());
    };
    let town = worker.town;
    let first_name = town.sitter.split(' ').next().unwrap_or_default();
    let photo = photograph(worker, town.pet(0)).await?;
    let note_at = worker.at(worker.now.today().plus_days(-4), 16, 20);
    let note = NOTE.replace("{pets}", &town.pets(1).join(" and "));
    say(worker, other.id, &note, None, note_at).await?;
    let mut answers = Worker {
        app,
        town,
        member: Member {
            user_id: parent.id,
            sitter_id,
            link: Some(link),
        },
        device_id: app.env.id(),
        seq: 0,
        now: worker.now.clone(),
    };
    let id = link.client_id;
    for (days, hour, minute, side, words) in WORDS {
        let at = worker.at(worker.now.today().plus_days(-days), hour, minute);
        let at = at.min(worker.now.at);
        let is_photo = words == PHOTO;
        if is_photo && photo.is_none() {
            continue;
        }
        let speaker = match side {
            Side::Sitter => &mut *worker,
            Side::Client => &mut answers,
        };
        let words = words
            .replace("{pet}", town.pet(0))
            .replace("{sitter}", first_name)
            .replace("{advice}", town.advice);
        say(speaker, id, &words, photo.filter(|_| is_photo), at).await?;
        if 0 < days {
            let listener = match side {
                Side::Sitter => &mut answers,
                Side::Client => &mut *worker,
            };
            let read = MarkConversationRead {
                id,
                message_id: None,
            };
            listener.send(read.into(), at).await?;
        }
    }
    Ok(())
}

async fn say(
    speaker: &mut Worker<'_>,
    conversation_id: Id,
    words: &str,
    photo: Option<Id>,
    at: Instant,
) -> anyhow::Result<()> {
    let message = SendMessage {
        id: speaker.app.env.id(),
        conversation_id,
        content: words.to_owned(),
        photo,
    };
    speaker.send(message.into(), at).await
}
