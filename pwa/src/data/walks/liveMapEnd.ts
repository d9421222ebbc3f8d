/** Owns the shape of an end of a live map that waits to be sent. */

/** The end of a live map for one client, which the server has to know. Stored on phones, as `WalkRow` and with its person. */
export interface LiveMapEnd {
  map_id: string;
  service_id: string;
  /** When the server shows nothing of it by itself. */
  until: number;
}
