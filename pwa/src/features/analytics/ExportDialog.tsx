/** Owns taking the figures out as a file: made on this phone, and so without a network, too (SPEC 2, Analytics). */
import { useState } from "react";
import { useMinute } from "../../browser/clock";
import { download } from "../../browser/download";
import { type ExportFormat, exportName, periodText } from "../../core/analytics";
import { useReplica } from "../../data";
import { Button, Dialog, DialogActions, Form, Segmented, SubmitButton, toast } from "../../ui";
import type { Range } from "./range";
import { withFigures } from "./useFigures";

interface ExportDialogProps {
  range: Range;
  onClose: () => void;
}

const FORMATS: readonly { value: ExportFormat; label: string; type: string; hint: string }[] = [
  { value: "json", label: "JSON", type: "application/json", hint: "All figures and each service, for other programs." },
  { value: "csv", label: "CSV", type: "text/csv;charset=utf-8", hint: "Each service on a line, for a spreadsheet." },
];

export function ExportDialog({ range: { first, last }, onClose }: ExportDialogProps) {
  const [format, setFormat] = useState<ExportFormat>("csv");
  const now = useMinute();
  const phone = useReplica((it) => it);
  const chosen = FORMATS.find((it) => it.value === format);
  const send = async () => {
    const bytes = phone.analyticsRecords(first, last, now);
    if (!bytes) throw new Error("too many services");
    const text = withFigures(bytes, (it) => (format === "csv" ? it.csv() : it.json()));
    download(new Blob([text], { type: chosen?.type ?? "" }), exportName(format));
    toast.success("Analytics data exported successfully");
    onClose();
    return undefined;
  };
  return (
    <Dialog open size="small" title="Export Data" sub={periodText(first, last)} onClose={onClose}>
      <Form onSubmit={send} failed="Failed to export analytics data">
        <Segmented label="Format" value={format} onChange={setFormat} options={FORMATS} />
        <p className="text-14 text-ink-2">{chosen?.hint}</p>
        <DialogActions>
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
          <SubmitButton>Export</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
