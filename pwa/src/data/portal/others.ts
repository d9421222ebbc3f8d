/**
 * Owns that the sitters whom a pet parent does not look at are kept in step, too: what waits for them is sent, what is new
 * comes. One after the other is opened for a round and closed again, so that only the one that is shown stays in memory.
 */
import { afterPaint } from "../../browser/afterPaint";
import { type FirstPhone, limits, type SitterOfClient } from "../../core";
import { OpenBusiness } from "../business/openBusiness";
import { changeUser, readSession } from "../session/sessionDb";
import { whileOpen } from "../session/tabLocks";
import { databaseName, type Place } from "../store/db";
import { changedElsewhere } from "../sync/live";
import { syncOnce, whenBack } from "../sync/sync";
import { keepReports } from "./keptReports";

/** Counts of a sitter whose data is not shown at the moment. */
export interface Standing {
  /** Changes that are safe on this phone and not yet confirmed. */
  pending: number;
  /** Changes that need a person. */
  attention: number;
  /** Messages that the person has not read. */
  unread: number;
}

export const standingOf = (phone: FirstPhone): Standing => ({
  pending: phone.pendingCount(),
  attention: phone.attentionCount(),
  unread: phone.unreadMessages(),
});

interface Heard {
  stands: (client_id: string, standing: Standing) => void;
  /** Called when the server says that the person is no client of one of them any more. */
  letGo: () => void;
}

/** Keeps some sitters of a person in step until it is stopped. */
export class Others {
  readonly #stop = new AbortController();
  readonly #due = new Set<SitterOfClient>();
  #running: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly userId: string,
    readonly sitters: readonly SitterOfClient[],
    readonly heard: Heard,
  ) {
    const all = () => this.#visit(sitters);
    const signs = [
      whenBack(all),
      changedElsewhere.subscribe((id) => this.#visit(sitters.filter((it) => it.sitter_id === id))),
    ];
    this.#stop.signal.addEventListener("abort", () => signs.forEach((leave) => leave()));
    all();
  }

  /** Resolves when none of them is open any more. */
  async stop(): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#timer);
    await this.#running;
  }

  #visit(sitters: readonly SitterOfClient[]): void {
    for (const it of sitters) this.#due.add(it);
    this.#running ??= this.#visitDue().finally(() => {
      this.#running = undefined;
    });
  }

  async #visitDue(): Promise<void> {
    clearTimeout(this.#timer);
    const { signal } = this.#stop;
    // What is shown goes first.
    await afterPaint();
    // Who comes in meanwhile has a turn, too.
    for (const sitter of this.#due) {
      this.#due.delete(sitter);
      // Whatever it was, as a full phone: it is tried again with the next turn.
      await openAside(this.userId, sitter, signal, (business) => this.#sync(business, sitter)).catch(() => undefined);
      if (signal.aborted) return;
    }
    this.#timer = setTimeout(() => this.#visit(this.sitters), limits().poll_ms);
  }

  async #sync(business: OpenBusiness, { client_id }: SitterOfClient): Promise<void> {
    const tell = () => this.heard.stands(client_id, standingOf(business.phone));
    business.subscribe(tell);
    business.onLetGo = this.heard.letGo;
    tell();
    await syncOnce(business, this.#stop.signal);
    await keepReports(business, this.#stop.signal);
  }
}

/** Opens what a person has of a sitter without showing it, and closes it after `work`; nothing where they have signed out. */
export function openAside<T>(
  userId: string,
  place: Place,
  signal: AbortSignal | undefined,
  work: (business: OpenBusiness) => Promise<T>,
): Promise<T | undefined> {
  return whileOpen(userId, signal, async () => {
    // Perhaps in another tab: nothing of it comes back onto this phone.
    if ((await readSession())?.user.id !== userId) return undefined;
    await noteDatabase(userId, place);
    const business = await OpenBusiness.open(userId, place);
    try {
      return await work(business);
    } finally {
      await business.close();
    }
  });
}

/** Before it is made, so that there is none that nobody knows of when the person leaves. */
export const noteDatabase = (userId: string, place: Place): Promise<void> =>
  changeUser(userId, ({ databases = [] }) => ({
    databases: [...new Set([...databases, databaseName(userId, place)])],
  }));
