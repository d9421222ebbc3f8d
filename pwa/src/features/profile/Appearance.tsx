/** Owns how things are shown: units, which belong to the business, and the theme, which belongs to this phone. */
import { chooseTheme, type Theme, useTheme } from "../../app/theme";
import type { Sitter, Units } from "../../core";
import { save } from "../../data";
import { Segmented, toast } from "../../ui";
import { Section } from "./Section";

const UNITS: readonly { value: Units; label: string }[] = [
  { value: "imperial", label: "Miles, pounds" },
  { value: "metric", label: "Kilometers, kg" },
];

const THEMES: readonly { value: Theme; label: string }[] = [
  { value: "system", label: "System" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
];

export function Appearance({ sitter }: { sitter: Sitter }) {
  const theme = useTheme();
  const chooseUnits = async (units: Units) => {
    try {
      const result = await save({ name: "update_profile", args: { changes: { units } } }, "Change the units");
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
          onChange={(units) => void chooseUnits(units)}
          options={UNITS}
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
