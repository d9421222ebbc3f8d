/** Owns what of a client's home is to be known beside the address: the house, whom to call, the vet. */
import type { Client } from "../../core";
import { DetailSection, type Heading } from "./DetailSection";

const PARTS = [
  { of: "house_instructions", label: "House instructions" },
  { of: "emergency_contact", label: "Emergency contact" },
  { of: "vet", label: "Vet" },
] as const;

export function HomeSection({ client, heading }: { client: Client; heading: Heading }) {
  const known = PARTS.filter(({ of }) => client[of] !== "");
  if (known.length === 0) return null;
  return (
    <DetailSection title="Home" heading={heading}>
      <dl className="grid gap-3 rounded-large border border-line bg-card p-4">
        {known.map(({ of, label }) => (
          <div key={of}>
            <dt className="text-14 text-ink-2">{label}</dt>
            <dd dir="auto" className="whitespace-pre-wrap wrap-anywhere">
              {client[of]}
            </dd>
          </div>
        ))}
      </dl>
    </DetailSection>
  );
}
