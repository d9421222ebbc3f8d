/** Owns picking a client by its name or its pets'. */
import { useState } from "react";
import { business } from "../../data";
import { Select } from "../../ui";

interface ClientSelectProps {
  name: string;
  label: string;
  value: string;
  onChange: (id: string) => void;
  /** The choice of none, where there is one; else one must be chosen. */
  anyone?: string;
  /** Ids of the only clients that can be picked; all where it is absent. */
  among?: readonly string[] | undefined;
  hint?: string | undefined;
  error?: string | undefined;
}

export function ClientSelect({ value, onChange, anyone, among, ...field }: ClientSelectProps) {
  // Hundreds of names, which a form need not read again with each change of a service: only when one is to be picked.
  const [options, setOptions] = useState(() => optionsNow(value, anyone));
  return (
    <Select
      {...field}
      value={value === "" && !anyone ? null : value}
      onChange={onChange}
      onFocus={() => setOptions(optionsNow(value, anyone))}
      placeholder={anyone ? undefined : "Select a client"}
      options={among ? options.filter((it) => among.includes(it.value)) : options}
    />
  );
}

function optionsNow(chosen: string, anyone: string | undefined) {
  const options = business()
    .phone.clientOptions(chosen || undefined)
    .map(({ id, label }) => ({ value: id, label }));
  return anyone ? [{ value: "", label: anyone }, ...options] : options;
}
