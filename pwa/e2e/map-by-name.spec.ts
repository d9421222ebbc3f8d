/** A fresh server gets its map by a name: from the sign-up to the first invoice addresses and routes come from it. */
import { hasApp, SetupPage, SignInPage } from "./pages/auth";
import { ClientsPage } from "./pages/clients";
import { InvoicesPage } from "./pages/invoices";
import { isDrawn, look } from "./pages/map";
import { SchedulePage, ServiceForm } from "./pages/schedule";
import { somebody } from "./support/api";
import { startMapMirror } from "./support/mapMirror";
import { expect, test } from "./support/test";

test("with a map that was got by name a stranger has streets, addresses and a route, and bills the walk @full", async ({
  page,
  server,
  network,
}) => {
  const mirror = await startMapMirror();
  // What broke off goes on where it was.
  expect(await server.getMap("Uusimaa", mirror.origin)).toContain("Uusimaa");
  expect(mirror.begun[0]).toBe(0);
  expect(mirror.begun.at(-1)).toBeGreaterThan(0);
  await mirror.close();

  const setup = await (await (await SignInPage.open(page)).join()).enter(somebody(), server);
  await test.step("where one works is set on the map", async () => {
    await setup.isAt("About you");
    await page.getByRole("textbox", { name: "Phone" }).fill("555-0100-300");
    await setup.goOn("Next");
    await setup.isAt("Area");
    await page.getByLabel("Service area").fill("Kamppi, Helsinki");
    await page.getByRole("button", { name: "Set on the map" }).click();
    const dialog = page.getByRole("dialog", { name: "Where do you work?" });
    // The region of the test is smaller than where one works.
    await expect.poll(async () => (await look(page)).colors).toBeGreaterThan(8);
    await dialog.getByRole("application").focus();
    await page.keyboard.press("ArrowRight");
    await dialog.getByRole("button", { name: "Use this place" }).click();
    await setup.goOn("Next");
    await setup.goOn("Skip");
    await setup.goOn("Save and continue");
    await setup.goOn("Finish");
    await new SetupPage(page).isAt("Your calendar is ready");
    await page.getByRole("link", { name: "Open your calendar" }).click();
  });

  const schedule = await SchedulePage.shown(page);
  await hasApp(page);
  await test.step("an address is found with no network, and the client is booked", async () => {
    const { dialog } = await (await ClientsPage.open(page)).newClient();
    const address = dialog.getByRole("combobox", { name: "Address" });
    await address.fill("aleksanterinkat");
    await expect(dialog.getByRole("option", { name: /^Aleksanterinkatu/ }).first()).toBeVisible();
    await network.cut();
    await address.fill("mannerheimint");
    await dialog
      .getByRole("option", { name: /^Mannerheimintie/ })
      .first()
      .click();
    await expect(dialog.getByRole("button", { name: "Move on the map" })).toBeVisible();
    await dialog.getByLabel("Client name").fill("Dana Reyes");
    await dialog.getByLabel("Pet name").fill("Rex");
    await dialog.getByRole("button", { name: /^Save/ }).click();
    await new ClientsPage(page).says("Client added");
    await schedule.goTo("Schedule");
    await page.getByRole("button", { name: "Schedule Service" }).first().click();
    const service = await ServiceForm.shown(page, "Schedule Service");
    await service.choose({ client: "Dana Reyes", dogs: ["Rex"], start: "2:00 PM" });
    await service.save();
  });

  await test.step("a route begins at the client's door", async () => {
    await page.goto("/routes");
    await page.getByRole("button", { name: "Generate Route" }).click();
    await expect(page.getByRole("button", { name: /^Start/ }).first()).toBeVisible();
    await isDrawn(page);
  });

  await test.step("the first invoice", async () => {
    await network.heal();
    const invoices = await InvoicesPage.open(page);
    await invoices.hasSentEverything();
    await invoices.choose("Dana Reyes");
    await page.getByRole("group", { name: "Services" }).getByRole("checkbox").check({ force: true });
    await invoices.share();
    expect(await invoices.link()).toMatch(/\/invoice\//);
  });
});
