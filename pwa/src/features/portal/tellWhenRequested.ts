/** Owns what is said of requests that were just saved: that they wait, and once they are sent who has them or what is booked. */
import { business } from "../../data";
import { tellWhenSent } from "../../parts/tellWhenSent";

/** Tells of so many requests; `lastId` is the id of the last of their changes, which are sent in their order. */
export function tellWhenRequested(lastId: string, count: number, sitter: string): void {
  const saved = count === 1 ? "Request saved" : `${count} requests saved`;
  tellWhenSent(lastId, {
    waits: `${saved}. ${sitter} sees ${count === 1 ? "it once it is" : "them once they are"} sent.`,
    done: `Sent to ${sitter}`,
  });
}

/** Sentence on so many requests of which open times are booked without asking. */
export const whenBooked = (count: number, sitter: string): string =>
  count === 1
    ? `It is booked once sent, if that is still possible. If not, ${sitter} decides.`
    : `Open times are booked once sent, if that is still possible. ${sitter} decides on the rest.`;

/** No more wait at once, and they come first, before the newest of the others. */
const MOST_REQUESTS = 100;

/** Tells of requests that are booked without asking, where that is possible once they are sent. */
export function tellWhenBooked(lastId: string, requestIds: readonly string[], sitter: string): void {
  const count = requestIds.length;
  tellWhenSent(lastId, {
    waits: `Saved. ${whenBooked(count, sitter)}`,
    done: async () => {
      const phone = await business().wholePhone();
      const { cards } = phone.requests("all", MOST_REQUESTS, Date.now());
      const sent = cards.filter((it) => requestIds.includes(it.id));
      const waiting = sent.filter((it) => it.status === "pending").length;
      const booked = sent.filter((it) => it.booked_at_once).length;
      return outcomeOf({ count, booked, waiting }, sitter);
    },
  });
}

interface Outcome {
  /** Requests that were made; those that are neither booked nor waiting were refused, which Needs attention says. */
  count: number;
  booked: number;
  waiting: number;
}

/** Says what became of requests once the server has them. */
export function outcomeOf({ count, booked, waiting }: Outcome, sitter: string): string {
  const asked = waiting === 1 ? "a request" : "requests";
  if (booked > 0 && waiting > 0) return `${booked} booked. ${sitter} has ${waiting} as ${asked}.`;
  if (booked === count) return count === 1 ? "Booked" : `${count} visits booked`;
  if (booked > 0) return `${booked} of ${count} visits booked`;
  if (waiting === 0) return `Sent to ${sitter}`;
  return `Not booked yet: ${sitter} has ${waiting < count ? waiting : waiting === 1 ? "it" : "them"} as ${asked}.`;
}
