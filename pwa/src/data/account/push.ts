/** Owns the calls about notifications: the server's key, this phone's subscription, and of what the person is told. */
import type { PushChoice, PushKey, PushPreferences, PushSubscribed } from "../../core";
import { type Answer, type CallOptions, call } from "../server/api";
import { sessionToken } from "../session/session";

const ask = <T>(method: CallOptions["method"], path: string, body?: unknown): Promise<Answer<T>> =>
  call<T>(path, { method: method ?? "GET", token: sessionToken(), body });

export const pushKey = () => ask<PushKey>("GET", "/push/public-key");
export const listPushChoice = () => ask<PushChoice>("GET", "/push/preferences");
export const setPushPreferences = (it: PushPreferences) => ask<PushChoice>("PUT", "/push/preferences", it);
export const endPush = (id: string) => ask("DELETE", `/push/subscriptions/${id}`);

/** Has this phone told; a repeat changes nothing, and gives its id again. */
export const beginPush = (subscription: PushSubscriptionJSON, public_key: string) =>
  ask<PushSubscribed>("POST", "/push/subscriptions", { ...subscription, public_key });
