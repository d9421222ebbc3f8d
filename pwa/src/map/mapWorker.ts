/** Owns the map's workers on the side of the screen: starts them, asks them, ends them. */
import { startWorker } from "../browser/trusted";
import type { MapStatus } from "../core/map";
import type { CallName, Calls, WorkerMessage, WorkerReply, WorkerRequest } from "./calls";
// Made by the bundler, which the linter does not ask.
// oxlint-disable-next-line import/default
import workerUrl from "./worker/worker.ts?worker&url";

interface Waiting {
  resolve: (value: never) => void;
  reject: (reason: unknown) => void;
  onProgress: ((text: string) => void) | undefined;
}

/** A worker that is started when it is first asked. */
export class MapWorker {
  #worker: Worker | undefined;
  #next = 0;
  readonly #waiting = new Map<number, Waiting>();
  /** Hears how the map on this phone stands. */
  onStatus: (status: MapStatus) => void = () => undefined;

  ask<C extends CallName>(
    call: C,
    args: Parameters<Calls[C]>,
    { onProgress, signal }: { onProgress?: ((text: string) => void) | undefined; signal?: AbortSignal } = {},
  ): Promise<ReturnType<Calls[C]>> {
    this.#next += 1;
    const question: WorkerRequest<C> = { id: this.#next, call, args };
    return new Promise((resolve, reject) => {
      this.#waiting.set(question.id, { resolve, reject, onProgress });
      signal?.addEventListener("abort", () => this.#forget(question.id, signal.reason), { once: true });
      this.#tell(question);
    });
  }

  /** Nobody waits for the answer any more. */
  #forget(id: number, reason: unknown): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    this.#tell({ forget: id });
    waiting.reject(reason);
  }

  #tell(message: WorkerMessage): void {
    this.#start().postMessage(message);
  }

  /** Ends it at once, whatever it does; the next question starts another one. */
  end(reason: unknown): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
  }

  #start(): Worker {
    if (this.#worker) return this.#worker;
    const worker = startWorker(workerUrl, "map");
    worker.onmessage = ({ data }: MessageEvent<WorkerReply>) => this.#hear(data);
    worker.onerror = (event) => this.end(new Error(event.message || "The map's worker did not start."));
    this.#worker = worker;
    return worker;
  }

  #hear(reply: WorkerReply): void {
    if ("status" in reply) return this.onStatus(reply.status);
    const waiting = this.#waiting.get(reply.id);
    if ("progress" in reply) return waiting?.onProgress?.(reply.progress);
    this.#waiting.delete(reply.id);
    if ("failed" in reply) waiting?.reject(new Error(reply.failed));
    else waiting?.resolve(reply.value as never);
  }
}

/** The worker that keeps tiles and draws, for all that is not a search. */
export const keeper = new MapWorker();
