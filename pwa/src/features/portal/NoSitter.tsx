/** Owns what a pet parent sees who is nobody's client: how to become one, what was not sent before, and the way out. */
import { PawPrint } from "lucide-react";
import { useEffect } from "react";
import { signOut, useReplica, useSession } from "../../data";
import { haveReadLeft, refreshSitters, usePortal } from "../../data/portal/portal";
import { Banner, Button, EmptyState, useBusy } from "../../ui";
import AttentionScreen from "../attention/AttentionScreen";
import { AuthFrame } from "../auth/AuthFrame";
import { shownName } from "./own";

export function NoSitter() {
  const { user } = useSession();
  const { trouble } = usePortal();
  const { busy, run } = useBusy();
  return (
    <AuthFrame
      title={`Hello ${user?.name.split(" ")[0] ?? ""}`.trim()}
      foot={
        <Button kind="plain" onClick={() => void signOut("keep")}>
          Sign Out
        </Button>
      }
    >
      <HasLeft />
      <EmptyState
        icon={<PawPrint aria-hidden />}
        title="No sitter yet"
        action={
          <Button kind="quiet" busy={busy} onClick={() => void run(() => refreshSitters(null))}>
            Look again
          </Button>
        }
      >
        {trouble ?? "Your sitter sends you a link or shows you a code to scan. With it your visits appear here."}
      </EmptyState>
    </AuthFrame>
  );
}

/** What was not sent when the sitter let the person go: it goes when each of it has the person's word. */
export function Parting() {
  const count = useReplica((phone) => phone.attentionCount());
  useEffect(() => {
    if (count === 0) void refreshSitters(null);
  }, [count]);
  return (
    <main className="pt-safe pb-safe">
      <div className="px-5 pt-5 empty:hidden md:px-8">
        <HasLeft />
      </div>
      <AttentionScreen />
    </main>
  );
}

/** Who was let go is told so once, and by whom. */
export function HasLeft() {
  const { left } = usePortal();
  if (!left) return null;
  return (
    <Banner
      role="status"
      action={
        <button type="button" onClick={haveReadLeft}>
          OK
        </button>
      }
    >
      <bdi>{shownName(left)}</bdi> has ended your access, and what you saw there is gone from here. If you did not
      expect it, ask them for a new invitation.
    </Banner>
  );
}
