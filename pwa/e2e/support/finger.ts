/**
 * Owns a finger on a phone's glass, as the system reports it: what a browser makes of it after it has lifted, clicks
 * among it, comes of itself. `click()` looks for what it presses and would hide what is pressed by mistake.
 */
import type { CDPSession, Locator, Page } from "@playwright/test";

export class Finger {
  readonly #page: Page;
  readonly #cdp: CDPSession;

  private constructor(page: Page, cdp: CDPSession) {
    this.#page = page;
    this.#cdp = cdp;
  }

  static async of(page: Page): Promise<Finger> {
    return new Finger(page, await page.context().newCDPSession(page));
  }

  /** Comes down in the middle of something. */
  async down(on: Locator): Promise<{ x: number; y: number }> {
    await on.scrollIntoViewIfNeeded();
    const box = await on.boundingBox();
    if (!box) throw new Error("There is nothing to put a finger on.");
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    await this.#cdp.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [middle] });
    return middle;
  }

  /** Comes down in the middle of something and goes up or down from there, by so many pixels in ten steps. */
  async swipe(on: Locator, byY: number): Promise<void> {
    const { x, y } = await this.down(on);
    for (let step = 1; step <= 10; step += 1) {
      const touchPoints = [{ x, y: y + (byY * step) / 10 }];
      await this.#cdp.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints });
    }
    await this.#cdp.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  }

  /** Lifts, and waits until the page has had all that the browser makes of that. */
  async up(): Promise<void> {
    await this.#cdp.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    // What a finger does at a corner where nothing is comes after all that it has done before.
    const isHeard = this.#page.evaluate(
      () =>
        new Promise<void>((heard) => {
          const corner = document.createElement("div");
          corner.style.cssText = "position:fixed;inset:0 auto auto 0;width:2px;height:2px;z-index:2147483647";
          corner.popover = "manual";
          (document.querySelector("dialog[open]") ?? document.body).append(corner);
          corner.showPopover();
          document.documentElement.dataset.corner = "";
          corner.addEventListener("click", () => {
            corner.remove();
            delete document.documentElement.dataset.corner;
            heard();
          });
        }),
    );
    await this.#page.locator("html[data-corner]").waitFor({ state: "attached" });
    await this.#cdp.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x: 1, y: 1 }] });
    await this.#cdp.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await isHeard;
  }

  async tap(on: Locator): Promise<void> {
    await this.down(on);
    await this.up();
  }
}
