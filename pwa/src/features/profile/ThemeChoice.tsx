/** Owns choosing light or dark, which belongs to this device. */
import { Segmented } from "../../ui";
import { chooseTheme, type Theme, useTheme } from "../../ui/theme";

const THEMES: readonly { value: Theme; label: string }[] = [
  { value: "system", label: "System" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
];

export function ThemeChoice() {
  return (
    <div className="grid gap-1">
      <p aria-hidden className="text-14 font-medium">
        Theme on this device
      </p>
      <Segmented label="Theme" value={useTheme()} onChange={chooseTheme} options={THEMES} />
    </div>
  );
}
