/** Owns the switch of a person with both roles: its words, what is said of changes that wait, and the way to the other side. */
import { ArrowLeftRight } from "lucide-react";
import { useLocation } from "wouter";
import { deviceText } from "../../browser/device";
import { type Role, storageTrouble } from "../../data";
import { mayShow, type RoleStanding, useOtherRole, useOtherStanding } from "../../data/account/roles";
import { Badge, cx, toast, useBusy } from "../../ui";
import { counted } from "./counted";

/** Path of the first screen of each role; the address decides which role a tab shows. */
export const ROLE_HOME: Record<Role, string> = { sitter: "/scheduling", client: "/client" };

const SWITCH: Record<Role, string> = { sitter: "Switch to your business", client: "Switch to Pet parent" };
const SIDE: Record<Role, string> = { sitter: "your business", client: "your pets' side" };

/** Says what is left behind in a role; empty for nothing. */
export function leftBehind(role: Role, { pending, attention }: RoleStanding): string {
  const parts = [
    pending > 0 && `${counted(pending, "change")} of ${SIDE[role]} ${pending === 1 ? "is" : "are"} not sent yet. `,
    attention > 0 &&
      `${counted(attention, "change")} of ${SIDE[role]} ${attention === 1 ? "needs" : "need"} attention. `,
  ].filter(Boolean);
  if (parts.length === 0) return "";
  const stays = pending + attention === 1 ? "It stays" : "They stay";
  return deviceText(`${parts.join("")}${stays} on this phone until you switch back.`);
}

interface Switch {
  label: string;
  /** Number of changes that wait on the other side, with its noun. */
  waits: number;
  counted: string;
  go: () => Promise<void>;
}

/** Takes away what was said of changes that wait: after the next switch it is not true any more. */
let dismissLeft: (() => void) | undefined;

/** The switch; nothing for a person who has one role. */
export function useSwitch(): Switch | undefined {
  const to = useOtherRole();
  const standing = useOtherStanding();
  const [, navigate] = useLocation();
  const { run } = useBusy();
  if (!to) return undefined;
  const change = async () => {
    const may = await mayShow(to);
    if (!may.ok) {
      toast.info(may.error.text);
      return;
    }
    dismissLeft?.();
    navigate(ROLE_HOME[to]);
    const left = may.left && leftBehind(to === "sitter" ? "client" : "sitter", may.left);
    dismissLeft = left ? toast.info(left) : undefined;
  };
  const go = () => run(() => change().catch((error: unknown) => void toast.error(storageTrouble(error))));
  const waits = standing ? standing.pending + standing.attention : 0;
  return { label: SWITCH[to], waits, counted: waits === 1 ? "change waits there" : "changes wait there", go };
}

/** A line of a menu that switches; nothing for a person who has one role. */
export function SwitchItem({ onGo, className }: { onGo?: () => void; className?: string }) {
  const it = useSwitch();
  if (!it) return null;
  const go = () => {
    onGo?.();
    void it.go();
  };
  return (
    <button
      type="button"
      onClick={go}
      className={cx(
        "flex min-h-12 w-full items-center gap-3 rounded-large px-3 text-left font-medium text-ink-2 hover:bg-sunken",
        className,
      )}
    >
      <ArrowLeftRight aria-hidden className="size-[22px] shrink-0" />
      <span className="flex-1">{it.label}</span>
      <Badge count={it.waits} label={it.counted} />
    </button>
  );
}
