//! Owns what `web-push` asks for of the draft before RFC 8291, and refuses it: every browser speaks the RFC.

use crate::{Error, Result};

/// A message in the encoding of the draft. There is none.
#[derive(Clone, Copy, Debug)]
pub enum AesGcmEncryptedBlock {}

impl AesGcmEncryptedBlock {
    /// The headers that it would need.
    pub fn headers(&self, _vapid_public_key: Option<&[u8]>) -> Vec<(&'static str, String)> {
        match *self {}
    }

    /// Returns the encrypted body as base64url; never called, since no value of this type exists.
    pub fn body(&self) -> String {
        match *self {}
    }
}

/// Encrypts nothing.
///
/// # Errors
/// Always.
pub fn encrypt_aesgcm(_: &[u8], _: &[u8], _: &[u8]) -> Result<AesGcmEncryptedBlock> {
    Err(Error::Encoding)
}
