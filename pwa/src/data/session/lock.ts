/**
 * Owns the lock of what stays on a phone after its person has signed out. Only what WebCrypto has.
 *
 * A lock is a pair of keys (ECDH, P-256). Locking needs the public one alone, so a phone can lock at any time: when the
 * server ends the session, when the app was killed in the middle, when nobody has typed a password for weeks. Opening
 * needs the private one, which lies on the phone encrypted (AES-256-GCM) with a key made of the password (PBKDF2,
 * HMAC-SHA-256, 600,000 rounds, a salt per lock). It never leaves WebCrypto in the open and lives for one opening.
 */

/** Stored on phones. Only add optional fields; never rename. */
export interface Lock {
  salt: Uint8Array<ArrayBuffer>;
  iterations: number;
  public_key: Uint8Array<ArrayBuffer>;
  /** PKCS #8, encrypted with the password's key. */
  private_key: Uint8Array<ArrayBuffer>;
  iv: Uint8Array<ArrayBuffer>;
}

/** Iterations that OWASP recommends for PBKDF2 with SHA-256; half a second on a phone, once per sign-in. */
const ITERATIONS = 600_000;
const SALT_BYTES = 16;
/** Length of an initialization vector that AES-GCM takes without hashing it (NIST SP 800-38D, 5.2.1.1). */
export const IV_BYTES = 12;

export const CURVE = { name: "ECDH", namedCurve: "P-256" };
export const AES = { name: "AES-GCM", length: 256 };

/** False where the browser has no cryptography: on pages without TLS that are not this machine's own. */
export const canLock = (): boolean => globalThis.crypto.subtle !== undefined;

export const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));

/** The key of the password. The same letters make the same key, however a keyboard composes them. */
async function passwordKey(password: string, salt: BufferSource, iterations: number): Promise<CryptoKey> {
  const typed = new TextEncoder().encode(password.normalize("NFC"));
  const base = await crypto.subtle.importKey("raw", typed, "PBKDF2", false, ["deriveKey"]);
  const how = { name: "PBKDF2", hash: "SHA-256", salt, iterations };
  return crypto.subtle.deriveKey(how, base, AES, false, ["wrapKey", "unwrapKey"]);
}

/** A new lock that this password opens. */
export async function makeLock(password: string): Promise<Lock> {
  const salt = random(SALT_BYTES);
  const iv = random(IV_BYTES);
  const [key, pair] = await Promise.all([
    passwordKey(password, salt, ITERATIONS),
    crypto.subtle.generateKey(CURVE, true, ["deriveBits"]),
  ]);
  const [public_key, private_key] = await Promise.all([
    crypto.subtle.exportKey("raw", pair.publicKey),
    crypto.subtle.wrapKey("pkcs8", pair.privateKey, key, { name: AES.name, iv }),
  ]);
  return {
    salt,
    iterations: ITERATIONS,
    public_key: new Uint8Array(public_key),
    private_key: new Uint8Array(private_key),
    iv,
  };
}

/** The private key, or nothing where the lock was made with another password. */
export async function unlock(lock: Lock, password: string): Promise<CryptoKey | undefined> {
  const key = await passwordKey(password, lock.salt, lock.iterations);
  const how = { name: AES.name, iv: lock.iv };
  return crypto.subtle
    .unwrapKey("pkcs8", lock.private_key, key, how, CURVE, false, ["deriveBits"])
    .catch(() => undefined);
}
