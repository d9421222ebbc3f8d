/**
 * The map's worker: keeps tiles, finds routes and draws, off the thread that a finger waits for. It runs twice: once for
 * tiles and drawing, once for routes, which is ended where a search is called off.
 */
import { loadMapCore, noMapText, searchTexts, tilesAlong, tilesForRoute } from "../../core/map";
import type { CallName, Calls, WorkerMessage, WorkerReply, WorkerRequest } from "../calls";
import { AddressSearch } from "./addressSearch";
import { Drawer } from "./drawer";
import { Finder } from "./finder";
import { Keeper, tabs } from "./keeper";
import { TileStore } from "./tileStore";

const reply = (it: WorkerReply, transfer: Transferable[] = []) => self.postMessage(it, { transfer });

const store = new TileStore();
const keeper = new Keeper(store, (status) => reply({ status }));
const finder = new Finder(store);
const drawer = new Drawer(store, () => keeper.inventory());
const addresses = new AddressSearch(store, () => keeper.inventory());
tabs.onmessage = () => void keeper.reload();

type Answers = {
  [C in CallName]: (
    tell: (progress: string) => void,
    ...args: Parameters<Calls[C]>
  ) => ReturnType<Calls[C]> | Promise<ReturnType<Calls[C]>>;
};

const answers: Answers = {
  look: (_, places) => keeper.look(places),
  download: (_, places) => keeper.download(places),
  drop: () => keeper.drop(),
  ensure: async (tell, request) => {
    const why = await keeper.ensure(tilesForRoute(request), tell);
    if (why) return { why, text: noMapText(why) };
    tell(searchTexts().finding);
    return null;
  },
  along: async (tell, places) => void (await keeper.ensure(tilesAlong([...places]), tell)),
  find: (_, request) => finder.find(request),
  back: (_, way) => finder.back(way),
  way: (_, from, to) => finder.way(from, to),
  ground: (_, places, place, use, serverHasMap) => keeper.ground(places, place, use, serverHasMap),
  draw: (_, sheet) => drawer.draw(sheet),
  findAddresses: (_, typed, near) => addresses.find(typed, near),
  addressAt: (_, place, withNumber) => addresses.at(place, withNumber),
};

/** Sheets wait here for their turn, one after the other, so that those that were scrolled away are not drawn at all. */
const sheets: WorkerRequest[] = [];
const turns = new MessageChannel();
let isDrawing = false;
turns.port1.onmessage = async () => {
  const next = sheets.shift();
  if (next) await run(next);
  if (sheets.length > 0) turns.port2.postMessage(null);
  else isDrawing = false;
};

self.onmessage = ({ data }: MessageEvent<WorkerMessage>) => {
  if ("forget" in data) {
    const at = sheets.findIndex((it) => it.id === data.forget);
    if (at >= 0) sheets.splice(at, 1);
  } else if (data.call === "draw") {
    sheets.push(data);
    if (!isDrawing) turns.port2.postMessage(null);
    isDrawing = true;
  } else {
    void run(data);
  }
};

async function run({ id, call, args }: WorkerRequest): Promise<void> {
  try {
    await loadMapCore();
    const answer = answers[call] as (tell: (progress: string) => void, ...args: unknown[]) => unknown;
    const value = await answer((progress) => reply({ id, progress }), ...args);
    reply({ id, value }, value instanceof ImageBitmap ? [value] : []);
  } catch (error) {
    reply({ id, failed: String(error) });
  }
}
