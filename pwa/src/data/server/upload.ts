/** Owns sending a large body while saying how much of it has gone, which `fetch` does not tell. */

/** How much has gone, 0 to 1. */
export type Progress = (share: number) => void;

interface UploadOptions {
  onProgress: Progress;
  /** It is given up where nothing goes for this long; what goes slowly may take its time. */
  silenceMs: number;
}

/** The name of the error where the connection has ended after some of it had gone. */
export const CUT_OFF = "NetworkError";

/** As `fetch`, for a `FormData` or a `Blob`; follows nobody elsewhere either. */
export function upload(url: string, init: RequestInit, { onProgress, silenceMs }: UploadOptions): Promise<Response> {
  return new Promise((answered, failed) => {
    const request = new XMLHttpRequest();
    const fail = () => failed(new TypeError("Failed to send"));
    const stop = () => request.abort();
    const giveUp = () => {
      failed(new DOMException("Nothing goes", "TimeoutError"));
      stop();
    };
    let hasBegun = false;
    let silence = setTimeout(giveUp, silenceMs);
    request.open(init.method ?? "POST", url);
    new Headers(init.headers).forEach((value, name) => request.setRequestHeader(name, value));
    request.upload.onprogress = ({ loaded, total }) => {
      clearTimeout(silence);
      silence = setTimeout(giveUp, silenceMs);
      hasBegun ||= loaded > 0;
      if (total > 0) onProgress(loaded / total);
    };
    request.onerror = () => (hasBegun ? failed(new DOMException("Failed to send", CUT_OFF)) : fail());
    request.onabort = fail;
    request.onload = () => (isElsewhere(request, url) ? fail() : answered(responseOf(request)));
    request.onloadend = () => {
      clearTimeout(silence);
      init.signal?.removeEventListener("abort", stop);
    };
    init.signal?.addEventListener("abort", stop);
    request.send(init.body as FormData | Blob);
    if (init.signal?.aborted) stop();
  });
}

const isElsewhere = ({ responseURL }: XMLHttpRequest, url: string): boolean =>
  responseURL !== new URL(url, location.href).href;

function responseOf(request: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const name of ["Content-Type", "Date", "Retry-After"]) {
    const value = request.getResponseHeader(name);
    if (value !== null) headers.set(name, value);
  }
  return new Response(request.responseText || null, { status: request.status, headers });
}
