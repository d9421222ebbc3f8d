/**
 * Owns a push service that Firefox talks to as to Mozilla's: it hands out addresses over a socket, takes encrypted messages
 * for them over HTTP, and passes them on unread (the protocol of autopush, RFC 8030 and RFC 8292).
 */
import { createPublicKey, randomUUID, verify } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";

/** A message from the browser; `key` is the public key whose owner alone may write to the channel. */
interface Said {
  messageType?: "hello" | "register" | "unregister" | "ack" | "nack";
  channelID?: string;
  key?: string;
  updates?: { code: number }[];
}

/** The fate of a message: the status it was answered with, and the browser's code once it was read (100: decrypted). */
export interface Delivered {
  status: number;
  topic: string | undefined;
  codes: number[];
}

export class PushService {
  readonly #server: Server;
  readonly #sockets: WebSocketServer;
  /** By their address: the key that may write there. Gone with the subscription. */
  readonly #channels = new Map<string, { id: string; key: string; socket: WebSocket }>();
  readonly #delivered: Delivered[] = [];

  private constructor() {
    this.#server = createServer((request, response) => void this.#take(request, response));
    this.#sockets = new WebSocketServer({ server: this.#server });
    this.#sockets.on("connection", (socket) => {
      socket.on("message", (bytes: Buffer) => this.#answer(socket, JSON.parse(bytes.toString()) as Said));
    });
  }

  static async start(): Promise<PushService> {
    const service = new PushService();
    await new Promise<void>((listens) => service.#server.listen(0, "127.0.0.1", listens));
    return service;
  }

  get #port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** The address of the socket that browsers connect to. */
  get socketUrl(): string {
    return `ws://127.0.0.1:${this.#port}/`;
  }

  /** Addresses that somebody has subscribed at. */
  get addresses(): string[] {
    return [...this.#channels.keys()].map((it) => this.origin + it);
  }

  /** Each message, in the order in which it came. */
  get delivered(): Delivered[] {
    return this.#delivered;
  }

  async stop(): Promise<void> {
    for (const it of this.#sockets.clients) it.terminate();
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }

  #answer(socket: WebSocket, said: Said): void {
    const reply = (it: object) => socket.send(JSON.stringify({ messageType: said.messageType, status: 200, ...it }));
    const { channelID: id = "", key = "" } = said;
    if (said.messageType === "hello")
      reply({ uaid: randomUUID().replaceAll("-", ""), use_webpush: true, broadcasts: {} });
    if (said.messageType === "register") {
      const path = `/push/${randomUUID()}`;
      this.#channels.set(path, { id, key, socket });
      reply({ channelID: id, pushEndpoint: this.origin + path });
    }
    if (said.messageType === "unregister") {
      for (const [path, it] of this.#channels) if (it.id === id) this.#channels.delete(path);
      reply({ channelID: id });
    }
    if (said.messageType === "ack" || said.messageType === "nack") {
      this.#delivered.at(-1)?.codes.push(...(said.updates ?? [{ code: -1 }]).map((it) => it.code));
    }
    // A browser that is still there says so with an empty message.
    if (said.messageType === undefined) socket.send("{}");
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body: Buffer[] = [];
    for await (const part of request) body.push(part as Buffer);
    const status = this.#pass(request, Buffer.concat(body));
    const { topic } = request.headers;
    this.#delivered.push({ status, topic: typeof topic === "string" ? topic : undefined, codes: [] });
    response.writeHead(status).end();
    const channel = this.#channels.get(request.url ?? "");
    if (status !== 201 || !channel) return;
    channel.socket.send(
      JSON.stringify({
        messageType: "notification",
        channelID: channel.id,
        version: randomUUID(),
        ttl: Number(request.headers.ttl),
        data: Buffer.concat(body).toString("base64url"),
        headers: { encoding: "aes128gcm" },
      }),
    );
  }

  /** As RFC 8030 and RFC 8292 have it. */
  #pass(request: IncomingMessage, body: Buffer): number {
    const channel = this.#channels.get(request.url ?? "");
    if (!channel) return 410;
    if (request.method !== "POST" || !/^\d+$/.test(request.headers.ttl?.toString() ?? "")) return 400;
    if (request.headers["content-encoding"] !== "aes128gcm") return 415;
    if (body.length > 4096) return 413;
    return isSigned(request.headers.authorization ?? "", channel.key, this.origin) ? 201 : 401;
  }
}

/** True if the owner of the channel's key has signed the token, for this service and for a time that is not over. */
function isSigned(authorization: string, key: string, audience: string): boolean {
  const [, token = "", stated = ""] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? [];
  const [head = "", claims = "", signature = ""] = token.split(".");
  // Firefox pads the key.
  if (stated !== key.replaceAll("=", "")) return false;
  const { aud, exp } = JSON.parse(Buffer.from(claims, "base64url").toString()) as { aud: string; exp: number };
  const point = Buffer.from(key, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((it) => it.toString("base64url"));
  const publicKey = createPublicKey({ key: { kty: "EC", crv: "P-256", x: x ?? "", y: y ?? "" }, format: "jwk" });
  const isRight = verify(
    "sha256",
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  return isRight && aud === audience && exp * 1000 > Date.now() && exp * 1000 <= Date.now() + 24 * 3_600_000;
}
