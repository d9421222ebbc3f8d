/** Owns which reports a visit shows. */
import type { Report, ServiceView } from "../../core";
import { useReplica } from "../../data";

/** The newest walk's comes first. */
export const useReportsOf = ({ id }: ServiceView): Report[] => useReplica((phone) => phone.reportsOf(id));
