/**
 * Owns the path of the active walk: which of its faces is shown. A walk is started by a press and by nothing else, no
 * address (`/walk?service=…`) among it, and only while none is open: else one is asked.
 */
import { Footprints } from "lucide-react";
import { use, useEffect, useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import { useMinute } from "../../browser/clock";
import { deviceText } from "../../browser/device";
import { addressId } from "../../core";
import { loadWalkCore } from "../../core/walk";
import { useHasPulledSince, useRead } from "../../data";
import { kindOf, servicesOf, useBegunWalkOf, useOpenWalk, useWalks, type WalkRow } from "../../data/walks/walks";
import { preloadMap } from "../../map";
import { NotHere } from "../../parts/NotHere";
import { forgetStart, wasStartPressed } from "../../parts/walk/pressed";
import { who } from "../../parts/walk/walkText";
import { Button, ButtonLink, toast } from "../../ui";
import { ActiveVisit } from "./ActiveVisit";
import { ActiveWalk } from "./ActiveWalk";
import { AnotherWalk } from "./AnotherWalk";
import { FinishWalk } from "./FinishWalk";
import { OpenWalk } from "./OpenWalk";
import { StartService } from "./StartService";
import { StartWalk } from "./StartWalk";
import { reopenWalk, useTrackedWalk } from "./tracker";
import { useBack } from "./useBack";

export default function ActiveWalkScreen() {
  use(loadWalkCore());
  useEffect(preloadMap, []);
  const tracked = useTrackedWalk();
  const isRead = useWalks() !== undefined;
  const open = useOpenWalk();
  const [search] = useSearchParams();
  const serviceId = addressId(search.get("service")) ?? "";
  const minute = useMinute();
  const visit = useRead((phone) => (serviceId ? phone.visit(serviceId, minute) : undefined), serviceId, minute);
  const walk = tracked?.row ?? open;
  const isOn = walk !== undefined && servicesOf(walk).includes(serviceId);
  const begun = useBegunWalkOf(serviceId);
  const parked = begun?.parked ? begun : undefined;
  const starts = visit?.starts;
  const wanted = starts && !isOn && !parked ? { service: visit.view, kind: starts } : undefined;
  const [isPressed, setPressed] = useState(() => wasStartPressed(serviceId));
  useEffect(forgetStart, []);
  const isBusy = walk !== undefined;
  useEffect(() => {
    // What goes on is asked about; when that is over, one presses again.
    if (isBusy) setPressed(false);
  }, [isBusy]);

  if (tracked?.walk.status === "ended") return <FinishWalk tracked={tracked} next={wanted} />;
  if (tracked && !(parked && kindOf(tracked.row) !== "walk")) {
    return (
      <>
        {kindOf(tracked.row) === "walk" ? <ActiveWalk tracked={tracked} /> : <ActiveVisit tracked={tracked} />}
        {wanted && tracked.walk.status !== "emergency" && <AnotherWalk row={tracked.row} wanted={wanted} />}
        {parked && <WalkFirst key={parked.id} parked={parked} />}
      </>
    );
  }
  if (!isRead) return <div className="min-h-dvh bg-paper" />;
  if (parked && (!open || tracked)) return <Parked key={parked.id} row={parked} />;
  if (open) return <OpenWalk key={open.id} row={open} />;
  if (wanted) return <StartService {...wanted} isPressed={isPressed} />;
  if (serviceId && !visit) return <NoVisit id={serviceId} />;
  return <StartWalk />;
}

function NoVisit({ id }: { id: string }) {
  const isGone = useHasPulledSince(id);
  const back = useBack();
  return (
    <div className="grid min-h-dvh content-center px-5">
      <NotHere
        what="visit"
        isGone={isGone}
        icon={<Footprints aria-hidden />}
        action={
          <div className="flex flex-wrap justify-center gap-3">
            <Button kind="quiet" onClick={back}>
              Back
            </Button>
            <ButtonLink to="/walk" replace>
              Start another walk
            </ButtonLink>
          </div>
        }
      />
    </div>
  );
}

/** Says why a walk is shown to a person who wanted to go back to a visit. */
function WalkFirst({ parked }: { parked: WalkRow }) {
  const [, navigate] = useLocation();
  useEffect(() => {
    toast.info(`End this walk first. The ${kindOf(parked)} with ${who(parked)} stays open.`);
    navigate("/walk", { replace: true });
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  return null;
}

/** Opens what was put aside: nothing was missed of it. */
function Parked({ row }: { row: WalkRow }) {
  const [, navigate] = useLocation();
  useEffect(() => {
    void reopenWalk(row, "go_on").then(
      (where) => {
        if (where === "here") return navigate("/walk", { replace: true });
        toast.error("Another tab has a walk or this visit open. Close it, or continue there.");
        return navigate("/scheduling", { replace: true });
      },
      () => {
        toast.error(deviceText("This phone's storage does not give the visit out right now. Please try again."));
        return navigate("/scheduling", { replace: true });
      },
    );
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  return <div className="min-h-dvh bg-paper" />;
}
