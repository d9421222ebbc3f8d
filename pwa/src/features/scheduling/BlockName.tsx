/** Owns how a blocked time is called: by the sitter's words, else by its kind. */
import type { CalendarBlock } from "../../core";

export function BlockName({ block }: { block: CalendarBlock }) {
  return block.reason ? (
    <bdi className="font-medium">{block.reason}</bdi>
  ) : (
    <span className="font-medium capitalize">{block.block_type}</span>
  );
}
