/** Owns the week of hours (SPEC 2): seven columns from Sunday where there is room, days below each other where not. */
import { Plus } from "lucide-react";
import { useReplica } from "../../data";
import { WITHOUT_HOURS, weekdays } from "../../parts/availabilityText";
import { Button, IconButton } from "../../ui";
import { PatternCard } from "./PatternCard";

interface PatternsProps {
  /** New hours, on a day where one was pointed at. */
  onAdd: (day?: number) => void;
  onEdit: (id: string) => void;
}

export function Patterns({ onAdd, onEdit }: PatternsProps) {
  const patterns = useReplica((phone) => phone.patterns());
  return (
    <div className="@container grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 flex-1 basis-[min(100%,9rem)] text-14 text-ink-2 text-pretty">
          The hours of your week in which services can be booked. {WITHOUT_HOURS}
        </p>
        <Button
          kind="quiet"
          icon={<Plus aria-hidden className="size-5" />}
          className="shrink-0"
          onClick={() => onAdd()}
        >
          Add Pattern
        </Button>
      </div>
      <div className="grid gap-x-2 gap-y-4 @min-[880px]:grid-cols-7">
        {weekdays().map((name, day) => {
          const ofDay = patterns.filter((it) => it.day_of_week === day);
          return (
            <section key={name} aria-labelledby={`day-${day}`} className="grid min-w-0 grid-cols-1 content-start gap-2">
              <div className="flex items-center justify-between border-b border-line @min-[880px]:pl-1">
                <h2 id={`day-${day}`} className="truncate text-14 font-bold">
                  {name}
                </h2>
                <IconButton
                  label={`Add a pattern on ${name}`}
                  onClick={() => onAdd(day)}
                  className="hit text-ink-2 @min-[880px]:w-8"
                >
                  <Plus />
                </IconButton>
              </div>
              {ofDay.length === 0 ? (
                <p className="text-14 text-ink-3 @min-[880px]:py-3 @min-[880px]:text-center">No availability set</p>
              ) : (
                <div className="grid grid-cols-1 gap-2 @min-[480px]:grid-cols-2 @min-[880px]:grid-cols-1">
                  {ofDay.map((it) => (
                    <PatternCard key={it.id} pattern={it} onEdit={() => onEdit(it.id)} />
                  ))}
                </div>
              )}
            </section>
          );
        })}
      </div>
    </div>
  );
}
