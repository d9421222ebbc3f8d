/** Owns what the screen is for, where the thumb is; above it what came of the last press, wherever the page has been moved. */
import type { ReactNode } from "react";

export function ActionBar({ news, children }: { news: ReactNode; children: ReactNode }) {
  return (
    <div
      data-acts
      className="sticky bottom-0 z-1 mt-auto grid grid-cols-1 gap-3 border-t border-line bg-card px-5 py-3 md:px-8"
    >
      {news}
      <div className="flex flex-wrap gap-3">{children}</div>
    </div>
  );
}
