/**
 * Owns what an input says of its text while it is typed: how much room is left, and what is wrong with it. Nothing is cut
 * off: what is too long stays, and says so. The rules are the core's, which the app hands over once it is loaded.
 */

export interface TextRules {
  /** The most characters that the text of this field has. */
  bound: (field: string) => number;
  /** Returns the sentence about an error in the text; `undefined` where there is none. */
  error: (field: string, text: string) => string | undefined;
}

let rules: TextRules | undefined;

export function setTextRules(of: TextRules) {
  rules = of;
}

/** Beyond this share of its bound a text is counted. */
const NEAR = 0.9;

/**
 * Returns the error and the room left for the text of the input with this name, as the core's field errors name it:
 * `dogs.0.about`.
 */
export function textState(name: string, text: string): { wrong?: string | undefined; room?: string | undefined } {
  if (!rules || !text) return {};
  // What comes once for each of several has their ids behind it.
  const field = (name.split(".").at(-1) ?? name).replace(/-.*/, "");
  const bound = rules.bound(field);
  const length = NEAR * bound < text.length ? Array.from(text).length : 0;
  return {
    wrong: rules.error(field, text),
    room:
      NEAR * bound < length
        ? `${length.toLocaleString("en-US")} of ${bound.toLocaleString("en-US")} characters`
        : undefined,
  };
}
