//! Owns which tries count together, so that nobody guesses a password and nobody is locked out by those who try.
//!
//! A count by account alone stops guessing and gives everybody a way to lock anybody out: ten wrong tries, and the owner
//! waits. A count by address alone lets a guesser with many addresses go on for ever. So:
//! - **A device that has signed in to the account before has a count of its own.** It brings a secret that it was given
//!   then. Strangers use up nothing of it, wherever they call from and be it from the same address, so who owns the
//!   account gets in on their phone while it is attacked.
//! - **Everybody else counts by address**, by account and address together, **and by account**, where the last one has
//!   ten times the room. One address cannot use it up, and all addresses of the world get a few thousand tries a day at
//!   an account, which is nothing against a password that no list has. An owner on a new device gets in past some
//!   guessers; past very many of them by a new password: whoever brings the link from the mail has a device that is
//!   known from then on.
//! - **Who proves to be oneself** to change a password or to delete an account has a session already, and counts by it.
//! - **The right password counts, too**: checking one takes a core for a while, and nobody may have that done without
//!   end on their own account. That count is by account and has room for many a slip.
//! - **Codes** of a second factor count by account, or by the known device, apart from passwords: only who has the
//!   password gets there at all.
//! - **Mail that strangers ask for**, codes and links, counts by whom it goes to and by address, **and by whom it goes
//!   to**: all addresses of the world fill nobody's mailbox. A device that is known on the account has a count of its own.
//! - **Mail that sitters have sent to clients** counts by business, where a new one has less, **by mailbox over all
//!   businesses, and in all**: nobody sends advertisements under the name of this server.
//! - **Pieces of videos** count by the business that sends them: a storage has room for all, and for none alone.
//!
//! An address is one of IPv4 or the 64 bits of a network of IPv6. Networks of IPv6 around it count together, too, with
//! more room: whoever has 65,536 of them is one caller. Unknown e-mails count like known ones.

use walkies_core::rules::mail::{NotMailed, mailbox};
use walkies_core::values::bounds::{MESSAGE_BYTES_A_DAY, MESSAGE_BYTES_OF_ACCOUNT_A_DAY};
use walkies_core::{Id, TableName};

use crate::app::session::Member;
use crate::app::state::App;
use crate::base::address::network_around;
use crate::base::error::AppError;
use crate::limits::rate::Rate;

/// The caller of a sign-in, by whom attempts are counted.
#[derive(Clone, Copy, Debug)]
pub enum Guesser<'a> {
    /// A device that is known on the account, by its token's hash.
    Device(&'a str),
    /// A caller on no known device.
    Stranger {
        /// The address that the call comes from.
        address: &'a str,
        /// At which account, whether or not there is one.
        email: &'a str,
    },
}

/// How much more the whole world may try than one address.
const WORLD: u32 = 10;
/// How much more of the right password one may send than of wrong ones.
const OFTEN: u32 = 3;
/// Tries at one code that was mailed: it has eight digits and is good for half an hour.
const CODE_RATE: Rate = Rate {
    burst: 5,
    every_ms: 10 * 60 * 1000,
};

/// Counts a try at a password, before anything is hashed.
pub fn try_password(app: &App, guesser: Guesser<'_>) -> Result<(), AppError> {
    let rate = app.settings.rate_by_account;
    match guesser {
        Guesser::Device(device) => {
            count(app, &format!("device {device}"), rate)?;
            count(
                app,
                &format!("passwords on device {device}"),
                rate.times(OFTEN),
            )
        }
        Guesser::Stranger { address, email } => {
            call(app, address)?;
            count(app, &format!("account {email} from {address}"), rate)?;
            count(app, &format!("account {email}"), rate.times(WORLD))
        }
    }
}

/// The right password came: the wrong ones before it were its owner's. What others tried stays counted.
pub fn forgive_password(app: &App, guesser: Guesser<'_>) {
    app.limiter.reset(match guesser {
        Guesser::Device(device) => format!("device {device}"),
        Guesser::Stranger { address, email } => format!("account {email} from {address}"),
    });
}

/// Counts a call of somebody who is not signed in.
pub fn call(app: &App, address: &str) -> Result<(), AppError> {
    stranger(app, "call", address, app.settings.rate_by_address)
}

/// The networks of IPv6 around an address that count together, in bits, and how much more room each has. A provider of
/// mobile phones has many customers in one of them.
const AROUND: [(u32, u32); 2] = [(56, 4), (48, 16)];

/// Counts a mail that a stranger asks for, of one kind.
fn ask_for_mail(app: &App, address: &str, kind: &str, email: &str) -> Result<(), AppError> {
    let (mailbox, rate) = (mailbox(email), app.settings.rate_by_account);
    call(app, address)?;
    count(app, &format!("{kind} mail {mailbox} from {address}"), rate)?;
    let rate = app.settings.mail.codes_by_recipient;
    count(app, &format!("{kind} mail {mailbox}"), rate)
}

/// Counts a sign-up, whose code is mailed.
pub fn ask_for_code(app: &App, address: &str, email: &str) -> Result<(), AppError> {
    ask_for_mail(app, address, "sign-up", email)?;
    count(app, "mail of sign-ups", app.settings.mail.codes)
}

/// Counts a mail with a link to set a new password, of a device that is known on the account or of anybody else.
pub fn ask_for_new_password(app: &App, guesser: Guesser<'_>) -> Result<(), AppError> {
    match guesser {
        Guesser::Device(device) => {
            let key = format!("forgotten mail of device {device}");
            count(app, &key, app.settings.rate_by_account)
        }
        Guesser::Stranger { address, email } => ask_for_mail(app, address, "forgotten", email),
    }
}

/// So long an account is a new one.
const NEW_MS: i64 = 7 * 24 * 60 * 60 * 1000;
/// One business invites one client by mail, and again where it got lost.
const INVITATION_RATE: Rate = Rate {
    burst: 5,
    every_ms: 4 * 60 * 60 * 1000,
};

/// Counts an invitation that goes by mail.
pub fn invite_by_mail(app: &App, sitter_id: Id, email: &str) -> Result<(), NotMailed> {
    let key = format!("invitations of {sitter_id} to {}", mailbox(email));
    let again = count(app, &key, INVITATION_RATE);
    again.map_err(|_| NotMailed::RecipientLimit {
        email: email.to_owned(),
    })?;
    mail_client(app, sitter_id, email)
}

/// When a business was made, whose id this server made by its own clock (RFC 9562, 5.7).
fn made_at_ms(sitter_id: Id) -> i64 {
    i64::try_from(sitter_id.0.as_u128() >> 80).unwrap_or(i64::MAX)
}

fn is_new(app: &App, sitter_id: Id) -> bool {
    app.now().0 - made_at_ms(sitter_id) < NEW_MS
}

/// Counts a mail that a business has sent to a client.
fn mail_client(app: &App, sitter_id: Id, email: &str) -> Result<(), NotMailed> {
    let rates = app.settings.mail;
    let is_new = is_new(app, sitter_id);
    let rate = match is_new {
        true => rates.by_new_sender,
        false => rates.by_sender,
    };
    let by_sender = count(app, &format!("mail of {sitter_id}"), rate);
    by_sender.map_err(|_| NotMailed::SenderLimit)?;
    let key = format!("mail to {}", mailbox(email));
    let by_recipient = count(app, &key, rates.by_recipient);
    by_recipient.map_err(|_| NotMailed::RecipientLimit {
        email: email.to_owned(),
    })?;
    if is_new {
        let of_new = count(app, "mail of new businesses", rates.of_new_senders);
        of_new.map_err(|_| NotMailed::ServerLimit)?;
    }
    let of_all = count(app, "mail of all businesses", rates.of_senders);
    of_all.map_err(|_| NotMailed::ServerLimit)
}

/// Counts a try at the code from a mail, by the hash of what the code belongs to.
pub fn try_mailed_code(app: &App, address: &str, hash: &str) -> Result<(), AppError> {
    call(app, address)?;
    count(app, &format!("mailed code {hash}"), CODE_RATE)
}

/// Counts a try at the code of a second factor, of a known device or of anybody else who has the password.
pub fn try_code(app: &App, user_id: Id, device: Option<&str>) -> Result<(), AppError> {
    count(app, &code(user_id, device), app.settings.rate_by_account)
}

/// The right code came.
pub fn forgive_code(app: &App, user_id: Id, device: Option<&str>) {
    app.limiter.reset(code(user_id, device));
}

fn code(user_id: Id, device: Option<&str>) -> String {
    match device {
        Some(device) => format!("code of device {device}"),
        None => format!("code of {user_id}"),
    }
}

/// Counts a try of somebody signed in to prove that it is they.
pub fn try_proof(app: &App, user_id: Id, session_hash: &str) -> Result<(), AppError> {
    let rate = app.settings.rate_by_account;
    count(app, &proof(session_hash), rate)?;
    count(app, &format!("proofs of {user_id}"), rate.times(OFTEN))
}

/// It was they.
pub fn forgive_proof(app: &App, session_hash: &str) {
    app.limiter.reset(proof(session_hash));
}

fn proof(session_hash: &str) -> String {
    format!("proof {session_hash}")
}

/// A phone subscribes when somebody turns notifications on, and when the browser or the server has new keys.
const SUBSCRIPTION_RATE: Rate = Rate {
    burst: 60,
    every_ms: 60 * 1000,
};

/// Counts a change of somebody's subscriptions or of what they want to be told of, each of which is a write.
pub fn subscribe(app: &App, user_id: Id) -> Result<(), AppError> {
    count(
        app,
        &format!("subscriptions of {user_id}"),
        SUBSCRIPTION_RATE,
    )
}

/// A phone shows so many notifications at once, and one in half a minute after that: what waits meanwhile says less the
/// longer it waits, since of one thing only the last is told.
const PUSH_RATE: Rate = Rate {
    burst: 60,
    every_ms: 30 * 1000,
};
/// A business tells all its clients of something, and goes on with its day.
const PUSHES_OF_BUSINESS_RATE: Rate = Rate {
    burst: 2_000,
    every_ms: 5 * 1000,
};

/// Counts a notification on its way, by the phone that it goes to and by the business that it is of: in how many
/// seconds it may go, where that is not now.
pub fn push(app: &App, subscription_id: Id, sitter_id: Id) -> Result<(), u64> {
    let count = |key: String, rate| app.limiter.count(key, rate, app.uptime());
    count(format!("pushes to {subscription_id}"), PUSH_RATE)?;
    count(format!("pushes of {sitter_id}"), PUSHES_OF_BUSINESS_RATE)
}

/// Rate limit on the mail in which one business reminds of unpaid invoices: each client may be reminded of several on
/// one day.
const REMINDER_RATE: Rate = Rate {
    burst: 300,
    every_ms: 5 * 60 * 1000,
};

/// Counts a mail that reminds of an invoice, by its business and by whom it goes to.
pub fn remind_by_mail(app: &App, sitter_id: Id, email: &str) -> Result<(), NotMailed> {
    let rate = app.settings.rate_by_account;
    let key = format!("reminders of {sitter_id} to {}", mailbox(email));
    let again = count(app, &key, rate);
    again.map_err(|_| NotMailed::RecipientLimit {
        email: email.to_owned(),
    })?;
    let by_sender = count(app, &format!("reminders of {sitter_id}"), REMINDER_RATE);
    by_sender.map_err(|_| NotMailed::SenderLimit)?;
    mail_client(app, sitter_id, email)
}

/// Counts a mail that brings a row of this table, an invoice or a report, by its business and by whom it goes to.
pub fn share_by_mail(
    app: &App,
    (sitter_id, table): (Id, TableName),
    email: &str,
) -> Result<(), NotMailed> {
    let key = format!("{}s of {sitter_id} to {}", table.name(), mailbox(email));
    let again = count(app, &key, app.settings.rate_by_account);
    again.map_err(|_| NotMailed::RecipientLimit {
        email: email.to_owned(),
    })?;
    mail_client(app, sitter_id, email)
}

/// Somebody is mailed of events so often at once and once in twenty minutes after that; what comes meanwhile is in the
/// next mail.
const EVENT_MAIL_RATE: Rate = Rate {
    burst: 3,
    every_ms: 20 * 60 * 1000,
};

/// Counts a mail that tells somebody of events, by the mailbox and in all: in how many seconds it may go, where that is not
/// now.
pub fn mail_events(app: &App, email: &str) -> Result<(), u64> {
    let count = |key: String, rate| app.limiter.count(key, rate, app.uptime());
    count(event_mail_to(email), EVENT_MAIL_RATE)?;
    count("event mail".to_owned(), app.settings.mail.of_senders)
}

fn event_mail_to(email: &str) -> String {
    format!("event mail to {}", mailbox(email))
}

/// Counts a mail that tells a client without a login of events, also by its business: nobody has proved that the address is
/// the client's. What a business sends by hand is counted apart, so that events take nothing of it.
pub fn mail_events_of(app: &App, sitter_id: Id, email: &str) -> Result<(), u64> {
    let count = |key: String, rate| app.limiter.count(key, rate, app.uptime());
    // A mailbox that has to wait takes nothing of the business's share, which is for all of its clients.
    app.limiter
        .check(event_mail_to(email), EVENT_MAIL_RATE, app.uptime())?;
    let rates = app.settings.mail;
    let is_new = is_new(app, sitter_id);
    let rate = match is_new {
        true => rates.by_new_sender,
        false => rates.by_sender,
    };
    count(format!("event mail of {sitter_id}"), rate)?;
    if is_new {
        count(
            "event mail of new businesses".to_owned(),
            rates.of_new_senders,
        )?;
    }
    mail_events(app, email)
}

/// So many bytes at once, and as many again within a day.
const fn bytes_a_day(bytes: u32) -> Rate {
    const DAY_MS: u32 = 24 * 60 * 60 * 1000;
    Rate {
        burst: bytes,
        every_ms: DAY_MS / bytes,
    }
}

/// Counts a message of a client, by its conversation and by the account, which may have several sitters.
pub fn message(app: &App, user_id: Id, client_id: Id, bytes: u32) -> Result<(), AppError> {
    for (key, most) in [
        (
            format!("messages of client {client_id}"),
            MESSAGE_BYTES_A_DAY,
        ),
        (
            format!("messages of {user_id}"),
            MESSAGE_BYTES_OF_ACCOUNT_A_DAY,
        ),
    ] {
        let counted = app
            .limiter
            .count_many(key, bytes, bytes_a_day(most), app.uptime());
        counted.map_err(|retry_after_s| AppError::TooManyRequests { retry_after_s })?;
    }
    Ok(())
}

/// A client may write a part of what its business may.
const CLIENT_SHARE: u32 = 5;

/// Counts what a member's command has written: a client writes less than a sitter.
pub fn write_of(app: &App, member: &Member, bytes: usize) -> Result<(), AppError> {
    let rate = app.settings.rate_of_writes;
    let rate = match member.link {
        None => rate,
        Some(_) => Rate {
            burst: (rate.burst / CLIENT_SHARE).max(1),
            every_ms: rate.every_ms.saturating_mul(CLIENT_SHARE),
        },
    };
    write_at(app, member.payer(), bytes, rate)
}

/// Counts what a command has written, by its business: a database has room for all of them, and for none alone.
pub fn write(app: &App, sitter_id: Id, bytes: usize) -> Result<(), AppError> {
    write_at(app, sitter_id, bytes, app.settings.rate_of_writes)
}

fn write_at(app: &App, payer: Id, bytes: usize, rate: Rate) -> Result<(), AppError> {
    let kilobytes = u32::try_from(1 + bytes / 1024).unwrap_or(u32::MAX);
    let key = format!("written by {payer}");
    let counted = app.limiter.count_many(key, kilobytes, rate, app.uptime());
    counted.map_err(|retry_after_s| AppError::TooManyRequests { retry_after_s })
}

/// A business sends a gigabyte of videos at once, and as much again within a day.
const VIDEO_RATE: Rate = Rate {
    burst: 2048,
    every_ms: 24 * 60 * 60 * 1000 / 2048,
};

/// Counts a piece of a video, or the beginning of one, by its business.
pub fn video(app: &App, sitter_id: Id) -> Result<(), AppError> {
    count(app, &format!("videos of {sitter_id}"), VIDEO_RATE)
}

/// Rate limit on live maps: a walk of ten clients sends to each of them three times a minute.
const LIVE_MAP_RATE: Rate = Rate {
    burst: 60,
    every_ms: 2 * 1000,
};

/// Counts an update of a live map, or its end, by its business.
pub fn live_map(app: &App, sitter_id: Id) -> Result<(), AppError> {
    count(app, &format!("live maps of {sitter_id}"), LIVE_MAP_RATE)
}

/// Counts a look at live maps, by the account of the pet parent.
pub fn read_live_maps(app: &App, user_id: Id) -> Result<(), AppError> {
    count(app, &format!("live maps for {user_id}"), LIVE_MAP_RATE)
}

/// Twenty searches for routes of three calls each, and ten an hour after that: whoever walks needs one.
const DIRECTIONS_RATE: Rate = Rate {
    burst: 60,
    every_ms: 2 * 60 * 1000,
};
/// The share of all businesses together, which the owner of the key pays for.
const DIRECTIONS_OF_ALL_RATE: Rate = Rate {
    burst: 2_000,
    every_ms: 10 * 1000,
};

/// Counts a call of the directions service on behalf of a business.
pub fn ask_for_directions(app: &App, sitter_id: Id) -> Result<(), AppError> {
    let key = format!("directions of {sitter_id}");
    count(app, &key, DIRECTIONS_RATE)?;
    count(app, "directions of all", DIRECTIONS_OF_ALL_RATE)
}

/// A new business with clients outside the map looks up a few dozen addresses at once, and thirty an hour after that.
const GEOCODER_RATE: Rate = Rate {
    burst: 40,
    every_ms: 2 * 60 * 1000,
};
/// The share of all businesses together: the public servers of Nominatim allow one search a second and server
/// (<https://operations.osmfoundation.org/policies/nominatim/>).
const GEOCODER_OF_ALL_RATE: Rate = Rate {
    burst: 1,
    every_ms: 1000,
};

/// Counts a search of the geocoder on behalf of a business.
pub fn ask_geocoder(app: &App, sitter_id: Id) -> Result<(), AppError> {
    count(app, &format!("geocoder for {sitter_id}"), GEOCODER_RATE)?;
    count(app, "geocoder for all", GEOCODER_OF_ALL_RATE)
}

/// Reading a whole business is much work: a few times, and then every few hours.
const EXPORT_RATE: Rate = Rate {
    burst: 10,
    every_ms: 2 * 60 * 60 * 1000,
};

/// Counts an archive of a business, or of a pet parent's account.
pub fn export(app: &App, whose: Id) -> Result<(), AppError> {
    count(app, &format!("exports of {whose}"), EXPORT_RATE)
}

/// Rate limit on clearings: a few times, and then three times a day. Each leaves a tombstone for each row, for phones
/// that have them.
const CLEAR_RATE: Rate = Rate {
    burst: 5,
    every_ms: 8 * 60 * 60 * 1000,
};

/// Counts a clearing of a business.
pub fn clear(app: &App, sitter_id: Id) -> Result<(), AppError> {
    count(app, &format!("clearings of {sitter_id}"), CLEAR_RATE)
}

/// Four gigabytes of archives at once, and as much again within a day.
const IMPORT_RATE: Rate = Rate {
    burst: 8192,
    every_ms: 24 * 60 * 60 * 1000 / 8192,
};

/// Counts an archive that is announced: each is looked through as a whole.
pub fn begin_import(app: &App, sitter_id: Id) -> Result<(), AppError> {
    let key = format!("imports begun by {sitter_id}");
    count(app, &key, EXPORT_RATE)
}

/// Counts a piece of an archive that comes into a business.
pub fn import(app: &App, sitter_id: Id) -> Result<(), AppError> {
    count(app, &format!("imports of {sitter_id}"), IMPORT_RATE)
}

/// Counts a call of somebody who needs no sign-in, by what it is about and where it comes from.
pub fn stranger(app: &App, about: &str, address: &str, rate: Rate) -> Result<(), AppError> {
    count(app, &format!("{about} from {address}"), rate)?;
    for (bits, factor) in AROUND {
        if let Some(network) = network_around(address, bits) {
            count(app, &format!("{about} from {network}"), rate.times(factor))?;
        }
    }
    Ok(())
}

fn count(app: &App, key: &str, rate: Rate) -> Result<(), AppError> {
    let counted = app.limiter.count(key, rate, app.uptime());
    counted.map_err(|retry_after_s| AppError::TooManyRequests { retry_after_s })
}
