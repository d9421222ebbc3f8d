/** Owns the summary of what no field takes: where it goes, column by column, with some of it. */
import { useId } from "react";
import type { KeptColumn } from "../../core/import";
import { Card } from "../../ui";

export function KeptColumns({ kept }: { kept: readonly KeptColumn[] }) {
  const [inNotes, leftOut] = [kept.filter((it) => !it.is_left_out), kept.filter((it) => it.is_left_out)];
  return (
    <>
      {inNotes.length > 0 && <Columns title="Goes to your internal notes" columns={inNotes} />}
      {leftOut.length > 0 && <Columns title="Columns left out" columns={leftOut} />}
    </>
  );
}

function Columns({ title, columns }: { title: string; columns: readonly KeptColumn[] }) {
  const heading = useId();
  return (
    <Card className="grid gap-2">
      <h3 id={heading} className="font-bold">
        {title}
      </h3>
      <dl aria-labelledby={heading} className="grid gap-2 text-14">
        {columns.map((it) => (
          <div key={it.column}>
            <dt className="font-medium wrap-anywhere">
              <bdi>{it.name}</bdi>
            </dt>
            <dd className="line-clamp-2 text-ink-2 wrap-anywhere">
              {it.examples.map((text) => (
                <span key={text} className="not-first:before:content-['_·_']">
                  <bdi>{text}</bdi>
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
