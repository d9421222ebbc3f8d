/** Owns a message that the server turned down, as it stands in its conversation: nothing of it is lost, and it can be sent again. */
import { CircleAlert } from "lucide-react";
import { useState } from "react";
import { business, storageTrouble, usePhotoUrl } from "../../data";
import { resend } from "../../parts/attention/resend";
import { Button, confirm, Photo, useBusy } from "../../ui";
import type { FailedSend } from "./failedSends";

export function FailedMessage({ item }: { item: FailedSend }) {
  const { content, photo } = item.command.args;
  const { busy, run } = useBusy();
  const [problem, setProblem] = useState<string>();
  const url = usePhotoUrl(photo);
  const [again] = item.ways;

  const sendAgain = () =>
    run(async () => {
      if (again) setProblem(await resend(item, again).catch(storageTrouble));
    });
  const discard = () =>
    run(async () => {
      const question = { title: "Discard this message?", text: content, action: "Discard", danger: true };
      if (await confirm(question)) await business().discard(item.id);
    });

  return (
    <li data-item={item.id} className="grid max-w-[min(85%,60ch)] justify-items-end gap-1 justify-self-end">
      <div className="grid min-w-0 gap-2 rounded-large rounded-br-[4px] bg-cancelled-soft px-4 py-2 wrap-anywhere">
        <span className="sr-only">You:</span>
        {photo && <Photo src={url} alt="Not sent" className="aspect-square w-60 max-w-full rounded-small" />}
        {content && (
          <p dir="auto" className="whitespace-pre-wrap">
            {content}
          </p>
        )}
      </div>
      <div role="alert" className="grid justify-items-end gap-1 text-right text-14 text-danger">
        <p className="flex items-center gap-1 font-medium">
          <CircleAlert aria-hidden className="size-4" />
          Not sent
        </p>
        {item.refusal?.code === "photo_refused" && <p>Failed to upload image. Please try again.</p>}
        {(problem === undefined ? item.reasons : [problem]).map((it) => (
          <p key={it}>{it}</p>
        ))}
      </div>
      <div className="flex flex-wrap justify-end gap-2">
        <Button kind="plain" disabled={busy} onClick={() => void discard()}>
          Discard
        </Button>
        {again && (
          <Button kind="quiet" busy={busy} onClick={() => void sendAgain()}>
            Send again
          </Button>
        )}
      </div>
    </li>
  );
}
