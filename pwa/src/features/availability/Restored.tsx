/** Owns the quiet word that a form goes on where it was left, and the way to begin anew. */
import { Banner } from "../../ui";

export function Restored({ onStartOver }: { onStartOver: () => void }) {
  return (
    <Banner
      kind="plain"
      role="status"
      action={
        <button
          type="button"
          onClick={(event) => {
            // What is wrong with these words goes with them.
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
