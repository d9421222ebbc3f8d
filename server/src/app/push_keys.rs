//! Owns the server's keys for web push (VAPID, RFC 8292): made when they are first wanted, and replaced by the operator.

use anyhow::Context as _;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use web_push::VapidSignatureBuilder;

use crate::app::state::App;
use crate::base::error::AppError;
use crate::db::{self, PushKeyPair, Tx};

/// The most random numbers of 256 bits that are tried as a key. Hardly one is no key: it would have to be 0, or above
/// 2^256 - 2^224.
const TRIES: usize = 16;

/// The keys that phones subscribe with now; made by the first who asks.
pub async fn current(app: &App) -> Result<PushKeyPair, AppError> {
    let known = db::current_push_key(&mut app.db.read_autocommit().await?).await?;
    if let Some(key) = known {
        return Ok(key);
    }
    let mut tx = app.db.write().await?;
    // Another process may have been faster.
    let key = match db::current_push_key(&mut tx).await? {
        Some(key) => key,
        None => replace(app, &mut tx).await?,
    };
    tx.commit().await?;
    Ok(key)
}

/// Makes new keys, which phones subscribe with from now on.
pub async fn replace(app: &App, tx: &mut Tx) -> Result<PushKeyPair, AppError> {
    let key = make(app).map_err(AppError::Internal)?;
    db::insert_push_key(tx, &key, app.now()).await?;
    Ok(key)
}

fn make(app: &App) -> anyhow::Result<PushKeyPair> {
    for _ in 0..TRIES {
        let mut random = [0; 32];
        app.env.entropy.fill(&mut random);
        let private_key = URL_SAFE_NO_PAD.encode(random);
        if let Ok(key) = VapidSignatureBuilder::from_base64_no_sub(&private_key) {
            return Ok(PushKeyPair {
                public_key: URL_SAFE_NO_PAD.encode(key.get_public_key()),
                private_key,
            });
        }
    }
    None.context("no random number is a key for web push")
}
