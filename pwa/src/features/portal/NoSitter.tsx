/** Owns what a pet parent sees who is nobody's client: how to become one, and the way out. */
import { PawPrint } from "lucide-react";
import { signOut, useSession } from "../../data";
import { haveReadLeft, refreshSitters, usePortal } from "../../data/portal/portal";
import { Banner, Button, EmptyState, useBusy } from "../../ui";
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
