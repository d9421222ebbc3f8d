/** Owns what is remembered of an edited message, so that a change of the times in its usual text is pointed out. */

export interface EditedText {
  /** The usual text that the edited one replaced; absent where a draft of an older version has none. */
  usual?: string | undefined;
  text: string;
}

/** Returns a hint where the usual text has become another one since the person wrote `edited`. */
export function timesHint(edited: EditedText | undefined, usual: string): string | undefined {
  if (edited?.usual === undefined || edited.usual === usual) return undefined;
  // An emptied message names no time, and the usual text is right.
  if (["", usual.trim()].includes(edited.text.trim())) return undefined;
  return "Check the times: they have changed since you wrote this.";
}
