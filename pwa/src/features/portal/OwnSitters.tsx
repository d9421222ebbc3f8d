/** Owns the list of a pet parent's sitters in the account, and leaving one of them. */
import { DoorClosed } from "lucide-react";
import type { SitterOfClient } from "../../core";
import { business, useSyncStatus } from "../../data";
import { leaveSitter, usePortal } from "../../data/portal/portal";
import { Section } from "../../parts/account/Section";
import { Button, confirm, toast, useBusy } from "../../ui";
import { shownName } from "./ownClient";

export function OwnSitters() {
  const { sitters } = usePortal();
  const { online, needsAuth } = useSyncStatus();
  const isReachable = online && !needsAuth;
  if (sitters.length === 0) return null;
  return (
    <Section id="profile-own-sitters" title={sitters.length === 1 ? "Your sitter" : "Your sitters"}>
      <ul className="grid grid-cols-1 gap-2">
        {sitters.map((it) => (
          <OwnSitter key={it.client_id} sitter={it} isReachable={isReachable} />
        ))}
      </ul>
      {!isReachable && (
        <p className="text-14 text-ink-2">{needsAuth ? "Sign in again" : "You need a connection"} to leave a sitter.</p>
      )}
    </Section>
  );
}

function OwnSitter({ sitter, isReachable }: { sitter: SitterOfClient; isReachable: boolean }) {
  const { open, standings } = usePortal();
  const { busy, run } = useBusy();
  const name = shownName(sitter);
  const leave = async () => {
    const isShown = sitter.client_id === open?.client_id;
    const waiting = isShown ? business().phone.pendingCount() : (standings[sitter.client_id]?.pending ?? 0);
    if (waiting > 0) {
      const what = waiting === 1 ? "1 change" : `${waiting} changes`;
      toast.info(`${what} for ${name} are still on this device. Leave once they are sent.`);
      return;
    }
    const question = {
      title: `Leave ${name}?`,
      text: `Your visits, messages and invoices with ${name} leave your devices. Visits that are booked stay booked: request to cancel them before you leave. To come back you need a new invitation.`,
      action: "Leave",
      danger: true,
    };
    if (!(await confirm(question))) return;
    const answer = await leaveSitter(sitter);
    if (answer.ok) toast.success(`You have left ${name}`);
    else toast.error(answer.error.text);
  };
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <bdi className="min-w-0 flex-1 basis-40 font-medium wrap-anywhere">{name}</bdi>
      <Button
        kind="quiet"
        busy={busy}
        disabled={!isReachable}
        icon={<DoorClosed aria-hidden className="size-5" />}
        aria-label={`Leave ${name}`}
        onClick={() => void run(leave)}
      >
        Leave
      </Button>
    </li>
  );
}
