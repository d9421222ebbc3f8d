/** Owns the calls by which somebody gets an account, or a new password for one: no part of what everybody loads first. */
import type { PasswordReset, SignedIn, SignUpAnswer, SignUpRules } from "../../core";
import { type Answer, call } from "../server/api";
import { enter, type Result, said } from "./auth";
import { keepDevice, knownDevice } from "./devices";

/** Who may sign up at this server. */
export async function signUpRules(invitation: string | null): Promise<SignUpRules | undefined> {
  const answer = await call<SignUpRules>(`/auth/signup${invitation ? `?invitation=${invitation}` : ""}`);
  return answer.ok ? answer.value : undefined;
}

/** Asks for an account; what comes next is the code from the mail, unless an invitation stands for it. */
export async function signUp(fields: {
  name: string;
  email: string;
  password: string;
  time_zone: string;
  invitation?: string | undefined;
  /** The code by which a sitter invites a pet parent. */
  invite_code?: string;
}): Promise<Result & { awaited?: { confirmation: string; until: number } }> {
  const { invite_code } = fields;
  const answer = await (invite_code === undefined
    ? call<SignUpAnswer>("/sitters/register", { method: "POST", body: fields })
    : call<SignUpAnswer>("/auth/signup", { method: "POST", body: { ...fields, role: "client" } }));
  if (answer.ok && "confirmation" in answer.value) {
    const { confirmation, expires_in_seconds } = answer.value;
    return { ok: true, awaited: { confirmation, until: Date.now() + expires_in_seconds * 1000 } };
  }
  return enter(answer as Answer<SignedIn>, fields.password);
}

/** Proves the e-mail; the password is for what will be locked here, where it is still known. */
export async function confirmSignUp(confirmation: string, code: string, password?: string): Promise<Result> {
  return enter(
    await call<SignedIn>("/sitters/verify-email", { method: "POST", body: { confirmation, code } }),
    password,
  );
}

export async function forgotPassword(email: string): Promise<Result> {
  const body = { email, device: await knownDevice(email) };
  return said(await call("/auth/forgot-password", { method: "POST", body }));
}

export async function resetPassword(token: string, password: string): Promise<Result> {
  const body = { token, password };
  const answer = await call<PasswordReset>("/auth/reset-password", { method: "POST", body });
  if (answer.ok) await keepDevice(answer.value.email, answer.value.device);
  return said(answer);
}
