/** Owns the question after a sign-in on a new device by a sitter who is a pet parent, too: which side is opened. */
import { BriefcaseBusiness, PawPrint } from "lucide-react";
import { useLocation } from "wouter";
import { type Role, useSession } from "../../data";
import { AuthFrame } from "../../parts/account/AuthFrame";
import { ROLE_HOME } from "../../parts/account/SwitchRole";
import { Button } from "../../ui";

export default function ChooseRoleScreen({ onChoose }: { onChoose: (role: Role) => void }) {
  const { user } = useSession();
  const [, navigate] = useLocation();
  const choose = (role: Role) => {
    onChoose(role);
    navigate(ROLE_HOME[role], { replace: true });
  };
  return (
    <AuthFrame title="What do you want to open?" sub={`You use ${user?.email} for both. You can switch at any time.`}>
      <div className="grid gap-3">
        <Button wide icon={<BriefcaseBusiness aria-hidden className="size-5" />} onClick={() => choose("sitter")}>
          Your business
        </Button>
        <Button wide kind="quiet" icon={<PawPrint aria-hidden className="size-5" />} onClick={() => choose("client")}>
          Your pets' visits
        </Button>
      </div>
    </AuthFrame>
  );
}
