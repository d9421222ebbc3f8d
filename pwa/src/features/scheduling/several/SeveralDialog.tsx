/** Owns the dialog of an act on several visits: which of them it is about, and that their marks go with it. */
import { useEffect, useEffectEvent } from "react";
import { useHasPulledSince, useRead } from "../../../data";
import { Dialog } from "../../../ui";
import { NotInSchedule } from "../NotInSchedule";
import type { OpenDialog, SeveralAct } from "../scheduleState";
import { MessageSeveral } from "./MessageSeveral";
import { CopySeveral, MoveSeveral } from "./SeveralForm";
import { useSelection } from "./selection";
import { useMarkedIds } from "./useMarkedIds";

const TITLES: Record<SeveralAct, string> = { move: "Move", copy: "Copy", message: "Message" };

interface SeveralDialogProps {
  open: Extract<OpenDialog, { kind: "several" }>;
  onClose: () => void;
}

export default function SeveralDialog({ open: { act, of, id }, onClose }: SeveralDialogProps) {
  const { clear } = useSelection();
  const marked = useMarkedIds().ids;
  const ids = id ? [id] : marked;
  const onDone = () => {
    onClose();
    if (!id && !of) clear();
  };
  // An address that was kept, as after a reload, is about visits that nobody has marked any more.
  const isEmpty = ids.length === 0 && !of;
  const isThere = useRead((phone) => !id || phone.service(id) !== undefined, id);
  const isGone = useHasPulledSince(id);
  const leave = useEffectEvent(onClose);
  useEffect(() => {
    if (isEmpty) leave();
  }, [isEmpty]);
  if (isEmpty) return null;
  if (!isThere) {
    return (
      <Dialog open onClose={onClose} title={TITLES[act]}>
        <NotInSchedule what="service" isGone={isGone} onClose={onClose} />
      </Dialog>
    );
  }
  if (act === "move") return <MoveSeveral ids={ids} onClose={onClose} onDone={onDone} />;
  if (act === "message") return <MessageSeveral ids={ids} onClose={onClose} onDone={onDone} />;
  return <CopySeveral ids={ids} of={of} onClose={onClose} onDone={onDone} />;
}
