/** Owns what a pet parent sets about the login and this device, with and without a sitter. */
import { ArrowLeftRight } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { useSession, useSyncStatus } from "../../data";
import { refreshRoles } from "../../data/account/roles";
import { CodeForm } from "../../parts/account/CodeForm";
import type { PendingInvite } from "../../parts/account/pendingInvite";
import { Section } from "../../parts/account/Section";
import { useSwitch } from "../../parts/account/SwitchRole";
import { Button, ButtonLink, PageBody, PageHeader } from "../../ui";
import { NotificationsSection } from "../notifications";
import {
  AccountSection,
  CalendarSection,
  DevicesSection,
  ExportEverything,
  FactorsSection,
  InstallSection,
  StorageSection,
  ThemeChoice,
} from "../profile";
import { OwnSitters } from "./OwnSitters";

export default function PortalAccount({ onInvite }: { onInvite: (invite: PendingInvite) => void }) {
  const { user } = useSession();
  return (
    <>
      <PageHeader title="Account" sub={user?.email} />
      <PageBody className="grid items-start gap-4 lg:grid-cols-2">
        <div className="grid grid-cols-1 gap-4">
          <NotificationsSection />
          <InstallSection />
          <Appearance />
          <OwnBusiness />
          <OwnSitters />
          <Section id="profile-sitters" title="Another sitter">
            <CodeForm onFound={onInvite} />
          </Section>
          <CalendarSection of="client" />
          <OwnData />
          <StorageSection isBrief />
        </div>
        <div className="grid grid-cols-1 gap-4">
          <DevicesSection />
          <FactorsSection />
          <AccountSection />
        </div>
      </PageBody>
    </>
  );
}

/** The account of a pet parent without a sitter: only the sections that need no business. */
export function AccountWithoutSitter({ actions }: { actions: ReactNode }) {
  const { user } = useSession();
  return (
    <>
      <PageHeader title="Account" sub={user?.email} actions={actions} />
      <PageBody className="grid items-start gap-4 lg:grid-cols-2">
        <div className="grid grid-cols-1 gap-4">
          <Appearance />
          <OwnBusiness />
          <OwnData />
          <DevicesSection />
        </div>
        <div className="grid grid-cols-1 gap-4">
          <FactorsSection />
          <AccountSection />
        </div>
      </PageBody>
    </>
  );
}

const Appearance = () => (
  <Section id="profile-appearance" title="Settings">
    <ThemeChoice />
  </Section>
);

/** The other side of a person who has a business, or the way to one. */
function OwnBusiness() {
  const other = useSwitch();
  useEffect(() => void refreshRoles(), []);
  return (
    <Section id="profile-business" title="Your business">
      {other ? (
        <div className="grid gap-2">
          <Button kind="quiet" icon={<ArrowLeftRight aria-hidden className="size-5" />} onClick={() => void other.go()}>
            {other.label}
          </Button>
          {other.waits > 0 && <p className="text-14 text-ink-2">{`${other.waits} ${other.counted}.`}</p>}
        </div>
      ) : (
        <div className="grid gap-2">
          <p className="text-ink-2 text-pretty">
            Do you look after other people's pets? Run your own business in Walkies with the same email.
          </p>
          <ButtonLink kind="quiet" to="/sitters/join">
            Start a business
          </ButtonLink>
        </div>
      )}
    </Section>
  );
}

function OwnData() {
  const { online, needsAuth } = useSyncStatus();
  const isReachable = online && !needsAuth;
  return (
    <Section id="profile-data" title="Your data">
      <div className="grid gap-2">
        <ExportEverything path="/client/export" isReachable={isReachable} />
        <p className="text-14 text-ink-2 text-pretty">
          One archive with your account, and from each of your sitters: your pets, visits, requests, messages, invoices
          and shared walks, with photos.
          {!isReachable && ` ${needsAuth ? "Sign in again" : "You need a connection"} to export it.`}
        </p>
      </div>
    </Section>
  );
}
