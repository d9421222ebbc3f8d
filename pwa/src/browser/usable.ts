/** Owns promises that React's `use` need not wait for. */

/** The same promise, of which `use` has the value at once where it has come: as React marks what it has seen come. */
export function usable<T>(asked: Promise<T>): Promise<T> {
  const mark = (value: T) => Object.assign(asked, { status: "fulfilled", value });
  asked.then(mark, () => undefined);
  return asked;
}
