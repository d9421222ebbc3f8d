/** Owns telling what is on this phone and how much, the wish to keep it, and giving it out as files. */
import { Download, FileUp, ShieldCheck } from "lucide-react";
import { useEffect, useState } from "react";
import { deviceText } from "../../browser/device";
import { download, givenToBrowser } from "../../browser/download";
import { dayOf } from "../../data";
import { exportLocalData, exportWalks, useLocalData } from "../../data/localData";
import { onlyHere } from "../../parts/account/counted";
import { Section } from "../../parts/account/Section";
import { useIsInstalled } from "../../parts/install";
import { Banner, Button, ProgressBar, toast } from "../../ui";
import { sizeText } from "./sizeText";

interface Space {
  used: number;
  quota: number;
}

/** `isBrief` leaves out what only a business has a use for: counts of its rows, and files of its work. */
export function StorageSection({ isBrief = false }: { isBrief?: boolean }) {
  const kept = useLocalData();
  const space = useSpace(kept);
  return (
    <Section id="profile-storage" title={deviceText("On this phone")}>
      {space && (
        <div className="grid gap-2">
          <ProgressBar label="Storage used" value={space.used} max={space.quota} warnFrom={0.8} />
          <p className="num text-14 text-ink-2">
            {sizeText(space.used)} of {sizeText(space.quota)} used
          </p>
        </div>
      )}
      {!isBrief && (
        <dl className="num grid pair gap-x-5 *:flex *:min-h-10 *:items-center *:justify-between *:border-b *:border-line">
          <Count label="Records" value={kept?.rows} />
          <Count label="Photos" value={kept?.photos} />
          <Count label="Walks" value={kept?.walks} />
          <Count label="Visits" value={kept?.visits} />
          <Count label="Drafts" value={kept?.drafts} />
          <Count label="Waiting changes" value={kept?.waiting} />
          <Count label="Need attention" value={kept?.attention} />
        </dl>
      )}
      <Persist alone={isBrief ? "" : onlyHere(kept)} />
      {!isBrief && <Exports hasWalks={(kept?.walks ?? 0) > 0} />}
    </Section>
  );
}

function Count({ label, value }: { label: string; value: number | undefined }) {
  return (
    <div>
      <dt className="text-14 text-ink-2">{label}</dt>
      <dd className="font-medium">{value ?? "–"}</dd>
    </div>
  );
}

function useSpace(version: unknown): Space | undefined {
  const [space, setSpace] = useState<Space>();
  useEffect(() => {
    let current = true;
    void navigator.storage?.estimate?.().then(
      ({ usage, quota }) => {
        if (current && usage !== undefined && quota) setSpace({ used: usage, quota });
      },
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [version]);
  return space;
}

function Persist({ alone }: { alone: string }) {
  const isInstalled = useIsInstalled();
  const [persisted, setPersisted] = useState<boolean>();
  const [asked, setAsked] = useState(false);
  useEffect(() => {
    void navigator.storage?.persisted?.().then(setPersisted, () => undefined);
  }, []);
  const keep = async () => {
    setPersisted(await navigator.storage.persist());
    setAsked(true);
  };
  if (persisted) {
    return (
      <p role="status" className="flex items-center gap-2 text-14 text-ink-2">
        <ShieldCheck aria-hidden className="size-5 shrink-0 text-completed" />
        This browser keeps your data, also when it runs short of space.
      </p>
    );
  }
  return (
    <div className="grid gap-2">
      <Button
        kind="quiet"
        icon={<ShieldCheck aria-hidden className="size-5" />}
        disabled={!("storage" in navigator && "persist" in navigator.storage)}
        onClick={() => void keep()}
      >
        Keep my data
      </Button>
      <p role="status" className="text-14 text-ink-2 text-pretty">
        {asked
          ? `Not yet, which is normal: the browser decides by itself. ${
              isInstalled ? "Use Walkies for some days" : "Install Walkies, or use it for some days"
            }, then ask again. Until then, your changes are sent whenever Walkies can be reached.${
              alone && deviceText(` Export what is on this phone alone: ${alone}.`)
            }`
          : "Asks the browser not to clear this data when it runs short of space."}
      </p>
    </div>
  );
}

function Exports({ hasWalks }: { hasWalks: boolean }) {
  const [busy, setBusy] = useState<"unsent" | "walks">();
  const [problem, setProblem] = useState<string>();
  const write = async (what: "unsent" | "walks") => {
    setBusy(what);
    setProblem(undefined);
    try {
      const day = dayOf(Date.now());
      const name = what === "unsent" ? `walkies-${day}.json` : `walkies-walks-${day}.gpx`;
      download(await (what === "unsent" ? exportLocalData() : exportWalks()), name);
      toast.success(givenToBrowser(name));
    } catch {
      setProblem("The file could not be made. Close other apps and try again.");
    }
    setBusy(undefined);
  };
  return (
    <div className="grid gap-2">
      <div className="grid gap-2 sm:grid-cols-2">
        <Button
          kind="quiet"
          busy={busy === "unsent"}
          icon={<Download aria-hidden className="size-5" />}
          onClick={() => void write("unsent")}
        >
          Export what waits
        </Button>
        <Button
          kind="quiet"
          busy={busy === "walks"}
          disabled={!hasWalks}
          icon={<FileUp aria-hidden className="size-5" />}
          onClick={() => void write("walks")}
        >
          Export walks
        </Button>
      </div>
      <p className="text-14 text-ink-2 text-pretty">
        What waits: unsent changes, Needs attention, drafts, walks and visits, as one JSON file. Walks: their tracks as
        GPX.
      </p>
      {problem && (
        <Banner kind="danger" role="alert">
          {problem}
        </Banner>
      )}
    </div>
  );
}
