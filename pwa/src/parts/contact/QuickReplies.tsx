/** Owns the messages that a sitter sends with one tap: in the app to a client with a login, else as a text to be sent. */
import { useBusy } from "../../ui";
import { conversationPath, type InPortal, textLink } from "./contact";
import { sendQuickMessage } from "./quickMessage";

const TEN_MINUTES_LATE = { label: "10 min late", text: "I'm running about 10 minutes late." };
const ON_MY_WAY = { label: "On my way", text: "I'm on my way." };

const CHIP =
  "inline-flex min-h-12 items-center rounded-large border border-line bg-card px-3 py-1 text-14 font-medium " +
  "transition-[background-color,scale] hover:bg-sunken active:scale-[.98]";

interface QuickRepliesProps {
  client: InPortal | null;
  /** The visit is behind its plan already, by more than ten minutes. */
  isLate: boolean;
}

/** Nothing for a client who can be reached by neither way. */
export function QuickReplies({ client, isLate }: QuickRepliesProps) {
  const { busy, run } = useBusy();
  if (!client || !(client.in_portal || client.phone)) return null;
  const isInApp = conversationPath(client) !== undefined;
  return (
    <ul aria-label={`Quick replies to ${client.name}`} className="relative z-1 flex flex-wrap gap-2">
      {(isLate ? [ON_MY_WAY] : [TEN_MINUTES_LATE, ON_MY_WAY]).map(({ label, text }) => (
        <li key={label}>
          {isInApp ? (
            <button
              type="button"
              className={CHIP}
              disabled={busy}
              onClick={() => void run(async () => void (await sendQuickMessage(client, text)))}
            >
              {label}
            </button>
          ) : (
            <a href={textLink(client.phone ?? "", text)} className={CHIP}>
              {label}
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}
