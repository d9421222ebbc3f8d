/** Owns opening a page of Stripe's beside the app, and asking where the browser does not let it. */
import type { BillingPage } from "../../core";
import type { Answer } from "../../data/server/api";
import { confirm } from "../../ui";

/**
 * Place where the page was opened: in a tab of its own, in this one in place of the app, or nowhere, as the person
 * wants it.
 */
export type Opened = "beside" | "here" | "not";

/**
 * Opens the page that is asked for in a tab of its own. The tab opens with the press, since a browser takes a later one
 * for an advertisement; where it is blocked all the same, the person is asked.
 *
 * @returns where it is; what the server said, where there is no page
 */
export async function openStripePage(ask: () => Promise<Answer<BillingPage>>): Promise<Answer<Opened>> {
  const tab = window.open("about:blank", "_blank");
  if (tab) tab.document.body.textContent = "The page of Stripe is on its way…";
  let answer: Answer<BillingPage> | undefined;
  try {
    answer = await ask();
  } finally {
    if (!answer?.ok) tab?.close();
  }
  if (!answer.ok) return answer;
  const { url } = answer.value;
  if (tab && !tab.closed) {
    tab.opener = null;
    tab.location.replace(url);
    return { ok: true, value: "beside" };
  }
  const question = {
    title: "Open the payment page here?",
    text: "Your browser has blocked the new tab. The page can open in this one; it leads back here.",
    action: "Open here",
  };
  if (!(await confirm(question))) return { ok: true, value: "not" };
  location.assign(url);
  return { ok: true, value: "here" };
}
