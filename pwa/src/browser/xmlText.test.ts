/** Tests that the text of an XML file is read in its own encoding. */
import { expect, test } from "vitest";
import { xmlText } from "./xmlText";

const latin1 = (text: string) => Uint8Array.from(text, (it) => it.charCodeAt(0));
const utf8 = (text: string) => new TextEncoder().encode(text);
const name = "<name>Gröna Café runda</name>";

test("the declared encoding is honored", () => {
  for (const encoding of ["ISO-8859-1", "iso-8859-1", "windows-1252"]) {
    const text = `<?xml version="1.0" encoding="${encoding}"?>${name}`;
    expect(xmlText(latin1(text))).toBe(text);
  }
  const cyrillic = `<?xml version='1.0' encoding='windows-1251'?><name>\xcf\xe0\xf0\xea</name>`;
  expect(xmlText(latin1(cyrillic))).toContain("Парк");
  const plain = `<?xml version="1.0" encoding="UTF-8"?>${name}`;
  expect(xmlText(utf8(plain))).toBe(plain);
});

test("a byte order mark counts for more than a declaration", () => {
  const text = `<?xml version="1.0" encoding="UTF-16"?>${name}`;
  const units = Uint16Array.from(`\ufeff${text}`, (it) => it.charCodeAt(0));
  expect(xmlText(new Uint8Array(units.buffer))).toBe(text);
  expect(xmlText(utf8(`\ufeff<?xml version="1.0" encoding="ISO-8859-1"?>${name}`))).toContain("Gröna");
});

test("a missing or wrong declaration leaves UTF-8 or Windows-1252", () => {
  expect(xmlText(utf8(name))).toBe(name);
  expect(xmlText(latin1(name))).toBe(name);
  expect(xmlText(utf8(`<?xml version="1.0" encoding="nonsense"?>${name}`))).toContain("Gröna");
  expect(xmlText(latin1(`<?xml version="1.0" encoding="UTF-8"?>${name}`))).toContain("Gröna");
  expect(xmlText(utf8(`<?xml version="1.0" encoding="utf-16"?>${name}`))).toContain("Gröna");
  expect(xmlText(utf8("<name>Grö").subarray(0, -1))).toBe("<name>Gr");
  expect(xmlText(new Uint8Array())).toBe("");
});
