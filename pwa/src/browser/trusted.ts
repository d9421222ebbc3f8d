/** Owns Trusted Types, and with them where scripts come from: a browser takes the address of one from here alone. */

interface Rules {
  createScriptURL?: (url: string) => string;
  createHTML?: (html: string) => string | null;
}

/** The part of the API that TypeScript's own library does not know yet (Chrome 83, Safari 26). */
interface TrustedTypes {
  defaultPolicy: unknown;
  createPolicy<R extends Rules>(name: string, rules: R): R;
}

export const trustedTypes = (): TrustedTypes | undefined => (window as { trustedTypes?: TrustedTypes }).trustedTypes;

let policy: { createScriptURL: (url: string) => string } | undefined;

/** The address of a script of this build. A policy gives no string, but what is taken where one is asked for. */
export function trustedScript(url: string): string {
  policy ??= trustedTypes()?.createPolicy("walkies", { createScriptURL: (it: string) => (isOurs(it) ? it : "") });
  return policy?.createScriptURL(url) ?? url;
}

const isOurs = (url: string): boolean => new URL(url, location.href).origin === location.origin;

/** A worker of this build: `url` is what the bundler makes of `import url from "./….ts?worker&url"`. */
export function startWorker(url: string, name: string): Worker {
  return new Worker(trustedScript(url), { type: "module", name });
}
