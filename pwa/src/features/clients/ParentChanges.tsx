/**
 * Owns telling a sitter what a pet parent has set of home and pets, until it was read on this device: to have read it is
 * no change of the business.
 */
import { useState } from "react";
import type { Client } from "../../core";
import { Banner } from "../../ui";
import { When } from "../attention/When";

/** By the client's id, until when all was read. */
const KEY = "walkies-parent-changes";
/** Of more clients nobody remembers what they have read. */
const MOST = 500;

const all = (): Record<string, string> => JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, string>;

function haveRead(id: string, at: string): void {
  const others = Object.entries(all()).filter(([it]) => it !== id);
  localStorage.setItem(KEY, JSON.stringify(Object.fromEntries([...others, [id, at]].slice(-MOST))));
}

const LIST = new Intl.ListFormat("en");

export function ParentChanges({ client: { id, name, parent_changes } }: { client: Client }) {
  const [read, setRead] = useState(() => all()[id] ?? "");
  const news = parent_changes.filter((it) => it.at > read);
  const last = news.at(-1);
  if (!last) return null;
  const close = () => {
    haveRead(id, last.at);
    setRead(last.at);
  };
  return (
    <Banner
      role="status"
      action={
        <button type="button" onClick={close}>
          OK
        </button>
      }
    >
      <bdi>{name}</bdi> changed in the portal, <When at={last.at} inSentence />:{" "}
      <bdi>{LIST.format(news.map((it) => it.what))}</bdi>
    </Banner>
  );
}
