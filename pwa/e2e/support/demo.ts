/** Owns the demo business: it has a map, of the middle of Helsinki, and what no call can make yet, as a pet parent. */
import type { TestInfo } from "@playwright/test";
import { Server } from "./server";

/** Who owns it. */
export const DEMO = { name: "", email: "demo@walkies.example", password: "walkies-demo" };

/** Whose dog it walks, too, and who has a login for that. */
export const DEMO_PARENT = { name: "", email: "parent@walkies.example", password: "walkies-demo" };

/** `YYYY-MM-DD`, so many days from today where it is, wherever the test takes place. */
export function demoDay(fromToday = 0): string {
  const today = new Date(new Date().toLocaleDateString("sv-SE", { timeZone: "Europe/Helsinki" }));
  return new Date(today.getTime() + fromToday * 86_400_000).toISOString().slice(0, 10);
}

/** In Helsinki, where it stays for the stories: what people see by `serve --demo` is in Baltimore. */
const FLAGS = ["--demo", "--demo-helsinki"];

/** Data of the demo business as it is made on a day: once in each process, since that takes seconds. */
let made: { day: string; data: Promise<string> } | undefined;

function demoData(): Promise<string> {
  const today = demoDay();
  if (made?.day !== today) made = { day: today, data: Server.start(...FLAGS).then((it) => it.leaveData()) };
  return made.data;
}

/** Starts a server that has the demo business, with these flags. */
export async function startDemo(...flags: string[]): Promise<Server> {
  // A PostgreSQL has no folder that could be copied.
  const data = process.env.WALKIES_TEST_POSTGRES ? undefined : await demoData();
  return Server.startOn(data, ...FLAGS, ...flags);
}

/** A test's server that has it. */
// Playwright asks for the braces even where nothing is needed.
// oxlint-disable-next-line no-empty-pattern
export async function demoServer({}: object, give: (server: Server) => Promise<void>, info: TestInfo): Promise<void> {
  const server = await startDemo();
  await give(server);
  if (info.status !== info.expectedStatus) await info.attach("server", { body: server.log });
  await server.stop();
}
