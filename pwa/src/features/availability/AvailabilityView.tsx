/** Owns availability in the schedule (SPEC 2): its three tabs, and the forms above them. */
import { type ReactNode, useState } from "react";
import { useSearchParams } from "wouter";
import { useReplica } from "../../data";
import { useFix } from "../../parts/attention/fix";
import { useToday } from "../../parts/dates";
import { ErrorBoundary, FeatureError, Tabs } from "../../ui";
import { BlockDialog } from "./BlockDialog";
import { BlockedTimes } from "./BlockedTimes";
import { PatternDialog } from "./PatternDialog";
import { Patterns } from "./Patterns";
import { SlotSettings } from "./SlotSettings";

type Tab = "patterns" | "blocked" | "settings";
/** On a phone the toggle above says Availability already, and all three have to fit. */
const TABS: readonly { id: Tab; label: ReactNode }[] = [
  {
    id: "patterns",
    label: (
      <>
        <span className="-mr-1 max-md:sr-only">Availability </span>Patterns
      </>
    ),
  },
  { id: "blocked", label: "Blocked Times" },
  { id: "settings", label: "Settings" },
];

type Open = { kind: "pattern"; id?: string; day?: number | undefined } | { kind: "block" };

/** The parameter with which a link opens the form of a blocked time. */
const BLOCK = "block";

export default function AvailabilityView() {
  return (
    <ErrorBoundary fallback={() => <FeatureError feature="Availability" />}>
      <View />
    </ErrorBoundary>
  );
}

function View() {
  const today = useToday();
  const [params, setParams] = useSearchParams();
  const [open, setOpen] = useState<Open>();
  const { fix: patternFix, leaveFix } = useFix("create_pattern", "update_pattern");
  const { fix: blockFix } = useFix("create_blocked_time", "take_time_off");
  const { fix: settingsFix } = useFix("update_availability_config");
  const patterns = useReplica((phone) => phone.patterns());

  const asked = params.get("tab");
  const chosen: Tab = asked === "blocked" || asked === "settings" ? asked : "patterns";
  const tab = patternFix ? "patterns" : blockFix ? "blocked" : settingsFix ? "settings" : chosen;
  const show = (to: Tab) => {
    const next = new URLSearchParams(params);
    next.delete("fix");
    next.delete(BLOCK);
    if (to === "patterns") next.delete("tab");
    else next.set("tab", to);
    setParams(next, { replace: true });
  };

  return (
    <>
      <Tabs label="Availability" value={tab} onChange={show} items={TABS}>
        {tab === "patterns" && (
          <Patterns
            onAdd={(day) => setOpen({ kind: "pattern", day })}
            onEdit={(id) => setOpen({ kind: "pattern", id })}
          />
        )}
        {tab === "blocked" && <BlockedTimes today={today} onBlock={() => setOpen({ kind: "block" })} />}
        {tab === "settings" && <SlotSettings key={settingsFix?.id} fix={settingsFix} />}
      </Tabs>
      {patternFix && (
        <PatternDialog
          key={patternFix.id}
          pattern={patterns.find((it) => it.id === patternFix.command.args.id)}
          day={undefined}
          fix={patternFix}
          onClose={leaveFix}
        />
      )}
      {blockFix && <BlockDialog key={blockFix.id} today={today} fix={blockFix} onClose={leaveFix} />}
      {!patternFix && open?.kind === "pattern" && (
        <PatternDialog
          pattern={patterns.find((it) => it.id === open.id)}
          day={open.day}
          fix={undefined}
          onClose={() => setOpen(undefined)}
        />
      )}
      {!blockFix && (open?.kind === "block" || params.has(BLOCK)) && (
        <BlockDialog
          today={today}
          fix={undefined}
          onClose={() => {
            setOpen(undefined);
            if (params.has(BLOCK)) show(tab);
          }}
        />
      )}
    </>
  );
}
