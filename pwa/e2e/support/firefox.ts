/** Owns a Firefox whose push service is one of this machine; Chromium's cannot be pointed elsewhere. */
import { type Browser, launch } from "puppeteer-core";
import type { PushService } from "./pushService";

const FIREFOX = process.env.FIREFOX ?? "/usr/bin/firefox-esr";

export const startFirefox = (push: PushService): Promise<Browser> =>
  launch({
    browser: "firefox",
    executablePath: FIREFOX,
    headless: true,
    extraPrefsFirefox: {
      "dom.push.serverURL": push.socketUrl,
      "dom.push.testing.allowInsecureServerURL": true,
      "dom.push.connection.enabled": true,
      // As somebody who has pressed 'Allow'.
      "permissions.default.desktop-notification": 1,
      // Windows of this machine's desktop, of which there may be none.
      "alerts.useSystemBackend": false,
      "intl.accept_languages": "en-US",
    },
  });
