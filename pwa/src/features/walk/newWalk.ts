/** Owns what a walk for a service starts with. */
import type { ReportKind, ServiceView } from "../../core";
import { names } from "../../parts/walk/walkText";
import type { NewWalk } from "./tracker";

export const ofService = (service: ServiceView, kind: ReportKind = "walk"): NewWalk => ({
  kind,
  title: names(service.dogs),
  service_id: service.id,
  client_names: [service.client_name],
  dogs: service.dogs,
  dog_ids: service.dog_ids,
  // A stay has no length of a day.
  ...(kind !== "day" && { planned_minutes: service.duration_minutes }),
});
