/** Walks of the past: what their page shows of a file that came in. */
import { signedIn } from "./pages/auth";
import { expect, test } from "./support/test";

test("the scale of a past walk's map fits its track @full", async ({ page, sitter }) => {
  await signedIn(page, sitter);
  await page.goto("/walks");
  await page.locator("input[type=file]").setInputFiles({
    name: "east.gpx",
    mimeType: "application/gpx+xml",
    buffer: Buffer.from(eastward()),
  });
  await expect(page.getByRole("button", { name: "More for this walk" })).toBeVisible();
  const bar = page.getByText(/^[\d,]+ ft$/);
  // Of one moment, and again until the map has its size.
  const meters = () =>
    bar.evaluate((it) => {
      const width = (of: Element | null) => of?.getBoundingClientRect().width ?? 0;
      const feet = Number(it.textContent?.replace(/\D/g, ""));
      return ((feet / width(it.nextElementSibling)) * width(document.querySelector(".walk-line"))) / 3.28084;
    });
  // The line's own width is part of its box.
  await expect(async () => {
    const length = await meters();
    expect(length).toBeGreaterThan(950);
    expect(length).toBeLessThan(1150);
  }).toPass();
});

/** 1,000 meters due east on the equator, in twelve and a half minutes. */
function eastward(): string {
  const METERS_PER_DEGREE = 111_319.5;
  const points = Array.from({ length: 51 }, (_, n) => {
    const time = new Date(Date.UTC(2026, 4, 4, 8, 0, n * 15)).toISOString();
    return `<trkpt lat="0" lon="${(n * 20) / METERS_PER_DEGREE}"><time>${time}</time></trkpt>`;
  });
  return `<?xml version="1.0"?><gpx version="1.1" creator="test"><trk><trkseg>${points.join("")}</trkseg></trk></gpx>`;
}
