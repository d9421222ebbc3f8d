/** Owns the notices that a page has shown: they go by themselves, and a machine that is busy may look too late. */
import type { Page } from "@playwright/test";

declare global {
  interface Window {
    /** Texts of notices that this page has shown and no test has asked for yet. */
    notices: string[];
    /** From now on notices stay, as under the pointer of someone who reads. */
    keepsNotices: boolean;
  }
}

/** Runs in the page before everything else. */
export function noteNotices(): void {
  window.notices = [];
  window.keepsNotices = false;
  new MutationObserver((changes) => {
    for (const node of changes.flatMap((it) => [...it.addedNodes])) {
      if (!(node instanceof HTMLElement) || !node.matches("[role=log] > *")) continue;
      window.notices.push(node.querySelector("p")?.textContent ?? "");
      if (window.keepsNotices) node.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
    }
  }).observe(document, { childList: true, subtree: true });
}

/** True if a notice had this text since the last call; forgets it and all earlier ones. */
export function hasSaid(page: Page, text: string | RegExp): Promise<boolean> {
  const [source, flags] = typeof text === "string" ? [undefined, ""] : [text.source, text.flags];
  return page.evaluate(
    ({ text, source, flags }) => {
      const is = (said: string) => (source === undefined ? said.includes(text) : new RegExp(source, flags).test(said));
      const at = window.notices.findLastIndex(is);
      if (at >= 0) window.notices.splice(0, at + 1);
      return at >= 0;
    },
    { text: String(text), source, flags },
  );
}

/** Notices stay from now on, for those whose button is to be pressed. */
export const keepNotices = (page: Page): Promise<void> =>
  page.evaluate(() => {
    window.keepsNotices = true;
  });
