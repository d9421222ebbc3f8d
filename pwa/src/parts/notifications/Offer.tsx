/** Owns the offer to be told, where somebody waits for something: it is made until it is taken or put off, once. */
import { Bell } from "lucide-react";
import { useEffect, useState } from "react";
import { Banner, toast, useBusy } from "../../ui";
import { pushState, turnOn } from "./subscription";

/** Also among what goes when its person leaves (`data/locked/locked.ts`). */
const KEY = "walkies-offer";

/** `children` says of what; nothing is shown where there is nothing to offer. */
export function Offer({ children }: { children: string }) {
  const [isOpen, setOpen] = useState(false);
  const { busy, run } = useBusy();
  useEffect(() => {
    if (localStorage.getItem(KEY) !== null) return;
    void pushState().then(
      (it) => setOpen(it === "off"),
      () => undefined,
    );
  }, []);
  if (!isOpen) return null;
  const close = () => {
    localStorage.setItem(KEY, "made");
    setOpen(false);
  };
  const take = () =>
    run(async () => {
      const wrong = await turnOn().catch(() => "This did not work. Please try again.");
      if (wrong) toast.error(wrong);
      // A no to the browser's own question is one, too.
      else close();
    });
  return (
    <Banner
      kind="plain"
      icon={<Bell aria-hidden />}
      action={
        <>
          <button type="button" disabled={busy} onClick={() => void take()}>
            Turn on notifications
          </button>
          <button type="button" onClick={close}>
            Not now
          </button>
        </>
      }
    >
      {children}
    </Banner>
  );
}
