/** Owns the three ways from a visit to its client: call, write, go there. */
import { MapPin, MessageSquare, Phone } from "lucide-react";
import type { ReactNode } from "react";
import { callLink, mapLink, messageLink, type Reachable } from "./contact";

export function ContactLinks({ client, call }: { client: Reachable | null; call?: boolean }) {
  if (!client) return null;
  return (
    <>
      {call && <IconLink label={`Call ${client.name}`} href={callLink(client)} icon={<Phone aria-hidden />} />}
      <IconLink label={`Map to ${client.name}`} href={mapLink(client)} icon={<MapPin aria-hidden />} outside />
      <IconLink label={`Message ${client.name}`} href={messageLink(client)} icon={<MessageSquare aria-hidden />} />
    </>
  );
}

interface IconLinkProps {
  label: string;
  href: string | undefined;
  icon: ReactNode;
  /** Opens beside the app, which stays where it is. */
  outside?: boolean;
}

function IconLink({ label, href, icon, outside }: IconLinkProps) {
  if (!href) return null;
  return (
    <a
      href={href}
      title={label}
      aria-label={label}
      {...(outside && { target: "_blank", rel: "noreferrer" })}
      className="relative grid size-12 shrink-0 place-items-center rounded-large border border-line bg-card transition-[background-color,scale] hover:bg-sunken active:scale-95 [&>svg]:size-[22px]"
    >
      {icon}
    </a>
  );
}
