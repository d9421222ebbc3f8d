/**
 * The map's worker: keeps tiles, finds routes and draws, off the thread that a finger waits for. It runs twice: once for
 * tiles and drawing, once for routes, which is ended where a search is called off.
 */
import { loadMapCore, noMapText, searchTexts } from "../../core/map";
import type { Call, Calls, Question, Reply } from "./calls";
import { Finder } from "./finder";
import { Keeper, tabs } from "./keeper";
import { TileStore } from "./tiles";

const reply = (it: Reply, transfer: Transferable[] = []) => self.postMessage(it, { transfer });

const store = new TileStore();
const keeper = new Keeper(store, (status) => reply({ status }));
const finder = new Finder(store);
tabs.onmessage = () => void keeper.reload();

type Answers = {
  [C in Call]: (
    tell: (progress: string) => void,
    ...args: Parameters<Calls[C]>
  ) => ReturnType<Calls[C]> | Promise<ReturnType<Calls[C]>>;
};

const answers: Answers = {
  look: (_, places) => keeper.look(places),
  download: (_, places) => keeper.download(places),
  drop: () => keeper.drop(),
  ensure: async (tell, request) => {
    const why = await keeper.ensure(request, tell);
    if (why) return { why, text: noMapText(why) };
    tell(searchTexts().finding);
    return null;
  },
  find: (_, request) => finder.find(request),
  back: (_, way) => finder.back(way),
};

self.onmessage = async ({ data: { id, call, args } }: MessageEvent<Question>) => {
  try {
    await loadMapCore();
    const answer = answers[call] as (tell: (progress: string) => void, ...args: unknown[]) => unknown;
    const value = await answer((progress) => reply({ id, progress }), ...args);
    reply({ id, value });
  } catch (error) {
    reply({ id, failed: String(error) });
  }
};
