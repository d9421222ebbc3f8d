/**
 * Owns how photos lie in the database: as bytes with their type. WebKit keeps no files in private windows, where a write
 * with one in it fails. Earlier versions kept them as files; these are read as they are.
 */

/** Stored on phones in place of a file. */
interface EncodedBlob {
  blob_type: string;
  blob_bytes: ArrayBuffer;
}

const isPlain = (it: unknown): it is object =>
  typeof it === "object" && it !== null && !(it instanceof ArrayBuffer) && !ArrayBuffer.isView(it);

const isEncodedBlob = (it: object): it is EncodedBlob => "blob_bytes" in it && it.blob_bytes instanceof ArrayBuffer;

const hasBlob = (it: unknown): boolean =>
  it instanceof Blob || (isPlain(it) && Object.values(it).some((each) => hasBlob(each)));

/** A value as it is stored: with every file in it as bytes. */
export async function encodeBlobs<T>(value: T): Promise<T> {
  return hasBlob(value) ? ((await encoded(value)) as T) : value;
}

async function encoded(it: unknown): Promise<unknown> {
  if (it instanceof Blob) return { blob_type: it.type, blob_bytes: await it.arrayBuffer() } satisfies EncodedBlob;
  if (!isPlain(it)) return it;
  if (Array.isArray(it)) return Promise.all(it.map(encoded));
  const entries = Object.entries(it).map(async ([name, each]) => [name, await encoded(each)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/** A stored value with its files. */
export function decodeBlobs<T>(value: T): T {
  return decoded(value) as T;
}

function decoded(it: unknown): unknown {
  if (!isPlain(it) || it instanceof Blob) return it;
  if (isEncodedBlob(it)) return new Blob([it.blob_bytes], { type: it.blob_type });
  if (Array.isArray(it)) return it.map(decoded);
  return Object.fromEntries(Object.entries(it).map(([name, each]) => [name, decoded(each)]));
}
