/** Owns the fields that say who a client is, where they live, and how to get in. */
import { AddressField } from "../../parts/address/AddressField";
import { TextArea, TextField } from "../../ui";
import { Readers, ReadersKey } from "../../ui/Readers";
import type { ClientForm } from "./form";
import { doorAt, HomePosition } from "./HomePosition";

interface ContactFieldsProps {
  client: ClientForm["client"];
  onChange: (changes: Partial<ClientForm["client"]>) => void;
}

export function ContactFields({ client, onChange }: ContactFieldsProps) {
  return (
    <Readers>
      <ReadersKey />
      <Fields client={client} onChange={onChange} />
    </Readers>
  );
}

function Fields({ client, onChange }: ContactFieldsProps) {
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <TextField
        name="name"
        reader="client.name"
        label="Client name"
        value={client.name}
        onChange={(name) => onChange({ name })}
        autoComplete="off"
        className="md:col-span-2"
      />
      <TextField
        name="phone"
        reader="client.phone"
        label="Phone"
        type="tel"
        optional
        value={client.phone}
        onChange={(phone) => onChange({ phone })}
        autoComplete="off"
      />
      <TextField
        name="email"
        reader="client.email"
        label="Email"
        type="email"
        optional
        autoCapitalize="none"
        value={client.email}
        onChange={(email) => onChange({ email })}
        autoComplete="off"
      />
      <AddressField
        name="address"
        reader="client.address"
        label="Address"
        optional
        value={client.address}
        onChange={(address) => onChange({ address })}
        place={client.lat === null || client.lng === null ? undefined : { lat: client.lat, lng: client.lng }}
        onChoose={(address, place) => onChange({ address, ...doorAt(place) })}
        className="md:col-span-2"
      />
      <HomePosition lat={client.lat} lng={client.lng} address={client.address} onChange={onChange} />
      <TextArea
        name="billing_address"
        reader="client.billing_address"
        label="Billing address"
        optional
        rows={2}
        hint="On new invoices."
        value={client.billing_address}
        onChange={(billing_address) => onChange({ billing_address })}
        className="md:col-span-2"
      />
      <TextArea
        name="access_notes"
        reader="client.access_notes"
        label="Access notes"
        optional
        rows={2}
        hint="Key, alarm, gate: shown to you at the door."
        value={client.access_notes}
        onChange={(access_notes) => onChange({ access_notes })}
        className="md:col-span-2"
      />
      <TextArea
        name="internal_notes"
        reader="client.internal_notes"
        label="Internal notes"
        optional
        rows={2}
        value={client.internal_notes}
        onChange={(internal_notes) => onChange({ internal_notes })}
        className="md:col-span-2"
      />
      <HouseFields client={client} onChange={onChange} />
    </div>
  );
}

/** Fields that the client fills in, too, once they are in the portal. */
function HouseFields({ client, onChange }: ContactFieldsProps) {
  return (
    <>
      <TextArea
        name="house_instructions"
        reader="client.house_instructions"
        label="House instructions"
        optional
        rows={2}
        hint="Food, rooms, habits. The client may change this in the portal."
        value={client.house_instructions}
        onChange={(house_instructions) => onChange({ house_instructions })}
        className="md:col-span-2"
      />
      <TextField
        name="emergency_contact"
        reader="client.emergency_contact"
        label="Emergency contact"
        optional
        hint="Name and number."
        value={client.emergency_contact}
        onChange={(emergency_contact) => onChange({ emergency_contact })}
        autoComplete="off"
      />
      <TextField
        name="vet"
        reader="client.vet"
        label="Vet"
        optional
        hint="Name and number, and a second number for after hours."
        value={client.vet}
        onChange={(vet) => onChange({ vet })}
        autoComplete="off"
      />
    </>
  );
}
