/** Owns the route generator as a person uses it. */
import { expect, type Locator, type Page } from "@playwright/test";
import type { Spot } from "../support/positions";
import { Screen } from "./app";
import { ActiveWalkPage } from "./walk";

export class RoutesPage extends Screen {
  static async open(page: Page): Promise<RoutesPage> {
    await page.goto("/routes");
    const routes = new RoutesPage(page);
    await routes.isTitled("Routes");
    return routes;
  }

  get options(): Locator {
    return this.page.getByRole("group", { name: "Routes" }).getByRole("radio");
  }

  async generate(): Promise<void> {
    await this.page.getByRole("button", { name: "Generate Route" }).click();
    await expect(this.page.getByRole("button", { name: "Start Walk" })).toBeEnabled();
  }

  /** Asks for others, and waits until they are there. */
  async others(): Promise<void> {
    await this.page.getByRole("button", { name: "Other walks" }).click();
    await expect(this.page.getByText("Route generated successfully!")).toBeVisible();
  }

  async showTab(name: "Overview" | "Directions" | "Safety"): Promise<Locator> {
    await this.page.getByRole("tab", { name }).click();
    return this.page.getByRole("tabpanel", { name });
  }

  async startWalk(): Promise<ActiveWalkPage> {
    await this.page.getByRole("button", { name: "Start Walk" }).click();
    return ActiveWalkPage.shown(this.page);
  }
}

/** The line that the walk under way is to follow. */
export async function plannedLine(page: Page): Promise<Spot[]> {
  const geometry = await page.evaluate(async () => {
    const asked = <T>(request: IDBRequest<T>) =>
      new Promise<T>((done, failed) => {
        request.onsuccess = () => done(request.result);
        request.onerror = () => failed(new Error(String(request.error)));
      });
    const names = (await indexedDB.databases()).map((it) => it.name ?? "");
    const db = await asked(indexedDB.open(names.find((it) => /^walkies-.{36}$/.test(it)) ?? ""));
    const rows: { summary: unknown; plan?: { route: { geometry: string } } }[] = await asked(
      db.transaction("walks").objectStore("walks").getAll(),
    );
    db.close();
    return rows.find((it) => !it.summary)?.plan?.route.geometry;
  });
  return decoded(geometry ?? "");
}

/** An encoded polyline with six decimals. */
function decoded(text: string): Spot[] {
  const numbers: number[] = [];
  let value = 0;
  let shift = 0;
  for (const letter of text) {
    const bits = letter.charCodeAt(0) - 63;
    value |= (bits & 31) << shift;
    shift += 5;
    if (bits >= 32) continue;
    numbers.push(value & 1 ? ~(value >> 1) : value >> 1);
    value = 0;
    shift = 0;
  }
  const spots: Spot[] = [];
  let [lat, lon] = [0, 0];
  for (let at = 0; at + 1 < numbers.length; at += 2) {
    lat += numbers[at] ?? 0;
    lon += numbers[at + 1] ?? 0;
    spots.push({ lat: lat / 1e6, lon: lon / 1e6 });
  }
  return spots;
}
