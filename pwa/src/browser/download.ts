/** Owns giving a file that was made here to the person: the browser saves it as a download. */

/** Long enough for the slowest browser to begin. */
const REVOKE_AFTER_MS = 60_000;

export function download(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_AFTER_MS);
}

/** Says what is known of a file after `download`: the browser may ask where it goes, and tells nobody whether it is kept. */
export const givenToBrowser = (name: string): string => `Your browser has ${name} now: look in your downloads`;
