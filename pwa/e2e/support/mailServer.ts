/** Owns a mail server that takes every message and keeps it. */

import type { AddressInfo } from "node:net";
import { createServer } from "node:net";

export interface MailServer {
  url: string;
  /** The messages so far, as they were sent. */
  messages: string[];
  close: () => Promise<void>;
}

export async function startMailServer(): Promise<MailServer> {
  const messages: string[] = [];
  const listener = createServer((socket) => {
    let [text, isMessage] = ["", false];
    const answer = (line: string) => socket.write(`${line}\r\n`);
    answer("220 mail.example.com ESMTP");
    socket.on("error", () => socket.destroy());
    socket.on("data", (bytes) => {
      text += bytes.toString("utf8");
      for (;;) {
        const end = isMessage ? "\r\n.\r\n" : "\r\n";
        const at = text.indexOf(end);
        if (at < 0) return;
        const said = text.slice(0, at);
        text = text.slice(at + end.length);
        if (isMessage) {
          messages.push(said);
          isMessage = false;
          answer("250 Kept");
        } else if (/^DATA/i.test(said)) {
          isMessage = true;
          answer("354 Go on");
        } else if (/^QUIT/i.test(said)) {
          answer("221 Bye");
          socket.end();
        } else answer("250 OK");
      }
    });
  });
  await new Promise<void>((done) => listener.listen(0, "127.0.0.1", done));
  const url = `smtp://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  return { url, messages, close: () => new Promise((done) => listener.close(() => done())) };
}

/** The plain words of a message: quoted-printable is undone. */
export const wordsOf = (message: string): string =>
  message
    .replaceAll("=\r\n", "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
