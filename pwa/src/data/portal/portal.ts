/**
 * Owns whose client a pet parent is, and which of their sitters this tab shows: one database for each on this phone, which
 * goes when the sitter lets the person go.
 */
import { useSyncExternalStore } from "react";
import { Listeners } from "../../browser/listeners";
import { type CardOutcome, type CardPage, type InvitePage, type Linked, newId, type SitterOfClient } from "../../core";
import { enterPlace } from "../account/auth";
import { type OpenBusiness, openBusiness } from "../business/openBusiness";
import { type Answer, call, pathIn } from "../server/api";
import { currentSession, onSession, sessionToken } from "../session/session";
import { changeUser, userOnThisPhone } from "../session/sessionDb";
import { databaseName, deleteUserDb, placeOf } from "../store/db";
import { noteDatabase, Others, openAside, type Standing, standingOf } from "./others";

/** A former sitter, with what was booked when this phone let go of it. */
export interface FormerSitter extends SitterOfClient {
  /** Number of visits that were still to come. */
  n_booked?: number;
  /** The day of the first of them; empty without any. */
  first_booked?: string;
}

export interface Portal {
  /** False until this phone, or else the server, has said whose client the person is. */
  isKnown: boolean;
  sitters: SitterOfClient[];
  /** The one that is shown. */
  open: SitterOfClient | undefined;
  /** Former sitters of whom the person has not been told yet. */
  left: FormerSitter[];
  /** True while unsent changes for a former sitter are open: they stay until the person has settled them. */
  isParting: boolean;
  /** Counts of the sitters who are not shown, by client record; without sitters of whom nothing is known yet. */
  standings: Readonly<Record<string, Standing>>;
  /** Why the server could not be asked, where nothing is known without it. */
  trouble: string | undefined;
  /** The client record of the address that was opened last, once its sitter is shown or known to be none of the person's. */
  followed: string | undefined;
}

const NOTHING: Portal = {
  isKnown: false,
  sitters: [],
  open: undefined,
  left: [],
  isParting: false,
  standings: {},
  trouble: undefined,
  followed: undefined,
};

let portal = NOTHING;
/** Client records whose sitters the person has left on this page: nobody else ended that, and nobody has to be told. */
const leftByPerson = new Set<string>();
/** Whose it is. */
let userId: string | undefined;
const changes = new Listeners();

function set(change: Partial<Portal>): void {
  portal = { ...portal, ...change };
  changes.notify();
}

// What was one person's is not there for whoever comes after them.
onSession(() => {
  const { user } = currentSession();
  // Nor while a tab shows the business of a sitter who is a pet parent, too.
  if ((user?.role === "client" ? user.id : undefined) === userId) return;
  userId = undefined;
  void letOthersGo();
  set(NOTHING);
});

export const usePortal = (): Portal => useSyncExternalStore(changes.subscribe, () => portal);

/**
 * Local storage key of the client record that was shown last on this phone; removed with what its person leaves behind.
 */
const LAST = "walkies-portal";

let others: Others | undefined;

/** Keeps those in step who are not shown, until they are let go. */
function keepOthers(): void {
  if (userId === undefined || others) return;
  const { sitters, open } = portal;
  others = new Others(
    userId,
    sitters.filter((it) => !open || !isSame(it, open)),
    {
      stands: note,
      letGo: () => void refreshSitters(null),
    },
  );
}

function note(client_id: string, standing: Standing): void {
  const { standings } = portal;
  if (JSON.stringify(standings[client_id]) !== JSON.stringify(standing)) {
    set({ standings: { ...standings, [client_id]: standing } });
  }
}

/** Resolves when nothing of them is open any more. */
async function letOthersGo(): Promise<void> {
  const resting = others;
  others = undefined;
  await resting?.stop();
}

/** One after the other: what one of them has open must not be closed by the next. */
let working: Promise<void> = Promise.resolve();
function inTurn(work: () => Promise<void>): Promise<void> {
  working = working.catch(() => undefined).then(work);
  return working;
}

/** Shows what this phone knows, and asks the server whether it is still so. */
export const startPortal = (wanted: string | null): Promise<void> =>
  inTurn(() => begin(wanted).finally(() => set({ followed: wanted ?? undefined })));

/** Shows what the person has of the sitter whose client they are by this record. */
export const chooseSitter = (clientId: string): Promise<void> => inTurn(() => show(clientId));

/** Asks the server whose client the person is; what they are no longer leaves this phone. */
export const refreshSitters = (wanted: string | null): Promise<void> => inTurn(() => refresh(wanted));

async function begin(wanted: string | null): Promise<void> {
  const { user } = currentSession();
  if (user?.role !== "client") return;
  if (userId !== user.id) {
    userId = user.id;
    portal = NOTHING;
    const { sitters = [], left = [] } = (await userOnThisPhone(user.id)) ?? {};
    set({ left });
    if (sitters.length > 0) set({ isKnown: true, sitters });
  }
  if (portal.isKnown && !portal.isParting) await show(wanted);
  await refresh(wanted);
}

/** Opens the one that is wanted, the one that was shown last, or the first. */
async function show(wanted: string | null): Promise<void> {
  const { sitters } = portal;
  const find = (id: string | null | undefined) => sitters.find((it) => it.client_id === id);
  const next = find(wanted) ?? find(portal.open?.client_id) ?? find(localStorage.getItem(LAST)) ?? sitters[0];
  const of = userId;
  if (of === undefined) return;
  await letOthersGo();
  const shown = openBusiness();
  if (shown?.store.place) note(shown.store.place.client_id, standingOf(shown.phone));
  if (!next) {
    await enterPlace(of, undefined);
    return set({ open: undefined });
  }
  localStorage.setItem(LAST, next.client_id);
  await noteDatabase(of, next);
  await enterPlace(of, next);
  const opened = openBusiness();
  // Signed out meanwhile, or the tab shows the person's own business.
  if (opened?.store.name !== databaseName(of, next)) return;
  opened.onLetGo = () => void refreshSitters(null);
  set({ open: next });
  keepOthers();
}

async function refresh(wanted: string | null): Promise<void> {
  const of = userId;
  const answer = await call<SitterOfClient[]>("/client/sitters", { token: sessionToken("client") });
  if (of === undefined || of !== userId) return;
  if (!answer.ok) return set({ trouble: portal.isKnown ? undefined : answer.error.text });
  const sitters = answer.value;
  const gone = portal.sitters.filter((it) => !sitters.some((known) => isSame(known, it)));
  // A new record with the same sitter is no goodbye.
  const isOver = (it: SitterOfClient) =>
    !sitters.some((known) => known.sitter_id === it.sitter_id) && !leftByPerson.has(it.client_id);
  const left = [...portal.left, ...gone].filter(isOver);
  await changeUser(of, () => ({ sitters, left }));
  if (JSON.stringify(sitters) !== JSON.stringify(portal.sitters)) await letOthersGo();
  set({ isKnown: true, sitters, trouble: undefined, left });
  const isParting = await part(of);
  set({ isParting, ...(isParting && { open: undefined }) });
  if (!isParting && (!openBusiness() || gone.length > 0 || wanted)) await show(wanted);
  keepOthers();
}

/**
 * Parts with what this phone has of sitters who have let the person go: all that is the business's goes at once. What was
 * not sent stays open where there is any, for the person to settle; whether that is so.
 */
async function part(of: string): Promise<boolean> {
  const kept = portal.sitters.map((it) => databaseName(of, it));
  const { databases = [] } = (await userOnThisPhone(of)) ?? {};
  for (const name of databases.filter((it) => !kept.includes(it))) {
    const place = placeOf(name);
    if (!place) continue;
    if (openBusiness()?.store.name === name) await enterPlace(of, undefined);
    const mustSettle = await openAside(of, place, undefined, async (leaving) => {
      // Now: their visits leave with everything else.
      // Whatever keeps them from being counted keeps nothing of the business here.
      await noteBooked(of, place.client_id, leaving).catch(() => undefined);
      await leaving.apply(leaving.phone.letGo(newId()));
      await leaving.store.dropAllButUnsent();
      return leaving.phone.attentionCount() > 0;
    });
    if (mustSettle === undefined) return false;
    if (mustSettle) {
      await enterPlace(of, place);
      return true;
    }
    await forget(of, name);
  }
  return false;
}

/** Notes with a former sitter which visits were booked; a phone that asks again, after they are gone, changes nothing. */
async function noteBooked(of: string, client_id: string, leaving: OpenBusiness): Promise<void> {
  const { next, upcoming } = (await leaving.wholePhone()).parentHome(client_id, 0, Date.now());
  const booked = [...next, ...upcoming].filter((it) => it.status === "scheduled");
  if (booked.length === 0) return;
  const note = (it: FormerSitter): FormerSitter =>
    it.client_id === client_id ? { ...it, n_booked: booked.length, first_booked: booked[0]?.date ?? "" } : it;
  await changeUser(of, ({ left = [] }) => ({ left: left.map(note) }));
  set({ left: portal.left.map(note) });
}

const isSame = (one: SitterOfClient, other: SitterOfClient): boolean =>
  one.sitter_id === other.sitter_id && one.client_id === other.client_id;

async function forget(of: string, name: string): Promise<void> {
  await deleteUserDb(name);
  await changeUser(of, ({ databases = [] }) => ({ databases: databases.filter((it) => it !== name) }));
}

/** Ends the person's part in the business of this sitter; what this phone has of it leaves it. */
export async function leaveSitter({ sitter_id, client_id }: SitterOfClient): Promise<Answer<unknown>> {
  const answer = await call("/client/leave", { method: "POST", token: sessionToken(), body: { sitter_id } });
  if (answer.ok) {
    leftByPerson.add(client_id);
    await refreshSitters(null);
  }
  return answer;
}

/** Forgets the former sitters: the person has been told. */
export async function haveReadLeft(): Promise<void> {
  if (userId !== undefined) await changeUser(userId, () => ({ left: [] }));
  set({ left: [] });
}

/** True while another sitter is to be shown than is, since the address names the client record with them. */
export function useIsFollowing(wanted: string | null): boolean {
  const { open, followed } = usePortal();
  return wanted !== null && open?.client_id !== wanted && followed !== wanted;
}

/** How many changes for other sitters than the one shown are unsent, and how many need attention. */
export function useUnsentElsewhere(): Pick<Standing, "pending" | "attention"> {
  const { sitters, open, standings } = usePortal();
  const others = sitters.filter((it) => it.client_id !== open?.client_id).map((it) => standings[it.client_id]);
  const sum = (of: "pending" | "attention") => others.reduce((sum, it) => sum + (it?.[of] ?? 0), 0);
  return { pending: sum("pending"), attention: sum("attention") };
}

/** The page on which an invoice of the sitter who is shown is paid by card; `tip` in percent, 0 for none. */
export function cardPage(invoiceId: string, tip: number): Promise<Answer<CardPage>> {
  const body = { sitter_id: openBusiness()?.store.place?.sitter_id, tip: tip || null };
  return call(`/client/invoices/${invoiceId}/card-page`, { method: "POST", token: sessionToken(), body });
}

/** Asks what is known of a payment by card of such an invoice; `hasPaid` for whom Stripe has led back from a payment. */
export function cardOutcome(invoiceId: string, hasPaid: boolean, signal: AbortSignal): Promise<Answer<CardOutcome>> {
  const path = `/client/invoices/${invoiceId}/card-payment?paid=${String(hasPaid)}`;
  return call(pathIn(path, openBusiness()?.store.place), { token: sessionToken(), signal });
}

/** Who invites by this code. */
export const readInvite = (code: string): Promise<Answer<InvitePage>> => call(`/invites/${encodeURIComponent(code)}`);

/** Links the person who is signed in with the record that the code is for, and shows it. */
export async function linkByCode(client_id: string, code: string): Promise<Answer<Linked>> {
  const body = { client_id, code };
  const answer = await call<Linked>("/client/link", { method: "POST", token: sessionToken("client"), body });
  if (answer.ok) {
    userId = currentSession().user?.id;
    leftByPerson.delete(answer.value.client_id);
    await refreshSitters(answer.value.client_id);
  }
  return answer;
}
