/** Owns what is said of requests that were just saved: that they wait, and who has them once they are sent. */
import { tellWhenSent } from "../../parts/tellWhenSent";

/** Tells of so many requests; `lastId` is the id of the last of their changes, which are sent in their order. */
export function tellWhenRequested(lastId: string, count: number, sitter: string): void {
  const saved = count === 1 ? "Request saved" : `${count} requests saved`;
  tellWhenSent(lastId, {
    waits: `${saved}. ${sitter} sees ${count === 1 ? "it once it is" : "them once they are"} sent.`,
    done: `Sent to ${sitter}`,
  });
}
