/** Visit requests of pet parents, and the sitter's answers with and without a network. */
import { signedIn } from "./pages/auth";
import { RequestsPage } from "./pages/requests";
import { SchedulePage } from "./pages/schedule";
import { Api } from "./support/api";
import { isAccessible } from "./support/axe";
import { DEMO, demoServer } from "./support/demo";
import { test as base, expect } from "./support/test";

interface RequestRow {
  status: string;
  client_name: string;
  sitter_response: string;
  scheduled_service_id: string | null;
}

const test = base.extend({ server: demoServer });

test("requests are answered without a network, and what became of them is on the server @desktop @postgres", async ({
  page,
  network,
  server,
}) => {
  const office = await new Api(server.origin).signIn(DEMO);
  const stored = async (): Promise<RequestRow[]> => {
    const { requests } = await office.call<{ requests: RequestRow[] }>("GET", "/sitter/requests");
    return requests;
  };
  const [first, second] = (await stored()).filter((it) => it.status === "pending").map((it) => it.client_name);
  await signedIn(page, DEMO);
  const requests = await RequestsPage.open(page);
  await requests.choose("Pending");
  await isAccessible(page, "requests");
  await network.cut();
  await requests.approve(requests.card(first ?? ""));
  await requests.decline(requests.card(second ?? ""), "Full that day");
  await network.heal();
  await requests.hasSentEverything();

  const after = await stored();
  const approved = after.find((it) => it.client_name === first && it.status === "approved");
  expect(approved?.scheduled_service_id).toBeTruthy();
  expect(after.find((it) => it.client_name === second && it.status === "declined")?.sitter_response).toBe(
    "Full that day",
  );
  await requests.choose("Approved");
  await requests
    .card(first ?? "")
    .getByRole("link", { name: "Open the service" })
    .click();
  await SchedulePage.shown(page);
  await expect(page.getByRole("dialog", { name: "Service Details" })).toBeVisible();
});
