/** How a business bills, from its settings to the page of an invoice, and what is done where a payment was a slip or a walk was cut short. */
import { resolve } from "node:path";
import { signedIn } from "./pages/auth";
import { InvoiceHistoryPage, InvoicesPage } from "./pages/invoices";
import { day } from "./support/day";
import { expect, test } from "./support/test";

const PHOTO = resolve(import.meta.dirname, "../../manifest/icon-512.png");

test("what the settings say stands on the invoice, which is owed again after a slip and given back in part", async ({
  page,
  sitter,
  office,
  server,
  anotherPhone,
}) => {
  const client = await office.addClient("Dana Reyes", "Rex");
  const { id } = await office.schedule(client, day(), "08:00");
  await office.call("POST", `/scheduled-services/${id}/complete`, { notes: "All well" });
  await signedIn(page, sitter);

  await test.step("the settings", async () => {
    await page.goto("/profile#invoices");
    const form = page.getByRole("region", { name: "Invoices and payments" });
    await form.getByLabel("Numbers begin with").fill("RW-");
    await form.getByLabel("Venmo").fill("@robins-walks");
    await form.getByRole("switch", { name: "Tax on invoices" }).click();
    await form.getByLabel("Rate").fill("8");
    await form.getByRole("switch", { name: "Offer tips" }).click();
    await form.getByRole("button", { name: "Save settings" }).click();
    await new InvoicesPage(page).says("Settings saved");
  });

  const invoices = await InvoicesPage.open(page);
  await invoices.toBill.click();
  await page.getByLabel("Add photos").setInputFiles(PHOTO);
  await expect(page.getByRole("img", { name: "Photo 1" })).toBeVisible();
  await invoices.share();
  const link = await invoices.link();
  await invoices.dialog.getByRole("button", { name: "Close" }).last().click();

  const { page: stranger } = await anotherPhone();
  const path = new URL(link).pathname;
  await test.step("the page", async () => {
    await stranger.goto(path);
    await expect(stranger.getByRole("heading", { level: 1, name: "Invoice RW-1" })).toBeVisible();
    await expect(stranger.getByText("Sales tax")).toBeVisible();
    await expect(stranger.getByRole("link", { name: "Pay $27.00 with Venmo" })).toBeVisible();
    await expect(stranger.getByRole("link", { name: /%/ })).toHaveCount(3);
    const photo = stranger.getByRole("img", { name: "Photo 1" });
    await photo.scrollIntoViewIfNeeded();
    await expect.poll(() => photo.evaluate((it: HTMLImageElement) => it.naturalWidth)).toBe(512);
    const pdf = await fetch(`${server.origin}${path}/pdf`);
    expect(pdf.headers.get("Content-Type")).toBe("application/pdf");
  });

  const history = await InvoiceHistoryPage.open(page);
  const card = history.card(/^RW-1/);
  await test.step("a payment that was a slip", async () => {
    await history.markPaid(card, "Cash");
    await expect(card).toContainText("Paid on");
    await history.act(card, "Payments");
    await history.dialog.getByRole("button", { name: "Remove the payment of $27.00" }).click();
    await history.dialog.getByRole("button", { name: "Close" }).first().click();
    await expect(card).toContainText("Unpaid");
    await history.hasSentEverything();
    await stranger.reload();
    await expect(stranger.getByRole("link", { name: "Pay $27.00 with Venmo" })).toBeVisible();
  });

  await test.step("a part that is given back", async () => {
    await history.act(card, "Credit note");
    await history.dialog.getByLabel("Amount").fill("7");
    await history.dialog.getByLabel("Reason").fill("Cut short by the rain");
    await history.dialog.getByRole("button", { name: "Share" }).click();
    await history.says("Credit note shared");
    await expect(card).toContainText("$20.00 still owed");
    await history.hasSentEverything();
    await stranger.reload();
    await expect(stranger.getByRole("link", { name: "Pay $20.00 with Venmo" })).toBeVisible();
    const note = history.card(/^RW-2/).getByRole("link", { name: "View Credit Note" });
    await stranger.goto((await note.getAttribute("href")) ?? "");
    await expect(stranger.getByRole("heading", { level: 1, name: /RW-2/ })).toBeVisible();
    await expect(stranger.getByText("Cut short by the rain")).toBeVisible();
    await expect(stranger.getByRole("link", { name: /Venmo/ })).toHaveCount(0);
  });
});
