/**
 * Owns the form that schedules or changes a service: it holds what was typed, the core says what it costs, what is
 * wrong and what is in the way. What a person touched is saved, and nothing else.
 */
import { RotateCcw } from "lucide-react";
import type { Service } from "../../../core";
import { useHasPulledSince, useReplica } from "../../../data";
import { LoadingOrFailure } from "../../../parts/LoadingOrFailure";
import { LimitBanner } from "../../../parts/plan/LimitBanner";
import { Button, ButtonLink, Dialog, DialogActions, EmptyState, Form, Skeleton, SubmitButton } from "../../../ui";
import { Readers, ReadersKey } from "../../../ui/Readers";
import { Restored } from "../../../ui/Restored";
import { NotInSchedule } from "../NotInSchedule";
import { PreviewList } from "../series/PreviewList";
import { slotsOf } from "../series/repeats";
import { ForWhom } from "./ForWhom";
import { InTheWay, NOT_PLACED } from "./InTheWay";
import { Notes } from "./Notes";
import { Price } from "./Price";
import { RepeatsPart } from "./RepeatsPart";
import { type ServiceFormProps, useServiceForm } from "./useServiceForm";
import { WhatIsBooked } from "./WhatIsBooked";
import { WhenItIs } from "./WhenItIs";
import { WindowPart } from "./WindowPart";

/** Limits of the plan that one more service counts toward. */
const LIMITS = ["services"] as const;

export type { ServiceFix } from "./fields";

export default function ServiceForm(props: ServiceFormProps) {
  const { id, onClose } = props;
  const service = useReplica((phone) => (id ? phone.service(id) : undefined));
  const isGone = useHasPulledSince(id);
  const hasLoaded = useReplica((phone) => phone.hasLoaded());
  const hasClients = useReplica((phone) => phone.hasClients());
  const title = id ? "Edit Service" : "Schedule Service";
  return (
    <Dialog open onClose={onClose} title={title} size="large" dismissible={false}>
      {id && !service ? (
        <NotInSchedule what="service" isGone={isGone} onClose={onClose} />
      ) : hasClients ? (
        <Body {...props} service={service} />
      ) : !hasLoaded ? (
        <LoadingOrFailure label="Loading clients" failure={(why) => `Failed to load clients: ${why}`} />
      ) : (
        <EmptyState title="Add a client first" action={<ButtonLink to="/clients?form=add">Add a client</ButtonLink>}>
          A service is always for a client and their pets.
        </EmptyState>
      )}
    </Dialog>
  );
}

function Body(props: ServiceFormProps & { service: Service | undefined }) {
  const { id, service, today, onClose } = props;
  const form = useServiceForm(props);
  const { draft, check, shown, repeats, preview, change, submit } = form;
  if (!draft.ready) return <Skeleton className="h-100 w-full" />;
  return (
    <Form errors={form.submitted} error={form.problem} onSubmit={() => submit(false)}>
      {!id && <LimitBanner of={LIMITS} />}
      {draft.restored && <Restored icon={<RotateCcw aria-hidden />} onStartOver={draft.clear} />}
      <ReadersKey />
      <Readers>
        <div className="grid grid-cols-1 gap-x-8 gap-y-4 md:grid-rows-[auto_1fr] md:grid-cols-[minmax(0,1fr)_minmax(16rem,20rem)]">
          <div className="grid grid-cols-1 content-start gap-4">
            <ForWhom form={form} own={service?.client_id} />
            <WhatIsBooked form={form} />
            <WhenItIs form={form} earliest={service && service.date < today ? service.date : today} />
            {!repeats && <WindowPart form={form} />}
            {!id && <RepeatsPart form={form} />}
          </div>
          <div
            ref={form.panel}
            tabIndex={-1}
            className="grid content-start gap-4 self-start outline-none md:sticky md:top-0 md:col-start-2 md:row-span-2 md:row-start-1"
          >
            {repeats?.trip && repeats.trip.total !== null ? null : (
              <Price
                check={check}
                agreed={shown.price_override}
                onAgree={(price_override) => change({ price_override })}
                wrong={form.wrong}
              />
            )}
            {repeats && preview ? (
              preview.errors.length === 0 && (
                <PreviewList
                  preview={preview}
                  choices={repeats.choices}
                  onChoose={(choices) => form.repeat({ ...repeats, choices })}
                  slotsOn={() => slotsOf(repeats, shown)}
                />
              )
            ) : (
              <>
                <InTheWay
                  check={form.isPlaced ? check : NOT_PLACED}
                  onPick={(start_time) => change({ start_time })}
                  onAnyway={() => submit(true)}
                />
                {check.told && <p className="text-14 text-ink-2 wrap-anywhere">{check.told}</p>}
              </>
            )}
          </div>
          <Notes form={form} />
        </div>
      </Readers>
      <DialogActions>
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
        <SubmitButton className="min-w-fit px-2! md:px-4!">
          {id ? "Save Changes" : repeats?.trip ? "Schedule Trip" : repeats ? "Schedule Series" : "Schedule Service"}
        </SubmitButton>
      </DialogActions>
    </Form>
  );
}
