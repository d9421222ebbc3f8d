/** Owns how things are shown: units and times, which belong to the business, and the theme, which belongs to this phone. */
import { chooseTheme, type Theme, useTheme } from "../../app/theme";
import type { HourCycle, Sitter, Units } from "../../core";
import { save } from "../../data";
import { Segmented, toast } from "../../ui";
import { Section } from "./Section";

const UNITS: readonly { value: Units; label: string }[] = [
  { value: "imperial", label: "Miles, pounds" },
  { value: "metric", label: "Kilometers, kg" },
];

const HOUR_CYCLES: readonly { value: HourCycle; label: string }[] = [
  { value: "h12", label: "9:30 AM" },
  { value: "h23", label: "09:30" },
];

const THEMES: readonly { value: Theme; label: string }[] = [
  { value: "system", label: "System" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
];

export function Appearance({ sitter }: { sitter: Sitter }) {
  const theme = useTheme();
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
      <div className="grid gap-1">
        <p aria-hidden className="text-14 font-medium">
          Theme on this device
        </p>
        <Segmented label="Theme" value={theme} onChange={chooseTheme} options={THEMES} />
      </div>
    </Section>
  );
}
