/**
 * Owns the messages' section, for sitters and for clients: the list and one conversation, side by side or, under 768 px,
 * one at a time (SPEC 2, Messages). It is as high as the window.
 */
import { useState } from "react";
import { useIsPhone } from "../../browser/device";
import { useReplica } from "../../data";
import { useQuietUntil } from "../../parts/notifications/useQuietUntil";
import { useShortcut } from "../../ui";
import { ListPane } from "./ListPane";
import { OpenConversation } from "./OpenConversation";
import { type UserType, useMessagesAddress } from "./useMessagesAddress";
import { Welcome } from "./Welcome";

interface MessagesScreenProps {
  userType?: UserType;
}

export default function MessagesScreen({ userType = "sitter" }: MessagesScreenProps) {
  const address = useMessagesAddress(userType);
  const isPhone = useIsPhone();
  // On a phone one comes back to what was found.
  const [search, setSearch] = useState("");
  // A client has one to write to, and of all clients the own record alone.
  const own = useReplica((phone) => (userType === "client" ? phone.clients("")[0]?.client.id : undefined));
  const quietUntil = useQuietUntil();
  const { id, message } = address;
  const start: typeof address.start = own === undefined ? address.start : () => address.open(own);
  useShortcut("n", "Start a conversation", () => start("search"));

  const conversation = id !== undefined && (
    <OpenConversation key={`${id} ${message}`} id={id} found={message} userType={userType} onLeave={address.leave} />
  );
  const list = (
    <ListPane
      address={{ ...address, start }}
      search={search}
      onSearch={setSearch}
      quietUntil={quietUntil}
      hasOneContact={own !== undefined}
    />
  );
  if (isPhone) return conversation || list;
  return (
    <div className="grid h-dvh grid-cols-[minmax(0,2fr)_minmax(0,3fr)] grid-rows-[minmax(0,1fr)] lg:grid-cols-[minmax(280px,360px)_minmax(0,1fr)]">
      {list}
      {conversation || <Welcome onStart={start} hasOneContact={own !== undefined} />}
    </div>
  );
}
