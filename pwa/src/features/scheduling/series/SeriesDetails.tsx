/** Owns a series by itself, as the client's page leads to it: also one that is paused or has ended. */
import { useState } from "react";
import { useMinute } from "../../../browser/clock";
import { setApart } from "../../../core";
import { useHasPulledSince, useRead } from "../../../data";
import { useToday } from "../../../parts/dates";
import { Button, Dialog, DialogActions } from "../../../ui";
import { NotInSchedule } from "../NotInSchedule";
import { SeriesPart, type SeriesStep } from "./SeriesPart";
import { SeriesStepForm, STEP_TITLES } from "./SeriesSteps";

interface SeriesDetailsProps {
  id: string;
  onChange: () => void;
  onClose: () => void;
}

export default function SeriesDetails({ id, onChange, onClose }: SeriesDetailsProps) {
  const now = useMinute();
  const today = useToday();
  const view = useRead((phone) => phone.seriesView(id, now), id, now);
  const isGone = useHasPulledSince(id);
  const [step, setStep] = useState<SeriesStep>();
  if (!view) {
    return (
      <Dialog open onClose={onClose} title="Series">
        <NotInSchedule what="series" isGone={isGone} onClose={onClose} />
      </Dialog>
    );
  }
  const names = [view.dogs.map(setApart).join(" & "), setApart(view.series.client_name ?? "")].filter(Boolean);
  return (
    <Dialog
      open
      onClose={onClose}
      title={step ? STEP_TITLES[step] : view.series.trip ? "Trip" : "Series"}
      sub={names.join(", ")}
    >
      {step ? (
        <SeriesStepForm step={step} view={view} date={today} onBack={() => setStep(undefined)} onDone={onClose} />
      ) : (
        <div className="grid grid-cols-1 gap-4">
          <SeriesPart view={view} onStep={setStep} onChange={onChange} onDone={onClose} />
          <DialogActions>
            <Button kind="quiet" onClick={onClose}>
              Close
            </Button>
          </DialogActions>
        </div>
      )}
    </Dialog>
  );
}
