/** Owns the first script of all, a small one: the disk reads while the browser makes the app's own ready. */
import { readAhead } from "../data/store/ahead";

// The app's script comes after this one. Were it run before the disk is asked, the disk would stand idle for as long.
await readAhead();
