/** Owns how words that a person typed find a label. */

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[\s(),/]+/)
    .filter(Boolean);

/** True if each word of the text begins a word of the label. */
export function matches(label: string, text: string): boolean {
  const words = wordsOf(label);
  return wordsOf(text).every((it) => words.some((word) => word.startsWith(it)));
}
