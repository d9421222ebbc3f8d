/** Owns picking a client by its name or its pets'. */
import { useMemo } from "react";
import { Select } from "../../ui";
import { useRead } from "./useRead";

interface ClientSelectProps {
  name: string;
  label: string;
  value: string;
  onChange: (id: string) => void;
  /** The choice of none, where there is one; else one must be chosen. */
  anyone?: string;
  error?: string | undefined;
}

export function ClientSelect({ value, onChange, anyone, ...field }: ClientSelectProps) {
  const clients = useRead((phone) => phone.clientOptions());
  const options = useMemo(() => clients.map(({ id, label }) => ({ value: id, label })), [clients]);
  return (
    <Select
      {...field}
      value={value === "" && !anyone ? null : value}
      onChange={onChange}
      placeholder={anyone ? undefined : "Select a client"}
      options={anyone ? [{ value: "", label: anyone }, ...options] : options}
    />
  );
}
