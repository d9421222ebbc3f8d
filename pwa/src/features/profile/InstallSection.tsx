/** Owns the way onto the home screen: the browser's offer where there is one, else the steps for one's phone. */
import { CircleCheck, Ellipsis, EllipsisVertical, Plus, Share, Smartphone } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Section } from "../../parts/account/Section";
import { install, platform, useHasOffer, useIsInstalled } from "../../parts/install";
import { Button, Segmented } from "../../ui";

type Phone = "ios" | "android";

const PHONES: readonly { value: Phone; label: string }[] = [
  { value: "ios", label: "iPhone & iPad" },
  { value: "android", label: "Android" },
];

const STEPS: Record<Phone, readonly { icon: ReactNode; text: ReactNode }[]> = {
  ios: [
    {
      icon: <Share aria-hidden />,
      text: (
        <>
          In Safari, tap <b>Share</b>. It may be behind{" "}
          <Ellipsis aria-label="the three dots" className="inline size-5" />.
        </>
      ),
    },
    {
      icon: <Plus aria-hidden />,
      text: (
        <>
          Scroll down and tap <b>Add to Home Screen</b>.
        </>
      ),
    },
    {
      icon: <Smartphone aria-hidden />,
      text: (
        <>
          Tap <b>Add</b>, and open Walkies from its icon from now on.
        </>
      ),
    },
  ],
  android: [
    {
      icon: <EllipsisVertical aria-hidden />,
      text: (
        <>
          In Chrome, tap the menu with the <b>three dots</b>.
        </>
      ),
    },
    {
      icon: <Plus aria-hidden />,
      text: (
        <>
          Tap <b>Add to Home screen</b>, then <b>Install</b>.
        </>
      ),
    },
    { icon: <Smartphone aria-hidden />, text: "Open Walkies from its icon from now on." },
  ],
};

export function InstallSection() {
  const isInstalled = useIsInstalled();
  const hasOffer = useHasOffer();
  const [here] = useState(platform);
  const [phone, setPhone] = useState<Phone>(here === "android" ? "android" : "ios");
  if (isInstalled) {
    return (
      <Section id="profile-install" title="Install">
        <p className="flex items-center gap-2 text-ink-2">
          <CircleCheck aria-hidden className="size-5 shrink-0 text-completed" />
          Walkies is installed on this device.
        </p>
      </Section>
    );
  }
  return (
    <Section id="profile-install" title="Install">
      <p className="text-ink-2 text-pretty">
        {here === "ios"
          ? "Safari forgets what a page has stored after 7 days without a visit. On the home screen Walkies keeps it, and starts with no network."
          : "On the home screen Walkies starts at once, with no network, and the browser keeps what is stored here."}
      </p>
      {hasOffer ? (
        <Button kind="quiet" icon={<Smartphone aria-hidden className="size-5" />} onClick={() => void install()}>
          Install Walkies
        </Button>
      ) : (
        <>
          {here === "desktop" && (
            <p className="text-14 text-ink-2">
              On a computer: the install button at the end of the address bar. On a phone:
            </p>
          )}
          <Segmented label="Which phone" value={phone} onChange={setPhone} options={PHONES} />
          <ol className="grid gap-3">
            {STEPS[phone].map(({ icon, text }, index) => (
              <li key={index} className="flex items-center gap-3">
                <span className="grid size-11 shrink-0 place-items-center rounded-full bg-tag-soft text-tag-ink [&>svg]:size-5">
                  {icon}
                </span>
                <span className="min-w-0">{text}</span>
              </li>
            ))}
          </ol>
        </>
      )}
    </Section>
  );
}
