/** Owns emergency mode (SPEC 4): tracking has stopped; help is one press away, and so is the place to tell it. */
import { Phone, TriangleAlert } from "lucide-react";
import { useReplica } from "../../data";
import { Button } from "../../ui";
import { cancelEmergency, type TrackedWalk } from "./tracker";

const CALL = "flex min-h-16 items-center justify-center gap-3 rounded-large px-4 text-20 font-bold active:scale-[.98]";

export function EmergencyMode({ tracked: { row, walk } }: { tracked: TrackedWalk }) {
  const client = useReplica((phone) => {
    const service = row.service_id ? phone.service(row.service_id) : undefined;
    return service ? phone.client(service.client_id)?.client : undefined;
  });
  const { here } = walk;
  return (
    <div
      role="alertdialog"
      aria-labelledby="emergency"
      className="fixed inset-0 flex flex-col bg-paper px-5 pt-safe pb-8"
    >
      <div className="grid flex-1 place-content-center justify-items-center gap-3 text-center">
        <TriangleAlert aria-hidden className="size-16 text-danger" />
        <h1 id="emergency" className="text-28 font-bold">
          Emergency
        </h1>
        <p className="text-ink-2">Tracking has stopped.</p>
        {here && (
          <p className="num grid gap-1">
            <span className="text-14 text-ink-2">You are at</span>
            <span className="text-20 font-bold select-all">
              {(here.place.lat_e7 / 1e7).toFixed(5)}, {(here.place.lon_e7 / 1e7).toFixed(5)}
            </span>
            {here.accuracy_m > 0 && (
              <span className="text-14 text-ink-2">give or take {Math.ceil(here.accuracy_m)} m</span>
            )}
          </p>
        )}
      </div>
      <div className="mx-auto grid w-full max-w-110 gap-3">
        <a href="tel:911" className={`${CALL} bg-danger text-on-danger`}>
          <Phone aria-hidden /> Call 911
        </a>
        {client?.phone && (
          <a
            href={`tel:${client.phone.replace(/[^\d+]/g, "")}`}
            className={`${CALL} border border-line bg-card text-16`}
          >
            <Phone aria-hidden /> Call {client.name}
          </a>
        )}
        <Button kind="plain" wide onClick={() => void cancelEmergency()}>
          Cancel Emergency
        </Button>
      </div>
    </div>
  );
}
