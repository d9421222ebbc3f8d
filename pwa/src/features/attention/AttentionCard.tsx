/** Owns one entry of Needs attention: what was asked for, why it did not work, and every way out of it. */
import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { deviceText } from "../../browser/device";
import type { AttentionItem, WayOut, Words } from "../../core";
import { business, storageTrouble, usePhotoUrl } from "../../data";
import { fixPath } from "../../parts/attention/fix";
import { resend } from "../../parts/attention/resend";
import { RelativeTime } from "../../parts/RelativeTime";
import { Banner, Button, ButtonLink, Card, Chip, confirm, toast } from "../../ui";

interface AttentionCardProps {
  item: AttentionItem;
  /** The one whose way out is the screen's strong action. */
  isNext: boolean;
}

export function AttentionCard({ item, isNext }: AttentionCardProps) {
  const { sentence, made_at, refused, reasons, obstacles, differences, words, waits, ways, let_go } = item;
  const [busy, setBusy] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const path = fixPath(item);
  const strong = isNext ? "primary" : "quiet";
  const photo = usePhotoUrl(item.refusal?.code === "photo_refused" ? item.refusal.photo : undefined);

  const run = async (name: string, act: () => Promise<string | undefined>) => {
    setBusy(name);
    setProblem(undefined);
    const said = await act().catch(storageTrouble);
    // Where it worked the card is gone by now.
    setProblem(said);
    setBusy(undefined);
  };

  return (
    <Card className="grid gap-3">
      <div className="flex flex-wrap items-start gap-x-3">
        <h3 className="min-w-0 flex-1 basis-[min(100%,9rem)] font-bold wrap-anywhere">{sentence}</h3>
        <span className="num shrink-0 text-14 text-ink-2">
          <RelativeTime at={made_at} />
        </span>
      </div>
      <div className="grid gap-1">
        <div>
          <Chip kind={refused ? "danger" : "tag"}>{refused ? "Not done" : "Done differently"}</Chip>
        </div>
        {reasons.map((reason) => (
          <p key={reason}>{reason}</p>
        ))}
        {waits && <p className="text-14 text-ink-2">Settle the change above first, then send this one again.</p>}
      </div>
      {photo && <img src={photo} alt="Not taken by the server" className="size-24 rounded-small object-cover" />}
      {obstacles.length > 0 && <Obstacles obstacles={obstacles} />}
      {differences.length > 0 && <Differences differences={differences} />}
      {refused && <YourWords words={words} />}
      {problem && (
        <Banner kind="danger" role="alert">
          {problem}
        </Banner>
      )}
      <div className="flex flex-wrap gap-2">
        {path && (
          <ButtonLink to={path} kind={strong}>
            {fixLabel(item)}
          </ButtonLink>
        )}
        {item.refusal?.code === "invoice_changed" &&
          item.refusal.elsewhere &&
          item.command?.name === "share_invoice" && (
            <ButtonLink to={billedPath(item.refusal.elsewhere.number, item.command.args.client_id)} kind="quiet">
              Show {item.refusal.elsewhere.number || "the invoice"}
            </ButtonLink>
          )}
        {item.refusal?.code === "limit_reached" && (
          <ButtonLink to="/billing" kind="quiet">
            See plans
          </ButtonLink>
        )}
        {ways.map((way, place) => (
          <Button
            key={way.label}
            kind={path || place > 0 ? "quiet" : strong}
            busy={busy === way.label}
            onClick={() => void run(way.label, () => sendAgain(item, way))}
          >
            {way.label}
          </Button>
        ))}
        <Button
          kind={refused || ways.length > 0 ? "plain" : strong}
          busy={busy === "discard"}
          onClick={() => void run("discard", () => discard(item))}
        >
          {let_go}
        </Button>
      </div>
    </Card>
  );
}

/** The history with the invoice that has the visits already; while it has no number, with its client's. */
const billedPath = (number: string, clientId: string | null | undefined): string =>
  `/invoices?${new URLSearchParams({ tab: "history", ...(number ? { search: number } : { client: clientId ?? "" }) })}`;

function Obstacles({ obstacles }: { obstacles: readonly string[] }) {
  return (
    <div>
      <p className="text-14 text-ink-2">In the way</p>
      <ul className="num list-disc pl-5">
        {obstacles.map((it) => (
          <li key={it}>{it}</li>
        ))}
      </ul>
    </div>
  );
}

function Differences({ differences }: { differences: AttentionItem["differences"] }) {
  return (
    <table className="num w-full table-fixed text-left text-14">
      <thead className="text-ink-2">
        <tr>
          <th scope="col" className="w-1/4 py-1 font-medium">
            <span className="sr-only">Field</span>
          </th>
          <th scope="col" className="py-1 font-medium">
            Yours
          </th>
          <th scope="col" className="py-1 font-medium">
            Theirs
          </th>
        </tr>
      </thead>
      <tbody>
        {differences.map((it) => (
          <tr key={it.label} className="border-t border-line align-top">
            <th scope="row" className="py-2 pr-2 font-medium wrap-anywhere">
              {it.label}
            </th>
            <td dir="auto" className="py-2 pr-2 wrap-anywhere whitespace-pre-wrap">
              {it.yours}
              {it.is_price && <span className="block text-ink-2">as you saw it</span>}
            </td>
            <td dir="auto" className="py-2 wrap-anywhere whitespace-pre-wrap">
              {it.theirs}
              {it.is_price && <span className="block text-ink-2">as it is charged</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function fixLabel({ command, refusal }: AttentionItem): string {
  if (command?.name === "approve_requests") return "Open the requests";
  if (command?.name === "approve_request" || command?.name === "grant_request") return "Open the request";
  if (refusal?.code === "conflict") return "Choose another time";
  return refusal?.code === "photo_refused" ? "Choose another photo" : "Fix and resend";
}

function YourWords({ words }: { words: readonly Words[] }) {
  if (words.length === 0) return null;
  return (
    <details className="group rounded-large bg-sunken">
      <summary className="flex min-h-12 list-none items-center gap-2 rounded-large px-4 text-14 font-medium">
        <ChevronDown aria-hidden className="size-5 text-ink-2 transition-transform group-open:rotate-180" />
        What you entered
      </summary>
      <WordList words={words} className="px-4 pb-3" />
    </details>
  );
}

function WordList({ words, className }: { words: readonly Words[]; className?: string }) {
  return (
    <dl className={className}>
      {words.map((it, place) => (
        // Two pets may have the same field with the same words.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={place} className="num pair grid gap-x-3 py-1 text-14">
          <dt className="text-ink-2 wrap-anywhere">{it.label}</dt>
          <dd dir="auto" className="wrap-anywhere whitespace-pre-wrap">
            {it.text}
          </dd>
        </div>
      ))}
    </dl>
  );
}

async function sendAgain(item: AttentionItem, way: WayOut): Promise<string | undefined> {
  const said = await resend(item, way);
  if (said === undefined)
    toast.success(deviceText(item.refused ? "Saved on this phone. It will be sent again." : "Saved on this phone."));
  return said;
}

/** Asks once before words are lost; what was done all the same loses none. */
async function discard(item: AttentionItem): Promise<string | undefined> {
  const { refusal, let_go } = item;
  // What was not to be deleted stays, and nothing is lost with the wish.
  const losesNothing = !item.refused || refusal?.code === "changed_meanwhile";
  const question = {
    title: questionOf(item),
    text: (
      <>
        <p className="wrap-anywhere">{item.sentence}</p>
        {item.words.length > 0 && <WordList words={item.words} className="mt-2 max-h-[40dvh] overflow-y-auto" />}
      </>
    ),
    action: let_go,
    danger: true,
  };
  if (!losesNothing && !(await confirm(question))) return undefined;
  await business().discard(item.id);
  return undefined;
}

function questionOf({ refusal, words }: AttentionItem): string {
  if (refusal?.code === "photo_refused") return "Leave this photo out?";
  return words.length > 0 ? "Discard this change and these words?" : "Discard this change?";
}
