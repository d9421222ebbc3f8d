/** Owns fetching a file that the server makes or keeps for the one who is signed in. */
import { sessionToken } from "../session/session";

/** The file at a path of the API, if it is of one of these types; nothing where it cannot be had. */
export async function fetchFile(path: string, ...types: string[]): Promise<Blob | undefined> {
  const token = sessionToken();
  if (!token) return undefined;
  try {
    const headers = { Authorization: `Bearer ${token}` };
    const response = await fetch(`/api${path}`, { headers, cache: "no-store", redirect: "error" });
    // A hotel's page is no such file.
    const type = response.headers.get("Content-Type") ?? "";
    return response.ok && types.includes(type) ? await response.blob() : undefined;
  } catch {
    return undefined;
  }
}
