/** Owns finding routes for the screen: one question at a time, which can be called off, and the answer to the last one. */
import { useCallback, useEffect, useRef, useState } from "react";
import type { GeneratedRoute, Place, RouteRequest } from "../../core";
import { encodedLine, routeTexts } from "../../core/walk";
import type { WalkRow } from "../../data/walks/walks";
import { minutesOf, type RouteQuestion, towardsOf } from "./RouteForm";

/** A question with the routes that were found for it. */
export interface FoundRoutes {
  question: RouteQuestion;
  start: Place;
  /** The start in words. */
  from: string;
  routes: readonly GeneratedRoute[];
  seed: number;
  via: readonly Place[];
  /** Lines of what was offered for this before. */
  shown: readonly string[];
}

export type RouteQuery = Omit<FoundRoutes, "routes">;

/** So many walks of late are not walked again. */
const RECENT = 5;

/** So many routes that were offered last are not offered again. */
const SHOWN = 15;

/** The lines of all that was offered so far. */
export const shownWith = ({ shown, routes }: FoundRoutes): string[] =>
  [...shown, ...routes.map((it) => it.geometry)].slice(-SHOWN);

export interface Search {
  found: FoundRoutes | undefined;
  /** The stage of a search that runs. */
  progress: string | undefined;
  /** Why there is no route, in words for the person. */
  problem: string | undefined;
  /** True if nothing failed: there is no map of the place. */
  lacksMap: boolean;
  /** Searches for routes: true if some came. A question that cannot be asked resolves with the reason. */
  ask: (question: () => Promise<RouteQuery | string>, recent: readonly WalkRow[]) => Promise<boolean>;
  cancel: () => void;
  /** Shows routes that are known already; `undefined` shows none. */
  show: (found: FoundRoutes | undefined) => void;
}

export function useRoutes(): Search {
  const [found, setFound] = useState<FoundRoutes>();
  const [progress, setProgress] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [lacksMap, setLacksMap] = useState(false);
  const running = useRef<AbortController>(undefined);

  const cancel = useCallback(() => {
    running.current?.abort();
    running.current = undefined;
    setProgress(undefined);
  }, []);
  useEffect(() => cancel, [cancel]);

  const ask = useCallback(async (question: () => Promise<RouteQuery | string>, recent: readonly WalkRow[]) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setProgress("Looking for routes…");
    setProblem(undefined);
    setLacksMap(false);
    const isCurrent = () => running.current === controller;
    try {
      const asked = await question();
      if (!isCurrent()) return false;
      if (typeof asked === "string") {
        setProblem(asked);
        return false;
      }
      const { findRoutes } = await import("../../map/search");
      const answer = await findRoutes(requestOf(asked, recent), {
        signal: controller.signal,
        onProgress: (text) => isCurrent() && setProgress(text),
      });
      if (!isCurrent()) return false;
      if (answer.status === "ok") {
        setFound({ ...asked, routes: answer.value });
        return true;
      }
      setProblem(answer.error.text);
      setLacksMap(answer.error.kind === "no_map");
    } catch {
      if (isCurrent()) setProblem(routeTexts().failed);
    } finally {
      if (isCurrent()) {
        running.current = undefined;
        setProgress(undefined);
      }
    }
    return false;
  }, []);

  const show = useCallback(
    (next: FoundRoutes | undefined) => {
      cancel();
      setProblem(undefined);
      setFound(next);
    },
    [cancel],
  );
  return { found, progress, problem, lacksMap, ask, cancel, show };
}

/** The request that a question is. */
export function requestOf({ question, start, seed, via, shown }: RouteQuery, recent: readonly WalkRow[]): RouteRequest {
  const lines = recent.slice(0, RECENT).flatMap((it) => it.summary?.line ?? []);
  return {
    duration: minutesOf(question),
    startLocation: start,
    pace: question.pace,
    preferences: question.preferences,
    dogCount: question.dogs,
    dogSizes: question.sizes,
    towards: towardsOf(question),
    seed,
    via: [...via],
    shown: [...shown],
    familiar: lines.map((line) => encodedLine(Int32Array.from(line))),
    at: Date.now(),
  };
}
