/**
 * Owns the public page on which somebody decides to become a sitter here (SPEC 1): what Walkies does, how it looks, what
 * it costs on this server, and the way in.
 */
import "./join.css";
import { useEffect } from "react";
import { Link, useSearchParams } from "wouter";
import { AuthLink } from "../../parts/account/AuthFrame";
import { Banner, Button, ButtonLink } from "../../ui";
import { Logo } from "../../ui/Logo";
import { CodeStep, SignUpForm, type SignUpSteps, useSignUp, whyNot } from "../auth";
import { Features } from "./Features";
import { Plans } from "./Plans";
import { Shot } from "./Shot";

export default function JoinScreen() {
  const [query] = useSearchParams();
  const steps = useSignUp(query.get("invitation"));
  return steps.awaited ? <CodeStep steps={steps} awaited={steps.awaited} /> : <JoinPage steps={steps} />;
}

function JoinPage({ steps }: { steps: SignUpSteps }) {
  useEffect(() => {
    document.title = "Join as a sitter · Walkies";
  }, []);
  const closed = whyNot(steps);
  // Who was invited, or went back from the code, has been persuaded.
  const isDecided = steps.isBack || steps.invitation !== null;
  return (
    <div className="pt-safe pb-safe join-page">
      <header className="join-wide mx-auto flex items-center justify-between gap-3 px-5 pt-5 md:px-8">
        <Link to="/" className="hit inline-flex items-center gap-2 text-20 font-bold">
          <Logo className="size-9" />
          Walkies
        </Link>
        <ButtonLink to="/auth/login" kind="plain">
          Sign in
        </ButtonLink>
      </header>
      <main>
        {isDecided && <JoinForm steps={steps} closed={closed} />}
        <Hero isOpen={closed === undefined && !isDecided} />
        <Features />
        {steps.rules && closed === undefined && <Plans plans={steps.rules.plans} />}
        {!isDecided && <JoinForm steps={steps} closed={closed} />}
      </main>
      <footer className="flex min-h-16 flex-wrap justify-center gap-x-5 px-5 pb-4 text-14 text-ink-2">
        <AuthLink to="/auth/login">I have an account</AuthLink>
        <AuthLink to="/">About Walkies</AuthLink>
      </footer>
    </div>
  );
}

function Hero({ isOpen }: { isOpen: boolean }) {
  const toForm = () => {
    const form = document.getElementById("join");
    form?.scrollIntoView({ block: "start" });
    form?.querySelector("input")?.focus({ preventScroll: true });
  };
  return (
    <section className="join-wide join-hero mx-auto px-5 py-8 md:px-8">
      <div className="grid gap-5">
        <h1 className="text-40 font-bold text-balance">Your pet business, in one calm app</h1>
        <p className="max-w-[48ch] text-20 text-ink-2 text-pretty">
          Visits, walks, clients and their pets. Opens instantly and works without a signal.
        </p>
        {isOpen && (
          <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
            <Button onClick={toForm}>Create your account</Button>
            <p className="text-14 text-ink-2">Five minutes. No card.</p>
          </div>
        )}
      </div>
      <Shot
        name="schedule"
        isFirst
        alt="The day on a phone: the next visit is open, with its key, its care notes and a button that starts the walk"
      />
    </section>
  );
}

function JoinForm({ steps, closed }: { steps: SignUpSteps; closed: string | undefined }) {
  return (
    <section id="join" aria-labelledby="join-title" className="join-narrow mx-auto w-full px-5 py-8">
      <div className="grid gap-5 md:rounded-large md:border md:border-line md:bg-card md:p-8">
        <div className="grid gap-1">
          <h2 id="join-title" className="text-28 font-bold">
            Join as a sitter
          </h2>
          {closed === undefined && (
            <p className="text-ink-2 text-pretty">
              Your account first, then your area, your services and your hours. Stop any time; it goes on where you
              were.
            </p>
          )}
        </div>
        {closed === undefined ? <SignUpForm {...steps} /> : <Banner role="status">{closed}</Banner>}
      </div>
    </section>
  );
}
