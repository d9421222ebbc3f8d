/**
 * Owns the network between the phones of a test and its server: a TCP proxy that can be cut and healed at the socket,
 * and that keeps every byte that a phone has sent.
 */
import { connect as connectTo, createServer, type Server as Listener, type Socket } from "node:net";

/** Below the ports that the system gives out by itself, so that nobody takes ours while it is cut. */
const FIRST_PORT = 20_000;
const PORTS_PER_WORKER = 1_000;
let nextPort = 0;

export class Network {
  readonly #target: number;
  readonly #port: number;
  readonly #sent: Buffer[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #replaced = new Map<string, string>();
  #hotel: { paths: RegExp; status: number; times: number } | undefined;
  #listener: Listener | undefined;
  /** When it breaks by itself. */
  #break: { bytes: number; done: () => void } | undefined;

  private constructor(target: number, port: number) {
    this.#target = target;
    this.#port = port;
  }

  /** Opens a way to the server at `target`. */
  static async open(target: number, worker: number): Promise<Network> {
    for (;;) {
      const port = FIRST_PORT + worker * PORTS_PER_WORKER + (nextPort % PORTS_PER_WORKER);
      nextPort += 1;
      const network = new Network(target, port);
      try {
        await network.heal();
        return network;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
      }
    }
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** From now on nobody gets through: what is open is torn down, what is new is refused. */
  async cut(): Promise<void> {
    const listener = this.#listener;
    this.#listener = undefined;
    const closed = new Promise((done) => (listener ? listener.close(done) : done(undefined)));
    for (const socket of this.#sockets) socket.resetAndDestroy();
    await closed;
  }

  /** Cuts it once phones have sent so many more bytes, in the middle of whatever they are sending. */
  cutAfter(bytes: number): Promise<void> {
    return new Promise((done) => {
      this.#break = { bytes, done };
    });
  }

  async heal(): Promise<void> {
    if (this.#listener) return;
    const listener = createServer((phone) => this.#serve(phone));
    await new Promise<void>((done, failed) => {
      listener.once("error", failed);
      listener.listen(this.#port, "127.0.0.1", () => done());
    });
    this.#listener = listener;
  }

  /** Everything that phones have sent so far, as text in which bytes are characters. */
  sent(): string {
    return Buffer.concat(this.#sent).toString("latin1");
  }

  /** Answers `path` with this script from now on, as a newer server would. */
  replace(path: string, script: string): void {
    this.#replaced.set(path, script);
  }

  /**
   * From now on a hotel's network answers these paths itself, so many times: with its own page, as they do, whatever was
   * asked for.
   */
  checkIn(paths: RegExp, status: number, times = Number.POSITIVE_INFINITY): void {
    this.#hotel = { paths, status, times };
  }

  /** True if the hotel has given as many answers as `checkIn` allowed. */
  hasAnswered(): boolean {
    return this.#hotel?.times === 0;
  }

  checkOut(): void {
    this.#hotel = undefined;
  }

  /** Returns the response that the network itself gives for this path, if any. */
  #ownAnswer(path: string): string | undefined {
    const script = this.#replaced.get(path);
    if (script !== undefined) return answerWith(200, "text/javascript", script);
    const hotel = this.#hotel;
    if (!hotel?.paths.test(path) || hotel.times === 0) return undefined;
    hotel.times -= 1;
    return answerWith(hotel.status, "text/html", "<!doctype html><title>Hotel</title><p>Room number?</p>");
  }

  /** Counts what phones send, and cuts where it is enough. */
  #breaks(bytes: number): boolean {
    const next = this.#break;
    if (!next) return false;
    next.bytes -= bytes;
    if (next.bytes > 0) return false;
    this.#break = undefined;
    void this.cut().then(next.done);
    return true;
  }

  #serve(phone: Socket): void {
    const server = connectTo(this.#target, "127.0.0.1");
    for (const socket of [phone, server]) {
      this.#sockets.add(socket);
      const other = socket === phone ? server : phone;
      socket.on("error", () => undefined); // its end says all
      socket.on("close", () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
    phone.on("data", (bytes) => {
      if (this.#breaks(bytes.length)) return;
      this.#sent.push(bytes);
      // A browser sends a request when it has had the answer to the one before: each begins a piece.
      const path = /^(?:GET|POST) (\S+) HTTP/.exec(bytes.toString("latin1", 0, 200))?.[1];
      const answer = path === undefined ? undefined : this.#ownAnswer(path);
      if (answer === undefined) server.write(bytes);
      else phone.write(answer);
    });
    server.pipe(phone);
  }
}

function answerWith(status: number, type: string, text: string): string {
  const head = [`HTTP/1.1 ${status} OK`, `Content-Type: ${type}`, "Cache-Control: no-cache"];
  return `${[...head, `Content-Length: ${Buffer.byteLength(text)}`].join("\r\n")}\r\n\r\n${text}`;
}
