/**
 * Owns what every test in the browser starts from: the look, since sizes and visibility are part of behavior, and nothing
 * of what the test before it was told.
 */
import "../src/ui/tokens.css";
import { afterEach, vi } from "vitest";
import { toast } from "../src/ui/Toast";

// What an earlier test was told lies above what this one presses, and stays there under a pointer that rests on it.
afterEach(toast.clear);

// As long as other waits are; a second is no measure of anything on a busy machine.
const { waitFor } = vi;
vi.waitFor = (callback, options = 20_000) => waitFor(callback, options);
