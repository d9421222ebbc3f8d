/** Owns the way from a client to a message: in the app where somebody would read it, else as a text (SPEC 2, Clients). */
import { MessageSquare } from "lucide-react";
import { Suspense } from "react";
import { useSearchParams } from "wouter";
import { addressId, type ClientCard } from "../../core";
import { ContactLinks } from "../../parts/contact/ContactLinks";
import { ErrorBoundary, goBack, IconButton, loadable, useStep } from "../../ui";

const MessageDialog = loadable(() => import("./MessageDialog"));

/** In the address, so that the way back closes the window and a killed tab comes back to it. */
const PARAM = "message";

/** Opens the window for a client; the rest of the address stays. */
export function useOpenMessage(): (clientId: string) => void {
  const [params, setParams] = useSearchParams();
  return (clientId) => {
    const next = new URLSearchParams(params);
    next.set(PARAM, clientId);
    setParams(next, { state: { above: true } });
  };
}

export function MessageButton({ card: { client, can_message } }: { card: ClientCard }) {
  const openMessage = useOpenMessage();
  if (!can_message) return <ContactLinks client={client} ways={["message"]} />;
  return (
    <IconButton kind="square" label={`Message ${client.name}`} onClick={() => openMessage(client.id)}>
      <MessageSquare />
    </IconButton>
  );
}

/** The window for the client that the address names. */
export function OpenMessage() {
  const [params, setParams] = useSearchParams();
  const step = useStep();
  const id = addressId(params.get(PARAM));
  if (!id) return null;
  const close = () => {
    if (step?.above) return goBack();
    const next = new URLSearchParams(params);
    next.delete(PARAM);
    setParams(next, { replace: true });
  };
  return (
    <ErrorBoundary resetKey={id} fallback={() => null}>
      <Suspense>
        <MessageDialog clientId={id} onClose={close} />
      </Suspense>
    </ErrorBoundary>
  );
}
