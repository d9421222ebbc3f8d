/** Owns the steps of the browser's history: what the app writes at those that it makes itself. */
import type { ReactNode } from "react";
import { type AroundNavHandler, Router } from "wouter";
import { useHistoryState } from "wouter/use-browser-location";

export interface HistoryStep {
  isOurs: true;
  /** It opened a dialog over the step before it, which the way back closes. */
  above?: boolean;
}

const mark: AroundNavHandler = (navigate, to, options) =>
  navigate(to, { ...options, state: { ...(options?.state as object | undefined), isOurs: true } });

/** Around everything that goes somewhere. */
export const Steps = ({ children }: { children: ReactNode }) => <Router aroundNav={mark}>{children}</Router>;

/** The step that one is at, another object for each; null at the one that opened the app. */
export function useStep(): HistoryStep | null {
  const state = useHistoryState<HistoryStep | null>();
  return state?.isOurs ? state : null;
}

export const goBack = (): void => history.back();
