/** Owns the requests' section: what pet parents ask for, by where it stands, and the sitter's answers (SPEC 2, Requests). */
import { Inbox, RefreshCw } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useSearchParams } from "wouter";
import { useMinute } from "../../browser/clock";
import { type RequestCard as Card, limits, type RequestCounts, type RequestFilter } from "../../core";
import { sendNow, useIsSyncing, useReplica } from "../../data";
import { type Fix, useFix } from "../../parts/attention/fix";
import { LoadingOrFailure } from "../../parts/LoadingOrFailure";
import { Offer } from "../../parts/notifications/Offer";
import { LimitBanner } from "../../parts/plan/LimitBanner";
import { Button, EmptyState, IconButton, PageBody, PageHeader, Tabs, useShortcut } from "../../ui";
import type { TabItem } from "../../ui/Tabs";
import { OpenMessage } from "../messages";
import { DeclineDialog } from "./DeclineDialog";
import { RequestCard } from "./RequestCard";
import { RequestGroup } from "./RequestGroup";

/** Limits of the plan that an approval counts toward. */
const LIMITS = ["services"] as const;

/** A page of the list: more are asked for. */
const PAGE = 30;
/** Page size when a waiting request is looked for, so that its refused answer can be fixed. */
const PAGE_TO_FIX = 200;

export default function RequestsScreen() {
  const now = useMinute();
  const [filter, setFilter] = useFilter();
  const { fix } = useFix("approve_request", "approve_requests", "grant_request");
  const [most, setMost] = useState(fix ? PAGE_TO_FIX : PAGE);
  const list = useReplica((phone) => phone.requests(filter, most, now));
  // The one whose approval was turned down comes first.
  const cards = list.cards.toSorted((a, b) => Number(isOf(b, fix)) - Number(isOf(a, fix)));
  const [declining, setDeclining] = useState<Card>();
  const next = cards.find((it) => it.status === "pending")?.id;
  // Before the first pull nobody knows how many there are.
  const counts = useReplica((phone) => phone.hasLoaded()) ? list.counts : undefined;
  const show = (tab: RequestFilter) => {
    setFilter(tab);
    setMost(PAGE);
  };
  return (
    <>
      <PageHeader title="Requests" sub={counts && waiting(counts.pending)} actions={<RefreshButton />} />
      <PageBody className="grid max-w-300 grid-cols-1 gap-3">
        <LimitBanner of={LIMITS} />
        <Offer>Get notified when a client requests something.</Offer>
        <Tabs label="Requests by status" items={tabs(counts)} value={filter} onChange={show}>
          <div className="grid items-start gap-3 xl:grid-cols-2 xl:*:not-[article]:col-span-full">
            {cards.length === 0 && <Nothing filter={filter} />}
            {grouped(cards).map((group) => {
              const [first, ...rest] = group;
              const isNext = first.id === next;
              return rest.length > 0 ? (
                <RequestGroup key={first.id} cards={group} isNext={isNext} onDecline={setDeclining} />
              ) : (
                <RequestCard key={first.id} card={first} isNext={isNext} onDecline={() => setDeclining(first)} />
              );
            })}
            {list.more > 0 && (
              <Button kind="plain" onClick={() => setMost(most + PAGE)}>
                View {Math.min(PAGE, list.more)} more
              </Button>
            )}
          </div>
        </Tabs>
      </PageBody>
      <OpenMessage />
      {declining && <DeclineDialog card={declining} onClose={() => setDeclining(undefined)} />}
    </>
  );
}

type Approval = "approve_request" | "approve_requests" | "grant_request";

function isOf({ id }: Card, fix: Fix<Approval> | undefined): boolean {
  if (!fix) return false;
  const { command } = fix;
  return command.name === "approve_requests"
    ? command.args.approvals.some((it) => it.id === id)
    : command.args.id === id;
}

/** Requests that were made at once and follow each other stand together, up to as many as are approved at once. */
function grouped(cards: readonly Card[]): [Card, ...Card[]][] {
  const { requests_at_once } = limits();
  const groups: [Card, ...Card[]][] = [];
  for (const card of cards) {
    const last = groups.at(-1);
    const isSame = card.group_id !== null && last?.[0].group_id === card.group_id;
    if (last && isSame && last.length < requests_at_once) last.push(card);
    else groups.push([card]);
  }
  return groups;
}

const FILTERS: readonly RequestFilter[] = ["all", "pending", "approved", "declined"];

/** The address has it, so that a step back leads to the tab before. */
function useFilter(): [RequestFilter, (next: RequestFilter) => void] {
  const [params, setParams] = useSearchParams();
  const status = params.get("status");
  const set = (next: RequestFilter) => setParams(next === "all" ? {} : { status: next }, { replace: true });
  return [FILTERS.find((it) => it === status) ?? "all", set];
}

const tabs = (counts: RequestCounts | undefined): TabItem<RequestFilter>[] => [
  { id: "all", label: "All Requests", count: counts?.all },
  { id: "pending", label: "Pending", count: counts?.pending },
  { id: "approved", label: "Approved", count: counts?.approved },
  { id: "declined", label: "Declined", count: counts?.declined },
];

const waiting = (count: number): string =>
  count === 0 ? "No requests wait for you" : count === 1 ? "1 request waits for you" : `${count} requests wait for you`;

function RefreshButton() {
  const busy = useIsSyncing();
  useShortcut("r", "Refresh requests", sendNow);
  return (
    <IconButton kind="round" label="Refresh" onClick={sendNow} disabled={busy}>
      <RefreshCw className={busy ? "animate-spin" : undefined} />
    </IconButton>
  );
}

function Nothing({ filter }: { filter: RequestFilter }): ReactNode {
  const hasLoaded = useReplica((phone) => phone.hasLoaded());
  if (!hasLoaded)
    return <LoadingOrFailure label="Loading requests" failure={(why) => `Failed to load walk requests. ${why}`} />;
  return filter === "all" ? (
    <EmptyState icon={<Inbox aria-hidden />} title="No walk requests yet">
      When a client requests a visit or a stay, it appears here with its price and whether the time is free.
    </EmptyState>
  ) : (
    <EmptyState icon={<Inbox aria-hidden />} title={`No ${filter} requests`} />
  );
}
