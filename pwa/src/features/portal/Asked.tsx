/** Owns a change that was asked for and is not answered, where it would take place. */
import { Clock } from "lucide-react";
import type { AskedChange } from "../../core";
import { useReplica } from "../../data";
import { WaitingMark } from "../../parts/attention/WaitingMark";
import { Chip } from "../../ui";
import { Withdraw } from "./Withdraw";

export function Asked({ change: { request_id, text } }: { change: AskedChange }) {
  const isPending = useReplica((phone) => phone.isPending("walk_request", request_id));
  return (
    <div className="num flex flex-wrap items-center gap-x-3 gap-y-1">
      <Chip kind="tag" icon={<Clock aria-hidden />}>
        Requested
      </Chip>
      <span className="min-w-0 flex-1 basis-36 text-14 wrap-anywhere">{text}</span>
      {isPending && <WaitingMark />}
      <Withdraw request={{ id: request_id, called: text, is_past: false }} />
    </div>
  );
}
