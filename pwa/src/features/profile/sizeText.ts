/** Owns how many bytes are said: with a digit behind the point as far as it says something. */
const GIGABYTE = 1e9;
const MEGABYTE = 1e6;
const KILOBYTE = 1e3;

/** `1.2 GB`, `12 MB`, `2.0 MB`, `3 kB`. */
export function sizeText(bytes: number): string {
  if (bytes >= GIGABYTE) return `${(bytes / GIGABYTE).toFixed(1)} GB`;
  if (bytes < MEGABYTE) return `${Math.ceil(bytes / KILOBYTE)} kB`;
  return `${(bytes / MEGABYTE).toFixed(bytes < 10 * MEGABYTE ? 1 : 0)} MB`;
}
