/** The app that a tab is, and the manifest that the browser finds in the page when it is to be installed. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { enterSide, sideAt } from "./side";

beforeEach(() => {
  sessionStorage.clear();
  document.head.insertAdjacentHTML(
    "beforeend",
    '<link rel="manifest" href="/walkies.webmanifest"><meta name="apple-mobile-web-app-title" content="Walkies">',
  );
});
afterEach(() => {
  document.querySelector('link[rel="manifest"]')?.remove();
  document.querySelector('meta[name="apple-mobile-web-app-title"]')?.remove();
});

test("the portal is the pet parents' app, also before anybody is known, and the rest is the sitter's", () => {
  expect(sideAt("/client", undefined)).toBe("parent");
  expect(sideAt("/client/ask", undefined)).toBe("parent");
  for (const path of ["/", "/clients", "/scheduling", "/auth/login"]) expect(sideAt(path, undefined)).toBe("sitter");
  expect(sideAt("/auth/login", "client")).toBe("parent");
  expect(sideAt("/client", "sitter")).toBe("sitter");
});

test("signing in again stays in the app in which one signed out", () => {
  enterSide("parent");
  expect(sideAt("/auth/login", undefined)).toBe("parent");
  expect(sideAt("/", undefined)).toBe("sitter");
  enterSide("sitter");
  expect(sideAt("/auth/login", undefined)).toBe("sitter");
});

test("the page names the manifest and the title of its app", () => {
  const shown = () => [
    document.querySelector('link[rel="manifest"]')?.getAttribute("href"),
    document.querySelector('meta[name="apple-mobile-web-app-title"]')?.getAttribute("content"),
  ];
  enterSide("parent");
  expect(shown()).toEqual(["/parents.webmanifest", "Walkies Pets"]);
  enterSide("sitter");
  expect(shown()).toEqual(["/walkies.webmanifest", "Walkies"]);
});
