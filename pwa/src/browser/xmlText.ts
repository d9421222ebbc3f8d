/** Owns the text of an XML file: by its byte order mark, else by the encoding that it declares. */

const UTF_8 = "utf-8";
/** The encoding of programs that declare none and do not write UTF-8. */
const WINDOWS_1252 = "windows-1252";
const MARKS: readonly [string, readonly number[]][] = [
  [UTF_8, [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];
/** A declaration stands at the very beginning. */
const DECLARATION_BYTES = 200;

/** The text of a file; every file has one. */
export function xmlText(bytes: Uint8Array): string {
  const mark = MARKS.find(([, them]) => them.every((it, at) => bytes[at] === it));
  if (mark) return new TextDecoder(mark[0]).decode(bytes);
  const head = new TextDecoder(WINDOWS_1252).decode(bytes.subarray(0, DECLARATION_BYTES));
  const declared = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(head)?.[1];
  // A declaration that can be read byte by byte is none of UTF-16, whatever it says.
  const honored = declared && !/^utf-?16/i.test(declared) ? [declared] : [];
  for (const encoding of [...honored, UTF_8]) {
    try {
      // A wrong declaration is an error here, and so is one that no browser knows; a character that was cut off is none.
      return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
    } catch {
      // The next one may fit.
    }
  }
  return new TextDecoder(WINDOWS_1252).decode(bytes);
}
