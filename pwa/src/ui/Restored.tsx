/** Owns the quiet word that a form goes on where it was left, and the way to begin anew. */
import type { ReactNode } from "react";
import { Banner } from "./Banner";

interface RestoredProps {
  icon?: ReactNode;
  /** Takes the words away; what was wrong with them the form forgets by itself. */
  onStartOver: () => void;
}

export function Restored({ icon, onStartOver }: RestoredProps) {
  return (
    <Banner
      kind="plain"
      role="status"
      icon={icon}
      action={
        <button
          type="button"
          onClick={(event) => {
            event.currentTarget.form?.reset();
            onStartOver();
          }}
        >
          Start over
        </button>
      }
    >
      Restored what you typed.
    </Banner>
  );
}
