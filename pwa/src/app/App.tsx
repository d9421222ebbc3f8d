/** Owns who gets to see what: the start, the sign-in gate, and one place for each path (SPEC 2). */
import { type ReactNode, Suspense, use, useEffect, useMemo } from "react";
import { Redirect, Route, Switch, useLocation } from "wouter";
import { limits, withRest } from "../core";
import { isStorageTrouble, storageTrouble, useBusinessIsOpen, useSession, useStorageTrouble } from "../data";
import { pageForStranger } from "../features/portal/cardReturn";
import { AppError, ConfirmHost, ErrorBoundary, FormsContext, loadable, Spinner, Steps, ToastHost, toast } from "../ui";
import { Shell } from "./Shell";
import { HOME, SETUP, sectionAt } from "./sections";
import { enterSide, sideAt } from "./side";
import { begin, forgetBeginning } from "./start";

const SignInScreen = loadable(() => import("../features/auth/SignInScreen"));
const JoinScreen = loadable(() => import("../features/join/JoinScreen"));
const ForgotPasswordScreen = loadable(() => import("../features/auth/ForgotPasswordScreen"));
const ResetPasswordScreen = loadable(() => import("../features/auth/ResetPasswordScreen"));
const WelcomeScreen = loadable(() => import("../features/auth/WelcomeScreen"));
const Parent = loadable(() => withRest(import("./Parent")));
const KeptReport = loadable(() => import("../features/report/KeptReport"));
const Invitation = loadable(() => import("../features/portal/Invitation"));

export function App() {
  return (
    <ErrorBoundary
      fallback={(retry) => (
        <AppError
          retry={() => {
            forgetBeginning();
            retry();
          }}
        />
      )}
    >
      <AroundForms>
        <Steps>
          <Suspense fallback={<Waiting />}>
            <Gate />
          </Suspense>
        </Steps>
      </AroundForms>
      <ConfirmHost />
      <ToastHost />
    </ErrorBoundary>
  );
}

/** Gives all forms below it the phone's storage trouble and the sentences for errors, so that they show both. */
function AroundForms({ children }: { children: ReactNode }) {
  const trouble = useStorageTrouble();
  const around = useMemo(() => ({ trouble, explain, unexpected }), [trouble]);
  return <FormsContext value={around}>{children}</FormsContext>;
}

const explain = (thrown: unknown) => (isStorageTrouble(thrown) ? storageTrouble(thrown) : undefined);

/** A defect: it is told as one, and noted as one. */
function unexpected(thrown: unknown): string {
  reportError(thrown);
  return limits().unexpected_error;
}

/** Also in `index.html`, where it stands until the app has begun. */
export function Waiting() {
  return (
    <main className="grid min-h-dvh place-content-center text-ink-3">
      <Spinner />
    </main>
  );
}

function Gate() {
  use(begin());
  const session = useSession();
  const [path] = useLocation();
  const userId = session.user?.id;
  // What was said to somebody is not there for whoever comes after them.
  useEffect(() => (userId === undefined ? undefined : toast.clear), [userId]);

  const side = sideAt(path, session.user?.role);
  useEffect(() => enterSide(side), [side]);

  if (session.state === "loading") return <Waiting />;
  const isParent = session.user?.role === "client";
  const home = isParent ? "/client" : HOME;
  // Those who are known and taken have no business on these; an expired session has.
  const entered = session.state === "signed_in" ? <Redirect to={home} replace /> : undefined;
  const isInvited = path === "/client" && new URLSearchParams(location.search).has("code");
  if (isInvited && !isParent) return <Invitation />;
  const invoice = isParent ? undefined : pageForStranger(path, location.search);
  if (invoice !== undefined) return <Outside to={invoice} />;
  return (
    <Switch>
      <Route path="/auth/login">{entered ?? <SignInScreen side={side} />}</Route>
      <Route path="/report/:id">
        <KeptReport />
      </Route>
      <Route path="/auth/forgot-password">
        <ForgotPasswordScreen side={side} />
      </Route>
      <Route path="/auth/reset-password">
        <ResetPasswordScreen />
      </Route>
      <Route path="/sitters/join">
        {entered && home === HOME ? <Redirect to={SETUP} replace /> : (entered ?? <JoinScreen />)}
      </Route>
      {session.user ? (
        <Route>{isParent ? <ForParent path={path} /> : <ForSitter path={path} />}</Route>
      ) : (
        <Route>{path === "/" ? <WelcomeScreen /> : <SignInScreen side={side} />}</Route>
      )}
    </Switch>
  );
}

/** Leads to a page of the server's own. */
function Outside({ to }: { to: string }) {
  useEffect(() => location.replace(to), [to]);
  return <Waiting />;
}

const ForParent = ({ path }: { path: string }) =>
  path.startsWith("/client") ? <Parent /> : <Redirect to="/client" replace />;

function ForSitter({ path }: { path: string }) {
  const isOpen = useBusinessIsOpen();
  if (!isOpen) return <Waiting />;
  if (path === "/" || path === "/dashboard") return <Redirect to={HOME} replace />;
  return <Shell section={sectionAt(path)} />;
}
