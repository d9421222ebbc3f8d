/** The app that a tab is, and the manifest that the browser finds in the page when it is to be installed. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { enterSide, rememberRole, roleAt, sideAt } from "./side";

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
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

test("the address says which role of a person with both is shown, and elsewhere it is the one of before", () => {
  expect(roleAt("/client/pets")).toBe("client");
  for (const path of ["/scheduling", "/profile/setup", "/clients"]) expect(roleAt(path)).toBe("sitter");
  expect(roleAt("/auth/login")).toBeUndefined();
  rememberRole("client");
  for (const path of ["/", "/auth/login", "/report/a1", "/sitters/join"]) expect(roleAt(path)).toBe("client");
  // Another tab, or the next day.
  sessionStorage.clear();
  expect(roleAt("/auth/login")).toBe("client");
  rememberRole("sitter");
  expect(roleAt("/auth/login")).toBe("sitter");
});

test("the pet parents' installed app signs in to their side", () => {
  rememberRole("sitter");
  sessionStorage.clear();
  enterSide("parent");
  expect(roleAt("/auth/login")).toBe("client");
});
