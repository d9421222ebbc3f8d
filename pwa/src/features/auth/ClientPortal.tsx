/** Owns what a pet parent sees after signing in, as long as their portal is not there. */
import { PawPrint } from "lucide-react";
import { useEffect } from "react";
import { useLocation } from "wouter";
import { signOut, useSession } from "../../data";
import { Button, EmptyState } from "../../ui";
import { Logo } from "../../ui/Logo";

export default function ClientPortal() {
  const { user } = useSession();
  const [, navigate] = useLocation();
  useEffect(() => {
    document.title = "Your sitter · Walkies";
  }, []);
  const leave = async () => {
    await signOut("keep");
    navigate("/auth/login");
  };
  return (
    <div className="pt-safe pb-safe grid min-h-dvh grid-rows-[auto_1fr]">
      <header className="flex items-center gap-3 px-5 pt-5 md:px-8">
        <Logo className="size-9" />
        <span className="min-w-0 flex-1 truncate text-14 text-ink-2">{user?.email}</span>
        <Button kind="quiet" onClick={() => void leave()}>
          Sign Out
        </Button>
      </header>
      <main className="grid place-content-center">
        <EmptyState icon={<PawPrint aria-hidden />} title={`Hello ${user?.name.split(" ")[0] ?? ""}`.trim()}>
          <h1 className="sr-only">Pet parents' portal</h1>
          Your sitter's portal for pet parents is being prepared. Visits, messages and invoices will be here. Until then
          your sitter tells you as before.
        </EmptyState>
      </main>
    </div>
  );
}
