/** Owns what is said where the plan has no room for what somebody adds: what was typed stays, and the way leads to the plans. */
import type { Limited } from "../../core";
import { business } from "../../data";
import { confirm } from "../../ui";

interface Refused {
  /** In which words; without them nothing was tried yet. */
  text?: string | undefined;
  /** True if a form is open that keeps its fields. */
  hasForm?: boolean;
}

/** Tells of a limit that is reached, in the words of what was refused where something was, and offers the plans. */
export async function explainLimit(
  what: Limited,
  navigate: (path: string) => void,
  { text: refused, hasForm = false }: Refused = {},
): Promise<void> {
  const phone = await business().wholePhone();
  const usage = phone.billing(Date.now()).usage.find((it) => it.what === what);
  if (!usage) return;
  const showPlans = await confirm({
    title: usage.title,
    // The title says what is reached.
    text: `${refused?.replace(`${usage.title}. `, "") ?? usage.room} Nothing that is there goes away${hasForm ? ", and what you have typed is kept" : ""}.`,
    action: "See plans",
    cancel: "Not now",
  });
  if (showPlans) navigate("/billing");
}
