//! Owns the encryption of web push messages for one subscription: aes128gcm of RFC 8188 with the keys of RFC 8291, on ring.
//! `web-push` finds it under the name of a crate that would bring OpenSSL; it has that crate's functions and no more.

pub mod legacy;

use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral};
use ring::hkdf::{HKDF_SHA256, KeyType, Salt};
use ring::rand::{SecureRandom, SystemRandom};
use thiserror::Error;

/// Why nothing was encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Error {
    /// The subscription's keys are none.
    #[error("the keys of the subscription are none")]
    Keys,
    /// One record has no room for it.
    #[error("the message is too long")]
    TooLong,
    /// The encoding is one that no browser needs any more.
    #[error("only aes128gcm is spoken here")]
    Encoding,
}

/// Result of an encryption: the encrypted bytes, or the reason why nothing was encrypted.
pub type Result<T> = std::result::Result<T, Error>;

/// The record's size, and the most that push services have to take (RFC 8030, 7.2).
const RECORD_BYTES: usize = 4_096;
/// Lengths are rounded up to so many bytes, so that who carries a message cannot tell from its length what it says.
const PAD_BYTES: usize = 128;
const SALT_BYTES: usize = 16;
const AUTH_BYTES: usize = 16;
const POINT_BYTES: usize = 65;
const TAG_BYTES: usize = 16;
const HEADER_BYTES: usize = SALT_BYTES + 4 + 1 + POINT_BYTES;
/// Ends the message in the last record; zeros follow (RFC 8188, 2).
const DELIMITER: u8 = 2;

/// Encrypts a message for the subscription with this public key (an uncompressed point of P-256) and this secret of 16
/// bytes.
///
/// # Errors
/// Where the keys are none, or the message is longer than one record of 4096 bytes has room for.
pub fn encrypt(remote_pub: &[u8], remote_auth: &[u8], data: &[u8]) -> Result<Vec<u8>> {
    if remote_auth.len() != AUTH_BYTES || remote_pub.len() != POINT_BYTES {
        return Err(Error::Keys);
    }
    let random = SystemRandom::new();
    let mut salt = [0; SALT_BYTES];
    random.fill(&mut salt).map_err(|_| Error::Keys)?;
    let own = EphemeralPrivateKey::generate(&ECDH_P256, &random).map_err(|_| Error::Keys)?;
    let own_public = own.compute_public_key().map_err(|_| Error::Keys)?;
    let parties = Parties {
        receiver: remote_pub,
        sender: own_public.as_ref(),
        auth: remote_auth,
    };
    let padded = (data.len() + 1).next_multiple_of(PAD_BYTES);
    let remote = UnparsedPublicKey::new(&ECDH_P256, remote_pub);
    let sealed = agree_ephemeral(own, &remote, |agreed| {
        parties.seal(agreed, salt, data, padded)
    });
    sealed.map_err(|_| Error::Keys)?
}

/// Who a message is between: public keys, and the receiver's secret.
struct Parties<'a> {
    receiver: &'a [u8],
    sender: &'a [u8],
    auth: &'a [u8],
}

impl Parties<'_> {
    /// The whole body: header and one record, whose plain text is filled up to `padded` bytes with its delimiter.
    fn seal(
        &self,
        agreed: &[u8],
        salt: [u8; SALT_BYTES],
        data: &[u8],
        padded: usize,
    ) -> Result<Vec<u8>> {
        if RECORD_BYTES < HEADER_BYTES + padded + TAG_BYTES {
            return Err(Error::TooLong);
        }
        let info = [&b"WebPush: info\0"[..], self.receiver, self.sender];
        let secret: [u8; 32] = expand(self.auth, agreed, &info)?;
        let key: [u8; 16] = expand(&salt, &secret, &[b"Content-Encoding: aes128gcm\0"])?;
        let nonce: [u8; 12] = expand(&salt, &secret, &[b"Content-Encoding: nonce\0"])?;
        let key = UnboundKey::new(&AES_128_GCM, &key).map_err(|_| Error::Keys)?;

        let mut record = data.to_vec();
        record.push(DELIMITER);
        record.resize(padded, 0);
        // The key is of this message alone, so that its nonce is used once.
        LessSafeKey::new(key)
            .seal_in_place_append_tag(
                Nonce::assume_unique_for_key(nonce),
                Aad::empty(),
                &mut record,
            )
            .map_err(|_| Error::TooLong)?;

        let size = u32::try_from(RECORD_BYTES).map_err(|_| Error::TooLong)?;
        let key_length = u8::try_from(self.sender.len()).map_err(|_| Error::Keys)?;
        let mut body = Vec::with_capacity(HEADER_BYTES + record.len());
        body.extend(salt);
        body.extend(size.to_be_bytes());
        body.push(key_length);
        body.extend(self.sender);
        body.extend(record);
        Ok(body)
    }
}

/// So many bytes.
struct Length(usize);

impl KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}

/// HKDF with SHA-256 (RFC 5869): both of its steps.
fn expand<const N: usize>(salt: &[u8], secret: &[u8], info: &[&[u8]]) -> Result<[u8; N]> {
    let extracted = Salt::new(HKDF_SHA256, salt).extract(secret);
    let mut bytes = [0; N];
    let expanded = extracted.expand(info, Length(N));
    let filled = expanded.and_then(|it| it.fill(&mut bytes));
    filled.map(|()| bytes).map_err(|_| Error::Keys)
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine as _;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;

    fn bytes(text: &str) -> Vec<u8> {
        URL_SAFE_NO_PAD.decode(text).expect("base64url")
    }

    const RECEIVER: &str =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";

    #[test]
    fn the_example_of_rfc_8291_comes_out_to_the_byte() {
        let (receiver, auth) = (bytes(RECEIVER), bytes("BTBZMqHH6r4Tts7J_aSIgg"));
        let sender = bytes(
            "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8",
        );
        let parties = Parties {
            receiver: &receiver,
            sender: &sender,
            auth: &auth,
        };
        let agreed = bytes("kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs");
        let salt = bytes("DGv6ra1nlYgDCS1FRnbzlw").try_into().expect("a salt");
        let text = b"When I grow up, I want to be a watermelon";
        let sealed = parties.seal(&agreed, salt, text, text.len() + 1);
        let expected = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml\
            mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT\
            pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";
        assert_eq!(sealed, Ok(bytes(expected)));
    }

    #[test]
    fn lengths_tell_little_and_what_is_too_long_is_refused() {
        let (receiver, auth) = (bytes(RECEIVER), [7; 16]);
        let length = |n: usize| encrypt(&receiver, &auth, &vec![b'a'; n]).map(|it| it.len());
        assert_eq!(length(0), length(127));
        assert_ne!(length(127), length(128));
        assert!(length(3_800).is_ok_and(|it| it <= RECORD_BYTES));
        assert_eq!(length(4_000), Err(Error::TooLong));
    }

    #[test]
    fn what_is_no_key_is_refused() {
        let (receiver, auth) = (bytes(RECEIVER), [7; 16]);
        let mut off_the_curve = receiver.clone();
        off_the_curve[40] ^= 1;
        for (key, secret) in [
            (&receiver[..64], &auth[..]),
            (&receiver[..], &auth[..15]),
            (&off_the_curve[..], &auth[..]),
            (&[4; 65][..], &auth[..]),
            (&[][..], &[][..]),
        ] {
            assert_eq!(encrypt(key, secret, b"hello"), Err(Error::Keys));
        }
    }
}
