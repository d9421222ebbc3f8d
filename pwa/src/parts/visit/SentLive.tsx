/** Owns what the sitter reads of photos and events that a client sees of a visit before its report, and taking them back. */
import { Eye } from "lucide-react";
import { Link } from "wouter";
import { type RefusedPhoto, type SendLive, type ServiceView, setApart } from "../../core";
import { SEND_STATE, save, useReplica, useSendState } from "../../data";
import { Button, confirm, toast } from "../../ui";
import { tellWhenSent } from "../tellWhenSent";

export function SentLive({ visit }: { visit: ServiceView }) {
  const waits = useWaits(visit.id, "events");
  const takesBack = useWaits(visit.id, "taken_back");
  const state = useSendState();
  const refused = useRefusedPhotos(visit.id);
  const live = visit.live ?? [];
  if (live.length === 0 && !takesBack && refused.length === 0) return null;
  const what = live.length === 1 ? "1 photo or event" : `${live.length} photos and events`;
  return (
    <section aria-label="Before the report" className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {live.length > 0 && (
        <>
          <p className="num flex min-w-0 flex-1 basis-48 items-start gap-2 wrap-anywhere">
            <Eye aria-hidden className="mt-0.5 size-5 shrink-0" />
            <span>
              {waits ? `${SEND_STATE[state]}: ` : ""}
              <bdi>{visit.client_name}</bdi> {waits ? "will see" : "sees"} {what} of this visit. The report will replace{" "}
              {live.length === 1 ? "it" : "them"}.
            </span>
          </p>
          <Button
            kind="quiet"
            aria-label={`Take back what ${visit.client_name} sees`}
            onClick={() => void takeBackAll(visit)}
          >
            Take back
          </Button>
        </>
      )}
      {refused.map(({ id, event_id, text }) => (
        <p key={id} role="status" className="basis-full text-14 text-danger wrap-anywhere">
          {event_id ? (
            <>
              <bdi>{visit.client_name}</bdi> does not see a photo.
            </>
          ) : (
            "A photo is missing from the report."
          )}{" "}
          {text}.{" "}
          <Link to="/attention" className="font-medium underline underline-offset-2">
            Needs attention
          </Link>
        </p>
      ))}
      {takesBack && (
        <p className="basis-full text-14 text-ink-2 wrap-anywhere">
          {SEND_STATE[state]}: <bdi>{visit.client_name}</bdi> may still see what you took back.
        </p>
      )}
    </section>
  );
}

/** The photos of a visit that the server turned down. */
export const useRefusedPhotos = (serviceId: string): RefusedPhoto[] =>
  useReplica((phone) => phone.refusedPhotos(serviceId));

/** True while events of this visit wait to be sent, or to be taken back. */
const useWaits = (id: string, what: "events" | "taken_back"): boolean =>
  useReplica((phone) =>
    phone.outbox().some(({ mutation: { name, args } }) => {
      const sent = args as SendLive;
      return name === "send_live" && sent.id === id && (sent[what]?.length ?? 0) > 0;
    }),
  );

async function takeBackAll({ id, client_name, live = [] }: ServiceView): Promise<void> {
  const question = {
    title: `Take back what ${client_name} sees?`,
    text: "Photos and events that you sent leave their devices once this is sent. The walk or visit itself is not affected.",
    action: "Take back",
    danger: true,
  };
  if (!(await confirm(question))) return;
  try {
    const args: SendLive = { id, taken_back: live.map((it) => it.id) };
    const result = await save(
      { name: "send_live", args },
      `Take back from ${setApart(client_name)}: photos and events`,
    );
    if (!result.ok) return void toast.error(result.text);
    tellWhenSent(result.id, {
      waits: `${client_name} sees them until this is sent`,
      done: `${client_name} does not see them any more`,
    });
  } catch {
    toast.error("This could not be taken back");
  }
}
