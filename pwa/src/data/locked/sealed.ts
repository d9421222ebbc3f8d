/**
 * Owns encrypting for a lock and decrypting with its private key: an agreement of that lock's key with one that is made
 * for the occasion (ECDH, HKDF with SHA-256), and AES-256-GCM.
 */
import { AES, CURVE, IV_BYTES, type Lock, random } from "../session/lock";

/** One encrypted piece. Stored on phones, as `Lock`. */
export interface Sealed {
  iv: Uint8Array<ArrayBuffer>;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Bits that an agreement on P-256 gives: one coordinate of a point. */
const SHARED_BITS = 256;

const INFO = new TextEncoder().encode("walkies kept work 1");

/** Encrypts pieces for a lock; `ephemeral` belongs to what it has encrypted. */
export interface Sealer {
  ephemeral: Uint8Array<ArrayBuffer>;
  /** `name` says which piece of what it is: at another place it does not open. */
  seal: (name: string, bytes: BufferSource) => Promise<Sealed>;
}

/** Begins to encrypt for `lock`. */
export async function sealerFor(lock: Lock): Promise<Sealer> {
  const [pair, to] = await Promise.all([
    crypto.subtle.generateKey(CURVE, false, ["deriveBits"]),
    crypto.subtle.importKey("raw", lock.public_key, CURVE, false, []),
  ]);
  const ephemeral = new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey));
  const key = await sharedKey(pair.privateKey, to, ephemeral);
  return {
    ephemeral,
    async seal(name, bytes) {
      const iv = random(IV_BYTES);
      const sealed = await crypto.subtle.encrypt({ ...gcm(name), iv }, key, bytes);
      return { iv, bytes: new Uint8Array(sealed) };
    },
  };
}

/** Opens the pieces of one sealer with the lock's private key; fails on what was changed or moved. */
export async function openerOf(
  privateKey: CryptoKey,
  ephemeral: Uint8Array<ArrayBuffer>,
): Promise<(name: string, sealed: Sealed) => Promise<Uint8Array<ArrayBuffer>>> {
  const from = await crypto.subtle.importKey("raw", ephemeral, CURVE, false, []);
  const key = await sharedKey(privateKey, from, ephemeral);
  return async (name, { iv, bytes }) => new Uint8Array(await crypto.subtle.decrypt({ ...gcm(name), iv }, key, bytes));
}

const gcm = (name: string) => ({ name: AES.name, additionalData: new TextEncoder().encode(name) });

async function sharedKey(own: CryptoKey, other: CryptoKey, salt: BufferSource): Promise<CryptoKey> {
  const bits = await crypto.subtle.deriveBits({ name: CURVE.name, public: other }, own, SHARED_BITS);
  const base = await crypto.subtle.importKey("raw", bits, "HKDF", false, ["deriveKey"]);
  const how = { name: "HKDF", hash: "SHA-256", salt, info: INFO };
  return crypto.subtle.deriveKey(how, base, AES, false, ["encrypt", "decrypt"]);
}
