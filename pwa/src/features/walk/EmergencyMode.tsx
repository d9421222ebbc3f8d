/** Owns emergency mode (SPEC 4): tracking has stopped; help is one press away, and so is the place to tell it. */
import { Phone, TriangleAlert } from "lucide-react";
import { Fragment, useEffect, useRef, useState } from "react";
import { useNow } from "../../browser/clock";
import { walkTexts } from "../../core/walk";
import { callLink } from "../../parts/contact/contact";
import { who } from "../../parts/walk/walkText";
import { Button } from "../../ui";
import { useClientsAlong } from "./along";
import { endEmergency, type TrackedWalk, takeBackEmergency } from "./tracker";
import { useEmergencyPlace } from "./useEmergencyPlace";

const CALL =
  "flex min-h-16 items-center justify-center gap-3 rounded-large px-4 text-20 font-bold active:scale-[.98] forced-colors:border";

export function EmergencyMode({ tracked: { row, walk } }: { tracked: TrackedWalk }) {
  // Whoever's dog is along may have to be told.
  const clients = useClientsAlong(row);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { place, problem } = useEmergencyPlace(walk.here);
  const number = place?.number ?? walkTexts().emergency_number;
  return (
    <div role="alertdialog" aria-labelledby="emergency" className="fixed inset-0 overflow-y-auto bg-paper">
      <div className="flex min-h-full flex-col gap-5 px-5 pt-safe pb-8">
        <div className="grid flex-1 place-content-center justify-items-center gap-3 text-center">
          <TriangleAlert aria-hidden className="size-16 text-danger" />
          <h1 id="emergency" ref={heading} tabIndex={-1} className="text-28 font-bold outline-none">
            Emergency
          </h1>
          <p className="text-ink-2 wrap-anywhere">{who(row)}</p>
          <p className="text-ink-2">Tracking has stopped.</p>
          {place && (
            <p className="num grid gap-1">
              <span className="text-14 text-ink-2">{place.intro}</span>
              <span className="text-20 font-bold select-all">{place.degrees}</span>
              {place.accuracy && <span className="text-14 text-ink-2">{place.accuracy}</span>}
            </p>
          )}
          {!place?.is_now && <p className="text-14 text-ink-2">{problem ?? "Looking for where you are now"}</p>}
        </div>
        <div className="mx-auto grid w-full max-w-110 gap-3">
          <a href={`tel:${number}`} className={`${CALL} bg-danger text-on-danger`}>
            <Phone aria-hidden /> Call {number}
          </a>
          {clients.map(({ client, emergency_calls = [] }) => (
            <Fragment key={client.id}>
              {emergency_calls.map(({ label, dialed }) => (
                <CallLink key={label + dialed} href={`tel:${dialed}`} name={label} />
              ))}
              <CallLink href={callLink(client)} name={client.name} />
            </Fragment>
          ))}
          <Cancel since={walk.since} />
        </div>
      </div>
    </div>
  );
}

function CallLink({ href, name }: { href: string | undefined; name: string }) {
  if (!href) return null;
  return (
    <a href={href} className={`${CALL} border border-line bg-card text-16`}>
      <Phone aria-hidden className="shrink-0" />
      <span className="min-w-0 wrap-anywhere">
        Call <bdi>{name}</bdi>
      </span>
    </a>
  );
}

/** Only what was just begun can have been a slip; an emergency that was one stays in the walk's log. */
function Cancel({ since }: { since: number }) {
  const now = useNow();
  const [isAsked, setAsked] = useState(false);
  const cancel = () => {
    if (canBeSlip) setAsked(true);
    else void endEmergency();
  };
  const canBeSlip = now - since <= walkTexts().slip_ms;
  if (!isAsked) {
    return (
      <Button kind="plain" wide onClick={cancel}>
        Cancel Emergency
      </Button>
    );
  }
  return (
    <fieldset className="grid gap-3">
      <legend className="pb-2 text-center text-ink-2">Was there an emergency?</legend>
      <Button kind="quiet" wide onClick={() => void endEmergency()}>
        It is over
      </Button>
      {canBeSlip && (
        <Button kind="plain" wide onClick={() => void takeBackEmergency()}>
          It was a slip
        </Button>
      )}
    </fieldset>
  );
}
