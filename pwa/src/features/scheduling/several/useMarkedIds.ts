/** Owns which of the marked visits an act is about: one that is being walked on this phone is not among them. */
import { servicesOf, useOpenWalk } from "../../../data/walks/walks";
import { useSelection } from "./selection";

export function useMarkedIds(): { ids: string[]; walked: number } {
  const { marked } = useSelection();
  const walk = useOpenWalk();
  const underWay = new Set(walk ? servicesOf(walk) : []);
  const ids = [...marked].filter((it) => !underWay.has(it));
  return { ids, walked: marked.size - ids.length };
}
