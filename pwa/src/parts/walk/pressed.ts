/**
 * Owns the press on 'Start walk' on its way to the screen that starts it. Only this tab's memory has it: an address that
 * is opened, loaded again, restored or gone back to starts nothing.
 */
let pressed: string | undefined;

export const pressStart = (serviceId: string): void => {
  pressed = serviceId;
};

export const wasStartPressed = (serviceId: string): boolean => pressed === serviceId;

/** The screen has come: whatever it makes of the press, it does so once. */
export const forgetStart = (): void => {
  pressed = undefined;
};

// A press that has led nowhere, as where the screen did not come, is not there when one goes back and forth.
addEventListener("popstate", forgetStart);
