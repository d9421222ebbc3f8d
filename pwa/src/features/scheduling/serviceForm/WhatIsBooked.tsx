/** Owns what is booked, as one list: a walk or a drop-in by the client's own rates, and all that the sitter offers. */
import { Select } from "../../../ui";
import { catalogue } from "./fields";
import type { OpenForm } from "./useServiceForm";

export function WhatIsBooked({ form: { shown, bookable, booked, book, wrong } }: { form: OpenForm }) {
  const choose = (chosen: string) => {
    const kind = chosen === "walk" || chosen === "dropin" ? chosen : undefined;
    book(
      kind ?? shown.service_type,
      bookable.find((it) => it.id === chosen),
    );
  };
  return (
    <Select
      name="offering_id"
      label="Type"
      value={shown.offering_id ? (booked?.id ?? null) : shown.service_type}
      placeholder={shown.offering_id && !booked ? "This offering is no longer here" : undefined}
      onChange={choose}
      options={catalogue(bookable)}
      error={wrong("offering_id")}
    />
  );
}
