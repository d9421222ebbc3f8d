/** Owns fetching a file that the server makes or keeps for the one who is signed in. */
import { transportError } from "../../core";
import { sessionToken } from "../session/session";
import { type Answer, type ApiError, failure } from "./api";

/** The file at a path of the API, if it is of one of these types; else why it cannot be had. */
export async function fetchFile(path: string, ...types: string[]): Promise<Answer<Blob>> {
  const failed = (error: ApiError): Answer<never> => ({ ok: false, error });
  const offline = () => failed({ kind: "offline", text: transportError(0, "") });
  const token = sessionToken();
  if (!token) return failed({ kind: "session_expired", text: transportError(401, "") });
  try {
    const headers = { Authorization: `Bearer ${token}` };
    const response = await fetch(`/api${path}`, { headers, cache: "no-store", redirect: "error" });
    if (!response.ok) return failed(failure(response, await response.text(), true));
    // A hotel's page is no such file.
    const type = response.headers.get("Content-Type") ?? "";
    return types.includes(type) ? { ok: true, value: await response.blob() } : offline();
  } catch {
    return offline();
  }
}
