/**
 * Owns the section of mileage and expenses: the days of a month, a year for the taxes, and the form above them. All of it
 * is made of what is on this phone, and so it is there without a network.
 */
import { CarFront, Plus } from "lucide-react";
import { useState } from "react";
import { useSearchParams } from "wouter";
import { useMinute } from "../../browser/clock";
import { useIsDesktop } from "../../browser/device";
import { useReplica } from "../../data";
import { useFix } from "../../parts/attention/fix";
import { LoadingOrFailure } from "../../parts/LoadingOrFailure";
import { Button, ErrorBoundary, FeatureError, IconButton, PageBody, PageHeader, Tabs, useShortcut } from "../../ui";
import { ExpenseDialog, ExpensePane, type Opening } from "./ExpenseDialog";
import { MonthView } from "./MonthView";
import { YearView } from "./YearView";

type Tab = "month" | "year";

const TABS: { id: Tab; label: string }[] = [
  { id: "month", label: "Month" },
  { id: "year", label: "Year" },
];

export default function ExpensesScreen() {
  return (
    <ErrorBoundary fallback={() => <FeatureError feature="Expenses" />}>
      <Screen />
    </ErrorBoundary>
  );
}

function Screen() {
  const [params, setParams] = useSearchParams();
  const hasLoaded = useReplica((phone) => phone.hasLoaded());
  const now = useMinute();
  const today = useReplica((phone) => phone.today(now));
  const [open, setOpen] = useState<Opening>();
  const { fix, leaveFix } = useFix("create_expense", "update_expense");
  const tab: Tab = params.get("tab") === "year" ? "year" : "month";
  const day = params.get("month") ?? undefined;
  const close = () => setOpen(undefined);
  const chosen = useIsDesktop() && tab === "month" && !fix && open?.kind === "edit" ? open.entry : undefined;
  const addMiles = () => setOpen({ kind: "new", expense: { category: "mileage", date: today } });
  const addExpense = () => setOpen({ kind: "new", expense: { category: "supplies", date: today } });
  useShortcut("n", "Add an expense", addExpense);

  return (
    <>
      <PageHeader
        title="Mileage & Expenses"
        actions={
          <>
            <div className="flex gap-2 max-md:hidden">
              <Button kind="quiet" icon={<CarFront aria-hidden className="size-5" />} onClick={addMiles}>
                Add Miles
              </Button>
              <Button icon={<Plus aria-hidden className="size-5" />} onClick={addExpense}>
                Add Expense
              </Button>
            </div>
            <div className="flex gap-2 md:hidden">
              <IconButton label="Add Miles" kind="square" onClick={addMiles}>
                <CarFront />
              </IconButton>
              <IconButton label="Add Expense" kind="square" onClick={addExpense}>
                <Plus />
              </IconButton>
            </div>
          </>
        }
      />
      <PageBody className="max-w-220 xl:max-w-none">
        {hasLoaded ? (
          <Tabs
            label="Mileage and expenses"
            items={TABS}
            value={tab}
            onChange={(next) => {
              // The form beside the table goes with it.
              if (chosen) close();
              setParams(next === "month" ? {} : { tab: next }, { replace: true });
            }}
          >
            {tab === "month" ? (
              <MonthView
                day={day}
                onMonth={(month) => {
                  if (chosen) close();
                  setParams({ month }, { replace: true });
                }}
                chosen={chosen?.expense.id}
                form={chosen && <ExpensePane entry={chosen} onClose={close} />}
                onEdit={(entry) => setOpen({ kind: "edit", entry })}
                onAdd={(expense) => setOpen({ kind: "new", expense })}
              />
            ) : (
              <YearView
                year={Number(params.get("year")) || undefined}
                onYear={(year) => setParams({ tab: "year", year: String(year) }, { replace: true })}
              />
            )}
          </Tabs>
        ) : (
          <LoadingOrFailure label="Loading expenses" failure={(why) => `Failed to load expenses: ${why}`} />
        )}
      </PageBody>
      {fix && <ExpenseDialog key={fix.id} opening={{ kind: "fix", fix }} onClose={leaveFix} />}
      {!fix && open && !chosen && <ExpenseDialog opening={open} onClose={close} />}
    </>
  );
}
