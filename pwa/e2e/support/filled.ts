/**
 * Owns a business in which every text is as hard as people make them: words longer than any line, addresses of pages in
 * notes, names from right to left beside English ones. It is the demo's, which has a map.
 */
import { Api, type ClientRow } from "./api";
import { day, ZONE } from "./day";
import { DEMO, startDemo } from "./demo";
import type { Server } from "./server";

/** Longer than any line. */
export const LONG = "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft";
export const LINK = `https://example.com/${"good-dog/".repeat(12)}${"0123456789".repeat(6)}`;

export const RONIT = {
  name: "רונית כהן (אמא של רקסי)",
  address: "רחוב הרצל 12, תל אביב",
  pet: "רקסי",
  note: "מפתח 14, קומה 2.",
};
export const LAYLA = { name: "ليلى حداد!", address: "شارع النيل 12، القاهرة", pet: "نمر" };

/** All that was typed from right to left. */
export const RIGHT_TO_LEFT = [
  ...Object.values(RONIT),
  ...Object.values(LAYLA),
  // An agenda has the street alone.
  ...[RONIT, LAYLA].map((it) => it.address.split(/[,،]/)[0] ?? ""),
];

export interface Filled {
  server: Server;
  office: Api;
  /** Who has the longest of everything. */
  long: ClientRow;
  ronit: ClientRow;
  /** Services by what became of them. */
  scheduled: string;
  completed: string;
  cancelled: string;
  /** A scheduled service of Ronit's dogs, one of which has an English name. */
  mixed: string;
}

export async function fill(): Promise<Filled> {
  const server = await startDemo();
  const office = await new Api(server.origin).signIn(DEMO);
  await office.call("PUT", "/sitters/profile", { business_name: `${LONG} Dog Walks`, time_zone: ZONE });
  const long = await office.call<ClientRow>("POST", "/clients", {
    name: LONG,
    phone: "+358 40 555 0101 555 0102",
    email: `${LONG.slice(0, 60)}@${LONG.toLowerCase().slice(0, 60)}.example`,
    address: LINK,
    access_notes: `${LONG} ${LINK}`,
    internal_notes: `${LONG} ${LINK}`,
    dogs: [
      { name: LONG, breed: LONG, about: `${LINK} ${LONG}`, friendly_with_dogs: "depends", microchipped: "yes" },
      { name: "Rex" },
    ],
  });
  const ronit = await office.call<ClientRow>("POST", "/clients", {
    name: RONIT.name,
    address: RONIT.address,
    access_notes: RONIT.note,
    internal_notes: RONIT.note,
    dogs: [{ name: RONIT.pet, about: RONIT.note }, { name: "Luna" }],
  });
  const layla = await office.call<ClientRow>("POST", "/clients", {
    name: LAYLA.name,
    address: LAYLA.address,
    dogs: [{ name: LAYLA.pet }],
  });
  const notes = { notes: LINK, internal_notes: `${LONG} ${LINK}` };
  const done = await office.schedule(long, day(), "08:00", notes);
  await office.call("POST", `/scheduled-services/${done.id}/complete`, { notes: `${LINK} ${LONG}` });
  const gone = await office.schedule(long, day(), "07:00", notes);
  await office.call("DELETE", `/scheduled-services/${gone.id}`);
  const scheduled = await office.schedule(long, day(), "10:30", notes);
  const mixed = await office.schedule(ronit, day(), "11:30", { notes: RONIT.note, internal_notes: RONIT.note });
  await office.call("POST", "/invoices/share", { client_id: long.id, services: [done.id], note: LINK });
  await office.schedule(layla, day(), "12:30", { service_type: "dropin" });
  await office.schedule(long, day(1), "05:00");
  await office.call("POST", "/sitter-services", {
    name: LONG,
    description: LINK,
    icon: "🐕",
    base_price: 1234.5,
    pricing_type: "hourly",
    category: "Emergency Care",
  });
  for (const content of [`${LONG} ${LINK}`, RONIT.note, "Thank you!"]) {
    const to = { conversation_id: long.id, recipient_id: long.id, recipient_type: "client", message_type: "text" };
    await office.call("POST", "/messages", { ...to, content });
  }
  const block = { start_time: "20:00", end_time: "21:00", block_type: "personal", reason: `${LONG} ${LINK}` };
  await office.call("POST", "/availability/blocked-times", { ...block, block_date: day() });
  await office.call("POST", "/availability/blocked-times", { ...block, block_date: day(1), reason: RONIT.note });
  await office.call("POST", "/availability/patterns", {
    pattern_name: LONG,
    day_of_week: 6,
    start_time: "09:00",
    end_time: "17:00",
    notes: LINK,
  });
  return {
    server,
    office,
    long,
    ronit,
    scheduled: scheduled.id,
    completed: done.id,
    cancelled: gone.id,
    mixed: mixed.id,
  };
}
