/**
 * Owns the calendar on paper: the days that are shown, a line for each visit. What opens a door does not go onto paper.
 */
import { useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { setApart, type Visit } from "../../core";
import { useFirstRead } from "../../data";
import { dogNames, statusWord } from "../../parts/visit/visitText";
import { PageBody } from "../../ui";

export function OnPaper({ days, now }: { days: readonly string[]; now: number }) {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    // At once: the browser counts the pages as soon as this returns.
    const begin = () => flushSync(() => setPrinting(true));
    const end = () => setPrinting(false);
    addEventListener("beforeprint", begin);
    addEventListener("afterprint", end);
    return () => {
      removeEventListener("beforeprint", begin);
      removeEventListener("afterprint", end);
    };
  }, []);
  return isPrinting && <Days days={days} now={now} />;
}

function Days({ days, now }: { days: readonly string[]; now: number }) {
  const plans = useFirstRead((phone) => days.map((it) => phone.dayPlan(it, now)), days.join(), now);
  return (
    <PageBody className="grid gap-5">
      {plans.map(({ date, heading, stays, visits }) => (
        <section key={date} aria-label={heading}>
          <h2 className="border-b border-edge pb-1 font-bold break-after-avoid">{heading}</h2>
          {stays.map(({ view, place }) => (
            <p key={view.id} className="num border-b border-line py-2 text-14">
              <b>{dogNames(view)}</b> · {view.client_name} · {view.kind}, {place}
            </p>
          ))}
          {visits.length + stays.length === 0 && <p className="py-2 text-14 text-ink-2">Nothing scheduled</p>}
          <ul>
            {visits.map((it) => (
              <Line key={it.view.id} visit={it} />
            ))}
          </ul>
        </section>
      ))}
    </PageBody>
  );
}

function Line({ visit: { view, client, pets, continued } }: { visit: Visit }) {
  const contact = [setApart(client?.address ?? ""), client?.phone].filter(Boolean).join(" · ");
  return (
    <li className="num grid grid-cols-[10.5rem_minmax(0,1fr)_7rem] gap-3 border-b border-line py-2 text-14 break-inside-avoid">
      <span>
        {view.formatted_time}
        {continued && <span className="block">Since yesterday</span>}
      </span>
      <div className="wrap-anywhere">
        <p>
          <b>{dogNames(view)}</b> · <bdi>{view.client_name}</bdi>
        </p>
        {contact && <p>{contact}</p>}
        {pets.map(
          ({ id, name, about }) =>
            about && <p key={id}>{pets.length > 1 ? `${setApart(name)}: ${setApart(about)}` : <bdi>{about}</bdi>}</p>,
        )}
      </div>
      <span className="text-right">
        {view.kind}, {view.length}
        {view.status !== "scheduled" && <span className="block">{statusWord[view.status]}</span>}
      </span>
    </li>
  );
}
