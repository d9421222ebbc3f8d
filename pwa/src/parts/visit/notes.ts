/** Owns the draft key of the notes that complete a visit; the schedule and the end of a walk write the same draft. */

export const notesKey = (serviceId: string): string => `service-notes:${serviceId}`;
