/**
 * Owns the head of a screen: what this is, the one or two acts of the whole screen, and, from the shell around it,
 * the bell, the user menu and the banners. Every screen begins with one; on paper the title alone is left.
 */
import { createContext, type ReactNode, useContext, useEffect } from "react";
import { cx } from "./cx";

/** Parts that the shell puts into every header. */
export interface HeaderFrame {
  /** At the right end, behind the screen's own acts. */
  tools: ReactNode;
  /** Below the title. */
  banners: ReactNode;
}

const Frame = createContext<HeaderFrame>({ tools: null, banners: null });

export const HeaderFrameProvider = Frame.Provider;

interface PageHeaderProps {
  title: string;
  /** Above the title, small: 'Friday, November 20'. */
  sub?: ReactNode;
  /** The title is a sentence: on a phone it has a row of its own, below the acts. */
  isSentence?: boolean;
  /** The acts of the whole screen; on a phone show icons only or put the main one where a thumb is. */
  actions?: ReactNode;
  /** Under the title row and above the banners: toggles, search. */
  children?: ReactNode;
  className?: string;
}

export function PageHeader({ title, sub, isSentence, actions, children, className }: PageHeaderProps) {
  const { tools, banners } = useContext(Frame);
  useTitle(title);
  return (
    <header className={cx("grid grid-cols-1 gap-3 px-5 pt-5 pb-3 md:px-8", className)}>
      {/* Large letters have a row of their own, and a word longer than the row is broken. */}
      <div className="flex min-h-12 flex-wrap items-center gap-2">
        <div className={cx("min-w-[min(100%,8.5rem)] flex-1", isSentence && "max-md:contents")}>
          {sub && (
            <p
              className={cx(
                "num truncate text-14 text-ink-2",
                isSentence && "max-md:min-w-[min(100%,8.5rem)] max-md:flex-1 max-md:whitespace-normal",
              )}
            >
              <bdi>{sub}</bdi>
            </p>
          )}
          <h1 className={cx("line-clamp-4 text-28 font-bold", isSentence && "max-md:order-last max-md:basis-full")}>
            <bdi>{title}</bdi>
          </h1>
        </div>
        <div className="contents print:hidden">
          {actions}
          {tools}
        </div>
      </div>
      <div className="contents print:hidden">
        {children}
        {banners}
      </div>
    </header>
  );
}

/** Sets the window's title, for a screen without a `PageHeader`. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Walkies`;
  }, [title]);
}

/** The body under a `PageHeader`, with the same edges. */
export function PageBody({ className, children }: { className?: string; children: ReactNode }) {
  return <div className={cx("px-5 pt-1 pb-8 *:min-w-0 md:px-8", className)}>{children}</div>;
}
