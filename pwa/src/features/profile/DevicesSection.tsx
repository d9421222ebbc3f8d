/** Owns the devices on which somebody is signed in, and signing them out from here. */
import { Laptop, LogOut } from "lucide-react";
import type { DeviceSession } from "../../core";
import { endOtherSessions, endSession, listSessions } from "../../data/account/security";
import type { Answer } from "../../data/server/api";
import { Listed } from "../../parts/account/Listed";
import { Section } from "../../parts/account/Section";
import { RelativeTime } from "../../parts/RelativeTime";
import { Button, confirm, toast } from "../../ui";
import { useFocusAfterRemoval } from "./useFocusAfterRemoval";

const HEADING = "profile-devices";

export function DevicesSection() {
  return (
    <Section id={HEADING} title="Devices">
      <Listed list={listSessions} purpose="see where you are signed in">
        {(devices, reload) => <Devices devices={devices} reload={reload} />}
      </Listed>
    </Section>
  );
}

interface DevicesProps {
  devices: DeviceSession[];
  reload: () => Promise<void>;
}

function Devices({ devices, reload }: DevicesProps) {
  const rowGoes = useFocusAfterRemoval(HEADING, devices);
  const end = async (what: () => Promise<Answer<unknown>>, said: string) => {
    const answer = await what();
    if (answer.ok) toast.success(said);
    else toast.error(answer.error.text);
    rowGoes();
    await reload();
  };
  const endOne = async (device: DeviceSession) => {
    const yes = await confirm({
      title: `Sign out ${device.name}?`,
      text: "It has to sign in again. Unsent changes stay on it.",
      action: "Sign out",
      danger: true,
    });
    if (yes) await end(() => endSession(device.id), `${device.name} is signed out`);
  };
  const endOthers = async () => {
    const yes = await confirm({
      title: "Sign out all other devices?",
      text: "They have to sign in again. Unsent changes stay on them.",
      action: "Sign out all others",
      danger: true,
    });
    if (yes) await end(endOtherSessions, "All other devices are signed out");
  };

  const currentFirst = devices.toSorted((a, b) => Number(b.is_current) - Number(a.is_current));
  return (
    <>
      <ul className="grid gap-1">
        {currentFirst.map((it) => (
          <li
            key={it.id}
            className="flex min-h-14 flex-wrap items-center gap-x-3 border-b border-line py-2 last:border-b-0"
          >
            <Laptop aria-hidden className="size-5 shrink-0 text-ink-2" />
            <div className="min-w-0 flex-1 basis-32">
              <p className="truncate font-medium">{it.name}</p>
              <p className="text-14 text-ink-2">
                {it.is_current ? (
                  "This device"
                ) : (
                  <>
                    Last used <RelativeTime at={it.last_used_at} inSentence />
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
