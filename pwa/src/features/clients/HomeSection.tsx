/** Owns what of a client's home is to be known beside the address: the house, whom to call, the vet. */
import { Phone } from "lucide-react";
import type { Client, EmergencyCall } from "../../core";
import { OutsideLink } from "../../ui";
import { DetailSection, type Heading } from "./DetailSection";

const PARTS = [
  { of: "house_instructions", label: "House instructions" },
  { of: "emergency_contact", label: "Emergency contact" },
  { of: "vet", label: "Vet" },
] as const;

interface HomeSectionProps {
  client: Client;
  /** Numbers in what is known, each to be called; for sitters. */
  calls?: readonly EmergencyCall[] | undefined;
  heading: Heading;
}

export function HomeSection({ client, calls = [], heading }: HomeSectionProps) {
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
      {calls.length > 0 && (
        <ul className="mt-3 flex flex-wrap gap-2">
          {calls.map(({ label, dialed }) => (
            <li key={label + dialed}>
              <OutsideLink href={`tel:${dialed}`} icon={<Phone aria-hidden className="size-5" />}>
                Call <bdi>{label}</bdi>
              </OutsideLink>
            </li>
          ))}
        </ul>
      )}
    </DetailSection>
  );
}
