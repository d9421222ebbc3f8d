/**
 * Owns the path of the active walk: which of its faces is shown. A walk is started by a press and by nothing else, no
 * address (`/walk?service=…`) among it, and only while none is open: else one is asked.
 */
import { use, useEffect, useState } from "react";
import { useSearchParams } from "wouter";
import { useMinute } from "../../browser/clock";
import { loadWalkCore } from "../../core/walk";
import { useRead } from "../../data";
import { servicesOf, useOpenWalk, useWalks } from "../../data/walks/walks";
import { preloadMap } from "../../map";
import { forgetStart, wasStartPressed } from "../../parts/walk/pressed";
import { ActiveWalk } from "./ActiveWalk";
import { AnotherWalk } from "./AnotherWalk";
import { FinishWalk } from "./FinishWalk";
import { OpenWalk } from "./OpenWalk";
import { StartService } from "./StartService";
import { StartWalk } from "./StartWalk";
import { useTrackedWalk } from "./tracker";

export default function ActiveWalkScreen() {
  use(loadWalkCore());
  useEffect(preloadMap, []);
  const tracked = useTrackedWalk();
  const isRead = useWalks() !== undefined;
  const open = useOpenWalk();
  const [search] = useSearchParams();
  const serviceId = search.get("service") ?? "";
  const minute = useMinute();
  const visit = useRead((phone) => (serviceId ? phone.visit(serviceId, minute) : undefined), serviceId, minute);
  const walk = tracked?.row ?? open;
  const isOn = walk !== undefined && servicesOf(walk).includes(serviceId);
  const wanted = visit?.can_start && !isOn ? visit.view : undefined;
  const [isPressed, setPressed] = useState(() => wasStartPressed(serviceId));
  useEffect(forgetStart, []);
  const isBusy = walk !== undefined;
  useEffect(() => {
    // What goes on is asked about; when that is over, one presses again.
    if (isBusy) setPressed(false);
  }, [isBusy]);

  if (tracked?.walk.status === "ended") return <FinishWalk tracked={tracked} next={wanted} />;
  if (tracked) {
    return (
      <>
        <ActiveWalk tracked={tracked} />
        {wanted && tracked.walk.status !== "emergency" && <AnotherWalk row={tracked.row} service={wanted} />}
      </>
    );
  }
  if (!isRead) return <div className="min-h-dvh bg-paper" />;
  if (open) return <OpenWalk key={open.id} row={open} />;
  if (wanted) return <StartService service={wanted} isPressed={isPressed} />;
  return <StartWalk />;
}
