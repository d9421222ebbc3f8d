/** Owns what other features use of the screens before the sign-in: the two steps of a sign-up. */
export { CodeStep, SignUpForm, type SignUpSteps, useSignUp, whyNot } from "./SignUp";
