/** Owns the gentle question for what a sitter should know of a home; it waits when it is told to, each sitter's by itself. */
import { House } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { useMinute } from "../../browser/clock";
import { type Client, formatNames } from "../../core";
import { Banner } from "../../ui";
import { ownClientId, useOwnCard, useSitterName } from "./ownClient";

const ASKED = [
  { of: "emergency_contact", name: "an emergency contact" },
  { of: "vet", name: "your vet" },
  { of: "house_instructions", name: "house instructions" },
] as const;

const KEY = "walkies-home-later";
const LATER_MS = 7 * 24 * 3_600_000;

/** Returns the time until which each sitter's question waits, by client record. */
const waiting = (): Record<string, number> => ({ ...JSON.parse(localStorage.getItem(KEY) ?? "{}") });

/** Returns the fields that are not filled in, in words; empty where all are. */
const missing = (client: Client): string =>
  formatNames(ASKED.filter(({ of }) => client[of] === "").map(({ name }) => name));

export function HomeReminder() {
  const client = useOwnCard()?.client;
  const now = useMinute();
  const sitter = useSitterName();
  const [until, setUntil] = useState(() => waiting()[ownClientId()] ?? 0);
  if (!client || missing(client) === "" || now < until) return null;
  const later = () => {
    const next = Date.now() + LATER_MS;
    const others = Object.entries(waiting()).filter(([, until]) => Date.now() < until);
    localStorage.setItem(KEY, JSON.stringify({ ...Object.fromEntries(others), [ownClientId()]: next }));
    setUntil(next);
  };
  return (
    <Banner
      kind="plain"
      icon={<House aria-hidden />}
      action={
        <>
          <Link to="/client/pets?form=edit">Fill in</Link>
          <button type="button" onClick={later}>
            Later
          </button>
        </>
      }
    >
      <bdi>{sitter}</bdi> still needs: {missing(client)}.
    </Banner>
  );
}
