/** Owns the screens of a pet parent without a sitter: connecting, the account, and unsent work for a former sitter. */
import { ArrowLeft, PawPrint } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { useLocation } from "wouter";
import { formatDate } from "../../core";
import { signOut, useReplica, useSession } from "../../data";
import { type FormerSitter, haveReadLeft, refreshSitters, usePortal } from "../../data/portal/portal";
import { AuthFrame, AuthLink } from "../../parts/account/AuthFrame";
import { CodeForm } from "../../parts/account/CodeForm";
import type { PendingInvite } from "../../parts/account/pendingInvite";
import { SignOutDialog } from "../../parts/account/SignOut";
import { useSwitch } from "../../parts/account/SwitchRole";
import { Banner, Button, ButtonLink, EmptyState, useBusy } from "../../ui";
import { shownName } from "./ownClient";
import { AccountWithoutSitter } from "./PortalAccount";

const ACCOUNT = "/client/account";

export function NoSitter({ onInvite }: { onInvite: (invite: PendingInvite) => void }) {
  const [path] = useLocation();
  if (path !== ACCOUNT) return <Begin onInvite={onInvite} />;
  return (
    <main className="pt-safe pb-safe mx-auto max-w-300">
      <AccountWithoutSitter
        actions={
          <ButtonLink kind="quiet" icon={<ArrowLeft aria-hidden className="size-5" />} to="/client">
            Back
          </ButtonLink>
        }
      />
      <SignOutDialog />
    </main>
  );
}

function Begin({ onInvite }: { onInvite: (invite: PendingInvite) => void }) {
  const { user } = useSession();
  const { trouble } = usePortal();
  const { busy, run } = useBusy();
  const other = useSwitch();
  return (
    <AuthFrame
      home="/client"
      title={`Hello ${user?.name.split(" ")[0] ?? ""}`.trim()}
      foot={
        <>
          <AuthLink to={ACCOUNT}>Account</AuthLink>
          {other && (
            <Button kind="plain" onClick={() => void other.go()}>
              {other.label}
            </Button>
          )}
          <Button kind="plain" onClick={() => void signOut("keep")}>
            Sign Out
          </Button>
        </>
      }
    >
      <HasLeft />
      <EmptyState
        icon={<PawPrint aria-hidden />}
        title={trouble === undefined ? "No sitter yet" : "Your sitters could not be loaded"}
        action={
          <Button kind="quiet" busy={busy} onClick={() => void run(() => refreshSitters(null))}>
            Look again
          </Button>
        }
      >
        {trouble ?? "Your sitter sends you a link or shows you a code to scan. With it your visits appear here."}
      </EmptyState>
      <CodeForm onFound={onInvite} />
    </AuthFrame>
  );
}

/**
 * Screen of the changes that were not sent when the sitter let the person go; it closes when the person has decided
 * about each in `attention`.
 */
export function Parting({ attention }: { attention: ReactNode }) {
  const count = useReplica((phone) => phone.attentionCount());
  useEffect(() => {
    if (count === 0) void refreshSitters(null);
  }, [count]);
  return (
    <main className="pt-safe pb-safe">
      <div className="px-5 pt-5 empty:hidden md:px-8">
        <HasLeft />
      </div>
      {attention}
    </main>
  );
}

/** Visits booked with a former sitter: nobody has cancelled them, and they are in Walkies no more. */
function Booked({ sitter }: { sitter: FormerSitter }) {
  const { n_booked = 0, first_booked } = sitter;
  if (n_booked === 0 || !first_booked) return null;
  const day = formatDate(first_booked);
  return (
    <span className="num">
      {n_booked === 1 ? `1 visit was booked with ` : `${n_booked} visits were booked with `}
      <bdi>{shownName(sitter)}</bdi>
      {n_booked === 1
        ? `, on ${day}. Ask them whether it takes place. `
        : `, the next on ${day}. Ask them whether they take place. `}
    </span>
  );
}

/** Names the former sitters, and says what is still on this device. */
export function HasLeft() {
  const { left, isParting } = usePortal();
  if (left.length === 0) return null;
  return (
    <Banner
      role="status"
      action={
        <button type="button" onClick={() => void haveReadLeft()}>
          OK
        </button>
      }
    >
      {left.map((it, place) => (
        <span key={it.client_id}>
          {place > 0 && ", "}
          <bdi>{shownName(it)}</bdi>
        </span>
      ))}{" "}
      {left.length === 1 ? "has ended your access or left Walkies." : "have ended your access or left Walkies."}{" "}
      {isParting
        ? "Their information is no longer here. Anything you had not sent is still here until you decide on it below."
        : "Their information is no longer here."}{" "}
      {left.map((it) => (
        <Booked key={it.client_id} sitter={it} />
      ))}
      If you did not expect it, ask them.
    </Banner>
  );
}
