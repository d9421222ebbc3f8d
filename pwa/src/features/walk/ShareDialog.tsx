/** Owns the report of a walk of the past, in a dialog: sent for the first time, changed, or mended. */
import { useReplica } from "../../data";
import type { ReportChoice, WalkRow } from "../../data/walks/walks";
import { Button, Dialog, DialogActions, Form, SubmitButton } from "../../ui";
import { ReportFields } from "./ReportFields";
import type { RecordedWalk } from "./recording";
import { waysAhead } from "./reportWays";
import { useReport } from "./useReport";

interface ShareDialogProps {
  row: WalkRow;
  recorded: RecordedWalk;
  chosen: ReportChoice | undefined;
  /** The entry of Needs attention that this answers. */
  resolves: string | undefined;
  onClose: () => void;
  onShared: (chosen: ReportChoice) => void;
}

export function ShareDialog({ row, recorded, chosen, resolves, onClose, onShared }: ShareDialogProps) {
  const report = useReport(row, recorded, chosen);
  const along = report.along.map((it) => it.client.id);
  const ahead = useReplica((phone) => waysAhead(phone, row.id, along));
  const send = async () => {
    const problem = await report.send(resolves);
    if (!problem) onShared({ ...report.value, show_map: report.showMap, taken_back: false });
    return problem;
  };
  return (
    <Dialog open title="Share report" sub="Each client gets their own page." onClose={onClose}>
      {report.ready && (
        <Form onSubmit={send} failed="Failed to share report" className="gap-5">
          <ReportFields report={report} events={recorded.walk.events} hasMap={recorded.walk.lines.length > 0} />
          {ahead && <p className="text-14 text-ink-2">{ahead}</p>}
          <DialogActions>
            <Button kind="quiet" onClick={onClose}>
              Cancel
            </Button>
            <SubmitButton>Share report</SubmitButton>
          </DialogActions>
        </Form>
      )}
    </Dialog>
  );
}
