/** Owns the box of one subject in the profile. */
import type { ReactNode } from "react";
import { Card, cx } from "../../ui";

interface SectionProps {
  id: string;
  title: string;
  children: ReactNode;
  className?: string;
}

export function Section({ id, title, children, className }: SectionProps) {
  return (
    <Card className="md:p-5">
      <section aria-labelledby={id} className={cx("grid grid-cols-1 gap-4", className)}>
        <h2 id={id} tabIndex={-1} className="text-20 font-bold outline-none">
          {title}
        </h2>
        {children}
      </section>
    </Card>
  );
}
