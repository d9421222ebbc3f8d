/** Owns what a service costs and why, and the way to another price for this one. */
import { TriangleAlert } from "lucide-react";
import { formatDollars, type ScheduleCheck, setApart } from "../../../core";
import { Button, confirm, MoneyField, Switch, TextField } from "../../../ui";
import type { ServiceFields } from "./fields";

interface PriceProps {
  check: Pick<ScheduleCheck, "price" | "breakdown" | "price_warning">;
  agreed: ServiceFields["price_override"];
  onAgree: (agreed: ServiceFields["price_override"]) => void;
  wrong: (field: string) => string | undefined;
}

export function Price({ check, agreed, onAgree, wrong }: PriceProps) {
  return (
    <div className="grid gap-4 rounded-large bg-sunken p-4">
      <section aria-label="Price" aria-live="polite" className="grid gap-1">
        <p className="text-14 font-medium text-ink-2">Price</p>
        <p className="num text-28 font-bold">{check.price === null ? "–" : formatDollars(check.price)}</p>
        <p className="num text-14 wrap-anywhere text-ink-2">
          {check.breakdown?.explanation ?? "Choose a client to see the price."}
        </p>
        {check.price_warning && (
          <p className="num flex items-start gap-2 text-14 wrap-anywhere">
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            {check.price_warning}
          </p>
        )}
      </section>
      {agreed ? (
        <>
          <MoneyField
            name="price_override.amount"
            label="Price for this service"
            value={agreed.amount}
            onChange={(amount) => onAgree({ ...agreed, amount })}
            error={wrong("price_override.amount") || wrong("price_override")}
          />
          <TextField
            name="price_override.reason"
            label="Reason"
            reader={
              agreed.tells_reason
                ? { reader: "client", says: "Your client sees it." }
                : { reader: "sitter", says: "Only you see it. Your client sees “Agreed price”." }
            }
            placeholder="Holiday, as agreed"
            value={agreed.reason}
            onChange={(reason) => onAgree({ ...agreed, reason })}
            error={wrong("price_override.reason")}
          />
          <Switch
            name="price_override.tells_reason"
            label="Show the reason to the client"
            checked={agreed.tells_reason ?? false}
            onChange={(tells_reason) => void showReason(agreed, tells_reason, onAgree)}
          />
          <Button kind="quiet" onClick={() => onAgree(null)}>
            Use the usual price
          </Button>
        </>
      ) : (
        check.price !== null && (
          <Button kind="quiet" onClick={() => onAgree({ amount: check.price, reason: "" })}>
            Change price
          </Button>
        )
      )}
    </div>
  );
}

/** Shows a reason that was written for oneself only once the person has agreed to that. */
async function showReason(
  agreed: NonNullable<PriceProps["agreed"]>,
  tells_reason: boolean,
  onAgree: PriceProps["onAgree"],
): Promise<void> {
  const reason = agreed.reason.trim();
  const isAsked = tells_reason && reason !== "";
  const isAgreed =
    !isAsked ||
    (await confirm({
      title: "Show this reason to your client?",
      text: `Only you see it so far: ${setApart(reason)}`,
      action: "Show it",
      cancel: "Keep it private",
    }));
  if (isAgreed) onAgree({ ...agreed, tells_reason });
}
