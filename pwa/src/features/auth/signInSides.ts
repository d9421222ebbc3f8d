/** Owns the words and paths of the sign-in pages for either app: a sitter's and the pet parents'. */

/** Words for either side; a pet parent gets an account by an invitation alone. */
export const SIGN_IN_SIDES = {
  sitter: {
    home: "/",
    sub: "See your visits, reports and messages.",
    back: { to: "/scheduling", text: "Not now, back to my day" },
  },
  parent: {
    home: "/client",
    sub: "See your pet's visits and reports, and write to your sitter.",
    back: { to: "/client", text: "Not now, back to my visits" },
  },
} as const;

export type Side = keyof typeof SIGN_IN_SIDES;
