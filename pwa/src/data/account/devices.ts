/**
 * Owns what makes this phone known to the server as one that has signed in to an account before: a secret for each
 * e-mail, sent with a sign-in of that e-mail and where its password is forgotten, so that strangers who guess lock nobody
 * out here. It opens nothing and stays when somebody signs out. The e-mail itself is not written down, only its hash.
 */

const KEY = "walkies-devices";
/** A phone is passed on sometimes, and not more often than this. */
const MOST = 8;

/** Newest first. Stored on phones. Only add optional fields; never rename. */
type Known = { email: string; device: string }[];

function read(): Known {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]") as Known;
  } catch {
    return []; // without storage every sign-in is that of a new phone
  }
}

/** Returns the secret that an earlier sign-in of this e-mail was given on this device. */
export async function knownDevice(email: string): Promise<string | undefined> {
  const hash = await hashOf(email);
  return read().find((it) => it.email === hash)?.device;
}

/** Keeps what a sign-in was given. */
export async function keepDevice(email: string, device: string): Promise<void> {
  const hash = await hashOf(email);
  if (!hash) return;
  const others = read().filter((it) => it.email !== hash);
  try {
    localStorage.setItem(KEY, JSON.stringify([{ email: hash, device }, ...others].slice(0, MOST)));
  } catch {
    // As above.
  }
}

/** Forgets what sign-ins of this e-mail were given: its account is no more. */
export async function forgetDevice(email: string): Promise<void> {
  const hash = await hashOf(email);
  localStorage.setItem(KEY, JSON.stringify(read().filter((it) => it.email !== hash)));
}

/** Nothing where the page is not a secure one, which has no hashes. */
async function hashOf(email: string): Promise<string | undefined> {
  const bytes = new TextEncoder().encode(email.trim().toLowerCase());
  const hash = await crypto.subtle?.digest("SHA-256", bytes);
  return hash && Array.from(new Uint8Array(hash), (it) => it.toString(16).padStart(2, "0")).join("");
}
