/**
 * Invoices by the API, as another program such as a sitter's bookkeeping uses them: phones show each change as it
 * happens.
 */
import { signedIn } from "./pages/auth";
import { InvoiceHistoryPage } from "./pages/invoices";
import { InvitationPage } from "./pages/portal";
import { type SignIn, somebody } from "./support/api";
import { day } from "./support/day";
import { expect, test } from "./support/test";

interface InvoiceRow {
  id: string;
  shareId: string;
  shareUrl: string;
  paid: boolean;
  balance: number;
  updatedServices: number;
  payments: { id: string; amount: number }[];
  refunds: { id: string; amount: number; method: string }[];
}

interface Walk {
  id: string;
  paid: boolean;
}

const PARENT: SignIn = { ...somebody(), name: "Dana Reyes", email: "dana@example.com" };

test("what is billed, paid and taken back by the API is on the sitter's phone, the parent's and the page @full", async ({
  page,
  sitter,
  office,
  api,
  server,
  anotherPhone,
}) => {
  const client = await office.addClient("Dana Reyes", "Rex");
  await office.call("PUT", `/clients/${client.id}`, { email: PARENT.email, walk_rate_30min: 25 });
  for (const start of ["08:00", "09:00", "10:00"]) {
    const { id } = await office.schedule(client, day(), start);
    await office.call("POST", `/scheduled-services/${id}/complete`, { notes: "All well" });
  }
  const { link } = await office.call<{ link: string }>("POST", `/clients/${client.id}/invite`, {});
  const phone = await anotherPhone();
  const portal = await (await InvitationPage.open(phone.page, link)).signUp(PARENT, server);
  await portal.isInstalled();
  const parent = await api.signIn(PARENT);
  await signedIn(page, sitter);
  const history = await InvoiceHistoryPage.open(page);

  const range = `clientId=${client.id}&startDate=${day()}&endDate=${day()}`;
  const walks = () => office.call<Walk[]>("GET", `/services/range?${range}`);
  const [one, two, three] = await walks();
  const services = [one?.id, two?.id];
  const { id, shareId, shareUrl } = await office.call<InvoiceRow>("POST", "/invoices/share", {
    client_id: client.id,
    services,
  });
  const stored = () => office.call<InvoiceRow>("GET", `/invoices/${id}`);
  const card = history.card(/Dana Reyes/);
  await expect(card).toContainText("Unpaid");
  await phone.page.getByRole("link", { name: /^Invoices/ }).click();
  const theirs = phone.page.getByRole("article", { name: /^Invoice / });
  await expect(theirs).toContainText("Unpaid");
  expect(await office.call("GET", "/invoices/count")).toMatchObject({ count: 1 });
  expect(await parent.call("GET", "/client/invoices")).toMatchObject([{ shareUrl, paid: false }]);

  await test.step("a walk on an invoice is paid with it and not by itself; one that is on none is", async () => {
    await expect(office.call("PATCH", `/services/${one?.id}/paid`, { paid: true })).rejects.toThrow(/409/);
    await office.call("PATCH", `/services/${three?.id}/payment`, { paid: true });
    expect((await walks()).map((it) => it.paid)).toEqual([false, false, true]);
  });

  await test.step("a part is paid and taken back", async () => {
    await office.call("POST", `/invoices/${id}/payments`, { amount: 20, method: "cash" });
    await expect(card).toContainText("$30.00 still owed");
    const [payment] = (await stored()).payments;
    await office.call("DELETE", `/invoices/${id}/payments/${payment?.id}`);
    await expect(card).not.toContainText("still owed");
  });

  await test.step("the client is reminded", async () => {
    await office.call("POST", `/invoices/${id}/remind`, {});
    await expect(card).toContainText("reminded");
  });

  await test.step("deleted it is nowhere, and restored where it was", async () => {
    await office.call("DELETE", `/invoices/${id}`);
    await expect(card).not.toBeVisible();
    await expect(theirs).not.toBeVisible();
    await expect(api.call("GET", `/public/invoices/${shareId}`)).rejects.toThrow(/404/);
    await office.call("POST", `/invoices/${id}/restore`, {});
    await expect(card).toContainText("Unpaid");
    await expect(theirs).toContainText("Unpaid");
    expect((await api.call<{ title: string }>("GET", `/public/invoices/${shareId}`)).title).toMatch(/^Invoice /);
  });

  await test.step("a business that takes no cards has no page for one", async () => {
    await expect(parent.call("POST", `/client/invoices/${id}/card-page`, {})).rejects.toThrow(/409/);
  });

  await test.step("all of it is paid", async () => {
    const answer = await office.call<InvoiceRow>("POST", `/invoices/${id}/mark-paid`, { method: "transfer" });
    expect(answer).toMatchObject({ paid: true, updatedServices: 2 });
    await expect(card).toContainText("Paid on");
    await expect(theirs).toContainText("Paid on");
    expect(await api.call("GET", `/public/invoices/${shareId}`)).toMatchObject({ state_text: "Paid" });
    expect(await office.call("GET", "/services/recent?limit=3")).toHaveLength(3);
  });

  await test.step("the client is let off a part", async () => {
    await office.call("POST", `/invoices/${id}/credit`, { amount: 5, note: "Came late" });
    await expect(card).toHaveCount(2);
  });

  await test.step("what the client has paid too much by now goes back, or stays as credit", async () => {
    await office.call("POST", `/invoices/${id}/refunds`, { method: "cash" });
    const [refund] = (await stored()).refunds;
    expect(refund).toMatchObject({ amount: 5, method: "cash" });
    await office.call("DELETE", `/invoices/${id}/refunds/${refund?.id}`);
    expect((await stored()).refunds ?? []).toEqual([]);
    await office.call("POST", `/invoices/${id}/overpayment`, { tip: 0, kept: 5 });
    await expect(card.first()).toBeVisible();
  });

  await test.step("a payment over several invoices, and what is never paid", async () => {
    await office.call("POST", "/invoices/payments", { parts: [{ invoice_id: id, amount: 1 }], beyond: "credit" });
    await office.call("POST", `/invoices/${id}/write-off`, { written_off: true });
    await office.call("POST", `/invoices/${id}/write-off`, { written_off: false });
  });
});
