/** Owns the devices on which somebody is signed in, and signing them out from here. */
import { Laptop, LogOut } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import { useSyncStatus } from "../../data";
import { type DeviceSession, endOtherSessions, endSession, listSessions } from "../../data/account";
import type { Answer } from "../../data/api";
import { Banner, Button, confirm, SkeletonCards, toast } from "../../ui";
import { When } from "../attention/When";
import { Section } from "./Section";

export function DevicesSection() {
  const { online, needsAuth } = useSyncStatus();
  const isReachable = online && !needsAuth;
  return (
    <Section id="profile-devices" title="Devices">
      {isReachable ? (
        <Devices />
      ) : (
        <p role="status" className="text-14 text-ink-2">
          {needsAuth ? "Sign in again to see" : "The network is needed to see"} where you are signed in.
        </p>
      )}
    </Section>
  );
}

function Devices() {
  const [listed, setListed] = useState<Answer<DeviceSession[]>>();
  const load = useCallback(async () => setListed(await listSessions()), []);
  useEffect(() => {
    void load();
  }, [load]);

  const end = async (what: () => Promise<Answer<unknown>>, said: string) => {
    const answer = await what();
    if (answer.ok) toast.success(said);
    else toast.error(answer.error.text);
    await load();
  };
  const endOne = async (device: DeviceSession) => {
    const yes = await confirm({
      title: `Sign out ${device.name}?`,
      text: "It has to sign in again. What waits on it stays there.",
      action: "Sign out",
      danger: true,
    });
    if (yes) await end(() => endSession(device.id), `${device.name} is signed out`);
  };
  const endOthers = async () => {
    const yes = await confirm({
      title: "Sign out all other devices?",
      text: "They have to sign in again. What waits on them stays there.",
      action: "Sign out all others",
      danger: true,
    });
    if (yes) await end(endOtherSessions, "All other devices are signed out");
  };

  if (!listed) return <SkeletonCards count={1} />;
  if (!listed.ok) {
    return (
      <>
        <Banner kind="danger" role="alert">
          {listed.error.text}
        </Banner>
        <Button kind="quiet" onClick={() => void load()}>
          Try again
        </Button>
      </>
    );
  }
  const devices = listed.value.toSorted((a, b) => Number(b.is_current) - Number(a.is_current));
  return (
    <>
      <ul className="grid gap-1">
        {devices.map((it) => (
          <li key={it.id} className="flex min-h-14 items-center gap-3 border-b border-line py-2 last:border-b-0">
            <Laptop aria-hidden className="size-5 shrink-0 text-ink-2" />
            <div className="min-w-0 flex-1">
              <p className="truncate font-medium">{it.name}</p>
              <p className="text-14 text-ink-2">
                {it.is_current ? (
                  "This device"
                ) : (
                  <>
                    Last used <When at={it.last_used_at} />
                  </>
                )}
              </p>
            </div>
            {!it.is_current && (
              <Button kind="quiet" aria-label={`Sign out ${it.name}`} onClick={() => void endOne(it)}>
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
      {devices.length > 1 && (
        <Button kind="quiet" icon={<LogOut aria-hidden className="size-5" />} onClick={() => void endOthers()}>
          Sign out all others
        </Button>
      )}
    </>
  );
}
