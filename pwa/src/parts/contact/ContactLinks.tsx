/** Owns the three ways to a client: call, go there, write; clients with a login are written to in the app. */
import { Mail, MessageSquare, MessageSquareText, Navigation, Phone } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { callLink, conversationPath, type InPortal, messageLink, type Reachable } from "./contact";
import { isPage, navigateLink } from "./navigation";

type Way = "call" | "map" | "message";

const ALL: readonly Way[] = ["call", "map", "message"];

/** Those of `ways` that this client can be reached by. */
export function ContactLinks({ client, ways = ALL }: { client: Reachable | InPortal | null; ways?: readonly Way[] }) {
  if (!client) return null;
  const conversation = conversationPath(client);
  return (
    <>
      {ways.includes("call") && (
        <IconLink label={`Call ${client.name}`} href={callLink(client)} icon={<Phone aria-hidden />} />
      )}
      {ways.includes("map") && (
        <IconLink label={`Navigate to ${client.name}`} href={navigateLink(client)} icon={<Navigation aria-hidden />} />
      )}
      {ways.includes("message") && conversation && (
        <Link to={conversation} title={`Message ${client.name}`} aria-label={`Message ${client.name}`} className={LINK}>
          <MessageSquare aria-hidden />
        </Link>
      )}
      {ways.includes("message") && !conversation && (
        <IconLink
          label={`${client.phone ? "Text" : "Email"} ${client.name}`}
          href={messageLink(client)}
          icon={client.phone ? <MessageSquareText aria-hidden /> : <Mail aria-hidden />}
        />
      )}
    </>
  );
}

const LINK =
  "relative grid size-12 shrink-0 place-items-center rounded-large border border-line bg-card " +
  "transition-[background-color,scale] hover:bg-sunken active:scale-95 [&>svg]:size-[22px]";

interface IconLinkProps {
  label: string;
  href: string | undefined;
  icon: ReactNode;
}

function IconLink({ label, href, icon }: IconLinkProps) {
  if (!href) return null;
  // Beside the app, which stays where it is.
  const outside = isPage(href);
  return (
    <a
      href={href}
      title={label}
      aria-label={label}
      {...(outside && { target: "_blank", rel: "noreferrer" })}
      className={LINK}
    >
      {icon}
    </a>
  );
}
