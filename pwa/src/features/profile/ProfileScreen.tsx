/**
 * Owns the profile's section (SPEC 2): who the sitter is, the settings, this phone, the account. Each group of settings is
 * a page of its own, which the address names after `#`; a phone begins with the index, a desktop has it beside the page.
 */
import { ChevronLeft } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { useLocationProperty } from "wouter/use-browser-location";
import { useIsPhone } from "../../browser/device";
import type { Sitter } from "../../core";
import { useReplica } from "../../data";
import { Section } from "../../parts/account/Section";
import { type GroupId, groupAt, SETTINGS_GROUPS } from "../../parts/account/settings";
import { type Fix, useFix } from "../../parts/attention/fix";
import { LoadingOrFailure } from "../../parts/LoadingOrFailure";
import { cx, PageBody, PageHeader } from "../../ui";
import { BillingSection } from "../billing";
import { NotificationsSection } from "../notifications";
import { AccountSection } from "./AccountSection";
import { Appearance } from "./Appearance";
import { CalendarSection } from "./CalendarSection";
import { CardsSection } from "./CardsSection";
import { DataSection } from "./DataSection";
import { DevicesSection } from "./DevicesSection";
import { FactorsSection } from "./FactorsSection";
import { GuideSection } from "./GuideSection";
import { InstallSection } from "./InstallSection";
import { InvoicingSection } from "./InvoicingSection";
import { MapSection } from "./MapSection";
import { ProfileForm } from "./ProfileForm";
import { SettingsIndex } from "./SettingsIndex";
import { StorageSection } from "./StorageSection";

export default function ProfileScreen() {
  const sitter = useReplica((phone) => phone.sitter());
  const { fix, leaveFix } = useFix("update_profile");
  const anchor = useLocationProperty(() => location.hash.slice(1));
  const isPhone = useIsPhone();
  const [search, setSearch] = useState("");
  const named = fix ? groupAt("business") : groupAt(anchor);
  const chosen = named ?? (isPhone ? undefined : SETTINGS_GROUPS[0]);
  const page = useGoneTo(chosen?.id, groupAt(anchor)?.id === anchor);
  return (
    <>
      <PageHeader title="Profile" sub={sitter?.business_name || sitter?.name} />
      <PageBody className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[18rem_minmax(0,1fr)] lg:gap-5">
        {!sitter && !chosen && <ProfileLoading />}
        {(!isPhone || !chosen) && <SettingsIndex search={search} onSearch={setSearch} chosen={chosen} />}
        {chosen && (
          <div ref={page} tabIndex={-1} className="grid grid-cols-1 gap-4 outline-none">
            {isPhone && (
              <Link
                to="/profile"
                className="-my-2 -ml-1 inline-flex min-h-12 items-center gap-1 justify-self-start font-medium text-ink-2"
              >
                <ChevronLeft aria-hidden className="size-5" />
                All settings
              </Link>
            )}
            <div
              className={cx(
                "grid grid-cols-1 items-start gap-4",
                chosen.sections.length > 1 ? "xl:grid-cols-2" : "max-w-180",
              )}
            >
              <Page key={chosen.id} of={chosen.id} sitter={sitter} fix={fix} onFixed={leaveFix} />
            </div>
          </div>
        )}
      </PageBody>
    </>
  );
}

/** Begins each page that one goes to at its top, unless the address names a section of it. */
function useGoneTo(page: GroupId | undefined, isWhole: boolean) {
  const element = useRef<HTMLDivElement>(null);
  const before = useRef(page);
  useEffect(() => {
    if (before.current === page) return;
    before.current = page;
    if (page === undefined || isWhole) window.scrollTo(0, 0);
    if (isWhole) element.current?.focus({ preventScroll: true });
  }, [page, isWhole]);
  return element;
}

const ProfileLoading = () => (
  <LoadingOrFailure label="Loading your profile" count={2} failure={(why) => `Failed to load your profile. ${why}`} />
);

interface PageProps {
  of: GroupId;
  sitter: Sitter | undefined;
  fix: Fix<"update_profile"> | undefined;
  onFixed: () => void;
}

function Page({ of, sitter, fix, onFixed }: PageProps): ReactNode {
  if (of !== "business" && of !== "settings" && of !== "invoices") return WITHOUT_SITTER[of]();
  if (!sitter) return <ProfileLoading />;
  if (of === "business") return <ProfileForm sitter={sitter} fix={fix} onFixed={onFixed} />;
  if (of === "settings") return <Appearance sitter={sitter} />;
  return (
    <>
      <InvoicingSection sitter={sitter} />
      <CardsSection />
    </>
  );
}

/** The pages that need no sitter. */
const WITHOUT_SITTER: Record<Exclude<GroupId, "business" | "settings" | "invoices">, () => ReactNode> = {
  notifications: () => <NotificationsSection />,
  device: () => (
    <>
      <GuideSection />
      <MapSection />
      <StorageSection />
      <InstallSection />
    </>
  ),
  plan: () => (
    <Section id="profile-billing" title="Subscription">
      <BillingSection />
    </Section>
  ),
  calendars: () => <CalendarSection />,
  security: () => (
    <>
      <AccountSection />
      <FactorsSection />
      <DevicesSection />
    </>
  ),
  data: () => <DataSection />,
};
