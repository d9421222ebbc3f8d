/** Owns the start of a service's walk, or of the log of a visit: at once where the thumb has been on 'Start walk' already, else by a press here. */
import { DoorOpen, Footprints } from "lucide-react";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { deviceText } from "../../browser/device";
import { STARTS } from "../../parts/walk/WalkSign";
import { names } from "../../parts/walk/walkText";
import { Button, ButtonLink, toast, useBusy } from "../../ui";
import type { Wanted } from "./AnotherWalk";
import { ofService } from "./newWalk";
import { startWalk } from "./tracker";
import { useBack } from "./useBack";

/** True if the address still asks for this service's walk: whoever pressed may be on another screen by now. */
const isAsked = (serviceId: string): boolean =>
  location.pathname === "/walk" && new URLSearchParams(location.search).get("service") === serviceId;

export function StartService({ service, kind, isPressed }: Wanted & { isPressed: boolean }) {
  const [, navigate] = useLocation();
  const back = useBack();
  const { busy, run } = useBusy();
  const [starts, setStarts] = useState(isPressed);

  const start = async () => {
    try {
      const other = await startWalk(ofService(service, kind));
      // The address has done its part; where another walk is open it still says what was wanted.
      if (!other && isAsked(service.id)) navigate("/walk", { replace: true });
    } catch {
      toast.error(deviceText(`This phone could not store the ${kind}. Please try again.`));
    }
    setStarts(false);
  };
  useEffect(() => {
    if (isPressed) void start();
    // The press is of one moment.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  if (starts) return <div className="min-h-dvh bg-paper" />;
  return (
    <div className="mx-auto flex min-h-dvh max-w-110 flex-col justify-end gap-5 px-5 pt-safe pb-8">
      <div className="grid flex-1 grid-cols-1 content-center justify-items-center gap-3 text-center">
        <div className="grid size-16 place-items-center rounded-full bg-tag-soft text-tag-ink">
          {kind === "walk" ? (
            <Footprints aria-hidden className="size-7" />
          ) : (
            <DoorOpen aria-hidden className="size-7" />
          )}
        </div>
        <h1 className="text-28 font-bold text-balance wrap-anywhere">
          {kind === "walk" ? "Start the walk with" : "Check in with"} {names(service.dogs)}?
        </h1>
        <p className="num text-ink-2 wrap-anywhere">
          <bdi>{service.client_name}</bdi> · {service.formatted_time}
        </p>
      </div>
      <div className="grid gap-3">
        <Button wide busy={busy} onClick={() => void run(start)}>
          {STARTS[kind]}
        </Button>
        {kind === "walk" && (
          <ButtonLink kind="quiet" wide to="/walk" replace>
            Other pets
          </ButtonLink>
        )}
        <Button kind="plain" wide onClick={back}>
          Back
        </Button>
      </div>
    </div>
  );
}
