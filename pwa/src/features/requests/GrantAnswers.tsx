/**
 * Owns the answers to a request for something else than one visit: what would happen, before it is approved, and for a
 * series its time and the dates that something is in the way of.
 */
import { useState } from "react";
import { useLocation } from "wouter";
import { useMinute } from "../../browser/clock";
import {
  type Command,
  type DateChoice,
  formatDollars,
  formatTime,
  limits,
  newSeriesSlot,
  type RequestCard,
} from "../../core";
import { useRead } from "../../data";
import { Banner, Button, Select, useBusy } from "../../ui";
import { PreviewList } from "../scheduling";
import { grant } from "./answer";

interface GrantAnswersProps {
  card: RequestCard;
  isNext: boolean;
  onDecline: () => void;
}

export function GrantAnswers({ card, isNext, onDecline }: GrantAnswersProps) {
  const { busy, run } = useBusy();
  const [, navigate] = useLocation();
  const [start_time, setStartTime] = useState(card.start_time);
  const [choices, setChoices] = useState<DateChoice[]>([]);
  const isSeries = card.subject?.kind === "series";
  const isStay = card.subject?.kind === "move_service" && Boolean(card.subject.end_date);
  const args = {
    id: card.id,
    sitter_response: "",
    start_time: isSeries && start_time !== card.start_time ? start_time : null,
    choices,
    ...(card.obstacles.length > 0 && { overlap_ok: true }),
  };
  const preview = usePreview({ name: "grant_request", args });
  const moveTo = (time: string) => {
    setStartTime(time);
    // Another time of the day may be free.
    setChoices(choices.filter((it) => it.way === "leave_out"));
  };
  const cannot = card.only_decline ?? preview.problem;
  return (
    <>
      {card.only_decline && <Banner kind="info">{card.only_decline}</Banner>}
      {card.price_now !== null && (
        <p className="num text-14 text-ink-2">
          {isSeries ? "Approving books each visit at" : "On these days the stay costs"} {formatDollars(card.price_now)}
          {isSeries && ", by your rates"}. It was asked for at {formatDollars(card.price)}.
        </p>
      )}
      {!card.only_decline && isSeries && (
        <>
          <Select
            name={`start_time-${card.id}`}
            label="Start time"
            value={start_time}
            onChange={moveTo}
            hint={start_time !== card.start_time && `Asked for: ${formatTime(card.start_time)}`}
            options={startTimes(card.start_time).map((value) => ({ value, label: formatTime(value) }))}
          />
          {preview.errors.map(({ field, text }) => (
            <Banner key={field} kind="danger">
              {text}
            </Banner>
          ))}
          <PreviewList
            preview={preview}
            choices={choices}
            onChoose={setChoices}
            slotsOn={() => [{ ...newSeriesSlot(card.id), start_time }]}
          />
          {preview.taken > 0 && (
            <p className="text-14 text-ink-2">Dates that you leave undecided wait for you in the series.</p>
          )}
        </>
      )}
      {!card.only_decline && !isSeries && (
        <p role="status" className="num font-medium wrap-anywhere">
          {preview.problem ?? preview.effect}
        </p>
      )}
      {card.obstacles.length > 0 && (
        <Banner kind="tag">
          <p className="font-medium">{isStay ? "The new days are not free" : "The new time is not free"}</p>
          <ul className="num list-disc pl-5">
            {card.obstacles.map((it) => (
              <li key={it.obstacle.id} className="wrap-anywhere">
                {it.text}
              </li>
            ))}
          </ul>
        </Banner>
      )}
      <div className="flex flex-wrap justify-end gap-2 border-t border-line pt-3">
        <Button kind="quiet" disabled={busy} onClick={onDecline} className="max-md:flex-1">
          Decline
        </Button>
        {!cannot && (
          <Button
            kind={isNext && card.obstacles.length === 0 ? "primary" : "quiet"}
            busy={busy}
            onClick={() => void run(() => grant(card, args, navigate))}
            className="max-md:flex-1"
          >
            {card.obstacles.length > 0 ? "Approve anyway" : "Approve"}
          </Button>
        )}
      </div>
    </>
  );
}

/** The times to choose from, with the one that was asked for, wherever it lies. */
function startTimes(asked: string): string[] {
  const { start_times } = limits();
  return start_times.includes(asked) ? start_times : [...start_times, asked].toSorted();
}

/** Previews the approval, anew as often as it is another one. */
function usePreview(command: Command) {
  const now = useMinute();
  const asked = JSON.stringify(command);
  return useRead((phone) => phone.previewSeries(JSON.parse(asked) as Command, now), asked, now);
}
