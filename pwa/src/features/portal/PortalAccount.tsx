/** Owns what a pet parent sets about the login and this device. */
import { useSession, useSyncStatus } from "../../data";
import { PageBody, PageHeader } from "../../ui";
import { NotificationsSection } from "../notifications/NotificationsSection";
import { AccountSection } from "../profile/AccountSection";
import { DevicesSection } from "../profile/DevicesSection";
import { ExportEverything } from "../profile/ExportEverything";
import { FactorsSection } from "../profile/FactorsSection";
import { InstallSection } from "../profile/InstallSection";
import { Section } from "../profile/Section";
import { StorageSection } from "../profile/StorageSection";
import { ThemeChoice } from "../profile/ThemeChoice";

export default function PortalAccount() {
  const { user } = useSession();
  return (
    <>
      <PageHeader title="Account" sub={user?.email} />
      <PageBody className="grid items-start gap-4 lg:grid-cols-2">
        <div className="grid grid-cols-1 gap-4">
          <NotificationsSection />
          <InstallSection />
          <Section id="profile-appearance" title="Settings">
            <ThemeChoice />
          </Section>
          <OwnData />
          <StorageSection />
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
          {!isReachable && " It needs the network."}
        </p>
      </div>
    </Section>
  );
}
