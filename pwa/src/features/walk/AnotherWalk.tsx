/**
 * Owns the question what becomes of the walk that goes on when another is to start: there is one walk at a time. A visit can
 * be put aside instead.
 */
import { useLocation } from "wouter";
import { deviceText } from "../../browser/device";
import type { ReportKind, ServiceView } from "../../core";
import { canPark, kindOf, type WalkRow } from "../../data/walks/walks";
import { STARTS } from "../../parts/walk/WalkSign";
import { clock, names, who } from "../../parts/walk/walkText";
import { Button, Dialog, toast, useBusy } from "../../ui";
import { ofService } from "./newWalk";
import { end, startWalk, walkAlso, walkIsOver } from "./tracker";
import { useBack } from "./useBack";

const FAILED = deviceText("This phone could not store that. Please try again.");

const TITLES: Record<ReportKind, string> = {
  walk: "A walk is running",
  visit: "A visit is going on",
  day: "A day of a stay is going on",
};

/** A service with what is to begin for it. */
export interface Wanted {
  service: ServiceView;
  kind: ReportKind;
}

export function AnotherWalk({ row, wanted: { service, kind } }: { row: WalkRow; wanted: Wanted }) {
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
  const going = kindOf(row);
  const putAside = () =>
    run(async () => {
      try {
        await startWalk(ofService(service, kind));
        navigate("/walk", { replace: true });
      } catch {
        toast.error(FAILED);
      }
    });
  return (
    <Dialog open size="small" dismissible={false} title={TITLES[going]} onClose={back}>
      <div className="grid grid-cols-1 gap-4 pb-1">
        <p className="num wrap-anywhere">
          With <b className="font-bold">{who(row)}</b>, since {clock(row.started_at)}.
        </p>
        <p className="wrap-anywhere">
          {kind === "walk" ? "You wanted to start the walk with" : "You wanted to check in with"}{" "}
          <b className="font-bold">
            {other} (<bdi>{service.client_name}</bdi>)
          </b>
          .
        </p>
        <div className="grid gap-2">
          {canPark(row) && (
            <Button wide busy={busy} onClick={() => void putAside()}>
              {STARTS[kind]}, and keep the {going} open
            </Button>
          )}
          {going === "walk" && kind === "walk" && (
            <Button wide busy={busy} onClick={() => void walkBoth()}>
              Walk both
            </Button>
          )}
          <Button kind="quiet" wide disabled={busy} onClick={() => void end()}>
            {going === "walk" ? "End this walk" : "Check out first"}
          </Button>
          <Button kind="plain" wide disabled={busy} onClick={back}>
            Back
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
