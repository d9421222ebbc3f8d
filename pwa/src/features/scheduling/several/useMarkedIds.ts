/** Owns which of the marked visits an act is about: one under way on this phone is not among them. */
import { useServicesUnderWay } from "../../../data/walks/walks";
import { useSelection } from "./selection";

export function useMarkedIds(): { ids: string[]; n_under_way: number } {
  const { marked } = useSelection();
  const underWay = new Set(useServicesUnderWay());
  const ids = [...marked].filter((it) => !underWay.has(it));
  return { ids, n_under_way: marked.size - ids.length };
}
