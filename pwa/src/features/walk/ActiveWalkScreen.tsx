/** Owns the path of the active walk: which of its faces is shown, and the start from a link (`/walk?service=…`). */
import { use, useEffect, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import type { ServiceView } from "../../core";
import { loadWalkCore } from "../../core/walk";
import { useReplica } from "../../data";
import { useOpenWalk, useWalks } from "../../data/walks";
import { toast } from "../../ui";
import { preloadMap } from "../../ui/map";
import { ActiveWalk } from "./ActiveWalk";
import { FinishWalk } from "./FinishWalk";
import { OpenWalk } from "./OpenWalk";
import { ofService, StartWalk } from "./StartWalk";
import { startWalk, trackedWalk, useTrackedWalk } from "./tracker";

export default function ActiveWalkScreen() {
  use(loadWalkCore());
  useEffect(preloadMap, []);
  const tracked = useTrackedWalk();
  const isRead = useWalks() !== undefined;
  const open = useOpenWalk();
  const [search] = useSearchParams();
  const serviceId = search.get("service");
  const service = useReplica((phone) => (serviceId ? phone.service(serviceId) : undefined));

  if (tracked?.walk.status === "ended") return <FinishWalk tracked={tracked} />;
  if (tracked) return <ActiveWalk tracked={tracked} />;
  if (!isRead) return <div className="min-h-dvh bg-paper" />;
  if (open) return <OpenWalk row={open} />;
  if (service) return <Starting service={service} />;
  return <StartWalk />;
}

/** A link from a service is the start: the thumb has been on 'Start walk' already. */
function Starting({ service }: { service: ServiceView }) {
  const navigate = useNavigate();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (trackedWalk() || failed) return;
    startWalk(ofService(service)).then(
      // A reload later must not start another one.
      () => navigate("/walk", { replace: true }),
      () => {
        setFailed(true);
        toast.error("This phone could not store the walk. Please try again.");
      },
    );
  }, [service, navigate, failed]);
  return failed ? <StartWalk /> : <div className="min-h-dvh bg-paper" />;
}
