/** Owns one real server of a test: the project's binary on a fresh folder and a free port, gone with the test. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { appendFile, cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

/** A PostgreSQL for the tests, and the program that makes databases there; SQLite without them. */
const { WALKIES_TEST_POSTGRES: POSTGRES, WALKIES_TEST_CREATEDB: CREATEDB } = process.env;

/** The file, if any, to which each test appends the calls that succeeded, to check that every call is tested. */
const { WALKIES_CALLS: CALLS } = process.env;

const BINARY = process.env.WALKIES_BIN ?? resolve(import.meta.dirname, "../../../target/debug/walkies");

export class Server {
  readonly #process: ChildProcess;
  readonly #folder: string;
  /** The flags that name its data, for other commands of the same program. */
  readonly #data: readonly string[];
  readonly #log: string[];
  readonly port: number;

  private constructor(process: ChildProcess, folder: string, data: readonly string[], log: string[], port: number) {
    this.#process = process;
    this.#folder = folder;
    this.#data = data;
    this.#log = log;
    this.port = port;
  }

  static start(...flags: string[]): Promise<Server> {
    return Server.startOn(undefined, ...flags);
  }

  /** Starts one on a copy of this data, or on none. */
  static async startOn(copied: string | undefined, ...flags: string[]): Promise<Server> {
    const folder = await mkdtemp(join(tmpdir(), "walkies-e2e-"));
    if (copied) await cp(copied, folder, { recursive: true });
    const data = ["--data", folder, ...(await databaseFlags())];
    // Nobody guesses passwords here; tests sign in more often than people, for which a release build has no flag.
    const passwords = ["--tries-by-address", "1000", ...(process.env.WALKIES_BIN ? [] : ["--cheap-passwords"])];
    const args = ["serve", ...data, "--listen", "127.0.0.1:0", ...passwords, ...flags];
    const child = spawn(BINARY, args, { env: { PATH: process.env.PATH }, stdio: ["ignore", "pipe", "pipe"] });
    const log: string[] = [];
    child.stderr.on("data", (it: Buffer) => log.push(it.toString()));
    const port = await new Promise<number>((found, failed) => {
      child.once("error", failed);
      child.once("exit", (code) => failed(new Error(`${BINARY} ended with ${code}:\n${log.join("")}`)));
      createInterface(child.stdout).on("line", (line) => {
        log.push(`${line}\n`);
        const listens = /listens on http:\/\/127\.0\.0\.1:(\d+)/.exec(line);
        if (listens) found(Number(listens[1]));
      });
    });
    return new Server(child, folder, data, log, port);
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Its output so far, for a test that failed. */
  get log(): string {
    return this.#log.join("");
  }

  /** Lines of its log that tell what nobody may read there: an address of mail, a password of the tests, a token. */
  leaks(): string[] {
    return this.log.split("\n").filter((it) => /@example\.com|seven quiet leashes|[\w-]{43}/.test(it));
  }

  /** All mail that it has sent: without a mail server each is a file. */
  async mail(): Promise<string> {
    const folder = join(this.#folder, "mail");
    const files = await readdir(folder).catch(() => []);
    const mails = await Promise.all(files.map((it) => readFile(join(folder, it), "utf8")));
    return mails.join("\n");
  }

  /** Runs the operator's command `invite` and returns the secret of the invitation, which stands for a mail's code. */
  async invite(email: string): Promise<string> {
    const { stdout } = await promisify(execFile)(BINARY, ["invite", email, ...this.#data]);
    const [, invitation] = stdout.trim().split("?invitation=");
    if (!invitation) throw new Error(`No link in ${stdout}`);
    return invitation;
  }

  /** Runs the operator's command `map get` with this mirror and returns what it says. */
  async getMap(region: string, mirror: string): Promise<string> {
    const { stdout } = await promisify(execFile)(BINARY, ["map", "get", region, "--map-mirror", mirror, ...this.#data]);
    return stdout;
  }

  /** The code in the mail to somebody, once it is there. */
  async mailedCode(email: string): Promise<string> {
    const code = new RegExp(`To: ${email}\nSubject: (\\d{8}) is your code`);
    for (;;) {
      // The log says that another mail was written.
      const heard = new Promise((done) => this.#process.stderr?.once("data", done));
      const [, found] = code.exec(await this.mail()) ?? [];
      if (found) return found;
      await heard;
    }
  }

  /** Lists the calls that it has answered with a status below 400, each once, as lines of a method and a route. */
  #calls(): string[] {
    const answered = /answered method=(\w+) route="([^"]+)" status=[123]/g;
    const calls = [...this.log.matchAll(answered)].map(([, method, route]) => `${method} ${route}\n`);
    return [...new Set(calls)];
  }

  /** Ends it as an operator does and gives the folder of its data, which goes with this process. */
  async leaveData(): Promise<string> {
    const ended = new Promise((done) => this.#process.once("close", done));
    this.#process.kill("SIGTERM");
    await ended;
    process.once("exit", () => rmSync(this.#folder, { recursive: true, force: true }));
    return this.#folder;
  }

  async stop(): Promise<void> {
    const ended = new Promise((done) => this.#process.once("close", done));
    if (this.#process.exitCode === null && this.#process.kill("SIGKILL")) await ended;
    if (CALLS) await appendFile(CALLS, this.#calls().join(""));
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** A database of its own on the PostgreSQL of the tests, where there is one. */
async function databaseFlags(): Promise<string[]> {
  if (!POSTGRES || !CREATEDB) return [];
  const name = `walkies_${randomUUID().replaceAll("-", "")}`;
  await promisify(execFile)(CREATEDB, ["--maintenance-db", POSTGRES, name]);
  const url = new URL(POSTGRES);
  url.pathname = name;
  return ["--database", url.href];
}
