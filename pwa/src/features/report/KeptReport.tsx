/** Owns what stands at a shared report's address without a network: the report as this phone has kept it, if it has. */
import { WifiOff } from "lucide-react";
import { useEffect, useState } from "react";
import { useRoute } from "wouter";
import { noConnection, useSession } from "../../data";
import { findKeptReport, type KeptReport as Kept, LOGO } from "../../data/portal/keptReports";
import { Banner } from "../../ui";
import { Failed, Loading, Page } from "./PublicReport";

export default function KeptReport() {
  const id = useRoute("/report/:id")[1]?.id ?? "";
  const { user } = useSession();
  const userId = user?.id;
  const [kept, setKept] = useState<Kept | null>();
  // oxlint-disable-next-line react/exhaustive-deps -- what is one person's goes from the screen with them
  useEffect(() => {
    let current = true;
    setKept(undefined);
    void findKeptReport(id)
      .catch(() => undefined)
      .then((found) => current && setKept(found ?? null));
    return () => {
      current = false;
    };
  }, [id, userId]);
  if (kept === undefined) return <Loading />;
  return kept ? <Shown kept={kept} /> : <Failed onRetry={() => location.reload()} />;
}

function Shown({ kept: { page, photos } }: { kept: Kept }) {
  const [urls, setUrls] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    const made = new Map([...photos].map(([name, blob]) => [name, URL.createObjectURL(blob)]));
    setUrls(made);
    return () => {
      for (const url of made.values()) URL.revokeObjectURL(url);
    };
  }, [photos]);
  return (
    <Page
      page={{ ...page, has_logo: photos.has(LOGO) }}
      photo={(name) => urls.get(String(name))}
      banner={
        <Banner role="status" icon={<WifiOff aria-hidden />}>
          {noConnection()}. This is the report as it was last here.
        </Banner>
      }
    />
  );
}
