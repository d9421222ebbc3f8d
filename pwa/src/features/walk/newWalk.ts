/** Owns what a walk for a service starts with. */
import type { ServiceView } from "../../core";
import { names } from "../../parts/walk/walkText";
import type { NewWalk } from "./tracker";

export const ofService = (service: ServiceView): NewWalk => ({
  title: names(service.dogs),
  service_id: service.id,
  client_names: [service.client_name],
  dogs: service.dogs,
  dog_ids: service.dog_ids,
  planned_minutes: service.duration_minutes,
});
