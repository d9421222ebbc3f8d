/** Owns what is booked: a walk or a drop-in by the client's own rates, or an offering. */
import { Segmented, Select } from "../../../ui";
import { KINDS, OFFERING } from "./fields";
import type { OpenForm } from "./useServiceForm";

export function WhatIsBooked({ form: { shown, bookable, booked, book, wrong } }: { form: OpenForm }) {
  const hasOfferings = bookable.length > 0 || Boolean(shown.offering_id);
  return (
    <>
      <Segmented
        label="Type"
        value={shown.offering_id ? OFFERING : shown.service_type}
        onChange={(it) => (it === OFFERING ? book(shown.service_type, bookable[0]) : book(it, undefined))}
        options={hasOfferings ? [...KINDS, { value: OFFERING, label: "Offering" }] : KINDS}
      />
      {shown.offering_id && (
        <Select
          name="offering_id"
          label="Offering"
          value={booked?.id ?? null}
          placeholder="This offering is no longer here"
          onChange={(chosen) =>
            book(
              shown.service_type,
              bookable.find((it) => it.id === chosen),
            )
          }
          options={bookable.map((it) => ({ value: it.id, label: it.label }))}
          error={wrong("offering_id")}
        />
      )}
    </>
  );
}
