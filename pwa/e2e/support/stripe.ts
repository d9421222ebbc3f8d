/** Owns the stand-in for Stripe as a process of its own: it takes the server's calls, shows a page to pay on, and reports. */
import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

const BINARY =
  process.env.WALKIES_STRIPE_STAND_IN ?? resolve(import.meta.dirname, "../../../target/debug/examples/stripe");

/** May do everything. */
export const KEY = "sk_test_51StandInMayDoEverything";
/** Signs the reports. */
export const SECRET = "whsec_StandInStandInStandInStandIn";
/** A card that is good, as Stripe's own for tries. */
export const CARD = "4242 4242 4242 4242";
/** One that is declined. */
export const BAD_CARD = "4000 0000 0000 0002";

export class Stripe {
  readonly #process: ChildProcess;
  readonly origin: string;

  private constructor(process: ChildProcess, origin: string) {
    this.#process = process;
    this.origin = origin;
  }

  static async start(): Promise<Stripe> {
    // It ends with its input, and so with who has started it.
    const child = spawn(BINARY, { stdio: ["pipe", "pipe", "inherit"] });
    const origin = await new Promise<string>((found, failed) => {
      child.once("error", failed);
      child.once("exit", (code) => failed(new Error(`${BINARY} ended with ${code}`)));
      createInterface(child.stdout).on("line", (line) => {
        const listens = /listens on (http:\/\/127\.0\.0\.1:\d+)/.exec(line);
        if (listens?.[1]) found(listens[1]);
      });
    });
    return new Stripe(child, origin);
  }

  /** Has everything that happens reported there: signed, until it is taken, and once more. */
  async reportTo(url: string): Promise<void> {
    await this.#post("/stand-in/hooks", { url, secret: SECRET });
  }

  /** Gives everything back that was paid. */
  async refundEverything(): Promise<void> {
    await this.#post("/stand-in/refunds", {});
  }

  /** Ends a period of everything that is subscribed to. */
  async renewEverything(): Promise<void> {
    await this.#post("/stand-in/renewals", {});
  }

  /** Ends everything that is subscribed to, after the last try at its card. */
  async giveUpEverything(): Promise<void> {
    await this.#post("/stand-in/endings", {});
  }

  async stop(): Promise<void> {
    const ended = new Promise((done) => this.#process.once("exit", done));
    if (this.#process.exitCode === null && this.#process.kill("SIGKILL")) await ended;
  }

  async #post(path: string, body: object): Promise<void> {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(this.origin + path, { method: "POST", headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status}`);
  }
}
