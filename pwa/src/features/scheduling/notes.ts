/** Owns the name under which the words of a visit wait that is to be completed: here, or from the end of its walk on. */

export const notesKey = (serviceId: string): string => `service-notes:${serviceId}`;
