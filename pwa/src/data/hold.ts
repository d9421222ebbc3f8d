/** Owns what must not be interrupted, such as a walk that is being tracked: no update and no sign-in page gets in its way. */
let holds = 0;

/** Keeps the app from reloading or leaving the page until the returned function is called. */
export function hold(): () => void {
  holds += 1;
  let held = true;
  return () => {
    if (held) holds -= 1;
    held = false;
  };
}

export const isHeld = (): boolean => holds > 0;
