/** Owns saying why no map lies under a walk, and fetching it where a press brings it. */
import { Download, Map as MapIcon, X } from "lucide-react";
import { useState } from "react";
import { deviceText } from "../../browser/device";
import type { Place } from "../../core";
import { downloadMap, useBlankGround } from "../../map/tiles";
import { Button, IconButton } from "../../ui";

export function BlankGround({ place }: { place: Place | undefined }) {
  const blank = useBlankGround(place);
  /** The reason that the person has put away; another reason is shown again. */
  const [read, setRead] = useState<string>();
  if (!blank || blank.text === read) return null;
  const { text, size } = blank;
  return (
    <section
      aria-label="No map"
      className="rounded-[22px] border border-line bg-card/94 py-1 pr-1 pl-4 text-14 text-ink-2"
    >
      <div className="flex items-center gap-3">
        <MapIcon aria-hidden className="size-5 shrink-0" />
        <p className="min-w-0 flex-1 py-2 text-pretty">{deviceText(text)}</p>
        <IconButton label="Put this away" className="shrink-0" onClick={() => setRead(text)}>
          <X />
        </IconButton>
      </div>
      {size !== null && (
        <Button
          kind="quiet"
          className="num mr-3 mb-2 text-14!"
          icon={<Download aria-hidden className="size-5" />}
          onClick={() => void downloadMap()}
        >
          {size ? `Get the map, ${size}` : "Get the map"}
        </Button>
      )}
    </section>
  );
}
