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

/** No more wait at once, and they come first. */
const MOST_REQUESTS = 100;

/** Tells of requests that are booked without asking, where that is possible once they are sent. */
export function tellWhenBooked(lastId: string, requestIds: readonly string[], sitter: string): void {
  const count = requestIds.length;
  tellWhenSent(lastId, {
    waits: `Saved. ${count === 1 ? "It is" : "They are"} booked once sent, if that is still possible. If not, ${sitter} decides.`,
    done: async () => {
      const phone = await business().wholePhone();
      const { cards } = phone.requests("all", MOST_REQUESTS, Date.now());
      const waiting = cards.filter((it) => requestIds.includes(it.id) && it.status === "pending").length;
      if (waiting === 0) return count === 1 ? "Booked" : `${count} visits booked`;
      if (waiting === count)
        return `Not booked yet: ${sitter} has ${count === 1 ? "it as a request" : "them as requests"}.`;
      return `${count - waiting} booked. ${sitter} has ${waiting} as ${waiting === 1 ? "a request" : "requests"}.`;
    },
  });
}
