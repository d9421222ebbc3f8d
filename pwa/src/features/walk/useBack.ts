/** Owns the way back from the walk's screens, which an address may have opened with nothing before them. */
import { useLocation } from "wouter";
import { goBack, useStep } from "../../ui";

export function useBack(): () => void {
  const [, navigate] = useLocation();
  const isFirst = useStep() === null;
  return () => (isFirst ? navigate("/scheduling", { replace: true }) : goBack());
}
