/** A fresh server has no map: from the sign-up to the first invoice nothing waits for one, and what needs it says so. */
import { SetupPage, SignInPage } from "./pages/auth";
import { ClientsPage } from "./pages/clients";
import { InvoicesPage } from "./pages/invoices";
import { SchedulePage, ServiceForm } from "./pages/schedule";
import { somebody } from "./support/api";
import { isAccessible } from "./support/axe";
import { expect, test } from "./support/test";

test("a stranger gets from the sign-up to the first invoice without a map", async ({ page, server, api }) => {
  const who = somebody();
  const setup = await (await (await SignInPage.open(page)).join()).enter(who, server);
  await test.step("who and where: by words, since there is no map to move", async () => {
    await setup.isAt("About you");
    await page.getByRole("textbox", { name: "Phone" }).fill("555-0100-300");
    await setup.goOn("Next");
    await setup.isAt("Area");
    await page.getByRole("button", { name: "Set on the map" }).click();
    const dialog = page.getByRole("dialog", { name: "Where do you work?" });
    await expect(dialog).toContainText("This server has no map yet");
    await isAccessible(page, "where a server has no map");
    await expect(dialog.getByRole("button", { name: "Use this place" })).toHaveCount(0);
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await page.getByLabel("Service area").fill("Park Slope, Brooklyn");
    await setup.goOn("Next");
    await setup.goOn("Skip");
    await setup.goOn("Save and continue");
    await setup.goOn("Finish");
    await new SetupPage(page).isAt("Your calendar is ready");
    await page.getByRole("link", { name: "Open your calendar" }).click();
  });

  const schedule = await SchedulePage.shown(page);
  const steps = page.getByRole("region", { name: "First steps" });
  await expect(steps).toContainText("0 of 3");
  await expect(steps).not.toContainText("Get the map");
  await test.step("a client and a visit", async () => {
    await steps.getByRole("link", { name: /^Add your first client/ }).click();
    const form = page.getByRole("dialog", { name: "Add Client" });
    await form.getByLabel("Client name").fill("Dana Reyes");
    await form.getByLabel("Pet name").fill("Rex");
    await form.getByRole("button", { name: /^Save/ }).click();
    const clients = new ClientsPage(page);
    await clients.says("Client added");
    await clients.goTo("Schedule");
    await steps.getByRole("link", { name: /^Schedule the first visit/ }).click();
    const service = await ServiceForm.shown(page, "Schedule Service");
    await service.choose({ client: "Dana Reyes", dogs: ["Rex"], start: "2:00 PM" });
    await service.save();
    await expect(steps).toContainText("2 of 3");
    await schedule.hasSentEverything();
  });

  await test.step("routes say what they need", async () => {
    const office = await api.signIn(who);
    await office.call("PUT", "/sitters/service-area", {
      address: "Park Slope, Brooklyn",
      lat: 40.672,
      lng: -73.977,
      radius_miles: 1,
    });
    await page.goto("/routes");
    await page.getByRole("button", { name: "Generate Route" }).click();
    await expect(page.getByText(/the server has none of this place/)).toBeVisible();
    await page.goto("/profile#device");
    await expect(page.getByText(/Maps aren't available in your area yet/)).toBeVisible();
    await expect(page.getByRole("button", { name: "Look again" })).toBeVisible();
  });

  await test.step("the first invoice", async () => {
    const invoices = await InvoicesPage.open(page);
    await invoices.choose("Dana Reyes");
    await page.getByRole("group", { name: "Services" }).getByRole("checkbox").check({ force: true });
    await invoices.share();
    expect(await invoices.link()).toMatch(/\/invoice\//);
  });
});
