/** Owns what is said once clients were imported, and the way back from it. */
import { PartyPopper, Undo2 } from "lucide-react";
import { useState } from "react";
import { deviceText } from "../../browser/device";
import { business, type Draft, save } from "../../data";
import { Banner, Button, ButtonLink, EmptyState, toast, useBusy } from "../../ui";
import { counted, type Imported, inPieces } from "./importDraft";

export function ImportDone({ draft }: { draft: Draft<Imported> }) {
  const { ids, pieces = [ids.length] } = draft.value;
  const [stayed, setStayed] = useState<string>();
  const { busy, run } = useBusy();
  const undo = async () => {
    try {
      for (const clients of inPieces(ids, pieces)) {
        // One that was undone before is no matter.
        // oxlint-disable-next-line no-await-in-loop
        const result = await save(
          { name: "undo_import", args: { clients } },
          `Undo the import of ${counted(clients.length, "client")}`,
        );
        if (!result.ok) {
          toast.error(result.text);
          return;
        }
      }
      const phone = await business().wholePhone();
      const said = phone.stayedOfImport(ids);
      if (said) setStayed(said);
      else {
        toast.info("Import undone");
        draft.clear();
      }
    } catch {
      toast.error("Failed to undo the import");
    }
  };
  if (stayed) {
    return (
      <div className="grid justify-items-start gap-4">
        <Banner role="status">{stayed}</Banner>
        <ButtonLink to="/clients" onClick={draft.clear}>
          Show clients
        </ButtonLink>
      </div>
    );
  }
  return (
    <EmptyState
      icon={<PartyPopper aria-hidden />}
      title={`${counted(ids.length, "client")} imported`}
      action={
        <div className="flex flex-wrap justify-center gap-3">
          <Button
            kind="quiet"
            busy={busy}
            icon={<Undo2 aria-hidden className="size-5" />}
            onClick={() => void run(undo)}
          >
            Undo
          </Button>
          <Button kind="quiet" onClick={draft.clear}>
            Another file
          </Button>
          <ButtonLink to="/clients" onClick={draft.clear}>
            Show clients
          </ButtonLink>
        </div>
      }
    >
      {deviceText(
        ids.length === 1
          ? "It is safe on this phone and is sent when there is a network. Until you leave here you can undo it."
          : "They are safe on this phone and are sent when there is a network. Until you leave here you can undo it.",
      )}
    </EmptyState>
  );
}
