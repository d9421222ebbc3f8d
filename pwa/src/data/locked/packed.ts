/** Owns writing what IndexedDB holds as bytes and reading it back: plain values, with bytes and photos anywhere in them. */

import { concat } from "../store/bytes";

/** Position and kind of bytes that were taken out of the value. */
interface Binary {
  path: (string | number)[];
  kind: "bytes" | "buffer" | "blob";
  type?: string;
  length: number;
}

interface Head {
  value: unknown;
  binaries: Binary[];
}

/** Bytes of the number that says how long the head is. */
const LENGTH_BYTES = Uint32Array.BYTES_PER_ELEMENT;

/** A value as bytes: the length of the head, the head as JSON, and the bytes that stood in the value. */
export async function pack(value: unknown): Promise<Uint8Array<ArrayBuffer>> {
  const binaries: Binary[] = [];
  const bytes: Uint8Array[] = [];
  const strip = async (it: unknown, path: (string | number)[]): Promise<unknown> => {
    if (typeof it !== "object" || it === null) return it;
    const found = await binary(it);
    if (found) {
      binaries.push({ path, ...found.as, length: found.bytes.length });
      bytes.push(found.bytes);
      return null;
    }
    if (Array.isArray(it)) return Promise.all(it.map((each, n) => strip(each, [...path, n])));
    const names = Object.entries(it).map(async ([name, each]) => [name, await strip(each, [...path, name])] as const);
    return Object.fromEntries(await Promise.all(names));
  };
  const plain = await strip(value, []);
  const head = new TextEncoder().encode(JSON.stringify({ value: plain, binaries } satisfies Head));
  const length = new Uint8Array(new Uint32Array([head.length]).buffer);
  return concat([length, head, ...bytes]);
}

/** The value that was packed. Photos come back as the bytes that they are. */
export function unpack(packed: Uint8Array<ArrayBuffer>): unknown {
  const [length = 0] = new Uint32Array(packed.slice(0, LENGTH_BYTES).buffer);
  let at = LENGTH_BYTES + length;
  const head = JSON.parse(new TextDecoder().decode(packed.subarray(LENGTH_BYTES, at))) as Head;
  const root = { value: head.value };
  for (const { path, kind, type, length } of head.binaries) {
    const bytes = packed.slice(at, at + length);
    at += length;
    let into: Record<string | number, unknown> = root;
    const way = ["value", ...path];
    for (const name of way.slice(0, -1)) into = into[name] as Record<string | number, unknown>;
    into[way.at(-1) ?? "value"] = restored(kind, bytes, type);
  }
  return root.value;
}

function restored(kind: Binary["kind"], bytes: Uint8Array<ArrayBuffer>, type = ""): unknown {
  if (kind === "blob") return new Blob([bytes], { type });
  return kind === "buffer" ? bytes.buffer : bytes;
}

async function binary(it: object): Promise<{ as: Pick<Binary, "kind" | "type">; bytes: Uint8Array } | undefined> {
  if (it instanceof Uint8Array) return { as: { kind: "bytes" }, bytes: it };
  if (it instanceof ArrayBuffer) return { as: { kind: "buffer" }, bytes: new Uint8Array(it) };
  if (!(it instanceof Blob)) return undefined;
  return { as: { kind: "blob", type: it.type }, bytes: new Uint8Array(await it.arrayBuffer()) };
}
