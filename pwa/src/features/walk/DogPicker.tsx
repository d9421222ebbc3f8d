/**
 * Owns the question of which dogs an event is, on a walk with several: it is logged for all of them already, and who knows
 * better says so by a tap. The question goes by itself when nobody answers it.
 */
import { Check } from "lucide-react";
import { useEffect } from "react";
import type { WalkEvent } from "../../core/walk";
import type { DogAlong } from "../../parts/walk/walkText";
import { cx, IconButton } from "../../ui";
import { eventName } from "./events";
import { eventDogs } from "./tracker";

/** Long enough to look up from the dog, short enough not to stand there for the rest of the walk. */
const ASKED_MS = 20_000;

interface DogPickerProps {
  event: WalkEvent;
  dogs: readonly DogAlong[];
  onDone: () => void;
}

export function DogPicker({ event, dogs, onDone }: DogPickerProps) {
  const { id, dog_ids = [] } = event;
  const answered = dog_ids.join(" ");
  useEffect(() => {
    const timer = setTimeout(onDone, ASKED_MS);
    return () => clearTimeout(timer);
    // Each answer gives time for another one.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [id, answered]);
  const isAll = dog_ids.length === 0;
  const choose = (dog: string) => {
    // Of all of them it is mostly one: the first tap says which, and those after it who else.
    const chosen = isAll ? [dog] : dog_ids.includes(dog) ? dog_ids.filter((it) => it !== dog) : [...dog_ids, dog];
    void eventDogs(id, chosen.length === dogs.length ? [] : chosen);
  };
  return (
    <fieldset className="flex min-w-0 animate-rise items-center gap-2">
      <legend className="sr-only">{eventName(event.type)}: which pets?</legend>
      <span aria-hidden className="shrink-0 text-14 text-ink-2">
        Who?
      </span>
      <div className="flex max-h-30 min-w-0 flex-1 flex-wrap gap-2 overflow-y-auto py-1">
        {dogs.map((dog) => {
          const isOf = isAll || dog_ids.includes(dog.id);
          return (
            <button
              key={dog.id}
              type="button"
              aria-pressed={isOf}
              onClick={() => choose(dog.id)}
              className={cx(
                "inline-flex min-h-12 max-w-full min-w-0 touch-manipulation items-center gap-1.5 rounded-full border px-4 text-14 font-bold active:scale-95",
                isOf ? "border-transparent bg-tag-soft text-tag-ink" : "border-line bg-paper text-ink-2",
              )}
            >
              {isOf && <Check aria-hidden strokeWidth={3} className="size-4 shrink-0" />}
              <bdi className="truncate">{dog.name}</bdi>
            </button>
          );
        })}
      </div>
      <IconButton label="That is right" onClick={onDone}>
        <Check />
      </IconButton>
    </fieldset>
  );
}
