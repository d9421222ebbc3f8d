/** Owns turning notifications on and off, on this device, and of what, when and by what the person is told. */
import { Bell, BellOff } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import { deviceText } from "../../browser/device";
import { type MailChoice, type PushChoice, type PushKind, type PushPreferences, pushKindName } from "../../core";
import { hasBothRoles, useSession } from "../../data";
import { listPushChoice, setPushPreferences } from "../../data/account/push";
import { Listed } from "../../parts/account/Listed";
import { Section } from "../../parts/account/Section";
import { NOTIFICATIONS } from "../../parts/notifications/anchor";
import { type PushState, pushState, showTest, turnOff, turnOn } from "../../parts/notifications/subscription";
import { Button, FieldGroup, Segmented, Skeleton, Switch, TimeField, toast, useBusy } from "../../ui";

/** Mail may tell a person what no device does, so there is a choice also where this device shows nothing. */
export function NotificationsSection() {
  const [state, setState] = useState<PushState>();
  const { user } = useSession();
  const look = useCallback(async () => setState(await pushState().catch((): PushState => "unsupported")), []);
  useEffect(() => void look(), [look]);
  return (
    <Section id={NOTIFICATIONS} title="Notifications">
      {state === undefined ? <Skeleton className="h-12 w-full" /> : <Here state={state} onChanged={look} />}
      {user && hasBothRoles(user) && (
        <p className="text-14 text-ink-2 text-pretty">
          These settings are for your business and for you as a pet parent alike.
        </p>
      )}
      {state !== undefined && (
        // With another email the choice is another one: it names the address that mail goes to.
        <Listed key={user?.email} list={listPushChoice} purpose="choose your notifications">
          {(choice) => (state === "on" || choice.mails_to) && <Choice choice={choice} />}
        </Listed>
      )}
    </Section>
  );
}

interface HereProps {
  state: PushState;
  onChanged: () => Promise<void>;
}

/** How it stands on this device, and the one thing to do about it. */
function Here({ state, onChanged }: HereProps) {
  const { busy, run } = useBusy();
  const change = (what: () => Promise<string | undefined | void>) =>
    run(async () => {
      const wrong = await what().catch(() => "This did not work. Please try again.");
      if (wrong) toast.error(wrong);
      await onChanged();
    });
  if (state === "off") {
    return (
      <>
        <p className="text-ink-2 text-pretty">
          {deviceText("This phone can tell you what happens while Walkies is closed.")} No address and no message is
          shown on the lock screen.
        </p>
        <Button
          kind="quiet"
          busy={busy}
          icon={<Bell aria-hidden className="size-5" />}
          onClick={() => void change(turnOn)}
        >
          Turn on notifications
        </Button>
      </>
    );
  }
  if (state === "on") {
    return (
      <div className="grid pair gap-2">
        <Button kind="quiet" onClick={() => void change(showTest)}>
          Show one
        </Button>
        <Button kind="quiet" busy={busy} onClick={() => void change(turnOff)}>
          Turn off here
        </Button>
      </div>
    );
  }
  return (
    <p className="flex items-center gap-3 text-ink-2">
      <BellOff aria-hidden className="size-5 shrink-0" />
      <span>{deviceText(WHY_NOT[state])}</span>
    </p>
  );
}

const WHY_NOT: Record<Exclude<PushState, "on" | "off">, string> = {
  unsupported: "This browser cannot show notifications.",
  home_screen: "On an iPhone, notifications work once Walkies is on the home screen. Install, below, shows how.",
  blocked: "Notifications are blocked on this phone. Allow them in its settings or in those of the browser.",
};

const MAIL_CHOICES: readonly { value: MailChoice; label: string }[] = [
  { value: "without_device", label: "If needed" },
  { value: "always", label: "Always" },
  { value: "never", label: "Never" },
];

const MAIL_TEXTS: Record<MailChoice, (address: string) => string> = {
  without_device: (it) => `Where no device of yours shows notifications, these go to ${it}.`,
  always: (it) => `Goes to ${it}, even where a device notifies you.`,
  never: () => "None of this is mailed.",
};
/** Mail of its own that a pet parent gets all the same. */
const STILL_MAILED = " Invoices and reports that your sitter sends by mail still come.";

interface ByMailProps {
  choice: PushChoice;
  value: MailChoice;
  onChange: (value: MailChoice) => void;
}

function ByMail({ choice: { mails_to, has_stopped_mail }, value, onChange }: ByMailProps) {
  const isParent = useSession().user?.role === "client";
  if (!mails_to) return null;
  if (has_stopped_mail) {
    return (
      <p className="text-ink-2 text-pretty wrap-anywhere">
        You stopped mail from Walkies to {mails_to}. The link at the end of the last mail allows it again.
      </p>
    );
  }
  return (
    <div className="grid gap-2">
      <p className="font-medium" aria-hidden>
        By mail
      </p>
      <Segmented label="By mail" value={value} onChange={onChange} options={MAIL_CHOICES} />
      <p className="text-14 text-ink-2 text-pretty wrap-anywhere">
        {MAIL_TEXTS[value](mails_to)}
        {value === "never" && isParent && STILL_MAILED}
        {value !== "never" && " Messages within half an hour come as one mail, and so do events in quick succession."}
      </p>
    </div>
  );
}

const USUAL = { from: "22:00", to: "07:00" };

/** Hints at kinds that the choice of mail does not cover. */
const HINTS: Partial<Record<PushKind, string>> = {
  upcoming_service: "By notification only, never by mail.",
  visit_overdue: "By notification only, never by mail.",
  billing_day: "By notification only, never by mail.",
  access_ended: "Always comes by mail, too.",
};

/** Each change is saved at once; what the server refuses is said and taken back. */
function Choice({ choice }: { choice: PushChoice }) {
  const [preferences, setPreferences] = useState(choice.preferences);
  const save = async (changes: Partial<PushPreferences>) => {
    const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const next = { ...preferences, time_zone, ...changes };
    setPreferences(next);
    const answer = await setPushPreferences(next);
    if (answer.ok) return;
    setPreferences(preferences);
    toast.error(answer.error.text);
  };
  const off = preferences.off ?? [];
  const toggle = (kind: PushKind, wanted: boolean) =>
    save({ off: wanted ? off.filter((it) => it !== kind) : [...off, kind] });
  const hours = preferences.quiet_hours;
  const isMailed = choice.mails_to && !choice.has_stopped_mail;
  return (
    <>
      <FieldGroup name="off" label="Notify me about">
        {choice.kinds.map((kind) => (
          <Switch
            key={kind}
            name={kind}
            label={pushKindName(kind)}
            hint={isMailed && !choice.mailed?.includes(kind) ? HINTS[kind] : undefined}
            checked={!off.includes(kind)}
            onChange={(wanted) => void toggle(kind, wanted)}
          />
        ))}
      </FieldGroup>
      <ByMail choice={choice} value={preferences.mail ?? "without_device"} onChange={(mail) => void save({ mail })} />
      <Switch
        name="quiet_hours"
        label="Quiet hours"
        hint={`Notifications wait until they are over. Those that would be late by then, such as the reminder of a visit, are left out.${isMailed ? " Mail does not wait." : ""}`}
        checked={Boolean(hours)}
        onChange={(wanted) => void save({ quiet_hours: wanted ? USUAL : null })}
      />
      {hours && (
        <div className="grid pair gap-2">
          <TimeField
            name="from"
            label="From"
            value={hours.from}
            onChange={(from) => from && void save({ quiet_hours: { ...hours, from } })}
          />
          <TimeField
            name="to"
            label="To"
            value={hours.to}
            onChange={(to) => to && void save({ quiet_hours: { ...hours, to } })}
          />
        </div>
      )}
    </>
  );
}
