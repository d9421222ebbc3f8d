/** Owns how a module of the core is fetched that only some screens have: once for all of them. */
import { usable } from "../browser/usable";

/** For how long a failure stands: whoever `use`s it is to hear of it, and not to ask again without end. */
const FAILED_MS = 1_000;

/** Fetches what `load` fetches with the first call; later ones wait for the same, and a while after it failed ask anew. */
export function fetchedOnce(load: () => Promise<unknown>): () => Promise<unknown> {
  let loading: Promise<unknown> | undefined;
  const forget = () => {
    loading = undefined; // a network that failed once may be back
  };
  return () => {
    if (!loading) {
      loading = usable(load());
      loading.catch(() => setTimeout(forget, FAILED_MS));
    }
    return loading;
  };
}
