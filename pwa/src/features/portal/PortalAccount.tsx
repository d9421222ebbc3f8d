/** Owns what a pet parent sets about the login and this device, with and without a sitter. */
import type { ReactNode } from "react";
import { useSession, useSyncStatus } from "../../data";
import { Section } from "../../parts/account/Section";
import { PageBody, PageHeader } from "../../ui";
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
import { CodeForm } from "./CodeForm";
import { OwnSitters } from "./OwnSitters";
import type { PendingInvite } from "./pendingInvite";

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
          {!isReachable && " It needs a connection to Walkies."}
        </p>
      </div>
    </Section>
  );
}
