/** Owns the profile's section (SPEC 2): who the sitter is, the settings, this phone, the account. */
import { useReplica } from "../../data";
import { Section } from "../../parts/account/Section";
import { useFix } from "../../parts/attention/fix";
import { LoadingOrFailure } from "../../parts/LoadingOrFailure";
import { PageBody, PageHeader } from "../../ui";
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
import { StorageSection } from "./StorageSection";

export default function ProfileScreen() {
  const sitter = useReplica((phone) => phone.sitter());
  const { fix, leaveFix } = useFix("update_profile");
  return (
    <>
      <PageHeader title="Profile" sub={sitter?.business_name || sitter?.name} />
      <PageBody className="grid items-start gap-4 lg:grid-cols-2 2xl:grid-cols-3">
        <div className="grid grid-cols-1 gap-4">
          {sitter ? (
            <>
              <ProfileForm sitter={sitter} fix={fix} onFixed={leaveFix} />
              <Appearance sitter={sitter} />
              <InvoicingSection sitter={sitter} />
            </>
          ) : (
            <LoadingOrFailure
              label="Loading your profile"
              count={2}
              failure={(why) => `Failed to load your profile. ${why}`}
            />
          )}
        </div>
        <div className="grid grid-cols-1 gap-4 2xl:contents">
          <div className="grid grid-cols-1 gap-4">
            <GuideSection />
            <NotificationsSection />
            <MapSection />
            <StorageSection />
            <InstallSection />
          </div>
          <div className="grid grid-cols-1 gap-4">
            <Section id="profile-billing" title="Subscription">
              <BillingSection />
            </Section>
            <CardsSection />
            <CalendarSection />
            <DevicesSection />
            <FactorsSection />
            <DataSection />
            <AccountSection />
          </div>
        </div>
      </PageBody>
    </>
  );
}
