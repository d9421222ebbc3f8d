/** Photos as phones take them. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { signedIn } from "./pages/auth";
import { type ClientForm, ClientsPage } from "./pages/clients";
import { expect, test } from "./support/test";

/** 2000x1500, a quarter each of red, green, blue and yellow, written by libheif's `heif-enc`. */
const HEIC = resolve(import.meta.dirname, "files/quarters.heic");
const PNG = resolve(import.meta.dirname, "../../manifest/icon-512.png");

const photoOf = (form: ClientForm): Locator => form.dialog.locator("img").last();

/** Returns which of red, green and blue are strong in the middle of each quarter, row by row: `100` is red alone. */
function quarters(photo: Locator): Promise<string[]> {
  return photo.evaluate(async (it: HTMLImageElement) => {
    await it.decode();
    const { naturalWidth: width, naturalHeight: height } = it;
    const context = new OffscreenCanvas(width, height).getContext("2d");
    context?.drawImage(it, 0, 0);
    const places = [1, 3].flatMap((y) => [1, 3].map((x) => [(x * width) / 4, (y * height) / 4] as const));
    return places.map(([x, y]) => {
      const [red = 0, green = 0, blue = 0] = context?.getImageData(x, y, 1, 1).data ?? [];
      const strongest = Math.max(red, green, blue);
      return [red, green, blue].map((it) => (it > 0.7 * strongest ? "1" : "0")).join("");
    });
  });
}

/** With something in it everywhere, so that no part can be left out. */
async function aJpeg(page: Page): Promise<Buffer> {
  const bytes = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(640, 480);
    const context = canvas.getContext("2d");
    for (let n = 0; n < 3_000; n += 1) context?.strokeText(String(n), (n * 37) % 640, (n * 53) % 480);
    const blob = await canvas.convertToBlob({ type: "image/jpeg" });
    return [...new Uint8Array(await blob.arrayBuffer())];
  });
  return Buffer.from(bytes);
}

for (const type of ["image/heic", ""]) {
  const kind = type ? "a HEIC photo" : "a HEIC photo of which the phone knows no type";
  test(`${kind} is read with no network, and saved${type ? "" : " @full"}`, async ({
    page,
    sitter,
    network,
    office,
  }) => {
    await signedIn(page, sitter);
    await network.cut();
    const clients = await ClientsPage.open(page);
    const form = await clients.newClient();
    await form.enter({ name: "Dana Reyes", pets: [{ name: "Rex" }] });
    const photo = { name: "IMG_0001.HEIC", mimeType: type, buffer: await readFile(HEIC) };
    await form.dialog.getByLabel("Choose photo").setInputFiles(photo);
    expect(await quarters(photoOf(form))).toEqual(["100", "010", "001", "110"]);
    await form.save();
    await clients.says("Client added");
    await network.heal();
    await expect(async () => expect((await office.clients())[0]?.dogs[0]?.photo).toBeTruthy()).toPass();
  });
}

test("a photo that is cut short is said to be damaged @full", async ({ page, sitter }) => {
  await signedIn(page, sitter);
  const form = await (await ClientsPage.open(page)).newClient();
  for (const whole of [await readFile(PNG), await readFile(HEIC), await aJpeg(page)]) {
    const buffer = whole.subarray(0, Math.floor(whole.length / 2));
    const [choice, alert] = [form.dialog.getByLabel("Choose photo"), form.dialog.getByRole("alert")];
    await choice.setInputFiles({ name: "IMG_0001", mimeType: "", buffer });
    await expect(alert).toHaveText("This photo is damaged and cannot be shown. Please choose another one.");
    // What no photo begins like is none, whatever it is called.
    await choice.setInputFiles({ name: "IMG_0002.jpg", mimeType: "image/jpeg", buffer: Buffer.from("No photo") });
    await expect(alert).toHaveText("Unsupported file type (use JPEG, PNG, or HEIC)");
    await expect(photoOf(form)).toHaveCount(0);
  }
});
