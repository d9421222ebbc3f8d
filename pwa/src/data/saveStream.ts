/** Owns how a file that is long comes onto the disk while it is made: nothing holds all of it. */

/** So much of a file that is being saved is in this tab's own memory; the browser keeps the rest where it likes. */
const FOLD_BYTES = 4 * 1024 * 1024;

/** Destination of a file while it is downloaded; without one, the browser keeps it. */
export type Sink = Pick<FileSystemWritableFileStream, "write" | "close" | "abort">;

/** Takes in all of `body` and tells how many bytes there are by then; the file, where it goes nowhere else. */
export async function saveStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  to: Sink | undefined,
  onBytes: (bytes: number) => void,
): Promise<BlobPart[]> {
  const folded: BlobPart[] = [];
  let open: Uint8Array<ArrayBuffer>[] = [];
  let [bytes, openBytes] = [0, 0];
  const reader = body.getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    bytes += piece.value.length;
    if (to) await to.write(piece.value);
    else {
      open.push(piece.value);
      openBytes += piece.value.length;
      if (openBytes >= FOLD_BYTES) {
        folded.push(new Blob(open));
        [open, openBytes] = [[], 0];
      }
    }
    onBytes(bytes);
  }
  await to?.close();
  return [...folded, ...open];
}
