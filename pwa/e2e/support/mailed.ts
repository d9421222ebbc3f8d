/** Owns the stories in which the server sends mail: what it has sent is in `mails`. */
import { type MailServer, startMailServer } from "./mailServer";
import { Server } from "./server";
import { expect, test } from "./test";

export const mailed = test.extend<{ mails: MailServer }>({
  // Playwright asks for the braces even where nothing is needed.
  // oxlint-disable-next-line no-empty-pattern
  mails: async ({}, give) => {
    const mails = await startMailServer();
    await give(mails);
    await mails.close();
  },
  server: async ({ mails }, give) => {
    const server = await Server.start("--smtp-url", mails.url, "--mail-from", "Walkies <walkies@example.com>");
    await give(server);
    await server.stop();
    expect(server.leaks()).toEqual([]);
  },
});
