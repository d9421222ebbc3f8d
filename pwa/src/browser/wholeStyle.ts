/** Owns the style of what is no first screen: the page loads the first screens' alone (`pwa/firstStyle.ts`). */
let loading: Promise<unknown> | undefined;

/** All of the style, which any other screen waits for. What fails is tried again with the next call. */
export function wholeStyle(): Promise<unknown> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<void> {
  // Where the page names none, as while it is written, it has all of it.
  const href = document.querySelector<HTMLMetaElement>("meta[name=whole-style]")?.content;
  const first = document.querySelector("link[rel=stylesheet]");
  if (!href || !first) return;
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  await new Promise((resolve, reject) => {
    link.addEventListener("load", resolve);
    link.addEventListener("error", () => {
      link.remove();
      reject(new TypeError("The style cannot be loaded."));
    });
    // Before what screens have of their own, which is to come after it.
    first.after(link);
  });
}
