/** Owns joining class names; knows nothing of what they mean. */
export type ClassName = string | false | null | undefined;

/** The names that are there, with a space between. */
export const cx = (...names: ClassName[]): string => names.filter(Boolean).join(" ");
