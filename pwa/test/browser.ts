/** Owns what every test in the browser starts from: the look, since sizes and visibility are part of behavior. */
import "../src/ui/tokens.css";
import { vi } from "vitest";

// As long as other waits are; a second is no measure of anything on a busy machine.
const { waitFor } = vi;
vi.waitFor = (callback, options = 20_000) => waitFor(callback, options);
