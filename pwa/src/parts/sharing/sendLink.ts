/** Owns a link on its way to a client: by whatever the phone writes with, else by way of the clipboard. */
import type { ReportKind } from "../../core";
import { toast } from "../../ui";
import { names } from "../walk/walkText";

/** `https://…/report/{shareId}`, which needs no sign-in. */
export const reportUrl = (shareId: string): string => `${location.origin}/report/${shareId}`;

/** Resolves to whether it went. */
export const sendLink = (shareId: string, kind: ReportKind, dogs: readonly string[]): Promise<boolean> =>
  sendUrl(reportUrl(shareId), `A ${kind} with ${names(dogs)}`);

/** Resolves to whether a program of the phone took it; a link that was only copied has gone nowhere. */
export async function sendUrl(url: string, title: string): Promise<boolean> {
  if (!navigator.share) {
    await copyLink(url);
    return false;
  }
  try {
    await navigator.share({ title, text: title, url });
    return true;
  } catch (error) {
    // Closing the sheet is an answer, too.
    if (!(error instanceof DOMException && error.name === "AbortError")) await copyLink(url);
    return false;
  }
}

export const copyLink = (url: string): Promise<void> => copy(url, "Link", "The link is");

/** The same for words that have no link. */
export const copyWords = (words: string): Promise<void> => copy(words, "Message", "The message is:");

async function copy(text: string, what: string, itIs: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast.success(`${what} copied`);
  } catch {
    toast.error(`This browser does not copy. ${itIs} ${text}`);
  }
}
