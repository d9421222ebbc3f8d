/** Owns asking for visits: what, for which dogs, when, what it costs, and a word to the sitter. It works offline, too. */
import { useLocation } from "wouter";
import { formatDollars, limits } from "../../core";
import { useReplica } from "../../data";
import { LoadingOrFailure } from "../../parts/LoadingOrFailure";
import { PetAvatar } from "../../parts/PetAvatar";
import { ZoneNote } from "../../parts/ZoneNote";
import {
  Button,
  Checkbox,
  FieldGroup,
  Form,
  PageBody,
  PageHeader,
  Segmented,
  Select,
  Skeleton,
  SubmitButton,
  TextArea,
} from "../../ui";
import { Restored } from "../../ui/Restored";
import { AskTimes } from "./AskTimes";
import { type HowOften, KINDS } from "./askFields";
import { useSitterName } from "./ownClient";
import { ParentReaders } from "./ParentReaders";
import { RepeatTimes } from "./RepeatTimes";
import { StayTimes } from "./StayTimes";
import { type OpenAsk, useAsk } from "./useAsk";

export default function PortalAsk() {
  const hasLoaded = useReplica((phone) => phone.hasLoaded());
  const name = useSitterName();
  return (
    <>
      <PageHeader title="Request a visit" sub={name} />
      <PageBody className="max-w-150">
        {hasLoaded ? (
          <ParentReaders>
            <AskForm />
          </ParentReaders>
        ) : (
          <LoadingOrFailure
            label="Loading what you can request"
            count={2}
            failure={(why) => `What you can request could not be loaded yet. ${why}`}
          />
        )}
      </PageBody>
    </>
  );
}

function AskForm() {
  const [, navigate] = useLocation();
  const leave = () => navigate("/client");
  const ask = useAsk(leave);
  const sitter = useSitterName();
  const { draft, fields, errors, problem, books, booksSome, send } = ask;
  const act = books ? "Book" : "Request";
  if (!draft.ready) return <Skeleton className="h-80 w-full" />;
  return (
    <Form errors={errors} error={problem} failed="Failed to save the request" onSubmit={send} className="gap-5">
      {draft.restored && <Restored onStartOver={draft.clear} />}
      <What ask={ask} />
      <Pets ask={ask} />
      <Duration ask={ask} />
      <ZoneNote />
      <Often ask={ask} />
      <When ask={ask} />
      <Price ask={ask} />
      <TextArea
        name="message"
        label="Message"
        reader="walk_request.message"
        optional
        hint="Anything your sitter should know."
        value={fields.message}
        onChange={(message) => draft.set({ message })}
      />
      {booksSome && (
        <p className="text-14 text-ink-2 wrap-anywhere">
          <bdi>{sitter}</bdi> lets you book open times without asking. What cannot be booked when this is sent goes to{" "}
          <bdi>{sitter}</bdi> as a request.
        </p>
      )}
      <div className="flex flex-wrap gap-2 *:flex-auto">
        <Button kind="quiet" onClick={leave}>
          Cancel
        </Button>
        <SubmitButton>{fields.times.length === 1 ? act : `${act} ${fields.times.length} visits`}</SubmitButton>
      </div>
    </Form>
  );
}

/** A plain walk or drop-in, or something else that the sitter sells. */
function What({ ask: { fields, offerings, draft } }: { ask: OpenAsk }) {
  // One that is no longer sold, in a draft, must be seen to be changed.
  if (offerings.length === 0 && !fields.offering) {
    return (
      <Segmented
        label="What"
        value={fields.service_type}
        onChange={(service_type) => draft.set({ service_type })}
        options={KINDS}
      />
    );
  }
  const chosen = offerings.find((it) => it.id === fields.offering?.id);
  const choose = (value: string) => {
    const kind = KINDS.find((it) => it.value === value);
    if (kind) return draft.set({ service_type: kind.value, offering: null });
    const offering = offerings.find((it) => it.id === value);
    if (!offering) return undefined;
    const { id, name, is_stay, duration_minutes } = offering;
    return draft.set({ offering: { id, name, is_stay }, ...(duration_minutes && { duration_minutes }) });
  };
  return (
    <Select
      name="offering_id"
      label="What"
      value={fields.offering ? (chosen?.id ?? null) : fields.service_type}
      placeholder={fields.offering && !chosen ? "This offering is no longer here" : undefined}
      onChange={choose}
      hint={chosen?.description}
      options={[...KINDS, ...offerings.map((it) => ({ value: it.id, label: it.label }))]}
    />
  );
}

/** Stays have days in place of a length, and some offerings a length of their own. */
function Duration({ ask: { fields, offerings, draft } }: { ask: OpenAsk }) {
  const chosen = offerings.find((it) => it.id === fields.offering?.id);
  if (fields.offering?.is_stay || typeof chosen?.duration_minutes === "number") return null;
  return (
    <Select
      name="requested_duration_minutes"
      label="Duration"
      value={fields.duration_minutes}
      onChange={(duration_minutes) => draft.set({ duration_minutes })}
      options={limits().duration_options.map((it) => ({ value: it.minutes, label: it.label }))}
    />
  );
}

function When({ ask }: { ask: OpenAsk }) {
  const { fields } = ask;
  if (fields.offering?.is_stay) return <StayTimes ask={ask} />;
  return fields.repeats ? <RepeatTimes ask={ask} repeats={fields.repeats} /> : <AskTimes ask={ask} />;
}

/** The pets that what is asked for fits. */
function Pets({ ask: { fields, dogs, hasOthers, draft } }: { ask: OpenAsk }) {
  return (
    <FieldGroup name="dog_ids" label="Pets">
      {dogs.length === 0 && hasOthers && (
        <p className="text-14 text-ink-2">Walks are for dogs. Choose something else for your other pets.</p>
      )}
      <div className="grid gap-2 md:grid-cols-2">
        {dogs.map((pet) => (
          <Checkbox
            key={pet.id}
            name=""
            className="rounded-large border border-line px-3 has-checked:border-act"
            checked={fields.dog_ids.includes(pet.id)}
            onChange={(isAlong) =>
              draft.set({
                // With those that wait for something else.
                dog_ids: isAlong ? [...draft.value.dog_ids, pet.id] : draft.value.dog_ids.filter((it) => it !== pet.id),
              })
            }
            label={
              <span className="flex min-w-0 items-center gap-2">
                <PetAvatar pet={pet} size="small" />
                <bdi className="min-w-0 font-medium wrap-anywhere">{pet.name}</bdi>
              </span>
            }
          />
        ))}
      </div>
    </FieldGroup>
  );
}

/** Choice between one visit, which a tap on another day moves, several, to which it adds one, and one each week. */
function Often({ ask: { fields, draft, isFix } }: { ask: OpenAsk }) {
  // What was turned down stays what it was.
  if (isFix || fields.offering?.is_stay) return null;
  return (
    <Segmented label="How often" value={fields.often} onChange={(often) => draft.set({ often })} options={HOW_OFTEN} />
  );
}

const HOW_OFTEN: { value: HowOften; label: string }[] = [
  { value: "once", label: "One visit" },
  { value: "several", label: "Several visits" },
  { value: "weekly", label: "Each week" },
];

function Price({ ask: { fields, check } }: { ask: OpenAsk }) {
  const n = fields.times.length;
  const isOpen = fields.offering?.is_stay && fields.times[0]?.date === "";
  if (isOpen) {
    return (
      <section aria-label="Price" aria-live="polite" className="rounded-large bg-sunken p-4 text-14 text-ink-2">
        Choose the days to see the price.
      </section>
    );
  }
  if (fields.dog_ids.length === 0) {
    return (
      <section aria-label="Price" aria-live="polite" className="rounded-large bg-sunken p-4 text-14 text-ink-2">
        Choose who it is for to see the price.
      </section>
    );
  }
  return (
    <section aria-label="Price" aria-live="polite" className="grid gap-1 rounded-large bg-sunken p-4">
      <h2 className="text-14 font-medium text-ink-2">Price</h2>
      <p className="num text-28 font-bold">{check.price === null ? "–" : formatDollars(check.price * n)}</p>
      {fields.repeats && check.price !== null && <p className="text-14 text-ink-2">for each visit</p>}
      {n > 1 && check.price !== null && (
        <p className="num text-14 text-ink-2">
          {n} visits at {formatDollars(check.price)}
        </p>
      )}
      {check.stay_count && <p className="num text-14 text-ink-2">{check.stay_count}</p>}
      <p className="num text-14 wrap-anywhere text-ink-2">{check.breakdown?.explanation}</p>
    </section>
  );
}
