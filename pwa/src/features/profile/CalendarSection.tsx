/**
 * Owns the address at which other calendars read the sitter's schedule, or a pet parent's own visits: made, renewed, ended, and
 * copied while it is seen.
 */
import { CalendarSync, Copy } from "lucide-react";
import { useState } from "react";
import type { CalendarAddress } from "../../core";
import { type CalendarOf, calendarAddress, endCalendarAddress, makeCalendarAddress } from "../../data/account/security";
import { Listed } from "../../parts/account/Listed";
import { Section } from "../../parts/account/Section";
import { RelativeTime } from "../../parts/RelativeTime";
import { copyLink } from "../../parts/sharing/sendLink";
import { Button, confirm, toast } from "../../ui";

const list = { sitter: () => calendarAddress("sitter"), client: () => calendarAddress("client") };

export function CalendarSection({ of = "sitter" }: { of?: CalendarOf }) {
  return (
    <Section id="profile-calendar" title="Other calendars">
      <Listed list={list[of]} purpose="set up other calendars">
        {(known, reload) => <Address of={of} known={known} reload={reload} />}
      </Listed>
    </Section>
  );
}

const SHOWN: Record<CalendarOf, string> = {
  sitter:
    "Apple Calendar, Google Calendar and Outlook can show your schedule, read from a secret address: pets, clients and where they live, but no notes and no codes.",
  client:
    "Apple Calendar, Google Calendar and Outlook can show your pets' visits with all your sitters, read from a secret address.",
};

interface AddressProps {
  of: CalendarOf;
  known: CalendarAddress;
  reload: () => Promise<void>;
}

function Address({ of, known, reload }: AddressProps) {
  // The server gives it but once, so it is kept while the screen is open.
  const [url, setUrl] = useState<string>();
  const make = async () => {
    const answer = await makeCalendarAddress(of);
    if (answer.ok) setUrl(answer.value.url ?? undefined);
    else toast.error(answer.error.text);
    await reload();
  };
  const renew = async () => {
    const yes = await confirm({
      title: "Make a new address?",
      text: "Calendars that use the old address stop updating until you give them the new one.",
      action: "Make a new one",
    });
    if (yes) await make();
  };
  const end = async () => {
    const yes = await confirm({
      title: "End the address?",
      text: "Calendars that use it stop updating.",
      action: "End it",
      danger: true,
    });
    if (!yes) return;
    const answer = await endCalendarAddress(of);
    if (answer.ok) {
      setUrl(undefined);
      toast.success("The address has ended");
    } else {
      toast.error(answer.error.text);
    }
    await reload();
  };
  const since = known.created_at;
  return (
    <>
      <p className="text-ink-2 text-pretty">{SHOWN[of]}</p>
      {since && (
        <div className="flex min-h-14 items-center gap-3">
          <CalendarSync aria-hidden className="size-5 shrink-0 text-completed" />
          <div className="min-w-0 flex-1">
            <p className="font-medium">On</p>
            <p className="text-14 text-ink-2">
              Address made <RelativeTime at={since} inSentence />
            </p>
          </div>
        </div>
      )}
      {since && url && (
        <div className="grid gap-2 rounded-small bg-sunken p-3">
          <p className="text-14 text-ink-2 text-pretty">
            Subscribe to this address in your calendar. It is shown only now. Anyone who has it can read{" "}
            {of === "sitter" ? "your schedule" : "your pets' names, your sitters and when the visits are"}.
          </p>
          <p className="num text-14 break-all select-all">{url}</p>
          <Button kind="quiet" icon={<Copy aria-hidden className="size-5" />} onClick={() => void copyLink(url)}>
            Copy address
          </Button>
        </div>
      )}
      <div className="grid gap-2">
        {since ? (
          <>
            <Button kind="quiet" onClick={() => void renew()}>
              Make a new address
            </Button>
            <Button kind="plain" className="text-danger!" onClick={() => void end()}>
              End the address
            </Button>
          </>
        ) : (
          <Button kind="quiet" icon={<CalendarSync aria-hidden className="size-5" />} onClick={() => void make()}>
            Make an address
          </Button>
        )}
      </div>
    </>
  );
}
