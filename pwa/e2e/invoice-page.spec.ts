/** An invoice's page: what a stranger sees who has its address, on any screen, without a script, and on paper. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Api } from "./support/api";
import { isAccessible } from "./support/axe";
import { day } from "./support/day";
import { fits } from "./support/fitting";
import { expect, test, watch } from "./support/test";

const PHOTO = resolve(import.meta.dirname, "../../manifest/icon-512.png");

/** Texts of an invoice page that tests compare. */
interface Words {
  title: string;
  facts: { label: string; text: string }[];
  lines: { date: string; what: string; time: string; dogs: string; notes: string; price: string }[];
  sums: { label: string; amount: string }[];
}

/** A business that takes money by Venmo and Zelle and offers tips, and the path of an invoice of so many walks. */
async function billed(office: Api, n_walks: number): Promise<string> {
  await office.call("PUT", "/sitters/profile", {
    business_name: "Łucja's Dog Walks",
    phone: "(555) 010-2030",
    invoicing: {
      prefix: "INV-",
      due_days: 14,
      tax: { name: "Sales tax", rate: 825 },
      pay_to: { venmo: "lucjas-walks", zelle: "lucja@walkies.example" },
      tips: [10, 15, 20],
      tip_nudge: "Tips go to Łucja, every cent.",
    },
  });
  const client = await office.addClient("Dana Ömer", "Rex", "שוקו");
  const services = [];
  for (let walk = 0; walk < n_walks; walk += 1) {
    // As many on one day as it has hours.
    const date = day(1 + Math.floor(walk / 10));
    services.push(await office.schedule(client, date, `${String(8 + (walk % 10)).padStart(2, "0")}:00`));
  }
  const form = new FormData();
  form.append("photo", new Blob([readFileSync(PHOTO)], { type: "image/png" }), "a.png");
  const photo = await office.upload<{ id: string }>("/upload", form);
  const { shareId } = await office.call<{ shareId: string }>("POST", "/invoices/share", {
    client_id: client.id,
    services: services.map((it) => it.id),
    photos: [photo.id],
    note: "Thank you for a lovely week!\nSee you on Monday.",
  });
  return `/invoice/${shareId}`;
}

test("a stranger reads, tips and would pay an invoice without an account and without a script @desktop", async ({
  browser,
  office,
  network,
  complaints,
  viewport,
}) => {
  const path = await billed(office, 3);
  const context = await browser.newContext({ viewport, baseURL: network.origin, javaScriptEnabled: false });
  await watch(context, network.origin, complaints);
  const page = await context.newPage();
  await page.goto(path);
  await expect(page).toHaveTitle("Invoice INV-1 · Łucja's Dog Walks");
  await expect(page.getByRole("heading", { level: 1, name: "Invoice INV-1" })).toBeVisible();
  const pay = page.getByRole("link", { name: /^Pay .* with Venmo$/ });
  await expect(pay).toBeInViewport();
  await expect(page.getByRole("row")).toHaveCount(4);
  await expect(page.getByText("lucja@walkies.example")).toBeVisible();
  await expect(page.getByText("See you on Monday.")).toBeVisible();
  await expect(page.getByRole("img", { name: "Photo 1" })).toBeVisible();
  const before = await pay.getAttribute("href");

  await page.getByRole("link", { name: /^15%/ }).click();
  await expect(page.getByText(/^Tip of \$[\d.]+ added/)).toBeVisible();
  await expect(page.getByRole("link", { name: /^15%/ })).toHaveAttribute("aria-current", "true");
  expect(await pay.getAttribute("href")).not.toBe(before);
  await page.getByLabel("Another amount").fill("4.50");
  await page.getByRole("button", { name: "Add" }).click();
  await expect(page.getByText("Tip of $4.50 added")).toBeVisible();
  await page.getByRole("link", { name: "Remove" }).click();
  await expect(page.getByText(/^Tip of/)).toHaveCount(0);
  expect(await pay.getAttribute("href")).toBe(before);
  await context.close();
});

test("everybody can use the page, on a small screen with large letters, too @desktop", async ({ page, office }) => {
  const path = await billed(office, 2);
  const policy: string[] = [];
  page.on("console", (message) => policy.push(message.text()));
  await page.goto(`${path}?tip=15`);
  await isAccessible(page, "invoice");
  await fits(page, "invoice");
  await page.goto("/invoice/AAAAAAAAAAAAAAAAAAAAAA");
  await expect(page.getByRole("heading", { name: "This invoice is no longer shared" })).toBeVisible();
  await isAccessible(page, "invoice that is gone");
  expect(policy.filter((it) => it.includes("Content Security Policy"))).toEqual([]);
});

test("on paper it is light, whole, and has no buttons", async ({ page, office }) => {
  const path = await billed(office, 2);
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await page.goto(path);
  await expect(page.getByRole("link", { name: "Download PDF" })).toBeHidden();
  await expect(page.getByLabel("Another amount")).toBeHidden();
  await expect(page.getByText("Scan to pay with Venmo")).toBeVisible();
  const ink = await page.locator("h1").evaluate((it) => getComputedStyle(it).color);
  expect(ink).toBe("rgb(29, 36, 51)");
});

test("a page of 100 walks weighs less than 60 kB, and its PDF says the same words @full", async ({
  office,
  network,
}) => {
  const path = await billed(office, 100);
  const page = await fetch(network.origin + path);
  expect((await page.arrayBuffer()).byteLength).toBeLessThan(60_000);
  const said = await fetch(`${network.origin}/api/public${path.replace("invoice", "invoices")}`);
  const { data } = (await said.json()) as { data: Words };
  const pdf = await fetch(`${network.origin}${path}/pdf`);
  const input = Buffer.from(await pdf.arrayBuffer());
  const printed = execFileSync("pdftotext", ["-raw", "-", "-"], { input }).toString("utf8");
  // Where a line ends is the paper's, and so are marks for the direction of letters.
  const bare = (text: string) => text.replace(/[\s\u200e\u200f\u202a-\u202e]/g, "");
  const count = (text: string) => bare(printed).split(bare(text)).length - 1;
  expect(count(data.title)).toBeGreaterThan(0);
  for (const { label, text } of data.facts) {
    expect(count(label), label).toBeGreaterThan(0);
    // A text of two directions is written by each reader in an order of its own.
    if (!/[\u0590-\u05ff]/.test(text)) expect(count(text), text).toBeGreaterThan(0);
  }
  for (const { label, amount } of data.sums) expect(count(label + amount), label).toBeGreaterThan(0);
  const lines = new Map<string, number>();
  for (const it of data.lines) lines.set(it.time, (lines.get(it.time) ?? 0) + 1);
  for (const [time, n] of lines) expect(count(time), time).toBe(n);
  expect(count("שוקו") + count("וקוש")).toBeGreaterThanOrEqual(data.lines.length);
  expect(printed).toMatch(/Page 2 of \d/);
});

test("whoever has the PDF read out hears what its parts are", async ({ office, network }, info) => {
  const path = await billed(office, 40);
  const pdf = await fetch(`${network.origin}${path}/pdf`);
  const file = info.outputPath("invoice.pdf");
  writeFileSync(file, Buffer.from(await pdf.arrayBuffer()));
  // Its reader finds fault with a word of the file that says nothing to anybody.
  const read = (...args: string[]) => execFileSync("pdfinfo", [...args, file], { stdio: "pipe" }).toString("utf8");
  const told = read();
  expect(told).toMatch(/^Title: +Invoice INV-1 · Łucja's Dog Walks$/m);
  expect(told).toMatch(/^Tagged: +yes$/m);
  // Each part below what it is in, with its words in quotes.
  const parts = read("-struct-text");
  const count = (part: RegExp) => parts.match(part)?.length ?? 0;
  expect(parts).toMatch(/H1 \(block\)\n +"Invoice INV-1"\n/);
  expect(parts).toMatch(/H2 \(block\)\n +"How to pay"\n/);
  expect(parts).toMatch(/Link \(inline\)\n +"Venmo {2}@lucjas-walks"\n/);
  expect(count(/TH:\n +\/Scope \/Column\n/g)).toBe(3);
  // What stands again at the head of each further page is said once.
  expect(count(/"Service"/g)).toBe(1);
  expect(count(/TR\n +TD\n +"[^"]*"\n +TD\n +"Walk"\n/g)).toBe(40);
  expect(parts).not.toContain("Page 1 of");
  const bytes = readFileSync(file, "latin1");
  for (const said of ["/Alt(Code to scan, to pay with Venmo)", "/Alt(Photo 1)", "/Lang(en)"]) {
    expect(bytes).toContain(said);
  }
});
