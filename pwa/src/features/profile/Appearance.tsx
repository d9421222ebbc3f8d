/** Owns how things are shown: units and times, which belong to the business, and the theme, which belongs to this phone. */
import { useState } from "react";
import { deviceText } from "../../browser/device";
import type { HourCycle, Sitter, Units } from "../../core";
import { save, useReplica } from "../../data";
import { Section } from "../../parts/account/Section";
import { chooseNavigateWith, type NavigateWith, navigateWith } from "../../parts/contact/navigation";
import { Segmented, Select, Switch, toast } from "../../ui";
import { ThemeChoice } from "./ThemeChoice";

const UNITS: readonly { value: Units; label: string }[] = [
  { value: "imperial", label: "Miles, pounds" },
  { value: "metric", label: "Kilometers, kg" },
];

const HOUR_CYCLES: readonly { value: HourCycle; label: string }[] = [
  { value: "h12", label: "9:30 AM" },
  { value: "h23", label: "09:30" },
];

const NAVIGATES: readonly { value: NavigateWith; label: string }[] = [
  { value: "phone", label: deviceText("This phone's own") },
  { value: "google", label: "Google Maps" },
  { value: "apple", label: "Apple Maps" },
  { value: "osm", label: "OpenStreetMap" },
];

const answersGoTo = ({ invoicing }: Sitter): string =>
  invoicing?.contact_email
    ? `Answers go to ${invoicing.contact_email}, the email on your invoices.`
    : "Set an email on your invoices, and answers go there.";

export function Appearance({ sitter }: { sitter: Sitter }) {
  const [navigates, setNavigates] = useState(navigateWith);
  // A server that sends no mail has nothing to be switched off.
  const sendsMail = useReplica((phone) => phone.sendsMail());
  const change = async (changes: Partial<Sitter>, sentence: string) => {
    try {
      const result = await save({ name: "update_profile", args: { changes } }, sentence);
      if (!result.ok) toast.error(result.text);
    } catch {
      toast.error("Failed to save settings");
    }
  };
  return (
    <Section id="profile-appearance" title="Settings">
      <div className="grid gap-1">
        <p aria-hidden className="text-14 font-medium">
          Units
        </p>
        <Segmented
          label="Units"
          value={sitter.units ?? "imperial"}
          onChange={(units) => void change({ units }, "Change the units")}
          options={UNITS}
        />
      </div>
      <div className="grid gap-1">
        <p aria-hidden className="text-14 font-medium">
          Times of day
        </p>
        <Segmented
          label="Times of day"
          value={sitter.hour_cycle ?? "h12"}
          onChange={(hour_cycle) => void change({ hour_cycle }, "Change how times of day are shown")}
          options={HOUR_CYCLES}
        />
      </div>
      <Switch
        name="tells_progress"
        label="Clients see when you come"
        hint="On the day, that you are on the way when you say so, and that their walk has begun. Never where you are."
        checked={sitter.tells_progress ?? false}
        onChange={(tells_progress) => void change({ tells_progress }, "Change what clients see on the day")}
      />
      {sendsMail && (
        <Switch
          name="keeps_report_mail_off"
          label="Mail reports to clients"
          hint={`When you share a report, a client with an email and without notifications gets its link by mail. ${answersGoTo(sitter)}`}
          checked={!sitter.keeps_report_mail_off}
          onChange={(on) => void change({ keeps_report_mail_off: !on }, "Change whether reports go by mail")}
        />
      )}
      {sendsMail && (
        <Switch
          name="mails_changes"
          label="Mail visits to clients outside the portal"
          hint={`A client with an email and without a login gets a mail when you book, move, change or cancel a visit, or answer a request, with all that is booked by then. It is a few mails an hour at most, and clients can stop them. ${answersGoTo(sitter)}`}
          checked={sitter.mails_changes ?? false}
          onChange={(mails_changes) => void change({ mails_changes }, "Change whether visits go by mail")}
        />
      )}
      <ThemeChoice />
      <Select
        name="navigate_with"
        label="Navigate with"
        hint="The app that shows you the way to a client, on this device."
        options={NAVIGATES}
        value={navigates}
        onChange={(choice) => {
          chooseNavigateWith(choice);
          setNavigates(choice);
        }}
      />
    </Section>
  );
}
