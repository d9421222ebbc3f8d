/** Owns the question how the dates of a column are read, once for each column, with one of them read in both ways. */
import { formatDate } from "../../core";
import type { DateQuestion } from "../../core/import";
import type { Draft } from "../../data";
import { Select } from "../../ui";
import type { ImportDraft } from "./importDraft";

interface ImportDatesProps {
  draft: Draft<ImportDraft>;
  questions: readonly DateQuestion[];
}

export function ImportDates({ draft, questions }: ImportDatesProps) {
  const answer = (column: number, is_day_first: boolean) => {
    const others = (draft.value.dates ?? []).filter((it) => it.column !== column);
    draft.set({ dates: [...others, { column, is_day_first }] });
  };
  return questions.map((it) => (
    <Select
      key={it.column}
      name={`dates.${it.column}`}
      label={
        <>
          In “<bdi>{it.name}</bdi>”, {it.example} is
        </>
      }
      placeholder="Choose"
      value={it.is_day_first === null || it.is_day_first === undefined ? null : it.is_day_first ? DAY : MONTH}
      options={[
        { value: DAY, label: `${formatDate(it.day_first)}: the day comes first` },
        { value: MONTH, label: `${formatDate(it.month_first)}: the month comes first` },
      ]}
      onChange={(value) => answer(it.column, value === DAY)}
    />
  ));
}

const DAY = "day";
const MONTH = "month";
