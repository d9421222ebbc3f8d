/** Owns the box of one subject in the profile. */
import { type ReactNode, useEffect, useRef } from "react";
import { useLocationProperty } from "wouter/use-browser-location";
import { Card, cx } from "../../ui";

interface SectionProps {
  id: string;
  title: string;
  children: ReactNode;
  className?: string;
}

export function Section({ id, title, children, className }: SectionProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const isWanted = useLocationProperty(() => location.hash) === `#${id}`;
  useEffect(() => {
    if (!isWanted) return undefined;
    // After the shell, which begins each screen at its top.
    const frame = requestAnimationFrame(() => {
      heading.current?.scrollIntoView({ block: "start" });
      heading.current?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [isWanted]);
  return (
    <Card className="md:p-5">
      <section aria-labelledby={id} className={cx("grid grid-cols-1 gap-4", className)}>
        <h2 ref={heading} id={id} tabIndex={-1} className="scroll-mt-8 text-20 font-bold outline-none">
          {title}
        </h2>
        {children}
      </section>
    </Card>
  );
}
