/** Owns the left pane: the conversations of the inbox or the archive, what a search finds in both, or the contacts. */
import { Archive, ArrowLeft, MessageSquarePlus, Moon, SearchX, Settings2 } from "lucide-react";
import type { ReactNode } from "react";
import { deviceClock, useMinute } from "../../browser/clock";
import { useIsPhone } from "../../browser/device";
import { messagingLimits } from "../../core";
import { useRead } from "../../data";
import { ButtonLink, EmptyState, IconButton, PageHeader, SearchField, Tabs, useTitle } from "../../ui";
import { Contacts } from "./Contacts";
import { ConversationList } from "./ConversationList";
import { LiveMark } from "./LiveMark";
import { Loaded } from "./Loaded";
import type { MessagesAddress } from "./useMessagesAddress";
import { Welcome } from "./Welcome";

interface ListPaneProps {
  address: MessagesAddress;
  search: string;
  onSearch: (search: string) => void;
  /** Until when no notification comes, as it is written, while that is so. */
  quietUntil: string | undefined;
  /** True for a pet parent, who writes to this sitter alone. */
  hasOneContact: boolean;
}

export function ListPane(props: ListPaneProps) {
  return props.address.starting ? <ContactsPane address={props.address} /> : <ConversationsPane {...props} />;
}

function ContactsPane({ address: { starting, open, leave } }: Pick<ListPaneProps, "address">) {
  return (
    <Pane
      title="Contacts"
      before={
        <IconButton label="Back to conversations" className="-ml-3" onClick={leave}>
          <ArrowLeft />
        </IconButton>
      }
    >
      <Contacts isSearched={starting === "search"} onStarted={open} />
    </Pane>
  );
}

const TABS = [
  { id: "inbox", label: "Inbox" },
  { id: "archived", label: "Archived" },
] as const;

function ConversationsPane({ address, search, onSearch, quietUntil, hasOneContact }: ListPaneProps) {
  const { id, tab, setTab, start, pathOf, notifications } = address;
  const now = useMinute();
  const cards = useRead(
    (phone) => phone.conversations(tab === "archived", search, deviceClock(now), now),
    tab,
    search,
    now,
  );
  const archived = useRead(
    (phone) => (hasOneContact ? phone.conversations(true, "", deviceClock(now), now).length : 0),
    tab,
    now,
  );
  const isSearching = search.trim() !== "";
  const list = <ConversationList cards={cards} shown={id} pathOf={pathOf} />;
  return (
    <Pane
      title="Messages"
      after={
        <>
          <LiveMark />
          {!hasOneContact && (
            <IconButton kind="round" label="Start New Conversation" onClick={() => start("search")}>
              <MessageSquarePlus />
            </IconButton>
          )}
        </>
      }
    >
      <Loaded failure="Failed to load conversations. Please try again." label="Loading conversations">
        <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-2 px-5 pb-3 md:px-4">
          <SearchField label="Search messages" placeholder="Name, pet or words" value={search} onChange={onSearch} />
          <ButtonLink
            kind="quiet"
            to={notifications}
            aria-label="Notifications"
            title="Notifications"
            className="px-3"
            icon={<Settings2 aria-hidden className="size-[22px]" />}
          />
          {quietUntil && (
            <p className="num col-span-2 flex items-center gap-2 pt-2 text-14 text-ink-2">
              <Moon aria-hidden className="size-4 shrink-0" />
              Quiet until {quietUntil}
            </p>
          )}
        </div>
        {isSearching ? (
          cards.length > 0 ? (
            <>
              {list}
              {cards.length === messagingLimits().search_most && (
                <p className="num px-5 py-4 text-14 text-ink-2 md:px-4">
                  At most {cards.length} conversations are shown, the newest first. Type more to narrow the search.
                </p>
              )}
            </>
          ) : (
            <EmptyState icon={<SearchX aria-hidden />} title={`Nothing found for “${search}”`} />
          )
        ) : hasOneContact && tab === "inbox" && archived === 0 ? (
          cards.length > 0 ? (
            list
          ) : (
            <Nothing tab={tab} onStart={start} hasOneContact />
          )
        ) : (
          <Tabs
            label="Conversations"
            items={TABS}
            value={tab}
            onChange={setTab}
            className="[&>[role=tablist]]:px-5 md:[&>[role=tablist]]:px-4 [&>[role=tabpanel]]:pt-0"
          >
            {cards.length > 0 ? list : <Nothing tab={tab} onStart={start} hasOneContact={hasOneContact} />}
          </Tabs>
        )}
      </Loaded>
    </Pane>
  );
}

interface NothingProps {
  tab: MessagesAddress["tab"];
  onStart: MessagesAddress["start"];
  hasOneContact: boolean;
}

function Nothing({ tab, onStart, hasOneContact }: NothingProps) {
  const isPhone = useIsPhone();
  if (tab === "archived") return <EmptyState icon={<Archive aria-hidden />} title="No archived conversations" />;
  // On a desktop the welcome stands beside the list.
  return isPhone ? (
    <Welcome onStart={onStart} hasOneContact={hasOneContact} />
  ) : (
    <EmptyState title="No conversations yet" />
  );
}

interface PaneProps {
  title: string;
  before?: ReactNode;
  after?: ReactNode;
  children: ReactNode;
}

/** With the header that every screen of a phone has; beside a conversation it has its own, and its own height. */
function Pane({ title, before, after, children }: PaneProps) {
  const isPhone = useIsPhone();
  if (isPhone) {
    return (
      <>
        <PageHeader
          title={title}
          actions={
            <>
              {before && <span className="order-first">{before}</span>}
              {after}
            </>
          }
        />
        {children}
      </>
    );
  }
  return <DesktopPane {...{ title, before, after, children }} />;
}

function DesktopPane({ title, before, after, children }: PaneProps) {
  useTitle(title);
  return (
    <section aria-label="Conversations" className="flex min-h-0 flex-col border-r border-line">
      <header className="flex min-h-18 flex-wrap items-center gap-2 px-4 py-3">
        {before}
        <h1 className="min-w-[min(100%,7rem)] flex-1 text-28 font-bold">{title}</h1>
        {after}
      </header>
      <div className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain">{children}</div>
    </section>
  );
}
