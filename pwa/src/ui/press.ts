/**
 * Owns what counts as a press: only what was there when the finger came down, and nothing at all of a finger or a key
 * that has acted already and is not up yet.
 *
 * A phone looks for what is under the finger when it lifts. Whatever has come there meanwhile (a screen that a held
 * button has opened, a notice's 'Undo') would be pressed without having been seen. Listens before everybody else.
 */

/** A finger, a mouse's button or a pen, from when it came down until the next one does: its click follows its lifting. */
interface Press {
  /** The element that it came down on, or `null` where nothing is to be pressed. */
  on: Element | null;
  /** It has acted: nothing more of it counts. */
  spent: boolean;
  /** When it went up, by the clock of events. */
  upAt?: number;
}

/** A click comes this much after its finger at most; later it is somebody else's, such as a screen reader's. */
const CLICK_WITHIN_MS = 1_000;

const pressable = "a,button,input,select,textarea,label,summary,option,[role=button],[tabindex]:not([tabindex='-1'])";

const presses = new Map<number, Press>();
/** The keys that are down, and where each went down. */
const keys = new Map<string, { on: EventTarget | null; spent: boolean }>();
/** The finger whose click may come; mice and phones have one at a time. */
let primary: Press | undefined;

const under = ({ target }: Event): Element | null => (target instanceof Element ? target.closest(pressable) : null);

/** Whoever acts before the finger or the key is up, as a button that is held does, says so here. */
export function spendPress(): void {
  for (const press of presses.values()) press.spent = true;
  for (const key of keys.values()) key.spent = true;
}

function swallow(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

function pressed(event: PointerEvent): void {
  const press = { on: under(event), spent: false };
  // The first finger of a hand: those before it are up, whether or not the browser has said so.
  if (event.isPrimary) {
    presses.clear();
    primary = press;
  }
  presses.set(event.pointerId, press);
}

function lifted(event: PointerEvent): void {
  const press = presses.get(event.pointerId);
  if (!press) return;
  presses.delete(event.pointerId);
  press.upAt = event.timeStamp;
  if (press.spent) swallow(event);
  // It became a scroll: no click comes.
  if (event.type === "pointercancel" && press === primary && !press.spent) primary = undefined;
}

/** Handles the mouse events that a browser makes of a press: for a finger all of them come after the lifting. */
function followed(event: MouseEvent): void {
  const press = primary;
  // Those without a count are a key's, a label's or a screen reader's, and those of a script are its own.
  if (!press || !event.isTrusted || (event.detail === 0 && event.type === "click")) return;
  if (press.upAt !== undefined && event.timeStamp - press.upAt > CLICK_WITHIN_MS) return;
  const isElsewhere = event.type !== "mouseup" && under(event) !== press.on;
  if (press.spent || isElsewhere) swallow(event);
  // The one that a label hands on to its field is not another.
  if (event.type === "click") primary = undefined;
}

const isPressing = ({ key }: KeyboardEvent) => key === "Enter" || key === " ";

/** True where a key that repeats means more of the same. */
const isWriting = (target: EventTarget | null, key: string) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches(key === " " ? "textarea,input:not([type=checkbox],[type=radio])" : "textarea"));

/** A key that is held presses once, and only what had the focus when it went down. */
function keyWentDown(event: KeyboardEvent): void {
  // A key's click is not a finger's.
  primary = undefined;
  const before = keys.get(event.code);
  if (!event.repeat) keys.set(event.code, { on: event.target, spent: false });
  else if (before?.spent) swallow(event);
  else if (isPressing(event) && !(before?.on === event.target && isWriting(event.target, event.key))) swallow(event);
}

function keyWentUp(event: KeyboardEvent): void {
  const key = keys.get(event.code);
  keys.delete(event.code);
  if (key?.spent || (isPressing(event) && key?.on !== event.target)) swallow(event);
}

addEventListener("pointerdown", pressed, true);
addEventListener("pointerup", lifted, true);
addEventListener("pointercancel", lifted, true);
for (const type of ["mousedown", "mouseup", "click", "auxclick", "dblclick", "contextmenu"] as const) {
  addEventListener(type, followed, true);
}
addEventListener("keydown", keyWentDown, true);
addEventListener("keyup", keyWentUp, true);
// A key that goes up elsewhere is not heard of.
addEventListener("blur", () => keys.clear());
