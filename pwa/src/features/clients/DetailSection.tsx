/** Owns a titled part of a client's page. */
import type { ReactNode } from "react";

/** Level of a section's headings: right below the name's, wherever that stands. */
export type Heading = "h2" | "h3";

interface DetailSectionProps {
  title: string;
  heading: Heading;
  children: ReactNode;
}

export function DetailSection({ title, heading: Title, children }: DetailSectionProps) {
  return (
    <section aria-label={title} className="grid grid-cols-1 gap-2">
      <Title className="text-16 font-bold">{title}</Title>
      {children}
    </section>
  );
}
