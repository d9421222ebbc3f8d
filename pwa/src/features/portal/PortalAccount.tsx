/** Owns what a pet parent sets about the login and this device. */
import { useSession } from "../../data";
import { PageBody, PageHeader } from "../../ui";
import { NotificationsSection } from "../notifications/NotificationsSection";
import { AccountSection } from "../profile/AccountSection";
import { DevicesSection } from "../profile/DevicesSection";
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
