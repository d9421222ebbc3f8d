/** Owns the draft of the words that complete a visit; the schedule and the end of a walk write the same one. */

/** Words with which a visit is completed. Stored on phones. Only add optional fields; never rename. */
export interface VisitWords {
  /** Words for the client, on the invoice. */
  notes: string;
  /** Words for the sitter alone; absent in drafts of earlier versions. */
  internal_notes: string;
}

export const NO_WORDS: VisitWords = { notes: "", internal_notes: "" };

export const notesKey = (serviceId: string): string => `service-notes:${serviceId}`;
