/** Owns the codes of an authenticator app. */
import { createHmac } from "node:crypto";

/**
 * Returns the code that an authenticator app shows `steps` half minutes from now (RFC 6238); the server accepts one
 * step to either side.
 */
export function codeOf(key: string, steps = 0): string {
  const bits = key
    .split("")
    .map((it) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(it).toString(2).padStart(5, "0"))
    .join("");
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((it) => Number.parseInt(it, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const mac = createHmac("sha1", bytes).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, "0");
}
