/** Owns the first look at what is for sale: the services that every business begins with, each with its price and a switch. */
import { Link } from "wouter";
import type { OfferingView } from "../../core";
import { useDraft, useReplica } from "../../data";
import { Form, MoneyField, Skeleton, SubmitButton, Switch } from "../../ui";
import { StepButtons } from "./StepButtons";
import { useSaveAll } from "./useSaveAll";

/** Fields of an offering that were touched. */
type Touched = Partial<Pick<OfferingView, "base_price" | "is_active">>;

const KEY = "profile-setup:offerings";

interface OfferingsStepProps {
  onBack: () => void;
  onDone: () => void;
}

export function OfferingsStep({ onBack, onDone }: OfferingsStepProps) {
  const groups = useReplica((phone) => phone.offeringGroups());
  const offerings = groups.flatMap((it) => it.offerings);
  const draft = useDraft<{ offerings: Record<string, Touched> }>(KEY, { offerings: {} });
  const { errors, problem, saveAll } = useSaveAll(KEY, draft, "Failed to save service");

  const set = (id: string, change: Touched) =>
    draft.set({ offerings: { ...draft.value.offerings, [id]: { ...draft.value.offerings[id], ...change } } });

  const send = async () => {
    const work = offerings.flatMap((offering) => {
      const { id, name } = offering;
      const changes = changesOf(offering, draft.value.offerings[id]);
      if (!changes) return [];
      const command = { name: "update_offering", args: { id, changes } } as const;
      return [{ command, sentence: `Change ${name}`, name, line: id }];
    });
    if (await saveAll(work)) onDone();
  };

  if (!draft.ready) return <Skeleton className="h-110 w-full" />;
  return (
    <Form errors={errors} error={problem} onSubmit={send}>
      <ul className="grid">
        {offerings.map((it) => (
          <OfferingLine
            key={it.id}
            offering={it}
            touched={draft.value.offerings[it.id]}
            onChange={(change) => set(it.id, change)}
          />
        ))}
      </ul>
      <p className="text-14 text-ink-2 text-pretty">
        {offerings.length === 0
          ? "Nothing is for sale yet."
          : "You can change names and categories and add services later."}
        <Link
          to="/services"
          className="ml-1 inline-flex min-h-12 items-center font-medium underline underline-offset-2"
        >
          All about services
        </Link>
      </p>
      <StepButtons onBack={onBack}>
        <SubmitButton>{offerings.length > 0 ? "Save and continue" : "Next"}</SubmitButton>
      </StepButtons>
    </Form>
  );
}

interface OfferingLineProps {
  offering: OfferingView;
  touched: Touched | undefined;
  onChange: (change: Touched) => void;
}

function OfferingLine({ offering, touched, onChange }: OfferingLineProps) {
  const { id, name, price_text } = offering;
  const { base_price, is_active } = { ...offering, ...touched };
  return (
    <li className="border-b border-line py-2">
      <p className="font-medium wrap-anywhere">
        <bdi>{name}</bdi>
      </p>
      <div className="flex min-h-12 flex-wrap items-center gap-x-3">
        {is_active && (
          <>
            <div className="w-28 shrink-0">
              <MoneyField
                name={`base_price.${id}`}
                label={`Price of ${name}`}
                hideLabel
                value={base_price}
                // Null is what is typed but no number; the core says so.
                onChange={(price) => onChange({ base_price: price as never })}
              />
            </div>
            <span className="num text-14 text-ink-2">{price_text.replace(AMOUNT, "")}</span>
          </>
        )}
        <Switch
          name=""
          label={name}
          hideLabel
          checked={is_active}
          onChange={(next) => onChange({ is_active: next })}
          className="ml-auto"
        />
      </div>
    </li>
  );
}

/** Before the words of a price, as `for 30 min`. */
const AMOUNT = /^\$[\d,.]+\s*/;

/** Returns the touched fields that differ from the stored ones. */
function changesOf(offering: OfferingView, touched: Touched = {}): Touched | undefined {
  const changes = Object.entries(touched).filter(([name, value]) => value !== offering[name as keyof Touched]);
  return changes.length > 0 ? Object.fromEntries(changes) : undefined;
}
