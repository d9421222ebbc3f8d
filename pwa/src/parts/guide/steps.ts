/**
 * Owns the steps of the guided start, each ticked by how things stand, and that it ends by itself: four, or three where
 * the server has no map to get.
 */
import { useEffect } from "react";
import { deviceText } from "../../browser/device";
import { useMapStatus, useServerLacksMap } from "../../map/tiles";
import { toast } from "../../ui";
import type { Guide } from "./guide";

export interface GuideStep {
  title: string;
  why: string;
  /** Address of the screen where it is done. */
  to: string;
  isDone: boolean;
}

/** Suspends until it is known how the map stands. */
export function useSteps({ done, set }: Guide): GuideStep[] {
  const { tiles, can_download, text } = useMapStatus();
  const hasMap = tiles > 0;
  const lacksMap = useServerLacksMap();
  // The note and not the module that writes it: to import that here would cut the first load into more pieces.
  const isInstalled = localStorage.getItem("walkies-installed") !== null;
  const steps = [
    {
      title: "Add your first client",
      why: "With their pets, where they live and how to get in.",
      to: "/clients?form=add",
      isDone: done?.client === true,
    },
    {
      title: "Schedule the first visit",
      why: "The price is worked out for you.",
      to: "/scheduling?new=1",
      isDone: done?.visit === true,
    },
    ...(lacksMap && !hasMap
      ? []
      : [
          {
            title: "Get the map",
            why: can_download ? "Streets and routes, with no network too." : deviceText(text),
            to: "/profile#profile-map",
            isDone: hasMap,
          },
        ]),
    {
      title: "Install the app",
      why: "From its icon Walkies starts at once.",
      to: "/profile#profile-install",
      isDone: isInstalled,
    },
  ];
  const isOver = done !== undefined && steps.every((it) => it.isDone);
  useEffect(() => {
    if (!isOver) return;
    set("over");
    toast.success("You are all set");
    // `set` is of the render; whose guide it is does not change while it is shown.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isOver]);
  return steps;
}
