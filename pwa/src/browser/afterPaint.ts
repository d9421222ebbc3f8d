/** Owns waiting for the screen: what a person looks at goes before what nobody sees. */

/** Resolves when what was changed so far has been painted; at once while nobody can see it. */
export async function afterPaint(): Promise<void> {
  if (document.visibilityState === "hidden") return;
  const done = new AbortController();
  await new Promise<void>((resolve) => {
    // A page that is put away has no more frames.
    document.addEventListener("visibilitychange", () => resolve(), { signal: done.signal });
    // The next frame shows it; when the one after that begins it has been shown.
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
  });
  done.abort();
}
