/**
 * Owns how photos lie in the database: as bytes with their type. WebKit keeps no files in private windows, where a write
 * with one in it fails. Earlier versions kept them as files; these are read as they are.
 */

/** Stored on phones in place of a file. */
interface Flat {
  blob_type: string;
  blob_bytes: ArrayBuffer;
}

const isPlain = (it: unknown): it is object =>
  typeof it === "object" && it !== null && !(it instanceof ArrayBuffer) && !ArrayBuffer.isView(it);

const isFlat = (it: object): it is Flat => "blob_bytes" in it && it.blob_bytes instanceof ArrayBuffer;

const hasBlob = (it: unknown): boolean =>
  it instanceof Blob || (isPlain(it) && Object.values(it).some((each) => hasBlob(each)));

/** The same value with every file in it as bytes. */
export async function flat<T>(value: T): Promise<T> {
  return hasBlob(value) ? ((await flattened(value)) as T) : value;
}

async function flattened(it: unknown): Promise<unknown> {
  if (it instanceof Blob) return { blob_type: it.type, blob_bytes: await it.arrayBuffer() } satisfies Flat;
  if (!isPlain(it)) return it;
  if (Array.isArray(it)) return Promise.all(it.map(flattened));
  const entries = Object.entries(it).map(async ([name, each]) => [name, await flattened(each)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/** The same value with the files that it was stored with. */
export function unflat<T>(value: T): T {
  return risen(value) as T;
}

function risen(it: unknown): unknown {
  if (!isPlain(it) || it instanceof Blob) return it;
  if (isFlat(it)) return new Blob([it.blob_bytes], { type: it.blob_type });
  if (Array.isArray(it)) return it.map(risen);
  return Object.fromEntries(Object.entries(it).map(([name, each]) => [name, risen(each)]));
}
