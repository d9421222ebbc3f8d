/**
 * Everything except invoices that other programs do by the API: each thing that a phone does by sync has a call of its
 * own, and phones show the change as it happens.
 */
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { AnalyticsPage } from "./pages/analytics";
import { signedIn } from "./pages/auth";
import { AvailabilityPage } from "./pages/availability";
import { MessagesPage } from "./pages/messages";
import { InvitationPage } from "./pages/portal";
import { SchedulePage } from "./pages/schedule";
import { ServicesPage } from "./pages/services";
import { Api, type OfferingRow, type ServiceRow, type SignIn, somebody } from "./support/api";
import { codeOf } from "./support/authenticator";
import { day, ZONE } from "./support/day";
import { DEMO, demoServer } from "./support/demo";
import type { Server } from "./support/server";
import { expect, test } from "./support/test";

interface SharedWalk {
  id: string;
  reports: { share_id: string }[];
}

interface VideoState {
  offset: number;
  complete: boolean;
}

const demoFile = async (name: string): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await readFile(resolve(import.meta.dirname, "../../server/demo", name)));

const PARENT: SignIn = { ...somebody(), name: "Dana Reyes", email: "dana@example.com" };

test("whoever was invited sees the logo of the business by the code", async ({ page, office, server }) => {
  const form = new FormData();
  form.set("photo", new File([await demoFile("luna.jpg")], "logo.jpg", { type: "image/jpeg" }));
  const { id: photo } = await office.upload<{ id: string }>("/upload", form);
  await office.call("PUT", "/sitters/profile", { photo });
  const client = await office.addClient("Dana Reyes", "Rex");
  const { code } = await office.call<{ code: string }>("POST", `/clients/${client.id}/invite`, {});
  const logo = await page.request.get(`${server.origin}/api/invites/${code}/logo`);
  expect(logo.headers()["content-type"]).toMatch(/^image\//);
});

test("a calendar kept by the API is the calendar on the phone @full", async ({ page, sitter, office }) => {
  const client = await office.addClient("Dana Reyes", "Rex");
  await office.call("PUT", `/clients/${client.id}`, { walk_rate_30min: 25 });
  await signedIn(page, sitter);
  const schedule = await SchedulePage.open(page);
  await schedule.showDay();
  const wish = { date: day(), start_time: "15:00", duration_minutes: 30, service_type: "walk" };
  const asked = { client_id: client.id, dog_ids: client.dogs.map((it) => it.id), ...wish };

  await test.step("what it costs and what is in its way is asked before", async () => {
    const price = await office.call("POST", "/scheduled-services/price-preview", asked);
    expect(price).toMatchObject({ price: 25 });
    expect(await office.call("POST", "/scheduled-services/check-conflict", wish)).toMatchObject({ conflict: false });
  });

  const { id } = await office.schedule(client, day(), "15:00");
  await expect(schedule.visit("3:00 PM")).toContainText("Dana Reyes");
  expect(await office.call("POST", "/scheduled-services/check-conflict", wish)).toMatchObject({ conflict: true });

  await test.step("it is moved, and says how it goes", async () => {
    await office.call("PUT", `/scheduled-services/${id}`, { start_time: "16:30", overlap_ok: true });
    await expect(schedule.visit("4:30 PM")).toContainText("Dana Reyes");
    await office.call("PUT", `/services/${id}`, { notes: "Back door", overlap_ok: true });
    const moved = { start_time: "16:30", notes: "Back door" };
    expect(await office.call("GET", `/scheduled-services/${id}`)).toMatchObject(moved);
  });

  await test.step("several are copied, moved and called off at once", async () => {
    const at = { date: day(1), start_time: "15:00" };
    const copy = randomUUID();
    await office.call("POST", "/scheduled-services/copy", { copies: [{ id: copy, original: id, ...at }] });
    expect(await office.call("GET", `/scheduled-services/${copy}`)).toMatchObject(at);
    const later = { id: copy, date: day(1), start_time: "15:30", was_date: day(1), was_start_time: "15:00" };
    await office.call("POST", "/scheduled-services/move", { moves: [later] });
    await office.call("POST", "/scheduled-services/mark", { marked: [copy], status: "cancelled" });
    const off = { start_time: "15:30", status: "cancelled" };
    expect(await office.call("GET", `/scheduled-services/${copy}`)).toMatchObject(off);
  });

  await test.step("what was done before is written down, and taken off", async () => {
    const done = { ...asked, start_time: "06:00", price: 40, completion_notes: "Rain" };
    const { id: logged } = await office.call<ServiceRow>("POST", "/services", done);
    await expect(schedule.visit("6:00 AM")).toContainText("Dana Reyes");
    expect(await office.call("GET", `/services/${logged}`)).toMatchObject({ price: 40, status: "completed" });
    expect(await office.call("GET", `/services?client_id=${client.id}`)).toHaveLength(1);
    expect(await office.call("GET", "/dashboard/stats")).toMatchObject({ walks: 1, unpaid_amount: 40 });
    await office.call("PATCH", `/services/${logged}/paid`, { paid: true });
    expect(await office.call("GET", "/dashboard/stats")).toMatchObject({ walks: 1, unpaid_amount: 0 });
    await office.call("DELETE", `/services/${logged}`);
    await expect(schedule.visit("6:00 AM")).not.toBeVisible();
  });
});

test("prices and hours kept by the API are those on the phone @full", async ({ page, sitter, office }) => {
  await signedIn(page, sitter);
  const services = await ServicesPage.open(page);
  const [first, second, ...others] = await office.offerings();
  if (!first || !second) throw new Error("A sitter begins with offerings");
  await office.call("PUT", `/sitter-services/${first.id}`, { name: "Puppy hour", category: second.category });
  const changed = [first, second, ...others];
  const order = async (them: OfferingRow[]) => {
    const serviceOrders = them.map(({ id }, display_order) => ({ id, display_order }));
    await office.call("PATCH", "/sitter-services/reorder", { serviceOrders });
  };
  await order(changed);
  await expect(services.names.first()).toHaveText("Puppy hour");
  await order([second, first, ...others]);
  await expect(services.names.first()).toHaveText(second.name);

  const times = { start_time: "09:00", end_time: "12:00" };
  const { id } = await office.call<{ id: string }>("POST", "/availability/patterns", { day_of_week: 1, ...times });
  await office.call("PUT", `/availability/patterns/${id}`, { pattern_name: "Early birds" });
  await office.call("PUT", "/availability/config", { slot_interval_minutes: 60 });
  const lunch = { block_date: day(3), start_time: "12:00", end_time: "13:00", reason: "Dentist" };
  const block = await office.call<{ id: string }>("POST", "/availability/blocked-times", lunch);
  await (await SchedulePage.open(page)).showView("Availability");
  const availability = await AvailabilityPage.shown(page);
  await expect(page.getByRole("button", { name: /Active.*Early birds/ })).toBeVisible();
  await office.call("PATCH", `/availability/patterns/${id}/toggle`, { is_active: false });
  await expect(page.getByRole("button", { name: /Inactive.*Early birds/ })).toBeVisible();
  await availability.showTab("Blocked Times");
  await expect(page.getByText("Dentist")).toBeVisible();
  const away = await office.call<{ id: string }>("POST", "/availability/time-off", { ...lunch, reason: "Ill" });
  await expect(page.getByText("Ill", { exact: true })).toBeVisible();
  await office.call("POST", `/availability/time-off/${away.id}/undo`, {});
  await expect(page.getByText("Ill", { exact: true })).not.toBeVisible();
  await office.call("DELETE", `/availability/blocked-times/${block.id}`);
  await expect(page.getByText("Dentist")).not.toBeVisible();
  expect(await office.call("GET", "/availability/config")).toMatchObject({ slot_interval_minutes: 60 });
  expect(await office.call("GET", "/scheduling/constraints")).toBeTruthy();
  expect(await office.call("GET", "/sitter/profile/status")).toBeTruthy();
  expect(await office.call("GET", "/auth/user")).toMatchObject({ email: sitter.email });
});

test("a pet parent's own program asks, writes and reads, and both phones show it @full", async ({
  page,
  sitter,
  office,
  api,
  server,
  anotherPhone,
}) => {
  const client = await office.addClient("Dana Reyes", "Rex");
  await office.call("PUT", `/clients/${client.id}`, { email: PARENT.email });
  const { id: visit } = await office.schedule(client, day(1), "08:00");
  const { link } = await office.call<{ link: string }>("POST", `/clients/${client.id}/invite`, {});
  const phone = await anotherPhone();
  await (await InvitationPage.open(phone.page, link)).signUp(PARENT, server);
  const parent = await api.signIn(PARENT);
  await signedIn(page, sitter);

  const messages = await MessagesPage.open(page);
  const [contact] = await office.call<{ client_user_id: string }[]>("GET", "/clients-available");
  const told = { client_id: client.id, client_user_id: contact?.client_user_id };
  const { id } = await office.call<{ id: string }>("POST", "/conversations", told);
  const to = { conversation_id: id, message_type: "text" };
  await parent.call("POST", "/messages", { ...to, recipient_type: "sitter", content: "The gate sticks" });
  await messages.conversation("Dana Reyes").click();
  await expect(messages.message("The gate sticks")).toBeVisible();

  await test.step("a photo is written, read and taken back", async () => {
    const form = new FormData();
    form.set("conversation_id", id);
    form.set("file", new File([await demoFile("nalle.jpg")], "rex.jpg", { type: "image/jpeg" }));
    const { url } = await office.upload<{ url: string }>("/messages/upload", form);
    const sent = { ...to, recipient_type: "client", message_type: "image", attachment_url: url, content: "Rex" };
    const message = await office.call<{ id: string }>("POST", "/messages", sent);
    expect(await parent.call("GET", "/messages/unread-count")).toMatchObject({ unread_count: 1 });
    await parent.call("PUT", `/messages/${id}/read`, {});
    expect(await parent.call("GET", "/messages/unread-count")).toMatchObject({ unread_count: 0 });
    expect(await parent.call("GET", "/conversations/search?q=gate")).toHaveLength(1);
    await office.call("DELETE", `/messages/${message.id}`);
    await expect(messages.message("This message was deleted")).toBeVisible();
    await office.call("POST", `/conversations/${id}/archive`, {});
    expect(await office.call("GET", "/conversations")).toHaveLength(0);
    await office.call("POST", `/conversations/${id}/unarchive`, {});
  });

  await test.step("a visit is asked for, withdrawn, and asked for again", async () => {
    const [dog] = client.dogs;
    const [theirs] = await parent.call<{ sitter_id: string }[]>("GET", "/client/sitters");
    const of = `sitter_id=${theirs?.sitter_id}`;
    expect(await parent.call("GET", `/client/services?${of}`)).toMatchObject([{ id: visit }]);
    expect(await parent.call("GET", `/client/offerings?${of}`)).not.toHaveLength(0);
    expect(await parent.call("GET", `/client/slots?${of}&date=${day(2)}`)).toBeTruthy();
    expect(await parent.call("GET", `/client/closed-day?${of}&date=${day(2)}`)).toHaveProperty("next");
    expect(await parent.call("GET", `/client/open-days?${of}`)).toHaveProperty("days");
    expect(await parent.call("GET", "/client/reports")).toHaveLength(0);
    await parent.call("PUT", "/client/details", { emergency_contact: "Ann, next door" });

    const open = { day_of_week: new Date(day(2)).getUTCDay(), start_time: "06:00", end_time: "20:00" };
    await office.call("POST", "/availability/patterns", open);
    const wish = { requested_date: day(2), requested_duration_minutes: 30, service_type: "walk", dog_ids: [dog?.id] };
    const ask = (requested_start_time: string) =>
      parent.call<{ id: string }>("POST", "/client/requests", { ...wish, requested_start_time });
    const early = await ask("07:00");
    await parent.call("DELETE", `/client/requests/${early.id}`);
    const { id: request } = await ask("11:00");
    expect(await office.call("GET", "/sitter/requests?status=pending")).toMatchObject({ requests: [{ id: request }] });
    const approved = await office.call<{ scheduled_service_id: string }>(
      "POST",
      `/sitter/requests/${request}/approve`,
      {
        create_scheduled_service: true,
      },
    );
    const service_id = approved.scheduled_service_id;
    await office.call("POST", `/sitter/requests/${request}/undo-approval`, { service_id });
    const approvals = [{ id: request, service_id: randomUUID() }];
    await office.call("POST", "/sitter/requests/approve", { approvals });
    const visits = await parent.call<{ id: string; date: string }[]>("GET", `/client/services?${of}`);
    expect(visits).toHaveLength(2);
    await expect(phone.page.getByText("11:00 AM").first()).toBeVisible();
    const change = { kind: "cancel_service", service_id: visits.find((it) => it.id !== visit)?.id };
    const { id: asked } = await parent.call<{ id: string }>("POST", "/client/requests/changes", { change });
    await office.call("POST", `/sitter/requests/${asked}/grant`, { sitter_response: "All right" });
    expect(await parent.call("GET", `/client/services?${of}`)).toContainEqual(
      expect.objectContaining({ id: change.service_id, status: "cancelled" }),
    );
  });

  await test.step("a walk is told of, and taken back", async () => {
    const report = { id: randomUUID(), client_id: client.id, dog_ids: client.dogs.map((it) => it.id), note: "Sunny" };
    const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    const walk = { started_at: at(40), ended_at: at(10), ran_seconds: 1800, distance_m: 1500 };
    const told = { reports: [report], walk };
    const { id: walked, reports } = await office.call<SharedWalk>("POST", "/walks", told);
    const shared = `/public/reports/${reports[0]?.share_id}`;
    expect(await api.call("GET", shared)).toMatchObject({ note: "Sunny" });
    await expect.poll(() => parent.call("GET", "/client/reports")).toHaveLength(1);
    await office.call("DELETE", `/walks/${walked}`);
    await expect(api.call("GET", shared)).rejects.toThrow(/404/);
  });

  await test.step("who is no client any more sees nothing", async () => {
    await office.call("POST", `/clients/${client.id}/unlink`, {});
    expect(await parent.call("GET", "/client/sitters")).toHaveLength(0);
    for (const { id: booked } of await office.services()) await office.call("DELETE", `/scheduled-services/${booked}`);
    await office.call("DELETE", `/clients/${client.id}`);
    await expect(office.call("GET", `/clients/${client.id}`)).rejects.toThrow(/404/);
  });
});

test("an account is made, looked after and ended by the API @full", async ({ page, api, server }) => {
  const who = somebody();
  const { confirmation } = await api.call<{ confirmation: string }>("POST", "/auth/signup", {
    ...who,
    time_zone: ZONE,
  });
  await api.call("POST", "/auth/signup/confirm", { confirmation, code: await server.mailedCode(who.email) });
  const office = await api.signIn(who);
  await signedIn(page, who);
  expect(await office.call("GET", "/sitters/profile")).toMatchObject({ name: who.name });
  const { password } = who;

  await test.step("the calendar can be read at its address until that ends", async () => {
    const client = await office.addClient("Dana Reyes", "Rex");
    await office.schedule(client, day(1), "08:00");
    const { url } = await office.call<{ url: string }>("POST", "/calendar/address", {});
    const { pathname } = new URL(url);
    const feed = await fetch(server.origin + pathname);
    expect(await feed.text()).toContain("Dana Reyes");
    await office.call("DELETE", "/calendar/address");
    expect((await fetch(server.origin + pathname)).status).toBe(404);
  });

  await test.step("a document and a video are brought, read and thrown away", async () => {
    const form = new FormData();
    form.set("document", new File([await demoFile("nalle.jpg")], "licence.jpg", { type: "image/jpeg" }));
    const document = await office.upload<{ id: string }>("/sitters/upload-document", form);
    await office.call("DELETE", `/sitters/documents/${document.id}`);
    const film = await demoFile("nalle.mp4");
    const video = `/videos/${randomUUID()}`;
    const begun = { id: video.split("/").at(-1), media_type: "video/mp4", size_bytes: film.length };
    await office.call("POST", "/videos", begun);
    expect(await office.call<VideoState>("GET", video)).toMatchObject({ offset: 0, complete: false });
    await office.send("PATCH", `${video}?offset=0`, film);
    expect(await office.text(`${video}/file`)).toContain("ftyp");
    await office.call("DELETE", video);
    await expect(office.call("GET", video)).rejects.toThrow(/404/);
  });

  await test.step("at night nothing rings", async () => {
    const quiet_hours = { from: "21:00", to: "07:00" };
    await office.call("PUT", "/push/preferences", { quiet_hours, time_zone: ZONE });
    expect(await office.call("GET", "/push/preferences")).toMatchObject({ preferences: { quiet_hours } });
  });

  await test.step("a second factor is set up, and given up", async () => {
    const { id, secret } = await office.call<{ id: string; secret: string }>("POST", "/auth/factors/totp", {
      password,
    });
    await office.call("POST", `/auth/factors/${id}/confirm`, { code: codeOf(secret) });
    const codes = await office.call<{ recovery_codes: string[] }>("POST", "/auth/recovery-codes", { password });
    expect(codes.recovery_codes).not.toHaveLength(0);
    await office.call("DELETE", `/auth/factors/${id}`, { password });
  });

  await test.step("a phone is signed out from afar, and the account is gone with all that it had", async () => {
    expect(await office.call("POST", "/sync/verify", { ids: [] })).toMatchObject({ unknown: [] });
    const sessions = await office.call<{ id: string; is_current: boolean }[]>("GET", "/auth/sessions");
    for (const { id, is_current } of sessions) if (!is_current) await office.call("DELETE", `/auth/sessions/${id}`);
    await expect(page).toHaveURL(/message=session_expired/);
    await office.call("DELETE", "/auth/account", { password });
    await expect(api.signIn(who)).rejects.toThrow(/401/);
  });

  await test.step("every call is described where programs look", async () => {
    const document = await fetch(`${server.origin}/api/openapi.json`);
    expect(await document.json()).toHaveProperty(["paths", "/api/auth/account", "delete"]);
  });
});

test.describe("a year of work", () => {
  const year = test.extend<{ server: Server }>({ server: demoServer });

  year("is looked at by the API part by part, as on the screen @full", async ({ page, server }) => {
    const office = await new Api(server.origin).signIn(DEMO);
    const range = `?startDate=${day(-29)}&endDate=${day()}`;
    const whole = await office.call<Record<string, unknown>>("GET", `/analytics/dashboard${range}`);
    for (const part of ["revenue", "clients", "performance", "availability"])
      expect(await office.call("GET", `/analytics/${part}${range}`)).toEqual(whole[part]);
    expect(await office.call("GET", `/analytics/bookings${range}`)).toEqual(whole.booking);
    const insights = async (of: string) => {
      const answer = await office.call<{ insights: string[] }>("GET", `/analytics/insights/${of}?period=30`);
      return answer.insights[0] ?? "";
    };
    await signedIn(page, DEMO);
    const analytics = await AnalyticsPage.open(page);
    await expect(page.getByText(await insights("revenue"))).toBeVisible();
    await analytics.choose("Bookings");
    await expect(page.getByText(await insights("bookings"))).toBeVisible();
  });
});
