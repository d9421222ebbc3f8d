/** Owns who gets to see what: the start, the sign-in gate, and one place for each path (SPEC 2). */
import { type ReactNode, Suspense, use, useEffect, useMemo } from "react";
import { BrowserRouter, Navigate, Route, Routes, useLocation } from "react-router";
import { loadCore, textBound, textError } from "../core";
import {
  isStorageTrouble,
  type Session,
  start,
  storageTrouble,
  useBusinessIsOpen,
  useSession,
  useStorageTrouble,
} from "../data";
import {
  AppError,
  ConfirmHost,
  ErrorBoundary,
  FormsContext,
  loadable,
  Spinner,
  setTextRules,
  ToastHost,
  toast,
} from "../ui";
import { Shell } from "./Shell";
import { HOME, preloadScreen, sections } from "./sections";

const SignInScreen = loadable(() => import("../features/auth/SignInScreen"));
const SignUpScreen = loadable(() => import("../features/auth/SignUpScreen"));
const ForgotPasswordScreen = loadable(() => import("../features/auth/ForgotPasswordScreen"));
const ResetPasswordScreen = loadable(() => import("../features/auth/ResetPasswordScreen"));
const WelcomeScreen = loadable(() => import("../features/auth/WelcomeScreen"));
const ClientPortal = loadable(() => import("../features/auth/ClientPortal"));

let starting: Promise<unknown> | undefined;

/** The core, the rows of the phone and the first screen come at the same time. */
function begin(): Promise<unknown> {
  let screen: Promise<unknown> | undefined;
  const known = ({ user }: Session) => {
    if (user?.role === "sitter") screen = preloadScreen(location.pathname);
  };
  const core = loadCore().then(() => setTextRules({ bound: textBound, error: textError }));
  starting ??= Promise.all([core, start(known)]).then(() => screen);
  return starting;
}

export function App() {
  return (
    <ErrorBoundary
      fallback={(retry) => (
        <AppError
          retry={() => {
            starting = undefined;
            retry();
          }}
        />
      )}
    >
      <AroundForms>
        <BrowserRouter>
          <Suspense fallback={<Waiting />}>
            <Gate />
          </Suspense>
        </BrowserRouter>
      </AroundForms>
      <ConfirmHost />
      <ToastHost />
    </ErrorBoundary>
  );
}

/** What no form can do without this phone's storage is said in the form. */
function AroundForms({ children }: { children: ReactNode }) {
  const trouble = useStorageTrouble();
  const around = useMemo(() => ({ trouble, explain }), [trouble]);
  return <FormsContext value={around}>{children}</FormsContext>;
}

const explain = (thrown: unknown) => (isStorageTrouble(thrown) ? storageTrouble(thrown) : undefined);

function Waiting() {
  return (
    <main className="grid min-h-dvh place-content-center text-ink-3">
      <Spinner />
    </main>
  );
}

function Gate() {
  use(begin());
  const session = useSession();
  const isOpen = useBusinessIsOpen();
  const location = useLocation();
  const userId = session.user?.id;
  // What was said to somebody is not there for whoever comes after them.
  useEffect(() => (userId === undefined ? undefined : toast.clear), [userId]);

  if (session.state === "loading") return <Waiting />;
  const home = session.user?.role === "client" ? "/client" : HOME;
  // Those who are known and taken have no business on these; an expired session has.
  const entered = session.state === "signed_in" ? <Navigate to={home} replace /> : undefined;
  return (
    <Routes location={location}>
      <Route path="/auth/login" element={entered ?? <SignInScreen />} />
      <Route path="/auth/forgot-password" element={<ForgotPasswordScreen />} />
      <Route path="/auth/reset-password" element={<ResetPasswordScreen />} />
      <Route path="/sitters/join" element={entered ?? <SignUpScreen />} />
      {session.state === "signed_out" && (
        <>
          <Route path="/" element={<WelcomeScreen />} />
          <Route path="*" element={<SignInScreen />} />
        </>
      )}
      {session.user?.role === "client" && (
        <>
          <Route path="/client" element={<ClientPortal />} />
          <Route path="*" element={<Navigate to="/client" replace />} />
        </>
      )}
      {session.user?.role === "sitter" && !isOpen && <Route path="*" element={<Waiting />} />}
      {session.user?.role === "sitter" && isOpen && (
        <>
          <Route path="/" element={<Navigate to={HOME} replace />} />
          <Route path="/dashboard" element={<Navigate to={HOME} replace />} />
          {sections.map((section) => (
            <Route key={section.path} path={`${section.path}/*`} element={<Shell section={section} />} />
          ))}
          <Route path="*" element={<Shell />} />
        </>
      )}
    </Routes>
  );
}
