/** Owns who gets to see what: the start, the sign-in gate, and one place for each path (SPEC 2). */
import { type ReactNode, Suspense, use, useEffect, useMemo } from "react";
import { Redirect, Route, Switch, useLocation } from "wouter";
import { limits, withRest } from "../core";
import {
  endWalkFirst,
  hasBothRoles,
  isReloadPrevented,
  isStorageTrouble,
  rolesOf,
  type Session,
  type SessionUser,
  showRole,
  storageTrouble,
  useOwnBusinessIsOpen,
  useSession,
  useStorageTrouble,
} from "../data";
import { pageForStranger } from "../features/portal/cardReturn";
import { addressOf, pendingInvite } from "../parts/account/pendingInvite";
import { ROLE_HOME } from "../parts/account/SwitchRole";
import { AppError, ConfirmHost, ErrorBoundary, FormsContext, loadable, Spinner, Steps, ToastHost, toast } from "../ui";
import { Shell } from "./Shell";
import { HOME, SETUP, sectionAt } from "./sections";
import { enterSide, rememberRole, roleAt, sideAt } from "./side";
import { begin, forgetBeginning } from "./start";

const SignInScreen = loadable(() => import("../features/auth/SignInScreen"));
const ChooseRoleScreen = loadable(() => import("../features/auth/ChooseRoleScreen"));
const StartBusinessScreen = loadable(() => import("../features/join/StartBusinessScreen"));
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

  const turn = useTurn(session, path);
  if (session.state === "loading" || turn === "turning") return <Waiting />;
  if (turn === "held") return <Redirect to={ROLE_HOME[session.user?.role ?? "sitter"]} replace />;
  const isParent = session.user?.role === "client";
  const invite = pendingInvite();
  const home = invite ? addressOf(invite) : isParent ? "/client" : HOME;
  // Those who are known and taken have no business on these; an expired session has.
  const entered = session.state === "signed_in" ? <Redirect to={home} replace /> : undefined;
  const mustChoose = turn === "unknown" && !invite && entered !== undefined;
  const isInvited = path === "/client" && new URLSearchParams(location.search).has("code");
  if (isInvited && !isParent) return <Invitation />;
  const invoice = isParent ? undefined : pageForStranger(path, location.search);
  if (invoice !== undefined) return <Outside to={invoice} />;
  return (
    <Switch>
      <Route path="/auth/login">
        {mustChoose ? <ChooseRoleScreen onChoose={rememberRole} /> : (entered ?? <SignInScreen side={side} />)}
      </Route>
      <Route path="/report/:id">
        <KeptReport />
      </Route>
      <Route path="/auth/forgot-password">
        <ForgotPasswordScreen side={side} />
      </Route>
      <Route path="/auth/reset-password">
        <ResetPasswordScreen />
      </Route>
      <Route path="/sitters/join">{entered && session.user ? <Joined user={session.user} /> : <JoinScreen />}</Route>
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

/** Somebody who is signed in and joins: a sitter has begun, and a pet parent may begin. */
function Joined({ user }: { user: SessionUser }) {
  return rolesOf(user).includes("sitter") ? <Redirect to={SETUP} replace /> : <StartBusinessScreen />;
}

/** State of this tab with regard to the role of the address that it is at. */
type Turn =
  /** It shows the right one, or the person has one alone. */
  | "shown"
  | "turning"
  /** A walk that this tab tracks keeps it. */
  | "held"
  /** The address is of neither role, and nobody has said yet which one is wanted. */
  | "unknown";

/** The address decides which role of a person with both this tab shows, as with a tap on a notification of the other one. */
function useTurn({ state, user }: Session, path: string): Turn {
  const hasBoth = user !== undefined && hasBothRoles(user);
  const wanted = hasBoth ? roleAt(path) : undefined;
  const isOther = wanted !== undefined && wanted !== user?.role;
  const isHeld = isOther && isReloadPrevented();
  useEffect(() => {
    if (!hasBoth || wanted === undefined) return;
    if (isHeld) {
      toast.info(endWalkFirst("you switch"));
      return;
    }
    rememberRole(wanted);
    showRole(wanted);
  }, [hasBoth, wanted, isHeld]);
  if (state === "loading" || !hasBoth) return "shown";
  if (wanted === undefined) return "unknown";
  if (isHeld) return "held";
  return isOther ? "turning" : "shown";
}

const ForParent = ({ path }: { path: string }) =>
  path.startsWith("/client") ? <Parent /> : <Redirect to="/client" replace />;

function ForSitter({ path }: { path: string }) {
  const isOpen = useOwnBusinessIsOpen();
  if (!isOpen) return <Waiting />;
  if (path === "/" || path === "/dashboard") return <Redirect to={HOME} replace />;
  return <Shell section={sectionAt(path)} />;
}
