/**
 * Owns what the texts call the thing that Walkies runs on: a phone where the screen is a phone's (SPEC 9), as CSS has it
 * by `max-md`, and a device elsewhere.
 */
let query: MediaQueryList | undefined;

const isPhone = () => (query ??= matchMedia("(width < 48rem), (height < 30rem)")).matches;

/** The text as it is on a phone; elsewhere with `this device` in place of `this phone`. */
export const here = (text: string): string => (isPhone() ? text : text.replaceAll(/\b([Tt]his) phone\b/g, "$1 device"));
