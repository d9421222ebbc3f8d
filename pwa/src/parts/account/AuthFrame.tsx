/** Owns what the screens before the sign-in share: the mark, a calm column, a line of links below, the e-mail. */
import { type ReactNode, useEffect } from "react";
import { Link } from "wouter";
import type { Result } from "../../data";
import { type FormProblem, TextField } from "../../ui";
import { Logo } from "../../ui/Logo";

interface AuthFrameProps {
  title: string;
  sub?: ReactNode;
  children: ReactNode;
  /** Links to the other screens. */
  foot?: ReactNode;
  /** Path that the mark leads to. */
  home?: string;
}

export function AuthFrame({ title, sub, children, foot, home = "/" }: AuthFrameProps) {
  useEffect(() => {
    document.title = `${title} · Walkies`;
  }, [title]);
  return (
    <div className="pt-safe grid min-h-dvh grid-rows-[auto_1fr_auto]">
      <header className="px-5 pt-5 md:px-8">
        <Link to={home} className="hit inline-flex items-center gap-2 text-20 font-bold">
          <Logo className="size-9" />
          Walkies
        </Link>
      </header>
      <main className="mx-auto grid w-full max-w-110 content-center px-5 py-8">
        <div className="grid gap-5 md:rounded-large md:border md:border-line md:bg-card md:p-8">
          <div className="grid gap-1">
            <h1 className="text-28 font-bold">{title}</h1>
            {sub && <p className="text-ink-2 text-pretty wrap-anywhere">{sub}</p>}
          </div>
          {children}
        </div>
      </main>
      <footer className="pb-safe flex min-h-16 flex-wrap justify-center gap-x-5 px-5 text-14 text-ink-2">{foot}</footer>
    </div>
  );
}

/** A link that a thumb can hit; `onGo` runs first. */
export function AuthLink({ to, onGo, children }: { to: string; onGo?: () => void; children: ReactNode }) {
  return (
    <Link
      to={to}
      onClick={onGo}
      className="inline-flex min-h-12 items-center font-bold text-ink underline underline-offset-4"
    >
      {children}
    </Link>
  );
}

/** Who it is about, as phones and password managers know it. */
export function EmailField(it: { value: string; onChange: (value: string) => void; autoFocus?: boolean }) {
  return (
    <TextField
      reader="none"
      name="email"
      label="Email"
      type="email"
      autoComplete="username"
      autoCapitalize="none"
      {...it}
    />
  );
}

interface CodeFieldProps {
  label: string;
  hint?: string;
  value: string;
  onChange: (value: string) => void;
  inputMode?: "numeric" | "text";
}

/** A code that came by mail or stands in an app; phones offer to fill it in. */
export function CodeField({ inputMode = "numeric", ...it }: CodeFieldProps) {
  return (
    <TextField
      reader="none"
      name="code"
      autoComplete="one-time-code"
      autoCapitalize="none"
      autoFocus
      inputMode={inputMode}
      {...it}
    />
  );
}

/** Returns the problem that a form shows for a failed result. */
export const problemOf = (result: Result): FormProblem | undefined => (result.ok ? undefined : result.error);
