//! Owns the writes of who is linked with which client record that no command makes: by a code, and when a login goes.

use walkies_core::rows::client::{Client, Parent};
use walkies_core::rules::invite::InviteFault;
use walkies_core::rules::push::Notice;
use walkies_core::values::bounds::{PARENTS, SITTERS};
use walkies_core::values::push::PushKind;
use walkies_core::{Id, Instant, Row};

use crate::app::state::App;
use crate::base::env::sha256;
use crate::base::error::AppError;
use crate::db::{self, ClientLink, Invite, PushAudience, Tx, roll_back};
use crate::write::notify::notices::about_client;
use crate::write::notify::notify;

/// A client record at its business's next revision, which locks the business until the transaction ends.
struct Claimed {
    rev: u64,
    client: Client,
}

async fn claim(
    app: &App,
    tx: &mut Tx,
    sitter_id: Id,
    client_id: Id,
) -> sqlx::Result<Option<Claimed>> {
    let Some(next) = db::claim_next_revision(tx, sitter_id, None, None).await? else {
        return Ok(None);
    };
    db::set_revision_id(tx, sitter_id, &next, app.current_revision_id()).await?;
    let client = db::select_one::<Client>(tx, sitter_id, client_id).await?;
    Ok(client.map(|it| Claimed {
        rev: next.rev,
        client: it.row,
    }))
}

/// The hash of a code as people type it: in any case, with letters that are read for digits.
pub(crate) fn hash_of(code: &str) -> String {
    let symbol = |it: char| match it.to_ascii_uppercase() {
        'O' => Some('0'),
        'I' | 'L' => Some('1'),
        ' ' | '-' => None,
        it => Some(it),
    };
    let code: String = code
        .chars()
        .take(MAX_CODE_CHARS)
        .filter_map(symbol)
        .collect();
    sha256(code.as_bytes())
}

/// No code is longer, however it is typed.
const MAX_CODE_CHARS: usize = 40;

/// Checks that an invite code is unused and has not expired.
pub fn check_invite(invite: &Invite, now: Instant) -> Result<(), InviteFault> {
    if invite.used_at.is_some() {
        return Err(InviteFault::Used);
    }
    match invite.expires_at <= now {
        true => Err(InviteFault::Expired),
        false => Ok(()),
    }
}

/// Links a login by a code: the revision, or nothing where it was linked before and nothing is to be written.
pub async fn link_by_code(
    app: &App,
    tx: &mut Tx,
    user_id: Id,
    client_id: Id,
    code_hash: &str,
) -> Result<(ClientLink, Option<u64>), AppError> {
    let found = db::find_invite(tx, code_hash).await?;
    let found = found.filter(|it| it.client_id == client_id);
    let sitter_id = found.ok_or(InviteFault::Unknown)?.sitter_id;
    // INVARIANT: nobody is a client of the own business. What tells a person of a business tells by that in which role.
    let account = db::account_by_id(tx, user_id).await?;
    if account.and_then(|it| it.sitter_id) == Some(sitter_id) {
        return Err(InviteFault::Own.into());
    }
    let claimed = claim(app, tx, sitter_id, client_id).await?;
    let Claimed { rev, mut client } = claimed.ok_or(InviteFault::Unknown)?;
    // Read again, now that nobody else links anybody in this business.
    let invite = db::find_invite(tx, code_hash).await?;
    let links = db::client_links(tx, user_id, None).await?;
    let is_of_sitter = |it: &&ClientLink| it.sitter_id == sitter_id;
    let mut of_sitter = links.iter().filter(is_of_sitter);
    if let Some(known) = of_sitter.clone().find(|it| it.client_id == client_id) {
        return Ok((*known, None));
    }
    let now = app.now();
    check_invite(&invite.ok_or(InviteFault::Unknown)?, now)?;
    if of_sitter.next().is_some() {
        return Err(InviteFault::Taken.into());
    }
    if SITTERS <= links.len() {
        return Err(InviteFault::Full.into());
    }
    if PARENTS <= client.logins().count() {
        return Err(InviteFault::HouseholdFull.into());
    }
    if !db::take_invite(tx, code_hash, now).await? {
        return Err(InviteFault::Used.into());
    }
    let link = ClientLink {
        sitter_id,
        client_id,
        history: app.env.id(),
    };
    let mut first = None;
    if let Some(known) = client.client_user_id.filter(|_| client.parents.is_empty()) {
        first = parent(tx, known, None).await?;
    }
    let redeemed = parent(tx, user_id, Some(now)).await?;
    client.add_login(redeemed.ok_or(AppError::TokenExpired)?, first);
    db::write_row(tx, sitter_id, rev, &Row::Client(client)).await?;
    db::link_client_user(tx, sitter_id, client_id, user_id, link.history).await?;
    let notice = about_client(PushKind::ParentJoined, sitter_id, client_id);
    notify(app, tx, PushAudience::Sitter(sitter_id), &notice, now).await?;
    Ok((link, Some(rev)))
}

/// A pet parent as the client's row describes them; `None` where the account is gone.
async fn parent(
    tx: &mut Tx,
    user_id: Id,
    linked_at: Option<Instant>,
) -> sqlx::Result<Option<Parent>> {
    let account = db::account_by_id(tx, user_id).await?;
    Ok(account.map(|it| Parent {
        user_id,
        name: it.name,
        email: it.email,
        linked_at,
    }))
}

/// Takes a login that is about to be deleted out of the records that name it, and notifies their sitters: the businesses
/// that changed, with their revisions.
pub async fn forget_login(app: &App, tx: &mut Tx, user_id: Id) -> sqlx::Result<Vec<(Id, u64)>> {
    let mut changed = Vec::new();
    for link in db::client_links(tx, user_id, None).await? {
        let rev = end_link(app, tx, user_id, link).await?;
        changed.extend(rev.map(|it| (link.sitter_id, it)));
    }
    Ok(changed)
}

/// Shows the email of a pet parent's account in the records that name it: the businesses that changed, with their revisions.
pub(crate) async fn show_email(
    app: &App,
    tx: &mut Tx,
    user_id: Id,
    email: &str,
) -> sqlx::Result<Vec<(Id, u64)>> {
    let mut changed = Vec::new();
    for link in db::client_links(tx, user_id, None).await? {
        let claimed = claim(app, tx, link.sitter_id, link.client_id).await?;
        let Some(Claimed { rev, mut client }) = claimed else {
            continue;
        };
        let mut parents = client.parents.iter_mut();
        if let Some(parent) = parents.find(|it| it.user_id == user_id) {
            email.clone_into(&mut parent.email);
            db::write_row(tx, link.sitter_id, rev, &Row::Client(client)).await?;
            changed.push((link.sitter_id, rev));
        }
    }
    Ok(changed)
}

/// Ends the caller's own part in a business, and tells the apps on both sides.
pub(crate) async fn leave(app: &App, user_id: Id, link: ClientLink) -> Result<(), AppError> {
    let mut tx = app.db.write().await?;
    let rev = match end_link(app, &mut tx, user_id, link).await? {
        Some(rev) => rev,
        // The sitter was faster.
        None => return roll_back(tx, AppError::NotLinked).await,
    };
    tx.commit().await?;
    app.push_queued.notify_one();
    app.realtime.links_changed(user_id);
    app.realtime.changed(link.sitter_id, rev);
    Ok(())
}

/// Takes a login out of one record at the wish of its pet parent, and notifies the sitter: the revision, or `None`
/// where the record does not name it.
pub async fn end_link(
    app: &App,
    tx: &mut Tx,
    user_id: Id,
    link: ClientLink,
) -> sqlx::Result<Option<u64>> {
    let claimed = claim(app, tx, link.sitter_id, link.client_id).await?;
    let Some(Claimed { rev, mut client }) = claimed else {
        return Ok(None);
    };
    if !client.remove_login(user_id) {
        return Ok(None);
    }
    let now = app.now();
    let is_left = client.client_user_id.is_none();
    client.parent_left_at = is_left.then_some(now);
    db::write_row(tx, link.sitter_id, rev, &Row::Client(client)).await?;
    let to_sitter = PushAudience::Sitter(link.sitter_id);
    let notice = Notice {
        others_stay: !is_left,
        ..about_client(PushKind::ParentLeft, link.sitter_id, link.client_id)
    };
    notify(app, tx, to_sitter, &notice, now).await?;
    Ok(Some(rev))
}
