/** Tests whom a phone asks for the way to a door: its own maps, or those that its person has chosen. */
import { afterEach, expect, test, vi } from "vitest";
import { chooseNavigateWith, isPage, navigateLink } from "./navigation";

const PHONES = {
  android: "Mozilla/5.0 (Linux; Android 15; Pixel 8) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36",
  iphone: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1",
  desktop: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36",
};

const on = (phone: keyof typeof PHONES) => vi.spyOn(navigator, "userAgent", "get").mockReturnValue(PHONES[phone]);

const DOOR = { address: "18 Alder Street", lat: 60.17, lng: 24.94 };
const ADDRESS = { address: "18 Alder Street", lat: null, lng: null };

afterEach(() => {
  chooseNavigateWith("phone");
  vi.restoreAllMocks();
});

test("each phone opens its own maps, and a desktop a page", () => {
  on("android");
  expect(navigateLink(DOOR)).toBe("geo:60.17,24.94?q=60.17%2C24.94");
  expect(navigateLink(ADDRESS)).toBe("geo:0,0?q=18%20Alder%20Street");
  on("iphone");
  expect(navigateLink(DOOR)).toBe("maps://?daddr=60.17%2C24.94");
  expect(navigateLink(ADDRESS)).toBe("maps://?daddr=18%20Alder%20Street");
  on("desktop");
  expect(navigateLink(DOOR)).toBe("https://www.openstreetmap.org/directions?to=60.17%2C24.94");
});

test("what was chosen on this phone is kept and leads the way on every one", () => {
  const links = {
    google: /^https:\/\/www\.google\.com\/maps\/dir\//,
    apple: /^https:\/\/maps\.apple\.com\//,
    osm: /openstreetmap/,
  };
  for (const [choice, link] of Object.entries(links)) {
    chooseNavigateWith(choice as keyof typeof links);
    for (const phone of ["android", "iphone", "desktop"] as const) {
      on(phone);
      expect(navigateLink(DOOR)).toMatch(link);
    }
  }
});

test("only a page opens beside the app, and nobody's address leads nowhere", () => {
  on("android");
  expect(isPage(navigateLink(DOOR) ?? "")).toBe(false);
  on("desktop");
  expect(isPage(navigateLink(DOOR) ?? "")).toBe(true);
  expect(navigateLink({ address: "", lat: null, lng: null })).toBeUndefined();
});
