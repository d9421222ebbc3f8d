/** Owns how a blocked time is called: by the sitter's words, else by its kind. */
import type { CalendarBlock } from "../../core";

export function BlockName({ block }: { block: CalendarBlock }) {
  return block.reason ? (
    <span className="font-medium">{block.reason}</span>
  ) : (
    <span className="font-medium capitalize">{block.block_type}</span>
  );
}
