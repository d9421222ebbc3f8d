/**
 * Owns Needs attention: what the server turned down or did otherwise, in the person's own words, with the ways out;
 * below it the dates of series that are to be decided, and what waits to be sent. Nothing leaves the first two lists but by
 * a person's decision.
 */
import { CircleCheck, CloudUpload, Send } from "lucide-react";
import { useState } from "react";
import { useMinute } from "../../browser/clock";
import { deviceText } from "../../browser/device";
import type { AttentionGroup, AttentionItem, Mutation, OutboxEntry, ShareInvoice, WaitingDates } from "../../core";
import { business, sendNow, storageTrouble, useIsSyncing, useRead, useReplica, useSyncStatus } from "../../data";
import { useOnlyHere } from "../../data/localData";
import { useUnsentElsewhere } from "../../data/portal/portal";
import { counted, countedAll, onlyHere } from "../../parts/account/counted";
import { forgottenOf, resendForgotten } from "../../parts/attention/resend";
import { RelativeTime } from "../../parts/RelativeTime";
import { datesToDecide } from "../../parts/visit/SeriesSigns";
import { Banner, Button, ButtonLink, Card, confirm, EmptyState, PageBody, PageHeader, toast } from "../../ui";
import { AttentionCard } from "./AttentionCard";

export default function AttentionScreen() {
  const groups = useReplica((phone) => phone.attentionGroups());
  const waiting = useReplica((phone) => phone.outbox());
  // A banner above leads to them.
  const choices = useReplica((phone) => phone.textChoices().length);
  const now = useMinute();
  const series = useRead((phone) => phone.waitingSeriesDates(now), now);
  const toDecide = series.reduce((sum, it) => sum + it.dates.length, 0);
  const elsewhere = useUnsentElsewhere();
  const alone = onlyHere(useOnlyHere());
  const count = groups.reduce((sum, it) => sum + it.items.length, 0);
  const sub = [
    count > 0 && (count === 1 ? "1 thing to sort out" : `${count} things to sort out`),
    toDecide > 0 && datesToDecide(toDecide),
  ];
  return (
    <>
      <PageHeader title="Needs attention" sub={sub.filter(Boolean).join(", ") || undefined} />
      <PageBody className="grid max-w-220 gap-8">
        {count === 0 && series.length === 0 && (
          <EmptyState
            icon={<CircleCheck aria-hidden />}
            title={
              choices > 0
                ? "Nothing else needs your attention"
                : elsewhere.attention > 0
                  ? "Nothing needs your attention here"
                  : "Nothing needs your attention"
            }
          >
            {waiting.length === 0 && elsewhere.pending === 0
              ? "All your changes are on the server."
              : "If something cannot be done as you asked, it appears here."}
            {elsewhere.pending > 0 &&
              ` For your other sitters, ${counted(elsewhere.pending, "change")} ${elsewhere.pending === 1 ? "waits" : "wait"} to be sent.`}
            {elsewhere.attention > 0 &&
              ` At your other sitters, ${counted(elsewhere.attention, "change")} ${elsewhere.attention === 1 ? "needs" : "need"} attention.`}
            {alone && deviceText(` Only on this phone: ${alone}.`)}
          </EmptyState>
        )}
        <Forgotten items={forgottenOf(groups.flatMap((it) => it.items))} />
        {groups.map((group, place) => (
          <Group key={group.items[0]?.id} group={group} isNext={place === 0} />
        ))}
        {series.length > 0 && <ToDecide series={series} />}
        {waiting.length > 0 && <Waiting entries={waiting} />}
      </PageBody>
    </>
  );
}

/** All that a restored server has forgotten, at once; one by one it is in its groups. */
function Forgotten({ items }: { items: readonly AttentionItem[] }) {
  const [busy, setBusy] = useState<"send" | "leave">();
  if (items.length < 2) return null;
  const run = async (what: "send" | "leave", act: () => Promise<unknown>) => {
    setBusy(what);
    await act().catch((error: unknown) => toast.error(storageTrouble(error)));
    setBusy(undefined);
  };
  const leaveOut = async () => {
    const question = {
      title: `Leave out all ${items.length} changes?`,
      text: "They were done before the server was restored, and nobody else has them.",
      action: "Leave all out",
      danger: true,
    };
    if (await confirm(question)) for (const { id } of items) await business().discard(id);
  };
  return (
    <Card className="grid gap-3">
      <h2 className="text-20 font-bold">The server was restored</h2>
      <p>
        {deviceText(
          `It came back from an older backup and has no longer ${items.length} changes of this phone that were done before.`,
        )}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" busy={busy === "send"} onClick={() => void run("send", resendForgotten)}>
          Send all again
        </Button>
        <Button kind="plain" busy={busy === "leave"} onClick={() => void run("leave", leaveOut)}>
          Leave all out
        </Button>
      </div>
    </Card>
  );
}

function Group({ group: { title, items }, isNext }: { group: AttentionGroup; isNext: boolean }) {
  return (
    <section aria-label={title} className="grid gap-3">
      <h2 className="text-20 font-bold wrap-anywhere">
        <bdi>{title}</bdi>
      </h2>
      {items.map((item, place) => (
        // What followed from the first is set back, so that the cause is seen first.
        <div key={item.id} className={place > 0 ? "ml-4 border-l-2 border-line pl-4" : undefined}>
          <AttentionCard item={item} isNext={isNext && place === 0} />
        </div>
      ))}
    </section>
  );
}

/** Dates of series whose time is taken, with what is in their way now. */
function ToDecide({ series }: { series: readonly WaitingDates[] }) {
  return (
    <section aria-labelledby="to-decide" className="grid gap-3">
      <h2 id="to-decide" className="text-20 font-bold">
        Dates to decide
      </h2>
      {series.map(({ series_id, title, dates }) => (
        <Card key={series_id} className="grid gap-3">
          <h3 className="font-bold wrap-anywhere">{title}</h3>
          <ul className="num grid gap-2">
            {dates.map((it) => (
              <li key={it.service_id}>
                {it.heading}, <span className="inline-block">{it.time}</span>
                <span className="block text-14 text-ink-2 wrap-anywhere">
                  {it.state === "taken"
                    ? [...(it.problem ? [it.problem] : []), ...it.obstacles.map(({ text }) => text)].join(" · ")
                    : "Free by now"}
                </span>
              </li>
            ))}
          </ul>
          <div>
            <ButtonLink kind="quiet" to={`/scheduling?series=${series_id}`} aria-label={`Decide: ${title}`}>
              Decide
            </ButtonLink>
          </div>
        </Card>
      ))}
    </section>
  );
}

/** `1 photo and 1 video`, of the files that a change waits for. */
function filesOf({ args }: Mutation, files: readonly string[]): string {
  const { videos = [] } = args as Partial<ShareInvoice>;
  const video = files.filter((it) => videos.includes(it)).length;
  return countedAll({ photo: files.length - video, video });
}

function Waiting({ entries }: { entries: readonly OutboxEntry[] }) {
  const busy = useIsSyncing();
  const { unreachable, needsAuth, updateRequired, trouble } = useSyncStatus();
  const why = needsAuth
    ? "Sign in to send them."
    : updateRequired
      ? "Update Walkies to send them."
      : unreachable
        ? deviceText(`${unreachable}. They are safe on this phone and are sent once there is a connection.`)
        : trouble;
  return (
    <section aria-labelledby="waiting" className="grid gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <h2 id="waiting" className="flex-1 text-20 font-bold">
          Waiting to be sent
        </h2>
        <Button
          kind="quiet"
          icon={<Send aria-hidden className="size-5" />}
          busy={busy}
          disabled={needsAuth || updateRequired}
          onClick={sendNow}
        >
          Send now
        </Button>
      </div>
      {why && (
        <Banner kind="tag" role="status">
          {why}
        </Banner>
      )}
      <div className="rounded-large border border-line bg-card">
        <ol className="divide-y divide-line">
          {entries.map(({ mutation, sentence, photos }) => (
            <li key={mutation.id} className="flex min-h-12 flex-wrap items-center gap-x-3 px-4 py-2">
              <CloudUpload aria-hidden className="size-5 shrink-0 text-ink-3" />
              <span className="min-w-0 flex-1 basis-36 wrap-anywhere">{sentence}</span>
              <span className="num shrink-0 text-14 text-ink-2">
                {photos && photos.length > 0 && `${filesOf(mutation, photos)} · `}
                <RelativeTime at={mutation.made_at} />
              </span>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
