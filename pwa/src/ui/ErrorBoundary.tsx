/** Owns what is shown when a screen breaks: one fallback for the app, one per feature (SPEC 2). What was saved is on the disk. */
import { RotateCw } from "lucide-react";
import { Component, type ErrorInfo, type ReactNode } from "react";
import { deviceText } from "../browser/device";
import { Button } from "./Button";
import { EmptyState } from "./EmptyState";

interface ErrorBoundaryProps {
  /** Shown instead of what broke; `retry` renders that again. */
  fallback: (retry: () => void, error: Error) => ReactNode;
  /** Another place is another try. */
  resetKey?: string;
  children: ReactNode;
}

interface State {
  error: Error | undefined;
  resetKey: string | undefined;
}

export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
  override state: State = { error: undefined, resetKey: this.props.resetKey };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  static getDerivedStateFromProps(props: ErrorBoundaryProps, state: State): Partial<State> | null {
    return props.resetKey === state.resetKey ? null : { error: undefined, resetKey: props.resetKey };
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    reportError(new Error(`${error.message}${info.componentStack ?? ""}`, { cause: error }));
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error ? this.props.fallback(() => this.setState({ error: undefined }), error) : this.props.children;
  }
}

const reload = () => location.reload();

/** The whole app broke. */
export function AppError({ retry }: { retry: () => void }) {
  return (
    <main className="grid min-h-dvh place-content-center">
      <div role="alert">
        <EmptyState
          title="Something went wrong"
          titleAs="h1"
          action={
            <div className="flex flex-wrap justify-center gap-2">
              <Button onClick={retry}>Try Again</Button>
              <Button kind="quiet" icon={<RotateCw aria-hidden className="size-5" />} onClick={reload}>
                Reload Page
              </Button>
            </div>
          }
        >
          {deviceText("What you saved is safe on this phone.")}
        </EmptyState>
      </div>
    </main>
  );
}

/** One feature broke; the rest goes on around it. */
export function FeatureError({ feature }: { feature: string }) {
  return (
    <div role="alert">
      <EmptyState
        title={`${feature} Error`}
        action={
          <Button kind="quiet" icon={<RotateCw aria-hidden className="size-5" />} onClick={reload}>
            Reload Page
          </Button>
        }
      >
        {deviceText("What you saved is safe on this phone.")}
      </EmptyState>
    </div>
  );
}
