/** Owns picking which kinds of service something is for. */
import type { ServiceType } from "../../core";
import { SERVICES } from "../../parts/availabilityText";
import { Checkbox, FieldGroup } from "../../ui";

interface ServiceTypesProps {
  name: string;
  label: string;
  value: readonly ServiceType[];
  /** End of the sentence for an empty choice: `it blocks nothing`. */
  empty: string;
  onChange: (value: ServiceType[]) => void;
}

export function ServiceTypes({ name, label, value, empty, onChange }: ServiceTypesProps) {
  return (
    <FieldGroup name={name} label={label}>
      <div className="flex flex-wrap gap-x-8">
        {SERVICES.map((it) => (
          <Checkbox
            key={it.value}
            name=""
            label={it.label}
            checked={value.includes(it.value)}
            onChange={(checked) =>
              onChange(
                SERVICES.map(({ value }) => value).filter((type) =>
                  type === it.value ? checked : value.includes(type),
                ),
              )
            }
          />
        ))}
      </div>
      {value.length === 0 && (
        <p role="status" className="text-14 text-ink-2">
          None is chosen, so {empty}.
        </p>
      )}
    </FieldGroup>
  );
}
