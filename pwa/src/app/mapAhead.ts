/**
 * Owns when the map comes that nobody asks for: once the first sync is through and the screen has nothing else to do. What
 * may come so, and how much, is the core's to say.
 */
import { whenIdle } from "../browser/idle";
import { openBusiness } from "../data/business/openBusiness";
import { subscribeToSync, syncStatus } from "../data/sync/sync";

/** True if the phone knows where the sitter works or a client lives. */
function hasPlaces(): boolean {
  const phone = openBusiness()?.phone;
  if (!phone?.cursor()) return false;
  const area = phone.sitter()?.service_area_lat;
  return typeof area === "number" || phone.clients("").some(({ client }) => client.lat !== null);
}

/** Gives what ends it. */
export function keepMapAhead(): () => void {
  let isOver = false;
  let wasBusy = false;
  let end = () => {};
  const leave = subscribeToSync(() => {
    const { busy, online } = syncStatus();
    wasBusy ||= busy;
    // Before the first rows have come nobody knows of which place, and who has noted none needs no map.
    if (busy || !wasBusy || !online || !hasPlaces()) return;
    leave();
    whenIdle(() => {
      if (isOver) return;
      void import("../map/tiles").then(({ keepMap }) => {
        if (!isOver) end = keepMap();
      });
    });
  });
  return () => {
    isOver = true;
    leave();
    end();
  };
}
