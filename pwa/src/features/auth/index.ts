/** Owns what other features use of the screens before the sign-in: the two steps of a sign-up. */
export { CodeStep, GUESSED, SignUpForm, type SignUpSteps, TimeZoneField, useSignUp, whyNot } from "./SignUp";
