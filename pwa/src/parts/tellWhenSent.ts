/**
 * Owns what is said of a change that counts only once the server has it: that it waits, and then that it is done. What is
 * refused is told by Needs attention.
 */
import { business, openBusiness, subscribeToReplica } from "../data/business/openBusiness";
import { toast } from "../ui";

/** Tells of the change with this id, which was just saved; ends with its way, or when its person leaves this phone. */
export function tellWhenSent(
  mutationId: string,
  { waits, done }: { waits: string; done: string | (() => Promise<string>) },
): void {
  const of = business();
  const isIt = ({ mutation }: { mutation: { id: string } }) => mutation.id === mutationId;
  let dismiss: (() => void) | undefined;
  let leave: (() => void) | undefined;
  const look = () => {
    const isHere = openBusiness() === of;
    if (isHere && of.phone.outbox().some(isIt)) {
      dismiss ??= toast.info(waits);
      return;
    }
    leave?.();
    dismiss?.();
    if (!isHere || of.phone.attention().some(({ entry }) => isIt(entry))) return;
    if (typeof done === "string") toast.success(done);
    else void done().then((said) => toast.success(said));
  };
  leave = subscribeToReplica(look);
  look();
}
