/** Owns who a conversation can be begun with, by what connects them with the sitter. */
import { SearchX, UsersRound } from "lucide-react";
import { useState } from "react";
import { useMinute } from "../../browser/clock";
import type { MessageContact } from "../../core";
import { save, storageTrouble, useRead } from "../../data";
import { PetAvatar } from "../../parts/PetAvatar";
import { Badge, Banner, ButtonLink, EmptyState, SearchField } from "../../ui";
import { Loaded } from "./Loaded";

interface ContactsProps {
  /** Somebody in particular is looked for. */
  isSearched: boolean;
  /** The conversation with them is there. */
  onStarted: (id: string) => void;
}

export function Contacts({ isSearched, onStarted }: ContactsProps) {
  const now = useMinute();
  const [search, setSearch] = useState("");
  const [problem, setProblem] = useState<string>();
  const groups = useRead((phone) => phone.messageContacts(search, now), search, now);

  const start = async ({ id, name, has_conversation }: MessageContact) => {
    setProblem(undefined);
    try {
      const command = { name: "start_conversation", args: { client_id: id } } as const;
      const result = has_conversation || (await save(command, `Start a conversation with ${name}`));
      if (result === true || result.ok) onStarted(id);
      else setProblem(result.text);
    } catch (thrown) {
      setProblem(`Failed to start conversation. Please try again. ${storageTrouble(thrown)}`);
    }
  };

  return (
    <Loaded failure="Failed to load available clients. Please try again." label="Loading contacts">
      <div className="px-5 pb-3 md:px-4">
        <SearchField
          label="Search contacts"
          placeholder="Name, pet, address or phone"
          autoFocus={isSearched}
          value={search}
          onChange={setSearch}
        />
        {problem && (
          <Banner kind="danger" role="alert" className="mt-3">
            {problem}
          </Banner>
        )}
      </div>
      {groups.map(({ relationship_type, title, contacts }) => (
        <section key={relationship_type} aria-label={title} className="grid">
          <h2 className="px-5 pt-2 pb-1 text-14 font-bold text-ink-2 md:px-4">{title}</h2>
          <ul>
            {contacts.map((it) => (
              <li
                key={it.id}
                className="border-b border-line [contain-intrinsic-size:auto_64px] [content-visibility:auto]"
              >
                <Contact contact={it} onStart={() => void start(it)} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {groups.length === 0 && (search ? <Nobody search={search} /> : <NoContacts />)}
    </Loaded>
  );
}

function Contact({
  contact: { id, name, pets, photo, unread },
  onStart,
}: {
  contact: MessageContact;
  onStart: () => void;
}) {
  return (
    <button
      type="button"
      onClick={onStart}
      className="flex min-h-16 w-full items-center gap-3 px-5 py-2 text-left -outline-offset-3 transition-colors hover:bg-sunken md:px-4"
    >
      <PetAvatar pet={{ id, name, photo }} />
      <span className="min-w-0 flex-1">
        <bdi className="block truncate font-medium">{name}</bdi>
        <bdi className="block truncate text-14 text-ink-2">{pets.join(", ")}</bdi>
      </span>
      <Badge count={unread} label={unread === 1 ? "unread message" : "unread messages"} />
    </button>
  );
}

const Nobody = ({ search }: { search: string }) => (
  <EmptyState icon={<SearchX aria-hidden />} title={`Nobody found for “${search}”`}>
    Clients with an email or a login of their own can be written to.
  </EmptyState>
);

const NoContacts = () => (
  <EmptyState
    icon={<UsersRound aria-hidden />}
    title="Nobody to write to yet"
    action={<ButtonLink to="/clients">To your clients</ButtonLink>}
  >
    Clients with an email or a login of their own can be written to.
  </EmptyState>
);
