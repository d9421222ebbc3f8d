/** Owns the question what becomes of the walk that goes on when another is to start: there is one walk at a time. */
import { useLocation } from "wouter";
import { deviceText } from "../../browser/device";
import type { ServiceView } from "../../core";
import type { WalkRow } from "../../data/walks/walks";
import { clock, names, who } from "../../parts/walk/walkText";
import { Button, Dialog, toast, useBusy } from "../../ui";
import { ofService } from "./newWalk";
import { end, walkAlso, walkIsOver } from "./tracker";
import { useBack } from "./useBack";

const FAILED = deviceText("This phone could not store that. Please try again.");

export function AnotherWalk({ row, service }: { row: WalkRow; service: ServiceView }) {
  const [, navigate] = useLocation();
  const back = useBack();
  const { busy, run } = useBusy();
  const other = names(service.dogs);
  const walkBoth = () =>
    run(async () => {
      try {
        const undo = await walkAlso(ofService(service));
        navigate("/walk", { replace: true });
        const dismiss = toast.success(`${other} came along`, {
          label: "Undo",
          onAction: () => void undo().catch(() => toast.error(FAILED)),
        });
        void walkIsOver().then(dismiss);
      } catch {
        toast.error(FAILED);
      }
    });
  return (
    <Dialog open size="small" dismissible={false} title="A walk is running" onClose={back}>
      <div className="grid grid-cols-1 gap-4 pb-1">
        <p className="num wrap-anywhere">
          With <b className="font-bold">{who(row)}</b>, since {clock(row.started_at)}.
        </p>
        <p className="wrap-anywhere">
          You wanted to start the walk with{" "}
          <b className="font-bold">
            {other} (<bdi>{service.client_name}</bdi>)
          </b>
          .
        </p>
        <div className="grid gap-2">
          <Button wide busy={busy} onClick={() => void walkBoth()}>
            Walk both
          </Button>
          <Button kind="quiet" wide disabled={busy} onClick={() => void end()}>
            End this walk
          </Button>
          <Button kind="plain" wide disabled={busy} onClick={back}>
            Back
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
