/** Owns where scripts come from: Trusted Types let a browser take the address of one from here alone. */

interface Policy {
  createScriptURL: (url: string) => string;
}

let policy: Policy | undefined;

/** The address of a script of this build. A policy gives no string, but what is taken where one is asked for. */
export function trustedScript(url: string): string {
  // What TypeScript's own library does not know yet (Chrome 83, Safari 26).
  const { trustedTypes } = window as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } };
  policy ??= trustedTypes?.createPolicy("walkies", { createScriptURL: (it) => (isOurs(it) ? it : "") });
  return policy?.createScriptURL(url) ?? url;
}

const isOurs = (url: string): boolean => new URL(url, location.href).origin === location.origin;

/** A worker of this build: `url` is what the bundler makes of `import url from "./….ts?worker&url"`. */
export function startWorker(url: string, name: string): Worker {
  return new Worker(trustedScript(url), { type: "module", name });
}
