/**
 * Owns the calls about the account that only its own screens make: devices, second factors, recovery codes, the keys with
 * which cards are taken, and the address for other calendars.
 */
import type {
  CalendarAddress,
  CardPayments,
  DeviceSession,
  Factors,
  RecoveryCodes,
  SessionUser,
  TotpKey,
} from "../../core";
import { type Answer, type CallOptions, call } from "../server/api";
import { sessionToken, showUser } from "../session/session";

const ask = <T>(method: CallOptions["method"], path: string, body?: unknown): Promise<Answer<T>> =>
  call<T>(path, { method: method ?? "GET", token: sessionToken(), body });

export const listSessions = () => ask<DeviceSession[]>("GET", "/auth/sessions");
export const endSession = (id: string) => ask("DELETE", `/auth/sessions/${id}`);
export const endOtherSessions = () => ask("DELETE", "/auth/sessions");
export const listFactors = () => ask<Factors>("GET", "/auth/factors");
export const beginTotp = (password: string) => ask<TotpKey>("POST", "/auth/factors/totp", { password });
export const removeFactor = (id: string, password: string) => ask("DELETE", `/auth/factors/${id}`, { password });

/** The recovery codes that come with the first factor; none with a further one. */
export const confirmTotp = (id: string, code: string) =>
  ask<RecoveryCodes>("POST", `/auth/factors/${id}/confirm`, { code });

export const renewRecoveryCodes = (password: string) =>
  ask<RecoveryCodes>("POST", "/auth/recovery-codes", { password });

export const cardPayments = () => ask<CardPayments>("GET", "/invoices/card-payments");
export const takeNoCards = () => ask<CardPayments>("DELETE", "/invoices/card-payments");

/** With the business's own key of Stripe, and what Stripe signs its reports with. */
export const takeCards = (secret_key: string, webhook_secret: string, password: string) =>
  ask<CardPayments>("PUT", "/invoices/card-payments", { secret_key, webhook_secrets: [webhook_secret], password });

/** Whose calendar it is: a business's schedule, or a pet parent's own visits. */
export type CalendarOf = "sitter" | "client";

const CALENDAR: Record<CalendarOf, string> = { sitter: "/calendar/address", client: "/client/calendar/address" };

export const calendarAddress = (of: CalendarOf) => ask<CalendarAddress>("GET", CALENDAR[of]);
export const makeCalendarAddress = (of: CalendarOf) => ask<CalendarAddress>("POST", CALENDAR[of]);
export const endCalendarAddress = (of: CalendarOf) => ask<CalendarAddress>("DELETE", CALENDAR[of]);

/** Mails a code to another address of a pet parent: the token that comes back with it. */
export const askForEmail = (password: string, email: string) =>
  ask<{ token: string }>("POST", "/auth/email", { password, email });

/** Gives the account the address to which the code was mailed; this phone shows it from then on. */
export async function confirmEmail(token: string, code: string): Promise<Answer<SessionUser>> {
  const answer = await ask<SessionUser>("POST", "/auth/email/confirm", { token, code });
  if (answer.ok) await showUser(answer.value);
  return answer;
}
